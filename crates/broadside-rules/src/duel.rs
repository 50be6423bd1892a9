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

/// Who fires after a shot.
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
    /// The same side as long as it hits, the other after a miss.
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
/// A side may see its own layout and [`Duel::log`] of both sides: its shots with their answers, and those it received.
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
        Self { turns, answering: [second, first].map(|layout| Referee::new(rules, layout)), order: Vec::new(), resigned: None }
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
                let answer = self.answering[side.index()].fire(cell)?;
                self.order.push(side);
                Ok(answer)
            }
        }
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
        Some(match self.order.last() {
            None => Side::First,
            Some(&last) if self.turns == Turns::HitAgain && self.last_hit(last) => last,
            Some(&last) => last.other(),
        })
    }

    fn last_hit(&self, side: Side) -> bool {
        self.log(side).shots().last().is_some_and(|shot| shot.answer.is_hit())
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

    /// The shots of a side with their answers.
    pub fn log(&self, side: Side) -> &ShotLog {
        self.answering[side.index()].log()
    }

    /// All shots in the order they were fired, each with who fired it.
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
