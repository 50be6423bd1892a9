//! Other colours, other languages, no server, and two people at one device.

use broadside_browser::{Browser, Look};

use crate::axe::assert_accessible;
use crate::host::{Host, cell, cells, fill, follow, is_over, make_game, place_at_random, wait_for};

/// Kinds of marks, and what draws each on a cell of a board: attributes of the cell, and the class of a ship that lies there.
const MARKS: [(&str, &str, &str); 18] = [
    ("nothing", "", ""),
    ("a miss", "state=miss", ""),
    ("a hit", "state=hit", ""),
    ("a sunk ship", "state=sunk wreck", "sunk"),
    ("a cell of a sunk ship", "state=sunk", ""),
    ("the last shot", "state=miss last", ""),
    ("the best shot", "best", ""),
    ("the best and last shot", "state=miss best last", ""),
    ("the aim", "aim", ""),
    ("a wrong mark", "wrong", ""),
    ("known water", "water", ""),
    ("no place for a ship", "blocked", ""),
    ("a ship", "", "own"),
    ("a ship in the hand", "", "ghost"),
    ("a ship that may not lie there", "", "bad"),
    ("water in a puzzle", "state=sea", ""),
    ("a ship in a puzzle", "state=found", ""),
    ("a given cell in a puzzle", "state=found given=single", ""),
];

/// Draws each kind of mark on a cell of its own, A1, A3, A5 and so on, and names the cells.
fn draw_marks(browser: &Browser, board: &str) -> Vec<String> {
    let script = format!(
        "const board = document.querySelector('#{board}'), hulls = board.closest('.board-box').querySelector('.hulls');
        return {marks}.map(([, attributes, ship], i) => {{
            const row = 2 * Math.floor(i / 5), col = 2 * (i % 5), name = 'ABCDEFGHIJ'[row] + (col + 1);
            const cell = board.querySelector(`[data-cell=${{name}}]`);
            for (const attribute of attributes.split(' ').filter(Boolean)) {{
                const [key, value] = attribute.split('=');
                cell.dataset[key] = value ?? '';
            }}
            if (ship) {{
                const hull = Object.assign(document.createElement('div'), {{ className: `hull single ${{ship}}` }});
                Object.entries({{ row, col, wide: 1, high: 1 }}).forEach(([key, value]) => hull.style.setProperty(`--${{key}}`, value));
                hulls.append(hull);
            }}
            return name;
        }})",
        marks = serde_json::to_string(&MARKS).expect("text")
    );
    let names = browser.script(&script);
    names.as_array().expect("names").iter().map(|name| cell(board, name.as_str().expect("a name"))).collect()
}

/// How many pixels of two pictures are clearly different, for eyes that need contrast.
fn different_pixels(one: &[u8], other: &[u8]) -> usize {
    let is_clear = |(one, other): (&[u8], &[u8])| one.iter().zip(other).any(|(one, other)| one.abs_diff(*other) > 90);
    one.chunks(4).zip(other.chunks(4)).filter(|&pair| is_clear(pair)).count()
}

/// In a picture of the page every kind of mark differs from open water and from every other kind.
#[test]
fn forced_colours_show_every_kind_of_mark() {
    let host = Host::start();
    let browser = host.browser(Look::desktop().forced_colours(), "daily?day=2026-11-17");
    browser.wait_until("document.querySelector('#solo-board')");
    assert_eq!(browser.script("return matchMedia('(forced-colors: active)').matches"), true);
    let cells = draw_marks(&browser, "solo-board");
    browser.script("document.querySelector('#solo-board').scrollIntoView()");
    browser.keep_screenshot("forced-colours");
    let pictures = browser.pixels(&cells.iter().map(String::as_str).collect::<Vec<_>>());
    for (i, one) in MARKS.iter().enumerate() {
        for (j, other) in MARKS.iter().enumerate().take(i) {
            let different = different_pixels(&pictures[i], &pictures[j]);
            assert!(different >= 12, "{} looks like {}: {different} pixels differ", one.0, other.0);
        }
    }
}

