//! The ships along a line that cover live hits, by what is known of the line.

use super::line_counter::{BLOCK, short_counts};
use super::lines::Line;

/// So many lines are remembered.
const SLOTS: usize = 8192;

/// The ships of one length on a line that cover the same number of live hits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    /// The number of the group: that of the length times the number of groups of each, and the live hits.
    pub(crate) group: usize,
    /// How many ships they are.
    pub(crate) ships: u32,
    /// How many of them go through each cell, and the cells to fire at that any go through.
    pub(crate) counts: [f32; BLOCK],
    pub(crate) cells: u64,
}

/// Lists the ships along lines of up to 16 cells, and remembers the lists.
#[derive(Clone, Debug)]
pub(crate) struct LineShips {
    /// The lengths of the fleet, the shortest first.
    lengths: Vec<usize>,
    /// The number of groups of a length.
    groups: usize,
    keep_apart: bool,
    /// The line that each slot has; at first the one without open cells.
    keys: Vec<u64>,
    parts: Vec<Vec<Part>>,
}

impl LineShips {
    pub(crate) fn new(lengths: Vec<usize>, groups: usize, keep_apart: bool) -> Self {
        Self { lengths, groups, keep_apart, keys: vec![0; SLOTS], parts: vec![Vec::new(); SLOTS] }
    }

    /// The ships along a line that cover live hits: the shortest first, then those that cover fewest.
    #[inline(always)]
    pub(crate) fn parts(&mut self, line: Line) -> &[Part] {
        let line = self.within_reach(line);
        let key = line.open | line.live << BLOCK | line.hits << (2 * BLOCK);
        let slot = (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize % SLOTS;
        if self.keys[slot] != key {
            self.list(slot, key, line);
        }
        &self.parts[slot]
    }

    /// What a ship that covers a live hit may meet.
    #[inline(always)]
    fn within_reach(&self, line: Line) -> Line {
        let mut open = line.live & line.open;
        for _ in 1..self.groups - 1 {
            open |= (open << 1 | open >> 1) & line.open;
        }
        Line { open, live: line.live, hits: line.hits & (open | open << 1 | open >> 1) }
    }

    #[cold]
    #[inline(never)]
    fn list(&mut self, slot: usize, key: u64, line: Line) {
        self.keys[slot] = key;
        let parts = &mut self.parts[slot];
        parts.clear();
        let mut runs = Runs::new(line.open, line.hits, self.keep_apart);
        for (class, &length) in self.lengths.iter().enumerate() {
            let all = runs.starts(length);
            for hits in 1..=length {
                let of_group = |start: &u32| ((ship(length) << start) & line.live).count_ones() as usize == hits;
                let starts: u64 =
                    (0..BLOCK as u32).filter(|start| all >> start & 1 == 1).filter(of_group).map(|start| 1 << start).sum();
                if starts != 0 {
                    let group = class * self.groups + hits;
                    let covered = (0..length).fold(0, |cells, i| cells | starts << i);
                    let (counts, cells) = (short_counts(starts, length).map(f32::from), covered & !line.live);
                    parts.push(Part { group, ships: starts.count_ones(), counts, cells });
                }
            }
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
