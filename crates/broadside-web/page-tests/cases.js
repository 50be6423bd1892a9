// Cases that the page's modules share with Rust (`tests/page_cases.rs`).

import { readFileSync } from "node:fs";

/** @param {string} name */
export const cases = (name) => JSON.parse(readFileSync(new URL(`../../../testdata/page/${name}.json`, import.meta.url), "utf8"));
