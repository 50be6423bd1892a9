//! Section 3.3: how soon random guesses hit.

use broadside_rules::Rules;

use super::super::fit::Curve;
use super::super::games::{Games, sampled};
use super::super::{Check, Figure, Row, Section, Settings};
use super::boards;
use crate::CampaignError;
use crate::draw::{Axis, Chart, Series};

/// The document holds this many ship cells fixed for figure 3.
const SHIP_CELLS: u32 = 30;
/// And this many cells for figure 4.
const CELLS: u32 = 100;

pub(super) fn games(settings: &Settings) -> u64 {
    settings.share(4) * boards().len() as u64
}

pub(super) fn section(games: &Games<'_>) -> Result<Section, CampaignError> {
    let mut rows = vec![formula_row(), sure_row(), single_row()];
    let (by_cells, by_ships) = (cells_points(), ship_points());
    let (figure_3, figure_4) = (Curve::fit(&by_cells, 10.0), Curve::fit(&by_ships, 10.0));
    rows.extend(fit_rows("figure 3", figure_3, &by_cells, (1.0 / 31.0, 1.0)));
    rows.extend(fit_rows("figure 4", figure_4, &by_ships, (101.0, -1.0)));
    for rules in boards() {
        rows.push(played_row(games, &rules)?);
    }
    rows.push(worst_row());
    let about = "The document sums k · Pr[first hit with guess k], finds the sum too complex to solve, and fits curves to it. \
                 Here its sum is computed and fitted in the same way, and random play is measured as well."
        .into();
    let figures = vec![
        figure("Figure 3: cells n_g, with 30 ship cells", "cells", &by_cells, figure_3),
        figure("Figure 4: ship cells n_sp, with 100 cells", "ship cells", &by_ships, figure_4),
    ];
    Ok(Section { title: "First hit by random guesses", about, rows, figures, ..Section::default() })
}

/// The document's sum: E = Σ k · Pr[the first hit comes with guess k].
fn expected(cells: u32, ships: u32) -> f64 {
    let (cells, ships) = (f64::from(cells), f64::from(ships));
    let (mut sum, mut missed_so_far, mut guess) = (0.0, 1.0, 1.0);
    while guess <= cells - ships + 1.0 {
        let hit = ships / (cells - guess + 1.0);
        sum += guess * missed_so_far * hit;
        missed_so_far *= 1.0 - hit;
        guess += 1.0;
    }
    sum
}

fn cells_points() -> Vec<(f64, f64)> {
    (SHIP_CELLS..=200).map(|cells| (f64::from(cells), expected(cells, SHIP_CELLS))).collect()
}

fn ship_points() -> Vec<(f64, f64)> {
    (1..=CELLS).map(|ships| (f64::from(ships), expected(CELLS, ships))).collect()
}

fn formula_row() -> Row {
    let all: Vec<(u32, u32)> = (1..=CELLS).flat_map(|cells| (1..=cells).map(move |ships| (cells, ships))).collect();
    let formula = |cells, ships| f64::from(cells + 1) / f64::from(ships + 1);
    let agree = all.iter().filter(|&&(cells, ships)| (expected(cells, ships) / formula(cells, ships) - 1.0).abs() < 1e-9).count();
    let check = Check::All { total: all.len(), agree, what: "pairs" };
    Row::new("section 3.3.3", "E[first hit] = (n_g + 1)/(n_sp + 1), for all 1 ≤ n_sp ≤ n_g ≤ 100", check)
        .says("(n_g + 1)/(n_sp + 1), found by fitting")
        .note(
            "The sum in floating point, equal to nine digits; a test of the captains adds it up \
             in exact fractions.",
        )
}

fn sure_row() -> Row {
    let agree = (1..=CELLS).filter(|&cells| (expected(cells, cells) - 1.0).abs() < 1e-9).count();
    Row::new("section 3.3.3", "n_g = n_sp: the first guess hits", Check::All { total: 100, agree, what: "sizes" }).says("E = 1")
}

fn single_row() -> Row {
    let agree = (1..=CELLS).filter(|&cells| (expected(cells, 1) - f64::from(cells + 1) / 2.0).abs() < 1e-9).count();
    Row::new("section 3.3.3", "n_sp = 1: half of the guesses", Check::All { total: 100, agree, what: "sizes" })
        .says("E = (n_g + 1)/2")
}

/// The three constants of a fit, and how well it goes through the points.
fn fit_rows(place: &'static str, fit: Curve, points: &[(f64, f64)], (scale, power): (f64, f64)) -> Vec<Row> {
    let curve = if power > 0.0 { "a(n_g + b)^c" } else { "a(n_sp + b)^−c" };
    let constant = |name: &str, source: f64, measured: f64| {
        Row::new(place, format!("{name} of the fit {curve}"), Check::Rounded { source, measured, decimals: 4 })
    };
    let agree = points.iter().filter(|&&(x, y)| (fit.value(x) / y - 1.0).abs() < 1e-6).count();
    vec![
        constant("a", scale, fit.scale).says(if power > 0.0 {
            "the other variable’s part: 1/31"
        } else {
            "the other variable’s part: 101"
        }),
        constant("b", 1.0, fit.shift),
        constant("c", 1.0, fit.power.abs()),
        Row::new(
            place,
            "“This is a perfect fit”: every point is on the curve",
            Check::All { total: points.len(), agree, what: "points" },
        ),
    ]
}

/// Random play, measured.
fn played_row(games: &Games<'_>, rules: &Rules) -> Result<Row, CampaignError> {
    let (cells, ships) = (rules.grid().len() as f64, rules.fleet().cells() as f64);
    let measured = sampled(&games.first_hits(rules, "random", games.settings.share(4))?);
    let check = Check::Near { source: (cells + 1.0) / (ships + 1.0), measured };
    Ok(Row::new("section 3.3.3", format!("First hit of random play on {} with {ships} ship cells", rules.grid()), check))
}

fn worst_row() -> Row {
    let chance = |guess: u32| (1..guess).map(|k| 1.0 - 17.0 / f64::from(101 - k)).product::<f64>();
    let latest = (1..=CELLS).rev().find(|&guess| chance(guess) > 0.0).unwrap_or(0);
    Row::new(
        "section 3.3.3",
        "At worst mn − S + 1 guesses to the first hit, 10x10 and 17 ship cells",
        Check::Same { source: 84, measured: u128::from(latest) },
    )
}

fn figure(caption: &str, axis: &str, points: &[(f64, f64)], fit: Curve) -> Figure {
    let fitted = points.iter().map(|&(x, _)| (x, fit.value(x)));
    let svg = Chart::new(caption, Axis::new(axis).from(0.0), Axis::new("expected guesses to the first hit").from(0.0))
        .with_caption("the document’s sum, and the curve fitted to it")
        .with(Series::line("fit", fitted))
        .with(Series::dots("sum", points.iter().copied().step_by(points.len().div_ceil(25))))
        .svg();
    Figure {
        caption: format!("{caption}: the fit is {:.4} (x + {:.4})^{:.4}.", fit.scale, fit.shift, fit.power),
        svg,
        wide: false,
    }
}
