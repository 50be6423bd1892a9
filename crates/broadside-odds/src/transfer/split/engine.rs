//! From a problem to its counts.
//!
//! Split by orientation: of `m` ships longer than one cell, either at most `m / 2` are vertical,
//! or fewer than `m - m / 2` are horizontal. The second half is the first one on the transposed board,
//! so a sweep need never carry more than `m / 2` vertical ships. (Ships of one cell have no
//! orientation; they count as horizontal in both halves.)

use std::collections::HashMap;
use std::sync::Arc;

use broadside_rules::Stop;

use super::branch::{self, branches, covered};
use super::fleet::Parts;
use super::forms::{Forms, Shape};
use super::general::Sweep;
use super::listing::list;
use super::number::{Fused, Number};
use super::strips::Board;
use super::verticals::{self, Tables};
use super::weighted::WeightSums;
use super::weights::{Place, Unweighted, Weigh};
use crate::problem::{Problem, ShipClass, bits};
use crate::transfer::InstructionSet;
use crate::{Counts, OutOfReach, PlacementWeights, WeightedCounts, WorkLimits};

/// The counting engine.
///
/// Keep one and use it again: it keeps its tables and what it knows about fleets.
#[derive(Debug)]
pub(crate) struct Engine {
    /// The most numbers in the tables of a sweep.
    budget: usize,
    stop: Stop,
    instructions: InstructionSet,
    parts: HashMap<Vec<usize>, Arc<Parts>>,
    /// Where there are not too many.
    forms: HashMap<Shape, Option<Arc<Forms>>>,
    tables: AllTables,
}

/// Tables of sweeps, for each kind of numbers.
#[derive(Debug, Default)]
pub(super) struct AllTables {
    pub(super) fused: Tables<Fused>,
    pub(super) plain: Tables<f64>,
    large: Tables<u128>,
}

/// What is added up over the parts of a problem.
pub(super) trait Tally {
    /// Adds the layouts of a problem that is left once some ships are placed by listing them; false if a sweep is cheaper.
    fn add_listed(&mut self, problem: &Problem, placed: &[Place]) -> Result<bool, OutOfReach>;

    /// The same by sweeping both halves.
    fn add_swept(&mut self, engine: &mut Engine, problem: &Problem, placed: &[Place]) -> Result<(), OutOfReach>;
}

impl Engine {
    /// An engine that gives up when a sweep needs larger tables than its limits allow.
    pub(crate) fn new(limits: &WorkLimits, instructions: InstructionSet) -> Self {
        Engine {
            // Numbers take up to 16 bytes.
            budget: limits.budget.bytes / 16,
            stop: limits.stop.clone(),
            instructions,
            parts: HashMap::new(),
            forms: HashMap::new(),
            tables: AllTables::default(),
        }
    }

    /// The exact number of layouts, in all and by cell.
    ///
    /// # Errors
    /// [`OutOfReach::Overflow`] if the number passes 128 bits, [`OutOfReach::Memory`] if the budget is too small for the
    /// board and fleet.
    pub(crate) fn count(&mut self, problem: &Problem) -> Result<Counts, OutOfReach> {
        let mut counts = RawCounts { layouts: 0, cells: vec![0; problem.cells()] };
        self.add_parts(problem, &mut vec![], &mut counts)?;
        Ok(Counts::new(problem.grid(), counts.layouts, counts.cells))
    }

    /// The weighted sum of layouts, in all and by cell.
    ///
    /// # Errors
    /// As for [`Engine::count`], without the overflow.
    pub(crate) fn weigh(&mut self, problem: &Problem, weights: &PlacementWeights) -> Result<WeightedCounts, OutOfReach> {
        let mut sums = WeightSums::new(problem, weights);
        self.add_parts(problem, &mut vec![], &mut sums)?;
        Ok(sums.counts())
    }

    /// Adds up a problem that is left once some ships are placed.
    fn add_parts(&mut self, problem: &Problem, placed: &mut Vec<Place>, tally: &mut impl Tally) -> Result<(), OutOfReach> {
        if tally.add_listed(problem, placed)? {
            return Ok(());
        }
        let Some(choices) = branches(problem) else {
            return tally.add_swept(self, problem, placed);
        };
        for place in choices {
            placed.push(place);
            self.add_parts(&branch::fixed(problem, place), placed, tally)?;
            placed.pop();
        }
        Ok(())
    }

