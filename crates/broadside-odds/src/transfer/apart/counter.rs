//! Covering the hits, listing ships, and counting the last three.

use broadside_rules::{Stop, Stopped};
use pulp::{Arch, Simd, WithSimd};

use super::pairs::{Clashes, Pairs};
use super::places::{Places, WORD, members, size};
use super::symmetry::Symmetry;
use crate::Problem;

/// Counts the layouts of a problem.
pub(super) struct Counter<'a> {
    problem: &'a Problem,
    places: Places,
    pairs: Pairs,
    stop: &'a Stop,
    /// For each placement the layouts found that have it.
    found: Vec<u64>,
}

/// What is still to be placed.
#[derive(Clone)]
struct Left {
    /// Ships of each class.
    ships: Vec<usize>,
    /// The placements that go with all ships placed.
    allowed: Vec<u64>,
    /// The hits that are not covered yet.
    hits: u128,
}

impl Left {
    /// The classes of the ships left, one after the other.
    fn classes(&self) -> impl Iterator<Item = usize> {
        self.ships.iter().enumerate().flat_map(|(class, &ships)| std::iter::repeat_n(class, ships))
    }

    fn forbid(&mut self, places: &[u64]) {
        self.allowed.iter_mut().zip(places).for_each(|(allowed, taken)| *allowed &= !taken);
    }
}

impl<'a> Counter<'a> {
    pub(super) fn new(problem: &'a Problem, places: Places, pairs: Pairs, stop: &'a Stop) -> Self {
        let found = vec![0; places.list.len()];
        Self { problem, places, pairs, stop, found }
    }

    /// The number of layouts, and for each cell of those that have a ship there.
    pub(super) fn counts(mut self) -> Result<(u128, Vec<u128>), Stopped> {
        let hits = self.places.covers.iter().fold(0, |all, covers| all | covers);
        if hits.count_ones() as usize != self.problem.must_cells() {
            return Ok((0, vec![0; self.problem.cells()]));
        }
        let ships = self.problem.classes.iter().map(|class| class.count).collect();
        let left = Left { ships, allowed: self.places.all(), hits };
        let first = left.classes().next().filter(|&class| hits == 0 && left.ships[class] == 1 && left.classes().count() > 3);
        let Some(symmetry) = first.and_then(|_| Symmetry::find(&self.places, self.problem)) else {
            let layouts = self.place(&left)?;
            return Ok((layouts.into(), self.cells(|cell| [cell].into_iter(), 1)));
        };
        let layouts = self.list_representatives(&left, &symmetry)?;
        Ok((layouts.into(), self.cells(|cell| symmetry.images(cell), symmetry.len() as u128)))
    }

    /// For each cell the layouts found that have a ship on it or on one of its images, divided by a number.
    fn cells<I: Iterator<Item = usize>>(&self, images: impl Fn(usize) -> I, divisor: u128) -> Vec<u128> {
        let mut found = vec![0_u128; self.problem.cells()];
        for (place, ship) in self.places.numbers() {
            ship.each_cell().for_each(|(row, col)| found[row * self.problem.cols + col] += u128::from(self.found[place]));
        }
        (0..found.len()).map(|cell| images(cell).map(|image| found[image]).sum::<u128>() / divisor).collect()
    }

    /// Lists the first ship once for all places that are images of each other.
    fn list_representatives(&mut self, left: &Left, symmetry: &Symmetry) -> Result<u64, Stopped> {
        let mut layouts = 0;
        let class = left.classes().next().expect("a ship to list");
        let before = std::mem::take(&mut self.found);
        let mut sums = before.clone();
        for (place, images) in symmetry.representatives(self.set_of(class, &left.allowed)) {
            self.found.clone_from(&before);
            layouts += images * self.put(left, class, place, false)?;
            sums.iter_mut().zip(&self.found).for_each(|(sum, found)| *sum += images * found);
        }
        self.found = sums;
        Ok(layouts)
    }

    /// The allowed placements of a class.
    fn set_of(&self, class: usize, allowed: &[u64]) -> Vec<usize> {
        let words = self.places.classes[class].clone();
        members(&allowed[words.clone()]).map(|number| words.start * WORD + number).collect()
    }

