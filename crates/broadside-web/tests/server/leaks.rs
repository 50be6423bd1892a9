//! What a player receives tells nothing of the layout that the other hides.

use std::collections::{BTreeSet, HashMap};
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::time::Duration;

use broadside_web::client::{Client, Player};
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{WebSocketStream, client_async};

use crate::help::Running;

/// Endpoints that know a game, all of which the players below use.
const OF_A_GAME: [&str; 14] = [
    "/api/games",
    "/api/games/{id}",
    "/api/games/{id}/invitation",
    "/api/games/{id}/join",
    "/api/games/{id}/layout",
    "/api/games/{id}/live",
    "/api/games/{id}/odds",
    "/api/games/{id}/rematch",
    "/api/games/{id}/resign",
    "/api/games/{id}/review",
    "/api/games/{id}/shots",
    "/api/replays/{id}",
    "/api/replays/{id}/review",
    "/api/watch/{id}",
];
/// Endpoints that know nothing but what is sent to them.
const WITHOUT_A_GAME: [&str; 15] = [
    "/api/best",
    "/api/campaign",
    "/api/captains",
    "/api/deal",
    "/api/hide",
    "/api/hide/judge",
    "/api/history",
    "/api/history/new",
    "/api/odds",
    "/api/picture",
    "/api/presets",
    "/api/puzzles",
    "/api/puzzles/hint",
    "/api/review",
    "/api/rules",
];

#[test]
fn no_endpoint_is_left_out_here() {
    let described = serde_json::to_value(broadside_web::description()).unwrap();
    let paths: BTreeSet<&str> = described["paths"].as_object().unwrap().keys().map(String::as_str).collect();
    let known: BTreeSet<&str> = OF_A_GAME.into_iter().chain(WITHOUT_A_GAME).collect();
    assert_eq!(paths, known, "add a new endpoint to the games below, or say that it knows no game");
}

/// A connection that remembers every byte it received.
struct Recorder {
    stream: TcpStream,
    received: Arc<Mutex<Vec<u8>>>,
}

impl Recorder {
    async fn connect(server: &Running, received: &Arc<Mutex<Vec<u8>>>) -> Self {
        Self { stream: TcpStream::connect(server.address).await.expect("a connection"), received: received.clone() }
    }
}

impl AsyncRead for Recorder {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<std::io::Result<()>> {
        let before = buf.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(cx, buf);
        self.received.lock().unwrap().extend_from_slice(&buf.filled()[before..]);
        read
    }
}

impl AsyncWrite for Recorder {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<std::io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(cx, buf)
    }
    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }
    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

/// What a player received over HTTP and over the socket.
type Received = [String; 2];

/// Layouts that give the same answers to [`SHOTS`], a hit among them.
const HIDDEN: [[&str; 2]; 2] = [["E1-E3", "A4-A5"], ["C2-E2", "B4-B5"]];
const SHOTS: [&str; 6] = ["E2", "A1", "C5", "B1", "D4", "E5"];
/// Where the other fires, and hits nothing.
const REPLIES: [&str; 6] = ["E1", "E2", "E3", "E4", "E5", "D5"];
const OWN: [&str; 2] = ["A1-A3", "C1-C2"];

fn rules() -> Value {
    json!({ "board": "5x5", "fleet": "3,2" })
}

/// A player all of whose connections are recorded.
struct Watched {
    player: Player,
    live: WebSocketStream<Recorder>,
    http: Arc<Mutex<Vec<u8>>>,
    socket: Arc<Mutex<Vec<u8>>>,
    /// The id for spectators, once it was looked for.
    watch: String,
}

impl Watched {
    async fn make_by(server: &Running, captain: Option<&str>, rules: &Value) -> Self {
        let [http, socket] = [(); 2].map(|()| Arc::new(Mutex::new(Vec::new())));
        let client = Client::over(Recorder::connect(server, &http).await).await.unwrap();
        let wanted = json!({ "rules": rules, "captain": captain, "name": "Ann" });
        let player = Player::make(client, &wanted).await.unwrap();
        let live = Self::watch(server, &player, &socket).await;
        Self { player, live, http, socket, watch: String::new() }
    }

