//! The paper's listing on a GPU: the first levels on the CPU, the last three ships in a compute shader.
//!
//! The CPU covers the hits and places ships until three are left (`placements`). Each such partial layout is an item: for each of
//! the three ships a set of placements that are still open. An invocation of the shader takes an item and a placement of one
//! ship, goes through the placements of the second and counts those of the third that go with all, a word of 32 at a time.
//! That is done once for every class among the three, so that every placement is counted and nothing has to be added
//! up between invocations while they run (`listing.wgsl`). Sums over items and over placements follow in a second pass, in 64-bit integers.
//!
//! **Numbers.** A class has at most 256 placements on a board of 128 cells, so the shader's entry for an item and a placement
//! is at most 2^16, the sum over an item's placements at most 2^24 and that over the 2^12 items of a piece at most 2^28: 32 bits hold
//! them. A sum over all items of a dispatch is at most 2^16 times its number of entries, which is less than 2^26: it can pass 32 bits,
//! but not 64. Everything else is added up on the CPU in 128 bits; the budget's steps, at most 2^64 of them, each find at most 2^8
//! layouts, so these can't overflow either.
//!
//! **Dispatches** are cut by the work that is in them and not by the clock, which engines don't have: a fixed number of words,
//! chosen for the slowest adapter. Faster ones need some more dispatches than they would, which costs them little.

mod adapter;
mod device;
mod dispatch;
mod placements;

use broadside_rules::ShotLog;

pub use adapter::{Adapter, AdapterChoice, AdapterKind, adapters};

use crate::transfer::add_up;
use crate::{Counts, OutOfReach, Problem, WorkLimits};
use device::Device;
use dispatch::{Dispatch, Tally};
use placements::LogPlacements;

/// How the shader keeps counts of 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Integers {
    /// In 64-bit integers, which not every adapter has.
    Native,
    /// In pairs of 32-bit words.
    Pairs,
}

/// The GPU can't be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GpuError {
    /// The machine has no adapter that can do it.
    #[error("no GPU was found, nor one in software: install its Vulkan driver, or use another engine")]
    NoAdapter,
    /// No adapter is the one that was asked for.
    #[error("no adapter has that name")]
    NoSuchAdapter,
    /// 64-bit integers were asked for.
    #[error("the adapter has no 64-bit integers")]
    NoInt64,
    /// The board is too large.
    #[error("the gpu engine takes boards of up to {} cells: use another engine", placements::CELLS)]
    TooLarge,
    /// The device was lost: its driver gave up, or it was taken away.
    #[error("the GPU was lost: its driver gave up, or it was taken away")]
    Lost,
    /// The device has no memory left.
    #[error("the GPU has no memory left")]
    OutOfMemory,
    /// The driver refused the work.
    #[error("the GPU's driver refused the work")]
    Refused,
    /// Sums that must be equal are not.
    #[error("the GPU's sums contradict each other: its driver can't be trusted")]
    Miscount,
}

/// How far a count has got.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Steps done.
    pub done: u64,
    /// Steps in all.
    pub total: u64,
}

/// A GPU opened for counting.
pub struct Gpu {
    device: Device,
}

/// How many logs are read at a time, which bounds the memory for them.
const LOGS: usize = 4096;

impl Gpu {
    /// Opens an adapter; counts are in its 64-bit integers where it has them, unless `integers` says how.
    ///
    /// # Errors
    /// When there is no such adapter, or its driver refuses.
    pub fn open(choice: &AdapterChoice, integers: Option<Integers>) -> Result<Self, GpuError> {
        Ok(Self { device: Device::open(choice, integers)? })
    }

    /// The adapter.
    pub fn adapter(&self) -> &Adapter {
        &self.device.adapter
    }

    /// How counts are kept.
    pub fn integers(&self) -> Integers {
        self.device.integers
    }

    /// The exact counts of a log.
    ///
    /// # Errors
    /// When that takes more steps than the budget has, it is stopped, or the GPU fails.
    pub fn count(&self, log: &ShotLog, limits: impl Into<WorkLimits>) -> Result<Counts, OutOfReach> {
        self.count_with_progress(log, limits, &mut |_| ())
    }

