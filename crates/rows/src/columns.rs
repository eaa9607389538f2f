//! Columns: the values that are computed for each row. Each verb (a command that processes rows) has its own set of columns.
//!
//! A column names the facts that it [needs](Need); a run computes only what its columns and other options need. The [value](Holds) is
//! typed, so that every sink can write it in its own way: text, a JSON number, an array of digits.

use std::borrow::Cow;
use std::fmt;

use sudobench_sudoku::extract::TextForm;
use sudobench_sudoku::puzzle::CELLS;
use sudobench_sudoku::rate::{Difficulty, Measures};
use sudobench_sudoku::techniques::{Board, Digits, Technique, Walk};
use sudobench_sudoku::{Outcome, Puzzle, Solution, Status};

use crate::answers::AnsweredRow;
use crate::facts::{
    CanonicalForm, CanonicalSolution, ExactCandidates, FactPlan, Minimality, Need, Ratings, RecursionCalls,
    Scored, SinglesPathFact, SplitBy, SplitSide, TechniqueWalk,
};
use crate::option_error::OptionError;
use crate::tally::{MOST_WORDS, Tally};

/// A column that can be added to the columns of the input.
///
/// You can make your own column:
///
/// ```
/// use sudobench_rows::columns::{Column, Holds};
/// use sudobench_rows::facts::Need;
///
/// const EASY: Column = Column {
///     name: "easy",
///     about: "whether no guess was needed",
///     needs: &[Need::Effort],
///     holds: Holds::Words(&["yes", "no"], |row| row.outcome.map(|outcome| usize::from(outcome.guesses > 0))),
/// };
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Column {
    /// Name of the column, on the command line and in headers.
    pub name: &'static str,
    /// Description, in one line.
    pub about: &'static str,
    /// What must be computed for the column's values: facts, or the solver's outcome.
    pub needs: &'static [Need],
    /// Type of the values of the column.
    pub holds: Holds,
}

