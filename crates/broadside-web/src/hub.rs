//! Tells clients with a socket about new states of their games.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use axum::extract::ws::Utf8Bytes;
use broadside_rules::Side;
use tokio::sync::watch;

use crate::error::ApiError;
use crate::game::Game;
use crate::view;

/// How many clients may watch one game: two players, each with some tabs. All of them are told of every change.
const MAX_OF_GAME: usize = 16;

/// A state of a game, and how the players see it, as JSON. Made once, however many watch.
pub(crate) struct Shown {
    game: Arc<Game>,
    texts: [OnceLock<Utf8Bytes>; 2],
}

impl Shown {
    pub(crate) fn new(game: Arc<Game>) -> Arc<Self> {
        Arc::new(Self { game, texts: [const { OnceLock::new() }; 2] })
    }

    pub(crate) fn game(&self) -> &Game {
        &self.game
    }

    /// What the player of this side may see.
    pub(crate) fn text(&self, side: Side) -> Utf8Bytes {
        let make = || serde_json::to_string(&view::for_side(&self.game, side)).expect("plain data").into();
        self.texts[side as usize].get_or_init(make).clone()
    }
}

type Latest = Option<Arc<Shown>>;

/// The games that have watchers. A game without watchers takes no memory.
#[derive(Clone, Default)]
pub(crate) struct Hub {
    games: Arc<Mutex<HashMap<String, watch::Sender<Latest>>>>,
}

/// A watcher of a game, until dropped.
pub(crate) struct Watcher {
    hub: Hub,
    id: String,
    latest: Option<watch::Receiver<Latest>>,
}

impl Hub {
    /// Starts to watch a game, unless enough others do.
    pub(crate) fn watch(&self, id: &str) -> Result<Watcher, ApiError> {
        let mut games = self.games();
        let sender = games.entry(id.to_owned()).or_insert_with(|| watch::channel(None).0);
        if sender.receiver_count() >= MAX_OF_GAME {
            return Err(ApiError::Busy);
        }
        Ok(Watcher { hub: self.clone(), id: id.to_owned(), latest: Some(sender.subscribe()) })
    }

    /// Passes a game to its watchers, unless they have a later state of it: requests may publish out of order.
    pub(crate) fn publish(&self, game: &Arc<Game>) {
        // Waking the watchers takes time, in which others need the lock.
        let sender = self.games().get(&game.id).cloned();
        if let Some(sender) = sender {
            sender.send_if_modified(|latest| {
                let is_newer = latest.as_ref().is_none_or(|latest| latest.game.changes() < game.changes());
                if is_newer {
                    *latest = Some(Shown::new(game.clone()));
                }
                is_newer
            });
        }
    }

    fn games(&self) -> MutexGuard<'_, HashMap<String, watch::Sender<Latest>>> {
        self.games.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Watcher {
    /// Waits for a later state of the game than one with so many changes.
    pub(crate) async fn later_than(&mut self, changes: usize) -> Arc<Shown> {
        let is_later = |latest: &Latest| latest.as_ref().is_some_and(|shown| shown.game.changes() > changes);
        let found = match &mut self.latest {
            Some(latest) => latest.wait_for(is_later).await.ok().and_then(|shown| shown.clone()),
            None => None,
        };
        match found {
            Some(shown) => shown,
            // The sender stays in the hub as long as this watcher lives, so this is never reached.
            None => std::future::pending().await,
        }
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        let mut games = self.hub.games();
        // The receiver goes first, so that the last watcher finds none left.
        self.latest = None;
        if games.get(&self.id).is_some_and(|game| game.receiver_count() == 0) {
            games.remove(&self.id);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::tests::{new_game, with_connection};

    #[tokio::test]
    async fn every_watcher_gets_the_latest_state_and_nothing_is_kept_after_the_last() {
        let (before, after) = with_connection(|db| {
            let before = new_game(db, "a");
            let mut after = before.clone();
            after.resign(db, Side::First).unwrap();
            (Arc::new(before), Arc::new(after))
        });
        let hub = Hub::default();
        let (mut one, mut other) = (hub.watch("a").unwrap(), hub.watch("a").unwrap());
        hub.publish(&after);
        hub.publish(&before);
        for watcher in [&mut one, &mut other] {
            assert_eq!(watcher.later_than(before.changes()).await.game().resigned(), Some(Side::First));
        }
        drop(one);
        assert_eq!(hub.games().len(), 1);
        drop(other);
        assert_eq!(hub.games().len(), 0);
        hub.publish(&after);
    }

    #[test]
    fn so_many_watch_a_game_and_no_more_until_one_leaves() {
        let hub = Hub::default();
        let mut watchers: Vec<_> = (0..MAX_OF_GAME).map(|_| hub.watch("a").unwrap()).collect();
        assert!(matches!(hub.watch("a"), Err(ApiError::Busy)));
        assert!(hub.watch("b").is_ok());
        watchers.pop();
        assert!(hub.watch("a").is_ok());
    }
}
