//! Captains by name.

use std::collections::HashMap;
use std::sync::Arc;

use broadside_odds::PlacementWeights;
use broadside_rules::{Rules, Symmetry};
use broadside_solve::{Policy, SolveError};

use crate::Captain;
use crate::admiral::{self, BadChange};
use crate::baseline::PlainDensity;
use crate::bits::{Bits, for_width};
use crate::commodore::Commodore;
use crate::density::Density;
use crate::doubter::Doubter;
use crate::erring::{self, BadErrorRate, Erring};
use crate::exact::Exact;
use crate::finder::{Diagonal, Mask, Pdf, RandomFinder};
use crate::hunt::HuntTarget;
use crate::mixed_density::MixedDensity;
use crate::model_admiral::ModelAdmiral;
use crate::optimal::{Optimal, SolvedBoards};
use crate::pair::pair;
use crate::random::Random;
use crate::sinker::{Brute, Smart};
use crate::trusting::{Trusting, believed_rules};
use crate::turned::{self, Turned};
use crate::volley::Volley;
use crate::weighted_density::WeightedDensity;

/// A captain's name, what it does and where it comes from.
///
/// ```
/// use broadside_captains::ROSTER;
/// let density = ROSTER.iter().find(|info| info.name == "density").unwrap();
/// assert!(density.source.contains("Nick Berry"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CaptainInfo {
    /// The captain's name.
    pub name: &'static str,
    /// What it does, in a line.
    pub about: &'static str,
    /// Where it comes from.
    pub source: &'static str,
}

/// Makes the list of captains and the function that makes one of them, so that both know the same names.
macro_rules! captains {
    ($rules:ident, $width:ident: $($name:literal, $about:literal, $source:expr => $make:expr;)+) => {
        /// All captains that play every board, in the order of the documents they come from.
        ///
        /// ```
        /// use broadside_captains::{ROSTER, captain};
        /// use broadside_rules::Preset;
        ///
        /// for info in ROSTER {
        ///     assert_eq!(captain(info.name, &Preset::Sploosh.rules())?.name(), info.name);
        ///     println!("{}: {} ({})", info.name, info.about, info.source);
        /// }
        /// # Ok::<(), Box<dyn std::error::Error>>(())
        /// ```
        pub const ROSTER: &[CaptainInfo] = &[$(CaptainInfo { name: $name, about: $about, source: $source }),+];

        /// The captain of that name, with sets of cells of this width.
        pub(crate) fn make<$width: Bits>(name: &str, $rules: &Rules) -> Option<Box<dyn Captain>> {
            Some(match name {
                $($name => $make,)+
                _ => return None,
            })
        }
    };
}