/// The type of a column's values. Most types have a function that reads the value of a row; the function returns `None` if the row has no
/// value. For rows without a note, the first four types need only the outcome of the puzzle. So the values of these types can be read for
/// many rows together, without a call for each row.
#[derive(Clone, Copy, Debug)]
pub enum Holds {
    /// The solution, 81 digits.
    Solution,
    /// The row's status, by its name.
    Status,
    /// One of the whole numbers in the outcome.
    OutcomeNumber(OutcomeNumber),
    /// A remark on the row, any text.
    Note,
    /// 81 cells, some of them possibly blank.
    Puzzle(for<'r> fn(&AnsweredRow<'r>) -> Option<&'r Puzzle>),
    /// One of at most 127 fixed words. The function returns the number of the word, from 0. The words consist of letters, digits, spaces,
    /// hyphens and underscores, which are written without quotes or escapes.
    Words(&'static [&'static str], fn(&AnsweredRow<'_>) -> Option<usize>),
    /// Any text.
    Text(for<'r> fn(&AnsweredRow<'r>) -> Option<Cow<'r, str>>),
    /// A whole number that is not negative.
    Number(fn(&AnsweredRow<'_>) -> Option<u64>),
    /// A number that is not negative, with a fixed number of decimal places (the first field). The function returns the number in units of
    /// the last place, such as 26 for 2.6.
    Decimal(u8, fn(&AnsweredRow<'_>) -> Option<u64>),
    /// A finite number.
    Real(fn(&AnsweredRow<'_>) -> Option<f64>),
}

/// One of the whole numbers in an outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutcomeNumber {
    /// [`Outcome::count`].
    Count,
    /// [`Outcome::nodes`].
    Nodes,
    /// [`Outcome::guesses`].
    Guesses,
    /// [`Outcome::elapsed_ns`].
    ElapsedNs,
}

impl OutcomeNumber {
    /// Returns the number.
    #[inline]
    pub fn read(self, outcome: &Outcome) -> u64 {
        match self {
            OutcomeNumber::Count => outcome.count,
            OutcomeNumber::Nodes => outcome.nodes,
            OutcomeNumber::Guesses => outcome.guesses,
            OutcomeNumber::ElapsedNs => outcome.elapsed_ns,
        }
    }
}

/// One value of a column.
#[derive(Clone, Debug, PartialEq)]
pub enum Value<'r> {
    /// A filled grid.
    Solution(&'r Solution),
    /// A grid, possibly with blanks.
    Puzzle(&'r Puzzle),
    /// A word from a fixed list of the column. It contains only letters, digits, spaces, hyphens and underscores, so it is written without
    /// quotes or escapes.
    Word(&'static str),
    /// Any text.
    Text(Cow<'r, str>),
    /// A number.
    Number(u64),
    /// A number with decimal places, stored in units of the last place, such as 26 for 2.6.
    Decimal {
        /// Number of decimal places, at least 1.
        places: u8,
        /// The number, multiplied by ten for each decimal place.
        units: u64,
    },
    /// A finite number.
    Real(f64),
}

/// Returns how many units of the last decimal place make 1, such as 100 for two places.
pub const fn scale(places: u8) -> u64 {
    10_u64.pow(places as u32)
}

impl fmt::Display for Value<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Solution(solution) => solution.fmt(f),
            Value::Puzzle(puzzle) => puzzle.fmt(f),
            Value::Word(word) => f.write_str(word),
            Value::Text(text) => f.write_str(text),
            Value::Number(number) => number.fmt(f),
            Value::Decimal { places, units } => {
                let one = scale(*places);
                write!(f, "{}.{:0width$}", units / one, units % one, width = usize::from(*places))
            }
            Value::Real(number) => number.fmt(f),
        }
    }
}

impl Column {
    /// Returns the value of the column for a row.
    #[inline]
    pub fn value<'r>(&self, row: &AnsweredRow<'r>) -> Option<Value<'r>> {
        match self.holds {
            Holds::Solution => row.outcome?.solution.as_ref().map(Value::Solution),
            Holds::Status => row.status().map(|status| Value::Word(status.name())),
            Holds::OutcomeNumber(number) => row.outcome.map(|outcome| Value::Number(number.read(outcome))),
            Holds::Note => row.note_if_any().map(|note| Value::Text(note.into())),
            Holds::Puzzle(value) => value(row).map(Value::Puzzle),
            Holds::Words(words, value) => value(row).map(|number| Value::Word(words[number])),
            Holds::Text(value) => value(row).map(Value::Text),
            Holds::Number(value) => value(row).map(Value::Number),
            Holds::Decimal(places, value) => value(row).map(|units| Value::Decimal { places, units }),
            Holds::Real(value) => value(row).map(Value::Real),
        }
    }

    /// Returns whether the values of the column have 81 cells.
    pub fn holds_cells(&self) -> bool {
        matches!(self.holds, Holds::Solution | Holds::Puzzle(_))
    }
}

/// Returns the column of this name. In a constant, an unknown name is a compile error.
pub(crate) const fn named(columns: &[Column], name: &str) -> Column {
    let (mut at, name) = (0, name.as_bytes());
    loop {
        let (other, mut same) = (columns[at].name.as_bytes(), 0);
        while same < name.len() && same < other.len() && name[same] == other[same] {
            same += 1;
        }
        if same == name.len() && same == other.len() {
            return columns[at];
        }
        at += 1;
    }
}

/// The solution: 81 digits; empty if the outcome has no solution.
pub const SOLUTION: Column = Column {
    name: "solution",
    about: "81 digits: the smallest solution; if the search stops at one solution, the first found (with --budgets boj2239 still the smallest)",
    needs: &[Need::Outcome],
    holds: Holds::Solution,
};

/// The names of all statuses.
pub const STATUSES: &[&str] = &{
    let mut names = [""; Status::ALL.len()];
    let mut at = 0;
    while at < names.len() {
        names[Status::ALL[at] as usize] = Status::ALL[at].name();
        at += 1;
    }
    names
};

/// The name of the status.
pub const STATUS: Column = Column {
    name: "status",
    about: "unique, solved (one found, others not searched), multiple, unsolvable, aborted or malformed",
    needs: &[Need::Outcome],
    holds: Holds::Status,
};

/// The name of the status, for verbs whose searches have no limit of nodes or time.
pub(crate) const PROVED_STATUS: Column =
    Column { about: "unique, multiple, unsolvable or malformed", ..STATUS };

/// Why the row is malformed, or a remark about the answer.
pub const NOTE: Column = Column {
    name: "note",
    about: "why the row is malformed, or a remark about the answer",
    needs: &[Need::Outcome],
    holds: Holds::Note,
};

/// Number of clues.
pub const CLUES: Column = Column {
    name: "clues",
    about: "number of clues of the puzzle",
    needs: &[],
    holds: Holds::Number(|row| Some(row.puzzle?.clue_count() as u64)),
};

/// Whether the answer is the expected solution or, if any solution is allowed, any correct solution.
pub const MATCH: Column = Column {
    name: "match",
    about: "yes or no: whether the answer is the expected solution or, if any solution is allowed (--max-solutions 1), any correct one; empty if none is expected or the solver gave up",
    needs: &[Need::Outcome],
    holds: Holds::Words(YES_NO, |row| row.is_match().map(yes_no)),
};

/// All columns of `solve`, in the order in which `--columns all` writes them.
pub const SOLVE: [Column; 9] = [
    SOLUTION,
    STATUS,
    Column {
        name: "count",
        about: "number of solutions found, up to --max-solutions",
        needs: &[Need::Outcome],
        holds: Holds::OutcomeNumber(OutcomeNumber::Count),
    },
    CLUES,
    Column {
        name: "nodes",
        about: "number of search nodes: digits that the solver placed; for auto, bitslice and bitboard, alternatives that it tried",
        needs: &[Need::Effort],
        holds: Holds::OutcomeNumber(OutcomeNumber::Nodes),
    },
    Column {
        name: "guesses",
        about: "number of guesses: decisions between several alternatives",
        needs: &[Need::Effort],
        holds: Holds::OutcomeNumber(OutcomeNumber::Guesses),
    },
    Column {
        name: "time_ns",
        about: "nanoseconds from entering the solver to the answer",
        needs: &[Need::Outcome],
        holds: Holds::OutcomeNumber(OutcomeNumber::ElapsedNs),
    },
    MATCH,
    NOTE,
];

/// The default columns of `solve`.
pub const SOLVE_DEFAULT: [Column; 2] = [SOLUTION, STATUS];

/// The canonical form.
pub const CANONICAL_FORM: Column = Column {
    name: "canonical",
    about: "canonical form: the smallest of all equivalent puzzles, where a blank counts as 0",
    needs: &[Need::new::<CanonicalForm>()],
    holds: Holds::Puzzle(|row| row.fact::<CanonicalForm>().map(|canonical| &canonical.form)),
};

/// All columns of `canonical`, in the order in which `--columns all` writes them.
pub const CANONICAL: [Column; 5] = [
    CANONICAL_FORM,
    Column {
        name: "transform",
        about: "transformation of the puzzle to its canonical form, in the notation of the option --apply of `transform`",
        needs: &[Need::new::<CanonicalForm>()],
        holds: Holds::Text(|row| Some(Cow::Owned(row.fact::<CanonicalForm>()?.transformation.to_string()))),
    },
    Column {
        name: "automorphisms",
        about: "number of ways in which the puzzle is equivalent to itself; 1 for most puzzles",
        needs: &[Need::new::<CanonicalForm>()],
        holds: Holds::Number(|row| Some(row.fact::<CanonicalForm>()?.automorphisms.into())),
    },
    Column {
        name: "canonical_solution",
        about: "canonical form of the solution; empty if there is not exactly one solution",
        needs: &[Need::new::<CanonicalSolution>()],
        holds: Holds::Puzzle(|row| row.fact::<CanonicalSolution>()),
    },
    // This note needs no outcome: a row is known to be malformed without solving anything.
    Column { needs: &[], ..NOTE },
];

/// Returns the column `side`: whether the split puts the puzzle on the side `train` or `test`.
const fn side(by: SplitBy) -> Column {
    Column {
        name: "side",
        about: "side of the split that the puzzle belongs to: train or test; empty for a malformed row",
        needs: match by {
            SplitBy::Text => const { &[SplitSide::need(SplitBy::Text)] },
            SplitBy::Isomorph => const { &[SplitSide::need(SplitBy::Isomorph)] },
            SplitBy::Solution => const { &[SplitSide::need(SplitBy::Solution)] },
            SplitBy::SolutionIsomorph => const { &[SplitSide::need(SplitBy::SolutionIsomorph)] },
        },
        holds: Holds::Words(&["train", "test"], |row| row.fact::<SplitSide>().copied()),
    }
}

/// The columns of `split` for each [`SplitBy`], in the order of its variants.
pub const SPLIT: [[Column; 2]; 4] = [
    [side(SplitBy::Text), CANONICAL[4]],
    [side(SplitBy::Isomorph), CANONICAL[4]],
    [side(SplitBy::Solution), CANONICAL[4]],
    [side(SplitBy::SolutionIsomorph), CANONICAL[4]],
];

/// The default columns of `split`, for each [`SplitBy`].
pub const SPLIT_DEFAULT: [[Column; 1]; 4] = [[SPLIT[0][0]], [SPLIT[1][0]], [SPLIT[2][0]], [SPLIT[3][0]]];

/// Returns a column with a number from the comparison of the prediction with the solution.
const fn compared(
    name: &'static str,
    about: &'static str,
    value: fn(&AnsweredRow<'_>) -> Option<u64>,
) -> Column {
    Column { name, about, needs: &[Scored::WITH_SOLUTION], holds: Holds::Number(value) }
}

/// Returns a column that can be computed without solving the puzzle.
const fn prediction_alone(name: &'static str, about: &'static str, holds: Holds) -> Column {
    Column { name, about, needs: &[Scored::ALONE], holds }
}

/// All columns of `score`, in the order in which `--columns all` writes them.
pub const SCORE: [Column; 14] = [
    prediction_alone(
        "exact",
        "yes or no: whether the prediction is the solution; if the row has no correct solution, whether the prediction is valid",
        Holds::Words(YES_NO, |row| Some(yes_no(row.fact::<Scored>()?.score.exact))),
    ),
    prediction_alone(
        "valid",
        "yes or no: whether the prediction is complete, keeps the clues and obeys the rules",
        Holds::Words(YES_NO, |row| Some(yes_no(row.fact::<Scored>()?.score.valid))),
    ),
    compared(
        "right_cells",
        "number of cells, of 81, where the prediction equals the solution; empty if the row has no correct solution and the puzzle is not unique",
        |row| Some(row.fact::<Scored>()?.score.compared?.right_cells.into()),
    ),
    compared(
        "right_blanks",
        "number of blanks where the prediction equals the solution; empty if right_cells is empty",
        |row| Some(row.fact::<Scored>()?.score.compared?.right_blanks.into()),
    ),
    prediction_alone(
        "blanks",
        "number of blanks of the puzzle",
        Holds::Number(|row| Some(row.fact::<Scored>()?.score.blanks.into())),
    ),
    CLUES,
    prediction_alone(
        "clues_kept",
        "number of clues that the prediction keeps",
        Holds::Number(|row| Some(row.fact::<Scored>()?.score.clues_kept.into())),
    ),
    prediction_alone(
        "conflicts",
        "number of pairs of equal digits in a row, column or box of the prediction",
        Holds::Number(|row| Some(row.fact::<Scored>()?.score.conflicts.into())),
    ),
    prediction_alone(
        "filled",
        "number of cells of the prediction that have a digit, clues included",
        Holds::Number(|row| Some(row.fact::<Scored>()?.score.filled.into())),
    ),
    Column {
        name: "first_error",
        about: "the first cell that differs from the solution, such as r1c3; empty if no cell differs or the solution is unknown",
        needs: &[Scored::WITH_SOLUTION],
        holds: Holds::Text(|row| {
            let cell = row.fact::<Scored>()?.score.compared?.first_error?;
            Some(Cow::Owned(format!("r{}c{}", cell / 9 + 1, cell % 9 + 1)))
        }),
    },
    Column {
        name: "solvable",
        about: "yes or no: whether the prediction, with the clues, can be completed to a solution",
        needs: &[Scored::WITH_COMPLETION],
        holds: Holds::Words(YES_NO, |row| row.fact::<Scored>()?.solvable.map(yes_no)),
    },
    prediction_alone(
        "found",
        "how --extract found the grid: as digits, lines, box, table or list; empty if no grid was found",
        Holds::Words(TextForm::NAMES, |row| Some(row.fact::<Scored>()?.form? as usize)),
    ),
    prediction_alone(
        "grid",
        "the grid that --extract found in the prediction, 81 characters; empty if no grid was found",
        Holds::Puzzle(|row| row.fact::<Scored>()?.grid.as_ref()),
    ),
    prediction_alone(
        "note",
        "why the row is malformed, why the prediction cannot be read, or that the expected solution is wrong",
        Holds::Text(|row| match row.fact::<Scored>() {
            None => row.note_if_any().map(Cow::Owned),
            Some(scored) => scored.note().map(Cow::Owned),
        }),
    ),
];

/// The computed columns that can define the buckets of `score`.
pub const SCORE_BUCKETS: [Column; 2] = [CLUES, DIFFICULTY];

/// The difficulty.
pub const DIFFICULTY: Column = Column {
    name: "difficulty",
    about: "easiest class that solves the puzzle: singles, locked, pairs, depth1, depth2 or depth3",
    needs: &[Ratings::need(Measures { difficulty: true, ..Measures::NONE })],
    holds: Holds::Words(&Difficulty::NAMES, |row| Some(row.fact::<Ratings>()?.rating.difficulty? as usize)),
};

/// All columns of `rate`, in the order in which `--columns all` writes them.
pub const RATE: [Column; 19] = [
    DIFFICULTY,
    Column {
        name: "singles",
        about: "yes or no: whether naked and hidden singles solve the puzzle",
        needs: &[Ratings::need(Measures { singles: true, ..Measures::NONE })],
        holds: Holds::Words(YES_NO, |row| row.fact::<Ratings>()?.rating.singles.map(yes_no)),
    },
    Column {
        name: "locked",
        about: "yes or no: whether singles and locked candidates (pointing, claiming) solve the puzzle",
        needs: &[Ratings::need(Measures { locked: true, ..Measures::NONE })],
        holds: Holds::Words(YES_NO, |row| row.fact::<Ratings>()?.rating.locked.map(yes_no)),
    },
    Column {
        name: "pairs",
        about: "yes or no: whether singles, locked candidates, and naked and hidden pairs solve the puzzle",
        needs: &[Ratings::need(Measures { pairs: true, ..Measures::NONE })],
        holds: Holds::Words(YES_NO, |row| row.fact::<Ratings>()?.rating.pairs.map(yes_no)),
    },
    Column {
        name: "depth",
        about: "depth of trial and error that solves the puzzle: 0 (singles alone), 1, 2, or 3 for 3 and more",
        needs: &[Ratings::need(Measures { depth: true, ..Measures::NONE })],
        holds: Holds::Number(|row| Some(row.fact::<Ratings>()?.rating.depth?.into())),
    },
    Column {
        name: "backdoor",
        about: "smallest number of cells to fill correctly so that singles solve the rest: 0, 1, 2, or 3 for 3 and more",
        needs: &[Ratings::need(Measures { backdoor: true, ..Measures::NONE })],
        holds: Holds::Number(|row| Some(row.fact::<Ratings>()?.rating.backdoor?.into())),
    },
    Column {
        name: "guesses",
        about: "mean number of guesses of the solver mrv over random equivalent forms (--isomorphs, --seed)",
        needs: &[Need::with::<Ratings>(Ratings::GUESSES)],
        holds: Holds::Decimal(3, |row| row.fact::<Ratings>()?.guesses),
    },
    Column {
        name: "rounds",
        about: "number of rounds of singles; a round fills all naked singles, or all hidden singles if there are no naked ones",
        needs: &[Need::new::<SinglesPathFact>()],
        holds: Holds::Number(|row| Some(row.fact::<SinglesPathFact>()?.rounds.into())),
    },
    Column {
        name: "naked_singles",
        about: "number of cells that the rounds of singles fill as naked singles",
        needs: &[Need::new::<SinglesPathFact>()],
        holds: Holds::Number(|row| Some(row.fact::<SinglesPathFact>()?.naked.into())),
    },
    Column {
        name: "hidden_singles",
        about: "number of cells that the rounds of singles fill as hidden singles",
        needs: &[Need::new::<SinglesPathFact>()],
        holds: Holds::Number(|row| Some(row.fact::<SinglesPathFact>()?.hidden.into())),
    },
    Column {
        name: "fewest_choices",
        about: "fewest cells that a round fills; the last round counts only if it is the only one; 0 if singles do not solve the puzzle",
        needs: &[Need::new::<SinglesPathFact>()],
        holds: Holds::Number(|row| Some(row.fact::<SinglesPathFact>()?.fewest_choices.into())),
    },
    SE,
    walk_column(
        "se_pearl",
        "EP of Sudoku Explainer: the highest rating up to the first step that fills a cell",
        Holds::Decimal(1, |row| Some(complete_walk(row)?.pearl.into())),
    ),
    walk_column(
        "se_diamond",
        "ED of Sudoku Explainer: the rating of the first step",
        Holds::Decimal(1, |row| Some(complete_walk(row)?.diamond.into())),
    ),
    walk_column(
        "hardest_technique",
        "technique of the first step with the highest rating",
        Holds::Words(&Technique::NAMES, |row| Some(complete_walk(row)?.hardest? as usize)),
    ),
    walk_column(
        "techniques",
        "techniques of the steps, each with its number of steps, such as `Hidden Single:52;Pointing:2`, easiest first",
        Holds::Text(|row| Some(Cow::Owned(counts_text(complete_walk(row)?)))),
    ),
    walk_column(
        "steps",
        "number of steps to the solution",
        Holds::Number(|row| Some(complete_walk(row)?.steps.into())),
    ),
    PROVED_STATUS,
    Column {
        holds: Holds::Text(|row| match row.fact::<TechniqueWalk>() {
            Some(walk) if walk.is_unfinished => {
                Some(Cow::Borrowed("beyond: needs a technique that is not known"))
            }
            _ => row.note_if_any().map(Cow::Owned),
        }),
        ..NOTE
    },
];

/// The rating of Sudoku Explainer.
pub const SE: Column = walk_column(
    "se",
    "ER of Sudoku Explainer 1.2.1: rating of the hardest step, such as 2.6; empty if the puzzle needs an unknown technique",
    Holds::Decimal(1, |row| Some(complete_walk(row)?.rating.into())),
);

/// Returns the columns whose values can be strata, for example of `rate --stratify`.
pub(crate) fn strata() -> impl Iterator<Item = Column> {
    let is_measure = |column: &Column| ![STATUS.name, NOTE.name].contains(&column.name);
    RATE.into_iter().filter(is_measure).chain([CLUES])
}

/// Returns a column whose value is read from the steps to the solution.
const fn walk_column(name: &'static str, about: &'static str, holds: Holds) -> Column {
    Column { name, about, needs: const { &[Need::new::<TechniqueWalk>()] }, holds }
}

/// Returns how many steps of a walk use each technique, such as `Hidden Single:52;Pointing:2`.
fn counts_text(walk: &Walk) -> String {
    let counts = Technique::ALL.iter().zip(walk.counts).filter(|(_, count)| *count > 0);
    counts.map(|(technique, count)| format!("{technique}:{count}")).collect::<Vec<_>>().join(";")
}

/// Returns the walk of the row's puzzle: the solving steps from the puzzle to the solution. `None` if the puzzle has no walk, or if the
/// walk ends before the solution.
fn complete_walk<'r>(row: &AnsweredRow<'r>) -> Option<&'r Walk> {
    row.fact::<TechniqueWalk>().filter(|walk| !walk.is_unfinished)
}

const YES_NO: &[&str] = &["yes", "no"];

/// Returns the index in [`YES_NO`]: of `yes` if `is_so`, otherwise of `no`.
fn yes_no(is_so: bool) -> usize {
    usize::from(!is_so)
}

/// All columns of `generate` if it doesn't search for hard puzzles, in the order in which `--columns all` writes them.
pub const GENERATE: [Column; 14] = [
    SOLUTION,
    CLUES,
    STATUS,
    Column { about: "number of solutions; with --hardest up to --max-solutions", ..named(&SOLVE, "count") },
    Column {
        name: "weight",
        about: "weight of the puzzle in a mean over all minimal puzzles; empty if the method does not know it",
        needs: &[],
        holds: Holds::Real(|row| row.weight),
    },
    DIFFICULTY,
    named(&RATE, "depth"),
    named(&RATE, "backdoor"),
    named(&RATE, "se"),
    named(&RATE, "se_pearl"),
    named(&RATE, "se_diamond"),
    named(&RATE, "hardest_technique"),
    named(&RATE, "techniques"),
    named(&RATE, "steps"),
];

/// The columns of `generate` with `--hardest` or `--hardest-engine`: the columns of `generate`, and the number of search nodes.
pub const GENERATE_HARDEST: [Column; 15] = {
    let [solution, clues, status, count, weight, difficulty, depth, backdoor, ratings @ ..] = GENERATE;
    let [er, ep, ed, hardest, techniques, steps] = ratings;
    let nodes = Column {
        about: "number of search nodes of the solver of --hardest, or the number that the program of --hardest-engine prints",
        ..named(&SOLVE, "nodes")
    };
    [
        solution, clues, status, count, nodes, weight, difficulty, depth, backdoor, er, ep, ed, hardest,
        techniques, steps,
    ]
};

/// The puzzle of the row; if the row is a form of an input row, the transformed puzzle.
pub const PUZZLE: Column =
    Column { name: "puzzle", about: "the puzzle", needs: &[], holds: Holds::Puzzle(|row| row.puzzle) };

/// The column of `transform`.
pub const TRANSFORM: [Column; 1] = [Column {
    name: "transform",
    about: "transformation of the row's boards, in the notation of --apply",
    needs: &[],
    holds: Holds::Text(|row| Some(Cow::Owned(row.form?.transformation.to_string()))),
}];

/// The boards that `transform` can write in formats without columns: the puzzle, and the expected solution.
pub const BOARDS: [Column; 2] = [
    PUZZLE,
    Column {
        name: "solution",
        about: "the expected solution",
        needs: &[],
        holds: Holds::Puzzle(|row| row.form?.solution.as_ref()),
    },
];

/// Number of rows in the row's class of equal or isomorphic puzzles. The number is the mark that [`Dedupe`](crate::Dedupe) gives to the
/// first row of the class.
pub const COUNT: Column = Column {
    name: "count",
    about: "number of rows with this puzzle or, with --isomorph, with an equivalent puzzle; empty if malformed",
    needs: &[],
    holds: Holds::Number(|row| row.puzzle.and(row.mark)),
};

/// All columns of `dedupe`, in the order in which `--columns all` writes them.
pub const DEDUPE: [Column; 3] = [COUNT, CANONICAL_FORM, Column { needs: &[], ..NOTE }];

const AUTOMORPHISMS: Column = CANONICAL[2];

/// All columns of `check`, in the order in which `--columns all` writes them.
pub const CHECK: [Column; 14] = [
    PROVED_STATUS,
    Column {
        name: "unique",
        about: "yes or no: whether there is exactly one solution; empty if malformed",
        needs: &[Need::Outcome],
        holds: Holds::Words(YES_NO, |row| match row.outcome?.status {
            Status::Aborted => None,
            status => Some(yes_no(status == Status::Unique)),
        }),
    },
    Column {
        name: "minimal",
        about: "yes or no: whether every clue is needed; empty unless unique",
        needs: &[Need::new::<Minimality>()],
        holds: Holds::Words(YES_NO, |row| {
            row.fact::<Minimality>().map(|minimality| yes_no(minimality.is_minimal))
        }),
    },
    Column {
        name: "redundant",
        about: "cells of the redundant clues, such as `r1c2 r3c4`; empty if there are none or the puzzle is not unique",
        needs: &[Need::with::<Minimality>(Minimality::REDUNDANT_CLUES)],
        holds: Holds::Text(|row| {
            let cells = row.fact::<Minimality>()?.redundant.filter(|cells| !cells.is_empty())?;
            Some(Cow::Owned(cells.to_string()))
        }),
    },
    Column {
        name: "redundant_count",
        about: "number of redundant clues; empty unless unique",
        needs: &[Need::with::<Minimality>(Minimality::REDUNDANT_CLUES)],
        holds: Holds::Number(|row| Some(row.fact::<Minimality>()?.redundant?.len() as u64)),
    },
    CLUES,
    Column {
        name: "clue_pattern",
        about: "81 characters: 1 for a clue, 0 for a blank",
        needs: &[],
        holds: Holds::Text(|row| {
            let has_clue = |&value: &u8| if value > 0 { '1' } else { '0' };
            Some(Cow::Owned(row.puzzle?.values().iter().map(has_clue).collect()))
        }),
    },
    Column {
        name: "digit_counts",
        about: "nine numbers separated by spaces: how many clues are 1, how many are 2, and so on",
        needs: &[],
        holds: Holds::Text(|row| {
            let values = row.puzzle?.values();
            let count = |digit: u8| values.iter().filter(|&&value| value == digit).count().to_string();
            Some(Cow::Owned((1..=9).map(count).collect::<Vec<_>>().join(" ")))
        }),
    },
    named(&SOLVE, "count"),
    Column {
        name: "cnt12095",
        about: "number of calls of the backtracker of BOJ 12095, up to 10,000,000",
        needs: &[Need::new::<RecursionCalls>()],
        holds: Holds::Number(|row| row.fact::<RecursionCalls>().copied()),
    },
    AUTOMORPHISMS,
    Column {
        name: "candidates",
        about: "81 texts separated by spaces, one for each cell: the digit of the cell, or the digits that its row, column and box still allow, such as 147; `-` if they allow none",
        needs: &[],
        holds: Holds::Text(|row| {
            let board = Board::new(row.puzzle?);
            Some(Cow::Owned(candidates_text((0..CELLS).map(|cell| board.digits(cell)))))
        }),
    },
    Column {
        name: "exact_candidates",
        about: "81 texts separated by spaces, one for each cell: the digits that the cell has in the solutions; `-` if there is no solution",
        needs: &[Need::new::<ExactCandidates>()],
        holds: Holds::Text(|row| {
            Some(Cow::Owned(candidates_text(row.fact::<ExactCandidates>()?.iter().copied())))
        }),
    },
    NOTE,
];

/// Returns the text for sets of digits: a word for each cell, such as `147`, with spaces between the words. The word of an empty set is
/// `-`.
fn candidates_text(cells: impl Iterator<Item = Digits>) -> String {
    let word = |digits: Digits| -> String {
        match (1..=9).filter(|digit| digits >> (digit - 1) & 1 == 1).map(|digit| digit.to_string()).collect()
        {
            empty if String::is_empty(&empty) => "-".to_owned(),
            digits => digits,
        }
    };
    cells.map(word).collect::<Vec<_>>().join(" ")
}

pub(crate) const FOUND_NUMBER: Column = Column {
    name: "number",
    about: "number of this result among the results of its row, from 1",
    needs: &[],
    holds: Holds::Number(|row| {
        row.found.filter(|found| found.puzzle().is_some()).map(|found| found.number as u64 + 1)
    }),
};

pub(crate) const FOUND_COMPLETE: Column = Column {
    name: "complete",
    about: "no if the row may have more results than were written, otherwise yes; empty if malformed",
    needs: &[],
    holds: Holds::Words(YES_NO, |row| row.found.map(|found| yes_no(found.all.is_complete()))),
};

/// Returns the column of the puzzle that was found, or of the board before the step that was found.
pub(crate) const fn found_puzzle(name: &'static str, about: &'static str) -> Column {
    Column { name, about, needs: &[], holds: Holds::Puzzle(|row| row.found?.puzzle()) }
}

/// Returns the columns of a found puzzle: the puzzle, its number of clues, its number among the results, whether all results were found,
/// and the status and the note of the row.
const fn found_columns(name: &'static str, about: &'static str) -> [Column; 6] {
    [
        found_puzzle(name, about),
        Column {
            name: "clues",
            about: "number of clues of the puzzle that was found",
            needs: &[],
            holds: Holds::Number(|row| Some(row.found?.puzzle()?.clue_count() as u64)),
        },
        FOUND_NUMBER,
        FOUND_COMPLETE,
        PROVED_STATUS,
        NOTE,
    ]
}

/// All columns of `minimals`, in the order in which `--columns all` writes them.
pub const MINIMALS: [Column; 6] = found_columns(
    "minimal",
    "a minimal puzzle inside the row's puzzle; empty if the row does not have exactly one solution",
);

/// All columns of `vicinity`, in the order in which `--columns all` writes them.
pub const VICINITY: [Column; 6] =
    found_columns("neighbour", "a neighbour of the row's puzzle; empty if there is none");

/// Returns the plan of what the columns need: facts, and whether the puzzles have to be solved.
pub fn facts(columns: &[Column]) -> FactPlan {
    FactPlan::new(columns.iter().flat_map(|column| column.needs).copied())
}

/// Columns whose values come from a fixed list, but are not counted by a run. The values of `match` are already counted in
/// [`Tally::compared`] and [`Tally::mismatches`]. `technique` has a value for each step of a puzzle, but a run counts values per puzzle.
pub(crate) const NOT_COUNTED: [&str; 2] = [MATCH.name, "technique"];

/// Returns the columns whose values a run counts: columns with a fixed list of words ([`Holds::Words`]), up to the first column whose words
/// don't fit in [`MOST_WORDS`] counts. For each column, also returns the words and the index of the first word in the counts. The columns
/// of [`NOT_COUNTED`] are left out.
pub(crate) fn counted(columns: &[Column]) -> impl Iterator<Item = (&Column, &'static [&'static str], usize)> {
    let with_words = columns.iter().filter_map(|column| match column.holds {
        Holds::Words(words, _) if !NOT_COUNTED.contains(&column.name) => Some((column, words)),
        _ => None,
    });
    with_words.scan(0, |place, (column, words)| {
        let first = std::mem::replace(place, *place + words.len());
        (*place <= MOST_WORDS).then_some((column, words, first))
    })
}

pub(crate) fn has_words(columns: &[Column]) -> bool {
    counted(columns).next().is_some()
}

pub(crate) fn count_words(columns: &[Column], row: &AnsweredRow, tally: &mut Tally) {
    for (column, _, first) in counted(columns) {
        if let Holds::Words(_, value) = column.holds
            && let Some(word) = value(row)
        {
            tally.words.0[first + word] += 1;
        }
    }
}

/// Returns, for each column that a run counts, the number of rows with each value. A run can count columns with a fixed list of words,
/// except `match` and `technique`. Rows that are not written are counted too. Returns nothing if the run has counted no value.
pub fn word_counts<'c>(
    columns: &'c [Column],
    tally: &Tally,
) -> impl Iterator<Item = (&'c Column, Vec<(&'static str, u64)>)> {
    let counts = tally.words.0;
    let has_counted = !tally.words.is_zero();
    counted(columns).filter(move |_| has_counted).map(move |(column, words, first)| {
        let rows = words.iter().enumerate().map(|(number, word)| (*word, counts[first + number]));
        (column, rows.collect())
    })
}

