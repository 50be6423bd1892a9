// Cells, ships and shots as text, as everywhere in Broadside: `A1` is the upper left, `A1-A5` a ship, `C5#3` a shot.

/** Rows and columns of the largest board. */
const LARGEST = 64;

/** The letters of a row, counted from 0: A to Z, then AA. */
export function rowName(row) {
  const last = String.fromCharCode(65 + (row % 26));
  return row < 26 ? last : rowName(Math.floor(row / 26) - 1) + last;
}

export function cellName(row, col) {
  return rowName(row) + (col + 1);
}

/**
 * @param {string} text
 * @returns {CellAt | null}
 */
export function parseCell(text) {
  const parts = /^([A-Z]{1,2})([1-9]\d?)$/.exec(text);
  if (!parts) return null;
  const row = [...parts[1]].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
  const col = Number(parts[2]) - 1;
  return row < LARGEST && col < LARGEST ? { row, col } : null;
}

/**
 * The place of a cell that is known to be one.
 * @param {string} name
 * @returns {CellAt}
 */
export function cellAt(name) {
  const cell = parseCell(name);
  if (!cell) throw new Error(`‘${name}’ is not a cell`);
  return cell;
}

/**
 * A ship from `A1-A5` or `A1`.
 * @param {string} text
 * @returns {Ship}
 */
export function parseShip(text) {
  const [bow, stern] = text.split("-").map(cellAt);
  if (!stern) return { ...bow, length: 1, vertical: false };
  const vertical = stern.row !== bow.row;
  return { ...bow, length: (vertical ? stern.row - bow.row : stern.col - bow.col) + 1, vertical };
}

/**
 * The cells of a ship from its bow.
 * @param {Ship} ship
 * @returns {CellAt[]}
 */
export function shipCells({ row, col, length, vertical }) {
  return Array.from({ length }, (_, i) => (vertical ? { row: row + i, col } : { row, col: col + i }));
}

/**
 * The names of a ship's cells.
 * @param {Ship} ship
 */
export function shipCellNames(ship) {
  return shipCells(ship).map(({ row, col }) => cellName(row, col));
}

/** @param {Ship} ship */
export function shipName(ship) {
  const names = shipCellNames(ship);
  return names.length === 1 ? names[0] : `${names[0]}-${names.at(-1)}`;
}

/** @type {Record<string, Shot["answer"]>} */
const ANSWERS = { "-": "miss", "+": "hit", "#": "sunk", "?": "untold" };
const SIGNS = { miss: "-", hit: "+", sunk: "#", untold: "?" };

/**
 * @param {string} text
 * @returns {Shot | null}
 */
export function parseShot(text) {
  const parts = /^([A-Z]{1,2}[1-9]\d?)([-+#?])([1-9]\d?)?$/.exec(text);
  return parts && shotFrom(parts[1], ANSWERS[parts[2]], parts[3]);
}

/**
 * A shot from its parts, or null where they don't go together: a cell off every board, a miss with a length.
 * @param {string} cell
 * @param {Shot["answer"]} answer
 * @param {string} [length]
 * @returns {Shot | null}
 */
export function shotFrom(cell, answer, length) {
  if (!parseCell(cell) || ((answer === "miss" || answer === "untold") && length)) return null;
  return { cell, answer, length: length ? Number(length) : null };
}

/**
 * A shot that is known to be one.
 * @param {string} text
 * @returns {Shot}
 */
export function knownShot(text) {
  const shot = parseShot(text);
  if (!shot) throw new Error(`‘${text}’ is not a shot`);
  return shot;
}

/** @param {Shot} shot */
export function shotName({ cell, answer, length }) {
  return cell + SIGNS[answer] + (length ?? "");
}

/** A message as a sentence: a capital first, a full stop last. */
export function sentence(text) {
  return text.charAt(0).toUpperCase() + text.slice(1) + (/[.?!…]$/.test(text) ? "" : ".");
}
