//! The database: one thread that owns it, and jobs that are answered only when what they wrote is on disk.
//!
//! Jobs that come while others are being written go into one transaction, so that five hundred shots at once cost a few
//! flushes of the disk and not five hundred. Each job is all or nothing by itself. Those that wait have a fair order by
//! client, and a transaction takes no more of them than fit into a moment.

use std::ops::Deref;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rusqlite::{Connection, Transaction, TransactionBehavior};
use tokio::sync::oneshot;

use crate::background::keep_to_first_core;
use crate::checkpoint::Checkpoints;
use crate::error::ApiError;
use crate::fair::{FairQueue, JobInfo};
use crate::metrics::Metrics;
use crate::peer::ClientId;
use crate::schema::{self, StoreError};

/// Jobs that may wait. With one more, that of whoever has used the most is refused.
const MAX_WAITING: usize = 4096;
/// Pages that are given back to the file system at a time: 256 KB.
const PAGES_GIVEN_BACK: i64 = 64;
/// Games that one job removes.
const REMOVED_AT_ONCE: usize = 50;
/// Jobs in one transaction.
const MAX_BATCH: usize = 256;
/// A transaction takes no more jobs after so long.
const BATCH_TIME: Duration = Duration::from_millis(1);
/// What a job costs about, in microseconds.
const JOB_COST: u64 = 50;

type Reply = Box<dyn FnOnce() + Send>;
/// A job, which is given the database, or nothing when it is refused.
type Job = Box<dyn FnOnce(Option<(&Transaction<'_>, &Metrics)>) -> Reply + Send>;

/// The database within a job.
pub(crate) struct Db<'a> {
    connection: &'a Connection,
    metrics: &'a Metrics,
}

impl<'a> Db<'a> {
    pub(crate) fn new(connection: &'a Connection, metrics: &'a Metrics) -> Self {
        Self { connection, metrics }
    }

    pub(crate) fn metrics(&self) -> &Metrics {
        self.metrics
    }
}

impl Deref for Db<'_> {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        self.connection
    }
}

/// A handle to the thread that owns the database, which ends with the last of them.
#[derive(Clone)]
pub(crate) struct Store(Arc<Handle>);

struct Handle(Arc<Jobs>);

/// The jobs that wait for the thread.
#[derive(Default)]
struct Jobs {
    queue: Mutex<Queue>,
    changed: Condvar,
}

#[derive(Default)]
struct Queue {
    waiting: FairQueue<Job>,
    /// Nobody can add a job any more.
    is_closed: bool,
}

impl Drop for Handle {
    fn drop(&mut self) {
        self.0.queue().is_closed = true;
        self.0.changed.notify_one();
    }
}

impl Jobs {
    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a job; gives the one that is refused for it when too many wait.
    fn add(&self, info: JobInfo, job: Job) -> Option<Job> {
        let refused = {
            let mut queue = self.queue();
            queue.waiting.push(info, job);
            if queue.waiting.len() > MAX_WAITING { queue.waiting.pop_last() } else { None }
        };
        // Without the lock: the thread that wakes up may take the core of this one at once, and needs the lock.
        self.changed.notify_one();
        refused
    }

    /// Waits for a job; `None` when there is none and no more can come.
    fn wait(&self) -> Option<(JobInfo, Job)> {
        let is_idle = |queue: &mut Queue| queue.waiting.len() == 0 && !queue.is_closed;
        let mut queue = self.changed.wait_while(self.queue(), is_idle).unwrap_or_else(PoisonError::into_inner);
        queue.waiting.pop(|_| true)
    }
}

impl Store {
    /// Opens the database in a folder, or makes it, and starts its thread.
    pub(crate) fn open(folder: &Path, metrics: Metrics) -> Result<Self, StoreError> {
        let (connection, lock) = schema::open(folder)?;
        let checkpoints = Checkpoints::start(folder, &connection)?;
        let jobs = Arc::new(Jobs::default());
        let handle = Handle(jobs.clone());
        thread::Builder::new()
            .name("games".to_owned())
            .spawn(move || {
                // Given back when the file is closed by both connections.
                let _lock = lock;
                let checkpoints = checkpoints;
                // Every shot waits for it.
                keep_to_first_core();
                run_jobs(connection, &checkpoints, &jobs, &metrics);
            })
            .map_err(|error| StoreError::Folder(folder.to_owned(), error))?;
        Ok(Self(Arc::new(handle)))
    }

    /// How many jobs wait for the thread.
    pub(crate) fn waiting(&self) -> usize {
        self.0.0.queue().waiting.len()
    }

    /// Runs a job for a client on the database. Once this returns, what it wrote is on disk; an error leaves nothing of it.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        client: ClientId,
        work: impl FnOnce(&Db<'_>) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let (reply, answer) = oneshot::channel();
        let job: Job = Box::new(move |database| {
            let result = match database {
                Some((transaction, metrics)) => run_in_savepoint(transaction, metrics, work),
                None => Err(ApiError::Busy),
            };
            Box::new(move || _ = reply.send(result))
        });
        let jobs = &self.0.0;
        if let Some(refused) = jobs.add(JobInfo { client, game: None, cost: JOB_COST }, job) {
            refused(None)();
        }
        // No answer comes when the transaction could not be written.
        answer.await.map_err(|_| ApiError::Internal)?
    }
}

