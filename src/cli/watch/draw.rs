//! What the table looks like. What a colour says is always said by a sign or a word, too.
use super::boards::{Stage, Watched, is_open};
use super::sentences::alarm;
use super::table::{Answer, Ruling, Table};
use super::words::{Lang, action, key_title, run_word, shown, text};
use flagfall_events::{Decision, Mono};
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style, Stylize as _};
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::{Block, Borders, Cell, Paragraph, Row, Wrap};
use serde_json::Value;

/// From this width on there is room for the players.
const WIDE: u16 = 90;
/// From this height on there is room for the news.
const HIGH: u16 = 16;
/// Lines of news.
const NEWS: u16 = 6;

/// Draws everything.
pub(super) fn draw(frame: &mut Frame<'_>, table: &mut Table, now: Mono) {
    let area = frame.area();
    let news = if area.height >= HIGH && table.finding.is_none() { NEWS } else { 0 };
    let [head, middle, below, foot] =
        Layout::vertical([Constraint::Length(1), Constraint::Min(1), Constraint::Length(news), Constraint::Length(2)]).areas(area);
    frame.render_widget(headline(table), head);
    match table.finding {
        Some(id) => one(frame, table, id, now, middle),
        None => all(frame, table, now, middle),
    }
    if news > 0 {
        let lines = table.news.iter().skip(table.news.len().saturating_sub(usize::from(NEWS) - 1)).map(|line| Line::raw(line.as_str()));
        let block = Block::new().borders(Borders::TOP).title(table.lang().pick(" News ", " Новости "));
        frame.render_widget(Paragraph::new(lines.collect::<Vec<_>>()).block(block), below);
    }
    frame.render_widget(Paragraph::new(footline(table)).wrap(Wrap { trim: true }), foot);
}

fn headline(table: &Table) -> Line<'static> {
    let lang = table.lang();
    let (boards, waiting) = table.boards.all().fold((0, 0), |(boards, waiting), board| (boards + 1, waiting + board.open().len()));
    let mut spans = vec![Span::raw(" flagfall ").reversed(), Span::raw(format!(" {} {boards}  ", lang.pick("boards", "досок")))];
    let waits = format!("{} {waiting}  ", lang.pick("open findings", "ждут решения"));
    spans.push(if waiting > 0 { Span::styled(waits, pressing()) } else { Span::raw(waits) });
    if !table.is_connected {
        let lost = lang.pick("! no connection to the daemon; trying again", "! нет связи с flagfall; пробуем снова");
        spans.push(Span::styled(lost, pressing()));
    }
    Line::from(spans)
}

/// Every board, a row each.
fn all(frame: &mut Frame<'_>, table: &mut Table, now: Mono, area: Rect) {
    let lang = table.lang();
    let wide = area.width >= WIDE;
    let heads =
        [" ", lang.pick("Board", "Доска"), lang.pick("White", "Белые"), "", lang.pick("Black", "Чёрные"), "", lang.pick("Move", "Ход"), ""];
    let rows: Vec<Row<'_>> = table.boards.all().map(|board| row(board, lang, wide, now)).collect();
    let name = table.boards.all().map(|board| board.name.chars().count()).max().unwrap_or(0).clamp(5, 16);
    let name = u16::try_from(name).unwrap_or(16);
    let clock = Constraint::Length(8);
    let widths = if wide {
        vec![
            Constraint::Length(1),
            Constraint::Length(name),
            Constraint::Fill(2),
            clock,
            Constraint::Fill(2),
            clock,
            Constraint::Length(10),
            Constraint::Fill(3),
        ]
    } else {
        vec![Constraint::Length(1), Constraint::Length(name), clock, clock, Constraint::Length(10), Constraint::Fill(1)]
    };
    let heads: Vec<&str> = if wide { heads.to_vec() } else { vec![heads[0], heads[1], heads[2], heads[4], heads[6], heads[7]] };
    table.rows.select(table.board.as_ref().and_then(|chosen| table.boards.all().position(|board| board.name == *chosen)));
    let drawn = ratatui::widgets::Table::new(rows, widths)
        .header(Row::new(heads).style(Style::new().add_modifier(Modifier::DIM)))
        .row_highlight_style(Style::new().add_modifier(Modifier::REVERSED));
    frame.render_stateful_widget(drawn, area, &mut table.rows);
}

