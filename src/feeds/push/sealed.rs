//! A push message as a push service takes it: sealed for the browser alone (RFC 8291), in the name of this daemon (VAPID, RFC 8292).
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use flagfall_web::private;
use p256::ecdsa::signature::Signer as _;
use p256::ecdsa::{Signature, SigningKey};
use serde_json::json;
use std::path::Path;
use web_push_native::p256::PublicKey;
use web_push_native::{Auth, encrypt};

/// The key's file below the data folder.
const FILE: &str = "vapid.key";
/// How long a signature holds, seconds; push services take a day at most.
const HOLDS_S: i64 = 12 * 3600;

/// The key by which push services know this daemon: made once, since every subscription is bound to it.
pub(super) struct Vapid(SigningKey);

impl Vapid {
    /// The key that is kept in this folder; else a new one. `None`: the machine gives no random numbers.
    pub(super) fn open(folder: Option<&Path>) -> Option<Self> {
        let path = folder.map(|folder| folder.join(FILE));
        if let Some(key) = path.as_deref().and_then(|path| private::read(path, |bytes| SigningKey::from_slice(bytes).ok())) {
            return Some(Self(key));
        }
        // Nearly every 32 bytes are a key.
        let made = (0..8).find_map(|_| {
            let mut bytes = [0; 32];
            getrandom::fill(&mut bytes).ok()?;
            SigningKey::from_slice(&bytes).ok()
        })?;
        if let Some(path) = path
            && let Err(error) = private::write(&path, &made.to_bytes())
        {
            tracing::warn!("{}: {error}; after a restart telephones have to be set up again", path.display());
        }
        Some(Self(made))
    }

    /// What browsers are told: `applicationServerKey`.
    pub(super) fn public(&self) -> String {
        URL_SAFE_NO_PAD.encode(self.0.verifying_key().to_encoded_point(false).as_bytes())
    }

    /// The header `Authorization` for a push service, `https://push.example`; `now`: seconds of the epoch, `contact`: whom it asks.
    pub(super) fn authorization(&self, service: &str, contact: &str, now: i64) -> String {
        let part = |value: &serde_json::Value| URL_SAFE_NO_PAD.encode(value.to_string());
        let claims = json!({ "aud": service, "exp": now + HOLDS_S, "sub": contact });
        let text = format!("{}.{}", part(&json!({ "typ": "JWT", "alg": "ES256" })), part(&claims));
        let signature: Signature = self.0.sign(text.as_bytes());
        format!("vapid t={text}.{}, k={}", URL_SAFE_NO_PAD.encode(signature.to_bytes()), self.public())
    }
}

/// The keys of one browser's subscription.
#[derive(Clone)]
pub(super) struct Browser {
    key: PublicKey,
    auth: Auth,
}

impl Browser {
    /// `p256dh` and `auth` as the browser gives them.
    pub(super) fn read(p256dh: &str, auth: &str) -> Option<Self> {
        let bytes = |text: &str| URL_SAFE_NO_PAD.decode(text.trim_end_matches('=')).ok();
        let auth: [u8; 16] = bytes(auth)?.try_into().ok()?;
        Some(Self { key: PublicKey::from_sec1_bytes(&bytes(p256dh)?).ok()?, auth: auth.into() })
    }

    /// What only this browser can read.
    pub(super) fn seal(&self, text: String) -> Option<Vec<u8>> {
        encrypt(text.into_bytes(), &self.key, &self.auth).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use p256::ecdsa::VerifyingKey;
    use p256::ecdsa::signature::Verifier as _;
    use web_push_native::decrypt;
    use web_push_native::p256::SecretKey;

    #[test]
    fn the_browser_alone_reads_it_and_the_published_example_opens() {
        // The receiver and the message of RFC 8291, appendix A.
        let secret = URL_SAFE_NO_PAD.decode("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94").unwrap();
        let (p256dh, auth) =
            ("BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4", "BTBZMqHH6r4Tts7J_aSIgg");
        let sent = "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN";
        let secret = SecretKey::from_slice(&secret).unwrap();
        let auth_bytes: [u8; 16] = URL_SAFE_NO_PAD.decode(auth).unwrap().try_into().unwrap();
        let open = |bytes: Vec<u8>| decrypt(bytes, &secret, &auth_bytes.into()).map(|text| String::from_utf8(text).unwrap());
        assert_eq!(open(URL_SAFE_NO_PAD.decode(sent).unwrap()).unwrap(), "When I grow up, I want to be a watermelon");
        let browser = Browser::read(p256dh, auth).unwrap();
        let mut sealed = browser.seal(String::from("Board 7")).unwrap();
        assert_eq!(open(sealed.clone()).unwrap(), "Board 7");
        *sealed.last_mut().unwrap() ^= 1;
        assert!(open(sealed).is_err());
        assert!(Browser::read(auth, auth).is_none() && Browser::read(p256dh, p256dh).is_none());
    }

    #[test]
    fn a_push_service_can_check_in_whose_name_it_comes() {
        let folder = tempfile::tempdir().unwrap();
        let vapid = Vapid::open(Some(folder.path())).unwrap();
        assert_eq!(Vapid::open(Some(folder.path())).unwrap().public(), vapid.public(), "made once");
        let header = vapid.authorization("https://push.example", "https://boards.example", 1_000);
        let (token, key) = header.strip_prefix("vapid t=").unwrap().split_once(", k=").unwrap();
        let (text, signature) = token.rsplit_once('.').unwrap();
        let key = VerifyingKey::from_sec1_bytes(&URL_SAFE_NO_PAD.decode(key).unwrap()).unwrap();
        let signature = Signature::from_slice(&URL_SAFE_NO_PAD.decode(signature).unwrap()).unwrap();
        key.verify(text.as_bytes(), &signature).unwrap();
        let claims: serde_json::Value = serde_json::from_slice(&URL_SAFE_NO_PAD.decode(text.split_once('.').unwrap().1).unwrap()).unwrap();
        assert_eq!(claims, json!({"aud": "https://push.example", "exp": 44_200, "sub": "https://boards.example"}));
    }
}
