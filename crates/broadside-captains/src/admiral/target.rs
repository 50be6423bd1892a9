//! What a cell is worth while a ship is hit and afloat.
//!
//! Only placements through live hits count, so only the rows and columns with live hits are looked at.

use broadside_rules::{Orientation, Rules, Touch};
use pulp::Simd;

use super::hunt::times;
use super::line_counter::BLOCK;
use super::line_ships::{LONGEST, LineShips, Runs, ship};
use super::lines::{Line, LineCounts};
use super::parameters::{StageParameters, length_index};
use super::vectors::{Vectors, whole};
use crate::bits::Bits;
use crate::placements::open;
use crate::position::Position;

/// The factor in the weight of a placement for each live hit that it covers.
const WEIGHT_PER_HIT: f32 = 45.0;

/// A best candidate with a lead of so much of its score beyond what the hunt adds stays the best, whatever is rounded.
const LEAD: f32 = 1.0 - 0.0011;

/// What the placements of one length that cover the same number of live hits weigh; nothing where there are none.
#[derive(Clone, Copy, Debug, Default)]
struct Weight {
    /// Each of them.
    one: f32,
    /// Each of them, for all ships of the length together.
    all_ships: f32,
}

/// The scores while a ship is hit and afloat.
#[derive(Clone, Debug)]
pub(crate) struct Target {
    cols: usize,
    /// Whether no line has more than 16 cells, and no ship more than eight.
    short: bool,
    /// The lengths of the fleet, the shortest first.
    lengths: Vec<usize>,
    /// The number of groups of a class: by the live hits covered.
    slots: usize,
    weights: Vec<Weight>,
    /// How many placements there are of each class by the live hits covered, a byte each, where all scores are products.
    ships: Vec<u64>,
    /// The number of placements of each group where not, and of those through each cell, by cell and group; otherwise zero.
    groups: Vec<u32>,
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
    /// Where its ships are remembered, and the scores of its cells to fire at.
    slot: usize,
    scores: [f32; BLOCK],
}

impl LiveLine {
    fn new(line: Line, first: usize, stride: usize, is_row: bool) -> Self {
        Self { line, first, stride, is_row, slot: 0, scores: [0.0; BLOCK] }
    }
}

