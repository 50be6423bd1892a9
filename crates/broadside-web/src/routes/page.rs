//! The page's files, which are part of the program.

use axum::body::Body;
use axum::extract::Path;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use rust_embed::{Embed, EmbeddedFile};

use crate::error::ApiError;
use crate::secret::hex;

/// The files of the page. A debug build reads them from their folder at every request.
#[derive(Embed)]
#[folder = "page/"]
struct Files;

/// The page.
pub(crate) async fn index(headers: HeaderMap) -> Result<Response, ApiError> {
    file("index.html", &headers)
}

/// A part of the page.
pub(crate) async fn asset(Path(path): Path<String>, headers: HeaderMap) -> Result<Response, ApiError> {
    file(&path, &headers)
}

fn file(path: &str, headers: &HeaderMap) -> Result<Response, ApiError> {
    let EmbeddedFile { data, metadata, .. } = Files::get(path).ok_or(ApiError::NotFound("page"))?;
    let tag = format!("\"{}\"", hex(&metadata.sha256_hash()[..16]));
    // Params for every time and sent only when it has changed: a new version of the program shows at once.
    let always = [(header::ETAG, tag.clone()), (header::CACHE_CONTROL, "no-cache".to_owned())];
    let known = headers.get(header::IF_NONE_MATCH).and_then(|value| value.to_str().ok());
    if known.is_some_and(|known| known.split(',').any(|one| one.trim() == tag)) {
        return Ok((StatusCode::NOT_MODIFIED, always).into_response());
    }
    Ok((always, [(header::CONTENT_TYPE, kind(path))], Body::from(data.into_owned())).into_response())
}

/// The kind of a file by its name.
fn kind(path: &str) -> &'static str {
    match path.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("webmanifest") => "application/manifest+json",
        _ => "application/octet-stream",
    }
}
