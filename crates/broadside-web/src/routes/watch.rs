//! Games for spectators, and what an invitation is to: what may be known without a seat.

use axum::Json;
use axum::extract::State;
use broadside_rules::{Side, Turns};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::app::App;
use crate::error::{ApiError, ErrorOut, responses};
use crate::extract::{JsonBody, PathId};
use crate::game::{Game, Seat};
use crate::messages::{CallOut, Phase, RulesOut};
use crate::peer::ClientId;
use crate::secret::SecretHash;
use crate::view;

/// A game as spectators see it: what both players know, and nothing that one of them hides.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct WatchOut {
    /// The rules.
    pub(crate) rules: RulesOut,
    /// The phase of the game.
    pub(crate) phase: Phase,
    /// The two players; the one who fires first comes first.
    pub(crate) players: Vec<Watched>,
    /// Who fired each shot: `first` or `second`.
    #[schema(value_type = Vec<String>)]
    pub(crate) order: Vec<Side>,
    /// Who is to fire.
    #[schema(value_type = Option<String>)]
    pub(crate) turn: Option<Side>,
    /// Who won.
    #[schema(value_type = Option<String>)]
    pub(crate) winner: Option<Side>,
    /// The id of the replay, once the game is over.
    pub(crate) replay: Option<String>,
}

/// One of the two players, as spectators see them.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Watched {
    /// The name.
    pub(crate) name: String,
    /// The name of the captain, if a computer plays; null for a person.
    pub(crate) captain: Option<String>,
    /// Whether the seat is taken.
    pub(crate) joined: bool,
    /// Whether the fleet is placed.
    pub(crate) placed: bool,
    /// The shots, with their answers.
    pub(crate) shots: Vec<String>,
    /// The turns of which only the number of hits was called.
    pub(crate) calls: Vec<CallOut>,
}

/// A game for spectators. Nothing can be changed with its id, and nothing hidden is shown before the end.
#[utoipa::path(get, path = "/api/watch/{id}", operation_id = "watch", tag = "watch", params(("id" = String, Path)), responses(
    (status = 200, description = "the game", body = WatchOut),
    (status = 404, body = ErrorOut, description = "no such game"),
    responses::Busy,
))]
pub(crate) async fn show(State(app): State<App>, client: ClientId, PathId(id): PathId) -> Result<Json<WatchOut>, ApiError> {
    let game = app.store.run(client, move |db| Game::find_watched(db, &id)).await?;
    Ok(Json(view::for_spectators(&game)))
}

/// An invitation that somebody was sent.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct InvitationIn {
    /// The invitation.
    invite: String,
}

/// What an invitation is to.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct InvitationOut {
    /// Who invites.
    name: String,
    /// The rules.
    rules: RulesOut,
    /// How turns are taken: `alternate` or `hit-again`.
    #[schema(value_type = String)]
    turns: Turns,
    /// Whether odds and hints are allowed while the game goes on.
    hints: bool,
    /// Whether the one who invites fires first.
    host_first: bool,
}

/// Who invites, and by which rules; the invitation stays unused.
#[utoipa::path(post, path = "/api/games/{id}/invitation", tag = "games", params(("id" = String, Path)), request_body = InvitationIn, responses(
    (status = 200, description = "the invitation", body = InvitationOut),
    (status = 404, body = ErrorOut, description = "no such game or invitation, or it was used"),
    responses::Body, responses::Busy,
))]
pub(crate) async fn invitation(
    State(app): State<App>,
    client: ClientId,
    PathId(id): PathId,
    JsonBody(asked): JsonBody<InvitationIn>,
) -> Result<Json<InvitationOut>, ApiError> {
    let invite = SecretHash::new(&asked.invite);
    let game = app.store.run(client, move |db| Game::find(db, &id)).await?;
    if !game.is_invited(invite) {
        return Err(ApiError::NotFound("invitation"));
    }
    let host = if game.seat(Side::First).is_taken() { Side::First } else { Side::Second };
    let Seat { name, .. } = game.seat(host);
    let rules = RulesOut::from(&game.rules);
    Ok(Json(InvitationOut { name: name.clone(), rules, turns: game.turns, hints: game.hints, host_first: host == Side::First }))
}
