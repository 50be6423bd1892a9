//! A problem made ready for sweeping: turned, narrowed and made into a graph.

use broadside_rules::Stop;

use super::fleet::FleetIndex;
use super::forecast::{least_profiles, profiles};
use super::graph::{Block, Building};
use super::marks::Profile;
use super::moves::RowRules;
use super::narrow::{Narrowed, placements};
use super::number::SweepNumber;
use super::sweep::Sweep;
use super::windows::BoardWindows;
use crate::problem::ShipPosition;
use crate::transfer::weights::WeightTable;
use crate::{OutOfReach, Problem, ShipClass, WorkLimits};

/// A problem made ready for sweeping.
pub(crate) struct Plan {
    /// Whether rows and columns are exchanged, so that there are fewer profiles.
    turned: bool,
    narrowed: Narrowed,
    symmetry: Symmetry,
    blocks: Vec<Block>,
    windows: BoardWindows,
    fleet: FleetIndex,
    /// The memory left for vectors, in bytes.
    left: usize,
    stop: Stop,
}

/// With fewer layouts than this, those of all cells can be added up in 128 bits.
const MOST_ADDED_UP: f64 = (1_u128 << 112) as f64;

/// How a board looks the same as before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Symmetry {
    /// Not at all.
    None,
    /// With top and bottom exchanged.
    Mirrored,
    /// That, and with rows and columns exchanged.
    Square,
}

impl Symmetry {
    fn of(problem: &Problem) -> Self {
        if !problem.is_mirrored() {
            Self::None
        } else if problem.transposed() == *problem && upper_bound(problem) < MOST_ADDED_UP {
            Self::Square
        } else {
            Self::Mirrored
        }
    }
}

/// The integers that hold the number of layouts.
pub(crate) enum Width {
    /// 64 bits.
    Single,
    /// 128 bits.
    Double,
}

impl Width {
    /// The integers that hold a number of layouts, summed up in floating point: see [`Plan::width`].
    pub(crate) fn holding(layouts: f64) -> Result<Self, OutOfReach> {
        if layouts < 2_f64.powi(63) {
            Ok(Self::Single)
        } else if layouts < 2_f64.powi(127) {
            Ok(Self::Double)
        } else {
            Err(OutOfReach::Overflow)
        }
    }
}

impl Plan {
    /// Prepares a problem; none if it is seen to have no layout.
    pub(crate) fn new(problem: &Problem, limits: &WorkLimits) -> Result<Option<Self>, OutOfReach> {
        let Some((turned, narrowed)) = narrowed(problem) else {
            return Ok(None);
        };
        let bytes = limits.budget.bytes;
        let fleet = FleetIndex::new(&narrowed.problem, bytes).ok_or(OutOfReach::Memory)?;
        let (blocks, left) = build(&narrowed.problem, &fleet, limits)?;
        let left = left.checked_sub(BoardWindows::bytes(&blocks)).ok_or(OutOfReach::Memory)?;
        let windows = BoardWindows::new(&blocks, &fleet);
        limits.check()?;
        let symmetry = Symmetry::of(&narrowed.problem);
        Ok(Some(Self { turned, narrowed, symmetry, blocks, windows, fleet, left, stop: limits.stop.clone() }))
    }

    /// The problem as it is swept.
    pub(crate) fn problem(&self) -> &Problem {
        &self.narrowed.problem
    }

    /// The first row whose cells have to be counted. On a board that is its own mirror image from top to bottom, the upper half is that
    /// of the lower one. On a square that looks the same however it is turned, the cells of the middle rows are images of others, all
    /// but those in the very middle; and these have what the others leave of the cells of all ships.
    pub(crate) fn first_row(&self) -> usize {
        match self.symmetry {
            Symmetry::None => 0,
            Symmetry::Mirrored => self.problem().rows / 2,
            Symmetry::Square => self.problem().rows / 2 + 1,
        }
    }

    /// Fills in the cells above the first row that was counted.
    pub(crate) fn complete(&self, cells: &mut [u128], layouts: u128) {
        let (rows, cols, first_row) = (self.problem().rows, self.problem().cols, self.first_row());
        // Of a cell and its mirror images the lowest, and farthest to the right.
        let lowest = |at: usize| [(at / cols).max(rows - 1 - at / cols), (at % cols).max(cols - 1 - at % cols)];
        for at in 0..first_row * cols {
            let [row, col] = lowest(at);
            cells[at] = match self.symmetry {
                Symmetry::Square => cells[row.max(col) * cols + row.min(col)],
                _ => cells[row * cols + at % cols],
            };
        }
        if self.symmetry == Symmetry::Square {
            let middle: Vec<usize> = (0..cells.len()).filter(|&at| lowest(at).into_iter().all(|line| line < first_row)).collect();
            let all = layouts * self.problem().ship_cells() as u128;
            let others: u128 = cells.iter().sum();
            for &at in &middle {
                cells[at] = (all - others) / middle.len() as u128;
            }
        }
    }

    /// The ships that all layouts have, as they lie on the swept board, with their classes.
    pub(crate) fn forced(&self) -> &[(usize, ShipPosition)] {
        &self.narrowed.forced
    }

    /// A sweep, if there is memory for the vectors that it has to store. The weights are those of the board as given.
    pub(crate) fn sweep<'a, T: SweepNumber>(&'a self, weights: Option<&'a WeightTable<T>>) -> Result<Sweep<'a, T>, OutOfReach> {
        if self.windows.stored().saturating_mul(size_of::<T>()) > self.left {
            return Err(OutOfReach::Memory);
        }
        let (blocks, windows, fleet) = (&self.blocks[..], &self.windows, &self.fleet);
        Ok(Sweep { blocks, windows, fleet, weights, cols: self.problem().cols, stop: &self.stop })
    }

