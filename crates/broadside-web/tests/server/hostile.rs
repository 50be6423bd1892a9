//! Clients that mean harm, and what others notice of them.

use std::time::{Duration, Instant};

use broadside_web::client::{ClientError, Player};
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::time::{sleep, timeout};

use crate::help::{Running, get, raw, small};

fn kind<T>(result: Result<T, ClientError>) -> String {
    result.err().and_then(|error| error.kind().map(str::to_owned)).unwrap_or_default()
}

#[tokio::test]
async fn a_layout_of_thousands_of_ships_is_refused_before_it_is_checked() {
    let server = Running::start().await;
    let mut player = server.player(&json!({ "rules": small() })).await;
    let start = Instant::now();
    let refused = player.place(&json!(vec!["A1"; 13_000])).await.unwrap_err();
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    let ClientError::Refused { status, error } = refused else { panic!("{refused}") };
    assert_eq!((status.as_u16(), &error["error"]["kind"]), (422, &json!("limit")));
    assert!(error["error"]["message"].as_str().unwrap().contains("40 ships"), "{error}");
    // As many as are allowed overlap in 780 ways, of which the answer names a few.
    let refused = player.place(&json!(vec!["A1"; 40])).await.unwrap_err();
    let ClientError::Refused { error, .. } = refused else { panic!("{refused}") };
    assert!(error.to_string().len() < 20_000, "{}", error.to_string().len());
    assert!(error["error"]["violations"].as_array().unwrap().len() < 60);
}

#[tokio::test]
async fn clients_that_never_read_are_cut_off_and_make_room() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start_with(folder, |config| {
        config.limits.connections = 2;
        config.limits.write_timeout = Duration::from_millis(200);
    })
    .await;
    let request = "GET /api/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(400);
    let mut deaf = Vec::new();
    for _ in 0..2 {
        let mut stream = TcpStream::connect(server.address).await.unwrap();
        // It stops taking requests when nobody reads its answers.
        _ = timeout(Duration::from_millis(300), stream.write_all(request.repeat(20).as_bytes())).await;
        deaf.push(stream);
    }
    let answer = timeout(Duration::from_secs(20), get(server.address, "/api/captains", "")).await.expect("room for another");
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    drop(deaf);
}

#[tokio::test]
async fn idle_connections_are_closed() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start_with(folder, |config| config.limits.head_timeout = Duration::from_millis(100)).await;
    let answer = timeout(Duration::from_secs(20), raw(server.address, "")).await.expect("the server hangs up");
    assert!(!answer.contains(" 200 "), "{answer}");
}

#[tokio::test]
async fn other_hosts_are_refused() {
    let server = Running::start().await;
    let refused = raw(server.address, "GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n").await;
    assert!(refused.starts_with("HTTP/1.1 421") && refused.contains("other-host"), "{refused}");
    let named = Running::start_with(tempfile::tempdir().unwrap(), |config| config.hosts.push("play.example".to_owned())).await;
    let answer = raw(named.address, "GET / HTTP/1.1\r\nHost: play.example\r\nConnection: close\r\n\r\n").await;
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
}

#[tokio::test]
async fn posts_and_sockets_of_other_origins_are_refused() {
    let server =
        Running::start_with(tempfile::tempdir().unwrap(), |config| config.limits.head_timeout = Duration::from_secs(1)).await;
    let more = "Host: localhost\r\nConnection: close\r\nOrigin: http://localhost:3000\r\nContent-Type: application/json\r\n";
    let refused = raw(server.address, &format!("POST /api/deal HTTP/1.1\r\n{more}Content-Length: 2\r\n\r\n{{}}")).await;
    assert!(refused.starts_with("HTTP/1.1 403") && refused.contains("other-site"), "{refused}");
    let socket = "Host: localhost\r\nOrigin: http://evil.example\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
        Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
    let request = format!("GET /api/games/x/live HTTP/1.1\r\n{socket}\r\n");
    let refused = timeout(Duration::from_secs(20), raw(server.address, &request)).await;
    assert!(refused.is_ok_and(|answer| answer.starts_with("HTTP/1.1 403")), "no socket is opened");
}

