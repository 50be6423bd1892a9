// Which view is shown: follows the address, keeps title, focus and navigation in step.

import { analyse } from "./analyse.js";
import { game } from "./game.js";
import { joinGame } from "./join.js";
import { lab } from "./lab.js";
import { failed, message } from "./notice.js";
import { replay } from "./replay.js";
import { review } from "./review.js";
import * as router from "./router.js";
import { setup } from "./setup.js";

/** A view draws itself into the `main` that it is given, and tells its title and how to end it. */
const VIEWS = { play: setup, game, join: joinGame, analyse, lab, replay, review };
/** Under which entry of the navigation a view belongs. */
const SECTIONS = { game: "play", join: "play", review: "play", replay: "play" };

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

async function load(route, place) {
  const view = VIEWS[route.name];
  if (!view) {
    message(place, "Not found", "There is no such page.");
    return { title: "Not found" };
  }
  try {
    return await view({ main: place, ...route });
  } catch (error) {
    failed(place, error, () => show());
    return { title: "Not found" };
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
show({ first: true });
