//! A game against a captain, from the first shot to the review.

use broadside_browser::{Browser, Look, key};
use broadside_odds::{Budget, Engine};
use broadside_rules::{Preset, ShotLog};

use crate::axe::assert_accessible;
use crate::host::{Host, cell, cells, fire_at_best, follow, is_over, make_game, place_at_random, play_on, wait_for};

const ENEMY: &str = "enemy-board";

#[test]
fn a_whole_game_against_density_is_played_and_reviewed() {
    let host = Host::start();
    let browser = host.browser(Look::desktop(), "play");
    make_game(&browser, "density", &[]);
    place_at_random(&browser);
    wait_for(&browser, "#status", "Your turn.");
    hint_by_chance(&browser);
    assert_eq!(cells(&browser, "own-board", "ship").split(' ').count(), 17);

    browser.keys(&cell(ENEMY, "A1"), key::DOWN);
    browser.type_keys(&format!("{}{}", key::RIGHT.repeat(2), key::ENTER));
    wait_for(&browser, "#status", "You fire at B3:");
    wait_for(&browser, "#status", "density fires at");
    let label = browser.attribute(&cell(ENEMY, "B3"), "aria-label").expect("a label");
    assert!(["B3, miss, last shot", "B3, hit, last shot"].contains(&label.as_str()), "{label}");

    browser.type_keys("o");
    browser.wait_until("document.querySelectorAll('#enemy-board [data-chance]').length === 99");
    compare_with_exact_odds(&browser, &label);
    browser.keep_screenshot("battle-odds");
    assert_accessible(&browser, "battle");
    browser.click("#odds");
    browser.wait_until("!document.querySelector('#enemy-board [data-chance]')");

    for _ in 0..3 {
        fire_at_best(&browser);
    }
    browser.reload();
    wait_for(&browser, "#status", "Your turn.");
    assert_eq!(browser.count("#enemy-board [data-state=open]"), 100 - 4, "a reload loses nothing");
    hint_by_chance(&browser);
    // In parts, since a page is waited for a minute at most.
    for open in [80, 64, 48, 32, 16, 0] {
        play_on(&browser, open);
    }
    assert!(is_over(&browser));
    browser.keep_screenshot("battle-over");
    let verdict = browser.text("#status");
    assert!(verdict.contains("sank density’s fleet in") || verdict.contains("density sank your fleet in"), "{verdict}");
    review(&browser);
    replay_and_rematch(&browser);
    browser.assert_no_errors();
}

/// Keeps the shots to go away until the page is loaded again: hints then name the likeliest cell, whatever comes first.
fn hint_by_chance(browser: &Browser) {
    browser.script(
        "const send = window.fetch;
        window.fetch = (address, ...rest) => String(address).includes('/api/best') ? new Promise(() => {}) : send(address, ...rest)",
    );
}

/// The heat map shows what the counting says.
fn compare_with_exact_odds(browser: &Browser, label: &str) {
    let shot = if label.contains("hit") { "B3+" } else { "B3-" };
    let log = ShotLog::parse(&Preset::Classic.rules(), shot).expect("a log");
    let counts = Engine::Transfer.count(&log, Budget::default()).expect("exact odds");
    for name in ["A1", "B4", "C3", "E5", "J10"] {
        let chance = counts.at(name.parse().expect("a cell")) as f64 / counts.layouts() as f64;
        assert_eq!(browser.text(&cell(ENEMY, name)), format!("{:.1}", chance * 100.0), "{name} after {shot}");
    }
}

