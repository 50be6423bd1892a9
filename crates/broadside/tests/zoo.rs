//! Hostile bots: each loses its games with the right reason, disturbs nobody, and leaves nothing running.
#![cfg(target_os = "linux")]

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::thread::sleep;
use std::time::Duration;

use broadside_bots::tournament::{Cores, GameLine, Mode, Pairing, Placing, Player, Tournament, TournamentConfig};
use broadside_bots::{BotSettings, Clock, Launcher, Resources, TimeControl};
use broadside_captains::Registry;
use broadside_lab::Ranges;
use broadside_rules::{Preset, Turns};

/// A bot that is right, unless one of its functions is replaced.
const RIGHT: &str = r#"
on_ubi() { echo "id name zoo"; echo ubiok; }
on_newgame() { n=0; }
on_place() { echo "layout A1-A4 B1-B3 C1-C2"; }
on_go() { r=$((n / 8)); c=$((n % 8 + 1)); n=$((n + 1)); set -- A B C D E F G H; shift $r; echo "bestshot $1$c"; }
on_result() { :; }
on_quit() { exit 0; }
"#;

const LOOP: &str = r"
while read -r word rest; do
    case $word in
        ubi) on_ubi ;; newgame) on_newgame ;; place) on_place ;; go) on_go ;; result) on_result ;; quit) on_quit ;;
    esac
done
";

fn settings(launcher: Launcher) -> BotSettings {
    let time = TimeControl {
        movetime: Duration::from_millis(1500),
        margin: Duration::from_millis(500),
        start: Duration::from_secs(20),
        ..TimeControl::default()
    };
    BotSettings { launcher, time, resources: Resources { memory: 64 << 20, processes: 20 }, cores: Vec::new() }
}

fn launcher() -> Launcher {
    Launcher::new(env!("CARGO_BIN_EXE_broadside"), &["bot-launcher"])
}

/// Two duels of a bot against `density`, beside two of a bot that is right.
fn play(change: &str, settings: BotSettings) -> Vec<GameLine> {
    let folder = tempfile::tempdir().unwrap();
    let script = |name: &str, change: &str| {
        let path = folder.path().join(name);
        fs::write(&path, format!("export ZOO={}\n{RIGHT}\n{change}\n{LOOP}", folder.path().display())).unwrap();
        format!("sh {}", path.display()).parse().unwrap()
    };
    let config = TournamentConfig {
        rules: Preset::Sploosh.rules(),
        players: vec![
            Player::bot("hostile", script("hostile", change)),
            Player::captain("density"),
            Player::bot("right", script("right", "")),
            Player::captain("random"),
        ],
        mode: Mode::Duel,
        turns: Turns::Alternate,
        pairing: Pairing::Pairs,
        placing: Placing::Own,
        games: 2,
        seed: 1,
        sprt: None,
    };
    let tournament = Tournament::new(config, Registry::new(), settings).unwrap();
    let (all, mut lines) = (Ranges::from(0..tournament.schedule().len()), Vec::new());
    let keep = |line| {
        lines.push(line);
        ControlFlow::Continue(())
    };
    tournament.play(&all, &[Cores::new(), Cores::new()], &AtomicBool::new(false), keep).unwrap();
    assert_eq!(lines.len(), 4);
    for line in &lines[2..] {
        assert_eq!(line.forfeit, None, "the others are not disturbed");
    }
    nothing_is_left(folder.path());
    lines.truncate(2);
    lines
}

/// No process has this folder in its command or in its environment.
fn nothing_is_left(folder: &Path) {
    let name = folder.to_str().unwrap().as_bytes();
    let left = || {
        let processes = fs::read_dir("/proc").unwrap().flatten();
        let has = |file: std::path::PathBuf| fs::read(file).is_ok_and(|text| text.windows(name.len()).any(|part| part == name));
        let found = processes.filter(|process| ["cmdline", "environ"].iter().any(|file| has(process.path().join(file))));
        found.map(|process| process.file_name()).collect::<Vec<_>>()
    };
    // Processes that were killed may take a moment to be gone.
    for _ in 0..100 {
        if left().is_empty() {
            return;
        }
        sleep(Duration::from_millis(50));
    }
    panic!("processes are left: {:?}", left());
}

