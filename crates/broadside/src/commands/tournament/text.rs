//! Results as tables for people.

use std::io::{self, Write};

use broadside_bots::tournament::{Decision, PlayerResult, TournamentResults};

/// How many reasons of lost games are told.
const SHOWN_REASONS: usize = 10;

/// Writes the table of players, that of pairs, and what else there is to say.
pub(super) fn write(out: &mut dyn Write, results: &TournamentResults) -> io::Result<()> {
    let about = &results.tournament;
    let (mode, layouts) = (&about.mode, &about.layouts);
    writeln!(out, "{}, {mode}, {layouts} layouts, seed {}, {} games\n", about.rules, about.seed, results.played)?;
    let width = results.players.iter().map(|player| player.name.chars().count()).fold("player".len(), usize::max);
    writeln!(
        out,
        "{:<width$} {:>7} {:>18} {:>7} {:>7} {:>16} {:>8}",
        "player", "rating", "95% interval", "games", "score", "shots", "forfeits"
    )?;
    results.players.iter().try_for_each(|player| write_player(out, player, width))?;
    writeln!(out)?;
    let shown = results.pairs.iter().filter(|pair| pair.games > 0).take(100);
    for pair in shown {
        writeln!(
            out,
            "{} {} {}: {} won, {} drawn, {} lost, {:.1} % of the points (expected {:.1} %)",
            pair.a,
            if pair.score >= 0.5 { "beats" } else { "loses to" },
            pair.b,
            pair.wins,
            pair.draws,
            pair.losses,
            100.0 * pair.score,
            100.0 * pair.expected
        )?;
    }
    write_rest(out, results)
}

fn write_player(out: &mut dyn Write, player: &PlayerResult, width: usize) -> io::Result<()> {
    let interval = format!("{:.0} to {:.0}", player.rating.interval.low, player.rating.interval.high);
    let shots = player.mean_shots.map(|mean| match player.std_err_shots {
        Some(error) => format!("{mean:.2} ± {error:.2}"),
        None => format!("{mean:.2}"),
    });
    writeln!(
        out,
        "{:<width$} {:>7.0} {:>18} {:>7} {:>6.1}% {:>16} {:>8}",
        player.name,
        player.rating.rating,
        interval,
        player.games,
        100.0 * player.score,
        shots.unwrap_or_else(|| "-".to_owned()),
        player.forfeits
    )
}

fn write_rest(out: &mut dyn Write, results: &TournamentResults) -> io::Result<()> {
    if let Some(first) = &results.first_move {
        let range = first.interval.map(|i| format!(" (95% interval {:.1} to {:.1})", 100.0 * i.low, 100.0 * i.high));
        let worth = first.rating.map(|rating| format!("; worth {:.0} ± {:.0} points", rating.rating, rating.std_err));
        let (range, worth) = (range.unwrap_or_default(), worth.unwrap_or_default());
        writeln!(out, "\nWhoever fires first wins {:.1} % of {} games{range}{worth}", 100.0 * first.share, first.games)?;
    }
    if let Some(sprt) = &results.sprt {
        let [low, high] = sprt.bounds;
        let words = match sprt.decision {
            Decision::High => format!("the first player is better: {high} rather than {low}"),
            Decision::Low => format!("the first player is not better: {low} rather than {high}"),
            Decision::Open => "nothing is decided yet: play more games".to_owned(),
        };
        writeln!(out, "\nAfter {} differences {words} (log ratio {:.2})", sprt.differences, sprt.log_ratio)?;
    }
    write_forfeits(out, results)
}

/// Each reason once, with the number of games.
fn write_forfeits(out: &mut dyn Write, results: &TournamentResults) -> io::Result<()> {
    let mut reasons: Vec<(&str, &str, usize)> = Vec::new();
    for forfeit in &results.forfeits {
        match reasons.iter_mut().find(|(player, reason, _)| (*player, *reason) == (&forfeit.player, &forfeit.reason)) {
            Some((.., games)) => *games += 1,
            None => reasons.push((&forfeit.player, &forfeit.reason, 1)),
        }
    }
    for (i, (player, reason, games)) in reasons.into_iter().take(SHOWN_REASONS).enumerate() {
        let head = if i == 0 { "\n" } else { "" };
        let games = if games == 1 { "a game".to_owned() } else { format!("{games} games") };
        writeln!(out, "{head}{player} forfeited {games}: {reason}")?;
    }
    let (all, listed) = (results.players.iter().map(|player| player.forfeits).sum::<u64>(), results.forfeits.len());
    if all > listed as u64 {
        writeln!(out, "of {all} forfeits the first {listed} are counted here; all are in the file of games")?;
    }
    Ok(())
}
