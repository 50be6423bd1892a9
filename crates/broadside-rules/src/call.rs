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
    /// Whether a sinking hit is told apart from other hits.
    pub const fn tells_sinking(self) -> bool {
        match self {
            Self::Silent => false,
            Self::Bare | Self::Ship | Self::Every => true,
        }
    }

    /// Whether the length of a ship is told when it sinks.
    pub const fn tells_length_on_sinking(self) -> bool {
        match self {
            Self::Silent | Self::Bare => false,
            Self::Ship | Self::Every => true,
        }
    }

    /// Whether the length of the ship is told on every hit, sinking or not.
    pub const fn tells_length_on_hit(self) -> bool {
        match self {
            Self::Silent | Self::Bare | Self::Ship => false,
            Self::Every => true,
        }
    }
}
