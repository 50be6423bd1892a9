//! A board on the screen.

use broadside_odds::Odds;
use broadside_rules::{Cell, CellSet, Grid, Layout, Placement, ShotLog};
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::Span;

use super::super::game::{BoardId, Game, Screen};
use super::super::geometry::BoardArea;
use super::texts;
use crate::draw::{heat_colours, row_label};
use crate::marks::{Mark, Marks};

/// What is written on a cell, and in which style.
struct Look {
    mark: String,
    style: Style,
}

impl Look {
    fn new(mark: &str, style: Style) -> Self {
        Self { mark: mark.to_owned(), style }
    }
}

/// All that a board shows.
struct BoardView<'a> {
    grid: Grid,
    marks: Option<Marks>,
    ships: Vec<Placement>,
    odds: Option<&'a Odds>,
    cursor: Option<Cell>,
    last: Option<Cell>,
    best: &'a [Cell],
    /// The ship at the cursor while placing, and whether it may lie there.
    preview: Option<(CellSet, bool)>,
}

pub(crate) fn draw(frame: &mut Frame, area: &BoardArea, game: &Game) {
    let view = BoardView::new(game, area.id);
    draw_heading(frame, area, texts::heading(game, area.id));
    draw_coordinates(frame, area);
    let hottest = view.hottest();
    for cell in game.setup.rules.grid().cells() {
        if let Some(place) = area.place(cell) {
            draw_cell(frame, place, &view, cell, hottest);
        }
    }
}

/// A heading may be wider than a small board.
fn draw_heading(frame: &mut Frame, area: &BoardArea, heading: String) {
    let text = Span::styled(heading, Style::new().add_modifier(Modifier::BOLD));
    let width = area.area.width.max(text.width() as u16);
    frame.render_widget(text, Rect { height: 1, width, ..area.area }.intersection(frame.area()));
}

fn draw_coordinates(frame: &mut Frame, area: &BoardArea) {
    let dim = Style::new().add_modifier(Modifier::DIM);
    let cells = |row: usize, col: usize| Cell::new(area.first.0 + row, area.first.1 + col).and_then(|cell| area.place(cell));
    for col in 0..area.shown.1 {
        let name = (area.first.1 + col + 1).to_string();
        if let Some(place) = cells(0, col) {
            // With two characters a cell, two digits would run into each other.
            let every = if area.cell_width > name.len() as u16 { 1 } else { 2 };
            if (area.first.1 + col).is_multiple_of(every) {
                let text = format!("{name:^width$}", width = usize::from(area.cell_width));
                frame.render_widget(Span::styled(text, dim), Rect { y: place.y - 1, ..place });
            }
        }
    }
    for row in 0..area.shown.0 {
        if let Some(place) = cells(row, 0) {
            let name = row_label(area.first.0 + row);
            frame.render_widget(Span::styled(name, dim), Rect { x: area.area.x, width: place.x - area.area.x, ..place });
        }
    }
}

fn draw_cell(frame: &mut Frame, place: Rect, view: &BoardView, cell: Cell, hottest: f64) {
    let Look { mark, style } = view.look(cell, hottest);
    let text = match (view.cursor == Some(cell), place.width) {
        (true, 3..) if mark.chars().count() > 2 => format!("[{}]", mark.trim().chars().next().unwrap_or(' ')),
        (true, 3..) if mark.chars().count() < 2 => format!("[{mark}]"),
        (true, 3..) => format!("[{mark}"),
        (true, _) => format!("[{}", mark.chars().next().unwrap_or(' ')),
        (false, 3..) if mark.chars().count() > 2 => mark,
        (false, 3..) if mark.chars().count() > 1 => format!(" {mark}"),
        (false, 3..) => format!(" {mark} "),
        (false, _) if mark.chars().count() > 2 => mark.trim().chars().take(2).collect(),
        (false, _) => format!("{:<2}", mark.chars().next().unwrap_or(' ')),
    };
    let style = if view.cursor == Some(cell) { style.add_modifier(Modifier::REVERSED | Modifier::BOLD) } else { style };
    frame.render_widget(Span::styled(text, style), place);
}

