//! What one address may do: connections at once, requests a second, new games a minute.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::config::Limits;
use crate::error::ApiError;
use crate::peer::ClientId;

/// Requests that may come at once, in seconds of the average.
const BURST_SECONDS: f64 = 4.0;
/// New games that may be made at once, in minutes of the average.
const BURST_MINUTES: f64 = 1.0;
/// Addresses that are remembered before those that have used nothing lately are forgotten.
const REMEMBERED: usize = 10_000;

/// The limits of all addresses together.
#[derive(Clone)]
pub(crate) struct AddressLimits {
    requests: Arc<Buckets>,
    games: Arc<Buckets>,
    connections: Arc<Connections>,
}

impl AddressLimits {
    pub(crate) fn new(limits: &Limits) -> Self {
        let (requests, games) = (f64::from(limits.requests_per_second), f64::from(limits.games_per_minute));
        Self {
            requests: Arc::new(Buckets::new(requests, requests * BURST_SECONDS)),
            games: Arc::new(Buckets::new(games / 60.0, games * BURST_MINUTES)),
            connections: Arc::new(Connections { most: limits.connections_of_address, open: Mutex::default() }),
        }
    }

    /// Counts a request.
    pub(crate) fn request(&self, client: ClientId) -> Result<(), ApiError> {
        self.requests.take(client)
    }

    /// Counts a new game.
    pub(crate) fn new_game(&self, client: ClientId) -> Result<(), ApiError> {
        self.games.take(client)
    }

    /// Counts a connection, until the value is dropped; `None` when the address has enough and is not trusted with more.
    pub(crate) fn connection(&self, address: IpAddr, is_trusted: bool) -> Option<OpenConnection> {
        self.connections.clone().open(address, is_trusted || address.is_loopback())
    }
}

/// How much each address has left. What is used comes back at a constant rate.
struct Buckets {
    per_second: f64,
    full: f64,
    left: Mutex<HashMap<IpAddr, (f64, Instant)>>,
}

impl Buckets {
    fn new(per_second: f64, full: f64) -> Self {
        Self { per_second, full: full.max(1.0), left: Mutex::default() }
    }

    fn take(&self, client: ClientId) -> Result<(), ApiError> {
        let Some(address) = client.limited_address() else { return Ok(()) };
        self.take_at(address, Instant::now())
    }

    fn take_at(&self, address: IpAddr, now: Instant) -> Result<(), ApiError> {
        let mut left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        let refilled = |&(left, since): &(f64, Instant)| {
            (left + self.per_second * now.saturating_duration_since(since).as_secs_f64()).min(self.full)
        };
        if left.len() > REMEMBERED {
            left.retain(|_, bucket| refilled(bucket) < self.full);
        }
        let bucket = left.entry(address).or_insert((self.full, now));
        *bucket = (refilled(bucket), now);
        if bucket.0 < 1.0 {
            let wait = Duration::from_secs_f64((1.0 - bucket.0) / self.per_second);
            return Err(ApiError::TooMany(wait.as_secs() + 1));
        }
        bucket.0 -= 1.0;
        Ok(())
    }
}

/// The open connections of each address.
struct Connections {
    most: usize,
    open: Mutex<HashMap<IpAddr, usize>>,
}

/// An open connection of an address, until dropped.
pub(crate) struct OpenConnection {
    connections: Arc<Connections>,
    address: IpAddr,
}

impl Connections {
    fn open(self: Arc<Self>, address: IpAddr, is_trusted: bool) -> Option<OpenConnection> {
        let mut open = self.counts();
        let count = open.entry(address).or_default();
        if *count >= self.most && !is_trusted {
            return None;
        }
        *count += 1;
        drop(open);
        Some(OpenConnection { connections: self, address })
    }

    fn counts(&self) -> MutexGuard<'_, HashMap<IpAddr, usize>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for OpenConnection {
    fn drop(&mut self) {
        let mut open = self.connections.counts();
        if let Some(count) = open.get_mut(&self.address) {
            *count -= 1;
            if *count == 0 {
                open.remove(&self.address);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ADDRESS: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(192, 0, 2, 1));

    #[test]
    fn an_address_gets_its_burst_and_then_its_rate_and_others_are_not_touched() {
        let (buckets, start) = (Buckets::new(2.0, 3.0), Instant::now());
        let at = |seconds: f64| buckets.take_at(ADDRESS, start + Duration::from_secs_f64(seconds)).is_ok();
        assert_eq!([0.0, 0.0, 0.0, 0.1, 0.6, 0.7, 1.2].map(at), [true, true, true, false, true, false, true]);
        assert!(buckets.take_at("192.0.2.2".parse().unwrap(), start).is_ok());
        assert!(matches!(buckets.take_at(ADDRESS, start), Err(ApiError::TooMany(1))));
        assert!((0..100).all(|_| buckets.take(ClientId::Connection(1)).is_ok()), "no limit on this machine");
    }

    #[test]
    fn connections_of_an_address_are_limited_and_come_back() {
        let limits = AddressLimits::new(&Limits { connections_of_address: 2, ..Limits::default() });
        let [one, two] = [(); 2].map(|()| limits.connection(ADDRESS, false));
        assert!(one.is_some() && two.is_some() && limits.connection(ADDRESS, false).is_none());
        drop(one);
        assert!(limits.connection(ADDRESS, false).is_some());
        assert!((0..9).all(|_| limits.connection(ADDRESS, true).is_some()));
        let own = [(); 9].map(|()| limits.connection("127.0.0.1".parse().unwrap(), false));
        assert!(own.iter().all(Option::is_some));
    }
}
