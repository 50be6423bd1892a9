//! A stored game: how it is read from the database and written to it.
//!
//! Cells are stored, answers aren't: they follow from the layouts, and where some are false from a secret number, by replaying the game
//! from its first shot. So nothing
//! stored can contradict itself. What is stored has checksums: a byte that a disk has changed makes a game damaged, never
//! another game. A game is replayed once, when it is read, and then carries its [`Duel`]: whoever changes
//! it passes the changed game on, to the answer and to the watchers.

use std::fmt::Display;
use std::time::{SystemTime, UNIX_EPOCH};

use broadside_rules::{Cell, Draft, Duel, Layout, Rules, Side, Turns};
use rand::RngExt;
use rusqlite::{Row, RowIndex, params};
use subtle::Choice;

use crate::checksum::Checksum;
use crate::error::ApiError;
use crate::fair::JobInfo;
use crate::messages::chain;
use crate::peer::ClientId;
use crate::secret::{self, SecretHash};
use crate::shard;
use crate::store::Db;

/// One of the two seats of a game.
#[derive(Clone)]
pub(crate) struct Seat {
    pub(crate) name: String,
    /// The captain who plays for this seat.
    pub(crate) captain: Option<String>,
    /// The token of the person who plays for this seat.
    pub(crate) token: Option<SecretHash>,
    pub(crate) layout: Option<Layout>,
}

impl Seat {
    /// Whether a person or a captain has taken the seat.
    pub(crate) fn is_taken(&self) -> bool {
        self.captain.is_some() || self.token.is_some()
    }
}

/// A game as it is stored, replayed up to its last shot.
#[derive(Clone)]
pub(crate) struct Game {
    key: i64,
    pub(crate) id: String,
    pub(crate) replay: String,
    pub(crate) rules: Rules,
    pub(crate) turns: Turns,
    pub(crate) invite: Option<SecretHash>,
    /// Whether odds and hints are allowed while the game goes on.
    pub(crate) hints: bool,
    /// The id under which spectators see the game.
    pub(crate) watch: String,
    pub(crate) next: Option<String>,
    /// The first side's and the second's.
    pub(crate) seats: [Seat; 2],
    resigned: Option<Side>,
    /// When the game was last changed, in days since 1970.
    day: i64,
    /// Decides which answers are false, where some may be.
    noise_seed: Option<i64>,
    /// The game after its last shot; `None` until both fleets are placed.
    duel: Option<Duel>,
}

/// What a new game starts with.
pub(crate) struct GameSetup {
    pub(crate) id: String,
    pub(crate) replay: String,
    pub(crate) rules: Rules,
    pub(crate) turns: Turns,
    pub(crate) invite: Option<SecretHash>,
    pub(crate) hints: bool,
    pub(crate) seats: [Seat; 2],
}

impl Game {
    /// Stores a new game.
    pub(crate) fn create(db: &Db<'_>, setup: GameSetup) -> Result<Self, ApiError> {
        let GameSetup { id, replay, rules, turns, invite, hints, seats } = setup;
        let (day, hash, watch) = (today(), invite.as_ref().map(SecretHash::bytes), shard::id_beside(&id));
        let noise_seed: Option<i64> = (!rules.noise().is_none()).then(|| secret::rng().random());
        let sql = "INSERT INTO game (id, replay, rules, turns, invite, day, hints, watch, noise_seed)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";
        db.prepare_cached(sql)?.execute(params![
            id,
            replay,
            rules.to_string(),
            turns.word(),
            hash,
            day,
            hints,
            watch,
            noise_seed
        ])?;
        let key = db.last_insert_rowid();
        db.metrics().count_game_made();
        let game = Self {
            key,
            id,
            replay,
            rules,
            turns,
            invite,
            hints,
            watch,
            next: None,
            seats,
            resigned: None,
            day,
            noise_seed,
            duel: None,
        };
        for side in [Side::First, Side::Second] {
            game.write_seat(db, side)?;
        }
        game.write_sum(db)?;
        Ok(game)
    }

    /// The game with that id.
    pub(crate) fn find(db: &Db<'_>, id: &str) -> Result<Self, ApiError> {
        Self::read(db, "SELECT * FROM game WHERE id = ?1", id)?.ok_or(ApiError::NotFound("game"))
    }

