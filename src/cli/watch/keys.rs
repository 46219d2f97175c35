//! What a key does.
use super::boards::is_open;
use super::table::{Ruling, Table};
use flagfall_events::Decision;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

/// How many boards a page is.
const PAGE: usize = 10;

/// What is to be done besides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Act {
    /// Nothing but showing what changed.
    Draw,
    /// Everything is drawn anew: something else wrote on the terminal.
    Anew,
    /// The shell has the terminal for a while.
    Suspend,
    /// It was said yes.
    Enter(Ruling),
    End,
}

/// A key was pressed.
pub(super) fn press(table: &mut Table, key: KeyEvent) -> Act {
    if key.kind == KeyEventKind::Release {
        return Act::Draw;
    }
    if key.modifiers.contains(KeyModifiers::CONTROL) {
        return match key.code {
            KeyCode::Char('c' | 'd') => Act::End,
            KeyCode::Char('l') => Act::Anew,
            KeyCode::Char('z') => Act::Suspend,
            _ => Act::Draw,
        };
    }
    if let Some(ruling) = table.question.take() {
        // Nothing but a yes is a yes; on a Russian keyboard it is the first letter of one.
        return match key.code {
            KeyCode::Char('y' | 'Y' | 'д' | 'Д') => Act::Enter(ruling),
            _ => Act::Draw,
        };
    }
    table.answer = None;
    match key.code {
        // The letters beside them are those keys of a Russian keyboard.
        KeyCode::Char('q' | 'Q' | 'й' | 'Й') => return Act::End,
        KeyCode::Char('c' | 'C' | 'с' | 'С') => ask(table, Decision::Confirm),
        KeyCode::Char('d' | 'D' | 'в' | 'В') => ask(table, Decision::Dismiss),
        KeyCode::Enter | KeyCode::Right => open(table),
        KeyCode::Esc | KeyCode::Backspace | KeyCode::Left => table.finding = None,
        KeyCode::Up | KeyCode::Char('k') => go(table, |at, _| at.saturating_sub(1)),
        KeyCode::Down | KeyCode::Char('j') => go(table, |at, last| (at + 1).min(last)),
        KeyCode::PageUp => go(table, |at, _| at.saturating_sub(PAGE)),
        KeyCode::PageDown => go(table, |at, last| (at + PAGE).min(last)),
        KeyCode::Home => go(table, |_, _| 0),
        KeyCode::End => go(table, |_, last| last),
        KeyCode::Tab => next_open(table),
        _ => {}
    }
    Act::Draw
}

/// Moves among the boards, or among the findings of the board that is shown.
fn go(table: &mut Table, to: impl Fn(usize, usize) -> usize) {
    let Some(name) = table.board.clone() else { return };
    if let Some(shown) = table.finding {
        let ids: Vec<u64> =
            table.boards.get(&name).map(|board| board.shown().iter().filter_map(|f| f["id"].as_u64()).collect()).unwrap_or_default();
        let at = ids.iter().position(|id| *id == shown).unwrap_or(0);
        table.finding = ids.get(to(at, ids.len().saturating_sub(1))).copied().or(table.finding);
        return;
    }
    let names: Vec<&String> = table.boards.all().map(|board| &board.name).collect();
    let at = names.iter().position(|other| **other == name).unwrap_or(0);
    table.board = names.get(to(at, names.len().saturating_sub(1))).map(|name| (*name).clone());
}

/// The next board on which somebody waits, from the chosen one on and around.
fn next_open(table: &mut Table) {
    let waiting: Vec<(bool, &String)> = table.boards.all().map(|board| (!board.open().is_empty(), &board.name)).collect();
    let at = waiting.iter().position(|(_, name)| Some(*name) == table.board.as_ref()).unwrap_or(0);
    let (before, after) = waiting.split_at((at + 1).min(waiting.len()));
    let next = after.iter().chain(before).find(|(waits, _)| *waits).map(|(_, name)| (*name).clone());
    if let Some(next) = next {
        let changed = Some(&next) != table.board.as_ref();
        table.board = Some(next);
        if table.finding.is_some() && changed {
            table.finding = None;
            open(table);
        }
    }
}

/// Shows what was found at the chosen board, the most pressing first.
fn open(table: &mut Table) {
    let board = table.board.as_ref().and_then(|name| table.boards.get(name));
    if table.finding.is_none() {
        table.finding = board.and_then(|board| board.shown().first().and_then(|finding| finding["id"].as_u64()));
    }
}

/// Asks before it is ruled, on what is shown or else on the most pressing finding of the chosen board.
fn ask(table: &mut Table, decision: Decision) {
    let Some(board) = table.board.as_ref().and_then(|name| table.boards.get(name)) else { return };
    let finding = match table.finding {
        Some(id) => board.finding(id).filter(|finding| is_open(finding)),
        None => board.open().first().copied(),
    };
    let Some(finding) = finding.and_then(|finding| finding["id"].as_u64()) else { return };
    // What it is about is in sight while it is asked.
    let (name, seen) = (board.name.clone(), board.seq);
    table.finding = Some(finding);
    table.question = Some(Ruling { board: name, finding, decision, seen });
}
