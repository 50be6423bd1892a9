// First-run help in three steps: placing, firing, hints. Each is a line beside what it is about; one click skips all.

import { button, el } from "./dom.js";
import { t } from "./i18n.js";
import * as store from "./store.js";

const STEPS = ["place", "fire", "hint"];

/** The next step to show; beyond the last one all are done. */
const next = () => (store.preference("coach", true) ? store.preference("coachStep", 0) : STEPS.length);

/**
 * The line for a step, if it is its turn.
 * @param {"place" | "fire" | "hint"} step
 */
export function coach(step) {
  const number = STEPS.indexOf(step);
  if (next() > number) return null;
  const line = el("div", { class: "coach", role: "note" });
  const done = (upTo) => {
    store.prefer("coachStep", upTo);
    line.remove();
  };
  line.append(
    el("span", { class: "small" }, el("strong", { text: t("coach.step", { step: number + 1, of: STEPS.length }) }), " ", t(`coach.${step}`)),
    button(null, t("coach.ok"), () => done(number + 1), { class: "coach-ok" }),
    number + 1 < STEPS.length ? button(null, t("coach.skip"), () => done(STEPS.length), { class: "plain coach-skip" }) : "",
  );
  return line;
}

/** A step was done without being asked to. @param {"place" | "fire" | "hint"} step */
export function learned(step) {
  if (next() === STEPS.indexOf(step)) store.prefer("coachStep", next() + 1);
}
