//! A game reviewed in shots: what mistakes and luck added to par.
//!
//! Before each shot the best cell leaves so many shots to go, and the chosen one so many; the difference is the *mistake*. Then
//! the answer comes, and the shots to go of the new position, with the shot that was fired, are more or fewer than
//! was to be expected: that is *luck*, below zero when it saved shots. So
//!
//! ```text
//! shots taken + shots still to go = par + mistakes + luck
//! ```
//!
//! where par is what the empty board takes. All numbers have two digits after the point and add up exactly as they are shown. An error in the
//! shots to go of a position goes into the luck of the shots before and after it with opposite signs.

use broadside_captains::shots_to_go::{Error, Method, Report, Settings, ShotsToGo};
use broadside_rules::{Cell, Preset, Rules, Shot, ShotLog, Stop};
use serde::{Serialize, Serializer};

use crate::Hundredths;

/// What the empty board takes: the mean number of shots of `admiral`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Par {
    /// The shots.
    pub shots: Hundredths,
    /// The standard error; 0 where it is exact.
    pub std_err: f64,
    /// Whether it is that of best play, which small boards are solved for.
    pub best_play: bool,
}

/// The mean of `admiral` on the classic board over 1,000,000 games of seed 20270101 (`results/admiral`), with its standard error.
const CLASSIC: (f64, f64) = (43.8697, 0.0082);

/// Games for a par that nobody has measured before.
const PAR_PLAYOUTS: u64 = 4000;

impl Par {
    /// The par of some rules: measured before for the classic board, exact on small boards, else estimated now.
    ///
    /// # Errors
    /// When layouts can't be drawn, or when the work was stopped.
    pub fn of(rules: &Rules, threads: usize, stop: &Stop) -> Result<Self, Error> {
        if *rules == Preset::Classic.rules() {
            return Ok(Self { shots: Hundredths::from_shots(CLASSIC.0), std_err: CLASSIC.1, best_play: false });
        }
        let settings = Settings { candidates: 1, threads, ..Settings::default() };
        let report = ShotsToGo::new(&ShotLog::new(rules), &settings, stop)?.run(PAR_PLAYOUTS, stop)?;
        let best_play = report.method == Method::BestPlay;
        Ok(Self { shots: Hundredths::from_shots(report.shots_to_go), std_err: report.std_err, best_play })
    }

    /// Whether the number is exact, but for its rounding.
    pub fn is_exact(&self) -> bool {
        self.std_err == 0.0
    }
}

/// How closely shots are judged.
#[derive(Clone, Debug, PartialEq)]
pub struct ReviewSettings {
    /// The standard error of a mistake at which a shot has been judged closely enough.
    pub error: f64,
    /// So many layouts are played on for one shot at most.
    pub playouts: u64,
    /// How many cells the shot is compared with.
    pub candidates: usize,
    /// Up to so many layouts are all played on, and not drawn.
    pub listed: usize,
    /// Seed of the layouts drawn.
    pub seed: u64,
    /// Threads to play on.
    pub threads: usize,
}

impl Default for ReviewSettings {
    fn default() -> Self {
        Self { error: 0.1, playouts: 8000, candidates: 8, listed: 4000, seed: 1, threads: 1 }
    }
}

/// A shot, judged by shots to go. As JSON, the shot and the cells are text.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct JudgedShot {
    /// The shot with its answer.
    #[serde(serialize_with = "as_text")]
    pub shot: Shot,
    /// The expected shots to the end before it, from the best cell on. Before the first shot it is par.
    pub shots_to_go: Hundredths,
    /// The shots that it lost against the best cell: zero unless the difference is settled.
    pub mistake: Hundredths,
    /// The shots that its answer cost, or saved if below zero.
    pub luck: Hundredths,
    /// The best cells.
    #[serde(serialize_with = "as_texts")]
    pub best: Vec<Cell>,
    /// Why the best cell is good, in words.
    pub why: Option<String>,
    /// The standard error of the mistake; 0 where it is exact.
    pub std_err: f64,
    /// Whether the shots to go are exact, but for their rounding.
    pub exact: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn as_text<S: Serializer>(shot: &Shot, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(shot)
}

fn as_texts<S: Serializer>(cells: &[Cell], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(cells.iter().map(ToString::to_string))
}

/// The shots of one side, judged by shots to go.
///
/// ```
/// use broadside_lab::{Hundredths, ReviewSettings, ShotsReview};
/// use broadside_rules::{Rules, ShotLog, Stop};
///
/// // A ship of two on a row of four: 5/2 shots at best. A corner first loses some, and then a miss costs more.
/// let log = ShotLog::parse(&"1x4 2 allowed ship".parse::<Rules>()?, "A1- A2- A3+ A4#2")?;
/// let review = ShotsReview::new(&log, &ReviewSettings::default(), &Stop::never(), |_| {})?;
/// assert_eq!(review.par.shots + review.mistakes() + review.luck(), Hundredths::whole(4));
/// assert!(review.mistakes() > Hundredths::ZERO);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ShotsReview {
    /// What the empty board takes.
    pub par: Par,
    /// The shots in order.
    pub shots: Vec<JudgedShot>,
    /// The expected shots still to go after the last one; zero when the game is over.
    pub shots_to_go: Hundredths,
}

