//! A server in this process, and players for it.

use std::net::SocketAddr;

use broadside_web::client::{Client, Player};
use broadside_web::{Config, Metrics, Server};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

/// A running server with a folder of its own.
pub(crate) struct Running {
    pub(crate) address: SocketAddr,
    pub(crate) admin: Option<SocketAddr>,
    pub(crate) metrics: Metrics,
    stop: Option<oneshot::Sender<()>>,
    task: JoinHandle<()>,
    folder: Option<TempDir>,
}

impl Running {
    pub(crate) async fn start() -> Self {
        Self::start_in(tempfile::tempdir().expect("a folder")).await
    }

    pub(crate) async fn start_in(folder: TempDir) -> Self {
        Self::start_with(folder, |_| {}).await
    }

    /// A server whose setup is changed.
    pub(crate) async fn start_with(folder: TempDir, change: impl FnOnce(&mut Config)) -> Self {
        let mut config = Config::new("127.0.0.1:0".parse().expect("an address"), folder.path().to_owned());
        change(&mut config);
        let server = Server::bind(config).await.expect("a server");
        let (address, admin, metrics) = (server.address(), server.admin_address(), server.metrics());
        let (stop, stopped) = oneshot::channel();
        let task = tokio::spawn(server.run(async {
            _ = stopped.await;
        }));
        Self { address, admin, metrics, stop: Some(stop), task, folder: Some(folder) }
    }

    /// Stops the server and gives its folder back.
    pub(crate) async fn stop(mut self) -> TempDir {
        self.stop.take().expect("not stopped yet").send(()).expect("running");
        (&mut self.task).await.expect("a clean stop");
        self.folder.take().expect("a folder")
    }

    pub(crate) async fn client(&self) -> Client {
        Client::connect(self.address).await.expect("a connection")
    }

    pub(crate) async fn player(&self, wanted: &Value) -> Player {
        Player::make(self.client().await, wanted).await.expect("a game")
    }

    /// Two people in one game by these rules, who have not placed yet.
    pub(crate) async fn pair(&self, rules: &Value) -> [Player; 2] {
        let one = self.player(&json!({ "rules": rules, "name": "Ann" })).await;
        let invite = one.invite.clone().expect("an invitation");
        let other = Player::join(self.client().await, &one.id, &invite).await.expect("a seat");
        [one, other]
    }
}

/// The whole answer to a request as it goes over the wire.
pub(crate) async fn raw(address: SocketAddr, request: &str) -> String {
    let mut stream = TcpStream::connect(address).await.expect("a connection");
    stream.write_all(request.as_bytes()).await.expect("sent");
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.expect("an answer");
    String::from_utf8_lossy(&answer).into_owned()
}

/// The whole answer to a GET with more headers, each ended by a line break.
pub(crate) async fn get(address: SocketAddr, path: &str, more: &str) -> String {
    raw(address, &format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{more}\r\n")).await
}

/// Rules for short games: a ship of 2 on 3x3.
pub(crate) fn small() -> Value {
    json!({ "board": "3x3", "fleet": "2" })
}
