//! The page's own small model of a board against shakmaty: pieces are carried the same way in whole random games.
use super::stage::{Browser, Hall, Screen};
use serde_json::{Value, json};
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position, fen::Fen};

/// Castling both ways, en passant and promotions are a move away; the last one is a Chess960 start.
const STARTS: [(&str, CastlingMode); 5] = [
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", CastlingMode::Standard),
    ("r3k2r/pppqbppp/2npbn2/4p3/4P3/2NPBN2/PPPQBPPP/R3K2R w KQkq - 0 1", CastlingMode::Standard),
    ("4k3/2p1p1p1/8/1P1P1P2/2p1p1p1/8/1P1P1P2/4K3 w - - 0 1", CastlingMode::Standard),
    ("1n4n1/P1P2P1P/4k3/8/8/4K3/p1p2p1p/1N4N1 b - - 0 1", CastlingMode::Standard),
    ("1rk4r/pppppppp/8/8/8/8/PPPPPPPP/1RK4R w HBhb - 0 1", CastlingMode::Chess960),
];

/// Small, and the same in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }
}

fn placement(position: &Chess) -> String {
    let fen = Fen::from_position(position, EnPassantMode::Legal).to_string();
    fen.split(' ').next().unwrap().to_owned()
}

fn game(fen: &str, mode: CastlingMode, dice: &mut Dice) -> Value {
    let mut position: Chess = fen.parse::<Fen>().unwrap().into_position(mode).unwrap();
    let mut moves = Vec::new();
    for _ in 0..120 {
        let legal = position.legal_moves();
        if legal.is_empty() {
            break;
        }
        // Castling is rare by chance alone.
        let castling = legal.iter().find(|m| m.is_castle() && dice.below(3) == 0);
        let any = &legal[dice.below(legal.len())];
        let m = *castling.unwrap_or(any);
        position.play_unchecked(m);
        moves.push(json!([m.to_uci(mode).to_string(), placement(&position)]));
    }
    json!({"fen": fen, "moves": moves})
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn pieces_are_carried_as_the_rules_say() {
    let Some(browser) = Browser::start("pieces_are_carried_as_the_rules_say", Screen::Desktop, false).await else { return };
    let hall = Hall::open().await;
    browser.goto(&hall.url("/")).await.unwrap();
    let mut dice = Dice(8064);
    let games: Vec<Value> = (0..200).map(|n| STARTS[n % STARTS.len()]).map(|(fen, mode)| game(fen, mode, &mut dice)).collect();
    let script = "const games = arguments[0];
        return (async () => {
            const { fromFen, play } = await import('/page/position.js');
            const wrong = [];
            let moves = 0;
            for (const game of games) {
                let position = fromFen(game.fen);
                for (const [uci, placement] of game.moves) {
                    position = play(position, uci);
                    moves += 1;
                    if (String(position) !== String(fromFen(placement))) { wrong.push([game.fen, uci, placement]); break; }
                }
            }
            return { moves, wrong };
        })();";
    let answer = browser.ask_about(script, vec![json!(games)]).await;
    assert_eq!(answer["wrong"], json!([]));
    assert!(answer["moves"].as_u64().unwrap() > 5000, "{}", answer["moves"]);
    browser.end().await;
}

/// What the page makes of a position that an arbiter set, as the events come and from a board object: White's queen is gone, and nobody took it.
#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_move_after_a_position_that_was_set_stands_where_it_was_made() {
    let Some(browser) = Browser::start("a_move_after_a_position_that_was_set_stands_where_it_was_made", Screen::Desktop, false).await
    else {
        return;
    };
    let hall = Hall::open().await;
    browser.goto(&hall.url("/")).await.unwrap();
    let (start, e4) = (STARTS[0].0, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR");
    let (e5, set) = ("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR", "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNB1KBNR");
    let nf3 = "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNB1KB1R";
    let mut events = vec![json!({"type": "link", "state": "up"}), json!({"type": "game-start", "game": 1, "fen": start})];
    for (ply, uci, placement) in [(1, "e2e4", e4), (2, "e7e5", e5), (3, "g1f3", nf3)] {
        if ply == 3 {
            events.push(json!({"type": "placement", "placement": set, "settled": true}));
        }
        let by = if ply % 2 == 1 { "white" } else { "black" };
        events.push(json!({"type": "move-made", "ply": ply, "by": by, "uci": uci, "san": "x", "legal": true, "placement": placement}));
        events.push(json!({"type": "move-completed", "ply": ply, "by": by, "uci": uci, "san": "x", "legal": true, "how": "press"}));
    }
    let object = json!({"board": "1", "link": "up", "game": {"number": 1, "result": "*", "start_fen": start}, "placement": nf3, "plies_made": 3,
        "moves": [{"ply": 1, "uci": "e2e4"}, {"ply": 2, "uci": "e7e5"}, {"ply": 3, "uci": "g1f3", "placement": nf3}]});
    let script = "const [events, object] = arguments;
        return (async () => {
            const { Record } = await import('/page/record.js');
            const { fromFen } = await import('/page/position.js');
            const heard = new Record('1'), read = new Record('1');
            events.forEach((event, i) => heard.apply({ at: '2026-01-02T03:04:05Z', seq: i + 1, ...event }, 1000 + i));
            read.snapshot(object, 0);
            const same = (position, fen) => String(position) === String(fromFen(fen));
            return [heard, read].map((record) => [same(record.position(), object.placement), record.lifted().length]);
        })();";
    assert_eq!(browser.ask_about(script, vec![json!(events), object]).await, json!([[true, 0], [true, 0]]));
    browser.end().await;
}
