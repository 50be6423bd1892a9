//! The rules that people play by.

use crate::text::word_enum;
use crate::{Call, Rocks, Rules, RulesBuilder, Salvo, Touch};

/// Rules that people play by.
///
/// ```
/// use broadside_rules::{Call, Preset};
/// let rules = Preset::Classic.rules();
/// assert_eq!(rules.to_string(), "10x10 5,4,3,3,2 allowed ship");
/// let silent = Preset::Classic.builder().with_call(Call::Silent).build()?;
/// assert_eq!(silent.to_string(), "10x10 5,4,3,3,2 allowed silent");
/// # Ok::<(), broadside_rules::FitError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Preset {
    /// 10x10; 5,4,3,3,2; ships may touch; the length is called on sinking.
    #[default]
    Classic,
    /// 10x10; 4,3,3,2,2,2,1,1,1,1; ships never touch; the length is called on sinking.
    Russian,
    /// 8x8; 4,3,2; ships may touch; the length is called on sinking.
    Sploosh,
    /// The classic game among six rocks.
    Reef,
    /// The classic game with a shot for each own ship afloat, answered after the turn.
    Salvo,
}

word_enum!(Preset, ParsePresetError, "a preset", {
    Classic => "classic",
    Russian => "russian",
    Sploosh => "sploosh",
    Reef => "reef",
    Salvo => "salvo",
});

impl Preset {
    /// The rules of that name.
    ///
    /// # Panics
    /// Never: a test builds each of them.
    pub fn rules(self) -> Rules {
        self.builder().build().expect("a fleet that fits")
    }

    /// The parts of these rules, to override some of them.
    ///
    /// # Panics
    /// Never: a test builds each of them.
    pub fn builder(self) -> RulesBuilder {
        let (grid, fleet, touch, rocks) = match self {
            Self::Classic | Self::Salvo => ("10x10", "5,4,3,3,2", Touch::Allowed, "none"),
            Self::Russian => ("10x10", "4,3,3,2,2,2,1,1,1,1", Touch::Never, "none"),
            Self::Sploosh => ("8x8", "4,3,2", Touch::Allowed, "none"),
            Self::Reef => ("10x10", "5,4,3,3,2", Touch::Allowed, "C3,C8,E5,F6,H3,H8"),
        };
        let builder = RulesBuilder::new(grid.parse().expect("a grid"), fleet.parse().expect("a fleet"), touch, Call::Ship);
        let salvo = if self == Self::Salvo { "ships" } else { "1" };
        builder.with_rocks(rocks.parse::<Rocks>().expect("rocks")).with_salvo(salvo.parse::<Salvo>().expect("shots a turn"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn presets_build_and_round_trip_by_name_and_in_full() {
        for &preset in Preset::ALL {
            let rules = preset.rules();
            assert_eq!(preset.to_string().parse::<Rules>(), Ok(rules.clone()));
            assert_eq!(rules.to_string().parse::<Rules>(), Ok(rules));
        }
    }
}
