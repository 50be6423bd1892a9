//! The types of all requests and answers, as JSON.
//!
//! Cells, ships and shots are text, in the same notation as on the command line.

use std::ops::Range;

use broadside_rules::{
    Call, CellSet, Ending, FitError, Fleet, Grid, Length, Noise, Preset, Rocks, Rules, RulesBuilder, Salvo, SalvoCall, ShotLog,
    Stop, Touch, TurnCall, Turns,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::error::ApiError;
use crate::extract::object;
use crate::memory::JobBudget;

/// The largest board that the server plays, in cells. Larger ones are the command line's: they can take minutes a shot.
pub(crate) const MAX_CELLS: usize = 400;
/// The most ships that the server plays with.
pub(crate) const MAX_SHIPS: usize = 40;
/// The longest name of a player, in characters.
const MAX_NAME: usize = 24;

/// Rules as they are asked for: a preset, with any of its parts overridden.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct RulesIn {
    /// The preset to start from; classic if absent.
    #[schema(example = "classic")]
    pub(crate) preset: Option<String>,
    /// Rows and columns.
    #[schema(example = "10x10")]
    pub(crate) board: Option<String>,
    /// Lengths of the ships.
    #[schema(example = "5,4,3,3,2")]
    pub(crate) fleet: Option<String>,
    /// How close ships may lie.
    #[schema(example = "allowed")]
    pub(crate) touch: Option<String>,
    /// What is announced beyond hit or miss.
    #[schema(example = "ship")]
    pub(crate) call: Option<String>,
    /// Cells where no ship can lie and nobody fires, or `none`.
    #[schema(example = "none")]
    pub(crate) rocks: Option<String>,
    /// Shots a turn: a number, or `ships` for one for each own ship afloat; answered after the turn, or each at once with `:each` after it.
    #[schema(example = "1")]
    pub(crate) salvo: Option<String>,
    /// The chance that an answer is false: a decimal from 0 to below 0.5.
    #[schema(example = "0")]
    pub(crate) noise: Option<String>,
}

impl RulesIn {
    /// The rules asked for, within the limits of this server, and not yet checked whether the fleet fits.
    pub(crate) fn builder(&self) -> Result<RulesBuilder, ApiError> {
        let preset = read::<Preset>(self.preset.as_ref())?.unwrap_or_default().builder();
        let sized = preset.with_grid(read::<Grid>(self.board.as_ref())?).with_fleet(read::<Fleet>(self.fleet.as_ref())?);
        let builder = sized.with_touch(read::<Touch>(self.touch.as_ref())?).with_call(read::<Call>(self.call.as_ref())?);
        let builder = builder.with_rocks(read::<Rocks>(self.rocks.as_ref())?).with_salvo(read::<Salvo>(self.salvo.as_ref())?);
        let builder = builder.with_noise(read::<Noise>(self.noise.as_ref())?);
        if builder.grid().len() > MAX_CELLS || builder.fleet().len() > MAX_SHIPS {
            return Err(ApiError::Limit(format!(
                "this server plays boards of up to {MAX_CELLS} cells and {MAX_SHIPS} ships; the command line plays larger ones"
            )));
        }
        Ok(builder)
    }
}

/// Checks that the fleet fits; `None` if the budget is light and too small for that. This may take a search, so it belongs in
/// a [`WorkQueue`](crate::queue::WorkQueue).
pub(crate) fn build(builder: RulesBuilder, budget: &JobBudget, stop: &Stop) -> Result<Option<Rules>, ApiError> {
    match builder.build_until(budget.positions, stop.clone()) {
        Err(FitError::Undecided { .. }) if budget.is_light => Ok(None),
        rules => rules.map(Some).map_err(|error| ApiError::Fleet(chain(&error))),
    }
}

/// What work on such a board costs, in steps: the order of waiting jobs depends on it.
pub(crate) fn cost(builder: &RulesBuilder) -> u64 {
    (builder.grid().len() * builder.fleet().len()) as u64
}

fn read<T: std::str::FromStr<Err: std::error::Error>>(text: Option<&String>) -> Result<Option<T>, ApiError> {
    text.map(|text| text.parse().map_err(|error: T::Err| ApiError::Rules(chain(&error)))).transpose()
}

/// An error with its causes, in one line.
pub(crate) fn chain(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(Some(error), |error| error.source());
    causes.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}

