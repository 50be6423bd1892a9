//! What a captain reads out of the log: the chart on its table.
//!
//! A chart is a function of the log. It is kept between shots only to save work: when the log has grown it reads the
//! new shots, and when it is another log it starts over.

use broadside_rules::{LogMark, Rules, Shot, ShotLog, Touch};

use crate::bits::Bits;
use crate::field::Field;
use crate::lengths::{Lengths, number};
use crate::sinkings::{self, Sinking, Told};

/// The log, read.
#[derive(Clone, Debug)]
pub(crate) struct Chart<B> {
    rules: Rules,
    touch: Touch,
    field: Field<B>,
    mark: Option<LogMark>,
    fired: B,
    hits: B,
    hit_list: Vec<Hit>,
    sinkings: Vec<Sinking>,
    /// What the sinkings tell; `None` for captains who don't ask.
    told: Option<Told<B>>,
    left: Lengths,
}

/// One hit, in the order of firing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hit {
    /// The cell's number.
    pub(crate) cell: usize,
    /// The length called with it, if one was.
    pub(crate) length: Option<usize>,
}

impl<B: Bits> Chart<B> {
    /// The chart of a game by these rules, nothing fired.
    pub(crate) fn new(rules: &Rules) -> Self {
        Self { told: Some(Told::nothing()), ..Self::of_hits(rules) }
    }

    /// The same for captains who don't know that ships may have to keep apart.
    pub(crate) fn ignoring_touch(rules: &Rules) -> Self {
        Self { touch: Touch::Allowed, ..Self::new(rules) }
    }

    /// A chart for captains who don't ask which hits belong to sunk ships: to it all hits are live.
    pub(crate) fn of_hits(rules: &Rules) -> Self {
        Self {
            touch: rules.touch(),
            field: Field::new(rules.grid()),
            mark: None,
            fired: B::EMPTY,
            hits: B::EMPTY,
            hit_list: Vec::with_capacity(rules.fleet().cells()),
            sinkings: Vec::with_capacity(rules.fleet().len()),
            told: None,
            left: Lengths::of(rules.fleet()),
            rules: rules.clone(),
        }
    }

    /// Brings the chart up to date with the log.
    ///
    /// # Panics
    /// When the log is of a game by other rules.
    #[inline]
    pub(crate) fn read(&mut self, log: &ShotLog) {
        self.fired = B::of_words(log.fired().words());
        self.hits = B::of_words(log.hits().words());
        match self.mark.and_then(|mark| log.since(mark)) {
            Some(shots) => self.take(shots),
            None => self.start_over(log),
        }
        self.mark = Some(log.mark());
    }

    fn start_over(&mut self, log: &ShotLog) {
        assert_eq!(log.rules(), &self.rules, "the log of a game by other rules");
        self.told = self.told.as_ref().map(|_| Told::nothing());
        self.hit_list.clear();
        self.sinkings.clear();
        self.left.restore(self.rules.fleet());
        self.take(log.shots());
    }

    #[inline]
    fn take(&mut self, shots: &[Shot]) {
        for &shot in shots {
            if shot.answer.is_hit() {
                self.take_hit(self.field.index(shot.cell), shot);
            }
        }
    }

    fn take_hit(&mut self, cell: usize, shot: Shot) {
        let length = number(shot.answer.length());
        self.hit_list.push(Hit { cell, length });
        if shot.answer.is_sunk() {
            self.sinkings.push(Sinking { length, hits: self.hit_list.len() });
            self.settle(length);
        }
    }

    /// Works out which hits belong to sunk ships, and which lengths are left.
    fn settle(&mut self, called: Option<usize>) {
        if let Some(told) = &mut self.told {
            let board =
                sinkings::Board { field: &self.field, fleet: self.rules.fleet(), touch: self.touch, call: self.rules.call() };
            sinkings::settle(board, &self.hit_list, &self.sinkings, told);
        }
        if let Some(length) = called {
            self.left.remove(length);
        } else if let Some(told) = &self.told {
            self.left.restore(self.rules.fleet());
            told.lengths.iter().for_each(|&length| self.left.remove(length));
        }
    }

    /// How close ships may lie, as far as the captain knows.
    #[inline]
    pub(crate) fn touch(&self) -> Touch {
        self.touch
    }

    #[inline]
    pub(crate) fn field(&self) -> &Field<B> {
        &self.field
    }

    /// The cells not fired at.
    #[inline]
    pub(crate) fn unfired(&self) -> B {
        self.field.all() & !self.fired
    }

    #[inline]
    pub(crate) fn fired(&self) -> B {
        self.fired
    }

    /// The cells that met a ship, sunk or not.
    #[inline]
    pub(crate) fn hits(&self) -> B {
        self.hits
    }

