//! The way to the solution, and hints for a player.

use broadside_rules::{Cell, Layout};

use crate::board::{Board, Sea};
use crate::deduce;
use crate::{Deduction, Grade, Mark, OutOfReach, Puzzle, Verdict};

/// How a person gets to the solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// The steps, each the easiest at its time.
    pub steps: Vec<Deduction>,
    /// The hardest grade among them; `None` when they don't reach the end, since one step of “what if” isn't enough.
    pub grade: Option<Grade>,
}

/// What helps a player.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Hint {
    /// These cells are not what the player has marked.
    Wrong(Vec<Cell>),
    /// What can be deduced next.
    Next(Deduction),
    /// No single deduction helps: this cell shows the mark.
    Look(Cell, Mark),
    /// Everything is found.
    Done,
    /// The puzzle has no solution.
    NoSolution,
    /// The puzzle has several solutions: nothing can be told of some cells.
    Several,
}

impl Puzzle {
    /// The way to the solution. The puzzle must have exactly one: otherwise the steps mean little.
    ///
    /// ```
    /// use broadside_puzzle::{Grade, Puzzle};
    /// let puzzle: Puzzle = "2,1 2,0,1 1,1,1 C3o".parse()?;
    /// let explanation = puzzle.explain();
    /// assert_eq!(explanation.grade, Some(Grade::Easy));
    /// assert_eq!(explanation.steps[0].to_string(), "C3 is a ship of one cell, which settles the cells around it: B2 B3 C2 are water");
    /// # Ok::<(), broadside_puzzle::PuzzleError>(())
    /// ```
    pub fn explain(&self) -> Explanation {
        let sea = Sea::new(self);
        let (mut board, mut steps) = (sea.start, Vec::new());
        while let Ok(Some(step)) = deduce::easiest(&sea, &board) {
            step.apply(&mut board);
            steps.push(step.deduction());
        }
        let hardest = steps.iter().map(|step| step.reason.technique().grade()).max().unwrap_or_default();
        Explanation { steps, grade: sea.is_full(&board).then_some(hardest) }
    }

    /// How hard the puzzle is; `None` when one step of “what if” isn't enough. The puzzle must have exactly one solution.
    pub fn grade(&self) -> Option<Grade> {
        let sea = Sea::new(self);
        let mut board = sea.start;
        Grade::ALL.iter().copied().find(|&grade| deduce::close(&sea, &mut board, grade).is_ok() && sea.is_full(&board))
    }

    /// What helps a player who has marked these cells, each as ship or water.
    ///
    /// # Errors
    /// When the solution takes more than so many guesses.
    pub fn hint(&self, marked: &[(Cell, bool)], guesses: u64) -> Result<Hint, OutOfReach> {
        Ok(match self.solve(guesses)? {
            Verdict::None => Hint::NoSolution,
            Verdict::Several(_) => Hint::Several,
            Verdict::Unique(solution) => self.hint_towards(&solution, marked),
        })
    }

    /// [`Puzzle::hint`] for a puzzle whose only solution is known.
    pub fn hint_towards(&self, solution: &Layout, marked: &[(Cell, bool)]) -> Hint {
        let ships = solution.cells();
        let on_board = marked.iter().filter(|(cell, _)| self.grid().contains(*cell));
        let wrong: Vec<Cell> =
            on_board.clone().filter(|&&(cell, ship)| ships.contains(cell) != ship).map(|&(cell, _)| cell).collect();
        if !wrong.is_empty() {
            return Hint::Wrong(wrong);
        }
        let sea = Sea::new(self);
        let mut board = sea.start;
        on_board.for_each(|&(cell, ship)| board.set(cell, ship));
        next_hint(&sea, &board, solution)
    }
}

fn next_hint(sea: &Sea, board: &Board, solution: &Layout) -> Hint {
    if let Ok(Some(step)) = deduce::easiest(sea, board) {
        return Hint::Next(step.deduction());
    }
    match sea.unknown(board).first() {
        Some(cell) => Hint::Look(cell, Mark::of(solution, cell)),
        None => Hint::Done,
    }
}
