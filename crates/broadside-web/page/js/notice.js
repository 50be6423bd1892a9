// What to say when a view can't be shown.

import { button, el } from "./dom.js";
import { t } from "./i18n.js";
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
        el("a", { class: "button", href: router.format("play"), text: t("notice.home") }),
      ),
    ),
  );
}

/** A view that failed to load. */
export function failed(main, error, retry) {
  const again = button("retry", t("notice.retry"), retry, { class: "primary" });
  if (error.isOffline) message(main, t("notice.offline"), error.message, again);
  else if (error.status === 404 || error.status === 403 || error.status === 401) message(main, t("notice.notFound"), error.message);
  else message(main, t("notice.failed"), error.message ?? String(error), again);
}
