// Opponents with names: the ladder from a beginner to the best, and one that follows the player. How strong a rung is was
// measured (docs/captains.md); the server tells its numbers.

import { t } from "./i18n.js";

/** Who stands on the rungs, the weakest first. */
const NAMES = ["Pip", "Molly", "Ben", "Nora", "Hugo", "Vera", "Otto", "Grace"];
/** The rungs shown first, counted from 0. */
export const FEATURED = [0, 2, 5, 7];
/** Where the adaptive opponent starts. */
export const FIRST_LEVEL = 2;
/** How far a result moves it. */
const STEP = 0.5;

/** What the names of bots begin with: programs that whoever runs the server has added. */
const BOT = "bot:";

/** @typedef {{captain: string, name: string, rung: number, errors: number, means: Schemas["MeanOut"][]}} Rung */

/** The share of its shots that a captain fires anywhere: 0.25 of `admiral?err=0.25`. @param {string} captain */
export function errorsOf(captain) {
  return Number(/\?err=([\d.]+)$/.exec(captain)?.[1] ?? 0);
}

/**
 * The rungs with their names.
 * @param {Schemas["RungOut"][]} ladder
 * @returns {Rung[]}
 */
export function rungs(ladder) {
  return ladder.map(({ captain, by_preset: means }, rung) => ({
    captain,
    rung,
    means,
    name: NAMES[rung] ?? captain,
    errors: errorsOf(captain),
  }));
}

/** The mean shots of a rung by a preset; by rules that nobody has measured, those of the first preset. */
export function shotsOf({ means }, preset) {
  return (means.find((mean) => mean.preset === preset) ?? means[0]).mean;
}

/** @type {Map<string, string>} */
const names = new Map();

/** Lets `nameOf` know the rungs. @param {Rung[]} ladder */
export function learn(ladder) {
  ladder.forEach(({ captain, name }) => names.set(captain, name));
}

/** What the server calls people who give no name. */
const NAMELESS = { "Player 1": "pass.first", "Player 2": "pass.second" };

/** What to call a person, who may have given no name. @param {string} name */
const personName = (name) => (Object.hasOwn(NAMELESS, name) ? t(NAMELESS[name]) : name);

/**
 * What to call a captain: a rung by its name, a bot by its own, another rate of errors is the adaptive opponent, all others by their own name. In lists
 * of games a person's name stands where a captain's would.
 * @param {string} captain
 */
export function nameOf(captain) {
  if (captain.startsWith(BOT)) return captain.slice(BOT.length);
  return names.get(captain) ?? (errorsOf(captain) > 0 ? t("opponent.adaptive") : personName(captain));
}

/** What to call a player of a game. @param {{name: string, captain?: string | null}} player */
export function playerName({ name, captain }) {
  return nameOf(captain || name);
}

/**
 * The captain for a level: a rung, or between two of them with errors in between.
 * @param {Rung[]} ladder
 * @param {number} level
 */
export function captainAt(ladder, level) {
  const below = Math.min(ladder.length - 1, Math.max(0, Math.floor(level)));
  const above = Math.min(ladder.length - 1, below + 1);
  const share = Math.min(1, Math.max(0, level - below));
  const errors = ladder[below].errors + (ladder[above].errors - ladder[below].errors) * share;
  const [best] = ladder.at(-1).captain.split("?");
  const rate = Number(errors.toFixed(3));
  return rate > 0 ? `${best}?err=${rate}` : best;
}

/**
 * The level after a result: half a rung up after a win, half a rung down after a defeat, within the ladder.
 * @param {number} level
 * @param {boolean} won
 * @param {number} size rungs of the ladder
 */
export function nextLevel(level, won, size) {
  return Math.min(size - 1, Math.max(0, level + (won ? STEP : -STEP)));
}
