//! `vicinity`: puzzles in, a row out for every puzzle with one solution that lies next to them.

use std::num::NonZeroU64;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sudobench_sudoku::minimals::Found;
use sudobench_sudoku::simd::{Level, LevelError};
use sudobench_sudoku::vicinity::{Distance, Vicinity};

use super::{RowVerb, Verb, number};
use crate::as_text;
use crate::columns;
use crate::expand::{Expand, Expander, Finder, in_memory};
use crate::facts::PuzzlesOfBlock;

/// Finds the neighbours of puzzles.
pub const VICINITY: Verb = Verb {
    name: "vicinity",
    summary: "Find the puzzles with one solution around each puzzle: so many clues fewer, so many others instead",
    columns: &columns::VICINITY,
    default: &columns::VICINITY_DEFAULT,
    grid: columns::VICINITY[0],
    solves: false,
    makes_rows: false,
    unshardable: None,
    notes: &["Neighbours are all puzzles with exactly one solution that come about where so many clues go and then so many come, in \
any cell that is blank then: a clue may come back, so that -2+2 has all of -1+1. Of isomorphic ones the first comes out, and none that is \
isomorphic to the row's own puzzle. A row comes out once for each, otherwise as it is; one without any comes out once, with empty columns. \
The row's puzzle may have any number of solutions.
They come in the order of how many clues are gone, of the cells that lose them, then of the clues that come. The end of the run says how \
many rows have more, and so does the column `complete`. What is found for a row is in memory until it is written: ten thousand and their \
rows are about 2 MB. Across rows the same puzzle may come twice: pipe the column into `sudobench dedupe --isomorph`.
How long it takes grows with both numbers: of a puzzle with 17 clues -1+1 takes milliseconds, -2+2 seconds, -3+3 hours."],
    examples: "\
  sudobench vicinity -1+1 clue17.txt
  sudobench vicinity -2+1 hardest.txt --minimal -o near.csv
  sudobench vicinity '{-1+1}' --minimal --output-format lines -q puzzles.txt | sudobench dedupe --isomorph -o new.csv",
};

/// Which neighbours are found.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "clap", derive(clap::Args), command(next_help_heading = "Neighbours"))]
pub struct VicinityOptions {
    /// How far away: the clues that go and those that come, each from 0 to 3, such as -1+1 or {-2+1}
    #[serde(with = "as_text")]
    #[cfg_attr(feature = "clap", arg(value_name = "DISTANCE", allow_hyphen_values = true, help_heading = None::<&'static str>))]
    pub distance: Distance,
    /// Only those that are minimal: no clue can be left out
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long))]
    pub minimal: bool,
    /// So many of each puzzle at most: the first, nearer ones before others
    #[serde(default = "limit")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", value_parser = crate::values::at_least_one::<NonZeroU64>, default_value = "10000"))]
    pub limit_per_puzzle: NonZeroU64,
}

fn limit() -> NonZeroU64 {
    number(10_000)
}

impl RowVerb for VicinityOptions {
    const VERB: Verb = VICINITY;

    fn expansion(&self) -> Option<Arc<dyn Expand>> {
        Some(Arc::new(self.clone()))
    }
}

impl Expand for VicinityOptions {
    fn stored(&self) -> Value {
        json!({ VICINITY.name: self })
    }

    fn name(&self) -> &'static str {
        "neighbours"
    }

    fn most(&self) -> NonZeroU64 {
        self.limit_per_puzzle
    }

    fn expander(&self, level: Level, cancel: &Arc<AtomicBool>) -> Result<Expander, LevelError> {
        let vicinity = Vicinity::new(level)?.cancel(Arc::clone(cancel));
        Ok(Expander::Finder(Box::new(Neighbours { vicinity, options: self.clone() })))
    }
}

/// Finds the neighbours of puzzles, of isomorphic ones the first.
struct Neighbours {
    vicinity: Vicinity,
    options: VicinityOptions,
}

impl Finder for Neighbours {
    fn find(&mut self, block: &PuzzlesOfBlock, found: &mut Vec<Found>) {
        let VicinityOptions { distance, minimal, limit_per_puzzle } = self.options;
        let limit = in_memory(limit_per_puzzle);
        let puzzles = block.puzzles.iter();
        found.extend(puzzles.map_while(|puzzle| self.vicinity.neighbours(puzzle, distance, minimal, limit)));
    }
}
