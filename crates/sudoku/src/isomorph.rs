//! Equivalent forms of a puzzle. The forms have the same number of solutions and allow the same logical deductions, but a search may need
//! more steps on one form than on another.
//!
//! ```text
//! digits are relabelled             9!           362,880
//! the three bands are reordered     3!
//!   the rows within each band       3! 3! 3!     1,296 orders of the rows
//! the three stacks are reordered    3!
//!   the columns within each stack   3! 3! 3!     1,296 orders of the columns
//! the grid is transposed, or not    2
//!                                                2 x 1,296 x 1,296 = 3,359,232 orders of the cells
//! ```
//! These are all transformations that map every filled grid to a filled grid (Russell and Jarvis, "Mathematics of
//! Sudoku II", 2006).

use std::fmt;
use std::str::FromStr;

use crate::puzzle::{CELLS, Puzzle, Solution};
use crate::random::{DrawKey, Random, draw};

/// One of the 3,359,232 x 9! transformations that map a puzzle to an equivalent form.
///
/// The notation is one word. It starts with `t` if the puzzle is transposed first. After `r`, it has the number of the source row (from 1)
/// for each row of the form. After `c`, it has the number of the source column for each column of the form. After `d`, it has the new digit
/// for each digit from 1 to 9.
///
/// ```text
/// r123456789c123456789d123456789     nothing changes
/// tr213456789c123456789d912345678    transposed, then the first two rows swapped; digits from 2 to 9 decrease by 1, and 1 becomes 9
/// ```
///
/// ```
/// use sudobench_sudoku::isomorph::Transformation;
/// use sudobench_sudoku::random::Random;
/// use sudobench_sudoku::{Puzzle, solve};
///
/// let puzzle: Puzzle =
///     "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79".parse()?;
/// let transformation = Transformation::random(&mut Random::new(1));
/// let form = transformation.apply(&puzzle);
/// assert_ne!(form, puzzle);
/// assert_eq!(transformation.inverse().apply(&form), puzzle);
///
/// let (solution, of_form) = (solve(&puzzle).solution.unwrap(), solve(&form).solution.unwrap());
/// assert_eq!(transformation.apply_to_solution(&solution), of_form);
/// # Ok::<(), sudobench_sudoku::PuzzleError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Transformation {
    /// For each cell of the form, its source cell in the puzzle.
    cells: [u8; CELLS],
    /// The new value for each value. A blank stays a blank.
    values: [u8; 10],
}

/// The kinds of changes that random transformations make.
///
/// ```
/// use sudobench_sudoku::isomorph::ChangeKinds;
///
/// let kinds: ChangeKinds = "digits,transpose".parse()?;
/// assert_eq!(kinds, ChangeKinds { rows: false, columns: false, ..ChangeKinds::ALL });
/// assert_eq!(kinds.to_string(), "digits,transpose");
/// # Ok::<(), sudobench_sudoku::isomorph::ChangeKindsError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ChangeKinds {
    /// Digits are relabelled.
    pub digits: bool,
    /// Bands, and the rows within each band, are reordered.
    pub rows: bool,
    /// Stacks, and the columns within each stack, are reordered.
    pub columns: bool,
    /// The grid may be transposed.
    pub transpose: bool,
}

/// Error for a text that is not a list of kinds of changes.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a list of kinds of changes; choose from digits, rows, columns, transpose")]
pub struct ChangeKindsError(String);

impl ChangeKinds {
    /// All kinds.
    pub const ALL: ChangeKinds = ChangeKinds { digits: true, rows: true, columns: true, transpose: true };

    fn by_name(&mut self) -> [(&'static str, &mut bool); 4] {
        let ChangeKinds { digits, rows, columns, transpose } = self;
        [("digits", digits), ("rows", rows), ("columns", columns), ("transpose", transpose)]
    }
}

impl Default for ChangeKinds {
    fn default() -> ChangeKinds {
        ChangeKinds::ALL
    }
}

impl fmt::Display for ChangeKinds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut kinds = *self;
        let names = kinds.by_name().into_iter().filter(|(_, is_in)| **is_in).map(|(name, _)| name);
        f.write_str(&names.collect::<Vec<_>>().join(","))
    }
}

