//! What can go wrong around the boards: listeners by the thousand, readers that take nothing, a webhook that never answers, a disk that stalls.
use super::clients::stalled;
use std::fs;
use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpSocket, TcpStream as Socket};
use tokio_util::sync::CancellationToken;

/// Readers that take nothing come in such groups, so often: the program hangs up on each after 20 s.
const GROUP: usize = 20;
const EVERY: Duration = Duration::from_secs(10);

/// Asks for a stream from an address of its own, as people in a hall do.
async fn connect(web: SocketAddr, person: usize, path: &str) -> std::io::Result<Socket> {
    let socket = TcpSocket::new_v4()?;
    socket.bind((Ipv4Addr::new(127, 1, (person / 250) as u8, (person % 250) as u8 + 1), 0).into())?;
    // What nobody takes does not fit into the system either.
    socket.set_recv_buffer_size(4_096)?;
    let mut socket = socket.connect(web).await?;
    socket.write_all(format!("GET {path} HTTP/1.1\r\nHost: {web}\r\n\r\n").as_bytes()).await?;
    Ok(socket)
}

/// People who have a board's page open: each listens to one board, and comes back after ten seconds where there was no place.
pub(super) struct Listeners {
    stop: CancellationToken,
    listening: Arc<AtomicU64>,
    refused: Arc<AtomicU64>,
}

impl Listeners {
    pub(super) fn open(web: SocketAddr, listeners: usize, boards: usize) -> Self {
        let all = Self { stop: CancellationToken::new(), listening: Arc::default(), refused: Arc::default() };
        for person in 0..listeners {
            let (stop, listening, refused) = (all.stop.clone(), all.listening.clone(), all.refused.clone());
            tokio::spawn(stop.run_until_cancelled_owned(async move {
                loop {
                    let path = format!("/api/v1/boards/{}/events", person % boards + 1);
                    if let Ok(socket) = connect(web, person, &path).await {
                        listen(socket, &listening, &refused).await;
                    }
                    tokio::time::sleep(Duration::from_secs(10)).await;
                }
            }));
        }
        all
    }

    pub(super) fn close(self) {
        let (listening, refused) = (self.listening.load(Ordering::Relaxed), self.refused.load(Ordering::Relaxed));
        self.stop.cancel();
        println!("  {listening} listen, {refused} requests were refused");
    }
}

async fn listen(mut socket: Socket, listening: &AtomicU64, refused: &AtomicU64) {
    let mut bytes = [0; 4_096];
    match socket.read(&mut bytes).await {
        Ok(n) if bytes[..n].starts_with(b"HTTP/1.1 200") => {
            listening.fetch_add(1, Ordering::Relaxed);
            while socket.read(&mut bytes).await.is_ok_and(|n| n > 0) {}
            listening.fetch_sub(1, Ordering::Relaxed);
        }
        _ => {
            refused.fetch_add(1, Ordering::Relaxed);
        }
    }
}

/// People who have the page of all boards open: each follows the boards that a screen shows, by the stream that the page asks for.
pub(super) struct Spectators {
    stop: CancellationToken,
    people: usize,
    bytes: Arc<AtomicU64>,
}

/// Boards that a screen shows.
const SEEN: usize = 6;

impl Spectators {
    pub(super) fn open(web: SocketAddr, people: usize, boards: usize) -> Self {
        let all = Self { stop: CancellationToken::new(), people, bytes: Arc::default() };
        for person in 0..people {
            let seen: Vec<_> = (0..SEEN.min(boards)).map(|n| ((person * SEEN + n) % boards + 1).to_string()).collect();
            let (stop, taken) = (all.stop.clone(), all.bytes.clone());
            tokio::spawn(stop.run_until_cancelled_owned(async move {
                let mut bytes = [0; 16_384];
                loop {
                    if let Ok(mut socket) = connect(web, person, &format!("/api/v1/events?boards={}", seen.join(","))).await {
                        while let Ok(n @ 1..) = socket.read(&mut bytes).await {
                            taken.fetch_add(n as u64, Ordering::Relaxed);
                        }
                    }
                    tokio::time::sleep(Duration::from_secs(1)).await;
                }
            }));
        }
        all
    }

