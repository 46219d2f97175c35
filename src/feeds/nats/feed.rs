//! One board's events: one after the other, each only where the stream's last message of its subject is the one that it follows.
use super::ask::{self, Asked, Head};
use super::board::{Board, Stand};
use super::cursor::{self, Cursor};
use super::station::Station;
use super::takeover;
use super::wire::{self, Kind};
use async_nats::{Client, HeaderMap};
use flagfall_events::{Event, Mono, Touches};
use flagfall_journal::backlog::{Backlog, Item};
use flagfall_score::public::PublicView;
use flagfall_web::stage::json;
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;
use tokio::time::{sleep, sleep_until};

/// Events that are read at once.
const PORTION: usize = 256;
/// An event that is neither in memory nor on disk is waited for so long: a failed disk may come back.
const GIVEN_UP: u32 = 10;
/// How often it is looked for.
const LOOK: Duration = Duration::from_secs(1);
/// Trouble of one board is told after so long, milliseconds; a server that finds a leader takes less.
const LASTS: u64 = 8_000;
/// After a first failure; each further pause is twice as long …
const FIRST_PAUSE: Duration = Duration::from_millis(100);
/// … up to this one.
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

/// Grows from try to try, and no two machines try at the same time.
pub(super) struct Pause {
    first: Duration,
    longest: Duration,
    next: Duration,
}

impl Pause {
    pub(super) const fn new(first: Duration, longest: Duration) -> Self {
        Self { first, longest, next: first }
    }

    pub(super) const fn reset(&mut self) {
        self.next = self.first;
    }

    /// Half to the whole of what is due, at random.
    pub(super) fn next(&mut self) -> Duration {
        let due = self.next;
        self.next = (due * 2).min(self.longest);
        due.mul_f64(rand::random_range(0.5..=1.0))
    }
}

/// Publishes a board's events for as long as it is let.
pub(super) async fn keep(station: Arc<Station>, board: Arc<Board>, client: Client) {
    let mut pause = Pause::new(FIRST_PAUSE, LONGEST_PAUSE);
    loop {
        let mut acked = false;
        let why = match turn(&station, &board, &client, &mut acked).await {
            Err(why) => why,
            Ok(never) => match never {},
        };
        if acked {
            pause.reset();
        }
        // That the stream went on is the answer to a message that was thought lost; asking again settles it.
        let told = (why != Asked::Moved || !acked).then(|| why.to_string());
        tracing::debug!("board {}: {why}", board.name);
        station.metrics.failed();
        station.ledger.answered(Err(format!("board {}: {why}", board.name)));
        let now = station.stopwatch.now();
        board.trouble(now, told);
        let why = board.denied().map_or(why, Asked::Denied);
        let own = match &why {
            Asked::Served(_) | Asked::Denied(_) => true,
            Asked::NoHall | Asked::Late | Asked::Refused(_) => board.troubled().is_some_and(|(since, _)| now.since(since) >= LASTS),
            Asked::Nobody | Asked::Moved | Asked::Lost => false,
        };
        if own {
            tell(&station, &board, Some(why.to_string()));
        }
        sleep(pause.next()).await;
    }
}

/// Raises or clears the alarm that a board's events do not go out.
fn tell(station: &Station, board: &Board, text: Option<String>) {
    if board.tell_trouble(text.clone()) {
        station.hub.alarm("board-unpublished", &board.name, text);
    }
}