impl FromStr for ChangeKinds {
    type Err = ChangeKindsError;

    fn from_str(text: &str) -> Result<ChangeKinds, ChangeKindsError> {
        let mut kinds = ChangeKinds { digits: false, rows: false, columns: false, transpose: false };
        for name in text.split(',') {
            let known = kinds.by_name().into_iter().find(|(known, _)| *known == name.trim());
            *known.ok_or_else(|| ChangeKindsError(text.to_owned()))?.1 = true;
        }
        Ok(kinds)
    }
}

/// Reasons why a text is not a transformation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TransformationError {
    /// The text doesn't follow the notation.
    #[error(
        "write a transformation as r, c and d with nine digits from 1 to 9 after each, and optionally t at the start, such as \
         tr213456789c123456789d123456789"
    )]
    Form,
    /// The numbers after `r` or `c` contain a number twice, or don't keep the three rows of each band (the three columns of each stack)
    /// together.
    #[error(
        "after {letter}, each digit from 1 to 9 must occur once, and 1 to 3, 4 to 6 and 7 to 9 must stay together"
    )]
    Lines {
        /// `r` or `c`.
        letter: char,
    },
    /// A digit occurs more than once, so another digit is missing.
    #[error("after d, each digit from 1 to 9 must occur once")]
    Digits,
}

/// Number of characters of the longest notation, which begins with `t`. Without the `t`, a notation is one character shorter.
const NOTATION: usize = 31;

impl fmt::Display for Transformation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Neighbours in a row stay in one row unless the transformation transposes.
        let transposes = self.cells[0] / 9 != self.cells[1] / 9;
        let line = |cell: usize, of_row: bool| {
            let from = self.cells[cell];
            let number = if of_row != transposes { from / 9 } else { from % 9 };
            b'1' + number
        };
        // Uses a buffer of fixed size, because an allocation for each output row would take time.
        let mut text = [b't'; NOTATION];
        let parts = &mut text[usize::from(transposes)..];
        parts[0] = b'r';
        parts[10] = b'c';
        parts[20] = b'd';
        for at in 0..9 {
            parts[1 + at] = line(at * 9, true);
            parts[11 + at] = line(at, false);
            parts[21 + at] = b'0' + self.values[1 + at];
        }
        let length = NOTATION - usize::from(!transposes);
        f.pad(&String::from_utf8_lossy(&text[..length]))
    }
}

impl FromStr for Transformation {
    type Err = TransformationError;

    fn from_str(text: &str) -> Result<Transformation, TransformationError> {
        let (transposes, rest) = match text.strip_prefix('t') {
            Some(rest) => (true, rest.as_bytes()),
            None => (false, text.as_bytes()),
        };
        let &[b'r', ref rows @ .., b'd', _, _, _, _, _, _, _, _, _] = rest else {
            return Err(TransformationError::Form);
        };
        let (&[ref rows @ .., b'c', _, _, _, _, _, _, _, _, _], 19) = (rows, rows.len()) else {
            return Err(TransformationError::Form);
        };
        let lines = |letter, digits: &[u8]| {
            let numbers = nine(digits)?;
            let is_whole =
                numbers.as_chunks::<3>().0.iter().all(|[a, b, c]| a / 3 == b / 3 && b / 3 == c / 3);
            let error = TransformationError::Lines { letter };
            if is_whole && is_permutation(&numbers) { Ok(numbers) } else { Err(error) }
        };
        let rows = lines('r', rows)?;
        let columns = lines('c', &rest[11..20])?;
        let digits = nine(&rest[21..])?;
        if !is_permutation(&digits) {
            return Err(TransformationError::Digits);
        }
        let values = std::array::from_fn(|value| if value == 0 { 0 } else { digits[value - 1] + 1 });
        Ok(Transformation::new(transposes, &rows, &columns, &values))
    }
}

