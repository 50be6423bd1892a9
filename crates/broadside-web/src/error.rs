//! Everything that a request can be refused for, each with its status.

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use broadside_odds::{Budget, Contradiction, OddsError};
use broadside_rules::{DuelError, Violation};
use serde::Serialize;
use utoipa::ToSchema;

use crate::shard::Shard;

/// Why a request is refused.
#[derive(Clone, Debug, thiserror::Error)]
pub(crate) enum ApiError {
    #[error("the request can't be read: {0}")]
    Unreadable(String),
    #[error("the request is too large")]
    TooLarge,
    #[error("this is for the game's players: send ‘Authorization: Bearer’ and the game's token")]
    NoToken,
    #[error("the token is not one of this game's players")]
    WrongToken,
    #[error("requests from other sites are not answered")]
    OtherSite,
    #[error("this server doesn't answer under that name: start it with --host and the name")]
    OtherHost,
    #[error(
        "this is shard {own}, and what is asked for is on shard {theirs}: requests go to the shard whose number the id or the list's token begins with"
    )]
    OtherShard {
        /// The number of the shard that has it.
        theirs: u32,
        own: Shard,
    },
    #[error("too many requests from this address: try again in {0} seconds")]
    TooMany(u64),
    #[error("there is no such {0}")]
    NotFound(&'static str),
    #[error("this method is not allowed here")]
    Method,
    #[error("it is the other side's turn")]
    NotYourTurn,
    #[error("the game is over")]
    Over,
    #[error("the game goes on: this can be asked for when it is over")]
    NotOver,
    #[error("not both fleets are placed yet")]
    NotPlaced,
    #[error("the players of this game have agreed on no odds and no hints")]
    NoHints,
    #[error("the fleet is placed already")]
    AlreadyPlaced,
    #[error("the seat is taken")]
    AlreadyJoined,
    #[error("nobody has joined this game, so there is nobody to play a rematch with: make a new game")]
    NotJoined,
    #[error("{0} shots of yours have been fired: ask for the game and go on from there")]
    OutOfStep(usize),
    #[error("{0}")]
    Rules(String),
    #[error("the fleet can't be placed: {0}")]
    Fleet(String),
    #[error("{0}")]
    Limit(String),
    #[error("this takes longer than {0} seconds, the most that a request may take here")]
    TooLong(u64),
    #[error("{0}")]
    Captain(String),
    #[error("the bot can't play: {0}")]
    Bot(String),
    #[error("{0}")]
    Cell(String),
    #[error("{0}")]
    Shots(String),
    #[error("the weights can't be used: {0}")]
    Weights(String),
    #[error("the fleet can't be placed like that")]
    Layout(Vec<Violation>),
    #[error(transparent)]
    Impossible(Box<Contradiction>),
    #[error("{0}")]
    OutOfReach(String),
    #[error("the server has too much to do: try again in a moment")]
    Busy,
    #[error("the memory that this server has for such work is in use (--memory {}): try again in a moment", memory_text(*.0))]
    NoMemory(usize),
    #[error("this needs more memory than this server has for one request ({}; --memory gives it more)", memory_text(*.0))]
    TooMuchMemory(usize),
    #[error("something went wrong here; the server's log has more")]
    Internal,
    #[error("this game's stored data is damaged and can't be read; the server's log has more")]
    Damaged,
}

/// An amount of memory as options have it, such as 1GB.
fn memory_text(bytes: usize) -> String {
    Budget { bytes, steps: 0 }.to_string()
}

/// The body of an error.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ErrorOut {
    /// What went wrong.
    pub(crate) error: Why,
}

/// What went wrong.
#[derive(Debug, Default, Serialize, ToSchema)]
pub(crate) struct Why {
    /// A code for programs.
    pub(crate) kind: &'static str,
    /// A message for people.
    pub(crate) message: String,
    /// Everything that is wrong with a layout.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) violations: Option<Vec<ViolationOut>>,
    /// The number, from 1, of the first shot after which no layout is left.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) number: Option<usize>,
    /// That shot.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) shot: Option<String>,
    /// The earlier shots that it contradicts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) against: Option<Vec<String>>,
}

