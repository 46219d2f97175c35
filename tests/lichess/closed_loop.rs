//! A feed and a Lichess that keeps what it gets: what viewers see is read back, streamed, and mended.
use super::Feed;
use super::fake::Fake;
use super::model::Lichess;
use flagfall::feeds::lichess::round::{Game, Round};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

/// Two boards; the first one has these moves and this result.
fn round(moves: &str, result: &str) -> Round {
    let game = |n: usize, moves: &str, result: &str| {
        Game {
        board: n.to_string().into(),
        pgn: format!(
            "[Event \"Test\"]\n[Site \"Here\"]\n[Round \"1.{n}\"]\n[White \"White {n}\"]\n[Black \"Black {n}\"]\n[Result \"{result}\"]\n\n{moves} {result}\n\n"
        )
        .into(),
        finished: result != "*",
    }
    };
    Arc::new(vec![game(1, moves, result), game(2, "1. d4 {[%clk 01:00:00]}", "*")])
}

/// Waits until viewers see these moves on board 1.
fn seen(fake: &Fake, moves: &[&str]) {
    for _ in 0..600 {
        let shown = fake.there(|model, now| model.shown(now, "1.1"));
        if shown.len() == 1 && shown[0].moves == moves {
            return;
        }
        thread::sleep(Duration::from_millis(50));
    }
    panic!("viewers see {:?}, not {moves:?}", fake.there(|model, now| model.shown(now, "1.1")));
}

/// Waits until the feed knows that viewers see what was sent, or do not.
fn equal(feed: &Feed, wanted: bool) {
    for _ in 0..2400 {
        let status = &feed.handle.status()[0];
        if status.equal == Some(wanted) && status.up_to_date {
            return;
        }
        thread::sleep(Duration::from_millis(50));
    }
    panic!("{:?}", feed.handle.status());
}

#[test]
fn a_take_back_is_mended_in_its_chapter_alone_and_a_result_set_by_hand_is_named() {
    let fake = Fake::keeping(Lichess::new(0), false);
    let feed = Feed::new(&fake, "");
    feed.rounds.send_replace(round("1. e4 e5 2. Nf3", "*"));
    seen(&fake, &["e4", "e5", "Nf3"]);
    equal(&feed, true);
    feed.rounds.send_replace(round("1. e4", "*"));
    seen(&fake, &["e4"]);
    equal(&feed, true);
    let sent: Vec<String> = fake.seen().into_iter().map(|seen| seen.what).collect();
    assert_eq!(sent, ["push", "push", "moves"]);
    assert_eq!(feed.told(), []);

    fake.there(|model, now| model.edit(now, "1.1", "Result", "1/2-1/2"));
    // The next change makes the feed look.
    feed.rounds.send_replace(round("1. e4 c5", "1-0"));
    equal(&feed, false);
    let told = feed.told();
    assert_eq!(told.len(), 1, "{told:?}");
    assert_eq!(told[0].0, "lichess-override");
    assert!(told[0].1.as_ref().unwrap().contains("Result is \"1/2-1/2\" there, \"1-0\" here"), "{told:?}");
    assert_eq!(fake.seen().len(), 4, "what wins there is not fought");
    fake.check();
}

#[test]
fn the_stream_spares_reading_the_whole_round_after_each_move_and_a_private_round_is_read_with_the_token() {
    let fake = Fake::keeping(Lichess::new(0), true);
    let feed = Feed::new(&fake, "");
    feed.rounds.send_replace(round("1. e4 e5", "*"));
    seen(&fake, &["e4", "e5"]);
    equal(&feed, true);
    for _ in 0..600 {
        if fake.looked().1 > 0 {
            break;
        }
        thread::sleep(Duration::from_millis(50));
    }
    let before = fake.looked().0;
    for (moves, last) in [("1. e4 e5 2. Nf3", "Nf3"), ("1. e4 e5 2. Nf3 Nc6", "Nc6"), ("1. e4 e5 2. Nf3 Nc6 3. Bb5", "Bb5")] {
        feed.rounds.send_replace(round(moves, "*"));
        let all: Vec<&str> = moves.split(' ').filter(|word| !word.ends_with('.')).collect();
        assert_eq!(all.last(), Some(&last));
        seen(&fake, &all);
        equal(&feed, true);
    }
    // A busy machine may read it now and then, but not after each.
    let (whole, streams) = fake.looked();
    assert!(whole < before + 3 && streams == 1, "{before}, {whole}, {streams}");
    fake.check();
}
