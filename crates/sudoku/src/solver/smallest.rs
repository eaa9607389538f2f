//! The lexicographically smallest solution, for searches that find solutions in any order.

use super::found_solutions::FoundSolutions;
use super::{Answer, Meter, Outcome, Question};
use crate::puzzle::{CELLS, Puzzle, Solution};

/// Searches a puzzle and returns the outcome. `search` records solutions in any order, until it has all solutions, has recorded enough of
/// them, or is stopped by the meter.
///
/// If the smallest solution is requested, and the search stopped at the requested number of solutions, the search may have missed the
/// smallest solution. Then [`refine`] finds it. A complete search has kept the smallest solution.
pub(super) fn outcome(
    puzzle: &Puzzle,
    question: &Question,
    mut search: impl FnMut(&Puzzle, &mut Meter, &mut FoundSolutions),
) -> Outcome {
    let (mut meter, mut found) = (Meter::start(question), FoundSolutions::new(question));
    search(puzzle, &mut meter, &mut found);
    if let (Answer::Smallest, true, Some(incumbent)) = (question.answer, found.all_asked_for(), found.kept())
    {
        found.keep(refine(puzzle, incumbent, &mut meter, |trial, meter| {
            let mut found = FoundSolutions::new(&Question::first());
            search(trial, meter, &mut found);
            found.kept()
        }));
    }
    found.outcome(question, &meter)
}

/// Returns the smallest solution of `puzzle`, starting from the solution `incumbent`.
///
/// ```text
/// for each blank in row-major order, all blanks before it fixed to the incumbent's digits:
///     for each digit below the incumbent's, ascending:
///         if the puzzle has a solution with that digit here: it becomes the incumbent; next blank
/// ```
///
/// `find_any(puzzle, meter)` returns any solution of a puzzle whose clues don't contradict each other, or `None` if there is no solution or
/// the meter stopped the search. It may search in any order. Searching in lexicographic order can be very slow for a hard puzzle, but a
/// search in any order costs only about as much as a proof of uniqueness. `find_any` counts its work in `meter`. If the meter has stopped,
/// the solution that `refine` returns may not be the smallest.
fn refine(
    puzzle: &Puzzle,
    mut incumbent: Solution,
    meter: &mut Meter,
    mut find_any: impl FnMut(&Puzzle, &mut Meter) -> Option<Solution>,
) -> Solution {
    let mut prefix = *puzzle.values();
    for cell in (0..CELLS).filter(|&cell| puzzle.values()[cell] == 0) {
        for digit in 1..incumbent.values()[cell] {
            prefix[cell] = digit;
            let Some(trial) = Puzzle::try_from(prefix).ok().filter(|trial| trial.conflict().is_none()) else {
                continue;
            };
            let smaller = find_any(&trial, meter);
            // The meter checks the clock and the cancel flag only at placements, but many attempts fail without a placement. So the clock
            // and the flag are also checked after each attempt.
            if meter.is_overdue() {
                return incumbent;
            }
            if let Some(smaller) = smaller {
                incumbent = smaller;
                break;
            }
        }
        prefix[cell] = incumbent.values()[cell];
    }
    incumbent
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: &[u8; CELLS] =
        b"123456789456789123789123456214365897365897214897214365531642978642978531978531642";

    /// Returns the puzzle that has all digits of `SMALL` except 1 and 2 as clues, its smallest solution (`SMALL`), and the solution in
    /// which each 1 and 2 of `SMALL` is swapped.
    fn small_and_large() -> (Puzzle, Solution, Solution) {
        let small = Solution::from_text(SMALL).unwrap();
        let large = small.values().map(|digit| [0, 2, 1, 3, 4, 5, 6, 7, 8, 9][usize::from(digit)]);
        let large = Solution::try_from(large).unwrap();
        let clues = small.values().map(|digit| if digit <= 2 { 0 } else { digit });
        (Puzzle::try_from(clues).unwrap(), small, large)
    }

    #[test]
    fn a_smaller_solution_is_searched_and_taken() {
        let (puzzle, small, large) = small_and_large();
        let question = Question::unique();
        let mut asked = 0;
        let refined = refine(&puzzle, large, &mut Meter::start(&question), |trial, _| {
            asked += 1;
            small.check(trial).is_ok().then_some(small)
        });
        assert_eq!((refined, asked), (small, 1));
    }

    #[test]
    fn a_stopped_meter_ends_the_refinement() {
        let (puzzle, _, large) = small_and_large();
        let question = Question { max_nodes: Some(0), ..Question::first() };
        let mut asked = 0;
        refine(&puzzle, large, &mut Meter::start(&question), |_, meter| {
            asked += 1;
            assert!(!meter.place());
            None
        });
        assert_eq!(asked, 1);
    }
}
