//! A connection whose other end must read.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Instant, Sleep, sleep_until};

/// The slowest speed at which a client may read, in bytes a second.
const SLOWEST: f64 = 1024.0;

/// A TCP connection that fails when what is written to it is not taken off in time.
pub(crate) struct WriteTimeoutStream {
    stream: TcpStream,
    timeout: Duration,
    /// Set while something waits to be written.
    deadline: Option<Pin<Box<Sleep>>>,
}

impl WriteTimeoutStream {
    /// `timeout` is how long a client may read nothing while something waits.
    pub(crate) fn new(stream: TcpStream, timeout: Duration) -> Self {
        Self { stream, timeout, deadline: None }
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

impl AsyncRead for WriteTimeoutStream {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buffer)
    }
}

impl AsyncWrite for WriteTimeoutStream {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let result = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.after_write(cx, result, bytes.len())
    }

    fn poll_write_vectored(mut self: Pin<&mut Self>, cx: &mut Context<'_>, parts: &[io::IoSlice<'_>]) -> Poll<io::Result<usize>> {
        let result = Pin::new(&mut self.stream).poll_write_vectored(cx, parts);
        self.after_write(cx, result, parts.iter().map(|part| part.len()).sum())
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}
