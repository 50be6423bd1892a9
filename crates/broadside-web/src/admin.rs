//! What whoever runs the server may ask at an address of its own: is it well, and what has it done.

use std::fs;
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use axum::routing::get;
use tokio::time::timeout;

use crate::app::App;
use crate::metrics;
use crate::peer::ClientId;
use crate::schema::FILE;
use crate::store::Db;

/// How long the database may take before the server counts as ill.
const DATABASE_TIMEOUT: Duration = Duration::from_secs(2);

/// The routes at the address of `--admin`.
pub(crate) fn router(app: App) -> Router {
    Router::new().route("/healthz", get(health)).route("/metrics", get(show_metrics)).with_state(app)
}

/// Whether the database answers.
async fn health(State(app): State<App>) -> (StatusCode, &'static str) {
    let count = |db: &Db<'_>| Ok(db.query_row("SELECT count(*) FROM sqlite_schema", (), |row| row.get::<_, i64>(0))?);
    let asked = app.store.run(ClientId::Server, count);
    match timeout(DATABASE_TIMEOUT, asked).await {
        Ok(Ok(_)) => (StatusCode::OK, "ok\n"),
        Ok(Err(_)) | Err(_) => (StatusCode::SERVICE_UNAVAILABLE, "the database doesn't answer\n"),
    }
}

/// All counters, and how things are now.
async fn show_metrics(State(app): State<App>) -> impl IntoResponse {
    let text = app.metrics.prometheus() + &gauges(&app) + &queues(&app);
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], text)
}

/// How things are now.
fn gauges(app: &App) -> String {
    let [work, taken, peak] = app.memory.for_work();
    let size = |name: &str| fs::metadata(app.config.data.join(name)).map_or(0, |file| file.len());
    let watchers = (app.connections as usize).saturating_sub(app.watchers.available_permits());
    let values = [
        ("memory_limit_bytes", "The memory that the server may take.", app.memory.limit() as u64),
        ("memory_work_bytes", "The part of it that is for work.", work as u64),
        ("memory_taken_bytes", "What work has taken of that.", taken as u64),
        ("memory_taken_peak_bytes", "The most that work has ever taken at once.", peak as u64),
        ("memory_resident_bytes", "The memory of the process as the system counts it; 0 where it doesn't tell.", resident()),
        ("database_bytes", "The size of the database.", size(FILE)),
        ("database_log_bytes", "The size of the log beside it, from which it is written.", size(&format!("{FILE}-wal"))),
        ("watchers", "WebSockets and campaigns that are watched.", watchers as u64),
    ];
    values.iter().map(|(name, help, value)| metrics::gauge(name, help) + &metrics::value(name, value)).collect()
}

/// How many jobs wait and run in each queue.
fn queues(app: &App) -> String {
    let lengths = app.queues().map(|(name, lengths)| (name, lengths.waiting, lengths.running));
    let line = |metric: &str, (name, count)| metrics::value(&format!("{metric}{{queue=\"{name}\"}}"), count);
    let waiting = lengths.map(|(name, waiting, _)| (name, waiting)).into_iter().chain([("database", app.store.waiting())]);
    let running = lengths.map(|(name, _, running)| (name, running));
    metrics::gauge("jobs_waiting", "Jobs that wait, by queue.")
        + &waiting.map(|job| line("jobs_waiting", job)).collect::<String>()
        + &metrics::gauge("jobs_running", "Jobs that run now, by queue.")
        + &running.map(|job| line("jobs_running", job)).concat()
}

/// The memory of this process in bytes (proc(5)); 0 where the system doesn't tell.
fn resident() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")?.trim().strip_suffix("kB")?.trim().parse().ok());
    line.map_or(0, |kilobytes: u64| kilobytes << 10)
}
