//! What can be asked for, a file for each part of the page.

pub(crate) mod analysis;
pub(crate) mod best;
pub(crate) mod events;
pub(crate) mod games;
pub(crate) mod hiding;
pub(crate) mod history;
pub(crate) mod lab;
pub(crate) mod live;
pub(crate) mod page;
pub(crate) mod puzzles;
pub(crate) mod replays;
pub(crate) mod tournament;
pub(crate) mod watch;
pub(crate) mod weights;
