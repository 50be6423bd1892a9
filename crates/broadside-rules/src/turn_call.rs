//! What is called after a turn of which only the number of hits is told.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use crate::text::{quote, serde_by_notation};
use crate::{Answer, Length, ParseLogError, Rules, Shot};

/// The hits of a turn, without a word on which of its shots they were: written `=2` for two hits, `=2#3` for two hits of which one sank a
/// ship of three.
///
/// It has what the answers to the turn's shots would have said together, so the rule of calling decides what it tells: the lengths
/// of ships that sank, that one sank (`=2#`), which ship each hit met (`=2+5#3`), or the hits alone.
///
/// ```
/// use broadside_rules::{Length, TurnCall};
/// let call: TurnCall = "=3#2".parse()?;
/// assert_eq!((call.hits(), call.sinkings()), (3, 1));
/// assert_eq!(call.sunk().collect::<Vec<_>>(), [Length::new(2)]);
/// let answers = ["+", "-", "#2", "-", "+"].map(|answer| answer.parse().expect("an answer"));
/// assert_eq!(TurnCall::of(answers), call);
/// # Ok::<(), broadside_rules::ParseTurnCallError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TurnCall {
    /// The answers to the shots that hit, hits before sinkings and the longest first.
    hits: Vec<Answer>,
}

impl TurnCall {
    /// What is called after shots with these answers.
    pub fn of(answers: impl IntoIterator<Item = Answer>) -> Self {
        let mut hits: Vec<Answer> = answers.into_iter().filter(|answer| answer.is_hit()).collect();
        hits.sort_by_key(|answer| (answer.is_sunk(), std::cmp::Reverse(answer.length())));
        Self { hits }
    }

    /// The number of hits, those that sank a ship included.
    pub fn hits(&self) -> usize {
        self.hits.len()
    }

    /// The number of ships that are called to have sunk.
    pub fn sinkings(&self) -> usize {
        self.sunk().count()
    }

    /// The ships that sank, each with its length if that is called.
    pub fn sunk(&self) -> impl Iterator<Item = Option<Length>> + '_ {
        self.hits.iter().filter(|answer| answer.is_sunk()).map(|answer| answer.length())
    }

    /// The answers that the shots that hit would have got, in no order of theirs.
    pub fn answers(&self) -> &[Answer] {
        &self.hits
    }

    /// The answer that each of so many shots got, if that follows: all missed, or all hits were alike.
    pub(crate) fn answer_to_all(&self, shots: usize) -> Option<Answer> {
        match self.hits.first() {
            None => Some(Answer::Miss),
            Some(&first) => (self.hits() == shots && self.hits.iter().all(|&hit| hit == first)).then_some(first),
        }
    }
}

impl fmt::Display for TurnCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "={}", self.hits())?;
        self.hits.iter().filter(|&&hit| hit != Answer::Hit(None)).try_for_each(|hit| write!(f, "{hit}"))
    }
}

/// The text is not what is called after a turn.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{} is not what is called after a turn: write = and the number of hits, such as =2, and the ships sunk after it, such as =2#3", quote(.text))]
pub struct ParseTurnCallError {
    text: String,
}

impl FromStr for TurnCall {
    type Err = ParseTurnCallError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        read(text).ok_or_else(|| ParseTurnCallError { text: text.chars().take(64).collect() })
    }
}

fn read(text: &str) -> Option<TurnCall> {
    let text = text.strip_prefix('=')?;
    let (number, mut rest) = text.split_at(text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len()));
    let number = usize::from(number.parse::<u8>().ok()?);
    let mut hits = Vec::new();
    while !rest.is_empty() {
        let end = rest.char_indices().skip(1).find(|(_, c)| !c.is_ascii_digit()).map_or(rest.len(), |(at, _)| at);
        let (answer, after) = rest.split_at(end);
        hits.push(answer.parse().ok().filter(|answer: &Answer| answer.is_hit())?);
        rest = after;
    }
    hits.extend(vec![Answer::Hit(None); number.checked_sub(hits.len())?]);
    Some(TurnCall::of(hits))
}

serde_by_notation!(TurnCall);

