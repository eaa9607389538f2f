//! The referee checks the solutions of a whole block of puzzles. It checks several grids at a time, with code compiled for the SIMD level.
//! If the level is `avx512` and the CPU can permute all bytes of its registers, the referee checks one grid after the other
//! instead, with one byte of a register for each unit: see `simd/x86/units.rs`.
//!
//! ```text
//! digit             1 to 8 become a byte with one bit set, bit 0 to 7; a 9 becomes 0. Vectors do this for all cells.
//! row               its bytes must add up to 255, modulo 256: one multiplication adds up the eight bytes of a word
//! column and box    the OR of its bytes must have all eight bits: one word checks eight columns, or three boxes, at once
//! ```
//! The nine bytes of a row are powers of two up to 128, or 0. They add up to 255, modulo 256, only if at least eight of them are not 0. The
//! bytes of a column or box have all eight bits only if at least eight of them are not 0. So a row, column or box that passes has at most
//! one byte that is 0. If there are also nine times as many 9s as grids, each row has one 9, and its other bytes are the eight different
//! bits. Each column and each box also has one 9, because the grid has nine of them. A byte that is not a digit becomes 0 but is not
//! counted as a 9, so the number of 9s is then too small.

use crate::puzzle::{CELLS, Puzzle};
use crate::simd::{self, Kernel, Level};
use crate::solver::Outcome;

/// Number of grids that are checked together. A byte counts the 9s of all these grids, so nine times this number must be below 256. The
/// number is large enough that vector stores have mostly completed when the stored bytes are read as words.
const GRIDS: usize = 16;

/// Returns whether [`crate::Solution::check`] accepts all solutions in `outcomes`. `outcomes[i]` belongs to `puzzles[i]`; outcomes without
/// a solution are skipped. If the CPU lacks the level, a narrower level is used: this is slower and gives the same result.
///
/// ```
/// use sudobench_sudoku::{Outcome, Puzzle, simd::Level, solve, solver::block_referee::all_valid};
/// let right = solve(&Puzzle::EMPTY);
/// let wrong = Outcome { solution: [1; 81].try_into().ok(), ..right };
/// assert!(all_valid(Level::widest(), &[Puzzle::EMPTY], &[right]));
/// assert!(!all_valid(Level::widest(), &[Puzzle::EMPTY], &[wrong]));
/// ```
pub fn all_valid(level: Level, puzzles: &[Puzzle], outcomes: &[Outcome]) -> bool {
    #[cfg(target_arch = "x86_64")]
    if level >= Level::Avx512
        && let Some(units) = simd::UnitsOfGrids::detect()
    {
        let pairs = puzzles.iter().zip(outcomes);
        return units.all_valid(pairs.filter_map(|(puzzle, outcome)| {
            outcome.solution.as_ref().map(|solution| (puzzle.values(), solution.values(), None))
        }));
    }
    all_valid_by_words(level, puzzles, outcomes)
}

/// Checks like [`all_valid`], and writes the solution of `outcomes[i]` to `places[i]`, or zeros if there is no solution. Returns the number
/// of solutions, or `None` if a solution is wrong.
///
/// ```
/// use sudobench_sudoku::{Puzzle, simd::Level, solve, solver::block_referee::check_and_write};
/// let outcome = solve(&Puzzle::EMPTY);
/// let mut places = [[0; 81]];
/// assert_eq!(check_and_write(Level::widest(), &[Puzzle::EMPTY], &[outcome], &mut places), Some(1));
/// assert_eq!(outcome.solution.unwrap().values(), &places[0]);
/// ```
///
/// # Panics
/// If there are fewer places than outcomes.
pub fn check_and_write(
    level: Level,
    puzzles: &[Puzzle],
    outcomes: &[Outcome],
    places: &mut [[u8; CELLS]],
) -> Option<usize> {
    let places = &mut places[..outcomes.len()];
    let mut solutions = 0;
    #[cfg(target_arch = "x86_64")]
    if level >= Level::Avx512
        && let Some(units) = simd::UnitsOfGrids::detect()
    {
        // The referee writes the solutions, because it has them in registers.
        let answered = puzzles.iter().zip(outcomes).zip(places);
        let valid =
            units.all_valid(answered.filter_map(|((puzzle, outcome), place)| match &outcome.solution {
                Some(solution) => {
                    solutions += 1;
                    Some((puzzle.values(), solution.values(), Some(place)))
                }
                None => {
                    place.fill(0);
                    None
                }
            }));
        return valid.then_some(solutions);
    }
    for (place, outcome) in places.iter_mut().zip(outcomes) {
        *place = outcome.solution.as_ref().map_or([0; CELLS], |solution| *solution.values());
        solutions += usize::from(outcome.solution.is_some());
    }
    all_valid_by_words(level, puzzles, outcomes).then_some(solutions)
}

