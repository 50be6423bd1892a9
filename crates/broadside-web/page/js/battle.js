// The battle: both boards, the ships left, odds and hints, and what there is to do at its end.

import * as api from "./api.js";
import { Board, fleetStrip, shape } from "./board.js";
import { coach, learned } from "./coach.js";
import { confirm } from "./dialog.js";
import { attribute, button, el, write } from "./dom.js";
import { Ending } from "./ending.js";
import { language, listed, number, percent, t } from "./i18n.js";
import { knownWater, markSunk, readLog, rockStates } from "./marks.js";
import { cellAt, knownShot, parseShip, sentence, shipCellNames } from "./notation.js";
import { playerName } from "./opponents.js";
import { Pace } from "./pace.js";
import * as router from "./router.js";
import { asRequest, isSingle } from "./rules-form.js";
import { copyButton } from "./share.js";
import * as store from "./store.js";
import { analysisOf } from "./review.js";
import { follow } from "./shots-to-go.js";
import { answerWords, callWords, calledCells, calledTurn, shotCount } from "./words.js";

/** What a battle may do differently: one device for two has a curtain in place of a rematch and of live views. */
/** @typedef {{onEnd?: (view: View) => void, shared?: boolean}} BattleOptions */

export class Battle {
  /** @param {string} id @param {string} token @param {(view: View) => void} onView @param {BattleOptions} [options] */
  constructor(id, token, onView, options = {}) {
    this.id = id;
    this.token = token;
    this.onView = onView;
    this.options = options;
    /** @type {OddsOut | null} */
    this.odds = null;
    this.hint = false;
    /** @type {string | null} */
    this.aim = null;
    this.busy = false;
    /** @type {BestTable | null} */
    this.togo = null;
    this.pace = new Pace(() => this.#show());
    this.element = el("section", { class: "battle" });
  }

  /** Makes the page once the rules are known. */
  #make({ rules, opponent }) {
    const size = { rows: rules.rows, cols: rules.cols };
    const name = playerName(opponent);
    shape(this.element, rules);
    this.element.style.setProperty("--fire-here", JSON.stringify(` ◂ ${t("battle.fireHere")}`));
    this.enemy = new Board({
      ...size,
      id: "enemy-board",
      label: t("board.enemy", { name }),
      onCell: (cell) => this.#choose(cell),
      onKey: (event) => this.#key(event),
    });
    this.own = new Board({
      ...size,
      id: "own-board",
      label: t("board.yours"),
      open: t("cell.water"),
      onKey: (event) => this.#key(event),
    });
    this.status = el("p", { id: "status", role: "status" });
    this.problem = el("p", { class: "problem", id: "problem", role: "alert" });
    this.advice = el("p", { id: "advice", class: "small", role: "status" });
    this.calls = el("ol", { id: "calls", class: "small calls", "aria-label": t("calls.title"), hidden: true });
    this.enemyFleet = el("div", { id: "enemy-fleet" });
    this.ownFleet = el("div", { id: "own-fleet" });
    this.presence = el("span", { id: "presence", class: "small soft" });
    this.tour = el("div", { class: "battle-coach" });
    this.ending = new Ending(this.id, this.token, () => this.#rematch());
    this.element.append(
      el("div", { class: "battle-top" }, this.status, this.advice, this.problem),
      side("enemy", name, this.enemyFleet, this.enemy.element, this.presence),
      side("own", t("board.you"), this.ownFleet, this.own.element),
      this.#makeActions(rules),
      this.tour,
    );
  }

  #makeActions(rules) {
    const fingers = matchMedia("(pointer: coarse)").matches;
    const { hints } = this.view;
    this.fireButton = button("fire", t("battle.fire"), () => this.#fire(this.aim), { class: "primary" });
    this.hintButton = button("hint", t("battle.hint"), () => this.#hint(), { "aria-keyshortcuts": "h", hidden: !hints });
    this.oddsButton = button("odds", t("battle.odds"), () => this.#toggleOdds(), {
      "aria-keyshortcuts": "o",
      "aria-pressed": "false",
      hidden: !hints,
    });
    this.resignButton = button("resign", t("battle.resign"), () => this.#resign());
    this.aimFirst = el("input", { id: "aim-first", type: "checkbox", on: { change: () => this.#aimChanged() } });
    // A fingertip is larger than most cells, so a finger aims first.
    this.aimFirst.checked = store.preference("aimFirst", fingers);
    const aim = el("label", { class: "check small" }, this.aimFirst, el("span", { text: t("battle.aimFirst") }));
    this.actions = el("div", { class: "actions" }, this.fireButton, this.hintButton, this.oddsButton, this.resignButton, aim);
    const noHints = hints ? null : el("p", { class: "small", id: "no-hints", text: t("battle.noHints") });
    return el("div", { class: "battle-side" }, this.ending.element, this.actions, noHints, this.calls, this.#makeMore(rules));
  }

  #makeMore(rules) {
    this.keys = el("p", { class: "small soft keys", text: t(this.view.hints ? "battle.keys" : "battle.keysNoHints") });
    const analyse = el("a", { id: "analyse-here", class: "small", text: t("battle.analyse") });
    analyse.addEventListener("click", () => analyse.setAttribute("href", analysisOf(rules, this.view.you.shots)));
    analyse.setAttribute("href", "#/analyse");
    // Marks of the analysis are answers to single shots.
    this.analyse = analyse;
    const watch = copyButton("copy-watch", t("battle.watchLink"), () => router.link("watch", [this.view.watch]));
    const parts = [this.view.hints ? analyse : null, this.options.shared ? null : watch];
    this.more = el("div", { class: "battle-more" }, this.keys, el("div", { class: "row" }, parts));
    return this.more;
  }

  focus() {
    this.enemy?.focus();
  }

  redraw() {
    this.enemy?.redraw();
  }

  destroy() {
    this.asked?.abort();
    this.refining?.abort();
    this.pace.stop();
    this.ending?.destroy();
  }

  /** Whether the other player looks at the game. @param {boolean} here */
  setPresence(here) {
    if (!this.presence || this.view.opponent.captain !== null) return;
    write(this.presence, t(here ? "presence.here" : "presence.away"));
    this.presence.dataset.here = String(here);
  }

  /**
   * Shows a view.
   * @param {View} view
   */
  update(view) {
    const before = this.view;
    this.view = view;
    if (!this.enemy) this.#make(view);
    if (before && before.you.shots.length !== view.you.shots.length) this.#forget();
    this.pace.follow(before ?? null, view);
    this.#show();
    this.#teach();
    if (view.phase !== "over" && this.#wantsOdds() && !this.odds) this.#askOdds();
  }

  #show() {
    this.#draw();
    write(this.status, this.#statusText());
    if (this.view.phase === "over" && this.pace.held === 0) this.#end();
  }

  /** First-run help beside the boards. */
  #teach() {
    const { you, phase, hints } = this.view;
    if (you.shots.length > 0) learned("fire");
    const step = phase !== "playing" ? null : you.shots.length === 0 ? coach("fire") : hints && you.shots.length > 1 ? coach("hint") : null;
    this.tour.replaceChildren(...(step ? [step] : []));
  }

  /** After a shot, what was asked about the position before it is stale. */
  #forget() {
    this.asked?.abort();
    this.asked = null;
    this.refining?.abort();
    this.togo = null;
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
      write(this.advice, t("battle.aiming", { cell }));
    } else {
      this.#fire(cell);
    }
  }

  async #fire(cell) {
    if (!cell || !this.#mine) return;
    this.pace.hurry();
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
    return this.view.hints && (this.hint || this.oddsButton.getAttribute("aria-pressed") === "true");
  }

  #toggleOdds() {
    if (this.view.phase !== "playing" || !this.view.hints) return;
    const on = this.oddsButton.getAttribute("aria-pressed") !== "true";
    attribute(this.oddsButton, "aria-pressed", String(on));
    this.#showOdds();
  }

  #hint() {
    if (this.view.phase !== "playing" || !this.view.hints) return;
    learned("hint");
    this.hint = true;
    this.#showOdds();
    void this.#refine();
  }

  /** Shots to go beside the chance: the hint moves to the best of them once they are settled. */
  async #refine() {
    this.refining?.abort();
    const refining = (this.refining = new AbortController());
    const { rules, you } = this.view;
    await follow(asRequest(rules), you.shots.join(" "), refining.signal, (table) => {
      this.togo = table;
      this.#draw();
      this.#advise();
    }).catch(() => {}); // the chances are there without it
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
    write(this.advice, t("battle.counting"));
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
    if (!this.odds || this.view.phase !== "playing") return;
    const { best, exact } = this.odds;
    const chance = best.length ? this.#chanceAt(best[0]) : 0;
    if (this.hint && this.togo?.settled) write(this.advice, this.#bestByShots());
    else if (this.hint) write(this.advice, t(exact ? "battle.best" : "battle.bestAbout", { cells: listed(best), chance: percent(chance, exact ? 1 : 0) }));
    else write(this.advice, this.#wantsOdds() ? t(exact ? "battle.chances" : "battle.chancesAbout") : "");
  }

  /** The hint by shots to go, with the reason. */
  #bestByShots() {
    const { best, shots_to_go: shots, why } = this.togo;
    const words = t("togo.best", { cell: listed(best, 3), shots: number(shots, 1) });
    return language === "en" && why ? `${words} ${sentence(why)}` : words;
  }

  #chanceAt(cell) {
    const { row, col } = cellAt(cell);
    return this.odds.odds[row][col];
  }

