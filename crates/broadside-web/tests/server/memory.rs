//! Finished games that a player keeps, games without hints, and who is there.

use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

use crate::help::{Running, small};

fn finished(id: &str, ended: i64) -> Value {
    json!({
        "id": id, "ended": ended, "opponent": "density", "captain": true, "adaptive": false, "rules": "classic", "won": true,
        "resigned": false, "shots": 44, "hits": 17, "replay": null, "accuracy": null, "luck": null
    })
}

fn ids(list: &Value) -> Vec<&str> {
    list["games"].as_array().unwrap().iter().map(|game| game["id"].as_str().unwrap()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_of_finished_games_is_for_its_token_alone_and_what_was_removed_stays_away() {
    let server = Running::start().await;
    let mut client = server.client().await;
    let token = client.post("/api/history/new", None, &json!({})).await.unwrap()["token"].as_str().unwrap().to_owned();
    let other = client.post("/api/history/new", None, &json!({})).await.unwrap()["token"].as_str().unwrap().to_owned();
    let sent = json!({ "games": [finished("a", 1), finished("b", 2)] });
    let list = client.post("/api/history", Some(&token), &sent).await.unwrap();
    assert_eq!(ids(&list), ["b", "a"], "the latest first");
    assert_eq!(ids(&client.get("/api/history", Some(&other)).await.unwrap()), [""; 0]);
    let wrong = client.get("/api/history", Some("nobody")).await.unwrap_err();
    assert_eq!(wrong.kind(), Some("wrong-token"));
    let list = client.post("/api/history", Some(&token), &json!({ "removed": ["a"] })).await.unwrap();
    assert_eq!((ids(&list), &list["removed"]), (vec!["b"], &json!(["a"])));
    let again = client.post("/api/history", Some(&token), &json!({ "games": [finished("a", 1)] })).await.unwrap();
    assert_eq!(ids(&again), ["b"], "another device that still has it doesn't bring it back");

    let folder = server.stop().await;
    let server = Running::start_in(folder).await;
    assert_eq!(ids(&server.client().await.get("/api/history", Some(&token)).await.unwrap()), ["b"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn lists_of_finished_games_are_bounded() {
    let server = Running::start().await;
    let mut client = server.client().await;
    let token = client.post("/api/history/new", None, &json!({})).await.unwrap()["token"].as_str().unwrap().to_owned();
    let many: Vec<Value> = (0..101).map(|number| finished(&format!("g{number}"), number)).collect();
    let refused = client.post("/api/history", Some(&token), &json!({ "games": many })).await.unwrap_err();
    assert_eq!(refused.kind(), Some("limit"));
    let mut long = finished("a", 1);
    long["opponent"] = json!("x".repeat(200));
    let refused = client.post("/api/history", Some(&token), &json!({ "games": [long] })).await.unwrap_err();
    assert_eq!(refused.kind(), Some("limit"));
    for part in 0..21 {
        let games: Vec<Value> = (0..100).map(|number| finished(&format!("g{part}-{number}"), part * 100 + number)).collect();
        client.post("/api/history", Some(&token), &json!({ "games": games })).await.unwrap();
    }
    let list = client.get("/api/history", Some(&token)).await.unwrap();
    assert_eq!((ids(&list).len(), ids(&list)[0]), (2000, "g20-99"), "the oldest go");
}

#[tokio::test(flavor = "multi_thread")]
async fn players_who_agreed_on_no_hints_get_none() {
    let server = Running::start().await;
    let wanted = json!({ "rules": small(), "name": "Ann", "hints": false });
    let mut ann = server.player(&wanted).await;
    let invite = ann.invite.clone().unwrap();
    let told = ann.client.post(&format!("/api/games/{}/invitation", ann.id), None, &json!({ "invite": invite })).await.unwrap();
    assert_eq!(told["hints"], false);
    let wrong = ann.client.post(&format!("/api/games/{}/invitation", ann.id), None, &json!({ "invite": "x" })).await;
    assert_eq!(wrong.unwrap_err().kind(), Some("not-found"));
    let mut bob = broadside_web::client::Player::join(server.client().await, &ann.id, &invite).await.unwrap();
    ann.place(&json!(["A1-A2"])).await.unwrap();
    bob.place(&json!(["A1-A2"])).await.unwrap();
    for player in [&mut ann, &mut bob] {
        assert_eq!(player.look().await.unwrap()["hints"], false);
        let refused = player.client.get(&format!("/api/games/{}/odds", player.id), Some(&player.token)).await.unwrap_err();
        assert_eq!(refused.kind(), Some("no-hints"));
    }
}

type Socket = WebSocketStream<MaybeTlsStream<tokio::net::TcpStream>>;

async fn watch(server: &Running, id: &str, token: &str) -> Socket {
    let (mut socket, _) = connect_async(format!("ws://{}/api/games/{id}/live", server.address)).await.unwrap();
    socket.send(json!({ "token": token, "presence": true }).to_string().into()).await.unwrap();
    socket
}

/// The next word about the other player.
async fn presence(socket: &mut Socket) -> bool {
    loop {
        let message = timeout(Duration::from_secs(20), socket.next()).await.expect("in time").expect("open").expect("whole");
        if let Message::Text(text) = message
            && let Some(here) = serde_json::from_str::<Value>(&text).unwrap()["presence"]["opponent"].as_bool()
        {
            return here;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_player_hears_when_the_other_comes_and_goes() {
    let server = Running::start().await;
    let [ann, bob] = server.pair(&small()).await;
    let mut hers = watch(&server, &ann.id, &ann.token).await;
    assert!(!presence(&mut hers).await, "nobody else is there");
    let mut his = watch(&server, &bob.id, &bob.token).await;
    assert!(presence(&mut hers).await && presence(&mut his).await);
    his.close(None).await.unwrap();
    drop(his);
    assert!(!presence(&mut hers).await);
}
