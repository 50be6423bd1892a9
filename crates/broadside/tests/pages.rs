//! Pages that the program writes, in a real browser.

use std::path::PathBuf;
use std::process::Command;

use broadside_browser::{Browser, Look, key};
use tempfile::TempDir;

/// A page, in a folder that ends with the test.
struct Page {
    _folder: TempDir,
    path: PathBuf,
}

fn replay(args: &[&str]) -> Page {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("game.html");
    let status = Command::new(env!("CARGO_BIN_EXE_broadside")).arg("replay").args(args).arg("--html").arg(&path).status();
    assert!(status.expect("the program starts").success());
    Page { _folder: folder, path }
}

/// The marks on a board, by reading order.
fn marks(browser: &Browser, board: &str) -> String {
    let script = format!("return [...document.querySelectorAll('#{board} td')].map((cell) => cell.className).join()");
    browser.script(&script).as_str().expect("text").to_owned()
}

#[test]
fn a_replay_is_stepped_through_by_keyboard_mouse_and_link() {
    let page = replay(&["--captain", "density", "--seed", "1"]);
    let browser = Browser::start(Look::desktop());
    browser.open_file(&page.path);
    assert_eq!(browser.text("#headline"), "Shot 1 of 40: E5, a miss");
    assert_eq!(browser.text("#words"), "34 placements go through it, as many as through any");
    for figure in ["#seen", "#after", "#slider", "#seen td.chosen"] {
        let place = browser.rectangle(figure);
        assert!(place.width > 20.0 && place.height > 10.0, "{figure} is {place:?}");
    }
    browser.keep_screenshot("replay-first");
    let before = (marks(&browser, "seen"), marks(&browser, "after"));
    browser.keys("#slider", key::RIGHT);
    assert_eq!(browser.text("#headline"), "Shot 2 of 40: F6, a hit");
    assert_eq!(browser.attribute("#slider", "aria-valuetext").as_deref(), Some("Shot 2 of 40: F6, a hit"));
    let after = (marks(&browser, "seen"), marks(&browser, "after"));
    assert!(before.0 != after.0 && before.1 != after.1);
    assert!(after.1.contains("hit chosen"));
    browser.keys("#slider", key::END);
    assert_eq!(browser.text("#left"), "all ships are sunk");
    assert_eq!(browser.count("#after td.hit, #after td.sunk"), 17);
    browser.click("#back");
    assert!(browser.text("#headline").starts_with("Shot 39 of 40"));
    browser.click(".shots li:nth-child(12) a");
    browser.wait_until("document.getElementById('headline').textContent.startsWith('Shot 12 ')");
    browser.script("window.scrollTo(0, 0)");
    browser.keep_screenshot("replay-middle");
    browser.click("#reveal");
    assert_eq!(browser.count("#after td.ship"), 11, "6 of the 17 cells are hit by then");
    browser.click("#play");
    browser.wait_until("document.getElementById('headline').textContent.startsWith('Shot 14 ')");
    browser.assert_no_errors();
}

#[test]
fn a_replay_fits_a_phone_and_a_dark_room() {
    let page = replay(&["--captain", "exact", "--preset", "sploosh", "--seed", "3"]);
    let browser = Browser::start(Look::phone().dark());
    browser.open_file(&page.path);
    assert_eq!(browser.overflow(), 0);
    let (seen, after) = (browser.rectangle("#seen"), browser.rectangle("#after"));
    assert!(after.y >= seen.y + seen.height, "one board below the other");
    assert!(seen.width > 300.0 && seen.width <= 390.0, "{seen:?}");
    assert_eq!(browser.style("body", "background-color"), "rgba(18, 24, 29, 1)");
    browser.keys("#slider", key::RIGHT);
    browser.keep_screenshot("replay-phone-dark");
    browser.assert_no_errors();
}

#[test]
fn the_largest_boards_fit_a_phone_too() {
    let page = replay(&["--captain", "density", "--board", "30x64", "--fleet", "9,2", "--to", "3"]);
    let browser = Browser::start(Look::phone());
    browser.open_file(&page.path);
    assert_eq!((browser.overflow(), browser.count("#seen td")), (0, 30 * 64));
    browser.assert_no_errors();
}

#[test]
fn a_replay_can_be_read_without_scripts() {
    let page = replay(&["--captain", "hunt-target", "--preset", "sploosh", "--call", "every"]);
    let browser = Browser::start(Look::desktop().without_scripts());
    browser.open_file(&page.path);
    assert!(!browser.is_visible("#slider"), "what does nothing is not shown");
    assert_eq!(browser.text("#left"), "all ships are sunk");
    assert_eq!(browser.count("#after td.hit, #after td.sunk"), 9);
    assert!(browser.is_visible(".shots li:last-child"));
    browser.keep_screenshot("replay-without-scripts");
    browser.assert_no_errors();
}
