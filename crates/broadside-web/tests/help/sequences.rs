//! Whole sequences of requests made from arbitrary bytes, for the fuzz target `requests` and the ordinary tests.
//!
//! Whatever is asked, in whatever order: every request is answered as the description says, and never with “something went
//! wrong here”.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use serde_json::{Value, json};

/// Requests of one sequence at most.
const MOST: usize = 24;
/// An answer that takes longer than this is none.
const READ_TIMEOUT: Duration = Duration::from_secs(60);

const RULES: [(&str, &str); 6] = [("3x3", "2"), ("5x5", "3,2"), ("1x3", "2"), ("4x4", "2,2,1"), ("2x2", "9"), ("0x5", "x")];
const CAPTAINS: [&str; 5] = ["random", "density", "exact", "optimal", "nobody"];
const WORDS: [&str; 6] = ["odds", "review", "rematch", "resign", "live", "shots"];
const SHIPS: [&[&str]; 6] = [&["A1-A2"], &["A1-A3", "C1-C2"], &["A1", "A1"], &["A1-B2"], &[], &["A1-A2", "C1-C2", "A4"]];

/// A game that somebody takes part in.
#[derive(Clone, Default)]
struct Seat {
    id: String,
    token: String,
    invite: String,
}

/// Sends the requests that the bytes stand for, and checks every answer.
///
/// # Panics
/// When an answer is not as it should be.
pub(crate) fn run(address: SocketAddr, bytes: &[u8]) {
    let mut bytes = Bytes(bytes);
    let mut client = Client::connect(address);
    let mut seats = vec![Seat::default()];
    for _ in 0..MOST {
        let Some(what) = bytes.next() else { return };
        step(what, &mut bytes, &mut client, &mut seats);
    }
}

fn step(what: u8, bytes: &mut Bytes<'_>, client: &mut Client, seats: &mut Vec<Seat>) {
    let seat = bytes.pick(seats).clone();
    let game = format!("/api/games/{}", seat.id);
    let token = if bytes.next().is_some_and(|byte| byte > 240) { "wrong" } else { &seat.token };
    let rules = || {
        let (board, fleet) = *bytes_rules(what);
        json!({ "board": board, "fleet": fleet })
    };
    match what % 14 {
        0 | 1 => {
            let captain = what.is_multiple_of(14).then(|| bytes.pick(&CAPTAINS));
            let made = client.post("/api/games", "", &json!({ "rules": rules(), "captain": captain, "name": bytes.text() }));
            seats.extend(new_seat(&made));
        }
        2 => {
            let joined = client.post(&format!("{game}/join"), "", &json!({ "invite": seat.invite, "name": bytes.text() }));
            seats.extend(joined["token"].as_str().map(|token| Seat { token: token.to_owned(), ..seat.clone() }));
        }
        3 | 4 => _ = client.post(&format!("{game}/layout"), token, &json!({ "ships": bytes.pick(&SHIPS) })),
        5..=7 => {
            let (row, col, number) =
                (bytes.next().unwrap_or(0) % 6, bytes.next().unwrap_or(0) % 6, bytes.next().unwrap_or(0) % 10);
            let cell = format!("{}{}", char::from(b'A' + row), col + 1);
            _ = client.post(&format!("{game}/shots"), token, &json!({ "cell": cell, "number": number }));
        }
        8 => _ = client.post(&format!("{game}/{}", bytes.pick(&WORDS)), token, &json!({})),
        9 => _ = client.get(&format!("{game}/{}", bytes.pick(&WORDS)), token),
        10 => {
            let view = client.get(&game, token);
            let replay = view["replay"].as_str().unwrap_or("x").to_owned();
            client.get(&format!("/api/replays/{replay}"), "");
            client.get(&format!("/api/replays/{replay}/review?side={}", if what > 99 { "first" } else { "second" }), "");
        }
        11 => {
            let path = *bytes.pick(&["odds", "rules", "deal", "games"]);
            _ = client.post(&format!("/api/{path}"), "", &json!({ "rules": rules(), "shots": bytes.text() }));
            _ = client.post("/api/odds", "", &json!({ "rules": rules(), "weights": bytes.text() }));
        }
        12 => {
            let path = *bytes.pick(&["odds", "rules", "deal", "games", "hide", "hide/judge", "games/x/shots", "games/x/layout"]);
            client.post_text(&format!("/api/{path}"), token, &bytes.text());
        }
        _ => {
            let text: String = bytes.text().chars().filter(char::is_ascii_alphanumeric).collect();
            client.get(&format!("/api/picture?board=3x3&fleet=2&shots={text}"), "");
        }
    }
}

