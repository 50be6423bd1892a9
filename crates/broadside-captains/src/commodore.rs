//! `commodore`: fires as `admiral` does until two ships are left, and from then on hunts where the fewest shots are left to go.
//!
//! With two ships left, the layouts that fit the log can be listed. While no ship is known, each of the leading cells is tried on them: fire there, and let
//! `admiral` play on. The cells are those that `admiral` values most and those with the highest chances. They race: all are
//! tried on a few layouts, those that are certainly worse drop out, and the rest are compared on every layout, so
//! the winner is the best of them exactly. With a ship hit, where little is to be gained, where there are more layouts than that takes
//! time for, and where the log doesn't tell how many ships are left, it fires as `admiral` does.
//!
//! `docs/admiral.md` says what it is worth.

use std::collections::HashMap;

use broadside_odds::{Budget, Transfer};
use broadside_rules::{Cell, Rules, Shot, ShotLog, Stop, Stopped};
use rand::SeedableRng;
use rand::seq::SliceRandom;

use crate::bits::Bits;
use crate::registry::admiral;
use crate::shots_to_go::{Boards, Player, Sums};
use crate::{Captain, GameRng, Mode, Reason};

/// From so many ships left on it looks to the end of the game.
const SHIPS: usize = 2;

/// So many layouts at most: a shot takes less than a tenth of a second.
const LAYOUTS: usize = 6000;

/// So many cells by `admiral`'s own ranking, and as many by their chances.
const CANDIDATES: usize = 12;

/// The layouts after which cells drop out. The rest are compared on all.
const STAGES: [usize; 3] = [64, 256, 1024];

/// A cell drops out when the leader is better by so many standard errors.
const DROP: f64 = 2.0;

/// So many cells at most go into the last stage.
const FINALISTS: usize = 4;

/// So many choices are remembered: some megabytes. On small boards the same logs come up again and again.
const KNOWN: usize = 1 << 14;

/// A captain that looks to the end of the game.
pub(crate) struct Commodore<B> {
    admiral: Box<dyn Captain>,
    transfer: Transfer,
    player: Player,
    boards: Boards<B>,
    stop: Stop,
    /// The choices for logs that came up before.
    known: HashMap<Vec<Shot>, Cell>,
}

/// What a look to the end of the game has found.
struct Choice {
    best: Cell,
    /// The mean shots to go of each cell, as far as it was played.
    cells: Vec<(Cell, f64)>,
    layouts: usize,
}

impl<B: Bits> Commodore<B> {
    pub(crate) fn new(rules: &Rules) -> Self {
        let log = ShotLog::new(rules);
        Self {
            admiral: admiral(rules),
            transfer: Transfer::new(Budget { bytes: 1 << 20, steps: 0 }),
            player: Player::new(&log, admiral(rules)),
            boards: Boards::new(rules),
            stop: Stop::never(),
            known: HashMap::new(),
        }
    }

    /// The best cell, where that can be said; `None` where `admiral` is followed.
    fn choose(&mut self, log: &ShotLog) -> Option<Choice> {
        if log.rules().salvo().withholds() || ships_left(log).is_none_or(|ships| ships > SHIPS) {
            return None;
        }
        let own = self.admiral.explain(log, &mut GameRng::seed_from_u64(0));
        if own.mode == Mode::Target {
            return None;
        }
        let mut layouts = self.transfer.list(log, LAYOUTS)?;
        // Any few of them are then a fair sample; always the same, since a captain's choice follows from the log.
        layouts.shuffle(&mut GameRng::seed_from_u64(log.len() as u64));
        self.boards.clear();
        self.boards.extend(&layouts);
        let cells = self.candidates(log, &own);
        if cells.len() < 2 {
            return None;
        }
        self.race(log, &cells).ok()
    }

