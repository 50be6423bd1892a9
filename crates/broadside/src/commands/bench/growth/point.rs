//! One point of `broadside bench growth`, measured in a process of its own.

use std::hint::black_box;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use broadside_captains::GameRng;
use broadside_odds::{Budget, Dealer, Transfer};
use broadside_rules::{Picture, Referee, Rules, ShotLog};
use rand::SeedableRng;
use serde::{Deserialize, Serialize};

use super::super::measure::{memory_kb, micros, peak_memory_kb};
use crate::exit::Failure;

/// A task is repeated for so long, and the median counts.
const LONG_ENOUGH: Duration = Duration::from_millis(100);
/// Exact samples drawn.
const SAMPLES: usize = 1000;

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Task {
    Odds,
    Samples,
    Deal,
    Shot,
    Check,
}

impl Task {
    pub(super) const ALL: [Self; 5] = [Self::Odds, Self::Samples, Self::Deal, Self::Shot, Self::Check];

    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Odds => "odds",
            Self::Samples => "samples",
            Self::Deal => "deal",
            Self::Shot => "shot",
            Self::Check => "check",
        }
    }

    /// What a reader of a table wants to know.
    pub(super) fn description(self) -> &'static str {
        match self {
            Self::Odds => "exact odds, empty board",
            Self::Samples => "1000 exact samples",
            Self::Deal => "a uniform deal",
            Self::Shot => "a shot of density",
            Self::Check => "checking a board",
        }
    }
}

/// What a measuring process found.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(in super::super) enum Measured {
    Done { us: f64, peak_kb: Option<u64> },
    OutOfReach,
}

/// Something is wrong with the measuring process.
#[derive(Debug, thiserror::Error)]
enum PointError {
    #[error("the process that measures ‘{task}’ by {rules} failed")]
    Process { task: &'static str, rules: String, source: std::io::Error },
    #[error("the process that measures ‘{task}’ by {rules} gave no answer")]
    Answer { task: &'static str, rules: String, source: serde_json::Error },
    #[error("a task and rules are needed")]
    Unknown,
}

/// Measures a point in a new process.
pub(super) fn spawn(task: Task, rules: &Rules) -> Result<Measured, Failure> {
    let (word, text) = (task.word(), rules.to_string());
    let failed = |source| Failure::no_answer(PointError::Process { task: word, rules: text.clone(), source });
    let program = std::env::current_exe().map_err(failed)?;
    let mut command = Command::new(program);
    command.args(["bench", "growth", "--format", "json", "--point", word, &text]).stderr(Stdio::inherit());
    let output = command.output().map_err(failed)?;
    serde_json::from_slice(&output.stdout)
        .map_err(|source| Failure::no_answer(PointError::Answer { task: word, rules: text.clone(), source }))
}

/// Measures a point in this process.
pub(super) fn measure(task: &str, rules: &str) -> Result<Measured, Failure> {
    let task = Task::ALL.into_iter().find(|known| known.word() == task);
    let (Some(task), Ok(rules)) = (task, rules.parse::<Rules>()) else {
        return Err(Failure::no_answer(PointError::Unknown));
    };
    let before = memory_kb(std::process::id());
    let us = match task {
        Task::Odds => odds(&rules),
        Task::Samples => samples(&rules),
        Task::Deal => deal(&rules),
        Task::Shot => shot(&rules),
        Task::Check => check(&rules),
    };
    let peak_kb = peak_memory_kb().zip(before).map(|(peak, before)| peak.saturating_sub(before));
    Ok(us.map_or(Measured::OutOfReach, |us| Measured::Done { us, peak_kb }))
}

/// The median time of some work, repeated until it has taken long enough; none if it fails. Each repetition may do several
/// things, whose number it returns.
fn median_us(mut work: impl FnMut() -> Option<usize>) -> Option<f64> {
    let (start, mut times) = (Instant::now(), vec![]);
    while times.len() < 3 || start.elapsed() < LONG_ENOUGH {
        let began = Instant::now();
        let done = work()?;
        times.push(micros(began.elapsed()) / done as f64);
        // A second try at what takes seconds tells nothing new.
        if began.elapsed() > 10 * LONG_ENOUGH {
            break;
        }
    }
    times.sort_by(f64::total_cmp);
    Some(times[times.len() / 2])
}

fn odds(rules: &Rules) -> Option<f64> {
    let (log, mut engine) = (ShotLog::new(rules), Transfer::new(Budget::default()));
    median_us(|| engine.count(&log).ok().map(|counts| usize::from(black_box(counts).layouts() > 0)))
}

fn samples(rules: &Rules) -> Option<f64> {
    let (log, engine, mut rng) = (ShotLog::new(rules), Transfer::new(Budget::default()), GameRng::seed_from_u64(1));
    median_us(|| {
        let mut sampler = engine.sampler(&log).ok()??;
        (0..SAMPLES).for_each(|_| drop(black_box(sampler.draw_cells(&mut rng))));
        Some(1)
    })
}

fn deal(rules: &Rules) -> Option<f64> {
    let (mut dealer, mut rng) = (Dealer::new(rules), GameRng::seed_from_u64(1));
    median_us(|| {
        (0..10).try_for_each(|_| dealer.uniform(&mut rng).map(|layout| drop(black_box(layout)))).ok()?;
        Some(10)
    })
}

/// The mean time of a shot over whole games.
fn shot(rules: &Rules) -> Option<f64> {
    let (mut dealer, mut rng) = (Dealer::new(rules), GameRng::seed_from_u64(1));
    let mut captain = broadside_captains::captain("density", rules).ok()?;
    median_us(|| {
        let mut referee = Referee::new(rules, dealer.uniform(&mut rng).ok()?);
        while !referee.is_over() {
            let cell = captain.aim(referee.log(), &mut rng);
            referee.fire(cell).ok()?;
        }
        Some(referee.log().len())
    })
}

fn check(rules: &Rules) -> Option<f64> {
    let layout = Dealer::new(rules).uniform(&mut GameRng::seed_from_u64(1)).ok()?;
    let picture = Picture::new(layout.cells());
    median_us(|| (0..100).all(|_| black_box(&picture).is_legal(rules)).then_some(100))
}

impl super::super::Table for Measured {
    fn write_text(&self, out: &mut dyn std::io::Write) -> std::io::Result<()> {
        match self {
            Self::Done { us, .. } => writeln!(out, "{us:.2} µs"),
            Self::OutOfReach => writeln!(out, "out of reach"),
        }
    }
}
