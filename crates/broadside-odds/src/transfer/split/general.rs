//! The general sweep: any board, any fleet, one row after another.
//!
//! The state between two rows is the set of vertical ships that reach across, each by its column
//! and first row, and how many vertical ships have ended. A ship's length is chosen when it ends.
//! For each state there is a polynomial over the parts of the fleet used so far. A row is three
//! steps: vertical ships start, the row's horizontal ships fill what is free (a product with the row's
//! polynomial, which depends on the occupied columns only), vertical ships end.
//!
//! Each step is linear, so walking the same steps in reverse gives the worth of every state: in
//! how many ways (with what weight) it can be completed to the whole fleet. What comes in times
//! what it is worth, summed by the occupied columns of a row, is what each coefficient of that
//! row's polynomial is worth, and that gives all cells at once.

use std::collections::BTreeMap;

use broadside_rules::{Stop, Stopped};

use super::fleet::Parts;
use super::number::Number;
use super::polynomial::{add_product, add_quotient, add_shifted, add_unshifted, dot, one};
use super::rows::Row;
use super::weights::{Place, Weigh};
use crate::OutOfReach;
use crate::problem::Problem;

/// The vertical ships at some height of the board.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct State {
    /// Vertical ships that have ended.
    pub(crate) ended: usize,
    /// Column and first row of those that have not, by column.
    pub(crate) active: Vec<(usize, usize)>,
}

impl State {
    /// The columns that the active ships hold.
    pub(crate) fn occupied(&self) -> u64 {
        self.active.iter().fold(0, |mask, &(col, _)| mask | 1 << col)
    }
}

/// One way for active ships to end in a row.
pub(crate) struct Ending<N> {
    /// The state below the row.
    pub(crate) next: State,
    /// The part of the fleet that the ended ships are.
    pub(crate) part: usize,
    /// The product of their weights.
    pub(crate) weight: N,
    /// The ended ships.
    pub(crate) ships: Vec<Place>,
}

/// About the memory of a state in a map, in numbers.
const STATE: usize = 12;
/// Hits can make the states fewer than forecast; a forecast of more than so many times the budget is past doubt.
const DOUBT: f64 = 4.0;

/// A polynomial per state.
pub(crate) type Layer<N> = BTreeMap<State, Vec<N>>;

/// The polynomials above each row (and below the last), and inside each row.
pub(crate) struct Layers<N> {
    /// `above[r]`: before row `r`.
    pub(crate) above: Vec<Layer<N>>,
    /// `inside[r]`: vertical ships of row `r` have started, its horizontal ships are not there yet.
    pub(crate) inside: Vec<Layer<N>>,
}

/// A board to sweep, with at most `most` vertical ships.
pub(crate) struct Sweep<'a, W> {
    /// The board.
    pub(crate) board: &'a Problem,
    /// The parts of its fleet.
    pub(crate) parts: &'a Parts,
    /// The weights of the placements.
    pub(crate) weights: &'a W,
    /// The most vertical ships a layout may have here.
    pub(crate) most: usize,
    /// The most numbers that all layers of one direction may hold together.
    pub(crate) budget: usize,
    /// Looked at before every state.
    pub(crate) stop: &'a Stop,
}

