//! The command lines of the verbs. Each verb is a subcommand with its own options and common options.

use std::path::PathBuf;
use std::time::Duration;

use clap::error::ErrorKind;
use clap::{Arg, ArgMatches, Args, Command, FromArgMatches, Id, Subcommand};
use sudobench_harness::bench::ProtocolOf;
use sudobench_harness::process::NamedCommand;
use sudobench_rows::columns;
use sudobench_rows::overlap::Overlaps;
use sudobench_rows::values::positive_duration;
use sudobench_rows::verbs::{
    DEDUPE, EXPLAIN, GENERATE, OVERLAP, SCORE, SOLVE, SPLIT, VERBS, Verb, VerbOptions,
};
use sudobench_rows::{InputOptions, OutputOptions};

use super::help::{first_example, name_hidden_options};
use super::rows::{RowsArgs, RunningArgs, notes};

/// A verb and its options.
#[derive(Debug)]
pub struct VerbArgs {
    /// The verb with its options.
    pub options: VerbOptions,
    /// The verb's options that exist only on the command line, not in the library.
    pub extras: Extras,
    /// The record of the run.
    pub record: RecordArgs,
    /// The inputs and the common options.
    pub rows: RowsArgs,
}

/// Declares the verbs that have options which only the command line has.
macro_rules! extras {
    ($($variant:ident($options:ty) = $verb:ident),+ $(,)?) => {
        /// A verb's options that exist only on the command line, not in the library.
        #[derive(Debug)]
        pub enum Extras {
            /// No options.
            None,
            $(
                #[doc = concat!("See [`", stringify!($options), "`].")]
                $variant($options),
            )+
        }

        impl Extras {
            fn add_arguments(verb: &str, command: Command) -> Command {
                $(if verb == $verb.name {
                    return <$options>::augment_args(command);
                })+
                command
            }

            fn from_matches(verb: &str, matches: &mut ArgMatches) -> Result<Extras, clap::Error> {
                $(if verb == $verb.name {
                    return <$options>::from_arg_matches_mut(matches).map(Extras::$variant);
                })+
                Ok(Extras::None)
            }
        }
    };
}

extras! {
    Reporting(ReportingArgs) = SOLVE,
    Duplicates(DuplicatesArgs) = DEDUPE,
    Comparing(ComparingArgs) = OVERLAP,
    Page(PageArgs) = EXPLAIN,
    Scores(ScoreReportArgs) = SCORE,
    Splitting(SplittingArgs) = SPLIT,
    HardestEngine(HardestEngineArgs) = GENERATE,
}

impl Subcommand for VerbArgs {
    fn augment_subcommands(program: Command) -> Command {
        // The options of a verb are added only when clap needs them, because adding the options of all verbs takes longer than a short run.
        program.subcommands(
            VERBS.iter().map(|verb| Command::new(verb.name).about(verb.summary).defer(with_options)),
        )
    }

    fn augment_subcommands_for_update(program: Command) -> Command {
        VerbArgs::augment_subcommands(program)
    }

    fn has_subcommand(name: &str) -> bool {
        VERBS.iter().any(|verb| verb.name == name)
    }
}

