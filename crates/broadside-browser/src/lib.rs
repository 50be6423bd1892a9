//! Broadside's pages in a real browser, for tests only.
//!
//! A [`Browser`] is Chromium without a window, driven through chromedriver. Its methods wait for their effect and panic with
//! the reason when something can't be done, as tests want it. The browser ends with its value, also when a test fails.
//! Where Chromium is missing the test fails and says how to install it: a test that looks at no page must not pass.
//!
//! ```no_run
//! use broadside_browser::{Browser, Look, key};
//! let browser = Browser::start(Look::phone().dark());
//! browser.open_file("replay.html");
//! browser.keys("#slider", key::RIGHT);
//! assert_eq!(browser.text("#headline"), "Shot 2 of 44: D4, a miss");
//! browser.assert_no_errors();
//! ```

// All methods panic when something fails, as tests want it: the documentation of the type says so once.
#![allow(clippy::missing_panics_doc)]

mod command;
mod driver;
pub mod key;
mod look;

use std::fs;
use std::future::Future;
use std::path::Path;
use std::time::{Duration, Instant};

use fantoccini::actions::{InputSource, MOUSE_BUTTON_LEFT, MouseActions, PointerAction};
use fantoccini::elements::Element;
use fantoccini::error::CmdError;
use fantoccini::{Client, ClientBuilder, Locator};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use command::Post;
use driver::{Driver, INSTALL};
pub use look::Look;

/// How long the browser may take for one command; longer than any takes on a busy machine.
const COMMAND_TIMEOUT: Duration = Duration::from_secs(30);
/// How long Chromium may take to start.
const START_TIMEOUT: Duration = Duration::from_secs(60);
/// How long to wait for an element to appear.
const ELEMENT_TIMEOUT: Duration = Duration::from_secs(10);
/// How long Chromium may take to end.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(10);
/// Time between two looks at a page that is waited for.
const POLL_INTERVAL: Duration = Duration::from_millis(25);

/// A browser with one page.
pub struct Browser {
    runtime: Runtime,
    client: Client,
    // Ends after the session, since the session's end is told to it.
    _driver: Driver,
}

/// Where something is on the page, in pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rectangle {
    /// Left edge.
    pub x: f64,
    /// Upper edge.
    pub y: f64,
    /// Width.
    pub width: f64,
    /// Height.
    pub height: f64,
}

/// Elements are named by a CSS selector, which means the first element that fits; a method waits until there is one.
///
/// # Panics
/// All of them, when the browser can't do it within half a minute.
impl Browser {
    /// Starts a browser.
    ///
    /// # Panics
    /// When Chromium or chromedriver is missing or doesn't start, with what to do about it.
    pub fn start(look: Look) -> Self {
        let driver = Driver::start();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        let capabilities = look.capabilities(driver.profile());
        let connected = runtime.block_on(async {
            let connect =
                async { ClientBuilder::new(HttpConnector::new()).capabilities(capabilities).connect(&driver.address()).await };
            tokio::time::timeout(START_TIMEOUT, connect).await
        });
        let client = connected
            .expect("Chromium starts in time")
            .unwrap_or_else(|error| panic!("Chromium doesn't start ({error}): {INSTALL}"));
        let browser = Self { runtime, client, _driver: driver };
        browser.apply(look);
        browser
    }

    fn apply(&self, look: Look) {
        if !look.is_phone() {
            let (width, height) = look.size();
            self.wait(self.client.set_window_size(width, height));
        }
        self.set_colours(look);
        if let Some(language) = look.language() {
            let agent = self.script("return navigator.userAgent");
            self.devtools("Emulation.setUserAgentOverride", &json!({ "userAgent": agent, "acceptLanguage": language }));
        }
        if !look.has_scripts() {
            self.devtools("Emulation.setScriptExecutionDisabled", &json!({ "value": true }));
        }
    }

    /// Changes the colours that the reader prefers; all else of the look stays.
    pub fn set_colours(&self, look: Look) {
        self.devtools("Emulation.setEmulatedMedia", &json!({ "features": look.media() }));
    }

    /// Opens an address.
    pub fn goto(&self, address: &str) {
        self.wait(self.client.goto(address));
    }

    /// Opens a file as a double click on it would.
    pub fn open_file(&self, path: impl AsRef<Path>) {
        let path = path.as_ref().canonicalize().unwrap_or_else(|error| panic!("{}: {error}", path.as_ref().display()));
        let address = url::Url::from_file_path(&path).expect("a whole path");
        self.goto(address.as_str());
    }

    /// Loads the page again.
    pub fn reload(&self) {
        self.wait(self.client.refresh());
    }

    /// The address of the page.
    pub fn address(&self) -> String {
        self.wait(self.client.current_url()).to_string()
    }

    /// Clicks in the middle of an element.
    pub fn click(&self, css: &str) {
        self.wait(self.find(css).click());
    }

    /// Types into an element; [`key`] has the keys without a letter.
    pub fn keys(&self, css: &str, keys: &str) {
        self.wait(self.find(css).send_keys(keys));
    }

    /// Types wherever the focus is.
    pub fn type_keys(&self, keys: &str) {
        self.wait(async { self.client.active_element().await?.send_keys(keys).await });
    }

