//! What a cell is worth while a ship is hit and afloat.
//!
//! Only placements through live hits count, so only the rows and columns with live hits are looked at.

use broadside_rules::Rules;

use super::hunt::times;
use super::lines::{BLOCK, Line, LineCounts, Runs, short_counts};
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
    /// The number of groups of a class: by the live hits covered, from none to all of the longest ship.
    slots: usize,
    groups: Vec<Group>,
    /// The groups that have a cell to fire at, in the order of their scores.
    used: Vec<usize>,
    /// The number of placements through each cell, by cell and group.
    counts: Vec<u8>,
    /// The cells that any of them go through, each once.
    candidates: Vec<Candidate>,
    /// Whether a cell is among them.
    is_candidate: Vec<bool>,
    /// By class and number of ships left, whether the score of any placements along one line is a product.
    simple: Vec<Vec<bool>>,
    /// The placements of each group on each line, line by line.
    parts: Vec<Part>,
}

/// Placements of one group on one line.
#[derive(Clone, Copy, Debug)]
struct Part {
    group: usize,
    length: usize,
    starts: u64,
}

/// The rows and columns with live hits, a bit for each.
#[derive(Clone, Copy)]
struct LiveLines([u64; 2]);

impl LiveLines {
    #[inline(always)]
    fn new<B: Bits>(position: &Position<B>) -> Self {
        let (mut lines, mut live) = ([0; 2], position.live());
        while let Some(index) = live.first() {
            live &= !B::only(index);
            let cell = position.board().cell(index);
            lines[0] |= 1 << cell.row();
            lines[1] |= 1 << cell.col();
        }
        Self(lines)
    }

