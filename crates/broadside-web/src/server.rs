//! The server: its address, its connections, and how it stops.

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use hyper::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::{Semaphore, watch};

use crate::admin;
use crate::api;
use crate::app::App;
use crate::config::{Config, Limits};
use crate::game::today;
use crate::memory;
use crate::metrics::Metrics;
use crate::pace::{BusyThreads, Pace};
use crate::peer::{ClientId, Peer, network};
use crate::schema::StoreError;
use crate::shard::{self, Shard};
use crate::store::{Store, remove_before};
use crate::write_timeout::{OtherEnd, WriteTimeoutStream};

/// How long accepting pauses when the system has no file handles left.
const ACCEPT_RETRY: Duration = Duration::from_millis(100);
/// The largest head of a request, and the most that is read ahead of a connection.
const MAX_HEAD: usize = 32 << 10;
/// What of an answer may be on its way, in bytes.
const SEND_BUFFER: u32 = 128 << 10;
/// Connections that may wait to be accepted.
const BACKLOG: u32 = 1024;
/// How often old games are looked for.
const REMOVE_INTERVAL: Duration = Duration::from_secs(3600);
/// Between two removals, in which players use the database.
const REMOVE_PAUSE: Duration = Duration::from_millis(50);

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
    /// The server is given less memory than it takes.
    #[error("a server takes at least 128MB of memory: give it more with --memory")]
    Memory,
    /// The folder has games of another shard.
    #[error("this is shard {shard}, and {} has games of shard {theirs}: give each shard a folder of its own with --data", .folder.display())]
    OtherShard {
        /// The folder.
        folder: PathBuf,
        /// This shard.
        shard: Shard,
        /// The number of the other one.
        theirs: u32,
    },
    /// The system gives no threads.
    #[error("can't start the threads of the server")]
    Threads(#[source] io::Error),
    /// The games can't be opened.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A server that is bound to its address and has opened its games, ready to run.
///
/// ```
/// use broadside_web::client::Client;
/// use broadside_web::{Config, Server};
///
/// # #[tokio::main]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = tempfile::tempdir()?;
/// let server = Server::bind(Config::new("127.0.0.1:0".parse()?, folder.path().join("games"))).await?;
/// let (address, metrics) = (server.address(), server.metrics());
/// let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
/// let running = tokio::spawn(server.run(async { drop(stopped.await) }));
///
/// let presets = Client::connect(address).await?.get("/api/presets", None).await?;
/// assert_eq!(presets["presets"][0]["name"], "classic");
/// assert_eq!(metrics.game_reads(), 0, "no game was needed for that");
///
/// drop(stop);
/// running.await?;
/// # Ok(())
/// # }
/// ```
pub struct Server {
    listener: (TcpListener, SocketAddr),
    admin: Option<(TcpListener, SocketAddr)>,
    app: App,
    busy_threads: BusyThreads,
    stopping: watch::Sender<bool>,
}

impl Server {
    /// Binds to the address and opens the games.
    ///
    /// # Errors
    /// When the port is in use, the server can't listen at the address, it has too little memory or no threads, or the games
    /// can't be opened or are of another shard.
    pub async fn bind(config: Config) -> Result<Self, ServeError> {
        if config.memory < memory::LEAST {
            return Err(ServeError::Memory);
        }
        let listener = listen(config.addr)?;
        let admin = match config.admin {
            Some(addr) => Some(listen(addr)?),
            None => None,
        };
        let metrics = Metrics::default();
        let store = Store::open(&config.data, metrics.clone())?;
        check_shard(&store, &config).await?;
        let (stopping, receiver) = watch::channel(false);
        let busy_threads = BusyThreads::start().map_err(ServeError::Threads)?;
        Ok(Self { listener, admin, app: App::new(store, config, metrics, receiver), busy_threads, stopping })
    }

    /// Where the server listens.
    pub fn address(&self) -> SocketAddr {
        self.listener.1
    }

    /// Where `/healthz` and `/metrics` are.
    pub fn admin_address(&self) -> Option<SocketAddr> {
        self.admin.as_ref().map(|(_, address)| *address)
    }

    /// The counters of this server, which go on counting while it runs.
    pub fn metrics(&self) -> Metrics {
        self.app.metrics.clone()
    }

    /// Serves until `stop` is done. Requests under way may end then, and sockets are closed.
    pub async fn run(self, stop: impl Future<Output = ()>) {
        let Self { listener: (listener, _), admin, app, busy_threads, stopping } = self;
        if let Some((listener, _)) = admin {
            let mut stopping = stopping.subscribe();
            let stopped = async move { _ = stopping.wait_for(|&stopping| stopping).await };
            let serving = axum::serve(listener, admin::router(app.clone())).with_graceful_shutdown(stopped);
            tokio::spawn(serving.into_future());
        }
        if let Some(days) = app.config.keep_days {
            tokio::spawn(remove_unused(app.store.clone(), days));
        }
        let limits = app.config.limits.clone();
        let connections = app.connections;
        let permits = Arc::new(Semaphore::new(connections as usize));
        tokio::select! {
            () = accept_all(&listener, app, busy_threads, &stopping, &permits) => {},
            () = stop => {},
        }
        drop(listener);
        stopping.send_replace(true);
        // All permits are free when the last connection has ended.
        if tokio::time::timeout(limits.shutdown_timeout, permits.acquire_many(connections)).await.is_err() {
            tracing::warn!("some requests were cut off");
        }
    }
}

/// Refuses a folder with games of another shard: nobody would find them here.
async fn check_shard(store: &Store, config: &Config) -> Result<(), ServeError> {
    let Some(shard) = config.shard else { return Ok(()) };
    let found = store.run(ClientId::Server, move |db| Ok(shard.foreign_id(db)?)).await;
    match found.ok().flatten() {
        Some(id) => {
            Err(ServeError::OtherShard { folder: config.data.clone(), shard, theirs: shard::number_in(&id).unwrap_or(1) })
        }
        None => Ok(()),
    }
}

fn listen(addr: SocketAddr) -> Result<(TcpListener, SocketAddr), ServeError> {
    let refused = |error: io::Error| match error.kind() {
        io::ErrorKind::AddrInUse => ServeError::PortInUse(addr),
        _ => ServeError::Listen(addr, error),
    };
    let listener = bind(addr).map_err(refused)?;
    let address = listener.local_addr().map_err(|error| ServeError::Listen(addr, error))?;
    Ok((listener, address))
}

/// Listens at an address. Connections have small buffers for answers: the system's own grow to megabytes for each of those who
/// never read, and copying into them is work that everybody else waits for.
fn bind(addr: SocketAddr) -> io::Result<TcpListener> {
    let socket = if addr.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    // After a restart the address is there at once.
    #[cfg(not(windows))]
    socket.set_reuseaddr(true)?;
    socket.set_send_buffer_size(SEND_BUFFER)?;
    socket.bind(addr)?;
    socket.listen(BACKLOG)
}

/// Removes games that have not changed for so many days and lists that nobody has used for so long, a few at a time, and looks
/// again every hour.
async fn remove_unused(store: Store, days: u32) {
    let mut hour = tokio::time::interval(REMOVE_INTERVAL);
    loop {
        hour.tick().await;
        let first_kept = today() - i64::from(days);
        loop {
            match store.run(ClientId::Server, move |db| remove_before(db, first_kept)).await {
                Ok(0) => break,
                Ok(_) => tokio::time::sleep(REMOVE_PAUSE).await,
                Err(error) => {
                    tracing::error!(%error, "old games could not be removed");
                    break;
                }
            }
        }
    }
}

/// Serves every connection that comes.
async fn accept_all(
    listener: &TcpListener,
    app: App,
    busy_threads: BusyThreads,
    stopping: &watch::Sender<bool>,
    permits: &Arc<Semaphore>,
) {
    let (config, address_limits, metrics) = (app.config.clone(), app.limits.clone(), app.metrics.clone());
    let router = TowerToHyperService::new(api::router(app));
    for number in 0.. {
        let Ok(permit) = permits.clone().acquire_owned().await else { return };
        let (stream, peer) = accept(listener, number).await;
        // The connections of a proxy are those of all its clients.
        let is_proxy = config.proxies.contains(&peer.remote);
        let counted = address_limits.connection(network(peer.remote), is_proxy);
        metrics.count_connection(counted.is_none());
        let Some(counted) = counted else { continue };
        let stream = WriteTimeoutStream::new(stream, config.limits.write_timeout);
        let pace = Pace::new();
        let service = PeerService { router: router.clone(), peer, pace: pace.clone(), other_end: stream.other_end() };
        let connection = serve_connection(stream, service, config.limits.clone(), stopping.subscribe());
        let served = pace.serve(connection, busy_threads.clone());
        tokio::spawn(async move {
            served.await;
            drop((counted, permit));
        });
    }
}

/// The routes, with the ends of the connection added to each request.
struct PeerService {
    router: TowerToHyperService<Router>,
    peer: Peer,
    pace: Arc<Pace>,
    other_end: OtherEnd,
}

type RouterService = TowerToHyperService<Router>;

impl hyper::service::Service<Request<Incoming>> for PeerService {
    type Response = <RouterService as hyper::service::Service<Request<Incoming>>>::Response;
    type Error = <RouterService as hyper::service::Service<Request<Incoming>>>::Error;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Self::Error>> + Send>>;

    fn call(&self, mut request: Request<Incoming>) -> Self::Future {
        request.extensions_mut().insert(self.peer);
        let (answer, pace, other_end) = (self.router.call(request), self.pace.clone(), self.other_end.clone());
        Box::pin(async move {
            tokio::select! {
                answer = pace.note(answer) => answer,
                () = other_end.has_left() => Ok(end_of_connection()),
            }
        })
    }
}

/// What nobody hears; none of the requests that were sent after it is answered.
fn end_of_connection() -> Response {
    (StatusCode::REQUEST_TIMEOUT, [(header::CONNECTION, "close")]).into_response()
}

/// Serves one connection until it ends, or until the server stops and the request under way is answered.
async fn serve_connection(stream: WriteTimeoutStream, service: PeerService, limits: Limits, mut stopping: watch::Receiver<bool>) {
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(limits.head_timeout).max_buf_size(MAX_HEAD);
    let mut connection = pin!(builder.serve_connection(TokioIo::new(stream), service).with_upgrades());
    // A broken connection is not an error of the server.
    tokio::select! {
        _ = connection.as_mut() => return,
        _ = stopping.wait_for(|&stopping| stopping) => {},
    }
    connection.as_mut().graceful_shutdown();
    _ = connection.await;
}

async fn accept(listener: &TcpListener, connection: u64) -> (TcpStream, Peer) {
    loop {
        match listener.accept().await.and_then(|(stream, remote)| Ok((stream.local_addr()?, stream, remote))) {
            Ok((local, stream, remote)) => {
                // Answers are small and waited for.
                _ = stream.set_nodelay(true);
                let [remote, local] = [remote, local].map(|address| address.ip().to_canonical());
                return (stream, Peer { connection, remote, local });
            }
            Err(error) => {
                tracing::warn!(%error, "a connection could not be accepted");
                tokio::time::sleep(ACCEPT_RETRY).await;
            }
        }
    }
}