impl FromArgMatches for VerbArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<VerbArgs, clap::Error> {
        VerbArgs::from_arg_matches_mut(&mut matches.clone())
    }

    fn from_arg_matches_mut(matches: &mut ArgMatches) -> Result<VerbArgs, clap::Error> {
        let none = || clap::Error::new(ErrorKind::MissingSubcommand);
        let (name, mut matches) = matches.remove_subcommand().ok_or_else(none)?;
        let verb = VERBS.iter().find(|verb| verb.name == name).ok_or_else(none)?;
        let matches = &mut matches;
        Ok(VerbArgs {
            options: VerbOptions::from_matches(verb.name, matches)?,
            extras: Extras::from_matches(verb.name, matches)?,
            record: RecordArgs::from_arg_matches_mut(matches)?,
            rows: match verb.makes_rows {
                true => RowsArgs {
                    inputs: Vec::new(),
                    input: InputOptions::default(),
                    output: OutputOptions::from_arg_matches_mut(matches)?,
                    running: RunningArgs::from_arg_matches_mut(matches)?,
                },
                false => RowsArgs::from_arg_matches_mut(matches)?,
            },
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = VerbArgs::from_arg_matches(matches)?;
        Ok(())
    }
}

fn with_options(command: Command) -> Command {
    let Some(verb) = VERBS.iter().find(|verb| verb.name == command.get_name()) else { return command };
    let global: Vec<Id> = command.get_arguments().map(Arg::get_id).cloned().collect();
    let command = VerbOptions::add_arguments(verb.name, command);
    let command = Extras::add_arguments(verb.name, command);
    let command = RecordArgs::augment_args(command);
    let of_all = Command::new(verb.name);
    let of_all = match verb.makes_rows {
        true => RunningArgs::augment_args(OutputOptions::augment_args(of_all)),
        false => RowsArgs::augment_args(of_all),
    };
    // An option of the verb replaces the common option of the same name, for example `--seed`.
    let is_own = |arg: &&Arg| command.get_arguments().any(|own| own.get_id() == arg.get_id());
    let more: Vec<Arg> = of_all.get_arguments().filter(|arg| !is_own(arg)).cloned().map(folded).collect();
    let command = command
        .args(more)
        .mut_arg("shard", |shard| shard.hide(verb.unshardable.is_some()))
        .mut_arg("columns", |columns| columns.hide(verb.columns.is_empty()).help(columns_help(verb)))
        .about(verb.summary) // again, because the option groups replaced the description with their own
        .after_help(first_example(verb.examples))
        .after_long_help(notes(verb));
    let command = if verb.name == OVERLAP.name { adapt_to_overlap(command) } else { command };
    // A verb that makes its rows has no inputs.
    let command = if verb.makes_rows { command.mut_arg("hash", |hash| hash.hide(true)) } else { command };
    // `mut_arg` moves an argument to the end, even if nothing changes. So the help lists the global options after the options of the verb.
    let command = global.iter().fold(command, |command, id| command.mut_arg(id, |option| option));
    name_hidden_options(command, &[])
}

/// Hides a common option in the output of `-h`, unless it is one of the most important options.
fn folded(option: Arg) -> Arg {
    let is_shown = ["inputs", "output", "columns"].contains(&option.get_id().as_str());
    option.hide_short_help(!is_shown)
}

fn columns_help(verb: &Verb) -> String {
    let (all, default) = (columns::names(verb.columns), columns::names(verb.default).replace(' ', ""));
    format!("Columns to add, separated by commas; choose from {all} [default: {default}]")
}

fn adapt_to_overlap(command: Command) -> Command {
    const TRAIN: &str =
        "Files with the training puzzles, in any format that `solve` reads; `-` reads standard input";
    const OUTPUT: &str =
        "Write the rows of TEST that --keep chooses to this file, in the format of its extension";
    const MORE: &str = "The file is written as FILE.partial and gets its name once it is complete. `-` is standard output; the counts then go \
        to standard error. Without this option, only the counts are printed, on standard output.";
    command
        .mut_arg("inputs", |arg| arg.value_name("TRAIN").required(true).help(TRAIN).long_help(TRAIN))
        .mut_arg("skip", |arg| {
            arg.help("Skip this many rows at the start of TEST; TRAIN is always read whole")
        })
        .mut_arg("limit", |arg| arg.help("Stop after this many rows of TEST, such as 20000 or 20k"))
        .mut_arg("output", |arg| arg.help(OUTPUT).long_help(format!("{OUTPUT}\n\n{MORE}")))
        .mut_arg("export_json", |arg| {
            arg.help("Write the counts as JSON; `-` means standard output, and the table then goes to standard error")
        })
}

/// The reports of `solve`.
#[derive(Debug, Args)]
#[command(next_help_heading = "Report")]
pub struct ReportingArgs {
    /// Write the time per puzzle as a percentile table (.hgrm) in microseconds, for HdrHistogram's plotter
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub export_hgrm: Option<PathBuf>,
    /// Write the time per puzzle as a mergeable HdrHistogram log (V2, deflate) in nanoseconds
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub export_histogram_log: Option<PathBuf>,
}

/// The report of duplicates of `dedupe`.
#[derive(Debug, Args)]
#[command(next_help_heading = "Duplicates")]
pub struct DuplicatesArgs {
    /// Write all rows of puzzles that occur more than once, in groups, to this CSV file
    ///
    /// The columns are group, count, input, line and puzzle, and with --isomorph also canonical.
    #[arg(long, value_name = "FILE")]
    pub report_duplicates: Option<PathBuf>,
}

/// The page and the drawings that `explain` writes instead of rows.
#[derive(Debug, Args)]
#[command(next_help_heading = "Drawings")]
pub struct PageArgs {
    /// Write an HTML page with the steps of the first 20 puzzles to this file, instead of rows
    ///
    /// The page draws one step at a time, and the arrow keys go back and forward. It is a single file and loads nothing from the network.
    /// To see later puzzles, use --skip. `-` writes the page to standard output.
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = ["output", "output_format", "columns", "only", "order_by", "sample", "export_json", "hash"],
    )]
    pub export_html: Option<PathBuf>,
    /// Write an SVG drawing of each step of the first 20 puzzles to this folder, instead of rows
    ///
    /// The files have names such as puzzle-1-step-07.svg. The folder must be new or empty, unless you use --force. To draw later puzzles,
    /// use --skip.
    #[arg(
        long,
        value_name = "FOLDER",
        hide_short_help = true,
        conflicts_with_all = ["output", "output_format", "columns", "only", "order_by", "sample", "export_json", "hash", "export_html"],
    )]
    pub export_svg: Option<PathBuf>,
}

