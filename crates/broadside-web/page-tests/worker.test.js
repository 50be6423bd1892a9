import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { test } from "node:test";

const page = new URL("../page/", import.meta.url);

test("the worker keeps every file of the page", () => {
  const list = /const FILES = \[([^\]]*)\]/.exec(readFileSync(new URL("sw.js", page), "utf8"))[1];
  const kept = [...list.matchAll(/"([^"]+)"/g)].map(([, name]) => name);
  const all = readdirSync(page, { recursive: true }).filter((name) => statSync(new URL(name, page)).isFile());
  const wanted = all.filter((name) => name !== "index.html" && name !== "sw.js").map((name) => `/assets/${name}`);
  assert.deepEqual(kept.sort(), ["/", ...wanted].sort());
});

test("what is needed before the first board weighs at most 250 KB", () => {
  const read = (name) => readFileSync(new URL(name, page), "utf8");
  const seen = new Set(["index.html", "icon.svg", "manifest.webmanifest", "js/theme.js", ...readdirSync(new URL("css/", page)).map((name) => `css/${name}`)]);
  const visit = (name) => {
    if (seen.has(name)) return;
    seen.add(name);
    const imports = [...read(name).matchAll(/^import [^"]*"\.?\.?\/?([^"]+)"/gm)].map(([, path]) => path);
    imports.forEach((path) => visit(path.startsWith("lang/") ? path : `js/${path}`));
  };
  // The start page, and the heaviest language beside English.
  ["js/main.js", "js/setup.js"].forEach(visit);
  const languages = readdirSync(new URL("lang/", page)).map((name) => statSync(new URL(`lang/${name}`, page)).size);
  const bytes = [...seen].reduce((sum, name) => sum + statSync(new URL(name, page)).size, 0) + Math.max(...languages);
  assert.ok(bytes <= 250 * 1024, `${bytes} bytes`);
  assert.ok(seen.has("lang/en.js") && seen.size > 20, [...seen].join());
});
