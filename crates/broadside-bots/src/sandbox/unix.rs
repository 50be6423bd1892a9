//! Processes on Unix: starting them, their limits, and killing them with all that they have started.

use std::fs::OpenOptions;
use std::io;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus};
use std::sync::OnceLock;
use std::sync::mpsc::{Sender, channel};
use std::thread;

use nix::sys::resource::{Resource, setrlimit};
use nix::sys::signal::{Signal, kill, killpg};
use nix::unistd::{Pid, dup2_stderr, dup2_stdin, dup2_stdout};

use super::{LaunchError, LaunchSpec, Stage};

/// The largest file that a bot may write, in bytes.
const FILE_SIZE: u64 = 64 << 20;

/// How many files a bot may have open.
const OPEN_FILES: u64 = 256;

type Job = Box<dyn FnOnce() + Send>;

/// Starts a process from a thread that lives as long as the program. The kernel kills a launcher when the *thread* that
/// started it ends, which is meant for the end of the program.
pub(crate) fn spawn(mut command: Command) -> io::Result<Child> {
    static STARTER: OnceLock<Sender<Job>> = OnceLock::new();
    let starter = STARTER.get_or_init(|| {
        let (sender, jobs) = channel::<Job>();
        thread::spawn(move || jobs.iter().for_each(|job| job()));
        sender
    });
    let (answer, child) = channel();
    let job = move || _ = answer.send(command.process_group(0).spawn());
    starter.send(Box::new(job)).map_err(|_| io::ErrorKind::Other)?;
    child.recv().map_err(io::Error::other)?
}

/// Kills a process that [`spawn`] has started, and all that it has started. Waits for its end.
pub(crate) fn kill_all(child: &mut Child) {
    let group = Pid::from_raw(child.id().cast_signed());
    // In namespaces the second process of the group is the first of its namespace: with it the kernel kills all others.
    // Elsewhere the launcher adopts what the bot leaves, so none is missing below it.
    for _ in 0..2 {
        kill_each(super::usage::descendants(child.id()));
    }
    _ = killpg(group, Signal::SIGKILL);
    _ = child.wait();
}

/// The launcher.
pub(super) fn run(spec: LaunchSpec) -> Result<u8, LaunchError> {
    #[cfg(target_os = "linux")]
    return super::linux::run(spec);
    #[cfg(not(target_os = "linux"))]
    match spec.stage {
        Stage::Outside => start_bot(&spec),
        Stage::Inside | Stage::Probe => Err(LaunchError("there are no namespaces on this system".to_owned())),
    }
}

pub(super) fn error(what: &str) -> impl FnOnce(nix::Error) -> LaunchError + use<'_> {
    move |cause| LaunchError(format!("{what}: {}", cause.desc()))
}

/// Sets the limits and starts the bot. Gives the status that it ends with.
pub(super) fn start_bot(spec: &LaunchSpec) -> Result<u8, LaunchError> {
    debug_assert_ne!(spec.stage, Stage::Probe);
    set_limits(spec).map_err(error("its limits can't be set"))?;
    let mut command = Command::new(&spec.program);
    let bot = command.args(&spec.arguments).current_dir(&spec.folder).spawn();
    let status = wait_for(bot.map_err(|cause| LaunchError(format!("{}: {cause}", spec.program.display())))?);
    // What the bot has left was adopted by this process.
    kill_each(super::usage::descendants(std::process::id()));
    status
}

fn kill_each(pids: impl IntoIterator<Item = u32>) {
    for pid in pids {
        _ = kill(Pid::from_raw(pid.cast_signed()), Signal::SIGKILL);
    }
}

/// Waits for a process without keeping its pipes open: whoever reads them shall see when the bot has closed them.
pub(super) fn wait_for(mut child: Child) -> Result<u8, LaunchError> {
    let null = OpenOptions::new().read(true).write(true).open("/dev/null");
    if let Ok(null) = null {
        _ = dup2_stdin(&null);
        _ = dup2_stdout(&null);
        _ = dup2_stderr(&null);
    }
    let status = child.wait().map_err(|cause| LaunchError(cause.to_string()))?;
    Ok(status_code(status))
}

/// The status of a process as shells have it: 128 and the number of the signal that killed it.
pub(super) fn status_code(status: ExitStatus) -> u8 {
    let code = status.code().or_else(|| status.signal().map(|signal| 128 + signal));
    code.and_then(|code| u8::try_from(code).ok()).unwrap_or(u8::MAX)
}

fn set_limits(spec: &LaunchSpec) -> nix::Result<()> {
    setrlimit(Resource::RLIMIT_CORE, 0, 0)?;
    setrlimit(Resource::RLIMIT_FSIZE, FILE_SIZE, FILE_SIZE)?;
    setrlimit(Resource::RLIMIT_NOFILE, OPEN_FILES, OPEN_FILES)?;
    // Not the address space, of which some languages reserve far more than they use.
    setrlimit(Resource::RLIMIT_DATA, spec.memory, spec.memory)?;
    #[cfg(target_os = "linux")]
    if spec.namespaces {
        // Elsewhere this would count all other processes of the user too.
        setrlimit(Resource::RLIMIT_NPROC, spec.processes, spec.processes)?;
    }
    Ok(())
}
