//! What a cell is worth while no ship is known.
//!
//! The scores are sums of floating-point numbers, and two cells may differ by a rounding. So every sum is made in one fixed
//! order, whatever the width of the processor's vectors: the captain's choices are the same on every machine.

use broadside_rules::{Orientation, Rules};
use pulp::Simd;

use super::aligned::Aligned;
use super::lines::{LineCounts, PACKED, Sheet};
use super::padding::Padding;
use super::parameters::{Parameters, StageParameters, length_index};
use super::pattern::Patterns;
use super::shots_around::ShotsAround;
use super::vectors::{Vectors, whole};
use crate::bits::Bits;
use crate::board::Board;
use crate::position::Position;

/// A cell keeps at least this part of its own placements, whatever lies around it.
const MIN_PART: f32 = 1e-3;

/// The scores while no ship is known. All arrays of numbers but the scores have a margin around the board.
#[derive(Debug)]
pub(crate) struct Hunt<B> {
    padding: Padding,
    patterns: Patterns<B>,
    /// How scores are summed up, by class and number of ships.
    sums: Vec<Vec<Sum>>,
    /// For each length and pattern, 1 on the pattern and 0 elsewhere; and the same without a pattern.
    pattern_cells: Vec<Vec<Aligned<f32>>>,
    no_pattern: Aligned<f32>,
    shots_around: ShotsAround<B>,
    /// The placements through each cell, weighted.
    placements: Aligned<f32>,
    /// The sums of the placements left and right of each cell: next to it, and two steps away.
    sides: [Aligned<f32>; 2],
    scores: Aligned<f32>,
    /// The place of each score, and the number of the cell there.
    places: Aligned<f32>,
    cells: Vec<usize>,
    /// The pattern in use.
    pattern: B,
}

