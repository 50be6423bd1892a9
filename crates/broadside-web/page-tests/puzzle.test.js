import assert from "node:assert/strict";
import { test } from "node:test";

import { dailyPuzzle, Marked } from "../page/js/puzzle-model.js";

/** Two ships on 3x3, of two cells and of one: A1-A2 and C3. */
const PUZZLE = {
  puzzle: "2,1 2,0,1 1,1,1 C3o",
  rows: 3,
  cols: 3,
  fleet: [2, 1],
  row_counts: [2, 0, 1],
  column_counts: [1, 1, 1],
  revealed: [{ cell: "C3", mark: "single" }],
  grade: "easy",
};

test("a cell goes from open to water to ship and back, and a given one stays", () => {
  const marked = new Marked(PUZZLE);
  const seen = [0, 1, 2].map(() => (marked.turn("A1"), marked.at("A1")));
  assert.deepEqual(seen, ["water", "ship", null]);
  assert.equal(marked.turn("C3"), false);
  assert.equal(marked.at("C3"), "ship");
});

test("steps are taken back one by one, a filled-in hint as a whole", () => {
  const marked = new Marked(PUZZLE);
  marked.turn("A1");
  marked.set([
    ["B2", "water"],
    ["B3", "water"],
  ]);
  assert.equal(marked.text(), "A1~ B2~ B3~");
  assert.equal(marked.undo(), true);
  assert.equal(marked.text(), "A1~");
  assert.equal(marked.undo(), true);
  assert.equal(marked.undo(), false);
});

test("numbers are met only by as many ships as the fleet has", () => {
  const marked = new Marked(PUZZLE);
  assert.deepEqual(marked.line("row", 2), { ships: 1, wanted: 1, open: 2 });
  assert.equal(marked.mayBeDone, false);
  marked.set([
    ["A1", "ship"],
    ["A2", "ship"],
  ]);
  assert.equal(marked.mayBeDone, true);
  assert.equal(marked.text("water"), "A1x A2x A3~ B1~ B2~ B3~ C1~ C2~");
});

test("marks that were kept come back, but not over given cells", () => {
  const marked = new Marked(PUZZLE, { A1: "ship", C3: "water", B1: "nonsense" });
  assert.deepEqual(marked.kept, { A1: "ship" });
});

test("the puzzle of a day depends on the date alone, and is harder towards the weekend", () => {
  assert.deepEqual(dailyPuzzle("2026-11-17"), { board: "8x8", grade: "easy", seed: 20261117 });
  const week = ["16", "17", "18", "19", "20", "21", "22"].map((day) => dailyPuzzle(`2026-11-${day}`).grade);
  assert.deepEqual(week, ["easy", "easy", "medium", "medium", "hard", "hard", "expert"]);
});
