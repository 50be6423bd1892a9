//! A stored game: how it is read from the database and written to it.
//!
//! Cells are stored, answers aren't: they follow from the layouts, by replaying the game from its first shot. So nothing
//! stored can contradict itself, and no game lives in memory between two requests.

use broadside_rules::{Cell, Draft, Duel, DuelError, Layout, Rules, Side, Turns};
use rusqlite::types::Type;
use rusqlite::{Connection, OptionalExtension, Row, RowIndex, params};
use subtle::Choice;

use crate::refusal::Refusal;
use crate::secret::Fingerprint;

/// One of the two seats of a game.
#[derive(Clone)]
pub(crate) struct Seat {
    pub(crate) name: String,
    /// The captain who sits there.
    pub(crate) captain: Option<String>,
    /// The token of the person who sits there.
    pub(crate) token: Option<Fingerprint>,
    pub(crate) layout: Option<Layout>,
}

impl Seat {
    /// Whether somebody sits there.
    pub(crate) fn is_taken(&self) -> bool {
        self.captain.is_some() || self.token.is_some()
    }
}

/// A game as it is stored.
#[derive(Clone)]
pub(crate) struct Game {
    key: i64,
    pub(crate) id: String,
    pub(crate) replay: String,
    pub(crate) rules: Rules,
    pub(crate) turns: Turns,
    pub(crate) invite: Option<Fingerprint>,
    pub(crate) next: Option<String>,
    /// The first side's and the second's.
    pub(crate) seats: [Seat; 2],
    resigned: Option<Side>,
    shots: Vec<(Side, Cell)>,
}

/// What a new game starts with.
pub(crate) struct Start {
    pub(crate) id: String,
    pub(crate) replay: String,
    pub(crate) rules: Rules,
    pub(crate) turns: Turns,
    pub(crate) invite: Option<Fingerprint>,
    pub(crate) seats: [Seat; 2],
}

impl Game {
    /// Writes a new game.
    pub(crate) fn start(db: &Connection, start: Start) -> Result<Self, Refusal> {
        let Start { id, replay, rules, turns, invite, seats } = start;
        db.prepare_cached("INSERT INTO game (id, replay, rules, turns, invite) VALUES (?1, ?2, ?3, ?4, ?5)")?
            .execute(params![id, replay, rules.to_string(), turns.word(), invite.as_ref().map(Fingerprint::bytes)])?;
        let game = Self {
            key: db.last_insert_rowid(),
            id,
            replay,
            rules,
            turns,
            invite,
            next: None,
            seats,
            resigned: None,
            shots: Vec::new(),
        };
        for side in [Side::First, Side::Second] {
            game.write_seat(db, side)?;
        }
        Ok(game)
    }

    /// The game of that name.
    pub(crate) fn find(db: &Connection, id: &str) -> Result<Self, Refusal> {
        Self::read(db, "SELECT * FROM game WHERE id = ?1", id)?.ok_or(Refusal::NotFound("game"))
    }

    /// The finished game whose replay has that name.
    pub(crate) fn find_replay(db: &Connection, replay: &str) -> Result<Self, Refusal> {
        let game = Self::read(db, "SELECT * FROM game WHERE replay = ?1", replay)?;
        game.filter(Self::is_over).ok_or(Refusal::NotFound("replay"))
    }

    fn read(db: &Connection, query: &str, name: &str) -> Result<Option<Self>, Refusal> {
        let Some(mut game) = db.prepare_cached(query)?.query_row([name], Self::of_row).optional()? else { return Ok(None) };
        game.read_seats(db)?;
        game.read_shots(db)?;
        Ok(Some(game))
    }

