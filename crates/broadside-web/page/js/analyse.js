// A game played elsewhere: mark what is known, see the odds of every cell.

import * as api from "./api.js";
import { Answers } from "./answers.js";
import { Board, fleetStrip, shape } from "./board.js";
import { attribute, button, el, write } from "./dom.js";
import { t } from "./i18n.js";
import { HiderChoice } from "./hider-choice.js";
import { isSame, marksOf, survivor } from "./marking.js";
import { knownWater, markSunk, readLog } from "./marks.js";
import { parseShot, shotName } from "./notation.js";
import { decode, encode, Position } from "./position.js";
import { asRequest, RulesForm } from "./rules-form.js";
import * as router from "./router.js";
import { copyButton } from "./share.js";
import { pasted, readMarks } from "./sunk-marks.js";

export async function analyse({ main, query }) {
  const page = new Analyse(await api.catalogue(), query);
  main.replaceChildren(page.element);
  await page.form.ready;
  return { title: t("nav.analyse"), destroy: () => page.destroy() };
}

class Analyse {
  constructor({ presets, limits, weights: served }, { shots = "", weights, ...rules }) {
    const read = decode(shots);
    this.position = new Position(read ?? []);
    this.wrong = new Set();
    this.tool = "cycle";
    this.answers = new Answers({
      onFocus: (cell) => this.board.focus(cell),
      onUndo: () => this.#change(() => this.position.undo()),
      onClear: (cell) => this.#change(() => this.position.mark(cell, null)),
      onLast: (cells, last) => this.#change(() => this.position.setLast(cells, last)),
      onMap: () => this.#draw(),
    });
    this.hider = new HiderChoice({ initial: weights, served }, () => this.#update());
    this.#make();
    if (read === null) this.answers.complain(t("analyse.badLink"));
    this.form = new RulesForm({ presets, limits, initial: known(rules), onChange: (full) => this.#setRules(full) });
    this.rulesPlace.replaceChildren(this.form.element);
    this.#listen();
  }

  #make() {
    this.place = el("div", { class: "analyse-board" });
    this.palette = el("div", { class: "palette", id: "palette", role: "radiogroup", "aria-label": t("analyse.palette") });
    this.rulesPlace = el("div");
    this.fleet = el("div");
    this.log = el("p", { id: "log", class: "log" });
    this.undoButton = button("undo", t("analyse.undo"), () => this.#change(() => this.position.undo()), {
      "aria-keyshortcuts": "Control+Z",
    });
    this.redoButton = button("redo", t("analyse.redo"), () => this.#change(() => this.position.redo()));
    this.clearButton = button("clear", t("analyse.clear"), () => this.#change(() => this.position.clear()));
    const picture = (format) =>
      el("a", { class: "button", id: `picture-${format}`, download: `broadside.${format}`, text: format.toUpperCase() });
    this.pictures = { svg: picture("svg"), png: picture("png") };
    this.element = el(
      "div",
      { class: "analyse" },
      el("div", { class: "analyse-head" }, el("h1", { text: t("analyse.title") }), el("p", { class: "soft", text: t("analyse.about") })),
      el(
        "section",
        { class: "analyse-main" },
        this.palette,
        this.place,
        el("div", { class: "actions" }, this.undoButton, this.redoButton, this.clearButton, this.answers.legend),
      ),
      el(
        "div",
        { class: "analyse-side" },
        el("section", { class: "card answers" }, this.answers.element, el("h2", { text: t("analyse.left") }), this.fleet),
        el("section", { class: "card" }, el("h2", { text: t("rules.rules") }), this.rulesPlace, this.hider.element),
        this.#sharing(),
      ),
    );
  }

  #sharing() {
    this.paste = el("textarea", { id: "paste", rows: 2, spellcheck: "false", placeholder: t("analyse.pastePlaceholder"), "aria-label": t("analyse.paste") });
    this.pasteProblem = el("p", { id: "paste-problem", class: "problem small", role: "alert" });
    this.paste.addEventListener("input", () => this.#paste(this.paste.value));
    return el(
      "section",
      { class: "card" },
      el("h2", { text: t("analyse.keep") }),
      this.log,
      el(
        "div",
        { class: "row" },
        copyButton("copy-link", t("share.copyLink"), () => location.href),
        el("span", { class: "small soft", text: t("analyse.picture") }),
        this.pictures.svg,
        this.pictures.png,
      ),
      el("label", { class: "field paste" }, el("span", { text: t("analyse.paste") }), this.paste),
      this.pasteProblem,
    );
  }

  /** Undo works wherever the focus is, but for fields with an undo of their own. A log can be pasted onto the page, too. */
  #listen() {
    this.recolour = () => this.board?.redraw();
    const isField = (event) => event.target.closest?.("input, textarea, select");
    this.keys = (event) => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "z" || event.defaultPrevented || isField(event)) return;
      event.preventDefault();
      this.#change(() => (event.shiftKey ? this.position.redo() : this.position.undo()));
    };
    this.pastes = (event) => {
      if (!isField(event)) this.#paste(event.clipboardData?.getData("text") ?? "");
    };
    document.addEventListener("themechange", this.recolour);
    document.addEventListener("keydown", this.keys);
    document.addEventListener("paste", this.pastes);
  }

