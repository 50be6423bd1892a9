//! What was answered is never lost and never silently wrong: after kills, on a full disk, with damaged files.

use std::fs;
use std::net::SocketAddr;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use broadside_web::client::{Client, ClientError, Player};
use rand::{RngExt, SeedableRng};
use serde_json::{Value, json};
use tokio::runtime::Runtime;
use tokio::time::{sleep, timeout};

use crate::process::{ServerProcess, command};

type TestRng = rand_xoshiro::Xoshiro256PlusPlus;

const GAMES: usize = 200;

/// How often the server is killed; `BROADSIDE_KILLS` asks for more.
fn kills() -> usize {
    std::env::var("BROADSIDE_KILLS").map_or(8, |number| number.parse().expect("a number"))
}

#[test]
fn a_server_killed_at_any_moment_loses_no_shot_of_two_hundred_games() {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let mut server = ServerProcess::start("127.0.0.1:0", folder.path());
    let address = server.address;
    runtime.block_on(async {
        let enough = Arc::new(AtomicBool::new(false));
        let games: Vec<_> = (0..GAMES).map(|number| tokio::spawn(games_until(address, number as u64, enough.clone()))).collect();
        let mut rng = TestRng::seed_from_u64(11);
        for _ in 0..kills() {
            sleep(Duration::from_millis(rng.random_range(50..500))).await;
            server.kill();
            server = ServerProcess::start(&address.to_string(), folder.path());
        }
        enough.store(true, Ordering::Relaxed);
        for game in games {
            timeout(Duration::from_secs(300), game).await.expect("in time").expect("games without fault");
        }
    });
    server.kill();
    assert!(check(folder.path()).contains(" games, 0 damaged"));
}

/// What a check of the stored games prints.
fn check(folder: &Path) -> String {
    let output = command("127.0.0.1:0", folder).arg("--check").output().unwrap();
    String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap()
}

/// Plays one game after another to its end, until there have been enough kills.
async fn games_until(address: SocketAddr, player: u64, enough: Arc<AtomicBool>) {
    for game in 0.. {
        whole_game(address, player * 1000 + game).await;
        if enough.load(Ordering::Relaxed) {
            return;
        }
    }
}

/// Plays a game to its end, whatever becomes of the server meanwhile.
async fn whole_game(address: SocketAddr, number: u64) {
    let mut rng = TestRng::seed_from_u64(number);
    let mut player = retrying(address, async |client| {
        Player::make(client, &json!({ "rules": { "preset": "classic" }, "captain": "density" })).await
    })
    .await;
    while player.view["you"]["placed"] != true {
        let placed = player.place(&json!(["A1-A5", "C1-C4", "E1-E3", "G1-G3", "I1-I2"])).await.map(drop);
        again_if_gone(&mut player, address, placed).await;
    }
    let mut open: Vec<String> = (0..100).map(|cell| format!("{}{}", char::from(b'A' + cell / 10), cell % 10 + 1)).collect();
    while !player.is_over() {
        if !player.is_to_fire() {
            // The captain was thinking when the server was killed; asking for the game wakes it.
            sleep(Duration::from_millis(20)).await;
            let looked = player.look().await.map(drop);
            again_if_gone(&mut player, address, looked).await;
            continue;
        }
        let cell = open.swap_remove(rng.random_range(..open.len()));
        fire(&mut player, address, &cell).await;
    }
}

/// Fires, and checks that what was answered before is still there.
async fn fire(player: &mut Player, address: SocketAddr, cell: &str) {
    let number = player.shots().len();
    while player.shots().len() == number {
        let known: Vec<String> = player.shots().into_iter().map(str::to_owned).collect();
        let received = player.view["opponent"]["shots"].as_array().unwrap().clone();
        let fired = player.fire(cell).await.map(drop);
        again_if_gone(player, address, fired).await;
        assert_eq!(player.shots()[..number], known, "an answered shot is lost");
        let now = player.view["opponent"]["shots"].as_array().unwrap();
        assert_eq!(now[..received.len()], received, "a shot that was told of is lost");
    }
    assert!(player.shots()[number].starts_with(cell));
}

/// Connects again and asks for the game when the server is gone; fails for anything else.
async fn again_if_gone(player: &mut Player, address: SocketAddr, result: Result<(), ClientError>) {
    match result {
        Ok(()) => {}
        Err(refused @ ClientError::Refused { .. }) => panic!("{refused}"),
        Err(_) => loop {
            player.client = retrying(address, async |client| Ok(client)).await;
            if player.look().await.is_ok() {
                break;
            }
        },
    }
}