    /// The finished game with that replay id.
    pub(crate) fn find_replay(db: &Db<'_>, replay: &str) -> Result<Self, ApiError> {
        let game = Self::read(db, "SELECT * FROM game WHERE replay = ?1", replay)?;
        game.filter(Self::is_over).ok_or(ApiError::NotFound("replay"))
    }

    /// The game that spectators see under that id.
    pub(crate) fn find_watched(db: &Db<'_>, watch: &str) -> Result<Self, ApiError> {
        Self::read(db, "SELECT * FROM game WHERE watch = ?1", watch)?.ok_or(ApiError::NotFound("game"))
    }

    fn read(db: &Db<'_>, query: &str, id: &str) -> Result<Option<Self>, ApiError> {
        let mut query = db.prepare_cached(query)?;
        let mut rows = query.query([id])?;
        let Some(row) = rows.next()? else { return Ok(None) };
        db.metrics().count_game_read();
        let mut game = Self::from_row(row)?;
        game.read_seats(db)?;
        if row.get::<_, Option<i64>>("sum")?.is_some_and(|sum| sum != game.sum()) {
            return Err(damaged(&game.id, "another checksum"));
        }
        game.replay(db)?;
        Ok(Some(game))
    }

    fn from_row(row: &Row<'_>) -> Result<Self, ApiError> {
        let empty = Seat { name: String::new(), captain: None, token: None, layout: None };
        Ok(Self {
            key: row.get("key")?,
            id: row.get("id")?,
            replay: row.get("replay")?,
            rules: stored_rules(row)?,
            turns: required(row, "turns")?,
            invite: hash(row, "invite")?,
            hints: row.get("hints")?,
            watch: row.get("watch")?,
            next: row.get("next")?,
            seats: [empty.clone(), empty],
            resigned: parsed(row, "resigned")?,
            day: row.get("day")?,
            noise_seed: row.get("noise_seed")?,
            duel: None,
        })
    }

    fn read_seats(&mut self, db: &Db<'_>) -> Result<(), ApiError> {
        let mut query = db.prepare_cached("SELECT side, name, captain, token, layout FROM seat WHERE game = ?1")?;
        let mut rows = query.query([self.key])?;
        let mut missing = 2;
        while let Some(row) = rows.next()? {
            missing -= 1;
            let side: Side = required(row, "side")?;
            let layout: Option<Draft> = parsed(row, "layout")?;
            let layout = layout.map(|draft| draft.check(&self.rules).into_layout());
            self.seats[side as usize] = Seat {
                name: row.get("name")?,
                captain: row.get("captain")?,
                token: hash(row, "token")?,
                layout: layout.transpose().map_err(|_| damaged(&self.id, "a layout against the rules"))?,
            };
        }
        if missing == 0 { Ok(()) } else { Err(damaged(&self.id, "not two seats")) }
    }

    /// Replays the stored shots. They were fired by the same rules before, so all of them must be allowed.
    fn replay(&mut self, db: &Db<'_>) -> Result<(), ApiError> {
        let Some(mut duel) = self.new_duel() else { return Ok(()) };
        db.metrics().count_game_replay();
        let mut query = db.prepare_cached("SELECT side, cell, number, sum FROM shot WHERE game = ?1 ORDER BY number")?;
        let mut rows = query.query([self.key])?;
        for number in 0.. {
            let Some(row) = rows.next()? else { break };
            // By number: a name would be looked up for each of the shots.
            let (side, cell) = (required(row, 0)?, required(row, 1)?);
            let sum: Option<i64> = row.get(3)?;
            if row.get::<_, i64>(2)? != number || sum.is_some_and(|sum| sum != self.shot_sum(number, side, cell)) {
                return Err(damaged(&self.id, "a shot with another number or checksum"));
            }
            duel.fire(side, cell).map_err(|error| damaged(&self.id, &error.to_string()))?;
        }
        let resigned = self.resigned.map_or(Ok(()), |side| duel.resign(side));
        resigned.map_err(|error| damaged(&self.id, &error.to_string()))?;
        self.duel = Some(duel);
        Ok(())
    }

    /// The game before its first shot; `None` until both fleets are placed.
    fn new_duel(&self) -> Option<Duel> {
        let [Some(first), Some(second)] = self.seats.each_ref().map(|seat| seat.layout.clone()) else { return None };
        Some(Duel::new(&self.rules, self.turns, [first, second]).with_noise_seed(self.noise_seed.unwrap_or(0).cast_unsigned()))
    }

