// What follows from a position: how many layouts fit, the best shots, and what is wrong with it. While something is being counted
// the old numbers are dimmed.

import { attribute, button, el, write } from "./dom.js";
import { heat } from "./heat.js";
import { listed, number, percent, t } from "./i18n.js";
import { cellAt } from "./notation.js";
import { ShotsToGo } from "./shots-to-go.js";
import { grouped } from "./words.js";

/** Best cells that are listed. */
const LISTED = 6;

export class Answers {
  /**
   * @param {{onFocus: (cell: string) => void, onUndo: () => void, onClear: (cell: string) => void,
   *   onLast: (cells: string[], last: string) => void, onMap: () => void}} listeners
   */
  constructor(listeners) {
    this.listeners = listeners;
    /** @type {OddsOut | null} */
    this.odds = null;
    this.status = el("p", { id: "status", role: "status" });
    this.layouts = el("output", { id: "layouts", class: "count" });
    this.exactness = el("p", { id: "exactness", class: "small soft" });
    this.best = el("ol", { id: "best", class: "best" });
    this.problem = el("div", { id: "contradiction", class: "contradiction", role: "alert", hidden: true });
    this.notes = el("div", { id: "notes", class: "notes" });
    this.numbers = el(
      "div",
      { class: "numbers-now" },
      el("p", { class: "figure" }, this.layouts, el("span", { class: "word", text: t("analyse.layouts") })),
      this.exactness,
      el("h2", { text: t("analyse.best") }),
      this.best,
    );
    this.togo = new ShotsToGo(() => {
      this.#drawLegend();
      listeners.onMap();
    });
    this.element = el("div", {}, this.problem, this.status, this.notes, this.numbers, this.togo.element);
    this.legend = el("div", { class: "heat-legend small", id: "heat-legend", hidden: true });
  }

  destroy() {
    this.togo.stop();
  }

  /** Other rules: nothing is known any more. */
  reset() {
    this.odds = null;
    this.legend.hidden = true;
    this.togo.clear();
  }

  /** Something is being counted. @param {import("./sunk-marks.js").Reading} reading */
  wait(reading) {
    write(this.status, t("battle.counting"));
    this.togo.clear();
    const rest = reading.open.length ? [el("p", { class: "small", text: t("analyse.openShip", { cells: listed(reading.open.map(({ cell }) => cell)) }) })] : [];
    this.notes.replaceChildren(...rest, ...reading.asks.map((ask) => this.#question(ask)));
  }

  /** Which cell of a ship was the last, where it matters. */
  #question({ cells, length, last }) {
    const choice = (cell) => button(null, cell, () => this.listeners.onLast(cells, cell), { "aria-pressed": String(cell === last) });
    return el("div", { class: "ask small" }, el("p", { text: t("analyse.whichLast", { length }) }), el("div", { class: "row" }, cells.map(choice)));
  }

  complain(text) {
    this.problem.textContent = text;
    this.problem.hidden = false;
  }

  /**
   * @param {OddsOut} odds
   * @param {{cells: string[], rules: RulesRequest, shots: string, weights: string | null}} position `cells` are those not fired at
   */
  accept(odds, { cells, rules, shots, weights }) {
    this.odds = odds;
    const isOpen = (cell) => cells.includes(cell);
    if (!odds.over) this.togo.ask(rules, shots, weights);
    this.problem.hidden = true;
    const best = odds.best.filter(isOpen);
    this.#writeLayouts(odds);
    const chance = best.length ? this.#words(best[0]) : "";
    write(this.status, odds.over || best.length === 0 ? t("analyse.allFound") : t("analyse.bestShot", { cells: listed(best, 4), chance }));
    this.cells = cells;
    this.#drawBest(cells);
    this.#drawLegend();
  }

  /** @param {OddsOut} odds */
  #writeLayouts({ layouts, exact, weighted, estimate }) {
    attribute(this.layouts, "title", exact ? layouts : null);
    if (layouts === null || layouts === undefined) {
      // Where answers may be false, all layouts count, but not all alike.
      write(this.layouts, "–");
      write(this.exactness, t("analyse.noise"));
      return;
    }
    if (exact) {
      write(this.layouts, grouped(layouts));
      write(this.exactness, t(weighted ? "analyse.weighted" : "analyse.exact"));
      return;
    }
    const [value, error] = [Number(layouts), estimate?.layouts_std_err ?? 0];
    write(this.layouts, t("about", { value: rounded(value, error) }));
    write(this.exactness, t("analyse.estimate", { error: percent(value > 0 ? error / value : 0, 1), samples: estimate?.samples ?? 0 }));
  }

