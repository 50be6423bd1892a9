// Rules by preset or part by part. Whether they can be played is the server's to say.

import * as api from "./api.js";
import { debounce, el, write } from "./dom.js";
import { has, number, percent, t } from "./i18n.js";
import { RocksEditor } from "./rocks.js";
import { shotCount } from "./words.js";

const TOUCHES = ["allowed", "corners", "never"];
const CALLS = ["ship", "bare", "silent", "every"];
const SALVOS = ["1", "ships", "2", "3", "4", "5", "6", "7", "8", "9", "10"];
const SALVO_CALLS = ["turn", "each", "count"];

/** What people call a preset. */
export function presetName(name) {
  return has(`preset.${name}`) ? t(`preset.${name}`) : name;
}

/** Rules in a line: `10×10 · 5,4,3,3,2 · ships may touch · …`. */
export function rulesLine(rules) {
  const fleet = Array.isArray(rules.fleet) ? rules.fleet.join(",") : rules.fleet;
  const board = rules.board.replace("x", "×");
  const line = t("rules.line", { board, fleet, touch: t(`touch.${rules.touch}`), call: t(`call.${rules.call}.short`) });
  const rocks = rules.rocks.length > 0 ? ` · ${t("rules.rocksAt", { cells: rules.rocks.join(" ") })}` : "";
  const salvo = isSingle(rules) ? "" : ` · ${salvoWords(rules.salvo)}`;
  return line + rocks + salvo + (isTrue(rules) ? "" : ` · ${t("rules.noiseOf", { chance: percent(Number(rules.noise), 2) })}`);
}

/** Whether a turn is one shot. @param {{salvo: string}} rules */
export const isSingle = ({ salvo }) => salvo === "1";

/** Whether every answer is true. Rules that were kept before some could be false don't say it. @param {{noise?: string}} rules */
export const isTrue = ({ noise = "0" }) => Number(noise) === 0;

/** Whether shots to go can be counted: each shot is answered at once, and truly. @param {{salvo: string, noise?: string}} rules */
export const hasShotsToGo = (rules) => (isSingle(rules) || rules.salvo.endsWith(":each")) && isTrue(rules);

/** Turns of several shots in words: `5 shots a turn, answered after it`. @param {string} salvo */
function salvoWords(salvo) {
  const [shots, call = "turn"] = salvo.split(":");
  const many = shots === "ships" ? t("salvo.ships") : t("salvo.fixed", { shots: shotCount(Number(shots)) });
  return `${many}, ${t(`salvo.${call}.short`)}`;
}

/** Full rules as a request asks for them. */
export function asRequest({ board, fleet, touch, call, rocks, salvo, noise = "0" }) {
  return { board, fleet: fleet.join(","), touch, call, rocks: rocks.join(",") || "none", salvo, noise };
}

/** The preset with these rules, by its name; none for rules of one's own. */
export function presetOf(presets, rules) {
  return presets.find((preset) => same(asRequest(preset.rules), asRequest(rules)))?.name ?? null;
}

const same = (a, b) =>
  ["board", "fleet", "touch", "call", "salvo", "noise"].every((part) => String(a[part]) === String(b[part])) && inOrder(a.rocks) === inOrder(b.rocks);
const inOrder = (rocks) => rocks.split(",").sort().join(",");

export class RulesForm {
  /**
   * @param {{presets: Object[], limits?: Schemas["Limits"], onChange: (rules: FullRules|null) => void, initial?: Object}} options
   *   `initial` is a request for rules; `onChange` gets the rules in full, or null while they are not known to be playable
   */
  constructor({ presets, limits, onChange, initial = {} }) {
    this.presets = presets;
    this.limits = limits;
    this.onChange = onChange;
    this.rules = null;
    this.#make();
    this.#fill({ ...this.#preset(initial.preset ?? "classic"), ...initial });
    this.check = debounce(200, () => this.#check());
    this.ready = this.#check();
  }

  #preset(name) {
    const found = this.presets.find((preset) => preset.name === name) ?? this.presets[0];
    return asRequest(found.rules);
  }

  #make() {
    const option = (value, text) => el("option", { value, text });
    this.preset = el(
      "select",
      { id: "preset", on: { change: () => this.#choose() } },
      this.presets.map(({ name }) => option(name, presetName(name))),
      option("custom", t("preset.custom")),
    );
    this.rows = el("input", { id: "rows", type: "number", min: 1, max: 64, inputmode: "numeric" });
    this.cols = el("input", { id: "cols", type: "number", min: 1, max: 64, inputmode: "numeric" });
    this.fleet = el("input", {
      id: "fleet",
      type: "text",
      autocomplete: "off",
      spellcheck: "false",
      inputmode: "text",
      placeholder: "5,4,3,3,2",
    });
    this.touch = el("select", { id: "touch" }, TOUCHES.map((word) => option(word, t(`touch.${word}`))));
    this.call = el("select", { id: "call" }, CALLS.map((word) => option(word, t(`call.${word}`))));
    this.rocks = new RocksEditor();
    this.salvo = el("select", { id: "salvo" }, SALVOS.map((word) => option(word, salvoOption(word))));
    this.salvoCall = el("select", { id: "salvo-call" }, SALVO_CALLS.map((word) => option(word, t(`salvo.${word}`))));
    this.salvoCallField = field(t("rules.salvoCall"), this.salvoCall, "wide");
    this.noise = el("input", { id: "noise", type: "number", min: 0, max: 0.49, step: 0.01, inputmode: "decimal" });
    this.line = el("p", { class: "soft small", id: "rules-line" });
    this.problem = el("p", { class: "problem", id: "rules-problem", role: "alert" });
    this.details = el("details", { class: "custom" }, el("summary", { text: t("rules.change") }), this.#parts());
    this.element = el("div", { class: "rules-form" }, field(t("rules.rules"), this.preset), this.line, this.details, this.problem);
    this.details.addEventListener("input", () => {
      this.#name();
      this.onChange(null);
      this.check();
    });
  }

  #parts() {
    return el(
      "div",
      { class: "fields" },
      field(t("rules.rows"), this.rows),
      field(t("rules.columns"), this.cols),
      field(t("rules.fleet"), this.fleet, "wide"),
      field(t("rules.ships"), this.touch, "wide"),
      field(t("rules.called"), this.call, "wide"),
      field(t("rules.salvo"), this.salvo, "wide"),
      this.salvoCallField,
      field(t("rules.noise"), this.noise, "wide"),
      field(t("rules.rocks"), this.rocks.input, "wide"),
      el("div", { class: "wide" }, this.rocks.details),
    );
  }

  #choose() {
    if (this.preset.value === "custom") this.details.open = true;
    else this.#fill(this.#preset(this.preset.value));
    this.onChange(null);
    this.#check();
  }

