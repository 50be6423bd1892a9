//! `broadside reproduce`: the tables, figures and claims of five published documents, measured, as one page.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use broadside_lab::report::{FinishedCampaigns, Progress, Report, ResultsFileError, Settings, Timings, Verdict};
use indicatif::ProgressBar;

use crate::commands::bench::{odds, validate};
use crate::exit::{Failure, Outcome};
use crate::files::OutputFile;
use crate::options::FormatOption;
use crate::{output, progress};

/// Set every table, figure and claim of five publications beside what is measured, in one HTML page
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The page to write
    #[arg(long, value_name = "FILE", default_value = "report.html")]
    out: PathBuf,
    /// Games for each captain of the article; the other measurements are in proportion
    #[arg(long, value_name = "N", default_value_t = 5_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// Seed of all games
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Take the article's histograms from what ‘broadside simulate --format json’ has written, instead of playing
    /// again: files, or folders with results.json in them or in their folders
    #[arg(long, value_name = "PATH", num_args = 1..)]
    results: Vec<PathBuf>,
    /// Spend no time on timings: leave out the listing of the empty board, and time the checking of boards roughly
    #[arg(long)]
    quick: bool,
    /// Say nothing while it works
    #[arg(long, short)]
    quiet: bool,
    #[command(flatten)]
    format: FormatOption,
}

const EXAMPLES: &str = "\
Examples:
  broadside reproduce                               report.html, in about three minutes on two cores
  broadside reproduce --quick --games 20000 --out quick.html
  broadside reproduce --results results --out report.html
  broadside reproduce --games 100000000             as many games as the article played
  broadside reproduce --format json > rows.json     the rows as data too

The page is one file that needs neither scripts nor the network. Each row has the source's number, the measured one with \
its error, the rule that compares them and what follows: reproduced, differs (for a reason given), not reproduced, or \
undecided. All but the times depends on --games, --seed and --results only.";

/// The report can't be made.
#[derive(Debug, thiserror::Error)]
enum ReproduceError {
    #[error("can't read the results {}", .path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("can't take the results {}", .path.display())]
    Results { path: PathBuf, source: ResultsFileError },
    #[error("there are no results in {}: give a file, or a folder with results.json in it or in its folders", .0.display())]
    NoResults(PathBuf),
}

pub(crate) fn run(args: &Args) -> Result<Outcome, Failure> {
    let page = OutputFile::claim(&args.out)?;
    let settings =
        Settings { games: args.games, seed: args.seed, results: results(&args.results).map_err(Failure::bad_request)? };
    let bar = Bar::new(&settings, args.quiet);
    bar.begin("timing the empty board");
    let counting = odds::counting(!args.quick);
    bar.begin("timing the nine boards");
    let timings = Timings {
        threads: rayon::current_num_threads(),
        counting,
        checking: validate::checking(RUNS, if args.quick { 10 } else { 10_000 })?,
    };
    let report = Report::measure(&settings, &timings, &bar).map_err(Failure::no_answer)?;
    bar.0.finish_and_clear();
    page.write(report.html().as_bytes())?;
    let text = |out: &mut dyn Write| if args.quiet { Ok(()) } else { write_text(out, &report, &args.out) };
    output::print(args.format.format, text, || &report)
}

/// Table 2 of the paper on checking a hidden board has so many runs.
const RUNS: u32 = 15;

/// What came of each document, in a line.
fn write_text(out: &mut dyn Write, report: &Report, path: &Path) -> io::Result<()> {
    write!(out, "{:<20}", "document")?;
    Verdict::ALL.iter().try_for_each(|verdict| write!(out, " {verdict:>14}"))?;
    writeln!(out)?;
    for chapter in &report.chapters {
        write!(out, "{:<20}", chapter.short)?;
        for verdict in Verdict::ALL {
            write!(out, " {:>14}", chapter.rows().filter(|row| row.verdict() == verdict).count())?;
        }
        writeln!(out)?;
    }
    writeln!(out, "\n{} has it all", path.display())
}

