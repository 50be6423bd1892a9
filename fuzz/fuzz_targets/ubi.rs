#![no_main]

use broadside_bots::{FromBot, ToBot};

libfuzzer_sys::fuzz_target!(|line: &str| {
    if let Ok(message) = line.parse::<ToBot>() {
        assert_eq!(message.to_string().parse::<ToBot>().as_ref(), Ok(&message));
    }
    if let Ok(message) = line.parse::<FromBot>() {
        assert_eq!(message.to_string().parse::<FromBot>().as_ref(), Ok(&message));
    }
});
