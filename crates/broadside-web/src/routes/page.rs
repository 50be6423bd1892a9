//! The page's files, which are part of the program.

use std::collections::HashMap;
use std::io::Write;
use std::sync::{LazyLock, Mutex, PoisonError};

use axum::body::{Body, Bytes};
use axum::extract::Path;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use broadside_lab::hex;
use flate2::Compression;
use flate2::write::GzEncoder;
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

/// The service worker, at the root: it may only answer for what lies below its own address.
pub(crate) async fn worker(headers: HeaderMap) -> Result<Response, ApiError> {
    file("sw.js", &headers)
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
        let kind = [(header::CONTENT_TYPE, self.content_type), (header::VARY, "accept-encoding")];
        if takes_gzip(headers) {
            return (always, kind, [(header::CONTENT_ENCODING, "gzip")], Body::from(self.compressed())).into_response();
        }
        (always, kind, Body::from(self.data.clone())).into_response()
    }

    /// The data as gzip, made once for each content.
    fn compressed(&self) -> Bytes {
        static MADE: LazyLock<Mutex<HashMap<String, Bytes>>> = LazyLock::new(Mutex::default);
        let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
        if made.len() > MOST_COMPRESSED {
            made.clear();
        }
        made.entry(self.tag.clone()).or_insert_with(|| gzip(&self.data)).clone()
    }
}

/// More than there are files; a debug build whose files are edited makes new ones.
const MOST_COMPRESSED: usize = 256;

fn takes_gzip(headers: &HeaderMap) -> bool {
    let accepted = headers.get(header::ACCEPT_ENCODING).and_then(|value| value.to_str().ok()).unwrap_or_default();
    accepted.split(',').map(str::trim).any(|coding| coding == "gzip" || coding.starts_with("gzip;") && !coding.ends_with("q=0"))
}

fn gzip(data: &[u8]) -> Bytes {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(data).and_then(|()| encoder.finish()).expect("writing to memory succeeds").into()
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
