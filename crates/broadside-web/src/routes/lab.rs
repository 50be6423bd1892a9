//! Campaigns that can be watched.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use axum::extract::State;
use axum::response::sse::{Event, KeepAlive, Sse};
use broadside_lab::{Campaign, CaptainResult, Contest, Layouts, Results, Standing};
use futures_util::{Stream, stream};
use serde::{Deserialize, Serialize};
use tokio::sync::mpsc;
use utoipa::{IntoParams, ToSchema};

use crate::app::App;
use crate::extract::Asked;
use crate::refusal::{ErrorOut, Refusal, refused};
use crate::wire::{RulesIn, chain};

/// Captains of a campaign.
pub(crate) const MAX_CAPTAINS: usize = 8;
/// Games of a campaign, over all its captains.
pub(crate) const MAX_GAMES: u64 = 1_000_000;
/// How long a campaign may take, whatever its captains.
const LONGEST: Duration = Duration::from_secs(600);
/// Time between two pictures of a campaign.
const PICTURE: Duration = Duration::from_millis(150);

/// A campaign.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub(crate) struct CampaignOf {
    /// Who plays, by name, with commas between.
    #[param(example = "density,random")]
    captains: String,
    /// How many games each plays.
    #[param(example = 200, minimum = 1, maximum = 1_000_000)]
    games: u64,
    /// The seed.
    #[serde(default = "one")]
    #[param(required = false, example = 1)]
    seed: u64,
    /// Where to start from.
    #[param(example = "classic")]
    preset: Option<String>,
    /// Rows and columns.
    board: Option<String>,
    /// Lengths of the ships.
    fleet: Option<String>,
    /// How close ships may lie.
    touch: Option<String>,
    /// What is called.
    call: Option<String>,
}

fn one() -> u64 {
    1
}

/// How a campaign stands.
#[derive(Serialize, ToSchema)]
pub(crate) struct Progress {
    /// Games played.
    played: u64,
    /// Games to play.
    games: u64,
    /// What each captain did.
    captains: Vec<Line>,
}

/// What a captain did.
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
    fn of(contest: &Contest, standing: &Standing) -> Self {
        let captains = Results::of(contest, standing).captains.into_iter().map(Line::from).collect();
        Self { played: standing.played(), games: contest.campaign().games, captains }
    }
}

impl From<CaptainResult> for Line {
    fn from(result: CaptainResult) -> Self {
        let CaptainResult { captain, games, mean, sd, std_err, min, median, max, percentiles, shots, .. } = result;
        let histogram = shots.counts().map(|(_, count)| count).collect();
        Self { captain, games, mean, sd, std_err, min, median, max, percentiles: percentiles.into_iter().collect(), histogram }
    }
}

impl CampaignOf {
    fn contest(self) -> Result<Contest, Refusal> {
        let captains: Vec<String> = self.captains.split(',').map(str::trim).map(str::to_owned).collect();
        if captains.len() > MAX_CAPTAINS {
            return Err(Refusal::Limit(format!("at most {MAX_CAPTAINS} captains play a campaign here")));
        }
        if self.games == 0 || self.games.saturating_mul(captains.len() as u64) > MAX_GAMES {
            return Err(Refusal::Limit(format!("a campaign here has 1 to {MAX_GAMES} games over all its captains")));
        }
        let Self { preset, board, fleet, touch, call, games, seed, .. } = self;
        let rules = RulesIn { preset, board, fleet, touch, call }.rules()?;
        let campaign = Campaign { rules, games, seed };
        Contest::new(campaign, captains, Layouts::Uniform).map_err(|error| Refusal::Captain(chain(&error)))
    }
}

/// Plays a campaign and tells how it stands: events `progress`, the last of them `done`; `refused` when something goes
/// wrong on the way. Closing the connection stops it.
#[utoipa::path(get, path = "/api/campaign", tag = "lab", params(CampaignOf), responses(
    (status = 200, description = "events with the standing as data", body = Progress, content_type = "text/event-stream"),
    (status = 400, body = ErrorOut, description = "can't be read"),
    (status = 422, body = ErrorOut, description = "no such rules or captains, or too many games"),
    refused::Busy,
))]
pub(crate) async fn campaign(
    State(app): State<App>,
    Asked(asked): Asked<CampaignOf>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Refusal> {
    let contest = app.desk.think(move || asked.contest()).await??;
    // Taken before the answer begins, so that too many are refused and not left waiting.
    let watcher = app.watchers.clone().try_acquire_owned().map_err(|_| Refusal::Busy)?;
    let (events, received) = mpsc::channel(1);
    let gone = Arc::new(AtomicBool::new(false));
    let guard = StopWhenDropped(gone.clone());
    tokio::spawn({
        let app = app.clone();
        async move {
            let failed = events.clone();
            let closing = app.closing.clone();
            let done =
                app.lab.think(move || play(&contest, &events, &|| gone.load(Ordering::Relaxed) || *closing.borrow())).await;
            if let Err(refusal) | Ok(Err(refusal)) = done {
                _ = failed.send(event("refused", &refusal.out())).await;
            }
        }
    });
    let stream = stream::unfold((received, guard, watcher), |(mut received, guard, watcher)| async move {
        let event = received.recv().await?;
        Some((Ok(event), (received, guard, watcher)))
    });
    Ok(Sse::new(stream).keep_alive(KeepAlive::default()))
}

/// Tells a campaign to stop when whoever watches it has left.
struct StopWhenDropped(Arc<AtomicBool>);

impl Drop for StopWhenDropped {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Plays on in short sittings, and shows how it stands after each.
fn play(contest: &Contest, events: &mpsc::Sender<Event>, stopped: &(dyn Fn() -> bool + Sync)) -> Result<(), Refusal> {
    let (start, mut standing) = (Instant::now(), contest.start());
    // One core is left to those who play.
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let pool = rayon::ThreadPoolBuilder::new().num_threads((cores - 1).max(1)).build().map_err(|_| Refusal::Busy)?;
    while standing.played() < contest.campaign().games && !stopped() {
        if start.elapsed() > LONGEST {
            return Err(Refusal::Limit(format!("a campaign here may take {} seconds", LONGEST.as_secs())));
        }
        let sitting = Instant::now();
        let pause = |_| sitting.elapsed() > PICTURE || stopped();
        pool.install(|| contest.play(&mut standing, pause)).map_err(|error| Refusal::OutOfReach(chain(&error)))?;
        // One picture may wait; those that come while nobody looks are left out.
        _ = events.try_send(event("progress", &Progress::of(contest, &standing)));
    }
    _ = events.blocking_send(event("done", &Progress::of(contest, &standing)));
    Ok(())
}

fn event(name: &str, data: &impl Serialize) -> Event {
    let data = serde_json::to_string(data).expect("plain data");
    Event::default().event(name).data(data)
}
