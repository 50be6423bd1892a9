// The battle: both boards, the ships left, odds and hints, and what there is to do at its end.

import * as api from "./api.js";
import { Board, fleetStrip, shape } from "./board.js";
import { confirm } from "./dialog.js";
import { attribute, button, el, write } from "./dom.js";
import { markSunk, readLog } from "./marks.js";
import { answerWords, cellAt, count, knownShot, listed, parseShip, percent, shipCellNames } from "./notation.js";
import * as router from "./router.js";
import { copyButton } from "./share.js";
import * as store from "./store.js";

/** On a board with more columns a finger aims first, since the cells are smaller than a fingertip. */
const EASY_TO_HIT = 12;

export class Battle {
  /** @param {string} id @param {string} token @param {(view: View) => void} onView */
  constructor(id, token, onView) {
    this.id = id;
    this.token = token;
    this.onView = onView;
    /** @type {OddsOut | null} */
    this.odds = null;
    this.hint = false;
    /** @type {string | null} */
    this.aim = null;
    this.busy = false;
    this.element = el("section", { class: "battle" });
  }

  /** Makes the page once the rules are known. */
  #make({ rules, opponent }) {
    const size = { rows: rules.rows, cols: rules.cols };
    shape(this.element, rules);
    this.enemy = new Board({
      ...size,
      id: "enemy-board",
      label: `${opponent.name}’s board, fire here`,
      onCell: (cell) => this.#choose(cell),
      onKey: (event) => this.#key(event),
    });
    this.own = new Board({
      ...size,
      id: "own-board",
      label: "Your board",
      open: "water",
      onKey: (event) => this.#key(event),
    });
    this.status = el("p", { id: "status", role: "status" });
    this.problem = el("p", { class: "problem", id: "problem", role: "alert" });
    this.enemyFleet = el("div", { id: "enemy-fleet" });
    this.ownFleet = el("div", { id: "own-fleet" });
    this.banner = el("div", { class: "banner", id: "banner", hidden: true });
    this.element.append(
      el("div", { class: "battle-top" }, this.status, this.problem),
      side("enemy", opponent.name, this.enemyFleet, this.enemy.element),
      side("own", "You", this.ownFleet, this.own.element),
      this.#makeActions(rules),
    );
  }

  #makeActions({ cols }) {
    const fingers = matchMedia("(pointer: coarse)").matches;
    this.fireButton = button("fire", "Fire", () => this.#fire(this.aim), { class: "primary" });
    this.hintButton = button("hint", "Hint", () => this.#hint(), { "aria-keyshortcuts": "h" });
    this.oddsButton = button("odds", "Odds", () => this.#toggleOdds(), {
      "aria-keyshortcuts": "o",
      "aria-pressed": "false",
    });
    this.resignButton = button("resign", "Resign", () => this.#resign());
    this.aimFirst = el("input", { id: "aim-first", type: "checkbox", on: { change: () => this.#aimChanged() } });
    this.aimFirst.checked = store.preference("aimFirst", fingers && cols > EASY_TO_HIT);
    const aim = el("label", { class: "check small" }, this.aimFirst, el("span", { text: "Aim first" }));
    this.advice = el("p", { id: "advice", class: "small", role: "status" });
    this.actions = el(
      "div",
      { class: "actions" },
      this.fireButton,
      this.hintButton,
      this.oddsButton,
      this.resignButton,
      aim,
    );
    this.keys = el("p", {
      class: "small soft keys",
      text: "Keys on the board: arrows and Enter, H for a hint, O for the odds.",
    });
    return el("div", { class: "battle-side" }, this.banner, this.actions, this.advice, this.keys);
  }

  focus() {
    this.enemy?.focus();
  }

  redraw() {
    this.enemy?.redraw();
  }

  destroy() {
    this.asked?.abort();
  }

  /**
   * Shows a view.
   * @param {View} view
   */
  update(view) {
    const shotsBefore = this.view?.you.shots.length;
    this.view = view;
    if (!this.enemy) this.#make(view);
    if (shotsBefore !== undefined && shotsBefore !== view.you.shots.length) this.#forget();
    this.#draw();
    write(this.status, this.#statusText());
    if (view.phase === "over") this.#end();
    else if (this.#wantsOdds() && !this.odds) this.#askOdds();
  }

  /** After a shot, what was asked about the position before it is stale. */
  #forget() {
    this.asked?.abort();
    this.asked = null;
    this.odds = null;
    this.hint = false;
    this.aim = null;
    write(this.advice, "");
    write(this.problem, "");
  }

  get #mine() {
    return this.view.phase === "playing" && this.view.turn === "you" && !this.busy;
  }

  // Firing.

  #choose(cell) {
    if (this.enemy.cells.get(cell).dataset.state !== "open" || this.view.phase !== "playing") return;
    if (this.aimFirst.checked && this.aim !== cell) {
      this.aim = cell;
      this.#draw();
      write(this.advice, `Aiming at ${cell}.`);
    } else {
      this.#fire(cell);
    }
  }

  async #fire(cell) {
    if (!cell || !this.#mine) return;
    this.aim = cell;
    const fired = await this.#ask(() => api.fire(this.id, this.token, cell, this.view.you.shots.length));
    if (fired) this.onView(fired);
    else this.#draw();
  }

  /** Does one thing at a time, and says what is wrong with it. */
  async #ask(what) {
    this.busy = true;
    this.#draw();
    try {
      write(this.problem, "");
      return await what();
    } catch (error) {
      await this.#refused(error);
      return null;
    } finally {
      this.busy = false;
      this.#drawActions();
    }
  }

  async #refused(error) {
    if (error.name === "AbortError") return;
    write(this.problem, error.message);
    // The page has missed something: look again.
    if (error.status === 409) await api.view(this.id, this.token).then(this.onView, () => {});
  }

  #key(event) {
    const act = { h: () => this.#hint(), o: () => this.#toggleOdds(), escape: () => this.#letGo() }[event.key.toLowerCase()];
    if (!act || event.ctrlKey) return;
    event.preventDefault();
    act();
  }

  #letGo() {
    this.aim = null;
    this.hint = false;
    write(this.advice, "");
    this.#draw();
  }

  #aimChanged() {
    store.prefer("aimFirst", this.aimFirst.checked);
    this.#letGo();
  }

  // Odds.

  #wantsOdds() {
    return this.hint || this.oddsButton.getAttribute("aria-pressed") === "true";
  }

  #toggleOdds() {
    if (this.view.phase !== "playing") return;
    const on = this.oddsButton.getAttribute("aria-pressed") !== "true";
    attribute(this.oddsButton, "aria-pressed", String(on));
    this.#showOdds();
  }

  #hint() {
    if (this.view.phase !== "playing") return;
    this.hint = true;
    this.#showOdds();
  }

  #showOdds() {
    if (this.#wantsOdds() && !this.odds) this.#askOdds();
    else this.#draw();
    this.#advise();
  }

  async #askOdds() {
    // A captain answers in a moment, and may end the game by it.
    if (this.asked || (this.view.turn !== "you" && this.view.opponent.captain !== null)) return;
    const asked = (this.asked = new AbortController());
    write(this.advice, "Counting …");
    try {
      const odds = await api.gameOdds(this.id, this.token, asked.signal);
      if (asked !== this.asked) return;
      this.odds = odds;
      this.#draw();
      this.#advise();
    } catch (error) {
      if (error.name !== "AbortError") write(this.advice, error.message);
    } finally {
      if (asked === this.asked) this.asked = null;
    }
  }

  #advise() {
    if (!this.odds) return;
    const best = this.odds.best;
    const chance = best.length ? this.#chanceAt(best[0]) : 0;
    const about = this.odds.exact ? "" : "about ";
    if (this.hint) write(this.advice, `Best: ${listed(best)}, ${about}${percent(chance)}.`);
    else write(this.advice, this.#wantsOdds() ? `Chance of a hit in percent${this.odds.exact ? "" : ", estimated"}.` : "");
  }

  #chanceAt(cell) {
    const { row, col } = cellAt(cell);
    return this.odds.odds[row][col];
  }

  // The end.

  async #resign() {
    if (!(await confirm("Give up this game?", "Resign", "Play on"))) return;
    const view = await this.#ask(() => api.resign(this.id, this.token));
    if (view) this.onView(view);
  }

  #end() {
    const { view } = this;
    const key = `${view.replay}/${view.next}`;
    if (this.ended === key) return;
    this.ended = key;
    const won = view.winner === "you";
    const review =
      view.replay &&
      view.you.shots.length > 0 &&
      el("a", { id: "review", class: "button primary", href: router.format("review", [view.id]), text: "Review" });
    const watch =
      view.replay &&
      el("a", { id: "replay", class: "button", href: router.format("replay", [view.replay]), text: "Replay" });
    const copy = view.replay && copyButton("copy-replay", "Copy link", () => router.link("replay", [view.replay]));
    const again = button("rematch", view.next && view.opponent.captain === null ? "Accept the rematch" : "Rematch", () =>
      this.#rematch(),
    );
    this.banner.replaceChildren(
      el("strong", { class: won ? "won" : "lost", text: won ? "Victory" : "Defeat" }),
      el("div", { class: "row" }, [review, again, watch, copy].filter(Boolean)),
    );
    this.banner.hidden = false;
    this.actions.hidden = this.keys.hidden = true;
    write(this.advice, "");
  }

  async #rematch() {
    const next = await this.#ask(() => api.rematch(this.id, this.token));
    if (!next) return;
    store.keepGame(next.id, { token: this.token });
    store.summarise(next.view);
    router.go("game", [next.id]);
  }

  // Drawing.

  #draw() {
    const { view } = this;
    const heat = this.oddsButton.getAttribute("aria-pressed") === "true" && view.phase === "playing" ? this.odds : null;
    const [mine, theirs] = [readLog(view.you.shots, view.rules), readLog(view.opponent.shots, view.rules)];
    const revealed = (view.opponent.ships ?? []).map((ship) => ({ ...parseShip(ship), kind: "revealed" }));
    const best = new Set(this.hint && this.odds && view.phase === "playing" ? this.odds.best : []);
    this.enemy.draw({
      states: mine.states,
      ships: [...revealed, ...mine.ships.map((ship) => ({ ...ship, kind: "sunk" }))],
      odds: heat?.odds ?? null,
      best,
      last: cellOf(view.you.shots.at(-1)),
      aim: this.aim,
    });
    this.own.draw({ ...ownPicture(view, theirs.states), last: cellOf(view.opponent.shots.at(-1)) });
    this.#drawFleets();
    this.#drawActions();
  }

  #drawFleets() {
    const { rules, you, opponent } = this.view;
    const sunkHere = you.sunk.map((ship) => parseShip(ship).length);
    const left = without(rules.fleet, sunkHere);
    const named = rules.call === "ship" || rules.call === "every";
    const sinkings = you.shots.filter((shot) => shot.includes("#")).length;
    const theirFleet = named ? markSunk(rules.fleet, opponent.left) : markSunk(rules.fleet, rules.fleet);
    const note = { bare: `${sinkings} of ${rules.fleet.length} sunk`, silent: "sinkings are not called" }[rules.call];
    this.enemyFleet.replaceChildren(
      fleetStrip(theirFleet, `${opponent.name}’s ships`),
      note ? el("span", { class: "small soft", text: note }) : "",
    );
    this.ownFleet.replaceChildren(fleetStrip(markSunk(rules.fleet, left), "Your ships"));
  }

  #drawActions() {
    const { view } = this;
    const playing = view.phase === "playing";
    this.element.dataset.turn = view.turn ?? "";
    this.fireButton.hidden = !this.aimFirst.checked;
    this.fireButton.disabled = !this.#mine || !this.aim;
    for (const control of [this.hintButton, this.oddsButton, this.resignButton]) control.disabled = !playing;
    this.enemy.grid.classList.toggle("live", playing);
    attribute(this.enemy.grid, "aria-disabled", playing && !this.#mine ? "true" : null);
  }

  /** The player's last shot, what came after it, and whose turn it is. */
  #statusText() {
    const { view } = this;
    if (view.ending === "resigned") return verdict(view);
    if (view.phase === "over") return [...this.#lastShots(), verdict(view)].join(" ");
    const waiting = view.opponent.captain === null ? `${view.opponent.name}’s turn.` : `${view.opponent.name} is thinking …`;
    return [...this.#lastShots(), view.turn === "you" ? "Your turn." : waiting].join(" ");
  }

  #lastShots() {
    const { view } = this;
    const from = view.order.lastIndexOf("you");
    const shotIndex = { you: 0, opponent: 0 };
    return view.order.flatMap((who, i) => {
      const side = who === "you" ? view.you : view.opponent;
      const shot = knownShot(side.shots[shotIndex[who]++]);
      return i < from
        ? []
        : [`${who === "you" ? "You fire" : `${view.opponent.name} fires`} at ${shot.cell}: ${answerWords(shot)}.`];
    });
  }
}

