//! Bots as opponents, and a tournament to watch.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use broadside_rules::{Cell, Draft, Layout, Rules, ShotLog};
use broadside_web::client::Player;
use broadside_web::{BotPlayer, ServedBot, TournamentPage};
use serde_json::json;

use crate::help::{Running, get, small};

/// What a bot of these tests does.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Manner {
    /// Fires along the rows.
    Right,
    /// Has no layout.
    NoLayout,
    /// Has no shot.
    NoShot,
    /// Fires at A1 again and again.
    FiresTwice,
    /// Brings its thread down.
    Panics,
}

impl BotPlayer for Manner {
    fn place(&self, rules: &Rules) -> Result<Layout, String> {
        let layout = "C1-C2".parse::<Draft>().expect("a draft").check(rules).into_layout().expect("a layout");
        if *self == Self::NoLayout { Err("it ended".to_owned()) } else { Ok(layout) }
    }

    fn fire(&self, own: &ShotLog, opponents: &ShotLog) -> Result<Cell, String> {
        assert!(opponents.len() >= own.len(), "it is asked when it is its turn");
        match self {
            Self::NoShot => Err("it took longer than 1000 ms".to_owned()),
            Self::FiresTwice => Ok("A1".parse().expect("a cell")),
            Self::Panics => panic!("a bot's thread"),
            Self::Right | Self::NoLayout => own.rules().grid().cells().nth(own.len()).ok_or_else(|| "no cell".to_owned()),
        }
    }
}

async fn server() -> Running {
    let bots = [
        ("right", Manner::Right),
        ("no-layout", Manner::NoLayout),
        ("no-shot", Manner::NoShot),
        ("twice", Manner::FiresTwice),
        ("panics", Manner::Panics),
    ];
    Running::start_with(tempfile::tempdir().expect("a folder"), |config| {
        let served = |(name, manner): (&str, Manner)| ServedBot { name: name.to_owned(), player: Arc::new(manner) };
        config.bots = bots.into_iter().map(served).collect();
    })
    .await
}

async fn game(server: &Running, bot: &str) -> Player {
    let mut player = server.player(&json!({ "rules": small(), "captain": format!("bot:{bot}") })).await;
    player.place(&json!(["B2-B3"])).await.expect("placed");
    player
}

#[tokio::test]
async fn a_bot_places_and_fires_like_a_captain_and_plays_again() {
    let server = server().await;
    let listed = server.client().await.get("/api/captains", None).await.unwrap();
    assert_eq!(listed["bots"][0], "bot:right");
    let mut player = game(&server, "right").await;
    assert_eq!((&player.view["opponent"]["name"], &player.view["opponent"]["captain"]), (&json!("right"), &json!("bot:right")));
    for cell in ["A1", "B1", "C1"] {
        player.fire(cell).await.unwrap();
    }
    assert_eq!(player.view["you"]["shots"], json!(["A1-", "B1-", "C1+"]), "it has placed its own ships");
    assert_eq!(player.view["opponent"]["shots"], json!(["A1-", "A2-", "A3-"]));
    player.fire("C2").await.unwrap();
    assert_eq!((&player.view["winner"], &player.view["ending"]), (&json!("you"), &json!("sunk")));
    let rematch = player.act("rematch", &json!({})).await.unwrap().clone();
    assert_eq!(rematch["view"]["opponent"]["captain"], "bot:right");
}

#[tokio::test]
async fn a_bot_without_a_right_answer_loses_and_the_server_goes_on() {
    let server = server().await;
    for bot in ["no-shot", "twice"] {
        let mut player = game(&server, bot).await;
        for cell in ["A1", "A2"] {
            if !player.is_over() {
                player.fire(cell).await.unwrap();
            }
        }
        assert_eq!((&player.view["winner"], &player.view["phase"]), (&json!("you"), &json!("over")), "{bot}: {}", player.view);
    }
    let mut stuck = game(&server, "panics").await;
    stuck.fire("A1").await.expect("the shot counts whatever becomes of the bot");
    for (bot, words) in [("no-layout", "it ended"), ("nobody", "there is no bot ‘nobody’ on this server")] {
        let wanted = json!({ "rules": small(), "captain": format!("bot:{bot}") });
        let refused = Player::make(server.client().await, &wanted).await.err().expect("no game");
        assert_eq!(refused.kind(), Some("bot"), "{bot}");
        assert!(refused.to_string().contains(words), "{refused}");
    }
    let mut player = game(&server, "right").await;
    player.fire("A1").await.expect("others play on");
}

/// A page that counts how often it was made.
#[derive(Debug, Default)]
struct CountedPage(AtomicUsize);

impl TournamentPage for CountedPage {
    fn html(&self) -> io::Result<(String, bool)> {
        let made = self.0.fetch_add(1, Ordering::Relaxed) + 1;
        Ok((format!("<!DOCTYPE html><p>made {made} times"), true))
    }
}

#[derive(Debug)]
struct NoPage;

impl TournamentPage for NoPage {
    fn html(&self) -> io::Result<(String, bool)> {
        Err(io::Error::other("secret/path is damaged"))
    }
}

async fn server_with(page: impl TournamentPage + 'static) -> Running {
    let page: Arc<dyn TournamentPage> = Arc::new(page);
    Running::start_with(tempfile::tempdir().expect("a folder"), |config| config.tournament = Some(page)).await
}

#[tokio::test]
async fn a_tournament_is_shown_in_a_sandbox_and_made_once_for_many() {
    let without = Running::start().await;
    assert!(get(without.address, "/tournament", "").await.starts_with("HTTP/1.1 404"));
    let server = server_with(CountedPage::default()).await;
    assert_eq!(server.client().await.get("/api/captains", None).await.unwrap()["tournament"], true);
    for _ in 0..2 {
        let answer = get(server.address, "/tournament", "").await;
        assert!(answer.starts_with("HTTP/1.1 200") && answer.ends_with("made 1 times"), "{answer}");
        assert!(answer.contains("content-security-policy: sandbox allow-scripts; default-src 'none'"), "{answer}");
        assert!(answer.contains("refresh: 5"), "{answer}");
    }
    let broken = get(server_with(NoPage).await.address, "/tournament", "").await;
    assert!(broken.starts_with("HTTP/1.1 500") && !broken.contains("secret"), "{broken}");
}
