//! Captains that turn or reflect the board at random before each game: `admiral~`.
//!
//! A captain without random choices plays a layout alike in every game, so whoever has lost to it once can hide where it looks
//! last. With the board laid in one of its eight ways (four, if it isn't square), a layout costs it the mean over all ways. Over
//! uniform layouts the mean stays what it is, since a turned layout is as likely as the layout itself.
//!
//! A captain that knows how its opponent hides turns the board only in the ways that leave what it knows as it is.
//!
//! The way is not stored anywhere. At each shot it is drawn among those in which the captain would have fired as the log shows.
//! That is the same as drawing it once before the game: what is drawn is what the log leaves open. So a captain that is made
//! anew for every shot, as the web server does, plays the same game as one that stays. After a shot or two only one way is
//! left, and from then on nothing is drawn and nothing is tried.
//!
//! Who knows the layout, as a campaign does, turns that instead ([`Captain::turned_board`]).

use broadside_odds::Budget;
use broadside_rules::{Cell, Layout, LogMark, Rules, ShotLog, Stop, Symmetry};
use rand::RngExt;

use crate::{Captain, GameRng, Reason};

/// What the name of a captain ends with that turns the board.
const MARK: char = '~';

/// Captains that draw lots for their shots, so that they need not turn the board.
const DRAW_LOTS: &[&str] = &["random", "hunt-target", "hunt-target-parity", "random+brute", "random+smart", "mask"];

/// The name of the captain that plays on the turned board; `None` for a name without the mark.
pub(crate) fn split(name: &str) -> Option<&str> {
    name.strip_suffix(MARK)
}

/// Whether a captain draws lots for its shots. One that turns the board does.
pub(crate) fn draws_lots(name: &str) -> bool {
    DRAW_LOTS.contains(&name) || name.ends_with(MARK)
}

/// The captain that may take a second for a shot: on a server, where captains are made anew for every shot, it would take several to
/// try all ways.
const SLOW: &str = "exact";

/// The name of a captain's form that turns the board, or its own name if it draws lots, turns the board already, or is too slow for it.
pub(crate) fn turned_name(name: &str) -> String {
    if draws_lots(name) || name == SLOW { name.to_owned() } else { format!("{name}{MARK}") }
}

/// A captain that turns the board.
pub(crate) struct Turned {
    name: String,
    captain: Box<dyn Captain>,
    /// The ways in which the board may be laid.
    ways: Vec<Symmetry>,
    /// For each way the log as the captain sees it. Those of ways that don't fit are not kept up to date.
    logs: Vec<ShotLog>,
    /// The numbers of the ways that fit the shots so far.
    open: Vec<usize>,
    /// How far the log has been followed.
    seen: Option<LogMark>,
    /// The way and the log of the captain's last shot, and the cell. A captain that draws no lots would fire there again.
    last: Option<(usize, LogMark, Cell)>,
}

impl Turned {
    /// The captain, with the board laid in one of these ways.
    pub(crate) fn new(captain: Box<dyn Captain>, ways: impl IntoIterator<Item = Symmetry>) -> Self {
        let (name, ways) = (format!("{}{MARK}", captain.name()), ways.into_iter().collect());
        Self { name, captain, ways, logs: Vec::new(), open: Vec::new(), seen: None, last: None }
    }

    /// Brings the open ways up to date, and draws one of them.
    fn draw(&mut self, log: &ShotLog, rng: &mut GameRng) -> usize {
        if log.rules().salvo().withholds() {
            self.follow_turns(log, rng);
        } else {
            self.follow_all(log, rng);
        }
        if let [way] = self.open[..] { way } else { self.open[rng.random_range(0..self.open.len())] }
    }

    /// Follows the log from its first shot on: the captain chose each before it knew the answers that came after the turn.
    fn follow_turns(&mut self, log: &ShotLog, rng: &GameRng) {
        self.restart(log.rules());
        for (number, shot) in log.shots().iter().enumerate() {
            if self.open.len() == 1 {
                break;
            }
            self.drop_others(shot.cell, rng);
            let seen = log.seen_after(number + 1);
            self.open.iter().for_each(|&way| self.logs[way] = seen.turned(self.ways[way]));
        }
        self.open.iter().for_each(|&way| self.logs[way] = log.turned(self.ways[way]));
    }

