//! Placing the fleet.

use broadside_rules::{Cell, Draft, Layout, Length, Orientation, Placement, Rules};

use super::game::Input;

/// A fleet of which some ships are placed. The next one, longest first, is shown at the cursor.
#[derive(Debug)]
pub(crate) struct Placing {
    rules: Rules,
    placed: Vec<Placement>,
    heading: Orientation,
    cursor: Cell,
    pub(crate) message: String,
}

impl Placing {
    pub(crate) fn new(rules: &Rules) -> Self {
        let cursor = rules.grid().cells().next().expect("a grid has cells");
        Self { rules: rules.clone(), placed: Vec::new(), heading: Orientation::Horizontal, cursor, message: String::new() }
    }

    pub(crate) fn handle(&mut self, input: Input) {
        self.message.clear();
        match input {
            Input::Move(rows, cols) => self.cursor = self.rules.grid().step(self.cursor, rows, cols).unwrap_or(self.cursor),
            Input::Point(_, cell) => self.cursor = cell,
            Input::Click(_, cell) => {
                self.cursor = cell;
                self.place_ship();
            }
            Input::Confirm => self.place_ship(),
            Input::Rotate => self.rotate(),
            Input::TakeBack => self.remove_ship(),
            _ => {}
        }
    }

    /// Replaces the placed ships by those of a layout.
    pub(crate) fn set_ships(&mut self, layout: &Layout) {
        self.placed = layout.ships().to_vec();
        self.message.clear();
    }

    /// The length of the ship to place; none when all are placed.
    pub(crate) fn next_length(&self) -> Option<Length> {
        self.lengths_left().first().copied()
    }

    /// The lengths not placed yet, longest first.
    pub(crate) fn lengths_left(&self) -> Vec<Length> {
        let mut left = self.rules.fleet().lengths().to_vec();
        for ship in &self.placed {
            left.iter().position(|&length| length == ship.length()).map(|i| left.remove(i));
        }
        left
    }

    /// The ship at the cursor, moved back onto the board where it would stick out.
    pub(crate) fn ship_at_cursor(&self) -> Option<Placement> {
        let (length, grid) = (self.next_length()?, self.rules.grid());
        let back = |at: usize, side: usize| at.min(side.saturating_sub(length.get()));
        let bow = match self.heading {
            Orientation::Horizontal => Cell::new(self.cursor.row(), back(self.cursor.col(), grid.cols())),
            Orientation::Vertical => Cell::new(back(self.cursor.row(), grid.rows()), self.cursor.col()),
        };
        Placement::new(bow?, length, self.heading).filter(|ship| ship.fits(grid))
    }

    /// Whether the ship at the cursor may lie there.
    pub(crate) fn is_legal(&self) -> bool {
        let apart = |ship: Placement| self.placed.iter().all(|other| ship.compatible(*other, self.rules.touch()));
        self.ship_at_cursor().is_some_and(|ship| self.rules.has_room_for(ship) && apart(ship))
    }

    pub(crate) fn cursor(&self) -> Cell {
        self.cursor
    }

    /// The cells of the ships placed.
    #[cfg(test)]
    pub(crate) fn cells(&self) -> broadside_rules::CellSet {
        broadside_rules::CellSet::from_cells(self.rules.grid(), self.placed.iter().flat_map(|ship| ship.cells()))
    }

    /// The ships placed.
    pub(crate) fn ships(&self) -> &[Placement] {
        &self.placed
    }

    /// The whole fleet, once it is placed.
    pub(crate) fn layout(&self) -> Option<Layout> {
        Draft::Ships(self.placed.clone()).check(&self.rules).into_layout().ok()
    }

    fn place_ship(&mut self) {
        match self.ship_at_cursor() {
            Some(ship) if self.is_legal() => self.placed.push(ship),
            Some(ship) => {
                let why = if self.rules.has_room_for(ship) { self.touch_rule() } else { "there is a rock" };
                self.message = "a ship can't lie there: ".to_owned() + why;
            }
            None => {}
        }
    }

    fn touch_rule(&self) -> &'static str {
        match self.rules.touch() {
            broadside_rules::Touch::Allowed => "ships may touch but not overlap",
            broadside_rules::Touch::Corners => "ships may touch at corners only",
            broadside_rules::Touch::Never => "ships may not touch, not even at corners",
        }
    }

    fn rotate(&mut self) {
        self.heading = match self.heading {
            Orientation::Horizontal => Orientation::Vertical,
            Orientation::Vertical => Orientation::Horizontal,
        };
    }

    /// Removes the ship under the cursor, or else the last one placed.
    fn remove_ship(&mut self) {
        let under = self.placed.iter().position(|ship| ship.cells().any(|cell| cell == self.cursor));
        if let Some(i) = under.or(self.placed.len().checked_sub(1)) {
            self.heading = self.placed.remove(i).orientation();
        }
    }
}
