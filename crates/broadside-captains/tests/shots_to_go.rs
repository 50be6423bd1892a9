//! Shots to go against an enumeration that shares nothing with them but the captain: every layout of the board is
//! listed, the log is replayed on it by the referee, and the game is played to its end.
//!
//! The long form:
//! `BROADSIDE_ALL=1 BROADSIDE_POSITIONS=2000 BROADSIDE_FEW=1000 BROADSIDE_PLAYOUTS=100000 cargo test --release -p broadside-captains --test shots_to_go`.

use std::collections::BTreeSet;

use broadside_captains::shots_to_go::{Error, Method, Report, Settings, ShotsToGo};
use broadside_captains::{Captain, GameRng, captain};
use broadside_odds::{Budget, Dealer, PlacementWeights, oracle};
use broadside_rules::{Cell, Layout, Referee, Rules, ShotLog, Stop};
use broadside_solve::Solver;
use num_rational::Ratio;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};

/// A number from the environment.
fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |text| text.parse().unwrap_or_else(|_| panic!("{name} is a number")))
}

fn positions(default: u64) -> u64 {
    number("BROADSIDE_POSITIONS", default)
}

fn run(log: &ShotLog, settings: &Settings, playouts: u64) -> Report {
    let never = Stop::never();
    ShotsToGo::new(log, settings, &never).unwrap().run(playouts, &never).unwrap()
}

/// With `admiral` playing on, all layouts listed or none.
fn admiral(listed: usize) -> Settings {
    Settings { listed, best_play: false, candidates: 100, ..Settings::default() }
}

/// The layouts of a board.
fn all_layouts(rules: &Rules) -> Vec<Layout> {
    let mut all = Vec::new();
    oracle::each_layout(rules, Budget::default(), &mut |layout| all.push(layout.clone())).unwrap();
    all
}

/// The log after shots at these cells.
fn log_of(rules: &Rules, layout: &Layout, cells: impl IntoIterator<Item = Cell>) -> ShotLog {
    let mut referee = Referee::new(rules, layout.clone());
    cells.into_iter().for_each(|cell| _ = referee.fire(cell));
    referee.log().clone()
}

/// A position with so many random shots at most, and a ship left.
fn random_position(rules: &Rules, rng: &mut GameRng, most: usize) -> ShotLog {
    let layout = Dealer::new(rules).uniform(rng).unwrap();
    let mut cells: Vec<Cell> = rules.grid().cells().collect();
    cells.shuffle(rng);
    cells.truncate(rng.random_range(0..=most));
    let mut log = log_of(rules, &layout, cells);
    if log.is_over() {
        log.pop();
    }
    log
}

/// A board whose layouts are all known, and the captain that plays on it.
struct Enumeration {
    layouts: Vec<Layout>,
    admiral: Box<dyn Captain>,
}

impl Enumeration {
    fn new(rules: &Rules) -> Self {
        Self { layouts: all_layouts(rules), admiral: captain("admiral", rules).unwrap() }
    }

    /// The layouts that fit a log.
    fn fitting(&self, log: &ShotLog) -> Vec<Layout> {
        self.layouts.iter().filter(|layout| oracle::fits(log, layout)).cloned().collect()
    }

    /// The shots to go of a cell on a layout that fits the log, by the definition.
    fn shots(&mut self, log: &ShotLog, layout: &Layout, cell: Cell) -> u64 {
        let (mut referee, mut rng) = (Referee::new(log.rules(), layout.clone()), GameRng::seed_from_u64(1));
        log.shots().iter().for_each(|shot| _ = referee.fire(shot.cell));
        referee.fire(cell).unwrap();
        while !referee.is_over() {
            referee.fire(self.admiral.aim(referee.log(), &mut rng)).unwrap();
        }
        (referee.log().len() - log.len()) as u64
    }

    /// The mean over the layouts that fit.
    fn shots_to_go(&mut self, log: &ShotLog, fitting: &[Layout], cell: Cell) -> Ratio<u64> {
        Ratio::new(fitting.iter().map(|layout| self.shots(log, layout, cell)).sum(), fitting.len() as u64)
    }

