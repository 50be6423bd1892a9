//! A game shown shot by shot.
//!
//! A [`Replay`] is a game with comments: by the captain that played it, by another captain, or by the exact odds alone.
//! Its [frames](Replay::frames) say for every shot what was known, what each cell was worth, the choice and the reason.
//! They are made one at a time, so that a long game takes no more memory than one shot. [`Replay::picture`] draws a
//! frame; [`Animation`] and [`page`] show all of them.
//!
//! ```
//! use broadside_captains::Registry;
//! use broadside_lab::replay::Replay;
//! let replay = Replay::play(&Registry::new(), &"5x5 3,2 allowed ship".parse()?, "density", 1, 0)?;
//! for frame in replay.frames() {
//!     println!("{}: {}", replay.headline(&frame), frame.words);
//! }
//! assert!(replay.record().log().is_over());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[cfg(feature = "draw")]
mod animation;
#[cfg(all(test, feature = "draw"))]
mod drawn_tests;
mod frame;
#[cfg(feature = "draw")]
mod page;
#[cfg(feature = "draw")]
mod picture;
#[cfg(test)]
mod tests;

use broadside_captains::{Captain, CaptainError, GameRng, Registry};
use broadside_odds::{Budget, Dealer, Engine, Odds, odds};
use broadside_rules::{Cell, GameRecord, Referee, Rules, Shot, ShotLog};

use crate::campaign::play_game;
use crate::{CampaignError, generator, noise_seed};

#[cfg(feature = "draw")]
pub use animation::{Animation, AnimationError};
pub use frame::{Frame, Heat};
#[cfg(feature = "draw")]
pub use page::page;

/// What exact odds may take: as much as the captain `exact` allows itself, so that it and a replay see the same.
const BUDGET: Budget = Budget { bytes: 256 << 20, steps: 0 };

/// Draws for an estimate where exact odds are out of reach: few, since every shot needs an estimate of its own.
const SAMPLES: u64 = 200;

/// A game with comments on every shot.
#[derive(Clone, Debug)]
pub struct Replay {
    record: GameRecord,
    captain: Option<String>,
    registry: Registry,
    seed: u64,
    game: u64,
    /// The captain's generator before its first shot.
    rng: GameRng,
    played: bool,
    odds: bool,
}

impl Replay {
    /// The game that a captain of the registry plays as game number `game` of a campaign with this seed.
    ///
    /// # Errors
    /// When there is no such captain, or the board is too tight to deal from.
    pub fn play(registry: &Registry, rules: &Rules, name: &str, seed: u64, game: u64) -> Result<Self, CampaignError> {
        let (mut captain, mut rng) = (registry.captain(name, rules)?, generator(seed, game));
        let mut referee = Referee::new(rules, Dealer::new(rules).uniform(&mut rng)?).with_noise_seed(noise_seed(seed, game));
        let start = rng.clone();
        play_game(captain.as_mut(), &mut referee, &mut rng);
        let (record, captain) = (referee.into_record(), Some(name.to_owned()));
        Ok(Self { record, captain, registry: registry.clone(), seed, game, rng: start, played: true, odds: false })
    }

    /// A game played by anybody, commented on by the exact odds.
    pub fn from_record(record: GameRecord) -> Self {
        Self {
            record,
            captain: None,
            registry: Registry::new(),
            seed: 0,
            game: 0,
            rng: generator(0, 0),
            played: false,
            odds: true,
        }
    }

    /// The same game with the thoughts of this captain of the registry, whose random choices derive from the seed.
    ///
    /// # Errors
    /// When there is no such captain.
    pub fn with_captain(self, registry: &Registry, name: &str, seed: u64) -> Result<Self, CaptainError> {
        registry.captain(name, self.rules())?;
        let (rng, registry) = (generator(seed, 0), registry.clone());
        Ok(Self { captain: Some(name.to_owned()), registry, seed, game: 0, rng, played: false, odds: false, ..self })
    }

    /// The same with the exact odds for the heat, whatever the captain thinks in.
    #[must_use]
    pub fn with_odds(self) -> Self {
        Self { odds: true, ..self }
    }

    /// The rules of the game.
    pub fn rules(&self) -> &Rules {
        self.record.rules()
    }

    /// The whole game.
    pub fn record(&self) -> &GameRecord {
        &self.record
    }

    /// The captain whose thoughts are shown.
    pub fn captain(&self) -> Option<&str> {
        self.captain.as_deref()
    }

    /// What the game is, in a line.
    pub fn title(&self) -> String {
        let shots = self.record.log().len();
        match &self.captain {
            Some(name) if self.played => format!("{name} takes {shots} shots (seed {}, game {})", self.seed, self.game),
            Some(name) => format!("A game of {shots} shots, with the thoughts of {name}"),
            None => format!("A game of {shots} shots, with the exact odds"),
        }
    }

    /// The shot of a frame in words, such as `Shot 12 of 44: E5, a hit`.
    pub fn headline(&self, frame: &Frame) -> String {
        format!("Shot {} of {}: {}", frame.number, self.record.log().len(), frame.description())
    }

