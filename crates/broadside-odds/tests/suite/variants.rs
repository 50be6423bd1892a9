//! The variants of the game against their definition: a listing of all layouts, each asked by a loop of its own.

use broadside_odds::{Budget, Dealer, Engine, Odds, OutOfReach, PlacementWeights, Touching, Transfer, odds, oracle};
use broadside_rules::{Census, Layout, Noise, Referee, Rocks, Rules, Salvo, Shot, ShotLog};
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::common::{self, played_log, small_rules};

/// Random cases of each variant; `BROADSIDE_VARIANTS=2000` runs the full claim.
fn cases() -> ProptestConfig {
    let cases = std::env::var("BROADSIDE_VARIANTS").map_or(150, |text| text.parse().expect("BROADSIDE_VARIANTS is a number"));
    ProptestConfig { max_local_rejects: u32::MAX, max_global_rejects: u32::MAX, ..ProptestConfig::with_cases(cases) }
}

/// All layouts by these rules, without a look at rocks.
fn layouts(rules: &Rules) -> Vec<Layout> {
    let open = rules.builder().with_rocks(Rocks::none()).build().expect("without rocks it fits all the more");
    let mut all = Vec::new();
    oracle::each_layout(&open, Budget::default(), &mut |layout| all.push(layout.clone())).expect("small boards are in reach");
    all
}

/// The same rules with one to three rocks; none if the fleet doesn't fit between them.
fn with_rocks(rules: &Rules, seed: u64) -> Option<Rules> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let rocks = (0..rng.random_range(1..=3)).filter_map(|_| rules.grid().cell(rng.random_range(0..rules.grid().len())));
    rules.builder().with_rocks(Rocks::new(rocks.collect::<Vec<_>>())).build().ok()
}

/// How many of the layouts fit a log, and how many of these cover each cell.
fn listed(all: &[Layout], log: &ShotLog) -> (u128, Vec<u128>) {
    let rules = log.rules();
    let clear = |layout: &&Layout| !layout.cells().iter().any(|cell| rules.is_rock(cell));
    let (mut count, mut cells) = (0, vec![0; rules.grid().len()]);
    for layout in all.iter().filter(clear).filter(|layout| oracle::fits(log, layout)) {
        count += 1;
        layout.cells().iter().for_each(|cell| cells[rules.grid().index(cell)] += 1);
    }
    (count, cells)
}

/// Whether a layout gives the answers of a log that are told, by counting ships that have no cell left. Its cells alone are looked at.
fn gives(layout: &Layout, log: &ShotLog) -> bool {
    let rules = log.rules();
    let answer = |number: usize| {
        let fired: Vec<_> = log.shots()[..=number].iter().map(|shot| shot.cell).collect();
        let Some(ship) = layout.ships().iter().find(|ship| ship.cells().any(|cell| cell == fired[number])) else {
            return "-".to_owned();
        };
        let (call, sinks) = (rules.call(), ship.cells().all(|cell| fired.contains(&cell)));
        let sign = if sinks && call.tells_sinking() { "#" } else { "+" };
        let tells_length = if sign == "#" { call.tells_length_on_sinking() } else { call.tells_length_on_hit() };
        if tells_length { format!("{sign}{}", ship.length()) } else { sign.to_owned() }
    };
    let told = |shot: &Shot| shot.answer.to_string();
    let each = log.shots().iter().enumerate().all(|(number, shot)| told(shot) == "?" || told(shot) == answer(number));
    // Of a turn that was called, the hits in any order.
    let sorted = |mut hits: Vec<String>| {
        hits.sort();
        hits
    };
    each && log.called_turns().iter().all(|turn| {
        let hits = turn.shots().map(answer).filter(|answer| answer != "-").collect();
        sorted(hits) == sorted(turn.call().answers().iter().map(ToString::to_string).collect())
    })
}

/// A log of a game with false answers, of shots at any cells, stopped at a random moment.
fn noisy_log(rules: &Rules, seed: u64) -> ShotLog {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let layout = Dealer::new(rules).uniform(&mut rng).expect("small boards can be dealt");
    let mut referee = Referee::new(rules, layout).with_noise_seed(rng.random());
    for _ in 0..rng.random_range(0..=2 * rules.grid().len()) {
        let cell = rules.grid().cell(rng.random_range(0..rules.grid().len())).expect("a cell");
        if !referee.is_over() && referee.log().can_fire_at(cell) {
            referee.fire(cell).expect("an allowed shot");
        }
    }
    referee.log().clone()
}

