//! Who sends a request: for fair shares, and for limits of one address.

use std::net::{IpAddr, Ipv6Addr};

use axum::extract::FromRequestParts;
use axum::http::HeaderMap;
use axum::http::request::Parts;

use crate::error::ApiError;

/// The two ends of a connection.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Peer {
    /// The number of the connection.
    pub(crate) connection: u64,
    /// The other end.
    pub(crate) remote: IpAddr,
    /// This end.
    pub(crate) local: IpAddr,
}

/// A client: an address, a single connection of this machine, or the server itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum ClientId {
    /// An address; of IPv6 the network, since one client has all of it.
    Address(IpAddr),
    /// A connection from this machine, where many programs share one address.
    Connection(u64),
    /// The server, for what it does without being asked.
    Server,
}

impl Peer {
    /// The client of a request: the other end, or the address that a proxy names.
    pub(crate) fn client(self, headers: &HeaderMap, proxies: &[IpAddr]) -> ClientId {
        let address = if proxies.contains(&self.remote) { forwarded(headers, proxies) } else { Some(self.remote) };
        match address.map(network) {
            Some(address) if !address.is_loopback() => ClientId::Address(address),
            _ => ClientId::Connection(self.connection),
        }
    }
}

impl ClientId {
    /// The address that limits hold for; `None` for this machine.
    pub(crate) fn limited_address(self) -> Option<IpAddr> {
        match self {
            Self::Address(address) => Some(address),
            Self::Connection(_) | Self::Server => None,
        }
    }
}

/// The last address of `X-Forwarded-For` that is no proxy of ours: those before it are the client's own words.
fn forwarded(headers: &HeaderMap, proxies: &[IpAddr]) -> Option<IpAddr> {
    let texts = headers.get_all("x-forwarded-for").iter().filter_map(|value| value.to_str().ok());
    let addresses: Vec<&str> = texts.flat_map(|text| text.split(',')).collect();
    let address = |text: &str| text.trim().parse::<IpAddr>().ok().map(|address| address.to_canonical());
    addresses.into_iter().rev().map(address).find(|address| !address.is_some_and(|address| proxies.contains(&address))).flatten()
}

/// The address, or for IPv6 its network of 64 bits.
pub(crate) fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(v6) if !v6.is_loopback() => IpAddr::V6(Ipv6Addr::from_bits(v6.to_bits() & !u128::from(u64::MAX))),
        address => address,
    }
}

impl<S: Send + Sync> FromRequestParts<S> for ClientId {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        // Put there before any handler runs.
        parts.extensions.get().copied().ok_or(ApiError::Internal)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(remote: &str, forwarded: &[&str], proxies: &[&str]) -> ClientId {
        let address = |text: &str| text.parse().unwrap();
        let peer = Peer { connection: 7, remote: address(remote), local: address("127.0.0.1") };
        let headers = forwarded.iter().map(|text| ("x-forwarded-for".parse().unwrap(), text.parse().unwrap())).collect();
        peer.client(&headers, &proxies.iter().map(|text| address(text)).collect::<Vec<_>>())
    }

    #[test]
    fn only_named_proxies_say_who_the_client_is() {
        let of = |text: &str| ClientId::Address(text.parse().unwrap());
        assert_eq!(client("192.0.2.1", &["198.51.100.1"], &[]), of("192.0.2.1"));
        assert_eq!(client("127.0.0.1", &["198.51.100.1"], &[]), ClientId::Connection(7));
        assert_eq!(client("127.0.0.1", &["198.51.100.1"], &["127.0.0.1"]), of("198.51.100.1"));
        // The client can write what it wants before the proxy's own entry.
        assert_eq!(client("127.0.0.1", &["203.0.113.9, 198.51.100.1"], &["127.0.0.1"]), of("198.51.100.1"));
        assert_eq!(client("127.0.0.1", &["203.0.113.9", "198.51.100.1, 127.0.0.1"], &["127.0.0.1"]), of("198.51.100.1"));
        assert_eq!(client("127.0.0.1", &["nonsense"], &["127.0.0.1"]), ClientId::Connection(7));
        assert_eq!(client("2001:db8::1:2:3:4", &[], &[]), of("2001:db8::"));
        assert_eq!(client("::ffff:192.0.2.1", &[], &[]), of("192.0.2.1"));
    }
}