    /// `admiral`'s own cell first, then its next ones and those with the highest chances.
    fn candidates(&self, log: &ShotLog, own: &Reason) -> Vec<Cell> {
        let grid = log.rules().grid();
        let covered = self.boards.covered();
        let open = || grid.cells().filter(|&cell| covered[grid.index(cell)] > 0 && !log.fired().contains(cell));
        let top = |worth: &dyn Fn(Cell) -> f64| {
            let mut cells: Vec<Cell> = open().collect();
            cells.sort_by(|&a, &b| worth(b).total_cmp(&worth(a)));
            cells.into_iter().take(CANDIDATES)
        };
        let by_score = top(&|cell| own.scores[grid.index(cell)].unwrap_or(0.0));
        let by_chance = top(&|cell| f64::from(covered[grid.index(cell)]));
        let mut cells = vec![own.cell];
        for cell in by_score.chain(by_chance) {
            if !cells.contains(&cell) {
                cells.push(cell);
            }
        }
        cells
    }

    /// Lets the cells race. The first one, `admiral`'s, stays to the end and wins ties.
    fn race(&mut self, log: &ShotLog, cells: &[Cell]) -> Result<Choice, Stopped> {
        self.player.start(log);
        let (all, mut sums) = (self.boards.len(), Sums::new(cells.len()));
        let mut running: Vec<usize> = (0..cells.len()).collect();
        let mut from = 0;
        for to in STAGES.into_iter().filter(|&stage| 2 * stage < all).chain([all]) {
            self.play(cells, &running, from..to, &mut sums)?;
            drop_the_worse(&sums, &mut running, if to == all { usize::MAX } else { FINALISTS.max(all / to) });
            from = to;
        }
        let mean = |&cell: &usize| sums.mean(cell).mean;
        let best = running.iter().copied().min_by(|a, b| mean(a).total_cmp(&mean(b))).unwrap_or(0);
        let cells: Vec<(Cell, f64)> = cells.iter().enumerate().map(|(number, &cell)| (cell, mean(&number))).collect();
        Ok(Choice { best: cells[best].0, cells, layouts: all })
    }

    /// Plays some of the cells on some of the layouts.
    fn play(
        &mut self,
        cells: &[Cell],
        running: &[usize],
        boards: std::ops::Range<usize>,
        sums: &mut Sums,
    ) -> Result<(), Stopped> {
        let cells: Vec<Cell> = running.iter().map(|&number| cells[number]).collect();
        let shots = self.player.play(&self.boards, boards.clone(), &cells, &self.stop)?;
        (0..boards.len()).for_each(|board| sums.add(running, |place| shots[place][board]));
        Ok(())
    }
}

/// Drops the cells that are certainly worse than the leader, and the last of the others if they are too many. The first
/// cell stays.
fn drop_the_worse(sums: &Sums, running: &mut Vec<usize>, most: usize) {
    let mean = |&cell: &usize| sums.mean(cell).mean;
    let Some(best) = running.iter().copied().min_by(|a, b| mean(a).total_cmp(&mean(b))) else { return };
    running.retain(|&cell| {
        let loss = sums.difference(cell, best);
        cell == 0 || loss.mean <= DROP * loss.std_err
    });
    if running.len() > most {
        running.sort_by(|a, b| (*a != 0).cmp(&(*b != 0)).then(mean(a).total_cmp(&mean(b))));
        running.truncate(most);
        running.sort_unstable();
    }
}

/// How many ships are left, where the log tells.
fn ships_left(log: &ShotLog) -> Option<usize> {
    log.rules().call().tells_sinking().then(|| log.rules().fleet().len() - log.sinkings())
}

