//! The web server as it is run: killed at any moment, on damaged files, started again, stopped, and on ports that are taken.

mod durability;
mod process;

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use broadside_web::client::{Client, Player, address_in};
use serde_json::json;
use tokio::time::sleep;

use crate::process::{ServerProcess, command};

#[test]
fn a_port_in_use_is_told_plainly() {
    let [one, other] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let server = ServerProcess::start("127.0.0.1:0", one.path());
    let refused = command(&server.address.to_string(), other.path()).output().unwrap();
    let message = String::from_utf8(refused.stderr).unwrap();
    assert_eq!(refused.status.code(), Some(1));
    assert!(message.contains("is in use") && message.contains("--addr 127.0.0.1:0"), "{message}");
    let refused = command("127.0.0.1:0", one.path()).output().unwrap();
    let message = String::from_utf8(refused.stderr).unwrap();
    assert!(message.contains("another server uses the games"), "{message}");
}

#[test]
fn a_file_of_weights_is_served() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("habits.txt");
    std::fs::write(&file, "A1-A2 3\n").unwrap();
    let mut started = command("127.0.0.1:0", folder.path());
    started.arg("--weights").arg(&file).args(["--weights-for", "1x3 2 allowed ship"]);
    let server = ServerProcess::start_with(started);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let asked = json!({ "rules": { "board": "1x3", "fleet": "2" }, "weights": "weights" });
    let odds = runtime.block_on(async {
        let mut client = Client::connect(server.address).await.unwrap();
        client.post("/api/odds", None, &asked).await.unwrap()
    });
    assert_eq!(odds["odds"], json!([[0.75, 1.0, 0.25]]));
}

#[cfg(unix)]
#[test]
fn asked_to_end_it_ends_well_and_its_log_is_json() {
    let folder = tempfile::tempdir().unwrap();
    let mut child = command("127.0.0.1:0", folder.path())
        .args(["--log", "json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    out.read_line(&mut line).unwrap();
    let address = address_in(&line).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async { Client::connect(address).await.unwrap().get("/api/captains", None).await.unwrap() });
    assert!(Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap().success());
    assert!(child.wait().unwrap().success());
    let mut log = String::new();
    child.stderr.take().unwrap().read_to_string(&mut log).unwrap();
    let line: serde_json::Value = serde_json::from_str(log.lines().next().expect("a line")).unwrap();
    assert_eq!((&line["path"], &line["status"]), (&json!("/api/captains"), &json!(200)));
}

#[cfg(unix)]
#[test]
fn asked_to_end_while_it_works_it_ends_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = ServerProcess::start("127.0.0.1:0", folder.path());
    let hard = "board=20x20&fleet=5,5,5,5,5,5,5,5,5,5&touch=never";
    let asked = [format!("/api/campaign?captains=exact&games=1000&{hard}"), format!("/api/picture?{hard}")].map(|path| {
        let mut stream = std::net::TcpStream::connect(server.address).unwrap();
        write!(stream, "GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
        stream
    });
    std::thread::sleep(Duration::from_secs(1));
    let start = Instant::now();
    assert!(Command::new("kill").args(["-TERM", &server.child.id().to_string()]).status().unwrap().success());
    assert!(server.child.wait().unwrap().success());
    // A second for requests under way and half a one for their work; the rest is for a busy machine.
    assert!(start.elapsed() < Duration::from_secs(4), "{:?}", start.elapsed());
    drop(asked);
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[test]
fn it_runs_with_an_allocator_that_is_set_up_for_a_server() {
    let folder = tempfile::tempdir().unwrap();
    let settings = |name, value| {
        let mut command = command("127.0.0.1:0", folder.path());
        command.env_remove("MALLOC_MMAP_THRESHOLD_").env_remove("GLIBC_TUNABLES").env(name, value);
        let server = ServerProcess::start_with(command);
        // Of the process that was started, and by what the system says; glibc ends each setting with a zero there.
        let variables = std::fs::read_to_string(format!("/proc/{}/environ", server.child.id())).unwrap();
        let words = variables.split(['\0', ':']).map(|word| word.trim_start_matches("GLIBC_TUNABLES="));
        words.filter(|word| word.starts_with("glibc.")).map(str::to_owned).collect::<Vec<_>>()
    };
    // Large blocks go back, no request joins all the small ones that long work has left, and nobody waits for the heap of a
    // thread of lower priority.
    let ours = ["glibc.malloc.mmap_threshold=1048576", "glibc.malloc.mxfast=0", "glibc.malloc.arena_max=1024"];
    assert_eq!(settings("OTHER", "1"), ours);
    assert_eq!(settings("GLIBC_TUNABLES", "glibc.rtld.nns=5"), [&["glibc.rtld.nns=5"], &ours[..]].concat());
    for chosen in ["glibc.malloc.mxfast=64", "glibc.malloc.tcache_count=3"] {
        assert_eq!(settings("GLIBC_TUNABLES", chosen), [chosen], "whoever has chosen keeps that");
    }
    assert!(settings("MALLOC_MMAP_THRESHOLD_", "65536").is_empty(), "by the older variables too");
}

#[test]
fn a_check_says_whether_all_games_are_whole() {
    let folder = tempfile::tempdir().unwrap();
    let check = || command("127.0.0.1:0", folder.path()).arg("--check").output().unwrap();
    let nothing = check();
    assert_eq!(nothing.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&nothing.stderr).contains("there are no games in"));
    let mut server = ServerProcess::start("127.0.0.1:0", folder.path());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let client = Client::connect(server.address).await.unwrap();
        Player::make(client, &json!({ "captain": "density" })).await.unwrap();
    });
    server.kill();
    let whole = check();
    assert_eq!((whole.status.code(), String::from_utf8_lossy(&whole.stdout).as_ref()), (Some(0), "1 games, 0 damaged\n"));
    let file = folder.path().join("games.sqlite");
    let mut bytes = std::fs::read(&file).unwrap();
    bytes[4096..].fill(0x55);
    std::fs::write(&file, bytes).unwrap();
    for arguments in [&["--check"][..], &[]] {
        let refused = command("127.0.0.1:0", folder.path()).args(arguments).output().unwrap();
        let message = String::from_utf8(refused.stderr).unwrap();
        assert_eq!(refused.status.code(), Some(1), "{message}");
        assert!(message.contains("are damaged") && message.contains(".recover"), "{message}");
    }
}

