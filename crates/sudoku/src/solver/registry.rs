//! The table of solver variants.

use std::fmt;

use super::dlx::Dlx;
use super::mrv::Mrv;
use super::naive::{Bitmask, BlankScan, CandidateList, CellScan};
use super::null::Null;
use super::{Auto, Bitboard, Bitslice, BoolTable, Solver};
use crate::simd::{Level, LevelError};

/// The kind of inference that a variant uses before it guesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Class {
    /// Row-major backtracking without inference: exponential in the number of blanks, so some puzzles take minutes or longer.
    Naive,
    /// Constraint propagation at every node, then search: usually microseconds per puzzle.
    Propagation,
    /// Exact cover, by Knuth's Algorithm X.
    ExactCover,
    /// Solves nothing, to measure the cost of the harness: everything except solving.
    Harness,
}

impl Class {
    /// Returns the name of the class.
    ///
    /// ```
    /// use sudobench_sudoku::solver::Class;
    /// assert_eq!(Class::ExactCover.name(), "exact cover");
    /// ```
    pub fn name(self) -> &'static str {
        match self {
            Class::Naive => "naive",
            Class::Propagation => "propagation",
            Class::ExactCover => "exact cover",
            Class::Harness => "harness",
        }
    }
}

/// Builds solvers of one kind, one for each thread. A [`Variant`] builds solvers that need only a SIMD level. Other crates can implement
/// this trait for solvers that need more, such as external programs.
pub trait SolverFactory: fmt::Debug + Send + Sync {
    /// Returns text that identifies the solver. It is stored beside an output, and `--resume` compares it, so it must not change between
    /// runs.
    fn identity(&self) -> &str;

    /// Builds a solver.
    ///
    /// # Errors
    /// [`LevelError::Unsupported`] if the solver uses vectors and the CPU lacks the level.
    fn build(&self, level: Level) -> Result<Box<dyn Solver>, LevelError>;
}

impl SolverFactory for Variant {
    fn identity(&self) -> &str {
        self.name
    }

    fn build(&self, level: Level) -> Result<Box<dyn Solver>, LevelError> {
        Variant::build(self, level)
    }
}

/// One entry of the registry, or a solver of your own that should be tested and measured like the entries.
///
/// ```
/// use sudobench_sudoku::puzzle::{Puzzle, Solution};
/// use sudobench_sudoku::simd::Level;
/// use sudobench_sudoku::solver::{Class, Meter, Outcome, Question, Solver, Status, Variant};
///
/// /// Solves puzzles without blanks, and aborts all others.
/// struct Copyist;
///
/// impl Solver for Copyist {
///     fn solve(&mut self, puzzle: &Puzzle, question: &Question) -> Outcome {
///         let Ok(full) = Solution::try_from(*puzzle.values()) else { return Outcome::ABORTED };
///         let solution = full.check(puzzle).is_ok().then_some(full);
///         Outcome::searched(question, u64::from(solution.is_some()), solution, &Meter::start(question))
///     }
/// }
///
/// static COPYIST: Variant = Variant {
///     name: "copyist",
///     summary: "solves puzzles without blanks",
///     source: "this page",
///     class: Class::Naive,
///     hidden: false,
///     build: |_| Ok(Box::new(Copyist)),
/// };
///
/// let outcome = COPYIST.build(Level::widest())?.solve(&Puzzle::EMPTY, &Question::unique());
/// assert_eq!(outcome.status, Status::Aborted);
/// # Ok::<(), sudobench_sudoku::simd::LevelError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Variant {
    /// The name on the command line.
    pub name: &'static str,
    /// One line of help.
    pub summary: &'static str,
    /// Source of the idea.
    pub source: &'static str,
    /// The kind of inference that the variant uses.
    pub class: Class,
    /// Whether [`listed`] omits the variant. In the registry, only `null` is hidden: it measures the cost of everything except solving.
    pub hidden: bool,
    /// Builds a solver; variants without vectors accept any level.
    pub build: fn(Level) -> Result<Box<dyn Solver>, LevelError>,
}

impl Variant {
    /// Builds a solver of this variant for this level. Build one per thread and keep it, because building may fill
    /// tables.
    ///
    /// # Errors
    /// [`LevelError::Unsupported`] if the variant uses vectors and the CPU lacks the level.
    ///
    /// ```
    /// use sudobench_sudoku::{Puzzle, Question, simd::Level, solver::default_variant};
    /// let mut solver = default_variant().build(Level::widest())?;
    /// assert_eq!(solver.solve(&Puzzle::EMPTY, &Question::unique()).count, 2);
    /// # Ok::<(), sudobench_sudoku::simd::LevelError>(())
    /// ```
    pub fn build(&self, level: Level) -> Result<Box<dyn Solver>, LevelError> {
        (self.build)(level)
    }
}

