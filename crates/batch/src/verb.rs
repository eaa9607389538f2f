//! The verbs: what can be done with rows. Also validates what was asked about their output, for the command line and for Python.

use std::path::Path;

use sudobench_sudoku::Status;

use crate::columns::{self, Column, Holds};
use crate::filter::Filter;
use crate::option_error::OptionError;
use crate::overlap;
use crate::sink::{OutputFormat, Promise};

/// A verb: a subcommand that maps input rows to output rows.
#[derive(Clone, Copy, Debug)]
pub struct Verb {
    /// The name of the subcommand.
    pub name: &'static str,
    /// All columns that the verb can add.
    pub columns: &'static [Column],
    /// The columns that it adds if none are chosen.
    pub default: &'static [Column],
    /// What formats without columns hold.
    pub grid: Column,
    /// Whether the verb is asked for solutions: then a puzzle without one has failed, and the judge's formats can be written.
    pub solves: bool,
}

/// Solves puzzles.
pub const SOLVE: Verb = Verb {
    name: "solve",
    columns: &columns::SOLVE,
    default: &columns::SOLVE_DEFAULT,
    grid: columns::SOLUTION,
    solves: true,
};

/// Checks whether puzzles have one solution and are minimal.
pub const CHECK: Verb = Verb {
    name: "check",
    columns: &columns::CHECK,
    default: &columns::CHECK_DEFAULT,
    grid: columns::PUZZLE,
    solves: true,
};

/// Finds the minimal puzzles inside puzzles.
pub const MINIMALS: Verb = Verb {
    name: "minimals",
    columns: &columns::MINIMALS,
    default: &columns::MINIMALS_DEFAULT,
    grid: columns::MINIMALS[0],
    solves: false,
};

/// Finds the neighbours of puzzles.
pub const VICINITY: Verb = Verb {
    name: "vicinity",
    columns: &columns::VICINITY,
    default: &columns::VICINITY_DEFAULT,
    grid: columns::VICINITY[0],
    solves: false,
};

/// Adds canonical forms.
pub const CANONICAL: Verb = Verb {
    name: "canonical",
    columns: &columns::CANONICAL,
    default: &columns::CANONICAL_DEFAULT,
    grid: columns::CANONICAL_FORM,
    solves: false,
};

/// Takes the boards of rows to other forms.
pub const TRANSFORM: Verb = Verb {
    name: "transform",
    columns: &columns::TRANSFORM,
    default: &columns::TRANSFORM,
    grid: columns::PUZZLE,
    solves: false,
};

/// Keeps the first of equal puzzles.
pub const DEDUPE: Verb = Verb {
    name: "dedupe",
    columns: &columns::DEDUPE,
    default: &columns::DEDUPE_DEFAULT,
    grid: columns::PUZZLE,
    solves: false,
};

/// Rates the difficulty of puzzles.
pub const RATE: Verb = Verb {
    name: "rate",
    columns: &columns::RATE,
    default: &columns::RATE_DEFAULT,
    grid: columns::PUZZLE,
    solves: false,
};

/// Makes puzzles.
pub const GENERATE: Verb = Verb {
    name: "generate",
    columns: &columns::GENERATE,
    default: &columns::GENERATE_DEFAULT,
    grid: columns::PUZZLE,
    solves: false,
};

/// Makes puzzles that take a solver many nodes.
pub const GENERATE_HARDEST: Verb = Verb { columns: &columns::GENERATE_HARDEST, ..GENERATE };

/// Compares a test set with a training set.
pub const OVERLAP: Verb = Verb {
    name: "overlap",
    columns: &overlap::COLUMNS,
    default: &overlap::COLUMNS,
    grid: columns::PUZZLE,
    solves: false,
};

/// All verbs, in the order of every list.
pub const VERBS: [Verb; 10] =
    [SOLVE, CHECK, MINIMALS, VICINITY, CANONICAL, TRANSFORM, DEDUPE, RATE, GENERATE, OVERLAP];

/// What was asked about the output of a verb.
#[derive(Clone, Copy, Debug, Default)]
pub struct OutputOptions<'o> {
    /// The output file; `None` for standard output. Its name can say how rows are written.
    pub path: Option<&'o Path>,
    /// How rows are written, whatever the file's name says.
    pub format: Option<OutputFormat>,
    /// The columns to add: names separated by commas, `all` or `none`.
    pub columns: Option<&'o str>,
    /// The conditions of [`Filter::parse`].
    pub only: &'o [String],
}

