//! Ranks the solvers of one record.

use super::distinct;
use crate::record::{AnswerKind, BenchRecord, Measurement, PairRecord};
use crate::statistics::geometric_mean;

/// The results of one solver on all datasets of a record, compared with the best solvers.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Standing {
    /// The solver.
    pub(crate) solver: String,
    /// The kind of the solver's answers. `None` if the solver was not measured.
    pub(crate) answers: Option<AnswerKind>,
    /// For each dataset of the record: the solver's time divided by the time of the best solver with the same kind of answers. If puzzles
    /// have a time limit, PAR-2 scores are divided instead of times. `None` if the solver was not measured on the dataset.
    pub(crate) multiples_of_best: Vec<Option<f64>>,
    /// Geometric mean of `multiples_of_best`, or `None` if the solver was measured on no dataset.
    pub(crate) geometric_mean: Option<f64>,
    /// The datasets in which fewer puzzles were measured for this solver than for some other solver.
    pub(crate) lacks: Vec<Lack>,
}

/// A dataset in which fewer puzzles were measured for one solver than for some other solver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Lack {
    /// The dataset.
    pub(crate) dataset: String,
    /// Number of puzzles that the solver was measured on.
    pub(crate) puzzles: u64,
    /// Largest number of puzzles that any solver was measured on.
    pub(crate) of: u64,
}

impl Standing {
    /// Returns the number of datasets on which other solvers were measured, but not this one.
    pub(crate) fn datasets_missing(&self) -> usize {
        self.lacks.iter().filter(|lack| lack.puzzles == 0).count()
    }
}

/// Returns, for each pair of a dataset, the time as a multiple of the time of the best pair with the same kind of answers, on the puzzles
/// that both pairs were measured on. `None` if the pair was not measured.
pub(crate) fn multiples_of_best<'r>(
    record: &'r BenchRecord,
    dataset: &str,
) -> Vec<(&'r PairRecord, Option<f64>)> {
    multiples(record, dataset, None)
}

/// Returns, for each pair of a dataset, the cost as a multiple of the cost of the best pair with the same kind of answers, on the puzzles
/// that both pairs were measured on. `None` if the pair was not measured. Pairs with different kinds of answers are not compared, because
/// finding any solution is less work than proving that it is the only solution. The cost is the time or, with a time limit for each puzzle,
/// PAR-2, in which an aborted puzzle counts twice the limit.
fn multiples<'r>(
    record: &'r BenchRecord,
    dataset: &str,
    limit_ns: Option<u64>,
) -> Vec<(&'r PairRecord, Option<f64>)> {
    let penalty = |pair: &PairRecord, measurement: &Measurement, puzzles: u64| {
        let of_each = limit_ns.map_or(0.0, |limit_ns| penalty_ns(measurement, limit_ns));
        of_each * measurement.given_up_on_prefix(puzzles) as f64 / pair.threads as f64
    };
    let ratio = |(this, of_this): (&PairRecord, &Measurement),
                 (best, of_best): (&PairRecord, &Measurement)| {
        let common = of_this.puzzles.min(of_best.puzzles);
        let [this_ns, best_ns] = times_on_common(of_this, of_best);
        (this_ns + penalty(this, of_this, common)) / (best_ns + penalty(best, of_best, common))
    };
    let best = |kind: AnswerKind| {
        let measured = record.measured(dataset).filter(|(pair, _)| pair.answers() == kind);
        // The best pair is chosen among the pairs that reached the most puzzles, because costs are comparable only on the same puzzles.
        measured.max_by(|a, b| a.1.puzzles.cmp(&b.1.puzzles).then_with(|| 1.0_f64.total_cmp(&ratio(*a, *b))))
    };
    let multiple =
        |pair: &'r PairRecord| Some(ratio((pair, pair.measurement.as_ref()?), best(pair.answers())?));
    record.pairs_of(dataset).map(|pair| (pair, multiple(pair))).collect()
}

