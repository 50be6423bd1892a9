//! From anything that can be described to a legal layout.

use std::fmt;
use std::str::FromStr;

use crate::log::write_list;
use crate::quick;
use crate::readings::{self, Readings};
use crate::text::serde_by_notation;
use crate::{
    Cell, CellSet, Fleet, Grid, Layout, Length, ParsePictureError, ParsePlacementError, Picture, Placement, Rules, Touch,
    Violation, ViolationKind,
};

/// Anything that can be described as a board: a picture of cells, or a list of ships. It may be wrong in any way.
///
/// Checking it against [`Rules`] is the only way from here to a [`Layout`], and reports all that is wrong at once.
///
/// ```
/// use broadside_rules::{Draft, Rules};
/// let rules: Rules = "4x4 3,2 never ship".parse()?;
/// let report = "A1-A3 B4-C4".parse::<Draft>()?.check(&rules);
/// let faults: Vec<String> = report.violations().iter().map(ToString::to_string).collect();
/// assert_eq!(faults, ["ships touch: A3 B4"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Draft {
    /// Cells, without a word on where one ship ends and the next begins.
    Picture(Picture),
    /// Ships by their ends.
    Ships(Vec<Placement>),
}

/// What checking found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    violations: Vec<Violation>,
    readings: Readings,
    layout: Option<Layout>,
}

impl Report {
    /// All that is wrong; empty when the board is legal.
    pub fn violations(&self) -> &[Violation] {
        &self.violations
    }

    /// In how many ways the board can be read as the fleet: 0 when it is illegal, 1 when it is legal and plain, more
    /// for a picture that leaves open where one ship ends.
    pub fn readings(&self) -> Readings {
        self.readings
    }

    /// Whether the board is legal.
    pub fn is_valid(&self) -> bool {
        self.layout.is_some()
    }

    /// The legal layout (of an ambiguous picture, the first reading).
    ///
    /// # Errors
    /// All that is wrong.
    pub fn into_layout(self) -> Result<Layout, Vec<Violation>> {
        self.layout.ok_or(self.violations)
    }

    fn new(violations: Vec<Violation>, readings: Readings, grid: Grid, ships: Option<Vec<Placement>>) -> Self {
        let layout = ships.filter(|_| violations.is_empty()).map(|ships| Layout::from_legal_ships(grid, ships));
        let readings = if layout.is_some() { readings } else { Readings::Exactly(0) };
        Self { violations, readings, layout }
    }
}

impl Draft {
    /// Checks the board against the rules.
    pub fn check(&self, rules: &Rules) -> Report {
        match self {
            Self::Ships(ships) => check_ships(ships, rules),
            Self::Picture(picture) => check_picture(picture, rules),
        }
    }
}

impl Picture {
    /// Whether some reading of the picture is legal: [`Draft::check`] without the reasons, and much faster where ships
    /// may not touch.
    pub fn is_legal(&self, rules: &Rules) -> bool {
        quick::is_legal(self.cells(), rules).unwrap_or_else(|| check_picture(self, rules).is_valid())
    }
}

fn check_ships(ships: &[Placement], rules: &Rules) -> Report {
    let mut violations = Vec::new();
    violations.extend(
        ships
            .iter()
            .filter(|ship| !ship.fits(rules.grid()))
            .map(|ship| Violation::new(ViolationKind::OffGrid, ship.cells().filter(|&cell| !rules.grid().contains(cell)))),
    );
    for (i, a) in ships.iter().enumerate() {
        violations.extend(ships[i + 1..].iter().filter_map(|b| conflict(*a, *b, rules.touch())));
    }
    violations.extend(wrong_lengths(ships, rules.fleet()));
    Report::new(violations, Readings::Exactly(1), rules.grid(), Some(ships.to_vec()))
}

/// What is wrong between two ships.
fn conflict(a: Placement, b: Placement, touch: Touch) -> Option<Violation> {
    if a.compatible(b, touch) {
        return None;
    }
    if !a.compatible(b, Touch::Allowed) {
        return Some(Violation::new(ViolationKind::Overlap, a.cells().filter(|&cell| b.cells().any(|c| c == cell))));
    }
    let near = |one: Placement, other: Placement| {
        one.cells().filter(move |&cell| other.cells().any(|c| !single(cell).compatible(single(c), touch)))
    };
    Some(Violation::new(ViolationKind::Touching, near(a, b).chain(near(b, a))))
}

fn single(cell: Cell) -> Placement {
    Placement::between(cell, cell).expect("one cell is a straight line")
}

/// Ships longer than any of the fleet, and lengths of which there are too many or too few.
fn wrong_lengths(ships: &[Placement], fleet: &Fleet) -> Vec<Violation> {
    let longest = fleet.longest();
    let too_long = ships.iter().filter(|ship| ship.length() > longest);
    let mut violations: Vec<Violation> =
        too_long.map(|ship| Violation::new(ViolationKind::TooLong { longest }, ship.cells())).collect();
    for length in (1..=longest.get()).rev().filter_map(Length::new) {
        let found: Vec<&Placement> = ships.iter().filter(|ship| ship.length() == length).collect();
        let kind = ViolationKind::WrongNumber { length, found: found.len(), expected: fleet.count(length) };
        if found.len() != fleet.count(length) {
            violations.push(Violation::new(kind, found.iter().flat_map(|ship| ship.cells())));
        }
    }
    violations
}

