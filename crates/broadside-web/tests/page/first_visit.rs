//! From the first visit to a won game, without touching a setting.

use broadside_browser::{Browser, Look, Shared};

use crate::axe::assert_accessible;
use crate::host::{Host, follow, play_by_hints, wait_for};

/// Somebody who has never been here.
fn newcomer(host: &Host, look: Look) -> Shared {
    let browser = host.newcomer(look);
    browser.goto(&host.view("play"));
    browser.wait_until("document.querySelector('#start:not(:disabled)')");
    browser
}

/// Starts with the one button, and plays by hints as a finger or a mouse does: aim where that is the way, and fire.
fn play_to_the_end(browser: &Browser) {
    browser.click("#start");
    browser.wait_until("document.querySelector('#enemy-board')");
    play_by_hints(browser);
}

/// Wins against the opponent that is shown first; a beginner needs 72 shots, hints 44, so one game in a hundred may be lost.
fn win(browser: &Browser) {
    for _ in 0..3 {
        browser.click(".rungs [name=opponent]");
        play_to_the_end(browser);
        if browser.text("#banner strong") == "Victory" {
            return;
        }
        follow(browser, "play");
        browser.wait_until("document.querySelector('#start:not(:disabled)')");
    }
    panic!("three games lost by hints against a beginner");
}

/// What was loaded before the first board came from the server alone, is small, and compressed on the way.
fn assert_light(browser: &Browser) {
    let sum = |size: &str| {
        let script = "const loaded = performance.getEntries().filter(({ entryType }) => ['navigation', 'resource'].includes(entryType));
            return loaded.every(({ name }) => name.startsWith(location.origin)) ? loaded.reduce((sum, entry) => sum + entry.SIZE, 0) : null";
        browser.script(&script.replace("SIZE", size)).as_f64().expect("nothing is loaded from elsewhere")
    };
    let (unpacked, packed) = (sum("decodedBodySize"), sum("encodedBodySize"));
    assert!(unpacked > 50_000.0 && unpacked <= 250_000.0, "{unpacked} bytes");
    assert!(packed <= unpacked / 2.0, "{packed} of {unpacked} bytes");
}

#[test]
fn a_newcomer_wins_a_game_without_touching_a_setting() {
    let host = Host::start();
    let browser = newcomer(&host, Look::desktop().sized(1280, 800));
    assert!(browser.text(".coach").starts_with("1 of 3:"), "help for the first game");
    assert_light(&browser);
    let button = browser.rectangle("#start");
    assert!(button.y + button.height <= 800.0, "the button is on the first screen: {button:?}");
    assert_eq!(browser.count("#settings[open], #more-opponents[open]"), 0, "settings are folded");
    assert_accessible(&browser, "play");
    win(&browser);
    wait_for(&browser, "#story", "the strongest opponent needs 43.9");
    wait_for(&browser, "#story", "Accuracy");
    assert_accessible(&browser, "battle-over");
    follow(&browser, "rules/sploosh");
    wait_for(&browser, "#how-to-rules", "24 shots");
    assert_accessible(&browser, "rules");
    browser.click("#settings-button");
    assert_accessible(&browser, "settings");
    browser.click("#settings-close");
    follow(&browser, "history");
    browser.wait_until("document.querySelector('#finished li')");
    assert!(browser.text("#finished").contains("Won against Pip"), "{}", browser.text("#finished"));
    browser.assert_no_errors();
}

#[test]
fn a_newcomer_wins_a_game_on_a_small_touch_screen() {
    let host = Host::start();
    let browser = newcomer(&host, Look::phone().sized(360, 640));
    for part in ["#placing-board", "[name=opponent]", "#start"] {
        let place = browser.rectangle(part);
        assert!(place.y >= 0.0 && place.y + place.height <= 640.0, "{part} is at {place:?}");
    }
    assert_eq!(browser.overflow(), 0);
    browser.keep_screenshot("phone-first-visit");
    win(&browser);
    browser.assert_no_errors();
}
