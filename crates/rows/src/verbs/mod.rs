//! The verbs, which are the subcommands that process rows. Each verb has a file with its name and texts, its options, and their effect on a
//! run.
//!
//! The command line makes subcommands from the verbs, and the Python package makes functions on files. To add a verb, add its file and a
//! line in the list `verbs!` in this file.

mod canonical;
mod check;
mod convert;
mod dedupe;
mod explain;
mod generate;
mod minimals;
mod overlap;
mod rate;
mod score;
mod solutions;
mod solve;
mod split;
mod transform;
mod vicinity;

pub use canonical::{CANONICAL, CanonicalOptions};
pub use check::{CHECK, CheckOptions, FailOn};
pub use convert::{CONVERT, ConvertOptions};
pub use dedupe::{DEDUPE, DedupeOptions};
pub use explain::{EXPLAIN, ExplainOptions};
pub use generate::{GENERATE, GenerateOptions};
pub use minimals::{MINIMALS, MinimalsOptions};
pub use overlap::{OVERLAP, OverlapOptions};
pub use rate::{RATE, RateOptions};
pub use score::{SCORE, ScoreOptions};
pub use solutions::{SOLUTIONS, SolutionsOptions};
pub use solve::{SOLVE, SolveOptions, parse_solver};
pub use split::{SPLIT, SplitOptions};
pub use transform::{FormChoice, TRANSFORM, TransformOptions};
pub use vicinity::{VICINITY, VicinityOptions};

use std::num::{NonZeroU64, NonZeroUsize};
use std::ops::{Deref, Range};
use std::path::Path;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::{Map, Value};
use sudobench_sudoku::simd::Level;
use sudobench_sudoku::solver::default_variant;
use sudobench_sudoku::{Puzzle, Question, Status};

use crate::answers::Answerer;
use crate::columns::{self, Column, Holds};
use crate::expand::{Expand, Found};
use crate::facts::{FactContext, FactPlan, Settings};
use crate::filter::Filter;
use crate::keywords;
use crate::option_error::OptionError;
use crate::order::{RowOrder, Sample};
use crate::output_options::OutputOptions;
use crate::passes::Passes;
use crate::pieces::for_each_piece;
use crate::run::{Run, RunError};
use crate::sink::{OutputFormat, Promise};
use crate::source::{Input, Recipe};
use crate::watch::Watch;

/// A verb: a subcommand that maps input rows to output rows.
#[derive(Clone, Copy, Debug)]
pub struct Verb {
    /// The name of the subcommand.
    pub name: &'static str,
    /// Description in one line.
    pub summary: &'static str,
    /// The group of the verb in lists of commands.
    pub group: VerbGroup,
    /// All columns that the verb can add.
    pub columns: &'static [Column],
    /// The default columns.
    pub default: &'static [Column],
    /// The column whose boards are written in formats without columns.
    pub grid: Column,
    /// Whether solving or checking is the purpose of the verb (`solve`, `check`). If so, a puzzle without a solution is a failure, and the
    /// judge's formats are always allowed.
    pub solves: bool,
    /// Whether rows are generated instead of read.
    pub makes_rows: bool,
    /// The statuses that a row can have.
    pub statuses: &'static [Status],
    /// The columns that are empty in every row because of the chosen options. Each item is the name of a column and the reason.
    pub empty_columns: &'static [(&'static str, &'static str)],
    /// The reason why shards are not supported; `None` if they are supported.
    pub unshardable: Option<&'static str>,
    /// Notes for the long help: a title with `:`, and indented text.
    pub notes: &'static [&'static str],
    /// Example command lines; `-h` shows the first one.
    pub examples: &'static [&'static str],
}

/// The groups of verbs in lists of commands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VerbGroup {
    /// Verbs for single puzzles, such as `solve` and `generate`.
    Puzzles,
    /// Verbs for sets of puzzles, such as `dedupe` and `split`.
    PuzzleSets,
}