/// One thing that is wrong with a layout.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ViolationOut {
    /// A code for programs.
    pub(crate) kind: &'static str,
    /// The cells concerned.
    pub(crate) cells: Vec<String>,
    /// A message for people.
    pub(crate) message: String,
}

impl ApiError {
    fn status_and_kind(&self) -> (StatusCode, &'static str) {
        match self {
            Self::Unreadable(_) => (StatusCode::BAD_REQUEST, "unreadable"),
            Self::TooLarge => (StatusCode::PAYLOAD_TOO_LARGE, "too-large"),
            Self::NoToken => (StatusCode::UNAUTHORIZED, "no-token"),
            Self::WrongToken => (StatusCode::FORBIDDEN, "wrong-token"),
            Self::OtherSite => (StatusCode::FORBIDDEN, "other-site"),
            Self::OtherHost => (StatusCode::MISDIRECTED_REQUEST, "other-host"),
            Self::OtherShard { .. } => (StatusCode::MISDIRECTED_REQUEST, "other-shard"),
            Self::TooMany(_) => (StatusCode::TOO_MANY_REQUESTS, "too-many"),
            Self::NotFound(_) => (StatusCode::NOT_FOUND, "not-found"),
            Self::Method => (StatusCode::METHOD_NOT_ALLOWED, "method"),
            Self::NotYourTurn => (StatusCode::CONFLICT, "not-your-turn"),
            Self::Over => (StatusCode::CONFLICT, "over"),
            Self::NotOver => (StatusCode::CONFLICT, "not-over"),
            Self::NotPlaced => (StatusCode::CONFLICT, "not-placed"),
            Self::NoHints => (StatusCode::CONFLICT, "no-hints"),
            Self::AlreadyPlaced => (StatusCode::CONFLICT, "already-placed"),
            Self::AlreadyJoined => (StatusCode::CONFLICT, "already-joined"),
            Self::NotJoined => (StatusCode::CONFLICT, "not-joined"),
            Self::OutOfStep(_) => (StatusCode::CONFLICT, "out-of-step"),
            Self::Rules(_) => (StatusCode::UNPROCESSABLE_ENTITY, "rules"),
            Self::Fleet(_) => (StatusCode::UNPROCESSABLE_ENTITY, "fleet"),
            Self::Limit(_) => (StatusCode::UNPROCESSABLE_ENTITY, "limit"),
            Self::TooLong(_) => (StatusCode::UNPROCESSABLE_ENTITY, "too-long"),
            Self::TooMuchMemory(_) => (StatusCode::UNPROCESSABLE_ENTITY, "too-much-memory"),
            Self::Captain(_) => (StatusCode::UNPROCESSABLE_ENTITY, "captain"),
            Self::Bot(_) => (StatusCode::UNPROCESSABLE_ENTITY, "bot"),
            Self::Cell(_) => (StatusCode::UNPROCESSABLE_ENTITY, "cell"),
            Self::Shots(_) => (StatusCode::UNPROCESSABLE_ENTITY, "shots"),
            Self::Weights(_) => (StatusCode::UNPROCESSABLE_ENTITY, "weights"),
            Self::Layout(_) => (StatusCode::UNPROCESSABLE_ENTITY, "layout"),
            Self::Impossible(_) => (StatusCode::UNPROCESSABLE_ENTITY, "impossible"),
            Self::OutOfReach(_) => (StatusCode::UNPROCESSABLE_ENTITY, "out-of-reach"),
            Self::Busy => (StatusCode::SERVICE_UNAVAILABLE, "busy"),
            Self::NoMemory(_) => (StatusCode::SERVICE_UNAVAILABLE, "memory"),
            Self::Internal => (StatusCode::INTERNAL_SERVER_ERROR, "broken"),
            Self::Damaged => (StatusCode::INTERNAL_SERVER_ERROR, "damaged"),
        }
    }

    /// In how many seconds the client may try again.
    fn retry_after(&self) -> Option<u64> {
        match self {
            Self::Busy | Self::NoMemory(_) => Some(1),
            Self::TooMany(seconds) => Some(*seconds),
            _ => None,
        }
    }

