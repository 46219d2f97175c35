//! What holds of every position, whatever its answer.
use super::{SMALL, memory, sample};
use flagfall_laws::mating::{Answer, Limits, Quick, Winner, close};
use flagfall_solver::helpmate::{Asked, Effort, Said, may_be_dead};
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, EnPassantMode, FromSetup as _, Position as _, PositionError, Setup};

/// Unwinnable questions that a test build closes in a moment.
fn closing() -> Vec<(Chess, Winner)> {
    sample(20).iter().filter(|row| row.closed_in().is_some_and(|n| n <= SMALL)).map(|row| (row.position(), row.winner)).collect()
}

fn changed(position: &Chess, change: impl FnOnce(&mut Setup)) -> Chess {
    let mut setup = position.to_setup(EnPassantMode::Legal);
    change(&mut setup);
    let mode = CastlingMode::detect(&setup);
    Chess::from_setup(setup, mode)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .unwrap_or_else(|e| panic!("{position:?}: {e}"))
}

const fn opposite(winner: Winner) -> Winner {
    match winner {
        Winner::White => Winner::Black,
        Winner::Black => Winner::White,
        Winner::Either => Winner::Either,
    }
}

#[test]
fn the_order_of_moves_changes_nothing() {
    let mut quick = Quick::new(memory());
    for (root, winner) in closing() {
        let answer = close(&mut quick, &root, winner);
        for order in [1, 77, u64::MAX] {
            assert_eq!(close(&mut Quick::new(Limits { order, ..memory() }), &root, winner), answer, "{root:?}");
        }
    }
}

#[test]
fn colours_and_ranks_swapped_change_nothing() {
    let mut quick = Quick::new(memory());
    for (root, winner) in closing() {
        let mirrored = changed(&root, Setup::mirror);
        assert_eq!(close(&mut quick, &mirrored, opposite(winner)), close(&mut quick, &root, winner), "{root:?}");
    }
}

#[test]
fn files_reversed_change_nothing_where_nobody_may_castle() {
    let mut quick = Quick::new(memory());
    for (root, winner) in closing().into_iter().filter(|(root, _)| root.castles().is_empty()) {
        let reversed = changed(&root, |setup| {
            setup.board.flip_horizontal();
            setup.ep_square = setup.ep_square.map(shakmaty::Square::flip_horizontal);
        });
        assert_eq!(close(&mut quick, &reversed, winner), close(&mut quick, &root, winner), "{root:?}");
    }
}

#[test]
fn what_follows_on_an_unwinnable_position_is_unwinnable() {
    let mut quick = Quick::new(memory());
    for (root, winner) in closing().into_iter().step_by(3) {
        for m in root.legal_moves() {
            let mut next = root.clone();
            next.play_unchecked(m);
            assert!(close(&mut quick, &next, winner).is_unwinnable(), "{root:?} {m:?}");
        }
    }
}

#[test]
fn dead_is_what_neither_side_can_win() {
    let mut quick = Quick::new(memory());
    let mut dead = 0;
    for (root, _) in closing() {
        let [white, black, either] = [Winner::White, Winner::Black, Winner::Either].map(|winner| close(&mut quick, &root, winner));
        if matches!(either, Answer::Undecided { .. }) {
            continue;
        }
        assert_eq!(either.is_winnable(), white.is_winnable() || black.is_winnable(), "{root:?}");
        if either.is_unwinnable() {
            assert!(white.is_unwinnable() && black.is_unwinnable(), "{root:?}");
            dead += 1;
        } else {
            assert!(!may_be_dead(&root), "{root:?}: the quick test errs");
        }
    }
    assert!(dead > 10 || super::rows::folder().is_none(), "only {dead} dead positions");
}

#[test]
fn who_can_mate_but_has_not_yet_has_a_move_that_keeps_it_so() {
    let mut quick = Quick::new(Limits { slots: 1 << 11, waiting: 1 << 11, order: 0 });
    let mut found = 0;
    for row in sample(15).iter().filter(|row| row.cert.strip_prefix("mate:").is_some_and(|plies| plies != "0")) {
        let root = row.position();
        let Said::Mate(line) = Asked::new(&root, row.winner, Effort::Search).answer() else { continue };
        let mut next = root.clone();
        let first = line[0].parse::<UciMove>().unwrap().to_move(&root).unwrap();
        next.play_unchecked(first);
        assert!(!close(&mut quick, &next, row.winner).is_unwinnable(), "{row:?}");
        assert_ne!(Asked::new(&next, row.winner, Effort::Search).answer(), Said::None, "{row:?}");
        found += 1;
    }
    assert!(found > 5 || super::rows::folder().is_none(), "only {found} mates were found");
}
