//! Games: making them, joining, placing, firing, resigning.

use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use broadside_captains::Registry;
use broadside_lab::Review;
use broadside_odds::{Dealer, Engine, OddsError, OutOfReach};
use broadside_rules::{Cell, Draft, Layout, Placement, RejectionSampler, Rules, RulesBuilder, ShotLog, Side, Stop};
use rand::RngExt;

use crate::app::App;
use crate::bots::{self, PREFIX};
use crate::error::{ApiError, ErrorOut, responses};
use crate::extract::{BearerToken, JsonBody, JsonText, PathId};
use crate::fair::JobInfo;
use crate::game::{Game, GameSetup, Seat};
use crate::memory::JobBudget;
use crate::messages::{
    First, Join, Joined, LayoutIn, MAX_SHIPS, Made, NewGame, Rematch, ReviewOut, ShotIn, View, build, chain, player_name,
};
use crate::peer::ClientId;
use crate::routes::analysis;
use crate::secret::{self, SecretHash};
use crate::store::Db;
use crate::view;

/// How long an answer waits for the captain's reply before it is sent without it.
const CAPTAIN_TIMEOUT: Duration = Duration::from_secs(2);
/// Random attempts to deal a fleet before tables are made for it: some milliseconds.
const LIGHT_ATTEMPTS: u32 = 20_000;
/// How long a token of a client's own making may be.
const OWN_TOKEN: std::ops::RangeInclusive<usize> = 32..=128;

/// Makes a game against a captain or another person.
#[utoipa::path(post, path = "/api/games", tag = "games", request_body = NewGame, responses(
    (status = 201, description = "the game, and the player's token", body = Made),
    (status = 422, body = ErrorOut, description = "the rules can't be played here, there is no such captain, or the bot can't play"),
    responses::Body, responses::Busy,
))]
pub(crate) async fn make(
    State(app): State<App>,
    client: ClientId,
    JsonBody(wanted): JsonBody<NewGame>,
) -> Result<(StatusCode, Json<Made>), ApiError> {
    app.limits.new_game(client)?;
    let (builder, captain) = (wanted.rules.builder()?, wanted.captain.clone());
    let (info, registry) = (analysis::job(client, &builder), app.registry.clone());
    let prepare = move |budget: &JobBudget, stop: &Stop| prepare(&registry, builder.clone(), captain.as_deref(), budget, stop);
    let (rules, dealt) = app.run(info, prepare).await?;
    let dealt = match wanted.captain.as_deref() {
        Some(captain) if dealt.is_none() => Some(bots_layout(&app, client, captain, &rules).await?),
        _ => dealt,
    };
    let (token, invite) = (secret::random_token(), wanted.captain.is_none().then(secret::random_id));
    let me = person(player_name(wanted.name.as_deref(), "Player 1"), Some(SecretHash::new(&token)));
    let them = match wanted.captain {
        Some(captain) => {
            let name = captain.strip_prefix(PREFIX).unwrap_or(&captain).to_owned();
            Seat { name, captain: Some(captain), token: None, layout: dealt }
        }
        None => person("Player 2".to_owned(), None),
    };
    let (side, seats) = seated(wanted.first, me, them);
    let setup = GameSetup {
        id: app.new_id(),
        replay: app.new_id(),
        rules,
        turns: wanted.turns.into(),
        invite: invite.as_deref().map(SecretHash::new),
        hints: wanted.hints,
        seats,
    };
    let game = app.store.run(client, move |db| Game::create(db, setup)).await?;
    let view = view::for_side(&game, side);
    Ok((StatusCode::CREATED, Json(Made { id: game.id, token, invite, view })))
}

/// Checks the rules, and deals the captain's fleet; `None` if the budget is light and too small for that.
fn prepare(
    registry: &Registry,
    builder: RulesBuilder,
    name: Option<&str>,
    budget: &JobBudget,
    stop: &Stop,
) -> Result<Option<(Rules, Option<Layout>)>, ApiError> {
    let Some(rules) = build(builder, budget, stop)? else { return Ok(None) };
    // A bot places its own fleet.
    let Some(name) = name.filter(|name| !name.starts_with(PREFIX)) else { return Ok(Some((rules, None))) };
    registry.captain(name, &rules).map_err(|error| ApiError::Captain(error.to_string()))?;
    Ok(deal(&rules, budget, stop)?.map(|layout| (rules, Some(layout))))
}

