import assert from "node:assert/strict";
import { test } from "node:test";

import { markSunk, readLog } from "../page/js/marks.js";
import { shipName } from "../page/js/notation.js";
import { cases } from "./cases.js";

test("a sunk ship is shown where it is certain and nowhere else", () => {
  for (const { why, rules, shots, sunk } of cases("sunk")) {
    const [rows, cols] = rules.split(" ")[0].split("x").map(Number);
    const { ships } = readLog(shots.split(" "), { rows, cols });
    assert.deepEqual(ships.map(shipName).sort(), sunk, why);
  }
});

test("every cell of a sunk ship is marked as sunk", () => {
  const { states } = readLog(["E5-", "A1+", "A2+", "A3#3"], { rows: 5, cols: 5 });
  assert.deepEqual(Object.fromEntries(states), { E5: "miss", A1: "sunk", A2: "sunk", A3: "sunk" });
});

test("ships that are no longer left are marked as sunk, one for one", () => {
  const sunk = markSunk([5, 3, 3, 2], [5, 3]).map((ship) => ship.sunk);
  assert.deepEqual(sunk, [false, false, true, true]);
});
