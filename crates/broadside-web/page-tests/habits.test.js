import assert from "node:assert/strict";
import { test } from "node:test";

import { bitsOf, keep, layoutsFor, learn, ownWeights, setRemembering, weightsText } from "../page/js/habits.js";
import { parseShip, shipCells, shipName } from "../page/js/notation.js";

const RULES = { rows: 6, cols: 6, fleet: [3, 2], touch: "allowed" };

/** Numbers from 0 to 1 that are the same in every run. */
function random(seed) {
  let state = seed;
  return () => (state = (state * 48271) % 2147483647) / 2147483647;
}

/** Layouts in which a cell of the first row is so many times as likely. */
function layouts(n, factor, seed) {
  const next = random(seed);
  const ship = (length) => {
    const vertical = next() < 0.5;
    const [row, col] = [Math.floor(next() * (vertical ? 7 - length : 6)), Math.floor(next() * (vertical ? 6 : 7 - length))];
    return { row, col, length, vertical };
  };
  const made = [];
  while (made.length < n) {
    const ships = RULES.fleet.map(ship);
    const cells = ships.flatMap((one) => shipCells(one));
    const isLegal = new Set(cells.map(({ row, col }) => row * 6 + col)).size === 5;
    const weight = cells.reduce((product, { row }) => product * (row === 0 ? factor : 1), 1);
    if (isLegal && next() < weight / factor ** 5) made.push(ships.map(shipName));
  }
  return made;
}

test("the factors of a generator are found again", () => {
  const logs = learn(RULES, layouts(800, 2, 7));
  const mean = (cells) => Math.exp(cells.reduce((sum, cell) => sum + logs[cell], 0) / cells.length);
  const first = mean([0, 1, 2, 3, 4, 5]);
  const rest = mean(Array.from({ length: 30 }, (_, i) => i + 6));
  assert.ok(Math.abs(first / rest - 2) < 0.25, `${first} and ${rest}`);
});

test("a habit is told from none", () => {
  assert.ok(bitsOf(RULES, layouts(100, 3, 3)) > 0.1);
  assert.ok(bitsOf(RULES, layouts(100, 1, 3)) < 0.02);
  assert.equal(bitsOf(RULES, layouts(1, 1, 3)), null);
});

test("ten layouts without a habit teach next to nothing", () => {
  const factors = [...learn(RULES, layouts(10, 1, 5))].map(Math.exp);
  assert.ok(factors.every((factor) => factor > 0.85 && factor < 1.18), String(factors));
});

test("weights are a line for each placement, with the product over its cells", () => {
  const logs = new Float64Array(36);
  logs[0] = Math.log(3);
  const lines = weightsText(RULES, logs).split("\n");
  // 2 ways of 6 lines with 4 places of 3 cells and 5 of 2.
  assert.equal(lines.length, 2 * 6 * 4 + 2 * 6 * 5);
  assert.ok(lines.includes("A1-A3 3.000") && lines.includes("B1-B2 1.000"));
  assert.ok(lines.every((line) => parseShip(line.split(" ")[0])));
});

test("layouts are kept only if that was asked for, and apart by their rules", () => {
  const view = { rules: RULES, you: { ships: ["A1-A3", "C1-C2"] } };
  keep(view);
  assert.deepEqual(layoutsFor(RULES), []);
  assert.equal(ownWeights(RULES), null);
  setRemembering(true);
  keep(view);
  assert.deepEqual(layoutsFor(RULES), [["A1-A3", "C1-C2"]]);
  assert.deepEqual(layoutsFor({ ...RULES, touch: "never" }), []);
  assert.equal(ownWeights(RULES, ["A1-A3", "C1-C2"]), null, "a layout is judged by the others");
  assert.ok(Number(/^A1-A3 (.*)$/m.exec(ownWeights(RULES))[1]) > 1);
});
