import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

const page = new URL("../page/", import.meta.url);
const load = async (language) => (await import(new URL(`lang/${language}.js`, page))).default;
const LANGUAGES = ["en", "de", "es", "ru"];

const forms = (text) => (typeof text === "string" ? [text] : Object.values(text));
const gaps = (text) => [...new Set([...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))].sort();

test("every language has the same texts, with the same gaps to fill in", async () => {
  const en = await load("en");
  for (const language of LANGUAGES) {
    const texts = await load(language);
    assert.deepEqual(Object.keys(texts).sort(), Object.keys(en).sort(), language);
    for (const [key, text] of Object.entries(texts)) {
      const wanted = gaps(forms(en[key]).join(" "));
      forms(text).forEach((form) => assert.ok(form.trim(), `${language}: ${key} is empty`));
      assert.deepEqual(gaps(forms(text).join(" ")), wanted, `${language}: ${key}`);
      assert.equal(typeof text === "string", typeof en[key] === "string", `${language}: ${key}`);
    }
  }
});

test("every refusal of the server has words in every language", async () => {
  const source = readFileSync(new URL("../src/error.rs", page), "utf8");
  const kinds = [...source.matchAll(/\(StatusCode::\w+, "([\w-]+)"\)/g)].map(([, kind]) => kind);
  assert.ok(kinds.length > 30, `${kinds.length} codes`);
  for (const language of LANGUAGES) {
    const texts = await load(language);
    for (const kind of kinds) assert.ok(texts[`error.${kind}`], `${language}: error.${kind}`);
  }
});

test("every plural has all forms of its language", async () => {
  for (const language of LANGUAGES) {
    const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
    const needed = pluralCategories.filter((category) => language !== "es" || category !== "many");
    for (const [key, text] of Object.entries(await load(language))) {
      if (typeof text !== "string") assert.deepEqual(Object.keys(text).sort(), needed.sort(), `${language}: ${key}`);
    }
  }
});

test("every text that the page asks for is there, and none is left over", async () => {
  const en = await load("en");
  const files = readdirSync(new URL("js/", page)).map((name) => readFileSync(new URL(`js/${name}`, page), "utf8"));
  const code = [...files, readFileSync(new URL("index.html", page), "utf8")].join("\n");
  const asked = [...code.matchAll(/\bt\(\s*"([\w.-]+)"/g), ...code.matchAll(/data-(?:text|label)="([\w.]+)"/g)].map(([, key]) => key);
  for (const key of asked) assert.ok(key in en, `${key} is asked for`);
  // Some are put together from a beginning and a word, as `touch.${rules.touch}`.
  const beginnings = [...code.matchAll(/`([\w.]+\.)\$\{/g)].map(([, start]) => start);
  const isUsed = (key) => code.includes(`"${key}"`) || beginnings.some((start) => key.startsWith(start));
  assert.deepEqual(Object.keys(en).filter((key) => !isUsed(key)), []);
});
