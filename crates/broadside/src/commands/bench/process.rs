//! This program as a server in a process of its own, for benchmarks that ask it.

use std::io::{self, BufRead, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};

use broadside_web::client::address_in;

use super::measure::{memory_kb, peak_memory_kb_of, reset_peak_memory};

/// This program as a server, until dropped.
pub(super) struct ServerProcess {
    child: Child,
    pub(super) address: SocketAddr,
    /// Kept open: the server may write to it.
    _out: Option<BufReader<ChildStdout>>,
}

impl ServerProcess {
    /// Starts a server on a free port of this machine, with its games in a folder.
    pub(super) fn start(folder: &Path, more: &[String]) -> io::Result<Self> {
        let mut command = Command::new(std::env::current_exe()?);
        command.args(["serve", "--addr", "127.0.0.1:0", "--data"]).arg(folder).args(more);
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn()?;
        let mut out = child.stdout.take().map(BufReader::new);
        let mut line = String::new();
        if let Some(out) = &mut out {
            out.read_line(&mut line)?;
        }
        let address = address_in(&line).ok_or_else(|| io::Error::other("it says no address"))?;
        Ok(Self { child, address, _out: out })
    }

    /// The memory of the process in megabytes, where the system has the number.
    pub(super) fn memory(&self) -> Option<f64> {
        memory_kb(self.child.id()).map(megabytes)
    }

    /// The most memory of the process since the last [`ServerProcess::forget_peak`] in megabytes, where the system has the
    /// number.
    pub(super) fn peak_memory(&self) -> Option<f64> {
        peak_memory_kb_of(self.child.id()).map(megabytes)
    }

    /// Starts to measure the peak of the memory anew, where the system can.
    pub(super) fn forget_peak(&self) {
        // Where it can't, peaks are those since the start, which are no smaller.
        _ = reset_peak_memory(self.child.id());
    }

    /// Whether the process still runs.
    pub(super) fn is_alive(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }
}

fn megabytes(kilobytes: u64) -> f64 {
    kilobytes as f64 / 1000.0
}

impl Drop for ServerProcess {
    fn drop(&mut self) {
        // It is of no use to anybody now, and its folder goes too.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}
