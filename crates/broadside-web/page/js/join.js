// Someone has followed an invitation.

import * as api from "./api.js";
import { el, write } from "./dom.js";
import { t } from "./i18n.js";
import { playerName } from "./opponents.js";
import { field, rulesLine } from "./rules-form.js";
import * as router from "./router.js";
import * as store from "./store.js";

export async function joinGame({ main, parts: [id, invite] }) {
  if (store.game(id)) {
    router.swap("game", [id]);
    return { title: t("game.title") };
  }
  const name = el("input", {
    id: "name",
    type: "text",
    maxlength: 24,
    autocomplete: "nickname",
    value: store.preference("name", ""),
  });
  const problem = el("p", { class: "problem", id: "problem", role: "alert" });
  const submit = el("button", { id: "join", type: "submit", class: "primary", text: t("join.join") });
  const join = async (event) => {
    event.preventDefault();
    submit.disabled = true;
    try {
      const { token, view } = await api.join(id, invite, name.value.trim() || undefined);
      store.keepGame(id, { token });
      store.summarise(view);
      store.prefer("name", name.value.trim());
      router.swap("game", [id]);
    } catch (error) {
      write(problem, error.message);
      submit.disabled = false;
    }
  };
  const about = el("div", { id: "invitation" });
  main.replaceChildren(
    el(
      "section",
      { class: "card narrow" },
      el("h1", { text: t("join.title") }),
      about,
      el("form", { on: { submit: join } }, field(t("play.yourName"), name), el("div", { class: "row" }, submit), problem),
    ),
  );
  try {
    describe(about, await api.invitation(id, invite));
  } catch (error) {
    if (error.isOffline) throw error;
    about.replaceChildren(el("p", { text: t("join.used") }));
  }
  return { title: t("join.title") };
}

/**
 * Who invites, and by which rules.
 * @param {HTMLElement} place
 * @param {Schemas["InvitationOut"]} invitation
 */
function describe(place, { name: given, rules, turns, hints, host_first: hostFirst }) {
  const name = playerName({ name: given });
  const lines = [
    rulesLine(rules),
    turns === "hit-again" ? t("play.hitAgain") : "",
    t(hostFirst ? "join.hostFirst" : "join.youFirst", { name }),
    hints ? "" : t("battle.noHints"),
  ];
  place.replaceChildren(
    el("p", { text: t("join.text", { name }) }),
    el("ul", { class: "small" }, lines.filter(Boolean).map((text) => el("li", { text }))),
  );
}
