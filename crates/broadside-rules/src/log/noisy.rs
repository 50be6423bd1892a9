//! Logs whose answers may be false: cells may come again, and what was called last is shown.

use super::{LogProblem, ShotLog};
use crate::{Answer, Cell, Noise, Shot};

impl ShotLog {
    /// How often the cell was fired at.
    pub fn times_fired_at(&self, cell: Cell) -> usize {
        self.shots.iter().filter(|shot| shot.cell == cell).count()
    }

    /// Whether a shot at the cell is allowed, unless the game is over: it is on the board and no rock, and was not fired at, or may be
    /// again because answers may be false.
    ///
    /// ```
    /// use broadside_rules::ShotLog;
    /// let log = ShotLog::parse(&"3x3 2 allowed silent noise=0.1".parse()?, "A1- A1+ A1+")?;
    /// assert!(log.can_fire_at("A1".parse()?) && !log.can_fire_at("A4".parse()?));
    /// let log = ShotLog::parse(&"3x3 2 allowed silent".parse()?, "A1-")?;
    /// assert!(!log.can_fire_at("A1".parse()?) && log.can_fire_at("A2".parse()?));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn can_fire_at(&self, cell: Cell) -> bool {
        let again = || !self.rules.noise().is_none() && self.times_fired_at(cell) < Noise::MOST_SHOTS_AT_CELL;
        self.rules.grid().contains(cell) && !self.rules.is_rock(cell) && (!self.fired.contains(cell) || again())
    }

    /// Whether the end was called: by the last sinking, or by the only one where sinkings are not called.
    pub(super) fn has_called_end(&self) -> bool {
        self.sinkings() == if self.rules.call().tells_sinking() { self.rules.fleet().len() } else { 1 }
    }

    /// Adds a shot whose answer may be false.
    #[inline(never)]
    pub(super) fn record_noisy(&mut self, shot: Shot, index: usize) {
        self.fired.put(index);
        self.mark_latest(shot);
        self.add(shot);
        self.is_over = self.has_called_end();
    }

    /// Keeps what was called last at a cell; where a ship sank, that.
    fn mark_latest(&mut self, shot: Shot) {
        let is_sunk = |cell| self.shots.iter().any(|other| other.cell == cell && other.answer.is_sunk());
        match shot.answer {
            Answer::Untold => {}
            Answer::Miss if is_sunk(shot.cell) => {}
            Answer::Miss => self.hit_count -= usize::from(self.hits.remove(shot.cell)),
            Answer::Hit(_) | Answer::Sunk(_) => self.hit_count += usize::from(self.hits.insert(shot.cell)),
        }
    }

    /// Makes the cells fired at and hit anew from the shots.
    pub(super) fn mark_again(&mut self) {
        let shots = std::mem::take(&mut self.shots);
        let (turns, id) = (self.turns.take(), self.id);
        self.clear();
        self.turns = None;
        for shot in shots {
            self.record(shot, self.rules.grid().index(shot.cell));
        }
        (self.turns, self.id) = (turns, id);
    }

    /// What is wrong with firing at the cell of a shot.
    pub(super) fn problem_of_cell(&self, shot: Shot) -> Option<LogProblem> {
        if !self.fired.contains(shot.cell) {
            return None;
        }
        match self.shot_number(shot.cell) {
            None => Some(LogProblem::Rock),
            Some(number) if self.rules.noise().is_none() => Some(LogProblem::Repeated(number)),
            Some(_) if !self.can_fire_at(shot.cell) => Some(LogProblem::TooOften),
            Some(_) => shot.answer.is_sunk().then_some(LogProblem::SunkAgain),
        }
    }
}