/// The chance that a layout gives the answers of a log that are told: shot after shot, as the rules of noise say it.
fn likelihood(layout: &Layout, log: &ShotLog) -> f64 {
    let (rules, wrong) = (log.rules(), log.rules().noise().chance());
    let (lengths, mut chance, mut fired) = (rules.fleet().lengths(), 1.0, Vec::new());
    let has_sunk = |cells: &[_]| layout.ships().iter().all(|ship| ship.cells().all(|cell| cells.contains(&cell)));
    for shot in log.shots() {
        let is_over = has_sunk(&fired);
        let ship = layout.ships().iter().find(|ship| ship.cells().any(|cell| cell == shot.cell));
        let afloat = |fired: &[_]| ship.is_some_and(|ship| !ship.cells().all(|cell| fired.contains(&cell)));
        let was_afloat = afloat(&fired);
        fired.push(shot.cell);
        let (told, call) = (shot.answer.to_string(), rules.call());
        if told == "?" {
            continue;
        }
        if is_over {
            return 0.0;
        }
        let sinks = if call.tells_sinking() { was_afloat && !afloat(&fired) } else { has_sunk(&fired) };
        let length = |tells: bool| ship.filter(|_| tells).map_or(String::new(), |ship| ship.length().to_string());
        chance *= match (ship.is_some(), sinks, &told[..1]) {
            (true, true, "#") => f64::from(u8::from(told[1..] == length(call.tells_length_on_sinking()))),
            (_, true, _) | (_, _, "#") => 0.0,
            (true, false, "+") => (1.0 - wrong) * f64::from(u8::from(told[1..] == length(call.tells_length_on_hit()))),
            (true, false, _) => wrong,
            (false, _, "-") => 1.0 - wrong,
            (false, ..) if !call.tells_length_on_hit() => wrong,
            (false, ..) => {
                let named = lengths.iter().filter(|length| length.to_string() == told[1..]).count();
                wrong * named as f64 / lengths.len() as f64
            }
        };
    }
    // The game goes on unless the end was called.
    let told: Vec<_> = log.shots().iter().filter(|shot| shot.answer.to_string() != "?").map(|shot| shot.cell).collect();
    if has_sunk(&told) && !log.is_over() { 0.0 } else { chance }
}

/// The chance of a ship on each cell, given the log; nothing where no layout can give it.
fn posterior(all: &[Layout], log: &ShotLog, weight: impl Fn(&Layout) -> f64) -> Option<Vec<f64>> {
    let grid = log.rules().grid();
    let (mut total, mut cells) = (0.0, vec![0.0; grid.len()]);
    for layout in all.iter().filter(|layout| !layout.cells().iter().any(|cell| log.rules().is_rock(cell))) {
        let chance = likelihood(layout, log) * weight(layout);
        total += chance;
        layout.cells().iter().for_each(|cell| cells[grid.index(cell)] += chance);
    }
    (total > 0.0).then(|| cells.into_iter().map(|sum| sum / total).collect())
}

