//! The moves of the sweep: what may be put at a cell, and the profile that follows.
//!
//! A move passes one cell that stays empty, or one cell of a vertical ship, or all cells of a
//! horizontal ship at once. Since the profile before a cell always says enough, a layout is exactly one
//! chain of moves from the first cell to the last, which is why adding up chains counts layouts.
//!
//! Where ships may not touch side by side, the cell to the right of a ship just placed is shut; so
//! in front of every cell that is not shut the cell to the left is empty, and the profile need not
//! remember it.
//!
//! Two profiles that differ only in a mark on a cell which no placement covers mean the same:
//! such cells are never marked shut. A mark that shuts a cell which must be covered ends the chain.

use super::marks::{FREE, GOING, Profile, SHUT, SHUT_TWICE};
use super::step::Step;
use broadside_rules::Touch;

use crate::Problem;

/// What the moves of one row depend on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RowRules {
    touch: Touch,
    cols: usize,
    /// The cells of this row and the next that must be covered.
    must: [u64; 2],
    /// The cells of this row and the next that some placement covers.
    open: [u64; 2],
    starts: Vec<Start>,
    /// At index k: how many ships are longer than k, so how many can have k cells still to come.
    longer: Vec<usize>,
}

/// Where ships of one class may start in the row.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Start {
    class: usize,
    length: usize,
    horizontal: u64,
    vertical: u64,
}

/// A move: what it puts, how many columns it passes, and the profile after it.
pub(crate) struct Move<const PLANES: usize> {
    pub(crate) step: Step,
    pub(crate) width: usize,
    pub(crate) after: Profile<PLANES>,
}

impl RowRules {
    /// Columns of the grid.
    pub(crate) fn cols(&self) -> usize {
        self.cols
    }

    /// The rules of each row of a problem.
    pub(crate) fn for_rows(problem: &Problem) -> Vec<Self> {
        let open = coverable(problem);
        let longer = longer_ships(problem);
        let at = |masks: &[u64], r: usize| masks.get(r).copied().unwrap_or(0);
        (0..problem.rows)
            .map(|r| Self {
                touch: problem.touch,
                cols: problem.cols,
                must: [problem.must[r], at(&problem.must, r + 1)],
                open: [open[r], at(&open, r + 1)],
                starts: starts(problem, r),
                longer: longer.clone(),
            })
            .collect()
    }

    /// Gives every move from `profile` at column `col` to `found`.
    pub(crate) fn moves<const P: usize>(&self, profile: Profile<P>, col: usize, mut found: impl FnMut(Move<P>)) {
        let mark = profile.mark(col);
        if mark > GOING {
            if let Some(after) = self.occupied(profile, col, 1, mark - GOING - 1) {
                found(Move { step: Step::GO_ON, width: 1, after });
            }
            return;
        }
        if self.must[0] >> col & 1 == 0 {
            let below = if mark == SHUT_TWICE { SHUT } else { FREE };
            found(Move { step: Step::EMPTY, width: 1, after: profile.with(1 << col, below) });
        }
        if mark == FREE {
            self.ships(profile, col, &mut found);
        }
    }

    fn ships<const P: usize>(&self, profile: Profile<P>, col: usize, found: &mut impl FnMut(Move<P>)) {
        for start in &self.starts {
            if start.horizontal >> col & 1 == 1
                && let Some(after) = self.occupied(profile, col, start.length, 0)
            {
                found(Move { step: Step::horizontal(start.class), width: start.length, after });
            }
            if start.vertical >> col & 1 == 1
                && let Some(after) = self.occupied(profile, col, 1, start.length - 1)
                && self.can_supply(&after)
            {
                found(Move { step: Step::vertical(start.class), width: 1, after });
            }
        }
    }

    /// The profile after `width` cells from `col` on are taken by a ship of which `below` more
    /// cells come in the rows below; none if that can't be.
    fn occupied<const P: usize>(&self, profile: Profile<P>, col: usize, width: usize, below: usize) -> Option<Profile<P>> {
        let ship = span(width) << col;
        if profile.taken() & (ship & !(1 << col)) != 0 {
            return None;
        }
        let own = if below > 0 { GOING + below } else { FREE };
        let profile = profile.with(ship, own);
        if self.touch.allows_sides() { Some(profile) } else { self.fenced(profile, ship, below) }
    }

    /// Shuts the cells around a ship just placed; none if one of them can't be shut.
    fn fenced<const P: usize>(&self, profile: Profile<P>, ship: u64, below: usize) -> Option<Profile<P>> {
        let [left, right] = [ship >> 1 & !ship, (ship << 1 & !ship) & span(self.cols)];
        let sides = if self.touch.allows_corners() { 0 } else { left | right };
        let under = if below > 0 { sides } else { sides | ship };
        if right & (self.must[0] | profile.going()) != 0 || under & self.must[1] != 0 {
            return None;
        }
        let under = under & self.open[1];
        let next = match (under & right != 0, right & self.open[0] != 0) {
            (true, _) => SHUT_TWICE,
            (false, true) => SHUT,
            (false, false) => FREE,
        };
        Some(profile.with(under & !right, SHUT).with(right, next))
    }

    /// Whether the fleet has enough ships of the lengths that the profile needs.
    fn can_supply<const P: usize>(&self, profile: &Profile<P>) -> bool {
        (1..self.longer.len()).all(|k| profile.going_at_least(k) <= self.longer[k])
    }
}

/// The lowest `width` bits, where `width` is 1 to 64.
fn span(width: usize) -> u64 {
    u64::MAX >> (64 - width)
}

fn starts(problem: &Problem, r: usize) -> Vec<Start> {
    let classes = problem.classes.iter().enumerate().filter(|(_, class)| class.count > 0);
    classes
        .map(|(index, class)| Start {
            class: index,
            length: class.length,
            horizontal: class.horizontal[r],
            vertical: class.vertical[r],
        })
        .filter(|start| start.horizontal | start.vertical != 0)
        .collect()
}

fn longer_ships(problem: &Problem) -> Vec<usize> {
    let longest = problem.classes.iter().map(|class| class.length).max().unwrap_or(0);
    let count = |k| problem.classes.iter().filter(|class| class.length > k).map(|class| class.count).sum();
    (0..longest).map(count).collect()
}

/// For each row the cells that some placement covers.
fn coverable(problem: &Problem) -> Vec<u64> {
    let mut open = vec![0; problem.rows];
    for class in problem.classes.iter().filter(|class| class.count > 0) {
        for r in 0..problem.rows {
            open[r] |= (0..class.length).fold(0, |cells, i| cells | class.horizontal[r] << i);
            for row in &mut open[r..problem.rows.min(r + class.length)] {
                *row |= class.vertical[r];
            }
        }
    }
    open
}
