//! A game reviewed in shots.

use std::io::{self, Write};

use broadside_captains::shots_to_go::Error;
use broadside_lab::{Hundredths, JudgedShot, ReviewSettings, ShotsReview};
use broadside_rules::{ShotLog, Stop};
use serde::Serialize;

use crate::exit::{Failure, Outcome};
use crate::options::Format;
use crate::{output, progress};

/// The mistakes that are told in words.
const COSTLIEST: usize = 3;

/// The review can't be made.
#[derive(Debug, thiserror::Error)]
#[error("the shots can't be judged: no layouts can be drawn for one of the positions")]
struct JudgeError(#[from] Error);

/// The review for programs.
#[derive(Serialize)]
struct ReviewOut<'a> {
    shots: usize,
    par: Hundredths,
    par_std_err: f64,
    mistakes: Hundredths,
    luck: Hundredths,
    accuracy: f64,
    judged: &'a [JudgedShot],
}

pub(super) fn run(log: &ShotLog, format: Format) -> Result<Outcome, Failure> {
    let settings = ReviewSettings { threads: rayon::current_num_threads(), ..ReviewSettings::default() };
    let bar = progress::bar("judging shots".to_owned(), log.len() as u64);
    let review = ShotsReview::new(log, &settings, &Stop::never(), |_| bar.inc(1));
    bar.finish_and_clear();
    let review = review.map_err(|error| Failure::no_answer(JudgeError(error)))?;
    output::print(format, |out| write_text(out, &review), || ReviewOut::new(&review))
}

impl<'a> ReviewOut<'a> {
    fn new(review: &'a ShotsReview) -> Self {
        Self {
            shots: review.shots.len(),
            par: review.par.shots,
            par_std_err: review.par.std_err,
            mistakes: review.mistakes(),
            luck: review.luck(),
            accuracy: review.accuracy(),
            judged: &review.shots,
        }
    }
}

fn write_text(out: &mut dyn Write, review: &ShotsReview) -> io::Result<()> {
    writeln!(out, "      {:<6} {:>6} {:>8} {:>7}  best", "shot", "to go", "mistake", "luck")?;
    for (number, shot) in (1..).zip(&review.shots) {
        writeln!(out, "{number:>4}  {}", line(shot))?;
    }
    let (shots, par) = (review.shots.len(), review.par);
    writeln!(out, "\n{shots} shots = par {} + mistakes {} + luck {}", par.shots, review.mistakes(), review.luck())?;
    let about = match (par.best_play, par.is_exact()) {
        (true, _) => "that of best play, exact".to_owned(),
        (false, true) => "the mean of admiral, exact".to_owned(),
        (false, false) => format!("the mean of admiral, ± {:.2}", par.std_err),
    };
    writeln!(out, "par is {about}; accuracy {:.1} % = par / (par + mistakes)", review.accuracy() * 100.0)?;
    for (number, shot) in review.costliest(COSTLIEST) {
        let better = shot.best.first().map(ToString::to_string).unwrap_or_default();
        let why = shot.why.as_deref().unwrap_or_default();
        writeln!(out, "shot {number}, {}, cost {}: {better} was better; {why}", shot.shot, shot.mistake)?;
    }
    Ok(())
}

fn line(shot: &JudgedShot) -> String {
    let better = shot.best.first().filter(|_| !shot.best.contains(&shot.shot.cell));
    let better = better.map(ToString::to_string).unwrap_or_default();
    let mistake = if shot.mistake == Hundredths::ZERO { String::new() } else { shot.mistake.to_string() };
    let text = format!("{:<6} {:>6} {mistake:>8} {:+7}  {better}", shot.shot.to_string(), shot.shots_to_go, shot.luck);
    text.trim_end().to_owned()
}
