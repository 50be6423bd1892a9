//! Opponents from a beginner to the best, in steps of about the same number of shots.
//!
//! Every rung but the last is `admiral` with a rate of errors, chosen so that the mean shots on the classic board are evenly
//! spaced. docs/captains.md has the table with the commands that measured it.

use broadside_rules::Preset;

/// Shots to sink a fleet, measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeanShots {
    /// The mean over all games.
    pub mean: f64,
    /// Its standard error.
    pub std_err: f64,
    /// How many games were played.
    pub games: u64,
}

/// A rung of the ladder.
///
/// ```
/// use broadside_captains::{LADDER, captain};
/// let rules = "classic".parse()?;
/// assert_eq!(captain(LADDER[7].captain, &rules)?.name(), "admiral");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rung {
    /// The captain's name.
    pub captain: &'static str,
    /// Mean shots and their standard error, for the presets in the order of [`Preset::ALL`].
    means: [(f64, f64); Preset::ALL.len()],
}

impl Rung {
    /// What was measured for each preset.
    pub fn means(&self) -> impl Iterator<Item = (Preset, MeanShots)> {
        let measured = |&(mean, std_err): &(f64, f64)| MeanShots { mean, std_err, games: GAMES };
        Preset::ALL.iter().copied().zip(self.means.map(|pair| measured(&pair)))
    }
}

/// Games that each rung played by each preset.
const GAMES: u64 = 100_000;

/// The ladder, the weakest opponent first.
pub const LADDER: [Rung; 8] = [
    Rung {
        captain: "admiral?err=0.805",
        means: [(71.9436, 0.0347), (84.7463, 0.0288), (43.0930, 0.0280), (68.2882, 0.0327), (75.5302, 0.0331)],
    },
    Rung {
        captain: "admiral?err=0.763",
        means: [(68.0195, 0.0346), (82.8252, 0.0299), (40.7979, 0.0277), (64.4699, 0.0324), (72.3410, 0.0333)],
    },
    Rung {
        captain: "admiral?err=0.71",
        means: [(64.0130, 0.0342), (80.5848, 0.0306), (38.4517, 0.0271), (60.5281, 0.0320), (69.0982, 0.0333)],
    },
    Rung {
        captain: "admiral?err=0.64",
        means: [(59.9885, 0.0336), (77.6859, 0.0308), (36.0352, 0.0263), (56.6171, 0.0312), (65.9824, 0.0331)],
    },
    Rung {
        captain: "admiral?err=0.545",
        means: [(55.9273, 0.0329), (73.9386, 0.0299), (33.5222, 0.0254), (52.6803, 0.0305), (62.9946, 0.0330)],
    },
    Rung {
        captain: "admiral?err=0.41",
        means: [(51.8361, 0.0317), (69.0764, 0.0280), (30.9137, 0.0241), (48.6382, 0.0293), (60.4111, 0.0323)],
    },
    Rung {
        captain: "admiral?err=0.23",
        means: [(47.7925, 0.0295), (63.3476, 0.0254), (28.3390, 0.0222), (44.6244, 0.0272), (58.4599, 0.0313)],
    },
    Rung {
        captain: "admiral",
        means: [(43.8549, 0.0261), (57.3060, 0.0223), (25.8331, 0.0196), (40.6589, 0.0243), (57.2752, 0.0296)],
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::captain;

    #[test]
    fn every_rung_is_a_captain_and_the_steps_are_even() {
        let rules = "classic".parse().unwrap();
        assert!(LADDER.iter().all(|rung| captain(rung.captain, &rules).is_ok_and(|made| made.name() == rung.captain)));
        let means: Vec<f64> = LADDER.iter().map(|rung| rung.means().next().unwrap().1.mean).collect();
        let steps: Vec<f64> = means.windows(2).map(|pair| pair[0] - pair[1]).collect();
        let even = (means[0] - means[7]) / 7.0;
        assert!(steps.iter().all(|step| (step - even).abs() < 0.3), "{steps:?}");
    }

    #[test]
    fn every_rung_is_stronger_than_the_one_before_by_every_preset() {
        for preset in 0..Preset::ALL.len() {
            let means: Vec<f64> = LADDER.iter().map(|rung| rung.means().nth(preset).unwrap().1.mean).collect();
            assert!(means.is_sorted_by(|a, b| a > b), "{means:?}");
        }
    }
}
