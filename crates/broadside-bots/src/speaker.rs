//! A captain that speaks UBI.

use std::io::{self, BufRead, Read, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use broadside_captains::{CaptainError, Registry};
use broadside_rules::{LogWord, Preset, Rules, ShotLog, Stop};

use crate::message::MAX_LINE;
use crate::{CaptainPlayer, FromBot, MessageError, ToBot};

/// A captain of the roster at the other end of UBI: lines in, lines out.
///
/// ```
/// use broadside_bots::Speaker;
/// use broadside_captains::Registry;
///
/// let mut answers = Vec::new();
/// let lines = "newgame 4x4 3,2 allowed ship\nposition B2+ C2+\ngo movetime 100\nquit\n";
/// Speaker::new(Registry::new(), "exact")?.run(lines.as_bytes(), &mut answers)?;
/// assert_eq!(String::from_utf8(answers)?, "bestshot A2\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Speaker {
    registry: Registry,
    name: String,
    seed: u64,
    explains: bool,
    game: Option<Game>,
    timer: Timer,
}

/// The game that is played now.
struct Game {
    player: CaptainPlayer,
    log: ShotLog,
}

impl Speaker {
    /// A speaker for the captain of this name.
    ///
    /// # Errors
    /// When there is no such captain.
    pub fn new(registry: Registry, name: &str) -> Result<Self, CaptainError> {
        match registry.captain(name, &Preset::default().rules()) {
            // It may still play smaller boards.
            Ok(_) | Err(CaptainError::TooLarge(_)) => {}
            Err(error) => return Err(error),
        }
        Ok(Self { registry, name: name.to_owned(), seed: 0, explains: false, game: None, timer: Timer::default() })
    }

    /// Answers lines until `quit` or their end. A line that can't be obeyed is answered by `info string` with the reason.
    ///
    /// # Errors
    /// When lines can't be read or answers can't be written.
    pub fn run(&mut self, mut input: impl BufRead, mut output: impl Write) -> io::Result<()> {
        let mut bytes = Vec::new();
        while read_line(&mut input, &mut bytes)? {
            match String::from_utf8_lossy(&bytes).parse() {
                Ok(ToBot::Quit) => break,
                Ok(line) => self.answer(&line, &mut output)?,
                Err(MessageError::Unknown(_)) => continue,
                Err(error) => tell(&mut output, &error.to_string())?,
            }
            output.flush()?;
        }
        Ok(())
    }

    fn answer(&mut self, line: &ToBot, output: &mut impl Write) -> io::Result<()> {
        let problem = match line {
            ToBot::Ubi => return self.introduce(output),
            ToBot::SetOption { name, value } => self.set_option(name, value),
            ToBot::NewGame(rules) => self.new_game(rules),
            ToBot::Place => self.place(output)?,
            ToBot::Position(words) => self.position(words),
            ToBot::Go { movetime } => self.go(*movetime, output)?,
            ToBot::Opponent(_) | ToBot::Result { .. } | ToBot::Quit => Ok(()),
        };
        problem.or_else(|problem| tell(output, &problem))
    }

    fn introduce(&self, output: &mut impl Write) -> io::Result<()> {
        let option = |name: &str, rest: &str| FromBot::Option { name: name.to_owned(), rest: rest.to_owned() };
        let id = |what: &str, text: &str| FromBot::Id { what: what.to_owned(), text: text.to_owned() };
        let lines = [
            id("name", &self.name),
            id("author", "Broadside"),
            option("seed", "type spin default 0"),
            option("explain", "type check default false"),
            FromBot::UbiOk,
        ];
        lines.iter().try_for_each(|line| writeln!(output, "{line}"))
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), String> {
        match name {
            "seed" => self.seed = value.parse().map_err(|_| "a seed is a whole number from 0 to 2^64 - 1".to_owned())?,
            "explain" => self.explains = value.parse().map_err(|_| "explain is ‘true’ or ‘false’".to_owned())?,
            _ => return Err(format!("there is no option ‘{name}’")),
        }
        Ok(())
    }

