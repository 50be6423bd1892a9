// Placing a fleet: by dragging, by taps, by keyboard or at random.

import * as api from "./api.js";
import { Board, shape } from "./board.js";
import { attribute, button, el, write } from "./dom.js";
import { Fleet } from "./fleet.js";
import { has, number, t } from "./i18n.js";
import { rockStates } from "./marks.js";
import { parseCell, shipName } from "./notation.js";
import { asRequest } from "./rules-form.js";

/** Pixels that a pointer may tremble before it is a drag. */
const TREMBLE = 6;
/** Two taps within this many milliseconds turn a ship. */
const DOUBLE = 400;

export class Placing {
  /**
   * @param {FullRules} rules
   * @param {(ships: string[]) => Promise<void>} onStart
   * @param {string} startLabel
   * @param {() => string | null} against the captain to hide from; null for a person
   */
  constructor(rules, onStart, startLabel = t("placing.start"), against = () => null) {
    this.against = against;
    this.rules = rules;
    this.onStart = onStart;
    this.fleet = new Fleet(rules);
    this.over = null;
    this.drag = null;
    this.allowed = true;
    this.picked = { index: -1, time: 0 };
    this.#make(startLabel);
    shape(this.element, rules);
    this.#listen();
    this.#draw();
  }

  #make(startLabel) {
    this.board = this.#makeBoard();
    this.items = this.fleet.ships.map((ship, index) => dockItem(ship, index));
    this.dock = el(
      "ul",
      { class: "dock", id: "dock", "aria-label": t("placing.dock") },
      this.items.map((item) => el("li", {}, item)),
    );
    this.status = el("p", { id: "status", role: "status" });
    this.problem = el("p", { class: "problem", id: "problem", role: "alert" });
    this.worth = el("p", { class: "small", id: "worth", role: "status" });
    this.start = button("start", startLabel, () => this.#start(), { class: "primary" });
    this.rotate = button("rotate", t("placing.rotate"), () => this.#rotate(), { "aria-keyshortcuts": "r" });
    const actions = el(
      "div",
      { class: "actions" },
      this.start,
      button("random", t("placing.random"), () => this.deal()),
      (this.hide = button("hide-well", t("placing.hide"), () => this.#hideWell(), { title: t("placing.hideAbout") })),
      this.rotate,
      button("clear", t("placing.clear"), () => this.#clear()),
    );
    const help = el("p", { class: "small soft placing-help", text: t("placing.help") });
    this.invite = el("div", { class: "invite" });
    this.boardBox = el("div", { class: "placing-board" }, this.board.element);
    this.controls = el("div", { class: "placing-side" }, this.status, actions, this.worth, this.dock, this.problem, help);
    this.element = el("section", { class: "placing" });
  }

  #makeBoard() {
    const { rows, cols } = this.rules;
    const board = new Board({
      id: "placing-board",
      label: t("board.yours"),
      rows,
      cols,
      open: t("cell.water"),
      onCell: (cell, event) => {
        if (event.type === "keydown") this.#enter(parseCell(cell));
      },
      onMove: (cell) => this.#hover(parseCell(cell), true),
      onKey: (event) => this.#key(event),
    });
    board.grid.classList.add("live");
    return board;
  }

  /** As a view of its own, with the board and all that belongs to it. */
  whole() {
    this.element.replaceChildren(this.invite, this.boardBox, this.controls);
    return this;
  }

  /** Whether the game may be started. */
  allow(allowed) {
    this.allowed = allowed;
    this.#draw();
  }

  #listen() {
    const { grid } = this.board;
    for (const area of [grid, this.dock]) area.addEventListener("pointerdown", (event) => this.#press(event));
    grid.addEventListener("pointermove", (event) => {
      if (!this.drag && event.pointerType === "mouse") this.#hover(this.board.at(event.clientX, event.clientY));
    });
    grid.addEventListener("pointerleave", () => {
      if (!this.drag) this.#hover(null);
    });
    grid.addEventListener("contextmenu", (event) => {
      event.preventDefault();
      this.#rotate(parseCell(targetOf(event).dataset.cell ?? ""));
    });
    this.dock.addEventListener("click", (event) => {
      if (event.detail === 0) this.#choose(targetOf(event).closest("[data-ship]"));
    });
    this.moves = (event) => this.#move(event);
    this.lifts = (event) => this.#lift(event);
    this.cancels = () => this.#cancel();
    // While a ship is dragged the focus may be anywhere.
    this.turns = (event) => {
      if (this.drag && !event.defaultPrevented && event.key.toLowerCase() === "r") this.#rotate();
    };
    window.addEventListener("pointermove", this.moves);
    window.addEventListener("pointerup", this.lifts);
    window.addEventListener("pointercancel", this.cancels);
    window.addEventListener("keydown", this.turns);
  }

  destroy() {
    window.removeEventListener("pointermove", this.moves);
    window.removeEventListener("pointerup", this.lifts);
    window.removeEventListener("pointercancel", this.cancels);
    window.removeEventListener("keydown", this.turns);
  }

  // Pointers: a press may become a drag or stay a tap.

  #press(event) {
    if (event.button !== 0 || this.busy) return;
    const cell = event.target.closest("[data-cell]");
    const item = event.target.closest("[data-ship]");
    if (!cell && !item) return;
    const at = cell && parseCell(cell.dataset.cell);
    const ship = item ? { index: Number(item.dataset.ship), grip: 0 } : this.fleet.shipAt(at.row, at.col);
    this.drag = { id: event.pointerId, x: event.clientX, y: event.clientY, at, ship, moving: false };
    event.target.releasePointerCapture?.(event.pointerId);
  }

  #move(event) {
    const { drag } = this;
    if (!drag || event.pointerId !== drag.id || !drag.ship) return;
    const far = Math.hypot(event.clientX - drag.x, event.clientY - drag.y) > TREMBLE;
    if (!drag.moving && far) {
      drag.moving = true;
      if (this.fleet.hand?.index !== drag.ship.index) this.fleet.pickUp(drag.ship.index, drag.ship.grip);
    }
    if (drag.moving) this.#hover(this.#near(this.board.at(event.clientX, event.clientY)));
  }

  /** A point well outside the board is nowhere. */
  #near({ row, col }) {
    const { rows, cols } = this.rules;
    return row < -1 || col < -1 || row > rows || col > cols ? null : { row, col };
  }

