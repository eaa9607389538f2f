//! The search of `bitboard`. It stops at each solution and can be continued from there.

use super::branch::{split, split_first};
use super::clues::box_has_twice;
use super::infer::{BAND, Board, BoardState, Rules};
use crate::puzzle::{CELLS, FEWEST_CLUES, Puzzle, Solution};
use crate::simd::{CellSet, Digits, Simd};
use crate::solver::Meter;

/// Statistics of a search so far.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Progress {
    guesses: u64,
    failures: u64,
    /// How likely it is that there are several solutions, estimated before the first guess: see [`ambiguity`].
    ambiguity: i64,
}

/// Number of guesses before a search may be eager. It is above zero because this number of guesses often suffices for a puzzle with one
/// solution.
const GUESSES_BEFORE_EAGER: u64 = 3;

/// A search is eager only if it has made at least this number of guesses for each failed guess.
const GUESSES_PER_FAILURE: u64 = 4;

/// Smallest ambiguity at which the puzzle probably has several solutions.
const AMBIGUOUS: i64 = -260;

/// Number that each guess adds to the ambiguity, as long as no guess has failed.
const AMBIGUITY_OF_GUESS: i64 = 7;

impl Progress {
    /// The statistics of a search that is eager from the start.
    pub(super) const EAGER: Progress = Progress { guesses: GUESSES_BEFORE_EAGER, failures: 0, ambiguity: 0 };

    /// Returns whether the puzzle probably has several solutions.
    #[inline(always)]
    fn promises_many(self) -> bool {
        self.failures == 0 && self.ambiguity + AMBIGUITY_OF_GUESS * self.guesses as i64 >= AMBIGUOUS
    }

    /// Returns whether more than half of the guesses failed. Then the search in order should wait until the search in any order has ended:
    /// see `turns.rs`.
    #[inline(always)]
    fn fails_often(self) -> bool {
        self.failures * 2 > self.guesses
    }

    /// Returns whether there were enough guesses, and at most one failure for every [`GUESSES_PER_FAILURE`] guesses.
    #[inline(always)]
    fn is_eager(self) -> bool {
        self.guesses >= GUESSES_BEFORE_EAGER && self.failures * GUESSES_PER_FAILURE <= self.guesses
    }
}

/// When to switch from this search to the other search of the same puzzle (see `turns.rs`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Leave {
    Never,
    /// When the puzzle probably has several solutions.
    WhenMany,
    /// When too many guesses fail.
    WhenFailing,
}

/// Reasons why a search stopped.
pub(super) enum Stop {
    /// The board is a solution.
    Solved,
    /// This search pauses, and the other search of the same puzzle should continue. The next board of the paused search is on top of the
    /// paused search's stack. The code that takes this board from the stack must not count the board as a node: it is counted already, or
    /// is the board before the first guess.
    Left,
    /// The search is complete or reached a limit.
    End,
}

/// Result of a step of the search.
enum Step<D> {
    /// The board was split into two disjoint parts. The board is now the part to try first; the field is the other part.
    Split(Board<D>),
    /// No result yet. The other search of the same puzzle should continue.
    Leave,
    /// The board is solved or contradictory.
    Ended(BoardState),
}

/// A search for the solutions of a puzzle. If boards are left on the stack, the search is incomplete.
pub(super) struct Search<'s, 'l, S: Simd<N>, const N: usize> {
    pub(super) simd: S,
    pub(super) rules: Rules<S::Digits>,
    pub(super) puzzle: &'s Puzzle,
    pub(super) stack: &'s mut Vec<Board<S::Digits>>,
    pub(super) meter: &'s mut Meter<'l>,
    /// Whether to go through cells in order and digits in ascending order, so that solutions come in lexicographic
    /// order.
    pub(super) ordered: bool,
    pub(super) progress: Progress,
    pub(super) leave: Leave,
    /// The board before the first guess, once the search has reached it.
    pub(super) root: Option<Board<S::Digits>>,
}

impl<S: Simd<N>, const N: usize> Search<'_, '_, S, N> {
    /// Returns the initial board: one candidate for a clue, nine for a blank. The candidate `excluded` (cell, digit) is removed.
    #[inline(always)]
    pub(super) fn first(&self, excluded: Option<(usize, usize)>) -> Board<S::Digits> {
        let simd = self.simd;
        let sets = simd.cells_by_value(self.puzzle.values());
        let mut lanes = [[0; 16]; 3];
        for digit in 0..9 {
            let low = sets[0].low | sets[digit + 1].low;
            let high = sets[0].high | sets[digit + 1].high;
            lanes[0][digit] = low as u32 & BAND;
            lanes[1][digit] = (low >> 27) as u32 & BAND;
            lanes[2][digit] = (low >> 54 | high << 10) as u32 & BAND;
        }
        if let Some((cell, digit)) = excluded {
            lanes[cell / 27][digit] &= !(1 << (cell % 27));
        }
        [simd.digits(lanes[0]), simd.digits(lanes[1]), simd.digits(lanes[2])]
    }

    /// Returns the board to continue with after a solution or a contradiction; `None` if the search is complete or reached a limit.
    #[inline(always)]
    pub(super) fn next(&mut self) -> Option<Board<S::Digits>> {
        if self.stack.is_empty() || !self.meter.place() {
            return None;
        }
        self.stack.pop()
    }