/// The first of the cells with the highest score.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Best {
    pub(crate) cell: usize,
    pub(crate) score: f32,
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
    pub(crate) fn new(rules: &Rules, board: &Board<B>, parameters: &Parameters) -> Self {
        let padding = Padding::new(rules.grid());
        let patterns = Patterns::new(board, rules.fleet().longest().get());
        Self {
            padding,
            pattern_cells: pattern_cells(padding, board, &patterns),
            no_pattern: padding.zeros(),
            patterns,
            sums: sums(rules),
            shots_around: ShotsAround::new(padding, board, parameters),
            placements: padding.zeros(),
            sides: [padding.zeros(), padding.zeros()],
            scores: padding.zeros(),
            places: Aligned::new(&(0..padding.span()).map(|place| place as f32).collect::<Vec<_>>()),
            cells: (0..padding.span()).map(|place| padding.cell(place)).collect(),
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

    /// Scores all cells. Returns the best cell not fired at, if its score is above zero.
    #[inline(always)]
    pub(crate) fn compute<S: Simd>(
        &mut self,
        v: Vectors<S>,
        padding: Padding,
        position: &Position<B>,
        lines: &LineCounts<B>,
        (number, stage): (usize, &StageParameters),
    ) -> Option<Best> {
        // First, since vectors that are read right after single numbers in them were written have to wait for these.
        self.shots_around.update(padding, position);
        self.add_placements(v, padding, position, lines, stage);
        add_sides(v, padding, &self.placements, &mut self.sides);
        let pattern = self.choose_pattern(position, lines);
        let (edges, around) = (self.shots_around.edges(number), self.shots_around.numbers());
        let cells = Cells {
            padding,
            placements: &self.placements,
            sides: &self.sides,
            edges: edges.unwrap_or(&self.no_pattern),
            around: [&around[0], &around[1], &around[2]],
            pattern: pattern.map_or(&self.no_pattern, |(length, number)| &self.pattern_cells[length - 1][number]),
            unfired: self.shots_around.unfired(),
            places: &self.places,
        };
        let (score, place) = if edges.is_some() {
            finish::<S, true>(v, &cells, stage, &mut self.scores)
        } else {
            finish::<S, false>(v, &cells, stage, &mut self.scores)
        };
        (score > 0.0).then(|| Best { cell: self.cells[whole(place)], score })
    }

    /// Adds up the placements through each cell, each length times its weight, the shortest first.
    #[inline(always)]
    fn add_placements<S: Simd>(
        &mut self,
        v: Vectors<S>,
        padding: Padding,
        position: &Position<B>,
        lines: &LineCounts<B>,
        stage: &StageParameters,
    ) {
        let to = &mut self.placements[padding.start()..][..padding.vectors(v)];
        let left = position.left().all_classes();
        for (word, sheet) in lines.sheets().iter().enumerate() {
            let (mut classes, mut used, mut is_first) = ([Class::default(); PACKED], 0, word == 0);
            for number in PACKED * word..left.len().min(PACKED * (word + 1)) {
                // The shortest class comes last.
                let (length, ships) = left[left.len() - 1 - number];
                let places = lines.places(number);
                if ships == 0 || places == 0 {
                    continue;
                }
                let (n, byte) = (places as f32, (number % PACKED) as u32);
                let weight = stage.length[length_index(length)] * n / (n + stage.few);
                if self.sums[number][ships] == Sum::Bits {
                    add_one_by_one(sheet, &classes[..used], is_first, to);
                    add_bits(sheet, byte, length, |count| times(count * ships as u32, weight), to);
                    (used, is_first) = (0, false);
                } else {
                    let weight = ships as f32 * weight;
                    classes[used] = Class { byte, weight, seven: (weight + 2.0 * weight) + 4.0 * weight };
                    used += 1;
                }
            }
            if is_first {
                add::<S, true>(v, sheet, classes, used, to);
            } else {
                add::<S, false>(v, sheet, classes, used, to);
            }
        }
    }

    /// The pattern for the shortest ship that can still hide, by its length and number.
    #[inline(always)]
    fn choose_pattern(&mut self, position: &Position<B>, lines: &LineCounts<B>) -> Option<(usize, usize)> {
        self.pattern = B::EMPTY;
        let mut left = position.left().all_classes().iter().rev().enumerate();
        let (_, &(length, _)) = left.find(|&(number, &(_, ships))| ships > 0 && lines.places(number) > 0)?;
        let board = position.board();
        let covered = |orientation| board.covered(board.bows(lines.free(), length, orientation), length, orientation);
        let covered = if length == 2 {
            // The same with fewer shifts: a ship of two lies on each free cell beside another one.
            lines.free() & board.beside(lines.free())
        } else {
            covered(Orientation::Horizontal) | covered(Orientation::Vertical)
        };
        let (number, pattern) = self.patterns.fewest_left(length, covered);
        self.pattern = pattern & position.unfired();
        Some((length, number))
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

/// For each length and pattern, 1 on the pattern and 0 elsewhere, with a margin.
fn pattern_cells<B: Bits>(padding: Padding, board: &Board<B>, patterns: &Patterns<B>) -> Vec<Vec<Aligned<f32>>> {
    let cols = board.grid().cols();
    let on = |pattern: B, row, col| f32::from(u8::from(pattern.has(row * cols + col)));
    let of_pattern = |&pattern: &B| padding.numbers(board, |row, col| on(pattern, row, col));
    patterns.all().iter().map(|patterns| patterns.iter().map(of_pattern).collect()).collect()
}

/// One class of ships: which byte of a word is its count, what one placement weighs, and what seven do.
#[derive(Clone, Copy, Debug, Default)]
struct Class {
    byte: u32,
    weight: f32,
    seven: f32,
}

/// Adds the scores of the placements of the first so many classes through each cell: to zero if they are the first.
#[inline(always)]
fn add<S: Simd, const FIRST: bool>(v: Vectors<S>, sheet: &Sheet, classes: [Class; PACKED], used: usize, to: &mut [f32]) {
    match used {
        1 => add_classes::<S, FIRST, 1>(v, sheet, classes, to),
        2 => add_classes::<S, FIRST, 2>(v, sheet, classes, to),
        3 => add_classes::<S, FIRST, 3>(v, sheet, classes, to),
        4 => add_classes::<S, FIRST, 4>(v, sheet, classes, to),
        _ if FIRST => to.fill(0.0),
        _ => {}
    }
}

#[inline(always)]
fn add_classes<S: Simd, const FIRST: bool, const N: usize>(
    v: Vectors<S>,
    sheet: &Sheet,
    classes: [Class; PACKED],
    to: &mut [f32],
) {
    let (rows, cols) = (v.of_words(&sheet.along_rows[..to.len()]), v.of_words(&sheet.along_cols[..to.len()]));
    let to = v.of_mut(to);
    for i in 0..to.len() {
        let mut sum = if FIRST { v.all(0.0) } else { to[i] };
        let counts = v.0.add_u32s(rows[i], cols[i]);
        for &Class { byte, weight, seven } in &classes[..N] {
            let count = v.byte(counts, byte);
            sum = v.add(sum, v.where_equal(count, 7, v.all(seven), v.mul(v.float(count), v.all(weight))));
        }
        to[i] = sum;
    }
}

/// The same without vectors, for the few fleets in which other classes follow that are summed up bit by bit.
#[cold]
#[inline(never)]
fn add_one_by_one(sheet: &Sheet, classes: &[Class], is_first: bool, to: &mut [f32]) {
    if is_first {
        to.fill(0.0);
    }
    for &Class { byte, weight, seven } in classes {
        for (place, to) in to.iter_mut().enumerate() {
            let count = sheet.count(place, byte);
            *to += if count == 7 { seven } else { count as f32 * weight };
        }
    }
}

/// Adds the scores of the placements of one class, given the score of each count.
#[cold]
#[inline(never)]
fn add_bits(sheet: &Sheet, byte: u32, length: usize, score: impl Fn(u32) -> f32, to: &mut [f32]) {
    let mut scores = [0.0; 256];
    for count in 0..=2 * length as u32 {
        scores[count as usize & 0xff] = score(count);
    }
    for (place, to) in to.iter_mut().enumerate() {
        *to += scores[sheet.count(place, byte) as usize & 0xff];
    }
}

/// For each cell, adds up those next to it to the left and right, and those two steps away.
#[inline(always)]
fn add_sides<S: Simd>(v: Vectors<S>, padding: Padding, numbers: &[f32], [next, second]: &mut [Aligned<f32>; 2]) {
    let (start, span) = (padding.start(), padding.vectors(v));
    let (left2, left) = (v.of(&numbers[start - 2..][..span]), v.of(&numbers[start - 1..][..span]));
    let (right, right2) = (v.of(&numbers[start + 1..][..span]), v.of(&numbers[start + 2..][..span]));
    let (next, second) = (v.of_mut(&mut next[start..][..span]), v.of_mut(&mut second[start..][..span]));
    for i in 0..left.len() {
        next[i] = v.add(left[i], right[i]);
        second[i] = v.add(left2[i], right2[i]);
    }
}

/// What the score of a cell depends on. All arrays have a margin.
struct Cells<'a> {
    padding: Padding,
    placements: &'a [f32],
    sides: &'a [Aligned<f32>; 2],
    /// One, and what edges add to the factor.
    edges: &'a [f32],
    /// The shots beside it, at its corners and two steps away.
    around: [&'a [f32]; 3],
    /// Whether the cell is on the pattern.
    pattern: &'a [f32],
    /// Whether it was not fired at.
    unfired: &'a [f32],
    /// The place of each cell, without a margin.
    places: &'a [f32],
}

/// The same cell, and those above and below it, one and two steps away.
struct Column<'a, V> {
    centre: &'a [V],
    up: &'a [V],
    down: &'a [V],
    up2: &'a [V],
    down2: &'a [V],
}

impl<'a, V> Column<'a, V> {
    #[inline(always)]
    fn new<S: Simd<f32s = V>>(v: Vectors<S>, padding: Padding, numbers: &'a [f32]) -> Self {
        let (start, s, span) = (padding.start(), padding.stride(), padding.vectors(v));
        Self {
            centre: v.of(&numbers[start..][..span]),
            up: v.of(&numbers[start - s..][..span]),
            down: v.of(&numbers[start + s..][..span]),
            up2: v.of(&numbers[start - 2 * s..][..span]),
            down2: v.of(&numbers[start + 2 * s..][..span]),
        }
    }
}

/// Makes the scores, and returns the highest one, or zero, with its first place.
///
/// Where the stage doesn't look at shots, the factor is 1 and knight's moves count for nothing.
#[inline(always)]
fn finish<S: Simd, const ALL: bool>(v: Vectors<S>, cells: &Cells, stage: &StageParameters, scores: &mut [f32]) -> (f32, f32) {
    let (padding, start, span) = (cells.padding, cells.padding.start(), cells.padding.vectors(v));
    let own = Column::new(v, padding, cells.placements);
    let next = Column::new(v, padding, &cells.sides[0]);
    let second = Column::new(v, padding, &cells.sides[1]);
    let [beside, corner, second_away] = cells.around;
    let (edges, fired_beside) = (v.of(&cells.edges[start..][..span]), v.of(&beside[start..][..span]));
    let (fired_corner, fired_second) = (v.of(&corner[start..][..span]), v.of(&second_away[start..][..span]));
    let (pattern, unfired) = (v.of(&cells.pattern[start..][..span]), v.of(&cells.unfired[start..][..span]));
    let (scores, places) = (v.of_mut(&mut scores[..span]), v.of(&cells.places[..span]));
    let (mut best, mut first) = (v.all(0.0), v.all(f32::MAX));
    for i in 0..scores.len() {
        let beside = v.add(next.centre[i], v.add(own.up[i], own.down[i]));
        let corner = v.add(next.up[i], next.down[i]);
        let two_away = v.add(second.centre[i], v.add(own.up2[i], own.down2[i]));
        let near_shares = v.add(v.mul(v.all(stage.beside), beside), v.mul(v.all(stage.corner), corner));
        let mut shares = v.add(near_shares, v.mul(v.all(stage.second), two_away));
        if ALL {
            let knight = v.add(v.add(next.up2[i], next.down2[i]), v.add(second.up[i], second.down[i]));
            shares = v.add(shares, v.mul(v.all(stage.knight), knight));
        }
        let mut score = v.add(own.centre[i], shares);
        if ALL {
            let near =
                v.add(v.mul(v.all(stage.fired_beside), fired_beside[i]), v.mul(v.all(stage.fired_corner), fired_corner[i]));
            let shots = v.add(near, v.mul(v.all(stage.fired_second), fired_second[i]));
            score = v.mul(score, v.add(edges[i], shots));
        }
        let score = v.max(score, v.mul(v.all(MIN_PART), own.centre[i]));
        let on_pattern = v.add(v.all(1.0), v.mul(v.all(stage.pattern), pattern[i]));
        scores[i] = v.mul(score, v.mul(on_pattern, unfired[i]));
        // Without a branch: where the best cell lies can't be foreseen.
        first = v.where_not_less(best, scores[i], first, places[i]);
        best = v.max(best, scores[i]);
    }
    let highest = v.0.reduce_max_f32s(best);
    (highest, v.0.reduce_min_f32s(v.where_not_less(best, v.all(highest), first, v.all(f32::MAX))))
}
