// Rules by preset or part by part. Whether they can be played is the server's to say.

import * as api from "./api.js";
import { debounce, el, write } from "./dom.js";

const PRESET_WORDS = { classic: "Classic", russian: "Russian (Sea Battle)", sploosh: "Sploosh Kaboom" };
const TOUCH_WORDS = { allowed: "may touch", corners: "may touch at corners only", never: "may not touch" };
const CALL_WORDS = {
  ship: "Ship: a sinking and the ship’s length",
  bare: "Bare: a sinking, not which ship",
  silent: "Silent: only hit or miss",
  every: "Every: the ship’s length on every hit",
};
const CALL_SHORT = {
  ship: "sinkings are called with the length",
  bare: "sinkings are called",
  silent: "only hit or miss is called",
  every: "every hit is called with the length",
};

/** Rules in a line: `10×10 · 5,4,3,3,2 · ships may touch · …`. */
export function rulesLine(rules) {
  const fleet = Array.isArray(rules.fleet) ? rules.fleet.join(",") : rules.fleet;
  return `${rules.board.replace("x", "×")} · ships ${fleet} · ${TOUCH_WORDS[rules.touch]} · ${CALL_SHORT[rules.call]}`;
}

/** Full rules as a request asks for them. */
export function asRequest({ board, fleet, touch, call }) {
  return { board, fleet: fleet.join(","), touch, call };
}

const same = (a, b) => ["board", "fleet", "touch", "call"].every((part) => String(a[part]) === String(b[part]));

export class RulesForm {
  /**
   * @param {{presets: Object[], onChange: (rules: Object|null) => void, initial?: Object}} options `initial` is a request for
   *   rules; `onChange` gets the rules in full, or null while they are not known to be playable
   */
  constructor({ presets, onChange, initial = {} }) {
    this.presets = presets;
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
    const option =
      /** @param {Record<string, string>} [words] */
      (words) =>
      /** @param {[string, string?]} entry */
      ([value, text]) =>
        el("option", { value, text: words?.[value] ?? text ?? value });
    this.preset = el(
      "select",
      { id: "preset", on: { change: () => this.#choose() } },
      this.presets.map(({ name }) => option(PRESET_WORDS)([name])),
      el("option", { value: "custom", text: "Custom" }),
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
    this.touch = el("select", { id: "touch" }, Object.entries(TOUCH_WORDS).map(option()));
    this.call = el("select", { id: "call" }, Object.entries(CALL_WORDS).map(option()));
    this.line = el("p", { class: "soft small", id: "rules-line" });
    this.problem = el("p", { class: "problem", id: "rules-problem", role: "alert" });
    this.details = el("details", { class: "custom" }, el("summary", { text: "Change the rules" }), this.#parts());
    this.element = el("div", { class: "rules-form" }, field("Rules", this.preset), this.line, this.details, this.problem);
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
      field("Rows", this.rows),
      field("Columns", this.cols),
      field("Fleet", this.fleet, "wide"),
      field("Ships", this.touch, "wide"),
      field("What is called", this.call, "wide"),
    );
  }

  #choose() {
    if (this.preset.value === "custom") this.details.open = true;
    else this.#fill(this.#preset(this.preset.value));
    this.onChange(null);
    this.#check();
  }

  #fill({ board, fleet, touch, call }) {
    const [rows, cols] = board.split("x");
    Object.assign(this.rows, { value: rows });
    Object.assign(this.cols, { value: cols });
    Object.assign(this.fleet, { value: fleet });
    Object.assign(this.touch, { value: touch });
    Object.assign(this.call, { value: call });
    this.#name();
  }

  /** Shows which preset the parts make up. */
  #name() {
    const now = this.request();
    this.preset.value = this.presets.find(({ rules }) => same(asRequest(rules), now))?.name ?? "custom";
    if (this.preset.value === "custom") this.details.open = true;
  }

  /** The rules as they stand in the form. */
  request() {
    const fleet = this.fleet.value.trim().replace(/[\s,;]+/g, ",");
    return { board: `${this.rows.value}x${this.cols.value}`, fleet, touch: this.touch.value, call: this.call.value };
  }

  /** The shortest way to say the same: the preset, and what differs from it. */
  brief() {
    return this.preset.value === "custom" ? this.request() : { preset: this.preset.value };
  }

  async #check() {
    this.asked?.abort();
    this.asked = new AbortController();
    try {
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

/** A label above its control. */
export function field(label, control, kind = "") {
  return el("label", { class: `field ${kind}`.trim() }, el("span", { text: label }), control);
}
