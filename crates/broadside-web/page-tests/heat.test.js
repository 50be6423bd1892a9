import assert from "node:assert/strict";
import { test } from "node:test";

import { heat, hottest } from "../page/js/heat.js";
import { cases } from "./cases.js";

test("the heat scale is that of the program's pictures", () => {
  for (const { share, background, white_text: white } of cases("heat")) {
    const { colour, ink } = heat(share);
    assert.equal(colour.replaceAll(" ", ""), background, `at ${share}`);
    assert.equal(ink === "#ffffff", white, `text at ${share}`);
  }
});

test("the scale ends at the largest chance that counts", () => {
  assert.equal(hottest([[0.1, 0.9], [0.4, 0.2]], (row, col) => !(row === 0 && col === 1)), 0.4);
});