/// A position before a shot, judged.
struct Position {
    report: Report,
    shots_to_go: Hundredths,
}

impl ShotsReview {
    /// Reviews every shot of a log. `judged` is called with each as soon as its luck is known, which is when the position
    /// after it has been judged.
    ///
    /// The same log and settings give the same review, on any number of threads.
    ///
    /// # Errors
    /// When no layout fits the log, which can't be when a referee answered; when layouts can't be drawn; or when the review
    /// is stopped.
    ///
    /// # Panics
    /// Never: the beginning of a log is a log.
    pub fn new(
        log: &ShotLog,
        settings: &ReviewSettings,
        stop: &Stop,
        mut judged: impl FnMut(&JudgedShot),
    ) -> Result<Self, Error> {
        let par = Par::of(log.rules(), settings.threads, stop)?;
        // Best play for all positions or for none, so that they can be compared.
        let judge = |log: &ShotLog, chosen| judge(log, chosen, settings, par.best_play, stop);
        let mut before = ShotLog::new(log.rules());
        let mut position = Position { shots_to_go: par.shots, ..judge(&before, log.shots().first().map(|shot| shot.cell))? };
        let mut shots = Vec::new();
        for (number, &shot) in log.shots().iter().enumerate() {
            before.push(shot).expect("the beginning of a log is a log");
            let next = log.shots().get(number + 1).map(|shot| shot.cell);
            let after = judge(&before, next)?;
            let judged_shot = JudgedShot::new(shot, &position, after.shots_to_go);
            judged(&judged_shot);
            shots.push(judged_shot);
            position = after;
        }
        Ok(Self { par, shots, shots_to_go: position.shots_to_go })
    }

    /// The shots lost by mistakes.
    pub fn mistakes(&self) -> Hundredths {
        self.shots.iter().map(|shot| shot.mistake).sum()
    }

    /// The shots that luck cost, or saved if below zero.
    pub fn luck(&self) -> Hundredths {
        self.shots.iter().map(|shot| shot.luck).sum()
    }

    /// How well the game was played, from 0 to 1: par / (par + mistakes). Luck has no part in it.
    pub fn accuracy(&self) -> f64 {
        accuracy(self.par, self.mistakes())
    }

    /// The costliest mistakes, at most so many, with the numbers of their shots from 1.
    pub fn costliest(&self, most: usize) -> Vec<(usize, &JudgedShot)> {
        let mut costly: Vec<_> = (1..).zip(&self.shots).filter(|(_, shot)| shot.mistake > Hundredths::ZERO).collect();
        costly.sort_by_key(|(number, shot)| (-shot.mistake, *number));
        costly.truncate(most);
        costly
    }
}

/// How well a game with these mistakes was played, from 0 to 1.
pub(crate) fn accuracy(par: Par, mistakes: Hundredths) -> f64 {
    let par = par.shots.shots();
    if par > 0.0 { par / (par + mistakes.shots()) } else { 1.0 }
}

/// Judges a position in which this cell is fired at next, if any is.
fn judge(
    log: &ShotLog,
    chosen: Option<Cell>,
    settings: &ReviewSettings,
    best_play: bool,
    stop: &Stop,
) -> Result<Position, Error> {
    let work = Settings {
        candidates: settings.candidates,
        watched: chosen,
        seed: settings.seed.wrapping_add((log.len() as u64) << 32),
        threads: settings.threads,
        listed: settings.listed,
        best_play,
        ..Settings::default()
    };
    let mut shots_to_go = ShotsToGo::new(log, &work, stop)?;
    let report = loop {
        let more = shots_to_go.refine(settings.playouts, stop)?;
        let report = shots_to_go.look().expect("something is known after a round");
        if !more || report.playouts >= settings.playouts || is_close(&report, chosen, settings.error) {
            break report;
        }
    };
    let shots_to_go = Hundredths::from_shots(report.shots_to_go);
    Ok(Position { report, shots_to_go })
}

/// Whether the chosen cell has been judged closely enough, and the position with it.
fn is_close(report: &Report, chosen: Option<Cell>, error: f64) -> bool {
    let loss_error = chosen.and_then(|cell| report.cell(cell)).map_or(0.0, |cell| cell.loss_std_err);
    report.settled && loss_error <= error && report.std_err <= error
}

impl JudgedShot {
    /// A shot fired in a position, with the shots to go after it.
    fn new(shot: Shot, position: &Position, after: Hundredths) -> Self {
        let report = &position.report;
        let chosen = report.cell(shot.cell).expect("the chosen cell was compared");
        let is_mistake = chosen.loss > 0.0 && (report.is_exact() || chosen.is_settled());
        let mistake = if is_mistake { Hundredths::from_shots(chosen.loss) } else { Hundredths::ZERO };
        Self {
            shot,
            shots_to_go: position.shots_to_go,
            mistake,
            luck: Hundredths::whole(1) + after - position.shots_to_go - mistake,
            best: report.best.clone(),
            why: report.why(),
            std_err: chosen.loss_std_err,
            exact: report.is_exact(),
        }
    }
}
