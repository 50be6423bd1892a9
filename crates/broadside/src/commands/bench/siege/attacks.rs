//! The attacks: those that once did harm, and more.

use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use broadside_web::client::ClientError;
use serde_json::{Value, json};
use tokio::task::JoinSet;

use super::attacker::{Bytes, Manner, attack};
use super::setup::{
    against, cell, deal, get, large, largest, longest, pair, pair_on_largest, post, post_text, query, resigned, socket, tight,
};

type Boxed<T> = Pin<Box<dyn Future<Output = T> + Send>>;
type Prepared = Boxed<Result<Vec<Bytes>, ClientError>>;

/// An attack on the server, over many connections at once.
pub(super) struct Attack {
    pub(super) name: &'static str,
    pub(super) about: &'static str,
    connections: usize,
    means: Means,
}

enum Means {
    /// The same requests again and again.
    Requests(Manner, fn(SocketAddr) -> Prepared),
    /// Games, played until one of their requests fails, and then the next.
    Games(PlayGame),
}

/// An attack under way, until dropped.
pub(super) struct Running {
    /// Ended when dropped.
    tasks: JoinSet<()>,
    pub(super) sent: Arc<AtomicU64>,
}

/// An attack whose games are made.
struct Ready {
    means: ReadyMeans,
    connections: usize,
}

enum ReadyMeans {
    Requests(Manner, Arc<Vec<Bytes>>),
    Games(PlayGame),
}

type PlayGame = fn(SocketAddr, Arc<AtomicU64>) -> Boxed<Result<(), ClientError>>;

impl Attack {
    /// Makes what the attack needs, and begins it.
    pub(super) async fn begin(&self, address: SocketAddr) -> Result<Running, ClientError> {
        let ready = self.prepare(address, self.connections).await?;
        Ok(begin_ready(address, [ready]))
    }

    /// Makes what the attack needs.
    async fn prepare(&self, address: SocketAddr, connections: usize) -> Result<Ready, ClientError> {
        let means = match self.means {
            Means::Requests(manner, prepare) => ReadyMeans::Requests(manner, Arc::new(prepare(address).await?)),
            Means::Games(play) => ReadyMeans::Games(play),
        };
        Ok(Ready { means, connections })
    }
}

/// Begins attacks that are ready.
fn begin_ready(address: SocketAddr, attacks: impl IntoIterator<Item = Ready>) -> Running {
    let mut running = Running { tasks: JoinSet::new(), sent: Arc::default() };
    for Ready { means, connections } in attacks {
        for number in 0..connections {
            let sent = running.sent.clone();
            match &means {
                ReadyMeans::Requests(manner, requests) => {
                    running.tasks.spawn(attack(address, *manner, requests.clone(), number, sent));
                }
                ReadyMeans::Games(play) => {
                    running.tasks.spawn(play_again(address, *play, sent));
                }
            }
        }
    }
    running
}

