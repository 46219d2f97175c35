//! `[[account]]`: who may rule, and who may enter results.
use super::quoted::{line, quoted};
use super::reader::{Reader, shown};
use argon2::password_hash::phc::PasswordHash;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fmt::Write as _;
use toml::Spanned;
use toml::de::DeValue;

/// What an account may do. Each role may what those before it may.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Feeds, boards and results; no findings.
    Operator,
    /// Everything.
    Arbiter,
}

impl Role {
    /// As the configuration writes it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Operator => "operator",
            Self::Arbiter => "arbiter",
        }
    }
}

/// One account. It has a password, a token, or both.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    /// The name that rulings carry; 1 to 64 bytes.
    pub name: String,
    /// What it may do.
    pub role: Role,
    /// Argon2 hash of its password, in the PHC notation.
    pub hash: Option<String>,
    /// BLAKE3 hash of its token, 64 hexadecimal digits.
    pub token_hash: Option<String>,
}

/// Whether this can be an account's name: it stands in records and on screens.
pub fn is_name(name: &str) -> bool {
    (1..=64).contains(&name.len()) && name.trim() == name && !name.chars().any(char::is_control)
}

pub(super) fn read(reader: &mut Reader<'_>, value: &Spanned<DeValue<'_>>) -> Vec<Account> {
    let (mut accounts, mut names) = (Vec::new(), HashMap::new());
    for (span, table) in reader.tables("account", value) {
        let before = reader.mistakes();
        let mut account = Account { name: String::new(), role: Role::Operator, hash: None, token_hash: None };
        let mut role = None;
        for (key, value) in table {
            let text = value.get_ref().as_str();
            match key.get_ref().as_ref() {
                "name" => {
                    account.name = text.filter(|name| is_name(name)).map(String::from).unwrap_or_default();
                    if account.name.is_empty() {
                        let text = format!("{} is no name: 1 to 64 bytes in quotes, no blank first or last", shown(value));
                        reader.mistake(value.span(), "account.name", text);
                    }
                    let earlier = names.insert(account.name.clone(), reader.line(value.span().start));
                    reader.twice(earlier, value, "account.name", "give each account a name of its own");
                }
                "role" => {
                    role = [Role::Operator, Role::Arbiter].into_iter().find(|role| Some(role.as_str()) == text);
                    if role.is_none() {
                        let text = format!("expected arbiter or operator, not {}; for example role = \"arbiter\"", shown(value));
                        reader.mistake(value.span(), "account.role", text);
                    }
                }
                "hash" => {
                    account.hash = text.filter(|text| is_hash(text)).map(String::from);
                    if account.hash.is_none() {
                        let text = "is no argon2id hash; `flagfall account add NAME --role arbiter` makes one";
                        reader.mistake(value.span(), "account.hash", text);
                    }
                }
                "token_hash" => {
                    let is_token = |text: &&str| text.len() == 64 && text.bytes().all(|b| b.is_ascii_hexdigit());
                    account.token_hash = text.filter(is_token).map(str::to_ascii_lowercase);
                    if account.token_hash.is_none() {
                        let text = "is no hash of a token; `flagfall account add NAME --role arbiter --token` makes one";
                        reader.mistake(value.span(), "account.token_hash", text);
                    }
                }
                name => {
                    let full = format!("account.{name}");
                    reader.unknown(key.span(), &full, name, ["name", "role", "hash", "token_hash"].into_iter());
                }
            }
        }
        let has = |name: &str| table.iter().any(|(key, _)| key.get_ref() == name);
        for (key, example) in [("name", "name = \"Olga Ivanova\""), ("role", "role = \"arbiter\"")] {
            if !has(key) {
                reader.mistake(span.clone(), &format!("account.{key}"), format!("is missing; add for example {example}"));
            }
        }
        if !has("hash") && !has("token_hash") {
            let text =
                "has neither hash nor token_hash: nobody could log in; `flagfall account add NAME --role arbiter` makes the whole block";
            reader.mistake(span, "account", text);
        }
        account.role = role.unwrap_or(account.role);
        if reader.mistakes() == before {
            accounts.push(account);
        }
    }
    accounts
}

fn is_hash(text: &str) -> bool {
    text.starts_with("$argon2id$") && PasswordHash::new(text).is_ok_and(|hash| hash.hash.is_some() && hash.salt.is_some())
}

pub(super) fn print(out: &mut String, accounts: &[Account]) {
    for account in accounts {
        // Writing to a String cannot fail.
        let _ = write!(out, "\n{}", block(account));
    }
}

/// The account as the configuration has it.
pub fn block(account: &Account) -> String {
    let mut out = String::from("[[account]]\n");
    line(&mut out, "name", quoted(&account.name));
    line(&mut out, "role", quoted(account.role.as_str()));
    for (key, value) in [("hash", &account.hash), ("token_hash", &account.token_hash)] {
        if let Some(value) = value {
            line(&mut out, key, quoted(value));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Config;

    const HASH: &str = "$argon2id$v=19$m=64,t=1,p=1$c2FsdHNhbHQ$c29tZWhhc2hzb21laGFzaA";

    #[test]
    fn accounts_read_and_print_back_the_same() {
        let token = "ab".repeat(32);
        let text = format!(
            "[[account]]\nname = \"Ольга\"\nrole = \"arbiter\"\nhash = \"{HASH}\"\n[[account]]\nname = \"bot\"\nrole = \"operator\"\ntoken_hash = \"{token}\"\n"
        );
        let config = Config::parse("f", &text).unwrap();
        assert_eq!((config.accounts[0].role, config.accounts[1].role), (Role::Arbiter, Role::Operator));
        assert_eq!(Config::parse("printed", &config.to_toml()).unwrap(), config);
    }

    #[test]
    fn every_mistake_of_an_account_is_named_with_its_line() {
        let text = "[[account]]\nname = \"\"\nrole = \"king\"\nhash = \"secret\"\ntoken_hash = \"1\"\npassword = \"x\"\n[[account]]\n";
        let error = Config::parse("f", text).unwrap_err();
        let lines: Vec<_> = error.mistakes.iter().map(|m| (m.line, m.key.as_str())).collect();
        let expected = [
            (2, "account.name"),
            (3, "account.role"),
            (4, "account.hash"),
            (5, "account.token_hash"),
            (6, "account.password"),
            (7, "account.name"),
            (7, "account.role"),
            (7, "account"),
        ];
        assert_eq!(lines, expected, "{error}");
    }

    #[test]
    fn two_accounts_cannot_share_a_name() {
        let text = format!("[[account]]\nname = \"a\"\nrole = \"arbiter\"\nhash = \"{HASH}\"\n").repeat(2);
        assert!(Config::parse("f", &text).unwrap_err().to_string().contains("already in line 2"));
    }
}