    /// The same if a layout is as likely as its weight.
    fn weighted(&mut self, log: &ShotLog, weights: &PlacementWeights, cell: Cell) -> f64 {
        let (mut total, mut sum) = (0.0, 0.0);
        for layout in self.fitting(log) {
            let weight = layout.ships().iter().map(|&ship| weights.get(ship)).product::<f64>();
            total += weight;
            sum += weight * self.shots(log, &layout, cell) as f64;
        }
        sum / total
    }

    fn check_listing(&mut self, log: &ShotLog) {
        let (report, fitting) = (run(log, &admiral(usize::MAX), 1), self.fitting(log));
        assert_eq!((report.method, report.settled), (Method::Listed, true));
        assert_eq!(report.playouts, fitting.len() as u64);
        for cell in &report.cells {
            assert_eq!(cell.exact, Some(self.shots_to_go(log, &fitting, cell.cell)), "{} after {log}", cell.cell);
        }
        let least = report.cells.iter().map(|cell| cell.exact.unwrap()).min();
        assert_eq!(report.exact, least);
        assert!(report.best.iter().all(|&cell| report.cell(cell).unwrap().exact == least));
        let seen: BTreeSet<Cell> = report.cells.iter().map(|cell| cell.cell).collect();
        let possible = |cell: &Cell| !log.fired().contains(*cell) && fitting.iter().any(|layout| layout.ship_at(*cell).is_some());
        assert_eq!(seen, log.rules().grid().cells().filter(possible).collect());
    }
}

#[test]
fn listing_equals_an_enumeration_at_every_position_of_a_small_board() {
    let rules: Rules = "3x4 3,2 allowed ship".parse().unwrap();
    let (mut enumeration, cells) = (Enumeration::new(&rules), rules.grid().cells().collect::<Vec<_>>());
    let mut logs = BTreeSet::new();
    for (layout, fired) in
        enumeration.layouts.iter().flat_map(|layout| (0_u32..1 << cells.len()).map(move |fired| (layout, fired)))
    {
        // Cells are fired at in reading order, so that a position comes up once; of many, some are taken by their number.
        if number("BROADSIDE_ALL", 0) == 1 || fired % 1021 == 7 {
            let log = log_of(&rules, layout, (0..cells.len()).filter(|i| fired >> i & 1 == 1).map(|i| cells[i]));
            if !log.is_over() {
                logs.insert(log.to_string());
            }
        }
    }
    for text in &logs {
        enumeration.check_listing(&ShotLog::parse(&rules, text).unwrap());
    }
    println!("{} positions", logs.len());
    assert!(logs.len() > 100, "{}", logs.len());
}

#[test]
fn listing_equals_an_enumeration_at_random_positions() {
    let texts =
        ["4x4 3,2 allowed ship", "5x5 3,2 allowed ship", "4x4 2,1 never ship", "4x4 3,2 corners every", "4x4 2,2 allowed silent"];
    for (text, most) in texts.into_iter().zip([12, 18, 12, 12, 12]) {
        let rules: Rules = text.parse().unwrap();
        let (mut enumeration, mut rng) = (Enumeration::new(&rules), GameRng::seed_from_u64(16));
        for _ in 0..positions(6) {
            enumeration.check_listing(&random_position(&rules, &mut rng, most));
        }
    }
}

#[test]
fn best_play_equals_the_solver() {
    for text in
        ["3x4 3,2 allowed ship", "4x4 3,2 allowed ship", "5x5 3,2 allowed ship", "3x4 2,2 corners bare", "3x4 2,1 never silent"]
    {
        let (rules, mut rng): (Rules, _) = (text.parse().unwrap(), GameRng::seed_from_u64(17));
        let mut solved = 0;
        for _ in 0..positions(10) {
            let log = random_position(&rules, &mut rng, rules.grid().len() * 2 / 3);
            let report = run(&log, &Settings::default(), 1);
            if report.method == Method::BestPlay {
                let solution = Solver::new(&log, Budget::default()).unwrap().solve(&mut |_| {}).unwrap();
                assert_eq!(report.exact, Some(solution.expected()), "{log}");
                assert_eq!(report.best, solution.best_shots, "{log}");
                solved += 1;
            }
        }
        assert!(solved > 0, "{text}");
    }
}

