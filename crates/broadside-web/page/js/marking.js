// What can be marked by which rules, and what becomes of a mark by others.

import { t } from "./i18n.js";
import { cellAt } from "./notation.js";

/** What can be marked under a call rule, apart from nothing: `{answer, length, label}`. */
export function marksOf({ call, fleet }) {
  const lengths = [...new Set(fleet)];
  const each = (answer, key) => lengths.map((length) => ({ answer, length, label: t(key, { length }) }));
  const hit = { answer: "hit", length: null, label: t("mark.hit") };
  const miss = { answer: "miss", length: null, label: t("mark.miss") };
  return {
    silent: [miss, hit],
    bare: [miss, hit, { answer: "sunk", length: null, label: t("mark.sunk") }],
    ship: [miss, hit, ...each("sunk", "mark.sunkLength")],
    every: [miss, ...each("hit", "mark.hitLength"), ...each("sunk", "mark.sunkLength")],
  }[call];
}

export const isSame = (mark, shot) => mark.answer === shot?.answer && mark.length === (shot?.length ?? null);

/**
 * A mark by other rules: as it is where they have a word for it, else what is left of it; null where nothing is. A sinking that
 * isn't called is still a hit.
 * @template {Shot} Mark
 * @param {Mark} shot
 * @param {FullRules} rules
 * @returns {Mark | null}
 */
export function survivor(shot, rules) {
  const { row, col } = cellAt(shot.cell);
  if (row >= rules.rows || col >= rules.cols || rules.rocks.includes(shot.cell)) return null;
  const words = marksOf(rules);
  const forms = [shot, { ...shot, length: null }, { ...shot, answer: /** @type {const} */ ("hit"), length: shot.length }, { ...shot, answer: /** @type {const} */ ("hit"), length: null }];
  const fits = (form) => (shot.answer === "miss" ? form.answer === "miss" : true) && words.some((mark) => isSame(mark, form));
  return forms.find(fits) ?? null;
}
