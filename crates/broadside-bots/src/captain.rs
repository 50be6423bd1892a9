//! A captain as a player: it also places ships, and starts each game from a seed.

use broadside_captains::{Captain, CaptainError, GameRng, Reason, Registry};
use broadside_lab::generator;
use broadside_odds::{DealError, Dealer};
use broadside_rules::{Cell, Layout, Rules, ShotLog, Stop};

/// A captain that plays games by some rules, one after the other. The seed of a game decides all that it does in it: where it
/// places its ships, and its random choices when it fires.
///
/// ```
/// use broadside_bots::CaptainPlayer;
/// use broadside_captains::Registry;
/// use broadside_rules::{Rules, ShotLog};
///
/// let rules: Rules = "classic".parse()?;
/// let mut player = CaptainPlayer::new(&Registry::new(), "density", &rules)?;
/// player.start_game(7);
/// let (layout, cell) = (player.place()?, player.fire(&ShotLog::new(&rules)));
/// player.start_game(7);
/// assert_eq!((player.place()?, player.fire(&ShotLog::new(&rules))), (layout, cell));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct CaptainPlayer {
    captain: Box<dyn Captain>,
    rules: Rules,
    dealer: Dealer,
    firing: GameRng,
    placing: GameRng,
}

impl CaptainPlayer {
    /// The captain of this name for games by these rules.
    ///
    /// # Errors
    /// When there is none, or it doesn't play these rules.
    pub fn new(registry: &Registry, name: &str, rules: &Rules) -> Result<Self, CaptainError> {
        let captain = registry.captain(name, rules)?;
        let (dealer, [firing, placing]) = (Dealer::new(rules), generators(0));
        Ok(Self { captain, rules: rules.clone(), dealer, firing, placing })
    }

    /// The rules that it plays by.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Begins a game.
    pub fn start_game(&mut self, seed: u64) {
        [self.firing, self.placing] = generators(seed);
    }

    /// Where its ships are: each legal layout is equally likely.
    ///
    /// # Errors
    /// When the board is too tight to deal from.
    pub fn place(&mut self) -> Result<Layout, DealError> {
        self.dealer.uniform(&mut self.placing)
    }

    /// Where it fires next.
    pub fn fire(&mut self, log: &ShotLog) -> Cell {
        self.captain.aim(log, &mut self.firing)
    }

    /// Where it would fire next, and why.
    pub fn explain(&mut self, log: &ShotLog) -> Reason {
        self.captain.explain(log, &mut self.firing.clone())
    }

    /// Lets somebody else hurry the captain; see [`Captain::set_stop`].
    pub fn set_stop(&mut self, stop: &Stop) {
        self.captain.set_stop(stop);
    }
}

/// One generator for firing and one for placing, so that a captain fires alike whether or not it was asked to place.
fn generators(seed: u64) -> [GameRng; 2] {
    [generator(seed, 0), generator(seed, 1)]
}
