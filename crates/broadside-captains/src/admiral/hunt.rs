//! What a cell is worth while no ship is known.
//!
//! The scores are sums of floating-point numbers, and two cells may differ by a rounding. So every sum is made in one fixed
//! order, whatever the width of the processor's vectors: the captain's choices are the same on every machine.

use broadside_rules::{Orientation, Rules};

use super::lines::LineCounts;
use super::padding::Padding;
use super::parameters::{StageParameters, length_index};
use super::pattern::Patterns;
use crate::bits::Bits;
use crate::board::Board;
use crate::placements::hidden;
use crate::position::Position;

/// A cell keeps at least this part of its own placements, whatever lies around it.
const MIN_PART: f32 = 1e-3;

/// Seven placements.
const SEVEN: u32 = 7.0_f32.to_bits();

/// The best score is searched for in blocks of this many.
const SEARCH: usize = 16;

/// The scores while no ship is known. All arrays of numbers have a margin around the board.
#[derive(Clone, Debug)]
pub(crate) struct Hunt<B> {
    padding: Padding,
    patterns: Patterns<B>,
    /// How scores are summed up, by class and number of ships.
    sums: Vec<Vec<Sum>>,
    /// For each length and pattern, 1 on the pattern and 0 elsewhere.
    pattern_cells: Vec<Vec<Vec<f32>>>,
    /// No pattern.
    no_cells: Vec<f32>,
    /// The number of edges that each cell lies on, and of those that it lies one step from.
    edges: [Vec<f32>; 2],
    /// 1 for cells fired at; 1 for the others.
    fired: Vec<f32>,
    unfired: Vec<f32>,
    seen_fired: B,
    /// The placements through each cell, weighted.
    placements: Vec<f32>,
    factor: Vec<f32>,
    scores: Vec<f32>,
    /// The pattern in use.
    pattern: B,
}

/// How the score of `n` placements is found. It is the sum of weight × 2^i over the bits i of n, the lowest first.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Sum {
    /// No number has more than two bits, and there is one rounding, which the product has too.
    Product,
    /// The same but for seven placements.
    SevenApart,
    /// Anything else.
    Bits,
}

impl Sum {
    fn new(length: usize, ships: u32) -> Self {
        let numbers = || (0..=2 * length as u32).map(|count| count * ships);
        if !ships.is_power_of_two() {
            Self::Bits
        } else if numbers().all(|number| number.count_ones() <= 2) {
            Self::Product
        } else if ships == 1 && length <= 5 {
            Self::SevenApart
        } else {
            Self::Bits
        }
    }
}

