//! FIDE 1997, as Fritz's help prints it: Article 6 only.
use super::row::Standing::{Applied, Arbiter, Note, Proposed, Setting};
use super::row::{NONE, Row, row};
use flagfall_events::Rules;

const THIS: &[Rules] = &[Rules::Fide1997];

pub(super) static ROWS: &[Row] = &[
    row(
        THIS,
        "6.1",
        &["clock-defect"],
        &[Applied],
        ["status bits of the clock's reports", "биты состояния в отчётах часов"],
        ["at most one side runs in what is published", "в публикуемом состоянии идут часы не более чем одного игрока"],
    ),
    row(
        THIS,
        "6.2",
        &["clock-setting"],
        &[Setting, Applied],
        ["reports of the clock; the sum of both", "отчёты часов; сумма показаний"],
        [
            "the time control is given as periods, with increment or time delay. Saved time is carried over, except in delay mode",
            "контроль задан по периодам, с дополнительным временем на ход или задержкой времени. Сэкономленное время переносится, кроме режима задержки времени",
        ],
    )
    .untested(
        "the same code as 6.3.2 of 2018, whose scenarios run under this edition",
        "тот же код, что 6.3.2 2018 года; его сценарии проверяют и эту редакцию",
    ),
    row(
        THIS,
        "6.3",
        &["flag-fall"],
        &[Applied],
        ["the flag, or 0:00", "флажок или 0:00"],
        ["moves completed against moves required (8.1), at once", "сразу: завершённые ходы против положенных (8.1)"],
    )
    .untested(
        "the same code as 6.4 of 2018, whose scenarios run under this edition",
        "тот же код, что 6.4 2018 года; его сценарии проверяют и эту редакцию",
    ),
    row(
        THIS,
        "6.4",
        &["clock-side"],
        &[Setting, Proposed],
        ["the lever after the first moves", "рычаг после первых ходов"],
        [
            "where the clock stands is a setting. A contradiction after move 2 is a finding",
            "где стоят часы — настройка. Противоречие после 2-го хода отмечается",
        ],
    ),
    row(
        THIS,
        "6.5",
        &["wrong-side-started", "late-start"],
        &[Proposed],
        ["which side runs first; the scheduled start", "чьи часы пошли первыми; назначенное время начала"],
        ["Black's clock first, or none a minute after the start", "первыми пошли часы чёрных, или через минуту не пошли никакие"],
    ),
    row(
        THIS,
        "6.6",
        &["default-time"],
        &[Proposed, Arbiter],
        ["no move and no press by that player", "ни хода, ни нажатия этого игрока"],
        [
            "one hour from the scheduled start, unless another default time is set. A hint until the arbiter enters that the player is absent. Arrivals are entered",
            "один час от назначенного начала, если не установлено иное. До того как арбитр внёс, что игрок отсутствует, — только подсказка. Прибытие вносит арбитр",
        ],
    ),
    row(
        THIS,
        "6.7a",
        &["late-press", "press-without-move"],
        &[Applied, Note],
        ["a stable position and a change of the lever", "устойчивая позиция и переключение рычага"],
        [
            "only a press or the end of the game completes a move. A press completes all that wait, and must always be allowed. A press without a move is no finding",
            "ход завершает только нажатие или конец партии. Нажатие завершает все ожидающие ходы и всегда допустимо. Нажатие без хода отдельно не отмечается",
        ],
    ),
    row(
        THIS,
        "6.7b",
        &["wrong-hand"],
        &[Arbiter],
        NONE,
        ["reported by the arbiter; penalties of 13.4", "вносит арбитр; наказания по 13.4"],
    )
    .untested("the same code as 6.2.3 of 2018, with another number", "тот же код, что 6.2.3 2018 года, с другим номером"),
    row(
        THIS,
        "6.7c",
        &[],
        &[Applied, Arbiter],
        ["a press while the piece is in the air", "нажатие, когда фигура ещё в воздухе"],
        [
            "no finding: this text does not forbid it. Rough handling is the arbiter's (13.4)",
            "не отмечается: этот текст такого не запрещает. Грубое обращение с часами — арбитр (13.4)",
        ],
    ),
    row(
        THIS,
        "6.8",
        &["flag-fall"],
        &[Proposed],
        ["the flag, or 0:00, and which came first", "флажок или 0:00, и чей раньше"],
        [
            "flagfall indicates. The flag has fallen when the arbiter confirms it, or enters a player's valid claim",
            "flagfall только показывает. Флажок считается упавшим, когда это подтвердил арбитр или когда он внёс обоснованное заявление игрока",
        ],
    ),
    row(
        THIS,
        "6.9",
        &["flag-fall"],
        &[Proposed],
        ["the position", "позиция"],
        [
            "a loss. A draw if the opponent cannot mate even by the most unskilled counterplay",
            "поражение. Ничья, если соперник не может поставить мат даже при самой неумелой защите",
        ],
    ),
    row(
        THIS,
        "6.10",
        &["clock-defect"],
        &[Proposed],
        [
            "time that does not fall, jumps, both sides running, drift, no reports",
            "время не убывает, скачки, идут часы обоих, неверный ход часов, нет отчётов",
        ],
        ["times for the replacement clock", "время для новых часов"],
    ),
    row(
        THIS,
        "6.11",
        &["both-flags"],
        &[Proposed],
        ["both flags, their order not known", "оба флажка, порядок неизвестен"],
        ["the game goes on", "партия продолжается"],
    ),
    row(
        THIS,
        "6.12a",
        &[],
        &[Arbiter],
        ["both clocks stand", "часы стоят"],
        ["stops are entered. Position and times are in the record", "остановку вносит арбитр. Позиция и время остаются в записи"],
    )
    .untested(
        "the same code as 6.11.1 of 2018, whose scenarios run under this edition",
        "тот же код, что 6.11.1 2018 года; его сценарии проверяют и эту редакцию",
    ),
    row(
        THIS,
        "6.12b",
        &["clock-stopped"],
        &[Proposed],
        ["both clocks stand in a game in progress", "часы стоят, а партия не окончена"],
        ["with what may be the reason", "с возможной причиной"],
    ),
    row(
        THIS,
        "6.12c",
        &["clock-restarted"],
        &[Note],
        ["they run again, no restart was entered", "часы снова идут, возобновление не внесено"],
        ["a note", "отметка"],
    )
    .untested("the same code as 6.11.3 of 2018, with another number", "тот же код, что 6.11.3 2018 года, с другим номером"),
    row(
        THIS,
        "6.13",
        &["illegal-move", "displaced-pieces", "unpromoted-pawn", "wrong-initial-position", "colours-reversed", "board-turned"],
        &[Proposed],
        ["as in Article 7 of 2018", "как в статье 7 2018 года"],
        [
            "the position is restored, the clocks by the arbiter's judgement. There is no fixed penalty; nothing is counted",
            "позиция восстанавливается, время — по усмотрению арбитра. Твёрдого наказания и счёта нарушений нет",
        ],
    ),
    row(
        THIS,
        "6.14",
        &[],
        &[Applied],
        NONE,
        [
            "the public view shows position, moves and clocks, and nothing to base a claim on",
            "публично видны позиция, ходы и часы, и ничего, на чём можно основать заявление",
        ],
    )
    .untested(
        "the same code as 6.12 of 2018; the stream does not depend on the edition",
        "тот же код, что 6.12 2018 года; поток не зависит от редакции",
    ),
    row(
        THIS,
        "5.1-5.3",
        &[],
        &[Applied],
        ["the position", "позиция"],
        [
            "mate, stalemate and a dead position end the game at once. 6.7a names these articles",
            "мат, пат и мёртвая позиция сразу заканчивают партию. Эти статьи названы в 6.7a",
        ],
    ),
    row(
        THIS,
        "9.2",
        &["draw-claim"],
        &[Applied],
        ["the positions of the game", "позиции партии"],
        ["threefold repetition, on claim. Only the arbiter is told", "троекратное повторение, по заявлению. Сообщается только арбитру"],
    ),
    row(
        THIS,
        "9.3",
        &["draw-claim"],
        &[Applied],
        ["the moves of the game", "ходы партии"],
        [
            "fifty moves without a pawn move or capture, on claim. Only the arbiter is told",
            "пятьдесят ходов без хода пешкой и взятия, по заявлению. Сообщается только арбитру",
        ],
    ),
    row(
        THIS,
        "13.4",
        &["two-moves-in-a-row"],
        &[Arbiter, Proposed],
        ["one side's second move without the opponent's", "второй ход одной стороны без хода соперника"],
        ["the list of penalties is with the finding", "список наказаний приложен"],
    )
    .untested("the same code as 12.9 of 2018, with another number", "тот же код, что 12.9 2018 года, с другим номером"),
];