    /// Writes what has changed about a seat.
    fn write_seat(&self, db: &Db<'_>, side: Side) -> Result<(), ApiError> {
        let Seat { name, captain, token, layout } = self.seat(side);
        let layout = layout.as_ref().map(ToString::to_string);
        db.prepare_cached(
            "INSERT OR REPLACE INTO seat (game, side, name, captain, token, layout) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        )?
        .execute(params![self.key, side.word(), name, captain, token.as_ref().map(SecretHash::bytes), layout])?;
        Ok(())
    }

    /// A checksum of everything but the shots and the day.
    fn sum(&self) -> i64 {
        let mut sum = Checksum::default();
        let resigned = self.resigned.map(Side::word);
        let rules = self.rules.to_string();
        let texts = [
            Some(&*self.id),
            Some(&self.replay),
            Some(&rules),
            Some(self.turns.word()),
            resigned,
            self.next.as_deref(),
            Some(&self.watch),
        ];
        for text in texts {
            sum.add(text.map(str::as_bytes));
        }
        sum.add(Some(&[u8::from(self.hints)]));
        sum.add(self.invite.as_ref().map(SecretHash::bytes));
        if let Some(seed) = self.noise_seed {
            sum.add(Some(&seed.to_le_bytes()));
        }
        for Seat { name, captain, token, layout } in &self.seats {
            sum.add(Some(name.as_bytes()));
            sum.add(captain.as_deref().map(str::as_bytes));
            sum.add(token.as_ref().map(SecretHash::bytes));
            sum.add(layout.as_ref().map(ToString::to_string).as_deref().map(str::as_bytes));
        }
        sum.value()
    }

    /// A checksum of the shot with that number.
    fn shot_sum(&self, number: i64, side: Side, cell: Cell) -> i64 {
        let mut sum = Checksum::default();
        for part in [self.id.as_bytes(), &number.to_le_bytes(), side.word().as_bytes(), cell.to_string().as_bytes()] {
            sum.add(Some(part));
        }
        sum.value()
    }

    fn write_sum(&self, db: &Db<'_>) -> Result<(), ApiError> {
        db.prepare_cached("UPDATE game SET sum = ?2 WHERE key = ?1")?.execute(params![self.key, self.sum()])?;
        Ok(())
    }

    /// Writes the day of a change, once a day.
    fn write_day(&mut self, db: &Db<'_>) -> Result<(), ApiError> {
        let today = today();
        if self.day != today {
            self.day = today;
            db.prepare_cached("UPDATE game SET day = ?2 WHERE key = ?1")?.execute(params![self.key, today])?;
        }
        Ok(())
    }

    /// A person joins with the invitation.
    pub(crate) fn join(&mut self, db: &Db<'_>, invite: SecretHash, name: String, token: SecretHash) -> Result<Side, ApiError> {
        // The same request again, with a token of the client's own.
        if let Some(side) = self.side_where(|seat| seat.token.is_some_and(|own| bool::from(own.matches(token)))) {
            return Ok(side);
        }
        let expected = self.invite.ok_or(ApiError::AlreadyJoined)?;
        if !bool::from(expected.matches(invite)) {
            return Err(ApiError::NotFound("invitation"));
        }
        if self.is_over() {
            return Err(ApiError::Over);
        }
        let side = self.side_where(|seat| !seat.is_taken()).ok_or(ApiError::AlreadyJoined)?;
        let seat = &mut self.seats[side as usize];
        (seat.name, seat.token) = (name, Some(token));
        self.invite = None;
        self.write_seat(db, side)?;
        db.prepare_cached("UPDATE game SET invite = NULL WHERE key = ?1")?.execute([self.key])?;
        self.write_sum(db)?;
        self.write_day(db)?;
        Ok(side)
    }

    /// Whether somebody may still join with this invitation.
    pub(crate) fn is_invited(&self, invite: SecretHash) -> bool {
        self.invite.is_some_and(|expected| bool::from(expected.matches(invite)))
    }

    /// A side places its fleet.
    pub(crate) fn place(&mut self, db: &Db<'_>, side: Side, layout: Layout) -> Result<(), ApiError> {
        if self.seat(side).layout.as_ref() == Some(&layout) {
            // The same request again.
            return Ok(());
        }
        if self.seat(side).layout.is_some() {
            return Err(ApiError::AlreadyPlaced);
        }
        if self.is_over() {
            return Err(ApiError::Over);
        }
        self.seats[side as usize].layout = Some(layout);
        self.duel = self.new_duel();
        self.write_seat(db, side)?;
        self.write_sum(db)?;
        self.write_day(db)
    }

    /// A side fires its shot of that number, counted from 0.
    pub(crate) fn fire(&mut self, db: &Db<'_>, side: Side, cell: Cell, number: usize) -> Result<(), ApiError> {
        let duel = self.duel.as_mut().ok_or(ApiError::NotPlaced)?;
        let log = duel.log(side);
        if number != log.len() {
            let repeated = log.shots().get(number).is_some_and(|shot| shot.cell == cell);
            return if repeated { Ok(()) } else { Err(ApiError::OutOfStep(log.len())) };
        }
        let total = shot_count(duel);
        duel.fire(side, cell)?;
        if !self.insert_shot(db, total, side, cell)? {
            return Err(damaged(&self.id, "a missing shot"));
        }
        self.write_day(db)
    }

    /// A captain fires in a game that was read before it chose the cell. Gives the game after the shot; where the stored
    /// game has changed meanwhile, the captain's shot is dropped and the game is read again.
    pub(crate) fn fire_unless_changed(mut self, db: &Db<'_>, side: Side, cell: Cell) -> Result<Self, ApiError> {
        let duel = self.duel.as_mut().ok_or(ApiError::NotPlaced)?;
        let total = shot_count(duel);
        duel.fire(side, cell)?;
        if !self.insert_shot(db, total, side, cell)? {
            return Self::find(db, &self.id);
        }
        self.write_day(db)?;
        Ok(self)
    }

    /// Stores the shot with that number in a game that goes on; `false` when there is one already, or the game has ended.
    fn insert_shot(&self, db: &Db<'_>, number: usize, side: Side, cell: Cell) -> Result<bool, ApiError> {
        let sql = "INSERT OR IGNORE INTO shot (game, number, side, cell, sum)
                   SELECT key, ?2, ?3, ?4, ?5 FROM game WHERE key = ?1 AND resigned IS NULL";
        let number = number.cast_signed() as i64;
        let sum = self.shot_sum(number, side, cell);
        let is_new = db.prepare_cached(sql)?.execute(params![self.key, number, side.word(), cell.to_string(), sum])? == 1;
        if is_new {
            db.metrics().count_shot();
        }
        Ok(is_new)
    }

    /// A side resigns.
    pub(crate) fn resign(&mut self, db: &Db<'_>, side: Side) -> Result<(), ApiError> {
        if self.resigned == Some(side) {
            return Ok(());
        }
        if self.is_over() {
            return Err(ApiError::Over);
        }
        db.prepare_cached("UPDATE game SET resigned = ?2 WHERE key = ?1")?.execute(params![self.key, side.word()])?;
        self.resigned = Some(side);
        self.write_sum(db)?;
        self.duel.as_mut().map_or(Ok(()), |duel| duel.resign(side))?;
        Ok(())
    }

    /// A bot loses by a fault, as if it had resigned. Gives the game after that; one that has ended meanwhile stays as it is.
    pub(crate) fn forfeit(db: &Db<'_>, id: &str, side: Side) -> Result<Self, ApiError> {
        let mut game = Self::find(db, id)?;
        if !game.is_over() {
            game.resign(db, side)?;
        }
        Ok(game)
    }

    /// Stores the id of the rematch.
    pub(crate) fn set_next(&mut self, db: &Db<'_>, next: &str) -> Result<(), ApiError> {
        db.prepare_cached("UPDATE game SET next = ?2 WHERE key = ?1")?.execute(params![self.key, next])?;
        self.next = Some(next.to_owned());
        self.write_sum(db)
    }

    /// The game after its last shot; `None` until both fleets are placed.
    pub(crate) fn duel(&self) -> Option<&Duel> {
        self.duel.as_ref()
    }

    /// A number that grows with every change since the game was made: each join, layout, shot, resignation and rematch counts as one, and
    /// the last ship's sinking as many, since shots of the same turn after it leave the log.
    pub(crate) fn changes(&self) -> usize {
        /// More than a turn has shots.
        const LAST_SINKING: usize = 1 << 16;
        let seats = self.seats.iter().map(|seat| usize::from(seat.is_taken()) + usize::from(seat.layout.is_some()));
        let ends = [self.resigned.is_some(), self.next.is_some()].map(usize::from);
        let sunk = self.duel.as_ref().is_some_and(|duel| duel.outcome().is_some());
        let shots = self.duel.as_ref().map_or(0, shot_count) + if sunk { LAST_SINKING } else { 0 };
        seats.sum::<usize>() + ends.iter().sum::<usize>() + shots
    }

    /// Whether the game has ended.
    pub(crate) fn is_over(&self) -> bool {
        self.resigned.is_some() || self.duel.as_ref().is_some_and(|duel| duel.outcome().is_some())
    }

    /// Who resigned.
    pub(crate) fn resigned(&self) -> Option<Side> {
        self.resigned
    }

    /// A job for this game.
    pub(crate) fn job(&self, client: ClientId) -> JobInfo {
        let cost = (self.rules.grid().len() * self.rules.fleet().len()) as u64;
        JobInfo { client, game: Some(self.id.clone()), cost }
    }

    pub(crate) fn seat(&self, side: Side) -> &Seat {
        &self.seats[side as usize]
    }

    /// The side that a captain plays.
    pub(crate) fn captain_side(&self) -> Option<Side> {
        self.side_where(|seat| seat.captain.is_some())
    }

    /// The captain's side and its name, when it is the captain's turn.
    pub(crate) fn captain_to_fire(&self) -> Option<(Side, &str)> {
        let side = self.duel.as_ref()?.turn()?;
        Some((side, self.seat(side).captain.as_deref()?))
    }

    fn side_where(&self, is_it: impl Fn(&Seat) -> bool) -> Option<Side> {
        [Side::First, Side::Second].into_iter().find(|&side| is_it(self.seat(side)))
    }

    /// The side of the player with this token. Both are always compared.
    pub(crate) fn side_with_token(&self, token: &str) -> Result<Side, ApiError> {
        let given = SecretHash::new(token);
        let [first, second] = self.seats.each_ref().map(|seat| seat.token.map_or(Choice::from(0), |token| token.matches(given)));
        match (bool::from(first), bool::from(second)) {
            (true, _) => Ok(Side::First),
            (_, true) => Ok(Side::Second),
            _ => Err(ApiError::WrongToken),
        }
    }
}

/// The day, in days since 1970.
pub(crate) fn today() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    (since.as_secs() / 86_400).cast_signed()
}