/// The reports of `score`. `merge` writes the same reports for merged shards.
#[derive(Debug, Args)]
#[command(next_help_heading = "Report")]
pub struct ScoreReportArgs {
    /// Write the scores of `score` as an HTML page: tables, the accuracy by bucket, and how often each cell is wrong
    ///
    /// The page is one file without scripts, and loads nothing from the network.
    #[arg(long, value_name = "FILE")]
    pub export_html: Option<PathBuf>,
    /// Write the scores of `score` as tables in Markdown
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub export_markdown: Option<PathBuf>,
}

/// The record of a run.
#[derive(Debug, Args)]
#[command(next_help_heading = "Report")]
pub struct RecordArgs {
    /// Write a record of the run as JSON: the counts, the inputs, the machine
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub export_json: Option<PathBuf>,
    /// Store the SHA-256 of each input in the record of --export-json
    #[arg(long, hide_short_help = true, requires = "export_json")]
    pub hash: bool,
}

/// The output of `split` for the test data.
#[derive(Debug, Args)]
#[command(next_help_heading = "Split")]
pub struct SplittingArgs {
    /// Write the test rows to this file, and only the training rows to --output
    ///
    /// Both files have the columns of the input, and those that --columns names.
    #[arg(long, value_name = "FILE", requires = "output", conflicts_with = "export_json")]
    pub test_output: Option<PathBuf>,
}

/// The external program for which the puzzles of `generate` should be hard.
#[derive(Debug, Args)]
#[command(next_help_heading = "Hard puzzles")]
pub struct HardestEngineArgs {
    /// Search for puzzles that are hard for another program
    ///
    /// The program reads puzzles as with `bench --engine`. After each solution, it prints how much work the puzzle was, as nodes=N or
    /// guesses=N; a library returns the guesses. For the same puzzle, the number must always be the same.
    #[arg(long, value_name = "NAME=COMMAND", hide_short_help = true)]
    pub hardest_engine: Option<NamedCommand>,
    /// How the program reads puzzles and writes answers: lines, files or library
    ///
    /// `lines` (the default): on standard input and output, one line per puzzle. `files`: the same lines in two files; in the command,
    /// {input} and {output} stand for their paths. Without {output}, the program prints its answers. `library`: a function in a shared
    /// library; the command is `LIBRARY [FUNCTION [FLAGS]]`.
    #[arg(
        long = "engine-protocol",
        value_name = "[NAME=]PROTOCOL",
        requires = "hardest_engine",
        hide_short_help = true
    )]
    pub engine_protocols: Vec<ProtocolOf>,
    /// Character for blank cells in the puzzles that the program of --hardest-engine reads
    ///
    /// Only the protocols `lines` and `files` use this character.
    #[arg(
        long,
        value_name = "CHAR",
        default_value_t = '.',
        requires = "hardest_engine",
        hide_short_help = true
    )]
    pub blank: char,
    /// Stop the run if the program of --hardest-engine takes longer than this for a puzzle
    #[arg(
        long,
        value_name = "TIME",
        default_value = "60s",
        value_parser = positive_duration,
        requires = "hardest_engine",
        hide_short_help = true
    )]
    pub max_silence: Duration,
}

/// The condition on which `overlap` fails.
#[derive(Debug, Args)]
#[command(next_help_heading = "Overlap")]
pub struct ComparingArgs {
    /// Exit with code 4 if a row of TEST overlaps in one of these ways. Name only ways that --by names
    ///
    /// Each `text` overlap is also an `isomorph` overlap. For puzzles with exactly one solution, an overlap of any other kind is also a
    /// `solution_isomorph` overlap.
    #[arg(long, value_name = "KINDS")]
    pub fail_on: Option<Overlaps>,
}
