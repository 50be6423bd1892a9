// What a player had been told when a shot was fired, in a game that is over and whose answers are all known.

import { knownShot } from "./notation.js";

/**
 * @typedef {Object} Told
 * @property {string[]} shots the shots as the player saw them: without the answers of the turn at hand and of turns that were counted
 * @property {Schemas["CallOut"][]} calls the turns of which only the number of hits was called
 */

/**
 * What was told after so many shots.
 * @param {Pick<Schemas["ReviewOut"], "shots" | "turns" | "calls">} review
 * @param {number} number
 * @returns {Told}
 */
export function toldAfter({ shots, turns, calls }, number) {
  const fired = shots.slice(0, number).map(({ shot }) => shot);
  // The end of the game tells everything.
  if (number === shots.length) return { shots: fired, calls: [] };
  const begun = turns.findLast((first) => first <= number) ?? number;
  const called = calls.filter(({ to }) => to <= number);
  const isOpen = (at) => at >= begun || called.some(({ from, to }) => from <= at && at < to);
  return { shots: fired.map((shot, at) => (isOpen(at) ? `${knownShot(shot).cell}?` : shot)), calls: called };
}

/**
 * The same as a log that the server reads: with what was called after the turns.
 * @param {Told} told
 */
export function toldText({ shots, calls }) {
  return shots.flatMap((shot, at) => [shot, ...calls.filter(({ to }) => to === at + 1).map(({ call }) => call)]).join(" ");
}
