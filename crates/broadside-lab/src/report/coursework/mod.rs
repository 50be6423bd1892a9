//! The UCSD report on finding a ship and sinking it.

mod finders;
mod first_hit;
mod pdf;
mod sinkers;

use broadside_captains::{GameRng, Reason, captain};
use broadside_rules::{Grid, Rules, ShotLog};
use rand::SeedableRng;

use super::games::Games;
use super::{Chapter, Settings};
use crate::CampaignError;

pub(super) fn chapter(games: &Games<'_>) -> Result<Chapter, CampaignError> {
    Ok(Chapter {
        number: "000",
        short: "UCSD report",
        title: "CSE 202: Project algorithmic solutions",
        citation: "Alex Martakis, Mayank Sharan, Twinkle Choudhary and Satvik Gupta, “CSE 202: Project Algorithmic \
                   Solutions”, UC San Diego, March 2023",
        link: None,
        about: "Finding a ship by random guesses, along diagonals \
                and by counting placements; sinking it by brute force and by a “smart” search.",
        sections: vec![
            first_hit::section(games)?,
            finders::diagonal(),
            pdf::tables(),
            finders::compared(games)?,
            pdf::optimality(),
            sinkers::section(games)?,
        ],
    })
}

/// How many games the chapter plays.
pub(super) fn games(settings: &Settings) -> u64 {
    first_hit::games(settings) + finders::games(settings) + sinkers::games(settings)
}

/// The two boards that the chapter plays on: the usual one, and that of the document's figures.
pub(super) fn boards() -> [Rules; 2] {
    ["10x10 5,4,3,3,2 allowed ship", "10x15 6,5,4,2 allowed ship"].map(|text| text.parse().expect("rules that can be played"))
}

/// What a captain makes of a position.
fn reason(name: &str, log: &ShotLog) -> Reason {
    let mut captain = captain(name, log.rules()).expect("a captain of the roster");
    captain.explain(log, &mut GameRng::seed_from_u64(0))
}

/// The scores as whole numbers, in reading order; 0 for what the captain doesn't consider.
fn counts(reason: &Reason) -> Vec<u32> {
    let whole = |score: f64| format!("{score:.0}").parse().expect("these captains count placements");
    reason.scores.iter().map(|score| score.map_or(0, whole)).collect()
}

/// The longest ship of the document's figures.
const LONGEST: usize = 6;

/// The board of the document's figures, figures 5 to 8.
fn figure_rules() -> Rules {
    let [_, rules] = boards();
    rules
}

fn figure_grid() -> Grid {
    figure_rules().grid()
}

/// The options that choose a board, for the command beside a row.
fn options(rules: &Rules) -> String {
    format!("--board {} --fleet {}", rules.grid(), rules.fleet())
}
