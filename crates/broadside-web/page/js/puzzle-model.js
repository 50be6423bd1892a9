// The puzzle of the newspapers without the page around it: what the player has marked, and what follows from the numbers.

import { cellAt, cellName } from "./notation.js";

/** A mark of the player's: ship or water. @typedef {"ship" | "water"} Guess */

/** The grades by day of the week, from Sunday: harder towards the weekend. */
const GRADES = ["expert", "easy", "easy", "medium", "medium", "hard", "hard"];

/**
 * What to ask the server for on a day: the same for everybody, from the date alone.
 * @param {string} day as `2026-11-17`
 */
export function dailyPuzzle(day) {
  const weekday = new Date(`${day}T12:00:00Z`).getUTCDay();
  return { board: "8x8", grade: GRADES[weekday], seed: Number(day.replaceAll("-", "")) };
}

/** A puzzle with the player's marks. */
export class Marked {
  /** @param {Schemas["PuzzleOut"]} puzzle @param {Record<string, Guess>} [guesses] */
  constructor(puzzle, guesses = {}) {
    this.puzzle = puzzle;
    /** @type {Map<string, string>} */
    this.given = new Map(puzzle.revealed.map(({ cell, mark }) => [cell, mark]));
    /** @type {Map<string, Guess>} */
    this.guesses = new Map(Object.entries(guesses).filter(([cell, guess]) => this.#isOpen(cell) && (guess === "ship" || guess === "water")));
    /** @type {Map<string, Guess>[]} */
    this.before = [];
  }

  #isOpen(cell) {
    return !this.given.has(cell);
  }

  /** What a cell shows: ship, water or null. @param {string} cell @returns {Guess | null} */
  at(cell) {
    const given = this.given.get(cell);
    if (given) return given === "water" ? "water" : "ship";
    return this.guesses.get(cell) ?? null;
  }

  /** Sets cells, as one step that can be taken back. @param {[string, Guess | null][]} cells */
  set(cells) {
    const changed = cells.filter(([cell, guess]) => this.#isOpen(cell) && this.at(cell) !== guess);
    if (changed.length === 0) return false;
    this.before.push(new Map(this.guesses));
    for (const [cell, guess] of changed) {
      if (guess) this.guesses.set(cell, guess);
      else this.guesses.delete(cell);
    }
    return true;
  }

  /** The next of open, water, ship. @param {string} cell */
  turn(cell) {
    const now = this.at(cell);
    return this.set([[cell, now === null ? "water" : now === "water" ? "ship" : null]]);
  }

  clear() {
    return this.set([...this.guesses.keys()].map((cell) => [cell, null]));
  }

  /** Takes the last step back; false when there is none. */
  undo() {
    const last = this.before.pop();
    if (last) this.guesses = last;
    return Boolean(last);
  }

  /** @returns {string[]} the names of all cells, row by row */
  get cells() {
    const { rows, cols } = this.puzzle;
    return Array.from({ length: rows * cols }, (_, i) => cellName(Math.floor(i / cols), i % cols));
  }

  /**
   * How many ship cells a line has, how many it should have, and how many cells are open.
   * @param {"row" | "column"} kind @param {number} index
   */
  line(kind, index) {
    const inLine = this.cells.filter((cell) => cellAt(cell)[kind === "row" ? "row" : "col"] === index);
    const counts = kind === "row" ? this.puzzle.row_counts : this.puzzle.column_counts;
    const ships = inLine.filter((cell) => this.at(cell) === "ship").length;
    return { ships, wanted: counts[index] ?? null, open: inLine.filter((cell) => this.at(cell) === null).length };
  }

  /** Whether as many ship cells are marked as the fleet has, and every number is met: then it may be the solution. */
  get mayBeDone() {
    const { rows, cols, fleet } = this.puzzle;
    const ships = this.cells.filter((cell) => this.at(cell) === "ship").length;
    const met = (kind, length) => Array.from({ length }, (_, i) => this.line(kind, i)).every(({ ships: has, wanted }) => wanted === null || has === wanted);
    return ships === fleet.reduce((sum, length) => sum + length, 0) && met("row", rows) && met("column", cols);
  }

  /** The marks as the server reads them; `rest` says what open cells count as. @param {Guess} [rest] */
  text(rest) {
    const signs = { ship: "x", water: "~" };
    const cells = this.cells.filter((cell) => this.#isOpen(cell));
    return cells.flatMap((cell) => (this.at(cell) ?? rest ? [`${cell}${signs[this.at(cell) ?? rest]}`] : [])).join(" ");
  }

  /** What is kept of it in this browser. @returns {Record<string, Guess>} */
  get kept() {
    return Object.fromEntries(this.guesses);
  }
}
