//! The rule of expert puzzles: what if a cell were ship, or water?

use broadside_rules::Cell;

use super::{Board, Contradiction, Grade, Reason, Sea, Step};

/// The cells whose opposite leads to a contradiction by the rules of hard puzzles.
pub(super) fn answers(sea: &Sea, board: &Board) -> impl Iterator<Item = Step> {
    let questions = sea.unknown(board).cells().into_iter().flat_map(|cell| [(cell, true), (cell, false)]);
    questions.filter_map(|(cell, ship)| ask(sea, board, cell, ship))
}

fn ask(sea: &Sea, board: &Board, cell: Cell, ship: bool) -> Option<Step> {
    let (steps, contradiction) = assume(sea, board, cell, ship)?;
    let mut found = Board::EMPTY;
    found.set(cell, !ship);
    Some(Step { reason: Reason::WhatIf { cell, ship, steps, contradiction }, found })
}

/// Takes all steps that follow with this rule too.
pub(super) fn close(sea: &Sea, board: &mut Board) -> Result<(), Contradiction> {
    super::close(sea, board, Grade::Hard)?;
    let (open, mut unanswered) = (sea.unknown(board).cells(), 0);
    // A cell that was asked without an answer is asked again only when something else is found.
    for &cell in open.iter().cycle() {
        if unanswered == open.len() {
            break;
        }
        unanswered += 1;
        for ship in [true, false] {
            if !board.knows(cell) && is_wrong(sea, board, cell, ship) {
                board.set(cell, !ship);
                super::close(sea, board, Grade::Hard)?;
                unanswered = 0;
            }
        }
    }
    Ok(())
}

fn is_wrong(sea: &Sea, board: &Board, cell: Cell, ship: bool) -> bool {
    let mut supposed = *board;
    supposed.set(cell, ship);
    super::close(sea, &mut supposed, Grade::Hard).is_err()
}

/// After how many steps the assumption leads to a contradiction, and to which; `None` if it leads to none.
fn assume(sea: &Sea, board: &Board, cell: Cell, ship: bool) -> Option<(usize, Contradiction)> {
    let mut supposed = *board;
    supposed.set(cell, ship);
    let mut steps = 0;
    loop {
        match super::next(sea, &supposed, Grade::Hard) {
            Ok(Some(step)) => step.apply(&mut supposed),
            Ok(None) => return None,
            Err(contradiction) => return Some((steps, contradiction)),
        }
        steps += 1;
    }
}

/// The steps to the contradiction.
pub(super) const fn steps(reason: Reason) -> usize {
    if let Reason::WhatIf { steps, .. } = reason { steps } else { 0 }
}