impl Verb {
    /// A verb that reads puzzles, writes puzzles in formats without columns, and adds no columns. Each verb sets only the fields that
    /// differ.
    const BASE: Verb = Verb {
        name: "",
        summary: "",
        group: VerbGroup::Puzzles,
        columns: &[],
        default: &[],
        grid: columns::PUZZLE,
        solves: false,
        makes_rows: false,
        // Most verbs search without limits and always prove whether there is exactly one solution, so no row is `solved` or `aborted`.
        statuses: &[Status::Unique, Status::Multiple, Status::Unsolvable, Status::Malformed],
        empty_columns: &[],
        unshardable: None,
        notes: &[],
        examples: &[],
    };
}

/// The options of a verb, and their effect on a run.
pub trait RowVerb {
    /// Returns the verb, adapted to these options.
    fn adapt(&self, verb: Verb) -> Verb {
        verb
    }

    /// Checks the options.
    ///
    /// # Errors
    ///
    /// [`OptionError`] for the first option that is impossible.
    fn check(&self) -> Result<(), OptionError> {
        Ok(())
    }

    /// Returns the requested board for an output without columns.
    fn board(&self) -> Board {
        Board::Puzzle
    }

    /// Returns the seed of the verb, if the verb has one.
    fn seed(&self) -> Option<u64> {
        None
    }

    /// Returns whether the verb itself uses its seed. If false, only `--sample` uses the seed.
    fn draws(&self) -> bool {
        true
    }

    /// Returns an option of the verb that is not at its default, and that would have no effect if no rows were written.
    fn needs_output(&self) -> Option<&'static str> {
        None
    }

    /// Returns the reason why `--only` is refused; `None` if it is allowed.
    fn refuses_only(&self) -> Option<&'static str> {
        None
    }

    /// Returns whether a run without rows is an error, because exit code 0 would look like a good result, such as a passed check. A shard
    /// without rows is never an error. If this returns false, an empty standard input is accepted.
    fn needs_rows(&self) -> bool {
        false
    }

    /// Returns the reason why a run with these options can't be resumed; `None` if it can be resumed.
    fn refuses_resume(&self) -> Option<&'static str> {
        None
    }

    /// Returns whether rows are written to standard output if no file is named. If false, rows are only counted if no file is named.
    fn writes_rows_by_default(&self) -> bool {
        true
    }

    /// If rows are generated instead of read, returns the recipe, and the range of the numbers of the puzzles to generate.
    ///
    /// # Errors
    ///
    /// [`OptionError`], for example for options that contradict each other, and for puzzles that can't exist.
    fn made(&self, _level: Level) -> Result<Option<(Recipe, Range<u64>)>, OptionError> {
        Ok(None)
    }

    /// Configures a run with these columns according to the options. Before this call, the run has the default solver at this level.
    ///
    /// # Errors
    /// [`OptionError`] as in [`RowVerb::check`].
    fn set_up<'r>(&self, run: Run<'r>, _level: Level, _columns: &[Column]) -> Result<Run<'r>, OptionError> {
        Ok(run)
    }

    /// Returns the expansion of rows, if the verb can write several output rows for an input row.
    fn expansion(&self) -> Option<Arc<dyn Expand>> {
        None
    }

    /// Returns the passes over the inputs before the pass that writes, if the verb has such passes.
    fn passes(&self) -> Option<Arc<dyn Passes>> {
        None
    }

    /// Returns the inputs that are read in addition to the inputs of the job.
    fn other_inputs(&self) -> &[Input] {
        &[]
    }

    /// Returns the name of the input column with predictions, if the verb reads predictions.
    fn prediction_column(&self) -> Option<String> {
        None
    }
}

/// The board that is written in an output format without columns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum Board {
    /// The puzzle
    #[default]
    Puzzle,
    /// The solution
    Solution,
}

#[cfg(feature = "clap")]
fn board_help() -> String {
    let formats = OutputFormat::names_of(|format| !format.has_columns);
    format!("Board to write in formats without columns ({formats})")
}

