//! A bot's process: lines to it, lines from it, and a hand on its use of the machine.

#![cfg(unix)]

use std::io::{self, ErrorKind, Read, Write};
use std::os::fd::AsFd;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use tempfile::TempDir;

use crate::sandbox::usage::{Usage, usage};
use crate::sandbox::{self, kill_all};
use crate::tail::Tail;
use crate::{BotCommand, Forfeit, Launcher, Resources};

/// What a bot may print before it answers, in bytes.
const MAX_ANSWER: usize = 1 << 20;

/// No line of a bot is longer than this, in bytes: the layout of the largest fleet is some 1,500.
const MAX_BOT_LINE: usize = 1 << 14;

/// How often the use of the machine is looked at while a bot thinks.
const LOOK: Duration = Duration::from_millis(20);

/// How long a bot may take to end after `quit`.
const QUIT: Duration = Duration::from_secs(1);

/// How long a bot that has closed its output may take to end: on a busy machine its launcher needs a moment too.
const LAST_MOMENT: Duration = Duration::from_secs(2);

/// A bot that runs.
pub(crate) struct BotProcess {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: ChildStdout,
    stderr: Option<ChildStderr>,
    /// What it has printed and nobody has read yet.
    printed: Vec<u8>,
    /// How much it has printed since it was last sent something.
    answer_bytes: usize,
    errors: Tail,
    resources: Resources,
    /// How many processes of the launcher are above those of the bot.
    depth: usize,
    started: Instant,
    closed: bool,
    killed: bool,
    _folder: TempDir,
}

/// The end of the time for an answer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deadline {
    /// By the clock on the wall.
    pub(crate) wall: Instant,
    /// By processor time since the process began.
    pub(crate) processor: Option<Duration>,
}

/// Why there is no line.
#[derive(Debug)]
pub(crate) enum NoLine {
    Late,
    Ended(ExitStatus),
    Closed,
    Flood(usize),
    Memory(u64),
    Processes(u64),
}

