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

/// No violation in light, dark and forced colours.
pub(crate) fn assert_accessible(browser: &Browser, view: &str) {
    for (name, look) in
        [("light", Look::desktop()), ("dark", Look::desktop().dark()), ("forced", Look::desktop().forced_colours())]
    {
        browser.set_colours(look);
        assert_eq!(violations(browser), serde_json::json!([]), "{view} in {name} colours");
        browser.keep_screenshot(&format!("{view}-{name}"));
    }
    browser.set_colours(Look::desktop());
}

/// What axe-core finds wrong: the rule, and where.
fn violations(browser: &Browser) -> serde_json::Value {
    // Movements are over at once, so that no colour is looked at half way.
    browser.script("for (const moving of document.getAnimations()) moving.finish()");
    if browser.script("return typeof window.axe") != "object" {
        browser.script(&format!("{}; window.axe = window.axe ?? axe;", script()));
    }
    browser.script(
        "window.found = null;
         axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => {
            window.found = violations.map(({ id, nodes }) => [id, ...nodes.slice(0, 3).map(({ target, any }) => `${target} ${any[0]?.message ?? ''}`)]);
         }, (error) => { window.found = [String(error)]; });",
    );
    browser.wait_until("window.found");
    browser.script("return window.found")
}