    async fn watch(server: &Running, player: &Player, received: &Arc<Mutex<Vec<u8>>>) -> WebSocketStream<Recorder> {
        let url = format!("ws://{}/api/games/{}/live", server.address, player.id);
        let (mut live, _) = client_async(url, Recorder::connect(server, received).await).await.unwrap();
        live.send(json!({ "token": player.token }).to_string().into()).await.unwrap();
        live
    }

    async fn connect_again(&mut self, server: &Running) {
        self.player.client = Client::over(Recorder::connect(server, &self.http).await).await.unwrap();
        self.live = Self::watch(server, &self.player, &self.socket).await;
    }

    /// The next state that the socket shows.
    async fn next_view(&mut self) -> Value {
        loop {
            let message =
                timeout(Duration::from_secs(20), self.live.next()).await.expect("in time").expect("open").expect("whole");
            if let Message::Text(text) = message {
                return serde_json::from_str(&text).unwrap();
            }
        }
    }

    /// Waits until the socket shows so many shots of both together, so that both games receive the same messages.
    async fn settle(&mut self, shots: usize) {
        loop {
            let view = self.next_view().await;
            if view["order"].as_array().unwrap().len() == shots && view["phase"] != "waiting" {
                return;
            }
        }
    }

    /// Fires, and asks for everything that can be asked for, refusals among it.
    async fn fire_and_pry(&mut self, shot: &str) {
        let player = &mut self.player;
        player.fire(shot).await.unwrap();
        let stale = json!({ "cell": shot, "number": 77 });
        assert!(player.client.post(&format!("/api/games/{}/shots", player.id), Some(&player.token), &stale).await.is_err());
        for (what, refused) in [("odds", false), ("review", true), ("nothing", true)] {
            let path = format!("/api/games/{}/{what}", player.id);
            assert_eq!(player.client.get(&path, Some(&player.token)).await.is_err(), refused, "{what}");
        }
        let rematch = format!("/api/games/{}/rematch", player.id);
        assert!(player.client.post(&rematch, Some(&player.token), &json!({})).await.is_err());
        for what in ["", "/review"] {
            assert!(player.client.get(&format!("/api/replays/{}{what}", player.id), None).await.is_err());
        }
        let watch = player.look().await.unwrap()["watch"].as_str().unwrap().to_owned();
        let seen = player.client.get(&format!("/api/watch/{watch}"), None).await.unwrap();
        assert!(seen["players"][0].get("ships").is_none(), "spectators see no ships: {seen}");
        self.watch = watch;
    }

    /// Everything received over HTTP and over the socket, without identifiers and the time of day.
    fn received(&self) -> Received {
        let Player { id, token, invite, .. } = &self.player;
        let names: Vec<&str> = [id, token, &self.watch].into_iter().chain(invite).map(String::as_str).collect();
        [&self.http, &self.socket].map(|bytes| without_identifiers(&bytes.lock().unwrap(), &names))
    }
}

fn without_identifiers(bytes: &[u8], names: &[&str]) -> String {
    let text = String::from_utf8_lossy(bytes).into_owned();
    let text = names.iter().filter(|name| !name.is_empty()).fold(text, |text, name| text.replace(name, "NAME"));
    let varies = |line: &str| ["date:", "sec-websocket-accept:"].iter().any(|head| line.to_ascii_lowercase().starts_with(head));
    text.lines().filter(|line| !varies(line)).collect::<Vec<_>>().join("\n")
}

