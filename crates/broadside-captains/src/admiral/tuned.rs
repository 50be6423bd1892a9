//! The admiral's own parameters: the result of the tuning that `docs/admiral.md` describes.

use broadside_rules::Rules;

use super::parameters::{LONGEST, Parameters, StageParameters};

impl Parameters {
    /// Whether the tuned parameters do better than `density` by these rules; where they don't, the admiral does as `density` does.
    ///
    /// Measured against `density` in pairs on the training layouts: on the russian board +0.21 ± 0.08 shots, where nothing is
    /// called +21.3 ± 0.2, since there every hit stays live and the weights are for one ship. Everywhere else tried,
    /// they took fewer shots; the table is in `docs/admiral.md`.
    pub fn suit(rules: &Rules) -> bool {
        rules.call().tells_sinking() && rules.fleet().shortest().get() > 1
    }
}

impl Default for Parameters {
    fn default() -> Self {
        let stages = [
            [
                StageParameters::from_array([
                    6.577, 2.047, 1.306, 0.037, 0.439, 0.081, 0.091, 0.051, 0.017, 0.011, -0.159, 0.145, 0.175, -0.143, 0.068,
                    0.238, 1.089, 0.623, 2.001, 0.578, 25.001,
                ]),
                StageParameters::from_array([
                    17.963, 1.398, 1.505, 1.095, 1.148, -0.117, 0.022, -0.009, -0.019, 0.132, -0.064, -0.004, -0.045, -0.156,
                    -0.002, 0.24, 0.204, 0.372, 0.448, 0.924, 32.116,
                ]),
            ],
            [
                StageParameters::from_array([
                    7.914, 0.393, 0.834, 1.058, 1.3, -0.168, 0.103, 0.019, -0.02, 1.127, -0.128, 0.062, 0.007, -0.086, 0.042,
                    0.208, 0.556, 0.751, 1.568, 0.287, 64.577,
                ]),
                StageParameters::from_array([
                    83.248, 1.046, 1.073, 1.556, 2.085, -0.176, 0.156, 0.05, -0.056, 0.22, -0.05, 0.084, -0.051, 0.078, -0.024,
                    0.131, 1.546, 0.699, 1.714, 0.896, 19.228,
                ]),
            ],
            [
                StageParameters::from_array([
                    90.234, 0.86, 1.332, 0.443, 1.089, -0.105, 0.035, -0.051, 0.0, 0.233, 0.0, 0.0, 0.0, 0.0, 0.0, 0.105, 0.688,
                    1.263, 1.401, 0.223, 16.783,
                ]),
                StageParameters::from_array([
                    90.234, 0.86, 1.332, 0.443, 1.089, -0.105, 0.035, -0.051, 0.0, 0.275, 0.0, 0.0, 0.0, 0.0, 0.0, 0.105, 0.688,
                    1.263, 1.401, 0.223, 16.783,
                ]),
            ],
            [
                StageParameters::from_array([
                    142.0, 1.68, 1.43, 1.747, 0.581, -0.121, 0.007, -0.028, 0.0, 0.743, 0.0, 0.0, 0.0, 0.0, 0.0, 0.133, 0.688,
                    1.263, 1.401, 0.223, 16.783,
                ]),
                StageParameters::from_array([
                    142.0, 1.68, 1.43, 1.747, 0.581, -0.121, 0.007, -0.028, 0.0, 0.091, 0.0, 0.0, 0.0, 0.0, 0.0, 0.133, 0.688,
                    1.263, 1.401, 0.223, 16.783,
                ]),
            ],
            [
                StageParameters::from_array([
                    29.534, 0.549, 0.707, 1.255, 1.0, 0.047, -0.092, -0.059, 0.0, 0.123, 0.0, 0.0, 0.0, 0.0, 0.0, 0.301, 0.688,
                    1.263, 1.401, 0.223, 16.783,
                ]),
                StageParameters::from_array([
                    29.534, 0.549, 0.707, 1.255, 1.0, 0.047, -0.092, -0.059, 0.0, 0.134, 0.0, 0.0, 0.0, 0.0, 0.0, 0.301, 0.688,
                    1.263, 1.401, 0.223, 16.783,
                ]),
            ],
        ];
        // Whatever the longest ship left is.
        Self { stages: stages.map(|kinds| kinds.map(|stage| [stage; LONGEST])) }
    }
}
