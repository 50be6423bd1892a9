//! What the page remembers: finished games, shared by a link, as a file, and the tasks of a day.

use broadside_browser::{Browser, Look};

use crate::axe::assert_accessible;
use crate::host::{Host, follow, make_game, place_at_random, resign_after_a_shot, wait_for};

/// Plays a short game to its end by resigning after a shot.
fn finish_a_game(browser: &Browser) {
    make_game(browser, "density", &[("#preset", "sploosh")]);
    place_at_random(browser);
    resign_after_a_shot(browser);
}

#[test]
fn finished_games_are_listed_shared_by_a_link_removed_and_brought_back() {
    let host = Host::start();
    let desk = host.browser(Look::desktop(), "play");
    finish_a_game(&desk);
    follow(&desk, "history");
    wait_for(&desk, "#finished", "against density");
    assert_eq!(desk.text("#total-games"), "1");
    desk.click("#finished button");
    wait_for(&desk, "#finished", "No finished game yet.");
    desk.click("#undo-delete");
    wait_for(&desk, "#finished", "against density");
    desk.click("#make-link");
    desk.wait_until("document.querySelector('#history-link')");
    let link = desk.script("return document.querySelector('#history-link').value").as_str().expect("a link").to_owned();
    assert_accessible(&desk, "history");

    let phone = host.newcomer(Look::phone().still());
    phone.goto(&link);
    wait_for(&phone, "#finished", "against density");
    assert!(!phone.address().contains("link="), "the secret does not stay in the address");
    phone.click("#finished button");
    wait_for(&phone, "#finished", "No finished game yet.");
    follow(&phone, "play");
    phone.wait_until("document.querySelector('#start')");
    follow(&phone, "history");
    phone.wait_until("JSON.parse(localStorage['broadside.preferences']).removed.length === 0");
    desk.reload();
    wait_for(&desk, "#finished", "No finished game yet.");
    desk.assert_no_errors();
    phone.assert_no_errors();
}

#[test]
fn the_tasks_of_a_day_are_the_same_for_everybody_and_their_result_gives_nothing_away() {
    let host = Host::start();
    let browser = host.browser(Look::desktop(), "daily?day=2026-11-17");
    let marks =
        "return [...document.querySelectorAll('#daily-position [data-cell]')].map((cell) => cell.dataset.state[0]).join('')";
    browser.wait_until("document.querySelector('#daily-position')");
    let first = browser.script(marks);
    assert!(first.as_str().is_some_and(|marks| marks.contains('m') && marks.len() == 100), "{first}");
    browser.script("localStorage.clear()");
    browser.reload();
    browser.wait_until("document.querySelector('#daily-position')");
    assert_eq!(browser.script(marks), first);
    assert_accessible(&browser, "daily");
    browser.click("#daily-position [data-state=open]");
    browser.wait_until("document.querySelector('#share-position')");
    let text = browser.script("return document.querySelector('#share-position').parentElement.dataset.share");
    let text = text.as_str().expect("a text");
    assert!(text.contains("2026-11-17") && text.contains('%') && !text.contains("A1"), "{text}");
    follow(&browser, "daily?day=2026-11-18");
    browser.wait_until("document.querySelector('h1').textContent.includes('2026-11-18')");
    assert_ne!(browser.script(marks), first, "another day, another position");
    // The board of the day: every cell is fired at, so it ends.
    browser.script("for (const cell of document.querySelectorAll('#solo-board [data-cell]')) cell.click()");
    browser.wait_until("document.querySelector('#share-board')");
    follow(&browser, "solo");
    wait_for(&browser, "#status", "24 shots left.");
    browser.script("for (const cell of document.querySelectorAll('#solo-board [data-cell]')) cell.click()");
    browser.wait_until("document.querySelectorAll('#solo-board [data-state=open]').length >= 40");
    assert_accessible(&browser, "solo");
    browser.assert_no_errors();
}
