//! A bot that plays: UBI from the referee's side.

#![cfg(unix)]

use std::io;
use std::time::{Duration, Instant};

use broadside_rules::{Cell, Layout, Rules, Shot, ShotLog};

use crate::process::{BotProcess, Deadline};
use crate::tail::Tail;
use crate::{BotCommand, Clock, Forfeit, FromBot, Launcher, MessageError, Outcome, Resources, TimeControl, ToBot};

/// What bots are started with.
#[derive(Clone, Debug)]
pub struct BotSettings {
    /// How they are started.
    pub launcher: Launcher,
    /// How long they may take.
    pub time: TimeControl,
    /// What they may use of the machine.
    pub resources: Resources,
    /// The cores that they run on; none means any.
    pub cores: Vec<usize>,
}

/// A bot that runs and has said `ubiok`.
///
/// Every method that asks it something gives a [`Forfeit`] when the answer is late, wrong or missing. After that, the bot is of
/// no use any more.
pub struct Bot {
    process: BotProcess,
    time: TimeControl,
    name: Option<String>,
    author: Option<String>,
    options: Vec<String>,
    /// The line `position` of this game, which only grows where each shot is answered at once.
    position: String,
    /// How many shots it has.
    shots: usize,
    /// The time that the bot has used in this game.
    used: Duration,
    /// Lines of this answer that are none of UBI's.
    ignored: usize,
    first_ignored: Option<String>,
}

impl Bot {
    /// Starts a bot and waits for its `ubiok`.
    ///
    /// # Errors
    /// When it doesn't start, or answers wrong or not at all; with what it wrote to standard error.
    pub fn start(command: &BotCommand, settings: &BotSettings) -> Result<Self, (Forfeit, Tail)> {
        let BotSettings { launcher, time, resources, cores } = settings;
        let process = BotProcess::start(command, launcher, *resources, cores);
        let process = process.map_err(|error| (Forfeit::Start(error.to_string()), Tail::default()))?;
        let mut bot = Self {
            process,
            time: *time,
            name: None,
            author: None,
            options: Vec::new(),
            position: String::new(),
            shots: 0,
            used: Duration::ZERO,
            ignored: 0,
            first_ignored: None,
        };
        match bot.introduce() {
            Ok(()) => Ok(bot),
            Err(forfeit) => Err((forfeit, bot.kill())),
        }
    }

    fn introduce(&mut self) -> Result<(), Forfeit> {
        let limit = self.time.start.saturating_sub(self.process.age());
        let deadline = Deadline { wall: Instant::now() + limit, processor: None };
        self.send("ubi\n", "ubi", deadline.wall)?;
        loop {
            match self.line("ubi", deadline, self.time.start)? {
                FromBot::UbiOk => return self.nothing_more(),
                FromBot::Id { what, text } if what == "name" => self.name = Some(text),
                FromBot::Id { what, text } if what == "author" => self.author = Some(text),
                FromBot::Option { name, .. } => self.options.push(name),
                FromBot::Id { .. } | FromBot::Info(_) => {}
                line => return Err(Forfeit::WrongAnswer { command: "ubi", line: line.to_string() }),
            }
        }
    }

    /// The name that it gave.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// The author that it gave.
    pub fn author(&self) -> Option<&str> {
        self.author.as_deref()
    }

    /// The names of its options.
    pub fn options(&self) -> &[String] {
        &self.options
    }

    /// Begins a game. The seed is passed on to bots that have the option `seed`.
    ///
    /// # Errors
    /// When the bot doesn't take it.
    pub fn start_game(&mut self, rules: &Rules, seed: u64) -> Result<(), Forfeit> {
        (self.used, self.shots) = (Duration::ZERO, 0);
        self.position.clear();
        self.position.push_str("position");
        let mut lines = format!("{}\n", ToBot::NewGame(rules.clone()));
        if self.options.iter().any(|name| name == "seed") {
            lines.insert_str(0, &format!("setoption name seed value {seed}\n"));
        }
        self.nothing_more()?;
        let wall = Instant::now() + self.time.on_the_wall(self.time.movetime);
        self.send(&lines, "newgame", wall)
    }

    /// Asks where its ships are.
    ///
    /// # Errors
    /// When it doesn't answer in time, or with something else than a legal layout.
    pub fn place(&mut self, rules: &Rules) -> Result<Layout, Forfeit> {
        match self.ask("place\n", "place")? {
            FromBot::Layout(draft) => draft.check(rules).into_layout().map_err(Forfeit::IllegalLayout),
            line => Err(Forfeit::WrongAnswer { command: "place", line: line.to_string() }),
        }
    }

    /// Asks where it fires.
    ///
    /// # Errors
    /// When it doesn't answer in time, or with something else than a cell.
    pub fn fire(&mut self, log: &ShotLog) -> Result<Cell, Forfeit> {
        self.tell_position(log);
        let lines = format!("{}\n{}\n", self.position, ToBot::Go { movetime: Some(self.time.movetime) });
        match self.ask(&lines, "go")? {
            FromBot::BestShot(cell) => Ok(cell),
            line => Err(Forfeit::WrongAnswer { command: "go", line: line.to_string() }),
        }
    }

