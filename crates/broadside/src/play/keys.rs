//! Keys and the mouse as what the player wants.

use crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Position;

use super::game::Input;
use super::geometry::Geometry;

/// What an event of the terminal means; none when nothing.
pub(crate) fn input(event: &Event, geometry: &Geometry) -> Option<Input> {
    match event {
        Event::Key(key) if key.kind != KeyEventKind::Release => of_key(key),
        Event::Mouse(mouse) => of_mouse(*mouse, geometry),
        _ => None,
    }
}

fn of_key(key: &KeyEvent) -> Option<Input> {
    if key.modifiers.contains(KeyModifiers::CONTROL) {
        return matches!(key.code, KeyCode::Char('c' | 'q')).then_some(Input::QuitNow);
    }
    Some(match key.code {
        KeyCode::Up => Input::Move(-1, 0),
        KeyCode::Down => Input::Move(1, 0),
        KeyCode::Left => Input::Move(0, -1),
        KeyCode::Right => Input::Move(0, 1),
        KeyCode::Home => Input::Far(false),
        KeyCode::End => Input::Far(true),
        KeyCode::Enter | KeyCode::Char(' ') => Input::Confirm,
        KeyCode::Backspace | KeyCode::Delete | KeyCode::Char('u') => Input::TakeBack,
        KeyCode::Tab => Input::Swap,
        KeyCode::Char('r') => Input::Rotate,
        KeyCode::Char('a') => Input::Random,
        KeyCode::Char('h') => Input::Hint,
        KeyCode::Char('o') => Input::Heat,
        KeyCode::Char('x') => Input::Resign,
        KeyCode::Char('n') => Input::Again,
        KeyCode::Char('?') | KeyCode::F(1) => Input::Help,
        KeyCode::Char('q') | KeyCode::Esc => Input::Quit,
        _ => return None,
    })
}

fn of_mouse(mouse: MouseEvent, geometry: &Geometry) -> Option<Input> {
    let at = geometry.cell_at(Position::new(mouse.column, mouse.row));
    match mouse.kind {
        MouseEventKind::Down(MouseButton::Left) => at.map(|(waters, cell)| Input::Click(waters, cell)),
        MouseEventKind::Down(MouseButton::Right) => Some(Input::Rotate),
        MouseEventKind::Moved => at.map(|(waters, cell)| Input::Point(waters, cell)),
        MouseEventKind::ScrollUp => Some(Input::Move(0, -1)),
        MouseEventKind::ScrollDown => Some(Input::Move(0, 1)),
        _ => None,
    }
}
