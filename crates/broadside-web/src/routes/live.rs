//! Games as they happen, over a WebSocket.

use std::time::Duration;

use axum::extract::State;
use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, WebSocketUpgrade, close_code};
use axum::response::Response;
use serde::Deserialize;
use tokio::sync::watch;
use tokio::time::{Instant, MissedTickBehavior, interval_at, timeout};

use crate::app::App;
use crate::extract::Name;
use crate::live::Watching;
use crate::refusal::{ErrorOut, Refusal};
use crate::routes::games::seen;
use crate::view;

/// The longest message that is read: a token and what is around it.
const LONGEST: usize = 1024;
/// How long the first message may take.
const PATIENCE: Duration = Duration::from_secs(10);
/// Time between two signs of life. A watcher who gives none between two of them has gone.
const PULSE: Duration = Duration::from_secs(30);

/// The first message.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Hello {
    token: String,
}

/// The game at once and after every change, as text over a WebSocket. The first message is the player's: `{"token":"…"}`.
/// Closed with 4401 when none comes, 4403 for a wrong token, 4404 when there is no such game.
#[utoipa::path(get, path = "/api/games/{id}/live", tag = "games", params(("id" = String, Path)), responses(
    (status = 101, description = "a WebSocket"),
    (status = 400, body = ErrorOut, description = "not a WebSocket"),
    (status = 503, body = ErrorOut, description = "too many watch"),
))]
pub(crate) async fn live(
    State(app): State<App>,
    Name(id): Name,
    upgrade: Result<WebSocketUpgrade, axum::extract::ws::rejection::WebSocketUpgradeRejection>,
) -> Result<Response, Refusal> {
    let upgrade = upgrade.map_err(|rejection| Refusal::Unreadable(rejection.body_text()))?;
    let watcher = app.watchers.clone().try_acquire_owned().map_err(|_| Refusal::Busy)?;
    let upgrade = upgrade.max_message_size(LONGEST).max_frame_size(LONGEST);
    Ok(upgrade.on_upgrade(move |mut socket| async move {
        let _held = watcher;
        let end = watch(&app, id, &mut socket).await;
        // Whoever has left already hears nothing of it.
        _ = socket.send(Message::Close(end)).await;
    }))
}

/// Shows the game until somebody leaves; gives the reason when it is not the watcher.
async fn watch(app: &App, id: String, socket: &mut WebSocket) -> Option<CloseFrame> {
    let token = match timeout(PATIENCE, socket.recv()).await {
        Ok(Some(Ok(Message::Text(text)))) => serde_json::from_str::<Hello>(&text).ok().map(|hello| hello.token),
        Ok(Some(Ok(Message::Close(_)) | Err(_)) | None) => return None,
        _ => None,
    };
    let Some(token) = token else { return Some(refused(4401, &Refusal::NoToken)) };
    let mut watching = app.hub.watch(&id);
    show_changes(app, &id, &token, socket, &mut watching).await.unwrap_or_else(|refusal| Some(closing_of(&refusal)))
}

async fn show_changes(
    app: &App,
    id: &str,
    token: &str,
    socket: &mut WebSocket,
    watching: &mut Watching,
) -> Result<Option<CloseFrame>, Refusal> {
    let (mut closing, mut pulse, mut alive, mut shown) =
        (app.closing.clone(), interval_at(Instant::now() + PULSE, PULSE), true, String::new());
    pulse.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        let (game, side) = seen(app, id.to_owned(), token.to_owned()).await?;
        let view = serde_json::to_string(&view::of(&game, side)).expect("plain data");
        app.wake_captain(game);
        if view != shown {
            if socket.send(Message::Text(view.clone().into())).await.is_err() {
                return Ok(None);
            }
            shown = view;
        }
        loop {
            tokio::select! {
                () = watching.change() => break,
                () = closed(&mut closing) => return Ok(Some(frame(close_code::AWAY, "the server stops"))),
                message = socket.recv() => match message {
                    Some(Ok(Message::Ping(_) | Message::Pong(_))) => alive = true,
                    Some(Ok(Message::Text(_) | Message::Binary(_))) => {
                        return Ok(Some(frame(close_code::POLICY, "nothing more is read here: games are played over HTTP")));
                    }
                    Some(Ok(Message::Close(_)) | Err(_)) | None => return Ok(None),
                },
                _ = pulse.tick() => {
                    if !alive || socket.send(Message::Ping(Vec::new().into())).await.is_err() {
                        return Ok(None);
                    }
                    alive = false;
                }
            }
        }
    }
}

async fn closed(closing: &mut watch::Receiver<bool>) {
    _ = closing.wait_for(|&closing| closing).await;
}

fn closing_of(refusal: &Refusal) -> CloseFrame {
    match refusal {
        Refusal::WrongToken => refused(4403, refusal),
        Refusal::NotFound(_) => refused(4404, refusal),
        Refusal::Busy => frame(close_code::AGAIN, "busy"),
        _ => frame(close_code::ERROR, "something went wrong here"),
    }
}

fn refused(code: u16, refusal: &Refusal) -> CloseFrame {
    CloseFrame { code, reason: refusal.to_string().into() }
}

fn frame(code: u16, reason: &'static str) -> CloseFrame {
    CloseFrame { code, reason: Utf8Bytes::from_static(reason) }
}
