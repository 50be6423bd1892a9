// The server, one function an endpoint. Every refusal becomes an `ApiError` with a sentence for people.

import { has, language, t } from "./i18n.js";
import { sentence } from "./notation.js";
import { learn, rungs } from "./opponents.js";

/** What the server refused, or that it could not be reached (`kind` is `offline`). */
export class ApiError extends Error {
  /** @param {number} status @param {Schemas["Why"]} body */
  constructor(status, body) {
    super(wordsFor(body));
    this.status = status;
    this.kind = body.kind;
    this.detail = body;
  }

  get isOffline() {
    return this.kind === "offline";
  }
}

/** The server speaks English, with the numbers of the case; for other readers there are words for each code that it has. */
function wordsFor({ kind, message }) {
  const key = `error.${kind}`;
  return language !== "en" && has(key) ? t(key) : sentence(message);
}

const OFFLINE = { kind: "offline", message: t("error.offline") };
const UNREADABLE = { kind: "answer", message: t("error.answer") };
/** How often a request is sent while the server is too busy. */
const TRIES = 4;

/**
 * @typedef {{body?: unknown, token?: string, signal?: AbortSignal}} Options
 * @param {string} method
 * @param {string} path
 * @param {Options} [options]
 */
async function request(method, path, { body, token, signal } = {}) {
  /** @type {Record<string, string>} */
  const headers = {};
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (token) headers.Authorization = `Bearer ${token}`;
  const init = { method, headers, signal, body: body === undefined ? undefined : JSON.stringify(body), cache: "no-store" };
  for (let tried = 1; ; tried += 1) {
    const response = await send(path, init);
    if (response.status !== 503 || tried === TRIES) return read(response);
    await pause(response.headers.get("Retry-After"));
  }
}

async function send(path, init) {
  try {
    return await fetch(path, init);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ApiError(0, OFFLINE);
  }
}

async function read(response) {
  let body;
  try {
    body = await response.json();
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ApiError(response.status, UNREADABLE);
  }
  if (!response.ok) throw new ApiError(response.status, body.error ?? UNREADABLE);
  return body;
}

function pause(retryAfter) {
  const seconds = Math.min(5, Number(retryAfter) || 1);
  return new Promise((done) => setTimeout(done, seconds * 1000));
}

/** @param {string} path @param {Options} [options] */
const get = (path, options) => request("GET", path, options);
/** @param {string} path @param {unknown} body @param {Options} [options] */
const post = (path, body, options) => request("POST", path, { ...options, body });
const game = (id, rest = "") => `/api/games/${encodeURIComponent(id)}${rest}`;
const replayPath = (id, rest = "") => `/api/replays/${encodeURIComponent(id)}${rest}`;

/** @type {() => Promise<Schemas["CaptainsOut"]>} */
export const captains = () => get("/api/captains");
/** @type {() => Promise<Schemas["PresetsOut"]>} */
export const presets = () => get("/api/presets");
/** @type {(rules: RulesRequest, signal?: AbortSignal) => Promise<FullRules>} */
export const checkRules = async (rules, signal) => (await post("/api/rules", rules, { signal })).rules;
/** @type {(rules: RulesRequest) => Promise<string[]>} */
export const deal = async (rules) => (await post("/api/deal", { rules })).ships;
/** @type {(rules: RulesRequest, against?: string | null) => Promise<Schemas["HideOut"]>} */
export const hide = (rules, against) => post("/api/hide", { rules, against });
/** @type {(request: Schemas["HiddenIn"], signal?: AbortSignal) => Promise<Schemas["HiddenOut"]>} */
export const judgeLayout = (request, signal) => post("/api/hide/judge", request, { signal });
/** @type {(rules: RulesRequest, shots: string, signal?: AbortSignal, weights?: string | null) => Promise<OddsOut>} */
export const odds = (rules, shots, signal, weights) => post("/api/odds", { rules, shots, weights }, { signal });
/** @type {(request: Schemas["PuzzleIn"]) => Promise<Schemas["PuzzleOut"]>} */
export const puzzle = (request) => post("/api/puzzles", request);
/** @type {(puzzle: string, marks: string) => Promise<Schemas["HintOut"]>} */
export const puzzleHint = (puzzle, marks) => post("/api/puzzles/hint", { puzzle, marks });

