//! Tables of best play in files.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use broadside_captains::Registry;
use broadside_rules::Rules;
use broadside_solve::{ParsePolicyError, Policy};

use crate::exit::Failure;

/// A table of best play.
#[derive(clap::Args)]
pub(crate) struct PolicyOption {
    /// Table from which ‘optimal’ plays, as ‘broadside solve --save’ writes it
    #[arg(long, value_name = "FILE")]
    policy: Option<PathBuf>,
}

/// The table is of no use.
#[derive(Debug, thiserror::Error)]
enum PolicyError {
    #[error("can't read {}", .0.display())]
    Read(PathBuf, #[source] io::Error),
    #[error("{} is not a table of best play: write one with ‘broadside solve --save’", .0.display())]
    Parse(PathBuf, #[source] ParsePolicyError),
    #[error("{} is for other rules, {rules}", .path.display())]
    OtherRules { path: PathBuf, rules: Rules },
}

impl PolicyOption {
    /// The captains for these rules. If a table is named, it is read, and `optimal` plays from it.
    pub(crate) fn registry(&self, rules: &Rules) -> Result<Registry, Failure> {
        let Some((path, policy)) = self.read()? else { return Ok(Registry::new()) };
        if policy.rules() != rules {
            let rules = policy.rules().clone();
            return Err(Failure::bad_request(PolicyError::OtherRules { path: path.to_owned(), rules }));
        }
        Ok(Registry::new().with_policy(policy))
    }

    /// The captains for any rules. If a table is named, `optimal` plays from it where its rules are played.
    pub(crate) fn any_registry(&self) -> Result<Registry, Failure> {
        Ok(self.read()?.map_or_else(Registry::new, |(_, policy)| Registry::new().with_policy(policy)))
    }

    fn read(&self) -> Result<Option<(&Path, Policy)>, Failure> {
        let Some(path) = self.policy.as_deref() else { return Ok(None) };
        let text = fs::read_to_string(path).map_err(|error| Failure::bad_request(PolicyError::Read(path.to_owned(), error)))?;
        let policy = text.parse().map_err(|error| Failure::bad_request(PolicyError::Parse(path.to_owned(), error)))?;
        Ok(Some((path, policy)))
    }
}
