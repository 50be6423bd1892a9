// The puzzle of the newspapers (Bimaru, Battleship Solitaire): the numbers say how many cells of each line hold a ship.

import * as api from "./api.js";
import { Board, fleetStrip, shape } from "./board.js";
import { dayOf } from "./daily-task.js";
import { attribute, button, el, write } from "./dom.js";
import { listed, t } from "./i18n.js";
import { rowName } from "./notation.js";
import { dailyPuzzle, Marked } from "./puzzle-model.js";
import * as router from "./router.js";
import { play } from "./sound.js";
import * as store from "./store.js";

const GRADES = ["easy", "medium", "hard", "expert"];
const SIZES = ["6x6", "8x8", "10x10", "12x12", "15x15"];
/** Keys that mark a cell without going through the others. */
const KEYS = { x: "ship", s: "ship", w: "water", "~": "water", Delete: null, Backspace: null };

export async function puzzle({ main, query }) {
  const asked = requestOf(query);
  const made = await api.puzzle(asked.request);
  const game = new PuzzleGame(made, asked.day, newPuzzleForm(asked.request));
  const heading = asked.day ? t("puzzle.ofDay", { day: asked.day }) : t("puzzle.title");
  main.replaceChildren(
    el("h1", { text: heading }),
    el("p", { class: "soft lead", text: t("puzzle.about") }),
    game.element,
  );
  return { title: t("puzzle.title") };
}

/** The puzzle that the address asks for; without a word on it, that of the day. */
function requestOf(query) {
  if (query.seed && GRADES.includes(query.grade) && /^\d{1,2}x\d{1,2}$/.test(query.board ?? "")) {
    return { day: null, request: { board: query.board, grade: query.grade, seed: Math.abs(Math.trunc(Number(query.seed))) || 0 } };
  }
  const day = /^\d{4}-\d\d-\d\d$/.test(query.day ?? "") ? query.day : dayOf(new Date());
  return { day, request: dailyPuzzle(day) };
}

/** Chooses size and grade of another puzzle. */
function newPuzzleForm({ board, grade }) {
  const options = (values, chosen, word) => values.map((value) => el("option", { value, text: word(value), selected: value === chosen }));
  const sizes = el("select", { id: "puzzle-board" }, options(SIZES, board, (size) => size.replace("x", "×")));
  const grades = el("select", { id: "puzzle-grade" }, options(GRADES, grade, (word) => t(`puzzle.grade.${word}`)));
  const make = () => router.go("puzzle", [], { board: sizes.value, grade: grades.value, seed: Math.floor(Math.random() * 2 ** 32) });
  return el(
    "section",
    { class: "card puzzle-new" },
    el("h2", { text: t("puzzle.another") }),
    el(
      "div",
      { class: "row" },
      el("label", {}, `${t("puzzle.size")} `, sizes),
      el("label", {}, `${t("puzzle.gradeLabel")} `, grades),
      button("puzzle-new", t("puzzle.make"), make),
      el("a", { class: "button", href: router.format("puzzle"), text: t("puzzle.today") }),
    ),
  );
}

class PuzzleGame {
  /** @param {Schemas["PuzzleOut"]} made @param {string | null} day @param {HTMLElement} another what leads to other puzzles */
  constructor(made, day, another) {
    this.made = made;
    const kept = store.preference("puzzle", null);
    this.marked = new Marked(made, kept?.puzzle === made.puzzle ? kept.marks : {});
    this.hint = null;
    this.isDone = false;
    this.board = new Board({
      id: "puzzle-board-grid",
      label: day ? t("puzzle.ofDay", { day }) : t("puzzle.title"),
      rows: made.rows,
      cols: made.cols,
      onCell: (cell) => this.#change(this.marked.turn(cell)),
      onKey: (event, cell) => this.#key(event, cell),
    });
    this.status = el("p", { id: "puzzle-status", role: "status" });
    this.apply = button("puzzle-apply", t("puzzle.fillIn"), () => this.#fillIn(), { hidden: true });
    this.#addCounts();
    this.element = el(
      "section",
      { class: "puzzle" },
      el(
        "div",
        { class: "puzzle-about" },
        el("p", { class: "small soft", text: `${t(`puzzle.grade.${made.grade}`)} · ${t("puzzle.howTo")}` }),
        fleetStrip(made.fleet.map((length) => ({ length, sunk: false })), t("puzzle.fleet")),
      ),
      this.board.element,
      el("div", { class: "puzzle-help" }, this.status, this.#buttons()),
      another,
    );
    shape(this.element, made);
    this.#draw();
    if (this.marked.mayBeDone) void this.#finish();
  }

  #buttons() {
    return el(
      "div",
      { class: "row" },
      button("puzzle-hint", t("puzzle.hint"), () => this.#ask(), { class: "primary" }),
      this.apply,
      button("puzzle-check", t("puzzle.check"), () => this.#check()),
      button("puzzle-undo", t("puzzle.undo"), () => this.#change(this.marked.undo())),
      button("puzzle-clear", t("puzzle.clear"), () => this.#change(this.marked.clear())),
    );
  }

  /** The numbers: at the end of each row, and below each column. */
  #addCounts() {
    const rows = [...this.board.grid.querySelectorAll("[role=row]")].slice(1);
    this.rowCounts = rows.map((row) => row.appendChild(el("span", { class: "head count", role: "rowheader" })));
    this.columnCounts = Array.from({ length: this.made.cols }, () => el("span", { class: "head count", role: "columnheader" }));
    const below = el("div", { class: "board-row", role: "row" }, el("span", { class: "head", role: "presentation" }), this.columnCounts);
    this.board.grid.append(below);
  }

  #key(event, cell) {
    if (!Object.hasOwn(KEYS, event.key) || event.ctrlKey) return;
    event.preventDefault();
    this.#change(this.marked.set([[cell, KEYS[event.key]]]));
  }

  #change(changed) {
    if (!changed || this.isDone) return;
    store.prefer("puzzle", { puzzle: this.made.puzzle, marks: this.marked.kept });
    this.#forgetHint();
    this.#draw();
    if (this.marked.mayBeDone) void this.#finish();
  }

  #forgetHint() {
    this.hint = null;
    this.apply.hidden = true;
    write(this.status, "");
  }

  /** What can be deduced next, in words, with its cells framed. */
  async #ask() {
    const hint = await this.#server();
    if (!hint) return;
    if (hint.kind === "wrong") return this.#showWrong(hint.wrong);
    if (hint.kind === "done") return this.#finish();
    this.hint = hint;
    this.apply.hidden = false;
    write(this.status, hintWords(hint));
    this.#draw();
  }

