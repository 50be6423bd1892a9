//! How much a hider gains who knows a captain and searches for long: layouts are changed, mostly one ship at a time, by simulated annealing,
//! for so many minutes of processor time for each captain.
//!
//! A captain without random choices plays a layout alike in every game, so one game tells what the layout costs it. Of a captain that
//! turns the board, such as `density~`, the games for all ways of laying the board are played, so its mean is exact too. Names joined by
//! commas are a shooter who draws one of these captains for each game. What was found is told whenever a run found worse, and every three minutes.
//!
//! ```sh
//! cargo run --release -p broadside-lab --example known_captain -- classic 60 1 results/known_captain density density~ admiral~,density@people~
//! ```
//!
//! The folder keeps a file for each shooter, written anew after each run of the annealing, with the minutes used. So a search can be ended at any time, and
//! the same command goes on to the minutes asked for.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use broadside_captains::{Captain, GameRng, captain};
use broadside_lab::{generator, judge, with_ships_moved};
use broadside_odds::Dealer;
use broadside_rules::{Draft, Layout, Rules, Symmetry};
use rand::RngExt;
use serde::{Deserialize, Serialize};

/// Layouts that a run of the annealing looks at, and uniform layouts of which it starts with the worst.
const STEPS: u32 = 20_000;
const UNIFORM: usize = 500;

/// How much better for the captain a layout may be and still be taken, in shots and about: at the start of a run, at the start of one that goes on
/// from what was found before, and at the end.
const HOTTEST: f64 = 2.0;
const REHEATED: f64 = 0.7;
const COLDEST: f64 = 0.15;

/// So many layouts that runs found are kept to go on from.
const KEPT: usize = 12;

/// Minutes of processor time after which it is told that nothing worse came up.
const TELL_EVERY: f64 = 3.0;

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let rules: Rules = args.next().ok_or("which rules?")?.parse()?;
    let minutes: f64 = args.next().ok_or("how many minutes of processor time?")?.parse()?;
    let seed: u64 = args.next().ok_or("which seed?")?.parse()?;
    let folder = PathBuf::from(args.next().ok_or("which folder for what is found?")?);
    fs::create_dir_all(&folder)?;
    for name in args {
        let mut shooter = Shooter::new(&name, &rules)?;
        let (layout, shots) = search(&mut shooter, &rules, minutes, seed, &folder.join(format!("{name}.json")))?;
        println!("{name}: worst layout found {shots:.3}: {layout}");
        for (captain, all) in shooter.each_way(&layout) {
            let mean = all.iter().sum::<f64>() / all.len() as f64;
            println!("  {captain} for it, the board laid in each way: {all:?}, on average {mean:.3}");
        }
    }
    Ok(())
}

/// What a search found so far, as it is kept in a file.
#[derive(Default, Serialize, Deserialize)]
struct Search {
    rules: String,
    seed: u64,
    /// Minutes of processor time.
    minutes: f64,
    runs: u64,
    /// The worst layouts, the very worst first.
    found: Vec<Found>,
}

#[derive(Clone, Serialize, Deserialize)]
struct Found {
    layout: String,
    shots: f64,
}

impl Search {
    fn open(file: &Path, rules: &Rules, seed: u64) -> Result<Self, Box<dyn Error>> {
        let (rules, fresh) = (rules.to_string(), !file.exists());
        let search: Self = if fresh {
            Self { rules: rules.clone(), seed, ..Self::default() }
        } else {
            serde_json::from_slice(&fs::read(file)?)?
        };
        if (&search.rules, search.seed) != (&rules, seed) {
            return Err(format!("{} is a search with {} and seed {}", file.display(), search.rules, search.seed).into());
        }
        Ok(search)
    }

    /// In another file first, so that a search that is killed leaves a whole one.
    fn save(&self, file: &Path) -> Result<(), Box<dyn Error>> {
        let new = file.with_extension("new");
        fs::write(&new, serde_json::to_string_pretty(self)? + "\n")?;
        Ok(fs::rename(new, file)?)
    }

    fn layouts(&self, rules: &Rules) -> Result<Vec<(Layout, f64)>, Box<dyn Error>> {
        let read = |found: &Found| {
            let layout = found.layout.parse::<Draft>()?.check(rules).into_layout();
            Ok((layout.map_err(|_| format!("{} is no layout of {rules}", found.layout))?, found.shots))
        };
        self.found.iter().map(read).collect()
    }
}

/// Captains without random choices, and the ways in which the board is laid for each.
struct Shooter {
    rules: Rules,
    captains: Vec<(Box<dyn Captain>, Vec<Symmetry>)>,
    name: String,
}

impl Shooter {
    fn new(name: &str, rules: &Rules) -> Result<Self, Box<dyn Error>> {
        let mut captains = Vec::new();
        for name in name.split(',') {
            let all = rules.symmetries();
            let ways = if name.ends_with('~') { all.collect() } else { all.take(1).collect() };
            captains.push((captain(name.trim_end_matches('~'), rules)?, ways));
        }
        Ok(Self { rules: rules.clone(), captains, name: name.to_owned() })
    }

