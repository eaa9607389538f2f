//! `vicinity`: writes a row for each neighbour of a puzzle, up to a limit. A neighbour is a similar puzzle with exactly one solution.

use std::num::NonZeroU64;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sudobench_sudoku::simd::{Level, LevelError};
use sudobench_sudoku::vicinity::{Distance, Vicinity};

use super::{RowVerb, Verb, number};
use crate::as_text;
use crate::columns;
use crate::expand::{Expand, Finder, Found, in_memory};
use crate::facts::PuzzlesOfBlock;

/// Finds the neighbours of puzzles.
pub const VICINITY: Verb = Verb {
    name: "vicinity",
    summary: "Find similar puzzles: remove some clues and add some others",
    columns: &columns::VICINITY,
    default: &[columns::VICINITY[0], columns::VICINITY[1]],
    grid: columns::VICINITY[0],
    notes: &[
        "Neighbours:
  -2+1 stands for all ways to remove two clues and then add one in a blank cell. The results with exactly one solution are the neighbours. A removed clue can be \
added again, so -2+2 includes -1+1. Of several equivalent neighbours, only the first is written. A neighbour that is equivalent to the row's own \
puzzle is not written. The row's own puzzle may have any number of solutions. Each input row is repeated for each neighbour. A row without neighbours is written once, without a \
result. If there are more neighbours than --limit-per-puzzle, the column `complete` is `no`, and the report counts such input rows.",
        "Time, memory and duplicates:
  The time grows quickly with both numbers: for a puzzle with 17 clues, -1+1 takes milliseconds, -2+2 seconds and -3+3 hours. The results of a \
row are kept in memory until they are written, about 2 MB for ten thousand neighbours. Different rows may have the same neighbours: pipe \
the output through `sudobench dedupe --isomorph`.",
    ],
    examples: &[
        "sudobench vicinity -1+1 clue17.txt -o neighbours.csv",
        "sudobench vicinity -2+1 hardest.txt --minimal -o near.csv",
        "sudobench vicinity -1+1 --output-format lines -q puzzles.txt | sudobench dedupe --isomorph",
    ],
    ..Verb::BASE
};

/// The options of `vicinity`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "clap", derive(clap::Args), command(next_help_heading = "Neighbours"))]
pub struct VicinityOptions {
    /// Numbers of clues to remove and to add, each from 0 to 3 and not both 0, such as -2+1
    #[serde(with = "as_text")]
    #[cfg_attr(feature = "clap", arg(value_name = "DISTANCE", allow_hyphen_values = true, help_heading = None::<&'static str>))]
    pub distance: Distance,
    /// Write only minimal neighbours: if any one of their clues is removed, there are several solutions
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long))]
    pub minimal: bool,
    /// Maximum number of neighbours for each puzzle; those that lack fewer of its clues come first
    #[serde(default = "limit")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", value_parser = crate::values::at_least_one::<NonZeroU64>, default_value_t = limit()))]
    pub limit_per_puzzle: NonZeroU64,
}

fn limit() -> NonZeroU64 {
    number(10_000)
}

impl RowVerb for VicinityOptions {
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

    fn finder(&self, level: Level, cancel: &Arc<AtomicBool>) -> Result<Option<Box<dyn Finder>>, LevelError> {
        let vicinity = Vicinity::new(level)?.cancel(Arc::clone(cancel));
        Ok(Some(Box::new(Neighbours { vicinity, options: self.clone() })))
    }
}

/// Finds the neighbours of puzzles. Of isomorphic neighbours, finds only the first.
struct Neighbours {
    vicinity: Vicinity,
    options: VicinityOptions,
}

impl Finder for Neighbours {
    fn find(&mut self, block: &PuzzlesOfBlock, found: &mut Vec<Found>) {
        let VicinityOptions { distance, minimal, limit_per_puzzle } = self.options;
        let limit = in_memory(limit_per_puzzle);
        let of = |puzzle| self.vicinity.neighbours(puzzle, distance, minimal, limit).map(Found::Puzzles);
        found.extend(block.puzzles.iter().map_while(of));
    }
}
