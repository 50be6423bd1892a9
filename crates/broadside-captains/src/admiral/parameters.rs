//! The numbers that the admiral is tuned by, and what they mean.

use broadside_rules::ShotLog;

use crate::ships_left::ShipsLeft;

/// How many stages a game has: one for each number of ships left, the last for all larger numbers too.
pub const STAGES: usize = 5;

/// How many kinds of longest ships left have numbers of their own: up to three, four, and from five on.
pub const LONGEST: usize = 3;

/// How many lengths have weights of their own: two to five. Shorter ships have those of two, longer ones those of five.
pub const LENGTHS: usize = 4;

/// The numbers for one stage of the game.
///
/// A cell's score in the hunt starts with the placements through it, each times the weight of its length. Shares of the
/// scores of the cells around it are added. Then it is multiplied by a factor for the shots fired around it, for edges and
/// for the pattern.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StageParameters {
    /// A length with `n` placements left weighs n/(n + this): lengths with few places to be can wait.
    pub few: f32,
    /// What a placement of each length weighs.
    pub length: [f32; LENGTHS],
    /// The share of the four cells beside.
    pub beside: f32,
    /// The share of the four cells at the corners.
    pub corner: f32,
    /// The share of the four cells two steps away.
    pub second: f32,
    /// The share of the eight cells a knight's move away.
    pub knight: f32,
    /// The factor's part for being on the pattern.
    pub pattern: f32,
    /// The factor's part for each cell beside that was fired at.
    pub fired_beside: f32,
    /// The factor's part for each cell at a corner that was fired at.
    pub fired_corner: f32,
    /// The factor's part for each cell two steps away that was fired at.
    pub fired_second: f32,
    /// The factor's part for each edge that the cell lies on.
    pub edge: f32,
    /// The factor's part for each edge that the cell lies one step from.
    pub near_edge: f32,
    /// With a ship hit: what the hunt's score counts for beside the chance of a hit.
    pub hunt_share: f32,
    /// With a ship hit: what a placement of each length weighs.
    pub target_length: [f32; LENGTHS],
    /// With a ship hit: as `few`.
    pub target_few: f32,
}

/// The index of a length's weights.
pub(crate) fn length_index(length: usize) -> usize {
    length.clamp(2, LENGTHS + 1) - 2
}

impl StageParameters {
    /// Weighs placements as `density` does, and settles ties of the target by the hunt.
    pub const PLAIN: Self = Self {
        few: 0.0,
        length: [1.0; LENGTHS],
        beside: 0.0,
        corner: 0.0,
        second: 0.0,
        knight: 0.0,
        pattern: 0.0,
        fired_beside: 0.0,
        fired_corner: 0.0,
        fired_second: 0.0,
        edge: 0.0,
        near_edge: 0.0,
        hunt_share: 1e-4,
        target_length: [1.0; LENGTHS],
        target_few: 0.0,
    };

    /// The stage with these numbers, in the order of the fields.
    pub const fn from_array(n: [f32; 21]) -> Self {
        Self {
            few: n[0],
            length: [n[1], n[2], n[3], n[4]],
            beside: n[5],
            corner: n[6],
            second: n[7],
            knight: n[8],
            pattern: n[9],
            fired_beside: n[10],
            fired_corner: n[11],
            fired_second: n[12],
            edge: n[13],
            near_edge: n[14],
            hunt_share: n[15],
            target_length: [n[16], n[17], n[18], n[19]],
            target_few: n[20],
        }
    }

    /// Whether shots fired around a cell, edges or knight's moves count.
    #[inline(always)]
    pub(crate) fn looks_at_shots(&self) -> bool {
        let shots = [self.fired_beside, self.fired_corner, self.fired_second];
        let others = [self.edge, self.near_edge, self.knight];
        shots.iter().chain(&others).any(|&number| number != 0.0)
    }

