//! What a cell is worth while no ship is known.

use broadside_rules::{Orientation, Rules};

use super::orders::{Order, of_length};
use super::pattern::Patterns;
use super::tally::{Sheet, Tally};
use crate::bits::Bits;
use crate::chart::Chart;
use crate::field::Field;
use crate::fits::Fit;
use crate::planes::Planes;

/// A cell that a placement goes through is worth at least this part of its placements, whatever lies around it.
const LEAST: f32 = 1e-3;

/// The hunt's table.
#[derive(Clone, Debug)]
pub(crate) struct Hunt<B> {
    patterns: Patterns<B>,
    worth: Tally,
    fired: Tally,
    placements: Sheet,
    shots: Sheet,
    /// For each row, the edges it lies on and those it lies one step from; the same for each column.
    row_edges: Vec<[f32; 2]>,
    col_edges: Vec<[f32; 2]>,
    /// The pattern in use.
    pattern: B,
    /// Memory for one row: what lies around, and the factor.
    around: Vec<f32>,
    factor: Vec<f32>,
}

impl<B: Bits> Hunt<B> {
    pub(crate) fn new(rules: &Rules, field: &Field<B>) -> Self {
        let grid = rules.grid();
        let edges = |size: usize| (0..size).map(move |i| [0, 1].map(|away| edges_at(i, size, away))).collect();
        Self {
            patterns: Patterns::new(field, rules.fleet().longest().get()),
            worth: Tally::new(grid),
            fired: Tally::new(grid),
            placements: Sheet::new(grid),
            shots: Sheet::new(grid),
            row_edges: edges(grid.rows()),
            col_edges: edges(grid.cols()),
            pattern: B::EMPTY,
            around: vec![0.0; grid.cols()],
            factor: vec![0.0; grid.cols()],
        }
    }

    /// What each cell is worth, as weighed last.
    pub(crate) fn worth(&self) -> &Tally {
        &self.worth
    }

    /// The pattern as of the last weighing.
    pub(crate) fn pattern(&self) -> B {
        self.pattern
    }

    /// Weighs all cells, given the placements that meet no live hit, shortest first.
    pub(crate) fn weigh(&mut self, chart: &Chart<B>, fits: &[Fit<B>], order: &Order, planes: &mut Planes<B>) {
        self.worth.clear();
        for fit in fits.iter().filter(|fit| fit.hits == 0) {
            planes.clear();
            fit.count_in(planes, chart.field().grid().cols());
            let n = fit.places() as f32;
            self.worth.add(planes.settled(), order.length[of_length(fit.length)] * n / (n + order.few));
        }
        self.look_around(chart, order);
        self.keep_to_pattern(chart, fits, order);
    }

    /// Adds what lies around each cell, and takes it times its factor.
    fn look_around(&mut self, chart: &Chart<B>, order: &Order) {
        self.fired.clear();
        self.fired.add(&[chart.fired()], 1.0);
        self.placements.copy(&self.worth);
        self.shots.copy(&self.fired);
        let (rings, shots) = (
            [order.beside, order.corner, order.second, order.knight],
            [order.fired_beside, order.fired_corner, order.fired_second, 0.0],
        );
        let cols = self.col_edges.len();
        for (row, edges) in self.row_edges.iter().enumerate() {
            for (factor, other) in self.factor.iter_mut().zip(&self.col_edges) {
                *factor = 1.0 + order.edge * (edges[0] + other[0]) + order.near_edge * (edges[1] + other[1]);
            }
            self.shots.add_rings(row, shots, &mut self.factor);
            self.around.fill(0.0);
            self.placements.add_rings(row, rings, &mut self.around);
            let worth = &mut self.worth.numbers_mut()[row * cols..][..cols];
            for ((worth, around), factor) in worth.iter_mut().zip(&self.around).zip(&self.factor) {
                *worth = ((*worth + around) * factor).max(LEAST * *worth);
            }
        }
    }

    fn keep_to_pattern(&mut self, chart: &Chart<B>, fits: &[Fit<B>], order: &Order) {
        self.pattern = B::EMPTY;
        let Some(fit) = fits.iter().find(|fit| fit.hits == 0) else { return };
        let (field, unfired) = (chart.field(), chart.unfired());
        let cover = |bows, heading| field.covered(bows, fit.length, heading);
        let open = cover(fit.bows.lying, Orientation::Horizontal) | cover(fit.bows.upright, Orientation::Vertical);
        self.pattern = self.patterns.nearest_done(fit.length, open & unfired) & unfired;
        let worth = self.worth.numbers_mut();
        self.pattern.iter().for_each(|cell| worth[cell] *= 1.0 + order.pattern);
    }
}

/// How many of the two ends lie so far away.
fn edges_at(place: usize, size: usize, away: usize) -> f32 {
    f32::from(u8::from(place == away) + u8::from(place + away + 1 == size))
}