/// Returns how much time must be added for each aborted puzzle, so that it counts as twice the limit. This is one limit if all were aborted
/// at the time limit, because the measured time then contains the limit once. It is more if some were aborted earlier, at `--max-nodes`.
fn penalty_ns(measurement: &Measurement, limit_ns: u64) -> f64 {
    let limit = limit_ns as f64;
    let added = || {
        let (par2, own) = (measurement.par2?, measurement.latency_ns?);
        Some((par2.mean_ns - own.mean) * measurement.puzzles as f64)
    };
    let aborted = measurement.with_status("aborted").max(1) as f64;
    added().map_or(limit, |added| (added / aborted).clamp(limit, 2.0 * limit))
}

/// Returns the times of two measurements on the puzzles that both measured. Both must be of the same dataset and the same permutation.
fn times_on_common(this: &Measurement, other: &Measurement) -> [f64; 2] {
    let common = this.puzzles.min(other.puzzles);
    [this, other].map(|measurement| match this.puzzles == other.puzzles {
        true => 1e9 / measurement.throughput.median * common as f64,
        false => measurement.time_on_prefix(common),
    })
}

/// Returns all solvers of a record, grouped by kind of answers, best first in each group. In each group, solvers with fewer missing
/// datasets come first, whatever their means, because means over different numbers of datasets can't be compared.
pub(crate) fn standings(record: &BenchRecord) -> Vec<Standing> {
    let limit_ns = record.settings.max_time_per_puzzle_ns;
    let of_datasets = record.datasets.iter().map(|dataset| multiples(record, &dataset.name, limit_ns));
    let of_datasets: Vec<Vec<(&PairRecord, Option<f64>)>> = of_datasets.collect();
    let solvers = distinct(of_datasets.iter().flatten().map(|(pair, _)| pair.solver.as_str()));
    let standing = |solver: &str| {
        let is_of = |(pair, _): &&(&PairRecord, Option<f64>)| pair.solver == solver;
        let multiples_of_best: Vec<Option<f64>> =
            of_datasets.iter().map(|pairs| pairs.iter().find(is_of)?.1).collect();
        let known: Vec<f64> = multiples_of_best.iter().copied().flatten().collect();
        let mut pairs = of_datasets.iter().flatten().filter(is_of);
        let measured = pairs.rfind(|(pair, _)| pair.measurement.is_some());
        Standing {
            solver: solver.to_owned(),
            answers: measured.map(|(pair, _)| pair.answers()),
            multiples_of_best,
            geometric_mean: geometric_mean(&known),
            lacks: (record.datasets.iter())
                .filter_map(|dataset| lack(record, solver, &dataset.name))
                .collect(),
        }
    };
    let mut standings: Vec<Standing> = solvers.into_iter().map(standing).collect();
    standings.sort_by(|a, b| {
        let mean = |standing: &Standing| standing.geometric_mean.unwrap_or(f64::INFINITY);
        let of_kind = a.answers.is_none().cmp(&b.answers.is_none()).then(a.answers.cmp(&b.answers));
        of_kind.then(a.datasets_missing().cmp(&b.datasets_missing())).then(mean(a).total_cmp(&mean(b)))
    });
    standings
}

