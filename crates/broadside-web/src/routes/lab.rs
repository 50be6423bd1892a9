//! Campaigns: captains compared over many games, with progress as server-sent events.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::time::{Duration, Instant};

use axum::extract::State;
use axum::response::sse::{Event, Sse};
use broadside_captains::Registry;
use broadside_lab::{Campaign, CampaignConfig, CaptainResult, Layouts, Results, Tally};
use broadside_odds::Budget;
use broadside_rules::{Rules, RulesBuilder, Stop};
use futures_util::Stream;
use serde::{Deserialize, Serialize};
use tokio::sync::mpsc;
use utoipa::{IntoParams, ToSchema};

use crate::app::App;
use crate::error::{ApiError, ErrorOut, responses};
use crate::extract::Params;
use crate::fair::JobInfo;
use crate::memory::{JobBudget, MemoryAccount};
use crate::messages::{RulesIn, build, chain};
use crate::peer::ClientId;
use crate::routes::analysis::job;
use crate::routes::events::{READ_TIMEOUT, answer, event, finish};

/// Captains of a campaign.
pub(crate) const MAX_CAPTAINS: usize = 8;
/// Games of a campaign, over all its captains.
pub(crate) const MAX_GAMES: u64 = 1_000_000;
/// Time between two progress events.
const REPORT_INTERVAL: Duration = Duration::from_millis(150);

/// A campaign.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub(crate) struct CampaignQuery {
    /// The names of the captains, separated by commas.
    #[param(example = "density,random")]
    captains: String,
    /// How many games each plays.
    #[param(example = 200, minimum = 1, maximum = 1_000_000)]
    games: u64,
    /// The seed.
    #[serde(default = "one")]
    #[param(required = false, example = 1)]
    seed: u64,
    /// The preset to start from.
    #[param(example = "classic")]
    preset: Option<String>,
    /// Rows and columns.
    board: Option<String>,
    /// Lengths of the ships.
    fleet: Option<String>,
    /// How close ships may lie.
    touch: Option<String>,
    /// What is announced beyond hit or miss.
    call: Option<String>,
}

fn one() -> u64 {
    1
}

/// The results of a campaign so far.
#[derive(Serialize, ToSchema)]
pub(crate) struct Progress {
    /// Games played.
    played: u64,
    /// Games to play.
    games: u64,
    /// The results of each captain.
    captains: Vec<Line>,
}

/// The results of one captain.
#[derive(Serialize, ToSchema)]
pub(crate) struct Line {
    captain: String,
    games: u64,
    mean: f64,
    sd: f64,
    std_err: f64,
    min: Option<i64>,
    median: Option<i64>,
    max: Option<i64>,
    percentiles: BTreeMap<u32, i64>,
    /// Games by their number of shots.
    histogram: Vec<u64>,
}

impl Progress {
    fn new(campaign: &Campaign, tally: &Tally) -> Self {
        let captains = Results::new(campaign, tally).captains.into_iter().map(Line::from).collect();
        Self { played: tally.played(), games: campaign.config().games, captains }
    }
}

impl From<CaptainResult> for Line {
    fn from(result: CaptainResult) -> Self {
        let CaptainResult { captain, games, mean, sd, std_err, min, median, max, percentiles, shots, .. } = result;
        let histogram = shots.counts().map(|(_, count)| count).collect();
        Self { captain, games, mean, sd, std_err, min, median, max, percentiles: percentiles.into_iter().collect(), histogram }
    }
}

impl CampaignQuery {
    fn rules(&self) -> RulesIn {
        let Self { preset, board, fleet, touch, call, .. } = self;
        let [preset, board, fleet, touch, call] = [preset, board, fleet, touch, call].map(Clone::clone);
        RulesIn { preset, board, fleet, touch, call }
    }

    /// The campaign and how it is played; `None` if the budget is light and too small for checking the rules.
    fn campaign(
        &self,
        app: &App,
        builder: RulesBuilder,
        budget: &JobBudget,
        stop: &Stop,
    ) -> Result<Option<(Campaign, Resources)>, ApiError> {
        let captains: Vec<String> = self.captains.split(',').map(str::trim).map(str::to_owned).collect();
        if captains.len() > MAX_CAPTAINS {
            return Err(ApiError::Limit(format!("at most {MAX_CAPTAINS} captains play a campaign here")));
        }
        if self.games == 0 || self.games.saturating_mul(captains.len() as u64) > MAX_GAMES {
            return Err(ApiError::Limit(format!("a campaign here has 1 to {MAX_GAMES} games over all its captains")));
        }
        let Some(rules) = build(builder, budget, stop)? else { return Ok(None) };
        let resources = Resources::new(&app.memory, with_tables(&app.registry, &rules, &captains));
        let config = CampaignConfig { rules, games: self.games, seed: self.seed };
        let campaign = Campaign::with_registry(&app.registry, config, captains, Layouts::Uniform);
        let campaign = campaign.map_err(|error| ApiError::Captain(chain(&error)))?.with_budget(resources.tables);
        Ok(Some((campaign, resources)))
    }
}

