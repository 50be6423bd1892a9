// A reply that can be followed: the other's shots are shown a moment after one's own, with a sound each. Nothing waits for it:
// whoever fires at once sees everything at once.

import { knownShot } from "./notation.js";
import { isStill, play, vibrate } from "./sound.js";
import { preference } from "./store.js";

/** Milliseconds before the first reply, and between two. */
const FIRST = 550;
const NEXT = 450;

const isInstant = () => preference("instant", false) || isStill();

export class Pace {
  /** @param {() => void} onShow called when one more reply is to be seen */
  constructor(onShow) {
    this.onShow = onShow;
    /** How many of the other's shots are not shown yet. */
    this.held = 0;
    /** @type {View | null} */
    this.view = null;
  }

  /** @param {View | null} before @param {View} view */
  follow(before, view) {
    this.view = view;
    if (!before) return;
    const replies = view.opponent.shots.length - before.opponent.shots.length;
    const own = view.you.shots.length - before.you.shots.length;
    // What comes while replies are held back waits its turn too; the same view may come twice.
    if (own === 0 && this.held > 0) {
      this.held += Math.max(0, replies);
      return;
    }
    if (own > 0) sound(view.you.shots.at(-1));
    if (own > 0 && view.winner === "you") play("won");
    this.stop();
    this.held = isInstant() || own === 0 || replies <= 0 ? 0 : Math.min(replies, trailing(view));
    if (this.held > 0) this.timer = setTimeout(() => this.#next(), FIRST);
    else if (replies > 0) this.#heard();
  }

  #next() {
    this.held -= 1;
    this.#heard();
    if (this.held > 0) this.timer = setTimeout(() => this.#next(), NEXT);
    this.onShow();
  }

  #heard() {
    const { opponent, turn, winner } = this.view;
    sound(opponent.shots[opponent.shots.length - this.held - 1]);
    if (opponent.captain === null && turn === "you") {
      play("turn");
      vibrate();
    }
    if (winner && this.held === 0) play(winner === "you" ? "won" : "lost");
  }

  /** The shots that may be shown already. @param {string[]} shots */
  shown(shots) {
    return shots.slice(0, shots.length - this.held);
  }

  /** Shows all at once. */
  hurry() {
    if (this.held === 0) return;
    this.stop();
    this.held = 0;
    this.onShow();
  }

  stop() {
    clearTimeout(this.timer);
  }
}

/** How many shots of the other came after the player's last. @param {View} view */
function trailing({ order }) {
  return order.length - 1 - order.lastIndexOf("you");
}

/** @param {string | undefined} shot */
function sound(shot) {
  if (shot) play(knownShot(shot).answer);
}
