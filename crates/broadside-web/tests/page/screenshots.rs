//! The README's pictures; `scripts/screenshots` writes them. Without it this only goes the same way.

use broadside_browser::{Browser, Look};

use crate::host::{Host, fire_at, follow, make_game, place_at_random, play_on, wait_for};

fn keep(browser: &Browser, name: &str) {
    browser.script("document.activeElement.blur(); window.scrollTo(0, 0)");
    browser.wait_until("document.getAnimations().length === 0");
    browser.keep_screenshot(name);
}

#[test]
fn the_pictures_of_the_readme() {
    let host = Host::start();
    let browser = host.browser(Look::desktop().sized(1200, 940), "play");
    make_game(&browser, "density", &[]);
    place_at_random(&browser);
    wait_for(&browser, "#status", "Your turn.");
    // Some shots of the player's own, so that there is something to review.
    for open in [95, 89, 83] {
        play_on(&browser, open);
        fire_at(&browser, "#enemy-board [data-state=open]");
    }
    play_on(&browser, 80);
    browser.click("#odds");
    browser.click("#hint");
    browser.wait_until("document.querySelector('#enemy-board [data-chance]')");
    keep(&browser, "play");
    browser.click("#resign");
    browser.click("#dialog-yes");
    browser.click("#review");
    browser.click("#worst button");
    browser.wait_until("document.querySelector('#enemy-board [data-chance]')");
    keep(&browser, "review");
    follow(&browser, "analyse?preset=classic&shots=E5o.C3x.C4x.C5s3.G7x.F7o");
    browser.wait_until("document.querySelector('#analyse-board [data-chance]')");
    keep(&browser, "analyse");
    follow(&browser, "lab?captains=random,hunt-target,hunt-target-parity,density&games=2000&seed=1");
    browser.wait_until("document.querySelector('#run:not(:disabled)')");
    browser.click("#run");
    wait_for(&browser, "#status", "Done.");
    keep(&browser, "lab");
    browser.assert_no_errors();
}

#[test]
fn the_picture_of_a_phone() {
    let host = Host::start();
    let browser = host.browser(Look::phone().dark(), "play");
    make_game(&browser, "admiral", &[]);
    place_at_random(&browser);
    wait_for(&browser, "#status", "Your turn.");
    play_on(&browser, 80);
    keep(&browser, "phone");
    browser.assert_no_errors();
}
