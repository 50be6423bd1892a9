//! Weighted sums over the parts of a problem.

use super::branch::covered;
use super::engine::{Engine, Sums, Tally};
use super::listing::list;
use super::weights::Place;
use crate::problem::ShipPosition;
use crate::transfer::weights::WeightTable;
use crate::{OutOfReach, PlacementWeights, Problem, WeightedCounts};

/// The weight of layouts while it is being added up.
pub(super) struct WeightSums<'a> {
    problem: &'a Problem,
    weights: &'a PlacementWeights,
    /// The weights as sweeps look them up, of the board and of its transpose; made for the first sweep.
    tables: Option<[WeightTable; 2]>,
    sums: Sums<f64>,
}

impl<'a> WeightSums<'a> {
    pub(super) fn new(problem: &'a Problem, weights: &'a PlacementWeights) -> Self {
        Self { problem, weights, tables: None, sums: Sums::zero(problem) }
    }

    /// What was added up.
    pub(super) fn counts(self) -> WeightedCounts {
        WeightedCounts::new(self.problem.grid(), self.sums.total, self.sums.cells)
    }

    fn weight(&self, Place { class, vertical, row, col }: Place) -> f64 {
        let ship = ShipPosition { length: self.problem.classes[class].length, row, col, vertical };
        ship.placement().map_or(0.0, |ship| self.weights.get(ship))
    }

    /// Adds the weight of layouts, of those with a ship on each cell, and the ships that are placed in all of them.
    fn add(&mut self, layouts: f64, cells: impl Iterator<Item = f64>, placed: &[Place]) {
        let weight: f64 = placed.iter().map(|&place| self.weight(place)).product();
        self.sums.total += weight * layouts;
        self.sums.cells.iter_mut().zip(cells).for_each(|(to, cell)| *to += weight * cell);
        for cell in placed.iter().flat_map(|&place| covered(self.problem, place)) {
            self.sums.cells[cell] += weight * layouts;
        }
    }
}

impl Tally for WeightSums<'_> {
    fn add_listed(&mut self, problem: &Problem, placed: &[Place]) -> Result<bool, OutOfReach> {
        let listed = list(problem, |place| self.weight(place));
        let Some((layouts, cells)) = listed else { return Ok(false) };
        self.add(layouts, cells.into_iter(), placed);
        Ok(true)
    }

    fn add_swept(&mut self, engine: &mut Engine, problem: &Problem, placed: &[Place]) -> Result<(), OutOfReach> {
        let tables = self.tables.take().unwrap_or_else(|| {
            let table = WeightTable::of(self.problem, self.weights);
            let turned = table.transposed(&self.problem.transposed());
            [table, turned]
        });
        let [weights, turned] = &tables;
        engine.sweep(problem, |halves, room| {
            if halves.instructions.is_fused() {
                let sums = halves.count(&mut room.fused, weights, turned)?;
                self.add(sums.total.0, sums.cells.into_iter().map(f64::from), placed);
            } else {
                let sums = halves.count(&mut room.plain, weights, turned)?;
                self.add(sums.total, sums.cells.into_iter(), placed);
            }
            Ok(())
        })?;
        self.tables = Some(tables);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use broadside_rules::{Cell, Grid, Rules};
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::super::listing;
    use super::*;
    use crate::WorkLimits;
    use crate::transfer::InstructionSet;

    const BOARDS: [&str; 6] = [
        "4x4 3,2 allowed ship",
        "5x5 3,2,2 allowed ship",
        "4x5 2,2,2,1 allowed ship",
        "5x4 4,2,1 allowed ship",
        "6x6 3,3 allowed ship",
        "3x3 2,2 allowed ship",
    ];

    /// The number of a cell that stands for all that some of the board's symmetries take to it.
    fn representative(grid: Grid, cell: Cell, symmetries: u32) -> usize {
        let (row, col, rows, cols) = (cell.row(), cell.col(), grid.rows(), grid.cols());
        let col = if symmetries & 1 != 0 { col.min(cols - 1 - col) } else { col };
        let row = if symmetries & 2 != 0 { row.min(rows - 1 - row) } else { row };
        if symmetries & 4 != 0 && rows == cols { row.min(col) * cols + row.max(col) } else { row * cols + col }
    }

    /// Weights that are a product over cells, with some symmetries; large ones too, past the integers that `f64` holds.
    fn symmetric_weights(rules: &Rules, rng: &mut Xoshiro256PlusPlus, symmetries: u32) -> PlacementWeights {
        let most = if rng.random() { 3.0 } else { 1e6 };
        let factors: Vec<f64> = rules.grid().cells().map(|_| rng.random_range(0.0..most)).collect();
        PlacementWeights::from_cells(rules, |cell| factors[representative(rules.grid(), cell, symmetries)])
    }

    fn swept(problem: &Problem, weights: &PlacementWeights, instructions: InstructionSet) -> Sums<f64> {
        let mut sums = WeightSums::new(problem, weights);
        sums.add_swept(&mut Engine::new(&WorkLimits::default(), instructions), problem, &[]).unwrap();
        sums.sums
    }

    #[test]
    fn sweeps_weigh_what_a_listing_does_whatever_the_symmetries() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
        for case in 0..600 {
            let rules: Rules = BOARDS[case % BOARDS.len()].parse().unwrap();
            let weights = symmetric_weights(&rules, &mut rng, case as u32 / 6 % 8);
            let mut problem = Problem::for_rules(&rules);
            if case % 4 == 0 {
                // A hit that must be covered.
                problem.must[rng.random_range(0..problem.rows)] |= 1 << rng.random_range(0..problem.cols);
            }
            let lookup = WeightSums::new(&problem, &weights);
            let (total, cells) = listing::list_all(&problem, |place| lookup.weight(place));
            for set in InstructionSet::available() {
                let sums = swept(&problem, &weights, set);
                let close = |a: f64, b: f64| (a - b).abs() <= 1e-12 * total;
                assert!(close(sums.total, total), "{rules}, {set:?}: {} for {total}", sums.total);
                assert!(sums.cells.iter().zip(&cells).all(|(&a, &b)| close(a, b)), "{rules}, {set:?}, case {case}");
            }
        }
    }
}