impl<'a> BoardView<'a> {
    fn new(game: &'a Game, board: BoardId) -> Self {
        let grid = game.setup.rules.grid();
        let empty = Self { grid, marks: None, ships: Vec::new(), odds: None, cursor: None, last: None, best: &[], preview: None };
        match &game.screen {
            Screen::Placing(placing) => {
                let preview = placing.ship_at_cursor().map(|ship| (ship.cell_set(grid), placing.is_legal()));
                let marks = Some(Marks::from_log(&ShotLog::new(&game.setup.rules)));
                Self { marks, ships: placing.ships().to_vec(), cursor: Some(placing.cursor()), preview, ..empty }
            }
            Screen::Battle(battle) => {
                let last = battle.last_shot(board).map(|shot| shot.cell);
                match board {
                    BoardId::Opponent => {
                        let marks = Some(Marks::from_log(battle.log()));
                        Self { marks, odds: battle.shown_odds(), cursor: Some(battle.cursor()), last, ..empty }
                    }
                    BoardId::Own => Self { last, ..empty.with_fleet(&battle.opponent_log(), battle.own()) },
                }
            }
            Screen::Review(review) => match board {
                BoardId::Opponent => {
                    let log = review.log_so_far();
                    let cursor = log.shots().last().map(|shot| shot.cell);
                    Self { cursor, best: review.best(), odds: review.shown_odds(), ..empty.with_fleet(&log, review.opponent()) }
                }
                BoardId::Own => empty.with_fleet(review.opponent_log(), review.own()),
            },
        }
    }

    /// The same with a fleet that the player sees, and the shots at it.
    fn with_fleet(self, log: &ShotLog, fleet: &Layout) -> Self {
        Self { marks: Some(Marks::from_layout(log, fleet)), ships: fleet.ships().to_vec(), ..self }
    }

    fn mark(&self, cell: Cell) -> Option<Mark> {
        self.marks.as_ref().and_then(|marks| marks.at(cell))
    }

    fn chance(&self, cell: Cell) -> Option<f64> {
        self.odds.map(|odds| odds.chance(cell))
    }

    fn hottest(&self) -> f64 {
        let open = self.grid.cells().filter(|&cell| self.mark(cell).is_none());
        open.filter_map(|cell| self.chance(cell)).fold(0.0, f64::max)
    }

    fn look(&self, cell: Cell, hottest: f64) -> Look {
        let plain = Style::new();
        if let Some(mark) = self.mark(cell) {
            return self.shot(cell, mark);
        }
        if let Some((_, legal)) = self.preview.as_ref().filter(|(preview, _)| preview.contains(cell)) {
            let (mark, colour) = if *legal { ("■", Color::Green) } else { ("!", Color::Red) };
            return Look::new(mark, plain.fg(colour).add_modifier(Modifier::BOLD));
        }
        match self.chance(cell) {
            _ if self.best.contains(&cell) => Look::new("*", plain.fg(Color::Cyan).add_modifier(Modifier::BOLD)),
            Some(chance) => {
                let (foreground, background) = heat_colours(chance, hottest);
                let style = plain.fg(Color::Indexed(foreground)).bg(Color::Indexed(background));
                Look { mark: format!("{:>2.0}", (chance * 100.0).min(99.0)), style }
            }
            None => self.outline(cell).map_or_else(|| Look::new(" ", plain), |part| Look::new(part, plain.fg(Color::Gray))),
        }
    }

    /// The part of a ship's outline on a cell: each ship has two ends, so that neighbours don't merge.
    fn outline(&self, cell: Cell) -> Option<&'static str> {
        let ship = self.ships.iter().find(|ship| ship.cells().any(|own| own == cell))?;
        let (is_first, is_last) = (ship.cells().next() == Some(cell), ship.cells().next_back() == Some(cell));
        let horizontal = ship.cells().nth(1).is_none_or(|next| Some(next.row()) == ship.cells().next().map(Cell::row));
        Some(match (horizontal, is_first, is_last) {
            (_, true, true) => "◆",
            (true, true, false) => " ╺━",
            (true, false, false) => "━━━",
            (true, false, true) => "━╸ ",
            (false, true, false) => "╻",
            (false, false, false) => "┃",
            (false, false, true) => "╹",
        })
    }

    fn shot(&self, cell: Cell, mark: Mark) -> Look {
        let white_on =
            |background| Style::new().fg(Color::Indexed(231)).bg(Color::Indexed(background)).add_modifier(Modifier::BOLD);
        let (mark, style) = match mark {
            Mark::Miss => ("·", Style::new()),
            Mark::Hit => ("X", white_on(166)),
            Mark::Sunk => ("#", white_on(88)),
            Mark::Rock => ("▲", Style::new().fg(Color::Yellow)),
            Mark::Untold => ("?", Style::new().fg(Color::Cyan).add_modifier(Modifier::BOLD)),
        };
        let style = if self.last == Some(cell) { style.add_modifier(Modifier::UNDERLINED | Modifier::BOLD) } else { style };
        Look::new(mark, style)
    }
}
