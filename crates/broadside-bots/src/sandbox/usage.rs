//! What the processes of a bot use, from `/proc`. Where there is none, nothing is known and nothing is limited.

use std::fs;
use std::time::Duration;

use nix::unistd::{SysconfVar, sysconf};

/// What a bot's processes use together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Usage {
    /// Processes and threads.
    pub(crate) processes: u64,
    /// Memory that they hold, in bytes.
    pub(crate) memory: u64,
    /// Processor time that they have used, with that of processes that have ended.
    pub(crate) processor: Duration,
}

/// All processes below one.
pub(crate) fn descendants(pid: u32) -> Vec<u32> {
    let mut found = children(pid);
    let mut next = 0;
    while let Some(&pid) = found.get(next) {
        found.extend(children(pid));
        next += 1;
    }
    found
}

/// The processes that any thread of this one has started.
fn children(pid: u32) -> Vec<u32> {
    let Ok(threads) = fs::read_dir(format!("/proc/{pid}/task")) else { return Vec::new() };
    let lists = threads.flatten().filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
    lists.flat_map(|list| list.split_whitespace().filter_map(|word| word.parse().ok()).collect::<Vec<u32>>()).collect()
}

/// What the processes below the launcher use, which is `depth` processes high.
pub(crate) fn usage(pid: u32, depth: usize) -> Usage {
    let top = (0..depth).try_fold(pid, |pid, level| if level == 0 { Some(pid) } else { children(pid).first().copied() });
    let Some(top) = top else { return Usage::default() };
    let mut pids = descendants(top);
    if depth == 0 {
        pids.push(pid);
    }
    pids.into_iter().filter_map(process).fold(Usage::default(), |sum, one| Usage {
        processes: sum.processes + one.processes,
        memory: sum.memory + one.memory,
        processor: sum.processor + one.processor,
    })
}

fn process(pid: u32) -> Option<Usage> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    parse_stat(&stat, system(SysconfVar::CLK_TCK), system(SysconfVar::PAGE_SIZE))
}

fn system(variable: SysconfVar) -> u64 {
    sysconf(variable).ok().flatten().and_then(|value| u64::try_from(value).ok()).unwrap_or(1)
}

/// Reads a line of `/proc/PID/stat` (see `man proc_pid_stat`): after the name in brackets, the fields from the third on.
fn parse_stat(stat: &str, ticks: u64, page: u64) -> Option<Usage> {
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let field = |number: usize| fields.get(number - 3)?.parse::<u64>().ok();
    // utime, stime, cutime, cstime
    let used = field(14)? + field(15)? + field(16)? + field(17)?;
    let processor = Duration::from_millis(used * 1000 / ticks.max(1));
    Some(Usage { processes: field(20)?, memory: field(24)? * page, processor })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_stat_is_read_whatever_the_name_is() {
        let stat = "77 (a b) c) S 1 77 77 0 -1 4194304 1 2 0 0 150 50 30 20 20 0 3 0 100 9999 256 18446744073709551615 1 1";
        let expected = Usage { processes: 3, memory: 256 * 4096, processor: Duration::from_millis(2500) };
        assert_eq!(parse_stat(stat, 100, 4096), Some(expected));
        assert_eq!(parse_stat("77 (sh) S 1", 100, 4096), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn this_process_uses_something() {
        let usage = usage(std::process::id(), 0);
        assert!(usage.processes >= 1 && usage.memory > 0, "{usage:?}");
    }
}
