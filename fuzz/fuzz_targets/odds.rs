#![no_main]

#[path = "../../crates/broadside-odds/tests/suite/claims.rs"]
mod claims;

libfuzzer_sys::fuzz_target!(|text: &str| {
    claims::odds_agree(text);
    claims::weights_round_trip(text);
    claims::budget_round_trip(text);
    claims::tables_have_all_cells(text);
});