    /// What came since it was asked last, of all of them.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes.swap(0, Ordering::Relaxed)
    }

    pub(super) fn close(self, seconds: u64) {
        let each = self.bytes() as f64 / self.people.max(1) as f64 / seconds as f64;
        self.stop.cancel();
        println!("  each of {} spectators of {SEEN} boards took {each:.0} bytes a second", self.people);
    }
}

/// Streams and LiveChess clients that are opened and never read, again and again.
pub(super) struct Hung {
    stop: CancellationToken,
    opened: Arc<AtomicU64>,
}

impl Hung {
    pub(super) fn open(web: SocketAddr, livechess: SocketAddr, boards: usize) -> Self {
        let hung = Self { stop: CancellationToken::new(), opened: Arc::default() };
        let opened = hung.opened.clone();
        tokio::spawn(hung.stop.clone().run_until_cancelled_owned(async move {
            let mut kept = Vec::new();
            let mut clients = Vec::new();
            loop {
                for _ in 0..GROUP {
                    let person = opened.fetch_add(1, Ordering::Relaxed) as usize;
                    kept.extend(connect(web, person, "/api/v1/events").await);
                }
                clients.extend(tokio::task::spawn_blocking(move || stalled(livechess, boards)).await);
                tokio::time::sleep(EVERY).await;
            }
        }));
        hung
    }

    pub(super) fn close(self) {
        self.stop.cancel();
        println!("  {} streams of all boards were opened and not read", self.opened.load(Ordering::Relaxed));
    }
}

/// Where alerts go. It answers, or it takes what comes and never says anything.
#[derive(Clone, Default)]
pub(super) struct Webhook {
    pub(super) silent: Arc<AtomicBool>,
    taken: Arc<AtomicU64>,
    kept: Arc<Mutex<Vec<TcpStream>>>,
}

impl Webhook {
    pub(super) fn listen(&self) -> SocketAddr {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let hook = self.clone();
        thread::spawn(move || listener.incoming().flatten().for_each(|socket| hook.take(socket)));
        address
    }

    fn take(&self, mut socket: TcpStream) {
        self.taken.fetch_add(1, Ordering::Relaxed);
        if self.silent.load(Ordering::Relaxed) {
            return self.kept.lock().unwrap().push(socket);
        }
        thread::spawn(move || {
            let mut bytes = [0; 16_384];
            // One request a connection: small enough for one read.
            if socket.read(&mut bytes).is_ok_and(|n| n > 0) {
                let _ = socket.write_all(b"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n");
            }
        });
    }

    /// It answers again.
    pub(super) fn answer(&self) {
        self.silent.store(false, Ordering::Relaxed);
        let kept = std::mem::take(&mut *self.kept.lock().unwrap());
        println!("  {} alerts were sent to a webhook that never answered", kept.len());
    }

    pub(super) fn taken(&self) -> u64 {
        self.taken.load(Ordering::Relaxed)
    }
}

/// Every write and every sync of the thread that touches the disk waits, until this is dropped. strace holds that thread alone.
pub(super) struct StalledDisk(Child);

impl StalledDisk {
    pub(super) fn stall(process: u32) -> Option<Self> {
        let threads = fs::read_dir(format!("/proc/{process}/task")).unwrap().flatten().map(|entry| entry.path());
        let disk = threads.into_iter().find(|path| fs::read_to_string(path.join("comm")).is_ok_and(|name| name.trim() == "disk"))?;
        let thread = disk.file_name()?.to_str()?;
        let calls = "pwrite64,fdatasync,fsync";
        let strace = Command::new("strace")
            .args(["-qq", "-o", "/dev/null", "-p", thread, "-e", &format!("trace={calls}"), "-e"])
            .arg(format!("inject={calls}:delay_enter=3000000000"))
            .stderr(Stdio::inherit())
            .spawn();
        strace.ok().map(Self)
    }
}

impl Drop for StalledDisk {
    fn drop(&mut self) {
        // It lets the thread go; killed by SIGKILL, it might not.
        let _ = Command::new("kill").args(["-INT", &self.0.id().to_string()]).status();
        let _ = self.0.wait();
    }
}