/// Parses a comma-separated list of names of `known` columns, or `all`, or `none`.
///
/// # Errors
///
/// [`OptionError`] for an unknown or repeated name, for an empty list, and for `all` or `none` together with other names.
pub fn parse(text: &str, known: &[Column]) -> Result<Vec<Column>, OptionError> {
    if text.trim() == "all" {
        return Ok(known.to_vec());
    }
    if text.trim() == "none" {
        return Ok(Vec::new());
    }
    if text.trim().is_empty() {
        let message = format!("no column is named; choose from {}, or write `all` or `none`", names(known));
        return Err(OptionError::new(message));
    }
    let mut columns: Vec<Column> = Vec::new();
    for name in text.split(',').map(str::trim) {
        if name == "all" || name == "none" {
            let message = format!("`{name}` cannot be combined with other columns");
            return Err(OptionError::new(message));
        }
        let column = known.iter().find(|column| column.name == name).ok_or_else(|| {
            let known = names(known);
            OptionError::new(format!(
                "there is no column `{name}`; choose from {known}, or write `all` or `none`"
            ))
        })?;
        if columns.iter().any(|other| other.name == column.name) {
            return Err(OptionError::new(format!("the column `{name}` is named twice: leave one out")));
        }
        columns.push(*column);
    }
    Ok(columns)
}

/// Lists the names of columns, separated by commas.
pub fn names(columns: &[Column]) -> String {
    columns.iter().map(|column| column.name).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Result<String, String> {
        parse(text, &SOLVE).map(|columns| names(&columns)).map_err(|error| error.to_string())
    }

    #[test]
    fn columns_keep_their_order_and_faults_are_named() {
        assert_eq!(parsed("status, solution").unwrap(), "status, solution");
        assert_eq!(parsed("all").unwrap(), names(&SOLVE));
        assert_eq!(parsed("none").unwrap(), "");
        assert_eq!(parsed("note,note").unwrap_err(), "the column `note` is named twice: leave one out");
        assert_eq!(parsed("all,status").unwrap_err(), "`all` cannot be combined with other columns");
        assert_eq!(parsed("status, none").unwrap_err(), "`none` cannot be combined with other columns");
        assert!(parsed(" ").unwrap_err().starts_with("no column is named; choose from solution, status"));
        assert_eq!(
            parsed("time").unwrap_err(),
            "there is no column `time`; choose from solution, status, count, clues, nodes, guesses, time_ns, match, \
             note, or write `all` or `none`"
        );
    }
}
