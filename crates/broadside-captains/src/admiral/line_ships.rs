//! The ships along a line that cover live hits, by what is known of the line.

use super::line_counter::{BLOCK, short_counts};
use super::lines::Line;

/// So many lines are remembered.
const SLOTS: usize = 8192;

/// No ship is longer: it would cover more live hits than a word has bytes.
pub(crate) const LONGEST: usize = 8;

/// The ships of one length on a line that cover the same number of live hits, and a cell to fire at.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    /// The number of the group: [`group`].
    pub(crate) group: usize,
    /// How many of them go through each cell to fire at.
    pub(crate) counts: [f32; BLOCK],
}

/// The ships along a line that cover live hits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OnLine<'a> {
    /// For each length, how many ships cover one live hit, two, …: a byte each.
    pub(crate) ships: &'a [u64],
    /// Those with cells to fire at: the shortest first, then those that cover fewest.
    pub(crate) parts: &'a [Part],
}

/// The number of a group: ships of one length that cover the same number of live hits.
#[inline(always)]
pub(crate) fn group(class: usize, hits: usize) -> usize {
    class * LONGEST + hits - 1
}

/// Lists the ships along lines of up to 16 cells, and remembers the lists.
#[derive(Clone, Debug)]
pub(crate) struct LineShips {
    /// The lengths of the fleet, the shortest first.
    lengths: Vec<usize>,
    keep_apart: bool,
    /// The line that each slot has; at first the one without open cells.
    keys: Vec<u64>,
    /// By slot and length.
    ships: Vec<u64>,
    parts: Vec<Vec<Part>>,
    /// How often a line was listed.
    listed: usize,
}

impl LineShips {
    pub(crate) fn new(lengths: Vec<usize>, keep_apart: bool) -> Self {
        let (ships, parts) = (vec![0; SLOTS * lengths.len()], vec![Vec::new(); SLOTS]);
        Self { lengths, keep_apart, keys: vec![0; SLOTS], ships, parts, listed: 0 }
    }

    /// How often a line was listed, so that its slot has no longer what it had before.
    #[inline(always)]
    pub(crate) fn listed(&self) -> usize {
        self.listed
    }

    /// The slot of a line [within reach](LineShips::within_reach). It has its ships until another line is listed.
    #[inline(always)]
    pub(crate) fn slot(&mut self, line: Line) -> usize {
        let key = line.open | line.live << BLOCK | line.hits << (2 * BLOCK);
        let slot = (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize % SLOTS;
        if self.keys[slot] != key {
            self.list(slot, key, line);
        }
        slot
    }

    /// The ships of a slot.
    #[inline(always)]
    pub(crate) fn at(&self, slot: usize) -> OnLine<'_> {
        let classes = self.lengths.len();
        OnLine { ships: &self.ships[slot * classes..][..classes], parts: &self.parts[slot] }
    }

    /// What a ship that covers a live hit may meet, moved to the beginning of the line, and how far it was moved.
    ///
    /// Most lines look alike then, so that the few that come up again and again are close at hand.
    #[inline(always)]
    pub(crate) fn within_reach(&self, line: Line) -> (Line, usize) {
        let mut open = line.live & line.open;
        for _ in 1..self.lengths[self.lengths.len() - 1] {
            open |= (open << 1 | open >> 1) & line.open;
        }
        let hits = line.hits & (open | open << 1 | open >> 1);
        let moved = ((open | hits).trailing_zeros() as usize) % 64;
        (Line { open: open >> moved, live: (line.live & open) >> moved, hits: hits >> moved }, moved)
    }

    #[cold]
    #[inline(never)]
    fn list(&mut self, slot: usize, key: u64, line: Line) {
        self.keys[slot] = key;
        self.listed += 1;
        let parts = &mut self.parts[slot];
        parts.clear();
        let mut runs = Runs::new(line.open, line.hits, self.keep_apart);
        for (class, &length) in self.lengths.iter().enumerate() {
            let (all, mut ships) = (runs.starts(length), 0);
            for hits in 1..=length {
                let of_group = |start: &u32| ((ship(length) << start) & line.live).count_ones() as usize == hits;
                let starts: u64 =
                    (0..BLOCK as u32).filter(|start| all >> start & 1 == 1).filter(of_group).map(|start| 1 << start).sum();
                ships |= u64::from(starts.count_ones()) << (8 * (hits - 1));
                if starts != 0 && hits < length {
                    let mut counts = short_counts(starts, length).map(f32::from);
                    (0..BLOCK).filter(|cell| line.live >> cell & 1 == 1).for_each(|cell| counts[cell] = 0.0);
                    parts.push(Part { group: group(class, hits), counts });
                }
            }
            self.ships[slot * self.lengths.len() + class] = ships;
        }
    }
}

/// The cells of a ship of this length that lies at the beginning of a line.
#[inline(always)]
pub(crate) fn ship(length: usize) -> u64 {
    u64::MAX >> (64 - length)
}

/// Where ships may start on a line, for one length after the other.
pub(crate) struct Runs {
    open: u64,
    hits: u64,
    keep_apart: bool,
    /// The cells from which this many are open.
    starts: u64,
    length: usize,
}

impl Runs {
    #[inline(always)]
    pub(crate) fn new(open: u64, hits: u64, keep_apart: bool) -> Self {
        Self { open, hits, keep_apart, starts: open, length: 1 }
    }

    /// The first cells of all ships of this length. Lengths must not become shorter from call to call.
    #[inline(always)]
    pub(crate) fn starts(&mut self, length: usize) -> u64 {
        while self.length < length {
            self.starts &= self.open.checked_shr(self.length as u32).unwrap_or(0);
            self.length += 1;
        }
        if !self.keep_apart {
            return self.starts;
        }
        // The cells before and after a ship that keeps apart are no hits.
        self.starts & !(self.hits << 1) & !self.hits.checked_shr(length as u32).unwrap_or(0)
    }
}
