//! A cable between one machine and the brokers that can be pulled: what was sent is gone, connections stay and say nothing, as in a real network.
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

/// The cable; its ends are on loopback.
pub(crate) struct Cable {
    /// Where the machine finds the brokers.
    pub(crate) ends: Vec<SocketAddr>,
    cut: watch::Sender<bool>,
}

impl Cable {
    /// One to each of `brokers`. Inside a runtime.
    pub(crate) async fn lay(brokers: &[SocketAddr]) -> io::Result<Self> {
        let (cut, state) = watch::channel(false);
        let mut ends = Vec::new();
        for broker in brokers.iter().copied() {
            let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
            ends.push(listener.local_addr()?);
            let state = state.clone();
            tokio::spawn(async move {
                while let Ok((client, _)) = listener.accept().await {
                    tokio::spawn(carry(client, broker, state.clone()));
                }
            });
        }
        Ok(Self { ends, cut })
    }

    /// Pulled (`true`), or plugged in again.
    pub(crate) fn pull(&self, out: bool) {
        self.cut.send_replace(out);
    }
}

/// Carries bytes until the cable is pulled; then nothing, until it is back and the old connection is long dead.
async fn carry(mut client: TcpStream, broker: SocketAddr, mut cut: watch::Receiver<bool>) {
    let mut held = None;
    if !*cut.borrow_and_update() {
        let Ok(server) = TcpStream::connect(broker).await else { return };
        let server = held.insert(server);
        tokio::select! {
            _ = copy_bidirectional(&mut client, server) => return,
            _ = cut.wait_for(|out| *out) => {}
        }
    }
    _ = cut.wait_for(|out| !*out).await;
}
