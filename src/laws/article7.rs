//! Article 7 of the Laws: irregularities. Numbers are those of 2018 and 2023; other editions beside them.
use super::article12::penalties;
use super::edition::UnpromotedPawnPolicy;
use super::irregularity::{
    Before, DisplacedPieces, IllegalMove, Misplaced, Phase, PressWithoutMove, Since, TwoHands, UnpromotedPawn, WrongInitialPosition,
};
use super::judgement::Judgement;
use super::penalty::{Measure, choices, offence};
use super::reason::Reason;
use super::situation::{Question, Situation, runs, set, shown};
use super::touch::{Touched, replacement};
use super::words::{dashed, move_number, numbered, of_player_ru, player_en, player_ru_first, plural_ru};
use alloc::format;
use alloc::string::String;
use alloc::string::ToString;
use alloc::vec::Vec;
use flagfall_events::{Action, Colour, GameResult, Grade, Key, Proposal, Run, Words};
use serde_json::{Value, json};

/// 7.2.1 (1997: 6.13). The pieces stood wrong at the start: before move 1 they are put right, during the game it is cancelled, afterwards the
/// result stands. In rapid and blitz without full supervision it may be claimed until ten moves are completed by each.
pub(crate) fn wrong_initial_position(s: &Situation, fact: &WrongInitialPosition) -> Option<Judgement> {
    let list = squares(&fact.squares);
    let (action, end_en, end_ru) = match fact.phase {
        Phase::BeforeMove1 => (Action::RestorePosition, "put it right before the first move", "исправьте её до первого хода"),
        Phase::During if s.setting_stands() => {
            (Action::Continue, "ten moves are completed by each, the game goes on", "каждым завершено десять ходов, партия продолжается")
        }
        Phase::During => (Action::CancelGame, "the game is cancelled and a new one played", "игра отменяется, играется новая партия"),
        Phase::After => (Action::None, "the game is over, the result stands", "партия окончена, результат остаётся"),
    };
    let summary =
        Words::new(format!("The initial position was wrong{list}: {end_en}."), format!("Начальная позиция неправильна{list}: {end_ru}."));
    let mut proposal = Proposal::new(action);
    proposal.restore_fen = (action == Action::RestorePosition).then(|| fact.start_fen.clone());
    proposal.result = (action == Action::CancelGame).then_some(GameResult::Open);
    let facts = json!({ "squares": misplaced(&fact.squares), "start_fen": fact.start_fen });
    Some(Judgement::new(s.edition(), Key::WrongInitialPosition, None, summary)?.facts(facts).proposing(proposal))
}

/// 7.2.2 (1997: 6.13). The board stands a quarter turn wrong: the game goes on, the position is transferred.
pub(crate) fn board_turned(s: &Situation, placement: &str) -> Option<Judgement> {
    let summary = Words::new(
        "The board stands a quarter turn wrong: transfer the position to a board that stands right; the game goes on.",
        "Доска повёрнута на четверть оборота: перенесите позицию на правильно расположенную доску; партия продолжается.",
    );
    let facts = json!({ "placement": placement });
    Some(Judgement::new(s.edition(), Key::BoardTurned, None, summary)?.facts(facts).proposing(Proposal::new(Action::Continue)))
}

/// 7.3 (1997: 6.13). Colours are reversed: with fewer than ten moves completed by each a new game is played, otherwise it goes on.
pub(crate) fn colours_reversed(s: &Situation, completed: [u32; 2]) -> Option<Judgement> {
    let edition = s.edition();
    let until = edition.colours_until;
    let goes_on = completed.iter().all(|n| *n >= until);
    let [white, black] = completed;
    let (end_en, end_ru) = if goes_on {
        ("the game goes on", "партия продолжается")
    } else {
        ("the game is cancelled and a new one played", "игра отменяется, играется новая партия")
    };
    let summary = Words::new(
        format!("The colours are reversed; completed moves: White {white}, Black {black}; {end_en}."),
        format!("Партия играется противоположными цветами; завершено ходов: белые {white}, чёрные {black}; {end_ru}."),
    );
    let mut proposal = Proposal::new(if goes_on { Action::Continue } else { Action::CancelGame });
    proposal.result = (!goes_on).then_some(GameResult::Open);
    let facts = json!({ "completed": { "white": white, "black": black } });
    let article = edition.article_reported(Key::ColoursReversed);
    Some(Judgement::reported(article, Key::ColoursReversed, None, summary).facts(facts).proposing(proposal))
}

