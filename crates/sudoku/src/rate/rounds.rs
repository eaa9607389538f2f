//! Rounds of singles. If singles solve a puzzle, the numbers of rounds and singles show how much work it is to fill the puzzle.
//!
//! ```text
//! repeat:
//!     naked singles: blanks with a single candidate left
//!     if there are none, hidden singles: blanks that are the only place of a digit in a row, column or box
//!     if there are none either: stop
//!     fill all these singles in one step: this is a round
//! ```

use crate::puzzle::{CELLS, Puzzle, UNITS_OF, UsedDigits};

const ALL: u16 = 0x1ff;

/// Describes how naked and hidden singles fill a puzzle, round by round. The numbers are the same for all equivalent forms of the puzzle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct SinglesPath {
    /// Number of rounds until there are no more singles.
    pub rounds: u8,
    /// Number of blanks that were filled as naked singles.
    pub naked: u8,
    /// Number of blanks that were filled as hidden singles. Only rounds without a naked single fill hidden singles.
    pub hidden: u8,
    /// Smallest number of blanks filled by a round. The last round, which may have few blanks left, doesn't count,
    /// unless it is the only one. 0 if singles don't solve the puzzle, or if it has no blanks.
    pub fewest_choices: u8,
}

impl SinglesPath {
    /// Fills the singles of a puzzle. The result is meaningless if the clues contradict each other.
    ///
    /// ```
    /// use sudobench_sudoku::Puzzle;
    /// use sudobench_sudoku::rate::SinglesPath;
    ///
    /// let puzzle: Puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79".parse()?;
    /// let path = SinglesPath::follow(&puzzle);
    /// assert_eq!((path.rounds, path.naked, path.hidden, path.fewest_choices), (10, 51, 0, 2));
    /// assert_eq!(SinglesPath::follow(&Puzzle::EMPTY), SinglesPath::default());
    /// # Ok::<(), sudobench_sudoku::PuzzleError>(())
    /// ```
    pub fn follow(puzzle: &Puzzle) -> SinglesPath {
        let mut board = Board::new(puzzle);
        let mut path = SinglesPath::default();
        let (mut fewest, mut last) = (None, None);
        while board.blanks > 0 {
            let candidates = board.candidates();
            let mut found = candidates.map(|digits| if digits.count_ones() == 1 { digits } else { 0 });
            let is_naked = found.iter().any(|&digit| digit != 0);
            if !is_naked {
                found = hidden_singles(&candidates);
            }
            let filled = board.fill(&found);
            if filled == 0 {
                return SinglesPath { fewest_choices: 0, ..path };
            }
            path.rounds += 1;
            *(if is_naked { &mut path.naked } else { &mut path.hidden }) += filled;
            fewest = fewest.into_iter().chain(last).min();
            last = Some(filled);
        }
        SinglesPath { fewest_choices: fewest.or(last).unwrap_or(0), ..path }
    }
}

/// A grid that is being filled.
struct Board {
    /// The digit of each cell as a bit; 0 for a blank.
    digits: [u16; CELLS],
    used: UsedDigits,
    blanks: usize,
}

impl Board {
    fn new(puzzle: &Puzzle) -> Board {
        let mut board = Board { digits: [0; CELLS], used: UsedDigits::default(), blanks: CELLS };
        board.fill(&puzzle.values().map(|value| if value == 0 { 0 } else { 1 << (value - 1) }));
        board
    }

    /// Fills cells with these digits, each given as a bit; 0 leaves a cell as it is. Returns the number of filled cells.
    fn fill(&mut self, digits: &[u16; CELLS]) -> u8 {
        let mut filled = 0;
        for (cell, &digit) in digits.iter().enumerate().filter(|(_, digit)| **digit != 0) {
            self.digits[cell] = digit;
            self.used.insert(cell, digit);
            filled += 1;
        }
        self.blanks -= usize::from(filled);
        filled
    }

    /// Returns the candidates of each blank.
    fn candidates(&self) -> [u16; CELLS] {
        std::array::from_fn(|cell| match self.digits[cell] {
            0 => ALL & !self.used.seen_by(cell),
            _ => 0,
        })
    }
}

/// Returns, for each blank that is the only place of a digit in a row, column or box, this digit as a bit; 0 for all other cells.
fn hidden_singles(candidates: &[u16; CELLS]) -> [u16; CELLS] {
    let (mut once, mut twice) = ([0_u16; 27], [0_u16; 27]);
    for (cell, &digits) in candidates.iter().enumerate() {
        for unit in UNITS_OF[cell].map(usize::from) {
            twice[unit] |= once[unit] & digits;
            once[unit] |= digits;
        }
    }
    std::array::from_fn(|cell| {
        let units = UNITS_OF[cell].map(usize::from);
        let single = units.into_iter().fold(0, |single, unit| single | (once[unit] & !twice[unit]));
        let digits = candidates[cell] & single;
        // A cell has two such digits only in puzzles without a solution. In this case, the smaller digit is used.
        digits & digits.wrapping_neg()
    })
}
