// The start page: a fleet that is placed already, an opponent, and one button.

import * as api from "./api.js";
import { shape } from "./board.js";
import { coach, learned } from "./coach.js";
import { el, write } from "./dom.js";
import { t } from "./i18n.js";
import { moreCards } from "./start-cards.js";
import * as opponents from "./opponents.js";
import { Placing } from "./placing.js";
import { field, rulesLine, RulesForm } from "./rules-form.js";
import * as router from "./router.js";
import * as store from "./store.js";
import { captainWords } from "./words.js";

/** Presets in which a hit gives another shot. */
const HIT_AGAIN = new Set(["russian"]);

export async function setup({ main }) {
  const catalogue = await api.catalogue();
  const page = new Start(catalogue);
  await page.ready;
  main.replaceChildren(el("h1", { class: "visually-hidden", text: t("play.title") }), page.element);
  return { title: t("nav.play"), destroy: () => page.destroy() };
}

class Start {
  constructor({ captains, bots, tournament, presets, limits, ladder }) {
    const served = bots.map((name) => ({ name, about: t("opponent.botAbout"), source: "" }));
    this.captains = [...captains, ...served];
    this.ladder = opponents.rungs(ladder);
    this.form = new RulesForm({
      presets,
      limits,
      initial: store.preference("rules", {}),
      onChange: (rules) => this.#setRules(rules),
    });
    this.#makeSettings();
    this.#makeOpponents();
    this.#restore();
    this.board = el("div", { class: "start-board" });
    this.controls = el("div", { class: "start-controls" });
    const side = el("div", { class: "start-side" }, this.choices, this.controls, this.people, this.more, this.settings);
    const tour = el("div", { class: "start-coach" }, coach("place"));
    this.element = el("div", { class: "start" }, tour, this.board, side, el("div", { class: "aside" }, moreCards(tournament)));
    this.ready = this.form.ready;
  }

  destroy() {
    this.placing?.destroy();
    this.gone = true;
  }

  // What is chosen.