  // The end.

  async #resign() {
    if (!(await confirm(t("battle.giveUp"), t("battle.resign"), t("battle.playOn")))) return;
    const view = await this.#ask(() => api.resign(this.id, this.token));
    if (view) this.onView(view);
  }

  #end() {
    this.ending.show(this.view, this.options.shared);
    this.options.onEnd?.(this.view);
    this.actions.hidden = this.more.hidden = true;
    this.refining?.abort();
    write(this.advice, "");
  }

  async #rematch() {
    // Before the request: its answer may be overtaken by a view that has the rematch already.
    const asked = this.view.next === null && this.view.opponent.captain === null;
    const next = await this.#ask(() => api.rematch(this.id, this.token));
    if (!next) return;
    const { adaptive, rulesName } = store.game(this.id) ?? {};
    store.keepGame(next.id, { token: this.token, adaptive, rulesName, rematch: asked ? "asked" : "accepted" });
    store.summarise(next.view);
    router.go("game", [next.id]);
  }

  // Drawing.

  #draw() {
    const { view } = this;
    const heat = this.oddsButton.getAttribute("aria-pressed") === "true" && view.phase === "playing" ? this.odds : null;
    const over = view.phase === "over" && this.pace.held === 0;
    const mine = readLog(view.you.shots, view.rules, view.you.calls);
    const revealed = (over ? (view.opponent.ships ?? []) : []).map((ship) => ({ ...parseShip(ship), kind: "revealed" }));
    const advised = this.togo?.settled ? this.togo.best : this.odds?.best;
    const best = new Set(this.hint && advised && view.phase === "playing" ? advised : []);
    this.enemy.draw({
      states: mine.states,
      ships: [...revealed, ...mine.ships.map((ship) => ({ ...ship, kind: "sunk" }))],
      odds: heat?.odds ?? null,
      isEstimate: heat?.exact === false,
      best,
      last: cellOf(view.you.shots.at(-1)),
      aim: this.aim,
      water: over ? new Set() : knownWater(mine.ships, view.rules),
    });
    const theirs = this.pace.shown(view.opponent.shots);
    this.own.draw({ ...ownPicture(view, theirs), last: cellOf(theirs.at(-1)) });
    this.#drawFleets(theirs);
    this.#drawCalls();
    this.#drawActions();
  }

  /** The turns of which only the number of hits was called, the last one first. */
  #drawCalls() {
    const { calls, shots } = this.view.you;
    this.calls.hidden = calls.length === 0;
    this.calls.replaceChildren(...calls.map((call) => el("li", { text: calledTurn(call, shots) })).reverse());
    if (this.analyse) this.analyse.hidden = calls.length > 0;
  }

  #drawFleets(theirs) {
    const { rules, you, opponent } = this.view;
    const sunkHere = sunkShips(you.ships, theirs).map((ship) => parseShip(ship).length);
    const named = rules.call === "ship" || rules.call === "every";
    const called = you.calls.reduce((sum, { sinkings }) => sum + sinkings, 0);
    const sinkings = you.shots.filter((shot) => shot.includes("#")).length + called;
    const theirFleet = named ? markSunk(rules.fleet, opponent.left) : markSunk(rules.fleet, rules.fleet);
    const note = { bare: t("fleet.count", { n: sinkings, of: rules.fleet.length }), silent: t("fleet.silent") }[rules.call];
    this.enemyFleet.replaceChildren(
      fleetStrip(theirFleet, t("fleet.theirs", { name: playerName(opponent) })),
      note ? el("span", { class: "small soft", text: note }) : "",
    );
    this.ownFleet.replaceChildren(fleetStrip(markSunk(rules.fleet, without(rules.fleet, sunkHere)), t("fleet.yours")));
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
    const name = playerName(view.opponent);
    if (view.ending === "resigned") return verdict(view);
    if (this.pace.held > 0) return this.#lastShots().join(" ");
    if (view.phase === "over") return [...this.#lastShots(), verdict(view)].join(" ");
    const waiting = t(view.opponent.captain === null ? "battle.theirTurn" : "battle.thinking", { name });
    const due = isSingle(view.rules) ? t("battle.yourTurn") : t("battle.yourShots", { shots: shotCount(view.shots_left) });
    return [...this.#lastShots(), view.turn === "you" ? due : waiting].join(" ");
  }

  /** The player's last shot, or the first one of the last turn where a turn is several shots. */
  #firstShown(order) {
    const last = order.lastIndexOf("you");
    const before = isSingle(this.view.rules) ? last - 1 : order.lastIndexOf("opponent", last);
    return Math.max(0, before + 1);
  }

  #calledTurn(call) {
    return t("battle.youFire", { cell: calledCells(call, this.view.you.shots).join(" "), answer: callWords(call) });
  }

  #lastShots() {
    const { view } = this;
    const order = view.order.slice(0, view.order.length - this.pace.held);
    const from = this.#firstShown(order);
    const name = playerName(view.opponent);
    const shotIndex = { you: 0, opponent: 0 };
    return order.flatMap((who, i) => {
      const number = shotIndex[who]++;
      const call = who === "you" && view.you.calls.find(({ from, to }) => from <= number && number < to);
      if (call) return i < from || number + 1 < call.to ? [] : [this.#calledTurn(call)];
      const shot = knownShot((who === "you" ? view.you : view.opponent).shots[number]);
      const values = { name, cell: shot.cell, answer: answerWords(shot) };
      return i < from ? [] : [t(who === "you" ? "battle.youFire" : "battle.theyFire", values)];
    });
  }
}

