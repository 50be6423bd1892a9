//! The referee: games between players of any kind.

#![cfg(unix)]

use broadside_rules::{Duel, DuelError, Ending, Layout, Referee, Rules, ShotLog, Side, Turns};

use crate::{Forfeit, Outcome, Seat, SeatError};

/// A game that was played, or given up.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayedGame {
    /// The layouts, as far as there are any: that of the first side and of the second; alone, the one that was fired at.
    pub layouts: Vec<Option<Layout>>,
    /// The shots of each side.
    pub logs: Vec<ShotLog>,
    /// Who won: always somebody in a duel, nobody alone.
    pub winner: Option<Side>,
    /// Who lost by a fault, and which.
    pub forfeit: Option<(Side, Forfeit)>,
}

/// A player alone: fires at a layout until the fleet is sunk. The player is told the seed, and never the secret number that decides which
/// answers are false.
pub fn play_alone(rules: &Rules, seat: &mut Seat, layout: Layout, seed: u64, noise_seed: u64) -> PlayedGame {
    let mut referee = Referee::new(rules, layout).with_noise_seed(noise_seed);
    let forfeit = sink_all(rules, seat, &mut referee, seed).err();
    if forfeit.is_none() {
        seat.result(Outcome::Done, &format!("{} shots", referee.log().len()));
    }
    let record = referee.into_record();
    PlayedGame {
        layouts: vec![Some(record.layout().clone())],
        logs: vec![record.log().clone()],
        winner: None,
        forfeit: forfeit.map(|forfeit| (Side::First, forfeit)),
    }
}

fn sink_all(rules: &Rules, seat: &mut Seat, referee: &mut Referee, seed: u64) -> Result<(), Forfeit> {
    seat.start_game(rules, seed)?;
    while !referee.is_over() {
        let cell = seat.fire(referee.log())?;
        referee.fire(cell)?;
    }
    seat.end_game()
}

/// What a duel starts from, beside its players.
#[derive(Clone, Debug)]
pub struct DuelStart {
    /// Who fires after a shot.
    pub turns: Turns,
    /// The layouts of the first side and of the second; a player whose is absent is asked for one.
    pub layouts: [Option<Layout>; 2],
    /// The seeds of the first side and of the second.
    pub seeds: [u64; 2],
    /// Decides which answers are false, where some are; players are never told.
    pub noise_seed: u64,
}

/// Two players against each other; the first one fires first.
///
/// # Errors
/// When the board is too tight for a captain to place its ships.
pub fn play_duel(rules: &Rules, seats: [&mut Seat; 2], start: DuelStart) -> Result<PlayedGame, broadside_odds::DealError> {
    let mut game = DuelGame { rules, seats, layouts: start.layouts, duel: None };
    let end = match game.play(start.turns, start.seeds, start.noise_seed) {
        Ok(()) => None,
        Err((_, SeatError::Deal(error))) => return Err(error),
        Err((side, SeatError::Forfeit(forfeit))) => Some((side, forfeit)),
    };
    Ok(game.finish(end))
}

/// A duel under way.
struct DuelGame<'a> {
    rules: &'a Rules,
    seats: [&'a mut Seat; 2],
    layouts: [Option<Layout>; 2],
    duel: Option<Duel>,
}

const SIDES: [Side; 2] = [Side::First, Side::Second];

impl DuelGame<'_> {
    fn seat(&mut self, side: Side) -> &mut Seat {
        self.seats[side as usize]
    }

    fn play(&mut self, turns: Turns, seeds: [u64; 2], noise_seed: u64) -> Result<(), (Side, SeatError)> {
        let rules = self.rules;
        for (side, seed) in SIDES.into_iter().zip(seeds) {
            self.seat(side).start_game(rules, seed).map_err(|forfeit| (side, forfeit.into()))?;
        }
        for side in SIDES {
            if self.layouts[side as usize].is_none() {
                self.layouts[side as usize] = Some(self.seat(side).place(rules).map_err(|error| (side, error))?);
            }
        }
        let [Some(first), Some(second)] = self.layouts.clone() else { unreachable!("both sides have placed") };
        let mut duel = Duel::new(rules, turns, [first, second]).with_noise_seed(noise_seed);
        let fired = self.fire_in_turns(&mut duel);
        self.duel = Some(duel);
        fired.map_err(|(side, forfeit)| (side, forfeit.into()))
    }

    fn fire_in_turns(&mut self, duel: &mut Duel) -> Result<(), (Side, Forfeit)> {
        while let Some(side) = duel.turn() {
            let cell = self.seat(side).fire(duel.log(side)).map_err(|forfeit| (side, forfeit))?;
            match duel.fire(side, cell) {
                Err(DuelError::Fire(error)) => return Err((side, error.into())),
                Err(DuelError::NotYourTurn | DuelError::Over) => unreachable!("it is this side's turn"),
                Ok(_) => {}
            }
            let shot = duel.answered(side).next_back();
            let told = shot.map_or(Ok(()), |shot| self.seat(side.other()).opponent(shot));
            told.map_err(|forfeit| (side.other(), forfeit))?;
        }
        SIDES.into_iter().try_for_each(|side| self.seat(side).end_game().map_err(|forfeit| (side, forfeit)))
    }

    fn finish(mut self, forfeit: Option<(Side, Forfeit)>) -> PlayedGame {
        let lost = forfeit.as_ref().map(|(side, _)| *side);
        let sunk = self.duel.as_ref().and_then(Duel::outcome).filter(|(_, ending)| *ending == Ending::Sunk);
        let winner = lost.map(Side::other).or(sunk.map(|(winner, _)| winner));
        for side in SIDES {
            let outcome = if Some(side) == winner { Outcome::Win } else { Outcome::Loss };
            let words = if lost.is_some() { "forfeit" } else { "sunk" };
            // A bot that lost by a fault is about to be ended.
            if Some(side) != lost {
                self.seat(side).result(outcome, words);
            }
        }
        let rules = self.rules;
        let records = self.duel.map(Duel::into_records);
        let logs = records
            .map_or_else(|| vec![ShotLog::new(rules); 2], |records| records.iter().map(|record| record.log().clone()).collect());
        PlayedGame { logs, layouts: self.layouts.to_vec(), winner, forfeit }
    }
}
