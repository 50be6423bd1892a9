//! A game of two sides.

use crate::text::word_enum;
use crate::{Answer, Cell, FireError, GameRecord, Layout, Referee, Rules, Shot, ShotLog};

/// One of the two who play.
///
/// ```
/// use broadside_rules::Side;
/// assert_eq!(Side::First.other(), Side::Second);
/// assert_eq!("second".parse(), Ok(Side::Second));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// The one who fires first.
    First,
    /// The other.
    Second,
}

word_enum!(Side, ParseSideError, "a side", { First => "first", Second => "second" });

impl Side {
    /// The opponent.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }

    const fn index(self) -> usize {
        self as usize
    }
}

/// Who fires after a turn, which is a shot unless the rules have more of them.
///
/// ```
/// use broadside_rules::Turns;
/// assert_eq!(Turns::default(), Turns::Alternate);
/// assert_eq!("hit-again".parse(), Ok(Turns::HitAgain));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Turns {
    /// The other side, always.
    #[default]
    Alternate,
    /// The same side as long as it hits, the other after a turn without a hit.
    HitAgain,
}

word_enum!(Turns, ParseTurnsError, "a way to take turns", { Alternate => "alternate", HitAgain => "hit-again" });

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ending {
    /// The winner sank the whole fleet of the other.
    Sunk,
    /// The loser gave up.
    Resigned,
}

word_enum!(Ending, ParseEndingError, "an ending", { Sunk => "sunk", Resigned => "resigned" });

/// Two sides, each with a secret layout, who fire at each other in turns until one fleet is sunk or one side gives up.
///
/// A side may see its own layout, its [`Duel::log`] and [`Duel::answered`] of the other side, whose shots it sees fall.
///
/// By the rules of [`Salvo`](crate::Salvo) a turn is several shots, each of them fired by itself. The first turns of both sides are
/// of whole fleets; where a turn has as many shots as the shooter has ships afloat, they are counted when it begins.
///
/// ```
/// use broadside_rules::{Draft, Duel, Ending, Rules, Side, Turns};
/// let rules: Rules = "3x3 2 allowed ship".parse()?;
/// let layout = |text: &str| text.parse::<Draft>().map(|draft| draft.check(&rules).into_layout().expect("legal"));
/// let mut duel = Duel::new(&rules, Turns::Alternate, [layout("A1-A2")?, layout("B2-B3")?]);
/// duel.fire(Side::First, "B2".parse()?)?;
/// assert!(duel.fire(Side::First, "B3".parse()?).is_err(), "it is the other's turn");
/// duel.fire(Side::Second, "C3".parse()?)?;
/// duel.fire(Side::First, "B3".parse()?)?;
/// assert_eq!(duel.outcome(), Some((Side::First, Ending::Sunk)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Duel {
    turns: Turns,
    /// For each side, the referee that answers its shots, which has the other side's layout.
    answering: [Referee; 2],
    /// Who fired each shot.
    order: Vec<Side>,
    /// Who fires next, unless the game is over.
    next: Side,
    /// Whether the turn at hand has hit.
    has_hit: bool,
    resigned: Option<Side>,
}

/// A shot that a duel doesn't allow. Not `non_exhaustive`: a server answers each case in its own way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DuelError {
    /// The other side is to fire.
    #[error("it is the other side's turn")]
    NotYourTurn,
    /// The game has ended.
    #[error("the game is over")]
    Over,
    /// The cell can't be fired at.
    #[error(transparent)]
    Fire(#[from] FireError),
}

impl Duel {
    /// A game in which nobody has fired yet; `layouts` are those of the first and of the second side.
    ///
    /// # Panics
    /// When a layout is of another grid or fleet.
    pub fn new(rules: &Rules, turns: Turns, [first, second]: [Layout; 2]) -> Self {
        let answering = [second, first].map(|layout| Referee::new(rules, layout));
        Self { turns, answering, order: Vec::new(), next: Side::First, has_hit: false, resigned: None }
    }