/// Reads nine digits from 1 to 9 as numbers from 0 to 8.
fn nine(digits: &[u8]) -> Result<[u8; 9], TransformationError> {
    let digits: [u8; 9] = digits.try_into().map_err(|_| TransformationError::Form)?;
    let numbers = digits.map(|digit| digit.wrapping_sub(b'1'));
    if numbers.iter().all(|&number| number < 9) { Ok(numbers) } else { Err(TransformationError::Form) }
}

fn is_permutation(numbers: &[u8; 9]) -> bool {
    numbers.iter().fold(0_u16, |seen, number| seen | 1 << number) == 0x1FF
}

impl Transformation {
    /// Makes the transformation that first transposes the puzzle if `transposes` is true. It then moves row `rows[i]` to row `i` and column
    /// `columns[j]` to column `j`, and replaces each value by `values[value]`.
    pub(crate) fn new(
        transposes: bool,
        rows: &[u8; 9],
        columns: &[u8; 9],
        values: &[u8; 10],
    ) -> Transformation {
        Transformation { cells: cells(transposes, rows, columns), values: *values }
    }

    /// Draws a transformation; all are equally likely. A seed gives the same transformations in every version.
    pub fn random(random: &mut Random) -> Transformation {
        Transformation::random_of(ChangeKinds::ALL, random)
    }

    /// Draws a transformation that makes only changes of these kinds. All such transformations are equally likely. The result is the
    /// transformation that [`random`](Transformation::random) would draw, without its changes of other kinds.
    pub fn random_of(kinds: ChangeKinds, random: &mut Random) -> Transformation {
        let transposes = random.below(2) == 1;
        let (rows, columns) = (random_lines(random), random_lines(random));
        let mut values = SAME_VALUES;
        random.shuffle(&mut values[1..]);
        Transformation::new(
            transposes && kinds.transpose,
            if kinds.rows { &rows } else { &SAME_LINES },
            if kinds.columns { &columns } else { &SAME_LINES },
            if kinds.digits { &values } else { &SAME_VALUES },
        )
    }

    /// Draws the transformation to one of the random forms of a puzzle. `key` identifies the puzzle, and `number` is the index of the form,
    /// from 0.
    pub fn draw(seed: u64, key: DrawKey, number: u64) -> Transformation {
        Transformation::draw_of(ChangeKinds::ALL, seed, key, number)
    }

    /// Draws the same transformation as [`draw`](Transformation::draw), but leaves out all changes whose kind is not in `kinds`.
    pub fn draw_of(kinds: ChangeKinds, seed: u64, key: DrawKey, number: u64) -> Transformation {
        Transformation::random_of(kinds, &mut draw(seed, key, number))
    }

    /// Returns the transformation that changes nothing.
    pub fn identity() -> Transformation {
        Transformation::new(false, &SAME_LINES, &SAME_LINES, &SAME_VALUES)
    }

    /// Applies the transformation to a puzzle. Returns the equivalent form.
    pub fn apply(&self, puzzle: &Puzzle) -> Puzzle {
        let mut form = Puzzle::EMPTY;
        self.write(puzzle.values(), form.values_mut());
        form
    }

    /// Applies the transformation to a filled grid. If the grid is the solution of a puzzle, the result is the solution of the equivalent
    /// form of the puzzle.
    pub fn apply_to_solution(&self, solution: &Solution) -> Solution {
        let mut form = Solution::ONES;
        self.write(solution.values(), form.values_mut());
        form
    }

    /// Returns the form of a board given as text. Digits from 1 to 9 are relabelled; any other byte stands for a blank
    /// and is moved unchanged.
    ///
    /// ```
    /// use sudobench_sudoku::isomorph::Transformation;
    ///
    /// let transformation: Transformation = "r123456789c312456789d234567891".parse()?;
    /// let mut board = [b'_'; 81];
    /// board[..10].copy_from_slice(b"53.07____9");
    /// assert!(transformation.apply_to_text(&board).starts_with(b".6408_____1_"));
    /// # Ok::<(), sudobench_sudoku::isomorph::TransformationError>(())
    /// ```
    pub fn apply_to_text(&self, text: &[u8; CELLS]) -> [u8; CELLS] {
        let mut bytes = SAME_BYTES;
        for (digit, &value) in (b'1'..).zip(&self.values[1..]) {
            bytes[usize::from(digit)] = b'0' + value;
        }
        self.cells.map(|from| bytes[usize::from(text[usize::from(from)])])
    }

