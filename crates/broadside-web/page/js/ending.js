// What is said and offered when a game is over: the result, shots against the expectation, the costliest shots, luck, and what
// to do next.

import * as api from "./api.js";
import { button, el } from "./dom.js";
import * as history from "./history.js";
import { number, percent, signed, t } from "./i18n.js";
import { knownShot } from "./notation.js";
import { playerName } from "./opponents.js";
import { presetOf } from "./rules-form.js";
import * as router from "./router.js";
import { copyButton } from "./share.js";

/** How many of the costliest shots are told. */
const COSTLIEST = 2;
/** A game of fewer shots tells nothing about its player. */
const FEW = 10;

export class Ending {
  /** @param {string} id @param {string} token @param {() => void} onRematch */
  constructor(id, token, onRematch) {
    this.id = id;
    this.token = token;
    this.onRematch = onRematch;
    this.element = el("div", { class: "banner", id: "banner", hidden: true });
    this.story = el("div", { id: "story", class: "story small" });
  }

  destroy() {
    this.asked?.abort();
  }

  /** @param {View} view @param {boolean} [shared] on one device for two */
  show(view, shared = false) {
    const key = `${view.replay}/${view.next}`;
    if (this.shown === key) return;
    const isFirst = this.shown === undefined;
    this.shown = key;
    const won = view.winner === "you";
    const title = shared ? t("end.wins", { name: won ? view.you.name : playerName(view.opponent) }) : t(won ? "end.victory" : "end.defeat");
    const parts = [
      el("strong", { class: won || shared ? "won" : "lost", text: title }),
      this.#asked(view),
      el("div", { class: "row" }, this.#offers(view, shared)),
      // Last, since it grows when the server has judged the game: buttons above it stay where they are.
      this.story,
    ];
    this.element.replaceChildren(...parts.filter((part) => part !== null));
    this.element.hidden = false;
    if (isFirst) void this.#tell(view);
  }

  /** Who has asked for another game. @param {View} view */
  #asked({ next, opponent }) {
    const asks = next && opponent.captain === null;
    return asks ? el("p", { id: "rematch-asked", class: "small", role: "status", text: t("end.asked", { name: playerName(opponent) }) }) : null;
  }

  #offers(view, shared) {
    const { replay, next, opponent, you } = view;
    const review = replay && you.shots.length > 0;
    return [
      review && el("a", { id: "review", class: "button primary", href: router.format("review", [view.id]), text: t("end.review") }),
      shared ? null : button("rematch", t(next && opponent.captain === null ? "end.accept" : "end.rematch"), () => this.onRematch()),
      replay && el("a", { id: "replay", class: "button", href: router.format("replay", [replay]), text: t("end.replay") }),
      replay && copyButton("copy-replay", t("share.copyLink"), () => router.link("replay", [replay])),
    ].filter(Boolean);
  }

  /** What happened: first what the page knows, then what the server has judged. */
  async #tell(view) {
    const { presets, ladder } = await api.catalogue().catch(() => ({ presets: [], ladder: [] }));
    const par = expectation(presets, ladder, view.rules);
    const first = view.winner === "you" && par !== null ? t("end.par", { n: view.you.shots.length, par: number(par, 1) }) : "";
    this.story.replaceChildren(el("p", { text: first }));
    if (!view.replay || view.you.shots.length === 0) return;
    this.asked = new AbortController();
    try {
      const review = await api.review(this.id, this.token, this.asked.signal);
      history.amend(this.id, { accuracy: review.accuracy, luck: review.luck });
      this.story.replaceChildren(el("p", { text: first }), ...judged(review).map((text) => el("p", { text })));
    } catch {
      // Without it the card has the result alone.
    }
  }
}

/** Shots that the strongest opponent needs on average by these rules; null for rules that nobody has measured. */
function expectation(presets, ladder, rules) {
  const preset = presetOf(presets, rules);
  return ladder.at(-1)?.by_preset.find((mean) => mean.preset === preset)?.mean ?? null;
}

/** @param {Schemas["ReviewOut"]} review */
function judged({ accuracy, luck, shots }) {
  const costly = shots.map((shot, i) => ({ ...shot, number: i + 1 })).filter(({ cost }) => cost >= 0.005);
  costly.sort((a, b) => b.cost - a.cost);
  const mistakes = costly.slice(0, COSTLIEST).map(({ number: n, shot, best, best_chance: top, chance }) =>
    t("end.mistake", { shot: n, cell: knownShot(shot).cell, chance: percent(chance), best: best[0], top: percent(top) }),
  );
  const next = t(accuracy >= 0.95 ? "end.nextStronger" : accuracy >= 0.8 ? "end.nextReview" : "end.nextOdds");
  const told = [t("end.accuracy", { accuracy: percent(accuracy), luck: signed(luck) }), ...mistakes];
  return shots.length < FEW ? told : [...told, next];
}
