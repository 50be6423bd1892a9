//! What a cell is worth while a ship is hit and afloat.
//!
//! Only placements through live hits count, so only the rows and columns with live hits are looked at.

use broadside_rules::{Orientation, Rules, Touch};
use pulp::Simd;

use super::hunt::times;
use super::line_counter::BLOCK;
use super::line_ships::{LineShips, Runs, ship};
use super::lines::{Line, LineCounts};
use super::parameters::{StageParameters, length_index};
use super::vectors::Vectors;
use crate::bits::Bits;
use crate::placements::open;
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
    /// Whether no line has more than 16 cells.
    short: bool,
    /// The number of groups of a class: by the live hits covered, from none to all of the longest ship.
    slots: usize,
    groups: Vec<Group>,
    /// The number of placements through each cell, by cell and group, where lines with live hits meet; elsewhere zero.
    counts: Vec<u8>,
    /// The cells that any of them go through, each once.
    candidates: Vec<Candidate>,
    /// Whether a cell is among those with counts.
    is_candidate: Vec<bool>,
    /// By class and number of ships left, whether the score of any placements along one line is a product.
    simple: Vec<Vec<bool>>,
    /// The live hits of each row and column while lines are made; otherwise empty.
    live: [Vec<u64>; 2],
    /// The rows and columns with live hits.
    lines: Vec<LiveLine>,
    line_ships: LineShips,
}

/// A row or a column with live hits.
#[derive(Clone, Copy, Debug)]
struct LiveLine {
    line: Line,
    /// Its first cell, and how far it is from a cell to the next.
    first: usize,
    stride: usize,
    is_row: bool,
}

/// A cell that may belong to a ship that was hit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate {
    pub(crate) cell: usize,
    pub(crate) score: f32,
}

impl Candidate {
    /// A number that is larger for a higher score above zero and, of equal scores, for the first cell.
    #[inline(always)]
    pub(crate) fn key(self) -> i64 {
        i64::from(self.score.to_bits().cast_signed()) << 16 | (0xffff ^ self.cell).cast_signed() as i64
    }

    /// The candidate with this key.
    #[inline(always)]
    pub(crate) fn of_key(key: i64) -> Self {
        let key = key.cast_unsigned();
        Self { cell: (key & 0xffff ^ 0xffff) as usize, score: f32::from_bits((key >> 16) as u32) }
    }
}

impl Target {
    pub(crate) fn new(rules: &Rules) -> Self {
        let (grid, slots) = (rules.grid(), rules.fleet().longest().get() + 1);
        let mut lengths: Vec<usize> = rules.fleet().classes().map(|(length, _)| length.get()).collect();
        lengths.sort_unstable();
        let groups = lengths.len() * slots;
        Self {
            cols: grid.cols(),
            short: grid.rows().max(grid.cols()) <= BLOCK,
            slots,
            groups: vec![Group::default(); groups],
            counts: vec![0; groups * grid.len()],
            candidates: Vec::new(),
            is_candidate: vec![false; grid.len()],
            simple: simple(rules),
            live: [vec![0; grid.rows()], vec![0; grid.cols()]],
            lines: Vec::new(),
            line_ships: LineShips::new(lengths, slots, rules.touch() != Touch::Allowed),
        }
    }

    /// The cells that may belong to a ship that was hit, with their scores.
    pub(crate) fn candidates(&self) -> &[Candidate] {
        &self.candidates
    }

    /// Scores the candidates by the chance of a hit. Returns what the hunt's best cell would add.
    #[inline(always)]
    pub(crate) fn compute<B: Bits, S: Simd>(
        &mut self,
        v: Vectors<S>,
        position: &Position<B>,
        lines: &LineCounts<B>,
        stage: &StageParameters,
    ) -> f32 {
        self.candidates.clear();
        self.groups.fill(Group::default());
        let cols_hit = self.find_lines(position, lines);
        if self.is_simple(position, cols_hit) {
            return self.compute_by_lines(v, position, lines, stage);
        }
        self.compute_by_cells(position, lines, stage)
    }

    /// Finds the rows and columns with live hits: rows first. Returns the columns.
    #[inline(always)]
    fn find_lines<B: Bits>(&mut self, position: &Position<B>, lines: &LineCounts<B>) -> u64 {
        let (mut hit, mut live) = ([0_u64; 2], position.live());
        while let Some(index) = live.first() {
            live &= !B::only(index);
            let cell = position.board().cell(index);
            self.live[0][cell.row()] |= 1 << cell.col();
            self.live[1][cell.col()] |= 1 << cell.row();
            hit[0] |= 1 << cell.row();
            hit[1] |= 1 << cell.col();
        }
        self.lines.clear();
        for (orientation, &lines_hit) in hit.iter().enumerate() {
            let mut rest = lines_hit;
            while rest != 0 {
                let number = rest.trailing_zeros() as usize;
                rest &= rest - 1;
                let (first, stride) = if orientation == 0 { (number * self.cols, 1) } else { (number, self.cols) };
                let live = std::mem::take(&mut self.live[orientation][number]);
                let open = lines.free_on(orientation, number) | live;
                self.lines.push(LiveLine { line: Line { open, live, hits: 0 }, first, stride, is_row: orientation == 0 });
            }
        }
        if lines.keep_apart() {
            self.look_around_hits(position);
        }
        hit[1]
    }