    /// Its numbers with their names, to be changed.
    pub fn numbers(&mut self) -> Vec<(String, &mut f32)> {
        let single = [
            ("few", &mut self.few),
            ("beside", &mut self.beside),
            ("corner", &mut self.corner),
            ("second", &mut self.second),
            ("knight", &mut self.knight),
            ("pattern", &mut self.pattern),
            ("fired_beside", &mut self.fired_beside),
            ("fired_corner", &mut self.fired_corner),
            ("fired_second", &mut self.fired_second),
            ("edge", &mut self.edge),
            ("near_edge", &mut self.near_edge),
            ("hunt_share", &mut self.hunt_share),
            ("target_few", &mut self.target_few),
        ];
        let mut all: Vec<(String, &mut f32)> = single.into_iter().map(|(name, number)| (name.to_owned(), number)).collect();
        for (name, numbers) in [("length", &mut self.length), ("target_length", &mut self.target_length)] {
            all.extend(numbers.iter_mut().enumerate().map(|(i, number)| (format!("{name}{}", i + 2), number)));
        }
        all
    }
}

/// The numbers for each stage of the game.
///
/// ```
/// use broadside_captains::admiral::{Parameters, with_parameters};
///
/// // No pattern while two ships are left.
/// let mut parameters = Parameters::default();
/// for (name, number) in parameters.numbers() {
///     if name.starts_with('2') && name.ends_with(".pattern") {
///         *number = 0.0;
///     }
/// }
/// assert_eq!(with_parameters(&"classic".parse()?, parameters).name(), "admiral");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Parameters {
    /// By the number of ships left, from one on: first while a ship of length two or less is left, then while none is. For each of them, by the
    /// longest ship left.
    pub stages: [[[StageParameters; LONGEST]; 2]; STAGES],
}

/// A change of the admiral's numbers that can't be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "‘{0}’ changes no number of the admiral: a change is its name and a value, as in ‘admiral?pattern=0.5’ or ‘admiral?2s.few=3:beside=0’"
)]
pub struct BadChange(String);

impl Parameters {
    /// The parameters of a captain that weighs as `density` does.
    pub const PLAIN: Self = Self { stages: [[[StageParameters::PLAIN; LONGEST]; 2]; STAGES] };

    /// The number of the stage while these ships are left.
    #[inline(always)]
    pub(crate) fn stage_number(left: &ShipsLeft) -> usize {
        let mut ships = 0;
        for &(_, count) in left.all_classes() {
            ships += count;
        }
        let kind = 2 * (ships.clamp(1, STAGES) - 1) + usize::from(left.shortest() > 2);
        LONGEST * kind + left.longest().clamp(3, LONGEST + 2) - 3
    }

