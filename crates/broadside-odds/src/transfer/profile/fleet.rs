//! How many ships of each class have been used, as one index.
//!
//! The numbers used are the digits of an index in mixed radix, the first class being the most
//! significant digit. A profile carries one number for every index. To use one more ship of a
//! class adds the class's stride to the index, unless its digit is at its limit already; so to shift a whole
//! vector is to add the stride to all indices, less those where the digit would come out as 0.

use super::step::Step;
use crate::Problem;

/// The index of ships used.
#[derive(Clone, Debug)]
pub(crate) struct FleetIndex {
    /// How many indices there are.
    pub(crate) len: usize,
    uses: Vec<Use>,
}

/// What using a ship of one class does to the index.
#[derive(Clone, Debug)]
pub(crate) struct Use {
    /// The length of the ship.
    length: usize,
    /// What is added to the index.
    pub(crate) stride: usize,
    /// For each index: all ones if it can be the result, all zeros if not.
    pub(crate) masks: Vec<u64>,
}

impl FleetIndex {
    /// The fleet of a problem; none if the indices are more than `limit`.
    pub(crate) fn new(problem: &Problem, limit: usize) -> Option<Self> {
        let radix = |class: usize| problem.classes[class].count + 1;
        let classes = problem.classes.len();
        let mut strides = vec![1_usize; classes + 1];
        for class in (0..classes).rev() {
            strides[class] = strides[class + 1].checked_mul(radix(class)).filter(|len| *len <= limit)?;
        }
        let len = strides[0];
        let uses =
            (0..classes).map(|class| Use::new(problem.classes[class].length, strides[class + 1], radix(class), len)).collect();
        Some(Self { len, uses })
    }

    /// The length of the ships of a class.
    pub(crate) fn length(&self, class: usize) -> usize {
        self.uses[class].length
    }

    /// The index after a move, if the ship that it uses is left.
    pub(crate) fn after(&self, index: usize, step: Step) -> Option<usize> {
        let Some(used) = self.used(step) else {
            return Some(index);
        };
        let after = index + used.stride;
        (*used.masks.get(after)? != 0).then_some(after)
    }

    /// What a move does to the index, if it uses a ship.
    #[inline]
    pub(crate) fn used(&self, step: Step) -> Option<&Use> {
        step.ship().map(|(class, _)| &self.uses[class])
    }

    /// How many cells of the row a move covers, if it is not the empty one.
    pub(crate) fn width(&self, step: Step) -> usize {
        match step.ship() {
            Some((class, false)) => self.uses[class].length,
            _ => 1,
        }
    }

    /// What a move adds to the index.
    #[inline]
    pub(crate) fn stride(&self, step: Step) -> usize {
        self.used(step).map_or(0, |used| used.stride)
    }
}

impl Use {
    fn new(length: usize, stride: usize, radix: usize, len: usize) -> Self {
        let mask = |index: usize| if (index / stride).is_multiple_of(radix) { 0 } else { u64::MAX };
        Self { length, stride, masks: (0..len).map(mask).collect() }
    }
}
