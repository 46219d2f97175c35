//! A pairing that is changed in the middle of a round: names move or wait, games stay with their boards.
use super::hall::Hall;
use flagfall::feeds::event_info::changes::changes;
use flagfall::feeds::event_info::held::Follow;
use flagfall::feeds::pairings;

const LIST: &str = "board,white,black\n1,Adams,Clark\n2,Baker,Davis\n3,Evans,Frank\n4,Ghosh,Hill\n";

/// The hall with this list, and games begun on these boards.
fn hall(playing: &[&str]) -> Hall {
    let mut hall = Hall::new(&["1", "2", "3", "4"]);
    hall.list(LIST);
    playing.iter().for_each(|board| hall.game(board, &["e2e4", "e7e5"], "*"));
    hall
}

/// What another list changes, and what it holds.
fn follow(hall: &mut Hall, list: &str, follow: Follow) -> (Vec<String>, Vec<String>) {
    let before = hall.event_now();
    hall.chronicle.follow(&pairings::read(list.as_bytes()).unwrap(), follow);
    hall.settle();
    let changes = changes(&before, &hall.event_now()).into_iter().map(|change| change.text).collect();
    (changes, hall.chronicle.held().iter().map(|held| held.text.clone()).collect())
}

/// How many moves stand on each board.
fn moves(hall: &Hall) -> Vec<usize> {
    let event = hall.event_now();
    event.rounds[0].pairings.iter().map(|p| p.game.as_ref().map_or(0, |game| game.moves.len())).collect()
}

const SWAPPED: &str = "board,white,black\n1,Adams,Clark\n2,Evans,Frank\n3,Baker,Davis\n4,Ghosh,Hill\n";
const TURNED: &str = "board,white,black\n1,Adams,Clark\n2,Davis,Baker\n3,Evans,Frank\n4,Ghosh,Hill\n";
const REPLACED: &str = "board,white,black\n1,Adams,Clark\n2,Ivers,Davis\n3,Evans,Frank\n4,Ghosh,Hill\n";

#[test]
fn before_the_games_concerned_have_begun_the_names_move_at_once() {
    for (list, names, change) in [
        (SWAPPED, ["Evans - Frank", "Baker - Davis"], "round 1: boards 2 and 3 change places, Evans - Frank now at 2, Baker - Davis at 3"),
        (TURNED, ["Davis - Baker", "Evans - Frank"], "round 1, board 2: the colours are turned, Davis has White"),
        (REPLACED, ["Ivers - Davis", "Evans - Frank"], "round 1, board 2: Ivers plays White instead of Baker"),
    ] {
        // The round has begun, on another board.
        let mut hall = hall(&["1"]);
        assert_eq!(follow(&mut hall, list, Follow::Quiet), (vec![String::from(change)], vec![]));
        assert_eq!((hall.names(1)[1..3].to_vec(), moves(&hall)), (names.map(String::from).to_vec(), vec![2, 0, 0, 0]));
        assert_eq!(follow(&mut hall, list, Follow::Quiet), (vec![], vec![]), "once");
    }
}

