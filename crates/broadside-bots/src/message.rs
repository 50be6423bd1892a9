//! The lines of UBI, in both directions.
//!
//! A line is words with blanks between them; the first says what it is. Lines whose first word is unknown are ignored by
//! both sides, and so are words after those that are expected: this is how the protocol grows.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use broadside_rules::{Cell, Draft, LogWord, Rules, Shot};

/// No line is longer than this, in bytes: the log of the largest board is some 30,000.
pub const MAX_LINE: usize = 1 << 16;

/// Lines that a referee sends.
///
/// ```
/// use broadside_bots::ToBot;
/// let line: ToBot = "position E5- C3+ C4#2".parse()?;
/// let ToBot::Position(shots) = &line else { unreachable!() };
/// assert_eq!(shots.len(), 3);
/// assert_eq!(line.to_string(), "position E5- C3+ C4#2");
/// # Ok::<(), broadside_bots::MessageError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ToBot {
    /// `ubi`: who are you?
    Ubi,
    /// `setoption name NAME value VALUE`: only for options that the bot has offered.
    SetOption {
        /// The option.
        name: String,
        /// Its new value.
        value: String,
    },
    /// `newgame BOARD FLEET TOUCH CALL`: a game by these rules begins.
    NewGame(Rules),
    /// `place`: where are your ships?
    Place,
    /// `position SHOT …`: all shots of the bot so far, with their answers, and what was called after turns of which only the number of
    /// hits is told.
    Position(Vec<LogWord>),
    /// `go movetime MILLISECONDS`: where do you fire? Without a time, the bot may take as long as it likes.
    Go {
        /// The time for this answer.
        movetime: Option<Duration>,
    },
    /// `opponent SHOT`: the other side fired at the bot's ships.
    Opponent(Shot),
    /// `result WORD …`: the game is over.
    Result {
        /// How it ended for the bot.
        outcome: Outcome,
        /// The same in words for people.
        words: String,
    },
    /// `quit`: end the program.
    Quit,
}

/// How a game ended for a bot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// It won.
    Win,
    /// It lost.
    Loss,
    /// It played alone and has sunk the fleet.
    Done,
}

impl Outcome {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Win, Self::Loss, Self::Done];

    /// The word for it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Win => "win",
            Self::Loss => "loss",
            Self::Done => "done",
        }
    }
}

/// Lines that a bot sends.
///
/// ```
/// use broadside_bots::FromBot;
/// let line: FromBot = "bestshot C4".parse()?;
/// assert_eq!(line, FromBot::BestShot("C4".parse().unwrap()));
/// assert!("bestshot Z99".parse::<FromBot>().is_err());
/// # Ok::<(), broadside_bots::MessageError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FromBot {
    /// `id name NAME` or `id author NAME`: who the bot is.
    Id {
        /// What is named: `name` or `author`.
        what: String,
        /// The name.
        text: String,
    },
    /// `option name NAME type TYPE default VALUE`: something that can be set.
    Option {
        /// The option.
        name: String,
        /// What follows it.
        rest: String,
    },
    /// `ubiok`: the bot is ready.
    UbiOk,
    /// `layout SHIP …`: where the ships are. It may be wrong in any way.
    Layout(Draft),
    /// `info …`: anything, for people.
    Info(String),
    /// `bestshot CELL`: the cell to fire at.
    BestShot(Cell),
}

/// A line that isn't one of UBI.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MessageError {
    /// Its first word is none of UBI's: it is to be ignored.
    #[error("{} is not a line of UBI", quote(.0))]
    Unknown(String),
    /// Its first word is one of UBI's, and what follows can't be read.
    #[error("{} can't be read: {reason}", quote(.line))]
    Malformed {
        /// The line.
        line: String,
        /// What is wrong with it.
        reason: String,
    },
}

/// How much of a faulty line a message repeats.
const EXCERPT: usize = 60;

/// The text in quotation marks, cut short, with control characters escaped.
pub(crate) fn quote(text: &str) -> String {
    let excerpt: String = text.chars().take(EXCERPT).flat_map(char::escape_debug).collect();
    let more = if text.chars().nth(EXCERPT).is_some() { "…" } else { "" };
    format!("‘{excerpt}{more}’")
}

fn malformed(line: &str, reason: impl fmt::Display) -> MessageError {
    MessageError::Malformed { line: line.to_owned(), reason: reason.to_string() }
}

/// The first word, and the rest without the blanks around it.
fn first_word(line: &str) -> (&str, &str) {
    let line = line.trim();
    line.split_once(char::is_whitespace).map_or((line, ""), |(word, rest)| (word, rest.trim_start()))
}

impl FromStr for ToBot {
    type Err = MessageError;

    fn from_str(line: &str) -> Result<Self, MessageError> {
        let (word, rest) = first_word(line);
        match word {
            "ubi" => Ok(Self::Ubi),
            "setoption" => set_option(line, rest),
            "newgame" => rest.parse().map(Self::NewGame).map_err(|error| malformed(line, error)),
            "place" => Ok(Self::Place),
            "position" => {
                let words = rest.split_whitespace().map(str::parse).collect::<Result<_, _>>();
                words.map(Self::Position).map_err(|error| malformed(line, error))
            }
            "go" => go(line, rest),
            "opponent" => first_word(rest).0.parse().map(Self::Opponent).map_err(|error| malformed(line, error)),
            "result" => result(line, rest),
            "quit" => Ok(Self::Quit),
            _ => Err(MessageError::Unknown(line.to_owned())),
        }
    }
}

