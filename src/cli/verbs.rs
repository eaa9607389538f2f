//! The verbs over rows, as typed: a subcommand for each verb of the batch package, with its options and those of all verbs.

use std::path::PathBuf;

use clap::error::ErrorKind;
use clap::{Arg, ArgMatches, Args, Command, FromArgMatches, Subcommand};
use sudobench_rows::overlap::Overlaps;
use sudobench_rows::verbs::{DEDUPE, OVERLAP, SOLVE, VERBS, Verb, VerbOptions};
use sudobench_rows::{InputOptions, OutputOptions};

use super::rows::{RowsArgs, RunningArgs, help_of};

/// A verb over rows.
#[derive(Debug)]
pub struct VerbArgs {
    /// The verb with its options.
    pub options: VerbOptions,
    /// What only the command line has.
    pub extras: Extras,
    /// The record of the run.
    pub record: RecordArgs,
    /// What every verb takes.
    pub rows: RowsArgs,
}

/// What only the command line has.
#[derive(Debug)]
pub enum Extras {
    /// Nothing.
    None,
    /// Of `solve`.
    Reporting(ReportingArgs),
    /// Of `dedupe`.
    Duplicates(DuplicatesArgs),
    /// Of `overlap`.
    Comparing(ComparingArgs),
}

impl Subcommand for VerbArgs {
    fn augment_subcommands(program: Command) -> Command {
        program.subcommands(VERBS.iter().map(command_of))
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
            options: VerbOptions::of_matches(verb.name, matches)?,
            extras: match verb.name {
                name if name == SOLVE.name => {
                    Extras::Reporting(ReportingArgs::from_arg_matches_mut(matches)?)
                }
                name if name == DEDUPE.name => {
                    Extras::Duplicates(DuplicatesArgs::from_arg_matches_mut(matches)?)
                }
                name if name == OVERLAP.name => {
                    Extras::Comparing(ComparingArgs::from_arg_matches_mut(matches)?)
                }
                _ => Extras::None,
            },
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

/// The subcommand of a verb.
fn command_of(verb: &Verb) -> Command {
    let command = VerbOptions::add_arguments(verb.name, Command::new(verb.name));
    let command = match verb.name {
        name if name == SOLVE.name => ReportingArgs::augment_args(command),
        name if name == DEDUPE.name => DuplicatesArgs::augment_args(command),
        name if name == OVERLAP.name => ComparingArgs::augment_args(command),
        _ => command,
    };
    let command = RecordArgs::augment_args(command);
    let of_all = Command::new(verb.name);
    let of_all = match verb.makes_rows {
        true => RunningArgs::augment_args(OutputOptions::augment_args(of_all)),
        false => RowsArgs::augment_args(of_all),
    };
    // A verb that draws something has a seed of its own, which decides about --sample as well.
    let is_own = |arg: &&Arg| command.get_arguments().any(|own| own.get_id() == arg.get_id());
    let more: Vec<Arg> = of_all.get_arguments().filter(|arg| !is_own(arg)).cloned().collect();
    let command = command
        .args(more)
        .mut_arg("shard", |shard| shard.hide(verb.unshardable.is_some()))
        .mut_arg("columns", |columns| columns.hide(verb.columns.is_empty()))
        .about(verb.summary)
        .after_help(help_of(verb));
    if verb.name == OVERLAP.name { of_overlap(command) } else { command }
}

/// Says what the arguments of all verbs mean for `overlap`.
fn of_overlap(command: Command) -> Command {
    const TRAIN: &str = "Files of puzzles that a model was trained on, say; of any format that `solve` reads, `-` for standard input";
    const OUTPUT: &str = "Write the rows of TEST that TRAIN has to this file, through FILE.partial; its name says how, as for `solve`. `-` is \
        standard output; then the counts go to standard error. Without it there are counts alone, on standard output";
    command
        .mut_arg("inputs", |arg| arg.value_name("TRAIN").required(true).help(TRAIN).long_help(TRAIN))
        .mut_arg("skip", |arg| arg.help("Leave out the first rows of TEST; those of TRAIN are all read"))
        .mut_arg("limit", |arg| arg.help("Stop after that many rows of TEST"))
        .mut_arg("output", |arg| arg.help(OUTPUT).long_help(OUTPUT))
        .mut_arg("export_json", |arg| {
            arg.help("Write the counts as JSON; `-` is standard output, which then has nothing else")
        })
        .mut_arg("output_format", |arg| arg.requires("output"))
        .mut_arg("columns", |arg| arg.requires("output"))
        .mut_arg("only", |arg| arg.requires("output"))
        .mut_arg("order_by", |arg| arg.requires("output"))
        .mut_arg("sample", |arg| arg.requires("output"))
}

/// What `solve` reports.
#[derive(Debug, Args)]
#[command(next_help_heading = "Report")]
pub struct ReportingArgs {
    /// Write the latencies as the text that HdrHistogram's plotter reads, in microseconds
    #[arg(long, value_name = "FILE")]
    pub export_hgrm: Option<PathBuf>,
    /// Write the latencies as a mergeable HdrHistogram log (V2, deflate), in nanoseconds
    #[arg(long, value_name = "FILE")]
    pub export_histogram_log: Option<PathBuf>,
}

/// Where `dedupe` writes the duplicates.
#[derive(Debug, Args)]
#[command(next_help_heading = "Duplicates")]
pub struct DuplicatesArgs {
    /// Write the rows of all puzzles that stand there more than once, group by group, as CSV: group, count, input, line, puzzle, and
    /// with --isomorph canonical
    #[arg(long, value_name = "FILE")]
    pub report_duplicates: Option<PathBuf>,
}

/// The record of a run.
#[derive(Debug, Args)]
#[command(next_help_heading = "Report")]
pub struct RecordArgs {
    /// Write the record of the run as JSON: the counts, the inputs, the machine
    #[arg(long, value_name = "FILE")]
    pub export_json: Option<PathBuf>,
    /// Put the SHA-256 of each input into the record
    #[arg(long, requires = "export_json", conflicts_with = "shard")]
    pub hash: bool,
}

/// What becomes of the answer of `overlap`.
#[derive(Debug, Args)]
#[command(next_help_heading = "Overlap")]
pub struct ComparingArgs {
    /// End with exit code 4 where a row of TEST overlaps so; isomorph includes text, solution_isomorph includes all
    #[arg(long, value_name = "KINDS")]
    pub fail_on: Option<Overlaps>,
}
