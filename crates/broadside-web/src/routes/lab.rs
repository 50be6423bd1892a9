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
/// After so long a campaign makes room for others that wait, and goes on after them.
const TURN_TIME: Duration = Duration::from_secs(5);
/// After so long it begins a new turn in any case, well before the queue ends the one that it has.
const LONGEST_TURN: Duration = Duration::from_secs(20);
/// How long a campaign may be played, all its turns together.
const MAX_TIME: Duration = Duration::from_secs(600);

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
    #[param(required = false, example = 1, format = "uint64")]
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
    /// Cells where no ship can lie and nobody fires, or `none`.
    rocks: Option<String>,
    /// Shots a turn, and when they are answered.
    salvo: Option<String>,
    /// The chance that an answer is false.
    noise: Option<String>,
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
    /// The mean number of turns, where a turn is more than one shot.
    turns: Option<f64>,
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
        let CaptainResult { captain, games, mean, sd, std_err, turns, min, median, max, percentiles, shots, .. } = result;
        let turns = turns.map(|turns| turns.mean);
        let histogram = shots.counts().map(|(_, count)| count).collect();
        Self {
            captain,
            games,
            mean,
            sd,
            std_err,
            turns,
            min,
            median,
            max,
            percentiles: percentiles.into_iter().collect(),
            histogram,
        }
    }
}

impl CampaignQuery {
    fn rules(&self) -> RulesIn {
        let Self { preset, board, fleet, touch, call, rocks, salvo, noise, .. } = self;
        let [preset, board, fleet, touch, call, rocks, salvo, noise] =
            [preset, board, fleet, touch, call, rocks, salvo, noise].map(Clone::clone);
        RulesIn { preset, board, fleet, touch, call, rocks, salvo, noise }
    }

    /// What is to be played; `None` if the budget is light and too small for checking the rules.
    fn plan(&self, app: &App, builder: RulesBuilder, budget: &JobBudget, stop: &Stop) -> Result<Option<Plan>, ApiError> {
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
        let plan = Plan { registry: app.registry.clone(), config, captains, resources };
        plan.campaign().map(|_| Some(plan))
    }
}

/// A campaign to be played, without the tables that it takes while it is played.
#[derive(Clone)]
struct Plan {
    registry: Registry,
    config: CampaignConfig,
    captains: Vec<String>,
    resources: Resources,
}

impl Plan {
    fn campaign(&self) -> Result<Campaign, ApiError> {
        let campaign = Campaign::with_registry(&self.registry, self.config.clone(), self.captains.clone(), Layouts::Uniform);
        Ok(campaign.map_err(|error| ApiError::Captain(chain(&error)))?.with_budget(self.resources.tables))
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
    let builder = asked.rules().builder()?;
    let (info, preparing) = (job(client, &builder), app.clone());
    let prepare = move |budget: &JobBudget, stop: &Stop| asked.plan(&preparing, builder.clone(), budget, stop);
    let plan = app.run(info.clone(), prepare).await?;
    // Taken before the answer begins, so that too many clients are refused and not left waiting.
    let watcher = app.watchers.clone().try_acquire_owned().map_err(|_| ApiError::Busy)?;
    let (events, received) = mpsc::channel(1);
    let cost = info.cost.saturating_mul(plan.config.games).min(TURN_TIME.as_micros() as u64);
    let reader = Reader { events: events.clone(), read: Instant::now(), timeout: READ_TIMEOUT };
    tokio::spawn(finish(events, play_in_turns(app, JobInfo { cost, ..info }, plan, reader)));
    Ok(answer(received, watcher))
}

/// Plays a campaign to its end, in turns with the other campaigns that wait for the lab.
async fn play_in_turns(app: App, info: JobInfo, plan: Plan, mut reader: Reader) -> Result<Progress, ApiError> {
    let (mut tally, mut took) = (None, Duration::ZERO);
    while took < MAX_TIME {
        let (plan, memory, lab) = (plan.clone(), app.memory.clone(), app.lab.clone());
        let job = move |stop: &Stop| {
            let _share = memory.take(plan.resources.share, stop)?;
            let (begin, campaign) = (Instant::now(), plan.campaign()?.until(stop));
            let is_over = || begin.elapsed() > LONGEST_TURN || begin.elapsed() > TURN_TIME && lab.lengths().waiting > 0;
            let played = play(&campaign, tally, plan.resources.threads, &mut reader, stop, is_over)?;
            Ok::<_, ApiError>((played, reader, begin.elapsed()))
        };
        match app.lab.run_once(info.clone(), job).await?? {
            (Played::All(results), ..) => return Ok(results),
            (Played::Some(so_far), same, time) => (tally, reader, took) = (Some(so_far), same, took + time),
        }
    }
    Err(ApiError::TooLong(MAX_TIME.as_secs()))
}

/// Who is told of the results, and may not stop reading.
struct Reader {
    events: mpsc::Sender<Event>,
    /// When an event was taken last.
    read: Instant,
    timeout: Duration,
}

impl Reader {
    /// Sends an event, unless one is still unread.
    fn tell(&mut self, event: Event) {
        if self.events.try_send(event).is_ok() {
            self.read = Instant::now();
        }
    }