fn row(board: &Watched, lang: Lang, wide: bool, now: Mono) -> Row<'static> {
    let open = board.open();
    let sign = match open.first() {
        Some(finding) if finding["grade"] == "ruling" => "!",
        Some(_) => "?",
        None if !board.is_up || !board.alarms.is_empty() => "*",
        None => " ",
    };
    let time = |side: usize| {
        let Some(clock) = &board.clock else { return Cell::from("–") };
        let shown = format!("{}{}", if clock.runs(side) { ">" } else { " " }, shown(clock.at(side, now)));
        Cell::from(if clock.runs(side) { Span::raw(shown).bold() } else { Span::raw(shown) })
    };
    let player = |side: usize| Cell::from(board.players[side].clone().unwrap_or_default());
    let mut cells = vec![Cell::from(sign), Cell::from(board.name.clone())];
    for side in [0, 1] {
        cells.extend(wide.then(|| player(side)));
        cells.push(time(side));
    }
    cells.push(Cell::from(board.last.as_ref().map_or_else(|| String::from("–"), |(ply, name)| format!("{}{name}", number(*ply)))));
    cells.push(Cell::from(state(board, &open, lang)));
    let row = Row::new(cells);
    match sign {
        "!" => row.style(pressing()),
        "?" => row.style(Style::new().fg(Color::Yellow)),
        "*" if !board.is_up => row.style(Style::new().add_modifier(Modifier::DIM)),
        _ => row,
    }
}

/// What there is to say of a board in a few words.
fn state(board: &Watched, open: &[&Value], lang: Lang) -> String {
    if let Some(finding) = open.first() {
        let more = if open.len() > 1 { format!(" (+{})", open.len() - 1) } else { String::new() };
        return format!("№ {} {}{more}", finding["id"], key_title(text(finding, "key"), lang));
    }
    if !board.is_up {
        return String::from(lang.pick("no board", "нет доски"));
    }
    let stage = match &board.stage {
        Stage::None => String::from(lang.pick("no game", "партии нет")),
        Stage::Playing => String::from(lang.pick("plays", "играет")),
        Stage::Open => String::from(lang.pick("over, no result", "окончена, результата нет")),
        Stage::Over(result) => result.clone(),
    };
    let alarms: Vec<&str> = board.alarms.keys().map(|key| alarm(key, lang)).collect();
    if alarms.is_empty() { stage } else { format!("{stage}; {}", alarms.join(", ")) }
}

/// One board: what was found there, and one finding in full.
fn one(frame: &mut Frame<'_>, table: &Table, id: u64, now: Mono, area: Rect) {
    let lang = table.lang();
    let Some(board) = table.board.as_ref().and_then(|name| table.boards.get(name)) else { return };
    let found = board.shown();
    let list = u16::try_from(found.len()).unwrap_or(u16::MAX).min(area.height / 3).max(1);
    let [title, above, rest] = Layout::vertical([Constraint::Length(2), Constraint::Length(list), Constraint::Min(1)]).areas(area);
    let player = |side: usize| board.players[side].as_deref().unwrap_or_else(|| lang.pick(["White", "Black"], ["Белые", "Чёрные"])[side]);
    let clock = |side: usize| board.clock.as_ref().map_or_else(|| String::from("–"), |clock| shown(clock.at(side, now)));
    let heading = format!("{} {}: {} {} – {} {}", lang.pick("Board", "Доска"), board.name, player(0), clock(0), player(1), clock(1));
    frame.render_widget(Paragraph::new(Line::raw(heading).bold()), title);
    let at = found.iter().position(|finding| finding["id"] == id).unwrap_or(0);
    let skip = (at + 1).saturating_sub(usize::from(list));
    let lines = found.iter().enumerate().skip(skip).map(|(n, finding)| {
        let line = format!(" № {} {}: {} ", finding["id"], key_title(text(finding, "key"), lang), status(finding, lang));
        let style = if is_open(finding) { pressing() } else { Style::new() };
        Line::styled(line, if n == at { style.add_modifier(Modifier::REVERSED) } else { style })
    });
    frame.render_widget(Paragraph::new(lines.collect::<Vec<_>>()), above);
    let shown = board.finding(id).map_or_else(Text::default, |finding| told(finding, lang));
    frame.render_widget(Paragraph::new(shown).wrap(Wrap { trim: true }).block(Block::new().borders(Borders::TOP)), rest);
}

/// A finding in full: what happened, what the Laws say, what to do.
fn told(finding: &Value, lang: Lang) -> Text<'static> {
    let proposal = &finding["proposal"];
    let summary = finding["summary"][lang.pick("en", "ru")].as_str().unwrap_or_default();
    let law = text(proposal, "article");
    let article = if law.is_empty() { text(finding, "article") } else { law };
    let mut lines = vec![
        Line::raw(String::from(summary)),
        Line::raw(format!("{} {article} ({})", lang.pick("Article", "Статья"), text(finding, "rules"))).dim(),
        Line::default(),
    ];
    let mut say = |what: &str, value: String| {
        lines.push(Line::from(vec![Span::raw(format!("{what}: ")), Span::raw(value).bold()]));
    };
    let action = action(text(proposal, "action"), lang);
    if !action.is_empty() {
        say(lang.pick("Proposed", "Предложено"), String::from(action));
    }
    if let Some(offence) = proposal["offence"].as_u64() {
        say(lang.pick("Offence", "Нарушение"), offence.to_string());
    }
    let ruled = &finding["ruled"]["clock"];
    let clock = if ruled.is_null() { &proposal["clock"] } else { ruled };
    if let (Some(white), Some(black)) = (clock["white_ms"].as_i64(), clock["black_ms"].as_i64()) {
        let times = format!("{} – {}, {}", shown(white), shown(black), run_word(text(clock, "run"), lang));
        say(lang.pick("Set the clock to", "Установить часы"), times);
    }
    if let Some(result) = proposal["result"].as_str() {
        say(lang.pick("Result", "Результат"), String::from(result));
    }
    Text::from(lines)
}

