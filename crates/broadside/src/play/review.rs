//! The review after a game: every shot beside the best one.

use broadside_lab::{Hundredths, JudgedShot, Par, Review, ReviewedShot, ShotsReview};
use broadside_odds::{Odds, OddsError};
use broadside_rules::{Cell, Ending, Layout, ShotLog};

use super::game::Input;

/// A finished game, and which shot of it is shown.
#[derive(Debug)]
pub(crate) struct FinishedGame {
    log: ShotLog,
    opponent_log: ShotLog,
    own: Layout,
    opponent: Layout,
    verdict: String,
    review: Review,
    /// The same in shots to go, which comes later.
    in_shots: Option<ShotsReview>,
    /// How many shots are shown.
    shown_shots: usize,
    show_odds: bool,
    /// The odds before the shot with this number, once they are known.
    odds: Option<(usize, Odds)>,
    /// The number of shots whose odds were asked for last.
    requested: Option<usize>,
}

impl FinishedGame {
    pub(crate) fn new(logs: [ShotLog; 2], layouts: [Layout; 2], won: bool, ending: Ending, captain: &str) -> Self {
        let ([log, opponent_log], [own, opponent]) = (logs, layouts);
        let verdict = match (won, ending) {
            (true, Ending::Sunk) => format!("You won: {captain}'s fleet is sunk after {} shots.", log.len()),
            (false, Ending::Sunk) => format!("You lost: {captain} sank your fleet in {} shots.", opponent_log.len()),
            (true, Ending::Resigned) => format!("You won: {captain} gave up."),
            (false, Ending::Resigned) => format!("You gave up; {captain} wins."),
        };
        let (shown_shots, review, in_shots) = (log.len(), Review::default(), None);
        let (show_odds, odds, requested) = (false, None, None);
        Self { log, opponent_log, own, opponent, verdict, review, in_shots, shown_shots, show_odds, odds, requested }
    }

    pub(crate) fn add_reviewed(&mut self, shot: ReviewedShot) {
        self.review.shots.push(shot);
    }

    /// The shots before the one that is shown, when their odds are to be shown and were not asked for yet.
    pub(crate) fn odds_request(&mut self) -> Option<ShotLog> {
        let before = self.shown_shots.checked_sub(1).filter(|_| self.show_odds)?;
        if self.requested == Some(before) {
            return None;
        }
        self.requested = Some(before);
        Some(self.beginning(before))
    }

    /// The odds of so many shots, unless others are shown by now.
    pub(crate) fn set_odds(&mut self, len: usize, odds: Result<Odds, OddsError>) {
        if self.requested == Some(len) {
            self.odds = odds.ok().map(|odds| (len, odds));
        }
    }

    /// The odds that the shown shot was fired by.
    pub(crate) fn shown_odds(&self) -> Option<&Odds> {
        let before = self.shown_shots.checked_sub(1)?;
        self.odds.as_ref().filter(|(len, _)| self.show_odds && *len == before).map(|(_, odds)| odds)
    }

    fn beginning(&self, len: usize) -> ShotLog {
        self.log.seen_after(len)
    }

    /// The shots will be judged by shots to go, from this par on.
    pub(crate) fn set_par(&mut self, par: Par) {
        self.in_shots = Some(ShotsReview { par, shots: Vec::new(), shots_to_go: Hundredths::ZERO });
    }

    pub(crate) fn add_judged(&mut self, shot: JudgedShot) {
        if let Some(review) = &mut self.in_shots {
            review.shots.push(shot);
        }
    }

    pub(crate) fn handle(&mut self, input: Input) {
        if input == Input::Odds {
            self.show_odds = !self.show_odds;
        }
        self.shown_shots = match input {
            Input::Move(rows, cols) => self.shown_shots.saturating_add_signed(cols + 10 * rows).min(self.log.len()),
            Input::First => 0,
            Input::Last => self.log.len(),
            _ => self.shown_shots,
        };
    }

    /// The player's shots, all of them.
    pub(crate) fn log(&self) -> &ShotLog {
        &self.log
    }