/// Declares `VERBS`, the list of all verbs, and `VerbOptions`, a type for the options of any verb.
macro_rules! verbs {
    ($($variant:ident($options:ty) = $verb:ident),+ $(,)?) => {
        /// All verbs, in the order in which lists show them.
        pub const VERBS: &[Verb] = &[$($verb),+];

        /// The options of any verb. You can call the methods of [`RowVerb`] on them.
        #[derive(Clone, Debug)]
        pub enum VerbOptions {
            $(
                #[doc = concat!("See [`", stringify!($options), "`].")]
                $variant($options),
            )+
        }

        $(impl From<$options> for VerbOptions {
            fn from(options: $options) -> VerbOptions {
                VerbOptions::$variant(options)
            }
        })+

        impl VerbOptions {
            /// Returns the verb, adapted to its options.
            pub fn verb(&self) -> Verb {
                match self { $(VerbOptions::$variant(options) => options.adapt($verb)),+ }
            }

            /// Returns the names of the options of the verb with this name.
            ///
            /// # Errors
            /// [`OptionError`] for an unknown verb.
            pub(crate) fn names_of(verb: &str) -> Result<&'static [&'static str], OptionError> {
                $(if verb == $verb.name {
                    return Ok(keywords::names_of::<$options>());
                })+
                Err(no_verb(verb))
            }

            /// Reads options of the verb with this name. Each keyword must be the name of an option.
            ///
            /// # Errors
            ///
            /// [`OptionError`] for an unknown verb, and for a missing option or an invalid value.
            pub(crate) fn from_keywords(verb: &str, keywords: Map<String, Value>) -> Result<VerbOptions, OptionError> {
                $(if verb == $verb.name {
                    return keywords::read(keywords).map(VerbOptions::$variant);
                })+
                Err(no_verb(verb))
            }
        }

        #[cfg(feature = "clap")]
        impl VerbOptions {
            /// Adds the options of the verb with this name to a command.
            pub fn add_arguments(verb: &str, command: clap::Command) -> clap::Command {
                $(if verb == $verb.name {
                    return <$options as clap::Args>::augment_args(command);
                })+
                command
            }

            /// Reads the command-line options of the verb with this name.
            ///
            /// # Errors
            /// An error of clap if there is no such verb, or the command was not made by [`VerbOptions::add_arguments`].
            pub fn from_matches(verb: &str, matches: &mut clap::ArgMatches) -> Result<VerbOptions, clap::Error> {
                use clap::FromArgMatches as _;
                $(if verb == $verb.name {
                    return <$options>::from_arg_matches_mut(matches).map(VerbOptions::$variant);
                })+
                Err(clap::Error::new(clap::error::ErrorKind::InvalidSubcommand))
            }
        }

        impl Deref for VerbOptions {
            type Target = dyn RowVerb;

            fn deref(&self) -> &(dyn RowVerb + 'static) {
                match self { $(VerbOptions::$variant(options) => options),+ }
            }
        }
    };
}

verbs! {
    Solve(SolveOptions) = SOLVE,
    Check(CheckOptions) = CHECK,
    Rate(RateOptions) = RATE,
    Explain(ExplainOptions) = EXPLAIN,
    Generate(GenerateOptions) = GENERATE,
    Solutions(SolutionsOptions) = SOLUTIONS,
    Minimals(MinimalsOptions) = MINIMALS,
    Vicinity(VicinityOptions) = VICINITY,
    Canonical(CanonicalOptions) = CANONICAL,
    Transform(TransformOptions) = TRANSFORM,
    Convert(ConvertOptions) = CONVERT,
    Dedupe(DedupeOptions) = DEDUPE,
    Overlap(OverlapOptions) = OVERLAP,
    Split(SplitOptions) = SPLIT,
    Score(ScoreOptions) = SCORE,
}

fn no_verb(name: &str) -> OptionError {
    let known = VERBS.iter().map(|verb| verb.name).collect::<Vec<_>>().join(", ");
    OptionError::new(format!("there is no verb `{name}`; choose from {known}"))
}

