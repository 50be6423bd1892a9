// How somebody hides, learned from layouts. Nothing of it leaves this browser but the weights, and those only where the player asks for
// odds by them.
//
// Each cell gets a factor, and a layout is as likely as the product over its cells. The factors are those that make each ship of each
// layout likely among all places that the other ships of that layout leave it: the method of pseudo-likelihood (J. Besag, 1975), which
// needs no sum over all layouts. A penalty keeps factors near 1, so that a few layouts do no harm.

import { parseShip, shipCells, shipName } from "./notation.js";

const KEY = "broadside.layouts";
/** Older layouts are forgotten beyond this many. */
const MOST = 200;
/** How strongly habits are doubted, as in `broadside learn`. */
const PRIOR = 40;
/** Steps towards the best factors. */
const STEPS = 80;
/** Parts into which layouts are cut to see what learning is worth on layouts that were not learned from. */
const FOLDS = 5;

/** @typedef {{rules: string, ships: string[]}} KeptLayout */
/** @typedef {{rows: number, cols: number, fleet: number[], touch: string}} Board */
/** One ship of a layout: the numbers of the places that the others leave it, and of its own. @typedef {{places: number[], chosen: number}} Choice */

/** @type {{on: boolean, layouts: KeptLayout[]}} */
let memory = { on: false, layouts: [] };

function load() {
  try {
    const { on = false, layouts = [] } = JSON.parse(localStorage.getItem(KEY)) ?? memory;
    return { on: on === true, layouts: Array.isArray(layouts) ? layouts : [] };
  } catch {
    return memory;
  }
}

function save(kept) {
  memory = kept;
  try {
    localStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    // The memory has it until the page is closed.
  }
}

/** Whether the player has asked that layouts be remembered here. */
export const isRemembering = () => load().on;

/** @param {boolean} on */
export const setRemembering = (on) => save({ ...load(), on });

export const forget = () => save({ ...load(), layouts: [] });

/** What the layouts of two games must share to be learned from together. @param {Board} rules */
const rulesKey = ({ rows, cols, fleet, touch }) => `${rows}x${cols} ${fleet.join(",")} ${touch}`;

/** Keeps the player's own layout of a finished game, if that was asked for. @param {View} view */
export function keep({ rules, you }) {
  const { on, layouts } = load();
  if (on && you.ships.length === rules.fleet.length) save({ on, layouts: [{ rules: rulesKey(rules), ships: you.ships }, ...layouts].slice(0, MOST) });
}

/** How many layouts are kept, by all rules. */
export const count = () => load().layouts.length;

/** The layouts that are kept for such a board. @param {Board} rules @returns {string[][]} */
export function layoutsFor(rules) {
  const key = rulesKey(rules);
  const isWhole = ({ rules: of, ships }) => of === key && Array.isArray(ships) && ships.length === rules.fleet.length && ships.every((ship) => parseShip(String(ship)));
  return load()
    .layouts.filter(isWhole)
    .map(({ ships }) => ships);
}

/**
 * The weights by which the player hides on such a board, as the server reads them; null if nothing is known.
 * @param {Board} rules
 * @param {string[]} [except] a layout that is to be judged by the others
 */
export function ownWeights(rules, except = []) {
  const layouts = layoutsFor(rules);
  const own = layouts.findIndex((ships) => ships.join() === except.join());
  if (own >= 0) layouts.splice(own, 1);
  return layouts.length ? weightsText(rules, learn(rules, layouts)) : null;
}

/**
 * The logarithm of each cell's factor, row by row.
 * @param {Board} rules
 * @param {string[][]} layouts
 */
export function learn(rules, layouts) {
  const places = new Places(rules);
  return learnFrom(places, places.choices(layouts));
}

/** @param {Places} places @param {Choice[]} choices */
function learnFrom(places, choices) {
  const logs = new Float64Array(places.size);
  const chosen = new Float64Array(places.cells.length);
  choices.forEach((choice) => (chosen[choice.chosen] += 1));
  const covered = places.byCell(chosen);
  for (let step = 0; step < STEPS; step += 1) {
    const expected = places.byCell(expectedUses(choices, places.weights(logs)));
    // The cells of a place go together, so a step is as much shorter as the longest ship is long.
    logs.forEach((log, cell) => {
      logs[cell] += (covered[cell] - expected[cell] - PRIOR * log) / (places.longest * expected[cell] + PRIOR);
    });
  }
  return logs;
}

/** How often each place is used by the model. @param {Choice[]} choices @param {Float64Array} weights of the places */
function expectedUses(choices, weights) {
  const uses = new Float64Array(weights.length);
  for (const { places } of choices) {
    const total = places.reduce((sum, place) => sum + weights[place], 0);
    for (const place of places) uses[place] += weights[place] / total;
  }
  return uses;
}

