//! A server in this process, and players for it.

use std::net::SocketAddr;

use broadside_web::client::{Client, Player};
use broadside_web::{Config, Metrics, Server};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

/// A running server with a folder of its own.
pub(crate) struct Running {
    pub(crate) address: SocketAddr,
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
        let config = Config { addr: "127.0.0.1:0".parse().expect("an address"), data: folder.path().to_owned() };
        let server = Server::bind(config).await.expect("a server");
        let (address, metrics) = (server.address(), server.metrics());
        let (stop, stopped) = oneshot::channel();
        let task = tokio::spawn(server.run(async {
            _ = stopped.await;
        }));
        Self { address, metrics, stop: Some(stop), task, folder: Some(folder) }
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

/// Rules for short games: a ship of 2 on 3x3.
pub(crate) fn small() -> Value {
    json!({ "board": "3x3", "fleet": "2" })
}
