//! The launcher on Linux.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use nix::mount::{MsFlags, mount};
use nix::sched::{CloneFlags, CpuSet, sched_setaffinity, unshare};
use nix::sys::prctl;
use nix::sys::signal::Signal;
use nix::unistd::{Pid, getppid};

use super::unix::{error, start_bot, wait_for};
use super::{LaunchError, LaunchSpec, Protection, Stage};

/// Room in the folder of a bot.
const FOLDER_SIZE: &str = "size=64m,mode=0700";

pub(super) fn run(spec: LaunchSpec) -> Result<u8, LaunchError> {
    // Whoever has started this process shall not be outlived by it.
    prctl::set_pdeathsig(Signal::SIGKILL).map_err(error("can't listen for the end of the referee"))?;
    prctl::set_no_new_privs().map_err(error("can't refuse new rights"))?;
    match spec.stage {
        Stage::Inside => {
            inside(&spec);
            start_bot(&spec)
        }
        Stage::Probe if is_inside() => probe(&spec),
        Stage::Outside | Stage::Probe if getppid().as_raw().cast_unsigned() == spec.parent => outside(spec),
        Stage::Outside | Stage::Probe => Err(LaunchError("the referee has ended".to_owned())),
    }
}

/// Whether this is the first process of a namespace.
fn is_inside() -> bool {
    std::process::id() == 1
}

fn outside(spec: LaunchSpec) -> Result<u8, LaunchError> {
    set_cores(&spec.cores).map_err(error("can't choose its cores"))?;
    if !spec.namespaces {
        prctl::set_child_subreaper(true).map_err(error("can't adopt its processes"))?;
        return start_bot(&spec);
    }
    unshare(namespaces()).map_err(error("this system gives no namespaces"))?;
    map_user(0, spec.user, spec.group).map_err(|cause| LaunchError(cause.to_string()))?;
    let stage = if spec.stage == Stage::Probe { Stage::Probe } else { Stage::Inside };
    let spec = LaunchSpec { stage, ..spec };
    let (program, arguments) = spec.launcher.split_first().ok_or_else(|| LaunchError("there is no launcher".to_owned()))?;
    let mut command = Command::new(program);
    command.args(arguments).arg(serde_json::to_string(&spec).expect("numbers and texts"));
    wait_for(command.spawn().map_err(|cause| LaunchError(cause.to_string()))?)
}

fn namespaces() -> CloneFlags {
    CloneFlags::CLONE_NEWUSER
        | CloneFlags::CLONE_NEWPID
        | CloneFlags::CLONE_NEWNET
        | CloneFlags::CLONE_NEWNS
        | CloneFlags::CLONE_NEWIPC
}

fn set_cores(cores: &[usize]) -> nix::Result<()> {
    if cores.is_empty() {
        return Ok(());
    }
    let mut set = CpuSet::new();
    cores.iter().try_for_each(|&core| set.set(core))?;
    sched_setaffinity(Pid::from_raw(0), &set)
}

/// Makes the user of the namespace above known here, as this number.
fn map_user(inside: u32, user: u32, group: u32) -> std::io::Result<()> {
    // Refused where it is denied already, as it is in the second namespace.
    _ = fs::write("/proc/self/setgroups", "deny");
    fs::write("/proc/self/uid_map", format!("{inside} {user} 1"))?;
    fs::write("/proc/self/gid_map", format!("{inside} {group} 1"))
}

/// Sets up the file systems, and gives up the rights needed for it. Says what was possible.
fn inside(spec: &LaunchSpec) -> Protection {
    const NOTHING: Option<&str> = None;
    let private = mount(NOTHING, "/", NOTHING, MsFlags::MS_REC | MsFlags::MS_PRIVATE, NOTHING).is_ok();
    let safe = MsFlags::MS_NOSUID | MsFlags::MS_NODEV | MsFlags::MS_NOEXEC;
    let own_proc = private && mount(Some("proc"), "/proc", Some("proc"), safe, NOTHING).is_ok();
    let safe = MsFlags::MS_NOSUID | MsFlags::MS_NODEV;
    let own_folder = private && mount(Some("tmpfs"), &spec.folder, Some("tmpfs"), safe, Some(FOLDER_SIZE)).is_ok();
    let read_only = private && make_read_only(&spec.folder);
    drop_rights(spec);
    Protection { namespaces: true, own_proc, own_folder, read_only, limits: true }
}

