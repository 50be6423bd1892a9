// The page's words in the reader's language, and numbers as the reader writes them. Each language has one file in `lang/`;
// a test holds them to the same keys and the same gaps to fill in.

import en from "../lang/en.js";
import { preference } from "./store.js";

/** The languages there are, each by its own name. */
export const LANGUAGES = { en: "English", de: "Deutsch", es: "Español", ru: "Русский" };

/** @param {string} tag `de-AT` is `de` */
const base = (tag) => tag.toLowerCase().split("-")[0];

/** The reader's own choice, else the first language of the browser that the page has, with its region. */
function wanted() {
  const chosen = preference("language", "");
  const tags = globalThis.navigator?.languages ?? [];
  const known = tags.filter((tag) => base(tag) in LANGUAGES);
  if (chosen in LANGUAGES) return known.find((tag) => base(tag) === chosen) ?? chosen;
  return known[0] ?? "en-GB";
}

export const locale = wanted();
export const language = base(locale);
const texts = language === "en" ? en : (await import(`../lang/${language}.js`)).default;
const plurals = new Intl.PluralRules(locale);

/**
 * A text with its gaps filled in: `{name}` is the value of that name. A text that depends on a number has a form for each
 * plural of the language, chosen by `n`.
 * @param {string} key
 * @param {Record<string, string | number>} [values]
 */
export function t(key, values = {}) {
  const text = texts[key] ?? en[key] ?? key;
  const form = typeof text === "string" ? text : (text[plurals.select(Number(values.n))] ?? text.other);
  return form.replace(/\{(\w+)\}/g, (_, name) => {
    const value = values[name];
    return typeof value === "number" ? number(value) : String(value);
  });
}

/** Whether there is such a text. @param {string} key */
export const has = (key) => key in en;

/**
 * A number as the reader writes it, with so many digits after the point.
 * @param {number | bigint} value
 */
export function number(value, digits = 0) {
  return new Intl.NumberFormat(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value);
}

/** A chance in percent, as the reader writes it. */
export function percent(chance, digits = 1) {
  const style = { style: /** @type {const} */ ("percent"), minimumFractionDigits: digits, maximumFractionDigits: digits };
  return new Intl.NumberFormat(locale, style).format(chance);
}

/** A number with its sign, also a plus. */
export function signed(value, digits = 1) {
  const style = { signDisplay: /** @type {const} */ ("exceptZero"), minimumFractionDigits: digits, maximumFractionDigits: digits };
  return new Intl.NumberFormat(locale, style).format(value);
}

/** A day as the reader writes it. @param {number} time in milliseconds */
export function date(time) {
  return new Intl.DateTimeFormat(locale, { dateStyle: "medium" }).format(time);
}

/**
 * `A1`, `A1 and B2`, `A1, B2 and C3`; a long list is cut short.
 * @param {string[]} words
 */
export function listed(words, most = 6) {
  if (words.length > most) return t("list.more", { list: words.slice(0, most).join(", "), n: words.length - most });
  return words.length < 2 ? words.join("") : t("list.and", { list: words.slice(0, -1).join(", "), last: words.at(-1) });
}
