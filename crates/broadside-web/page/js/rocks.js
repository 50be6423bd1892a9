// Rocks as a text, and a board to choose them on.

import { Board, shape } from "./board.js";
import { el } from "./dom.js";
import { t } from "./i18n.js";
import { rockStates } from "./marks.js";
import { parseCell } from "./notation.js";

export class RocksEditor {
  constructor() {
    this.input = el("input", { id: "rocks", type: "text", autocomplete: "off", spellcheck: "false", placeholder: "C3,D4" });
    this.place = el("div");
    this.details = el("details", { id: "choose-rocks", on: { toggle: () => this.#draw() } }, el("summary", { text: t("rules.chooseRocks") }), this.place);
    this.input.addEventListener("input", () => this.#draw());
    this.size = { rows: 1, cols: 1 };
  }

  /** The cells that the text names. */
  get cells() {
    return this.input.value.toUpperCase().split(/[\s,;]+/).filter((word) => word && word !== "NONE");
  }

  /** As a request says it. */
  get text() {
    return this.cells.join(",") || "none";
  }

  /** @param {string} text */
  set text(text) {
    this.input.value = text === "none" ? "" : text;
    this.#draw();
  }

  /** For a board of this size. */
  resize(rows, cols) {
    if (rows === this.size.rows && cols === this.size.cols) return;
    this.size = { rows, cols };
    this.board = null;
    this.#draw();
  }

  /** Puts a rock there, or takes it away, as if it had been typed. */
  #turn(cell) {
    const { cells } = this;
    this.text = (cells.includes(cell) ? cells.filter((other) => other !== cell) : [...cells, cell]).join(",");
    this.input.dispatchEvent(new Event("input", { bubbles: true }));
  }

  #draw() {
    if (!this.details.open) return;
    if (!this.board) {
      this.board = new Board({ id: "rocks-board", label: t("rules.chooseRocks"), ...this.size, open: t("cell.water"), onCell: (cell) => this.#turn(cell) });
      this.place.replaceChildren(this.board.element);
      shape(this.place, this.size);
    }
    this.board.draw({ states: rockStates({ rocks: this.cells.filter(parseCell) }) });
  }
}
