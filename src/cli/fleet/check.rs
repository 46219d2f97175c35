//! `flagfall fleet check`: is everything there, as the list says?
use super::compare::compare;
use super::files::{Made, put};
use super::list::{List, s};
use crate::cli::doctor::hall::bucket::entries;
use crate::cli::{ExitError, output};
use crate::config::fleet::{Fleet, Pi};
use crate::config::nats::Nats;
use crate::feeds::nats::session::{connect, inbox};
use crate::feeds::nats::wire::{self, Lease, Names, Presence};
use async_nats::jetstream;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::Duration;

/// What this asks as, with the halls' account.
const WHO: &str = "fleet-check";
/// One question to the broker may take so long.
const PATIENCE: Duration = Duration::from_secs(5);

/// Arguments of `fleet check`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Named are Pis that are not heard, boards that are elsewhere, silent, unlisted or have another serial number, versions that differ, servers\n\
that do not answer. The public key of each Pi is noted in DIR/keys the first time it is heard; `fleet collect` verifies with it.")]
pub(super) struct Args {
    #[command(flatten)]
    list: List,
}

/// Asks the broker; good only if all is as in the list.
pub(super) fn run(args: &Args) -> Result<(), ExitError> {
    let fleet = args.list.read()?;
    let dir = args.list.dir();
    let password = dir.join("passwords/hall");
    fs::metadata(&password).map_err(|error| {
        let text = format!("{}; it is made with: flagfall fleet make {}", ExitError::reading(&password, &error), args.list.list.display());
        ExitError::no_input(text)
    })?;
    let nats = Nats {
        servers: fleet.servers.clone(),
        event: fleet.event.clone(),
        name: Some(String::from(WHO)),
        user: Some(String::from("hall")),
        password_file: Some(password),
        nkey_file: None,
        tls_ca: fleet.tls_ca.as_ref().map(|path| args.list.beside(path)),
        replicas: 1,
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(ExitError::unavailable)?;
    let answers = runtime.block_on(ask(&nats)).map_err(ExitError::unavailable)?;
    let keys = noted(&fleet, &dir);
    let mut found = compare(&fleet, &answers.heard, &keys);
    found.wrong.extend(answers.silent);
    let hall = answers.speaks.map_or_else(
        || {
            found.wrong.push(String::from("no hall speaks: nothing goes to Lichess, files and alerts; start one with `flagfall hall`"));
            String::new()
        },
        |hall| format!("hall: {hall} speaks\n"),
    );
    let lines: Vec<String> = found.lines.iter().map(|line| format!("{line}\n")).collect();
    let wrong: Vec<String> = found.wrong.iter().map(|line| format!("! {line}\n")).collect();
    // What machines say of themselves moves no cursor.
    let shown = lines.concat() + &hall + &wrong.concat();
    output::print(&shown.replace(|c: char| c.is_control() && c != '\n', "?"))?;
    note(&fleet, &dir, &answers.heard, &keys)?;
    if found.wrong.is_empty() {
        return output::print("all is as in the list\n");
    }
    let n = found.wrong.len();
    Err(ExitError::not_as_listed(format_args!(
        "{n} thing{} not as in {}, see above",
        if n == 1 { " is" } else { "s are" },
        args.list.list.display()
    )))
}

struct Answers {
    heard: Vec<Presence>,
    /// The hall that does.
    speaks: Option<String>,
    /// Servers that do not answer, and why.
    silent: Vec<String>,
}

async fn ask(nats: &Nats) -> Result<Answers, String> {
    let (mut silent, mut open) = (Vec::new(), None);
    for server in &nats.servers {
        let one = Nats { servers: vec![server.clone()], ..nats.clone() };
        match connect(&one, WHO, &inbox(WHO)).await {
            Ok(connection) => open = Some(connection),
            Err(why) => silent.push(why),
        }
    }
    let Some(connection) = open else { return Err(silent.join("\n")) };
    let names = Names::new(&nats.event);
    let mut jetstream = jetstream::new(connection.client);
    jetstream.set_timeout(PATIENCE);
    // An account may write its own key only, whatever it calls itself in it.
    let of = |(key, body): (String, Vec<u8>)| serde_json::from_slice::<Presence>(&body).ok().filter(|heard| wire::token(&heard.pi) == key);
    let heard = entries(&jetstream, names.presence()).await.into_iter().filter_map(of).collect();
    let lease = entries(&jetstream, names.lease()).await;
    let speaks = lease.first().and_then(|(_, body)| serde_json::from_slice::<Lease>(body).ok()).map(|lease| lease.hall);
    Ok(Answers { heard, speaks, silent })
}

/// The public keys that were noted.
pub(super) fn noted(fleet: &Fleet, dir: &Path) -> BTreeMap<String, String> {
    let key = |pi: &Pi| Some((pi.name.clone(), String::from(fs::read_to_string(dir.join("keys").join(&pi.name)).ok()?.trim())));
    fleet.pis.iter().filter_map(key).collect()
}

/// Notes those that are new.
fn note(fleet: &Fleet, dir: &Path, heard: &[Presence], noted: &BTreeMap<String, String>) -> Result<(), ExitError> {
    let is_new = |heard: &&Presence| fleet.pis.iter().any(|pi| pi.name == heard.pi) && !noted.contains_key(&heard.pi);
    let new: Vec<(&str, &str)> = heard.iter().filter(is_new).filter_map(|heard| Some((heard.pi.as_str(), heard.key.as_deref()?))).collect();
    for (pi, key) in &new {
        put(dir, &Made::new(format!("keys/{pi}"), format!("{key}\n")), false)?;
    }
    if !new.is_empty() {
        let n = new.len();
        output::complain(&format!("noted the public key{} of {n} Pi{} in {}", s(n), s(n), dir.join("keys").display()));
    }
    Ok(())
}