/// The weight so many times: the sum of weight × 2^i over the bits i of the number, the lowest first.
#[inline(always)]
pub(crate) fn times(mut number: u32, mut weight: f32) -> f32 {
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

impl<B: Bits> Hunt<B> {
    pub(crate) fn new(rules: &Rules, board: &Board<B>) -> Self {
        let padding = Padding::new(rules.grid());
        let patterns = Patterns::new(board, rules.fleet().longest().get());
        let cells_of = |&pattern: &B| padded(padding, board, |index| f32::from(u8::from(pattern.has(index))));
        let (rows, cols) = (rules.grid().rows(), rules.grid().cols());
        let edges = |away: usize| {
            padded(padding, board, |index| {
                edges_at(board.cell(index).row(), rows, away) + edges_at(board.cell(index).col(), cols, away)
            })
        };
        Self {
            padding,
            pattern_cells: patterns.all().iter().map(|patterns| patterns.iter().map(cells_of).collect()).collect(),
            patterns,
            sums: sums(rules),
            no_cells: padding.zeros(),
            edges: [edges(0), edges(1)],
            fired: padding.zeros(),
            unfired: padded(padding, board, |_| 1.0),
            seen_fired: B::EMPTY,
            placements: padding.zeros(),
            factor: padding.zeros(),
            scores: padding.zeros(),
            pattern: B::EMPTY,
        }
    }

    /// The score of a cell not fired at, as computed last.
    #[inline(always)]
    pub(crate) fn score(&self, row: usize, col: usize) -> f32 {
        self.scores[self.padding.offset(row, col)]
    }

    /// The pattern as of the last computation.
    pub(crate) fn pattern(&self) -> B {
        self.pattern
    }

    /// Scores all cells. Returns the highest score of a cell not fired at, and the first cell that has it, if it is above zero.
    #[inline(always)]
    pub(crate) fn compute(
        &mut self,
        position: &Position<B>,
        lines: &LineCounts<B>,
        stage: &StageParameters,
    ) -> Option<(f32, usize)> {
        self.read_shots(position);
        self.add_placements(position, lines, stage);
        let pattern = self.choose_pattern(position, lines);
        let cells = pattern.map_or(&self.no_cells, |(length, number)| &self.pattern_cells[length - 1][number]);
        let start = self.padding.start();
        let weights = Weights { pattern: &cells[start..], pattern_part: stage.pattern, unfired: &self.unfired[start..] };
        let best = if stage.looks_at_shots() {
            factors(self.padding, &self.fired, &self.edges, stage, &mut self.factor);
            finish::<true>(self.padding, &self.placements, &self.factor, weights, stage, &mut self.scores)
        } else {
            finish::<false>(self.padding, &self.placements, &self.no_cells, weights, stage, &mut self.scores)
        };
        (best > 0).then(|| (f32::from_bits(best.cast_unsigned()), self.find(best)))
    }

    /// Takes over the cells fired at.
    #[inline(always)]
    fn read_shots(&mut self, position: &Position<B>) {
        let mut changed = position.fired() ^ self.seen_fired;
        while let Some(index) = changed.first() {
            changed &= !B::only(index);
            let cell = position.board().cell(index);
            let place = self.padding.start() + self.padding.offset(cell.row(), cell.col());
            let fired = f32::from(u8::from(position.fired().has(index)));
            self.fired[place] = fired;
            self.unfired[place] = 1.0 - fired;
        }
        self.seen_fired = position.fired();
    }

    /// Adds up the placements through each cell, each length times its weight, the shortest first.
    #[inline(always)]
    #[allow(clippy::cast_sign_loss)]
    fn add_placements(&mut self, position: &Position<B>, lines: &LineCounts<B>, stage: &StageParameters) {
        let mut first = true;
        let left = position.left().all_classes().iter().rev();
        for (number, &(length, ships)) in left.enumerate() {
            let places = lines.places(number);
            if ships == 0 || places == 0 {
                continue;
            }
            let n = places as f32;
            let weight = stage.length[length_index(length)] * n / (n + stage.few);
            let to = &mut self.placements[self.padding.start()..];
            let counts = lines.counts(number);
            match self.sums[number][ships] {
                Sum::Product => add(counts, first, to, |count| count * (ships as f32 * weight)),
                Sum::SevenApart => {
                    let seven = times(7, weight);
                    add(counts, first, to, |count| if count.to_bits() == SEVEN { seven } else { count * weight });
                }
                Sum::Bits => add(counts, first, to, |count| times(count as u32 * ships as u32, weight)),
            }
            first = false;
        }
        if first {
            self.placements.fill(0.0);
        }
    }

    /// The pattern for the shortest ship that can still hide, by its length and number.
    #[inline(always)]
    fn choose_pattern(&mut self, position: &Position<B>, lines: &LineCounts<B>) -> Option<(usize, usize)> {
        self.pattern = B::EMPTY;
        let mut left = position.left().all_classes().iter().rev().enumerate();
        let (_, &(length, _)) = left.find(|&(number, &(_, ships))| ships > 0 && lines.places(number) > 0)?;
        let (board, bows) = (position.board(), hidden(position, length));
        let covered = board.covered(bows.horizontal, length, Orientation::Horizontal)
            | board.covered(bows.vertical, length, Orientation::Vertical);
        let (number, pattern) = self.patterns.fewest_left(length, covered & position.unfired());
        self.pattern = pattern & position.unfired();
        Some((length, number))
    }

    /// The first cell with this score, given as bits.
    #[inline(always)]
    fn find(&self, bits: i32) -> usize {
        let block = |scores: &[f32]| scores.iter().fold(false, |found, score| found | (score.to_bits().cast_signed() == bits));
        let scores = &self.scores[..self.padding.span()];
        let from = scores.chunks(SEARCH).position(block).unwrap_or(0) * SEARCH;
        let offset = from + scores[from..].iter().position(|score| score.to_bits().cast_signed() == bits).unwrap_or(0);
        self.padding.cell(offset)
    }
}

/// How scores are summed up, by class (the shortest first) and number of ships.
fn sums(rules: &Rules) -> Vec<Vec<Sum>> {
    let mut classes: Vec<_> = rules.fleet().classes().collect();
    classes.reverse();
    let of_class =
        |(length, ships): (broadside_rules::Length, usize)| (0..=ships as u32).map(move |ships| Sum::new(length.get(), ships));
    classes.into_iter().map(|class| of_class(class).collect()).collect()
}

/// An array with a margin, with a number for each cell.
fn padded<B: Bits>(padding: Padding, board: &Board<B>, number: impl Fn(usize) -> f32) -> Vec<f32> {
    let mut numbers = padding.zeros();
    for index in 0..board.grid().len() {
        let cell = board.cell(index);
        numbers[padding.start() + padding.offset(cell.row(), cell.col())] = number(index);
    }
    numbers
}

/// How many of the two ends lie so far away.
fn edges_at(place: usize, size: usize, away: usize) -> f32 {
    f32::from(u8::from(place == away) + u8::from(place + away + 1 == size))
}

/// Adds the score of the placements of one length through each cell, or writes it if it is the first.
#[inline(always)]
fn add([horizontal, vertical]: [&[f32]; 2], first: bool, to: &mut [f32], score: impl Fn(f32) -> f32) {
    let (span, to) = (horizontal.len(), &mut to[..horizontal.len()]);
    let vertical = &vertical[..span];
    if first {
        for i in 0..span {
            to[i] = score(horizontal[i] + vertical[i]);
        }
    } else {
        for i in 0..span {
            to[i] += score(horizontal[i] + vertical[i]);
        }
    }
}

/// What a score is multiplied by: more on the pattern, nothing for cells fired at.
#[derive(Clone, Copy)]
struct Weights<'a> {
    pattern: &'a [f32],
    pattern_part: f32,
    unfired: &'a [f32],
}

