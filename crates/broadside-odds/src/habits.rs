//! Habits of hiders, as weights of placements.

use broadside_rules::{Cell, Grid, Placement, Rules, Symmetry};

use crate::PlacementWeights;

/// How much more likely people are to cover a cell than chance, by where it lies. A placement weighs the product over its cells.
///
/// The factors are those with which the exact expected counts on the classic board are the published ones: over 56,837 games of
/// the data published at <https://github.com/cliambrown/battleship-data> people put 6.77 of their 17 ship cells on the edge (4.99
/// if all layouts were equally likely), 0.71 into the corners (0.32) and 2.45 onto the central 16 cells (3.34).
struct CellFactors {
    corner: f64,
    edge: f64,
    /// At least three cells from the edge.
    centre: f64,
}

const PEOPLE: CellFactors = CellFactors { corner: 2.216, edge: 1.097, centre: 0.891 };

/// So many cells lie between a central cell and the edge.
const CENTRE_DEPTH: usize = 3;

/// Weights that differ by less than this share of them are taken to be the same.
const ROUNDED: f64 = 1e-9;

impl CellFactors {
    fn of_cell(&self, grid: Grid, cell: Cell) -> f64 {
        let depth = |at: usize, side: usize| at.min(side - 1 - at);
        let (row, col) = (depth(cell.row(), grid.rows()), depth(cell.col(), grid.cols()));
        match (row, col) {
            (0, 0) => self.corner,
            (0, _) | (_, 0) => self.edge,
            (row, col) if row.min(col) >= CENTRE_DEPTH => self.centre,
            _ => 1.0,
        }
    }
}

impl PlacementWeights {
    /// Weights that are a product over the cells of a placement.
    ///
    /// ```
    /// use broadside_odds::PlacementWeights;
    /// let rules = "1x3 2 allowed ship".parse()?;
    /// let weights = PlacementWeights::from_cells(&rules, |cell| if cell.col() == 0 { 3.0 } else { 1.0 });
    /// assert_eq!(weights.get("A1-A2".parse()?), 3.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_cells(rules: &Rules, factor: impl Fn(Cell) -> f64) -> Self {
        let mut weights = Self::uniform();
        for (length, _) in rules.fleet().classes() {
            for ship in rules.placements(length) {
                weights.set(ship, ship.cells().map(&factor).product());
            }
        }
        weights
    }

    /// Whether placements that a symmetry takes to each other have the same weight, but for what was rounded.
    ///
    /// ```
    /// use broadside_odds::PlacementWeights;
    /// use broadside_rules::{Rules, Symmetry};
    /// let rules: Rules = "1x3 2 allowed ship".parse()?;
    /// let kept = |weights: PlacementWeights| Symmetry::all(rules.grid()).filter(|&way| weights.is_kept_by(way, &rules)).count();
    /// assert_eq!(kept(PlacementWeights::uniform()), 4);
    /// // Nothing that takes the left end to the right one.
    /// assert_eq!(kept(PlacementWeights::parse(&rules, "A1-A2 3")?), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn is_kept_by(&self, way: Symmetry, rules: &Rules) -> bool {
        let alike = |ship: Placement| {
            let (one, other) = (self.get(ship), self.get(way.placement(ship)));
            (one - other).abs() <= ROUNDED * one.max(other)
        };
        rules.fleet().classes().all(|(length, _)| rules.placements(length).all(alike))
    }

    /// How people hide on average, from published counts: along the edges and in the corners, away from the centre.
    ///
    /// ```
    /// use broadside_odds::PlacementWeights;
    /// use broadside_rules::Preset;
    /// let people = PlacementWeights::people(&Preset::Classic.rules());
    /// let [edge, centre] = ["A1-A2".parse()?, "E5-E6".parse()?].map(|ship| people.get(ship));
    /// assert!(edge > centre);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn people(rules: &Rules) -> Self {
        Self::from_cells(rules, |cell| PEOPLE.of_cell(rules.grid(), cell))
    }

    /// Twice as likely for every cell on the edge.
    pub fn edges(rules: &Rules) -> Self {
        let (rows, cols) = (rules.grid().rows(), rules.grid().cols());
        let is_edge = |cell: Cell| cell.row().is_multiple_of((rows - 1).max(1)) || cell.col().is_multiple_of((cols - 1).max(1));
        Self::from_cells(rules, |cell| if is_edge(cell) { 2.0 } else { 1.0 })
    }
}

#[cfg(test)]
mod tests {
    use broadside_rules::{Preset, ShotLog};

    use super::*;
    use crate::{Budget, Transfer};

    #[test]
    fn people_cover_corners_edges_and_centre_as_often_as_was_published() {
        let rules = Preset::Classic.rules();
        let log = ShotLog::new(&rules);
        let weighed = Transfer::new(Budget::default()).weigh(&log, &PlacementWeights::people(&rules)).unwrap();
        let share = |wanted: fn(usize, usize) -> bool| {
            let cells = rules.grid().cells().filter(|cell| wanted(cell.row(), cell.col()));
            cells.map(|cell| weighed.chance(cell)).sum::<f64>()
        };
        let edge = |row: usize, col: usize| row.is_multiple_of(9) || col.is_multiple_of(9);
        let corner = |row: usize, col: usize| row.is_multiple_of(9) && col.is_multiple_of(9);
        let centre = |row: usize, col: usize| (3..7).contains(&row) && (3..7).contains(&col);
        let shares = [share(edge), share(corner), share(centre)];
        for (share, published) in shares.into_iter().zip([6.77, 0.71, 2.45]) {
            assert!((share - published).abs() < 0.01, "{shares:?}");
        }
    }
}
