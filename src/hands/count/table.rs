//! What was counted, as the table that the prices are made of.
use crate::count::survival::{ln, survival};
use crate::count::{Count, Span};
use crate::habits::{How, Kind, STANDS, WITHIN};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Write as _;

/// What is not counted, and why it is what it is.
const STATED: &str = "\
[stated]
# A ply or none: the logarithm of 2. Which ply it is costs nothing: where its piece came to stand would have to be explained otherwise as well.
ply = 0.69
# Plies that were never pressed, and the next one was. Nobody forgets in the games that are counted; people do, about as often as they press so late.
skipped = 3.0
# A ply that is never pressed: the cap of a single habit. A ply that is played on two that were not pressed: who forgets goes on forgetting.
forgotten = 6.0
forgetful = 1.5
# What the board said of a ply was lost: a frame in a hundred, where some are.
lost = 4.6
# The same where nothing showed that a message was lost: one in a hundred of those that are.
unnoticed = 4.6
# On a board that does not know its pieces: a taken piece that was seen to leave, one that was not. Not counted, since the alignment prefers the earliest
# moment at which a capture can be believed.
seen-taken = 0.1
unseen-taken = 4.0
";

/// How many other places there are where a kind of disagreement could be, as a logarithm: pieces, squares around one.
const fn places(kind: Kind) -> f64 {
    match kind {
        Kind::HeldAlso | Kind::HeldOther | Kind::HeldEarly | Kind::Parked => 1.0,
        Kind::Nudged => 2.1,
        Kind::Wrong => 2.0,
        Kind::AstrayOther => 4.0,
        _ => 0.0,
    }
}

/// The most that a single habit may cost, nats: only the rules of chess and repeated readings decide alone.
const CAP: f64 = 6.0;

/// The logarithm of a share, no finer than what was seen can show.
fn nats(n: u64, of: u64) -> f64 {
    (ln((of as f64 + 0.3) / (n as f64 + 0.3))).clamp(0.0, CAP)
}

fn points(spans: &[Span]) -> String {
    let points: Vec<String> = survival(spans).iter().map(|(age, nats)| format!("[{age}, {nats:.2}]")).collect();
    format!("[{}]", points.join(", "))
}

impl Count {
    /// The whole of `habits.toml`; `about` says what was counted, in lines that begin with `#`.
    pub fn table(&self, slow: &Self, about: &str) -> String {
        let mut out = format!("{about}\nplies = {}\n\n{STATED}", self.plies);
        let _ = write!(
            out,
            "\n# A promotion to another piece than a queen.\n[underpromotion]\nn = {}\nof = {}\n",
            self.promotions[1], self.promotions[0]
        );
        let _ = writeln!(out, "nats = {:.2}", nats(self.promotions[1], self.promotions[0]));
        let _ = write!(out, "\n# A press that was not that player's turn.\n[idle-press]\nn = {}\nof = {}\n", self.idle, self.presses);
        let _ = writeln!(out, "nats = {:.2}", nats(self.idle, self.presses));
        self.hands(&mut out, "");
        let _ = write!(out, "\n# The same on boards that are scanned in 440 ms, as over classic Bluetooth.\n");
        slow.hands(&mut out, "slow.");
        out
    }

