import assert from "node:assert/strict";
import { test } from "node:test";

import { readLog } from "../page/js/marks.js";
import { toldAfter, toldText } from "../page/js/seen.js";

const shots = ["A1-", "B2+", "C3-", "D4-", "B3#2"].map((shot) => ({ shot }));
const call = { from: 0, to: 2, hits: 1, sinkings: 0, sunk: [], call: "=1" };

test("of turns of which the hits are counted only the call is known until the game ends", () => {
  const review = { shots, turns: [0, 2, 4], calls: [call] };
  const texts = [0, 1, 2, 3, 4, 5].map((number) => toldText(toldAfter(review, number)));
  // The second turn hit nothing, which tells each of its shots.
  assert.deepEqual(texts, ["", "A1?", "A1? B2? =1", "A1? B2? =1 C3?", "A1? B2? =1 C3- D4-", "A1- B2+ C3- D4- B3#2"]);
  const { states } = readLog(toldAfter(review, 3).shots, { rows: 5, cols: 5 }, toldAfter(review, 3).calls);
  assert.deepEqual(Object.fromEntries(states), { A1: "counted", B2: "counted", C3: "untold" });
});

test("answers that come after the turn are known when it is over", () => {
  const review = { shots, turns: [0, 2, 4], calls: [] };
  const texts = [1, 2, 3, 4, 5].map((number) => toldText(toldAfter(review, number)));
  assert.deepEqual(texts, ["A1?", "A1- B2+", "A1- B2+ C3?", "A1- B2+ C3- D4-", "A1- B2+ C3- D4- B3#2"]);
});

test("answers that come at once are known at once", () => {
  assert.equal(toldText(toldAfter({ shots, turns: [], calls: [] }, 2)), "A1- B2+");
});