#[test]
fn a_game_that_has_begun_gets_no_other_players_by_itself() {
    for (list, names) in [
        (SWAPPED, ["Evans - Frank", "Baker - Davis"]),
        (TURNED, ["Davis - Baker", "Evans - Frank"]),
        (REPLACED, ["Ivers - Davis", "Evans - Frank"]),
    ] {
        let mut hall = hall(&["1", "2"]);
        let before = hall.event_now();
        let (changes_now, held) = follow(&mut hall, list, Follow::Quiet);
        assert_eq!((changes_now, hall.event_now()), (vec![], before.clone()), "viewers see nothing of it");
        assert!(held[0].contains("board 2: Baker - Davis is being played there and stays") && held[0].contains("(line 3)"), "{held:?}");
        // The board that waits for the same players stays as well: nobody sits twice.
        assert_eq!(held.len(), if list == SWAPPED { 2 } else { 1 }, "{held:?}");
        // Somebody says that the list is right: names move, games stay.
        let held = hall.chronicle.held().to_vec();
        hall.chronicle.take_held(held);
        hall.settle();
        assert_eq!((hall.names(1)[1..3].to_vec(), moves(&hall)), (names.map(String::from).to_vec(), vec![2, 2, 0, 0]));
        let told = changes(&before, &hall.event_now());
        assert_eq!(told.len(), 1, "{told:?}");
        assert!(told[0].persons && told[0].text.contains("stay"), "{told:?}");
        let uuids =
            |event: &flagfall::feeds::event_info::Tournament| event.rounds[0].pairings.iter().map(|p| p.uuid.clone()).collect::<Vec<_>>();
        assert_eq!(uuids(&before), uuids(&hall.event_now()), "the games are the same ones");
        assert!(hall.chronicle.held().is_empty());
        assert_eq!(follow(&mut hall, list, Follow::Quiet), (vec![], vec![]), "it is settled");
    }
}

#[test]
fn what_is_held_is_settled_by_a_list_that_was_mended_or_asked_for() {
    let mut hall = hall(&["2"]);
    assert_eq!(follow(&mut hall, SWAPPED, Follow::Quiet).1.len(), 2);
    assert_eq!(follow(&mut hall, LIST, Follow::Quiet), (vec![], vec![]));
    let (told, held) = follow(&mut hall, SWAPPED, Follow::OverGames);
    assert!(told[0].contains("boards 2 and 3 change places") && told[0].contains("the games stay on their e-boards"), "{told:?}");
    assert_eq!((held, moves(&hall)), (vec![], vec![0, 2, 0, 0]));
}

#[test]
fn a_result_belongs_to_the_two_it_was_listed_with() {
    let mut hall = hall(&["1"]);
    follow(&mut hall, &LIST.replace("black\n", "black,result\n").replace("Davis", "Davis,1-0"), Follow::Quiet);
    assert_eq!(hall.pairing(1, 2).result.as_str(), "1-0");
    let (told, _) = follow(&mut hall, SWAPPED, Follow::Quiet);
    assert!(told.iter().any(|text| text.contains("board 2 has no result any more")), "{told:?}");
}

#[test]
fn somebody_who_does_not_come_is_not_waited_for() {
    let mut hall = hall(&["1", "3", "4"]);
    let told = hall.list("board,white,black\n1,Adams,Clark\n2,Baker,bye\n3,Evans,Frank\n4,Ghosh,Hill\n");
    assert!(told.iter().any(|text| text.contains("board 2 is no longer in the list")), "{told:?}");
    hall.list("round,board,white,black\n2,1,Adams,Davis\n2,2,Clark,Baker\n");
    for board in ["1", "3", "4"] {
        assert_eq!(hall.chronicle.current(), 1);
        hall.event(board, serde_json::json!({"type": "result", "result": "1-0", "reason": "resigned", "source": "operator"}));
    }
    assert_eq!(hall.chronicle.current(), 2);
}

#[test]
fn a_new_round_and_its_details_are_told_in_words() {
    let mut hall = hall(&[]);
    let (told, _) = follow(
        &mut hall,
        "round,board,white,black,whitetitle,whiteelo\n1,1,\"Adams, Mary\",Clark,gm,2500\n1,2,Baker,Davis,,\n1,3,Evans,Frank,,\n2,1,Baker,Adams,,\n2,2,Clark,Davis,,\n",
        Follow::Quiet,
    );
    assert_eq!(
        told,
        [
            "round 1, board 1, Adams, Mary: was written Adams, title GM (was none), rating 2500 (was none)",
            "round 1, board 4: Ghosh - Hill is no longer there",
            "round 2 is new: 2 pairings, boards 1 to 2",
        ]
    );
}
