//! What is wrong with a draft.
//!
//! A draft may come from anybody, and may have thousands of ships or groups that all collide. So checking counts what is
//! wrong in time proportional to the draft, and lists a bounded part of it.

use std::collections::BTreeSet;

use crate::pairs::{self, PairCounts};
use crate::readings::{self, Readings};
use crate::{Cell, CellSet, Fleet, Grid, Length, Picture, Placement, Report, Rules, Touch, Violation, ViolationKind};

/// The violations found so far, of each kind at most [`Violation::MAX_LISTED`].
#[derive(Default)]
struct Findings(Vec<Violation>);

impl Findings {
    fn push(&mut self, kind: ViolationKind, cells: impl IntoIterator<Item = Cell>) {
        self.0.push(Violation::new(kind, cells));
    }

    /// The violation with this number of its kind, from 1, unless it is past the limit.
    fn push_within(&mut self, number: usize, kind: ViolationKind, cells: impl FnOnce() -> Vec<Cell>) {
        if number <= Violation::MAX_LISTED {
            self.push(kind, cells());
        }
    }

    /// One violation for each item. Those past the limit are only counted.
    fn list<T, C: IntoIterator<Item = Cell>>(
        &mut self,
        kind: ViolationKind,
        items: impl IntoIterator<Item = T>,
        cells: impl Fn(T) -> C,
    ) {
        let mut items = items.into_iter();
        self.0.extend(items.by_ref().take(Violation::MAX_LISTED).map(|item| Violation::new(kind, cells(item))));
        self.omit(kind, items.count());
    }

