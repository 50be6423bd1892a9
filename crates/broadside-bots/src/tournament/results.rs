//! What the games of a tournament show, as data.
//!
//! Nothing here depends on time, threads or interruptions: the same games give the same bytes.

use std::collections::HashMap;
use std::fmt::Write;

use broadside_lab::Histogram;
use broadside_lab::stats::{Interval, wilson};
use serde::Serialize;

use super::config::TournamentConfig;
use super::plan::Plan;
use super::ratings::{Comparison, Rating, Ratings};
use super::record::{ForfeitLine, GameLine};
use super::schedule::Mode;
use super::sprt::{Decision, Sprt};

/// The file of all results, which is written last but for the page.
pub(crate) const JSON_FILE: &str = "results.json";

/// So many forfeits are listed.
const MAX_FORFEITS: usize = 100;

/// The games of a tournament so far, in short.
#[derive(Clone, Debug)]
pub struct Score {
    plan: Plan,
    games: Vec<Seen>,
    forfeits: Vec<ForfeitLine>,
    /// The first game of each entry, to be shown.
    samples: Vec<GameLine>,
}

/// A game in short.
#[derive(Clone, Copy, Debug)]
struct Seen {
    entry: usize,
    game: u64,
    /// Who fired, and how often; for a fault, more often than there are cells.
    shooters: [(usize, i64); 2],
    /// In a duel, the number of the winner.
    winner: usize,
    /// Whether the shots sank a fleet.
    finished: bool,
}

/// The results of a tournament.
#[derive(Clone, Debug, Serialize)]
pub struct TournamentResults {
    /// What was played.
    #[serde(flatten)]
    pub tournament: super::TournamentIdentity,
    /// How many games were played in all.
    pub played: u64,
    /// The players, the best first.
    pub players: Vec<PlayerResult>,
    /// Every pair that has met.
    pub pairs: Vec<PairResult>,
    /// What firing first is worth; only in duels.
    pub first_move: Option<FirstMove>,
    /// The early stop, if it was asked for.
    pub sprt: Option<SprtResult>,
    /// The first faults that cost games.
    pub forfeits: Vec<ForfeitLine>,
    /// Games to show.
    #[serde(skip)]
    pub samples: Vec<GameLine>,
}

/// What a player did.
#[derive(Clone, Debug, Serialize)]
pub struct PlayerResult {
    /// The player.
    pub name: String,
    /// `captain` or `bot`.
    pub kind: &'static str,
    /// Comparisons with others: games of a duel, or layouts that another fired at too.
    pub games: u64,
    /// Points: 1 for a win, ½ for a draw.
    pub points: f64,
    /// Points as a share of the games.
    pub score: f64,
    /// The rating.
    #[serde(flatten)]
    pub rating: Rating,
    /// Games that it sank the fleet in.
    pub finished: u64,
    /// The mean number of shots in those.
    pub mean_shots: Option<f64>,
    /// Its standard error.
    pub std_err_shots: Option<f64>,
    /// How many games it lost by a fault.
    pub forfeits: u64,
    /// How many of its games were reviewed.
    pub reviewed: u64,
    /// Their accuracy: expected hits as a share of the most that could be expected.
    pub accuracy: Option<f64>,
    /// How many of those games took each number of shots.
    #[serde(skip)]
    pub shots: Histogram,
}

/// What two players did against each other.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PairResult {
    /// A player.
    pub a: String,
    /// The other.
    pub b: String,
    /// How many games.
    pub games: u64,
    /// How many the first won.
    pub wins: u64,
    /// How many were drawn.
    pub draws: u64,
    /// How many the first lost.
    pub losses: u64,
    /// The first one's share of the points.
    pub score: f64,
    /// Its 95% interval.
    pub interval: Option<Interval>,
    /// The share that the ratings make one expect.
    pub expected: f64,
}

