//! `flagfall pair`: pairs a classic Bluetooth board with this machine. Boards with a cable and Bluetooth LE boards need none of it.
use super::ExitError;
#[cfg(feature = "ble")]
use super::output;

/// Arguments of `pair`.
#[derive(Debug, clap::Args)]
#[command(after_help = "DGT e-Boards (DGT_BT_…) have the PIN 0000, the Revelation II (PCS-REVII-…) has 1234; both are tried.\n\
                        Once paired a board stays so. Bluetooth LE boards (DGT Pegasus) are not paired at all.")]
pub struct Args {
    /// The board's address, 00:06:66:12:34:56; without it the one board that is heard
    address: Option<String>,
    /// Another PIN
    #[arg(long)]
    pin: Option<String>,
    /// The adapter to use, hci0; without it the first
    #[arg(long)]
    adapter: Option<String>,
    /// Listen this long for the board, seconds
    #[arg(long, default_value_t = 20, value_name = "SECONDS")]
    wait: u32,
}

/// Without Bluetooth in it there is nothing to do.
#[cfg(not(feature = "ble"))]
pub fn run(_: Args) -> Result<(), ExitError> {
    Err(ExitError::unavailable("this build has no Bluetooth; install one with the feature ble, or pair by hand with bluetoothctl"))
}

/// Looks for the board, pairs, and says what belongs into the configuration.
#[cfg(feature = "ble")]
pub fn run(args: Args) -> Result<(), ExitError> {
    use crate::link::ble::agent::{Agent, PairError};
    use crate::link::ble::bluez::{Device, Hurdle};
    let failed = |error: PairError| match &error {
        PairError::Hurdle(Hurdle::NotPermitted) => ExitError::permission(error),
        _ => ExitError::unavailable(error),
    };
    let wanted = args.address.as_deref().map(str::to_uppercase);
    if let Some(address) = &wanted
        && format!("rfcomm:{address}").parse::<crate::config::LinkAddress>().is_err()
    {
        return Err(ExitError::usage(format_args!("{address} is no address; it looks like 00:06:66:12:34:56")));
    }
    let is_it = |device: &Device| wanted.as_ref().map_or_else(|| device.is_classic_board(), |address| device.address == *address);
    let mut agent = Agent::register(args.adapter.as_deref()).map_err(failed)?;
    output::complain(&format!("listening for the board, at most {} s; switch it on", args.wait));
    let heard = agent.search(args.wait, |devices| wanted.is_some() && devices.iter().any(is_it)).map_err(failed)?;
    let found: Vec<&Device> = heard.iter().filter(|device| is_it(device)).collect();
    let device = match found[..] {
        [device] => device,
        [] => {
            let who = wanted.unwrap_or_else(|| String::from("a board (DGT_BT_…, PCS-REVII-…)"));
            return Err(failed(PairError::NotHeard(who)));
        }
        _ => {
            for device in found {
                let name = device.name.as_deref().unwrap_or_default();
                output::complain(&format!("{}  {name}{}", device.address, if device.paired { ", paired already" } else { "" }));
            }
            return Err(ExitError::usage("several boards are heard; say which: flagfall pair ADDRESS"));
        }
    };
    let name = device.name.clone().unwrap_or_default();
    if device.may_be_le_board() && !device.is_classic_board() {
        output::print(&format!(
            "{name} is a Bluetooth LE board and is not paired\nin the configuration: link = \"ble:{}\"\n",
            device.address
        ))?;
        return Ok(());
    }
    let revelation = name.to_ascii_uppercase().starts_with("PCS-REVII");
    let usual = if revelation { ["1234", "0000"] } else { ["0000", "1234"] };
    let pins: Vec<&str> = args.pin.as_deref().map_or_else(|| usual.to_vec(), |pin| vec![pin]);
    agent.pair(device, &pins).map_err(failed)?;
    output::print(&format!("{name} is paired\nin the configuration: link = \"rfcomm:{}\"\n", device.address))
}
