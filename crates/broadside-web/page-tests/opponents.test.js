import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

// The language is chosen when the page's words are loaded.
Object.defineProperty(globalThis, "navigator", { value: { languages: ["de-DE"] }, configurable: true });
const { nameOf, playerName } = await import("../page/js/opponents.js");

test("people without a name are called so in the reader's language", () => {
  const server = readFileSync(new URL("../src/routes/games.rs", import.meta.url), "utf8");
  for (const [name, words] of [["Player 1", "Spieler 1"], ["Player 2", "Spieler 2"]]) {
    assert.ok(server.includes(`"${name}"`), `the server calls nobody ${name}`);
    assert.equal(playerName({ name }), words);
    assert.equal(nameOf(name), words, "in lists of games");
  }
  assert.equal(playerName({ name: "Zoë", captain: null }), "Zoë");
  assert.equal(playerName({ name: "constructor" }), "constructor");
  assert.equal(playerName({ name: "mine", captain: "bot:mine" }), "mine");
});
