//! Keys without a letter, as [`Browser::keys`](crate::Browser::keys) types them (`WebDriver`, section “Keyboard actions”).

/// Tabulator.
pub const TAB: &str = "\u{E004}";
/// Enter.
pub const ENTER: &str = "\u{E007}";
/// Escape.
pub const ESCAPE: &str = "\u{E00C}";
/// Space bar.
pub const SPACE: &str = "\u{E00D}";
/// End.
pub const END: &str = "\u{E010}";
/// Home.
pub const HOME: &str = "\u{E011}";
/// Left arrow.
pub const LEFT: &str = "\u{E012}";
/// Up arrow.
pub const UP: &str = "\u{E013}";
/// Right arrow.
pub const RIGHT: &str = "\u{E014}";
/// Down arrow.
pub const DOWN: &str = "\u{E015}";
