//! Where to hide, and how well somebody has hidden.

use axum::Json;
use axum::extract::State;
use broadside_captains::Captain;
use broadside_lab::{Effort, HiderError, HidingJudge, LayoutSearch};
use broadside_odds::PlacementWeights;
use broadside_rules::{Draft, Layout, Placement, Rules, Stop};
use rand::RngExt;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::app::App;
use crate::bots::PREFIX;
use crate::error::{ApiError, ErrorOut, responses};
use crate::extract::{JsonBody, object};
use crate::memory::JobBudget;
use crate::messages::{RulesIn, build, chain, cost};
use crate::peer::ClientId;
use crate::routes::analysis::job;
use crate::routes::weights::{self, WEIGHTS};
use crate::secret;

/// Games of a search on the classic board. Larger boards and fleets get fewer, by their cost, and no board fewer than the least.
const SEARCH_GAMES: u64 = 8000;
const CLASSIC_COST: u64 = 500;
const LEAST_GAMES: u64 = 300;
/// Games that judge a layout, of a search and by itself, for each captain.
const JUDGING_GAMES: u64 = 64;
/// Captains that may take seconds for a game: the one named last hides from them as well as can be told in time.
const SLOW: [&str; 3] = ["exact", "commodore", "optimal"];
const QUICK: &str = "density";
/// Captains that judge every layout: a strong one, a plain one, and one that shoots as many people do.
const JUDGES: [&str; 3] = ["admiral", "density", "hunt-target-parity"];

/// A request for a layout that is hard to find.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct HideIn {
    /// The rules.
    #[serde(default, deserialize_with = "object")]
    rules: RulesIn,
    /// The captain to hide from; `density` if absent, for a bot, and for captains that take seconds for a game.
    #[schema(example = "admiral")]
    against: Option<String>,
}

/// A layout that is hard to find.
#[derive(Serialize, ToSchema)]
pub(crate) struct HideOut {
    /// Each ship by its ends.
    ships: Vec<String>,
    /// What the captain that it was searched against needs for it, in games that had no part in the search.
    judged: JudgedOut,
}

/// What a captain needs for a layout.
#[derive(Serialize, ToSchema)]
#[schema(as = JudgedHidingOut)]
pub(crate) struct JudgedOut {
    /// The captain as it plays against people.
    #[schema(example = "admiral~")]
    captain: String,
    /// The mean shots.
    mean: f64,
    /// Their standard error.
    std_err: f64,
    /// The mean shots if every layout is equally likely.
    uniform: f64,
    /// The share of games on such layouts that took fewer shots.
    later_than: f64,
}

/// A layout that a captain finds late: another one every time, since whoever has seen one finds it again.
#[utoipa::path(post, path = "/api/hide", tag = "analysis", request_body = HideIn, responses(
    (status = 200, description = "the ships", body = HideOut),
    (status = 422, body = ErrorOut, description = "the rules can't be played here, there is no such captain, or no random layout can be found"),
    responses::Body, responses::Busy,
))]
pub(crate) async fn hide(
    State(app): State<App>,
    client: ClientId,
    JsonBody(asked): JsonBody<HideIn>,
) -> Result<Json<HideOut>, ApiError> {
    let builder = asked.rules.builder()?;
    let (info, games) =
        (job(client, &builder), (SEARCH_GAMES * CLASSIC_COST / cost(&builder).max(1)).clamp(LEAST_GAMES, SEARCH_GAMES));
    let rules = app.run(info.clone(), move |budget: &JobBudget, stop: &Stop| build(builder.clone(), budget, stop)).await?;
    let (registry, memory) = (app.registry.clone(), app.memory.clone());
    let work = move |stop: &Stop| {
        let _share = memory.take(memory.light().share, stop)?;
        let name = hider_from(asked.against.as_deref());
        let captain = || registry.captain_against_people(name, &rules).map_err(|error| ApiError::Captain(error.to_string()));
        let mut rng = secret::rng();
        let search = LayoutSearch::with_captain(captain()?, &rules, Effort { games }).with_seed(rng.random()).until(stop);
        let mut found = search.run().map_err(refused)?;
        let layout = found.swap_remove(rng.random_range(0..found.len().div_ceil(4))).layout;
        Ok(HideOut { ships: texts(&layout), judged: judge(captain()?, &rules, &layout, stop)? })
    };
    app.shots.run_once(info, work).await?.map(Json)
}

