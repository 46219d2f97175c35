//! Whose touches are, as a game's settings say it: the game knows nothing of the public, and what is public nothing of settings.
use flagfall_game::settings;
use flagfall_score::public::Touches;

/// Who sees what a hand does before a move stands.
pub const fn touches(setting: settings::Touches) -> Touches {
    match setting {
        settings::Touches::Public => Touches::Public,
        settings::Touches::Arbiter => Touches::Arbiter,
    }
}