/// Asks how far the stream is and goes on from there, until something fails.
async fn turn(station: &Station, board: &Board, client: &Client, acked: &mut bool) -> Result<std::convert::Infallible, Asked> {
    let subject = station.names.subject(&board.name, Kind::Arbiter);
    let head = Head::of(ask::last(client, &station.names.stream(), &subject).await?.as_ref());
    let Some(stand) = board.stand() else { return Err(Asked::Lost) };
    let others = head.pi != station.token || head.epoch != stand.epoch || head.seq > stand.said;
    let others = others && head.number > 0 && !head.junk;
    let mut taken = None;
    if others {
        taken = match takeover::ask_hall(station, board, client, head.number).await {
            // What was published before was this machine's own; a hall that comes later compares both.
            Err(Asked::NoHall) if head.pi == station.token && !board.is_bare() => None,
            answer => answer?,
        };
    }
    let Some(stand) = board.stand() else { return Err(Asked::Lost) };
    let stand = settle(station, board, stand, &head, taken.map(|taken| taken.after)).await;
    if others {
        board.hold(stand.acked, taken.map_or(0, |taken| taken.to));
    }
    let mut number = head.number;
    let (backlog, acked_so_far, touches) = (Backlog::new(&station.data_dir, &board.name), stand.acked, station.hub.touches(&board.name));
    let folded = tokio::task::spawn_blocking(move || backlog.view(acked_so_far, touches)).await;
    let mut view = folded.ok().and_then(Result::ok).unwrap_or_else(|| PublicView::new(touches, 0));
    let mut source = Source { board, next: stand.acked + 1, queue: VecDeque::new(), backlog: Backlog::new(&station.data_dir, &board.name) };
    board.acked(stand.acked);
    // The board's time, by the last event that was seen of it.
    let mut heard: Option<(Mono, Mono)> = view.heard().map(|t| (station.stopwatch.now(), t));
    loop {
        let item = {
            let next = source.next();
            tokio::pin!(next);
            loop {
                // What an entry did, and cannot be undone any more.
                let sure = view.sure_at();
                let due = async {
                    match sure.zip(heard) {
                        Some((at, (came, t))) => sleep_until(station.stopwatch.instant(came + at.since(t)).into()).await,
                        None => std::future::pending().await,
                    }
                };
                tokio::select! {
                    biased;
                    item = &mut next => break item,
                    () = due => {
                        let public = view.pass(sure.unwrap_or(Mono::ZERO));
                        if station.delay_ms.is_none() {
                            show(station, board, client, &stand.epoch, public.iter()).await?;
                        }
                    }
                }
            }
        };
        let touches = station.hub.touches(&board.name);
        if let Some(event) = &item.event {
            // First: what comes twice is known by its number, what never comes is missed.
            view.set_touches(touches);
            heard = Some((station.stopwatch.now(), event.t));
            let public = view.take(event);
            if station.delay_ms.is_none() {
                show(station, board, client, &stand.epoch, public.iter()).await?;
            }
        }
        let mut headers = headers(station, board, &stand.epoch, &item, number);
        if let Some(until) = board.held_until().filter(|until| item.seq <= *until) {
            headers.insert(wire::UNTIL, until.to_string());
        }
        if touches == Touches::Arbiter {
            headers.insert(wire::TOUCHES, touches.as_str());
        }
        let bytes = item.body.len();
        number = ask::publish(client, subject.clone(), headers, item.body).await?;
        *acked = true;
        tell(station, board, None);
        station.metrics.published(bytes);
        board.acked(item.seq);
        station.ledger.answered(Ok(()));
        station.cursors.set(&board.name, Cursor { epoch: stand.epoch.clone(), from: stand.from, seq: item.seq });
    }
}

/// Sends what is public to whoever listens now.
async fn show(station: &Station, board: &Board, client: &Client, epoch: &str, events: impl Iterator<Item = &Event>) -> Result<(), Asked> {
    if !station.open.load(Ordering::Relaxed) {
        return Ok(());
    }
    for event in events.filter(|event| event.body.is_public()) {
        let mut headers = HeaderMap::new();
        headers.insert(wire::EPOCH, epoch);
        headers.insert(wire::SENT, flagfall_time::now().to_string());
        // What comes later is as old as it was then.
        let age = board.age(event, station.stopwatch).saturating_sub(station.delay_ms.unwrap_or(0));
        headers.insert(wire::AGE, age.to_string());
        let subject = station.names.subject(&board.name, Kind::Public);
        client.publish_with_headers(subject, headers, json(event).into()).await.map_err(|_| Asked::Lost)?;
    }
    Ok(())
}

/// The same where what is public is behind, for as long as the connection holds.
pub(super) async fn show_later(station: Arc<Station>, board: Arc<Board>, client: Client) {
    loop {
        let events = board.shown().await;
        let epoch = board.stand().map(|stand| stand.epoch).unwrap_or_default();
        if show(&station, &board, &client, &epoch, events.iter().map(|event| &**event)).await.is_err() {
            // What is public does not come twice; who missed it asks for the board.
            sleep(FIRST_PAUSE).await;
        }
    }
}

