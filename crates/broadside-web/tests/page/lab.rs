//! A campaign on the page.

use broadside_browser::Look;

use crate::axe::assert_accessible;
use crate::host::{Host, fill, follow, wait_for};

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
    assert_accessible(&browser, "lab");
    fill(&browser, "#seed", "8");
    browser.wait_until("location.hash.includes('captains=random,density&games=400&seed=8')");
    // Slow captains, so that the campaign is still running when it is stopped.
    follow(&browser, "lab?captains=admiral,density&games=400000");
    browser.wait_until("document.querySelector('#games').value === '400000' && document.querySelector('#run:not(:disabled)')");
    browser.click("#run");
    browser.wait_until("document.querySelector('#means')");
    browser.click("#stop");
    wait_for(&browser, "#status", "Stopped.");
    browser.wait_until("document.querySelector('#run:not(:disabled)')");
    browser.assert_no_errors();
    fill(&browser, "#games", "99999999");
    assert!(browser.text("#games-problem").contains("from 1 to 500,000"), "{}", browser.text("#games-problem"));
    assert!(browser.attribute("#run", "disabled").is_some(), "what the server won't take can't be sent");
    fill(&browser, "#seed", "-1");
    assert!(browser.text("#seed-problem").contains("whole number"));
}
