// A game for spectators: both boards as both players know them, nothing hidden, nothing to press.

import * as api from "./api.js";
import { Board, fleetStrip, shape } from "./board.js";
import { el, write } from "./dom.js";
import { t } from "./i18n.js";
import { knownWater, markSunk, readLog } from "./marks.js";
import { knownShot } from "./notation.js";
import { playerName } from "./opponents.js";
import { rulesLine } from "./rules-form.js";
import * as router from "./router.js";
import { answerWords, callWords, calledCells } from "./words.js";

/** Milliseconds between two looks at the game. */
const AGAIN = 2000;
const SIDES = ["first", "second"];

export async function watch({ main, parts: [id] }) {
  await api.catalogue();
  const page = new Watch(id, await api.watch(id));
  main.replaceChildren(page.element);
  return { title: t("watch.title"), destroy: () => page.destroy() };
}

class Watch {
  /** @param {string} id @param {Schemas["WatchOut"]} view */
  constructor(id, view) {
    this.id = id;
    const { rules } = view;
    this.status = el("p", { id: "status", role: "status" });
    this.result = el("div", { class: "row" });
    // Each board belongs to the one who is fired at.
    this.boards = SIDES.map((side) => new Board({ id: `${side}-board`, label: t("watch.board"), rows: rules.rows, cols: rules.cols }));
    this.heads = SIDES.map(() => el("h2"));
    this.fleets = SIDES.map(() => el("div"));
    const sides = this.boards.map((board, i) =>
      el("div", { class: "side" }, el("div", { class: "side-head" }, this.heads[i], this.fleets[i]), board.element),
    );
    this.element = el(
      "div",
      { class: "replay watch" },
      el("h1", { text: t("watch.title") }),
      this.status,
      el("div", { class: "pair" }, sides),
      this.result,
      el("p", { class: "small soft", text: `${rulesLine(rules)} · ${t("watch.about")}` }),
    );
    shape(this.element, rules);
    this.#show(view);
    this.#again(view);
  }

  destroy() {
    clearTimeout(this.timer);
    this.gone = true;
  }

  #again(view) {
    if (!this.gone && view.phase !== "over") this.timer = setTimeout(() => this.#look(view), document.hidden ? 5 * AGAIN : AGAIN);
  }

  async #look(last) {
    let view = last;
    try {
      view = await api.watch(this.id);
      this.#show(view);
    } catch (error) {
      write(this.status, error.message);
    }
    this.#again(view);
  }

  /** @param {Schemas["WatchOut"]} view */
  #show(view) {
    const names = view.players.map(playerName);
    view.players.forEach((_, i) => this.#drawBoard(i, view, names));
    write(this.status, this.#words(view, names));
    const link = view.replay && el("a", { class: "button primary", id: "replay", href: router.format("replay", [view.replay]), text: t("end.replay") });
    this.result.replaceChildren(...(link ? [link] : []));
  }

  /** The board of one player, with the shots of the other. */
  #drawBoard(index, { rules, players, order }, names) {
    const { shots, calls } = players[1 - index];
    const { states, ships } = readLog(shots, rules, calls);
    const isLast = order.at(-1) === SIDES[1 - index];
    const hulls = ships.map((ship) => ({ ...ship, kind: "sunk" }));
    this.boards[index].draw({ states, ships: hulls, water: knownWater(ships, rules), last: isLast ? knownShot(shots.at(-1)).cell : null });
    const told = shots.map(knownShot).flatMap(({ answer, length }) => (answer === "sunk" && length ? [length] : []));
    const gone = [...told, ...calls.flatMap(({ sunk }) => sunk)];
    const left = gone.reduce((rest, length) => rest.toSpliced(rest.indexOf(length), 1), [...rules.fleet]);
    write(this.heads[index], names[index]);
    this.fleets[index].replaceChildren(fleetStrip(markSunk(rules.fleet, left), t("fleet.theirs", { name: names[index] })));
  }

  /** @param {Schemas["WatchOut"]} view @param {string[]} names */
  #words({ phase, players, order, turn, winner }, names) {
    if (phase === "waiting" || phase === "placing") return t(`watch.${phase}`);
    const last = order.at(-1);
    const fired = last ? lastFired(players[SIDES.indexOf(last)], names[SIDES.indexOf(last)]) : "";
    const then = winner ? t("replay.wins", { name: names[SIDES.indexOf(winner)] }) : t("battle.theirTurn", { name: names[SIDES.indexOf(turn)] });
    return `${fired} ${then}`.trim();
  }
}

/** The last shot of a player, or the last turn where only its number of hits was called. */
function lastFired({ shots, calls }, name) {
  const call = calls.find(({ to }) => to === shots.length);
  if (call) return t("battle.theyFire", { name, cell: calledCells(call, shots).join(" "), answer: callWords(call) });
  const shot = knownShot(shots.at(-1));
  return t("battle.theyFire", { name, cell: shot.cell, answer: answerWords(shot) });
}
