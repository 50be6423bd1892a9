//! Analysing a position.

use broadside_browser::{Browser, Look, key};
use broadside_odds::{Budget, Engine};
use broadside_rules::{Preset, ShotLog};

use crate::axe::assert_accessible;
use crate::host::{Host, cell, fill, wait_for};

const BOARD: &str = "analyse-board";

/// Checks the number of layouts and the chance of every open cell against the counting itself.
fn assert_exact(browser: &Browser, preset: Preset, shots: &str) {
    let log = ShotLog::parse(&preset.rules(), shots).expect("a log");
    let counts = Engine::Transfer.count(&log, Budget::default()).expect("exact odds");
    let layouts = counts.layouts().to_string();
    browser.wait_until(&format!("document.querySelector('#layouts')?.title === '{layouts}'"));
    assert_eq!(browser.text("#layouts").replace(',', ""), layouts);
    let open = log.rules().grid().cells().filter(|&cell| !log.fired().contains(cell));
    let expected: Vec<String> = open
        .map(|cell| (cell, counts.at(cell) as f64 / counts.layouts() as f64 * 100.0))
        .map(|(cell, chance)| match chance {
            0.0 => format!("{cell} "),
            99.95.. => format!("{cell} 100"),
            chance => format!("{cell} {chance:.1}"),
        })
        .collect();
    let script = "return [...document.querySelectorAll('#analyse-board [data-chance]')].map((cell) => cell.dataset.cell + ' ' + cell.textContent).join()";
    assert_eq!(browser.script(script), expected.join(","));
    let best: Vec<String> = counts.best(log.fired()).iter().map(ToString::to_string).collect();
    let script = "return [...document.querySelectorAll('#analyse-board [data-best]')].map((cell) => cell.dataset.cell).join()";
    assert_eq!(browser.script(script), best.join(","));
}

#[test]
fn a_position_has_the_exact_odds_and_lives_in_the_address() {
    let host = Host::start();
    let browser = host.browser(Look::desktop(), "analyse");
    assert_exact(&browser, Preset::Classic, "");
    // Half of the published 30,093,975,536, which tells the two ships of 3 apart.
    assert_eq!(browser.text("#layouts"), "15,046,987,768");
    browser.click(&cell(BOARD, "E5"));
    assert_exact(&browser, Preset::Classic, "E5-");
    browser.click("#tool-hit");
    browser.click(&cell(BOARD, "C3"));
    browser.click(&cell(BOARD, "C4"));
    browser.click("#tool-sunk-3");
    browser.click(&cell(BOARD, "C5"));
    assert_exact(&browser, Preset::Classic, "E5- C3+ C4+ C5#3");
    assert_eq!(browser.text("#log"), "E5- C3+ C4+ C5#3");
    assert!(browser.address().ends_with("#/analyse?preset=classic&shots=E5o.C3x.C4x.C5s3"), "{}", browser.address());
    browser.keep_screenshot("analyse");

    browser.reload();
    assert_exact(&browser, Preset::Classic, "E5- C3+ C4+ C5#3");
    browser.click("#undo");
    assert_exact(&browser, Preset::Classic, "E5- C3+ C4+");
    browser.click("#redo");
    assert_exact(&browser, Preset::Classic, "E5- C3+ C4+ C5#3");
    browser.keys(&cell(BOARD, "G7"), "x");
    assert_exact(&browser, Preset::Classic, "E5- C3+ C4+ C5#3 G7+");
    browser.type_keys(key::LEFT);
    browser.type_keys("m");
    assert_exact(&browser, Preset::Classic, "E5- C3+ C4+ C5#3 G7+ G6-");
    browser.click("#clear");
    fill(&browser, "#preset", "russian");
    assert_exact(&browser, Preset::Russian, "");
    browser.assert_no_errors();
}

#[test]
fn a_contradiction_is_explained_in_place_and_taken_back() {
    let host = Host::start();
    let browser = host.browser(Look::desktop(), "analyse?preset=sploosh&shots=D4x.D5s2");
    assert_exact(&browser, Preset::Sploosh, "D4+ D5#2");
    browser.click("#tool-sunk-2");
    browser.click(&cell(BOARD, "F4"));
    browser.click(&cell(BOARD, "F5"));
    wait_for(&browser, "#contradiction", "That can’t be");
    assert!(browser.text("#contradiction").contains("F5#2"));
    assert!(browser.attribute(&cell(BOARD, "F5"), "data-wrong").is_some());
    assert_eq!(browser.text("#status"), "No layout fits these marks.");
    assert_eq!(browser.attribute(&cell(BOARD, "D4"), "data-state").as_deref(), Some("sunk"), "what was marked before stays");
    assert_accessible(&browser, "contradiction");
    browser.reload();
    wait_for(&browser, "#contradiction", "F5#2");
    browser.click("[data-clear=F5]");
    browser.wait_until("document.querySelector('#notes').textContent.includes('F4')");
    browser.click("#undo");
    wait_for(&browser, "#contradiction", "F5#2");
    browser.click("#undo-contradiction");
    browser.click("#undo");
    assert_exact(&browser, Preset::Sploosh, "D4+ D5#2");
    assert!(!browser.is_visible("#contradiction"));
    assert_eq!(browser.count("[data-wrong]"), 0);
    // The browser itself reports the answer 422, which is how the server says so.
    let others: Vec<String> = browser.errors().into_iter().filter(|error| !error.contains("422")).collect();
    assert!(others.is_empty(), "{others:?}");
}
