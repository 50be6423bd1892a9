//! One shot of a replay.

use broadside_captains::Mode;
use broadside_rules::{Answer, Call, Cell, Shot, ShotLog};

/// One shot of a game: what was known before it, what the captain thought, and the shot itself.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    /// The shot's number, from 1.
    pub number: usize,
    /// The log before the shot: all that the shooter knew.
    pub before: ShotLog,
    /// The log after it, without answers that come after the turn. The last shot of a game tells all of them.
    pub after: ShotLog,
    /// The shot that was fired, with its answer.
    pub shot: Shot,
    /// Where the captain would fire or, without one, the first of the likeliest cells.
    pub advice: Cell,
    /// What the captain was doing; `None` without a captain.
    pub mode: Option<Mode>,
    /// What each cell was worth.
    pub heat: Heat,
    /// The reason for the advice, in a sentence.
    pub words: String,
}

/// What each cell was worth before a shot, in reading order; `None` for cells that were not considered.
#[derive(Clone, Debug, PartialEq)]
pub enum Heat {
    /// A captain's own scores: higher is better, and that is all that the numbers mean.
    Scores(Vec<Option<f64>>),
    /// The exact chances of a ship.
    Chances(Vec<Option<f64>>),
    /// Estimated chances of a ship, where exact ones are out of reach.
    Estimates(Vec<Option<f64>>),
    /// Nothing is known: neither exact odds nor an estimate is within reach.
    Unknown,
}

impl Heat {
    /// The name of the kind.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Scores(_) => "scores",
            Self::Chances(_) => "chances",
            Self::Estimates(_) => "estimates",
            Self::Unknown => "unknown",
        }
    }

    /// Whether the numbers are chances from 0 to 1.
    pub const fn is_chance(&self) -> bool {
        matches!(self, Self::Chances(_) | Self::Estimates(_))
    }

    /// The numbers, in reading order; none when nothing is known.
    pub fn values(&self) -> &[Option<f64>] {
        match self {
            Self::Scores(values) | Self::Chances(values) | Self::Estimates(values) => values,
            Self::Unknown => &[],
        }
    }

    /// The number of the cell at this place in reading order.
    pub fn at(&self, index: usize) -> Option<f64> {
        self.values().get(index).copied().flatten()
    }

    /// The highest number; 0 when there is none.
    pub fn max(&self) -> f64 {
        self.values().iter().flatten().copied().fold(0.0, f64::max)
    }

    /// The number of a cell as a share of the highest.
    pub fn share(&self, index: usize) -> Option<f64> {
        let max = self.max();
        self.at(index).map(|value| if max > 0.0 { value / max } else { 0.0 })
    }
}

impl Frame {
    /// The shot in words, such as `E5, a hit`, and what was called after the turn where only its hits are counted.
    pub fn description(&self) -> String {
        let shot = format!("{}, {}", self.shot.cell, answer(self.shot.answer));
        let called = self.after.called_turns().last().filter(|turn| turn.shots().end == self.number);
        called.map_or(shot.clone(), |turn| format!("{shot}; called after the turn: {}", turn.call()))
    }

    /// The ships left after the shot, as far as they are called.
    pub fn ships_left(&self) -> String {
        ships_left(&self.after)
    }
}

/// The answer in words.
fn answer(answer: Answer) -> String {
    match answer {
        Answer::Miss => "a miss".to_owned(),
        Answer::Untold => "not answered yet".to_owned(),
        Answer::Hit(None) => "a hit".to_owned(),
        Answer::Hit(Some(length)) => format!("a hit on a ship of length {length}"),
        Answer::Sunk(None) => "a hit that sinks a ship".to_owned(),
        Answer::Sunk(Some(length)) => format!("a hit that sinks the ship of length {length}"),
    }
}

/// The ships that the shooter knows to be left.
fn ships_left(log: &ShotLog) -> String {
    let fleet = log.rules().fleet();
    match log.rules().call() {
        _ if log.is_over() => "all ships are sunk".to_owned(),
        Call::Silent => format!("{} of {} ship cells hit", log.hit_count(), fleet.cells()),
        Call::Bare => format!("{} of {} ships left", fleet.len() - log.sinkings(), fleet.len()),
        Call::Ship | Call::Every => {
            let lengths: Vec<String> = log.lengths_left().iter().map(ToString::to_string).collect();
            format!("ships left: {}", lengths.join(", "))
        }
    }
}
