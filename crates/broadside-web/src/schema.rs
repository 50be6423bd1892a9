//! The tables of the database: how a database is opened, made, and brought up to date.

use std::fs::{self, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use broadside_lab::{FolderLock, FolderLockError, LOCK_FILE};
use rusqlite::{Connection, ErrorCode};

/// The file in the folder of the data.
pub(crate) const FILE: &str = "games.sqlite";
/// The version of the tables, counted up when they change.
const VERSION: i64 = 5;

/// How often the lock of a folder is tried, and the time between.
const LOCK_TRIES: u32 = 20;
const LOCK_PAUSE: Duration = Duration::from_millis(25);

/// Statements that stay prepared: more than there are.
const STATEMENTS: usize = 64;

/// The tables of version 1.
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

/// What makes each version from the one before, version 2 first. A version that was released is never changed.
const MIGRATIONS: [&str; 4] = [
    // The day of the last change, in days since 1970, for removing old games. Games of version 1 count from now.
    "ALTER TABLE game ADD COLUMN day INTEGER NOT NULL DEFAULT 0;
     UPDATE game SET day = unixepoch() / 86400;
     CREATE INDEX game_by_day ON game (day);",
    // Whether hints are allowed, the id for spectators, and the finished games that players keep here.
    "ALTER TABLE game ADD COLUMN hints INTEGER NOT NULL DEFAULT 1;
     ALTER TABLE game ADD COLUMN watch TEXT;
     UPDATE game SET watch = lower(hex(randomblob(16)));
     CREATE UNIQUE INDEX game_by_watch ON game (watch);
     CREATE TABLE player (
        key INTEGER PRIMARY KEY,
        token BLOB NOT NULL UNIQUE,
        day INTEGER NOT NULL
     );
     CREATE TABLE finished (
        player INTEGER NOT NULL REFERENCES player(key),
        id TEXT NOT NULL,
        ended INTEGER NOT NULL,
        entry TEXT,
        PRIMARY KEY (player, id)
     ) WITHOUT ROWID;",
    // Checksums of what is stored, which find what the checks of SQLite don't look at. NULL is for what was stored before.
    "ALTER TABLE game ADD COLUMN sum INTEGER;
     ALTER TABLE shot ADD COLUMN sum INTEGER;",
    // The secret number that decides which answers of a game are false; NULL where none is.
    "ALTER TABLE game ADD COLUMN noise_seed INTEGER;",
];

/// The database can't be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The folder can't be made.
    #[error("can't make the folder {}", .0.display())]
    Folder(PathBuf, #[source] io::Error),
    /// The folder or its file can't be written to.
    #[error("can't write to {}: give a folder that can be written to with --data", .0.display())]
    ReadOnly(PathBuf, #[source] io::Error),
    /// There are no games in the folder.
    #[error("there are no games in {}", .0.display())]
    Missing(PathBuf),
    /// Another server has it open.
    #[error("another server uses the games in {}: stop it, or give this one another --data", .0.display())]
    InUse(PathBuf),
    /// A newer version of this program made it.
    #[error("the games in {} are of a newer version of this program: use that one, or another --data", .0.display())]
    Newer(PathBuf),
    /// It is not a database of this program.
    #[error("{} is not a database of this program's games: give another folder with --data", .0.display())]
    Unknown(PathBuf),
    /// Pages of it are damaged.
    #[error(
        "the games in {} are damaged ({}): put a backup in its place, or save what can be read with \
         ‘sqlite3 games.sqlite .recover | sqlite3 recovered.sqlite’ and rename recovered.sqlite to games.sqlite",
        .0.display(), .1
    )]
    Damaged(PathBuf, String),
    /// It can't be read or written.
    #[error("can't use the games in {}", .0.display())]
    Database(PathBuf, #[source] rusqlite::Error),
}

/// Opens the database in a folder, makes it, or brings it up to date. No other server may open it while the lock is held;
/// programs that copy it may.
pub(crate) fn open(folder: &Path) -> Result<(Connection, FolderLock), StoreError> {
    make_private(folder)?;
    let lock = lock(folder)?;
    let failed = |error: rusqlite::Error| store_error(folder, error);
    let connection = Connection::open(folder.join(FILE)).map_err(failed)?;
    prepare(&connection).map_err(failed)?;
    let problems = problems(&connection, "PRAGMA quick_check(1)").map_err(failed)?;
    if let Some(problem) = problems.into_iter().next() {
        return Err(StoreError::Damaged(folder.to_owned(), problem));
    }
    match version(&connection).map_err(failed)? {
        0 if has_tables(&connection).map_err(failed)? => return Err(StoreError::Unknown(folder.join(FILE))),
        0 => create(&connection).map_err(failed)?,
        VERSION => {}
        old @ 1..VERSION => migrate(&connection, folder, old)?,
        ..0 => return Err(StoreError::Unknown(folder.join(FILE))),
        _ => return Err(StoreError::Newer(folder.to_owned())),
    }
    Ok((connection, lock))
}

/// Locks the folder. A server that has just ended may take a moment to close its file.
fn lock(folder: &Path) -> Result<FolderLock, StoreError> {
    for _ in 0..LOCK_TRIES {
        match FolderLock::acquire(folder) {
            Ok(lock) => return Ok(lock),
            Err(FolderLockError::Io(error)) => return Err(StoreError::ReadOnly(folder.to_owned(), error)),
            Err(_) => std::thread::sleep(LOCK_PAUSE),
        }
    }
    Err(StoreError::InUse(folder.to_owned()))
}

/// The error of an operation on the database in a folder.
pub(crate) fn store_error(folder: &Path, error: rusqlite::Error) -> StoreError {
    match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => StoreError::InUse(folder.to_owned()),
        Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt) => StoreError::Damaged(folder.to_owned(), error.to_string()),
        _ => StoreError::Database(folder.to_owned(), error),
    }
}

