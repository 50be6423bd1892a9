//! Extractors: axum's own, with errors as JSON; and answers that are JSON already.

use std::fmt;
use std::marker::PhantomData;

use axum::extract::rejection::JsonRejection;
use axum::extract::{FromRequest, FromRequestParts, Path, Query, Request};
use axum::http::request::Parts;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::de::value::MapAccessDeserializer;
use serde::de::{DeserializeOwned, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use crate::app::App;
use crate::error::ApiError;

/// The longest id or token that is looked at.
const MAX_ID: usize = 128;

/// A JSON body.
pub(crate) struct JsonBody<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for JsonBody<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Self, ApiError> {
        let read = axum::Json::<Object<T>>::from_request(request, state).await;
        read.map(|axum::Json(Object(value))| Self(value)).map_err(|rejection: JsonRejection| match rejection.status() {
            StatusCode::PAYLOAD_TOO_LARGE => ApiError::TooLarge,
            _ => ApiError::Unreadable(rejection.body_text()),
        })
    }
}

/// A value that must be a JSON object. Serde would also take a list of the fields, which the description doesn't allow.
pub(crate) struct Object<T>(T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        object(deserializer).map(Self)
    }
}

/// Reads a field that must be a JSON object.
pub(crate) fn object<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<T, D::Error> {
    deserializer.deserialize_map(ObjectVisitor(PhantomData))
}

struct ObjectVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for ObjectVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
        T::deserialize(MapAccessDeserializer::new(map))
    }
}

/// An answer that is JSON already: what is long is made into text where it was computed, not on the threads of connections.
pub(crate) struct JsonText(Vec<u8>);

impl JsonText {
    pub(crate) fn new(value: &impl Serialize) -> Self {
        Self(serde_json::to_vec(value).expect("plain data"))
    }
}

impl IntoResponse for JsonText {
    fn into_response(self) -> Response {
        ([(header::CONTENT_TYPE, "application/json")], self.0).into_response()
    }
}

/// The query parameters.
pub(crate) struct Params<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Params<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let read = Query::<T>::from_request_parts(parts, state).await;
        read.map(|Query(value)| Self(value)).map_err(|rejection| ApiError::Unreadable(rejection.body_text()))
    }
}

/// The id of a game or replay in the path, if this server may have it.
pub(crate) struct PathId(pub(crate) String);

impl FromRequestParts<App> for PathId {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &App) -> Result<Self, ApiError> {
        let read = Path::<String>::from_request_parts(parts, state).await;
        let Path(id) = read.map_err(|_| ApiError::NotFound("game"))?;
        if id.len() > MAX_ID {
            return Err(ApiError::NotFound("game"));
        }
        state.config.shard.map_or(Ok(()), |shard| shard.check_id(&id))?;
        Ok(Self(id))
    }
}

/// The token of the player who sends the request.
pub(crate) struct BearerToken(pub(crate) String);

impl<S: Send + Sync> FromRequestParts<S> for BearerToken {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        let given = parts.headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
        let token = given.and_then(|text| text.split_once(' ')).filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"));
        let token = token.map(|(_, token)| token.trim()).filter(|token| !token.is_empty() && token.len() <= MAX_ID);
        token.map(|token| Self(token.to_owned())).ok_or(ApiError::NoToken)
    }
}