/// 7.4.1 and 7.6 (1997: 6.13; Russia: 1.16.3). Pieces stand where no legal move put them; put right, only the penalty is open (7.4.3).
pub(crate) fn displaced_pieces(s: &Situation, fact: &DisplacedPieces) -> Option<Judgement> {
    let edition = s.edition();
    let facts = json!({
        "squares": misplaced(&fact.squares),
        "immediate": fact.immediate,
        "knocked_over": fact.knocked_over,
        "put_right": fact.put_right,
        "penalties": penalties(edition),
    });
    let article = if fact.found_later { edition.displaced_found_later } else { edition.article(Key::DisplacedPieces)? };
    let judgement =
        |summary, proposal| Judgement::reported(article, Key::DisplacedPieces, fact.by, summary).facts(facts).proposing(proposal);
    if fact.put_right {
        let list = edition.other_penalties;
        let summary = Words::new(
            format!("Pieces were displaced and are put right. A penalty ({list}) is the arbiter's choice."),
            format!("Фигуры были смещены, позиция восстановлена. Наказание ({list}) — по усмотрению арбитра."),
        );
        return Some(judgement(summary, Proposal::new(Action::Continue)));
    }
    let (count, list) = (fact.squares.len(), squares(&fact.squares));
    let what_en = format!("{count} {} to put right{list}.", if count == 1 { "square" } else { "squares" });
    let noun = plural_ru(count as u64, "поле", "поля", "полей");
    let what_ru = format!("исправить {count} {noun}{list}.");
    let summary = match fact.by {
        Some(by) => Words::new(
            format!("{} displaced pieces: {what_en}", player_en(by)),
            format!("{} сместили фигуры: {what_ru}", player_ru_first(by)),
        ),
        None => Words::new(format!("Pieces are displaced: {what_en}"), format!("Фигуры смещены: {what_ru}")),
    };
    let mut proposal = Proposal { restore_fen: Some(fact.fen.clone()), ..Proposal::new(Action::RestorePosition) };
    // 7.4.1: the time runs on the player who displaced them. A clock that runs is not touched.
    if let Some((by, now)) = fact.by.zip(s.clock).filter(|(_, now)| now.run == Run::Stopped) {
        let as_shown = set(by, shown(now, by), shown(now, by.other()), runs(by));
        proposal.clock = Some(as_shown);
        choices(&mut proposal, as_shown);
    }
    Some(judgement(summary, proposal))
}

fn misplaced(squares: &[Misplaced]) -> Value {
    squares.iter().map(|m| json!({ "square": m.square.to_string(), "is": m.is, "should": m.should })).collect()
}

/// The squares by name, if they are few.
fn squares(list: &[Misplaced]) -> String {
    if list.is_empty() || list.len() > 8 {
        return String::new();
    }
    let names: Vec<String> = list.iter().map(|m| m.square.to_string()).collect();
    format!(" ({})", names.join(", "))
}

