//! The screen as a function of the game.

mod board;
mod help;
mod texts;

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Text};
use ratatui::widgets::{Paragraph, Wrap};

use super::game::Game;
use super::geometry::{Geometry, LEAST};

/// Draws the game.
pub(crate) fn draw(frame: &mut Frame, game: &Game) {
    let screen = frame.area();
    if screen.width < LEAST.0 || screen.height < LEAST.1 {
        let words = format!("The terminal is too small: make it {} x {} or larger.", LEAST.0, LEAST.1);
        frame.render_widget(Paragraph::new(words).wrap(Wrap { trim: true }), screen);
    } else if game.help {
        help::draw(frame);
    } else {
        draw_game(frame, game, &Geometry::new(screen, game));
    }
}

fn draw_game(frame: &mut Frame, game: &Game, geometry: &Geometry) {
    let bold = Style::new().add_modifier(Modifier::BOLD);
    write(frame, geometry.title, Text::from(Line::styled(texts::title(game), bold)));
    for area in &geometry.boards {
        board::draw(frame, area, game);
    }
    write(frame, geometry.text, Text::from_iter(texts::lines(game)));
    let dim = Style::new().add_modifier(Modifier::DIM);
    write(frame, geometry.keys, Text::styled(texts::keys(game), dim));
}

fn write(frame: &mut Frame, area: Rect, text: Text) {
    let margin = Rect { x: area.x + 1, width: area.width.saturating_sub(2), ..area };
    frame.render_widget(Paragraph::new(text).wrap(Wrap { trim: true }), margin);
}
