//! All routes, their middleware, and their `OpenAPI` description.

use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use tower_http::catch_panic::CatchPanicLayer;
use utoipa::openapi::OpenApi;
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::error::{ApiError, RefusalKind};
use crate::guard::guard;
use crate::routes::page::Asset;
use crate::routes::{analysis, best, games, hiding, history, lab, live, page, puzzles, replays, tournament, watch};

/// The largest body that is read: ten times the longest log of the largest board.
const MAX_BODY: usize = 64 << 10;
/// How long an answer may take. The work behind it has bounds of its own.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(60);

/// Scripts and styles come from this server alone, and nobody may frame the page.
const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; \
    manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const HEADERS: [(HeaderName, &str); 5] = [
    (header::CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// All that the server answers.
pub(crate) fn router(app: App) -> Router {
    let (api, description) = api_routes().split_for_parts();
    let description = Asset::json(&complete(description));
    let api = api
        .route("/api/openapi.json", get(async move |headers: HeaderMap| description.response(&headers)))
        .layer(from_fn(with_timeout));
    // These last as long as the client stays, so they have no timeout.
    let (streaming, _) = streaming_routes().split_for_parts();
    api.merge(streaming)
        .route("/", get(page::index))
        .route("/sw.js", get(page::worker))
        .route("/tournament", get(tournament::page))
        .route("/assets/{*path}", get(page::asset))
        .fallback(|| async { ApiError::NotFound("page") })
        .method_not_allowed_fallback(|| async { ApiError::Method })
        .layer(DefaultBodyLimit::max(MAX_BODY))
        .layer(CatchPanicLayer::custom(|_: Box<dyn std::any::Any + Send>| ApiError::Internal.into_response()))
        .layer(from_fn_with_state(app.clone(), guard))
        .layer(from_fn_with_state(app.clone(), with_headers_and_log))
        .with_state(app)
}

fn api_routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(games::make))
        .routes(routes!(games::show))
        .routes(routes!(games::join))
        .routes(routes!(games::place))
        .routes(routes!(games::fire))
        .routes(routes!(games::resign))
        .routes(routes!(games::rematch))
        .routes(routes!(games::odds))
        .routes(routes!(games::review))
        .routes(routes!(watch::show))
        .routes(routes!(watch::invitation))
        .routes(routes!(history::make))
        .routes(routes!(history::show, history::add))
        .routes(routes!(replays::show))
        .routes(routes!(replays::review))
        .routes(routes!(analysis::captains))
        .routes(routes!(analysis::presets))
        .routes(routes!(analysis::rules))
        .routes(routes!(analysis::deal))
        .routes(routes!(analysis::position_odds))
        .routes(routes!(analysis::picture))
        .routes(routes!(hiding::hide))
        .routes(routes!(hiding::hidden))
        .routes(routes!(puzzles::make))
        .routes(routes!(puzzles::hint))
}

fn streaming_routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(live::live))
        .routes(routes!(lab::campaign))
        .routes(routes!(best::best))
        .routes(routes!(best::review))
}

/// The description of everything under `/api`, as `OpenAPI` has it.
///
/// ```
/// let description = broadside_web::description();
/// let shots = &description.paths.paths["/api/games/{id}/shots"];
/// assert!(shots.post.is_some(), "shots are fired by POST");
/// ```
pub fn description() -> OpenApi {
    complete(api_routes().split_for_parts().1)
}

fn complete(mut api: OpenApi) -> OpenApi {
    #[cfg(test)]
    tests::MADE.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    api.merge(streaming_routes().split_for_parts().1);
    "Broadside".clone_into(&mut api.info.title);
    env!("CARGO_PKG_VERSION").clone_into(&mut api.info.version);
    api.info.description = Some("Battleship: games, exact odds, campaigns.".to_owned());
    let token = SecurityScheme::Http(HttpBuilder::new().scheme(HttpAuthScheme::Bearer).build());
    api.components.get_or_insert_default().add_security_scheme("token", token);
    api
}

/// Ends answers that take too long.
async fn with_timeout(request: Request, next: Next) -> Response {
    let answer = tokio::time::timeout(ANSWER_TIMEOUT, next.run(request)).await;
    answer.unwrap_or_else(|_| ApiError::Busy.into_response())
}

/// Adds the security headers, counts the answer, and writes a line to the log.
async fn with_headers_and_log(State(app): State<App>, request: Request, next: Next) -> Response {
    let (start, method) = (Instant::now(), request.method().clone());
    // The query may hold positions, so only the path is logged. The ids in it are not secrets by themselves.
    let path = request.uri().path().to_owned();
    let mut response = next.run(request).await;
    for (name, value) in HEADERS {
        response.headers_mut().entry(name).or_insert(HeaderValue::from_static(value));
    }
    if path.starts_with("/api") {
        response.headers_mut().entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    }
    let (status, took) = (response.status().as_u16(), start.elapsed());
    app.metrics.count_answer(status, took);
    if let Some(RefusalKind(kind)) = response.extensions().get() {
        app.metrics.count_refusal(kind);
    }
    tracing::info!(%method, path, status, took_us = took.as_micros() as u64, "answered");
    response
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use crate::client::Client;
    use crate::{Config, Server};

    /// How often the description was made.
    pub(super) static MADE: AtomicUsize = AtomicUsize::new(0);

    #[tokio::test]
    async fn the_description_is_made_once_and_not_for_every_request() {
        let folder = tempfile::tempdir().unwrap();
        let server = Server::bind(Config::new("127.0.0.1:0".parse().unwrap(), folder.path().to_owned())).await.unwrap();
        let address = server.address();
        let running = tokio::spawn(server.run(std::future::pending()));
        let mut client = Client::connect(address).await.unwrap();
        for _ in 0..5 {
            client.get("/api/openapi.json", None).await.unwrap();
        }
        assert_eq!(MADE.load(Ordering::Relaxed), 1);
        running.abort();
    }
}
