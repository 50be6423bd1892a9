//! The text form of an equilibrium: all that is needed to check both sides of its proof.

use std::fmt;

use super::Equilibrium;

/// ```text
/// broadside equilibrium 1
/// 1x3 2 allowed ship
/// lower 5/2
/// upper 5/2
/// hider 1/2 A1-A2
/// hider 1/2 A2-A3
/// shooter 1
/// A2 +
/// A1 - #2
/// A3 #2
/// ```
///
/// A line `hider` has the probability of a layout and the layout. A line `shooter` has the probability of a play, and the lines
/// after it are its table, as in the text of a `Policy`. The shooter plays it with the board turned or reflected at random.
impl fmt::Display for Equilibrium {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "broadside equilibrium 1\n{}", self.rules)?;
        writeln!(f, "lower {}\nupper {}", self.lower, self.upper)?;
        for class in &self.hider {
            class.layouts.iter().try_for_each(|layout| writeln!(f, "hider {} {layout}", class.chance))?;
        }
        for (chance, policy) in &self.shooter {
            writeln!(f, "shooter {chance}")?;
            policy.write_nodes(f)?;
        }
        Ok(())
    }
}
