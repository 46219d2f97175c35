//! What is legal but unwise in a configuration.
use super::web::Tls;
use super::whole::Config;
use super::{alerts, event, hall, journal, lichess, nats, upload, witness};
use flagfall_events::{Play, Rules, duration};
use flagfall_game::settings::Settings;
use flagfall_link::address::LinkAddress;
use std::path::Path;
use std::time::Duration;

pub(super) fn of(config: &Config) -> Vec<String> {
    let mut advice = Vec::new();
    if config.boards.is_empty() && config.buses.is_empty() && !config.discovery.serial && !config.discovery.ble {
        advice.push(String::from(
            "no board is named and nothing is looked for: no game will be seen; add a [[board]] or set discovery.serial = true",
        ));
    }
    let listeners = [("web.listen", Some(config.web)), ("livechess.listen", config.livechess.enabled.then_some(config.livechess.listen))];
    for (key, address) in listeners.into_iter().filter_map(|(key, address)| Some((key, address?))) {
        if (1..1024).contains(&address.port()) {
            advice
                .push(format!("{key} = \"{address}\": ports below 1024 need privileges that the service does not have; use 1024 or above"));
        }
        if key == "livechess.listen" && !address.ip().is_loopback() {
            advice.push(format!(
                "{key} = \"{address}\": this API has no password, everybody on that network can read it; 127.0.0.1 serves this machine only"
            ));
        }
    }
    advice.extend(of_delay(config));
    advice.extend(lichess::advice(&config.lichess));
    advice.extend(of_web(config));
    advice.extend(alerts::advice(&config.alerts));
    advice.extend(journal::advice(&config.journal));
    if config.hall != hall::HallConfig::default() {
        advice.extend(witness::in_a_hall(&config.witnesses));
    }
    advice.extend(upload::advice(&config.uploads));
    advice.extend(nats::advice(config.nats.as_ref()));
    for board in &config.boards {
        let name = &board.name;
        if let LinkAddress::Serial(path) | LinkAddress::Bus(path) = &board.link
            && is_numbered(path)
        {
            advice.push(format!(
                "board {name}: {} can be another board after a restart or a replug; name it by its link in /dev/serial/by-id",
                path.display()
            ));
        }
        advice.extend(of_settings(&board.settings).into_iter().map(|text| format!("board {name}: {text}")));
    }
    advice.extend(event::advice(&config.event));
    if config.boards.is_empty() {
        advice.extend(of_settings(&config.defaults));
    }
    advice
}

/// Outlets that are ahead of what is public otherwise, and what a delay needs.
fn of_delay(config: &Config) -> Vec<String> {
    let mut advice = Vec::new();
    if !config.delay.is_on() {
        return advice;
    }
    let general = match (config.delay.by, config.delay.until_end) {
        (by, true) if by.is_zero() => String::from("its game is over"),
        (by, true) => format!("its game is over and {} more have passed", duration::print(by)),
        (by, false) => format!("the {} that everything else public waits", duration::print(by)),
    };
    let mut early = |name: &str, own: Duration| {
        let own = if own.is_zero() { String::from("at once") } else { format!("after {}", duration::print(own)) };
        advice.push(format!("{name} has early = true: it gets every move {own}, before {general}; take early out if that is not meant"));
    };
    for round in &config.lichess {
        if let lichess::Lichess::Push(push) = round
            && push.delay.live
        {
            early(&format!("lichess {}", push.round), push.delay.by);
        }
    }
    config.uploads.iter().filter(|upload| upload.delay.live).for_each(|upload| early(&format!("upload {}", upload.name), upload.delay.by));
    if config.livechess.early && config.livechess.enabled {
        early("livechess", Duration::ZERO);
    }
    advice
}

fn of_web(config: &Config) -> Vec<String> {
    let mut advice = Vec::new();
    let open = !config.web.ip().is_loopback();
    if open && config.web_access.tls == Tls::Off && config.web_access.allow_clear_text && !config.accounts.is_empty() {
        advice.push(String::from(
            "web.allow_clear_text = true: passwords and findings can be read by everybody on that network; tls = \"self-signed\" is enough",
        ));
    }
    if open && config.web_access.tls == Tls::Off && !config.web_access.allow_clear_text && !config.accounts.is_empty() {
        advice.push(String::from(
            "web.tls is off: arbiters are served on this machine only, the public page everywhere; tls = \"self-signed\" lets them in from elsewhere",
        ));
    }
    advice
}

/// `/dev/ttyUSB0` and its like: numbered in the order of plugging.
fn is_numbered(path: &Path) -> bool {
    path.to_str().is_some_and(|p| {
        ["/dev/ttyUSB", "/dev/ttyACM"].iter().any(|prefix| p.strip_prefix(prefix).is_some_and(|n| n.parse::<u16>().is_ok()))
    })
}

fn of_settings(settings: &Settings) -> Vec<String> {
    let mut advice = Vec::new();
    if settings.rules == Rules::Russia116 && settings.play == Play::Standard {
        advice.push(String::from("rules = \"russia-1.16\" is about rapid and blitz, but play = \"standard\"; say which is played"));
    }
    if settings.default_time.is_some_and(|time| time > Duration::from_secs(3600)) {
        advice.push(String::from("default_time is above an hour, which no regulations have; check its unit"));
    }
    if let Some(control) = &settings.time_control {
        // FIDE A.1 and B.1: what the main time and the bonus of 60 moves come to.
        let seconds: u64 = control.periods().iter().map(|p| u64::from(p.base_s)).sum::<u64>()
            + 60 * control.periods().first().map_or(0, |p| u64::from(p.bonus_s));
        let named = match seconds {
            0..=600 => Play::Blitz,
            601..3600 => Play::Rapid,
            _ => Play::Standard,
        };
        if named != settings.play {
            let (given, by_laws) = (settings.play.as_str(), named.as_str());
            advice.push(format!(
                "time_control = \"{control}\" is {by_laws} by the Laws, but play = \"{given}\"; the rules for irregularities differ"
            ));
        }
    }
    advice
}

#[cfg(test)]
mod tests {
    use super::*;

    fn advice(text: &str) -> Vec<String> {
        Config::parse("test", text).unwrap().advice()
    }

    #[test]
    fn the_defaults_are_wise() {
        assert_eq!(Config::default().advice(), Vec::<String>::new());
        assert_eq!(advice("time_control = \"40/5400+30:1800+30\""), Vec::<String>::new());
    }

    #[test]
    fn each_unwise_setting_is_named_once() {
        for (text, word) in [
            ("[discovery]\nserial = false", "no board is named"),
            ("[web]\nlisten = \"0.0.0.0:80\"", "below 1024"),
            ("[livechess]\nlisten = \"0.0.0.0:1982\"", "no password"),
            ("[[board]]\nname = \"1\"\nlink = \"serial:/dev/ttyACM3\"", "by-id"),
            ("time_control = \"180+2\"", "is blitz by the Laws"),
            ("time_control = \"900+10\"", "is rapid by the Laws"),
            ("rules = \"russia-1.16\"", "rapid and blitz"),
            ("default_time = \"2h\"", "above an hour"),
        ] {
            let advice = advice(text);
            assert_eq!(advice.len(), 1, "{text}: {advice:?}");
            assert!(advice[0].contains(word), "{text}: {advice:?}");
        }
    }
}
