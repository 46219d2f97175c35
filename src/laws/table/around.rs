//! FIDE 2018 and 2023: the articles around 6 and 7 that are needed to apply them.
use super::row::Standing::{Applied, Arbiter, Proposed};
use super::row::{FIDE, Row, row};

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
            "castling (3.8) is recorded in either order. If the rook was touched first, the touches show it; whether castling on that side is still allowed (4.4.2), the arbiter decides. A king moves two squares and the clock is pressed: if the rook follows within a scan, it is castling. Up to 2.5 s later it is castling and a press before the move, never an illegal move. If the rook stays, it is an illegal move",
            "рокировка (3.8) записывается при любом порядке. Если первой взята ладья, это видно по касаниям; можно ли ещё рокировать в эту сторону (4.4.2), решает арбитр. Король передвинут на два поля, и часы нажаты: если ладья переставлена в пределах одного обхода датчиков, это рокировка. До 2,5 с позже — рокировка и нажатие часов до хода, но не невозможный ход. Если ладья осталась на месте, ход невозможный",
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
        ["both kings in the centre for two seconds", "оба короля в центре две секунды"],
        [
            "resignation is entered, or shown with the kings: both on light squares 1–0, both on dark 0–1. A king's move that was pressed does not count, nor do the kings while another finding waits for its ruling. No move of the gesture is recorded",
            "сдача вносится или показана королями: оба на белых полях — 1–0, оба на чёрных — 0–1. Ход королём с нажатием часов не считается. Пока другая отметка ждёт решения, жест тоже не считается. Ходы этого жеста не записываются",
        ],
    ),
    row(
        FIDE,
        "5.2.3",
        &[],
        &[Arbiter, Applied],
        ["both kings in the centre for two seconds", "оба короля в центре две секунды"],
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
            "threefold repetition, by side to move, castling rights and legal en passant. Only the arbiter is told",
            "троекратное повторение с учётом очереди хода, рокировок и возможного взятия на проходе. Сообщается только арбитру",
        ],
    ),
    row(
        FIDE,
        "9.3",
        &["draw-claim"],
        &[Applied],
        ["the moves of the game", "ходы партии"],
        [
            "fifty moves without a pawn move or capture. Only the arbiter is told",
            "пятьдесят ходов без хода пешкой и взятия. Сообщается только арбитру",
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
            "two moves in a row come under 12.9, not 7.5. The offender is who presses; the sentence names the other reading too. The list of penalties is with everything that is not an illegal move",
            "два хода подряд — 12.9, а не 7.5. Нарушитель — тот, кто нажал часы; другое объяснение тоже названо. Список наказаний приложен ко всему, что не является невозможным ходом",
        ],
    ),
    row(
        FIDE,
        "III.3.1",
        &["both-flags"],
        &[Proposed],
        ["both flags, their order not known", "оба флажка, порядок неизвестен"],
        [
            "the game goes on. In the last period it is a draw. If the order is known, the first flag decides (6.9)",
            "партия продолжается. В последнем периоде — ничья. Если порядок известен, решает первый флажок (6.9)",
        ],
    ),
];