/// Rules in full.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct RulesOut {
    /// Rows and columns.
    pub(crate) board: String,
    /// Rows.
    pub(crate) rows: usize,
    /// Columns.
    pub(crate) cols: usize,
    /// Lengths of the ships, longest first.
    pub(crate) fleet: Vec<usize>,
    /// How close ships may lie.
    pub(crate) touch: String,
    /// What is announced beyond hit or miss.
    pub(crate) call: String,
    /// Cells where no ship can lie and nobody fires.
    pub(crate) rocks: Vec<String>,
    /// Shots a turn, and when they are answered: `1`, `ships`, `5:each`, `5:count` …
    pub(crate) salvo: String,
    /// The chance that an answer is false: `0`, `0.05` …
    pub(crate) noise: String,
    /// The usual names of the ships; null where there is none.
    pub(crate) names: Vec<Option<&'static str>>,
}

impl From<&Rules> for RulesOut {
    fn from(rules: &Rules) -> Self {
        let (grid, fleet) = (rules.grid(), rules.fleet());
        Self {
            board: grid.to_string(),
            rows: grid.rows(),
            cols: grid.cols(),
            fleet: fleet.lengths().iter().map(|length| length.get()).collect(),
            touch: rules.touch().to_string(),
            call: rules.call().to_string(),
            rocks: rules.rocks().into_iter().flat_map(CellSet::iter).map(|cell| cell.to_string()).collect(),
            salvo: rules.salvo().to_string(),
            noise: rules.noise().to_string(),
            names: fleet.names(),
        }
    }
}

/// One of the two players, as seen by the player who sends the request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Who {
    /// The player who sends the request.
    You,
    /// The other player.
    Opponent,
}

/// The phase of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Phase {
    /// The second player has not joined yet.
    Waiting,
    /// At least one player has not placed a fleet yet.
    Placing,
    /// The players fire.
    Playing,
    /// The game has ended.
    Over,
}

/// What one player may know of a game.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct View {
    /// The id of the game.
    pub(crate) id: String,
    /// The rules.
    pub(crate) rules: RulesOut,
    /// How turns are taken: `alternate` or `hit-again`.
    #[schema(value_type = String)]
    pub(crate) turns: Turns,
    /// The phase of the game.
    pub(crate) phase: Phase,
    /// The player who sends the request.
    pub(crate) you: You,
    /// The other player.
    pub(crate) opponent: Opponent,
    /// Who fired each shot, in order.
    pub(crate) order: Vec<Who>,
    /// Who is to fire.
    pub(crate) turn: Option<Who>,
    /// The shots left in the turn at hand; 0 when nobody is to fire.
    pub(crate) shots_left: usize,
    /// Who won.
    pub(crate) winner: Option<Who>,
    /// How the game ended: `sunk` or `resigned`.
    #[schema(value_type = Option<String>)]
    pub(crate) ending: Option<Ending>,
    /// The id of the replay, once the game is over.
    pub(crate) replay: Option<String>,
    /// The id of the rematch, once a player has asked for one.
    pub(crate) next: Option<String>,
    /// Whether odds and hints are allowed while the game goes on.
    pub(crate) hints: bool,
    /// The id under which spectators see the game, without anything hidden.
    pub(crate) watch: String,
}

/// The player who sends the request.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct You {
    /// The player's name.
    pub(crate) name: String,
    /// Whether the fleet is placed.
    pub(crate) placed: bool,
    /// The player's own ships.
    pub(crate) ships: Vec<String>,
    /// Those of them that are sunk.
    pub(crate) sunk: Vec<String>,
    /// The shots fired, with their answers.
    pub(crate) shots: Vec<String>,
    /// The turns of which only the number of hits was called.
    pub(crate) calls: Vec<CallOut>,
}

/// A turn of which only the number of hits was called.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct CallOut {
    /// The number, from 0, of its first shot.
    pub(crate) from: usize,
    /// The number of the first shot after it.
    pub(crate) to: usize,
    /// How many of its shots hit.
    pub(crate) hits: usize,
    /// How many ships it is called to have sunk.
    pub(crate) sinkings: usize,
    /// Their lengths, where these are called.
    pub(crate) sunk: Vec<usize>,
    /// The call as a log has it: `=2`, `=2#3` …
    pub(crate) call: String,
}

impl CallOut {
    fn new(shots: Range<usize>, call: &TurnCall) -> Self {
        Self {
            from: shots.start,
            to: shots.end,
            hits: call.hits(),
            sinkings: call.sinkings(),
            sunk: call.sunk().flatten().map(Length::get).collect(),
            call: call.to_string(),
        }
    }

    /// All such turns of a log.
    pub(crate) fn all(log: &ShotLog) -> Vec<Self> {
        log.called_turns().iter().map(|turn| Self::new(turn.shots(), turn.call())).collect()
    }