/// What firing first is worth.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FirstMove {
    /// Duels.
    pub games: u64,
    /// How many the one won who fired first.
    pub wins: u64,
    /// As a share.
    pub share: f64,
    /// Its 95% interval. The rating has one of its own, under that name.
    #[serde(rename = "share_interval")]
    pub interval: Option<Interval>,
    /// On the scale of ratings.
    #[serde(flatten)]
    pub rating: Option<Rating>,
}

/// How the early stop ended.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SprtResult {
    /// The hypotheses: how much better the first player is, in points a game, or alone in shots.
    pub bounds: [f64; 2],
    /// How many differences were observed.
    pub differences: u64,
    /// The logarithm of how much likelier the higher one is.
    pub log_ratio: f64,
    /// What was decided.
    pub decision: Decision,
}

impl Score {
    /// No games yet.
    pub fn new(config: &TournamentConfig) -> Self {
        Self::of(Plan::of(config))
    }

    /// No games yet of a tournament that may have been played elsewhere.
    pub(crate) fn of(plan: Plan) -> Self {
        Self { plan, games: Vec::new(), forfeits: Vec::new(), samples: Vec::new() }
    }

    /// How many games.
    pub fn played(&self) -> u64 {
        self.games.len() as u64
    }

    /// Adds a game of the tournament.
    pub fn add(&mut self, line: &GameLine) {
        let slot = self.plan.schedule.slot(line.number);
        let number = |name: &String| self.plan.player(name).unwrap_or(0);
        let cells = signed(self.plan.rules.grid().len());
        let fault = line.forfeit.as_ref().map(|forfeit| &forfeit.player);
        let shooter = |i: usize| {
            let player = line.players.get(i).or(line.players.first());
            let shots = match (player, fault) {
                (Some(player), Some(fault)) if player == fault => cells + 1,
                // Whoever's target was never placed has beaten its owner.
                (Some(_), Some(_)) if line.hider.is_some() => 0,
                _ => signed(line.shots_of(i)),
            };
            (player.map_or(0, number), shots)
        };
        let shooters = [shooter(0), shooter(1)];
        let winner = line.winner.as_ref().map_or(shooters[0].0, number);
        self.games.push(Seen { entry: slot.entry, game: slot.game, shooters, winner, finished: fault.is_none() });
        self.forfeits.extend(line.forfeit.clone());
        if slot.game == 0 {
            self.samples.push(line.clone());
        }
    }

    /// All comparisons, pair by pair.
    pub fn comparisons(&self) -> Vec<Comparison> {
        match self.plan.mode {
            Mode::Duel => self.games.iter().map(|seen| self.duel(seen)).collect(),
            Mode::Solo => self.solo_comparisons().into_iter().map(|(comparison, _)| comparison).collect(),
        }
    }

    fn duel(&self, seen: &Seen) -> Comparison {
        let (a, b) = self.plan.pairs[seen.entry];
        let score = if seen.winner == a { 1.0 } else { 0.0 };
        let first = if seen.shooters[0].0 == a { 1.0 } else { -1.0 };
        Comparison { a, b, score, first, cluster: ((seen.entry as u64) << 40) | (seen.game / 2) }
    }

    /// Two players on one layout, or on each other's, with how many shots the first saved.
    fn solo_comparisons(&self) -> Vec<(Comparison, i64)> {
        let own = self.plan.own;
        let shots: HashMap<(usize, u64), i64> =
            self.games.iter().map(|seen| ((seen.entry, seen.game), seen.shooters[0].1)).collect();
        let entries = self.plan.schedule.entries();
        let entry_of = |player: usize| entries.iter().position(|entry| entry.players() == [player]);
        let mut found = Vec::new();
        for (pair, (a, b)) in self.plan.pairs.iter().copied().enumerate() {
            let of = if own { (Some(2 * pair), Some(2 * pair + 1)) } else { (entry_of(a), entry_of(b)) };
            let (Some(of_a), Some(of_b)) = of else { continue };
            for game in 0..self.plan.identity.games {
                let Some((x, y)) = shots.get(&(of_a, game)).zip(shots.get(&(of_b, game))) else { continue };
                let score = match x.cmp(y) {
                    std::cmp::Ordering::Less => 1.0,
                    std::cmp::Ordering::Equal => 0.5,
                    std::cmp::Ordering::Greater => 0.0,
                };
                let cluster = if own { ((pair as u64) << 40) | game } else { game };
                found.push((Comparison { a, b, score, first: 0.0, cluster }, y - x));
            }
        }
        found
    }

