//! `broadside bench growth`: how time and memory grow with the side of the board, the number of ships and the rule of touching.

mod document;
mod point;

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::PathBuf;

use broadside_rules::{Rules, Touch};
use serde::{Deserialize, Serialize};

use self::document::Document;
use self::point::{Measured, Task};
use crate::exit::Failure;
use crate::progress;

/// Measure how time and memory grow with the board and the fleet
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Fewer and smaller boards
    #[arg(long)]
    quick: bool,
    /// Replace the part of this Markdown file between <!-- growth --> and <!-- end of growth -->, and write the charts beside it
    #[arg(long, value_name = "FILE")]
    into: Option<PathBuf>,
    /// Measure one task by one set of rules, in this process alone
    #[arg(long, hide = true, num_args = 2, value_names = ["TASK", "RULES"])]
    point: Option<Vec<String>>,
}

const EXAMPLES: &str = "\
Examples:
  broadside bench growth
  broadside bench growth --quick --format json
  broadside bench growth --into docs/performance.md

Each point is measured in a process of its own, so that its peak memory is its own: exact odds of the empty board, tables and a
thousand exact samples of it, a uniform deal, a shot of ‘density’ (the mean over a game), and checking a board. Boards: squares
with the fleet 5,4,3,3,2, and 12x12 with one to twenty ships of length 2. The exponent is that of the straight line of least
squares through the logarithms. Where exact odds or samples are out of the default budget's reach, there is no point.";

/// Sides of the square boards.
const SIDES: [usize; 9] = [6, 8, 10, 12, 14, 17, 20, 25, 30];
/// Numbers of ships.
const SHIPS: [usize; 9] = [1, 2, 3, 4, 6, 8, 12, 16, 20];
/// The fleet on the squares.
const FLEET: &str = "5,4,3,3,2";

/// What grows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Over {
    Side,
    Ships,
}

impl Over {
    const ALL: [Self; 2] = [Self::Side, Self::Ships];

    fn word(self) -> &'static str {
        match self {
            Self::Side => "side",
            Self::Ships => "ships",
        }
    }

    fn values(self, quick: bool) -> Vec<usize> {
        match (self, quick) {
            (Self::Side, false) => SIDES.to_vec(),
            (Self::Ships, false) => SHIPS.to_vec(),
            (Self::Side, true) => SIDES[..3].to_vec(),
            (Self::Ships, true) => SHIPS[..3].to_vec(),
        }
    }

    /// The rules of a point; none where the fleet doesn't fit.
    fn rules(self, value: usize, touch: Touch) -> Option<Rules> {
        match self {
            Self::Side => format!("{value}x{value} {FLEET} {touch} ship"),
            Self::Ships => format!("12x12 {} {touch} ship", vec!["2"; value].join(",")),
        }
        .parse()
        .ok()
    }
}

/// How one task grows.
#[derive(Serialize)]
struct Growth {
    over: Over,
    task: Task,
    touch: String,
    points: Vec<Point>,
    /// Of the time; none from fewer than three points.
    exponent: Option<f64>,
    /// The same for memory.
    memory_exponent: Option<f64>,
}

/// One point.
#[derive(Clone, Copy, Serialize)]
struct Point {
    at: usize,
    us: f64,
    /// Beyond what the process had before.
    peak_kb: Option<u64>,
}

#[derive(Serialize)]
pub(super) struct Table {
    rows: Vec<Growth>,
}

pub(super) fn measure(args: &Args) -> Result<Table, Failure> {
    let document = args.into.as_deref().map(Document::claim).transpose()?;
    let spinner = progress::spinner("measuring".to_owned());
    let mut rows = vec![];
    for over in Over::ALL {
        for touch in Touch::ALL.iter().copied() {
            for task in Task::ALL {
                spinner.set_message(format!("{} over {}, touch {touch}", task.word(), over.word()));
                rows.push(growth(over, task, touch, args.quick)?);
            }
        }
    }
    spinner.finish_and_clear();
    let table = Table { rows };
    if let Some(document) = document {
        document.write(&table)?;
    }
    Ok(table)
}

/// The answer of one measuring process.
pub(super) fn measure_point(args: &Args) -> Result<Option<Measured>, Failure> {
    let Some([task, rules]) = args.point.as_deref() else { return Ok(None) };
    point::measure(task, rules).map(Some)
}

fn growth(over: Over, task: Task, touch: Touch, quick: bool) -> Result<Growth, Failure> {
    let mut points = vec![];
    for at in over.values(quick) {
        let Some(rules) = over.rules(at, touch) else { continue };
        match point::spawn(task, &rules)? {
            Measured::Done { us, peak_kb } => points.push(Point { at, us, peak_kb }),
            // What is out of reach here is out of reach on every larger board.
            Measured::OutOfReach => break,
        }
    }
    let exponent = |value: fn(&Point) -> Option<f64>| {
        let logs: Vec<(f64, f64)> =
            points.iter().filter_map(|point| Some(((point.at as f64).ln(), value(point)?.ln()))).collect();
        (logs.len() >= 3).then(|| slope(&logs))
    };
    let memory = |point: &Point| point.peak_kb.filter(|&kb| kb > 0).map(|kb| kb as f64);
    Ok(Growth {
        over,
        task,
        touch: touch.to_string(),
        exponent: exponent(|point| Some(point.us)),
        memory_exponent: exponent(memory),
        points,
    })
}

/// The slope of the straight line of least squares.
fn slope(points: &[(f64, f64)]) -> f64 {
    let n = points.len() as f64;
    let (x, y) = points.iter().fold((0.0, 0.0), |(x, y), point| (x + point.0 / n, y + point.1 / n));
    let along: f64 = points.iter().map(|point| (point.0 - x).powi(2)).sum();
    points.iter().map(|point| (point.0 - x) * (point.1 - y)).sum::<f64>() / along
}

impl Table {
    /// The rows of one kind of growth, by touch rule.
    fn by_touch(&self, over: Over) -> BTreeMap<&str, Vec<&Growth>> {
        let mut groups: BTreeMap<&str, Vec<&Growth>> = BTreeMap::new();
        self.rows.iter().filter(|row| row.over == over).for_each(|row| groups.entry(&row.touch).or_default().push(row));
        groups
    }
}

impl super::Table for Table {
    fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        write!(out, "{}", document::tables(self))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slope_of_a_power_is_its_exponent() {
        let points: Vec<(f64, f64)> = [2.0_f64, 3.0, 7.0].iter().map(|&x| (x.ln(), (5.0 * x.powf(2.5)).ln())).collect();
        assert!((slope(&points) - 2.5).abs() < 1e-12);
    }

    #[test]
    fn a_fleet_that_does_not_fit_has_no_point() {
        assert!(Over::Side.rules(4, Touch::Allowed).is_none());
        assert!(Over::Ships.rules(20, Touch::Never).is_some());
    }
}