/// The results of all files, and of those in the folders.
fn results(paths: &[PathBuf]) -> Result<FinishedCampaigns, ReproduceError> {
    let mut results = FinishedCampaigns::default();
    for path in paths {
        let files = files(path)?;
        if files.is_empty() {
            return Err(ReproduceError::NoResults(path.clone()));
        }
        for path in files {
            let text = fs::read_to_string(&path).map_err(|source| ReproduceError::Read { path: path.clone(), source })?;
            let origin = path.display().to_string();
            results.add(&text, &origin).map_err(|source| ReproduceError::Results { path, source })?;
        }
    }
    Ok(results)
}

/// The file itself; of a folder the results in it, or those in its folders, in the order of their names. Tournaments, which have
/// players and not captains, are passed over.
fn files(path: &Path) -> Result<Vec<PathBuf>, ReproduceError> {
    let in_folder = |folder: &Path| Some(folder.join("results.json")).filter(|file| file.is_file());
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    if let Some(file) = in_folder(path) {
        return Ok(vec![file]);
    }
    let read = |source| ReproduceError::Read { path: path.to_owned(), source };
    let entries = fs::read_dir(path).map_err(read)?.collect::<Result<Vec<_>, _>>().map_err(read)?;
    let campaigns = entries.iter().map(fs::DirEntry::path).filter(|folder| !folder.join("players.csv").exists());
    let mut files: Vec<PathBuf> = campaigns.filter_map(|folder| in_folder(&folder)).collect();
    files.sort();
    Ok(files)
}

/// How far the work is, on a terminal.
struct Bar(ProgressBar);

impl Bar {
    fn new(settings: &Settings, quiet: bool) -> Self {
        if quiet { Self(ProgressBar::hidden()) } else { Self(progress::bar(String::new(), settings.all_games())) }
    }
}

impl Progress for Bar {
    fn begin(&self, what: &str) {
        self.0.set_message(what.to_owned());
    }

    fn played(&self, games: u64) {
        self.0.inc(games);
    }
}

#[cfg(test)]
mod tests {
    use broadside_lab::report::Chapter;

    use super::*;

    #[test]
    fn of_a_folder_of_campaigns_the_largest_of_each_captain_is_taken() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, captains: &[(&str, u64)]| {
            let captains = captains
                .iter()
                .map(|(captain, games)| serde_json::json!({ "captain": captain, "games": games, "histogram": [0, 0, games] }));
            fs::create_dir(folder.path().join(name)).unwrap();
            let file = serde_json::json!({ "captains": captains.collect::<Vec<_>>() });
            fs::write(folder.path().join(name).join("results.json"), file.to_string()).unwrap();
        };
        // The folder whose name comes first is not the one with the most games.
        write("admiral", &[("admiral", 7), ("density", 7)]);
        write("hundred-million", &[("random", 100), ("density", 100)]);
        write("small", &[("density", 2)]);
        // A tournament's file is another one.
        let tournament = folder.path().join("tournament");
        fs::create_dir(&tournament).unwrap();
        fs::write(tournament.join("results.json"), r#"{"players":["density"]}"#).unwrap();
        fs::write(tournament.join("players.csv"), "").unwrap();
        let results = results(&[folder.path().to_owned()]).unwrap();
        let games = ["admiral", "density", "random"].map(|captain| results.shots(captain).unwrap().total());
        assert_eq!(games, [7, 100, 100]);
    }

    #[test]
    fn documents_are_named_and_not_numbered() {
        let chapter = Chapter {
            number: "007",
            short: "a short name",
            title: "A title",
            citation: "Somebody",
            link: None,
            about: "",
            sections: Vec::new(),
        };
        let report = Report { version: "1", seed: 1, games: 1, results: Vec::new(), threads: 1, chapters: vec![chapter] };
        let mut out = Vec::new();
        write_text(&mut out, &report, Path::new("report.html")).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert!(text.contains("\na short name ") && !text.contains("007"), "{text}");
    }
}