/// Both games are lost by this kind of fault, with a reason that has these words.
fn loses(change: &str, kind: &str, words: &str) {
    for line in play(change, settings(launcher())) {
        lost(&line, kind, words);
    }
}

/// Both games are lost by one of these faults: which of them depends on how busy the machine is.
fn loses_by_one_of(change: &str, kinds: &[&str]) {
    for line in play(change, settings(launcher())) {
        let forfeit = line.forfeit.as_ref().unwrap_or_else(|| panic!("no forfeit: {line:?}"));
        assert!(forfeit.player == "hostile" && kinds.contains(&forfeit.kind.as_str()), "{forfeit:?}");
        assert_eq!(line.winner.as_deref(), Some("density"));
    }
}

fn lost(line: &GameLine, kind: &str, words: &str) {
    let forfeit = line.forfeit.as_ref().unwrap_or_else(|| panic!("no forfeit: {line:?}"));
    assert_eq!((forfeit.player.as_str(), forfeit.kind.as_str()), ("hostile", kind), "{forfeit:?}");
    assert!(forfeit.reason.contains(words), "{forfeit:?}");
    assert_eq!(line.winner.as_deref(), Some("density"));
}

#[test]
fn one_that_is_right_loses_nothing_by_a_fault() {
    let lines = play("", settings(launcher()));
    assert!(lines.iter().all(|line| line.forfeit.is_none()), "{lines:?}");
}

#[test]
fn one_that_hangs_at_the_start() {
    let mut settings = settings(launcher());
    settings.time.start = Duration::from_secs(6);
    let lines = play("on_ubi() { sleep 9999; }", settings);
    for line in &lines {
        lost(line, "late", "no answer to ‘ubi’ within 6000 ms");
    }
}

#[test]
fn one_that_hangs_when_it_is_to_place() {
    loses("on_place() { sleep 9999; }", "late", "no answer to ‘place’ within 2000 ms");
}

#[test]
fn one_that_hangs_when_it_is_to_fire() {
    loses("on_go() { sleep 9999; }", "late", "no answer to ‘go’ within 2000 ms");
}

#[test]
fn one_that_works_without_end() {
    loses("on_go() { while :; do :; done; }", "late", "no answer to ‘go’");
}

#[test]
fn one_that_works_without_end_by_processor_time() {
    let mut settings = settings(launcher());
    settings.time.clock = Clock::Processor;
    settings.time.movetime = Duration::from_millis(200);
    for line in play("on_go() { while :; do :; done; }", settings) {
        lost(&line, "late", "within 700 ms");
    }
}

#[test]
fn one_that_hangs_at_the_result_has_played_its_first_game() {
    let lines = play("on_result() { sleep 9999; }", settings(launcher()));
    assert_eq!(lines[0].forfeit, None);
    lost(&lines[1], "late", "no answer to ‘place’");
}

#[test]
fn one_that_ends() {
    loses("on_go() { exit 3; }", "exited", "it ended, status 3, instead of answering ‘go’");
}

#[test]
fn one_that_is_killed() {
    loses("on_go() { kill -9 $$; }", "exited", "killed by SIGKILL, instead of answering ‘go’");
}

#[test]
fn one_that_ends_at_once() {
    loses("exit 0", "exited", "instead of answering ‘ubi’");
}

#[test]
fn one_that_closes_its_output() {
    loses("on_go() { exec 1>&-; sleep 9999; }", "closed", "it closed its standard output instead of answering ‘go’");
}

#[test]
fn one_that_closes_its_input() {
    loses_by_one_of("on_place() { echo layout A1-A4 B1-B3 C1-C2; exec 0<&-; sleep 9999; }", &["closed", "late"]);
}

#[test]
fn one_that_prints_a_gigabyte() {
    loses_by_one_of("on_go() { yes | head -c 1000000000; }", &["flood", "late"]);
}

#[test]
fn one_that_prints_a_line_without_end() {
    loses("on_go() { yes | tr -d '\\n'; }", "flood", "it printed more than");
}

#[test]
fn one_that_writes_a_gigabyte_of_errors() {
    loses("on_go() { yes | head -c 1000000000 >&2; sleep 9999; }", "late", "no answer to ‘go’");
}

#[test]
fn one_that_prints_nuls() {
    loses_by_one_of("on_go() { head -c 100000000 /dev/zero; }", &["flood", "late"]);
}

