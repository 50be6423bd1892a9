// A question with two answers, in the browser's own dialog: it keeps the focus and closes with Esc.

import { button, el } from "./dom.js";
import { t } from "./i18n.js";

/** Asks; the promise tells whether the answer was yes. */
export function confirm(question, yes, no = t("dialog.cancel")) {
  return new Promise((answer) => {
    const dialog = el(
      "dialog",
      { id: "dialog", "aria-labelledby": "dialog-question" },
      el("p", { id: "dialog-question", text: question }),
      el(
        "div",
        { class: "row" },
        button("dialog-no", no, () => dialog.close("")),
        button("dialog-yes", yes, () => dialog.close("yes"), { class: "danger" }),
      ),
    );
    dialog.addEventListener("close", () => {
      dialog.remove();
      answer(dialog.returnValue === "yes");
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}