/// Makes the folder and the file so that only this user can read them: layouts are secret until a game is over.
fn make_private(folder: &Path) -> Result<(), StoreError> {
    let file = folder.join(FILE);
    if !folder.exists() || file.exists() {
        make_folder(folder).map_err(|error| StoreError::Folder(folder.to_owned(), error))?;
    }
    let failed = |error: io::Error| StoreError::ReadOnly(folder.to_owned(), error);
    // SQLite gives its other files the permissions of this one.
    create_private(&file).and_then(|()| create_private(&folder.join(LOCK_FILE))).map_err(failed)?;
    let beside = folder.join(format!("{FILE}-test"));
    create_private(&beside).and_then(|()| fs::remove_file(&beside)).map_err(failed)
}

fn make_folder(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    set_mode(folder, 0o700)
}

/// Creates a file, if it is not there, that only this user can read.
fn create_private(path: &Path) -> io::Result<()> {
    OpenOptions::new().create(true).append(true).open(path)?;
    set_mode(path, 0o600)
}

#[cfg(unix)]
fn set_mode(path: &Path, mode: u32) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(mode))
}

#[cfg(not(unix))]
fn set_mode(_: &Path, _: u32) -> io::Result<()> {
    Ok(())
}

/// Every commit is flushed to disk before it returns.
fn prepare(connection: &Connection) -> rusqlite::Result<()> {
    // A program that copies the file may hold it for a moment.
    connection.busy_timeout(Duration::from_secs(5))?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS);
    connection.execute_batch(
        "PRAGMA auto_vacuum = INCREMENTAL;
         PRAGMA journal_mode = WAL;
         PRAGMA synchronous = FULL;
         PRAGMA foreign_keys = ON;
         BEGIN IMMEDIATE; COMMIT;",
    )
}

/// What one of the checks of `SQLite` finds; nothing when all is well.
pub(crate) fn problems(connection: &Connection, check: &str) -> rusqlite::Result<Vec<String>> {
    let lines: rusqlite::Result<Vec<String>> = connection.prepare(check)?.query_map((), |row| row.get(0))?.collect();
    Ok(lines?.into_iter().filter(|line| line != "ok").collect())
}

fn version(connection: &Connection) -> rusqlite::Result<i64> {
    connection.query_row("PRAGMA user_version", (), |row| row.get(0))
}

fn has_tables(connection: &Connection) -> rusqlite::Result<bool> {
    connection.query_row("SELECT count(*) > 0 FROM sqlite_schema", (), |row| row.get(0))
}

/// Makes the tables of the current version.
pub(crate) fn create(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute_batch(&format!("BEGIN; {TABLES} {} PRAGMA user_version = {VERSION}; COMMIT;", MIGRATIONS.concat()))
}

