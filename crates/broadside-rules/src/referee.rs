//! Answers shots at a hidden layout.

use crate::{Answer, Cell, CellSet, GameRecord, Layout, Noise, Rules, SalvoCall, Shot, ShotLog, TurnCall};

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
    /// Where answers come after the turn, those to all shots so far; else nothing.
    answers: Vec<Answer>,
    /// Decides which answers are false, where some are.
    noise_seed: u64,
    /// Whether every answer is true and told at once.
    is_plain: bool,
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
    /// The cell was fired at as often as it may be where answers may be false.
    #[error("{0} was fired at {most} times already", most = Noise::MOST_SHOTS_AT_CELL)]
    TooOften(Cell),
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
            answers: Vec::new(),
            noise_seed: 0,
            is_plain: rules.noise().is_none() && !rules.salvo().withholds(),
            log: ShotLog::new(rules),
            layout: layout.clone(),
        };
        referee.restart(layout);
        referee
    }

    /// The same with another secret number, which decides by the rules of [`Noise`] which answers are false. It is 0 until somebody sets
    /// it, and then all games have the same false answers.
    ///
    /// ```
    /// use broadside_rules::{Draft, Referee, Rules};
    /// let rules: Rules = "3x3 2 allowed silent noise=0.4".parse()?;
    /// let layout = "B2-B3".parse::<Draft>()?.check(&rules).into_layout().expect("a legal board");
    /// let hits = |seed| {
    ///     let mut referee = Referee::new(&rules, layout.clone()).with_noise_seed(seed);
    ///     referee.fire("A1".parse().expect("a cell")).expect("allowed").is_hit()
    /// };
    /// assert!((0..100).any(|seed| hits(seed)) && (0..100).any(|seed| !hits(seed)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_noise_seed(self, seed: u64) -> Self {
        Self { noise_seed: seed, ..self }
    }

    /// Sets the secret number of [`Referee::with_noise_seed`].
    pub fn set_noise_seed(&mut self, seed: u64) {
        self.noise_seed = seed;
    }

    /// Starts a new game by the same rules, keeping the memory of the old one, and the secret number that decides which answers are false.
    ///
    /// # Panics
    /// When the layout is of another grid or fleet, or a ship lies on a rock.
    pub fn restart(&mut self, layout: Layout) {
        let rules = self.log.rules();
        assert_eq!(layout.grid(), rules.grid(), "a layout of another grid");
        assert!(layout.lengths().eq(rules.fleet().lengths().iter().copied()), "a layout of another fleet");
        self.ship_at.fill(0);
        self.unhit_cells.clear();
        self.answers.clear();
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

    /// Answers a shot. Where answers come after the turn, it is [`Answer::Untold`] until the turn is over; then the log has
    /// the answers to all its shots, or how many of them hit. Shots of the turn after the one that sinks the whole fleet don't
    /// count: they leave the log.
    ///
    /// ```
    /// use broadside_rules::{Answer, Draft, Referee, Rules};
    /// let rules: Rules = "3x3 2 allowed ship salvo=2".parse()?;
    /// let layout = "B2-B3".parse::<Draft>()?.check(&rules).into_layout().expect("a legal board");
    /// let mut referee = Referee::new(&rules, layout);
    /// assert_eq!(referee.fire("B2".parse()?)?, Answer::Untold);
    /// assert_eq!(referee.log().to_string(), "B2?");
    /// assert_eq!(referee.fire("C1".parse()?)?, Answer::Miss);
    /// assert_eq!(referee.log().to_string(), "B2+ C1-");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the cell is off the board, a rock or was fired at before (where answers may be false: too often), or the game is over.
    #[inline]
    pub fn fire(&mut self, cell: Cell) -> Result<Answer, FireError> {
        if !self.is_plain {
            return self.fire_by_variant(cell);
        }
        let (index, answer) = self.meet(cell)?;
        self.log.record_true(Shot { cell, answer }, index);
        Ok(answer)
    }

    /// Answers a shot where answers may be false or come after the turn. Apart, so that the plain game doesn't pay for it.
    #[inline(never)]
    fn fire_by_variant(&mut self, cell: Cell) -> Result<Answer, FireError> {
        if !self.log.rules().noise().is_none() {
            return self.fire_noisily(cell, None);
        }
        let (index, answer) = self.meet(cell)?;
        Ok(self.withhold(cell, index, answer))
    }

    /// The cell's number and what a shot at it meets, where every answer is true.
    #[inline]
    fn meet(&mut self, cell: Cell) -> Result<(usize, Answer), FireError> {
        let grid = self.log.rules().grid();
        if !grid.contains(cell) {
            return Err(FireError::OffGrid(cell));
        }
        let index = grid.index(cell);
        let ship = match self.ship_at[index] {
            FIRED => return Err(FireError::Repeated(cell)),
            ROCK => return Err(FireError::Rock(cell)),
            _ if self.is_over() => return Err(FireError::Over),
            ship => ship,
        };
        self.ship_at[index] = FIRED;
        Ok((index, if ship == 0 { Answer::Miss } else { self.hit(usize::from(ship) - 1) }))
    }

    /// Answers a shot of a game that was played before: as it was answered then, if that is possible.
    pub(crate) fn fire_again(&mut self, shot: Shot) -> Result<Answer, FireError> {
        if self.log.rules().noise().is_none() { self.fire(shot.cell) } else { self.fire_noisily(shot.cell, Some(shot.answer)) }
    }

    /// Answers a shot where answers may be false: as it was answered before, or by the secret number.
    fn fire_noisily(&mut self, cell: Cell, before: Option<Answer>) -> Result<Answer, FireError> {
        let grid = self.log.rules().grid();
        if !grid.contains(cell) {
            return Err(FireError::OffGrid(cell));
        }
        let index = grid.index(cell);
        let truth = match self.ship_at[index] {
            ROCK => return Err(FireError::Rock(cell)),
            _ if self.is_over() => return Err(FireError::Over),
            FIRED if !self.log.can_fire_at(cell) => return Err(FireError::TooOften(cell)),
            FIRED => self.truth_of_repetition(cell),
            0 => Answer::Miss,
            number => self.hit_noisily(usize::from(number) - 1),
        };
        self.ship_at[index] = FIRED;
        let answer = match before {
            Some(answer) if self.may_be_called(truth, answer) => answer,
            Some(_) => truth,
            None => self.called(truth),
        };
        if self.log.rules().salvo().withholds() {
            return Ok(self.withhold(cell, index, answer));
        }
        self.log.record(Shot { cell, answer }, index);
        Ok(answer)
    }

    /// What a shot at a cell that was fired at before has met: it sinks nothing.
    fn truth_of_repetition(&self, cell: Cell) -> Answer {
        let ship = self.layout.ship_at(cell);
        ship.map_or(Answer::Miss, |ship| Answer::for_hit(self.log.rules().call(), ship.length(), false))
    }

    /// What is called for what a shot has met.
    fn called(&self, truth: Answer) -> Answer {
        let rules = self.log.rules();
        match (truth, rules.noise().draw(self.noise_seed, self.log.len())) {
            (Answer::Hit(_), Some(_)) => Answer::Miss,
            (Answer::Miss, Some(number)) => {
                let lengths = rules.fleet().lengths();
                let named = lengths[(number % lengths.len() as u64) as usize];
                Answer::for_hit(rules.call(), named, false)
            }
            _ => truth,
        }
    }

    /// Whether this may be called for what a shot has met.
    fn may_be_called(&self, truth: Answer, answer: Answer) -> bool {
        let rules = self.log.rules();
        match (truth, answer) {
            (Answer::Hit(_), Answer::Miss) => true,
            (Answer::Miss, Answer::Hit(length)) => {
                answer.is_possible_under(rules.call()) && length.is_none_or(|length| rules.fleet().count(length) > 0)
            }
            _ => truth == answer,
        }
    }

    /// Keeps an answer until the turn is over.
    fn withhold(&mut self, cell: Cell, index: usize, answer: Answer) -> Answer {
        self.answers.push(answer);
        let is_last = self.log.shots_left_in_turn() == 1;
        self.log.record(Shot { cell, answer: Answer::Untold }, index);
        // Once every cell was fired at, the fleet is sunk.
        if !is_last && self.log.fired().len() < self.log.rules().grid().len() {
            return Answer::Untold;
        }
        if self.log.rules().salvo().call() == SalvoCall::Count {
            return self.call_turn(answer);
        }
        self.tell_all();
        answer
    }

    /// Calls the hits of the turn that ends with this answer. Once the whole fleet is sunk all answers are told.
    fn call_turn(&mut self, answer: Answer) -> Answer {
        if self.ships_afloat() == 0 {
            self.tell_all();
            return answer;
        }
        let start = self.log.len() - self.log.turns().last().map_or(0, <[Shot]>::len);
        self.log.record_call(start, TurnCall::of(self.answers[start..].iter().copied()));
        self.log.shots().last().map_or(Answer::Untold, |shot| shot.answer)
    }

    /// Tells the answers that are withheld.
    fn tell_all(&mut self) {
        if self.log.rules().salvo().call() == SalvoCall::Count {
            return self.log.reveal(&self.answers);
        }
        let untold = self.log.untold().count();
        self.log.tell(&self.answers[self.answers.len() - untold..]);
    }

    /// Sets how many shots the turn that begins now has: see [`ShotLog::begin_turn`].
    pub fn begin_turn(&mut self, shots: usize) {
        self.log.begin_turn(shots);
    }

    /// The number of ships that have a cell not yet hit.
    pub fn ships_afloat(&self) -> usize {
        self.unhit_cells.iter().filter(|&&cells| cells > 0).count()
    }

    /// All shots with their answers, those included that the shooter hasn't been told yet. For the defender, who sees them fall.
    pub fn shots(&self) -> impl DoubleEndedIterator<Item = Shot> + ExactSizeIterator + '_ {
        let answer = |number: usize, shot: &Shot| self.answers.get(number).copied().unwrap_or(shot.answer);
        self.log.shots().iter().enumerate().map(move |(number, shot)| Shot { answer: answer(number, shot), ..*shot })
    }

    fn hit(&mut self, ship: usize) -> Answer {
        self.unhit_cells[ship] -= 1;
        Answer::for_hit(self.log.rules().call(), self.layout.ships()[ship].length(), self.unhit_cells[ship] == 0)
    }

    /// What a hit has met where answers may be false: if sinkings are not called, the end of the game is, since nobody could tell it from the hits.
    fn hit_noisily(&mut self, ship: usize) -> Answer {
        let answer = self.hit(ship);
        let is_end = !self.log.rules().call().tells_sinking() && self.ships_afloat() == 0;
        if is_end { Answer::Sunk(None) } else { answer }
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

    /// Ends the game and returns its record, with the layout and the answers to all shots.
    pub fn into_record(mut self) -> GameRecord {
        self.tell_all();
        GameRecord::from_play(self.layout, self.log)
    }
}
