//! Finished games, for everybody who has their link.

use axum::Json;
use axum::extract::State;
use broadside_rules::Side;
use serde::Deserialize;
use utoipa::IntoParams;

use crate::app::App;
use crate::error::{ApiError, ErrorOut, responses};
use crate::extract::{JsonText, Params, PathId};
use crate::game::Game;
use crate::messages::{ReplayOut, ReviewOut};
use crate::peer::ClientId;
use crate::routes::games::run_review;
use crate::view;

/// A finished game, with both layouts and all shots.
#[utoipa::path(get, path = "/api/replays/{id}", operation_id = "replay", tag = "replays", params(("id" = String, Path)), responses(
    (status = 200, description = "the game", body = ReplayOut),
    (status = 404, body = ErrorOut, description = "no such finished game"),
    responses::Busy,
))]
pub(crate) async fn show(State(app): State<App>, client: ClientId, PathId(id): PathId) -> Result<Json<ReplayOut>, ApiError> {
    let game = app.store.run(client, move |db| Game::find_replay(db, &id)).await?;
    view::replay(&game).map(Json).ok_or(ApiError::NotFound("replay"))
}

/// Whose shots are reviewed.
#[derive(Deserialize, IntoParams)]
pub(crate) struct ReviewQuery {
    /// `first` or `second`; the one who fired first if absent.
    #[param(value_type = Option<String>, example = "first")]
    side: Option<String>,
}

/// The shots of one side of a finished game, each compared with the best one.
#[utoipa::path(get, path = "/api/replays/{id}/review", operation_id = "replay_review", tag = "replays", params(("id" = String, Path), ReviewQuery), responses(
    (status = 200, description = "the review", body = ReviewOut),
    (status = 400, body = ErrorOut, description = "can't be read"),
    (status = 404, body = ErrorOut, description = "no such finished game"),
    (status = 422, body = ErrorOut, description = "it would take more memory or time than the server allows"),
    responses::Busy,
))]
pub(crate) async fn review(
    State(app): State<App>,
    client: ClientId,
    PathId(id): PathId,
    Params(whose): Params<ReviewQuery>,
) -> Result<JsonText, ApiError> {
    let side = whose.side.as_deref().unwrap_or(Side::First.word()).parse::<Side>();
    let side = side.map_err(|error| ApiError::Unreadable(error.to_string()))?;
    let game = app.store.run(client, move |db| Game::find_replay(db, &id)).await?;
    let log = game.duel().and_then(|duel| view::told_log(duel, side)).ok_or(ApiError::NotFound("replay"))?;
    run_review(&app, &game, log, client).await
}