async fn play_again(address: SocketAddr, play: PlayGame, sent: Arc<AtomicU64>) {
    loop {
        // Whatever it is refused, the attacker begins another game.
        _ = play(address, sent.clone()).await;
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

/// One connection of every attack at once. All is made before the first begins.
pub(super) async fn begin_all(address: SocketAddr) -> Result<Running, ClientError> {
    let mut ready = Vec::new();
    for attack in ATTACKS {
        ready.push(attack.prepare(address, 1).await?);
    }
    Ok(begin_ready(address, ready))
}

/// The name of the attack that is all others at once.
pub(super) const ALL_AT_ONCE: &str = "all-at-once";

macro_rules! requests {
    (|$address:ident| $body:expr) => {
        |$address| {
            _ = $address;
            Box::pin(async move { Ok($body) })
        }
    };
}

/// All attacks but the one that is all others at once.
#[rustfmt::skip]
pub(super) const ATTACKS: &[Attack] = &[
    Attack {
        name: "thousands-of-ships", about: "layouts of 40, 2,000 and 13,000 ships in one cell", connections: 8,
        means: Means::Requests(Manner::Waits, |address| Box::pin(async move {
            let [player, _] = pair(address, &json!({})).await?;
            let path = format!("/api/games/{}/layout", player.id);
            Ok([13_000, 40, 2000].map(|ships| post(&path, Some(&player.token), &json!({ "ships": vec!["A1"; ships] }))).into())
        })),
    },
    Attack {
        name: "hard-review", about: "reviews of a resigned game with 100 shots a side on 20x20, left at once", connections: 8,
        means: Means::Requests(Manner::Leaves, |address| Box::pin(async move {
            let player = resigned(address, 100).await?;
            let replay = player.view["replay"].as_str().unwrap_or_default();
            Ok(vec![get(&format!("/api/games/{}/review", player.id), Some(&player.token)), get(&format!("/api/replays/{replay}/review"), None)])
        })),
    },
    Attack {
        name: "hard-review-waited-for", about: "the same reviews, by who waits for them", connections: 8,
        means: Means::Requests(Manner::Waits, |address| Box::pin(async move {
            let player = resigned(address, 100).await?;
            Ok(vec![get(&format!("/api/games/{}/review", player.id), Some(&player.token))])
        })),
    },
    Attack {
        name: "never-reads", about: "requests whose answers nobody reads", connections: 200,
        means: Means::Requests(Manner::Deaf, requests!(|address| vec![get("/api/openapi.json", None)])),
    },
    Attack {
        name: "campaign-never-read", about: "campaigns whose events nobody reads", connections: 8,
        means: Means::Requests(Manner::Deaf, requests!(|address| vec![campaign("random,density", 400_000, "")])),
    },
    Attack {
        name: "exact-captains", about: "games against exact on 20x20", connections: 10,
        means: Means::Games(|address, sent| Box::pin(play_against(address, "exact", large(), sent))),
    },
    Attack {
        name: "hard-deals", about: "random fleets for boards that are almost full", connections: 10,
        means: Means::Requests(Manner::Waits, requests!(|address| vec![
            post("/api/deal", None, &json!({ "rules": tight() })),
            post("/api/deal", None, &json!({ "rules": { "board": "20x20", "fleet": vec!["10"; 36].join(",") } })),
            post("/api/games", None, &json!({ "rules": tight(), "captain": "density" })),
        ])),
    },
    Attack {
        name: "hard-rules", about: "looks at a game of two people on a board that is almost full", connections: 16,
        means: Means::Requests(Manner::Waits, |address| Box::pin(async move {
            let [player, _] = pair(address, &tight()).await?;
            Ok(vec![get(&format!("/api/games/{}", player.id), Some(&player.token))])
        })),
    },
    Attack {
        name: "description", about: "the description of the interface, pipelined", connections: 60,
        means: Means::Requests(Manner::Pipelines, requests!(|address| vec![get("/api/openapi.json", None)])),
    },
    Attack {
        name: "campaigns-left", about: "campaigns that are left at once", connections: 8,
        means: Means::Requests(Manner::Leaves, requests!(|address| vec![
            campaign("exact,admiral", 1000, &query(&large())), campaign("random", 1_000_000, ""),
        ])),
    },
    Attack {
        name: "other-hosts", about: "requests for other hosts and from other sites, pipelined", connections: 16,
        means: Means::Requests(Manner::Pipelines, requests!(|address| vec![
            b"GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n".to_vec(),
            b"GET /api/captains HTTP/1.1\r\nHost: localhost\r\nSec-Fetch-Site: same-site\r\n\r\n".to_vec(),
        ])),
    },
    Attack {
        name: "joins", about: "joins with wrong invitations, and tokens that are wrong", connections: 32,
        means: Means::Requests(Manner::Waits, |address| Box::pin(async move {
            let [player, _] = pair(address, &json!({})).await?;
            let path = format!("/api/games/{}/join", player.id);
            Ok(vec![post(&path, None, &json!({ "invite": "x" })), get(&format!("/api/games/{}", player.id), Some("wrong"))])
        })),
    },
    Attack {
        name: "new-games", about: "as many new games as can be made", connections: 32,
        means: Means::Requests(Manner::Waits, requests!(|address| vec![
            post("/api/games", None, &json!({ "captain": "density" })), post("/api/games", None, &json!({ "rules": largest() })),
        ])),
    },
    Attack {
        name: "odds-largest", about: "odds on 20x20 with twenty and with forty ships", connections: 16,
        means: Means::Requests(Manner::Waits, requests!(|address| hard_odds())),
    },
    Attack {
        name: "odds-left", about: "the same odds, left at once", connections: 32,
        means: Means::Requests(Manner::Leaves, requests!(|address| hard_odds())),
    },
    Attack {
        name: "odds-left-behind", about: "the same odds, left with another request behind them, which hides the leaving", connections: 16,
        means: Means::Requests(Manner::Leaves, requests!(|address| hard_odds().into_iter().map(|one| one.repeat(2)).collect())),
    },
    Attack {
        name: "pictures", about: "pictures of 20x20, as PNG", connections: 8,
        means: Means::Requests(Manner::Waits, requests!(|address| vec![
            get(&format!("/api/picture?format=png&{}", query(&longest())), None),
            get("/api/picture?format=png&shots=A1-%20B2-", None),
        ])),
    },
    Attack {
        name: "replays", about: "a replay of 300 shots on 20x20, pipelined", connections: 16,
        means: Means::Requests(Manner::Pipelines, |address| Box::pin(async move {
            let player = resigned(address, 150).await?;
            let replay = player.view["replay"].as_str().unwrap_or_default();
            Ok(vec![get(&format!("/api/replays/{replay}"), None), get(&format!("/api/games/{}", player.id), Some(&player.token))])
        })),
    },
    Attack {
        name: "sockets", about: "games with many sockets each, and shots as fast as can be", connections: 8,
        means: Means::Games(|address, sent| Box::pin(play_watched(address, sent))),
    },
    Attack {
        name: "sockets-refused", about: "sockets with wrong tokens and long messages, left at once", connections: 32,
        means: Means::Requests(Manner::Leaves, requests!(|address| vec![
            socket("/api/games/x/live", "{\"token\":\"x\"}"), socket("/api/games/x/live", &"x".repeat(60_000)),
        ])),
    },
    Attack {
        name: "large-bodies", about: "bodies of 64 KB: shots, names, nested lists", connections: 16,
        means: Means::Requests(Manner::Waits, requests!(|address| vec![
            post("/api/odds", None, &json!({ "shots": "A1- ".repeat(16_000) })),
            post("/api/games", None, &json!({ "name": "\u{202e}".repeat(20_000), "captain": "density" })),
            post_text("/api/odds", None, &"[".repeat(60_000)),
            post("/api/rules", None, &json!({ "fleet": "1,".repeat(30_000) })),
        ])),
    },
    Attack {
        name: "slow-heads", about: "heads that come a byte at a time", connections: 500,
        means: Means::Requests(Manner::Slow, requests!(|address| vec![get("/api/captains", None)])),
    },
    Attack {
        name: "slow-bodies", about: "bodies that come a byte at a time", connections: 500,
        means: Means::Requests(Manner::Slow, requests!(|address| vec![
            post("/api/odds", None, &json!({ "shots": "A1- ".repeat(300) })),
        ])),
    },
    Attack {
        name: "searches", about: "rules of which only a long search shows that the fleet doesn't fit", connections: 16,
        means: Means::Requests(Manner::Waits, requests!(|address| vec![
            post("/api/rules", None, &json!({ "board": "10x10", "fleet": "4,4,4,4,3,3,3,3,3,2,2,2,2,1,1,1", "touch": "never" })),
            post("/api/rules", None, &json!({ "board": "19x21", "fleet": vec!["9"; 40].join(",") })),
            post("/api/rules", None, &tight()),
        ])),
    },
    Attack {
        name: "shots", about: "two people who fire at each other as fast as can be", connections: 32,
        means: Means::Games(|address, sent| Box::pin(play_two(address, sent))),
    },
    Attack {
        name: "rematches", about: "games resigned and played again without end", connections: 16,
        means: Means::Games(|address, sent| Box::pin(play_rematches(address, sent))),
    },
    Attack {
        name: "connections", about: "connections that are opened and left", connections: 64,
        means: Means::Requests(Manner::Leaves, requests!(|address| vec![Vec::new(), b"GET".to_vec()])),
    },
    Attack {
        name: "unknown-pages", about: "long addresses of pages that are not there, pipelined", connections: 32,
        means: Means::Requests(Manner::Pipelines, requests!(|address| vec![get(&format!("/{}", "x".repeat(4000)), None)])),
    },
    Attack {
        name: "page-files", about: "the page and its files, pipelined", connections: 32,
        means: Means::Requests(Manner::Pipelines, requests!(|address| vec![get("/", None), get("/assets/js/api.js", None), get("/api/presets", None)])),
    },
    Attack {
        name: "campaigns", about: "campaigns of eight captains on 20x20, read to the end", connections: 8,
        means: Means::Requests(Manner::Waits, requests!(|address| vec![
            campaign("exact,admiral,density,mask,random,hunt-target,density-plain,pdf+smart", 100_000, &query(&longest())),
        ])),
    },
    Attack {
        name: "large-captains", about: "games against admiral and density-plain on 20x20 with forty ships", connections: 10,
        means: Means::Games(|address, sent| Box::pin(async move {
            let captain = if sent.load(Ordering::Relaxed).is_multiple_of(2) { "admiral" } else { "density-plain" };
            play_against(address, captain, longest(), sent).await
        })),
    },
    Attack {
        name: "shots-to-go", about: "shots to go of large boards, and reviews by them, left at once", connections: 16,
        means: Means::Requests(Manner::Leaves, requests!(|address| {
            let large = json!({ "rules": largest(), "shots": "A1- C3-" });
            vec![post("/api/best", None, &json!({ "shots": "" })), post("/api/best", None, &large), post("/api/review", None, &large)]
        })),
    },
    Attack {
        name: "hiding", about: "places to hide on 20x20 and on the classic board, and fleets to be judged", connections: 16,
        means: Means::Requests(Manner::Waits, requests!(|address| vec![
            post("/api/hide", None, &json!({ "against": "admiral", "rules": longest() })),
            post("/api/hide", None, &json!({ "against": "admiral" })),
            post("/api/hide/judge", None, &json!({ "ships": ["A1-A5", "C1-C4", "E1-E3", "G1-G3", "J9-J10"], "weights": "people" })),
        ])),
    },
    Attack {
        name: "puzzles", about: "puzzles of 15x15 of every grade, and hints for one with many solutions", connections: 16,
        means: Means::Requests(Manner::Waits, requests!(|address| {
            let puzzle = |grade| post("/api/puzzles", None, &json!({ "board": "15x15", "grade": grade, "seed": 7 }));
            let hint = post("/api/puzzles/hint", None, &json!({ "puzzle": "4,3,3,2,2,2,1,1,1,1 2,2,2,2,2,2,2,2,2,2 2,2,2,2,2,2,2,2,2,2" }));
            ["easy", "medium", "hard", "expert"].map(puzzle).into_iter().chain([hint]).collect()
        })),
    },
    Attack {
        name: "histories", about: "lists of games made, and lists and games asked for that are not there", connections: 32,
        means: Means::Requests(Manner::Pipelines, requests!(|address| vec![
            post("/api/history/new", None, &json!({})), get("/api/history", Some("wrong")), get("/api/watch/none", None),
        ])),
    },
];

fn campaign(captains: &str, games: u64, rules: &str) -> Bytes {
    get(&format!("/api/campaign?captains={captains}&games={games}&{rules}").replace('+', "%2B"), None)
}

fn hard_odds() -> Vec<Bytes> {
    let odds = |rules: Value, shots: &str| post("/api/odds", None, &json!({ "rules": rules, "shots": shots }));
    vec![odds(largest(), ""), odds(longest(), "A1- C3- J10- T20-"), odds(tight(), "A1-")]
}

async fn play_against(address: SocketAddr, captain: &str, rules: Value, sent: Arc<AtomicU64>) -> Result<(), ClientError> {
    let mut player = against(address, captain, &rules).await?;
    for number in 0..400 {
        sent.fetch_add(1, Ordering::Relaxed);
        player.fire(&cell(number, 20)).await?;
    }
    Ok(())
}

async fn play_two(address: SocketAddr, sent: Arc<AtomicU64>) -> Result<(), ClientError> {
    let [mut one, mut other] = pair(address, &json!({})).await?;
    let ships = deal(&mut one.client, &json!({})).await?;
    one.place(&ships).await?;
    other.place(&ships).await?;
    for number in 0..100 {
        sent.fetch_add(2, Ordering::Relaxed);
        let cell = cell(number, 10);
        one.fire(&cell).await?;
        other.fire(&cell).await?;
    }
    Ok(())
}

async fn play_rematches(address: SocketAddr, sent: Arc<AtomicU64>) -> Result<(), ClientError> {
    let mut player = against(address, "density", &longest()).await?;
    loop {
        sent.fetch_add(2, Ordering::Relaxed);
        player.act("resign", &json!({})).await?;
        let next = player.client.post(&format!("/api/games/{}/rematch", player.id), Some(&player.token), &json!({})).await?;
        next["id"].as_str().unwrap_or_default().clone_into(&mut player.id);
    }
}

async fn play_watched(address: SocketAddr, sent: Arc<AtomicU64>) -> Result<(), ClientError> {
    let [mut one, mut other] = pair_on_largest(address).await?;
    let first = json!({ "token": one.token }).to_string();
    let watch = Arc::new(vec![socket(&format!("/api/games/{}/live", one.id), &first)]);
    let mut watchers = JoinSet::new();
    for _ in 0..40 {
        watchers.spawn(attack(address, Manner::Waits, watch.clone(), 0, sent.clone()));
    }
    for number in 0..200 {
        sent.fetch_add(2, Ordering::Relaxed);
        let cell = cell(number, 20);
        one.fire(&cell).await?;
        other.fire(&cell).await?;
    }
    Ok(())
}
