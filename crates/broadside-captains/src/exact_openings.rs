//! The openings of `exact` on the russian board, counted beforehand.
//!
//! With ten ships that keep apart, an early count takes a tenth of a second, and the game is always the same until the answers differ. So the table
//! has the shot of every position of its games that leaves at least some number of layouts: the positions that are met most often, which are also
//! the slowest to count. It says nothing that a count wouldn't say; `exact_openings` of `broadside-tools` makes it, and a test
//! counts some of its positions again.
//!
//! Written, a position is the cell to fire at and the answers to that shot that are in the table too, such as `A3-+#1`; after it come the
//! positions after these answers, in their order, each with all that comes after it.

use std::sync::LazyLock;

use broadside_rules::{Answer, Cell, Preset, Rules, Shot};

static RUSSIAN: LazyLock<Openings> =
    LazyLock::new(|| Openings::read(include_str!("openings/russian.txt")).expect("the table was written by a program"));

/// The shots of a captain at the beginning of its games.
#[derive(Debug)]
pub(crate) struct Openings(Vec<Position>);

#[derive(Debug)]
struct Position {
    best: Cell,
    /// The answers to that shot, with the number of the position after each.
    after: Vec<(Answer, usize)>,
}

impl Openings {
    /// The table for some rules, if there is one.
    pub(crate) fn of(rules: &Rules) -> Option<&'static Self> {
        (*rules == Preset::Russian.rules()).then(|| &*RUSSIAN)
    }

    /// The shot that follows these, if they are in the table.
    pub(crate) fn best(&self, shots: &[Shot]) -> Option<Cell> {
        let mut position = &self.0[0];
        for shot in shots {
            let &(_, next) = position.after.iter().find(|(answer, _)| *answer == shot.answer && position.best == shot.cell)?;
            position = &self.0[next];
        }
        Some(position.best)
    }

    /// Reads a table; none if the text is not one.
    fn read(text: &str) -> Option<Self> {
        let mut openings = Self(Vec::new());
        let mut words = text.split_whitespace();
        openings.read_position(&mut words)?;
        words.next().is_none().then_some(openings)
    }

    fn read_position<'a>(&mut self, words: &mut impl Iterator<Item = &'a str>) -> Option<usize> {
        let word = words.next()?;
        let (cell, answers) = word.split_at(word.find(['-', '+', '#']).unwrap_or(word.len()));
        let number = self.0.len();
        self.0.push(Position { best: cell.parse().ok()?, after: Vec::new() });
        for answer in split_answers(answers) {
            let after = (answer.parse().ok()?, self.read_position(words)?);
            self.0[number].after.push(after);
        }
        Some(number)
    }
}

/// The answers of a text such as `-+#1`.
fn split_answers(text: &str) -> impl Iterator<Item = &str> {
    let is_sign = |at: usize| text[at..].starts_with(['-', '+', '#']);
    let starts = (0..text.len()).filter(move |&at| is_sign(at));
    starts.map(move |start| {
        let end = (start + 1..text.len()).find(|&at| is_sign(at)).unwrap_or(text.len());
        &text[start..end]
    })
}

#[cfg(test)]
mod tests {
    use broadside_odds::{Budget, Transfer};
    use broadside_rules::ShotLog;

    use super::*;

    /// The logs of all positions in the table, each after those that lead to it.
    fn logs(openings: &Openings) -> Vec<ShotLog> {
        let mut logs: Vec<Option<ShotLog>> = openings.0.iter().map(|_| None).collect();
        logs[0] = Some(ShotLog::new(&Preset::Russian.rules()));
        for (number, position) in openings.0.iter().enumerate() {
            for &(answer, next) in &position.after {
                let mut log = logs[number].clone().expect("a position stands before those after it");
                log.push(Shot { cell: position.best, answer }).expect("each shot can follow those before it");
                logs[next] = Some(log);
            }
        }
        logs.into_iter().map(|log| log.expect("all positions come after the first")).collect()
    }

    #[test]
    fn a_table_is_read_and_followed() {
        let openings = Openings::read("A3-+#1\nH10-\nA10\nB7\nC9#4 J1").expect("a table");
        let best = |shots: &str| {
            let log = ShotLog::parse(&Preset::Russian.rules(), shots).expect("a log");
            openings.best(log.shots()).map(|cell| cell.to_string())
        };
        assert_eq!(best("").as_deref(), Some("A3"));
        assert_eq!(best("A3- H10-").as_deref(), Some("A10"));
        assert_eq!(best("A3+").as_deref(), Some("B7"));
        assert_eq!(best("A3#1").as_deref(), Some("C9"));
        assert_eq!((best("A3#2"), best("A4-"), best("A3- H10+"), best("A3+ B8-")), (None, None, None, None));
        for text in ["", "A3-", "A3 H10", "A3x H10", "Q", "A3-5 H10"] {
            assert!(Openings::read(text).is_none(), "{text}");
        }
    }

    #[test]
    fn only_the_rules_of_the_table_have_one() {
        assert!(Openings::of(&"classic".parse().unwrap()).is_none());
        assert!(Openings::of(&"10x10 4,3,3,2,2,2,1,1,1,1 corners ship".parse().unwrap()).is_none());
        assert!(Openings::of(&"russian".parse().unwrap()).is_some());
    }

    /// `BROADSIDE_OPENINGS` sets how many positions are counted again; the table has some thousand.
    #[test]
    fn the_shots_of_the_table_are_the_first_of_the_likeliest() {
        let openings = Openings::of(&Preset::Russian.rules()).expect("a table");
        let logs = logs(openings);
        let some = std::env::var("BROADSIDE_OPENINGS").ok().and_then(|text| text.parse().ok()).unwrap_or(6);
        let mut engine = Transfer::new(Budget::default());
        // Spread over the table, the first position last, as it takes longest.
        for log in logs.iter().rev().step_by(logs.len().div_ceil(some)) {
            let counts = engine.count(log).expect("the russian board is in reach");
            assert!(counts.layouts() > 0, "{log} is possible");
            assert_eq!(openings.best(log.shots()), counts.best(log.fired()).first().copied(), "after {log}");
        }
    }
}
