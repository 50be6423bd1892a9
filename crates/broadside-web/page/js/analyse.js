// A game played elsewhere: mark what is known, see the exact odds of every cell.

import * as api from "./api.js";
import { Board, fleetStrip, shape } from "./board.js";
import { attribute, button, el, write } from "./dom.js";
import { markSunk, readLog } from "./marks.js";
import { cellAt, count, grouped, listed, parseShot, percent, shotName } from "./notation.js";
import { decode, encode, Position } from "./position.js";
import { asRequest, RulesForm } from "./rules-form.js";
import * as router from "./router.js";
import { copyButton } from "./share.js";

export async function analyse({ main, query }) {
  const { presets } = await api.catalogue();
  const page = new Analyse(presets, query);
  main.replaceChildren(page.element);
  await page.form.ready;
  return { title: "Analyse", destroy: () => page.destroy() };
}

/** What can be marked under a call rule, apart from a miss and nothing: `{answer, length, label}`. */
function marksOf({ call, fleet }) {
  const lengths = [...new Set(fleet)];
  const each = (answer, word) => lengths.map((length) => ({ answer, length, label: `${word} ${length}` }));
  const hit = { answer: "hit", length: null, label: "Hit" };
  const miss = { answer: "miss", length: null, label: "Miss" };
  return {
    silent: [miss, hit],
    bare: [miss, hit, { answer: "sunk", length: null, label: "Sunk" }],
    ship: [miss, hit, ...each("sunk", "Sunk")],
    every: [miss, ...each("hit", "Hit"), ...each("sunk", "Sunk")],
  }[call];
}

const isSame = (mark, shot) => mark.answer === shot?.answer && mark.length === (shot?.length ?? null);

class Analyse {
  constructor(presets, { shots = "", ...rules }) {
    const read = decode(shots);
    this.position = new Position(read ?? []);
    this.odds = null;
    this.wrong = new Set();
    this.tool = "cycle";
    this.#make(read === null ? "The shots in the address can’t be read." : "");
    this.form = new RulesForm({ presets, initial: known(rules), onChange: (full) => this.#setRules(full) });
    this.rulesPlace.replaceChildren(this.form.element);
    this.recolour = () => this.board?.redraw();
    document.addEventListener("themechange", this.recolour);
  }

  #make(problem) {
    this.place = el("div", { class: "analyse-board" });
    this.palette = el("div", { class: "palette", id: "palette", role: "radiogroup", "aria-label": "What a click marks" });
    this.rulesPlace = el("div");
    this.status = el("p", { id: "status", role: "status" });
    this.layouts = el("output", { id: "layouts", class: "count" });
    this.best = el("ol", { id: "best", class: "best" });
    this.fleet = el("div");
    this.log = el("p", { id: "log", class: "log" });
    this.problem = el("div", {
      id: "contradiction",
      class: "contradiction",
      role: "alert",
      text: problem,
      hidden: !problem,
    });
    this.undoButton = button("undo", "Undo", () => this.#change(() => this.position.undo()), {
      "aria-keyshortcuts": "Control+Z",
    });
    this.redoButton = button("redo", "Redo", () => this.#change(() => this.position.redo()));
    this.clearButton = button("clear", "Clear", () => this.#change(() => this.position.clear()));
    const picture = (format) =>
      el("a", { class: "button", id: `picture-${format}`, download: `broadside.${format}`, text: format.toUpperCase() });
    this.pictures = { svg: picture("svg"), png: picture("png") };
    this.element = el(
      "div",
      { class: "analyse" },
      el(
        "div",
        { class: "analyse-head" },
        el("h1", { text: "Analyse a game" }),
        el("p", { class: "soft", text: "Mark the shots of any game; the odds of every cell are exact." }),
      ),
      el(
        "section",
        { class: "analyse-main" },
        this.palette,
        this.place,
        el("div", { class: "actions" }, this.undoButton, this.redoButton, this.clearButton),
      ),
      el(
        "div",
        { class: "analyse-side" },
        this.#answers(),
        el("section", { class: "card" }, el("h2", { text: "Rules" }), this.rulesPlace),
        this.#sharing(),
      ),
    );
  }

  #answers() {
    return el(
      "section",
      { class: "card answers" },
      this.problem,
      this.status,
      el("p", { class: "figure" }, this.layouts, el("span", { class: "word", text: "layouts fit" })),
      el("h2", { text: "Best shots" }),
      this.best,
      el("h2", { text: "Ships left" }),
      this.fleet,
    );
  }

  #sharing() {
    return el(
      "section",
      { class: "card" },
      el("h2", { text: "Keep or share" }),
      this.log,
      el(
        "div",
        { class: "row" },
        copyButton("copy-link", "Copy link", () => location.href),
        el("span", { class: "small soft", text: "Picture:" }),
        this.pictures.svg,
        this.pictures.png,
      ),
    );
  }

