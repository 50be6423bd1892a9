//! From keys and the mouse to inputs of the game.

use crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Position;

use super::game::Input;
use super::geometry::Geometry;

/// The input that an event of the terminal stands for, if any.
pub(crate) fn input(event: &Event, geometry: &Geometry) -> Option<Input> {
    match event {
        Event::Key(key) if key.kind != KeyEventKind::Release => key_input(key),
        Event::Mouse(mouse) => mouse_input(*mouse, geometry),
        _ => None,
    }
}

fn key_input(key: &KeyEvent) -> Option<Input> {
    if key.modifiers.contains(KeyModifiers::CONTROL) {
        return matches!(key.code, KeyCode::Char('c' | 'q')).then_some(Input::QuitNow);
    }
    Some(match key.code {
        KeyCode::Up => Input::Move(-1, 0),
        KeyCode::Down => Input::Move(1, 0),
        KeyCode::Left => Input::Move(0, -1),
        KeyCode::Right => Input::Move(0, 1),
        KeyCode::Home => Input::First,
        KeyCode::End => Input::Last,
        KeyCode::Enter | KeyCode::Char(' ') => Input::Confirm,
        KeyCode::Backspace | KeyCode::Delete | KeyCode::Char('u') => Input::TakeBack,
        KeyCode::Tab => Input::Swap,
        KeyCode::Char('r') => Input::Rotate,
        KeyCode::Char('a') => Input::Random,
        KeyCode::Char('h') => Input::Hint,
        KeyCode::Char('o') => Input::Odds,
        KeyCode::Char('x') => Input::Resign,
        KeyCode::Char('n') => Input::Again,
        KeyCode::Char('?') | KeyCode::F(1) => Input::Help,
        KeyCode::Char('q') | KeyCode::Esc => Input::Quit,
        _ => return None,
    })
}

fn mouse_input(mouse: MouseEvent, geometry: &Geometry) -> Option<Input> {
    let at = geometry.cell_at(Position::new(mouse.column, mouse.row));
    match mouse.kind {
        MouseEventKind::Down(MouseButton::Left) => at.map(|(board, cell)| Input::Click(board, cell)),
        MouseEventKind::Down(MouseButton::Right) => Some(Input::Rotate),
        MouseEventKind::Moved => at.map(|(board, cell)| Input::Point(board, cell)),
        MouseEventKind::ScrollUp => Some(Input::Move(0, -1)),
        MouseEventKind::ScrollDown => Some(Input::Move(0, 1)),
        _ => None,
    }
}
