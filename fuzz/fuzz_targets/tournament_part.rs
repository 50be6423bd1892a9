#![no_main]

#[path = "../../crates/broadside-bots/tests/claims/part.rs"]
mod part;

libfuzzer_sys::fuzz_target!(|text: &str| part::check(text));
