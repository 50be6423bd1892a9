#![no_main]

#[path = "../../crates/broadside-rules/tests/suite/claims.rs"]
mod claims;

// The parsers of single words are too small for a target each.
libfuzzer_sys::fuzz_target!(|text: &str| {
    for name in ["length", "touch", "call", "preset", "answer"] {
        claims::check(name, text);
    }
});