/// The same in a game, a position and a puzzle as they are, where marks come from the page itself.
#[test]
fn forced_colours_show_the_marks_of_a_position() {
    let host = Host::start();
    let route = "analyse?preset=russian&shots=A1o.C3x.E5s2.E6s2.H8x";
    let browser = host.browser(Look::desktop().forced_colours(), route);
    browser.wait_until("document.querySelector('#analyse-board [data-best]')");
    let marks = [
        ("a miss", cell("analyse-board", "A1")),
        ("a hit", cell("analyse-board", "C3")),
        ("a sunk ship", cell("analyse-board", "E5")),
        ("the best shot", "#analyse-board [data-best]".to_owned()),
        ("the last shot", "#analyse-board [data-last]".to_owned()),
    ];
    // The cell beside the best one has a number too.
    let plain = cell("analyse-board", "J1");
    for (mark, css) in marks {
        let [mark_pixels, plain_pixels] = &browser.pixels(&[&css, &plain])[..] else { panic!("two pictures") };
        assert!(different_pixels(mark_pixels, plain_pixels) >= 80, "{mark} looks like open water");
    }
    assert_ne!(browser.style(&plain, "border-top-width"), "0px", "the grid is there");
}

#[test]
fn every_language_fits_a_phone_and_is_the_readers_own() {
    let host = Host::start();
    let browser = host.newcomer(Look::phone().sized(360, 640).still().speaking("de-DE"));
    for (language, play, miss, refusal) in [
        ("de-DE", "Spielen", "Fehlschuss", "Die Flotte passt nicht auf das Brett."),
        ("es-ES", "Jugar", "agua", "La flota no cabe en el tablero."),
        ("ru-RU", "Играть", "мимо", "Флот не помещается на поле."),
    ] {
        browser.set_language(language);
        host.show(&browser, "play");
        browser.wait_until("document.querySelector('#start:not(:disabled)')");
        assert_eq!(browser.text("#start"), play);
        assert_eq!(browser.script("return document.documentElement.lang"), language);
        for (route, ready) in [
            ("play", "#start"),
            ("history", "#totals"),
            ("daily", "#daily-position"),
            ("rules/russian", "#how-to-rules"),
            ("analyse?shots=E5o", "#heat-legend:not([hidden])"),
            ("lab", "#run"),
        ] {
            follow(&browser, route);
            browser.wait_until(&format!("document.querySelector('{ready}')"));
            let cut = "return [...document.querySelectorAll('main button, main h1:not(.visually-hidden), main h2, main label, .top a')]
                .filter((part) => part.offsetParent && part.scrollWidth > part.clientWidth + 1).map((part) => part.outerHTML.slice(0, 200))";
            assert_eq!(browser.overflow(), 0, "{route} in {language}");
            assert_eq!(browser.script(cut), serde_json::json!([]), "{route} in {language}");
            browser.keep_screenshot(&format!("{language}-{}", route.split(['?', '/']).next().unwrap_or(route)));
        }
        follow(&browser, "analyse?shots=E5o");
        browser.wait_until("document.querySelector('#analyse-board [data-state=miss]')");
        assert!(browser.attribute(&cell("analyse-board", "E5"), "aria-label").is_some_and(|label| label.contains(miss)));
        browser.assert_no_errors();
        fill(&browser, "#fleet", "9,9,9,9,9,9,9,9,9,9,9,9");
        wait_for(&browser, "#rules-problem", refusal);
        // The browser itself reports the answer 422.
        drop(browser.errors());
    }
}

#[test]
fn every_captain_has_words_on_the_page() {
    let texts = include_str!("../../page/lang/en.js");
    for captain in broadside_captains::ROSTER {
        assert!(texts.contains(&format!("\"captain.{}\":", captain.name)), "page/lang has no words for {}", captain.name);
    }
}

