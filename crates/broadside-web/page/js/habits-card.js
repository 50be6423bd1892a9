// Whether the player's fleets are remembered in this browser, and what they tell.

import { button, el } from "./dom.js";
import * as habits from "./habits.js";
import { number, t } from "./i18n.js";

/** A gain in bits from which on a habit is worth telling. */
const WORTH = 0.005;

export class HabitsCard {
  constructor() {
    this.element = el("section", { class: "card", id: "habits" });
    this.#draw();
  }

  #draw() {
    const remember = el("input", { type: "checkbox", id: "remember-fleets", on: { change: () => habits.setRemembering(remember.checked) } });
    remember.checked = habits.isRemembering();
    const n = habits.count();
    this.element.replaceChildren(
      el("h2", { text: t("habits.title") }),
      el("label", { class: "check small" }, remember, el("span", { text: t("habits.remember") })),
      el("p", { class: "small soft", text: t("habits.about") }),
      el("p", { class: "small", id: "habits-count", text: n ? t("habits.count", { n }) : t("habits.none") }),
      el("ul", { class: "small", id: "habits-learned" }, habits.learned().map((one) => el("li", { text: words(one) }))),
      n ? button("forget-fleets", t("habits.forget"), () => this.#forget()) : "",
    );
  }

  #forget() {
    habits.forget();
    this.#draw();
  }
}

const words = ({ rules, bits }) => (bits >= WORTH ? t("habits.learned", { rules, bits: number(bits, 2) }) : t("habits.nothing", { rules }));
