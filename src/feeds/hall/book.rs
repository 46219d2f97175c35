//! What is known of orders to boards, as the bucket has it. Pure: times are arguments, milliseconds of the hall's own stopwatch.
use crate::nats::wire::{self, OrderState};
use flagfall_web::waiting;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What became of an order is shown for so long, milliseconds.
const SHOWN: u64 = 10 * 60_000;
/// An order that was sent and not answered is sent again after this, milliseconds.
const AGAIN: u64 = 5_000;

/// All orders, by their place in the bucket: that is the order in which they were given.
#[derive(Debug, Default)]
pub(super) struct Book(BTreeMap<String, Booked>);

/// One order.
#[derive(Clone, Debug)]
pub(super) struct Booked {
    pub(super) order: wire::WaitingOrder,
    /// Of the bucket, as it stands.
    pub(super) revision: u64,
    /// Of the bucket, as it was given.
    first: u64,
    /// When it came to stand as it does.
    since: u64,
    /// It was settled before this hall heard of it.
    old: bool,
    /// Somebody here waits for its answer right now.
    pub(super) under_way: bool,
    /// When it was sent from here last.
    tried: Option<u64>,
}

impl Book {
    /// Takes what stands in the bucket; the board that is to be shown anew.
    pub(super) fn take(&mut self, order: wire::WaitingOrder, revision: u64, now: u64) -> Option<Arc<str>> {
        let place = wire::order_key(&order.board, &order.key);
        let before = self.0.get(&place);
        if before.is_some_and(|line| line.revision >= revision) {
            return None;
        }
        let board = order.board.as_str().into();
        let line = Booked {
            first: before.map_or(revision, |line| line.first),
            old: !is_open(order.state) && before.is_none_or(|line| line.old),
            under_way: before.is_some_and(|line| line.under_way),
            tried: before.and_then(|line| line.tried),
            order,
            revision,
            since: now,
        };
        self.0.insert(place, line);
        Some(board)
    }

    /// Forgets what is settled long since; the boards that are to be shown anew.
    pub(super) fn sweep(&mut self, now: u64) -> Vec<Arc<str>> {
        let over = |line: &Booked| !is_open(line.order.state) && !line.old && now.saturating_sub(line.since) > SHOWN;
        let mut boards = Vec::new();
        for line in self.0.values_mut().filter(|line| over(line)) {
            line.old = true;
            boards.push(line.order.board.as_str().into());
        }
        boards
    }

    /// One order.
    pub(super) fn get(&self, board: &str, key: &str) -> Option<&Booked> {
        self.0.get(&wire::order_key(board, key))
    }

    /// An order is sent from here at `now`, and somebody waits for its answer.
    pub(super) fn begin(&mut self, board: &str, key: &str, now: u64) {
        if let Some(line) = self.0.get_mut(&wire::order_key(board, key)) {
            (line.under_way, line.tried) = (true, Some(now));
        }
    }

    /// Nobody waits for its answer any more.
    pub(super) fn end(&mut self, board: &str, key: &str) {
        if let Some(line) = self.0.get_mut(&wire::order_key(board, key)) {
            line.under_way = false;
        }
    }

    /// A board's machine is there again: what waits may be sent at once.
    pub(super) fn returned(&mut self, board: &str) {
        self.0.values_mut().filter(|line| line.order.board == board).for_each(|line| line.tried = None);
    }

    /// Whether something for the board is still open that was given before.
    pub(super) fn is_busy(&self, board: &str) -> bool {
        self.0.values().any(|line| line.order.board == board && is_open(line.order.state))
    }

    /// What is to be sent now: of every board the first that is open, where nobody waits for its answer.
    pub(super) fn due(&self, now: u64) -> Vec<Booked> {
        let mut first: BTreeMap<&str, &Booked> = BTreeMap::new();
        for line in self.0.values().filter(|line| is_open(line.order.state)) {
            let there = first.entry(&line.order.board).or_insert(line);
            if line.first < there.first {
                *there = line;
            }
        }
        let rested = |line: &Booked| line.tried.is_none_or(|tried| now.saturating_sub(tried) > AGAIN);
        let waits = |line: &Booked| line.order.state == OrderState::Waiting || now.saturating_sub(line.since) > AGAIN;
        let due = |line: &&Booked| !line.under_way && rested(line) && waits(line);
        first.into_values().filter(due).cloned().collect()
    }

