//! Threads for what may take its time: they leave the processor to those that people wait for.

#[cfg(target_os = "linux")]
use rustix::process::{getpriority_process, setpriority_process};
#[cfg(target_os = "linux")]
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

/// Lowers the priority of this thread and of those that it starts to a nice value of up to 19, unless it is as low already, and keeps
/// them off the first core where there are several. Elsewhere than on Linux nothing happens: priorities are the whole program's there.
///
/// A low priority alone isn't enough. A thread that has just used its share of a core and wakes up again waits there for the next
/// tick of the scheduler, 4 ms or longer, whatever the priority of who has the core. An answer that passes through several threads
/// would wait so several times.
pub fn lower_priority(nice: u8) {
    #[cfg(target_os = "linux")]
    if let Err(error) = set_nice_at_least(nice.into()).and_then(|()| leave_first_core()) {
        tracing::warn!(%error, "the priority of a thread could not be lowered");
    }
    #[cfg(not(target_os = "linux"))]
    let _ = nice;
}

/// Keeps this thread on the first core, which those of lower priority leave to others. For a thread that many wait for and that
/// takes little time itself: on any other core it would wait behind them again and again, also while the first one is idle. Elsewhere
/// than on Linux nothing happens.
pub fn keep_to_first_core() {
    #[cfg(target_os = "linux")]
    if let Err(error) = stay_on_first_core() {
        tracing::warn!(%error, "a thread could not be kept on the first core");
    }
}

/// A value and not a step: threads start with that of the thread that starts them, and steps would add up.
#[cfg(target_os = "linux")]
fn set_nice_at_least(nice: i32) -> rustix::io::Result<()> {
    if getpriority_process(None)? < nice { setpriority_process(None, nice) } else { Ok(()) }
}

#[cfg(target_os = "linux")]
fn leave_first_core() -> rustix::io::Result<()> {
    let mut cores = sched_getaffinity(None)?;
    match first_of(&cores) {
        Some(first) if cores.count() > 1 => {
            cores.unset(first);
            sched_setaffinity(None, &cores)
        }
        _ => Ok(()),
    }
}

#[cfg(target_os = "linux")]
fn stay_on_first_core() -> rustix::io::Result<()> {
    let Some(first) = first_of(&sched_getaffinity(None)?) else { return Ok(()) };
    let mut only = CpuSet::new();
    only.set(first);
    sched_setaffinity(None, &only)
}

#[cfg(target_os = "linux")]
fn first_of(cores: &CpuSet) -> Option<usize> {
    (0..CpuSet::MAX_CPU).find(|&core| cores.is_set(core))
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::thread;

    use super::*;

    #[test]
    fn a_thread_of_lower_priority_leaves_one_core_to_others_if_there_are_several() {
        let before = sched_getaffinity(None).unwrap();
        let nice = getpriority_process(None).unwrap();
        let (left, lowered) = thread::spawn(|| {
            lower_priority(3);
            lower_priority(2);
            lower_priority(3);
            (sched_getaffinity(None).unwrap(), getpriority_process(None).unwrap())
        })
        .join()
        .unwrap();
        assert_eq!(left.count(), (before.count() - 1).max(1));
        assert_eq!(lowered, nice.max(3), "the values don't add up");
        assert_eq!(sched_getaffinity(None).unwrap().count(), before.count(), "other threads stay as they are");
    }

    #[test]
    fn a_thread_that_keeps_to_the_first_core_has_no_core_in_common_with_those_of_lower_priority() {
        let cores_after = |change: fn()| {
            let changed = move || {
                change();
                sched_getaffinity(None).unwrap()
            };
            thread::spawn(changed).join().unwrap()
        };
        let (all, kept, left) =
            (sched_getaffinity(None).unwrap(), cores_after(keep_to_first_core), cores_after(|| lower_priority(0)));
        assert_eq!((kept.count(), first_of(&kept)), (1, first_of(&all)));
        let common = (0..CpuSet::MAX_CPU).filter(|&core| kept.is_set(core) && left.is_set(core)).count();
        assert_eq!(common, usize::from(all.count() == 1));
    }
}
