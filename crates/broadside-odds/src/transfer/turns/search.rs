//! Counting the layouts of a plan: all ships but the last are placed one after the other, and the places left for the last one are counted.

use broadside_rules::{Stop, Stopped};
use pulp::Arch;

use super::places::{Places, Set, above, below, both, members, size, without};
use super::plan::{Choice, Plan};

/// The number of layouts, and for each class and placement of those that have it.
pub(super) fn count<const W: usize>(plan: &Plan, places: &Places<W>, stop: &Stop) -> Result<(u64, Vec<Vec<u64>>), Stopped> {
    let found = places.ships.iter().map(|ships| vec![0; ships.len()]).collect();
    let mut search = Search { plan, places, stop, arch: Arch::new(), found };
    let Some(first) = plan.first else { return Ok((0, search.found)) };
    let mut open = vec![[u64::MAX; W]; places.ships.len() * plan.order.len()];
    let layouts = search.place(0, first, &mut open)?;
    Ok((layouts, search.found))
}

struct Search<'a, const W: usize> {
    plan: &'a Plan,
    places: &'a Places<W>,
    stop: &'a Stop,
    arch: Arch,
    /// For each class and placement the layouts that have it.
    found: Vec<Vec<u64>>,
}

impl<const W: usize> Search<'_, W> {
    /// Places the ships from one on, from its step; says in how many ways. `open` has the places of each class that clash with no ship placed, and after
    /// them room for those of later ships.
    fn place(&mut self, ship: usize, step: u32, open: &mut [Set<W>]) -> Result<u64, Stopped> {
        self.stop.check()?;
        let choices = &self.plan.steps[step as usize].choices;
        let (class, left) = (self.plan.order[ship], self.plan.order.len() - ship);
        let (here, later) = open.split_at_mut(self.places.ships.len());
        let mut layouts = 0;
        for &Choice { group, next } in choices {
            let places = both(&self.places.groups[class][group as usize].places, &here[class]);
            layouts += match left {
                1 => self.last(class, &places),
                2 => self.last_two(ship, &places, &self.last_places(next, here)),
                _ => self.each(ship, &places, next, here, later)?,
            };
        }
        Ok(layouts)
    }

    /// Places a ship on each of these places, and all after it.
    fn each(&mut self, ship: usize, places: &Set<W>, next: u32, here: &[Set<W>], later: &mut [Set<W>]) -> Result<u64, Stopped> {
        let class = self.plan.order[ship];
        let mut layouts = 0;
        for place in members(places) {
            for (other, open) in here.iter().enumerate() {
                later[other] = without(open, self.places.clashing(class, place, other));
            }
            // Ships of one class are placed in order, so that each layout is met once.
            if self.plan.order[ship + 1] == class {
                later[class] = both(&later[class], &above(place));
            }
            let with = self.place(ship + 1, next, later)?;
            self.found[class][place] += with;
            layouts += with;
        }
        Ok(layouts)
    }

    /// The places of the last ship, which accounts for all that is owed still.
    fn last_places(&self, step: u32, open: &[Set<W>]) -> Set<W> {
        let class = self.plan.order[self.plan.order.len() - 1];
        let group = self.plan.steps[step as usize].choices[0].group;
        both(&self.places.groups[class][group as usize].places, &open[class])
    }

    fn last(&mut self, class: usize, places: &Set<W>) -> u64 {
        members(places).for_each(|place| self.found[class][place] += 1);
        size(places)
    }

    /// Two ships left, with their places: for each place of either one, those of the other beside it.
    fn last_two(&mut self, ship: usize, places: &Set<W>, last_places: &Set<W>) -> u64 {
        let (class, last) = (self.plan.order[ship], self.plan.order[ship + 1]);
        let (all, found) = (self.places, &mut self.found);
        if *last_places == [0; W] {
            return 0;
        }
        self.arch.dispatch(move || {
            let mut layouts = 0;
            for place in members(places) {
                let mut beside = without(last_places, all.clashing(class, place, last));
                if class == last {
                    beside = both(&beside, &above(place));
                }
                found[class][place] += size(&beside);
                layouts += size(&beside);
            }
            if layouts == 0 {
                return 0;
            }
            for place in members(last_places) {
                let mut beside = without(places, all.clashing(last, place, class));
                if class == last {
                    beside = both(&beside, &below(place));
                }
                found[last][place] += size(&beside);
            }
            layouts
        })
    }
}
