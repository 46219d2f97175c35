//! Real `nats-server`s on loopback, started with the files of `nats-server/` as they are shipped; only addresses, folders and secrets are a test's own.
use crate::free_port::free_port;
use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

/// The event of the shipped files.
pub(crate) const EVENT: &str = "open-2026";

/// One server, or three.
pub(crate) struct Broker {
    home: tempfile::TempDir,
    nodes: Vec<Node>,
    encrypted: bool,
}

struct Node {
    folder: PathBuf,
    file: &'static str,
    client: u16,
    monitor: u16,
    child: Option<Child>,
}

/// The program, if it is there; else says so.
fn program() -> Option<PathBuf> {
    let places = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&places)
        .chain(["/usr/sbin".into(), "/usr/local/bin".into()])
        .map(|place| place.join("nats-server"))
        .find(|p| p.exists());
    if found.is_none() {
        println!("skipped: nats-server is not installed (apt-get install nats-server)");
    }
    found
}

impl Broker {
    /// One server; `None`: there is no program.
    pub(crate) fn one(pis: &[(&str, &[&str])]) -> Option<Self> {
        Self::new(1, pis)
    }

    /// Three as a cluster.
    pub(crate) fn three(pis: &[(&str, &[&str])]) -> Option<Self> {
        Self::new(3, pis)
    }

    /// One that speaks TLS only; `change` makes of its folder what the shipped files say of TLS and NKeys.
    #[allow(dead_code, reason = "the bench `whole_hall` does not ask")]
    pub(crate) fn encrypted(pis: &[(&str, &[&str])], change: impl Fn(&Path)) -> Option<Self> {
        Self::set_up(1, pis, Some(&change))
    }

    fn new(count: usize, pis: &[(&str, &[&str])]) -> Option<Self> {
        Self::set_up(count, pis, None)
    }

    fn set_up(count: usize, pis: &[(&str, &[&str])], change: Option<&dyn Fn(&Path)>) -> Option<Self> {
        program()?;
        let home = tempfile::tempdir().unwrap();
        let shipped = Path::new(env!("CARGO_MANIFEST_DIR")).join("nats-server");
        let routes: Vec<u16> = (0..count).map(|_| free_port()).collect();
        let accounts = accounts(&shipped, home.path(), pis);
        let node = |n: usize| {
            let folder = home.path().join(format!("node-{n}"));
            fs::create_dir_all(&folder).unwrap();
            let (client, monitor) = (free_port(), free_port());
            for file in ["one.conf", "three.conf"] {
                fs::copy(shipped.join(file), folder.join(file)).unwrap();
            }
            let site = format!(
                "THIS_SERVER: \"node-{n}\"\nCLIENTS_AT: \"127.0.0.1:{client}\"\nMONITOR_AT: \"127.0.0.1:{monitor}\"\nSTREAMS_IN: \"{}\"\n",
                folder.join("streams").display()
            );
            same_keys(&shipped.join("site.conf"), &site);
            fs::write(folder.join("site.conf"), site).unwrap();
            let all: Vec<String> = routes.iter().map(|port| format!("  \"nats://route:r@127.0.0.1:{port}\"\n")).collect();
            let cluster = format!("SERVERS_AT: \"127.0.0.1:{}\"\nALL_SERVERS: [\n{}]\nROUTE_PASSWORD: \"r\"\n", routes[n], all.concat());
            same_keys(&shipped.join("cluster.conf"), &cluster);
            fs::write(folder.join("cluster.conf"), cluster).unwrap();
            for file in ["accounts.conf", "credentials.conf"] {
                fs::copy(accounts.join(file), folder.join(file)).unwrap();
            }
            fs::create_dir_all(folder.join("pis")).unwrap();
            for file in fs::read_dir(accounts.join("pis")).unwrap() {
                let file = file.unwrap();
                fs::copy(file.path(), folder.join("pis").join(file.file_name())).unwrap();
            }
            if let Some(change) = change {
                change(&folder);
            }
            Node { folder, file: if count == 1 { "one.conf" } else { "three.conf" }, client, monitor, child: None }
        };
        let mut broker = Self { nodes: (0..count).map(node).collect(), home, encrypted: change.is_some() };
        for n in 0..count {
            broker.spawn(n);
        }
        for n in 0..count {
            broker.wait(n);
        }
        Some(broker)
    }

    /// Where clients connect.
    pub(crate) fn servers(&self) -> Vec<String> {
        let scheme = if self.encrypted { "tls" } else { "nats" };
        self.nodes.iter().map(|node| format!("{scheme}://127.0.0.1:{}", node.client)).collect()
    }