    fn of_row(row: &Row<'_>) -> rusqlite::Result<Self> {
        let empty = Seat { name: String::new(), captain: None, token: None, layout: None };
        let invite: Option<Vec<u8>> = row.get("invite")?;
        Ok(Self {
            key: row.get("key")?,
            id: row.get("id")?,
            replay: row.get("replay")?,
            rules: parsed(row, "rules")?.ok_or(rusqlite::Error::InvalidQuery)?,
            turns: parsed(row, "turns")?.ok_or(rusqlite::Error::InvalidQuery)?,
            invite: invite.as_deref().and_then(Fingerprint::from_bytes),
            next: row.get("next")?,
            seats: [empty.clone(), empty],
            resigned: parsed(row, "resigned")?,
            shots: Vec::new(),
        })
    }

    fn read_seats(&mut self, db: &Connection) -> rusqlite::Result<()> {
        let mut query = db.prepare_cached("SELECT * FROM seat WHERE game = ?1")?;
        let mut rows = query.query([self.key])?;
        while let Some(row) = rows.next()? {
            let side: Side = parsed(row, "side")?.ok_or(rusqlite::Error::InvalidQuery)?;
            let token: Option<Vec<u8>> = row.get("token")?;
            let layout: Option<Draft> = parsed(row, "layout")?;
            self.seats[side as usize] = Seat {
                name: row.get("name")?,
                captain: row.get("captain")?,
                token: token.as_deref().and_then(Fingerprint::from_bytes),
                layout: layout.and_then(|draft| draft.check(&self.rules).into_layout().ok()),
            };
        }
        Ok(())
    }

    fn read_shots(&mut self, db: &Connection) -> rusqlite::Result<()> {
        let mut query = db.prepare_cached("SELECT side, cell FROM shot WHERE game = ?1 ORDER BY number")?;
        let rows = query.query_map([self.key], |row| Ok((parsed(row, 0)?, parsed(row, 1)?)))?;
        for row in rows {
            let (Some(side), Some(cell)) = row? else { return Err(rusqlite::Error::InvalidQuery) };
            self.shots.push((side, cell));
        }
        Ok(())
    }

