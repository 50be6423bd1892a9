//! The program as a server in a process of its own.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};

use broadside_web::client::address_in;

/// A server in a process of its own.
pub(crate) struct ServerProcess {
    pub(crate) child: Child,
    pub(crate) address: SocketAddr,
    _out: BufReader<ChildStdout>,
}

impl ServerProcess {
    pub(crate) fn start(address: &str, data: &Path) -> Self {
        Self::start_with(command(address, data))
    }

    pub(crate) fn start_with(mut command: Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).spawn().expect("the program starts");
        let mut out = BufReader::new(child.stdout.take().expect("an output"));
        let mut line = String::new();
        out.read_line(&mut line).expect("a line");
        Self { child, address: address_in(&line).expect("an address"), _out: out }
    }

    /// SIGKILL: the process gets no chance to do anything.
    pub(crate) fn kill(&mut self) {
        self.child.kill().expect("killed");
        self.child.wait().expect("ended");
    }
}

impl Drop for ServerProcess {
    fn drop(&mut self) {
        // Ended already in most tests.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

pub(crate) fn command(address: &str, data: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_broadside"));
    command.args(["serve", "--addr", address, "--data"]).arg(data).stdin(Stdio::null());
    command
}
