//! Makes the table of openings that the captain `exact` starts from.
//!
//! `exact_openings RULES POSITIONS FILE`: counts the positions that `exact` can meet, those with the most layouts left first, until so many
//! are known, and prints the table. So the table has every position of its games with at least some number of layouts, which is told at the end:
//! these are the positions met most often, and the slowest to count. What was counted is kept in that file, a line for each position, from
//! which the next run goes on.
//!
//! ```sh
//! cargo run --release -p broadside-tools --bin exact_openings -- russian 4000 target/counted.txt > crates/broadside-captains/src/openings/russian.txt
//! ```

use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, BinaryHeap, HashMap};
use std::error::Error;
use std::fs::{self, OpenOptions};
use std::io::Write;

use broadside_odds::{Budget, Counts, OutOfReach, Problem, Transfer};
use broadside_rules::{Answer, Cell, Rules, Shot, ShotLog, Symmetry};

/// What is known of a position: the layouts left, those of them with a ship on the likeliest cell, and that cell.
#[derive(Clone, Copy)]
struct Position {
    layouts: u128,
    hits: u128,
    best: Cell,
}

/// Counts positions, and remembers them in a file.
struct Counter {
    rules: Rules,
    engine: Transfer,
    known: HashMap<String, Position>,
    /// By the problem.
    counted: HashMap<String, Counts>,
    file: fs::File,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [rules, positions, file] = &arguments[..] else {
        return Err("usage: exact_openings RULES POSITIONS FILE".into());
    };
    let mut counter = Counter::new(rules.parse()?, file)?;
    let (openings, least) = openings(&mut counter, positions.parse()?)?;
    println!("{}", written(&counter, &openings, "")?);
    eprintln!("{} positions, all that have {least} layouts left or more", openings.len());
    Ok(())
}

impl Counter {
    fn new(rules: Rules, path: &str) -> Result<Self, Box<dyn Error>> {
        let lines = fs::read_to_string(path).unwrap_or_default();
        let known = lines.lines().map(read).collect::<Result<_, _>>()?;
        let file = OpenOptions::new().append(true).create(true).open(path)?;
        Ok(Self { rules, engine: Transfer::new(Budget::default()), known, counted: HashMap::new(), file })
    }

    fn position(&mut self, shots: &str) -> Result<Position, Box<dyn Error>> {
        if let Some(&known) = self.known.get(shots) {
            return Ok(known);
        }
        let log = ShotLog::parse(&self.rules, shots)?;
        let counts = self.count(&log)?;
        let best = *counts.best(log.fired()).first().ok_or("no cell is left")?;
        let position = Position { layouts: counts.layouts(), hits: counts.at(best), best };
        writeln!(self.file, "{} {} {best} {shots}", position.layouts, position.hits)?;
        self.known.insert(shots.to_owned(), position);
        Ok(position)
    }

    /// The counts of a log. Many logs are the same problem, or its image: only one of them is counted.
    fn count(&mut self, log: &ShotLog) -> Result<Counts, OutOfReach> {
        let grid = self.rules.grid();
        let images = Symmetry::all(grid).map(|way| {
            let problem = Problem::from_log(&log.turned(way));
            (format!("{problem:?}"), problem, way)
        });
        let (name, problem, way) = images.min_by(|a, b| a.0.cmp(&b.0)).expect("a board looks like itself");
        let counts = match self.counted.entry(name) {
            Entry::Occupied(counted) => counted.into_mut(),
            Entry::Vacant(fresh) => fresh.insert(self.engine.count_problem(&problem)?),
        };
        let cells = grid.cells().map(|cell| counts.at(way.cell(cell))).collect();
        Ok(Counts::new(grid, counts.layouts(), cells))
    }

    /// The answers to a shot that the rules of the log don't rule out, each with the most layouts that it can leave.
    fn answers(&self, shots: &str, position: Position) -> Vec<(u128, String)> {
        let sunk = self.rules.fleet().classes().map(|(length, _)| Answer::Sunk(Some(length)));
        let hits = [Answer::Hit(None)].into_iter().chain(sunk).map(|answer| (position.hits, answer));
        let all = [(position.layouts - position.hits, Answer::Miss)].into_iter().chain(hits);
        let with = |(most, answer)| {
            let shot = Shot { cell: position.best, answer };
            (most, format!("{shots} {shot}").trim_start().to_owned())
        };
        all.map(with).filter(|(_, shots)| ShotLog::parse(&self.rules, shots).is_ok()).collect()
    }
}

/// A line of the file.
fn read(line: &str) -> Result<(String, Position), Box<dyn Error>> {
    let mut words = line.splitn(4, ' ');
    let mut word = || words.next().ok_or("a line is too short");
    let position = Position { layouts: word()?.parse()?, hits: word()?.parse()?, best: word()?.parse()? };
    Ok((word()?.to_owned(), position))
}

/// So many positions with the most layouts, and the fewest layouts among them.
fn openings(counter: &mut Counter, positions: usize) -> Result<(BTreeSet<String>, u128), Box<dyn Error>> {
    let (mut openings, mut least) = (BTreeSet::new(), u128::MAX);
    let mut waiting = BinaryHeap::from([(u128::MAX, false, String::new())]);
    while let Some((layouts, counted, shots)) = waiting.pop().filter(|_| openings.len() < positions) {
        let position = counter.position(&shots)?;
        if !counted {
            // What was known of it so far is only a bound.
            waiting.extend((position.layouts > 0).then_some((position.layouts, true, shots)));
            continue;
        }
        waiting.extend(counter.answers(&shots, position).into_iter().map(|(most, shots)| (most, false, shots)));
        openings.insert(shots);
        least = layouts;
    }
    Ok((openings, least))
}

/// The table from a position on: the cell to fire at with the answers that are in the table too, then those positions in the same order.
fn written(counter: &Counter, openings: &BTreeSet<String>, shots: &str) -> Result<String, Box<dyn Error>> {
    let position = counter.known.get(shots).ok_or("a position was not counted")?;
    let after = counter.answers(shots, *position).into_iter().map(|(_, shots)| shots).filter(|shots| openings.contains(shots));
    let mut text = position.best.to_string();
    let mut later = String::new();
    for shots in after {
        let last: Shot = shots.rsplit(' ').next().unwrap_or_default().parse()?;
        text.push_str(&last.answer.to_string());
        later.push('\n');
        later.push_str(&written(counter, openings, &shots)?);
    }
    Ok(text + &later)
}
