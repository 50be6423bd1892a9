//! Games as they happen, over a WebSocket.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, WebSocketUpgrade, close_code};
use axum::response::Response;
use broadside_rules::Side;
use serde::Deserialize;
use tokio::sync::watch;
use tokio::time::{Instant, MissedTickBehavior, interval_at, timeout};

use crate::app::App;
use crate::error::{ApiError, ErrorOut};
use crate::extract::PathId;
use crate::hub::{Shown, Watcher};
use crate::peer::ClientId;
use crate::presence::OpponentPresence;
use crate::routes::games::find_game;

/// The longest message that is read: a token and what is around it.
const MAX_MESSAGE: usize = 1024;
/// How long the first message may take.
const HELLO_TIMEOUT: Duration = Duration::from_secs(10);
/// Time between two pings. A client that answers none of them in this time has gone.
const PING_INTERVAL: Duration = Duration::from_secs(30);

/// The first message.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Hello {
    token: String,
    /// Whether to tell when the other player comes and goes.
    #[serde(default)]
    presence: bool,
}

/// The game at once and after every change, as text over a WebSocket. The first message is the player's: `{"token":"…"}`.
/// With `"presence":true` in it, `{"presence":{"opponent":true}}` tells whether the other player has the game open too.
/// Closed with 4401 when none comes, 4403 for a wrong token, 4404 when there is no such game.
#[utoipa::path(get, path = "/api/games/{id}/live", tag = "games", params(("id" = String, Path)), responses(
    (status = 101, description = "a WebSocket"),
    (status = 400, body = ErrorOut, description = "not a WebSocket"),
    (status = 404, body = ErrorOut, description = "no game has such an id"),
    (status = 503, body = ErrorOut, description = "too many WebSockets are open"),
))]
pub(crate) async fn live(
    State(app): State<App>,
    client: ClientId,
    PathId(id): PathId,
    upgrade: Result<WebSocketUpgrade, axum::extract::ws::rejection::WebSocketUpgradeRejection>,
) -> Result<Response, ApiError> {
    let upgrade = upgrade.map_err(|rejection| ApiError::Unreadable(rejection.body_text()))?;
    let watcher = app.watchers.clone().try_acquire_owned().map_err(|_| ApiError::Busy)?;
    // Its buffer would be 128 KB for each of thousands of watchers.
    let upgrade = upgrade.max_message_size(MAX_MESSAGE).max_frame_size(MAX_MESSAGE).read_buffer_size(MAX_MESSAGE);
    Ok(upgrade.on_upgrade(move |mut socket| async move {
        let _held = watcher;
        let end = watch(&app, id, client, &mut socket).await;
        // Whoever has left already hears nothing of it.
        _ = socket.send(Message::Close(end)).await;
    }))
}

/// Sends the game until one side ends it; gives the reason if the server does.
async fn watch(app: &App, id: String, client: ClientId, socket: &mut WebSocket) -> Option<CloseFrame> {
    let hello = match timeout(HELLO_TIMEOUT, socket.recv()).await {
        Ok(Some(Ok(Message::Text(text)))) => serde_json::from_str::<Hello>(&text).ok(),
        Ok(Some(Ok(Message::Close(_)) | Err(_)) | None) => return None,
        _ => None,
    };
    let Some(Hello { token, presence }) = hello else { return Some(refused(4401, &ApiError::NoToken)) };
    // Watched before it is read, so that no change is missed.
    let watcher = match app.hub.watch(&id) {
        Ok(watcher) => watcher,
        Err(error) => return Some(close_frame(&error)),
    };
    let found = find_game(app, client, id, token).await;
    let (game, side) = match found {
        Ok(found) => found,
        Err(error) => return Some(close_frame(&error)),
    };
    // A captain whose turn it was when the server was stopped goes on now.
    app.resume_captain(&game, client);
    let here = app.presence.enter(&game.id, side);
    let seen = (presence && game.captain_side().is_none()).then(|| here.opponent());
    send_changes(app, Shown::new(game), side, socket, (watcher, seen)).await
}

async fn send_changes(
    app: &App,
    mut shown: Arc<Shown>,
    side: Side,
    socket: &mut WebSocket,
    (mut watcher, mut seen): (Watcher, Option<OpponentPresence>),
) -> Option<CloseFrame> {
    let (mut stopping, mut ping, mut alive, mut sent) =
        (app.stopping.clone(), interval_at(Instant::now() + PING_INTERVAL, PING_INTERVAL), true, Utf8Bytes::default());
    ping.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        let view = shown.text(side);
        if view != sent {
            if socket.send(Message::Text(view.clone())).await.is_err() {
                return None;
            }
            sent = view;
        }
        shown = loop {
            tokio::select! {
                later = watcher.later_than(shown.game().changes()) => break later,
                is_here = changed(&mut seen) => {
                    let told = serde_json::json!({ "presence": { "opponent": is_here } }).to_string();
                    if socket.send(Message::Text(told.into())).await.is_err() {
                        return None;
                    }
                }
                () = stopped(&mut stopping) => return Some(frame(close_code::AWAY, "the server stops")),
                message = socket.recv() => match message {
                    Some(Ok(Message::Ping(_) | Message::Pong(_))) => alive = true,
                    Some(Ok(Message::Text(_) | Message::Binary(_))) => {
                        return Some(frame(close_code::POLICY, "nothing more is read here: games are played over HTTP"));
                    }
                    Some(Ok(Message::Close(_)) | Err(_)) | None => return None,
                },
                _ = ping.tick() => {
                    if !alive || socket.send(Message::Ping(Vec::new().into())).await.is_err() {
                        return None;
                    }
                    alive = false;
                }
            }
        };
    }
}

/// Whether the other player has come or gone; never, where nobody wants to know.
async fn changed(seen: &mut Option<OpponentPresence>) -> bool {
    match seen {
        Some(seen) => seen.changed().await,
        None => std::future::pending().await,
    }
}

async fn stopped(stopping: &mut watch::Receiver<bool>) {
    _ = stopping.wait_for(|&stopping| stopping).await;
}

fn close_frame(error: &ApiError) -> CloseFrame {
    match error {
        ApiError::WrongToken => refused(4403, error),
        ApiError::NotFound(_) => refused(4404, error),
        ApiError::Busy => frame(close_code::AGAIN, "busy"),
        _ => frame(close_code::ERROR, "something went wrong here"),
    }
}

fn refused(code: u16, error: &ApiError) -> CloseFrame {
    CloseFrame { code, reason: error.to_string().into() }
}

fn frame(code: u16, reason: &'static str) -> CloseFrame {
    CloseFrame { code, reason: Utf8Bytes::from_static(reason) }
}
