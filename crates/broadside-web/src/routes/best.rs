//! Shots to go: what each shot costs to the end of the game, streamed while it is refined.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::State;
use axum::response::sse::{Event, Sse};
use broadside_captains::shots_to_go::{Error, Settings, ShotsToGo};
use broadside_lab::{BestTable, Hundredths, JudgedShot, ReviewSettings, ShotsReview};
use broadside_odds::PlacementWeights;
use broadside_rules::{ShotLog, Stop};
use futures_util::Stream;
use serde::Serialize;
use tokio::sync::mpsc;

use crate::app::App;
use crate::error::{ApiError, ErrorOut, responses};
use crate::extract::JsonBody;
use crate::fair::JobInfo;
use crate::memory::JobBudget;
use crate::messages::chain;
use crate::peer::ClientId;
use crate::routes::analysis::{Position, job};
use crate::routes::events::{READ_TIMEOUT, answer, event, finish};

/// How long one position is refined.
const REFINED: Duration = Duration::from_secs(8);
/// Playouts after which nothing that people could see changes any more.
const MAX_PLAYOUTS: u64 = 2_000_000;
/// Time between two events.
const REPORT_INTERVAL: Duration = Duration::from_millis(150);

/// The shots to go of the leading cells of a position: events `progress` with what is known, the last of them `done`; `refused`
/// when something goes wrong. Closing the connection stops it. The data is that of `broadside best --format json`.
#[utoipa::path(post, path = "/api/best", operation_id = "best", tag = "analysis", request_body = Position, responses(
    (status = 200, description = "events with what is known so far", body = HashMap<String, String>, content_type = "text/event-stream"),
    (status = 422, body = ErrorOut, description = "the rules or shots can't be read, or contradict each other"),
    responses::Body, responses::Busy,
))]
pub(crate) async fn best(
    State(app): State<App>,
    client: ClientId,
    JsonBody(position): JsonBody<Position>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, ApiError> {
    stream(app, client, position, refine).await
}

/// Every shot of a log beside the best one, in shots: an event `shot` for each, then `done` with the whole. Closing the connection
/// stops it.
#[utoipa::path(post, path = "/api/review", operation_id = "review_shots", tag = "analysis", request_body = Position, responses(
    (status = 200, description = "events with each shot as it is judged", body = HashMap<String, String>, content_type = "text/event-stream"),
    (status = 422, body = ErrorOut, description = "the rules or shots can't be read, or contradict each other"),
    responses::Body, responses::Busy,
))]
pub(crate) async fn review(
    State(app): State<App>,
    client: ClientId,
    JsonBody(position): JsonBody<Position>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, ApiError> {
    stream(app, client, position, judge).await
}

/// A position as it was read.
struct Asked {
    log: ShotLog,
    weights: Option<Arc<PlacementWeights>>,
}

/// Reads a position, and sends the events of work on it. The queue gives one client one place at most.
async fn stream<T: Serialize + Send + 'static>(
    app: App,
    client: ClientId,
    position: Position,
    work: fn(&Asked, &Stop, &mpsc::Sender<Event>) -> Result<T, ApiError>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, ApiError> {
    let info = job(client, &position.builder()?);
    let registry = app.registry.clone();
    let read = move |budget: &JobBudget, stop: &Stop| {
        let Some(log) = position.log(budget, stop)? else { return Ok(None) };
        Ok(Some(Asked { weights: position.weights(log.rules(), &registry)?.map(Arc::new), log }))
    };
    let asked = app.run(info.clone(), read).await?;
    let watcher = app.watchers.clone().try_acquire_owned().map_err(|_| ApiError::Busy)?;
    let (events, received) = mpsc::channel(1);
    tokio::spawn(run(app, info, asked, events, work));
    Ok(answer(received, watcher))
}

async fn run<T: Serialize + Send + 'static>(
    app: App,
    info: JobInfo,
    asked: Asked,
    events: mpsc::Sender<Event>,
    work: fn(&Asked, &Stop, &mpsc::Sender<Event>) -> Result<T, ApiError>,
) {
    let (progress, memory, metrics) = (events.clone(), app.memory.clone(), app.metrics.clone());
    let job = move |stop: &Stop| {
        let _counted = metrics.count_refinement();
        let _share = memory.take(memory.heavy().share, stop)?;
        work(&asked, stop, &progress)
    };
    finish(events, async move { app.shots.run_once(info, job).await? }).await;
}

/// Plays on until the time is over, nothing more can be said, or nobody listens.
fn refine(asked: &Asked, stop: &Stop, events: &mpsc::Sender<Event>) -> Result<BestTable, ApiError> {
    let settings = Settings { threads: 1, weights: asked.weights.clone(), ..Settings::default() };
    let mut shots = ShotsToGo::new(&asked.log, &settings, stop).map_err(refused)?;
    let (start, mut sent) = (Instant::now(), Instant::now());
    loop {
        let more = shots.refine(MAX_PLAYOUTS, stop).map_err(|_| ApiError::Busy)?;
        let known = shots.look().map(|report| BestTable::new(&report)).ok_or(ApiError::Internal)?;
        let over = start.elapsed() > REFINED || shots.playouts() >= MAX_PLAYOUTS;
        if !more || over || sent.elapsed() > READ_TIMEOUT {
            return Ok(known);
        }
        // One event may wait; more are left out until it is read.
        if sent.elapsed() > REPORT_INTERVAL && events.try_send(event("progress", &known)).is_ok() {
            sent = Instant::now();
        }
    }
}

fn refused(error: Error) -> ApiError {
    ApiError::OutOfReach(chain(&error))
}

/// A review in shots: shots taken and still to go = par + mistakes + luck.
#[derive(Serialize)]
struct ReviewedOut {
    shots: Vec<JudgedShot>,
    par: Hundredths,
    par_std_err: f64,
    mistakes: Hundredths,
    luck: Hundredths,
    shots_to_go: Hundredths,
    accuracy: f64,
}

/// Judges every shot, and tells of each as soon as it is judged.
fn judge(asked: &Asked, stop: &Stop, events: &mpsc::Sender<Event>) -> Result<ReviewedOut, ApiError> {
    if asked.weights.is_some() {
        return Err(ApiError::Weights("a review knows none, so leave them out".to_owned()));
    }
    let settings = ReviewSettings { threads: 1, ..ReviewSettings::default() };
    // One event may wait; what nobody reads is in the last one too.
    let tell = |judged: &JudgedShot| drop(events.try_send(event("shot", judged)));
    let review = ShotsReview::new(&asked.log, &settings, stop, tell).map_err(refused)?;
    Ok(ReviewedOut {
        par: review.par.shots,
        par_std_err: review.par.std_err,
        mistakes: review.mistakes(),
        luck: review.luck(),
        shots_to_go: review.shots_to_go,
        accuracy: review.accuracy(),
        shots: review.shots,
    })
}
