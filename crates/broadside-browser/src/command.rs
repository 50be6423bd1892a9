//! Commands that chromedriver knows beyond the standard.

use fantoccini::wd::WebDriverCompatibleCommand;
use http::Method;
use serde_json::Value;
use url::{ParseError, Url};

/// A request below the session's address.
#[derive(Debug)]
pub(crate) struct Post {
    path: &'static str,
    body: String,
}

impl Post {
    pub(crate) fn new(path: &'static str, body: &Value) -> Self {
        Self { path, body: body.to_string() }
    }
}

impl WebDriverCompatibleCommand for Post {
    fn endpoint(&self, base: &Url, session: Option<&str>) -> Result<Url, ParseError> {
        base.join(&format!("session/{}/{}", session.unwrap_or_default(), self.path))
    }

    fn method_and_body(&self, _: &Url) -> (Method, Option<String>) {
        (Method::POST, Some(self.body.clone()))
    }
}
