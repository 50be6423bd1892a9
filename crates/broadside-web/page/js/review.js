// A finished game looked at again: every shot beside the best one, skill apart from luck.

import * as api from "./api.js";
import { Board, shape } from "./board.js";
import { chart, sample } from "./chart.js";
import { debounce, el, write } from "./dom.js";
import { readLog } from "./marks.js";
import { message } from "./notice.js";
import { answerWords, count, knownShot, listed, parseShip, percent } from "./notation.js";
import { asRequest } from "./rules-form.js";
import * as router from "./router.js";
import * as store from "./store.js";
import { Timeline } from "./timeline.js";

/** Differences below this are only the last digit of a division. */
const NOTHING = 1e-9;
/** How many of the costliest shots are listed. */
const WORST = 5;

/** The player's own shots, for the player. */
export async function review({ main, parts: [id] }) {
  const kept = store.game(id);
  if (!kept) {
    message(main, "This game is not in this browser", "Its replay link shows it to everyone.");
    return { title: "Review" };
  }
  const [view, judged] = await Promise.all([api.view(id, kept.token), api.review(id, kept.token)]);
  const options = { rules: view.rules, ships: view.opponent.ships ?? [], review: judged, against: view.opponent.name };
  return showReview(main, options, `Review: you against ${view.opponent.name}`, router.format("game", [id]));
}

/** A review with its heading, and a way back. */
export function showReview(main, options, title, back) {
  const page = new Review(options);
  main.replaceChildren(
    el(
      "div",
      { class: "row spread" },
      el("h1", { text: title }),
      el("a", { class: "button", id: "to-game", href: back, text: "Back to the game" }),
    ),
    page.element,
  );
  page.start();
  return { title, destroy: () => page.destroy() };
}

class Review {
  /** @param {{rules: FullRules, ships: string[], review: Schemas["ReviewOut"], against: string}} options `ships` are those fired at */
  constructor({ rules, ships, review: judged, against }) {
    this.rules = rules;
    this.review = judged;
    this.shots = judged.shots;
    this.ships = ships.map((ship) => ({ ...parseShip(ship), kind: "revealed" }));
    this.board = new Board({ id: "enemy-board", label: `${against}’s board`, rows: rules.rows, cols: rules.cols });
    this.status = el("p", { id: "status", role: "status" });
    this.detail = el("p", { id: "detail", class: "small" });
    this.heat = el("input", {
      id: "odds",
      type: "checkbox",
      checked: true,
      on: { change: () => this.#show(this.timeline.at) },
    });
    this.reveal = el("input", { id: "reveal", type: "checkbox", on: { change: () => this.#show(this.timeline.at) } });
    this.timeline = new Timeline({
      steps: this.shots.length - 1,
      label: "Shot",
      onStep: (at) => this.#show(at),
      words: (at) => this.#headline(at),
    });
    this.curve = el("div", { class: "curve" });
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
        el("div", { class: "row" }, check(this.heat, "Odds before the shot"), check(this.reveal, "Show the ships")),
      ),
      el(
        "div",
        { class: "review-side" },
        this.#worst(),
        el(
          "section",
          { class: "card" },
          el("h2", { text: "Hits, expected and real" }),
          this.curve,
          el("p", { class: "legend small" }, sample(0), " hits to be expected ", sample(1), " hits made"),
        ),
      ),
    );
  }

  start() {
    document.addEventListener("themechange", this.recolour);
    this.timeline.go(0);
  }

  destroy() {
    document.removeEventListener("themechange", this.recolour);
    this.timeline.stop();
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
    const sign = luck >= 0 ? "+" : "−";
    return el(
      "section",
      { class: "tiles", "aria-label": "The game in figures" },
      tile(
        "accuracy",
        percent(accuracy),
        "accuracy",
        "The cells chosen promised this share of the hits that the best ones did. Luck has no part in it.",
      ),
      tile(
        "hits",
        `${hits}`,
        `hits in ${count(this.shots.length, "shot")}`,
        `${expected.toFixed(1)} were to be expected from the cells chosen${exact ? "" : " (some chances are estimates)"}.`,
      ),
      tile(
        "luck",
        `${sign}${Math.abs(luck).toFixed(1)}`,
        "luck",
        luck >= 0 ? "Hits beyond what was to be expected." : "Hits short of what was to be expected.",
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
          el("strong", { text: `Shot ${index + 1}: ${knownShot(shot).cell}` }),
          el("span", {
            class: "small soft",
            text: `${percent(chance)}, where ${listed(best, 2)} had ${percent(top)}: cost ${cost.toFixed(2)} hits`,
          }),
        ),
      ),
    );
    const none = el("p", { text: "Every shot was the best there was." });
    return el(
      "section",
      { class: "card" },
      el("h2", { text: "The costliest shots" }),
      items.length ? el("ol", { class: "worst", id: "worst" }, items) : none,
    );
  }

  #headline(at) {
    const shot = knownShot(this.shots[at].shot);
    return `Shot ${at + 1} of ${this.shots.length}: ${shot.cell}, ${answerWords(shot)}`;
  }

  #words(at) {
    const { chance, best_chance: top, best, cost, exact } = this.shots[at];
    const about = exact ? "" : "about ";
    if (cost <= NOTHING) return `${about}${percent(chance)} to hit, the best there was.`;
    return `${about}${percent(chance)} to hit; the best was ${listed(best, 3)} with ${about}${percent(top)}. It cost ${cost.toFixed(2)} hits.`;
  }

  #show(at) {
    write(this.status, this.#headline(at));
    write(this.detail, this.#words(at));
    this.odds = null;
    this.#draw(at);
    this.#drawCurve(at);
    if (this.heat.checked) this.ask(at);
  }

  #draw(at) {
    const before = this.shots.slice(0, at).map(({ shot }) => shot);
    const log = readLog(this.odds ? before : [...before, this.shots[at].shot], this.rules);
    const ships = [...(this.reveal.checked ? this.ships : []), ...log.ships.map((ship) => ({ ...ship, kind: "sunk" }))];
    const best = new Set(this.heat.checked ? this.shots[at].best : []);
    this.board.draw({ states: log.states, ships, odds: this.odds, best, last: knownShot(this.shots[at].shot).cell });
  }

  /** The odds that the shot was fired by. */
  async #ask(at) {
    this.asked?.abort();
    const asked = (this.asked = new AbortController());
    const before = this.shots
      .slice(0, at)
      .map(({ shot }) => shot)
      .join(" ");
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
    const real = sums(({ shot }) => (knownShot(shot).answer === "miss" ? 0 : 1));
    this.curve.replaceChildren(
      chart({
        label: "Expected and real hits by shot",
        x: "shots",
        y: "hits",
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