/// Where a bot places its ships.
async fn bots_layout(app: &App, client: ClientId, captain: &str, rules: &Rules) -> Result<Layout, ApiError> {
    let bot = bots::find(&app.config.bots, captain).unwrap_or_else(|| Err(format!("‘{captain}’ is no bot"))).cloned();
    let info = JobInfo { client, game: None, cost: 1 };
    let rules = rules.clone();
    app.ask_bot(bot, info, move |player| player.place(&rules)).await
}

/// A random layout; `None` if the budget is light and the board so tight that this takes tables.
pub(crate) fn deal(rules: &Rules, budget: &JobBudget, stop: &Stop) -> Result<Option<Layout>, ApiError> {
    let refused = |error: &dyn std::error::Error| ApiError::OutOfReach(chain(error));
    if budget.is_light {
        stop.check().map_err(|stopped| refused(&stopped))?;
        return Ok(RejectionSampler::new(rules).uniform(LIGHT_ATTEMPTS, &mut secret::rng()));
    }
    let mut dealer = Dealer::new(rules).with_budget(budget.tables).until(stop);
    dealer.uniform(&mut secret::rng()).map(Some).map_err(|error| refused(&error))
}

fn person(name: String, token: Option<SecretHash>) -> Seat {
    Seat { name, captain: None, token, layout: None }
}

fn seated(first: First, me: Seat, them: Seat) -> (Side, [Seat; 2]) {
    let begin = match first {
        First::Me => true,
        First::Them => false,
        First::Random => secret::rng().random(),
    };
    if begin { (Side::First, [me, them]) } else { (Side::Second, [them, me]) }
}

/// Joins a game as its second player.
#[utoipa::path(post, path = "/api/games/{id}/join", tag = "games", params(("id" = String, Path)), request_body = Join, responses(
    (status = 200, description = "the game, and the player's token", body = Joined),
    (status = 404, body = ErrorOut, description = "no such game or invitation"),
    (status = 409, body = ErrorOut, description = "the seat is taken"),
    responses::Body, responses::Busy,
))]
pub(crate) async fn join(
    State(app): State<App>,
    client: ClientId,
    PathId(id): PathId,
    JsonBody(join): JsonBody<Join>,
) -> Result<Json<Joined>, ApiError> {
    let token = match join.token {
        Some(token) if OWN_TOKEN.contains(&token.len()) => token,
        Some(_) => return Err(ApiError::Unreadable("a token of one's own has 32 to 128 characters".to_owned())),
        None => secret::random_token(),
    };
    let (invite, token_hash) = (SecretHash::new(&join.invite), SecretHash::new(&token));
    let (game, side) = app
        .store
        .run(client, move |db| {
            let mut game = Game::find(db, &id)?;
            let side = game.join(db, invite, player_name(join.name.as_deref(), "Player 2"), token_hash)?;
            Ok((Arc::new(game), side))
        })
        .await?;
    app.hub.publish(&game);
    Ok(Json(Joined { token, view: view::for_side(&game, side) }))
}

/// The game as the player may see it.
#[utoipa::path(get, path = "/api/games/{id}", tag = "games", params(("id" = String, Path)), security(("token" = [])), responses(
    (status = 200, description = "the game", body = View),
    responses::Player, responses::Busy,
))]
pub(crate) async fn show(
    State(app): State<App>,
    client: ClientId,
    PathId(id): PathId,
    BearerToken(token): BearerToken,
) -> Result<Json<View>, ApiError> {
    let (game, side) = find_game(&app, client, id, token).await?;
    // A captain whose turn it was when the server was stopped goes on now.
    app.resume_captain(&game, client);
    Ok(Json(view::for_side(&game, side)))
}

/// A game, and the side of the player with this token.
pub(crate) async fn find_game(app: &App, client: ClientId, id: String, token: String) -> Result<(Arc<Game>, Side), ApiError> {
    change(app, client, id, token, |_, _, _| Ok(())).await
}

