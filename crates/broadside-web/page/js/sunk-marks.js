// What marks on a board mean as a log of shots. A player may mark the last cell of a sunk ship, or all of its cells: then one of
// them is the shot that sank it, and the others are hits.

import { cellAt, cellName, shipCellNames } from "./notation.js";

/**
 * @typedef {{shots: Shot[], open: {cell: string, length: number}[], asks: {cells: string[], length: number, last: string}[]}} Reading
 *   `open` are sinkings whose other cells are not marked yet, and count as hits until they are; `asks` are ships for which it
 *   matters which of their cells was the last, with the one that is taken for it
 */

/**
 * @param {(Shot & {last?: boolean})[]} marks in their order; `last` is the player's own word that this cell sank its ship
 * @param {{rows: number, cols: number, call?: string}} rules
 * @returns {Reading}
 */
export function readMarks(marks, rules) {
  const ships = wholeShips(marks, rules);
  const member = new Map(ships.flatMap((ship) => shipCellNames(ship).map((cell) => [cell, ship])));
  const lastOf = new Map(ships.map((ship) => [ship, lastCell(ship, marks, rules)]));
  /** @type {Reading} */
  const reading = { shots: [], open: [], asks: [] };
  const left = new Map(ships.map((ship) => [ship, ship.length]));
  for (const mark of marks) {
    const ship = member.get(mark.cell);
    if (ship) {
      const { cell, asks } = lastOf.get(ship);
      if (mark.cell !== cell) reading.shots.push(asHit(mark, rules));
      left.set(ship, left.get(ship) - 1);
      if (left.get(ship) > 0) continue;
      // The shot that sinks a ship comes after all its other cells.
      reading.shots.push({ cell, answer: "sunk", length: ship.length });
      if (asks) reading.asks.push({ cells: shipCellNames(ship), length: ship.length, last: cell });
    } else if (isUnfinished(mark, marks, rules, member)) {
      reading.open.push({ cell: mark.cell, length: mark.length });
      reading.shots.push(asHit(mark, rules));
    } else {
      reading.shots.push(mark);
    }
  }
  return reading;
}

/**
 * A cell of a sunk ship that did not sink it: where every hit is called with the length, this one was too.
 * @param {Shot} mark @param {{call?: string}} rules @returns {Shot}
 */
function asHit({ cell, length }, { call }) {
  return { cell, answer: "hit", length: call === "every" ? length : null };
}

/** Ships all of whose cells are marked as sunk, with their length: lines that no other such line disputes come first. */
function wholeShips(marks, rules) {
  const sunk = new Map(marks.filter(({ answer, length }) => answer === "sunk" && length > 1).map((mark) => [mark.cell, mark.length]));
  const found = [];
  const taken = new Set();
  const free = (line) => shipCellNames(line).every((cell) => sunk.get(cell) === line.length && !taken.has(cell));
  for (let again = true; again;) {
    again = false;
    for (const [cell, length] of sunk) {
      if (taken.has(cell)) continue;
      const lines = linesThrough(cell, length, rules).filter(free);
      // Among several, any will do once nothing is certain: the cells stay the same.
      if (lines.length === 0 || (lines.length > 1 && [...sunk.keys()].some((other) => isSure(other, sunk, rules, free, taken)))) continue;
      found.push(lines[0]);
      shipCellNames(lines[0]).forEach((name) => taken.add(name));
      again = true;
    }
  }
  return found;
}

function isSure(cell, sunk, rules, free, taken) {
  return !taken.has(cell) && linesThrough(cell, sunk.get(cell), rules).filter(free).length === 1;
}

/** All places of a ship of a length through a cell. @returns {Ship[]} */
function linesThrough(cell, length, { rows, cols }) {
  const { row, col } = cellAt(cell);
  const along = (vertical) =>
    Array.from({ length }, (_, back) => ({ row: vertical ? row - back : row, col: vertical ? col : col - back, length, vertical }));
  const lines = length === 1 ? along(false) : [...along(false), ...along(true)];
  return lines.filter(
    (line) => line.row >= 0 && line.col >= 0 && line.row + (line.vertical ? length : 1) <= rows && line.col + (line.vertical ? 1 : length) <= cols,
  );
}

/**
 * Which cell of a ship to take for the last: one whose sinking can mean this ship alone, else the one marked last. It matters
 * only where hits beside the ship leave other places for it.
 */
function lastCell(ship, marks, rules) {
  const cells = shipCellNames(ship);
  const ordered = marks.map(({ cell }) => cell).filter((cell) => cells.includes(cell)).reverse();
  const hit = new Set(marks.filter(({ answer }) => answer !== "miss").map(({ cell }) => cell));
  const chosen = marks.find(({ cell, last }) => last && cells.includes(cell))?.cell;
  const places = (cell) => linesThrough(cell, ship.length, rules).filter((line) => shipCellNames(line).every((name) => hit.has(name)));
  const sure = ordered.filter((cell) => places(cell).length === 1);
  return { cell: chosen ?? sure[0] ?? ordered[0], asks: sure.length === 0 };
}

/** A sinking of a length for which not enough hits are marked in any line: its other cells are still to come. */
function isUnfinished({ cell, answer, length }, marks, rules, member) {
  if (answer !== "sunk" || !length || length === 1) return false;
  const misses = new Set(marks.filter((mark) => mark.answer === "miss").map((mark) => mark.cell));
  const hits = new Set(marks.filter((mark) => mark.answer !== "miss" && !member.has(mark.cell)).map((mark) => mark.cell));
  const lines = linesThrough(cell, length, rules);
  if (lines.some((line) => shipCellNames(line).every((name) => hits.has(name)))) return false;
  // Where no place is left for it, it is a contradiction, and the server says which marks it is with.
  return lines.some((line) => shipCellNames(line).every((name) => !misses.has(name) && !member.has(name)));
}

/**
 * Marks from text: a log in either notation, or a picture with a line for each row: `.` unknown, `o` or `-` a miss, `x`, `+` or
 * `*` a hit, `#` sunk, a digit a cell of a sunk ship of that length. Null when it is neither.
 * @param {string} text
 * @param {(text: string) => Shot[] | null} decode reads a log
 * @returns {Shot[] | null}
 */
export function pasted(text, decode) {
  const log = decode(text.trim());
  if (log && log.length > 0) return log;
  const lines = text.split("\n").map(stripped).filter(Boolean);
  if (lines.length === 0 || !lines.every((line) => line.length === lines[0].length && /^[.oxX+*#~_·\-O\d]+$/.test(line))) return null;
  const marks = lines.flatMap((line, row) => [...line].map((sign, col) => markOf(sign, cellName(row, col))));
  return marks.filter((mark) => mark !== null);
}

/** A line of a picture without the letter of its row and without gaps; nothing for the line of column numbers. */
function stripped(line) {
  const plain = line.replace(/^\s*[A-Z]{1,2}\s+/, "").replace(/[\s|]/g, "");
  return /^\s*1\s+2\b/.test(line) ? "" : plain;
}

/** @returns {Shot | null} */
function markOf(sign, cell) {
  if ("oO-".includes(sign)) return { cell, answer: "miss", length: null };
  if ("xX+*".includes(sign)) return { cell, answer: "hit", length: null };
  if (sign === "#") return { cell, answer: "sunk", length: null };
  return /[1-9]/.test(sign) ? { cell, answer: "sunk", length: Number(sign) } : null;
}
