// What this browser remembers: its games with their tokens, and a few preferences. All of it may be forbidden or full; the
// page then works until it is closed.

const GAMES = "broadside.games";
const PREFERENCES = "broadside.preferences";
/** Older games are forgotten beyond this many. */
const MOST = 50;
const memory = new Map();

function load(key) {
  try {
    return JSON.parse(localStorage.getItem(key)) ?? memory.get(key) ?? {};
  } catch {
    return memory.get(key) ?? {};
  }
}

function save(key, value) {
  memory.set(key, value);
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // The memory has it.
  }
}

/**
 * What is kept of a game.
 * @typedef {{token: string, invite?: string|null, adaptive?: boolean, rulesName?: string, rematch?: "asked"|"accepted",
 *   met?: boolean, recorded?: boolean, pass?: {token: string, names: string[]}, opponent?: string, captain?: string|null, phase?: string,
 *   turn?: string|null, board?: string, shots?: number, seen?: number}} Kept
 */

/** @param {string} id @returns {Kept | null} */
export function game(id) {
  return load(GAMES)[id] ?? null;
}

/** Keeps something about a game beside what is known of it. */
export function keepGame(id, facts) {
  const games = load(GAMES);
  games[id] = { ...games[id], ...facts, seen: Date.now() };
  const newest = Object.entries(games)
    .sort(([, a], [, b]) => b.seen - a.seen)
    .slice(0, MOST);
  save(GAMES, Object.fromEntries(newest));
}

export function forgetGame(id) {
  const games = load(GAMES);
  delete games[id];
  save(GAMES, games);
}

/** Keeps what the start page shows of a game. */
export function summarise(view) {
  keepGame(view.id, {
    opponent: view.opponent.name,
    captain: view.opponent.captain,
    phase: view.phase,
    turn: view.turn,
    board: view.rules.board,
    shots: view.you.shots.length,
  });
}

/** Games that are not over, the newest first. @returns {(Kept & {id: string})[]} */
export function unfinished() {
  const games = Object.entries(load(GAMES)).map(([id, facts]) => ({ id, .../** @type {Kept} */ (facts) }));
  return games.filter((facts) => facts.phase !== "over").sort((a, b) => b.seen - a.seen);
}

export function preference(name, otherwise) {
  return load(PREFERENCES)[name] ?? otherwise;
}

export function prefer(name, value) {
  save(PREFERENCES, { ...load(PREFERENCES), [name]: value });
}
