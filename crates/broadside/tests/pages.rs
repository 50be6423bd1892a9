//! Pages that the program writes or serves, in a real browser.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

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

/// The web app with the bot of docs/ubi.md, which ends with the value.
struct WithBot {
    process: Child,
    address: String,
    _folder: TempDir,
}

impl WithBot {
    fn start() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("mybot.py"), first_bot()).expect("the bot is written");
        let mut process = Command::new(env!("CARGO_BIN_EXE_broadside"))
            .args(["serve", "--addr", "127.0.0.1:0", "--data", "games", "--bot", "mybot=python3 mybot.py"])
            .current_dir(folder.path())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut line = String::new();
        BufReader::new(process.stdout.take().expect("a pipe")).read_line(&mut line).expect("a line");
        let address = line.split(' ').find(|word| word.starts_with("http://")).expect("an address").to_owned();
        Self { process, address, _folder: folder }
    }
}

impl Drop for WithBot {
    fn drop(&mut self) {
        // It fails only when the server has ended already.
        let _killed = self.process.kill();
        let _status = self.process.wait();
    }
}

/// The bot that docs/ubi.md begins with.
fn first_bot() -> String {
    let text = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/ubi.md")).expect("the document");
    let (_, bot) = text.split_once("```python\n").expect("a bot in the document");
    bot.split_once("```").expect("the bot ends").0.to_owned()
}

/// Chooses the bot as docs/ubi.md says, on a board that keeps the game short.
fn choose_bot(browser: &Browser) {
    browser.wait_until("document.querySelector('#start:not(:disabled)')");
    browser.click("#more-opponents summary");
    browser.click("#captain");
    let script = "const set = (css, value) => {
            const field = document.querySelector(css);
            field.value = value;
            for (const kind of ['input', 'change']) field.dispatchEvent(new Event(kind, { bubbles: true }));
        };
        set('#captain', 'bot:mybot'); set('#rows', '4'); set('#cols', '4'); set('#fleet', '3,2');";
    browser.script(script);
    browser.wait_until("document.querySelectorAll('#placing-board [data-cell]').length === 16 && document.querySelector('#start:not(:disabled)')");
}

#[test]
fn a_person_plays_against_a_bot_of_their_own() {
    let server = WithBot::start();
    let browser = Browser::start(Look::desktop().still());
    browser.goto(&server.address);
    choose_bot(&browser);
    assert!(browser.text("#captain").contains("mybot"));
    // Rules that are typed half are refused on the way, which the browser counts as errors.
    drop(browser.errors());
    browser.click("#start");
    browser.wait_until("document.querySelector('#enemy-board')");
    assert!(browser.text("main").contains("mybot"), "{}", browser.text("main"));
    let mut shots = 0;
    while browser.script("return document.querySelector('#banner').hidden") == true {
        browser.wait_until("!document.querySelector('#enemy-board[aria-disabled]') || !document.querySelector('#banner').hidden");
        let open = browser.count("#enemy-board [data-state=open]");
        browser.click("#enemy-board [data-state=open]");
        browser.wait_until(&format!("document.querySelectorAll('#enemy-board [data-state=open]').length < {open}"));
        browser.wait_until("!document.querySelector('#enemy-board[aria-disabled]') || !document.querySelector('#banner').hidden");
        shots += 1;
    }
    assert!((5..=16).contains(&shots), "{shots} shots");
    let fired = browser.count("#own-board :is([data-state=miss], [data-state=hit], [data-state=sunk])");
    assert!(fired == shots || fired + 1 == shots, "the bot fires in turn: {fired} shots against {shots}");
    assert!(!browser.text("#banner").contains("forfeit"));
    browser.assert_no_errors();
}
