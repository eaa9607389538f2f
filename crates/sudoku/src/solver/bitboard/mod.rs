//! `bitboard`: one puzzle at a time, nine digits at once.
//!
//! ```text
//!            lane 1        lane 2        ..  lane 9       (16 lanes of 32 bits, nine in use)
//!   band 1   27 cells of   27 cells of       27 cells of
//!   band 2   the digit 1   the digit 2       the digit 9
//!   band 3
//!
//!   repeat
//!     infer until nothing changes                       infer.rs, triple.rs
//!     contradictory: go on with the top of the stack
//!     solved:        count it, then likewise
//!     open:          choose a configuration of a digit, or a digit of a cell;      configuration.rs, branch.rs
//!                    push the board without it, go on with the board that has it   split.rs
//! ```
//!
//! A search whose guesses hardly ever fail is *calm*: the puzzle has many solutions, and nearly every path leads to
//! one. Then a guess is cheaper than the inference that would save it: every rule is applied once, and the first cell
//! of two digits is split, be the board settled or not. What counts is this puzzle's search alone, so that its answer
//! and counters do not depend on its neighbours.
//!
//! For small inputs, library calls and latency: nothing to fill, nothing to wait for. For batches see
//! [`super::Bitslice`].
//!
//! The stack holds one board for each decision on the way to the present one, so [`MOST_DECISIONS`] at most.
//! A *node* is an alternative that is tried: one for each guess, one for each board taken from the stack.

mod branch;
mod configuration;
mod infer;
mod split;
mod triple;

use super::clues::box_has_twice;
use super::found::Found;
use super::{Answer, MOST_DECISIONS, Meter, Outcome, Question, Solver};
use crate::puzzle::{Puzzle, Solution};
use crate::simd::{self, Build, CellSet, Digits, Kernel, Level, LevelError, Simd};
use infer::{BAND, Board, Rules, Verdict};
use split::{split, split_first};

/// The solver for one puzzle at a time.
pub struct Bitboard(Box<dyn Solver>);

/// Builds the solver of a width.
#[derive(Clone, Copy)]
struct Width;

impl Build for Width {
    type Output = Bitboard;

    fn build<S: Simd<N>, const N: usize>(self, simd: S) -> Bitboard {
        Bitboard(Box::new(Engine::new(simd)))
    }
}

impl Bitboard {
    /// A solver of that width.
    ///
    /// # Errors
    /// [`LevelError::Unsupported`] where the CPU lacks the level.
    pub fn new(level: Level) -> Result<Bitboard, LevelError> {
        simd::build_at(level, Width)
    }
}

impl Bitboard {
    /// A solver of the widest level that this CPU has.
    pub(super) fn widest() -> Bitboard {
        Bitboard::new(Level::widest()).unwrap_or_else(|_| Width.build(simd::Baseline))
    }
}

impl Solver for Bitboard {
    fn solve(&mut self, puzzle: &Puzzle, question: &Question) -> Outcome {
        self.0.solve(puzzle, question)
    }
}

/// The solver at one width.
struct Engine<S: Simd<N>, const N: usize> {
    simd: S,
    stack: Vec<Board<S::Digits>>,
}

impl<S: Simd<N>, const N: usize> Engine<S, N> {
    fn new(simd: S) -> Engine<S, N> {
        Engine { simd, stack: Vec::with_capacity(MOST_DECISIONS) }
    }
}

impl<S: Simd<N>, const N: usize> Solver for Engine<S, N> {
    fn solve(&mut self, puzzle: &Puzzle, question: &Question) -> Outcome {
        let Engine { simd, stack } = self;
        let mut meter = Meter::start(question);
        let mut found = Found::under(question);
        let mut search = |ordered, found: &mut Found| {
            stack.clear();
            simd.call(Search { simd: *simd, puzzle, stack, meter: &mut meter, ordered, found });
            !stack.is_empty()
        };
        // Asked for one solution, the smallest, there is nothing to count before.
        let ordered = question.answer == Answer::Smallest && question.max_solutions.get() == 1;
        let cut_short = search(ordered, &mut found);
        if question.answer == Answer::Smallest && !ordered && cut_short {
            let mut smallest = Found::any();
            search(true, &mut smallest);
            if let Some(solution) = smallest.kept() {
                found.keep(solution);
            }
        }
        found.outcome(question, &meter)
    }
}

