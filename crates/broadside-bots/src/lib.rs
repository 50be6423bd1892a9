#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod bot;
mod captain;
pub mod check;
mod command;
mod forfeit;
mod game;
mod limits;
mod message;
mod process;
mod sandbox;
mod seat;
mod speaker;
mod tail;
pub mod tournament;

#[cfg(unix)]
pub use bot::{Bot, BotSettings};
pub use captain::CaptainPlayer;
pub use command::{BotCommand, CommandError};
pub use forfeit::Forfeit;
#[cfg(unix)]
pub use game::{DuelStart, PlayedGame, play_alone, play_duel};
pub use limits::{Clock, Resources, TimeControl};
pub use message::{FromBot, MAX_LINE, MessageError, Outcome, ToBot};
pub use sandbox::{LaunchError, Launcher, Protection, run_launcher};
#[cfg(unix)]
pub use seat::{Seat, SeatError};
pub use speaker::Speaker;
pub use tail::Tail;
