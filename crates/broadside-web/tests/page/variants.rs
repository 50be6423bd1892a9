//! Whole games of each variant.

use broadside_browser::{Browser, Look, Shared, key};

use crate::host::{Host, cell, cells, fill, is_over, make_game, place_at_random, play_by_hints, wait_for};

#[test]
fn a_game_among_rocks_is_set_up_and_played_to_its_end() {
    let host = Host::start();
    let browser = host.browser(Look::desktop(), "play");
    make_game(&browser, "density", &[("#preset", "reef")]);
    assert_eq!(cells(&browser, "placing-board", "rock"), "C3 C8 E5 F6 H3 H8");
    browser.script(
        "for (let at = document.querySelector('#choose-rocks'); at; at = at.parentElement.closest('details')) at.open = true",
    );
    browser.wait_until("document.querySelector('#rocks-board')");
    browser.click(&cell("rocks-board", "J10"));
    browser.click(&cell("rocks-board", "C3"));
    wait_for(&browser, "#rules-line", "rocks C8 E5 F6 H3 H8 J10");
    browser.wait_until("!document.querySelector('#start').disabled");
    assert_eq!(cells(&browser, "placing-board", "rock"), "C8 E5 F6 H3 H8 J10");
    browser.click("#start");
    wait_for(&browser, "#status", "Your turn.");
    browser.click(&cell("enemy-board", "J10"));
    assert_eq!(browser.text("#status"), "Your turn.", "nobody fires at a rock");
    assert_eq!(browser.attribute(&cell("enemy-board", "J10"), "aria-label").as_deref(), Some("J10, rock"));
    play_by_hints(&browser);
    assert_eq!(cells(&browser, "enemy-board", "rock"), "C8 E5 F6 H3 H8 J10");
    browser.keep_screenshot("rocks");
    browser.assert_no_errors();
}

#[test]
fn a_game_with_false_answers_is_set_up_and_played_to_its_end() {
    let host = Host::start();
    let browser = host.browser(Look::desktop(), "play");
    let rules = [("#rows", "5"), ("#cols", "5"), ("#fleet", "3,2"), ("#call", "silent"), ("#noise", "0.2")];
    make_game(&browser, "density", &rules);
    wait_for(&browser, "#rules-line", "of the answers are false, and cells may be fired at again");
    browser.click("#start");
    wait_for(&browser, "#status", "Your turn.");
    for shots in 1..=2 {
        browser.click(&cell("enemy-board", "A1"));
        wait_for(&browser, "#status", "You fire at A1: ");
        wait_for(&browser, "#status", "Your turn.");
        assert_eq!(browser.count("#enemy-board :is([data-state=miss], [data-state=hit])"), 1, "one cell after {shots} shots");
    }
    browser.keep_screenshot("noise");
    play_by_hints(&browser);
    browser.assert_no_errors();
}

#[test]
fn a_salvo_game_is_set_up_and_played_to_its_end() {
    let host = Host::start();
    let browser = host.browser(Look::desktop(), "play");
    make_game(&browser, "density", &[("#rows", "6"), ("#cols", "6"), ("#fleet", "3,2,2"), ("#salvo", "ships")]);
    wait_for(&browser, "#rules-line", "one shot for each own ship afloat, answered after the turn");
    browser.click("#start");
    wait_for(&browser, "#status", "Your turn: 3 shots to fire.");
    browser.click(&cell("enemy-board", "A1"));
    wait_for(&browser, "#status", "You fire at A1: answered after the turn. Your turn: 2 shots to fire.");
    assert_eq!(cells(&browser, "enemy-board", "untold"), "A1");
    assert_eq!(
        browser.attribute(&cell("enemy-board", "A1"), "aria-label").as_deref(),
        Some("A1, answered after the turn, last shot")
    );
    browser.keep_screenshot("salvo");
    play_by_hints(&browser);
    assert_eq!(cells(&browser, "enemy-board", "untold"), "");
    browser.assert_no_errors();
}

#[test]
fn two_browsers_play_salvo_to_the_end() {
    let host = Host::start();
    let (ann, bob) = two_players(&host, &[("#rows", "4"), ("#cols", "4"), ("#fleet", "3,2"), ("#salvo", "ships")]);
    wait_for(&ann, "#status", "Your turn: 2 shots to fire.");
    fire(&ann);
    assert_eq!(ann.count("#enemy-board [data-state=untold]"), 1, "Ann waits for the answer");
    bob.wait_until("document.querySelectorAll('#own-board :is([data-state=miss], [data-state=hit])').length === 1");
    take_turns(&ann, &bob);
    for (one, other) in [(&ann, &bob), (&bob, &ann)] {
        assert_eq!(cells(one, "own-board", "miss hit sunk"), cells(other, "enemy-board", "miss hit sunk"));
        assert_eq!(one.count("#enemy-board [data-state=untold]"), 0, "all is told at the end");
    }
    assert_ne!(ann.text("#banner strong"), bob.text("#banner strong"), "one wins, one loses");
    ann.click("#review");
    ann.wait_until("document.querySelector('#detail')?.textContent");
    ann.assert_no_errors();
    bob.assert_no_errors();
}

