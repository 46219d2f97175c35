//! What decided, in a sentence.
use super::found::{Completion, Found, Moment};
use super::words::{nats, san, seconds, tenths, uci, unestimated};
use flagfall_events::{Colour, How};
use flagfall_game::believed::Believed;
use flagfall_game::believed::hands::Lead;

/// What decided on a ply.
#[derive(Debug)]
pub(super) struct Decided {
    /// The word of JSON.
    pub(super) by: &'static str,
    pub(super) sentence: String,
}

/// Of the decision, and of what came before it.
const IS: &str = "is";
const WAS: &str = "was";

/// What an estimate says of a ply.
struct Opinion<'a> {
    believed: &'a Believed,
    /// The ply, counted from the estimate's beginning.
    ply: u32,
    lead: &'a Lead,
}

impl<'a> Opinion<'a> {
    /// `None`: the estimate's best reading does not have it, or it is too long ago.
    fn of(moment: &'a Moment, ply: u32) -> Option<Self> {
        let believed = moment.believed.as_ref().ok()?;
        let ply = ply.checked_sub(believed.before)?;
        Some(Self { believed, ply, lead: believed.snapshot.lead(ply)? })
    }

    fn is(&self, uci_of: &str) -> bool {
        uci(self.lead.mv) == uci_of
    }

    fn san(&self) -> String {
        let best = self.believed.snapshot.hypotheses.first();
        best.and_then(|best| self.san_of(best)).unwrap_or_else(|| uci(self.lead.mv))
    }

    fn san_of(&self, one: &flagfall_game::believed::hands::Hypothesis) -> Option<String> {
        let moves = one.moves.get(..self.ply as usize)?;
        san(self.believed, moves).pop()
    }

    /// What the next best reading says.
    fn rival(&self) -> Option<String> {
        let rival = self.believed.snapshot.hypotheses.get(self.believed.snapshot.rival(self.ply)?)?;
        Some(self.san_of(rival).unwrap_or_else(|| format!("{} not played yet", self.san())))
    }

    /// `the next best reading, Nd2, is 9.1 nats dearer`.
    fn bare(&self, is: &str) -> String {
        match self.rival() {
            Some(rival) => format!("the next best reading, {rival}, {is} {} nats dearer", tenths(nats(i64::from(self.lead.lead)), false)),
            None => format!("no other reading {is} within {} nats", tenths(nats(i64::from(self.believed.snapshot.most)), false)),
        }
    }

    /// The same, and how much is enough.
    fn told(&self, is: &str) -> String {
        let enough = tenths(nats(i64::from(self.lead.enough)), false);
        format!("{}; {enough} {} enough", self.bare(is), if self.lead.certain { "are" } else { "would be" })
    }
}

impl Decided {
    pub(super) fn of(found: &Found) -> Self {
        let word = found.word();
        let Some(completion) = &found.completed else {
            let opinion = Opinion::of(&found.made, found.ply).map(|opinion| format!(" When it was made, {}.", opinion.told(WAS)));
            return Self { by: "nothing", sentence: format!("{word} was made and not completed.{}", opinion.unwrap_or_default()) };
        };
        let at = &completion.at;
        // It may have been corrected since.
        let completed_as = found.corrected.as_ref().map_or(found.uci.as_str(), |(was, _)| was);
        let opinion = Opinion::of(at, found.ply).filter(|opinion| opinion.is(completed_as));
        let opinion = opinion.map(|opinion| format!(" As the estimate has it, {}.", opinion.bare(IS))).unwrap_or_default();
        let plain =
            |by: &'static str, why: String| Self { by, sentence: format!("{} was completed {why}.{opinion}", completed_word(found)) };
        match completion.how {
            How::Press => by_press(found, completed_as, completion),
            How::NextMove => plain(
                "next-move",
                format!("without a press: {}'s next move was completed", if found.by == Colour::White { "White" } else { "Black" }),
            ),
            How::GameEnd => plain("game-end", String::from("without a press: it ended the game")),
            How::Settled => plain("settled", String::from("without a press, on a board without a clock: it stood long enough")),
            How::Ruling => plain("ruling", String::from("by a ruling")),
            How::Recovered => plain("recovered", String::from("as found on the board after the link was down, or as the position was set")),
        }
        .with_correction(found)
    }

    fn with_correction(mut self, found: &Found) -> Self {
        if let Some((_, at)) = &found.corrected {
            let after = found.completed.as_ref().map_or(0, |completion| at.t.since(completion.at.t));
            self.sentence += &format!(" {} later it was corrected to {}", seconds(after), found.word());
            self.sentence += &match Opinion::of(at, found.ply).filter(|opinion| opinion.is(&found.uci)) {
                Some(opinion) => format!(": {}.", opinion.told(IS)),
                None => String::from("."),
            };
        }
        self
    }
}

/// As it was completed: what was corrected later is known as UCI only.
fn completed_word(found: &Found) -> &str {
    found.corrected.as_ref().map_or_else(|| found.word(), |(was, _)| was)
}

fn by_press(found: &Found, completed_as: &str, completion: &Completion) -> Decided {
    let at = &completion.at;
    let waited = found.press.as_ref().map(|press| at.t.since(press.t));
    let when = match waited {
        Some(0) => String::from("at its press"),
        Some(ms) => format!("{} after its press", seconds(ms)),
        None => String::from("by a press"),
    };
    let word = completed_word(found);
    let opinion = Opinion::of(at, found.ply);
    let (by, why) = match (&at.believed, &opinion) {
        _ if !completion.legal => ("what-stands", String::from("by what stands: no legal move explains it")),
        (Err(why), _) => ("what-stands", format!("by what stands; there is no estimate: {}", unestimated(*why))),
        (Ok(_), None) => ("what-stands", String::from("by what stands: the estimate does not have this ply")),
        (Ok(_), Some(opinion)) if !opinion.is(completed_as) => {
            ("what-stands", format!("by what stands; the estimate had {} there: {}", opinion.san(), opinion.told(IS)))
        }
        (Ok(_), Some(opinion)) if opinion.lead.certain => ("estimate", opinion.told(IS)),
        (Ok(_), Some(opinion)) => ("likeliest", format!("as the likeliest reading that stands: {}", opinion.told(IS))),
    };
    let link = if by == "estimate" { ": " } else { ", " };
    let mut sentence = format!("{word} was completed {when}{link}{why}.");
    if let Some(press) = found.press.as_ref().filter(|_| waited != Some(0)) {
        sentence += &waited_for(press, found.ply, completed_as);
    }
    Decided { by, sentence }
}

/// Why it was not completed at its press.
fn waited_for(press: &Moment, ply: u32, completed_as: &str) -> String {
    let Ok(believed) = &press.believed else { return String::new() };
    match Opinion::of(press, ply) {
        None => String::from(" At the press the best reading did not have it yet."),
        Some(opinion) if !opinion.is(completed_as) => format!(" At the press the best reading had {} there.", opinion.san()),
        Some(opinion) if !opinion.lead.certain => format!(" At the press that was not so sure: {}.", opinion.told(WAS)),
        Some(opinion) => {
            let unsure = (1..opinion.ply).filter_map(|ply| Opinion::of(press, believed.before + ply)).find(|before| !before.lead.certain);
            unsure.map(|before| format!(" At the press {} before it was not sure: {}.", before.san(), before.told(WAS))).unwrap_or_default()
        }
    }
}
