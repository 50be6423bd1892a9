//! Claims about texts, shared by the property tests and the fuzz targets.

use broadside_solve::Policy;

/// A table of play is refused or round-trips, line by line.
pub(crate) fn policy_round_trips(text: &str) {
    if let Ok(policy) = text.parse::<Policy>() {
        assert_eq!(policy.to_string().parse(), Ok(policy));
    }
}