    fn new_game(&mut self, rules: &Rules) -> Result<(), String> {
        // Captains keep tables that are slow to build.
        let known = self.game.take().filter(|game| game.player.rules() == rules).map(|game| game.player);
        let player = known.map_or_else(|| CaptainPlayer::new(&self.registry, &self.name, rules), Ok);
        let mut player = player.map_err(|error| error.to_string())?;
        player.start_game(self.seed);
        self.game = Some(Game { player, log: ShotLog::new(rules) });
        Ok(())
    }

    fn game(&mut self) -> Result<&mut Game, String> {
        self.game.as_mut().ok_or_else(|| "there is no game: send newgame first".to_owned())
    }

    fn place(&mut self, output: &mut impl Write) -> io::Result<Result<(), String>> {
        let layout = self.game().and_then(|game| game.player.place().map_err(|error| error.to_string()));
        layout.map(|layout| writeln!(output, "layout {layout}")).map_or_else(|problem| Ok(Err(problem)), |done| done.map(Ok))
    }

    fn position(&mut self, words: &[LogWord]) -> Result<(), String> {
        let log = &mut self.game()?.log;
        // Most logs are the last one and a shot more; captains are quicker when theirs has only grown.
        let known: Vec<LogWord> = log.words().collect();
        let goes_on = words.starts_with(&known);
        if !goes_on {
            log.clear();
        }
        let new = &words[if goes_on { known.len() } else { 0 }..];
        new.iter().try_for_each(|word| log.push_word(word.clone())).map_err(|error| error.to_string())
    }

    fn go(&mut self, movetime: Option<Duration>, output: &mut impl Write) -> io::Result<Result<(), String>> {
        let (explains, timer) = (self.explains, self.timer.clone());
        let Game { player, log } = match self.game() {
            Ok(game) if game.log.is_over() => return Ok(Err("the game is over".to_owned())),
            Ok(game) if game.log.len() == game.log.rules().grid().len() => {
                return Ok(Err("every cell was fired at".to_owned()));
            }
            Ok(game) => game,
            Err(problem) => return Ok(Err(problem)),
        };
        let stop = timer.start(movetime);
        player.set_stop(&stop);
        if explains {
            let reason = player.explain(log);
            writeln!(output, "info string {}: {}", reason.mode, reason.words)?;
        }
        let cell = player.fire(log);
        timer.end();
        writeln!(output, "bestshot {cell}").map(Ok)
    }
}

fn tell(output: &mut impl Write, problem: &str) -> io::Result<()> {
    writeln!(output, "info string {problem}")
}

/// Reads a line without its end; `false` at the end of the input. What is longer than any line of UBI is cut off.
fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<bool> {
    line.clear();
    let read = input.by_ref().take(MAX_LINE as u64).read_until(b'\n', line)?;
    if read == MAX_LINE && !line.ends_with(b"\n") {
        skip_line(input)?;
    }
    Ok(read > 0)
}

/// Skips what is left of a line.
fn skip_line(input: &mut impl BufRead) -> io::Result<()> {
    loop {
        let buffer = input.fill_buf()?;
        let (end, length) = (buffer.iter().position(|&byte| byte == b'\n'), buffer.len());
        input.consume(end.map_or(length, |end| end + 1));
        if end.is_some() || length == 0 {
            return Ok(());
        }
    }
}

/// Asks a captain to stop shortly before its time is up. A thread looks now and then: waking one up for every shot would take
/// longer than most captains do.
#[derive(Clone, Default)]
struct Timer(Arc<Mutex<Option<(Instant, Stop)>>>);

/// How often the timer looks.
const TICK: Duration = Duration::from_millis(5);

/// The time kept for the captain to end and for the answer to arrive.
const RESERVE: Duration = Duration::from_millis(15);

