//! What the browser pretends to be.

use std::path::Path;

use serde_json::{Map, Value, json};

/// Size of the screen, colours and scripts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    width: u32,
    height: u32,
    phone: bool,
    colours: Colours,
    language: Option<&'static str>,
    scripts: bool,
    still: bool,
}

/// The colours that a reader prefers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Colours {
    Light,
    Dark,
    /// Those of the system, for contrast.
    Forced,
}

/// What Chromium needs to run without a window and to leave the network and other profiles alone.
const FLAGS: [&str; 9] = [
    "--headless",
    "--hide-scrollbars",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
];

impl Look {
    /// A window on a desktop.
    pub const fn desktop() -> Self {
        Self { width: 1280, height: 900, phone: false, colours: Colours::Light, language: None, scripts: true, still: false }
    }

    /// A phone held upright, touched with fingers.
    pub const fn phone() -> Self {
        Self { width: 390, height: 844, phone: true, colours: Colours::Light, language: None, scripts: true, still: false }
    }

    /// Another size, in pixels.
    #[must_use]
    pub const fn sized(self, width: u32, height: u32) -> Self {
        Self { width, height, ..self }
    }

    /// The same for a reader who prefers dark pages.
    #[must_use]
    pub const fn dark(self) -> Self {
        Self { colours: Colours::Dark, ..self }
    }

    /// The same for a reader whose system sets the colours, for contrast.
    #[must_use]
    pub const fn forced_colours(self) -> Self {
        Self { colours: Colours::Forced, ..self }
    }

    /// The same for a reader of this language, such as `de-DE`.
    #[must_use]
    pub const fn speaking(self, language: &'static str) -> Self {
        Self { language: Some(language), ..self }
    }

    /// The same for a reader who wants nothing to move.
    #[must_use]
    pub const fn still(self) -> Self {
        Self { still: true, ..self }
    }

    /// The same with the colours of another.
    pub(crate) const fn coloured_as(self, other: Self) -> Self {
        Self { colours: other.colours, ..self }
    }

    /// Whether a browser that has one look can be given the other.
    pub(crate) fn is_same_device(self, other: Self) -> bool {
        let size = |look: Self| look.phone.then_some(look.size());
        let device = |look: Self| (size(look), look.language, look.scripts);
        device(self) == device(other)
    }

    /// The same for a reader who has switched scripts off.
    #[must_use]
    pub const fn without_scripts(self) -> Self {
        Self { scripts: false, ..self }
    }

    pub(crate) const fn size(self) -> (u32, u32) {
        (self.width, self.height)
    }

    pub(crate) const fn is_phone(self) -> bool {
        self.phone
    }

    /// The features that the page's styles may ask for.
    pub(crate) fn media(self) -> Value {
        let scheme = if self.colours == Colours::Dark { "dark" } else { "light" };
        let forced = if self.colours == Colours::Forced { "active" } else { "none" };
        let motion = if self.still { "reduce" } else { "no-preference" };
        json!([
            { "name": "prefers-color-scheme", "value": scheme },
            { "name": "forced-colors", "value": forced },
            { "name": "prefers-reduced-motion", "value": motion },
        ])
    }

    pub(crate) const fn language(self) -> Option<&'static str> {
        self.language
    }

    pub(crate) const fn has_scripts(self) -> bool {
        self.scripts
    }

    /// What to ask of chromedriver, with a new profile in this folder.
    pub(crate) fn capabilities(self, profile: &Path) -> Map<String, Value> {
        let own = [format!("--user-data-dir={}", profile.display()), format!("--window-size={},{}", self.width, self.height)];
        let mut options = json!({ "args": FLAGS.map(str::to_owned).into_iter().chain(own).collect::<Vec<_>>() });
        if let Some(chromium) = std::env::var_os("CHROMIUM") {
            options["binary"] = json!(chromium.to_string_lossy());
        }
        if self.phone {
            let screen = json!({ "width": self.width, "height": self.height, "pixelRatio": 2.0, "touch": true, "mobile": true });
            options["mobileEmulation"] = json!({ "deviceMetrics": screen });
        }
        let mut capabilities = Map::new();
        capabilities.insert("goog:chromeOptions".to_owned(), options);
        capabilities.insert("goog:loggingPrefs".to_owned(), json!({ "browser": "SEVERE" }));
        capabilities
    }
}