fn headers(station: &Station, board: &Board, epoch: &str, item: &Item, expected: u64) -> HeaderMap {
    let mut headers = HeaderMap::new();
    headers.insert(wire::MSG_ID, wire::msg_id(&board.name, epoch, item.seq));
    headers.insert(wire::EXPECTED, expected.to_string());
    headers.insert(wire::PI, station.token.as_str());
    headers.insert(wire::EPOCH, epoch);
    headers.insert(wire::SEQ, item.seq.to_string());
    headers.insert(wire::SENT, flagfall_time::now().to_string());
    if let Some(event) = &item.event {
        headers.insert(wire::AGE, board.age(event, station.stopwatch).to_string());
    }
    headers
}

/// Where to go on: after what the stream has of this numbering, or with another numbering where this one no longer holds. `taken_after`: another
/// machine's record was taken over by what follows this event.
async fn settle(station: &Station, board: &Board, mut stand: Stand, head: &Head, taken_after: Option<u64>) -> Stand {
    if head.junk {
        tracing::error!("board {}: somebody else wrote to its subjects; look at the broker's accounts", board.name);
        return stand;
    }
    let newest = Some(head).filter(|head| head.number > 0);
    let sent = newest.filter(|head| head.epoch == stand.epoch).map(|head| head.seq);
    let stale = match newest {
        // Nothing of this board is there: all that is this event's is published.
        None => {
            stand.acked = stand.from;
            false
        }
        Some(head) if head.epoch == stand.epoch => {
            stand.acked = sent.unwrap_or(stand.from);
            // The stream has events that the journal has lost, as when the power failed: their numbers are taken.
            stand.acked > stand.said
        }
        // Another machine had the board, or its journals began anew; what was published before, nobody can join to what comes now.
        Some(_) => station.cursors.get(&board.name).is_some_and(|cursor| cursor.epoch == stand.epoch && cursor.seq > cursor.from),
    };
    if stale || taken_after.is_some() {
        let (data_dir, name) = (station.data_dir.clone(), board.name.clone());
        let backlog = Backlog::new(&data_dir, &name);
        // A hall takes the board for one that was not there before: it is told that the board is.
        let linked = board.linked();
        let begun = tokio::task::spawn_blocking(move || (cursor::new_epoch(&data_dir, &name), backlog.newest_begins_after(linked))).await;
        if let Ok((epoch, from)) = begun {
            let from = taken_after.or(from).unwrap_or(stand.from).min(stand.said);
            tracing::warn!("board {}: it is published under another numbering after event {from}", board.name);
            board.renumber(epoch.clone(), from);
            (stand.epoch, stand.from, stand.acked) = (epoch, from, from);
        }
    }
    stand
}

/// Events in order: from memory while they are young, else from the journals.
struct Source<'a> {
    board: &'a Board,
    next: u64,
    queue: VecDeque<Item>,
    backlog: Backlog,
}

impl Source<'_> {
    /// The next event, once it is safe.
    async fn next(&mut self) -> Item {
        let mut looked = 0;
        loop {
            if let Some(item) = self.queue.pop_front() {
                if item.seq > self.next {
                    tracing::warn!(
                        "board {}: events {} to {} are in no journal and missing in the stream, too",
                        self.board.name,
                        self.next,
                        item.seq - 1
                    );
                }
                self.next = item.seq + 1;
                return item;
            }
            let said = self.board.said_after(self.next - 1).await;
            let young = self.board.kept(self.next, PORTION);
            if young.is_empty() {
                self.read(said, &mut looked).await;
            } else {
                self.queue.extend(young.into_iter().map(Item::of));
            }
        }
    }

    async fn read(&mut self, said: u64, looked: &mut u32) {
        let (mut backlog, next) = (self.backlog.clone(), self.next);
        let read = tokio::task::spawn_blocking(move || {
            let items = backlog.read(next, said, PORTION);
            (backlog, items)
        });
        let Ok((backlog, items)) = read.await else { return sleep(LOOK).await };
        match items {
            Ok(items) => {
                self.backlog = backlog;
                self.queue.extend(items);
            }
            Err(error) => tracing::warn!("board {}: its journals cannot be read back: {error}", self.board.name),
        }
        if !self.queue.is_empty() {
            return;
        }
        *looked += 1;
        // What a failed disk never took stays in memory for as long as it can; then only the newest is left.
        if let Some(first) = self.board.first_kept().filter(|first| *looked > GIVEN_UP && *first > self.next) {
            tracing::warn!(
                "board {}: events {} to {} are on no disk; the stream goes on without them",
                self.board.name,
                self.next,
                first - 1
            );
            self.next = first;
        } else {
            sleep(LOOK).await;
        }
    }
}
