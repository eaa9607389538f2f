//! The command line of `sudobench leaderboard`.

use std::path::PathBuf;

use clap::Args;

use super::help::{examples, first_example};

/// The arguments of `sudobench leaderboard`.
#[derive(Debug, Args)]
#[command(after_help = first_example(EXAMPLES), after_long_help = format!("{}\n\n{NOTES}", examples(EXAMPLES)))]
pub struct LeaderboardArgs {
    /// Folder with contest.toml; record.json, leaderboard.html and leaderboard.md are written there
    #[arg(value_name = "FOLDER")]
    pub folder: PathBuf,
    /// Measure everything again, even pairs that are already in the record
    #[arg(long)]
    pub again: bool,
    /// On standard error, print only errors
    #[arg(short, long)]
    pub quiet: bool,
}

const EXAMPLES: &[&str] = &["sudobench leaderboard results/2026-12"];

const NOTES: &str = "\
What is measured:
  The folder's contest.toml names the sets, the contestants and the rules. Only pairs of contestant and set that are not in the record yet are measured. So the same command \
(without --again) continues after an interrupt, and measures the contestants and sets that were added. A contestant is measured again if its files, its protocol, its answers or its command \
changed. The record is written after each set. Contestants of different machines are never in one record: `sudobench report A/record.json \
B/record.json --export-html both.html` shows two records side by side.

contest.toml:
  title = \"Sudoku solvers\"          # also date, author, link and note
  [rules]                           # all optional
  max_solutions = 2                 # proves that a solution is the only one
  rounds = 10                       # also seed, min_time, max_time and sample
  [[set]]
  name = \"hard\"
  file = \"hard.csv\"                 # relative to the folder
  sha256 = \"SHA-256 of the file\"    # also source: where others get it
  [[contestant]]
  name = \"bitslice\"                 # without a command: a built-in solver
  [[contestant]]
  name = \"mine\"
  command = \"./mine --fast\"         # as in bench --engine, also protocol and answers
  version = \"1.2\"                   # also licence, language, compiler, link and note";
