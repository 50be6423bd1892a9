//! All that a shooter may know.

mod counted;
mod noisy;

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::turn_call::TurnStarts;
use crate::{
    Answer, Call, Cell, CellSet, Length, Noise, ParseShotError, ParseTurnCallError, Rules, SalvoCall, Shot, Symmetry, TurnCall,
};

/// The shots of one side with their answers, in order: all that a shooter may know.
///
/// The order is information. A ship sunk at `C5` covers `C5` and cells hit before it, and a ship that was not
/// announced as sunk has a cell still unhit (except under [`Call::Silent`]).
///
/// A log refuses what counting alone rules out: a cell twice, more sinkings or hits than the fleet allows.
/// Whether some layout fits it is decided by `broadside-odds`.
///
/// ```
/// use broadside_rules::{Preset, ShotLog};
/// let log = ShotLog::parse(&Preset::Classic.rules(), "E5- C3+ C4+ C5#3")?;
/// assert_eq!(log.len(), 4);
/// assert_eq!(log.hits().to_string(), "C3 C4 C5");
/// assert_eq!(log.lengths_left().iter().map(|l| l.get()).collect::<Vec<_>>(), [5, 4, 3, 2]);
/// assert_eq!(log.to_string(), "E5- C3+ C4+ C5#3");
/// # Ok::<(), broadside_rules::ParseLogError>(())
/// ```
#[derive(Debug)]
pub struct ShotLog {
    rules: Rules,
    shots: Vec<Shot>,
    fired: CellSet,
    hits: CellSet,
    hit_count: usize,
    /// Kept up to date, since it is asked before every shot.
    is_over: bool,
    /// None where each shot is a turn, so that such logs cost nothing more.
    turns: Option<Box<TurnStarts>>,
    id: LogId,
}

/// Identifies a log for as long as it only grows. Whatever takes shots away or copies the log gives it a new id, so two
/// logs with one id are one log at two times, and the shorter is the beginning of the longer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct LogId(u64);

impl LogId {
    fn new() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

/// A length that one log had at some time; see [`ShotLog::since`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LogMark {
    id: LogId,
    len: usize,
}

/// A shot that the log so far rules out.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("shot {number}, {shot}, is impossible: {problem}")]
pub struct LogError {
    /// The shot's number, from 1.
    pub number: usize,
    /// The shot.
    pub shot: Shot,
    /// Why it can't be.
    pub problem: LogProblem,
}

/// Why a shot can't follow those before it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LogProblem {
    /// The cell is not on the board.
    #[error("the cell is off the board")]
    OffGrid,
    /// There is a rock on the cell.
    #[error("there is a rock, and nobody fires there")]
    Rock,
    /// The cell was fired at before.
    #[error("the cell was fired at already, as shot {0}")]
    Repeated(usize),
    /// The cell was fired at as often as it may be where answers may be false.
    #[error("the cell was fired at {} times already", Noise::MOST_SHOTS_AT_CELL)]
    TooOften,
    /// A shot at a cell that was fired at before is called a sinking.
    #[error("the cell was fired at already, so the shot sinks nothing")]
    SunkAgain,
    /// The defender never answers like that.
    #[error("that is not an answer under the call ‘{0}’")]
    WrongCall(Call),
    /// The fleet has no ship of the length that was called.
    #[error("the fleet has no ship of length {0}")]
    NoSuchShip(Length),
    /// More ships sank than there are.
    #[error("more ships have sunk than the fleet has")]
    TooManySinkings,
    /// More ships of one length sank than there are.
    #[error("more ships of length {0} have sunk than the fleet has")]
    TooManySunk(Length),
    /// All ships are sunk.
    #[error("every cell of the fleet was hit before it: the game is over")]
    Over,
    /// More cells were hit on ships of one length than they cover.
    #[error("more cells of ships of length {0} have been hit than they cover")]
    TooManyHitsOn(Length),
    /// More cells were hit than the fleet has.
    #[error("more cells have been hit than the fleet has")]
    TooManyHits,
    /// A turn has more hits than shots.
    #[error("the turn has {0} shots")]
    TooManyHitsInTurn(usize),
    /// By these rules every shot has an answer of its own.
    #[error("by these rules each shot is answered, not the turn")]
    NotCalled,
}

