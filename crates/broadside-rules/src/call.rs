//! What the defender calls out.

use crate::text::word_enum;

/// What the defender calls out beyond hit or miss.
///
/// ```
/// use broadside_rules::Call;
/// assert_eq!("every".parse(), Ok(Call::Every));
/// assert_eq!(Call::default(), Call::Ship);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Call {
    /// Nothing: a sinking hit is called like any other.
    Silent,
    /// That a ship sank, not which.
    Bare,
    /// The length of the ship that sank.
    #[default]
    Ship,
    /// The length of the ship on every hit, and that it sank.
    Every,
}

word_enum!(Call, ParseCallError, "a call", {
    Silent => "silent",
    Bare => "bare",
    Ship => "ship",
    Every => "every",
});

impl Call {
    /// Whether sinkings are announced at all.
    pub const fn announces_sinking(self) -> bool {
        !matches!(self, Self::Silent)
    }

    /// Whether the announcement of a sinking names the ship's length.
    pub const fn names_the_sunk(self) -> bool {
        matches!(self, Self::Ship | Self::Every)
    }
}
