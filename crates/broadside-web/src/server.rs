//! The server: its address, its connections, and how it stops.

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};

use crate::api;
use crate::app::App;
use crate::metrics::Metrics;
use crate::store::{Store, StoreError};

/// Connections at once. More wait to be accepted.
const MAX_CONNECTIONS: u32 = 4096;
/// How long the head of a request may take.
const HEAD_TIMEOUT: Duration = Duration::from_secs(15);
/// How long requests under way may take to end when the server stops.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(10);
/// How long accepting pauses when the system has no file handles left.
const ACCEPT_RETRY: Duration = Duration::from_millis(100);

/// Where a server listens, and where it keeps its games.
#[derive(Clone, Debug)]
pub struct Config {
    /// The address; port 0 takes a free one.
    pub addr: SocketAddr,
    /// The folder of the games.
    pub data: PathBuf,
}

/// The server can't start.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// Another program has the port.
    #[error("the port {} is in use: stop whatever uses it, or give another with --addr, such as --addr 127.0.0.1:0 for any free one", .0.port())]
    PortInUse(SocketAddr),
    /// The server can't listen at the address.
    #[error("can't listen at {0}")]
    Listen(SocketAddr, #[source] io::Error),
    /// The games can't be opened.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A server that is bound to its address and has opened its games, ready to run.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    app: App,
    stopping: watch::Sender<bool>,
    metrics: Metrics,
}

impl Server {
    /// Binds to the address and opens the games.
    ///
    /// # Errors
    /// When the port is in use, the server can't listen at the address, or the games can't be opened.
    pub async fn bind(config: Config) -> Result<Self, ServeError> {
        let refused = |error: io::Error| match error.kind() {
            io::ErrorKind::AddrInUse => ServeError::PortInUse(config.addr),
            _ => ServeError::Listen(config.addr, error),
        };
        let listener = TcpListener::bind(config.addr).await.map_err(refused)?;
        let address = listener.local_addr().map_err(|error| ServeError::Listen(config.addr, error))?;
        let metrics = Metrics::default();
        let store = Store::open(&config.data, metrics.clone())?;
        let (stopping, receiver) = watch::channel(false);
        Ok(Self { listener, address, app: App::new(store, receiver), stopping, metrics })
    }

    /// Where the server listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The counters of this server, which go on counting while it runs.
    pub fn metrics(&self) -> Metrics {
        self.metrics.clone()
    }

    /// Serves until `stop` is done. Requests under way may end then, and WebSockets are closed.
    pub async fn run(self, stop: impl Future<Output = ()>) {
        let Self { listener, app, stopping, .. } = self;
        let service = TowerToHyperService::new(api::router(app));
        let permits = Arc::new(Semaphore::new(MAX_CONNECTIONS as usize));
        let serving = async {
            loop {
                let Ok(permit) = permits.clone().acquire_owned().await else { return };
                let connection = connection(accept(&listener).await, service.clone(), stopping.subscribe());
                tokio::spawn(async move {
                    connection.await;
                    drop(permit);
                });
            }
        };
        tokio::select! {
            () = serving => {},
            () = stop => {},
        }
        drop(listener);
        stopping.send_replace(true);
        // All permits are free when the last connection has ended.
        if tokio::time::timeout(SHUTDOWN_TIMEOUT, permits.acquire_many(MAX_CONNECTIONS)).await.is_err() {
            tracing::warn!("some requests were cut off");
        }
    }
}

/// Serves one connection until it ends, or until the server stops and the request under way is answered.
async fn connection(stream: TcpStream, service: TowerToHyperService<Router>, mut stopping: watch::Receiver<bool>) {
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(HEAD_TIMEOUT);
    let mut connection = pin!(builder.serve_connection(TokioIo::new(stream), service).with_upgrades());
    // A broken connection is not an error of the server.
    tokio::select! {
        _ = connection.as_mut() => return,
        _ = stopping.wait_for(|&stopping| stopping) => {},
    }
    connection.as_mut().graceful_shutdown();
    _ = connection.await;
}

async fn accept(listener: &TcpListener) -> TcpStream {
    loop {
        match listener.accept().await {
            Ok((stream, _)) => {
                // Answers are small and waited for.
                _ = stream.set_nodelay(true);
                return stream;
            }
            Err(error) => {
                tracing::warn!(%error, "a connection could not be accepted");
                tokio::time::sleep(ACCEPT_RETRY).await;
            }
        }
    }
}
