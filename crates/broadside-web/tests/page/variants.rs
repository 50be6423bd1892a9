//! Whole games of each variant.

use broadside_browser::Look;

use crate::host::{Host, cell, cells, make_game, play_by_hints, wait_for};

#[test]
fn a_game_among_rocks_is_set_up_and_played_to_its_end() {
    let host = Host::start();
    let browser = host.browser(Look::desktop(), "play");
    make_game(&browser, "density", &[("#preset", "reef")]);
    assert_eq!(cells(&browser, "placing-board", "rock"), "C3 C8 E5 F6 H3 H8");
    browser.script(
        "for (let at = document.querySelector('#choose-rocks'); at; at = at.parentElement.closest('details')) at.open = true",
    );
    browser.wait_until("document.querySelector('#rocks-board')");
    browser.click(&cell("rocks-board", "J10"));
    browser.click(&cell("rocks-board", "C3"));
    wait_for(&browser, "#rules-line", "rocks C8 E5 F6 H3 H8 J10");
    browser.wait_until("!document.querySelector('#start').disabled");
    assert_eq!(cells(&browser, "placing-board", "rock"), "C8 E5 F6 H3 H8 J10");
    browser.click("#start");
    wait_for(&browser, "#status", "Your turn.");
    browser.click(&cell("enemy-board", "J10"));
    assert_eq!(browser.text("#status"), "Your turn.", "nobody fires at a rock");
    assert_eq!(browser.attribute(&cell("enemy-board", "J10"), "aria-label").as_deref(), Some("J10, rock"));
    play_by_hints(&browser);
    assert_eq!(cells(&browser, "enemy-board", "rock"), "C8 E5 F6 H3 H8 J10");
    browser.keep_screenshot("rocks");
    browser.assert_no_errors();
}
