//! The claims of the fuzz targets, on random texts.

use proptest::prelude::*;

use crate::claims;
use crate::common::{played_log, small_rules};

proptest! {
    #[test]
    fn logs_with_changed_letters_are_refused_or_counted_alike(rules in small_rules(), seed in any::<u64>(), at in any::<prop::sample::Index>(), letter in "[A-E1-5+#-]") {
        let mut text = format!("{rules} | {}", played_log(&rules, seed));
        let at = at.index(text.len());
        text.replace_range(at..=at, &letter);
        claims::odds_agree(&text);
    }

    #[test]
    fn tables_of_weights_are_refused_or_round_trip(text in "([A-J]{1,2}[0-9]{1,2}(-[A-J][0-9]{1,2})? ?-?[0-9.e]{0,6}(#[a-z]*)?\n?){0,6}") {
        claims::weights_round_trip(&text);
    }

    #[test]
    fn budgets_are_refused_or_round_trip(text in "[0-9]{0,22} ?[KMGTkmg]?[Bb]?") {
        claims::budget_round_trip(&text);
        claims::tables_have_all_cells(&text);
    }

    #[test]
    fn any_text_at_all_is_read_without_harm(text in ".{0,80}") {
        claims::odds_agree(&text);
        claims::weights_round_trip(&text);
        claims::budget_round_trip(&text);
        claims::tables_have_all_cells(&text);
    }
}
