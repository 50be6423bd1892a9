//! What a siege has shown.

use std::fmt;
use std::io::{self, Write};
use std::time::Duration;

use serde::Serialize;

use super::innocent::Noticed;

/// How many times as long as alone an innocent player's 99th percentile may take.
pub(super) const MAX_RATIO: f64 = 5.0;
/// How much more memory than the bound the process may take.
pub(super) const MEMORY_MARGIN: f64 = 1.1;

/// What was measured.
#[derive(Serialize)]
pub(in super::super) struct Table {
    /// Seconds of each attack.
    pub(super) seconds: f64,
    /// The bound of the server's memory in megabytes.
    pub(super) memory_bound: f64,
    pub(super) max_ratio: f64,
    /// The innocent players without an attack.
    pub(super) alone: Figures,
    pub(super) attacks: Vec<Line>,
    /// What does not hold; nothing if all is well.
    pub(super) failures: Vec<String>,
}

/// What innocent players noticed during one attack.
#[derive(Serialize)]
pub(super) struct Line {
    pub(super) attack: &'static str,
    pub(super) about: &'static str,
    /// Requests of the attackers a second.
    pub(super) sent_per_second: f64,
    #[serde(flatten)]
    pub(super) figures: Figures,
    /// 99th percentiles as ratios to alone.
    pub(super) ratios: Ratios,
    /// Why requests of innocent players were refused or not answered.
    pub(super) why: Vec<String>,
}

/// How long requests took, and the memory.
#[derive(Serialize)]
pub(super) struct Figures {
    pub(super) shot: Percentiles,
    pub(super) new_game: Percentiles,
    pub(super) odds: Percentiles,
    /// Requests of innocent players that were refused or not answered.
    pub(super) refused: usize,
    /// The most memory of the server's process in megabytes, where the system tells.
    pub(super) peak_memory: Option<f64>,
}

/// Milliseconds.
#[derive(Serialize)]
pub(super) struct Percentiles {
    count: usize,
    p50: f64,
    pub(super) p99: f64,
}

#[derive(Serialize)]
pub(super) struct Ratios {
    shot: f64,
    new_game: f64,
    odds: f64,
}

impl Percentiles {
    pub(super) fn new(times: &[Duration]) -> Self {
        let mut times = times.to_vec();
        times.sort_unstable();
        let at = |percent: usize| {
            let index = (times.len() * percent).div_ceil(100).max(1) - 1;
            times.get(index).map_or(f64::NAN, |time| time.as_secs_f64() * 1000.0)
        };
        Self { count: times.len(), p50: at(50), p99: at(99) }
    }
}

impl Figures {
    pub(super) fn new(noticed: &Noticed, peak_memory: Option<f64>) -> Self {
        Self {
            shot: Percentiles::new(&noticed.shots),
            new_game: Percentiles::new(&noticed.games),
            odds: Percentiles::new(&noticed.odds),
            refused: noticed.refused.len(),
            peak_memory,
        }
    }

    pub(super) fn ratios(&self, alone: &Self) -> Ratios {
        let ratio = |own: &Percentiles, alone: &Percentiles| own.p99 / alone.p99;
        Ratios {
            shot: ratio(&self.shot, &alone.shot),
            new_game: ratio(&self.new_game, &alone.new_game),
            odds: ratio(&self.odds, &alone.odds),
        }
    }
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { shot, new_game, odds, refused, .. } = self;
        write!(f, "p99 in ms: shot {:.1}, new game {:.1}, odds {:.1}; {refused} refused", shot.p99, new_game.p99, odds.p99)
    }
}

impl Line {
    /// What does not hold.
    pub(super) fn failures(&self, memory_bound: f64) -> Vec<String> {
        let Ratios { shot, new_game, odds } = self.ratios;
        let slow = [("a shot", shot), ("a new game", new_game), ("odds", odds)].map(|(what, ratio)| {
            // No figure at all is a failure too.
            let is_fast = ratio <= MAX_RATIO;
            (!is_fast).then(|| format!("{}: the p99 of {what} is {ratio:.1} times that alone", self.attack))
        });
        let refused = self.figures.refused;
        let refused = (refused > 0).then(|| {
            format!("{}: {refused} innocent requests refused, such as: {}", self.attack, self.why.first().map_or("", |why| why))
        });
        let is_large = self.figures.peak_memory.is_some_and(|peak| peak > memory_bound * MEMORY_MARGIN);
        let large = is_large.then(|| format!("{}: the server takes more memory than its bound", self.attack));
        slow.into_iter().chain([refused, large]).flatten().collect()
    }
}