/// What is known before the hunt's scores are.
pub(crate) enum Outcome {
    /// This cell is the best one.
    Decided(usize),
    /// There are candidates, and the hunt's best cell would add so much.
    Open(f32),
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
        let (grid, longest) = (rules.grid(), rules.fleet().longest().get());
        let mut lengths: Vec<usize> = rules.fleet().classes().map(|(length, _)| length.get()).collect();
        lengths.sort_unstable();
        let slots = longest.max(LONGEST);
        let groups = lengths.len() * slots;
        Self {
            cols: grid.cols(),
            short: grid.rows().max(grid.cols()) <= BLOCK && longest <= LONGEST,
            slots,
            weights: vec![Weight::default(); groups],
            ships: vec![0; lengths.len()],
            groups: vec![0; groups],
            counts: vec![0; groups * grid.len()],
            candidates: Vec::new(),
            is_candidate: vec![false; grid.len()],
            simple: simple(rules),
            live: [vec![0; grid.rows()], vec![0; grid.cols()]],
            lines: Vec::new(),
            line_ships: LineShips::new(lengths.clone(), rules.touch() != Touch::Allowed),
            lengths,
        }
    }

    /// The cells that may belong to a ship that was hit, with their scores.
    pub(crate) fn candidates(&self) -> &[Candidate] {
        &self.candidates
    }

    /// Scores the candidates by the chance of a hit; all of them, or no more than it takes to find the best.
    #[inline(always)]
    pub(crate) fn compute<B: Bits, S: Simd>(
        &mut self,
        v: Vectors<S>,
        position: &Position<B>,
        lines: &LineCounts<B>,
        stage: &StageParameters,
        all: bool,
    ) -> Outcome {
        self.candidates.clear();
        self.weights.fill(Weight::default());
        let cols_hit = self.find_lines(position, lines);
        if !self.is_simple(position, cols_hit) || !self.look_up_lines() {
            return Outcome::Open(self.compute_by_cells(position, lines, stage));
        }
        let most = self.most_hits(position);
        let added = stage.hunt_share * self.weigh(position, lines, stage, most, (Self::ships_of_class, Self::ships_of));
        let best = self.score_lines(v);
        if !all && let Some(cell) = self.decided(v, best, added) {
            return Outcome::Decided(cell);
        }
        self.list_candidates();
        Outcome::Open(added)
    }

    /// Finds the rows and columns with live hits: rows first. Returns the columns.
    #[inline(always)]
    fn find_lines<B: Bits>(&mut self, position: &Position<B>, lines: &LineCounts<B>) -> u64 {
        let (mut hit, mut live) = ([0_u64; 2], position.live());
        while let Some(index) = live.take_first() {
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
                self.lines.push(LiveLine::new(Line { open, live, hits: 0 }, first, stride, orientation == 0));
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
        // The bytes that count placements don't run over on so few lines.
        let mut simple = self.short && self.lines.len() < BLOCK;
        for LiveLine { line, is_row, .. } in &self.lines {
            simple &= !is_row || line.open & !line.live & cols_hit == 0;
        }
        for (class, &(_, ships)) in position.left().all_classes().iter().rev().enumerate() {
            simple &= self.simple[class][ships];
        }
        simple
    }

    /// Looks up the ships of all lines, and counts them. Returns whether they are all at hand.
    #[inline(always)]
    fn look_up_lines(&mut self) -> bool {
        self.ships.fill(0);
        let listed = self.line_ships.listed();
        for line in &mut self.lines {
            let (within_reach, moved) = self.line_ships.within_reach(line.line);
            line.first += moved * line.stride;
            line.line = within_reach;
            line.slot = self.line_ships.slot(within_reach);
            for (sum, ships) in self.ships.iter_mut().zip(self.line_ships.at(line.slot).ships) {
                *sum += ships;
            }
        }
        // What was listed for one line may have taken the place of another.
        listed == self.line_ships.listed()
    }

    /// The largest number of live hits that a placement with a cell to fire at covers.
    #[inline(always)]
    fn most_hits<B: Bits>(&self, position: &Position<B>) -> usize {
        let mut covered = 0;
        for ((ships, length), &(_, left)) in self.ships.iter().zip(&self.lengths).zip(position.left().all_classes().iter().rev())
        {
            let partly = ships & ((1 << (8 * (length - 1))) - 1);
            covered |= if left > 0 { partly } else { 0 };
        }
        (u64::BITS - covered.leading_zeros()).div_ceil(8) as usize
    }

    /// The number of placements of a class: the sum of its bytes, which doesn't run over on so few lines.
    #[inline(always)]
    fn ships_of_class(&self, class: usize) -> u32 {
        (self.ships[class].wrapping_mul(u64::MAX / 255) >> 56) as u32
    }

    /// The number of placements of a group.
    #[inline(always)]
    fn ships_of(&self, group: usize) -> u32 {
        (self.ships[group / LONGEST] >> (8 * (group % LONGEST))) as u32 & 0xff
    }

    /// Scores the cells of all lines. Returns the highest score.
    #[inline(always)]
    fn score_lines<S: Simd>(&mut self, v: Vectors<S>) -> f32 {
        let mut best = v.all(0.0);
        for line in &mut self.lines {
            let parts = self.line_ships.at(line.slot).parts;
            for (i, scores) in v.of_mut(&mut line.scores).iter_mut().enumerate() {
                let mut sum = v.all(0.0);
                for part in parts {
                    sum = v.add(sum, v.mul(v.of(&part.counts)[i], v.all(self.weights[part.group].all_ships)));
                }
                *scores = sum;
                best = v.max(best, sum);
            }
        }
        v.0.reduce_max_f32s(best)
    }

    /// The cell with the highest score, if it stays the best whatever the hunt adds: at most this much, and a rounding.
    #[inline(always)]
    fn decided<S: Simd>(&self, v: Vectors<S>, best: f32, added: f32) -> Option<usize> {
        let least = v.all((best * LEAD - added).max(f32::MIN_POSITIVE));
        let (mut near, mut place) = (v.all(0.0), v.all(0.0));
        for (number, line) in self.lines.iter().enumerate() {
            let places = v.of(&PLACES.0[number % BLOCK]);
            for (scores, places) in v.of(&line.scores).iter().zip(places) {
                near = v.add(near, v.where_not_less(*scores, least, v.all(1.0), v.all(0.0)));
                place = v.max(place, v.where_not_less(*scores, least, *places, v.all(0.0)));
            }
        }
        if whole(v.0.reduce_sum_f32s(near)) != 1 || added < 0.0 {
            return None;
        }
        let place = whole(v.0.reduce_max_f32s(place));
        let line = &self.lines[place / BLOCK];
        Some(line.first + place % BLOCK * line.stride)
    }

    /// Lists the cells with scores.
    #[inline(always)]
    fn list_candidates(&mut self) {
        for line in &self.lines {
            let mut cells = line.line.open & !line.line.live;
            while cells != 0 {
                let i = cells.trailing_zeros() as usize % BLOCK;
                cells &= cells - 1;
                if line.scores[i] != 0.0 {
                    self.candidates.push(Candidate { cell: line.first + i * line.stride, score: line.scores[i] });
                }
            }
        }
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

    /// Scores the candidates cell by cell. Returns what the hunt's best cell would add.
    #[inline(never)]
    fn compute_by_cells<B: Bits>(&mut self, position: &Position<B>, lines: &LineCounts<B>, stage: &StageParameters) -> f32 {
        self.groups.fill(0);
        for i in 0..self.lines.len() {
            self.add_line(position, self.lines[i], lines.keep_apart());
        }
        let classes = || self.lengths.iter().zip(position.left().all_classes().iter().rev()).enumerate();
        // A placement all of hits has no cell to fire at.
        let has = |hits: usize| {
            classes().any(|(class, (&length, &(_, ships)))| {
                ships > 0 && hits < length && self.groups[class * self.slots + hits - 1] > 0
            })
        };
        let most = (1..self.slots).rev().find(|&hits| has(hits)).unwrap_or(0);
        let of_class = |target: &Self, class: usize| target.groups[class * target.slots..][..target.slots].iter().sum();
        let all = self.weigh(position, lines, stage, most, (of_class, |target: &Self, group: usize| target.groups[group]));
        self.score(position);
        stage.hunt_share * all
    }

    /// Counts the placements along a line that cover live hits.
    fn add_line<B: Bits>(
        &mut self,
        position: &Position<B>,
        LiveLine { line, first, stride, is_row, .. }: LiveLine,
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
        let group = class * self.slots + (ship & line.live).count_ones() as usize - 1;
        self.groups[group] += 1;
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

    /// Finds the weight of each group, given how many placements each class has, how many each group, and the most live hits that any
    /// covers. Returns the weight of all placements together.
    #[inline(always)]
    fn weigh<B: Bits>(
        &mut self,
        position: &Position<B>,
        lines: &LineCounts<B>,
        stage: &StageParameters,
        most: usize,
        (count_class, count): (impl Fn(&Self, usize) -> u32, impl Fn(&Self, usize) -> u32),
    ) -> f32 {
        let mut all = 0.0;
        for (class, &(length, ships)) in position.left().all_classes().iter().rev().enumerate() {
            let (first, through_hits) = (class * self.slots, count_class(self, class));
            if through_hits == 0 || ships == 0 {
                continue;
            }
            let places = (lines.places(class) + through_hits) as f32;
            let mut weight = stage.target_length[length_index(length)] * places / (places + stage.target_few);
            for hits in (1..=most).rev() {
                self.weights[first + hits - 1] = Weight { one: weight, all_ships: ships as f32 * weight };
                weight /= WEIGHT_PER_HIT;
            }
            for group in first..first + most.min(length - 1) {
                all += self.weights[group].one * (count(self, group) * ships as u32) as f32;
            }
        }
        all
    }

    /// Adds up the weights of the placements through each candidate, and forgets their counts.
    fn score<B: Bits>(&mut self, position: &Position<B>) {
        let left = position.left().all_classes();
        for candidate in &mut self.candidates {
            let counts = &mut self.counts[candidate.cell * self.weights.len()..][..self.weights.len()];
            for (group, (count, weight)) in counts.iter_mut().zip(&self.weights).enumerate() {
                if *count > 0 {
                    let ships = left[left.len() - 1 - group / self.slots].1;
                    candidate.score += times(u32::from(*count) * ships as u32, weight.one);
                    *count = 0;
                }
            }
            self.is_candidate[candidate.cell] = false;
        }
    }
}

/// Numbers of cells, each line of them in one line of the cache.
#[repr(align(64))]
struct Places([[f32; BLOCK]; BLOCK]);

/// For each cell of up to sixteen lines, its number.
static PLACES: Places = {
    let mut places = [[0.0; BLOCK]; BLOCK];
    let mut place = 0;
    while place < BLOCK * BLOCK {
        places[place / BLOCK][place % BLOCK] = place as f32;
        place += 1;
    }
    Places(places)
};

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