/// A search for as many solutions as `found` takes. Where boards are left on the stack, it was cut short.
struct Search<'s, 'l, S, D, const N: usize> {
    simd: S,
    puzzle: &'s Puzzle,
    stack: &'s mut Vec<Board<D>>,
    meter: &'s mut Meter<'l>,
    /// Go through the cells in order and the digits ascending: the first solution is the smallest.
    ordered: bool,
    found: &'s mut Found,
}

/// Guesses before a search may be called calm: puzzles with one solution often need no more.
const GUESSES_BEFORE_CALM: u64 = 3;

/// Guesses of a calm search for each that fails, at least.
const GUESSES_PER_FAILURE: u64 = 4;

impl<const N: usize, S: Simd<N>> Kernel for Search<'_, '_, S, S::Digits, N> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Search { simd, puzzle, stack, meter, ordered, found } = self;
        let rules = Rules::new(simd);
        let mut board = board_of(simd, puzzle);
        let (mut guesses, mut failures) = (0, 0);
        loop {
            let calm = guesses >= GUESSES_BEFORE_CALM && failures * GUESSES_PER_FAILURE <= guesses;
            let (verdict, rest) = step(simd, &rules, &mut board, calm, ordered);
            match verdict {
                Verdict::Open => {
                    if guesses == 0 && box_has_twice(&simd.cells_by_value(puzzle.values())) || !meter.place()
                    {
                        return;
                    }
                    guesses += 1;
                    meter.guess();
                    stack.push(rest);
                    continue;
                }
                Verdict::Solved => {
                    if found.record_solution(solution_of(simd, &board)).is_break() {
                        return;
                    }
                }
                Verdict::Contradictory => failures += 1,
            }
            if stack.is_empty() || !meter.place() {
                return;
            }
            let Some(next) = stack.pop() else { return };
            board = next;
        }
    }
}

/// Infers, and splits a board that is [`Verdict::Open`] in two disjoint parts: it becomes the one to try first, and the
/// other is returned.
#[inline(always)]
fn step<const N: usize, S: Simd<N>>(
    simd: S,
    rules: &Rules<S::Digits>,
    board: &mut Board<S::Digits>,
    calm: bool,
    ordered: bool,
) -> (Verdict, Board<S::Digits>) {
    if calm {
        let verdict = rules.pass(board).unwrap_or(Verdict::Open);
        if verdict != Verdict::Open {
            return (verdict, *board);
        }
        if let Some(rest) = split_first(simd, board, ordered) {
            return (verdict, rest);
        }
    }
    let verdict = rules.settle(simd, board);
    let rest = if verdict == Verdict::Open { split(simd, rules, board, ordered) } else { *board };
    (verdict, rest)
}

/// The board of a puzzle: one candidate for a clue, nine for a blank.
#[inline(always)]
fn board_of<const N: usize, S: Simd<N>>(simd: S, puzzle: &Puzzle) -> Board<S::Digits> {
    let sets = simd.cells_by_value(puzzle.values());
    let mut lanes = [[0; 16]; 3];
    for digit in 0..9 {
        let low = sets[0].low | sets[digit + 1].low;
        let high = sets[0].high | sets[digit + 1].high;
        lanes[0][digit] = low as u32 & BAND;
        lanes[1][digit] = (low >> 27) as u32 & BAND;
        lanes[2][digit] = (low >> 54 | high << 10) as u32 & BAND;
    }
    [simd.digits(lanes[0]), simd.digits(lanes[1]), simd.digits(lanes[2])]
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::{Baseline, Plain};

    #[test]
    fn on_plain_integers_it_searches_as_on_the_baseline() {
        super::super::tests::assert_alike(&mut Width.build(Plain), &mut Width.build(Baseline));
    }
}
