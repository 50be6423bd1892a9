//! The easy rules: counting, and water around what is known.

use super::{Contradiction, Found, Reason, Step};
use crate::Line;
use crate::board::{Board, Cells, Sea};

pub(super) fn next(sea: &Sea, board: &Board) -> Found {
    for rule in [around_an_end, lines, fleet_count, corners] {
        if let Some(step) = rule(sea, board)? {
            return Ok(Some(step));
        }
    }
    Ok(None)
}

fn around_an_end(sea: &Sea, board: &Board) -> Found {
    for part in &sea.parts {
        let reason = Reason::AroundAnEnd { cell: part.cell, mark: part.mark };
        if let Some(step) = Step::new(reason, board, &part.follows)? {
            return Ok(Some(step));
        }
    }
    Ok(None)
}

fn lines(sea: &Sea, board: &Board) -> Found {
    for axis in 0..2 {
        for line in 0..sea.lines(axis) {
            if let Some(step) = line_count(sea, board, axis, line)? {
                return Ok(Some(step));
            }
        }
    }
    Ok(None)
}

fn line_count(sea: &Sea, board: &Board, axis: usize, line: usize) -> Found {
    let Some(count) = sea.count(axis, line) else { return Ok(None) };
    let (open, name) = (sea.open(board, axis, line), Line::new(axis, line));
    let (ships, room) = (board.ship.line(axis, line).count_ones() as usize, open.count_ones() as usize);
    if ships > count {
        return Err(Contradiction::LineOverfull(name));
    }
    if ships + room < count {
        return Err(Contradiction::LineTooEmpty(name));
    }
    if room == 0 || (ships < count && ships + room > count) {
        return Ok(None);
    }
    let mut cells = Cells::EMPTY;
    cells.insert_line(axis, line, open);
    if ships == count {
        Step::water(Reason::LineFull { line: name, count }, board, cells)
    } else {
        Step::ships(Reason::LineNeedsAll { line: name, count }, board, cells)
    }
}

/// Says something only where counts are missing; otherwise the lines have said it before.
fn fleet_count(sea: &Sea, board: &Board) -> Found {
    let (ships, room) = (board.ship.len(), sea.room(board));
    if ships > sea.ship_cells || ships + room < sea.ship_cells {
        return Err(Contradiction::FleetCount);
    }
    let reason = Reason::FleetCount { count: sea.ship_cells };
    match (ships == sea.ship_cells, ships + room == sea.ship_cells) {
        (true, _) => Step::water(reason, board, sea.unknown(board)),
        (_, true) => Step::ships(reason, board, sea.unknown(board)),
        _ => Ok(None),
    }
}

fn corners(sea: &Sea, board: &Board) -> Found {
    let (mut water, mask) = (Cells::EMPTY, sea.mask(0));
    for row in 0..sea.lines(0) {
        let ships = board.ship.line(0, row);
        // Cells beside a ship cell in its row, moved up and down, are at its corners.
        let corners = (ships << 1 | ships >> 1) & mask;
        for other in [row.wrapping_sub(1), row + 1] {
            if other < sea.lines(0) {
                water.insert_line(0, other, corners & !board.water.line(0, other));
            }
        }
    }
    Step::water(Reason::Corners, board, water)
}