    /// All such turns of a log whose answers were told at the end of the game. Of the turn that ended it nothing else was called.
    pub(crate) fn of_finished(log: &ShotLog) -> Vec<Self> {
        if log.rules().salvo().call() != SalvoCall::Count {
            return Vec::new();
        }
        let mut turns: Vec<_> = turns(log).zip(log.turn_calls()).collect();
        turns.pop_if(|_| log.is_over());
        let counted = |(shots, call): (Range<usize>, Option<TurnCall>)| {
            let call = call.filter(|call| !tells_each_shot(call, shots.len()))?;
            Some(Self::new(shots, &call))
        };
        turns.into_iter().filter_map(counted).collect()
    }
}

/// The numbers, from 0, of the shots of each turn.
fn turns(log: &ShotLog) -> impl Iterator<Item = Range<usize>> {
    log.turns().scan(0, |from, shots| {
        let turn = *from..*from + shots.len();
        *from = turn.end;
        Some(turn)
    })
}

/// Whether what was called after so many shots tells the answer to each: none of them hit, or all did alike.
fn tells_each_shot(call: &TurnCall, shots: usize) -> bool {
    call.hits() == 0 || (call.hits() == shots && call.answers().windows(2).all(|pair| pair[0] == pair[1]))
}

/// The other player: what the game has announced, and nothing more until it is over.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct Opponent {
    /// The opponent's name.
    pub(crate) name: String,
    /// The name of the captain, if a computer plays; null for a person.
    pub(crate) captain: Option<String>,
    /// Whether the seat is taken.
    pub(crate) joined: bool,
    /// Whether the fleet is placed.
    pub(crate) placed: bool,
    /// The shots that the opponent fired, with their answers.
    pub(crate) shots: Vec<String>,
    /// The lengths of the ships not announced as sunk.
    pub(crate) left: Vec<usize>,
    /// The opponent's ships, once the game is over.
    pub(crate) ships: Option<Vec<String>>,
}

/// Who fires first, as seen by the player who makes the game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum First {
    /// The player who makes the game.
    #[default]
    Me,
    /// The other player.
    Them,
    /// Chosen at random.
    Random,
}

/// A new game.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewGame {
    /// The rules.
    #[serde(default, deserialize_with = "object")]
    pub(crate) rules: RulesIn,
    /// How turns are taken.
    #[serde(default)]
    pub(crate) turns: TurnsIn,
    /// The captain to play against; absent for a game of two people.
    #[serde(default)]
    #[schema(example = "density")]
    pub(crate) captain: Option<String>,
    /// Who fires first.
    #[serde(default)]
    pub(crate) first: First,
    /// The name of the player.
    #[serde(default)]
    pub(crate) name: Option<String>,
    /// Whether odds and hints are allowed while the game goes on; they are if absent.
    #[serde(default = "yes")]
    #[schema(required = false)]
    pub(crate) hints: bool,
}

fn yes() -> bool {
    true
}

/// How turns are taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum TurnsIn {
    /// One shot each.
    #[default]
    Alternate,
    /// Another shot after a hit.
    HitAgain,
}

impl From<TurnsIn> for Turns {
    fn from(turns: TurnsIn) -> Self {
        match turns {
            TurnsIn::Alternate => Self::Alternate,
            TurnsIn::HitAgain => Self::HitAgain,
        }
    }
}

/// The name shown for a player: the given one without what can't be seen, cut to the longest length allowed.
pub(crate) fn player_name(given: Option<&str>, otherwise: &str) -> String {
    let name: String = given.unwrap_or_default().chars().filter(|&c| is_visible(c)).take(MAX_NAME).collect();
    if name.trim().is_empty() { otherwise.to_owned() } else { name.trim().to_owned() }
}

/// Whether a character can be seen and leaves the others where they are. Control characters, those that change the direction
/// of text, and those without width could make one name look like another, or a page read backwards.
fn is_visible(c: char) -> bool {
    !c.is_control()
        && !matches!(c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}

/// A game that was made.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Made {
    /// The id of the game.
    pub(crate) id: String,
    /// The player's token, which goes with every request of this player. Keep it secret.
    pub(crate) token: String,
    /// The invitation for the second player; null against a captain.
    pub(crate) invite: Option<String>,
    /// The game.
    pub(crate) view: View,
}

/// A request to join a game.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Join {
    /// The invitation.
    pub(crate) invite: String,
    /// A secret of the client's own making, 32 to 128 characters, that becomes the player's token. A client that got no
    /// answer can join again with the same one.
    #[serde(default)]
    pub(crate) token: Option<String>,
    /// The name of the player.
    #[serde(default)]
    pub(crate) name: Option<String>,
}

/// A game that was joined.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Joined {
    /// The player's token, which goes with every request of this player. Keep it secret.
    pub(crate) token: String,
    /// The game.
    pub(crate) view: View,
}

