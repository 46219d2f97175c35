//! FIDE 2018 and 2023, Article 7: irregularities.
use super::row::Standing::{Applied, Arbiter, Note, Proposed};
use super::row::{FIDE, NONE, Row, row};
use flagfall_events::Rules;

/// What stands in rapid and blitz without full supervision once each has completed ten moves.
const UNSUPERVISED: &[&str] = &["clock-setting", "wrong-initial-position", "board-turned"];
const TEN_MOVES: [[&str; 2]; 2] = [
    ["ten moves completed by each player", "каждым из игроков завершено 10 ходов"],
    [
        "rapid and blitz without full supervision: the setting of the clock is not changed any more, a wrong set-up or orientation not claimed; the game continues",
        "быстрые шахматы и блиц без достаточного надзора: установка часов больше не меняется, заявления о неправильной расстановке или положении доски не принимаются; партия продолжается",
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
            "every proposal that touches a clock lists unchanged, computed and custom times and corrects the press counter; which of them was taken is recorded, and a ruled time that was not set is noted",
            "каждое предложение о часах содержит варианты: без изменений, расчёт, другое; счётчик ходов исправляется; что выбрано — записывается, не установленное время отмечается",
        ],
    ),
    row(
        FIDE,
        "7.2.1",
        &["wrong-initial-position"],
        &[Proposed],
        ["the first dump differs from the start position agreed", "первый снимок доски отличается от начальной позиции"],
        [
            "names the squares; before move 1: put it right; during the game: cancelled; after it: the result stands",
            "называет поля; до первого хода — исправить; во время игры — отмена; после — результат остаётся",
        ],
    ),
    row(
        FIDE,
        "7.2.2",
        &["board-turned"],
        &[Proposed],
        ["a start position turned by a quarter", "начальная позиция, повёрнутая на четверть оборота"],
        [
            "the game goes on and is read in the turned frame; the position to transfer is shown",
            "партия продолжается и читается в повёрнутом виде; показана позиция для переноса",
        ],
    ),
    row(
        FIDE,
        "7.3",
        &["colours-reversed"],
        &[Arbiter, Proposed],
        NONE,
        [
            "until both have completed ten moves: a new game; from then on the game continues",
            "пока каждый из игроков не завершил 10 ходов — новая партия; когда завершены, партия продолжается",
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
            "a legal move that was pressed is completed; the other squares are to be put right, counted down; the time runs on the player who displaced them",
            "возможный ход, после которого нажаты часы, завершён; остальные поля надо исправить, с обратным счётом; время идёт у того, кто сместил фигуры",
        ],
    ),
    row(
        FIDE,
        "7.4.2",
        &["displaced-pieces"],
        &[Applied],
        ["the clocks stand", "часы стоят"],
        [
            "a stop is expected then and is no finding of its own; a legal move that was pressed is completed whatever else was displaced, and only the rest is to be put right",
            "остановка часов в этом случае ожидаема и отдельно не отмечается; возможный ход с нажатием часов завершён, что бы ни было смещено, исправить надо только остальное",
        ],
    ),
    row(
        FIDE,
        "7.4.3",
        &["displaced-pieces"],
        &[Arbiter],
        NONE,
        [
            "the penalty is the arbiter's to enter: once the pieces are back the finding stays for that game, with the list of 12.9, until it is dismissed or a penalty is entered",
            "наказание вносит арбитр: когда фигуры возвращены, отметка со списком 12.9 остаётся до конца партии, пока её не сняли или не внесли наказание",
        ],
    ),
    row(
        FIDE,
        "7.5.1",
        &["illegal-move"],
        &[Proposed, Applied],
        [
            "a press with a position that no legal move explains, but one illegal move does; later moves on top",
            "нажатие с позицией, которую объясняет только один невозможный ход; ходы, сделанные после него",
        ],
        [
            "the reason in words, the position to restore, the moves that touch-move allows, both clocks and the counter; the increment earned is taken back. The position before is always in the record, however late it is found; then the times are those of the irregular press, as an alternative those shown now",
            "причина словами, позиция для восстановления, ходы по правилу «тронул — ходи», часы и счётчик; полученное дополнительное время снимается. Позиция до нарушения есть в записи, как бы поздно его ни нашли; тогда время — каким оно было при нарушении, как вариант — каким показано сейчас",
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
            "the pawn is replaced by a queen, no restoration: the move is completed as such and stands with its increment and press; only the opponent's time is added",
            "пешка заменяется на ферзя, позиция не восстанавливается: ход завершён как превращение и остаётся с дополнительным временем и нажатием; сопернику только добавляется время",
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
            "as an illegal move. Not for a late press, a lever that bounced, a restart, or a press in answer to one under a finding",
            "как невозможный ход. Кроме позднего нажатия, отскока рычага, возобновления игры и нажатия в ответ на уже отмеченное",
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
            "a hint; the arbiter reports what he saw. The move stands; only the opponent's time is added",
            "подсказка; арбитр вносит, что видел. Ход остаётся; сопернику только добавляется время",
        ],
    ),
    row(
        FIDE,
        "7.5.5",
        &["illegal-move", "press-without-move", "unpromoted-pawn", "two-hands"],
        &[Proposed],
        ["offences of each player in this game", "нарушения каждого игрока в этой партии"],
        [
            "first: time to the opponent; second by the same player: loss, or draw if the opponent cannot mate by any series of legal moves. Two faults in one move count once; the finding keeps the article of the offence",
            "первое: дополнительное время сопернику; второе у того же игрока: поражение или ничья, если соперник не может поставить мат любой серией возможных ходов. Две ошибки в одном ходе считаются за одну; в отметке остаётся статья самого нарушения",
        ],
    ),
    row(
        FIDE,
        "7.6",
        &["displaced-pieces"],
        &[Proposed],
        [
            "a stable placement that differs from the game and was no move; two exchanged pieces after ten seconds, or at a press at once",
            "устойчивая расстановка, которая отличается от партии и не была ходом; две фигуры, стоящие одна на месте другой, — через десять секунд или сразу при нажатии",
        ],
        [
            "the position before it, or the last one identified; the game goes on from there",
            "позиция до нарушения или последняя известная; партия продолжается с неё",
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
            "rapid and blitz without full supervision: the illegal move stands, its finding is withdrawn and does not count",
            "быстрые шахматы и блиц без достаточного надзора: невозможный ход остаётся, отметка снимается и не считается",
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
            "rapid and blitz without full supervision: the illegal move stands, its finding is withdrawn and does not count",
            "быстрые шахматы и блиц без достаточного надзора: невозможный ход остаётся, отметка снимается и не считается",
        ],
    ),
];