    /// Brings the line `position` up to date.
    fn tell_position(&mut self, log: &ShotLog) {
        // Answers that come after the turn change what stands there.
        if log.rules().salvo().withholds() {
            self.position = ToBot::Position(log.words().collect()).to_string();
            return;
        }
        for shot in &log.shots()[self.shots..] {
            self.position.push(' ');
            self.position.push_str(&shot.to_string());
        }
        self.shots = log.len();
    }

    /// Tells it of a shot at its ships.
    ///
    /// # Errors
    /// When it doesn't take it.
    pub fn opponent(&mut self, shot: Shot) -> Result<(), Forfeit> {
        let wall = Instant::now() + self.time.on_the_wall(self.time.movetime);
        self.send(&format!("{}\n", ToBot::Opponent(shot)), "opponent", wall)
    }

    /// Tells it how the game ended. What it thinks of that has no effect.
    pub fn result(&mut self, outcome: Outcome, words: &str) {
        let line = ToBot::Result { outcome, words: words.to_owned() };
        _ = self.send(&format!("{line}\n"), "result", Instant::now() + self.time.movetime);
    }

    /// Sends a question and waits for the answer, passing over `info`.
    fn ask(&mut self, lines: &str, command: &'static str) -> Result<FromBot, Forfeit> {
        self.nothing_more()?;
        let (allowed, before) = (self.time.for_answer(self.used), self.processor_time());
        let start = Instant::now();
        let processor = (self.time.clock == Clock::Processor).then(|| before + allowed);
        let deadline = Deadline { wall: start + self.time.on_the_wall(allowed), processor };
        self.send(lines, command, deadline.wall)?;
        let answer = loop {
            match self.line(command, deadline, allowed)? {
                FromBot::Info(_) => {}
                line => break line,
            }
        };
        let taken = if processor.is_some() { self.processor_time().saturating_sub(before) } else { start.elapsed() };
        self.used += taken;
        // A quick answer is there before the processor time was ever looked at.
        if taken > allowed {
            return Err(self.late(command, allowed));
        }
        Ok(answer)
    }

    fn processor_time(&self) -> Duration {
        if self.time.clock == Clock::Processor { self.process.usage().processor } else { Duration::ZERO }
    }

    fn late(&mut self, command: &'static str, limit: Duration) -> Forfeit {
        Forfeit::Late { command, limit, ignored: self.ignored, first: self.first_ignored.take() }
    }

    fn send(&mut self, lines: &str, command: &'static str, deadline: Instant) -> Result<(), Forfeit> {
        (self.ignored, self.first_ignored) = (0, None);
        match self.process.send(lines, deadline) {
            Ok(()) => Ok(()),
            // Whoever has ended can't take anything; that it ended is the better reason.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                let deadline = Deadline { wall: Instant::now() + Duration::from_millis(500), processor: None };
                match self.line(command, deadline, self.time.movetime) {
                    Err(ended @ Forfeit::Exited { .. }) => Err(ended),
                    _ => Err(Forfeit::ClosedInput(command)),
                }
            }
            Err(_) => Err(Forfeit::ClosedInput(command)),
        }
    }

    /// The next line of UBI. Others are counted and ignored.
    fn line(&mut self, command: &'static str, deadline: Deadline, limit: Duration) -> Result<FromBot, Forfeit> {
        loop {
            let line = match self.process.receive(deadline) {
                Ok(line) => line,
                Err(none) => return Err(none.forfeit(command, limit, self.ignored, self.first_ignored.take())),
            };
            match line.parse() {
                Ok(line) => return Ok(line),
                Err(MessageError::Unknown(line)) => {
                    self.ignored += usize::from(!line.trim().is_empty());
                    if self.first_ignored.is_none() && !line.trim().is_empty() {
                        self.first_ignored = Some(line);
                    }
                }
                Err(MessageError::Malformed { line, reason }) => {
                    let reason = MessageError::Malformed { line, reason }.to_string();
                    return Err(Forfeit::Unreadable { command, reason });
                }
            }
        }
    }

    /// Makes sure that no answer is there that nobody has asked for.
    fn nothing_more(&mut self) -> Result<(), Forfeit> {
        while let Some(line) = self.process.take_line() {
            match line.parse::<FromBot>() {
                Ok(FromBot::Info(_) | FromBot::Id { .. } | FromBot::Option { .. }) | Err(MessageError::Unknown(_)) => {}
                Ok(_) | Err(MessageError::Malformed { .. }) => return Err(Forfeit::Unasked(line)),
            }
        }
        Ok(())
    }

    /// Makes sure at the end of a game that it has given no more answers than it was asked for.
    ///
    /// # Errors
    /// When it has.
    pub fn end_game(&mut self) -> Result<(), Forfeit> {
        self.nothing_more()
    }

    /// Sends a line as it is, to see what the bot makes of it.
    ///
    /// # Errors
    /// When the bot doesn't take it.
    pub(crate) fn send_line(&mut self, line: &str) -> Result<(), Forfeit> {
        self.send(&format!("{line}\n"), "a line", Instant::now() + self.time.movetime)
    }

    /// Asks it to end. Says whether it did so by itself, and gives what it wrote to standard error.
    pub fn quit(self) -> (bool, Tail) {
        self.process.quit()
    }

    /// Kills it with all that it has started. Gives what it wrote to standard error.
    pub fn kill(self) -> Tail {
        self.process.kill()
    }
}
