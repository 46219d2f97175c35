//! Russian sports rules, section 1.16: rapid and blitz.
use super::row::Standing::{Applied, Arbiter, Note, Proposed, Setting};
use super::row::{NONE, Row, row};
use flagfall_events::Rules;

const THIS: &[Rules] = &[Rules::Russia116];

pub(super) static ROWS: &[Row] = &[
    row(
        THIS,
        "1.16.1",
        &["clock-setting"],
        &[Setting],
        ["reports of the clock", "отчёты часов"],
        [
            "all moves inside the time set; a clock that is set otherwise is a finding",
            "все ходы за установленное время; иная установка часов отмечается",
        ],
    ),
    row(
        THIS,
        "1.16.2",
        &["late-press", "clock-side", "wrong-hand", "press-before-move", "two-hands"],
        &[Applied, Note, Arbiter],
        ["a stable position and a change of the lever", "устойчивая позиция и переключение рычага"],
        [
            "the clock is on White's left; a press is always allowed after the move and completes all that wait; finger on the button, other hand: the arbiter",
            "часы слева от белых; нажать после хода можно всегда, это завершает все ожидающие ходы; палец на кнопке, другая рука — вносит арбитр",
        ],
    ),
    row(
        THIS,
        "1.16.2",
        &["moved-before-clock"],
        &[Note],
        ["a move while the player's own clock does not run", "ход, когда часы игрока ещё не идут"],
        [
            "noted with its time, never an alarm; only the arbiter decides whether it is a violation",
            "отмечается со временем, без тревоги; нарушение ли это, решает только арбитр",
        ],
    ),
    row(
        THIS,
        "1.16.3",
        &["illegal-move", "press-without-move", "unpromoted-pawn", "displaced-pieces", "two-moves-in-a-row"],
        &[Proposed, Applied],
        ["a press with an impossible move or another error", "нажатие с невозможным ходом или другой ошибкой"],
        [
            "the offender's clock is started again, by the opponent's press back or by the arbiter, and he corrects in his own time, both times as shown; confirmed, the move is taken back at once; unnoticed by both, it stands once the opponent has moved",
            "пускаются часы провинившегося — обратным нажатием соперника или арбитром, — и он исправляет за счёт своего времени, показания не меняются; после подтверждения ход сразу берётся назад; не замеченный обоими ход остаётся, когда соперник сделал свой",
        ],
    ),
    row(
        THIS,
        "1.16.4",
        &["illegal-move", "press-without-move", "unpromoted-pawn", "two-hands", "wrong-hand", "press-before-move", "two-moves-in-a-row"],
        &[Proposed],
        ["violations of each player in this game, of any kind", "нарушения каждого игрока в этой партии, любые"],
        ["first: remark; second: warning; third: loss", "первое — замечание, второе — предупреждение, третье — поражение"],
    ),
    row(
        THIS,
        "1.16.4",
        &["lever-check"],
        &[Applied, Note],
        ["the opponent's button and back, his clock not having started", "кнопка часов партнёра и обратно, когда его часы не идут"],
        [
            "no violation, however often; a correction pressed back (1.16.3) and a late press are none of these",
            "не нарушение, сколько бы раз это ни понадобилось; обратное нажатие при исправлении (1.16.3) и позднее нажатие сюда не относятся",
        ],
    ),
    row(
        THIS,
        "1.16.4",
        &["clock-defect"],
        &[Proposed],
        ["the clock does what no rule explains", "часы идут не так, как должны"],
        [
            "if the button does not help, the arbiter is called: the times to set",
            "если кнопка не помогает, зовут арбитра: что установить на часах",
        ],
    )
    .untested("the same code as 6.10.1 of 2018, with another number", "тот же код, что 6.10.1 2018 года, с другим номером"),
    row(
        THIS,
        "1.16.7",
        &["both-flags"],
        &[Proposed],
        ["both flags, or both at 0:00", "оба флажка или оба на 0:00"],
        ["a draw, whatever the order", "ничья при любом порядке"],
    ),
    row(
        THIS,
        "1.16.7",
        &["draw-claim"],
        &[Applied, Arbiter],
        ["the positions of the game", "позиции партии"],
        [
            "a threefold repetition is shown to the judge; recorded by him it is a draw",
            "троекратное повторение показано судье; зафиксированное им, оно означает ничью",
        ],
    ),
    row(
        THIS,
        "1.16.7",
        &["five-moves"],
        &[Arbiter],
        ["completed moves since the count began", "завершённые ходы с начала счёта"],
        [
            "the arbiter starts a count of five moves, flagfall keeps it; without a won position by then, a draw",
            "арбитр начинает счёт пяти ходов, flagfall ведёт его; нет выигранной позиции — ничья",
        ],
    ),
    row(
        THIS,
        "1.16.8",
        &["flag-fall"],
        &[Proposed, Arbiter],
        ["the flag, or 0:00", "флажок или 0:00"],
        [
            "time lost is the game lost, even in a won position; a draw offered with stopped clocks by the stronger side is entered",
            "просрочка — поражение даже в выигранной позиции; ничью по предложению сильнейшей стороны с остановкой часов вносит арбитр",
        ],
    ),
    row(
        THIS,
        "1.16",
        &["draw-claim"],
        &[Applied],
        ["the position, the moves of the game", "позиция, ходы партии"],
        [
            "mate, stalemate and a dead position end the game at once; fifty moves without a pawn move or capture are shown to the arbiter for a claim: the section has no clause of its own for these",
            "мат, пат и мёртвая позиция сразу заканчивают партию; пятьдесят ходов без хода пешкой и взятия показаны арбитру для заявления: отдельного пункта в разделе нет",
        ],
    ),
    row(
        THIS,
        "1.16",
        &[
            "default-time",
            "late-start",
            "wrong-side-started",
            "clock-stopped",
            "clock-restarted",
            "wrong-initial-position",
            "colours-reversed",
            "board-turned",
        ],
        &[Proposed, Note],
        NONE,
        [
            "the section has no clause of its own for these; what FIDE's text asks for is shown and the section is cited",
            "отдельного пункта в разделе нет; показано то, что требует текст ФИДЕ, со ссылкой на раздел",
        ],
    )
    .untested("the same code as under fide-2018, with another number", "тот же код, что в редакции fide-2018, с другим номером"),
];
