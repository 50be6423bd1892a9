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
mod shared;

use std::cell::Cell;
use std::fs;
use std::future::Future;
use std::path::Path;
use std::time::{Duration, Instant};

use fantoccini::actions::{InputSource, MOUSE_BUTTON_LEFT, MouseActions, PointerAction};
use fantoccini::elements::Element;
use fantoccini::error::{CmdError, ErrorStatus, WebDriver};
use fantoccini::{Client, ClientBuilder, Locator};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use command::Post;
use driver::{Driver, INSTALL};
pub use look::Look;
pub use shared::Shared;

/// How long the browser may take for one command; longer than any takes on a busy machine.
const COMMAND_TIMEOUT: Duration = Duration::from_secs(30);
/// How often Chromium is started before it counts as missing.
const START_TRIES: u32 = 3;
/// How long Chromium may take to start.
const START_TIMEOUT: Duration = Duration::from_secs(60);
/// How long to wait for an element that is missing, covered or moving, and for a page to become what is expected.
const PAGE_TIMEOUT: Duration = Duration::from_secs(60);
/// How long Chromium may take to end.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(10);
/// Time between two looks at a page that is waited for.
const POLL_INTERVAL: Duration = Duration::from_millis(25);

/// A browser with one page.
pub struct Browser {
    runtime: Runtime,
    client: Client,
    look: Cell<Look>,
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
/// All of them, when the browser can't do it within a minute.
impl Browser {
    /// Starts a browser.
    ///
    /// # Panics
    /// When Chromium or chromedriver is missing or doesn't start, with what to do about it.
    pub fn start(look: Look) -> Self {
        let mut tries = 1;
        let browser = loop {
            match Self::try_start(look) {
                Ok(browser) => break browser,
                // On a busy machine Chromium may give up where it succeeds a moment later.
                Err(_) if tries < START_TRIES => tries += 1,
                Err(why) => panic!("Chromium doesn't start ({why}): {INSTALL}"),
            }
        };
        browser.apply(look);
        browser
    }

    fn try_start(look: Look) -> Result<Self, String> {
        let driver = Driver::start();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        let capabilities = look.capabilities(driver.profile());
        let connected = runtime.block_on(async {
            let connect =
                async { ClientBuilder::new(HttpConnector::new()).capabilities(capabilities).connect(&driver.address()).await };
            tokio::time::timeout(START_TIMEOUT, connect).await
        });
        let client = connected.map_err(|_| "it takes too long".to_owned())?.map_err(|error| error.to_string())?;
        Ok(Self { runtime, client, look: Cell::new(look), _driver: driver })
    }

    fn apply(&self, look: Look) {
        self.look.set(look);
        if !look.is_phone() {
            let (width, height) = look.size();
            self.wait(self.client.set_window_size(width, height));
        }
        self.set_colours(look);
        if let Some(language) = look.language() {
            self.set_language(language);
        }
        if !look.has_scripts() {
            self.devtools("Emulation.setScriptExecutionDisabled", &json!({ "value": true }));
        }
    }

    /// Changes the colours that the reader prefers; all else of the look stays.
    pub fn set_colours(&self, look: Look) {
        self.look.set(self.look.get().coloured_as(look));
        self.devtools("Emulation.setEmulatedMedia", &json!({ "features": self.look.get().media() }));
    }

    /// Changes the reader's language, such as `de-DE`, for the pages that are opened from now on.
    pub fn set_language(&self, language: &'static str) {
        self.look.set(self.look.get().speaking(language));
        let agent = self.script("return navigator.userAgent");
        self.devtools("Emulation.setUserAgentOverride", &json!({ "userAgent": agent, "acceptLanguage": language }));
    }

