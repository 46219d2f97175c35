//! Small streams by hand: what is believed of them.
use crate::count::{Count, Sensed};
use crate::{Estimator, Eyes, Press};
use dgt_protocol::square::PieceCode::{self, BlackKnight, BlackPawn, Empty, WhiteBishop, WhiteKing, WhiteKnight, WhitePawn, WhiteRook};
use flagfall_events::{Colour, Mono};
use shakmaty::{CastlingMode, Chess, Square};

/// A board that is told what to say.
pub(crate) struct Told {
    pub(crate) estimator: Estimator,
    now: u64,
}

impl Told {
    pub(crate) fn new(eyes: Eyes) -> Self {
        Self { estimator: Estimator::new(eyes, Chess::default(), Mono::ZERO), now: 1_000 }
    }

    pub(crate) fn at(&self) -> Mono {
        Mono::from_millis(self.now)
    }

    pub(crate) fn after(&mut self, ms: u64) -> &mut Self {
        self.now += ms;
        self.estimator.advance(Mono::from_millis(self.now));
        self
    }

    pub(crate) fn reads(&mut self, square: Square, piece: PieceCode) -> &mut Self {
        self.estimator.read(self.at(), square.to_u32() as u8, piece);
        self
    }

    pub(crate) fn lifts(&mut self, square: Square) -> &mut Self {
        self.after(2_000).reads(square, Empty)
    }

    pub(crate) fn puts(&mut self, square: Square, piece: PieceCode) -> &mut Self {
        self.after(400).reads(square, piece)
    }

    pub(crate) fn moves(&mut self, from: Square, to: Square, piece: PieceCode) -> &mut Self {
        self.lifts(from).puts(to, piece)
    }

    pub(crate) fn presses(&mut self, side: Press) -> &mut Self {
        self.after(600);
        self.estimator.press(self.at(), side);
        self
    }

    /// The whole image comes: the start position, but for these squares.
    fn shows(&mut self, changed: [(usize, PieceCode); 6]) -> &mut Self {
        let start = |square| Chess::default().into_setup_piece(square).map_or(Empty, crate::spot::code);
        let mut image: [PieceCode; 64] = core::array::from_fn(start);
        changed.into_iter().for_each(|(square, piece)| image[square] = piece);
        self.estimator.dump(self.at(), &image);
        self
    }

    pub(crate) fn read(&self) -> String {
        let uci = |mv: &shakmaty::Move| mv.to_uci(CastlingMode::Standard).to_string();
        self.estimator.moves().iter().map(uci).collect::<Vec<_>>().join(" ")
    }

    fn is_certain(&mut self) -> bool {
        self.after(500);
        self.estimator.leads().first().is_some_and(|lead| lead.certain && lead.pressed)
    }
}

/// After 1.e4 e5.
fn opened(eyes: Eyes) -> Told {
    let mut told = Told::new(eyes);
    told.moves(Square::E2, Square::E4, WhitePawn).presses(Press::Left);
    told.moves(Square::E7, Square::E5, BlackPawn).presses(Press::Right);
    told
}

#[test]
fn a_move_is_certain_soon_after_its_press() {
    let mut told = opened(Eyes::Pieces);
    assert!(told.is_certain());
    assert_eq!(told.read(), "e2e4 e7e5");
}

#[test]
fn a_piece_that_rests_on_its_way_has_not_arrived() {
    let mut told = opened(Eyes::Pieces);
    told.moves(Square::F1, Square::E2, WhiteBishop).after(1_500).reads(Square::E2, Empty).puts(Square::C4, WhiteBishop);
    told.presses(Press::Left);
    assert!(told.is_certain());
    assert_eq!(told.read(), "e2e4 e7e5 f1c4");
}

#[test]
fn what_is_read_late_completes_its_own_press() {
    let mut told = opened(Eyes::Pieces);
    told.moves(Square::F1, Square::D3, WhiteBishop).presses(Press::Left);
    // The slide went on, and the scan came by after the press.
    told.after(40).reads(Square::D3, Empty).after(30).reads(Square::C4, WhiteBishop).after(1_500);
    assert_ne!(told.read(), "e2e4 e7e5", "something was played");
    told.moves(Square::B8, Square::C6, BlackKnight).presses(Press::Right);
    assert!(told.read().ends_with("b8c6"), "{}", told.read());
}

