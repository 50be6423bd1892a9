//! Checks all stored games, for `broadside serve --check`.

use std::path::Path;

use crate::game::Game;
use crate::metrics::Metrics;
use crate::schema::{self, FILE, StoreError};
use crate::store::Db;

/// What a check of all stored games found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct CheckReport {
    /// How many games there are.
    pub games: u64,
    /// The ids of those that can't be read or replayed.
    pub damaged: Vec<String>,
    /// What `SQLite` finds wrong with the file.
    pub problems: Vec<String>,
}

/// Checks the file of the games in a folder, and replays every game. No server may run on it meanwhile.
///
/// ```no_run
/// let report = broadside_web::check_games("games".as_ref())?;
/// for id in &report.damaged {
///     println!("the game {id} can't be replayed");
/// }
/// println!("{} games, {} problems with the file", report.games, report.problems.len());
/// # Ok::<(), broadside_web::StoreError>(())
/// ```
///
/// # Errors
/// When there are no games in the folder, they can't be opened, or pages are so damaged that they can't be read.
pub fn check_games(data: &Path) -> Result<CheckReport, StoreError> {
    if !data.join(FILE).exists() {
        return Err(StoreError::Missing(data.to_owned()));
    }
    let (connection, _lock) = schema::open(data)?;
    let failed = |error: rusqlite::Error| schema::store_error(data, error);
    let problems = schema::problems(&connection, "PRAGMA integrity_check").map_err(failed)?;
    let mut query = connection.prepare("SELECT id FROM game ORDER BY key").map_err(failed)?;
    let ids =
        query.query_map((), |row| row.get(0)).and_then(Iterator::collect::<rusqlite::Result<Vec<String>>>).map_err(failed)?;
    let metrics = Metrics::default();
    let db = Db::new(&connection, &metrics);
    let games = ids.len() as u64;
    let damaged = ids.into_iter().filter(|id| Game::find(&db, id).is_err()).collect();
    Ok(CheckReport { games, damaged, problems })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::tests::new_game;

    #[test]
    fn a_check_names_the_games_that_cant_be_replayed() {
        let folder = tempfile::tempdir().unwrap();
        assert!(matches!(check_games(folder.path()), Err(StoreError::Missing(_))));
        let (connection, lock) = schema::open(folder.path()).unwrap();
        let metrics = Metrics::default();
        let db = Db::new(&connection, &metrics);
        for id in ["a", "b", "c"] {
            new_game(&db, id);
        }
        let damage = "UPDATE seat SET layout = 'A1-A3' WHERE game = (SELECT key FROM game WHERE id = 'b')";
        assert_eq!(connection.execute(damage, ()).unwrap(), 2);
        drop((connection, lock));
        let report = check_games(folder.path()).unwrap();
        assert_eq!((report.games, report.damaged, report.problems), (3, vec!["b".to_owned()], Vec::new()));
    }
}