    /// Returns the form of a board of values, 0 for a blank. Values above 9, which are invalid on a board, are moved unchanged.
    ///
    /// ```
    /// use sudobench_sudoku::isomorph::Transformation;
    ///
    /// let relabelling: Transformation = "r123456789c123456789d234567891".parse()?;
    /// assert_eq!(relabelling.apply_to_values(&[9; 81]), [1; 81]);
    /// # Ok::<(), sudobench_sudoku::isomorph::TransformationError>(())
    /// ```
    pub fn apply_to_values(&self, values: &[u8; CELLS]) -> [u8; CELLS] {
        let form = |from: u8| {
            let value = values[usize::from(from)];
            self.values.get(usize::from(value)).copied().unwrap_or(value)
        };
        self.cells.map(form)
    }

    /// Returns the forms of two boards of values, such as a puzzle and its solution. This takes less time than two calls of
    /// [`apply_to_values`](Transformation::apply_to_values). All values must be at most 9; the results for larger values are meaningless.
    ///
    /// ```
    /// use sudobench_sudoku::isomorph::Transformation;
    ///
    /// let relabelling: Transformation = "r123456789c123456789d234567891".parse()?;
    /// assert_eq!(relabelling.apply_to_both(&[9; 81], &[0; 81]), [[1; 81], [0; 81]]);
    /// # Ok::<(), sudobench_sudoku::isomorph::TransformationError>(())
    /// ```
    pub fn apply_to_both(&self, one: &[u8; CELLS], other: &[u8; CELLS]) -> [[u8; CELLS]; 2] {
        // A byte holds a cell of both boards, so each cell is moved only once. The array lengths cover every index, so the compiler needs
        // no bounds checks.
        let (mut both, mut to_values) = ([0; 128], [0; 16]);
        for (both, (one, other)) in both.iter_mut().zip(one.iter().zip(other)) {
            *both = one & 15 | other << 4;
        }
        to_values[..10].copy_from_slice(&self.values);
        let mut forms = [[0; CELLS]; 2];
        for (to, &from) in self.cells.iter().enumerate() {
            let values = both[usize::from(from & 127)];
            forms[0][to] = to_values[usize::from(values & 15)];
            forms[1][to] = to_values[usize::from(values >> 4)];
        }
        forms
    }

    fn write(&self, values: &[u8; CELLS], form: &mut [u8; CELLS]) {
        // The array lengths cover every index, so the compiler needs no bounds checks.
        let (mut from_values, mut to_values) = ([0; 128], [0; 16]);
        from_values[..CELLS].copy_from_slice(values);
        to_values[..10].copy_from_slice(&self.values);
        for (to, &from) in form.iter_mut().zip(&self.cells) {
            *to = to_values[usize::from(from_values[usize::from(from & 127)] & 15)];
        }
    }

    /// Returns the source cell in the puzzle for each cell of a form.
    ///
    /// ```
    /// use sudobench_sudoku::isomorph::Transformation;
    ///
    /// let transposition: Transformation = "tr123456789c123456789d123456789".parse()?;
    /// assert_eq!(transposition.cells()[..3], [0, 9, 18]);
    /// # Ok::<(), sudobench_sudoku::isomorph::TransformationError>(())
    /// ```
    pub fn cells(&self) -> &[u8; CELLS] {
        &self.cells
    }

    /// Returns the transformation that applies this one and then `next`.
    ///
    /// ```
    /// use sudobench_sudoku::Puzzle;
    /// use sudobench_sudoku::isomorph::Transformation;
    /// use sudobench_sudoku::random::Random;
    ///
    /// let mut random = Random::new(1);
    /// let (first, second) = (Transformation::random(&mut random), Transformation::random(&mut random));
    /// let puzzle: Puzzle = format!("{:.<81}", "53..7....6..195").parse()?;
    /// assert_eq!(first.then(&second).apply(&puzzle), second.apply(&first.apply(&puzzle)));
    /// # Ok::<(), sudobench_sudoku::PuzzleError>(())
    /// ```
    #[must_use]
    pub fn then(&self, next: &Transformation) -> Transformation {
        Transformation {
            cells: next.cells.map(|from| self.cells[usize::from(from)]),
            values: self.values.map(|value| next.values[usize::from(value)]),
        }
    }

