//! Several servers that share the games by their ids.

use broadside_web::client::{ClientError, Player};
use broadside_web::{Config, Server};
use serde_json::json;
use tempfile::TempDir;
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::Error;

use crate::help::{Running, get, small};

async fn shard(text: &str) -> Running {
    shard_in(text, tempfile::tempdir().unwrap()).await
}

async fn shard_in(text: &str, folder: TempDir) -> Running {
    Running::start_with(folder, |config| config.shard = Some(text.parse().unwrap())).await
}

/// Plays a game of two people to its end.
async fn finished(server: &Running) -> Player {
    let [mut ann, mut bob] = server.pair(&small()).await;
    ann.place(&json!(["A1-A2"])).await.unwrap();
    bob.place(&json!(["C1-C2"])).await.unwrap();
    ann.fire("C1").await.unwrap();
    bob.fire("B1").await.unwrap();
    ann.fire("C2").await.unwrap();
    assert!(ann.is_over());
    ann
}

#[tokio::test]
async fn the_ids_of_games_replays_and_rematches_name_their_shard() {
    let server = shard("3/16").await;
    let mut ann = finished(&server).await;
    assert!(ann.id.starts_with("3-"));
    let replay = ann.view["replay"].as_str().unwrap().to_owned();
    assert!(replay.starts_with("3-"));
    server.client().await.get(&format!("/api/replays/{replay}"), None).await.unwrap();
    let next = ann.client.post(&format!("/api/games/{}/rematch", ann.id), Some(&ann.token), &json!({})).await.unwrap();
    assert!(next["id"].as_str().unwrap().starts_with("3-"));
}

#[tokio::test]
async fn requests_for_another_shards_games_are_refused_with_its_number() {
    let (third, fourth) = (shard("3/16").await, shard("4/16").await);
    let ann = finished(&third).await;
    let replay = ann.view["replay"].as_str().unwrap();
    let (id, token) = (&ann.id, Some(ann.token.as_str()));
    let mut client = fourth.client().await;
    let mut refusals = Vec::new();
    for path in [format!("/api/games/{id}"), format!("/api/games/{id}/review"), format!("/api/replays/{replay}")] {
        refusals.push(client.get(&path, token).await.unwrap_err());
    }
    for what in ["layout", "shots", "join", "resign", "rematch"] {
        let body = match what {
            "layout" => json!({ "ships": ["A1-A2"] }),
            "shots" => json!({ "cell": "A1", "number": 0 }),
            "join" => json!({ "invite": "x" }),
            _ => json!({}),
        };
        refusals.push(client.post(&format!("/api/games/{id}/{what}"), token, &body).await.unwrap_err());
    }
    for refused in refusals {
        let ClientError::Refused { status, error } = refused else { panic!("{refused}") };
        assert_eq!((status.as_u16(), &error["error"]["kind"]), (421, &json!("other-shard")));
        let message = error["error"]["message"].as_str().unwrap();
        assert!(message.contains("this is shard 4/16") && message.contains("on shard 3:"), "{message}");
    }
    let socket = connect_async(format!("ws://{}/api/games/{id}/live", fourth.address)).await.unwrap_err();
    assert!(matches!(&socket, Error::Http(answer) if answer.status() == 421), "{socket}");
    assert!(get(fourth.address, "/api/games/17-ab", "Authorization: Bearer x\r\n").await.starts_with("HTTP/1.1 404"));
}

#[tokio::test]
async fn the_token_of_a_list_names_its_shard_and_every_other_refuses_it() {
    let (third, fourth, first) = (shard("3/16").await, shard("4/16").await, shard("1/16").await);
    let made = third.client().await.post("/api/history/new", None, &json!({})).await.unwrap();
    let token = made["token"].as_str().unwrap();
    assert!(token.starts_with("3-"));
    third.client().await.get("/api/history", Some(token)).await.unwrap();
    for (server, token, status) in [(&fourth, token, 421), (&fourth, "ab", 421), (&first, "ab", 403), (&fourth, "x-ab", 403)] {
        let refused = server.client().await.get("/api/history", Some(token)).await.unwrap_err();
        assert!(matches!(&refused, ClientError::Refused { status: own, .. } if own.as_u16() == status), "{refused}");
    }
}

#[tokio::test]
async fn a_server_becomes_the_first_shard_with_the_games_that_it_has() {
    let server = Running::start().await;
    let mut ann = server.player(&json!({ "rules": small() })).await;
    assert!(!ann.id.contains('-'));
    let server = shard_in("1/4", server.stop().await).await;
    ann.client = server.client().await;
    ann.look().await.unwrap();
    // And back.
    let folder = server.stop().await;
    let server = Running::start_in(folder).await;
    ann.client = server.client().await;
    ann.look().await.unwrap();
}

#[tokio::test]
async fn a_folder_with_games_of_another_shard_is_refused() {
    let server = shard("3/16").await;
    server.player(&json!({ "rules": small() })).await;
    let folder = server.stop().await;
    let mut config = Config::new("127.0.0.1:0".parse().unwrap(), folder.path().to_owned());
    config.shard = Some("4/16".parse().unwrap());
    let refused = Server::bind(config).await.err().expect("another's games").to_string();
    assert!(refused.contains("this is shard 4/16") && refused.contains("games of shard 3"), "{refused}");
    shard_in("3/16", folder).await;
}