/// What can't be called after the shots so far.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{call} after shot {number} is impossible: {problem}")]
pub struct TurnCallError {
    /// The number of shots before it.
    pub number: usize,
    /// What was called.
    pub call: TurnCall,
    /// Why it can't be.
    pub problem: LogProblem,
}

/// The text is not a log of these rules. Not `non_exhaustive`: what can't be read and what can't be are two different answers.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseLogError {
    /// A shot can't be read.
    #[error(transparent)]
    Shot(#[from] ParseShotError),
    /// What is called after a turn can't be read.
    #[error(transparent)]
    Call(#[from] ParseTurnCallError),
    /// A shot contradicts those before it.
    #[error(transparent)]
    Log(#[from] LogError),
    /// What is called after a turn contradicts the shots before it.
    #[error(transparent)]
    Turn(#[from] TurnCallError),
}

impl ShotLog {
    /// No shot yet.
    pub fn new(rules: &Rules) -> Self {
        let none = CellSet::empty(rules.grid());
        let fired = rules.rocks().unwrap_or(&none).clone();
        Self {
            rules: rules.clone(),
            shots: Vec::new(),
            fired,
            hits: none,
            hit_count: 0,
            is_over: false,
            turns: TurnStarts::new(rules),
            id: LogId::new(),
        }
    }

    /// The log of these shots, in this order.
    ///
    /// # Errors
    /// At the first shot that contradicts those before it.
    pub fn from_shots(rules: &Rules, shots: impl IntoIterator<Item = Shot>) -> Result<Self, LogError> {
        let mut log = Self::new(rules);
        shots.into_iter().try_for_each(|shot| log.push(shot))?;
        Ok(log)
    }

    /// Reads shots with blanks, commas or line ends between them, and after a turn of which only the number of hits is told what
    /// was called.
    ///
    /// ```
    /// use broadside_rules::ShotLog;
    /// let log = ShotLog::parse(&"5x5 3,2 allowed ship salvo=3:count".parse()?, "A1? B2? C3? =2#2 D4-")?;
    /// assert_eq!((log.len(), log.hit_count()), (4, 2));
    /// assert_eq!(log.called_turns()[0].shots(), 0..3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// At the first word that can't be read or contradicts those before it.
    pub fn parse(rules: &Rules, text: &str) -> Result<Self, ParseLogError> {
        let mut log = Self::new(rules);
        for word in text.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty()) {
            log.push_word(word.parse()?)?;
        }
        Ok(log)
    }

    /// Adds a shot.
    ///
    /// # Errors
    /// When the shots before it rule it out; the log is then unchanged.
    pub fn push(&mut self, shot: Shot) -> Result<(), LogError> {
        if let Some(problem) = self.problem(shot) {
            return Err(LogError { number: self.len() + 1, shot, problem });
        }
        self.record(shot, self.rules.grid().index(shot.cell));
        Ok(())
    }

    /// Takes the last shot back. What was called after its turn is forgotten.
    pub fn pop(&mut self) -> Option<Shot> {
        let shot = self.shots.last().copied()?;
        self.truncate(self.len() - 1);
        Some(shot)
    }

    /// Takes back all shots after the first so many; nothing if there are no more.
    ///
    /// ```
    /// use broadside_rules::{Preset, ShotLog};
    /// let mut log = ShotLog::parse(&Preset::Classic.rules(), "E5- C3+ C4#2")?;
    /// log.truncate(1);
    /// assert_eq!(log.to_string(), "E5-");
    /// # Ok::<(), broadside_rules::ParseLogError>(())
    /// ```
    pub fn truncate(&mut self, len: usize) {
        let before = self.len();
        if before <= len {
            return;
        }
        self.id = LogId::new();
        for shot in self.shots.drain(len..) {
            self.fired.remove(shot.cell);
            self.hit_count -= usize::from(self.hits.remove(shot.cell));
        }
        if !self.rules.noise().is_none() {
            // A cell may have been fired at before.
            self.mark_again();
        }
        if let Some(turns) = &mut self.turns {
            self.hit_count -= (len..before).rev().map(|shots| turns.take_back(shots)).sum::<usize>();
        }
        self.is_over = self.has_ended();
    }

    /// Takes all shots back, keeping the memory for the next game.
    pub fn clear(&mut self) {
        self.id = LogId::new();
        self.shots.clear();
        self.fired.clear();
        if let Some(rocks) = self.rules.rocks() {
            self.fired |= rocks;
        }
        self.hits.clear();
        self.hit_count = 0;
        self.is_over = false;
        self.turns = TurnStarts::new(&self.rules);
    }

    /// The rules of the game.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The shots in order.
    pub fn shots(&self) -> &[Shot] {
        &self.shots
    }

    /// Marks the current length of the log, for [`ShotLog::since`].
    #[inline]
    pub fn mark(&self) -> LogMark {
        LogMark { id: self.id, len: self.len() }
    }

    /// The shots after the mark; `None` when this log has not simply grown from it: it is another log, a copy, or
    /// shots were taken back in between.
    ///
    /// A value that was computed from a log can be brought up to date from the new shots alone, and is never applied to
    /// another game by mistake.
    ///
    /// ```
    /// use broadside_rules::{Preset, ShotLog};
    /// let mut log = ShotLog::parse(&Preset::Classic.rules(), "E5- C3+")?;
    /// let mark = log.mark();
    /// log.push("C4#2".parse()?)?;
    /// assert_eq!(log.since(mark).map(|shots| shots.len()), Some(1));
    /// assert_eq!(log.clone().since(mark), None);
    /// log.pop();
    /// assert_eq!(log.since(mark), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn since(&self, mark: LogMark) -> Option<&[Shot]> {
        if self.id == mark.id { self.shots.get(mark.len..) } else { None }
    }

    /// The number of shots.
    pub fn len(&self) -> usize {
        self.shots.len()
    }

    /// Whether no shot was fired yet.
    pub fn is_empty(&self) -> bool {
        self.shots.is_empty()
    }

    /// The cells fired at, and the rocks: those that can't be fired at any more, unless [answers may be false](Noise).
    ///
    /// ```
    /// use broadside_rules::ShotLog;
    /// let log = ShotLog::parse(&"3x3 2 allowed ship rocks=C3".parse()?, "A1- A2+")?;
    /// assert_eq!(log.fired().to_string(), "A1 A2 C3");
    /// assert_eq!(log.misses().to_string(), "A1");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn fired(&self) -> &CellSet {
        &self.fired
    }

    /// The cells that are known to have met a ship, sunk or not. Where answers may be false, those called a hit last, and those where a ship sank.
    pub fn hits(&self) -> &CellSet {
        &self.hits
    }

    /// The cells that are known to have met water. Where answers may be false, those called a miss last.
    pub fn misses(&self) -> CellSet {
        let missed = self.shots.iter().filter(|shot| shot.answer == Answer::Miss && !self.hits.contains(shot.cell));
        CellSet::from_cells(self.rules.grid(), missed.map(|shot| shot.cell))
    }

    /// The shots of each turn, the present one last if it has begun.
    ///
    /// ```
    /// use broadside_rules::ShotLog;
    /// let log = ShotLog::parse(&"5x5 3,2 allowed ship salvo=2".parse()?, "A1- B2+ C3- D4? E5?")?;
    /// assert_eq!(log.turns().map(<[_]>::len).collect::<Vec<_>>(), [2, 2, 1]);
    /// assert_eq!(log.shots_left_in_turn(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn turns(&self) -> impl Iterator<Item = &[Shot]> {
        let starts = self.turns.as_ref().map(|turns| &turns.starts);
        let start = move |turn: usize| starts.map_or(turn, |starts| starts.get(turn).map_or(self.len(), |&start| start));
        (0..starts.map_or(self.len(), Vec::len))
            .map(move |turn| &self.shots[start(turn)..start(turn + 1)])
            .filter(|shots| !shots.is_empty())
    }

    /// The shots left in the present turn, of which the next shot is one.
    #[inline]
    pub fn shots_left_in_turn(&self) -> usize {
        self.turns.as_ref().map_or(1, |turns| turns.left)
    }

    /// Sets how many shots the turn that begins with the next shot has, where that depends on the ships that the shooter has
    /// afloat. It does nothing in the middle of a turn.
    pub fn begin_turn(&mut self, shots: usize) {
        let begun = self.shots.len();
        if let Some(turns) = self.turns.as_mut().filter(|turns| turns.starts.last() == Some(&begun)) {
            turns.left = shots.max(1);
        }
    }

    /// The log as the shooter saw it when so many shots were fired: without the answers that came after that.
    ///
    /// ```
    /// use broadside_rules::ShotLog;
    /// let log = ShotLog::parse(&"5x5 3,2 allowed ship salvo=2".parse()?, "A1- B2+ C3- D4-")?;
    /// assert_eq!(log.seen_after(3).to_string(), "A1- B2+ C3?");
    /// let log = ShotLog::parse(&"5x5 3,2 allowed ship salvo=2:each".parse()?, "A1- B2+ C3- D4-")?;
    /// assert_eq!(log.seen_after(3).to_string(), "A1- B2+ C3-");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn seen_after(&self, shots: usize) -> Self {
        let mut seen = self.clone();
        seen.truncate(shots);
        let start = seen.turns.as_ref().and_then(|turns| turns.starts.last().copied());
        if let Some(start) = start.filter(|_| shots < self.len() && self.rules.salvo().withholds()) {
            seen.tell(&vec![Answer::Untold; shots - start]);
            if self.rules.salvo().call() == SalvoCall::Count {
                seen.count_turns();
            }
        }
        seen
    }

    /// The log of the same game on a board that is turned or reflected.
    ///
    /// # Panics
    /// When the symmetry doesn't take rocks to rocks.
    #[must_use]
    pub fn turned(&self, way: Symmetry) -> Self {
        let shots = self.shots.iter().map(|&shot| Shot { cell: way.cell(shot.cell), ..shot });
        let turned = Self::from_shots(&self.rules, shots).expect("a turned log is as possible as the log");
        Self { turns: self.turns.clone(), hit_count: self.hit_count, is_over: self.is_over, ..turned }
    }

    /// The shots that nothing is known of by themselves: those that wait for their answers, and those of turns of which only the
    /// number of hits is known.
    pub fn untold(&self) -> impl Iterator<Item = Cell> + '_ {
        self.shots.iter().filter(|shot| shot.answer == Answer::Untold).map(|shot| shot.cell)
    }

    /// The number of cells that met a ship, also where it is not known which they are.
    pub fn hit_count(&self) -> usize {
        self.hit_count
    }

    /// The number of announced sinkings.
    pub fn sinkings(&self) -> usize {
        self.told_hits().filter(|answer| answer.is_sunk()).count()
    }

    /// The answers to all shots that are known to have hit, whether or not it is known which shots they were.
    fn told_hits(&self) -> impl Iterator<Item = Answer> + '_ {
        let called = self.called_turns().iter().flat_map(|turn| turn.call().answers());
        self.shots.iter().map(|shot| shot.answer).filter(|answer| answer.is_hit()).chain(called.copied())
    }

    /// The lengths of the ships not announced as sunk, longest first.
    ///
    /// Under [`Call::Silent`] and [`Call::Bare`] no length is announced, so these are all the lengths of the fleet.
    pub fn lengths_left(&self) -> Vec<Length> {
        let mut left = self.rules.fleet().lengths().to_vec();
        for length in self.told_hits().filter(|answer| answer.is_sunk()).filter_map(Answer::length) {
            left.iter().position(|&l| l == length).map(|i| left.remove(i));
        }
        left
    }

    /// Whether every cell of the fleet is hit: the game is over.
    #[inline]
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    fn has_ended(&self) -> bool {
        if self.rules.noise().is_none() { self.are_all_hit() } else { self.has_called_end() }
    }

    fn are_all_hit(&self) -> bool {
        self.hit_count == self.rules.fleet().cells()
    }

    /// Adds a shot that is known to be possible, at the cell with this number in reading order.
    #[inline]
    pub(crate) fn record(&mut self, shot: Shot, index: usize) {
        if self.rules.noise().is_none() { self.record_true(shot, index) } else { self.record_noisy(shot, index) }
    }

    /// The same where every answer is true.
    #[inline]
    pub(crate) fn record_true(&mut self, shot: Shot, index: usize) {
        self.fired.put(index);
        if shot.answer.is_hit() {
            self.hits.put(index);
            self.hit_count += 1;
            self.is_over = self.are_all_hit();
        }
        self.add(shot);
    }

    #[inline]
    fn add(&mut self, shot: Shot) {
        self.shots.push(shot);
        if let Some(turns) = &mut self.turns {
            turns.add(&self.rules, self.shots.len());
        }
    }

    /// Tells the answers to the last shots. Those after the one that sinks the whole fleet are taken back.
    pub(crate) fn tell(&mut self, answers: &[Answer]) {
        let told: Vec<Cell> = self.shots[self.len() - answers.len()..].iter().map(|shot| shot.cell).collect();
        self.truncate(self.len() - answers.len());
        for (cell, &answer) in told.into_iter().zip(answers) {
            if self.is_over() {
                break;
            }
            self.record(Shot { cell, answer }, self.rules.grid().index(cell));
        }
    }

    pub(crate) fn problem(&self, shot: Shot) -> Option<LogProblem> {
        if !self.rules.grid().contains(shot.cell) {
            return Some(LogProblem::OffGrid);
        }
        if let Some(problem) = self.problem_of_cell(shot) {
            return Some(problem);
        }
        if self.is_over() {
            return Some(LogProblem::Over);
        }
        if shot.answer == Answer::Untold && self.rules.salvo().withholds() {
            return None;
        }
        let is_end = shot.answer == Answer::Sunk(None) && self.rules.call() == Call::Silent && !self.rules.noise().is_none();
        if !is_end && !shot.answer.is_possible_under(self.rules.call()) {
            return Some(LogProblem::WrongCall(self.rules.call()));
        }
        self.problem_of_answer(shot.answer)
    }

    fn problem_of_answer(&self, answer: Answer) -> Option<LogProblem> {
        let fleet = self.rules.fleet();
        if answer.is_sunk() && self.sinkings() == fleet.len() {
            return Some(LogProblem::TooManySinkings);
        }
        let length = answer.length()?;
        let ships = fleet.count(length);
        let called = |sunk: bool| self.told_hits().filter(|a| a.length() == Some(length) && (!sunk || a.is_sunk())).count();
        match answer {
            _ if ships == 0 => Some(LogProblem::NoSuchShip(length)),
            Answer::Sunk(_) if called(true) == ships => Some(LogProblem::TooManySunk(length)),
            _ if !self.rules.noise().is_none() => None,
            _ if self.rules.call().tells_length_on_hit() && called(false) == ships * length.get() => {
                Some(LogProblem::TooManyHitsOn(length))
            }
            _ => None,
        }
    }

    /// The number, from 1, of the shot at this cell; of the first where there were several.
    pub fn shot_number(&self, cell: Cell) -> Option<usize> {
        self.shots.iter().position(|shot| shot.cell == cell).map(|i| i + 1)
    }
}

