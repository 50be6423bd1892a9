//! The innocent players, who notice how long the server takes for them.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use broadside_web::client::{Client, ClientError, Player};
use serde_json::{Value, json};
use tokio::time::{sleep, timeout};

/// How many play at once.
const PLAYERS: usize = 4;
/// Between two requests of a player: people take longer.
const PAUSE: Duration = Duration::from_millis(10);
/// An answer that takes longer than this is none.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(10);
/// Shots in each game: few, so that the 99th percentile of new games is not just the longest of them.
const SHOTS: usize = 6;
/// Odds are asked for after every so many shots.
const SHOTS_FOR_ODDS: usize = 3;

/// What innocent players noticed.
#[derive(Default)]
pub(super) struct Noticed {
    pub(super) shots: Vec<Duration>,
    pub(super) games: Vec<Duration>,
    pub(super) odds: Vec<Duration>,
    /// Why requests were refused or not answered.
    pub(super) refused: Vec<String>,
}

impl Noticed {
    pub(super) fn add(&mut self, other: Self) {
        self.shots.extend(other.shots);
        self.games.extend(other.games);
        self.odds.extend(other.odds);
        self.refused.extend(other.refused);
    }
}

/// Lets innocent players play for a while.
pub(super) async fn play_for(address: SocketAddr, time: Duration) -> Noticed {
    let end = Instant::now() + time;
    let players: Vec<_> = (0..PLAYERS).map(|number| tokio::spawn(play_until(address, number, end))).collect();
    let mut noticed = Noticed::default();
    for player in players {
        match player.await {
            Ok(own) => noticed.add(own),
            Err(error) => noticed.refused.push(error.to_string()),
        }
    }
    noticed
}

/// Plays one game after another against a captain on the classic board, each over a new connection.
async fn play_until(address: SocketAddr, player: usize, end: Instant) -> Noticed {
    let mut noticed = Noticed::default();
    // Not all at the same moment.
    sleep(PAUSE * player as u32 / PLAYERS as u32).await;
    while Instant::now() < end {
        if let Err(error) = play(address, end, &mut noticed).await {
            noticed.refused.push(error);
            sleep(PAUSE).await;
        }
    }
    noticed
}

async fn play(address: SocketAddr, end: Instant, noticed: &mut Noticed) -> Result<(), String> {
    let make = async { Player::make(Client::connect(address).await?, &json!({ "captain": "density" })).await };
    let mut player = timed(make, &mut noticed.games).await?;
    let ships = timed(player.client.post("/api/deal", None, &json!({})), &mut Vec::new()).await?;
    timed(player.act("layout", &json!({ "ships": ships["ships"] })), &mut Vec::new()).await?;
    for number in 0..SHOTS {
        sleep(PAUSE).await;
        if Instant::now() > end {
            break;
        }
        // Down the first column, then the last.
        let cell = format!("{}{}", char::from(b'A' + (number % 10) as u8), 1 + number / 10 * 9);
        let view: Value = timed(player.fire(&cell), &mut noticed.shots).await?.clone();
        if view["turn"] != "you" && view["phase"] == "playing" {
            return Err("the captain did not reply".to_owned());
        }
        if number % SHOTS_FOR_ODDS == 0 {
            let path = format!("/api/games/{}/odds", player.id);
            timed(player.client.get(&path, Some(&player.token)), &mut noticed.odds).await?;
        }
    }
    Ok(())
}

/// The answer to a request; adds how long it took.
async fn timed<T>(request: impl Future<Output = Result<T, ClientError>>, times: &mut Vec<Duration>) -> Result<T, String> {
    let start = Instant::now();
    let answer =
        timeout(ANSWER_TIMEOUT, request).await.map_err(|_| format!("no answer within {} s", ANSWER_TIMEOUT.as_secs()))?;
    times.push(start.elapsed());
    answer.map_err(|error| error.to_string())
}
