//! `broadside bench games`: how many games a second captains play, and in how many shots.

use std::io::{self, Write};

use broadside_lab::{Campaign, CampaignConfig, CampaignError, Histogram, Layouts};
use broadside_rules::{Preset, Rules};
use indicatif::ProgressBar;
use serde::Serialize;

use super::measure::{processor_time, timed};
use crate::exit::Failure;
use crate::options::RuleOptions;
use crate::progress;

/// Time captains over many games, and check their mean number of shots
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Captains to play, each the full number of games; by default those of the table in the README, the slow ones fewer
    #[arg(long = "captain", value_name = "NAME", num_args = 1..)]
    captains: Vec<String>,
    /// Compare each captain with this one, game by game on the same layouts
    #[arg(long, value_name = "NAME")]
    against: Option<String>,
    /// How many games
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// Seed of the layouts and of the captains' random choices
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    rules: RuleOptions,
}

const EXAMPLES: &str = "\
Examples:
  broadside bench games
  broadside bench games --games 100000 --format json
  broadside bench games --captain density pdf+brute --preset russian --games 10000
  broadside bench games --captain pdf+smart --against pdf+brute

Layouts are dealt uniformly. Game i depends on the seed and on i only, so captains meet the same layouts. ‘a core’ is \
games a second of processor time, which other work on the machine disturbs least. The mean of ‘random’ must be that of \
theory, and on the classic board the means of the default captains those measured before with another seed.";

/// A captain of the default list.
struct Contender {
    name: &'static str,
    /// It plays one game in so many.
    one_in: u64,
    /// Its mean number of shots on the classic board with the standard error of that, if it has been measured.
    known: Option<(f64, f64)>,
}

/// Measured by `broadside bench games --seed 7 --games 1000000 --captain NAME`, exact with `--games 4000`. That of random
/// is from theory, and density-plain makes the shots of density.
const CONTENDERS: [Contender; 10] = [
    Contender { name: "random", one_in: 1, known: Some((17.0 * 101.0 / 18.0, 0.0)) },
    Contender { name: "hunt-target", one_in: 1, known: Some((66.2561, 0.0127)) },
    Contender { name: "hunt-target-parity", one_in: 1, known: Some((60.6660, 0.0085)) },
    Contender { name: "density", one_in: 1, known: Some((44.3714, 0.0089)) },
    Contender { name: "density-plain", one_in: 50, known: Some((44.3714, 0.0089)) },
    Contender { name: "pdf+brute", one_in: 1, known: Some((45.0876, 0.0089)) },
    Contender { name: "mask", one_in: 1, known: Some((49.1099, 0.0083)) },
    Contender { name: "exact", one_in: 500, known: Some((44.4038, 0.1399)) },
    Contender { name: "admiral", one_in: 1, known: Some((43.8873, 0.0082)) },
    Contender { name: "commodore", one_in: 3000, known: None },
];

/// A mean further than so many standard errors from the known one is wrong: once in two million runs by chance.
const TOLERANCE: f64 = 5.0;

/// What was measured.
#[derive(Serialize)]
pub(super) struct Table {
    rules: String,
    seed: u64,
    threads: usize,
    rows: Vec<Row>,
    /// How many times as many games a second density plays as the plain loop.
    density_ratio: Option<f64>,
    /// How many games admiral plays for one of density.
    admiral_ratio: Option<f64>,
}

/// One captain.
#[derive(Serialize)]
struct Row {
    captain: String,
    games: u64,
    games_per_s: f64,
    games_per_core_s: Option<f64>,
    mean: f64,
    std_err: f64,
    sd: f64,
    median: Option<i64>,
    longest: Option<i64>,
    perfect: u64,
    against: Option<Difference>,
}

/// How many more shots than another captain, game by game.
#[derive(Serialize)]
struct Difference {
    captain: String,
    mean: f64,
    std_err: f64,
}

