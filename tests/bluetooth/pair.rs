//! `flagfall pair` through its own agent.
use super::bluez::{AGENT, BlueZ};
use super::board::Board;
use super::bus::Bus;
use super::daemon::flagfall;
use super::game::quirks;

#[tokio::test(flavor = "multi_thread")]
async fn a_classic_board_is_paired_with_the_pin_that_is_right() {
    let Some(bus) = Bus::start() else { return };
    let bluez = BlueZ::start(&bus).await;
    *AGENT.lock().unwrap() = Some(bluez.agent.clone());
    let board = bluez.add(Board::new(1, "1.e4 e5 1-0", quirks()));
    board.state().name = String::from("DGT_BT_20481");
    board.state().habits.offers = false;
    // Not the usual one of such a board: the second is tried as well.
    *bluez.agent.pin.lock().unwrap() = String::from("1234");
    let address = bus.address();
    let pair = move |args: &'static [&'static str]| {
        let address = address.clone();
        tokio::task::spawn_blocking(move || {
            let folder = tempfile::tempdir().unwrap();
            let output = flagfall(folder.path(), &address, args).output().unwrap();
            let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
            (output.status.code(), text(output.stdout), text(output.stderr))
        })
    };
    let (code, said, errors) = pair(&["pair", "aa:bb:cc:dd:ee:01", "--pin", "7777"]).await.unwrap();
    assert_eq!(code, Some(69), "{said}{errors}");
    assert!(errors.contains("refuses the PIN"), "{errors}");
    let (code, said, errors) = pair(&["pair", "AA:BB:CC:DD:EE:01"]).await.unwrap();
    assert_eq!(code, Some(0), "{said}{errors}");
    assert_eq!(said, "DGT_BT_20481 is paired\nin the configuration: link = \"rfcomm:AA:BB:CC:DD:EE:01\"\n");
    assert_eq!(*bluez.agent.answers.lock().unwrap(), ["7777", "0000", "1234"]);
    let (code, _, errors) = pair(&["pair", "nonsense"]).await.unwrap();
    assert_eq!(code, Some(64), "{errors}");
    let (code, _, errors) = pair(&["pair", "AA:BB:CC:DD:EE:77", "--wait", "1"]).await.unwrap();
    assert_eq!(code, Some(69));
    assert!(errors.contains("was not heard"), "{errors}");
}