#[test]
fn one_that_prints_rubbish() {
    loses("on_go() { echo hello; echo world; }", "late", "it printed 2 lines that are none of UBI's, the first: ‘hello’");
}

#[test]
fn one_that_answers_late() {
    loses("on_go() { sleep 4; echo bestshot A1; }", "late", "no answer to ‘go’ within 2000 ms");
}

#[test]
fn one_that_answers_another_command() {
    loses("on_place() { echo bestshot A1; }", "wrong-answer", "it answered ‘place’ with ‘bestshot A1’");
}

#[test]
fn one_that_fires_twice() {
    loses("on_go() { printf 'bestshot A1\\nbestshot A2\\n'; }", "unasked", "it said ‘bestshot A2’ without being asked");
}

#[test]
fn one_that_fires_at_a_cell_again() {
    loses("on_go() { echo bestshot A1; }", "illegal-shot", "A1 was fired at already");
}

#[test]
fn one_that_fires_off_the_board() {
    loses("on_go() { echo bestshot J9; }", "illegal-shot", "J9 is off the board");
}

#[test]
fn one_that_fires_at_no_cell() {
    loses("on_go() { echo bestshot everywhere; }", "unreadable", "is not a cell");
}

#[test]
fn one_that_places_illegally() {
    loses("on_place() { echo layout A1-A4 A1-A3 C1-C2; }", "illegal-layout", "overlap");
}

#[test]
fn one_that_forks_and_leaves_its_children() {
    let change = "on_go() { for i in 1 2 3; do (setsid sleep 9999 & sleep 9999) & done; exit 1; }";
    loses(change, "exited", "instead of answering ‘go’");
}

#[test]
fn one_that_forks_without_end() {
    let change = "on_go() { while :; do sleep 9999 & done; }";
    for line in play(change, settings(launcher())) {
        let kind = line.forfeit.as_ref().map(|forfeit| forfeit.kind.clone());
        // Where the system itself refuses more processes, the shell gives up or waits; so many of them may also fill the memory first.
        assert!(["processes", "late", "exited", "memory"].map(|kind| Some(kind.to_owned())).contains(&kind), "{line:?}");
    }
}

#[test]
fn one_that_forks_where_there_are_no_namespaces() {
    let change = "on_go() { (setsid sleep 9999 & sleep 9999) & sleep 9999; }";
    for line in play(change, settings(launcher().without_namespaces())) {
        lost(&line, "late", "no answer to ‘go’");
    }
    let change = "on_go() { (setsid sleep 9999 & sleep 9999) & sleep 0.2; exit 1; }";
    for line in play(change, settings(launcher().without_namespaces())) {
        lost(&line, "exited", "instead of answering ‘go’");
    }
}

#[test]
fn one_that_ignores_quit_is_ended_all_the_same() {
    let lines = play("on_quit() { sleep 9999; }", settings(launcher()));
    assert!(lines.iter().all(|line| line.forfeit.is_none()), "its games were over: {lines:?}");
}

#[test]
fn one_that_allocates_without_end() {
    let mut settings = settings(launcher());
    settings.time.movetime = Duration::from_secs(20);
    for line in play("on_go() { x=xxxxxxxxxxxxxxxx; while :; do x=$x$x; done; }", settings) {
        let kind = line.forfeit.as_ref().map(|forfeit| forfeit.kind.clone());
        // Either the referee finds it out, or the system gives it no more, and it ends.
        assert!(["memory", "exited"].map(|kind| Some(kind.to_owned())).contains(&kind), "{line:?}");
    }
}

/// What the protection keeps a bot from, where the system offers it.
#[test]
fn a_bot_has_no_network_no_other_processes_and_only_its_own_folder() {
    if !launcher().protection().namespaces {
        return;
    }
    let change = r#"
fail() { echo "bestshot $1"; }
on_go() {
    touch here || fail own-folder-is-not-writable
    [ "$(ls)" = here ] || fail own-folder-is-not-empty
    touch "$ZOO/there" 2>/dev/null && fail others-are-writable
    [ "$(wc -l < /proc/net/route)" -le 1 ] || fail there-is-network
    [ "$(ls -d /proc/[0-9]* | wc -l)" -lt 8 ] || fail sees-other-processes
    echo bestshot end
}"#;
    for line in play(change, settings(launcher())) {
        lost(&line, "unreadable", "‘bestshot end’");
    }
}
