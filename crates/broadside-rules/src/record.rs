//! The record of one side of a game.

use std::fmt;
use std::str::FromStr;

use crate::text::{quote, serde_by_notation};
use crate::{
    Draft, FireError, Layout, ParseDraftError, ParseRulesError, ParseShotError, Referee, Rules, Shot, ShotLog, Violation,
};

/// One side of a game, finished or not: rules, layout and shots, written `RULES | LAYOUT | SHOTS`. It has the answers to all shots,
/// whenever they were told.
///
/// ```
/// use broadside_rules::GameRecord;
/// let record: GameRecord = "3x3 2 allowed ship | B2-B3 | A1- B2+ B3#2".parse()?;
/// assert!(record.log().is_over());
/// assert!("3x3 2 allowed ship | B2-B3 | A1+".parse::<GameRecord>().is_err());
/// # Ok::<(), broadside_rules::RecordError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameRecord {
    layout: Layout,
    log: ShotLog,
}

/// The text or the shots are not a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RecordError {
    /// There are not three parts.
    #[error("{} is not a game: write RULES | LAYOUT | SHOTS", quote(.0))]
    Parts(String),
    /// The rules can't be read.
    #[error(transparent)]
    Rules(#[from] ParseRulesError),
    /// The layout can't be read.
    #[error(transparent)]
    Layout(#[from] ParseDraftError),
    /// The layout breaks the rules.
    #[error("the layout breaks the rules: {}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
    Illegal(Vec<Violation>),
    /// A shot can't be read.
    #[error(transparent)]
    Shot(#[from] ParseShotError),
    /// A shot is not allowed.
    #[error("shot {number} is not allowed")]
    Fire {
        /// The shot's number, from 1.
        number: usize,
        /// Why.
        source: FireError,
    },
    /// The layout gives another answer.
    #[error("shot {number}, {recorded}, should be {expected}")]
    Answer {
        /// The shot's number, from 1.
        number: usize,
        /// The shot as recorded.
        recorded: Shot,
        /// The shot with the answer that the layout gives.
        expected: Shot,
    },
}

impl GameRecord {
    /// The game of these shots at this layout.
    ///
    /// # Errors
    /// When a shot is not allowed or its answer is not the layout's.
    pub fn new(rules: &Rules, layout: Layout, shots: &[Shot]) -> Result<Self, RecordError> {
        let mut referee = Referee::new(rules, layout);
        for (number, &recorded) in (1..).zip(shots) {
            referee.fire_again(recorded).map_err(|source| RecordError::Fire { number, source })?;
            let expected = referee.shots().next_back().unwrap_or(recorded);
            if recorded != expected {
                return Err(RecordError::Answer { number, recorded, expected });
            }
        }
        Ok(referee.into_record())
    }

    pub(crate) fn from_play(layout: Layout, log: ShotLog) -> Self {
        Self { layout, log }
    }

    /// The rules of the game.
    pub fn rules(&self) -> &Rules {
        self.log.rules()
    }

    /// Where the ships lay.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The shots with their answers.
    pub fn log(&self) -> &ShotLog {
        &self.log
    }
}

impl fmt::Display for GameRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} | {} | {}", self.rules(), self.layout, self.log)
    }
}

impl FromStr for GameRecord {
    type Err = RecordError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parts: Vec<&str> = text.splitn(4, '|').collect();
        let [rules, layout, shots] = parts[..] else {
            return Err(RecordError::Parts(text.chars().take(64).collect()));
        };
        let rules: Rules = rules.parse()?;
        let layout = layout.parse::<Draft>()?.check(&rules).into_layout().map_err(RecordError::Illegal)?;
        // More shots than these can't be: the last one read is refused as a repetition.
        let words = shots.split_whitespace().take(rules.most_shots() + 1);
        let shots = words.map(str::parse).collect::<Result<Vec<Shot>, _>>()?;
        Self::new(&rules, layout, &shots)
    }
}

serde_by_notation!(GameRecord);