    /// The hits in the order of firing.
    #[inline]
    pub(crate) fn hit_list(&self) -> &[Hit] {
        &self.hit_list
    }

    /// The cells of sunk ships, as far as the log tells.
    #[inline]
    pub(crate) fn sunk(&self) -> B {
        self.told.as_ref().map_or(B::EMPTY, |told| told.cells)
    }

    /// The hits on ships that are still afloat, as far as the log tells.
    #[inline]
    pub(crate) fn live(&self) -> B {
        self.hits & !self.sunk()
    }

    /// The number of live hits.
    #[inline]
    pub(crate) fn live_count(&self) -> usize {
        self.hit_list.len() - self.told.as_ref().map_or(0, |told| told.count)
    }

    /// The live hits in the order of firing.
    pub(crate) fn live_list(&self) -> impl Iterator<Item = Hit> + '_ {
        let live = self.live();
        self.hit_list.iter().copied().filter(move |hit| live.has(hit.cell))
    }

    /// The ships left. Lengths that the log doesn't tell count as left.
    #[inline]
    pub(crate) fn left(&self) -> &Lengths {
        &self.left
    }

    /// Whether the defender tells the length of a ship on every hit.
    pub(crate) fn tells_lengths(&self) -> bool {
        self.rules.call().tells_length_on_hit()
    }

    /// For each cell in reading order, its worth if it is one of the considered.
    pub(crate) fn scores(&self, considered: B, worth: impl Fn(usize) -> f64) -> Vec<Option<f64>> {
        (0..self.field.grid().len()).map(|index| considered.has(index).then(|| worth(index))).collect()
    }

    /// The cells that can't hold a ship because one that was hit is too near, fired at or not.
    ///
    /// Where ships keep apart, the cells around a sunk ship are water. So are, next to any hit, the cells at its
    /// corners if corners may not touch, and beside two hits in a row the cells along both: the two are one ship.
    pub(crate) fn ruled_out(&self) -> B {
        let field = &self.field;
        match self.touch {
            Touch::Allowed => B::EMPTY,
            Touch::Corners => (field.beside(self.sunk()) | self.flanks()) & !self.hits,
            Touch::Never => (field.beside(self.sunk()) | field.cornering(self.hits)) & !self.hits,
        }
    }

    /// The cells along both sides of hits that lie next to each other.
    fn flanks(&self) -> B {
        let (field, hits) = (&self.field, self.hits);
        let lying = hits & (field.left(hits) | field.right(hits));
        let upright = hits & (field.up(hits) | field.down(hits));
        field.up(lying) | field.down(lying) | field.left(upright) | field.right(upright)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart(rules: &str, shots: &str) -> Chart<u128> {
        let rules: Rules = rules.parse().unwrap();
        let mut chart = Chart::new(&rules);
        chart.read(&ShotLog::parse(&rules, shots).unwrap());
        chart
    }

    fn names(chart: &Chart<u128>, set: u128) -> String {
        set.iter().map(|index| chart.field().cell(index).to_string()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_sunk_ship_is_told_from_live_hits() {
        let chart = chart("classic", "A1+ C3+ C4+ C5#3 E5-");
        assert_eq!(names(&chart, chart.sunk()), "C3 C4 C5");
        assert_eq!(names(&chart, chart.live()), "A1");
        assert_eq!(chart.left().classes().collect::<Vec<_>>(), [(5, 1), (4, 1), (3, 1), (2, 1)]);
    }

    #[test]
    fn where_ships_keep_apart_the_water_around_hits_is_known() {
        let never = chart("6x6 3,2 never ship", "B2+ B3#2 E5+");
        assert_eq!(names(&never, never.ruled_out()), "A1 A2 A3 A4 B1 B4 C1 C2 C3 C4 D4 D6 F4 F6");
        let corners = chart("6x6 3,2 corners ship", "B2+ B3#2 E4+ E5+");
        assert_eq!(names(&corners, corners.ruled_out()), "A2 A3 B1 B4 C2 C3 D4 D5 F4 F5");
        let allowed = chart("6x6 3,2 allowed ship", "B2+ B3#2");
        assert!(allowed.ruled_out().is_empty());
    }

    #[test]
    fn a_chart_follows_a_log_that_grows_shrinks_or_changes() {
        let rules: Rules = "classic".parse().unwrap();
        let mut log = ShotLog::parse(&rules, "A1+ A2#2").unwrap();
        let mut chart = Chart::<u128>::new(&rules);
        chart.read(&log);
        log.push("B1+".parse().unwrap()).unwrap();
        chart.read(&log);
        assert_eq!(names(&chart, chart.hits()), "A1 A2 B1");
        log.pop();
        log.pop();
        chart.read(&log);
        assert_eq!((names(&chart, chart.live()), chart.left().shortest()), ("A1".to_string(), 2));
    }
}
