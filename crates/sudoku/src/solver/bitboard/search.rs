//! The search of `bitboard`. It stops at each solution and can be continued from there.

use super::branch::{split, split_first};
use super::infer::{BAND, Board, BoardState, Rules};
use crate::puzzle::{Puzzle, Solution};
use crate::simd::{CellSet, Digits, Simd};
use crate::solver::Meter;
use crate::solver::clues::box_has_twice;

/// Statistics of a search so far.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Progress {
    guesses: u64,
    failures: u64,
}

/// Number of guesses before a search may be eager: puzzles with one solution often need no more.
const GUESSES_BEFORE_EAGER: u64 = 3;

/// Smallest number of guesses per failure in an eager search.
const GUESSES_PER_FAILURE: u64 = 4;

/// Number of guesses without a failure that makes a single solution unlikely.
const GUESSES_OF_MANY: u64 = 8;

impl Progress {
    /// The state of a search that is eager from the start.
    pub(super) const EAGER: Progress = Progress { guesses: GUESSES_BEFORE_EAGER, failures: 0 };

    /// Returns whether a single solution is unlikely.
    #[inline(always)]
    fn promises_many(self) -> bool {
        self.failures == 0 && self.guesses >= GUESSES_OF_MANY
    }

    /// Returns whether so many guesses fail that a search in order doesn't pay off before everything else is tried.
    #[inline(always)]
    fn is_dear(self) -> bool {
        self.failures * 3 > self.guesses + 3
    }

    /// Returns whether guesses hardly ever fail.
    #[inline(always)]
    fn is_eager(self) -> bool {
        self.guesses >= GUESSES_BEFORE_EAGER && self.failures * GUESSES_PER_FAILURE <= self.guesses
    }
}

/// When to switch from this search to another search of the same puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Leave {
    /// Never.
    Never,
    /// When the puzzle seems to have many solutions.
    WhenMany,
    /// When too many guesses fail.
    WhenDear,
}

/// Why a search stopped.
pub(super) enum Stop {
    /// The board is a solution.
    Solved,
    /// The other search should continue. The next board is on top of the stack and is already counted.
    Left,
    /// The search is complete or reached a limit.
    End,
}

/// A search for the solutions of a puzzle. If boards are left on the stack, it is incomplete.
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
    /// The board before the first guess, if there was a guess.
    pub(super) root: Option<Board<S::Digits>>,
}

impl<S: Simd<N>, const N: usize> Search<'_, '_, S, N> {
    /// Returns the initial board: one candidate for a clue, nine for a blank, without the removed candidate.
    #[inline(always)]
    pub(super) fn first(&self, struck: Option<(usize, usize)>) -> Board<S::Digits> {
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
        if let Some((cell, digit)) = struck {
            lanes[cell / 27][digit] &= !(1 << (cell % 27));
        }
        [simd.digits(lanes[0]), simd.digits(lanes[1]), simd.digits(lanes[2])]
    }

    /// Returns the board to continue with after a solution; `None` if the search is complete.
    #[inline(always)]
    pub(super) fn next(&mut self) -> Option<Board<S::Digits>> {
        if self.stack.is_empty() || !self.meter.place() {
            return None;
        }
        self.stack.pop()
    }

    /// Continues to the next solution, from `board` or else from the stack.
    #[inline(always)]
    pub(super) fn go_on(&mut self, board: &mut Board<S::Digits>) -> Stop {
        loop {
            let (state, rest) = self.step(board);
            match state {
                BoardState::Open => {
                    if self.progress.guesses == 0 {
                        if box_has_twice(&self.simd.cells_by_value(self.puzzle.values())) {
                            return Stop::End;
                        }
                        self.root = Some(union(board, &rest));
                    }
                    if self.leave == Leave::WhenMany && self.progress.promises_many() {
                        self.stack.push(union(board, &rest));
                        return Stop::Left;
                    }
                    if !self.meter.place() {
                        return Stop::End;
                    }
                    self.progress.guesses += 1;
                    self.meter.guess();
                    self.stack.push(rest);
                }
                BoardState::Solved => return Stop::Solved,
                BoardState::Contradictory => {
                    self.progress.failures += 1;
                    let Some(next) = self.next() else { return Stop::End };
                    *board = next;
                    if self.leave == Leave::WhenDear && self.progress.is_dear() {
                        self.stack.push(next);
                        return Stop::Left;
                    }
                }
            }
        }
    }

    /// Applies the inference. Splits a board that is [`BoardState::Open`] into two disjoint parts: `board` becomes the
    /// part to try first, and the other part is returned.
    #[inline(always)]
    fn step(&self, board: &mut Board<S::Digits>) -> (BoardState, Board<S::Digits>) {
        let Search { simd, ref rules, ordered, .. } = *self;
        if self.progress.is_eager() {
            let state = rules.pass(board).unwrap_or(BoardState::Open);
            if state != BoardState::Open {
                return (state, *board);
            }
            if let Some(rest) = split_first(simd, board, ordered) {
                return (state, rest);
            }
        }
        let state = rules.settle(simd, board);
        let rest = if state == BoardState::Open { split(simd, rules, board, ordered) } else { *board };
        (state, rest)
    }
}

/// Returns the board that was split into these two parts.
#[inline(always)]
fn union<D: Digits>(board: &Board<D>, rest: &Board<D>) -> Board<D> {
    [board[0] | rest[0], board[1] | rest[1], board[2] | rest[2]]
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
