// Finished games: totals, a chart, the list, and how it is kept.

import * as api from "./api.js";
import { chart } from "./chart.js";
import { button, el, write } from "./dom.js";
import { HabitsCard } from "./habits-card.js";
import * as history from "./history.js";
import { date, number, percent, t } from "./i18n.js";
import { nameOf } from "./opponents.js";
import { presetName } from "./rules-form.js";
import * as router from "./router.js";
import { linkBox } from "./share.js";
import * as store from "./store.js";
import * as sync from "./sync.js";
import { offerUndo } from "./undo.js";

/** Games shown before somebody asks for more. */
const SHOWN = 50;

export async function historyView({ main, query }) {
  await api.catalogue().catch(() => {}); // names of opponents; without a server the captains' own do
  if (query.link) await follow(query.link);
  const page = new History();
  main.replaceChildren(page.element);
  return { title: t("nav.history") };
}

/** Someone has opened the secret link of a list. */
async function follow(token) {
  router.replace("history");
  await sync.connect(token);
}

class History {
  constructor() {
    this.shown = SHOWN;
    this.opponent = select("by-opponent", () => this.#show());
    this.rules = select("by-rules", () => this.#show());
    this.totals = el("section", { class: "tiles totals", id: "totals", "aria-label": t("history.totals") });
    this.chart = el("div", { id: "mean-chart" });
    this.list = el("ul", { class: "finished", id: "finished" });
    this.more = button("more-games", t("history.more"), () => {
      this.shown += SHOWN;
      this.#show();
    });
    this.status = el("p", { class: "small", id: "history-status", role: "status" });
    this.keep = el("section", { class: "card", id: "keep" });
    this.element = el(
      "div",
      { class: "history" },
      el("h1", { text: t("nav.history") }),
      el("div", { class: "filters" }, this.#filter("history.byOpponent", this.opponent), this.#filter("history.byRules", this.rules)),
      this.totals,
      el("div", { class: "history-columns" }, el("section", {}, this.list, this.more), el("div", { class: "history-side" }, this.chart, this.keep, new HabitsCard().element)),
    );
    this.#drawKeep();
    this.#fillFilters();
    this.#show();
    if (sync.secret()) this.#exchange();
  }

  #filter(label, control) {
    return el("label", { class: "field" }, el("span", { text: t(label) }), control);
  }

  #fillFilters() {
    const all = history.entries();
    fill(this.opponent, t("history.allOpponents"), all.map(({ opponent }) => opponent), nameOf);
    fill(this.rules, t("history.allRules"), all.map(({ rules }) => rules), presetName);
  }

  #chosen() {
    const is = (choice, value) => choice.value === "" || choice.value === value;
    return history.entries().filter(({ opponent, rules }) => is(this.opponent, opponent) && is(this.rules, rules));
  }

  #show() {
    const list = this.#chosen();
    this.#drawTotals(history.totals(list));
    this.#drawChart(list);
    this.list.replaceChildren(...list.slice(0, this.shown).map((entry) => this.#item(entry)));
    if (list.length === 0) this.list.append(el("li", { class: "soft", text: t("history.none") }));
    this.more.hidden = list.length <= this.shown;
  }

  #drawTotals({ games, won, best, mean, accuracy, streak, longest }) {
    const tile = (id, value, word, text = "") =>
      el("div", { class: "tile" }, el("span", { class: "count", id, text: value }), el("span", { class: "word", text: word }), el("span", { class: "small soft", text }));
    const or = (value, format) => (value === null ? "–" : format(value));
    this.totals.replaceChildren(
      tile("total-games", number(games), t("history.games"), t("history.won", { n: won })),
      tile("total-best", or(best, (value) => number(value)), t("history.best"), t("history.bestAbout")),
      tile("total-mean", or(mean, (value) => number(value, 1)), t("history.mean"), t("history.meanAbout")),
      tile("total-streak", number(streak), t("history.streak"), t("history.longest", { n: longest })),
      tile("total-accuracy", or(accuracy, (value) => percent(value)), t("history.accuracy")),
    );
  }