async fn retrying<T>(address: SocketAddr, what: impl AsyncFn(Client) -> Result<T, ClientError>) -> T {
    loop {
        if let Ok(client) = Client::connect(address).await
            && let Ok(done) = what(client).await
        {
            return done;
        }
        sleep(Duration::from_millis(20)).await;
    }
}

/// The files of the games.
const DATABASE: &str = "games.sqlite";
const LOG: &str = "games.sqlite-wal";

fn runtime() -> Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap()
}

/// A game of two people on a small board, who have fired so many shots each.
async fn two_people(address: SocketAddr, shots: usize) -> [Player; 2] {
    let [mut ann, mut bob] = make_two(address).await.unwrap();
    for number in 0..shots {
        fire_both(&mut ann, &mut bob, number).await.unwrap();
    }
    [ann, bob]
}

async fn fire_both(ann: &mut Player, bob: &mut Player, number: usize) -> Result<(), ClientError> {
    // Ships lie in the columns before.
    let cell = format!("{}{}", char::from(b'A' + (number / 3) as u8), number % 3 + 4);
    ann.look().await?;
    ann.fire(&cell).await?;
    bob.look().await?;
    bob.fire(&cell).await?;
    Ok(())
}

/// What a player is shown by a server that is started on this folder; `None` if it isn't shown anything.
async fn looked(address: SocketAddr, player: &Player) -> Option<Value> {
    let mut client = Client::connect(address).await.ok()?;
    client.get(&format!("/api/games/{}", player.id), Some(&player.token)).await.ok()
}

#[cfg(unix)]
#[test]
fn on_a_full_disk_requests_are_refused_and_nothing_answered_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    let plain = command("127.0.0.1:0", folder.path());
    // No file can grow beyond so many blocks of 512 bytes: to the server a full disk.
    let mut limited = Command::new("sh");
    limited.args(["-c", "trap '' XFSZ; ulimit -f 600; exec \"$@\"", "sh"]).arg(plain.get_program()).args(plain.get_args());
    let mut server = ServerProcess::start_with(limited);
    runtime().block_on(async {
        let (mut games, refused) = play_until_refused(server.address).await;
        assert!(matches!(&refused, ClientError::Refused { status, .. } if status.is_server_error()), "{refused}");
        assert!(Client::connect(server.address).await.unwrap().get("/api/captains", None).await.is_ok(), "the server goes on");
        server.kill();
        let again = ServerProcess::start("127.0.0.1:0", folder.path());
        for player in games.iter().flatten() {
            let now = looked(again.address, player).await.expect("the game is there");
            let now: Vec<&str> = now["you"]["shots"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
            assert_eq!(now[..player.shots().len()], player.shots(), "an answered shot is lost");
        }
        let last = games.last_mut().unwrap();
        for player in &mut *last {
            player.client = Client::connect(again.address).await.unwrap();
            player.look().await.unwrap();
        }
        last.iter_mut().find(|player| player.is_to_fire()).unwrap().fire("F6").await.unwrap();
    });
    assert!(check(folder.path()).contains(" games, 0 damaged"));
}

/// Makes games and fires ten shots a side in each, until a request fails.
async fn play_until_refused(address: SocketAddr) -> (Vec<[Player; 2]>, ClientError) {
    let mut games = Vec::new();
    while games.len() < 2000 {
        match make_two(address).await {
            Ok(pair) => games.push(pair),
            Err(error) => return (games, error),
        }
        let [ann, bob] = games.last_mut().unwrap();
        for number in 0..10 {
            if let Err(error) = fire_both(ann, bob, number).await {
                return (games, error);
            }
        }
    }
    panic!("the disk was never full");
}

/// A game of two people who have placed their fleets, or why there is none.
async fn make_two(address: SocketAddr) -> Result<[Player; 2], ClientError> {
    let rules = json!({ "rules": { "board": "6x6", "fleet": "3,2" } });
    let mut ann = Player::make(Client::connect(address).await?, &rules).await?;
    let invite = ann.invite.clone().unwrap_or_default();
    let mut bob = Player::join(Client::connect(address).await?, &ann.id, &invite).await?;
    ann.place(&json!(["A1-A3", "C1-C2"])).await?;
    bob.place(&json!(["F1-F3", "D1-D2"])).await?;
    Ok([ann, bob])
}

