//! What can be asked for, a file for each part of the page.

pub(crate) mod analysis;
pub(crate) mod games;
pub(crate) mod lab;
pub(crate) mod live;
pub(crate) mod page;
pub(crate) mod replays;
