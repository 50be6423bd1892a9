//! The battle: two boards, shot after shot.

use std::borrow::Cow;

use broadside_odds::{Odds, OddsError};
use broadside_rules::{Answer, Cell, Duel, Layout, Rules, SalvoCall, Shot, ShotLog, Side, TurnCall, Turns};

use super::game::{BoardId, Input};
use super::review::FinishedGame;

/// The odds of the player's log as it is.
#[derive(Debug)]
enum OddsState {
    NotRequested,
    Requested,
    Known(Odds),
}

/// A game in progress.
#[derive(Debug)]
pub(crate) struct Battle {
    duel: Duel,
    you: Side,
    own: Layout,
    opponent: Layout,
    captain: String,
    cursor: Cell,
    show_odds: bool,
    hint_requested: bool,
    odds: OddsState,
    aim_requested: bool,
    pub(crate) message: String,
    /// What the message was before the captain's turn.
    before_captain: String,
}

impl Battle {
    pub(crate) fn new(rules: &Rules, turns: Turns, captain: &str, you: Side, layouts: [Layout; 2], noise_seed: u64) -> Self {
        let [own, opponent] = layouts;
        let layouts = if you == Side::First { [own.clone(), opponent.clone()] } else { [opponent.clone(), own.clone()] };
        let grid = rules.grid();
        Self {
            duel: Duel::new(rules, turns, layouts).with_noise_seed(noise_seed),
            you,
            own,
            opponent,
            captain: captain.to_owned(),
            cursor: Cell::new((grid.rows() - 1) / 2, (grid.cols() - 1) / 2).expect("the middle is on the board"),
            show_odds: false,
            hint_requested: false,
            odds: OddsState::NotRequested,
            aim_requested: false,
            before_captain: String::new(),
            message: if you == Side::First { "you fire first".to_owned() } else { format!("{captain} fires first") },
        }
    }

    pub(crate) fn handle(&mut self, input: Input) {
        match input {
            Input::Move(rows, cols) => {
                self.cursor = self.duel.rules().grid().step(self.cursor, rows, cols).unwrap_or(self.cursor);
            }
            Input::Point(BoardId::Opponent, cell) => self.cursor = cell,
            Input::Click(BoardId::Opponent, cell) => {
                self.cursor = cell;
                self.fire();
            }
            Input::Confirm => self.fire(),
            Input::Odds => self.show_odds = !self.show_odds,
            Input::Hint => {
                self.hint_requested = true;
                self.show_hint();
            }
            Input::Resign => _ = self.duel.resign(self.you),
            _ => {}
        }
    }

    fn fire(&mut self) {
        match self.duel.fire(self.you, self.cursor) {
            Ok(_) => {
                (self.odds, self.hint_requested) = (OddsState::NotRequested, false);
                self.message = format!("you fire at {}", self.shots_of_turn(self.you));
            }
            Err(error) => self.message = error.to_string(),
        }
    }

    /// Fires the captain's shot.
    pub(crate) fn fire_for_captain(&mut self, cell: Cell) {
        self.aim_requested = false;
        let is_first = self.duel.shots_left_in_turn() == self.shots_a_turn(self.you.other());
        if self.duel.fire(self.you.other(), cell).is_ok() {
            if is_first || self.duel.rules().salvo().is_single() {
                self.before_captain = self.message.clone();
            }
            self.message =
                format!("{} — {} fires at {}", self.before_captain, self.captain, self.shots_of_turn(self.you.other()));
        }
    }

    /// The shots of a turn of a side.
    fn shots_a_turn(&self, side: Side) -> usize {
        self.duel.rules().salvo().shots_in_turn(self.duel.ships_afloat(side))
    }

    /// The last turn of a side, with its answers as far as they are told.
    fn shots_of_turn(&self, side: Side) -> String {
        let turn = self.duel.log(side).turns().last().unwrap_or_default();
        if let Some(called) =
            self.duel.log(side).called_turns().last().filter(|called| called.shots().end == self.duel.log(side).len())
        {
            let cells: Vec<String> = turn.iter().map(|shot| shot.cell.to_string()).collect();
            return format!("{}: {}", cells.join(" "), call_words(called.call(), turn.len()));
        }
        let told = |shot: &Shot| format!("{}: {}", shot.cell, words(shot.answer));
        turn.iter().map(told).collect::<Vec<_>>().join(", ")
    }