    /// The early stop, with what has been observed so far.
    pub fn sprt(&self) -> Option<Sprt> {
        let mut sprt = Sprt::new(self.plan.sprt?);
        match self.plan.mode {
            Mode::Solo => self.solo_comparisons().iter().for_each(|(_, saved)| sprt.add(*saved as f64)),
            Mode::Duel => {
                let games = self.comparisons();
                let differences = games.chunks_exact(2).map(|two| two[0].score + two[1].score - 1.0);
                differences.for_each(|difference| sprt.add(difference));
            }
        }
        Some(sprt)
    }

    /// The results. `accuracy` has the number of reviewed games and their accuracy for each player.
    pub fn results(&self, accuracy: &[(u64, Option<f64>)]) -> TournamentResults {
        let comparisons = self.comparisons();
        let ratings = Ratings::new(self.plan.players.len(), &comparisons);
        let mut players: Vec<PlayerResult> = (0..self.plan.players.len())
            .map(|player| self.player(player, &comparisons, &ratings, accuracy.get(player).copied().unwrap_or_default()))
            .collect();
        players.sort_by(|x, y| y.rating.rating.total_cmp(&x.rating.rating));
        let bounds = self.plan.sprt;
        let sprt = self.sprt().zip(bounds).map(|(sprt, bounds)| SprtResult {
            bounds: [bounds.low, bounds.high],
            differences: sprt.len(),
            log_ratio: sprt.log_ratio(),
            decision: sprt.decision(),
        });
        TournamentResults {
            tournament: self.plan.identity.clone(),
            played: self.played(),
            players,
            pairs: self.plan.pairs.iter().map(|&pair| self.pair(pair, &comparisons, &ratings)).collect(),
            first_move: self.first_move(&ratings),
            sprt,
            forfeits: self.forfeits.iter().take(MAX_FORFEITS).cloned().collect(),
            samples: self.samples.clone(),
        }
    }

    fn player(&self, player: usize, comparisons: &[Comparison], ratings: &Ratings, accuracy: (u64, Option<f64>)) -> PlayerResult {
        let who = &self.plan.players[player];
        let mut shots = Histogram::new(0, signed(self.plan.rules.grid().len()) + 1);
        for seen in self.games.iter().filter(|seen| seen.finished) {
            let finisher = if self.plan.mode == Mode::Duel { seen.winner } else { seen.shooters[0].0 };
            let taken = seen.shooters.iter().find(|(shooter, _)| *shooter == finisher).map(|(_, shots)| *shots);
            taken.filter(|_| finisher == player).into_iter().for_each(|taken| shots.add(taken));
        }
        let mine = |game: &Comparison| match player {
            _ if game.a == player => Some(game.score),
            _ if game.b == player => Some(1.0 - game.score),
            _ => None,
        };
        let (games, points) = comparisons.iter().filter_map(mine).fold((0, 0.0), |(n, sum), score| (n + 1, sum + score));
        let any = shots.total() > 0;
        PlayerResult {
            name: who.name.clone(),
            kind: if who.is_bot { "bot" } else { "captain" },
            games,
            points,
            score: if games > 0 { points / games as f64 } else { 0.0 },
            rating: ratings.players[player],
            finished: shots.total(),
            mean_shots: any.then(|| shots.mean()),
            std_err_shots: (shots.total() > 1).then(|| shots.std_err()),
            forfeits: self.forfeits.iter().filter(|forfeit| forfeit.player == who.name).count() as u64,
            reviewed: accuracy.0,
            accuracy: accuracy.1,
            shots,
        }
    }