/// A word of a log: a shot with its answer, or what was called after a turn.
///
/// ```
/// use broadside_rules::{LogWord, ShotLog};
/// assert!(matches!("C3?".parse()?, LogWord::Shot(_)));
/// assert!(matches!("=2#3".parse()?, LogWord::Call(_)));
/// # Ok::<(), broadside_rules::ParseLogError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LogWord {
    /// A shot.
    Shot(Shot),
    /// The hits of the turn before it.
    Call(TurnCall),
}

impl fmt::Display for LogWord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Shot(shot) => shot.fmt(f),
            Self::Call(call) => call.fmt(f),
        }
    }
}

impl FromStr for LogWord {
    type Err = ParseLogError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(if text.starts_with('=') { Self::Call(text.parse()?) } else { Self::Shot(text.parse()?) })
    }
}

/// A turn of which only the number of hits is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CalledTurn {
    start: usize,
    end: usize,
    call: TurnCall,
}

impl CalledTurn {
    pub(crate) fn new(shots: Range<usize>, call: TurnCall) -> Self {
        Self { start: shots.start, end: shots.end, call }
    }

    /// The numbers, from 0, of its shots in the log.
    pub fn shots(&self) -> Range<usize> {
        self.start..self.end
    }

    /// What was called.
    pub fn call(&self) -> &TurnCall {
        &self.call
    }
}

/// Where turns of several shots began, and what was called after them.
#[derive(Clone, Debug)]
pub(crate) struct TurnStarts {
    /// The number, from 0, of the first shot of each turn, the present one included.
    pub(crate) starts: Vec<usize>,
    /// The shots left in the present turn.
    pub(crate) left: usize,
    /// The turns of which only the number of hits is known.
    pub(crate) called: Vec<CalledTurn>,
}

impl TurnStarts {
    pub(crate) fn new(rules: &Rules) -> Option<Box<Self>> {
        let single = rules.salvo().is_single();
        (!single).then(|| Box::new(Self { starts: vec![0], left: rules.shots_a_turn(), called: Vec::new() }))
    }

    /// Counts the shot after which there are so many.
    pub(crate) fn add(&mut self, rules: &Rules, shots: usize) {
        self.left -= 1;
        if self.left == 0 {
            self.starts.push(shots);
            self.left = rules.shots_a_turn();
        }
    }

    /// Forgets the shot before which there were so many. Returns the hits of its turn, if only their number was known.
    pub(crate) fn take_back(&mut self, shots: usize) -> usize {
        if self.starts.last().is_some_and(|&start| start > shots) {
            self.starts.pop();
            self.left = 0;
        }
        self.left += 1;
        self.called.pop_if(|turn| turn.end > shots).map_or(0, |turn| turn.call.hits())
    }

    /// Keeps what was called after a turn of these shots, which ends it.
    pub(crate) fn call(&mut self, rules: &Rules, turn: CalledTurn) {
        if self.starts.last() != Some(&turn.end) || !self.starts.contains(&turn.start) {
            self.starts.retain(|&start| start < turn.start);
            self.starts.extend([turn.start, turn.end]);
            self.left = rules.shots_a_turn();
        }
        self.called.push(turn);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Call;

    #[test]
    fn what_is_called_round_trips() {
        let answers = |call: Call| {
            let lengths = [2, 5, 64].map(|length| Length::new(length).unwrap());
            let hits =
                lengths.into_iter().flat_map(move |length| [false, true].map(|sinks| Answer::for_hit(call, length, sinks)));
            hits.chain([Answer::Miss]).collect::<Vec<_>>()
        };
        for answers in Call::ALL.iter().map(|&call| answers(call)) {
            for (i, &first) in answers.iter().enumerate() {
                for &second in &answers[i..] {
                    let call = TurnCall::of([first, second, first]);
                    assert_eq!(call.to_string().parse(), Ok(call.clone()), "{call}");
                    assert_eq!(TurnCall::of([second, first, first]), call);
                }
            }
        }
    }

    #[test]
    fn what_is_no_call_is_refused() {
        for text in ["", "=", "2", "=x", "=-1", "=1-", "=1?", "=1#2#2", "=256", "=1#65", "=1#é", "=+", "= 1", "=2##3#"] {
            assert!(text.parse::<TurnCall>().is_err(), "{text:?}");
        }
    }
}
