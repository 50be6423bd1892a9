//! A name for a belief that it shares with all beliefs of the same shape.
//!
//! What a belief is worth doesn't depend on where its cells lie: only on which cells each ship of each remnant has. So cells
//! are renumbered by their part in it: each gets a colour that follows from the ships through it, then from the colours
//! of the cells of these ships, and so on; of cells that still look alike one is picked and the colours are worked out
//! again. Reflections of the board, and the same few placements in another corner of it, get the same name in this way.
//!
//! The name is the whole belief, in new numbers. Colours are sums of hashes, and it doesn't matter if two of them happen to be
//! equal or if the cell picked is not like the others: then beliefs of one shape may get two names, which costs time, but two
//! beliefs never get one name unless renumbering cells takes one to the other.

use crate::belief::{Belief, bits};
use crate::remnant::{Remnants, Ship};

/// What a belief is remembered under.
pub(crate) type Key = Box<[u8]>;

/// The new number of each cell.
pub(crate) type Ranks = [u8; 64];

/// As many cells of a remnant fit into one machine word, at seven bits each.
const MOST_CELLS: u32 = 18;

/// How often colours are worked out from those before.
const ROUNDS: usize = 2;

/// How often after one cell was picked.
const ROUNDS_AFTER_PICK: usize = 1;

/// The name of a belief, and the number of each of its cells there: what is known of a cell holds for the cell with this
/// number of any belief with this name.
pub(crate) fn key(belief: &Belief, remnants: &Remnants) -> (Key, Ranks) {
    let first = belief.rows().first().map_or(0, |row| row.0);
    if remnants.cells(first).count_ones() > MOST_CELLS {
        return (numbers(belief), std::array::from_fn(|cell| cell as u8));
    }
    let (some, _) = belief.cells(remnants);
    let ranks = ranks(belief, remnants, some);
    let mut rows: Vec<(u128, u32)> =
        belief.rows().iter().map(|&(id, weight)| (renumbered(remnants.ships(id), &ranks), weight)).collect();
    rows.sort_unstable();
    (spell(&rows, remnants.ships(first)), ranks)
}

/// The belief as it is, for remnants that don't fit into a word.
fn numbers(belief: &Belief) -> Key {
    let words = belief.rows().iter().flat_map(|&(id, weight)| [id, weight]);
    std::iter::once(u8::MAX).chain(words.flat_map(u32::to_le_bytes)).collect()
}

#[inline]
fn mix(value: u64) -> u64 {
    let value = (value ^ value >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (value ^ value >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9)
}

fn ranks(belief: &Belief, remnants: &Remnants, some: u64) -> Ranks {
    let mut colours = [0; 64];
    (0..ROUNDS).for_each(|_| colours = recoloured(belief, remnants, &colours));
    let mut order: Vec<u32> = bits(some).collect();
    loop {
        order.sort_unstable_by_key(|&cell| colours[cell as usize]);
        let alike = order.windows(2).find(|pair| colours[pair[0] as usize] == colours[pair[1] as usize]);
        let Some(&[pick, _]) = alike else { break };
        colours[pick as usize] = mix(colours[pick as usize] ^ 0x5bd1_e995);
        (0..ROUNDS_AFTER_PICK).for_each(|_| colours = recoloured(belief, remnants, &colours));
    }
    let mut ranks = [0; 64];
    (0..).zip(order).for_each(|(rank, cell)| ranks[cell as usize] = rank);
    ranks
}

/// The colour of each cell from those of the cells that lie under one ship or in one remnant with it.
fn recoloured(belief: &Belief, remnants: &Remnants, colours: &[u64; 64]) -> [u64; 64] {
    let mut sums = *colours;
    let mut tints = Vec::new();
    for &(id, weight) in belief.rows() {
        let ships = remnants.ships(id);
        tints.clear();
        tints.extend(ships.iter().map(|ship| tint(ship, colours)));
        let row = mix(tints.iter().fold(u64::from(weight), |sum, &tint| sum.wrapping_add(tint)));
        for (ship, tint) in ships.iter().zip(&tints) {
            let share = mix(row ^ tint);
            bits(ship.cells).for_each(|cell| sums[cell as usize] = sums[cell as usize].wrapping_add(share));
        }
    }
    sums.map(mix)
}

/// The colour of a ship from those of its cells.
#[inline]
fn tint(ship: &Ship, colours: &[u64; 64]) -> u64 {
    let sum = bits(ship.cells).fold(u64::from(ship.class), |sum, cell| sum.wrapping_add(colours[cell as usize]));
    mix(sum ^ u64::from(ship.cells.count_ones()) << 48)
}

/// A remnant in new numbers: seven bits for each cell, the highest of them set for the last cell of a ship.
fn renumbered(ships: &[Ship], ranks: &[u8; 64]) -> u128 {
    let renumber = |ship: &Ship| {
        let cells = bits(ship.cells).fold(0u64, |cells, cell| cells | 1 << ranks[cell as usize]);
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

/// Whether there are weights, the classes, the number of cells of each remnant, the remnants, and their weights if some are not 1.
fn spell(rows: &[(u128, u32)], ships: &[Ship]) -> Key {
    let cells: u32 = ships.iter().map(|ship| ship.cells.count_ones()).sum();
    let mut bytes = Vec::with_capacity(ships.len() + 3 + rows.len() * (cells as usize + 1));
    let weighted = rows.iter().any(|row| row.1 != 1);
    bytes.extend([u8::from(weighted), ships.len() as u8, cells as u8]);
    bytes.extend(ships.iter().map(|ship| ship.class));
    for (word, _) in rows {
        bytes.extend((0..cells).map(|place| (word >> (7 * place)) as u8 & 0x7f));
    }
    if weighted {
        bytes.extend(rows.iter().flat_map(|row| row.1.to_le_bytes()));
    }
    bytes.into()
}
