//! Which coefficients meet which, in every product of the sweep: lists made once for a fleet and a width of the board.
//!
//! All polynomials are over the parts of the fleet. Most of their coefficients are zero for a reason that is known
//! beforehand (ships that do not fit beside each other in a row; nothing left for the vertical ships), so each product has
//! its own list. What comes after a row is indexed by what it uses, like what comes before, so that nearly every step is
//! a product.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::fleet::Parts;
use crate::problem::Problem;

/// What the forms depend on: the lengths and counts of the ships, and the columns of the board.
pub(crate) type Shape = (Vec<(usize, usize)>, usize);

/// The forms of small fleets, for all engines of the process: to make them takes as long as several counts, and whoever reviews a game or
/// answers a request starts with a new engine.
static SHARED: Mutex<BTreeMap<Shape, Arc<Forms>>> = Mutex::new(BTreeMap::new());

/// Shared forms have at most so many terms, half a megabyte of them. Those of the classic fleet have 10,000.
const SHARED_TERMS: usize = 1 << 16;

/// So many forms are shared at most: those that were there first.
const MOST_SHARED: usize = 64;

/// A sum `Σ a[i] * b[j] * c[k]`, by its terms.
#[derive(Debug, Default)]
pub(crate) struct Form {
    thirds: Groups,
    firsts: Groups,
}

impl Form {
    fn new(parts: &Parts, terms: &[[u16; 3]]) -> Self {
        Form { thirds: Groups::new(parts.len, terms, [2, 0, 1]), firsts: Groups::new(parts.len, terms, [0, 1, 2]) }
    }

    /// The pairs `(i, j)` of a `k`.
    #[inline(always)]
    pub(crate) fn by_third(&self, k: usize) -> &[(u16, u16)] {
        self.thirds.group(k)
    }

    /// Each `k` that has pairs `(i, j)`, and these.
    #[inline(always)]
    pub(crate) fn thirds(&self) -> impl Iterator<Item = (usize, &[(u16, u16)])> {
        self.thirds.groups()
    }

    /// Each `i` that has pairs `(j, k)`, and these.
    #[inline(always)]
    pub(crate) fn firsts(&self) -> impl Iterator<Item = (usize, &[(u16, u16)])> {
        self.firsts.groups()
    }
}

/// Pairs in groups, one group for each part.
#[derive(Debug, Default)]
struct Groups {
    pairs: Vec<(u16, u16)>,
    /// Where each group begins and ends.
    bounds: Vec<(u32, u32)>,
    /// The parts with a group that isn't empty, and where that begins and ends: many are empty.
    filled: Vec<(u16, u32, u32)>,
}

impl Groups {
    fn new(groups: usize, terms: &[[u16; 3]], [head, left, right]: [usize; 3]) -> Self {
        let mut lists = vec![vec![]; groups];
        for term in terms {
            lists[usize::from(term[head])].push((term[left], term[right]));
        }
        let mut grouped = Groups::default();
        for (part, mut list) in (0..=u16::MAX).zip(lists) {
            let begin = grouped.pairs.len() as u32;
            grouped.pairs.append(&mut list);
            let end = grouped.pairs.len() as u32;
            grouped.bounds.push((begin, end));
            if begin < end {
                grouped.filled.push((part, begin, end));
            }
        }
        grouped
    }

    #[inline(always)]
    fn group(&self, group: usize) -> &[(u16, u16)] {
        let (begin, end) = self.bounds[group];
        &self.pairs[begin as usize..end as usize]
    }

    #[inline(always)]
    fn groups(&self) -> impl Iterator<Item = (usize, &[(u16, u16)])> {
        self.filled.iter().map(|&(part, begin, end)| (usize::from(part), &self.pairs[begin as usize..end as usize]))
    }
}

/// Ships of one length that may be vertical.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kind {
    /// Index of the class.
    pub(crate) class: usize,
    /// Cells of each.
    pub(crate) length: usize,
    /// How many.
    pub(crate) count: usize,
}

