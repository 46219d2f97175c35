//! Whether Lichess can fetch its games from an address: what it refuses without trying, and what the rest of the internet cannot reach.
use std::net::IpAddr;
use url::Url;

/// Ports that Lichess polls.
const PORTS: [u16; 4] = [80, 443, 8080, 8491];
/// Hosts it refuses as sources, with everything below them.
const REFUSED: [&str; 3] = ["lichess.org", "lichess.dev", "chess-results.com"];

/// What stands in the way of polling `url`, each with what to do; nothing: it can be tried.
pub fn hurdles(url: &str) -> Vec<String> {
    let Ok(url) = Url::parse(url) else { return vec![String::from("this is no address; it begins with https://")] };
    let mut hurdles = Vec::new();
    if !["http", "https"].contains(&url.scheme()) {
        hurdles.push(format!("Lichess fetches http and https only, not {}", url.scheme()));
    }
    if let Some(port) = url.port_or_known_default().filter(|port| !PORTS.contains(port)) {
        hurdles.push(format!(
            "Lichess fetches from the ports 80, 443, 8080 and 8491 only, not {port}: put a proxy in front (docs/broadcast.md has a recipe), \
             listen on 8080, or push instead"
        ));
    }
    let host = url.host_str().unwrap_or("").trim_matches(['[', ']']).to_lowercase();
    if is_here(&url) {
        hurdles.push(format!("{host} is this machine only: use the name or address under which the internet sees it, or push instead"));
    } else if is_of_hall(&host) {
        hurdles.push(format!("{host} can be reached from the hall's own network only: use an address of the internet, or push instead"));
    } else if host.parse::<IpAddr>().is_err() && !host.contains('.') {
        hurdles.push(format!("{host} is a name of the hall's own network: use an address of the internet, or push instead"));
    }
    if REFUSED.iter().any(|refused| host == *refused || host.strip_suffix(refused).is_some_and(|rest| rest.ends_with('.'))) {
        hurdles.push(format!("Lichess does not fetch from {host}"));
    }
    hurdles
}

/// Whether an address leads to the machine that asks.
pub fn is_here(url: &Url) -> bool {
    let host = url.host_str().unwrap_or("").trim_matches(['[', ']']).to_lowercase();
    host == "localhost"
        || host.ends_with(".localhost")
        || host.parse::<IpAddr>().is_ok_and(|ip| ip.to_canonical().is_loopback() || ip.is_unspecified())
}

/// Whether an address leads to a machine of the hall's own network, or to this one.
pub fn is_near(url: &Url) -> bool {
    let host = url.host_str().unwrap_or("").trim_matches(['[', ']']).to_lowercase();
    is_here(url) || is_of_hall(&host) || (host.parse::<IpAddr>().is_err() && !host.contains('.'))
}

fn is_of_hall(host: &str) -> bool {
    host.parse().is_ok_and(is_private) || [".local", ".lan", ".home.arpa", ".internal"].iter().any(|end| host.ends_with(end))
}

fn is_private(ip: IpAddr) -> bool {
    match ip.to_canonical() {
        // 100.64/10: behind the provider's address translation.
        IpAddr::V4(ip) => ip.is_private() || ip.is_link_local() || (ip.octets()[0] == 100 && ip.octets()[1] & 0xc0 == 64),
        IpAddr::V6(ip) => ip.is_unique_local() || ip.is_unicast_link_local(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_the_internet_on_polled_ports_can_be_tried() {
        for url in [
            "https://chess.example.org/pgn/round-1/games.pgn",
            "http://chess.example.org:8080/x",
            "http://chess.example.org:8491/x",
            "http://203.0.113.7/games.pgn",
            "https://[2001:db8::7]/games.pgn",
            "https://notlichess.org/x",
        ] {
            assert_eq!(hurdles(url), Vec::<String>::new(), "{url}");
        }
    }

    #[test]
    fn each_hurdle_has_its_own_words() {
        for (url, word) in [
            ("http://chess.example.org:8064/x", "not 8064"),
            ("https://chess.example.org:1982/x", "not 1982"),
            ("ftp://chess.example.org:80/x", "not ftp"),
            ("http://localhost/x", "this machine only"),
            ("http://127.0.0.1:8080/x", "this machine only"),
            ("http://[::1]/x", "this machine only"),
            ("http://[::ffff:127.0.0.1]/x", "this machine only"),
            ("http://0.0.0.0/x", "this machine only"),
            ("http://192.168.1.7/x", "own network"),
            ("http://100.64.0.1/x", "own network"),
            ("http://[fd00::1]/x", "own network"),
            ("http://raspberrypi.local/x", "own network"),
            ("http://raspberrypi/x", "own network"),
            ("https://lichess.org/x", "does not fetch"),
            ("https://s1.chess-results.com/x", "does not fetch"),
        ] {
            let found = hurdles(url);
            assert_eq!(found.len(), 1, "{url}: {found:?}");
            assert!(found[0].contains(word), "{url}: {found:?}");
        }
        assert_eq!(hurdles("http://localhost:8064/x").len(), 2);
        assert_eq!(hurdles("games.pgn").len(), 1);
    }
}
