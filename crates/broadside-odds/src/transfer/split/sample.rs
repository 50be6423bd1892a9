//! Exact uniform samples of layouts, from the tables of the general sweep.
//!
//! The sweep up the board tells in how many ways every state can be completed. Walking down and
//! choosing every step with a chance in proportion to the completions it leads to gives each
//! layout the same chance, exactly: all choices are made with integers.

use rand::{Rng, RngExt};

use super::engine::{Engine, split};
use super::fleet::Parts;
use super::general::{Layers, State, Sweep};
use super::number::Number;
use super::weights::{Place, Plain};
use crate::OutOfReach;
use crate::problem::{Problem, ShipPosition};

impl Engine {
    /// Draws `n` layouts, each equally likely and independent; none if no layout fits. The same generator state gives the
    /// same layouts.
    ///
    /// # Errors
    /// As for [`Engine::count`].
    pub(crate) fn sample(
        &mut self,
        problem: &Problem,
        rng: &mut impl Rng,
        n: usize,
    ) -> Result<Vec<Vec<ShipPosition>>, OutOfReach> {
        let parts = self.parts(problem)?;
        let turned = problem.transposed();
        let halves: Result<Vec<Half>, OutOfReach> = split(problem)
            .into_iter()
            .map(|half| {
                let board = if half.transposed { &turned } else { problem };
                Half::new(board, &parts, half.most, self.budget(), half.transposed)
            })
            .collect();
        let halves = halves?;
        let totals: Option<Vec<u128>> = halves.iter().map(|half| half.total().exact()).collect();
        let totals = totals.ok_or(OutOfReach::Overflow)?;
        let all = totals.iter().try_fold(0_u128, |sum, &n| sum.checked_add(n));
        if all.ok_or(OutOfReach::Overflow)? == 0 {
            return Ok(vec![]);
        }
        Ok((0..n).map(|_| halves[pick(rng, &totals)].draw(rng)).collect())
    }
}

/// An index, with a chance in proportion to its weight.
fn pick(rng: &mut impl Rng, weights: &[u128]) -> usize {
    let mut at = rng.random_range(0..weights.iter().sum());
    let taken = |&weight: &u128| match at.checked_sub(weight) {
        Some(rest) => {
            at = rest;
            false
        }
        None => true,
    };
    weights.iter().position(taken).expect("the draw is below the sum of the weights")
}

/// The layouts of one half of the orientation split.
struct Half<'a> {
    sweep: Sweep<'a, Plain>,
    /// Completions of each state.
    worth: Layers<u128>,
    transposed: bool,
}

impl<'a> Half<'a> {
    fn new(board: &'a Problem, parts: &'a Parts, most: usize, budget: usize, transposed: bool) -> Result<Self, OutOfReach> {
        let sweep = Sweep { board, parts, weights: &Plain, most, budget };
        let worth = sweep.up(&sweep.down::<u128>()?);
        Ok(Half { sweep, worth, transposed })
    }

    fn total(&self) -> u128 {
        self.worth.above[0][&State::default()][0]
    }

    /// Walks down the rows.
    fn draw(&self, rng: &mut impl Rng) -> Vec<ShipPosition> {
        let mut state = State::default();
        let mut used = 0;
        let mut places = vec![];
        for row in 0..self.sweep.board.rows {
            state = self.start(rng, row, &state, used);
            used = self.fill(rng, row, &state, used, &mut places);
            (state, used) = self.end(rng, row, &state, used, &mut places);
        }
        let mut ships: Vec<ShipPosition> = places.into_iter().map(|place| self.ship(place)).collect();
        ships.sort_unstable_by(|a, b| b.cmp(a));
        ships
    }

    fn start(&self, rng: &mut impl Rng, row: usize, state: &State, used: usize) -> State {
        let mut states = self.sweep.starts(row, state);
        let inside = &self.worth.inside[row];
        let weights: Vec<u128> = states.iter().map(|state| inside[state][used]).collect();
        states.swap_remove(pick(rng, &weights))
    }

    /// Chooses the part of the fleet that lies in the row, then the ships. Returns what is used.
    fn fill(&self, rng: &mut impl Rng, row: usize, state: &State, used: usize, places: &mut Vec<Place>) -> usize {
        let parts = self.sweep.parts;
        let strip = self.sweep.row(row, state.occupied());
        let prefixes: Vec<u128> = strip.prefixes();
        let worth = self.sweep.worth_filled(row, state, &self.worth.above[row + 1]);
        let ways = &prefixes[self.sweep.board.cols * parts.len..];
        // The parts that fit beside what is used, and the two together.
        let pairs = &parts.sums[used];
        let weight = |&(m, sum): &(u16, u16)| ways[usize::from(m)] * worth[usize::from(sum)];
        let weights: Vec<u128> = pairs.iter().map(weight).collect();
        let (m, sum) = pairs[pick(rng, &weights)];
        self.lay(rng, row, state, &prefixes, usize::from(m), places);
        usize::from(sum)
    }

    /// Chooses lying ships that are the part `left`, from the right end of the row.
    fn lay(&self, rng: &mut impl Rng, row: usize, state: &State, prefixes: &[u128], mut left: usize, places: &mut Vec<Place>) {
        let parts = self.sweep.parts;
        let strip = self.sweep.row(row, state.occupied());
        let mut b = self.sweep.board.cols;
        while b > 0 {
            let skip = if strip.may_skip(b) { prefixes[(b - 1) * parts.len + left] } else { 0 };
            let mut ways = vec![(skip, b - 1, left, None)];
            for place in strip.ending(b) {
                let without = parts.grown(place.class).iter().find(|pair| usize::from(pair.1) == left);
                if let Some(&(v, _)) = without {
                    let v = usize::from(v);
                    ways.push((prefixes[place.col * parts.len + v], place.col, v, Some(place)));
                }
            }
            let weights: Vec<u128> = ways.iter().map(|way| way.0).collect();
            let (_, next, rest, place) = ways[pick(rng, &weights)];
            places.extend(place);
            (b, left) = (next, rest);
        }
    }

    fn end(&self, rng: &mut impl Rng, row: usize, state: &State, used: usize, places: &mut Vec<Place>) -> (State, usize) {
        let parts = self.sweep.parts;
        let below = &self.worth.above[row + 1];
        let mut ways = self.sweep.endings::<u128>(row, state);
        let sum = |part: usize| {
            let at = parts.sums[part].binary_search_by_key(&used, |pair| usize::from(pair.0));
            at.ok().map(|at| usize::from(parts.sums[part][at].1))
        };
        let worth = |next: &State, part| Some(below.get(next)?[sum(part)?]);
        let weights: Vec<u128> = ways.iter().map(|way| worth(&way.next, way.part).unwrap_or(0)).collect();
        let way = ways.swap_remove(pick(rng, &weights));
        places.extend(way.ships);
        (way.next, sum(way.part).expect("a way of weight 0 is never chosen"))
    }

    fn ship(&self, place: Place) -> ShipPosition {
        let length = self.sweep.board.classes[place.class].length;
        let Place { upright, row, col, .. } = place;
        if self.transposed {
            ShipPosition { length, row: col, col: row, upright: !upright && length > 1 }
        } else {
            ShipPosition { length, row, col, upright }
        }
    }
}
