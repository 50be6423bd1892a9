// The start page: games to go on with, and a new one.

import * as api from "./api.js";
import { button, el, write } from "./dom.js";
import { count, sentence } from "./notation.js";
import { field, RulesForm } from "./rules-form.js";
import * as router from "./router.js";
import * as store from "./store.js";

/** Captains shown first, from gentle to hard; all others are one step further. */
const FEATURED = { "hunt-target": "Gentle", density: "Steady", admiral: "Hard" };

export async function setup({ main }) {
  const { captains, presets } = await api.catalogue();
  const form = new NewGame(captains, presets);
  main.replaceChildren(
    el(
      "div",
      { class: "start" },
      el(
        "section",
        { class: "card wide-card" },
        el("h1", { text: "Play Battleship" }),
        el("p", {
          class: "lead",
          text: "Place your fleet, fire in turns, sink theirs first. Exact odds and a hint are there when you want them.",
        }),
        form.element,
      ),
      el("div", { class: "aside" }, unfinishedGames(), otherPages()),
    ),
  );
  return { title: "Play" };
}

class NewGame {
  constructor(captains, presets) {
    this.captains = captains;
    this.rules = new RulesForm({
      presets,
      initial: store.preference("rules", {}),
      onChange: (rules) => {
        this.start.disabled = !rules;
      },
    });
    this.#make();
    this.#restore();
    this.#follow();
  }

  #make() {
    this.captain = el(
      "select",
      { id: "captain", "aria-label": "Captain" },
      this.captains.map(({ name }) => el("option", { value: name, text: name })),
    );
    this.about = el("p", { class: "soft small", id: "captain-about" });
    this.name = el("input", {
      id: "name",
      type: "text",
      maxlength: 24,
      autocomplete: "nickname",
      placeholder: "Shown to others",
      value: store.preference("name", ""),
    });
    this.again = el("input", { id: "hit-again", type: "checkbox" });
    this.first = el(
      "select",
      { id: "first" },
      [
        ["me", "I do"],
        ["them", "They do"],
        ["random", "At random"],
      ].map(([value, text]) => el("option", { value, text })),
    );
    this.start = el("button", { id: "create", type: "submit", class: "primary", text: "Place your fleet" });
    this.problem = el("p", { class: "problem", id: "problem", role: "alert" });
    this.element = el(
      "form",
      { class: "new-game", on: { submit: (event) => this.#create(event) } },
      this.#opponents(),
      el(
        "div",
        { class: "columns" },
        this.rules.element,
        el(
          "div",
          { class: "fields" },
          field("Who begins", this.first),
          el("label", { class: "check" }, this.again, el("span", { text: "A hit gives another shot" })),
          field("Your name", this.name),
        ),
      ),
      el("div", { class: "row" }, this.start),
      this.problem,
    );
    this.captain.addEventListener("pointerdown", () => this.#chooseOther());
    this.captain.addEventListener("change", () => this.#chooseOther());
    this.element.addEventListener("change", () => this.#follow());
  }

  #opponents() {
    const featured = this.captains.filter(({ name }) => name in FEATURED);
    featured.sort((a, b) => Object.keys(FEATURED).indexOf(a.name) - Object.keys(FEATURED).indexOf(b.name));
    const cards = featured.map(({ name, about }) => choice(name, name, FEATURED[name], sentence(about)));
    this.more = choice("other", "Another captain", `${this.captains.length} of them`, this.captain, this.about);
    const person = choice("person", "Another person", "By a link", "Two browsers, one game. You send a link to a friend.");
    return el("fieldset", { class: "choices" }, el("legend", { text: "Opponent" }), cards, this.more, person);
  }

  /** Whoever picks from the list of captains means to play one of them. */
  #chooseOther() {
    radio(this.more, "[name=opponent]").checked = true;
  }

  #restore() {
    const { opponent = "density", captain = "exact", again = false, first = "me" } = store.preference("game", {});
    const wanted = radio(this.element, `[name=opponent][value="${CSS.escape(opponent)}"]`);
    (wanted ?? radio(this.element, "[name=opponent]")).checked = true;
    this.captain.value = this.captains.some(({ name }) => name === captain) ? captain : this.captains[0].name;
    this.again.checked = again;
    this.first.value = first;
  }

  get opponent() {
    return radio(this.element, "[name=opponent]:checked").value;
  }

  #follow() {
    write(this.about, sentence(this.captains.find(({ name }) => name === this.captain.value).about));
  }

