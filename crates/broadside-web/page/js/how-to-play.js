// How to play, for each preset with its own rules.

import * as api from "./api.js";
import { Board } from "./board.js";
import { el } from "./dom.js";
import { t } from "./i18n.js";
import { knownWater, readLog } from "./marks.js";
import { presetName, rulesLine } from "./rules-form.js";
import * as router from "./router.js";

/** Shots of an example for each preset: a miss, a hit, a ship that sinks. */
const EXAMPLES = {
  classic: ["B2-", "E5+", "E6+", "E7#3", "H3+", "G8-"],
  russian: ["B2-", "E5+", "E6#2", "H3#1", "G8-"],
  sploosh: ["B2-", "D4+", "D5#2", "G7-"],
  salvo: ["B2-", "E5+", "E6+", "E7#3", "H3+", "G8-"],
  reef: ["B2-", "D5+", "D6+", "D7#3", "H4+", "G8-"],
};

export async function howToPlay({ main, parts: [wanted] }) {
  const { presets } = await api.catalogue();
  const chosen = presets.find(({ name }) => name === wanted) ?? presets[0];
  const tabs = presets.map(({ name }) =>
    el("a", { class: "button", href: router.format("rules", [name]), "aria-current": name === chosen.name ? "page" : null, text: presetName(name) }),
  );
  main.replaceChildren(
    el("h1", { text: t("how.title") }),
    el("nav", { class: "row tabs", "aria-label": t("rules.rules") }, tabs),
    el("div", { class: "how-to" }, steps(chosen), example(chosen)),
  );
  return { title: t("how.title") };
}

function steps({ name, rules }) {
  const list = ["goal", "place", "fire", "marks", `touch.${rules.touch}`, "sunk"].map((key) => t(`how.${key}`, { n: rules.fleet.length }));
  const own = { russian: [t("how.again"), t("how.water")], sploosh: [t("how.limit"), t("how.duel")], reef: [t("how.rocks")], salvo: [t("how.salvo")] }[name] ?? [];
  const start =
    name === "sploosh"
      ? el("a", { class: "button primary", href: router.format("solo", []), text: t("how.solo") })
      : el("a", { class: "button primary", href: router.format("play"), text: t("how.play") });
  return el(
    "section",
    { class: "card" },
    el("h2", { text: presetName(name) }),
    el("p", { class: "soft", text: rulesLine(rules) }),
    el("ul", { id: "how-to-rules" }, [...list, ...own].map((text) => el("li", { text }))),
    el("div", { class: "row" }, start),
  );
}

function example({ name, rules }) {
  const board = new Board({ id: "example-board", label: t("how.example"), rows: rules.rows, cols: rules.cols });
  const shots = EXAMPLES[name] ?? EXAMPLES.classic;
  const { states, ships } = readLog(shots, rules);
  board.draw({ states, ships: ships.map((ship) => ({ ...ship, kind: "sunk" })), water: knownWater(ships, rules) });
  return el("section", { class: "example" }, board.element, legend());
}

/** What the marks of a board mean. */
export function legend() {
  const sign = (state, key) => el("li", {}, el("i", { class: "sign", data: { state } }), el("span", { text: t(key) }));
  return el("ul", { class: "legend signs small" }, sign("miss", "answer.miss"), sign("hit", "answer.hit"), sign("sunk", "cell.sunk"));
}