    /// How many are open.
    pub(super) fn open(&self) -> usize {
        self.0.values().filter(|line| is_open(line.order.state)).count()
    }

    /// What arbiters see of a board.
    pub(super) fn of(&self, board: &str) -> Vec<waiting::WaitingOrder> {
        let mut lines: Vec<&Booked> = self.0.values().filter(|line| line.order.board == board && !line.old).collect();
        lines.sort_by_key(|line| line.first);
        let shown = |line: &Booked| waiting::WaitingOrder {
            key: line.order.key.clone(),
            entry: serde_json::to_value(&line.order.entry).unwrap_or_default(),
            at: line.order.at,
            state: match line.order.state {
                OrderState::Waiting => waiting::OrderState::Waiting,
                OrderState::Sent => waiting::OrderState::Sent,
                OrderState::Journaled => waiting::OrderState::Journaled,
                OrderState::Refused => waiting::OrderState::Refused,
                OrderState::Withdrawn => waiting::OrderState::Withdrawn,
            },
            seq: line.order.seq,
            reason: line.order.reason.clone(),
        };
        lines.into_iter().map(shown).collect()
    }
}

/// Whether an order may still be carried out.
const fn is_open(state: OrderState) -> bool {
    matches!(state, OrderState::Waiting | OrderState::Sent)
}

#[cfg(test)]
mod tests {
    use super::*;
    use flagfall_events::Wall;
    use flagfall_events::{Entry, Order};

    fn order(board: &str, key: &str, state: OrderState) -> wire::WaitingOrder {
        let (board, key) = (String::from(board), String::from(key));
        wire::WaitingOrder {
            board,
            key,
            entry: Entry::new(Order::Stop {}),
            at: Wall::EPOCH,
            state,
            seq: None,
            reason: None,
            recovered: Vec::new(),
            meanwhile: Vec::new(),
        }
    }

    #[test]
    fn orders_go_out_in_the_order_in_which_they_were_given_one_at_a_time() {
        let mut book = Book::default();
        book.take(order("1", "z", OrderState::Waiting), 1, 0);
        book.take(order("1", "a", OrderState::Waiting), 2, 0);
        book.take(order("2", "b", OrderState::Waiting), 3, 0);
        let due = |book: &Book, now| book.due(now).into_iter().map(|line| line.order.key).collect::<Vec<_>>();
        assert_eq!(due(&book, 0), ["z", "b"]);
        book.begin("1", "z", 5);
        book.end("1", "z");
        assert_eq!(due(&book, 8), ["b"], "nobody was there: not at once again");
        book.returned("1");
        assert_eq!(due(&book, 8), ["z", "b"]);
        book.take(order("1", "z", OrderState::Sent), 4, 10);
        assert_eq!(due(&book, 20), ["b"], "it was just sent");
        assert_eq!(due(&book, 10_000), ["z", "b"], "nobody answered: again");
        book.take(order("1", "z", OrderState::Journaled), 5, 20);
        assert_eq!(book.take(order("1", "z", OrderState::Sent), 4, 30), None, "an old revision changes nothing");
        assert_eq!((due(&book, 30), book.open(), book.is_busy("2")), (vec![String::from("a"), String::from("b")], 2, true));
    }

    #[test]
    fn what_was_settled_before_this_hall_came_is_not_shown() {
        let mut book = Book::default();
        book.take(order("1", "old", OrderState::Journaled), 1, 0);
        book.take(order("1", "new", OrderState::Waiting), 2, 0);
        book.take(order("1", "new", OrderState::Withdrawn), 3, 5);
        let shown = |book: &Book| book.of("1").into_iter().map(|order| (order.key, order.state)).collect::<Vec<_>>();
        assert_eq!(shown(&book), [(String::from("new"), waiting::OrderState::Withdrawn)]);
        assert_eq!(book.sweep(SHOWN + 6).len(), 1);
        assert!(shown(&book).is_empty());
    }
}