function side(kind, name, fleet, board) {
  return el("div", { class: `side ${kind}` }, el("div", { class: "side-head" }, el("h2", { text: name }), fleet), board);
}

function cellOf(shot) {
  return shot ? knownShot(shot).cell : null;
}

/** A fleet without some of its ships. */
function without(fleet, gone) {
  const rest = [...fleet];
  for (const length of gone) rest.splice(rest.indexOf(length), 1);
  return rest;
}

/** One's own board: the ships are known, so a ship is sunk when it is, whatever was called. */
function ownPicture({ you }, shotStates) {
  const sunk = new Set(you.sunk);
  const ships = you.ships.map((text) => ({ ...parseShip(text), kind: sunk.has(text) ? "sunk" : "own" }));
  const states = new Map([...shotStates].map(([cell, state]) => [cell, state === "sunk" ? "hit" : state]));
  for (const ship of ships.filter(({ kind }) => kind === "sunk")) {
    for (const cell of shipCellNames(ship)) states.set(cell, "sunk");
  }
  return { states, ships };
}

/**
 * How a game ended, in a sentence.
 * @param {View} view
 */
function verdict({ winner, ending, you, opponent }) {
  const shots = (side) => count(side.shots.length, "shot");
  if (ending === "resigned")
    return winner === "you" ? `${opponent.name} gave up. You win.` : `You gave up. ${opponent.name} wins.`;
  return winner === "you"
    ? `You sank ${opponent.name}’s fleet in ${shots(you)}.`
    : `${opponent.name} sank your fleet in ${shots(opponent)}.`;
}
