use broadside_odds::PlacementWeights;
use broadside_rules::{Draft, Rules};
use broadside_web::ServedWeights;
use serde_json::{Value, json};

use crate::help::{Running, get};

async fn refused(server: &Running, path: &str, body: &Value) -> (u16, Value) {
    match server.client().await.post(path, None, body).await {
        Err(broadside_web::client::ClientError::Refused { status, error }) => (status.as_u16(), error["error"].clone()),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn odds_by_weights_are_exact_and_the_counts_stay_counts() {
    let server = Running::start().await;
    let mut client = server.client().await;
    let rules = json!({ "board": "1x3", "fleet": "2" });
    // Three times as often at the left end.
    let asked = json!({ "rules": rules, "weights": "A1-A2 3 # the left\n" });
    let odds = client.post("/api/odds", None, &asked).await.unwrap();
    assert_eq!((&odds["layouts"], &odds["cells"]), (&json!("2"), &json!([["1", "2", "1"]])));
    assert_eq!((&odds["odds"], &odds["weighted"]), (&json!([[0.75, 1.0, 0.25]]), &json!(true)));
    let after = json!({ "rules": rules, "shots": "A2+", "weights": "A1-A2 3" });
    let odds = client.post("/api/odds", None, &after).await.unwrap();
    assert_eq!(odds["best"], json!(["A1"]));
    for none in [json!(null), json!("uniform"), json!("  ")] {
        let odds = client.post("/api/odds", None, &json!({ "rules": rules, "weights": none })).await.unwrap();
        assert_eq!((&odds["odds"], &odds["weighted"]), (&json!([[0.5, 1.0, 0.5]]), &json!(false)));
    }
    let corner = |weights: Value| json!({ "rules": { "preset": "sploosh" }, "weights": weights });
    let [chance, people] = [
        client.post("/api/odds", None, &corner(json!(null))).await.unwrap(),
        client.post("/api/odds", None, &corner(json!("people"))).await.unwrap(),
    ]
    .map(|odds| odds["odds"][0][0].as_f64().unwrap());
    assert!(people > 1.5 * chance, "{people} and {chance}");
}

#[tokio::test]
async fn weights_that_can_not_be_used_are_refused_with_a_reason() {
    let server = Running::start().await;
    let rules = json!({ "board": "1x3", "fleet": "2" });
    for (weights, kind) in [
        ("persons".to_owned(), "weights"),
        ("A1-A5 2".to_owned(), "weights"),
        ("A1-A2 -1".to_owned(), "weights"),
        ("A1-A2 0\nA2-A3 0".to_owned(), "weights"),
        ("# nothing\n".repeat(5200), "limit"),
    ] {
        let (status, error) = refused(&server, "/api/odds", &json!({ "rules": rules, "weights": weights })).await;
        assert_eq!((status, error["kind"].as_str()), (422, Some(kind)), "{weights:.20}: {error}");
    }
    let (status, _) = refused(&server, "/api/odds", &json!({ "rules": rules, "weights": 3 })).await;
    assert_eq!(status, 400);
}

/// A server with weights for a ship of two on a row of five.
async fn with_weights() -> Running {
    Running::start_with(tempfile::tempdir().expect("a folder"), |config| {
        let rules: Rules = "1x5 2 allowed ship".parse().expect("rules");
        config.weights = Some(ServedWeights { weights: PlacementWeights::parse(&rules, "A1-A2 9").expect("weights"), rules });
    })
    .await
}

#[tokio::test]
async fn the_weights_of_the_server_are_known_by_name_where_the_board_is_theirs() {
    let server = with_weights().await;
    let mut client = server.client().await;
    let listed = client.get("/api/captains", None).await.unwrap();
    assert_eq!((&listed["weights"]["board"], &listed["weights"]["fleet"]), (&json!("1x5"), &json!([2])));
    for call in ["ship", "silent"] {
        let asked = json!({ "rules": { "board": "1x5", "fleet": "2", "call": call }, "weights": "weights" });
        let odds = client.post("/api/odds", None, &asked).await.unwrap();
        // Nine, one, one and one: twelve together.
        let chances: Vec<f64> = odds["odds"][0].as_array().unwrap().iter().map(|chance| chance.as_f64().unwrap()).collect();
        let expected = [9.0, 10.0, 2.0, 2.0, 1.0].map(|weight| weight / 12.0);
        assert!(chances.iter().zip(expected).all(|(chance, expected)| (chance - expected).abs() < 1e-12), "{chances:?}");
    }
    let rules = json!({ "board": "1x5", "fleet": "2" });
    let judged = json!({ "rules": rules, "ships": ["A1-A2"], "weights": "weights" });
    let judged = client.post("/api/hide/judge", None, &judged).await.unwrap();
    assert_eq!((&judged["captains"][3]["captain"], &judged["captains"][3]["mean"]), (&json!("density@weights~"), &json!(2.0)));
    let picture = get(server.address, "/api/picture?board=1x5&fleet=2&weights=weights", "").await;
    assert!(picture.starts_with("HTTP/1.1 200"), "{picture:.200}");
    let other = json!({ "rules": { "board": "1x6", "fleet": "2" }, "weights": "weights" });
    for path in ["/api/odds", "/api/best"] {
        let (status, error) = refused(&server, path, &other).await;
        assert_eq!((status, &error["kind"]), (422, &json!("weights")), "{error}");
    }
    let (status, error) = refused(&server, "/api/games", &json!({ "rules": other["rules"], "captain": "density@weights" })).await;
    assert_eq!((status, &error["kind"]), (422, &json!("captain")), "{error}");
    // A server without weights has none to name.
    let plain = Running::start().await;
    assert_eq!(plain.client().await.get("/api/captains", None).await.unwrap()["weights"], json!(null));
    let (status, error) = refused(&plain, "/api/odds", &json!({ "rules": rules, "weights": "weights" })).await;
    assert_eq!((status, &error["kind"]), (422, &json!("weights")), "{error}");
}

#[tokio::test]
async fn a_captain_plays_by_the_weights_of_the_server_and_games_go_on_without_them() {
    let server = with_weights().await;
    let wanted = json!({ "rules": { "board": "1x5", "fleet": "2" }, "captain": "density@weights" });
    let mut players = [server.player(&wanted).await, server.player(&wanted).await];
    for player in &mut players {
        player.place(&json!(["A4-A5"])).await.unwrap();
        // Cells that are not beside each other sink no ship.
        player.fire("A1").await.unwrap();
        assert_eq!(player.view["opponent"]["shots"], json!(["A2-"]), "nine layouts in twelve and one more go through it");
    }
    let [mut one, mut other] = players;
    one.fire("A3").await.unwrap();
    assert_eq!(one.view["opponent"]["shots"], json!(["A2-", "A4+"]), "two layouts are left, and both go through it");
    let server = Running::start_in(server.stop().await).await;
    other.client = server.client().await;
    other.fire("A3").await.unwrap();
    assert_eq!(other.view["opponent"]["shots"].as_array().unwrap().len(), 2, "another captain fires: {}", other.view);
}

#[tokio::test]
async fn a_layout_that_is_hard_to_find_is_legal_and_another_one_every_time() {
    let server = Running::start().await;
    let mut client = server.client().await;
    let rules: Rules = "6x6 3,2,2 never ship".parse().unwrap();
    let asked = json!({ "rules": { "board": "6x6", "fleet": "3,2,2", "touch": "never" }, "against": "density?err=0.1" });
    let mut found = Vec::new();
    for _ in 0..3 {
        let hidden = client.post("/api/hide", None, &asked).await.unwrap();
        let ships: Vec<&str> = hidden["ships"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
        assert!(ships.join(" ").parse::<Draft>().unwrap().check(&rules).is_valid(), "{ships:?}");
        let judged = &hidden["judged"];
        assert_eq!(judged["captain"], "density~?err=0.1");
        assert!(judged["mean"].as_f64().unwrap() > judged["uniform"].as_f64().unwrap(), "{hidden}");
        found.push(ships.join(" "));
    }
    assert!(found.iter().any(|ships| *ships != found[0]), "{found:?}");
    // A bot and a captain that takes seconds are hidden from as from density.
    for against in ["bot:mine", "exact", "commodore?err=0.2"] {
        let asked = json!({ "rules": { "board": "4x4", "fleet": "3" }, "against": against });
        assert_eq!(client.post("/api/hide", None, &asked).await.unwrap()["judged"]["captain"], "density~", "{against}");
    }
    let (status, error) = refused(&server, "/api/hide", &json!({ "against": "nobody" })).await;
    assert_eq!((status, &error["kind"]), (422, &json!("captain")));
}

#[tokio::test]
async fn a_layout_is_judged_by_captains_and_by_one_that_knows_how_the_player_hides() {
    let server = Running::start().await;
    let mut client = server.client().await;
    let rules = json!({ "board": "1x3", "fleet": "2" });
    let judged = client.post("/api/hide/judge", None, &json!({ "rules": rules, "ships": ["A2-A3"] })).await.unwrap();
    let names = |judged: &Value| -> Vec<String> {
        let captains = judged["captains"].as_array().unwrap();
        captains.iter().map(|captain| captain["captain"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(names(&judged), ["admiral~", "density~", "hunt-target-parity"]);
    let density = &judged["captains"][1];
    // The middle, then an end: 2 or 3 shots, whatever the layout.
    assert!((density["mean"].as_f64().unwrap() - 2.5).abs() < 0.5, "{density}");
    assert!((density["uniform"].as_f64().unwrap() - 2.5).abs() < 0.5, "{density}");
    let known = json!({ "rules": rules, "ships": ["A2-A3"], "weights": "A2-A3 9" });
    let judged = client.post("/api/hide/judge", None, &known).await.unwrap();
    assert_eq!(names(&judged)[3], "density@weights~");
    assert_eq!((&judged["captains"][3]["mean"], &judged["captains"][3]["std_err"]), (&json!(2.0), &json!(0.0)));
    for (ships, kind) in
        [(json!(["A2-A4"]), "layout"), (json!(["A2"]), "layout"), (json!(["nine"]), "cell"), (json!(["A1-A2", "A2-A3"]), "limit")]
    {
        let (status, error) = refused(&server, "/api/hide/judge", &json!({ "rules": rules, "ships": ships })).await;
        assert_eq!((status, error["kind"].as_str()), (422, Some(kind)), "{ships}");
    }
}
