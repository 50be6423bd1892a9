//! Hiders by name: who chooses the layouts that captains play on.

mod approximate;
mod judged_hiding;
mod search;

use std::fmt;
use std::sync::Arc;

use broadside_captains::{CaptainError, GameRng, Registry};
use broadside_odds::{Budget, DealError, Dealer, OutOfReach, PlacementWeights, Transfer};
use broadside_rules::{Layout, Placement, Rules, ShotLog, Stopped, Touch};
use broadside_solve::{Equilibrium, SolveError};
use num_traits::ToPrimitive;
use sha2::{Digest, Sha256};

pub use self::approximate::{HARD_TO_FIND, approximate_equilibrium};
pub use self::judged_hiding::{HidingJudge, JudgedHiding};
pub use self::search::{Effort, JudgedLayout, LayoutSearch, judge, with_a_ship_moved, with_ships_moved};
use crate::hex;

/// A hider's name, and what it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HiderInfo {
    /// The name.
    pub name: &'static str,
    /// What it does, in a line.
    pub about: &'static str,
}

const fn info(name: &'static str, about: &'static str) -> HiderInfo {
    HiderInfo { name, about }
}

/// All hiders that need nothing but the rules. Besides them, `against:CAPTAIN` hides from a captain. `equilibrium` is solved on boards that take
/// a moment, and approximate on all others: see [`Hider::is_approximate`].
pub const HIDERS: &[HiderInfo] = &[
    info("uniform", "every legal layout is equally likely"),
    info("sequential", "one ship after the other, longest first, each where it fits; as published simulations deal"),
    info("people", "as people do on average: along the edges and in the corners, away from the centre"),
    info("edges", "a layout is twice as likely for every cell of it on the edge"),
    info("apart", "uniform layouts in which no two ships touch"),
    info("clustered", "of sixteen uniform layouts the one whose ships are closest together"),
    info(EQUILIBRIUM, "the best mix against a shooter who knows it, on boards with few layouts; approximate on others"),
];

/// What stands before the captain's name in the name of a hider that was made against it.
const AGAINST: &str = "against:";

/// The hider who plays the best mix of a small board, or something like it.
const EQUILIBRIUM: &str = "equilibrium";

/// The layouts of a board at most for its best mix: those are solved in seconds.
const EQUILIBRIUM_LAYOUTS: usize = 100;

/// Uniform layouts of which `clustered` takes one.
const CLUSTERED_OF: usize = 16;

/// Uniform layouts after which `apart` takes the one with the fewest pairs that touch.
const APART_TRIES: usize = 2000;

