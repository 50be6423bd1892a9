//! Where things are on the screen. Drawing and the mouse both go by it.

use broadside_rules::{Cell, Grid};
use ratatui::layout::{Constraint, Layout, Position, Rect};

use super::game::{BoardId, Game, Screen};

/// The least that something sensible fits on.
pub(crate) const LEAST: (u16, u16) = (36, 14);

/// Lines of text below the boards: ships left, messages.
const TEXT: u16 = 6;

/// The parts of the screen.
#[derive(Clone, Debug)]
pub(crate) struct Geometry {
    pub(crate) title: Rect,
    pub(crate) boards: Vec<BoardArea>,
    pub(crate) text: Rect,
    pub(crate) keys: Rect,
}

/// Where a board is, and which part of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BoardArea {
    pub(crate) id: BoardId,
    /// With the heading and the coordinates.
    pub(crate) area: Rect,
    /// Characters for the letters of the rows.
    label: u16,
    /// Characters for a cell.
    pub(crate) cell_width: u16,
    /// The first row and column that are shown.
    pub(crate) first: (usize, usize),
    /// How many rows and columns are shown.
    pub(crate) shown: (usize, usize),
}

impl Geometry {
    /// The parts of a screen of this size.
    pub(crate) fn new(screen: Rect, game: &Game) -> Self {
        let [title, boards, text, keys] =
            Layout::vertical([Constraint::Length(2), Constraint::Min(6), Constraint::Length(TEXT), Constraint::Length(2)])
                .areas(screen);
        let (grid, cursor) = (game.setup.rules.grid(), cursor(game));
        Self { title, boards: place_boards(boards, grid, cursor, game), text, keys }
    }

    /// The cell at a place of the screen.
    pub(crate) fn cell_at(&self, at: Position) -> Option<(BoardId, Cell)> {
        self.boards.iter().find_map(|board| board.cell_at(at).map(|cell| (board.id, cell)))
    }
}

fn place_boards(area: Rect, grid: Grid, cursor: Cell, game: &Game) -> Vec<BoardArea> {
    let placing = matches!(game.screen, Screen::Placing(_));
    let both = |cell_width| !placing && 2 * (label(grid) + cell_width * grid.cols() as u16) + 4 <= area.width;
    let cell_width = [3, 2].into_iter().find(|&cell_width| both(cell_width));
    if let Some(cell_width) = cell_width {
        let width = label(grid) + cell_width * grid.cols() as u16;
        let gap = area.width - 2 * width;
        let left = Rect { width, x: area.x + gap / 3, ..area };
        let right = Rect { width, x: left.right() + gap / 3, ..area };
        return [(BoardId::Opponent, left), (BoardId::Own, right)]
            .map(|(id, area)| BoardArea::new(id, area, cell_width, grid, cursor))
            .to_vec();
    }
    let id = if placing { BoardId::Own } else { game.shown };
    let cell_width = if label(grid) + 3 * grid.cols() as u16 <= area.width { 3 } else { 2 };
    let width = (label(grid) + cell_width * grid.cols() as u16).min(area.width);
    vec![BoardArea::new(id, Rect { width, x: area.x + (area.width - width) / 2, ..area }, cell_width, grid, cursor)]
}

fn cursor(game: &Game) -> Cell {
    match &game.screen {
        Screen::Placing(placing) => placing.cursor(),
        Screen::Battle(battle) => battle.cursor(),
        Screen::Review(review) => {
            review.log_so_far().shots().last().map_or_else(|| Cell::new(0, 0).expect("A1 is a cell"), |shot| shot.cell)
        }
    }
}

/// Characters for the letters of the rows.
fn label(grid: Grid) -> u16 {
    if grid.rows() > 26 { 3 } else { 2 }
}

impl BoardArea {
    /// As much of the board as fits, with the cursor in it.
    fn new(id: BoardId, area: Rect, cell_width: u16, grid: Grid, cursor: Cell) -> Self {
        let (height, width) = (area.height.saturating_sub(2), area.width.saturating_sub(label(grid)));
        let shown = (grid.rows().min(height.into()).max(1), grid.cols().min((width / cell_width).into()).max(1));
        let first = (start(grid.rows(), shown.0, cursor.row()), start(grid.cols(), shown.1, cursor.col()));
        Self { id, area, label: label(grid), cell_width, first, shown }
    }

    /// Where a cell is drawn.
    pub(crate) fn place(&self, cell: Cell) -> Option<Rect> {
        let row = cell.row().checked_sub(self.first.0).filter(|&row| row < self.shown.0)? as u16;
        let col = cell.col().checked_sub(self.first.1).filter(|&col| col < self.shown.1)? as u16;
        Some(Rect::new(self.area.x + self.label + col * self.cell_width, self.area.y + 2 + row, self.cell_width, 1))
    }

    fn cell_at(&self, at: Position) -> Option<Cell> {
        let rows = self.first.0..self.first.0 + self.shown.0;
        let (y, x) = (at.y.checked_sub(self.area.y + 2)?, at.x.checked_sub(self.area.x + self.label)?);
        let (row, col) = (self.first.0 + usize::from(y), usize::from(x / self.cell_width));
        (rows.contains(&row) && col < self.shown.1).then(|| Cell::new(row, self.first.1 + col))?
    }
}

/// The first of `shown` items out of `all` so that item `at` is among them, as near the middle as can be.
fn start(all: usize, shown: usize, at: usize) -> usize {
    at.saturating_sub(shown / 2).min(all - shown)
}

#[cfg(test)]
mod tests {
    use super::start;

    #[test]
    fn the_cursor_is_always_in_view() {
        for all in 1..20 {
            for shown in 1..=all {
                for at in 0..all {
                    let first = start(all, shown, at);
                    assert!(first <= at && at < first + shown && first + shown <= all, "{at} of {all} in {shown}: {first}");
                }
            }
        }
    }
}
