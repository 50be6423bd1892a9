// A finished game looked at again: every shot beside the best one, skill apart from luck.

import * as api from "./api.js";
import { Board, shape } from "./board.js";
import { chart, sample } from "./chart.js";
import { debounce, el, write } from "./dom.js";
import { HidingReview } from "./hiding-review.js";
import { listed, number, percent, signed, t } from "./i18n.js";
import { readLog } from "./marks.js";
import { message } from "./notice.js";
import { knownShot, parseShip } from "./notation.js";
import { playerName } from "./opponents.js";
import { encode } from "./position.js";
import { asRequest, hasShotsToGo } from "./rules-form.js";
import * as router from "./router.js";
import * as store from "./store.js";
import { ReviewInShots } from "./review-shots.js";
import { toldAfter, toldText } from "./seen.js";
import { Timeline } from "./timeline.js";
import { answerWords, calledTurn, callWords } from "./words.js";

/** Differences below this are only the last digit of a division. */
const NOTHING = 1e-9;
/** How many of the costliest shots are listed. */
const WORST = 5;

/** The player's own shots, for the player. */
export async function review({ main, parts: [id] }) {
  const kept = store.game(id);
  if (!kept) {
    message(main, t("game.notHere"), t("review.notHere"));
    return { title: t("end.review") };
  }
  const [view, judged, { captains }] = await Promise.all([api.view(id, kept.token), api.review(id, kept.token), api.catalogue()]);
  const name = playerName(view.opponent);
  const options = { rules: view.rules, ships: view.opponent.ships ?? [], review: judged, against: name, hidden: { ships: view.you.ships, captains } };
  return showReview(main, options, t("review.title", { name }), router.format("game", [id]));
}

/** A review with its heading, and a way back. */
export function showReview(main, options, title, back) {
  const page = new Review(options);
  main.replaceChildren(
    el(
      "div",
      { class: "row spread" },
      el("h1", { text: title }),
      el("a", { class: "button", id: "to-game", href: back, text: t("review.back") }),
    ),
    page.element,
  );
  page.start();
  return { title, destroy: () => page.destroy() };
}

class Review {
  /**
   * @param {{rules: FullRules, ships: string[], review: Schemas["ReviewOut"], against: string,
   *   hidden?: {ships: string[], captains: Schemas["CaptainOut"][]}}} options `ships` are those fired at, `hidden` the player's own
   */
  constructor({ rules, ships, review: judged, against, hidden }) {
    this.hiding = hidden ? new HidingReview(rules, hidden.ships, hidden.captains) : null;
    this.rules = rules;
    this.review = judged;
    this.shots = judged.shots;
    this.ships = ships.map((ship) => ({ ...parseShip(ship), kind: "revealed" }));
    this.board = new Board({ id: "enemy-board", label: t("board.of", { name: against }), rows: rules.rows, cols: rules.cols });
    this.status = el("p", { id: "status", role: "status" });
    this.detail = el("p", { id: "detail", class: "small" });
    this.heat = el("input", {
      id: "odds",
      type: "checkbox",
      checked: true,
      on: { change: () => this.#show(this.timeline.at) },
    });
    this.reveal = el("input", { id: "reveal", type: "checkbox", on: { change: () => this.#show(this.timeline.at) } });
    this.analyse = el("a", { id: "analyse-here", class: "small", text: t("battle.analyse"), href: "#/analyse" });
    this.timeline = new Timeline({
      steps: this.shots.length - 1,
      label: t("review.shot"),
      onStep: (at) => this.#show(at),
      words: (at) => this.#headline(at),
    });
    this.inShots = hasShotsToGo(rules) ? new ReviewInShots(asRequest(rules), this.shots, (at) => this.timeline.go(at)) : null;
    this.curve = el("div", { class: "curve" });
    this.calls = el("ol", { id: "calls", class: "small calls", "aria-label": t("calls.title"), hidden: judged.calls.length === 0 });
    this.ask = debounce(90, (at) => this.#ask(at));
    this.recolour = () => this.board.redraw();
    this.element = this.#make();
    shape(this.element, rules);
  }

  #make() {
    const check = (input, text) => el("label", { class: "check small" }, input, el("span", { text }));
    return el(
      "div",
      { class: "review" },
      this.#figures(),
      el(
        "section",
        { class: "review-board" },
        this.status,
        this.detail,
        this.board.element,
        this.timeline.element,
        el("div", { class: "row" }, check(this.heat, t("review.odds")), check(this.reveal, t("review.reveal")), this.analyse),
        this.calls,
      ),
      el(
        "div",
        { class: "review-side" },
        this.inShots?.element,
        this.hiding?.element,
        this.#worst(),
        el(
          "section",
          { class: "card" },
          el("h2", { text: t("review.curve") }),
          this.curve,
          el("p", { class: "legend small" }, sample(0), ` ${t("review.expected")} `, sample(1), ` ${t("review.real")}`),
        ),
      ),
    );
  }

  start() {
    document.addEventListener("themechange", this.recolour);
    this.deaf = this.timeline.listen();
    this.timeline.go(0);
  }

  destroy() {
    document.removeEventListener("themechange", this.recolour);
    this.timeline.stop();
    this.deaf?.();
    this.inShots?.stop();
    this.hiding?.stop();
    this.asked?.abort();
  }

  #figures() {
    const { accuracy, expected_hits: expected, hits, luck, exact } = this.review;
    const tile = (id, value, word, text) =>
      el(
        "div",
        { class: "tile" },
        el("span", { class: "count", id, text: value }),
        el("span", { class: "word", text: word }),
        el("span", { class: "small soft", text }),
      );
    return el(
      "section",
      { class: "tiles", "aria-label": t("review.figures") },
      tile(
        "accuracy",
        percent(accuracy),
        t("review.accuracy"),
        t("review.accuracyAbout"),
      ),
      tile(
        "hits",
        number(hits),
        t("review.hits", { n: this.shots.length }),
        t(exact ? "review.hitsAbout" : "review.hitsEstimate", { expected: number(expected, 1) }),
      ),
      tile(
        "luck",
        signed(luck),
        t("review.luck"),
        t(luck >= 0 ? "review.lucky" : "review.unlucky"),
      ),
    );
  }

  #worst() {
    const costly = this.shots.map((shot, index) => ({ ...shot, index })).filter(({ cost }) => cost > NOTHING);
    costly.sort((a, b) => b.cost - a.cost);
    const items = costly.slice(0, WORST).map(({ shot, index, cost, chance, best_chance: top, best }) =>
      el(
        "li",
        {},
        el(
          "button",
          { type: "button", data: { jump: index }, on: { click: () => this.timeline.go(index) } },
          el("strong", { text: t("review.worstShot", { shot: index + 1, cell: knownShot(shot).cell }) }),
          el("span", {
            class: "small soft",
            text: t("review.worstWhy", { chance: percent(chance), best: listed(best, 2), top: percent(top), cost: number(cost, 2) }),
          }),
        ),
      ),
    );
    const none = el("p", { text: t("review.perfect") });
    return el(
      "section",
      { class: "card" },
      el("h2", { text: t("review.worst") }),
      items.length ? el("ol", { class: "worst", id: "worst" }, items) : none,
    );
  }

  #headline(at) {
    const shot = knownShot(this.shots[at].shot);
    const headline = t("review.headline", { shot: at + 1, of: this.shots.length, cell: shot.cell, answer: answerWords(shot) });
    const call = this.review.calls.find(({ to }) => to === at + 1);
    return call ? t("review.called", { headline, called: callWords(call) }) : headline;
  }

  #words(at) {
    const { chance, best_chance: top, best, cost, exact } = this.shots[at];
    const about = (share) => (exact ? percent(share) : t("about", { value: percent(share, 0) }));
    if (cost <= NOTHING) return t("review.wasBest", { chance: about(chance) });
    return t("review.wasNot", { chance: about(chance), best: listed(best, 3), top: about(top), cost: number(cost, 2) });
  }

