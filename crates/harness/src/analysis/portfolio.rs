//! The solvers of a record as a portfolio: what each adds to the others, puzzle by puzzle.

use crate::record::{BenchRecord, KeptPuzzles};

/// The solvers of one dataset, compared on the puzzles that all of them reached. A solver takes part only if the record has its times of
/// single puzzles. If two or more solvers reached all puzzles that any solver reached, the other solvers are left out.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Portfolio {
    /// Number of puzzles that all these solvers reached.
    pub(crate) puzzles: usize,
    /// The limit of PAR-2, in nanoseconds ([`Par2::limit_ns`](crate::record::Par2)). A puzzle that took longer counts as not solved.
    /// `None`: no limit.
    pub(crate) limit_ns: Option<u64>,
    /// Mean time per puzzle of the virtual best solver, in nanoseconds. This imaginary solver takes the time of the fastest solver on each
    /// puzzle.
    pub(crate) virtual_best_mean_ns: f64,
    /// Number of puzzles that the virtual best solver solves. Each of them is solved by at least one solver.
    pub(crate) virtual_best_solved: usize,
    pub(crate) members: Vec<Member>,
}

/// One solver of a portfolio.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Member {
    /// The solver.
    pub(crate) solver: String,
    /// Number of puzzles that the solver solves.
    pub(crate) solved: usize,
    /// Number of puzzles that this solver solves and no other solver does.
    pub(crate) unique_solves: usize,
    /// Number of puzzles on which no other solver is faster.
    pub(crate) best_on: usize,
    /// Mean time per puzzle, in nanoseconds.
    pub(crate) mean_ns: f64,
}

/// Returns the portfolio of one dataset. Returns `None` if the record has the times of single puzzles for fewer than two solvers.
pub(crate) fn portfolio(record: &BenchRecord, dataset: &str) -> Option<Portfolio> {
    let kept: Vec<(&str, &KeptPuzzles)> = (record.measured(dataset))
        .filter_map(|(pair, measurement)| Some((pair.solver.as_str(), measurement.kept.as_ref()?)))
        .filter(|(_, kept)| !kept.elapsed_ns.is_empty())
        .collect();
    let kept = with_most_puzzles(kept);
    // All solvers get the puzzles in the same order, so their first puzzles are the same.
    let puzzles = kept.iter().map(|(_, kept)| kept.elapsed_ns.len()).min().filter(|_| kept.len() > 1)?;
    let limit_ns = record.measured(dataset).filter_map(|(_, it)| Some(it.par2?.limit_ns)).max();
    let solves = |kept: &KeptPuzzles, at: usize| kept.is_within(at, limit_ns.unwrap_or(u64::MAX));
    let member = |(solver, _): &(&str, _)| Member { solver: (*solver).to_owned(), ..Member::default() };
    let mut members: Vec<Member> = kept.iter().map(member).collect();
    let (mut best_total, mut best_solved) = (0.0, 0);
    for at in 0..puzzles {
        let times = kept.iter().map(|(_, kept)| kept.elapsed_ns[at]);
        let best = times.min().unwrap_or(0);
        best_total += best as f64;
        let solvers = kept.iter().filter(|(_, kept)| solves(kept, at)).count();
        best_solved += usize::from(solvers > 0);
        for (member, (_, kept)) in members.iter_mut().zip(&kept) {
            let solved = solves(kept, at);
            member.solved += usize::from(solved);
            member.unique_solves += usize::from(solved && solvers == 1);
            member.best_on += usize::from(kept.elapsed_ns[at] == best);
            member.mean_ns += kept.elapsed_ns[at] as f64 / puzzles as f64;
        }
    }
    let virtual_best_mean_ns = best_total / puzzles.max(1) as f64;
    Some(Portfolio { puzzles, limit_ns, virtual_best_mean_ns, virtual_best_solved: best_solved, members })
}

/// Returns the solvers that reached the most puzzles, if there are at least two such solvers; otherwise returns all solvers. Only puzzles
/// that all returned solvers reached are compared, so a solver that ran out of time after ten puzzles would leave too few puzzles.
fn with_most_puzzles<'k>(all: Vec<(&'k str, &'k KeptPuzzles)>) -> Vec<(&'k str, &'k KeptPuzzles)> {
    let most = all.iter().map(|(_, kept)| kept.elapsed_ns.len()).max().unwrap_or(0);
    let reached_most = |(_, kept): &&(&str, &KeptPuzzles)| kept.elapsed_ns.len() == most;
    let whole: Vec<_> = all.iter().filter(reached_most).copied().collect();
    if whole.len() > 1 { whole } else { all }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::fixtures;

    #[test]
    fn each_member_is_compared_with_the_others() {
        let mut record = fixtures::bench_record();
        let kept = record.pairs[1].measurement.as_mut().unwrap().kept.as_mut().unwrap();
        kept.elapsed_ns = vec![2_000_000, 900];
        kept.statuses = "uu".to_owned();
        let portfolio = portfolio(&record, "easy.txt").unwrap();
        assert_eq!((portfolio.puzzles, portfolio.limit_ns), (2, Some(1_000_000)));
        assert_eq!((portfolio.virtual_best_mean_ns, portfolio.virtual_best_solved), (700.0, 2));
        let [quick, steady] = [0, 1].map(|at| &portfolio.members[at]);
        assert_eq!((quick.solved, quick.unique_solves, quick.best_on), (2, 1, 1));
        assert_eq!((steady.solved, steady.unique_solves, steady.best_on), (1, 0, 1));
    }

    #[test]
    fn one_solver_is_not_a_portfolio() {
        let mut record = fixtures::bench_record();
        record.pairs.truncate(1);
        assert_eq!(portfolio(&record, "easy.txt"), None);
    }
}