    /// Continues to the next solution. Searches `board` first, and then the boards on the stack.
    #[inline(always)]
    pub(super) fn go_on(&mut self, board: &mut Board<S::Digits>) -> Stop {
        let mut single = None;
        loop {
            match self.step(board, &mut single) {
                Step::Split(rest) => {
                    if !self.meter.place() {
                        return Stop::End;
                    }
                    self.progress.guesses += 1;
                    self.meter.guess();
                    self.stack.push(rest);
                }
                Step::Leave => {
                    self.stack.push(*board);
                    return Stop::Left;
                }
                Step::Ended(BoardState::Solved) => return Stop::Solved,
                Step::Ended(_) => {
                    self.progress.failures += 1;
                    let Some(next) = self.next() else { return Stop::End };
                    *board = next;
                    if self.leave == Leave::WhenFailing && self.progress.fails_often() {
                        self.stack.push(next);
                        return Stop::Left;
                    }
                }
            }
        }
    }

    /// Applies the inference, and splits the board if it is open: neither solved nor contradictory.
    ///
    /// If an eager step splits the board, it stores in `single` the cells that can have only one digit, so that the next step need not
    /// compute these cells again. Otherwise, `single` is `None`.
    #[inline(always)]
    fn step(
        &mut self,
        board: &mut Board<S::Digits>,
        single: &mut Option<Board<S::Digits>>,
    ) -> Step<S::Digits> {
        let Search { simd, ref rules, ordered, .. } = *self;
        if self.progress.is_eager() {
            let counted = match single.take() {
                Some(single) => single,
                None => match rules.look(board, &rules.nothing_known()) {
                    Ok(cells) => cells.single,
                    Err(state) => return Step::Ended(state),
                },
            };
            let Some((known, _)) = rules.filter(board, &counted) else {
                return Step::Ended(BoardState::Contradictory);
            };
            let mut cells = match rules.look(board, &known) {
                Ok(cells) => cells,
                Err(state) => return Step::Ended(state),
            };
            if self.leave == Leave::WhenMany && self.progress.promises_many() {
                return Step::Leave;
            }
            let several = if ordered { cells.several } else { cells.two };
            if let Some(rest) = split_first(simd, board, &several, &mut cells.single) {
                *single = Some(cells.single);
                return Step::Split(rest);
            }
        }
        let state = rules.settle(simd, board);
        if state != BoardState::Open {
            return Step::Ended(state);
        }
        if self.progress.guesses == 0 {
            let sets = simd.cells_by_value(self.puzzle.values());
            if box_has_twice(&sets) {
                return Step::Ended(BoardState::Contradictory);
            }
            self.root = Some(*board);
            if self.leave == Leave::WhenMany {
                self.progress.ambiguity = ambiguity(board, &sets[0]);
            }
        }
        if self.leave == Leave::WhenMany && self.progress.promises_many() {
            return Step::Leave;
        }
        Step::Split(split(simd, rules, board, ordered))
    }
}

/// Returns a number that is larger if several solutions are more likely. `board` is the settled board before the first guess. `blanks` are
/// the puzzle's cells without a clue.
///
/// The weights were fitted to the times of both searches, on puzzles from many sources, with one solution and with several. If the numbers
/// of clues and candidates are the same, the candidates of puzzles with several solutions tend to lie in fewer minilines.
#[inline(always)]
fn ambiguity<D: Digits>(board: &Board<D>, blanks: &CellSet) -> i64 {
    let clues = CELLS as u32 - blanks.low.count_ones() - blanks.high.count_ones();
    if clues < FEWEST_CLUES as u32 {
        return AMBIGUOUS;
    }
    let bands = [board[0].lanes(), board[1].lanes(), board[2].lanes()];
    let (mut candidates, mut minilines) = (0, 0);
    for digit in 0..9 {
        let [first, second, third] = [0, 1, 2].map(|band| bands[band][digit]);
        candidates += first.count_ones() + (u64::from(second) << 32 | u64::from(third)).count_ones();
        let rows = |cells: u32| (cells | cells >> 1 | cells >> 2) & 0o111_111_111;
        let columns = |cells: u32| (cells | cells >> 9 | cells >> 18) & 0o777;
        let rows = rows(first) | rows(second) << 1 | rows(third) << 2;
        let columns = columns(first) | columns(second) << 9 | columns(third) << 18;
        minilines += (u64::from(rows) << 32 | u64::from(columns)).count_ones();
    }
    16 * i64::from(clues) + 6 * i64::from(candidates) - 7 * i64::from(minilines)
}

/// Returns the grid of a solved board.
#[inline(always)]
pub(super) fn solution_of<const N: usize, S: Simd<N>>(simd: S, board: &Board<S::Digits>) -> Solution {
    let lanes = [board[0].lanes(), board[1].lanes(), board[2].lanes()];
    let mut cells = [CellSet::default(); 9];
    for (digit, set) in cells.iter_mut().enumerate() {
        let bands = [0, 1, 2].map(|band| u64::from(lanes[band][digit]));
        *set = CellSet { low: bands[0] | bands[1] << 27 | bands[2] << 54, high: bands[2] >> 10 };
    }
    let mut solution = Solution::ONES;
    simd.values_of_cells(&cells, solution.values_mut());
    solution
}