    /// Sweeps both halves with what the problem needs, in tables of the engine.
    pub(super) fn sweep<T>(
        &mut self,
        problem: &Problem,
        sweep: impl FnOnce(&Halves<'_>, &mut AllTables) -> Result<T, OutOfReach>,
    ) -> Result<T, OutOfReach> {
        let parts = self.parts(problem)?;
        let forms = self.forms(problem, &parts);
        let halves = Halves {
            problem,
            parts: &parts,
            forms: &forms,
            budget: self.budget,
            stop: &self.stop,
            instructions: self.instructions,
        };
        sweep(&halves, &mut self.tables)
    }

    /// The products of the sweeps of the board and of its transpose, where there may be two vertical ships at most.
    fn forms(&mut self, problem: &Problem, parts: &Parts) -> [Option<Arc<Forms>>; 2] {
        if split(problem).iter().any(|half| half.most > 2) {
            return [None, None];
        }
        [problem.cols, problem.rows].map(|cols| {
            let shape = (problem.classes.iter().map(|class| (class.length, class.count)).collect(), cols);
            if let Some(forms) = self.forms.get(&shape) {
                return forms.clone();
            }
            let forms = Forms::shared(&shape, problem, parts);
            self.forms.insert(shape, forms.clone());
            forms
        })
    }

    /// The numbering of the parts of the problem's fleet.
    pub(crate) fn parts(&mut self, problem: &Problem) -> Result<Arc<Parts>, OutOfReach> {
        let counts: Vec<usize> = problem.classes.iter().map(|class| class.count).collect();
        if let Some(parts) = self.parts.get(&counts) {
            return Ok(Arc::clone(parts));
        }
        let parts = Parts::new(&counts).ok_or(OutOfReach::Memory)?;
        let parts = Arc::new(parts);
        self.parts.insert(counts, Arc::clone(&parts));
        Ok(parts)
    }
}

/// The counts while they are being added up.
struct RawCounts {
    layouts: u128,
    cells: Vec<u128>,
}

impl RawCounts {
    /// Adds layouts of a problem, those with a ship on each cell, and the ships that are `placed` in all of them. `None` leaves the
    /// counts as they were, because the number would be too large.
    fn add(&mut self, layouts: u128, cells: impl Iterator<Item = u128>, problem: &Problem, placed: &[Place]) -> Option<()> {
        // No cell has more than the total.
        self.layouts = self.layouts.checked_add(layouts)?;
        self.cells.iter_mut().zip(cells).for_each(|(to, n)| *to += n);
        for cell in placed.iter().flat_map(|&place| covered(problem, place)) {
            self.cells[cell] += layouts;
        }
        Some(())
    }

    /// Adds the exact sums of a sweep; `None` as for [`RawCounts::add`].
    fn add_exact<N: Number>(&mut self, sums: &Sums<N>, problem: &Problem, placed: &[Place]) -> Option<()> {
        let cells: Option<Vec<u128>> = sums.cells.iter().map(|cell| cell.exact()).collect();
        self.add(sums.total.exact()?, cells?.into_iter(), problem, placed)
    }
}

impl Tally for RawCounts {
    fn add_listed(&mut self, problem: &Problem, placed: &[Place]) -> Result<bool, OutOfReach> {
        let Some((layouts, cells)) = list(problem, |_| 1_u64) else { return Ok(false) };
        let added = self.add(layouts.into(), cells.into_iter().map(u128::from), problem, placed);
        added.map(|()| true).ok_or(OutOfReach::Overflow)
    }

    fn add_swept(&mut self, engine: &mut Engine, problem: &Problem, placed: &[Place]) -> Result<(), OutOfReach> {
        let even = &Unweighted;
        engine.sweep(problem, |halves, tables| {
            let done = if halves.instructions.is_fused() {
                self.add_exact(&halves.count(&mut tables.fused, even, even)?, problem, placed)
            } else {
                self.add_exact(&halves.count(&mut tables.plain, even, even)?, problem, placed)
            };
            let Some(()) = done else {
                let sums = halves.count(&mut tables.large, even, even)?;
                return self.add_exact(&sums, problem, placed).ok_or(OutOfReach::Overflow);
            };
            Ok(())
        })
    }
}

/// A problem to be counted in two halves.
pub(super) struct Halves<'a> {
    problem: &'a Problem,
    parts: &'a Parts,
    /// The products of its sweeps, vertical and transposed.
    forms: &'a [Option<Arc<Forms>>; 2],
    budget: usize,
    stop: &'a Stop,
    pub(super) instructions: InstructionSet,
}