    /// Drags with the mouse from the middle of one element to the middle of another.
    pub fn drag(&self, from: &str, to: &str) {
        let glide = Some(Duration::from_millis(150));
        let over = |element| PointerAction::MoveToElement { element, duration: glide, x: 0.0, y: 0.0 };
        let mouse = MouseActions::new("mouse".to_owned())
            .then(over(self.find(from)))
            .then(PointerAction::Down { button: MOUSE_BUTTON_LEFT })
            .then(over(self.find(to)))
            .then(PointerAction::Up { button: MOUSE_BUTTON_LEFT });
        self.wait(self.client.perform_actions(mouse));
    }

    /// The text of an element as a reader sees it.
    pub fn text(&self, css: &str) -> String {
        self.wait(self.find(css).text())
    }

    /// An attribute of an element.
    pub fn attribute(&self, css: &str, name: &str) -> Option<String> {
        self.wait(self.find(css).attr(name))
    }

    /// A style of an element, as the browser has computed it.
    pub fn style(&self, css: &str, property: &str) -> String {
        self.wait(self.find(css).css_value(property))
    }

    /// Whether there is such an element, and a reader can see it.
    pub fn is_visible(&self, css: &str) -> bool {
        self.wait(async {
            match self.client.find(Locator::Css(css)).await {
                Ok(element) => element.is_displayed().await,
                Err(error) if error.is_no_such_element() => Ok(false),
                Err(error) => Err(error),
            }
        })
    }

    /// How many elements fit the selector.
    pub fn count(&self, css: &str) -> usize {
        self.wait(self.client.find_all(Locator::Css(css))).len()
    }

    /// Where an element is.
    pub fn rectangle(&self, css: &str) -> Rectangle {
        let (x, y, width, height) = self.wait(self.find(css).rectangle());
        Rectangle { x, y, width, height }
    }

    /// What a script returns.
    pub fn script(&self, script: &str) -> Value {
        self.wait(self.client.execute(script, Vec::new()))
    }

    /// Waits until an expression is true on the page.
    pub fn wait_until(&self, expression: &str) {
        let end = Instant::now() + COMMAND_TIMEOUT;
        while self.script(&format!("return Boolean({expression})")) != true {
            assert!(Instant::now() < end, "{expression} did not become true in time");
            std::thread::sleep(POLL_INTERVAL);
        }
    }

    /// By how many pixels the page is wider than the window: 0 when nobody has to scroll sideways.
    pub fn overflow(&self) -> i64 {
        let excess = self.script("return Math.ceil(document.documentElement.scrollWidth - window.innerWidth)");
        excess.as_i64().expect("a number").max(0)
    }

    /// A picture of what the window shows, as PNG.
    pub fn screenshot(&self) -> Vec<u8> {
        self.wait(self.client.screenshot())
    }

    /// Saves the picture if the environment variable `SCREENSHOTS` names a folder, for people to look at.
    pub fn keep_screenshot(&self, name: &str) {
        if let Some(folder) = std::env::var_os("SCREENSHOTS") {
            fs::create_dir_all(&folder).expect("the folder for screenshots");
            fs::write(Path::new(&folder).join(format!("{name}.png")), self.screenshot()).expect("a screenshot is written");
        }
    }

    /// What went wrong on the page since this was last asked: errors of scripts, and what could not be loaded.
    pub fn errors(&self) -> Vec<String> {
        let log = self.wait(self.client.issue_cmd(Post::new("se/log", &json!({ "type": "browser" }))));
        let entries = log.as_array().expect("a list of messages");
        let severe = entries.iter().filter(|entry| entry["level"] == "SEVERE");
        severe.map(|entry| entry["message"].as_str().unwrap_or_default().to_owned()).collect()
    }

    /// Nothing went wrong on the page since this was last asked.
    #[track_caller]
    pub fn assert_no_errors(&self) {
        let errors = self.errors();
        assert!(errors.is_empty(), "the browser's console has errors: {errors:#?}");
    }

    /// A command of the developer tools' protocol.
    fn devtools(&self, command: &str, parameters: &Value) -> Value {
        let body = json!({ "cmd": command, "params": parameters });
        self.wait(self.client.issue_cmd(Post::new("goog/cdp/execute", &body)))
    }

    fn find(&self, css: &str) -> Element {
        let found =
            async { self.client.wait().at_most(ELEMENT_TIMEOUT).every(POLL_INTERVAL).for_element(Locator::Css(css)).await };
        match self.runtime.block_on(found) {
            Ok(element) => element,
            Err(error) => panic!("there is no {css}: {error}"),
        }
    }

    fn wait<T>(&self, what: impl Future<Output = Result<T, CmdError>>) -> T {
        let done = self.runtime.block_on(async { tokio::time::timeout(COMMAND_TIMEOUT, what).await });
        done.expect("the browser answers in time").unwrap_or_else(|error| panic!("the browser can't do it: {error}"))
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // Chromium ends with its session; an error here means that it has ended already.
        let close = self.client.clone().close();
        let _ended = self.runtime.block_on(async { tokio::time::timeout(CLOSE_TIMEOUT, close).await });
    }
}
