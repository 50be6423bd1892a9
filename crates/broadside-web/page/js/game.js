// A game from its first view to its last: shows placing, waiting or the battle, as the server's views say.

import * as api from "./api.js";
import { Battle } from "./battle.js";
import { Board } from "./board.js";
import { el, write } from "./dom.js";
import * as habits from "./habits.js";
import * as history from "./history.js";
import { t } from "./i18n.js";
import { Live } from "./live.js";
import { rockStates } from "./marks.js";
import { parseShip } from "./notation.js";
import { message } from "./notice.js";
import { FIRST_LEVEL, nextLevel, playerName } from "./opponents.js";
import { Placing } from "./placing.js";
import { presetOf, rulesLine } from "./rules-form.js";
import * as router from "./router.js";
import { invitation } from "./invitation.js";
import * as store from "./store.js";
import { uploadSoon } from "./sync.js";

const PHASES = ["waiting", "placing", "playing", "over"];

/** Whether a view tells no less than another: answers and live views may overtake each other. */
export function isNewer(view, than) {
  const rank = ({ phase, order, you, opponent, next }) => [
    PHASES.indexOf(phase),
    order.length,
    Number(you.placed) + Number(opponent.placed),
    Number(Boolean(next)),
  ];
  const [a, b] = [rank(view), rank(than)];
  const differs = a.findIndex((value, i) => value !== b[i]);
  return differs < 0 || a[differs] > b[differs];
}

/** Keeps a finished game in the history, and lets the adaptive opponent follow the result. */
export async function remember(view) {
  const { presets, ladder } = await api.catalogue();
  const { adaptive = false, recorded = false } = store.game(view.id) ?? {};
  // Whoever has removed a game from the history may still look at it.
  if (recorded) return;
  store.keepGame(view.id, { recorded: true });
  habits.keep(view);
  const isNew = history.record(history.entryOf(view, { adaptive, preset: presetOf(presets, view.rules), ended: Date.now() }));
  if (isNew && adaptive) {
    store.prefer("level", nextLevel(store.preference("level", FIRST_LEVEL), view.winner === "you", ladder.length));
  }
  if (isNew) uploadSoon();
}

export async function game({ main, parts: [id] }) {
  const kept = store.game(id);
  if (!kept) {
    message(main, t("game.notHere"), t("game.notHereWhy"));
    return { title: t("game.title") };
  }
  if (kept.pass) {
    router.swap("pass", [id]);
    return { title: t("game.title") };
  }
  const session = new Session(main, id, kept.token);
  await api.catalogue();
  await session.start();
  return { title: session.title(), destroy: () => session.destroy() };
}

/**
 * What is shown of a game: placing, waiting or the battle.
 * @typedef {{element: HTMLElement, update?: (view: View) => void, focus?: () => void, redraw?: () => void,
 *   destroy?: () => void, invite?: HTMLElement, setPresence?: (here: boolean) => void}} Part
 */

/** One game in one page. */
class Session {
  /** @param {HTMLElement} main @param {string} id @param {string} token */
  constructor(main, id, token) {
    this.main = main;
    this.id = id;
    this.token = token;
    /** @type {View | null} */
    this.view = null;
    /** @type {Part | null} */
    this.part = null;
    this.connection = el("p", { id: "connection", class: "connection", role: "status", hidden: true });
    this.place = el("div", { class: "game" });
    this.recolour = () => this.part?.redraw?.();
  }

  async start() {
    try {
      this.#receive(await api.view(this.id, this.token));
    } catch (error) {
      if ([401, 403, 404].includes(error.status)) store.forgetGame(this.id);
      throw error;
    }
    this.main.replaceChildren(this.connection, this.place);
    document.addEventListener("themechange", this.recolour);
    this.live = new Live(this.id, this.token, {
      onView: (view) => this.#receive(view),
      onState: (state) => this.#connected(state),
      onPresence: (here) => this.#presence(here),
    });
  }

  destroy() {
    document.removeEventListener("themechange", this.recolour);
    this.live?.close();
    this.part?.destroy?.();
  }

  title() {
    const { opponent, phase, turn } = this.view;
    if (phase === "playing" && turn === "you") return t("game.yourTurn");
    return opponent.joined ? t("game.against", { name: playerName(opponent) }) : t("game.two");
  }

