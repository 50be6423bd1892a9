//! What a captain chose at the beginnings of its games, remembered from game to game.
//!
//! Games of a captain that leaves nothing to chance begin alike: they are the same until the answers differ. What it chooses early is
//! also what takes it longest, so a campaign meets the slowest choices again and again.

use std::cmp::Ordering;
use std::collections::HashMap;

use broadside_rules::{Answer, Cell, Shot, ShotLog};

/// The shots that are chosen together, by what was told before them: those of a turn whose answers come after it, or a single one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Choice {
    /// The shots before it.
    told: Vec<Shot>,
    /// The hits of turns of which nothing else was told, each with the number of shots up to the end of its turn.
    called: Vec<(u16, Answer)>,
    /// How many are chosen.
    shots: usize,
}

impl Choice {
    /// The choice to which the next shot belongs.
    pub(crate) fn next(log: &ShotLog) -> Self {
        let waiting = log.waiting();
        let called = log.called_turns().iter().flat_map(|turn| {
            let end = turn.shots().end as u16;
            turn.call().answers().iter().map(move |&answer| (end, answer))
        });
        Self {
            told: log.shots()[..log.len() - waiting].to_vec(),
            called: called.collect(),
            shots: if log.rules().salvo().withholds() { waiting + log.shots_left_in_turn() } else { 1 },
        }
    }

    pub(crate) fn told(&self) -> &[Shot] {
        &self.told
    }

    pub(crate) fn shots(&self) -> usize {
        self.shots
    }

    /// The likeliest cells, as many as are chosen, the first in reading order of equals first. What was fired of the turn already is one of
    /// them, so that they are the same whenever they are asked for.
    pub(crate) fn likeliest<N: PartialOrd>(&self, log: &ShotLog, chance: impl Fn(Cell) -> N) -> Vec<Cell> {
        let is_waiting = |cell| log.shots()[self.told.len()..].iter().any(|shot| shot.cell == cell);
        let is_open = |cell| !log.fired().contains(cell) || is_waiting(cell);
        let mut cells: Vec<Cell> = log.rules().grid().cells().filter(|&cell| is_open(cell)).collect();
        cells.sort_by(|&one, &other| chance(other).partial_cmp(&chance(one)).unwrap_or(Ordering::Equal));
        cells.truncate(self.shots);
        cells
    }
}

/// The first of the cells chosen that was not fired at yet.
pub(crate) fn first_open(cells: &[Cell], log: &ShotLog) -> Option<Cell> {
    cells.iter().copied().find(|&cell| !log.fired().contains(cell))
}

/// Choices with the cells chosen.
pub(crate) struct Remembered {
    up_to: usize,
    most: usize,
    chosen: HashMap<Choice, Vec<Cell>>,
}

impl Remembered {
    /// Room for so many choices, each after up to so many shots.
    pub(crate) fn new(up_to: usize, most: usize) -> Self {
        Self { up_to, most, chosen: HashMap::new() }
    }

    pub(crate) fn get(&self, choice: &Choice) -> Option<&[Cell]> {
        self.chosen.get(choice).map(Vec::as_slice)
    }

    /// Keeps what was chosen, unless it is too late in the game or there is no room.
    pub(crate) fn insert(&mut self, choice: Choice, cells: Vec<Cell>) {
        if choice.told.len() <= self.up_to && self.chosen.len() < self.most {
            self.chosen.insert(choice, cells);
        }
    }

    /// Forgets all, since something else would be chosen now.
    pub(crate) fn clear(&mut self) {
        self.chosen.clear();
    }

    #[cfg(test)]
    pub(crate) fn is_empty(&self) -> bool {
        self.chosen.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_stays_the_same_until_its_turn_is_answered() {
        let rules = "5x5 3,2 allowed ship salvo=3:count".parse().unwrap();
        let mut log = ShotLog::parse(&rules, "A1? A2? A3? =1").unwrap();
        let (before, grid) = (Choice::next(&log), rules.grid());
        // The further down a cell lies, the likelier; cells of a row are alike.
        let likeliest = |log: &ShotLog| Choice::next(log).likeliest(log, |cell| grid.index(cell) / 5);
        let cells = ["E1", "E2", "E3"].map(|cell| cell.parse().unwrap());
        assert_eq!(likeliest(&log), cells);
        for (fired, shot) in ["E1?", "E2?"].into_iter().enumerate() {
            log.push(shot.parse().unwrap()).unwrap();
            assert_eq!((Choice::next(&log), likeliest(&log)), (before.clone(), cells.to_vec()));
            assert_eq!(first_open(&cells, &log), Some(cells[fired + 1]));
        }
        log.push("E3?".parse().unwrap()).unwrap();
        log.call_turn("=2".parse().unwrap()).unwrap();
        assert_ne!(Choice::next(&log), before);
    }

    #[test]
    fn turns_with_other_hits_are_other_choices() {
        let rules = "5x5 3,2 allowed ship salvo=3:count".parse().unwrap();
        let choice = |text| Choice::next(&ShotLog::parse(&rules, text).unwrap());
        let texts = [
            "A1? A2? A3? =1",
            "A1? A2? A3? =2",
            "A1? A2? A3? =2#2",
            "A1- A2- A3-",
            "A1? A2? A3? =2 B1? B2? B3? =1",
            "A1? A2? A3? =1 B1? B2? B3? =2",
        ];
        for (number, text) in texts.iter().enumerate() {
            assert!(texts[..number].iter().all(|other| choice(other) != choice(text)), "{text}");
        }
    }

    #[test]
    fn what_is_remembered_is_bounded() {
        let rules = "5x5 3,2 allowed ship".parse().unwrap();
        let choice = |text| Choice::next(&ShotLog::parse(&rules, text).unwrap());
        let mut remembered = Remembered::new(1, 2);
        for text in ["A1- A2-", "", "A1-", "A2-"] {
            remembered.insert(choice(text), vec!["C3".parse().unwrap()]);
        }
        let known = |text| remembered.get(&choice(text)).is_some();
        assert_eq!(["A1- A2-", "", "A1-", "A2-"].map(known), [false, true, true, false], "too late, two kept, no room");
    }
}
