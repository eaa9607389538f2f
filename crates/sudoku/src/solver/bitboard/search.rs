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

/// Guesses without a failure after which a puzzle hardly has one solution only.
const GUESSES_OF_MANY: u64 = 8;

impl Progress {
    /// That of a search which is eager from the start.
    pub(super) const EAGER: Progress = Progress { guesses: GUESSES_BEFORE_EAGER, failures: 0 };

    /// Whether the puzzle hardly has one solution only.
    #[inline(always)]
    fn promises_many(self) -> bool {
        self.failures == 0 && self.guesses >= GUESSES_OF_MANY
    }

    /// Whether so many guesses fail that a search in order does not pay before all else is tried.
    #[inline(always)]
    fn is_dear(self) -> bool {
        self.failures * 3 > self.guesses + 3
    }

    /// Whether guesses hardly ever fail.
    #[inline(always)]
    fn is_eager(self) -> bool {
        self.guesses >= GUESSES_BEFORE_EAGER && self.failures * GUESSES_PER_FAILURE <= self.guesses
    }
}

/// When a search is left for another one of the same puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Leave {
    /// Never.
    Never,
    /// As soon as it promises many solutions.
    WhenMany,
    /// As soon as too many guesses fail.
    WhenDear,
}

/// Where a search has come to.
pub(super) enum Stop {
    /// A solution, which the board is.
    Solved,
    /// It is to be left; the board to go on with is on top of the stack, and counted.
    Left,
    /// Its end, or a limit.
    End,
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
    pub(super) leave: Leave,
    /// The board before the first guess, once there was one.
    pub(super) root: Option<Board<S::Digits>>,
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

    /// Goes on to the next solution: in `board`, or else in what is on the stack.
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

/// The board that was split in these two.
#[inline(always)]
fn union<D: Digits>(board: &Board<D>, rest: &Board<D>) -> Board<D> {
    [board[0] | rest[0], board[1] | rest[1], board[2] | rest[2]]
}

/// The grid of a solved board.
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