// To add a captain, write its file and add a line here.
captains! { rules, B:
    "random", "fires at any cell not fired at", ARTICLE => Box::new(Random::new(rules));
    "hunt-target", "fires at random until something is hit, then all around it", ARTICLE => Box::new(HuntTarget::<B>::anywhere(rules));
    "hunt-target-parity", "hunt-target on one diagonal in as many as the shortest ship left is long", ARTICLE
        => Box::new(HuntTarget::<B>::on_parity(rules));
    "density", "counts the places of all ships left through each cell; those through live hits weigh heavily", ARTICLE
        => Box::new(Density::<B>::new(rules));
    "density-plain", "the shots of density found by a plain loop: slow, for comparing speed", ARTICLE
        => Box::new(PlainDensity::<B>::new(rules));
    "density-blind", "density that doesn't know how ships keep apart", ARTICLE => Box::new(Density::<B>::blind(rules));
    "random+brute", "looks anywhere; follows lines of hits", COURSEWORK
        => pair::<B>("random+brute", rules, RandomFinder, Brute);
    "random+smart", "looks anywhere; probes further out", COURSEWORK
        => pair::<B>("random+smart", rules, RandomFinder, Smart);
    "diagonal+brute", "looks along diagonals for the longest ship left; follows lines of hits", COURSEWORK
        => pair::<B>("diagonal+brute", rules, Diagonal::new(rules), Brute);
    "diagonal+smart", "looks along diagonals for the longest ship left; probes further out", COURSEWORK
        => pair::<B>("diagonal+smart", rules, Diagonal::new(rules), Smart);
    "pdf+brute", "looks where most placements go through; follows lines of hits", COURSEWORK
        => pair::<B>("pdf+brute", rules, Pdf::new(rules), Brute);
    "pdf+smart", "looks where most placements go through; probes further out", COURSEWORK
        => pair::<B>("pdf+smart", rules, Pdf::new(rules), Smart);
    "mask", "looks on the smallest pattern that the shortest ship left can't escape; follows lines of hits", MASKS
        => pair::<B>("mask", rules, Mask::new(rules), Brute);
    "exact", "fires at the cell that most likely holds a ship, by exact odds", PAPER
        => if rules.noise().is_none() { Box::new(Exact::<B>::new(rules)) } else { Box::new(Doubter::<B>::exact(rules)) };
    "admiral", "weighs places by what they tell, keeps to a pattern, and sinks a found ship while also looking for the others", OWN
        => admiral::tuned::<B>(rules);
    "fleet-admiral", "admiral with more numbers, tuned longer, for the classic board; the same as admiral elsewhere", OWN
        => admiral::fleet::<B>(rules);
    "commodore", "admiral, but with two ships left it hunts where the fewest shots are left to go; slower", OWN
        => Box::new(Commodore::<B>::new(rules));
    "volley-greedy", "chooses the shots of a turn one after the other, by their hits and by what they tell together", OWN
        => Box::new(Volley::<B>::greedy(rules));
    "volley", "chooses the shots of a turn as a set, by their hits and by what they tell together", OWN
        => Box::new(Volley::<B>::new(rules));
}

/// The captain for games with false answers. It is not in [`ROSTER`], since elsewhere it plays as `density` does.
///
/// ```
/// use broadside_captains::{DOUBTER, captain};
///
/// let rules = "10x10 5,4,3,3,2 allowed silent noise=0.05".parse()?;
/// assert_eq!(captain(DOUBTER.name, &rules)?.name(), DOUBTER.name);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub const DOUBTER: CaptainInfo = CaptainInfo {
    name: "doubter",
    about: "weighs each answer by the chance that it is false, quickly, and fires at the likeliest cell not fired at",
    source: OWN,
};

/// The captain of the roster that knows of false answers. All others are given a log that they can believe.
const EXACT: &str = "exact";

/// The captain for small boards. It is not in [`ROSTER`], since it doesn't play every board.
///
/// ```
/// use broadside_captains::{CaptainError, OPTIMAL, captain};
/// use broadside_rules::Preset;
///
/// assert!(captain(OPTIMAL.name, &"4x4 3,2 allowed ship".parse()?).is_ok());
/// assert!(matches!(captain(OPTIMAL.name, &Preset::Classic.rules()), Err(CaptainError::TooLarge(_))));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub const OPTIMAL: CaptainInfo = CaptainInfo {
    name: "optimal",
    about: "plays as well as can be, on boards small enough to be solved",
    source: "`broadside-solve`",
};

const ARTICLE: &str = "“Battleship”, Nick Berry, DataGenetics, 2011, http://www.datagenetics.com/blog/december32011/";
const COURSEWORK: &str =
    "“CSE 202: Project Algorithmic Solutions”, A. Martakis, M. Sharan, T. Choudhary and S. Gupta, UC San Diego, 2023";
const MASKS: &str = "“Battleship Masks”, a web article";
const PAPER: &str = "“Computing the Probability of Striking a Battleship”, Jack Spalding-Jamieson, University of Waterloo";
const OWN: &str = "Broadside";

/// There is no captain of that name.
///
/// ```
/// use broadside_captains::captain;
/// let error = captain("admirl", &"classic".parse()?).err().expect("a slip");
/// assert_eq!(error.to_string(), "there is no captain ‘admirl’; did you mean admiral?");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no captain ‘{name}’; {}", suggestion(.nearest))]
#[non_exhaustive]
pub struct UnknownCaptain {
    /// The name asked for.
    pub name: String,
    /// The names most like it, the nearest first.
    pub nearest: Vec<&'static str>,
}

