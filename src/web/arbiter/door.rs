//! Who is asking, and what that role may.
use super::devices::Devices;
use super::links::Links;
use super::members::Members;
use super::session::digest;
use crate::Peer;
use crate::answer::failure;
use crate::audience::Detail;
use crate::guard::{foreign, is_own_site};
use axum::extract::ConnectInfo;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use flagfall_config::accounts::Role;
use serde::Serialize;
use std::path::PathBuf;
use tokio_util::sync::CancellationToken;

/// The cookie's name at the usual port.
pub(super) const COOKIE: &str = "flagfall_session";
/// That port.
const USUAL_PORT: u16 = 8064;

/// Who is asking.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Visitor {
    /// The account's name; nobody's where there are no accounts.
    pub(super) name: Option<String>,
    pub(super) role: Role,
    /// Cancelled when the visitor may no longer listen.
    #[serde(skip)]
    pub(super) ended: CancellationToken,
}

impl Visitor {
    pub(super) fn is_operator(&self) -> bool {
        self.role == Role::Operator
    }

    /// How much of a board this visitor may see.
    pub(super) fn detail(&self, whole: bool) -> Detail {
        Detail { whole, operator: self.is_operator() }
    }
}

/// Who may come in.
#[derive(Debug)]
pub struct Door {
    members: Members,
    /// Of use only while there are no accounts.
    links: Links,
    /// From which names came in before.
    pub(super) devices: Devices,
    access: Access,
    stop: CancellationToken,
}

/// How visitors reach the door, as it is declared; what they say of it themselves decides nothing.
#[derive(Clone, Debug, Default)]
pub struct Access {
    /// Arbiters are served in clear text beyond this machine, too.
    pub allow_clear_text: bool,
    /// The port of the page: browsers send a host's cookies to all of its ports, so daemons on one machine name theirs by it.
    pub port: u16,
    /// What the page is called: `https://boards.club.example`.
    pub root: String,
    /// Where what outlives the daemon is kept.
    pub data_dir: Option<PathBuf>,
    /// Browsers reach the page encrypted, though this machine does not see it: a proxy does that.
    pub encrypted_outside: bool,
}

impl Door {
    /// The door for these accounts; without any, a link lets arbiters in. All sessions end when `stop` is cancelled.
    pub fn new(accounts: &[flagfall_config::accounts::Account], access: Access, stop: CancellationToken) -> Self {
        Self {
            members: Members::open(accounts, access.data_dir.as_deref(), stop.clone()),
            links: Links::new(access.root.clone()),
            devices: Devices::open(access.data_dir.as_deref(), access.port),
            access,
            stop,
        }
    }

    /// The accounts and sessions, to change them while it runs.
    pub const fn members(&self) -> &Members {
        &self.members
    }

    /// The links, while there are no accounts.
    pub(super) fn links(&self) -> Option<&Links> {
        self.members.is_empty().then_some(&self.links)
    }

    /// A new link that lets one browser in; none where there are accounts.
    pub fn link(&self) -> Option<String> {
        let made = self.links()?.renew();
        made.map_err(|error| tracing::error!("no link can be made: {error}; try `flagfall account link`")).ok()
    }

    /// Whether the way may be used at all: no other site's page, and no password in clear text where others can read it.
    pub(super) fn way(&self, parts: &Parts) -> Result<Way, Box<Response>> {
        if !is_own_site(&parts.headers) {
            return Err(Box::new(foreign()));
        }
        let peer = parts.extensions.get::<ConnectInfo<Peer>>().map(|info| info.0.clone());
        if !peer.as_ref().is_some_and(Peer::unheard) && !self.access.allow_clear_text {
            let hint = "set tls = \"self-signed\" in [web] and use https://, or allow_clear_text = true where nobody else can read along";
            return Err(refuse(StatusCode::FORBIDDEN, "arbiters are not served in clear text beyond the machine itself", hint));
        }
        let secure = self.access.encrypted_outside || peer.as_ref().is_some_and(|peer| peer.secure);
        Ok(Way { peer, secure })
    }

    /// Who is asking, and that he may.
    pub(super) fn visitor(&self, parts: &Parts) -> Result<Visitor, Box<Response>> {
        let way = self.way(parts)?;
        let visitor = self.find(parts, &way)?;
        // Whoever comes by a link shares with all who do.
        way.peer.iter().for_each(|peer| peer.keep(visitor.name.as_deref().unwrap_or_default()));
        Ok(visitor)
    }

    fn find(&self, parts: &Parts, way: &Way) -> Result<Visitor, Box<Response>> {
        if let Some(token) = bearer(&parts.headers) {
            let account = self.members.accounts().of_token(&digest(token));
            return match account {
                Some((name, role, ended)) => Ok(Visitor { name: Some(name), role, ended }),
                None => Err(self.stranger("this token is not known")),
            };
        }
        if let Some(session) = self.secret(&parts.headers).and_then(|secret| self.members.sessions().find(secret)) {
            return Ok(Visitor { name: session.owner.name, role: session.owner.role, ended: session.ended });
        }
        // Who may use the machine's own socket owns the machine. Where there are accounts, rulings carry the user's name.
        if let Some(user) = way.peer.as_ref().and_then(Peer::user) {
            let name = (!self.members.is_empty()).then(|| String::from(user));
            return Ok(Visitor { name, role: Role::Arbiter, ended: self.stop.clone() });
        }
        Err(self.stranger("nobody is signed in here"))
    }

    /// The name of the session's cookie.
    pub(super) fn cookie(&self) -> String {
        if self.access.port == USUAL_PORT { String::from(COOKIE) } else { format!("{COOKIE}_{}", self.access.port) }
    }

    /// The session's secret in the cookies that came.
    pub(super) fn secret<'a>(&self, headers: &'a HeaderMap) -> Option<&'a str> {
        named(headers, &self.cookie())
    }

    fn stranger(&self, error: &str) -> Box<Response> {
        let (way, hint) = if self.members.is_empty() {
            let hint = "open the link that flagfall printed when it started; on the machine itself `flagfall account link` makes a new one";
            ("Link", hint)
        } else {
            ("Bearer", "POST name and password to /api/v1/login, or send Authorization: Bearer TOKEN")
        };
        let answer = failure(StatusCode::UNAUTHORIZED, error, hint);
        Box::new(([(header::WWW_AUTHENTICATE, HeaderValue::from_static(way))], answer).into_response())
    }
}

/// How a request came.
pub(super) struct Way {
    pub(super) peer: Option<Peer>,
    /// The browser's cookies travel encrypted.
    pub(super) secure: bool,
}

fn refuse(status: StatusCode, error: &str, hint: &str) -> Box<Response> {
    Box::new(failure(status, error, hint))
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    let (scheme, token) = headers.get(header::AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then_some(token.trim())
}

/// The cookie of this name.
pub(super) fn named<'a>(headers: &'a HeaderMap, wanted: &str) -> Option<&'a str> {
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok()).flat_map(|line| line.split(';'));
    cookies.filter_map(|one| one.trim().split_once('=')).find(|(name, _)| *name == wanted).map(|(_, value)| value)
}