/// A captain's mean number of shots is not the known one.
#[derive(Debug, thiserror::Error)]
#[error("{captain} takes {mean:.4} ± {std_err:.4} shots on average, and {known:.4} ± {known_err:.4} is known")]
struct WrongMean {
    captain: String,
    mean: f64,
    std_err: f64,
    known: f64,
    known_err: f64,
}

pub(super) fn measure(args: &Args) -> Result<Table, Failure> {
    let rules = args.rules.rules()?;
    let mut rows = Vec::new();
    for (name, games) in contenders(args) {
        let config = CampaignConfig { rules: rules.clone(), games, seed: args.seed };
        let row = play(&config, &name, args.against.as_deref()).map_err(Failure::bad_request)?;
        check(&row, &rules).map_err(Failure::no_answer)?;
        rows.push(row);
    }
    let (density_ratio, admiral_ratio) = (ratio(&rows, "density", "density-plain"), ratio(&rows, "admiral", "density"));
    let threads = rayon::current_num_threads();
    Ok(Table { rules: rules.to_string(), seed: args.seed, threads, rows, density_ratio, admiral_ratio })
}

/// Who plays, and how many games.
fn contenders(args: &Args) -> Vec<(String, u64)> {
    if args.captains.is_empty() {
        CONTENDERS.iter().map(|c| (c.name.to_owned(), (args.games / c.one_in).max(1))).collect()
    } else {
        args.captains.iter().map(|name| (name.clone(), args.games)).collect()
    }
}

fn play(config: &CampaignConfig, name: &str, against: Option<&str>) -> Result<Row, CampaignError> {
    let bar = progress::bar(name.to_owned(), config.games);
    let processor = processor_time();
    let campaign = Campaign::new(config.clone(), [name], Layouts::Uniform)?;
    let (time, tally) = timed(|| campaign.run(|games| bar.inc(games)));
    let tally = tally?;
    let shots = &tally.shots()[0];
    let processor = processor.zip(processor_time()).map(|(before, after)| after - before);
    let games = config.games as f64;
    let against = against.filter(|&other| other != name).map(|other| difference(config, name, other, &bar)).transpose()?;
    bar.finish_and_clear();
    Ok(Row {
        captain: name.to_owned(),
        games: config.games,
        games_per_s: games / time.as_secs_f64(),
        games_per_core_s: processor.filter(|&seconds| seconds > 0.0).map(|seconds| games / seconds),
        mean: shots.mean(),
        std_err: shots.std_err(),
        sd: shots.deviation(),
        median: shots.median(),
        longest: shots.largest(),
        perfect: perfect(shots, &config.rules),
        against,
    })
}

fn difference(config: &CampaignConfig, name: &str, other: &str, bar: &ProgressBar) -> Result<Difference, CampaignError> {
    bar.set_message(format!("{name} against {other}"));
    bar.set_position(0);
    let tally = Campaign::new(config.clone(), [name, other], Layouts::Uniform)?.run(|games| bar.inc(games))?;
    let differences = &tally.differences()[0];
    Ok(Difference { captain: other.to_owned(), mean: differences.mean(), std_err: differences.std_err() })
}

/// The number of games without a miss.
fn perfect(shots: &Histogram, rules: &Rules) -> u64 {
    shots.count_of(rules.fleet().cells().cast_signed() as i64)
}

/// Compares the mean with the known one, if there is one.
fn check(row: &Row, rules: &Rules) -> Result<(), WrongMean> {
    let Some((known, known_err)) = known_mean(&row.captain, rules) else { return Ok(()) };
    // One game has no spread; a few have an unreliable one. Then only the known error is left to go by.
    let error = row.std_err.hypot(known_err);
    if row.games < FEW || (row.mean - known).abs() <= TOLERANCE * error {
        return Ok(());
    }
    Err(WrongMean { captain: row.captain.clone(), mean: row.mean, std_err: row.std_err, known, known_err })
}

/// From fewer games than this the standard error itself is too uncertain to judge by.
const FEW: u64 = 30;

