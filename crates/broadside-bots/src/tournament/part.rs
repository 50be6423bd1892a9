//! Parts of a tournament: some of its games, as bytes that can be sent from machine to machine and put together.

use std::collections::BTreeMap;
use std::path::Path;

use broadside_lab::{CheckpointError, Ranges, TextFormat};
use serde::{Deserialize, Serialize};

use super::config::{TournamentConfig, TournamentIdentity};
use super::folder::{self, TournamentFolder, TournamentFolderError};
use super::plan::Plan;
use super::record::GameLine;
use super::results::{Score, TournamentResults};
use super::schedule::{Entry, Mode};

/// How a part is written.
pub(crate) const FORMAT: TextFormat = TextFormat { name: "broadside-tournament-part", versions: &["1"] };

/// Some games of a tournament, with what decides it.
///
/// ```
/// # #[cfg(unix)] {
/// use broadside_bots::tournament::{Mode, Pairing, Placing, Player, Tournament, TournamentConfig, TournamentMerge, TournamentPart};
/// # use broadside_bots::{BotSettings, Launcher, Resources, TimeControl};
/// # use std::sync::atomic::AtomicBool;
/// let config = TournamentConfig {
///     rules: "5x5 3,2 allowed ship".parse()?,
///     players: vec![Player::captain("random"), Player::captain("density")],
///     mode: Mode::Duel,
///     turns: broadside_rules::Turns::Alternate,
///     pairing: Pairing::RoundRobin,
///     placing: Placing::Own,
///     games: 10,
///     seed: 1,
///     sprt: None,
/// };
/// # let (time, resources) = (TimeControl::default(), Resources::default());
/// # let settings = BotSettings { launcher: Launcher::direct(), time, resources, cores: Vec::new() };
/// let tournament = Tournament::new(config, broadside_captains::Registry::new(), settings)?;
/// let play = |games: &str| Ok::<_, Box<dyn std::error::Error>>(
///     tournament.play_part(&games.parse()?, &[Vec::new()], &AtomicBool::new(false))?.to_text());
/// let mut merge = TournamentMerge::new();
/// for part in [play("6..10")?, play("0..6")?] {
///     merge.add("a part", TournamentPart::parse(&part)?)?;
/// }
/// assert_eq!(merge.finish().expect("there are parts").to_text(), play("0..10")?);
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct TournamentPart {
    plan: Plan,
    games: BTreeMap<u64, GameLine>,
}

/// A part as it is written.
#[derive(Serialize, Deserialize)]
struct Contents {
    tournament: TournamentIdentity,
    games: Vec<GameLine>,
}

/// A text that is no part of a tournament.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PartError {
    /// It is something else, or not as it was written.
    #[error(transparent)]
    Text(#[from] CheckpointError),
    /// Its games are not those of the tournament that it names.
    #[error("it is damaged: {0}")]
    Damaged(String),
}

impl TournamentPart {
    /// A part without games.
    pub fn new(config: &TournamentConfig) -> Self {
        Self { plan: Plan::of(config), games: BTreeMap::new() }
    }

    /// Reads what [`to_text`](Self::to_text) has written, and replays every game.
    ///
    /// # Errors
    /// When it is something else, damaged, or a game is not one of the tournament that it names.
    pub fn parse(text: &str) -> Result<Self, PartError> {
        let (_, contents) = FORMAT.read(text)?;
        let contents: Contents = serde_json::from_str(contents).map_err(|error| PartError::Damaged(error.to_string()))?;
        Self::from_lines(contents.tournament, contents.games)
    }

    fn from_lines(tournament: TournamentIdentity, lines: Vec<GameLine>) -> Result<Self, PartError> {
        let plan = Plan::read(tournament).map_err(|what| PartError::Damaged(what.to_owned()))?;
        let mut games = BTreeMap::new();
        for line in lines {
            let number = line.number;
            check(&plan, &line).map_err(|what| PartError::Damaged(format!("game {number}: {what}")))?;
            if games.insert(number, line).is_some() {
                return Err(PartError::Damaged(format!("game {number} is there twice")));
            }
        }
        Ok(Self { plan, games })
    }