impl Halves<'_> {
    /// Both halves; `turned` are the weights of the transposed board.
    pub(super) fn count<N: Number, W: Weigh<N>>(
        &self,
        tables: &mut Tables<N>,
        weights: &W,
        turned: &W,
    ) -> Result<Sums<N>, OutOfReach> {
        let halves = split(self.problem);
        let even = matches!(halves[..], [a, b] if a.most == b.most);
        let (mut sums, board) = (Sums::zero(self.problem), self.problem.transposed());
        for half in halves {
            if half.transposed {
                // On a board that is its own transpose, as an empty square is, the other half is this one transposed.
                let same = even && board == *self.problem && weights.is_transpose(turned);
                let mirrored = || self.problem.is_mirrored() && weights.is_mirrored(self.problem);
                let turned = if same { sums.clone() } else { self.half(&board, tables, turned, half, mirrored())? };
                sums.add_transposed(&turned, self.problem);
            } else {
                let mirrored = board.is_mirrored() && turned.is_mirrored(&board);
                sums = self.half(self.problem, tables, weights, half, mirrored)?;
            }
        }
        Ok(sums)
    }

    fn half<N: Number, W: Weigh<N>>(
        &self,
        board: &Problem,
        tables: &mut Tables<N>,
        weights: &W,
        Half { transposed, most }: Half,
        mirrored: bool,
    ) -> Result<Sums<N>, OutOfReach> {
        let parts = self.parts;
        let mut cells = vec![N::ZERO; board.cells()];
        let Some(forms) = self.forms[usize::from(transposed)].as_deref() else {
            let total = Sweep { board, parts, weights, most, budget: self.budget, stop: self.stop }.count(&mut cells)?;
            return Ok(Sums { total, cells });
        };
        let open = if most == 0 { vec![] } else { open_columns(board) };
        let ready = Board {
            problem: board,
            parts,
            forms,
            weights,
            open: &open,
            mirrored,
            most,
            ships: board.ships(),
            stop: self.stop,
            instructions: self.instructions,
        };
        if ready.numbers() > self.budget {
            return Err(OutOfReach::Memory);
        }
        let total = verticals::Sweep { board: &ready, tables }.count(&mut cells);
        self.stop.check()?;
        Ok(Sums { total, cells })
    }
}

/// One half of the orientation split.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Half {
    /// Whether it is swept on the transposed board.
    pub(crate) transposed: bool,
    /// The most ships that may be vertical on its board.
    pub(crate) most: usize,
}

/// The halves that may have layouts. Few vertical ships are left in the first, few horizontal in the
/// second; no half needs room for more of them than there can be.
pub(crate) fn split(problem: &Problem) -> Vec<Half> {
    let long = || problem.classes.iter().filter(|class| class.length > 1);
    let ships: usize = long().map(|class| class.count).sum();
    let most =
        |placements: fn(&ShipClass) -> &[u64]| -> usize { long().map(|class| class.count.min(starts(placements(class)))).sum() };
    let (vertical, horizontal) = (most(|class| &class.vertical), most(|class| &class.horizontal));
    let mut halves = vec![];
    if horizontal >= ships - ships / 2 {
        halves.push(Half { transposed: false, most: vertical.min(ships / 2) });
    }
    if ships > 0 && vertical > ships / 2 {
        halves.push(Half { transposed: true, most: horizontal.min(ships - ships / 2 - 1) });
    }
    halves
}

/// The columns that may hold vertical ships.
fn open_columns(board: &Problem) -> Vec<usize> {
    let ships = board.classes.iter().filter(|ships| ships.count > 0);
    bits(ships.flat_map(|ships| &ships.vertical).fold(0, |all, mask| all | mask)).collect()
}

/// How many placements the masks allow.
fn starts(masks: &[u64]) -> usize {
    masks.iter().map(|mask| mask.count_ones() as usize).sum()
}

/// A total and the part of it that has a ship on each cell.
#[derive(Clone, Debug)]
pub(crate) struct Sums<N> {
    pub(crate) total: N,
    pub(crate) cells: Vec<N>,
}

impl<N: Number> Sums<N> {
    pub(super) fn zero(problem: &Problem) -> Self {
        Sums { total: N::ZERO, cells: vec![N::ZERO; problem.rows * problem.cols] }
    }

