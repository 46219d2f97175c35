//! What stands between a library that reads without end and a server that may write without end: a relay that counts.
use crate::bounded::ENDLESS;
use std::io;
use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, copy};
use tokio::net::{TcpStream, UnixStream};
use tokio::time::sleep;

/// How long a server may go on after the last byte for it.
const LINGER: Duration = Duration::from_secs(5);

/// What a server may still say, bytes. Clones share it.
#[derive(Clone, Debug)]
pub(super) struct Budget {
    left: Arc<AtomicUsize>,
    spent: Arc<AtomicBool>,
}

impl Budget {
    pub(super) fn new(bytes: usize) -> Self {
        Self { left: Arc::new(AtomicUsize::new(bytes)), spent: Arc::default() }
    }

    /// So many bytes from now on, unless more came already than it may.
    pub(super) fn refill(&self, bytes: usize) {
        self.left.store(bytes, Ordering::Relaxed);
    }

    /// Whether the server said more than it may; then nothing more is heard of it.
    pub(super) fn is_spent(&self) -> bool {
        self.spent.load(Ordering::Relaxed)
    }

    fn take(&self, bytes: usize) -> io::Result<()> {
        let taken = self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(bytes));
        taken.map(|_| ()).map_err(|_| {
            self.spent.store(true, Ordering::Relaxed);
            io::Error::other(ENDLESS)
        })
    }
}

/// The same connection, of which no more is heard than `budget` has. It is a pair of sockets inside this process; only who asks for its
/// address notices.
pub(super) fn bounded(far: TcpStream, budget: Budget) -> io::Result<TcpStream> {
    let (near, inner) = UnixStream::pair()?;
    tokio::spawn(relay(inner, far, budget));
    TcpStream::from_std(std::net::TcpStream::from(OwnedFd::from(near.into_std()?)))
}

async fn relay(mut near: UnixStream, mut far: TcpStream, budget: Budget) {
    let ((mut near_in, mut near_out), (mut far_in, mut far_out)) = (near.split(), far.split());
    let up = async {
        // An end is one, however it came.
        _ = copy(&mut near_in, &mut far_out).await;
        _ = far_out.shutdown().await;
        // What is still unread would tear the connection down before the last bytes have arrived.
        sleep(LINGER).await;
    };
    let down = async {
        let (mut portion, mut heard) = ([0; 8 * 1024], true);
        while let Ok(count) = far_in.read(&mut portion).await {
            if count == 0 || budget.take(count).is_err() {
                break;
            }
            heard = heard && near_out.write_all(&portion[..count]).await.is_ok();
        }
        _ = near_out.shutdown().await;
    };
    tokio::select! {
        () = up => {}
        () = down => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::net::TcpListener;

    #[tokio::test]
    async fn both_directions_to_the_last_byte_and_no_more_than_the_budget() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let (there, here) = tokio::join!(listener.accept(), TcpStream::connect(listener.local_addr().unwrap()));
        let (mut server, budget) = (there.unwrap().0, Budget::new(1_000));
        let mut client = bounded(here.unwrap(), budget.clone()).unwrap();
        client.write_all(&[7; 100_000]).await.unwrap();
        client.shutdown().await.unwrap();
        let mut heard = Vec::new();
        server.read_to_end(&mut heard).await.unwrap();
        assert_eq!(heard, [7; 100_000]);
        server.write_all(&[8; 900]).await.unwrap();
        let mut answer = [0; 900];
        client.read_exact(&mut answer).await.unwrap();
        assert!(!budget.is_spent());
        server.write_all(&[9; 900]).await.unwrap();
        assert_eq!(client.read_to_end(&mut Vec::new()).await.unwrap(), 0, "what is over the budget is not handed on");
        assert!(budget.is_spent());
    }
}
