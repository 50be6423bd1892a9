//! Shots to go beside the chances.

use std::time::{Duration, Instant};

use broadside_browser::{Browser, Look};

use crate::axe::assert_accessible;
use crate::host::{Host, fill, follow, wait_for};

/// How long the server may go on after its client has left; a busy machine gets more than the second that is usual.
const IDLE_TIMEOUT: Duration = Duration::from_secs(60);

/// How long the server may take to play on more than a few games.
const MORE_TIMEOUT: Duration = Duration::from_secs(60);

fn wait_until_idle(host: &Host) {
    let end = Instant::now() + IDLE_TIMEOUT;
    while host.metrics().refining() > 0 {
        assert!(Instant::now() < end, "the server works on for nobody");
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn playouts(browser: &Browser) -> u64 {
    let text = browser.text("#togo-status");
    let digits: String = text
        .split("games played on")
        .next()
        .unwrap_or_default()
        .chars()
        .rev()
        .take_while(|c| c.is_ascii_digit() || *c == ',' || *c == ' ')
        .collect();
    digits.chars().rev().filter(char::is_ascii_digit).collect::<String>().parse().unwrap_or(0)
}

#[test]
fn shots_to_go_show_a_better_cell_than_the_likeliest() {
    let host = Host::start();
    let browser = host.browser(Look::desktop(), "analyse?board=4x4&fleet=3,2&shots=B3x.C4o.B4o");
    wait_for(&browser, "#togo-status", "Exact.");
    fill(&browser, "#map", "shots");
    browser.wait_until("document.querySelector('#analyse-board [data-best]')");
    let best = "return [...document.querySelectorAll('#analyse-board [data-best]')].map((cell) => cell.dataset.cell).join()";
    assert_eq!(browser.script(best), "A3,B2", "best play on all 57 layouts left");
    fill(&browser, "#map", "chance");
    browser.wait_until("document.querySelector('#analyse-board [data-chance]')");
    assert_eq!(browser.script(best), "C3", "the likeliest cell is not the best");
    assert_accessible(&browser, "shots-to-go");
    browser.assert_no_errors();
}

/// Stops the stream of numbers, which starts again first if the time for the position is over.
fn stop(browser: &Browser) {
    browser.script(
        "const [stop, ask] = ['#togo-stop', '#togo-ask'].map((css) => document.querySelector(css));
        if (stop.hidden) ask.click();
        stop.click();",
    );
    wait_for(browser, "#togo-status", "Stopped.");
}

#[test]
fn numbers_stream_in_can_be_stopped_and_end_with_the_page() {
    let host = Host::start();
    let browser = host.browser(Look::desktop(), "analyse?preset=sploosh&shots=E5o.C3x");
    wait_for(&browser, "#togo-status", "games played on");
    let first = playouts(&browser);
    browser.wait_until("document.querySelectorAll('#togo li').length === 6");
    let end = Instant::now() + MORE_TIMEOUT;
    while playouts(&browser) <= first {
        assert!(Instant::now() < end, "no more games are played on");
        // On a slow machine the time for one position may be over by now.
        if !browser.is_visible("#togo-stop") {
            browser.click("#togo-ask");
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    stop(&browser);
    wait_until_idle(&host);
    let stopped = playouts(&browser);
    browser.click("#togo-ask");
    browser.wait_until("document.querySelector('#togo-stop:not([hidden])')");
    wait_for(&browser, "#togo-status", "games played on");
    assert!(stopped > 0);
    follow(&browser, "play");
    browser.wait_until("document.querySelector('#start')");
    wait_until_idle(&host);
    follow(&browser, "analyse?preset=sploosh&shots=E5o.C3x.C4x");
    wait_for(&browser, "#togo-status", "games played on");
    browser.goto("about:blank");
    wait_until_idle(&host);
}
