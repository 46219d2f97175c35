//! Which kind of bonus explains the turns that contradict what was agreed (6.10.2).
use crate::clock::doubt::{self, Doubt};
use crate::clock::turn::{Model, Turn};
use alloc::vec;

/// What the bonus really is, where the turns contradict what was agreed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Instead {
    /// This model explains every turn, and no other does; how much doubt is left that what was agreed does.
    Is(Model, Doubt),
    /// Several do, or none does.
    Unclear,
}

/// Looks for the one kind of bonus that explains the last turns which `agreed` does not; the first of them may be half right.
pub(crate) fn instead(agreed: Model, turns: &[Turn]) -> Instead {
    (0..turns.len().saturating_sub(1))
        .map(|first| instead_of_all(agreed, &turns[first..]))
        .find(|found| *found != Instead::Unclear)
        .unwrap_or(Instead::Unclear)
}

fn instead_of_all(agreed: Model, turns: &[Turn]) -> Instead {
    let amount = match agreed {
        Model::Nothing => 0,
        Model::Fischer(s) | Model::Delay(s) | Model::Bronstein(s) => s,
    };
    let Some(doubt) = doubt::of_turns(agreed, turns) else { return Instead::Unclear };
    let fits = |model: Model| turns.iter().all(|turn| model.fits(turn)) && model.fits_in_all(turns);
    let mut candidates = vec![Model::Nothing, Model::Fischer(amount), Model::Delay(amount), Model::Bronstein(amount)];
    candidates.retain(|model| *model != agreed && (amount > 0 || *model == Model::Nothing) && fits(*model));
    if candidates.is_empty() && turns.len() >= 3 {
        // Another amount: the same every time.
        let given = turns[0].given();
        if let Ok(other) = u32::try_from(given)
            && other > 0
            && given.abs_diff(i64::from(amount)) > 1
            && fits(Model::Fischer(other))
        {
            return Instead::Is(Model::Fischer(other), doubt);
        }
    }
    match candidates.as_slice() {
        [one] => Instead::Is(*one, doubt),
        // Turns too short to tell a delay from nothing at all: the simplest, once there are enough of them.
        [first, ..] if turns.len() >= 6 => Instead::Is(*first, doubt),
        _ => Instead::Unclear,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::turn::example as turn;

    fn is(model: Model) -> Instead {
        Instead::Is(model, Doubt::None)
    }

    #[test]
    fn each_kind_of_bonus_is_told_from_the_others() {
        let agreed = Model::Fischer(30);
        assert_eq!(instead(agreed, &[turn(7000, 7, 0), turn(5200, 5, 0)]), is(Model::Nothing));
        assert_eq!(instead(agreed, &[turn(7000, 0, 0), turn(5200, 0, 0)]), is(Model::Delay(30)));
        assert_eq!(instead(agreed, &[turn(7000, 7, 7), turn(45_000, 45, 30)]), is(Model::Bronstein(30)));
        assert_eq!(instead(agreed, &[turn(7000, 7, 10), turn(5200, 5, 10), turn(4000, 4, 10)]), is(Model::Fischer(10)));
        assert_eq!(instead(Model::Delay(10), &[turn(7000, 7, 10), turn(5200, 5, 10)]), is(Model::Fischer(10)));
        assert_eq!(instead(Model::Delay(10), &[turn(7000, 7, 0), turn(5200, 5, 0)]), is(Model::Nothing));
        assert_eq!(instead(Model::Nothing, &[turn(7000, 7, 5), turn(5200, 5, 5), turn(6000, 6, 5)]), is(Model::Fischer(5)));
    }

    #[test]
    fn turns_too_short_to_tell_say_nothing_at_first() {
        let short = turn(900, 1, 0);
        assert_eq!(instead(Model::Fischer(30), &[short; 2]), Instead::Unclear);
        assert_eq!(instead(Model::Fischer(30), &[short; 6]), is(Model::Nothing));
        assert_eq!(instead(Model::Fischer(30), &[turn(900, 0, 0); 6]), is(Model::Delay(30)));
    }
}