  #drawChart(list) {
    const points = history.meanOverTime(list);
    if (points.length < 2) {
      this.chart.replaceChildren();
      return;
    }
    const drawing = chart({ label: t("history.chart"), x: t("history.chartX"), y: t("history.chartY"), series: [{ name: "mean", points }] });
    this.chart.replaceChildren(el("figure", { class: "card" }, el("figcaption", { text: t("history.chart") }), drawing));
  }

  #item(entry) {
    const { id, ended, opponent, rules, won, resigned, shots, hits, accuracy, replay } = entry;
    const facts = [
      t("history.shots", { n: shots, share: percent(shots ? hits / shots : 0, 0) }),
      accuracy === null ? "" : t("history.itemAccuracy", { accuracy: percent(accuracy, 0) }),
      presetName(rules),
      date(ended),
    ];
    const result = resigned ? t(won ? "history.theyResigned" : "history.youResigned") : t(won ? "history.wonGame" : "history.lostGame");
    const link = store.game(id) ? router.format("review", [id]) : replay ? router.format("replay", [replay]) : null;
    const text = [
      el("strong", { class: won ? "won" : "lost", text: t("history.item", { result, name: nameOf(opponent) }) }),
      el("span", { class: "small soft", text: facts.filter(Boolean).join(" · ") }),
    ];
    const item = el("li", {}, link ? el("a", { href: link }, text) : el("span", { class: "no-link" }, text));
    item.append(button(null, "×", () => this.#remove(entry), { class: "plain", "aria-label": t("history.remove", { name: nameOf(opponent) }) }));
    return item;
  }

  #remove(entry) {
    history.remove(entry.id);
    sync.markRemoved(entry.id);
    this.#show();
    offerUndo(t("undo.finished", { name: nameOf(entry.opponent) }), () => {
      history.save([entry, ...history.entries()]);
      sync.unmarkRemoved(entry.id);
      this.#show();
    });
  }

  // Keeping it.

  #drawKeep() {
    const file = el("input", { type: "file", id: "import-file", accept: ".json,application/json", class: "visually-hidden", "aria-label": t("history.import") });
    file.addEventListener("change", () => this.#import(file));
    const token = sync.secret();
    const link = token
      ? [
          el("p", { class: "small", text: t("history.linkText") }),
          linkBox("history-link", t("history.linkLabel"), router.link("history", [], { link: token })),
          button("leave-link", t("history.leave"), () => this.#leave()),
        ]
      : [el("p", { class: "small", text: t("history.offer") }), button("make-link", t("history.makeLink"), () => this.#makeLink())];
    this.keep.replaceChildren(
      el("h2", { text: t("history.keep") }),
      ...link,
      el("p", { class: "small", text: t("history.fileText") }),
      el(
        "div",
        { class: "row" },
        button("export", t("history.export"), () => this.#export()),
        button("import", t("history.import"), () => file.click()),
        file,
      ),
      this.status,
    );
  }

  async #makeLink() {
    await this.#try(() => sync.start());
    this.#drawKeep();
  }

  #leave() {
    sync.disconnect();
    this.#drawKeep();
  }

  async #exchange() {
    await this.#try(() => sync.synchronise());
    this.#fillFilters();
    this.#show();
  }

  async #try(what) {
    try {
      await what();
      write(this.status, "");
    } catch (error) {
      write(this.status, error.message);
    }
  }

  #export() {
    const text = JSON.stringify({ broadside: "history", games: history.entries() }, null, 1);
    const link = el("a", { href: URL.createObjectURL(new Blob([text], { type: "application/json" })), download: "broadside-history.json" });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  async #import(input) {
    const read = input.files.length ? history.parse(await input.files[0].text()) : null;
    input.value = "";
    if (!read) {
      write(this.status, t("history.badFile"));
      return;
    }
    const before = history.entries().length;
    history.save(history.merged(history.entries(), read));
    write(this.status, t("history.imported", { n: history.entries().length - before }));
    this.#fillFilters();
    this.#show();
    sync.uploadSoon();
  }
}

function select(id, onChange) {
  return el("select", { id, on: { change: onChange } });
}

/** Options for all values that occur, each once. */
function fill(control, all, values, words) {
  const now = control.value;
  const known = [...new Set(values)];
  control.replaceChildren(el("option", { value: "", text: all }), ...known.map((value) => el("option", { value, text: words(value) })));
  control.value = known.includes(now) ? now : "";
}
