//! A journal's inputs through a board: the state is a fold over them, and the events must be those that were written.
use super::header::Open;
use super::line::Line;
use super::read::seq_of;
use super::what::What;
use flagfall_events::{Event, LinkState, Mono, Wall};
use flagfall_game::RECOGNITION;
use flagfall_game::board::{Board, Output};
use flagfall_game::questions::Question;
use flagfall_game::settings::Settings;
use std::collections::VecDeque;

/// Questions without an answer that are kept; older ones are about positions long gone.
const QUESTIONS: usize = 32;

/// Where replay and journal say different things.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Differs {
    /// The journal's line.
    pub line: u64,
    /// What the journal says and what the replay says.
    pub text: String,
}

/// A board that is fed with a journal's lines, one after the other.
#[derive(Debug)]
pub struct Replay {
    board: Option<Board>,
    name: String,
    opened_at: Wall,
    settings: Settings,
    /// What came of the inputs and was not met in the journal yet.
    made: VecDeque<Event>,
    questions: Vec<Question>,
    last: Mono,
    seq: u64,
    link: Option<LinkState>,
    differs: Option<Differs>,
    events: u64,
    /// Lines were lost: from here on nothing can be compared.
    blind: bool,
}

impl Default for Replay {
    fn default() -> Self {
        Self {
            board: None,
            name: String::new(),
            opened_at: Wall::EPOCH,
            settings: Settings::default(),
            made: VecDeque::new(),
            questions: Vec::new(),
            last: Mono::ZERO,
            seq: 0,
            link: None,
            differs: None,
            events: 0,
            blind: false,
        }
    }
}

impl Replay {
    /// Takes the next line; `skip`: its input was left out. Every event that comes of it goes to `each`. Of a line that holds an event: that event, if this
    /// version can read it.
    ///
    /// # Errors
    /// In words: a line that this version cannot read.
    pub fn line(&mut self, line: &Line<'_>, skip: bool, each: &mut impl FnMut(&Event)) -> Result<Option<Event>, String> {
        self.line_seen(line, skip, &mut |_, event| each(event))
    }

    /// The same; with every event comes the board as it is after what the event came of.
    ///
    /// # Errors
    /// In words: a line that this version cannot read.
    pub fn line_seen(&mut self, line: &Line<'_>, skip: bool, each: &mut impl FnMut(&Board, &Event)) -> Result<Option<Event>, String> {
        let t = line.t;
        match line.key {
            "event" => {
                self.last = self.last.max(t);
                return Ok(self.event(line, each).or_else(|| serde_json::from_str(line.value).ok()));
            }
            "out" | "heard" | "key" | "checkpoint" | "sign" | "cut" | "end" | "skip" => return Ok(None),
            _ => {}
        }
        match line.what()? {
            What::Open(open) => self.open(&open)?,
            what if skip => self.skipped(&what),
            what => self.input_seen(t, what, each),
        }
        Ok(None)
    }

    /// The journal's first line.
    ///
    /// # Errors
    /// In words: a setting that this version does not know.
    pub fn open(&mut self, open: &Open) -> Result<(), String> {
        self.settings = open.settings()?;
        (self.name, self.opened_at, self.seq) = (open.board.clone(), open.recorded_at, open.seq);
        self.board = Some(open.begin(self.settings.clone()));
        if let Some(stands) = &open.stands {
            (self.last, self.link) = (stands.t, Some(LinkState::Up));
        }
        Ok(())
    }

    /// An input that the board never got; where the link is, is known all the same.
    const fn skipped(&mut self, what: &What) {
        if let What::Link(change) = what {
            self.link = Some(change.state);
        }
    }

    /// Takes an input at `t`, after every deadline up to then.
    pub fn input(&mut self, t: Mono, what: What, each: &mut impl FnMut(&Event)) {
        self.input_seen(t, what, &mut |_, event| each(event));
    }

    fn input_seen(&mut self, t: Mono, what: What, each: &mut impl FnMut(&Board, &Event)) {
        self.expire_seen(t, each);
        self.last = self.last.max(t);
        let Some(board) = self.board.as_mut() else { return };
        match what {
            What::In(bytes) => board.bytes(t, &bytes),
            What::Drop(drop) => board.dropped(t, drop.from),
            What::Link(change) => {
                self.link = Some(change.state);
                board.link(t, change.state, change.reason);
            }
            What::Entry(entry) => board.entry(t, entry),
            What::Verdict(verdict) => {
                if verdict.answer.is_final() {
                    self.questions.retain(|q| *q != verdict.question);
                }
                board.verdict(t, verdict);
            }
            What::Say(body) => board.say(t, body),
            What::Restart(restart) => {
                if restart.seq > self.seq {
                    self.seq = restart.seq;
                    board.count_from(restart.seq);
                }
                self.link = self.link.map(|_| LinkState::Down);
                if let Some(played) = restart.played {
                    board.take_over(t, played);
                    // From here on the events are those of who wrote this line.
                    if restart.recognition == Some(RECOGNITION) {
                        self.made.clear();
                        self.blind = false;
                    }
                }
                board.restarted(t);
            }
            What::Wall(set) => {
                self.opened_at = set.at.before(t);
                board.wall(t, set.at);
            }
            What::Anew(anew) => {
                self.made.clear();
                self.blind = false;
                self.anew(anew.seq, anew.games);
            }
            What::Lost(lost) => {
                // Nobody knows what happened meanwhile: as after a hang-up.
                board.restarted(t);
                while board.poll().is_some() {}
                self.made.clear();
                self.blind = true;
                self.count_from(lost.last_seq.unwrap_or(0));
            }
            _ => {}
        }
        self.drain(each);
    }

