//! The page's files, which are part of the program.

use axum::body::{Body, Bytes};
use axum::extract::Path;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use broadside_lab::hex;
use rust_embed::{Embed, EmbeddedFile};
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::error::ApiError;

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
    let asset = Asset { data: data.into_owned().into(), content_type: content_type(path), tag: tag(&metadata.sha256_hash()) };
    Ok(asset.response(headers))
}

/// Something that is the same for everybody until the program changes.
#[derive(Clone)]
pub(crate) struct Asset {
    data: Bytes,
    content_type: &'static str,
    tag: String,
}

impl Asset {
    /// JSON, made once.
    pub(crate) fn json(value: &impl Serialize) -> Self {
        let data: Bytes = serde_json::to_vec(value).expect("plain data").into();
        let tag = tag(&Sha256::digest(&data));
        Self { data, content_type: "application/json", tag }
    }

    /// The whole, or the word that the client has it already. The client asks every time, so a new version of the program
    /// shows at once.
    pub(crate) fn response(&self, headers: &HeaderMap) -> Response {
        let always = [(header::ETAG, self.tag.as_str()), (header::CACHE_CONTROL, "no-cache")];
        let known = headers.get(header::IF_NONE_MATCH).and_then(|value| value.to_str().ok());
        if known.is_some_and(|known| known.split(',').any(|one| one.trim() == self.tag)) {
            return (StatusCode::NOT_MODIFIED, always).into_response();
        }
        (always, [(header::CONTENT_TYPE, self.content_type)], Body::from(self.data.clone())).into_response()
    }
}

fn tag(hash: &[u8]) -> String {
    format!("\"{}\"", hex(&hash[..16]))
}

/// The media type of a file, by its name.
fn content_type(path: &str) -> &'static str {
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