  #fill({ board, fleet, touch, call, rocks, salvo, noise }) {
    const [rows, cols] = board.split("x");
    Object.assign(this.rows, { value: rows });
    Object.assign(this.cols, { value: cols });
    Object.assign(this.fleet, { value: fleet });
    Object.assign(this.touch, { value: touch });
    Object.assign(this.call, { value: call });
    this.rocks.resize(Number(rows), Number(cols));
    this.rocks.text = rocks;
    this.#fillSalvo(salvo);
    Object.assign(this.noise, { value: noise });
    this.#name();
  }

  #fillSalvo(salvo) {
    const [shots, call = "turn"] = salvo.split(":");
    // A number that isn't offered may come from a link.
    if (![...this.salvo.options].some(({ value }) => value === shots)) this.salvo.append(el("option", { value: shots, text: salvoOption(shots) }));
    this.salvo.value = shots;
    this.salvoCall.value = call;
  }

  /** Shows which preset the parts make up. */
  #name() {
    this.salvoCallField.hidden = this.salvo.value === "1";
    const now = this.request();
    this.preset.value = this.presets.find(({ rules }) => same(asRequest(rules), now))?.name ?? "custom";
    if (this.preset.value === "custom") this.details.open = true;
  }

  /** Sets the rules, as if they had been typed. @param {RulesRequest} rules */
  set(rules) {
    this.#fill({ ...this.#preset(rules.preset ?? "classic"), ...rules });
    return this.#check();
  }

  /** The rules as they stand in the form. */
  request() {
    const fleet = this.fleet.value.trim().replace(/[\s,;]+/g, ",");
    const [shots, call] = [this.salvo.value, this.salvoCall.value];
    const salvo = shots === "1" || call === "turn" ? shots : `${shots}:${call}`;
    const [board, noise] = [`${this.rows.value}x${this.cols.value}`, String(Number(this.noise.value))];
    return { board, fleet, touch: this.touch.value, call: this.call.value, rocks: this.rocks.text, salvo, noise };
  }

  /** The shortest way to say the same: the preset, and what differs from it. */
  brief() {
    return this.preset.value === "custom" ? this.request() : { preset: this.preset.value };
  }

  /** Keeps rows and columns within the largest board of this server, so that a larger one can't be chosen. */
  #bound() {
    if (!this.limits) return;
    const { cells } = this.limits;
    this.rows.max = String(Math.min(64, Math.floor(cells / Math.max(1, Number(this.cols.value)))));
    this.cols.max = String(Math.min(64, Math.floor(cells / Math.max(1, Number(this.rows.value)))));
  }

  /** What is wrong with the form itself, before the server is asked. */
  #plainProblem() {
    const [rows, cols] = [this.rows, this.cols].map((input) => Number(input.value));
    if (![rows, cols].every((value) => Number.isInteger(value) && value >= 1 && value <= 64)) return t("rules.badSize");
    if (this.limits && rows * cols > this.limits.cells) return t("rules.tooLarge", { cells: this.limits.cells, have: rows * cols });
    const ships = this.request().fleet.split(",");
    if (!ships.every((ship) => /^[1-9]\d?$/.test(ship))) return t("rules.badFleet");
    if (this.limits && ships.length > this.limits.ships) return t("rules.tooMany", { ships: number(this.limits.ships) });
    return null;
  }

  async #check() {
    this.asked?.abort();
    this.asked = new AbortController();
    this.#bound();
    const problem = this.#plainProblem();
    if (problem) {
      this.rules = null;
      this.#show("", problem);
      this.onChange(null);
      return;
    }
    try {
      this.rocks.resize(Number(this.rows.value), Number(this.cols.value));
      this.rules = await api.checkRules(this.request(), this.asked.signal);
      this.#show(rulesLine(this.rules), "");
    } catch (error) {
      if (error.name === "AbortError") return;
      this.rules = null;
      this.#show("", error.message);
    }
    this.onChange(this.rules);
  }

  #show(line, problem) {
    write(this.line, line);
    write(this.problem, problem);
  }
}

const salvoOption = (word) => (word === "ships" ? t("salvo.ships") : shotCount(Number(word)));

/** A label above its control. */
export function field(label, control, kind = "") {
  return el("label", { class: `field ${kind}`.trim() }, el("span", { text: label }), control);
}