    /// Follows the shots that are new.
    fn follow_all(&mut self, log: &ShotLog, rng: &GameRng) {
        let new = if let Some(new) = self.seen.and_then(|seen| log.since(seen)) {
            new
        } else {
            self.restart(log.rules());
            log.shots()
        };
        let before = log.len() - new.len();
        for (number, shot) in (before..).zip(new) {
            if self.open.len() > 1 {
                self.drop_others(shot.cell, rng);
            }
            self.open.iter().for_each(|&way| self.logs[way].follow(log, number + 1, self.ways[way]));
        }
        self.seen = Some(log.mark());
    }

    /// Opens all ways. The logs of the last game are used again, so that nothing is allocated.
    fn restart(&mut self, rules: &Rules) {
        if self.logs.first().is_none_or(|log| log.rules() != rules) {
            self.logs = vec![ShotLog::new(rules); self.ways.len()];
        }
        self.logs.iter_mut().filter(|log| !log.is_empty()).for_each(ShotLog::clear);
        self.open.clear();
        self.open.extend(0..self.ways.len());
        self.last = None;
    }

    /// Drops the ways in which the captain would have fired elsewhere. If it would have in all of them, somebody else has fired,
    /// and the shot tells nothing.
    fn drop_others(&mut self, cell: Cell, rng: &GameRng) {
        let fits = self.fitting(cell, rng);
        if fits.contains(&true) {
            let mut fits = fits.into_iter();
            self.open.retain(|_| fits.next().unwrap_or(true));
        }
    }

    /// For each open way, whether the captain would have fired at this cell.
    fn fitting(&mut self, cell: Cell, rng: &GameRng) -> Vec<bool> {
        let last = self.last.filter(|(way, mark, _)| self.logs[*way].mark() == *mark);
        let mut aims: Vec<(usize, Cell)> = last.map(|(way, _, aim)| (way, aim)).into_iter().collect();
        let mut fits = Vec::with_capacity(self.open.len());
        for &way in &self.open {
            let known = aims.iter().find(|(other, _)| self.logs[*other].shots() == self.logs[way].shots());
            let aim = if let Some(&(_, aim)) = known { aim } else { self.captain.aim(&self.logs[way], &mut rng.clone()) };
            aims.push((way, aim));
            fits.push(self.ways[way].cell(cell) == aim);
        }
        fits
    }
}

impl Captain for Turned {
    fn name(&self) -> &str {
        &self.name
    }

    fn aim(&mut self, log: &ShotLog, rng: &mut GameRng) -> Cell {
        let way = self.draw(log, rng);
        let cell = self.captain.aim(&self.logs[way], rng);
        self.last = Some((way, self.logs[way].mark(), cell));
        self.ways[way].inverse().cell(cell)
    }

    fn explain(&mut self, log: &ShotLog, rng: &mut GameRng) -> Reason {
        let number = self.draw(log, rng);
        let way = self.ways[number];
        let reason = self.captain.explain(&self.logs[number], rng);
        let grid = log.rules().grid();
        let scores = grid.cells().map(|cell| reason.scores[grid.index(way.cell(cell))]).collect();
        Reason { cell: way.inverse().cell(reason.cell), scores, ..reason }
    }

    fn remember(&mut self, layout: &Layout) {
        // The ways leave the captain's model as it is, so it may see the layout from any side.
        self.captain.remember(layout);
    }

    fn set_stop(&mut self, stop: &Stop) {
        self.captain.set_stop(stop);
    }

    fn set_budget(&mut self, budget: Budget) -> bool {
        self.captain.set_budget(budget)
    }

    fn was_out_of_reach(&self) -> bool {
        self.captain.was_out_of_reach()
    }

