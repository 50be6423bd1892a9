//! Who has which game open, so that a player can be told whether the other one is there.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use broadside_rules::Side;
use tokio::sync::watch;

/// Open sockets of the first side and of the second.
type Counts = [usize; 2];

/// The games that somebody has open. A game that nobody looks at takes no memory.
#[derive(Clone, Default)]
pub(crate) struct Presence {
    games: Arc<Mutex<HashMap<String, watch::Sender<Counts>>>>,
}

/// A side has the game open, until dropped.
pub(crate) struct Here {
    presence: Presence,
    id: String,
    side: Side,
}

/// Tells when the other side comes and goes.
pub(crate) struct OpponentPresence {
    counts: watch::Receiver<Counts>,
    opponent: Side,
    told: Option<bool>,
}

impl Presence {
    /// A side opens the game.
    pub(crate) fn enter(&self, id: &str, side: Side) -> Here {
        let here = Here { presence: self.clone(), id: id.to_owned(), side };
        let mut games = self.games();
        let game = games.entry(id.to_owned()).or_insert_with(|| watch::channel([0; 2]).0);
        game.send_modify(|counts| counts[side as usize] += 1);
        here
    }

    fn games(&self) -> MutexGuard<'_, HashMap<String, watch::Sender<Counts>>> {
        self.games.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Here {
    /// Whether the other side is there, from now on.
    pub(crate) fn opponent(&self) -> OpponentPresence {
        let games = self.presence.games();
        let game = games.get(&self.id).expect("a game that is open has its entry");
        OpponentPresence { counts: game.subscribe(), opponent: self.side.other(), told: None }
    }
}

impl OpponentPresence {
    /// Waits until the other side's presence is another than was told last; at first it is told at once.
    pub(crate) async fn changed(&mut self) -> bool {
        let (opponent, told) = (self.opponent as usize, self.told);
        let Ok(counts) = self.counts.wait_for(|counts| told != Some(counts[opponent] > 0)).await.map(|counts| *counts) else {
            // The entry stays as long as the socket that asks, so this is never reached.
            return std::future::pending().await;
        };
        self.told = Some(counts[opponent] > 0);
        counts[opponent] > 0
    }
}

impl Drop for Here {
    fn drop(&mut self) {
        let mut games = self.presence.games();
        let Some(game) = games.get(&self.id) else { return };
        game.send_modify(|counts| counts[self.side as usize] -= 1);
        if *game.borrow() == [0; 2] {
            games.remove(&self.id);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn each_side_hears_when_the_other_comes_and_goes_and_nothing_is_kept() {
        let presence = Presence::default();
        let ann = presence.enter("a", Side::First);
        let mut bob_for_ann = ann.opponent();
        assert!(!bob_for_ann.changed().await);
        let bob = presence.enter("a", Side::Second);
        let second_tab = presence.enter("a", Side::Second);
        assert!(bob_for_ann.changed().await);
        assert!(bob.opponent().changed().await, "who comes later hears of who is there");
        drop(bob);
        drop(second_tab);
        assert!(!bob_for_ann.changed().await, "gone with the last tab");
        drop(ann);
        assert!(presence.games().is_empty());
    }
}