#[test]
fn a_captured_piece_may_go_first_or_be_pushed_aside() {
    let mut told = Told::new(Eyes::Pieces);
    told.moves(Square::E2, Square::E4, WhitePawn).presses(Press::Left).moves(Square::D7, Square::D5, BlackPawn).presses(Press::Right);
    told.lifts(Square::D5).lifts(Square::E4).puts(Square::D5, WhitePawn).presses(Press::Left);
    assert!(told.is_certain());
    assert_eq!(told.read(), "e2e4 d7d5 e4d5");
}

#[test]
fn en_passant_and_castling_with_the_rook_first() {
    let mut told = opened(Eyes::Pieces);
    told.moves(Square::G1, Square::F3, WhiteKnight).presses(Press::Left);
    told.moves(Square::B8, Square::C6, BlackKnight).presses(Press::Right);
    told.moves(Square::F1, Square::B5, WhiteBishop).presses(Press::Left).moves(Square::A7, Square::A6, BlackPawn).presses(Press::Right);
    told.lifts(Square::H1).puts(Square::F1, WhiteRook).lifts(Square::E1).puts(Square::G1, WhiteKing).presses(Press::Left);
    told.after(3_000);
    assert!(told.read().ends_with("a7a6 e1g1"), "{}", told.read());

    let mut told = Told::new(Eyes::Pieces);
    told.moves(Square::E2, Square::E4, WhitePawn).presses(Press::Left).moves(Square::A7, Square::A6, BlackPawn).presses(Press::Right);
    told.moves(Square::E4, Square::E5, WhitePawn).presses(Press::Left).moves(Square::D7, Square::D5, BlackPawn).presses(Press::Right);
    told.moves(Square::E5, Square::D6, WhitePawn).puts(Square::D5, Empty).presses(Press::Left);
    told.after(3_000);
    assert!(told.read().ends_with("d7d5 e5d6"), "{}", told.read());
}

#[test]
fn the_clocks_sides_are_found_whichever_way_round() {
    for (white, black) in [(Press::Left, Press::Right), (Press::Right, Press::Left)] {
        let mut told = Told::new(Eyes::Pieces);
        for _ in 0..3 {
            told.moves(Square::G1, Square::F3, WhiteKnight).presses(white).moves(Square::G8, Square::F6, BlackKnight).presses(black);
            told.moves(Square::F3, Square::G1, WhiteKnight).presses(white).moves(Square::F6, Square::G8, BlackKnight).presses(black);
        }
        let (side, lead) = told.estimator.sides().unwrap();
        assert!(side == white && lead > 10 * i64::from(crate::price::NAT), "{side:?} {lead}");
    }
}

#[test]
fn a_lost_frame_is_made_good_by_the_next_whole_image() {
    let mut told = opened(Eyes::Pieces);
    told.lifts(Square::F1);
    let at = told.at();
    told.estimator.damaged(at);
    told.presses(Press::Left).after(700);
    told.shows([(12, Empty), (28, WhitePawn), (52, Empty), (36, BlackPawn), (5, Empty), (26, WhiteBishop)]);
    told.after(3_000);
    assert_eq!(told.read(), "e2e4 e7e5 f1c4");
}

#[test]
fn a_board_that_sees_only_whether_a_piece_is_there_is_read_by_the_same_code() {
    let mut told = opened(Eyes::Occupancy);
    told.moves(Square::G1, Square::F3, WhitePawn).presses(Press::Left).moves(Square::B8, Square::C6, WhitePawn).presses(Press::Right);
    told.lifts(Square::E5).lifts(Square::F3).puts(Square::E5, WhitePawn).presses(Press::Left).after(300);
    assert_eq!(told.read(), "e2e4 e7e5 g1f3 b8c6 f3e5");
}