/// 7.5.1 (1997: 6.13; Russia: 1.16.3). An illegal move was completed.
pub(crate) fn illegal_move(s: &Situation, fact: &IllegalMove) -> Option<Judgement> {
    if stands(s, &fact.before) {
        return None;
    }
    let mut reason = fact.reason.words();
    // Who pressed is the offender; the sensors do not see whose hand it was.
    if let Some([first, second]) = fact.twice.as_ref().map(|moves| [dashed(&moves[0]), dashed(&moves[1])]) {
        let (presser, other) = (fact.by, fact.by.other());
        reason.en +=
            &format!("; or {} moved twice in a row, {first} and {second}, and {} only pressed", player_en(other), player_en(presser));
        let (other, presser) = (player_ru_first(other).to_lowercase(), player_ru_first(presser).to_lowercase());
        reason.ru += &format!("; или {other} сделали два хода подряд, {first} и {second}, а {presser} только нажали часы");
    }
    let summary = with_what_was_done(
        &fact.before,
        format!("{} played {}, an illegal move: {}.", player_en(fact.by), numbered(fact.ply, fact.by, &fact.uci), reason.en),
        format!("Невозможный ход {} {}: {}.", of_player_ru(fact.by), numbered(fact.ply, fact.by, &fact.uci), reason.ru),
    );
    let measure = Measure::TakenBack(restores(&fact.before));
    let (mut proposal, question) = offence(s, Key::IllegalMove, fact.by, measure, &fact.before, &fact.before.fen);
    // 4.3 and 4.7 apply to the move that replaces the illegal one.
    if proposal.action == Action::RestorePosition {
        let touches = fact.touched.iter().map(|t| Touched { square: shakmaty::Square::new(u32::from(t.square.index())), own: t.own });
        let mut touched: Vec<Touched> = touches.collect();
        if touched.is_empty() {
            let own = !matches!(fact.reason, Reason::OpponentsPieceMoved { .. });
            touched.extend(fact.from.map(|square| Touched { square, own }));
        }
        proposal.replacement = fact.position.as_ref().map(|position| replacement(position, &touched, fact.chess960));
    }
    let mut facts = facts_of(fact.ply, Some(&fact.uci), &fact.before);
    facts["reason"] = json!({ "en": reason.en, "ru": reason.ru });
    facts["touched"] = json!(fact.touched);
    facts["moves"] = json!(fact.twice);
    judged(s, Key::IllegalMove, fact.by, summary, facts, proposal, question)
}

/// The sentence, and whether the players have put it right.
fn with_what_was_done(before: &Before, en: String, ru: String) -> Words {
    match before.since {
        Since::Stands => Words::new(en, ru),
        Since::TakenBack => Words::new(en + " The players have taken it back.", ru + " Игроки взяли ход назад."),
        Since::Exchanged => Words::new(en + " The pawn has been exchanged.", ru + " Пешка уже заменена."),
    }
}

/// What puts an irregular move right: the position before it, or nothing where the players have done so themselves.
pub(crate) const fn restores(before: &Before) -> Action {
    match before.since {
        Since::Stands => Action::RestorePosition,
        Since::TakenBack | Since::Exchanged => Action::Continue,
    }
}

/// 7.5.1 (rapid and blitz without full supervision), Russia 1.16.3: an illegal move stands once the opponent has made his next move. Where
/// the offender has taken it back, the move that replaces it comes first.
fn stands(s: &Situation, before: &Before) -> bool {
    before.later_moves > u32::from(before.since == Since::TakenBack) && s.edition().illegal_move_stands(s.play, s.supervision)
}

/// 7.5.2 (1997: 6.13; Russia: 1.16.3). A pawn was left on the last rank.
pub(crate) fn unpromoted_pawn(s: &Situation, fact: &UnpromotedPawn) -> Option<Judgement> {
    if stands(s, &fact.before) {
        return None;
    }
    let square = fact.square;
    let summary = with_what_was_done(
        &fact.before,
        format!("{} pressed the clock and did not promote the pawn on {square}.", player_en(fact.by)),
        format!("{} нажали часы, не превратив пешку на {square}.", player_ru_first(fact.by)),
    );
    let (measure, fen) = match (s.edition().unpromoted_pawn, fact.before.since) {
        (UnpromotedPawnPolicy::Queen, Since::Stands) => (Measure::Stands(Action::ReplaceWithQueen), &fact.queen_fen),
        (_, Since::Exchanged) => (Measure::Stands(Action::Continue), &fact.queen_fen),
        (UnpromotedPawnPolicy::Queen, Since::TakenBack) | (UnpromotedPawnPolicy::Restored, _) => {
            (Measure::TakenBack(restores(&fact.before)), &fact.before.fen)
        }
    };
    let (proposal, question) = offence(s, Key::UnpromotedPawn, fact.by, measure, &fact.before, fen);
    let mut facts = facts_of(fact.ply, Some(&fact.uci), &fact.before);
    facts["square"] = json!(square.to_string());
    facts["stands"] = json!(fact.stands);
    facts["queen_fen"] = json!(fact.queen_fen);
    judged(s, Key::UnpromotedPawn, fact.by, summary, facts, proposal, question)
}

