//! The database: one thread that owns it, and jobs that are answered only when what they wrote is on disk.
//!
//! Jobs that come while others are being written go into one transaction, so that five hundred shots at once cost a few
//! flushes of the disk and not five hundred. Each job is all or nothing by itself.

use std::ops::Deref;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::thread;

use rusqlite::{Connection, Transaction, TransactionBehavior};
use tokio::sync::oneshot;

use crate::error::ApiError;
use crate::metrics::Metrics;
use crate::schema::{self, StoreError};

/// Jobs that may wait. More are refused.
const MAX_WAITING: usize = 4096;
/// Pages that are given back to the file system at a time: 256 KB.
const PAGES_GIVEN_BACK: i64 = 64;
/// Games that one job removes.
const REMOVED_AT_ONCE: usize = 50;
/// Jobs in one transaction.
const MAX_BATCH: usize = 256;

type Reply = Box<dyn FnOnce() + Send>;
type Job = Box<dyn FnOnce(&Transaction<'_>, &Metrics) -> Reply + Send>;

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

/// A handle to the thread that owns the database.
#[derive(Clone)]
pub(crate) struct Store {
    jobs: SyncSender<Job>,
}

impl Store {
    /// Opens the database in a folder, or makes it, and starts its thread. The thread ends with the last `Store`.
    pub(crate) fn open(folder: &Path, metrics: Metrics) -> Result<Self, StoreError> {
        let (connection, lock) = schema::open(folder)?;
        let (jobs, queue) = sync_channel(MAX_WAITING);
        thread::Builder::new()
            .name("games".to_owned())
            .spawn(move || {
                // Given back when the file is closed.
                let _lock = lock;
                run_jobs(connection, &queue, &metrics);
            })
            .map_err(|error| StoreError::Folder(folder.to_owned(), error))?;
        Ok(Self { jobs })
    }

    /// Runs a job on the database. Once this returns, what it wrote is on disk; an error leaves nothing of it.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Db<'_>) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let (reply, answer) = oneshot::channel();
        let job: Job = Box::new(move |transaction, metrics| {
            let result = run_in_savepoint(transaction, metrics, work);
            Box::new(move || _ = reply.send(result))
        });
        self.jobs.try_send(job).map_err(|error| match error {
            TrySendError::Full(_) => ApiError::Busy,
            TrySendError::Disconnected(_) => ApiError::Internal,
        })?;
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

fn run_jobs(mut connection: Connection, queue: &Receiver<Job>, metrics: &Metrics) {
    let mut pages = 0;
    while let Ok(job) = queue.recv() {
        match run_batch(&mut connection, job, queue, metrics) {
            Ok(replies) => replies.into_iter().for_each(|reply| reply()),
            Err(error) => tracing::error!(%error, "a batch could not be written"),
        }
        if let Err(error) = give_back(&connection, &mut pages) {
            tracing::error!(%error, "free space could not be given back");
        }
    }
}

/// Runs a job and those that wait behind it in one transaction; gives their replies, to be sent when it is on disk.
fn run_batch(connection: &mut Connection, first: Job, queue: &Receiver<Job>, metrics: &Metrics) -> rusqlite::Result<Vec<Reply>> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let jobs = std::iter::once(first).chain(queue.try_iter()).take(MAX_BATCH);
    let replies = jobs.map(|job| job(&transaction, metrics)).collect();
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

/// Removes some games that were last changed before a day; gives how many.
pub(crate) fn remove_before(db: &Db<'_>, day: i64) -> Result<usize, ApiError> {
    let keys = format!("SELECT key FROM game WHERE day < ?1 ORDER BY day, key LIMIT {REMOVED_AT_ONCE}");
    for table in ["shot", "seat"] {
        db.execute(&format!("DELETE FROM {table} WHERE game IN ({keys})"), [day])?;
    }
    let removed = db.execute(&format!("DELETE FROM game WHERE key IN ({keys})"), [day])?;
    db.metrics().count_games_removed(removed);
    // The pages that are free now go to the end of the file, and are given back from there. No more than a moment's work.
    let mut vacuum = db.prepare("PRAGMA incremental_vacuum(500)")?;
    let mut pages = vacuum.query(())?;
    while pages.next()?.is_some() {}
    Ok(removed)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

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
        store.run(count).await.unwrap()
    }

    #[tokio::test]
    async fn a_job_that_fails_or_panics_leaves_nothing_and_harms_nobody() {
        let folder = tempfile::tempdir().unwrap();
        let store = open(&folder).unwrap();
        store.run(insert("a")).await.unwrap();
        let failing = store.run(|db| insert("b")(db).and(Err::<(), _>(ApiError::Over)));
        assert!(matches!(failing.await, Err(ApiError::Over)));
        let panicking = store.run(|db| -> Result<(), ApiError> { insert("c")(db).map(|()| panic!("on purpose")) });
        assert!(matches!(panicking.await, Err(ApiError::Internal)));
        assert!(matches!(store.run(insert("a")).await, Err(ApiError::Internal)), "the name is taken");
        assert_eq!(games(&store).await, 1);
    }

    #[tokio::test]
    async fn what_was_written_is_there_after_opening_again_and_only_one_may_have_it_open() {
        let folder = tempfile::tempdir().unwrap();
        let store = open(&folder).unwrap();
        store.run(insert("a")).await.unwrap();
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
        let empty = store.run(pages).await.unwrap();
        for number in 0..120 {
            store.run(insert(&format!("{number:0100}"))).await.unwrap();
        }
        store.run(|db| Ok(db.execute("UPDATE game SET day = key", ())?)).await.unwrap();
        let full = store.run(pages).await.unwrap();
        let mut removed = 0;
        loop {
            match store.run(|db| remove_before(db, 111)).await.unwrap() {
                0 => break,
                some => removed += some,
            }
        }
        assert_eq!((removed, games(&store).await), (110, 10));
        let left = store.run(pages).await.unwrap();
        assert!(left < full && left <= empty + 3, "{empty} {full} {left}");
    }
}