fn status(finding: &Value, lang: Lang) -> &'static str {
    match text(finding, "status") {
        "withdrawn" => lang.pick("withdrawn", "снято"),
        "confirmed" => lang.pick("confirmed", "утверждено"),
        "dismissed" => lang.pick("dismissed", "отклонено"),
        "amended" => lang.pick("ruled otherwise", "решено иначе"),
        _ if finding["grade"] == "ruling" => lang.pick("waits for your ruling", "ждёт вашего решения"),
        _ if finding["grade"] == "note" => lang.pick("noted", "отмечено"),
        _ => lang.pick("needs a look", "требует внимания"),
    }
}

/// What is asked, what was answered, or what the keys do.
fn footline(table: &Table) -> Line<'static> {
    let lang = table.lang();
    if let Some(ruling) = &table.question {
        return Line::styled(question(table, ruling), Style::new().add_modifier(Modifier::REVERSED));
    }
    match &table.answer {
        Some(Answer::Done(text)) => return Line::styled(format!("✓ {text}"), Style::new().fg(Color::Green)),
        Some(Answer::Refused(text)) => {
            return Line::styled(format!("! {}: {text}", lang.pick("refused", "не принято")), pressing());
        }
        None => {}
    }
    Line::raw(if table.finding.is_some() {
        lang.pick(
            "↑↓ finding   c confirm   d dismiss   Esc all boards   Tab next open finding   q quit",
            "↑↓ находка   c утвердить   d отклонить   Esc все доски   Tab следующая   q выход",
        )
    } else {
        lang.pick(
            "↑↓ board   Enter what was found   c confirm   d dismiss   Tab next open finding   q quit",
            "↑↓ доска   Enter что случилось   c утвердить   d отклонить   Tab следующая   q выход",
        )
    })
    .dim()
}

/// The question before a ruling, with all that it does.
fn question(table: &Table, ruling: &Ruling) -> String {
    let lang = table.lang();
    let finding = table.boards.get(&ruling.board).and_then(|board| board.finding(ruling.finding));
    let title = finding.map(|finding| key_title(text(finding, "key"), lang)).unwrap_or_default();
    let what = match ruling.decision {
        Decision::Dismiss => lang.pick("Dismiss", "Отклонить"),
        _ => lang.pick("Confirm as proposed", "Утвердить, как предложено"),
    };
    let yes = lang.pick("y yes, any other key no", "д – да, любая другая клавиша – нет");
    format!("{what}: {} {}, № {} {title}?   {yes}", lang.pick("board", "доска"), ruling.board, ruling.finding)
}

fn pressing() -> Style {
    Style::new().fg(Color::Red).add_modifier(Modifier::BOLD)
}