    /// Says how many violations of the kind are not listed, if any.
    fn omit(&mut self, kind: ViolationKind, count: usize) {
        if count > 0 {
            self.push(ViolationKind::Omitted { kind: kind.word(), count }, []);
        }
    }

    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

pub(crate) fn check_ships(ships: &[Placement], rules: &Rules) -> Report {
    let (grid, mut findings) = (rules.grid(), Findings::default());
    let off_grid = ships.iter().filter(|ship| !ship.fits(grid));
    findings.list(ViolationKind::OffGrid, off_grid, |ship| ship.cells().filter(move |&cell| !grid.contains(cell)));
    let on_rocks = ships.iter().filter(|ship| ship.cells().any(|cell| rules.is_rock(cell)));
    findings.list(ViolationKind::OnRock, on_rocks, |ship| ship.cells().filter(|&cell| rules.is_rock(cell)));
    // No fleet has more ships, so the cells of those beyond are not listed.
    let listed = &ships[..ships.len().min(Fleet::MAX_SHIPS)];
    find_conflicts(ships, listed, rules.touch(), &mut findings);
    find_wrong_lengths(ships, listed, rules.fleet(), &mut findings);
    Report::new(findings.0, Readings::Exactly(1), grid, Some(ships.to_vec()))
}

/// Pairs of ships that overlap or touch: of the listed ships one by one, of more ships as a number.
fn find_conflicts(ships: &[Placement], listed: &[Placement], touch: Touch, findings: &mut Findings) {
    let mut seen = PairCounts::default();
    for (i, &a) in listed.iter().enumerate() {
        for &b in listed[i + 1..].iter().filter(|b| !a.compatible(**b, touch)) {
            if a.compatible(b, Touch::Allowed) {
                seen.touching += 1;
                findings.push_within(seen.touching, ViolationKind::Touching, || touching_cells(a, b, touch));
            } else {
                seen.overlapping += 1;
                findings.push_within(seen.overlapping, ViolationKind::Overlap, || shared_cells(a, b));
            }
        }
    }
    let total = if listed.len() < ships.len() { pairs::count(ships, touch) } else { seen };
    findings.omit(ViolationKind::Overlap, total.overlapping - seen.overlapping.min(Violation::MAX_LISTED));
    findings.omit(ViolationKind::Touching, total.touching - seen.touching.min(Violation::MAX_LISTED));
}

/// The cells that both ships cover.
fn shared_cells(a: Placement, b: Placement) -> Vec<Cell> {
    a.cells().filter(|&cell| b.cells().any(|c| c == cell)).collect()
}

/// The cells of each ship that lie too close to the other.
fn touching_cells(a: Placement, b: Placement, touch: Touch) -> Vec<Cell> {
    let near = |one: Placement, other: Placement| {
        one.cells().filter(move |&cell| other.cells().any(|c| !single(cell).compatible(single(c), touch)))
    };
    near(a, b).chain(near(b, a)).collect()
}

fn single(cell: Cell) -> Placement {
    Placement::between(cell, cell).expect("one cell is a straight line")
}

/// Ships longer than any of the fleet, and lengths of which there are too many or too few, with the listed ships' cells.
fn find_wrong_lengths(ships: &[Placement], listed: &[Placement], fleet: &Fleet, findings: &mut Findings) {
    let longest = fleet.longest();
    let too_long = ships.iter().filter(|ship| ship.length() > longest);
    findings.list(ViolationKind::TooLong { longest }, too_long, |ship| ship.cells());
    for length in (1..=longest.get()).rev().filter_map(Length::new) {
        let of_length = |ship: &&Placement| ship.length() == length;
        let (found, expected) = (ships.iter().filter(of_length).count(), fleet.count(length));
        if found != expected {
            let cells = listed.iter().filter(of_length).flat_map(|ship| ship.cells());
            findings.push(ViolationKind::WrongNumber { length, found, expected }, cells);
        }
    }
}

pub(crate) fn check_picture(picture: &Picture, rules: &Rules) -> Report {
    let mut findings = Findings::default();
    let cells = cut_to_size(picture, rules.grid(), &mut findings);
    if cells.iter().any(|cell| rules.is_rock(cell)) {
        findings.push(ViolationKind::OnRock, cells.iter().filter(|&cell| rules.is_rock(cell)));
    }
    let (readings, ships) = match rules.touch() {
        Touch::Allowed => read_touching(&cells, rules, &mut findings),
        Touch::Corners | Touch::Never => read_apart(&cells, rules, &mut findings),
    };
    Report::new(findings.0, readings, rules.grid(), ships)
}

/// The picture's cells on the board. Finds what is wrong with its size.
fn cut_to_size(picture: &Picture, grid: Grid, findings: &mut Findings) -> CellSet {
    if picture.grid() == grid {
        return picture.cells().clone();
    }
    let (on, off): (Vec<Cell>, Vec<Cell>) = picture.cells().iter().partition(|&cell| grid.contains(cell));
    findings.push(ViolationKind::WrongSize { picture: picture.grid(), board: grid }, []);
    if !off.is_empty() {
        findings.push(ViolationKind::OffGrid, off);
    }
    CellSet::from_cells(grid, on)
}

/// Ships may lie side by side, so a search says how the cells can be read.
fn read_touching(cells: &CellSet, rules: &Rules, findings: &mut Findings) -> (Readings, Option<Vec<Placement>>) {
    let (found, expected) = (cells.len(), rules.fleet().cells());
    let unreadable = readings::unreadable(cells, rules.fleet());
    findings.list(ViolationKind::NoReading, &unreadable, CellSet::iter);
    if found != expected {
        findings.push(ViolationKind::WrongTotal { found, expected }, cells.iter());
    }
    if !findings.is_empty() {
        return (Readings::Exactly(0), None);
    }
    let (readings, ships) = readings::of_fleet(cells, rules.fleet());
    match readings {
        Readings::Exactly(0) => findings.push(ViolationKind::NoReading, cells.iter()),
        Readings::AtLeast(0) => findings.push(ViolationKind::Undecided, cells.iter()),
        _ => {}
    }
    (readings, ships)
}

/// Ships lie apart, so every group of joined cells is one ship.
fn read_apart(cells: &CellSet, rules: &Rules, findings: &mut Findings) -> (Readings, Option<Vec<Placement>>) {
    let groups = readings::groups(cells);
    let ships: Vec<Placement> = groups.iter().filter_map(straight).collect();
    let bent = groups.iter().filter(|group| straight(group).is_none());
    findings.list(ViolationKind::Bent, bent, CellSet::iter);
    if !rules.touch().allows_corners() {
        let corner_cells = |(a, b): (usize, usize)| corner_cells(&groups[a], &groups[b]);
        findings.list(ViolationKind::Touching, meeting_at_corners(cells.grid(), &groups), corner_cells);
    }
    find_wrong_lengths(&ships, &ships, rules.fleet(), findings);
    (Readings::Exactly(1), Some(ships))
}

/// The ship that covers just these cells, if they lie in one line.
fn straight(group: &CellSet) -> Option<Placement> {
    let ship = Placement::between(group.first()?, group.iter().last()?)?;
    (ship.length().get() == group.len()).then_some(ship)
}

/// The pairs of groups that meet at a corner, by their numbers and in their order.
fn meeting_at_corners(grid: Grid, groups: &[CellSet]) -> BTreeSet<(usize, usize)> {
    let mut group_at = vec![None; grid.len()];
    for (number, group) in groups.iter().enumerate() {
        group.iter().for_each(|cell| group_at[grid.index(cell)] = Some(number));
    }
    let pairs = groups.iter().enumerate().flat_map(|(number, group)| {
        let corners = group.iter().flat_map(|cell| grid.corner_neighbours(cell));
        corners.filter_map(|cell| group_at[grid.index(cell)]).map(move |other| (number, other))
    });
    pairs.filter(|(number, other)| number < other).collect()
}

/// The cells at which two groups meet at corners.
fn corner_cells(a: &CellSet, b: &CellSet) -> Vec<Cell> {
    let near = |one: &CellSet, other: &CellSet| -> Vec<Cell> {
        one.iter().filter(|&cell| one.grid().corner_neighbours(cell).any(|c| other.contains(c))).collect()
    };
    [near(a, b), near(b, a)].concat()
}