    /// Of pieces that stand where no ply ends, by age: how many were pressed for then, of how many; and the price of such a press against one for
    /// a ply that ends there.
    fn standing(&self) -> ([u32; STANDS.len()], [u64; STANDS.len()], [usize; STANDS.len()], String) {
        let resting = || [Kind::OnWay, Kind::Astray, Kind::Wrong].into_iter().flat_map(|kind| &self.lasted[kind as usize]);
        let until = |index: usize| STANDS.get(index + 1).map_or(u64::MAX, |age| u64::from(*age));
        let reach = |spans: &mut dyn Iterator<Item = &Span>, age: u64| spans.filter(|span| span.from <= age && span.to >= age).count();
        let mut risks = [0; STANDS.len()];
        let mut prices: Vec<String> = Vec::new();
        for (index, &from) in STANDS.iter().enumerate() {
            let from = u64::from(from);
            risks[index] = reach(&mut resting(), from);
            let pressed = self.waits.iter().filter(|span| span.ended && (from..until(index)).contains(&span.to)).count();
            let usual = (pressed as f64 + 0.3) / (reach(&mut self.waits.iter(), from) as f64 + 0.3);
            let odd = (self.standing[index] as f64 + 0.3) / (risks[index] as f64 + 0.3);
            prices.push(format!("{:.2}", ln(usual / odd).clamp(0.0, CAP)));
        }
        (STANDS, self.standing, risks, prices.join(", "))
    }

    /// What hands do on boards of one scan; the names of its tables begin with this.
    fn hands(&self, out: &mut String, of: &str) {
        let _ = writeln!(out, "\n# How plies came about.");
        for (how, name) in How::ALL {
            let n = self.how[how as usize];
            let price = match how {
                // The record itself shows none: as rare as a piece that rests elsewhere first.
                How::Revised => nats(self.onset[Kind::Astray as usize], self.plies),
                How::Lost => 4.6,
                _ => nats(n, self.plies),
            };
            let _ = writeln!(out, "[{of}made.{name}]\nn = {n}\nnats = {price:.2}");
        }
        let _ = writeln!(
            out,
            "\n# How squares disagreed: how often a ply, in how many places it could have been (a logarithm), and what it costs that it lasts."
        );
        for (kind, name) in Kind::ALL {
            let n = self.onset[kind as usize];
            let _ = write!(out, "[{of}disagrees.{name}]\nn = {n}\nnats = {:.2}\nplaces = {:.1}\n", nats(n, self.plies), places(kind));
            let _ = writeln!(out, "lasts = {}", points(&self.lasted[kind as usize]));
        }
        let _ = writeln!(out, "\n# What showed at presses whose ply was seen later only.");
        let began = |kind: Kind| self.onset[kind as usize];
        for (name, n, all) in [("in-hand", self.owing[0], self.plies), ("castling", self.owing[1], began(Kind::Castling))] {
            let _ = writeln!(out, "[{of}owing.{name}]\nn = {n}\nof = {all}\nnats = {:.2}", nats(n, all));
        }
        let (ages, n, risk, prices) = self.standing();
        let _ = writeln!(
            out,
            "# A piece that stands goes on, and is pressed before it is read again: against a press for what stands, by its age there."
        );
        let _ = writeln!(out, "[{of}owing.stands]\nfrom = {ages:?}\nn = {n:?}\nof = {risk:?}\nnats = [{prices}]");
        let within = |index: usize| self.again[..=index].iter().sum::<u64>();
        let counted: Vec<u64> = (0..WITHIN.len()).map(within).collect();
        let all = within(WITHIN.len() - 1);
        let prices: Vec<String> = counted.iter().map(|n| format!("{:.2}", nats(*n, all))).collect();
        let _ = writeln!(
            out,
            "\n# A piece went on to where it could have gone by its player's ply before: of all that did, how many within such a time."
        );
        let _ = writeln!(out, "[{of}again]\nwithin = {WITHIN:?}\nn = {counted:?}\nnats = [{}]", prices.join(", "));
        let spans = [
            ("owed", "From a press to its ply.", &self.owed),
            ("haste", "From a ply to the press of the one before.", &self.haste),
            ("waits", "From a ply to its press.", &self.waits),
        ];
        for (name, what, spans) in spans {
            let (n, share) = (spans.len(), nats(spans.len() as u64, self.plies));
            let _ = write!(out, "\n# {what}\n[{of}{name}]\nn = {n}\nnats = {share:.2}\nlasts = {}\n", points(spans));
        }
    }
}
