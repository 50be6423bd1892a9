//! The words on the screen.

use broadside_rules::{ShotLog, Turns};

use super::super::game::{BoardId, Game, Question, Screen};

/// Turns of which only the number of hits was called that are shown.
const CALLED_TURNS: usize = 3;

pub(crate) fn title(game: &Game) -> String {
    let turns = if game.setup.turns == Turns::HitAgain { " · hit again" } else { "" };
    format!("Broadside · {} · against {}{turns}", game.setup.rules, game.setup.captain)
}

/// What a board is headed with.
pub(crate) fn heading(game: &Game, board: BoardId) -> String {
    match (&game.screen, board) {
        (Screen::Placing(_), _) => "Place your fleet".to_owned(),
        (_, BoardId::Opponent) => "Opponent's board".to_owned(),
        (_, BoardId::Own) => "Your fleet".to_owned(),
    }
}

/// The lines between the boards and the keys.
pub(crate) fn lines(game: &Game) -> Vec<String> {
    let mut lines = match &game.screen {
        Screen::Placing(placing) => {
            let left = lengths(&placing.lengths_left());
            let task = match placing.next_length() {
                Some(length) => format!("Place the ship of {length}. Still to place: {left}"),
                None => "All ships are placed: press Enter to begin.".to_owned(),
            };
            vec![task, placing.message.clone()]
        }
        Screen::Battle(battle) => {
            let waiting = if battle.is_waiting() { "…" } else { "" };
            let shots = battle.shots_left().map_or_else(String::new, |shots| format!("   shots left in your turn: {shots}"));
            let mut lines = vec![
                format!("Ships left: opponent's {}   yours {}{shots}", left(battle.log()), left(&battle.opponent_log())),
                format!("{}{waiting}", battle.message),
            ];
            let called: Vec<String> = battle.called_turns().take(CALLED_TURNS).collect();
            lines.extend((!called.is_empty()).then(|| format!("Called: {}", called.join(" · "))));
            lines
        }
        Screen::Review(review) => review.lines(),
    };
    lines.extend(game.question.map(|question| match question {
        Question::Quit => "Leave the game? Press q again to leave, any other key to go on.".to_owned(),
        Question::Resign => "Give up? Press x again to give up, any other key to go on.".to_owned(),
    }));
    lines
}

/// The ships not sunk, as far as was called.
fn left(log: &ShotLog) -> String {
    lengths(&log.lengths_left())
}

fn lengths(lengths: &[broadside_rules::Length]) -> String {
    if lengths.is_empty() {
        return "none".to_owned();
    }
    lengths.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

/// The keys that do something now.
pub(crate) fn keys(game: &Game) -> &'static str {
    match &game.screen {
        Screen::Placing(_) => "arrows move · r turn · Enter place · u take back · a all at random · ? help · q leave",
        Screen::Battle(_) => "arrows move · Enter fire · h hint · o odds · Tab other board · x give up · ? help · q leave",
        Screen::Review(_) => "← → shot by shot · ↑ ↓ by ten · Home End · o odds · n new game · ? help · q leave",
    }
}
