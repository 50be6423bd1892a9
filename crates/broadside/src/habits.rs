//! A file in which the terminal game remembers where its player hides, if that was asked for.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use broadside_captains::Registry;
use broadside_lab::Layouts;
use broadside_odds::{Budget, CellUses, HabitKind, OutOfReach, PlacementWeights, choose_habits};
use broadside_rules::{Layout, Rules};

use crate::commands::simulate::layouts;
use crate::exit::Failure;

/// The name of the model that is learned from the file.
const HABITS: &str = "habits";

/// Parts into which the layouts are cut to see how well they predict each other.
const PARTS: usize = 5;

/// Where the player's layouts are remembered.
#[derive(clap::Args)]
pub(crate) struct HabitsOption {
    /// Remember where you hide in this file, a line for each finished game, and let captains with the model ‘habits’ learn from it
    #[arg(long, value_name = "FILE")]
    pub(crate) habits: Option<PathBuf>,
}

/// The file can't be used.
#[derive(Debug, thiserror::Error)]
enum HabitsError {
    #[error("can't write {}: give --habits a file that can be written", .path.display())]
    Write { path: PathBuf, source: io::Error },
    #[error("your habits can't be learned on a board like this: choose a smaller --board or --fleet, or leave out --habits")]
    OutOfReach(#[from] OutOfReach),
}

impl HabitsOption {
    /// The captains, with the model that is learned from the file among theirs. An empty or missing file teaches nothing.
    pub(crate) fn registry(&self, registry: Registry, rules: &Rules) -> Result<Registry, Failure> {
        let Some(path) = &self.habits else { return Ok(registry) };
        append(path, "").map_err(|source| Failure::bad_request(HabitsError::Write { path: path.clone(), source }))?;
        let is_new = std::fs::metadata(path).is_ok_and(|file| file.len() == 0);
        let listed = |path: &Path| layouts::from_file(&path.to_string_lossy(), rules).map_err(Failure::bad_request);
        let layouts = match if is_new { Layouts::Uniform } else { listed(path)? } {
            Layouts::Listed(layouts) => layouts.to_vec(),
            _ => Vec::new(),
        };
        let weights = learned(rules, &layouts).map_err(|error| Failure::bad_request(HabitsError::from(error)))?;
        Ok(registry.with_model(HABITS, weights))
    }
}

/// The habits behind some layouts as far as these predict each other; fewer than two show none.
fn learned(rules: &Rules, layouts: &[Layout]) -> Result<PlacementWeights, OutOfReach> {
    let parts = CellUses::parts(rules, layouts, PARTS);
    if parts.len() < 2 {
        return Ok(PlacementWeights::uniform());
    }
    Ok(choose_habits(rules, Budget::default(), &parts, &HabitKind::LEARNED)?.model.weights())
}

/// Adds the layout of a finished game to the file.
pub(crate) fn remember(path: &Path, layout: &Layout) -> io::Result<()> {
    append(path, &format!("{layout}\n"))
}

fn append(path: &Path, text: &str) -> io::Result<()> {
    OpenOptions::new().append(true).create(true).open(path)?.write_all(text.as_bytes())
}
