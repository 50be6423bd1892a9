//! Positions that need no game: rules, deals, odds and pictures.

use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use broadside_captains::{LADDER, ROSTER, Registry, Rung};
use broadside_lab::{EstimateErrors, OddsTable, draw};
use broadside_odds::{Engine, Odds, OddsError, OutOfReach, PlacementWeights, WeightedOdds, odds_from_counts};
use broadside_rules::{Preset, Rules, RulesBuilder, ShotLog, Stop};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::app::App;
use crate::bots::PREFIX;
use crate::error::{ApiError, ErrorOut, responses};
use crate::extract::{JsonBody, JsonText, Params, object};
use crate::fair::JobInfo;
use crate::memory::JobBudget;
use crate::messages::{MAX_CELLS, MAX_SHIPS, RulesIn, RulesOut, build, chain, cost};
use crate::peer::ClientId;
use crate::routes::games::deal as deal_layout;
use crate::routes::lab::{MAX_CAPTAINS, MAX_GAMES};
use crate::routes::weights;
use crate::secret;

/// Samples for an estimate where exact odds exceed the budget.
const SAMPLES: u64 = 4000;
/// How much larger an image is than the drawing.
const IMAGE_SCALE: f32 = 2.0;

/// The captains that can be played against.
#[derive(Serialize, ToSchema)]
pub(crate) struct CaptainsOut {
    captains: Vec<CaptainOut>,
    /// Opponents from a beginner to the best.
    ladder: Vec<RungOut>,
    /// Programs of others that can be played against, as `captain` of a new game.
    #[schema(example = json!(["bot:mine"]))]
    bots: Vec<String>,
    /// Whether there is a tournament to watch, at `/tournament`.
    tournament: bool,
    /// The rules of the weights that this server was given, if it was: where layouts are the same, `weights` names how opponents hide, in
    /// a position by itself, and in a game as `density@weights` or `admiral@weights`.
    weights: Option<RulesOut>,
}

/// A rung of the ladder.
#[derive(Serialize, ToSchema)]
pub(crate) struct RungOut {
    /// The captain.
    #[schema(example = "admiral?err=0.25")]
    captain: &'static str,
    /// What was measured, for each preset.
    by_preset: Vec<MeanOut>,
}

/// Shots to sink a fleet.
#[derive(Serialize, ToSchema)]
pub(crate) struct MeanOut {
    /// The rules.
    preset: &'static str,
    /// The mean over all games.
    mean: f64,
    /// Its standard error.
    std_err: f64,
    /// How many games were played.
    games: u64,
}

impl From<&Rung> for RungOut {
    fn from(rung: &Rung) -> Self {
        let mean = |(preset, measured): (Preset, broadside_captains::MeanShots)| MeanOut {
            preset: preset.word(),
            mean: measured.mean,
            std_err: measured.std_err,
            games: measured.games,
        };
        Self { captain: rung.captain, by_preset: rung.means().map(mean).collect() }
    }
}

/// A captain.
#[derive(Serialize, ToSchema)]
pub(crate) struct CaptainOut {
    /// The name.
    name: &'static str,
    /// How it plays, in one line.
    about: &'static str,
    /// Where it comes from.
    source: &'static str,
}

/// All captains.
#[utoipa::path(get, path = "/api/captains", tag = "analysis", responses((status = 200, description = "the captains", body = CaptainsOut)))]
pub(crate) async fn captains(State(app): State<App>) -> Json<CaptainsOut> {
    let captain =
        |entry: &broadside_captains::CaptainInfo| CaptainOut { name: entry.name, about: entry.about, source: entry.source };
    Json(CaptainsOut {
        captains: ROSTER.iter().map(captain).collect(),
        ladder: LADDER.iter().map(RungOut::from).collect(),
        bots: app.config.bots.iter().map(|bot| format!("{PREFIX}{}", bot.name)).collect(),
        tournament: app.config.tournament.is_some(),
        weights: app.config.weights.as_ref().map(|own| RulesOut::from(&own.rules)),
    })
}

/// The presets, and the limits of this server.
#[derive(Serialize, ToSchema)]
pub(crate) struct PresetsOut {
    presets: Vec<PresetOut>,
    limits: Limits,
}

/// A preset.
#[derive(Serialize, ToSchema)]
pub(crate) struct PresetOut {
    name: &'static str,
    rules: RulesOut,
}

/// The limits of this server.
#[derive(Serialize, ToSchema)]
pub(crate) struct Limits {
    /// Cells of a board.
    cells: usize,
    /// Ships of a fleet.
    ships: usize,
    /// Games of a campaign, over all its captains.
    games: u64,
    /// Captains of a campaign.
    captains: usize,
}