/** How much better the rest of the layouts predicts each ship than chance, in bits; null for fewer than two. */
export function bitsOf(rules, layouts) {
  if (layouts.length < 2) return null;
  const places = new Places(rules);
  const folds = Math.min(FOLDS, layouts.length);
  const parts = Array.from({ length: folds }, (_, part) => places.choices(layouts.filter((_layout, i) => i % folds === part)));
  const gains = parts.flatMap((part) => {
    const weights = places.weights(learnFrom(places, parts.filter((other) => other !== part).flat()));
    const total = (choice) => choice.places.reduce((sum, place) => sum + weights[place], 0);
    return part.map((choice) => Math.log2((weights[choice.chosen] / total(choice)) * choice.places.length));
  });
  return gains.reduce((sum, gain) => sum + gain, 0) / gains.length;
}

/** A line for each placement with its weight. */
export function weightsText(rules, logs) {
  const places = new Places(rules);
  const weights = places.weights(logs);
  return places.ships.map((ship, place) => `${shipName(ship)} ${weights[place].toPrecision(4)}`).join("\n");
}

/** All places of the ships of a fleet, by number. */
class Places {
  /** @param {Board} rules */
  constructor(rules) {
    this.rules = rules;
    this.size = rules.rows * rules.cols;
    this.longest = Math.max(...rules.fleet);
    this.ships = [...new Set(rules.fleet)].flatMap((length) => allShips(rules, length));
    this.cells = this.ships.map((ship) => cellsOf(rules, ship));
    this.number = new Map(this.ships.map((ship, place) => [shipName(ship), place]));
  }

  /** The weight of each place by the logarithms of its cells' factors. */
  weights(logs) {
    return Float64Array.from(this.cells, (cells) => Math.exp(cells.reduce((sum, cell) => sum + logs[cell], 0)));
  }

  /** What places have, added up over each cell's. */
  byCell(ofPlace) {
    const sums = new Float64Array(this.size);
    this.cells.forEach((cells, place) => cells.forEach((cell) => (sums[cell] += ofPlace[place])));
    return sums;
  }

  /** @param {string[][]} layouts @returns {Choice[]} */
  choices(layouts) {
    return layouts.flatMap((texts) => {
      const ships = texts.map(parseShip);
      return ships.map((ship, own) => this.#choice(ship, ships.filter((_, other) => other !== own)));
    });
  }

  /** @returns {Choice} */
  #choice(ship, others) {
    const taken = new Set(others.flatMap((other) => [...cellsAround(this.rules, other)]));
    const isFree = (place) => this.ships[place].length === ship.length && !this.cells[place].some((cell) => taken.has(cell));
    return { places: [...this.ships.keys()].filter(isFree), chosen: this.number.get(shipName(ship)) };
  }
}

function allShips({ rows, cols }, length) {
  const ships = [];
  for (const vertical of length > 1 ? [false, true] : [false]) {
    for (let row = 0; row <= rows - (vertical ? length : 1); row += 1) {
      for (let col = 0; col <= cols - (vertical ? 1 : length); col += 1) ships.push({ row, col, length, vertical });
    }
  }
  return ships;
}

const cellsOf = ({ cols }, ship) => shipCells(ship).map(({ row, col }) => row * cols + col);

/** The cells where no other ship may lie. */
function* cellsAround({ rows, cols, touch }, ship) {
  const reach = { allowed: 0, corners: 1, never: 2 }[touch];
  for (const { row, col } of shipCells(ship)) {
    for (let down = -1; down <= 1; down += 1) {
      for (let right = -1; right <= 1; right += 1) {
        const isInside = row + down >= 0 && row + down < rows && col + right >= 0 && col + right < cols;
        if (isInside && Math.abs(down) + Math.abs(right) <= reach) yield (row + down) * cols + col + right;
      }
    }
  }
}

/** What can be told of each board that layouts are kept of: more than one is needed. @returns {{rules: string, bits: number}[]} */
export function learned() {
  const boards = [...new Set(load().layouts.map(({ rules }) => rules))].map(parseKey).filter((board) => board !== null);
  return boards
    .map((board) => ({ rules: rulesKey(board), bits: bitsOf(board, layoutsFor(board)) }))
    .filter(({ bits }) => bits !== null);
}

/** The board of a key; null for what is none. @param {unknown} key @returns {Board | null} */
function parseKey(key) {
  const [, rows, cols, fleet, touch] = /^(\d{1,2})x(\d{1,2}) ([\d,]{1,200}) (allowed|corners|never)$/.exec(String(key)) ?? [];
  return touch ? { rows: Number(rows), cols: Number(cols), fleet: fleet.split(",").map(Number), touch } : null;
}
