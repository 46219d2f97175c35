//! `flagfall fleet make`: from the list to every machine's files.
use super::broker;
use super::files::{Change, Made, difference, put};
use super::list::{List, s};
use crate::cli::{ExitError, output};
use crate::config::fleet::{CA, Fleet, PASSWORD};
use crate::config::{Config, fleet};
use crate::feeds::nats::wire::random;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::Path;

/// Arguments of `fleet make`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Run it again whenever the list has changed: passwords stay, files that are right are not touched. Keep the folder, it has the passwords.")]
pub(super) struct Args {
    #[command(flatten)]
    list: List,
    /// Write nothing; show what would change
    #[arg(long)]
    dry_run: bool,
}

/// Makes all files, and says which are others than before.
pub(super) fn run(args: &Args) -> Result<(), ExitError> {
    let fleet = args.list.read()?;
    let dir = args.list.dir();
    let ca = match &fleet.tls_ca {
        Some(path) => {
            let path = args.list.beside(path);
            Some(fs::read_to_string(&path).map_err(|error| ExitError::reading(&path, &error))?)
        }
        None => None,
    };
    let passwords = passwords(&fleet, &dir)?;
    let made = all(&fleet, &args.list.list.display().to_string(), ca.as_deref(), &passwords);
    let (mut text, mut same, mut touched) = (String::new(), 0, Vec::new());
    for made in &made {
        let (change, before) = put(&dir, made, args.dry_run)?;
        let word = match change {
            Change::Same => {
                same += 1;
                continue;
            }
            Change::New => "new    ",
            Change::Changed => "changed",
        };
        touched.push(made.path.as_str());
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{word}  {}", made.path);
        if args.dry_run && change == Change::Changed {
            text += &difference(&before, &made.text);
        }
    }
    if same > 0 {
        let _ = writeln!(text, "{same} file{} as before", s(same));
    }
    for name in left(&fleet, &dir) {
        let _ = writeln!(text, "{name}/ is of a machine that is not in the list any more; it has no account now. Remove the folder");
    }
    let boards: usize = fleet.pis.iter().map(|pi| pi.boards.len()).sum();
    let (pis, halls, servers) = (fleet.pis.len(), fleet.halls.len(), fleet.servers.len());
    let _ = writeln!(
        text,
        "{}: {pis} Pi{}, {boards} board{}, {halls} hall{}, {servers} server{}",
        dir.display(),
        s(pis),
        s(boards),
        s(halls),
        s(servers)
    );
    output::print(&text)?;
    advise(&fleet);
    if args.dry_run {
        output::complain("nothing was written");
    } else {
        next(&fleet, args, &touched);
    }
    Ok(())
}

/// What is unwise in a configuration, once however many Pis have it.
fn advise(fleet: &Fleet) {
    let mut said: Vec<String> = Vec::new();
    for toml in fleet.pis.iter().map(|pi| &pi.toml).chain(fleet.halls.iter().map(|hall| &hall.toml)) {
        let advice = Config::parse("list", toml).map(|config| config.advice()).unwrap_or_default();
        // That a file of the Pi is not on this machine says nothing.
        for advice in advice.into_iter().filter(|advice| !advice.contains("there is no ")) {
            if !said.contains(&advice) {
                output::complain(&format!("unwise: {advice}"));
                said.push(advice);
            }
        }
    }
}

/// What is to be done with files that are others now.
fn next(fleet: &Fleet, args: &Args, touched: &[&str]) {
    let (list, dir) = (args.list.list.display(), args.list.dir());
    if touched.iter().any(|path| path.starts_with("broker/")) {
        for (n, server) in fleet.servers.iter().enumerate() {
            let (which, folder) = (if fleet.servers.len() == 3 { "three" } else { "one" }, dir.join(format!("broker/broker-{}", n + 1)));
            let host = broker::host_and_port(server).0;
            output::complain(&format!(
                "next, on {host}: the files of {} to /etc/nats-server, then `sudo sh /etc/nats-server/install {which}`, which says what to do",
                folder.display()
            ));
        }
    }
    let of = |name: &str| touched.iter().any(|path| path.split('/').next() == Some(name));
    for hall in fleet.halls.iter().filter(|hall| of(&hall.name)) {
        let folder = dir.join(&hall.name);
        output::complain(&format!("next, on the hall {}: the files of {} to {}", hall.name, folder.display(), fleet::FOLDER));
    }
    if fleet.pis.iter().any(|pi| of(&pi.name)) {
        output::complain(&format!("next, for the Pis: flagfall fleet push {list}"));
    }
}

/// Every account's password: as it was, or a new one. They are kept in `passwords/`.
fn passwords(fleet: &Fleet, dir: &Path) -> Result<BTreeMap<String, String>, ExitError> {
    let accounts = broker::roles().into_iter().chain([String::from("route")]).chain(fleet.pis.iter().map(|pi| pi.name.clone()));
    let one = |name: String| {
        // Who lost passwords/ has them where they are used.
        let places = [dir.join("passwords").join(&name), dir.join(&name).join(PASSWORD)];
        for path in places {
            match fs::read_to_string(&path) {
                Ok(text) if usable(text.trim()) => return Ok((name, String::from(text.trim()))),
                Ok(_) => {
                    let text = "is no password: one line of letters, digits, - and _; write one, or remove the file for a new one";
                    return Err(ExitError::bad_data(format_args!("{}: {text}", path.display())));
                }
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(ExitError::reading(&path, &error)),
            }
        }
        Ok((name, random(24)))
    };
    accounts.map(one).collect()
}

/// It stands in quotes in the broker's files, and in an address.
fn usable(text: &str) -> bool {
    (8..=128).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'))
}

/// All files that belong into the folder.
fn all(fleet: &Fleet, list: &str, ca: Option<&str>, passwords: &BTreeMap<String, String>) -> Vec<Made> {
    let password = |name: &str| passwords.get(name).cloned().unwrap_or_default();
    let mut made = Vec::new();
    // What is kept comes first: whatever is interrupted, nothing is in use that is not kept.
    made.extend(passwords.iter().map(|(name, password)| Made::secret(format!("passwords/{name}"), format!("{password}\n"))));
    let pis = fleet.pis.iter().map(|pi| (&pi.name, &pi.toml, "flagfall.toml", pi.name.as_str()));
    let halls = fleet.halls.iter().map(|hall| (&hall.name, &hall.toml, "hall.toml", "hall"));
    for (name, toml, file, account) in pis.chain(halls) {
        let head = format!("# {name}. `flagfall fleet make` made it of {list}: change that, not this.\n");
        // Hashes of accounts may be in it.
        made.push(Made::secret(format!("{name}/{file}"), head + toml));
        made.push(Made::secret(format!("{name}/{PASSWORD}"), format!("{}\n", password(account))));
        made.extend(ca.map(|ca| Made::new(format!("{name}/{CA}"), ca)));
    }
    made.extend(broker::files(fleet, ca, &password));
    made
}

/// Folders of machines that the list does not have.
fn left(fleet: &Fleet, dir: &Path) -> Vec<String> {
    let known = |name: &str| fleet.pis.iter().any(|pi| pi.name == name) || fleet.halls.iter().any(|hall| hall.name == name);
    let ours = |path: &Path| path.join(PASSWORD).is_file();
    let entries = fs::read_dir(dir).into_iter().flatten().filter_map(Result::ok);
    let mut names: Vec<String> = entries
        .filter(|entry| ours(&entry.path()))
        .filter_map(|entry| entry.file_name().into_string().ok())
        .filter(|name| !known(name))
        .collect();
    names.sort();
    names
}