/// Returns whether each of the `grids` solves its puzzle: `grids[i]` belongs to `puzzles[i]`.
///
/// # Panics
/// If the slices differ in length.
///
/// ```
/// use sudobench_sudoku::{Puzzle, simd::Level, solve, solver::block_referee::all_solve};
/// let right = Puzzle::from(solve(&Puzzle::EMPTY).solution.unwrap());
/// assert!(all_solve(Level::widest(), &[Puzzle::EMPTY, right], &[right; 2]));
/// assert!(!all_solve(Level::widest(), &[Puzzle::EMPTY, right], &[right, Puzzle::EMPTY]));
/// ```
pub fn all_solve(level: Level, puzzles: &[Puzzle], grids: &[Puzzle]) -> bool {
    assert_eq!(puzzles.len(), grids.len(), "each puzzle needs a grid");
    let pairs = puzzles.iter().zip(grids).map(|(puzzle, grid)| (puzzle.values(), grid.values()));
    #[cfg(target_arch = "x86_64")]
    if level >= Level::Avx512
        && let Some(units) = simd::UnitsOfGrids::detect()
    {
        return units.all_valid(pairs.map(|(clues, cells)| (clues, cells, None)));
    }
    check_by_words(level, pairs)
}

/// Like [`all_valid`], but uses words of eight bytes instead of byte permutations.
fn all_valid_by_words(level: Level, puzzles: &[Puzzle], outcomes: &[Outcome]) -> bool {
    let pairs = puzzles.iter().zip(outcomes);
    let solved =
        pairs.filter_map(|(puzzle, outcome)| Some((puzzle.values(), outcome.solution.as_ref()?.values())));
    check_by_words(level, solved)
}

/// Returns whether all grids are valid. Each item of `pairs` has the clues and the cells of a grid. Doesn't use byte permutations.
fn check_by_words<'g>(level: Level, pairs: impl Iterator<Item = (&'g [u8; CELLS], &'g [u8; CELLS])>) -> bool {
    simd::build_at_most(level, CheckAll { pairs })
}

struct CheckAll<I> {
    /// The clues and the cells of grids.
    pairs: I,
}

impl<'g, I: Iterator<Item = (&'g [u8; CELLS], &'g [u8; CELLS])>> Kernel for CheckAll<I> {
    type Output = bool;

    #[inline(always)]
    fn run(self) -> bool {
        let mut checker = Checker::new();
        let mut grids = 0;
        for (clues, cells) in self.pairs {
            checker.clues[grids * CELLS..][..CELLS].copy_from_slice(clues);
            checker.cells[grids * CELLS..][..CELLS].copy_from_slice(cells);
            grids += 1;
            if grids == GRIDS {
                if !checker.all_valid(GRIDS) {
                    return false;
                }
                grids = 0;
            }
        }
        checker.all_valid(grids)
    }
}

struct Checker {
    /// The clues, row-major, grid by grid; 0 for a blank.
    clues: [u8; GRIDS * CELLS],
    /// The digits in the same order. The check replaces each digit with its bit.
    cells: [u8; GRIDS * CELLS],
}

impl Checker {
    #[inline(always)]
    fn new() -> Checker {
        Checker { clues: [0; _], cells: [0; _] }
    }

