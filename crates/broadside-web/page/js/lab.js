// A campaign: chosen captains play many games on the same layouts, and the figures come in live.

import * as api from "./api.js";
import { chart, sample } from "./chart.js";
import { button, el, write } from "./dom.js";
import { grouped } from "./notation.js";
import { field, RulesForm } from "./rules-form.js";
import * as router from "./router.js";
import { copyButton } from "./share.js";

const USUAL = ["random", "hunt-target", "density"];

export async function lab({ main, query }) {
  const catalogue = await api.catalogue();
  const page = new Lab(catalogue, query);
  main.replaceChildren(page.element);
  return { title: "Lab", destroy: () => page.destroy() };
}

class Lab {
  constructor({ captains, presets, limits }, { captains: chosen, games = "10000", seed = "1", ...rules }) {
    this.limits = limits;
    this.form = new RulesForm({
      presets,
      initial: rules,
      onChange: (full) => {
        this.rules = full;
        this.#follow();
      },
    });
    this.#make(captains, chosen ? chosen.split(",") : USUAL, games, seed);
    this.#follow();
  }

  #make(captains, chosen, games, seed) {
    this.boxes = captains.map(({ name }) => {
      const box = el("input", { type: "checkbox", name: "captain", value: name });
      box.checked = chosen.includes(name);
      return box;
    });
    this.games = el("input", {
      id: "games",
      type: "number",
      min: 1,
      max: this.limits.games,
      step: 1,
      value: games,
      inputmode: "numeric",
    });
    this.seed = el("input", { id: "seed", type: "number", min: 0, step: 1, value: seed, inputmode: "numeric" });
    this.run = el("button", { id: "run", type: "submit", class: "primary", text: "Run" });
    this.stopButton = button("stop", "Stop", () => this.running?.abort(), { disabled: true });
    this.status = el("p", { id: "status", role: "status", text: "Choose captains and let them play." });
    this.progress = el("progress", { id: "progress", max: 1, value: 0, "aria-label": "Games played" });
    this.problem = el("p", { id: "problem", class: "problem", role: "alert" });
    this.results = el("div", { class: "results", id: "results" });
    this.element = el(
      "div",
      { class: "lab" },
      el(
        "div",
        { class: "lab-head" },
        el("h1", { text: "Lab" }),
        el("p", { class: "soft", text: "Every captain plays the same layouts; fewer shots are better." }),
      ),
      this.#settings(captains),
      el("section", { class: "lab-results" }, this.status, this.progress, this.problem, this.results),
    );
  }

  #settings(captains) {
    const labels = captains.map(({ name, about }, i) =>
      el("label", { class: "check", title: about }, this.boxes[i], el("span", { text: name })),
    );
    const form = el(
      "form",
      {
        class: "card settings",
        on: {
          submit: (event) => {
            event.preventDefault();
            this.#start();
          },
        },
      },
      el(
        "fieldset",
        { class: "captains", id: "captains" },
        el("legend", { text: `Captains (up to ${this.limits.captains})` }),
        labels,
      ),
      el("div", { class: "fields" }, field("Games", this.games), field("Seed", this.seed)),
      this.form.element,
      el(
        "div",
        { class: "row" },
        this.run,
        this.stopButton,
        copyButton("copy-link", "Copy link", () => location.href),
      ),
    );
    form.addEventListener("change", () => this.#follow());
    return form;
  }

  #chosen() {
    return this.boxes.filter(({ checked }) => checked).map(({ value }) => value);
  }

  #settingsNow() {
    return { captains: this.#chosen().join(","), games: this.games.value, seed: this.seed.value };
  }

  /** Keeps the address and the buttons in step with the form. */
  #follow() {
    const chosen = this.#chosen().length;
    this.boxes.forEach((box) => {
      box.disabled = !box.checked && chosen >= this.limits.captains;
    });
    this.run.disabled = chosen === 0 || !this.rules || Boolean(this.running);
    if (this.rules) router.replace("lab", [], { ...this.#settingsNow(), ...this.form.brief() });
  }

  async #start() {
    if (this.running || this.run.disabled) return;
    write(this.problem, "");
    this.results.replaceChildren();
    this.#show({ played: 0, games: Number(this.games.value), captains: [] });
    const running = (this.running = new AbortController());
    this.stopButton.disabled = false;
    this.#follow();
    try {
      this.#end(await this.#watch(running.signal));
    } catch (error) {
      this.#end("Stopped.");
      if (error.name !== "AbortError") write(this.problem, error.message);
    }
  }

  /** Shows a campaign until it ends, and tells how it did. */
  async #watch(signal) {
    for await (const { event, data } of api.campaign(this.form.brief(), this.#settingsNow(), signal)) {
      if (event === "refused") throw new api.ApiError(422, data.error);
      this.#show(data);
      if (event === "done") return "Done.";
    }
    return "The server has stopped early.";
  }

  #end(words) {
    this.running = null;
    this.stopButton.disabled = true;
    write(this.status, `${words} ${this.tally}`);
    this.#follow();
  }

  destroy() {
    this.running?.abort();
  }

  #show({ played, games, captains }) {
    this.tally = `${grouped(played)} of ${grouped(games)} games.`;
    write(this.status, `Playing: ${this.tally}`);
    this.progress.max = Math.max(1, games);
    this.progress.value = played;
    const withGames = captains.filter((captain) => captain.games > 0);
    if (!withGames.length) return;
    this.results.replaceChildren(tableTitle(), table(withGames), histogram(withGames), cumulative(withGames));
  }
}

