//! A problem made ready for sweeping: turned, narrowed and made into a graph.

use broadside_rules::Stop;

use super::fleet::FleetIndex;
use super::forecast::least_profiles;
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
    /// Whether rows and columns are exchanged, so that the profile runs along the shorter side.
    turned: bool,
    narrowed: Narrowed,
    blocks: Vec<Block>,
    windows: BoardWindows,
    fleet: FleetIndex,
    /// The memory left for vectors, in bytes.
    left: usize,
    stop: Stop,
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
        let turned = problem.cols > problem.rows;
        let narrowed = if turned { Narrowed::new(&problem.transposed()) } else { Narrowed::new(problem) };
        let Some(narrowed) = narrowed else {
            return Ok(None);
        };
        let bytes = limits.budget.bytes;
        let fleet = FleetIndex::new(&narrowed.problem, bytes).ok_or(OutOfReach::Memory)?;
        let (blocks, left) = build(&narrowed.problem, &fleet, limits)?;
        let left = left.checked_sub(BoardWindows::bytes(&blocks)).ok_or(OutOfReach::Memory)?;
        let windows = BoardWindows::new(&blocks, &fleet);
        limits.check()?;
        Ok(Some(Self { turned, narrowed, blocks, windows, fleet, left, stop: limits.stop.clone() }))
    }

    /// The problem as it is swept.
    pub(crate) fn problem(&self) -> &Problem {
        &self.narrowed.problem
    }

    /// Whether the swept board is its own mirror image from top to bottom.
    pub(crate) fn is_mirrored(&self) -> bool {
        self.problem().is_mirrored()
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
        if self.upper_bound() < 2_f64.powi(63) {
            return Ok(Width::Single);
        }
        Width::holding(self.sweep::<f64>(None)?.total()?)
    }

    /// The ways to choose placements for each class, whether or not they are compatible.
    fn upper_bound(&self) -> f64 {
        let mut ways = vec![0_u32; self.problem().classes.len()];
        placements(self.problem()).for_each(|(class, _)| ways[class] += 1);
        let choose = |(class, ways): (&ShipClass, u32)| -> f64 {
            let count = u32::try_from(class.count).unwrap_or(u32::MAX).min(ways);
            (0..count).map(|i| f64::from(ways - i) / f64::from(i + 1)).product()
        };
        self.problem().classes.iter().zip(ways).map(choose).product()
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
