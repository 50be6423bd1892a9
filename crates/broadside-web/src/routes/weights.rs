//! How an opponent hides, as a request says it.

use broadside_captains::Registry;
use broadside_odds::{PlacementWeights, Transfer, WeightedOdds};
use broadside_rules::{Rules, ShotLog, Stop};

use crate::error::ApiError;
use crate::memory::JobBudget;
use crate::messages::chain;
use crate::secret;

/// The name of the model that a request brings along, or that the server was given.
pub(crate) const WEIGHTS: &str = "weights";

/// The longest text of weights that is read: a line for each placement of the classic board takes a quarter of it.
const MAX_TEXT: usize = 48 << 10;

/// Draws for an estimate, where ships that touch count.
const DRAWS: usize = 4000;

/// The weights that a request asks for: `people`, `weights` for those of the server, or a line for each placement; none for `uniform`
/// and for nothing.
pub(crate) fn read(text: Option<&str>, rules: &Rules, registry: &Registry) -> Result<Option<PlacementWeights>, ApiError> {
    let no_own = || ApiError::Weights("this server has no weights for a board and fleet like these".to_owned());
    match text.map_or("", str::trim) {
        "" | "uniform" => Ok(None),
        "people" => Ok(Some(PlacementWeights::people(rules))),
        WEIGHTS => registry.model(WEIGHTS, rules).map(|own| Some(PlacementWeights::clone(own))).ok_or_else(no_own),
        text if text.len() > MAX_TEXT => Err(ApiError::Limit(format!("weights may be up to {MAX_TEXT} bytes of text here"))),
        text => PlacementWeights::parse(rules, text).map(Some).map_err(|error| ApiError::Weights(chain(&error))),
    }
}

/// The weighted odds of a log that some layout fits; `None` if the budget is light and too small.
pub(crate) fn weigh(
    log: &ShotLog,
    weights: &PlacementWeights,
    budget: &JobBudget,
    stop: &Stop,
) -> Result<Option<WeightedOdds>, ApiError> {
    match Transfer::new(budget.tables.until(stop)).weighted_odds(log, weights, &mut secret::rng(), DRAWS) {
        Err(_) if budget.is_light => Ok(None),
        Err(error) => Err(ApiError::OutOfReach(format!("{}; without weights there is an estimate", chain(&error)))),
        Ok(counts) if counts.layouts() > 0.0 => Ok(Some(counts)),
        Ok(_) => Err(ApiError::Weights("no layout that the weights allow fits the shots".to_owned())),
    }
}
