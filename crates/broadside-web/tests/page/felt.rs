//! What a shot sounds like, and whether the page can be installed.

use broadside_browser::{Browser, Look};

use crate::host::{Host, fire_at, make_game, place_at_random, wait_for};

const OPEN: &str = "#enemy-board [data-state=open]";

/// Counts what Web Audio starts, before it starts.
const COUNT_SOUNDS: &str = "window.sounds = 0;
    for (const { prototype } of [AudioScheduledSourceNode, AudioBufferSourceNode]) {
        const start = prototype.start;
        prototype.start = function (...when) { window.sounds += 1; return start.apply(this, when); };
    }";

fn sounds(browser: &Browser) -> u64 {
    browser.script("return window.sounds").as_u64().expect("a number")
}

fn switch_sound(browser: &Browser) {
    browser.click("#settings-button");
    browser.click("#set-sound");
    browser.click("#settings-close");
}

fn start_game(browser: &Browser) {
    make_game(browser, "random", &[]);
    place_at_random(browser);
    wait_for(browser, "#status", "Your turn.");
    browser.script(COUNT_SOUNDS);
}

/// Fires, waits until the reply is shown too, and tells how much sounded.
fn sounds_of_a_shot(browser: &Browser) -> u64 {
    let before = sounds(browser);
    let replies = "document.querySelectorAll('#own-board :is([data-state=miss], [data-state=hit], [data-state=sunk])').length";
    let shown = browser.script(&format!("return {replies}"));
    fire_at(browser, OPEN);
    browser.wait_until(&format!("{replies} > {shown}"));
    sounds(browser) - before
}

#[test]
fn shots_sound_only_where_the_reader_wants_it() {
    let host = Host::start();
    let browser = host.newcomer(Look::desktop());
    host.show(&browser, "play");
    start_game(&browser);
    assert_eq!(sounds_of_a_shot(&browser), 0, "nothing sounds before it is switched on");
    switch_sound(&browser);
    assert!(sounds(&browser) > 0, "the switch is heard");
    let heard = sounds_of_a_shot(&browser);
    assert!(heard >= 2, "the shot and the reply are heard, not {heard} sounds");
    switch_sound(&browser);
    assert_eq!(sounds_of_a_shot(&browser), 0, "muted");
    browser.assert_no_errors();
}

#[test]
fn nothing_sounds_where_nothing_is_to_move() {
    let host = Host::start();
    let browser = host.browser(Look::desktop(), "play");
    start_game(&browser);
    browser.click("#settings-button");
    wait_for(&browser, "#settings-still", "no sounds");
    browser.click("#set-sound");
    browser.click("#settings-close");
    assert_eq!((sounds_of_a_shot(&browser), sounds(&browser)), (0, 0));
    browser.assert_no_errors();
}

/// Chromium's own list of what is missing before it offers to install a page.
#[test]
fn the_page_can_be_installed() {
    let host = Host::start();
    let browser = host.browser(Look::desktop(), "play");
    browser.wait_until("navigator.serviceWorker.controller");
    assert_eq!(browser.installability_errors(), [""; 0]);
    assert_eq!(browser.script("return fetch(document.querySelector('[rel=manifest]').href).then((file) => file.json()).then(({ display }) => display)"), "standalone");
    browser.goto("about:blank");
    assert_ne!(browser.installability_errors(), [""; 0], "what Chromium tells is not always the same");
}
