//! What a cell is worth while a ship is hit and afloat.

use broadside_rules::Grid;

use super::orders::{Order, of_length};
use super::tally::Tally;
use crate::bits::Bits;
use crate::chart::Chart;
use crate::fits::Fit;
use crate::planes::Planes;

/// How many times as much a placement weighs that covers one live hit more.
const ONE_MORE: f32 = 45.0;

/// The target's table.
#[derive(Clone, Debug)]
pub(crate) struct Target {
    worth: Tally,
}

impl Target {
    pub(crate) fn new(grid: Grid) -> Self {
        Self { worth: Tally::new(grid) }
    }

    /// What each cell is worth, as weighed last.
    pub(crate) fn worth(&self) -> &Tally {
        &self.worth
    }

    /// Weighs all cells: the chance of a hit by the placements through live hits, and a little of what the hunt thinks.
    pub(crate) fn weigh<B: Bits>(
        &mut self,
        chart: &Chart<B>,
        fits: &[Fit<B>],
        order: &Order,
        hunt: &Tally,
        planes: &mut Planes<B>,
    ) {
        self.worth.clear();
        // A placement all of hits has no cell to fire at.
        let aimed = || fits.iter().filter(|fit| fit.hits > 0 && fit.hits < fit.length);
        let most = aimed().map(|fit| fit.hits).max().unwrap_or(0);
        let mut all = 0.0;
        for fit in aimed() {
            planes.clear();
            fit.count_in(planes, chart.field().grid().cols());
            let weight = weight(fit, fits, order, most);
            self.worth.add(planes.settled(), weight);
            all += weight * (fit.places() * fit.ships) as f32;
        }
        self.mind_the_hunt(chart, hunt, order.meanwhile * all);
    }

    /// Adds what the hunt thinks of the cells where the ship may lie; of its best cell it thinks so much.
    fn mind_the_hunt<B: Bits>(&mut self, chart: &Chart<B>, hunt: &Tally, highest: f32) {
        let Some(best) = hunt.best(chart.unfired()) else { return };
        let times = highest / hunt.at(best);
        for (cell, worth) in self.worth.numbers_mut().iter_mut().enumerate() {
            if *worth > 0.0 {
                *worth += times * hunt.at(cell);
            }
        }
    }
}

/// What a placement weighs when others cover so many live hits.
fn weight<B: Bits>(fit: &Fit<B>, fits: &[Fit<B>], order: &Order, most: usize) -> f32 {
    let places: usize = fits.iter().filter(|other| other.length == fit.length).map(Fit::places).sum();
    let weight = order.aimed[of_length(fit.length)] * places as f32 / (places as f32 + order.aimed_few);
    (fit.hits..most).fold(weight, |weight, _| weight / ONE_MORE)
}
