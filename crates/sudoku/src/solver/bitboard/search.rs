//! The search of `bitboard`, which stops at each solution and can go on from there.

use super::branch::{split, split_first};
use super::infer::{BAND, Board, BoardState, Rules};
use crate::puzzle::{Puzzle, Solution};
use crate::simd::{CellSet, Digits, Simd};
use crate::solver::Meter;
use crate::solver::clues::box_has_twice;

/// How a search has fared so far.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Progress {
    guesses: u64,
    failures: u64,
}

/// Guesses before a search may be called eager: puzzles with one solution often need no more.
const GUESSES_BEFORE_EAGER: u64 = 3;

/// Guesses of an eager search for each that fails, at least.
const GUESSES_PER_FAILURE: u64 = 4;

impl Progress {
    /// Whether guesses hardly ever fail.
    #[inline(always)]
    fn is_eager(self) -> bool {
        self.guesses >= GUESSES_BEFORE_EAGER && self.failures * GUESSES_PER_FAILURE <= self.guesses
    }
}

/// A search for the solutions of a puzzle. Where boards are left on the stack, it was cut short.
pub(super) struct Search<'s, 'l, S: Simd<N>, const N: usize> {
    pub(super) simd: S,
    pub(super) rules: Rules<S::Digits>,
    pub(super) puzzle: &'s Puzzle,
    pub(super) stack: &'s mut Vec<Board<S::Digits>>,
    pub(super) meter: &'s mut Meter<'l>,
    /// Go through the cells in order and the digits ascending: solutions come in lexicographic order.
    pub(super) ordered: bool,
    pub(super) progress: Progress,
}

impl<S: Simd<N>, const N: usize> Search<'_, '_, S, N> {
    /// The board to begin with: one candidate for a clue, nine for a blank, without the one that is struck.
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

    /// The board to go on with after a solution; `None` where the search is over.
    #[inline(always)]
    pub(super) fn next(&mut self) -> Option<Board<S::Digits>> {
        if self.stack.is_empty() || !self.meter.place() {
            return None;
        }
        self.stack.pop()
    }

    /// The next solution: in `board`, or else in what is on the stack. `None` where the search is over.
    #[inline(always)]
    pub(super) fn solution_from(&mut self, mut board: Board<S::Digits>) -> Option<Solution> {
        loop {
            let (state, rest) = self.step(&mut board);
            match state {
                BoardState::Open => {
                    let contradicts_itself = self.progress.guesses == 0
                        && box_has_twice(&self.simd.cells_by_value(self.puzzle.values()));
                    if contradicts_itself || !self.meter.place() {
                        return None;
                    }
                    self.progress.guesses += 1;
                    self.meter.guess();
                    self.stack.push(rest);
                }
                BoardState::Solved => return Some(solution_of(self.simd, &board)),
                BoardState::Contradictory => {
                    self.progress.failures += 1;
                    board = self.next()?;
                }
            }
        }
    }

    /// Infers, and splits a board that is [`BoardState::Open`] in two disjoint parts: it becomes the one to try first, and
    /// the other is returned.
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

/// The grid of a solved board.
#[inline(always)]
fn solution_of<const N: usize, S: Simd<N>>(simd: S, board: &Board<S::Digits>) -> Solution {
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
