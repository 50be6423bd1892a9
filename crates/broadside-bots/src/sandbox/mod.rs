//! Starting a bot so that it can do little harm.
//!
//! A bot is started through a *launcher*: this program itself, started again with a hidden command, because what has to be
//! done between making a process and running the bot can't be done in safe Rust in the program that makes it. On Linux, where
//! user namespaces are allowed, the launcher gives the bot namespaces of its own, in three steps:
//!
//! 1. *outside* makes the namespaces (user, processes, network, mounts, IPC) and starts itself again inside them;
//! 2. *inside* is the first process of the new namespace. It mounts `/proc`, an empty folder for the bot, and makes all other
//!    file systems read-only; it gives up the rights that it needed for this, sets the limits and starts the bot;
//! 3. the bot runs, and when it ends or *inside* is killed, the kernel kills all processes of the namespace.
//!
//! Without namespaces, *outside* sets the limits and starts the bot. It adopts all processes that the bot leaves, so that they
//! can be found and killed.

#[cfg(target_os = "linux")]
mod linux;
#[cfg(unix)]
mod unix;
#[cfg(unix)]
pub(crate) mod usage;

use std::ffi::OsString;
use std::fmt;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde::{Deserialize, Serialize};

use crate::{BotCommand, Resources};

#[cfg(unix)]
pub(crate) use unix::{kill_all, spawn};

/// What a bot is kept from on this system. Its text says it plainly.
#[expect(clippy::struct_excessive_bools, reason = "each can be there without the others")]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Protection {
    /// It has no network, and sees no processes but its own; none of them survives it.
    pub namespaces: bool,
    /// It sees only its own processes in `/proc`.
    pub own_proc: bool,
    /// Its folder is its own, empty, in memory, and gone when it ends.
    pub own_folder: bool,
    /// It can't write to any file outside its folder.
    pub read_only: bool,
    /// Limits for memory, processes, and the size of files are set.
    pub limits: bool,
}

impl fmt::Display for Protection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.limits {
            return f.write_str("bots run WITHOUT protection: only their time is limited");
        }
        if !self.namespaces {
            return f.write_str(
                "bots run with limits for time, memory and processes, in an empty folder, but WITH network and with your rights: \
                 this system gives no namespaces",
            );
        }
        f.write_str("bots run without network, with processes of their own and limits for time, memory and processes")?;
        let mut but = Vec::new();
        if !self.read_only || !self.own_folder {
            but.push("they can write where you can");
        }
        if !self.own_proc {
            but.push("they see the other processes");
        }
        if but.is_empty() {
            f.write_str(", and write only to an empty folder of their own")
        } else {
            write!(f, ", BUT {}", but.join(", and "))
        }
    }
}

/// How bots are started.
///
/// The program that uses this crate passes the arguments of its hidden command to [`run_launcher`].
#[derive(Clone, Debug)]
pub struct Launcher {
    /// The command that ends in [`run_launcher`]; `None` starts bots directly.
    start: Option<(PathBuf, Vec<String>)>,
    protection: Protection,
}

/// What the launcher is to do, as its only argument.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct LaunchSpec {
    stage: Stage,
    namespaces: bool,
    memory: u64,
    processes: u64,
    cores: Vec<usize>,
    folder: PathBuf,
    program: PathBuf,
    arguments: Vec<String>,
    /// The command that starts the launcher again.
    launcher: Vec<String>,
    parent: u32,
    user: u32,
    group: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Stage {
    Outside,
    Inside,
    /// As `Inside`, but it only says what was possible.
    Probe,
}

impl Launcher {
    /// Starts bots directly, without any protection but a time limit: for bots that you trust as yourself.
    pub fn direct() -> Self {
        Self { start: None, protection: Protection::default() }
    }

    /// Starts bots through this command, which must pass the words that follow to [`run_launcher`]. Finds out what protection
    /// the system offers. To start this very program again, give `/proc/self/exe`.
    pub fn new(program: impl Into<PathBuf>, arguments: &[&str]) -> Self {
        let arguments = arguments.iter().map(|&word| word.to_owned()).collect();
        let mut launcher = Self { start: Some((program.into(), arguments)), protection: Protection::default() };
        launcher.protection = launcher.probe();
        launcher
    }

    /// The same without namespaces, as on systems that give none: bots have network and the user's rights.
    #[must_use]
    pub fn without_namespaces(self) -> Self {
        let protection = Protection { limits: self.protection.limits, ..Protection::default() };
        Self { protection, ..self }
    }

