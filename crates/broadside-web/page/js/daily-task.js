// The day's tasks, from the date alone: the same for everybody, without a server that would have to agree on them.

import { cellAt, cellName, knownShot } from "./notation.js";
import { deal, generator, openCell, Referee } from "./referee.js";

/** The fewest and the most shots of a position. */
const SHOTS = [8, 20];
/** How often the shooter of the position goes on beside a hit. */
const FOLLOWS = 0.85;

/** The date of a moment where the reader is, as `2026-11-17`. @param {Date} moment */
export function dayOf(moment) {
  const two = (value) => String(value).padStart(2, "0");
  return `${moment.getFullYear()}-${two(moment.getMonth() + 1)}-${two(moment.getDate())}`;
}

/** The board of a day, to be sunk with few shots. @param {FullRules} rules @param {string} day */
export function dailyBoard(rules, day) {
  return deal(rules, generator(`broadside board ${day}`));
}

/**
 * The position of a day: shots that somebody has fired at a hidden board, with a ship left to find.
 * @param {FullRules} rules
 * @param {string} day
 * @returns {string[]}
 */
export function dailyPosition(rules, day) {
  const random = generator(`broadside position ${day}`);
  const referee = new Referee(deal(rules, random));
  const shots = SHOTS[0] + Math.floor(random() * (SHOTS[1] - SHOTS[0] + 1));
  while (referee.shots.length < shots) referee.fire(nextShot(rules, referee, random));
  return referee.shots;
}

/** Beside a hit of a ship that is afloat, most of the time; else anywhere. */
function nextShot(rules, referee, random) {
  const isOpen = (cell) => referee.isOpen(cell);
  const hits = referee.shots.map(knownShot).filter(({ answer }) => answer === "hit");
  const beside = hits.flatMap(({ cell }) => neighbours(rules, cell)).filter(isOpen);
  if (beside.length > 0 && random() < FOLLOWS) return beside[Math.floor(random() * beside.length)];
  return openCell(rules, isOpen, random);
}

function neighbours({ rows, cols }, cell) {
  const { row, col } = cellAt(cell);
  const steps = [
    [row - 1, col],
    [row + 1, col],
    [row, col - 1],
    [row, col + 1],
  ];
  return steps.filter(([r, c]) => r >= 0 && c >= 0 && r < rows && c < cols).map(([r, c]) => cellName(r, c));
}

/** The answers of a game as squares, which tell nothing of where the ships lie. @param {string[]} shots */
export function squares(shots) {
  const signs = { miss: "⬜", hit: "🟧", sunk: "🟥" };
  const row = shots.map((shot) => signs[knownShot(shot).answer]);
  const lines = Array.from({ length: Math.ceil(row.length / 10) }, (_, i) => row.slice(10 * i, 10 * i + 10).join(""));
  return lines.join("\n");
}
