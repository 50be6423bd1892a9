import assert from "node:assert/strict";
import { test } from "node:test";

import { decode, encode, Position } from "../page/js/position.js";
import { cases } from "./cases.js";

test("addresses and logs say the same", () => {
  for (const { address, log } of cases("addresses")) {
    const shots = decode(address);
    assert.ok(shots, address);
    assert.equal(new Position(shots).text(), log);
    assert.equal(encode(shots), address);
    assert.deepEqual(decode(log), shots, "the notation of the command line is understood too");
  }
});

test("a shot without an answer has a letter of its own", () => {
  assert.equal(encode(decode("E5o.C3q")), "E5o.C3q");
  assert.equal(new Position(decode("E5o.C3q")).text(), "E5- C3?");
});

test("what is no address is refused whole", () => {
  for (const text of ["E5", "E5o.rubbish", "E5z", "A65o"]) assert.equal(decode(text), null, text);
});

test("a corrected mark keeps its place, a sinking goes to the end", () => {
  const position = new Position();
  position.mark("A1", "hit");
  position.mark("A2", "miss");
  position.mark("A1", "miss");
  assert.equal(position.text(), "A1- A2-");
  position.mark("A1", "sunk", 2);
  assert.equal(position.text(), "A2- A1#2");
});

test("undo and redo walk through all changes", () => {
  const position = new Position();
  position.mark("A1", "hit");
  position.mark("B1", "miss");
  position.undo();
  assert.equal(position.text(), "A1+");
  position.redo();
  assert.equal(position.text(), "A1+ B1-");
  position.undo();
  position.mark("C1", "miss");
  assert.ok(!position.canRedo);
  position.clear();
  position.undo();
  assert.equal(position.text(), "A1+ C1-");
});

test("in a position that came by a link, undo takes back the last shot", () => {
  const position = new Position(decode("A1x.A2x") ?? []);
  position.undo();
  assert.equal(position.text(), "A1+");
});
