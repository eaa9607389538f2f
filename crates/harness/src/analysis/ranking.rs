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
    /// The geometric mean of these multiples. `None` where it would be over other puzzles than those of the others.
    pub geometric_mean: Option<f64>,
    /// The datasets of which it lacks puzzles that others were measured on.
    pub lacks: Vec<Lack>,
}

/// A dataset of which a solver was not measured on all that others were.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lack {
    /// The dataset.
    pub dataset: String,
    /// The puzzles that it was measured on.
    pub puzzles: u64,
    /// The puzzles of those that reached the most.
    pub of: u64,
}

/// The time of each pair of a dataset as a multiple of the best pair's, on the puzzles that both have.
pub fn times_best<'r>(record: &'r BenchRecord, dataset: &str) -> Vec<(&'r PairRecord, Option<f64>)> {
    let pairs: Vec<&PairRecord> = record.pairs.iter().filter(|pair| pair.dataset == dataset).collect();
    let measured = pairs.iter().filter_map(|pair| pair.measurement.as_ref());
    // Throughputs are of the same thing among those that reached as many puzzles, and who reached the most says the most.
    let best = measured
        .max_by(|a, b| a.puzzles.cmp(&b.puzzles).then(a.throughput.median.total_cmp(&b.throughput.median)));
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

/// All solvers of a record, the best first; then those without a mean, and those that were measured nowhere last.
pub fn standings(record: &BenchRecord) -> Vec<Standing> {
    let mut standings: Vec<Standing> = Vec::new();
    for (at, dataset) in record.datasets.iter().enumerate() {
        for (pair, multiple) in times_best(record, &dataset.name) {
            let known = standings.iter().position(|standing| standing.solver == pair.solver);
            let known = known.unwrap_or_else(|| {
                let times_best = vec![None; record.datasets.len()];
                standings.push(Standing {
                    solver: pair.solver.clone(),
                    times_best,
                    geometric_mean: None,
                    lacks: Vec::new(),
                });
                standings.len() - 1
            });
            standings[known].times_best[at] = multiple;
        }
    }
    for standing in &mut standings {
        standing.lacks = record
            .datasets
            .iter()
            .filter_map(|dataset| lack(record, &standing.solver, &dataset.name))
            .collect();
        if standing.lacks.is_empty() {
            let known: Vec<f64> = standing.times_best.iter().copied().flatten().collect();
            standing.geometric_mean = geometric_mean(&known);
        }
    }
    standings.sort_by(|a, b| {
        let mean = |standing: &Standing| standing.geometric_mean.unwrap_or(f64::INFINITY);
        let is_nowhere = |standing: &Standing| standing.times_best.iter().all(Option::is_none);
        mean(a).total_cmp(&mean(b)).then(is_nowhere(a).cmp(&is_nowhere(b)))
    });
    standings
}

/// What a solver lacks of a dataset. Nobody lacks anything of one on which nobody was measured.
fn lack(record: &BenchRecord, solver: &str, dataset: &str) -> Option<Lack> {
    let puzzles = |pair: &PairRecord| pair.measurement.as_ref().map(|measurement| measurement.puzzles);
    let of = record.pairs.iter().filter(|pair| pair.dataset == dataset).filter_map(puzzles).max()?;
    let puzzles = record.pair(solver, dataset).and_then(puzzles).unwrap_or(0);
    (puzzles < of).then(|| Lack { dataset: dataset.to_owned(), puzzles, of })
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
    fn a_mean_over_other_puzzles_is_none() {
        let mut record = fixtures::bench_record();
        let naive = standings(&record).remove(2);
        assert_eq!((naive.times_best, naive.geometric_mean), (vec![Some(10_000.0); 2], None));
        let lack = |dataset: &str, puzzles| Lack { dataset: dataset.to_owned(), puzzles, of: 2 };
        assert_eq!(naive.lacks, [lack("easy.txt", 1), lack("hard.txt", 1)]);
        // `steady` was not measured on the dataset on which it is slow: its mean would be 2.
        record.pairs[5].measurement = None;
        let steady = standings(&record).into_iter().find(|standing| standing.solver == "steady").unwrap();
        assert_eq!((steady.times_best, steady.geometric_mean), (vec![Some(2.0), None], None));
        assert_eq!(steady.lacks, [lack("hard.txt", 0)]);
        // Where nobody was measured nobody lacks anything.
        record.pairs[4..].iter_mut().for_each(|pair| pair.measurement = None);
        let steady = standings(&record).into_iter().find(|standing| standing.solver == "steady").unwrap();
        assert_eq!((steady.geometric_mean.unwrap().round(), steady.lacks), (2.0, Vec::new()));
    }

    #[test]
    fn the_best_is_among_those_that_reached_the_most() {
        let mut record = fixtures::bench_record();
        record.pairs.retain(|pair| pair.dataset == "easy.txt" && pair.solver != "broken");
        // Nobody came to the end, and who reached least met easy puzzles.
        for pair in &mut record.pairs {
            let measurement = pair.measurement.as_mut().unwrap();
            measurement.complete = false;
            if pair.solver == "naive" {
                measurement.throughput.median = 1e9;
            }
        }
        let multiples = times_best(&record, "easy.txt").into_iter().map(|(_, multiple)| multiple.unwrap());
        assert_eq!(multiples.collect::<Vec<_>>(), [1.0, 2.0, 10_000.0]);
    }

    #[test]
    fn a_pair_that_ran_out_of_time_is_compared_on_what_both_have() {
        let record = fixtures::bench_record();
        let naive = times_best(&record, "easy.txt").into_iter().find(|(pair, _)| pair.solver == "naive");
        // One puzzle in 5 ms, on which the best spent 500 ns.
        assert_eq!(naive.unwrap().1, Some(10_000.0));
    }
}
