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
            "all moves inside the time set. A clock that is set otherwise is a finding",
            "все ходы за установленное время. Иная установка часов отмечается",
        ],
    ),
    row(
        THIS,
        "1.16.2",
        &["late-press", "clock-side", "wrong-hand", "press-before-move", "two-hands"],
        &[Applied, Note, Arbiter],
        ["a stable position and a change of the lever", "устойчивая позиция и переключение рычага"],
        [
            "the clock is on White's left. A press is always allowed after the move and completes all that wait. A finger on the button and the other hand are entered by the arbiter",
            "часы слева от белых. Нажать после хода можно всегда; это завершает все ожидающие ходы. Палец на кнопке и другую руку вносит арбитр",
        ],
    ),
    row(
        THIS,
        "1.16.2",
        &["moved-before-clock"],
        &[Note],
        ["a move while the player's own clock does not run", "ход, когда часы игрока ещё не идут"],
        [
            "noted with its time, never an alarm. Only the arbiter decides whether it is a violation",
            "отмечается со временем, без тревоги. Нарушение ли это, решает только арбитр",
        ],
    ),
    row(
        THIS,
        "1.16.3",
        &["illegal-move", "press-without-move", "unpromoted-pawn", "displaced-pieces", "two-moves-in-a-row"],
        &[Proposed, Applied],
        ["a press with an impossible move or another error", "нажатие с невозможным ходом или другой ошибкой"],
        [
            "the offender's clock is started again, by the opponent's press back or by the arbiter. He corrects in his own time, both times as shown. Confirmed, the move is taken back at once. Unnoticed by both, it stands once the opponent has moved",
            "пускаются часы провинившегося — обратным нажатием соперника или арбитром. Он исправляет за счёт своего времени, показания не меняются. После подтверждения ход сразу берётся назад. Не замеченный обоими ход остаётся, когда соперник сделал свой",
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
            "no violation, however often. A correction pressed back (1.16.3) and a late press are none of these",
            "не нарушение, сколько бы раз это ни понадобилось. Обратное нажатие при исправлении (1.16.3) и позднее нажатие сюда не относятся",
        ],
    ),
    row(
        THIS,
        "1.16.4",
        &["clock-defect"],
        &[Proposed],
        ["the clock does what no rule explains", "часы идут не так, как должны"],
        [
            "if the button does not help, the arbiter is called. The finding shows the times to set",
            "если кнопка не помогает, зовут арбитра. Показано, что установить на часах",
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
            "a threefold repetition is shown to the judge. Recorded by him it is a draw",
            "троекратное повторение показано судье. Зафиксированное им, оно означает ничью",
        ],
    ),
    row(
        THIS,
        "1.16.7",
        &["five-moves"],
        &[Arbiter],
        ["completed moves since the count began", "завершённые ходы с начала счёта"],
        [
            "the arbiter starts a count of five moves, flagfall keeps it. Without a won position by then it is a draw",
            "арбитр начинает счёт пяти ходов, flagfall ведёт его. Нет выигранной позиции — ничья",
        ],
    ),
    row(
        THIS,
        "1.16.8",
        &["flag-fall"],
        &[Proposed, Arbiter],
        ["the flag, or 0:00", "флажок или 0:00"],
        [
            "time lost is the game lost, even in a won position. A draw offered with stopped clocks by the stronger side is entered",
            "просрочка — поражение даже в выигранной позиции. Ничью по предложению сильнейшей стороны с остановкой часов вносит арбитр",
        ],
    ),
    row(
        THIS,
        "1.16",
        &["draw-claim"],
        &[Applied],
        ["the position, the moves of the game", "позиция, ходы партии"],
        [
            "mate, stalemate and a dead position end the game at once. Fifty moves without a pawn move or capture are shown to the arbiter for a claim. The section has no clause of its own for these",
            "мат, пат и мёртвая позиция сразу заканчивают партию. Пятьдесят ходов без хода пешкой и взятия показаны арбитру для заявления. Отдельного пункта в разделе нет",
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
            "the section has no clause of its own for these. What FIDE's text asks for is shown, and the section is cited",
            "отдельного пункта в разделе нет. Показано то, что требует текст ФИДЕ, со ссылкой на раздел",
        ],
    )
    .untested("the same code as under fide-2018, with another number", "тот же код, что в редакции fide-2018, с другим номером"),
];
