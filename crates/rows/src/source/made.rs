//! Generated puzzles as a source. The puzzles of a seed are numbered from 0, and each row has one of these puzzles.
//!
//! Blocks hold ranges of numbers, and workers generate the puzzles. So puzzles that an earlier run has written are not generated again, and
//! block boundaries have no effect on the puzzles.

use std::ops::Range;
use std::sync::Arc;

use sudobench_sudoku::generate::{Generated, Plan};

use super::block::Block;
use super::csv::{CsvHeader, CsvLayout};
use crate::shard::{Cut, Shard, Span};

/// The recipe of generated puzzles.
#[derive(Clone, Debug)]
pub struct Recipe {
    /// The request for puzzles.
    pub plan: Arc<Plan>,
    /// The seed.
    pub seed: u64,
}

/// Minimum number of blocks of a run, so that even a short run uses many threads. If a run has fewer puzzles, each puzzle is a block. A
/// shard or a resumed run may have fewer blocks.
const FEWEST_BLOCKS: u64 = 32;

impl Recipe {
    /// Returns the layout: rows with one column, the puzzle.
    pub(super) fn layout(delimiter: u8) -> CsvLayout {
        let name = b"puzzle".to_vec();
        CsvLayout {
            delimiter,
            header: Some(CsvHeader { names: vec![name.clone()], text: name }),
            columns: 1,
            puzzle_column: 0,
            solution_column: None,
            restores_zeros: false,
        }
    }
}

/// A source of generated puzzles: the recipe, and the numbers of the puzzles that are left.
#[derive(Clone, Debug)]
pub(super) struct MadeRows {
    recipe: Recipe,
    /// The range of puzzle numbers of the whole run.
    all: Range<u64>,
    left: Range<u64>,
}

impl MadeRows {
    pub(super) fn new(recipe: Recipe, numbers: Range<u64>) -> MadeRows {
        MadeRows { recipe, all: numbers.clone(), left: numbers }
    }

    pub(super) fn recipe(&self) -> &Recipe {
        &self.recipe
    }

    pub(super) fn left(&self) -> u64 {
        self.left.end.saturating_sub(self.left.start)
    }

    pub(super) fn skip(&mut self, rows: u64) {
        self.left.start = self.left.start.saturating_add(rows).min(self.left.end);
    }

    /// Removes all puzzles outside a shard. Returns the part of the puzzles that the shard has.
    pub(super) fn restrict_to(&mut self, shard: Shard) -> Span {
        let rows = self.left();
        let first = self.all.start;
        let cut = |at: u64| if at < rows { Cut { input: 0, at } } else { Cut { input: 1, at: 0 } };
        let (start, end) = (shard.start_in(rows), shard.end_in(rows));
        let line = |at: u64| first.saturating_add(at).saturating_add(1);
        self.left = first + start.min(rows)..first + end.unwrap_or(rows).min(rows);
        Span {
            start: cut(start),
            start_line: Some(line(start)),
            end: end.map(cut),
            end_line: end.map_or(1, line),
        }
    }

    /// Returns the next block, which holds only the numbers of its puzzles, not their text. Returns `None` after the last puzzle.
    pub(super) fn next_block(&mut self, bytes: Vec<u8>) -> Option<Block> {
        let start = self.left.start;
        let share = (self.all.end - self.all.start) / FEWEST_BLOCKS;
        let rows = share.clamp(1, self.recipe.plan.numbers_at_once()).min(self.left());
        if rows == 0 {
            return None;
        }
        self.skip(rows);
        let first_line = start.saturating_add(1);
        Some(Block { first_line, bytes, made: Some(start..start + rows), ..Block::default() })
    }
}

pub(crate) fn write_rows(made: &[Generated], bytes: &mut Vec<u8>) {
    bytes.clear();
    for Generated { puzzle, .. } in made {
        bytes.extend_from_slice(&puzzle.text());
        bytes.push(b'\n');
    }
}
