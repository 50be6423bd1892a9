//! Who is to be told when a game changes.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;

/// The games that somebody watches. A game that nobody watches takes no memory.
#[derive(Clone, Default)]
pub(crate) struct Hub {
    games: Arc<Mutex<HashMap<String, watch::Sender<()>>>>,
}

/// Somebody who watches a game, until dropped.
pub(crate) struct Watching {
    hub: Hub,
    id: String,
    changes: Option<watch::Receiver<()>>,
}

impl Hub {
    /// Starts to watch a game.
    pub(crate) fn watch(&self, id: &str) -> Watching {
        let changes = self.games().entry(id.to_owned()).or_insert_with(|| watch::channel(()).0).subscribe();
        Watching { hub: self.clone(), id: id.to_owned(), changes: Some(changes) }
    }

    /// Tells everybody who watches a game that it has changed.
    pub(crate) fn changed(&self, id: &str) {
        if let Some(game) = self.games().get(id) {
            game.send_replace(());
        }
    }

    fn games(&self) -> MutexGuard<'_, HashMap<String, watch::Sender<()>>> {
        self.games.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Watching {
    /// Waits for the next change since the last call.
    pub(crate) async fn change(&mut self) {
        if let Some(changes) = &mut self.changes {
            // The sender stays in the hub as long as somebody watches.
            _ = changes.changed().await;
        }
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        let mut games = self.hub.games();
        // The receiver goes first, so that the last one finds nobody left.
        self.changes = None;
        if games.get(&self.id).is_some_and(|game| game.receiver_count() == 0) {
            games.remove(&self.id);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn everybody_who_watches_is_told_and_nothing_is_kept_of_those_who_left() {
        let hub = Hub::default();
        let (mut one, mut other) = (hub.watch("a"), hub.watch("a"));
        hub.changed("a");
        one.change().await;
        other.change().await;
        drop(one);
        assert_eq!(hub.games().len(), 1);
        drop(other);
        assert_eq!(hub.games().len(), 0);
        hub.changed("a");
    }
}
