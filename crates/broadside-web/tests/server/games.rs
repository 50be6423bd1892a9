use broadside_web::client::{Client, ClientError, Player};
use serde_json::{Value, json};

use crate::help::{Running, small};

fn kind(result: Result<&Value, ClientError>) -> String {
    result.err().and_then(|error| error.kind().map(str::to_owned)).unwrap_or_default()
}

#[tokio::test]
async fn two_people_play_to_the_end() {
    let server = Running::start().await;
    let [mut ann, mut bob] = server.pair(&small()).await;
    assert_eq!(bob.view["phase"], "placing");
    assert_eq!((&bob.view["opponent"]["name"], &bob.view["you"]["name"]), (&json!("Ann"), &json!("Player 2")));
    ann.place(&json!(["A1-A2"])).await.unwrap();
    assert_eq!(ann.view["phase"], "placing");
    bob.place(&json!(["C1-C2"])).await.unwrap();
    assert_eq!((&bob.view["phase"], &bob.view["turn"]), (&json!("playing"), &json!("opponent")));
    assert_eq!(kind(bob.fire("A1").await), "not-your-turn");
    assert_eq!(ann.fire("C1").await.unwrap()["you"]["shots"], json!(["C1+"]));
    assert_eq!(bob.fire("A1").await.unwrap()["opponent"]["shots"], json!(["C1+"]));
    ann.fire("C2").await.unwrap();
    assert_eq!(ann.view["you"]["shots"], json!(["C1+", "C2#2"]));
    assert_eq!((&ann.view["phase"], &ann.view["winner"], &ann.view["ending"]), (&json!("over"), &json!("you"), &json!("sunk")));
    bob.look().await.unwrap();
    assert_eq!((&bob.view["winner"], &bob.view["opponent"]["ships"]), (&json!("opponent"), &json!(["A1-A2"])));
    assert_eq!((&bob.view["you"]["sunk"], &bob.view["order"]), (&json!(["C1-C2"]), &json!(["opponent", "you", "opponent"])));
    let replay = format!("/api/replays/{}", bob.view["replay"].as_str().unwrap());
    let told = server.client().await.get(&replay, None).await.unwrap();
    assert_eq!((&told["order"], &told["winner"]), (&json!(["first", "second", "first"]), &json!("first")));
    assert_eq!(
        told["players"][1],
        json!({ "name": "Player 2", "captain": null, "ships": ["C1-C2"], "shots": ["A1+"], "calls": [] })
    );
    let review = server.client().await.get(&format!("{replay}/review?side=second"), None).await.unwrap();
    // 12 places for a ship of 2 on 3x3, two of them through a corner and four through the middle.
    assert_eq!(review["shots"][0]["chance"], json!(2.0 / 12.0));
    assert_eq!(review["shots"][0]["best"], json!(["B2"]));
}

#[tokio::test]
async fn a_game_against_every_captain_ends() {
    let server = Running::start().await;
    let captains = server.client().await.get("/api/captains", None).await.unwrap();
    for captain in captains["captains"].as_array().unwrap() {
        let wanted = json!({ "rules": { "board": "4x4", "fleet": "3,2" }, "captain": captain["name"], "first": "them", "turns": "hit-again" });
        let mut player = server.player(&wanted).await;
        player.place(&json!(["A1-A3", "C4-D4"])).await.unwrap();
        play_out(&mut player).await;
        let shots = player.view["opponent"]["shots"].as_array().unwrap();
        assert!(!shots.is_empty() && shots.len() <= 16, "{captain}");
    }
}

#[tokio::test]
async fn false_answers_stay_what_they_were_and_other_games_have_others() {
    let server = Running::start().await;
    let mut games = std::collections::BTreeSet::new();
    for _ in 0..8 {
        let rules = json!({ "board": "4x4", "fleet": "2", "call": "silent", "noise": "0.4" });
        let [mut ann, mut bob] = server.pair(&rules).await;
        ann.place(&json!(["A1-A2"])).await.unwrap();
        bob.place(&json!(["D3-D4"])).await.unwrap();
        for _ in 0..9 {
            let told = ann.fire("B2").await.unwrap()["you"]["shots"].clone();
            bob.fire("C3").await.unwrap();
            // Every request replays the game from the database.
            let again = &ann.look().await.unwrap()["you"]["shots"];
            assert_eq!(&told, again);
        }
        assert_eq!(kind(ann.fire("B2").await), "cell", "nine times are enough");
        games.insert(ann.view["you"]["shots"].to_string());
        ann.fire("D3").await.unwrap();
        bob.fire("A1").await.unwrap();
        ann.fire("D4").await.unwrap();
        assert_eq!(ann.view["you"]["shots"].as_array().unwrap().last(), Some(&json!("D4#")), "the end is never false");
        assert_eq!((&ann.view["phase"], &ann.view["winner"]), (&json!("over"), &json!("you")));
    }
    assert!(games.len() > 4, "{games:?}");
}