/// Runs the expansion of a verb, such as `solutions`, for puzzles in memory, on this number of threads. Returns the result for each puzzle,
/// in order.
///
/// ```
/// use sudobench_rows::verbs::{SolutionsOptions, find_each};
/// use sudobench_sudoku::{Puzzle, simd::Level};
///
/// let options = SolutionsOptions { limit_per_puzzle: 3.try_into()? };
/// let found = find_each(&options, &[Puzzle::EMPTY], Level::widest(), 1.try_into()?, &Default::default())?;
/// assert!(found[0].len() == 3 && !found[0].is_complete());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`RunError::Interrupted`] if the work is cancelled, or for an expansion without a [finder](Expand::finder), such as that of `transform`.
/// [`RunError::Level`] if the CPU lacks the SIMD level. [`RunError::Threads`] if the threads can't be started.
pub fn find_each(
    expansion: &dyn Expand,
    puzzles: &[Puzzle],
    level: Level,
    threads: NonZeroUsize,
    watch: &Watch,
) -> Result<Vec<Found>, RunError> {
    /// Number of puzzles that a thread takes together.
    const PIECE: usize = 64;
    let plan = FactPlan::new(expansion.needs().iter().copied());
    let context = FactContext::new(level, Arc::clone(&watch.cancel), Settings::default());
    let question = Question { cancel: Some(Arc::clone(&watch.cancel)), ..Question::unique() };
    let of_piece = |puzzles: &[Puzzle]| {
        let solver = plan.has_outcome().then(|| default_variant().build(level)).transpose()?;
        let mut answerer = Answerer::new(solver, expansion.finder(level, &watch.cancel)?, level);
        answerer.prepare(&plan, &context)?;
        let found = answerer.find(puzzles, &question).ok_or(RunError::Interrupted)?;
        watch.add(puzzles.len());
        Ok(found)
    };
    Ok(for_each_piece(puzzles.chunks(PIECE), threads, watch, of_piece)?.into_iter().flatten().collect())
}

impl VerbOptions {
    /// Checks that a shard of the inputs can be processed with these options.
    ///
    /// # Errors
    /// [`OptionError`] with the reason if the verb needs all rows.
    pub fn check_shardable(&self) -> Result<(), OptionError> {
        match self.verb().unshardable {
            Some(reason) => Err(OptionError::new(reason).about("shard")),
            None => Ok(()),
        }
    }
}

/// Returns `number` as a `NonZeroU64`. If `number` is 0, returns 1.
pub(crate) const fn number(number: u64) -> NonZeroU64 {
    match NonZeroU64::new(number) {
        Some(number) => number,
        None => NonZeroU64::MIN,
    }
}

/// The validated [`OutputOptions`] of a verb.
#[derive(Clone, Debug)]
pub struct RowOutput {
    /// The format.
    pub format: OutputFormat,
    /// The columns to add.
    pub columns: Vec<Column>,
    /// The conditions of `--only`.
    pub filter: Filter,
    /// What `--sample`, `--order-by` and `--top` request; `None` without these options.
    pub order: Option<RowOrder>,
}

impl Verb {
    /// Validates the options of the output. `seed` decides which rows are drawn.
    ///
    /// # Errors
    /// [`OptionError`] for example for a file name or a format that the verb cannot write, an unknown column, or a condition that no row
    /// can meet.
    pub(crate) fn output(&self, asked: &OutputOptions, seed: u64) -> Result<RowOutput, OptionError> {
        let path = asked.output.as_deref().unwrap_or(Path::new("-"));
        let format =
            Promise::from_path(path).and_then(|promise| promise.format(path, asked.output_format))?;
        let filter = Filter::parse(&asked.only, self.columns).map_err(|error| error.about("only"))?;
        let filter = filter.with_empty_columns(self.empty_columns);
        self.check(format, &filter)?;
        let sample = asked.sample.map(|rows| Sample { rows: rows.get(), seed });
        let top = asked.top.map(NonZeroU64::get);
        let order = RowOrder::parse(asked.order_by.as_deref(), top, sample, self.columns)?;
        let columns = match asked.columns.as_deref() {
            Some(list) if self.columns.is_empty() && list.trim() != "none" => {
                let message = format!("`{}` keeps the columns of the input and adds no others", self.name);
                return Err(OptionError::new(message).about("columns"));
            }
            Some(list) if !format.has_columns && list.trim() != "none" => {
                let message = format!(
                    "the output format {} has no columns; {} have columns",
                    format.name(),
                    OutputFormat::names_of(|format| format.has_columns)
                );
                return Err(OptionError::new(message).about("columns"));
            }
            Some(list) => columns::parse(list, self.columns).map_err(|error| error.about("columns"))?,
            None => self.default.to_vec(),
        };
        Ok(RowOutput { format, columns, filter, order })
    }