    /// The body of the answer.
    pub(crate) fn body(&self) -> ErrorOut {
        let mut why = Why { kind: self.status_and_kind().1, message: self.to_string(), ..Why::default() };
        match self {
            Self::Layout(violations) => why.violations = Some(violations.iter().map(ViolationOut::from).collect()),
            Self::Impossible(contradiction) => {
                why.number = Some(contradiction.number);
                why.shot = Some(contradiction.shot.to_string());
                why.against = Some(contradiction.against.iter().map(|(_, shot)| shot.to_string()).collect());
            }
            _ => {}
        }
        ErrorOut { error: why }
    }
}

/// The code of the error that an answer tells of.
#[derive(Clone, Copy)]
pub(crate) struct RefusalKind(pub(crate) &'static str);

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let (status, kind) = self.status_and_kind();
        if status.is_server_error() {
            tracing::warn!(kind, "refused");
        }
        let retry_after = self.retry_after();
        let mut response = (status, Json(self.body())).into_response();
        response.extensions_mut().insert(RefusalKind(kind));
        if let Some(seconds) = retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, seconds.into());
        }
        if status == StatusCode::UNAUTHORIZED {
            response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response
    }
}

/// Errors that many requests share, for the `OpenAPI` description.
pub(crate) mod responses {
    use std::collections::BTreeMap;

    use utoipa::openapi::{Content, Ref, RefOr, Response, ResponseBuilder};
    use utoipa::{IntoResponses, ToSchema};

    use super::ErrorOut;

    type Responses = BTreeMap<String, RefOr<Response>>;

    /// Errors of requests with a body.
    pub(crate) enum Body {}
    /// Errors of requests that need a player's token.
    pub(crate) enum Player {}
    /// The error of a server that has too much to do.
    pub(crate) enum Busy {}

    impl IntoResponses for Body {
        fn responses() -> Responses {
            responses(&[("400", "can't be read"), ("413", "too large")])
        }
    }

    impl IntoResponses for Player {
        fn responses() -> Responses {
            responses(&[("401", "no token"), ("403", "not this game's token"), ("404", "no such game")])
        }
    }

    impl IntoResponses for Busy {
        fn responses() -> Responses {
            responses(&[
                ("421", "another host, or the game of another shard"),
                ("429", "too many requests from this address"),
                ("503", "too busy"),
            ])
        }
    }

    fn responses(errors: &[(&str, &str)]) -> Responses {
        let schema = Ref::from_schema_name(ErrorOut::name());
        let response = |why: &str| {
            ResponseBuilder::new().description(why).content("application/json", Content::new(Some(schema.clone()))).build()
        };
        errors.iter().map(|&(status, why)| (status.to_owned(), RefOr::T(response(why)))).collect()
    }
}

impl From<&Violation> for ViolationOut {
    fn from(violation: &Violation) -> Self {
        let cells = violation.cells().iter().map(ToString::to_string).collect();
        Self { kind: violation.kind().word(), cells, message: violation.to_string() }
    }
}

impl From<DuelError> for ApiError {
    fn from(error: DuelError) -> Self {
        match error {
            DuelError::NotYourTurn => Self::NotYourTurn,
            DuelError::Over => Self::Over,
            DuelError::Fire(error) => Self::Cell(error.to_string()),
        }
    }
}

impl From<OddsError> for ApiError {
    fn from(error: OddsError) -> Self {
        let message = error.to_string();
        if let OddsError::Impossible(contradiction) = error {
            Self::Impossible(Box::new(contradiction))
        } else {
            Self::OutOfReach(message)
        }
    }
}

impl From<rusqlite::Error> for ApiError {
    fn from(error: rusqlite::Error) -> Self {
        use rusqlite::Error;
        tracing::error!(%error, "the database failed");
        match error {
            Error::FromSqlConversionFailure(..) | Error::InvalidColumnType(..) | Error::IntegralValueOutOfRange(..) => {
                Self::Damaged
            }
            error if error.sqlite_error_code() == Some(rusqlite::ErrorCode::DatabaseCorrupt) => Self::Damaged,
            _ => Self::Internal,
        }
    }
}