/// The shots of both sides together.
fn shot_count(duel: &Duel) -> usize {
    duel.log(Side::First).len() + duel.log(Side::Second).len()
}

/// A column in the notation of its type; `None` for NULL.
fn parsed<T: std::str::FromStr<Err: std::error::Error>>(
    row: &Row<'_>,
    column: impl RowIndex + Display + Copy,
) -> Result<Option<T>, ApiError> {
    let unreadable = |error: &dyn std::error::Error| damaged(&format!("column {column}"), &error.to_string());
    let text = row.get_ref(column)?.as_str_or_null().map_err(|error| unreadable(&error))?;
    text.map(|text| text.parse().map_err(|error: T::Err| unreadable(&error))).transpose()
}

/// A column that is never NULL.
fn required<T: std::str::FromStr<Err: std::error::Error>>(
    row: &Row<'_>,
    column: impl RowIndex + Display + Copy,
) -> Result<T, ApiError> {
    parsed(row, column)?.ok_or_else(|| damaged(&format!("column {column}"), "NULL"))
}

/// The rules, which were checked when they were stored.
fn stored_rules(row: &Row<'_>) -> Result<Rules, ApiError> {
    let text: String = row.get("rules")?;
    Rules::from_stored(&text).map_err(|error| damaged("rules", &chain(&error)))
}

