//! Finished campaigns, taken instead of playing again.

use broadside_rules::{Preset, Rules};
use serde::Deserialize;

use crate::{Histogram, Layouts};

/// The histograms of finished campaigns, by captain.
#[derive(Clone, Debug, Default)]
pub struct FinishedCampaigns {
    campaigns: Vec<FinishedCampaign>,
}

#[derive(Clone, Debug)]
struct FinishedCampaign {
    captain: String,
    origin: String,
    shots: Histogram,
}

/// What `broadside simulate --format json` writes, as far as it matters here.
#[derive(Deserialize)]
struct File {
    /// Rules other than the classic ones would be another game.
    rules: Option<String>,
    /// So would layouts dealt in another way.
    layouts: Option<String>,
    captains: Vec<Entry>,
}

#[derive(Deserialize)]
struct Entry {
    captain: String,
    games: u64,
    histogram: Vec<u64>,
}

/// The results can't be taken.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ResultsFileError {
    /// Not what ‘simulate’ writes.
    #[error("this is no result of ‘broadside simulate --format json’")]
    Json(#[from] serde_json::Error),
    /// Other rules.
    #[error("the games were played by other rules than the article’s, ‘{0}’")]
    Rules(String),
    /// Other layouts.
    #[error("the layouts are ‘{0}’, and the report is about uniform ones")]
    Layouts(String),
    /// The histogram does not add up.
    #[error("the histogram of ‘{captain}’ has {counted} games, and {games} are said to have been played")]
    Games {
        /// Whose.
        captain: String,
        /// Games in the histogram.
        counted: u64,
        /// Games said.
        games: u64,
    },
}

impl FinishedCampaigns {
    /// Adds all captains of a file; `origin` says where they come from. Of several campaigns of a captain the largest is
    /// kept.
    ///
    /// # Errors
    /// When the text is no result, is of other rules, or contradicts itself.
    pub fn add(&mut self, text: &str, origin: &str) -> Result<(), ResultsFileError> {
        let file: File = serde_json::from_str(text)?;
        if let Some(rules) = file.rules.filter(|rules| rules.parse::<Rules>().ok() != Some(Preset::Classic.rules())) {
            return Err(ResultsFileError::Rules(rules));
        }
        if let Some(layouts) = file.layouts.filter(|layouts| *layouts != Layouts::Uniform.to_string()) {
            return Err(ResultsFileError::Layouts(layouts));
        }
        for Entry { captain, games, histogram } in file.captains {
            let mut counts = histogram;
            counts.resize(Preset::Classic.rules().grid().len() + 1, 0);
            let shots = Histogram::from_counts(0, counts);
            let counted = shots.total();
            if counted != games || games == 0 {
                return Err(ResultsFileError::Games { captain, counted, games });
            }
            self.keep_largest(FinishedCampaign { captain, origin: origin.to_owned(), shots });
        }
        Ok(())
    }

    fn keep_largest(&mut self, campaign: FinishedCampaign) {
        match self.campaigns.iter_mut().find(|other| other.captain == campaign.captain) {
            Some(other) if other.shots.total() >= campaign.shots.total() => {}
            Some(other) => *other = campaign,
            None => self.campaigns.push(campaign),
        }
    }

    fn find(&self, captain: &str) -> Option<&FinishedCampaign> {
        self.campaigns.iter().find(|finished| finished.captain == captain)
    }

    /// How many games of a captain took each number of shots.
    pub fn shots(&self, captain: &str) -> Option<&Histogram> {
        self.find(captain).map(|finished| &finished.shots)
    }

    /// The places that the games of these captains come from, each once.
    pub(super) fn origins(&self, captains: &[&str]) -> Vec<String> {
        let mut origins: Vec<String> = captains.iter().filter_map(|name| self.origin(name)).map(str::to_owned).collect();
        let mut seen = std::collections::HashSet::new();
        origins.retain(|origin| seen.insert(origin.clone()));
        origins
    }

    /// Where a captain's games come from.
    pub(super) fn origin(&self, captain: &str) -> Option<&str> {
        self.find(captain).map(|finished| finished.origin.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn add(text: &str) -> Result<FinishedCampaigns, ResultsFileError> {
        let mut results = FinishedCampaigns::default();
        results.add(text, "a file").map(|()| results)
    }

    #[test]
    fn a_result_is_taken_as_it_is() {
        let results = add(r#"{"captains":[{"captain":"density","games":3,"mean":2.5,"histogram":[0,0,1,2]}]}"#).unwrap();
        assert_eq!(results.shots("density").unwrap().count_of(3), 2);
        assert_eq!((results.origin("density"), results.origin("random")), (Some("a file"), None));
    }

    #[test]
    fn the_largest_campaign_of_each_captain_is_taken_whichever_comes_first() {
        let small = r#"{"captains":[{"captain":"random","games":1,"histogram":[0,1]},{"captain":"density","games":1,"histogram":[0,1]}]}"#;
        let large = r#"{"captains":[{"captain":"density","games":9,"histogram":[0,0,9]}]}"#;
        for order in [[(small, "small"), (large, "large")], [(large, "large"), (small, "small")]] {
            let mut results = FinishedCampaigns::default();
            for (text, origin) in order {
                results.add(text, origin).unwrap();
            }
            assert_eq!((results.origin("density"), results.origin("random")), (Some("large"), Some("small")));
            assert_eq!(results.shots("density").unwrap().total(), 9);
            assert_eq!(results.origins(&["density"]), ["large"], "files that nothing is taken from are not named");
        }
    }

    #[test]
    fn what_is_no_result_or_contradicts_itself_is_refused() {
        assert!(matches!(add("{}"), Err(ResultsFileError::Json(_))));
        assert!(matches!(add(r#"{"layouts":"sequential","captains":[]}"#), Err(ResultsFileError::Layouts(_))));
        assert!(matches!(add(r#"{"rules":"8x8 4,3,2 allowed ship","captains":[]}"#), Err(ResultsFileError::Rules(_))));
        let wrong = r#"{"captains":[{"captain":"density","games":4,"histogram":[0,0,1,2]}]}"#;
        assert!(add(wrong).unwrap_err().to_string().contains("has 3 games, and 4"));
    }
}