  destroy() {
    document.removeEventListener("themechange", this.recolour);
    document.removeEventListener("keydown", this.keys);
    document.removeEventListener("paste", this.pastes);
    this.asked?.abort();
    this.answers.destroy();
  }

  #paste(text) {
    if (!text.trim()) {
      write(this.pasteProblem, "");
      return;
    }
    const read = pasted(text, decode);
    write(this.pasteProblem, read ? "" : t("analyse.badPaste"));
    if (!read) return;
    this.paste.value = "";
    this.#change(() => this.position.replace(read.map((shot) => survivor(shot, this.rules)).filter((shot) => shot !== null)));
  }

  #setRules(rules) {
    if (!rules) return;
    const first = !this.rules;
    this.rules = rules;
    this.hider.setRules(rules);
    this.marks = marksOf(rules);
    this.board = new Board({
      id: "analyse-board",
      label: t("analyse.board"),
      rows: rules.rows,
      cols: rules.cols,
      onCell: (cell) => this.#apply(cell),
      onKey: (event, cell) => this.#key(event, cell),
    });
    this.answers.reset();
    this.place.replaceChildren(this.board.element);
    shape(this.element, rules);
    this.#makePalette();
    this.#keepMarks(first);
    this.#update();
  }

  /**
   * What the new rules have a place and a word for stays; Undo brings back the others, and the rules they were marked by. A
   * link's shots are kept as they are, and the server says what is wrong.
   */
  #keepMarks(first) {
    const brief = this.form.brief();
    if (first || JSON.stringify(this.position.rules) === JSON.stringify(brief)) {
      this.position.rules = brief;
      return;
    }
    this.position.replace(this.position.shots.map((shot) => survivor(shot, this.rules)).filter((shot) => shot !== null), brief);
  }

  // Marking.

  #makePalette() {
    const tools = [
      { id: "cycle", label: t("analyse.cycle"), title: t("analyse.cycleAbout") },
      ...this.marks.map((mark) => ({ id: toolId(mark), label: mark.label, answer: mark.answer })),
      { id: "erase", label: t("analyse.erase") },
    ];
    if (!tools.some(({ id }) => id === this.tool)) this.tool = "cycle";
    this.palette.replaceChildren(
      ...tools.map(({ id, label, title, answer }) => {
        const choose = () => {
          this.tool = id;
        };
        const input = el("input", { type: "radio", name: "tool", id: `tool-${id}`, value: id, on: { change: choose } });
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
    if ((!mark && !this.position.at(cell)) || this.rules.rocks.includes(cell)) return;
    this.#change(() => this.position.mark(cell, mark?.answer ?? null, mark?.length ?? null));
  }

  /** Keys on the board: `-` or M miss, `+` or X hit, a length or # sunk, Delete nothing. */
  #key(event, cell) {
    if (event.ctrlKey) return;
    if (event.key === "Delete" || event.key === "Backspace") this.#mark(cell, null);
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
    const before = JSON.stringify(this.position.rules);
    act();
    if (JSON.stringify(this.position.rules) === before) this.#update();
    else void this.form.set(this.position.rules);
  }

  // What follows from the marks.

  #update() {
    const rules = this.form.brief();
    this.reading = readMarks(this.position.shots, this.rules);
    this.text = this.reading.shots.map(shotName).join(" ");
    this.weights = this.hider.weights;
    const { name } = this.hider;
    router.replace("analyse", [], { ...rules, shots: encode(this.position.shots), ...(name ? { weights: name } : {}) });
    for (const [format, link] of Object.entries(this.pictures)) link.href = api.picture(rules, this.text, format, name);
    // A table of weights is too long for an address.
    this.#offerPictures(!this.weights || Boolean(name));
    this.wrong = new Set();
    this.answers.wait(this.reading);
    this.#draw();
    this.#ask();
  }

  async #ask() {
    this.asked?.abort();
    const asked = (this.asked = new AbortController());
    this.element.setAttribute("aria-busy", "true");
    try {
      const odds = await api.odds(asRequest(this.rules), this.text, asked.signal, this.weights);
      if (asked === this.asked) this.#accept(odds);
    } catch (error) {
      if (error.name !== "AbortError" && asked === this.asked) this.#refuse(error);
    }
    if (asked === this.asked) this.element.removeAttribute("aria-busy");
  }

  #accept(odds) {
    this.wrong = new Set();
    const cells = [...this.board.cells.keys()].filter((cell) => !this.position.at(cell));
    this.answers.accept(odds, { cells, rules: asRequest(this.rules), shots: this.text, weights: this.weights });
    this.#draw();
  }

  #refuse(error) {
    const { shot, against = [], message = "" } = error.detail ?? {};
    // A shot that no log may have is named in the message alone.
    const named = shot ? [shot, ...against] : (message.match(/\b[A-Z]{1,2}\d{1,2}[-+#]\d*/g) ?? []);
    this.wrong = new Set(named.map((text) => parseShot(text)?.cell).filter(Boolean));
    this.answers.refuse(error, [...this.wrong]);
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
    const { states, ships } = readLog(this.reading.shots.map(shotName), this.rules);
    for (const { cell, answer } of shots) if (answer === "sunk") states.set(cell, "sunk");
    const { odds, togo } = this.answers;
    const best = togo.isShown ? togo.leaders() : (odds?.best ?? []);
    this.board.draw({
      states,
      ships: ships.map((ship) => ({ ...ship, kind: "sunk" })),
      odds: togo.isShown ? null : (odds?.odds ?? null),
      isEstimate: odds?.exact === false,
      paint: togo.isShown ? togo.paint() : undefined,
      best: new Set(best.filter((cell) => !states.has(cell))),
      last: shots.at(-1)?.cell ?? null,
      wrong: this.wrong,
      water: odds ? new Set() : knownWater(ships, this.rules),
    });
    this.#drawFleet();
    this.undoButton.disabled = !this.position.canUndo;
    this.redoButton.disabled = !this.position.canRedo;
    this.clearButton.disabled = shots.length === 0;
    write(this.log, shots.length ? this.text : t("analyse.noShots"));
    attribute(this.log, "aria-label", t("analyse.marked", { n: shots.length }));
  }

  #drawFleet() {
    const { fleet, call } = this.rules;
    const left = this.answers.odds?.left ?? fleet;
    const sinkings = this.reading.shots.filter(({ answer }) => answer === "sunk").length;
    this.fleet.replaceChildren(
      fleetStrip(markSunk(fleet, left), t("analyse.left")),
      call === "bare" ? el("p", { class: "small soft", text: t("fleet.count", { n: sinkings, of: fleet.length }) }) : "",
    );
  }
}

const toolId = ({ answer, length }) => (length ? `${answer}-${length}` : answer);

/**
 * The parts of rules that an address may carry.
 * @param {Record<string, string>} query
 * @returns {RulesRequest}
 */
function known({ preset, board, fleet, touch, call, rocks, salvo, noise }) {
  return Object.fromEntries(Object.entries({ preset, board, fleet, touch, call, rocks, salvo, noise }).filter(([, value]) => value));
}
