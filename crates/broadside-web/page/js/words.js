// What the game says, in the reader's language.

import { locale, number, t } from "./i18n.js";

/**
 * What a shot did: `hit`, `sank a ship of 3`.
 * @param {Pick<Shot, "answer" | "length">} shot
 */
export function answerWords({ answer, length }) {
  if (answer === "sunk") return length ? t("answer.sunkLength", { length }) : t("answer.sunk");
  if (answer === "hit" && length) return t("answer.hitLength", { length });
  return t(`answer.${answer}`);
}

const ONE_DIGIT = new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** A chance as a figure that fits a cell: `12.3`, `100`, nothing for what can't be. */
export function figure(chance) {
  if (chance <= 0) return "";
  return chance >= 0.9995 ? "100" : ONE_DIGIT.format(chance * 100);
}

/**
 * An integer of any size, in groups of three digits.
 * @param {number | string} integer
 */
export function grouped(integer) {
  return number(BigInt(integer));
}

/** `1 shot`, `2 shots`. @param {number} n */
export const shotCount = (n) => t("count.shots", { n });
