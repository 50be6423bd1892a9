//! `hunt-target` and `hunt-target-parity`: fire at random until something is hit, then all around it.
//!
//! The article “Battleship” (Nick Berry, `DataGenetics`, 2011) keeps a "stack" of cells next to hits. Its walkthrough shows in which order they leave it: after a
//! hit (turn 3) come the cells north (turn 4, a hit), south (turn 5, a hit), east and west of it (turns 6 and 7), and
//! only then those around the second hit (turns 8 to 10). So it is a queue: what was added first is fired at first. The
//! next cell is therefore found without keeping the queue: the oldest hit that has a neighbour left, and of these the
//! first of north, south, east, west.
//!
//! As in the article, sinkings change nothing here: these captains have no idea what a ship is. Only the parity of
//! the hunt follows the shortest ship left.

use broadside_rules::{Cell, Rules, ShotLog};

use crate::bits::Bits;
use crate::board::Direction;
use crate::position::Position;
use crate::random::random_cell;
use crate::{Captain, GameRng, Mode, Reason};

/// North, south, east, west: the order of the walkthrough.
const AROUND: [Direction; 4] = [Direction::Up, Direction::Down, Direction::Right, Direction::Left];

/// A captain that hunts at random and then fires all around its hits.
pub(crate) struct HuntTarget<B> {
    position: Position<B>,
    /// The cells to hunt on for each length of the shortest ship left; none for the captain without parity.
    parity: Vec<B>,
}

impl<B: Bits> HuntTarget<B> {
    /// Hunts on all cells.
    pub(crate) fn anywhere(rules: &Rules) -> Self {
        Self { position: Position::hits_only(rules), parity: Vec::new() }
    }

    /// Hunts on one diagonal in as many as the shortest ship left is long. The one through the upper left corner is
    /// left out, since few ships reach a corner.
    pub(crate) fn on_parity(rules: &Rules) -> Self {
        let position = Position::hits_only(rules);
        let diagonals = |length: usize| position.board().cells_where(|row, col| (row + col + 1) % length == 0);
        let parity = (1..=rules.fleet().longest().get()).map(diagonals).collect();
        Self { position, parity }
    }

    fn hunt_cells(&self) -> B {
        let unfired = self.position.unfired();
        let Some(&diagonals) = self.parity.get(self.position.left().shortest() - 1) else { return unfired };
        // A ship still untouched always has a cell on the diagonals; only a log that no fleet fits can exhaust them.
        if unfired.meets(diagonals) { unfired & diagonals } else { unfired }
    }

    /// The next cell beside a hit, if one is left.
    #[inline]
    fn target(&self) -> Option<usize> {
        let (board, unfired) = (self.position.board(), self.position.unfired());
        let open = board.beside(unfired) & self.position.hits();
        if open.is_empty() {
            return None;
        }
        let hit = self.position.hits_in_order().iter().find(|hit| open.has(hit.cell))?;
        AROUND.iter().find_map(|&direction| board.step(hit.cell, direction, 1).filter(|&cell| unfired.has(cell)))
    }
}

impl<B: Bits> Captain for HuntTarget<B> {
    fn name(&self) -> &'static str {
        if self.parity.is_empty() { "hunt-target" } else { "hunt-target-parity" }
    }

    fn aim(&mut self, log: &ShotLog, rng: &mut GameRng) -> Cell {
        self.position.read(log);
        let cell = self.target().unwrap_or_else(|| random_cell(self.hunt_cells(), rng));
        self.position.board().cell(cell)
    }

    fn explain(&mut self, log: &ShotLog, rng: &mut GameRng) -> Reason {
        let cell = self.aim(log, rng);
        let position = &self.position;
        if self.target().is_some() {
            let queue = position.board().beside(position.hits()) & position.unfired();
            let words = match queue.count() {
                1 => "the only cell beside hits to look at".to_owned(),
                cells => format!("{cells} cells beside hits to look at; this one has waited longest"),
            };
            return Reason { cell, mode: Mode::Target, scores: position.scores(queue, |_| 1.0), words };
        }
        let cells = self.hunt_cells();
        let words = format!("one of {} cells to hunt on, chosen at random", cells.count());
        Reason { cell, mode: Mode::Hunt, scores: position.scores(cells, |_| 1.0), words }
    }
}