fn hash(row: &Row<'_>, column: &str) -> Result<Option<SecretHash>, ApiError> {
    let bytes: Option<Vec<u8>> = row.get(column)?;
    bytes.map(|bytes| SecretHash::from_bytes(&bytes).ok_or_else(|| damaged(column, "not a hash"))).transpose()
}

/// Logs what of the stored data can't be read.
fn damaged(what: &str, why: &str) -> ApiError {
    tracing::error!(what, why, "a stored game is damaged");
    ApiError::Damaged
}

#[cfg(test)]
pub(crate) mod tests {
    use rusqlite::Connection;

    use super::*;
    use crate::metrics::Metrics;
    use crate::schema;

    /// Runs a test against an empty database in memory.
    pub(crate) fn with_connection<T>(test: impl FnOnce(&Db<'_>) -> T) -> T {
        let connection = Connection::open_in_memory().unwrap();
        schema::create(&connection).unwrap();
        test(&Db::new(&connection, &Metrics::default()))
    }

    /// A game of two people who have placed their fleets.
    pub(crate) fn new_game(db: &Db<'_>, id: &str) -> Game {
        let rules: Rules = "3x3 2 allowed ship".parse().unwrap();
        let seat = |ship: &str| Seat {
            name: String::new(),
            captain: None,
            token: None,
            layout: Some(ship.parse::<Draft>().unwrap().check(&rules).into_layout().unwrap()),
        };
        let seats = ["A1-A2", "C1-C2"].map(seat);
        let (id, replay, turns) = (id.to_owned(), format!("{id} replay"), Turns::Alternate);
        let setup = GameSetup { id: id.clone(), replay, rules, turns, invite: None, hints: true, seats };
        Game::create(db, setup).unwrap();
        Game::find(db, &id).unwrap()
    }

    #[test]
    fn a_captain_that_saw_an_older_state_fires_no_shot() {
        with_connection(|db| {
            let seen = new_game(db, "a");
            let cell = |name: &str| name.parse().unwrap();
            let now = seen.clone().fire_unless_changed(db, Side::First, cell("B2")).unwrap();
            assert_eq!(now.duel().unwrap().log(Side::First).to_string(), "B2-");
            let late = seen.clone().fire_unless_changed(db, Side::First, cell("A3")).unwrap();
            assert_eq!(late.duel().unwrap().log(Side::First).to_string(), "B2-");
            let mut resigned = late.clone();
            resigned.resign(db, Side::First).unwrap();
            let after = late.fire_unless_changed(db, Side::Second, cell("A1")).unwrap();
            assert_eq!((after.resigned(), after.duel().unwrap().shots().count()), (Some(Side::First), 1));
        });
    }

    #[test]
    fn stored_rules_are_read_without_a_search_whether_the_fleet_fits() {
        // The ship of 5 takes a row, and two rows of 5 can't be filled by 4, 3 and 3: only a search shows that.
        let rules = "3x5 5,4,3,3 allowed ship";
        assert!(rules.parse::<Rules>().is_err());
        with_connection(|db| {
            new_game(db, "a");
            db.execute("UPDATE game SET rules = ?1", [rules]).unwrap();
            db.execute("UPDATE seat SET layout = NULL", ()).unwrap();
            db.execute("UPDATE game SET sum = NULL", ()).unwrap();
            assert_eq!(Game::find(db, "a").unwrap().rules.to_string(), rules);
        });
    }

    #[test]
    fn data_that_cant_be_read_is_an_error_of_its_own() {
        for damage in [
            "UPDATE seat SET layout = 'A1-A3' WHERE side = 'first'",
            "UPDATE seat SET layout = 'nonsense' WHERE side = 'first'",
            "UPDATE seat SET side = 'third' WHERE side = 'first'",
            "UPDATE seat SET token = x'00' WHERE side = 'first'",
            "DELETE FROM seat WHERE side = 'first'",
            "UPDATE game SET rules = '3x3'",
            "UPDATE game SET turns = x'ff'",
            "UPDATE shot SET cell = 'Z9'",
            "UPDATE shot SET side = 'second'",
            "UPDATE shot SET cell = 'B3'",
            "UPDATE shot SET number = 1",
            "UPDATE game SET turns = 'hit-again'",
            "UPDATE seat SET layout = 'A2-A3' WHERE side = 'first'",
            "UPDATE seat SET name = 'Somebody' WHERE side = 'first'",
        ] {
            with_connection(|db| {
                new_game(db, "a").fire(db, Side::First, "B2".parse().unwrap(), 0).unwrap();
                db.execute(damage, ()).unwrap();
                assert!(matches!(Game::find(db, "a"), Err(ApiError::Damaged)), "{damage}");
            });
        }
    }
}
