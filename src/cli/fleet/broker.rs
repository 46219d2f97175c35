//! The broker's files: those of `nats-server/` with this event's word, accounts, addresses and passwords, a folder for each server.
use super::files::Made;
use crate::config::fleet::Fleet;
use crate::feeds::nats::wire::{Names, bucket_subject, token};
use std::fmt::Write as _;

const ACCOUNTS: &str = include_str!("../../../nats-server/accounts.conf");
const CREDENTIALS: &str = include_str!("../../../nats-server/credentials.conf");
const ONE: &str = include_str!("../../../nats-server/one.conf");
const THREE: &str = include_str!("../../../nats-server/three.conf");
/// What makes a machine with these files a server that comes back after every reboot.
const TOOLS: [(&str, &str); 3] = [
    ("install", include_str!("../../../nats-server/install")),
    ("flagfall.conf", include_str!("../../../nats-server/flagfall.conf")),
    ("pi-account", include_str!("../../../nats-server/pi-account")),
];
/// The event of the shipped files.
const EVENT: &str = "open-2026";
/// What the servers say to each other goes here.
const CLUSTER_PORT: u16 = 6222;
const CLIENT_PORT: &str = "4222";

/// Files below `broker/`; `password` knows every account's, by the name of the account.
pub(super) fn files(fleet: &Fleet, ca: Option<&str>, password: &impl Fn(&str) -> String) -> Vec<Made> {
    let mut made = Vec::new();
    let three = fleet.servers.len() == 3;
    let is_encrypted = fleet.servers.iter().any(|server| server.starts_with("tls://"));
    let main = if three { ("three.conf", THREE) } else { ("one.conf", ONE) };
    for (n, server) in fleet.servers.iter().enumerate() {
        let name = format!("broker-{}", n + 1);
        let place = |file: &str| format!("broker/{name}/{file}");
        let text = if is_encrypted { encrypted(fleet, main.1) } else { String::from(main.1) };
        made.push(Made::new(place(main.0), text));
        made.push(Made::new(place("site.conf"), site(fleet, &name, server)));
        made.extend(TOOLS.map(|(file, text)| Made::new(place(file), text)));
        if three {
            made.push(Made::secret(place("cluster.conf"), cluster(fleet, &password("route"))));
        }
        made.push(Made::new(place("accounts.conf"), accounts(fleet)));
        made.push(Made::secret(place("credentials.conf"), credentials(password)));
        for pi in &fleet.pis {
            let boards: Vec<&str> = pi.boards.iter().map(|board| board.name.as_str()).collect();
            made.push(Made::secret(place(&format!("pis/{}.conf", pi.name)), account(&fleet.event, &pi.name, &boards, &password(&pi.name))));
        }
        made.extend(ca.map(|ca| Made::new(place("ca.pem"), ca)));
    }
    made
}

/// The accounts that are no Pi's, as `credentials.conf` has them.
pub(super) fn roles() -> Vec<String> {
    CREDENTIALS.lines().filter_map(|line| Some(line.split_once("_PASSWORD:")?.0.to_lowercase())).filter(|role| role != "public").collect()
}

/// `nats-server/pi-account` writes the same.
fn account(event: &str, pi: &str, boards: &[&str], password: &str) -> String {
    let (names, pi_token) = (Names::new(event), token(pi));
    let stream = names.stream();
    let mut text = format!("# {pi}: boards {}. It may publish these boards and read nothing of others.\n", boards.join(" "));
    // Writing to a String cannot fail.
    let _ = write!(text, "{} {{\n  user: \"{pi}\"\n  password: \"{password}\"\n  permissions {{\n    publish: {{ allow: [\n", variable(pi));
    for board in boards {
        let subject = format!("flagfall.v1.{event}.{}", token(board));
        let _ = writeln!(text, "      \"{subject}.public\", \"{subject}.arbiter\", \"{subject}.game\"");
        for kind in ["public", "arbiter"] {
            let _ = writeln!(text, "      \"$JS.API.DIRECT.GET.{stream}.{subject}.{kind}\"");
        }
    }
    let _ = writeln!(text, "      \"{}\"", bucket_subject(&names.presence(), &pi_token));
    let _ = writeln!(text, "      \"$JS.API.DIRECT.GET.KV_{}\"\n    ] }}\n    subscribe: {{ allow: [", names.settings());
    for board in boards {
        let _ = writeln!(text, "      \"{}\"", names.order(board));
    }
    let _ = write!(
        text,
        "      \"{}\"\n      \"_INBOX_{pi_token}.>\"\n    ] }}\n    # Answers to orders.\n    allow_responses: {{ max: 1, expires: \"1m\" }}\n  }}\n}}\n",
        names.answer(&pi_token, "*")
    );
    text
}

