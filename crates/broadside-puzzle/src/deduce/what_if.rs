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
    let reason = Reason::WhatIf { cell, ship, steps, contradiction };
    Step::new(reason, board, &found).ok().flatten()
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
