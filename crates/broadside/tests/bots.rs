//! Bots: captains through UBI, the starter bots, tournaments that are killed and go on.
#![cfg(target_os = "linux")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use broadside_bots::Speaker;
use broadside_captains::Registry;

const PROGRAM: &str = env!("CARGO_BIN_EXE_broadside");

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A number from the environment, for the long form of a test.
fn number(name: &str, short: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(short)
}

fn broadside(arguments: &[&str]) -> String {
    let output = Command::new(PROGRAM).args(arguments).current_dir(root()).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {errors}{}", String::from_utf8_lossy(&output.stdout));
    String::from_utf8(output.stdout).unwrap()
}

/// The shots of each game, for each player.
fn games(folder: &Path) -> BTreeMap<String, Vec<String>> {
    let text = fs::read_to_string(folder.join("games.jsonl")).unwrap();
    let mut games: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for line in text.lines() {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        assert!(line.get("forfeit").is_none(), "{line}");
        let player = line["players"][0].as_str().unwrap().to_owned();
        games.entry(player).or_default().push(line["shots"][0].to_string());
    }
    games
}

/// A captain through UBI plays the same games, shot by shot, as in this process. `BROADSIDE_UBI_GAMES=1000` is the long form.
#[test]
fn a_captain_through_ubi_plays_the_same_games_as_in_process() {
    let number = number("BROADSIDE_UBI_GAMES", 20).to_string();
    for preset in ["classic", "russian", "sploosh"] {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().to_str().unwrap();
        for captain in ["density", "hunt-target-parity", "admiral"] {
            let out = format!("{out}/{captain}");
            let bot = format!("through-ubi={PROGRAM} ubi {captain}");
            let arguments =
                ["tournament", "--mode", "solo", "--games", &number, "--preset", preset, "--movetime", "60000", "--bot", &bot];
            broadside(&[&arguments[..], &["--captain", captain, "--out", &out, "--quiet"]].concat());
            let games = games(Path::new(&out));
            assert_eq!(games["through-ubi"].len().to_string(), number);
            assert_eq!(games["through-ubi"], games[captain], "{captain}, {preset}");
        }
    }
}

/// The commands of those starter bots whose language is on this machine.
fn starters(folder: &Path) -> Vec<String> {
    let there = |program: &str| Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success());
    let bots = root().join("bots").canonicalize().unwrap();
    let source = |name: &str| bots.join(name).display().to_string();
    let built = |name: &str| folder.join(name).display().to_string();
    let mut commands = Vec::new();
    if there("python3") {
        commands.push(format!("python={} {}", "python3", source("hunter.py")));
    }
    if there("node") {
        commands.push(format!("javascript=node {}", source("hunter.js")));
    }
    let compilers: [(&str, &str, &[&str], &str); 3] = [
        ("cc", "c", &["-O2", "-o"], "hunter.c"),
        ("rustc", "rust", &["-O", "--edition", "2024", "-o"], "hunter.rs"),
        ("go", "go", &["build", "-o"], "hunter.go"),
    ];
    for (compiler, name, arguments, file) in compilers {
        let output = built(name);
        if compiler == "go" && Command::new("go").arg("version").output().is_err() || compiler != "go" && !there(compiler) {
            continue;
        }
        let done = Command::new(compiler).args(arguments).arg(&output).arg(source(file)).status().unwrap();
        assert!(done.success(), "{file} doesn't build");
        commands.push(format!("{name}={output}"));
    }
    commands
}

/// Those to start from are short, and not because their lines are long. Go's formatter and imports cost it some lines more.
#[test]
fn the_starter_bots_are_short() {
    for (name, most) in [("hunter.py", 40), ("hunter.js", 40), ("hunter.c", 40), ("hunter.rs", 40), ("hunter.go", 60)] {
        let text = fs::read_to_string(root().join("bots").join(name)).unwrap();
        let is_remark = |line: &str| ["//", "# ", "\"\"\""].iter().any(|mark| line.trim_start().starts_with(mark));
        let is_code = |line: &&str| !line.trim().is_empty() && !is_remark(line);
        let lines = text.lines().filter(is_code).count();
        assert!((20..=most).contains(&lines), "{name} has {lines} lines of code");
        assert!(text.lines().all(|line| line.chars().count() <= 130), "{name} has a line of more than 130 characters");
    }
}