/// `12.` or `12…`.
fn number(ply: u64) -> String {
    super::words::number(ply)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::watch::keys::{Act, press};
    use crate::cli::watch::lines::Lines;
    use ratatui::Terminal;
    use ratatui::backend::TestBackend;
    use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
    use serde_json::json;

    /// A table of three boards; on the second one somebody waits for a ruling, and has had one.
    fn table(lang: Lang) -> Table {
        let mut table = Table::new(Lines::new(lang, false, None, true));
        table.is_connected = true;
        let clock = json!({"white_ms": 2_530_000, "black_ms": 3_400_000, "running": "white", "age_ms": 0});
        for (name, result) in [("1", "*"), ("2", "*"), ("10", "1-0")] {
            let game = json!({"number": 1, "rules": "fide-2023", "white": "Ivanova, Olga", "black": "Dupont", "result": result});
            let board = json!({"board": name, "link": "up", "game": game, "last": {"ply": 3, "san": "Nf3"}, "clock": clock, "seq": 40});
            table.take("snapshot", &board, Mono::ZERO);
        }
        let finding = |id: u64, seq: u64| {
            json!({
                "board": "2", "seq": seq, "id": id, "key": "illegal-move", "article": "7.5.1", "rules": "fide-2023", "grade": "ruling",
                "summary": {"en": "White played a1-a3.", "ru": "Белые сыграли a1-a3."},
                "proposal": {"action": "restore-position", "clock": {"white_ms": 2_530_000, "black_ms": 3_520_000, "run": "white"}, "offence": 1},
            })
        };
        table.take("finding", &finding(1, 41), Mono::ZERO);
        table.take("finding-update", &json!({"board": "2", "seq": 42, "id": 1, "status": "dismissed"}), Mono::ZERO);
        table.take("finding", &finding(2, 43), Mono::ZERO);
        table
    }

    fn drawn(table: &mut Table, width: u16, now: Mono) -> String {
        let mut terminal = Terminal::new(TestBackend::new(width, 24)).unwrap();
        terminal.draw(|frame| draw(frame, table, now)).unwrap();
        let buffer = terminal.backend().buffer();
        let rows = buffer.content().chunks(usize::from(width));
        rows.map(|row| row.iter().map(|cell| cell.symbol()).collect::<String>().trim_end().to_owned() + "\n").collect()
    }

    fn key(table: &mut Table, code: KeyCode) -> Act {
        press(table, KeyEvent::new(code, KeyModifiers::NONE))
    }

    #[test]
    fn the_boards_stand_in_order_with_what_waits() {
        let text = drawn(&mut table(Lang::En), 120, Mono::from_millis(3000));
        let rows: Vec<&str> = text.lines().filter(|line| line.contains("Ivanova")).collect();
        let [first, second, third] = rows[..] else { panic!("{text}") };
        assert!(first.contains("  1 ") && first.contains(">0:42:07") && first.contains(" 0:56:40") && first.ends_with("plays"), "{first}");
        assert!(second.starts_with("! 2 ") && second.contains("2.Nf3") && second.ends_with("№ 2 illegal move"), "{second}");
        assert!(third.contains("10 ") && third.ends_with("1-0"), "{third}");
        assert!(text.contains("open findings 1") && text.contains("№ 1 dismissed"), "{text}");
        let narrow = drawn(&mut table(Lang::Ru), 50, Mono::ZERO);
        assert!(!narrow.contains("Ivanova") && narrow.contains("№ 2 невозможный") && narrow.contains("ждут решения 1"), "{narrow}");
    }

    #[test]
    fn a_ruling_is_asked_about_and_only_a_yes_is_one() {
        let mut table = table(Lang::En);
        assert_eq!(key(&mut table, KeyCode::Char('c')), Act::Draw);
        assert_eq!((table.question.as_ref(), table.finding), (None, None), "nothing is open at the first board");
        key(&mut table, KeyCode::Tab);
        key(&mut table, KeyCode::Char('d'));
        let text = drawn(&mut table, 100, Mono::ZERO);
        for part in
            ["Dismiss: board 2, № 2 illegal move?", "Set the clock to: 0:42:10 – 0:58:40, White runs", "№ 1 illegal move: dismissed"]
        {
            assert!(text.contains(part), "no {part:?} in\n{text}");
        }
        for no in [KeyCode::Enter, KeyCode::Char('n'), KeyCode::Char('н'), KeyCode::Esc] {
            assert_eq!(key(&mut table, no), Act::Draw);
            assert!(table.question.is_none(), "{no:?}");
            key(&mut table, KeyCode::Char('c'));
        }
        let Act::Enter(ruling) = key(&mut table, KeyCode::Char('y')) else { panic!("a yes enters it") };
        assert_eq!((ruling.board.as_str(), ruling.finding, ruling.decision, ruling.seen), ("2", 2, Decision::Confirm, 43));
        // What has been ruled cannot be ruled by one key.
        key(&mut table, KeyCode::Down);
        key(&mut table, KeyCode::Char('c'));
        assert_eq!((table.finding, table.question.is_none()), (Some(1), true));
        key(&mut table, KeyCode::Esc);
        assert_eq!(key(&mut table, KeyCode::Char('й')), Act::End, "q of a Russian keyboard");
    }

    #[test]
    fn a_result_of_an_earlier_game_is_not_the_boards() {
        let mut table = table(Lang::En);
        table.take("game-start", &json!({"board": "1", "seq": 50, "game": 2}), Mono::ZERO);
        table.take("result", &json!({"board": "1", "seq": 51, "game": 1, "result": "0-1"}), Mono::ZERO);
        assert_eq!(table.boards.get("1").unwrap().stage, Stage::Playing);
        table.take("result", &json!({"board": "1", "seq": 52, "game": 2, "result": "*", "reason": "unread"}), Mono::ZERO);
        assert_eq!(table.boards.get("1").unwrap().stage, Stage::Open);
        table.take("result", &json!({"board": "1", "seq": 53, "game": 2, "result": "1/2-1/2", "reason": "entered"}), Mono::ZERO);
        assert_eq!(table.boards.get("1").unwrap().stage, Stage::Over(String::from("1/2-1/2")));
    }
}
