//! Why a bot loses a game that it hasn't lost on the board.

use std::time::Duration;

use broadside_rules::{FireError, Violation};

use crate::message::quote;

/// What a bot did that costs it the game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Forfeit {
    /// It can't be started.
    #[error("it can't be started: {0}")]
    Start(String),
    /// It didn't answer in time.
    #[error("no answer to ‘{command}’ within {} ms{}", .limit.as_millis(), late(command, *.ignored, .first.as_deref()))]
    Late {
        /// What it was asked.
        command: &'static str,
        /// The time that it had.
        limit: Duration,
        /// How many lines it printed that are none of UBI's.
        ignored: usize,
        /// The first of them.
        first: Option<String>,
    },
    /// It ended.
    #[error("it ended, {status}, instead of answering ‘{command}’{}", heard(*.ignored, .first.as_deref()))]
    Exited {
        /// What it was asked.
        command: &'static str,
        /// How it ended, in words.
        status: String,
        /// How many lines it printed that are none of UBI's.
        ignored: usize,
        /// The first of them.
        first: Option<String>,
    },
    /// It closed its standard output.
    #[error("it closed its standard output instead of answering ‘{0}’")]
    ClosedOutput(&'static str),
    /// It doesn't take what it is sent.
    #[error("it doesn't read its standard input (‘{0}’ was to be sent)")]
    ClosedInput(&'static str),
    /// It printed too much.
    #[error("it printed more than {0} bytes instead of answering ‘{1}’")]
    Flood(usize, &'static str),
    /// It answered something that wasn't asked.
    #[error("it answered ‘{command}’ with {}", quote(.line))]
    WrongAnswer {
        /// What it was asked.
        command: &'static str,
        /// What it said.
        line: String,
    },
    /// It answered before it was asked, or twice.
    #[error("it said {} without being asked: one answer for each question", quote(.0))]
    Unasked(String),
    /// Its answer can't be read.
    #[error("its answer to ‘{command}’ can't be read: {reason}")]
    Unreadable {
        /// What it was asked.
        command: &'static str,
        /// Why its line can't be read.
        reason: String,
    },
    /// It fired where it may not.
    #[error("it may not fire there: {0}")]
    IllegalShot(#[from] FireError),
    /// Its layout breaks the rules.
    #[error("its layout breaks the rules: {}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
    IllegalLayout(Vec<Violation>),
    /// It uses too much memory.
    #[error("it uses more than {} MB of memory", .0 >> 20)]
    Memory(u64),
    /// It runs too many processes.
    #[error("it runs more than {0} processes and threads")]
    Processes(u64),
}

/// What may be behind a missing answer.
fn late(command: &str, ignored: usize, first: Option<&str>) -> String {
    let forgot_to_flush = command == "ubi" && first.is_none();
    let hint = "; a bot must flush its output after each answer, and a busy machine may need a longer --starttime";
    if forgot_to_flush { hint.to_owned() } else { heard(ignored, first) }
}

fn heard(ignored: usize, first: Option<&str>) -> String {
    match first {
        None => String::new(),
        Some(first) if ignored == 1 => format!("; it printed a line that is none of UBI's: {}", quote(first)),
        Some(first) => format!("; it printed {ignored} lines that are none of UBI's, the first: {}", quote(first)),
    }
}

impl Forfeit {
    /// One word for the kind, for counting.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Start(_) => "start",
            Self::Late { .. } => "late",
            Self::Exited { .. } => "exited",
            Self::ClosedOutput(_) | Self::ClosedInput(_) => "closed",
            Self::Flood(..) => "flood",
            Self::WrongAnswer { .. } => "wrong-answer",
            Self::Unasked(_) => "unasked",
            Self::Unreadable { .. } => "unreadable",
            Self::IllegalShot(_) => "illegal-shot",
            Self::IllegalLayout(_) => "illegal-layout",
            Self::Memory(_) => "memory",
            Self::Processes(_) => "processes",
        }
    }
}
