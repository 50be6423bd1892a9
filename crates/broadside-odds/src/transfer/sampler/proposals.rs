//! Layouts by rejection: proposals are drawn until one has no clash.
//!
//! Each proposal is as likely as any other, and each layout has equally many of them (see [`super::covers`]), so what is kept
//! is exactly uniform, however many are thrown away.

use rand::Rng;

use super::covers::{Covers, Step};
use super::random::wide_product;
use super::ships::{Ships, Words, add, meet};

/// Draws proposals.
#[derive(Debug)]
pub(super) struct Proposals<const W: usize> {
    pub(super) ships: Ships<W>,
    covers: Covers,
    /// For each step that places free ships, what it draws.
    draws: Vec<Vec<Draws>>,
}

/// Some draws from one random word: the word is a fraction, and a product with the number of choices gives a choice before
/// the point and the fraction for the next draw after it (Brackett-Rozinsky and Lemire, *Batched ranged random integer
/// generation*, 2024).
#[derive(Debug)]
struct Draws {
    /// First placement and number of placements.
    lists: Vec<(u32, u32)>,
    /// What is left of the word must not be below this, or some choices would be likelier than others.
    least: u64,
}

impl<const W: usize> Proposals<W> {
    /// The proposals of some ships; `None` when there are none, or too many to count.
    pub(super) fn new(ships: Ships<W>) -> Option<Self> {
        let covers = Covers::new(&ships)?;
        let draws = |step: &Step| match step {
            Step::Free(left) => {
                batches(left.iter().zip(&ships.free).flat_map(|(&left, free)| vec![(free.start, free.len()); left]))
            }
            Step::Cover(_) => vec![],
        };
        let draws = covers.steps.iter().map(draws).collect();
        Some(Self { ships, covers, draws })
    }

    /// Draws a proposal: the indices of its ships, and its cells; `None` when ships clash.
    #[inline]
    pub(super) fn attempt(&self, drawn: &mut Vec<u32>, rng: &mut (impl Rng + ?Sized)) -> Option<Words<W>> {
        drawn.clear();
        let (mut cells, mut taken) = ([0; W], [0; W]);
        let mut put = |index: u32| {
            let ship = &self.ships.list[index as usize];
            if meet(&ship.cells, &taken) {
                return None;
            }
            add(&mut cells, &ship.cells);
            add(&mut taken, &ship.blocked);
            drawn.push(index);
            Some(())
        };
        let mut at = self.covers.first as usize;
        while let Step::Cover(choices) = &self.covers.steps[at] {
            let choice = self.covers.choose(choices, rng);
            put(choice.ship)?;
            at = choice.next as usize;
        }
        for draws in &self.draws[at] {
            let mut fraction = rng.next_u64();
            for &(first, choices) in &draws.lists {
                let (choice, rest) = wide_product(fraction, u64::from(choices));
                fraction = rest;
                put(first + choice as u32)?;
            }
            if fraction < draws.least {
                return None;
            }
        }
        Some(cells)
    }

    /// The steps to cover the hits.
    pub(super) fn covers(&self) -> &Covers {
        &self.covers
    }
}

/// Draws from lists of placements, in batches that take a word each.
fn batches(lists: impl Iterator<Item = (u32, usize)>) -> Vec<Draws> {
    let mut batches: Vec<Draws> = vec![];
    let mut product = u64::MAX;
    for (first, choices) in lists {
        // With 16 bits to spare, hardly any draw is lost.
        let more = product.checked_mul(choices as u64).filter(|product| *product < 1 << 48);
        product = more.unwrap_or_else(|| {
            batches.push(Draws { lists: vec![], least: 0 });
            choices as u64
        });
        if let Some(batch) = batches.last_mut() {
            batch.lists.push((first, choices as u32));
            batch.least = product.wrapping_neg() % product.max(1);
        }
    }
    batches
}
