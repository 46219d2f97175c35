//! What each alarm means and what to do about it, for pages, webhooks and `docs/alarms.md`.
use serde::Serialize;

/// A sentence in both languages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Said {
    /// English.
    pub en: &'static str,
    /// Russian.
    pub ru: &'static str,
}

/// One kind of alarm.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Meaning {
    /// Its key.
    pub key: &'static str,
    /// What it means.
    pub text: Said,
    /// What to do.
    pub todo: Said,
}

const fn alarm(key: &'static str, en: &'static str, ru: &'static str, todo_en: &'static str, todo_ru: &'static str) -> Meaning {
    Meaning { key, text: Said { en, ru }, todo: Said { en: todo_en, ru: todo_ru } }
}

/// The meaning of an alarm; `None` for a key that this version does not know.
pub fn meaning(key: &str) -> Option<&'static Meaning> {
    TABLE.iter().find(|meaning| meaning.key == key)
}

/// Every alarm, the most urgent first.
pub const TABLE: [Meaning; 53] = [
    alarm(
        "journal-failing",
        "Evidence cannot be written",
        "Запись журнала не работает",
        "Free space on the disk, or mend it; `journalctl -u flagfall` says what failed",
        "Освободите место на диске или исправьте его; причина в `journalctl -u flagfall`",
    ),
    alarm(
        "board-lost",
        "The board does not answer",
        "Доска не отвечает",
        "Look at the cable, the power and the port; `flagfall doctor` tells what is plugged in. The game goes on; missed moves are found when it is back",
        "Проверьте кабель, питание и порт; `flagfall doctor` покажет, что подключено. Партия продолжается, пропущенные ходы найдутся после подключения",
    ),
    alarm(
        "boards-exchanged",
        "Another table's board is on this board's cable; nothing of it is read",
        "На кабеле этой доски доска другого стола; её данные не читаются",
        "Put the cables right: both games go on, and missed moves are found. Where the boards were exchanged on purpose, enter New game at both",
        "Поменяйте кабели обратно: обе партии продолжатся, пропущенные ходы найдутся. Если доски поменяли намеренно, введите на обеих Новая партия",
    ),
    alarm(
        "not-recorded",
        "The clock runs and no game is recorded",
        "Часы идут, а партия не записывается",
        "Look at the board. Where a new game is played there, begin it (New game); where it is one that goes on, restore its moves (Restore moves, the PGN of the game). Else stop the clock",
        "Посмотрите на доску. Если играется новая партия, начните её (Новая партия); если продолжается прежняя, восстановите её ходы (Восстановить ходы, PGN партии). Иначе остановите часы",
    ),
    alarm(
        "unsure",
        "It is not known what was played; the record waits",
        "Неясно, что было сыграно; запись ждёт",
        "Open the board's page and tap the move that was played; where none is offered and the record does not go on by itself, enter the position",
        "Откройте страницу доски и выберите сыгранный ход; если выбора нет и запись не продолжится сама, введите позицию",
    ),
    alarm(
        "board-chatters",
        "The board says far more than a board can; most of it is left out",
        "Доска передаёт намного больше, чем может; большая часть отбрасывается",
        "Switch the board off and on, look at its cable, take another board. Every few seconds the position is read anew; check the moves of this game",
        "Выключите и включите доску, проверьте кабель, возьмите другую доску. Позиция перечитывается раз в несколько секунд; проверьте ходы этой партии",
    ),
    alarm(
        "feed-cut",
        "The broadcast of this game stops before a move that is not legal from the last one",
        "Трансляция партии остановлена перед ходом, невозможным из предыдущей позиции",
        "Rule on the illegal move, or enter the position that stands; the result is sent in any case",
        "Вынесите решение о невозможном ходе или введите позицию на доске; результат будет передан в любом случае",
    ),
    alarm(
        "record-broken",
        "A position was set that no legal play leads to from the last move; the moves that are broadcast end there",
        "Введена позиция, к которой от последнего хода не ведут возможные ходы; передача ходов на ней заканчивается",
        "Look whether the right position was set; from one that the game had the moves go on. Else restore the moves from the score sheets (the entry `moves`); clocks and result go out as before",
        "Проверьте, та ли позиция введена; от позиции, которая в партии уже была, передача пойдёт дальше. Иначе восстановите ходы по бланкам (запись `moves`); время и результат передаются как прежде",
    ),
    alarm(
        "game-taken-over",
        "There was no journal of this board here; its game was taken over and goes on",
        "Журнала этой доски здесь не было; её партия принята и продолжается",
        "Compare the last moves with the score sheets. Findings and offences from before are in the journal of the machine that had the board, and are not counted on here",
        "Сверьте последние ходы с бланками. Прежние замечания и нарушения остались в журнале машины, где доска была, и здесь не учитываются",
    ),
    alarm(
        "sent-move-changed",
        "A move that was already broadcast was taken back or changed",
        "Ход, уже переданный в трансляцию, взят назад или изменён",
        "Clients on port 1982 cannot be corrected: let them set up the position anew. Lichess is corrected by itself",
        "Клиентам порта 1982 исправление не передать: пусть они заново установят позицию. На Lichess исправится само",
    ),
    alarm(
        "result-missing",
        "The game seems to be over and has no result",
        "Партия, похоже, окончена, но результата нет",
        "Enter the result, which was not shown with the kings; `*` where nobody knows it",
        "Введите результат: королями он показан не был; `*`, если его никто не знает",
    ),
    alarm(
        "result-early",
        "There is a result, but the players go on",
        "Результат введён, но игра продолжается",
        "Look at the board: was the result entered for another one? Enter `*` to let the game go on, or the right result",
        "Посмотрите на доску: результат введён не для той партии? Введите `*`, и партия продолжится, или верный результат",
    ),
    alarm(
        "result-clock-running",
        "There is a result, but the clock runs",
        "Результат есть, но часы идут",
        "Stop the clock; if the game is not over, correct the result",
        "Остановите часы; если партия не окончена, исправьте результат",
    ),
    alarm(
        "clock-stopped",
        "The clock stands while the game is on",
        "Часы стоят, хотя партия не окончена",
        "Look whether an arbiter is at the board or the game is over; then enter the result, or have the clock started",
        "Проверьте, у доски ли арбитр и не окончена ли партия; введите результат или запустите часы",
    ),
    alarm(
        "clock-stale",
        "The running clock has not changed for too long",
        "Идущие часы слишком долго не меняются",
        "Look at the clock and its cable; the times that are broadcast are old",
        "Проверьте часы и кабель: в трансляции старое время",
    ),
    alarm(
        "clock-lost",
        "The clock is gone",
        "Часы отключились",
        "Plug the clock in again; moves are broadcast without times meanwhile",
        "Подключите часы; пока ходы передаются без времени",
    ),
    alarm(
        "move-without-clock",
        "The last move has no time although there is a clock",
        "У последнего хода нет времени, хотя часы есть",
        "Nothing if it stays one move; if it goes on, look whether the players press the clock",
        "Если это один ход, ничего; если так и дальше, проверьте, нажимают ли игроки часы",
    ),
    alarm(
        "battery-low",
        "The battery is low",
        "Батарея разряжается",
        "Change the battery or plug in the power before the next game",
        "Замените батарею или подключите питание до следующей партии",
    ),
    alarm(
        "pi-away",
        "A hall does not hear a Pi any more",
        "Зал больше не слышит Pi",
        "Look at its power and network. Its boards go on there and lose nothing; the hall shows their last state",
        "Проверьте питание и сеть этого Pi. Его доски работают и ничего не теряют; в зале видно их последнее состояние",
    ),
    alarm(
        "broker-lost",
        "The broker does not answer",
        "Брокер не отвечает",
        "Look at nats-server and the network; `flagfall doctor --hall` says what stands. The boards go on, and what they say comes later",
        "Проверьте nats-server и сеть; `flagfall doctor --hall` покажет состояние. Доски работают, их события придут позже",
    ),
    alarm(
        "broker-away",
        "One of the broker's servers is lost; the others do its work",
        "Потерян один из серверов брокера; его работу выполняют остальные",
        "Look at the server that is named: its machine, its nats-server, its network. Nothing is lost, but of three servers no other one may fail until it is back; `flagfall doctor --hall` says what stands",
        "Проверьте названный сервер: машину, nats-server и сеть. Ничего не потеряно, но из трёх серверов больше ни один не должен отказать, пока он не вернётся; `flagfall doctor --hall` покажет состояние",
    ),
    alarm(
        "records-differ",
        "Two machines recorded this board, and the one whose record is shown does not have all moves of the other",
        "Доску записывали две машины, и в показанной записи нет всех ходов другой",
        "Compare both with the score sheets. Nothing is lost: the other record is kept in the file that is named. Where it is right, restore its moves (Restore moves, or `flagfall rule BOARD moves FILE`); else nothing, it goes with the next game",
        "Сравните обе записи с бланками. Ничего не потеряно: другая запись сохранена в названном файле. Если верна она, восстановите её ходы (Восстановить ходы или `flagfall rule BOARD moves FILE`); иначе ничего не делайте, со следующей партией предупреждение снимется",
    ),
    alarm(
        "board-unpublished",
        "What this board says does not reach the broker; it is recorded at its machine",
        "Данные этой доски не доходят до брокера; запись ведётся на её машине",
        "Read why: another machine serves a board of this name (give one of them another name, or switch one off), this machine's account may not publish it (nats-server/pi-account), or no hall answers",
        "Прочтите причину: доску с этим именем обслуживает другая машина (переименуйте одну или выключите), учётной записи машины она не разрешена (nats-server/pi-account) или ни один зал не отвечает",
    ),
    alarm(
        "feed-failing",
        "A feed does not get through",
        "Трансляция не доходит",
        "See what it says; it is tried again by itself, nothing is lost",
        "Смотрите текст; попытки продолжаются, ничего не потеряно",
    ),
    alarm(
        "feed-game-refused",
        "Lichess refuses a game",
        "Lichess не принимает партию",
        "Look at the game there; if it holds other moves, reset and push the round",
        "Посмотрите партию на Lichess; если там другие ходы, сбросьте и отправьте тур заново",
    ),
    alarm(
        "feed-size",
        "A round is too big for one push",
        "Тур слишком велик для одной отправки",
        "Give some boards a round of their own on Lichess",
        "Вынесите часть досок в отдельный тур на Lichess",
    ),
    alarm(
        "lichess-differs",
        "Viewers on Lichess see something else than was sent, and sending again did not help",
        "Зрители на Lichess видят не то, что отправлено; повторная отправка не помогла",
        "Correct the chapter there, or `flagfall lichess reset`; results and moves here are right",
        "Исправьте главу там или выполните `flagfall lichess reset`; здесь ходы и результаты верны",
    ),
    alarm(
        "lichess-override",
        "A tag of a game was set by hand on Lichess, which wins over what is sent for six hours",
        "Тег партии изменён на Lichess вручную; он шесть часов важнее отправленного",
        "If it is wrong, empty the tag in the chapter there, and what is sent gets through; if it is right, enter it here as well",
        "Если он неверен, очистите тег в главе, и отправленное пройдёт; если верен, введите то же здесь",
    ),
    alarm(
        "lichess-orphan",
        "On Lichess stands a game that no board here feeds any more",
        "На Lichess есть партия, которую больше не ведёт ни одна доска",
        "Look whether a pairing was changed; delete the chapter there if it is not wanted",
        "Проверьте, не изменилась ли пара; удалите лишнюю главу там",
    ),
    alarm(
        "pairings-failing",
        "The pairing list cannot be read",
        "Список пар не читается",
        "Correct the list or its address; the last good list stays in use",
        "Исправьте список или его адрес; действует последний верный список",
    ),
    alarm(
        "pairings-changed",
        "A pairing of the round being played was changed",
        "Изменена пара идущего тура",
        "Read what changed and compare the boards; it clears after ten minutes",
        "Прочтите, что изменилось, и сверьте доски; сообщение исчезнет через десять минут",
    ),
    alarm(
        "feed-round-over",
        "A new round is played, and the round on Lichess is bound to an older one",
        "Играется новый тур, а тур на Lichess привязан к прежнему",
        "Name the new round's id in [[lichess]] and restart, or make the next round on Lichess",
        "Укажите id нового тура в [[lichess]] и перезапустите программу",
    ),
    alarm(
        "pairings-doubtful",
        "The pairing list was not followed somewhere",
        "Список пар выполнен не полностью",
        "Read what it says and compare the pairings with the boards",
        "Прочтите пояснение и сверьте пары с досками",
    ),
    alarm(
        "round-waits",
        "The next round is loaded, and boards have no result yet",
        "Следующий тур загружен, но на досках нет результата",
        "Enter the missing results, or begin the round by hand",
        "Введите недостающие результаты или начните тур вручную",
    ),
    alarm(
        "resignation-unwinnable",
        "A win by resignation, and the winner cannot mate",
        "Победа сдачей, но победитель не может поставить мат",
        "Enter 1/2-1/2, or another result (5.1.2)",
        "Введите 1/2-1/2 или другой результат (5.1.2)",
    ),
    alarm(
        "journal-damaged",
        "A journal is damaged; the game goes on with what can be read",
        "Журнал повреждён; партия продолжается по тому, что читается",
        "Keep the file; `flagfall verify` says where it is damaged",
        "Сохраните файл; `flagfall verify` покажет, где он повреждён",
    ),
    alarm(
        "journal-lost",
        "A journal cannot be read any more, as after a power cut; what it recorded is lost",
        "Журнал больше не читается, как после отключения питания; записанное в нём потеряно",
        "Compare the moves with the score sheets, and keep the file that is named",
        "Сверьте ходы с бланками и сохраните названный файл",
    ),
    alarm(
        "journal-refused",
        "A journal is not as this machine wrote it; the game goes on from what its key has signed",
        "Журнал не таков, каким его записала эта машина; партия идёт от подписанного её ключом",
        "Compare the moves with the score sheets, keep the file that is named as evidence, and find out who had access to this machine",
        "Сверьте ходы с бланками, сохраните названный файл как доказательство и выясните, у кого был доступ к машине",
    ),
    alarm(
        "journal-rolled-back",
        "A journal is not the one that was seen elsewhere: an older copy was put back, or it was written anew",
        "Журнал не тот, который уже видели другие машины: вернули старую копию или записали его заново",
        "Compare the moves with the score sheets, keep the journals and what was witnessed as evidence, and find out who had access to this machine",
        "Сверьте ходы с бланками, сохраните журналы и всё засвидетельствованное как доказательство и выясните, у кого был доступ к машине",
    ),
    alarm(
        "journal-other-key",
        "A journal was signed with a key that is not this machine's; the game goes on, and the journal says so",
        "Журнал подписан не ключом этой машины; партия продолжается, и журнал отмечает это",
        "If it came from another machine on purpose, note both public keys; else keep the file and compare the moves with the score sheets",
        "Если журнал намеренно перенесён с другой машины, запишите оба открытых ключа; иначе сохраните файл и сверьте ходы с бланками",
    ),
    alarm(
        "evidence-removed",
        "The disk was short: the oldest event's journals were removed",
        "На диске не было места: журналы самого старого турнира удалены",
        "Move data_dir to a larger disk, or copy finished events elsewhere",
        "Перенесите data_dir на больший диск или скопируйте завершённые турниры",
    ),
    alarm(
        "journal-key-lost",
        "The key that signed the journals is lost; a new one signs now",
        "Ключ, которым подписывались журналы, утрачен; подписывает новый",
        "Note the new public key: `flagfall verify` prints it. Journals signed before stay what they are",
        "Запишите новый открытый ключ: его показывает `flagfall verify`. Прежние журналы остаются в силе",
    ),
    alarm(
        "journal-cut",
        "The end of a journal was torn, as by a power cut",
        "Конец журнала оборван, как при отключении питания",
        "Compare the last moves with the score sheets",
        "Сверьте последние ходы с бланками",
    ),
    alarm(
        "line-failing",
        "A line with several boards does not work",
        "Линия с несколькими досками не работает",
        "See what it says: power, adapter, cable. The boards keep their logs, and what was played is read when the line works again",
        "Прочтите сообщение: питание, адаптер, кабель. Доски ведут журнал, и сыгранное будет прочитано, когда линия заработает",
    ),
    alarm(
        "line-cut",
        "Behind one board of a line nobody answers",
        "За одной из досок линии никто не отвечает",
        "Look at the cable behind the board that is named, and at the power there; what was played is read afterwards",
        "Проверьте кабель за названной доской и питание там; сыгранное будет прочитано потом",
    ),
    alarm(
        "line-noisy",
        "On a line many answers come damaged",
        "На линии много повреждённых ответов",
        "Look at the plugs, the ground and the supply, and lay the cable away from mains cables; nothing is lost, but moves come later",
        "Проверьте разъёмы, заземление и питание, отведите кабель от сетевых проводов; ничего не теряется, но ходы приходят позже",
    ),
    alarm(
        "address-twice",
        "Two boards on a line have one address",
        "У двух досок на линии один адрес",
        "Compare the numbers under the boards and plug one of them into another line; neither can be read until then",
        "Сверьте номера под досками и подключите одну из них к другой линии; до тех пор ни одна не читается",
    ),
    alarm(
        "line-full",
        "A line has more boards than it may",
        "На линии слишком много досок",
        "Plug the board that is named into another line",
        "Подключите названную доску к другой линии",
    ),
    alarm(
        "undervoltage",
        "The machine's power supply is too weak",
        "Машине не хватает питания",
        "Use the supply that was made for it and a short cable; unplug what it feeds. A machine that fails goes on with the games when it is back",
        "Возьмите штатный блок питания и короткий кабель, отключите лишнее. После сбоя партии продолжатся",
    ),
    alarm(
        "machine-hot",
        "The machine is hot and slows down",
        "Машина перегрелась и замедляется",
        "Out of the sun, lid off, or a fan",
        "Уберите с солнца, снимите крышку или поставьте вентилятор",
    ),
    alarm(
        "disk-nearly-full",
        "There is little room left for evidence",
        "Мало места для журналов",
        "Remove what is not needed from the disk, or move data_dir to a larger one",
        "Освободите место на диске или перенесите data_dir на больший",
    ),
    alarm(
        "time-unknown",
        "The machine does not know the time of day",
        "Машина не знает точного времени",
        "Connect it to a network with a time server, or set the clock; games and chess clocks are right, dates and times of day are not yet",
        "Подключите сеть с сервером времени или установите часы; партии и шахматные часы верны, даты и время суток пока нет",
    ),
    alarm(
        "solver-contradiction",
        "Two methods disagree whether a side can mate; there is no verdict",
        "Два метода расходятся, возможен ли мат; вердикта нет",
        "Decide it at the board, and report it: the log has both answers",
        "Решите сами и сообщите нам: оба ответа в журнале программы",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_key_has_one_row_in_both_languages() {
        let keys: HashSet<_> = TABLE.iter().map(|meaning| meaning.key).collect();
        assert_eq!(keys.len(), TABLE.len());
        for meaning in &TABLE {
            for text in [meaning.text, meaning.todo] {
                assert!(!text.en.is_empty() && text.ru.chars().any(|c| ('а'..='я').contains(&c)), "{}", meaning.key);
                assert!(!text.en.ends_with('.'), "{}", meaning.key);
            }
        }
    }

    /// `docs/alarms.md` has a row for each, with the same words.
    #[test]
    fn the_document_has_every_alarm() {
        let document = include_str!("../../../docs/alarms.md");
        for meaning in &TABLE {
            let row = format!("| `{}` | {} | {} |", meaning.key, meaning.text.en, meaning.todo.en);
            assert!(document.contains(&row), "docs/alarms.md lacks:\n{row}");
        }
    }
}