#[test]
fn the_page_starts_without_its_server_and_shows_what_was_seen() {
    let mut host = Host::start();
    let browser = host.browser(Look::desktop(), "daily?day=2026-11-17");
    browser.wait_until("document.querySelector('#daily-position')");
    browser.wait_until("navigator.serviceWorker.controller");
    // Seen once under the worker, the lists are kept.
    browser.reload();
    browser.wait_until("document.querySelector('#daily-position')");
    host.halt();
    browser.reload();
    browser.wait_until("document.querySelector('#solo-board')");
    browser.click(&cell("solo-board", "A1"));
    wait_for(&browser, "#status", "You fire at A1:");
    follow(&browser, "rules/russian");
    wait_for(&browser, "#how-to-rules", "A hit gives another shot");
    follow(&browser, "history");
    wait_for(&browser, "#finished", "No finished game yet.");
    follow(&browser, "replay/none");
    wait_for(&browser, "h1", "The server is not there");
}

#[test]
fn two_play_on_one_device_and_the_curtain_hides_everything() {
    let host = Host::start();
    let browser = host.browser(Look::desktop(), "play");
    make_game(&browser, "pass", &[("#rows", "4"), ("#cols", "4"), ("#fleet", "3,2")]);
    place_at_random(&browser);
    wait_for(&browser, "#curtain", "Hand the device to Player 2");
    assert_hidden(&browser);
    assert_accessible(&browser, "curtain");
    browser.click("#ready");
    browser.wait_until("document.querySelector('#start:not(:disabled)')");
    browser.click("#start");
    wait_for(&browser, "#curtain", "Player 1");
    let mut shots = 0;
    loop {
        assert_hidden(&browser);
        browser.click("#ready");
        browser.wait_until("document.querySelector('#enemy-board [data-state=open]')");
        assert_eq!(browser.count(".enemy .hull:not(.sunk)"), 0, "nothing of the other fleet is drawn");
        browser.click("#enemy-board [data-state=open]");
        shots += 1;
        browser.wait_until("!document.querySelector('#hand-over').hidden || !document.querySelector('#banner').hidden");
        if is_over(&browser) {
            break;
        }
        browser.click("#hand-over");
    }
    assert!((5..=31).contains(&shots), "{shots} shots on boards of 16 cells");
    assert!(browser.text("#banner strong").contains("wins"));
    assert_eq!(cells(&browser, "own-board", "ship sunk hit").split(' ').count(), 5);
    browser.assert_no_errors();
}

/// With the curtain drawn no board is on the page, not even out of sight.
fn assert_hidden(browser: &Browser) {
    browser.wait_until("document.querySelector('#curtain')");
    assert_eq!(browser.count("[data-cell], .hull, .fleet"), 0);
}

#[test]
fn marks_survive_other_rules_and_whole_ships_can_be_marked() {
    let host = Host::start();
    let browser = host.browser(Look::desktop(), "analyse");
    browser.click("#tool-sunk-3");
    for name in ["C3", "C5", "C4"] {
        browser.click(&cell("analyse-board", name));
    }
    wait_for(&browser, "#log", "C3+ C5+ C4#3");
    browser.wait_until("document.querySelector('#layouts').title");
    assert!(!browser.is_visible("#contradiction"));
    browser.click("#tool-miss");
    browser.click(&cell("analyse-board", "J10"));
    wait_for(&browser, "#log", "J10-");
    fill(&browser, "#preset", "sploosh");
    wait_for(&browser, "#log", "C4#3");
    browser.wait_until("!document.querySelector('#log').textContent.includes('J10')");
    // Without the focus on anything, Undo brings the marks back, and the rules they were marked by.
    browser.script("document.activeElement.blur(); document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'z', ctrlKey: true, bubbles: true }))");
    wait_for(&browser, "#log", "J10-");
    assert_eq!(browser.script("return document.querySelector('#preset').value"), "classic");
    browser.script(
        "const box = document.querySelector('#paste'); box.value = 'A1- B2+'; box.dispatchEvent(new Event('input', { bubbles: true }))",
    );
    wait_for(&browser, "#log", "A1- B2+");
    assert_accessible(&browser, "analyse");
    browser.assert_no_errors();
}