    /// The same with another secret number, which decides which answers are false: see [`Referee::with_noise_seed`].
    #[must_use]
    pub fn with_noise_seed(mut self, seed: u64) -> Self {
        self.answering[0].set_noise_seed(seed);
        self.answering[1].set_noise_seed(!seed);
        self
    }

    /// Answers a shot of a side.
    ///
    /// # Errors
    /// When it is not that side's turn, the game is over, or the cell is off the board or was fired at before.
    pub fn fire(&mut self, side: Side, cell: Cell) -> Result<Answer, DuelError> {
        match self.turn() {
            None => Err(DuelError::Over),
            Some(turn) if turn != side => Err(DuelError::NotYourTurn),
            Some(_) => {
                let is_last = self.shots_left_in_turn() == 1;
                let answer = self.answering[side.index()].fire(cell)?;
                self.order.push(side);
                let has_hit = self.answered(side).next_back().is_some_and(|shot| shot.answer.is_hit());
                self.has_hit |= has_hit;
                if is_last {
                    self.end_turn(side);
                }
                self.drop_surplus(side);
                Ok(answer)
            }
        }
    }

    fn end_turn(&mut self, side: Side) {
        self.next = if self.turns == Turns::HitAgain && self.has_hit { side } else { side.other() };
        self.has_hit = false;
        let afloat = self.ships_afloat(self.next);
        let shots = self.rules().salvo().shots_in_turn(afloat);
        self.answering[self.next.index()].begin_turn(shots);
    }

    /// Takes back the shots of a last turn that don't count.
    fn drop_surplus(&mut self, side: Side) {
        if self.log(side).is_over() {
            let fired = self.order.iter().filter(|&&other| other == side).count();
            self.order.truncate(self.order.len() - (fired - self.log(side).len()));
        }
    }

    /// The shots left in the turn at hand.
    pub fn shots_left_in_turn(&self) -> usize {
        self.log(self.next).shots_left_in_turn()
    }

    /// The ships that a side has afloat.
    pub fn ships_afloat(&self, side: Side) -> usize {
        self.answering[side.other().index()].ships_afloat()
    }

    /// A side gives up.
    ///
    /// # Errors
    /// When the game is over.
    pub fn resign(&mut self, side: Side) -> Result<(), DuelError> {
        if self.outcome().is_some() {
            return Err(DuelError::Over);
        }
        self.resigned = Some(side);
        Ok(())
    }

    /// Who is to fire; `None` when the game is over.
    pub fn turn(&self) -> Option<Side> {
        if self.outcome().is_some() {
            return None;
        }
        Some(self.next)
    }

    /// Who won, and how; `None` while the game goes on.
    pub fn outcome(&self) -> Option<(Side, Ending)> {
        let sunk = [Side::First, Side::Second].into_iter().find(|&side| self.log(side).is_over());
        let resigned = self.resigned.map(|side| (side.other(), Ending::Resigned));
        sunk.map(|winner| (winner, Ending::Sunk)).or(resigned)
    }

    /// The rules of the game.
    pub fn rules(&self) -> &Rules {
        self.log(Side::First).rules()
    }

    /// How turns are taken.
    pub fn turns(&self) -> Turns {
        self.turns
    }

    /// The shots of a side with all answers, also those that the side hasn't been told yet.
    pub fn answered(&self, side: Side) -> impl DoubleEndedIterator<Item = Shot> + ExactSizeIterator + '_ {
        self.answering[side.index()].shots()
    }

    /// The shots of a side with the answers that it was told.
    pub fn log(&self, side: Side) -> &ShotLog {
        self.answering[side.index()].log()
    }

    /// All shots in the order they were fired, each with who fired it and the answer that was told.
    pub fn shots(&self) -> impl Iterator<Item = (Side, Shot)> + '_ {
        let mut next = [0; 2];
        self.order.iter().map(move |&side| {
            let number = &mut next[side.index()];
            *number += 1;
            (side, self.log(side).shots()[*number - 1])
        })
    }

    /// Ends the game. Returns the record of the first side's shots, and of the second's.
    pub fn into_records(self) -> [GameRecord; 2] {
        self.answering.map(Referee::into_record)
    }
}