/// The layouts of a bot that is given the same seed at first and after a part of a game. A tournament that goes on begins with new
/// processes, and is the same only if there is one.
fn layouts_after_one_seed(command: &str) -> BTreeSet<String> {
    let game = "setoption name seed value 7\nnewgame 10x10 5,4,3,3,2 allowed ship\nplace\n";
    let words: Vec<_> = command.split(' ').collect();
    let mut bot = Command::new(words[0]).args(&words[1..]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let lines = format!("ubi\n{game}position A1- C3- E5-\ngo movetime 1000\n{game}quit\n");
    bot.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
    let said = String::from_utf8(bot.wait_with_output().unwrap().stdout).unwrap();
    let layouts = said.lines().filter(|line| line.starts_with("layout "));
    assert_eq!(layouts.clone().count(), 2, "{said}");
    layouts.map(str::to_owned).collect()
}

#[test]
fn the_starter_bots_are_right_and_sensible() {
    let folder = tempfile::tempdir().unwrap();
    let starters = starters(folder.path());
    assert!(!starters.is_empty(), "no language of a starter bot is on this machine");
    for starter in &starters {
        let command = starter.split_once('=').unwrap().1;
        assert_eq!(layouts_after_one_seed(command).len(), 1, "{command} places by more than its seed");
        let said = broadside(&["ubi-check", command, "--rules", "sploosh", "--rules", "russian", "--movetime", "20000"]);
        assert!(said.ends_with("The bot is right.\n"), "{said}");
    }
    let mut arguments =
        vec!["tournament", "--mode", "solo", "--games", "20", "--movetime", "20000", "--format", "json", "--quiet"];
    for starter in &starters {
        arguments.extend(["--bot", starter]);
    }
    let results: serde_json::Value =
        serde_json::from_str(&broadside(&[&arguments[..], &["--captain", "random"]].concat())).unwrap();
    for player in results["players"].as_array().unwrap() {
        let (name, shots) = (player["name"].as_str().unwrap(), player["mean_shots"].as_f64().unwrap());
        // Firing at random takes 95; going after hits takes under 70.
        assert!(name == "random" || shots < 75.0, "{name}: {shots}");
    }
}

/// The dialogue in docs/ubi.md, in which → is sent and ← is answered.
#[test]
fn the_dialogue_in_the_document_is_what_is_said() {
    let text = fs::read_to_string(root().join("docs/ubi.md")).unwrap();
    let lines =
        |arrow: &str| -> Vec<String> { text.lines().filter_map(|line| line.strip_prefix(arrow)).map(str::to_owned).collect() };
    let (sent, answered) = (lines("→ "), lines("← "));
    assert!(sent.len() > 10 && answered.len() > 6);
    let mut output = Vec::new();
    Speaker::new(Registry::new(), "density").unwrap().run((sent.join("\n") + "\n").as_bytes(), &mut output).unwrap();
    assert_eq!(String::from_utf8(output).unwrap().lines().collect::<Vec<_>>(), answered);
}

fn start(out: &str, resume: bool) -> Child {
    let bot = format!("python=python3 {}", root().join("bots/hunter.py").canonicalize().unwrap().display());
    let mut command = Command::new(PROGRAM);
    command.args(["tournament", "--bot", &bot, "--captain", "density", "random", "--games", "60", "--preset", "sploosh"]);
    command.args(["--movetime", "60000", "--seed", "5", "--quiet", "--out", out]).stdout(Stdio::null()).stderr(Stdio::null());
    if resume {
        command.arg("--resume");
    }
    command.spawn().unwrap()
}

/// Killed at many moments and resumed, a tournament leaves the same bytes as one that ran through.
#[test]
fn a_killed_tournament_goes_on_to_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, killed) = (folder.path().join("whole"), folder.path().join("killed"));
    let (whole, killed) = (whole.to_str().unwrap(), killed.to_str().unwrap());
    assert!(start(whole, false).wait().unwrap().success());
    let mut kills = 0;
    for moment in 0..number("BROADSIDE_KILLS", 6) {
        let mut child = start(killed, moment > 0);
        sleep(Duration::from_millis(60 + 47 * (moment * 7 % 11)));
        kills += u64::from(child.try_wait().unwrap().is_none());
        child.kill().unwrap();
        child.wait().unwrap();
    }
    assert!(start(killed, true).wait().unwrap().success());
    assert!(kills > 0, "it was always done before it was killed");
    for name in FILES {
        let read = |folder: &str| fs::read(Path::new(folder).join(name)).unwrap();
        assert!(read(whole) == read(killed), "{name} differs");
    }
}

/// The files of a tournament's results.
const FILES: [&str; 5] = ["games.jsonl", "results.json", "players.csv", "pairs.csv", "index.html"];

#[test]
fn parts_of_a_tournament_are_put_together_to_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let bot = format!("through-ubi={PROGRAM} ubi random");
    let play = |out: &str, more: &[&str]| {
        let players = ["--bot", &bot, "--captain", "density", "random", "--games", "10", "--preset", "sploosh"];
        broadside(&[&["tournament", "--out", out, "--quiet", "--movetime", "60000"], &players[..], more].concat());
    };
    play(&path("whole"), &[]);
    play(&path("first"), &["--range", "0..7"]);
    play(&path("last"), &["--range", "13..30"]);
    play(&path("foreign"), &["--range", "7..13", "--seed", "2"]);
    let merge = |parts: &[&str]| {
        let mut command = Command::new(PROGRAM);
        command.arg("merge").args(parts.iter().map(|part| path(part))).args(["--out", &path("merged")]).output().unwrap()
    };
    let missing = merge(&["last", "first"]);
    assert_eq!(missing.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&missing.stderr).contains("6 of 30 games are missing: 7..13"));
    let foreign = merge(&["last", "first", "foreign"]);
    assert_eq!(foreign.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&foreign.stderr).contains("its seed: 2, and not 1"));
    assert!(!folder.path().join("merged").exists());
    // Games that are there twice went the same way.
    play(&path("middle"), &["--range", "5..15"]);
    let done = merge(&["last", "middle", "first"]);
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    for name in FILES {
        let read = |folder: &str| fs::read(Path::new(&path(folder)).join(name)).unwrap();
        assert!(read("whole") == read("merged"), "{name} differs");
    }
    assert!(merge(&["last", "middle", "first"]).status.success(), "the same again changes nothing");
    let results = fs::read(Path::new(&path("merged")).join("results.json")).unwrap();
    let first = &serde_json::from_slice::<serde_json::Value>(&results).unwrap()["first_move"];
    for (value, interval) in [("share", "share_interval"), ("rating", "interval")] {
        let [low, value, high] = [&first[interval][0], &first[value], &first[interval][1]].map(|number| number.as_f64().unwrap());
        assert!(low <= value && value <= high, "{first}");
    }
}
