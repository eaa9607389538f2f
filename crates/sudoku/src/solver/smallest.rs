//! The lexicographically smallest solution, for searches that do not find their solutions in that order.

use super::found_solutions::FoundSolutions;
use super::{Answer, Meter, Outcome, Question};
use crate::puzzle::{CELLS, Puzzle, Solution};

/// The outcome of a search that ended with `found`, whose solutions came in no particular order.
///
/// A search that saw every solution has kept the smallest. One that stopped at its limit has not, and is
/// refined, if the smallest is asked for, by `find_any`: see [`refine`].
pub(super) fn outcome(
    puzzle: &Puzzle,
    question: &Question,
    mut meter: Meter,
    mut found: FoundSolutions,
    find_any: impl FnMut(&Puzzle, &mut Meter) -> Option<Solution>,
) -> Outcome {
    if let (Answer::Smallest, true, Some(incumbent)) = (question.answer, found.all_asked_for(), found.kept())
    {
        found.keep(refine(puzzle, incumbent, &mut meter, find_any));
    }
    found.outcome(question, &meter)
}

/// The smallest solution of `puzzle`, of which `incumbent` is a solution.
///
/// ```text
/// for each blank in row-major order, all before it fixed to the incumbent's digits:
///     for each digit below the incumbent's, ascending:
///         if the puzzle has a solution with that digit here: it is the incumbent; next blank
/// ```
///
/// `find_any(puzzle, meter)` answers with any solution of a puzzle whose clues do not conflict; each of its
/// searches is free in its order, so that a hard puzzle stays as cheap as its proof of uniqueness. It counts
/// in `meter`; once that has stopped, the result means nothing.
pub(super) fn refine(
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
            // Many trials fail at once, without a placement at which the meter would look.
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

    /// A puzzle in which 1 and 2 may be swapped, and its two solutions that differ by that alone.
    fn small_and_large() -> (Puzzle, Solution, Solution) {
        let small = Solution::from_text(SMALL).unwrap();
        let large = small.values().map(|digit| [0, 2, 1, 3, 4, 5, 6, 7, 8, 9][usize::from(digit)]);
        let large = Solution::try_from(large).unwrap();
        let clues = small.values().map(|digit| if digit <= 2 { 0 } else { digit });
        (Puzzle::try_from(clues).unwrap(), small, large)
    }

    #[test]
    fn a_smaller_solution_is_asked_for_and_taken() {
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
