//! The smallest screens.

use broadside_browser::{Browser, Look};

use crate::host::{Host, cell, follow, make_game, place_at_random, wait_for};

/// A small phone.
const WIDTH: u32 = 360;
const HEIGHT: u32 = 640;

/// Nothing is wider than the screen or cut off, in light and in dark colours.
fn assert_fits(browser: &Browser, view: &str) {
    let cut = "return [...document.querySelectorAll('main button, main h1:not(.visually-hidden), main h2, main label, .top a')]
        .filter((part) => part.offsetParent && part.scrollWidth > part.clientWidth + 1).map((part) => part.outerHTML)";
    for colours in ["light", "dark"] {
        assert_eq!(browser.overflow(), 0, "{view} is wider than the screen");
        assert_eq!(browser.script(cut), serde_json::json!([]), "text overflows on {view}");
        browser.keep_screenshot(&format!("phone-{view}-{colours}"));
        browser.click("#theme");
    }
}

#[test]
fn every_view_fits_a_small_phone() {
    let host = Host::start();
    let browser = host.browser(Look::phone().sized(WIDTH, HEIGHT), "play");
    browser.wait_until("document.querySelector('#start:not(:disabled)')");
    assert_fits(&browser, "play");
    assert_in_view(&browser, &["#placing-board", "[name=opponent]", "#start"]);
    make_game(&browser, "density", &[]);
    assert_fits(&browser, "settings");
    place_at_random(&browser);
    wait_for(&browser, "#status", "Your turn.");
    browser.click("#odds");
    browser.wait_until("document.querySelector('[data-chance]')");
    browser.click(&cell("enemy-board", "J10"));
    wait_for(&browser, "#advice", "Aiming at J10.");
    browser.click(&cell("enemy-board", "J10"));
    wait_for(&browser, "#status", "You fire at J10:");
    assert_fits(&browser, "battle");
    assert_in_view(
        &browser,
        &["#status", "#enemy-board", "#own-board", "#enemy-fleet", "#own-fleet", "#hint", "#odds", "#resign"],
    );
    browser.click("#resign");
    browser.click("#dialog-yes");
    wait_for(&browser, "#banner", "Defeat");
    assert_fits(&browser, "over");
    browser.click("#review");
    browser.wait_until("document.querySelector('#slider')");
    assert_fits(&browser, "review");
    browser.click("#to-game");
    browser.click("#replay");
    browser.wait_until("document.querySelector('#first-board')");
    assert_fits(&browser, "replay");
    follow(&browser, "analyse?board=20x20&fleet=5,4,3&shots=C3x");
    browser.wait_until("document.querySelector('#analyse-board [data-chance]')");
    assert_fits(&browser, "analyse-large");
    follow(&browser, "analyse?shots=C3x.C4x.E5o.C5s3");
    browser.wait_until("document.querySelector('#analyse-board[aria-colcount=\"10\"] [data-chance]')");
    assert_fits(&browser, "analyse");
    follow(&browser, "lab?games=50&captains=random,hunt-target-parity");
    browser.wait_until("document.querySelector('#run:not(:disabled)')");
    browser.click("#run");
    wait_for(&browser, "#status", "Done.");
    assert_fits(&browser, "lab");
    for (route, heading) in [("join/a/b", "You are invited"), ("replay/none", "Not found")] {
        follow(&browser, route);
        wait_for(&browser, "h1", heading);
        assert_fits(&browser, "message");
    }
}

/// Without scrolling.
fn assert_in_view(browser: &Browser, parts: &[&str]) {
    assert_eq!(browser.script("return window.scrollY"), 0);
    for part in parts {
        let place = browser.rectangle(part);
        assert!(place.height > 4.0 && place.y >= 0.0 && place.y + place.height <= f64::from(HEIGHT), "{part} is at {place:?}");
    }
}

/// The size of a board's cells, in pixels.
fn cell_size(browser: &Browser, board: &str) -> f64 {
    browser.rectangle(&cell(board, "A1")).width
}

#[test]
fn cells_are_as_large_as_a_small_phone_allows() {
    let host = Host::start();
    let browser = host.browser(Look::phone().sized(WIDTH, HEIGHT), "play");
    for (preset, least) in [("classic", 34.0), ("sploosh", 40.0)] {
        make_game(&browser, "density", &[("#preset", preset)]);
        assert!(cell_size(&browser, "placing-board") >= least, "placing, {preset}");
        place_at_random(&browser);
        wait_for(&browser, "#status", "Your turn.");
        assert!(cell_size(&browser, "enemy-board") >= least, "battle, {preset}");
        follow(&browser, &format!("analyse?preset={preset}&shots=E5o"));
        browser.wait_until("document.querySelector('#analyse-board [data-chance]')");
        assert!(cell_size(&browser, "analyse-board") >= least, "analyse, {preset}");
        assert_eq!(browser.overflow(), 0, "{preset}");
        follow(&browser, "play");
        browser.wait_until("document.querySelector('#start:not(:disabled)')");
    }
    for (route, board, least) in [("daily", "daily-position", 34.0), ("daily", "solo-board", 34.0), ("solo", "solo-board", 40.0)]
    {
        follow(&browser, route);
        browser.wait_until(&format!("document.querySelector('main[data-view={route}] #{board}')"));
        assert!(cell_size(&browser, board) >= least, "{route}, {board}");
    }
}

#[test]
fn colours_follow_the_system_and_the_button() {
    let host = Host::start();
    let browser = host.browser(Look::phone().dark(), "play");
    browser.wait_until("document.querySelector('#start:not(:disabled)')");
    assert_eq!(browser.overflow(), 0, "the header fits");
    assert_eq!(browser.style("body", "background-color"), "rgba(15, 21, 27, 1)");
    browser.click("#theme");
    assert_eq!(browser.style("body", "background-color"), "rgba(246, 247, 249, 1)");
    browser.reload();
    assert_eq!(browser.style("body", "background-color"), "rgba(246, 247, 249, 1)");
    browser.assert_no_errors();
}