/// A game of two people, both of whom have placed their ships.
async fn two_people(server: &Running, rules: &Value, hidden: [&str; 2]) -> (Watched, Player) {
    let mut ann = Watched::make_by(server, None, rules).await;
    let invite = ann.player.invite.clone().unwrap();
    let asked = format!("/api/games/{}/invitation", ann.player.id);
    let told = ann.player.client.post(&asked, None, &json!({ "invite": invite })).await.unwrap();
    assert_eq!((&told["name"], &told["hints"]), (&json!("Ann"), &json!(true)));
    // On a busy machine the socket may begin to watch only after somebody has joined, and would show one state less.
    assert_eq!(ann.next_view().await["phase"], "waiting");
    let mut bob = Player::join(server.client().await, &ann.player.id, &invite).await.unwrap();
    ann.settle(0).await;
    bob.place(&json!(hidden)).await.unwrap();
    ann.settle(0).await;
    ann.player.place(&json!(OWN)).await.unwrap();
    ann.settle(0).await;
    (ann, bob)
}

async fn against_a_person(server: &Running, hidden: [&str; 2]) -> Received {
    let (mut ann, mut bob) = two_people(server, &rules(), hidden).await;
    for (number, (shot, reply)) in SHOTS.into_iter().zip(REPLIES).enumerate() {
        ann.fire_and_pry(shot).await;
        ann.settle(2 * number + 1).await;
        bob.fire(reply).await.unwrap();
        ann.settle(2 * number + 2).await;
    }
    ann.received()
}

/// A game against a captain whose layout is changed in the database, while the server is down. It is one that fires alike in every
/// game; the others turn the board at random.
async fn game_with_layout(rules: &Value, hidden: [&str; 2]) -> (Running, Watched) {
    let server = Running::start().await;
    let mut ann = Watched::make_by(&server, Some("exact"), rules).await;
    ann.settle(0).await;
    let folder = server.stop().await;
    let database = rusqlite::Connection::open(folder.path().join("games.sqlite")).unwrap();
    let changed = database.execute("UPDATE seat SET layout = ?1 WHERE captain = 'exact'", [hidden.join(" ")]).unwrap();
    assert_eq!(changed, 1);
    // The checksum would find the change.
    database.execute("UPDATE game SET sum = NULL", ()).unwrap();
    drop(database);
    let server = Running::start_in(folder).await;
    ann.connect_again(&server).await;
    ann.settle(0).await;
    ann.player.place(&json!(OWN)).await.unwrap();
    ann.settle(0).await;
    (server, ann)
}

async fn against_a_captain(hidden: [&str; 2]) -> Received {
    let (_server, mut ann) = game_with_layout(&rules(), hidden).await;
    for (number, shot) in SHOTS.into_iter().enumerate() {
        ann.fire_and_pry(shot).await;
        ann.settle(2 * number + 2).await;
    }
    ann.received()
}

/// Layouts that give as many hits in each turn of two shots, of different cells: E2 or A1.
const COUNTED: [[&str; 2]; 2] = [["E1-E3", "A4-A5"], ["A1-C1", "B4-B5"]];

const COUNTED_SHOTS: [&str; 6] = ["E2", "A1", "C5", "B3", "D4", "E5"];

fn counted_rules() -> Value {
    json!({ "board": "5x5", "fleet": "3,2", "salvo": "2:count" })
}

/// The same where only the number of hits of a turn is called.
async fn counted(server: &Running, hidden: [&str; 2]) -> Received {
    let (mut ann, mut bob) = two_people(server, &counted_rules(), hidden).await;
    for (number, (shots, replies)) in COUNTED_SHOTS.chunks(2).zip(REPLIES.chunks(2)).enumerate() {
        for (at, shot) in shots.iter().enumerate() {
            ann.fire_and_pry(shot).await;
            ann.settle(4 * number + at + 1).await;
        }
        for (at, reply) in replies.iter().enumerate() {
            bob.fire(reply).await.unwrap();
            ann.settle(4 * number + at + 3).await;
        }
    }
    ann.received()
}