#[test]
fn a_game_in_which_only_hits_are_counted_is_played_to_its_end() {
    let host = Host::start();
    let browser = host.browser(Look::desktop(), "play");
    let rules = [("#rows", "5"), ("#cols", "5"), ("#fleet", "3,2"), ("#salvo", "3"), ("#salvo-call", "count")];
    make_game(&browser, "density", &rules);
    wait_for(&browser, "#rules-line", "3 shots a turn, only the number of hits is called");
    browser.click("#start");
    wait_for(&browser, "#status", "Your turn: 3 shots to fire.");
    let mut called = String::new();
    while !is_over(&browser) {
        called = browser.text("#calls");
        for _ in 0..3 {
            // The captain may have ended the game, or be quick to fire its own turn.
            if !is_over(&browser) {
                fire(&browser);
                browser.wait_until(YOUR_TURN_OR_OVER);
            }
        }
        // A turn with one or two hits is called; one with none or three tells each shot.
        if called.is_empty() && !is_over(&browser) && browser.count("#calls li") == 1 {
            assert_eq!(browser.count("#enemy-board [data-state=counted]"), 3);
            wait_for(&browser, "#calls", " of 3 hit");
            wait_for(&browser, "#status", " of 3 hit");
            browser.keep_screenshot("salvo-count");
        }
    }
    assert_eq!(cells(&browser, "enemy-board", "untold counted"), "", "all is told at the end");
    browser.click("#review");
    review_shows_counts(&browser, &called);
    browser.assert_no_errors();
}

/// The review goes through the turns as they were called, of which these were on the page before the last turn, the last one first.
fn review_shows_counts(browser: &Browser, called: &str) {
    browser.wait_until("document.querySelector('#detail')?.textContent");
    assert_eq!(browser.text("#calls"), "", "nothing is called before the first turn is over");
    // Without the odds the board is that after the shot.
    browser.click("#odds");
    assert_eq!(browser.count("#enemy-board [data-state=untold]"), 1, "the first shot waits for its turn");
    let Some(first) = called.lines().last() else { return };
    let last = first.split(':').next().and_then(|cells| cells.split(' ').next_back()).expect("cells and what was called");
    while !browser.text("#status").contains(&format!(": {last}, ")) {
        browser.click("#next");
    }
    wait_for(browser, "#status", "Called after the turn: ");
    assert_eq!(browser.text("#calls"), first);
    assert_eq!(browser.count("#enemy-board [data-state=counted]"), 3, "the turn is counted, not told");
    // With the odds it is that before the shot, and the odds are those of what was known then.
    browser.click("#odds");
    browser.click("#next");
    browser.wait_until("document.querySelector('#enemy-board [data-chance]')");
    assert_eq!(browser.count("#enemy-board [data-state=counted]"), 3);
    browser.keep_screenshot("salvo-count-review");
    browser.keys("#slider", key::END);
    assert!(browser.text("#calls").ends_with(called), "{} ends with {called}", browser.text("#calls"));
}

#[test]
fn two_browsers_play_with_counted_hits_to_the_end() {
    let host = Host::start();
    let (ann, bob) =
        two_players(&host, &[("#rows", "4"), ("#cols", "4"), ("#fleet", "3,2"), ("#salvo", "2"), ("#salvo-call", "count")]);
    wait_for(&ann, "#status", "Your turn: 2 shots to fire.");
    take_turns(&ann, &bob);
    for (one, other) in [(&ann, &bob), (&bob, &ann)] {
        assert_eq!(cells(one, "own-board", "miss hit sunk"), cells(other, "enemy-board", "miss hit sunk"));
        assert_eq!(one.count("#enemy-board :is([data-state=untold], [data-state=counted])"), 0, "all is told at the end");
    }
    assert_ne!(ann.text("#banner strong"), bob.text("#banner strong"), "one wins, one loses");
    ann.click("#review");
    ann.wait_until("document.querySelector('#detail')?.textContent");
    ann.assert_no_errors();
    bob.assert_no_errors();
}

const YOUR_TURN_OR_OVER: &str =
    "!document.querySelector('#banner').hidden || document.querySelector('#status').textContent.includes('Your turn: ')";

/// Ann makes a game by these rules, Bob joins, and both place their ships.
fn two_players(host: &Host, rules: &[(&str, &str)]) -> (Shared, Shared) {
    let ann = host.browser(Look::desktop(), "play");
    fill(&ann, "#name", "Ann");
    make_game(&ann, "person", rules);
    place_at_random(&ann);
    ann.wait_until("document.querySelector('#invite-link')");
    let invitation = ann.script("return document.querySelector('#invite-link').value").as_str().expect("a link").to_owned();
    let bob = host.newcomer(Look::desktop().still());
    bob.goto(&invitation);
    bob.wait_until("document.querySelector('#invitation')?.textContent");
    fill(&bob, "#name", "Bob");
    bob.click("#join");
    bob.wait_until("document.querySelector('#placing-board')");
    place_at_random(&bob);
    (ann, bob)
}

/// Turn by turn, until one has won.
fn take_turns(ann: &Browser, bob: &Browser) {
    while !is_over(ann) {
        fire_turn(ann);
        if !is_over(ann) {
            wait_for(bob, "#status", "Your turn: ");
            fire_turn(bob);
            ann.wait_until(YOUR_TURN_OR_OVER);
        }
    }
    bob.wait_until("!document.querySelector('#banner').hidden");
}

/// Fires at the first open cell. A shot after the one that sinks the fleet doesn't count, so its cell may be open again.
fn fire(browser: &Browser) {
    let open = browser.count("#enemy-board [data-state=open]");
    browser.click("#enemy-board [data-state=open]");
    browser.wait_until(&format!(
        "!document.querySelector('#banner').hidden || document.querySelectorAll('#enemy-board [data-state=open]').length < {open}"
    ));
}

/// Fires until the turn is over.
fn fire_turn(browser: &Browser) {
    while !is_over(browser) && browser.text("#status").contains("Your turn: ") {
        fire(browser);
    }
}