    fn anew(&mut self, seq: u64, games: u32) {
        self.board = Some(Board::new(&self.name, self.opened_at, self.settings.clone()).numbered_after(seq).games_after(games));
        self.seq = seq;
        self.questions.clear();
    }

    fn count_from(&mut self, seq: u64) {
        if let Some(board) = self.board.as_mut().filter(|_| seq > self.seq) {
            self.seq = seq;
            board.count_from(seq);
        }
    }

    /// An event of the journal: it must be the next one that is made. Returned if it is.
    fn event(&mut self, line: &Line<'_>, each: &mut impl FnMut(&Board, &Event)) -> Option<Event> {
        self.events += 1;
        while self.made.is_empty() {
            let Some(deadline) = self.board.as_ref().and_then(Board::deadline).filter(|d| *d <= line.t) else { break };
            if !self.fire(deadline, each) {
                break;
            }
        }
        let made = self.made.pop_front();
        let text = made.as_ref().map(|event| serde_json::to_string(event).unwrap_or_default());
        if text.as_deref() == Some(line.value) {
            return made;
        }
        if self.differs.is_none() && !self.blind {
            let replayed = text.unwrap_or_else(|| String::from("nothing"));
            self.differs =
                Some(Differs { line: line.number, text: format!("the journal says {}, its replay says {replayed}", line.value) });
        }
        // From here on the journal's numbers count, and what else the replay makes is nothing new.
        self.blind = true;
        self.made.clear();
        self.count_from(seq_of(line.value).unwrap_or(0));
        None
    }

    /// Every deadline up to `t`, each at its own time.
    pub fn expire(&mut self, t: Mono, each: &mut impl FnMut(&Event)) {
        self.expire_seen(t, &mut |_, event| each(event));
    }

    fn expire_seen(&mut self, t: Mono, each: &mut impl FnMut(&Board, &Event)) {
        while let Some(deadline) = self.board.as_ref().and_then(Board::deadline).filter(|d| *d <= t) {
            if !self.fire(deadline, each) {
                break;
            }
        }
    }

    /// `false`: the deadline stands where it stood.
    fn fire(&mut self, deadline: Mono, each: &mut impl FnMut(&Board, &Event)) -> bool {
        let Some(board) = self.board.as_mut() else { return false };
        board.timeout(deadline);
        self.last = self.last.max(deadline);
        self.drain(each);
        self.board.as_ref().and_then(Board::deadline) != Some(deadline)
    }

    fn drain(&mut self, each: &mut impl FnMut(&Board, &Event)) {
        let Some(board) = self.board.as_mut() else { return };
        while let Some(output) = board.poll() {
            match output {
                Output::Event(event) => {
                    self.seq = event.seq;
                    each(board, &event);
                    if !self.blind {
                        self.made.push_back(event);
                    }
                }
                Output::Question(question) => {
                    self.questions.push(question);
                    if self.questions.len() > QUESTIONS {
                        self.questions.remove(0);
                    }
                }
                // Commands go nowhere: the answers are in the journal.
                Output::Command(_) => {}
            }
        }
    }

    /// The first event that differs from the journal's.
    pub const fn differs(&self) -> Option<&Differs> {
        self.differs.as_ref()
    }

    /// Events of the journal that were compared.
    pub const fn events(&self) -> u64 {
        self.events
    }

    /// The wall time of millisecond 0, as the machine's clock says it by now.
    pub const fn opened_at(&self) -> Wall {
        self.opened_at
    }

    /// The last event's number.
    pub const fn seq(&self) -> u64 {
        self.seq
    }

    /// The time of the last input or event.
    pub const fn last(&self) -> Mono {
        self.last
    }

    /// The board as it is after all lines, and what it asked and was not answered.
    pub fn into_board(self) -> Option<(Board, Vec<Question>)> {
        Some((self.board?, self.questions))
    }

    /// Events that were made and are not in the journal: none in a journal that was ended, the last input's where it was torn.
    pub fn missing(&self) -> impl Iterator<Item = &Event> {
        self.made.iter()
    }
}
