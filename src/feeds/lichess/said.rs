//! What the operator is told of a round, in English and Russian.
use super::compare::Gap;
use super::line::Line;
use super::round::Body;
use flagfall_events::Words;
use std::sync::Arc;

/// A token without the right to read.
pub(super) const NOT_READABLE: &str = "Lichess does not let this token read your broadcasts (403): make one with the scopes study:read and study:write on lichess.org/account/oauth/token/create and put it into the token file";
/// A token without the right to write.
pub(super) const NOT_WRITABLE: &str = "Lichess does not let this token change the broadcast (403): make one with the scopes study:read and study:write, of the account that made the broadcast";

/// Lists end after so many.
const MOST: usize = 5;

/// A game and what differs in it, for people.
#[derive(Clone, Debug)]
pub(super) struct Differing<'l> {
    pub(super) board: &'l str,
    pub(super) line: &'l Line,
    pub(super) gaps: Vec<Gap>,
}

/// A game that viewers see otherwise than it was sent: by hand (`lichess-override`), or why ever (`lichess-differs`).
pub(super) fn differs(key: &str, game: &Differing<'_>) -> Words {
    let said: Vec<[String; 2]> = game.gaps.iter().take(MOST).map(Gap::said).collect();
    let [en, ru] = [0, 1].map(|i| said.iter().map(|both| both[i].as_str()).collect::<Vec<_>>().join("; "));
    let (board, names) = (game.board, game.line.names());
    if key == "lichess-override" {
        // The broadcast's own list of players changes everything but these.
        let listed = |gap: &Gap| matches!(gap, Gap::Tag { name, .. } if !["Result", "Round"].contains(name));
        let (or_en, or_ru) = if game.gaps.iter().any(listed) {
            (
                "; or the broadcast's list of players or teams there says so: correct it in the broadcast's settings",
                "; или так указано в списке игроков или команд трансляции: исправьте его в настройках трансляции",
            )
        } else {
            ("", "")
        };
        return Words::new(
            format!(
                "board {board} ({names}) was edited by hand on Lichess: {en}; such a tag wins over what flagfall sends for six hours; to take it back, empty the tag in the chapter there{or_en}"
            ),
            format!(
                "доска {board} ({names}): партию правили вручную на Lichess: {ru}; такой тег шесть часов важнее отправленного; чтобы отменить правку, очистите тег в главе{or_ru}"
            ),
        );
    }
    Words::new(
        format!(
            "board {board} ({names}): viewers on Lichess do not see what was sent: {en}; sending again did not help; correct the chapter there, or `flagfall lichess reset`, which shows an empty round for a moment"
        ),
        format!(
            "доска {board} ({names}): зрители на Lichess видят не то, что отправлено: {ru}; повторная отправка не помогла; исправьте главу там или выполните `flagfall lichess reset` (тур на мгновение опустеет)"
        ),
    )
}

/// Chapters that none of our boards feeds.
pub(super) fn orphans(games: &[&Line]) -> Words {
    let name = |line: &&Line| {
        let round = line.tag("Round").map(|round| format!(" {round}")).unwrap_or_default();
        let address = line.tag("GameURL").map(|url| format!(" {url}")).unwrap_or_default();
        format!("{}{round}{address}", line.names())
    };
    let mut list = games.iter().take(MOST).map(name).collect::<Vec<_>>().join("; ");
    if games.len() > MOST {
        list += " …";
    }
    Words::new(
        format!(
            "games on Lichess that no board here feeds any more: {list}; look whether a pairing was changed, and delete their chapters there"
        ),
        format!(
            "партии на Lichess, которые больше не ведёт ни одна доска: {list}; проверьте, не изменилась ли пара, и удалите эти главы там"
        ),
    )
}

/// One board's game that Lichess does not take.
pub(super) fn refused(board: &str, error: &str) -> Words {
    Words::new(
        format!(
            "Lichess does not take the game of board {board} ({error}); its moves stand still there, result and names go on, as do the other games; compare the moves, then `flagfall lichess reset` if the chapter is wrong"
        ),
        format!(
            "Lichess не принимает партию доски {board} ({error}); ходы её главы стоят, результат и имена передаются, остальные партии обновляются; сверьте ходы, при ошибке в главе: `flagfall lichess reset`"
        ),
    )
}

/// The round cannot be read back.
pub(super) fn unreadable() -> Words {
    Words::new(
        String::from(
            "it cannot be read back whether viewers see what was sent: the round is private; make it public or unlisted, or make a token with the scope study:read as well",
        ),
        String::from(
            "нельзя проверить, что видят зрители: тур закрытый; откройте его (или по ссылке) либо создайте токен ещё и с правом study:read",
        ),
    )
}

/// What did not fit into one push; `None`: everything did.
pub(super) fn size(body: &Body) -> Option<Words> {
    let names = |boards: &[Arc<str>]| boards.join(", ");
    if !body.left_out.is_empty() {
        let boards = names(&body.left_out);
        return Some(Words::new(
            format!(
                "too much for one Lichess round: boards {boards} are not sent; make a second round there and divide the boards with `boards`"
            ),
            format!(
                "слишком много для одного тура Lichess: доски {boards} не отправляются; создайте там второй тур и разделите доски ключом `boards`"
            ),
        ));
    }
    if body.without_clocks.is_empty() {
        return None;
    }
    let boards = names(&body.without_clocks);
    Some(Words::new(
        format!("the round is too long for Lichess: boards {boards} are sent without clock times"),
        format!("тур слишком длинный для Lichess: доски {boards} отправляются без времени на часах"),
    ))
}
