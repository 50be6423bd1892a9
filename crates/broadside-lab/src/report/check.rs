//! From numbers to verdicts: every row of the report carries a rule, and the verdict follows from the numbers alone.

use std::fmt;

use num_rational::Ratio;
use serde::Serialize;

use super::text::{self, Unit};

/// How many standard errors a sample may be off: 99% of samples are off by less.
pub(super) const SIGMAS: f64 = 2.576;

/// A distribution whose test gives a smaller p-value than this is another one.
const LEAST_P: f64 = 0.01;

/// What came of setting a claim beside a measurement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The numbers agree.
    Reproduced,
    /// The numbers disagree, for a reason that leaves the claim standing, such as another machine.
    Differs,
    /// The numbers disagree.
    NotReproduced,
    /// Too few games to tell, or nothing could be measured.
    Undecided,
}

impl Verdict {
    /// Every verdict.
    pub const ALL: [Self; 4] = [Self::Reproduced, Self::Differs, Self::NotReproduced, Self::Undecided];

    /// It in words.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Reproduced => "reproduced",
            Self::Differs => "differs",
            Self::NotReproduced => "not reproduced",
            Self::Undecided => "undecided",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

/// A number from a sample.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sampled {
    /// The number.
    pub value: f64,
    /// Its standard error.
    pub std_err: f64,
}

