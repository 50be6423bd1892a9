//! Finished games, for whoever has their link.

use axum::Json;
use axum::extract::State;
use broadside_rules::Side;
use serde::Deserialize;
use utoipa::IntoParams;

use crate::app::App;
use crate::extract::{Asked, Name};
use crate::game::Game;
use crate::refusal::{ErrorOut, Refusal, refused};
use crate::routes::games::judge;
use crate::view;
use crate::wire::{ReplayOut, ReviewOut};

/// A finished game, told whole.
#[utoipa::path(get, path = "/api/replays/{id}", tag = "replays", params(("id" = String, Path)), responses(
    (status = 200, description = "the game", body = ReplayOut),
    (status = 404, body = ErrorOut, description = "no such finished game"),
    refused::Busy,
))]
pub(crate) async fn show(State(app): State<App>, Name(id): Name) -> Result<Json<ReplayOut>, Refusal> {
    let game = app.store.run(move |db| Game::find_replay(db, &id)).await?;
    view::replay(&game).map(Json).ok_or(Refusal::NotFound("replay"))
}

/// Whose shots are judged.
#[derive(Deserialize, IntoParams)]
pub(crate) struct Whose {
    /// `first` or `second`; the one who fired first if absent.
    #[param(value_type = Option<String>, example = "first")]
    side: Option<String>,
}

/// The shots of one side of a finished game beside the best ones.
#[utoipa::path(get, path = "/api/replays/{id}/review", tag = "replays", params(("id" = String, Path), Whose), responses(
    (status = 200, description = "each shot judged", body = ReviewOut),
    (status = 400, body = ErrorOut, description = "can't be read"),
    (status = 404, body = ErrorOut, description = "no such finished game"),
    (status = 422, body = ErrorOut, description = "out of reach"),
    refused::Busy,
))]
pub(crate) async fn review(
    State(app): State<App>,
    Name(id): Name,
    Asked(whose): Asked<Whose>,
) -> Result<Json<ReviewOut>, Refusal> {
    let side = whose.side.as_deref().unwrap_or(Side::First.word()).parse::<Side>();
    let side = side.map_err(|error| Refusal::Unreadable(error.to_string()))?;
    let game = app.store.run(move |db| Game::find_replay(db, &id)).await?;
    let duel = game.duel().ok_or(Refusal::NotFound("replay"))?;
    Ok(Json(app.desk.think(move || judge(duel.log(side))).await??))
}
