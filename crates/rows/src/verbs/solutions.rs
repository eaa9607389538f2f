//! `solutions`: writes a row for each solution of a puzzle, up to a limit.

use std::num::NonZeroU64;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sudobench_sudoku::simd::{Level, LevelError};
use sudobench_sudoku::solver::Solutions;
use sudobench_sudoku::{Puzzle, minimals};

use super::{RowVerb, Verb, number};
use crate::columns::{self, Column};
use crate::expand::{Expand, Finder, Found, in_memory};
use crate::facts::PuzzlesOfBlock;

const SOLUTION: Column =
    columns::found_puzzle("solution", "a solution of the row's puzzle, 81 digits; empty if there is none");

/// All columns, in the order in which `--columns all` writes them.
const COLUMNS: [Column; 5] =
    [SOLUTION, columns::FOUND_NUMBER, columns::FOUND_COMPLETE, columns::PROVED_STATUS, columns::NOTE];

/// Lists the solutions of puzzles.
pub const SOLUTIONS: Verb = Verb {
    name: "solutions",
    summary: "List all solutions of each puzzle, one per row",
    columns: &COLUMNS,
    default: &[COLUMNS[0], COLUMNS[1]],
    grid: SOLUTION,
    notes: &[
        "What is listed:
  Solutions are listed in ascending order, as numbers of 81 digits. Each input row is repeated for each solution. A row without solutions (malformed, \
or no solution) is written once, without a result. A puzzle can have more solutions than can be listed: if there are more than \
--limit-per-puzzle, the column `complete` is `no`, and the report counts such input rows. To count solutions without listing them, use `sudobench solve --max-solutions N \
--columns count`.",
        "Memory:
  The results of a row are kept in memory until they are written, about 100 KB for a thousand solutions. Parquet and Arrow need more.",
    ],
    examples: &[
        "sudobench solutions multiple.csv -o solutions.csv",
        "sudobench solutions puzzles.txt --limit-per-puzzle 100000 --columns all -o all.parquet",
        "sudobench solutions puzzles.csv --output-format lines -q | sudobench canonical",
    ],
    ..Verb::BASE
};

/// The options of `solutions`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "clap", derive(clap::Args), command(next_help_heading = "Solutions"))]
pub struct SolutionsOptions {
    /// Maximum number of solutions to list for each puzzle: the smallest ones, read as numbers of 81 digits
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", value_parser = crate::values::at_least_one::<NonZeroU64>, default_value_t = SolutionsOptions::default().limit_per_puzzle))]
    pub limit_per_puzzle: NonZeroU64,
}

impl Default for SolutionsOptions {
    fn default() -> SolutionsOptions {
        SolutionsOptions { limit_per_puzzle: number(1000) }
    }
}

impl RowVerb for SolutionsOptions {
    fn expansion(&self) -> Option<Arc<dyn Expand>> {
        Some(Arc::new(self.clone()))
    }
}

impl Expand for SolutionsOptions {
    fn stored(&self) -> Value {
        json!({ SOLUTIONS.name: self })
    }

    fn name(&self) -> &'static str {
        "solutions"
    }

    fn most(&self) -> NonZeroU64 {
        self.limit_per_puzzle
    }

    fn finder(&self, level: Level, cancel: &Arc<AtomicBool>) -> Result<Option<Box<dyn Finder>>, LevelError> {
        // Checks the SIMD level now, so that a run fails before the first row if the CPU lacks the level.
        Solutions::new(level, &Puzzle::EMPTY)?;
        let (limit, cancel) = (in_memory(self.limit_per_puzzle), Arc::clone(cancel));
        Ok(Some(Box::new(SolutionsFinder { level, limit, cancel })))
    }
}

struct SolutionsFinder {
    level: Level,
    limit: usize,
    cancel: Arc<AtomicBool>,
}

impl SolutionsFinder {
    /// Returns the smallest solutions of a puzzle in ascending order, at most `limit` of them. `None` if the run is cancelled.
    fn smallest(&self, puzzle: &Puzzle) -> Option<minimals::PuzzleList> {
        let mut solutions = Solutions::new(self.level, puzzle).ok()?;
        let mut puzzles = Vec::new();
        loop {
            if self.cancel.load(Ordering::Relaxed) {
                return None;
            }
            match solutions.next() {
                // A solution beyond the limit shows that there are more.
                Some(_) if puzzles.len() == self.limit => {
                    return Some(minimals::PuzzleList { puzzles, is_complete: false });
                }
                Some(solution) => puzzles.push(solution.into()),
                None => return Some(minimals::PuzzleList { puzzles, is_complete: true }),
            }
        }
    }
}

impl Finder for SolutionsFinder {
    fn find(&mut self, block: &PuzzlesOfBlock, found: &mut Vec<Found>) {
        found.extend(block.puzzles.iter().map_while(|puzzle| self.smallest(puzzle).map(Found::Puzzles)));
    }
}
