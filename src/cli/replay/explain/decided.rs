//! What decided, in a sentence.
use super::found::{Completion, Found, Moment};
use super::words::{nats, san, seconds, tenths, uci, unestimated};
use crate::cli::watch::Lang;
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tense {
    Is,
    Was,
}

/// What an estimate says of a ply.
struct Opinion<'a> {
    believed: &'a Believed,
    /// The ply, counted from the estimate's beginning.
    ply: u32,
    lead: &'a Lead,
    lang: Lang,
}

impl<'a> Opinion<'a> {
    /// `None`: the estimate's best reading does not have it, or it is too long ago.
    fn of(moment: &'a Moment, ply: u32, lang: Lang) -> Option<Self> {
        let believed = moment.believed.as_ref().ok()?;
        let ply = ply.checked_sub(believed.before)?;
        Some(Self { believed, ply, lead: believed.snapshot.lead(ply)?, lang })
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
        Some(self.san_of(rival).unwrap_or_else(|| format!("{} {}", self.san(), self.lang.pick("not played yet", "ещё не сыгран"))))
    }

    /// `the next best reading, Nd2, is 9.1 nats dearer`.
    fn bare(&self, tense: Tense) -> String {
        let by = |nats_of: i64| tenths(nats(nats_of), false);
        let (lead, most) = (by(i64::from(self.lead.lead)), by(i64::from(self.believed.snapshot.most)));
        match (self.lang, self.rival(), tense) {
            (Lang::En, Some(rival), Tense::Is) => format!("the next best reading, {rival}, is {lead} nats dearer"),
            (Lang::En, Some(rival), Tense::Was) => format!("the next best reading, {rival}, was {lead} nats dearer"),
            (Lang::En, None, Tense::Is) => format!("no other reading is within {most} nats"),
            (Lang::En, None, Tense::Was) => format!("no other reading was within {most} nats"),
            (Lang::Ru, Some(rival), Tense::Is) => format!("следующее прочтение, {rival}, дороже на {lead} ната"),
            (Lang::Ru, Some(rival), Tense::Was) => format!("следующее прочтение, {rival}, было дороже на {lead} ната"),
            (Lang::Ru, None, Tense::Is) => format!("ближе {most} ната других прочтений нет"),
            (Lang::Ru, None, Tense::Was) => format!("ближе {most} ната других прочтений не было"),
        }
    }

    /// The same, and how much is enough.
    fn told(&self, tense: Tense) -> String {
        let (bare, enough) = (self.bare(tense), tenths(nats(i64::from(self.lead.enough)), false));
        match (self.lang, self.lead.certain) {
            (Lang::En, true) => format!("{bare}; {enough} are enough"),
            (Lang::En, false) => format!("{bare}; {enough} would be enough"),
            (Lang::Ru, true) => format!("{bare}; достаточно {enough}"),
            (Lang::Ru, false) => format!("{bare}; нужно {enough}"),
        }
    }
}

