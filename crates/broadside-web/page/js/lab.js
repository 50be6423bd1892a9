// A campaign: chosen captains play many games on the same layouts, and the figures come in live.

import * as api from "./api.js";
import { chart, sample } from "./chart.js";
import { attribute, button, el, write } from "./dom.js";
import { number, percent, t } from "./i18n.js";
import { errorsOf, nameOf } from "./opponents.js";
import { field, RulesForm } from "./rules-form.js";
import * as router from "./router.js";
import { copyButton } from "./share.js";
import { captainWords, grouped } from "./words.js";

const USUAL = ["random", "hunt-target", "density"];

export async function lab({ main, query }) {
  const catalogue = await api.catalogue();
  const page = new Lab(catalogue, query);
  main.replaceChildren(page.element);
  return { title: t("nav.lab"), destroy: () => page.destroy() };
}

class Lab {
  constructor({ captains, presets, limits }, { captains: chosen, games = "10000", seed = "1", ...rules }) {
    this.limits = limits;
    this.form = new RulesForm({
      presets,
      limits,
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
    const extra = chosen.filter((name) => errorsOf(name) > 0).map((name) => ({ name, about: t("lab.rung", { name: nameOf(name) }) }));
    const all = [...captains, ...extra];
    this.boxes = all.map(({ name }) => {
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
    this.wrong = { games: el("span", { id: "games-problem", class: "problem small" }), seed: el("span", { id: "seed-problem", class: "problem small" }) };
    this.run = el("button", { id: "run", type: "submit", class: "primary", text: t("lab.run") });
    this.stopButton = button("stop", t("lab.stop"), () => this.running?.abort(), { disabled: true });
    this.status = el("p", { id: "status", role: "status", text: t("lab.start") });
    this.progress = el("progress", { id: "progress", max: 1, value: 0, "aria-label": t("lab.progress") });
    this.problem = el("p", { id: "problem", class: "problem", role: "alert" });
    this.results = el("div", { class: "results", id: "results" });
    this.element = el(
      "div",
      { class: "lab" },
      el(
        "div",
        { class: "lab-head" },
        el("h1", { text: t("nav.lab") }),
        el("p", { class: "soft", text: t("lab.about") }),
      ),
      this.#settings(all),
      el("section", { class: "lab-results" }, this.status, this.progress, this.problem, this.results),
    );
  }

  #settings(captains) {
    const labels = captains.map((captain, i) =>
      el("label", { class: "check captain" }, this.boxes[i], el("span", {}, el("strong", { text: captain.name }), el("span", { class: "small soft", text: captainWords(captain) }))),
    );
    const form = el(
      "form",
      {
        class: "card settings",
        novalidate: true,
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
        el("legend", { text: t("lab.captains", { n: this.limits.captains }) }),
        labels,
      ),
      el(
        "div",
        { class: "fields" },
        el("div", {}, field(t("lab.games"), this.games), this.wrong.games),
        el("div", {}, field(t("lab.seed"), this.seed), this.wrong.seed),
      ),
      this.form.element,
      el(
        "div",
        { class: "row run-row" },
        this.run,
        this.stopButton,
        copyButton("copy-link", t("share.copyLink"), () => location.href),
      ),
    );
    form.addEventListener("change", () => this.#follow());
    form.addEventListener("input", () => this.#follow());
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
    const isWrong = this.#explain(chosen);
    this.run.disabled = chosen === 0 || !this.rules || Boolean(this.running) || isWrong;
    if (this.rules) router.replace("lab", [], { ...this.#settingsNow(), ...this.form.brief() });
  }

  /** Says beside a field what is wrong with its value. @returns {boolean} whether something is */
  #explain(chosen) {
    const most = Math.floor(this.limits.games / Math.max(1, chosen));
    const problems = {
      games: isWhole(this.games.value, 1, most) ? "" : t("lab.badGames", { most }),
      seed: isWhole(this.seed.value, 0, Number.MAX_SAFE_INTEGER) ? "" : t("lab.badSeed"),
    };
    for (const [name, problem] of Object.entries(problems)) {
      write(this.wrong[name], problem);
      attribute(this[name], "aria-invalid", problem ? "true" : null);
      attribute(this[name], "aria-describedby", problem ? this.wrong[name].id : null);
    }
    return Object.values(problems).some(Boolean);
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
      this.#end(t("lab.stopped"));
      if (error.name !== "AbortError") write(this.problem, error.message);
    }
  }

  /** Shows a campaign until it ends, and tells how it did. */
  async #watch(signal) {
    for await (const { event, data } of api.campaign(this.form.brief(), this.#settingsNow(), signal)) {
      if (event === "refused") throw new api.ApiError(422, data.error);
      this.#show(data);
      if (event === "done") return t("lab.done");
    }
    return t("lab.early");
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
    this.tally = t("lab.tally", { played, n: games });
    write(this.status, t("lab.playing", { tally: this.tally }));
    this.progress.max = Math.max(1, games);
    this.progress.value = played;
    const withGames = captains.filter((captain) => captain.games > 0);
    if (!withGames.length) return;
    this.results.replaceChildren(tableTitle(), table(withGames), histogram(withGames), cumulative(withGames));
  }
}

function table(captains) {
  const hasTurns = captains.some(({ turns }) => turns !== null);
  const words = ["captain", "mean", "error", ...(hasTurns ? ["turns"] : []), "sd", "least", "median", "most", "games"];
  const head = words.map((word) => t(`lab.column.${word}`));
  const row = (captain, index) =>
    el(
      "tr",
      {},
      el("th", { scope: "row" }, sample(index), el("span", { text: captain.captain })),
      [
        number(captain.mean, 2),
        number(captain.std_err, 2),
        ...(hasTurns ? [number(captain.turns, 2)] : []),
        number(captain.sd, 1),
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
    text: t("lab.table"),
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

const inPercent = (value) => percent(value, Number.isInteger(Math.round(value * 1e6) / 1e4) ? 0 : 1);

const isWhole = (text, least, most) => /^\d+$/.test(text.trim()) && Number(text) >= least && Number(text) <= most;

function histogram(captains) {
  const range = shotRange(captains);
  const series = captains.map((captain) => ({ name: captain.captain, points: shares(captain, range) }));
  return figure(
    t("lab.histogram"),
    chart({
      label: t("lab.histogramLabel"),
      x: t("axis.shots"),
      y: t("axis.share"),
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
    t("lab.cumulative"),
    chart({
      label: t("lab.cumulativeLabel"),
      x: t("axis.shots"),
      y: t("axis.won"),
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
