//! Layouts whose counts tell enough for the grade.
//!
//! Of a random layout on a large board, counting along the lines tells little: an easy puzzle then takes many revealed cells,
//! of which hardly ever all are needed for one solution. So ships are moved around until counting tells more.

use broadside_rules::{Draft, Layout, Orientation, Rules};
use rand::{Rng, RngExt};

use crate::board::{Board, Cells, Sea, Stretch};
use crate::deduce;
use crate::{Grade, Puzzle};

/// Moves of a ship after which a layout is taken as it is.
const MOVES: usize = 1_000;

/// How many cells may be left open by the counts alone. Measured at 15x15, where a random layout leaves 169: with 108, 86 and
/// 62 open cells there were 10, 40 and 132 easy puzzles in two seconds, and without a limit 2; of medium ones 12 without a
/// limit, with 130 open cells 29, and with 108, 51. Layouts of 10x10 and less stay as they are.
const fn most_open_cells(grade: Grade) -> Option<usize> {
    match grade {
        Grade::Easy => Some(84),
        Grade::Medium => Some(115),
        Grade::Hard | Grade::Expert => None,
    }
}

/// The layout, with ships moved until the counts tell enough for a puzzle of the grade.
pub(super) fn tell_more(rules: &Rules, layout: Layout, grade: Grade, rng: &mut impl Rng) -> Layout {
    let Some(most) = most_open_cells(grade) else { return layout };
    let mut moving = Moving::new(&layout, grade);
    if moving.open <= most {
        return layout;
    }
    (0..MOVES).any(|_| {
        moving.move_one(rng);
        moving.open <= most
    });
    let ships = moving.ships.into_iter().map(Stretch::ship).collect();
    Draft::Ships(ships).check(rules).into_layout().expect("ships were moved to free places")
}

/// A layout while its ships are moved.
struct Moving {
    ships: Vec<Stretch>,
    /// The puzzle without a revealed cell.
    sea: Sea,
    grade: Grade,
    /// How many cells the deductions of the grade leave open.
    open: usize,
}

impl Moving {
    fn new(layout: &Layout, grade: Grade) -> Self {
        let ships = layout.ships().iter().map(|ship| {
            let (row, column, len) = (ship.bow().row(), ship.bow().col(), ship.length().get());
            match ship.orientation() {
                Orientation::Horizontal => Stretch { axis: 0, line: row, start: column, len },
                Orientation::Vertical => Stretch { axis: 1, line: column, start: row, len },
            }
        });
        let sea = Sea::new(&Puzzle::from_layout(layout, []).expect("a board of a puzzle's size"));
        let mut moving = Self { ships: ships.collect(), sea, grade, open: 0 };
        moving.open = moving.count_open();
        moving
    }

    fn count_open(&self) -> usize {
        let mut board = Board::EMPTY;
        deduce::close(&self.sea, &mut board, self.grade).expect("the layout is a solution");
        self.sea.room(&board)
    }

    /// Moves a ship to a free place, and back if the counts tell less then.
    fn move_one(&mut self, rng: &mut impl Rng) {
        let index = rng.random_range(0..self.ships.len());
        let (old, open) = (self.ships.swap_remove(index), self.open);
        let new = self.free_place(old, rng);
        self.put(new);
        self.open = self.count_open();
        if self.open > open {
            self.ships.pop();
            self.put(old);
            self.open = open;
        }
    }

    fn put(&mut self, ship: Stretch) {
        self.ships.push(ship);
        self.sea.set_counts(&self.cells());
    }

    fn cells(&self) -> Cells {
        let mut cells = Cells::EMPTY;
        self.ships.iter().for_each(|ship| cells.insert_line(ship.axis, ship.line, ship.bits()));
        cells
    }

    /// A random place for the ship beside all others. Its own place is one, so that there is always one.
    fn free_place(&self, ship: Stretch, rng: &mut impl Rng) -> Stretch {
        let others = self.cells();
        loop {
            let axis = rng.random_range(0..2);
            let Some(room) = self.sea.width(axis).checked_sub(ship.len) else { continue };
            let (line, start) = (rng.random_range(0..self.sea.lines(axis)), rng.random_range(0..=room));
            let place = Stretch { axis, line, start, ..ship };
            if others.line(axis, line) & place.bits() == 0 && !place.touches(&others) {
                return place;
            }
        }
    }
}
