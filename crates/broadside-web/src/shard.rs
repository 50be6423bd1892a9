//! One of several servers that share the games.
//!
//! Games are independent of each other, so each can live on a server of its own. The id of a game begins with the number of
//! its shard, such as `3-`, and so does that of its replay: an ordinary proxy sends a request to the right server by the
//! path alone. The token of a list of finished games begins with it too. Nothing else is shared.

use std::fmt;
use std::str::FromStr;

use rusqlite::OptionalExtension;

use crate::error::ApiError;
use crate::secret;

/// The most shards that there can be.
const MOST: u32 = 4096;

/// Which of several servers this is, such as `3/16`: the third of sixteen.
///
/// ```
/// use broadside_web::Shard;
///
/// let shard: Shard = "3/16".parse()?;
/// assert_eq!((shard.number(), shard.count()), (3, 16));
/// assert!("0/16".parse::<Shard>().is_err() && "17/16".parse::<Shard>().is_err());
/// # Ok::<(), broadside_web::ParseShardError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    number: u32,
    count: u32,
}

/// The text is not a shard.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("write a shard as its number and how many there are, such as 3/16: the numbers go from 1 to at most {MOST}")]
pub struct ParseShardError;

impl FromStr for Shard {
    type Err = ParseShardError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (number, count) = text.split_once('/').ok_or(ParseShardError)?;
        let read = |text: &str| text.parse::<u32>().map_err(|_| ParseShardError);
        let (number, count) = (read(number)?, read(count)?);
        if (1..=count).contains(&number) && count <= MOST { Ok(Self { number, count }) } else { Err(ParseShardError) }
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.count)
    }
}

impl Shard {
    /// Its number, from 1.
    pub fn number(self) -> u32 {
        self.number
    }

    /// How many shards there are.
    pub fn count(self) -> u32 {
        self.count
    }

    /// Refuses the id of a game that another shard has. Ids without a number are from before there were shards, and belong
    /// to the first.
    pub(crate) fn check_id(self, id: &str) -> Result<(), ApiError> {
        match number_in(id) {
            Some(number) if number == self.number => Ok(()),
            Some(number) if (1..=self.count).contains(&number) => Err(ApiError::OtherShard { theirs: number, own: self }),
            _ => Err(ApiError::NotFound("game")),
        }
    }

    /// The id of a stored game that belongs to another shard, if there is one.
    pub(crate) fn foreign_id(self, connection: &rusqlite::Connection) -> rusqlite::Result<Option<String>> {
        // The first letter after the dash, so that the two bound all ids with this number.
        let (first, after) = (format!("{}-", self.number), format!("{}.", self.number));
        let unnumbered = if self.number == 1 { "AND instr(id, '-') > 0" } else { "" };
        let sql = format!("SELECT id FROM game WHERE (id < ?1 OR id >= ?2) {unnumbered} LIMIT 1");
        connection.query_row(&sql, [first, after], |row| row.get(0)).optional()
    }
}

/// A new id of a game or a replay.
pub(crate) fn new_id(shard: Option<Shard>) -> String {
    named(shard, secret::random_id())
}

/// A new token of a list of finished games.
pub(crate) fn new_token(shard: Option<Shard>) -> String {
    named(shard, secret::random_token())
}

fn named(shard: Option<Shard>, id: String) -> String {
    match shard {
        Some(shard) => format!("{}-{id}", shard.number),
        None => id,
    }
}

/// A new id that names the same shard as another.
pub(crate) fn id_beside(other: &str) -> String {
    let id = secret::random_id();
    other.split_once('-').map_or_else(|| id.clone(), |(number, _)| format!("{number}-{id}"))
}

/// The number of the shard that an id names.
pub(crate) fn number_in(id: &str) -> Option<u32> {
    match id.split_once('-') {
        // Not ‘03’ or ‘+3’: a proxy would not know them.
        Some((number, _)) if number.starts_with(|first: char| ('1'..='9').contains(&first)) => number.parse().ok(),
        Some(_) => None,
        None => Some(1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::tests::{new_game, with_connection};

    fn shard(text: &str) -> Shard {
        text.parse().unwrap()
    }

    #[test]
    fn shards_are_written_as_they_are_read() {
        for text in ["1/1", "3/16", "16/16", "4096/4096"] {
            assert_eq!(shard(text).to_string(), text);
        }
        for text in ["", "3", "0/4", "5/4", "1/4097", "-1/4", "1/4/4", "a/b", " 1/4", "1/0"] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
    }

    #[test]
    fn an_id_names_its_shard_and_every_other_refuses_it() {
        let all: Vec<Shard> = (1..=16).map(|number| shard(&format!("{number}/16"))).collect();
        for &own in &all {
            let id = new_id(Some(own));
            assert_eq!(id.len(), secret::random_id().len() + own.number().to_string().len() + 1);
            assert!(own.check_id(&id_beside(&id)).is_ok() && id_beside(&id) != id);
            for &other in &all {
                match other.check_id(&id) {
                    Ok(()) => assert_eq!(own, other),
                    Err(ApiError::OtherShard { theirs, own: by }) => {
                        assert!(theirs == own.number() && by == other && own != other);
                    }
                    Err(error) => panic!("{error}"),
                }
            }
        }
    }

    #[test]
    fn ids_without_a_number_are_the_firsts_and_unknown_shards_have_no_games() {
        let plain = new_id(None);
        assert!(shard("1/4").check_id(&plain).is_ok());
        assert!(matches!(shard("2/4").check_id(&plain), Err(ApiError::OtherShard { theirs: 1, .. })));
        for id in ["5-ab", "0-ab", "01-ab", "+1-ab", "x-ab", "-ab", "99999999999-ab"] {
            assert!(matches!(shard("1/4").check_id(id), Err(ApiError::NotFound(_))), "{id}");
        }
    }

    #[test]
    fn games_of_another_shard_in_the_folder_are_found() {
        let foreign = |own: &str, ids: &[&str]| {
            with_connection(|db| {
                for id in ids {
                    new_game(db, id);
                }
                shard(own).foreign_id(db).unwrap()
            })
        };
        let numbered = |number: &str| Some(format!("{number}-a"));
        assert_eq!(foreign("1/16", &["1-a", "0123abc", "fedc"]), None);
        assert_eq!(foreign("2/16", &["2-a", "2-b"]), None);
        assert_eq!(foreign("2/16", &["2-a", "fedc"]), Some("fedc".to_owned()));
        assert_eq!(foreign("1/16", &["1-b", "11-a", "fedc"]), numbered("11"));
        assert_eq!(foreign("11/16", &["11-b", "1-a"]), numbered("1"));
        assert_eq!(foreign("1/16", &["1-b", "2-a"]), numbered("2"));
    }
}
