// A referee without a server, for boards that the browser itself has dealt: what a shot did, and a generator that gives the same
// numbers for the same text everywhere.

import { cellName, parseCell, shipCellNames, shotName } from "./notation.js";

/**
 * A generator of numbers from 0 to 1 that follows from a text alone: mulberry32, started by FNV-1a of the text.
 * @param {string} text
 * @returns {() => number}
 */
export function generator(text) {
  let state = 0x811c9dc5;
  for (const letter of text) state = Math.imul(state ^ letter.charCodeAt(0), 0x01000193) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * A fleet at random where ships may touch, each layout as likely as any other: all ships are placed without a look at the
 * others, until none overlap.
 * @param {{rows: number, cols: number, fleet: number[], rocks?: string[]}} rules
 * @param {() => number} random
 * @returns {Ship[]}
 */
export function deal(rules, random) {
  for (;;) {
    const ships = rules.fleet.map((length) => anywhere(rules, length, random));
    const cells = [...ships.flatMap(shipCellNames), ...(rules.rocks ?? [])];
    if (new Set(cells).size === cells.length) return ships;
  }
}

/** @returns {Ship} */
function anywhere({ rows, cols }, length, random) {
  const [across, down] = [rows * Math.max(0, cols - length + 1), length === 1 ? 0 : cols * Math.max(0, rows - length + 1)];
  const at = Math.floor(random() * (across + down));
  const vertical = at >= across;
  const [index, width] = vertical ? [at - across, cols] : [at, cols - length + 1];
  return { row: Math.floor(index / width), col: index % width, length, vertical };
}

/** A game of one: shots at a board that is known to the page. */
export class Referee {
  /** @param {Ship[]} ships */
  constructor(ships) {
    this.ships = ships;
    /** @type {string[]} */
    this.shots = [];
  }

  /** @param {string} cell */
  isOpen(cell) {
    return parseCell(cell) !== null && !this.shots.some((shot) => shot.slice(0, -1) === cell || shot.startsWith(`${cell}#`));
  }

  /** Fires, and gives the shot with its answer. @param {string} cell */
  fire(cell) {
    const fired = new Set([...this.shots.map((shot) => /^[A-Z]+\d+/.exec(shot)[0]), cell]);
    const ship = this.ships.find((one) => shipCellNames(one).includes(cell));
    const sunk = ship && shipCellNames(ship).every((name) => fired.has(name));
    /** @type {Shot} */
    const shot = { cell, answer: !ship ? "miss" : sunk ? "sunk" : "hit", length: sunk ? ship.length : null };
    this.shots.push(shotName(shot));
    return shot;
  }

  get isOver() {
    return this.shots.filter((shot) => shot.includes("#")).length === this.ships.length;
  }
}

/** A cell at random among those not fired at. */
export function openCell(rules, isOpen, random) {
  const cells = Array.from({ length: rules.rows * rules.cols }, (_, i) => cellName(Math.floor(i / rules.cols), i % rules.cols));
  const open = cells.filter(isOpen);
  return open[Math.floor(random() * open.length)];
}