/// The products of a sweep.
#[derive(Debug)]
pub(crate) struct Forms {
    /// The ships that may be vertical, longest first.
    pub(crate) kinds: Vec<Kind>,
    /// The length of the longest ship.
    pub(crate) longest: usize,
    /// The most rows that two vertical ships can share: the length of the second longest.
    pub(crate) overlap: usize,
    /// Parts that leave two ships or more: the coefficients of polynomials beside two vertical ships.
    pub(crate) pair_len: usize,
    /// Used above, a row's own, both.
    pub(crate) free: Form,
    /// Used above, used below, the row's own.
    pub(crate) between: Form,
    /// Per kind: used above, the own of the rows beside a ship of it, both and the ship.
    pub(crate) placed: Vec<Form>,
    /// Per kind: used above, used below, the own of the rows between beside a ship of the kind.
    pub(crate) beside: Vec<Form>,
    /// By the cells right of an occupied column: left of it, right of it, both.
    pub(crate) held: Vec<Form>,
    /// The same for the second of two occupied columns.
    pub(crate) both: Vec<Form>,
    /// By the number of rows: the first row's beside one ship, the others', both.
    pub(crate) windows: Vec<Form>,
    /// By the number of rows: all before the last of them, the last row beside the first of two ships, both.
    pub(crate) leads: Vec<Form>,
    /// By the number of rows: the first row's beside two ships, the others', both.
    pub(crate) shared: Vec<Form>,
    /// By the number of shared rows: used up to the end of the ship that ends first, with it; the shared rows' own; used
    /// from the start of the other ship on, with it.
    pub(crate) staggered: Vec<Form>,
    /// Per kind of the ship within and kind of the other: used above, used below, the shared rows' own.
    pub(crate) nested: Vec<Vec<Form>>,
    /// By the number of vertical ships: the parts that leave so many.
    pub(crate) spare: [Vec<u16>; 3],
    /// By the number of shared rows: the parts that may lie in them.
    pub(crate) shared_parts: Vec<Vec<u16>>,
    /// By how many ships must be left for the vertical ones, and class: the pairs (part, part with a ship more).
    pub(crate) steps: [Vec<Vec<(u16, u16)>>; 3],
}

/// The most terms that all forms of a fleet may have together.
const MOST_TERMS: usize = 20_000_000;

impl Forms {
    /// The forms of a fleet, made or shared; `None` if they would be too many.
    pub(crate) fn shared(shape: &Shape, problem: &Problem, parts: &Parts) -> Option<Arc<Self>> {
        let known = || SHARED.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(forms) = known().get(shape) {
            return Some(Arc::clone(forms));
        }
        // Made without the lock. If two engines make the same, one of them is dropped.
        let forms = Arc::new(Self::new(problem, parts, shape.1)?);
        let mut known = known();
        if known.len() < MOST_SHARED && forms.terms() <= SHARED_TERMS {
            return Some(Arc::clone(known.entry(shape.clone()).or_insert(forms)));
        }
        Some(forms)
    }

    /// How many terms all forms have together.
    fn terms(&self) -> usize {
        let lists =
            [&self.placed, &self.beside, &self.held, &self.both, &self.windows, &self.leads, &self.shared, &self.staggered];
        let forms = lists.into_iter().chain(&self.nested).flatten().chain([&self.free, &self.between]);
        forms.map(|form| form.thirds.pairs.len()).sum()
    }

    /// The forms of a fleet on a board of so many columns; `None` if they would be too many.
    fn new(problem: &Problem, parts: &Parts, cols: usize) -> Option<Self> {
        let kinds = problem.classes.iter().enumerate().filter(|(_, ships)| ships.count > 0 && ships.length > 1);
        let kinds: Vec<Kind> = kinds.map(|(class, ships)| Kind { class, length: ships.length, count: ships.count }).collect();
        let longest = kinds.iter().map(|kind| kind.length).max().unwrap_or(0);
        let overlap = kinds.iter().flat_map(|kind| vec![kind.length; kind.count]).nth(1).unwrap_or(0);
        let lists = 2 * cols + 4 * longest + (kinds.len() + 1) * (kinds.len() + 1);
        let terms: usize = parts.sums.iter().map(Vec::len).sum();
        if terms.checked_mul(lists)? > MOST_TERMS {
            return None;
        }
        let ships: usize = problem.ships();
        let make = Maker { problem, parts, cols, kinds: &kinds };
        let steps = |slack| (0..problem.classes.len()).map(|class| make.steps(slack, class)).collect();
        Some(Forms {
            longest,
            overlap,
            pair_len: parts.within(ships.saturating_sub(2)),
            free: make.product(0, 1, |_| true, |m| make.fits(m, cols)),
            between: make.rest(&[], |_| true, |_| true, |m| make.fits(m, cols)),
            placed: kinds.iter().map(|kind| make.placed(kind)).collect(),
            beside: kinds.iter().map(|kind| make.beside(kind)).collect(),
            held: (0..cols).map(|right| make.joined(1, right)).collect(),
            both: (0..cols).map(|right| make.joined(2, right)).collect(),
            windows: (0..=longest).map(|rows| make.rows(1, rows)).collect(),
            leads: (0..longest).map(|rows| make.lead(rows)).collect(),
            shared: (0..=overlap).map(|rows| make.rows(2, rows)).collect(),
            staggered: (0..overlap).map(|rows| make.staggered(rows)).collect(),
            nested: kinds.iter().map(|within| kinds.iter().map(|kind| make.nested(within, kind)).collect()).collect(),
            spare: [0, 1, 2].map(|ships| make.list(|part| make.leaves(part, ships, 2))),
            shared_parts: (0..=overlap).map(|rows| make.shared_parts(rows)).collect(),
            steps: [steps(0), steps(1), steps(2)],
            kinds,
        })
    }
}

struct Maker<'a> {
    problem: &'a Problem,
    parts: &'a Parts,
    cols: usize,
    kinds: &'a [Kind],
}

