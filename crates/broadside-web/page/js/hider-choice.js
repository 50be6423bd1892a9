// How the opponent of a position hides: any way, as people do, as the player does, or by weights, of the server or of a file.

import { el } from "./dom.js";
import * as habits from "./habits.js";
import { t } from "./i18n.js";
import { field } from "./rules-form.js";

/** The longest text of weights that the server reads. */
const MAX_TEXT = 48 << 10;
/** What an address may have: names, never a table. */
const NAMED = ["people", "weights"];
/** Milliseconds without a key before pasted weights are used. */
const CALM = 400;

export class HiderChoice {
  /**
   * @param {{initial?: string, served: FullRules | null}} options `initial` as an address has it, and the rules of the server's weights
   * @param {() => void} onChange
   */
  constructor({ initial, served }, onChange) {
    this.served = served;
    this.onChange = onChange;
    this.select = el("select", { id: "hider", on: { change: () => this.#choose() } });
    this.text = el("textarea", { id: "weights", rows: 3, spellcheck: "false", maxlength: MAX_TEXT, placeholder: "A1-A5 2.5" });
    this.text.addEventListener("input", () => this.#calm());
    this.file = el("input", { type: "file", id: "weights-file", "aria-label": t("hider.file"), on: { change: () => this.#read() } });
    this.more = el("div", { hidden: true }, field(t("hider.weights"), this.text), this.file);
    this.element = el("div", { class: "hider-choice" }, field(t("hider.label"), this.select), this.more);
    // The server's weights are offered until the rules are known, so that an address may name them.
    this.#fill({ own: 0, served: served !== null }, NAMED.includes(initial) ? initial : "uniform");
  }

  /** Other rules: the player's own layouts are of other boards. @param {FullRules} rules */
  setRules(rules) {
    this.rules = rules;
    const served = this.served !== null && layoutsOf(this.served) === layoutsOf(rules);
    this.#fill({ own: habits.layoutsFor(rules).length, served }, this.select.value);
  }

  /** What the server is to be told; null if every layout is equally likely. @returns {string | null} */
  get weights() {
    const { value } = this.select;
    if (value === "uniform") return null;
    if (value === "own") return habits.ownWeights(this.rules);
    return NAMED.includes(value) ? value : this.text.value.trim() || null;
  }

  /** The part of an address: a name, never a table. */
  get name() {
    return NAMED.find((name) => name === this.select.value);
  }

  #fill({ own, served }, value) {
    const option = (name, text) => el("option", { value: name, text });
    const options = [
      option("uniform", t("hider.uniform")),
      option("people", t("hider.people")),
      ...(own ? [option("own", t("hider.own", { n: own }))] : []),
      ...(served ? [option("weights", t("hider.served"))] : []),
      option("file", t("hider.fromFile")),
    ];
    this.select.replaceChildren(...options);
    this.select.value = options.some((one) => one.value === value) ? value : "uniform";
  }

  #choose() {
    this.more.hidden = this.select.value !== "file";
    this.onChange();
  }

  #calm() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.onChange(), CALM);
  }

  async #read() {
    const [file] = this.file.files;
    if (!file) return;
    this.text.value = (await file.slice(0, MAX_TEXT).text()).trim();
    this.onChange();
  }
}

/** What decides which layouts are legal. @param {FullRules} rules */
const layoutsOf = ({ rows, cols, fleet, touch, rocks }) => JSON.stringify([rows, cols, fleet, touch, rocks]);
