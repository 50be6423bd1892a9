//! The puzzle of the newspapers.

use broadside_browser::{Browser, Look, Shared};
use broadside_puzzle::{Puzzle, Verdict};
use broadside_rules::{Cell, Layout};

use crate::axe::assert_accessible;
use crate::host::{Host, cell, wait_for};

const BOARD: &str = "puzzle-board-grid";
const VIEW: &str = "puzzle?board=6x6&grade=easy&seed=7";

/// The puzzle that the page shows, from the marks and numbers that it shows, and its solution.
fn shown(browser: &Browser) -> (Puzzle, Layout) {
    let counts = |role: &str| {
        let script =
            format!("return [...document.querySelectorAll('.count[role={role}]')].map((count) => count.textContent).join()");
        browser.script(&script).as_str().unwrap().to_owned()
    };
    let script = "const signs = { water: '~', single: 'o', middle: 'm', top: '^', bottom: 'v', left: '<', right: '>' };
        return [...document.querySelectorAll('[data-given]')].map((cell) => cell.dataset.cell + signs[cell.dataset.given]).join(' ')";
    let revealed = browser.script(script).as_str().unwrap().to_owned();
    let puzzle: Puzzle = format!("3,2,2,1,1,1 {} {} {revealed}", counts("rowheader"), counts("columnheader")).parse().unwrap();
    let Verdict::Unique(solution) = puzzle.solve(Puzzle::ENOUGH).unwrap() else { panic!("{puzzle} has one solution") };
    (puzzle, solution)
}

fn open(host: &Host, look: Look) -> Shared {
    let browser = host.browser(look, VIEW);
    browser.wait_until("document.querySelector('.count[role=columnheader]')?.textContent");
    browser
}

#[test]
fn a_puzzle_is_solved_by_touch_on_a_small_screen() {
    let host = Host::start();
    let browser = open(&host, Look::phone().sized(360, 640));
    assert_eq!(browser.overflow(), 0);
    let (puzzle, solution) = shown(&browser);
    for at in solution.cells().iter().filter(|&at| puzzle.mark(at).is_none()) {
        // Water, then a ship.
        browser.click(&cell(BOARD, &at.to_string()));
        browser.click(&cell(BOARD, &at.to_string()));
    }
    wait_for(&browser, "#puzzle-status", "Solved");
    assert_eq!(browser.count("#puzzle-board-grid [data-state=open]"), 0);
    browser.keep_screenshot("puzzle-phone");
    browser.assert_no_errors();
}

#[test]
fn a_puzzle_is_solved_by_keys_with_checks_and_hints() {
    let host = Host::start();
    let browser = open(&host, Look::desktop());
    let (puzzle, solution) = shown(&browser);
    let free: Vec<Cell> = solution.cells().iter().filter(|&at| puzzle.mark(at).is_none()).collect();
    browser.keys(&cell(BOARD, &free[0].to_string()), "w");
    browser.click("#puzzle-check");
    wait_for(&browser, "#puzzle-status", &format!("Not right: {}", free[0]));
    assert_accessible(&browser, "puzzle");
    browser.click("#puzzle-undo");
    browser.click("#puzzle-hint");
    browser.wait_until("!document.querySelector('#puzzle-apply').hidden");
    assert!(browser.count("#puzzle-board-grid [data-best]") > 0, "the hint's cells are framed");
    browser.click("#puzzle-apply");
    browser.click("#puzzle-check");
    wait_for(&browser, "#puzzle-status", "right");
    browser.reload();
    browser.wait_until(
        "document.querySelectorAll('#puzzle-board-grid [data-state=sea], #puzzle-board-grid [data-state=found]').length > 1",
    );
    for at in free {
        browser.keys(&cell(BOARD, &at.to_string()), "x");
    }
    wait_for(&browser, "#puzzle-status", "Solved");
    browser.assert_no_errors();
}

#[test]
fn the_puzzle_of_the_day_is_one_click_from_the_daily_page() {
    let host = Host::start();
    let browser = host.browser(Look::desktop(), "daily?day=2026-11-16");
    browser.wait_until("document.querySelector('#daily-puzzle')");
    browser.click("#daily-puzzle");
    wait_for(&browser, "h1", "Puzzle of 2026-11-16");
    browser.wait_until("document.querySelectorAll('.count[role=rowheader]').length === 8");
    browser.assert_no_errors();
}
