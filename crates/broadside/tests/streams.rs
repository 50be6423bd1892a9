//! What goes through pipes: boards from one command to the next, bad input of every kind, and ends that close early.

use std::io::{self, BufRead, BufReader, Read};
use std::process::{Command, Output, Stdio};

fn broadside(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_broadside"));
    command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Runs the program on an input of any length; what the program doesn't want to read is left.
fn run(args: &[&str], mut input: impl Read + Send + 'static) -> Output {
    let mut child = broadside(args).spawn().expect("the program starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let feeder = std::thread::spawn(move || io::copy(&mut input, &mut stdin));
    let output = child.wait_with_output().expect("the program ends");
    match feeder.join().expect("the feeder ends") {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => panic!("{error}"),
        _ => output,
    }
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("text")
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("text")
}

/// The request is refused with status 2, nothing on standard output and a short message with these words.
#[track_caller]
fn refused(args: &[&str], input: impl Read + Send + 'static, words: &str) {
    let output = run(args, input);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert_eq!(stdout(&output), "");
    let message = stderr(&output);
    assert!(message.contains(words) && message.starts_with("error: "), "{message}");
    assert!(message.len() < 2000 && !message.contains("panicked"), "{message}");
}

const NOTHING: &[u8] = b"";

#[test]
fn what_is_dealt_is_valid_in_both_forms() {
    for form in ["ships", "picture"] {
        for rules in [
            &["--preset", "classic"][..],
            &["--preset", "russian"],
            &["--preset", "sploosh", "--touch", "corners"],
            &["--board", "3x40", "--fleet", "5,4,1"],
        ] {
            let dealt = run(&[&["deal", "-n", "20", "--seed", "1", "--as", form], rules].concat(), NOTHING);
            assert_eq!(dealt.status.code(), Some(0), "{dealt:?}");
            let checked = run(&[&["validate", "--format", "json"], rules].concat(), io::Cursor::new(dealt.stdout));
            assert_eq!(checked.status.code(), Some(0), "{checked:?}");
            assert_eq!(stdout(&checked).lines().count(), 20);
            assert!(stdout(&checked).lines().all(|line| line.starts_with(r#"{"valid":true,"readings":"#)));
        }
    }
}

#[test]
fn asking_for_more_layouts_changes_none_of_the_first() {
    let (few, many) = (run(&["deal", "-n", "3", "--seed", "5"], NOTHING), run(&["deal", "-n", "30", "--seed", "5"], NOTHING));
    assert!(stdout(&many).starts_with(&stdout(&few)));
    assert_eq!(stdout(&many).lines().collect::<std::collections::HashSet<_>>().len(), 30);
    assert_ne!(run(&["deal", "-n", "3", "--seed", "6"], NOTHING).stdout, few.stdout);
}

#[test]
fn a_seed_that_was_drawn_is_told_and_deals_the_same_again() {
    let first = run(&["deal", "-n", "2"], NOTHING);
    let message = stderr(&first);
    let seed = message.split_whitespace().nth(1).expect("a seed");
    let again = run(&["deal", "-n", "2", "--seed", seed], NOTHING);
    assert_eq!((first.stdout, ""), (again.stdout.clone(), stderr(&again).as_str()));
}

#[test]
fn a_reader_that_has_enough_is_no_error() {
    let mut child = broadside(&["deal", "-n", "1000000000", "--seed", "1"]).spawn().expect("the program starts");
    let mut reader = BufReader::new(child.stdout.take().expect("a pipe"));
    reader.read_line(&mut String::new()).expect("a line");
    drop(reader);
    let output = child.wait_with_output().expect("the program ends");
    assert_eq!((output.status.code(), stderr(&output).as_str()), (Some(0), ""));
}

#[test]
fn a_long_stream_is_checked_board_by_board() {
    let boards = "A1-A3 C1-C2\n\nXX.X\n...X\n...X\n....\n\n".repeat(20_000);
    let output =
        run(&["validate", "--board", "4x4", "--fleet", "3,2", "--touch", "corners"], io::Cursor::new(boards.into_bytes()));
    assert_eq!(output.status.code(), Some(0));
    assert!(stdout(&output).ends_with("board 40000: valid\n40000 boards: 40000 valid, 0 invalid\n"));
}

#[test]
fn windows_line_ends_and_a_byte_order_mark_are_read() {
    let output = run(&["validate", "--board", "2x2", "--fleet", "2"], &b"\xef\xbb\xbfXX\r\n..\r\n\r\nA1-B1\r\n"[..]);
    assert_eq!(stdout(&output), "board 1: valid\nboard 2: valid\n2 boards: 2 valid, 0 invalid\n");
}

#[test]
fn input_without_a_board_is_refused() {
    refused(&["validate"], NOTHING, "there is no board");
    refused(&["validate", "-"], &b"\n\r\n  \n"[..], "there is no board");
}

#[test]
fn endless_lines_are_refused_at_once() {
    refused(&["validate"], io::repeat(b'0').take(10_000_000), "line 1 is longer than 4096 bytes");
    refused(&["validate"], io::repeat(b'A'), "line 1 is longer than 4096 bytes");
    refused(&["validate"], io::repeat(0), "line 1 is longer than 4096 bytes");
    refused(&["validate"], (&b"\n\n"[..]).chain(io::repeat(b' ')), "line 3 is longer than 4096 bytes");
}

#[test]
fn what_is_no_board_is_refused_with_its_line() {
    refused(&["validate"], &b"X..\n.?.\n"[..], "'?' at line 2, column 2");
    refused(&["validate"], &b"\n\nX..\n..\n"[..], "board 1 can't be read at line 4");
    refused(&["validate"], &b"X.\0\n"[..], "'\\0' at line 1, column 3");
    refused(&["validate"], &b"\xff\xfeX\0.\0"[..], "line 1 is not UTF-8 text");
    refused(&["validate"], &b"A1-B2\n"[..], "board 1 can't be read at line 1");
    refused(&["validate"], io::Cursor::new("A1 ".repeat(129)), "more than 128 ships");
    refused(&["validate"], io::Cursor::new(".\n".repeat(1_000_000)), "more than 64 rows");
    refused(&["validate"], io::Cursor::new(".".repeat(65)), "more than 64 squares");
}

#[test]
fn files_that_can_not_be_read_are_named() {
    refused(&["validate", "no-such-file"], NOTHING, "no-such-file");
    refused(&["validate", "."], NOTHING, "can't read .");
}

#[test]
fn rules_that_can_not_be_are_refused() {
    refused(&["count", "--board", "0x5"], NOTHING, "rows and columns must each be 1 to 64");
    refused(&["count", "--board", "65x1"], NOTHING, "rows and columns must each be 1 to 64");
    refused(&["deal", "--board", "tenxten"], NOTHING, "such as 10x10");
    refused(&["deal", "--fleet", "0"], NOTHING, "a number from 1 to 64");
    refused(&["deal", "--fleet", ""], NOTHING, "--fleet");
    refused(&["validate", "--fleet", &vec!["1"; 200].join(",")], NOTHING, "at most 128 ships");
    refused(&["validate", "--board", "4x4"], NOTHING, "a ship of length 5 fits neither");
    refused(
        &["count", "--board", "6x6", "--fleet", "4,3,3,2,2,2,1,1,1,1", "--touch", "never"],
        NOTHING,
        "the fleet can't be placed",
    );
}

#[test]
fn colours_are_only_for_those_who_want_them() {
    let board = || &b"A1-A3 B4-C4\n"[..];
    let args = ["validate", "--board", "4x4", "--fleet", "3,2", "--touch", "never"];
    assert!(!stdout(&run(&args, board())).contains('\x1b'));
    let mut child = broadside(&args).env("CLICOLOR_FORCE", "1").spawn().expect("the program starts");
    io::copy(&mut board(), &mut child.stdin.take().expect("a pipe")).expect("a short input");
    assert!(stdout(&child.wait_with_output().expect("the program ends")).contains('\x1b'));
}

#[cfg(target_os = "linux")]
#[test]
fn output_that_can_not_be_written_is_an_error_and_so_is_help() {
    for args in [&["--help"][..], &["--version"], &["odds", "--help"], &["deal", "--seed", "1"], &["completions", "bash"]] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("a full device");
        let output = broadside(args).stdin(Stdio::null()).stdout(full).output().expect("the program runs");
        assert_eq!(output.status.code(), Some(2), "{args:?}: {output:?}");
        assert!(stderr(&output).starts_with("error: can't write the output"), "{}", stderr(&output));
    }
}

#[test]
fn every_command_that_works_takes_threads() {
    let small = ["--board", "3x3", "--fleet", "2"];
    let commands = [
        &["odds", "--engine", "clique-parallel"][..],
        &["count"],
        &["deal", "--seed", "1"],
        &["mask", "--length", "2"],
        &["solve"],
        &["simulate", "--captain", "density", "--games", "2"],
        &["replay", "--captain", "density"],
        &["bench", "games", "--captain", "random", "--games", "2"],
    ];
    for command in commands {
        for threads in [&["--threads", "1"], &["--threads", "3"]] {
            let output = run(&[command, &small, threads].concat(), NOTHING);
            assert_eq!(output.status.code(), Some(0), "{command:?}: {}", stderr(&output));
        }
    }
    let output = run(&[&["--threads", "2", "validate"][..], &small].concat(), &b"A1-A2\n"[..]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    refused(&["odds", "--threads", "many"], NOTHING, "invalid value 'many'");
}
