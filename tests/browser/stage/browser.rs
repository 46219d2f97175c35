//! Debian's Chromium, driven through chromedriver.
use super::places::Place;
use fantoccini::actions::{InputSource, KeyAction, KeyActions};
use fantoccini::wd::{Capabilities, WebDriverCompatibleCommand};
use fantoccini::{Client, ClientBuilder, Locator};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write as _};
use std::net::TcpStream;
use std::ops::Deref;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::str::FromStr;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// Generous: a test fails by this only where the page never shows what it should.
const PATIENCE: Duration = Duration::from_mins(2);

/// Pictures of the arbiter's guide, each with its name there: `FLAGFALL_PICTURES=all cargo test --test web browser::` renews them.
const GUIDE: [(&str, &str); 16] = [
    ("console-phone-quiet", "phone-quiet"),
    ("console-phone-alert", "phone-alert"),
    ("console-phone-card", "phone-card"),
    ("console-phone-russian", "phone-russian"),
    ("console-phone-ruled", "phone-ruled"),
    ("console-phone-done", "phone-done"),
    ("console-desktop-restored", "desktop-restored"),
    ("console-phone-lost", "phone-lost"),
    ("console-phone-board", "phone-board"),
    ("console-phone-report", "phone-report"),
    ("console-phone-result", "phone-result"),
    ("report-served", "desktop-report"),
    ("film-phone", "phone-film"),
    ("film-players", "phone-film-players"),
    ("card-360-times", "phone-card-times"),
    ("card-360-past", "phone-card-past"),
];

/// What the page is looked at on.
#[derive(Clone, Copy)]
pub(crate) enum Screen {
    /// 360 × 740, touch.
    Phone,
    /// 390 × 844, touch: the arbiter's.
    Pocket,
    /// 1280 × 800.
    Desktop,
    /// 1280 × 900.
    Large,
    /// Any other: width × height, touch.
    Of(u16, u16),
}

/// A chromedriver and its port; `None` where there is none. Several that start at once may take each other's port, and end.
fn driver() -> Option<(Child, u16)> {
    for _ in 0..10 {
        let mut driver = Command::new("chromedriver").arg("--port=0").stdout(Stdio::piped()).stderr(Stdio::null()).spawn().ok()?;
        let lines = BufReader::new(driver.stdout.take().unwrap()).lines();
        let port =
            lines.map_while(Result::ok).find_map(|line| line.strip_suffix('.')?.rsplit_once("successfully on port ")?.1.parse().ok());
        if let Some(port) = port {
            return Some((driver, port));
        }
        _ = driver.kill();
        _ = driver.wait();
    }
    panic!("chromedriver names no port");
}

/// A running browser with one empty page; it ends with the value.
pub(crate) struct Browser {
    client: Client,
    driver: Child,
    port: u16,
    /// What was tapped, clicked or pressed since the walk began, and when that was.
    taps: AtomicU32,
    began: Mutex<Instant>,
    _place: Place,
}

impl Deref for Browser {
    type Target = Client;

    fn deref(&self) -> &Client {
        &self.client
    }
}

