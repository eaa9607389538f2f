//! Solves a puzzle with techniques, and with a guess whenever no technique finds a step. If there is a limit, steps with a rating above the
//! limit are not used:
//!
//! ```text
//! the board has a contradiction    return to the board before the latest guess, without the guessed candidate; without a guess, end
//! a technique finds a step         apply the step
//! no technique finds a step        guess: in the first cell with the fewest candidates, the smallest candidate
//! ```
//! A board has a contradiction if a cell has no candidate, or a unit has no place for a digit. Techniques are never applied to such a
//! board. Each step fills a cell or removes a candidate, so a wrong guess always ends in a contradiction.

use super::Technique;
use super::board::{Board, UNIT_CELLS, bits, count};
use super::step::{PlayedStep, Step};
use super::walk::{Found, Walker};
use crate::puzzle::{Cells, Puzzle};

impl Walker {
    /// Follows the steps of a puzzle. If no technique finds a step whose rating is within the limit of [`Walker::up_to`], the step is a
    /// guess. Returns each step with the board before it. If the puzzle has exactly one solution, the steps lead to this solution. Returns
    /// `None` if the work was cancelled.
    ///
    /// ```
    /// use sudobench_sudoku::Puzzle;
    /// use sudobench_sudoku::techniques::{Technique, Walker};
    ///
    /// let puzzle: Puzzle =
    ///     "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9".parse()?;
    /// let steps = Walker::default().up_to(12).search(&puzzle).unwrap();
    /// assert!(steps.iter().any(|played| played.step.technique == Technique::Backtrack));
    /// # Ok::<(), sudobench_sudoku::PuzzleError>(())
    /// ```
    pub fn search(&self, puzzle: &Puzzle) -> Option<Vec<PlayedStep>> {
        let mut session = self.session();
        let mut board = Board::new(puzzle);
        let mut steps = Vec::new();
        // The guesses that were not taken back, each with the board before it.
        let mut guesses: Vec<(Board, (u8, u8))> = Vec::new();
        while !board.empty().is_empty() {
            if session.is_cancelled() {
                return None;
            }
            if has_contradiction(&board) {
                let Some((mut former, guess)) = guesses.pop() else { break };
                let step = backtrack(&board, guess)?;
                step.apply(&mut former);
                steps.push(PlayedStep::between(&board, step, &former, Cells::ALL));
                board = former;
                // In a session, the board may only lose candidates. The board before the guess has candidates that were removed since, so a
                // new session starts.
                session = self.session();
            } else if let Some(found) = Found::wanted(&board, &session) {
                steps.push(PlayedStep::play(found.into_step(), &mut board));
            } else if !session.is_cancelled() {
                let step = guess(&board)?;
                guesses.push((board.clone(), step.placement?));
                steps.push(PlayedStep::play(step, &mut board));
            }
        }
        Some(steps)
    }
}

/// Returns the guess of a search: the smallest candidate of the first cell with the fewest candidates. Returns `None` if no empty cell has
/// a candidate.
pub fn guess(board: &Board) -> Option<Step> {
    let cell = (1..=9).find_map(|count| board.cells_with_count(count).iter().next())?;
    let digit = bits(board.candidates(cell)).next()?;
    Some(Step { digits: board.candidates(cell), ..Step::placing(Technique::Guess, None, cell, digit) })
}

/// Returns the step that takes back a guess (a cell and its digit from 1 to 9). The step names a cell without candidates, or a unit and a
/// digit that has no place in it. Returns `None` if the board has no such cell or unit.
pub fn backtrack(board: &Board, (cell, digit): (u8, u8)) -> Option<Step> {
    let eliminations = vec![(cell, 1 << (digit - 1))];
    let step = Step { eliminations, ..Step::new(Technique::Backtrack) };
    if let Some(cell) = board.cells_with_count(0).iter().next() {
        return Some(Step { cells: Cells::one(cell), ..step });
    }
    let unit = (0..27).find(|&unit| lacks_places(board, unit))?;
    let filled = UNIT_CELLS[unit].without(board.empty()).iter();
    let filled = filled.fold(0, |digits, cell| digits | board.digits(cell));
    let digit = bits(board.digits_with_count(unit, 0) & !filled).next()?;
    Some(Step { units: vec![unit as u8], digits: 1 << digit, ..step })
}

fn has_contradiction(board: &Board) -> bool {
    !board.cells_with_count(0).is_empty() || (0..27).any(|unit| lacks_places(board, unit))
}

/// Returns whether some digit has no place in a unit. The digits of the unit's filled cells are left out, because they need no place.
fn lacks_places(board: &Board, unit: usize) -> bool {
    count(board.digits_with_count(unit, 0)) + board.empty_in(unit) > 9
}
