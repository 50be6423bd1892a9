//! Bodies and questions of all kinds: refused or answered, never a failure of the server.

use broadside_web::client::{ClientError, Player};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};

use crate::help::{Running, small};

#[path = "../help/sequences.rs"]
mod sequences;

/// Any JSON, with the names and the words of the interface strewn in.
fn body() -> impl Strategy<Value = Value> {
    let words = prop::sample::select(vec![
        "classic",
        "russian",
        "10x10",
        "64x64",
        "0x3",
        "1x1",
        "5,4,3",
        "1,1",
        "",
        "never",
        "corners",
        "every",
        "silent",
        "density",
        "random",
        "A1",
        "A1+",
        "A1- A2#3",
        "B2-B5",
        "me",
        "hit-again",
        "\u{0}",
        "💥",
    ]);
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        words.prop_map(Value::from),
        ".{0,20}".prop_map(Value::from),
    ];
    let names = prop::sample::select(vec![
        "rules", "preset", "board", "fleet", "touch", "call", "shots", "ships", "cell", "number", "captain", "turns", "first",
        "name", "invite",
    ]);
    leaf.prop_recursive(3, 12, 4, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(names.clone().prop_map(str::to_owned), inner, 0..5)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

fn is_fine(result: &Result<Value, ClientError>) -> bool {
    match result {
        Ok(_) => true,
        Err(ClientError::Refused { status, error }) => !status.is_server_error() && error["error"]["kind"].is_string(),
        Err(_) => false,
    }
}

#[test]
fn whatever_is_sent_is_answered_or_refused() {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let server = runtime.block_on(Running::start());
    let player: Player = runtime.block_on(server.player(&json!({ "rules": small(), "captain": "random" })));
    let general = ["games", "rules", "deal", "odds"].map(|path| format!("/api/{path}"));
    let of_the_game = ["layout", "shots", "join", "rematch"].map(|what| format!("/api/games/{}/{what}", player.id));
    let paths = prop::sample::select([general, of_the_game].concat());
    let fuzzed = TestRunner::new(ProptestConfig::with_cases(600)).run(&(paths, body()), |(path, body)| {
        let answer = runtime.block_on(async { server.client().await.post(&path, Some(&player.token), &body).await });
        prop_assert!(is_fine(&answer), "{path} {body}: {answer:?}");
        Ok(())
    });
    fuzzed.unwrap();
}

/// The long form is the fuzz target `requests`.
#[tokio::test(flavor = "multi_thread")]
async fn any_sequence_of_requests_is_answered() {
    let server = Running::start().await;
    let address = server.address;
    let asked = tokio::task::spawn_blocking(move || {
        let mut runner = TestRunner::new(ProptestConfig::with_cases(60));
        runner.run(&proptest::collection::vec(any::<u8>(), 0..400), |bytes| {
            sequences::run(address, &bytes);
            Ok(())
        })
    });
    asked.await.unwrap().unwrap();
}
