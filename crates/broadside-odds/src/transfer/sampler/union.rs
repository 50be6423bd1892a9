//! Layouts drawn from several problems that have none in common.

use broadside_rules::{CellSet, Placement};
use rand::{Rng, RngExt};

use super::{Source, source};
use crate::{Budget, OutOfReach, Problem};

/// A problem with its number of layouts, and how to draw from it once that was asked for.
struct Part {
    problem: Problem,
    /// The layouts of this part and of those before it.
    up_to: u128,
    source: Option<Box<dyn Source>>,
}

/// Draws a part by its number of layouts, and a layout from it.
pub(super) struct Union {
    parts: Vec<Part>,
}

/// What drawing from a part may take: whatever it needs, since draws can't fail. Parts were counted within a budget.
const ANY: Budget = Budget { bytes: usize::MAX, steps: u64::MAX };

impl Union {
    /// The union of these problems; none if they have no layout.
    pub(super) fn new(problems: Vec<(Problem, u128)>) -> Result<Option<Self>, OutOfReach> {
        let (mut up_to, mut parts) = (0u128, Vec::new());
        for (problem, layouts) in problems.into_iter().filter(|(_, layouts)| *layouts > 0) {
            up_to = up_to.checked_add(layouts).ok_or(OutOfReach::Overflow)?;
            parts.push(Part { problem, up_to, source: None });
        }
        Ok((!parts.is_empty()).then_some(Self { parts }))
    }

    fn part(&mut self, rng: &mut dyn Rng) -> &mut dyn Source {
        let number = rng.random_range(0..self.parts.last().map_or(1, |part| part.up_to));
        let at = self.parts.partition_point(|part| part.up_to <= number);
        let Part { problem, source: made, .. } = &mut self.parts[at];
        made.get_or_insert_with(|| {
            let made = source(problem, &ANY.into()).ok().flatten();
            made.expect("a problem that was counted can be drawn from")
        })
        .as_mut()
    }
}

impl Source for Union {
    fn draw(&mut self, rng: &mut dyn Rng, ships: &mut Vec<Placement>) {
        self.part(rng).draw(rng, ships);
    }

    fn draw_cells(&mut self, rng: &mut dyn Rng) -> CellSet {
        self.part(rng).draw_cells(rng)
    }
}
