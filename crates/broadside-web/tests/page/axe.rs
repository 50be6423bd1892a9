//! The rules of accessibility that a program can check, by axe-core.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use broadside_browser::{Browser, Look};

/// The script of axe-core, which npm installs beside the page's other checks.
fn script() -> &'static str {
    static SCRIPT: OnceLock<String> = OnceLock::new();
    SCRIPT.get_or_init(|| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
        let file = folder.join("node_modules/axe-core/axe.min.js");
        if !file.exists() {
            install(folder);
        }
        std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}: run scripts/check-page once", file.display()))
    })
}

fn install(folder: &Path) {
    let done = Command::new("npm").args(["ci", "--no-audit", "--no-fund"]).current_dir(folder).status();
    assert!(done.is_ok_and(|status| status.success()), "npm can't install axe-core: is npm there, and its registry in reach?");
    let lock: PathBuf = folder.join("package-lock.json");
    std::fs::copy(lock, folder.join("node_modules/.lock-installed")).expect("the mark of check-page");
}

/// What is checked: a name, and the view that it is a state of.
const STATES: [(&str, &str); 20] = [
    ("play", "play"),
    ("waiting", "game"),
    ("battle", "game"),
    ("battle-over", "game"),
    ("curtain", "pass"),
    ("watch", "watch"),
    ("join", "join"),
    ("analyse", "analyse"),
    ("contradiction", "analyse"),
    ("shots-to-go", "analyse"),
    ("lab", "lab"),
    ("replay", "replay"),
    ("review", "review"),
    ("history", "history"),
    ("daily", "daily"),
    ("puzzle", "puzzle"),
    ("solo", "solo"),
    ("rules", "rules"),
    ("settings", "rules"),
    ("notice", "nowhere"),
];

/// Rules that look at colours; all others look at what is on the page, which is the same in all colours.
const OF_COLOURS: &str = "{ runOnly: ['color-contrast', 'link-in-text-block'] }";

/// No violation in light, dark and forced colours, in one of the states.
pub(crate) fn assert_accessible(browser: &Browser, state: &str) {
    let view = STATES.iter().find_map(|(name, view)| (*name == state).then_some(*view));
    assert_eq!(browser.script("return document.getElementById('main').dataset.view"), serde_json::json!(view), "{state}");
    for (name, theme, look, rules) in [
        ("light", "light", Look::desktop(), "{}"),
        ("dark", "dark", Look::desktop().dark(), OF_COLOURS),
        ("forced", "light", Look::desktop().forced_colours(), OF_COLOURS),
    ] {
        browser.set_colours(look);
        // Old numbers are dimmed while new ones are counted, and the page learns of new colours a moment later.
        browser.wait_until(&format!(
            "document.documentElement.dataset.theme === '{theme}' && !document.querySelector('[aria-busy]')"
        ));
        assert_eq!(violations(browser, rules), serde_json::json!([]), "{state} in {name} colours");
        browser.keep_screenshot(&format!("{state}-{name}"));
    }
    browser.set_colours(Look::desktop());
}

/// What axe-core finds wrong: the rule, and where.
fn violations(browser: &Browser, rules: &str) -> serde_json::Value {
    // Movements are over at once, so that no colour is looked at half way.
    browser.script("for (const moving of document.getAnimations()) moving.finish()");
    if browser.script("return typeof window.axe") != "object" {
        browser.script(&format!("{}; window.axe = window.axe ?? axe;", script()));
    }
    let run = "window.found = null;
         axe.run(document, { resultTypes: ['violations'], ...RULES }).then(({ violations }) => {
            window.found = violations.map(({ id, nodes }) => [id, ...nodes.slice(0, 3).map(({ target, any }) => `${target} ${any[0]?.message ?? ''}`)]);
         }, (error) => { window.found = [String(error)]; });";
    browser.script(&run.replace("RULES", rules));
    browser.wait_until("window.found");
    browser.script("return window.found")
}

#[test]
fn every_view_has_a_state_that_is_checked_and_every_state_is_checked() {
    let main = include_str!("../../page/js/main.js");
    let list = main.split_once("const VIEWS = {").and_then(|(_, rest)| rest.split_once("};")).expect("the list of views").0;
    let views: Vec<&str> = list.lines().filter_map(|line| Some(line.split_once(':')?.0.trim())).collect();
    assert!(views.len() >= 13, "{views:?}");
    for view in views {
        assert!(STATES.iter().any(|(_, of)| *of == view), "axe-core never looks at the view {view}");
    }
    let tests = [
        include_str!("analyse.rs"),
        include_str!("everyone.rs"),
        include_str!("first_visit.rs"),
        include_str!("lab.rs"),
        include_str!("memory.rs"),
        include_str!("play.rs"),
        include_str!("puzzle.rs"),
        include_str!("shots_to_go.rs"),
        include_str!("two.rs"),
    ]
    .concat();
    for (state, _) in STATES {
        assert!(tests.contains(&format!(", \"{state}\");")), "no test looks at {state}");
    }
}
