//! Games as they were really played, and what players had done when something was found.
use flagfall_events::{GameResult, Wall};
use flagfall_simulator::incident::{Incident, IncidentKind, When};
use flagfall_simulator::script::Truth;
use serde_json::Value;

/// Found while nothing was wrong.
pub(crate) const PLAY: &str = "play";

/// One game; times are milliseconds of the players' clock.
#[derive(Clone, Debug)]
pub(crate) struct Played {
    pub(crate) began: u64,
    pub(crate) over: u64,
    /// The players ended it before looking ended.
    pub(crate) whole: bool,
    pub(crate) result: GameResult,
    pub(crate) ended: String,
    pub(crate) around: Vec<String>,
    pub(crate) incidents: Vec<Incident>,
    pub(crate) moves: Vec<String>,
    /// Ply, and when its last piece was put down.
    plies: Vec<(u32, u64)>,
}

impl Played {
    pub(crate) fn of(truth: &Truth) -> Self {
        Self {
            began: truth.began,
            over: truth.over,
            whole: true,
            result: truth.result,
            ended: String::from(truth.ended.as_str()),
            around: truth.around.iter().map(|around| String::from(around.as_str())).collect(),
            incidents: truth.incidents.clone(),
            moves: truth.uci(),
            plies: truth.plies.iter().map(|ply| (ply.ply, ply.last_down)).collect(),
        }
    }

    /// A line of `flagfall demo --played`; times count from 1970.
    pub(crate) fn read(line: &Value) -> Self {
        let texts = |name: &str| line[name].as_array().unwrap().iter().map(|v| v.as_str().unwrap().to_owned()).collect::<Vec<_>>();
        let at = |value: &Value| serde_json::from_value::<Wall>(value.clone()).unwrap().since(Wall::EPOCH);
        Self {
            began: at(&line["began"]),
            over: at(&line["over"]),
            whole: line["whole"] == true,
            result: serde_json::from_value(line["result"].clone()).unwrap(),
            ended: line["ended"].as_str().unwrap().to_owned(),
            around: texts("around"),
            incidents: texts("incidents").iter().map(|text| text.parse().unwrap()).collect(),
            moves: texts("moves"),
            plies: line["plies"].as_array().unwrap().iter().map(|p| (p["ply"].as_u64().unwrap() as u32, at(&p["down"]))).collect(),
        }
    }

    /// All could see how it ended: the kings showed it.
    pub(crate) fn is_shown(&self) -> bool {
        self.ended == "kings"
    }

    pub(crate) fn first_move(&self) -> Option<u64> {
        self.plies.first().map(|(_, down)| *down)
    }

    /// What is worth knowing of it in a note.
    pub(crate) fn about(&self) -> String {
        let mut words = self.around.clone();
        words.extend(self.incidents.iter().map(ToString::to_string));
        words.push(self.ended.clone());
        words.join(", ")
    }

    /// The incident that was under way or over by then.
    fn incident(&self, t: u64) -> Option<&'static str> {
        let before = |ply: u32| self.plies.iter().rev().find(|(p, _)| *p < ply).map_or(self.began, |(_, down)| *down);
        let begun = |incident: &&Incident| match incident.when {
            When::Ply(ply) => before(ply) <= t,
            When::End => t >= self.over,
        };
        self.incidents.iter().find(begun).map(|incident| incident.kind.name())
    }
}

/// What the players had done by then. `about`: the game the finding is about, as the record says.
pub(crate) fn cause(games: &[Played], t: u64, about: Option<usize>) -> String {
    let Some(now) = games.iter().rposition(|game| game.began <= t) else { return String::from("before the first game") };
    let game = &games[now];
    if t <= game.over {
        if game.ended == "flag" && game.plies.last().is_none_or(|(_, down)| t > *down) {
            return String::from("a flag fell");
        }
        if let Some(name) = game.incident(t) {
            return String::from(name);
        }
        return match about {
            Some(about) if about < now => String::from("play, of a game that is over"),
            _ => String::from(PLAY),
        };
    }
    let mut after = game.ended.clone();
    let next = games.get(now + 1);
    let around =
        game.around.iter().filter(|a| *a == "analysis").chain(next.iter().flat_map(|next| &next.around).filter(|a| *a != "analysis"));
    for what in around {
        after = format!("{after}, {what}");
    }
    match game.incident(t) {
        Some(name) => format!("between games: {after}; in the game {name}"),
        None => format!("between games: {after}"),
    }
}

/// By which keys a finding names it; none where nothing has to be said.
pub(crate) fn expected(kind: IncidentKind) -> Option<&'static [&'static str]> {
    Some(match kind {
        IncidentKind::Illegal | IncidentKind::OpponentsPiece => &["illegal-move", "two-moves-in-a-row"],
        IncidentKind::PressWithoutMove => &["press-without-move"],
        IncidentKind::Unpressed => &["unpressed-move"],
        IncidentKind::KnockOver | IncidentKind::Exchange | IncidentKind::Nudge => &["displaced-pieces"],
        _ => return None,
    })
}
