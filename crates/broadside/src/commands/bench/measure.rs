//! Time and memory, as the benchmarks measure them.

use std::fs;
use std::io;
use std::time::{Duration, Instant};

/// How long some work takes, and its result.
pub(super) fn timed<T>(work: impl FnOnce() -> T) -> (Duration, T) {
    let start = Instant::now();
    let result = work();
    (start.elapsed(), result)
}

/// The middle one of some times.
pub(super) fn median(times: impl Iterator<Item = Duration>) -> Duration {
    let mut times: Vec<Duration> = times.collect();
    times.sort_unstable();
    times[times.len() / 2]
}

/// A time in microseconds.
pub(super) fn micros(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}

/// Seconds of processor time that this process has used, where the system has the number. Fields 14 and 15 of the line are
/// in hundredths of a second on every Linux (proc(5)); the name before them, in brackets, may contain blanks.
pub(super) fn processor_time() -> Option<f64> {
    let line = fs::read_to_string("/proc/self/stat").ok()?;
    let ticks: Vec<u64> = line.rsplit_once(')')?.1.split_whitespace().skip(11).take(2).filter_map(|t| t.parse().ok()).collect();
    (ticks.len() == 2).then(|| ticks.iter().sum::<u64>() as f64 / 100.0)
}

/// The most memory that this process has had, in kilobytes, where the system has the number.
pub(super) fn peak_memory_kb() -> Option<u64> {
    status_kb("self", "VmHWM:")
}

/// The memory that another process has now, in kilobytes, where the system has the number.
pub(super) fn memory_kb(process: u32) -> Option<u64> {
    status_kb(&process.to_string(), "VmRSS:")
}

/// The most memory that another process has had, in kilobytes, where the system has the number.
pub(super) fn peak_memory_kb_of(process: u32) -> Option<u64> {
    status_kb(&process.to_string(), "VmHWM:")
}

/// Lets the peak of another process's memory count from now (proc(5)).
pub(super) fn reset_peak_memory(process: u32) -> io::Result<()> {
    fs::write(format!("/proc/{process}/clear_refs"), "5")
}

/// A field of the status of a process (proc(5)).
fn status_kb(process: &str, field: &str) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    status.lines().find_map(|line| line.strip_prefix(field)?.trim().strip_suffix("kB")?.trim().parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_the_middle_one() {
        let times = [5, 1, 9].map(Duration::from_secs);
        assert_eq!(median(times.into_iter()), Duration::from_secs(5));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn linux_has_all_the_numbers() {
        assert!(peak_memory_kb().is_some_and(|kb| kb > 0));
        assert!(memory_kb(std::process::id()).is_some_and(|kb| kb > 0));
        assert!(processor_time().is_some());
        let peak = peak_memory_kb_of(std::process::id());
        assert!(peak.is_some());
        let large = vec![1_u8; 64 << 20];
        assert!(large.iter().all(|&byte| byte == 1) && peak_memory_kb_of(std::process::id()) > peak);
        drop(large);
        reset_peak_memory(std::process::id()).unwrap();
    }
}
