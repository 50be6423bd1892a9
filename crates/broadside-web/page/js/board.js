// The board of every view: an ARIA grid with one tab stop, and the ships beneath its cells.

import { attribute, el, write } from "./dom.js";
import { heat, hottest } from "./heat.js";
import { percent, t } from "./i18n.js";
import { cellAt, cellName, rowName, shipCellNames, shipName } from "./notation.js";
import { figure } from "./words.js";

const NONE = new Set();

/**
 * What a board shows.
 * @typedef {Object} Picture
 * @property {Map<string, string>} [states] cell → miss, hit, sunk, rock, untold or counted
 * @property {DrawnShip[]} [ships] kind: own, sunk, ghost, bad, revealed
 * @property {number[][] | null} [odds] the heat map
 * @property {boolean} [isEstimate] whether the odds are an estimate, which has fewer digits
 * @property {Set<string>} [best] cells to recommend
 * @property {string | null} [last] the latest shot
 * @property {string | null} [aim] the cell aimed at
 * @property {Set<string>} [wrong] cells of a contradiction
 * @property {Set<string>} [blocked] cells where nothing may lie
 * @property {Set<string>} [water] cells where no ship can lie, though nobody has fired there
 * @property {(row: number, col: number) => {colour: string, ink: string, text: string, label: string} | null} [paint] another
 *   heat map in place of the chances
 */

export class Board {
  /**
   * @param {{id: string, label: string, rows: number, cols: number, open?: string,
   *   onCell?: (cell: string, event: Event) => void, onKey?: (event: KeyboardEvent, cell: string) => void,
   *   onMove?: (cell: string) => void}} options `open` names a cell that nothing is known of
   */
  constructor(options) {
    this.options = options;
    this.cells = new Map();
    this.hulls = el("div", { class: "hulls", "aria-hidden": "true" });
    this.grid = this.#makeGrid();
    this.element = el("div", { class: "board-box" }, this.hulls, this.grid);
    this.element.classList.toggle("dense", options.cols > 12);
    this.element.classList.toggle("denser", options.cols > 20);
    this.element.style.setProperty("--rows", String(options.rows));
    this.element.style.setProperty("--cols", String(options.cols));
    this.focused = "A1";
    this.cells.get("A1").tabIndex = 0;
    this.#listen();
  }

  #makeGrid() {
    const { id, label, rows, cols, onCell } = this.options;
    const numbers = Array.from({ length: cols }, (_, c) => el("span", { class: "head", role: "columnheader", text: c + 1 }));
    const head = el(
      "div",
      { class: "board-row", role: "row" },
      el("span", { class: "head", role: "presentation" }),
      numbers,
    );
    const lines = Array.from({ length: rows }, (_, r) => this.#makeRow(r));
    const kind = onCell ? "board live" : "board";
    return el(
      "div",
      { id, class: kind, role: "grid", "aria-label": label, "aria-rowcount": rows, "aria-colcount": cols },
      head,
      lines,
    );
  }

  #makeRow(row) {
    const letters = el("span", { class: "head", role: "rowheader", text: rowName(row) });
    const cells = Array.from({ length: this.options.cols }, (_, col) => this.#makeCell(cellName(row, col)));
    return el("div", { class: "board-row", role: "row" }, letters, cells);
  }

