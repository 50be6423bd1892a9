#![no_main]

#[path = "../../crates/broadside-solve/tests/suite/claims.rs"]
mod claims;

libfuzzer_sys::fuzz_target!(|text: &str| claims::policy_round_trips(text));