/// Returns the [`Lack`] of a solver on a dataset. `None` if no other solver was measured on more puzzles of the dataset.
fn lack(record: &BenchRecord, solver: &str, dataset: &str) -> Option<Lack> {
    let puzzles = |pair: &PairRecord| pair.measurement.as_ref().map(|measurement| measurement.puzzles);
    let of = record.pairs_of(dataset).filter_map(puzzles).max()?;
    let puzzles = record.pair(solver, dataset).and_then(puzzles).unwrap_or(0);
    (puzzles < of).then(|| Lack { dataset: dataset.to_owned(), puzzles, of })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Par2, StatusRecord, fixtures};

    #[test]
    fn the_best_solver_has_ratio_one_and_means_are_geometric() {
        let record = fixtures::bench_record();
        let standings = standings(&record);
        let names: Vec<&str> = standings.iter().map(|standing| standing.solver.as_str()).collect();
        assert_eq!(names, ["quick", "steady", "naive", "broken"]);
        assert_eq!(standings[0].multiples_of_best, [Some(1.0), Some(1.0)]);
        assert_eq!(standings[1].multiples_of_best, [Some(2.0), Some(8.0)]);
        assert_eq!(standings[1].geometric_mean, Some(4.0));
        assert_eq!(standings[3].geometric_mean, None);
    }

    #[test]
    fn a_solver_that_lacks_a_dataset_comes_after_the_others() {
        let mut record = fixtures::bench_record();
        let naive = standings(&record).remove(2);
        assert_eq!(naive.multiples_of_best, vec![Some(10_000.0); 2]);
        assert_eq!(naive.geometric_mean.map(f64::round), Some(10_000.0));
        let lack = |dataset: &str, puzzles| Lack { dataset: dataset.to_owned(), puzzles, of: 2 };
        assert_eq!(naive.lacks, [lack("easy.txt", 1), lack("hard.txt", 1)]);
        // `steady` loses its measurement on the dataset on which it is slow. Its mean of 2 over the other dataset must not give it a better
        // place.
        record.pairs[5].measurement = None;
        let steady = standings(&record).remove(2);
        assert_eq!(steady.solver, "steady");
        assert_eq!((steady.multiples_of_best, steady.geometric_mean), (vec![Some(2.0), None], Some(2.0)));
        assert_eq!(steady.lacks, [lack("hard.txt", 0)]);
        // If no solver was measured on a dataset, no solver lacks puzzles of it.
        record.pairs[4..].iter_mut().for_each(|pair| pair.measurement = None);
        let steady = standings(&record).into_iter().find(|standing| standing.solver == "steady").unwrap();
        assert_eq!((steady.geometric_mean.unwrap().round(), steady.lacks), (2.0, Vec::new()));
    }

    #[test]
    fn aborted_puzzles_count_twice_the_limit() {
        let mut record = fixtures::bench_record();
        record.pairs.retain(|pair| pair.dataset == "easy.txt" && pair.measurement.is_some());
        record.datasets.truncate(1);
        // `quick` took 2 us in total for the two puzzles: 1.5 us of them for the second puzzle, which was aborted.
        let statuses = &mut record.pairs[0].measurement.as_mut().unwrap().statuses;
        statuses[0].rows = 1;
        statuses.push(StatusRecord { status: "aborted".to_owned(), rows: 1 });
        let means = |limit_ns| {
            record.settings.max_time_per_puzzle_ns = limit_ns;
            let standings = standings(&record).into_iter();
            standings.map(|it| (it.solver, it.geometric_mean.unwrap())).collect::<Vec<_>>()
        };
        let [by_time, by_par2] = [None, Some(6_000)].map(means);
        assert_eq!(by_time[..2], [("quick".to_owned(), 1.0), ("steady".to_owned(), 2.0)]);
        assert_eq!(by_par2[..2], [("steady".to_owned(), 1.0), ("quick".to_owned(), 2.0)]);
        // If it was aborted before the time limit, at a node limit, it also counts as twice the limit: 0.5 us and 12 us.
        let par2 = Par2::new(6_000, [500].into_iter(), 2);
        record.pairs[0].measurement.as_mut().unwrap().par2 = Some(par2);
        assert_eq!(standings(&record)[1].geometric_mean, Some(12.5 / 4.0));
    }

    #[test]
    fn the_best_is_among_those_that_reached_the_most() {
        let mut record = fixtures::bench_record();
        record.pairs.retain(|pair| pair.dataset == "easy.txt" && pair.solver != "broken");
        // No solver finished. The solver that reached the fewest puzzles is the fastest per puzzle, as if its puzzles were easy.
        for pair in &mut record.pairs {
            let measurement = pair.measurement.as_mut().unwrap();
            measurement.complete = false;
            if pair.solver == "naive" {
                measurement.throughput.median = 1e9;
            }
        }
        let multiples =
            multiples_of_best(&record, "easy.txt").into_iter().map(|(_, multiple)| multiple.unwrap());
        assert_eq!(multiples.collect::<Vec<_>>(), [1.0, 2.0, 10_000.0]);
    }

    #[test]
    fn a_pair_that_ran_out_of_time_is_compared_on_common_puzzles() {
        let record = fixtures::bench_record();
        let naive =
            multiples_of_best(&record, "easy.txt").into_iter().find(|(pair, _)| pair.solver == "naive");
        // `naive` solved one puzzle in 5 ms, for which the best solver took 500 ns.
        assert_eq!(naive.unwrap().1, Some(10_000.0));
    }
}