  destroy() {
    document.removeEventListener("themechange", this.recolour);
    this.asked?.abort();
  }

  #setRules(rules) {
    if (!rules) return;
    const first = !this.rules;
    this.rules = rules;
    this.odds = null;
    this.marks = marksOf(rules);
    this.board = new Board({
      id: "analyse-board",
      label: "Board to mark",
      rows: rules.rows,
      cols: rules.cols,
      onCell: (cell) => this.#apply(cell),
      onKey: (event, cell) => this.#key(event, cell),
    });
    this.place.replaceChildren(this.board.element);
    shape(this.element, rules);
    this.#makePalette();
    // What the new rules have no place or word for goes; a link's shots are kept as they are and the server says what is wrong.
    if (!first) this.position = new Position(this.position.shots.filter((shot) => this.#isPossible(shot)));
    this.#update();
  }

  #isPossible(shot) {
    const { row, col } = cellAt(shot.cell);
    return row < this.rules.rows && col < this.rules.cols && this.marks.some((mark) => isSame(mark, shot));
  }

  // Marking.

  #makePalette() {
    const tools = [
      { id: "cycle", label: "Cycle", title: "Each click changes the mark: miss, hit, sunk, nothing" },
      ...this.marks.map((mark) => ({ id: toolId(mark), label: mark.label, answer: mark.answer })),
      { id: "erase", label: "Erase" },
    ];
    if (!tools.some(({ id }) => id === this.tool)) this.tool = "cycle";
    this.palette.replaceChildren(
      ...tools.map(({ id, label, title, answer }) => {
        const input = el("input", {
          type: "radio",
          name: "tool",
          id: `tool-${id}`,
          value: id,
          on: {
            change: () => {
              this.tool = id;
            },
          },
        });
        input.checked = id === this.tool;
        return el(
          "label",
          { title, data: answer ? { state: answer } : {} },
          input,
          el("span", {}, answer ? el("i", { "aria-hidden": "true" }) : "", label),
        );
      }),
    );
  }

  #apply(cell) {
    const now = this.position.at(cell);
    if (this.tool === "cycle") this.#cycle(cell, now);
    else if (this.tool === "erase") this.#mark(cell, null);
    else {
      const mark = this.marks.find((candidate) => toolId(candidate) === this.tool);
      this.#mark(cell, isSame(mark, now) ? null : mark);
    }
  }

  /** Nothing, then every mark in turn, then nothing again. */
  #cycle(cell, now) {
    this.#mark(cell, this.marks[this.marks.findIndex((mark) => isSame(mark, now)) + 1] ?? null);
  }

  #mark(cell, mark) {
    if (!mark && !this.position.at(cell)) return;
    this.#change(() => this.position.mark(cell, mark?.answer ?? null, mark?.length ?? null));
  }

  /** Keys on the board: `-` or M miss, `+` or X hit, a length or # sunk, Delete nothing, Ctrl+Z undo. */
  #key(event, cell) {
    if (event.ctrlKey && event.key.toLowerCase() === "z")
      this.#change(() => (event.shiftKey ? this.position.redo() : this.position.undo()));
    else if (event.ctrlKey) return;
    else if (event.key === "Delete" || event.key === "Backspace") this.#mark(cell, null);
    else {
      const mark = this.#markOfKey(event.key.toLowerCase());
      if (!mark) return;
      this.#mark(cell, mark);
    }
    event.preventDefault();
  }

  #markOfKey(key) {
    if (key === "-" || key === "m") return this.marks[0];
    if (key === "+" || key === "x") return this.marks.find(({ answer }) => answer === "hit");
    if (key === "#") return this.marks.find(({ answer }) => answer === "sunk");
    return this.marks.find(({ answer, length }) => answer === "sunk" && String(length) === key);
  }

  #change(act) {
    act();
    this.#update();
  }

  // What follows from the marks.

  #update() {
    const rules = this.form.brief();
    router.replace("analyse", [], { ...rules, shots: encode(this.position.shots) });
    for (const [format, link] of Object.entries(this.pictures)) link.href = api.picture(rules, this.position.text(), format);
    this.#offerPictures(true);
    this.wrong = new Set();
    this.#draw();
    this.#ask();
  }

  async #ask() {
    this.asked?.abort();
    const asked = (this.asked = new AbortController());
    this.element.setAttribute("aria-busy", "true");
    try {
      const odds = await api.odds(asRequest(this.rules), this.position.text(), asked.signal);
      if (asked === this.asked) this.#accept(odds);
    } catch (error) {
      if (error.name !== "AbortError" && asked === this.asked) this.#refuse(error);
    }
    if (asked === this.asked) this.element.removeAttribute("aria-busy");
  }

  #accept(odds) {
    this.odds = odds;
    this.wrong = new Set();
    this.problem.hidden = true;
    const best = odds.best.filter((cell) => !this.position.at(cell));
    const chance = best.length ? this.#chanceAt(best[0]) : 0;
    write(this.layouts, `${odds.exact ? "" : "about "}${grouped(odds.layouts)}`);
    attribute(this.layouts, "title", odds.layouts);
    write(
      this.status,
      odds.over || best.length === 0 ? "All ships are found." : `Best shot: ${listed(best, 4)}, ${percent(chance)}.`,
    );
    this.#drawBest();
    this.#draw();
  }

  #chanceAt(cell) {
    const { row, col } = cellAt(cell);
    return this.odds.odds[row][col];
  }

  /** The six best cells, with their chances. */
  #drawBest() {
    const cells = [...this.board.cells.keys()].filter((cell) => !this.position.at(cell));
    const top = cells
      .map((cell) => [cell, this.#chanceAt(cell)])
      .sort(([, a], [, b]) => b - a)
      .slice(0, 6);
    this.best.replaceChildren(
      ...top
        .filter(([, chance]) => chance > 0)
        .map(([cell, chance]) =>
          el(
            "li",
            {},
            button(null, cell, () => this.board.focus(cell), { class: "plain" }),
            el("span", { text: percent(chance, 2) }),
          ),
        ),
    );
  }

  #refuse(error) {
    this.odds = null;
    const { shot, against = [] } = error.detail ?? {};
    this.wrong = new Set([shot, ...against].map((text) => text && parseShot(text)?.cell).filter(Boolean));
    const title = error.kind === "impossible" ? "That can’t be" : "That can’t be counted";
    this.problem.replaceChildren(
      el("strong", { text: title }),
      el("p", { text: error.message }),
      button("undo-contradiction", "Undo the last mark", () => this.#change(() => this.position.undo())),
    );
    this.problem.hidden = false;
    write(this.layouts, error.kind === "impossible" ? "0" : "–");
    attribute(this.layouts, "title", null);
    write(this.status, error.kind === "impossible" ? "No layout fits these marks." : "There are no odds.");
    this.best.replaceChildren();
    this.#offerPictures(false);
    this.#draw();
  }

  /** There is no picture of what can't be. */
  #offerPictures(are) {
    Object.values(this.pictures).forEach((link) => {
      link.hidden = !are;
    });
  }

  #draw() {
    const { shots } = this.position;
    const { states, ships } = readLog(shots.map(shotName), this.rules);
    const best = new Set((this.odds?.best ?? []).filter((cell) => !states.has(cell)));
    this.board.draw({
      states,
      ships: ships.map((ship) => ({ ...ship, kind: "sunk" })),
      odds: this.odds?.odds ?? null,
      best,
      last: shots.at(-1)?.cell ?? null,
      wrong: this.wrong,
    });
    this.#drawFleet();
    this.undoButton.disabled = !this.position.canUndo;
    this.redoButton.disabled = !this.position.canRedo;
    this.clearButton.disabled = shots.length === 0;
    write(this.log, shots.length ? this.position.text() : "No shots yet.");
    attribute(this.log, "aria-label", `${count(shots.length, "shot")} marked`);
  }

  #drawFleet() {
    const { fleet, call } = this.rules;
    const left = this.odds?.left ?? fleet;
    const sinkings = this.position.shots.filter(({ answer }) => answer === "sunk").length;
    this.fleet.replaceChildren(
      fleetStrip(markSunk(fleet, left), "Ships left"),
      call === "bare" ? el("p", { class: "small soft", text: `${sinkings} of ${fleet.length} sunk` }) : "",
    );
  }
}

const toolId = ({ answer, length }) => (length ? `${answer}-${length}` : answer);

/**
 * The parts of rules that an address may carry.
 * @param {Record<string, string>} query
 * @returns {RulesRequest}
 */
function known({ preset, board, fleet, touch, call }) {
  return Object.fromEntries(Object.entries({ preset, board, fleet, touch, call }).filter(([, value]) => value));
}
