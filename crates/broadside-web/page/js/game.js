// A game from its first view to its last: shows placing, waiting or the battle, as the server's views say.

import * as api from "./api.js";
import { Battle } from "./battle.js";
import { Board } from "./board.js";
import { el, write } from "./dom.js";
import { Live } from "./live.js";
import { parseShip } from "./notation.js";
import { message } from "./notice.js";
import { Placing } from "./placing.js";
import { rulesLine } from "./rules-form.js";
import * as router from "./router.js";
import { linkBox } from "./share.js";
import * as store from "./store.js";

const PHASES = ["waiting", "placing", "playing", "over"];

/** Whether a view tells no less than another: answers and live views may overtake each other. */
function isNewer(view, than) {
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

export async function game({ main, parts: [id] }) {
  const kept = store.game(id);
  if (!kept) {
    message(
      main,
      "This game is not in this browser",
      "A game can be played only where it was made or joined. A finished game can be shared by its replay link.",
    );
    return { title: "Game" };
  }
  const session = new Session(main, id, kept.token);
  await session.start();
  return { title: session.title(), destroy: () => session.destroy() };
}

/**
 * What is shown of a game: placing, waiting or the battle.
 * @typedef {{element: HTMLElement, update?: (view: View) => void, focus?: () => void, redraw?: () => void,
 *   destroy?: () => void, invite?: HTMLElement}} Part
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
    });
  }

  destroy() {
    document.removeEventListener("themechange", this.recolour);
    this.live?.close();
    this.part?.destroy?.();
  }

  title() {
    return this.view.opponent.joined ? `You against ${this.view.opponent.name}` : "Two players";
  }

  #connected(state) {
    const words = { open: "", lost: "Connection lost, trying again …", refused: "The server no longer knows this game." };
    this.connection.textContent = words[state];
    this.connection.hidden = state === "open";
  }

  /** @param {View} view */
  #receive(view) {
    if (this.view && !isNewer(view, this.view)) return;
    this.view = view;
    store.summarise(view);
    this.#show();
  }

  #show() {
    const part = partOf(this.view);
    const isFirst = this.shown === undefined;
    const changes = part !== this.shown;
    if (changes) this.#change(part);
    this.#invite();
    this.part.update?.(this.view);
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
    if (part === "placing")
      return new Placing(this.view.rules, async (ships) => this.#receive(await api.layout(this.id, this.token, ships)));
    if (part === "waiting") return new Waiting(this.view);
    return new Battle(this.id, this.token, (view) => this.#receive(view));
  }

  /** The link to send, until someone has come by it. */
  #invite() {
    const { invite } = store.game(this.id) ?? {};
    const place = this.part.invite;
    const wanted = this.view.phase === "waiting" && invite;
    if (!place || place.hasChildNodes() === Boolean(wanted)) return;
    place.replaceChildren(...(wanted ? [invitation(this.id, invite, this.view.rules)] : []));
  }
}

/** The fleet is placed, the other's is not. */
class Waiting {
  constructor({ rules, you }) {
    this.invite = el("div");
    this.status = el("p", { id: "status", role: "status" });
    const board = new Board({ id: "own-board", label: "Your board", rows: rules.rows, cols: rules.cols, open: "water" });
    board.draw({ ships: you.ships.map((ship) => ({ ...parseShip(ship), kind: "own" })) });
    this.element = el("section", { class: "waiting" }, this.status, this.invite, board.element);
  }

  update({ opponent }) {
    write(
      this.status,
      opponent.joined ? `Waiting for ${opponent.name} to place their fleet …` : "Waiting for someone to join …",
    );
  }
}

const HEADINGS = {
  placing: () => "Place your fleet",
  waiting: () => "Your fleet is ready",
  battle: ({ opponent }) => `You against ${opponent.name}`,
};

function partOf({ phase, you }) {
  if (phase === "playing" || phase === "over") return "battle";
  return you.placed ? "waiting" : "placing";
}

function invitation(id, invite, rules) {
  return el(
    "section",
    { class: "card invitation" },
    el("h2", { text: "Invite your opponent" }),
    el("p", { class: "small", text: "Send this link to one person. It works once." }),
    linkBox("invite-link", "Link for your opponent", router.link("join", [id, invite])),
    el("p", { class: "small soft", text: rulesLine(rules) }),
  );
}
