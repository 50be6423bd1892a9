//! The rule behind probability density, that the likeliest square is the one to fire at, judged by the rest of the game.

use broadside_rules::Preset;

use super::super::games::Games;
use super::super::{Check, Row, Sampled, Section, Settings, Table};
use crate::{CampaignError, LikeliestCost, LikeliestError, LikeliestSettings, likeliest_costs};

/// One shot in so many is looked at.
const ONE_IN: usize = 8;

pub(super) fn section(games: &Games<'_>) -> Result<Section, CampaignError> {
    let settings = looked_at(games.settings);
    games.begin("the likeliest cells");
    let costs = likeliest_costs(&Preset::Classic.rules(), settings).map_err(|error| match error {
        LikeliestError::Games(error) => error,
        LikeliestError::ShotsToGo(error) => unreachable!("the classic board is in reach: {error}"),
    })?;
    let positions: u64 = costs.iter().map(|cost| cost.positions).sum();
    let note = format!(
        "The article’s method takes it for granted. {positions} positions of {} games, {} layouts played on for each. All shots are admiral’s; where the shots to go are estimates, \
         a better square that was missed is not in the cost.",
        settings.games, settings.playouts
    );
    let row = Row::new(
        "walkthrough",
        "No square is better to fire at than the likeliest one: shots lost there, on average over all shots of a game",
        Check::Near { source: 0.0, measured: overall(&costs) },
    )
    .note(note);
    let about =
        "The article always fires at the square with the highest score. Here the square with the highest exact chance is \
                 compared with the best one by the shots to the end of the game."
            .into();
    Ok(Section { title: "The likeliest square", about, rows: vec![row], tables: vec![table(&costs)], ..Section::default() })
}

/// Few games: a position takes as long as thousands of games of the other chapters.
fn looked_at(settings: &Settings) -> LikeliestSettings {
    LikeliestSettings {
        games: (settings.games / 50_000).max(1),
        one_in: ONE_IN,
        playouts: (settings.games / 5000).clamp(16, 1000),
        seed: settings.seed,
    }
}

/// The mean over all positions, with the error from their spread within the phases and between them.
fn overall(costs: &[LikeliestCost]) -> Sampled {
    let sum =
        |value: &dyn Fn(&LikeliestCost, f64) -> f64| -> f64 { costs.iter().map(|cost| value(cost, cost.positions as f64)).sum() };
    let all = sum(&|_, n| n);
    let mean = sum(&|cost, n| n * cost.mean) / all;
    let squares = sum(&|cost, n| n * (n - 1.0) * cost.std_err.powi(2) + n * (cost.mean - mean).powi(2));
    Sampled { value: mean, std_err: (squares / (all - 1.0).max(1.0) / all).sqrt() }
}

fn table(costs: &[LikeliestCost]) -> Table {
    let head = ["phase", "positions", "another is better", "still open", "shots lost"].map(str::to_owned).into();
    let line = |cost: &LikeliestCost| {
        let what = if cost.phase.ship_hit { "a ship hit" } else { "hunting" };
        let percent = |part: u64| format!("{:.0}%", 100.0 * part as f64 / cost.positions as f64);
        vec![
            format!("{} ships left, {what}", cost.phase.ships),
            cost.positions.to_string(),
            percent(cost.worse),
            percent(cost.open),
            if cost.positions > 1 { format!("{:.3} ± {:.3}", cost.mean, cost.std_err) } else { format!("{:.3}", cost.mean) },
        ]
    };
    Table { caption: "What the likeliest square costs, by phase".to_owned(), head, body: costs.iter().map(line).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Phase;

    #[test]
    fn the_error_over_all_phases_is_that_of_all_positions() {
        let cost = |ships, positions, mean, std_err| LikeliestCost {
            phase: Phase { ships, ship_hit: false },
            positions,
            worse: 0,
            open: 0,
            mean,
            std_err,
        };
        // Losses of 1 and 3 in one phase (standard error 1) and of 5 in another: together 3 ± 2/√3.
        let all = overall(&[cost(2, 2, 2.0, 1.0), cost(1, 1, 5.0, 0.0)]);
        assert!((all.value - 3.0).abs() < 1e-12 && (all.std_err - 2.0 / 3.0_f64.sqrt()).abs() < 1e-12, "{all:?}");
    }
}
