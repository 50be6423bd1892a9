//! Random layouts of some rules.
//!
//! Three methods draw uniformly, and which one is used changes the cost and nothing else:
//!
//! - **rejection** draws all ships and starts over when two don't go together. It needs no tables, and on most boards
//!   a few attempts;
//! - a **census** lists small or tight boards completely;
//! - **exact sampling** draws from the tables of the transfer engine, on tight boards of any size that these allow.
//!
//! Rejection always comes first, even where it has failed before: the layout depends on the generator alone, not on what
//! was dealt earlier. Where it fails, the choice depends on the rules alone.

use std::sync::{Arc, OnceLock};

use broadside_rules::{Census, CensusError, Layout, RejectionSampler, Rules, ShotLog, Stop, Stopped};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{Rng, RngExt, SeedableRng};

use crate::transfer::{SweepSampler, layout};
use crate::{Budget, OutOfReach, PlacementWeights, Problem, Touching, estimate_until};

/// Attempts of rejection before anything else. A classic layout takes 2.6 on average, a russian one some two thousand.
const FIRST_ATTEMPTS: u32 = 20_000;

/// Attempts of rejection before dealing gives up, where nothing else is in reach: seconds.
const LAST_ATTEMPTS: u32 = 30_000_000;

/// Where rejection is expected to take no more attempts than this, it goes on: they take a third of a second, and tables
/// of a large board may take longer.
const WORTHWHILE_ATTEMPTS: f64 = 1e6;

/// Attempts between two looks at whether to stop: some milliseconds.
const ATTEMPTS_AT_ONCE: u32 = 10_000;

/// Positions of a census.
const CENSUS_POSITIONS: usize = 300_000;

/// Memory for the tables of exact sampling. They are kept as long as the dealer.
const TABLES: Budget = Budget { bytes: 256 << 20, steps: 0 };

/// Draws for the estimate of how many attempts rejection takes.
const ESTIMATE_SAMPLES: u64 = 1000;

/// No layout was dealt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DealError {
    /// The board is too tight to deal from.
    #[error("the board is too tight: no layout came up in {attempts} attempts")]
    TooTight {
        /// How many attempts were made.
        attempts: u32,
    },
    /// The work was stopped.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

/// Deals random layouts of some rules.
///
/// Keep one and use it again. Clones share the tables that tight boards need.
///
/// ```
/// use broadside_odds::Dealer;
/// use broadside_rules::Preset;
/// use rand::SeedableRng;
///
/// let mut rng = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(1);
/// let mut dealer = Dealer::new(&Preset::Russian.rules());
/// let layout = dealer.uniform(&mut rng)?;
/// assert_eq!(layout.cells().len(), 20);
/// # Ok::<(), broadside_odds::DealError>(())
/// ```
#[derive(Clone)]
pub struct Dealer {
    rules: Rules,
    rejection: RejectionSampler,
    /// What is used where the first attempts of rejection fail; made when that happens.
    tight: Arc<OnceLock<TightMethod>>,
    tables: Budget,
    /// The factors for ships that touch, of [`Dealer::weighted`].
    touching: Touching,
    stop: Stop,
}

/// How to deal on a board on which rejection takes many attempts.
enum TightMethod {
    Census(Box<Census>),
    /// Draws from a sweep one at a time, so that a layout depends on its own generator alone.
    Exact(Box<SweepSampler>),
    MoreAttempts,
}

impl Dealer {
    /// A dealer for these rules.
    pub fn new(rules: &Rules) -> Self {
        let rejection = RejectionSampler::new(rules);
        Self {
            rules: rules.clone(),
            rejection,
            tight: Arc::default(),
            tables: TABLES,
            touching: Touching::EITHER,
            stop: Stop::never(),
        }
    }

    /// The same dealer, which gives up when it is asked to stop.
    ///
    /// ```
    /// use broadside_odds::{DealError, Dealer};
    /// use broadside_rules::{Preset, Stop};
    /// use rand::SeedableRng;
    ///
    /// let (stop, mut rng) = (Stop::new(), rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(1));
    /// let mut dealer = Dealer::new(&Preset::Classic.rules()).until(&stop);
    /// assert!(dealer.uniform(&mut rng).is_ok());
    /// stop.stop();
    /// assert!(matches!(dealer.uniform(&mut rng), Err(DealError::Stopped(_))));
    /// ```
    #[must_use]
    pub fn until(self, stop: &Stop) -> Self {
        Self { stop: stop.clone(), ..self }
    }

    /// The same dealer with so much memory for its tables. On boards that need them, the layouts depend on whether they
    /// fit.
    #[must_use]
    pub fn with_budget(self, tables: Budget) -> Self {
        Self { tables, tight: Arc::default(), ..self }
    }