fn suggestion(nearest: &[&str]) -> String {
    match nearest {
        [] => format!("the captains are {}", ROSTER.iter().map(|info| info.name).collect::<Vec<_>>().join(", ")),
        names => format!("did you mean {}?", names.join(" or ")),
    }
}

/// How alike two names must be, from 0 to 1, for one to be suggested for the other.
const MIN_SIMILARITY: f64 = 0.7;

impl UnknownCaptain {
    fn new(name: &str) -> Self {
        let name: String = name.chars().take(64).collect();
        let similarity = |info: &CaptainInfo| strsim::jaro_winkler(&name.to_lowercase(), info.name);
        let mut alike: Vec<&CaptainInfo> =
            ROSTER.iter().chain([&OPTIMAL]).chain([&DOUBTER]).filter(|info| similarity(info) >= MIN_SIMILARITY).collect();
        alike.sort_by(|a, b| similarity(b).total_cmp(&similarity(a)));
        Self { nearest: alike.iter().take(3).map(|info| info.name).collect(), name }
    }
}

/// Why a captain can't be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CaptainError {
    /// There is none of that name.
    #[error(transparent)]
    Unknown(#[from] UnknownCaptain),
    /// `optimal` can't solve the board.
    #[error("‘{}’ plays only boards that are solved in a moment, up to about 4x4 with two ships, or from a saved table, and shots that are answered at once", OPTIMAL.name)]
    TooLarge(#[from] SolveError),
    /// The rate of errors can't be read.
    #[error(transparent)]
    ErrorRate(#[from] BadErrorRate),
    /// The changes to the admiral's parameters can't be read.
    #[error(transparent)]
    Change(#[from] BadChange),
    /// A captain was asked to turn the board that draws lots for its shots.
    #[error("‘{0}’ draws lots for its shots: there is no need to turn the board, so leave out the ‘~’")]
    DrawsLots(String),
    /// There is no captain of that name that plays by a model of the opponent, or no such model.
    #[error(
        "‘{0}’: a model stands only after ‘density@’ or ‘admiral@’, and is ‘people’, ‘uniform’, ‘weights’ if --weights was given for such a board, or after ‘density@’ several of them joined by ‘+’"
    )]
    Model(String),
}

/// Makes captains by name.
///
/// It holds the tables of best play that `optimal` plays from: those that it is given, and those that it has solved.
/// Clones share what is solved, so make one and clone it for every thread.
///
/// ```
/// use broadside_captains::Registry;
/// use broadside_solve::Policy;
///
/// // A table for a board of four cells, as `broadside solve --save` writes it.
/// let table = "broadside policy 1\n1x4 2 allowed ship\nA2 - +\nA3 +\nA4 #2\nA1 - #2\nA3 #2\n";
/// let policy: Policy = table.parse()?;
/// let rules = policy.rules().clone();
/// let registry = Registry::new().with_policy(policy);
/// assert_eq!(registry.captain("optimal", &rules)?.name(), "optimal");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Registry {
    policies: HashMap<Rules, Arc<Policy>>,
    solved: Arc<SolvedBoards>,
    /// How opponents hide, by name.
    models: HashMap<String, Model>,
}

/// How an opponent hides.
#[derive(Clone, Debug)]
struct Model {
    /// The rules whose layouts it is about; none if whoever gave it answers for that.
    rules: Option<Rules>,
    weights: Arc<PlacementWeights>,
}

/// What stands between a captain's name and the model of the opponent that it plays by.
const MODEL_MARK: char = '@';

/// The model in which all layouts are equally likely.
const UNIFORM: &str = "uniform";

/// The model of how people hide.
const PEOPLE: &str = "people";

impl Registry {
    /// A registry that was given no tables.
    pub fn new() -> Self {
        Self::default()
    }

    /// Lets `optimal` play from this table where its rules are played, however large the board.
    #[must_use]
    pub fn with_policy(mut self, policy: Policy) -> Self {
        self.policies.insert(policy.rules().clone(), Arc::new(policy));
        self
    }

