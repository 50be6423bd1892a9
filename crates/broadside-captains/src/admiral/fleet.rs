//! The numbers of the fleet admiral: the result of the longer tuning that `docs/admiral.md` describes.

use broadside_rules::{Preset, Rules};

use super::parameters::{Parameters, StageParameters};

impl Parameters {
    /// Whether the fleet admiral's numbers are for these rules. They were tuned by the classic rules and measured by no others: where sinkings are
    /// called without lengths, say, the stages don't come after one another.
    pub(crate) fn fleet_suits(rules: &Rules) -> bool {
        *rules == Preset::Classic.rules()
    }

    /// The fleet admiral's numbers. Stages that never come up in classic games have the admiral's.
    pub fn fleet() -> Self {
        let mut parameters = Self::default();
        for (name, numbers) in STAGES {
            *parameters.named(name) = StageParameters::from_array(*numbers);
        }
        parameters
    }
}

/// The numbers by the names of their stages.
const STAGES: &[(&str, [f32; 21])] = &[
    (
        "1s3",
        [
            0.884, 2.024, 1.503, 0.814, 0.905, 0.057, 0.097, 0.098, -0.041, 0.035, -0.362, 0.333, 0.276, -0.121, 0.195, 0.359,
            0.831, 0.403, 2.771, 0.429, 45.166,
        ],
    ),
    (
        "1l3",
        [
            24.656, 1.782, 1.572, 0.765, 1.715, -0.146, 0.066, -0.045, 0.004, 0.097, -0.157, 0.042, -0.098, -0.113, -0.056,
            0.142, 0.027, 0.291, 0.786, 0.645, 3.444,
        ],
    ),
    (
        "1l4",
        [
            25.871, 1.171, 1.542, 1.443, 1.489, -0.125, 0.109, 0.018, -0.044, 0.099, -0.116, 0.049, -0.082, -0.095, -0.093,
            0.213, 0.256, 0.422, 0.852, 0.83, 75.061,
        ],
    ),
    (
        "1l5",
        [
            26.459, 1.166, 0.922, 1.694, 1.063, -0.046, 0.034, -0.048, -0.052, 0.138, 0.028, -0.008, -0.032, -0.059, 0.001,
            0.289, 0.115, 0.207, 0.449, 0.894, 28.178,
        ],
    ),
    (
        "2s3",
        [
            4.49, 0.383, 1.293, 0.653, 1.323, -0.098, 0.034, 0.004, 0.023, 1.197, -0.28, 0.157, 0.072, 0.066, 0.119, 0.199,
            0.448, 0.541, 1.807, 0.149, 78.326,
        ],
    ),
    (
        "2s4",
        [
            5.794, 0.484, 1.579, 1.356, 1.171, -0.18, 0.152, 0.017, -0.012, 0.736, -0.307, 0.102, -0.064, -0.058, -0.053, 0.149,
            0.438, 1.197, 2.115, 0.19, 43.802,
        ],
    ),
    (
        "2s5",
        [
            0.468, 1.304, 0.626, 0.958, 1.655, -0.035, 0.152, 0.017, -0.063, 1.111, -0.169, 0.116, -0.061, -0.065, -0.042, 0.193,
            0.329, 0.019, 1.127, 0.669, 144.255,
        ],
    ),
    (
        "2l3",
        [
            95.155, 0.821, 1.324, 1.762, 1.867, -0.159, 0.203, -0.014, -0.078, 0.215, -0.198, 0.206, -0.174, -0.025, -0.081,
            0.102, 1.623, 0.91, 1.137, 1.084, 12.204,
        ],
    ),
    (
        "2l4",
        [
            54.243, 0.653, 1.325, 2.149, 1.186, -0.062, 0.123, -0.075, -0.049, 0.187, -0.191, 0.122, -0.143, -0.108, -0.139,
            0.131, 1.379, 1.356, 1.231, 1.06, 0.237,
        ],
    ),
    (
        "2l5",
        [
            39.335, 1.097, 1.174, 0.683, 2.228, -0.191, 0.165, 0.091, -0.09, 0.288, -0.241, 0.079, -0.143, -0.147, -0.136, 0.196,
            0.556, 1.333, 1.918, 1.864, 31.803,
        ],
    ),
    (
        "3s3",
        [
            39.633, 0.82, 1.329, 0.034, 0.773, -0.021, -0.024, -0.08, 0.042, 0.155, -0.232, 0.252, 0.0, 0.094, 0.154, 0.062,
            0.325, 1.555, 1.55, 0.3, 1.651,
        ],
    ),
    (
        "3s4",
        [
            92.223, 0.688, 1.591, 1.151, 0.479, -0.153, 0.05, -0.016, 0.009, 0.388, -0.107, 0.082, -0.02, -0.072, 0.06, 0.061,
            0.712, 0.894, 1.571, 0.283, 17.258,
        ],
    ),
    (
        "3s5",
        [
            200.018, 0.684, 1.307, 0.944, 1.687, -0.09, 0.019, 0.051, -0.009, 0.199, -0.121, 0.108, 0.041, -0.219, 0.138, 0.053,
            0.835, 1.152, 1.573, 0.123, 1.489,
        ],
    ),
    (
        "3l4",
        [
            193.23, 0.358, 1.69, 0.6, 0.819, 0.023, 0.015, -0.029, -0.032, 0.475, 0.027, 0.076, -0.095, 0.077, 0.019, 0.18,
            0.458, 1.16, 1.815, 0.333, 46.977,
        ],
    ),
    (
        "3l5",
        [
            57.504, 0.78, 1.612, 0.745, 1.386, -0.054, 0.023, -0.058, 0.001, 0.434, -0.153, 0.076, -0.094, -0.076, -0.096, 0.141,
            0.701, 1.109, 1.293, 0.237, 23.239,
        ],
    ),
    (
        "4s4",
        [
            181.814, 2.119, 1.792, 1.938, 0.974, -0.08, 0.052, 0.037, -0.04, 0.851, -0.163, 0.217, -0.01, -0.194, 0.037, 0.236,
            0.967, 1.748, 2.146, 0.131, 2.555,
        ],
    ),
    (
        "4s5",
        [
            143.154, 1.883, 1.529, 1.644, 0.721, -0.111, 0.066, 0.084, -0.052, 0.916, -0.182, 0.173, -0.016, -0.097, 0.079,
            0.291, 0.494, 1.585, 1.515, 0.353, 41.081,
        ],
    ),
    (
        "4l5",
        [
            124.048, 2.023, 1.331, 1.351, 0.05, 0.03, 0.037, -0.109, -0.007, 0.344, 0.193, 0.155, -0.194, 0.208, -0.137, 0.21,
            0.405, 0.987, 2.066, 0.037, 1.249,
        ],
    ),
    (
        "5s5",
        [
            9.684, 1.034, 0.567, 1.41, 1.6, 0.051, -0.061, 0.034, -0.044, 0.439, 0.027, 0.24, 0.125, -0.095, 0.055, 0.458, 0.867,
            0.706, 0.323, 0.252, 19.067,
        ],
    ),
];

