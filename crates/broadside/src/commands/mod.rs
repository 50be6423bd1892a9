//! The subcommands, one file each.

pub(crate) mod bench;
pub(crate) mod best;
pub(crate) mod completions;
pub(crate) mod count;
pub(crate) mod deal;
pub(crate) mod gpu;
pub(crate) mod hide;
pub(crate) mod learn;
pub(crate) mod man;
pub(crate) mod mask;
pub(crate) mod merge;
pub(crate) mod odds;
pub(crate) mod play;
pub(crate) mod puzzle;
pub(crate) mod replay;
pub(crate) mod reproduce;
pub(crate) mod serve;
pub(crate) mod simulate;
pub(crate) mod solve;
pub(crate) mod tournament;
pub(crate) mod ubi;
pub(crate) mod ubi_check;
pub(crate) mod validate;
