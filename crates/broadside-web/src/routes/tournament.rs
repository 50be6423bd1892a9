//! A tournament to watch.

use std::time::{Duration, Instant};

use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderName, HeaderValue, header};
use axum::response::{Html, IntoResponse, Response};
use tokio::sync::Mutex;

use crate::app::App;
use crate::error::ApiError;

/// The page is made anew after so long at the earliest, however many look at it.
const FRESH: Duration = Duration::from_secs(3);
/// Browsers ask for the page again after so many seconds.
const REFRESH: HeaderValue = HeaderValue::from_static("5");
/// The page has its script and style in itself. It gets no access to anything else of this server: it is sandboxed.
const POLICY: HeaderValue = HeaderValue::from_static(
    "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; \
     base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
);

/// The page as it was made last.
#[derive(Default)]
pub(crate) struct LastPage(Mutex<Option<MadePage>>);

#[derive(Clone)]
struct MadePage {
    made: Instant,
    html: Bytes,
    goes_on: bool,
}

/// The page about the tournament that this server shows.
pub(crate) async fn page(State(app): State<App>) -> Result<Response, ApiError> {
    let MadePage { html, goes_on, .. } = last_page(&app).await?;
    let mut response = Html(html).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_SECURITY_POLICY, POLICY);
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    if goes_on {
        headers.insert(HeaderName::from_static("refresh"), REFRESH);
    }
    Ok(response)
}

/// The page, made anew if it is old. Others wait meanwhile, so that one is made at a time.
async fn last_page(app: &App) -> Result<MadePage, ApiError> {
    let tournament = app.config.tournament.clone().ok_or(ApiError::NotFound("tournament"))?;
    let mut last = app.tournament.0.lock().await;
    if let Some(page) = last.as_ref().filter(|page| page.made.elapsed() < FRESH) {
        return Ok(page.clone());
    }
    let made = tokio::task::spawn_blocking(move || tournament.html()).await;
    let (html, goes_on) = match made {
        Ok(Ok(made)) => made,
        Ok(Err(error)) => return Err(unreadable(&error)),
        Err(error) => return Err(unreadable(&error)),
    };
    let page = MadePage { made: Instant::now(), html: html.into(), goes_on };
    *last = Some(page.clone());
    Ok(page)
}

fn unreadable(error: &dyn std::error::Error) -> ApiError {
    tracing::error!(%error, "the tournament can't be shown");
    ApiError::Internal
}
