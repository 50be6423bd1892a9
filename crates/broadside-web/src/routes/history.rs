//! Finished games that a player keeps here, so that a phone and a desk share them. A secret link is the only key to them.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use rusqlite::{OptionalExtension, params};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::app::App;
use crate::error::{ApiError, ErrorOut, responses};
use crate::extract::{BearerToken, JsonBody};
use crate::game::today;
use crate::peer::ClientId;
use crate::secret::SecretHash;
use crate::shard;
use crate::store::Db;

/// Games that a player may keep.
const MAX_ENTRIES: i64 = 2000;
/// Entries of one request.
const MAX_SENT: usize = 100;
/// The longest text of an entry, in bytes.
const MAX_TEXT: usize = 128;

/// A finished game, as its player remembers it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
// Each is an answer to a question of its own, by its name in the JSON.
#[allow(clippy::struct_excessive_bools)]
pub(crate) struct HistoryEntry {
    /// The id of the game.
    id: String,
    /// When it ended, in milliseconds since 1970.
    #[schema(minimum = 0)]
    ended: i64,
    /// The captain, or the name of the other player.
    opponent: String,
    /// Whether a captain played.
    captain: bool,
    /// Whether the opponent was chosen by the player's results.
    adaptive: bool,
    /// The preset, or the rules in full.
    rules: String,
    /// Whether the player won.
    won: bool,
    /// Whether one of the two gave up.
    resigned: bool,
    /// The player's shots.
    shots: u32,
    /// Those of them that hit.
    hits: u32,
    /// The id of the replay.
    replay: Option<String>,
    /// From the review: expected hits as a share of the most that could be expected.
    accuracy: Option<f64>,
    /// From the review: hits beyond those expected.
    luck: Option<f64>,
}

impl HistoryEntry {
    fn is_short(&self) -> bool {
        let texts = [Some(&self.id), Some(&self.opponent), Some(&self.rules), self.replay.as_ref()];
        self.ended >= 0 && !self.id.is_empty() && texts.into_iter().flatten().all(|text| text.len() <= MAX_TEXT)
    }
}

/// The secret of a new list.
#[derive(Serialize, ToSchema)]
pub(crate) struct HistoryMade {
    /// The token that goes with every request of this player. Keep it secret.
    token: String,
}

/// Finished games.
#[derive(Serialize, ToSchema)]
pub(crate) struct HistoryOut {
    /// The games, the latest first.
    games: Vec<HistoryEntry>,
    /// The ids of those that were removed.
    removed: Vec<String>,
}

/// What has changed on a device.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct HistoryIn {
    /// New games, and those of which more is known now.
    #[serde(default)]
    games: Vec<HistoryEntry>,
    /// The ids of games to remove.
    #[serde(default)]
    removed: Vec<String>,
}

/// Starts an empty list.
#[utoipa::path(post, path = "/api/history/new", operation_id = "make_history", tag = "history", responses(
    (status = 201, description = "the list's token", body = HistoryMade),
    responses::Busy,
))]
pub(crate) async fn make(State(app): State<App>, client: ClientId) -> Result<(StatusCode, Json<HistoryMade>), ApiError> {
    app.limits.new_game(client)?;
    let token = shard::new_token(app.config.shard);
    let hash = SecretHash::new(&token);
    let insert = move |db: &Db<'_>| {
        db.prepare_cached("INSERT INTO player (token, day) VALUES (?1, ?2)")?.execute(params![hash.bytes(), today()])?;
        Ok(())
    };
    app.store.run(client, insert).await?;
    Ok((StatusCode::CREATED, Json(HistoryMade { token })))
}

/// The list.
#[utoipa::path(get, path = "/api/history", operation_id = "history", tag = "history", security(("token" = [])), responses(
    (status = 200, description = "all games of the list", body = HistoryOut),
    (status = 401, body = ErrorOut, description = "no token"),
    (status = 403, body = ErrorOut, description = "no list has this token"),
    (status = 421, body = ErrorOut, description = "another shard has the list"),
    responses::Busy,
))]
pub(crate) async fn show(
    State(app): State<App>,
    client: ClientId,
    BearerToken(token): BearerToken,
) -> Result<Json<HistoryOut>, ApiError> {
    let hash = hash_of(&app, &token)?;
    Ok(Json(app.store.run(client, move |db| read(db, find_player(db, &hash)?)).await?))
}