    /// Adds the sums of the transposed board.
    fn add_transposed(&mut self, turned: &Self, problem: &Problem) {
        self.total = self.total.plus(turned.total);
        for (at, &n) in turned.cells.iter().enumerate() {
            let (col, row) = (at / problem.rows, at % problem.rows);
            let cell = &mut self.cells[row * problem.cols + col];
            *cell = cell.plus(n);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use broadside_rules::{Call, Fleet, Grid, Length, Rules, Touch};
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    /// A board with about a fifth of the placements forbidden and a few must-cells.
    fn random(rng: &mut Xoshiro256PlusPlus, fleet: &[usize]) -> Problem {
        let (rows, cols) = (rng.random_range(5..=8), rng.random_range(5..=11));
        let fleet = Fleet::new(fleet.iter().filter_map(|&length| Length::new(length))).unwrap();
        let grid = Grid::new(rows, cols).unwrap();
        let mut problem = Problem::for_rules(&Rules::new(grid, fleet, Touch::Allowed, Call::Ship).unwrap());
        for class in &mut problem.classes {
            for mask in class.horizontal.iter_mut().chain(&mut class.vertical) {
                *mask &= rng.random::<u64>() | rng.random::<u64>() | rng.random::<u64>();
            }
        }
        for _ in 0..rng.random_range(0..=3) {
            problem.must[rng.random_range(0..rows)] |= 1 << rng.random_range(0..cols);
        }
        problem
    }

    fn fast<N: Number>(problem: &Problem, parts: &Parts, instructions: InstructionSet) -> Vec<Option<u128>> {
        let forms = Engine::new(&WorkLimits::default(), instructions).forms(problem, parts);
        let halves = Halves { problem, parts, forms: &forms, budget: usize::MAX, stop: &Stop::never(), instructions };
        let sums = halves.count::<N, _>(&mut Tables::default(), &Unweighted, &Unweighted).unwrap();
        std::iter::once(sums.total).chain(sums.cells).map(Number::exact).collect()
    }

    fn general(problem: &Problem, parts: &Parts) -> Vec<Option<u128>> {
        let mut sums: Sums<u128> = Sums::zero(problem);
        for Half { transposed, most } in split(problem) {
            let turned = problem.transposed();
            let board = if transposed { &turned } else { problem };
            let mut cells = vec![0; sums.cells.len()];
            let sweep = Sweep { board, parts, weights: &Unweighted, most, budget: usize::MAX, stop: &Stop::never() };
            let total = sweep.count(&mut cells).unwrap();
            if transposed {
                sums.add_transposed(&Sums { total, cells }, problem);
            } else {
                sums.total += total;
                sums.cells.iter_mut().zip(cells).for_each(|(to, n)| *to += n);
            }
        }
        std::iter::once(sums.total).chain(sums.cells).map(Number::exact).collect()
    }

    /// The mask with the first so many of its bits in reverse order.
    fn reversed(mask: u64, len: usize) -> u64 {
        mask.checked_shl(64 - len as u32).unwrap_or(0).reverse_bits()
    }

    /// Leaves only what is there with left and right exchanged too.
    fn mirror(problem: &mut Problem) {
        let cols = problem.cols;
        for class in &mut problem.classes {
            class.horizontal.iter_mut().for_each(|mask| *mask &= reversed(*mask, cols + 1 - class.length));
            class.vertical.iter_mut().for_each(|mask| *mask &= reversed(*mask, cols));
        }
        problem.must.iter_mut().for_each(|mask| *mask |= reversed(*mask, cols));
    }

    fn assert_all_sets_agree(problem: &Problem) {
        let parts = Engine::new(&WorkLimits::default(), InstructionSet::fastest()).parts(problem).unwrap();
        let expected = general(problem, &parts);
        for set in InstructionSet::available().into_iter().filter(|set| set.is_fused()) {
            assert_eq!(fast::<Fused>(problem, &parts, set), expected, "{set:?}");
        }
        assert_eq!(fast::<f64>(problem, &parts, InstructionSet::Portable), expected);
        assert_eq!(fast::<u128>(problem, &parts, InstructionSet::Portable), expected);
    }

    const FLEETS: [&[usize]; 5] = [&[5, 4, 3, 3, 2], &[4, 3, 2, 2, 1], &[3, 3, 3, 2], &[5, 5, 2], &[2, 1]];

    #[test]
    fn the_sweep_of_pairs_is_the_general_sweep() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
        for case in 0..60 {
            assert_all_sets_agree(&random(&mut rng, FLEETS[case % FLEETS.len()]));
        }
    }

    #[test]
    fn half_a_mirrored_board_stands_for_the_whole() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(4);
        for case in 0..25 {
            let mut problem = random(&mut rng, FLEETS[case % FLEETS.len()]);
            mirror(&mut problem);
            assert!(problem.transposed().is_mirrored());
            assert_all_sets_agree(&problem);
            // Its columns are mirrored too once rows and columns are exchanged.
            assert_all_sets_agree(&problem.transposed());
        }
    }
}