impl<B: Bits> Captain for Commodore<B> {
    fn name(&self) -> &'static str {
        "commodore"
    }

    fn aim(&mut self, log: &ShotLog, rng: &mut GameRng) -> Cell {
        if let Some(&cell) = self.known.get(log.shots()) {
            return cell;
        }
        let Some(choice) = self.choose(log) else { return self.admiral.aim(log, rng) };
        if self.known.len() < KNOWN {
            self.known.insert(log.shots().to_vec(), choice.best);
        }
        choice.best
    }

    fn explain(&mut self, log: &ShotLog, rng: &mut GameRng) -> Reason {
        let own = self.admiral.explain(log, rng);
        let Some(choice) = self.choose(log) else { return own };
        let grid = log.rules().grid();
        let shots = |cell: Cell| choice.cells.iter().find(|(other, _)| *other == cell).map(|&(_, mean)| mean);
        let best = shots(choice.best).unwrap_or_default();
        // The fewer shots, the better; one cell less than the best loses its part.
        let scores = grid.cells().map(|cell| shots(cell).map(|mean| 1.0 / (1.0 + mean - best).max(1.0))).collect();
        let against = match shots(own.cell) {
            Some(mean) if own.cell != choice.best => format!("; admiral's {} leaves {mean:.3}", own.cell),
            _ => "; admiral fires there too".to_owned(),
        };
        let words = format!("leaves {best:.3} shots to go on the {} layouts that fit{against}", choice.layouts);
        Reason { cell: choice.best, mode: own.mode, scores, words }
    }

    fn set_stop(&mut self, stop: &Stop) {
        self.stop = stop.clone();
    }
}

#[cfg(test)]
mod tests {
    use broadside_rules::{Draft, Referee};

    use super::*;
    use crate::bits::Wide;
    use crate::captain;

    fn explain(rules: &str, shots: &str) -> (Reason, Reason) {
        let rules: Rules = rules.parse().unwrap();
        let log = ShotLog::parse(&rules, shots).unwrap();
        let by = |name| captain(name, &rules).unwrap().explain(&log, &mut GameRng::seed_from_u64(1));
        (by("commodore"), by("admiral"))
    }

    #[test]
    fn with_more_than_two_ships_left_it_is_the_admiral() {
        for shots in ["", "E5+ E6-", "A1+ A2#2 C3-"] {
            let (commodore, admiral) = explain("classic", shots);
            assert_eq!(commodore, admiral);
        }
    }

    #[test]
    fn no_cell_leaves_fewer_shots_than_its_choice() {
        let shots = "A1+ A2#2 C3+ C4+ C5#3 E5- G7- H2+ H3+ H4#3 B8- F9- D7- I6-";
        let (reason, admiral) = explain("classic", shots);
        assert!(reason.words.starts_with("leaves "), "{}", reason.words);
        let best = reason.scores.iter().flatten().copied().fold(0.0, f64::max);
        let grid = "classic".parse::<Rules>().unwrap().grid();
        assert!((reason.scores[grid.index(reason.cell)].unwrap() - best).abs() < 1e-12);
        assert!(reason.scores[grid.index(admiral.cell)].is_some());
    }

    #[test]
    fn wide_boards_give_the_same_game() {
        let rules: Rules = "5x5 3,2 allowed ship".parse().unwrap();
        let layout = "B2-B4 E4-E5".parse::<Draft>().unwrap().check(&rules).into_layout().unwrap();
        let play = |captain: &mut dyn Captain| {
            let (mut referee, mut rng) = (Referee::new(&rules, layout.clone()), GameRng::seed_from_u64(1));
            while !referee.is_over() {
                let cell = captain.aim(referee.log(), &mut rng);
                referee.fire(cell).unwrap();
            }
            referee.log().to_string()
        };
        let narrow = play(&mut Commodore::<u128>::new(&rules));
        assert_eq!(narrow, play(&mut Commodore::<Wide<2>>::new(&rules)));
    }

    #[test]
    fn a_stopped_shot_is_that_of_the_admiral() {
        let rules: Rules = "6x6 3,2 allowed ship".parse().unwrap();
        let (mut captain, stop) = (captain("commodore", &rules).unwrap(), Stop::new());
        captain.set_stop(&stop);
        stop.stop();
        let log = ShotLog::new(&rules);
        let mut rng = GameRng::seed_from_u64(1);
        assert_eq!(captain.aim(&log, &mut rng), crate::captain("admiral", &rules).unwrap().aim(&log, &mut rng));
    }
}