fn assert_same_counts(one: &Received, other: &Received) {
    for (one, other) in one.iter().zip(other) {
        assert!(one.contains("\"call\":\"=1\"") && one.contains("C5-"), "the hit was counted: {one}");
        assert_eq!(one, other);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn of_turns_that_are_counted_a_person_is_told_nothing_but_the_count() {
    let server = Running::start().await;
    let one = counted(&server, COUNTED[0]).await;
    assert_same_counts(&one, &counted(&server, COUNTED[1]).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn of_turns_that_are_counted_nothing_else_comes_from_a_captain() {
    let mut received = Vec::new();
    for hidden in COUNTED {
        let (_server, mut ann) = game_with_layout(&counted_rules(), hidden).await;
        for (number, shots) in COUNTED_SHOTS.chunks(2).enumerate() {
            ann.fire_and_pry(shots[0]).await;
            ann.settle(4 * number + 1).await;
            ann.fire_and_pry(shots[1]).await;
            ann.settle(4 * number + 4).await;
        }
        received.push(ann.received());
    }
    assert_same_counts(&received[0], &received[1]);
}

/// Shots none of which sinks a ship of [`HIDDEN`]: one ship of each layout is hit and the other missed, so that of two games with the same answers
/// one has false ones.
const DOUBTED: [&str; 4] = ["A4", "B4", "A4", "E1"];

/// A game in which four answers in ten are false, to these shots; and what was called, of the other's shots too.
async fn doubted(server: &Running, hidden: [&str; 2]) -> (String, Received) {
    let rules = json!({ "board": "5x5", "fleet": "3,2", "noise": "0.4" });
    let (mut ann, mut bob) = two_people(server, &rules, hidden).await;
    for (number, (shot, reply)) in DOUBTED.into_iter().zip(REPLIES).enumerate() {
        ann.fire_and_pry(shot).await;
        ann.settle(2 * number + 1).await;
        bob.fire(reply).await.unwrap();
        ann.settle(2 * number + 2).await;
    }
    let view = ann.player.look().await.unwrap();
    (format!("{} {}", view["you"]["shots"], view["opponent"]["shots"]), ann.received())
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_tells_whether_an_answer_was_false() {
    let server = Running::start().await;
    // Each game has its own secret, so the same answers come by chance, in about one pair of 250 games.
    let mut seen: [HashMap<String, Received>; 2] = Default::default();
    for game in 0..1000 {
        let (called, received) = doubted(&server, HIDDEN[game % 2]).await;
        if let Some(other) = seen[1 - game % 2].get(&called) {
            assert!(received[0].contains("A4+") || received[0].contains("A4-"), "the answers were told: {}", received[0]);
            return assert_eq!(&received, other, "called {called}");
        }
        seen[game % 2].insert(called, received);
    }
    panic!("no two games with the same answers");
}

/// Two games differ only in what is hidden: so must be what is received.
fn assert_same(one: &Received, other: &Received) {
    for (one, other) in one.iter().zip(other) {
        assert!(one.contains("E2+"), "the hit was told of: {one}");
        assert_eq!(one, other);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn bytes_received_from_a_person_are_independent_of_the_hidden_layout() {
    let server = Running::start().await;
    let one = against_a_person(&server, HIDDEN[0]).await;
    assert_same(&one, &against_a_person(&server, HIDDEN[1]).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn bytes_received_from_a_captain_are_independent_of_the_hidden_layout() {
    assert_same(&against_a_captain(HIDDEN[0]).await, &against_a_captain(HIDDEN[1]).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_recording_does_tell_layouts_apart_once_the_game_is_over() {
    let server = Running::start().await;
    let mut told = Vec::new();
    for hidden in HIDDEN {
        let mut ann = Watched::make_by(&server, None, &rules()).await;
        let invite = ann.player.invite.clone().unwrap();
        let mut bob = Player::join(server.client().await, &ann.player.id, &invite).await.unwrap();
        bob.place(&json!(hidden)).await.unwrap();
        ann.player.place(&json!(OWN)).await.unwrap();
        bob.act("resign", &json!({})).await.unwrap();
        ann.player.look().await.unwrap();
        told.push(ann.received());
    }
    assert!(told[0][0].contains(HIDDEN[0][0]) && told[1][0].contains(HIDDEN[1][0]));
}
