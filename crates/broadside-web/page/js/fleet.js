// A fleet while it is being placed, without any page: what is where, what is in hand, what may lie where.

import { cellName, parseShip, shipCells, shipName } from "./notation.js";

/** @typedef {{row: number, col: number, vertical: boolean}} Place */

export class Fleet {
  constructor({ rows, cols, fleet, touch, names, rocks = [] }) {
    this.rows = rows;
    this.cols = cols;
    this.touch = touch;
    this.rocks = new Set(rocks);
    this.ships = fleet.map((length, i) => ({ length, name: names?.[i] ?? null, place: null }));
    /** The ship that is being moved: `{index, vertical, grip, from}`; `grip` is which of its cells is held. */
    this.hand = null;
    /** The ship that was placed or turned last. */
    this.latest = null;
  }

  /** Takes a ship from where it is. */
  pickUp(index, grip = 0) {
    this.letGo();
    const { place } = this.ships[index];
    this.hand = { index, vertical: place?.vertical ?? this.lastVertical ?? false, grip, from: place };
    this.ships[index].place = null;
  }

  /** Takes the first ship that is not placed, if there is one. */
  pickNext() {
    const index = this.ships.findIndex(({ place }) => !place);
    if (!this.hand && index >= 0) this.pickUp(index);
  }

  /** Gives the ship in hand back to where it was. */
  letGo() {
    if (!this.hand) return;
    this.ships[this.hand.index].place = this.hand.from;
    this.hand = null;
  }

  /** The ship in hand when the held cell is here, moved inside the grid where it would stick out. */
  candidate({ row, col }) {
    const { index, vertical, grip } = this.hand;
    const { length } = this.ships[index];
    return this.#inside({ row: vertical ? row - grip : row, col: vertical ? col : col - grip, length, vertical });
  }

  #inside({ row, col, length, vertical }) {
    const lowest = this.rows - (vertical ? length : 1);
    const rightmost = this.cols - (vertical ? 1 : length);
    const within = (value, most) => Math.max(0, Math.min(value, most));
    return { row: within(row, lowest), col: within(col, rightmost), length, vertical };
  }

  /** Puts the ship in hand down. @returns {string | null} why it can't lie there, as the key of a text */
  putDown(cell) {
    const ship = this.candidate(cell);
    const problem = this.problem(ship, this.hand.index);
    if (problem) return problem;
    this.ships[this.hand.index].place = { row: ship.row, col: ship.col, vertical: ship.vertical };
    this.latest = this.hand.index;
    this.lastVertical = ship.vertical;
    this.hand = null;
    return null;
  }

  /** Turns the ship in hand. */
  turn() {
    this.hand.vertical = !this.hand.vertical;
    this.hand.grip = 0;
    this.lastVertical = this.hand.vertical;
  }

  /** Turns a placed ship about one of its cells. @returns {string | null} why it can't be turned */
  turnPlaced(index, grip = 0) {
    const { length, place } = this.ships[index];
    const row = place.row + (place.vertical ? grip : -grip);
    const col = place.col + (place.vertical ? -grip : grip);
    const turned = this.#inside({ row, col, length, vertical: !place.vertical });
    const problem = this.problem(turned, index);
    if (problem) return problem;
    this.ships[index].place = { row: turned.row, col: turned.col, vertical: turned.vertical };
    this.latest = index;
    return null;
  }

  /** Why a ship can't lie there, or null. */
  problem(ship, index) {
    if (ship.row + (ship.vertical ? ship.length : 1) > this.rows || ship.col + (ship.vertical ? 1 : ship.length) > this.cols) {
      return "placing.tooSmall";
    }
    const cells = shipCells(ship);
    if (cells.some(({ row, col }) => this.rocks.has(cellName(row, col)))) return "placing.rock";
    const others = this.placed().filter((other) => other.index !== index);
    if (others.some((other) => meets(cells, shipCells(other), overlaps))) return "placing.overlap";
    const near = NEAR[this.touch];
    return others.some((other) => meets(cells, shipCells(other), near)) ? "placing.touch" : null;
  }

  /** Cells of the water that no part of the ship in hand may cover, since they are too near to another. */
  blocked() {
    const near = NEAR[this.touch];
    const taken = this.placed().flatMap(shipCells);
    const close = taken.flatMap((cell) => around(cell).filter((there) => near(cell, there)));
    const free = close.filter((there) => !taken.some((cell) => overlaps(cell, there)));
    return new Set(free.map(({ row, col }) => cellName(row, col)));
  }

  /** The ships that have a place. */
  placed() {
    return this.ships.flatMap(({ length, place }, index) => (place ? [{ ...place, length, index }] : []));
  }

  /** The ship that covers a cell, and which of its cells that is. */
  shipAt(row, col) {
    for (const ship of this.placed()) {
      const grip = shipCells(ship).findIndex((cell) => cell.row === row && cell.col === col);
      if (grip >= 0) return { index: ship.index, grip };
    }
    return null;
  }

  clear() {
    this.hand = null;
    this.latest = null;
    this.ships.forEach((ship) => {
      ship.place = null;
    });
  }

  /** Takes over a whole layout, as text. */
  set(texts) {
    this.clear();
    for (const { row, col, length, vertical } of texts.map(parseShip)) {
      this.ships.find((ship) => ship.length === length && !ship.place).place = { row, col, vertical };
    }
  }

  isComplete() {
    return !this.hand && this.ships.every(({ place }) => place);
  }

  /** The layout as text, as the server reads it. */
  texts() {
    return this.placed().map(shipName);
  }
}

const overlaps = (a, b) => a.row === b.row && a.col === b.col;
const steps = (a, b) => [Math.abs(a.row - b.row), Math.abs(a.col - b.col)];
/** Which neighbours a touch rule forbids. */
const NEAR = {
  allowed: () => false,
  corners: (a, b) => steps(a, b)[0] + steps(a, b)[1] === 1,
  never: (a, b) => Math.max(...steps(a, b)) === 1,
};
const meets = (cells, others, relation) => cells.some((cell) => others.some((other) => relation(cell, other)));
const around = ({ row, col }) => [-1, 0, 1].flatMap((r) => [-1, 0, 1].map((c) => ({ row: row + r, col: col + c })));