    /// Forgets all that pages of an origin, such as `http://127.0.0.1:1805`, have kept.
    pub fn forget(&self, origin: &str) {
        self.devtools("Storage.clearDataForOrigin", &json!({ "origin": origin, "storageTypes": "all" }));
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

    /// Clicks in the middle of an element, once it stands still and nothing covers it.
    pub fn click(&self, css: &str) {
        self.with(css, async |element| {
            self.stand_still(&element).await?;
            element.click().await
        });
    }

    /// Waits until neither an element nor anything that it is in moves, so that a click doesn't go where it has been.
    async fn stand_still(&self, element: &Element) -> Result<(), CmdError> {
        let argument = serde_json::to_value(element).expect("a reference is plain data");
        self.client.execute(STAND_STILL, vec![argument]).await.map(drop)
    }

    /// Types into an element; [`key`] has the keys without a letter.
    pub fn keys(&self, css: &str, keys: &str) {
        self.with(css, async |element| element.send_keys(keys).await);
    }

    /// Types wherever the focus is.
    pub fn type_keys(&self, keys: &str) {
        self.retry("the focus", async || self.client.active_element().await?.send_keys(keys).await);
    }

    /// Drags with the mouse from the middle of one element to the middle of another.
    pub fn drag(&self, from: &str, to: &str) {
        let glide = Some(Duration::from_millis(50));
        let over = |element| PointerAction::MoveToElement { element, duration: glide, x: 0.0, y: 0.0 };
        self.retry(from, async || {
            let mouse = MouseActions::new("mouse".to_owned())
                .then(over(self.client.find(Locator::Css(from)).await?))
                .then(PointerAction::Down { button: MOUSE_BUTTON_LEFT })
                .then(over(self.client.find(Locator::Css(to)).await?))
                .then(PointerAction::Up { button: MOUSE_BUTTON_LEFT });
            self.client.perform_actions(mouse).await
        });
    }

    /// The text of an element as a reader sees it.
    pub fn text(&self, css: &str) -> String {
        self.with(css, async |element| element.text().await)
    }

    /// An attribute of an element.
    pub fn attribute(&self, css: &str, name: &str) -> Option<String> {
        self.with(css, async |element| element.attr(name).await)
    }

    /// A style of an element, as the browser has computed it.
    pub fn style(&self, css: &str, property: &str) -> String {
        self.with(css, async |element| element.css_value(property).await)
    }

    /// Whether there is such an element, and a reader can see it.
    pub fn is_visible(&self, css: &str) -> bool {
        self.retry(css, async || match self.client.find(Locator::Css(css)).await {
            Ok(element) => element.is_displayed().await,
            Err(error) if error.is_no_such_element() => Ok(false),
            Err(error) => Err(error),
        })
    }

    /// How many elements fit the selector.
    pub fn count(&self, css: &str) -> usize {
        self.wait(self.client.find_all(Locator::Css(css))).len()
    }

    /// Where an element is.
    pub fn rectangle(&self, css: &str) -> Rectangle {
        let (x, y, width, height) = self.with(css, async |element| element.rectangle().await);
        Rectangle { x, y, width, height }
    }

    /// What a script returns.
    pub fn script(&self, script: &str) -> Value {
        self.wait(self.client.execute(script, Vec::new()))
    }

    /// Waits until an expression is true on the page. One that fails, since a part of the page is missing, isn't true yet.
    #[track_caller]
    pub fn wait_until(&self, expression: &str) {
        let script = WAIT_A_SECOND.replace("EXPRESSION", expression);
        let end = Instant::now() + PAGE_TIMEOUT;
        loop {
            // A page that is being left may fail to answer.
            let told = self.run(self.client.execute(&script, Vec::new()));
            if told.as_ref().is_ok_and(|value| *value == true) {
                return;
            }
            assert!(Instant::now() < end, "{expression} did not become true in time: {told:?}");
            if told.is_err() {
                std::thread::sleep(POLL_INTERVAL);
            }
        }
    }

    /// By how many pixels the page is wider than the window: 0 when nobody has to scroll sideways.
    pub fn overflow(&self) -> i64 {
        // Not the window's inner width: on a phone that grows with a page that is too wide.
        let excess = self.script("return Math.ceil(document.documentElement.scrollWidth - document.documentElement.clientWidth)");
        excess.as_i64().expect("a number").max(0)
    }

    /// A picture of what the window shows, as PNG.
    pub fn screenshot(&self) -> Vec<u8> {
        self.wait(self.client.screenshot())
    }

    /// The pixels of elements in a picture of the window, row by row: red, green, blue and alpha of each.
    pub fn pixels(&self, parts: &[&str]) -> Vec<Vec<u8>> {
        let picture = self.devtools("Page.captureScreenshot", &json!({}))["data"].take();
        let cut = self.wait(self.client.execute(CUT_OUT, vec![picture, json!(parts)]));
        serde_json::from_value(cut).expect("lists of bytes")
    }

    /// What Chromium misses before it offers to install the page; nothing, if it does.
    pub fn installability_errors(&self) -> Vec<String> {
        let told = self.devtools("Page.getInstallabilityErrors", &json!({}));
        let errors = told["installabilityErrors"].as_array().expect("a list of errors");
        errors.iter().map(|error| error["errorId"].as_str().unwrap_or_default().to_owned()).collect()
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

    /// Does something with an element.
    #[track_caller]
    fn with<T>(&self, css: &str, act: impl AsyncFn(Element) -> Result<T, CmdError>) -> T {
        self.retry(css, async || act(self.client.find(Locator::Css(css)).await?).await)
    }

    /// Tries until what stands in the way has passed.
    #[track_caller]
    fn retry<T>(&self, what: &str, act: impl AsyncFn() -> Result<T, CmdError>) -> T {
        let end = Instant::now() + PAGE_TIMEOUT;
        loop {
            match self.run(act()) {
                Ok(value) => return value,
                Err(error) if passes(&error) && Instant::now() < end => std::thread::sleep(POLL_INTERVAL),
                Err(error) => panic!("the browser can't do it with {what}: {error}"),
            }
        }
    }

    #[track_caller]
    fn wait<T>(&self, what: impl Future<Output = Result<T, CmdError>>) -> T {
        self.run(what).unwrap_or_else(|error| panic!("the browser can't do it: {error}"))
    }

    #[track_caller]
    fn run<T>(&self, what: impl Future<Output = Result<T, CmdError>>) -> Result<T, CmdError> {
        let done = self.runtime.block_on(async { tokio::time::timeout(COMMAND_TIMEOUT, what).await });
        done.expect("the browser answers in time")
    }
}

/// Looks at an expression for up to a second, and tells what it is then. The page looks by itself, since a question from here costs
/// more than what it asks for.
const WAIT_A_SECOND: &str = "return new Promise((tell) => {
        const end = Date.now() + 1000;
        const value = () => {
            try {
                return Boolean(EXPRESSION);
            } catch (error) {
                return String(error);
            }
        };
        const look = () => {
            const now = value();
            if (now === true || Date.now() > end) tell(now);
            else setTimeout(look, 15);
        };
        look();
    })";

/// Cuts elements out of a picture of the window, which the page itself unpacks.
const CUT_OUT: &str = "const [picture, parts] = arguments;
    const bytes = Uint8Array.from(atob(picture), (byte) => byte.charCodeAt(0));
    return createImageBitmap(new Blob([bytes], { type: 'image/png' })).then((image) => {
        const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d');
        canvas.drawImage(image, 0, 0);
        return parts.map((css) => {
            const { x, y, width, height } = document.querySelector(css).getBoundingClientRect();
            const place = [x, y, width, height].map((length) => Math.round(length * devicePixelRatio));
            return [...canvas.getImageData(...place).data];
        });
    })";

/// Waits for the end of all movements of an element and of what it is in, but for those without an end.
const STAND_STILL: &str = "const [part] = arguments;
    const moves = ({ effect }) => effect.target?.contains(part) && effect.getComputedTiming().endTime < Infinity;
    return Promise.allSettled(document.getAnimations().filter(moves).map(({ finished }) => finished)).then(() => true)";

/// Whether an error goes away by itself: the element isn't there yet, is being replaced, fades in, or something passes over it.
fn passes(error: &CmdError) -> bool {
    let CmdError::Standard(WebDriver { error, .. }) = error else { return false };
    matches!(
        error,
        ErrorStatus::NoSuchElement
            | ErrorStatus::StaleElementReference
            | ErrorStatus::ElementNotInteractable
            | ErrorStatus::ElementClickIntercepted
            | ErrorStatus::MoveTargetOutOfBounds
    )
}

impl Drop for Browser {
    fn drop(&mut self) {
        // Chromium ends with its session; an error here means that it has ended already.
        let close = self.client.clone().close();
        let _ended = self.runtime.block_on(async { tokio::time::timeout(CLOSE_TIMEOUT, close).await });
    }
}
