//! Campaigns as they are run: killed, stopped, resumed, and on disks and folders that don't play along.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// A folder of its own for a test, gone at the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()));
        drop(fs::remove_dir_all(&path));
        fs::create_dir_all(&path).expect("a folder");
        Self(path)
    }

    fn join(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        drop(fs::remove_dir_all(&self.0));
    }
}

const GAMES: &str = "120000";

/// A campaign that takes a few seconds, with a checkpoint many times a second.
fn simulate(out: &Path, more: &[&str]) -> Command {
    simulate_games(GAMES, out, more)
}

fn simulate_games(games: &str, out: &Path, more: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_broadside"));
    command.args(["simulate", "--captain", "random", "hunt-target", "density", "--games", games, "--seed", "5"]);
    command.args(["--board", "8x8", "--fleet", "4,3,2", "--checkpoint-every", "0.02", "--out"]).arg(out).args(more);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn run(mut command: Command) -> Output {
    command.output().expect("the program runs")
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("text")
}

/// Every file of a folder with its contents, by name.
fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<_> = fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), fs::read(&path).expect("a file")))
        .collect();
    files.sort();
    files
}

/// How many games the checkpoint has, if there is one.
fn played(folder: &Path) -> Option<u64> {
    let text = fs::read_to_string(folder.join("checkpoint")).ok()?;
    let (_, rest) = text.split_once("\"games\":[[0,")?;
    rest.split(']').next()?.parse().ok()
}

/// Waits until the checkpoint has more games than before; false if the program has ended by then.
fn wait_for_progress(child: &mut Child, folder: &Path, before: u64) -> bool {
    let start = Instant::now();
    while played(folder).is_none_or(|games| games <= before) {
        assert!(start.elapsed() < Duration::from_secs(120), "there is progress");
        if child.try_wait().expect("a child").is_some() {
            return false;
        }
        sleep(Duration::from_millis(1));
    }
    true
}

/// Runs a campaign that is killed five times, each time at another moment after some progress, and resumed.
fn killed_and_resumed(folder: &Path, threads: &str) {
    let mut kills = 0;
    while kills < 5 {
        let before = played(folder).unwrap_or(0);
        let mut child = simulate(folder, &["--resume", "--threads", threads]).spawn().expect("the program starts");
        let alive = wait_for_progress(&mut child, folder, before);
        assert!(alive, "the campaign lasts until the fifth kill; {before} games were played before");
        // Anywhere between two checkpoints, or within one.
        sleep(Duration::from_micros(7919 * (kills + 1) % 23_000));
        child.kill().expect("SIGKILL");
        child.wait().expect("an end");
        kills += 1;
    }
    let output = run(simulate(folder, &["--resume", "--threads", threads]));
    assert!(output.status.success(), "{output:?}");
    assert!(stderr(&output).contains("going on after "), "{output:?}");
}

#[test]
fn a_campaign_killed_five_times_ends_in_the_same_files_on_one_thread_and_on_two() {
    let scratch = Scratch::new("killed");
    let whole = scratch.join("whole");
    let output = run(simulate(&whole, &["--threads", "2"]));
    assert!(output.status.success(), "{output:?}");
    let expected = files(&whole);
    let names: Vec<&str> = expected.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(
        names,
        [
            "checkpoint",
            "cumulative.png",
            "cumulative.svg",
            "histogram.csv",
            "histogram.png",
            "histogram.svg",
            "results.json",
            "summary.csv"
        ]
    );
    for threads in ["1", "2"] {
        let folder = scratch.join(threads);
        killed_and_resumed(&folder, threads);
        assert!(files(&folder) == expected, "killed on {threads} threads: other files than in one go");
    }
}

#[test]
fn resuming_what_is_finished_writes_the_same_results_without_playing() {
    let scratch = Scratch::new("finished");
    let folder = scratch.join("out");
    assert!(run(simulate(&folder, &[])).status.success());
    let expected = files(&folder);
    fs::remove_file(folder.join("results.json")).unwrap();
    let output = run(simulate(&folder, &["--resume"]));
    assert!(output.status.success() && stderr(&output).contains(&format!("going on after {GAMES} of {GAMES} games")));
    assert!(files(&folder) == expected);
    assert!(run(simulate(&folder, &["--quiet"])).status.success(), "a finished campaign may be run anew");
}