impl BotProcess {
    pub(crate) fn start(command: &BotCommand, launcher: &Launcher, resources: Resources, cores: &[usize]) -> io::Result<Self> {
        let folder = tempfile::Builder::new().prefix("broadside-bot-").tempdir()?;
        let mut start = launcher.command(command, resources, folder.path(), cores);
        start.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = sandbox::spawn(start)?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(stdin), Some(stdout), Some(stderr)) = pipes else { return Err(ErrorKind::BrokenPipe.into()) };
        dont_wait(&stdin)?;
        dont_wait(&stdout)?;
        dont_wait(&stderr)?;
        Ok(Self {
            child,
            stdin: Some(stdin),
            stdout,
            stderr: Some(stderr),
            printed: Vec::new(),
            answer_bytes: 0,
            errors: Tail::default(),
            resources,
            depth: launcher.depth(),
            started: Instant::now(),
            closed: false,
            killed: false,
            _folder: folder,
        })
    }

    /// Sends lines. What the bot doesn't take by the deadline is an error.
    pub(crate) fn send(&mut self, lines: &str, deadline: Instant) -> io::Result<()> {
        self.answer_bytes = 0;
        let mut rest = lines.as_bytes();
        while !rest.is_empty() {
            let stdin = self.stdin.as_mut().ok_or(ErrorKind::BrokenPipe)?;
            match stdin.write(rest) {
                Ok(written) => rest = &rest[written..],
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    if Instant::now() >= deadline {
                        return Err(ErrorKind::TimedOut.into());
                    }
                    self.wait(PollFlags::POLLOUT, LOOK)?;
                }
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// The next line without its end.
    pub(crate) fn receive(&mut self, deadline: Deadline) -> Result<String, NoLine> {
        loop {
            if let Some(line) = self.take_line() {
                return Ok(line);
            }
            if self.printed.len() > MAX_BOT_LINE {
                return Err(NoLine::Flood(MAX_BOT_LINE));
            }
            if self.answer_bytes > MAX_ANSWER {
                return Err(NoLine::Flood(MAX_ANSWER));
            }
            if self.closed {
                return Err(self.end());
            }
            self.wait_for_line(deadline)?;
        }
    }

    /// A line that is there already.
    pub(crate) fn take_line(&mut self) -> Option<String> {
        let end = self.printed.iter().position(|&byte| byte == b'\n')?;
        let line = String::from_utf8_lossy(&self.printed[..end]).trim_end_matches('\r').to_owned();
        self.printed.drain(..=end);
        Some(line)
    }

    fn wait_for_line(&mut self, deadline: Deadline) -> Result<(), NoLine> {
        let now = Instant::now();
        if now >= deadline.wall {
            return Err(NoLine::Late);
        }
        let heard = self.wait(PollFlags::empty(), LOOK.min(deadline.wall - now)).unwrap_or(true);
        if !heard || self.answer_bytes > MAX_BOT_LINE {
            self.look(deadline)?;
        }
        self.read();
        Ok(())
    }

    /// Whether the bot keeps to its limits.
    fn look(&self, deadline: Deadline) -> Result<(), NoLine> {
        let usage = self.usage();
        if usage.memory > self.resources.memory {
            return Err(NoLine::Memory(self.resources.memory));
        }
        if usage.processes > self.resources.processes {
            return Err(NoLine::Processes(self.resources.processes));
        }
        if deadline.processor.is_some_and(|end| usage.processor > end) {
            return Err(NoLine::Late);
        }
        Ok(())
    }

    /// What it uses now.
    pub(crate) fn usage(&self) -> Usage {
        usage(self.child.id(), self.depth)
    }

    /// Waits until there is something to read or, if asked for, until something can be written; `false` when nothing happened.
    fn wait(&mut self, for_input: PollFlags, time: Duration) -> io::Result<bool> {
        let mut ends = vec![PollFd::new(self.stdout.as_fd(), PollFlags::POLLIN)];
        ends.extend(self.stderr.as_ref().map(|stderr| PollFd::new(stderr.as_fd(), PollFlags::POLLIN)));
        if let Some(stdin) = self.stdin.as_ref().filter(|_| !for_input.is_empty()) {
            ends.push(PollFd::new(stdin.as_fd(), for_input));
        }
        // Rounded up, so that the last wait isn't many empty ones.
        let time = PollTimeout::try_from(time + Duration::from_micros(999)).unwrap_or(PollTimeout::MAX);
        Ok(poll(&mut ends, time).map_err(io::Error::from)? > 0)
    }

    /// Reads what is there.
    fn read(&mut self) {
        let mut buffer = [0; 1 << 13];
        match self.stdout.read(&mut buffer) {
            Ok(0) => self.closed = true,
            Ok(read) => {
                self.answer_bytes += read;
                self.printed.extend_from_slice(&buffer[..read]);
            }
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => {}
            Err(_) => self.closed = true,
        }
        self.read_errors();
    }

    /// Keeps what it writes to standard error. One piece at a time, so that nobody can hold up the rest by writing there.
    fn read_errors(&mut self) {
        let mut buffer = [0; 1 << 13];
        match self.stderr.as_mut().map(|stderr| stderr.read(&mut buffer)) {
            Some(Ok(read)) if read > 0 => self.errors.add(&buffer[..read]),
            Some(Err(error)) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => {}
            _ => self.stderr = None,
        }
    }

    /// Whether it ended or only closed its output.
    fn end(&mut self) -> NoLine {
        match self.wait_for_end(LAST_MOMENT) {
            Some(status) => NoLine::Ended(status),
            None => NoLine::Closed,
        }
    }

    fn wait_for_end(&mut self, time: Duration) -> Option<ExitStatus> {
        let end = Instant::now() + time;
        loop {
            if let Ok(Some(status)) = self.child.try_wait() {
                return Some(status);
            }
            if Instant::now() >= end {
                return None;
            }
            self.read();
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    /// Asks it to end, and waits a moment. Says whether it did.
    pub(crate) fn quit(mut self) -> (bool, Tail) {
        // A bot that has closed its input is about to end, or will be made to.
        _ = self.send("quit\n", Instant::now() + LOOK);
        self.stdin = None;
        let ended = self.wait_for_end(QUIT).is_some();
        self.read_errors();
        (ended, std::mem::take(&mut self.errors))
    }

    /// Kills it. Gives what it wrote to standard error.
    pub(crate) fn kill(mut self) -> Tail {
        self.kill_now();
        self.read_errors();
        std::mem::take(&mut self.errors)
    }

    fn kill_now(&mut self) {
        if !std::mem::replace(&mut self.killed, true) {
            kill_all(&mut self.child);
        }
    }

    /// How long it has been running.
    pub(crate) fn age(&self) -> Duration {
        self.started.elapsed()
    }
}

impl Drop for BotProcess {
    fn drop(&mut self) {
        self.kill_now();
    }
}

fn dont_wait(pipe: &impl AsFd) -> io::Result<()> {
    fcntl(pipe, FcntlArg::F_SETFL(OFlag::O_NONBLOCK))?;
    Ok(())
}

impl NoLine {
    /// What it means when this was asked, after so many lines that are none of UBI's.
    pub(crate) fn forfeit(self, command: &'static str, limit: Duration, ignored: usize, first: Option<String>) -> Forfeit {
        match self {
            Self::Late => Forfeit::Late { command, limit, ignored, first },
            Self::Ended(status) => Forfeit::Exited { command, status: status_words(status), ignored, first },
            Self::Closed => Forfeit::ClosedOutput(command),
            Self::Flood(bytes) => Forfeit::Flood(bytes, command),
            Self::Memory(bytes) => Forfeit::Memory(bytes),
            Self::Processes(number) => Forfeit::Processes(number),
        }
    }
}

/// How a process ended. The launcher passes on the signal that killed a bot as 128 and its number, as shells do.
fn status_words(status: ExitStatus) -> String {
    match status.code() {
        Some(code @ 129..=159) => {
            let signal = nix::sys::signal::Signal::try_from(code - 128);
            signal.map_or_else(|_| format!("status {code}"), |signal| format!("killed by {signal}"))
        }
        Some(code) => format!("status {code}"),
        None => status.to_string(),
    }
}