/// Shares of intervals that should hold the true value 95 times in 100, allowing for so many cases.
fn check_coverage(held: u64, cases: u64) {
    let share = held as f64 / cases as f64;
    let noise = 3.0 * (0.95 * 0.05 / cases as f64).sqrt();
    assert!((0.93 - noise..=0.97 + noise).contains(&share), "{held} of {cases}");
}

#[test]
fn samples_are_within_their_stated_error() {
    let (mut cases, mut held, mut rng) = (0, 0, GameRng::seed_from_u64(18));
    let rules: Rules = "5x5 3,2 allowed ship".parse().unwrap();
    while cases < positions(20) {
        let log = random_position(&rules, &mut rng, 6);
        let exact = run(&log, &admiral(usize::MAX), 1);
        if exact.playouts < 60 {
            continue;
        }
        let settings = Settings { seed: cases, candidates: 6, ..admiral(0) };
        let report = run(&log, &settings, 1000);
        let best = exact.cell(report.best[0]).unwrap();
        cases += 1;
        held += u64::from((report.shots_to_go - best.shots_to_go).abs() <= 1.96 * report.std_err);
    }
    println!("shots to go: {held} of {cases} within 1.96 standard errors");
    check_coverage(held, cases);
}

#[test]
fn losses_are_within_their_stated_error() {
    let (mut cases, mut held, mut rng) = (0, 0, GameRng::seed_from_u64(19));
    let rules: Rules = "5x5 3,2 allowed ship".parse().unwrap();
    while cases < positions(20) {
        let log = random_position(&rules, &mut rng, 6);
        let exact = run(&log, &admiral(usize::MAX), 1);
        let report = run(&log, &Settings { seed: cases, candidates: 5, ..admiral(0) }, 1000);
        let best = exact.cell(report.best[0]).unwrap();
        // The last of the leading two, which is not always the one that looks second best.
        let Some(other) = report.cells.iter().filter(|cell| cell.cell != report.best[0]).min_by_key(|cell| cell.cell) else {
            continue;
        };
        if exact.playouts < 60 || other.dropped {
            continue;
        }
        let loss = exact.cell(other.cell).unwrap().shots_to_go - best.shots_to_go;
        cases += 1;
        held += u64::from((other.loss - loss).abs() <= 1.96 * other.loss_std_err);
    }
    println!("losses: {held} of {cases} within 1.96 standard errors");
    check_coverage(held, cases);
}

#[test]
fn the_chosen_best_is_not_flattered() {
    let (rules, mut rng): (Rules, _) = ("classic".parse().unwrap(), GameRng::seed_from_u64(20));
    let (few, many, games) = (number("BROADSIDE_FEW", 100), number("BROADSIDE_PLAYOUTS", 500), positions(8));
    let mut deviations = Vec::new();
    for seed in 0..games {
        let log = random_position(&rules, &mut rng, 40);
        let short = run(&log, &Settings { seed, candidates: 8, ..admiral(0) }, few);
        let best = short.best[0];
        let settings = Settings { seed: seed + (1 << 32), candidates: 1, watched: Some(best), ..admiral(0) };
        deviations.push(short.shots_to_go - run(&log, &settings, many).cell(best).unwrap().shots_to_go);
    }
    let n = games as f64;
    let mean = deviations.iter().sum::<f64>() / n;
    let std_err = (deviations.iter().map(|d| (d - mean).powi(2)).sum::<f64>() / (n - 1.0) / n).sqrt();
    println!("mean deviation {mean:.4} ± {std_err:.4} over {games} positions, {few} playouts against {many}");
    assert!(mean.abs() <= 4.0 * std_err, "{mean} ± {std_err}");
}