  #makeSettings() {
    this.name = el("input", {
      id: "name",
      type: "text",
      maxlength: 24,
      autocomplete: "nickname",
      placeholder: t("play.namePlaceholder"),
      value: store.preference("name", ""),
    });
    this.again = el("input", { id: "hit-again", type: "checkbox" });
    this.hints = el("input", { id: "allow-hints", type: "checkbox", checked: true });
    const option = (value) => el("option", { value, text: t(`play.first.${value}`) });
    this.first = el("select", { id: "first" }, ["me", "them", "random"].map(option));
    this.line = el("span", { class: "small soft", id: "settings-line" });
    this.howTo = el("a", { id: "how-to-play", text: t("play.howTo"), href: "#/rules" });
    this.settings = el(
      "details",
      { class: "settings-fold", id: "settings" },
      el("summary", {}, el("span", { text: t("play.settings") }), " ", this.line),
      this.form.element,
      el("p", { class: "small" }, this.howTo),
      el(
        "div",
        { class: "fields" },
        field(t("play.whoBegins"), this.first),
        field(t("play.yourName"), this.name),
        el("label", { class: "check wide" }, this.again, el("span", { text: t("play.hitAgain") })),
        el("label", { class: "check wide", id: "hints-choice" }, this.hints, el("span", { text: t("play.allowHints") })),
      ),
    );
    this.form.preset.addEventListener("change", () => {
      this.again.checked = HIT_AGAIN.has(this.form.preset.value);
    });
  }

  #makeOpponents() {
    this.captain = el(
      "select",
      { id: "captain", "aria-label": t("play.captain") },
      this.captains.map(({ name }) => el("option", { value: name, text: name.startsWith("bot:") ? opponents.nameOf(name) : name })),
    );
    this.about = el("span", { class: "small soft", id: "captain-about" });
    const rung = (one) => opponentCard(one.captain, one.name, " ", rungWords(one));
    const featured = opponents.FEATURED.map((at) => this.ladder[at]);
    const others = this.ladder.filter((one) => !featured.includes(one));
    this.featured = el("div", { class: "rungs" }, featured.map(rung));
    this.people = el(
      "fieldset",
      { class: "rungs pair-of" },
      el("legend", { class: "visually-hidden", text: t("play.opponent") }),
      opponentCard("person", t("opponent.friend"), t("opponent.friendBadge")),
      opponentCard("pass", t("opponent.pass"), t("opponent.passBadge")),
    );
    this.other = opponentCard("other", t("opponent.other"), "", this.captain, this.about);
    this.more = el(
      "details",
      { class: "more-opponents", id: "more-opponents" },
      el("summary", { text: t("play.moreOpponents") }),
      el("div", { class: "rungs" }, others.map(rung), opponentCard("adaptive", t("opponent.adaptive"), "", t("opponent.adaptiveAbout"))),
      this.other,
      el("p", { class: "small soft", text: t("rung.note") }),
    );
    this.choices = el("fieldset", { class: "choices" }, el("legend", { class: "visually-hidden", text: t("play.opponent") }), this.featured);
    this.captain.addEventListener("pointerdown", () => this.#chooseOther());
    this.captain.addEventListener("change", () => this.#chooseOther());
  }

  /** Whoever picks from the list of captains means to play one of them. */
  #chooseOther() {
    radio(this.other, "[name=opponent]").checked = true;
    this.#follow();
  }

  #radios() {
    return [this.choices, this.people, this.more];
  }

  #restore() {
    const { opponent = this.ladder[opponents.FEATURED[1]].captain, captain = "exact", again = false, first = "me", hints = true } =
      store.preference("game", {});
    const css = `[name=opponent][value="${CSS.escape(opponent)}"]`;
    const wanted = this.#radios().map((place) => radio(place, css)).find(Boolean);
    (wanted ?? radio(this.choices, "[name=opponent]")).checked = true;
    this.more.open = Boolean(radio(this.more, css));
    this.captain.value = this.captains.some(({ name }) => name === captain) ? captain : this.captains[0].name;
    this.again.checked = again;
    this.hints.checked = hints;
    this.first.value = first;
    this.#radios().forEach((place) => place.addEventListener("change", () => this.#follow()));
    this.#follow();
  }

  get opponent() {
    return this.#radios().map((place) => radio(place, "[name=opponent]:checked")).find(Boolean).value;
  }

  /** What depends on the choice. */
  #follow() {
    write(this.about, captainWords(this.captains.find(({ name }) => name === this.captain.value)));
    const people = ["person", "pass"].includes(this.opponent);
    this.settings.querySelector("#hints-choice").toggleAttribute("hidden", !people);
  }

  /** How many shots each rung needs by the rules chosen. */
  #drawMeans() {
    const { preset } = this.form.brief();
    for (const one of this.ladder) {
      const card = this.#radios().map((place) => radio(place, `[value="${CSS.escape(one.captain)}"]`)).find(Boolean);
      write(card.closest("label").querySelector(".badge"), t("rung.shots", { shots: Math.round(opponents.shotsOf(one, preset)) }));
    }
  }

  // The board.

  #setRules(rules) {
    if (this.gone) return;
    if (!rules) {
      this.placing?.allow(false);
      return;
    }
    write(this.line, rulesLine(rules));
    this.#drawMeans();
    this.howTo.setAttribute("href", router.format("rules", [this.form.brief().preset ?? "custom"], this.form.brief()));
    this.placing?.destroy();
    this.placing = new Placing(rules, (ships) => this.#create(ships), t("play.start"), () => this.#request().captain ?? null);
    this.board.replaceChildren(this.placing.boardBox);
    this.controls.replaceChildren(this.placing.controls);
    shape(this.element, rules);
    void this.placing.deal();
  }

  /** @returns {Schemas["NewGame"]} */
  #request() {
    const { opponent } = this;
    const captain = {
      person: null,
      pass: null,
      other: this.captain.value,
      adaptive: opponents.captainAt(this.ladder, store.preference("level", opponents.FIRST_LEVEL)),
    }[opponent];
    const people = captain === null;
    return {
      rules: this.form.request(),
      turns: this.again.checked ? "hit-again" : "alternate",
      first: opponent === "pass" ? "me" : /** @type {Schemas["First"]} */ (this.first.value),
      captain: captain === undefined ? opponent : captain,
      name: this.name.value.trim() || undefined,
      hints: people ? this.hints.checked : true,
    };
  }

  #remember() {
    store.prefer("game", {
      opponent: this.opponent,
      captain: this.captain.value,
      again: this.again.checked,
      first: this.first.value,
      hints: this.hints.checked,
    });
    store.prefer("rules", this.form.brief());
    store.prefer("name", this.name.value.trim());
  }

  /** Makes the game, and places the fleet in it. */
  async #create(ships) {
    const { id, token, invite, view } = await api.createGame(this.#request());
    this.#remember();
    store.keepGame(id, { token, invite, adaptive: this.opponent === "adaptive", rulesName: this.form.brief().preset ?? "" });
    store.summarise(view);
    if (this.opponent === "pass") {
      const { startPass } = await import("./pass.js");
      await startPass(id, token, invite, ships);
      return;
    }
    learned("place");
    store.summarise(await api.layout(id, token, ships));
    router.go("game", [id]);
  }
}

/** @param {Element} within @param {string} selector @returns {HTMLInputElement | null} */
const radio = (within, selector) => within.querySelector(selector);

function rungWords({ errors }) {
  return errors > 0 ? t("rung.errs", { errors: Math.round(errors * 100) }) : t("rung.best");
}

/** An opponent to choose. */
function opponentCard(value, title, badge, ...about) {
  const text = about.map((part) => (typeof part === "string" ? el("span", { class: "small soft about", text: part }) : part));
  return el(
    "label",
    { class: "choice" },
    el("input", { type: "radio", name: "opponent", value }),
    el(
      "span",
      { class: "choice-text" },
      el("strong", { text: title }),
      badge ? el("span", { class: "badge", text: badge }) : null,
      text,
    ),
  );
}