    /// A layout drawn uniformly: every legal layout is equally likely. The same generator gives the same layout.
    ///
    /// # Errors
    /// When the board is so tight that no method finds a layout, or when the dealer is stopped.
    pub fn uniform(&mut self, rng: &mut impl Rng) -> Result<Layout, DealError> {
        if let Some(layout) = self.reject(FIRST_ATTEMPTS, rng)? {
            return Ok(layout);
        }
        self.tight_deal(rng)?.ok_or(DealError::TooTight { attempts: FIRST_ATTEMPTS + LAST_ATTEMPTS })
    }

    /// A layout on a board on which the first attempts have failed.
    fn tight_deal(&mut self, rng: &mut impl Rng) -> Result<Option<Layout>, Stopped> {
        Ok(match self.tight_method()? {
            TightMethod::Census(census) => census.draw(rng),
            TightMethod::Exact(sampler) => sampler.draw(rng, 1).pop().map(|ships| layout(&self.rules, ships)),
            TightMethod::MoreAttempts => self.reject(LAST_ATTEMPTS, rng)?,
        })
    }

    /// A layout dealt as many published simulations do it: one ship after the other, longest first, each drawn again
    /// until it fits; all are taken up again when one has no place left. Not uniform.
    ///
    /// ```
    /// use broadside_odds::Dealer;
    /// use rand::SeedableRng;
    ///
    /// // Two ships of 2 in a row of 5 have three layouts. The one with the gap in the middle comes up in a quarter of the
    /// // games instead of a third: a first ship at an end has two places for the second, elsewhere only one.
    /// let mut dealer = Dealer::new(&"1x5 2,2 allowed ship".parse()?);
    /// let mut rng = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(1);
    /// let mut gaps = 0;
    /// for _ in 0..3000 {
    ///     gaps += u32::from(dealer.sequential(&mut rng)?.to_string() == "A1-A2 A4-A5");
    /// }
    /// assert!((650..850).contains(&gaps), "{gaps} of 3000");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the board is so tight that no layout comes up, or when the dealer is stopped.
    pub fn sequential(&mut self, rng: &mut impl Rng) -> Result<Layout, DealError> {
        for _ in 0..FIRST_ATTEMPTS {
            self.stop.check()?;
            if let Some(layout) = self.rejection.sequential(1, rng) {
                return Ok(layout);
            }
        }
        Err(DealError::TooTight { attempts: FIRST_ATTEMPTS })
    }

    /// The same dealer, for [`Dealer::weighted`].
    #[must_use]
    pub fn with_weights(self, weights: &PlacementWeights) -> Self {
        Self { rejection: self.rejection.with_weights(|ship| weights.get(ship)), touching: weights.touching(), ..self }
    }

    /// A layout of somebody with these habits: as likely as its weight. Uniform if there are no weights.
    ///
    /// ```
    /// use broadside_odds::{Dealer, PlacementWeights};
    /// use broadside_rules::Rules;
    /// use rand::SeedableRng;
    ///
    /// let rules: Rules = "1x4 2 allowed ship".parse()?;
    /// let mut dealer = Dealer::new(&rules).with_weights(&PlacementWeights::parse(&rules, "A1-A2 0\nA2-A3 0")?);
    /// let mut rng = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(1);
    /// assert_eq!(dealer.weighted(&mut rng)?.to_string(), "A3-A4");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the board is so tight that no layout comes up, or when the dealer is stopped.
    pub fn weighted(&mut self, rng: &mut impl Rng) -> Result<Layout, DealError> {
        for _ in 0..LAST_ATTEMPTS.div_ceil(ATTEMPTS_AT_ONCE) {
            self.stop.check()?;
            let layout = self.rejection.weighted(ATTEMPTS_AT_ONCE, rng);
            if let Some(layout) = layout.filter(|layout| self.is_kept(layout, rng)) {
                return Ok(layout);
            }
        }
        Err(DealError::TooTight { attempts: LAST_ATTEMPTS })
    }

    /// Whether a layout is kept that was drawn by the weights of its placements: as often as its factor for ships that touch says.
    fn is_kept(&self, layout: &Layout, rng: &mut impl Rng) -> bool {
        let touching = self.touching;
        touching.is_either() || rng.random::<f64>() * touching.most(layout.ships().len()) < touching.factor(layout.ships())
    }

    fn reject(&mut self, attempts: u32, rng: &mut impl Rng) -> Result<Option<Layout>, Stopped> {
        for _ in 0..attempts.div_ceil(ATTEMPTS_AT_ONCE) {
            self.stop.check()?;
            if let Some(layout) = self.rejection.uniform(ATTEMPTS_AT_ONCE, rng) {
                return Ok(Some(layout));
            }
        }
        Ok(None)
    }

    fn tight_method(&self) -> Result<&TightMethod, Stopped> {
        if self.tight.get().is_none() {
            let method = TightMethod::choose(&self.rules, self.tables, &self.stop)?;
            // Another clone may have been faster; both have chosen the same.
            _ = self.tight.set(method);
        }
        Ok(self.tight.get().expect("it has just been set"))
    }
}

