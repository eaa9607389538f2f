//! What `check` finds out about puzzles: whether they are minimal, which clues are redundant, what a plain backtracker takes.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use sudobench_sudoku::minimal::Minimality;
use sudobench_sudoku::puzzle::Cells;
use sudobench_sudoku::simd::{Level, LevelError};
use sudobench_sudoku::solver::BoolTable;
use sudobench_sudoku::{Puzzle, Question, Solver};

use super::needs::Needs;

/// What was found out about a puzzle, as far as somebody needs it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Checked {
    /// Whether every clue is needed; `None` unless there is exactly one solution.
    pub is_minimal: Option<bool>,
    /// The clues that are not needed, each by itself; `None` unless there is exactly one solution.
    pub redundant: Option<Cells>,
    /// Calls of the recursion of BOJ 12095, up to [`MOST_CALLS`].
    pub calls: Option<u64>,
}

/// The calls at which counting ends.
pub const MOST_CALLS: u64 = 10_000_000;

/// Finds it out. One for each thread.
#[derive(Debug)]
pub(crate) struct Checker {
    minimality: Minimality,
    backtracker: BoolTable,
    /// The question of BOJ 12095. Every node is a call, so that a search that is given up has made more calls than are told.
    question: Question,
}

impl Checker {
    pub(crate) fn new(level: Level, cancel: Option<&Arc<AtomicBool>>) -> Result<Checker, LevelError> {
        let mut minimality = Minimality::new(level)?;
        if let Some(cancel) = cancel {
            minimality = minimality.cancel(Arc::clone(cancel));
        }
        let question = Question { max_nodes: Some(MOST_CALLS), cancel: cancel.cloned(), ..Question::first() };
        Ok(Checker { minimality, backtracker: BoolTable::default(), question })
    }

    /// Writes what `needs` says of each puzzle to `checked`. Minimality is asked of those that are `unique`, all of them together. Returns of
    /// how many puzzles, from the first on, all is found out: fewer where that was cancelled.
    pub(crate) fn check(
        &mut self,
        puzzles: &[Puzzle],
        is_unique: impl Fn(usize) -> bool,
        needs: Needs,
        checked: &mut Vec<Checked>,
    ) -> usize {
        checked.clear();
        checked.resize(puzzles.len(), Checked::default());
        if needs.minimal || needs.redundant {
            let asked: Vec<usize> = (0..puzzles.len()).filter(|&at| is_unique(at)).collect();
            let unique: Vec<Puzzle> = asked.iter().map(|&at| puzzles[at]).collect();
            if !self.ask(&unique, needs.redundant, |at, answer| checked[asked[at]] = answer) {
                return 0;
            }
        }
        if needs.calls {
            for (at, (puzzle, checked)) in puzzles.iter().zip(checked.iter_mut()).enumerate() {
                self.backtracker.solve(puzzle, &self.question);
                if self.is_cancelled() {
                    return at;
                }
                checked.calls = Some(self.backtracker.calls().min(MOST_CALLS));
            }
        }
        puzzles.len()
    }

    /// Whether puzzles with one solution are minimal, and which clues are redundant where `lists` says so: to say no is cheaper than to list
    /// them. Returns whether all are answered.
    fn ask(&mut self, unique: &[Puzzle], lists: bool, mut answer: impl FnMut(usize, Checked)) -> bool {
        if lists {
            let mut redundant = vec![Cells::EMPTY; unique.len()];
            let is_whole = self.minimality.redundant(unique, &mut redundant);
            for (at, cells) in redundant.into_iter().enumerate() {
                let is_minimal = Some(cells.is_empty());
                answer(at, Checked { is_minimal, redundant: Some(cells), calls: None });
            }
            return is_whole;
        }
        let mut are_minimal = vec![false; unique.len()];
        let is_whole = self.minimality.are_minimal(unique, &mut are_minimal);
        for (at, is_minimal) in are_minimal.into_iter().enumerate() {
            answer(at, Checked { is_minimal: Some(is_minimal), ..Checked::default() });
        }
        is_whole
    }

    fn is_cancelled(&self) -> bool {
        self.question.cancel.as_ref().is_some_and(|cancel| cancel.load(Ordering::Relaxed))
    }
}
