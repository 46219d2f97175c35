//! FIDE 2018 and 2023, Article 7: irregularities.
use super::row::Standing::{Applied, Arbiter, Note, Proposed};
use super::row::{FIDE, NONE, Row, row};
use flagfall_events::Rules;

/// What stands in rapid and blitz without full supervision once each has completed ten moves.
const UNSUPERVISED: &[&str] = &["clock-setting", "wrong-initial-position", "board-turned"];
const TEN_MOVES: [[&str; 2]; 2] = [
    ["ten moves completed by each player", "каждым из игроков завершено 10 ходов"],
    [
        "rapid and blitz without full supervision: the setting of the clock is not changed any more. A wrong set-up or orientation cannot be claimed any more. The game continues",
        "быстрые шахматы и блиц без достаточного надзора: установка часов больше не меняется. Заявления о неправильной расстановке или положении доски не принимаются. Партия продолжается",
    ],
];

pub(super) static ROWS: &[Row] = &[
    row(
        FIDE,
        "7.1",
        &["clock-setting"],
        &[Proposed, Note],
        NONE,
        [
            "every proposal that touches a clock lists unchanged, computed and custom times, and corrects the press counter. Which of them was taken is recorded. A ruled time that was not set is noted",
            "каждое предложение о часах содержит варианты: без изменений, расчёт, другое. Счётчик ходов исправляется. Что выбрано, записывается. Не установленное время отмечается",
        ],
    ),
    row(
        FIDE,
        "7.2.1",
        &["wrong-initial-position"],
        &[Proposed],
        ["the first dump differs from the start position agreed", "первый снимок доски отличается от начальной позиции"],
        [
            "names the squares. Before move 1 they are put right. A game in progress is cancelled. After the game the result stands",
            "называет поля. До первого хода — исправить. Во время игры — отмена партии. После игры результат остаётся",
        ],
    ),
    row(
        FIDE,
        "7.2.2",
        &["board-turned"],
        &[Proposed],
        ["a start position turned by a quarter", "начальная позиция, повёрнутая на четверть оборота"],
        [
            "the game goes on and is read in the turned frame. The position to transfer is shown",
            "партия продолжается и читается в повёрнутом виде. Показана позиция для переноса",
        ],
    ),
    row(
        FIDE,
        "7.3",
        &["colours-reversed"],
        &[Arbiter, Proposed],
        NONE,
        [
            "until both have completed ten moves, a new game. From then on the game continues",
            "пока каждый из игроков не завершил 10 ходов — новая партия. Потом партия продолжается",
        ],
    ),
    row(
        FIDE,
        "7.4.1",
        &["displaced-pieces"],
        &[Proposed],
        [
            "three or more squares that no legal move explains, or pieces knocked over",
            "три поля и больше, которые не объясняет ни один ход, или опрокинутые фигуры",
        ],
        [
            "a legal move that was pressed is completed. The other squares are to be put right, counted down. The time runs on the player who displaced them",
            "возможный ход, после которого нажаты часы, завершён. Остальные поля надо исправить, с обратным счётом. Время идёт у того, кто сместил фигуры",
        ],
    ),
    row(
        FIDE,
        "7.4.2",
        &["displaced-pieces"],
        &[Applied],
        ["the clocks stand", "часы стоят"],
        [
            "a stop is expected then and is no finding of its own. A legal move that was pressed is completed, whatever else was displaced. Only the rest is to be put right",
            "остановка часов в этом случае ожидаема и отдельно не отмечается. Возможный ход с нажатием часов завершён, что бы ни было смещено. Исправить надо только остальное",
        ],
    ),
    row(
        FIDE,
        "7.4.3",
        &["displaced-pieces"],
        &[Arbiter],
        NONE,
        [
            "the penalty is the arbiter's to enter. Once the pieces are back, the finding stays for that game, with the list of 12.9, until it is dismissed or a penalty is entered",
            "наказание вносит арбитр. Когда фигуры возвращены, отметка со списком 12.9 остаётся до конца партии, пока её не сняли или не внесли наказание",
        ],
    ),
    row(
        FIDE,
        "7.5.1",
        &["illegal-move"],
        &[Proposed, Applied],
        [
            "a press with a position that no legal move explains, but one illegal move does. Later moves may stand on top",
            "нажатие с позицией, которую объясняет только один невозможный ход. После него могли быть сделаны другие ходы",
        ],
        [
            "the reason in words, the position to restore, the moves that touch-move allows, both clocks and the counter. The increment earned is taken back. The position before is always in the record. When the move is found late, the times are those of the irregular press; those shown now are an alternative",
            "причина словами, позиция для восстановления, ходы по правилу «тронул — ходи», часы и счётчик. Полученное дополнительное время снимается. Позиция до нарушения всегда есть в записи. Если ход найден поздно, время — каким оно было при нарушении; как вариант — каким показано сейчас",
        ],
    ),
    row(
        FIDE,
        "7.5.2",
        &["unpromoted-pawn"],
        &[Proposed],
        [
            "a pawn, nothing or an unreadable piece on the last rank at the press",
            "пешка, пустое поле или нечитаемая фигура на последней горизонтали при нажатии",
        ],
        [
            "the pawn is replaced by a queen, nothing is restored. The move is completed as such and stands with its increment and press. Only the opponent's time is added",
            "пешка заменяется на ферзя, позиция не восстанавливается. Ход завершён как превращение и остаётся с дополнительным временем и нажатием. Сопернику только добавляется время",
        ],
    ),
    row(
        FIDE,
        "7.5.3",
        &["press-without-move"],
        &[Proposed],
        [
            "a press by the side to move, the placement unchanged a scan later",
            "нажатие стороны, чей ход, при неизменной позиции через один обход датчиков",
        ],
        [
            "treated as an illegal move. Not raised for a late press, a lever that bounced, a restart, or a press in answer to one under a finding",
            "как невозможный ход. Не отмечается при позднем нажатии, отскоке рычага, возобновлении игры и нажатии в ответ на уже отмеченное",
        ],
    ),
    row(
        FIDE,
        "7.5.4",
        &["two-hands"],
        &[Arbiter, Note],
        [
            "two own pieces in the air at once, or a capture within one scan, then a press",
            "две свои фигуры в воздухе сразу или взятие за один обход датчиков, затем нажатие",
        ],
        [
            "a hint. The arbiter reports what he saw. The move stands; only the opponent's time is added",
            "подсказка. Арбитр вносит, что видел. Ход остаётся; сопернику только добавляется время",
        ],
    ),
    row(
        FIDE,
        "7.5.5",
        &["illegal-move", "press-without-move", "unpromoted-pawn", "two-hands"],
        &[Proposed],
        ["offences of each player in this game", "нарушения каждого игрока в этой партии"],
        [
            "the first time, the opponent gets time. The second by the same player is a loss, or a draw if the opponent cannot mate by any series of legal moves. Two faults in one move count once. The finding keeps the article of the offence",
            "первое: дополнительное время сопернику. Второе у того же игрока: поражение или ничья, если соперник не может поставить мат любой серией возможных ходов. Две ошибки в одном ходе считаются за одну. В отметке остаётся статья самого нарушения",
        ],
    ),
    row(
        FIDE,
        "7.6",
        &["displaced-pieces"],
        &[Proposed],
        [
            "a stable placement that differs from the game and was no move. Two exchanged pieces: after ten seconds, at a press at once",
            "устойчивая расстановка, которая отличается от партии и не была ходом. Две фигуры, стоящие одна на месте другой: через десять секунд, при нажатии сразу",
        ],
        [
            "the position before it, or the last one identified. The game goes on from there",
            "позиция до нарушения или последняя известная. Партия продолжается с неё",
        ],
    ),
    row(&[Rules::Fide2018], "A.4.1", UNSUPERVISED, &[Proposed], TEN_MOVES[0], TEN_MOVES[1]).untested(
        "the same code as A.5.1 of 2023, whose scenario runs under both editions",
        "тот же код, что A.5.1 2023 года; сценарий проверяет обе редакции",
    ),
    row(
        &[Rules::Fide2018],
        "A.4.2",
        &["illegal-move"],
        &[Applied],
        ["the opponent's next move is made", "соперник сделал следующий ход"],
        [
            "rapid and blitz without full supervision: the illegal move stands. Its finding is withdrawn and does not count",
            "быстрые шахматы и блиц без достаточного надзора: невозможный ход остаётся. Отметка снимается и не считается",
        ],
    )
    .untested(
        "the same code as A.5.2 of 2023, whose scenario runs under both editions",
        "тот же код, что A.5.2 2023 года; сценарий проверяет обе редакции",
    ),
    row(&[Rules::Fide2023], "A.5.1", UNSUPERVISED, &[Proposed], TEN_MOVES[0], TEN_MOVES[1]),
    row(
        &[Rules::Fide2023],
        "A.5.2",
        &["illegal-move"],
        &[Applied],
        ["the opponent's next move is made", "соперник сделал следующий ход"],
        [
            "rapid and blitz without full supervision: the illegal move stands. Its finding is withdrawn and does not count",
            "быстрые шахматы и блиц без достаточного надзора: невозможный ход остаётся. Отметка снимается и не считается",
        ],
    ),
];