  /** @returns {Schemas["NewGame"]} */
  #request() {
    const captain = { person: null, other: this.captain.value }[this.opponent];
    return {
      rules: this.rules.request(),
      turns: this.again.checked ? "hit-again" : "alternate",
      first: /** @type {Schemas["First"]} */ (this.first.value),
      captain: captain === undefined ? this.opponent : captain,
      name: this.name.value.trim() || undefined,
    };
  }

  #remember() {
    store.prefer("game", {
      opponent: this.opponent,
      captain: this.captain.value,
      again: this.again.checked,
      first: this.first.value,
    });
    store.prefer("rules", this.rules.brief());
    store.prefer("name", this.name.value.trim());
  }

  async #create(event) {
    event.preventDefault();
    this.start.disabled = true;
    write(this.problem, "");
    try {
      const { id, token, invite, view } = await api.createGame(this.#request());
      this.#remember();
      store.keepGame(id, { token, invite });
      store.summarise(view);
      router.go("game", [id]);
    } catch (error) {
      write(this.problem, error.message);
      this.start.disabled = false;
    }
  }
}

/** @param {Element} within @param {string} selector @returns {HTMLInputElement | null} */
const radio = (within, selector) => within.querySelector(selector);

/** An opponent to choose. */
function choice(value, title, badge, ...about) {
  const input = el("input", { type: "radio", name: "opponent", value });
  const text = about.map((part) => (typeof part === "string" ? el("span", { class: "small soft", text: part }) : part));
  return el(
    "label",
    { class: "choice" },
    input,
    el(
      "span",
      { class: "choice-text" },
      el("span", { class: "choice-head" }, el("strong", { text: title }), el("span", { class: "badge", text: badge })),
      text,
    ),
  );
}

function unfinishedGames() {
  const games = store.unfinished();
  if (games.length === 0) return null;
  const list = el(
    "ul",
    { class: "games", id: "unfinished" },
    games.map((game) => unfinished(game)),
  );
  return el("section", { class: "card" }, el("h2", { text: "Go on with a game" }), list);
}

const STATES = { waiting: "waiting for someone to join", placing: "fleets are being placed" };

function unfinished({ id, opponent, phase, turn, board, shots }) {
  const against = phase === "waiting" ? "A game of two" : `Against ${opponent}`;
  const state = STATES[phase] ?? `${count(shots, "shot")} fired, ${turn === "you" ? "your turn" : "their turn"}`;
  const item = el(
    "li",
    {},
    el(
      "a",
      { href: router.format("game", [id]) },
      el("strong", { text: against }),
      el("span", { class: "small soft", text: `${board.replace("x", "×")}, ${state}` }),
    ),
  );
  item.append(
    button(
      null,
      "×",
      () => {
        store.forgetGame(id);
        item.remove();
      },
      { class: "plain", "aria-label": `Forget the game: ${against}`, title: "Take it off the list" },
    ),
  );
  return item;
}

function otherPages() {
  return el(
    "section",
    { class: "card" },
    el("h2", { text: "More than a game" }),
    el(
      "ul",
      { class: "page-links" },
      pageLink("analyse", "Analyse", "Mark the shots of any game, on a table or a phone, and see the exact odds of every cell."),
      pageLink("lab", "Lab", "Let captains play thousands of games and compare them."),
    ),
  );
}

function pageLink(route, title, text) {
  return el(
    "li",
    {},
    el("a", { href: router.format(route) }, el("strong", { text: title }), el("span", { class: "small soft", text })),
  );
}
