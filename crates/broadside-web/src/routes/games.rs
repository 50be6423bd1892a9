//! Games: making them, joining, placing, firing, giving up.

use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use broadside_captains::captain;
use broadside_lab::Review;
use broadside_rules::{Cell, Dealer, Draft, Layout, Placement, Rules, ShotLog, Side};
use rand::RngExt;

use crate::app::App;
use crate::extract::{Body, Name, Token};
use crate::game::{Game, Seat, Start};
use crate::refusal::{ErrorOut, Refusal, refused};
use crate::routes::analysis::{self, BUDGET};
use crate::secret::{self, Fingerprint};
use crate::view;
use crate::wire::{First, Join, Joined, LayoutIn, Made, NewGame, Rematch, ReviewOut, ShotIn, View, chain, player_name};

/// How long an answer waits for the captain's reply before it goes without it.
const PATIENCE: Duration = Duration::from_secs(2);

/// Makes a game against a captain or another person.
#[utoipa::path(post, path = "/api/games", tag = "games", request_body = NewGame, responses(
    (status = 201, description = "the game, and the token that makes requests the player's", body = Made),
    (status = 422, body = ErrorOut, description = "no such rules or captain"),
    refused::Body, refused::Busy,
))]
pub(crate) async fn make(State(app): State<App>, Body(wanted): Body<NewGame>) -> Result<(StatusCode, Json<Made>), Refusal> {
    let asked = wanted.clone();
    let (rules, dealt) = app.dealing.think(move || prepare(&asked)).await??;
    let (token, invite) = (secret::token(), wanted.captain.is_none().then(secret::name));
    let me = person(player_name(wanted.name.as_deref(), "Player 1"), Some(Fingerprint::of(&token)));
    let them = match wanted.captain {
        Some(name) => Seat { name: name.clone(), captain: Some(name), token: None, layout: dealt },
        None => person("Player 2".to_owned(), None),
    };
    let (side, seats) = seated(wanted.first, me, them);
    let start = Start {
        id: secret::name(),
        replay: secret::name(),
        rules,
        turns: wanted.turns.into(),
        invite: invite.as_deref().map(Fingerprint::of),
        seats,
    };
    let game = app.store.run(move |db| Game::start(db, start)).await?;
    let view = view::of(&game, side);
    Ok((StatusCode::CREATED, Json(Made { id: game.id, token, invite, view })))
}

/// Reads the rules and lets the captain place its fleet.
fn prepare(wanted: &NewGame) -> Result<(Rules, Option<Layout>), Refusal> {
    let rules = wanted.rules.rules()?;
    let Some(name) = &wanted.captain else { return Ok((rules, None)) };
    captain(name, &rules).map_err(|error| Refusal::Captain(error.to_string()))?;
    let layout = deal(&rules)?;
    Ok((rules, Some(layout)))
}

/// A layout by lot.
pub(crate) fn deal(rules: &Rules) -> Result<Layout, Refusal> {
    Dealer::new(rules).uniform(&mut secret::lots()).map_err(|error| Refusal::OutOfReach(chain(&error)))
}

fn person(name: String, token: Option<Fingerprint>) -> Seat {
    Seat { name, captain: None, token, layout: None }
}

fn seated(first: First, me: Seat, them: Seat) -> (Side, [Seat; 2]) {
    let begin = match first {
        First::Me => true,
        First::Them => false,
        First::Random => secret::lots().random(),
    };
    if begin { (Side::First, [me, them]) } else { (Side::Second, [them, me]) }
}

/// Takes the second seat.
#[utoipa::path(post, path = "/api/games/{id}/join", tag = "games", params(("id" = String, Path)), request_body = Join, responses(
    (status = 200, description = "the game, and the token that makes requests the player's", body = Joined),
    (status = 404, body = ErrorOut, description = "no such game or invitation"),
    (status = 409, body = ErrorOut, description = "the seat is taken"),
    refused::Body, refused::Busy,
))]
pub(crate) async fn join(State(app): State<App>, Name(id): Name, Body(join): Body<Join>) -> Result<Json<Joined>, Refusal> {
    let token = secret::token();
    let (invite, fingerprint) = (Fingerprint::of(&join.invite), Fingerprint::of(&token));
    let (game, side) = app
        .store
        .run(move |db| {
            let mut game = Game::find(db, &id)?;
            let side = game.join(db, invite, player_name(join.name.as_deref(), "Player 2"), fingerprint)?;
            Ok((game, side))
        })
        .await?;
    app.hub.changed(&game.id);
    Ok(Json(Joined { token, view: view::of(&game, side) }))
}

