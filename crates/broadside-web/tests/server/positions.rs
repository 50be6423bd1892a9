use serde_json::{Value, json};

use crate::help::Running;

async fn refused(server: &Running, path: &str, body: &Value) -> (u16, Value) {
    match server.client().await.post(path, None, body).await {
        Err(broadside_web::client::ClientError::Refused { status, error }) => (status.as_u16(), error["error"].clone()),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn odds_are_exact_and_a_contradiction_is_explained() {
    let server = Running::start().await;
    let rules = json!({ "board": "2x3", "fleet": "2" });
    let odds = server.client().await.post("/api/odds", None, &json!({ "rules": rules, "shots": "A1-" })).await.unwrap();
    // Five places are left, three of them through B2.
    assert_eq!((&odds["layouts"], &odds["cells"][1][1], &odds["best"]), (&json!("5"), &json!("3"), &json!(["B2"])));
    assert_eq!((&odds["exact"], &odds["left"], &odds["over"]), (&json!(true), &json!([2]), &json!(false)));
    let rocks = json!({ "board": "2x3", "fleet": "2", "rocks": "A1,B3" });
    let odds = server.client().await.post("/api/odds", None, &json!({ "rules": rocks, "shots": "" })).await.unwrap();
    // Three places lie on no rock: A2-A3, B1-B2 and A2-B2.
    assert_eq!((&odds["layouts"], &odds["cells"]), (&json!("3"), &json!([["0", "2", "1"], ["1", "2", "0"]])));
    let (status, error) = refused(&server, "/api/odds", &json!({ "rules": rocks, "shots": "A1-" })).await;
    assert_eq!((status, &error["kind"]), (422, &json!("shots")));
    let salvo = json!({ "board": "1x5", "fleet": "2", "salvo": "2" });
    let odds = server.client().await.post("/api/odds", None, &json!({ "rules": salvo, "shots": "A1- A5- A3?" })).await.unwrap();
    // What is not answered yet tells nothing: A2-A3 or A3-A4.
    assert_eq!((&odds["layouts"], &odds["cells"]), (&json!("2"), &json!([["0", "1", "2", "1", "0"]])));
    let each = json!({ "board": "1x5", "fleet": "2", "salvo": "2:each" });
    let (status, error) = refused(&server, "/api/odds", &json!({ "rules": each, "shots": "A1- A3?" })).await;
    assert_eq!((status, &error["kind"]), (422, &json!("shots")));
    let (status, error) = refused(&server, "/api/odds", &json!({ "rules": { "salvo": "0" }, "shots": "" })).await;
    assert_eq!((status, &error["kind"]), (422, &json!("rules")));
    let noise = json!({ "board": "1x3", "fleet": "2", "noise": "0.1" });
    let odds = server.client().await.post("/api/odds", None, &json!({ "rules": noise, "shots": "A1+" })).await.unwrap();
    // The ship lies at one end or at the other, and the answer is true with nine tenths.
    assert!((odds["odds"][0][0].as_f64().unwrap() - 0.9).abs() < 1e-12, "{odds}");
    assert_eq!((&odds["layouts"], &odds["cells"], &odds["exact"]), (&Value::Null, &Value::Null, &json!(true)));
    let (status, error) = refused(&server, "/api/odds", &json!({ "rules": { "noise": "0.5" }, "shots": "" })).await;
    assert_eq!((status, &error["kind"]), (422, &json!("rules")));
    // A ship of 3 lies along one row or the other.
    let row = json!({ "board": "2x3", "fleet": "3" });
    let (status, error) = refused(&server, "/api/odds", &json!({ "rules": row, "shots": "A1- B3+ B2-" })).await;
    assert_eq!((status, &error["kind"], &error["shot"]), (422, &json!("impossible"), &json!("B2-")));
    assert_eq!(error["number"], 3);
    assert!(!error["against"].as_array().unwrap().is_empty(), "{error}");
    let (status, error) = refused(&server, "/api/odds", &json!({ "rules": rules, "shots": "Z9-" })).await;
    assert_eq!((status, &error["kind"]), (422, &json!("shots")));
}

#[tokio::test]
async fn rules_are_filled_in_and_bad_ones_refused_with_a_reason() {
    let server = Running::start().await;
    let full = server.client().await.post("/api/rules", None, &json!({ "preset": "russian", "call": "bare" })).await.unwrap();
    assert_eq!((&full["rules"]["touch"], &full["rules"]["call"]), (&json!("never"), &json!("bare")));
    for (rules, kind) in [
        (json!({ "preset": "chess" }), "rules"),
        (json!({ "board": "2x2", "fleet": "5" }), "fleet"),
        (json!({ "board": "64x64" }), "limit"),
        (json!({ "fleet": "" }), "rules"),
    ] {
        let (status, error) = refused(&server, "/api/rules", &rules).await;
        assert_eq!((status, error["kind"].as_str()), (422, Some(kind)), "{rules}");
        assert!(error["message"].as_str().unwrap().len() > 10);
    }
    let (status, _) = refused(&server, "/api/rules", &json!({ "size": 3 })).await;
    assert_eq!(status, 400);
}

#[tokio::test]
async fn a_deal_is_a_legal_fleet() {
    let server = Running::start().await;
    let dealt = server.client().await.post("/api/deal", None, &json!({ "rules": { "preset": "russian" } })).await.unwrap();
    let ships: Vec<&str> = dealt["ships"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    let draft: broadside_rules::Draft = ships.join(" ").parse().unwrap();
    assert!(draft.check(&broadside_rules::Preset::Russian.rules()).is_valid(), "{ships:?}");
}

#[tokio::test]
async fn a_puzzle_is_the_same_for_everybody_and_hints_lead_to_its_end() {
    let server = Running::start().await;
    let mut client = server.client().await;
    let asked = json!({ "board": "6x6", "grade": "easy", "seed": 20_261_117 });
    let made = client.post("/api/puzzles", None, &asked).await.unwrap();
    assert_eq!(client.post("/api/puzzles", None, &asked).await.unwrap(), made);
    assert_eq!((&made["rows"], &made["grade"], &made["fleet"]), (&json!(6), &json!("easy"), &json!([3, 2, 2, 1, 1, 1])));
    let mut marks = String::new();
    for _ in 0..40 {
        let hint = client.post("/api/puzzles/hint", None, &json!({ "puzzle": made["puzzle"], "marks": marks })).await.unwrap();
        let cells =
            |name: &str| hint[name].as_array().unwrap().iter().map(|cell| cell.as_str().unwrap().to_owned()).collect::<Vec<_>>();
        marks.extend(cells("ships").iter().map(|cell| format!("{cell}x ")));
        marks.extend(cells("water").iter().map(|cell| format!("{cell}~ ")));
        if hint["kind"] == "done" {
            return;
        }
        assert_eq!(hint["kind"], "next", "{hint}");
    }
    panic!("{marks} don't lead to the end");
}

#[tokio::test]
async fn puzzles_that_can_not_be_had_are_refused_with_a_reason() {
    let server = Running::start().await;
    for asked in [
        json!({ "board": "5x5", "grade": "easy", "seed": 1 }),
        json!({ "board": "six", "grade": "easy", "seed": 1 }),
        json!({ "board": "6x6", "grade": "simple", "seed": 1 }),
    ] {
        let (status, error) = refused(&server, "/api/puzzles", &asked).await;
        assert_eq!((status, &error["kind"]), (422, &json!("rules")), "{asked}");
    }
    for (asked, kind) in [
        (json!({ "puzzle": "2,1 2,0,1" }), "rules"),
        (json!({ "puzzle": "1 1 1", "marks": "B1x" }), "rules"),
        (json!({ "puzzle": "1 1 1", "marks": "A1x ".repeat(2000) }), "limit"),
    ] {
        let (status, error) = refused(&server, "/api/puzzles/hint", &asked).await;
        assert_eq!((status, error["kind"].as_str()), (422, Some(kind)), "{asked}");
    }
    let wrong = json!({ "puzzle": "2,1 2,0,1 1,1,1 C3o", "marks": "A1~" });
    let hint = server.client().await.post("/api/puzzles/hint", None, &wrong).await.unwrap();
    assert_eq!((&hint["kind"], &hint["wrong"]), (&json!("wrong"), &json!(["A1"])));
}
