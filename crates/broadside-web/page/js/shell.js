// What is around the views: the words of the header, the settings, and the worker that lets the page start without a server.

import { button, el } from "./dom.js";
import { LANGUAGES, language, locale, t } from "./i18n.js";
import { isStill, play as playSound } from "./sound.js";
import * as store from "./store.js";

/** Puts the header's words into the reader's language, and starts what the whole page shares. */
export function startShell() {
  document.documentElement.lang = locale;
  for (const part of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-text]"))) {
    part.textContent = t(part.dataset.text);
  }
  for (const part of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-label]"))) {
    part.setAttribute("aria-label", t(part.dataset.label));
    part.title = t(part.dataset.label);
  }
  labelTheme();
  document.addEventListener("themechange", labelTheme);
  document.getElementById("settings-button").addEventListener("click", openSettings);
  startWorker();
}

/** The button of the colours says what it leads to. */
function labelTheme() {
  const label = t(document.documentElement.dataset.theme === "dark" ? "shell.light" : "shell.dark");
  document.getElementById("theme").setAttribute("aria-label", label);
}

/** The worker keeps the page's files for a start without a server. Where the browser has none, the page works without. */
function startWorker() {
  if ("serviceWorker" in navigator) navigator.serviceWorker.register("/sw.js").catch(() => {});
}

/** A switch for a preference. */
function toggle(name, label, otherwise, after = () => {}) {
  const input = el("input", { type: "checkbox", id: `set-${name}` });
  input.checked = store.preference(name, otherwise);
  input.addEventListener("change", () => {
    store.prefer(name, input.checked);
    after();
  });
  return el("label", { class: "check" }, input, el("span", { text: t(label) }));
}

function languages() {
  const options = Object.entries(LANGUAGES).map(([value, text]) => el("option", { value, text, lang: value }));
  const select = el("select", { id: "set-language" }, options);
  select.value = language;
  select.addEventListener("change", () => {
    store.prefer("language", select.value);
    location.reload();
  });
  return el("label", { class: "field" }, el("span", { text: t("settings.language") }), select);
}

function openSettings() {
  const dialog = el(
    "dialog",
    { id: "settings-dialog", "aria-labelledby": "settings-title" },
    el("h2", { id: "settings-title", text: t("settings.title") }),
    languages(),
    toggle("sound", "settings.sound", false, () => playSound("hit")),
    toggle("vibrate", "settings.vibrate", false),
    toggle("instant", "settings.instant", false),
    toggle("coach", "settings.coach", true),
    isStill() ? el("p", { id: "settings-still", class: "small soft", text: t("settings.still") }) : null,
    el("p", { class: "small" }, el("a", { href: "#/rules", text: t("settings.rules"), on: { click: () => dialog.close() } })),
    el("div", { class: "row" }, button("settings-close", t("settings.close"), () => dialog.close(), { class: "primary" })),
  );
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
