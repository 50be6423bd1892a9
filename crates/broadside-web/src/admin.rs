//! What whoever runs the server may ask at an address of its own: is it well, and what has it done.

use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use axum::routing::get;
use tokio::time::timeout;

use crate::app::App;

/// How long the database may take before the server counts as ill.
const DATABASE_TIMEOUT: Duration = Duration::from_secs(2);

/// The routes at the address of `--admin`.
pub(crate) fn router(app: App) -> Router {
    Router::new().route("/healthz", get(health)).route("/metrics", get(metrics)).with_state(app)
}

/// Whether the database answers.
async fn health(State(app): State<App>) -> (StatusCode, &'static str) {
    let asked = app.store.run(|db| Ok(db.query_row("SELECT count(*) FROM sqlite_schema", (), |row| row.get::<_, i64>(0))?));
    match timeout(DATABASE_TIMEOUT, asked).await {
        Ok(Ok(_)) => (StatusCode::OK, "ok\n"),
        Ok(Err(_)) | Err(_) => (StatusCode::SERVICE_UNAVAILABLE, "the database doesn't answer\n"),
    }
}

/// All counters.
async fn metrics(State(app): State<App>) -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], app.metrics.prometheus())
}