#[cfg(test)]
mod tests {
    use broadside_odds::Dealer;
    use broadside_rules::Referee;
    use rand::SeedableRng;

    use super::*;
    use crate::{GameRng, captain};

    /// The shots of a game, by the name of the captain.
    fn game(name: &str, rules: &str, seed: u64) -> String {
        let (rules, mut rng) = (rules.parse::<Rules>().unwrap(), GameRng::seed_from_u64(seed));
        let mut captain = captain(name, &rules).unwrap();
        assert_eq!(captain.name(), name);
        let mut referee = Referee::new(&rules, Dealer::new(&rules).uniform(&mut rng).unwrap());
        while !referee.is_over() {
            let cell = captain.aim(referee.log(), &mut rng);
            referee.fire(cell).unwrap();
        }
        referee.log().to_string()
    }

    #[test]
    fn it_plays_the_classic_board_otherwise_than_the_admiral() {
        assert!((1..=3).any(|seed| game("fleet-admiral", "classic", seed) != game("admiral", "classic", seed)));
    }

    #[test]
    fn elsewhere_it_plays_as_the_admiral() {
        for rules in
            ["russian", "sploosh", "10x10 5,4,3,3,2 allowed bare", "10x10 5,4,3,3,2 allowed silent", "8x8 4,3,3,2 never ship"]
        {
            for seed in 1..=3 {
                assert_eq!(game("fleet-admiral", rules, seed), game("admiral", rules, seed), "{rules}");
            }
        }
    }
}