/// How many of these captains have tables that take memory.
fn with_tables(registry: &Registry, rules: &Rules, captains: &[String]) -> usize {
    let has_tables =
        |name: &&String| registry.captain(name, rules).is_ok_and(|mut captain| captain.set_budget(Budget::default()));
    captains.iter().filter(has_tables).count()
}

/// What a campaign uses.
#[derive(Clone, Copy)]
struct Resources {
    threads: usize,
    /// Of the server's memory, in bytes.
    share: usize,
    /// For the tables of one captain on one thread, and for those of dealing.
    tables: Budget,
}

impl Resources {
    /// For a campaign in which so many captains have tables. Each thread then takes the share of a heavy job.
    fn new(memory: &MemoryAccount, with_tables: usize) -> Self {
        let (heavy, cores) = (memory.heavy(), std::thread::available_parallelism().map_or(1, usize::from));
        // One core is left for games.
        let threads = (cores - 1).max(1);
        let (threads, shares) = if with_tables == 0 { (threads, 1) } else { [threads.min(memory.heavy_jobs()); 2].into() };
        let tables = Budget { bytes: heavy.tables.bytes / (with_tables + 1), ..heavy.tables };
        Self { threads, share: heavy.share * shares, tables }
    }
}

/// Plays a campaign and reports its results so far: events `progress`, the last of them `done`; `refused` when something
/// goes wrong on the way. Closing the connection stops it.
#[utoipa::path(get, path = "/api/campaign", tag = "lab", params(CampaignQuery), responses(
    (status = 200, description = "events with the results so far as data", body = Progress, content_type = "text/event-stream"),
    (status = 400, body = ErrorOut, description = "can't be read"),
    (status = 422, body = ErrorOut, description = "the rules can't be played here, there is no such captain, or there are too many games"),
    responses::Busy,
))]
pub(crate) async fn campaign(
    State(app): State<App>,
    client: ClientId,
    Params(asked): Params<CampaignQuery>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, ApiError> {
    let (builder, games) = (asked.rules().builder()?, asked.games);
    let (info, preparing) = (job(client, &builder), app.clone());
    let prepare = move |budget: &JobBudget, stop: &Stop| asked.campaign(&preparing, builder.clone(), budget, stop);
    let prepared = app.run(info.clone(), prepare).await?;
    // Taken before the answer begins, so that too many clients are refused and not left waiting.
    let watcher = app.watchers.clone().try_acquire_owned().map_err(|_| ApiError::Busy)?;
    let (events, received) = mpsc::channel(1);
    tokio::spawn(run(app, JobInfo { cost: info.cost.saturating_mul(games), ..info }, prepared, events));
    Ok(answer(received, watcher))
}

/// Runs a campaign until its end, or until its client has left, and sends the last event.
async fn run(app: App, info: JobInfo, prepared: (Campaign, Resources), events: mpsc::Sender<Event>) {
    let (progress, memory, (campaign, resources)) = (events.clone(), app.memory.clone(), prepared);
    let job = move |stop: &Stop| {
        let _share = memory.take(resources.share, stop)?;
        play(&campaign.until(stop), resources.threads, &progress, stop, READ_TIMEOUT)
    };
    finish(events, async move { app.lab.run_once(info, job).await? }).await;
}

/// Plays in short rounds, and reports the results so far after each.
fn play(
    campaign: &Campaign,
    threads: usize,
    events: &mpsc::Sender<Event>,
    stop: &Stop,
    read_timeout: Duration,
) -> Result<Progress, ApiError> {
    let (mut read, mut tally) = (Instant::now(), campaign.start());
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().map_err(|_| ApiError::Busy)?;
    while tally.played() < campaign.config().games {
        if stop.is_stopped() || read.elapsed() > read_timeout {
            return Err(ApiError::Busy);
        }
        let round = Instant::now();
        let pause = |_| round.elapsed() > REPORT_INTERVAL || stop.is_stopped();
        pool.install(|| campaign.play(&mut tally, pause)).map_err(|error| ApiError::OutOfReach(chain(&error)))?;
        // One event may wait; more are left out until it is read.
        if events.try_send(event("progress", &Progress::new(campaign, &tally))).is_ok() {
            read = Instant::now();
        }
    }
    Ok(Progress::new(campaign, &tally))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn campaign() -> Campaign {
        let config = CampaignConfig { rules: "8x8 4,3,2 allowed ship".parse().unwrap(), games: MAX_GAMES, seed: 1 };
        Campaign::with_registry(&Registry::new(), config, vec!["random".to_owned()], Layouts::Uniform).unwrap()
    }

    #[test]
    fn a_campaign_that_nobody_reads_ends() {
        let (events, _unread) = mpsc::channel(1);
        let ended = play(&campaign(), 1, &events, &Stop::new(), Duration::from_millis(300));
        assert!(matches!(ended, Err(ApiError::Busy)));
    }

    #[test]
    fn a_campaign_that_is_asked_to_stop_gives_no_results() {
        let (events, _unread) = mpsc::channel(1);
        let stop = Stop::new();
        stop.stop();
        assert!(play(&campaign(), 1, &events, &stop, READ_TIMEOUT).is_err());
    }
}