impl Browser {
    /// Starts one, when there is a place for it. Where there is none, says on one line that `test` is skipped and gives `None`.
    pub(crate) async fn start(test: &str, screen: Screen, dark: bool) -> Option<Self> {
        let place = Place::take(test).await;
        let Some((driver, port)) = driver() else {
            println!("skipped: {test}: there is no chromedriver; apt-get install chromium chromium-driver");
            return None;
        };
        let mut options = json!({"args": [
            "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
            "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage", "--hide-scrollbars", "--lang=en-GB",
            "--window-size=1280,800",
        ]});
        let phone =
            |width: u16, height: u16| json!({"deviceMetrics": {"width": width, "height": height, "pixelRatio": 2.0, "touch": true}});
        match screen {
            Screen::Phone => options["mobileEmulation"] = phone(360, 740),
            Screen::Pocket => options["mobileEmulation"] = phone(390, 844),
            Screen::Of(width, height) => options["mobileEmulation"] = phone(width, height),
            Screen::Desktop | Screen::Large => {}
        }
        if dark {
            options["args"].as_array_mut().unwrap().push(json!("--force-dark-mode"));
        }
        let mut capabilities = Capabilities::new();
        capabilities.insert(String::from("goog:chromeOptions"), options);
        capabilities.insert(String::from("goog:loggingPrefs"), json!({"browser": "ALL"}));
        // Of itself it takes a script for lost after 30 s, for which a machine may stand still.
        capabilities.insert(String::from("timeouts"), json!({"script": PATIENCE.as_millis()}));
        let url = format!("http://127.0.0.1:{port}");
        let client = ClientBuilder::new(HttpConnector::new()).capabilities(capabilities).connect(&url).await.expect("chromium starts");
        // The window's own frame takes 87.
        match screen {
            Screen::Desktop => client.set_window_size(1280, 887).await.unwrap(),
            Screen::Large => client.set_window_size(1280, 1043).await.unwrap(),
            Screen::Phone | Screen::Pocket | Screen::Of(..) => {}
        }
        Some(Self { client, driver, port, taps: AtomicU32::new(0), began: Mutex::new(Instant::now()), _place: place })
    }

    /// A walk begins: taps and seconds are counted from here.
    pub(crate) fn walk(&self) {
        self.taps.store(0, Ordering::Relaxed);
        *self.began.lock().unwrap() = Instant::now();
    }

    /// It is over: says what it took. Seconds are those of people's pages, in which tests wait for hands, too.
    pub(crate) fn walked(&self, what: &str) {
        let seconds = self.began.lock().unwrap().elapsed().as_secs_f64();
        println!("walk: {what}: taps {}, {seconds:.1} s", self.taps.load(Ordering::Relaxed));
    }

    /// A tap that a script makes.
    pub(crate) async fn tap_by(&self, script: &str) {
        self.taps.fetch_add(1, Ordering::Relaxed);
        self.ask(script).await;
    }