/// How the rows of a verb are written: [`OutputOptions`], validated.
#[derive(Clone, Debug)]
pub struct RowOutput {
    /// The format.
    pub format: OutputFormat,
    /// The columns to add.
    pub columns: Vec<Column>,
    /// The rows to write.
    pub filter: Filter,
}

impl Verb {
    /// Validates what was asked about the output.
    ///
    /// # Errors
    /// [`OptionError`] for a file name or a format that the verb cannot write, an unknown column, and a condition that no row can meet.
    pub fn output(&self, asked: OutputOptions) -> Result<RowOutput, OptionError> {
        let path = asked.path.unwrap_or(Path::new("-"));
        let format = Promise::of(path).and_then(|promise| promise.format(path, asked.format));
        let format = format.map_err(|error| OptionError::new(error.to_string()))?;
        let filter = Filter::parse(asked.only, self.columns).map_err(|error| error.about("only"))?;
        self.check(format, &filter)?;
        let columns = match asked.columns {
            Some(_) if !format.has_columns() => {
                let message = format!(
                    "the output format {} has none; csv, jsonl and parquet have columns",
                    format.name()
                );
                return Err(OptionError::new(message).about("columns"));
            }
            Some(list) => columns::parse(list, self.columns).map_err(|error| error.about("columns"))?,
            None => self.default.to_vec(),
        };
        Ok(RowOutput { format, columns, filter })
    }

    /// Refuses what is for solutions, if the verb is not asked for solutions.
    fn check(&self, format: OutputFormat, filter: &Filter) -> Result<(), OptionError> {
        if self.solves {
            return Ok(());
        }
        let name = self.name;
        // Boards that were read can be written in the judge's formats.
        let is_given = self.grid.needs.is_empty() || matches!(self.grid.holds, Holds::Solution);
        if format.is_of_judge() && !is_given {
            let format = format.name();
            return Err(OptionError::new(format!(
                "{format} is for solutions: `solve` writes it, `{name}` does not"
            )));
        }
        // The verb asks whether there is exactly one solution, and without limits.
        let is_never = |status: &Status| matches!(status, Status::Solved | Status::Aborted);
        match filter.statuses().find(is_never) {
            Some(status) => {
                let message = format!("no row of `{name}` is ever {}", status.name());
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
    fn verbs_and_their_columns_have_names_of_their_own() {
        for verb in VERBS {
            assert_eq!(VERBS.iter().filter(|other| other.name == verb.name).count(), 1, "{}", verb.name);
            assert_eq!(columns::parse("all", verb.columns).unwrap().len(), verb.columns.len());
            let names = columns::names(verb.columns).replace(' ', "");
            assert_eq!(
                columns::parse(&names, verb.columns).map(|all| columns::names(&all).replace(' ', "")),
                Ok(names)
            );
            let default = columns::names(verb.default);
            assert_eq!(columns::names(&verb.output(OutputOptions::default()).unwrap().columns), default);
            assert!(verb.grid.holds_cells(), "{}", verb.name);
        }
    }

    #[test]
    fn what_an_output_cannot_be_is_told_with_the_option() {
        let lines = OutputOptions { format: Some(OutputFormat::Lines), ..OutputOptions::default() };
        let only = |text: &str| vec![text.to_owned()];
        for (verb, asked, words) in [
            (
                SOLVE,
                OutputOptions { columns: Some("status"), ..lines },
                "columns: the output format lines has none",
            ),
            (
                SOLVE,
                OutputOptions { columns: Some("depth"), ..OutputOptions::default() },
                "columns: no column is called `depth`",
            ),
            (RATE, OutputOptions { only: &only("solved"), ..lines }, "only: no row of `rate` is ever solved"),
            (
                RATE,
                OutputOptions { only: &only("clues=x"), ..lines },
                "only: the column `clues` is never `x`",
            ),
            (
                CANONICAL,
                OutputOptions { format: Some(OutputFormat::Boj2580), ..lines },
                "boj2580 is for solutions",
            ),
            (
                SOLVE,
                OutputOptions { path: Some(Path::new("a.npy.gz")), ..OutputOptions::default() },
                "a.npy.gz",
            ),
        ] {
            let error = verb.output(asked).unwrap_err().to_string();
            assert!(error.starts_with(words), "{error}");
        }
    }
}