/// Runs one job in a savepoint, by statements that are prepared once: all of it is written, or nothing. A panic fails this job alone.
fn run_in_savepoint<T>(
    transaction: &Transaction<'_>,
    metrics: &Metrics,
    work: impl FnOnce(&Db<'_>) -> Result<T, ApiError>,
) -> Result<T, ApiError> {
    let run = |sql: &str| transaction.prepare_cached(sql)?.execute(());
    run("SAVEPOINT job")?;
    let result = catch_unwind(AssertUnwindSafe(|| work(&Db::new(transaction, metrics)))).unwrap_or_else(|_| {
        tracing::error!("a job on the database panicked");
        Err(ApiError::Internal)
    });
    if result.is_err() {
        run("ROLLBACK TO job")?;
    }
    run("RELEASE job")?;
    result
}

fn run_jobs(mut connection: Connection, checkpoints: &Checkpoints, jobs: &Jobs, metrics: &Metrics) {
    let mut pages = 0;
    while let Some(first) = jobs.wait() {
        match run_batch(&mut connection, first, jobs, metrics) {
            Ok(replies) => replies.into_iter().for_each(|reply| reply()),
            Err(error) => {
                metrics.count_failed_write();
                tracing::error!(%error, "a batch could not be written");
            }
        }
        if let Err(error) = give_back(&connection, &mut pages) {
            tracing::error!(%error, "free space could not be given back");
        }
        if let Err(error) = checkpoints.after_commit(&connection) {
            tracing::error!(%error, "the log could not be copied into the database");
        }
    }
}

/// Runs a job and those that wait behind it in one transaction; gives their replies, to be sent when it is on disk.
fn run_batch(connection: &mut Connection, first: (JobInfo, Job), jobs: &Jobs, metrics: &Metrics) -> rusqlite::Result<Vec<Reply>> {
    let (begin, mut replies) = (Instant::now(), Vec::new());
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let mut next = Some(first);
    while let Some((info, job)) = next {
        let start = Instant::now();
        replies.push(job(Some((&transaction, metrics))));
        let mut queue = jobs.queue();
        queue.waiting.charge(&info, start.elapsed());
        let is_full = replies.len() == MAX_BATCH || begin.elapsed() > BATCH_TIME;
        next = if is_full { None } else { queue.waiting.pop(|_| true) };
    }
    transaction.commit()?;
    Ok(replies)
}

/// Gives the space of pages that are no longer used back to the file system when there are many: the file becomes smaller
/// only when the log beside it is written into it, which `SQLite` does by itself only after as much new data. `pages` is how
/// many there were when that was done last, or the most since then.
fn give_back(connection: &Connection, pages: &mut i64) -> rusqlite::Result<()> {
    let now: i64 = connection.prepare_cached("PRAGMA page_count")?.query_row((), |row| row.get(0))?;
    if now + PAGES_GIVEN_BACK <= *pages {
        connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", (), |_| Ok(()))?;
        *pages = now;
    }
    *pages = now.max(*pages);
    Ok(())
}

/// Removes some games that were last changed before a day, and some lists of finished games that were last used before it; gives
/// how many.
pub(crate) fn remove_before(db: &Db<'_>, day: i64) -> Result<usize, ApiError> {
    let removed = remove_games(db, day)? + remove_lists(db, day)?;
    // The pages that are free now go to the end of the file, and are given back from there. No more than a moment's work.
    let mut vacuum = db.prepare("PRAGMA incremental_vacuum(500)")?;
    let mut pages = vacuum.query(())?;
    while pages.next()?.is_some() {}
    Ok(removed)
}

fn remove_games(db: &Db<'_>, day: i64) -> Result<usize, ApiError> {
    let keys = format!("SELECT key FROM game WHERE day < ?1 ORDER BY day, key LIMIT {REMOVED_AT_ONCE}");
    for table in ["shot", "seat"] {
        db.execute(&format!("DELETE FROM {table} WHERE game IN ({keys})"), [day])?;
    }
    let removed = db.execute(&format!("DELETE FROM game WHERE key IN ({keys})"), [day])?;
    db.metrics().count_games_removed(removed);
    Ok(removed)
}

/// Lists are long, so they go one by one.
fn remove_lists(db: &Db<'_>, day: i64) -> Result<usize, ApiError> {
    let key = "SELECT key FROM player WHERE day < ?1 ORDER BY key LIMIT 1";
    db.execute(&format!("DELETE FROM finished WHERE player IN ({key})"), [day])?;
    Ok(db.execute(&format!("DELETE FROM player WHERE key IN ({key})"), [day])?)
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLIENT: ClientId = ClientId::Connection(1);

    fn open(folder: &tempfile::TempDir) -> Result<Store, StoreError> {
        Store::open(folder.path(), Metrics::default())
    }

    fn insert(id: &str) -> impl FnOnce(&Db<'_>) -> Result<(), ApiError> + Send + use<> {
        let id = id.to_owned();
        move |db| {
            let sql = "INSERT INTO game (id, replay, rules, turns) VALUES (?1, ?1, 'classic', 'alternate')";
            db.execute(sql, [id])?;
            Ok(())
        }
    }

    async fn games(store: &Store) -> i64 {
        let count = |db: &Db<'_>| Ok(db.query_row("SELECT count(*) FROM game", (), |row| row.get(0))?);
        store.run(CLIENT, count).await.unwrap()
    }

    #[tokio::test]
    async fn a_job_that_fails_or_panics_leaves_nothing_and_harms_nobody() {
        let folder = tempfile::tempdir().unwrap();
        let store = open(&folder).unwrap();
        store.run(CLIENT, insert("a")).await.unwrap();
        let failing = store.run(CLIENT, |db| insert("b")(db).and(Err::<(), _>(ApiError::Over)));
        assert!(matches!(failing.await, Err(ApiError::Over)));
        let panicking = store.run(CLIENT, |db| -> Result<(), ApiError> { insert("c")(db).map(|()| panic!("on purpose")) });
        assert!(matches!(panicking.await, Err(ApiError::Internal)));
        assert!(matches!(store.run(CLIENT, insert("a")).await, Err(ApiError::Internal)), "the name is taken");
        assert_eq!(games(&store).await, 1);
    }

    #[tokio::test]
    async fn what_was_written_is_there_after_opening_again_and_only_one_may_have_it_open() {
        let folder = tempfile::tempdir().unwrap();
        let store = open(&folder).unwrap();
        store.run(CLIENT, insert("a")).await.unwrap();
        assert!(matches!(open(&folder), Err(StoreError::InUse(_))));
        drop(store);
        // The thread closes the file a moment after its last sender is gone.
        let again = (0..200).find_map(|_| {
            thread::sleep(Duration::from_millis(10));
            open(&folder).ok()
        });
        assert_eq!(games(&again.expect("the file is closed")).await, 1);
    }

    #[tokio::test]
    async fn old_games_are_removed_and_their_space_is_given_back() {
        let folder = tempfile::tempdir().unwrap();
        let store = open(&folder).unwrap();
        let pages = |db: &Db<'_>| Ok(db.query_row("PRAGMA page_count", (), |row| row.get::<_, i64>(0))?);
        let empty = store.run(CLIENT, pages).await.unwrap();
        for number in 0..120 {
            store.run(CLIENT, insert(&format!("{number:0100}"))).await.unwrap();
        }
        store.run(CLIENT, |db| Ok(db.execute("UPDATE game SET day = key", ())?)).await.unwrap();
        let full = store.run(CLIENT, pages).await.unwrap();
        let mut removed = 0;
        loop {
            match store.run(CLIENT, |db| remove_before(db, 111)).await.unwrap() {
                0 => break,
                some => removed += some,
            }
        }
        assert_eq!((removed, games(&store).await), (110, 10));
        let left = store.run(CLIENT, pages).await.unwrap();
        assert!(left < full && left <= empty + 3, "{empty} {full} {left}");
    }

    #[tokio::test]
    async fn a_clients_flood_of_jobs_comes_after_anothers_first_and_what_is_too_many_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let store = open(&folder).unwrap();
        let (go, wait) = std::sync::mpsc::channel::<()>();
        let order = Arc::new(Mutex::new(Vec::new()));
        let job = |client: u64| {
            let (store, order) = (store.clone(), order.clone());
            tokio::spawn(async move {
                let note = move |_: &Db<'_>| {
                    order.lock().unwrap().push(client);
                    Ok(())
                };
                store.run(ClientId::Connection(client), note).await
            })
        };
        let (started, start) = std::sync::mpsc::channel();
        let blocked = tokio::spawn({
            let store = store.clone();
            let block = move |_: &Db<'_>| {
                started.send(()).unwrap();
                Ok(wait.recv().is_err())
            };
            async move { store.run(CLIENT, block).await }
        });
        tokio::task::yield_now().await;
        start.recv().unwrap();
        let flood: Vec<_> = (0..MAX_WAITING).map(|_| job(1)).collect();
        while store.waiting() < MAX_WAITING {
            tokio::task::yield_now().await;
        }
        let other = job(2);
        while !flood.iter().any(tokio::task::JoinHandle::is_finished) {
            tokio::task::yield_now().await;
        }
        drop(go);
        assert!(blocked.await.unwrap().unwrap());
        other.await.unwrap().unwrap();
        let mut refused = 0;
        for job in flood {
            refused += usize::from(matches!(job.await.unwrap(), Err(ApiError::Busy)));
        }
        assert_eq!(refused, 1, "one too many waited, and it was of the flood");
        assert!(order.lock().unwrap().iter().position(|&client| client == 2) <= Some(1));
    }
}
