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
use crate::store::{Store, StoreError};

/// Connections at once. More wait to be accepted.
const CONNECTIONS: u32 = 4096;
/// How long the head of a request may take.
const HEAD: Duration = Duration::from_secs(15);
/// How long requests under way may take to end when the server stops.
const FAREWELL: Duration = Duration::from_secs(10);
/// How long accepting pauses when the system has no file handles left.
const OUT_OF_HANDLES: Duration = Duration::from_millis(100);

/// Where a server listens, and where its games are.
#[derive(Clone, Debug)]
pub struct Config {
    /// The address; port 0 takes a free one.
    pub addr: SocketAddr,
    /// The folder of the games.
    pub data: PathBuf,
}

/// The server can't start.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// Somebody else has the port.
    #[error("the port {} is in use: stop whatever uses it, or give another with --addr, such as --addr 127.0.0.1:0 for any free one", .0.port())]
    PortInUse(SocketAddr),
    /// The address can't be listened at.
    #[error("can't listen at {0}")]
    Listen(SocketAddr, #[source] io::Error),
    /// The games can't be opened.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A server that has its address and its games, and is ready to run.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    app: App,
    closing: watch::Sender<bool>,
}

impl Server {
    /// Takes the address and opens the games.
    ///
    /// # Errors
    /// When the port is in use, the address can't be had, or the games can't be opened.
    pub async fn bind(config: Config) -> Result<Self, ServeError> {
        let refused = |error: io::Error| match error.kind() {
            io::ErrorKind::AddrInUse => ServeError::PortInUse(config.addr),
            _ => ServeError::Listen(config.addr, error),
        };
        let listener = TcpListener::bind(config.addr).await.map_err(refused)?;
        let address = listener.local_addr().map_err(|error| ServeError::Listen(config.addr, error))?;
        let store = Store::open(&config.data)?;
        let (closing, closed) = watch::channel(false);
        Ok(Self { listener, address, app: App::new(store, closed), closing })
    }

    /// Where the server listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves until `stop` is done; then lets requests under way end, and tells those who watch.
    pub async fn run(self, stop: impl Future<Output = ()>) {
        let Self { listener, app, closing, .. } = self;
        let service = TowerToHyperService::new(api::router(app));
        let places = Arc::new(Semaphore::new(CONNECTIONS as usize));
        let serving = async {
            loop {
                let Ok(place) = places.clone().acquire_owned().await else { return };
                let connection = connection(accept(&listener).await, service.clone(), closing.subscribe());
                tokio::spawn(async move {
                    connection.await;
                    drop(place);
                });
            }
        };
        tokio::select! {
            () = serving => {},
            () = stop => {},
        }
        drop(listener);
        closing.send_replace(true);
        // Whoever has all places knows that nobody is left.
        if tokio::time::timeout(FAREWELL, places.acquire_many(CONNECTIONS)).await.is_err() {
            tracing::warn!("some requests were cut off");
        }
    }
}

/// Serves one connection until it ends, or until the server stops and its request under way is answered.
async fn connection(stream: TcpStream, service: TowerToHyperService<Router>, mut closing: watch::Receiver<bool>) {
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(HEAD);
    let mut connection = pin!(builder.serve_connection(TokioIo::new(stream), service).with_upgrades());
    // A connection that breaks is the other side's business.
    tokio::select! {
        _ = connection.as_mut() => return,
        _ = closing.wait_for(|&closing| closing) => {},
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
                tokio::time::sleep(OUT_OF_HANDLES).await;
            }
        }
    }
}