    /// Writes what has changed about a seat.
    pub(crate) fn write_seat(&self, db: &Connection, side: Side) -> Result<(), Refusal> {
        let Seat { name, captain, token, layout } = self.seat(side);
        let layout = layout.as_ref().map(ToString::to_string);
        db.prepare_cached(
            "INSERT OR REPLACE INTO seat (game, side, name, captain, token, layout) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        )?
        .execute(params![self.key, side.word(), name, captain, token.as_ref().map(Fingerprint::bytes), layout])?;
        Ok(())
    }

    /// Somebody takes up the invitation.
    pub(crate) fn join(
        &mut self,
        db: &Connection,
        invite: Fingerprint,
        name: String,
        token: Fingerprint,
    ) -> Result<Side, Refusal> {
        let expected = self.invite.ok_or(Refusal::AlreadyJoined)?;
        if !bool::from(expected.matches(invite)) {
            return Err(Refusal::NotFound("invitation"));
        }
        let side = self.side_where(|seat| !seat.is_taken()).ok_or(Refusal::AlreadyJoined)?;
        let seat = &mut self.seats[side as usize];
        (seat.name, seat.token) = (name, Some(token));
        self.invite = None;
        self.write_seat(db, side)?;
        db.prepare_cached("UPDATE game SET invite = NULL WHERE key = ?1")?.execute([self.key])?;
        Ok(side)
    }

    /// A side places its fleet.
    pub(crate) fn place(&mut self, db: &Connection, side: Side, layout: Layout) -> Result<(), Refusal> {
        if self.seat(side).layout.as_ref() == Some(&layout) {
            // The same request again.
            return Ok(());
        }
        if self.seat(side).layout.is_some() {
            return Err(Refusal::AlreadyPlaced);
        }
        if self.is_over() {
            return Err(Refusal::Over);
        }
        self.seats[side as usize].layout = Some(layout);
        self.write_seat(db, side)
    }

    /// A side fires its shot of that number, counted from 0.
    pub(crate) fn fire(&mut self, db: &Connection, side: Side, cell: Cell, number: usize) -> Result<(), Refusal> {
        let mut duel = self.duel().ok_or(Refusal::NotPlaced)?;
        let log = duel.log(side);
        if number != log.len() {
            let repeated = log.shots().get(number).is_some_and(|shot| shot.cell == cell);
            return if repeated { Ok(()) } else { Err(Refusal::OutOfStep(log.len())) };
        }
        duel.fire(side, cell)?;
        db.prepare_cached("INSERT INTO shot (game, number, side, cell) VALUES (?1, ?2, ?3, ?4)")?.execute(params![
            self.key,
            self.shots.len().cast_signed() as i64,
            side.word(),
            cell.to_string()
        ])?;
        self.shots.push((side, cell));
        Ok(())
    }

    /// A side gives up.
    pub(crate) fn resign(&mut self, db: &Connection, side: Side) -> Result<(), Refusal> {
        if self.resigned == Some(side) {
            return Ok(());
        }
        if self.is_over() {
            return Err(Refusal::Over);
        }
        db.prepare_cached("UPDATE game SET resigned = ?2 WHERE key = ?1")?.execute(params![self.key, side.word()])?;
        self.resigned = Some(side);
        Ok(())
    }

    /// The game that follows this one is known by that name.
    pub(crate) fn follow(&mut self, db: &Connection, next: &str) -> Result<(), Refusal> {
        db.prepare_cached("UPDATE game SET next = ?2 WHERE key = ?1")?.execute(params![self.key, next])?;
        self.next = Some(next.to_owned());
        Ok(())
    }

    /// The game as it stands; `None` until both fleets are placed.
    pub(crate) fn duel(&self) -> Option<Duel> {
        let [Some(first), Some(second)] = self.seats.each_ref().map(|seat| seat.layout.clone()) else { return None };
        let mut duel = Duel::new(&self.rules, self.turns, [first, second]);
        let fire = |duel: &mut Duel, &(side, cell): &(Side, Cell)| -> Result<(), DuelError> { duel.fire(side, cell).map(drop) };
        let replayed = self.shots.iter().try_for_each(|shot| fire(&mut duel, shot));
        // What is stored was fired before, by the same rules.
        replayed.and_then(|()| self.resigned.map_or(Ok(()), |side| duel.resign(side))).ok()?;
        Some(duel)
    }

    /// Whether the game has ended.
    pub(crate) fn is_over(&self) -> bool {
        self.resigned.is_some() || self.duel().is_some_and(|duel| duel.outcome().is_some())
    }

    /// Who gave up.
    pub(crate) fn resigned(&self) -> Option<Side> {
        self.resigned
    }

    pub(crate) fn seat(&self, side: Side) -> &Seat {
        &self.seats[side as usize]
    }

    /// The side that a captain plays.
    pub(crate) fn captain_side(&self) -> Option<Side> {
        self.side_where(|seat| seat.captain.is_some())
    }

    fn side_where(&self, is_it: impl Fn(&Seat) -> bool) -> Option<Side> {
        [Side::First, Side::Second].into_iter().find(|&side| is_it(self.seat(side)))
    }

    /// The side whose token this is. Both are always compared.
    pub(crate) fn side_of(&self, token: &str) -> Result<Side, Refusal> {
        let given = Fingerprint::of(token);
        let [first, second] = self.seats.each_ref().map(|seat| seat.token.map_or(Choice::from(0), |token| token.matches(given)));
        match (bool::from(first), bool::from(second)) {
            (true, _) => Ok(Side::First),
            (_, true) => Ok(Side::Second),
            _ => Err(Refusal::WrongToken),
        }
    }
}

/// A column in the notation of its type.
fn parsed<T: std::str::FromStr<Err: std::error::Error + Send + Sync + 'static>>(
    row: &Row<'_>,
    column: impl RowIndex,
) -> rusqlite::Result<Option<T>> {
    let text: Option<String> = row.get(column)?;
    let parse =
        |text: String| text.parse().map_err(|error| rusqlite::Error::FromSqlConversionFailure(0, Type::Text, Box::new(error)));
    text.map(parse).transpose()
}