fn known_mean(name: &str, rules: &Rules) -> Option<(f64, f64)> {
    if name == "random" {
        // The last of k ship cells among n comes with shot k(n + 1)/(k + 1) on average.
        let (k, n) = (rules.fleet().cells() as f64, rules.grid().len() as f64);
        return Some((k * (n + 1.0) / (k + 1.0), 0.0));
    }
    let classic = *rules == Preset::Classic.rules();
    CONTENDERS.iter().find(|contender| classic && contender.name == name).and_then(|contender| contender.known)
}

/// How many times as many games a second one captain plays as another: of processor time if that is known of both.
fn ratio(rows: &[Row], name: &str, baseline: &str) -> Option<f64> {
    let row = |name: &str| rows.iter().find(|row| row.captain == name);
    let (row, baseline) = row(name).zip(row(baseline))?;
    let by_core = row.games_per_core_s.zip(baseline.games_per_core_s).map(|(fast, slow)| fast / slow);
    Some(by_core.unwrap_or(row.games_per_s / baseline.games_per_s))
}

impl super::Table for Table {
    fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}, uniform layouts, seed {}, {} threads\n", self.rules, self.seed, self.threads)?;
        writeln!(
            out,
            "{:<18} {:>9} {:>9} {:>9} {:>18} {:>6} {:>6} {:>7} {:>8}",
            "captain", "games", "games/s", "a core", "shots", "sd", "median", "longest", "perfect"
        )?;
        self.rows.iter().try_for_each(|row| write_row(out, row))?;
        if let Some(ratio) = self.density_ratio {
            writeln!(out, "\ndensity plays {ratio:.1} times as many games a second as density-plain")?;
        }
        if let Some(ratio) = self.admiral_ratio {
            writeln!(out, "admiral plays {ratio:.2} times as many games a second as density")?;
        }
        Ok(())
    }
}

fn write_row(out: &mut dyn Write, row: &Row) -> io::Result<()> {
    let number = |number: Option<i64>| number.map_or_else(|| "-".to_owned(), |number| number.to_string());
    write!(
        out,
        "{:<18} {:>9} {:>9.0} {:>9} {:>18} {:>6.2} {:>6} {:>7} {:>8}",
        row.captain,
        row.games,
        row.games_per_s,
        row.games_per_core_s.map_or_else(|| "-".to_owned(), |speed| format!("{speed:.0}")),
        format!("{:.4} ± {:.4}", row.mean, row.std_err),
        row.sd,
        number(row.median),
        number(row.longest),
        row.perfect,
    )?;
    match &row.against {
        Some(other) => writeln!(out, "   against {}: {:+.4} ± {:.4}", other.captain, other.mean, other.std_err),
        None => writeln!(out),
    }
}

#[cfg(test)]
mod tests {
    use broadside_captains::captain;

    use super::*;

    fn row(captain: &str, games: u64, mean: f64, std_err: f64) -> Row {
        let (captain, against) = (captain.to_owned(), None);
        let (games_per_s, games_per_core_s) = (1.0, None);
        Row {
            captain,
            games,
            games_per_s,
            games_per_core_s,
            mean,
            std_err,
            sd: 1.0,
            median: None,
            longest: None,
            perfect: 0,
            against,
        }
    }

    #[test]
    fn every_contender_is_a_captain() {
        let rules = Preset::Classic.rules();
        assert!(CONTENDERS.iter().all(|contender| captain(contender.name, &rules).is_ok()));
    }

    #[test]
    fn a_mean_too_far_from_the_known_one_is_refused() {
        let rules = Preset::Classic.rules();
        assert!(check(&row("random", 1000, 95.4, 0.01), &rules).is_ok());
        let wrong = check(&row("random", 1000, 95.5, 0.01), &rules).unwrap_err();
        assert!(wrong.to_string().starts_with("random takes 95.5000 ± 0.0100 shots"), "{wrong}");
        assert!(check(&row("density", 1000, 50.0, 0.01), &rules).is_err());
        assert!(check(&row("density", 1000, 50.0, 0.01), &Preset::Russian.rules()).is_ok());
    }
}