/// Fires along the rows until the game is over.
async fn play_out(player: &mut Player) {
    let (rows, cols) = (player.view["rules"]["rows"].as_u64().unwrap(), player.view["rules"]["cols"].as_u64().unwrap());
    let cells = (0..rows).flat_map(|row| (1..=cols).map(move |col| format!("{}{col}", char::from(b'A' + row as u8))));
    for cell in cells {
        if player.is_over() {
            break;
        }
        assert!(player.is_to_fire(), "{}", player.view);
        player.fire(&cell).await.unwrap();
    }
    assert!(player.is_over(), "{}", player.view);
}

#[tokio::test]
async fn nobody_acts_for_another_and_nothing_happens_out_of_turn() {
    let server = Running::start().await;
    let [mut ann, bob] = server.pair(&small()).await;
    let [mut stranger, _] = server.pair(&small()).await;
    let own = std::mem::replace(&mut ann.token, stranger.token.clone());
    assert_eq!(kind(ann.place(&json!(["A1-A2"])).await), "wrong-token");
    assert_eq!(kind(ann.look().await), "wrong-token");
    ann.token = "no such token".to_owned();
    assert_eq!(kind(ann.act("resign", &json!({})).await), "wrong-token");
    ann.token = own;
    let path = format!("/api/games/{}", ann.id);
    assert_eq!(server.client().await.get(&path, None).await.unwrap_err().kind(), Some("no-token"));
    stranger.id = "nowhere".to_owned();
    assert_eq!(kind(stranger.look().await), "not-found");
    assert_eq!(kind(ann.fire("A1").await), "not-placed");
    assert_eq!(kind(ann.place(&json!(["A1-A3"])).await), "layout");
    assert_eq!(kind(ann.place(&json!(["spam"])).await), "unreadable");
    ann.place(&json!(["A1-A2"])).await.unwrap();
    ann.place(&json!(["A1-A2"])).await.expect("the same once more does no harm");
    assert_eq!(kind(ann.place(&json!(["B1-B2"])).await), "already-placed");
    let again = Player::join(server.client().await, &ann.id, ann.invite.as_deref().unwrap()).await;
    assert_eq!(again.err().unwrap().kind(), Some("already-joined"));
    assert_eq!(kind(ann.act("rematch", &json!({})).await), "not-over");
    let review = ann.client.get(&format!("{path}/review"), Some(&bob.token)).await;
    assert_eq!(review.unwrap_err().kind(), Some("not-placed"));
}

#[tokio::test]
async fn a_wrong_invitation_opens_nothing() {
    let server = Running::start().await;
    let ann = server.player(&json!({ "rules": small() })).await;
    let guess = Player::join(server.client().await, &ann.id, "guess").await;
    assert_eq!(guess.err().unwrap().kind(), Some("not-found"));
}

#[tokio::test]
async fn a_shot_sent_twice_is_fired_once_and_one_out_of_step_not_at_all() {
    let server = Running::start().await;
    let mut player = server.player(&json!({ "captain": "density" })).await;
    player.place(&json!(["A1-A5", "B1-B4", "C1-C3", "D1-D3", "E1-E2"])).await.unwrap();
    let shot = json!({ "cell": "J10", "number": 0 });
    let first = player.act("shots", &shot).await.unwrap().clone();
    assert_eq!(*player.act("shots", &shot).await.unwrap(), first);
    assert_eq!(kind(player.act("shots", &json!({ "cell": "J9", "number": 0 })).await), "out-of-step");
    assert_eq!(kind(player.act("shots", &json!({ "cell": "J10", "number": 1 })).await), "cell");
    assert_eq!(kind(player.act("shots", &json!({ "cell": "K1", "number": 1 })).await), "cell");
    assert_eq!(*player.look().await.unwrap(), first);
}

#[tokio::test]
async fn a_shot_with_the_captains_reply_costs_one_read_and_one_replay() {
    let server = Running::start().await;
    let mut player = server.player(&json!({ "captain": "density" })).await;
    player.place(&json!(["A1-A5", "B1-B4", "C1-C3", "D1-D3", "E1-E2"])).await.unwrap();
    let counts = || (server.metrics.game_reads(), server.metrics.game_replays());
    for (number, cell) in ["J10", "J9", "J8"].into_iter().enumerate() {
        let (reads, replays) = counts();
        player.fire(cell).await.unwrap();
        assert_eq!(counts(), (reads + 1, replays + 1));
        assert_eq!(player.view["order"].as_array().unwrap().len(), 2 * number + 2, "the captain has replied");
    }
}

#[tokio::test]
async fn a_damaged_game_is_an_error_of_its_own() {
    let server = Running::start().await;
    let [mut ann, mut bob] = server.pair(&small()).await;
    ann.place(&json!(["A1-A2"])).await.unwrap();
    bob.place(&json!(["C1-C2"])).await.unwrap();
    let folder = server.stop().await;
    let database = rusqlite::Connection::open(folder.path().join("games.sqlite")).unwrap();
    database.execute("UPDATE seat SET layout = 'A1-A3' WHERE side = 'second'", ()).unwrap();
    drop(database);
    let server = Running::start_in(folder).await;
    ann.client = server.client().await;
    assert_eq!(kind(ann.look().await), "damaged");
    assert_eq!(kind(ann.fire("A1").await), "damaged");
}

