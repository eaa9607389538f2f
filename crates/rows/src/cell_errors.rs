//! Counts wrong predictions cell by cell.

use serde::{Deserialize, Serialize};
use sudobench_sudoku::Puzzle;
use sudobench_sudoku::puzzle::CELLS;
use sudobench_sudoku::score::ScoreBlock;

use crate::counts::Counts;

/// A number for each cell, row by row.
pub type CellCounts = Counts<CELLS>;

/// Counts for each cell: in how many puzzles it is a clue or a blank, and in how many of these puzzles the prediction is wrong in this
/// cell. Only predictions that were compared with the solution are counted. A prediction that cannot be read is wrong in all cells.
///
/// Clues and blanks are counted separately. Most models copy the clues, so with one count for both, errors would seem rare in cells that
/// are often clues.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CellErrors {
    /// Puzzles in which the cell is a clue.
    pub clues: CellCounts,
    /// Puzzles in which the cell is a clue, and the prediction has another digit there, or none.
    pub wrong_clues: CellCounts,
    /// Puzzles in which the cell is blank.
    pub blanks: CellCounts,
    /// Puzzles in which the cell is blank, and the prediction is wrong there.
    pub wrong_blanks: CellCounts,
}

/// Sums the errors of predictions. For the newest rows (at most 255), the counts are bytes, so that the compiler can use vector
/// instructions to add a row.
#[derive(Clone, Debug)]
pub struct CellErrorSums {
    all: CellErrors,
    /// Number of blanks, of wrong blanks and of wrong clues in each cell, for the newest rows. These rows are not in `all` yet.
    last: [[u8; CELLS]; 3],
    /// Number of rows that `last` counts.
    rows: u8,
}

impl Default for CellErrorSums {
    fn default() -> CellErrorSums {
        CellErrorSums { all: CellErrors::default(), last: [[0; CELLS]; 3], rows: 0 }
    }
}

impl CellErrorSums {
    /// Adds a prediction for a puzzle. `wrong` states for each cell whether the prediction differs from the solution there.
    #[inline]
    pub fn add(&mut self, puzzle: &Puzzle, wrong: &[bool; CELLS]) {
        if self.rows == u8::MAX {
            self.flush();
        }
        self.rows += 1;
        let [blanks, wrong_blanks, wrong_clues] = &mut self.last;
        let clues = puzzle.values();
        blanks.iter_mut().zip(clues).for_each(|(blanks, &clue)| *blanks += u8::from(clue == 0));
        // A loop without an early end, so that the compiler can use vector instructions.
        if !wrong.iter().fold(false, |any, &is_wrong| any | is_wrong) {
            return;
        }
        for (cell, (&clue, &is_wrong)) in clues.iter().zip(wrong).enumerate() {
            wrong_blanks[cell] += u8::from(clue == 0 && is_wrong);
            wrong_clues[cell] += u8::from(clue != 0 && is_wrong);
        }
    }

    /// Adds a block of predictions, in which the errors of each cell are already counted.
    pub fn add_block(&mut self, block: &ScoreBlock) {
        for cell in 0..CELLS {
            let blanks = u64::from(block.blanks_by_cell[cell]);
            self.all.clues.0[cell] += block.rows as u64 - blanks;
            self.all.wrong_clues.0[cell] += u64::from(block.wrong_clues_by_cell[cell]);
            self.all.blanks.0[cell] += blanks;
            self.all.wrong_blanks.0[cell] += u64::from(block.wrong_blanks_by_cell[cell]);
        }
    }

    fn flush(&mut self) {
        let [blanks, wrong_blanks, wrong_clues] = self.last;
        for cell in 0..CELLS {
            self.all.clues.0[cell] += u64::from(self.rows - blanks[cell]);
            self.all.wrong_clues.0[cell] += u64::from(wrong_clues[cell]);
            self.all.blanks.0[cell] += u64::from(blanks[cell]);
            self.all.wrong_blanks.0[cell] += u64::from(wrong_blanks[cell]);
        }
        (self.last, self.rows) = ([[0; CELLS]; 3], 0);
    }