    /// What the numbers of a frame are, as a heading.
    pub fn heading(&self, heat: &Heat) -> String {
        match (heat, &self.captain) {
            (Heat::Scores(_), Some(name)) => format!("What each cell is worth to {name}"),
            (Heat::Scores(_), None) => "What each cell is worth".to_owned(),
            (Heat::Chances(_), _) => "Exact chance of a ship, in percent".to_owned(),
            (Heat::Estimates(_), _) => "Chance of a ship in percent, an ESTIMATE".to_owned(),
            (Heat::Unknown, _) => "No odds within reach".to_owned(),
        }
    }

    /// The reason in words, beginning with the cell where it is not the one fired at.
    pub fn reason(&self, frame: &Frame) -> String {
        match &self.captain {
            Some(name) if frame.advice != frame.shot.cell => format!("{name} would fire at {}: {}", frame.advice, frame.words),
            _ => frame.words.clone(),
        }
    }

    /// What the captain was doing; without a captain the likeliest cell, if the shot was another.
    pub fn advice(&self, frame: &Frame) -> String {
        match frame.mode {
            Some(mode) => format!("mode: {mode}"),
            None if frame.advice != frame.shot.cell => format!("likeliest: {}", frame.advice),
            None => String::new(),
        }
    }

    /// The shots, one after the other.
    pub fn frames(&self) -> Frames<'_> {
        let captain = self.captain.as_deref().map(|name| self.known_captain(name));
        Frames { replay: self, captain, rng: self.rng.clone(), log: ShotLog::new(self.rules()) }
    }

    /// A captain that was found before.
    fn known_captain(&self, name: &str) -> Box<dyn Captain> {
        self.registry.captain(name, self.rules()).expect("a captain that was found before")
    }
}

/// The frames of a replay, made one at a time.
pub struct Frames<'a> {
    replay: &'a Replay,
    captain: Option<Box<dyn Captain>>,
    rng: GameRng,
    log: ShotLog,
}

impl Iterator for Frames<'_> {
    type Item = Frame;

    fn next(&mut self) -> Option<Frame> {
        let all = self.replay.record.log();
        let shot = *all.shots().get(self.log.len())?;
        let after = all.seen_after(self.log.len() + 1);
        let frame = self.frame(shot, after.clone());
        self.log = after;
        Some(frame)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.replay.record.log().len() - self.log.len();
        (left, Some(left))
    }
}

impl ExactSizeIterator for Frames<'_> {}

impl Frames<'_> {
    fn frame(&mut self, shot: Shot, after: ShotLog) -> Frame {
        let (number, before) = (self.log.len() + 1, self.log.clone());
        let thought = self.captain.as_mut().map(|captain| {
            // The reason is drawn from a copy, so that explaining a shot doesn't change the game.
            let reason = captain.explain(&self.log, &mut self.rng.clone());
            captain.aim(&self.log, &mut self.rng);
            reason
        });
        let odds = (self.replay.odds || thought.is_none()).then(|| self.chances());
        let (advice, mode, scores, words) = match thought {
            Some(reason) => (reason.cell, Some(reason.mode), Heat::Scores(reason.scores), reason.words),
            None => (shot.cell, None, Heat::Unknown, "no odds within reach".to_owned()),
        };
        let heat = odds.unwrap_or(scores);
        if mode.is_some() || heat == Heat::Unknown {
            return Frame { number, before, after, shot, advice, mode, heat, words };
        }
        let (advice, words) = self.compare_with_best(shot.cell, &heat);
        Frame { number, before, after, shot, advice, mode, heat, words }
    }

    /// The chances of the cells not fired at.
    fn chances(&self) -> Heat {
        // A generator of its own, so that the odds don't change what the captain does.
        let mut rng = generator(self.replay.seed, self.log.len() as u64);
        let open = |chance: &dyn Fn(Cell) -> f64| {
            let cells = self.log.rules().grid().cells();
            cells.map(|cell| (!self.log.fired().contains(cell)).then(|| chance(cell))).collect()
        };
        match odds(&self.log, Engine::Transfer, BUDGET, SAMPLES, &mut rng) {
            Ok(Odds::Exact(counts)) => Heat::Chances(open(&|cell| counts.chance(cell))),
            Ok(Odds::Weighted(counts)) => Heat::Chances(open(&|cell| counts.chance(cell))),
            Ok(Odds::Estimate(rough)) => Heat::Estimates(open(&|cell| rough.chance(cell).mean)),
            Err(_) => Heat::Unknown,
        }
    }

    /// The likeliest cell, and how the shot compares with it.
    fn compare_with_best(&self, fired: Cell, heat: &Heat) -> (Cell, String) {
        let grid = self.log.rules().grid();
        let chance = |cell| heat.at(grid.index(cell)).unwrap_or(0.0);
        let best = grid.cells().find(|&cell| chance(cell) >= heat.max() && !self.log.fired().contains(cell));
        let best = best.unwrap_or(fired);
        let percent = |cell| format!("{:.1} %", chance(cell) * 100.0);
        if chance(fired) >= chance(best) {
            return (fired, format!("a ship lies there with {}, as likely as anywhere", percent(fired)));
        }
        (best, format!("a ship lies there with {}; {best} has {}", percent(fired), percent(best)))
    }
}
