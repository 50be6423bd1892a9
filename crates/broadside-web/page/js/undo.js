// After something was taken away: a line at the edge of the page that brings it back.

import { button, el } from "./dom.js";
import { t } from "./i18n.js";

/** How long the offer stands, in milliseconds. */
const OFFER = 12_000;

/** @param {string} text @param {() => void} undo */
export function offerUndo(text, undo) {
  document.getElementById("undo-offer")?.remove();
  const offer = el("div", { id: "undo-offer", class: "undo-offer", role: "status" }, el("span", { text }));
  const close = () => offer.remove();
  offer.append(
    button("undo-delete", t("undo.undo"), () => {
      undo();
      close();
    }),
  );
  document.body.append(offer);
  setTimeout(close, OFFER);
}