/// Returns the default variant.
///
/// ```
/// use sudobench_sudoku::solver::default_variant;
/// assert_eq!(default_variant().name, "auto");
/// ```
pub fn default_variant() -> &'static Variant {
    &VARIANTS[0]
}

/// All variants, the default first.
pub const VARIANTS: &[Variant] = &[
    Variant {
        name: "auto",
        summary: "bitslice for batches, bitboard for a few puzzles",
        source: "sudobench",
        class: Class::Propagation,
        hidden: false,
        build: |level| Ok(Box::new(Auto::new(level)?)),
    },
    Variant {
        name: "bitboard",
        summary: "one puzzle at a time, nine digits in vector lanes: the fastest for a single puzzle",
        source: "sudobench",
        class: Class::Propagation,
        hidden: false,
        build: |level| Ok(Box::new(Bitboard::new(level)?)),
    },
    Variant {
        name: "bitslice",
        summary: "one puzzle per bit, up to 512 at once: the fastest for batches",
        source: "sudobench",
        class: Class::Propagation,
        hidden: false,
        build: |level| Ok(Box::new(Bitslice::new(level)?)),
    },
    Variant {
        name: "mrv",
        summary: "naked and hidden singles, then a guess at a decision with few alternatives",
        source: "minimum remaining values, as in Norvig's \"Solving Every Sudoku Puzzle\"",
        class: Class::Propagation,
        hidden: false,
        build: |_| Ok(Box::new(Mrv::new())),
    },
    Variant {
        name: "blank-scan",
        summary: "list of blanks; looks through row, column and box for each digit",
        source: "common answer to BOJ 2580",
        class: Class::Naive,
        hidden: false,
        build: |_| Ok(Box::new(BlankScan)),
    },
    Variant {
        name: "bool-table",
        summary: "calls itself for all 81 cells; three tables of booleans mark the used digits",
        source: "common answer to BOJ 2239; BOJ 12095 counts its calls",
        class: Class::Naive,
        hidden: false,
        build: |_| Ok(Box::new(BoolTable::default())),
    },
    Variant {
        name: "cell-scan",
        summary: "calls itself for all 81 cells; one validity loop for each digit; a flag ends the search",
        source: "common answer to BOJ 2239",
        class: Class::Naive,
        hidden: false,
        build: |_| Ok(Box::new(CellScan)),
    },
    Variant {
        name: "candidate-list",
        summary: "list of blanks; makes a list of allowed digits at each blank; checks the full board",
        source: "common answer to BOJ 2580",
        class: Class::Naive,
        hidden: false,
        build: |_| Ok(Box::new(CandidateList)),
    },
    Variant {
        name: "bitmask",
        summary: "list of blanks; a 9-bit mask for each row, column and box",
        source: "common answer to BOJ 2580",
        class: Class::Naive,
        hidden: false,
        build: |_| Ok(Box::new(Bitmask)),
    },
    Variant {
        name: "dlx",
        summary: "exact cover by Algorithm X with dancing links, smallest item first",
        source: "Knuth, \"Dancing Links\" (2000); The Art of Computer Programming 4B, 7.2.2.1",
        class: Class::ExactCover,
        hidden: false,
        build: |_| Ok(Box::new(Dlx::new())),
    },
    Variant {
        name: "null",
        summary: "aborts every puzzle immediately: shows what the harness itself costs",
        source: "sudobench",
        class: Class::Harness,
        hidden: true,
        build: |_| Ok(Box::new(Null)),
    },
];

/// Returns the variant with this name, including hidden ones.
///
/// ```
/// use sudobench_sudoku::solver::find;
/// assert!(find("bitslice").is_some() && find("guesswork").is_none());
/// ```
pub fn find(name: &str) -> Option<&'static Variant> {
    VARIANTS.iter().find(|variant| variant.name == name)
}

/// Returns the variants that are not hidden.
///
/// ```
/// use sudobench_sudoku::solver::listed;
/// assert!(listed().any(|variant| variant.name == "mrv") && listed().all(|variant| variant.name != "null"));
/// ```
pub fn listed() -> impl Iterator<Item = &'static Variant> {
    VARIANTS.iter().filter(|variant| !variant.hidden)
}
