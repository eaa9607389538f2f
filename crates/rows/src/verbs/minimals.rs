//! `minimals`: writes a row for each minimal puzzle that is found inside a puzzle. By default, the search finds the smallest minimal
//! puzzles, up to a limit. With `--random`, it removes clues in random orders, and finds the minimal puzzle at the end of each order.

use std::num::NonZeroU64;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sudobench_sudoku::Puzzle;
use sudobench_sudoku::minimals::Minimals;
use sudobench_sudoku::simd::{Level, LevelError};

use super::{RowVerb, Verb, number};
use crate::columns;
use crate::draw_key;
use crate::expand::{Expand, Finder, Found, in_memory};
use crate::facts::{Need, PuzzlesOfBlock};
use crate::option_error::OptionError;

/// Finds the minimal puzzles inside puzzles.
pub const MINIMALS: Verb = Verb {
    name: "minimals",
    summary: "Find the minimal puzzles inside each puzzle, one per output row",
    columns: &columns::MINIMALS,
    default: &[columns::MINIMALS[0], columns::MINIMALS[1]],
    grid: columns::MINIMALS[0],
    notes: &[
        "What is found:
  A minimal puzzle inside another puzzle has some or all of that puzzle's clues, the same solution, and no redundant clue. Each input row is repeated for each \
minimal puzzle. A row without a minimal puzzle (malformed, or not exactly one solution) is written once, without a result. A puzzle with many clues can \
have more minimal puzzles than can be listed: if there are more than --limit-per-puzzle, the column `complete` is `no`, and the report counts such input rows. Minimal puzzles of \
--random are not equally likely: puzzles with few clues are found more often. With --random, `complete` is `no` even if all were found.",
        "Memory and duplicates:
  The results of a row are kept in memory until they are written, about 100 KB for a thousand puzzles, or 300 KB with \
--random. Parquet and Arrow need more. Different rows may have the same \
minimal puzzle: pipe the output through `sudobench dedupe`, with --isomorph to remove equivalent puzzles as well.",
    ],
    examples: &[
        "sudobench minimals puzzles.csv -o minimals.csv",
        "sudobench minimals easy.csv --random 1 -o minimal.txt",
        "sudobench minimals puzzles.txt --limit-per-puzzle 100000 --columns minimal,complete -o m.parquet",
        "sudobench minimals puzzles.txt --output-format lines -q | sudobench dedupe --isomorph -o m.csv",
    ],
    ..Verb::BASE
};

/// The options of `minimals`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "clap", derive(clap::Args), command(next_help_heading = "Minimal puzzles"))]
pub struct MinimalsOptions {
    /// Maximum number of minimal puzzles for each puzzle; the smallest ones are written, in ascending order
    ///
    /// Puzzles are compared as numbers of 81 digits, where a blank is 0.
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", value_parser = crate::values::at_least_one::<NonZeroU64>, default_value_t = MinimalsOptions::default().limit_per_puzzle))]
    pub limit_per_puzzle: NonZeroU64,
    /// Remove clues in N random orders instead of finding the smallest minimal puzzles
    ///
    /// If several orders lead to the same minimal puzzle, it is written once.
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", value_parser = crate::values::at_least_one::<NonZeroU64>))]
    pub random: Option<NonZeroU64>,
    /// Seed of the random orders, and of --sample
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", value_parser = crate::values::count::<u64>, default_value_t = MinimalsOptions::default().seed))]
    pub seed: u64,
}

impl Default for MinimalsOptions {
    fn default() -> MinimalsOptions {
        MinimalsOptions { limit_per_puzzle: number(1000), random: None, seed: 1 }
    }
}

impl RowVerb for MinimalsOptions {
    fn check(&self) -> Result<(), OptionError> {
        if self.random.is_some() && self.limit_per_puzzle != MinimalsOptions::default().limit_per_puzzle {
            let message =
                "--random already sets the number of minimal puzzles: leave out one of the two options";
            return Err(OptionError::new(message).about("limit_per_puzzle"));
        }
        Ok(())
    }

    fn seed(&self) -> Option<u64> {
        Some(self.seed)
    }

    fn draws(&self) -> bool {
        self.random.is_some()
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

    fn finder(&self, level: Level, cancel: &Arc<AtomicBool>) -> Result<Option<Box<dyn Finder>>, LevelError> {
        let minimals = Minimals::new(level)?.cancel(Arc::clone(cancel));
        Ok(Some(match self.random {
            Some(orders) => Box::new(RandomMinimals { minimals, orders, seed: self.seed }),
            None => Box::new(SmallestMinimals { minimals, limit: in_memory(self.limit_per_puzzle) }),
        }))
    }
}

/// Finds the first `limit` minimal puzzles inside each puzzle, in the order of their texts.
struct SmallestMinimals {
    minimals: Minimals,
    limit: usize,
}

impl Finder for SmallestMinimals {
    fn find(&mut self, block: &PuzzlesOfBlock, found: &mut Vec<Found>) {
        let of = |at: usize| match block.unique_solution(at) {
            Some(_) => self.minimals.smallest(&block.puzzles[at], self.limit).map(Found::Puzzles),
            None => Some(Found::NOTHING),
        };
        found.extend((0..block.puzzles.len()).map_while(of));
    }
}

/// Finds minimal puzzles by removing clues in random orders.
///
/// The result of each order depends only on the seed, the puzzle and the index of the order, and is the same in every version. So equal
/// puzzles have equal results.
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
        // All orders of all puzzles are processed in one call, because this fills the lanes of the SIMD vectors.
        let Some(answers) = self.minimals.random(&asked, self.orders.get()) else { return };
        let first = found.len();
        found.resize(first + puzzles.len(), Found::NOTHING);
        for (at, answer) in unique.into_iter().zip(answers) {
            found[first + at] = Found::Puzzles(answer);
        }
    }
}
