#![no_main]

#[path = "../../crates/broadside-rules/tests/suite/claims.rs"]
mod claims;

libfuzzer_sys::fuzz_target!(|text: &str| claims::check("noise", text));