/// Reads a game, changes it for the player with this token, and gives the changed game.
async fn change(
    app: &App,
    client: ClientId,
    id: String,
    token: String,
    what: impl FnOnce(&Db<'_>, &mut Game, Side) -> Result<(), ApiError> + Send + 'static,
) -> Result<(Arc<Game>, Side), ApiError> {
    let job = move |db: &Db<'_>| {
        let mut game = Game::find(db, &id)?;
        let side = game.side_with_token(&token)?;
        what(db, &mut game, side)?;
        Ok((Arc::new(game), side))
    };
    app.store.run(client, job).await
}

/// Places the player's fleet.
#[utoipa::path(post, path = "/api/games/{id}/layout", tag = "games", params(("id" = String, Path)), request_body = LayoutIn,
    security(("token" = [])), responses(
    (status = 200, description = "the game", body = View),
    (status = 409, body = ErrorOut, description = "placed already, or over"),
    (status = 422, body = ErrorOut, description = "the fleet can't be placed like that"),
    responses::Body, responses::Player, responses::Busy,
))]
pub(crate) async fn place(
    State(app): State<App>,
    client: ClientId,
    PathId(id): PathId,
    BearerToken(token): BearerToken,
    JsonBody(wanted): JsonBody<LayoutIn>,
) -> Result<Json<View>, ApiError> {
    if wanted.ships.len() > MAX_SHIPS {
        return Err(ApiError::Limit(format!("a fleet here has at most {MAX_SHIPS} ships")));
    }
    let ships = wanted.ships.iter().map(|ship| ship.parse::<Placement>());
    let ships = ships.collect::<Result<Vec<_>, _>>().map_err(|error| ApiError::Unreadable(chain(&error)))?;
    // The rules are read first, so that the fleet is checked here and not on the thread of the database.
    let (game, _) = find_game(&app, client, id.clone(), token.clone()).await?;
    let layout = Draft::Ships(ships).check(&game.rules).into_layout().map_err(ApiError::Layout)?;
    let (game, side) = change(&app, client, id, token, move |db, game, side| game.place(db, side, layout)).await?;
    answer_after_captain(&app, game, side, client).await
}

/// Fires at a cell.
#[utoipa::path(post, path = "/api/games/{id}/shots", tag = "games", params(("id" = String, Path)), request_body = ShotIn,
    security(("token" = [])), responses(
    (status = 200, description = "the game; with the captain's reply when it was quick", body = View),
    (status = 409, body = ErrorOut, description = "not this player's turn, the game is over, or a fleet is not placed yet"),
    (status = 422, body = ErrorOut, description = "the cell is off the board, or was fired at"),
    responses::Body, responses::Player, responses::Busy,
))]
pub(crate) async fn fire(
    State(app): State<App>,
    client: ClientId,
    PathId(id): PathId,
    BearerToken(token): BearerToken,
    JsonBody(shot): JsonBody<ShotIn>,
) -> Result<Json<View>, ApiError> {
    let cell: Cell = shot.cell.parse().map_err(|error| ApiError::Cell(chain(&error)))?;
    let job = move |db: &Db<'_>, game: &mut Game, side| game.fire(db, side, cell, shot.number);
    let (game, side) = change(&app, client, id, token, job).await?;
    answer_after_captain(&app, game, side, client).await
}

/// Waits a moment for the captain's reply, passes the game to its watchers, and shows it.
async fn answer_after_captain(app: &App, game: Arc<Game>, side: Side, client: ClientId) -> Result<Json<View>, ApiError> {
    let game = if game.captain_to_fire().is_some() { wait_for_captain(app, game, client).await } else { game };
    app.hub.publish(&game);
    Ok(Json(view::for_side(&game, side)))
}

/// The game after the captain's reply, or without it when the captain takes longer. The captain goes on then, and its shot
/// is sent to the watchers.
async fn wait_for_captain(app: &App, game: Arc<Game>, client: ClientId) -> Arc<Game> {
    let (waiting, before) = (app.clone(), game.clone());
    let reply = tokio::spawn(async move { waiting.let_captain_fire(before, client).await });
    match tokio::time::timeout(CAPTAIN_TIMEOUT, reply).await {
        Ok(Ok(Ok(game))) => return game,
        Ok(Ok(Err(error))) => tracing::error!(%error, "a captain could not fire"),
        Ok(Err(error)) => tracing::error!(%error, "a captain could not fire"),
        Err(_) => {}
    }
    game
}