impl TightMethod {
    /// The cheapest method for these rules.
    fn choose(rules: &Rules, tables: Budget, stop: &Stop) -> Result<Self, Stopped> {
        match Census::new_until(rules, CENSUS_POSITIONS, stop.clone()) {
            Ok(census) => return Ok(Self::Census(Box::new(census))),
            Err(CensusError::Stopped(stopped)) => return Err(stopped),
            Err(_) => {}
        }
        if expected_attempts(rules, stop)?.is_some_and(|attempts| attempts <= WORTHWHILE_ATTEMPTS) {
            return Ok(Self::MoreAttempts);
        }
        match SweepSampler::new(&Problem::for_rules(rules), &tables.until(stop)) {
            Ok(Some(sampler)) => Ok(Self::Exact(Box::new(sampler))),
            Err(OutOfReach::Stopped) => Err(Stopped),
            Ok(None) | Err(_) => Ok(Self::MoreAttempts),
        }
    }
}

/// How many attempts rejection takes on average, from an estimate of the number of layouts that depends on the rules
/// alone; `None` when the estimate finds no layout.
fn expected_attempts(rules: &Rules, stop: &Stop) -> Result<Option<f64>, Stopped> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(0);
    let estimated = estimate_until(&ShotLog::new(rules), ESTIMATE_SAMPLES, &mut rng, stop)?;
    // Ships of one length are drawn in any order, so a layout comes up in as many ways.
    let draws_for_each = rules.fleet().classes().flat_map(|(length, count)| {
        let places = rules.placements(length).count() as f64;
        (1..=count).map(move |ship| places / ship as f64)
    });
    let draws: f64 = draws_for_each.product();
    Ok(estimated.map(|estimated| draws / estimated.layouts().mean))
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::oracle;

    fn method(rules: &str) -> &'static str {
        match TightMethod::choose(&rules.parse().expect("rules"), TABLES, &Stop::never()).expect("nobody stops it") {
            TightMethod::Census(_) => "census",
            TightMethod::Exact(_) => "exact",
            TightMethod::MoreAttempts => "more attempts",
        }
    }

    #[test]
    fn the_method_for_a_tight_board_is_the_cheapest_in_reach() {
        assert_eq!(method("5x5 2,2,2,1,1,1,1 never ship"), "census");
        assert_eq!(method("russian"), "more attempts");
        assert_eq!(method("8x10 3,3,3,2,2,2,2,1,1,1,1,1,1,1,1,1,1 never ship"), "exact");
    }

    #[test]
    fn the_attempts_expected_are_those_that_the_number_of_layouts_gives() {
        // The russian board has 1,855,545,978,831,780 layouts; the ships have 140, 160, 180 and 100 places.
        let draws = 140.0 * 160_f64.powi(2) / 2.0 * 180_f64.powi(3) / 6.0 * 100_f64.powi(4) / 24.0;
        let exact = draws / 1_855_545_978_831_780.0;
        let estimate = expected_attempts(&"russian".parse().expect("a preset"), &Stop::never())
            .expect("nobody stops it")
            .expect("a roomy board");
        assert!((estimate / exact - 1.0).abs() < 0.2, "{estimate}, exact {exact}");
    }

    #[test]
    fn the_sweep_draws_every_layout_of_a_tight_board_with_the_same_chance() {
        let rules: Rules = "5x5 2,2,2,1,1,1,1 never ship".parse().expect("rules");
        let mut drawn: HashMap<String, f64> = HashMap::new();
        let list = oracle::each_layout(&rules, Budget::default(), &mut |layout| _ = drawn.insert(layout.to_string(), 0.0));
        list.expect("a small board");
        let sampler = SweepSampler::new(&Problem::for_rules(&rules), &TABLES.into()).expect("in reach").expect("some layout");
        let (mut dealer, mut rng) = (Dealer::new(&rules), Xoshiro256PlusPlus::seed_from_u64(3));
        assert!(dealer.tight.set(TightMethod::Exact(Box::new(sampler))).is_ok());
        for _ in 0..20 * drawn.len() {
            let layout = dealer.tight_deal(&mut rng).expect("nobody stops it").expect("a layout");
            *drawn.get_mut(&layout.to_string()).expect("a drawn layout is one of all") += 1.0;
        }
        let chi: f64 = drawn.values().map(|count| (count - 20.0).powi(2) / 20.0).sum();
        let freedom = drawn.len() as f64 - 1.0;
        // Five standard deviations above the mean of chi-square.
        assert!(chi < freedom + 5.0 * (2.0 * freedom).sqrt(), "{chi} over {} layouts", drawn.len());
    }

    #[test]
    fn a_stopped_dealer_deals_nothing() {
        let stop = Stop::new();
        let mut dealer = Dealer::new(&"classic".parse().expect("a preset")).until(&stop);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        assert!(dealer.uniform(&mut rng).is_ok() && dealer.sequential(&mut rng).is_ok());
        stop.stop();
        assert_eq!(dealer.uniform(&mut rng), Err(DealError::Stopped(Stopped)));
        assert_eq!(dealer.sequential(&mut rng), Err(DealError::Stopped(Stopped)));
    }
}
