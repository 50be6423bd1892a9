//! Positions that need no game: rules, deals, odds and pictures.

use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use broadside_captains::ROSTER;
use broadside_lab::{OddsTable, draw};
use broadside_odds::{Budget, Engine, Odds, odds};
use broadside_rules::{Preset, ShotLog};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::app::App;
use crate::extract::{Asked, Body, object};
use crate::refusal::{ErrorOut, Refusal, refused};
use crate::routes::games::deal as deal_layout;
use crate::routes::lab::{MAX_CAPTAINS, MAX_GAMES};
use crate::secret;
use crate::wire::{MAX_CELLS, MAX_SHIPS, RulesIn, RulesOut, chain};

/// What one request may use. Memory bounds the time too, since tables are gone through a fixed number of times.
pub(crate) const BUDGET: Budget = Budget { bytes: 256 << 20, steps: 1 << 24 };
/// Draws for an estimate where exact odds pass the budget.
const SAMPLES: u64 = 4000;
/// How much larger an image is than the drawing.
const IMAGE_SCALE: f32 = 2.0;

/// Who can be played against.
#[derive(Serialize, ToSchema)]
pub(crate) struct CaptainsOut {
    captains: Vec<CaptainOut>,
}

/// A captain.
#[derive(Serialize, ToSchema)]
pub(crate) struct CaptainOut {
    /// The name.
    name: &'static str,
    /// What it does, in a line.
    about: &'static str,
    /// Where it comes from.
    source: &'static str,
}

/// All captains.
#[utoipa::path(get, path = "/api/captains", tag = "analysis", responses((status = 200, description = "the roster", body = CaptainsOut)))]
pub(crate) async fn captains() -> Json<CaptainsOut> {
    let captain = |entry: &broadside_captains::Entry| CaptainOut { name: entry.name, about: entry.about, source: entry.source };
    Json(CaptainsOut { captains: ROSTER.iter().map(captain).collect() })
}

/// Rules that people play by, and how far this server goes.
#[derive(Serialize, ToSchema)]
pub(crate) struct PresetsOut {
    presets: Vec<PresetOut>,
    limits: Limits,
}

/// Rules with a name.
#[derive(Serialize, ToSchema)]
pub(crate) struct PresetOut {
    name: &'static str,
    rules: RulesOut,
}

/// How far this server goes.
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

/// Rules in full.
#[derive(Serialize, ToSchema)]
pub(crate) struct RulesAnswer {
    rules: RulesOut,
}

/// Checks rules and fills in what was left out.
#[utoipa::path(post, path = "/api/rules", tag = "analysis", request_body = RulesIn, responses(
    (status = 200, description = "the rules in full", body = RulesAnswer),
    (status = 422, body = ErrorOut, description = "no such rules"),
    refused::Body, refused::Busy,
))]
pub(crate) async fn rules(State(app): State<App>, Body(asked): Body<RulesIn>) -> Result<Json<RulesAnswer>, Refusal> {
    let rules = app.dealing.think(move || asked.rules()).await??;
    Ok(Json(RulesAnswer { rules: RulesOut::from(&rules) }))
}

/// What to deal for.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct DealIn {
    /// The rules.
    #[serde(default, deserialize_with = "object")]
    rules: RulesIn,
}

/// A fleet by lot.
#[derive(Serialize, ToSchema)]
pub(crate) struct Dealt {
    /// Each ship by its ends.
    ships: Vec<String>,
}

/// A fleet placed by lot, every layout equally likely.
#[utoipa::path(post, path = "/api/deal", tag = "analysis", request_body = DealIn, responses(
    (status = 200, description = "the ships", body = Dealt),
    (status = 422, body = ErrorOut, description = "no such rules, or too tight to deal from"),
    refused::Body, refused::Busy,
))]
pub(crate) async fn deal(State(app): State<App>, Body(asked): Body<DealIn>) -> Result<Json<Dealt>, Refusal> {
    let layout = app.dealing.think(move || deal_layout(&asked.rules.rules()?)).await??;
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
}