    /// What the names of the numbers begin with that count in a position of this log, as in [`Parameters::numbers`].
    ///
    /// ```
    /// use broadside_captains::admiral::Parameters;
    /// use broadside_rules::ShotLog;
    ///
    /// let rules = "classic".parse()?;
    /// assert_eq!(Parameters::stage_name(&ShotLog::new(&rules)), "5s5");
    /// assert_eq!(Parameters::stage_name(&ShotLog::parse(&rules, "A1+ A2#2")?), "4l5");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn stage_name(log: &ShotLog) -> String {
        let mut left = ShipsLeft::new(log.rules().fleet());
        for length in log.shots().iter().filter(|shot| shot.answer.is_sunk()).filter_map(|shot| shot.answer.length()) {
            left.remove(length.get());
        }
        Self::names().swap_remove(Self::stage_number(&left))
    }

    /// The stage of this name.
    pub(crate) fn named(&mut self, name: &str) -> &mut StageParameters {
        let number = Self::names().iter().position(|stage| stage == name).expect("the name of a stage");
        &mut self.stages.as_flattened_mut().as_flattened_mut()[number]
    }

    /// The names of the stages in their order.
    fn names() -> Vec<String> {
        let mut names: Vec<String> = (1..=STAGES).map(|ships| ships.to_string()).collect();
        for kinds in [&["s", "l"][..], &["3", "4", "5"]] {
            names = names.iter().flat_map(|name| kinds.iter().map(move |kind| format!("{name}{kind}"))).collect();
        }
        names
    }

    /// All stages in their order.
    #[inline(always)]
    pub(crate) fn all(&self) -> &[StageParameters] {
        self.stages.as_flattened().as_flattened()
    }

    /// The stage of this number.
    #[inline(always)]
    pub(crate) fn stage(&self, number: usize) -> &StageParameters {
        &self.all()[number]
    }

    /// All numbers with their names, to be changed: ships left, `s` for short or `l` for long, the longest ship left (3 to
    /// 5), and the field.
    pub fn numbers(&mut self) -> Vec<(String, &mut f32)> {
        let stages = self.stages.as_flattened_mut().as_flattened_mut();
        let named = |(stage, numbers): (String, _)| {
            let name = move |(name, number)| (format!("{stage}.{name}"), number);
            StageParameters::numbers(numbers).into_iter().map(name)
        };
        Self::names().into_iter().zip(stages).flat_map(named).collect()
    }

    /// Changes numbers: `pattern=0.5` in every stage, `2s.pattern=0.5` while two ships are left with a short one among them, `2s4.pattern=0.5`
    /// while the longer one is of length four. Several changes are joined by colons.
    ///
    /// ```
    /// use broadside_captains::admiral::Parameters;
    ///
    /// let mut parameters = Parameters::default();
    /// parameters.change("pattern=0.5:2s.few=3")?;
    /// assert_eq!((parameters.stages[4][1][0].pattern, parameters.stages[1][0][2].few), (0.5, 3.0));
    /// assert!(parameters.change("patern=0.5").is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When a change has no value that is finite, or names no number.
    pub fn change(&mut self, changes: &str) -> Result<(), BadChange> {
        changes.split(':').try_for_each(|change| self.change_one(change))
    }

    fn change_one(&mut self, change: &str) -> Result<(), BadChange> {
        let bad = || BadChange(change.chars().take(64).collect());
        let (name, value) = change.split_once('=').ok_or_else(bad)?;
        let value = value.parse().ok().filter(|value: &f32| value.is_finite()).ok_or_else(bad)?;
        let mut numbers = self.numbers();
        let (stages, field) = name.split_once('.').unwrap_or(("", name));
        numbers.retain(|(full, _)| full.split_once('.').is_some_and(|(stage, own)| own == field && stage.starts_with(stages)));
        if numbers.is_empty() {
            return Err(bad());
        }
        for (_, number) in numbers {
            *number = value;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use broadside_rules::Preset;
    use proptest::prelude::*;

    use super::*;
    use crate::{CaptainError, captain};

    #[test]
    fn a_name_with_changes_makes_an_admiral_of_that_name() {
        let rules = Preset::Classic.rules();
        for name in ["admiral?pattern=0", "admiral?2s.few=3:beside=-0.5", "admiral?2s4.few=3", "admiral?edge=1e-3?err=0.25"] {
            assert_eq!(captain(name, &rules).unwrap().name(), name);
        }
        for name in ["admiral?", "admiral?pattern", "admiral?patern=0", "admiral?pattern=", "admiral?few=1:", "admiral?few=NaN"] {
            assert!(matches!(captain(name, &rules), Err(CaptainError::Change(_))), "{name}");
        }
        assert!(matches!(captain("density?pattern=0", &rules), Err(CaptainError::Unknown(_))));
    }

    proptest! {
        #[test]
        fn a_change_sets_the_numbers_that_it_names_and_no_others(which in 0..21_usize, stage in 0..2 * STAGES, longest in 3..6_usize, value in -9.0_f32..9.0) {
            let mut stage_numbers = StageParameters::PLAIN;
            let field = stage_numbers.numbers()[which].0.clone();
            let kind = format!("{}{}", stage / 2 + 1, ["s", "l"][stage % 2]);
            for prefix in [String::new(), format!("{kind}."), format!("{kind}{longest}.")] {
                let mut parameters = Parameters::default();
                parameters.change(&format!("{prefix}{field}={value}")).unwrap();
                for ((name, before), (_, after)) in Parameters::default().numbers().iter().zip(parameters.numbers()) {
                    let (stage, named) = name.split_once('.').unwrap();
                    let in_stage = prefix.is_empty() || stage.starts_with(prefix.trim_end_matches('.'));
                    let expected = if named == field && in_stage { value } else { **before };
                    prop_assert_eq!(after.to_bits(), expected.to_bits());
                }
            }
        }

        #[test]
        fn no_text_panics(text in "\\PC{0,20}|[a-z_0-9.]{0,6}[=:][-0-9.eE]{0,6}") {
            let _ = Parameters::default().change(&text);
        }
    }
}
