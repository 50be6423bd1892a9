// A review in shots: par, what each shot cost, luck, and the sum. The shots come in one by one.

import * as api from "./api.js";
import { el, write } from "./dom.js";
import { language, number, percent, signed, t } from "./i18n.js";
import { knownShot, sentence } from "./notation.js";

/** Mistakes that are listed. */
const LISTED = 3;

export class ReviewInShots {
  /** @param {RulesRequest} rules @param {{shot: string}[]} shots @param {(at: number) => void} onJump */
  constructor(rules, shots, onJump) {
    this.onJump = onJump;
    this.status = el("p", { id: "in-shots-status", class: "small", role: "status", text: t("inshots.judging", { done: 0, n: shots.length }) });
    this.sum = el("p", { id: "in-shots-sum", class: "sum" });
    this.list = el("ol", { class: "worst", id: "in-shots-worst" });
    this.about = el("p", { class: "small soft" });
    this.element = el("section", { class: "card" }, el("h2", { text: t("inshots.title") }), this.sum, this.status, this.list, this.about);
    this.asked = new AbortController();
    void this.#follow(rules, shots);
  }

  stop() {
    this.asked.abort();
  }

  async #follow(rules, shots) {
    let done = 0;
    try {
      for await (const { event, data } of api.reviewShots(rules, shots.map(({ shot }) => shot).join(" "), this.asked.signal)) {
        if (event === "refused") throw new api.ApiError(422, data.error);
        if (event === "done") this.#show(data);
        else write(this.status, t("inshots.judging", { done: (done += 1), n: shots.length }));
      }
    } catch (error) {
      if (error.name !== "AbortError") write(this.status, error.message);
    }
  }

  #show({ shots, par, par_std_err: error, mistakes, luck, shots_to_go: left, accuracy }) {
    const taken = shots.length + left;
    const values = { shots: number(taken, left > 0 ? 2 : 0), par: number(par, 2), mistakes: number(mistakes, 2), luck: signed(luck, 2) };
    write(this.sum, t("inshots.sum", values));
    write(this.status, t("inshots.accuracy", { accuracy: percent(accuracy) }));
    write(this.about, t(error > 0.005 ? "inshots.aboutEstimate" : "inshots.about", { error: number(error, 2) }));
    const costly = shots.map((shot, index) => ({ ...shot, index })).filter(({ mistake }) => mistake > 0);
    costly.sort((a, b) => b.mistake - a.mistake);
    this.list.replaceChildren(...costly.slice(0, LISTED).map((shot) => this.#item(shot)));
  }

  #item({ index, shot, mistake, best, why }) {
    const words = t("inshots.mistake", { lost: number(mistake, 2), best: best[0] });
    const reason = language === "en" && why ? ` ${sentence(why)}` : "";
    return el(
      "li",
      {},
      el(
        "button",
        { type: "button", on: { click: () => this.onJump(index) } },
        el("strong", { text: t("review.worstShot", { shot: index + 1, cell: knownShot(shot).cell }) }),
        el("span", { class: "small soft", text: words + reason }),
      ),
    );
  }
}
