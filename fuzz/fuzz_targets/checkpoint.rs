#![no_main]

#[path = "../../crates/broadside-lab/tests/suite/claims.rs"]
mod claims;

libfuzzer_sys::fuzz_target!(|text: &str| claims::checkpoint(text));