#[cfg(unix)]
#[test]
fn ctrl_c_stops_with_a_checkpoint_and_says_how_to_go_on() {
    let scratch = Scratch::new("interrupted");
    let folder = scratch.join("out");
    let mut child = simulate(&folder, &["--threads", "1"]).spawn().expect("the program starts");
    assert!(wait_for_progress(&mut child, &folder, 0));
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill");
    assert!(killed.success());
    let output = child.wait_with_output().expect("the program ends");
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    assert!(output.stdout.is_empty());
    let games = played(&folder).expect("a checkpoint");
    let message = stderr(&output);
    assert!(message.contains(&format!("stopped after {games} of {GAMES} games")), "{message}");
    assert!(message.contains("go on with: ") && message.trim_end().ends_with("--threads 1 --resume"), "{message}");
    assert!(!folder.join("results.json").exists());

    let refused = run(simulate(&folder, &[]));
    assert_eq!(refused.status.code(), Some(2));
    assert!(stderr(&refused).contains("isn't finished: go on with --resume"), "{}", stderr(&refused));

    let resumed = run(simulate(&folder, &["--resume"]));
    assert!(resumed.status.success() && stderr(&resumed).contains(&format!("going on after {games} of {GAMES} games")));
    let whole = scratch.join("whole");
    assert!(run(simulate(&whole, &[])).status.success());
    assert!(files(&folder) == files(&whole));
}

#[test]
fn a_second_program_in_the_same_folder_is_refused_and_disturbs_nothing() {
    let scratch = Scratch::new("two");
    let (folder, whole) = (scratch.join("out"), scratch.join("whole"));
    let mut first = simulate(&folder, &["--resume"]).spawn().expect("the program starts");
    assert!(wait_for_progress(&mut first, &folder, 0));
    let second = run(simulate(&folder, &["--resume"]));
    assert_eq!(second.status.code(), Some(2), "{second:?}");
    assert!(stderr(&second).contains("another program is writing to"), "{}", stderr(&second));
    assert!(first.wait_with_output().expect("the first ends").status.success());
    assert!(run(simulate(&whole, &[])).status.success());
    assert!(files(&folder) == files(&whole));
}

#[test]
fn a_checkpoint_that_can_not_be_relied_on_is_refused_and_left_alone() {
    let scratch = Scratch::new("damaged");
    let folder = scratch.join("out");
    assert!(run(simulate(&folder, &[])).status.success());
    let checkpoint = folder.join("checkpoint");
    let good = fs::read_to_string(&checkpoint).unwrap();
    let flipped = good.replacen("\"games\":[[0,1", "\"games\":[[0,2", 1);
    let newer = good.replacen("broadside-checkpoint 2", "broadside-checkpoint 9", 1);
    let refused = |text: &[u8], more: &[&str], words: &str| {
        fs::write(&checkpoint, text).unwrap();
        let output = run(simulate(&folder, more));
        let message = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{message}");
        assert!(message.contains(words) && !message.contains("panicked"), "{message}");
        assert!(message.contains("remove it"), "{message}");
        assert_eq!(fs::read(&checkpoint).unwrap(), text, "it is left as it was");
    };
    refused(&good.as_bytes()[..good.len() / 2], &["--resume"], "damaged");
    refused(b"", &["--resume"], "not a checkpoint");
    refused(flipped.as_bytes(), &["--resume"], "its checksum is wrong");
    refused(newer.as_bytes(), &["--resume"], "its format has version 9");
    refused(b"\xff\xfe\0", &["--resume"], "it is not text");
    refused(b"my own notes", &[], "is in the way");
    refused(good.as_bytes(), &["--resume", "--call", "bare"], "its rules: 8x8 4,3,2 allowed ship");
    refused(good.as_bytes(), &["--resume", "--layouts", "sequential"], "its layouts: uniform; asked for: sequential");
}

#[cfg(unix)]
#[test]
fn a_full_disk_leaves_no_half_written_result() {
    let scratch = Scratch::new("full");
    let folder = scratch.join("out");
    // No file may grow past a few kilobytes: the checkpoint fits, the plots don't.
    let limited = |blocks: &str| {
        let program = env!("CARGO_BIN_EXE_broadside");
        let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$@\"");
        let mut command = Command::new("sh");
        command.args(["-c", &script, "sh", program, "simulate", "--captain", "random", "--games", "100"]);
        command.args(["--board", "6x6", "--fleet", "3,2", "--resume", "--quiet", "--out"]).arg(&folder);
        run(command)
    };
    let output = limited("4");
    let message = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(message.contains("make room in") && message.contains("--resume"), "{message}");
    assert!(String::from_utf8_lossy(&output.stdout).contains("random"), "the results are printed all the same");
    let names: Vec<String> = files(&folder).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["checkpoint"]);

    assert!(limited("unlimited").status.success());
    assert_eq!(files(&folder).len(), 8);
}

