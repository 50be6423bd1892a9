//! `admiral`: hunts and sinks with the rest of the game in mind.
//!
//! Like `density` it counts the placements through each cell, but what it makes of them is tuned for the fewest shots in
//! the end, which is not the likeliest hit now. While it hunts, a placement weighs by its length and by how many others
//! of that length there are; what lies around a cell counts; and the hunt keeps to one diagonal in as many as the
//! shortest ship left is long. With a ship hit, cells of nearly equal chance differ by what a miss there would tell the
//! hunt. All this depends on how many ships are left: an [`Order`] for each number of them.
//!
//! How the numbers were found, what each idea is worth and what was tried in vain is told in `docs/admiral.md`.

mod hunt;
mod orders;
mod pattern;
mod tally;
mod target;
mod tuned;

use broadside_rules::{Cell, Rules, ShotLog};

use crate::bits::{Bits, Wide};
use crate::chart::Chart;
use crate::density::last_resort;
use crate::fits::{Fit, Sorter};
use crate::opening::Opening;
use crate::planes::Planes;
use crate::{Captain, GameRng, Mode, Reason};

use hunt::Hunt;
pub use orders::{LENGTHS, Order, Orders, STAGES};
use target::Target;

/// A captain with orders.
pub(crate) struct Admiral<B> {
    orders: Orders,
    chart: Chart<B>,
    sorter: Sorter<B>,
    fits: Vec<Fit<B>>,
    planes: Planes<B>,
    hunt: Hunt<B>,
    target: Target,
    opening: Opening<B>,
}

/// The admiral with other orders than its own, to find better ones.
pub fn with_orders(rules: &Rules, orders: Orders) -> Box<dyn Captain> {
    match rules.grid().len() {
        ..=128 => Box::new(Admiral::<u128>::new(rules, orders)),
        129..=256 => Box::new(Admiral::<Wide<2>>::new(rules, orders)),
        _ => Box::new(Admiral::<Wide<32>>::new(rules, orders)),
    }
}

impl<B: Bits> Admiral<B> {
    pub(crate) fn new(rules: &Rules, orders: Orders) -> Self {
        let chart = Chart::new(rules);
        Self {
            orders,
            sorter: Sorter::new(),
            fits: Vec::new(),
            planes: Planes::new(),
            hunt: Hunt::new(rules, chart.field()),
            target: Target::new(rules.grid()),
            opening: Opening::default(),
            chart,
        }
    }

    /// The best cell when so many shots all missed.
    fn opening_shot(&mut self, shots: usize) -> usize {
        let fired = self.chart.fired();
        self.opening.recall(shots, fired).unwrap_or_else(|| {
            let best = self.best();
            self.opening.keep(shots, fired, best);
            best
        })
    }

    fn best(&mut self) -> usize {
        self.weigh();
        let worth = if self.hunts() { self.hunt.worth() } else { self.target.worth() };
        worth.best(self.chart.unfired()).unwrap_or_else(|| last_resort(&self.chart))
    }

    fn hunts(&self) -> bool {
        self.chart.live_count() == 0
    }

    /// Weighs all cells.
    fn weigh(&mut self) {
        let fits = &mut self.fits;
        fits.clear();
        self.sorter.each(&self.chart, |fit| fits.extend((!fit.bows.is_empty()).then_some(fit)));
        let ships = self.chart.left().classes().map(|(_, ships)| ships).sum();
        let order = self.orders.of(ships, self.chart.left().shortest());
        self.hunt.weigh(&self.chart, &self.fits, order, &mut self.planes);
        if !self.hunts() {
            self.target.weigh(&self.chart, &self.fits, order, self.hunt.worth(), &mut self.planes);
        }
    }