function table(captains) {
  const head = ["Captain", "Mean", "±", "SD", "Least", "Median", "Most", "Games"];
  const row = (captain, index) =>
    el(
      "tr",
      {},
      el("th", { scope: "row" }, sample(index), el("span", { text: captain.captain })),
      [
        captain.mean.toFixed(2),
        captain.std_err.toFixed(2),
        captain.sd.toFixed(1),
        captain.min,
        captain.median,
        captain.max,
        grouped(captain.games),
      ].map((value) => el("td", { text: value })),
    );
  return el(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-labelledby": "means-title" },
    el(
      "table",
      { class: "numbers", id: "means", "aria-labelledby": "means-title" },
      el(
        "thead",
        {},
        el(
          "tr",
          {},
          head.map((text) => el("th", { scope: "col", text })),
        ),
      ),
      el("tbody", {}, captains.map(row)),
    ),
  );
}

/** Outside the table, so that it stays put when the table is scrolled sideways. */
function tableTitle() {
  return el("p", {
    class: "table-title",
    id: "means-title",
    text: "Shots to sink the whole fleet, ± one standard error of the mean",
  });
}

/** Shots that any captain has needed, with one to spare on each side. */
/** @param {Schemas["Line"][]} captains @returns {[number, number]} */
function shotRange(captains) {
  return [Math.max(0, Math.min(...captains.map(({ min }) => min ?? 0)) - 1), Math.max(...captains.map(({ max }) => max ?? 0)) + 1];
}

/** @param {Schemas["Line"]} captain @param {[number, number]} range @returns {[number, number][]} */
function shares({ histogram: games, games: all }, [from, to]) {
  return Array.from({ length: to - from + 1 }, (_, i) => [from + i, (games[from + i] ?? 0) / all]);
}

const inPercent = (value) => `${Number((value * 100).toFixed(2))}%`;

function histogram(captains) {
  const range = shotRange(captains);
  const series = captains.map((captain) => ({ name: captain.captain, points: shares(captain, range) }));
  return figure(
    "Games by number of shots",
    chart({
      label: "Share of games by number of shots",
      x: "shots",
      y: "share of games",
      series,
      xRange: range,
      format: inPercent,
    }),
  );
}

function cumulative(captains) {
  const range = shotRange(captains);
  const series = captains.map((captain) => {
    let sum = 0;
    return {
      name: captain.captain,
      steps: true,
      points: shares(captain, range).map(([shots, share]) => /** @type {[number, number]} */ ([shots, (sum += share)])),
    };
  });
  return figure(
    "Won by then",
    chart({
      label: "Share of games won within a number of shots",
      x: "shots",
      y: "share of games won",
      series,
      xRange: range,
      yMax: 1,
      format: inPercent,
    }),
  );
}

function figure(title, drawing) {
  return el("figure", { class: "card" }, el("figcaption", { text: title }), drawing);
}
