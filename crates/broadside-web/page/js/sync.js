// The history on the server, for whoever has the player's secret link: a phone and a desk put their lists together there.

import * as api from "./api.js";
import * as history from "./history.js";
import * as store from "./store.js";

/** Entries of one request. */
const AT_ONCE = 100;

/** The secret of this player's list; empty while there is none. */
export const secret = () => store.preference("historyToken", "");

/** Starts a list on the server, and puts all games there. */
export async function start() {
  const { token } = await api.makeHistory();
  store.prefer("historyToken", token);
  await synchronise();
}

/** Takes part in the list of another device. @param {string} token */
export async function connect(token) {
  await api.history(token); // refused when there is no such list
  store.prefer("historyToken", token);
  await synchronise();
}

/** This browser leaves the list; the list stays. */
export function disconnect() {
  store.prefer("historyToken", "");
}

/** Sends what the server has not, takes what this browser has not, and removes what was removed elsewhere. */
export async function synchronise() {
  const token = secret();
  if (!token) return;
  let known = await api.history(token);
  const removed = new Set(store.preference("removed", []));
  const fresh = history.entries().filter((entry) => isNews(entry, known));
  const gone = [...removed].filter((id) => !known.removed.includes(id));
  while (fresh.length + gone.length > 0) {
    const games = fresh.splice(0, AT_ONCE);
    known = await api.addHistory(token, { games, removed: gone.splice(0, AT_ONCE - games.length) });
  }
  store.prefer("removed", []);
  const all = history.merged(history.entries(), known.games);
  history.save(all.filter(({ id }) => !known.removed.includes(id)));
}

/** Whether the server knows less of a game. */
function isNews(entry, { games, removed }) {
  if (removed.includes(entry.id)) return false;
  const there = games.find(({ id }) => id === entry.id);
  return !there || (there.accuracy === null && entry.accuracy !== null);
}

/** A removed game goes from the list of all devices with the next exchange. @param {string} id */
export function markRemoved(id) {
  if (secret()) store.prefer("removed", [...store.preference("removed", []), id]);
}

/** @param {string} id */
export function unmarkRemoved(id) {
  store.prefer("removed", store.preference("removed", []).filter((other) => other !== id));
}

/** Exchanges in the background, and tries again with the next game if that fails. */
export function uploadSoon() {
  synchronise().catch(() => {});
}
