//! The database: one thread that owns it, and jobs that are answered only when what they wrote is on disk.
//!
//! Jobs that come while others are being written go into one transaction, so that five hundred shots at once cost a few
//! flushes of the disk and not five hundred. Each job is all or nothing by itself.

use std::fs;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::thread;
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, Transaction, TransactionBehavior};
use tokio::sync::oneshot;

use crate::refusal::Refusal;

/// The file in the folder of the data.
const FILE: &str = "games.sqlite";
/// The form of the tables, counted up when they change.
const FORM: i64 = 1;
/// Jobs that may wait. More are told to come again.
const QUEUE: usize = 4096;
/// Jobs in one transaction.
const BATCH: usize = 256;

const TABLES: &str = "
    CREATE TABLE game (
        key INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        replay TEXT NOT NULL UNIQUE,
        rules TEXT NOT NULL,
        turns TEXT NOT NULL,
        invite BLOB,
        resigned TEXT,
        next TEXT
    );
    CREATE TABLE seat (
        game INTEGER NOT NULL REFERENCES game(key),
        side TEXT NOT NULL,
        name TEXT NOT NULL,
        captain TEXT,
        token BLOB,
        layout TEXT,
        PRIMARY KEY (game, side)
    ) WITHOUT ROWID;
    CREATE TABLE shot (
        game INTEGER NOT NULL REFERENCES game(key),
        number INTEGER NOT NULL,
        side TEXT NOT NULL,
        cell TEXT NOT NULL,
        PRIMARY KEY (game, number)
    ) WITHOUT ROWID;
";

/// The database can't be used.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The folder can't be made.
    #[error("can't make the folder {}", .0.display())]
    Folder(PathBuf, #[source] io::Error),
    /// Somebody else has it open.
    #[error("another server uses the games in {}: stop it, or give this one another --data", .0.display())]
    InUse(PathBuf),
    /// It is of a newer program.
    #[error("the games in {} are of a newer version of this program", .0.display())]
    Newer(PathBuf),
    /// It can't be read or written.
    #[error("can't use the games in {}", .0.display())]
    Database(PathBuf, #[source] rusqlite::Error),
}

type Tell = Box<dyn FnOnce() + Send>;
type Job = Box<dyn FnOnce(&mut Transaction<'_>) -> Tell + Send>;

/// The way to the database.
#[derive(Clone)]
pub(crate) struct Store {
    jobs: SyncSender<Job>,
}

impl Store {
    /// Opens the database in a folder, or makes it, and starts its thread. The thread ends with the last `Store`.
    pub(crate) fn open(folder: &Path) -> Result<Self, StoreError> {
        fs::create_dir_all(folder).map_err(|error| StoreError::Folder(folder.to_owned(), error))?;
        let connection = connect(folder)?;
        let (jobs, queue) = sync_channel(QUEUE);
        thread::Builder::new()
            .name("games".to_owned())
            .spawn(move || serve(connection, &queue))
            .map_err(|error| StoreError::Folder(folder.to_owned(), error))?;
        Ok(Self { jobs })
    }

    /// Runs a job on the database. Once this returns, what it wrote is on disk; an error leaves nothing of it.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        let (reply, answer) = oneshot::channel();
        let job: Job = Box::new(move |transaction| {
            let result = alone(transaction, work);
            Box::new(move || _ = reply.send(result))
        });
        self.jobs.try_send(job).map_err(|error| match error {
            TrySendError::Full(_) => Refusal::Busy,
            TrySendError::Disconnected(_) => Refusal::Broken,
        })?;
        // No answer comes when the transaction could not be written.
        answer.await.map_err(|_| Refusal::Broken)?
    }
}

/// One job, all or nothing; a panic in it is its own failure and nobody else's.
fn alone<T>(transaction: &mut Transaction<'_>, work: impl FnOnce(&Connection) -> Result<T, Refusal>) -> Result<T, Refusal> {
    let mut point = transaction.savepoint()?;
    let result = catch_unwind(AssertUnwindSafe(|| work(&point))).unwrap_or_else(|_| {
        tracing::error!("a job on the database panicked");
        Err(Refusal::Broken)
    });
    match result {
        Ok(done) => {
            point.commit()?;
            Ok(done)
        }
        Err(refusal) => {
            point.rollback()?;
            Err(refusal)
        }
    }
}

fn serve(mut connection: Connection, queue: &Receiver<Job>) {
    while let Ok(job) = queue.recv() {
        match batch(&mut connection, job, queue) {
            Ok(tells) => tells.into_iter().for_each(|tell| tell()),
            Err(error) => tracing::error!(%error, "a batch could not be written"),
        }
    }
}

/// Runs a job and those that wait behind it in one transaction; gives what tells their askers.
fn batch(connection: &mut Connection, first: Job, queue: &Receiver<Job>) -> rusqlite::Result<Vec<Tell>> {
    let mut transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let jobs = std::iter::once(first).chain(queue.try_iter()).take(BATCH);
    let tells = jobs.map(|job| job(&mut transaction)).collect();
    transaction.commit()?;
    Ok(tells)
}

fn connect(folder: &Path) -> Result<Connection, StoreError> {
    let failed = |error: rusqlite::Error| match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => StoreError::InUse(folder.to_owned()),
        _ => StoreError::Database(folder.to_owned(), error),
    };
    let connection = Connection::open(folder.join(FILE)).map_err(failed)?;
    prepare(&connection).map_err(failed)?;
    let form: i64 = connection.query_row("PRAGMA user_version", (), |row| row.get(0)).map_err(failed)?;
    match form {
        0 => create(&connection).map_err(failed)?,
        FORM => {}
        _ => return Err(StoreError::Newer(folder.to_owned())),
    }
    Ok(connection)
}