/// Resigns.
#[utoipa::path(post, path = "/api/games/{id}/resign", tag = "games", params(("id" = String, Path)), security(("token" = [])), responses(
    (status = 200, description = "the game", body = View),
    (status = 409, body = ErrorOut, description = "over already"),
    responses::Player, responses::Busy,
))]
pub(crate) async fn resign(
    State(app): State<App>,
    client: ClientId,
    PathId(id): PathId,
    BearerToken(token): BearerToken,
) -> Result<Json<View>, ApiError> {
    let (game, side) = change(&app, client, id, token, |db, game, side| game.resign(db, side)).await?;
    app.hub.publish(&game);
    Ok(Json(view::for_side(&game, side)))
}

/// Another game of the same two players, with the other one first. Both get the same game.
#[utoipa::path(post, path = "/api/games/{id}/rematch", tag = "games", params(("id" = String, Path)), security(("token" = [])), responses(
    (status = 200, description = "the rematch, with the same tokens", body = Rematch),
    (status = 409, body = ErrorOut, description = "not over yet"),
    (status = 422, body = ErrorOut, description = "no random layout can be found"),
    responses::Player, responses::Busy,
))]
pub(crate) async fn rematch(
    State(app): State<App>,
    client: ClientId,
    PathId(id): PathId,
    BearerToken(token): BearerToken,
) -> Result<Json<Rematch>, ApiError> {
    let (last, side) = find_game(&app, client, id, token).await?;
    if !last.is_over() {
        return Err(ApiError::NotOver);
    }
    if !last.seats.iter().all(Seat::is_taken) {
        return Err(ApiError::NotJoined);
    }
    if last.next.is_none() {
        app.limits.new_game(client)?;
    }
    let dealt = match last.captain_side() {
        Some(side) if last.seat(side).captain.as_deref().is_some_and(|name| name.starts_with(PREFIX)) => {
            let bot = last.seat(side).captain.as_deref().unwrap_or_default();
            Some(bots_layout(&app, client, bot, &last.rules).await?)
        }
        Some(_) => {
            let rules = last.rules.clone();
            let work = move |budget: &JobBudget, stop: &Stop| deal(&rules, budget, stop);
            Some(app.run(last.job(client), work).await?)
        }
        None => None,
    };
    let (id, ids) = (last.id.clone(), [(); 2].map(|()| app.new_id()));
    let (last, next) = app.store.run(client, move |db| create_rematch(db, &id, ids, dealt.as_ref())).await?;
    app.hub.publish(&Arc::new(last));
    Ok(Json(Rematch { id: next.id.clone(), view: view::for_side(&next, side.other()) }))
}

/// A game and its rematch, which the other player may have made meanwhile. Otherwise it gets these ids.
fn create_rematch(db: &Db<'_>, id: &str, ids: [String; 2], dealt: Option<&Layout>) -> Result<(Game, Game), ApiError> {
    let mut last = Game::find(db, id)?;
    if let Some(next) = &last.next {
        let next = Game::find(db, next)?;
        return Ok((last, next));
    }
    let again = |seat: &Seat| Seat { layout: dealt.filter(|_| seat.captain.is_some()).cloned(), ..seat.clone() };
    let [first, second] = last.seats.each_ref().map(again);
    let [id, replay] = ids;
    let setup = GameSetup {
        id,
        replay,
        rules: last.rules.clone(),
        turns: last.turns,
        invite: None,
        hints: last.hints,
        seats: [second, first],
    };
    let next = Game::create(db, setup)?;
    last.set_next(db, &next.id)?;
    Ok((last, next))
}