    /// The turns of which only the number of hits was called, the last ones first.
    pub(crate) fn called_turns(&self) -> impl Iterator<Item = String> + '_ {
        let log = self.log();
        log.called_turns().iter().rev().map(|turn| {
            let cells: Vec<String> = log.shots()[turn.shots()].iter().map(|shot| shot.cell.to_string()).collect();
            format!("{}: {}", cells.join(" "), call_words(turn.call(), cells.len()))
        })
    }

    /// The shots that the player has left in the turn at hand, where a turn is several of them.
    pub(crate) fn shots_left(&self) -> Option<usize> {
        let is_due = !self.duel.rules().salvo().is_single() && self.duel.turn() == Some(self.you);
        is_due.then(|| self.duel.shots_left_in_turn())
    }

    pub(crate) fn set_odds(&mut self, len: usize, odds: Result<Odds, OddsError>) {
        if len != self.log().len() {
            return;
        }
        match odds {
            Ok(odds) => self.odds = OddsState::Known(odds),
            Err(error) => {
                (self.odds, self.show_odds, self.hint_requested) = (OddsState::NotRequested, false, false);
                self.message = error.to_string();
            }
        }
        self.show_hint();
    }

    fn show_hint(&mut self) {
        let Some(odds) = self.known_odds().filter(|_| self.hint_requested) else { return };
        let fired = self.log().fired();
        let (best, chance, exact) = match odds {
            Odds::Exact(counts) => (counts.best(fired), counts.chance(counts.best(fired)[0]), ""),
            Odds::Weighted(counts) => (counts.best(fired), counts.chance(counts.best(fired)[0]), ""),
            Odds::Estimate(rough) => (rough.best(fired), rough.chance(rough.best(fired)[0]).mean, "about "),
        };
        let others = if best.len() > 1 { format!(" ({} cells as good)", best.len() - 1) } else { String::new() };
        self.message = format!("hint: {}, {exact}{:.1} %{others}", best[0], chance * 100.0);
        (self.cursor, self.hint_requested) = (best[0], false);
    }

    /// The captain's log, when it is the captain's turn and its shot is not requested yet.
    pub(crate) fn aim_request(&mut self) -> Option<ShotLog> {
        let captain = self.you.other();
        if self.aim_requested || self.duel.turn() != Some(captain) {
            return None;
        }
        self.aim_requested = true;
        Some(self.duel.log(captain).clone())
    }

    /// The player's log, when its odds are to be shown and are not requested yet.
    pub(crate) fn odds_request(&mut self) -> Option<ShotLog> {
        if !matches!(self.odds, OddsState::NotRequested) || !(self.show_odds || self.hint_requested) {
            return None;
        }
        self.odds = OddsState::Requested;
        Some(self.log().clone())
    }

    /// The review, when the game is over.
    pub(crate) fn finished(&self) -> Option<FinishedGame> {
        let (winner, ending) = self.duel.outcome()?;
        let records = self.duel.clone().into_records();
        let [first, second] = records.map(|record| record.log().clone());
        let logs = if self.you == Side::First { [first, second] } else { [second, first] };
        let layouts = [self.own.clone(), self.opponent.clone()];
        Some(FinishedGame::new(logs, layouts, winner == self.you, ending, &self.captain))
    }

    /// The player's shots.
    pub(crate) fn log(&self) -> &ShotLog {
        self.duel.log(self.you)
    }

    /// The captain's shots. Of those that only count for the captain, the player sees each fall.
    pub(crate) fn opponent_log(&self) -> Cow<'_, ShotLog> {
        let (captain, rules) = (self.you.other(), self.duel.rules());
        let seen =
            (rules.salvo().call() == SalvoCall::Count).then(|| ShotLog::from_shots(rules, self.duel.answered(captain)).ok());
        seen.flatten().map_or_else(|| Cow::Borrowed(self.duel.log(captain)), Cow::Owned)
    }

    pub(crate) fn own(&self) -> &Layout {
        &self.own
    }

    pub(crate) fn cursor(&self) -> Cell {
        self.cursor
    }

    /// The chances to show on the opponent's board.
    pub(crate) fn shown_odds(&self) -> Option<&Odds> {
        self.known_odds().filter(|_| self.show_odds)
    }

    fn known_odds(&self) -> Option<&Odds> {
        match &self.odds {
            OddsState::Known(odds) => Some(odds),
            OddsState::NotRequested | OddsState::Requested => None,
        }
    }

    /// Whether something is being computed that the screen will show.
    pub(crate) fn is_waiting(&self) -> bool {
        self.aim_requested || matches!(self.odds, OddsState::Requested)
    }

    /// The last shot at a board.
    pub(crate) fn last_shot(&self, board: BoardId) -> Option<Shot> {
        if board == BoardId::Opponent { self.log().shots().last().copied() } else { self.opponent_log().shots().last().copied() }
    }
}

/// An answer as people say it.
pub(crate) fn words(answer: Answer) -> String {
    match (answer, answer.length()) {
        (Answer::Miss, _) => "miss".to_owned(),
        (Answer::Untold, _) => "?".to_owned(),
        (Answer::Hit(_), None) => "hit".to_owned(),
        (Answer::Hit(_), Some(length)) => format!("hit a {length}"),
        (Answer::Sunk(_), None) => "hit and sunk".to_owned(),
        (Answer::Sunk(_), Some(length)) => format!("hit, and the {length} is sunk"),
    }
}

/// What is called after a turn of so many shots, as people say it.
pub(crate) fn call_words(call: &TurnCall, shots: usize) -> String {
    let special = call.answers().iter().filter(|&&answer| answer != Answer::Hit(None)).map(|&answer| words(answer));
    [format!("{} of {shots} hit", call.hits())].into_iter().chain(special).collect::<Vec<_>>().join("; ")
}