#[test]
fn the_same_inputs_give_the_same_lines() {
    let lines = || {
        let mut told = opened(Eyes::Pieces);
        told.moves(Square::F1, Square::E2, WhiteBishop)
            .after(300)
            .reads(Square::E2, Empty)
            .puts(Square::D3, WhiteBishop)
            .presses(Press::Left);
        told.estimator.lines().into_iter().map(|(side, cost, done, moves)| (side == Press::Left, cost, done, moves)).collect::<Vec<_>>()
    };
    assert_eq!(lines(), lines());
}

#[test]
fn habits_are_counted_along_what_was_played() {
    let mut count = Count::default();
    let at = Mono::from_millis;
    let sensed = [
        (at(1_000), Sensed::Square(12, 0)),
        (at(1_400), Sensed::Square(28, 1)),
        (at(2_000), Sensed::Press(Colour::White)),
        (at(4_000), Sensed::Square(52, 0)),
        (at(4_300), Sensed::Square(36, 7)),
    ];
    let start = Chess::default();
    let uci = |text: &str, chess: &Chess| text.parse::<shakmaty::uci::UciMove>().unwrap().to_move(chess).unwrap();
    let first = uci("e2e4", &start);
    let second = uci("e7e5", &shakmaty::Position::play(start.clone(), first).unwrap());
    count.add(Eyes::Pieces, &start, &sensed, &[first, second]);
    assert_eq!((count.lost, count.plies, count.presses, count.how[0]), (0, 2, 1, 2));
    let held: Vec<_> = count.lasted[0].iter().map(|span| (span.to, span.ended)).collect();
    assert_eq!(held, [(400, true), (300, true)]);
    let table: String = count.table(&count, "# a test");
    assert!(table.contains("plies = 2") && table.contains("[disagrees.held]\nn = 2"), "{table}");
}

/// What stands on a square of a position.
trait Standing {
    fn into_setup_piece(self, square: usize) -> Option<shakmaty::Piece>;
}

impl Standing for Chess {
    fn into_setup_piece(self, square: usize) -> Option<shakmaty::Piece> {
        shakmaty::Position::board(&self).piece_at(Square::new(u32::try_from(square).ok()?))
    }
}

/// After 1.d4 e6 2.a3, Black's queen is read on its way, pressed, and never read again.
fn slid_unread() -> Told {
    let mut told = Told::new(Eyes::Pieces);
    told.moves(Square::D2, Square::D4, WhitePawn).presses(Press::Left).moves(Square::E7, Square::E6, BlackPawn).presses(Press::Right);
    told.moves(Square::A2, Square::A3, WhitePawn).presses(Press::Left).moves(Square::D8, Square::E7, PieceCode::BlackQueen).after(100);
    told.estimator.press(told.at(), Press::Right);
    told.after(100).reads(Square::E7, Empty);
    told
}

#[test]
fn what_is_nowhere_was_taken_where_nothing_read_it() {
    let mut told = slid_unread();
    told.moves(Square::C1, Square::G5, WhiteBishop).presses(Press::Left);
    told.moves(Square::A7, Square::A6, BlackPawn).presses(Press::Right);
    told.moves(Square::H2, Square::H3, WhitePawn).presses(Press::Left).after(5_000);
    assert_eq!(told.read(), "d2d4 e7e6 a2a3 d8g5 c1g5 a7a6 h2h3");
}

#[test]
fn a_piece_whose_player_thought_better_of_it_may_be_taken_where_nothing_read_it() {
    let mut told = Told::new(Eyes::Pieces);
    told.moves(Square::D2, Square::D4, WhitePawn).presses(Press::Left).moves(Square::E7, Square::E6, BlackPawn).presses(Press::Right);
    told.moves(Square::A2, Square::A3, WhitePawn).presses(Press::Left).moves(Square::D8, Square::E7, PieceCode::BlackQueen);
    told.after(2_800).reads(Square::E7, Empty).presses(Press::Right);
    told.moves(Square::C1, Square::G5, WhiteBishop).presses(Press::Left);
    told.moves(Square::A7, Square::A6, BlackPawn).presses(Press::Right);
    told.moves(Square::H2, Square::H3, WhitePawn).presses(Press::Left).after(5_000);
    assert_eq!(told.read(), "d2d4 e7e6 a2a3 d8g5 c1g5 a7a6 h2h3");
}