    /// The player's shots up to the one that is shown.
    pub(crate) fn log_so_far(&self) -> ShotLog {
        self.beginning(self.shown_shots)
    }

    pub(crate) fn opponent_log(&self) -> &ShotLog {
        &self.opponent_log
    }

    pub(crate) fn own(&self) -> &Layout {
        &self.own
    }

    pub(crate) fn opponent(&self) -> &Layout {
        &self.opponent
    }

    /// The shot that is shown, if it has been reviewed.
    fn shown_shot(&self) -> Option<&ReviewedShot> {
        self.review.shots.get(self.shown_shots.checked_sub(1)?)
    }

    /// The cells that were best when the shown shot was fired.
    pub(crate) fn best(&self) -> &[Cell] {
        self.shown_shot().map_or(&[], |shot| &shot.best)
    }

    /// The lines beside the boards.
    pub(crate) fn lines(&self) -> Vec<String> {
        let shot = self.cost_line().unwrap_or_else(|| self.shot_line());
        let score = self.par_line().unwrap_or_else(|| self.score_line());
        vec![self.verdict.clone(), shot, score]
    }

    /// What the shown shot cost in shots to go, once that is known.
    fn cost_line(&self) -> Option<String> {
        let shot = self.in_shots.as_ref()?.shots.get(self.shown_shots.checked_sub(1)?)?;
        let better = shot.best.first().filter(|_| shot.mistake > Hundredths::ZERO);
        let better = better.map_or_else(String::new, |cell| format!(" ({cell} was better)"));
        let chance = self.shown_shot().map_or_else(String::new, |shot| format!("; chance {:.1} %", shot.chance * 100.0));
        let position = format!("Shot {} of {}: {}", self.shown_shots, self.log.len(), shot.shot);
        Some(format!("{position}; mistake {}{better}, luck {:+}{chance}", shot.mistake, shot.luck))
    }

    /// The whole game in shots to go, once all are judged.
    fn par_line(&self) -> Option<String> {
        let review = self.in_shots.as_ref().filter(|review| review.shots.len() == self.log.len())?;
        let (par, mistakes, luck) = (review.par.shots, review.mistakes(), review.luck());
        // The last position is worth what the sums leave for it: nothing when the game was played to its end.
        let to_go = par + mistakes + luck - Hundredths::whole(self.log.len());
        let still = if to_go == Hundredths::ZERO { String::new() } else { format!(" and {to_go} to go") };
        let accuracy = review.accuracy() * 100.0;
        let shots = self.log.len();
        Some(format!("{shots} shots{still} = par {par} + mistakes {mistakes} + luck {luck}; accuracy {accuracy:.1} %"))
    }

    fn shot_line(&self) -> String {
        let position = format!("Shot {} of {}", self.shown_shots, self.log.len());
        let Some(shot) = self.shown_shot() else { return position };
        let (chance, best) = (shot.chance * 100.0, shot.best_chance * 100.0);
        let about = if shot.exact { "" } else { "about " };
        // A difference below this is only the last digit of a division.
        if shot.cost() < 1e-9 {
            format!("{position}: {}, {about}{chance:.1} %, the best there was", shot.shot)
        } else {
            let best_cell = shot.best.first().map(ToString::to_string).unwrap_or_default();
            let cost = shot.cost();
            format!("{position}: {}, {about}{chance:.1} %; best {best_cell}, {best:.1} %; it cost {cost:.2} hits", shot.shot)
        }
    }

    fn score_line(&self) -> String {
        let (done, all) = (self.review.shots.len(), self.log.len());
        if done < all {
            return format!("Judging your shots: {done} of {all}");
        }
        let review = &self.review;
        let luck = review.luck();
        let kind = if luck >= 0.0 { "more" } else { "fewer" };
        format!(
            "Accuracy {:.1} %. Your shots were worth {:.1} hits and made {}: {:.1} {kind} by luck.",
            review.accuracy() * 100.0,
            review.expected_hits(),
            review.hits(),
            luck.abs(),
        )
    }
}
