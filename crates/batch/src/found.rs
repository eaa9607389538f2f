//! Rows that become one for each puzzle that is found for theirs.
//!
//! ```text
//! row -> its puzzle -> the minimal puzzles in it, or its neighbours -> for each: the row as it is, with that puzzle in a column -> sink
//! ```
//! A row for which nothing is found comes out once. What is found for a row is found as a whole before it is written: an interrupt gives
//! the row up, and memory is that of the rows that come out of a block. So the more may be found for a row, the fewer rows a block has.

use std::num::NonZeroU64;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use serde::{Deserialize, Serialize};
use sudobench_sudoku::Puzzle;
use sudobench_sudoku::minimals::{Found, Minimals};
use sudobench_sudoku::simd::{Level, LevelError};
use sudobench_sudoku::vicinity::{Distance, Vicinity};

use crate::facts::{Need, PuzzlesOfBlock};
use crate::{as_text, draw_key};

/// What is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Find {
    /// The minimal puzzles inside each puzzle, in ascending order.
    Minimals {
        /// So many of a puzzle at most: the first.
        #[serde(rename = "limit_per_puzzle")]
        limit: NonZeroU64,
    },
    /// Minimal puzzles that are left where clues are taken out in random orders.
    ///
    /// The seed, the puzzle and the number of the order decide, in every version: equal puzzles become equal ones.
    RandomMinimals {
        /// The orders. Several may leave the same puzzle, which comes out once.
        #[serde(rename = "random")]
        count: NonZeroU64,
        /// Decides which.
        seed: u64,
    },
    /// The neighbours of each puzzle, of isomorphic ones the first.
    Vicinity {
        /// How far away.
        #[serde(with = "as_text")]
        distance: Distance,
        /// Whether only minimal ones are wanted.
        minimal: bool,
        /// So many of a puzzle at most: the first.
        #[serde(rename = "limit_per_puzzle")]
        limit: NonZeroU64,
    },
}

impl Find {
    /// The rows that come out for one, at most.
    pub(crate) fn most(&self) -> u64 {
        match self {
            Find::Minimals { limit } | Find::Vicinity { limit, .. } => limit.get(),
            Find::RandomMinimals { count, .. } => count.get(),
        }
    }

    /// Returns the facts that have to be known before.
    pub(crate) fn needs(&self) -> &'static [Need] {
        match self {
            Find::Minimals { .. } | Find::RandomMinimals { .. } => &[Need::Outcome],
            Find::Vicinity { .. } => &[],
        }
    }
}

/// Finds them. One for each thread.
pub(crate) enum Finder {
    Minimals(Minimals, NonZeroU64),
    RandomMinimals(Minimals, NonZeroU64, u64),
    Vicinity(Box<Vicinity>, Distance, bool, NonZeroU64),
}

impl Finder {
    pub(crate) fn new(find: Find, level: Level, cancel: &Arc<AtomicBool>) -> Result<Finder, LevelError> {
        let minimals = || Ok(Minimals::new(level)?.cancel(Arc::clone(cancel)));
        Ok(match find {
            Find::Minimals { limit } => Finder::Minimals(minimals()?, limit),
            Find::RandomMinimals { count, seed } => Finder::RandomMinimals(minimals()?, count, seed),
            Find::Vicinity { distance, minimal, limit } => {
                let vicinity = Vicinity::new(level)?.cancel(Arc::clone(cancel));
                Finder::Vicinity(Box::new(vicinity), distance, minimal, limit)
            }
        })
    }

    /// Adds what is found for each puzzle to `found`. Ends before the first puzzle for which the search is cancelled.
    pub(crate) fn find(&mut self, block: &PuzzlesOfBlock, found: &mut Vec<Found>) {
        let puzzles = block.puzzles;
        let is_unique = |at: usize| block.unique_solution(at).is_some();
        match self {
            Finder::Minimals(minimals, limit) => {
                let limit = bounded(*limit);
                let of = |at: usize| match is_unique(at) {
                    true => minimals.smallest(&puzzles[at], limit),
                    false => Some(NONE),
                };
                found.extend((0..puzzles.len()).map_while(of));
            }
            Finder::RandomMinimals(minimals, count, seed) => {
                let unique: Vec<usize> = (0..puzzles.len()).filter(|&at| is_unique(at)).collect();
                let asked: Vec<(Puzzle, u64)> =
                    unique.iter().map(|&at| (puzzles[at], draw_key(&puzzles[at]).seeded(*seed))).collect();
                let Some(answers) = minimals.random(&asked, count.get()) else { return };
                let first = found.len();
                found.resize(first + puzzles.len(), NONE);
                for (at, answer) in unique.into_iter().zip(answers) {
                    found[first + at] = answer;
                }
            }
            Finder::Vicinity(vicinity, distance, minimal, limit) => {
                let limit = bounded(*limit);
                found.extend(
                    puzzles.iter().map_while(|puzzle| vicinity.of(puzzle, *distance, *minimal, limit)),
                );
            }
        }
    }
}

/// What there is in a puzzle that has not exactly one solution.
const NONE: Found = Found { puzzles: Vec::new(), is_complete: true };

fn bounded(limit: NonZeroU64) -> usize {
    usize::try_from(limit.get()).unwrap_or(usize::MAX)
}
