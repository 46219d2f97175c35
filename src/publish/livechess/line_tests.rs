use super::*;

fn chess(fen: &str) -> Chess {
    position(setup(fen).unwrap()).unwrap()
}

#[test]
fn castling_letters_come_in_any_order_and_rights_that_cannot_be_are_dropped() {
    let usual = chess("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    for letters in ["QKqk", "qkQK", "kqKQ", "HAha", "KQkq"] {
        let other = chess(&format!("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w {letters} - 0 1"));
        assert_eq!(other.castles().castling_rights(), usual.castles().castling_rights(), "{letters}");
    }
    let moved = chess("rnbq1bnr/ppppkppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 1");
    assert_eq!(moved.castles().castling_rights().count(), 2);
}

#[test]
fn squares_are_compared_whatever_the_runs_of_empty_ones() {
    assert_eq!(squares_between("8/8/8/8/8/8/8/8", "8/8/8/8/8/8/8/8"), 0);
    assert_eq!(squares_between("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR"), 2);
    assert_eq!(squares("4k3/8/8/8/8/8/8/4K3").count(), 64);
}
