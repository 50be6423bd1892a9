//! Turns of which only the number of hits is told.

use super::{LogId, LogProblem, ParseLogError, ShotLog, TurnCallError};
use crate::{Answer, CalledTurn, CellSet, LogWord, SalvoCall, TurnCall};

impl ShotLog {
    /// Adds what is called after a turn: the hits among the shots at the end that nothing is known of. Where each of them must have
    /// got the same answer, it is written to them.
    ///
    /// ```
    /// use broadside_rules::ShotLog;
    /// let mut log = ShotLog::parse(&"5x5 3,2 allowed ship salvo=2:count".parse()?, "A1? B2?")?;
    /// log.call_turn("=0".parse()?)?;
    /// assert_eq!(log.to_string(), "A1- B2-");
    /// assert!(log.call_turn("=1".parse()?).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the shots before it rule it out; the log is then unchanged.
    pub fn call_turn(&mut self, call: TurnCall) -> Result<(), TurnCallError> {
        let waiting = self.waiting();
        if let Some(problem) = self.problem_of_call(&call, waiting) {
            return Err(TurnCallError { number: self.len(), call, problem });
        }
        self.record_call(self.len() - waiting, call);
        Ok(())
    }

    /// Adds a shot or what is called after a turn.
    ///
    /// # Errors
    /// When the shots before it rule it out; the log is then unchanged.
    pub fn push_word(&mut self, word: LogWord) -> Result<(), ParseLogError> {
        match word {
            LogWord::Shot(shot) => Ok(self.push(shot)?),
            LogWord::Call(call) => Ok(self.call_turn(call)?),
        }
    }

    /// The shots, and after turns of which only the number of hits is known what was called, as they are written.
    pub fn words(&self) -> impl Iterator<Item = LogWord> + '_ {
        let mut called = self.called_turns().iter().peekable();
        self.shots.iter().enumerate().flat_map(move |(number, &shot)| {
            let call = called.next_if(|turn| turn.shots().end == number + 1).map(|turn| LogWord::Call(turn.call().clone()));
            [Some(LogWord::Shot(shot)), call].into_iter().flatten()
        })
    }

    /// How many shots at the end wait for what is told after their turn.
    ///
    /// ```
    /// use broadside_rules::ShotLog;
    /// let log = ShotLog::parse(&"5x5 3,2 allowed ship salvo=2:count".parse()?, "A1? B2? =1 C3?")?;
    /// assert_eq!((log.untold().count(), log.waiting()), (3, 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn waiting(&self) -> usize {
        let called = self.called_turns().last().map_or(0, |turn| turn.shots().end);
        self.shots[called..].iter().rev().take_while(|shot| shot.answer == Answer::Untold).count()
    }

    /// The turns of which only the number of hits is known, in order. Their shots are [`Answer::Untold`].
    pub fn called_turns(&self) -> &[CalledTurn] {
        self.turns.as_ref().map_or(&[], |turns| &turns.called)
    }

    /// What each of the turns told that are over: the hits of each, of those too whose every shot is known. The turns are those of
    /// [`ShotLog::turns`]; there is none for one that is not over or of which something is not told yet.
    pub fn turn_calls(&self) -> impl Iterator<Item = Option<TurnCall>> + '_ {
        let mut called = self.called_turns().iter().peekable();
        let mut start = 0;
        self.turns().map(move |shots| {
            let turn = start..start + shots.len();
            start = turn.end;
            if let Some(turn) = called.next_if(|called| called.shots() == turn) {
                return Some(turn.call().clone());
            }
            let told = shots.iter().all(|shot| shot.answer != Answer::Untold);
            told.then(|| TurnCall::of(shots.iter().map(|shot| shot.answer)))
        })
    }

    /// Keeps only the number of hits of each turn that is over.
    pub(super) fn count_turns(&mut self) {
        let Some(turns) = &self.turns else { return };
        let (mut answers, mut called) = (vec![Answer::Untold; self.len()], turns.called.clone());
        for turn in turns.starts.windows(2).map(|ends| ends[0]..ends[1]) {
            let told: Vec<Answer> = self.shots[turn.clone()].iter().map(|shot| shot.answer).collect();
            let call = TurnCall::of(told.iter().copied());
            match call.answer_to_all(turn.len()) {
                _ if told.contains(&Answer::Untold) => {}
                Some(answer) => answers[turn].fill(answer),
                None => called.push(CalledTurn::new(turn, call)),
            }
        }
        called.sort_by_key(|turn| turn.shots().start);
        self.set_answers(&answers, called);
    }

    /// Tells the answers to all shots. Those after the one that sinks the whole fleet are taken back.
    pub(crate) fn reveal(&mut self, answers: &[Answer]) {
        self.set_answers(answers, Vec::new());
        let last = self.shots.iter().rposition(|shot| shot.answer.is_hit());
        if let Some(last) = last.filter(|_| self.is_over()) {
            self.truncate(last + 1);
        }
    }

    fn set_answers(&mut self, answers: &[Answer], called: Vec<CalledTurn>) {
        self.id = LogId::new();
        for (shot, &answer) in self.shots.iter_mut().zip(answers) {
            shot.answer = answer;
        }
        let hits = self.shots.iter().filter(|shot| shot.answer.is_hit()).map(|shot| shot.cell);
        self.hits = CellSet::from_cells(self.rules.grid(), hits);
        self.hit_count = self.hits.len() + called.iter().map(|turn| turn.call().hits()).sum::<usize>();
        if let Some(turns) = &mut self.turns {
            turns.called = called;
        }
        self.is_over = self.has_ended();
    }

    /// Adds what is called, and is known to be possible, after the shots from this one on.
    pub(crate) fn record_call(&mut self, start: usize, call: TurnCall) {
        self.id = LogId::new();
        let turn = start..self.len();
        if let Some(answer) = call.answer_to_all(turn.len()) {
            return self.tell(&vec![answer; turn.len()]);
        }
        self.hit_count += call.hits();
        self.is_over = self.has_ended();
        if let Some(turns) = &mut self.turns {
            turns.call(&self.rules, CalledTurn::new(turn, call));
        }
    }

    /// Why this can't be called after so many shots.
    fn problem_of_call(&self, call: &TurnCall, shots: usize) -> Option<LogProblem> {
        if self.rules.salvo().call() != SalvoCall::Count || shots == 0 {
            return Some(LogProblem::NotCalled);
        }
        if call.hits() > shots {
            return Some(LogProblem::TooManyHitsInTurn(shots));
        }
        if call.hits() + self.hit_count > self.rules.fleet().cells() {
            return Some(LogProblem::TooManyHits);
        }
        if !call.answers().iter().all(|answer| answer.is_possible_under(self.rules.call())) {
            return Some(LogProblem::WrongCall(self.rules.call()));
        }
        // The answers are as possible together as one after the other.
        let mut told = self.clone();
        for (number, &answer) in call.answers().iter().enumerate() {
            if let Some(problem) = told.problem_of_answer(answer) {
                return Some(problem);
            }
            told.shots[self.len() - shots + number].answer = answer;
        }
        None
    }
}
