//! Spots that can be ruled out or are forced, found before any counting.
//!
//! A hit next to a placement rules it out where ships may not touch; a hit that only one placement
//! can cover forces it. Each forced ship leaves the fleet and takes its surroundings with it, so a log with
//! sunk ships becomes a small problem.

use broadside_rules::Touch;

use crate::Problem;
use crate::problem::{ShipPosition, bits, low_bits};

impl ShipPosition {
    /// The rows it covers.
    pub(crate) fn rows(&self) -> std::ops::Range<usize> {
        self.row..self.row + if self.vertical { self.length } else { 1 }
    }

    /// Its columns in each of its rows.
    fn cols(&self) -> u64 {
        (if self.vertical { 1 } else { low_bits(self.length) }) << self.col
    }

    /// Its cells in a row.
    pub(crate) fn cells(&self, row: usize) -> u64 {
        if self.rows().contains(&row) { self.cols() } else { 0 }
    }

    /// The rows that it closes to other ships, wholly or in part.
    pub(crate) fn reached_rows(&self, rows: usize) -> std::ops::Range<usize> {
        let own = self.rows();
        own.start.saturating_sub(1)..rows.min(own.end + 1)
    }

    /// The cells of a row that it closes to other ships, its own among them.
    pub(crate) fn reach(&self, touch: Touch, row: usize) -> u64 {
        let (own, wide) = (self.cols(), self.cols() << 1 | self.cols() | self.cols() >> 1);
        match (touch, self.rows().contains(&row)) {
            (Touch::Allowed, false) => 0,
            (Touch::Allowed, true) | (Touch::Corners, false) => own,
            (Touch::Corners, true) | (Touch::Never, _) => wide,
        }
    }
}

/// A problem after narrowing, and the ships that every layout has.
#[derive(Clone, Debug)]
pub(crate) struct Narrowed {
    /// What is left to count; classes keep their places, with fewer ships.
    pub(crate) problem: Problem,
    /// The ships that are the same in all layouts, with their classes.
    pub(crate) forced: Vec<(usize, ShipPosition)>,
}

/// What a look at all placements and hits finds.
enum Finding {
    Nothing,
    Forced(usize, ShipPosition),
    NoLayout,
}

impl Narrowed {
    /// Narrows a problem; none if no layout is left.
    pub(crate) fn new(problem: &Problem) -> Option<Self> {
        let mut narrowed = Self { problem: problem.clone(), forced: Vec::new() };
        loop {
            narrowed.rule_out()?;
            match narrowed.find_forced() {
                Finding::Nothing => return Some(narrowed),
                Finding::Forced(class, placement) => narrowed.force(class, placement)?,
                Finding::NoLayout => return None,
            }
        }
    }

    /// Drops the placements that no layout can have.
    fn rule_out(&mut self) -> Option<()> {
        let must: u32 = self.problem.must.iter().map(|row| row.count_ones()).sum();
        // Cells of ships that are on no hit.
        let spare = self.problem.ship_cells().checked_sub(must as usize)?;
        self.retain(|problem, class, placement| {
            let hits: u32 = placement.rows().map(|r| (placement.cells(r) & problem.must[r]).count_ones()).sum();
            let shuts_a_hit = placement
                .reached_rows(problem.rows)
                .any(|r| placement.reach(problem.touch, r) & !placement.cells(r) & problem.must[r] != 0);
            problem.classes[class].count > 0 && !shuts_a_hit && placement.length - hits as usize <= spare
        });
        Some(())
    }

    /// A placement that every layout has, if one is seen.
    fn find_forced(&self) -> Finding {
        let mut once = vec![0; self.problem.rows];
        let mut twice = vec![0; self.problem.rows];
        let mut left = vec![0; self.problem.classes.len()];
        for (class, placement) in placements(&self.problem) {
            left[class] += 1;
            for r in placement.rows() {
                twice[r] |= once[r] & placement.cells(r);
                once[r] |= placement.cells(r);
            }
        }
        let short = self.problem.classes.iter().zip(&left).any(|(class, left)| *left < class.count);
        let uncovered = self.problem.must.iter().zip(&once).any(|(must, once)| must & !once != 0);
        if short || uncovered {
            return Finding::NoLayout;
        }
        let forced = |(class, placement): &(usize, ShipPosition)| {
            self.problem.classes[*class].count == left[*class]
                || placement.rows().any(|r| self.problem.must[r] & !twice[r] & placement.cells(r) != 0)
        };
        let found = placements(&self.problem).find(forced);
        found.map_or(Finding::Nothing, |(class, placement)| Finding::Forced(class, placement))
    }

    /// Puts a ship where it must be; none if the fleet has no such ship any more.
    fn force(&mut self, class: usize, forced: ShipPosition) -> Option<()> {
        let left = &mut self.problem.classes[class].count;
        *left = left.checked_sub(1)?;
        self.retain(|problem, _, placement| {
            forced.reached_rows(problem.rows).all(|r| forced.reach(problem.touch, r) & placement.cells(r) == 0)
        });
        for r in forced.rows() {
            self.problem.must[r] &= !forced.cells(r);
        }
        self.forced.push((class, forced));
        Some(())
    }

    fn retain(&mut self, keep: impl Fn(&Problem, usize, &ShipPosition) -> bool) {
        let dropped: Vec<_> =
            placements(&self.problem).filter(|(class, placement)| !keep(&self.problem, *class, placement)).collect();
        for (class, placement) in dropped {
            let class = &mut self.problem.classes[class];
            let masks = if placement.vertical { &mut class.vertical } else { &mut class.horizontal };
            masks[placement.row] &= !(1 << placement.col);
        }
    }
}

/// All placements that a problem allows, with their classes.
pub(crate) fn placements(problem: &Problem) -> impl Iterator<Item = (usize, ShipPosition)> {
    let ways = problem.classes.iter().enumerate().flat_map(|(index, class)| {
        [(index, class.length, &class.horizontal, false), (index, class.length, &class.vertical, true)]
    });
    ways.flat_map(|(class, length, masks, vertical)| {
        masks
            .iter()
            .enumerate()
            .flat_map(move |(row, mask)| bits(*mask).map(move |col| (class, ShipPosition { length, row, col, vertical })))
    })
}