  #lift(event) {
    const { drag } = this;
    if (!drag || event.pointerId !== drag.id) return;
    this.drag = null;
    if (drag.moving) this.#drop();
    else if (drag.at) this.#tap(drag.at, drag.ship);
    else this.#choose(this.dock.querySelector(`[data-ship="${drag.ship.index}"]`));
  }

  #cancel() {
    if (this.drag?.moving) this.fleet.letGo();
    this.drag = null;
    this.#draw();
  }

  #drop() {
    const problem = this.over ? this.fleet.putDown(this.over) : null;
    if (this.fleet.hand) this.fleet.letGo();
    this.#after(problem);
  }

  #tap(at, ship) {
    const { hand } = this.fleet;
    if (ship) this.#pick(ship);
    else if (hand?.from && this.#isSecondTap(at)) this.#turnHeld();
    else if (hand) this.#after(this.fleet.putDown(at));
  }

  #pick({ index, grip }) {
    this.fleet.pickUp(index, grip);
    this.picked = { index, time: performance.now() };
    this.#draw();
  }

  /** Whether a tap is on the ship that the tap just before has taken. */
  #isSecondTap({ row, col }) {
    const { index, from } = this.fleet.hand;
    if (this.picked.index !== index || performance.now() - this.picked.time > DOUBLE) return false;
    const along = from.vertical ? row - from.row : col - from.col;
    return along >= 0 && along < this.fleet.ships[index].length && (from.vertical ? col === from.col : row === from.row);
  }

  #turnHeld() {
    const { index, grip } = this.fleet.hand;
    this.fleet.letGo();
    this.#after(this.fleet.turnPlaced(index, grip));
  }

  /** Takes a ship of the dock in hand. */
  #choose(item) {
    if (!item) return;
    this.fleet.pickUp(Number(item.dataset.ship));
    this.#draw();
  }

  // Keys.

  #enter(at) {
    const { hand } = this.fleet;
    const ship = this.fleet.shipAt(at.row, at.col);
    if (hand) this.#after(this.fleet.putDown(at));
    else if (ship) this.#pick(ship);
    this.#hover(at);
  }

  #key(event) {
    const key = event.key.toLowerCase();
    if (key === "r") this.#rotate(parseCell(this.board.focused));
    else if (key === "escape") this.#after((this.fleet.letGo(), null), false);
    else return;
    event.preventDefault();
  }

  #hover(at, speak = false) {
    this.over = at;
    this.#draw();
    if (speak && at && this.fleet.hand) write(this.status, this.#preview(at));
  }

  #preview(at) {
    const ship = this.fleet.candidate(at);
    const problem = this.fleet.problem(ship, this.fleet.hand.index);
    return problem ? t("placing.cant", { ship: shipName(ship), problem: t(problem) }) : t("placing.can", { ship: shipName(ship) });
  }

  // Buttons.

  /** Turns the ship in hand, else the one at a cell, else the one placed last. */
  #rotate(at = null) {
    if (this.fleet.hand) {
      this.fleet.turn();
      this.#draw();
      return;
    }
    const ship = at && this.fleet.shipAt(at.row, at.col);
    const index = ship?.index ?? this.fleet.latest;
    if (index !== null && this.fleet.ships[index].place) this.#after(this.fleet.turnPlaced(index, ship?.grip ?? 0));
  }

  /** Places the whole fleet at random. */
  async deal() {
    const ships = await this.#ask(() => api.deal(asRequest(this.rules)));
    if (!ships) return;
    this.fleet.set(ships);
    this.#after(null);
  }

  /** Places the fleet where the opponent looks late. */
  async #hideWell() {
    write(this.worth, t("placing.hiding"));
    const found = await this.#ask(() => api.hide(asRequest(this.rules), this.against()));
    write(this.worth, "");
    if (!found) return;
    this.fleet.set(found.ships);
    this.#after(null);
    const { captain, mean, uniform } = found.judged;
    write(this.worth, t("placing.worth", { captain: captain.replace("~", ""), mean: number(mean, 1), uniform: number(uniform, 1) }));
  }

  #clear() {
    this.fleet.clear();
    this.#after(null);
  }

  async #start() {
    if (this.fleet.isComplete()) await this.#ask(() => this.onStart(this.fleet.texts()));
  }

  async #ask(what) {
    this.busy = true;
    this.#draw();
    try {
      write(this.problem, "");
      return await what();
    } catch (error) {
      write(this.problem, error.message);
      return null;
    } finally {
      this.busy = false;
      this.#draw();
    }
  }

  #after(problem, next = true) {
    write(this.worth, "");
    write(this.problem, problem ? t("placing.notThere", { problem: t(problem) }) : "");
    if (next) this.fleet.pickNext();
    this.#draw();
  }

  // Drawing.

  #draw() {
    const { hand } = this.fleet;
    const ships = this.fleet.placed().map((ship) => ({ ...ship, kind: "own" }));
    if (hand && this.over) ships.push(this.#ghost());
    this.board.draw({ states: rockStates(this.rules), ships, blocked: hand ? this.fleet.blocked() : new Set() });
    this.board.grid.classList.toggle("holding", Boolean(hand));
    this.items.forEach((item, index) => this.#drawItem(item, index));
    this.hide.disabled = Boolean(this.busy);
    this.start.disabled = !this.fleet.isComplete() || Boolean(this.busy) || !this.allowed;
    this.dock.hidden = this.fleet.isComplete();
    this.rotate.disabled = !hand && this.fleet.latest === null;
    write(this.status, this.#advice());
  }

  #ghost() {
    const ship = this.fleet.candidate(this.over);
    return { ...ship, kind: this.fleet.problem(ship, this.fleet.hand.index) ? "bad" : "ghost" };
  }

  #drawItem(item, index) {
    const { length, name, place } = this.fleet.ships[index];
    const held = this.fleet.hand?.index === index;
    item.classList.toggle("placed", Boolean(place));
    attribute(item, "aria-pressed", String(held));
    const notes = [shipWord(name), t("count.cells", { n: length }), place && t("placing.placed"), held && t("placing.inHand")];
    attribute(item, "aria-label", notes.filter(Boolean).join(", "));
  }

  #advice() {
    const { hand } = this.fleet;
    if (!hand) return this.fleet.isComplete() ? t("placing.ready") : t("placing.choose");
    const { length, name } = this.fleet.ships[hand.index];
    return t(hand.vertical ? "placing.vertical" : "placing.flat", { ship: shipWord(name).toLowerCase(), n: length });
  }
}

/** The usual name of a ship, as the rules have it in English. */
function shipWord(name) {
  const key = `ship.${(name ?? "").toLowerCase().replace(/\W/g, "")}`;
  return name && has(key) ? t(key) : (name ?? t("ship"));
}

/**
 * The element that an event happened on.
 * @param {Event} event
 */
function targetOf(event) {
  return /** @type {HTMLElement} */ (event.target);
}

function dockItem({ length, name }, index) {
  const shape = el(
    "span",
    { class: "mini" },
    Array.from({ length }, () => el("i")),
  );
  return el(
    "button",
    { type: "button", class: "ship", data: { ship: index } },
    shape,
    el("span", { class: "small", text: name ? shipWord(name) : `${length}` }),
  );
}
