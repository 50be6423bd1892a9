//! `broadside puzzle solve`.

use std::io::{self, Write};

use broadside_puzzle::{Deduction, Explanation, Puzzle, Technique, Verdict};
use broadside_rules::{Layout, Picture};
use serde::Serialize;

use super::input::{FORMATS, PuzzleOptions};
use crate::exit::{Failure, Outcome};
use crate::options::{Format, FormatOption};
use crate::output;

/// Solve puzzles: one solution, none, or two of several; and how hard they are
#[derive(clap::Args)]
#[command(after_help = help())]
pub(crate) struct Args {
    #[command(flatten)]
    input: PuzzleOptions,
    /// List every step of the way in words
    #[arg(long)]
    steps: bool,
    #[command(flatten)]
    format: FormatOption,
}

fn help() -> String {
    format!(
        "\
Examples:
  broadside puzzle solve puzzle.txt
  broadside puzzle solve --steps --puzzle '2,1 2,0,1 1,1,1 C3o'
  broadside puzzle new -n 3 | broadside puzzle solve --format json

{FORMATS}

Exit status: 0 every puzzle has one solution; 1 some puzzle has none or several, or takes too many
guesses; 2 something can't be read."
    )
}

/// What is told of a puzzle.
#[derive(Serialize)]
struct Solved {
    puzzle: String,
    verdict: &'static str,
    solutions: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    grade: Option<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    techniques: Vec<Use>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    steps: Vec<String>,
    #[serde(skip)]
    pictures: Vec<Layout>,
}

/// How often a technique is used.
#[derive(Serialize)]
struct Use {
    technique: &'static str,
    times: usize,
}

pub(crate) fn run(args: &Args) -> Result<Outcome, Failure> {
    let puzzles = args.input.read_all()?;
    let mut out = output::stdout();
    let mut all_unique = true;
    for (index, puzzle) in puzzles.iter().enumerate() {
        let verdict = puzzle.solve(args.input.guesses).map_err(Failure::no_answer)?;
        all_unique &= matches!(verdict, Verdict::Unique(_));
        let solved = Solved::new(puzzle, verdict, args.steps);
        match args.format.format {
            Format::Text => solved.write_text(&mut out, index)?,
            Format::Json => output::json_line(&mut out, &solved)?,
        }
    }
    out.flush()?;
    Ok(if all_unique { Outcome::Done } else { Outcome::No })
}

impl Solved {
    fn new(puzzle: &Puzzle, verdict: Verdict, with_steps: bool) -> Self {
        let (word, pictures) = match verdict {
            Verdict::None => ("none", vec![]),
            Verdict::Unique(only) => ("unique", vec![only]),
            Verdict::Several(two) => ("several", two.to_vec()),
        };
        let mut solved = Self {
            puzzle: puzzle.to_string(),
            verdict: word,
            solutions: pictures.iter().map(ToString::to_string).collect(),
            grade: None,
            techniques: Vec::new(),
            steps: Vec::new(),
            pictures,
        };
        if solved.verdict == "unique" {
            solved.explain(&puzzle.explain(), with_steps);
        }
        solved
    }

    fn explain(&mut self, explanation: &Explanation, with_steps: bool) {
        self.grade = Some(explanation.grade.map_or("beyond expert", |grade| grade.word()));
        self.techniques = uses(&explanation.steps);
        if with_steps {
            self.steps = explanation.steps.iter().map(ToString::to_string).collect();
        }
    }

    fn write_text(&self, out: &mut dyn Write, index: usize) -> io::Result<()> {
        if index > 0 {
            writeln!(out)?;
        }
        match (self.verdict, self.grade) {
            ("none", _) => return writeln!(out, "no solution"),
            ("several", _) => writeln!(out, "several solutions, such as these two")?,
            (_, grade) => writeln!(out, "one solution, {}", grade.unwrap_or_default())?,
        }
        for (layout, line) in self.pictures.iter().zip(&self.solutions) {
            writeln!(out, "{line}\n{}", Picture::new(layout.cells()))?;
        }
        if self.steps.is_empty() {
            return self.techniques.iter().try_for_each(|used| writeln!(out, "{:>4} × {}", used.times, used.technique));
        }
        self.steps.iter().zip(1..).try_for_each(|(step, number)| writeln!(out, "{number:>3}. {step}"))
    }
}

/// How often each technique is used, the easiest first.
fn uses(steps: &[Deduction]) -> Vec<Use> {
    let times = |technique: Technique| steps.iter().filter(|step| step.reason.technique() == technique).count();
    let all = Technique::ALL.iter().map(|&technique| Use { technique: technique.word(), times: times(technique) });
    all.filter(|used| used.times > 0).collect()
}
