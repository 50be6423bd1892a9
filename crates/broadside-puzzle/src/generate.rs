//! New puzzles.

mod draft;
mod layout;

use broadside_rules::{Call, FitError, Fleet, Grid, Layout, RejectionSampler, Rules, Touch};
use rand::Rng;

use crate::{Grade, Puzzle};
use draft::Draft;
use layout::tell_more;

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
    rules: Rules,
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
        Ok(Self { sampler: RejectionSampler::new(&rules), rules, grade })
    }

    /// A puzzle; `None` when none came up in so many attempts.
    pub fn generate(&mut self, attempts: u32, rng: &mut impl Rng) -> Option<NewPuzzle> {
        (0..attempts).find_map(|_| self.attempt(rng))
    }

    fn attempt(&mut self, rng: &mut impl Rng) -> Option<NewPuzzle> {
        let dealt = self.sampler.sequential(DEALS, rng)?;
        let solution = tell_more(&self.rules, dealt, self.grade, rng);
        Draft::new(solution, self.grade).finish(rng)
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