#[tokio::test]
async fn giving_up_ends_the_game_and_a_rematch_swaps_the_sides() {
    let server = Running::start().await;
    let [mut ann, mut bob] = server.pair(&small()).await;
    ann.place(&json!(["A1-A2"])).await.unwrap();
    bob.place(&json!(["C1-C2"])).await.unwrap();
    bob.act("resign", &json!({})).await.unwrap();
    assert_eq!((&bob.view["winner"], &bob.view["ending"]), (&json!("opponent"), &json!("resigned")));
    assert_eq!(kind(ann.fire("A1").await), "over");
    let rematch = |player: &Player| (format!("/api/games/{}/rematch", player.id), player.token.clone());
    let (path, token) = rematch(&ann);
    let next = ann.client.post(&path, Some(&token), &json!({})).await.unwrap();
    let (path, token) = rematch(&bob);
    let same = bob.client.post(&path, Some(&token), &json!({})).await.unwrap();
    assert_eq!(next["id"], same["id"]);
    assert_eq!(ann.look().await.unwrap()["next"], next["id"]);
    next["id"].as_str().unwrap().clone_into(&mut ann.id);
    next["id"].as_str().unwrap().clone_into(&mut bob.id);
    ann.place(&json!(["A1-A2"])).await.unwrap();
    bob.place(&json!(["C1-C2"])).await.unwrap();
    assert!(bob.is_to_fire(), "who was second is first now");
}

#[tokio::test]
async fn a_rematch_against_a_captain_can_be_played() {
    let server = Running::start().await;
    let mut player = server.player(&json!({ "rules": small(), "captain": "random" })).await;
    player.place(&json!(["A1-A2"])).await.unwrap();
    player.act("resign", &json!({})).await.unwrap();
    let path = format!("/api/games/{}/rematch", player.id);
    let next = player.client.post(&path, Some(&player.token), &json!({})).await.unwrap();
    next["id"].as_str().unwrap().clone_into(&mut player.id);
    player.place(&json!(["A1-A2"])).await.unwrap();
    play_out(&mut player).await;
}

#[tokio::test]
async fn a_stopped_server_goes_on_where_it_was() {
    let server = Running::start().await;
    let mut player = server.player(&json!({ "rules": small(), "captain": "random" })).await;
    player.place(&json!(["A1-A2"])).await.unwrap();
    player.fire("B2").await.unwrap();
    let before = player.view.clone();
    let server = Running::start_in(server.stop().await).await;
    player.client = server.client().await;
    assert_eq!(*player.look().await.unwrap(), before);
    play_out_rest(&mut player).await;
}

async fn play_out_rest(player: &mut Player) {
    for cell in ["A1", "A2", "A3", "B1", "B3", "C1", "C2", "C3"] {
        if !player.is_over() {
            player.fire(cell).await.unwrap();
        }
    }
    assert!(player.is_over());
}

#[tokio::test]
async fn odds_of_a_game_are_those_of_the_players_own_shots() {
    let server = Running::start().await;
    let mut player = server.player(&json!({ "captain": "density" })).await;
    let path = format!("/api/games/{}/odds", player.id);
    assert_eq!(player.client.get(&path, Some(&player.token)).await.unwrap_err().kind(), Some("not-placed"));
    player.place(&json!(["A1-A5", "B1-B4", "C1-C3", "D1-D3", "E1-E2"])).await.unwrap();
    let odds = player.client.get(&path, Some(&player.token)).await.unwrap();
    // The number of layouts of the classic board, as published.
    assert_eq!(odds["layouts"], "15046987768");
    player.act("resign", &json!({})).await.unwrap();
    assert_eq!(player.client.get(&path, Some(&player.token)).await.unwrap_err().kind(), Some("over"));
}

#[tokio::test]
async fn the_same_address_or_folder_twice_is_told_plainly() {
    use broadside_web::{Config, ServeError, Server, StoreError};
    let server = Running::start().await;
    let folder = tempfile::tempdir().unwrap();
    let taken = Server::bind(Config::new(server.address, folder.path().to_owned())).await;
    assert!(matches!(taken.err(), Some(ServeError::PortInUse(_))));
    let addr = "127.0.0.1:0".parse().unwrap();
    let one = Server::bind(Config::new(addr, folder.path().to_owned())).await.unwrap();
    let two = Server::bind(Config::new(addr, folder.path().to_owned())).await;
    assert!(matches!(two.err(), Some(ServeError::Store(StoreError::InUse(_)))));
    drop(one);
    assert!(Client::connect(server.address).await.is_ok());
}
