//! [`Config`] to TOML.
use super::quoted::{line, quoted};
use super::whole::Config;
use super::{accounts, alerts, ble, bus, delay, event, hall, journal, lichess, livechess, log, nats, upload, web, witness};
use flagfall_game::setting;
use flagfall_game::settings::Settings;

pub(super) fn toml(config: &Config) -> String {
    let mut out = String::new();
    settings(&mut out, &config.defaults);
    for (key, path) in [("data_dir", &config.data_dir), ("capture", &config.capture)] {
        if let Some(path) = path {
            line(&mut out, key, quoted(&path.display().to_string()));
        }
    }
    delay::print(&mut out, &config.delay, config.lan_public);
    out.push_str("\n[web]\n");
    line(&mut out, "listen", quoted(&config.web.to_string()));
    web::print(&mut out, &config.web_access);
    accounts::print(&mut out, &config.accounts);
    alerts::print(&mut out, &config.alerts);
    witness::print(&mut out, &config.witnesses);
    livechess::print(&config.livechess, &mut out);
    out.push_str(&journal::print(&config.journal));
    log::print(&config.log, &mut out);
    out.push_str("\n[discovery]\n");
    line(&mut out, "serial", config.discovery.serial);
    line(&mut out, "ble", config.discovery.ble);
    ble::print(&mut out, &config.ble);
    bus::print(&mut out, &config.buses);
    lichess::print(&mut out, &config.lichess);
    nats::print(&mut out, config.nats.as_ref());
    hall::print(&mut out, &config.hall);
    upload::print(&mut out, &config.uploads);
    event::print(&mut out, &config.event);
    for board in &config.boards {
        out.push_str("\n[[board]]\n");
        line(&mut out, "name", quoted(&board.name));
        line(&mut out, "link", quoted(&board.link.to_string()));
        if let Some(address) = board.address {
            line(&mut out, "address", address.number());
        }
        settings(&mut out, &board.settings);
        // What the head says for all would count again when this is read.
        if board.settings.time_control.is_none() && config.defaults.time_control.is_some() {
            line(&mut out, "time_control", quoted("-"));
        }
    }
    out
}

fn settings(out: &mut String, settings: &Settings) {
    for name in setting::NAMES {
        if let Some(value) = setting::value(settings, name) {
            line(out, name, quoted(&value));
        }
    }
}
