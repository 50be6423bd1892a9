//! Server-sent events of work that takes a while.

use std::convert::Infallible;
use std::future::Future;
use std::time::Duration;

use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::{Stream, stream};
use serde::Serialize;
use tokio::sync::{OwnedSemaphorePermit, mpsc};

use crate::error::ApiError;

/// How long a client may read nothing of its events. A stream that nobody reads would hold its place in a queue.
pub(crate) const READ_TIMEOUT: Duration = Duration::from_secs(15);

/// An event with data as JSON.
pub(crate) fn event(name: &str, data: &impl Serialize) -> Event {
    let data = serde_json::to_string(data).expect("plain data");
    Event::default().event(name).data(data)
}

/// The answer that sends what is received, while the client holds a watcher's place.
pub(crate) fn answer(
    received: mpsc::Receiver<Event>,
    watcher: OwnedSemaphorePermit,
) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    let stream = stream::unfold((received, watcher), |(mut received, watcher)| async move {
        let event = received.recv().await?;
        Some((Ok(event), (received, watcher)))
    });
    Sse::new(stream).keep_alive(KeepAlive::default())
}

/// Waits for work and sends what it ends with: `done`, or `refused` with the reason. The work is dropped, and so asked to stop,
/// when the client leaves.
pub(crate) async fn finish<T: Serialize>(events: mpsc::Sender<Event>, work: impl Future<Output = Result<T, ApiError>>) {
    let last = tokio::select! {
        () = events.closed() => return,
        done = work => match done {
            Ok(results) => event("done", &results),
            Err(error) => event("refused", &error.body()),
        },
    };
    // A client that doesn't read gets nothing more.
    _ = tokio::time::timeout(READ_TIMEOUT, events.send(last)).await;
}
