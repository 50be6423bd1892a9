// A position to analyse, without any page: marks in the order of the shots, with undo, and as text for the address.

import { parseShot, shotFrom, shotName } from "./notation.js";

// In the address a miss is `o`, a hit `x`, a sinking `s` and a shot without an answer `q`: `E5o.C3x.C5s3` needs no escapes and can be read aloud.
/** @type {Record<Shot["answer"], string>} */
const LETTERS = { miss: "o", hit: "x", sunk: "s", untold: "q" };
/** @type {Record<string, Shot["answer"]>} */
const ANSWERS = { o: "miss", x: "hit", s: "sunk", q: "untold" };

/**
 * The shots as they stand in the address.
 * @param {Shot[]} shots
 */
export function encode(shots) {
  return shots.map(({ cell, answer, length }) => cell + LETTERS[answer] + (length ?? "")).join(".");
}

/**
 * Shots from the address; also understands the notation of the command line. Null when it can't be read.
 * @param {string} text
 * @returns {Shot[] | null}
 */
export function decode(text) {
  const words = text.split(/[.\s]+/).filter(Boolean);
  const shots = words.map((word) => {
    const parts = /^([A-Z]{1,2}[1-9]\d?)([oxsq])([1-9]\d?)?$/i.exec(word);
    return parts
      ? shotFrom(parts[1].toUpperCase(), ANSWERS[parts[2].toLowerCase()], parts[3])
      : parseShot(word.toUpperCase());
  });
  return shots.every((shot) => shot !== null) ? shots : null;
}

/** @typedef {Shot & {last?: boolean}} Mark a shot, and whether the player says that it sank its ship */

export class Position {
  /** @param {Mark[]} [shots] @param {Object} [rules] the rules that they were marked by, in any form */
  constructor(shots = [], rules = null) {
    this.shots = shots;
    this.rules = rules;
    /** @type {{shots: Mark[], rules: Object}[]} */
    this.past = [];
    /** @type {{shots: Mark[], rules: Object}[]} */
    this.future = [];
  }

  /**
   * The mark of a cell.
   * @param {string} cell
   */
  at(cell) {
    return this.shots.find((shot) => shot.cell === cell) ?? null;
  }

  /**
   * Marks a cell, or takes its mark away (`answer` null). A corrected mark keeps its place in the order; one that becomes a
   * sinking goes to the end, since a ship sinks with the last of its cells.
   * @param {string} cell
   * @param {Shot["answer"] | null} answer
   * @param {number | null} [length]
   */
  mark(cell, answer, length = null) {
    const at = this.shots.findIndex((shot) => shot.cell === cell);
    const others = this.shots.filter((other) => other.cell !== cell);
    if (answer === null) {
      this.replace(others);
      return;
    }
    const shot = { cell, answer, length };
    this.replace(at < 0 || answer === "sunk" ? [...others, shot] : this.shots.with(at, shot));
  }

  /** The player says which of a ship's cells was the last. @param {string[]} cells @param {string} last */
  setLast(cells, last) {
    this.replace(this.shots.map((shot) => (cells.includes(shot.cell) ? { ...shot, last: shot.cell === last } : shot)));
  }

  clear() {
    this.replace([]);
  }

  /** Other marks, by the same rules or by others. @param {Mark[]} shots */
  replace(shots, rules = this.rules) {
    this.past.push({ shots: this.shots, rules: this.rules });
    this.future = [];
    this.shots = shots;
    this.rules = rules;
  }

  /** Takes back the last change; in a position that came by a link, the last shot. */
  undo() {
    if (!this.canUndo) return;
    this.future.push({ shots: this.shots, rules: this.rules });
    ({ shots: this.shots, rules: this.rules } = this.past.pop() ?? { shots: this.shots.slice(0, -1), rules: this.rules });
  }

  redo() {
    const next = this.future.pop();
    if (!next) return;
    this.past.push({ shots: this.shots, rules: this.rules });
    ({ shots: this.shots, rules: this.rules } = next);
  }

  get canUndo() {
    return this.past.length > 0 || this.shots.length > 0;
  }

  get canRedo() {
    return this.future.length > 0;
  }

  /** The log as the server reads it. */
  text() {
    return this.shots.map(shotName).join(" ");
  }
}