    /// Places all ships left; says in how many ways.
    fn place(&mut self, left: &Left) -> Result<u64, Stopped> {
        self.stop.check()?;
        if left.hits != 0 {
            return self.cover(left);
        }
        let classes: Vec<usize> = left.classes().collect();
        match classes[..] {
            [] => Ok(1),
            [class] => Ok(self.place_one(class, &left.allowed)),
            [one, other] => Ok(self.place_two(one, other, &left.allowed)),
            [one, two, three] => {
                let last = LastThree::new(&self.places, &self.pairs, [one, two, three]);
                let clashing = last.clashing(&left.allowed);
                Ok(Arch::new().dispatch(Count {
                    last: &last,
                    allowed: &left.allowed,
                    clashing: &clashing,
                    found: &mut self.found,
                }))
            }
            [class, one, two, three] => Ok(self.list_last(left, class, [one, two, three])),
            [class, ..] => self.list(left, class),
        }
    }

    /// Covers the hit that has the fewest ways, in every way.
    fn cover(&mut self, left: &Left) -> Result<u64, Stopped> {
        let covers = &self.places.covers;
        let afloat = |place: &usize| left.ships[self.places.class(*place)] > 0 && covers[*place] != 0;
        let open: Vec<usize> = members(&left.allowed).filter(afloat).collect();
        let covering = |hit: u32| open.iter().filter(|&&place| covers[place] >> hit & 1 == 1).count();
        let hits = (0..u128::BITS).filter(|hit| left.hits >> hit & 1 == 1);
        let hit = hits.min_by_key(|&hit| covering(hit)).expect("a hit to cover");
        let mut layouts = 0;
        for place in open {
            if self.places.covers[place] >> hit & 1 == 1 {
                layouts += self.put(left, self.places.class(place), place, false)?;
            }
        }
        Ok(layouts)
    }

    /// Puts a ship and places the others. In order, the other ships of its class have higher numbers.
    fn put(&mut self, left: &Left, class: usize, place: usize, in_order: bool) -> Result<u64, Stopped> {
        let mut after = left.clone();
        after.ships[class] -= 1;
        after.forbid(self.places.clashes(place));
        after.hits &= !self.places.covers[place];
        if in_order {
            after.forbid(&self.up_to(class, place));
        }
        let layouts = self.place(&after)?;
        self.found[place] += layouts;
        Ok(layouts)
    }

    /// The placements of a class up to one of them.
    fn up_to(&self, class: usize, place: usize) -> Vec<u64> {
        let mut set = vec![0; self.places.words()];
        (self.places.classes[class].start * WORD..=place).for_each(|place| set[place / WORD] |= 1 << (place % WORD));
        set
    }

    /// Puts a ship of the class in every way.
    fn list(&mut self, left: &Left, class: usize) -> Result<u64, Stopped> {
        let mut layouts = 0;
        for place in self.set_of(class, &left.allowed) {
            layouts += self.put(left, class, place, left.ships[class] > 1)?;
        }
        Ok(layouts)
    }

    fn place_one(&mut self, class: usize, allowed: &[u64]) -> u64 {
        let places = self.set_of(class, allowed);
        for &place in &places {
            self.found[place] += 1;
        }
        places.len() as u64
    }

    fn place_two(&mut self, one: usize, other: usize, allowed: &[u64]) -> u64 {
        let mut count = |class: usize, other: usize| {
            let words = self.places.classes[other].clone();
            let mut sum = 0;
            for place in self.set_of(class, allowed) {
                let left: u64 =
                    words.clone().map(|word| u64::from((allowed[word] & !self.places.clashes(place)[word]).count_ones())).sum();
                self.found[place] += left;
                sum += left;
            }
            sum
        };
        let layouts = count(one, other);
        if one == other { layouts / 2 } else { count(other, one) }
    }

    /// Puts a ship of the class in every way, and counts the last three.
    fn list_last(&mut self, left: &Left, class: usize, three: [usize; 3]) -> u64 {
        let last = LastThree::new(&self.places, &self.pairs, three);
        let clashing = last.clashing(&left.allowed);
        let choices = self.set_of(class, &left.allowed);
        let up_to: Option<Vec<Vec<u64>>> =
            (three[0] == class).then(|| choices.iter().map(|&place| self.up_to(class, place)).collect());
        Arch::new().dispatch(List { last: &last, left, choices: &choices, up_to, clashing: &clashing, found: &mut self.found })
    }
}

/// The last three ships, in the order of their classes.
struct LastThree<'a> {
    places: &'a Places,
    roles: Vec<Role<'a>>,
    /// How often a layout is met when the placements of the first role are added up.
    repeats: u64,
}

