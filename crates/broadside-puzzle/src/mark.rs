//! What a revealed cell shows.

use std::fmt;

use broadside_rules::{Cell, Layout, Orientation, Placement};

/// What a revealed cell shows: water, or which part of a ship.
///
/// ```
/// use broadside_puzzle::Mark;
/// assert_eq!(Mark::Left.symbol(), '<');
/// // Other programs and papers use letters.
/// assert_eq!(['L', 'C', 'W', 'M'].map(Mark::from_symbol), [Some(Mark::Left), Some(Mark::Single), Some(Mark::Water), Some(Mark::Middle)]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mark {
    /// No ship.
    Water,
    /// A whole ship of length 1.
    Single,
    /// A cell of a ship between two others of it.
    Middle,
    /// The upper end of a ship.
    Top,
    /// The lower end of a ship.
    Bottom,
    /// The left end of a ship.
    Left,
    /// The right end of a ship.
    Right,
    /// A ship, without a word on which part of it.
    Ship,
}

impl Mark {
    /// Every mark.
    pub const ALL: &'static [Self] =
        &[Self::Water, Self::Single, Self::Middle, Self::Top, Self::Bottom, Self::Left, Self::Right, Self::Ship];

    /// Its word, as programs have it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Water => "water",
            Self::Single => "single",
            Self::Middle => "middle",
            Self::Top => "top",
            Self::Bottom => "bottom",
            Self::Left => "left",
            Self::Right => "right",
            Self::Ship => "ship",
        }
    }

    /// The character for it.
    pub const fn symbol(self) -> char {
        match self {
            Self::Water => '~',
            Self::Single => 'o',
            Self::Middle => 'm',
            Self::Top => '^',
            Self::Bottom => 'v',
            Self::Left => '<',
            Self::Right => '>',
            Self::Ship => 'x',
        }
    }

    /// The mark for a character: [`Mark::symbol`], or one of the letters that other programs use, in either case.
    pub const fn from_symbol(symbol: char) -> Option<Self> {
        Some(match symbol.to_ascii_lowercase() {
            '~' | 'w' => Self::Water,
            'o' | 's' | 'c' | '@' => Self::Single,
            'm' => Self::Middle,
            '^' | 't' => Self::Top,
            'v' | 'b' => Self::Bottom,
            '<' | 'l' => Self::Left,
            '>' | 'r' => Self::Right,
            'x' | '#' => Self::Ship,
            _ => return None,
        })
    }

    /// What this cell of the layout shows when it is revealed.
    pub fn of(layout: &Layout, cell: Cell) -> Self {
        layout.ship_at(cell).map_or(Self::Water, |ship| Self::part(ship, cell))
    }

    fn part(ship: Placement, cell: Cell) -> Self {
        let horizontal = ship.orientation() == Orientation::Horizontal;
        match (ship.length().get(), cell == ship.bow(), cell == ship.stern()) {
            (1, ..) => Self::Single,
            (_, true, _) => {
                if horizontal {
                    Self::Left
                } else {
                    Self::Top
                }
            }
            (_, _, true) => {
                if horizontal {
                    Self::Right
                } else {
                    Self::Bottom
                }
            }
            _ => Self::Middle,
        }
    }

    /// What it says of the cells above, below, left and right of it: ship or not. `None` where it says nothing.
    pub(crate) const fn sides(self) -> Option<[bool; 4]> {
        match self {
            Self::Single => Some([false; 4]),
            Self::Top => Some([false, true, false, false]),
            Self::Bottom => Some([true, false, false, false]),
            Self::Left => Some([false, false, false, true]),
            Self::Right => Some([false, false, true, false]),
            Self::Water | Self::Middle | Self::Ship => None,
        }
    }

    /// The words for it in a sentence.
    pub(crate) const fn words(self) -> &'static str {
        match self {
            Self::Water => "water",
            Self::Single => "a ship of one cell",
            Self::Middle => "the middle of a ship",
            Self::Top => "the upper end of a ship",
            Self::Bottom => "the lower end of a ship",
            Self::Left => "the left end of a ship",
            Self::Right => "the right end of a ship",
            Self::Ship => "a ship",
        }
    }
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.symbol())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_symbol_is_read_as_the_mark_that_prints_it() {
        for &mark in Mark::ALL {
            assert_eq!(Mark::from_symbol(mark.symbol()), Some(mark));
        }
        assert_eq!(['.', '0', ' ', 'é'].map(Mark::from_symbol), [None; 4]);
    }
}
