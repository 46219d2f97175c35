//! axe-core, which finds what keeps people out of a page: from the npm registry into `target/axe`, once.
use super::Browser;
use serde_json::json;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::OnceLock;

/// What it looks for: everything that is a fault by WCAG 2.2 A and AA, and what axe-core itself counts as good practice.
const LOOK: &str = "return axe.run(document, {resultTypes: ['violations']}).then((found) => found.violations
    .map((fault) => [fault.impact, `${fault.id} (${fault.impact}): ${fault.nodes.slice(0, 3).map((node) => node.target.join(' ')).join(', ')}`]));";

/// How bad a fault is, the worst first.
pub(crate) const IMPACTS: [&str; 4] = ["critical", "serious", "moderate", "minor"];

/// The checker, ready to be put into pages.
pub(crate) struct Axe(String);

impl Axe {
    /// Fetches it where it is missing. Where it cannot be had, says on one line that `test` is skipped and gives `None`.
    pub(crate) fn fetch(test: &str) -> Option<Self> {
        static FOUND: OnceLock<Option<String>> = OnceLock::new();
        let found = FOUND.get_or_init(|| {
            let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("target/axe");
            let file = folder.join("package/axe.min.js");
            if !file.exists() {
                std::fs::create_dir_all(&folder).ok()?;
                let run = |program: &str, arguments: &[&str]| {
                    let mut command = Command::new(program);
                    command.args(arguments).current_dir(&folder).stdin(Stdio::null()).stderr(Stdio::null());
                    command.output().ok().filter(|done| done.status.success())
                };
                let packed = run("npm", &["pack", "--silent", "axe-core@4"])?;
                let name = String::from_utf8(packed.stdout).ok()?;
                run("tar", &["-xzf", name.trim()])?;
            }
            std::fs::read_to_string(file).ok()
        });
        if found.is_none() {
            println!("skipped: {test}: npm cannot fetch axe-core (apt-get install npm; the npm registry must be reached)");
        }
        found.clone().map(Self)
    }

    /// From now on every page that the browser opens has it.
    pub(crate) async fn sit_in(&self, browser: &Browser) {
        browser.tell("Page.addScriptToEvaluateOnNewDocument", json!({"source": self.0})).await;
    }

    /// The serious and critical faults of the page that is shown, in words.
    pub(crate) async fn look(browser: &Browser) -> Vec<String> {
        Self::all(browser).await.into_iter().filter(|(impact, _)| IMPACTS[..2].contains(&&**impact)).map(|(_, fault)| fault).collect()
    }

    /// All faults of the page that is shown: how bad each is, and in words.
    pub(crate) async fn all(browser: &Browser) -> Vec<(String, String)> {
        let found = browser.ask(LOOK).await;
        serde_json::from_value(found).expect("axe-core says nothing")
    }
}