impl Timer {
    /// A token that is stopped when the time is nearly up.
    fn start(&self, movetime: Option<Duration>) -> Stop {
        let Some(end) = movetime.and_then(|time| Instant::now().checked_add(time.saturating_sub(RESERVE))) else {
            return Stop::never();
        };
        let stop = Stop::new();
        let mut armed = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *armed = Some((end, stop.clone()));
        if Arc::weak_count(&self.0) == 0 {
            self.watch();
        }
        stop
    }

    /// Starts the thread, which ends with the timer.
    fn watch(&self) {
        let timer = Arc::downgrade(&self.0);
        thread::spawn(move || {
            while let Some(timer) = timer.upgrade() {
                let armed = timer.lock().unwrap_or_else(PoisonError::into_inner).clone();
                if let Some((end, stop)) = armed
                    && Instant::now() >= end
                {
                    stop.stop();
                }
                drop(timer);
                thread::sleep(TICK);
            }
        });
    }

    fn end(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answers(name: &str, lines: &str) -> Vec<String> {
        let mut output = Vec::new();
        Speaker::new(Registry::new(), name).unwrap().run(lines.as_bytes(), &mut output).unwrap();
        String::from_utf8(output).unwrap().lines().map(str::to_owned).collect()
    }

    #[test]
    fn lines_that_can_not_be_obeyed_are_answered_with_the_reason() {
        assert_eq!(answers("random", "go\n"), ["info string there is no game: send newgame first"]);
        let over = answers("random", "newgame 1x2 2 allowed ship\nposition A1+ A2#2\ngo\n");
        assert_eq!(over, ["info string the game is over"]);
        let wrong = answers("random", "newgame 2x2 2 allowed ship\nposition A1- A1-\n");
        assert_eq!(wrong, ["info string shot 2, A1-, is impossible: the cell was fired at already, as shot 1"]);
        assert!(answers("optimal", "newgame classic\n")[0].starts_with("info string ‘optimal’ plays only boards"));
    }

    #[test]
    fn what_is_called_after_a_turn_counts() {
        // A ship of two, of which A1 or A3 was hit: it covers A2 in two of the three layouts, A3 in two, A4 in one.
        let lines = "newgame 1x6 2 allowed ship salvo=2:count\nposition A1? A3? =1\ngo\nposition A1? A3? =1 A2?\ngo\n";
        assert_eq!(answers("exact", lines), ["bestshot A2", "bestshot A4"]);
        // Two turns without a hit: both ends are water.
        let lines = "newgame 1x6 2 allowed ship salvo=2:count\nposition A1? A2? =0 A5- A6-\ngo\n";
        assert_eq!(answers("exact", lines), ["bestshot A3"]);
    }

    #[test]
    fn unknown_and_endless_lines_are_ignored() {
        let endless = format!("{}\nhello\nubi\n", "x".repeat(3 * MAX_LINE));
        let lines = answers("density", &endless);
        assert_eq!((lines[0].as_str(), lines.last().unwrap().as_str()), ("id name density", "ubiok"));
    }

    #[test]
    fn a_game_may_jump_to_any_position() {
        let lines = "newgame 1x4 2 allowed ship\nposition A1- A2-\ngo\nposition A4+\ngo\nposition A1-\ngo\n";
        let shots = answers("exact", lines);
        assert!(["bestshot A3", "bestshot A4"].contains(&shots[0].as_str()), "{shots:?}");
        assert_eq!(shots[1], "bestshot A3");
        assert!(["bestshot A2", "bestshot A3"].contains(&shots[2].as_str()), "{shots:?}");
    }

    #[test]
    fn a_captain_whose_time_is_up_still_answers() {
        // Nothing is proved by a clock here: a captain that ignored the time would take hours for this board.
        let lines = "newgame 30x30 9,9,8,8,7,7,6,6,5,5,4,4,3,3,2,2 never silent\ngo movetime 1\n";
        let shots = answers("exact", lines);
        assert!(shots.len() == 1 && shots[0].starts_with("bestshot "), "{shots:?}");
    }
}
