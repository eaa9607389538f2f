//! `minimals`: puzzles in, a row out for every minimal puzzle inside them.

use std::num::NonZeroU64;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sudobench_sudoku::Puzzle;
use sudobench_sudoku::minimals::{Found, Minimals};
use sudobench_sudoku::simd::{Level, LevelError};

use super::{RowVerb, Verb, number};
use crate::columns;
use crate::draw_key;
use crate::expand::{Expand, Expander, Finder, NOTHING, in_memory};
use crate::facts::{Need, PuzzlesOfBlock};

/// Finds the minimal puzzles inside puzzles.
pub const MINIMALS: Verb = Verb {
    name: "minimals",
    summary: "Find the minimal puzzles inside each puzzle: a row for each of them",
    columns: &columns::MINIMALS,
    default: &columns::MINIMALS_DEFAULT,
    grid: columns::MINIMALS[0],
    solves: false,
    makes_rows: false,
    unshardable: None,
    notes: &["Every minimal puzzle inside a puzzle with exactly one solution has some of its clues, the same solution, and no clue that \
could be left out. A row comes out once for each, otherwise as it is; one without (malformed, not exactly one solution) comes out once, \
with empty columns. A full grid holds far more than can be listed: the end of the run says how many rows have more, and so does the column \
`complete`. Random ones are no fair sample: see docs/DATASETS.md.
What is found for a row is in memory until it is written: a thousand puzzles and their rows are about 200 KB. Across rows the same puzzle \
may come twice: pipe the column into `sudobench dedupe`, with --isomorph for isomorphic ones."],
    examples: "\
  sudobench minimals puzzles.csv
  sudobench minimals easy.csv --random 1 -o minimal.txt
  sudobench minimals puzzles.txt --limit-per-puzzle 100000 --columns minimal,clues,complete -o minimals.parquet
  sudobench minimals puzzles.txt --output-format lines -q | sudobench dedupe --isomorph -o different.csv",
};

/// Which minimal puzzles are found.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "clap", derive(clap::Args), command(next_help_heading = "Minimal puzzles"))]
pub struct MinimalsOptions {
    /// So many of each puzzle at most: the first in ascending order, a blank before all digits
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", value_parser = crate::values::at_least_one::<NonZeroU64>, default_value = "1000"))]
    pub limit_per_puzzle: NonZeroU64,
    /// Take clues out in that many random orders instead; what several orders leave comes out once
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", value_parser = crate::values::at_least_one::<NonZeroU64>, conflicts_with = "limit_per_puzzle"))]
    pub random: Option<NonZeroU64>,
    /// Decides, with the puzzle and the number of the order, which orders are drawn
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t = 1, requires = "random"))]
    pub seed: u64,
}

impl Default for MinimalsOptions {
    fn default() -> MinimalsOptions {
        MinimalsOptions { limit_per_puzzle: number(1000), random: None, seed: 1 }
    }
}

impl RowVerb for MinimalsOptions {
    const VERB: Verb = MINIMALS;

    fn seed(&self) -> Option<u64> {
        Some(self.seed)
    }

    fn expansion(&self) -> Option<Arc<dyn Expand>> {
        Some(Arc::new(self.clone()))
    }
}

impl Expand for MinimalsOptions {
    fn stored(&self) -> Value {
        json!({ MINIMALS.name: self })
    }

    fn name(&self) -> &'static str {
        "minimals"
    }

    fn is_limited(&self) -> bool {
        self.random.is_none()
    }

    fn most(&self) -> NonZeroU64 {
        self.random.unwrap_or(self.limit_per_puzzle)
    }

    fn needs(&self) -> &'static [Need] {
        &[Need::Outcome]
    }

    fn expander(&self, level: Level, cancel: &Arc<AtomicBool>) -> Result<Expander, LevelError> {
        let minimals = Minimals::new(level)?.cancel(Arc::clone(cancel));
        Ok(Expander::Finder(match self.random {
            Some(orders) => Box::new(RandomMinimals { minimals, orders, seed: self.seed }),
            None => Box::new(SmallestMinimals { minimals, limit: in_memory(self.limit_per_puzzle) }),
        }))
    }
}

/// Finds the first minimal puzzles in ascending order.
struct SmallestMinimals {
    minimals: Minimals,
    limit: usize,
}

impl Finder for SmallestMinimals {
    fn find(&mut self, block: &PuzzlesOfBlock, found: &mut Vec<Found>) {
        let of = |at: usize| match block.unique_solution(at) {
            Some(_) => self.minimals.smallest(&block.puzzles[at], self.limit),
            None => Some(NOTHING),
        };
        found.extend((0..block.puzzles.len()).map_while(of));
    }
}

/// Finds minimal puzzles that are left where clues are taken out in random orders.
///
/// The seed, the puzzle and the number of the order decide, in every version: equal puzzles become equal ones.
struct RandomMinimals {
    minimals: Minimals,
    orders: NonZeroU64,
    seed: u64,
}

impl Finder for RandomMinimals {
    fn find(&mut self, block: &PuzzlesOfBlock, found: &mut Vec<Found>) {
        let puzzles = block.puzzles;
        let unique: Vec<usize> =
            (0..puzzles.len()).filter(|&at| block.unique_solution(at).is_some()).collect();
        let asked: Vec<(Puzzle, u64)> =
            unique.iter().map(|&at| (puzzles[at], draw_key(&puzzles[at]).seeded(self.seed))).collect();
        // All together, because that fills the lanes of the vectors.
        let Some(answers) = self.minimals.random(&asked, self.orders.get()) else { return };
        let first = found.len();
        found.resize(first + puzzles.len(), NOTHING);
        for (at, answer) in unique.into_iter().zip(answers) {
            found[first + at] = answer;
        }
    }
}