    /// The part in a folder that `tournament --out` has made, or the part that this file is.
    ///
    /// # Errors
    /// When there is none, or it can't be read or relied on.
    pub fn read(path: &Path) -> Result<Self, TournamentFolderError> {
        let unusable = |source| TournamentFolderError::Part { path: path.to_owned(), source };
        if path.is_dir() {
            let mut lines = Vec::new();
            let (tournament, _) = TournamentFolder::read(path, |line| lines.push(line))?;
            Self::from_lines(tournament, lines).map_err(unusable)
        } else {
            Self::parse(&folder::read_text(path)?).map_err(unusable)
        }
    }

    /// The part as text with a checksum, the same for the same games.
    pub fn to_text(&self) -> String {
        FORMAT.write(&Contents { tournament: self.plan.identity.clone(), games: self.games.values().cloned().collect() })
    }

    /// What decides the tournament.
    pub fn identity(&self) -> &TournamentIdentity {
        &self.plan.identity
    }

    /// The numbers of its games.
    pub fn games(&self) -> Ranges {
        self.games.keys().map(|&number| number..number + 1).collect()
    }

    /// How many games the whole tournament has.
    pub fn whole(&self) -> u64 {
        self.plan.schedule.len()
    }

    /// The numbers of the tournament's games that are not in it.
    pub fn missing(&self) -> Ranges {
        self.games().missing_from(0..self.whole())
    }

    /// Its games, in the order of their numbers.
    pub fn lines(&self) -> impl Iterator<Item = &GameLine> {
        self.games.values()
    }

    /// Adds a game that was played.
    pub fn add(&mut self, line: GameLine) {
        self.games.insert(line.number, line);
    }

    /// What its games show: with all of them, the results of the tournament.
    pub fn results(&self) -> TournamentResults {
        let mut score = Score::of(self.plan.clone());
        self.lines().for_each(|line| score.add(line));
        score.results(&[])
    }

    /// Puts its games into a folder, as if they had been played there; those that are there already must be the same.
    ///
    /// # Errors
    /// When the folder is in use, of another tournament, has other games, or can't be written.
    pub fn write_to(&self, path: &Path) -> Result<TournamentFolder, TournamentFolderError> {
        let (mut lines, mut other) = (self.lines(), None);
        let found = |line: GameLine| {
            if lines.next() != Some(&line) {
                other.get_or_insert(line.number);
            }
        };
        let mut folder = TournamentFolder::open(path, self.identity(), &self.games(), true, found)?;
        if let Some(number) = other {
            let what = format!("its game {number} is not the one of the parts");
            return Err(TournamentFolderError::Other { path: path.to_owned(), what });
        }
        lines.try_for_each(|line| folder.add(line))?;
        Ok(folder)
    }
}

impl TournamentResults {
    /// What a folder shows whose tournament may still be played, and whether it may. Games that are missing are left out.
    ///
    /// # Errors
    /// When there is no tournament in it, or it is damaged.
    pub fn so_far(path: &Path) -> Result<(Self, bool), TournamentFolderError> {
        let plan = Plan::read(folder::read_identity(path)?).map_err(|what| folder::damaged(path, what))?;
        let (games, mut score) = (plan.schedule.len(), Score::of(plan));
        TournamentFolder::read(path, |line| {
            if line.number < games {
                score.add(&line);
            }
        })?;
        Ok((score.results(&[]), !folder::has_results(path)))
    }
}

