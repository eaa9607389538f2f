//! Work counters: the amount of search for an answer.

use sudobench_sudoku::solver::Outcome;

use super::{Contestant, Dataset, Fault};
use crate::record::registry::{COUNTED, CountedValues, counted_values};

/// The work counters of an answer. A solver reports them; an external program prints them in the line of the answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// `nodes=N`: number of nodes. Instead of nodes, an engine may print any other count of its work that is the same in each run.
    pub nodes: Option<u64>,
    /// `guesses=N`: number of guesses.
    pub guesses: Option<u64>,
    /// A word that looks like a counter but can't be parsed, if there is one. If both counters are unreadable, the word for the nodes.
    pub unreadable: Option<String>,
}

impl Work {
    pub(super) fn counted(outcome: &Outcome) -> Work {
        Work { nodes: Some(outcome.nodes), guesses: Some(outcome.guesses), unreadable: None }
    }

    pub(super) fn values(&self) -> CountedValues {
        counted_values(self.nodes, self.guesses)
    }
}

/// Returns the work counters that an external program printed with its latest answers, one entry for each answer.
///
/// # Errors
/// [`Fault`] if a counter is not a number, or if the program prints a counter after some solutions and not after others.
pub(super) fn printed_work(
    program: &dyn Contestant,
    outcomes: &[Outcome],
    dataset: &Dataset,
) -> Result<Vec<Work>, Fault> {
    let mut work = program.work();
    work.resize_with(outcomes.len(), Work::default);
    let unreadable = work.iter().enumerate().find_map(|(at, work)| Some((at, work.unreadable.as_ref()?)));
    if let Some((at, word)) = unreadable {
        return Err(Fault(format!(
            "on puzzle {} it printed {word}, which is not a whole number of at least 0",
            dataset.puzzle_name(at)
        )));
    }
    for (at, figure) in COUNTED.iter().enumerate() {
        check_throughout(figure.key, |work| work.values()[at], &work, outcomes, dataset)?;
    }
    Ok(work)
}

/// Checks that a counter is printed after every solution or after no solution. If only some puzzles had the counter, a gate would compare
/// only these puzzles, and the user would not notice.
fn check_throughout(
    name: &str,
    of: impl Fn(&Work) -> Option<u64>,
    work: &[Work],
    outcomes: &[Outcome],
    dataset: &Dataset,
) -> Result<(), Fault> {
    let is_printed = |index: usize| work.get(index).and_then(&of).is_some();
    let solved: Vec<usize> =
        (0..outcomes.len()).filter(|&index| outcomes[index].solution.is_some()).collect();
    let missing = solved.iter().find(|&&index| !is_printed(index));
    match missing.filter(|_| solved.iter().any(|&index| is_printed(index))) {
        None => Ok(()),
        Some(&index) => Err(Fault(format!(
            "it prints no {name} for puzzle {}, but it does for others: print them after every solution, or after none",
            dataset.puzzle_name(index)
        ))),
    }
}