fn review(browser: &Browser) {
    browser.click("#review");
    browser.wait_until("document.querySelector('#slider')");
    assert!(browser.script("return document.title").as_str().expect("a title").starts_with("Review"));
    let accuracy: f64 = browser.text("#accuracy").trim_end_matches('%').parse().expect("a figure");
    assert!((90.0..=100.0).contains(&accuracy), "only the first shot was not the best: {accuracy}");
    wait_for(browser, "#status", "Shot 1 of");
    browser.wait_until("document.querySelectorAll('#enemy-board [data-chance]').length === 100");
    browser.keys("#slider", key::RIGHT);
    wait_for(browser, "#status", "Shot 2 of");
    assert!(browser.text("#detail").ends_with("the best there was."));
    browser.click("#worst button");
    wait_for(browser, "#status", "Shot 1 of");
    wait_for(browser, "#status", "B3");
    assert!(browser.text("#detail").contains("It cost 0."), "{}", browser.text("#detail"));
    browser.wait_until("document.querySelector('#enemy-board [data-chance]')");
    browser.keep_screenshot("review");
    assert_accessible(browser, "review");
}

fn replay_and_rematch(browser: &Browser) {
    browser.click("#to-game");
    browser.wait_until("document.querySelector('#replay')");
    let game = browser.address();
    browser.click("#replay");
    browser.wait_until("document.querySelector('#slider')");
    browser.keys("#slider", key::RIGHT);
    wait_for(browser, "#status", "fires at B3");
    browser.keys("#slider", key::END);
    wait_for(browser, "#status", "wins.");
    browser.keep_screenshot("replay");
    assert_accessible(browser, "replay");
    browser.goto(&game);
    browser.click("#rematch");
    browser.wait_until("document.querySelector('#placing-board')");
    assert_ne!(browser.address(), game);
    follow(browser, "play");
    browser.wait_until("document.querySelector('#unfinished li')");
    assert!(browser.text("#unfinished").contains("Against density"));
}

#[test]
fn a_game_is_resigned_after_a_question_and_a_shot_can_be_aimed_first() {
    let host = Host::start();
    let browser = host.browser(Look::desktop(), "play");
    make_game(&browser, "hunt-target", &[("#preset", "russian")]);
    place_at_random(&browser);
    wait_for(&browser, "#status", "Your turn.");
    browser.click("#aim-first");
    browser.click(&cell(ENEMY, "D4"));
    wait_for(&browser, "#advice", "Aiming at D4.");
    assert_eq!(browser.count("#enemy-board [data-state=open]"), 100, "nothing is fired yet");
    browser.click("#fire");
    wait_for(&browser, "#status", "You fire at D4:");
    browser.click("#resign");
    browser.click("#dialog-no");
    assert!(!is_over(&browser));
    browser.click("#resign");
    browser.click("#dialog-yes");
    wait_for(&browser, "#banner", "Defeat");
    assert_eq!(browser.text("#status"), "You gave up. hunt-target wins.");
    assert_eq!(browser.count(".enemy .hull.revealed"), 10, "the other fleet is shown");
    browser.assert_no_errors();
}

#[test]
fn what_is_not_there_is_said_and_a_lost_server_is_found_again() {
    let mut host = Host::start();
    let browser = host.browser(Look::desktop(), "play");
    make_game(&browser, "density", &[("#preset", "sploosh")]);
    place_at_random(&browser);
    wait_for(&browser, "#status", "Your turn.");
    let game = browser.address();
    for (route, words) in [("game/none", "not in this browser"), ("replay/none", "Not found"), ("nowhere", "Not found")] {
        follow(&browser, route);
        wait_for(&browser, "h1", words);
    }
    assert_accessible(&browser, "notice");
    browser.goto(&game);
    wait_for(&browser, "#status", "Your turn.");
    host.halt();
    wait_for(&browser, "#connection", "Connection lost");
    browser.keep_screenshot("connection-lost");
    browser.click(&cell(ENEMY, "B2"));
    wait_for(&browser, "#problem", "can’t be reached");
    follow(&browser, "replay/none");
    wait_for(&browser, "h1", "The server is not there");
    host.go_on();
    browser.click("#retry");
    wait_for(&browser, "h1", "Not found");
    browser.goto(&game);
    wait_for(&browser, "#status", "Your turn.");
    browser.click(&cell(ENEMY, "B2"));
    wait_for(&browser, "#status", "You fire at B2:");
}
