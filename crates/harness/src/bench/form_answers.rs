//! Checks that the answers to all forms of a puzzle agree, and measures how much the work differs between forms.

use sudobench_sudoku::isomorph::Transformation;
use sudobench_sudoku::solver::{Outcome, Status};

use super::Dataset;
use crate::record::{Amount, SpreadRecord};
use crate::statistics::quantile_of_sorted;

/// Compares the answers to the forms of each puzzle. All answers must have the same number of solutions. If there is only one solution, all
/// forms must have the same solution after their transformations are undone.
///
/// For each puzzle, the first answer that is not aborted is compared with the answers to the later forms of the puzzle. Returns the index
/// of each answer that differs from this first answer, with the fault as the rest of a sentence that begins with "its answer".
pub(super) fn unlike_other_forms(dataset: &Dataset, outcomes: &[Outcome]) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let Some(forms) = dataset.several_forms() else { return found };
    for (puzzle, outcomes) in outcomes.chunks(forms.isomorphs).enumerate() {
        let first = puzzle * forms.isomorphs;
        let answered = forms.of_puzzle(puzzle).zip(outcomes).enumerate();
        let mut decided = answered.filter(|(_, (_, outcome))| outcome.status != Status::Aborted);
        let Some((earlier, expected)) = decided.next() else { continue };
        for (form, answer) in decided {
            let message = unlike(&expected, &answer);
            found.extend(message.map(|message| (first + form, format!("{message} on form {}", earlier + 1))));
        }
    }
    found
}

/// The transformation of a form, and the answer to it.
type FormAnswer<'a> = (Transformation, &'a Outcome);

fn unlike((expected_by, expected): &FormAnswer, (by, outcome): &FormAnswer) -> Option<String> {
    let in_words = |outcome: &Outcome| format!("`{}` ({} found)", outcome.status.name(), outcome.count);
    // The two answers may be from an external program, which may print no solution without claiming that there is none. So the text does
    // not name the statuses, but says which of the two answers has a solution.
    match (outcome.status, expected.status) {
        (Status::Unsolvable, Status::Solved) => {
            return Some("has no solution, but there is one".to_owned());
        }
        (Status::Solved, Status::Unsolvable) => {
            return Some("has a solution, but there is none".to_owned());
        }
        _ => {}
    }
    if (outcome.status, outcome.count) != (expected.status, expected.count) {
        return Some(format!("is {}, but {}", in_words(outcome), in_words(expected)));
    }
    let of_puzzle = |by: &Transformation, outcome: &Outcome| {
        outcome.solution.map(|solution| by.inverse().apply_to_solution(&solution))
    };
    let differs =
        outcome.status == Status::Unique && of_puzzle(by, outcome) != of_puzzle(expected_by, expected);
    differs.then(|| "is `unique`, but there is another solution of the same puzzle".to_owned())
}

/// Returns statistics of the spread. The spread of a puzzle is the largest amount (time or nodes) of all its forms, divided by the smallest
/// amount of its forms that were not aborted. The smallest amount counts as 1 if it is 0. A puzzle is left out if some of its forms were
/// not measured or all of them were aborted. Returns `None` if each puzzle has only one form, or if all puzzles are left out.
pub(super) fn spread(
    dataset: &Dataset,
    of: Amount,
    amounts: &[u64],
    statuses: &[Status],
) -> Option<SpreadRecord> {
    let isomorphs = dataset.several_forms()?.isomorphs;
    let puzzles = amounts.chunks_exact(isomorphs).zip(statuses.chunks_exact(isomorphs)).enumerate();
    let mut given_up = 0;
    let mut spreads: Vec<Spread> = Vec::new();
    for (puzzle, (amounts, statuses)) in puzzles {
        let both = amounts.iter().zip(statuses);
        let decided =
            both.filter(|(_, status)| **status != Status::Aborted).map(|(&amount, _)| amount.max(1));
        let (Some(least), Some(&most)) = (decided.min(), amounts.iter().max()) else { continue };
        given_up += u64::from(statuses.contains(&Status::Aborted));
        spreads.push(Spread { number: dataset.number(puzzle * isomorphs), least, most: most.max(least) });
    }
    spreads.sort_by(|a, b| a.ratio().total_cmp(&b.ratio()));
    let ratios: Vec<f64> = spreads.iter().map(Spread::ratio).collect();
    let widest = spreads.last()?;
    Some(SpreadRecord {
        of,
        puzzles: spreads.len() as u64,
        given_up,
        median: quantile_of_sorted(&ratios, 0.5)?,
        p90: quantile_of_sorted(&ratios, 0.9)?,
        max: widest.ratio(),
        widest: widest.number,
        least: widest.least,
        most: widest.most,
    })
}

/// The number of a puzzle, and the smallest and the largest amount (time or nodes) of its forms.
struct Spread {
    number: u64,
    least: u64,
    most: u64,
}

