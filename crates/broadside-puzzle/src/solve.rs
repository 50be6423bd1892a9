//! How many solutions a puzzle has.

use broadside_rules::{Draft, Layout, Placement, Rules};

use crate::Puzzle;
use crate::board::{Board, Cells, Sea, Stretch};
use crate::deduce::{self, Grade};

/// How many solutions a puzzle has, and which.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// None: what it says can't be.
    None,
    /// One, as a puzzle should have.
    Unique(Layout),
    /// Several, of which these are two.
    Several(Box<[Layout; 2]>),
}

/// The search took more steps than it was allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the puzzle takes more than {steps} guesses to decide: reveal more of it, or allow more")]
pub struct OutOfReach {
    /// How many were allowed.
    pub steps: u64,
}

impl Puzzle {
    /// Guesses that are enough for any puzzle that people print, by far.
    pub const ENOUGH: u64 = 1_000_000;

    /// How many solutions there are: none, one, or several.
    ///
    /// ```
    /// use broadside_puzzle::{Puzzle, Verdict};
    /// let puzzle: Puzzle = "2,1 2,0,1 1,1,1 C3o".parse()?;
    /// assert!(matches!(puzzle.solve(Puzzle::ENOUGH)?, Verdict::Unique(layout) if layout.to_string() == "A1-A2 C3"));
    /// let open: Puzzle = "1 ?,? ?,?".parse()?;
    /// assert!(matches!(open.solve(Puzzle::ENOUGH)?, Verdict::Several(_)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When that takes more than so many guesses.
    pub fn solve(&self, guesses: u64) -> Result<Verdict, OutOfReach> {
        let mut found = self.solutions(2, guesses)?.into_iter();
        Ok(match (found.next(), found.next()) {
            (None, _) => Verdict::None,
            (Some(only), None) => Verdict::Unique(only),
            (Some(first), Some(second)) => Verdict::Several(Box::new([first, second])),
        })
    }

    /// The solutions, up to so many of them.
    ///
    /// # Errors
    /// When that takes more than so many guesses.
    pub fn solutions(&self, most: usize, guesses: u64) -> Result<Vec<Layout>, OutOfReach> {
        let sea = Sea::new(self);
        let found = solutions(&sea, most, guesses)?;
        Ok(found.iter().map(|ships| self.layout(ships)).collect())
    }

    /// The layout of these ship cells, which are a solution.
    pub(crate) fn layout(&self, ships: &Cells) -> Layout {
        // A solution is the proof that the fleet fits, so there is no need to search for one.
        let rules =
            Rules::from_stored(&format!("{} {} never ship", self.grid(), self.fleet())).expect("rules as they are printed");
        Draft::Ships(ships_of(ships)).check(&rules).into_layout().expect("a solution is legal")
    }
}

/// The ships that cover these cells: neighbours belong together, since ships never touch.
fn ships_of(cells: &Cells) -> Vec<Placement> {
    let is_first = |&(row, column): &(usize, usize)| {
        let before = |axis: usize, line: usize, place: usize| place > 0 && cells.contains(axis, line, place - 1);
        !before(0, row, column) && !before(1, column, row)
    };
    let ship = |(row, column): (usize, usize)| {
        let run = |axis: usize, line: usize, place: usize| (cells.line(axis, line) >> place).trailing_ones() as usize;
        match (run(0, row, column), run(1, column, row)) {
            (len, 1) => Stretch { axis: 0, line: row, start: column, len }.ship(),
            (_, len) => Stretch { axis: 1, line: column, start: row, len }.ship(),
        }
    };
    cells.iter().filter(is_first).map(ship).collect()
}

/// The ship cells of up to so many solutions.
pub(crate) fn solutions(sea: &Sea, most: usize, guesses: u64) -> Result<Vec<Cells>, OutOfReach> {
    solutions_from(sea, &sea.start, most, guesses)
}

/// The ship cells of up to so many solutions in which this is known already.
pub(crate) fn solutions_from(sea: &Sea, board: &Board, most: usize, guesses: u64) -> Result<Vec<Cells>, OutOfReach> {
    let mut search = Search { sea, most, left: guesses, found: Vec::new() };
    if search.run(*board) { Ok(search.found) } else { Err(OutOfReach { steps: guesses }) }
}

struct Search<'a> {
    sea: &'a Sea,
    most: usize,
    left: u64,
    found: Vec<Cells>,
}

impl Search<'_> {
    /// Deduces what it can, then tries both ways with an open cell. Whether the guesses were enough.
    fn run(&mut self, mut board: Board) -> bool {
        if deduce::close(self.sea, &mut board, Grade::Hard).is_err() {
            return true;
        }
        let Some((row, column)) = deduce::most_wanted_cell(self.sea, &board) else {
            self.found.push(board.ship);
            return true;
        };
        if self.left == 0 {
            return false;
        }
        self.left -= 1;
        let (mut ship, mut water) = (board, board);
        ship.ship.insert(0, row, column);
        water.water.insert(0, row, column);
        [ship, water].into_iter().all(|guess| self.found.len() >= self.most || self.run(guess))
    }
}
