//! New puzzles.

use broadside_rules::{Call, Cell, FitError, Fleet, Grid, Layout, RejectionSampler, Rules, Touch};
use rand::Rng;
use rand::seq::SliceRandom;

use crate::board::{Board, Sea};
use crate::deduce;
use crate::solve::solutions;
use crate::{Grade, Puzzle};

/// Makes puzzles of a size and a grade.
///
/// Each has exactly one solution, has exactly that grade, and has no revealed cell too many: without any one of them there
/// would be several solutions.
///
/// ```
/// use broadside_puzzle::{Generator, Grade};
/// use rand::SeedableRng;
/// let mut generator = Generator::new("6x6".parse()?, None, Grade::Easy)?;
/// let mut rng = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(1);
/// let made = generator.generate(100_000, &mut rng).expect("a puzzle comes up");
/// assert_eq!(made.puzzle.grade(), Some(Grade::Easy));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Generator {
    sampler: RejectionSampler,
    grade: Grade,
}

/// A new puzzle with its solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewPuzzle {
    /// The puzzle.
    pub puzzle: Puzzle,
    /// Its only solution.
    pub solution: Layout,
}

/// There are no puzzles like that.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GenerateError {
    /// The board is too small or too large.
    #[error("new puzzles have {min} to {max} rows and columns, not {0}", min = Generator::MIN_SIDE, max = Generator::MAX_SIDE)]
    Size(Grid),
    /// The fleet doesn't fit.
    #[error("the fleet can't be placed: choose a larger board or a smaller fleet")]
    Fleet(#[from] FitError),
}

/// Attempts to place a fleet; those that people use fit at once.
const DEALS: u32 = 1_000;

/// Guesses to find out whether there is one solution; a layout that needs more is given up.
const GUESSES: u64 = 200;

impl Generator {
    /// The smallest side of a new puzzle.
    pub const MIN_SIDE: usize = 6;
    /// The largest side of a new puzzle.
    pub const MAX_SIDE: usize = 15;

    /// A generator for this size, fleet and grade. Without a fleet it is the customary one.
    ///
    /// # Errors
    /// When a side is not from [`Generator::MIN_SIDE`] to [`Generator::MAX_SIDE`], or the fleet doesn't fit.
    pub fn new(grid: Grid, fleet: Option<Fleet>, grade: Grade) -> Result<Self, GenerateError> {
        let sides = Self::MIN_SIDE..=Self::MAX_SIDE;
        if !sides.contains(&grid.rows()) || !sides.contains(&grid.cols()) {
            return Err(GenerateError::Size(grid));
        }
        let fleet = fleet.unwrap_or_else(|| customary_fleet(grid));
        let rules = Rules::new(grid, fleet, Touch::Never, Call::Ship)?;
        Ok(Self { sampler: RejectionSampler::new(&rules), grade })
    }

    /// A puzzle; `None` when none came up in so many attempts.
    pub fn generate(&mut self, attempts: u32, rng: &mut impl Rng) -> Option<NewPuzzle> {
        (0..attempts).find_map(|_| self.attempt(rng))
    }

    fn attempt(&mut self, rng: &mut impl Rng) -> Option<NewPuzzle> {
        let solution = self.sampler.sequential(DEALS, rng)?;
        let mut draft = Draft { solution, revealed: Vec::new(), grade: self.grade };
        draft.reveal_until_solved(rng);
        draft.remove_superfluous(rng);
        let is_good = !draft.is_easier() && draft.needs_all_revealed();
        is_good.then(|| NewPuzzle { puzzle: draft.puzzle(), solution: draft.solution })
    }
}

/// A puzzle in the making.
struct Draft {
    solution: Layout,
    revealed: Vec<Cell>,
    grade: Grade,
}

impl Draft {
    fn puzzle(&self) -> Puzzle {
        Puzzle::from_layout(&self.solution, self.revealed.iter().copied()).expect("cells of the board, each once")
    }

    fn sea(&self) -> Sea {
        Sea::new(&self.puzzle())
    }

    /// What the deductions of the grade find from here.
    fn close(&self, sea: &Sea, board: &Board) -> Board {
        let mut board = board.union(&sea.start);
        deduce::close(sea, &mut board, self.grade).expect("the layout is a solution");
        board
    }

    /// Reveals cells until the deductions of the grade lead to the solution.
    fn reveal_until_solved(&mut self, rng: &mut impl Rng) {
        let (mut sea, mut board) = (self.sea(), Board::EMPTY);
        loop {
            board = self.close(&sea, &board);
            let Some(cell) = self.most_telling_cell(&sea, &board, rng) else { return };
            self.revealed.push(cell);
            sea = self.sea();
        }
    }

    /// Of some open cells, the one that leads on the farthest when it is revealed.
    fn most_telling_cell(&mut self, sea: &Sea, board: &Board, rng: &mut impl Rng) -> Option<Cell> {
        let mut open = sea.unknown(board).cells();
        open.shuffle(rng);
        open.truncate(self.candidates());
        open.into_iter().min_by_key(|&cell| {
            self.revealed.push(cell);
            let sea = self.sea();
            let left = sea.room(&self.close(&sea, board));
            self.revealed.pop();
            left
        })
    }

    /// How many cells are tried: the fewer are revealed, the more likely it is that all of them are needed. Where few
    /// puzzles need much thought, there is no hurry to tell much.
    const fn candidates(&self) -> usize {
        match self.grade {
            Grade::Easy => 40,
            Grade::Medium => 20,
            Grade::Hard => 4,
            Grade::Expert => 1,
        }
    }

    /// Leaves out revealed cells that the deductions of the grade don't need. One pass is enough: with fewer cells, none
    /// that was needed becomes superfluous.
    fn remove_superfluous(&mut self, rng: &mut impl Rng) {
        self.revealed.shuffle(rng);
        let mut index = 0;
        while index < self.revealed.len() {
            let cell = self.revealed.remove(index);
            let sea = self.sea();
            if !sea.is_full(&self.close(&sea, &Board::EMPTY)) {
                self.revealed.insert(index, cell);
                index += 1;
            }
        }
    }

    /// Whether the deductions of the grade below are enough.
    fn is_easier(&self) -> bool {
        let Some(below) = Grade::ALL.iter().rev().copied().find(|&grade| grade < self.grade) else { return false };
        let sea = self.sea();
        let mut board = sea.start;
        deduce::close(&sea, &mut board, below).is_ok() && sea.is_full(&board)
    }

    /// Whether there would be several solutions without any one of the revealed cells.
    fn needs_all_revealed(&self) -> bool {
        let puzzle = self.puzzle();
        let several = |cell: Cell| solutions(&Sea::new(&puzzle.without(cell)), 2, GUESSES).is_ok_and(|found| found.len() > 1);
        self.revealed.iter().all(|&cell| several(cell))
    }
}

/// The fleet that people use for a board of about this size.
pub(crate) fn customary_fleet(grid: Grid) -> Fleet {
    let fleet = match grid.len() {
        0..=42 => "3,2,2,1,1,1",
        43..=63 => "4,3,2,2,1,1,1",
        64..=80 => "4,3,3,2,2,1,1,1",
        81..=120 => "4,3,3,2,2,2,1,1,1,1",
        121..=168 => "5,4,3,3,2,2,2,1,1,1,1",
        _ => "5,4,4,3,3,3,2,2,2,2,1,1,1,1,1",
    };
    fleet.parse().expect("a fleet")
}