/// All presets.
#[utoipa::path(get, path = "/api/presets", tag = "analysis", responses((status = 200, description = "the presets", body = PresetsOut)))]
pub(crate) async fn presets() -> Json<PresetsOut> {
    let preset = |&preset: &Preset| PresetOut { name: preset.word(), rules: RulesOut::from(&preset.rules()) };
    let limits = Limits { cells: MAX_CELLS, ships: MAX_SHIPS, games: MAX_GAMES, captains: MAX_CAPTAINS };
    Json(PresetsOut { presets: Preset::ALL.iter().map(preset).collect(), limits })
}

/// A job that belongs to no game.
pub(crate) fn job(client: ClientId, builder: &RulesBuilder) -> JobInfo {
    JobInfo { client, game: None, cost: cost(builder) }
}

/// Rules in full.
#[derive(Serialize, ToSchema)]
pub(crate) struct RulesAnswer {
    rules: RulesOut,
}

/// Checks rules and fills in what was left out.
#[utoipa::path(post, path = "/api/rules", tag = "analysis", request_body = RulesIn, responses(
    (status = 200, description = "the rules in full", body = RulesAnswer),
    (status = 422, body = ErrorOut, description = "the rules can't be played here"),
    responses::Body, responses::Busy,
))]
pub(crate) async fn rules(
    State(app): State<App>,
    client: ClientId,
    JsonBody(asked): JsonBody<RulesIn>,
) -> Result<Json<RulesAnswer>, ApiError> {
    let builder = asked.builder()?;
    let info = job(client, &builder);
    let work = move |budget: &JobBudget, stop: &Stop| build(builder.clone(), budget, stop);
    let rules = app.run(info, work).await?;
    Ok(Json(RulesAnswer { rules: RulesOut::from(&rules) }))
}

/// A request for a random fleet.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct DealIn {
    /// The rules.
    #[serde(default, deserialize_with = "object")]
    rules: RulesIn,
}

/// A random fleet.
#[derive(Serialize, ToSchema)]
pub(crate) struct Dealt {
    /// Each ship by its ends.
    ships: Vec<String>,
}

/// A fleet placed at random, every layout equally likely.
#[utoipa::path(post, path = "/api/deal", tag = "analysis", request_body = DealIn, responses(
    (status = 200, description = "the ships", body = Dealt),
    (status = 422, body = ErrorOut, description = "the rules can't be played here, or no random layout can be found"),
    responses::Body, responses::Busy,
))]
pub(crate) async fn deal(
    State(app): State<App>,
    client: ClientId,
    JsonBody(asked): JsonBody<DealIn>,
) -> Result<Json<Dealt>, ApiError> {
    let builder = asked.rules.builder()?;
    let info = job(client, &builder);
    let work = move |budget: &JobBudget, stop: &Stop| match build(builder.clone(), budget, stop)? {
        Some(rules) => deal_layout(&rules, budget, stop),
        None => Ok(None),
    };
    let layout = app.run(info, work).await?;
    Ok(Json(Dealt { ships: layout.ships().iter().map(ToString::to_string).collect() }))
}

/// A position.
#[derive(Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Position {
    /// The rules.
    #[serde(default, deserialize_with = "object")]
    rules: RulesIn,
    /// The shots with their answers, in the order they were fired.
    #[serde(default)]
    #[schema(example = "E5- C3+ C4+ C5#3")]
    shots: String,
    /// How the opponent hides: `people` for what is known of people on average, `uniform` for every layout equally likely,
    /// `weights` for what the server was given, or a line for each placement with its weight, as `broadside learn --save` writes it.
    #[schema(example = "people")]
    weights: Option<String>,
}

/// The odds of a position.
#[derive(Serialize, ToSchema)]
pub(crate) struct OddsOut {
    /// How many layouts fit; null where answers may be false, since then all count, but not all alike.
    layouts: Option<String>,
    /// For each cell, how many of them have a ship there; rows top to bottom.
    cells: Option<Vec<Vec<String>>>,
    /// For each cell, the chance of a ship there.
    odds: Vec<Vec<f64>>,
    /// The cells with the highest chance; none when the game is over.
    best: Vec<String>,
    /// Whether the numbers are exact.
    exact: bool,
    /// The engine that computed them.
    engine: &'static str,
    /// The lengths of the ships not announced as sunk.
    left: Vec<usize>,
    /// Whether every ship cell is hit.
    over: bool,
    /// Whether chances and best cells are those against an opponent who hides as the weights say. The counts never are.
    weighted: bool,
    /// What an estimate says of itself; null where the numbers are exact.
    estimate: Option<EstimateOut>,
}

