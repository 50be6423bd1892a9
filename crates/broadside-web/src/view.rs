//! What a player may see of a game. All that a player receives of a stored game is made here.

use broadside_rules::{Duel, Layout, Rules, ShotLog, Side};

use crate::game::{Game, Seat};
use crate::messages::{CallOut, Opponent, Phase, Player, ReplayOut, RulesOut, View, Who, You};
use crate::routes::watch::{WatchOut, Watched};

/// The game as a side may see it.
pub(crate) fn for_side(game: &Game, side: Side) -> View {
    let duel = game.duel();
    let over = outcome(game, duel);
    let who = |other| if other == side { Who::You } else { Who::Opponent };
    View {
        id: game.id.clone(),
        rules: RulesOut::from(&game.rules),
        turns: game.turns,
        phase: phase(game, duel),
        you: you(game.seat(side), duel, side),
        opponent: opponent(game.seat(side.other()), &game.rules, duel, side, over.is_some()),
        order: duel.into_iter().flat_map(Duel::shots).map(|(shooter, _)| who(shooter)).collect(),
        turn: duel.and_then(Duel::turn).map(who),
        shots_left: duel.filter(|duel| duel.turn().is_some()).map_or(0, Duel::shots_left_in_turn),
        winner: over.map(|(winner, _)| who(winner)),
        ending: over.map(|(_, ending)| ending),
        replay: over.and(duel).map(|_| game.replay.clone()),
        next: game.next.clone(),
        hints: game.hints,
        watch: game.watch.clone(),
    }
}

fn outcome(game: &Game, duel: Option<&Duel>) -> Option<(Side, broadside_rules::Ending)> {
    match duel {
        Some(duel) => duel.outcome(),
        None => game.resigned().map(|side| (side.other(), broadside_rules::Ending::Resigned)),
    }
}

fn phase(game: &Game, duel: Option<&Duel>) -> Phase {
    match duel {
        _ if outcome(game, duel).is_some() => Phase::Over,
        Some(_) => Phase::Playing,
        None if game.seats.iter().all(Seat::is_taken) => Phase::Placing,
        None => Phase::Waiting,
    }
}

fn you(seat: &Seat, duel: Option<&Duel>, side: Side) -> You {
    let received = duel.map(|duel| duel.log(side.other()).fired());
    let sunk = |layout: &Layout| {
        let hit =
            |ship: &&broadside_rules::Placement| received.is_some_and(|fired| ship.cells().all(|cell| fired.contains(cell)));
        layout.ships().iter().filter(hit).map(ToString::to_string).collect()
    };
    You {
        name: seat.name.clone(),
        placed: seat.layout.is_some(),
        ships: seat.layout.as_ref().map(ships).unwrap_or_default(),
        sunk: seat.layout.as_ref().map(sunk).unwrap_or_default(),
        shots: duel.map(|duel| shots(duel, side)).unwrap_or_default(),
        calls: duel.map(|duel| calls(duel, side)).unwrap_or_default(),
    }
}

fn opponent(seat: &Seat, rules: &Rules, duel: Option<&Duel>, side: Side, over: bool) -> Opponent {
    let left = duel.map_or_else(|| rules.fleet().lengths().to_vec(), |duel| duel.log(side).lengths_left());
    Opponent {
        name: seat.name.clone(),
        captain: seat.captain.clone(),
        joined: seat.is_taken(),
        placed: seat.layout.is_some(),
        // Whoever is fired at sees the shots fall, also those that are answered after the turn.
        shots: duel.map(|duel| duel.answered(side.other()).map(|shot| shot.to_string()).collect()).unwrap_or_default(),
        left: left.iter().map(|length| length.get()).collect(),
        // The only place where the opponent's layout comes into a view.
        ships: seat.layout.as_ref().filter(|_| over).map(ships),
    }
}

/// The game as spectators may see it: what both players know, and nothing that one of them hides.
pub(crate) fn for_spectators(game: &Game) -> WatchOut {
    let duel = game.duel();
    let over = outcome(game, duel);
    let player = |side: Side| Watched {
        name: game.seat(side).name.clone(),
        captain: game.seat(side).captain.clone(),
        joined: game.seat(side).is_taken(),
        placed: game.seat(side).layout.is_some(),
        shots: duel.map(|duel| shots(duel, side)).unwrap_or_default(),
        calls: duel.map(|duel| calls(duel, side)).unwrap_or_default(),
    };
    WatchOut {
        rules: RulesOut::from(&game.rules),
        phase: phase(game, duel),
        players: [Side::First, Side::Second].map(player).into(),
        order: duel.into_iter().flat_map(Duel::shots).map(|(side, _)| side).collect(),
        turn: duel.and_then(Duel::turn),
        winner: over.map(|(winner, _)| winner),
        replay: over.and(duel).map(|_| game.replay.clone()),
    }
}

/// A finished game with both layouts; `None` while it goes on, and for one that ended before both fleets were placed.
pub(crate) fn replay(game: &Game) -> Option<ReplayOut> {
    let duel = game.duel()?;
    let (winner, ending) = duel.outcome()?;
    let player = |side: Side| {
        let seat = game.seat(side);
        Player {
            name: seat.name.clone(),
            captain: seat.captain.clone(),
            ships: seat.layout.as_ref().map(ships).unwrap_or_default(),
            shots: duel.answered(side).map(|shot| shot.to_string()).collect(),
            calls: told_log(duel, side).as_ref().map(CallOut::of_finished).unwrap_or_default(),
        }
    };
    Some(ReplayOut {
        rules: RulesOut::from(&game.rules),
        turns: game.turns,
        players: [Side::First, Side::Second].map(player).into(),
        order: duel.shots().map(|(side, _)| side).collect(),
        winner,
        ending,
    })
}

/// The shots of a side with the answers that it was told: all of them once the game is over, as its layouts are seen then.
fn shots(duel: &Duel, side: Side) -> Vec<String> {
    match duel.outcome() {
        Some(_) => duel.answered(side).map(|shot| shot.to_string()).collect(),
        None => duel.log(side).shots().iter().map(ToString::to_string).collect(),
    }
}

/// The shots of a side with the answers to all of them; `None` while the game goes on.
pub(crate) fn told_log(duel: &Duel, side: Side) -> Option<ShotLog> {
    duel.outcome()?;
    let [first, second] = duel.clone().into_records();
    Some(if side == Side::First { first.log().clone() } else { second.log().clone() })
}

/// The turns of a side of which it was told only the number of hits.
fn calls(duel: &Duel, side: Side) -> Vec<CallOut> {
    duel.outcome().map_or_else(|| CallOut::all(duel.log(side)), |_| Vec::new())
}

fn ships(layout: &Layout) -> Vec<String> {
    layout.ships().iter().map(ToString::to_string).collect()
}
