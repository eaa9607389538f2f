//! Full grids, drawn uniformly (with a small deviation, see `MOST`).
//!
//! ```text
//!   1 1 1    draw the boxes marked 1: the first band, then the rest of the first stack, both uniformly; this never fails
//!   1 . .    draw one of the completions (completion.rs); keep the grid with a probability in proportion to their number,
//!   1 . .    otherwise draw everything again; with 128 completions or more, the grid is always kept
//! ```

use std::fmt;

use super::completion::{Frame, Lines, SPLITS};
use crate::puzzle::Solution;
use crate::random::Random;
use crate::simd::{self, Build, Kernel, Level, LevelError, Simd};

/// A draw with this number of completions or more is always kept. About one draw in 900 has more completions: see [`Grids`].
const MOST: usize = 128;

/// Draws uniformly from all 6,670,903,752,021,072,936,960 full grids.
///
/// There is a small deviation: about one draw in 900 has more than 128 completions, and is kept as if it had 128. So 0.02 % of the total
/// probability goes to the wrong grids.
///
/// ```
/// use sudobench_sudoku::Puzzle;
/// use sudobench_sudoku::generate::Grids;
/// use sudobench_sudoku::random::Random;
///
/// let grid = Grids::default().grid(&mut Random::from_stream(1, 0));
/// assert_eq!(grid.check(&Puzzle::EMPTY), Ok(()));
/// assert_eq!(grid, Grids::default().grid(&mut Random::from_stream(1, 0)));
/// ```
pub struct Grids(Box<Attempts>);

/// A function that draws a grid uniformly, and returns `None` if the attempt is rejected.
type Attempts = dyn Fn(&mut Random) -> Option<Solution> + Send;

impl Grids {
    /// Makes a generator that uses this SIMD level. The grids don't depend on the level.
    ///
    /// # Errors
    /// [`LevelError::Unsupported`] if the CPU lacks the level.
    pub fn new(level: Level) -> Result<Grids, LevelError> {
        simd::build_at(level, Width)
    }

    /// Draws a full grid. The result depends only on `random`.
    pub fn grid(&mut self, random: &mut Random) -> Solution {
        loop {
            if let Some(grid) = (self.0)(random) {
                return grid;
            }
        }
    }
}

impl Default for Grids {
    fn default() -> Grids {
        simd::build_widest(Width)
    }
}

impl fmt::Debug for Grids {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Grids").finish_non_exhaustive()
    }
}

/// Builds the generator for a vector width.
#[derive(Clone, Copy)]
struct Width;

impl Build for Width {
    type Output = Grids;

    fn build<S: Simd<N>, const N: usize>(self, simd: S) -> Grids {
        Grids(Box::new(move |random| simd.call(Attempt { random })))
    }
}

struct Attempt<'r> {
    random: &'r mut Random,
}

impl Kernel for Attempt<'_> {
    type Output = Option<Solution>;

    #[inline(always)]
    fn run(self) -> Option<Solution> {
        let Attempt { random } = self;
        let drawn = Drawn::draw(random);
        let (completion, number) = drawn.frame().complete(random)?;
        let Drawn { rows, beside, under } = &drawn;
        if random.below(MOST) >= number as usize {
            return None;
        }
        let mut grid = Solution::ONES;
        let values = grid.values_mut();
        for (at, lines) in [rows, &beside[0], &beside[1]].into_iter().enumerate() {
            for (row, digits) in lines.iter().enumerate() {
                (0..3).for_each(|column| values[9 * row + 3 * at + column] = digits[column] + 1);
            }
        }
        for (at, lines) in (1..).zip(under) {
            for (column, digits) in lines.iter().enumerate() {
                (0..3).for_each(|row| values[27 * at + 9 * row + column] = digits[row] + 1);
            }
        }
        for (corner, (rows, columns)) in [30, 33, 57, 60].into_iter().zip(completion) {
            for place in 0..9 {
                let shared = rows[place / 3] & columns[place % 3];
                values[corner + place / 3 * 9 + place % 3] = shared.trailing_zeros() as u8 + 1;
            }
        }
        Some(grid)
    }
}

