//! Who may send a request: the right host, no other site, and not too often.

use axum::extract::{Request, State};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, Method, header};
use axum::middleware::Next;
use axum::response::Response;
use std::net::IpAddr;

use crate::app::App;
use crate::error::ApiError;
use crate::peer::Peer;

/// Bodies of up to this size are part of what a connection is counted for. All of the page's are.
const SMALL_BODY: usize = 8 << 10;

/// Refuses requests for other hosts, from other sites and from clients that send too many, and tells handlers who the
/// client is.
pub(crate) async fn guard(State(app): State<App>, mut request: Request, next: Next) -> Result<Response, ApiError> {
    let peer = *request.extensions().get::<Peer>().ok_or(ApiError::Internal)?;
    let client = peer.client(request.headers(), &app.config.proxies);
    app.limits.request(client)?;
    check_host(request.headers(), &app.config.hosts, peer.local)?;
    if request.uri().path().starts_with("/api") {
        check_site(request.headers(), request.method(), &app.config.hosts)?;
    }
    request.extensions_mut().insert(client);
    let _held =
        if is_large(request.headers()) { Some(app.large_bodies.try_acquire().map_err(|_| ApiError::Busy)?) } else { None };
    Ok(next.run(request).await)
}

/// Whether a body takes more memory than a connection is counted for. One whose length isn't told may be of any length.
fn is_large(headers: &HeaderMap) -> bool {
    let length = headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<usize>().ok());
    headers.contains_key(header::TRANSFER_ENCODING) || length.is_some_and(|length| length > SMALL_BODY)
}

/// The page of another site can make its own name point to this machine, and would then be allowed to read everything.
/// So a request must name this machine, the address that it was sent to, or a name that the server was given.
fn check_host(headers: &HeaderMap, names: &[String], local: IpAddr) -> Result<(), ApiError> {
    let host = authority(headers, &header::HOST).ok_or(ApiError::OtherHost)?;
    let name = host.host();
    let address = name.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>().ok();
    let is_own = address.is_some_and(|address| address.is_loopback() || address == local);
    if is_own || name.eq_ignore_ascii_case("localhost") || is_named(&host, names) { Ok(()) } else { Err(ApiError::OtherHost) }
}

/// Browsers say where a request comes from. Pages of other sites, and of other ports of this machine, may link to the page
/// and nothing more.
fn check_site(headers: &HeaderMap, method: &Method, names: &[String]) -> Result<(), ApiError> {
    let is_foreign = |site: &axum::http::HeaderValue| site != "same-origin" && site != "none";
    if headers.get("sec-fetch-site").is_some_and(is_foreign) {
        return Err(ApiError::OtherSite);
    }
    let changes = *method != Method::GET && *method != Method::HEAD;
    if !(changes || headers.contains_key(header::UPGRADE)) || !headers.contains_key(header::ORIGIN) {
        return Ok(());
    }
    let host = authority(headers, &header::HOST);
    match authority(headers, &header::ORIGIN) {
        Some(origin) if Some(&origin) == host.as_ref() || is_named(&origin, names) => Ok(()),
        _ => Err(ApiError::OtherSite),
    }
}

fn is_named(host: &Authority, names: &[String]) -> bool {
    names.iter().any(|name| name.eq_ignore_ascii_case(host.host()))
}

/// The host and port of a header that is a host or an address with one.
fn authority(headers: &HeaderMap, name: &header::HeaderName) -> Option<Authority> {
    let text = headers.get(name)?.to_str().ok()?;
    text.split_once("://").map_or(text, |(_, host)| host).parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&str, &str)]) -> HeaderMap {
        pairs.iter().map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap())).collect()
    }

    #[test]
    fn only_names_of_this_machine_and_given_ones_are_hosts() {
        let names = ["battleship.example".to_owned()];
        let is_allowed = |host: &str| check_host(&headers(&[("host", host)]), &names, "192.0.2.5".parse().unwrap()).is_ok();
        for host in ["localhost:1805", "127.0.0.1:1805", "[::1]:1805", "LOCALHOST", "192.0.2.5:80", "Battleship.example"] {
            assert!(is_allowed(host), "{host}");
        }
        for host in ["evil.example", "localhost.evil.example", "192.0.2.6", "battleship.example.evil.example", "a b", ""] {
            assert!(!is_allowed(host), "{host}");
        }
        assert!(check_host(&HeaderMap::new(), &names, "127.0.0.1".parse().unwrap()).is_err());
    }

    #[test]
    fn other_sites_and_ports_may_change_nothing() {
        let names = ["battleship.example".to_owned()];
        let is_allowed = |method: Method, pairs: &[(&str, &str)]| {
            let all = [&[("host", "localhost:1805")], pairs].concat();
            check_site(&headers(&all), &method, &names).is_ok()
        };
        assert!(is_allowed(Method::POST, &[]), "programs send neither");
        assert!(is_allowed(Method::POST, &[("sec-fetch-site", "same-origin"), ("origin", "http://localhost:1805")]));
        assert!(is_allowed(Method::POST, &[("origin", "https://battleship.example")]), "a proxy may change the host");
        assert!(is_allowed(Method::GET, &[("sec-fetch-site", "none")]));
        for site in ["cross-site", "same-site", "nonsense"] {
            assert!(!is_allowed(Method::GET, &[("sec-fetch-site", site)]), "{site}");
        }
        for origin in ["http://localhost:3000", "http://evil.example", "null"] {
            assert!(!is_allowed(Method::POST, &[("origin", origin)]), "{origin}");
            assert!(!is_allowed(Method::GET, &[("origin", origin), ("upgrade", "websocket")]), "{origin}");
        }
    }
}