/// The numbers around each cell, ring by ring: an array for each direction.
struct Around<'a> {
    beside: [&'a [f32]; 4],
    corner: [&'a [f32]; 4],
    second: [&'a [f32]; 4],
    steep: [&'a [f32]; 4],
    flat: [&'a [f32]; 4],
}

impl<'a> Around<'a> {
    #[inline(always)]
    fn new(padding: Padding, numbers: &'a [f32]) -> Self {
        let (start, s, span) = (padding.start(), padding.stride(), padding.span());
        let line = |back: usize, ahead: usize| &numbers[start + ahead - back..][..span];
        Self {
            beside: [line(1, 0), line(0, 1), line(s, 0), line(0, s)],
            corner: [line(s + 1, 0), line(s, 1), line(1, s), line(0, s + 1)],
            second: [line(2, 0), line(0, 2), line(2 * s, 0), line(0, 2 * s)],
            steep: [line(2 * s + 1, 0), line(2 * s, 1), line(1, 2 * s), line(0, 2 * s + 1)],
            flat: [line(s + 2, 0), line(s, 2), line(2, s), line(0, s + 2)],
        }
    }
}

#[inline(always)]
fn four(numbers: &[&[f32]; 4], i: usize) -> f32 {
    (numbers[0][i] + numbers[1][i]) + (numbers[2][i] + numbers[3][i])
}

/// The factor of each cell for the shots around it and for edges.
#[inline(always)]
fn factors(padding: Padding, fired: &[f32], edges: &[Vec<f32>; 2], stage: &StageParameters, factor: &mut [f32]) {
    let (around, span) = (Around::new(padding, fired), padding.span());
    let (on, near) = (&edges[0][padding.start()..][..span], &edges[1][padding.start()..][..span]);
    let factor = &mut factor[..span];
    for i in 0..span {
        let shots = stage.fired_beside * four(&around.beside, i)
            + stage.fired_corner * four(&around.corner, i)
            + stage.fired_second * four(&around.second, i);
        factor[i] = 1.0 + stage.edge * on[i] + stage.near_edge * near[i] + shots;
    }
}

/// Makes the scores, and returns the highest one as bits; of numbers above zero, larger ones have larger bits.
///
/// Where the stage doesn't look at shots, the factor is 1 and knight's moves count for nothing.
#[inline(always)]
fn finish<const ALL: bool>(
    padding: Padding,
    placements: &[f32],
    factor: &[f32],
    weights: Weights,
    stage: &StageParameters,
    scores: &mut [f32],
) -> i32 {
    let (around, span) = (Around::new(padding, placements), padding.span());
    let (own, factor, scores) = (&placements[padding.start()..][..span], &factor[..span], &mut scores[..span]);
    let (pattern, unfired) = (&weights.pattern[..span], &weights.unfired[..span]);
    let mut best = 0;
    for i in 0..span {
        let mut shares = stage.beside * four(&around.beside, i)
            + stage.corner * four(&around.corner, i)
            + stage.second * four(&around.second, i);
        if ALL {
            shares += stage.knight * (four(&around.steep, i) + four(&around.flat, i));
        }
        let mut score = own[i] + shares;
        if ALL {
            score *= factor[i];
        }
        let least = MIN_PART * own[i];
        let score = if score > least { score } else { least };
        let score = score * (1.0 + weights.pattern_part * pattern[i]) * unfired[i];
        scores[i] = score;
        let bits = score.to_bits().cast_signed();
        best = if bits > best { bits } else { best };
    }
    best
}