    /// The file with a user's password.
    pub(crate) fn password_file(&self, user: &str) -> PathBuf {
        self.home.path().join(format!("{user}.password"))
    }

    /// A user's password.
    pub(crate) fn password(&self, user: &str) -> String {
        fs::read_to_string(self.password_file(user)).unwrap().trim().to_owned()
    }

    /// The section `[nats]` of a machine.
    pub(crate) fn section(&self, user: &str) -> String {
        let servers: Vec<String> = self.servers().iter().map(|server| format!("{server:?}")).collect();
        format!(
            "[nats]\nservers = [{}]\nevent = \"{EVENT}\"\nname = \"{user}\"\nuser = \"{user}\"\npassword_file = \"{}\"\nreplicas = {}\n",
            servers.join(", "),
            self.password_file(user).display(),
            self.nodes.len()
        )
    }

    /// The processes that run.
    #[allow(dead_code, reason = "the bench `whole_hall` asks")]
    pub(crate) fn ids(&self) -> Vec<u32> {
        self.nodes.iter().filter_map(|node| Some(node.child.as_ref()?.id())).collect()
    }

    /// Bytes that all servers read and wrote, of clients and of each other.
    #[allow(dead_code, reason = "the bench `olympiad` asks")]
    pub(crate) fn traffic(&self) -> (u64, u64) {
        let of = |n: usize| {
            let text = self.monitor(n, "/varz")?;
            let json: serde_json::Value = serde_json::from_str(text.split_once("\r\n\r\n")?.1).ok()?;
            Some((json["in_bytes"].as_u64()?, json["out_bytes"].as_u64()?))
        };
        (0..self.nodes.len()).filter_map(of).fold((0, 0), |all, one| (all.0 + one.0, all.1 + one.1))
    }

    /// Bytes of the streams of all servers on disk.
    #[allow(dead_code, reason = "the bench `olympiad` asks")]
    pub(crate) fn stored(&self) -> u64 {
        self.nodes.iter().map(|node| size(&node.folder.join("streams"))).sum()
    }

    /// How many servers there are.
    pub(crate) fn count(&self) -> usize {
        self.nodes.len()
    }

    fn spawn(&mut self, n: usize) {
        let program = program().unwrap();
        let node = &mut self.nodes[n];
        let log = fs::File::options().create(true).append(true).open(node.folder.join("log")).unwrap();
        let mut command = mortal(&program);
        command.arg("-c").arg(node.folder.join(node.file)).stdin(Stdio::null()).stdout(log.try_clone().unwrap()).stderr(log);
        node.child = Some(command.spawn().unwrap());
    }

    fn wait(&self, n: usize) {
        let node = &self.nodes[n];
        for _ in 0..600 {
            let answers = self.monitor(n, "/healthz?js-enabled-only=true").is_some_and(|text| text.contains("200 OK"));
            if answers && TcpStream::connect(("127.0.0.1", node.client)).is_ok() {
                return;
            }
            sleep(Duration::from_millis(50));
        }
        panic!("nats-server does not answer: {}", fs::read_to_string(node.folder.join("log")).unwrap_or_default());
    }

    /// What a server's monitor says, headers and all.
    pub(crate) fn monitor(&self, n: usize, path: &str) -> Option<String> {
        let mut stream = TcpStream::connect(("127.0.0.1", self.nodes[n].monitor)).ok()?;
        stream.set_read_timeout(Some(Duration::from_secs(2))).unwrap();
        write!(stream, "GET {path} HTTP/1.0\r\nHost: localhost\r\n\r\n").ok()?;
        let mut text = String::new();
        stream.read_to_string(&mut text).ok()?;
        Some(text)
    }

    /// Which server leads the stream of all events.
    pub(crate) fn leader(&self) -> Option<usize> {
        let text = (0..self.nodes.len())
            .find_map(|n| self.nodes[n].child.as_ref().and_then(|_| self.monitor(n, "/jsz?accounts=true&streams=true&config=false")))?;
        let json: serde_json::Value = serde_json::from_str(text.split_once("\r\n\r\n")?.1).ok()?;
        let accounts = json["account_details"].as_array()?;
        let stream = accounts
            .iter()
            .flat_map(|a| a["stream_detail"].as_array().into_iter().flatten())
            .find(|s| s["name"] == format!("flagfall-v1-{EVENT}"))?;
        stream["cluster"]["leader"].as_str()?.strip_prefix("node-")?.parse().ok()
    }

