// A slider through a game, with buttons for one step and for letting it run.

import { attribute, button, el } from "./dom.js";
import { t } from "./i18n.js";

/** Milliseconds a shot when it runs by itself. */
const PACE = 900;

export class Timeline {
  /**
   * @param {{steps: number, label: string, onStep: (at: number) => void, words: (at: number) => string}} options steps are
   *   counted from 0 to `steps`; `words` says for screen readers where that is
   */
  constructor({ steps, label, onStep, words }) {
    this.steps = steps;
    this.onStep = onStep;
    this.words = words;
    /** @type {ReturnType<typeof setInterval> | 0} */
    this.timer = 0;
    this.slider = el("input", {
      id: "slider",
      type: "range",
      min: 0,
      max: steps,
      value: steps,
      "aria-label": label,
      on: {
        input: () => {
          this.stop();
          this.go(this.at);
        },
      },
    });
    this.play = button("play", t("timeline.play"), () => (this.timer ? this.stop() : this.#run()));
    this.element = el(
      "div",
      { class: "timeline" },
      button("back", "◀", () => this.#step(-1), { "aria-label": t("timeline.back") }),
      this.slider,
      button("next", "▶", () => this.#step(1), { "aria-label": t("timeline.next") }),
      this.play,
    );
  }

  /**
   * Arrow keys, Home and End step through the game wherever the focus is, unless something there has its own use for them.
   * @returns {() => void} ends that
   */
  listen() {
    const keys = (event) => {
      const own = event.target.closest?.("input, select, textarea, [role=grid], dialog");
      if (own || event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return;
      const to = { ArrowLeft: this.at - 1, ArrowRight: this.at + 1, Home: 0, End: this.steps }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      this.stop();
      this.go(to);
    };
    document.addEventListener("keydown", keys);
    return () => document.removeEventListener("keydown", keys);
  }

  get at() {
    return Number(this.slider.value);
  }

  go(at) {
    const to = Math.max(0, Math.min(this.steps, at));
    this.slider.value = String(to);
    attribute(this.slider, "aria-valuetext", this.words(to));
    this.onStep(to);
  }

  #step(by) {
    this.stop();
    this.go(this.at + by);
  }

  #run() {
    if (this.at >= this.steps) this.go(0);
    this.play.textContent = t("timeline.pause");
    this.timer = setInterval(() => {
      this.go(this.at + 1);
      if (this.at >= this.steps) this.stop();
    }, PACE);
  }

  stop() {
    clearInterval(this.timer);
    this.timer = 0;
    this.play.textContent = t("timeline.play");
  }
}
