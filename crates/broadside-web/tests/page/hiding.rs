//! Hiding well, how well one hid, and odds against somebody with habits.

use broadside_browser::{Browser, Look};
use broadside_odds::{Budget, PlacementWeights, Transfer};
use broadside_rules::{Preset, ShotLog};
use broadside_web::ServedWeights;

use crate::host::{Host, cell, cells, fill, follow, make_game, resign_after_a_shot, wait_for};

/// Takes a fleet that is hard to find, and gives up after a shot.
fn hide_well_and_resign(browser: &Browser) {
    make_game(browser, "density", &[("#preset", "sploosh")]);
    browser.click("#hide-well");
    wait_for(browser, "#worth", "density needs");
    assert_eq!(cells(browser, "placing-board", "ship").split(' ').count(), 9);
    browser.keep_screenshot("hide-well");
    browser.click("#start");
    resign_after_a_shot(browser);
}

#[test]
fn a_fleet_is_hidden_well_judged_in_the_review_and_learned_from_if_asked() {
    let host = Host::start();
    let browser = host.browser(Look::desktop(), "history");
    wait_for(&browser, "#habits-count", "No fleet is remembered yet.");
    browser.click("#remember-fleets");
    follow(&browser, "play");
    hide_well_and_resign(&browser);
    browser.click("#review");
    wait_for(&browser, "#hid-status", "later than");
    assert_eq!(browser.count("#hid li"), 3, "of this game alone nothing is learned about it");
    let earlier = "const kept = JSON.parse(localStorage['broadside.layouts']); const ships = ['H1-H4', 'H6-H8', 'G1-G2'];
        kept.layouts.push({ ...kept.layouts[0], ships }); localStorage['broadside.layouts'] = JSON.stringify(kept)";
    browser.script(earlier);
    browser.reload();
    wait_for(&browser, "#hid", "density that knows how you hide");
    browser.keep_screenshot("hiding-review");
    follow(&browser, "history");
    wait_for(&browser, "#habits-count", "2 fleets are remembered.");
    wait_for(&browser, "#habits-learned", "8x8 4,3,2 allowed: ");
    browser.keep_screenshot("habits");
    follow(&browser, "analyse?preset=sploosh");
    browser.wait_until("document.querySelector('#hider option[value=own]')");
    fill(&browser, "#hider", "own");
    wait_for(&browser, "#exactness", "hides like that");
    follow(&browser, "history");
    browser.click("#forget-fleets");
    wait_for(&browser, "#habits-count", "No fleet is remembered yet.");
    browser.assert_no_errors();
}

/// The chance that the page shows for a cell is the weighted one.
fn assert_weighted(browser: &Browser, shots: &str, weights: &PlacementWeights) {
    let log = ShotLog::parse(&Preset::Classic.rules(), shots).expect("a log");
    let counts = Transfer::new(Budget::default()).weigh(&log, weights).expect("exact odds");
    for name in ["A1", "E5", "J7"] {
        let chance = counts.chance(name.parse().expect("a cell"));
        let text = format!("{:.1}", chance * 100.0);
        browser.wait_until(&format!("document.querySelector('{}')?.textContent === '{text}'", cell("analyse-board", name)));
    }
}

#[test]
fn a_position_has_exact_odds_against_people_and_by_pasted_weights() {
    let host = Host::start();
    let browser = host.browser(Look::desktop(), "analyse?preset=classic&shots=C3o");
    fill(&browser, "#hider", "people");
    assert_weighted(&browser, "C3-", &PlacementWeights::people(&Preset::Classic.rules()));
    wait_for(&browser, "#exactness", "hides like that");
    assert!(browser.address().ends_with("weights=people"), "{}", browser.address());
    browser.keep_screenshot("analyse-people");
    browser.reload();
    assert_weighted(&browser, "C3-", &PlacementWeights::people(&Preset::Classic.rules()));
    fill(&browser, "#hider", "file");
    fill(&browser, "#weights", "A1-A5 40");
    let weights = PlacementWeights::parse(&Preset::Classic.rules(), "A1-A5 40").expect("weights");
    assert_weighted(&browser, "C3-", &weights);
    browser.assert_no_errors();
    fill(&browser, "#weights", "A1-A9 2");
    wait_for(&browser, "#contradiction", "no ship of the fleet can lie on A1-A9");
}

#[test]
fn the_weights_of_the_server_are_offered_where_the_board_is_theirs() {
    let rules = Preset::Classic.rules();
    let weights = PlacementWeights::parse(&rules, "A1-A5 40").expect("weights");
    let host = Host::start_with(Some(ServedWeights { rules, weights: weights.clone() }));
    let browser = host.browser(Look::desktop(), "analyse?preset=classic&shots=C3o");
    browser.wait_until("document.querySelector('#hider option[value=weights]')");
    fill(&browser, "#hider", "weights");
    assert_weighted(&browser, "C3-", &weights);
    wait_for(&browser, "#exactness", "hides like that");
    assert!(browser.address().ends_with("weights=weights"), "{}", browser.address());
    browser.keep_screenshot("analyse-served");
    browser.reload();
    assert_weighted(&browser, "C3-", &weights);
    fill(&browser, "#preset", "sploosh");
    browser.wait_until("!document.querySelector('#hider option[value=weights]')");
    browser.wait_until("document.querySelector('#hider').value === 'uniform' && !location.hash.includes('weights')");
    browser.assert_no_errors();
}
