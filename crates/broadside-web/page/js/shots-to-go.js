// Shots to go beside the chances: they come in while the server plays on, and can be stopped. The leader is marked only when the
// order is settled.

import * as api from "./api.js";
import { button, el, write } from "./dom.js";
import { heat } from "./heat.js";
import { language, number, t } from "./i18n.js";
import { cellName, sentence } from "./notation.js";

/** Milliseconds that a position must stay before the server is asked. */
const CALM = 500;
/** Cells that are listed. */
const LISTED = 6;
/** A loss from which on cells are all painted the same. */
const MUCH = 2;

const pause = (signal) =>
  new Promise((done, stop) => {
    const timer = setTimeout(done, CALM);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      stop(new DOMException("stopped", "AbortError"));
    });
  });

/**
 * Passes on what is known of a position until nothing more comes.
 * @param {RulesRequest} rules @param {string} shots @param {AbortSignal} signal @param {(table: BestTable) => void} onTable
 * @param {string | null} [weights] how the opponent hides
 */
export async function follow(rules, shots, signal, onTable, weights) {
  await pause(signal);
  for await (const { event, data } of api.best(rules, shots, signal, weights)) {
    if (event === "refused") throw new api.ApiError(422, data.error);
    if (!signal.aborted) onTable(data);
  }
}

export class ShotsToGo {
  /** @param {() => void} onChange called when the board has to be drawn anew */
  constructor(onChange) {
    this.onChange = onChange;
    /** @type {BestTable | null} */
    this.table = null;
    this.status = el("p", { id: "togo-status", class: "small", role: "status" });
    this.list = el("ol", { id: "togo", class: "best togo" });
    this.stopButton = button("togo-stop", t("togo.stop"), () => this.#halt());
    this.again = button("togo-ask", t("togo.ask"), () => this.ask(this.rules, this.shots, this.weights));
    this.map = el("select", { id: "map", "aria-label": t("togo.map"), on: { change: () => onChange() } });
    this.map.append(el("option", { value: "chance", text: t("togo.chanceMap") }), el("option", { value: "shots", text: t("togo.shotsMap") }));
    this.element = el("div", { class: "shots-to-go", hidden: true }, el("h2", { text: t("togo.title") }), this.status, this.list, el("div", { class: "row" }, this.stopButton, this.again, this.map));
  }

  /** Whether the board shows shots to go. */
  get isShown() {
    return this.map.value === "shots" && this.table !== null;
  }

  /** Nothing is known of the position. */
  clear() {
    this.stop();
    this.table = null;
    this.element.hidden = true;
  }

  stop() {
    this.asked?.abort();
    this.asked = null;
  }

  #halt() {
    this.stop();
    this.#draw(t("togo.stopped"));
  }

  async ask(rules, shots, weights = null) {
    this.stop();
    this.rules = rules;
    this.shots = shots;
    this.weights = weights;
    const asked = (this.asked = new AbortController());
    this.element.hidden = false;
    this.list.replaceChildren();
    this.#draw(t("battle.counting"));
    try {
      await follow(rules, shots, asked.signal, (table) => this.#receive(table), weights);
      this.asked = null;
      this.#draw("");
    } catch (error) {
      if (error.name === "AbortError" || asked !== this.asked) return;
      this.asked = null;
      this.#draw(error.message);
    }
  }

  #receive(table) {
    this.table = table;
    this.#draw("");
    this.onChange();
  }

  #draw(note) {
    this.stopButton.hidden = this.asked === null;
    this.again.hidden = this.asked !== null;
    this.map.hidden = this.table === null;
    write(this.status, [this.#words(), note].filter(Boolean).join(" "));
    if (!this.table) return;
    this.list.replaceChildren(...this.table.cells.slice(0, LISTED).map((cell) => this.#item(cell)));
  }

  #words() {
    if (!this.table) return "";
    const { settled, best, shots_to_go: shots, exact, playouts, why, cells } = this.table;
    const leader = settled ? t("togo.best", { cell: best[0], shots: number(shots, 2) }) : t("togo.open", { cell: cells[0]?.cell ?? "" });
    const reason = language === "en" && settled && why ? sentence(why) : "";
    return [leader, reason, exact ? t("togo.exact") : t("togo.playouts", { n: playouts })].filter(Boolean).join(" ");
  }

  #item({ cell, shots_to_go: shots, std_err: error, loss }) {
    const value = this.table.exact ? number(shots, 2) : t("togo.row", { shots: number(shots, 2), error: number(error, 2) });
    const more = loss > 0.005 ? t("togo.loss", { loss: number(loss, 2) }) : "";
    return el("li", {}, el("strong", { text: cell }), el("span", { text: value }), el("span", { class: "small soft", text: more }));
  }

  /** The best cells, once they are settled. */
  leaders() {
    return this.table?.settled ? this.table.best : [];
  }

  /** Colours by the shots lost: the best cell is the hottest. */
  paint() {
    const losses = new Map((this.table?.cells ?? []).map(({ cell, loss }) => [cell, Math.max(0, loss)]));
    return (row, col) => {
      const loss = losses.get(cellName(row, col));
      if (loss === undefined) return null;
      return { ...heat(1 - Math.min(1, loss / MUCH)), text: number(loss, 2), label: t("togo.label", { loss: number(loss, 2) }) };
    };
  }

  legend() {
    return t("togo.legend", { most: number(MUCH) });
  }
}
