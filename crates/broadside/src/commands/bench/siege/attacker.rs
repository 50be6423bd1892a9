//! How an attacker treats its connections.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::{sleep, timeout};

/// What is sent over a connection: the bytes of a request, and of what follows it.
pub(super) type Bytes = Vec<u8>;

/// How an attacker treats its connections.
#[derive(Clone, Copy, Debug)]
pub(super) enum Manner {
    /// Sends a request, reads the answer, and sends the next.
    Waits,
    /// Sends one request after another without waiting, and reads what comes.
    Pipelines,
    /// Sends a request, leaves without the answer, and comes back.
    Leaves,
    /// Sends requests and reads nothing.
    Deaf,
    /// Sends a request a byte at a time.
    Slow,
}

/// Between two attempts to connect.
const RETRY: Duration = Duration::from_millis(10);
/// How long one that leaves stays.
const STAY: Duration = Duration::from_millis(20);
/// How long a deaf one waits for its requests to be taken, and then holds its connection.
const DEAF_SEND: Duration = Duration::from_millis(500);
const DEAF_HOLD: Duration = Duration::from_secs(20);
/// Between two bytes of a slow one.
const SLOW_BYTE: Duration = Duration::from_millis(100);

/// Attacks over one connection after another, until the task is dropped.
pub(super) async fn attack(address: SocketAddr, manner: Manner, requests: Arc<Vec<Bytes>>, first: usize, sent: Arc<AtomicU64>) {
    let mut next = requests.iter().cycle().skip(first % requests.len()).inspect(|_| {
        sent.fetch_add(1, Ordering::Relaxed);
    });
    loop {
        if let Ok(stream) = TcpStream::connect(address).await {
            // A server that hangs up is what an attacker has to expect.
            _ = match manner {
                Manner::Waits => wait_for_answers(stream, &mut next).await,
                Manner::Pipelines => pipeline(stream, &mut next).await,
                Manner::Leaves => leave(stream, &mut next).await,
                Manner::Deaf => send_unread(stream, &mut next).await,
                Manner::Slow => send_slowly(stream, &mut next).await,
            };
        }
        sleep(RETRY).await;
    }
}

async fn wait_for_answers<'a>(mut stream: TcpStream, requests: &mut impl Iterator<Item = &'a Bytes>) -> std::io::Result<()> {
    let mut buffer = vec![0; 1 << 16];
    for request in requests {
        stream.write_all(request).await?;
        let mut left = rest_of_answer(&mut stream, &mut buffer).await?;
        while left > 0 {
            let read = stream.read(&mut buffer).await?;
            if read == 0 {
                return Ok(());
            }
            left = left.saturating_sub(read);
        }
    }
    Ok(())
}

/// Reads the head of an answer; gives how many bytes of the body are still to come, without end where the head doesn't say.
async fn rest_of_answer(stream: &mut TcpStream, buffer: &mut [u8]) -> std::io::Result<usize> {
    let mut head = Vec::new();
    loop {
        let read = stream.read(buffer).await?;
        if read == 0 {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        }
        head.extend_from_slice(&buffer[..read]);
        if let Some(end) = head.windows(4).position(|four| four == b"\r\n\r\n") {
            let text = String::from_utf8_lossy(&head[..end]).to_ascii_lowercase();
            let length = text.lines().find_map(|line| line.strip_prefix("content-length:")?.trim().parse::<usize>().ok());
            return Ok(length.map_or(usize::MAX, |length| length.saturating_sub(head.len() - end - 4)));
        }
    }
}

async fn pipeline<'a>(stream: TcpStream, requests: &mut impl Iterator<Item = &'a Bytes>) -> std::io::Result<()> {
    let (mut reader, mut writer) = stream.into_split();
    let reading = tokio::spawn(async move {
        let mut buffer = vec![0; 1 << 16];
        while reader.read(&mut buffer).await.is_ok_and(|read| read > 0) {}
    });
    let _aborted = AbortOnDrop(reading.abort_handle());
    for request in requests {
        writer.write_all(request).await?;
    }
    Ok(())
}

struct AbortOnDrop(tokio::task::AbortHandle);

impl Drop for AbortOnDrop {
    fn drop(&mut self) {
        self.0.abort();
    }
}

async fn leave<'a>(mut stream: TcpStream, requests: &mut impl Iterator<Item = &'a Bytes>) -> std::io::Result<()> {
    if let Some(request) = requests.next() {
        stream.write_all(request).await?;
        sleep(STAY).await;
    }
    Ok(())
}

async fn send_unread<'a>(mut stream: TcpStream, requests: &mut impl Iterator<Item = &'a Bytes>) -> std::io::Result<()> {
    let sending = async {
        for request in requests {
            stream.write_all(request).await?;
        }
        Ok::<_, std::io::Error>(())
    };
    // It stops taking requests when nobody reads its answers.
    _ = timeout(DEAF_SEND, sending).await;
    sleep(DEAF_HOLD).await;
    drop(stream);
    Ok(())
}

async fn send_slowly<'a>(mut stream: TcpStream, requests: &mut impl Iterator<Item = &'a Bytes>) -> std::io::Result<()> {
    if let Some(request) = requests.next() {
        for byte in request {
            stream.write_all(&[*byte]).await?;
            sleep(SLOW_BYTE).await;
        }
    }
    Ok(())
}
