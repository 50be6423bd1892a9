// Names for the types of the JSON interface, for the page's JSDoc comments. `api.d.ts` is made from the server's own OpenAPI
// description by `scripts/check-page`, so a field that the server doesn't send is an error here.

import type { components } from "./api.js";

declare global {
  type Schemas = components["schemas"];
  /** A game as one player may see it. */
  type View = Schemas["View"];
  /** Rules in full, as the server tells them. */
  type FullRules = Schemas["RulesOut"];
  /** Rules as a request asks for them. */
  type RulesRequest = Schemas["RulesIn"];
  type OddsOut = Schemas["OddsOut"];

  /** What `POST /api/best` sends: the contract of `broadside best --format json`. */
  type BestTable = {
    shots_to_go: number;
    best: string[];
    settled: boolean;
    exact: boolean;
    playouts: number;
    cells: { cell: string; chance: number; shots_to_go: number; std_err: number; loss: number; settled: boolean }[];
    why?: string;
    error?: Schemas["Why"];
  };

  /** A cell by its place, counted from 0. */
  type CellAt = { row: number; col: number };
  /** A ship by its upper or left end. */
  type Ship = CellAt & { length: number; vertical: boolean };
  /** A ship as a board draws it. */
  type DrawnShip = Ship & { kind: string };
  /** A shot and its answer. */
  type Shot = { cell: string; answer: "miss" | "hit" | "sunk" | "untold"; length: number | null };
  /** What a view is given: where to draw, and its address. */
  type Place = { main: HTMLElement; parts: string[]; query: Record<string, string> };
  /** What `el` makes of its second argument. */
  type Props = Record<string, any>;
  type Child = Node | string | null | undefined | false | Child[];
}