/// The odds of a position.
#[derive(Serialize, ToSchema)]
pub(crate) struct OddsOut {
    /// How many layouts fit.
    layouts: String,
    /// For each cell, how many of them have a ship there; rows top to bottom.
    cells: Vec<Vec<String>>,
    /// For each cell, the chance of a ship there.
    odds: Vec<Vec<f64>>,
    /// The cells with the highest chance; none when the game is over.
    best: Vec<String>,
    /// Whether the numbers are exact.
    exact: bool,
    /// How they were found.
    engine: &'static str,
    /// The lengths of the ships not announced as sunk.
    left: Vec<usize>,
    /// Whether every ship cell is hit.
    over: bool,
}

impl Position {
    fn log(&self) -> Result<ShotLog, Refusal> {
        let rules = self.rules.rules()?;
        ShotLog::parse(&rules, &self.shots).map_err(|error| Refusal::Shots(chain(&error)))
    }
}

/// The odds of a log, within the budget.
pub(crate) fn odds_of(log: &ShotLog) -> Result<OddsOut, Refusal> {
    let OddsTable { layouts, cells, odds, best, exact, engine, .. } = OddsTable::of(log, &worked_out(log)?, Engine::Transfer);
    let left = log.lengths_left().iter().map(|length| length.get()).collect();
    Ok(OddsOut { layouts, cells, odds, best, exact, engine, left, over: log.is_over() })
}

fn worked_out(log: &ShotLog) -> Result<Odds, Refusal> {
    Ok(odds(log, Engine::Transfer, BUDGET, SAMPLES, &mut secret::lots())?)
}

/// The odds of a position, and the best shots.
#[utoipa::path(post, path = "/api/odds", tag = "analysis", request_body = Position, responses(
    (status = 200, description = "exact odds, or an estimate that says so", body = OddsOut),
    (status = 422, body = ErrorOut, description = "no such rules or shots, or a contradiction"),
    refused::Body, refused::Busy,
))]
pub(crate) async fn position_odds(State(app): State<App>, Body(position): Body<Position>) -> Result<Json<OddsOut>, Refusal> {
    Ok(Json(app.desk.think(move || odds_of(&position.log()?)).await??))
}

/// A position and the kind of picture.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub(crate) struct PictureOf {
    /// Where to start from.
    #[param(example = "classic")]
    preset: Option<String>,
    /// Rows and columns.
    board: Option<String>,
    /// Lengths of the ships.
    fleet: Option<String>,
    /// How close ships may lie.
    touch: Option<String>,
    /// What is called.
    call: Option<String>,
    /// The shots with their answers.
    #[serde(default)]
    #[param(required = false, example = "E5- C3+")]
    shots: String,
    /// `svg` (the default) or `png`.
    #[param(example = "svg")]
    format: Option<String>,
}

/// The board with its odds, as a picture.
#[utoipa::path(get, path = "/api/picture", tag = "analysis", params(PictureOf), responses(
    (status = 200, description = "the picture", content((Vec<u8> = "image/svg+xml"), (Vec<u8> = "image/png"))),
    (status = 400, body = ErrorOut, description = "can't be read"),
    (status = 422, body = ErrorOut, description = "no such rules or shots, or a contradiction"),
    refused::Busy,
))]
pub(crate) async fn picture(State(app): State<App>, Asked(asked): Asked<PictureOf>) -> Result<Response, Refusal> {
    let PictureOf { preset, board, fleet, touch, call, shots, format } = asked;
    let image = match format.as_deref() {
        None | Some("svg") => false,
        Some("png") => true,
        Some(_) => return Err(Refusal::Unreadable("a picture's format is svg or png".to_owned())),
    };
    let position = Position { rules: RulesIn { preset, board, fleet, touch, call }, shots };
    let bytes = app.desk.think(move || drawn(&position, image)).await??;
    let (kind, file) = if image { ("image/png", "broadside.png") } else { ("image/svg+xml", "broadside.svg") };
    let disposition = format!("attachment; filename=\"{file}\"");
    Ok(([(header::CONTENT_TYPE, kind.to_owned()), (header::CONTENT_DISPOSITION, disposition)], bytes).into_response())
}

fn drawn(position: &Position, image: bool) -> Result<Vec<u8>, Refusal> {
    let log = position.log()?;
    let svg = OddsTable::board(&log, &worked_out(&log)?).svg();
    if image { draw::png(&svg, IMAGE_SCALE).map_err(|error| Refusal::OutOfReach(chain(&error))) } else { Ok(svg.into_bytes()) }
}