impl Decided {
    pub(super) fn of(found: &Found, lang: Lang) -> Self {
        let word = found.word();
        let Some(completion) = &found.completed else {
            let when = lang.pick("When it was made,", "Когда он сделан,");
            let opinion = Opinion::of(&found.made, found.ply, lang).map(|opinion| format!(" {when} {}.", opinion.told(Tense::Was)));
            let made = lang.pick(" was made and not completed.", ": ход сделан и не завершён.");
            return Self { by: "nothing", sentence: format!("{word}{made}{}", opinion.unwrap_or_default()) };
        };
        let at = &completion.at;
        // It may have been corrected since.
        let completed_as = found.corrected.as_ref().map_or(found.uci.as_str(), |(was, _)| was);
        let opinion = Opinion::of(at, found.ply, lang).filter(|opinion| opinion.is(completed_as));
        let has = lang.pick("As the estimate has it,", "По оценке");
        let opinion = opinion.map(|opinion| format!(" {has} {}.", opinion.bare(Tense::Is))).unwrap_or_default();
        let completed = lang.pick("was completed", "завершён");
        let plain = |by: &'static str, why: &str| Self {
            by,
            sentence: format!("{}{} {completed} {why}.{opinion}", completed_word(found), lang.pick("", ":")),
        };
        match completion.how {
            How::Press => by_press(found, completed_as, completion, lang),
            How::NextMove if found.by == Colour::White => plain(
                "next-move",
                lang.pick("without a press: White's next move was completed", "без нажатия: завершён следующий ход белых"),
            ),
            How::NextMove => plain(
                "next-move",
                lang.pick("without a press: Black's next move was completed", "без нажатия: завершён следующий ход чёрных"),
            ),
            How::GameEnd => plain("game-end", lang.pick("without a press: it ended the game", "без нажатия: партия им закончилась")),
            How::Settled => plain(
                "settled",
                lang.pick(
                    "without a press, on a board without a clock: it stood long enough",
                    "без нажатия, на доске без часов: он простоял достаточно долго",
                ),
            ),
            How::Ruling => plain("ruling", lang.pick("by a ruling", "решением арбитра")),
            How::Recovered => plain(
                "recovered",
                lang.pick(
                    "as found on the board after the link was down, or as the position was set",
                    "как найденный на доске после перерыва связи или при установке позиции",
                ),
            ),
        }
        .with_correction(found, lang)
    }

    fn with_correction(mut self, found: &Found, lang: Lang) -> Self {
        if let Some((_, at)) = &found.corrected {
            let after = found.completed.as_ref().map_or(0, |completion| at.t.since(completion.at.t));
            self.sentence += &match lang {
                Lang::En => format!(" {} later it was corrected to {}", seconds(after, lang), found.word()),
                Lang::Ru => format!(" Через {} исправлен на {}", seconds(after, lang), found.word()),
            };
            self.sentence += &match Opinion::of(at, found.ply, lang).filter(|opinion| opinion.is(&found.uci)) {
                Some(opinion) => format!(": {}.", opinion.told(Tense::Is)),
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

fn by_press(found: &Found, completed_as: &str, completion: &Completion, lang: Lang) -> Decided {
    let at = &completion.at;
    let waited = found.press.as_ref().map(|press| at.t.since(press.t));
    let when = match (waited, lang) {
        (Some(0), _) => String::from(lang.pick("at its press", "при нажатии часов")),
        (Some(ms), Lang::En) => format!("{} after its press", seconds(ms, lang)),
        (Some(ms), Lang::Ru) => format!("через {} после нажатия часов", seconds(ms, lang)),
        (None, _) => String::from(lang.pick("by a press", "нажатием часов")),
    };
    let word = completed_word(found);
    let opinion = Opinion::of(at, found.ply, lang);
    let stands = lang.pick("by what stands", "по тому, что стоит на доске");
    let (by, why) = match (&at.believed, &opinion) {
        _ if !completion.legal => {
            ("what-stands", format!("{stands}: {}", lang.pick("no legal move explains it", "никакой возможный ход этого не объясняет")))
        }
        (Err(why), _) => {
            let none = lang.pick("there is no estimate", "оценки нет");
            ("what-stands", format!("{stands}; {none}: {}", unestimated(*why, lang)))
        }
        (Ok(_), None) => {
            ("what-stands", format!("{stands}: {}", lang.pick("the estimate does not have this ply", "в оценке этого хода нет")))
        }
        (Ok(_), Some(opinion)) if !opinion.is(completed_as) => {
            let (had, told) = (opinion.san(), opinion.told(Tense::Is));
            let text = match lang {
                Lang::En => format!("{stands}; the estimate had {had} there: {told}"),
                Lang::Ru => format!("{stands}; в оценке там {had}: {told}"),
            };
            ("what-stands", text)
        }
        (Ok(_), Some(opinion)) if opinion.lead.certain => ("estimate", opinion.told(Tense::Is)),
        (Ok(_), Some(opinion)) => {
            let likeliest = lang.pick("as the likeliest reading that stands", "как самое вероятное из того, что стоит на доске");
            ("likeliest", format!("{likeliest}: {}", opinion.told(Tense::Is)))
        }
    };
    let link = if by == "estimate" { ": " } else { ", " };
    let mut sentence = format!("{word}{}{when}{link}{why}.", lang.pick(" was completed ", ": завершён "));
    if let Some(press) = found.press.as_ref().filter(|_| waited != Some(0)) {
        sentence += &waited_for(press, found.ply, completed_as, lang);
    }
    Decided { by, sentence }
}

/// Why it was not completed at its press.
fn waited_for(press: &Moment, ply: u32, completed_as: &str, lang: Lang) -> String {
    let Ok(believed) = &press.believed else { return String::new() };
    let at = lang.pick(" At the press", " При нажатии");
    match Opinion::of(press, ply, lang) {
        None => format!("{at} {}.", lang.pick("the best reading did not have it yet", "в лучшем прочтении его ещё не было")),
        Some(opinion) if !opinion.is(completed_as) => {
            let san = opinion.san();
            match lang {
                Lang::En => format!("{at} the best reading had {san} there."),
                Lang::Ru => format!("{at} в лучшем прочтении там был {san}."),
            }
        }
        Some(opinion) if !opinion.lead.certain => {
            format!("{at} {}: {}.", lang.pick("that was not so sure", "это было ещё не так ясно"), opinion.told(Tense::Was))
        }
        Some(opinion) => {
            let mut earlier = (1..opinion.ply).filter_map(|ply| Opinion::of(press, believed.before + ply, lang));
            let told = |before: Opinion<'_>| match lang {
                Lang::En => format!("{at} {} before it was not sure: {}.", before.san(), before.told(Tense::Was)),
                Lang::Ru => format!("{at} ещё не был ясен предыдущий ход, {}: {}.", before.san(), before.told(Tense::Was)),
            };
            earlier.find(|before| !before.lead.certain).map(told).unwrap_or_default()
        }
    }
}
