// Finished games, as this browser remembers them: a list of entries, what follows from it, and how lists are put together.

import { knownShot } from "./notation.js";

const KEY = "broadside.history";
/** Older games are forgotten beyond this many. */
const MOST = 2000;

/**
 * @typedef {Schemas["HistoryEntry"]} Entry
 */

/** @type {Entry[]} */
let memory = [];

/** All entries, the newest first. @returns {Entry[]} */
export function entries() {
  try {
    return parse(localStorage.getItem(KEY) ?? "[]") ?? memory;
  } catch {
    return memory;
  }
}

/** @param {Entry[]} list */
export function save(list) {
  memory = sorted(list).slice(0, MOST);
  try {
    localStorage.setItem(KEY, JSON.stringify(memory));
  } catch {
    // The memory has it until the page is closed.
  }
}

/** @param {Entry[]} list */
const sorted = (list) => [...list].sort((a, b) => b.ended - a.ended);

/** Rules as the program writes them. @param {FullRules} rules */
const rulesText = ({ board, fleet, touch, call, rocks, salvo, noise }) => {
  const more = [rocks.length > 0 ? `rocks=${rocks.join(",")}` : null, salvo === "1" ? null : `salvo=${salvo}`, noise === "0" ? null : `noise=${noise}`];
  return [board, fleet.join(","), touch, call, ...more.filter(Boolean)].join(" ");
};

/**
 * The entry of a finished game.
 * @param {View} view
 * @param {{adaptive?: boolean, preset: string | null, ended: number}} more
 * @returns {Entry}
 */
export function entryOf(view, { adaptive = false, preset, ended }) {
  const { rules, you, opponent } = view;
  return {
    id: view.id,
    ended,
    opponent: opponent.captain ?? opponent.name,
    captain: opponent.captain !== null,
    adaptive,
    rules: preset ?? rulesText(rules),
    won: view.winner === "you",
    resigned: view.ending === "resigned",
    shots: you.shots.length,
    hits: you.shots.filter((shot) => ["hit", "sunk"].includes(knownShot(shot).answer)).length,
    replay: view.replay ?? null,
    accuracy: null,
    luck: null,
  };
}

/** Adds an entry, once. @param {Entry} entry @returns {boolean} whether it is new */
export function record(entry) {
  const list = entries();
  if (list.some(({ id }) => id === entry.id)) return false;
  save([entry, ...list]);
  return true;
}

/** Adds what was learnt later. @param {string} id @param {Partial<Entry>} facts */
export function amend(id, facts) {
  save(entries().map((entry) => (entry.id === id ? { ...entry, ...facts } : entry)));
}

/** @param {string} id */
export function remove(id) {
  save(entries().filter((entry) => entry.id !== id));
}

/**
 * Two lists as one: an entry that both have is taken from the one that knows more.
 * @param {Entry[]} one
 * @param {Entry[]} other
 */
export function merged(one, other) {
  const all = new Map(one.map((entry) => [entry.id, entry]));
  for (const entry of other) {
    const known = all.get(entry.id);
    if (!known || (known.accuracy === null && entry.accuracy !== null)) all.set(entry.id, entry);
  }
  return sorted([...all.values()]);
}

/**
 * Reads a list from text; null when it is none. What is no entry is left out.
 * @param {string} text
 * @returns {Entry[] | null}
 */
export function parse(text) {
  let read;
  try {
    read = JSON.parse(text);
  } catch {
    return null;
  }
  const list = Array.isArray(read) ? read : read?.games;
  return Array.isArray(list) ? list.map(cleaned).filter((entry) => entry !== null) : null;
}

/** An entry with all of its fields and no others; null where that can't be. */
function cleaned(entry) {
  const word = (value) => typeof value === "string" && value.length > 0 && value.length <= 128;
  const whole = (value) => Number.isSafeInteger(value) && value >= 0;
  const real = (value) => (Number.isFinite(value) ? value : null);
  const { id, ended, opponent, captain, adaptive, rules, won, resigned, shots, hits, replay, accuracy, luck } = entry ?? {};
  if (![id, opponent, rules].every(word) || ![ended, shots, hits].every(whole) || shots > 4096) return null;
  const flags = { captain: captain === true, adaptive: adaptive === true, won: won === true, resigned: resigned === true };
  return { id, ended, opponent, rules, shots, hits, ...flags, replay: word(replay) ? replay : null, accuracy: real(accuracy), luck: real(luck) };
}

/**
 * Totals of a list: games, wins, the fewest shots of a win, the streak of wins up to now and the longest, means.
 * @param {Entry[]} list the newest first
 */
export function totals(list) {
  const played = list.filter(({ resigned, won }) => !resigned || won);
  const sunk = list.filter(({ won, resigned }) => won && !resigned).map(({ shots }) => shots);
  const judged = list.flatMap(({ accuracy }) => (accuracy === null ? [] : [accuracy]));
  return {
    games: list.length,
    won: list.filter(({ won }) => won).length,
    best: sunk.length ? Math.min(...sunk) : null,
    mean: sunk.length ? sum(sunk) / sunk.length : null,
    accuracy: judged.length ? sum(judged) / judged.length : null,
    streak: streak(list),
    longest: longestStreak(list),
    played: played.length,
  };
}

const sum = (values) => values.reduce((total, value) => total + value, 0);

function streak(list) {
  const at = list.findIndex(({ won }) => !won);
  return at < 0 ? list.length : at;
}

function longestStreak(list) {
  let [run, longest] = [0, 0];
  for (const { won } of list) {
    run = won ? run + 1 : 0;
    longest = Math.max(longest, run);
  }
  return longest;
}

/**
 * The mean of shots over the last games won, game by game, the oldest first: `[number of the game, mean]`.
 * @param {Entry[]} list the newest first
 * @returns {[number, number][]}
 */
export function meanOverTime(list, window = 10) {
  const shots = list.filter(({ won, resigned }) => won && !resigned).map((entry) => entry.shots).reverse();
  return shots.map((_, i) => {
    const last = shots.slice(Math.max(0, i + 1 - window), i + 1);
    return [i + 1, sum(last) / last.length];
  });
}
