//! What whoever runs the server may ask at an address of its own: is it well, and what has it done.

use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use axum::routing::get;
use tokio::time::timeout;

use crate::app::App;
use crate::metrics;

/// How long the database may take before the server counts as ill.
const DATABASE_TIMEOUT: Duration = Duration::from_secs(2);

/// The routes at the address of `--admin`.
pub(crate) fn router(app: App) -> Router {
    Router::new().route("/healthz", get(health)).route("/metrics", get(show_metrics)).with_state(app)
}

/// Whether the database answers.
async fn health(State(app): State<App>) -> (StatusCode, &'static str) {
    let asked = app.store.run(|db| Ok(db.query_row("SELECT count(*) FROM sqlite_schema", (), |row| row.get::<_, i64>(0))?));
    match timeout(DATABASE_TIMEOUT, asked).await {
        Ok(Ok(_)) => (StatusCode::OK, "ok\n"),
        Ok(Err(_)) | Err(_) => (StatusCode::SERVICE_UNAVAILABLE, "the database doesn't answer\n"),
    }
}

/// All counters, and how things are now.
async fn show_metrics(State(app): State<App>) -> impl IntoResponse {
    let text = app.metrics.prometheus() + &gauges(&app);
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], text)
}

/// How things are now.
fn gauges(app: &App) -> String {
    let [work, taken, peak] = app.memory.for_work();
    let values = [
        ("memory_limit_bytes", "The memory that the server may take.", app.memory.limit()),
        ("memory_work_bytes", "The part of it that is for work.", work),
        ("memory_taken_bytes", "What work has taken of that.", taken),
        ("memory_taken_peak_bytes", "The most that work has ever taken at once.", peak),
    ];
    values.iter().map(|(name, help, value)| metrics::gauge(name, help) + &metrics::value(name, value)).collect()
}
