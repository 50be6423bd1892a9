//! Every hider against every captain.

use std::sync::Arc;

use broadside_captains::Registry;
use serde::Serialize;

use crate::{Campaign, CampaignConfig, CampaignError, Hider, Histogram, Layouts, Tally, pairs};

/// The mean shots of captains on the layouts of hiders.
///
/// All captains meet the same layouts of a hider, so they are compared game by game.
///
/// ```
/// use broadside_captains::Registry;
/// use broadside_lab::{CampaignConfig, Effort, Hider, HiderMatrix};
///
/// let (rules, registry): (broadside_rules::Rules, _) = ("5x5 3,2 allowed ship".parse()?, Registry::new());
/// let hiders = ["uniform", "edges"].map(|name| Hider::new(name, &rules, &registry, Effort::default()).unwrap());
/// let config = CampaignConfig { rules, games: 200, seed: 1 };
/// let matrix = HiderMatrix::play(&registry, &config, &["random", "density"], &hiders, |_| {})?;
/// assert!(matrix.hiders[0].captains[1].best_reply, "density needs fewer shots than random");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HiderMatrix {
    /// The rules.
    pub rules: String,
    /// The seed of the layouts and of random choices.
    pub seed: u64,
    /// The games of each pair.
    pub games: u64,
    /// A row for each hider.
    pub hiders: Vec<HiderRow>,
}

/// The captains against one hider.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HiderRow {
    /// The hider's name.
    pub hider: String,
    /// Where its layouts come from, in full.
    pub layouts: String,
    /// What each captain needed.
    pub captains: Vec<MatrixCell>,
}

/// A captain against a hider.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MatrixCell {
    /// The captain's name.
    pub captain: String,
    /// The mean shots.
    pub mean: f64,
    /// Their standard error.
    pub std_err: f64,
    /// How many shots more than the best captain of the row, game by game.
    pub behind: f64,
    /// The standard error of that.
    pub behind_std_err: f64,
    /// Whether no captain needs fewer shots against this hider.
    pub best_reply: bool,
    /// Whether no hider costs this captain more shots.
    pub best_hider: bool,
}

impl HiderMatrix {
    /// Plays all games. `played` is called with a number of games whenever some are done.
    ///
    /// # Errors
    /// When a captain is unknown or given twice, or when layouts can't be dealt.
    pub fn play(
        registry: &Registry,
        config: &CampaignConfig,
        captains: &[impl AsRef<str>],
        hiders: &[Hider],
        played: impl Fn(u64) + Sync,
    ) -> Result<Self, CampaignError> {
        let mut rows = Vec::new();
        for hider in hiders {
            let names = captains.iter().map(|name| name.as_ref().to_owned());
            let layouts = Layouts::Hidden(Arc::new(hider.clone()));
            let campaign = Campaign::with_registry(registry, config.clone(), names, layouts)?;
            rows.push(row(hider, captains, &campaign.run(&played)?));
        }
        mark_best_hiders(&mut rows);
        Ok(Self { rules: config.rules.to_string(), seed: config.seed, games: config.games, hiders: rows })
    }

    /// The matrix as one line of JSON.
    ///
    /// # Panics
    /// Never: all of it can be written as JSON.
    pub fn json(&self) -> String {
        serde_json::to_string(self).expect("a matrix is plain data") + "\n"
    }
}

fn row(hider: &Hider, captains: &[impl AsRef<str>], tally: &Tally) -> HiderRow {
    let shots = tally.shots();
    let best = (0..shots.len()).min_by(|&a, &b| shots[a].mean().total_cmp(&shots[b].mean())).unwrap_or(0);
    let cell = |i: usize| {
        let (behind, behind_std_err) = behind(i, best, tally.differences(), shots.len());
        MatrixCell {
            captain: captains[i].as_ref().to_owned(),
            mean: shots[i].mean(),
            std_err: shots[i].std_err(),
            behind,
            behind_std_err,
            best_reply: shots[i].mean() <= shots[best].mean(),
            best_hider: false,
        }
    };
    HiderRow { hider: hider.name().to_owned(), layouts: hider.to_string(), captains: (0..shots.len()).map(cell).collect() }
}

/// How many shots more one captain needs than another, and the error of that.
fn behind(captain: usize, best: usize, differences: &[Histogram], captains: usize) -> (f64, f64) {
    let pair = pairs(captains).position(|(a, b)| (a.min(b), a.max(b)) == (captain.min(best), captain.max(best)));
    pair.map_or((0.0, 0.0), |pair| {
        let games = &differences[pair];
        (if captain < best { games.mean() } else { -games.mean() }, games.std_err())
    })
}

fn mark_best_hiders(rows: &mut [HiderRow]) {
    let captains = rows.first().map_or(0, |row| row.captains.len());
    for captain in 0..captains {
        let most = rows.iter().map(|row| row.captains[captain].mean).fold(f64::MIN, f64::max);
        for row in rows.iter_mut() {
            row.captains[captain].best_hider = row.captains[captain].mean >= most;
        }
    }
}

#[cfg(test)]
mod tests {
    use broadside_rules::{Draft, Rules};

    use super::*;

    #[test]
    fn differences_are_those_of_the_means_and_best_replies_are_marked() {
        let rules: Rules = "1x3 1 allowed ship".parse().unwrap();
        let layout = |text: &str| text.parse::<Draft>().unwrap().check(&rules).into_layout().unwrap();
        let hiders = ["A1", "A2", "A3"].map(|cell| Hider::from_layouts(cell, [layout(cell)]));
        let config = CampaignConfig { rules: rules.clone(), games: 300, seed: 1 };
        let matrix = HiderMatrix::play(&Registry::new(), &config, &["random", "density", "exact"], &hiders, |_| {}).unwrap();
        for row in &matrix.hiders {
            let best = row.captains.iter().map(|cell| cell.mean).fold(f64::MAX, f64::min);
            for cell in &row.captains {
                assert!((cell.behind - (cell.mean - best)).abs() < 1e-9, "{row:?}");
                assert_eq!(cell.best_reply, cell.mean <= best, "{row:?}");
            }
            // `density` always fires in the same order, so one layout takes it 1, 2 or 3 shots.
            assert!([1.0, 2.0, 3.0].contains(&row.captains[1].mean));
        }
        let worst = matrix.hiders.iter().find(|row| row.captains[1].best_hider).unwrap();
        assert!((worst.captains[1].mean - 3.0).abs() < 1e-9);
    }
}
