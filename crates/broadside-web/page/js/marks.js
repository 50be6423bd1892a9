// What a log of shots shows on a board.

import { cellAt, cellName, knownShot, shipCellNames } from "./notation.js";

/** The states of the cells before anybody has fired: those with rocks. @param {{rocks?: string[]}} rules @returns {Map<string, string>} */
export function rockStates({ rocks = [] }) {
  return new Map(rocks.map((cell) => [cell, "rock"]));
}

/**
 * The state of every cell that was fired at or is a rock, and the ships that must lie where they sank.
 * @param {string[]} shots the log as text
 * @param {{rows: number, cols: number, rocks?: string[], noise?: string}} rules
 * @param {Schemas["CallOut"][]} [calls] turns of which only the number of hits was called
 * @returns {{states: Map<string, string>, ships: Ship[]}}
 */
export function readLog(shots, rules, calls = []) {
  const log = shots.map(knownShot);
  /** @type {Map<string, string>} */
  const states = rockStates(rules);
  // What was called last; a sinking is never false.
  for (const { cell, answer } of log) if (states.get(cell) !== "sunk") states.set(cell, answer);
  for (const { from, to } of calls) for (const { cell } of log.slice(from, to)) states.set(cell, "counted");
  const ships = sunkShips(log, rules);
  ships.flatMap(shipCellNames).forEach((cell) => states.set(cell, "sunk"));
  return { states, ships };
}

/**
 * The ships whose place is certain from the announced sinkings alone: of all lines of that length through the sinking
 * shot, made of hits up to then, only one is left; of all cells fired at up to then where answers may be false. Where two are possible
 * (ships may touch) nothing is guessed.
 * @param {Shot[]} log
 * @param {{rows: number, cols: number, noise?: string}} rules
 */
function sunkShips(log, rules) {
  const open = log.flatMap(({ cell, answer, length }, index) =>
    answer === "sunk" && length ? [{ cell, length, index, done: false }] : [],
  );
  const taken = new Set(open.map(({ cell }) => cell));
  /** @type {Ship[]} */
  const found = [];
  for (let again = true; again;) {
    again = false;
    for (const sinking of open.filter(({ done }) => !done)) {
      const lines = candidates(sinking, log, rules, taken);
      if (lines.length !== 1) continue;
      found.push(lines[0]);
      shipCellNames(lines[0]).forEach((cell) => taken.add(cell));
      sinking.done = again = true;
    }
  }
  return found;
}

/**
 * @param {{cell: string, length: number, index: number}} sinking
 * @param {Shot[]} log
 * @param {{rows: number, cols: number, noise?: string}} rules
 * @param {Set<string>} taken
 */
function candidates(sinking, log, rules, taken) {
  // A cell of a turn of which only the number of hits is known may be a part of it too, and one that was called a miss where answers may be false.
  /** @param {string} answer */
  const isPart = (answer) => answer === "untold" || answer === "hit" || (answer === "miss" && Number(rules.noise ?? 0) > 0);
  /** @param {Shot} shot */
  const fits = ({ answer, length }) => isPart(answer) && (length === null || length === sinking.length);
  const hits = new Set(
    log
      .slice(0, sinking.index)
      .filter(fits)
      .map(({ cell }) => cell)
      .filter((cell) => !taken.has(cell)),
  );
  hits.add(sinking.cell);
  const { row, col } = cellAt(sinking.cell);
  /** @param {boolean} vertical */
  const along = (vertical) =>
    Array.from({ length: sinking.length }, (_, back) => ({
      row: vertical ? row - back : row,
      col: vertical ? col : col - back,
      length: sinking.length,
      vertical,
    }));
  const lines = sinking.length === 1 ? along(false) : [...along(false), ...along(true)];
  return lines.filter((line) => onGrid(line, rules) && shipCellNames(line).every((cell) => hits.has(cell)));
}

/** @param {Ship} ship @param {{rows: number, cols: number}} rules */
function onGrid({ row, col, length, vertical }, { rows, cols }) {
  return row >= 0 && col >= 0 && row + (vertical ? length : 1) <= rows && col + (vertical ? 1 : length) <= cols;
}

/**
 * The lengths of a fleet with those marked as sunk that are no longer left.
 * @param {number[]} fleet
 * @param {number[]} left
 */
export function markSunk(fleet, left) {
  const still = [...left];
  return fleet.map((length) => {
    const at = still.indexOf(length);
    if (at >= 0) still.splice(at, 1);
    return { length, sunk: at < 0 };
  });
}

/** Which neighbours of a ship are water, by the touch rule. */
const APART = {
  allowed: () => false,
  corners: (rows, cols) => rows + cols === 1,
  never: (rows, cols) => Math.max(rows, cols) === 1,
};

/**
 * The cells around sunk ships where nothing can lie, since ships keep apart.
 * @param {Ship[]} ships those known to be sunk
 * @param {{rows: number, cols: number, touch: string}} rules
 * @returns {Set<string>}
 */
export function knownWater(ships, { rows, cols, touch }) {
  const own = new Set(ships.flatMap(shipCellNames));
  const around = ships.flatMap(shipCellNames).flatMap((name) => {
    const { row, col } = cellAt(name);
    const steps = [-1, 0, 1].flatMap((r) => [-1, 0, 1].map((c) => [r, c]));
    const near = steps.filter(([r, c]) => APART[touch](Math.abs(r), Math.abs(c)));
    const inside = near.map(([r, c]) => [row + r, col + c]).filter(([r, c]) => r >= 0 && c >= 0 && r < rows && c < cols);
    return inside.map(([r, c]) => cellName(r, c));
  });
  return new Set(around.filter((cell) => !own.has(cell)));
}