/// The game as the player may see it.
#[utoipa::path(get, path = "/api/games/{id}", tag = "games", params(("id" = String, Path)), security(("token" = [])), responses(
    (status = 200, description = "the game", body = View),
    refused::Player, refused::Busy,
))]
pub(crate) async fn show(State(app): State<App>, Name(id): Name, Token(token): Token) -> Result<Json<View>, Refusal> {
    let (game, side) = seen(&app, id, token).await?;
    let view = view::of(&game, side);
    // A captain whose turn it was when the server was stopped goes on now.
    app.wake_captain(game);
    Ok(Json(view))
}

/// A game, and the side whose token this is.
pub(crate) async fn seen(app: &App, id: String, token: String) -> Result<(Game, Side), Refusal> {
    change(app, id, token, |_, _, _| Ok(())).await
}

/// Does something with a game for the player whose token this is.
async fn change(
    app: &App,
    id: String,
    token: String,
    what: impl FnOnce(&rusqlite::Connection, &mut Game, Side) -> Result<(), Refusal> + Send + 'static,
) -> Result<(Game, Side), Refusal> {
    let job = move |db: &rusqlite::Connection| {
        let mut game = Game::find(db, &id)?;
        let side = game.side_of(&token)?;
        what(db, &mut game, side)?;
        Ok((game, side))
    };
    app.store.run(job).await
}

/// Places the player's fleet.
#[utoipa::path(post, path = "/api/games/{id}/layout", tag = "games", params(("id" = String, Path)), request_body = LayoutIn,
    security(("token" = [])), responses(
    (status = 200, description = "the game", body = View),
    (status = 409, body = ErrorOut, description = "placed already, or over"),
    (status = 422, body = ErrorOut, description = "the fleet can't lie like that"),
    refused::Body, refused::Player, refused::Busy,
))]
pub(crate) async fn place(
    State(app): State<App>,
    Name(id): Name,
    Token(token): Token,
    Body(wanted): Body<LayoutIn>,
) -> Result<Json<View>, Refusal> {
    let ships = wanted.ships.iter().map(|ship| ship.parse::<Placement>());
    let ships = ships.collect::<Result<Vec<_>, _>>().map_err(|error| Refusal::Unreadable(chain(&error)))?;
    let job = move |db: &rusqlite::Connection, game: &mut Game, side| {
        let layout = Draft::Ships(ships).check(&game.rules).into_layout().map_err(Refusal::Layout)?;
        game.place(db, side, layout)
    };
    let (game, side) = change(&app, id, token, job).await?;
    answer_after_captain(&app, game, side).await
}

/// Fires at a cell.
#[utoipa::path(post, path = "/api/games/{id}/shots", tag = "games", params(("id" = String, Path)), request_body = ShotIn,
    security(("token" = [])), responses(
    (status = 200, description = "the game; with the captain's reply when it was quick", body = View),
    (status = 409, body = ErrorOut, description = "not now"),
    (status = 422, body = ErrorOut, description = "not there"),
    refused::Body, refused::Player, refused::Busy,
))]
pub(crate) async fn fire(
    State(app): State<App>,
    Name(id): Name,
    Token(token): Token,
    Body(shot): Body<ShotIn>,
) -> Result<Json<View>, Refusal> {
    let cell: Cell = shot.cell.parse().map_err(|error| Refusal::Cell(chain(&error)))?;
    let job = move |db: &rusqlite::Connection, game: &mut Game, side| game.fire(db, side, cell, shot.number);
    let (game, side) = change(&app, id, token, job).await?;
    answer_after_captain(&app, game, side).await
}

/// Waits a moment for the captain, tells those who watch, and shows the game.
async fn answer_after_captain(app: &App, game: Game, side: Side) -> Result<Json<View>, Refusal> {
    let id = game.id.clone();
    let game = if game.captain_side().is_some() { wait_for_captain(app, game).await? } else { game };
    app.hub.changed(&id);
    Ok(Json(view::of(&game, side)))
}

/// The game after the captain's reply, or without it when the captain takes longer. It goes on thinking then, and its
/// shot is told to those who watch.
async fn wait_for_captain(app: &App, game: Game) -> Result<Game, Refusal> {
    let (id, waiting) = (game.id.clone(), app.clone());
    let reply = tokio::spawn(async move { waiting.let_captain_fire(game).await });
    match tokio::time::timeout(PATIENCE, reply).await {
        Ok(Ok(Ok(game))) => return Ok(game),
        Ok(Ok(Err(refusal))) => tracing::error!(%refusal, "a captain could not fire"),
        Ok(Err(error)) => tracing::error!(%error, "a captain could not fire"),
        Err(_) => {}
    }
    app.store.run(move |db| Game::find(db, &id)).await
}