/// Whether a line is a game of the tournament, as far as can be told: what is wrong with it, if it isn't.
fn check(plan: &Plan, line: &GameLine) -> Result<(), &'static str> {
    if line.number >= plan.schedule.len() {
        return Err("the tournament has no such game");
    }
    let slot = plan.schedule.slot(line.number);
    let (shooters, hider) = match slot.players {
        Entry::Solo { shooter } => (vec![shooter], None),
        Entry::Hunt { shooter, hider } => (vec![shooter], Some(hider)),
        Entry::Duel { .. } => (slot.duel_order().to_vec(), None),
    };
    let name = |player: &usize| plan.players[*player].name.as_str();
    if line.game != slot.game
        || !line.players.iter().eq(shooters.iter().map(name))
        || line.hider.as_deref() != hider.as_ref().map(name)
    {
        return Err("it is of other players");
    }
    let is_there = |name: &String| line.players.contains(name) || line.hider.as_ref() == Some(name);
    if line.forfeit.as_ref().is_some_and(|forfeit| !is_there(&forfeit.player)) {
        return Err("somebody forfeited who didn't play");
    }
    if (plan.mode == Mode::Duel) != line.winner.is_some() || line.winner.as_ref().is_some_and(|name| !line.players.contains(name))
    {
        return Err("its winner is not one of its players");
    }
    if line.targets.len() != shooters.len() || line.shots.len() != shooters.len() {
        return Err("it has too many or too few logs");
    }
    (0..shooters.len()).try_for_each(|shooter| check_shots(plan, line, shooter))
}

/// Whether the shots of a player are possible, and sink the fleet of an opponent that is beaten.
fn check_shots(plan: &Plan, line: &GameLine, shooter: usize) -> Result<(), &'static str> {
    if line.targets[shooter].is_empty() {
        return if line.shots[shooter].is_empty() { Ok(()) } else { Err("somebody fired at nothing") };
    }
    let record = line.record(&plan.rules, shooter).map_err(|_| "its shots are not by the rules")?;
    let must_sink = line.forfeit.is_none() && line.winner.as_ref().is_none_or(|name| *name == line.players[shooter]);
    if must_sink && !record.log().is_over() { Err("it ends too early") } else { Ok(()) }
}

/// Puts parts of a tournament together, in any order: the result is that of one run of all their games, to the byte.
#[derive(Debug, Default)]
pub struct TournamentMerge {
    /// Names of the parts, with the games that each was the first to have.
    names: Vec<(String, Ranges)>,
    whole: Option<TournamentPart>,
}

/// Parts that can't be put together.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TournamentMergeError {
    /// A part is of another tournament than the first one.
    #[error("{part} is of another tournament than {first}: its {what}: {theirs}, and not {ours}")]
    OtherTournament {
        /// The part.
        part: String,
        /// The first part.
        first: String,
        /// What differs.
        what: String,
        /// The part's.
        theirs: String,
        /// That of the first part.
        ours: String,
    },
    /// Two parts have the same game, and it went otherwise.
    #[error(
        "{part} and {other} both have game {game}, and it went otherwise: leave out one of them. A bot whose games can be \
         repeated offers the option ‘seed’"
    )]
    Overlap {
        /// The part.
        part: String,
        /// One that came before.
        other: String,
        /// The first game that differs.
        game: u64,
    },
}

impl TournamentMerge {
    /// Without parts.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a part, and says whether it had games that were missing. Games that are there already must have gone the same way.
    ///
    /// # Errors
    /// When it is of another tournament, or a game that another part has went otherwise. Nothing is added then.
    pub fn add(&mut self, name: impl Into<String>, part: TournamentPart) -> Result<bool, TournamentMergeError> {
        let (name, games) = (name.into(), part.games());
        let Some(whole) = &mut self.whole else {
            self.whole = Some(part);
            self.names.push((name, games));
            return Ok(true);
        };
        if let Some((what, theirs, ours)) = part.identity().difference(whole.identity()) {
            return Err(TournamentMergeError::OtherTournament { part: name, first: self.names[0].0.clone(), what, theirs, ours });
        }
        let differs = |line: &&GameLine| whole.games.get(&line.number).is_some_and(|there| there != *line);
        if let Some(game) = part.lines().find(differs).map(|line| line.number) {
            let has = |(_, games): &&(String, Ranges)| games.missing_from(game..game + 1).is_empty();
            let other = self.names.iter().find(has).map(|(name, _)| name.clone()).unwrap_or_default();
            return Err(TournamentMergeError::Overlap { part: name, other, game });
        }
        let new = games.without(&whole.games());
        whole.games.extend(part.games);
        let is_new = !new.is_empty();
        self.names.push((name, new));
        Ok(is_new)
    }

    /// All parts as one; `None` if there were none.
    pub fn finish(self) -> Option<TournamentPart> {
        self.whole
    }
}