#[cfg(target_os = "linux")]
#[test]
fn a_folder_that_cant_be_written_to_is_told_before_anybody_plays() {
    let refused = command("127.0.0.1:0", Path::new("/sys")).output().unwrap();
    let message = String::from_utf8(refused.stderr).unwrap();
    assert_eq!(refused.status.code(), Some(1), "{message}");
    assert!(message.contains("can't write to /sys") && message.contains("--data"), "{message}");
}

/// A folder with some games of two, after a kill, and what each player was shown last.
fn folder_with_games() -> (tempfile::TempDir, Vec<(Player, Value)>) {
    let folder = tempfile::tempdir().unwrap();
    let mut server = ServerProcess::start("127.0.0.1:0", folder.path());
    let shown = runtime().block_on(async {
        let mut shown = Vec::new();
        for shots in [0, 3, 6, 9, 12, 9, 6, 3] {
            for player in two_people(server.address, shots).await {
                let view = looked(server.address, &player).await.unwrap();
                shown.push((player, view));
            }
        }
        shown
    });
    server.kill();
    (folder, shown)
}

/// A copy of the files of a folder, one of which is changed.
fn changed_copy(folder: &Path, file: &str, change: impl FnOnce(&mut Vec<u8>)) -> tempfile::TempDir {
    let copy = tempfile::tempdir().unwrap();
    let bytes_of = |name: &str| fs::read(folder.join(name)).ok();
    for (name, bytes) in [DATABASE, LOG].into_iter().filter_map(|name| Some((name, bytes_of(name)?))) {
        fs::write(copy.path().join(name), bytes).unwrap();
    }
    let mut bytes = bytes_of(file).unwrap();
    change(&mut bytes);
    fs::write(copy.path().join(file), bytes).unwrap();
    copy
}

/// Starts a server on damaged files; `None` if it refuses them, with a message that says so.
fn start_damaged(folder: &Path) -> Option<ServerProcess> {
    let report = check(folder);
    if report.contains("error:") {
        assert!(
            report.contains("damaged")
                || report.contains("not a database")
                || report.contains("newer")
                || report.contains("can't use the games"),
            "{report}"
        );
        return None;
    }
    Some(ServerProcess::start("127.0.0.1:0", folder))
}

#[test]
fn a_flipped_byte_in_fifty_places_of_the_database_is_refused_or_does_no_harm() {
    let (folder, shown) = folder_with_games();
    // A check moves everything from the log into the database, and the log goes.
    assert!(check(folder.path()).contains("8 games, 0 damaged"));
    let length = fs::metadata(folder.path().join(DATABASE)).unwrap().len() as usize;
    let (mut refused, mut noticed) = (0, 0);
    for place in 0..50 {
        let copy = changed_copy(folder.path(), DATABASE, |bytes| bytes[(2 * place + 1) * length / 100] ^= 0x11);
        let Some(server) = start_damaged(copy.path()) else {
            refused += 1;
            continue;
        };
        runtime().block_on(async {
            for (player, view) in &shown {
                match looked(server.address, player).await {
                    Some(now) => assert_eq!(&now, view, "place {place}: another game is shown"),
                    None => noticed += 1,
                }
            }
        });
    }
    assert!(refused + noticed > 0, "no place was of any use");
}

#[test]
fn a_cut_or_changed_log_leaves_every_game_as_it_was_at_some_moment() {
    let (folder, shown) = folder_with_games();
    let length = fs::metadata(folder.path().join(LOG)).expect("a log after a kill").len() as usize;
    for place in 0..16 {
        let at = (2 * place + 1) * length / 32;
        let copy = changed_copy(folder.path(), LOG, |bytes| if place % 2 == 0 { bytes.truncate(at) } else { bytes[at] ^= 0x11 });
        let Some(server) = start_damaged(copy.path()) else { continue };
        assert!(check_moment(&server, &shown), "place {place}");
    }
    // What was never answered may be missing: half of a frame at the end.
    let copy = changed_copy(folder.path(), LOG, |bytes| bytes.extend([7; 2000]));
    let server = start_damaged(copy.path()).expect("nothing is damaged");
    runtime().block_on(async {
        for (player, view) in &shown {
            assert_eq!(looked(server.address, player).await.as_ref(), Some(view), "an answered shot is lost");
        }
    });
}

/// Whether every game is shown as it was at some moment, or not at all.
fn check_moment(server: &ServerProcess, shown: &[(Player, Value)]) -> bool {
    let shots = |view: &Value| view["you"]["shots"].as_array().cloned().unwrap_or_default();
    runtime().block_on(async {
        for (player, view) in shown {
            if let Some(now) = looked(server.address, player).await
                && !shots(view).starts_with(&shots(&now))
            {
                return false;
            }
        }
        true
    })
}
