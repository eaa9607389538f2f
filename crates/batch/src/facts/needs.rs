//! Which facts have to be computed.

use std::ops::BitOr;

use sudobench_sudoku::rate::Measures;

/// What has to be computed of a puzzle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    /// A solver's outcome.
    pub outcome: bool,
    /// What that cost in nodes and guesses, which for a vector solver depends on the width of its vectors.
    pub effort: bool,
    /// The puzzle's canonical form.
    pub canonical: bool,
    /// The canonical form of its solution, if it has exactly one.
    pub canonical_solution: bool,
    /// How hard it is, if it has exactly one solution.
    pub rating: Measures,
    /// The same by the guesses that a search makes on forms of it.
    pub rated_by_guesses: bool,
    /// Whether it is minimal, if it has exactly one solution.
    pub minimal: bool,
    /// Which clues are redundant, if it has exactly one solution.
    pub redundant: bool,
    /// The calls of the recursion of BOJ 12095.
    pub calls: bool,
}

impl Needs {
    /// Nothing but the row and its puzzle.
    pub const NOTHING: Needs = Needs {
        outcome: false,
        effort: false,
        canonical: false,
        canonical_solution: false,
        rating: Measures::NONE,
        rated_by_guesses: false,
        minimal: false,
        redundant: false,
        calls: false,
    };
    /// A solver's outcome.
    pub const OUTCOME: Needs = Needs { outcome: true, ..Needs::NOTHING };
    /// An outcome, and what it cost.
    pub const EFFORT: Needs = Needs { effort: true, ..Needs::OUTCOME };
    /// The puzzle's canonical form.
    pub const CANONICAL: Needs = Needs { canonical: true, ..Needs::NOTHING };
    /// An outcome, and the canonical form of the solution.
    pub const CANONICAL_SOLUTION: Needs = Needs { canonical_solution: true, ..Needs::OUTCOME };

    /// An outcome, and these measures.
    pub const fn rating(measures: Measures) -> Needs {
        Needs { rating: measures, ..Needs::OUTCOME }
    }

    /// Whether puzzles are rated.
    pub(crate) fn is_rated(&self) -> bool {
        self.rating != Measures::NONE || self.rated_by_guesses
    }

    /// An outcome, and whether the puzzle is minimal.
    pub const MINIMAL: Needs = Needs { minimal: true, ..Needs::OUTCOME };
    /// An outcome, and which clues are redundant.
    pub const REDUNDANT: Needs = Needs { redundant: true, ..Needs::OUTCOME };
    /// The calls of the recursion of BOJ 12095.
    pub const CALLS: Needs = Needs { calls: true, ..Needs::NOTHING };

    /// Whether something else than an outcome is among it.
    #[cfg(feature = "arrow")]
    pub(crate) fn has_more(self) -> bool {
        Needs { outcome: false, effort: false, ..self } != Needs::NOTHING
    }

    /// Whether something of [`Checked`](crate::Checked) is among it.
    pub(crate) fn has_checks(self) -> bool {
        self.minimal || self.redundant || self.calls
    }
}

impl BitOr for Needs {
    type Output = Needs;

    fn bitor(self, other: Needs) -> Needs {
        Needs {
            outcome: self.outcome | other.outcome,
            effort: self.effort | other.effort,
            canonical: self.canonical | other.canonical,
            canonical_solution: self.canonical_solution | other.canonical_solution,
            rating: self.rating | other.rating,
            rated_by_guesses: self.rated_by_guesses | other.rated_by_guesses,
            minimal: self.minimal | other.minimal,
            redundant: self.redundant | other.redundant,
            calls: self.calls | other.calls,
        }
    }
}