    /// Refuses statuses that no row can have, and the judge's formats if this verb can't write them.
    fn check(&self, format: OutputFormat, filter: &Filter) -> Result<(), OptionError> {
        let name = self.name;
        // In the judge's formats, verbs other than `solve` and `check` can write only two kinds of boards: solutions, and boards that need
        // no computation, such as the puzzles of the input.
        let is_given = self.grid.needs.is_empty() || matches!(self.grid.holds, Holds::Solution);
        if format.is_of_judge && !is_given && !self.solves {
            let format = format.name();
            return Err(OptionError::new(format!(
                "{format} is for solutions: `solve` can write it, but `{name}` cannot"
            )));
        }
        match filter.statuses().find(|status| !self.statuses.contains(status)) {
            Some(status) => {
                let message = format!("`{name}` never has the status {}", status.name());
                Err(OptionError::new(message).about("only"))
            }
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_verbs_and_columns_are_unique() {
        for &verb in VERBS {
            assert_eq!(VERBS.iter().filter(|other| other.name == verb.name).count(), 1, "{}", verb.name);
            assert_eq!(columns::parse("all", verb.columns).unwrap().len(), verb.columns.len());
            for column in verb.columns {
                let found = columns::parse(column.name, verb.columns).map(|found| columns::names(&found));
                assert_eq!(found.as_deref(), Ok(column.name), "{}", verb.name);
            }
            let has_words = |column: &&Column| {
                matches!(column.holds, Holds::Words(..)) && !columns::NOT_COUNTED.contains(&column.name)
            };
            let counted = columns::counted(verb.columns).count();
            assert_eq!(counted, verb.columns.iter().filter(has_words).count(), "{}", verb.name);
            let default = columns::names(verb.default);
            assert_eq!(columns::names(&verb.output(&OutputOptions::default(), 1).unwrap().columns), default);
            assert!(verb.grid.holds_cells(), "{}", verb.name);
        }
    }

    #[test]
    fn impossible_outputs_are_refused_with_the_option() {
        let lines = || OutputOptions { output_format: Some(OutputFormat::LINES), ..OutputOptions::default() };
        let columns = |list: &str| Some(list.to_owned());
        let only = |text: &str| vec![text.to_owned()];
        for (verb, asked, words) in [
            (
                SOLVE,
                OutputOptions { columns: columns("status"), ..lines() },
                "columns: the output format lines has no columns",
            ),
            (
                SOLVE,
                OutputOptions { columns: columns("depth"), ..OutputOptions::default() },
                "columns: there is no column `depth`",
            ),
            (
                RATE,
                OutputOptions { only: only("solved"), ..lines() },
                "only: `rate` never has the status solved",
            ),
            (
                RATE,
                OutputOptions { only: only("clues=x"), ..lines() },
                "only: the column `clues` never has the value `x`",
            ),
            (
                CANONICAL,
                OutputOptions { output_format: Some(OutputFormat::BOJ2580), ..OutputOptions::default() },
                "boj2580 is for solutions",
            ),
            (
                SOLVE,
                OutputOptions { output: Some("a.npy.gz".into()), ..OutputOptions::default() },
                "a.npy.gz",
            ),
        ] {
            let error = verb.output(&asked, 1).unwrap_err().to_string();
            assert!(error.starts_with(words), "{error}");
        }
    }
}
