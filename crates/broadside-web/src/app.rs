//! The state that all requests share.

use std::collections::HashSet;
use std::ops::Deref;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use broadside_captains::Registry;
use broadside_rules::{Cell, Side, Stop};
use tokio::sync::watch;

use crate::address_limits::AddressLimits;
use crate::config::Config;
use crate::error::ApiError;
use crate::game::Game;
use crate::hub::Hub;
use crate::memory::{JobBudget, MemoryAccount, MemoryPlan};
use crate::metrics::Metrics;
use crate::peer::ClientId;
use crate::presence::Presence;
use crate::queue::{JobInfo, QueueLimits, WorkQueue};
use crate::secret;
use crate::shard;
use crate::store::Store;

/// For captains' shots: every player of a busy evening may wait, since each waits for one shot at most.
const CAPTAINS: QueueLimits =
    QueueLimits { running: 0, waiting: 4096, wait: Duration::from_secs(30), run: Duration::from_secs(60) };
/// For checking rules and dealing fleets, which take a moment on all but the tightest boards.
const DEALS: QueueLimits = QueueLimits { running: 0, waiting: 1024, wait: Duration::from_secs(20), run: Duration::from_secs(20) };
/// For odds, pictures and reviews.
const ODDS: QueueLimits = QueueLimits { running: 0, waiting: 64, wait: Duration::from_secs(20), run: Duration::from_secs(20) };
/// For what needs much memory, of all kinds.
const HEAVY: QueueLimits = QueueLimits { running: 0, waiting: 64, wait: Duration::from_secs(20), run: Duration::from_secs(20) };
/// For shots to go: two at a time, so that one client has one of them at most.
const SHOTS: QueueLimits = QueueLimits { running: 2, waiting: 16, wait: Duration::from_secs(30), run: Duration::from_secs(60) };
/// For campaigns: one at a time, so that games go on beside it.
const LAB: QueueLimits = QueueLimits { running: 1, waiting: 8, wait: Duration::from_secs(60), run: Duration::from_secs(600) };
/// How many requests may have a large body at once: 8 MB of them, and as much again for what is read from them.
const MAX_LARGE_BODIES: usize = 128;
/// Who fires for a captain that takes too long, so that the game goes on.
const QUICK_CAPTAIN: &str = "density";
/// How long a captain waits before it asks a full queue again.
const BUSY_PAUSE: Duration = Duration::from_millis(200);

/// The state that all requests share. Cheap to clone, which each layer of the routes does for each request.
#[derive(Clone)]
pub(crate) struct App(Arc<Shared>);

impl Deref for App {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.0
    }
}

/// What an [`App`] holds.
pub(crate) struct Shared {
    pub(crate) store: Store,
    pub(crate) hub: Hub,
    /// Who looks at which game.
    pub(crate) presence: Presence,
    /// Makes captains.
    pub(crate) registry: Registry,
    /// For captains' shots.
    captains: WorkQueue,
    /// For checking rules and dealing fleets.
    pub(crate) deals: WorkQueue,
    /// For odds, pictures and reviews.
    pub(crate) odds: WorkQueue,
    /// For what needs much memory, of all kinds.
    heavy: WorkQueue,
    /// For shots to go, and reviews by them.
    pub(crate) shots: WorkQueue,
    /// For campaigns.
    pub(crate) lab: WorkQueue,
    pub(crate) memory: MemoryAccount,
    /// Connections at once.
    pub(crate) connections: u32,
    /// For clients that watch a game or a campaign: each has a connection.
    pub(crate) watchers: Arc<tokio::sync::Semaphore>,
    /// For requests with large bodies.
    pub(crate) large_bodies: tokio::sync::Semaphore,
    pub(crate) limits: AddressLimits,
    pub(crate) config: Arc<Config>,
    pub(crate) metrics: Metrics,
    /// Becomes true when the server is to stop.
    pub(crate) stopping: watch::Receiver<bool>,
    /// The ids of the games whose captain is choosing a shot.
    captains_at_work: Arc<Mutex<HashSet<String>>>,
}