  async #check() {
    const hint = await this.#server();
    if (!hint) return;
    if (hint.kind === "wrong") this.#showWrong(hint.wrong);
    else write(this.status, t("puzzle.allRight"));
  }

  #showWrong(cells) {
    write(this.status, t("puzzle.wrong", { cells: listed(cells) }));
    this.#draw(new Set(cells));
  }

  /** Asks the server, and says what is wrong where that fails. @param {"water"} [rest] */
  async #server(rest) {
    this.#forgetHint();
    try {
      return await api.puzzleHint(this.made.puzzle, this.marked.text(rest));
    } catch (error) {
      write(this.status, error.message);
      return null;
    }
  }

  #fillIn() {
    if (!this.hint) return;
    const { ships, water } = this.hint;
    const all = (cells, guess) => cells.map((cell) => [cell, guess]);
    this.#change(this.marked.set([...all(ships, "ship"), ...all(water, "water")]));
    this.board.focus();
  }

  /** All numbers are met: with water everywhere else it is the solution, or something is wrong. */
  async #finish() {
    const hint = await this.#server("water");
    if (!hint || !this.marked.mayBeDone) return;
    if (hint.kind !== "done") return write(this.status, t("puzzle.notYet"));
    this.marked.set(this.marked.cells.filter((cell) => this.marked.at(cell) === null).map((cell) => [cell, "water"]));
    this.isDone = true;
    play("won");
    write(this.status, t("puzzle.solved"));
    this.#draw();
  }

  #draw(wrong = new Set()) {
    const states = new Map();
    for (const cell of this.marked.cells) {
      const at = this.marked.at(cell);
      if (at) states.set(cell, at === "ship" ? "found" : "sea");
    }
    const best = new Set(this.hint ? [...this.hint.ships, ...this.hint.water] : []);
    this.board.draw({ states, wrong, best });
    for (const [name, cell] of this.board.cells) {
      const given = this.marked.given.get(name);
      attribute(cell, "data-given", given ?? null);
      if (given) attribute(cell, "aria-label", [name, t(`puzzle.mark.${given}`)].join(", "));
    }
    this.rowCounts.forEach((element, row) => this.#drawCount(element, "row", row));
    this.columnCounts.forEach((element, column) => this.#drawCount(element, "column", column));
  }

  #drawCount(element, kind, index) {
    const { ships, wanted } = this.marked.line(kind, index);
    write(element, wanted === null ? "" : String(wanted));
    attribute(element, "data-met", wanted !== null && ships === wanted);
    attribute(element, "data-over", wanted !== null && ships > wanted);
    const label = kind === "row" ? rowName(index) : String(index + 1);
    attribute(element, "aria-label", t(`puzzle.count.${kind}`, { label, has: ships, wanted: wanted ?? "?" }));
  }
}

/** A hint in the reader's words. @param {Schemas["HintOut"]} hint */
function hintWords(hint) {
  const found = [
    hint.ships.length > 0 && t("puzzle.areShip", { cells: listed(hint.ships, 8) }),
    hint.water.length > 0 && t("puzzle.areWater", { cells: listed(hint.water, 8) }),
  ];
  const why = hint.technique ? whyWords(hint) : t("puzzle.look");
  return [why, ...found.filter(Boolean)].join(" ");
}

/** Why the hint's cells are what they are. @param {Schemas["HintOut"]} hint */
function whyWords({ technique = "", line, label, about, length, supposed_ship: ship }) {
  const name = line ? t(`puzzle.line.${line}`, { label: label ?? "" }) : "";
  const slug = technique === "what if" ? (ship ? "what-if-ship" : "what-if-water") : technique.replaceAll(" ", "-");
  return t(`puzzle.why.${slug}`, { line: name, about: about ?? "", length: length ?? 0 });
}
