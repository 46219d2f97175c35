//! A hall: the real program, asked over HTTP.
use crate::broker::Broker;
use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Longer than any lease and any silence.
const PATIENCE: Duration = Duration::from_mins(2);

pub(crate) struct House {
    child: Mutex<Child>,
    address: String,
    pub(crate) tree: std::path::PathBuf,
}

impl House {
    pub(crate) fn start(broker: &Broker, name: &str) -> Self {
        Self::with(broker, name, "")
    }

    /// With these lines at the head of its configuration.
    pub(crate) fn with(broker: &Broker, name: &str, head: &str) -> Self {
        let folder = broker.folder.path().join(name);
        fs::create_dir_all(&folder).unwrap();
        let tree = broker.folder.path().join("tree");
        let (file, data) = (folder.join("hall.toml"), folder.join("data"));
        let text = format!(
            "{head}[livechess]\nenabled = false\n[tree]\nfolder = \"{}\"\n[nats]\nservers = [\"{}\"]\nevent = \"open\"\n[hall]\nname = \"{name}\"\n",
            tree.display(),
            broker.url()
        );
        fs::write(&file, text).unwrap();
        let mut child = Command::new(env!("CARGO_BIN_EXE_flagfall"))
            .args(["hall", "--listen", "127.0.0.1:0", "--config"])
            .arg(&file)
            .arg("--data-dir")
            .arg(&data)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let address = lines
            .by_ref()
            .map_while(Result::ok)
            .find_map(|line| Some(String::from(line.split_once("web: ")?.1.trim_end_matches('/'))))
            .expect("the hall says where its page is");
        // Whatever it says must not fill its pipe.
        std::thread::spawn(move || lines.for_each(drop));
        let house = Self { child: Mutex::new(child), address, tree };
        house.until("it serves", |_| true);
        house
    }

    pub(crate) fn get(&self, path: &str) -> Option<Value> {
        let text = ureq::get(format!("{}{path}", self.address))
            .header("cookie", crate::signed_in::cookie(&self.address))
            .call()
            .ok()?
            .body_mut()
            .read_to_string()
            .ok()?;
        serde_json::from_str(&text).ok()
    }

    /// Status and body.
    pub(crate) fn post(&self, path: &str, body: &Value) -> (u16, Value) {
        let agent: ureq::Agent = ureq::Agent::config_builder().http_status_as_error(false).build().into();
        match agent
            .post(format!("{}{path}", self.address))
            .header("content-type", "application/json")
            .header("cookie", crate::signed_in::cookie(&self.address))
            .send(body.to_string())
        {
            Ok(mut answer) => {
                let text = answer.body_mut().read_to_string().unwrap_or_default();
                (answer.status().as_u16(), serde_json::from_str(&text).unwrap_or(Value::Null))
            }
            Err(_) => (0, Value::Null),
        }
    }

    pub(crate) fn enter(&self, board: &str, entry: &Value) -> (u16, Value) {
        self.post(&format!("/api/v1/arbiter/boards/{board}/entries"), entry)
    }

    pub(crate) fn hall(&self) -> Value {
        self.get("/api/v1/operator/health").map_or(Value::Null, |health| health["hall"].clone())
    }

    pub(crate) fn board(&self, board: &str) -> Value {
        self.get(&format!("/api/v1/boards/{board}")).unwrap_or(Value::Null)
    }

    /// What arbiters see of the orders for a board: key and state.
    pub(crate) fn orders(&self, board: &str) -> Vec<(String, String)> {
        let seen = self.get(&format!("/api/v1/arbiter/boards/{board}")).unwrap_or_else(|| json!({}));
        let text = |value: &Value| String::from(value.as_str().unwrap_or_default());
        seen["orders"].as_array().into_iter().flatten().map(|order| (text(&order["key"]), text(&order["state"]))).collect()
    }

    /// A figure of the operators' `metrics`.
    pub(crate) fn figure(&self, name: &str) -> u64 {
        let request =
            ureq::get(format!("{}/api/v1/operator/metrics", self.address)).header("cookie", crate::signed_in::cookie(&self.address));
        let text = request.call().unwrap().body_mut().read_to_string().unwrap();
        let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        line.and_then(|value| value.parse().ok()).unwrap_or_else(|| panic!("{name} is missing"))
    }

    pub(crate) fn until(&self, what: &str, holds: impl Fn(&Self) -> bool) {
        let began = Instant::now();
        while self.get("/healthz").is_none() || !holds(self) {
            assert!(began.elapsed() < PATIENCE, "never: {what}\n{:?}\n{:?}", self.hall(), self.get("/api/v1/boards"));
            sleep(Duration::from_millis(50));
        }
    }

    /// As a power cut ends it.
    pub(crate) fn kill(self) {
        self.stop_at_once();
    }

    /// The same while somebody still asks it.
    pub(crate) fn stop_at_once(&self) {
        let mut child = self.child.lock().unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
    }
}

impl Drop for House {
    fn drop(&mut self) {
        let mut child = self.child.lock().unwrap();
        let _ = child.kill();
        let _ = child.wait();
    }
}
