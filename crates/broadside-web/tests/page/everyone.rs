//! Other colours, other languages, no server, and two people at one device.

use broadside_browser::{Browser, Look};

use crate::axe::assert_accessible;
use crate::host::{Host, cell, cells, fill, follow, is_over, make_game, place_at_random, wait_for};

/// Every kind of mark is drawn in forced colours, where backgrounds and shadows are not: a frame, or colours of its own.
#[test]
fn forced_colours_show_every_kind_of_mark() {
    let host = Host::start();
    let browser = host.browser(Look::desktop().forced_colours(), "analyse?preset=classic&shots=A1o.C3x.C4s3.C5s3.C6s3.E5x");
    browser.wait_until("document.querySelector('#analyse-board [data-best]')");
    let plain = cell("analyse-board", "J10");
    for (mark, css) in [
        ("a miss", cell("analyse-board", "A1")),
        ("a hit", cell("analyse-board", "C3")),
        ("a sunk ship", ".hull.sunk".to_owned()),
        ("the best shot", "#analyse-board [data-best]".to_owned()),
        ("the last shot", "#analyse-board [data-last]".to_owned()),
    ] {
        assert_ne!(looks(&browser, &css), looks(&browser, &plain), "{mark} looks like open water");
    }
    assert_ne!(looks(&browser, &cell("analyse-board", "A1")), looks(&browser, &cell("analyse-board", "C3")));
    assert_ne!(browser.style(&plain, "border-top-width"), "0px", "the grid is there");
    assert_eq!(browser.script("return matchMedia('(forced-colors: active)').matches"), true);
    browser.keep_screenshot("forced-colours");
}

/// What draws a mark where the system sets the colours: borders and outlines of the cell and what is around it.
fn looks(browser: &Browser, css: &str) -> String {
    let script = format!(
        "const part = document.querySelector('{css}');
        return JSON.stringify([null, '::before', '::after'].map((which) => {{
            const style = getComputedStyle(part, which);
            const drawn = which === null || style.content !== 'none';
            return drawn ? [style.borderTopWidth, style.borderTopStyle, style.outlineWidth, style.outlineStyle] : null;
        }}))"
    );
    browser.script(&script).as_str().expect("text").to_owned()
}

#[test]
fn every_language_fits_a_phone_and_is_the_readers_own() {
    let host = Host::start();
    let browser = host.newcomer(Look::phone().sized(360, 640).still().speaking("de-DE"));
    for (language, play, miss, refusal) in [
        ("de-DE", "Spielen", "Fehlschuss", "Die Flotte passt nicht auf das Brett."),
        ("es-ES", "Jugar", "agua", "La flota no cabe en el tablero."),
        ("ru-RU", "Играть", "мимо", "Флот не помещается на поле."),
    ] {
        browser.set_language(language);
        host.show(&browser, "play");
        browser.wait_until("document.querySelector('#start:not(:disabled)')");
        assert_eq!(browser.text("#start"), play);
        assert_eq!(browser.script("return document.documentElement.lang"), language);
        for (route, ready) in [
            ("play", "#start"),
            ("history", "#totals"),
            ("daily", "#daily-position"),
            ("rules/russian", "#how-to-rules"),
            ("analyse?shots=E5o", "#heat-legend:not([hidden])"),
            ("lab", "#run"),
        ] {
            follow(&browser, route);
            browser.wait_until(&format!("document.querySelector('{ready}')"));
            let cut = "return [...document.querySelectorAll('main button, main h1:not(.visually-hidden), main h2, main label, .top a')]
                .filter((part) => part.offsetParent && part.scrollWidth > part.clientWidth + 1).map((part) => part.outerHTML.slice(0, 200))";
            assert_eq!(browser.overflow(), 0, "{route} in {language}");
            assert_eq!(browser.script(cut), serde_json::json!([]), "{route} in {language}");
            browser.keep_screenshot(&format!("{language}-{}", route.split(['?', '/']).next().unwrap_or(route)));
        }
        follow(&browser, "analyse?shots=E5o");
        browser.wait_until("document.querySelector('#analyse-board [data-state=miss]')");
        assert!(browser.attribute(&cell("analyse-board", "E5"), "aria-label").is_some_and(|label| label.contains(miss)));
        browser.assert_no_errors();
        fill(&browser, "#fleet", "9,9,9,9,9,9,9,9,9,9,9,9");
        wait_for(&browser, "#rules-problem", refusal);
        // The browser itself reports the answer 422.
        drop(browser.errors());
    }
}