  #show(at) {
    write(this.status, this.#headline(at));
    write(this.detail, this.#words(at));
    this.odds = null;
    const before = toldAfter(this.review, at);
    this.analyse.setAttribute("href", analysisOf(this.rules, before.shots));
    this.analyse.hidden = before.calls.length > 0;
    this.#draw(at);
    this.#drawCalls(at);
    this.#drawCurve(at);
    if (this.heat.checked) this.ask(at);
  }

  #draw(at) {
    const told = toldAfter(this.review, this.odds ? at : at + 1);
    const log = readLog(told.shots, this.rules, told.calls);
    const ships = [...(this.reveal.checked ? this.ships : []), ...log.ships.map((ship) => ({ ...ship, kind: "sunk" }))];
    const best = new Set(this.heat.checked ? this.shots[at].best : []);
    this.board.draw({ states: log.states, ships, odds: this.odds, isEstimate: !this.shots[at].exact, best, last: knownShot(this.shots[at].shot).cell });
  }

  /** What was called after the turns up to the shot, the last one first. */
  #drawCalls(at) {
    const shots = this.shots.map(({ shot }) => shot);
    const called = this.review.calls.filter(({ to }) => to <= at + 1);
    this.calls.replaceChildren(...called.map((call) => el("li", { text: calledTurn(call, shots) })).reverse());
  }

  /** The odds that the shot was fired by. */
  async #ask(at) {
    this.asked?.abort();
    const asked = (this.asked = new AbortController());
    const before = toldText(toldAfter(this.review, at));
    try {
      const { odds } = await api.odds(asRequest(this.rules), before, asked.signal);
      if (asked !== this.asked || this.timeline.at !== at || !this.heat.checked) return;
      this.odds = odds;
      this.#draw(at);
    } catch (error) {
      if (error.name !== "AbortError") write(this.detail, `${this.#words(at)} (${error.message})`);
    }
  }

  #drawCurve(at) {
    /** @param {(shot: Schemas["JudgedOut"]) => number} value @returns {[number, number][]} */
    const sums = (value) => {
      let sum = 0;
      return [[0, 0], ...this.shots.map((shot, i) => /** @type {[number, number]} */ ([i + 1, (sum += value(shot))]))];
    };
    const expected = sums(({ chance }) => chance);
    const real = sums(({ shot }) => (["hit", "sunk"].includes(knownShot(shot).answer) ? 1 : 0));
    this.curve.replaceChildren(
      chart({
        label: t("review.curveLabel"),
        x: t("axis.shots"),
        y: t("axis.hits"),
        mark: at + 1,
        xRange: [0, this.shots.length],
        series: [
          { name: "expected", points: expected },
          { name: "real", points: real, steps: true },
        ],
      }),
    );
  }
}

/** The address of a position in the analysis, without shots that were not answered. @param {FullRules} rules @param {string[]} shots */
export function analysisOf(rules, shots) {
  const told = shots.map(knownShot).filter(({ answer }) => answer !== "untold");
  return router.format("analyse", [], { ...asRequest(rules), shots: encode(told) });
}
