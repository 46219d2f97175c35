//! Castling in every order of hands (and what only looks like it).
use super::rig::{Hand, START, White};

const READY: &str = "r3k2r/pppqbppp/2npbn2/4p3/4P3/2NPBN2/PPPQBPPP/R3K2R w KQkq - 0 1";

/// White's hand does this, presses, and Black answers with a move that shows that the game goes on.
#[track_caller]
fn is_played(fen: &str, acts: impl Fn(&mut Hand), uci: &str) {
    for pace in [60, 150, 400, 1500] {
        let mut hand = Hand::new(fen);
        hand.pace(pace);
        acts(&mut hand);
        hand.press(White).pace(400).wait(2000).moves("a7a6");
        hand.report().expect(&format!("{uci} a7a6")).expect_how("1 press, 2 press");
    }
}

#[test]
fn king_first() {
    is_played(
        READY,
        |hand| {
            hand.carry("e1", "g1").carry("h1", "f1");
        },
        "e1g1",
    );
}

#[test]
fn rook_first() {
    is_played(
        READY,
        |hand| {
            hand.carry("h1", "f1").carry("e1", "g1");
        },
        "e1g1",
    );
}

#[test]
fn both_in_hand() {
    is_played(
        READY,
        |hand| {
            hand.lift("e1").lift("h1").put("g1", 'K').put("f1", 'R');
        },
        "e1g1",
    );
    is_played(
        READY,
        |hand| {
            hand.lift("h1").lift("e1").put("f1", 'R').put("g1", 'K');
        },
        "e1g1",
    );
    is_played(
        READY,
        |hand| {
            hand.lift("e1").lift("h1").put("f1", 'R').put("g1", 'K');
        },
        "e1g1",
    );
}

#[test]
fn queenside() {
    is_played(
        READY,
        |hand| {
            hand.carry("e1", "c1").carry("a1", "d1");
        },
        "e1c1",
    );
    is_played(
        READY,
        |hand| {
            hand.carry("a1", "d1").carry("e1", "c1");
        },
        "e1c1",
    );
    is_played(
        READY,
        |hand| {
            hand.lift("e1").lift("a1").put("c1", 'K').put("d1", 'R');
        },
        "e1c1",
    );
}

#[test]
fn a_king_that_slides_over_f1_castles() {
    is_played(
        READY,
        |hand| {
            hand.slide(&["e1", "f1", "g1"]).carry("h1", "f1");
        },
        "e1g1",
    );
}

#[test]
fn a_rook_that_slides_over_g1_castles() {
    is_played(
        READY,
        |hand| {
            hand.slide(&["h1", "g1", "f1"]).carry("e1", "g1");
        },
        "e1g1",
    );
}

#[test]
fn a_rook_that_comes_long_after_the_king_and_before_the_press() {
    let mut hand = Hand::new(READY);
    hand.carry("e1", "g1").wait(8000).carry("h1", "f1").press(White).wait(1000).moves("a7a6");
    hand.report().expect("e1g1 a7a6").expect_made("e1g1 a7a6");
}

#[test]
fn a_rook_that_comes_after_the_press() {
    for late in [50, 200, 1200] {
        let mut hand = Hand::new(READY);
        hand.carry("e1", "g1").press(White).pace(late).carry("h1", "f1").pace(400).wait(2000).moves("a7a6");
        hand.report().expect("e1g1 a7a6");
    }
}

#[test]
fn a_king_that_goes_one_square_does_not_castle() {
    is_played(
        READY,
        |hand| {
            hand.carry("e1", "f1");
        },
        "e1f1",
    );
    is_played(
        READY,
        |hand| {
            hand.carry("e1", "d1");
        },
        "e1d1",
    );
}

#[test]
fn a_rook_that_stays_on_f1_alone_does_not_castle() {
    is_played(
        READY,
        |hand| {
            hand.carry("h1", "f1");
        },
        "h1f1",
    );
    is_played(
        READY,
        |hand| {
            hand.carry("a1", "d1");
        },
        "a1d1",
    );
}

#[test]
fn a_king_lifted_while_the_rook_moves_and_put_back_does_not_castle() {
    is_played(
        READY,
        |hand| {
            hand.lift("e1").put("e1", 'K').carry("h1", "f1");
        },
        "h1f1",
    );
}

#[test]
fn castling_without_the_right_to_it_is_illegal() {
    let mut hand = Hand::new("r3k2r/pppqbppp/2npbn2/4p3/4P3/2NPBN2/PPPQBPPP/R3K2R w kq - 0 1");
    hand.castle(["e1", "g1"], ["h1", "f1"]).press(White);
    hand.report_of_illegal_play().expect("e1g1").expect_findings("illegal-move");
}

#[test]
fn chess960_the_rook_stays_where_it_is() {
    let fen = "1r2kr2/pppppppp/8/8/8/8/PPPPPPPP/1R2KR2 w FBfb - 0 1";
    is_played(
        fen,
        |hand| {
            hand.carry("e1", "g1");
        },
        "e1f1",
    );
    is_played(
        fen,
        |hand| {
            hand.lift("f1").carry("e1", "g1").put("f1", 'R');
        },
        "e1f1",
    );
}

#[test]
fn chess960_king_and_rook_change_places() {
    let fen = "1r3kr1/pppppppp/8/8/8/8/PPPPPPPP/1R3KR1 w GBgb - 0 1";
    is_played(
        fen,
        |hand| {
            hand.lift("f1").lift("g1").put("g1", 'K').put("f1", 'R');
        },
        "f1g1",
    );
    is_played(
        fen,
        |hand| {
            hand.lift("f1").carry("g1", "f1").put("g1", 'K');
        },
        "f1g1",
    );
    is_played(
        fen,
        |hand| {
            hand.lift("g1").carry("f1", "g1").put("f1", 'R');
        },
        "f1g1",
    );
}

#[test]
fn chess960_a_king_that_steps_beside_its_rook_does_not_castle() {
    let fen = "1r2k2r/pppppppp/8/8/8/8/PPPPPPPP/1R2K2R w HBhb - 0 1";
    is_played(
        fen,
        |hand| {
            hand.carry("e1", "f1");
        },
        "e1f1",
    );
}

#[test]
fn chess960_a_start_position_is_found_by_itself() {
    let fen = "bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w GEge - 0 1";
    let mut hand = Hand::new(fen).unannounced();
    hand.lift("f1").lift("g1").put("g1", 'K').put("f1", 'R').press(White).moves("a7a6");
    hand.report().expect("f1g1 a7a6");
}

#[test]
fn both_sides_castle_from_the_start_position() {
    let mut hand = Hand::new(START);
    hand.moves("e2e4 e7e5 g1f3 g8f6 f1c4 f8c5").carry("h1", "f1").carry("e1", "g1").press(White);
    hand.carry("e8", "g8").carry("h8", "f8").press(super::rig::Black);
    hand.report().expect("e2e4 e7e5 g1f3 g8f6 f1c4 f8c5 e1g1 e8g8");
}

#[test]
fn chess960_the_king_stays_where_it_is() {
    let fen = "1r4kr/pppppppp/8/8/8/8/PPPPPPPP/1R4KR w HBhb - 0 1";
    is_played(
        fen,
        |hand| {
            hand.carry("h1", "f1");
        },
        "g1h1",
    );
    is_played(
        fen,
        |hand| {
            hand.lift("g1").carry("h1", "f1").put("g1", 'K');
        },
        "g1h1",
    );
}