/// Brings an older database up to date, after a copy of it was put beside it.
fn migrate(connection: &Connection, folder: &Path, old: i64) -> Result<(), StoreError> {
    let failed = |error: rusqlite::Error| store_error(folder, error);
    let backup = folder.join(format!("games.version-{old}.sqlite"));
    if fs::metadata(&backup).map_or(true, |file| file.len() == 0) {
        create_private(&backup).map_err(|error| StoreError::ReadOnly(folder.to_owned(), error))?;
        connection.execute("VACUUM INTO ?1", [backup.to_string_lossy()]).map_err(failed)?;
    }
    let steps: String = (2..).zip(MIGRATIONS).filter(|&(version, _)| version > old).map(|(_, step)| step).collect();
    connection.execute_batch(&format!("BEGIN; {steps} PRAGMA user_version = {VERSION}; COMMIT; VACUUM;")).map_err(failed)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder with a database that these commands made.
    fn folder_with(commands: &str) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        Connection::open(folder.path().join(FILE)).unwrap().execute_batch(commands).unwrap();
        folder
    }

    #[test]
    fn a_database_of_a_newer_program_is_left_alone() {
        let folder = folder_with("PRAGMA user_version = 1000");
        assert!(matches!(open(folder.path()), Err(StoreError::Newer(_))));
    }

    #[test]
    fn what_is_no_database_of_this_program_is_left_alone() {
        let negative = folder_with("PRAGMA user_version = -1");
        assert!(matches!(open(negative.path()), Err(StoreError::Unknown(_))));
        let other = folder_with("CREATE TABLE recipe (name TEXT)");
        assert!(matches!(open(other.path()), Err(StoreError::Unknown(_))));
        let text = tempfile::tempdir().unwrap();
        fs::write(text.path().join(FILE), "not a database, but long enough to be looked at by the library").unwrap();
        assert!(matches!(open(text.path()), Err(StoreError::Damaged(..))));
    }

    #[test]
    fn version_one_is_brought_up_to_date_with_a_backup() {
        let game = "INSERT INTO game (id, replay, rules, turns) VALUES ('a', 'b', 'classic', 'alternate');";
        let folder = folder_with(&format!("{TABLES} {game} PRAGMA user_version = 1;"));
        let (connection, lock) = open(folder.path()).unwrap();
        let days: i64 = connection.query_row("SELECT day FROM game WHERE id = 'a'", (), |row| row.get(0)).unwrap();
        assert!(days > 20_000, "{days}");
        assert_eq!(version(&connection).unwrap(), VERSION);
        drop((connection, lock));
        assert!(open(folder.path()).is_ok(), "once is enough");
        let backup = Connection::open(folder.path().join("games.version-1.sqlite")).unwrap();
        assert_eq!(version(&backup).unwrap(), 1);
        assert_eq!(backup.query_row("SELECT count(*) FROM game", (), |row| row.get::<_, i64>(0)).unwrap(), 1);
    }

    #[test]
    fn damaged_pages_are_found_when_the_database_is_opened() {
        let rows = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
                    INSERT INTO game (id, replay, rules, turns) SELECT 'a' || i, 'b' || i, 'classic', 'alternate' FROM n;";
        let folder = folder_with(&format!("{TABLES} {rows} PRAGMA user_version = 1;"));
        let file = folder.path().join(FILE);
        let mut bytes = fs::read(&file).unwrap();
        assert!(bytes.len() > 8 * 4096);
        // The head of every page but the first: what it is, and where its cells are.
        for page in bytes.chunks_mut(4096).skip(1) {
            page[..8].fill(0x55);
        }
        fs::write(&file, bytes).unwrap();
        assert!(matches!(open(folder.path()), Err(StoreError::Damaged(..))));
    }

    #[cfg(unix)]
    #[test]
    fn nobody_else_can_read_the_games() {
        use std::os::unix::fs::PermissionsExt;
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        let outer = tempfile::tempdir().unwrap();
        let folder = outer.path().join("data");
        let connection = open(&folder).unwrap();
        assert_eq!(mode(&folder), 0o700);
        for file in fs::read_dir(&folder).unwrap() {
            let path = file.unwrap().path();
            assert_eq!(mode(&path), 0o600, "{}", path.display());
        }
        drop(connection);
        // Those of an earlier version were for everybody.
        set_mode(&folder.join(FILE), 0o644).unwrap();
        set_mode(&folder, 0o755).unwrap();
        drop(open(&folder).unwrap());
        assert_eq!((mode(&folder), mode(&folder.join(FILE))), (0o700, 0o600));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_folder_that_cant_be_written_to_is_told_plainly() {
        let refused = open(Path::new("/sys")).unwrap_err();
        assert!(matches!(refused, StoreError::ReadOnly(..)), "{refused:?}");
    }
}