    /// Waits until the first element that `css` selects has a text that satisfies `holds`.
    pub(crate) async fn wait_for_text(&self, css: &str, holds: impl Fn(&str) -> bool) -> String {
        let mut text = String::from("(nothing there)");
        for _ in 0..PATIENCE.as_millis() / 50 {
            let script = "const e = document.querySelector(arguments[0]); return e && e.textContent;";
            if let Ok(Value::String(found)) = self.client.execute(script, vec![json!(css)]).await {
                if holds(&found) {
                    return found;
                }
                text = found;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("{css} still says {text:?}; {}", self.all().await);
    }

    /// Waits until `css` selects something.
    pub(crate) async fn wait_for(&self, css: &str) {
        if let Err(error) = self.client.wait().at_most(PATIENCE).for_element(Locator::Css(css)).await {
            panic!("{css}: {error}; {}", self.all().await);
        }
    }

    /// Waits until a script gives this back: what is drawn when an answer comes may follow its heading.
    pub(crate) async fn wait_to_see(&self, script: &str, expected: Value) {
        let mut seen = Value::Null;
        for _ in 0..PATIENCE.as_millis() / 50 {
            seen = self.ask(script).await;
            if seen == expected {
                return;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("{script} still gives {seen} instead of {expected}; {}", self.all().await);
    }

    /// All that the page says, for whoever looks for what went wrong.
    async fn all(&self) -> String {
        let said = self.client.execute("return document.body.innerText;", vec![]).await;
        format!("the page says:\n{}", said.ok().as_ref().and_then(Value::as_str).unwrap_or("(nothing)"))
    }

    /// What a script gives back; a promise is awaited.
    pub(crate) async fn ask(&self, script: &str) -> Value {
        self.ask_about(script, vec![]).await
    }

    /// What a script makes of its `arguments`.
    pub(crate) async fn ask_about(&self, script: &str, arguments: Vec<Value>) -> Value {
        self.client.execute(script, arguments).await.unwrap()
    }

    /// Asks the browser something that WebDriver has no words for: a command of Chrome's DevTools.
    pub(crate) async fn tell(&self, command: &str, parameters: Value) -> Value {
        let body = json!({"cmd": command, "params": parameters}).to_string();
        self.client.issue_cmd(DevTools(body)).await.unwrap_or_else(|error| panic!("{command}: {error}"))
    }

    /// Looks on from a screen of this size, light or dark.
    pub(crate) async fn show_as(&self, width: u16, height: u16, dark: bool) {
        let phone = width.min(height) < 500;
        let screen = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": phone});
        self.tell("Emulation.setDeviceMetricsOverride", screen).await;
        let scheme = json!({"name": "prefers-color-scheme", "value": if dark { "dark" } else { "light" }});
        self.tell("Emulation.setEmulatedMedia", json!({"features": [scheme]})).await;
    }

    /// Presses a key where the focus is.
    pub(crate) async fn press(&self, key: impl Into<char>) {
        self.taps.fetch_add(1, Ordering::Relaxed);
        let key: char = key.into();
        let actions = KeyActions::new(String::from("keyboard")).then(KeyAction::Down { value: key }).then(KeyAction::Up { value: key });
        self.client.perform_actions(actions).await.unwrap();
    }

    /// Keeps a picture of the page in `target/pictures`, for people.
    pub(crate) async fn picture(&self, name: &str) {
        // Pieces glide for a moment.
        tokio::time::sleep(Duration::from_millis(400)).await;
        let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("target/pictures");
        std::fs::create_dir_all(&folder).unwrap();
        let picture = self.client.screenshot().await.unwrap();
        std::fs::write(folder.join(format!("{name}.png")), &picture).unwrap();
        let renewed = std::env::var("FLAGFALL_PICTURES").is_ok_and(|wanted| wanted == "all");
        if let Some((_, shown)) = GUIDE.iter().find(|(taken, _)| *taken == name && renewed) {
            std::fs::write(folder.join(format!("../../docs/img/{shown}.png")), picture).unwrap();
        }
    }

    /// Writes into what `css` selects, as soon as it is there.
    pub(crate) async fn fill(&self, css: &str, text: &str) {
        self.wait_for(css).await;
        self.client.find(Locator::Css(css)).await.unwrap().send_keys(text).await.unwrap();
    }

    /// Clicks what `css` selects, as soon as it is there.
    pub(crate) async fn click(&self, css: &str) {
        self.taps.fetch_add(1, Ordering::Relaxed);
        self.wait_for(css).await;
        // Between finding it and clicking it the page may have drawn it anew.
        for _ in 0..10 {
            let found = self.client.find(Locator::Css(css)).await.unwrap();
            match found.click().await {
                Err(e) if e.is_stale_element_reference() => {}
                clicked => return clicked.unwrap_or_else(|e| panic!("{css}: {e}")),
            }
        }
        panic!("{css} is drawn anew without end");
    }

    /// Ends the session in good order; dropping ends it too, only less gently.
    pub(crate) async fn end(self) {
        _ = self.client.clone().close().await;
    }
}

/// A command of DevTools, through chromedriver.
#[derive(Debug)]
struct DevTools(String);

impl WebDriverCompatibleCommand for DevTools {
    fn endpoint(&self, base: &reqwest::Url, session: Option<&str>) -> Result<reqwest::Url, <reqwest::Url as FromStr>::Err> {
        base.join(&format!("session/{}/goog/cdp/execute", session.unwrap_or_default()))
    }

    fn method_and_body(&self, _: &reqwest::Url) -> (axum::http::Method, Option<String>) {
        (axum::http::Method::POST, Some(self.0.clone()))
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // Asked to end, the driver ends its browser too; killed, it leaves it behind.
        if let Ok(mut line) = TcpStream::connect(("127.0.0.1", self.port)) {
            _ = line.write_all(b"GET /shutdown HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 0\r\n\r\n");
            for _ in 0..100 {
                if self.driver.try_wait().is_ok_and(|ended| ended.is_some()) {
                    return;
                }
                std::thread::sleep(Duration::from_millis(50));
            }
        }
        _ = self.driver.kill();
        _ = self.driver.wait();
    }
}
