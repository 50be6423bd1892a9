//! A campaign on the page.

use broadside_browser::Look;

use crate::host::{Host, fill, wait_for};

#[test]
fn a_campaign_shows_means_and_curves_can_be_stopped_and_is_refused_with_the_reason() {
    let host = Host::start();
    let browser = host.browser(Look::desktop(), "lab?captains=random,density&games=400&seed=7&preset=sploosh");
    browser.wait_until("document.querySelector('#run:not(:disabled)')");
    browser.click("#run");
    wait_for(&browser, "#status", "Done. 400 of 400 games.");
    assert_eq!(browser.count("#means tbody tr"), 2);
    let mean = |row: usize| {
        let text = browser.text(&format!("#means tbody tr:nth-child({row}) td"));
        text.parse::<f64>().expect("a mean")
    };
    assert!(mean(2) < mean(1), "density needs fewer shots than random");
    assert_eq!(browser.count("#results .chart"), 2);
    assert_eq!(browser.count("#results .chart path.line"), 4);
    browser.keep_screenshot("lab");
    fill(&browser, "#seed", "8");
    assert!(browser.address().contains("captains=random,density&games=400&seed=8"), "{}", browser.address());
    fill(&browser, "#games", "400000");
    browser.click("#run");
    browser.wait_until("document.querySelector('#means')");
    browser.click("#stop");
    wait_for(&browser, "#status", "Stopped.");
    assert!(browser.attribute("#run", "disabled").is_none());
    browser.assert_no_errors();
    fill(&browser, "#games", "99999999");
    browser.script("document.querySelector('#games').removeAttribute('max')");
    browser.click("#run");
    wait_for(&browser, "#problem", "games over all its captains");
}