/// Any rules of a small board with false answers.
fn noisy_rules() -> impl Strategy<Value = Rules> {
    let noise = prop_oneof![Just(500), 1u16..5000].prop_filter_map("noise", Noise::from_ten_thousandths);
    let salvo = prop_oneof![4 => Just("1"), 1 => Just("2"), 1 => Just("3:each"), 1 => Just("ships")];
    (small_rules(), noise, salvo, prop::option::of(any::<u64>())).prop_map(|(rules, noise, salvo, rocks)| {
        let rules = rocks.and_then(|seed| with_rocks(&rules, seed)).unwrap_or(rules);
        rules.with_salvo(salvo.parse().expect("a salvo")).with_noise(noise)
    })
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn with_false_answers_a_layout_is_as_likely_as_the_answers_are_with_it(rules in noisy_rules(), seed in any::<u64>()) {
        let (all, log) = (layouts(&rules), noisy_log(&rules, seed));
        let expected = posterior(&all, &log, |_| 1.0).expect("the true layout gives its answers");
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let found = odds(&log, Engine::Transfer, Budget::default(), 0, &mut rng).expect("in reach");
        prop_assert!(matches!(found, Odds::Weighted(_)));
        for (cell, chance) in rules.grid().cells().zip(&expected) {
            let error = (found.chance(cell) - chance).abs();
            prop_assert!(error < 1e-12, "{} of {} on {} {} {}", error, chance, cell, &rules, &log);
        }
        prop_assert_eq!(Engine::Oracle.count(&log, Budget::default()), Err(OutOfReach::FalseAnswers));
        let drawn = Transfer::new(Budget::default()).sample(&log, &mut rng, 3).expect("in reach");
        prop_assert!(drawn.len() == 3 && drawn.iter().all(|layout| likelihood(layout, &log) > 0.0), "{} {}", &rules, &log);
        // With a habit of the hider's, by a sweep and by a listing.
        let mut weights = PlacementWeights::from_cells(&rules, |cell| 1.0 + (cell.row() + 2 * cell.col()) as f64);
        for factor in [1.0, 0.5] {
            weights = weights.with_touching(Touching { side: factor, corner: 1.0 });
            let expected = posterior(&all, &log, |layout| weights.of_ships(layout.ships())).expect("as likely as before");
            let found = Transfer::new(Budget::default()).weigh(&log, &weights).expect("in reach");
            let worst = rules.grid().cells().zip(&expected).map(|(cell, chance)| (found.chance(cell) - chance).abs()).fold(0.0, f64::max);
            prop_assert!(worst < 1e-12, "{} on {} {}", worst, &rules, &log);
        }
    }

    #[test]
    fn within_a_turn_every_engine_counts_the_layouts_that_fit_what_was_told(
        rules in small_rules(), seed in any::<u64>(), shots in 2u8..=5, ships in any::<bool>(),
    ) {
        let salvo = if ships { "ships".to_owned() } else { shots.to_string() };
        let rules = rules.with_salvo(salvo.parse::<Salvo>().expect("a salvo"));
        let (all, log) = (layouts(&rules), played_log(&rules, seed));
        let (mut count, mut cells) = (0, vec![0; rules.grid().len()]);
        for layout in all.iter().filter(|layout| gives(layout, &log)) {
            count += 1;
            layout.cells().iter().for_each(|cell| cells[rules.grid().index(cell)] += 1);
        }
        prop_assert!(count > 0, "the true layout always fits");
        for &engine in Engine::ALL {
            let counts = common::count(engine, &log, Budget::default()).expect("in reach");
            prop_assert_eq!((counts.layouts(), counts.cells()), (count, &cells[..]), "{} on {} {}", engine, &rules, &log);
        }
    }

    #[test]
    fn of_called_turns_every_engine_counts_the_layouts_that_have_their_hits(
        rules in small_rules(), seed in any::<u64>(), shots in 2u8..=5, ships in any::<bool>(),
    ) {
        let salvo = if ships { "ships:count".to_owned() } else { format!("{shots}:count") };
        let rules = rules.with_salvo(salvo.parse::<Salvo>().expect("a salvo"));
        let (all, log) = (layouts(&rules), played_log(&rules, seed));
        let fitting: Vec<&Layout> = all.iter().filter(|layout| gives(layout, &log)).collect();
        let mut cells = vec![0; rules.grid().len()];
        for layout in &fitting {
            layout.cells().iter().for_each(|cell| cells[rules.grid().index(cell)] += 1);
        }
        prop_assert!(!fitting.is_empty(), "the true layout always fits");
        for &engine in Engine::ALL {
            let counts = common::count(engine, &log, Budget::default()).expect("in reach");
            prop_assert_eq!((counts.layouts(), counts.cells()), (fitting.len() as u128, &cells[..]), "{} on {} {}", engine, &rules, &log);
        }
        // The same along the game, with the cases of the turn before.
        let (mut transfer, mut rng) = (Transfer::new(Budget::default()), Xoshiro256PlusPlus::seed_from_u64(seed));
        for shots in 0..=log.len() {
            let seen = log.seen_after(shots);
            let expected = all.iter().filter(|layout| gives(layout, &seen)).count() as u128;
            prop_assert_eq!(transfer.count(&seen).expect("in reach").layouts(), expected, "{} {}", &rules, &seen);
        }
        let weighed = transfer.weigh(&log, &PlacementWeights::uniform()).expect("in reach");
        prop_assert!((weighed.layouts() - fitting.len() as f64).abs() < 1e-9 * fitting.len() as f64);
        prop_assert_eq!(transfer.list(&log, all.len()).map(|layouts| layouts.len()), Some(fitting.len()));
        let drawn = transfer.sample(&log, &mut rng, 3).expect("in reach");
        let weighted = transfer.sample_weighted(&log, &PlacementWeights::uniform(), &mut rng, 3).expect("in reach");
        prop_assert!(drawn.len() == 3 && weighted.len() == 3);
        prop_assert!(drawn.iter().chain(&weighted).all(|layout| gives(layout, &log)));
    }

    #[test]
    fn among_rocks_every_engine_counts_the_layouts_that_lie_on_none(rules in small_rules(), seed in any::<u64>()) {
        let Some(rules) = with_rocks(&rules, seed) else { return Err(TestCaseError::reject("no room")) };
        let (all, log) = (layouts(&rules), played_log(&rules, seed));
        let (count, cells) = listed(&all, &log);
        prop_assert!(count > 0, "the true layout always fits");
        for &engine in Engine::ALL {
            let counts = common::count(engine, &log, Budget::default()).expect("in reach");
            prop_assert_eq!((counts.layouts(), counts.cells()), (count, &cells[..]), "{} on {} {}", engine, &rules, &log);
        }
        let weighed = Transfer::new(Budget::default()).weigh(&log, &PlacementWeights::uniform()).expect("in reach");
        prop_assert!((weighed.layouts() - count as f64).abs() < 1e-9 * count as f64);
        let (empty, _) = listed(&all, &ShotLog::new(&rules));
        prop_assert_eq!(Census::new(&rules, 1_000_000).map(|census| census.layouts()), Ok(empty));
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let drawn = Transfer::new(Budget::default()).sample(&log, &mut rng, 5).expect("in reach");
        prop_assert!(drawn.iter().all(|layout| oracle::fits(&log, layout)), "{} {}", &rules, &log);
        prop_assert!(Dealer::new(&rules).sequential(&mut rng).is_ok());
    }
}

