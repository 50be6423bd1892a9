// How well the player's own fleet was hidden: what captains need for it, beside what they need for a random one.

import * as api from "./api.js";
import { el, write } from "./dom.js";
import * as habits from "./habits.js";
import { number, percent, t } from "./i18n.js";
import { captainWords } from "./words.js";
import { asRequest } from "./rules-form.js";

export class HidingReview {
  /** @param {FullRules} rules @param {string[]} ships the player's own @param {Schemas["CaptainOut"][]} captains */
  constructor(rules, ships, captains) {
    this.captains = captains;
    this.status = el("p", { id: "hid-status", class: "small", role: "status", text: t("hid.judging") });
    this.list = el("ul", { id: "hid", class: "worst" });
    this.element = el("section", { class: "card" }, el("h2", { text: t("hid.title") }), this.status, this.list);
    this.asked = new AbortController();
    void this.#ask(rules, ships);
  }

  stop() {
    this.asked.abort();
  }

  async #ask(rules, ships) {
    try {
      const weights = habits.ownWeights(rules, ships) ?? undefined;
      const { captains } = await api.judgeLayout({ rules: asRequest(rules), ships, weights }, this.asked.signal);
      const [{ later_than: share }] = captains;
      write(this.status, t("hid.sum", { share: percent(share, 0) }));
      this.list.replaceChildren(...captains.map((judged) => this.#item(judged)));
    } catch (error) {
      if (error.name !== "AbortError") write(this.status, error.message);
    }
  }

  #item({ captain, mean, std_err: error, uniform }) {
    const words = t("hid.shots", { mean: number(mean, 1), error: number(error, 1), uniform: number(uniform, 1) });
    const info = this.captains.find(({ name }) => name === captain.replace(/~$/, ""));
    return el("li", { data: { captain } }, el("strong", { text: info ? captain.replace(/~$/, "") : t("hid.knows") }), el("span", { class: "small", text: words }), el("span", { class: "small soft", text: info ? captainWords(info) : "" }));
  }
}
