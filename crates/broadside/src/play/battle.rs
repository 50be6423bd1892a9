//! The battle: two boards, shot after shot.

use broadside_odds::{Odds, OddsError};
use broadside_rules::{Answer, Cell, Duel, Layout, Rules, Shot, ShotLog, Side, Turns};

use super::afterwards::Afterwards;
use super::game::{Input, Waters};

/// The odds of the player's log as it is.
#[derive(Debug)]
enum Figures {
    /// Nobody has asked for them.
    Unasked,
    /// They are being computed.
    Asked,
    Known(Odds),
}

/// A game in progress.
#[derive(Debug)]
pub(crate) struct Battle {
    duel: Duel,
    you: Side,
    own: Layout,
    enemy: Layout,
    captain: String,
    cursor: Cell,
    heat: bool,
    hinting: bool,
    odds: Figures,
    aim_asked: bool,
    pub(crate) message: String,
}

impl Battle {
    pub(crate) fn new(rules: &Rules, turns: Turns, captain: &str, you: Side, own: Layout, enemy: Layout) -> Self {
        let layouts = if you == Side::First { [own.clone(), enemy.clone()] } else { [enemy.clone(), own.clone()] };
        let grid = rules.grid();
        Self {
            duel: Duel::new(rules, turns, layouts),
            you,
            own,
            enemy,
            captain: captain.to_owned(),
            cursor: Cell::new((grid.rows() - 1) / 2, (grid.cols() - 1) / 2).expect("the middle is on the board"),
            heat: false,
            hinting: false,
            odds: Figures::Unasked,
            aim_asked: false,
            message: if you == Side::First { "you fire first".to_owned() } else { format!("{captain} fires first") },
        }
    }

    pub(crate) fn obey(&mut self, input: Input) {
        match input {
            Input::Move(rows, cols) => {
                self.cursor = self.duel.rules().grid().step(self.cursor, rows, cols).unwrap_or(self.cursor);
            }
            Input::Point(Waters::Enemy, cell) => self.cursor = cell,
            Input::Click(Waters::Enemy, cell) => {
                self.cursor = cell;
                self.fire();
            }
            Input::Confirm => self.fire(),
            Input::Heat => self.heat = !self.heat,
            Input::Hint => {
                self.hinting = true;
                self.show_hint();
            }
            Input::Resign => _ = self.duel.resign(self.you),
            _ => {}
        }
    }

    fn fire(&mut self) {
        match self.duel.fire(self.you, self.cursor) {
            Ok(answer) => {
                (self.odds, self.hinting) = (Figures::Unasked, false);
                self.message = format!("you fire at {}: {}", self.cursor, words(answer));
            }
            Err(error) => self.message = error.to_string(),
        }
    }

    /// The captain's shot.
    pub(crate) fn answer_captain(&mut self, cell: Cell) {
        self.aim_asked = false;
        if let Ok(answer) = self.duel.fire(self.you.other(), cell) {
            self.message = format!("{} — {} fires at {cell}: {}", self.message, self.captain, words(answer));
        }
    }

    pub(crate) fn take_odds(&mut self, len: usize, odds: Result<Odds, OddsError>) {
        if len != self.log().len() {
            return;
        }
        match odds {
            Ok(odds) => self.odds = Figures::Known(odds),
            Err(error) => {
                (self.odds, self.heat, self.hinting) = (Figures::Unasked, false, false);
                self.message = error.to_string();
            }
        }
        self.show_hint();
    }

    fn show_hint(&mut self) {
        let Some(odds) = self.known_odds().filter(|_| self.hinting) else { return };
        let fired = self.log().fired();
        let (best, chance, exact) = match odds {
            Odds::Exact(counts) => (counts.best(fired), counts.chance(counts.best(fired)[0]), ""),
            Odds::Estimate(rough) => (rough.best(fired), rough.chance(rough.best(fired)[0]).mean, "about "),
        };
        let others = if best.len() > 1 { format!(" ({} cells as good)", best.len() - 1) } else { String::new() };
        self.message = format!("hint: {}, {exact}{:.1} %{others}", best[0], chance * 100.0);
        (self.cursor, self.hinting) = (best[0], false);
    }

    /// The captain's log, when it is the captain's turn and nobody has asked it yet.
    pub(crate) fn wants_aim(&mut self) -> Option<ShotLog> {
        let captain = self.you.other();
        if self.aim_asked || self.duel.turn() != Some(captain) {
            return None;
        }
        self.aim_asked = true;
        Some(self.duel.log(captain).clone())
    }

    /// The player's log, when its odds are wanted and nobody computes them yet.
    pub(crate) fn wants_odds(&mut self) -> Option<ShotLog> {
        if !matches!(self.odds, Figures::Unasked) || !(self.heat || self.hinting) {
            return None;
        }
        self.odds = Figures::Asked;
        Some(self.log().clone())
    }

    /// The review, when the game is over.
    pub(crate) fn finished(&self) -> Option<Afterwards> {
        let (winner, ending) = self.duel.outcome()?;
        let (logs, layouts) = ([self.log().clone(), self.enemy_log().clone()], [self.own.clone(), self.enemy.clone()]);
        Some(Afterwards::new(logs, layouts, winner == self.you, ending, &self.captain))
    }

    /// The player's shots.
    pub(crate) fn log(&self) -> &ShotLog {
        self.duel.log(self.you)
    }

    /// The captain's shots.
    pub(crate) fn enemy_log(&self) -> &ShotLog {
        self.duel.log(self.you.other())
    }

    pub(crate) fn own(&self) -> &Layout {
        &self.own
    }

    pub(crate) fn cursor(&self) -> Cell {
        self.cursor
    }

    /// The chances to show on the enemy's board.
    pub(crate) fn shown_odds(&self) -> Option<&Odds> {
        self.known_odds().filter(|_| self.heat)
    }

    fn known_odds(&self) -> Option<&Odds> {
        match &self.odds {
            Figures::Known(odds) => Some(odds),
            Figures::Unasked | Figures::Asked => None,
        }
    }

    /// Whether the player is waiting for something to be computed.
    pub(crate) fn is_thinking(&self) -> bool {
        self.aim_asked || matches!(self.odds, Figures::Asked)
    }

    /// The last shot at a board.
    pub(crate) fn last_shot(&self, waters: Waters) -> Option<Shot> {
        let log = if waters == Waters::Enemy { self.log() } else { self.enemy_log() };
        log.shots().last().copied()
    }
}

/// An answer as people say it.
pub(crate) fn words(answer: Answer) -> String {
    match (answer, answer.length()) {
        (Answer::Miss, _) => "miss".to_owned(),
        (Answer::Hit(_), None) => "hit".to_owned(),
        (Answer::Hit(_), Some(length)) => format!("hit a {length}"),
        (Answer::Sunk(_), None) => "hit and sunk".to_owned(),
        (Answer::Sunk(_), Some(length)) => format!("hit, and the {length} is sunk"),
    }
}