#[test]
fn every_captain_has_words_on_the_page() {
    let texts = include_str!("../../page/lang/en.js");
    for captain in broadside_captains::ROSTER {
        assert!(texts.contains(&format!("\"captain.{}\":", captain.name)), "page/lang has no words for {}", captain.name);
    }
}

#[test]
fn the_page_starts_without_its_server_and_shows_what_was_seen() {
    let mut host = Host::start();
    let browser = host.browser(Look::desktop(), "daily?day=2026-11-17");
    browser.wait_until("document.querySelector('#daily-position')");
    browser.wait_until("navigator.serviceWorker.controller");
    // Seen once under the worker, the lists are kept.
    browser.reload();
    browser.wait_until("document.querySelector('#daily-position')");
    host.halt();
    browser.reload();
    browser.wait_until("document.querySelector('#solo-board')");
    browser.click(&cell("solo-board", "A1"));
    wait_for(&browser, "#status", "You fire at A1:");
    follow(&browser, "rules/russian");
    wait_for(&browser, "#how-to-rules", "A hit gives another shot");
    follow(&browser, "history");
    wait_for(&browser, "#finished", "No finished game yet.");
    follow(&browser, "replay/none");
    wait_for(&browser, "h1", "The server is not there");
}

#[test]
fn two_play_on_one_device_and_the_curtain_hides_everything() {
    let host = Host::start();
    let browser = host.browser(Look::desktop(), "play");
    make_game(&browser, "pass", &[("#rows", "4"), ("#cols", "4"), ("#fleet", "3,2")]);
    place_at_random(&browser);
    wait_for(&browser, "#curtain", "Hand the device to Player 2");
    assert_hidden(&browser);
    assert_accessible(&browser, "curtain");
    browser.click("#ready");
    browser.wait_until("document.querySelector('#start:not(:disabled)')");
    browser.click("#start");
    wait_for(&browser, "#curtain", "Player 1");
    let mut shots = 0;
    loop {
        assert_hidden(&browser);
        browser.click("#ready");
        browser.wait_until("document.querySelector('#enemy-board [data-state=open]')");
        assert_eq!(browser.count(".enemy .hull:not(.sunk)"), 0, "nothing of the other fleet is drawn");
        browser.click("#enemy-board [data-state=open]");
        shots += 1;
        browser.wait_until("!document.querySelector('#hand-over').hidden || !document.querySelector('#banner').hidden");
        if is_over(&browser) {
            break;
        }
        browser.click("#hand-over");
    }
    assert!((5..=31).contains(&shots), "{shots} shots on boards of 16 cells");
    assert!(browser.text("#banner strong").contains("wins"));
    assert_eq!(cells(&browser, "own-board", "ship sunk hit").split(' ').count(), 5);
    browser.assert_no_errors();
}

/// With the curtain drawn no board is on the page, not even out of sight.
fn assert_hidden(browser: &Browser) {
    browser.wait_until("document.querySelector('#curtain')");
    assert_eq!(browser.count("[data-cell], .hull, .fleet"), 0);
}

#[test]
fn marks_survive_other_rules_and_whole_ships_can_be_marked() {
    let host = Host::start();
    let browser = host.browser(Look::desktop(), "analyse");
    browser.click("#tool-sunk-3");
    for name in ["C3", "C5", "C4"] {
        browser.click(&cell("analyse-board", name));
    }
    wait_for(&browser, "#log", "C3+ C5+ C4#3");
    browser.wait_until("document.querySelector('#layouts').title");
    assert!(!browser.is_visible("#contradiction"));
    browser.click("#tool-miss");
    browser.click(&cell("analyse-board", "J10"));
    wait_for(&browser, "#log", "J10-");
    fill(&browser, "#preset", "sploosh");
    wait_for(&browser, "#log", "C4#3");
    browser.wait_until("!document.querySelector('#log').textContent.includes('J10')");
    // Without the focus on anything, Undo brings the marks back, and the rules they were marked by.
    browser.script("document.activeElement.blur(); document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'z', ctrlKey: true, bubbles: true }))");
    wait_for(&browser, "#log", "J10-");
    assert_eq!(browser.script("return document.querySelector('#preset').value"), "classic");
    browser.script(
        "const box = document.querySelector('#paste'); box.value = 'A1- B2+'; box.dispatchEvent(new Event('input', { bubbles: true }))",
    );
    wait_for(&browser, "#log", "A1- B2+");
    assert_accessible(&browser, "analyse");
    browser.assert_no_errors();
}
