//! Difficulty: the techniques that solve a puzzle without guessing.

use std::fmt;
use std::str::FromStr;

/// The lowest level of techniques that solves a puzzle. Each level includes the levels before it. Trial and error also includes locked
/// candidates and pairs: it eliminates everything that they eliminate.
///
/// ```
/// use sudobench_sudoku::rate::Difficulty;
///
/// assert_eq!("depth2".parse(), Ok(Difficulty::Depth2));
/// assert_eq!(Difficulty::Locked.to_string(), "locked");
/// assert!(Difficulty::ALL.is_sorted());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Difficulty {
    /// Naked and hidden singles.
    Singles,
    /// Singles and locked candidates (pointing and claiming).
    Locked,
    /// Singles, locked candidates, and naked and hidden pairs.
    Pairs,
    /// Trial and error of depth 1: see [`Rating::depth`](super::Rating::depth).
    Depth1,
    /// Trial and error of depth 2.
    Depth2,
    /// Trial and error of depth 3 or more.
    Depth3,
}

/// The reason why a text is not the name of a difficulty.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a difficulty; choose from singles, locked, pairs, depth1, depth2, depth3")]
pub struct DifficultyError(String);

impl Difficulty {
    /// All difficulties, the lowest first.
    pub const ALL: [Difficulty; 6] = [
        Difficulty::Singles,
        Difficulty::Locked,
        Difficulty::Pairs,
        Difficulty::Depth1,
        Difficulty::Depth2,
        Difficulty::Depth3,
    ];

    /// The names of the difficulties, in the order of `ALL`.
    pub const NAMES: [&str; 6] = ["singles", "locked", "pairs", "depth1", "depth2", "depth3"];

    /// Returns the name.
    pub fn name(self) -> &'static str {
        Difficulty::NAMES[self as usize]
    }
}

impl fmt::Display for Difficulty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Difficulty {
    type Err = DifficultyError;

    fn from_str(text: &str) -> Result<Difficulty, DifficultyError> {
        let named = Difficulty::ALL.into_iter().find(|difficulty| difficulty.name() == text);
        named.ok_or_else(|| DifficultyError(text.to_owned()))
    }
}
