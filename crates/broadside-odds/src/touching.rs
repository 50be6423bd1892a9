//! Whether an opponent likes ships to touch.

use broadside_rules::{Placement, Touch};

/// How much more or less likely a layout is for each pair of its ships that touch.
///
/// ```
/// use broadside_odds::Touching;
/// // Two ships side by side, and a third that touches the second at a corner.
/// let ships = ["A1-A3".parse()?, "B1-B2".parse()?, "C3-D3".parse()?];
/// assert_eq!(Touching::pairs(&ships), (1, 1));
/// assert_eq!(Touching { side: 0.5, corner: 3.0 }.factor(&ships), 1.5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Touching {
    /// The factor for a pair with cells side by side.
    pub side: f64,
    /// The factor for a pair that touches at corners alone.
    pub corner: f64,
}

impl Default for Touching {
    fn default() -> Self {
        Self::EITHER
    }
}

impl Touching {
    /// Ships touch as often as chance has it.
    pub const EITHER: Self = Self { side: 1.0, corner: 1.0 };

    /// Whether it makes no difference.
    pub fn is_either(self) -> bool {
        self == Self::EITHER
    }

    /// How many pairs of these ships lie side by side, and how many touch at corners alone.
    pub fn pairs(ships: &[Placement]) -> (u32, u32) {
        let (mut sides, mut corners) = (0, 0);
        for (i, &one) in ships.iter().enumerate() {
            for &other in &ships[i + 1..] {
                match () {
                    () if one.compatible(other, Touch::Never) => {}
                    () if one.compatible(other, Touch::Corners) => corners += 1,
                    () => sides += 1,
                }
            }
        }
        (sides, corners)
    }

    /// The factor of a layout of these ships.
    pub fn factor(self, ships: &[Placement]) -> f64 {
        let (sides, corners) = Self::pairs(ships);
        power(self.side, sides) * power(self.corner, corners)
    }

    /// A number that no layout of so many ships has more than.
    pub(crate) fn most(self, ships: usize) -> f64 {
        power(self.side.max(self.corner).max(1.0), (ships * ships.saturating_sub(1) / 2) as u32)
    }
}

fn power(base: f64, exponent: u32) -> f64 {
    base.powi(i32::try_from(exponent).unwrap_or(i32::MAX))
}
