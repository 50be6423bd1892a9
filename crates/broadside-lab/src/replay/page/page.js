"use strict";
(() => {
  const game = JSON.parse(document.getElementById("game").textContent);
  const $ = (id) => document.getElementById(id);
  const slider = $("slider"), play = $("play"), items = document.querySelectorAll(".shots li");
  const seen = $("seen").querySelectorAll("td"), after = $("after").querySelectorAll("td");
  const SIGNS = { miss: "•", hit: "✕", sunk: "#" };
  const LEVELS = 16;
  let timer = 0;

  const mark = (cell, kind) => { cell.className = kind; cell.textContent = SIGNS[kind]; };

  const warm = (cell, value, hottest, percent) => {
    const known = value !== null;
    cell.className = known ? "h" + Math.round(LEVELS * (hottest > 0 ? value / hottest : 0)) : "";
    cell.textContent = known && percent && value > 0 ? (value / 10).toFixed(value < 1000 ? 1 : 0) : "";
  };

  const show = (index) => {
    const shot = game.shots[index], heat = shot.heat;
    const hottest = heat.reduce((most, value) => Math.max(most, value ?? 0), 0);
    const marks = new Map(game.before.map((s) => [s.cell, s.mark]));
    const fire = (s) => { marks.set(s.cell, s.mark); s.sunk.forEach((cell) => marks.set(cell, "sunk")); };
    game.shots.slice(0, index).forEach(fire);
    seen.forEach((cell, i) => (marks.has(i) ? mark(cell, marks.get(i)) : warm(cell, heat[i] ?? null, hottest, shot.percent)));
    fire(shot);
    after.forEach((cell, i) => {
      cell.className = ""; cell.textContent = "";
      if (marks.has(i)) mark(cell, marks.get(i));
      else if (game.ships.includes(i)) cell.className = "ship";
    });
    seen[shot.cell].classList.add("chosen");
    after[shot.cell].classList.add("chosen");
    $("headline").textContent = shot.headline;
    $("words").textContent = shot.words;
    $("advice").textContent = shot.advice;
    $("left").textContent = shot.left;
    $("heading").textContent = shot.heading;
    slider.value = index;
    slider.setAttribute("aria-valuetext", shot.headline);
    items.forEach((item, i) => (i === index ? item.setAttribute("aria-current", "step") : item.removeAttribute("aria-current")));
  };

  const at = () => Number(slider.value);
  const last = game.shots.length - 1;
  const go = (index) => show(Math.min(last, Math.max(0, index)));
  const stop = () => { clearInterval(timer); timer = 0; play.textContent = "Play"; };
  const step = () => { if (at() >= last) stop(); else go(at() + 1); };
  const start = () => {
    if (at() >= last) go(0);
    timer = setInterval(step, 900);
    play.textContent = "Pause";
  };
  const linked = () => {
    const index = Number(location.hash.replace("#shot-", "")) - game.first;
    return Number.isInteger(index) && index >= 0 && index <= last ? index : null;
  };

  slider.addEventListener("input", () => { stop(); show(at()); });
  $("back").addEventListener("click", () => { stop(); go(at() - 1); });
  $("next").addEventListener("click", () => { stop(); go(at() + 1); });
  play.addEventListener("click", () => (timer ? stop() : start()));
  $("reveal").addEventListener("change", (event) => $("after").classList.toggle("reveal", event.target.checked));
  window.addEventListener("hashchange", () => { if (linked() !== null) { stop(); show(linked()); } });
  document.addEventListener("keydown", (event) => {
    if (event.target !== document.body || event.ctrlKey || event.altKey || event.metaKey) return;
    const to = { ArrowLeft: at() - 1, ArrowRight: at() + 1, Home: 0, End: last }[event.key];
    if (to !== undefined) { event.preventDefault(); stop(); go(to); }
  });
  document.querySelectorAll("[data-script]").forEach((part) => (part.hidden = false));
  show(linked() ?? 0);
})();
