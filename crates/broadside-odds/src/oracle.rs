//! The definition: list every layout and replay the log against the referee.
//!
//! Slow and obviously right. It shares nothing with the other engines but the rules of the game, so it can judge them.

use broadside_rules::{Answer, CalledTurn, Draft, Layout, Length, Placement, Referee, Rules, Salvo, Shot, ShotLog, TurnCall};

use crate::{Counts, OutOfReach, WorkLimits};

/// Counts by listing every layout.
///
/// ```
/// use broadside_odds::{Budget, oracle};
/// use broadside_rules::ShotLog;
///
/// // A ship of two on a row of four, and its second cell is hit: it lies at A1-A2 or at A2-A3.
/// let log = ShotLog::parse(&"1x4 2 allowed ship".parse()?, "A2+")?;
/// assert_eq!(oracle::count(&log, Budget::default())?.cells(), [1, 2, 1, 0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When there are more layouts to list than the budget has steps, or it is stopped.
pub fn count(log: &ShotLog, limits: impl Into<WorkLimits>) -> Result<Counts, OutOfReach> {
    let grid = log.rules().grid();
    let (mut layouts, mut cells) = (0, vec![0; grid.len()]);
    each_layout(log.rules(), limits, &mut |layout| {
        if fits(log, layout) {
            layouts += 1;
            layout.cells().iter().for_each(|cell| cells[grid.index(cell)] += 1);
        }
    })?;
    Ok(Counts::new(grid, layouts, cells))
}

/// Whether the referee of this layout would have given the answers of the log.
///
/// ```
/// use broadside_odds::{Budget, oracle};
/// use broadside_rules::ShotLog;
///
/// let log = ShotLog::parse(&"1x4 2 allowed ship".parse()?, "A2+")?;
/// let mut layouts = Vec::new();
/// oracle::each_layout(log.rules(), Budget::default(), &mut |layout| layouts.push(layout.clone()))?;
/// assert_eq!(layouts.len(), 3);
/// assert_eq!(layouts.iter().filter(|layout| oracle::fits(&log, layout)).count(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn fits(log: &ShotLog, layout: &Layout) -> bool {
    let mut referee = Referee::new(&log.rules().clone().with_salvo(Salvo::SINGLE), layout.clone());
    // A turn is fired to its end, whether or not the fleet is sunk before.
    let answers: Vec<Option<Answer>> = log.shots().iter().map(|shot| referee.fire(shot.cell).ok()).collect();
    let told = |(shot, answer): (&Shot, &Option<Answer>)| shot.answer == Answer::Untold || *answer == Some(shot.answer);
    let called = |turn: &CalledTurn| TurnCall::of(answers[turn.shots()].iter().copied().flatten()) == *turn.call();
    log.shots().iter().zip(&answers).all(told) && log.called_turns().iter().all(called)
}

/// Visits every legal layout once.
///
/// ```
/// use broadside_odds::{Budget, oracle};
///
/// let mut layouts = Vec::new();
/// oracle::each_layout(&"1x4 2,1 allowed ship".parse()?, Budget::default(), &mut |layout| layouts.push(layout.to_string()))?;
/// layouts.sort();
/// assert_eq!(layouts, ["A1-A2 A3", "A1-A2 A4", "A2-A3 A1", "A2-A3 A4", "A3-A4 A1", "A3-A4 A2"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When there are more placements to try than the budget has steps, or it is stopped.
pub fn each_layout(rules: &Rules, limits: impl Into<WorkLimits>, visit: &mut impl FnMut(&Layout)) -> Result<(), OutOfReach> {
    let limits = limits.into();
    let mut listing = Listing { rules, steps: limits.budget.steps, limits, ships: Vec::new(), visit };
    listing.place(rules.fleet().lengths())
}

struct Listing<'a, V> {
    rules: &'a Rules,
    steps: u64,
    limits: WorkLimits,
    ships: Vec<Placement>,
    visit: &'a mut V,
}

impl<V: FnMut(&Layout)> Listing<'_, V> {
    fn place(&mut self, lengths: &[Length]) -> Result<(), OutOfReach> {
        let Some((&length, rest)) = lengths.split_first() else {
            let layout = Draft::Ships(self.ships.clone()).check(self.rules).into_layout();
            (self.visit)(&layout.expect("ships placed by the rules are legal"));
            return Ok(());
        };
        for ship in self.rules.placements(length) {
            self.steps = self.steps.checked_sub(1).ok_or(OutOfReach::Steps)?;
            self.limits.check()?;
            if self.may_join(ship) {
                self.ships.push(ship);
                self.place(rest)?;
                self.ships.pop();
            }
        }
        Ok(())
    }

    /// Ships of one length are interchangeable, so they are listed in one order only.
    fn may_join(&self, ship: Placement) -> bool {
        let in_order = self.ships.last().is_none_or(|last| last.length() != ship.length() || *last < ship);
        in_order && self.ships.iter().all(|other| ship.compatible(*other, self.rules.touch()))
    }
}