/** @type {(request: Schemas["NewGame"]) => Promise<Schemas["Made"]>} */
export const createGame = (request) => post("/api/games", request);
/** @type {(id: string, invite: string, name?: string) => Promise<Schemas["Joined"]>} */
export const join = (id, invite, name) => post(game(id, "/join"), { invite, name });
/** @type {(id: string, token: string) => Promise<View>} */
export const view = (id, token) => get(game(id), { token });
/** @type {(id: string, token: string, ships: string[]) => Promise<View>} */
export const layout = (id, token, ships) => post(game(id, "/layout"), { ships }, { token });
/** @type {(id: string, token: string, cell: string, number: number) => Promise<View>} */
export const fire = (id, token, cell, number) => post(game(id, "/shots"), { cell, number }, { token });
/** @type {(id: string, token: string) => Promise<View>} */
export const resign = (id, token) => post(game(id, "/resign"), {}, { token });
/** @type {(id: string, token: string) => Promise<Schemas["Rematch"]>} */
export const rematch = (id, token) => post(game(id, "/rematch"), {}, { token });
/** @type {(id: string, token: string, signal?: AbortSignal) => Promise<OddsOut>} */
export const gameOdds = (id, token, signal) => get(game(id, "/odds"), { token, signal });
/** @type {(id: string, token: string, signal?: AbortSignal) => Promise<Schemas["ReviewOut"]>} */
export const review = (id, token, signal) => get(game(id, "/review"), { token, signal });
/** @type {(id: string, invite: string) => Promise<Schemas["InvitationOut"]>} */
export const invitation = (id, invite) => post(game(id, "/invitation"), { invite });
/** @type {(id: string, signal?: AbortSignal) => Promise<Schemas["WatchOut"]>} */
export const watch = (id, signal) => get(`/api/watch/${encodeURIComponent(id)}`, { signal });

/** @type {() => Promise<Schemas["HistoryMade"]>} */
export const makeHistory = () => post("/api/history/new", {});
/** @type {(token: string) => Promise<Schemas["HistoryOut"]>} */
export const history = (token) => get("/api/history", { token });
/** @type {(token: string, changes: Schemas["HistoryIn"]) => Promise<Schemas["HistoryOut"]>} */
export const addHistory = (token, changes) => post("/api/history", changes, { token });

/** @type {(id: string) => Promise<Schemas["ReplayOut"]>} */
export const replay = (id) => get(replayPath(id));
/** @type {(id: string, side: string) => Promise<Schemas["ReviewOut"]>} */
export const replayReview = (id, side) => get(replayPath(id, `/review?side=${side}`));

/** The address of a position's picture. */
export const picture = (rules, shots, format, weights) => `/api/picture?${new URLSearchParams({ ...rules, shots, format, ...(weights ? { weights } : {}) })}`;
/**
 * The events of a campaign as they come, `{event, data}`. Not an EventSource, since that hides why a campaign is refused,
 * and starts one that is cut off all over again.
 */
export async function* campaign(rules, settings, signal) {
  yield* events(`/api/campaign?${new URLSearchParams({ ...settings, ...rules })}`, { signal });
}

/**
 * The shots to go of a position, as they are refined.
 * @param {RulesRequest} rules @param {string} shots @param {AbortSignal} signal @param {string | null} [weights] how the opponent hides
 * @returns {AsyncGenerator<{event: string, data: BestTable}>}
 */
export async function* best(rules, shots, signal, weights) {
  yield* events("/api/best", position(rules, shots, signal, weights));
}

/**
 * A review in shots, shot by shot and then as a whole.
 * @param {RulesRequest} rules @param {string} shots @param {AbortSignal} signal
 * @returns {AsyncGenerator<{event: string, data: any}>}
 */
export async function* reviewShots(rules, shots, signal) {
  yield* events("/api/review", position(rules, shots, signal));
}

const position = (rules, shots, signal, weights = null) => ({
  method: "POST",
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify({ rules, shots, weights }),
  signal,
});

async function* events(path, init) {
  const response = await send(path, { ...init, cache: "no-store" });
  if (!response.ok) await read(response);
  for await (const block of blocks(response)) {
    const line = (name) =>
      block
        .split("\n")
        .find((text) => text.startsWith(name))
        ?.slice(name.length)
        .trim();
    if (line("data:")) yield { event: line("event:"), data: JSON.parse(line("data:")) };
  }
}

/** A text that comes bit by bit, cut at its empty lines. */
async function* blocks(response) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let rest = ""; ;) {
    const { value, done } = await received(reader);
    if (done) return;
    const parts = (rest + value).split("\n\n");
    rest = parts.pop();
    yield* parts;
  }
}

async function received(reader) {
  try {
    return await reader.read();
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ApiError(0, OFFLINE);
  }
}

/** The address of a game's live views. */
export const live = (id) => new URL(game(id, "/live"), location.href.replace(/^http/, "ws")).href;

/** @typedef {{captains: Schemas["CaptainOut"][], ladder: Schemas["RungOut"][], bots: string[], tournament: boolean, weights: FullRules | null, presets: Schemas["PresetOut"][], limits: Schemas["Limits"]}} Catalogue */
/** @type {Promise<Catalogue> | null} */
let known = null;
/** Captains and presets, which never change while the server runs: asked for once. */
export function catalogue() {
  known ??= Promise.all([captains(), presets()]).then(([{ captains: list, ladder, bots = [], tournament = false, weights = null }, { presets: rules, limits }]) => {
    learn(rungs(ladder));
    return { captains: list, ladder, bots, tournament, weights, presets: rules, limits };
  });
  known.catch(() => {
    known = null;
  });
  return known;
}