/// A fleet as it is placed.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct LayoutIn {
    /// Each ship by its ends.
    #[schema(example = json!(["A1-A5", "B1-B4", "C1-C3", "D1-D3", "E1-E2"]))]
    pub(crate) ships: Vec<String>,
}

/// A shot.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ShotIn {
    /// The cell.
    #[schema(example = "B7")]
    pub(crate) cell: String,
    /// How many shots the player fired before this one. With it, sending the same request twice fires once.
    pub(crate) number: usize,
}

/// The rematch.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Rematch {
    /// Its id.
    pub(crate) id: String,
    /// The game.
    pub(crate) view: View,
}

/// A finished game, with both layouts and all shots.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct ReplayOut {
    /// The rules.
    pub(crate) rules: RulesOut,
    /// How turns were taken.
    #[schema(value_type = String)]
    pub(crate) turns: Turns,
    /// The two players; the one who fired first comes first.
    pub(crate) players: Vec<Player>,
    /// Who fired each shot: `first` or `second`.
    #[schema(value_type = Vec<String>)]
    pub(crate) order: Vec<broadside_rules::Side>,
    /// Who won.
    #[schema(value_type = String)]
    pub(crate) winner: broadside_rules::Side,
    /// How the game ended: `sunk` or `resigned`.
    #[schema(value_type = String)]
    pub(crate) ending: Ending,
}

/// One of the two players of a finished game.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Player {
    /// The name.
    pub(crate) name: String,
    /// The name of the captain, if a computer played; null for a person.
    pub(crate) captain: Option<String>,
    /// The ships.
    pub(crate) ships: Vec<String>,
    /// The shots, with their answers.
    pub(crate) shots: Vec<String>,
    /// The turns of which only the number of hits was called while the game went on.
    pub(crate) calls: Vec<CallOut>,
}

/// A review: each shot compared with the best one.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct ReviewOut {
    /// Expected hits as a share of the most that could be expected.
    pub(crate) accuracy: f64,
    /// The expected number of hits of these shots.
    pub(crate) expected_hits: f64,
    /// The number of hits.
    pub(crate) hits: usize,
    /// Hits minus expected hits.
    pub(crate) luck: f64,
    /// Whether all chances are exact.
    pub(crate) exact: bool,
    /// The shots in order.
    pub(crate) shots: Vec<JudgedOut>,
    /// The number, from 0, of the first shot of each turn, where answers came after the turn; empty where each shot was answered at once.
    pub(crate) turns: Vec<usize>,
    /// The turns of which only the number of hits was called while the game went on.
    pub(crate) calls: Vec<CallOut>,
}

/// A shot compared with the best one.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct JudgedOut {
    /// The shot with its answer.
    pub(crate) shot: String,
    /// Its chance to hit.
    pub(crate) chance: f64,
    /// The highest chance of any cell.
    pub(crate) best_chance: f64,
    /// The cells with that chance.
    pub(crate) best: Vec<String>,
    /// The best chance minus the chance of this shot.
    pub(crate) cost: f64,
    /// Whether the chances are exact.
    pub(crate) exact: bool,
}

impl ReviewOut {
    /// The review of a log whose answers were all told.
    pub(crate) fn new(review: &broadside_lab::Review, log: &ShotLog) -> Self {
        let withholds = log.rules().salvo().withholds();
        Self {
            accuracy: review.accuracy(),
            expected_hits: review.expected_hits(),
            hits: review.hits(),
            luck: review.luck(),
            exact: review.shots.iter().all(|judged| judged.exact),
            shots: review.shots.iter().map(JudgedOut::from).collect(),
            turns: turns(log).filter(|_| withholds).map(|turn| turn.start).collect(),
            calls: CallOut::of_finished(log),
        }
    }
}

impl From<&broadside_lab::ReviewedShot> for JudgedOut {
    fn from(judged: &broadside_lab::ReviewedShot) -> Self {
        Self {
            shot: judged.shot.to_string(),
            chance: judged.chance,
            best_chance: judged.best_chance,
            best: judged.best.iter().map(ToString::to_string).collect(),
            cost: judged.cost(),
            exact: judged.exact,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_keep_letters_of_all_languages_and_nothing_invisible() {
        assert_eq!(player_name(Some("  Zoë 王 ☠ "), "Player 1"), "Zoë 王 ☠");
        assert_eq!(player_name(Some("\u{202e}nnA\u{200b}\u{feff}\u{2066}\u{7}"), "Player 1"), "nnA");
        assert_eq!(player_name(Some("\u{200d}\u{3164}\u{ad}"), "Player 1"), "Player 1");
        assert_eq!(player_name(Some(&"x".repeat(99)), "Player 1").len(), MAX_NAME);
    }
}