    fn turned_board(&mut self) -> Option<(&mut dyn Captain, &[Symmetry])> {
        Some((self.captain.as_mut(), &self.ways))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use broadside_odds::Dealer;
    use broadside_odds::oracle::each_layout;
    use broadside_rules::{Referee, Shot};
    use proptest::prelude::*;
    use rand::SeedableRng;

    use super::*;
    use crate::{ROSTER, captain};

    fn play(captain: &mut dyn Captain, rules: &Rules, layout: &Layout, rng: &mut GameRng) -> ShotLog {
        let mut referee = Referee::new(rules, layout.clone());
        while !referee.is_over() {
            referee.fire(captain.aim(referee.log(), rng)).unwrap();
        }
        referee.log().clone()
    }

    #[test]
    fn exactly_the_listed_captains_draw_lots() {
        let rules: Rules = "5x5 3,2 allowed ship".parse().unwrap();
        let mut dealer = Dealer::new(&rules);
        for info in ROSTER {
            let mut uses_generator = false;
            for seed in 0..5 {
                let mut rng = GameRng::seed_from_u64(seed);
                let layout = dealer.uniform(&mut rng).unwrap();
                let before = rng.clone();
                play(captain(info.name, &rules).unwrap().as_mut(), &rules, &layout, &mut rng);
                uses_generator |= rng != before;
            }
            assert_eq!(uses_generator, draws_lots(info.name), "{}", info.name);
            assert_eq!(captain(&format!("{}~", info.name), &rules).is_err(), draws_lots(info.name), "{}", info.name);
        }
        assert!(captain("admiral~~", &rules).is_err());
    }

    #[test]
    fn captains_for_people_turn_the_board_but_for_those_that_draw_lots_and_the_slow_one() {
        for info in ROSTER {
            let turned = turned_name(info.name);
            assert_eq!(turned.ends_with(MARK), !draws_lots(info.name) && info.name != SLOW, "{turned}");
        }
        assert_eq!(turned_name("exact"), "exact", "it may take a second for a shot, and would take several to try all ways");
        assert_eq!(turned_name("density~"), "density~");
        assert_eq!(turned_name("admiral@people"), "admiral@people~");
    }

    /// All games of a layout that the turned captain can play, each with its probability in lots.
    fn games(name: &str, rules: &Rules, layout: &Layout, seeds: u64) -> HashMap<String, u64> {
        let mut games = HashMap::new();
        for seed in 0..seeds {
            let mut rng = GameRng::seed_from_u64(seed);
            let log = play(captain(name, rules).unwrap().as_mut(), rules, layout, &mut rng);
            *games.entry(log.to_string()).or_default() += 1;
        }
        games
    }

    #[test]
    fn it_plays_the_games_of_the_turned_layouts_and_no_others() {
        for (text, name) in
            [("4x4 3,2 allowed ship", "density"), ("3x4 2,2 never bare", "admiral"), ("3x3 2 allowed every", "exact")]
        {
            let rules: Rules = text.parse().unwrap();
            let mut number = 0;
            each_layout(&rules, Budget::default(), &mut |layout| {
                number += 1;
                if number % 20 != 1 {
                    return;
                }
                let mut expected = HashMap::new();
                let ways = Symmetry::all(rules.grid());
                for way in ways.clone() {
                    let mut rng = GameRng::seed_from_u64(1);
                    let log = play(captain(name, &rules).unwrap().as_mut(), &rules, &way.layout(layout), &mut rng);
                    let back = log.shots().iter().map(|shot| Shot { cell: way.inverse().cell(shot.cell), ..*shot });
                    *expected.entry(ShotLog::from_shots(&rules, back).unwrap().to_string()).or_insert(0) += 1;
                }
                // Each way comes 64 times on average; six standard deviations are allowed.
                let (each, played) = (64, games(&format!("{name}~"), &rules, layout, 64 * ways.len() as u64));
                for (log, count) in &played {
                    let share = expected.get(log).copied().unwrap_or(0) * each;
                    assert!(
                        count.abs_diff(share) < 6 * share.isqrt() + 1,
                        "{text} {layout}: {log} came {count} times, not {share}"
                    );
                }
                assert_eq!(played.len(), expected.len(), "{text} {layout}");
            })
            .unwrap();
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]

        #[test]
        fn a_captain_made_anew_for_every_shot_plays_the_same_game(
            board in proptest::sample::select(vec!["classic", "russian", "sploosh", "7x9 4,3,2 corners silent", "12x12 5,4,3 allowed every"]),
            seed: u64,
        ) {
            let rules: Rules = board.parse().unwrap();
            let mut rng = GameRng::seed_from_u64(seed);
            let layout = Dealer::new(&rules).uniform(&mut rng).unwrap();
            let mut others = rng.clone();
            let stays = play(captain("density~", &rules).unwrap().as_mut(), &rules, &layout, &mut rng);
            let mut referee = Referee::new(&rules, layout);
            while !referee.is_over() {
                let mut anew = captain("density~", &rules).unwrap();
                let explained = anew.explain(referee.log(), &mut others.clone()).cell;
                let cell = anew.aim(referee.log(), &mut others);
                prop_assert_eq!(explained, cell);
                prop_assert_eq!(cell, stays.shots()[referee.log().len()].cell);
                referee.fire(cell).unwrap();
            }
        }
    }

    #[test]
    fn shots_of_somebody_else_are_taken_as_they_are() {
        let rules: Rules = "classic".parse().unwrap();
        let log = ShotLog::parse(&rules, "A1- J10- B7+").unwrap();
        let mut admiral = captain("admiral~", &rules).unwrap();
        for seed in 0..20 {
            let cell = admiral.aim(&log, &mut GameRng::seed_from_u64(seed));
            assert!(!log.fired().contains(cell));
        }
    }
}