    fn pair(&self, (a, b): (usize, usize), comparisons: &[Comparison], ratings: &Ratings) -> PairResult {
        let mut scores = Histogram::new(0, 2);
        let games = comparisons.iter().filter(|game| (game.a, game.b) == (a, b));
        games.for_each(|game| scores.add((2.0 * game.score) as i64));
        let interval = scores.interval().map(|interval| Interval { low: interval.low / 2.0, high: interval.high / 2.0 });
        PairResult {
            a: self.plan.players[a].name.clone(),
            b: self.plan.players[b].name.clone(),
            games: scores.total(),
            wins: scores.count_of(2),
            draws: scores.count_of(1),
            losses: scores.count_of(0),
            score: if scores.total() > 0 { scores.mean() / 2.0 } else { 0.0 },
            interval,
            expected: ratings.expected(a, b),
        }
    }

    fn first_move(&self, ratings: &Ratings) -> Option<FirstMove> {
        let games = self.games.iter().filter(|seen| seen.finished);
        let games = (self.plan.mode == Mode::Duel).then(|| games.map(|seen| seen.winner == seen.shooters[0].0));
        let (wins, games) = games?.fold((0, 0), |(wins, games), won| (wins + u64::from(won), games + 1));
        let share = if games > 0 { wins as f64 / games as f64 } else { 0.0 };
        Some(FirstMove { games, wins, share, interval: wilson(wins, games), rating: ratings.first })
    }
}

impl TournamentResults {
    /// The results as one line of JSON.
    ///
    /// # Panics
    /// Never: all in it can be written as JSON.
    pub fn json(&self) -> String {
        serde_json::to_string(self).expect("numbers and texts") + "\n"
    }

    /// A line for each player, as CSV.
    pub fn players_csv(&self) -> String {
        let mut csv = "name,kind,games,points,score,rating,std_err,low,high,mean_shots,forfeits\n".to_owned();
        for player in &self.players {
            let PlayerResult { name, kind, games, points, score, rating, forfeits, .. } = player;
            let Rating { rating, std_err, interval: Interval { low, high } } = rating;
            let shots = player.mean_shots.map(|shots| shots.to_string()).unwrap_or_default();
            let name = csv_field(name);
            _ = writeln!(csv, "{name},{kind},{games},{points},{score},{rating},{std_err},{low},{high},{shots},{forfeits}");
        }
        csv
    }

    /// A line for each pair, as CSV.
    pub fn pairs_csv(&self) -> String {
        let mut csv = "a,b,games,wins,draws,losses,score,low,high,expected\n".to_owned();
        for PairResult { a, b, games, wins, draws, losses, score, interval, expected } in &self.pairs {
            let (low, high) = interval.map(|i| (i.low.to_string(), i.high.to_string())).unwrap_or_default();
            let (a, b) = (csv_field(a), csv_field(b));
            _ = writeln!(csv, "{a},{b},{games},{wins},{draws},{losses},{score},{low},{high},{expected}");
        }
        csv
    }

    /// The data as files: their names and contents.
    pub fn data_files(&self) -> Vec<(&'static str, Vec<u8>)> {
        vec![
            ("players.csv", self.players_csv().into_bytes()),
            ("pairs.csv", self.pairs_csv().into_bytes()),
            (JSON_FILE, self.json().into_bytes()),
        ]
    }
}

/// A number of shots or cells.
fn signed(number: usize) -> i64 {
    number.cast_signed() as i64
}

/// A name as a field of CSV.
fn csv_field(text: &str) -> String {
    if text.contains([',', '"', '\n']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
}
