// What the game says, in the reader's language.

import { has, locale, number, t } from "./i18n.js";
import { knownShot, sentence } from "./notation.js";

/**
 * What a shot did: `hit`, `sank a ship of 3`.
 * @param {Pick<Shot, "answer" | "length">} shot
 */
export function answerWords({ answer, length }) {
  if (answer === "sunk") return length ? t("answer.sunkLength", { length }) : t("answer.sunk");
  if (answer === "hit" && length) return t("answer.hitLength", { length });
  return t(`answer.${answer}`);
}

/**
 * What was called after a turn of which only the number of hits is told: `2 of 5 hit, sank a ship of 3`.
 * @param {Schemas["CallOut"]} call
 */
export function callWords({ from, to, hits, sinkings, sunk }) {
  const ships = sunk.length > 0 ? sunk.map((length) => t("answer.sunkLength", { length })) : Array.from({ length: sinkings }, () => t("answer.sunk"));
  return [t("call.hits", { hits, shots: to - from }), ...ships].join(", ");
}

/** The cells of such a turn. @param {Schemas["CallOut"]} call @param {string[]} shots */
export const calledCells = ({ from, to }, shots) => shots.slice(from, to).map((shot) => knownShot(shot).cell);

/** Such a turn with what was called: `A1 B2 C3: 1 of 3 hit`. @param {Schemas["CallOut"]} call @param {string[]} shots */
export const calledTurn = (call, shots) => t("calls.turn", { cells: calledCells(call, shots).join(" "), called: callWords(call) });

/** By the number of digits after the point. */
const FIGURES = [0, 1].map((digits) => new Intl.NumberFormat(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits }));

/** A chance as a figure that fits a cell: `12.3`, `100`, nothing for what can't be. An estimate has no digit after the point. */
export function figure(chance, digits = 1) {
  if (chance <= 0) return "";
  return chance >= 0.9995 ? "100" : FIGURES[digits].format(chance * 100);
}

/**
 * An integer of any size, in groups of three digits.
 * @param {number | string} integer
 */
export function grouped(integer) {
  return number(BigInt(integer));
}

/** How a captain plays; the server has words for one that is new to the page. @param {Schemas["CaptainOut"]} captain */
export function captainWords({ name, about }) {
  const key = `captain.${name}`;
  return has(key) ? t(key) : sentence(about);
}

/** `1 shot`, `2 shots`. @param {number} n */
export const shotCount = (n) => t("count.shots", { n });
