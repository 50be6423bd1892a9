// Which view is shown: follows the address, keeps title, focus and navigation in step.

import { t } from "./i18n.js";
import { failed, message } from "./notice.js";
import * as router from "./router.js";
import { startShell } from "./shell.js";

/**
 * A view draws itself into the `main` that it is given, and tells its title and how to end it. Views are loaded when they
 * are first shown, so that the start page doesn't wait for the lab.
 * @type {Record<string, () => Promise<(place: any) => Promise<{title: string, destroy?: () => void}>>>}
 */
const VIEWS = {
  play: async () => (await import("./setup.js")).setup,
  game: async () => (await import("./game.js")).game,
  pass: async () => (await import("./pass.js")).pass,
  watch: async () => (await import("./watch.js")).watch,
  join: async () => (await import("./join.js")).joinGame,
  analyse: async () => (await import("./analyse.js")).analyse,
  lab: async () => (await import("./lab.js")).lab,
  replay: async () => (await import("./replay.js")).replay,
  review: async () => (await import("./review.js")).review,
  history: async () => (await import("./history-view.js")).historyView,
  daily: async () => (await import("./daily.js")).daily,
  puzzle: async () => (await import("./puzzle.js")).puzzle,
  solo: async () => (await import("./solo.js")).solo,
  rules: async () => (await import("./how-to-play.js")).howToPlay,
};
/** Under which entry of the navigation a view belongs. */
const SECTIONS = { game: "play", pass: "play", watch: "play", join: "play", rules: "play", review: "history", replay: "history", solo: "daily", puzzle: "daily" };

const main = document.getElementById("main");
let current = null;
let turn = 0;

async function show({ first = false } = {}) {
  const mine = ++turn;
  const route = router.parse(location.hash);
  current?.destroy?.();
  current = null;
  navigate(route.name);
  main.setAttribute("aria-busy", "true");
  // Each view has a place of its own, so that a slow one can't draw over the one that came after it.
  const place = document.createElement("div");
  const shown = await load(route, place);
  if (mine !== turn) {
    shown.destroy?.();
    return;
  }
  main.removeAttribute("aria-busy");
  main.dataset.view = route.name;
  main.replaceChildren(place);
  current = shown;
  document.title = `${shown.title} – Broadside`;
  if (!first) focusHeading();
}

/** @returns {Promise<{title: string, destroy?: () => void}>} */
async function load(route, place) {
  const view = Object.hasOwn(VIEWS, route.name) ? VIEWS[route.name] : null;
  if (!view) {
    message(place, t("notice.notFound"), t("notice.noPage"));
    return { title: t("notice.notFound") };
  }
  try {
    return await (await view())({ main: place, ...route });
  } catch (error) {
    failed(place, error, () => show());
    return { title: t("notice.notFound") };
  }
}

/** After a change of view, readers and keyboards start at its heading. */
function focusHeading() {
  window.scrollTo(0, 0);
  const heading = main.querySelector("h1") ?? main;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}

function navigate(name) {
  const section = SECTIONS[name] ?? name;
  for (const link of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-route]"))) {
    if (link.dataset.route === section) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault(); // the address is the view's
  main.focus();
});
window.addEventListener("hashchange", () => show());
startShell();
show({ first: true });