  #makeCell(name) {
    const cell = el("div", {
      class: "cell",
      role: "gridcell",
      tabindex: -1,
      data: { cell: name, state: "open" },
      "aria-label": name,
    });
    this.cells.set(name, cell);
    return cell;
  }

  #listen() {
    const named = (event) => event.target.closest("[data-cell]")?.dataset.cell;
    this.grid.addEventListener("click", (event) => {
      const cell = named(event);
      if (!cell) return;
      this.#rove(cell);
      this.options.onCell?.(cell, event);
    });
    this.grid.addEventListener("focusin", (event) => {
      const cell = named(event);
      if (cell) this.#rove(cell);
    });
    this.grid.addEventListener("keydown", (event) => this.#key(event, named(event)));
  }

  #key(event, cell) {
    if (!cell || event.altKey || event.metaKey) return;
    const next = this.#next(event, cellAt(cell));
    if (next) {
      event.preventDefault();
      this.focus(next);
      this.options.onMove?.(next);
    } else if (!event.ctrlKey && (event.key === "Enter" || event.key === " ")) {
      event.preventDefault();
      this.options.onCell?.(cell, event);
    } else {
      this.options.onKey?.(event, cell);
    }
  }

  /** Where a key leads from a cell, as the ARIA pattern for grids has it; null for other keys. */
  #next({ key, ctrlKey }, { row, col }) {
    const { rows, cols } = this.options;
    const home = ctrlKey ? [0, 0] : [row, 0];
    const end = ctrlKey ? [rows - 1, cols - 1] : [row, cols - 1];
    const to = {
      ArrowUp: [row - 1, col],
      ArrowDown: [row + 1, col],
      ArrowLeft: [row, col - 1],
      ArrowRight: [row, col + 1],
      Home: home,
      End: end,
      PageUp: [0, col],
      PageDown: [rows - 1, col],
    }[key];
    return to ? cellName(clamp(to[0], rows), clamp(to[1], cols)) : null;
  }

  #rove(cell) {
    this.cells.get(this.focused).tabIndex = -1;
    this.cells.get(cell).tabIndex = 0;
    this.focused = cell;
  }

  focus(cell = this.focused) {
    this.cells.get(cell)?.focus({ preventScroll: false });
  }

  /** The cell at a point of the window, as `{row, col}`, which may lie outside the grid. */
  at(x, y) {
    const box = this.cells.get("A1").getBoundingClientRect();
    return { row: Math.floor((y - box.top) / box.height), col: Math.floor((x - box.left) / box.width) };
  }

  /** @param {Picture} picture */
  draw(picture) {
    this.picture = picture;
    const { states = new Map(), ships = [], odds = null } = picture;
    const cellsOf = (...kinds) => new Set(ships.filter(({ kind }) => kinds.includes(kind)).flatMap(shipCellNames));
    const [occupied, wrecks] = [cellsOf("own", "sunk"), cellsOf("sunk")];
    const most = odds && hottest(odds, (r, c) => !states.has(cellName(r, c)));
    for (const [name, cell] of this.cells) {
      const state = states.get(name) ?? (occupied.has(name) ? "ship" : "open");
      const chance = odds && !states.has(name) ? this.#chance(odds, name) : null;
      this.#drawCell(cell, name, state, chance, most, picture);
      attribute(cell, "data-wreck", wrecks.has(name));
    }
    this.#drawHulls(ships);
  }

  /** A ship that has just sunk goes down; those that lay there before stay as they are. */
  #drawHulls(ships) {
    const sunk = new Set(ships.filter(({ kind }) => kind === "sunk").map(shipName));
    const isNew = (ship) => ship.kind === "sunk" && this.sunk && !this.sunk.has(shipName(ship));
    this.hulls.replaceChildren(...ships.map((ship) => hull(ship, isNew(ship))));
    this.sunk = sunk;
  }

  #chance(odds, name) {
    const { row, col } = cellAt(name);
    return odds[row][col];
  }

  #drawCell(cell, name, state, chance, most, picture) {
    const { best = NONE, last = null, aim = null, wrong = NONE, blocked = NONE, water = NONE } = picture;
    cell.dataset.state = state;
    attribute(cell, "data-best", best.has(name));
    attribute(cell, "data-last", last === name);
    attribute(cell, "data-aim", aim === name);
    attribute(cell, "data-wrong", wrong.has(name));
    attribute(cell, "data-blocked", blocked.has(name));
    attribute(cell, "data-water", state === "open" && water.has(name));
    attribute(cell, "data-chance", chance === null ? null : chance.toFixed(4));
    const { row, col } = cellAt(name);
    const paint = state === "open" ? picture.paint?.(row, col) : null;
    const warm = paint ?? (chance === null ? null : heat(most > 0 ? chance / most : 0));
    write(cell, paint?.text ?? (chance === null ? "" : figure(chance, picture.isEstimate ? 0 : 1)));
    cell.style.backgroundColor = warm?.colour ?? "";
    cell.style.color = warm?.ink ?? "";
    attribute(cell, "aria-label", [name, ...this.#notes(name, state, chance, picture, paint)].join(", "));
  }

  /** What a screen reader says of a cell, beside its name. */
  #notes(name, state, chance, { best = NONE, last = null, wrong = NONE, water = NONE, isEstimate = false }, paint) {
    const open = water.has(name) ? t("cell.noShip") : (this.options.open ?? t("cell.open"));
    return [
      state === "open" ? open : t(`cell.${state}`),
      chance !== null && percent(chance, isEstimate ? 0 : 1),
      paint?.label,
      best.has(name) && t("cell.best"),
      last === name && t("cell.last"),
      wrong.has(name) && t("cell.wrong"),
    ].filter(Boolean);
  }

  /** Draws the same again, for new colours. */
  redraw() {
    if (this.picture) this.draw(this.picture);
  }
}

function clamp(value, size) {
  return Math.min(size - 1, Math.max(0, value));
}

/** A ship under the cells. Its place is given as custom properties, since styles in markup are forbidden. */
function hull({ row, col, length, vertical, kind }, isNew) {
  const element = el("div", { class: `hull ${kind}` });
  element.classList.toggle("going-down", isNew);
  element.classList.toggle("vertical", vertical);
  element.classList.toggle("single", length === 1);
  element.style.setProperty("--row", row);
  element.style.setProperty("--col", col);
  element.style.setProperty("--high", vertical ? length : 1);
  element.style.setProperty("--wide", vertical ? 1 : length);
  return element;
}

/** Lets the room for boards of this size be cut to their shape. */
export function shape(element, { rows, cols }) {
  element.style.setProperty("--ratio", (cols / rows).toFixed(3));
}

/** The ships of a side as small hulls, the sunk ones struck through. */
export function fleetStrip(ships, label) {
  const items = ships.map(({ length, sunk }) => {
    const item = el("li", { class: sunk ? "gone" : null, "aria-label": sunk ? t("fleet.sunk", { length }) : String(length) });
    item.append(...Array.from({ length }, () => el("i")));
    return item;
  });
  return el("ul", { class: "fleet", "aria-label": label }, items);
}
