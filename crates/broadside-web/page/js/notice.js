// What to say when a view can't be shown.

import { button, el } from "./dom.js";
import * as router from "./router.js";

/** A message in place of a view. */
export function message(main, title, text, ...more) {
  main.replaceChildren(
    el(
      "section",
      { class: "card narrow notice", id: "notice" },
      el("h1", { text: title }),
      el("p", { text }),
      el(
        "div",
        { class: "row" },
        more,
        el("a", { class: "button", href: router.format("play"), text: "To the start page" }),
      ),
    ),
  );
}

/** A view that failed to load. */
export function failed(main, error, retry) {
  const again = button("retry", "Try again", retry, { class: "primary" });
  if (error.isOffline) message(main, "The server is not there", error.message, again);
  else if (error.status === 404 || error.status === 403 || error.status === 401) message(main, "Not found", error.message);
  else message(main, "That did not work", error.message ?? String(error), again);
}
