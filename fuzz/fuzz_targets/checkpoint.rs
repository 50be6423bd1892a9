#![no_main]

#[path = "../../crates/broadside-lab/tests/suite/claims.rs"]
#[expect(dead_code, reason = "each target tries its own claims")]
mod claims;

libfuzzer_sys::fuzz_target!(|text: &str| claims::checkpoint(text));
