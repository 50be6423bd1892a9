// A finished game, shot by shot, for everyone who has its link.

import * as api from "./api.js";
import { Board, fleetStrip, shape } from "./board.js";
import { el, write } from "./dom.js";
import { t } from "./i18n.js";
import { markSunk, rockStates } from "./marks.js";
import { knownShot, parseShip, shipCellNames } from "./notation.js";
import { playerName } from "./opponents.js";
import { rulesLine } from "./rules-form.js";
import { analysisOf, showReview } from "./review.js";
import * as router from "./router.js";
import { copyButton } from "./share.js";
import { Timeline } from "./timeline.js";
import { answerWords, callWords } from "./words.js";

const SIDES = ["first", "second"];

export async function replay({ main, parts: [id, side] }) {
  const replayData = await named(api.replay(id));
  if (SIDES.includes(side)) return reviewOf(main, id, side, replayData);
  const page = new Replay(replayData, id);
  const [a, b] = replayData.players;
  main.replaceChildren(
    el(
      "div",
      { class: "row spread" },
      el("h1", { text: t("replay.title", { a: a.name, b: b.name }) }),
      copyButton("copy-replay", t("share.copyLink"), () => router.link("replay", [id])),
    ),
    page.element,
  );
  page.timeline.go(0);
  const deaf = page.timeline.listen();
  const destroy = () => {
    deaf();
    page.timeline.stop();
  };
  return { title: t("replay.title", { a: a.name, b: b.name }), destroy };
}

/** The same with the opponents' names. */
async function named(data) {
  const { players, ...rest } = await data;
  await api.catalogue();
  return { ...rest, players: players.map((player) => ({ ...player, name: playerName(player) })) };
}

/** One side's shots beside the best ones. */
async function reviewOf(main, id, side, { rules, players }) {
  const shooter = SIDES.indexOf(side);
  const [by, against] = [players[shooter], players[1 - shooter]];
  const options = { rules, ships: against.ships, review: await api.replayReview(id, side), against: against.name };
  return showReview(main, options, t("replay.review", { a: by.name, b: against.name }), router.format("replay", [id]));
}

class Replay {
  /** @param {Schemas["ReplayOut"]} replayData @param {string} id */
  constructor(replayData, id) {
    this.rules = replayData.rules;
    this.players = replayData.players;
    this.order = replayData.order;
    this.winner = replayData.winner;
    this.ending = replayData.ending;
    this.status = el("p", { id: "status", role: "status" });
    // Each board belongs to the one whose ships lie there; the other fires at it.
    this.boards = this.players.map(
      ({ name }, i) =>
        new Board({
          id: `${SIDES[i]}-board`,
          label: t("board.of", { name }),
          rows: this.rules.rows,
          cols: this.rules.cols,
          open: t("cell.water"),
        }),
    );
    this.fleets = this.players.map(() => el("div"));
    this.analyses = this.players.map(({ name }) => el("a", { class: "small", text: t("replay.analyse", { name }), href: "#/analyse" }));
    this.timeline = new Timeline({
      steps: this.order.length,
      label: t("review.shot"),
      onStep: (at) => this.#show(at),
      words: (at) => this.#headline(at),
    });
    this.sides = this.players.map(({ name }, i) =>
      el(
        "div",
        { class: "side" },
        el("div", { class: "side-head" }, el("h2", { text: name }), this.fleets[i]),
        this.boards[i].element,
      ),
    );
    this.element = el(
      "div",
      { class: "replay" },
      this.status,
      this.timeline.element,
      el("div", { class: "pair" }, this.sides),
      el("p", { class: "small soft", text: rulesLine(this.rules) }),
      el("div", { class: "row" }, this.#reviews(id), this.analyses),
    );
    shape(this.element, this.rules);
  }

  #reviews(id) {
    const fired = this.players.map((player, i) => ({ ...player, side: SIDES[i] })).filter(({ shots }) => shots.length > 0);
    return fired.map(({ name, side }) =>
      el("a", {
        class: "button",
        id: `review-${side}`,
        href: router.format("replay", [id, side]),
        text: t("replay.reviewOf", { name }),
      }),
    );
  }

  /** The shots up to a moment, for each side. */
  #fired(at) {
    const numbers = [0, 0];
    this.order.slice(0, at).forEach((side) => {
      numbers[SIDES.indexOf(side)] += 1;
    });
    return this.players.map(({ shots }, i) => shots.slice(0, numbers[i]));
  }

  #headline(at) {
    if (at === 0) return t("replay.start", { n: this.order.length });
    const side = SIDES.indexOf(this.order[at - 1]);
    const fired = this.#fired(at)[side];
    const shot = knownShot(fired.at(-1));
    const values = { shot: at, of: this.order.length, name: this.players[side].name, cell: shot.cell, answer: answerWords(shot) };
    const call = this.players[side].calls.find(({ to }) => to === fired.length);
    const text = call ? t("replay.called", { headline: t("replay.headline", values), called: callWords(call) }) : t("replay.headline", values);
    return at === this.order.length ? `${text} ${this.#verdict()}` : text;
  }

  #verdict() {
    const winner = SIDES.indexOf(this.winner);
    const [name, other] = [this.players[winner].name, this.players[1 - winner].name];
    return t(this.ending === "resigned" ? "replay.gaveUp" : "replay.wins", { name, other });
  }

  #show(at) {
    const fired = this.#fired(at);
    const latest = at > 0 ? SIDES.indexOf(this.order[at - 1]) : -1;
    this.analyses.forEach((link, i) => link.setAttribute("href", analysisOf(this.rules, fired[i])));
    this.boards.forEach((board, i) => this.#draw(board, i, fired[1 - i], latest === 1 - i));
    this.sides.forEach((side, i) => side.classList.toggle("under-fire", latest === 1 - i));
    write(this.status, this.#headline(at));
  }

  #draw(board, index, shots, isLatest) {
    const ships = this.players[index].ships.map(parseShip);
    const states = rockStates(this.rules);
    for (const { cell, answer } of shots.map(knownShot)) states.set(cell, answer === "miss" ? "miss" : "hit");
    const isSunk = (ship) => shipCellNames(ship).every((cell) => states.has(cell));
    const sunk = ships.filter(isSunk);
    const hulls = ships.map((ship) => ({ ...ship, kind: isSunk(ship) ? "sunk" : "own" }));
    sunk.flatMap(shipCellNames).forEach((cell) => states.set(cell, "sunk"));
    const left = ships.filter((ship) => !sunk.includes(ship)).map(({ length }) => length);
    board.draw({ states, ships: hulls, last: isLatest ? knownShot(shots.at(-1)).cell : null });
    this.fleets[index].replaceChildren(fleetStrip(markSunk(this.rules.fleet, left), t("fleet.theirs", { name: this.players[index].name })));
  }
}