/// A copy is a log of its own: from here on the two may differ.
impl Clone for ShotLog {
    fn clone(&self) -> Self {
        Self {
            rules: self.rules.clone(),
            shots: self.shots.clone(),
            fired: self.fired.clone(),
            hits: self.hits.clone(),
            hit_count: self.hit_count,
            is_over: self.is_over,
            turns: self.turns.clone(),
            id: LogId::new(),
        }
    }
}

/// Two logs are equal when they hold the same shots under the same rules.
impl PartialEq for ShotLog {
    fn eq(&self, other: &Self) -> bool {
        self.rules == other.rules && self.shots == other.shots && self.called_turns() == other.called_turns()
    }
}

impl Eq for ShotLog {}

impl fmt::Display for ShotLog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, word) in self.words().enumerate() {
            let space = if number > 0 { " " } else { "" };
            write!(f, "{space}{word}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Preset;

    fn problem(rules: &Rules, text: &str) -> (usize, LogProblem) {
        match ShotLog::parse(rules, text) {
            Err(ParseLogError::Log(error)) => (error.number, error.problem),
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn a_log_that_contradicts_itself_is_refused_with_the_shot_named() {
        let length = |n| Length::new(n).unwrap();
        let rules = Preset::Classic.rules();
        assert_eq!(problem(&rules, "A1- B2+ A1+"), (3, LogProblem::Repeated(1)));
        assert_eq!(problem(&rules, "A1- K1-"), (2, LogProblem::OffGrid));
        let reef: Rules = "3x3 2 allowed ship rocks=C3".parse().unwrap();
        assert_eq!(problem(&reef, "A1- C3-"), (2, LogProblem::Rock));
        assert_eq!(problem(&rules, "A1#"), (1, LogProblem::WrongCall(Call::Ship)));
        assert_eq!(problem(&rules, "A1+3"), (1, LogProblem::WrongCall(Call::Ship)));
        assert_eq!(problem(&rules, "A1#6"), (1, LogProblem::NoSuchShip(length(6))));
        assert_eq!(problem(&rules, "A1#2 A2#2"), (2, LogProblem::TooManySunk(length(2))));
        let hits: Vec<String> = (1..=10).map(|c| format!("A{c}+")).chain((1..=8).map(|c| format!("B{c}+"))).collect();
        assert_eq!(problem(&rules, &hits.join(" ")), (18, LogProblem::Over));
        let every = rules.clone().with_call(Call::Every);
        assert_eq!(problem(&every, "A1+2 A2+2 A3+2"), (3, LogProblem::TooManyHitsOn(length(2))));
        let bare = Rules::new("3x3".parse().unwrap(), "2".parse().unwrap(), crate::Touch::Allowed, Call::Bare).unwrap();
        assert_eq!(problem(&bare, "A1# A2#"), (2, LogProblem::TooManySinkings));
    }

    #[test]
    fn taking_a_shot_back_restores_the_log() {
        let rules = Preset::Classic.rules();
        let mut log = ShotLog::parse(&rules, "A1- B2+, B3#2").unwrap();
        let before = ShotLog::parse(&rules, "A1- B2+").unwrap();
        assert_eq!(log.pop().map(|shot| shot.to_string()).as_deref(), Some("B3#2"));
        assert_eq!(log, before);
        log.clear();
        assert_eq!(log, ShotLog::new(&rules));
        assert_eq!(log.pop(), None);
    }

    #[test]
    fn a_game_is_over_as_long_as_its_last_word_is_there() {
        for (rules, text) in [
            ("3x3 2 allowed ship", "A1- B2+ B3#2"),
            ("3x3 2 allowed silent", "A1- B2+ B3+"),
            ("3x3 2 allowed silent noise=0.1", "B2- A1+ B3#"),
            ("3x3 2 allowed ship noise=0.1", "B2- B3#2"),
            ("3x3 2 allowed ship salvo=2", "A1- B2+ B3#2"),
            ("3x3 2 allowed ship salvo=2:count", "A1? B2? =1 B3? C3? =1#2"),
        ] {
            let rules: Rules = rules.parse().unwrap();
            let mut log = ShotLog::parse(&rules, text).unwrap();
            assert!(
                log.is_over() && log.clone().is_over() && log.turned(Symmetry::all(rules.grid()).nth(1).unwrap()).is_over(),
                "{rules}"
            );
            log.pop();
            assert!(!log.is_over() && !log.clone().is_over() && !log.seen_after(1).is_over(), "{rules}");
            log.clear();
            assert!(!log.is_over(), "{rules}");
            text.split(' ').for_each(|word| log.push_word(word.parse().unwrap()).unwrap());
            assert!(log.is_over(), "{rules}");
        }
    }
}