    /// Takes out the next line: rows first.
    #[inline(always)]
    fn next(&mut self) -> Option<(usize, usize)> {
        let orientation = usize::from(self.0[0] == 0);
        let number = self.0[orientation].trailing_zeros() as usize;
        self.0[orientation] &= self.0[orientation].wrapping_sub(1);
        (number < 64).then_some((orientation, number))
    }
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
            slots,
            groups: vec![Group::default(); groups],
            used: Vec::new(),
            counts: vec![0; groups * cells],
            candidates: Vec::new(),
            is_candidate: vec![false; cells],
            simple: simple(rules),
            parts: Vec::new(),
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
        let lines_hit = LiveLines::new(position);
        if self.is_simple(position, lines, lines_hit) {
            return self.compute_by_lines(position, lines, stage, lines_hit);
        }
        let mut rest = lines_hit;
        while let Some((orientation, number)) = rest.next() {
            self.add_line(position, lines, orientation, number);
        }
        let all = self.weigh(position, lines, stage);
        self.score();
        stage.hunt_share * all
    }

    /// Whether the lines with live hits are short, meet in no cell to fire at, and have only products for scores.
    #[inline(always)]
    fn is_simple<B: Bits>(&self, position: &Position<B>, lines: &LineCounts<B>, lines_hit: LiveLines) -> bool {
        let mut simple = lines.short();
        let mut rows = lines_hit.0[0];
        while rows != 0 {
            let row = lines.line(0, rows.trailing_zeros() as usize);
            rows &= rows - 1;
            simple &= row.open & !row.live & lines_hit.0[1] == 0;
        }
        for (class, &(_, ships)) in position.left().all_classes().iter().rev().enumerate() {
            simple &= self.simple[class][ships];
        }
        simple
    }

    /// The same as [`Target::compute`], line by line.
    #[inline(always)]
    fn compute_by_lines<B: Bits>(
        &mut self,
        position: &Position<B>,
        lines: &LineCounts<B>,
        stage: &StageParameters,
        lines_hit: LiveLines,
    ) -> f32 {
        self.parts.clear();
        let mut rest = lines_hit;
        while let Some((orientation, number)) = rest.next() {
            self.add_parts(position, lines.line(orientation, number), lines.keep_apart());
        }
        let all = self.weigh(position, lines, stage);
        let (mut rest, mut parts) = (lines_hit, 0);
        while let Some((orientation, number)) = rest.next() {
            parts = self.score_line(lines.line(orientation, number), orientation, number, parts);
        }
        stage.hunt_share * all
    }

    /// Sorts the placements along a line by the number of live hits that they cover.
    #[inline(always)]
    fn add_parts<B: Bits>(&mut self, position: &Position<B>, line: Line, keep_apart: bool) {
        let mut runs = Runs::new(line.open, line.hits, keep_apart);
        for (class, &(length, ships)) in position.left().all_classes().iter().rev().enumerate() {
            if ships == 0 {
                continue;
            }
            let mut starts = runs.starts(length);
            // By number, the ships that cover more live hits than that.
            let (mut through, mut hits_left) = ([0_u64; BLOCK + 1], line.live);
            while hits_left != 0 {
                let reach = (u64::MAX >> (64 - length)) << hits_left.trailing_zeros() >> (length - 1);
                hits_left &= hits_left - 1;
                for hits in (1..length).rev() {
                    through[hits] |= through[hits - 1] & reach;
                }
                through[0] |= reach;
            }
            starts &= through[0];
            let mut hits = 1;
            while starts != 0 {
                let more = starts & through[hits];
                let (group, starts_here) = (class * self.slots + hits, starts & !more);
                if starts_here != 0 {
                    self.groups[group].count += starts_here.count_ones();
                    self.parts.push(Part { group, length, starts: starts_here });
                }
                (starts, hits) = (more, hits + 1);
            }
        }
        // The end of the line.
        self.parts.push(Part { group: usize::MAX, length: 0, starts: 0 });
    }

    /// Scores the cells of a line by its parts, from this one on. Returns the number of the part after them.
    #[inline(always)]
    fn score_line(&mut self, line: Line, orientation: usize, number: usize, mut part: usize) -> usize {
        let mut scores = [0.0; BLOCK];
        while self.parts[part].group != usize::MAX {
            let Part { group, length, starts } = self.parts[part];
            let (counts, group) = (short_counts(starts, length), self.groups[group]);
            let weight = group.ships as f32 * group.weight;
            for i in 0..BLOCK {
                scores[i] += f32::from(counts[i]) * weight;
            }
            part += 1;
        }
        let (first, stride) = if orientation == 0 { (number * self.cols, 1) } else { (number, self.cols) };
        let mut cells = line.open & !line.live;
        while cells != 0 {
            let i = cells.trailing_zeros() as usize;
            cells &= cells - 1;
            if scores[i] != 0.0 {
                self.candidates.push(Candidate { cell: first + i * stride, score: scores[i] });
            }
        }
        part + 1
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
            self.is_candidate[candidate.cell] = false;
            self.counts[candidate.cell * self.groups.len()..][..self.groups.len()].fill(0);
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
            self.counts[cell * self.groups.len() + group] += 1;
            if !self.is_candidate[cell] {
                self.is_candidate[cell] = true;
                self.candidates.push(Candidate { cell, score: 0.0 });
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
            let counts = &self.counts[candidate.cell * self.groups.len()..][..self.groups.len()];
            for &group in &self.used {
                let Group { ships, weight, .. } = self.groups[group];
                candidate.score += times(u32::from(counts[group]) * ships, weight);
            }
        }
    }
}

/// By class and number of ships left, whether the score of any placements along one line is a product: whether no number of
/// placements has more than two bits, so that there is one rounding. Ships of length one take part in no line.
fn simple(rules: &Rules) -> Vec<Vec<bool>> {
    let mut classes: Vec<_> = rules.fleet().classes().map(|(length, ships)| (length.get(), ships as u32)).collect();
    classes.reverse();
    let is_simple = |length: usize, ships: u32| {
        let few_bits = (0..=length as u32).all(|count| (count * ships).count_ones() <= 2);
        ships == 0 || (length > 1 && length <= BLOCK && ships.is_power_of_two() && few_bits)
    };
    classes.into_iter().map(|(length, ships)| (0..=ships).map(|ships| is_simple(length, ships)).collect()).collect()
}