#[test]
fn the_same_playouts_say_the_same_on_any_number_of_threads() {
    for text in ["classic", "russian", "10x10 4,3 allowed silent"] {
        let rules: Rules = text.parse().unwrap();
        let log = random_position(&rules, &mut GameRng::seed_from_u64(3), 30);
        let one = run(&log, &Settings { threads: 1, ..admiral(0) }, 300);
        let three = run(&log, &Settings { threads: 3, ..admiral(0) }, 300);
        assert_eq!(one, three, "{text}");
        assert_eq!(one.playouts, 300);
    }
}

#[test]
fn a_stopped_round_leaves_no_trace() {
    let log = ShotLog::parse(&"classic".parse().unwrap(), "E5+ D4-").unwrap();
    let (never, stopped) = (Stop::never(), Stop::new());
    stopped.stop();
    let mut shots_to_go = ShotsToGo::new(&log, &admiral(0), &never).unwrap();
    assert!(shots_to_go.look().is_none());
    assert!(shots_to_go.refine(200, &stopped).is_err());
    assert!(shots_to_go.refine(200, &never).unwrap());
    let first = shots_to_go.look();
    assert!(shots_to_go.refine(200, &stopped).is_err());
    assert_eq!(shots_to_go.look(), first);
    assert_eq!(shots_to_go.run(200, &never).unwrap(), run(&log, &admiral(0), 200));
    assert!(ShotsToGo::new(&log, &admiral(0), &stopped).is_err());
}

#[test]
fn a_finished_game_and_an_impossible_one() {
    let rules: Rules = "1x4 2 allowed ship".parse().unwrap();
    let over = run(&ShotLog::parse(&rules, "A1+ A2#2").unwrap(), &Settings::default(), 10);
    assert_eq!((over.exact, over.best.len(), over.settled), (Some(Ratio::new(0, 1)), 0, true));
    let impossible = ShotLog::parse(&rules, "A2- A3-").unwrap();
    assert_eq!(ShotsToGo::new(&impossible, &Settings::default(), &Stop::never()).err(), Some(Error::Impossible));
}

#[test]
fn a_watched_cell_is_compared_and_never_dropped() {
    let log = ShotLog::parse(&"classic".parse().unwrap(), "E5+").unwrap();
    let corner: Cell = "A1".parse().unwrap();
    let report = run(&log, &Settings { watched: Some(corner), candidates: 4, ..admiral(0) }, 4000);
    assert_eq!(report.cells.len(), 5);
    let watched = report.cell(corner).unwrap();
    assert!(!watched.dropped && watched.loss > 0.2, "{watched:?}");
}

#[test]
fn with_weights_layouts_are_drawn_as_often_as_they_say() {
    for (text, shots) in [("4x4 3,2 allowed ship", ""), ("4x4 3,2 allowed ship", "B2+"), ("4x5 3,2 never ship", "C3-")] {
        let log = ShotLog::parse(&text.parse::<Rules>().unwrap(), shots).unwrap();
        let mut enumeration = Enumeration::new(log.rules());
        let weights = PlacementWeights::edges(log.rules());
        let settings = Settings { candidates: 3, weights: Some(weights.clone().into()), ..Settings::default() };
        let report = run(&log, &settings, 4000);
        assert!(!report.is_exact());
        for cell in report.cells.iter().filter(|cell| !cell.dropped) {
            let expected = enumeration.weighted(&log, &weights, cell.cell);
            // Five standard errors, and a little for cells whose layouts hardly differ.
            assert!((cell.shots_to_go - expected).abs() < 5.0 * cell.std_err + 0.01, "{text} {shots} {cell:?}: {expected}");
        }
    }
}

#[test]
fn weights_that_no_layout_fits_are_impossible() {
    let rules: Rules = "1x3 2 allowed ship".parse().unwrap();
    let weights = PlacementWeights::parse(&rules, "A1-A2 0").unwrap();
    let settings = Settings { weights: Some(weights.into()), ..Settings::default() };
    let log = ShotLog::parse(&rules, "A1+").unwrap();
    assert!(matches!(ShotsToGo::new(&log, &settings, &Stop::never()), Err(Error::Impossible)));
}