    /// Returns the sums.
    pub fn finish(mut self) -> CellErrors {
        self.flush();
        self.all
    }
}

impl CellErrors {
    /// Adds the counts of other rows.
    pub fn merge(&mut self, other: &CellErrors) {
        self.clues.add(&other.clues);
        self.wrong_clues.add(&other.wrong_clues);
        self.blanks.add(&other.blanks);
        self.wrong_blanks.add(&other.wrong_blanks);
    }
}

#[cfg(test)]
mod tests {
    use sudobench_sudoku::score::score_if_solved;
    use sudobench_sudoku::simd::Level;
    use sudobench_sudoku::solve;

    use super::*;

    #[test]
    fn counts_are_those_of_every_row_and_are_merged() {
        let mut cells = [0; CELLS];
        cells[1] = 5;
        let puzzle = Puzzle::try_from(cells).unwrap();
        let mut wrong = [false; CELLS];
        (wrong[0], wrong[1]) = (true, true);
        let (mut sums, right) = (CellErrorSums::default(), [false; CELLS]);
        // More rows than a byte can count.
        for row in 0..1_000 {
            sums.add(&puzzle, if row % 4 == 0 { &wrong } else { &right });
        }
        let errors = sums.finish();
        let of = |cell: usize| {
            let CellErrors { clues, wrong_clues, blanks, wrong_blanks } = &errors;
            [clues, wrong_clues, blanks, wrong_blanks].map(|counts| counts.0[cell])
        };
        assert_eq!([of(0), of(1), of(2)], [[0, 0, 1_000, 250], [1_000, 250, 0, 0], [0, 0, 1_000, 0]]);
        let mut twice = errors;
        twice.merge(&errors);
        assert_eq!((twice.blanks.0[80], twice.wrong_clues.0[1]), (2_000, 500));
        let text = serde_json::to_string(&errors).unwrap();
        assert_eq!(serde_json::from_str::<CellErrors>(&text).unwrap(), errors);
        let short = serde_json::from_str::<CellCounts>("[1, 2]").unwrap_err().to_string();
        assert!(short.contains("2 counts instead of 81"), "{short}");
    }

    #[test]
    fn blocks_have_the_errors_of_their_rows() {
        let solution = solve(&Puzzle::EMPTY).solution.unwrap();
        // Some puzzles without blanks and some right predictions are among the rows. The last block is not full.
        let grid = |cells: &dyn Fn(usize, u8) -> u8| {
            let mut grid = *solution.values();
            grid.iter_mut().enumerate().for_each(|(cell, value)| *value = cells(cell, *value));
            Puzzle::try_from(grid).unwrap()
        };
        let puzzles = (0..150).map(|row| grid(&|cell, value| if (row * cell) % 7 < 3 { value } else { 0 }));
        let predictions = (0..150).map(|row| {
            grid(&|cell, value| if row < 64 || (row + cell) % 5 > 0 { value } else { (cell % 10) as u8 })
        });
        let (puzzles, predictions) = (puzzles.collect::<Vec<_>>(), predictions.collect::<Vec<_>>());
        let solutions = vec![Puzzle::from(solution); puzzles.len()];
        let mut rows = CellErrorSums::default();
        for (puzzle, prediction) in puzzles.iter().zip(&predictions) {
            let wrong = std::array::from_fn(|cell| prediction[cell] != solution.values()[cell]);
            rows.add(puzzle, &wrong);
        }
        for &level in Level::ALL {
            let mut blocks = CellErrorSums::default();
            assert!(
                score_if_solved(level, &puzzles, &predictions, &solutions, |block| blocks.add_block(block))
            );
            assert_eq!(blocks.finish(), rows.clone().finish());
        }
    }
}
