#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod best_table;
mod campaign;
mod campaign_folder;
mod captain_factory;
mod checkpoint;
mod config;
#[cfg(feature = "draw")]
pub mod draw;
mod expected_shots;
mod files;
mod folder_lock;
mod hider;
mod hider_matrix;
mod hundredths;
mod identity;
mod layouts;
mod likeliest;
mod merge;
mod odds_table;
mod ranges;
pub mod replay;
#[cfg(feature = "report")]
pub mod report;
mod results;
mod review;
mod seeds;
mod shots_review;
pub mod stats;
mod tally;
mod text;
mod text_format;
mod worst_hider;

pub use best_table::{BestCell, BestTable};
pub use campaign::Campaign;
pub use campaign_folder::{CampaignFolder, CampaignFolderError};
pub use captain_factory::CaptainFactory;
pub use checkpoint::{Checkpoint, CheckpointError};
pub use config::{CampaignConfig, CampaignError};
pub use expected_shots::{AllLayouts, ExpectedShots, ExpectedShotsError};
pub use files::{OutputFile, claim_output_folder, write_atomic};
pub use folder_lock::{FolderLock, FolderLockError, LOCK_FILE};
pub use hider::{
    Effort, HARD_TO_FIND, HIDERS, Hider, HiderError, HiderInfo, HidingJudge, JudgedHiding, JudgedLayout, LayoutSearch,
    approximate_equilibrium, judge, with_a_ship_moved, with_ships_moved,
};
pub use hider_matrix::{HiderMatrix, HiderRow, MatrixCell};
pub use hundredths::Hundredths;
pub use identity::Identity;
pub use layouts::Layouts;
pub use likeliest::{LikeliestCost, LikeliestError, LikeliestSettings, Phase, likeliest_costs};
pub use merge::{Merge, MergeError};
pub use odds_table::{EstimateErrors, OddsTable};
pub use ranges::{Ranges, RangesError};
pub use results::{CaptainResult, MeanTurns, Perfect, Results};
pub use review::{Review, ReviewedShot};
pub use seeds::{generator, noise_seed};
pub use shots_review::{JudgedShot, Par, ReviewSettings, ShotsReview};
pub use stats::Histogram;
pub use tally::{Tally, pairs};
pub use text::hex;
pub use text_format::TextFormat;
pub use worst_hider::WorstHider;