impl Table {
    /// Whether the innocent noticed no more than they may.
    pub(in super::super) fn holds(&self) -> bool {
        self.failures.is_empty()
    }
}

impl super::super::Table for Table {
    fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "innocent players' milliseconds, and p99 as a ratio to alone; {} s each\n", self.seconds)?;
        writeln!(out, "{:24}{:>9}{:>20}{:>20}{:>20}{:>9}{:>9}", "", "attack", "shot", "new game", "odds", "", "memory")?;
        let each = format!("{:>6}{:>7}{:>7}", "p50", "p99", "ratio");
        writeln!(out, "{:24}{:>9}{each}{each}{each}{:>9}{:>9}", "", "sent/s", "refused", "peak MB")?;
        write_line(out, "alone", None, &self.alone, None)?;
        for line in &self.attacks {
            write_line(out, line.attack, Some(line.sent_per_second), &line.figures, Some(&line.ratios))?;
        }
        writeln!(out)?;
        if self.holds() {
            return writeln!(out, "holds: no p99 above {MAX_RATIO} times alone, nobody refused, memory within its bound");
        }
        self.failures.iter().try_for_each(|failure| writeln!(out, "does not hold: {failure}"))
    }
}

fn write_line(out: &mut dyn Write, name: &str, sent: Option<f64>, figures: &Figures, ratios: Option<&Ratios>) -> io::Result<()> {
    let sent = sent.map_or(String::new(), |sent| format!("{sent:.0}"));
    write!(out, "{name:24}{sent:>9}")?;
    let ratios = ratios.map(|ratios| [ratios.shot, ratios.new_game, ratios.odds]);
    for (number, times) in [&figures.shot, &figures.new_game, &figures.odds].into_iter().enumerate() {
        let ratio = ratios.map_or(String::new(), |ratios| format!("{:.1}", ratios[number]));
        write!(out, "{:>6.1}{:>7.1}{ratio:>7}", times.p50, times.p99)?;
    }
    let memory = figures.peak_memory.map_or("unknown".to_owned(), |megabytes| format!("{megabytes:.0}"));
    writeln!(out, "{:>9}{memory:>9}", figures.refused)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figures(milliseconds: u64, refused: usize, peak: f64) -> Figures {
        let times = vec![Duration::from_millis(milliseconds); 10];
        let noticed =
            Noticed { shots: times.clone(), games: times.clone(), odds: times, refused: vec!["503".to_owned(); refused] };
        Figures::new(&noticed, Some(peak))
    }

    fn failures(milliseconds: u64, refused: usize, peak: f64) -> usize {
        let figures = figures(milliseconds, refused, peak);
        let ratios = figures.ratios(&self::figures(10, 0, 50.0));
        Line { attack: "a", about: "", sent_per_second: 1.0, figures, ratios, why: Vec::new() }.failures(100.0).len()
    }

    #[test]
    fn slow_answers_refusals_and_memory_are_failures() {
        assert_eq!(failures(50, 0, 110.0), 0);
        assert_eq!(failures(51, 0, 100.0), 3);
        assert_eq!(failures(10, 1, 100.0), 1);
        assert_eq!(failures(10, 0, 111.0), 1);
    }

    #[test]
    fn percentiles_are_those_of_the_sorted_times_and_nothing_is_no_number() {
        let times: Vec<_> = (1..=200).rev().map(Duration::from_millis).collect();
        let percentiles = Percentiles::new(&times);
        assert_eq!((percentiles.p50, percentiles.p99), (100.0, 198.0));
        assert!(Percentiles::new(&[]).p99.is_nan());
    }
}