  #connected(state) {
    this.connection.textContent = state === "open" ? "" : t(`connection.${state}`);
    this.connection.hidden = state === "open";
  }

  #presence(here) {
    this.here = here;
    if (here) store.keepGame(this.id, { met: true });
    this.part?.setPresence?.(here);
  }

  /** @param {View} view */
  #receive(view) {
    if (this.view && !isNewer(view, this.view)) return;
    this.view = view;
    store.summarise(view);
    if (view.phase === "over") void remember(view);
    this.#show();
    if (this.main.isConnected) document.title = `${this.title()} – Broadside`;
  }

  #show() {
    const part = partOf(this.view);
    const isFirst = this.shown === undefined;
    const changes = part !== this.shown;
    if (changes) this.#change(part);
    this.#invite();
    this.part.update?.(this.view);
    if (changes && this.here !== undefined) this.part.setPresence?.(this.here);
    // At first the page's own way of setting the focus holds.
    if (changes && !isFirst) this.part.focus ? this.part.focus() : this.place.querySelector("h1").focus();
  }

  #change(part) {
    this.part?.destroy?.();
    this.shown = part;
    this.part = this.#make(part);
    const heading = el("h1", {
      tabindex: "-1",
      class: part === "battle" ? "visually-hidden" : null,
      text: HEADINGS[part](this.view),
    });
    this.place.replaceChildren(heading, this.part.element);
  }

  /** @param {string} part @returns {Part} */
  #make(part) {
    if (part === "placing") {
      const place = async (ships) => this.#receive(await api.layout(this.id, this.token, ships));
      const placing = new Placing(this.view.rules, place, undefined, () => this.view.opponent.captain).whole();
      void placing.deal();
      return placing;
    }
    if (part === "waiting") return new Waiting(this.view);
    return new Battle(this.id, this.token, (view) => this.#receive(view));
  }

  /** The link to send, until someone has come by it. */
  #invite() {
    const { invite } = store.game(this.id) ?? {};
    const place = this.part.invite;
    const wanted = this.view.phase === "waiting" && invite;
    if (!place || place.hasChildNodes() === Boolean(wanted)) return;
    place.replaceChildren(...(wanted ? [invitation(this.id, invite, this.view)] : []));
  }
}

/** The fleet is placed, the other's is not. */
class Waiting {
  /** @param {View} view */
  constructor({ id, rules, you }) {
    this.id = id;
    this.invite = el("div");
    this.status = el("p", { id: "status", role: "status" });
    this.steps = el("ol", { class: "states", id: "states", "aria-label": t("waiting.states") });
    const board = new Board({ id: "own-board", label: t("board.yours"), rows: rules.rows, cols: rules.cols, open: t("cell.water") });
    board.draw({ states: rockStates(rules), ships: you.ships.map((ship) => ({ ...parseShip(ship), kind: "own" })) });
    const line = el("p", { class: "small soft", text: rulesLine(rules) });
    this.element = el("section", { class: "waiting" }, this.status, this.steps, this.invite, board.element, line);
  }

  /** @param {View} view */
  update(view) {
    this.view = view;
    const { opponent } = view;
    write(this.status, opponent.joined ? t("waiting.placing", { name: playerName(opponent) }) : t("waiting.joining"));
    this.#drawSteps();
  }

  setPresence(here) {
    this.here = here;
    this.#drawSteps();
  }

  /** Joined, here or away, placed: what has happened and what is waited for. */
  #drawSteps() {
    const { opponent } = this.view;
    const name = playerName(opponent);
    const { rematch, met } = store.game(this.id) ?? {};
    const joined = rematch === "asked" ? t(met || this.here ? "waiting.accepted" : "waiting.asked", { name }) : t("waiting.joined", { name });
    const steps = opponent.joined
      ? [joined, this.here === undefined ? "" : t(this.here ? "waiting.here" : "waiting.away", { name }), t("waiting.notPlaced", { name })]
      : [t("waiting.notJoined")];
    this.steps.replaceChildren(...steps.filter(Boolean).map((text) => el("li", { text })));
  }
}

const HEADINGS = {
  placing: () => t("placing.title"),
  waiting: () => t("waiting.title"),
  battle: ({ opponent }) => t("game.against", { name: playerName(opponent) }),
};

function partOf({ phase, you }) {
  if (phase === "playing" || phase === "over") return "battle";
  return you.placed ? "waiting" : "placing";
}
