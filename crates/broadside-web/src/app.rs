//! The state that all requests share.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use broadside_captains::Registry;
use broadside_rules::{Cell, Side};
use tokio::sync::watch;

use crate::error::ApiError;
use crate::game::Game;
use crate::hub::Hub;
use crate::queue::WorkQueue;
use crate::secret;
use crate::store::Store;

/// How many may wait for a captain's shot: every player of a busy evening, since each waits for one shot at most.
const WAITING_FOR_CAPTAINS: usize = 4096;
/// How many may wait for rules to be checked or a fleet to be dealt, which takes a moment on all but the tightest boards.
const WAITING_FOR_DEALS: usize = 1024;
/// How many may wait for odds, pictures and reviews.
const WAITING_FOR_ODDS: usize = 64;
/// How many clients may watch a game or a campaign at once.
const MAX_WATCHERS: usize = 4096;
/// How long a captain waits before it asks a full queue again.
const BUSY_PAUSE: Duration = Duration::from_millis(200);

/// The state that all requests share.
#[derive(Clone)]
pub(crate) struct App {
    pub(crate) store: Store,
    pub(crate) hub: Hub,
    /// Makes captains.
    pub(crate) registry: Registry,
    /// For captains' shots.
    captains: WorkQueue,
    /// For checking rules and dealing fleets.
    pub(crate) deals: WorkQueue,
    /// For odds, pictures and reviews.
    pub(crate) odds: WorkQueue,
    /// For campaigns: one at a time, so that games go on beside it.
    pub(crate) lab: WorkQueue,
    pub(crate) watchers: Arc<tokio::sync::Semaphore>,
    /// Becomes true when the server is to stop.
    pub(crate) stopping: watch::Receiver<bool>,
    /// The ids of the games whose captain is choosing a shot.
    captains_at_work: Arc<Mutex<HashSet<String>>>,
}

impl App {
    pub(crate) fn new(store: Store, stopping: watch::Receiver<bool>) -> Self {
        let cores = thread::available_parallelism().map_or(1, usize::from);
        Self {
            store,
            hub: Hub::default(),
            registry: Registry::new(),
            captains: WorkQueue::new(cores, WAITING_FOR_CAPTAINS),
            deals: WorkQueue::new(cores, WAITING_FOR_DEALS),
            odds: WorkQueue::new(cores, WAITING_FOR_ODDS),
            lab: WorkQueue::new(1, 2),
            watchers: Arc::new(tokio::sync::Semaphore::new(MAX_WATCHERS)),
            stopping,
            captains_at_work: Arc::default(),
        }
    }

    /// Lets the captain of a game fire until it is the player's turn, and gives the game after that. Nothing happens when
    /// it is the player's turn already, or when another request has started the captain.
    pub(crate) async fn let_captain_fire(&self, mut game: Arc<Game>) -> Result<Arc<Game>, ApiError> {
        let Some(_at_work) = CaptainAtWork::start(&self.captains_at_work, &game.id) else { return Ok(game) };
        while let Some((side, name)) = game.captain_to_fire().filter(|_| !self.is_stopping()) {
            match self.choose_cell(name.to_owned(), game.clone(), side).await {
                Err(ApiError::Busy) => tokio::time::sleep(BUSY_PAUSE).await,
                cell => {
                    let cell = cell?;
                    let seen = Arc::unwrap_or_clone(game);
                    game = Arc::new(self.store.run(move |db| seen.fire_unless_changed(db, side, cell)).await?);
                    self.hub.publish(&game);
                }
            }
        }
        Ok(game)
    }

    fn is_stopping(&self) -> bool {
        *self.stopping.borrow()
    }

    /// Asks a captain for its next shot. It is given its own log and a random generator of its own, nothing else.
    async fn choose_cell(&self, name: String, game: Arc<Game>, side: Side) -> Result<Cell, ApiError> {
        let registry = self.registry.clone();
        let aim = move || {
            let mut captain = registry.captain(&name, &game.rules).map_err(|error| ApiError::Captain(error.to_string()))?;
            let log = game.duel().ok_or(ApiError::NotPlaced)?.log(side);
            Ok(captain.aim(log, &mut secret::rng()))
        };
        self.captains.run(aim).await?
    }

    /// Goes on with a captain's turn in the background, if it is the captain's turn.
    pub(crate) fn resume_captain(&self, game: &Arc<Game>) {
        if game.captain_to_fire().is_some() {
            let (app, game) = (self.clone(), game.clone());
            tokio::spawn(async move {
                if let Err(error) = app.let_captain_fire(game).await {
                    tracing::error!(%error, "a captain could not fire");
                }
            });
        }
    }
}

/// Marks a game as one whose captain is choosing a shot, until dropped.
struct CaptainAtWork {
    games: Arc<Mutex<HashSet<String>>>,
    id: String,
}

impl CaptainAtWork {
    fn start(games: &Arc<Mutex<HashSet<String>>>, id: &str) -> Option<Self> {
        let mut set = games.lock().unwrap_or_else(PoisonError::into_inner);
        set.insert(id.to_owned()).then(|| Self { games: games.clone(), id: id.to_owned() })
    }
}

impl Drop for CaptainAtWork {
    fn drop(&mut self) {
        self.games.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.id);
    }
}
