// How the opponent of a position hides: any way, as people do, as the player does, or by weights of a file.

import { el } from "./dom.js";
import * as habits from "./habits.js";
import { t } from "./i18n.js";
import { field } from "./rules-form.js";

/** The longest text of weights that the server reads. */
const MAX_TEXT = 48 << 10;
/** Milliseconds without a key before pasted weights are used. */
const CALM = 400;

export class HiderChoice {
  /** @param {string | undefined} initial `people`, as an address has it @param {() => void} onChange */
  constructor(initial, onChange) {
    this.onChange = onChange;
    this.select = el("select", { id: "hider", on: { change: () => this.#choose() } });
    this.text = el("textarea", { id: "weights", rows: 3, spellcheck: "false", maxlength: MAX_TEXT, placeholder: "A1-A5 2.5" });
    this.text.addEventListener("input", () => this.#calm());
    this.file = el("input", { type: "file", id: "weights-file", "aria-label": t("hider.file"), on: { change: () => this.#read() } });
    this.more = el("div", { hidden: true }, field(t("hider.weights"), this.text), this.file);
    this.element = el("div", { class: "hider-choice" }, field(t("hider.label"), this.select), this.more);
    this.#fill(0, initial === "people" ? "people" : "uniform");
  }

  /** Other rules: the player's own layouts are of other boards. @param {FullRules} rules */
  setRules(rules) {
    this.rules = rules;
    this.#fill(habits.layoutsFor(rules).length, this.select.value);
  }

  /** What the server is to be told; null if every layout is equally likely. @returns {string | null} */
  get weights() {
    const { value } = this.select;
    if (value === "uniform") return null;
    if (value === "own") return habits.ownWeights(this.rules);
    return value === "people" ? value : this.text.value.trim() || null;
  }

  /** The part of an address: a name, never a table. */
  get name() {
    return this.select.value === "people" ? "people" : undefined;
  }

  #fill(own, value) {
    const option = (name, text) => el("option", { value: name, text });
    const mine = own ? [option("own", t("hider.own", { n: own }))] : [];
    this.select.replaceChildren(option("uniform", t("hider.uniform")), option("people", t("hider.people")), ...mine, option("file", t("hider.fromFile")));
    this.select.value = value === "own" && !own ? "uniform" : value;
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
