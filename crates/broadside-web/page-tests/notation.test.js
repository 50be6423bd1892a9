import assert from "node:assert/strict";
import { test } from "node:test";

import { listed, percent, t } from "../page/js/i18n.js";
import { cellAt, cellName, parseCell, parseShip, parseShot, shipCellNames, shipName, shotName } from "../page/js/notation.js";
import { answerWords, figure, grouped } from "../page/js/words.js";
import { cases } from "./cases.js";

const { cells, not_cells: notCells, ships, shots, not_shots: notShots } = cases("notation");

test("cells are read and written as in Rust", () => {
  for (const { text, row, col } of cells) {
    assert.deepEqual(parseCell(text), { row, col });
    assert.equal(cellName(row, col), text);
  }
  for (const text of notCells) {
    assert.equal(parseCell(text), null, text);
    assert.throws(() => cellAt(text));
  }
});

test("ships are read and written as in Rust", () => {
  for (const { text, cells: covered } of ships) {
    assert.deepEqual(shipCellNames(parseShip(text)), covered);
    assert.equal(shipName(parseShip(text)), text);
  }
});

test("shots are read and written as in Rust", () => {
  for (const { text, ...shot } of shots) {
    assert.deepEqual(parseShot(text), shot);
    assert.equal(shotName(shot), text);
  }
  for (const text of notShots) assert.equal(parseShot(text), null, text);
});

test("a shot that is answered after its turn is neither a hit nor a miss", () => {
  assert.deepEqual(parseShot("C3?"), { cell: "C3", answer: "untold", length: null });
  assert.equal(shotName(parseShot("C3?")), "C3?");
  assert.equal(parseShot("C3?3"), null);
  assert.equal(answerWords(parseShot("C3?")), "answered after the turn");
});

test("answers and numbers are said in words", () => {
  assert.equal(answerWords({ answer: "miss", length: null }), "miss");
  assert.equal(answerWords({ answer: "hit", length: 4 }), "hit the 4-ship");
  assert.equal(answerWords({ answer: "sunk", length: 3 }), "sank the 3-ship");
  assert.equal(answerWords({ answer: "sunk", length: null }), "a ship sank");
  assert.equal(grouped("15046987768"), "15,046,987,768");
  assert.equal(t("count.shots", { n: 1 }), "1 shot");
  assert.equal(t("count.shots", { n: 2000 }), "2,000 shots");
  assert.equal(listed(["A1", "B2", "C3"]), "A1, B2 and C3");
  assert.equal(listed(["A1", "B2", "C3"], 2), "A1, B2 and 1 more");
  assert.equal(percent(0.12345), "12.3%");
  assert.equal(figure(0), "");
  assert.equal(figure(0.9999), "100");
});
