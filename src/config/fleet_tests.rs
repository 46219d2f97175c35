use super::*;
use crate::Config;
use std::path::PathBuf;

const LIST: &str = r#"event = "open-2026"
servers = ["nats://10.0.0.1:4222"]
[config]
time_control = "5400+30"
[config.web]
listen = "0.0.0.0:8064"
[[pi]]
name = "pi-1"
ssh = "pi@10.0.0.11"
boards = [
  { name = "1", usb = "A10ABCDE", serial = "25071" },
  { name = "2", link = "ble:PCS-REVII-081500", clock_white = "left" },
]
[[pi]]
name = "pi-2"
bus = "/dev/ttyUSB0"
boards = [
  { name = "3", address = 1025 },
]
[pi.config.web]
tls = "self-signed"
"#;

fn mistakes(text: &str) -> Vec<(usize, String)> {
    let error = parse("f", text).unwrap_err();
    error.mistakes.into_iter().map(|m| (m.line, format!("{}: {}", m.key, m.text))).collect()
}

/// The list with this in place of that has this mistake in this line.
fn refuses(what: &str, with: &str, line: usize, word: &str) {
    assert!(LIST.contains(what), "{what}");
    let found = mistakes(&LIST.replacen(what, with, 1));
    assert!(found.iter().any(|(at, text)| *at == line && text.contains(word)), "{with}: {found:?}");
}

#[test]
fn every_machine_has_its_configuration() {
    let fleet = parse("f", LIST).unwrap();
    let configs: Vec<Config> = fleet.pis.iter().map(|pi| Config::parse(&pi.name, &pi.toml).unwrap()).collect();
    assert_eq!(configs[0].boards.iter().map(|b| b.name.as_str()).collect::<Vec<_>>(), ["1", "2"]);
    assert_eq!(configs[0].boards[0].settings.link, "serial:/dev/flagfall/board-A10ABCDE");
    assert_eq!(configs[0].boards[1].settings.clock_white, Config::parse("c", "clock_white = \"left\"").unwrap().defaults.clock_white);
    assert_eq!(configs[1].boards[0].settings.link, "bus:/dev/ttyUSB0");
    assert_eq!(configs[1].boards[0].address.unwrap().number(), 1025);
    assert!(configs.iter().all(|config| config.web.port() == 8064 && config.defaults.time_control.is_some()));
    assert!(configs[1].web_access != configs[0].web_access, "its own part goes over everybody's");
    let nats = configs[1].nats.as_ref().unwrap();
    assert_eq!((nats.event.as_str(), nats.user.as_deref(), nats.pi().as_str()), ("open-2026", Some("pi-2"), "pi-2"));
    assert_eq!((fleet.pis[0].destination(), fleet.pis[1].destination()), ("pi@10.0.0.11", "pi-2"));
    let hall = Config::parse("hall", &fleet.halls[0].toml).unwrap();
    assert_eq!((hall.hall.name.as_deref(), hall.nats.unwrap().user.as_deref()), (Some("hall-a"), Some("hall")));
}

#[test]
fn mistakes_are_told_with_their_lines_and_what_to_do() {
    refuses("event = \"open-2026\"", "event = \"open.2026\"", 1, "no plain word");
    refuses("[\"nats://10.0.0.1:4222\"]", "[\"nats://a\", \"nats://b\"]", 2, "one server, or three");
    refuses("\"5400+30\"", "\"long\"", 4, "config.time_control");
    refuses("\"0.0.0.0:8064\"", "8064", 6, "no address with a port");
    refuses("\"pi-1\"", "\"pi 1\"", 8, "no machine's name");
    refuses("\"pi-1\"", "\"hall\"", 8, "an account of the broker");
    refuses("\"pi@10.0.0.11\"", "\"-oProxyCommand=x\"", 9, "nothing that ssh connects to");
    refuses("name = \"2\"", "name = \"1\"", 12, "already in line 11");
    refuses("clock_white = \"left\"", "clock_white = \"up\"", 12, "board.clock_white");
    refuses("usb = \"A10ABCDE\", ", "", 11, "where is it?");
    refuses("usb = \"A10ABCDE\"", "usb = \"A10ABCDE\", link = \"ble:x\"", 11, "take one out");
    refuses("serial = \"25071\"", "serial = 25071", 11, "in quotes");
    refuses("\"pi-2\"", "\"pi_1\"", 15, "already in line 8");
    refuses("bus = \"/dev/ttyUSB0\"\n", "", 17, "on which line?");
    refuses("tls = \"self-signed\"", "tls = \"yes\"", 21, "pi.config.web.tls");
    refuses("[pi.config.web]", "[pi.config.nats]", 20, "made of the list");
    refuses("[[pi]]\nname = \"pi-1\"", "[[pi]]\nhost = \"x\"\nname = \"pi-1\"", 8, "no such key");
    refuses("address = 1025", "address = 1025, tls = 1", 18, "no such key");
    refuses("event =", "event", 1, "toml.io");
    let found = mistakes("");
    assert!(["event", "servers", "pi"].iter().all(|key| found.iter().any(|(_, text)| text.starts_with(key))), "{found:?}");
}

#[test]
fn certificates_need_servers_that_have_some() {
    refuses("[config]", "tls_ca = \"ca.pem\"\n[config]", 1, "tls://HOST:PORT");
    let fleet = parse("f", &LIST.replace("nats://", "tls://").replacen("[config]", "tls_ca = \"ca.pem\"\n[config]", 1)).unwrap();
    let nats = Config::parse("pi", &fleet.pis[0].toml).unwrap().nats.unwrap();
    assert_eq!(nats.tls_ca, Some(PathBuf::from("/etc/flagfall/nats-ca.pem")));
}