    /// The shots for the layout, over all captains and all ways of laying the board.
    fn shots(&mut self, layout: &Layout) -> f64 {
        let mut sum = 0.0;
        for (captain, ways) in &mut self.captains {
            sum += over_ways(captain.as_mut(), &self.rules, layout, ways).iter().sum::<f64>() / ways.len() as f64;
        }
        sum / self.captains.len() as f64
    }

    /// The shots of each captain for the layout, the board laid in each way.
    fn each_way(&mut self, layout: &Layout) -> Vec<(String, Vec<f64>)> {
        let ways: Vec<Symmetry> = self.rules.symmetries().collect();
        let rules = &self.rules;
        let of = |captain: &mut dyn Captain| (captain.name().to_owned(), over_ways(captain, rules, layout, &ways));
        self.captains.iter_mut().map(|(captain, _)| of(captain.as_mut())).collect()
    }
}

fn over_ways(captain: &mut dyn Captain, rules: &Rules, layout: &Layout, ways: &[Symmetry]) -> Vec<f64> {
    ways.iter().map(|way| judge(captain, rules, &way.layout(layout), 1, 1).mean).collect()
}

/// Runs of the annealing until the time is up; the worst layout of all. Every other run starts with a layout that an earlier one found, less
/// hot than a fresh one, and takes its place if it finds worse: what a run ends with is often a move or two away from something worse.
fn search(shooter: &mut Shooter, rules: &Rules, minutes: f64, seed: u64, file: &Path) -> Result<(Layout, f64), Box<dyn Error>> {
    let mut search = Search::open(file, rules, seed)?;
    let mut found = search.layouts(rules)?;
    let start = processor_minutes()? - search.minutes;
    let (mut told, mut told_at) = (search.found.first().map_or(0.0, |found| found.shots), search.minutes);
    while search.minutes < minutes {
        let mut rng = generator(seed, search.runs);
        let parent = (search.runs % 2 == 1).then(|| rng.random_range(0..found.len()));
        let (from, hottest) = match parent {
            Some(parent) => (found[parent].clone(), REHEATED),
            None => (worst_uniform(shooter, rules, &mut rng)?, HOTTEST),
        };
        keep(&mut found, parent, anneal(shooter, rules, from, hottest, &mut rng));
        search.runs += 1;
        search.minutes = processor_minutes()? - start;
        search.found = found.iter().map(|(layout, shots)| Found { layout: layout.to_string(), shots: *shots }).collect();
        search.save(file)?;
        let (layout, most) = &found[0];
        if *most > told || search.minutes - told_at >= TELL_EVERY {
            println!(
                "{}: {most:.3} after {:.1} minutes of processor time, {} runs: {layout}",
                shooter.name, search.minutes, search.runs
            );
            (told, told_at) = (*most, search.minutes);
        }
    }
    found.into_iter().next().ok_or_else(|| "no time to search".into())
}

/// Puts what a run found among the worst layouts, which stay sorted: in the place of the one that the run began with, or beside the others.
fn keep(found: &mut Vec<(Layout, f64)>, parent: Option<usize>, new: (Layout, f64)) {
    match parent {
        Some(parent) if new.1 > found[parent].1 => found[parent] = new,
        Some(_) => {}
        None => found.push(new),
    }
    found.sort_by(|a, b| b.1.total_cmp(&a.1));
    found.truncate(KEPT);
}

/// One run: the worst layout that it came by.
fn anneal(
    shooter: &mut Shooter,
    rules: &Rules,
    (mut layout, mut shots): (Layout, f64),
    hottest: f64,
    rng: &mut GameRng,
) -> (Layout, f64) {
    let mut worst = (layout.clone(), shots);
    for step in 0..STEPS {
        let Some(next) = with_ships_moved(&layout, rules, ships_to_move(rng), rng) else { continue };
        let cost = shooter.shots(&next);
        if cost >= shots || rng.random::<f64>() < ((cost - shots) / temperature(hottest, step)).exp() {
            (layout, shots) = (next, cost);
        }
        if shots > worst.1 {
            worst = (layout.clone(), shots);
        }
    }
    worst
}

/// Mostly one ship; at times two, which can change places, or three.
fn ships_to_move(rng: &mut GameRng) -> usize {
    match rng.random_range(0..10) {
        0 => 3,
        1 | 2 => 2,
        _ => 1,
    }
}

fn worst_uniform(shooter: &mut Shooter, rules: &Rules, rng: &mut GameRng) -> Result<(Layout, f64), Box<dyn Error>> {
    let mut dealer = Dealer::new(rules);
    let mut worst = dealer.uniform(rng)?;
    let mut shots = shooter.shots(&worst);
    for _ in 1..UNIFORM {
        let layout = dealer.uniform(rng)?;
        let cost = shooter.shots(&layout);
        if cost > shots {
            (worst, shots) = (layout, cost);
        }
    }
    Ok((worst, shots))
}

fn temperature(hottest: f64, step: u32) -> f64 {
    hottest * (COLDEST / hottest).powf(f64::from(step) / f64::from(STEPS))
}

/// The processor time of this thread, as Linux tells it.
fn processor_minutes() -> Result<f64, Box<dyn Error>> {
    let text = std::fs::read_to_string("/proc/self/schedstat")?;
    let nanoseconds: f64 = text.split_whitespace().next().ok_or("no processor time")?.parse()?;
    Ok(nanoseconds / 60e9)
}
