//! Deductions in words.

use std::fmt;

use broadside_rules::{Cell, Placement};

use super::{Contradiction, Deduction, Grade, Reason, Technique};
use crate::Hint;

impl fmt::Display for Grade {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

impl fmt::Display for Technique {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

/// `1 cell`, `2 cells`.
fn cells(number: usize) -> String {
    plural(number, "cell")
}

fn plural(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

fn known(ship: Placement) -> String {
    match ship.length().get() {
        1 => format!("the ship cell {ship}"),
        length => format!("the {length} ship cells {ship}"),
    }
}

const fn ship_or_water(ship: bool) -> &'static str {
    if ship { "a ship" } else { "water" }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::AroundAnEnd { cell, mark } => {
                write!(f, "{cell} is {}, which settles the cells around it", mark.words())
            }
            Self::LineFull { line, count: 0 } => write!(f, "{line} has no ship cells"),
            Self::LineFull { line, count } => write!(f, "{line} has all of its {}", plural(count, "ship cell")),
            Self::LineNeedsAll { line, count } => {
                write!(f, "{line} needs all of its open cells to come to {}", plural(count, "ship cell"))
            }
            Self::FleetCount { count } => write!(f, "the fleet has {} in all", cells(count)),
            Self::Corners => write!(f, "ships never touch, not even at corners"),
            Self::Middle { cell } => write!(f, "{cell} is the middle of a ship, which can lie only one way"),
            Self::Finished { ship } => {
                write!(f, "no ship longer than {} is left, so {} are a whole ship", ship.length(), known(ship))
            }
            Self::GoesOn { ship } => {
                write!(f, "no ship of {} is left, and {} can go on only one way", cells(ship.length().get()), known(ship))
            }
            Self::TooLong { longest } => write!(f, "a ship there would be longer than {}, the longest left", cells(longest)),
            Self::NoRoom { shortest } => write!(f, "there is no room there for {}, the shortest ship left", cells(shortest)),
            Self::OnlyPlace { length, left, places } => only_place(f, length, left, places),
            Self::EveryWay { line, count, longest } => write!(
                f,
                "{line} comes to {} in no other way, with no ship longer than {}",
                plural(count, "ship cell"),
                cells(longest)
            ),
            Self::WhatIf { cell, ship, steps, contradiction } => {
                write!(f, "if {cell} were {}, {contradiction}", ship_or_water(ship))?;
                if steps > 0 { write!(f, " ({} on)", plural(steps, "step")) } else { Ok(()) }
            }
        }
    }
}

fn only_place(f: &mut fmt::Formatter<'_>, length: usize, left: usize, places: usize) -> fmt::Result {
    match (left, places) {
        (1, 1) => write!(f, "there is only one place for the ship of {}", cells(length)),
        _ if left == places => write!(f, "there are only {places} places for the {left} ships of {} left", cells(length)),
        _ => write!(f, "all {places} places left for a ship of {} have this in common", cells(length)),
    }
}

impl fmt::Display for Contradiction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::LineOverfull(line) => write!(f, "{line} would have too many ship cells"),
            Self::LineTooEmpty(line) => write!(f, "{line} would have too few cells left for its ships"),
            Self::FleetCount => write!(f, "the fleet would not come to its number of cells"),
            Self::Clash(cell) => write!(f, "{cell} would be both ship and water"),
            Self::Middle(cell) => write!(f, "the ship with its middle at {cell} would have no room"),
            Self::TooMany(length) => write!(f, "there would be too many ships of {}", cells(length)),
            Self::TooLong(ship) => write!(f, "{} would be longer than any ship left", known(ship)),
            Self::NoPlace(length) => write!(f, "there would be too few places for ships of {}", cells(length)),
            Self::NoWay(line) => write!(f, "{line} could not be filled"),
        }
    }
}

impl fmt::Display for Deduction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reason = self.reason.to_string();
        let mut letters = reason.chars();
        let first = letters.next().into_iter().flat_map(char::to_uppercase).collect::<String>();
        write!(f, "{first}{}: ", letters.as_str())?;
        match (&self.ships[..], &self.water[..]) {
            (ships, []) => write!(f, "{}", list(ships, "ship")),
            ([], water) => write!(f, "{}", list(water, "water")),
            (ships, water) => write!(f, "{}; {}", list(ships, "ship"), list(water, "water")),
        }
    }
}

fn list(cells: &[Cell], what: &str) -> String {
    let names: Vec<String> = cells.iter().map(ToString::to_string).collect();
    let verb = if cells.len() == 1 { "is" } else { "are" };
    format!("{} {verb} {what}", names.join(" "))
}

impl fmt::Display for Hint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Wrong(cells) => {
                let names: Vec<String> = cells.iter().map(ToString::to_string).collect();
                write!(f, "Not right: {}", names.join(" "))
            }
            Self::Next(deduction) => deduction.fmt(f),
            Self::Look(cell, mark) => write!(f, "No single deduction helps here: {cell} is {}", mark.words()),
            Self::Done => write!(f, "Everything is found"),
            Self::NoSolution => write!(f, "The puzzle has no solution"),
            Self::Several => write!(f, "The puzzle has several solutions"),
        }
    }
}