    /// Returns the transformation that maps each form back to its puzzle.
    pub fn inverse(&self) -> Transformation {
        let mut inverse = *self;
        for (to, &from) in self.cells.iter().enumerate() {
            inverse.cells[usize::from(from)] = to as u8;
        }
        for (from, &to) in self.values.iter().enumerate() {
            inverse.values[usize::from(to)] = from as u8;
        }
        inverse
    }
}

const SAME_LINES: [u8; 9] = [0, 1, 2, 3, 4, 5, 6, 7, 8];

const SAME_VALUES: [u8; 10] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];

const SAME_BYTES: [u8; 256] = {
    let mut bytes = [0; 256];
    let mut at = 0;
    while at < bytes.len() {
        bytes[at] = at as u8;
        at += 1;
    }
    bytes
};

/// Returns the source cell for each cell of a form. [`Transformation::new`] describes the arguments.
fn cells(transposes: bool, rows: &[u8; 9], columns: &[u8; 9]) -> [u8; CELLS] {
    let (down, across) = if transposes { (1, 9) } else { (9, 1) };
    let columns = columns.map(|column| column * across);
    let mut cells = [0; CELLS];
    for (cells, row) in cells.as_chunks_mut::<9>().0.iter_mut().zip(rows) {
        *cells = columns.map(|column| row * down + column);
    }
    cells
}