    /// Returns whether the first `grids` grids keep their clues and hold every digit once in each unit.
    #[inline(always)]
    fn all_valid(&mut self, grids: usize) -> bool {
        let cells = &mut self.cells[..grids * CELLS];
        let (mut changed, mut nines) = (0, 0u8);
        for (cell, &clue) in cells.iter_mut().zip(&self.clues[..grids * CELLS]) {
            changed |= if clue == 0 { 0 } else { clue ^ *cell };
            nines = nines.wrapping_add(u8::from(*cell == 9));
            let place = cell.wrapping_sub(1);
            let bit = if place & 1 == 0 { 1 } else { 2 };
            let bit = if place & 2 == 0 { bit } else { bit << 2 };
            let bit = if place & 4 == 0 { bit } else { bit << 4 };
            *cell = if place < 8 { bit } else { 0 };
        }
        let mut all = u64::MAX;
        for grid in cells.as_chunks::<CELLS>().0 {
            all &= units(grid);
        }
        changed == 0 && usize::from(nines) == 9 * grids && all == u64::MAX
    }
}

/// Returns a word whose bits are all 1 if each row, column and box of the grid passes the check that the module documentation describes:
/// the bytes of a row add up to 255, modulo 256, and the bytes of a column or box have all eight bits. The caller must still count the 9s.
/// Each byte of `grid` is the bit of a digit, or 0 for a 9.
#[inline(never)] // if it were inlined into the loop over grids, the compiler would make slow vector code
fn units(grid: &[u8; CELLS]) -> u64 {
    const LOWEST: u64 = 0xFF;
    const EACH: u64 = u64::MAX / LOWEST;
    /// Bytes 0, 3 and 6 of a word, one for each box: the byte of the box's first column. There, `boxes` has the bits of the whole box.
    const BOXES: u64 = LOWEST | LOWEST << 24 | LOWEST << 48;
    let (mut rows, mut boxes, mut columns, mut last_column) = (u64::MAX, u64::MAX, 0, 0);
    for band in grid.as_chunks::<27>().0 {
        let (mut eight, mut ninth) = (0, 0);
        for row in band.as_chunks::<9>().0 {
            // `first_chunk` compiles to a single load. If the eight bytes were listed in an array, the compiler would not merge their
            // loads.
            let Some(first) = row.first_chunk() else { return 0 };
            let (word, last) = (u64::from_le_bytes(*first), u64::from(row[8]));
            rows &= (word.wrapping_mul(EACH) >> 56) + last;
            eight |= word;
            ninth |= last;
        }
        boxes &= eight | eight >> 8 | eight >> 16 | ninth << 48;
        columns |= eight;
        last_column |= ninth;
    }
    (rows | !LOWEST) & (boxes | !BOXES) & columns & (last_column | !LOWEST)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::Solution;
    use crate::random::Random;
    use crate::solver::solve_simply;

    /// Returns grids, most of them valid. In the others, some cells have another digit, or the whole grid follows a simple rule.
    fn grids(random: &mut Random, right: &[u8; 81]) -> Vec<Solution> {
        (0..random.below(3 * GRIDS))
            .map(|_| {
                let mut grid = *right;
                match random.below(40) {
                    0 => grid.swap(random.below(CELLS), random.below(CELLS)),
                    1 => grid[random.below(CELLS)] = random.below(9) as u8 + 1,
                    // Exchanging two columns (2) or the rows of a band (4) keeps the grid valid. Rotating one row (3) keeps only the rows
                    // of the grid valid.
                    2 => grid.chunks_exact_mut(9).for_each(|row| row.swap(0, 1)),
                    3 => grid[..9].rotate_left(3),
                    4 => grid[..27].rotate_left(9),
                    5 => grid = std::array::from_fn(|cell| grid[cell % 9 * 9 + cell / 9]),
                    6 => grid = std::array::from_fn(|cell| ((cell / 9 + cell % 9) % 9) as u8 + 1),
                    7 => grid = std::array::from_fn(|cell| (cell % 9) as u8 + 1),
                    8 => grid = [random.below(9) as u8 + 1; CELLS],
                    _ => {}
                }
                Solution::try_from(grid).unwrap()
            })
            .collect()
    }

    #[test]
    fn many_grids_are_valid_if_each_one_is() {
        let right = *solve_simply(&Puzzle::EMPTY).solution.unwrap().values();
        let mut random = Random::new(7);
        let mut seen = [0; 2];
        for _ in 0..2000 {
            let mut puzzles = Vec::new();
            let mut outcomes = Vec::new();
            for solution in grids(&mut random, &right) {
                let mut clues = *solution.values();
                clues.iter_mut().for_each(|clue| *clue *= u8::from(random.below(3) == 0));
                if random.below(300) == 0 {
                    clues[random.below(CELLS)] = random.below(10) as u8;
                }
                puzzles.push(Puzzle::try_from(clues).unwrap());
                let has_none = random.below(20) == 0;
                outcomes.push(Outcome { solution: Some(solution).filter(|_| !has_none), ..Outcome::ABORTED });
            }
            let is_valid = |(puzzle, outcome): (&Puzzle, &Outcome)| {
                outcome.solution.is_none_or(|solution| solution.check(puzzle).is_ok())
            };
            let expected = puzzles.iter().zip(&outcomes).all(is_valid);
            seen[usize::from(expected)] += 1;
            for &level in Level::ALL {
                let found = [all_valid, all_valid_by_words].map(|check| check(level, &puzzles, &outcomes));
                assert_eq!(found, [expected; 2], "{level}: {puzzles:?} {outcomes:?}");
                let solved = puzzles.iter().zip(&outcomes).filter_map(|(puzzle, outcome)| {
                    outcome.solution.map(|solution| (*puzzle, Puzzle::from(solution)))
                });
                let (clues, filled): (Vec<Puzzle>, Vec<Puzzle>) = solved.unzip();
                assert_eq!(all_solve(level, &clues, &filled), expected, "{level}");
                // The element after the place of the last outcome isn't changed.
                let mut places = vec![[7; CELLS]; outcomes.len() + 1];
                let solutions = outcomes.iter().filter(|outcome| outcome.solution.is_some()).count();
                let written = check_and_write(level, &puzzles, &outcomes, &mut places);
                assert_eq!(written, expected.then_some(solutions), "{level}");
                let solutions =
                    outcomes.iter().map(|outcome| outcome.solution.map_or([0; CELLS], Into::into));
                assert!(places.into_iter().eq(solutions.chain([[7; CELLS]])), "{level}");
            }
        }
        assert!(seen[0] > 100 && seen[1] > 100, "{seen:?}");
    }

    #[test]
    fn bytes_that_are_no_digits_are_refused() {
        let right = *solve_simply(&Puzzle::EMPTY).solution.unwrap().values();
        for digit in 1..=9 {
            for other in (0..=255).filter(|other| *other != digit) {
                let mut checker = Checker::new();
                let grid = right.map(|held| if held == digit { other } else { held });
                checker.cells[..CELLS].copy_from_slice(&right);
                checker.cells[CELLS..2 * CELLS].copy_from_slice(&grid);
                assert!(!checker.all_valid(2), "{other} for {digit}");
                #[cfg(target_arch = "x86_64")]
                if let Some(units) = simd::UnitsOfGrids::detect() {
                    let grids = [&right, &grid].map(|cells| (&[0; CELLS], cells, None));
                    assert!(!units.all_valid(grids.into_iter()), "{other} for {digit}");
                }
            }
        }
    }

    #[test]
    fn only_wrong_solutions_are_refused() {
        let puzzle: Puzzle =
            "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
                .parse()
                .unwrap();
        let right = solve_simply(&puzzle);
        let swapped =
            right.solution.unwrap().values().map(|digit| [0, 2, 1, 3, 4, 5, 6, 7, 8, 9][usize::from(digit)]);
        let wrong = Outcome { solution: Solution::try_from(swapped).ok(), ..right };
        let valid =
            [right, wrong, Outcome::ABORTED].map(|outcome| all_valid(Level::widest(), &[puzzle], &[outcome]));
        assert_eq!(valid, [true, false, true]);
        assert!(all_valid(Level::widest(), &[puzzle; 3], &[right, Outcome::ABORTED, right]));
        assert!(!all_valid(Level::widest(), &[puzzle; 3], &[right, Outcome::ABORTED, wrong]));
    }
}
