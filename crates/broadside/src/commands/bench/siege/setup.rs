//! What attackers send: requests as bytes, and games made for them beforehand.

use std::net::SocketAddr;

use broadside_web::client::{Client, ClientError, Player};
use serde_json::{Value, json};

use super::attacker::Bytes;

/// A fleet of so many ships of five cells.
fn fives(ships: usize) -> String {
    vec!["5"; ships].join(",")
}

/// The largest board, with twenty ships that keep apart: odds and reviews take long.
pub(super) fn largest() -> Value {
    json!({ "board": "20x20", "fleet": fives(20), "touch": "never" })
}

/// The same board with ships that can still be dealt at random.
pub(super) fn large() -> Value {
    json!({ "board": "20x20", "fleet": fives(10), "touch": "never" })
}

/// The largest board with the longest fleet, of ships short enough that they can still be dealt at random.
pub(super) fn longest() -> Value {
    json!({ "board": "20x20", "fleet": format!("{},{}", ["3"; 10].join(","), ["2"; 30].join(",")) })
}

/// A board so full that it takes a search to know that the fleet fits.
pub(super) fn tight() -> Value {
    json!({ "board": "8x10", "fleet": "3,3,3,2,2,2,2,1,1,1,1,1,1,1,1,1,1", "touch": "never" })
}

/// A GET.
pub(super) fn get(path: &str, token: Option<&str>) -> Bytes {
    let token = token.map(|token| format!("Authorization: Bearer {token}\r\n")).unwrap_or_default();
    format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n{token}\r\n").into_bytes()
}

/// A POST of JSON.
pub(super) fn post(path: &str, token: Option<&str>, body: &Value) -> Bytes {
    post_text(path, token, &body.to_string())
}

/// A POST of a text that need not be JSON.
pub(super) fn post_text(path: &str, token: Option<&str>, body: &str) -> Bytes {
    let token = token.map(|token| format!("Authorization: Bearer {token}\r\n")).unwrap_or_default();
    let length = body.len();
    format!("POST {path} HTTP/1.1\r\nHost: localhost\r\n{token}Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}")
        .into_bytes()
}

/// Opens a WebSocket, and sends a text as its first message.
pub(super) fn socket(path: &str, first: &str) -> Bytes {
    let mut bytes = format!(
        "GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
         Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    )
    .into_bytes();
    // A frame of text with a mask of zeros (RFC 6455, 5.2).
    bytes.extend([0x81, 0x80 | 0x7e, (first.len() >> 8) as u8, first.len() as u8, 0, 0, 0, 0]);
    bytes.extend(first.as_bytes());
    bytes
}

/// The parameters of rules in a query.
pub(super) fn query(rules: &Value) -> String {
    let field = |name: &str| rules[name].as_str().map(|value| format!("{name}={value}"));
    ["board", "fleet", "touch"].into_iter().filter_map(field).collect::<Vec<_>>().join("&")
}

/// A random fleet.
pub(super) async fn deal(client: &mut Client, rules: &Value) -> Result<Value, ClientError> {
    Ok(client.post("/api/deal", None, &json!({ "rules": rules })).await?["ships"].take())
}

/// A player who has placed a fleet against a captain.
pub(super) async fn against(address: SocketAddr, captain: &str, rules: &Value) -> Result<Player, ClientError> {
    let mut client = Client::connect(address).await?;
    let ships = deal(&mut client, rules).await?;
    let mut player = Player::make(client, &json!({ "captain": captain, "rules": rules })).await?;
    player.place(&ships).await?;
    Ok(player)
}

/// Two players who have placed nothing yet.
pub(super) async fn pair(address: SocketAddr, rules: &Value) -> Result<[Player; 2], ClientError> {
    let one = Player::make(Client::connect(address).await?, &json!({ "rules": rules })).await?;
    let invite = one.invite.clone().unwrap_or_default();
    let other = Player::join(Client::connect(address).await?, &one.id, &invite).await?;
    Ok([one, other])
}

/// Two players who have placed their fleets on the largest board, three ships in every second row.
pub(super) async fn pair_on_largest(address: SocketAddr) -> Result<[Player; 2], ClientError> {
    let [mut one, mut other] = pair(address, &largest()).await?;
    let ship = |number: u8| {
        let (row, col) = (char::from(b'A' + number / 3 * 2), number % 3 * 6 + 1);
        format!("{row}{col}-{row}{}", col + 4)
    };
    let ships = json!((0..20).map(ship).collect::<Vec<_>>());
    one.place(&ships).await?;
    other.place(&ships).await?;
    Ok([one, other])
}

/// A cell of a board with so many columns, by its number.
pub(super) fn cell(number: usize, cols: usize) -> String {
    format!("{}{}", char::from(b'A' + (number / cols) as u8), number % cols + 1)
}

/// A game of two players on the largest board, resigned after so many shots of each.
pub(super) async fn resigned(address: SocketAddr, shots: usize) -> Result<Player, ClientError> {
    let [mut one, mut other] = pair_on_largest(address).await?;
    for number in 0..shots {
        let cell = cell(number * 7 % 400, 20);
        one.fire(&cell).await?;
        other.look().await?;
        other.fire(&cell).await?;
        one.look().await?;
    }
    one.act("resign", &json!({})).await?;
    Ok(one)
}
