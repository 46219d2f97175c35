//! FIDE 2018 and 2023: the articles around 6 and 7 that are needed to apply them.
use super::Standing::{Applied, Arbiter, Proposed};
use super::{FIDE, Row, row};

pub(super) static ROWS: &[Row] = &[
    row(
        FIDE,
        "4.3",
        &["touched-piece"],
        &[Applied],
        ["which pieces were lifted, in what order and when", "какие фигуры подняты, в каком порядке и когда"],
        [
            "recorded, never judged; with an illegal move they give the replacement moves (4.7)",
            "записывается, не оценивается; при невозможном ходе определяет ходы на замену (4.7)",
        ],
    ),
    row(
        FIDE,
        "4.4",
        &["illegal-move"],
        &[Applied, Proposed],
        ["king and rook", "король и ладья"],
        [
            "castling king first or rook first (3.8); a king moved two squares and pressed without the rook: establish the facts",
            "рокировка с короля или с ладьи (3.8); король пошёл через поле и часы нажаты без ладьи — выяснить обстоятельства",
        ],
    ),
    row(FIDE, "5.1.1", &[], &[Applied], ["the position", "позиция"], ["checkmate ends the game at once", "мат сразу заканчивает партию"]),
    row(FIDE, "5.2.1", &[], &[Applied], ["the position", "позиция"], ["stalemate ends the game at once", "пат сразу заканчивает партию"]),
    row(
        FIDE,
        "5.2.2",
        &[],
        &[Applied],
        ["the position", "позиция"],
        ["a dead position ends the game at once", "мёртвая позиция сразу заканчивает партию"],
    ),
    row(
        FIDE,
        "5.1.2",
        &[],
        &[Arbiter, Applied],
        ["both kings in the centre for five seconds", "оба короля в центре пять секунд"],
        [
            "resignation is entered, or shown with the kings: both on light squares 1–0, both on dark 0–1; no move of the gesture is recorded",
            "сдача вносится или показана королями: оба на белых полях 1–0, оба на чёрных 0–1; ходы этого жеста не записываются",
        ],
    ),
    row(
        FIDE,
        "5.2.3",
        &[],
        &[Arbiter, Applied],
        ["both kings in the centre for five seconds", "оба короля в центре пять секунд"],
        [
            "a draw agreed is entered, or shown with the kings: one on light, one on dark",
            "ничья по согласию вносится или показана королями: один на белом поле, другой на чёрном",
        ],
    ),
    row(
        FIDE,
        "9.2",
        &["draw-claim"],
        &[Applied],
        ["the positions of the game", "позиции партии"],
        [
            "threefold repetition by side to move, castling rights and legal en passant; told to the arbiter only",
            "троекратное повторение с учётом очереди хода, рокировок и возможного взятия на проходе; сообщается только арбитру",
        ],
    ),
    row(
        FIDE,
        "9.3",
        &["draw-claim"],
        &[Applied],
        ["the moves of the game", "ходы партии"],
        [
            "fifty moves without a pawn move or capture; told to the arbiter only",
            "пятьдесят ходов без хода пешкой и взятия; сообщается только арбитру",
        ],
    ),
    row(
        FIDE,
        "9.6.1",
        &[],
        &[Applied],
        ["the positions of the game", "позиции партии"],
        ["fivefold repetition: the game ended with that move", "пятикратное повторение: партия окончена этим ходом"],
    ),
    row(
        FIDE,
        "9.6.2",
        &[],
        &[Applied],
        ["the moves of the game", "ходы партии"],
        [
            "seventy-five moves: the game ended with that move, unless it was mate",
            "семьдесят пять ходов: партия окончена этим ходом, если это не мат",
        ],
    ),
    row(
        FIDE,
        "12.9",
        &["two-moves-in-a-row"],
        &[Arbiter, Proposed],
        ["one side's second move without the opponent's", "второй ход одной стороны без хода соперника"],
        [
            "two moves in a row are 12.9, not 7.5; the list of penalties is with everything that is no illegal move",
            "два хода подряд — 12.9, а не 7.5; список наказаний приложен ко всему, что не является невозможным ходом",
        ],
    ),
    row(
        FIDE,
        "III.3.1",
        &["both-flags"],
        &[Proposed],
        ["both flags, their order not known", "оба флажка, порядок неизвестен"],
        [
            "the game goes on; in the last period it is a draw. With the order known the first flag decides (6.9)",
            "партия продолжается; в последнем периоде — ничья. Если порядок известен, решает первый флажок (6.9)",
        ],
    ),
];
