//! Answers shots at a hidden layout.

use crate::{Answer, Cell, CellSet, GameRecord, Layout, Rules, Shot, ShotLog};

/// Owns the secret layout of one side, answers the shots at it and knows when the game is over.
///
/// The shooter sees [`Referee::log`] and nothing else.
///
/// ```
/// use broadside_rules::{Draft, Referee, Rules};
/// let rules: Rules = "3x3 2 allowed ship".parse()?;
/// let layout = "B2-B3".parse::<Draft>()?.check(&rules).into_layout().expect("a legal board");
/// let mut referee = Referee::new(&rules, layout);
/// for cell in ["A1", "B2", "B3"] {
///     referee.fire(cell.parse()?)?;
/// }
/// assert!(referee.is_over());
/// assert_eq!(referee.log().to_string(), "A1- B2+ B3#2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Referee {
    layout: Layout,
    log: ShotLog,
    /// For each cell in reading order, the number of the ship on it, from 1; 0 is water, [`FIRED`] was fired at,
    /// [`ROCK`] is a rock.
    ship_at: Vec<u8>,
    /// For each ship, how many of its cells are not yet hit.
    unhit_cells: Vec<u8>,
}

/// Marks a cell that was fired at: no fleet has so many ships.
const FIRED: u8 = u8::MAX;

/// Marks a rock.
const ROCK: u8 = FIRED - 1;

/// A shot that is not allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FireError {
    /// The cell is not on the board.
    #[error("{0} is off the board")]
    OffGrid(Cell),
    /// There is a rock on the cell.
    #[error("{0} is a rock, and nobody fires there")]
    Rock(Cell),
    /// The cell was fired at before.
    #[error("{0} was fired at already")]
    Repeated(Cell),
    /// All ships are sunk.
    #[error("the game is over")]
    Over,
}

impl Referee {
    /// A game in which nobody has fired yet. The layout must be legal under the rules, as one checked or dealt by them is.
    ///
    /// # Panics
    /// When the layout is of another grid or fleet.
    pub fn new(rules: &Rules, layout: Layout) -> Self {
        let mut referee = Self {
            ship_at: vec![0; rules.grid().len()],
            unhit_cells: Vec::new(),
            log: ShotLog::new(rules),
            layout: layout.clone(),
        };
        referee.restart(layout);
        referee
    }

    /// Starts a new game by the same rules, keeping the memory of the old one.
    ///
    /// # Panics
    /// When the layout is of another grid or fleet, or a ship lies on a rock.
    pub fn restart(&mut self, layout: Layout) {
        let rules = self.log.rules();
        assert_eq!(layout.grid(), rules.grid(), "a layout of another grid");
        assert!(layout.lengths().eq(rules.fleet().lengths().iter().copied()), "a layout of another fleet");
        self.ship_at.fill(0);
        self.unhit_cells.clear();
        for (number, ship) in (1..).zip(layout.ships()) {
            self.unhit_cells.push(ship.length().get() as u8);
            ship.cells().for_each(|cell| self.ship_at[layout.grid().index(cell)] = number);
        }
        for cell in rules.rocks().into_iter().flat_map(CellSet::iter) {
            let rock = std::mem::replace(&mut self.ship_at[layout.grid().index(cell)], ROCK);
            assert_eq!(rock, 0, "a ship on a rock");
        }
        self.layout = layout;
        self.log.clear();
    }

    /// Answers a shot.
    ///
    /// # Errors
    /// When the cell is off the board, a rock or was fired at before, or the game is over.
    #[inline]
    pub fn fire(&mut self, cell: Cell) -> Result<Answer, FireError> {
        let grid = self.log.rules().grid();
        if !grid.contains(cell) {
            return Err(FireError::OffGrid(cell));
        }
        let index = grid.index(cell);
        let answer = match self.ship_at[index] {
            FIRED => return Err(FireError::Repeated(cell)),
            ROCK => return Err(FireError::Rock(cell)),
            _ if self.is_over() => return Err(FireError::Over),
            0 => Answer::Miss,
            number => self.hit(usize::from(number) - 1),
        };
        self.ship_at[index] = FIRED;
        self.log.record(Shot { cell, answer }, index);
        Ok(answer)
    }

    fn hit(&mut self, ship: usize) -> Answer {
        self.unhit_cells[ship] -= 1;
        Answer::for_hit(self.log.rules().call(), self.layout.ships()[ship].length(), self.unhit_cells[ship] == 0)
    }

    /// What the shooter may know.
    pub fn log(&self) -> &ShotLog {
        &self.log
    }

    /// Whether all ships are sunk.
    #[inline]
    pub fn is_over(&self) -> bool {
        self.log.is_over()
    }

    /// Ends the game and returns its record, with the layout.
    pub fn into_record(self) -> GameRecord {
        GameRecord::from_play(self.layout, self.log)
    }
}
