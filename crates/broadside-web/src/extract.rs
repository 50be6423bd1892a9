//! Reading requests: the same as axum's own ways, with refusals as JSON.

use axum::extract::rejection::JsonRejection;
use axum::extract::{FromRequest, FromRequestParts, Path, Query, Request};
use axum::http::request::Parts;
use axum::http::{StatusCode, header};
use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

use crate::refusal::Refusal;

/// The longest name or token that is looked at.
const MAX_NAME: usize = 128;

/// A body of JSON.
pub(crate) struct Body<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Body<T> {
    type Rejection = Refusal;

    async fn from_request(request: Request, state: &S) -> Result<Self, Refusal> {
        let read = axum::Json::<Object<T>>::from_request(request, state).await;
        read.map(|axum::Json(Object(value))| Self(value)).map_err(|rejection: JsonRejection| match rejection.status() {
            StatusCode::PAYLOAD_TOO_LARGE => Refusal::TooLarge,
            _ => Refusal::Unreadable(rejection.body_text()),
        })
    }
}

/// Something that must be written as an object. Structures could be written as lists of their fields otherwise, which the
/// description doesn't promise.
pub(crate) struct Object<T>(T);

impl<'de, T: DeserializeOwned> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        object(deserializer).map(Self)
    }
}

/// Reads a field that must be written as an object.
pub(crate) fn object<'de, D: Deserializer<'de>, T: DeserializeOwned>(deserializer: D) -> Result<T, D::Error> {
    let fields = Map::<String, Value>::deserialize(deserializer)?;
    T::deserialize(Value::Object(fields)).map_err(D::Error::custom)
}

/// What stands behind the question mark.
pub(crate) struct Asked<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Asked<T> {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Refusal> {
        let read = Query::<T>::from_request_parts(parts, state).await;
        read.map(|Query(value)| Self(value)).map_err(|rejection| Refusal::Unreadable(rejection.body_text()))
    }
}

/// The name of a game or replay in the path.
pub(crate) struct Name(pub(crate) String);

impl<S: Send + Sync> FromRequestParts<S> for Name {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Refusal> {
        let read = Path::<String>::from_request_parts(parts, state).await;
        let Path(name) = read.map_err(|_| Refusal::NotFound("game"))?;
        if name.len() > MAX_NAME { Err(Refusal::NotFound("game")) } else { Ok(Self(name)) }
    }
}

/// The token of the player who asks.
pub(crate) struct Token(pub(crate) String);

impl<S: Send + Sync> FromRequestParts<S> for Token {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Refusal> {
        let given = parts.headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
        let token = given.and_then(|text| text.split_once(' ')).filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"));
        let token = token.map(|(_, token)| token.trim()).filter(|token| !token.is_empty() && token.len() <= MAX_NAME);
        token.map(|token| Self(token.to_owned())).ok_or(Refusal::NoToken)
    }
}