/// A request that a proxy passes on for a client.
fn forwarded(client: &str, path: &str, body: Option<&Value>) -> String {
    let (method, body) = body.map_or(("GET", String::new()), |body| ("POST", body.to_string()));
    format!(
        "{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nX-Forwarded-For: {client}\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )
}

#[tokio::test]
async fn one_address_makes_so_many_games_and_requests_and_others_go_on() {
    let server = Running::start_with(tempfile::tempdir().unwrap(), |config| {
        config.proxies.push("127.0.0.1".parse().unwrap());
        config.limits.games_per_minute = 3;
        config.limits.requests_per_second = 5;
    })
    .await;
    let game = json!({ "rules": small() });
    let mut statuses = Vec::new();
    for _ in 0..5 {
        let answer = raw(server.address, &forwarded("198.51.100.1", "/api/games", Some(&game))).await;
        statuses.push(answer.get(9..12).unwrap_or_default().to_owned());
        assert!(!answer.contains(" 429 ") || answer.contains("retry-after: "), "{answer}");
    }
    assert_eq!(statuses, ["201", "201", "201", "429", "429"]);
    let other = raw(server.address, &forwarded("198.51.100.2", "/api/games", Some(&game))).await;
    assert!(other.starts_with("HTTP/1.1 201"), "{other}");
    let mut refused = 0;
    for _ in 0..60 {
        let answer = raw(server.address, &forwarded("198.51.100.3", "/api/captains", None)).await;
        refused += usize::from(answer.starts_with("HTTP/1.1 429"));
    }
    assert!(refused > 0);
    assert!(raw(server.address, &forwarded("198.51.100.4", "/api/captains", None)).await.starts_with("HTTP/1.1 200"));
}

#[tokio::test]
async fn joining_again_with_the_same_token_gives_the_same_seat() {
    let server = Running::start().await;
    let ann = server.player(&json!({ "rules": small() })).await;
    let path = format!("/api/games/{}/join", ann.id);
    let join = |token: &str| json!({ "invite": ann.invite, "token": token });
    let own = "0123456789abcdef0123456789abcdef";
    let first = server.client().await.post(&path, None, &join(own)).await.unwrap();
    let again = server.client().await.post(&path, None, &join(own)).await.unwrap();
    assert_eq!((&first, &first["token"]), (&again, &json!(own)));
    let other = server.client().await.post(&path, None, &join(&own.replace('0', "f"))).await;
    assert_eq!(kind(other), "already-joined");
    assert_eq!(kind(server.client().await.post(&path, None, &join("short")).await), "unreadable");
}

#[tokio::test]
async fn a_game_that_nobody_joined_ends_for_good() {
    let server = Running::start().await;
    let mut ann = server.player(&json!({ "rules": small() })).await;
    ann.act("resign", &json!({})).await.unwrap();
    let rematch = format!("/api/games/{}/rematch", ann.id);
    assert_eq!(kind(ann.client.post(&rematch, Some(&ann.token), &json!({})).await), "not-joined");
    let joined = Player::join(server.client().await, &ann.id, ann.invite.as_deref().unwrap()).await;
    assert_eq!(kind(joined), "over");
}

#[tokio::test]
async fn whoever_runs_the_server_sees_its_health_and_its_counters() {
    let server = Running::start_with(tempfile::tempdir().unwrap(), |config| {
        config.admin = Some("127.0.0.1:0".parse().unwrap());
    })
    .await;
    server.player(&json!({ "rules": small() })).await.look().await.unwrap();
    let admin = server.admin.unwrap();
    assert!(get(admin, "/healthz", "").await.starts_with("HTTP/1.1 200"));
    let metrics = get(admin, "/metrics", "").await;
    assert!(metrics.contains("broadside_game_reads_total 1\n"), "{metrics}");
    assert!(metrics.contains("broadside_answers_total{status=\"2xx\"} 2\n"), "{metrics}");
    get(server.address, "/nowhere", "").await;
    let metrics = get(admin, "/metrics", "").await;
    for line in [
        "broadside_games_made_total 1",
        "broadside_refusals_total{kind=\"not-found\"} 1",
        "broadside_answer_seconds_count 3",
        "broadside_memory_limit_bytes 1073741824",
        "broadside_watchers 0",
        "broadside_jobs_waiting{queue=\"work\"} 0",
        "broadside_jobs_waiting{queue=\"database\"} 0",
        "broadside_jobs_running{queue=\"lab\"} 0",
        "# TYPE broadside_answer_seconds histogram",
    ] {
        assert!(metrics.lines().any(|found| found == line), "{line} in {metrics}");
    }
    for name in ["broadside_database_bytes", "broadside_database_log_bytes", "broadside_memory_resident_bytes"] {
        let value = metrics.lines().find_map(|line| line.strip_prefix(name)?.trim().parse::<u64>().ok());
        assert!(value.is_some_and(|bytes| bytes > 0 || !cfg!(target_os = "linux")), "{name} in {metrics}");
    }
    assert!(get(server.address, "/metrics", "").await.starts_with("HTTP/1.1 404"), "not for players");
}

#[tokio::test]
async fn old_games_are_removed_while_the_server_runs() {
    let server = Running::start().await;
    let (mut old, mut young) =
        (server.player(&json!({ "rules": small() })).await, server.player(&json!({ "rules": small() })).await);
    let folder = server.stop().await;
    let database = rusqlite::Connection::open(folder.path().join("games.sqlite")).unwrap();
    assert_eq!(database.execute("UPDATE game SET day = day - 31 WHERE id = ?1", [&old.id]).unwrap(), 1);
    drop(database);
    let server = Running::start_with(folder, |config| config.keep_days = Some(30)).await;
    old.client = server.client().await;
    young.client = server.client().await;
    let start = Instant::now();
    while kind(old.look().await) != "not-found" {
        assert!(start.elapsed() < Duration::from_secs(20));
        sleep(Duration::from_millis(20)).await;
    }
    assert!(young.look().await.is_ok());
}

#[tokio::test]
async fn lists_that_nobody_uses_are_removed_and_looking_at_one_is_use() {
    let server = Running::start().await;
    let mut client = server.client().await;
    let mut tokens = Vec::new();
    for _ in 0..3 {
        let made = client.post("/api/history/new", None, &json!({})).await.unwrap();
        tokens.push(made["token"].as_str().unwrap().to_owned());
        client.post("/api/history", tokens.last().map(String::as_str), &json!({ "removed": ["a"] })).await.unwrap();
    }
    let folder = server.stop().await;
    let file = folder.path().join("games.sqlite");
    let age = |days: u32, lists: usize| {
        let database = rusqlite::Connection::open(&file).unwrap();
        let changed = database.execute("UPDATE player SET day = day - ?1 WHERE key > 1", [days]).unwrap();
        assert_eq!(changed, lists);
    };
    age(29, 2);
    let server = Running::start_in(folder).await;
    server.client().await.get("/api/history", Some(&tokens[1])).await.unwrap();
    let folder = server.stop().await;
    age(2, 2);
    let server = Running::start_with(folder, |config| config.keep_days = Some(30)).await;
    let mut client = server.client().await;
    let start = Instant::now();
    let left = || rusqlite::Connection::open(&file).unwrap().query_row("SELECT count(*) FROM player", (), |row| row.get(0));
    while left() != Ok(2) {
        assert!(start.elapsed() < Duration::from_secs(20));
        sleep(Duration::from_millis(20)).await;
    }
    for (token, is_kept) in tokens.iter().zip([true, true, false]) {
        let list = client.get("/api/history", Some(token)).await;
        assert_eq!(list.is_ok(), is_kept, "{list:?}");
    }
    let orphans = "SELECT count(*) FROM finished WHERE player NOT IN (SELECT key FROM player)";
    let orphans: u32 = rusqlite::Connection::open(&file).unwrap().query_row(orphans, (), |row| row.get(0)).unwrap();
    assert_eq!(orphans, 0);
}

#[tokio::test]
async fn the_space_of_removed_games_goes_back_to_the_file_system() {
    let folder = Running::start().await.stop().await;
    let file = folder.path().join("games.sqlite");
    let database = rusqlite::Connection::open(&file).unwrap();
    let numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)";
    let games = "INSERT INTO game (key, id, replay, rules, turns, day) SELECT i, hex(randomblob(16)), hex(randomblob(16)), 'classic', 'alternate', 1 FROM n";
    let shots = "INSERT INTO shot (game, number, side, cell) SELECT n.i, m.i, 'first', 'A10' FROM n, n AS m WHERE m.i <= 90";
    for insert in [games, shots] {
        database.execute(&format!("{numbers} {insert}"), ()).unwrap();
    }
    drop(database);
    let size = || std::fs::metadata(&file).unwrap().len();
    let full = size();
    assert!(full > 1 << 20, "{full}");
    let server = Running::start_with(folder, |config| config.keep_days = Some(30)).await;
    let start = Instant::now();
    while size() > full / 3 {
        assert!(start.elapsed() < Duration::from_secs(60), "{} of {full} bytes", size());
        sleep(Duration::from_millis(50)).await;
    }
    server.stop().await;
}