/// What an estimate says of itself.
#[derive(Serialize, ToSchema)]
pub(crate) struct EstimateOut {
    /// How many random draws it is from.
    samples: u64,
    /// The standard error of the number of layouts.
    layouts_std_err: f64,
    /// The standard error of each chance.
    odds_std_err: Vec<Vec<f64>>,
}

impl Position {
    /// The rules as they are asked for.
    pub(crate) fn builder(&self) -> Result<RulesBuilder, ApiError> {
        self.rules.builder()
    }

    /// The log; `None` if the budget is light and too small.
    pub(crate) fn log(&self, budget: &JobBudget, stop: &Stop) -> Result<Option<ShotLog>, ApiError> {
        let Some(rules) = build(self.rules.builder()?, budget, stop)? else { return Ok(None) };
        ShotLog::parse(&rules, &self.shots).map(Some).map_err(|error| ApiError::Shots(chain(&error)))
    }

    /// How the opponent hides; `None` if every layout is equally likely.
    pub(crate) fn weights(&self, rules: &Rules, registry: &Registry) -> Result<Option<PlacementWeights>, ApiError> {
        weights::read(self.weights.as_deref(), rules, registry)
    }

    /// The log, its odds, and its weighted odds if there are weights; `None` if the budget is light and too small.
    fn odds(&self, registry: &Registry, budget: &JobBudget, stop: &Stop) -> Result<Option<PositionOdds>, ApiError> {
        let Some(log) = self.log(budget, stop)? else { return Ok(None) };
        let weights = self.weights(log.rules(), registry)?;
        let Some(odds) = compute_odds(&log, budget, stop)? else { return Ok(None) };
        let Some(weights) = weights else { return Ok(Some(PositionOdds { log, odds, weighted: None })) };
        let weighted = weights::weigh(&log, &weights, budget, stop)?;
        Ok(weighted.map(|weighted| PositionOdds { log, odds, weighted: Some(weighted) }))
    }
}

/// A position with all that is known of it.
struct PositionOdds {
    log: ShotLog,
    odds: Odds,
    weighted: Option<WeightedOdds>,
}

impl PositionOdds {
    fn json(&self) -> JsonText {
        let mut out = OddsOut::new(&self.log, &self.odds);
        if let Some(counts) = &self.weighted {
            let grid = self.log.rules().grid();
            let chances: Vec<f64> = grid.cells().map(|cell| counts.chance(cell)).collect();
            let best = if self.log.is_over() { Vec::new() } else { counts.best(self.log.fired()) };
            out.odds = chances.chunks(grid.cols()).map(<[f64]>::to_vec).collect();
            (out.best, out.weighted) = (best.iter().map(ToString::to_string).collect(), true);
            if let WeightedOdds::Estimate(rough) = counts {
                let std_err: Vec<f64> = grid.cells().map(|cell| rough.chance(cell).std_err).collect();
                let odds_std_err = std_err.chunks(grid.cols()).map(<[f64]>::to_vec).collect();
                out.estimate = Some(EstimateOut { samples: rough.samples(), layouts_std_err: 0.0, odds_std_err });
                (out.exact, out.engine) = (false, "estimate");
            }
        }
        JsonText::new(&out)
    }

    fn drawing(&self) -> draw::Board {
        match &self.weighted {
            Some(counts) => draw::Board::from_log(&self.log).with_chances(|cell| counts.chance(cell)),
            None => draw::Board::from_odds(&self.log, &self.odds),
        }
    }
}

impl OddsOut {
    fn new(log: &ShotLog, odds: &Odds) -> Self {
        let OddsTable { layouts, cells, odds, best, exact, engine, estimate } = OddsTable::new(log, odds, Engine::Transfer);
        let left = log.lengths_left().iter().map(|length| length.get()).collect();
        let estimate = estimate.map(|EstimateErrors { samples, layouts_std_err, odds_std_err }| EstimateOut {
            samples,
            layouts_std_err,
            odds_std_err,
        });
        Self { layouts, cells, odds, best, exact, engine, left, over: log.is_over(), weighted: false, estimate }
    }
}

/// The odds of a log; `None` if the budget is light and too small.
pub(crate) fn odds_for_log(log: &ShotLog, budget: &JobBudget, stop: &Stop) -> Result<Option<JsonText>, ApiError> {
    Ok(compute_odds(log, budget, stop)?.map(|odds| JsonText::new(&OddsOut::new(log, &odds))))
}

