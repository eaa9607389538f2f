//! Full grids.
//!
//! ```text
//!   1 1 1    the first band is drawn evenly, then the first stack evenly among those with its first box; both in closed form
//!   1 . .    the other four boxes are the first completion that the solver finds: of some 2,700, on average
//!   1 . .    and all is mixed by a random equivalent form
//! ```
//! So all equivalent forms of a grid are equally likely, and what bias there is lies between grids that are essentially different: a band and
//! stack with few completions is drawn as often as one with many, and which completion the solver finds first is not drawn at all.

use crate::isomorph::Transformation;
use crate::puzzle::{Puzzle, Solution};
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
        loop {
            let puzzle = first_band_and_stack(random);
            if let Some(grid) = self.solver.solve(&puzzle, &Question::first()).solution {
                return Transformation::random(random).apply_to_solution(&grid);
            }
        }
    }
}

/// Five boxes: the first band, as likely as any other, and the first stack, as likely as any other with that first box.
fn first_band_and_stack(random: &mut Random) -> Puzzle {
    let mut digits = [1, 2, 3, 4, 5, 6, 7, 8, 9];
    random.shuffle(&mut digits);
    let rows: Lines = std::array::from_fn(|row| std::array::from_fn(|column| digits[3 * row + column]));
    let columns: Lines = std::array::from_fn(|column| std::array::from_fn(|row| rows[row][column]));
    let mut puzzle = Puzzle::EMPTY;
    let values = puzzle.values_mut();
    for (at, lines) in [rows].into_iter().chain(two_beside(&rows, random)).enumerate() {
        for (row, digits) in lines.iter().enumerate() {
            values[9 * row + 3 * at..][..3].copy_from_slice(digits);
        }
    }
    for (at, lines) in (1..).zip(two_beside(&columns, random)) {
        for (column, digits) in lines.iter().enumerate() {
            (0..3).for_each(|row| values[27 * at + 9 * row + column] = digits[row]);
        }
    }
    puzzle
}

/// The three lines of a box, each with its three digits in order.
type Lines = [[u8; 3]; 3];

/// Draws the two other boxes of a band, line by line, each of the 56 x 6^6 pairs as likely as any other.
///
/// ```text
///   of a line's digits k go to the next line of the second box, the others to the one after; in the third box it is the other way round
///     a b c | . . .      k is the same for all three lines, for each line to be full: there are C(3, k)^3 ways, which makes
///     d e f | a b .      1 + 27 + 27 + 1 = 56
///     g h i | c . .
/// ```
fn two_beside(lines: &Lines, random: &mut Random) -> [Lines; 2] {
    let to_next = match random.below(56) {
        0 => 0,
        1..28 => 1,
        28..55 => 2,
        _ => 3,
    };
    let mut boxes = [[[0; 3]; 3]; 2];
    for (line, digits) in lines.iter().enumerate() {
        let mut digits = *digits;
        random.shuffle(&mut digits);
        let (next, after) = ((line + 1) % 3, (line + 2) % 3);
        for (at, &digit) in digits.iter().enumerate() {
            // A line takes the first places from one line, and the others from another.
            let (second, third) = if at < to_next { (next, after) } else { (after, next) };
            boxes[0][second][at] = digit;
            boxes[1][third][at] = digit;
        }
    }
    boxes.iter_mut().flatten().for_each(|digits| random.shuffle(digits));
    boxes
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn each_way_to_fill_the_lines_beside_a_box_is_drawn_about_as_often() {
        const EACH: usize = 200;
        let mut random = Random::new(16);
        let mut drawn = BTreeMap::<[[u8; 3]; 3], usize>::new();
        for _ in 0..56 * EACH {
            let lines = [[1, 2, 3], [4, 5, 6], [7, 8, 9]];
            let boxes = two_beside(&lines, &mut random);
            for line in 0..3 {
                let mut all = [lines[line], boxes[0][line], boxes[1][line]].concat();
                all.sort_unstable();
                assert_eq!(all, [1, 2, 3, 4, 5, 6, 7, 8, 9]);
            }
            let sets = boxes[0].map(|mut digits| {
                digits.sort_unstable();
                digits
            });
            *drawn.entry(sets).or_default() += 1;
        }
        assert_eq!(drawn.len(), 56);
        // Chi square with 55 degrees of freedom: 55 +- 10.5.
        let squares = drawn.values().map(|count| count.abs_diff(EACH).pow(2)).sum::<usize>();
        assert!(squares < 97 * EACH, "{squares} / {EACH}");
    }

    #[test]
    fn the_five_boxes_contradict_each_other_nowhere() {
        let mut random = Random::new(17);
        for _ in 0..1_000 {
            let puzzle = first_band_and_stack(&mut random);
            assert_eq!((puzzle.clues(), puzzle.conflict()), (45, None));
        }
    }
}