/// One of the ships, as the first of the three.
struct Role<'a> {
    class: usize,
    /// The other two.
    others: [usize; 2],
    clashes: &'a Clashes,
}

impl<'a> LastThree<'a> {
    fn new(places: &'a Places, pairs: &'a Pairs, [one, two, three]: [usize; 3]) -> Self {
        let role = |class, others: [usize; 2]| Role { class, others, clashes: pairs.of(others[0], others[1]) };
        let mut roles = vec![role(one, [two, three])];
        roles.extend((two != one).then(|| role(two, [one, three])));
        roles.extend((three != two).then(|| role(three, [one, two])));
        let repeats = 1 + u64::from(two == one) + u64::from(three == one);
        Self { places, roles, repeats }
    }

    /// For each role the clashing pairs of the other two ships.
    fn clashing(&self, allowed: &[u64]) -> Vec<Vec<u64>> {
        self.roles.iter().map(|role| role.clashes.among(allowed)).collect()
    }

    /// The ways to place all three; each placement's are added to those found.
    #[inline(always)]
    fn count(&self, allowed: &[u64], clashing: &[Vec<u64>], found: &mut [u64]) -> u64 {
        let mut layouts = 0;
        for (role, clashing) in self.roles.iter().zip(clashing) {
            let sum = self.count_role(role, allowed, clashing, found);
            layouts = if layouts == 0 { sum } else { layouts };
        }
        layouts / self.repeats
    }

    #[inline(always)]
    fn count_role(&self, role: &Role, allowed: &[u64], clashing: &[u64], found: &mut [u64]) -> u64 {
        let [one, other] = role.others.map(|class| self.places.classes[class].clone());
        let pairs = size(clashing);
        let mut sum = 0;
        for word in self.places.classes[role.class].clone() {
            let mut members = allowed[word];
            while members != 0 {
                let place = word * WORD + members.trailing_zeros() as usize;
                members &= members - 1;
                let clashes = self.places.clashes(place);
                let free = |words: &std::ops::Range<usize>| -> u64 {
                    let words = allowed[words.clone()].iter().zip(&clashes[words.clone()]);
                    words.map(|(allowed, clashes)| u64::from((allowed & !clashes).count_ones())).sum()
                };
                let (first, second) = (free(&one), free(&other));
                let choices = if one == other { first * first.saturating_sub(1) / 2 } else { first * second };
                let ways = choices + role.clashes.count_taken(clashing, place) - pairs;
                found[place] += ways;
                sum += ways;
            }
        }
        sum
    }
}

/// Counts the last three ships, compiled for each instruction set.
struct Count<'a> {
    last: &'a LastThree<'a>,
    allowed: &'a [u64],
    clashing: &'a [Vec<u64>],
    found: &'a mut [u64],
}

impl WithSimd for Count<'_> {
    type Output = u64;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> u64 {
        self.last.count(self.allowed, self.clashing, self.found)
    }
}

/// Puts a ship in every way and counts the last three, compiled for each instruction set.
struct List<'a> {
    last: &'a LastThree<'a>,
    left: &'a Left,
    choices: &'a [usize],
    /// For each of the choices those that the other ships of its class may not have, if there are other ships.
    up_to: Option<Vec<Vec<u64>>>,
    clashing: &'a [Vec<u64>],
    found: &'a mut [u64],
}

impl WithSimd for List<'_> {
    type Output = u64;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> u64 {
        let Self { last, left, choices, up_to, clashing, found } = self;
        let (mut layouts, mut allowed, mut after) = (0, left.allowed.clone(), clashing.to_vec());
        for (at, &place) in choices.iter().enumerate() {
            allowed.clear();
            allowed.extend(left.allowed.iter().zip(last.places.clashes(place)).map(|(allowed, clashes)| allowed & !clashes));
            if let Some(up_to) = &up_to {
                allowed.iter_mut().zip(&up_to[at]).for_each(|(allowed, taken)| *allowed &= !taken);
                after = last.clashing(&allowed);
            } else {
                for ((role, from), after) in last.roles.iter().zip(clashing).zip(&mut after) {
                    role.clashes.leave(from, place, after);
                }
            }
            let ways = last.count(&allowed, &after, found);
            found[place] += ways;
            layouts += ways;
        }
        layouts
    }
}
