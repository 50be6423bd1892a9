//! Weights of placements: how an opponent hides, from a file or by the name of a model.

use std::io;
use std::path::{Path, PathBuf};

use broadside_captains::Registry;
use broadside_odds::{ParseWeightsError, PlacementWeights};
use broadside_rules::Rules;

use crate::exit::Failure;

/// The name of the model, and of the hider, that --weights gives.
pub(crate) const WEIGHTS: &str = "weights";

/// How the opponent hides.
#[derive(clap::Args)]
pub(crate) struct WeightsOption {
    /// How the opponent hides: ‘people’ for what is known of people on average, or a file as ‘learn --save’ writes it
    #[arg(long, value_name = "people|FILE")]
    weights: Option<PathBuf>,
}

/// The weights can't be used.
#[derive(Debug, thiserror::Error)]
enum WeightsError {
    #[error("can't read {}: give --weights the word ‘people’, or a file of placements and weights", .path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("{} has no weights for these rules", .path.display())]
    Parse { path: PathBuf, source: ParseWeightsError },
}

impl WeightsOption {
    /// Whether any are asked for.
    pub(crate) fn is_given(&self) -> bool {
        self.weights.is_some()
    }

    /// The weights, if any are asked for.
    pub(crate) fn read(&self, rules: &Rules) -> Result<Option<PlacementWeights>, Failure> {
        self.weights.as_deref().map(|path| read(path, rules)).transpose()
    }

    /// The captains, with `density@weights` and `admiral@weights` among them if there are weights.
    pub(crate) fn registry(&self, registry: Registry, rules: &Rules) -> Result<Registry, Failure> {
        Ok(match self.read(rules)? {
            Some(weights) => registry.with_model(WEIGHTS, weights),
            None => registry,
        })
    }
}

/// The weights of a file, or of a model by its name.
pub(crate) fn read(path: &Path, rules: &Rules) -> Result<PlacementWeights, Failure> {
    if path == Path::new("people") {
        return Ok(PlacementWeights::people(rules));
    }
    let unread = |source| Failure::bad_request(WeightsError::Read { path: path.to_owned(), source });
    let text = std::fs::read_to_string(path).map_err(unread)?;
    let unparsed = |source| Failure::bad_request(WeightsError::Parse { path: path.to_owned(), source });
    PlacementWeights::parse(rules, &text).map_err(unparsed)
}