fn check_picture(picture: &Picture, rules: &Rules) -> Report {
    let (cells, mut violations) = cut_to_size(picture, rules.grid());
    let (readings, ships) = match rules.touch() {
        Touch::Allowed => read_touching(&cells, rules, &mut violations),
        Touch::Corners | Touch::Never => read_apart(&cells, rules, &mut violations),
    };
    Report::new(violations, readings, rules.grid(), ships)
}

/// The picture's cells on the board, with what is wrong with its size.
fn cut_to_size(picture: &Picture, grid: Grid) -> (CellSet, Vec<Violation>) {
    if picture.grid() == grid {
        return (picture.cells().clone(), Vec::new());
    }
    let kind = ViolationKind::WrongSize { picture: picture.grid(), board: grid };
    let (on, off): (Vec<Cell>, Vec<Cell>) = picture.cells().iter().partition(|&cell| grid.contains(cell));
    let mut violations = vec![Violation::new(kind, [])];
    if !off.is_empty() {
        violations.push(Violation::new(ViolationKind::OffGrid, off));
    }
    (CellSet::from_cells(grid, on), violations)
}

/// Ships may lie side by side, so a search says how the cells can be read.
fn read_touching(cells: &CellSet, rules: &Rules, violations: &mut Vec<Violation>) -> (Readings, Option<Vec<Placement>>) {
    let (found, expected) = (cells.len(), rules.fleet().cells());
    let all = |kind| Violation::new(kind, cells.iter());
    let unreadable = readings::unreadable(cells, rules.fleet());
    violations.extend(unreadable.iter().map(|group| Violation::new(ViolationKind::NoReading, group.iter())));
    if found != expected {
        violations.push(all(ViolationKind::WrongTotal { found, expected }));
    }
    if !violations.is_empty() {
        return (Readings::Exactly(0), None);
    }
    let (readings, ships) = readings::of_fleet(cells, rules.fleet());
    match readings {
        Readings::Exactly(0) => violations.push(all(ViolationKind::NoReading)),
        Readings::AtLeast(0) => violations.push(all(ViolationKind::Undecided)),
        _ => {}
    }
    (readings, ships)
}

/// Ships lie apart, so every group of joined cells is one ship.
fn read_apart(cells: &CellSet, rules: &Rules, violations: &mut Vec<Violation>) -> (Readings, Option<Vec<Placement>>) {
    let groups = readings::groups(cells);
    let mut ships = Vec::new();
    for group in &groups {
        match straight(group) {
            Some(ship) => ships.push(ship),
            None => violations.push(Violation::new(ViolationKind::Bent, group.iter())),
        }
    }
    if rules.touch() == Touch::Never {
        violations.extend(groups.iter().enumerate().flat_map(|(i, a)| groups[i + 1..].iter().filter_map(|b| cornering(a, b))));
    }
    violations.extend(wrong_lengths(&ships, rules.fleet()));
    (Readings::Exactly(1), Some(ships))
}

/// The ship that covers just these cells, if they lie in one line.
fn straight(group: &CellSet) -> Option<Placement> {
    let ship = Placement::between(group.first()?, group.iter().last()?)?;
    (ship.length().get() == group.len()).then_some(ship)
}

/// The cells at which two groups meet at corners.
fn cornering(a: &CellSet, b: &CellSet) -> Option<Violation> {
    let near = |one: &CellSet, other: &CellSet| {
        one.iter().filter(|&cell| one.grid().corner_neighbours(cell).any(|c| other.contains(c))).collect::<Vec<_>>()
    };
    let cells = [near(a, b), near(b, a)].concat();
    (!cells.is_empty()).then(|| Violation::new(ViolationKind::Touching, cells))
}

impl From<&Layout> for Draft {
    fn from(layout: &Layout) -> Self {
        Self::Ships(layout.ships().to_vec())
    }
}

impl fmt::Display for Draft {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Picture(picture) => picture.fmt(f),
            Self::Ships(ships) => write_list(f, ships),
        }
    }
}

/// The text is neither a picture nor a list of ships.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseDraftError {
    /// It looks like a picture and is none.
    #[error(transparent)]
    Picture(#[from] ParsePictureError),
    /// It looks like a list of ships and one of them is none.
    #[error(transparent)]
    Ship(#[from] ParsePlacementError),
    /// More ships than any fleet has.
    #[error("the list has more than {} ships", Fleet::MAX_SHIPS)]
    TooManyShips,
}

impl FromStr for Draft {
    type Err = ParseDraftError;

    /// A text that starts with a cell is a list of ships; anything else is a picture.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if !starts_with_a_cell(text) {
            return Ok(Self::Picture(text.parse()?));
        }
        let words = text.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty());
        let ships = words.take(Fleet::MAX_SHIPS + 1).map(str::parse).collect::<Result<Vec<Placement>, _>>()?;
        if ships.len() > Fleet::MAX_SHIPS { Err(ParseDraftError::TooManyShips) } else { Ok(Self::Ships(ships)) }
    }
}

fn starts_with_a_cell(text: &str) -> bool {
    let mut rest = text.trim_start().trim_start_matches(|c: char| c.is_ascii_alphabetic()).chars();
    text.trim_start().starts_with(|c: char| c.is_ascii_alphabetic()) && matches!(rest.next(), Some('1'..='9'))
}

serde_by_notation!(Draft);
