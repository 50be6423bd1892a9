// A board for one: the browser deals it, and the player sinks it with as few shots as can be. Sploosh Kaboom gives 24.

import * as api from "./api.js";
import { Board, fleetStrip, shape } from "./board.js";
import { button, el, write } from "./dom.js";
import { t } from "./i18n.js";
import { markSunk, readLog } from "./marks.js";
import { shipName } from "./notation.js";
import { deal, Referee } from "./referee.js";
import { play } from "./sound.js";
import { answerWords } from "./words.js";

/** Shots of a game of Sploosh Kaboom. */
const LIMIT = 24;

export async function solo({ main }) {
  const { presets } = await api.catalogue();
  const { rules } = presets.find(({ name }) => name === "sploosh") ?? presets[0];
  const place = el("div");
  const start = () => {
    const page = new SoloBoard({ rules, ships: deal(rules, Math.random), limit: LIMIT });
    const again = button("again", t("solo.again"), start);
    page.onEnd = () => again.classList.add("primary");
    place.replaceChildren(page.element, el("div", { class: "row" }, again));
  };
  start();
  main.replaceChildren(el("h1", { text: t("solo.title") }), el("p", { class: "soft", text: t("solo.about", { n: LIMIT }) }), place);
  return { title: t("solo.title") };
}

/** A board to be sunk, with the shots fired and those left. */
export class SoloBoard {
  /** @param {{rules: FullRules, ships: Ship[], limit?: number, shots?: string[]}} options `shots` are those fired before */
  constructor({ rules, ships, limit = Infinity, shots = [] }) {
    this.rules = rules;
    this.limit = limit;
    this.referee = new Referee(ships);
    /** @type {() => void} */
    this.onEnd = () => {};
    /** @type {() => void} */
    this.onShot = () => {};
    this.board = new Board({
      id: "solo-board",
      label: t("solo.board"),
      rows: rules.rows,
      cols: rules.cols,
      onCell: (cell) => this.#fire(cell),
    });
    this.status = el("p", { id: "status", role: "status" });
    this.fleet = el("div");
    this.element = el("section", { class: "solo" }, this.status, this.fleet, this.board.element);
    shape(this.element, rules);
    shots.forEach((shot) => this.referee.fire(/^[A-Z]+\d+/.exec(shot)[0]));
    this.#draw(null);
  }

  get isOver() {
    return this.referee.isOver || this.referee.shots.length >= this.limit;
  }

  #fire(cell) {
    if (this.isOver || !this.referee.isOpen(cell)) return;
    const shot = this.referee.fire(cell);
    play(shot.answer);
    this.onShot();
    this.#draw(shot);
    if (!this.isOver) return;
    play(this.referee.isOver ? "won" : "lost");
    this.onEnd();
  }

  #draw(last) {
    const { shots, ships } = this.referee;
    const { states, ships: sunk } = readLog(shots, this.rules);
    const left = sunkLengths(shots).reduce((rest, length) => rest.toSpliced(rest.indexOf(length), 1), [...this.rules.fleet]);
    const names = new Set(sunk.map(shipName));
    const missed = this.isOver ? ships.filter((ship) => !names.has(shipName(ship))).map((ship) => ({ ...ship, kind: "revealed" })) : [];
    this.board.draw({ states, ships: [...missed, ...sunk.map((ship) => ({ ...ship, kind: "sunk" }))], last: last?.cell ?? null });
    this.fleet.replaceChildren(fleetStrip(markSunk(this.rules.fleet, left), t("analyse.left")));
    write(this.status, this.#words(last));
  }

  #words(last) {
    const { shots } = this.referee;
    const fired = last ? t("battle.youFire", { cell: last.cell, answer: answerWords(last) }) : "";
    if (this.referee.isOver) return `${fired} ${t("solo.won", { n: shots.length })}`;
    if (this.isOver) return `${fired} ${t("solo.lost")}`;
    const left = Number.isFinite(this.limit) ? t("solo.left", { n: this.limit - shots.length }) : t("solo.fired", { n: shots.length });
    return `${fired} ${left}`.trim();
  }
}

const sunkLengths = (shots) => shots.filter((shot) => shot.includes("#")).map((shot) => Number(shot.split("#")[1]));
