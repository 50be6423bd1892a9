//! What shots have shown about the cells of a board.

use broadside_rules::{Cell, CellSet, Layout, Placement, ShotLog};

/// What a shot has shown about its cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mark {
    /// Water.
    Miss,
    /// A ship that isn't known to be sunk.
    Hit,
    /// A ship that is sunk.
    Sunk,
    /// A rock, where nobody fires.
    Rock,
    /// Nothing yet: it is answered after the turn.
    Untold,
}

/// The marks on a board after some shots.
#[derive(Clone, Debug)]
pub(crate) struct Marks {
    fired: CellSet,
    hits: CellSet,
    sunk: CellSet,
    rocks: Option<CellSet>,
    untold: Vec<Cell>,
}

impl Marks {
    /// The marks as the shooter knows them. A ship that certainly lies in one place is marked as sunk as a whole, any other
    /// only where it was called sunk.
    pub(crate) fn from_log(log: &ShotLog) -> Self {
        let called = log.shots().iter().filter(|shot| shot.answer.is_sunk()).map(|shot| shot.cell);
        Self::new(log, log.sunk_ships().into_iter().flat_map(Placement::cells).chain(called))
    }

    /// The marks for those who know where the ships are.
    pub(crate) fn from_layout(log: &ShotLog, layout: &Layout) -> Self {
        // However the shots at it were called.
        let met = if log.rules().noise().is_none() { log.hits() } else { log.fired() };
        let is_sunk = |ship: &&Placement| ship.cells().all(|cell| met.contains(cell));
        Self::new(log, layout.ships().iter().filter(is_sunk).flat_map(|ship| ship.cells()))
    }

    fn new(log: &ShotLog, sunk: impl IntoIterator<Item = Cell>) -> Self {
        let sunk = CellSet::from_cells(log.rules().grid(), sunk);
        Self {
            fired: log.fired().clone(),
            hits: log.hits().clone(),
            sunk,
            rocks: log.rules().rocks().cloned(),
            untold: log.untold().collect(),
        }
    }

    /// The mark on a cell; none where somebody may fire.
    pub(crate) fn at(&self, cell: Cell) -> Option<Mark> {
        if self.rocks.as_ref().is_some_and(|rocks| rocks.contains(cell)) {
            return Some(Mark::Rock);
        }
        if self.untold.contains(&cell) {
            return Some(Mark::Untold);
        }
        self.fired.contains(cell).then(|| match (self.sunk.contains(cell), self.hits.contains(cell)) {
            (true, _) => Mark::Sunk,
            (false, true) => Mark::Hit,
            (false, false) => Mark::Miss,
        })
    }
}

#[cfg(test)]
mod tests {
    use broadside_rules::{Draft, Rules};

    use super::*;

    fn marks(marks: &Marks, rules: &Rules) -> String {
        let sign = |mark: Option<Mark>| mark.map_or('.', |mark| ['-', '+', '#', '^', '?'][mark as usize]);
        rules.grid().cells().map(|cell| sign(marks.at(cell))).collect()
    }

    #[test]
    fn every_cell_of_a_sunk_ship_is_marked_as_sunk() {
        let rules: Rules = "2x4 3,2 allowed ship".parse().unwrap();
        let log = ShotLog::parse(&rules, "A1+ A2+ B4- A3#3 B1+").unwrap();
        assert_eq!(marks(&Marks::from_log(&log), &rules), "###.+..-");
    }

    #[test]
    fn a_ship_that_may_lie_in_two_places_is_marked_only_where_it_sank() {
        let rules: Rules = "3x3 2,2 allowed ship".parse().unwrap();
        let log = ShotLog::parse(&rules, "A2+ B1+ B2#2").unwrap();
        assert_eq!(marks(&Marks::from_log(&log), &rules), ".+.+#....");
    }

    #[test]
    fn rocks_are_marked_before_anybody_fires() {
        let rules: Rules = "2x4 3 allowed ship rocks=A4,B1".parse().unwrap();
        let log = ShotLog::parse(&rules, "A1- B2+").unwrap();
        assert_eq!(marks(&Marks::from_log(&log), &rules), "-..^^+..");
    }

    #[test]
    fn shots_without_an_answer_are_neither_hits_nor_misses() {
        let rules: Rules = "2x4 3 allowed ship salvo=3".parse().unwrap();
        let log = ShotLog::parse(&rules, "A1- B2+ B3- A4? B1?").unwrap();
        assert_eq!(marks(&Marks::from_log(&log), &rules), "-..??+-.");
    }

    #[test]
    fn who_knows_the_layout_sees_what_was_not_called() {
        let rules: Rules = "2x3 2,2 allowed silent".parse().unwrap();
        let log = ShotLog::parse(&rules, "A1+ B1+ A2+ B3-").unwrap();
        let layout = "A1-A2 B1-B2".parse::<Draft>().unwrap().check(&rules).into_layout().unwrap();
        assert_eq!(marks(&Marks::from_log(&log), &rules), "++.+.-");
        assert_eq!(marks(&Marks::from_layout(&log, &layout), &rules), "##.+.-");
    }
}