/// A second user namespace, in which the bot is the user that it was and has no rights over the first.
fn drop_rights(spec: &LaunchSpec) {
    if unshare(CloneFlags::CLONE_NEWUSER).is_ok() {
        let (user, group) = (spec.user, spec.group);
        _ = fs::write("/proc/self/uid_map", format!("{user} 0 1"));
        _ = fs::write("/proc/self/gid_map", format!("{group} 0 1"));
    }
}

fn probe(spec: &LaunchSpec) -> Result<u8, LaunchError> {
    let found = inside(spec);
    let text = serde_json::to_string(&found).expect("words and truth values");
    std::io::stdout().write_all(text.as_bytes()).map_err(|cause| LaunchError(cause.to_string()))?;
    Ok(0)
}

/// Makes everything but the bot's folder read-only. Says whether that was possible everywhere.
fn make_read_only(folder: &Path) -> bool {
    let Ok(mounts) = fs::read_to_string("/proc/self/mountinfo") else { return false };
    let mut everywhere = true;
    for line in mounts.lines() {
        let Some((place, flags)) = mount_point(line) else { return false };
        // What was mounted over can't be reached any more, and can't be changed by its name.
        if place != folder && !place.starts_with("/proc") && !is_read_only(line) {
            let flags = flags | MsFlags::MS_BIND | MsFlags::MS_REMOUNT | MsFlags::MS_RDONLY;
            everywhere &= mount(None::<&str>, &place, None::<&str>, flags, None::<&str>).is_ok();
        }
    }
    everywhere
}

/// The sixth field of a line of `mountinfo` has the options of the mount itself.
fn options(line: &str) -> impl Iterator<Item = &str> {
    line.split(' ').nth(5).unwrap_or_default().split(',')
}

fn is_read_only(line: &str) -> bool {
    options(line).any(|option| option == "ro")
}

/// Where something is mounted, and the options that must stay as they are.
fn mount_point(line: &str) -> Option<(PathBuf, MsFlags)> {
    let flag = |option| match option {
        "nosuid" => MsFlags::MS_NOSUID,
        "nodev" => MsFlags::MS_NODEV,
        "noexec" => MsFlags::MS_NOEXEC,
        "noatime" => MsFlags::MS_NOATIME,
        "nodiratime" => MsFlags::MS_NODIRATIME,
        "relatime" => MsFlags::MS_RELATIME,
        _ => MsFlags::empty(),
    };
    let flags = options(line).map(flag).fold(MsFlags::empty(), |all, flag| all | flag);
    Some((PathBuf::from(unescaped(line.split(' ').nth(4)?)), flags))
}

/// Blanks and the like are written as `\040`.
fn unescaped(text: &str) -> String {
    let mut parts = text.split('\\');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |done, part| {
        let (code, rest) = part.split_at(part.len().min(3));
        let letter = u8::from_str_radix(code, 8).map_or_else(|_| format!("\\{code}"), |byte| char::from(byte).to_string());
        done + &letter + rest
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_mountinfo_is_read() {
        let line = r"36 35 98:0 /mnt1 /mnt\040two rw,nosuid,noatime master:1 - ext3 /dev/root rw,errors=continue";
        let (place, flags) = mount_point(line).unwrap();
        assert_eq!(place, Path::new("/mnt two"));
        assert_eq!(flags, MsFlags::MS_NOSUID | MsFlags::MS_NOATIME);
        assert!(!is_read_only(line) && is_read_only(&line.replace(" rw,n", " ro,n")));
        assert_eq!(mount_point("36 35"), None);
    }
}