/// Draws one of the 1,296 orders of nine lines (rows or columns) in which the three lines of each band or stack stay together. All these
/// orders are equally likely.
fn random_lines(random: &mut Random) -> [u8; 9] {
    let mut bands = [[0, 1, 2], [3, 4, 5], [6, 7, 8]];
    random.shuffle(&mut bands);
    bands.iter_mut().for_each(|lines| random.shuffle(lines));
    let [[a, b, c], [d, e, f], [g, h, i]] = bands;
    [a, b, c, d, e, f, g, h, i]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::solve_simply;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    /// Returns all orders of nine lines in which the three lines of each band stay together.
    fn all_lines() -> Vec<[u8; 9]> {
        let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
        let within = |at: usize| [orders[at % 6], orders[at / 6 % 6], orders[at / 36 % 6]];
        let lines = |at: usize| {
            let of = |place: usize| orders[at / 216][place / 3] * 3 + within(at)[place / 3][place % 3];
            std::array::from_fn(of)
        };
        (0..1_296).map(lines).collect()
    }

    #[test]
    fn a_seed_gives_the_same_transformation_in_every_version() {
        let grid = "534678912672195348198342567859761423426853791713924856961537284287419635345286179";
        let transformation = Transformation::random(&mut Random::new(1));
        let form = transformation.apply_to_solution(&grid.parse().unwrap());
        assert_eq!(
            form.to_string(),
            "581623974762491538493857261876514329319278645245369187154736892627985413938142756"
        );
    }

    #[test]
    fn changes_are_of_the_wanted_kinds() {
        let kinds = |text: &str| text.parse::<ChangeKinds>();
        let words = |kinds, seed| Transformation::random_of(kinds, &mut Random::new(seed)).to_string();
        for seed in 0..20 {
            let whole = words(ChangeKinds::ALL, seed);
            let whole = whole.trim_start_matches('t');
            for (names, part) in [("rows", 0..10), ("columns", 10..20), ("digits", 20..30)] {
                let mut expected = Transformation::identity().to_string();
                expected.replace_range(part.clone(), &whole[part]);
                assert_eq!(words(kinds(names).unwrap(), seed), expected);
            }
        }
        let transposed: BTreeSet<String> =
            (0..20).map(|seed| words(kinds("transpose").unwrap(), seed)).collect();
        assert_eq!(transposed.len(), 2);
        assert_eq!(kinds("transpose, rows,digits,columns"), Ok(ChangeKinds::ALL));
        assert_eq!(kinds(&ChangeKinds::ALL.to_string()), Ok(ChangeKinds::ALL));
        assert!(["", "bands", "digits,,rows"].into_iter().all(|text| kinds(text).is_err()));
    }

    #[test]
    fn the_number_of_cell_orders_is_the_size_of_the_group() {
        let lines = all_lines();
        // The first row and the first column determine the order of all cells. A cell number takes seven bits.
        let packed = |transposes: bool, rows: &[u8; 9], columns: &[u8; 9]| {
            let cells = cells(transposes, rows, columns);
            let first = (0..9).chain((9..CELLS).step_by(9));
            first.fold(0, |packed, cell| packed << 7 | u128::from(cells[cell]))
        };
        let mut all = Vec::with_capacity(3_359_232);
        for transposes in [false, true] {
            for rows in &lines {
                all.extend(lines.iter().map(|columns| packed(transposes, rows, columns)));
            }
        }
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), 3_359_232);
    }

    #[test]
    fn each_order_of_lines_is_drawn_about_as_often() {
        const EACH: usize = 100;
        let (mut random, lines) = (Random::new(1), all_lines());
        let mut drawn = vec![0_usize; lines.len()];
        for _ in 0..EACH * lines.len() {
            let of = random_lines(&mut random);
            drawn[lines.iter().position(|lines| *lines == of).unwrap()] += 1;
        }
        // A chi-square value with 1,295 degrees of freedom has the mean 1,295 and the standard deviation 51.
        let squares = drawn.iter().map(|&count| count.abs_diff(EACH).pow(2)).sum::<usize>();
        assert!((1_100..1_500).contains(&(squares / EACH)), "{squares}");
    }

    #[test]
    fn digits_and_transposition_are_drawn_about_as_often() {
        const DRAWS: usize = 9_000;
        let mut random = Random::new(1);
        let (mut became, mut transposed) = ([[0_usize; 10]; 10], 0);
        for _ in 0..DRAWS {
            let Transformation { cells, values } = Transformation::random(&mut random);
            values.iter().enumerate().for_each(|(from, &to)| became[from][usize::from(to)] += 1);
            // Neighbours in a row stay in one row unless the transformation transposes.
            transposed += usize::from(cells[0] / 9 != cells[1] / 9);
        }
        assert_eq!(became[0][0], DRAWS, "a blank stays a blank");
        let digits = became[1..].iter().flat_map(|became| &became[1..]);
        assert!(digits.clone().all(|&count| count.abs_diff(DRAWS / 9) < 150), "{became:?}");
        assert!(transposed.abs_diff(DRAWS / 2) < 250, "{transposed}");
    }

    fn puzzle() -> impl Strategy<Value = Puzzle> {
        let values = prop::collection::vec(0..=9_u8, CELLS);
        values.prop_map(|values| Puzzle::try_from(<[u8; CELLS]>::try_from(values).unwrap()).unwrap())
    }

    #[test]
    fn notations_are_parsed_and_faults_are_named() {
        let read = |text: &str| text.parse::<Transformation>().map_err(|error| error.to_string());
        let grid: Puzzle =
            "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
                .parse()
                .unwrap();
        assert_eq!(read("r123456789c123456789d123456789").unwrap().apply(&grid), grid);
        let form = read("tr213456789c123456789d912345678").unwrap().apply(&grid).to_string();
        assert!(form.starts_with("268419573459736812"), "{form}");
        for (text, words) in [
            ("", "write a transformation as r, c and d"),
            ("r123456789c123456789d12345678", "write a transformation as"),
            ("r123456789d123456789c123456789", "write a transformation as"),
            ("r023456789c123456789d123456789", "write a transformation as"),
            ("r123456789c123456788d123456789", "after c, each digit"),
            ("r124356789c123456789d123456789", "after r, each digit"),
            ("r123456789c123456789d113456789", "after d, each digit"),
            ("Tr123456789c123456789d123456789", "write a transformation as"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.starts_with(words), "{text}: {error}");
        }
    }

    proptest! {
        #[test]
        fn the_text_form_round_trips(seed: u64) {
            let transformation = Transformation::random(&mut Random::new(seed));
            prop_assert_eq!(transformation.to_string().parse(), Ok(transformation));
        }

        #[test]
        fn composition_applies_both_transformations(puzzle in puzzle(), seeds: [u64; 3]) {
            let [one, other, third] = seeds.map(|seed| Transformation::random(&mut Random::new(seed)));
            prop_assert_eq!(one.then(&other).apply(&puzzle), other.apply(&one.apply(&puzzle)));
            prop_assert_eq!(one.then(&other).then(&third), one.then(&other.then(&third)));
            prop_assert_eq!(one.then(&other).inverse(), other.inverse().then(&one.inverse()));
            prop_assert_eq!(one.then(&one.inverse()).apply(&puzzle), puzzle);
        }

        #[test]
        fn texts_are_transformed_like_their_puzzles(puzzle in puzzle(), blanks in "[.0_*xX-]{81}", seed: u64) {
            let transformation = Transformation::random(&mut Random::new(seed));
            let cell = |(&value, blank)| if value == 0 { blank } else { value + b'0' };
            let text: Vec<u8> = puzzle.values().iter().zip(blanks.bytes()).map(cell).collect();
            let form = transformation.apply_to_text(text[..].try_into().unwrap());
            prop_assert_eq!(Puzzle::from_text(&form), Ok(transformation.apply(&puzzle)));
            let sorted = |text: &[u8]| {
                let mut blanks: Vec<u8> = text.iter().copied().filter(|byte| !(b'1'..=b'9').contains(byte)).collect();
                blanks.sort_unstable();
                blanks
            };
            prop_assert_eq!(sorted(&form), sorted(&text));
        }

        #[test]
        fn two_boards_have_the_forms_of_each(one in puzzle(), other in puzzle(), seed: u64) {
            let transformation = Transformation::random(&mut Random::new(seed));
            let forms = [&one, &other].map(|puzzle| *transformation.apply(puzzle).values());
            prop_assert_eq!(transformation.apply_to_both(one.values(), other.values()), forms);
        }

        #[test]
        fn any_text_is_parsed_or_refused(text in "t?r[0-9]{8,10}c[1-9]{9}d[1-9]{9}|.*") {
            if let Ok(transformation) = text.parse::<Transformation>() {
                prop_assert_eq!(transformation.to_string(), text);
            }
        }
        #[test]
        fn an_inverse_restores_the_puzzle(puzzle in puzzle(), seed: u64) {
            let transformation = Transformation::random(&mut Random::new(seed));
            let inverse = transformation.inverse();
            let form = transformation.apply(&puzzle);
            prop_assert_eq!(inverse.apply(&form), puzzle);
            prop_assert_eq!(transformation.apply(&inverse.apply(&puzzle)), puzzle);
            prop_assert_eq!(inverse.inverse(), transformation);
            prop_assert_eq!(form.clue_count(), puzzle.clue_count());
            prop_assert_eq!(form.conflict().is_some(), puzzle.conflict().is_some());
        }

        #[test]
        fn the_form_of_a_solution_solves_the_form(clues in prop::collection::btree_set(0..CELLS, 17..60), seed: u64) {
            let mut random = Random::new(seed);
            let grid = Transformation::random(&mut random)
                .apply_to_solution(&solve_simply(&Puzzle::EMPTY).solution.unwrap());
            let clues: BTreeSet<usize> = clues;
            let kept = std::array::from_fn(|cell| if clues.contains(&cell) { grid[cell] } else { 0 });
            let puzzle = Puzzle::try_from(kept).unwrap();
            let transformation = Transformation::random(&mut random);
            let form = transformation.apply(&puzzle);
            prop_assert_eq!(transformation.apply_to_solution(&grid).check(&form), Ok(()));
            let (before, now) = (solve_simply(&puzzle), solve_simply(&form));
            prop_assert_eq!((before.status, before.count), (now.status, now.count));
        }
    }
}