/// 7.5.3 (1997: no rule of its own; Russia: 1.16.3). A press without a move.
pub(crate) fn press_without_move(s: &Situation, fact: &PressWithoutMove) -> Option<Judgement> {
    if stands(s, &fact.before) {
        return None;
    }
    let number = move_number(fact.ply, fact.by);
    let summary = Words::new(
        format!("{} pressed the clock without making move {number}.", player_en(fact.by)),
        format!("{} нажали часы, не сделав {number}-го хода.", player_ru_first(fact.by)),
    );
    // Nothing moved: only the clocks are put right. Without a penalty in time it is a remark.
    let penalties = &s.edition().penalties;
    let action = if penalties.bonus(s.play) > 0 { Action::SetClock } else { Action::Warn };
    let (proposal, question) = offence(s, Key::PressWithoutMove, fact.by, Measure::TakenBack(action), &fact.before, &fact.before.fen);
    judged(s, Key::PressWithoutMove, fact.by, summary, facts_of(fact.ply, None, &fact.before), proposal, question)
}

/// 7.5.4 as a hint (Russia: 1.16.2): the sensors saw what two hands would do. A note, never a proposal.
pub(crate) fn two_hands_hint(s: &Situation, by: Colour, ply: u32, seen: TwoHands, within_ms: u64) -> Option<Judgement> {
    let (word, en, ru) = match seen {
        TwoHands::TwoOwnPieces => {
            ("two-own-pieces", "two own pieces were in the air at once", "две свои фигуры были в воздухе одновременно")
        }
        TwoHands::Capture => {
            ("capture", "both pieces of a capture left their squares together", "при взятии обе фигуры сняты с полей одновременно")
        }
        TwoHands::Promotion => ("promotion", "pawn and new piece were exchanged at once", "пешка и новая фигура заменены одновременно"),
    };
    let summary = Words::new(
        format!("{} may have used two hands: {en}. The sensors cannot tell.", player_en(by)),
        format!("{}, возможно, ходили двумя руками: {ru}. Датчики этого не видят.", player_ru_first(by)),
    );
    let facts = json!({ "ply": ply, "seen": word, "within_ms": within_ms, "quality": "hint" });
    let mut judgement = Judgement::new(s.edition(), Key::TwoHands, Some(by), summary)?.facts(facts);
    judgement.grade = Grade::Note;
    Some(judgement)
}

/// 7.5.4 (Russia: 1.16.2), as the arbiter saw it. No restoration: the move stands with its increment and its press; only the opponent's
/// time is added.
pub(crate) fn two_hands(s: &Situation, by: Colour, ply: Option<u32>, fen: &str) -> Judgement {
    let summary =
        Words::new(format!("{} used two hands for one move.", player_en(by)), format!("{} сделали ход двумя руками.", player_ru_first(by)));
    let edition = s.edition();
    let measure = if edition.penalties.bonus(s.play) > 0 { Measure::Stands(Action::SetClock) } else { Measure::Remark };
    // The player to move when it is reported goes on thinking.
    let his_turn = fen.split(' ').nth(1) == Some(if by == Colour::White { "w" } else { "b" });
    let before = Before { later_moves: u32::from(his_turn), ..Before::default() };
    let (proposal, question) = offence(s, Key::TwoHands, by, measure, &before, fen);
    let article = edition.article_reported(Key::TwoHands);
    let mut judgement = Judgement::reported(article, Key::TwoHands, Some(by), summary).facts(json!({ "ply": ply })).proposing(proposal);
    judgement.question = question;
    judgement
}

/// What every offence of 7.5 shows.
fn facts_of(ply: u32, uci: Option<&str>, before: &Before) -> Value {
    json!({
        "ply": ply,
        "uci": uci,
        "fen_before": before.fen,
        "immediate": before.immediate,
        "clock_at_press": before.at_press,
        "earned_ms": before.earned_ms,
        "later_moves": before.later_moves,
        "put_right": (before.since != Since::Stands).then_some(true),
    })
}

fn judged(
    s: &Situation,
    key: Key,
    by: Colour,
    summary: Words,
    facts: Value,
    proposal: Proposal,
    question: Option<Question>,
) -> Option<Judgement> {
    let mut judgement = Judgement::new(s.edition(), key, Some(by), summary)?.facts(facts).proposing(proposal);
    judgement.question = question;
    Some(judgement)
}
