//! Random play, which is known in closed form.

use super::super::{Check, Figure, Row, Sampled, Section, Unit};
use super::{ARTICLE_GAMES, Shots, median_row};
use crate::Histogram;
use crate::draw::{Axis, Chart, Series};
use crate::stats::{ChiSquare, last_hit_chance};

const CELLS: u64 = 100;
const SHIPS: u64 = 17;

/// Shorter games are too few to be seen in a chart.
const FIRST_SHOWN: i64 = 70;

pub(super) fn section(shots: &Shots) -> Section {
    let (counted, command) = shots.get("random");
    let mut rows = perfect_rows();
    rows.extend([shortest_row(counted, command), last_shot_row(counted).by(command)]);
    rows.extend([half_row(), most_row(), median_row("random", 97.0, counted, command), mean_row(counted).by(command)]);
    rows.extend(distribution_row(counted).map(|row| row.by(command)));
    let about = "A game of random shots ends with the last of 17 ship squares among 100, so every figure has a closed form: \
                 Pr[n shots] = C(n − 1, 16)/C(100, 17). The article’s numbers are set beside it, and so are the games played."
        .into();
    Section { title: "Random shots", about, rows, figures: figures(counted), ..Section::default() }
}

/// The chance that a game takes at most `most` shots.
fn within(most: u64) -> f64 {
    (SHIPS..=most).map(|shots| last_hit_chance(SHIPS, CELLS, shots)).sum()
}

fn perfect_rows() -> Vec<Row> {
    let factorial: u128 = (1..=17).product();
    let orders: u128 = (84..=100).product();
    vec![
        Row::new(
            "random play",
            "Perfect games: the numerator, 17!",
            Check::Same { source: 355_687_428_096_000, measured: factorial },
        ),
        Row::new(
            "random play",
            "The denominator, 100!/83!",
            Check::Same { source: 2_365_369_369_446_553_061_560_941_772_800_000, measured: orders },
        ),
        Row::new(
            "random play",
            "One perfect game in so many",
            Check::Same { source: 6_650_134_872_937_201_800, measured: orders / factorial },
        ),
    ]
}

/// The number of shots that the shortest of the article's games stays within with this chance.
fn shortest_at(chance: f64) -> u64 {
    let some_within = |most: u64| 1.0 - (1.0 - within(most)).powf(ARTICLE_GAMES as f64);
    (SHIPS..=CELLS).find(|&most| some_within(most) >= chance).unwrap_or(CELLS)
}

fn shortest_row(counted: &Histogram, command: &str) -> Row {
    let [low, middle, high] = [0.025, 0.5, 0.975].map(|chance| shortest_at(chance) as f64);
    let none_shorter = (1.0 - within(43)).powf(ARTICLE_GAMES as f64);
    let (smallest, games) = (counted.smallest().unwrap_or(0), super::super::text::whole(counted.total().into()));
    Row::new(
        "random play",
        "The shortest of 100 million games",
        Check::Within { source: 44.0, measured: middle, interval: (low, high) },
    )
    .note(format!(
        "Measured: by theory, the median and the middle 95% for 100 million games. None is shorter than 44 in {:.2}% of such \
             campaigns. The shortest of the {games} games here took {smallest}.",
        100.0 * none_shorter
    ))
    .by(command)
}

fn last_shot_row(counted: &Histogram) -> Row {
    let games = counted.total() as f64;
    let share = counted.count_of(CELLS.cast_signed()) as f64 / games;
    let check = Check::Near { source: 0.17, measured: Sampled { value: share, std_err: (share * (1.0 - share) / games).sqrt() } };
    Row::new("random play", "Games that need all 100 shots", check).unit(Unit::Percent).says("17 million of 100 million")
}

fn half_row() -> Row {
    Row::new("cumulative curve", "Games over within 96 shots", Check::Rounded { source: 0.5, measured: within(96), decimals: 2 })
        .unit(Unit::Percent)
        .says("“approx 50%”")
        .note(format!(
            "By the closed form. The article’s own summary has 97 for the median, which is right: {:.1}% are over by then.",
            100.0 * within(97)
        ))
}

fn most_row() -> Row {
    Row::new(
        "cumulative curve",
        "Games that take more than 78 shots",
        Check::Rounded { source: 0.99, measured: 1.0 - within(78), decimals: 2 },
    )
    .unit(Unit::Percent)
    .note("By the closed form.")
}

fn mean_row(counted: &Histogram) -> Row {
    let measured = super::super::games::sampled(counted);
    Row::new("closed form", "Mean number of shots, 17 · 101/18", Check::Near { source: 17.0 * 101.0 / 18.0, measured })
}

/// The whole histogram against the closed form; nothing where there are too few games to test.
fn distribution_row(counted: &Histogram) -> Option<Row> {
    let fit = ChiSquare::test(counted, |shots| last_hit_chance(SHIPS, CELLS, shots.unsigned_abs()))?;
    let check = Check::Fits { chi_square: fit.statistic, freedom: fit.freedom, p_value: fit.p_value };
    let games = super::super::text::whole(counted.total().into());
    Some(
        Row::new("histogram", format!("The whole histogram of {games} games is that of theory"), check)
            .note("Pearson’s test; shots expected fewer than five times are put together."),
    )
}

fn figures(counted: &Histogram) -> Vec<Figure> {
    let games = counted.total() as f64;
    let shares =
        counted.counts().filter(|&(shots, _)| shots >= FIRST_SHOWN).map(|(shots, count)| (shots as f64, count as f64 / games));
    let theory = || (FIRST_SHOWN.unsigned_abs()..=CELLS).map(|shots| (shots as f64, last_hit_chance(SHIPS, CELLS, shots)));
    let over = (FIRST_SHOWN.unsigned_abs()..=CELLS).map(|shots| (shots as f64, within(shots)));
    let caption = format!("{} games, and the closed form", super::super::text::whole(counted.total().into()));
    let histogram = Chart::new("Random shots", Axis::new("shots"), Axis::new("share of games").percent().from(0.0))
        .with_caption(&caption)
        .with(Series::bars("measured", shares))
        .with(Series::dots("closed form", theory()));
    let curve = Chart::new("Random games over", Axis::new("shots"), Axis::new("share of games over").percent().from(0.0).to(1.0))
        .with_caption(&caption)
        .with(Series::line(
            "measured",
            counted.cumulative().filter(|&(shots, _)| shots >= FIRST_SHOWN).map(|(shots, share)| (shots as f64, share)),
        ))
        .with(Series::dots("closed form", over));
    vec![
        Figure {
            caption: "How many shots random games take: what was measured, and theory.".to_owned(),
            svg: histogram.svg(),
            wide: false,
        },
        Figure { caption: "The share of random games over after so many shots.".to_owned(), svg: curve.svg(), wide: false },
    ]
}
