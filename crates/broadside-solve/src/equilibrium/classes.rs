//! Layouts that a reflection or a turn of the board takes to each other.
//!
//! The game looks the same from every side of the board. So some best hider uses all layouts of a class equally often: if one
//! doesn't, mix it with its images. And some best shooter turns the board at random first, and then needs the same number of
//! shots on average for all layouts of a class.

use std::collections::{BTreeSet, HashMap};

use broadside_odds::{OutOfReach, WorkLimits, oracle};
use broadside_rules::{Layout, Rules};

use crate::solver::SolveError;

/// All layouts of a board, by class.
pub(crate) struct Classes {
    pub(crate) layouts: Vec<Layout>,
    /// For each class, the numbers of its layouts. The first is the one listed first.
    pub(crate) members: Vec<Vec<usize>>,
}

/// Bytes for each layout.
const LAYOUT_BYTES: usize = 1024;

impl Classes {
    pub(crate) fn list(rules: &Rules, limits: &WorkLimits) -> Result<Self, SolveError> {
        let most = limits.budget.bytes / LAYOUT_BYTES;
        let mut listing = limits.budget;
        listing.steps = listing.steps.min(64 * most as u64);
        let mut layouts = Vec::new();
        oracle::each_layout(rules, listing.until(&limits.stop), &mut |layout| {
            if layouts.len() <= most {
                layouts.push(layout.clone());
            }
        })?;
        if layouts.len() > most { Err(OutOfReach::Memory.into()) } else { Ok(Self::new(rules, layouts)) }
    }

    fn new(rules: &Rules, layouts: Vec<Layout>) -> Self {
        let members = members(rules, &layouts);
        Self { layouts, members }
    }

    /// The number of layouts of each class.
    pub(crate) fn sizes(&self) -> Vec<u64> {
        self.members.iter().map(|class| class.len() as u64).collect()
    }

    /// Something known of each layout, summed over each class.
    pub(crate) fn sums(&self, of_layout: impl Fn(&Layout) -> u64) -> Vec<u64> {
        let sum = |class: &Vec<usize>| class.iter().map(|&member| of_layout(&self.layouts[member])).sum();
        self.members.iter().map(sum).collect()
    }

    /// Something known of each class, for each layout.
    pub(crate) fn spread<T: Copy + Default>(&self, of_class: &[T]) -> Vec<T> {
        let mut spread = vec![T::default(); self.layouts.len()];
        for (class, &value) in self.members.iter().zip(of_class) {
            for &member in class {
                spread[member] = value;
            }
        }
        spread
    }
}

/// For each class, the numbers of its layouts.
fn members(rules: &Rules, layouts: &[Layout]) -> Vec<Vec<usize>> {
    let numbers: HashMap<&Layout, usize> = layouts.iter().zip(0..).collect();
    let mut seen = vec![false; layouts.len()];
    let mut members = Vec::new();
    for (number, layout) in layouts.iter().enumerate() {
        if !seen[number] {
            let images = rules.symmetries().map(|symmetry| numbers[&symmetry.layout(layout)]);
            let class: BTreeSet<usize> = images.collect();
            for &member in &class {
                seen[member] = true;
            }
            members.push(class.into_iter().collect());
        }
    }
    members
}