#[test]
fn a_folder_that_can_not_be_written_to_is_told_before_the_work_starts() {
    let scratch = Scratch::new("unwritable");
    let file = scratch.join("file");
    fs::write(&file, "").unwrap();
    let start = Instant::now();
    // Far more games than could be played before the test runs out of patience.
    let output = run(simulate_games("1000000000000", &file.join("out"), &[]));
    assert!(start.elapsed() < Duration::from_secs(60));
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("can't make the folder") && stderr(&output).contains("choose another --out"));
}

fn merge(parts: &[PathBuf], out: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_broadside"));
    command.arg("merge").args(parts).arg("--out").arg(out);
    run(command)
}

const PART_GAMES: &str = "3000";

/// Plays a part into a folder of that name, and says where that is.
fn play_part(scratch: &Scratch, range: &str, more: &[&str]) -> PathBuf {
    let folder = scratch.join(&format!("{range}{}", more.concat()));
    let part = [&["--range", range, "--quiet"], more].concat();
    let output = run(simulate_games(PART_GAMES, &folder, &part));
    assert!(output.status.success(), "{output:?}");
    folder
}

#[test]
fn parts_put_together_in_any_order_are_the_files_of_one_run() {
    let scratch = Scratch::new("parts");
    let (whole, merged) = (scratch.join("whole"), scratch.join("merged"));
    let expected = run(simulate_games(PART_GAMES, &whole, &[]));
    let [a, b, c] = ["0..1000", "1000..1001", "1001..3000"].map(|range| play_part(&scratch, range, &[]));
    assert_eq!(files(&a).len(), 1, "a part has no results");
    let output = merge(&[c.clone(), a.clone(), b.clone(), c.clone()], &merged);
    assert!(output.status.success(), "{output:?}");
    assert!(stderr(&output).contains("is there twice: it counts once"), "{}", stderr(&output));
    assert_eq!(output.stdout, expected.stdout);
    assert!(files(&merged) == files(&whole));
    assert!(merge(&[a, b, c], &merged).status.success(), "the same again");
}

#[test]
fn missing_games_are_named_and_can_be_played_in_the_merged_folder() {
    let scratch = Scratch::new("missing");
    let (whole, merged) = (scratch.join("whole"), scratch.join("merged"));
    assert!(run(simulate_games(PART_GAMES, &whole, &[])).status.success());
    let [a, c] = ["100..1000", "1500..2000"].map(|range| play_part(&scratch, range, &[]));
    let output = merge(&[a, c], &merged);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let message = stderr(&output);
    assert!(message.contains("1600 of 3000 games are missing: 0..100,1000..1500,2000..3000"), "{message}");
    assert!(!merged.join("results.json").exists());
    let resumed = run(simulate_games(PART_GAMES, &merged, &["--resume"]));
    assert!(resumed.status.success() && stderr(&resumed).contains("going on after 1400 of 3000 games"), "{resumed:?}");
    assert!(files(&merged) == files(&whole));
}

#[test]
fn parts_that_do_not_belong_together_are_refused() {
    let scratch = Scratch::new("strangers");
    let part = |range, more: &[&str]| play_part(&scratch, range, more);
    let good = part("0..1000", &[]);
    let refused = |other: PathBuf, words: &[&str]| {
        let output = merge(&[good.clone(), other], &scratch.join("merged"));
        let message = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{message}");
        assert!(words.iter().all(|words| message.contains(words)) && !message.contains("panicked"), "{message}");
        assert!(!scratch.join("merged").join("checkpoint").exists());
    };
    refused(part("1000..2000", &["--touch", "never"]), &["doesn't go with", "its rules: 8x8 4,3,2 never ship"]);
    refused(part("1000..2000", &["--layouts", "sequential"]), &["its layouts: sequential"]);
    refused(part("500..1500", &[]), &["both have the games 500..1000 and are not the same: leave out one of them"]);
    refused(scratch.join("nowhere"), &["can't use the part", "play it anew"]);
    let damaged = part("2000..3000", &[]);
    let text = fs::read_to_string(damaged.join("checkpoint")).unwrap();
    fs::write(damaged.join("checkpoint"), text.replacen("[[2000,", "[[1000,", 1)).unwrap();
    refused(damaged, &["can't use the part", "its checksum is wrong"]);
}

#[test]
fn merging_does_not_replace_games_that_no_part_has() {
    let scratch = Scratch::new("kept");
    let [a, b] = ["0..1000", "1000..2000"].map(|range| play_part(&scratch, range, &[]));
    let before = files(&a);
    let output = merge(std::slice::from_ref(&b), &a);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("has the games 0..1000, which no part has"), "{}", stderr(&output));
    assert!(files(&a) == before);
    assert_eq!(merge(&[a.clone(), b], &a).status.code(), Some(1), "with itself as a part it grows");
    assert_eq!(played(&a), Some(2000));
}
