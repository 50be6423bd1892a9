//! How likely an opponent is to use each placement.

use std::collections::HashMap;
use std::fmt;

use broadside_rules::{Layout, ParsePlacementError, Placement, Rules};
use rustc_hash::FxHashMap;

use crate::Touching;

/// A weight for each placement, and a factor for each pair of ships that touch; a layout is as likely as the product of all.
///
/// The text form has a line for each placement that differs from 1: the placement and its weight, such as `A1-A5 2.5`; and for pairs of
/// ships `side 0.5` and `corner 0.9`. Blank lines and what follows a `#` are ignored.
///
/// ```
/// use broadside_odds::PlacementWeights;
/// use broadside_rules::Preset;
/// let rules = Preset::Classic.rules();
/// let weights = PlacementWeights::parse(&rules, "A1-A5 2.5  # likes the upper edge\nJ1-J5 0")?;
/// assert_eq!(weights.get("A1-A5".parse().unwrap()), 2.5);
/// assert_eq!(weights.get("B1-B5".parse().unwrap()), 1.0);
/// assert_eq!(PlacementWeights::parse(&rules, &weights.to_string())?, weights);
/// # Ok::<(), broadside_odds::ParseWeightsError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlacementWeights {
    by_placement: FxHashMap<Placement, f64>,
    touching: Touching,
}

/// Weights are never NaN.
impl Eq for PlacementWeights {}

/// The text is not a table of weights. Lines are counted from 1.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ParseWeightsError {
    /// A line is not a placement and a number.
    #[error("line {0}: write a placement and its weight, such as A1-A5 2.5")]
    Line(usize),
    /// The placement can't be read.
    #[error("line {line}")]
    Placement {
        /// The line.
        line: usize,
        /// What is wrong with it.
        source: ParsePlacementError,
    },
    /// The weight is negative or not a number.
    #[error("line {0}: a weight is a number that is not negative")]
    Weight(usize),
    /// No ship of the fleet can lie there.
    #[error("line {line}: no ship of the fleet can lie on {placement}")]
    NoSuchPlacement {
        /// The line.
        line: usize,
        /// The placement.
        placement: Placement,
    },
    /// The placement stood in an earlier line.
    #[error("line {line}: {placement} has a weight already")]
    Repeated {
        /// The line.
        line: usize,
        /// The placement.
        placement: Placement,
    },
}

impl PlacementWeights {
    /// Every placement weighs 1.
    pub fn uniform() -> Self {
        Self::default()
    }

    /// The weight of a placement.
    pub fn get(&self, placement: Placement) -> f64 {
        self.by_placement.get(&placement).copied().unwrap_or(1.0)
    }

    /// Sets the weight of a placement. What is negative or not a number counts as 0.
    pub fn set(&mut self, placement: Placement, weight: f64) {
        self.by_placement.insert(placement, if weight.is_finite() { weight.max(0.0) } else { 0.0 });
    }

    /// The factors for ships that touch.
    pub fn touching(&self) -> Touching {
        self.touching
    }

    /// The same weights with these factors for ships that touch. What is negative or not a number counts as 0.
    #[must_use]
    pub fn with_touching(self, touching: Touching) -> Self {
        let clean = |factor: f64| if factor.is_finite() { factor.max(0.0) } else { 0.0 };
        Self { touching: Touching { side: clean(touching.side), corner: clean(touching.corner) }, ..self }
    }

    /// The weight of a layout of these ships.
    pub fn of_ships(&self, ships: &[Placement]) -> f64 {
        ships.iter().map(|&ship| self.get(ship)).product::<f64>() * self.touching.factor(ships)
    }

    /// Reads the text form.
    ///
    /// # Errors
    /// At the first line that can't be read or names a placement that the rules don't know.
    pub fn parse(rules: &Rules, text: &str) -> Result<Self, ParseWeightsError> {
        let mut weights = Self::uniform();
        for (line, text) in (1..).zip(text.lines()) {
            let words: Vec<&str> = text.split('#').next().unwrap_or("").split_whitespace().take(3).collect();
            match words[..] {
                [] => {}
                ["side", factor] => weights.touching.side = number(line, factor)?,
                ["corner", factor] => weights.touching.corner = number(line, factor)?,
                [placement, weight] => weights.read(rules, line, placement, weight)?,
                _ => return Err(ParseWeightsError::Line(line)),
            }
        }
        Ok(weights)
    }

    fn read(&mut self, rules: &Rules, line: usize, placement: &str, weight: &str) -> Result<(), ParseWeightsError> {
        let placement: Placement = placement.parse().map_err(|source| ParseWeightsError::Placement { line, source })?;
        let weight = number(line, weight)?;
        if !rules.has_room_for(placement) || rules.fleet().count(placement.length()) == 0 {
            return Err(ParseWeightsError::NoSuchPlacement { line, placement });
        }
        match self.by_placement.insert(placement, weight) {
            None => Ok(()),
            Some(_) => Err(ParseWeightsError::Repeated { line, placement }),
        }
    }

    /// Weights learned from an opponent's past layouts: how often each placement was used, against how often it would be
    /// if all placements of its length were alike. `prior` is the number of imagined layouts, all placements alike, that
    /// are added so that what was never seen stays possible.
    ///
    /// ```
    /// use broadside_odds::PlacementWeights;
    /// use broadside_rules::{Draft, Rules};
    ///
    /// let rules: Rules = "1x3 2 allowed ship".parse()?;
    /// let layout = "A1-A2".parse::<Draft>()?.check(&rules).into_layout().expect("a legal layout");
    /// // Three games with the ship at the left end, and one imagined game in which both ends are alike.
    /// let weights = PlacementWeights::learn(&rules, [&layout, &layout, &layout], 1.0);
    /// let [left, right] = ["A1-A2".parse()?, "A2-A3".parse()?].map(|ship| weights.get(ship));
    /// // Used 3.5 times of 4 and 0.5 times of 4, where 2 of 4 would be no preference.
    /// assert_eq!((left, right), (1.75, 0.25));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn learn<'a>(rules: &Rules, layouts: impl IntoIterator<Item = &'a Layout>, prior: f64) -> Self {
        let mut uses: HashMap<Placement, f64> = HashMap::new();
        let mut seen = 0.0;
        for layout in layouts {
            seen += 1.0;
            layout.ships().iter().for_each(|ship| *uses.entry(*ship).or_default() += 1.0);
        }
        let mut weights = Self::uniform();
        for (length, count) in rules.fleet().classes() {
            let placements: Vec<Placement> = rules.placements(length).collect();
            let even = count as f64 / placements.len() as f64;
            for ship in placements {
                let seen_here = uses.get(&ship).copied().unwrap_or(0.0);
                weights.set(ship, (seen_here + prior * even) / ((seen + prior) * even));
            }
        }
        weights
    }
}

/// A weight or a factor of some line.
fn number(line: usize, text: &str) -> Result<f64, ParseWeightsError> {
    text.parse().ok().filter(|w: &f64| w.is_finite() && *w >= 0.0).ok_or(ParseWeightsError::Weight(line))
}

impl fmt::Display for PlacementWeights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let factors = [("side", self.touching.side), ("corner", self.touching.corner)];
        for (word, factor) in factors.iter().filter(|(_, factor)| (factor - 1.0).abs() > 0.0) {
            writeln!(f, "{word} {factor}")?;
        }
        let mut lines: Vec<(&Placement, &f64)> = self.by_placement.iter().collect();
        lines.sort_unstable_by_key(|(placement, _)| **placement);
        lines.iter().try_for_each(|(placement, weight)| writeln!(f, "{placement} {weight}"))
    }
}
