//! A captain against the hider who knows it.
//!
//! A captain without random choices always plays a layout alike, so a hider who knows it uses its worst layout every time. If
//! the captain turns or reflects the board at random before each game, such a hider can only choose a class of layouts that
//! symmetries take to each other, and the captain needs the mean over that class.

use std::collections::HashMap;

use broadside_captains::Captain;
use broadside_rules::Layout;
use num_rational::Ratio;

use crate::expected_shots::{AllLayouts, ExpectedShotsError};

/// How many shots a captain needs against the hider who knows it.
#[derive(Clone, Debug, PartialEq)]
pub enum WorstHider {
    /// The captain makes no random choices.
    Exact {
        /// A layout that takes it most shots.
        layout: Layout,
        /// That number of shots.
        shots: u64,
        /// The same if the board is turned or reflected at random before the game.
        turned: Ratio<u64>,
    },
    /// The captain makes random choices. The layout was chosen by some games and measured by others, so the real worst layout
    /// may take a little more.
    Estimate {
        /// The layout that took most shots in the games that chose it.
        layout: Layout,
        /// The mean of its other games.
        mean: f64,
        /// Its standard error.
        std_err: f64,
        /// The number of these games.
        games: u64,
    },
}

/// Games that choose the worst layout, and as many that measure it, for each layout.
const ROUNDS: u64 = 32;

impl AllLayouts {
    /// The captain against the hider who knows it.
    ///
    /// ```
    /// use broadside_lab::{AllLayouts, WorstHider};
    /// let layouts = AllLayouts::list(&"1x3 2 allowed ship".parse()?, Default::default())?;
    /// // It fires at the middle, then at one end: always the same one.
    /// let WorstHider::Exact { shots, turned, .. } = layouts.worst_hider("density")? else { unreachable!() };
    /// assert_eq!((shots, turned.to_string()), (3, "5/2".to_owned()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When there is no such captain, or not for these rules.
    pub fn worst_hider(&self, name: &str) -> Result<WorstHider, ExpectedShotsError> {
        let mut captain = self.captain(name)?;
        let (shots, is_random) = self.games(captain.as_mut(), 0);
        Ok(if is_random { self.estimated(captain.as_mut()) } else { self.exact(&shots) })
    }

    fn exact(&self, shots: &[u64]) -> WorstHider {
        let (worst, &most) =
            shots.iter().enumerate().max_by_key(|&(i, shots)| (shots, usize::MAX - i)).expect("a board has layouts");
        let by_layout: HashMap<&Layout, u64> = self.layouts().iter().zip(shots.iter().copied()).collect();
        let mean = |layout: &Layout| {
            let images = self.rules().symmetries().map(|symmetry| by_layout[&symmetry.layout(layout)]);
            Ratio::new(images.clone().sum(), images.count() as u64)
        };
        let turned = self.layouts().iter().map(mean).max().expect("a board has layouts");
        WorstHider::Exact { layout: self.layouts()[worst].clone(), shots: most, turned }
    }

    fn estimated(&self, captain: &mut dyn Captain) -> WorstHider {
        let mut chosen_by = vec![0; self.layouts().len()];
        for round in 0..ROUNDS {
            chosen_by.iter_mut().zip(self.games(captain, round).0).for_each(|(sum, shots)| *sum += shots);
        }
        let worst = (0..chosen_by.len()).max_by_key(|&i| (chosen_by[i], usize::MAX - i)).expect("a board has layouts");
        let games: Vec<f64> = (ROUNDS..2 * ROUNDS).map(|round| self.game(captain, worst, round).0 as f64).collect();
        let mean = games.iter().sum::<f64>() / ROUNDS as f64;
        let variance = games.iter().map(|shots| (shots - mean).powi(2)).sum::<f64>() / (ROUNDS - 1) as f64;
        let layout = self.layouts()[worst].clone();
        WorstHider::Estimate { layout, mean, std_err: (variance / ROUNDS as f64).sqrt(), games: ROUNDS }
    }
}
