//! The state that all requests share.

use std::collections::HashSet;
use std::ops::Deref;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use broadside_captains::Registry;
use broadside_rules::{Cell, ShotLog, Side, Stop};
use tokio::sync::watch;

use crate::address_limits::AddressLimits;
use crate::bots::{self, BotPlayer, ServedBot};
use crate::config::{Config, ServedWeights};
use crate::error::ApiError;
use crate::fair::JobInfo;
use crate::game::Game;
use crate::hub::Hub;
use crate::memory::{JobBudget, MemoryAccount, MemoryPlan};
use crate::metrics::Metrics;
use crate::peer::ClientId;
use crate::presence::Presence;
use crate::queue::{QueueLengths, QueueLimits, Turn, WorkQueue};
use crate::routes::tournament::LastPage;
use crate::routes::weights::WEIGHTS;
use crate::secret;
use crate::shard;
use crate::store::Store;

/// For captains' shots, rules, deals, odds, pictures and reviews: every player of a busy evening may wait, since each waits
/// for one shot at most.
const WORK: QueueLimits = QueueLimits { waiting: 4096, wait: Duration::from_secs(20) };
/// Enough for the usual boards, on all cores: a captain's shot takes a fraction of a millisecond there, exact odds a few.
const SHORT_TURN: Turn = Turn { running: 0, time: Duration::from_millis(10), nice: 0 };
/// For the unusual ones.
const MIDDLE_TURN: Turn = Turn { running: 1, time: Duration::from_millis(150), nice: 10 };
/// For the hardest.
const LONG_TURN: Turn = Turn { running: 2, time: Duration::from_secs(20), nice: 19 };
/// For what needs much memory.
const HEAVY: QueueLimits = QueueLimits { waiting: 64, wait: Duration::from_secs(20) };
/// For shots to go: two at a time, so that one client has one of them at most.
const SHOTS: QueueLimits = QueueLimits { waiting: 16, wait: Duration::from_secs(30) };
const SHOTS_TURN: Turn = Turn { running: 2, time: Duration::from_secs(60), nice: 19 };
/// For campaigns: one at a time, so that games go on beside it. Each makes room for others after a few seconds, or as soon as
/// its first games are played; one that doesn't get that far in its turn is refused.
const LAB: QueueLimits = QueueLimits { waiting: 8, wait: Duration::from_secs(120) };
const CAMPAIGN: Turn = Turn { running: 1, time: Duration::from_secs(60), nice: 19 };
/// For bots: two at a time. Each has a process of its own for each answer, with limits of its own.
const BOTS: QueueLimits = QueueLimits { waiting: 32, wait: Duration::from_secs(20) };
const BOT_TURN: Turn = Turn { running: 2, time: Duration::from_secs(30), nice: 0 };
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
    /// For everything that takes processor time but campaigns.
    work: WorkQueue,
    /// For what of it needs much memory.
    heavy: WorkQueue,
    /// For shots to go, and reviews by them.
    pub(crate) shots: WorkQueue,
    /// For campaigns.
    pub(crate) lab: WorkQueue,
    /// For answers of bots.
    bots: WorkQueue,
    /// The page about the tournament as it was made last.
    pub(crate) tournament: LastPage,
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
        let turns = [Turn { running, ..SHORT_TURN }, MIDDLE_TURN, LONG_TURN];
        let heavy_turn = Turn { running: memory.heavy_jobs().clamp(2, running), ..LONG_TURN };
        Self(Arc::new(Shared {
            store,
            hub: Hub::default(),
            presence: Presence::default(),
            registry: registry(&config),
            work: WorkQueue::new(&turns, WORK, stopping.clone()),
            lab: WorkQueue::new(&[CAMPAIGN], LAB, stopping.clone()),
            heavy: WorkQueue::new(&[heavy_turn], HEAVY, stopping.clone()),
            shots: WorkQueue::new(&[SHOTS_TURN], SHOTS, stopping.clone()),
            bots: WorkQueue::new(&[BOT_TURN], BOTS, stopping.clone()),
            tournament: LastPage::default(),
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
            let cell = match bots::find(&self.config.bots, name) {
                None => self.captains_cell(name, &game, side, client).await,
                Some(bot) => self.bots_cell(bot.cloned(), &game, side, client).await,
            };
            game = match cell {
                Err(ApiError::Busy) => {
                    tokio::time::sleep(BUSY_PAUSE).await;
                    continue;
                }
                Err(ApiError::Bot(reason)) => {
                    tracing::warn!(bot = name, %reason, "a bot loses the game");
                    let id = game.id.clone();
                    Arc::new(self.store.run(client, move |db| Game::forfeit(db, &id, side)).await?)
                }
                cell => {
                    let (cell, seen) = (cell?, Arc::unwrap_or_clone(game));
                    Arc::new(self.store.run(client, move |db| seen.fire_unless_changed(db, side, cell)).await?)
                }
            };
            self.hub.publish(&game);
        }
        Ok(game)
    }

    /// A captain's next shot, or another one's if it takes too long.
    async fn captains_cell(&self, name: &str, game: &Arc<Game>, side: Side, client: ClientId) -> Result<Cell, ApiError> {
        let cell = self.choose_cell(name.to_owned(), game.clone(), side, client).await;
        // A captain that could be made when the game began, and can't be now, plays by weights that the server no longer has.
        if !matches!(cell, Err(ApiError::TooLong(_) | ApiError::NoMemory(_) | ApiError::Captain(_))) {
            return cell;
        }
        tracing::warn!(captain = name, "a captain took too long, found no memory or lacks its weights, and another fires for it");
        self.choose_cell(QUICK_CAPTAIN.to_owned(), game.clone(), side, client).await
    }

    /// A bot's next shot, which the rules allow.
    async fn bots_cell(
        &self,
        bot: Result<ServedBot, String>,
        game: &Game,
        side: Side,
        client: ClientId,
    ) -> Result<Cell, ApiError> {
        let duel = game.duel().ok_or(ApiError::NotPlaced)?;
        let (own, opponents) = (duel.log(side).clone(), duel.log(side.other()).clone());
        let cell = self.ask_bot(bot, game.job(client), move |player| player.fire(&own, &opponents)).await?;
        duel.clone().fire(side, cell).map_err(|error| ApiError::Bot(error.to_string()))?;
        Ok(cell)
    }

    /// Asks a bot something, when it is its turn.
    pub(crate) async fn ask_bot<T: Send + 'static>(
        &self,
        bot: Result<ServedBot, String>,
        info: JobInfo,
        question: impl FnOnce(&dyn BotPlayer) -> Result<T, String> + Send + 'static,
    ) -> Result<T, ApiError> {
        let bot = bot.map_err(ApiError::Bot)?;
        let answer = self.bots.run_once(info, move |_: &Stop| question(&*bot.player)).await;
        match answer {
            Err(ApiError::TooLong(_)) => Err(ApiError::Bot("it takes too long".to_owned())),
            answer => answer?.map_err(ApiError::Bot),
        }
    }

    /// A new id of a game or a replay, which names this shard.
    pub(crate) fn new_id(&self) -> String {
        shard::new_id(self.config.shard)
    }

    fn is_stopping(&self) -> bool {
        *self.stopping.borrow()
    }

    /// Asks a captain for its next shot.
    async fn choose_cell(&self, name: String, game: Arc<Game>, side: Side, client: ClientId) -> Result<Cell, ApiError> {
        let question = CaptainQuestion::new(name, &game, side)?;
        let registry = self.registry.clone();
        self.run(game.job(client), move |budget: &JobBudget, stop: &Stop| question.answer(&registry, budget, stop)).await
    }

    /// The queues of work by their names, for whoever runs the server.
    pub(crate) fn queues(&self) -> [(&'static str, QueueLengths); 5] {
        let queues = [
            ("work", &self.work),
            ("heavy", &self.heavy),
            ("shots-to-go", &self.shots),
            ("lab", &self.lab),
            ("bots", &self.bots),
        ];
        queues.map(|(name, queue)| (name, queue.lengths()))
    }

    /// Runs work with little memory and, where it says by `None` that this isn't enough, in another queue with much.
    pub(crate) async fn run<T, F>(&self, info: JobInfo, work: F) -> Result<T, ApiError>
    where
        T: Send + 'static,
        F: Fn(&JobBudget, &Stop) -> Result<Option<T>, ApiError> + Send + Sync + 'static,
    {
        let work = Arc::new(work);
        if let Some(done) = self.work.run(info.clone(), self.within(self.memory.light(), work.clone())).await?? {
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

/// All that a captain is given: its name and its own log, never the game, which holds both layouts. So neither its shot nor the
/// time that it takes can depend on a hidden layout.
#[derive(Debug, PartialEq)]
struct CaptainQuestion {
    name: String,
    log: ShotLog,
}

impl CaptainQuestion {
    fn new(name: String, game: &Game, side: Side) -> Result<Self, ApiError> {
        Ok(Self { name, log: game.duel().ok_or(ApiError::NotPlaced)?.log(side).clone() })
    }

    /// The cell that the captain chooses, with random numbers of its own; `None` if the budget is light and too small.
    fn answer(&self, registry: &Registry, budget: &JobBudget, stop: &Stop) -> Result<Option<Cell>, ApiError> {
        let captain = registry.captain_against_people(&self.name, self.log.rules());
        let mut captain = captain.map_err(|error| ApiError::Captain(error.to_string()))?;
        captain.set_stop(stop);
        captain.set_budget(budget.tables);
        let cell = captain.aim(&self.log, &mut secret::rng());
        Ok((!budget.is_light || !captain.was_out_of_reach()).then_some(cell))
    }
}

/// Makes captains, which may know how opponents hide.
fn registry(config: &Config) -> Registry {
    match &config.weights {
        Some(ServedWeights { rules, weights }) => Registry::new().with_model_for(WEIGHTS, rules, weights.clone()),
        None => Registry::new(),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::tests::{new_game, with_connection};

    #[test]
    fn what_a_captain_is_given_is_the_same_for_every_hidden_layout() {
        with_connection(|db| {
            // Both layouts of the captain's opponent answer B2 with a miss, and nobody has fired at the captain's.
            let question = |id: &str, own: &str, others: &str| {
                let mut game = new_game(db, id);
                for (side, layout) in [(Side::First, own), (Side::Second, others)] {
                    let sql = "UPDATE seat SET layout = ?2 WHERE side = ?1 AND game = (SELECT key FROM game WHERE id = ?3)";
                    db.execute(sql, [side.word(), layout, id]).unwrap();
                }
                db.execute("UPDATE game SET sum = NULL", ()).unwrap();
                game = Game::find(db, id).unwrap_or(game);
                game.fire(db, Side::First, "B2".parse().unwrap(), 0).unwrap();
                CaptainQuestion::new("density".to_owned(), &game, Side::First).unwrap()
            };
            assert_eq!(question("a", "A1-A2", "C1-C2"), question("b", "A3-B3", "A1-A2"));
            assert_ne!(question("c", "A1-A2", "C1-C2"), question("d", "A1-A2", "B1-B2"), "an answer does tell");
        });
    }
}
