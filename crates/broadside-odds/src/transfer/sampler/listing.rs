//! The list of all layouts, for positions where few are left.

use std::ops::ControlFlow;

use super::covers::Step;
use super::proposals::Proposals;
use super::ships::{Words, add, meet};

/// All layouts.
#[derive(Debug)]
pub(super) struct Listing<const W: usize> {
    /// The cells of each.
    pub(super) cells: Vec<Words<W>>,
    /// The indices of the ships of each, one layout after the other.
    pub(super) ships: Vec<u32>,
    /// How many ships a layout has.
    pub(super) fleet: usize,
}

impl<const W: usize> Listing<W> {
    /// Lists the layouts; `None` when that takes more than so many steps.
    pub(super) fn new(proposals: &Proposals<W>, steps: usize) -> Option<Self> {
        let fleet = proposals.ships.counts.iter().sum();
        let listing = Self { cells: vec![], ships: vec![], fleet };
        let mut search = Search { proposals, listing, drawn: vec![], steps };
        let done = search.step(proposals.covers().first as usize, [0; W], [0; W]);
        done.is_continue().then_some(search.listing)
    }
}

struct Search<'a, const W: usize> {
    proposals: &'a Proposals<W>,
    listing: Listing<W>,
    drawn: Vec<u32>,
    steps: usize,
}

impl<const W: usize> Search<'_, W> {
    /// Goes on from a step with the ships drawn so far; breaks off when there are no steps left.
    fn step(&mut self, at: usize, cells: Words<W>, taken: Words<W>) -> ControlFlow<()> {
        let proposals = self.proposals;
        match &proposals.covers().steps[at] {
            Step::Cover(choices) => {
                for choice in proposals.covers().all(choices) {
                    self.put(choice.ship, cells, taken, |search, cells, taken| search.step(choice.next as usize, cells, taken))?;
                }
                ControlFlow::Continue(())
            }
            Step::Free(left) => {
                let classes: Vec<usize> = left.iter().enumerate().flat_map(|(class, &count)| vec![class; count]).collect();
                self.free(&classes, 0, cells, taken)
            }
        }
    }

    /// Places free ships of these classes; those of one class in rising order, so that each layout is met once.
    fn free(&mut self, classes: &[usize], from: u32, cells: Words<W>, taken: Words<W>) -> ControlFlow<()> {
        let Some((&class, rest)) = classes.split_first() else {
            self.listing.cells.push(cells);
            self.listing.ships.extend(&self.drawn);
            return ControlFlow::Continue(());
        };
        let free = self.proposals.ships.free[class].clone();
        for ship in free.start.max(from)..free.end {
            let next = if rest.first() == Some(&class) { ship + 1 } else { 0 };
            self.put(ship, cells, taken, |search, cells, taken| search.free(rest, next, cells, taken))?;
        }
        ControlFlow::Continue(())
    }

    /// Puts a ship, if it clashes with none, and goes on.
    fn put(
        &mut self,
        ship: u32,
        mut cells: Words<W>,
        mut taken: Words<W>,
        go_on: impl FnOnce(&mut Self, Words<W>, Words<W>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if self.steps == 0 {
            return ControlFlow::Break(());
        }
        self.steps -= 1;
        let put = &self.proposals.ships.list[ship as usize];
        if meet(&put.cells, &taken) {
            return ControlFlow::Continue(());
        }
        add(&mut cells, &put.cells);
        add(&mut taken, &put.blocked);
        self.drawn.push(ship);
        let flow = go_on(self, cells, taken);
        self.drawn.pop();
        flow
    }
}