fn bytes_rules(what: u8) -> &'static (&'static str, &'static str) {
    &RULES[usize::from(what / 14) % RULES.len()]
}

fn new_seat(made: &Value) -> Option<Seat> {
    let text = |name: &str| made[name].as_str().unwrap_or_default().to_owned();
    made["id"].is_string().then(|| Seat { id: text("id"), token: text("token"), invite: text("invite") })
}

/// Bytes that are read one after another.
struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn next(&mut self) -> Option<u8> {
        let (&first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(first)
    }

    fn pick<'b, T>(&mut self, choices: &'b [T]) -> &'b T {
        &choices[usize::from(self.next().unwrap_or(0)) % choices.len()]
    }

    /// Some of the bytes as text.
    fn text(&mut self) -> String {
        let length = usize::from(self.next().unwrap_or(0) % 40).min(self.0.len());
        let (text, rest) = self.0.split_at(length);
        self.0 = rest;
        String::from_utf8_lossy(text).into_owned()
    }
}

/// One connection, opened again when the server closes it.
struct Client {
    address: SocketAddr,
    stream: BufReader<TcpStream>,
}

impl Client {
    fn connect(address: SocketAddr) -> Self {
        Self { address, stream: Self::open(address) }
    }

    fn open(address: SocketAddr) -> BufReader<TcpStream> {
        let stream = TcpStream::connect(address).expect("a server");
        stream.set_read_timeout(Some(READ_TIMEOUT)).expect("a timeout");
        BufReader::new(stream)
    }

    fn get(&mut self, path: &str, token: &str) -> Value {
        self.ask(&format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n\r\n"))
    }

    fn post(&mut self, path: &str, token: &str, body: &Value) -> Value {
        self.post_text(path, token, &body.to_string())
    }

    fn post_text(&mut self, path: &str, token: &str, body: &str) -> Value {
        let length = body.len();
        self.ask(&format!(
            "POST {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\nContent-Type: application/json\r\n\
             Content-Length: {length}\r\n\r\n{body}"
        ))
    }

    /// The answer as JSON; null for one that is none, such as a picture.
    fn ask(&mut self, request: &str) -> Value {
        self.stream.get_mut().write_all(request.as_bytes()).expect("sent");
        let (status, length, closes) = self.head(request);
        assert!(status < 500 || status == 503, "{status} for {request}");
        let mut body = vec![0; length];
        self.stream.read_exact(&mut body).expect("a whole answer");
        if closes {
            self.stream = Self::open(self.address);
        }
        let value = serde_json::from_slice(&body).unwrap_or(Value::Null);
        assert!(status < 400 || value["error"]["kind"].is_string(), "{status} without a reason for {request}");
        value
    }

    /// The status, the length of the body, and whether the connection is closed after it.
    fn head(&mut self, request: &str) -> (u16, usize, bool) {
        let (mut status, mut length, mut closes) = (None, 0, false);
        loop {
            let mut line = String::new();
            assert!(self.stream.read_line(&mut line).expect("an answer") > 0, "no answer to {request}");
            let line = line.trim_end().to_ascii_lowercase();
            if let Some(rest) = line.strip_prefix("http/1.1 ") {
                status = rest.get(..3).and_then(|code| code.parse().ok());
            } else if let Some(rest) = line.strip_prefix("content-length: ") {
                length = rest.parse().expect("a length");
            } else if line == "connection: close" {
                closes = true;
            } else if line.is_empty() {
                return (status.expect("a status"), length, closes);
            }
        }
    }
}
