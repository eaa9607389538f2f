//! Gate A: counts that have no noise, held against a baseline.

use sudobench_sudoku::solver::Status;

use super::{Baseline, BaselinePair, Check, Counts, Gate, GateLimits, GateVerdict};
use crate::figures::counted;

/// How many puzzles a reason names.
const NAMED: usize = 5;

/// What was counted now: the pair as it would be stored, or why there is none.
pub struct Counted {
    /// The solver.
    pub solver: String,
    /// The dataset's name.
    pub dataset: String,
    /// The counts, and the number of each puzzle in its dataset.
    pub counted: Result<(BaselinePair, Vec<u64>), String>,
}

/// Holds what was counted against the baseline, pair by pair. A pair that only the baseline has, on a dataset
/// that was counted, fails too; where the baseline has none of the pairs, nothing was compared, and that is no pass.
pub fn check_exact(baseline: &Baseline, counted: &[Counted], limits: &GateLimits) -> Vec<Check> {
    let compares = counted.iter().any(|pair| stored(baseline, pair).is_some());
    let unknown = || match compares {
        true => (GateVerdict::Pass, "new: not in the baseline; update it to guard this pair".to_owned()),
        false => (GateVerdict::Broken, nothing_to_compare(baseline)),
    };
    let of = |pair: &Counted| match stored(baseline, pair) {
        Some(stored) => check(baseline, stored, pair, limits),
        None => {
            let fault = pair.counted.as_ref().err().map(|fault| (GateVerdict::Broken, fault.clone()));
            let (verdict, reason) = fault.unwrap_or_else(unknown);
            exact(&pair.solver, &pair.dataset, verdict, reason)
        }
    };
    let mut checks: Vec<Check> = counted.iter().map(of).collect();
    for stored in &baseline.pairs {
        let dataset_counted = counted.iter().any(|pair| pair.dataset == stored.dataset);
        let known = counted.iter().any(|pair| pair.dataset == stored.dataset && pair.solver == stored.solver);
        if dataset_counted && !known {
            let words = "the baseline has it, this program does not: if that is meant, update the baseline";
            checks.push(exact(&stored.solver, &stored.dataset, GateVerdict::Fail, words.to_owned()));
        }
    }
    checks
}

fn exact(solver: &str, dataset: &str, verdict: GateVerdict, reason: String) -> Check {
    let (solver, dataset) = (solver.to_owned(), dataset.to_owned());
    Check { gate: Gate::Exact, solver, dataset, verdict, reason, figures: None, work: None }
}

/// What the baseline has of a pair.
fn stored<'b>(baseline: &'b Baseline, pair: &Counted) -> Option<&'b BaselinePair> {
    baseline.pairs.iter().find(|it| it.solver == pair.solver && it.dataset == pair.dataset)
}

fn nothing_to_compare(baseline: &Baseline) -> String {
    let named: Vec<String> = baseline
        .pairs
        .iter()
        .take(NAMED)
        .map(|pair| format!("{} on {}", pair.solver, pair.dataset))
        .collect();
    let has = match baseline.pairs.len() {
        0 => "and nothing of these solvers".to_owned(),
        pairs if pairs > NAMED => format!("but {} and {} more", named.join(", "), pairs - NAMED),
        _ => format!("but {}", named.join(", ")),
    };
    format!(
        "nothing was compared: the baseline has none of these pairs, {has}; name the same files and solvers"
    )
}

fn check(baseline: &Baseline, stored: &BaselinePair, pair: &Counted, limits: &GateLimits) -> Check {
    let of = |verdict, reason: String| exact(&pair.solver, &pair.dataset, verdict, reason);
    let (now, numbers) = match &pair.counted {
        Ok(counted) => counted,
        Err(fault) => return of(GateVerdict::Broken, fault.clone()),
    };
    if stored.sha256 != now.sha256 || stored.counts.len() != now.counts.len() {
        let words = "the dataset is not the one of the baseline: restore it, or update the baseline";
        return of(GateVerdict::Broken, words.to_owned());
    }
    let any_solution = baseline.terms.max_solutions == 1;
    let (verdict, reason) = compare(&stored.counts, &now.counts, numbers, limits, any_solution);
    of(verdict, reason)
}

/// What changed between the counts of all puzzles. Where a first solution was asked for, `any_solution` will do.
fn compare(
    before: &[Counts],
    now: &[Counts],
    numbers: &[u64],
    limits: &GateLimits,
    any_solution: bool,
) -> (GateVerdict, String) {
    let changed = |is_worse: &dyn Fn(&Counts, &Counts) -> bool| -> Vec<(u64, &Counts, &Counts)> {
        let both = before.iter().zip(now).zip(numbers);
        both.filter(|((old, new), _)| is_worse(old, new)).map(|((old, new), &at)| (at, old, new)).collect()
    };
    let answers = changed(&|old, new| answer_is_worse(old, new, any_solution));
    let nodes = changed(&|old, new| rises(old.nodes, new.nodes, limits.nodes_percent));
    let guesses = changed(&|old, new| rises(old.guesses, new.guesses, limits.guesses_percent));
    let mut faults = Vec::new();
    faults.extend(describe("other answers", &answers, |counts| counts.to_string()));
    faults.extend(describe("more nodes", &nodes, |counts| counts.nodes.to_string()));
    faults.extend(describe("more guesses", &guesses, |counts| counts.guesses.to_string()));
    if !faults.is_empty() {
        return (GateVerdict::Fail, faults.join("; "));
    }
    let total = |counts: &[Counts], of: fn(&Counts) -> u64| counts.iter().map(of).sum::<u64>();
    let words = |name: &str, of: fn(&Counts) -> u64| match (total(before, of), total(now, of)) {
        (old, new) if old == new => format!("{new} {name}, as before"),
        (old, new) => format!("{new} {name}, {old} before"),
    };
    let better = before != now;
    let advice = if better { ": within the limits; update the baseline to keep it so" } else { "" };
    let (nodes, guesses) = (words("nodes", |it| it.nodes), words("guesses", |it| it.guesses));
    (GateVerdict::Pass, format!("{nodes}; {guesses}{advice}"))
}