/// Adds games to the list and removes others; gives the whole list.
#[utoipa::path(post, path = "/api/history", operation_id = "add_history", tag = "history", request_body = HistoryIn, security(("token" = [])), responses(
    (status = 200, description = "all games of the list", body = HistoryOut),
    (status = 401, body = ErrorOut, description = "no token"),
    (status = 403, body = ErrorOut, description = "no list has this token"),
    (status = 421, body = ErrorOut, description = "another shard has the list"),
    (status = 422, body = ErrorOut, description = "too many games, or texts that are too long"),
    responses::Body, responses::Busy,
))]
pub(crate) async fn add(
    State(app): State<App>,
    client: ClientId,
    BearerToken(token): BearerToken,
    JsonBody(sent): JsonBody<HistoryIn>,
) -> Result<Json<HistoryOut>, ApiError> {
    if sent.games.len() + sent.removed.len() > MAX_SENT {
        return Err(ApiError::Limit(format!("at most {MAX_SENT} games can be sent at once")));
    }
    if !sent.games.iter().all(HistoryEntry::is_short) || !sent.removed.iter().all(|id| id.len() <= MAX_TEXT) {
        return Err(ApiError::Limit(format!("texts of a game have at most {MAX_TEXT} bytes, and times are after 1970")));
    }
    let hash = hash_of(&app, &token)?;
    Ok(Json(app.store.run(client, move |db| write(db, find_player(db, &hash)?, &sent)).await?))
}

/// The hash of a token, if it isn't that of another shard's list.
fn hash_of(app: &App, token: &str) -> Result<SecretHash, ApiError> {
    match app.config.shard.map(|shard| shard.check_id(token)) {
        Some(Err(other @ ApiError::OtherShard { .. })) => Err(other),
        _ => Ok(SecretHash::new(token)),
    }
}

/// The player with this token. It is found by its hash, so how long that takes tells nothing of the token. The day is written
/// down, once a day: lists that nobody uses are removed after a while.
fn find_player(db: &Db<'_>, hash: &SecretHash) -> Result<i64, ApiError> {
    let mut query = db.prepare_cached("SELECT key, day FROM player WHERE token = ?1")?;
    let found: Option<(i64, i64)> = query.query_row([hash.bytes()], |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
    let (key, day) = found.ok_or(ApiError::WrongToken)?;
    if day != today() {
        db.prepare_cached("UPDATE player SET day = ?2 WHERE key = ?1")?.execute(params![key, today()])?;
    }
    Ok(key)
}

fn read(db: &Db<'_>, player: i64) -> Result<HistoryOut, ApiError> {
    let mut query = db.prepare_cached("SELECT id, entry FROM finished WHERE player = ?1 ORDER BY ended DESC, id")?;
    let mut rows = query.query([player])?;
    let mut out = HistoryOut { games: Vec::new(), removed: Vec::new() };
    while let Some(row) = rows.next()? {
        match row.get::<_, Option<String>>(1)? {
            Some(entry) => out.games.push(serde_json::from_str(&entry).map_err(|_| ApiError::Damaged)?),
            None => out.removed.push(row.get(0)?),
        }
    }
    Ok(out)
}

/// Writes what was sent. A removed game stays removed, also when another device sends it again.
fn write(db: &Db<'_>, player: i64, sent: &HistoryIn) -> Result<HistoryOut, ApiError> {
    let upsert = "INSERT INTO finished (player, id, ended, entry) VALUES (?1, ?2, ?3, ?4)
                  ON CONFLICT (player, id) DO UPDATE SET ended = excluded.ended, entry = excluded.entry WHERE entry IS NOT NULL";
    for entry in &sent.games {
        let text = serde_json::to_string(entry).expect("plain data");
        db.prepare_cached(upsert)?.execute(params![player, entry.id, entry.ended, text])?;
    }
    for id in &sent.removed {
        db.prepare_cached(upsert)?.execute(params![player, id, 0, None::<String>])?;
    }
    let oldest = "DELETE FROM finished WHERE player = ?1 AND id NOT IN
                  (SELECT id FROM finished WHERE player = ?1 ORDER BY ended DESC, id LIMIT ?2)";
    db.prepare_cached(oldest)?.execute(params![player, MAX_ENTRIES])?;
    read(db, player)
}
