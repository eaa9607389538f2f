//! The variants under test: the variants of the library, and solvers outside of the library.

use std::ops::ControlFlow;

use sudobench_sudoku::solver::{Class, Meter, Variant, listed};
use sudobench_sudoku::{Outcome, Puzzle, Question, Solution, Solver};

/// Solvers outside the library. To test your own solver like the solvers of the library, add a variant here.
static OWN: &[Variant] = &[Variant {
    name: "peer-scan",
    summary: "first blank; looks through its peers for each digit",
    source: "these tests: an example of a solver of your own",
    class: Class::Naive,
    hidden: false,
    build: |_| Ok(Box::new(PeerScan)),
}];

pub(crate) fn variants() -> impl Iterator<Item = &'static Variant> {
    listed().chain(OWN)
}

/// A backtracker that only uses the library's public interface.
struct PeerScan;

impl Solver for PeerScan {
    fn solve(&mut self, puzzle: &Puzzle, question: &Question) -> Outcome {
        if puzzle.conflict().is_some() {
            return Outcome::CONTRADICTORY;
        }
        let mut search = Search { grid: *puzzle.values(), question, count: 0, kept: None };
        let mut meter = Meter::start(question);
        let _ended_early = search.fill(0, &mut meter);
        Outcome::searched(question, search.count, search.kept, &meter)
    }
}

struct Search<'q> {
    grid: [u8; 81],
    question: &'q Question,
    count: u64,
    kept: Option<Solution>,
}

impl Search<'_> {
    /// Fills the cells from `from` on in every possible way. Returns `Break` if the search ends early.
    fn fill(&mut self, from: usize, meter: &mut Meter) -> ControlFlow<()> {
        let Some(cell) = (from..81).find(|&cell| self.grid[cell] == 0) else {
            return self.found();
        };
        let mut tried = 0;
        for digit in 1..=9 {
            if self.fits(cell, digit) {
                if !meter.place_alternative(&mut tried) {
                    return ControlFlow::Break(());
                }
                self.grid[cell] = digit;
                self.fill(cell + 1, meter)?;
                self.grid[cell] = 0;
            }
        }
        ControlFlow::Continue(())
    }

    /// Counts a solution. The first solution is kept; it is the smallest, because the cells are filled row by row with ascending digits.
    fn found(&mut self) -> ControlFlow<()> {
        self.kept = self.kept.or(Solution::try_from(self.grid).ok());
        self.count += 1;
        if self.count < self.question.max_solutions.get() {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    }

    fn fits(&self, cell: usize, digit: u8) -> bool {
        let sees = |other: &usize| {
            let same_box = other / 27 == cell / 27 && other % 9 / 3 == cell % 9 / 3;
            same_box || other / 9 == cell / 9 || other % 9 == cell % 9
        };
        (0..81).filter(sees).all(|other| self.grid[other] != digit)
    }
}
