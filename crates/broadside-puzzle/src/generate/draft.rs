//! A puzzle in the making: which cells of a layout are revealed.

use broadside_rules::{Cell, Layout};
use rand::Rng;
use rand::seq::SliceRandom;

use super::NewPuzzle;
use crate::board::{Board, Sea};
use crate::deduce;
use crate::solve::solutions_from;
use crate::{Grade, Mark, Puzzle};

/// Guesses to find out whether there is another solution; a layout that needs more is given up.
const GUESSES: u64 = 50;

pub(super) struct Draft {
    solution: Layout,
    revealed: Vec<Cell>,
    grade: Grade,
    /// The puzzle without a revealed cell.
    bare: Sea,
}

impl Draft {
    pub(super) fn new(solution: Layout, grade: Grade) -> Self {
        let bare = Puzzle::from_layout(&solution, []).expect("a board of a puzzle's size");
        Self { bare: Sea::new(&bare), solution, revealed: Vec::new(), grade }
    }

    /// The puzzle, if one of the grade that needs every revealed cell comes out.
    pub(super) fn finish(mut self, rng: &mut impl Rng) -> Option<NewPuzzle> {
        self.reveal_until_solved(rng);
        self.leave_out_what_the_rules_spare(rng);
        if !self.leave_out_what_is_superfluous() || !self.has_grade() {
            return None;
        }
        let puzzle = Puzzle::from_layout(&self.solution, self.revealed).expect("cells of the board, each once");
        Some(NewPuzzle { puzzle, solution: self.solution })
    }

    /// The grade whose deductions choose the revealed cells. Those of experts take long: expert puzzles begin as hard ones
    /// and lose the revealed cells that are not needed for one solution.
    fn rules(&self) -> Grade {
        self.grade.min(Grade::Hard)
    }

    fn reveal(&self, sea: &mut Sea, cell: Cell) {
        sea.reveal(cell, Mark::of(&self.solution, cell));
    }

    /// The puzzle without one of the revealed cells, if one is named.
    fn sea_without(&self, hidden: Option<Cell>) -> Sea {
        let mut sea = self.bare.clone();
        self.revealed.iter().filter(|&&cell| Some(cell) != hidden).for_each(|&cell| self.reveal(&mut sea, cell));
        sea
    }

    /// Reveals cells until the deductions lead to the solution.
    fn reveal_until_solved(&mut self, rng: &mut impl Rng) {
        let (mut sea, mut board) = (self.bare.clone(), Board::EMPTY);
        loop {
            close(&sea, &mut board, self.rules());
            let Some(cell) = self.most_telling_cell(&sea, &board, rng) else { return };
            self.revealed.push(cell);
            self.reveal(&mut sea, cell);
            board = board.union(&sea.start);
        }
    }

    /// Of some open cells, the one that leads on the farthest when it is revealed.
    fn most_telling_cell(&self, sea: &Sea, board: &Board, rng: &mut impl Rng) -> Option<Cell> {
        let mut open = sea.unknown(board).cells();
        open.shuffle(rng);
        open.truncate(self.candidates());
        open.into_iter().min_by_key(|&cell| {
            let mut sea = sea.clone();
            self.reveal(&mut sea, cell);
            let mut board = board.union(&sea.start);
            close(&sea, &mut board, self.rules());
            sea.room(&board)
        })
    }

    /// How many cells are tried: the fewer are revealed, the more likely it is that all of them are needed. Where few
    /// puzzles need much thought, there is no hurry to tell much.
    const fn candidates(&self) -> usize {
        match self.grade {
            Grade::Easy => 40,
            Grade::Medium | Grade::Hard => 20,
            Grade::Expert => 5,
        }
    }

    /// Leaves out revealed cells that the deductions don't need. One pass is enough: with fewer cells, none that was needed
    /// becomes superfluous.
    fn leave_out_what_the_rules_spare(&mut self, rng: &mut impl Rng) {
        self.revealed.shuffle(rng);
        for cell in self.revealed.clone() {
            let sea = self.sea_without(Some(cell));
            if is_solved(&sea, self.rules()) {
                self.revealed.retain(|&other| other != cell);
            }
        }
    }

    /// Leaves out revealed cells without which there is still one solution. False if that is too much to search for, or
    /// would leave a puzzle harder than the grade.
    fn leave_out_what_is_superfluous(&mut self) -> bool {
        for cell in self.revealed.clone() {
            match self.has_several_without(cell) {
                Some(true) => {}
                Some(false) if self.grade == Grade::Expert => self.revealed.retain(|&other| other != cell),
                Some(false) | None => return false,
            }
        }
        true
    }

    /// Whether there would be several solutions without this revealed cell. `None` if that is too much to search for.
    fn has_several_without(&self, cell: Cell) -> Option<bool> {
        let sea = self.sea_without(Some(cell));
        let mut board = sea.start;
        close(&sea, &mut board, Grade::Hard);
        let is_ship = Mark::of(&self.solution, cell) != Mark::Water;
        // A solution in which the cell is the opposite is sought first: it is soon found, or soon ruled out.
        if !board.knows(cell) {
            let mut opposite = board;
            opposite.set(cell, !is_ship);
            if !solutions_from(&sea, &opposite, 1, GUESSES).ok()?.is_empty() {
                return Some(true);
            }
            board.set(cell, is_ship);
        }
        // A ship cell may still be another part of a ship.
        Some(is_ship && solutions_from(&sea, &board, 2, GUESSES).ok()?.len() > 1)
    }

    /// Whether the deductions of the grade are enough, and those of the grade below are not.
    fn has_grade(&self) -> bool {
        let sea = self.sea_without(None);
        let below = Grade::ALL.iter().rev().copied().find(|&grade| grade < self.grade);
        !below.is_some_and(|below| is_solved(&sea, below)) && is_solved(&sea, self.grade)
    }
}

/// Takes all steps up to a grade, of a puzzle that has a solution.
fn close(sea: &Sea, board: &mut Board, grade: Grade) {
    deduce::close(sea, board, grade).expect("the layout is a solution");
}

fn is_solved(sea: &Sea, grade: Grade) -> bool {
    let mut board = sea.start;
    close(sea, &mut board, grade);
    sea.is_full(&board)
}