impl Spread {
    fn ratio(&self) -> f64 {
        self.most as f64 / self.least as f64
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixtures::{PUZZLE, puzzle};
    use super::super::forms::Forms;
    use super::*;
    use std::num::NonZeroUsize;
    use sudobench_sudoku::puzzle::{Puzzle, Solution};
    use sudobench_sudoku::{solutions, solve};

    fn in_forms(puzzles: Vec<Puzzle>, isomorphs: usize) -> Dataset {
        let isomorphs = NonZeroUsize::new(isomorphs).unwrap();
        Dataset::in_order("d", puzzles).into_forms(isomorphs, 1).unwrap()
    }

    #[test]
    fn right_answers_to_all_forms_agree() {
        // One puzzle with a single solution, one puzzle with several solutions, and one puzzle without a solution.
        let several: Puzzle = PUZZLE.replace(['5', '6'], ".").parse().unwrap();
        let none: Puzzle = PUZZLE.replacen("...", "4..", 1).parse().unwrap();
        let dataset = in_forms(vec![puzzle(), several, none], 4);
        let mut outcomes: Vec<Outcome> = dataset.puzzles().iter().map(solve).collect();
        let statuses = [0, 4, 8].map(|at| outcomes[at].status);
        assert_eq!(statuses, [Status::Unique, Status::Multiple, Status::Unsolvable]);
        assert_eq!(unlike_other_forms(&dataset, &outcomes), []);
        outcomes[1] = Outcome::ABORTED;
        outcomes[4] = Outcome::ABORTED;
        assert_eq!(
            unlike_other_forms(&dataset, &outcomes[..11]),
            [],
            "aborted and missing answers are not compared"
        );
    }

    #[test]
    fn different_answers_to_forms_are_reported() {
        let dataset = in_forms(vec![puzzle(); 2], 3);
        let mut outcomes: Vec<Outcome> = dataset.puzzles().iter().map(solve).collect();
        outcomes[3] = Outcome::ABORTED;
        outcomes[5] = Outcome::CONTRADICTORY;
        let message = "is `unsolvable` (0 found), but `unique` (1 found) on form 2";
        assert_eq!(unlike_other_forms(&dataset, &outcomes), [(5, message.to_owned())]);
        assert_eq!(dataset.puzzle_name(5).to_string(), "2, form 3");
        let solved = Outcome { status: Status::Solved, ..outcomes[4] };
        let of_engine = [solved, solved, Outcome::CONTRADICTORY];
        let message = "has no solution, but there is one on form 1";
        assert_eq!(unlike_other_forms(&dataset, &of_engine), [(2, message.to_owned())]);
        outcomes[1].count = 2;
        let message = "is `unique` (2 found), but `unique` (1 found) on form 1";
        assert_eq!(
            unlike_other_forms(&dataset, &outcomes)[0],
            (1, message.to_owned()),
            "the differences are in the order of the dataset"
        );
    }

    #[test]
    fn the_only_solution_must_be_the_same_for_every_form() {
        let several: Puzzle = PUZZLE.replace(['5', '6'], ".").parse().unwrap();
        let dataset = in_forms(vec![several], 2);
        let only = |solution| Outcome { status: Status::Unique, count: 1, solution, ..solve(&puzzle()) };
        let all: Vec<Solution> = solutions(&several).take(2).collect();
        let transformed: Vec<Transformation> = Forms::new(&[several], 2, 1).of_puzzle(0).collect();
        let of =
            |form: usize, solution: usize| only(Some(transformed[form].apply_to_solution(&all[solution])));
        assert_eq!(unlike_other_forms(&dataset, &[of(0, 1), of(1, 1)]), []);
        let message = "is `unique`, but there is another solution of the same puzzle on form 1";
        assert_eq!(unlike_other_forms(&dataset, &[of(0, 0), of(1, 1)]), [(1, message.to_owned())]);
    }

    #[test]
    fn the_spread_is_the_ratio_of_the_slowest_form_to_the_fastest() {
        use Status::{Aborted, Unique};
        let dataset = in_forms(vec![puzzle(); 5], 2);
        let times = [100, 400, 90, 30, 7, 7, 10_000, 5, 80, 80];
        let mut statuses = [Unique; 10];
        statuses[6] = Aborted;
        statuses[8..].fill(Aborted);
        let spread = |times: &[u64]| spread(&dataset, Amount::Time, times, &statuses[..times.len()]);
        let expected = SpreadRecord {
            of: Amount::Time,
            puzzles: 4,
            given_up: 1,
            median: 3.5,
            p90: 1_401.2,
            max: 2_000.0,
            widest: 4,
            least: 5,
            most: 10_000,
        };
        let found = spread(&times).unwrap();
        assert_eq!(SpreadRecord { p90: 1_401.2, ..found.clone() }, expected);
        assert!((found.p90 - 1_401.2).abs() < 1e-6);
        assert_eq!(
            spread(&times[..7]).unwrap().puzzles,
            3,
            "a puzzle that was not reached in all forms is left out"
        );
        assert_eq!(spread(&times[..1]), None);
        let of_one = in_forms(vec![puzzle()], 1);
        assert_eq!(super::spread(&of_one, Amount::Time, &[5], &[Unique]), None);
    }

    #[test]
    fn no_nodes_count_as_one() {
        let dataset = in_forms(vec![puzzle()], 3);
        let spread = spread(&dataset, Amount::Nodes, &[0, 12, 1], &[Status::Unique; 3]).unwrap();
        assert_eq!((spread.least, spread.most, spread.max), (1, 12, 12.0));
    }
}