/// Gives up.
#[utoipa::path(post, path = "/api/games/{id}/resign", tag = "games", params(("id" = String, Path)), security(("token" = [])), responses(
    (status = 200, description = "the game", body = View),
    (status = 409, body = ErrorOut, description = "over already"),
    refused::Player, refused::Busy,
))]
pub(crate) async fn resign(State(app): State<App>, Name(id): Name, Token(token): Token) -> Result<Json<View>, Refusal> {
    let (game, side) = change(&app, id, token, |db, game, side| game.resign(db, side)).await?;
    app.hub.changed(&game.id);
    Ok(Json(view::of(&game, side)))
}

/// Another game of the same two, with the other one first. Both get the same game, whoever asks for it.
#[utoipa::path(post, path = "/api/games/{id}/rematch", tag = "games", params(("id" = String, Path)), security(("token" = [])), responses(
    (status = 200, description = "the game that follows; the same tokens open it", body = Rematch),
    (status = 409, body = ErrorOut, description = "not over yet"),
    (status = 422, body = ErrorOut, description = "too tight to deal from"),
    refused::Player, refused::Busy,
))]
pub(crate) async fn rematch(State(app): State<App>, Name(id): Name, Token(token): Token) -> Result<Json<Rematch>, Refusal> {
    let (last, side) = seen(&app, id, token).await?;
    if !last.is_over() {
        return Err(Refusal::NotOver);
    }
    let dealt = match last.captain_side() {
        Some(_) => {
            let rules = last.rules.clone();
            Some(app.dealing.think(move || deal(&rules)).await??)
        }
        None => None,
    };
    let id = last.id.clone();
    let next = app.store.run(move |db| follow(db, &id, dealt.as_ref())).await?;
    app.hub.changed(&last.id);
    Ok(Json(Rematch { id: next.id.clone(), view: view::of(&next, side.other()) }))
}

/// The game that follows, which may have been made meanwhile.
fn follow(db: &rusqlite::Connection, id: &str, dealt: Option<&Layout>) -> Result<Game, Refusal> {
    let mut last = Game::find(db, id)?;
    if let Some(next) = &last.next {
        return Game::find(db, next);
    }
    let again = |seat: &Seat| Seat { layout: dealt.filter(|_| seat.captain.is_some()).cloned(), ..seat.clone() };
    let [first, second] = last.seats.each_ref().map(again);
    let start = Start {
        id: secret::name(),
        replay: secret::name(),
        rules: last.rules.clone(),
        turns: last.turns,
        invite: None,
        seats: [second, first],
    };
    let next = Game::start(db, start)?;
    last.follow(db, &next.id)?;
    Ok(next)
}

/// The odds of the player's own shots: the heat map, and the best cells as a hint.
#[utoipa::path(get, path = "/api/games/{id}/odds", tag = "games", params(("id" = String, Path)), security(("token" = [])), responses(
    (status = 200, description = "exact odds, or an estimate that says so", body = analysis::OddsOut),
    (status = 409, body = ErrorOut, description = "not while playing"),
    (status = 422, body = ErrorOut, description = "out of reach"),
    refused::Player, refused::Busy,
))]
pub(crate) async fn odds(
    State(app): State<App>,
    Name(id): Name,
    Token(token): Token,
) -> Result<Json<analysis::OddsOut>, Refusal> {
    let (log, over) = own_log(&app, id, token).await?;
    if over {
        return Err(Refusal::Over);
    }
    Ok(Json(app.desk.think(move || analysis::odds_of(&log)).await??))
}

/// The player's shots beside the best ones, when the game is over.
#[utoipa::path(get, path = "/api/games/{id}/review", tag = "games", params(("id" = String, Path)), security(("token" = [])), responses(
    (status = 200, description = "each shot judged", body = ReviewOut),
    (status = 409, body = ErrorOut, description = "not over yet"),
    (status = 422, body = ErrorOut, description = "out of reach"),
    refused::Player, refused::Busy,
))]
pub(crate) async fn review(State(app): State<App>, Name(id): Name, Token(token): Token) -> Result<Json<ReviewOut>, Refusal> {
    let (log, over) = own_log(&app, id, token).await?;
    if !over {
        return Err(Refusal::NotOver);
    }
    Ok(Json(app.desk.think(move || judge(&log)).await??))
}

/// The player's own log, and whether the game is over.
async fn own_log(app: &App, id: String, token: String) -> Result<(ShotLog, bool), Refusal> {
    let (game, side) = seen(app, id, token).await?;
    let duel = game.duel().ok_or(Refusal::NotPlaced)?;
    Ok((duel.log(side).clone(), duel.outcome().is_some()))
}

/// Judges every shot of a log.
pub(crate) fn judge(log: &ShotLog) -> Result<ReviewOut, Refusal> {
    let review = Review::of(log, BUDGET, &mut secret::lots(), |_| {})?;
    Ok(ReviewOut::from(&review))
}
