//! Where the layouts of a campaign come from.

use std::fmt;
use std::sync::Arc;

use broadside_captains::GameRng;
use broadside_odds::{DealError, Dealer};
use broadside_rules::Layout;
use sha2::{Digest, Sha256};

use crate::{Hider, hex};

/// Where the layouts of a campaign come from. Its text is different for different sources.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum Layouts {
    /// Dealt, each legal layout equally likely.
    #[default]
    Uniform,
    /// Dealt one ship after the other, as published simulations do.
    Sequential,
    /// Given: game `i` has layout `i`, and starts over with the first when they are used up.
    Listed(Arc<[Layout]>),
    /// Chosen by a hider.
    Hidden(Arc<Hider>),
}

impl Layouts {
    /// The dealer as these layouts need it.
    #[must_use]
    pub fn dealer(&self, dealer: Dealer) -> Dealer {
        match self {
            Self::Hidden(hider) => hider.dealer(dealer),
            _ => dealer,
        }
    }

    /// The layout of a game, drawn from this generator where it is dealt. The dealer must be one that [`Layouts::dealer`] has made.
    ///
    /// # Errors
    /// When the board is too tight to deal from.
    pub fn for_game(&self, game: u64, dealer: &mut Dealer, rng: &mut GameRng) -> Result<Layout, DealError> {
        match self {
            Self::Uniform => dealer.uniform(rng),
            Self::Sequential => dealer.sequential(rng),
            Self::Listed(layouts) => Ok(layouts[(game % layouts.len() as u64) as usize].clone()),
            Self::Hidden(hider) => hider.deal(dealer, rng),
        }
    }

    /// The source in words, such as `uniform layouts`.
    pub fn description(&self) -> String {
        describe(&self.to_string())
    }
}

/// In words the source of layouts whose text this is.
pub(crate) fn describe(text: &str) -> String {
    match text.split_once(" listed, ") {
        Some(("1", _)) => "1 listed layout".to_owned(),
        Some((layouts, _)) => format!("{layouts} listed layouts"),
        None => match text.strip_prefix("hider ") {
            Some(hider) => format!("layouts of the hider {}", hider.split(", sha256").next().unwrap_or(hider)),
            None => format!("{text} layouts"),
        },
    }
}

impl fmt::Display for Layouts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Uniform => f.write_str("uniform"),
            Self::Sequential => f.write_str("sequential"),
            Self::Hidden(hider) => write!(f, "{hider}"),
            Self::Listed(layouts) => {
                let mut hash = Sha256::new();
                layouts.iter().for_each(|layout| hash.update(format!("{layout}\n")));
                write!(f, "{} listed, sha256 {}", layouts.len(), hex(&hash.finalize()))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use broadside_rules::{Draft, Rules};

    use super::*;

    #[test]
    fn listed_layouts_are_told_apart_by_what_they_are() {
        let rules: Rules = "2x2 2 allowed ship".parse().unwrap();
        let layout = |text: &str| text.parse::<Draft>().unwrap().check(&rules).into_layout().unwrap();
        let listed = |texts: &[&str]| Layouts::Listed(texts.iter().map(|text| layout(text)).collect());
        assert_ne!(listed(&["A1-A2", "B1-B2"]).to_string(), listed(&["B1-B2", "A1-A2"]).to_string());
        // printf 'A1-A2\n' | sha256sum
        let expected = "1 listed, sha256 f159842edba267a0dafdf3b1d7b9511ee4de072c8b6bb4a2d61153fa208ea991";
        assert_eq!(listed(&["A1-A2"]).to_string(), expected);
        assert_eq!(listed(&["A1-A2"]).description(), "1 listed layout");
    }
}
