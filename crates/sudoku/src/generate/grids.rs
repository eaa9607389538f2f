//! Full grids.

use crate::isomorph::Transformation;
use crate::puzzle::{CELLS, Puzzle, Solution};
use crate::random::Random;
use crate::simd::{Level, LevelError};
use crate::solver::{Auto, Question, Solver};

/// Makes full grids. One for each thread.
///
/// ```
/// use sudobench_sudoku::Puzzle;
/// use sudobench_sudoku::generate::Grids;
/// use sudobench_sudoku::random::Random;
///
/// let grid = Grids::default().grid(&mut Random::of_stream(1, 0));
/// assert_eq!(grid.check(&Puzzle::EMPTY), Ok(()));
/// assert_eq!(grid, Grids::default().grid(&mut Random::of_stream(1, 0)));
/// ```
#[derive(Debug, Default)]
pub struct Grids {
    solver: Auto,
}

impl Grids {
    /// The same with vectors of that width.
    ///
    /// # Errors
    /// [`LevelError::Unsupported`] where the CPU lacks the level.
    pub fn new(level: Level) -> Result<Grids, LevelError> {
        Ok(Grids { solver: Auto::new(level)? })
    }

    /// Draws a full grid. What is drawn depends on `random` alone.
    pub fn grid(&mut self, random: &mut Random) -> Solution {
        let mut values = [0; CELLS];
        for corner in [0, 30, 60] {
            let mut digits = [1, 2, 3, 4, 5, 6, 7, 8, 9];
            random.shuffle(&mut digits);
            (0..9).for_each(|place| values[corner + place / 3 * 9 + place % 3] = digits[place]);
        }
        let mut puzzle = Puzzle::EMPTY;
        *puzzle.values_mut() = values;
        let grid = self.solver.solve(&puzzle, &Question::first()).solution.unwrap_or(Solution::ONES);
        Transformation::random(random).apply_to_solution(&grid)
    }
}
