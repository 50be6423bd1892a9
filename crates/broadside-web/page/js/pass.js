// One device for two: each sees the own side alone, and a curtain lies between the turns. While it is drawn, nothing of either
// board is on the page.

import * as api from "./api.js";
import { Battle } from "./battle.js";
import { button, el } from "./dom.js";
import { remember } from "./game.js";
import { t } from "./i18n.js";
import { message } from "./notice.js";
import { Placing } from "./placing.js";
import * as router from "./router.js";
import * as store from "./store.js";

/** Seats both players of a new game at this device, and places the first one's fleet. */
export async function startPass(id, token, invite, ships) {
  const names = [store.preference("name", "") || t("pass.first"), t("pass.second")];
  const { token: second } = await api.join(id, invite, names[1]);
  await api.layout(id, token, ships);
  store.keepGame(id, { token, invite: null, pass: { token: second, names } });
  router.go("pass", [id]);
}

export async function pass({ main, parts: [id] }) {
  const kept = store.game(id);
  if (!kept?.pass) {
    message(main, t("game.notHere"), t("game.notHereWhy"));
    return { title: t("game.title") };
  }
  const session = new PassSession(main, id, [kept.token, kept.pass.token], kept.pass.names);
  await session.start();
  return { title: t("pass.title"), destroy: () => session.destroy() };
}

class PassSession {
  /** @param {HTMLElement} main @param {string} id @param {string[]} tokens @param {string[]} names */
  constructor(main, id, tokens, names) {
    this.main = main;
    this.id = id;
    this.tokens = tokens;
    this.names = names;
    this.hide = () => {
      if (document.hidden && this.part && !this.over) this.#curtain(this.seat);
    };
    document.addEventListener("visibilitychange", this.hide);
  }

  async start() {
    const views = await Promise.all(this.tokens.map((token) => api.view(this.id, token)));
    const next = seatToAct(views);
    if (views[0].phase === "over") this.#show(0, views[0]);
    else this.#curtain(next);
  }

  destroy() {
    document.removeEventListener("visibilitychange", this.hide);
    this.part?.destroy?.();
  }

  /** Hides everything until the other player is ready. */
  #curtain(seat) {
    this.part?.destroy?.();
    this.part = null;
    this.seat = seat;
    const ready = button("ready", t("pass.ready", { name: this.names[seat] }), () => this.#open(seat), { class: "primary" });
    this.main.replaceChildren(
      el(
        "section",
        { class: "card narrow curtain", id: "curtain" },
        el("h1", { tabindex: "-1", text: t("pass.handTo", { name: this.names[seat] }) }),
        el("p", { text: t("pass.why") }),
        el("div", { class: "row" }, ready),
      ),
    );
    ready.focus();
  }

  async #open(seat) {
    this.#show(seat, await api.view(this.id, this.tokens[seat]));
  }

  /** @param {number} seat @param {View} view */
  #show(seat, view) {
    this.seat = seat;
    this.part?.destroy?.();
    if (view.phase === "over") this.#end(view);
    else if (!view.you.placed) this.#place(seat, view);
    else this.#battle(seat, view);
  }

  #place(seat, view) {
    const placed = async (ships) => {
      await api.layout(this.id, this.tokens[seat], ships);
      const views = await Promise.all(this.tokens.map((token) => api.view(this.id, token)));
      this.#curtain(seatToAct(views));
    };
    const placing = new Placing(view.rules, placed).whole();
    this.part = placing;
    this.main.replaceChildren(el("h1", { text: t("pass.placing", { name: this.names[seat] }) }), placing.element);
    void placing.deal();
  }

  #battle(seat, view) {
    const battle = new Battle(this.id, this.tokens[seat], (next) => this.#after(seat, next), { shared: true });
    this.part = battle;
    this.done = button("hand-over", t("pass.handOver", { name: this.names[1 - seat] }), () => this.#curtain(1 - seat), {
      class: "primary",
      hidden: true,
    });
    this.main.replaceChildren(el("h1", { class: "visually-hidden", text: t("pass.title") }), this.done, battle.element);
    battle.update(view);
    store.summarise(view);
  }

  /** After a shot its player sees what it did, and then hands the device over. */
  #after(seat, view) {
    store.summarise(view);
    if (this.part instanceof Battle) this.part.update(view);
    if (view.phase === "over") this.#end(view);
    this.done.hidden = view.phase === "over" || view.turn === "you";
    if (!this.done.hidden) this.done.focus();
    this.seat = seat;
  }

  /** The game is over: nothing is hidden any more. */
  #end(view) {
    this.over = true;
    if (!(this.part instanceof Battle)) {
      this.#battle(this.seat ?? 0, view);
    }
    void remember(view);
  }
}

/** Who has something to do: the one who has not placed, then the one whose turn it is. */
function seatToAct(views) {
  const unplaced = views.findIndex(({ you }) => !you.placed);
  return unplaced >= 0 ? unplaced : views.findIndex(({ turn }) => turn === "you");
}
