// What a log of shots shows on a board.

import { parseCell, parseShot, shipCellNames } from "./notation.js";

/**
 * The state of every cell that was fired at, and the ships that must lie where they sank.
 * @param {string[]} shots the log as text
 * @returns {{states: Map<string, string>, ships: Object[]}}
 */
export function readLog(shots, rules) {
  const log = shots.map(parseShot).filter(Boolean);
  const states = new Map(log.map(({ cell, answer }) => [cell, answer]));
  const ships = sunkShips(log, rules);
  ships.flatMap(shipCellNames).forEach((cell) => states.set(cell, "sunk"));
  return { states, ships };
}

/**
 * The ships whose place is certain from the announced sinkings alone: of all lines of that length through the sinking
 * shot, made of hits up to then, only one is left. Where two are possible (ships may touch) nothing is guessed.
 */
function sunkShips(log, rules) {
  const open = log.flatMap((shot, index) => (shot.answer === "sunk" && shot.length ? [{ shot, index }] : []));
  const taken = new Set(open.map(({ shot }) => shot.cell));
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

function candidates({ shot, index }, log, rules, taken) {
  const fits = ({ answer, length }) => answer === "hit" && (length === null || length === shot.length);
  const hits = new Set(
    log
      .slice(0, index)
      .filter(fits)
      .map(({ cell }) => cell)
      .filter((cell) => !taken.has(cell)),
  );
  hits.add(shot.cell);
  const { row, col } = parseCell(shot.cell);
  const along = (upright) =>
    Array.from({ length: shot.length }, (_, back) => ({
      row: upright ? row - back : row,
      col: upright ? col : col - back,
      length: shot.length,
      upright,
    }));
  const lines = shot.length === 1 ? along(false) : [...along(false), ...along(true)];
  return lines.filter((line) => onGrid(line, rules) && shipCellNames(line).every((cell) => hits.has(cell)));
}

function onGrid({ row, col, length, upright }, { rows, cols }) {
  return row >= 0 && col >= 0 && row + (upright ? length : 1) <= rows && col + (upright ? 1 : length) <= cols;
}

/** The lengths of a fleet with those struck off that are no longer left. */
export function struck(fleet, left) {
  const still = [...left];
  return fleet.map((length) => {
    const at = still.indexOf(length);
    if (at >= 0) still.splice(at, 1);
    return { length, sunk: at < 0 };
  });
}