    /// How many placements of the listed ones go through the cell.
    fn through(&mut self, cell: usize, listed: impl Fn(&Fit<B>) -> bool) -> usize {
        let cols = self.chart.field().grid().cols();
        self.planes.clear();
        self.fits.iter().filter(|&fit| listed(fit)).for_each(|fit| fit.count_in(&mut self.planes, cols));
        self.planes.number(cell)
    }

    /// Why this cell, once all are weighed.
    fn words(&mut self, cell: usize) -> String {
        let all = self.through(cell, |_| true);
        if all == 0 {
            return "no placement fits; the first cell by a hit".to_owned();
        }
        if !self.hunts() {
            let aimed = self.through(cell, |fit| fit.hits > 0);
            return format!("{aimed} placements through live hits go through it, {} others do", all - aimed);
        }
        let shortest = self.chart.left().shortest();
        let pattern = if self.hunt.pattern().has(cell) && shortest > 1 {
            format!("on the pattern that no ship of length {shortest} escapes")
        } else {
            "off the pattern, but worth more than any cell on it".to_owned()
        };
        format!("{all} placements go through it; {pattern}")
    }
}

impl<B: Bits> Captain for Admiral<B> {
    fn name(&self) -> &'static str {
        "admiral"
    }

    fn aim(&mut self, log: &ShotLog, _rng: &mut GameRng) -> Cell {
        self.chart.read(log);
        let best = if log.hit_count() == 0 { self.opening_shot(log.len()) } else { self.best() };
        self.chart.field().cell(best)
    }

    fn explain(&mut self, log: &ShotLog, rng: &mut GameRng) -> Reason {
        let cell = self.aim(log, rng);
        self.weigh();
        let words = self.words(self.chart.field().index(cell));
        let (mode, worth) = if self.hunts() { (Mode::Hunt, self.hunt.worth()) } else { (Mode::Target, self.target.worth()) };
        let scores = self.chart.scores(self.chart.unfired(), |index| f64::from(worth.at(index)));
        Reason { cell, mode, scores, words }
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;
    use crate::captain;

    fn reason(shots: &str) -> Reason {
        let rules: Rules = "classic".parse().unwrap();
        let log = ShotLog::parse(&rules, shots).unwrap();
        captain("admiral", &rules).unwrap().explain(&log, &mut GameRng::seed_from_u64(1))
    }

    #[test]
    fn a_hit_is_followed_up_beside_it() {
        let reason = reason("E5+");
        assert_eq!(reason.mode, Mode::Target);
        assert!(["D5", "F5", "E4", "E6"].contains(&reason.cell.to_string().as_str()), "{}", reason.cell);
    }

    #[test]
    fn a_row_of_hits_is_followed_at_its_ends() {
        let reason = reason("E5+ E6+");
        assert!(["E4", "E7"].contains(&reason.cell.to_string().as_str()), "{}", reason.cell);
    }

    #[test]
    fn the_only_place_left_is_fired_at() {
        // 1x5 with one ship of length 3: after misses at both ends it lies on the three cells between.
        let rules: Rules = "1x5 3 allowed ship".parse().unwrap();
        let log = ShotLog::parse(&rules, "A1- A5-").unwrap();
        let reason = captain("admiral", &rules).unwrap().explain(&log, &mut GameRng::seed_from_u64(1));
        assert!(["A2", "A3", "A4"].contains(&reason.cell.to_string().as_str()));
    }

    #[test]
    fn where_its_orders_do_not_suit_it_fires_like_density() {
        for rules in ["russian", "10x10 5,4,3,3,2 allowed silent"] {
            let rules: Rules = rules.parse().unwrap();
            let mut rng = GameRng::seed_from_u64(5);
            let (mut admiral, mut density) = (captain("admiral", &rules).unwrap(), captain("density", &rules).unwrap());
            assert_eq!(admiral.name(), "admiral");
            let log = ShotLog::parse(&rules, "E5+ A1-").unwrap();
            assert_eq!(admiral.aim(&log, &mut rng), density.aim(&log, &mut rng));
        }
    }
}
