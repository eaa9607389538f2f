//! `sudobench bisect`, as typed.

use std::ffi::OsString;
use std::num::NonZeroU64;
use std::path::PathBuf;
use std::time::Duration;

use clap::{ArgGroup, Args};

use sudobench_rows::values::{at_least_one, positive_duration};

use super::values::ENGINE_PROTOCOL_HELP;
use crate::bench::ProtocolOf;
use crate::gate::GateLimits;

/// Find the commit that made a search larger or slower
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, group(ArgGroup::new("program").required(true)))]
pub struct BisectArgs {
    /// Files of puzzles
    #[arg(value_name = "DATASET", required = true)]
    pub datasets: Vec<PathBuf>,
    /// A commit that is as it should be
    #[arg(long, value_name = "COMMIT")]
    pub good: String,
    /// A commit that searches more or is slower
    #[arg(long, value_name = "COMMIT")]
    pub bad: String,
    /// An engine, as in `gate`; its command runs in the folder of each commit
    #[arg(long = "engine", value_name = "NAME=COMMAND", group = "program", conflicts_with = "binary")]
    pub engines: Vec<String>,
    /// How engines are given puzzles, all or one of them: lines, files, boj2580 or boj2239
    #[arg(long = "engine-protocol", value_name = "[NAME=]PROTOCOL", requires = "engines", long_help = ENGINE_PROTOCOL_HELP)]
    pub engine_protocols: Vec<ProtocolOf>,
    /// The character that stands for a blank in what engines are given
    #[arg(long, value_name = "CHAR", default_value_t = '.')]
    pub blank: char,
    /// The binary of sudobench that BUILD leaves at this path in the folder of each commit
    #[arg(long, value_name = "PATH", group = "program")]
    pub binary: Option<PathBuf>,
    /// These variants of the binary, separated by commas [default: all]
    #[arg(long, value_name = "NAMES", value_delimiter = ',', requires = "binary")]
    pub solvers: Vec<String>,
    /// What is let through: nodes=P%, guesses=P%, time=P%
    #[arg(long, value_name = "LIMITS", default_value = "", hide_default_value = true)]
    pub limits: GateLimits,
    /// Take this many puzzles of each dataset, chosen by the seed
    #[arg(long, value_name = "N", default_value = "500", value_parser = at_least_one::<NonZeroU64>)]
    pub sample: NonZeroU64,
    /// Decides the permutation of the puzzles and the order of trials
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Skip a commit whose build or whose count takes longer
    #[arg(long, value_name = "TIME", default_value = "1h", value_parser = positive_duration)]
    pub max_time: Duration,
    /// Say nothing on standard error but errors
    #[arg(short, long)]
    pub quiet: bool,
    /// What builds a commit, run in its folder; nothing where none is needed
    #[arg(value_name = "BUILD", last = true)]
    pub build: Vec<OsString>,
}

const EXAMPLES: &str = "Examples:
  sudobench bisect --good v1.0 --bad main puzzles.txt --engine 'mine=./solve' -- make solve
  sudobench bisect --good v1.0 --bad main puzzles.txt --engine 'mine=python3 solve.py'
  sudobench bisect --good v1.0 --bad main puzzles.txt --binary target/release/sudobench \\
    -- cargo build --release
The commits are checked out in temporary work trees; yours stays as it is.
Exit codes: 0 found; 4 bad is not worse than good, or that cannot be told, or commits that cannot be
built or measured hide it; 2 usage; 130 interrupted.";