  #chanceAt(cell) {
    const { row, col } = cellAt(cell);
    return this.odds.odds[row][col];
  }

  /** A chance with as many digits as it has; that of an estimate with its error. */
  #words(cell, digits = 1) {
    const { row, col } = cellAt(cell);
    const { estimate } = this.odds;
    if (!estimate) return percent(this.#chanceAt(cell), digits);
    const error = estimate.odds_std_err[row][col];
    const kept = error >= 0.005 ? 0 : 1;
    return t("analyse.plusMinus", { value: percent(this.#chanceAt(cell), kept), error: percent(Math.max(error, kept ? 0.001 : 0.01), kept) });
  }

  /** The best cells, with their chances. */
  #drawBest(cells) {
    const top = cells.map((cell) => [cell, this.#chanceAt(cell)]).sort(([, a], [, b]) => b - a);
    const items = top.slice(0, LISTED).filter(([, chance]) => chance > 0);
    const item = ([cell]) => el("li", {}, button(null, cell, () => this.listeners.onFocus(cell), { class: "plain" }), el("span", { text: this.#words(cell, 2) }));
    this.best.replaceChildren(...items.map(item));
  }

  /** The scale of the heat map. */
  #drawLegend() {
    if (!this.odds) return;
    const most = Math.max(0, ...this.cells.map((cell) => this.#chanceAt(cell)));
    this.legend.hidden = most === 0;
    if (this.togo.isShown) {
      this.legend.replaceChildren(el("span", { text: this.togo.legend() }));
      return;
    }
    const steps = [0, 0.25, 0.5, 0.75, 1].map((share) => {
      const step = el("i");
      step.style.backgroundColor = heat(share).colour;
      return step;
    });
    this.legend.replaceChildren(el("span", { text: percent(0, 0) }), el("span", { class: "scale", "aria-hidden": "true" }, steps), el("span", { text: t("analyse.legend", { most: percent(most) }) }));
  }

  /** @param {Error & {kind?: string}} error @param {string[]} blamed cells that contradict each other */
  refuse(error, blamed) {
    this.odds = null;
    this.legend.hidden = true;
    this.togo.clear();
    const impossible = error.kind === "impossible" || error.kind === "shots";
    const clear = (cell) => button(null, t("analyse.clearMark", { cell }), () => this.listeners.onClear(cell), { data: { clear: cell } });
    this.problem.replaceChildren(
      el("strong", { text: t(impossible ? "analyse.cantBe" : "analyse.cantCount") }),
      el("p", { text: error.message }),
      el("div", { class: "row" }, blamed.map(clear), button("undo-contradiction", t("analyse.undoLast"), () => this.listeners.onUndo())),
    );
    this.problem.hidden = false;
    write(this.layouts, impossible ? "0" : "–");
    attribute(this.layouts, "title", null);
    write(this.exactness, "");
    write(this.status, t(impossible ? "analyse.noLayout" : "analyse.noOdds"));
    this.best.replaceChildren();
  }
}

/** A number with no more digits than its error leaves: 3.12 × 10³⁰. */
function rounded(value, error) {
  const digits = value > 0 && error > 0 ? Math.max(1, Math.min(4, Math.floor(Math.log10(value / error)) + 1)) : 2;
  const power = value > 0 ? Math.floor(Math.log10(value)) : 0;
  if (power < 6) return number(Number(value.toPrecision(digits)));
  const raised = [...String(power)].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(digit)]).join("");
  return `${number(value / 10 ** power, digits - 1)} × 10${raised}`;
}