impl<'a, W> Sweep<'a, W> {
    /// One row under the columns `occupied`.
    pub(crate) fn row(&self, row: usize, occupied: u64) -> Row<'a, W> {
        Row { board: self.board, parts: self.parts, weights: self.weights, at: row, occupied }
    }

    /// The longest vertical ship that may start at the cell, 0 for none.
    fn reach(&self, row: usize, col: usize) -> usize {
        let fits = self.board.classes.iter().find(|class| class.vertical[row] >> col & 1 == 1);
        fits.map_or(0, |class| class.length)
    }

    /// All states that `state` can become when vertical ships start in the row.
    pub(crate) fn starts(&self, row: usize, state: &State) -> Vec<State> {
        let mut states = vec![state.clone()];
        let taken = state.occupied();
        for col in (0..self.board.cols).filter(|&col| taken >> col & 1 == 0) {
            if self.reach(row, col) == 0 {
                continue;
            }
            for at in 0..states.len() {
                if states[at].ended + states[at].active.len() < self.most {
                    let mut more = states[at].clone();
                    more.active.push((col, row));
                    states.push(more);
                }
            }
        }
        for state in &mut states {
            state.active.sort_unstable();
        }
        states
    }

    /// All ways in which active ships of the state can end in the row, none included.
    pub(crate) fn endings<N: Number>(&self, row: usize, state: &State) -> Vec<Ending<N>>
    where
        W: Weigh<N>,
    {
        let next = State { ended: state.ended, active: vec![] };
        let mut ways = vec![Ending { next, part: 0, weight: N::ONE, ships: vec![] }];
        for &(col, first) in &state.active {
            let length = row - first + 1;
            let goes_on = self.reach(first, col) > length;
            let class =
                self.board.classes.iter().position(|class| class.length == length && class.vertical[first] >> col & 1 == 1);
            let place = class.map(|class| Place { class, vertical: true, row: first, col });
            let split = |way: Ending<N>| {
                let end = place.and_then(|place| self.end(&way, place));
                let on = goes_on.then(|| go_on(way, (col, first)));
                on.into_iter().chain(end)
            };
            ways = ways.into_iter().flat_map(split).collect();
        }
        ways
    }

    fn end<N: Number>(&self, way: &Ending<N>, place: Place) -> Option<Ending<N>>
    where
        W: Weigh<N>,
    {
        let part = self.parts.grow(way.part, place.class)?;
        let mut next = way.next.clone();
        next.ended += 1;
        let mut ships = way.ships.clone();
        ships.push(place);
        Some(Ending { next, part, weight: self.weights.weigh(way.weight, place), ships })
    }

    /// Sweeps down: the number of ways to come to each state.
    pub(crate) fn down<N: Number>(&self) -> Result<Layers<N>, OutOfReach>
    where
        W: Weigh<N>,
    {
        let mut layers = Layers { above: vec![Layer::new()], inside: vec![] };
        layers.above[0].insert(State::default(), one(self.parts));
        let mut held = 0;
        for row in 0..self.board.rows {
            let inside = self.start_all(row, &layers.above[row], &mut held)?;
            let below = self.end_all(row, &inside, &mut held)?;
            layers.inside.push(inside);
            layers.above.push(below);
        }
        Ok(layers)
    }

    fn start_all<N: Number>(&self, row: usize, above: &Layer<N>, held: &mut usize) -> Result<Layer<N>, OutOfReach> {
        let mut inside: Layer<N> = Layer::new();
        for (state, ways) in above {
            self.afford(self.count_starts(row, state))?;
            for next in self.starts(row, state) {
                let slot = self.slot(&mut inside, next, held)?;
                slot.iter_mut().zip(ways).for_each(|(to, &n)| *to = to.plus(n));
            }
        }
        Ok(inside)
    }

    fn end_all<N: Number>(&self, row: usize, inside: &Layer<N>, held: &mut usize) -> Result<Layer<N>, OutOfReach>
    where
        W: Weigh<N>,
    {
        let rows = self.polynomials(row, inside);
        let mut below: Layer<N> = Layer::new();
        for (state, ways) in inside {
            let mut filled = vec![N::ZERO; self.parts.len];
            add_product(&mut filled, ways, &rows[&state.occupied()], self.parts);
            if filled.iter().all(|&n| n == N::ZERO) {
                continue;
            }
            // Each ship goes on or ends.
            self.afford(1 << state.active.len().min(usize::BITS as usize - 1))?;
            for end in self.endings(row, state) {
                let slot = self.slot(&mut below, end.next, held)?;
                let pairs = &self.parts.sums[end.part];
                add_shifted(slot, &filled, pairs, end.weight);
            }
        }
        Ok(below)
    }

    /// How many states [`Sweep::starts`] gives: the ways to choose some of the free columns.
    fn count_starts(&self, row: usize, state: &State) -> usize {
        let taken = state.occupied();
        let free = (0..self.board.cols).filter(|&col| taken >> col & 1 == 0 && self.reach(row, col) > 0).count();
        let most = self.most.saturating_sub(state.ended + state.active.len()).min(free);
        let choose = |ways: &mut usize, k: usize| {
            let now = *ways;
            *ways = ways.saturating_mul(free - k) / (k + 1);
            Some(now)
        };
        (0..=most).scan(1, choose).fold(0, usize::saturating_add)
    }

    /// Whether so many states can be had at all; asked before they are listed, since each would get a polynomial.
    fn afford(&self, states: usize) -> Result<(), OutOfReach> {
        self.stop.check()?;
        if states.saturating_mul(self.parts.len) > self.budget { Err(OutOfReach::Memory) } else { Ok(()) }
    }

    /// The numbers that both directions would hold if hits ruled out no state. A column is without a ship, or has one from any
    /// of the rows from which one reaches this row; so states are counted by elementary symmetric polynomials.
    fn forecast(&self) -> f64 {
        let states = |row: usize| {
            let mut ways = vec![0.0; self.most + 1];
            ways[0] = 1.0;
            for col in 0..self.board.cols {
                let from = (0..=row).filter(|&first| self.reach(first, col) > row - first).count() as f64;
                for ships in (1..=self.most).rev() {
                    ways[ships] += from * ways[ships - 1];
                }
            }
            ways.iter().enumerate().map(|(ships, ways)| ways * (self.most - ships + 1) as f64).sum::<f64>()
        };
        (0..self.board.rows).map(states).sum::<f64>() * (2 * (self.parts.len + STATE)) as f64
    }

    /// The state's polynomial in the layer, a new one if the budget allows it.
    fn slot<'l, N: Number>(&self, layer: &'l mut Layer<N>, state: State, held: &mut usize) -> Result<&'l mut Vec<N>, OutOfReach> {
        if !layer.contains_key(&state) {
            // There will be layers of the other direction too.
            *held += 2 * (self.parts.len + STATE);
            if *held > self.budget {
                return Err(OutOfReach::Memory);
            }
        }
        Ok(layer.entry(state).or_insert_with(|| vec![N::ZERO; self.parts.len]))
    }

    /// The polynomial of the row under each set of occupied columns that occurs.
    pub(crate) fn polynomials<N: Number>(&self, row: usize, inside: &Layer<N>) -> BTreeMap<u64, Vec<N>>
    where
        W: Weigh<N>,
    {
        let mut rows = BTreeMap::new();
        for occupied in inside.keys().map(State::occupied) {
            rows.entry(occupied).or_insert_with(|| self.row(row, occupied).polynomial());
        }
        rows
    }

    /// Sweeps up: the worth of each state that `down` came to.
    pub(crate) fn up<N: Number>(&self, down: &Layers<N>) -> Result<Layers<N>, Stopped>
    where
        W: Weigh<N>,
    {
        let rows = self.board.rows;
        let mut whole = vec![N::ZERO; self.parts.len];
        whole[self.parts.len - 1] = N::ONE;
        let last = down.above[rows].keys().map(|state| (state.clone(), whole.clone())).collect();
        let mut layers = Layers { above: vec![last], inside: vec![] };
        for row in (0..rows).rev() {
            let below = &layers.above[rows - 1 - row];
            let polynomials = self.polynomials(row, &down.inside[row]);
            let inside: Result<Layer<N>, Stopped> = down.inside[row]
                .keys()
                .map(|state| {
                    self.stop.check()?;
                    let mut worth = vec![N::ZERO; self.parts.len];
                    let after = self.worth_filled(row, state, below);
                    add_quotient(&mut worth, &after, &polynomials[&state.occupied()], self.parts);
                    Ok((state.clone(), worth))
                })
                .collect();
            let inside = inside?;
            let above = down.above[row].keys().map(|state| self.worth_above(row, state, &inside));
            layers.above.push(above.collect());
            layers.inside.push(inside);
        }
        layers.above.reverse();
        layers.inside.reverse();
        Ok(layers)
    }

    fn worth_above<N: Number>(&self, row: usize, state: &State, inside: &Layer<N>) -> (State, Vec<N>) {
        let mut worth = vec![N::ZERO; self.parts.len];
        for next in self.starts(row, state) {
            worth.iter_mut().zip(&inside[&next]).for_each(|(to, &n)| *to = to.plus(n));
        }
        (state.clone(), worth)
    }

    /// The worth of a state once the row's horizontal ships are in place.
    pub(crate) fn worth_filled<N: Number>(&self, row: usize, state: &State, below: &Layer<N>) -> Vec<N>
    where
        W: Weigh<N>,
    {
        let mut worth = vec![N::ZERO; self.parts.len];
        for end in self.endings(row, state) {
            if let Some(next) = below.get(&end.next) {
                let pairs = &self.parts.sums[end.part];
                add_unshifted(&mut worth, next, pairs, end.weight);
            }
        }
        worth
    }

    /// Adds what the ships on each cell are worth to `cells`, and returns the total.
    pub(crate) fn count<N: Number>(&self, cells: &mut [N]) -> Result<N, OutOfReach>
    where
        W: Weigh<N>,
    {
        if self.forecast() > DOUBT * self.budget as f64 {
            return Err(OutOfReach::Memory);
        }
        let down = self.down()?;
        let up = self.up(&down)?;
        for (row, cells) in cells.chunks_mut(self.board.cols).enumerate() {
            let mut worths = BTreeMap::new();
            for (state, ways) in &down.inside[row] {
                self.stop.check()?;
                let worth = dot(ways, &up.inside[row][state]);
                for &(col, _) in &state.active {
                    cells[col] = cells[col].plus(worth);
                }
                let after = self.worth_filled(row, state, &up.above[row + 1]);
                let slot = worths.entry(state.occupied()).or_insert_with(|| vec![N::ZERO; self.parts.len]);
                add_quotient(slot, &after, ways, self.parts);
            }
            for (occupied, worth) in worths {
                self.row(row, occupied).add_cells(&worth, cells);
            }
        }
        Ok(up.above[0][&State::default()][0])
    }
}

fn go_on<N>(mut way: Ending<N>, ship: (usize, usize)) -> Ending<N> {
    way.next.active.push(ship);
    way
}
