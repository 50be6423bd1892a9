//! The chromedriver process.

use std::io::{BufRead, BufReader, Lines};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};

use tempfile::TempDir;

pub(crate) const INSTALL: &str = "install Chromium and chromedriver, with ‘apt-get install chromium chromium-driver’ or your system's \
     packages; CHROMIUM and CHROMEDRIVER name the programs where they are not on the path";

/// How often chromedriver is started before it counts as missing.
const START_TRIES: u32 = 5;

/// A chromedriver of one's own, which ends with the value.
pub(crate) struct Driver {
    process: Child,
    // Kept open, so that the driver can go on talking.
    output: Lines<BufReader<ChildStdout>>,
    port: u16,
    profile: TempDir,
}

impl Driver {
    /// Starts chromedriver on a free port.
    pub(crate) fn start() -> Self {
        let started = (0..START_TRIES).find_map(|_| Self::try_start());
        started.unwrap_or_else(|| panic!("chromedriver doesn't start: {INSTALL}"))
    }

    /// `None` when it ends before it has a port: the system's choice may be taken by the time that it listens.
    fn try_start() -> Option<Self> {
        let program = std::env::var_os("CHROMEDRIVER").unwrap_or_else(|| "chromedriver".into());
        // Port 0 lets the system choose one; the driver tells which.
        let started =
            Command::new(&program).arg("--port=0").stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
        let mut process = started.unwrap_or_else(|error| panic!("{} can't be started ({error}): {INSTALL}", program.display()));
        let output = BufReader::new(process.stdout.take().expect("a pipe")).lines();
        let profile = TempDir::with_prefix("broadside-browser-").expect("a new folder");
        let mut driver = Self { process, output, port: 0, profile };
        driver.port = driver.output.by_ref().map_while(Result::ok).find_map(|line| port(&line))?;
        Some(driver)
    }

    pub(crate) fn address(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// An empty folder for the browser's profile.
    pub(crate) fn profile(&self) -> &Path {
        self.profile.path()
    }
}

/// The port in `ChromeDriver was started successfully on port 34567.`
fn port(line: &str) -> Option<u16> {
    line.split_once("started successfully on port ")?.1.trim_end_matches('.').parse().ok()
}

impl Drop for Driver {
    fn drop(&mut self) {
        // It fails only when the process has ended already.
        let _killed = self.process.kill();
        let _status = self.process.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::port;

    #[test]
    fn the_port_is_read_from_what_chromedriver_says() {
        assert_eq!(port("ChromeDriver was started successfully on port 34567."), Some(34567));
        assert_eq!(port("Starting ChromeDriver 148.0 on port 0"), None);
    }
}
