//! Placing a fleet by mouse and by keyboard.

use broadside_browser::{Browser, Look, key};

use crate::host::{Host, cell, cells, make_game, wait_for};

const BOARD: &str = "placing-board";

fn ship(number: usize) -> String {
    format!("[data-ship='{number}']")
}

fn placed(browser: &Browser) -> String {
    cells(browser, BOARD, "ship")
}

#[test]
fn a_fleet_is_placed_by_dragging() {
    let host = Host::start();
    let browser = host.browser(Look::desktop(), "play");
    make_game(&browser, "density", &[("#preset", "sploosh"), ("#touch", "never")]);
    browser.click("#clear");
    browser.drag(&ship(0), &cell(BOARD, "B2"));
    assert_eq!(placed(&browser), "B2 B3 B4 B5");
    browser.drag(&ship(1), &cell(BOARD, "C6"));
    assert_eq!(placed(&browser), "B2 B3 B4 B5", "corners may not touch");
    assert_eq!(browser.text("#problem"), "Not there: ships may not touch.");
    browser.drag(&ship(1), &cell(BOARD, "D6"));
    assert_eq!(placed(&browser), "B2 B3 B4 B5 D6 D7 D8");
    assert!(!browser.is_visible("#problem"));
    browser.drag(&cell(BOARD, "B3"), &cell(BOARD, "F3"));
    assert_eq!(placed(&browser), "D6 D7 D8 F2 F3 F4 F5", "it is moved by the cell it is held at");
    browser.click("#rotate");
    assert!(browser.text("#status").ends_with("vertical."), "the last ship is in hand and turned");
    browser.drag(&ship(2), &cell(BOARD, "H8"));
    assert_eq!(placed(&browser), "D6 D7 D8 F2 F3 F4 F5 G8 H8", "a ship that would stick out is moved inside");
    assert_eq!(browser.text("#status"), "Your fleet is ready.");
    browser.keep_screenshot("placing");
    browser.click("#start");
    wait_for(&browser, "#status", "Your turn.");
    assert_eq!(cells(&browser, "own-board", "ship"), "D6 D7 D8 F2 F3 F4 F5 G8 H8");
    browser.assert_no_errors();
}

#[test]
fn a_fleet_is_placed_by_keyboard_and_by_clicks() {
    let host = Host::start();
    let browser = host.browser(Look::desktop(), "play");
    make_game(&browser, "density", &[("#preset", "sploosh")]);
    browser.click("#clear");
    browser.keys(&cell(BOARD, "A1"), key::RIGHT);
    browser.type_keys(key::DOWN);
    assert_eq!(browser.text("#status"), "B2-B5: free. Enter puts the ship down.");
    browser.type_keys(key::ENTER);
    assert_eq!(placed(&browser), "B2 B3 B4 B5");
    assert_eq!(browser.text("#status"), "Place your ship (3), horizontal.");
    browser.type_keys("r");
    assert_eq!(browser.text("#status"), "Place your ship (3), vertical.");
    browser.type_keys(key::UP);
    assert_eq!(browser.text("#status"), "A2-C2: it would lie on another ship.");
    browser.type_keys(key::ENTER);
    assert_eq!(placed(&browser), "B2 B3 B4 B5");
    browser.type_keys(&key::RIGHT.repeat(4));
    browser.type_keys(key::SPACE);
    assert_eq!(placed(&browser), "A6 B2 B3 B4 B5 B6 C6");
    browser.type_keys(key::ESCAPE);
    assert_eq!(browser.text("#status"), "Choose a ship.");
    browser.type_keys(key::ENTER);
    assert_eq!(placed(&browser), "B2 B3 B4 B5", "the ship under the cursor is in hand");
    browser.type_keys(key::ESCAPE);
    assert_eq!(placed(&browser), "A6 B2 B3 B4 B5 B6 C6", "and back where it was");
    browser.click(&ship(2));
    browser.click(&cell(BOARD, "H7"));
    assert_eq!(placed(&browser), "A6 B2 B3 B4 B5 B6 C6 G7 H7");
    assert_eq!(browser.attribute(&cell(BOARD, "H7"), "aria-label").as_deref(), Some("H7, your ship"));
    browser.click("#clear");
    assert_eq!(placed(&browser), "");
    assert!(browser.attribute("#start", "disabled").is_some());
    browser.click("#random");
    browser.wait_until("!document.querySelector('#start').disabled");
    assert_eq!(placed(&browser).split(' ').count(), 9);
    browser.assert_no_errors();
}
