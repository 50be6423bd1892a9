//! A board on the screen.

use broadside_odds::Odds;
use broadside_rules::{Answer, Cell, CellSet, ShotLog};
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::Span;

use super::super::battle::Battle;
use super::super::game::{Game, Screen, Waters};
use super::super::geometry::BoardArea;
use super::texts;
use crate::draw::{heat_colours, row_label};

/// How a cell looks.
struct Look {
    mark: String,
    style: Style,
}

impl Look {
    fn new(mark: &str, style: Style) -> Self {
        Self { mark: mark.to_owned(), style }
    }
}

/// Everything there is to see on a board.
struct Sight<'a> {
    log: Option<ShotLog>,
    ships: Option<CellSet>,
    odds: Option<&'a Odds>,
    cursor: Option<Cell>,
    last: Option<Cell>,
    best: &'a [Cell],
    /// The ship on the cursor while placing, and whether it may lie there.
    ghost: Option<(CellSet, bool)>,
}

pub(crate) fn draw(frame: &mut Frame, area: &BoardArea, game: &Game) {
    let sight = Sight::of(game, area.waters);
    let heading = Rect { height: 1, ..area.area };
    frame.render_widget(Span::styled(texts::heading(game, area.waters), Style::new().add_modifier(Modifier::BOLD)), heading);
    draw_coordinates(frame, area);
    let hottest = sight.hottest();
    for cell in game.setup.rules.grid().cells() {
        if let Some(place) = area.place(cell) {
            draw_cell(frame, place, &sight, cell, hottest);
        }
    }
}

fn draw_coordinates(frame: &mut Frame, area: &BoardArea) {
    let dim = Style::new().add_modifier(Modifier::DIM);
    let cells = |row: usize, col: usize| Cell::new(area.first.0 + row, area.first.1 + col).and_then(|cell| area.place(cell));
    for col in 0..area.shown.1 {
        let name = (area.first.1 + col + 1).to_string();
        if let Some(place) = cells(0, col) {
            // With two characters a cell, two digits would run into each other.
            let every = if area.pitch > name.len() as u16 { 1 } else { 2 };
            if (area.first.1 + col).is_multiple_of(every) {
                let text = format!("{name:^width$}", width = usize::from(area.pitch));
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

fn draw_cell(frame: &mut Frame, place: Rect, sight: &Sight, cell: Cell, hottest: f64) {
    let Look { mark, style } = sight.look(cell, hottest);
    let text = match (sight.cursor == Some(cell), place.width) {
        (true, 3..) if mark.chars().count() < 2 => format!("[{mark}]"),
        (true, 3..) => format!("[{mark}"),
        (true, _) => format!("[{}", mark.chars().next().unwrap_or(' ')),
        (false, 3..) if mark.chars().count() > 1 => format!(" {mark}"),
        (false, 3..) => format!(" {mark} "),
        (false, _) => format!("{:<2}", mark.chars().next().unwrap_or(' ')),
    };
    let style = if sight.cursor == Some(cell) { style.add_modifier(Modifier::REVERSED | Modifier::BOLD) } else { style };
    frame.render_widget(Span::styled(text, style), place);
}

impl<'a> Sight<'a> {
    fn of(game: &'a Game, waters: Waters) -> Self {
        let nothing = Self { log: None, ships: None, odds: None, cursor: None, last: None, best: &[], ghost: None };
        match &game.screen {
            Screen::Placing(placing) => {
                let ghost = placing.ship().map(|ship| (ship.cell_set(game.setup.rules.grid()), placing.is_legal()));
                Self { ships: Some(placing.cells()), cursor: Some(placing.cursor()), ghost, ..nothing }
            }
            Screen::Battle(battle) => {
                Self { last: battle.last_shot(waters).map(|shot| shot.cell), ..Self::in_battle(battle, waters) }
            }
            Screen::Afterwards(review) => match waters {
                Waters::Enemy => {
                    let log = review.log_so_far();
                    let cursor = log.shots().last().map(|shot| shot.cell);
                    Self { ships: Some(review.enemy().cells()), cursor, best: review.best(), log: Some(log), ..nothing }
                }
                Waters::Own => Self { log: Some(review.enemy_log().clone()), ships: Some(review.own().cells()), ..nothing },
            },
        }
    }

    fn in_battle(battle: &'a Battle, waters: Waters) -> Self {
        let (last, best, ghost) = (None, &[][..], None);
        match waters {
            Waters::Enemy => {
                let (odds, cursor) = (battle.shown_odds(), Some(battle.cursor()));
                Self { log: Some(battle.log().clone()), ships: None, odds, cursor, last, best, ghost }
            }
            Waters::Own => {
                let ships = Some(battle.own().cells());
                Self { log: Some(battle.enemy_log().clone()), ships, odds: None, cursor: None, last, best, ghost }
            }
        }
    }

    fn answer(&self, cell: Cell) -> Option<Answer> {
        let log = self.log.as_ref()?;
        log.shot_number(cell).map(|number| log.shots()[number - 1].answer)
    }

    fn chance(&self, cell: Cell) -> Option<f64> {
        self.odds.map(|odds| match odds {
            Odds::Exact(counts) => counts.chance(cell),
            Odds::Estimate(rough) => rough.chance(cell).mean,
        })
    }

    fn hottest(&self) -> f64 {
        let Some(log) = &self.log else { return 0.0 };
        let open = log.rules().grid().cells().filter(|&cell| !log.fired().contains(cell));
        open.filter_map(|cell| self.chance(cell)).fold(0.0, f64::max)
    }

    fn look(&self, cell: Cell, hottest: f64) -> Look {
        let plain = Style::new();
        if let Some(answer) = self.answer(cell) {
            return self.shot(cell, answer);
        }
        if let Some((_, legal)) = self.ghost.as_ref().filter(|(ghost, _)| ghost.contains(cell)) {
            let (mark, colour) = if *legal { ("■", Color::Green) } else { ("!", Color::Red) };
            return Look::new(mark, plain.fg(colour).add_modifier(Modifier::BOLD));
        }
        match self.chance(cell) {
            _ if self.best.contains(&cell) => Look::new("*", plain.fg(Color::Cyan).add_modifier(Modifier::BOLD)),
            Some(chance) => {
                let (ink, paper) = heat_colours(chance, hottest);
                let style = plain.fg(Color::Indexed(ink)).bg(Color::Indexed(paper));
                Look { mark: format!("{:>2.0}", (chance * 100.0).min(99.0)), style }
            }
            None if self.ships.as_ref().is_some_and(|ships| ships.contains(cell)) => Look::new("■", plain.fg(Color::Gray)),
            None => Look::new(" ", plain),
        }
    }

    fn shot(&self, cell: Cell, answer: Answer) -> Look {
        let white_on = |paper| Style::new().fg(Color::Indexed(231)).bg(Color::Indexed(paper)).add_modifier(Modifier::BOLD);
        let (mark, style) = match answer {
            Answer::Miss => ("·", Style::new()),
            Answer::Hit(_) => ("X", white_on(166)),
            Answer::Sunk(_) => ("#", white_on(88)),
        };
        let style = if self.last == Some(cell) { style.add_modifier(Modifier::UNDERLINED | Modifier::BOLD) } else { style };
        Look::new(mark, style)
    }
}