/// Bots and a tournament on a server as it is run: in their sandbox, as processes of their own.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn bots_are_played_against_and_tournaments_watched() {
    let folder = tempfile::tempdir().expect("a folder");
    let (program, results) = (env!("CARGO_BIN_EXE_broadside"), folder.path().join("results"));
    let results = results.to_str().expect("a path");
    let rules = ["--board", "3x3", "--fleet", "2"];
    let mut tournament = Command::new(program);
    tournament.args(["tournament", "--captain", "random", "density", "--games", "2", "--quiet", "--out", results]).args(rules);
    assert!(tournament.stdout(Stdio::null()).status().expect("it runs").success());
    let good = format!("good='{program}' ubi density");
    let bad = "bad=sh -c 'read a; echo ubiok; while read a b; do case $a in place) echo layout A1-A2;; go) exit 3;; esac; done'";
    let options = ["--bot", &good, "--bot", bad, "--tournament", results];
    let mut serve = command("127.0.0.1:0", &folder.path().join("games"));
    serve.args(options);
    let server = ServerProcess::start_with(serve);
    for (bot, ends) in [("good", false), ("bad", true)] {
        let wanted = json!({ "rules": { "board": "3x3", "fleet": "2" }, "captain": format!("bot:{bot}") });
        let mut player = Player::make(Client::connect(server.address).await.unwrap(), &wanted).await.unwrap();
        player.place(&json!(["C2-C3"])).await.unwrap();
        player.fire("B1").await.unwrap();
        let start = Instant::now();
        while player.view["opponent"]["shots"].as_array().unwrap().is_empty() && !player.is_over() {
            assert!(start.elapsed() < Duration::from_secs(60), "the bot never answers");
            sleep(Duration::from_millis(50)).await;
            player.look().await.unwrap();
        }
        assert_eq!(player.is_over(), ends, "{bot}: {}", player.view);
        assert!(!ends || player.view["winner"] == "you", "{}", player.view);
    }
    let mut stream = std::net::TcpStream::connect(server.address).expect("a connection");
    stream.write_all(b"GET /tournament HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").expect("sent");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    assert!(answer.starts_with("HTTP/1.1 200") && answer.contains("2 games played"), "{answer}");
}