/// Every commit is flushed to disk before it returns, and nobody else may open the file meanwhile.
fn prepare(connection: &Connection) -> rusqlite::Result<()> {
    connection.busy_timeout(Duration::from_millis(500))?;
    connection.execute_batch(
        "PRAGMA locking_mode = EXCLUSIVE;
         PRAGMA journal_mode = WAL;
         PRAGMA synchronous = FULL;
         PRAGMA foreign_keys = ON;
         BEGIN IMMEDIATE; COMMIT;",
    )
}

fn create(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute_batch(&format!("BEGIN; {TABLES} PRAGMA user_version = {FORM}; COMMIT;"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn insert(id: &str) -> impl FnOnce(&Connection) -> Result<(), Refusal> + Send + use<> {
        let id = id.to_owned();
        move |db| {
            let sql = "INSERT INTO game (id, replay, rules, turns) VALUES (?1, ?1, 'classic', 'alternate')";
            db.execute(sql, [id])?;
            Ok(())
        }
    }

    async fn games(store: &Store) -> i64 {
        let count = |db: &Connection| Ok(db.query_row("SELECT count(*) FROM game", (), |row| row.get(0))?);
        store.run(count).await.unwrap()
    }

    #[tokio::test]
    async fn a_job_that_fails_or_panics_leaves_nothing_and_harms_nobody() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        store.run(insert("a")).await.unwrap();
        let failing = store.run(|db| insert("b")(db).and(Err::<(), _>(Refusal::Over)));
        assert!(matches!(failing.await, Err(Refusal::Over)));
        let panicking = store.run(|db| -> Result<(), Refusal> { insert("c")(db).map(|()| panic!("on purpose")) });
        assert!(matches!(panicking.await, Err(Refusal::Broken)));
        assert!(matches!(store.run(insert("a")).await, Err(Refusal::Broken)), "the name is taken");
        assert_eq!(games(&store).await, 1);
    }

    #[tokio::test]
    async fn what_was_written_is_there_after_opening_again_and_only_one_may_have_it_open() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        store.run(insert("a")).await.unwrap();
        assert!(matches!(Store::open(folder.path()), Err(StoreError::InUse(_))));
        drop(store);
        // The thread closes the file a moment after its last sender is gone.
        let again = (0..200).find_map(|_| {
            thread::sleep(Duration::from_millis(10));
            Store::open(folder.path()).ok()
        });
        assert_eq!(games(&again.expect("the file is closed")).await, 1);
    }

    #[test]
    fn a_database_of_a_newer_program_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let newer = Connection::open(folder.path().join(FILE)).unwrap();
        newer.execute_batch("PRAGMA user_version = 1000").unwrap();
        drop(newer);
        assert!(matches!(Store::open(folder.path()), Err(StoreError::Newer(_))));
    }
}
