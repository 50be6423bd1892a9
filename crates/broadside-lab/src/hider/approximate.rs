//! Something like the best mix of a board that is too large to solve.

use broadside_odds::{EdgeFactors, PlacementWeights, Touching};
use broadside_rules::Rules;

/// Factors by which layouts of the classic board are hard to find, even for captains that know them.
///
/// They were searched for by `hard_to_find search classic 40 2000 2`, an example of this crate. On 20,000 layouts that had no part in it the best
/// of eight captains, `admiral@weights` with these factors, needs 44.94 ± 0.06 shots (`hard_to_find measure classic 20000 1001`); on
/// uniform layouts the best needs 43.85 ± 0.06. So this is the best mix that was found among those of this form, against the captains that there are:
/// no equilibrium, of which nothing is known on that board.
pub const HARD_TO_FIND: EdgeFactors = EdgeFactors {
    cells: [
        // By the smaller distance to an edge, one line each; the larger one grows along the line.
        1.780, 1.140, 0.967, 1.089, 1.032, //
        0.932, 1.043, 0.919, 0.962, //
        0.862, 0.952, 0.917, //
        0.890, 0.962, //
        0.913,
    ],
    touching: Touching { side: 1.216, corner: 0.990 },
};

/// The ships of a fleet at most for which ships that touch have a factor. Layouts are drawn by rejection, which takes as many attempts as the factor to the
/// power of the number of pairs says.
const MOST_SHIPS_TO_TOUCH: usize = 5;

/// The weights by which the hider `equilibrium` draws layouts of boards that are too large to solve.
///
/// On every board they are those of [`HARD_TO_FIND`], by the distances of a cell to the edges; nothing was searched for on boards other than the
/// classic one. Fleets of more than five ships have no factors for ships that touch.
///
/// ```
/// use broadside_lab::approximate_equilibrium;
/// let weights = approximate_equilibrium(&"classic".parse()?);
/// let [corner, centre] = ["A1-A2".parse()?, "E5-E6".parse()?].map(|ship| weights.get(ship));
/// assert!(corner > centre);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn approximate_equilibrium(rules: &Rules) -> PlacementWeights {
    let weights = HARD_TO_FIND.weights(rules);
    let ships: usize = rules.fleet().classes().map(|(_, count)| count).sum();
    if ships > MOST_SHIPS_TO_TOUCH { weights.with_touching(Touching::EITHER) } else { weights }
}

#[cfg(test)]
mod tests {
    use broadside_captains::Registry;
    use broadside_rules::Symmetry;

    use super::*;
    use crate::{CampaignConfig, Effort, Hider, HiderMatrix};

    #[test]
    fn captains_that_know_the_weights_need_more_shots_than_on_uniform_layouts() {
        let rules: Rules = "classic".parse().unwrap();
        let registry = Registry::new().with_model("weights", approximate_equilibrium(&rules));
        let hiders = ["uniform", "equilibrium"].map(|name| Hider::new(name, &rules, &registry, Effort::default()).unwrap());
        let config = CampaignConfig { rules, games: 2000, seed: 7 };
        let captains = ["density", "density@weights", "admiral", "admiral@weights"];
        let matrix = HiderMatrix::play(&registry, &config, &captains, &hiders, |_| {}).unwrap();
        let best = |hider: usize| matrix.hiders[hider].captains.iter().map(|cell| cell.mean).fold(f64::MAX, f64::min);
        // A shot or so more; the error of the difference is a quarter of a shot.
        assert!(best(1) > best(0) + 0.4, "{} and {}", best(0), best(1));
    }

    #[test]
    fn symmetries_keep_the_weights_of_every_board() {
        for text in ["classic", "russian", "7x9 4,3,2 corners silent", "12x12 5,4,3 allowed every"] {
            let rules: Rules = text.parse().unwrap();
            let weights = approximate_equilibrium(&rules);
            assert!(Symmetry::all(rules.grid()).all(|way| weights.is_kept_by(way, &rules)), "{text}");
        }
    }

    #[test]
    fn a_large_fleet_has_no_factors_for_ships_that_touch() {
        let touching = |rules: &str| approximate_equilibrium(&rules.parse().unwrap()).touching();
        assert!(!touching("classic").is_either());
        assert!(touching("russian").is_either());
    }
}
