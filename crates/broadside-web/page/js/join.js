// Someone has followed an invitation.

import * as api from "./api.js";
import { el, write } from "./dom.js";
import { field } from "./rules-form.js";
import * as router from "./router.js";
import * as store from "./store.js";

export async function joinGame({ main, parts: [id, invite] }) {
  if (store.game(id)) {
    router.swap("game", [id]);
    return { title: "Game" };
  }
  const name = el("input", {
    id: "name",
    type: "text",
    maxlength: 24,
    autocomplete: "nickname",
    value: store.preference("name", ""),
  });
  const problem = el("p", { class: "problem", id: "problem", role: "alert" });
  const submit = el("button", { id: "join", type: "submit", class: "primary", text: "Join the game" });
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
  main.replaceChildren(
    el(
      "section",
      { class: "card narrow" },
      el("h1", { text: "You are invited to a game" }),
      el("p", { text: "Someone wants to play Battleship with you. Say who you are, and place your fleet." }),
      el("form", { on: { submit: join } }, field("Your name", name), el("div", { class: "row" }, submit), problem),
    ),
  );
  return { title: "Join a game" };
}