    /// What bots are kept from.
    pub fn protection(&self) -> Protection {
        self.protection
    }

    /// How many processes of the launcher are above those of the bot.
    pub(crate) fn depth(&self) -> usize {
        match self.start {
            None => 0,
            Some(_) => 1 + usize::from(self.protection.namespaces),
        }
    }

    /// The command that starts a bot in this folder, on these cores (none: on any).
    pub(crate) fn command(&self, bot: &BotCommand, resources: Resources, folder: &std::path::Path, cores: &[usize]) -> Command {
        match &self.start {
            None => {
                let mut command = Command::new(bot.program());
                command.args(bot.arguments()).current_dir(folder);
                command
            }
            Some(start) => {
                let spec = self.spec(start, bot, resources, folder.to_owned(), cores);
                Self::start_command(start, &spec)
            }
        }
    }

    fn start_command((program, arguments): &(PathBuf, Vec<String>), spec: &LaunchSpec) -> Command {
        let mut command = Command::new(program);
        command.args(arguments).arg(serde_json::to_string(spec).expect("numbers and texts"));
        command.current_dir(&spec.folder);
        command
    }

    fn spec(
        &self,
        (program, arguments): &(PathBuf, Vec<String>),
        bot: &BotCommand,
        resources: Resources,
        folder: PathBuf,
        cores: &[usize],
    ) -> LaunchSpec {
        let (user, group) = user_and_group();
        let launcher = std::iter::once(program.to_string_lossy().into_owned()).chain(arguments.iter().cloned());
        LaunchSpec {
            stage: Stage::Outside,
            namespaces: self.protection.namespaces,
            memory: resources.memory,
            processes: resources.processes,
            cores: cores.to_vec(),
            folder,
            program: bot.program().to_owned(),
            arguments: bot.arguments().to_vec(),
            launcher: launcher.collect(),
            parent: std::process::id(),
            user,
            group,
        }
    }

    /// Tries everything once and says what works.
    fn probe(&self) -> Protection {
        let limits_only = Protection { limits: cfg!(unix), ..Protection::default() };
        let Some(start) = self.start.as_ref().filter(|_| cfg!(target_os = "linux")) else { return limits_only };
        let Ok(folder) = tempfile::tempdir() else { return limits_only };
        let nobody = BotCommand::nobody();
        let spec = self.spec(start, &nobody, Resources::default(), folder.path().to_owned(), &[]);
        let spec = LaunchSpec { stage: Stage::Probe, namespaces: true, ..spec };
        let output = Self::start_command(start, &spec).stdin(Stdio::null()).stderr(Stdio::null()).output();
        let found = output.ok().and_then(|output| serde_json::from_slice(&output.stdout).ok());
        found.unwrap_or(limits_only)
    }
}

#[cfg(unix)]
fn user_and_group() -> (u32, u32) {
    (nix::unistd::geteuid().as_raw(), nix::unistd::getegid().as_raw())
}

#[cfg(not(unix))]
fn user_and_group() -> (u32, u32) {
    (0, 0)
}

/// Why a launcher gives up, in words.
#[derive(Debug, thiserror::Error)]
#[error("can't start the bot: {0}")]
pub struct LaunchError(String);

/// What the launcher is to do: call it with the words that follow the launcher's command. It must be the first thing that the
/// program does, before it starts any thread. Gives the status to exit with.
///
/// # Errors
/// When the bot can't be started.
pub fn run_launcher(words: &[OsString]) -> Result<u8, LaunchError> {
    let spec = words.first().and_then(|word| word.to_str()).and_then(|text| serde_json::from_str(text).ok());
    let spec: LaunchSpec = spec.ok_or_else(|| LaunchError("this command is for the referee of bots alone".to_owned()))?;
    run(spec)
}

#[cfg(unix)]
fn run(spec: LaunchSpec) -> Result<u8, LaunchError> {
    unix::run(spec)
}

#[cfg(not(unix))]
fn run(_: LaunchSpec) -> Result<u8, LaunchError> {
    Err(LaunchError("bots need a Unix system".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn protection_is_said_plainly() {
        let all = Protection { namespaces: true, own_proc: true, own_folder: true, read_only: true, limits: true };
        assert!(all.to_string().ends_with("and write only to an empty folder of their own"));
        assert!(Protection { read_only: false, ..all }.to_string().contains("BUT they can write where you can"));
        assert!(Protection { namespaces: false, ..all }.to_string().contains("WITH network"));
        assert!(Protection::default().to_string().contains("WITHOUT protection"));
    }
}
