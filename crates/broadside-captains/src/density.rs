//! `density`: fire where most placements of the ships left go through.
//!
//! Seed document 001: misses and sunk ships block, live hits are open, every placement of every ship left that avoids
//! what is blocked counts for the cells it covers, and placements through live hits get a heavy weight. Of the cells
//! with the highest score the first in reading order is chosen, "the next numeric one (starting from the top-left)".
//!
//! The document leaves the weight open. Here a placement through more live hits outweighs any number of placements
//! through fewer: cells are compared by the number of placements through most live hits, and only among equals by
//! the next. Tried on 20,000 classic games each (`examples/games.rs`, seed 1; standard error 0.06), with the
//! weight of a placement through k live hits:
//!
//! | weight | mean shots |
//! | --- | --- |
//! | 32 if k > 0, else 1 | 46.00 |
//! | 32·k, at least 1 | 44.79 |
//! | 4^k | 44.58 |
//! | 8^k | 44.39 |
//! | 16^k | 44.35 |
//! | 32^k, 256^k: the order chosen | 44.33 |
//!
//! Where ships keep apart, a placement that comes too near to a hit it doesn't cover is no placement.
//!
//! All placements of one length and heading are counted at once: their bows are a set of cells, and so is what they
//! cover with their first, second, … cell; [`Planes`] adds those sets up.

use broadside_rules::{Cell, Heading, Rules, ShotLog, Touch};

use crate::bits::Bits;
use crate::chart::Chart;
use crate::planes::Planes;
use crate::{Captain, GameRng, Mode, Reason};

/// A captain that counts placements.
pub(crate) struct Density<B> {
    name: &'static str,
    chart: Chart<B>,
    fits: Vec<Fit<B>>,
    planes: Planes<B>,
    /// Memory for finding fits: by number, the bows whose ships cover more live hits than that.
    through: Vec<B>,
}

/// The placements of one length and heading that cover the same number of live hits.
struct Fit<B> {
    length: usize,
    /// How many ships of that length are left.
    ships: usize,
    /// How far the next cell of the ship is.
    stride: usize,
    /// How many live hits each placement covers.
    hits: usize,
    bows: B,
}

impl<B: Bits> Fit<B> {
    /// Adds one for every cell of every placement, two cells of the ships at a time.
    #[inline]
    fn add_to(&self, planes: &mut Planes<B>, plane: usize) {
        let mut cells = self.bows;
        for _ in 0..self.length / 2 {
            let next = cells << self.stride;
            planes.add_two(cells, next, plane);
            cells = next << self.stride;
        }
        if self.length % 2 == 1 {
            planes.add(cells, plane);
        }
    }
}

impl<B: Bits> Density<B> {
    pub(crate) fn new(rules: &Rules) -> Self {
        Self { name: "density", chart: Chart::new(rules), fits: Vec::new(), planes: Planes::new(), through: Vec::new() }
    }

    /// The same captain without any idea that ships may have to keep apart.
    pub(crate) fn blind(rules: &Rules) -> Self {
        Self { name: "density-blind", chart: Chart::ignoring_touch(rules), ..Self::new(rules) }
    }

    fn best(&mut self) -> usize {
        self.find_fits();
        let (mut best, mut counted) = (self.chart.unfired(), false);
        for hits in (0..=self.most_hits()).rev() {
            self.count(hits);
            if let Some(better) = self.planes.largest(best) {
                (best, counted) = (better, true);
            }
            if best.at_most_one() {
                break;
            }
        }
        if counted { best.first().expect("a cell to fire at") } else { last_resort(&self.chart) }
    }

    fn most_hits(&self) -> usize {
        self.fits.iter().map(|fit| fit.hits).max().unwrap_or(0)
    }

    /// Counts, for each cell, the placements through it that cover so many live hits.
    fn count(&mut self, hits: usize) {
        self.planes.clear();
        for fit in self.fits.iter().filter(|fit| fit.hits == hits) {
            // The number of ships in binary: each digit adds to its own plane.
            let mut ships = fit.ships;
            while ships != 0 {
                fit.add_to(&mut self.planes, ships.trailing_zeros() as usize);
                ships &= ships - 1;
            }
        }
    }

    /// Lists the placements that the log allows.
    fn find_fits(&mut self) {
        self.fits.clear();
        for heading in Heading::ALL {
            self.find_fits_heading(heading);
        }
    }

