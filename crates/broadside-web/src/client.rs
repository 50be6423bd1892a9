//! A client of the server's interface, for programs that play, such as the load benchmark and the tests.

use std::io;
use std::net::SocketAddr;

use http_body_util::{BodyExt, Full};
use hyper::body::Bytes;
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper::header::{AUTHORIZATION, CONTENT_TYPE, HOST};
use hyper::{Method, Request, StatusCode};
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;

/// The connection failed, or the server refused the request.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ClientError {
    /// There is no connection.
    #[error("can't connect")]
    Connect(#[from] io::Error),
    /// The connection failed.
    #[error("the connection failed")]
    Connection(#[from] hyper::Error),
    /// The answer is not JSON.
    #[error("the answer is not JSON")]
    Json(#[from] serde_json::Error),
    /// The server refused the request.
    #[error("{status}: {error}")]
    Refused {
        /// The status.
        status: StatusCode,
        /// The body of the answer: the code and the message.
        error: Value,
    },
}

impl ClientError {
    /// The code of the error, if the server refused the request.
    pub fn kind(&self) -> Option<&str> {
        match self {
            Self::Refused { error, .. } => error["error"]["kind"].as_str(),
            _ => None,
        }
    }
}

/// The address in the line that `broadside serve` prints when it starts.
///
/// ```
/// use broadside_web::client::address_in;
/// let line = "Broadside is at http://127.0.0.1:1805/ (Ctrl-C stops it)";
/// assert_eq!(address_in(line), Some("127.0.0.1:1805".parse()?));
/// # Ok::<(), std::net::AddrParseError>(())
/// ```
pub fn address_in(line: &str) -> Option<SocketAddr> {
    line.split("http://").nth(1)?.split('/').next()?.parse().ok()
}

/// One connection, kept open from request to request.
pub struct Client {
    sender: SendRequest<Full<Bytes>>,
}

impl Client {
    /// Connects to a server.
    ///
    /// # Errors
    /// When no server listens there.
    pub async fn connect(address: SocketAddr) -> Result<Self, ClientError> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Self::over(stream).await
    }

    /// Talks over a connection.
    ///
    /// # Errors
    /// When it is closed.
    pub async fn over(stream: impl AsyncRead + AsyncWrite + Send + Unpin + 'static) -> Result<Self, ClientError> {
        let (sender, connection) = handshake(TokioIo::new(stream)).await?;
        tokio::spawn(async move {
            // What fails here fails the request too, which tells of it.
            _ = connection.await;
        });
        Ok(Self { sender })
    }

    /// Asks for something.
    ///
    /// # Errors
    /// When the connection fails or the server refuses.
    pub async fn get(&mut self, path: &str, token: Option<&str>) -> Result<Value, ClientError> {
        self.send(Method::GET, path, token, Bytes::new()).await
    }

    /// Sends something.
    ///
    /// # Errors
    /// When the connection fails or the server refuses.
    pub async fn post(&mut self, path: &str, token: Option<&str>, body: &Value) -> Result<Value, ClientError> {
        self.send(Method::POST, path, token, body.to_string().into()).await
    }

    async fn send(&mut self, method: Method, path: &str, token: Option<&str>, body: Bytes) -> Result<Value, ClientError> {
        let mut request = Request::builder().method(method).uri(path).header(HOST, "localhost");
        if let Some(token) = token {
            request = request.header(AUTHORIZATION, format!("Bearer {token}"));
        }
        let request = request.header(CONTENT_TYPE, "application/json").body(Full::new(body)).expect("a request");
        self.sender.ready().await?;
        let answer = self.sender.send_request(request).await?;
        let status = answer.status();
        let body = serde_json::from_slice(&answer.into_body().collect().await?.to_bytes())?;
        if status.is_success() { Ok(body) } else { Err(ClientError::Refused { status, error: body }) }
    }
}

/// A player of a game.
///
/// ```
/// use broadside_web::client::{Client, Player};
/// use broadside_web::{Config, Server};
/// use serde_json::json;
///
/// # #[tokio::main]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = tempfile::tempdir()?;
/// # let server = Server::bind(Config::new("127.0.0.1:0".parse()?, folder.path().join("games"))).await?;
/// # let address = server.address();
/// # let _running = tokio::spawn(server.run(std::future::pending()));
/// // Ann makes a game, and Bob joins it by her invitation.
/// let game = json!({ "rules": { "board": "3x3", "fleet": "2" } });
/// let mut ann = Player::make(Client::connect(address).await?, &game).await?;
/// let invite = ann.invite.clone().expect("a game of two has an invitation");
/// let mut bob = Player::join(Client::connect(address).await?, &ann.id, &invite).await?;
/// ann.place(&json!(["A1-A2"])).await?;
/// bob.place(&json!(["C1-C2"])).await?;
///
/// ann.fire("C1").await?;
/// assert_eq!(ann.shots(), ["C1+"]);
/// assert!(!ann.is_to_fire() && !ann.is_over());
/// let error = ann.fire("C2").await.unwrap_err();
/// assert_eq!(error.kind(), Some("not-your-turn"));
/// # Ok(())
/// # }
/// ```
pub struct Player {
    /// The connection.
    pub client: Client,
    /// The id of the game.
    pub id: String,
    /// The player's token.
    pub token: String,
    /// The invitation for the second player.
    pub invite: Option<String>,
    /// The game as the server last showed it.
    pub view: Value,
}

impl Player {
    /// Makes a game; `wanted` is as the interface describes it.
    ///
    /// # Errors
    /// As [`Client::post`].
    pub async fn make(mut client: Client, wanted: &Value) -> Result<Self, ClientError> {
        let mut made = client.post("/api/games", None, wanted).await?;
        let text = |name: &str| made[name].as_str().map(str::to_owned);
        let (id, token, invite) = (text("id").unwrap_or_default(), text("token").unwrap_or_default(), text("invite"));
        Ok(Self { client, id, token, invite, view: made["view"].take() })
    }

    /// Joins a game.
    ///
    /// # Errors
    /// As [`Client::post`].
    pub async fn join(mut client: Client, id: &str, invite: &str) -> Result<Self, ClientError> {
        let mut joined = client.post(&format!("/api/games/{id}/join"), None, &json!({ "invite": invite })).await?;
        let token = joined["token"].as_str().unwrap_or_default().to_owned();
        Ok(Self { client, id: id.to_owned(), token, invite: None, view: joined["view"].take() })
    }

    /// Does something with the game, such as `resign`.
    ///
    /// # Errors
    /// As [`Client::post`].
    pub async fn act(&mut self, what: &str, body: &Value) -> Result<&Value, ClientError> {
        let path = format!("/api/games/{}/{what}", self.id);
        self.view = self.client.post(&path, Some(&self.token), body).await?;
        Ok(&self.view)
    }

    /// Places a fleet, each ship by its ends.
    ///
    /// # Errors
    /// As [`Client::post`].
    pub async fn place(&mut self, ships: &Value) -> Result<&Value, ClientError> {
        self.act("layout", &json!({ "ships": ships })).await
    }

    /// Fires the next shot.
    ///
    /// # Errors
    /// As [`Client::post`].
    pub async fn fire(&mut self, cell: &str) -> Result<&Value, ClientError> {
        let number = self.shots().len();
        self.act("shots", &json!({ "cell": cell, "number": number })).await
    }

    /// Asks how the game stands.
    ///
    /// # Errors
    /// As [`Client::get`].
    pub async fn look(&mut self) -> Result<&Value, ClientError> {
        self.view = self.client.get(&format!("/api/games/{}", self.id), Some(&self.token)).await?;
        Ok(&self.view)
    }

    /// The player's shots so far, with their answers.
    pub fn shots(&self) -> Vec<&str> {
        self.view["you"]["shots"].as_array().into_iter().flatten().filter_map(Value::as_str).collect()
    }

    /// Whether the game is over.
    pub fn is_over(&self) -> bool {
        self.view["phase"] == "over"
    }

    /// Whether the player is to fire.
    pub fn is_to_fire(&self) -> bool {
        self.view["turn"] == "you"
    }
}
