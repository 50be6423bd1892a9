//! A game of `density` move by move, as long as the article's.

use broadside_captains::Registry;
use broadside_rules::Preset;

use super::super::games::Games;
use super::super::{Figure, Section};
use crate::CampaignError;
use crate::replay::Replay;

/// The shots of the article's game.
const SHOTS: usize = 34;

/// Games to try. One in forty has that length.
const TRIES: u64 = 10_000;

pub(super) fn section(games: &Games<'_>) -> Result<Section, CampaignError> {
    let (rules, seed) = (Preset::Classic.rules(), games.settings.seed);
    let mut replay = Replay::play(&Registry::new(), &rules, "density", seed, 0)?;
    for game in 1..TRIES {
        if replay.record().log().len() == SHOTS {
            break;
        }
        replay = Replay::play(&Registry::new(), &rules, "density", seed, game)?;
    }
    let figure = |frame| Figure { caption: String::new(), svg: replay.picture(&frame), wide: false };
    let about = format!(
        "The article’s board can’t be read from the scan, so this is the first game under this seed that takes {SHOTS} \
         shots too: {}. On the left what the captain sees and the square it chooses, on the right the board after the \
         shot.",
        replay.title()
    );
    Ok(Section { title: "A game move by move", about, figures: replay.frames().map(figure).collect(), ..Section::default() })
}
