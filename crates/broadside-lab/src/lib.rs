#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod campaign;
mod captain_factory;
mod checkpoint;
mod config;
#[cfg(feature = "draw")]
pub mod draw;
mod expected_shots;
mod files;
mod folder_lock;
mod layouts;
mod odds_table;
pub mod replay;
#[cfg(feature = "report")]
pub mod report;
mod results;
mod review;
mod seeds;
pub mod stats;
mod tally;
mod text;

pub use campaign::Campaign;
pub use captain_factory::CaptainFactory;
pub use checkpoint::{Checkpoint, CheckpointError};
pub use config::{CampaignConfig, CampaignError};
pub use expected_shots::{AllLayouts, ExpectedShots, ExpectedShotsError};
pub use files::{OutputFile, claim_output_folder, write_atomic};
pub use folder_lock::{FolderLock, FolderLockError};
pub use layouts::Layouts;
pub use odds_table::{EstimateErrors, OddsTable};
pub use results::{CaptainResult, Perfect, Results};
pub use review::{Review, ReviewedShot};
pub use seeds::generator;
pub use stats::Histogram;
pub use tally::{Tally, pairs};
pub use text::hex;
