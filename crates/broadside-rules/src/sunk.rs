//! Which hits belong to ships that sank.

use crate::{Answer, Cell, CellSet, Length, Orientation, Placement, Shot, ShotLog};

impl ShotLog {
    /// The sunk ships whose place is certain, in the order in which they were settled.
    ///
    /// A ship sunk at a cell is a straight line of its length through that cell, made of hits up to then; of all cells fired at up to then
    /// where answers may be false. Where ships may
    /// touch there can be several such lines. A ship is listed when only one is left, and its cells are then ruled out for
    /// the others. Nothing is guessed: ships with two possible places, and those sunk without their length being called,
    /// are left out.
    ///
    /// ```
    /// use broadside_rules::{Preset, ShotLog};
    /// let log = ShotLog::parse(&Preset::Classic.rules(), "C3+ C4+ C5#3")?;
    /// assert_eq!(log.sunk_ships(), ["C3-C5".parse()?]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn sunk_ships(&self) -> Vec<Placement> {
        let mut open: Vec<usize> = (0..self.len()).filter(|&at| self.shots()[at].answer.is_sunk()).collect();
        let (mut ships, mut taken) = (Vec::new(), CellSet::empty(self.rules().grid()));
        while let Some((at, ship)) = open.iter().find_map(|&at| Some((at, self.only_place(at, &taken)?))) {
            taken.extend(ship.cells());
            ships.push(ship);
            open.retain(|&other| other != at);
        }
        ships
    }

    /// The only place of the ship that this shot sank, if there is just one.
    fn only_place(&self, at: usize, taken: &CellSet) -> Option<Placement> {
        let Shot { cell, answer } = self.shots()[at];
        let length = answer.length()?;
        // A cell of a turn of which only the number of hits is known may be a part of it too.
        let is_part = |shot: &&Shot| match shot.answer {
            Answer::Hit(called) => called.is_none_or(|called| called == length),
            Answer::Untold => true,
            Answer::Miss => !self.rules().noise().is_none(),
            Answer::Sunk(_) => false,
        };
        let hits = self.shots()[..at].iter().filter(is_part).map(|shot| shot.cell).filter(|&cell| !taken.contains(cell));
        let hits = CellSet::from_cells(self.rules().grid(), hits.chain([cell]));
        let mut places =
            lines_through(cell, length).filter(|line| line.fits(hits.grid()) && line.cells().all(|cell| hits.contains(cell)));
        places.next().filter(|_| places.next().is_none())
    }
}

/// The straight lines of this length through a cell; some may reach over the edge of the board.
fn lines_through(cell: Cell, length: Length) -> impl Iterator<Item = Placement> {
    let ways = &Orientation::ALL[..if length.get() == 1 { 1 } else { 2 }];
    ways.iter().flat_map(move |&way| {
        let (rows, cols) = way.step();
        (0..length.get()).filter_map(move |back| {
            let row = cell.row().checked_sub(back * rows.unsigned_abs())?;
            let col = cell.col().checked_sub(back * cols.unsigned_abs())?;
            Placement::new(Cell::new(row, col)?, length, way)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sunk(rules: &str, shots: &str) -> Vec<String> {
        let log = ShotLog::parse(&rules.parse().unwrap(), shots).unwrap();
        log.sunk_ships().iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_ship_is_found_where_only_one_line_of_hits_is_long_enough() {
        assert_eq!(sunk("classic", "C3+ C4+ C5#3"), ["C3-C5"]);
        assert_eq!(sunk("classic", "C3+ D3+ C4+ C5#3 E3-"), ["C3-C5"]);
        assert_eq!(sunk("4x4 2,1 allowed ship", "A1#1 C3+ D3#2"), ["A1", "C3-D3"]);
    }

    #[test]
    fn nothing_is_guessed_where_two_lines_are_possible() {
        assert_eq!(sunk("classic", "C3+ D4+ C4#2"), [""; 0]);
        // The second sinking leaves one line for the first.
        assert_eq!(sunk("6x6 2,2 allowed ship", "C3+ D4+ C4#2 D5#2"), ["D4-D5", "C3-C4"]);
    }

    #[test]
    fn hits_on_ships_of_other_lengths_are_no_part_of_it() {
        assert_eq!(sunk("6x6 3,2 allowed every", "C3+2 D4+3 C4#2"), ["C3-C4"]);
    }

    #[test]
    fn later_hits_and_ships_without_a_called_length_are_left_out() {
        assert_eq!(sunk("classic", "C3+ C4#2 C5+"), ["C3-C4"]);
        assert_eq!(sunk("10x10 5,4,3,3,2 allowed bare", "C3+ C4+ C5#"), [""; 0]);
    }
}
