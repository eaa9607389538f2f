//! The kinds of overlap between two puzzles.

use serde::{Deserialize, Serialize};
use strum::VariantArray as _;

use super::{CanonicalForm, CanonicalSolution, Need};

/// A property that two puzzles can have in common. Such a property defines a kind of overlap between datasets, and the classes of `split`.
/// Parsed from its [name](Overlap::name).
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    Serialize,
    Deserialize,
    strum::EnumString,
    strum::IntoStaticStr,
    strum::VariantArray,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum), value(rename_all = "snake_case"))]
pub enum Overlap {
    /// The same 81 values.
    #[cfg_attr(feature = "clap", value(help = "Equal puzzles are on the same side"))]
    Text,
    /// The same canonical form.
    #[cfg_attr(feature = "clap", value(help = "Equivalent puzzles are on the same side"))]
    Isomorph,
    /// The same solution grid, possibly with other clues.
    #[cfg_attr(feature = "clap", value(help = "Puzzles with the same solution are on the same side"))]
    Solution,
    /// A solution grid with the same canonical form, possibly with other clues.
    #[default]
    #[cfg_attr(
        feature = "clap",
        value(
            help = "Puzzles with equivalent solutions are on the same side; this includes equivalent puzzles"
        )
    )]
    SolutionIsomorph,
}

/// The property that decides the side of a puzzle: training or test data. Puzzles with an equal property form a class, which is on one
/// side.
pub type SplitBy = Overlap;

impl Overlap {
    /// All kinds. If a row has several kinds, the one that comes first in this list counts as the strongest.
    pub const ALL: &'static [Overlap] = Overlap::VARIANTS;
    /// The names of all kinds, in the order of [`Overlap::ALL`].
    pub const NAMES: [&'static str; 4] = ["text", "isomorph", "solution", "solution_isomorph"];

    /// Returns the name of the kind in records and tables.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Returns what is computed to find this kind of overlap: a fact, the solver's outcome, or nothing.
    pub const fn needs(self) -> &'static [Need] {
        match self {
            Overlap::Text => &[],
            Overlap::Isomorph => const { &[Need::new::<CanonicalForm>()] },
            Overlap::Solution => &[Need::Outcome],
            Overlap::SolutionIsomorph => const { &[Need::new::<CanonicalSolution>()] },
        }
    }

    /// Returns the description of the kind in one line.
    pub fn about(self) -> &'static str {
        match self {
            Overlap::Text => "the same puzzle",
            Overlap::Isomorph => "the same or an equivalent puzzle",
            Overlap::Solution => "a puzzle with the same solution",
            Overlap::SolutionIsomorph => "a puzzle with an equivalent solution",
        }
    }
}
