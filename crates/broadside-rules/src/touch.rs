//! How close ships may lie.

use crate::text::word_enum;

/// How close ships may lie to each other.
///
/// ```
/// use broadside_rules::Touch;
/// assert_eq!("never".parse(), Ok(Touch::Never));
/// assert_eq!(Touch::Corners.to_string(), "corners");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Touch {
    /// Ships may lie side by side.
    #[default]
    Allowed,
    /// Ships may meet at corners but not along sides.
    Corners,
    /// Ships meet neither at sides nor at corners.
    Never,
}

word_enum!(Touch, ParseTouchError, "a touch rule", {
    Allowed => "allowed",
    Corners => "corners",
    Never => "never",
});

impl Touch {
    /// Whether ships may meet along sides.
    pub const fn allows_sides(self) -> bool {
        match self {
            Self::Allowed => true,
            Self::Corners | Self::Never => false,
        }
    }

    /// Whether ships may meet at corners.
    pub const fn allows_corners(self) -> bool {
        match self {
            Self::Allowed | Self::Corners => true,
            Self::Never => false,
        }
    }
}
