import assert from "node:assert/strict";
import { test } from "node:test";

import { shotName } from "../page/js/notation.js";
import { decode } from "../page/js/position.js";
import { pasted, readMarks } from "../page/js/sunk-marks.js";

const rules = { rows: 10, cols: 10 };
const read = (text) => {
  const { shots, open, asks } = readMarks(decode(text), rules);
  return { log: shots.map(shotName).join(" "), open: open.map(({ cell }) => cell), asks: asks.map(({ cells }) => cells) };
};

test("the last cell alone marks a sunk ship, as in a log", () => {
  assert.deepEqual(read("E5o.C3x.C4x.C5s3"), { log: "E5- C3+ C4+ C5#3", open: [], asks: [] });
});

test("all cells of a sunk ship make one sinking, in any order", () => {
  assert.deepEqual(read("C3s3.C4s3.C5s3"), { log: "C3+ C4+ C5#3", open: [], asks: [] });
  assert.deepEqual(read("C5s3.E5o.C3s3.C4s3"), { log: "C5+ E5- C3+ C4#3", open: [], asks: [] });
});

test("two ships side by side are two sinkings", () => {
  assert.equal(read("C3s3.C4s3.C5s3.D3s3.D4s3.D5s3").log.match(/#3/g).length, 2);
  assert.equal(read("A1s2.A2s2.A3s3.A4s3.A5s3").log, "A2+ A1#2 A3+ A4+ A5#3", "A2#2 could mean A2-A3 too");
});

test("cells that are still to be marked count as hits until they are", () => {
  assert.deepEqual(read("C3s3"), { log: "C3+", open: ["C3"], asks: [] });
  assert.deepEqual(read("C3s3.C4s3"), { log: "C3+ C4+", open: ["C3", "C4"], asks: [] });
});

test("a sinking with no room for its ship stays one, so that the server can explain it", () => {
  assert.equal(read("A1s2.A2o.B1o").log, "A1#2 A2- B1-");
});

test("which cell was the last is asked for only where it matters", () => {
  // With a hit at either end the ship of 3 could lie in three places, whichever of its cells was the last.
  assert.deepEqual(read("C2x.C3s3.C4s3.C5s3.C6x").asks.length, 1);
  // A hit at one end: the sinking at the other end can only mean the ship that was marked.
  const one = read("C2x.C3s3.C4s3.C5s3");
  assert.deepEqual([one.asks, one.log], [[], "C2+ C3+ C4+ C5#3"]);
  const other = read("C6x.C3s3.C4s3.C5s3");
  assert.deepEqual([other.asks, other.log], [[], "C6+ C4+ C5+ C3#3"]);
});

test("a log or a picture can be pasted", () => {
  assert.deepEqual(pasted("E5- C3+ C5#3", decode).map(shotName), ["E5-", "C3+", "C5#3"]);
  assert.deepEqual(pasted("E5o.C3x", decode).map(shotName), ["E5-", "C3+"]);
  assert.deepEqual(pasted("  1 2 3\nA . o x\nB 2 2 .\n", decode).map(shotName), ["A2-", "A3+", "B1#2", "B2#2"]);
  assert.equal(pasted("hello", decode), null);
  assert.equal(pasted("..\n...", decode), null);
});
