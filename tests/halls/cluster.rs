//! Three `nats-server`s as a cluster, and halls beside them; what they cost, from `/proc`.
use crate::free_port::free_port;
use serde_json::Value;
use std::fs;
use std::io::{BufRead as _, BufReader, Read, Write as _};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

const NODES: usize = 3;
/// A cluster that starts, a lease that runs out, a stream that is read.
const PATIENCE: Duration = Duration::from_secs(120);

pub(crate) struct Cluster {
    folder: tempfile::TempDir,
    program: PathBuf,
    clients: Vec<u16>,
    monitors: Vec<u16>,
    nodes: Vec<Option<Child>>,
}

pub(crate) struct Hall {
    pub(crate) name: String,
    child: Child,
    address: String,
}

/// Processor seconds and resident megabytes of a process.
fn cost(pid: u32) -> (f64, u64) {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let fields: Vec<&str> = stat.rsplit_once(')').map_or("", |(_, rest)| rest).split_whitespace().collect();
    let ticks = |n: usize| fields.get(n).and_then(|text| text.parse::<f64>().ok()).unwrap_or(0.0);
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let resident = status.lines().find_map(|line| line.strip_prefix("VmRSS:")?.split_whitespace().next()?.parse::<u64>().ok());
    ((ticks(11) + ticks(12)) / 100.0, resident.unwrap_or(0) / 1024)
}

impl Cluster {
    pub(crate) fn start() -> Option<Self> {
        let places = std::env::var_os("PATH").unwrap_or_default();
        let found = std::env::split_paths(&places).chain([PathBuf::from("/usr/sbin")]).map(|p| p.join("nats-server")).find(|p| p.is_file());
        let Some(program) = found else {
            println!("skipped: nats-server is not installed (apt-get install nats-server)");
            return None;
        };
        let ports = || (0..NODES).map(|_| free_port()).collect::<Vec<u16>>();
        let (clients, monitors, routes) = (ports(), ports(), ports());
        let folder = tempfile::tempdir().unwrap();
        let all: Vec<String> = routes.iter().map(|port| format!("\"nats://127.0.0.1:{port}\"")).collect();
        for n in 0..NODES {
            let store = folder.path().join(format!("streams-{n}"));
            let text = format!(
                "server_name: node-{n}\nlisten: \"127.0.0.1:{}\"\nhttp: \"127.0.0.1:{}\"\njetstream {{ store_dir: \"{}\" }}\ncluster {{ name: halls, listen: \"127.0.0.1:{}\", routes: [{}] }}\n",
                clients[n],
                monitors[n],
                store.display(),
                routes[n],
                all.join(", ")
            );
            fs::write(folder.path().join(format!("node-{n}.conf")), text).unwrap();
        }
        let mut cluster = Self { folder, program, clients, monitors, nodes: (0..NODES).map(|_| None).collect() };
        (0..NODES).for_each(|n| cluster.revive(n));
        let began = Instant::now();
        while cluster.meta_leader().is_none() {
            assert!(began.elapsed() < PATIENCE, "the cluster finds no leader");
            sleep(Duration::from_millis(100));
        }
        Some(cluster)
    }

    pub(crate) fn urls(&self) -> Vec<String> {
        self.clients.iter().map(|port| format!("nats://127.0.0.1:{port}")).collect()
    }

    pub(crate) fn kill(&mut self, node: usize) {
        if let Some(mut child) = self.nodes[node].take() {
            child.kill().unwrap();
            child.wait().unwrap();
        }
    }

    pub(crate) fn revive(&mut self, node: usize) {
        let mut command = Command::new(&self.program);
        command.arg("-c").arg(self.folder.path().join(format!("node-{node}.conf")));
        self.nodes[node] = Some(command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap());
    }

    fn asked(&self, node: usize, path: &str) -> Option<Value> {
        let text = ureq::get(format!("http://127.0.0.1:{}{path}", self.monitors[node])).call().ok()?.body_mut().read_to_string().ok()?;
        serde_json::from_str(&text).ok()
    }

    fn meta_leader(&self) -> Option<String> {
        let leader = self.asked(0, "/jsz")?["meta_cluster"]["leader"].as_str()?.to_owned();
        Some(leader).filter(|leader| !leader.is_empty())
    }