impl App {
    pub(crate) fn new(store: Store, config: Config, metrics: Metrics, stopping: watch::Receiver<bool>) -> Self {
        // At least two, so that one client never has all of them.
        let running = thread::available_parallelism().map_or(1, usize::from).max(2);
        let plan = MemoryPlan::new(config.memory, config.limits.connections as usize);
        let memory = MemoryAccount::new(plan);
        let queue = |limits: QueueLimits, running| WorkQueue::new(QueueLimits { running, ..limits }, stopping.clone());
        Self(Arc::new(Shared {
            store,
            hub: Hub::default(),
            presence: Presence::default(),
            registry: Registry::new(),
            captains: queue(CAPTAINS, running),
            deals: queue(DEALS, running),
            odds: queue(ODDS, running),
            heavy: queue(HEAVY, memory.heavy_jobs().clamp(2, running)),
            shots: queue(SHOTS, SHOTS.running),
            lab: WorkQueue::new(LAB, stopping.clone()),
            memory,
            connections: plan.connections as u32,
            watchers: Arc::new(tokio::sync::Semaphore::new(plan.connections)),
            large_bodies: tokio::sync::Semaphore::new(MAX_LARGE_BODIES),
            limits: AddressLimits::new(&config.limits),
            config: Arc::new(config),
            metrics,
            stopping,
            captains_at_work: Arc::default(),
        }))
    }

    /// Lets the captain of a game fire until it is the player's turn, and gives the game after that. Nothing happens when
    /// it is the player's turn already, or when another request has started the captain.
    pub(crate) async fn let_captain_fire(&self, mut game: Arc<Game>, client: ClientId) -> Result<Arc<Game>, ApiError> {
        let Some(_at_work) = CaptainAtWork::start(&self.captains_at_work, &game.id) else { return Ok(game) };
        while let Some((side, name)) = game.captain_to_fire().filter(|_| !self.is_stopping()) {
            let mut cell = self.choose_cell(name.to_owned(), game.clone(), side, client).await;
            if matches!(cell, Err(ApiError::TooLong(_) | ApiError::NoMemory(_))) {
                tracing::warn!(captain = name, "a captain took too long or found no memory, and another fires for it");
                cell = self.choose_cell(QUICK_CAPTAIN.to_owned(), game.clone(), side, client).await;
            }
            match cell {
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

    /// A new id of a game or a replay, which names this shard.
    pub(crate) fn new_id(&self) -> String {
        shard::new_id(self.config.shard)
    }

    fn is_stopping(&self) -> bool {
        *self.stopping.borrow()
    }

    /// Asks a captain for its next shot. It is given its own log and a random generator of its own, nothing else.
    async fn choose_cell(&self, name: String, game: Arc<Game>, side: Side, client: ClientId) -> Result<Cell, ApiError> {
        let (info, registry) = (game.job(client), self.registry.clone());
        let aim = move |budget: &JobBudget, stop: &Stop| {
            let mut captain = registry.captain(&name, &game.rules).map_err(|error| ApiError::Captain(error.to_string()))?;
            captain.set_stop(stop);
            captain.set_budget(budget.tables);
            let log = game.duel().ok_or(ApiError::NotPlaced)?.log(side);
            let cell = captain.aim(log, &mut secret::rng());
            Ok((!budget.is_light || !captain.was_out_of_reach()).then_some(cell))
        };
        self.run(&self.captains, info, aim).await
    }

    /// Runs work in a queue with little memory and, where it says by `None` that this isn't enough, in another one with much.
    pub(crate) async fn run<T, F>(&self, queue: &WorkQueue, info: JobInfo, work: F) -> Result<T, ApiError>
    where
        T: Send + 'static,
        F: Fn(&JobBudget, &Stop) -> Result<Option<T>, ApiError> + Send + Sync + 'static,
    {
        let work = Arc::new(work);
        if let Some(done) = queue.run(info.clone(), self.within(self.memory.light(), work.clone())).await?? {
            return Ok(done);
        }
        let heavy = self.memory.heavy();
        let done = self.heavy.run(info, self.within(heavy, work)).await??;
        done.ok_or(ApiError::TooMuchMemory(heavy.tables.bytes))
    }

    /// The work as a job that takes its share of the memory first.
    fn within<T, F>(&self, budget: JobBudget, work: Arc<F>) -> impl Fn(&Stop) -> Result<T, ApiError> + use<T, F>
    where
        F: Fn(&JobBudget, &Stop) -> Result<T, ApiError>,
    {
        let memory = self.memory.clone();
        move |stop| {
            let _share = memory.take(budget.share, stop)?;
            work(&budget, stop)
        }
    }

    /// Goes on with a captain's turn in the background, if it is the captain's turn.
    pub(crate) fn resume_captain(&self, game: &Arc<Game>, client: ClientId) {
        if game.captain_to_fire().is_some() {
            let (app, game) = (self.clone(), game.clone());
            tokio::spawn(async move {
                if let Err(error) = app.let_captain_fire(game, client).await {
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