    /// Lets captains play by this model of how an opponent hides: `density@NAME`.
    ///
    /// ```
    /// use broadside_captains::Registry;
    /// use broadside_odds::PlacementWeights;
    /// use broadside_rules::Rules;
    ///
    /// let rules: Rules = "classic".parse()?;
    /// let registry = Registry::new().with_model("edges", PlacementWeights::edges(&rules));
    /// assert_eq!(registry.captain("density@edges", &rules)?.name(), "density@edges");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_model(mut self, name: impl Into<String>, weights: PlacementWeights) -> Self {
        self.models.insert(name.into(), Model { rules: None, weights: Arc::new(weights) });
        self
    }

    /// Lets captains play by this model where layouts are those of these rules, and by no others.
    ///
    /// ```
    /// use broadside_captains::Registry;
    /// use broadside_odds::PlacementWeights;
    /// use broadside_rules::Rules;
    ///
    /// let rules: Rules = "classic".parse()?;
    /// let registry = Registry::new().with_model_for("edges", &rules, PlacementWeights::edges(&rules));
    /// assert!(registry.captain("density@edges", &rules).is_ok());
    /// assert!(registry.captain("density@edges", &"russian".parse()?).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_model_for(mut self, name: impl Into<String>, rules: &Rules, weights: PlacementWeights) -> Self {
        self.models.insert(name.into(), Model { rules: Some(rules.clone()), weights: Arc::new(weights) });
        self
    }

    /// The model of that name that was given for layouts of these rules.
    pub fn model(&self, name: &str, rules: &Rules) -> Option<&Arc<PlacementWeights>> {
        let model = self.models.get(name)?;
        let fits = model.rules.as_ref().is_none_or(|own| own.has_layouts_of(rules));
        fits.then_some(&model.weights)
    }

    /// The models of `density@NAME`, `density@NAME+NAME` or `admiral@NAME`: their names, and the weights of each.
    fn models<'a>(&self, name: &'a str, rules: &Rules) -> Result<(&'a str, Vec<Arc<PlacementWeights>>), CaptainError> {
        let unknown = || CaptainError::Model(name.chars().take(64).collect());
        let (captain, names) = name.split_once(MODEL_MARK).ok_or_else(unknown)?;
        if captain != "density" && (captain != "admiral" || names.contains('+')) {
            return Err(unknown());
        }
        let weights = |model: &str| match self.model(model, rules) {
            Some(weights) => Ok(weights.clone()),
            None if model == PEOPLE => Ok(Arc::new(PlacementWeights::people(rules))),
            None if model == UNIFORM => Ok(Arc::new(PlacementWeights::uniform())),
            None => Err(unknown()),
        };
        Ok((names, names.split('+').map(weights).collect::<Result<_, _>>()?))
    }

    /// The captain `density@NAME` or `admiral@NAME`, or the one between several models.
    fn by_model(&self, name: &str, rules: &Rules) -> Result<Box<dyn Captain>, CaptainError> {
        let (names, models) = self.models(name, rules)?;
        if let ([weights], true) = (&models[..], name.starts_with("admiral")) {
            return Ok(for_width!(rules.grid(), B => Box::new(ModelAdmiral::<B>::new(rules, names, weights))));
        }
        if let [weights] = &models[..] {
            return Ok(for_width!(rules.grid(), B => Box::new(WeightedDensity::<B>::new(rules, names, weights))));
        }
        Ok(for_width!(rules.grid(), B => Box::new(MixedDensity::<B>::new(rules, names, models))))
    }

    /// The ways in which a captain of that name may turn the board: those that leave its models as they are.
    fn ways(&self, name: &str, rules: &Rules) -> Vec<Symmetry> {
        let models = self.models(name, rules).map_or_else(|_| Vec::new(), |(_, models)| models);
        let keeps = |way: &Symmetry| models.iter().all(|weights| weights.is_kept_by(*way, rules));
        rules.symmetries().filter(keeps).collect()
    }

    /// The captain of that name, for games by these rules. `density?err=0.25` is `density` that fires anywhere with one
    /// shot in four; `admiral?pattern=0.5` is `admiral` with a change to its [parameters](crate::admiral::Parameters::change).
    /// `density~` is `density` on a board that is turned or reflected at random, and `density@people` knows how people hide.
    ///
    /// ```
    /// use broadside_captains::{CaptainError, Registry};
    ///
    /// let (registry, rules) = (Registry::new(), "classic".parse()?);
    /// assert_eq!(registry.captain("admiral", &rules)?.name(), "admiral");
    /// let Err(CaptainError::Unknown(unknown)) = registry.captain("dense", &rules) else { unreachable!() };
    /// assert_eq!(unknown.nearest[0], "density");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When there is none, with the names most like it, or when it can't play by these rules.
    pub fn captain(&self, name: &str, rules: &Rules) -> Result<Box<dyn Captain>, CaptainError> {
        if let Some((name, rate)) = erring::split(name) {
            return Ok(Box::new(Erring::new(self.captain(name, rules)?, rate?, rules)));
        }
        if let Some(name) = turned::split(name) {
            if turned::draws_lots(name) {
                return Err(CaptainError::DrawsLots(name.chars().take(64).collect()));
            }
            return Ok(Box::new(Turned::new(self.captain(name, rules)?, self.ways(name, rules))));
        }
        if name == OPTIMAL.name && !rules.noise().is_none() {
            return Err(SolveError::FalseAnswers.into());
        }
        if name == DOUBTER.name {
            return Ok(for_width!(rules.grid(), B => Box::new(Doubter::<B>::new(rules))));
        }
        if !rules.noise().is_none() && name != EXACT {
            return Ok(Box::new(Trusting::new(self.captain(name, &believed_rules(rules))?, rules)));
        }
        if name.contains(MODEL_MARK) {
            return self.by_model(name, rules);
        }
        if let Some(changes) = admiral::changes(name) {
            return Ok(for_width!(rules.grid(), B => admiral::changed::<B>(rules, changes))?);
        }
        if name == OPTIMAL.name && rules.salvo().withholds() {
            return Err(SolveError::Withheld.into());
        }
        if name == OPTIMAL.name {
            let policy = self.policies.get(rules).map_or_else(|| self.solved.policy(rules), |policy| Ok(policy.clone()))?;
            return Ok(for_width!(rules.grid(), B => Box::new(Optimal::<B>::new(policy))));
        }
        for_width!(rules.grid(), B => make::<B>(name, rules)).ok_or_else(|| UnknownCaptain::new(name).into())
    }

    /// The captain of that name for a game against a person, who may know how it plays: it turns or reflects the board at random
    /// unless it draws lots for its shots or is `exact`, which may take long. `density?err=0.25` becomes `density~?err=0.25`.
    ///
    /// ```
    /// use broadside_captains::Registry;
    ///
    /// let (registry, rules) = (Registry::new(), "classic".parse()?);
    /// assert_eq!(registry.captain_against_people("admiral", &rules)?.name(), "admiral~");
    /// assert_eq!(registry.captain_against_people("hunt-target", &rules)?.name(), "hunt-target");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Registry::captain`].
    pub fn captain_against_people(&self, name: &str, rules: &Rules) -> Result<Box<dyn Captain>, CaptainError> {
        if let Some((name, rate)) = erring::split(name) {
            return Ok(Box::new(Erring::new(self.captain_against_people(name, rules)?, rate?, rules)));
        }
        self.captain(&turned::turned_name(name), rules)
    }
}

/// The admiral for games by these rules.
pub(crate) fn admiral(rules: &Rules) -> Box<dyn Captain> {
    for_width!(rules.grid(), B => admiral::tuned::<B>(rules))
}

/// The captain of that name, for games by these rules. A [`Registry`] does the same and keeps what `optimal` has solved.
///
/// ```
/// use broadside_captains::{GameRng, captain};
/// use broadside_rules::{Rules, ShotLog};
/// use rand::SeedableRng;
///
/// // Two hits in a row, and water at one end: whoever knows the game fires at the other.
/// let rules: Rules = "classic".parse()?;
/// let log = ShotLog::parse(&rules, "E5+ E6+ E7-")?;
/// for name in ["density", "exact", "admiral"] {
///     assert_eq!(captain(name, &rules)?.aim(&log, &mut GameRng::seed_from_u64(1)).to_string(), "E4");
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When there is none, with the names most like it, or when it can't play by these rules.
pub fn captain(name: &str, rules: &Rules) -> Result<Box<dyn Captain>, CaptainError> {
    Registry::new().captain(name, rules)
}
