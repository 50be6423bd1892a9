//! Captains of a campaign: those of the roster, and your own.

use std::fmt;
use std::sync::Arc;

use broadside_captains::{Captain, CaptainError, Registry};
use broadside_rules::Rules;

/// A captain's name, and how to make one for some rules. A campaign makes a captain for each thread.
///
/// Names of the roster become factories by themselves; [`CaptainFactory::new`] is for captains of your own.
#[derive(Clone)]
pub struct CaptainFactory {
    name: String,
    make: Arc<MakeCaptain>,
}

type MakeCaptain = dyn Fn(&Rules) -> Result<Box<dyn Captain>, CaptainError> + Send + Sync;

impl CaptainFactory {
    /// A captain of your own. Checkpoints and results know it by its name: give it another one when it changes.
    ///
    /// ```
    /// use broadside_lab::{Campaign, CampaignConfig, CaptainFactory, Layouts};
    /// let rules: broadside_rules::Rules = "5x5 3,2 allowed ship".parse()?;
    /// let mine = CaptainFactory::new("mine", |rules| broadside_captains::captain("density", rules));
    /// let config = CampaignConfig { rules, games: 100, seed: 1 };
    /// let tally = Campaign::new(config, [mine, "density".into()], Layouts::Uniform)?.run(|_| {})?;
    /// assert_eq!(tally.shots()[0], tally.shots()[1]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(
        name: impl Into<String>,
        make: impl Fn(&Rules) -> Result<Box<dyn Captain>, CaptainError> + Send + Sync + 'static,
    ) -> Self {
        Self { name: name.into(), make: Arc::new(make) }
    }

    /// The captain of this name in a registry.
    pub fn registered(registry: &Registry, name: impl Into<String>) -> Self {
        let (registry, name) = (registry.clone(), name.into());
        Self::new(name.clone(), move |rules| registry.captain(&name, rules))
    }

    /// The captain's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// A captain for games by these rules.
    pub(crate) fn make(&self, rules: &Rules) -> Result<Box<dyn Captain>, CaptainError> {
        (self.make)(rules)
    }
}

impl fmt::Debug for CaptainFactory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("CaptainFactory").field(&self.name).finish()
    }
}

impl From<String> for CaptainFactory {
    /// The captain of this name in the roster.
    fn from(name: String) -> Self {
        Self::registered(&Registry::new(), name)
    }
}

impl From<&String> for CaptainFactory {
    fn from(name: &String) -> Self {
        name.clone().into()
    }
}

impl From<&str> for CaptainFactory {
    fn from(name: &str) -> Self {
        name.to_owned().into()
    }
}