    /// Power off, as far as the process goes.
    pub(crate) fn kill(&mut self, n: usize) {
        if let Some(mut child) = self.nodes[n].child.take() {
            child.kill().unwrap();
            child.wait().unwrap();
        }
    }

    /// On again.
    pub(crate) fn start(&mut self, n: usize) {
        self.spawn(n);
        self.wait(n);
    }

    /// On again, without waiting.
    pub(crate) fn spawn_again(&mut self, n: usize) {
        self.spawn(n);
    }

    /// It hears nothing and says nothing, and its connections stay.
    pub(crate) fn pause(&self, n: usize) {
        self.signal(n, "-STOP");
    }

    /// It goes on.
    pub(crate) fn resume(&self, n: usize) {
        self.signal(n, "-CONT");
    }

    fn signal(&self, n: usize, signal: &str) {
        let id = self.nodes[n].child.as_ref().unwrap().id().to_string();
        assert!(Command::new("kill").args([signal, &id]).status().unwrap().success());
    }
}

/// Bytes of the files in a folder.
#[allow(dead_code, reason = "the bench `olympiad` asks")]
pub(crate) fn size(folder: &Path) -> u64 {
    let of = |entry: fs::DirEntry| {
        let path = entry.path();
        if path.is_dir() { size(&path) } else { entry.metadata().map_or(0, |meta| meta.len()) }
    };
    fs::read_dir(folder).into_iter().flatten().flatten().map(of).sum()
}

/// A program that ends with this process, however that ends.
pub(crate) fn mortal(program: &Path) -> Command {
    let wrapper = Path::new("/usr/bin/setpriv");
    if !wrapper.exists() {
        return Command::new(program);
    }
    let mut command = Command::new(wrapper);
    command.args(["--pdeathsig", "KILL"]).arg(program);
    command
}

impl Drop for Broker {
    fn drop(&mut self) {
        for n in 0..self.nodes.len() {
            self.kill(n);
        }
    }
}

/// The shipped accounts with passwords of their own, and the Pis that the shipped script writes.
fn accounts(shipped: &Path, home: &Path, pis: &[(&str, &[&str])]) -> PathBuf {
    let folder = home.join("accounts");
    fs::create_dir_all(&folder).unwrap();
    fs::copy(shipped.join("pi-account"), folder.join("pi-account")).unwrap();
    let mut secrets = String::new();
    for line in fs::read_to_string(shipped.join("credentials.conf")).unwrap().lines() {
        if let Some((key, _)) = line.split_once("_PASSWORD:") {
            let (user, password) = (key.to_lowercase(), format!("secret-{}", key.to_lowercase()));
            secrets += &format!("{key}_PASSWORD: \"{password}\"\n");
            fs::write(home.join(format!("{user}.password")), password).unwrap();
        }
    }
    fs::write(folder.join("credentials.conf"), secrets).unwrap();
    let (mut includes, mut users) = (String::new(), String::new());
    for (pi, boards) in pis {
        // By its interpreter: a file that was just written may still be open in a process that another thread began (ETXTBSY).
        let made = Command::new("sh").arg(folder.join("pi-account")).args([EVENT, pi]).args(*boards).output().unwrap();
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        fs::write(home.join(format!("{pi}.password")), made.stdout).unwrap();
        includes += &format!("include \"pis/{pi}.conf\"\n");
        users += &format!("      $MACHINE_{}\n", pi.replace('-', "_"));
    }
    let keep = |line: &&str| !line.starts_with("include \"pis/") && !line.trim_start().starts_with("$MACHINE_");
    let text = fs::read_to_string(shipped.join("accounts.conf")).unwrap();
    let plain: String = text.lines().filter(keep).map(|line| format!("{line}\n")).collect();
    let whole = plain.replacen("accounts {", &format!("{includes}accounts {{"), 1);
    let (head, tail) = whole.split_once("    ]\n    # The public gets").expect("the users of the event end there");
    fs::write(folder.join("accounts.conf"), format!("{head}{users}    ]\n    # The public gets{tail}")).unwrap();
    folder
}

/// A test's own file sets what the shipped one sets.
fn same_keys(shipped: &Path, own: &str) {
    let keys = |text: &str| -> Vec<String> {
        let key = |line: &str| line.split_once(':').map(|(key, _)| key.to_owned()).filter(|key| !key.contains(['#', ' ', '"']));
        text.lines().filter_map(key).collect()
    };
    assert_eq!(keys(&fs::read_to_string(shipped).unwrap()), keys(own), "{}", shipped.display());
}
