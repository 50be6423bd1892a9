// The link that invites another person, and whether it can work for them.

import { el } from "./dom.js";
import { t } from "./i18n.js";
import { rulesLine } from "./rules-form.js";
import * as router from "./router.js";
import { linkBox } from "./share.js";

/** Whether a host is this machine alone. @param {string} host */
export function isLoopback(host) {
  const name = host.replace(/^\[|\]$/g, "");
  return name === "localhost" || name.endsWith(".localhost") || name === "::1" || /^127(\.\d+){3}$/.test(name);
}

/** @param {string} id @param {string} invite @param {View} view */
export function invitation(id, invite, { rules, hints }) {
  const warning = isLoopback(location.hostname) ? el("p", { class: "warning small", id: "loopback", text: t("invite.loopback") }) : null;
  return el(
    "section",
    { class: "card invitation" },
    el("h2", { text: t("invite.title") }),
    warning,
    el("p", { class: "small", text: t("invite.text") }),
    linkBox("invite-link", t("invite.label"), router.link("join", [id, invite])),
    el("p", { class: "small soft", text: rulesLine(rules) }),
    hints ? null : el("p", { class: "small", text: t("battle.noHints") }),
  );
}
