//! A connection whose other end must read, and of which one can see whether the other end has left.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use futures_util::FutureExt;
use tokio::io::{AsyncRead, AsyncWrite, Interest, ReadBuf, Ready};
use tokio::net::TcpStream;
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::time::{Instant, Sleep, sleep, sleep_until};

/// The slowest speed at which a client may read, in bytes a second.
const SLOWEST: f64 = 1024.0;

/// Between two looks whether the other end is still there.
const LOOK_INTERVAL: Duration = Duration::from_millis(250);

/// A TCP connection that fails when what is written to it is not taken off in time.
pub(crate) struct WriteTimeoutStream {
    reader: Arc<OwnedReadHalf>,
    writer: OwnedWriteHalf,
    timeout: Duration,
    /// Set while something waits to be written.
    deadline: Option<Pin<Box<Sleep>>>,
}

impl WriteTimeoutStream {
    /// `timeout` is how long a client may read nothing while something waits.
    pub(crate) fn new(stream: TcpStream, timeout: Duration) -> Self {
        let (reader, writer) = stream.into_split();
        Self { reader: Arc::new(reader), writer, timeout, deadline: None }
    }

    /// Tells whether the other end is still there, whoever reads from it.
    pub(crate) fn other_end(&self) -> OtherEnd {
        OtherEnd(self.reader.clone())
    }

    /// Fails at the deadline; otherwise waits on.
    fn poll_deadline<T>(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<T>> {
        let end = Instant::now() + self.timeout;
        let deadline = self.deadline.get_or_insert_with(|| Box::pin(sleep_until(end)));
        deadline.as_mut().poll(cx).map(|()| Err(io::ErrorKind::TimedOut.into()))
    }

    /// Some of what waited was written: all of it, or enough for some more time.
    fn advance(&mut self, written: usize, all: bool) {
        if all {
            self.deadline = None;
        } else if let Some(deadline) = &mut self.deadline {
            let earned = Duration::from_secs_f64(written as f64 / SLOWEST);
            let end = (deadline.deadline() + earned).min(Instant::now() + self.timeout);
            deadline.as_mut().reset(end);
        }
    }

    fn after_write(&mut self, cx: &mut Context<'_>, result: Poll<io::Result<usize>>, length: usize) -> Poll<io::Result<usize>> {
        match result {
            Poll::Pending => self.poll_deadline(cx),
            Poll::Ready(Ok(written)) => {
                self.advance(written, written == length);
                Poll::Ready(Ok(written))
            }
            Poll::Ready(Err(error)) => Poll::Ready(Err(error)),
        }
    }
}

/// The other end of a connection.
#[derive(Clone)]
pub(crate) struct OtherEnd(Arc<OwnedReadHalf>);

impl OtherEnd {
    /// Waits until it has left. Whoever reads the connection learns that only at the end of all that was sent, and somebody
    /// who sends one request more than is read at a time would never be missed.
    pub(crate) async fn has_left(&self) {
        loop {
            sleep(LOOK_INTERVAL).await;
            // What can be read is taken by somebody else, so this must not wait for it.
            let state = self.0.ready(Interest::READABLE).now_or_never();
            if state.is_some_and(|state| state.map_or(true, Ready::is_read_closed)) {
                return;
            }
        }
    }
}

impl AsyncRead for WriteTimeoutStream {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let stream: &TcpStream = (*self.reader).as_ref();
        loop {
            ready!(stream.poll_read_ready(cx))?;
            match stream.try_read_buf(buffer) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                read => return Poll::Ready(read.map(|_| ())),
            }
        }
    }
}

impl AsyncWrite for WriteTimeoutStream {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let result = Pin::new(&mut self.writer).poll_write(cx, bytes);
        self.after_write(cx, result, bytes.len())
    }

    fn poll_write_vectored(mut self: Pin<&mut Self>, cx: &mut Context<'_>, parts: &[io::IoSlice<'_>]) -> Poll<io::Result<usize>> {
        let result = Pin::new(&mut self.writer).poll_write_vectored(cx, parts);
        self.after_write(cx, result, parts.iter().map(|part| part.len()).sum())
    }

    fn is_write_vectored(&self) -> bool {
        self.writer.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.writer).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.writer).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::AsyncWriteExt;
    use tokio::net::TcpListener;
    use tokio::time::timeout;

    use super::*;

    #[tokio::test]
    async fn who_leaves_is_missed_even_with_bytes_that_nobody_has_read() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let mut client = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        let stream = WriteTimeoutStream::new(listener.accept().await.unwrap().0, Duration::from_secs(9));
        client.write_all(b"more than is read").await.unwrap();
        let other_end = stream.other_end();
        assert!(timeout(LOOK_INTERVAL * 3, other_end.has_left()).await.is_err(), "it is still there");
        drop(client);
        timeout(LOOK_INTERVAL * 40, other_end.has_left()).await.expect("it has left");
    }
}
