// A reason to return: a position whose best shot is to be found, and a board to be sunk with few shots, each new every day.

import * as api from "./api.js";
import { Board, fleetStrip, shape } from "./board.js";
import { dailyBoard, dailyPosition, dayOf, squares } from "./daily-task.js";
import { el, write } from "./dom.js";
import { listed, percent, t } from "./i18n.js";
import { markSunk, readLog } from "./marks.js";
import { cellAt } from "./notation.js";
import * as router from "./router.js";
import { asRequest } from "./rules-form.js";
import { copyButton } from "./share.js";
import { SoloBoard } from "./solo.js";
import * as store from "./store.js";

export async function daily({ main, query }) {
  const { presets } = await api.catalogue();
  const { rules } = presets.find(({ name }) => name === "classic") ?? presets[0];
  const day = /^\d{4}-\d\d-\d\d$/.test(query.day ?? "") ? query.day : dayOf(new Date());
  const position = new DailyPosition(rules, day);
  main.replaceChildren(
    el("h1", { text: t("daily.title", { day }) }),
    el("div", { class: "daily" }, position.element, boardCard(rules, day), puzzleCard(day)),
  );
  return { title: t("nav.daily"), destroy: () => position.destroy() };
}

/** What was done on a day, kept in this browser. */
const kept = (name, day) => {
  const value = store.preference(name, null);
  return value?.day === day ? value : null;
};

/** Find the best shot. */
class DailyPosition {
  /** @param {FullRules} rules @param {string} day */
  constructor(rules, day) {
    this.rules = rules;
    this.day = day;
    this.shots = dailyPosition(rules, day);
    this.board = new Board({ id: "daily-position", label: t("daily.position"), rows: rules.rows, cols: rules.cols, onCell: (cell) => this.#choose(cell) });
    this.status = el("p", { id: "position-status", role: "status", text: t("daily.find") });
    this.result = el("div", { class: "row" });
    const left = el("div");
    this.element = el("section", { class: "card" }, el("h2", { text: t("daily.position") }), this.status, left, this.board.element, this.result);
    shape(this.element, rules);
    const sunk = readLog(this.shots, rules).ships.map(({ length }) => length);
    const afloat = sunk.reduce((rest, length) => rest.toSpliced(rest.indexOf(length), 1), [...rules.fleet]);
    left.replaceChildren(fleetStrip(markSunk(rules.fleet, afloat), t("analyse.left")));
    this.recolour = () => this.board.redraw();
    document.addEventListener("themechange", this.recolour);
    this.#draw(null, null);
    const done = kept("dailyPosition", day);
    if (done) void this.#judge(done.cell);
  }

  destroy() {
    document.removeEventListener("themechange", this.recolour);
  }

  #choose(cell) {
    if (this.chosen || readLog(this.shots, this.rules).states.has(cell)) return;
    store.prefer("dailyPosition", { day: this.day, cell });
    void this.#judge(cell);
  }

  /** The chance of the cell chosen beside the best one. */
  async #judge(cell) {
    this.chosen = cell;
    write(this.status, t("battle.counting"));
    try {
      const { odds, best } = await api.odds(asRequest(this.rules), this.shots.join(" "));
      const chance = chanceAt(odds, cell);
      const top = chanceAt(odds, best[0]);
      this.#draw(odds, cell, new Set(best));
      const share = top > 0 ? chance / top : 1;
      const words = best.includes(cell)
        ? t("daily.right", { cell, chance: percent(top) })
        : t("daily.wrong", { cell, chance: percent(chance), best: listed(best, 3), top: percent(top) });
      write(this.status, words);
      const text = t("daily.sharePosition", { day: this.day, share: percent(share, 0) });
      this.result.replaceChildren(copyButton("share-position", t("daily.share"), () => text));
      this.result.dataset.share = text;
    } catch (error) {
      this.chosen = null;
      write(this.status, error.message);
    }
  }

  #draw(odds, aim, best = new Set()) {
    const { states, ships } = readLog(this.shots, this.rules);
    this.board.draw({ states, ships: ships.map((ship) => ({ ...ship, kind: "sunk" })), odds, aim, best });
  }
}

function chanceAt(odds, cell) {
  const { row, col } = cellAt(cell);
  return odds[row][col];
}

/** The way to the puzzle of the day. */
function puzzleCard(day) {
  return el(
    "section",
    { class: "card" },
    el("h2", { text: t("daily.puzzle") }),
    el("p", { class: "small soft", text: t("daily.puzzleAbout") }),
    el("a", { id: "daily-puzzle", class: "button", href: router.format("puzzle", [], { day }), text: t("daily.puzzleOpen") }),
  );
}

/** Sink the board of the day with few shots. */
function boardCard(rules, day) {
  const solo = new SoloBoard({ rules, ships: dailyBoard(rules, day), shots: kept("dailyBoard", day)?.shots ?? [] });
  const result = el("div", { class: "row" });
  const share = () => {
    const { shots } = solo.referee;
    const text = `${t("daily.shareBoard", { day, n: shots.length })}\n${squares(shots)}`;
    result.replaceChildren(copyButton("share-board", t("daily.share"), () => text));
    result.dataset.share = text;
  };
  solo.onShot = () => store.prefer("dailyBoard", { day, shots: solo.referee.shots });
  solo.onEnd = share;
  if (solo.isOver) share();
  return el("section", { class: "card" }, el("h2", { text: t("daily.board") }), el("p", { class: "small soft", text: t("daily.boardAbout") }), solo.element, result);
}
