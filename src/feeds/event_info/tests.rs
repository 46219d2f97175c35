use super::*;

#[test]
fn uuids_are_stable_and_tell_parts_apart() {
    let one = uuid(&["pairing", "x", "1", "2"]);
    assert_eq!(one, uuid(&["pairing", "x", "1", "2"]));
    assert_ne!(one, uuid(&["pairing", "x", "12", ""]));
    assert_eq!(one.len(), 36);
    assert_eq!(&one[14..15], "8");
    // Changing how they are made would orphan every link that spectators have.
    assert_eq!(uuid(&["Chess event", "", "", ""]), "dc7896be-ae3a-856c-9e2c-fa932d71d209");
}

#[test]
fn serials_go_by_pairing_up_to_the_last_one_on_an_e_board() {
    let pairing = |number: u32, board: Option<&str>| Pairing {
        number,
        uuid: String::new(),
        label: number.to_string(),
        board: board.map(Arc::from),
        white: Player::default(),
        black: Player::default(),
        result: GameResult::Open,
        live: false,
        game: None,
    };
    let pairings = vec![pairing(1, Some("a")), pairing(2, None), pairing(3, Some("b")), pairing(4, None)];
    let serials = BTreeMap::from([(Arc::from("a"), String::from("30017"))]);
    let event = Tournament { current: 1, rounds: vec![Round { number: 1, date: None, pairings }], serials, ..Tournament::default() };
    assert_eq!(event.eboards(), ["30017", "2", "b"]);
    assert_eq!(Tournament::default().eboards(), Vec::<&str>::new());
}
