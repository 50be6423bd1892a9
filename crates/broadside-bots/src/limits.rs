//! What a bot may use: time, memory, processes.

use std::time::Duration;

/// What is measured when a bot takes its time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Clock {
    /// The clock on the wall, as a person would.
    #[default]
    Wall,
    /// The processor time of the bot and of all processes that it has started, which doesn't depend on what else the machine
    /// does. A bot that waits instead of working is stopped by the clock on the wall, after ten times as long.
    Processor,
}

impl Clock {
    /// Both.
    pub const ALL: &'static [Self] = &[Self::Wall, Self::Processor];

    /// The word for it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Wall => "wall",
            Self::Processor => "processor",
        }
    }
}

/// How long a bot may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeControl {
    /// For one answer: it is what a bot is told with `go`.
    pub movetime: Duration,
    /// What is added to each answer's time for the way there and back.
    pub margin: Duration,
    /// For all answers of a game together.
    pub game: Option<Duration>,
    /// From the start of the program to `ubiok`.
    pub start: Duration,
    /// What is measured.
    pub clock: Clock,
}

impl Default for TimeControl {
    fn default() -> Self {
        Self {
            movetime: Duration::from_secs(1),
            margin: Duration::from_millis(100),
            game: None,
            start: Duration::from_secs(10),
            clock: Clock::Wall,
        }
    }
}

/// A bot that is to use processor time may wait so many times as long by the clock on the wall.
const WAITING: u32 = 10;

impl TimeControl {
    /// The time for one answer, when so much of the game's time is used.
    pub(crate) fn for_answer(&self, used: Duration) -> Duration {
        let left = self.game.map_or(Duration::MAX, |game| game.saturating_sub(used));
        self.movetime.saturating_add(self.margin).min(left)
    }

    /// The time on the wall after which an answer is late in any case.
    pub(crate) fn on_the_wall(&self, allowed: Duration) -> Duration {
        match self.clock {
            Clock::Wall => allowed,
            Clock::Processor => allowed.saturating_mul(WAITING),
        }
    }
}

/// What a bot may use of the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resources {
    /// Memory of all its processes together, in bytes.
    pub memory: u64,
    /// How many processes and threads it may have.
    pub processes: u64,
}

impl Default for Resources {
    fn default() -> Self {
        Self { memory: 1 << 30, processes: 64 }
    }
}