    /// Where ships keep apart, what is open depends on the orientation and on hits.
    fn look_around_hits<B: Bits>(&mut self, position: &Position<B>) {
        let open = [open(position, Orientation::Vertical), open(position, Orientation::Horizontal)];
        let cells = position.board().grid().len();
        for line in &mut self.lines {
            let open = open[usize::from(line.is_row)];
            let end = if line.is_row { line.first + self.cols } else { cells };
            (line.line.open, line.line.hits) = (0, 0);
            for (bit, index) in (line.first..end).step_by(line.stride).enumerate() {
                line.line.open |= u64::from(open.has(index)) << bit;
                line.line.hits |= u64::from(position.hits().has(index)) << bit;
            }
        }
    }

    /// Whether the lines with live hits are short, meet in no cell to fire at, and have only products for scores.
    #[inline(always)]
    fn is_simple<B: Bits>(&self, position: &Position<B>, cols_hit: u64) -> bool {
        let mut simple = self.short;
        for LiveLine { line, is_row, .. } in &self.lines {
            simple &= !is_row || line.open & !line.live & cols_hit == 0;
        }
        for (class, &(_, ships)) in position.left().all_classes().iter().rev().enumerate() {
            simple &= self.simple[class][ships];
        }
        simple
    }

    /// Scores the candidates line by line.
    #[inline(always)]
    fn compute_by_lines<B: Bits, S: Simd>(
        &mut self,
        v: Vectors<S>,
        position: &Position<B>,
        lines: &LineCounts<B>,
        stage: &StageParameters,
    ) -> f32 {
        for LiveLine { line, .. } in &self.lines {
            for part in self.line_ships.parts(*line) {
                self.groups[part.group].count += part.ships;
            }
        }
        let all = self.weigh(position, lines, stage);
        for &LiveLine { line, first, stride, .. } in &self.lines {
            let (mut scores, mut cells) = ([0.0; BLOCK], 0);
            for part in self.line_ships.parts(line) {
                let group = self.groups[part.group];
                cells |= if group.ships > 0 { part.cells } else { 0 };
                let weight = v.all(group.ships as f32 * group.weight);
                let (scores, counts) = (v.of_mut(&mut scores), v.of(&part.counts));
                for i in 0..counts.len() {
                    scores[i] = v.add(scores[i], v.mul(counts[i], weight));
                }
            }
            while cells != 0 {
                let i = cells.trailing_zeros() as usize % BLOCK;
                cells &= cells - 1;
                self.candidates.push(Candidate { cell: first + i * stride, score: scores[i] });
            }
        }
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

    /// Scores the candidates cell by cell.
    #[inline(never)]
    fn compute_by_cells<B: Bits>(&mut self, position: &Position<B>, lines: &LineCounts<B>, stage: &StageParameters) -> f32 {
        for i in 0..self.lines.len() {
            self.add_line(position, self.lines[i], lines.keep_apart());
        }
        let all = self.weigh(position, lines, stage);
        self.score();
        stage.hunt_share * all
    }

    /// Counts the placements along a line that cover live hits.
    fn add_line<B: Bits>(
        &mut self,
        position: &Position<B>,
        LiveLine { line, first, stride, is_row }: LiveLine,
        keep_apart: bool,
    ) {
        let mut all = Runs::new(line.open, line.hits, keep_apart);
        for (class, &(length, ships)) in position.left().all_classes().iter().rev().enumerate() {
            // A single cell has no orientation; it counts as horizontal.
            if ships == 0 || (length == 1 && !is_row) {
                continue;
            }
            let mut starts = all.starts(length);
            while starts != 0 {
                let cells = ship(length) << starts.trailing_zeros();
                starts &= starts - 1;
                if cells & line.live != 0 {
                    self.add_ship(line, cells, class, (first, stride));
                }
            }
        }
    }

    /// Counts one placement.
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
        let classes = position.left().all_classes().iter().rev();
        let mut most = 0;
        for (of_class, &(length, ships)) in self.groups.chunks(self.slots).zip(classes.clone()) {
            // A placement all of hits has no cell to fire at.
            for (hits, group) in of_class.iter().enumerate().take(length).skip(1) {
                most = if ships > 0 && group.count > 0 && hits > most { hits } else { most };
            }
        }
        let mut all = 0.0;
        for ((class, of_class), &(length, ships)) in self.groups.chunks_mut(self.slots).enumerate().zip(classes) {
            let through_hits = of_class.iter().map(|group| group.count).sum::<u32>();
            if through_hits == 0 || ships == 0 {
                continue;
            }
            let places = (lines.places(class) + through_hits) as f32;
            let weight = stage.target_length[length_index(length)] * places / (places + stage.target_few);
            for (hits, group) in of_class.iter_mut().enumerate().take(length.min(most + 1)).skip(1) {
                if group.count > 0 {
                    let mut weight = weight;
                    for _ in hits..most {
                        weight /= WEIGHT_PER_HIT;
                    }
                    (group.ships, group.weight) = (ships as u32, weight);
                    all += weight * (group.count * group.ships) as f32;
                }
            }
        }
        all
    }

    /// Adds up the weights of the placements through each candidate, and forgets their counts.
    fn score(&mut self) {
        for candidate in &mut self.candidates {
            let counts = &mut self.counts[candidate.cell * self.groups.len()..][..self.groups.len()];
            for (count, group) in counts.iter_mut().zip(&self.groups) {
                if group.ships > 0 {
                    candidate.score += times(u32::from(*count) * group.ships, group.weight);
                }
                *count = 0;
            }
            self.is_candidate[candidate.cell] = false;
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