    /// The exact counts of a log, with a word on progress after every dispatch.
    ///
    /// # Errors
    /// When that takes more steps than the budget has, it is stopped, or the GPU fails.
    pub fn count_with_progress(
        &self,
        log: &ShotLog,
        limits: impl Into<WorkLimits>,
        watch: &mut dyn FnMut(Progress),
    ) -> Result<Counts, OutOfReach> {
        let limits = limits.into();
        if !log.called_turns().is_empty() {
            return add_up(log, &limits, |case| self.count_with_progress(case, limits.clone(), watch));
        }
        let mut counts = self.batch(std::slice::from_ref(log), &limits, watch)?;
        counts.swap_remove(0)
    }

    /// The exact counts of many logs at once, in their order. The budget's steps are for each log; one that takes more gets an
    /// error of its own.
    ///
    /// # Errors
    /// When it is stopped, or the GPU fails.
    pub fn count_many(
        &self,
        logs: &[ShotLog],
        limits: impl Into<WorkLimits>,
    ) -> Result<Vec<Result<Counts, OutOfReach>>, OutOfReach> {
        let limits = limits.into();
        if logs.iter().any(|log| !log.called_turns().is_empty()) {
            return Ok(logs.iter().map(|log| self.count(log, limits.clone())).collect());
        }
        let chunks = logs.chunks(LOGS).map(|logs| self.batch(logs, &limits, &mut |_| ()));
        Ok(chunks.collect::<Result<Vec<_>, _>>()?.concat())
    }

    fn batch(
        &self,
        logs: &[ShotLog],
        limits: &WorkLimits,
        watch: &mut dyn FnMut(Progress),
    ) -> Result<Vec<Result<Counts, OutOfReach>>, OutOfReach> {
        let read: Vec<Result<(LogPlacements, u64), OutOfReach>> = logs.iter().map(|log| read(log, limits)).collect();
        let total = read.iter().flatten().map(|(_, steps)| steps).sum();
        let (placements_by_log, failed): (Vec<_>, Vec<_>) = read
            .into_iter()
            .map(|read| match read {
                Ok((placements, _)) => (Some(placements), None),
                Err(error) => (None, Some(error)),
            })
            .unzip();
        let tallies = self.tallies(&placements_by_log, limits, &mut |done| watch(Progress { done, total }))?;
        let counts = logs.iter().zip(&placements_by_log).zip(&tallies).zip(failed).map(|(((log, placements), tally), failed)| {
            let grid = log.rules().grid();
            match (placements, tally) {
                (Some(placements), Some(tally)) => Ok(Counts::new(grid, tally.layouts, tally.cells(placements, grid.len()))),
                _ => Err(failed.unwrap_or(OutOfReach::Steps)),
            }
        });
        Ok(counts.collect())
    }

    /// Counts all logs, one dispatch after the other.
    fn tallies(
        &self,
        placements_by_log: &[Option<LogPlacements>],
        limits: &WorkLimits,
        done: &mut dyn FnMut(u64),
    ) -> Result<Vec<Option<Tally>>, OutOfReach> {
        let mut tallies: Vec<Option<Tally>> =
            placements_by_log.iter().map(|placements| placements.as_ref().map(Tally::new)).collect();
        let mut dispatch = Dispatch::new(placements_by_log, limits.budget.bytes);
        let mut steps = 0;
        let mut finish = |dispatch: &Dispatch| {
            limits.check()?;
            let packed = dispatch.packed();
            dispatch.add_sums(&packed, &self.device.run(&packed)?, &mut tallies)?;
            steps += dispatch.steps;
            done(steps);
            Ok::<(), OutOfReach>(())
        };
        for (log, placements) in
            placements_by_log.iter().enumerate().filter_map(|(log, placements)| Some((log, placements.as_ref()?)))
        {
            placements.each_item(&mut |item| {
                if item.is_some_and(|item| dispatch.push(log, placements, item)) {
                    finish(&dispatch)?;
                    dispatch = dispatch.cleared();
                }
                Ok::<(), OutOfReach>(())
            })?;
        }
        finish(&dispatch)?;
        Ok(tallies)
    }
}

/// The placements of a log, and how many steps it takes.
fn read(log: &ShotLog, limits: &WorkLimits) -> Result<(LogPlacements, u64), OutOfReach> {
    let placements = LogPlacements::new(&Problem::from_log(log))?;
    let steps = placements.all_steps(limits)?;
    Ok((placements, steps))
}