/// The captain to search against.
fn hider_from(asked: Option<&str>) -> &str {
    let is_slow = |name: &str| name.starts_with(PREFIX) || SLOW.contains(&name.split(['?', '~']).next().unwrap_or(name));
    asked.filter(|name| !is_slow(name)).unwrap_or(QUICK)
}

fn texts(layout: &Layout) -> Vec<String> {
    layout.ships().iter().map(ToString::to_string).collect()
}

fn refused(error: HiderError) -> ApiError {
    match error {
        HiderError::Stopped(_) => ApiError::Busy,
        error => ApiError::OutOfReach(chain(&error)),
    }
}

fn judge(captain: Box<dyn Captain>, rules: &Rules, layout: &Layout, stop: &Stop) -> Result<JudgedOut, ApiError> {
    let mut judge = HidingJudge::new(captain, rules, JUDGING_GAMES, secret::rng().random(), stop).map_err(refused)?;
    let judged = judge.judge(layout).map_err(refused)?;
    Ok(JudgedOut {
        captain: judge.name().to_owned(),
        mean: judged.mean,
        std_err: judged.std_err,
        uniform: judged.uniform,
        later_than: judged.later_than,
    })
}

/// A request to judge a layout.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct HiddenIn {
    /// The rules.
    #[serde(default, deserialize_with = "object")]
    rules: RulesIn,
    /// Each ship by its ends.
    #[schema(example = json!(["A1-A5", "C1-C4", "E1-E3", "G1-G3", "J9-J10"]))]
    ships: Vec<String>,
    /// How whoever hid the fleet usually hides: a captain that knows it judges the layout too.
    #[schema(example = "people")]
    weights: Option<String>,
}

/// How well a fleet is hidden.
#[derive(Serialize, ToSchema)]
pub(crate) struct HiddenOut {
    /// What each captain needs for it; the last one knows the weights, if any were sent.
    captains: Vec<JudgedOut>,
}

/// How many shots captains need for a layout, beside what they need if every layout is equally likely.
#[utoipa::path(post, path = "/api/hide/judge", tag = "analysis", request_body = HiddenIn, operation_id = "judge_layout", responses(
    (status = 200, description = "what each captain needs", body = HiddenOut),
    (status = 422, body = ErrorOut, description = "the rules can't be played here, the ships can't lie like that, or the weights can't be read"),
    responses::Body, responses::Busy,
))]
pub(crate) async fn hidden(
    State(app): State<App>,
    client: ClientId,
    JsonBody(asked): JsonBody<HiddenIn>,
) -> Result<Json<HiddenOut>, ApiError> {
    let builder = asked.rules.builder()?;
    let (info, limit) = (job(client, &builder), builder.fleet().len());
    let rules = app.run(info.clone(), move |budget: &JobBudget, stop: &Stop| build(builder.clone(), budget, stop)).await?;
    let layout = layout(&asked.ships, limit, &rules)?;
    let weights = weights::read(asked.weights.as_deref(), &rules, &app.registry)?;
    let (registry, memory) = (app.registry.clone(), app.memory.clone());
    let work = move |stop: &Stop| {
        let _share = memory.take(memory.light().share, stop)?;
        let known = weights.map(|weights: PlacementWeights| registry.clone().with_model(WEIGHTS, weights));
        let captains = JUDGES.iter().map(|name| (&registry, (*name).to_owned()));
        let captains = captains.chain(known.iter().map(|registry| (registry, format!("density@{WEIGHTS}"))));
        let one = |(registry, name): (&broadside_captains::Registry, String)| {
            let captain = registry.captain_against_people(&name, &rules);
            judge(captain.map_err(|error| ApiError::Captain(error.to_string()))?, &rules, &layout, stop)
        };
        Ok(HiddenOut { captains: captains.map(one).collect::<Result<_, ApiError>>()? })
    };
    app.shots.run_once(info, work).await?.map(Json)
}

/// The ships as a layout.
fn layout(ships: &[String], limit: usize, rules: &Rules) -> Result<Layout, ApiError> {
    if ships.len() > limit {
        return Err(ApiError::Limit(format!("these are {} ships, and the fleet has {limit}", ships.len())));
    }
    let ships: Result<Vec<Placement>, _> = ships.iter().map(|ship| ship.parse()).collect();
    let ships = ships.map_err(|error| ApiError::Cell(chain(&error)))?;
    Draft::Ships(ships).check(rules).into_layout().map_err(ApiError::Layout)
}
