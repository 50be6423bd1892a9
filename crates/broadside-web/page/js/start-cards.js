// What the start page has beside the game: games to go on with, today's task, and how the player does.

import { button, el } from "./dom.js";
import { t } from "./i18n.js";
import { entries, totals } from "./history.js";
import { nameOf } from "./opponents.js";
import * as router from "./router.js";
import * as store from "./store.js";
import { offerUndo } from "./undo.js";

/** @param {boolean} tournament whether the server has one to watch */
export function moreCards(tournament) {
  const list = el("ul", { class: "page-links" }, links(), tournament ? tournamentLink() : null);
  return [unfinishedGames(), el("section", { class: "card" }, el("h2", { text: t("start.more") }), list)].filter(Boolean);
}

function links() {
  const { games, won, streak } = totals(entries());
  const record = games ? t("start.record", { n: games, won, streak }) : t("start.noRecord");
  return [
    pageLink("daily", [], t("nav.daily"), t("start.daily")),
    pageLink("history", [], t("nav.history"), record),
    pageLink("solo", [], t("solo.title"), t("start.solo")),
    pageLink("analyse", [], t("nav.analyse"), t("start.analyse")),
    pageLink("rules", [], t("how.title"), t("start.rules")),
  ];
}

function pageLink(route, parts, title, text) {
  return link(router.format(route, parts), title, text);
}

/** A page of its own beside the app. */
function tournamentLink() {
  return link("/tournament", t("start.tournament"), t("start.tournamentAbout"));
}

function link(href, title, text) {
  return el("li", {}, el("a", { href }, el("strong", { text: title }), el("span", { class: "small soft", text })));
}

function unfinishedGames() {
  const games = store.unfinished();
  if (games.length === 0) return null;
  const list = el("ul", { class: "games", id: "unfinished" }, games.map((game) => unfinished(game)));
  return el("section", { class: "card" }, el("h2", { text: t("start.goOn") }), list);
}

function stateWords({ phase, turn, shots }) {
  if (phase === "waiting" || phase === "placing") return t(`start.${phase}`);
  return t(turn === "you" ? "start.yourTurn" : "start.theirTurn", { n: shots });
}

function unfinished(game) {
  const { id, opponent, captain, phase, board, pass } = game;
  const against = phase === "waiting" ? t("start.ofTwo") : t("start.against", { name: nameOf(captain || opponent) });
  const item = el(
    "li",
    {},
    el(
      "a",
      { href: router.format(pass ? "pass" : "game", [id]) },
      el("strong", { text: against }),
      el("span", { class: "small soft", text: `${board.replace("x", "×")}, ${stateWords(game)}` }),
    ),
  );
  const forget = () => {
    const kept = store.game(id);
    store.forgetGame(id);
    item.hidden = true;
    offerUndo(t("undo.game", { name: against }), () => {
      store.keepGame(id, kept);
      item.hidden = false;
    });
  };
  item.append(button(null, "×", forget, { class: "plain", "aria-label": t("start.forget", { name: against }), title: t("start.takeOff") }));
  return item;
}
