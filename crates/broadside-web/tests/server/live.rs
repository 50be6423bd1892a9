use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use proptest::prelude::*;
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

use crate::help::{Running, small};

type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

async fn watch(server: &Running, id: &str, hello: impl Into<Message>) -> Socket {
    let (mut socket, _) = connect_async(format!("ws://{}/api/games/{id}/live", server.address)).await.expect("a socket");
    socket.send(hello.into()).await.expect("sent");
    socket
}

fn hello(token: &str) -> String {
    json!({ "token": token }).to_string()
}

async fn next(socket: &mut Socket) -> Option<Message> {
    timeout(Duration::from_secs(20), socket.next()).await.expect("in time").and_then(Result::ok)
}

async fn view(socket: &mut Socket) -> Value {
    loop {
        match next(socket).await {
            Some(Message::Text(text)) => return serde_json::from_str(&text).expect("JSON"),
            Some(Message::Ping(_)) => {}
            other => panic!("{other:?}"),
        }
    }
}

async fn close_code(socket: &mut Socket) -> u16 {
    loop {
        match next(socket).await {
            Some(Message::Close(Some(frame))) => return frame.code.into(),
            Some(Message::Text(_) | Message::Ping(_)) => {}
            other => panic!("{other:?}"),
        }
    }
}

#[tokio::test]
async fn a_watcher_sees_every_change() {
    let server = Running::start().await;
    let [mut ann, mut bob] = server.pair(&small()).await;
    let mut socket = watch(&server, &bob.id, hello(&bob.token)).await;
    assert_eq!(view(&mut socket).await["opponent"]["placed"], false);
    ann.place(&json!(["A1-A2"])).await.unwrap();
    assert_eq!(view(&mut socket).await["opponent"]["placed"], true);
    bob.place(&json!(["C1-C2"])).await.unwrap();
    assert_eq!(view(&mut socket).await["phase"], "playing");
    ann.fire("A1").await.unwrap();
    assert_eq!(view(&mut socket).await["opponent"]["shots"], json!(["A1-"]));
    server.stop().await;
    assert_eq!(close_code(&mut socket).await, 1001);
}

#[tokio::test]
async fn a_watcher_sees_the_end_in_a_turn_whose_last_shots_do_not_count() {
    let server = Running::start().await;
    let rules = json!({ "board": "3x3", "fleet": "2", "salvo": "4" });
    let [mut ann, mut bob] = server.pair(&rules).await;
    ann.place(&json!(["A1-A2"])).await.unwrap();
    bob.place(&json!(["C1-C2"])).await.unwrap();
    let mut socket = watch(&server, &bob.id, hello(&bob.token)).await;
    assert_eq!(view(&mut socket).await["phase"], "playing");
    for cell in ["C1", "C2", "A1", "A2"] {
        ann.fire(cell).await.unwrap();
    }
    let mut last = view(&mut socket).await;
    while last["phase"] == "playing" {
        last = view(&mut socket).await;
    }
    assert_eq!((&last["winner"], &last["opponent"]["shots"]), (&json!("opponent"), &json!(["C1+", "C2#2"])));
}

#[tokio::test]
async fn watchers_cost_no_read_when_the_game_changes() {
    let server = Running::start().await;
    let [mut ann, mut bob] = server.pair(&small()).await;
    let mut sockets = Vec::new();
    for player in [&ann, &bob, &bob] {
        sockets.push(watch(&server, &player.id, hello(&player.token)).await);
    }
    for socket in &mut sockets {
        assert_eq!(view(socket).await["phase"], "placing");
    }
    ann.place(&json!(["A1-A2"])).await.unwrap();
    bob.place(&json!(["C1-C2"])).await.unwrap();
    let reads = server.metrics.game_reads();
    ann.fire("A1").await.unwrap();
    for socket in &mut sockets {
        while view(socket).await["order"].as_array().unwrap().is_empty() {}
    }
    assert_eq!(server.metrics.game_reads(), reads + 1);
}

#[tokio::test]
async fn without_the_games_token_nothing_is_seen() {
    let server = Running::start().await;
    let [ann, _] = server.pair(&small()).await;
    let [stranger, _] = server.pair(&small()).await;
    assert_eq!(close_code(&mut watch(&server, &ann.id, hello(&stranger.token)).await).await, 4403);
    assert_eq!(close_code(&mut watch(&server, "nowhere", hello(&ann.token)).await).await, 4404);
    assert_eq!(close_code(&mut watch(&server, &ann.id, "{}").await).await, 4401);
    let mut talkative = watch(&server, &ann.id, hello(&ann.token)).await;
    view(&mut talkative).await;
    talkative.send("and another thing".into()).await.unwrap();
    assert_eq!(close_code(&mut talkative).await, 1008);
}

/// Messages of all kinds, some of them nearly right.
fn messages() -> impl Strategy<Value = Message> {
    let nearly = prop_oneof![
        Just(r#"{"token":"#.to_owned()),
        Just(r#"{"token":null}"#.to_owned()),
        Just(r#"{"token":"x","more":1}"#.to_owned()),
        "\\{\"token\":\"[0-9a-f]{0,80}\"\\}",
        ".{0,200}",
        (900_usize..3000).prop_map(|length| "x".repeat(length)),
    ];
    prop_oneof![
        nearly.prop_map(Message::text),
        proptest::collection::vec(any::<u8>(), 0..2000).prop_map(Message::binary),
        proptest::collection::vec(any::<u8>(), 0..125).prop_map(|bytes| Message::Ping(bytes.into())),
    ]
}

#[test]
fn whatever_is_sent_the_connection_ends_and_the_server_goes_on() {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let server = runtime.block_on(Running::start());
    let [ann, _] = runtime.block_on(server.pair(&small()));
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig::with_cases(200));
    let fuzzed = runner.run(&(proptest::collection::vec(messages(), 1..4), any::<bool>()), |(messages, known)| {
        runtime.block_on(async {
            let (mut socket, _) =
                connect_async(format!("ws://{}/api/games/{}/live", server.address, ann.id)).await.expect("a socket");
            if known {
                socket.send(hello(&ann.token).into()).await.expect("sent");
            }
            for message in messages {
                // The server may have hung up after the first.
                _ = socket.send(message).await;
            }
            _ = socket.close(None).await;
            let rest = timeout(Duration::from_secs(15), async { while let Some(Ok(_)) = socket.next().await {} });
            prop_assert!(rest.await.is_ok(), "the server hangs");
            Ok(())
        })
    });
    fuzzed.unwrap();
    let captains = runtime.block_on(async { server.client().await.get("/api/captains", None).await });
    assert!(captains.is_ok());
}