/// A random first band and first stack: boxes 1, 2 and 3 row by row, boxes 4 and 7 column by column.
struct Drawn {
    rows: Lines,
    beside: [Lines; 2],
    under: [Lines; 2],
}

impl Drawn {
    #[inline(always)]
    fn draw(random: &mut Random) -> Drawn {
        let mut digits = [0, 1, 2, 3, 4, 5, 6, 7, 8];
        random.shuffle(&mut digits);
        let rows: Lines = std::array::from_fn(|row| std::array::from_fn(|column| digits[3 * row + column]));
        let columns: Lines = std::array::from_fn(|column| std::array::from_fn(|row| rows[row][column]));
        let beside = two_beside(&rows, random);
        Drawn { rows, beside, under: two_beside(&columns, random) }
    }

    /// Returns boxes 2, 3, 4 and 7, which constrain the boxes that are not drawn yet.
    #[inline(always)]
    fn frame(&self) -> Frame {
        let across = |lines: &Lines| std::array::from_fn(|at| lines[at % 3][at / 3]);
        let Drawn { beside, under, .. } = self;
        Frame {
            four: across(&under[0]),
            seven: across(&under[1]),
            two: across(&beside[0]),
            three: across(&beside[1]),
        }
    }
}

/// Draws the other two boxes in the band of a box, or in its stack if `lines` are the columns of the box. Each of the 56 x 6^6 pairs of
/// boxes has the same probability: see [`super::completion`]. Like the box, the two boxes are given line by line.
#[inline(always)]
fn two_beside(lines: &Lines, random: &mut Random) -> [Lines; 2] {
    let to_next = match random.below(SPLITS) {
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
            // In the second box, the first `to_next` digits go to the next line and the others to the line after that; in the third box,
            // the reverse.
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
    use crate::puzzle::Puzzle;
    use std::collections::BTreeMap;

    #[test]
    fn ways_to_fill_the_lines_beside_a_box_are_drawn_uniformly() {
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
        // A chi-square value with 55 degrees of freedom has the mean 55 and the standard deviation 10.5. The limit 97 is four standard
        // deviations above the mean.
        let squares = drawn.values().map(|count| count.abs_diff(EACH).pow(2)).sum::<usize>();
        assert!(squares < 97 * EACH, "{squares} / {EACH}");
    }

    #[test]
    fn the_draws_represent_the_known_number_of_grids() {
        const DRAWS: usize = 100_000;
        // To draw a grid, first a first band, a first stack and a split i are drawn (see `completion`). These combinations are equally
        // likely; `draws` is their number. Each grid belongs to exactly one combination.
        let beside = 56.0 * 6_f64.powi(6);
        let draws = 362_880.0 * beside * beside * 56.0;
        let each = 6_670_903_752_021_072_936_960.0 / draws;
        let mut random = Random::new(17);
        let (mut sum, mut squares, mut beyond) = (0.0, 0.0, 0.0);
        for _ in 0..DRAWS {
            let completion = Drawn::draw(&mut random).frame().complete(&mut random);
            let number = completion.map_or(0.0, |(_, number)| f64::from(number));
            sum += number;
            squares += number * number;
            beyond += (number - MOST as f64).max(0.0);
        }
        let mean = sum / DRAWS as f64;
        let deviation = ((squares / DRAWS as f64 - mean * mean) / DRAWS as f64).sqrt();
        assert!((mean - each).abs() < 5.0 * deviation, "{mean} +- {deviation}, not {each}");
        assert!(beyond / sum < 0.001, "{beyond} of {sum}");
    }

    #[test]
    fn grids_are_full() {
        let (mut random, mut grids) = (Random::new(18), Grids::default());
        for _ in 0..2_000 {
            assert_eq!(grids.grid(&mut random).check(&Puzzle::EMPTY), Ok(()));
        }
    }
}