    fn has_stopped_reading(&self) -> bool {
        self.events.capacity() == 0 && self.read.elapsed() > self.timeout
    }
}

/// How far a campaign has come in its turn.
enum Played {
    All(Progress),
    /// It goes on from here in its next turn.
    Some(Tally),
}

/// Plays on from a tally in short rounds, and reports the results so far after each, until the turn is over.
fn play(
    campaign: &Campaign,
    tally: Option<Tally>,
    threads: usize,
    reader: &mut Reader,
    stop: &Stop,
    is_over: impl Fn() -> bool,
) -> Result<Played, ApiError> {
    let mut tally = tally.unwrap_or_else(|| campaign.start());
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().map_err(|_| ApiError::Busy)?;
    while tally.played() < campaign.config().games {
        if stop.is_stopped() || reader.has_stopped_reading() {
            return Err(ApiError::Busy);
        }
        let round = Instant::now();
        let pause = |_| round.elapsed() > REPORT_INTERVAL || stop.is_stopped();
        pool.install(|| campaign.play(&mut tally, pause)).map_err(|error| ApiError::OutOfReach(chain(&error)))?;
        reader.tell(event("progress", &Progress::new(campaign, &tally)));
        if is_over() {
            return Ok(Played::Some(tally));
        }
    }
    Ok(Played::All(Progress::new(campaign, &tally)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn campaign() -> Campaign {
        let config = CampaignConfig { rules: "8x8 4,3,2 allowed ship".parse().unwrap(), games: MAX_GAMES, seed: 1 };
        Campaign::with_registry(&Registry::new(), config, vec!["random".to_owned()], Layouts::Uniform).unwrap()
    }

    /// Plays a campaign for whoever reads nothing, as far as it gets.
    fn play_unread(tally: Option<Tally>, timeout: Duration, stop: &Stop, is_over: bool) -> Result<Played, ApiError> {
        let (events, _unread) = mpsc::channel(1);
        let mut reader = Reader { events, read: Instant::now(), timeout };
        play(&campaign(), tally, 1, &mut reader, stop, || is_over)
    }

    #[test]
    fn a_campaign_that_nobody_reads_ends() {
        let ended = play_unread(None, Duration::from_millis(300), &Stop::new(), false);
        assert!(matches!(ended, Err(ApiError::Busy)));
    }

    #[test]
    fn a_campaign_that_is_asked_to_stop_gives_no_results() {
        let stop = Stop::new();
        stop.stop();
        assert!(play_unread(None, READ_TIMEOUT, &stop, false).is_err());
    }

    #[test]
    fn a_campaign_makes_room_for_others_and_goes_on_where_it_was() {
        let turn = |tally| match play_unread(tally, READ_TIMEOUT, &Stop::new(), true) {
            Ok(Played::Some(tally)) => tally,
            _ => panic!("it doesn't make room"),
        };
        let first = turn(None);
        let played = first.played();
        let second = turn(Some(first));
        assert!(played > 0 && second.played() > played);
    }
}