#[test]
fn what_stood_on_its_square_is_not_taken_elsewhere_while_it_is_in_the_air() {
    let mut told = Told::new(Eyes::Pieces);
    told.moves(Square::D2, Square::D4, WhitePawn).presses(Press::Left).moves(Square::E7, Square::E6, BlackPawn).presses(Press::Right);
    told.moves(Square::A2, Square::A3, WhitePawn).presses(Press::Left).moves(Square::D8, Square::E7, PieceCode::BlackQueen);
    told.presses(Press::Right).moves(Square::C1, Square::G5, WhiteBishop).presses(Press::Left);
    told.lifts(Square::E7).after(9_000).reads(Square::A1, WhiteRook).puts(Square::D6, PieceCode::BlackQueen).presses(Press::Right);
    assert_eq!(told.read(), "d2d4 e7e6 a2a3 d8e7 c1g5 e7d6");
}

#[test]
fn a_piece_that_no_reading_shows_costs_more_and_more_also_behind_the_next_ply() {
    let mut told = Told::new(Eyes::Pieces);
    // The square that it goes to has been empty for long.
    told.after(400_000);
    told.lifts(Square::G1).after(100);
    told.estimator.press(told.at(), Press::Left);
    told.moves(Square::D7, Square::D5, BlackPawn).presses(Press::Right);
    let cost = |told: &Told| {
        let all = told.estimator.snapshot().hypotheses;
        let names = |one: &crate::Hypothesis| one.moves.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
        all.into_iter().find(|one| names(one) == "Ng1-f3 d7-d5").map(|one| one.cost)
    };
    let before = cost(&told).expect("it may have gone there");
    told.after(3_000);
    assert!(cost(&told).is_none_or(|after| after > before + 2 * i64::from(crate::price::NAT)), "{before}, {:?}", cost(&told));
}

/// After 1.Nf3 d5 2.d4 or 1.d4 d5 2.Nf3: nobody saw which came first; and so many plies since then.
fn either_first(plies: usize) -> Told {
    let mut told = Told::new(Eyes::Pieces);
    told.after(2_000);
    let at = told.at();
    told.estimator.damaged(at);
    told.presses(Press::Left).moves(Square::D7, Square::D5, BlackPawn).presses(Press::Right).after(3_000).presses(Press::Left).after(400);
    told.shows([(6, Empty), (21, WhiteKnight), (11, Empty), (27, WhitePawn), (51, Empty), (35, BlackPawn)]);
    let since = [(Square::E7, Square::E6, BlackPawn), (Square::C2, Square::C3, WhitePawn), (Square::A7, Square::A6, BlackPawn)];
    for (index, (from, to, piece)) in since.into_iter().take(plies).enumerate() {
        told.moves(from, to, piece).presses(if index % 2 == 0 { Press::Right } else { Press::Left });
    }
    told.after(1_000);
    told
}

#[test]
fn a_ply_that_was_left_open_may_be_chosen_though_others_were_played_since() {
    for plies in 0..=3 {
        for first in ["g1f3", "d2d4"] {
            let mut told = either_first(plies);
            let mv = told.estimator.lines_from(Press::Left, 1).into_iter().find_map(|(moves, _)| {
                let mv = *moves.first()?;
                (mv.to_uci(CastlingMode::Standard).to_string() == first).then_some(mv)
            });
            let mv = mv.unwrap_or_else(|| panic!("{first} is not open after {plies}: {}", told.read()));
            assert!(told.estimator.may_have_been(1, &mv), "{first} after {plies}");
            told.estimator.was(1, &mv);
            let second = if first == "g1f3" { "d2d4" } else { "g1f3" };
            let since = ["", " e7e6", " e7e6 c2c3", " e7e6 c2c3 a7a6"][plies];
            assert_eq!(told.read(), format!("{first} d7d5 {second}{since}"));
        }
    }
}
