//! How solvers stand to each other within one record.

use crate::record::{BenchRecord, Measurement, PairRecord};
use crate::statistics::geometric_mean;

/// One solver over all datasets of a record.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
    /// The solver.
    pub solver: String,
    /// Its time as a multiple of the best, dataset by dataset; `None` where it was not measured.
    pub times_best: Vec<Option<f64>>,
    /// The geometric mean of these multiples. Only over the datasets where it was measured.
    pub geometric_mean: Option<f64>,
}

/// The time of each pair of a dataset as a multiple of the best pair's, on the puzzles that both have.
pub fn times_best<'r>(record: &'r BenchRecord, dataset: &str) -> Vec<(&'r PairRecord, Option<f64>)> {
    let pairs: Vec<&PairRecord> = record.pairs.iter().filter(|pair| pair.dataset == dataset).collect();
    let measured = pairs.iter().filter_map(|pair| pair.measurement.as_ref());
    // A pair that reached more puzzles says more; among equals the higher throughput is better.
    let best = measured
        .max_by(|a, b| a.complete.cmp(&b.complete).then(a.throughput.median.total_cmp(&b.throughput.median)));
    let multiple = |pair: &PairRecord| Some(time_ratio(pair.measurement.as_ref()?, best?));
    pairs.iter().map(|pair| (*pair, multiple(pair))).collect()
}

/// The time of one measurement as a multiple of another's, on the puzzles that both have: both are of one
/// dataset and one permutation.
pub(super) fn time_ratio(this: &Measurement, other: &Measurement) -> f64 {
    if this.puzzles == other.puzzles {
        return other.throughput.median / this.throughput.median;
    }
    let common = this.puzzles.min(other.puzzles);
    this.time_on_prefix(common) / other.time_on_prefix(common)
}

/// All solvers of a record, the best first; those that were measured nowhere last.
pub fn standings(record: &BenchRecord) -> Vec<Standing> {
    let mut standings: Vec<Standing> = Vec::new();
    for (at, dataset) in record.datasets.iter().enumerate() {
        for (pair, multiple) in times_best(record, &dataset.name) {
            let known = standings.iter().position(|standing| standing.solver == pair.solver);
            let known = known.unwrap_or_else(|| {
                let times_best = vec![None; record.datasets.len()];
                standings.push(Standing { solver: pair.solver.clone(), times_best, geometric_mean: None });
                standings.len() - 1
            });
            standings[known].times_best[at] = multiple;
        }
    }
    for standing in &mut standings {
        let known: Vec<f64> = standing.times_best.iter().copied().flatten().collect();
        standing.geometric_mean = geometric_mean(&known);
    }
    standings.sort_by(|a, b| {
        let mean = |standing: &Standing| standing.geometric_mean.unwrap_or(f64::INFINITY);
        mean(a).total_cmp(&mean(b))
    });
    standings
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::fixtures;

    #[test]
    fn the_best_is_one_and_the_mean_is_geometric() {
        let record = fixtures::bench_record();
        let standings = standings(&record);
        let names: Vec<&str> = standings.iter().map(|standing| standing.solver.as_str()).collect();
        assert_eq!(names, ["quick", "steady", "naive", "broken"]);
        assert_eq!(standings[0].times_best, [Some(1.0), Some(1.0)]);
        assert_eq!(standings[1].times_best, [Some(2.0), Some(8.0)]);
        assert_eq!(standings[1].geometric_mean, Some(4.0));
        assert_eq!(standings[3].geometric_mean, None);
    }

    #[test]
    fn a_pair_that_ran_out_of_time_is_compared_on_what_both_have() {
        let record = fixtures::bench_record();
        let naive = times_best(&record, "easy.txt").into_iter().find(|(pair, _)| pair.solver == "naive");
        // One puzzle in 5 ms, on which the best spent 500 ns.
        assert_eq!(naive.unwrap().1, Some(10_000.0));
    }
}