/// The odds of the player's own shots: the heat map, and the best cells as a hint.
#[utoipa::path(get, path = "/api/games/{id}/odds", tag = "games", params(("id" = String, Path)), security(("token" = [])), responses(
    (status = 200, description = "exact odds, or an estimate that says so", body = analysis::OddsOut),
    (status = 409, body = ErrorOut, description = "the game is over, a fleet is not placed yet, or the players have agreed on no hints"),
    (status = 422, body = ErrorOut, description = "it would take more memory or time than the server allows"),
    responses::Player, responses::Busy,
))]
pub(crate) async fn odds(
    State(app): State<App>,
    client: ClientId,
    PathId(id): PathId,
    BearerToken(token): BearerToken,
) -> Result<JsonText, ApiError> {
    let (game, side) = find_game(&app, client, id, token).await?;
    let log = own_log(&game, side)?;
    if game.is_over() {
        return Err(ApiError::Over);
    }
    if !game.hints {
        return Err(ApiError::NoHints);
    }
    let work = move |budget: &JobBudget, stop: &Stop| analysis::odds_for_log(&log, budget, stop);
    app.run(game.job(client), work).await
}

/// The player's shots, each compared with the best one, when the game is over.
#[utoipa::path(get, path = "/api/games/{id}/review", tag = "games", params(("id" = String, Path)), security(("token" = [])), responses(
    (status = 200, description = "the review", body = ReviewOut),
    (status = 409, body = ErrorOut, description = "not over yet"),
    (status = 422, body = ErrorOut, description = "it would take more memory or time than the server allows"),
    responses::Player, responses::Busy,
))]
pub(crate) async fn review(
    State(app): State<App>,
    client: ClientId,
    PathId(id): PathId,
    BearerToken(token): BearerToken,
) -> Result<JsonText, ApiError> {
    let (game, side) = find_game(&app, client, id, token).await?;
    let log = view::told_log(game.duel().ok_or(ApiError::NotPlaced)?, side).ok_or(ApiError::NotOver)?;
    run_review(&app, &game, log, client).await
}

/// The player's own shots.
fn own_log(game: &Game, side: Side) -> Result<ShotLog, ApiError> {
    Ok(game.duel().ok_or(ApiError::NotPlaced)?.log(side).clone())
}

/// Compares every shot of a log of this game with the best one.
pub(crate) async fn run_review(app: &App, game: &Game, log: ShotLog, client: ClientId) -> Result<JsonText, ApiError> {
    let info = game.job(client);
    // It takes odds for every shot.
    let shots = game.duel().map_or(1, |duel| duel.shots().count().max(1));
    let info = JobInfo { cost: info.cost * shots as u64, ..info };
    app.run(info, move |budget: &JobBudget, stop: &Stop| review_log(&log, budget, stop)).await
}

/// The review of a log; `None` if the budget is light and too small for exact odds of every shot.
fn review_log(log: &ShotLog, budget: &JobBudget, stop: &Stop) -> Result<Option<JsonText>, ApiError> {
    let limits = budget.tables.until(stop);
    let first = || Engine::Transfer.count(&ShotLog::new(log.rules()), limits.clone());
    if budget.is_light && first() == Err(OutOfReach::Memory) {
        return Ok(None);
    }
    let review = match Review::new(log, limits, &mut secret::rng(), |_| {}) {
        Err(OddsError::OutOfReach { source: OutOfReach::Memory, .. }) if budget.is_light => return Ok(None),
        review => review?,
    };
    let is_enough = !budget.is_light || review.shots.iter().all(|shot| shot.exact);
    Ok(is_enough.then(|| JsonText::new(&ReviewOut::new(&review, log))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::{MemoryAccount, MemoryPlan};

    #[test]
    fn a_review_that_is_asked_to_stop_gives_up() {
        let log = ShotLog::parse(&"20x20 5,5,5,5 never ship".parse().unwrap(), "A1- A2- A3-").unwrap();
        let stop = Stop::new();
        stop.stop();
        let account = MemoryAccount::new(MemoryPlan::new(1 << 30, 4096));
        for budget in [account.light(), account.heavy()] {
            assert!(review_log(&log, &budget, &stop).is_err());
            assert!(analysis::odds_for_log(&log, &budget, &stop).is_err());
            assert!(deal(log.rules(), &budget, &stop).is_err());
        }
    }
}