    /// The node that leads the stream of events.
    pub(crate) fn leader(&self) -> usize {
        let streams = self.asked(0, "/jsz?streams=true&accounts=true").unwrap_or_default();
        let details = streams["account_details"].as_array().cloned().unwrap_or_default();
        let mut all = details.iter().flat_map(|account| account["stream_detail"].as_array().cloned().unwrap_or_default());
        let leader = all
            .find(|stream| stream["name"] == "flagfall-v1-open")
            .and_then(|stream| Some(String::from(stream["cluster"]["leader"].as_str()?)));
        leader.and_then(|name| name.strip_prefix("node-")?.parse().ok()).unwrap_or(0)
    }

    pub(crate) fn follower(&self) -> usize {
        (self.leader() + 1) % NODES
    }

    pub(crate) fn hall(&self, name: &str) -> Hall {
        let folder = self.folder.path().join(name);
        fs::create_dir_all(&folder).unwrap();
        let urls: Vec<String> = self.urls().iter().map(|url| format!("{url:?}")).collect();
        let text = format!(
            "[livechess]\nenabled = false\n[tree]\nfolder = \"{}\"\n[nats]\nservers = [{}]\nevent = \"open\"\nreplicas = 3\n[hall]\nname = \"{name}\"\n",
            self.folder.path().join("tree").display(),
            urls.join(", ")
        );
        let file = folder.join("hall.toml");
        fs::write(&file, text).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_flagfall"));
        command
            .args(["hall", "--log", "error", "--listen", "127.0.0.1:0", "--config"])
            .arg(&file)
            .arg("--data-dir")
            .arg(folder.join("data"));
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map_while(Result::ok);
        let found = lines.find_map(|line| Some(String::from(line.split_once("web: http://")?.1.trim_end_matches('/'))));
        std::thread::spawn(move || lines.for_each(drop));
        let hall = Hall { name: String::from(name), child, address: found.unwrap() };
        hall.until("it serves", |health| health["broker"] == true);
        hall
    }

    pub(crate) fn cpu(&self) -> f64 {
        self.nodes.iter().flatten().map(|child| cost(child.id()).0).sum()
    }

    pub(crate) fn megabytes(&self) -> u64 {
        self.nodes.iter().flatten().map(|child| cost(child.id()).1).sum()
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        (0..NODES).for_each(|node| self.kill(node));
    }
}

impl Hall {
    pub(crate) fn get(&self, path: &str) -> Value {
        let asked = ureq::get(format!("http://{}{path}", self.address)).header("cookie", crate::signed_in::cookie(&self.address));
        let text = asked.call().ok().and_then(|mut answer| answer.body_mut().read_to_string().ok());
        text.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or(Value::Null)
    }

    pub(crate) fn board(&self, name: &str) -> Value {
        self.get(&format!("/api/v1/boards/{name}"))
    }

    pub(crate) fn health(&self) -> Value {
        self.get("/api/v1/operator/health")["hall"].clone()
    }

    pub(crate) fn until(&self, what: &str, holds: impl Fn(&Value) -> bool) {
        let began = Instant::now();
        loop {
            let health = self.health();
            if holds(&health) {
                return;
            }
            assert!(began.elapsed() < PATIENCE, "never: {what}: {health}");
            sleep(Duration::from_millis(50));
        }
    }

    pub(crate) fn figure(&self, name: &str) -> u64 {
        let asked = ureq::get(format!("http://{}/api/v1/operator/metrics", self.address));
        let text = asked.header("cookie", crate::signed_in::cookie(&self.address)).call().unwrap().body_mut().read_to_string().unwrap();
        text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' ')?.parse().ok()).unwrap_or(0)
    }

    /// The public stream of all boards.
    pub(crate) fn stream(&self) -> impl Read + use<> {
        let mut socket = TcpStream::connect(&self.address).unwrap();
        write!(socket, "GET /api/v1/events HTTP/1.1\r\nHost: {}\r\n\r\n", self.address).unwrap();
        socket
    }

    pub(crate) fn cpu(&self) -> f64 {
        cost(self.child.id()).0
    }

    pub(crate) fn megabytes(&self) -> u64 {
        cost(self.child.id()).1
    }
}

impl Drop for Hall {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
