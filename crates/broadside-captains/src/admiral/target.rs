//! What a cell is worth while a ship is hit and afloat.
//!
//! Only placements through live hits count, so only the rows and columns with live hits are looked at.

use broadside_rules::Rules;

use super::lines::{Line, LineCounts, Runs};
use super::parameters::{StageParameters, length_index};
use crate::bits::Bits;
use crate::position::Position;

/// The factor in the weight of a placement for each live hit that it covers.
const WEIGHT_PER_HIT: f32 = 45.0;

/// The placements of one length that cover the same number of live hits.
#[derive(Clone, Copy, Debug, Default)]
struct Group {
    count: u32,
    ships: u32,
    weight: f32,
}

/// The scores while a ship is hit and afloat.
#[derive(Clone, Debug)]
pub(crate) struct Target {
    cols: usize,
    cells: usize,
    /// The number of groups of a class: by the live hits covered, from none to all of the longest ship.
    slots: usize,
    groups: Vec<Group>,
    /// The groups that have a cell to fire at, in the order of their scores.
    used: Vec<usize>,
    /// The number of placements through each cell, by group and cell.
    counts: Vec<u8>,
    /// The cells that any of them go through, each once.
    candidates: Vec<Candidate>,
    /// Where a cell stands among the candidates, plus one.
    places: Vec<u16>,
}

/// A cell that may belong to a ship that was hit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate {
    pub(crate) cell: usize,
    pub(crate) score: f32,
}

impl Target {
    pub(crate) fn new(rules: &Rules) -> Self {
        let (cells, slots) = (rules.grid().len(), rules.fleet().longest().get() + 1);
        let groups = rules.fleet().classes().count() * slots;
        Self {
            cols: rules.grid().cols(),
            cells,
            slots,
            groups: vec![Group::default(); groups],
            used: Vec::new(),
            counts: vec![0; groups * cells],
            candidates: Vec::new(),
            places: vec![0; cells],
        }
    }

    /// The cells that may belong to a ship that was hit, with their scores.
    pub(crate) fn candidates(&self) -> &[Candidate] {
        &self.candidates
    }

    /// Scores the candidates by the chance of a hit. Returns what the hunt's best cell would add.
    #[inline(always)]
    pub(crate) fn compute<B: Bits>(&mut self, position: &Position<B>, lines: &LineCounts<B>, stage: &StageParameters) -> f32 {
        self.clear();
        let (mut rows, mut cols) = (0_u64, 0_u64);
        let mut live = position.live();
        while let Some(index) = live.first() {
            live &= !B::only(index);
            let cell = position.board().cell(index);
            rows |= 1 << cell.row();
            cols |= 1 << cell.col();
        }
        for (orientation, mut numbers) in [rows, cols].into_iter().enumerate() {
            while numbers != 0 {
                let number = numbers.trailing_zeros() as usize;
                numbers &= numbers - 1;
                self.add_line(position, lines, orientation, number);
            }
        }
        let all = self.weigh(position, lines, stage);
        self.score();
        stage.hunt_share * all
    }

    /// Adds the hunt's scores to those of the candidates, so many times.
    #[inline(always)]
    pub(crate) fn add_hunt_share(&mut self, times: f32, hunt: impl Fn(usize) -> f32) {
        for candidate in &mut self.candidates {
            if candidate.score > 0.0 {
                candidate.score += times * hunt(candidate.cell);
            }
        }
    }

    /// Forgets the placements of the last position.
    #[inline(always)]
    fn clear(&mut self) {
        for candidate in &self.candidates {
            self.places[candidate.cell] = 0;
            for &group in &self.used {
                self.counts[group * self.cells + candidate.cell] = 0;
            }
        }
        self.candidates.clear();
        self.used.clear();
        self.groups.fill(Group::default());
    }

    /// Counts the placements along a line that cover live hits.
    #[inline(always)]
    fn add_line<B: Bits>(&mut self, position: &Position<B>, lines: &LineCounts<B>, orientation: usize, number: usize) {
        let line = lines.line(orientation, number);
        let (first, stride) = if orientation == 0 { (number * self.cols, 1) } else { (number, self.cols) };
        let mut all = Runs::new(line.open, line.hits, lines.keep_apart());
        let mut hidden = Runs::new(line.open & !line.live, line.hits, lines.keep_apart());
        for (class, &(length, ships)) in position.left().all_classes().iter().rev().enumerate() {
            // A single cell has no orientation; it counts as horizontal.
            if ships == 0 || (length == 1 && orientation == 1) {
                continue;
            }
            let mut starts = all.starts(length) & !hidden.starts(length);
            while starts != 0 {
                let ship = (u64::MAX >> (64 - length)) << starts.trailing_zeros();
                starts &= starts - 1;
                self.add_ship(line, ship, class, (first, stride));
            }
        }
    }

    /// Counts one placement.
    #[inline(always)]
    fn add_ship(&mut self, line: Line, ship: u64, class: usize, (first, stride): (usize, usize)) {
        let group = class * self.slots + (ship & line.live).count_ones() as usize;
        self.groups[group].count += 1;
        let mut rest = ship & !line.live;
        while rest != 0 {
            let cell = first + rest.trailing_zeros() as usize * stride;
            rest &= rest - 1;
            self.counts[group * self.cells + cell] += 1;
            if self.places[cell] == 0 {
                self.candidates.push(Candidate { cell, score: 0.0 });
                self.places[cell] = self.candidates.len() as u16;
            }
        }
    }

    /// Finds the weight of each group. Returns the weight of all placements together.
    #[inline(always)]
    fn weigh<B: Bits>(&mut self, position: &Position<B>, lines: &LineCounts<B>, stage: &StageParameters) -> f32 {
        let classes = position.left().all_classes();
        let mut most = 0;
        for (class, &(length, _)) in classes.iter().rev().enumerate() {
            // A placement all of hits has no cell to fire at.
            for hits in 1..length {
                let group = class * self.slots + hits;
                if self.groups[group].count > 0 {
                    self.used.push(group);
                    most = most.max(hits);
                }
            }
        }
        let mut all = 0.0;
        for i in 0..self.used.len() {
            let (class, hits) = (self.used[i] / self.slots, self.used[i] % self.slots);
            let (length, ships) = classes[classes.len() - 1 - class];
            let of_class = &self.groups[class * self.slots..][..self.slots];
            let places = (lines.places(class) + of_class.iter().map(|group| group.count).sum::<u32>()) as f32;
            let mut weight = stage.target_length[length_index(length)] * places / (places + stage.target_few);
            for _ in hits..most {
                weight /= WEIGHT_PER_HIT;
            }
            let group = &mut self.groups[self.used[i]];
            (group.ships, group.weight) = (ships as u32, weight);
            all += weight * (group.count * group.ships) as f32;
        }
        all
    }

    /// Adds up the weights of the placements through each candidate.
    #[inline(always)]
    fn score(&mut self) {
        for candidate in &mut self.candidates {
            for &group in &self.used {
                let Group { ships, weight, .. } = self.groups[group];
                let count = u32::from(self.counts[group * self.cells + candidate.cell]);
                candidate.score += times(count * ships, weight);
            }
        }
    }
}

/// The weight so many times: the sum of weight × 2^i over the bits i of the number, the lowest first.
#[inline(always)]
fn times(mut number: u32, mut weight: f32) -> f32 {
    let mut sum = 0.0;
    while number != 0 {
        if number & 1 == 1 {
            sum += weight;
        }
        number >>= 1;
        weight *= 2.0;
    }
    sum
}