/// Whether the answer is another one. A verdict where the puzzle was given up before is none the worse.
fn answer_is_worse(old: &Counts, new: &Counts, any_solution: bool) -> bool {
    let same_solution = old.digest == new.digest || any_solution;
    let same = (old.status, old.solutions) == (new.status, new.solutions) && same_solution;
    !same && old.status != Status::Aborted
}

fn rises(old: u64, new: u64, percent: f64) -> bool {
    new > old && (new - old) as f64 * 100.0 > percent * old as f64
}

/// `more nodes on 2 puzzles: 17 (51 -> 60), 23 (81 -> 99)`.
fn describe(
    what: &str,
    changed: &[(u64, &Counts, &Counts)],
    shown: impl Fn(&Counts) -> String,
) -> Option<String> {
    let named: Vec<String> = changed
        .iter()
        .take(NAMED)
        .map(|(number, old, new)| format!("{number} ({} -> {})", shown(old), shown(new)))
        .collect();
    let more = changed.len().saturating_sub(NAMED);
    let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
    let puzzles = counted(changed.len() as u64, "puzzle");
    (!changed.is_empty()).then(|| format!("{what} on {puzzles}: {}{rest}", named.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::super::baseline::tests::two_pairs;
    use super::*;

    fn counted(change: impl Fn(&mut BaselinePair)) -> Vec<Counted> {
        let pair = |mut pair: BaselinePair| {
            if pair.solver == "mrv" {
                change(&mut pair);
            }
            let numbers = (1..=pair.counts.len() as u64).collect();
            let (solver, dataset) = (pair.solver.clone(), pair.dataset.clone());
            Counted { solver, dataset, counted: Ok((pair, numbers)) }
        };
        two_pairs().pairs.into_iter().map(pair).collect()
    }

    fn first(limits: &str, change: impl Fn(&mut BaselinePair)) -> String {
        let check = check_exact(&two_pairs(), &counted(change), &limits.parse().unwrap()).remove(0);
        format!("{}: {}", check.verdict.name(), check.reason)
    }

    #[test]
    fn every_rise_is_found_and_its_puzzles_named() {
        let shown = [
            first("", |_| ()),
            first("", |pair| pair.counts[3].nodes = 52),
            first("nodes=5%", |pair| pair.counts[3].nodes = 52),
            first("", |pair| pair.counts.iter_mut().for_each(|counts| counts.guesses += 1)),
            first("", |pair| pair.counts[1].nodes = 40),
            first("", |pair| pair.counts[0].digest = "000000".to_owned()),
            first("", |pair| pair.counts[9].status = Status::Unique),
            first("", |pair| pair.sha256 = "other".to_owned()),
        ];
        insta::assert_snapshot!(shown.join("\n"));
    }

    #[test]
    fn a_gate_that_compares_nothing_does_not_pass() {
        let shown = |baseline: &Baseline| {
            let check = check_exact(baseline, &counted(|_| ()), &GateLimits::default()).remove(0);
            format!("{}: {}", check.verdict.name(), check.reason)
        };
        let mut baseline = two_pairs();
        baseline.pairs[1].dataset = "other.txt".to_owned();
        assert!(shown(&baseline).starts_with("pass: "));
        baseline.pairs[0].dataset = "other.txt".to_owned();
        let words = "broken: nothing was compared: the baseline has none of these pairs, but mrv on other.txt, \
                     dlx on other.txt; name the same files and solvers";
        assert_eq!(shown(&baseline), words);
        baseline.pairs.clear();
        assert!(shown(&baseline).contains("has none of these pairs, and nothing of these solvers;"));
    }

    #[test]
    fn another_first_solution_is_no_worse() {
        let mut baseline = two_pairs();
        baseline.terms.max_solutions = 1;
        let now = counted(|pair| pair.counts[0].digest = "000000".to_owned());
        assert_eq!(check_exact(&baseline, &now, &GateLimits::default())[0].verdict, GateVerdict::Pass);
        let now = counted(|pair| pair.counts[0].status = Status::Unsolvable);
        assert_eq!(check_exact(&baseline, &now, &GateLimits::default())[0].verdict, GateVerdict::Fail);
    }

    #[test]
    fn pairs_that_appear_vanish_or_break_are_told() {
        let mut baseline = two_pairs();
        baseline.pairs[0].solver = "gone".to_owned();
        let mut now = counted(|_| ());
        now[1].counted = Err("wrong answer".to_owned());
        let verdicts: Vec<(String, GateVerdict)> = check_exact(&baseline, &now, &GateLimits::default())
            .into_iter()
            .map(|check| (check.solver, check.verdict))
            .collect();
        let expected =
            [("mrv", GateVerdict::Pass), ("dlx", GateVerdict::Broken), ("gone", GateVerdict::Fail)];
        assert_eq!(verdicts, expected.map(|(solver, verdict)| (solver.to_owned(), verdict)));
    }
}