/// There is no such hider.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum HiderError {
    /// The name is unknown.
    #[error("there is no hider ‘{0}’; the hiders are {names}, and against:CAPTAIN", names = HIDERS.iter().map(|hider| hider.name).collect::<Vec<_>>().join(", "))]
    Unknown(String),
    /// There is no such captain to hide from.
    #[error(transparent)]
    Captain(#[from] CaptainError),
    /// The equilibrium can't be found.
    #[error(transparent)]
    Solve(#[from] SolveError),
    /// No layouts can be dealt.
    #[error(transparent)]
    Deal(#[from] DealError),
    /// Whoever asked has said to stop.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

/// Somebody who chooses layouts. It knows the rules, and never the shots to come.
///
/// ```
/// use broadside_captains::{GameRng, Registry};
/// use broadside_lab::Hider;
/// use broadside_odds::Dealer;
/// use broadside_rules::{Preset, Touch};
/// use rand::SeedableRng;
///
/// let rules = Preset::Classic.rules();
/// let apart = Hider::new("apart", &rules, &Registry::new(), Default::default())?;
/// let layout = apart.deal(&mut apart.dealer(Dealer::new(&rules)), &mut GameRng::seed_from_u64(1))?;
/// let [first, second] = [layout.ships()[0], layout.ships()[1]];
/// assert!(first.compatible(second, Touch::Never));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Hider {
    name: String,
    method: Method,
}

#[derive(Clone, Debug, PartialEq)]
enum Method {
    Uniform,
    Sequential,
    Weighted(Arc<PlacementWeights>),
    Apart,
    Clustered,
    /// Any of these, each equally likely.
    Pool(Arc<[Layout]>),
    /// Layouts, each with the sum of its probability and those before it.
    Mix(Arc<[(f64, Layout)]>),
}

/// Weights and probabilities are never NaN.
impl Eq for Hider {}

impl Hider {
    /// The hider of that name. One that is against a captain looks for layouts now, with this effort.
    ///
    /// # Errors
    /// When there is no such hider or captain, or when the board is too tight to deal from.
    pub fn new(name: &str, rules: &Rules, registry: &Registry, effort: Effort) -> Result<Self, HiderError> {
        let method = match name {
            "uniform" => Method::Uniform,
            "sequential" => Method::Sequential,
            "people" => Method::Weighted(PlacementWeights::people(rules).into()),
            "edges" => Method::Weighted(PlacementWeights::edges(rules).into()),
            "apart" => Method::Apart,
            "clustered" => Method::Clustered,
            EQUILIBRIUM => equilibrium(rules)?,
            _ => Self::against(name, rules, registry, effort)?,
        };
        Ok(Self { name: name.to_owned(), method })
    }

    fn against(name: &str, rules: &Rules, registry: &Registry, effort: Effort) -> Result<Method, HiderError> {
        let Some(captain) = name.strip_prefix(AGAINST) else {
            return Err(HiderError::Unknown(name.chars().take(64).collect()));
        };
        let found = LayoutSearch::new(captain, rules, registry, effort)?.run()?;
        Ok(Method::Pool(found.into_iter().map(|judged| judged.layout).collect()))
    }

    /// A hider who uses each of these layouts equally often.
    ///
    /// # Panics
    /// When there are none.
    pub fn from_layouts(name: impl Into<String>, layouts: impl IntoIterator<Item = Layout>) -> Self {
        let layouts: Arc<[Layout]> = layouts.into_iter().collect();
        assert!(!layouts.is_empty(), "a hider needs layouts");
        Self { name: name.into(), method: Method::Pool(layouts) }
    }

    /// A hider with these habits.
    pub fn from_weights(name: impl Into<String>, weights: PlacementWeights) -> Self {
        Self { name: name.into(), method: Method::Weighted(weights.into()) }
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether it only comes near what its name says: `equilibrium` on a board that is too large to solve. There it draws layouts by
    /// [weights](approximate_equilibrium) that were searched for.
    ///
    /// ```
    /// use broadside_captains::Registry;
    /// use broadside_lab::{Effort, Hider};
    /// let hider = |rules: &str| Hider::new("equilibrium", &rules.parse().unwrap(), &Registry::new(), Effort::default()).unwrap();
    /// assert!(hider("classic").is_approximate());
    /// assert!(!hider("2x3 2 allowed ship").is_approximate());
    /// ```
    pub fn is_approximate(&self) -> bool {
        self.name == EQUILIBRIUM && matches!(self.method, Method::Weighted(_))
    }

    /// The dealer as this hider needs it.
    #[must_use]
    pub fn dealer(&self, dealer: Dealer) -> Dealer {
        match &self.method {
            Method::Weighted(weights) => dealer.with_weights(weights),
            _ => dealer,
        }
    }

    /// A layout. The dealer must be one that [`Hider::dealer`] has made.
    ///
    /// # Errors
    /// When the board is too tight to deal from, or the dealer is stopped.
    pub fn deal(&self, dealer: &mut Dealer, rng: &mut GameRng) -> Result<Layout, DealError> {
        match &self.method {
            Method::Uniform => dealer.uniform(rng),
            Method::Sequential => dealer.sequential(rng),
            Method::Weighted(_) => dealer.weighted(rng),
            Method::Apart => least_of(APART_TRIES, touching, || dealer.uniform(rng)),
            Method::Clustered => least_of(CLUSTERED_OF, |layout| 1 + spread(layout), || dealer.uniform(rng)),
            Method::Pool(layouts) => Ok(layouts[rand::RngExt::random_range(rng, 0..layouts.len())].clone()),
            Method::Mix(mix) => {
                let drawn: f64 = rand::RngExt::random(rng);
                let number = mix.partition_point(|(sum, _)| *sum <= drawn).min(mix.len() - 1);
                Ok(mix[number].1.clone())
            }
        }
    }
}

impl fmt::Display for Hider {
    /// The name, and whatever else decides its layouts.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut hash = Sha256::new();
        match &self.method {
            Method::Pool(layouts) => layouts.iter().for_each(|layout| hash.update(format!("{layout}\n"))),
            Method::Mix(mix) => mix.iter().for_each(|(sum, layout)| hash.update(format!("{sum} {layout}\n"))),
            Method::Weighted(weights) => hash.update(weights.to_string()),
            _ => return write!(f, "hider {}", self.name),
        }
        let approximate = if self.is_approximate() { " (approximate)" } else { "" };
        write!(f, "hider {}{approximate}, sha256 {}", self.name, hex(&hash.finalize()))
    }
}

/// The hider's best mix on a board with few layouts, and elsewhere weights that are hard to find.
fn equilibrium(rules: &Rules) -> Result<Method, HiderError> {
    let few = Transfer::new(Budget::default()).list(&ShotLog::new(rules), EQUILIBRIUM_LAYOUTS).is_some();
    let solved = if few { solved_mix(rules)? } else { None };
    Ok(solved.unwrap_or_else(|| Method::Weighted(approximate_equilibrium(rules).into())))
}

/// The hider's best mix; `None` if it can't be solved for these rules, or takes too much.
fn solved_mix(rules: &Rules) -> Result<Option<Method>, HiderError> {
    let found = match Equilibrium::find(rules, Budget::default(), &mut |_| {}) {
        Ok(found) => found,
        Err(error) if is_too_hard(&error) => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    let mut sum = 0.0;
    let mut mix = Vec::new();
    for class in found.hider() {
        let chance = class.chance.to_f64().unwrap_or(0.0);
        for layout in &class.layouts {
            sum += chance;
            mix.push((sum, layout.clone()));
        }
    }
    Ok(Some(Method::Mix(mix.into())))
}

/// Whether nothing is wrong but that the solver can't do it.
fn is_too_hard(error: &SolveError) -> bool {
    use SolveError::{Board, FalseAnswers, OutOfReach as Limit, Withheld};
    matches!(error, Board(_) | Withheld | FalseAnswers | Limit(OutOfReach::Memory | OutOfReach::Steps))
}

/// Deals until a layout costs 0, at most so often, and returns the one with the least cost.
fn least_of(
    tries: usize,
    cost: impl Fn(&Layout) -> usize,
    mut deal: impl FnMut() -> Result<Layout, DealError>,
) -> Result<Layout, DealError> {
    let mut best = deal()?;
    for _ in 1..tries {
        if cost(&best) == 0 {
            break;
        }
        let other = deal()?;
        if cost(&other) < cost(&best) {
            best = other;
        }
    }
    Ok(best)
}

/// Something of each pair of ships, added up.
fn over_pairs(layout: &Layout, of_pair: impl Fn(Placement, Placement) -> usize) -> usize {
    let ships = layout.ships();
    let pairs = (0..ships.len()).flat_map(|a| (a + 1..ships.len()).map(move |b| (a, b)));
    pairs.map(|(a, b)| of_pair(ships[a], ships[b])).sum()
}

/// How many pairs of ships touch.
fn touching(layout: &Layout) -> usize {
    over_pairs(layout, |one, other| usize::from(!one.compatible(other, Touch::Never)))
}

/// How far the ships are from each other: the distances between their middles along both sides, added up over all pairs.
fn spread(layout: &Layout) -> usize {
    let middle = |ship: Placement| (ship.bow().row() + ship.stern().row(), ship.bow().col() + ship.stern().col());
    over_pairs(layout, |one, other| {
        let (a, b) = (middle(one), middle(other));
        a.0.abs_diff(b.0) + a.1.abs_diff(b.1)
    })
}

#[cfg(test)]
mod tests {
    use broadside_rules::Preset;

    use super::*;
    use crate::generator;

    fn layouts(name: &str, rules: &Rules, games: u64) -> Vec<Layout> {
        let hider = Hider::new(name, rules, &Registry::new(), Effort { games: 200 }).unwrap();
        let mut dealer = hider.dealer(Dealer::new(rules));
        (0..games).map(|game| hider.deal(&mut dealer, &mut generator(1, game)).unwrap()).collect()
    }

    fn mean(layouts: &[Layout], of_layout: fn(&Layout) -> usize) -> f64 {
        layouts.iter().map(of_layout).sum::<usize>() as f64 / layouts.len() as f64
    }

    fn edge_cells(layout: &Layout) -> usize {
        layout.cells().iter().filter(|cell| cell.row() % 9 == 0 || cell.col() % 9 == 0).count()
    }

    #[test]
    fn every_hider_deals_legal_layouts_on_every_board() {
        for text in ["classic", "russian", "1x3 2 allowed ship", "12x13 6,2 corners bare", "4x4 3,3,2 allowed ship"] {
            let rules: Rules = text.parse().unwrap();
            for name in HIDERS.iter().map(|hider| hider.name).chain(["against:density"]) {
                for layout in layouts(name, &rules, 3) {
                    assert!(broadside_rules::Draft::from(&layout).check(&rules).is_valid(), "{name} on {text}: {layout}");
                }
            }
        }
    }

    #[test]
    fn hiders_do_what_they_say() {
        let rules = Preset::Classic.rules();
        let uniform = layouts("uniform", &rules, 400);
        // Published: 4.99 cells on the edge for uniform layouts, 6.77 for people's. The deviation of one layout is about 2.
        assert!((mean(&uniform, edge_cells) - 4.99).abs() < 0.5);
        assert!((mean(&layouts("people", &rules, 400), edge_cells) - 6.77).abs() < 0.5);
        assert!(mean(&layouts("edges", &rules, 100), edge_cells) > 6.0);
        assert!(layouts("apart", &rules, 50).iter().all(|layout| touching(layout) == 0));
        assert!(mean(&layouts("clustered", &rules, 50), spread) < 0.8 * mean(&uniform, spread));
    }

    #[test]
    fn the_equilibrium_is_mixed_as_it_was_solved() {
        let rules: Rules = "2x3 2 allowed ship".parse().unwrap();
        let dealt = layouts(EQUILIBRIUM, &rules, 3500);
        // The best mix of this board uses its seven layouts alike: 500 each, with a deviation of 21.
        for layout in dealt.iter().collect::<std::collections::HashSet<_>>() {
            let count = dealt.iter().filter(|other| *other == layout).count();
            assert!((400..600).contains(&count), "{layout}: {count}");
        }
    }

    #[test]
    fn the_equilibrium_is_approximate_where_it_is_not_solved_and_says_so() {
        let hider = |rules: &str| Hider::new(EQUILIBRIUM, &rules.parse().unwrap(), &Registry::new(), Effort::default()).unwrap();
        let solved = hider("2x3 2 allowed ship");
        assert!(!solved.is_approximate() && !solved.to_string().contains("approximate"));
        // Too many layouts; more cells than the solver has bits for; answers that come after the turn; answers that may be false.
        for rules in ["classic", "5x14 14 allowed ship", "2x3 2 allowed ship salvo=2", "2x3 2 allowed silent noise=0.05"] {
            let hider = hider(rules);
            assert!(hider.is_approximate(), "{rules}");
            assert!(hider.to_string().starts_with("hider equilibrium (approximate), sha256 "), "{hider}");
        }
    }

    #[test]
    fn unknown_hiders_are_named() {
        let rules = Preset::Classic.rules();
        let error = Hider::new("nobody", &rules, &Registry::new(), Effort::default()).unwrap_err();
        assert!(error.to_string().starts_with("there is no hider ‘nobody’; the hiders are uniform, "));
        assert!(matches!(Hider::new("against:nobody", &rules, &Registry::new(), Effort::default()), Err(HiderError::Captain(_))));
    }
}