fn set_option(line: &str, rest: &str) -> Result<ToBot, MessageError> {
    let read = || {
        let (name, value) = rest.strip_prefix("name ")?.split_once(" value ")?;
        let (name, value) = (name.trim().to_owned(), value.trim().to_owned());
        Some(ToBot::SetOption { name, value })
    };
    read().ok_or_else(|| malformed(line, "write ‘setoption name NAME value VALUE’"))
}

fn go(line: &str, rest: &str) -> Result<ToBot, MessageError> {
    let (word, rest) = first_word(rest);
    if word != "movetime" {
        return Ok(ToBot::Go { movetime: None });
    }
    let milliseconds = first_word(rest).0.parse().map_err(|_| malformed(line, "the time must be whole milliseconds"))?;
    Ok(ToBot::Go { movetime: Some(Duration::from_millis(milliseconds)) })
}

fn result(line: &str, rest: &str) -> Result<ToBot, MessageError> {
    let (word, words) = first_word(rest);
    let outcome = Outcome::ALL.into_iter().find(|outcome| outcome.word() == word);
    let outcome = outcome.ok_or_else(|| malformed(line, "a result is ‘win’, ‘loss’ or ‘done’"))?;
    Ok(ToBot::Result { outcome, words: words.to_owned() })
}

impl fmt::Display for ToBot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ubi => f.write_str("ubi"),
            Self::SetOption { name, value } => write!(f, "setoption name {name} value {value}"),
            Self::NewGame(rules) => write!(f, "newgame {rules}"),
            Self::Place => f.write_str("place"),
            Self::Position(words) => {
                f.write_str("position")?;
                words.iter().try_for_each(|word| write!(f, " {word}"))
            }
            Self::Go { movetime: None } => f.write_str("go"),
            Self::Go { movetime: Some(time) } => write!(f, "go movetime {}", time.as_millis()),
            Self::Opponent(shot) => write!(f, "opponent {shot}"),
            Self::Result { outcome, words } => f.write_str(format!("result {} {words}", outcome.word()).trim_end()),
            Self::Quit => f.write_str("quit"),
        }
    }
}

impl FromStr for FromBot {
    type Err = MessageError;

    fn from_str(line: &str) -> Result<Self, MessageError> {
        let (word, rest) = first_word(line);
        match word {
            "id" => {
                let (what, text) = first_word(rest);
                Ok(Self::Id { what: what.to_owned(), text: text.to_owned() })
            }
            "option" => {
                let (word, rest) = first_word(rest);
                let (name, rest) = first_word(rest);
                let read =
                    (word == "name" && !name.is_empty()).then(|| Self::Option { name: name.to_owned(), rest: rest.to_owned() });
                read.ok_or_else(|| malformed(line, "write ‘option name NAME type TYPE default VALUE’"))
            }
            "ubiok" => Ok(Self::UbiOk),
            "layout" => layout(line, rest),
            "info" => Ok(Self::Info(rest.to_owned())),
            "bestshot" => first_word(rest).0.parse().map(Self::BestShot).map_err(|error| malformed(line, error)),
            _ => Err(MessageError::Unknown(line.to_owned())),
        }
    }
}

fn layout(line: &str, rest: &str) -> Result<FromBot, MessageError> {
    match rest.parse::<Draft>() {
        Ok(draft @ Draft::Ships(_)) => Ok(FromBot::Layout(draft)),
        Ok(Draft::Picture(_)) => Err(malformed(line, "write the ships by their ends, such as A1-A5")),
        Err(error) => Err(malformed(line, error)),
    }
}

impl fmt::Display for FromBot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Id { what, text } => f.write_str(format!("id {what} {text}").trim_end()),
            Self::Option { name, rest } => f.write_str(format!("option name {name} {rest}").trim_end()),
            Self::UbiOk => f.write_str("ubiok"),
            Self::Layout(draft) => write!(f, "layout {draft}"),
            Self::Info(text) => f.write_str(format!("info {text}").trim_end()),
            Self::BestShot(cell) => write!(f, "bestshot {cell}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_with_any_blanks_and_with_words_to_come() {
        assert_eq!("  go   movetime  250 ponder\r".parse(), Ok(ToBot::Go { movetime: Some(Duration::from_millis(250)) }));
        assert_eq!("go depth 3".parse(), Ok(ToBot::Go { movetime: None }));
        assert_eq!("position".parse(), Ok(ToBot::Position(Vec::new())));
        assert_eq!("bestshot b7 sure".parse(), Ok(FromBot::BestShot("B7".parse().unwrap())));
    }

    #[test]
    fn unknown_lines_differ_from_lines_that_can_not_be_read() {
        for line in ["", "hello", "bestshotA1", "UBIOK", "\0\0\0"] {
            assert!(matches!(line.parse::<FromBot>(), Err(MessageError::Unknown(_))), "{line:?}");
        }
        for line in ["bestshot", "bestshot A0", "layout", "layout ####", "layout A1-B2", "option", "option name"] {
            assert!(matches!(line.parse::<FromBot>(), Err(MessageError::Malformed { .. })), "{line:?}");
        }
        for line in ["newgame chess", "position A1", "go movetime soon", "opponent A1", "result draw", "setoption seed 1"] {
            assert!(matches!(line.parse::<ToBot>(), Err(MessageError::Malformed { .. })), "{line:?}");
        }
    }

    #[test]
    fn a_long_line_is_cut_short_in_a_message() {
        let error = format!("bestshot {}", "x".repeat(10_000)).parse::<FromBot>().unwrap_err();
        assert!(error.to_string().chars().count() < 250, "{error}");
    }
}
