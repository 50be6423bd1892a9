//! Files that commands write: whole, or as they were before.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn broadside(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_broadside")).current_dir(folder).args(args).output().expect("the program runs")
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").file_name());
    let mut names: Vec<String> = entries.map(|name| name.to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// Runs a command that can't be done; the old file must still be there, and nothing beside it.
#[track_caller]
fn keeps_the_old_file(name: &str, args: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join(name), "old").unwrap();
    let output = broadside(folder.path(), args);
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(fs::read_to_string(folder.path().join(name)).unwrap(), "old");
    assert_eq!(names(folder.path()), [name]);
}

/// Runs a command that can't be done; no file must come of it.
#[track_caller]
fn leaves_nothing(args: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    let output = broadside(folder.path(), args);
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(names(folder.path()).is_empty(), "{:?}", names(folder.path()));
}

#[test]
fn a_saved_table_stays_until_a_new_one_is_found() {
    let out_of_reach = ["solve", "--board", "4x4", "--fleet", "3,2", "--budget", "300KB", "--save", "best.txt"];
    keeps_the_old_file("best.txt", &out_of_reach);
    leaves_nothing(&out_of_reach);
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("best.txt"), "old, and longer than the table that comes".repeat(100)).unwrap();
    let output = broadside(folder.path(), &["solve", "--board", "1x3", "--fleet", "2", "--save", "best.txt"]);
    assert!(output.status.success(), "{output:?}");
    let table = fs::read_to_string(folder.path().join("best.txt")).unwrap();
    assert!(!table.contains("old"), "{table}");
}

#[test]
fn an_impossible_log_makes_no_picture() {
    for command in [&["odds"][..], &["mask", "--length", "4"]] {
        for picture in ["board.svg", "board.png"] {
            let impossible = [command, &["--shots", "A1- J10#4 B5-", "--picture", picture]].concat();
            leaves_nothing(&impossible);
            keeps_the_old_file(picture, &impossible);
        }
    }
}

#[cfg(unix)]
#[test]
fn a_full_disk_leaves_the_pictures_of_a_replay_whole() {
    let folder = tempfile::tempdir().unwrap();
    let images = folder.path().join("images");
    fs::create_dir(&images).unwrap();
    fs::write(images.join("shot-001.svg"), "old").unwrap();
    // No file may grow past half a kilobyte, so none of the pictures fits.
    let script = "trap '' XFSZ; ulimit -f 1; exec \"$@\"";
    let mut command = Command::new("sh");
    command.args(["-c", script, "sh", env!("CARGO_BIN_EXE_broadside"), "replay", "--captain", "density", "--images"]);
    let output = command.arg(&images).output().expect("the program runs");
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(message.contains("can't write") && message.contains("shot-001.svg"), "{message}");
    assert_eq!(fs::read_to_string(images.join("shot-001.svg")).unwrap(), "old");
    assert_eq!(names(&images), ["shot-001.svg"]);
}

#[test]
fn there_is_a_manual_page_for_every_command() {
    let folder = tempfile::tempdir().unwrap();
    let output = broadside(folder.path(), &["man", "share/man1"]);
    assert!(output.status.success(), "{output:?}");
    let help = String::from_utf8(broadside(folder.path(), &["--help"]).stdout).unwrap();
    let commands = help.split_once("Commands:\n").expect("a list of commands").1.split_once("\n\n").expect("an end").0;
    let named = commands.lines().filter_map(|line| line.strip_prefix("  ")?.split(' ').next()).filter(|name| !name.is_empty());
    let named: Vec<&str> = named.filter(|&name| name != "help").collect();
    assert!(named.contains(&"odds") && named.contains(&"man"), "{named:?}");
    let pages = folder.path().join("share/man1");
    for name in named {
        let page = fs::read_to_string(pages.join(format!("broadside-{name}.1"))).expect(name);
        assert!(page.contains(".TH") && page.contains("Examples"), "{name}: {page}");
        assert!(page.contains("\\-\\-threads"), "{name} has the options that all commands take");
    }
    let program = fs::read_to_string(pages.join("broadside.1")).unwrap();
    assert!(program.contains("broadside\\-odds(1)"), "{program}");
    assert!(pages.join("broadside-bench-games.1").is_file());
    let refused = broadside(folder.path(), &["man", "/dev/null/pages"]);
    assert_eq!(refused.status.code(), Some(2));
}