    fn find_fits_heading(&mut self, heading: Heading) {
        let (chart, field) = (&self.chart, self.chart.field());
        let (open, live, stride) = (open(chart, heading), chart.live(), field.stride(heading));
        let (mut bows, mut length) = (open, 1);
        self.through.clear();
        self.through.resize(live.count() + 1, B::EMPTY);
        cover(&mut self.through, live);
        for (class, ships) in chart.left().classes().rev() {
            while length < class {
                // One cell longer: the bows whose next cell is open too, and which of the new sterns were hit.
                bows = open & field.astern(bows, heading);
                if bows.is_empty() {
                    return;
                }
                cover(&mut self.through, live >> (length * stride));
                length += 1;
            }
            // A single cell has no heading; it counts as lying.
            if length > 1 || heading == Heading::Lying {
                let bows = bows & !too_near(chart, length, heading);
                let fit = |hits, bows| Fit { length, ships, stride, hits, bows };
                sort_by_hits(bows, &self.through, |hits, bows| self.fits.push(fit(hits, bows)));
            }
        }
    }
}

/// Where a ship of this heading may lie, as far as single cells decide.
fn open<B: Bits>(chart: &Chart<B>, heading: Heading) -> B {
    let (field, hits) = (chart.field(), chart.hits());
    let open = field.all() & (!chart.fired() | chart.live());
    let beside = match heading {
        Heading::Lying => field.up(hits) | field.down(hits),
        Heading::Upright => field.left(hits) | field.right(hits),
    };
    match chart.touch() {
        Touch::Allowed => open,
        Touch::Corners => open & !beside,
        Touch::Never => open & !beside & !field.cornering(hits),
    }
}

/// The bows of ships that would touch a hit with one of their ends.
fn too_near<B: Bits>(chart: &Chart<B>, length: usize, heading: Heading) -> B {
    if chart.touch() == Touch::Allowed {
        return B::EMPTY;
    }
    let (field, hits) = (chart.field(), chart.hits());
    field.ahead(hits, heading) | field.astern(hits, heading) >> ((length - 1) * field.stride(heading))
}

/// Takes note that ships with these bows cover one live hit more: `through[k]` are the bows that cover more than `k`.
#[inline]
fn cover<B: Bits>(through: &mut [B], bows: B) {
    for k in (1..through.len()).rev() {
        let one_more = through[k - 1] & bows;
        through[k] |= one_more;
    }
    through[0] |= bows;
}

/// Splits bows by the number of live hits that their ships cover.
#[inline]
fn sort_by_hits<B: Bits>(bows: B, through: &[B], mut found: impl FnMut(usize, B)) {
    let mut rest = bows;
    for (hits, &more) in through.iter().enumerate() {
        let exactly = rest & !more;
        if !exactly.is_empty() {
            found(hits, exactly);
        }
        rest &= more;
        if rest.is_empty() {
            return;
        }
    }
}

/// Where to fire when no placement fits: then hits were ascribed to the wrong ships, and what is left lies by them.
pub(crate) fn last_resort<B: Bits>(chart: &Chart<B>) -> usize {
    let unfired = chart.unfired();
    let beside = chart.field().beside(chart.hits()) & unfired;
    beside.first().or_else(|| unfired.first()).expect("a cell to fire at")
}

/// What a placement weighs in a score that is shown, for each live hit it covers.
const SHOWN_WEIGHT: f64 = 64.0;

/// The reason for a shot, given for each cell the numbers of placements by the live hits they cover.
pub(crate) fn reason<B: Bits>(chart: &Chart<B>, cell: Cell, counts: impl Fn(usize) -> Vec<usize>) -> Reason {
    let score = |index| counts(index).iter().rev().fold(0.0, |sum, &count| sum * SHOWN_WEIGHT + count as f64);
    let mode = if chart.live().is_empty() { Mode::Hunt } else { Mode::Target };
    let through = counts(chart.field().index(cell));
    let all: usize = through.iter().sum();
    let words = match through.iter().rposition(|&count| count > 0) {
        None => "no placement fits; the first cell by a hit".to_string(),
        Some(0) => format!("{all} placements go through it, as many as through any"),
        Some(hits) => format!("{all} placements go through it, {} of them through {hits} live hits", through[hits]),
    };
    Reason { cell, mode, scores: chart.scores(chart.unfired(), score), words }
}

impl<B: Bits> Captain for Density<B> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn aim(&mut self, log: &ShotLog, _rng: &mut GameRng) -> Cell {
        self.chart.read(log);
        let best = self.best();
        self.chart.field().cell(best)
    }

    fn explain(&mut self, log: &ShotLog, rng: &mut GameRng) -> Reason {
        let cell = self.aim(log, rng);
        let cells = 0..self.chart.field().grid().len();
        let mut counts = vec![Vec::new(); cells.len()];
        for hits in 0..=self.most_hits() {
            self.count(hits);
            cells.clone().for_each(|cell| counts[cell].push(self.planes.number(cell)));
        }
        reason(&self.chart, cell, |index| counts[index].clone())
    }
}