function side(kind, name, fleet, board, presence = null) {
  const title = el("h2", {}, el("span", { text: name }), presence ? " " : "", presence);
  return el("div", { class: `side ${kind}` }, el("div", { class: "side-head" }, title, fleet), board);
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

/** The ships all of whose cells were fired at. */
function sunkShips(ships, shots) {
  const fired = new Set(shots.map((shot) => knownShot(shot).cell));
  return ships.filter((ship) => shipCellNames(parseShip(ship)).every((cell) => fired.has(cell)));
}

/** One's own board: the ships are known, so a ship is sunk when it is, whatever was called. */
function ownPicture({ you, rules }, shots) {
  const sunk = new Set(sunkShips(you.ships, shots));
  const ships = you.ships.map((text) => ({ ...parseShip(text), kind: sunk.has(text) ? "sunk" : "own" }));
  const states = rockStates(rules);
  for (const { cell, answer } of shots.map(knownShot)) states.set(cell, answer === "miss" ? "miss" : "hit");
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
  const name = playerName(opponent);
  if (ending === "resigned") return t(winner === "you" ? "battle.theyGaveUp" : "battle.youGaveUp", { name });
  const n = (winner === "you" ? you : opponent).shots.length;
  return t(winner === "you" ? "battle.youSank" : "battle.theySank", { name, n });
}
