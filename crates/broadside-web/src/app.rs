//! What all requests share.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use broadside_captains::captain;
use broadside_rules::Duel;
use tokio::sync::watch;

use crate::desk::Desk;
use crate::game::Game;
use crate::live::Hub;
use crate::refusal::Refusal;
use crate::secret;
use crate::store::Store;

/// Who may wait for a captain's shot: every player of a busy evening, since each waits for one shot at most.
const WAITING_FOR_CAPTAINS: usize = 4096;
/// Who may wait for a game to be made or a fleet to be dealt, which takes a moment on all but the tightest boards.
const WAITING_FOR_DEALS: usize = 1024;
/// Who may wait for odds, pictures and reviews.
const WAITING_FOR_ODDS: usize = 64;
/// Who may watch a game or a campaign at once.
const WATCHERS: usize = 4096;
/// How long a captain who found no place at the desk waits before asking again.
const BUSY_PAUSE: Duration = Duration::from_millis(200);

/// What all requests share.
#[derive(Clone)]
pub(crate) struct App {
    pub(crate) store: Store,
    pub(crate) hub: Hub,
    /// Where captains think.
    captains: Desk,
    /// Where rules are read and fleets are dealt.
    pub(crate) dealing: Desk,
    /// Where odds are worked out, and what comes from them.
    pub(crate) desk: Desk,
    /// Where campaigns are played: one at a time, so that games go on beside it.
    pub(crate) lab: Desk,
    pub(crate) watchers: Arc<tokio::sync::Semaphore>,
    /// Becomes true when the server is to stop.
    pub(crate) closing: watch::Receiver<bool>,
    /// The games whose captain is thinking.
    thinking: Arc<Mutex<HashSet<String>>>,
}

impl App {
    pub(crate) fn new(store: Store, closing: watch::Receiver<bool>) -> Self {
        let cores = thread::available_parallelism().map_or(1, usize::from);
        Self {
            store,
            hub: Hub::default(),
            captains: Desk::new(cores, WAITING_FOR_CAPTAINS),
            dealing: Desk::new(cores, WAITING_FOR_DEALS),
            desk: Desk::new(cores, WAITING_FOR_ODDS),
            lab: Desk::new(1, 2),
            watchers: Arc::new(tokio::sync::Semaphore::new(WATCHERS)),
            closing,
            thinking: Arc::default(),
        }
    }

    /// Lets the captain of a game fire until it is the player's turn, and gives the game as it is then. Nothing happens
    /// when it is that already, or when somebody else has asked for the same and the captain is thinking.
    pub(crate) async fn let_captain_fire(&self, mut game: Game) -> Result<Game, Refusal> {
        let Some(_thinking) = Thinking::start(&self.thinking, &game.id) else { return Ok(game) };
        while let Some(duel) = self.captain_is_to_fire(&game) {
            game = match self.captain_fires(game.clone(), duel).await {
                Err(Refusal::Busy) => {
                    tokio::time::sleep(BUSY_PAUSE).await;
                    continue;
                }
                fired => fired?,
            };
            self.hub.changed(&game.id);
        }
        Ok(game)
    }

    fn captain_is_to_fire(&self, game: &Game) -> Option<Duel> {
        let duel = game.duel()?;
        (duel.turn()? == game.captain_side()? && !*self.closing.borrow()).then_some(duel)
    }

    async fn captain_fires(&self, game: Game, duel: Duel) -> Result<Game, Refusal> {
        let Some(side) = game.captain_side() else { return Ok(game) };
        let name = game.seat(side).captain.clone().unwrap_or_default();
        let number = duel.log(side).len();
        let aim = move || {
            // The captain is given its own log and nothing else, and lots that nothing else is drawn from.
            let mut captain = captain(&name, duel.rules()).map_err(|error| Refusal::Captain(error.to_string()))?;
            Ok::<_, Refusal>(captain.aim(duel.log(side), &mut secret::lots()))
        };
        let cell = self.captains.think(aim).await??;
        let id = game.id;
        self.store
            .run(move |db| {
                let mut game = Game::find(db, &id)?;
                match game.fire(db, side, cell, number) {
                    // The player has given up meanwhile.
                    Ok(()) | Err(Refusal::Over) => Ok(game),
                    Err(refusal) => Err(refusal),
                }
            })
            .await
    }

    /// Goes on with a captain's turn, without anybody waiting for it.
    pub(crate) fn wake_captain(&self, game: Game) {
        if self.captain_is_to_fire(&game).is_some() {
            let app = self.clone();
            tokio::spawn(async move {
                if let Err(refusal) = app.let_captain_fire(game).await {
                    tracing::error!(%refusal, "a captain could not fire");
                }
            });
        }
    }
}

/// Marks a game as one whose captain is thinking, until dropped.
struct Thinking {
    games: Arc<Mutex<HashSet<String>>>,
    id: String,
}

impl Thinking {
    fn start(games: &Arc<Mutex<HashSet<String>>>, id: &str) -> Option<Self> {
        let mut set = games.lock().unwrap_or_else(PoisonError::into_inner);
        set.insert(id.to_owned()).then(|| Self { games: games.clone(), id: id.to_owned() })
    }
}

impl Drop for Thinking {
    fn drop(&mut self) {
        self.games.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.id);
    }
}
