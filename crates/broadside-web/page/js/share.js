// Links to be sent to someone.

import { button, el } from "./dom.js";
import { t } from "./i18n.js";

/** A button that copies a text and says so. */
export function copyButton(id, label, text) {
  const copy = button(id, label, async () => {
    copy.textContent = (await copied(text())) ? t("share.copied") : t("share.cantCopy");
    setTimeout(() => {
      copy.textContent = label;
    }, 1600);
  });
  return copy;
}

async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copiedOldWay(text); // the clipboard is only for secure addresses, which a server in the home network has not
  }
}

function copiedOldWay(text) {
  const area = el("textarea", { class: "visually-hidden", readonly: true, "aria-hidden": "true" });
  area.value = text;
  document.body.append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  return done;
}

/** A link in a field, with a button to copy it and one to send it where the system can. */
export function linkBox(id, label, address) {
  const field = el("input", {
    id,
    type: "text",
    readonly: true,
    value: address,
    "aria-label": label,
    on: { focus: () => field.select() },
  });
  const send =
    navigator.share &&
    button(`${id}-share`, t("share.share"), () => navigator.share({ title: "Broadside", url: address }).catch(() => {}));
  return el(
    "div",
    { class: "link-box" },
    field,
    copyButton(`${id}-copy`, t("share.copy"), () => address),
    send || null,
  );
}