impl Maker<'_> {
    /// Whether the ships of the part fit into so many cells.
    fn fits(&self, part: u16, cells: usize) -> bool {
        let ships = self.parts.list[usize::from(part)].iter().zip(&self.problem.classes);
        ships.map(|(count, class)| count * class.length).sum::<usize>() <= cells
    }

    /// The ships of at least this length in the part.
    fn long(&self, part: u16, length: usize) -> usize {
        let part = &self.parts.list[usize::from(part)];
        self.kinds.iter().filter(|kind| kind.length >= length).map(|kind| part[kind.class]).sum()
    }

    /// What the part and one ship of each of these kinds leave of the fleet.
    fn left(&self, part: u16, kinds: &[&Kind]) -> Option<u16> {
        let used = kinds.iter().try_fold(usize::from(part), |part, kind| self.parts.grow(part, kind.class))?;
        // Parts are listed by rising number of ships, and the number of the whole fleet is the last.
        self.parts.sums[used].last().map(|&(left, _)| left)
    }

    /// Whether the part leaves `ships` ships of at least this length.
    fn leaves(&self, part: u16, ships: usize, length: usize) -> bool {
        self.left(part, &[]).is_some_and(|left| self.long(left, length) >= ships)
    }

    fn list(&self, which: impl Fn(u16) -> bool) -> Vec<u16> {
        (0..self.parts.len as u16).filter(|&part| which(part)).collect()
    }

    fn shared_parts(&self, rows: usize) -> Vec<u16> {
        self.list(|part| self.leaves(part, 2, rows.max(2)) && self.fits(part, self.cells(rows, 2)))
    }

    fn form(&self, first: impl Fn(u16) -> bool, second: impl Fn(u16) -> bool, third: impl Fn(u16) -> Option<u16>) -> Form {
        let mut terms = vec![];
        for i in (0..self.parts.len as u16).filter(|&i| first(i)) {
            for &(j, sum) in self.parts.sums[usize::from(i)].iter().filter(|&&(j, _)| second(j)) {
                terms.extend(third(sum).map(|k| [i, j, k]));
            }
        }
        Form::new(self.parts, &terms)
    }

    /// A product that leaves `ships` ships of at least this length.
    fn product(&self, ships: usize, length: usize, first: impl Fn(u16) -> bool, second: impl Fn(u16) -> bool) -> Form {
        self.form(first, second, |sum| self.leaves(sum, ships, length).then_some(sum))
    }

    /// Terms that make up the whole fleet, with one ship of each of the kinds.
    fn rest(
        &self,
        kinds: &[&Kind],
        first: impl Fn(u16) -> bool,
        second: impl Fn(u16) -> bool,
        third: impl Fn(u16) -> bool,
    ) -> Form {
        self.form(first, second, |sum| self.left(sum, kinds).filter(|&k| third(k)))
    }

    /// The cells of so many rows that are not under `vertical` ships.
    fn cells(&self, rows: usize, vertical: usize) -> usize {
        rows * self.cols.saturating_sub(vertical)
    }

    fn placed(&self, kind: &Kind) -> Form {
        let grown = |sum| self.parts.grow(usize::from(sum), kind.class).map(|grown| grown as u16);
        self.form(|_| true, |m| self.fits(m, self.cells(kind.length, 1)), grown)
    }

    fn beside(&self, kind: &Kind) -> Form {
        self.rest(&[kind], |_| true, |_| true, |m| self.fits(m, self.cells(kind.length, 1)))
    }

    fn joined(&self, vertical: usize, right: usize) -> Form {
        let left = self.cells(1, vertical).saturating_sub(right);
        self.product(vertical, 2, |v| self.fits(v, left), |m| self.fits(m, right))
    }

    fn rows(&self, vertical: usize, rows: usize) -> Form {
        let others = self.cells(rows.saturating_sub(1), vertical);
        self.product(vertical, rows.max(2), |m| self.fits(m, self.cells(1, vertical)), |m| self.fits(m, others))
    }

    fn lead(&self, rows: usize) -> Form {
        let open = |sum| self.leaves(sum, 2, 2) && self.leaves(sum, 1, rows + 1);
        self.form(|_| true, |m| self.fits(m, self.cells(1, 1)), |sum| open(sum).then_some(sum))
    }

    fn staggered(&self, rows: usize) -> Form {
        let long = |part| self.long(part, rows + 1) > 0;
        self.rest(&[], long, |m| self.fits(m, self.cells(rows, 2)), long)
    }

    fn nested(&self, within: &Kind, kind: &Kind) -> Form {
        self.rest(&[within, kind], |_| true, |_| true, |m| self.fits(m, self.cells(within.length, 2)))
    }

    fn steps(&self, slack: usize, class: usize) -> Vec<(u16, u16)> {
        self.parts.grown(class).iter().copied().filter(|&(_, sum)| self.leaves(sum, slack, 2)).collect()
    }
}
