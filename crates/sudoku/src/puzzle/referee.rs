//! The referee: checks a solution against its puzzle. It uses no code and no table of a solver.

use super::{CELLS, Cells, Puzzle, Solution};

/// Reasons why the referee rejected a solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RefereeError {
    /// In this cell, counted from 0, the digit of the solution differs from the clue.
    #[error("{} differs from the clue", Cells::from_iter([*.0]))]
    Clue(usize),
    /// A unit of this kind (row, column or box) lacks a digit.
    #[error("a {0} does not hold every digit once")]
    Unit(&'static str),
}

impl Solution {
    /// Checks that the grid keeps every clue of `puzzle`, and that each row, column and box holds each digit once.
    /// Uses no code and no table of a solver.
    ///
    /// # Errors
    /// [`RefereeError`] with the first cell that differs from its clue, or with a kind of unit (row, column or box) that lacks a digit.
    ///
    /// ```
    /// use sudobench_sudoku::{Puzzle, RefereeError, Solution, solve};
    /// let solution = solve(&Puzzle::EMPTY).solution.unwrap();
    /// assert_eq!(solution.check(&Puzzle::EMPTY), Ok(()));
    /// let puzzle: Puzzle = format!("{:.<81}", "2").parse()?;
    /// assert_eq!(solution.check(&puzzle), Err(RefereeError::Clue(0)));
    /// # Ok::<(), sudobench_sudoku::PuzzleError>(())
    /// ```
    #[inline(always)] // a caller that is compiled for wide vectors compiles this code for them too
    pub fn check(&self, puzzle: &Puzzle) -> Result<(), RefereeError> {
        const ALL: u16 = 0b11_1111_1110;
        let mut differs = 0;
        for (&clue, &digit) in puzzle.values().iter().zip(self.values()) {
            differs |= u8::from(clue != 0) & u8::from(clue != digit);
        }
        if differs != 0 {
            return Err(self.first_changed_clue(puzzle));
        }
        let (mut columns, mut rows_complete, mut boxes_complete) = ([0u16; 9], true, true);
        for band in self.values().as_chunks::<27>().0 {
            let mut minirows = [[0u16; 3]; 3];
            for (row, minirow) in band.as_chunks::<9>().0.iter().zip(&mut minirows) {
                let bits = row.map(|digit| 1u16 << (digit & 15));
                columns.iter_mut().zip(bits).for_each(|(column, bit)| *column |= bit);
                *minirow = [0, 3, 6].map(|at| bits[at] | bits[at + 1] | bits[at + 2]);
                rows_complete &= minirow[0] | minirow[1] | minirow[2] == ALL;
            }
            boxes_complete &=
                (0..3).all(|stack| minirows.iter().fold(0, |seen, minirow| seen | minirow[stack]) == ALL);
        }
        match (rows_complete, columns.iter().all(|&seen| seen == ALL), boxes_complete) {
            (true, true, true) => Ok(()),
            (false, _, _) => Err(RefereeError::Unit("row")),
            (_, false, _) => Err(RefereeError::Unit("column")),
            (_, _, false) => Err(RefereeError::Unit("box")),
        }
    }

    #[cold]
    fn first_changed_clue(&self, puzzle: &Puzzle) -> RefereeError {
        let changed = |&cell: &usize| puzzle[cell] != 0 && puzzle[cell] != self[cell];
        RefereeError::Clue((0..CELLS).find(changed).unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    const SOLVED: &[u8; 81] =
        b"483921657967345821251876493548132976729564138136798245372689514814253769695417382";

    #[test]
    fn the_referee_finds_each_kind_of_fault() {
        let solved = Solution::from_text(SOLVED).unwrap();
        assert_eq!(solved.check(&Puzzle::EMPTY), Ok(()));
        let mut clue = [0; CELLS];
        clue[80] = 1;
        assert_eq!(solved.check(&Puzzle::try_from(clue).unwrap()), Err(RefereeError::Clue(80)));
        for cell in 0..CELLS {
            let mut wrong = *solved.values();
            wrong[cell] = wrong[cell] % 9 + 1;
            assert!(
                Solution::try_from(wrong).unwrap().check(&Puzzle::EMPTY).is_err(),
                "cell {cell} changed unnoticed"
            );
        }
        let row_kept: [u8; CELLS] = std::array::from_fn(|cell| (cell % 9) as u8 + 1);
        assert_eq!(
            Solution::try_from(row_kept).unwrap().check(&Puzzle::EMPTY),
            Err(RefereeError::Unit("column"))
        );
        let latin: [u8; CELLS] = std::array::from_fn(|cell| ((cell / 9 + cell % 9) % 9) as u8 + 1);
        assert_eq!(Solution::try_from(latin).unwrap().check(&Puzzle::EMPTY), Err(RefereeError::Unit("box")));
    }

    #[test]
    fn the_referee_agrees_with_sets_on_grids_of_any_digits() {
        use std::collections::BTreeSet;
        let solved = *Solution::from_text(SOLVED).unwrap().values();
        let mut random = Random::new(1);
        for round in 0..20_000 {
            let mut grid = solved;
            for _ in 0..round % 5 {
                let (a, b) = (random.below(CELLS), random.below(CELLS));
                if round % 2 == 0 { grid.swap(a, b) } else { grid[a] = random.below(9) as u8 + 1 }
            }
            let whole = |cells: &dyn Fn(usize) -> usize| {
                (0..9).map(|i| grid[cells(i)]).collect::<BTreeSet<_>>().len() == 9
            };
            let is_right = (0..9).all(|unit| {
                whole(&|i| unit * 9 + i)
                    && whole(&|i| i * 9 + unit)
                    && whole(&|i| (unit / 3 * 3 + i / 3) * 9 + unit % 3 * 3 + i % 3)
            });
            assert_eq!(Solution::try_from(grid).unwrap().check(&Puzzle::EMPTY).is_ok(), is_right, "{grid:?}");
        }
    }
}