    /// The smallest integers that are proved to hold the number of layouts.
    ///
    /// The proof is the number of ways to place each class by itself, or else a sweep in floating
    /// point. Such a sum of positive numbers has a relative error below the number of additions on
    /// a chain times 2^-53, far less than the factor of 2 that is kept as a margin.
    pub(crate) fn width(&self) -> Result<Width, OutOfReach> {
        if upper_bound(self.problem()) < 2_f64.powi(63) {
            return Ok(Width::Single);
        }
        Width::holding(self.sweep::<f64>(None)?.total()?)
    }

    /// Weights of the board as given, for the swept board.
    pub(crate) fn turned_weights(&self, weights: &WeightTable) -> WeightTable {
        if !self.turned {
            return weights.clone();
        }
        weights.transposed(self.problem())
    }

    /// Numbers for the cells of the swept board, as those of the given board; the forced ships' cells get `all`.
    pub(crate) fn on_board<N: Copy>(&self, mut cells: Vec<N>, all: N) -> Vec<N> {
        let (rows, cols) = (self.problem().rows, self.problem().cols);
        for (_, forced) in self.forced() {
            for (row, col) in forced.each_cell() {
                cells[row * cols + col] = all;
            }
        }
        if !self.turned {
            return cells;
        }
        (0..rows * cols).map(|cell| cells[cell % rows * cols + cell / rows]).collect()
    }

    /// A layout of the swept board as one of the given board: with the forced ships, longest first.
    pub(crate) fn layout_on_board(&self, mut ships: Vec<ShipPosition>) -> Vec<ShipPosition> {
        ships.extend(self.forced().iter().map(|(_, ship)| *ship));
        if self.turned {
            ships = ships.into_iter().map(ShipPosition::transposed).collect();
        }
        ships.sort_unstable_by_key(|ship| (std::cmp::Reverse(ship.length), ship.row, ship.col));
        ships
    }
}

/// The problem narrowed, with rows and columns exchanged where that makes fewer profiles, and whether they are; none if it is seen to
/// have no layout. A profile runs along the shorter side; on a square board the forecast decides, which a hit or a sunk
/// ship can make several times as large one way as the other.
fn narrowed(problem: &Problem) -> Option<(bool, Narrowed)> {
    let turned = || Narrowed::new(&problem.transposed()).map(|turned| (true, turned));
    if problem.cols > problem.rows {
        return turned();
    }
    let plain = Narrowed::new(problem)?;
    let is_fewer = |turned: &Narrowed| {
        let both = profiles(&turned.problem).zip(profiles(&plain.problem));
        both.is_some_and(|(turned, plain)| turned < plain)
    };
    let turned = if problem.cols == problem.rows { turned().filter(|(_, turned)| is_fewer(turned)) } else { None };
    Some(turned.unwrap_or((false, plain)))
}

/// The ways to choose placements for each class, whether or not they are compatible.
fn upper_bound(problem: &Problem) -> f64 {
    let mut ways = vec![0_u32; problem.classes.len()];
    placements(problem).for_each(|(class, _)| ways[class] += 1);
    let choose = |(class, ways): (&ShipClass, u32)| -> f64 {
        let count = u32::try_from(class.count).unwrap_or(u32::MAX).min(ways);
        (0..count).map(|i| f64::from(ways - i) / f64::from(i + 1)).product()
    };
    problem.classes.iter().zip(ways).map(choose).product()
}

/// The blocks of a problem, and the memory that is left, in bytes.
fn build(problem: &Problem, fleet: &FleetIndex, limits: &WorkLimits) -> Result<(Vec<Block>, usize), OutOfReach> {
    let rules = RowRules::for_rows(problem);
    let lengths = problem.classes.iter().filter(|class| class.count > 0).map(|class| class.length);
    let longest = lengths.max().unwrap_or(1);
    let building = Building::new(longest, fleet.len, limits);
    if !building.affords(least_profiles(problem)) {
        return Err(OutOfReach::Memory);
    }
    if longest <= Profile::<3>::LONGEST { building.blocks::<3>(&rules) } else { building.blocks::<7>(&rules) }
}

#[cfg(test)]
mod tests {
    use broadside_rules::{Rules, ShotLog};

    use super::*;

    #[test]
    fn a_square_board_is_swept_the_way_with_fewer_profiles() {
        let rules: Rules = "8x8 4,3,3,2,2,1 never ship".parse().expect("rules");
        for shots in ["A3+ A4- A2+ A1#3 G8-", "H1+ G1+ F1+ B5-", "D4+", "A8- H1- E4+ F4#2"] {
            let problem = Problem::from_log(&ShotLog::parse(&rules, shots).expect("a log"));
            let make = |problem: &Problem| Plan::new(problem, &WorkLimits::default()).expect("in reach").expect("a layout");
            let (plain, turned) = (make(&problem), make(&problem.transposed()));
            let both =
                [&problem, &problem.transposed()].map(|problem| profiles(&Narrowed::new(problem).expect("a layout").problem));
            assert!(plain.turned != turned.turned || both[0] == both[1], "{shots}");
            assert!(both.iter().all(|&other| profiles(plain.problem()) <= other), "{shots}");
            assert_eq!(plain.windows.stored(), turned.windows.stored(), "{shots}");
        }
    }
}
