//! The easy rules: counting, and water around what is known.

use super::{Contradiction, Reason, Told, Work};
use crate::Line;
use crate::board::Board;

pub(super) fn tell(work: &mut Work) -> Told {
    for axis in 0..2 {
        for line in 0..work.sea.lines(axis) {
            line_count(work, axis, line)?;
        }
    }
    fleet_count(work)?;
    corners(work)
}

/// What follows from the revealed parts of ships. It never changes, so it is told once.
pub(super) fn tell_parts(work: &mut Work) -> Told {
    for part in &work.sea.parts {
        work.tell(Reason::AroundAnEnd { cell: part.cell, mark: part.mark }, &part.follows)?;
    }
    Ok(())
}

fn line_count(work: &mut Work, axis: usize, line: usize) -> Told {
    let Some(count) = work.sea.count(axis, line) else { return Ok(()) };
    let (open, name) = (work.sea.open(&work.board, axis, line), Line::new(axis, line));
    let (ships, room) = (work.board.ship.line(axis, line).count_ones() as usize, open.count_ones() as usize);
    if ships > count {
        return Err(Contradiction::LineOverfull(name).into());
    }
    if ships + room < count {
        return Err(Contradiction::LineTooEmpty(name).into());
    }
    if ships == count {
        work.tell_line(Reason::LineFull { line: name, count }, [axis, line], 0, open)
    } else if ships + room == count {
        work.tell_line(Reason::LineNeedsAll { line: name, count }, [axis, line], open, 0)
    } else {
        Ok(())
    }
}

/// Says something only where counts are missing; otherwise the lines have said it before.
fn fleet_count(work: &mut Work) -> Told {
    let (ships, room) = (work.board.ship.len(), work.sea.room(&work.board));
    if ships > work.sea.ship_cells || ships + room < work.sea.ship_cells {
        return Err(Contradiction::FleetCount.into());
    }
    let reason = Reason::FleetCount { count: work.sea.ship_cells };
    let mut found = Board::EMPTY;
    if ships == work.sea.ship_cells {
        found.water = work.sea.unknown(&work.board);
    } else if ships + room == work.sea.ship_cells {
        found.ship = work.sea.unknown(&work.board);
    } else {
        return Ok(());
    }
    work.tell(reason, &found)
}

fn corners(work: &mut Work) -> Told {
    let (mut found, mask) = (Board::EMPTY, work.sea.mask(0));
    for row in 0..work.sea.lines(0) {
        let ships = work.board.ship.line(0, row.wrapping_sub(1)) | work.board.ship.line(0, row + 1);
        // Cells beside a ship cell in its row, moved up and down, are at its corners.
        let corners = (ships << 1 | ships >> 1) & mask & !work.board.water.line(0, row);
        found.water.insert_line(0, row, corners);
    }
    work.tell(Reason::Corners, &found)
}