fn compute_odds(log: &ShotLog, budget: &JobBudget, stop: &Stop) -> Result<Option<Odds>, ApiError> {
    let limits = budget.tables.until(stop);
    match Engine::Transfer.count(log, limits.clone()) {
        Err(OutOfReach::Memory) if budget.is_light => Ok(None),
        Err(OutOfReach::FalseAnswers) => {
            match odds_from_counts(log, Err(OutOfReach::FalseAnswers), limits, 0, &mut secret::rng()) {
                Err(OddsError::OutOfReach { source: OutOfReach::Memory, .. }) if budget.is_light => Ok(None),
                odds => Ok(Some(odds?)),
            }
        }
        counted => Ok(Some(odds_from_counts(log, counted, limits, SAMPLES, &mut secret::rng())?)),
    }
}

/// The odds of a position, and the best shots.
#[utoipa::path(post, path = "/api/odds", tag = "analysis", request_body = Position, responses(
    (status = 200, description = "exact odds, or an estimate that says so", body = OddsOut),
    (status = 422, body = ErrorOut, description = "the rules or shots can't be read, or contradict each other"),
    responses::Body, responses::Busy,
))]
pub(crate) async fn position_odds(
    State(app): State<App>,
    client: ClientId,
    JsonBody(position): JsonBody<Position>,
) -> Result<JsonText, ApiError> {
    let info = job(client, &position.rules.builder()?);
    let registry = app.registry.clone();
    let work = move |budget: &JobBudget, stop: &Stop| Ok(position.odds(&registry, budget, stop)?.map(|odds| odds.json()));
    app.run(info, work).await
}

/// A position, and the format of its picture.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub(crate) struct PictureQuery {
    /// The preset to start from.
    #[param(example = "classic")]
    preset: Option<String>,
    /// Rows and columns.
    board: Option<String>,
    /// Lengths of the ships.
    fleet: Option<String>,
    /// How close ships may lie.
    touch: Option<String>,
    /// What is announced beyond hit or miss.
    call: Option<String>,
    /// Cells where no ship can lie and nobody fires, or `none`.
    rocks: Option<String>,
    /// Shots a turn, and when they are answered.
    salvo: Option<String>,
    /// The chance that an answer is false.
    noise: Option<String>,
    /// The shots with their answers.
    #[serde(default)]
    #[param(required = false, example = "E5- C3+")]
    shots: String,
    /// How the opponent hides, such as `people`, or `weights` for what the server was given.
    #[param(example = "people")]
    weights: Option<String>,
    /// `svg` (the default) or `png`.
    #[param(example = "svg")]
    format: Option<String>,
}

/// A picture of the board with its odds.
#[utoipa::path(get, path = "/api/picture", tag = "analysis", params(PictureQuery), responses(
    (status = 200, description = "the picture", content((Vec<u8> = "image/svg+xml"), (Vec<u8> = "image/png"))),
    (status = 400, body = ErrorOut, description = "can't be read"),
    (status = 422, body = ErrorOut, description = "the rules or shots can't be read, or contradict each other"),
    responses::Busy,
))]
pub(crate) async fn picture(
    State(app): State<App>,
    client: ClientId,
    Params(asked): Params<PictureQuery>,
) -> Result<Response, ApiError> {
    let PictureQuery { preset, board, fleet, touch, call, rocks, salvo, noise, shots, weights, format } = asked;
    let image = match format.as_deref() {
        None | Some("svg") => false,
        Some("png") => true,
        Some(_) => return Err(ApiError::Unreadable("a picture's format is svg or png".to_owned())),
    };
    let position = Position { rules: RulesIn { preset, board, fleet, touch, call, rocks, salvo, noise }, shots, weights };
    let info = job(client, &position.rules.builder()?);
    let registry = app.registry.clone();
    let work = move |budget: &JobBudget, stop: &Stop| {
        position.odds(&registry, budget, stop)?.map(|odds| picture_of(&odds, image)).transpose()
    };
    let bytes = app.run(info, work).await?;
    let (kind, file) = if image { ("image/png", "broadside.png") } else { ("image/svg+xml", "broadside.svg") };
    let disposition = format!("attachment; filename=\"{file}\"");
    Ok(([(header::CONTENT_TYPE, kind.to_owned()), (header::CONTENT_DISPOSITION, disposition)], bytes).into_response())
}

fn picture_of(odds: &PositionOdds, image: bool) -> Result<Vec<u8>, ApiError> {
    let svg = odds.drawing().svg();
    if !image {
        return Ok(svg.into_bytes());
    }
    draw::png(&svg, IMAGE_SCALE).map_err(|error| ApiError::OutOfReach(chain(&error)))
}
