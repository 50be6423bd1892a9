import assert from "node:assert/strict";
import { test } from "node:test";

import { Fleet } from "../page/js/fleet.js";
import { cellAt, parseShip } from "../page/js/notation.js";
import { cases } from "./cases.js";

const fleetOf = (touch, fleet = [3, 3]) => new Fleet({ rows: 8, cols: 8, fleet, touch, names: [] });

test("two ships go together exactly where Rust says so", () => {
  for (const { touch, placed, ship, fits } of cases("fleets")) {
    const fleet = fleetOf(touch);
    fleet.set([placed]);
    assert.equal(fleet.problem(parseShip(ship), 1) === null, fits, `${touch}: ${placed} and ${ship}`);
  }
});

test("a ship is picked up, turned, put down and given back", () => {
  const fleet = fleetOf("allowed");
  fleet.pickNext();
  assert.equal(fleet.putDown(cellAt("A1")), null);
  assert.deepEqual(fleet.texts(), ["A1-A3"]);
  fleet.pickUp(0, 1);
  assert.deepEqual(fleet.texts(), []);
  fleet.letGo();
  assert.deepEqual(fleet.texts(), ["A1-A3"]);
  assert.equal(fleet.turnPlaced(0), null);
  assert.deepEqual(fleet.texts(), ["A1-C1"]);
  fleet.pickNext();
  assert.equal(fleet.putDown(cellAt("A1")), "placing.overlap");
  fleet.turn();
  assert.equal(fleet.putDown(cellAt("A2")), null);
  assert.ok(fleet.isComplete());
});

test("no ship is put down on a rock", () => {
  const fleet = new Fleet({ rows: 8, cols: 8, fleet: [3], touch: "allowed", names: [], rocks: ["A3"] });
  fleet.pickNext();
  assert.equal(fleet.putDown(cellAt("A1")), "placing.rock");
  assert.equal(fleet.putDown(cellAt("A4")), null);
});

test("a ship held over the edge is moved inside", () => {
  const fleet = fleetOf("allowed");
  fleet.pickUp(0);
  assert.deepEqual(fleet.candidate({ row: 9, col: 7 }), { row: 7, col: 5, length: 3, vertical: false });
});

test("cells too near to another ship are marked, the ship's own aren't", () => {
  const fleet = fleetOf("never", [1]);
  fleet.set(["A1"]);
  assert.deepEqual([...fleet.blocked()].filter((cell) => /^[A-H][1-8]$/.test(cell)).sort(), ["A2", "B1", "B2"]);
});