/// What the broker's files call a Pi's account.
fn variable(pi: &str) -> String {
    format!("MACHINE_{}", pi.replace('-', "_"))
}

/// The shipped accounts with this event's word and Pis.
fn accounts(fleet: &Fleet) -> String {
    let (mut text, mut included, mut listed) = (String::new(), false, false);
    for line in ACCOUNTS.lines() {
        if line.starts_with("include \"pis/") {
            if !std::mem::replace(&mut included, true) {
                fleet.pis.iter().for_each(|pi| _ = writeln!(text, "include \"pis/{}.conf\"", pi.name));
            }
        } else if line.trim_start().starts_with("$MACHINE_") {
            if !std::mem::replace(&mut listed, true) {
                fleet.pis.iter().for_each(|pi| _ = writeln!(text, "      ${}", variable(&pi.name)));
            }
        } else if let Some(comment) = line.strip_prefix("# Who may do what.") {
            let _ = (comment, writeln!(text, "# Who may do what. Made by `flagfall fleet make`: change the list, not this."));
        } else {
            let _ = writeln!(text, "{}", line.replace(EVENT, &fleet.event));
        }
    }
    text
}

/// The shipped roles with passwords that were drawn; what the public has is no secret.
fn credentials(password: &impl Fn(&str) -> String) -> String {
    let mut text = String::from("# Secrets of all but the Pis; readable by nats-server only. Made by `flagfall fleet make`.\n");
    for line in CREDENTIALS.lines().filter(|line| line.contains("_PASSWORD:")) {
        let key = line.split(':').next().unwrap_or_default();
        let role = key.trim_end_matches("_PASSWORD").to_lowercase();
        let _ = match role.as_str() {
            "public" => writeln!(text, "{line}"),
            role => writeln!(text, "{key}: \"{}\"", password(role)),
        };
    }
    text
}

/// What stands behind `#` of TLS in the shipped file is switched on.
fn encrypted(fleet: &Fleet, shipped: &str) -> String {
    let (mut text, mut inside) = (String::new(), false);
    for line in shipped.lines() {
        let bare = line.trim_start().strip_prefix("# ");
        inside = inside && bare.is_some();
        let begins = bare.is_some_and(|bare| bare.starts_with("tls {"));
        let line = match bare {
            Some(bare) if inside || begins => {
                inside = !bare.ends_with('}');
                format!("{}{bare}", &line[..line.len() - line.trim_start().len()])
            }
            _ => String::from(line),
        };
        let _ = writeln!(text, "{line}");
    }
    text.replace("/etc/nats-server/server.pem", &fleet.broker.cert)
        .replace("/etc/nats-server/server.key", &fleet.broker.key)
        .replace("/etc/nats-server/ca.pem", &fleet.broker.ca)
}

fn site(fleet: &Fleet, name: &str, server: &str) -> String {
    let (_, port) = host_and_port(server);
    let streams = &fleet.broker.streams;
    format!(
        "# This server, {server}. Made by `flagfall fleet make`: change the list, not this.\n\
         THIS_SERVER: \"{name}\"\nCLIENTS_AT: \"0.0.0.0:{port}\"\nMONITOR_AT: \"127.0.0.1:8222\"\nSTREAMS_IN: \"{streams}\"\n"
    )
}

fn cluster(fleet: &Fleet, password: &str) -> String {
    let mut text =
        format!("# The same on all three. Made by `flagfall fleet make`.\nSERVERS_AT: \"0.0.0.0:{CLUSTER_PORT}\"\nALL_SERVERS: [\n");
    for server in &fleet.servers {
        let _ = writeln!(text, "  \"nats://route:{password}@{}:{CLUSTER_PORT}\"", host_and_port(server).0);
    }
    let _ = writeln!(text, "]\nROUTE_PASSWORD: \"{password}\"");
    text
}