/// Estimates of logs with called turns against the exact counts, on a board where both can be had: 32 runs of eight cases each.
#[test]
fn estimates_of_called_turns_are_as_far_off_as_they_say() {
    let rules: Rules = "6x6 4,3,2 allowed ship salvo=4:count".parse().unwrap();
    let (mut squares, mut number, mut layouts, mut logs) = (0.0, 0, 0.0, 0u64);
    for log in (0..40).map(|seed| played_log(&rules, seed)).filter(|log| !log.called_turns().is_empty()) {
        let counts = Transfer::new(Budget::default()).count(&log).expect("in reach");
        let rough = broadside_odds::estimate(&log, 0, &mut Xoshiro256PlusPlus::seed_from_u64(logs)).expect("some layout fits");
        let off = |exact: f64, rough: broadside_odds::Estimate| (rough.mean - exact) / rough.std_err;
        for cell in rules.grid().cells().filter(|&cell| rough.chance(cell).std_err > 1e-9) {
            squares += off(counts.chance(cell), rough.chance(cell)).powi(2);
            number += 1;
        }
        if rough.layouts().std_err > 1e-9 * rough.layouts().mean {
            layouts += off(counts.layouts() as f64, rough.layouts()).powi(2);
            logs += 1;
        } else {
            assert!((rough.layouts().mean / counts.layouts() as f64 - 1.0).abs() < 1e-9, "few cases are counted, not drawn");
        }
    }
    assert!(logs >= 10 && number >= 200, "{logs} logs and {number} cells whose estimates can be off");
    let (cells, layouts) = (squares / f64::from(number), layouts / logs as f64);
    assert!((0.3..2.5).contains(&cells) && layouts < 3.0, "squared errors in units of those stated: {cells:.2}, {layouts:.2}");
}

#[test]
fn sinkings_that_no_layout_gives_are_explained_whatever_the_answers_beside_them() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut impossible = |rules: &str, shots: &str| {
        let log = ShotLog::parse(&rules.parse().expect("rules"), shots).expect("a log");
        odds(&log, Engine::Transfer, Budget::default(), 0, &mut rng).map_err(|error| error.to_string())
    };
    let error = impossible("3x3 2 allowed ship noise=0.1", "A1- B2- C3#2").expect_err("no ship of two lies there");
    assert!(error.starts_with("no layout is left after shot 3, C3#2"), "{error}");
    let error = impossible("1x3 2 allowed silent noise=0.1", "A1- A2+ A3-").expect_err("every cell was fired at");
    assert!(error.starts_with("no layout is left after shot 3, A3-"), "{error}");
    assert!(impossible("1x3 2 allowed silent noise=0.1", "A1- A2+ A3#").is_ok());
    assert!(impossible("1x3 2 allowed silent noise=0.0001", "A1- A1- A2- A2- A2- A2-").is_ok(), "unlikely is not impossible");
}
