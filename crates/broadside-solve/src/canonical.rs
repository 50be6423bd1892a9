//! A canonical key: positions that differ only in where their cells are get the same key.
//!
//! The cost of a position doesn't depend on where its cells are. It depends only on which cells each ship of each state has.
//! So the cells are renumbered by colour refinement. Each cell gets a colour from the ships on it, then from the colours of
//! the other cells of these ships, and so on. If two cells still have the same colour, one is picked, and the colours are
//! worked out again. In this way reflections of the board, and the same few placements elsewhere on it, get the same key.
//!
//! The key is the whole position with new cell numbers. Colours are sums of hashes. If two different colours happen to be
//! equal, or the wrong cell is picked, equivalent positions may get two keys, which only costs time. Two positions with the
//! same key are always equivalent.

use crate::bits::bits;
use crate::position::Position;
use crate::state::{Ship, States};
use crate::weight::Weight;

/// The key of a position.
pub(crate) type Key = Box<[u8]>;

/// The new number of each cell.
pub(crate) type Renumbering = [u8; 64];

/// The number of cells that fit into a `u128`, at seven bits each.
const MAX_CELLS: u32 = 18;

/// Rounds of refinement at the start.
const ROUNDS: usize = 2;

/// Rounds of refinement after a cell was picked.
const ROUNDS_AFTER_PICK: usize = 1;

/// The key of a position, and the new number of each of its cells. What is known of a cell holds for the cell with the same
/// new number in every position with the same key.
pub(crate) fn canonical_key<W: Weight>(position: &Position<W>, states: &States) -> (Key, Renumbering) {
    let first = position.rows().first().map_or(0, |row| row.0);
    if states.cells(first).count_ones() > MAX_CELLS {
        return (literal_key(position), std::array::from_fn(|cell| cell as u8));
    }
    let (some, _) = position.cells(states);
    let numbers = numbers(position, states, some);
    let mut rows: Vec<(u128, W)> =
        position.rows().iter().map(|&(id, weight)| (renumbered(states.ships(id), &numbers), weight)).collect();
    rows.sort_unstable();
    (encode(&rows, states.ships(first)), numbers)
}

/// A key without renumbering, for states that don't fit into a word.
fn literal_key<W: Weight>(position: &Position<W>) -> Key {
    let rows = position.rows().iter().flat_map(|&(id, weight)| id.bytes().chain(weight.bytes()));
    std::iter::once(u8::MAX).chain(rows).collect()
}

#[inline]
fn mix(value: u64) -> u64 {
    let value = (value ^ value >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (value ^ value >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9)
}

fn numbers<W: Weight>(position: &Position<W>, states: &States, some: u64) -> Renumbering {
    let mut colours = [0; 64];
    (0..ROUNDS).for_each(|_| colours = recoloured(position, states, &colours));
    let mut order: Vec<u32> = bits(some).collect();
    loop {
        order.sort_unstable_by_key(|&cell| colours[cell as usize]);
        let alike = order.windows(2).find(|pair| colours[pair[0] as usize] == colours[pair[1] as usize]);
        let Some(&[pick, _]) = alike else { break };
        colours[pick as usize] = mix(colours[pick as usize] ^ 0x5bd1_e995);
        (0..ROUNDS_AFTER_PICK).for_each(|_| colours = recoloured(position, states, &colours));
    }
    let mut numbers = [0; 64];
    (0..).zip(order).for_each(|(number, cell)| numbers[cell as usize] = number);
    numbers
}

/// The colour of each cell from the colours of the cells that share a ship or a state with it.
fn recoloured<W: Weight>(position: &Position<W>, states: &States, colours: &[u64; 64]) -> [u64; 64] {
    let mut sums = *colours;
    let mut ship_colours = Vec::new();
    for &(id, weight) in position.rows() {
        let ships = states.ships(id);
        ship_colours.clear();
        ship_colours.extend(ships.iter().map(|ship| ship_colour(ship, colours)));
        let row = mix(ship_colours.iter().fold(weight.fold(), |sum, &colour| sum.wrapping_add(colour)));
        for (ship, colour) in ships.iter().zip(&ship_colours) {
            let share = mix(row ^ colour);
            bits(ship.cells).for_each(|cell| sums[cell as usize] = sums[cell as usize].wrapping_add(share));
        }
    }
    sums.map(mix)
}

/// The colour of a ship from those of its cells.
#[inline]
fn ship_colour(ship: &Ship, colours: &[u64; 64]) -> u64 {
    let sum = bits(ship.cells).fold(u64::from(ship.class), |sum, cell| sum.wrapping_add(colours[cell as usize]));
    mix(sum ^ u64::from(ship.cells.count_ones()) << 48)
}

/// A state with new cell numbers: seven bits for each cell, the highest of them set for the last cell of a ship.
fn renumbered(ships: &[Ship], numbers: &[u8; 64]) -> u128 {
    let renumber = |ship: &Ship| {
        let cells = bits(ship.cells).fold(0u64, |cells, cell| cells | 1 << numbers[cell as usize]);
        Ship { cells, ..*ship }
    };
    let mut word = 0;
    let mut push = |cells: u64| {
        for cell in bits(cells) {
            let last = u128::from(cells >> cell == 1) << 6;
            word = word << 7 | last | u128::from(cell);
        }
    };
    if let [ship] = ships {
        push(renumber(ship).cells);
    } else {
        let mut ships: Vec<Ship> = ships.iter().map(renumber).collect();
        ships.sort_unstable();
        for ship in &ships {
            push(ship.cells);
        }
    }
    word
}

/// Whether there are weights, the classes, the number of cells of each state, the states, and the weights if one is not 1.
fn encode<W: Weight>(rows: &[(u128, W)], ships: &[Ship]) -> Key {
    let cells: u32 = ships.iter().map(|ship| ship.cells.count_ones()).sum();
    let mut bytes = Vec::with_capacity(ships.len() + 3 + rows.len() * (cells as usize + 1));
    let weighted = rows.iter().any(|row| row.1 != W::from(1));
    bytes.extend([u8::from(weighted), ships.len() as u8, cells as u8]);
    bytes.extend(ships.iter().map(|ship| ship.class));
    for (word, _) in rows {
        bytes.extend((0..cells).map(|place| (word >> (7 * place)) as u8 & 0x7f));
    }
    if weighted {
        bytes.extend(rows.iter().flat_map(|row| row.1.bytes()));
    }
    bytes.into()
}