/// A claim's number beside the measured one, and the rule by which they are compared.
#[derive(Clone, Debug, PartialEq)]
pub enum Check {
    /// Whole numbers, the same to the last digit.
    Same {
        /// The source's.
        source: u128,
        /// Ours.
        measured: u128,
    },
    /// Fractions, exactly equal.
    Exactly {
        /// The source's.
        source: Ratio<i128>,
        /// Ours.
        measured: Ratio<i128>,
    },
    /// Things that must all be as the source has them.
    All {
        /// How many there are.
        total: usize,
        /// How many agree.
        agree: usize,
        /// What they are.
        what: &'static str,
    },
    /// A number that the source has rounded: ours, rounded alike, is the same.
    Rounded {
        /// The source's.
        source: f64,
        /// Ours.
        measured: f64,
        /// How many decimals the source gives, in its unit.
        decimals: usize,
    },
    /// A number known in theory, and a sample of it no more than 2.58 standard errors away.
    Near {
        /// The source's.
        source: f64,
        /// Ours.
        measured: Sampled,
    },
    /// The interval around what was measured holds the source's number. Where the interval is wider than the number is
    /// large, holding it says nothing.
    Within {
        /// The source's.
        source: f64,
        /// Ours.
        measured: f64,
        /// The ends of the interval.
        interval: (f64, f64),
    },
    /// What many games never exceed. Fewer games than the source's can refute it and not confirm it.
    NeverAbove {
        /// The source's number.
        source: f64,
        /// Our largest.
        measured: f64,
        /// Whether we played as many games.
        as_many: bool,
    },
    /// More than a number, by more than chance explains.
    Above {
        /// The number.
        source: f64,
        /// Ours.
        measured: Sampled,
    },
    /// Nearly nothing: closer to 0 than a bound, chance included.
    Small {
        /// The bound.
        source: f64,
        /// Ours.
        measured: Sampled,
    },
    /// Exact numbers in falling order.
    Falling(Vec<(&'static str, f64)>),
    /// Sampled numbers in falling order, each apart from the next by more than chance explains.
    SampledFalling(Vec<(&'static str, Sampled)>),
    /// A time, or a ratio of times: no more than a tenth away.
    About {
        /// The source's.
        source: f64,
        /// Ours.
        measured: f64,
    },
    /// A test of a whole distribution against theory.
    Fits {
        /// The statistic.
        chi_square: f64,
        /// Degrees of freedom.
        freedom: usize,
        /// The chance of a statistic as large.
        p_value: f64,
    },
    /// Nothing to compare with.
    Unmeasured {
        /// The source's number.
        source: f64,
        /// Why there is none of ours.
        why: &'static str,
    },
}

impl Check {
    /// Whether the rule holds; `None` where the numbers can't tell.
    pub fn holds(&self) -> Option<bool> {
        match self {
            Self::Same { source, measured } => Some(source == measured),
            Self::Exactly { source, measured } => Some(source == measured),
            Self::All { total, agree, .. } => Some(total == agree && *total > 0),
            Self::Rounded { source, measured, decimals } => {
                Some(text::fixed(*source, *decimals) == text::fixed(*measured, *decimals))
            }
            Self::Near { source, measured } => Some((measured.value - source).abs() <= SIGMAS * measured.std_err),
            Self::Within { source, interval: (low, high), .. } => within(*source, *low, *high),
            Self::NeverAbove { source, measured, as_many } => (measured > source || *as_many).then_some(measured <= source),
            Self::Above { source, measured } => above(measured.value - source, measured.std_err),
            Self::Small { source, measured } => above(source - measured.value.abs(), measured.std_err),
            Self::Falling(values) => Some(values.windows(2).all(|pair| pair[0].1 > pair[1].1)),
            Self::SampledFalling(values) => falling(values),
            Self::About { source, measured } => Some((measured / source - 1.0).abs() <= 0.1),
            Self::Fits { p_value, .. } => Some(*p_value >= LEAST_P),
            Self::Unmeasured { .. } => None,
        }
    }

    /// What the source says.
    pub(super) fn source(&self, unit: Unit) -> String {
        match self {
            Self::Same { source, .. } => text::whole(*source),
            Self::Exactly { source, .. } => text::fraction(*source),
            Self::All { total, what, .. } => format!("all {} {what}", text::whole(*total as u128)),
            Self::Rounded { source, decimals, .. } => unit.show(*source, *decimals),
            Self::NeverAbove { source, .. } => format!("at most {}", unit.plain(*source)),
            Self::Above { source, .. } => format!("more than {}", unit.plain(*source)),
            Self::Small { source, .. } => format!("less than {} either way", unit.plain(*source)),
            Self::Falling(values) => names(values.iter().map(|(name, _)| *name)),
            Self::SampledFalling(values) => names(values.iter().map(|(name, _)| *name)),
            Self::Fits { .. } => "the closed form".to_owned(),
            Self::Near { source, .. }
            | Self::Within { source, .. }
            | Self::About { source, .. }
            | Self::Unmeasured { source, .. } => unit.plain(*source),
        }
    }

    /// What was measured.
    pub(super) fn measured(&self, unit: Unit) -> String {
        match self {
            Self::Same { measured, .. } => text::whole(*measured),
            Self::Exactly { measured, .. } => text::fraction(*measured),
            Self::All { total, agree, what } => {
                format!("{} of {} {what}", text::whole(*agree as u128), text::whole(*total as u128))
            }
            Self::Rounded { measured, decimals, .. } => unit.show(*measured, decimals + 2),
            Self::Near { measured, .. } | Self::Above { measured, .. } | Self::Small { measured, .. } => unit.sampled(*measured),
            Self::Within { measured, .. } | Self::NeverAbove { measured, .. } | Self::About { measured, .. } => {
                unit.plain(*measured)
            }
            Self::Falling(values) => list(values.iter().map(|&(name, value)| format!("{name} {}", unit.plain(value)))),
            Self::SampledFalling(values) => {
                list(values.iter().map(|&(name, value)| format!("{name} {} {}", unit.sampled(value), unit.error(value.std_err))))
            }
            Self::Fits { chi_square, freedom, p_value } => {
                format!("χ² = {chi_square:.2} with {freedom} degrees of freedom, p = {p_value:.3}")
            }
            Self::Unmeasured { why, .. } => (*why).to_owned(),
        }
    }

    /// The uncertainty of what was measured. Only whole numbers and fractions are called exact.
    pub(super) fn error(&self, unit: Unit) -> String {
        match self {
            Self::Near { measured, .. } | Self::Above { measured, .. } | Self::Small { measured, .. } => {
                unit.error(measured.std_err)
            }
            Self::Within { interval: (low, high), .. } => format!("{} to {}", unit.plain(*low), unit.plain(*high)),
            Self::SampledFalling(_) => "beside each".to_owned(),
            Self::NeverAbove { .. } | Self::About { .. } | Self::Unmeasured { .. } => "–".to_owned(),
            Self::Same { .. } | Self::Exactly { .. } => "exact".to_owned(),
            Self::All { .. } => "each was checked".to_owned(),
            Self::Rounded { .. } | Self::Falling(_) => "computed".to_owned(),
            Self::Fits { .. } => "the p-value".to_owned(),
        }
    }

    /// The rule in words.
    pub(super) const fn rule(&self) -> &'static str {
        match self {
            Self::Same { .. } => "the same whole number",
            Self::Exactly { .. } => "the same fraction",
            Self::All { .. } => "every one agrees",
            Self::Rounded { .. } => "the same when rounded as in the source",
            Self::Near { .. } => "within 2.58 standard errors",
            Self::Within { .. } => "in the 95% interval",
            Self::NeverAbove { .. } => "no larger, in as many cases",
            Self::Above { .. } => "larger by more than 2.58 standard errors",
            Self::Small { .. } => "smaller by more than 2.58 standard errors",
            Self::Falling(_) => "in falling order",
            Self::SampledFalling(_) => "in falling order, each 2.58 standard errors apart",
            Self::About { .. } => "within a tenth",
            Self::Fits { .. } => "p at least 0.01",
            Self::Unmeasured { .. } => "not measured",
        }
    }
}

/// An interval that leaves the number out refutes it; one as wide as the number is large can't confirm it.
fn within(source: f64, low: f64, high: f64) -> Option<bool> {
    let holds = (low..=high).contains(&source);
    (!holds || high - low <= source.abs()).then_some(holds)
}

/// Whether a difference is above 0; `None` within chance.
fn above(difference: f64, std_err: f64) -> Option<bool> {
    (difference.abs() > SIGMAS * std_err).then_some(difference > 0.0)
}

fn falling(values: &[(&str, Sampled)]) -> Option<bool> {
    let gap = |pair: &[(&str, Sampled)]| above(pair[0].1.value - pair[1].1.value, pair[0].1.std_err.hypot(pair[1].1.std_err));
    let gaps: Vec<Option<bool>> = values.windows(2).map(gap).collect();
    if gaps.contains(&Some(false)) { Some(false) } else { gaps.into_iter().collect::<Option<Vec<bool>>>().map(|_| true) }
}

fn names<'a>(names: impl Iterator<Item = &'a str>) -> String {
    names.collect::<Vec<_>>().join(" > ")
}

/// One a line.
fn list(items: impl Iterator<Item = String>) -> String {
    items.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sampled(value: f64, std_err: f64) -> Sampled {
        Sampled { value, std_err }
    }

    /// Each rule with numbers that keep it, numbers that break it, and, where there is such a thing, numbers that can't tell.
    #[test]
    fn every_rule_can_hold_and_can_fail() {
        let half = Ratio::new(1, 2);
        let all = |agree| Check::All { total: 3, agree, what: "cells" };
        let never = |measured, as_many| Check::NeverAbove { source: 73.0, measured, as_many };
        let within = |low, high| Check::Within { source: 42.0, measured: 44.0, interval: (low, high) };
        let rows = [
            (Check::Same { source: 17, measured: 17 }, Some(true)),
            (Check::Same { source: 17, measured: 18 }, Some(false)),
            (Check::Exactly { source: half, measured: Ratio::new(2, 4) }, Some(true)),
            (Check::Exactly { source: half, measured: Ratio::new(2, 3) }, Some(false)),
            (all(3), Some(true)),
            (all(2), Some(false)),
            (Check::All { total: 0, agree: 0, what: "cells" }, Some(false)),
            (Check::Rounded { source: 40.3, measured: 40.333, decimals: 1 }, Some(true)),
            (Check::Rounded { source: 40.3, measured: 40.36, decimals: 1 }, Some(false)),
            (Check::Near { source: 1.0, measured: sampled(1.025, 0.01) }, Some(true)),
            (Check::Near { source: 1.0, measured: sampled(1.026, 0.01) }, Some(false)),
            (within(42.0, 45.0), Some(true)),
            (within(43.0, 45.0), Some(false)),
            (within(0.0, 45.0), None),
            (never(73.0, true), Some(true)),
            (never(74.0, true), Some(false)),
            (never(74.0, false), Some(false)),
            (never(70.0, false), None),
            (Check::About { source: 2.0, measured: 2.19 }, Some(true)),
            (Check::About { source: 2.0, measured: 2.21 }, Some(false)),
            (Check::Fits { chi_square: 1.0, freedom: 1, p_value: 0.3 }, Some(true)),
            (Check::Fits { chi_square: 9.0, freedom: 1, p_value: 0.003 }, Some(false)),
            (Check::Unmeasured { source: 1.0, why: "no device" }, None),
        ];
        for (check, expected) in rows {
            assert_eq!(check.holds(), expected, "{check:?}");
        }
    }

    #[test]
    fn differences_within_chance_decide_nothing() {
        let above = |value| Check::Above { source: 0.0, measured: sampled(value, 0.1) }.holds();
        assert_eq!([0.3, 0.2, -0.2, -0.3].map(above), [Some(true), None, None, Some(false)]);
        let small = |value| Check::Small { source: 1.0, measured: sampled(value, 0.1) }.holds();
        assert_eq!([-0.5, 0.9, 1.1, -1.5].map(small), [Some(true), None, None, Some(false)]);
    }

    #[test]
    fn an_order_fails_with_its_first_pair_the_wrong_way_round() {
        assert_eq!(Check::Falling(vec![("a", 3.0), ("b", 2.0), ("c", 1.0)]).holds(), Some(true));
        assert_eq!(Check::Falling(vec![("a", 3.0), ("b", 3.0)]).holds(), Some(false));
        let order =
            |values: &[f64]| Check::SampledFalling(values.iter().map(|&value| ("x", sampled(value, 0.1))).collect()).holds();
        assert_eq!(order(&[3.0, 2.0, 1.0]), Some(true));
        assert_eq!(order(&[3.0, 2.0, 2.1]), None);
        assert_eq!(order(&[3.0, 3.1, 4.0]), Some(false));
    }
}