/// The largest board, with twenty ships that keep apart, and a layout for it: three ships in every second row.
fn largest() -> (Value, Value) {
    let rules = json!({ "board": "20x20", "fleet": vec!["5"; 20].join(","), "touch": "never" });
    let ship = |number: u8| {
        let (row, col) = (char::from(b'A' + number / 3 * 2), number % 3 * 6 + 1);
        format!("{row}{col}-{row}{}", col + 4)
    };
    (rules, json!((0..20).map(ship).collect::<Vec<_>>()))
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_waits_for_the_long_reviews_of_those_who_have_left() {
    let server = Running::start().await;
    let (rules, ships) = largest();
    let [mut ann, mut bob] = server.pair(&rules).await;
    ann.place(&ships).await.unwrap();
    bob.place(&ships).await.unwrap();
    for number in 1..=15 {
        ann.look().await.unwrap();
        ann.fire(&format!("B{number}")).await.unwrap();
        bob.look().await.unwrap();
        bob.fire(&format!("B{number}")).await.unwrap();
    }
    ann.act("resign", &json!({})).await.unwrap();
    let review =
        format!("GET /api/games/{}/review HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {}\r\n\r\n", ann.id, ann.token);
    // A second request behind the first hides from the server that the client has left.
    let review = review.repeat(2);
    for _ in 0..6 {
        TcpStream::connect(server.address).await.unwrap().write_all(review.as_bytes()).await.unwrap();
    }
    let mut player = server.player(&json!({ "captain": "density" })).await;
    player.place(&json!(["A1-A5", "C1-C4", "E1-E3", "G1-G3", "I1-I2"])).await.unwrap();
    for number in 1..=5 {
        player.fire(&format!("J{number}")).await.unwrap();
        while !player.is_to_fire() {
            player.look().await.unwrap();
        }
        let path = format!("/api/games/{}/odds", player.id);
        assert_eq!(player.client.get(&path, Some(&player.token)).await.unwrap()["exact"], true);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_campaign_whose_reader_left_makes_room_for_the_next() {
    let server = Running::start().await;
    for _ in 0..3 {
        let mut stream = TcpStream::connect(server.address).await.unwrap();
        let request = "GET /api/campaign?captains=random&games=1000000 HTTP/1.1\r\nHost: localhost\r\n\r\n";
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut first = [0; 400];
        tokio::io::AsyncReadExt::read_exact(&mut stream, &mut first).await.unwrap();
    }
    // A campaign that waits too long for its place is refused.
    let next = get(server.address, "/api/campaign?captains=random&games=50&board=5x5&fleet=3,2", "").await;
    assert!(next.contains("event: done"), "{next}");
}

#[tokio::test]
async fn rematches_count_as_new_games() {
    let server = Running::start_with(tempfile::tempdir().unwrap(), |config| {
        config.proxies.push("127.0.0.1".parse().unwrap());
        config.limits.games_per_minute = 2;
    })
    .await;
    let body = |answer: &str| serde_json::from_str::<Value>(answer.split("\r\n\r\n").last().unwrap()).unwrap();
    let ask = async |path: &str, token: &str, body: &Value| {
        let request = forwarded("198.51.100.1", path, Some(body))
            .replace("Connection: close", &format!("Connection: close\r\nAuthorization: Bearer {token}"));
        raw(server.address, &request).await
    };
    let made = body(&ask("/api/games", "x", &json!({ "rules": small(), "captain": "random" })).await);
    let (mut id, token) = (made["id"].as_str().unwrap().to_owned(), made["token"].as_str().unwrap().to_owned());
    let mut statuses = Vec::new();
    for _ in 0..2 {
        ask(&format!("/api/games/{id}/resign"), &token, &json!({})).await;
        let rematch = ask(&format!("/api/games/{id}/rematch"), &token, &json!({})).await;
        statuses.push(rematch[9..12].to_owned());
        id = body(&rematch)["id"].as_str().unwrap_or_default().to_owned();
    }
    assert_eq!(statuses, ["200", "429"]);
}
