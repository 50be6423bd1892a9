//! Copies the log of the database into its file on a thread of its own.
//!
//! `SQLite` appends every transaction to a log, and would copy it into the file as a part of whichever commit makes it long: about 10 ms
//! instead of 0.4, again and again while somebody makes games as fast as can be, and every other player's shot waits for it. A second
//! connection can copy while the first one goes on writing. What was written meanwhile is little, and the first one copies it itself: the
//! log begins anew only when nothing of it is left to copy.

use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};

use rusqlite::Connection;

use crate::background::lower_priority;
use crate::schema::{FILE, StoreError, store_error};

/// Pages of the log that make it worth copying: 4 MB, as `SQLite` itself would have it.
const MANY_PAGES: i64 = 1000;
/// So few pages are copied before the next transaction.
const FEW_PAGES: i64 = 250;
/// With a log this long, of 64 MB, writing waits until it is copied: the copying doesn't keep up.
const MOST_PAGES: i64 = 16_000;

/// The thread that copies, which ends with this.
pub(crate) struct Checkpoints {
    /// Tells the thread to copy. `None` once it shall end.
    ask: Option<SyncSender<()>>,
    thread: Option<JoinHandle<()>>,
}

/// How long the log is, and how much of that is not yet copied, in pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct LogPages {
    all: i64,
    left: i64,
}

/// What to do about the log after a transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Nothing,
    Ask,
    Copy,
}

impl LogPages {
    fn step(self) -> Step {
        match self {
            Self { all, .. } if all < MANY_PAGES => Step::Nothing,
            Self { all, left } if left <= FEW_PAGES || all >= MOST_PAGES => Step::Copy,
            Self { left, .. } if left >= MANY_PAGES => Step::Ask,
            _ => Step::Nothing,
        }
    }
}

impl Checkpoints {
    /// Starts the thread for the database in a folder, and has the connection that writes leave the copying to it.
    pub(crate) fn start(folder: &Path, writer: &Connection) -> Result<Self, StoreError> {
        let failed = |error| store_error(folder, error);
        writer.query_row("PRAGMA wal_autocheckpoint = 0", (), |_| Ok(())).map_err(failed)?;
        let copier = Connection::open(folder.join(FILE)).map_err(failed)?;
        // What is removed from the log must be on disk in the file.
        copier.execute_batch("PRAGMA synchronous = FULL").map_err(failed)?;
        let (ask, asked) = sync_channel(1);
        let thread = thread::Builder::new()
            .name("checkpoints".to_owned())
            .spawn(move || copy_when_asked(&copier, &asked))
            .map_err(|error| StoreError::Folder(folder.to_owned(), error))?;
        Ok(Self { ask: Some(ask), thread: Some(thread) })
    }

    /// Looks at the log after a transaction of the connection that writes.
    pub(crate) fn after_commit(&self, writer: &Connection) -> rusqlite::Result<()> {
        match log_pages(writer, "PRAGMA wal_checkpoint(NOOP)")?.step() {
            Step::Nothing => {}
            // When it has been asked already, it will look again.
            Step::Ask => _ = self.ask.as_ref().map(|ask| ask.try_send(())),
            Step::Copy => _ = copy(writer)?,
        }
        Ok(())
    }
}

impl Drop for Checkpoints {
    fn drop(&mut self) {
        self.ask = None;
        if self.thread.take().is_some_and(|thread| thread.join().is_err()) {
            tracing::error!("the thread that copies the log panicked");
        }
    }
}

fn copy_when_asked(copier: &Connection, asked: &Receiver<()>) {
    lower_priority(0);
    while asked.recv().is_ok() {
        if let Err(error) = copy(copier) {
            tracing::error!(%error, "the log could not be copied into the database");
        }
    }
}

/// Copies what can be copied without waiting for anybody.
fn copy(connection: &Connection) -> rusqlite::Result<LogPages> {
    log_pages(connection, "PRAGMA wal_checkpoint(PASSIVE)")
}

fn log_pages(connection: &Connection, pragma: &str) -> rusqlite::Result<LogPages> {
    connection.prepare_cached(pragma)?.query_row((), |row| {
        let (all, copied): (i64, i64) = (row.get(1)?, row.get(2)?);
        Ok(LogPages { all, left: all - copied })
    })
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;
    use crate::schema;

    #[test]
    fn the_log_is_copied_by_the_thread_and_ended_by_the_writer() {
        let step = |all, left| LogPages { all, left }.step();
        assert_eq!(step(MANY_PAGES - 1, MANY_PAGES - 1), Step::Nothing);
        assert_eq!(step(MANY_PAGES, MANY_PAGES), Step::Ask);
        assert_eq!(step(MANY_PAGES + FEW_PAGES, FEW_PAGES), Step::Copy);
        assert_eq!(step(MANY_PAGES + FEW_PAGES + 1, FEW_PAGES + 1), Step::Nothing);
        assert_eq!(step(MOST_PAGES, MOST_PAGES), Step::Copy);
    }

    #[test]
    fn a_log_that_grows_is_copied_and_begins_anew() {
        let folder = tempfile::tempdir().unwrap();
        let (writer, _lock) = schema::open(folder.path()).unwrap();
        let checkpoints = Checkpoints::start(folder.path(), &writer).unwrap();
        let insert = "INSERT INTO game (id, replay, rules, turns) VALUES (?1, ?1, 'classic', 'alternate')";
        let (start, mut number, mut before, mut began_anew) = (Instant::now(), 0, 0, 0);
        while began_anew < 2 {
            assert!(start.elapsed() < Duration::from_secs(120), "the log has {before} pages after {number} games");
            writer.execute(insert, [format!("{number:03000}")]).unwrap();
            checkpoints.after_commit(&writer).unwrap();
            let pages = log_pages(&writer, "PRAGMA wal_checkpoint(NOOP)").unwrap().all;
            assert!(pages < MOST_PAGES + 100);
            began_anew += usize::from(pages < before);
            (number, before) = (number + 1, pages);
        }
        drop(checkpoints);
        drop(writer);
        let reader = Connection::open(folder.path().join(FILE)).unwrap();
        assert_eq!(reader.query_row("SELECT count(*) FROM game", (), |row| row.get(0)), Ok(number));
    }
}