/// Of `tls://HOST:PORT`, of which scheme and port may be missing.
pub(super) fn host_and_port(server: &str) -> (&str, &str) {
    let rest = server.split_once("://").map_or(server, |(_, rest)| rest);
    match rest.rsplit_once(':') {
        Some((host, port)) if port.bytes().all(|b| b.is_ascii_digit()) && !port.is_empty() => (host, port),
        _ => (rest, CLIENT_PORT),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::fleet;
    use std::path::Path;
    use std::process::Command;

    fn list(servers: &str) -> Fleet {
        let pis = "[[pi]]\nname = \"pi-1\"\nboards = [{ name = \"1\", link = \"ble:a\" }, { name = \"Tisch 7\", link = \"ble:b\" }]\n\
                   [[pi]]\nname = \"pi_2\"\nboards = [{ name = \"3\", link = \"ble:c\" }]\n";
        fleet::parse("f", &format!("event = \"cup-7\"\nservers = [{servers}]\n{pis}")).unwrap()
    }

    fn text<'m>(made: &'m [Made], path: &str) -> &'m str {
        &made.iter().find(|made| made.path == path).unwrap_or_else(|| panic!("no {path}")).text
    }

    fn keys(text: &str) -> Vec<&str> {
        text.lines().filter_map(|line| line.split_once(':')).map(|(key, _)| key).filter(|key| !key.contains(['#', ' ', '"'])).collect()
    }

    #[test]
    fn a_pis_account_is_what_the_shipped_script_writes() {
        let folder = tempfile::tempdir().unwrap();
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("nats-server/pi-account");
        std::fs::copy(script, folder.path().join("pi-account")).unwrap();
        let boards = ["61", "Tisch 7", "a.b", "Ж"];
        let made = Command::new("sh").arg(folder.path().join("pi-account")).args(["cup-7", "pi-1"]).args(boards).output().unwrap();
        let password = String::from_utf8(made.stdout).unwrap();
        let theirs = std::fs::read_to_string(folder.path().join("pis/pi-1.conf")).unwrap();
        assert_eq!(account("cup-7", "pi-1", &boards, password.trim()), theirs);
    }

    #[test]
    fn the_files_are_the_shipped_ones_with_this_event_in_them() {
        let made = files(&list("\"a:4223\", \"b\", \"nats://c:4222\""), None, &|name| format!("secret-{name}"));
        let accounts = text(&made, "broker/broker-1/accounts.conf");
        assert!(!accounts.contains(EVENT) && accounts.contains("flagfall.v1.cup-7.*.order"), "{accounts}");
        let ours = ["include \"pis/pi-1.conf\"\ninclude \"pis/pi_2.conf\"\n", "      $MACHINE_pi_1\n      $MACHINE_pi_2\n"];
        assert!(ours.iter().all(|lines| accounts.contains(lines)), "{accounts}");
        assert_eq!(accounts.lines().count(), ACCOUNTS.lines().count(), "nothing else is left out");
        assert_eq!(keys(text(&made, "broker/broker-2/site.conf")), keys(include_str!("../../../nats-server/site.conf")));
        assert_eq!(keys(text(&made, "broker/broker-2/cluster.conf")), keys(include_str!("../../../nats-server/cluster.conf")));
        assert_eq!(keys(text(&made, "broker/broker-2/credentials.conf")), keys(CREDENTIALS));
        assert!(text(&made, "broker/broker-1/site.conf").contains("0.0.0.0:4223"));
        assert!(text(&made, "broker/broker-3/site.conf").contains("\"broker-3\""));
        assert!(text(&made, "broker/broker-1/cluster.conf").contains("nats://route:secret-route@b:6222"));
        assert_eq!(text(&made, "broker/broker-1/three.conf"), THREE);
        let open: Vec<&Made> = made.iter().filter(|made| !made.secret && made.text.contains("secret-")).collect();
        assert!(open.is_empty(), "{open:?}");
        assert!(!text(&made, "broker/broker-1/credentials.conf").contains("change-me"));
        assert_eq!(roles(), ["hall", "arbiter", "operator", "system"]);
    }

    #[test]
    fn encrypted_servers_have_what_is_commented_out_in_the_shipped_files() {
        let three = encrypted(&list("\"tls://a\""), THREE);
        assert_eq!(three.matches("\n  tls { cert_file:").count(), 1, "{three}");
        assert!(
            three.contains("\ntls {\n  cert_file: \"/etc/nats-server/server.pem\"\n  key_file: \"/etc/nats-server/server.key\"\n}\n"),
            "{three}"
        );
        assert!(three.contains("  # sync_interval: always"), "nothing else is switched on");
        assert!(encrypted(&list("\"tls://a\""), ONE).contains("\ntls {\n"));
    }
}
