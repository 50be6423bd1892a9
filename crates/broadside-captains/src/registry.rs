//! Captains by name.

use broadside_rules::Rules;
use broadside_solve::{Policy, SolveError};

use crate::Captain;
use crate::admiral::{Admiral, Orders};
use crate::bits::{Bits, Wide};
use crate::density::Density;
use crate::exact::Exact;
use crate::finder::{Anywhere, Diagonal, Mask, Pdf};
use crate::hunt::HuntTarget;
use crate::optimal::{self, Optimal};
use crate::pair::{Finder, Pair, Sinker};
use crate::plain::PlainDensity;
use crate::random::Random;
use crate::sinker::{Brute, Smart};

/// A line of the roster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The captain's name.
    pub name: &'static str,
    /// What it does, in a line.
    pub about: &'static str,
    /// Where it comes from.
    pub source: &'static str,
}

/// All captains, in the order of the source documents.
pub const ROSTER: &[Entry] = &[
    entry("random", "fires at any cell not fired at", ARTICLE),
    entry("hunt-target", "fires at random until something is hit, then all around it", ARTICLE),
    entry("hunt-target-parity", "hunt-target on one diagonal in as many as the shortest ship left is long", ARTICLE),
    entry("density", "counts the places of all ships left through each cell; those through live hits weigh heavily", ARTICLE),
    entry("density-plain", "the shots of density found by a plain loop: the yardstick of its speed", ARTICLE),
    entry("density-blind", "density that doesn't know how ships keep apart", ARTICLE),
    entry("random+brute", "looks anywhere; follows lines of hits", REPORT),
    entry("random+smart", "looks anywhere; probes further out", REPORT),
    entry("diagonal+brute", "looks along diagonals for the longest ship left; follows lines of hits", REPORT),
    entry("diagonal+smart", "looks along diagonals for the longest ship left; probes further out", REPORT),
    entry("pdf+brute", "looks where most placements go through; follows lines of hits", REPORT),
    entry("pdf+smart", "looks where most placements go through; probes further out", REPORT),
    entry("mask", "looks on the smallest pattern that the shortest ship left can't escape; follows lines of hits", MASKS),
    entry("exact", "fires at the cell that most likely holds a ship, by exact odds", ODDS),
    entry("admiral", "weighs places by what they tell, keeps to a pattern, and settles a found ship with the hunt in mind", OWN),
];

/// The captain for small boards. It is not on the roster, where everybody plays every board.
pub const OPTIMAL: Entry = entry("optimal", "plays as well as can be, on boards small enough to be solved", "`broadside-solve`");

const REPORT: &str = "UCSD CSE 202 report (seed document 000)";
const MASKS: &str = "Battleship masks (seed document 002)";
const ODDS: &str = "exact probabilities by listing cliques (seed document 003)";

const OWN: &str = "Broadside";
const ARTICLE: &str = "DataGenetics article (seed document 001)";

const fn entry(name: &'static str, about: &'static str, source: &'static str) -> Entry {
    Entry { name, about, source }
}

/// There is no captain of that name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no captain ‘{name}’; {}", suggestion(.nearest))]
pub struct UnknownCaptain {
    /// The name asked for.
    pub name: String,
    /// The names most like it, the nearest first.
    pub nearest: Vec<&'static str>,
}

fn suggestion(nearest: &[&str]) -> String {
    match nearest {
        [] => format!("the captains are {}", ROSTER.iter().map(|entry| entry.name).collect::<Vec<_>>().join(", ")),
        names => format!("did you mean {}?", names.join(" or ")),
    }
}

/// How alike two names must be, from 0 to 1, for one to be suggested for the other.
const ALIKE: f64 = 0.7;

impl UnknownCaptain {
    fn new(name: &str) -> Self {
        let name: String = name.chars().take(64).collect();
        let likeness = |entry: &Entry| strsim::jaro_winkler(&name.to_lowercase(), entry.name);
        let mut alike: Vec<&Entry> = ROSTER.iter().chain([&OPTIMAL]).filter(|entry| likeness(entry) >= ALIKE).collect();
        alike.sort_by(|a, b| likeness(b).total_cmp(&likeness(a)));
        Self { nearest: alike.iter().take(3).map(|entry| entry.name).collect(), name }
    }
}

/// A captain who can't be had.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EnlistError {
    /// There is none of that name.
    #[error(transparent)]
    Unknown(#[from] UnknownCaptain),
    /// `optimal` can't solve the board.
    #[error("‘{}’ plays only boards that are solved in a moment, up to about 4x4 with two ships, or from a saved table", OPTIMAL.name)]
    TooLarge(#[from] SolveError),
}

/// Lets `optimal` play from this table from now on where its rules are played, however large the board.
pub fn keep_policy(policy: Policy) {
    optimal::keep(policy);
}

/// The captain of that name, for games by these rules.
///
/// # Errors
/// When there is none, with the names most like it, or when it can't play by these rules.
pub fn captain(name: &str, rules: &Rules) -> Result<Box<dyn Captain>, EnlistError> {
    if name == OPTIMAL.name {
        return Ok(Box::new(Optimal::<u128>::new(rules)?));
    }
    let found = match rules.grid().len() {
        ..=128 => enlist::<u128>(name, rules),
        129..=256 => enlist::<Wide<2>>(name, rules),
        _ => enlist::<Wide<32>>(name, rules),
    };
    found.ok_or_else(|| UnknownCaptain::new(name).into())
}

/// The captain of that name, thinking in words of this width.
pub(crate) fn enlist<B: Bits>(name: &str, rules: &Rules) -> Option<Box<dyn Captain>> {
    Some(match name {
        "random" => Box::new(Random::new(rules)),
        "hunt-target" => Box::new(HuntTarget::<B>::anywhere(rules)),
        "hunt-target-parity" => Box::new(HuntTarget::<B>::on_parity(rules)),
        "density" => Box::new(Density::<B>::new(rules)),
        "density-blind" => Box::new(Density::<B>::blind(rules)),
        "density-plain" => Box::new(PlainDensity::<B>::new(rules)),
        "random+brute" => pair::<B>("random+brute", rules, Anywhere, Brute),
        "random+smart" => pair::<B>("random+smart", rules, Anywhere, Smart),
        "diagonal+brute" => pair::<B>("diagonal+brute", rules, Diagonal::new(rules), Brute),
        "diagonal+smart" => pair::<B>("diagonal+smart", rules, Diagonal::new(rules), Smart),
        "pdf+brute" => pair::<B>("pdf+brute", rules, Pdf::new(rules), Brute),
        "pdf+smart" => pair::<B>("pdf+smart", rules, Pdf::new(rules), Smart),
        "mask" => pair::<B>("mask", rules, Mask::new(rules), Brute),
        "admiral" if Orders::suit(rules) => Box::new(Admiral::<B>::new(rules, Orders::default())),
        "admiral" => Box::new(Density::<B>::new(rules).named("admiral")),
        "exact" => Box::new(Exact::<B>::new(rules)),
        _ => return None,
    })
}

fn pair<B: Bits>(
    name: &'static str,
    rules: &Rules,
    finder: impl Finder<B> + 'static,
    sinker: impl Sinker<B> + 'static,
) -> Box<dyn Captain> {
    Box::new(Pair::new(name, rules, finder, sinker))
}
