//! Exact checks: compares counts, which have no noise, with a baseline or with the counts of an old build of an engine.

use sha2::{Digest, Sha256};
use sudobench_rows::hexadecimal;
use sudobench_sudoku::solver::Status;

use super::baseline::total;
use super::{Baseline, BaselinePair, Check, Counts, ExactCounts, Gate, GateLimits, GateVerdict};
use crate::figures::counted;
use crate::record::registry::COUNTED;

/// Maximum number of puzzles that a reason names for each kind of change (different answers, more nodes, more guesses).
const NAMED: usize = 5;

/// Number of bytes of a digest over all counts of a pair.
const DIGEST_BYTES: usize = 6;

/// The counts of one pair in this run, in the form in which a baseline stores them; or the reason why the pair was not counted.
pub struct Counted {
    /// The solver.
    pub solver: String,
    /// The dataset's name.
    pub dataset: String,
    /// The counts and, for each puzzle, its number in the dataset; or the reason why the pair was not counted.
    pub counted: Result<(BaselinePair, Vec<u64>), String>,
}

/// Compares the counts with the baseline, pair by pair.
///
/// The verdict is "missing" for a pair that only the baseline has, and for a counted pair that the baseline doesn't have. This happens, for
/// example, when a file or a solver is renamed. The verdict is also "missing" if the puzzles or the SIMD level of a pair differ from the
/// baseline, or if the nodes or guesses are unknown although the baseline has them or a limit needs them.
pub fn check_exact(baseline: &Baseline, counted: &[Counted], limits: &GateLimits) -> Vec<Check> {
    let of = |pair: &Counted| match (&pair.counted, stored(baseline, pair)) {
        (Err(fault), _) => exact(pair, BASELINE, GateVerdict::Broken, fault.clone()),
        (Ok(now), Some(stored)) => check(pair, stored, now, limits, &Against::BASELINE),
        (Ok((now, _)), None) => {
            let reason = unknown(baseline, now);
            Check { work: Some(work(now)), ..exact(pair, BASELINE, GateVerdict::Missing, reason) }
        }
    };
    let mut checks: Vec<Check> = counted.iter().map(of).collect();
    for stored in &baseline.pairs {
        let known = counted.iter().any(|pair| pair.dataset == stored.dataset && pair.solver == stored.solver);
        if !known {
            let gone = Counted {
                solver: stored.solver.clone(),
                dataset: stored.dataset.clone(),
                counted: Err(String::new()),
            };
            let message = "not measured, although the baseline has it: name this solver and file, or remove the pair with --update-baseline \
            --prune";
            checks.push(exact(&gone, BASELINE, GateVerdict::Missing, message.to_owned()));
        }
    }
    if checks.is_empty() {
        let message = "the baseline has no pair: make it again with --update-baseline";
        checks.push(Check::all_missing(Gate::Exact, BASELINE, message.to_owned()));
    }
    checks
}

/// Compares the counts of each engine with the counts of the engine of the same name in the old build. Engines that only one of the builds
/// has are left out.
///
/// If the old build failed and the new build did not, the comparison is missing, and there is an additional check of the new build alone.
pub fn check_builds(base: &[Counted], head: &[Counted], limits: &GateLimits) -> Vec<Check> {
    let of = |pair: &Counted| {
        let before = base.iter().find(|it| it.solver == pair.solver && it.dataset == pair.dataset)?;
        let against =
            |verdict, reason| exact(pair, BASE, verdict, format!("against the old build: {reason}"));
        Some(match (&before.counted, &pair.counted) {
            (_, Err(fault)) => vec![against(GateVerdict::Broken, format!("new build: {fault}"))],
            (Err(fault), Ok((now, _))) => {
                let missing = exact(pair, BASE, GateVerdict::Missing, format!("old build: {fault}"));
                let puzzles = counted(now.counts.len() as u64, "puzzle");
                let alone =
                    format!("only the new build: it answers {puzzles} correctly within --max-silence");
                let alone = exact(pair, ALONE, GateVerdict::Pass, alone);
                vec![Check { base_failed: true, ..missing }, Check { work: Some(work(now)), ..alone }]
            }
            (Ok((before, _)), Ok(now)) => {
                let compared = check(pair, before, now, limits, &Against::BASE);
                vec![Check { reason: format!("against the old build: {}", compared.reason), ..compared }]
            }
        })
    };
    head.iter().filter_map(of).flatten().collect()
}

/// Values of [`Check::subject`]: the counts of a pair are compared with a baseline, compared with the base, or not compared.
const BASELINE: &str = "baseline";
const BASE: &str = "base";
const ALONE: &str = "alone";

/// The source of the counts to compare with.
struct Against {
    subject: &'static str,
    /// Name of the source in the text of [`Check::reason`].
    name: &'static str,
    /// Text to append to [`Check::reason`] if the check passes although the counts changed.
    advice: &'static str,
    /// Remedy if the source lacks a count that this run has, for the text of [`Check::reason`].
    remedy: &'static str,
}

impl Against {
    const BASELINE: Against = Against {
        subject: BASELINE,
        name: "the baseline",
        advice: ": within the limits; update the baseline to store the new counts",
        remedy: "update the baseline",
    };

    /// The old build of an engine.
    const BASE: Against = Against {
        subject: BASE,
        name: "the old build",
        advice: ": within the limits",
        remedy: "--allow-missing lets this run pass",
    };
}

fn exact(pair: &Counted, subject: &str, verdict: GateVerdict, reason: String) -> Check {
    Check::new(Gate::Exact, subject, (&pair.solver, &pair.dataset), verdict, reason)
}

/// Returns the sums and the digest of the counts, for reports.
fn work(pair: &BaselinePair) -> ExactCounts {
    let text: String = pair.counts.iter().map(|counts| format!("{counts} ")).collect();
    ExactCounts {
        puzzles: pair.counts.len() as u64,
        sha256: pair.sha256.clone(),
        simd: pair.simd.clone(),
        nodes: total(&pair.counts, |counts| counts.nodes),
        guesses: total(&pair.counts, |counts| counts.guesses),
        digest: hexadecimal(&Sha256::digest(text)[..DIGEST_BYTES]),
    }
}

fn stored<'b>(baseline: &'b Baseline, pair: &Counted) -> Option<&'b BaselinePair> {
    baseline.pairs.iter().find(|it| it.solver == pair.solver && it.dataset == pair.dataset)
}

/// Returns the reason why the baseline does not have this pair.
fn unknown(baseline: &Baseline, now: &BaselinePair) -> String {
    if baseline.pairs.iter().any(|stored| stored.dataset == now.dataset) {
        return "the baseline does not have this solver: add it with --update-baseline, or leave it out"
            .to_owned();
    }
    let same_file = baseline.pairs.iter().find(|stored| stored.sha256 == now.sha256);
    match (same_file, baseline.pairs.first()) {
        (Some(stored), _) => format!(
            "the baseline has no dataset of this name, but it has the same file as {}: use that name, or update the baseline",
            stored.dataset
        ),
        (None, Some(stored)) => format!(
            "the baseline has no dataset of this name; it has {}, for example: use the files of the baseline, or update the baseline",
            stored.dataset
        ),
        (None, None) => "the baseline has no pair at all: make it again with --update-baseline".to_owned(),
    }
}

/// Returns the reason why a stored pair can't be compared with the counts of this run.
fn incomparable(stored: &BaselinePair, now: &BaselinePair) -> Option<String> {
    if now.counts.is_empty() {
        return Some("no puzzle was counted".to_owned());
    }
    if stored.sha256 != now.sha256 || stored.counts.len() != now.counts.len() {
        let message = "the dataset is not the same as in the baseline: restore it, or update the baseline";
        return Some(message.to_owned());
    }
    // A baseline in version 1 of the format has no SIMD levels, so any level is accepted.
    let (before, level) = stored.simd.as_ref().zip(now.simd.as_ref())?;
    (before != level).then(|| {
        format!(
            "counted at SIMD level {before}, but now at {level}, where the search is different: use --simd {before}, or make the baseline \
             with --simd baseline, which every machine supports"
        )
    })
}

fn check(
    pair: &Counted,
    stored: &BaselinePair,
    (now, numbers): &(BaselinePair, Vec<u64>),
    limits: &GateLimits,
    against: &Against,
) -> Check {
    let (verdict, reason) = match incomparable(stored, now) {
        Some(reason) => (GateVerdict::Missing, reason),
        None => compare(&stored.counts, &now.counts, numbers, limits, against),
    };
    Check { work: Some(work(now)), ..exact(pair, against.subject, verdict, reason) }
}

fn compare(
    before: &[Counts],
    now: &[Counts],
    numbers: &[u64],
    limits: &GateLimits,
    against: &Against,
) -> (GateVerdict, String) {
    let changed = |is_worse: &dyn Fn(&Counts, &Counts) -> bool| -> Vec<(u64, &Counts, &Counts)> {
        let both = before.iter().zip(now).zip(numbers);
        let worse = both.filter(|((old, new), _)| is_worse(old, new)).map(|((old, new), &at)| (at, old, new));
        let mut worse: Vec<_> = worse.collect();
        worse.sort_by_key(|(number, ..)| *number);
        worse
    };
    let answers = changed(&answer_is_worse);
    let mut faults = Vec::from_iter(describe("other answers", &answers, answer_in_words));
    for (at, figure) in COUNTED.iter().enumerate() {
        let percent = limits.percent(figure).unwrap_or(0.0);
        let more = changed(&|old, new| {
            (old.values()[at])
                .zip(new.values()[at])
                .is_some_and(|(old, new)| rises(old as f64, new.saturating_sub(old) as f64, percent))
        });
        let shown = |counts: &Counts| counts.values()[at].unwrap_or(0).to_string();
        faults.extend(describe(&format!("more {}", figure.label), &more, shown));
    }
    if !faults.is_empty() {
        return (GateVerdict::Fail, faults.join("; "));
    }
    let (mut missing, mut parts) = (Vec::new(), Vec::new());
    for (at, figure) in COUNTED.iter().enumerate() {
        let name = figure.label;
        let [before, now] = [before, now].map(|counts| total(counts, |counts| counts.values()[at]));
        match (before, now) {
            (Some(old), Some(new)) if old == new => {
                parts.push(format!("{}, as before", number_of(new, name)))
            }
            (Some(old), Some(new)) => parts.push(format!("{}, {old} before", number_of(new, name))),
            (Some(_), None) => {
                missing.push(format!("{} had {name}, but now no {name} are printed", against.name))
            }
            (None, Some(_)) if limits.has_explicit(figure) => {
                missing.push(format!("{} has no {name}: {}", against.name, against.remedy));
            }
            (None, None) if limits.has_explicit(figure) => {
                missing.push(format!("no {name} are printed: print {name}=N after each solution"));
            }
            (None, Some(new)) => {
                parts.push(format!("{}; {} has no {name}", number_of(new, name), against.name));
            }
            (None, None) => {}
        }
    }
    if !missing.is_empty() {
        return (GateVerdict::Missing, missing.join("; "));
    }
    if parts.is_empty() {
        parts.push("the same answers".to_owned());
    }
    let advice = if before != now { against.advice } else { "" };
    (GateVerdict::Pass, format!("{}{advice}", parts.join("; ")))
}

/// Formats a number with the plural noun `nodes` or `guesses`, or with the singular of the noun if the number is 1.
fn number_of(count: u64, nouns: &str) -> String {
    let noun = match (count, nouns) {
        (1, "nodes") => "node",
        (1, "guesses") => "guess",
        _ => nouns,
    };
    format!("{count} {noun}")
}

/// Describes the answer to a puzzle. A solution is shown by the start of its SHA-256, because a baseline stores no more.
fn answer_in_words(Counts { status, solutions, digest, .. }: &Counts) -> String {
    let found = format!("{}, {}", status.name(), counted(*solutions, "solution"));
    if digest == "-" { found } else { format!("{found}, SHA-256 {digest}...") }
}

/// Returns whether the new answer is worse: it differs from the old answer, and the puzzle was not aborted before. The status `solved`
/// means that any solution is accepted, so another solution is not worse.
fn answer_is_worse(old: &Counts, new: &Counts) -> bool {
    let same_solution = old.digest == new.digest || new.status == Status::Solved;
    let same = (old.status, old.solutions) == (new.status, new.solutions) && same_solution;
    !same && old.status != Status::Aborted
}

/// Returns whether a rise is larger than the allowed percentage of the old value. A rise of exactly the limit is allowed.
pub(super) fn rises(old: f64, rise: f64, percent: f64) -> bool {
    rise > 0.0 && rise * 100.0 > percent * old
}

/// Describes changed puzzles: `more nodes on 2 puzzles: puzzle 17 (51 -> 60), puzzle 23 (81 -> 99)`.
fn describe(
    what: &str,
    changed: &[(u64, &Counts, &Counts)],
    shown: impl Fn(&Counts) -> String,
) -> Option<String> {
    let named: Vec<String> = changed
        .iter()
        .take(NAMED)
        .map(|(number, old, new)| format!("puzzle {number} ({} -> {})", shown(old), shown(new)))
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
            first("", |pair| pair.counts[3].nodes = Some(52)),
            first("nodes=5%", |pair| pair.counts[3].nodes = Some(52)),
            first("", |pair| {
                pair.counts
                    .iter_mut()
                    .for_each(|counts| counts.guesses = counts.guesses.map(|guesses| guesses + 1))
            }),
            first("", |pair| pair.counts[1].nodes = Some(40)),
            first("", |pair| pair.counts[0].digest = "000000".to_owned()),
            first("", |pair| pair.counts[9].status = Status::Unique),
            first("", |pair| pair.sha256 = "other".to_owned()),
        ];
        insta::assert_snapshot!(shown.join("\n"));
    }

    #[test]
    fn missing_comparisons_do_not_pass() {
        let found = |baseline: &Baseline, now: &[Counted]| -> Vec<String> {
            let checks = check_exact(baseline, now, &GateLimits::default());
            let shown = |check: &Check| {
                format!("{} {}: {}: {}", check.solver, check.dataset, check.verdict.name(), check.reason)
            };
            checks.iter().map(shown).collect()
        };
        let renamed = |at: usize, change: &dyn Fn(&mut BaselinePair)| {
            let mut baseline = two_pairs();
            change(&mut baseline.pairs[at]);
            baseline
        };
        let mut empty = two_pairs();
        empty.pairs.clear();
        let mut none = two_pairs();
        none.pairs.iter_mut().for_each(|pair| pair.dataset = "other.txt".to_owned());
        let mut other_file = none.clone();
        other_file.pairs.iter_mut().for_each(|pair| pair.sha256 = "0".to_owned());
        let now = counted(|_| ());
        let shown = [
            ("a solver that is gone", found(&renamed(1, &|pair| pair.solver = "gone".to_owned()), &now)),
            ("a dataset of another name", found(&none, &now)),
            ("another file of another name", found(&other_file, &now)),
            ("another level", found(&renamed(1, &|pair| pair.simd = Some("avx512".to_owned())), &now)),
            ("an unknown level", found(&renamed(1, &|pair| pair.simd = None), &now)),
            ("no pair", found(&empty, &now)),
            ("nothing measured", found(&two_pairs(), &[])),
            (
                "no puzzle",
                found(&renamed(0, &|pair| pair.counts.clear()), &counted(|pair| pair.counts.clear())),
            ),
        ];
        insta::assert_debug_snapshot!(shown);
    }

    #[test]
    fn a_limited_count_must_be_reported() {
        let untold = |pair: &mut BaselinePair| pair.counts.iter_mut().for_each(|counts| counts.nodes = None);
        let mut without = two_pairs();
        untold(&mut without.pairs[0]);
        let found = |baseline: &Baseline, now: &[Counted], limits: &str| {
            let check = check_exact(baseline, now, &limits.parse().unwrap()).remove(0);
            format!("{}: {}", check.verdict.name(), check.reason)
        };
        let (told, none) = (counted(|_| ()), counted(untold));
        assert_eq!(found(&without, &none, ""), "pass: 9 guesses, as before".replace('9', "85"));
        assert_eq!(
            found(&without, &none, "nodes=5%"),
            "missing: no nodes are printed: print nodes=N after each solution"
        );
        assert_eq!(
            found(&without, &told, "nodes=5%"),
            "missing: the baseline has no nodes: update the baseline"
        );
        assert!(found(&without, &told, "").starts_with("pass: "));
        for limits in ["", "nodes=5%"] {
            assert_eq!(
                found(&two_pairs(), &none, limits),
                "missing: the baseline had nodes, but now no nodes are printed"
            );
        }
    }

    #[test]
    fn builds_of_an_engine_are_compared() {
        let broken = |mut pairs: Vec<Counted>| {
            pairs[0].counted = Err("wrong answer".to_owned());
            pairs
        };
        let found = |base: Vec<Counted>, head: Vec<Counted>| {
            let checks = check_builds(&base, &head, &GateLimits::default());
            let of_pair = |check: &&Check| check.solver == checks[0].solver;
            let line = |check: &Check| {
                let base = if check.base_failed { " (base)" } else { "" };
                format!("{}{base}: {}", check.verdict.name(), check.reason)
            };
            checks.iter().filter(of_pair).map(line).collect::<Vec<_>>()
        };
        let more = || counted(|pair| pair.counts[3].nodes = Some(52));
        assert_eq!(
            found(counted(|_| ()), more()),
            ["fail: against the old build: more nodes on 1 puzzle: puzzle 4 (51 -> 52)"]
        );
        assert_eq!(
            found(more(), counted(|_| ())),
            [concat!(
                "pass: against the old build: 1000459 nodes, 1000460 before; 85 guesses, as before: ",
                "within the limits"
            )]
        );
        assert_eq!(found(more(), broken(more())), ["broken: against the old build: new build: wrong answer"]);
        assert_eq!(
            found(broken(more()), more()),
            [
                "missing (base): old build: wrong answer",
                "pass: only the new build: it answers 10 puzzles correctly within --max-silence"
            ]
        );
        assert!(
            check_builds(&[], &more(), &GateLimits::default()).is_empty(),
            "an engine that only the head has is not compared"
        );
    }

    #[test]
    fn the_digest_detects_changes_that_sums_hide() {
        let of = |change: &dyn Fn(&mut BaselinePair)| {
            let check = check_exact(&two_pairs(), &counted(change), &GateLimits::default()).remove(0);
            check.work.unwrap()
        };
        let (before, after) = (of(&|_| ()), of(&|pair| pair.counts.swap(0, 9)));
        assert_eq!((before.nodes, before.puzzles), (after.nodes, after.puzzles));
        assert_ne!(before.digest, after.digest);
        assert_eq!(before.digest.len(), 2 * DIGEST_BYTES);
    }

    #[test]
    fn another_first_solution_is_not_worse() {
        let solved = |pair: &mut BaselinePair| pair.counts[0].status = Status::Solved;
        let mut baseline = two_pairs();
        solved(&mut baseline.pairs[0]);
        let verdict = |change: &dyn Fn(&mut BaselinePair)| {
            check_exact(&baseline, &counted(change), &GateLimits::default())[0].verdict
        };
        let another = |pair: &mut BaselinePair| {
            solved(pair);
            pair.counts[0].digest = "000000".to_owned();
        };
        assert_eq!(verdict(&another), GateVerdict::Pass);
        assert_eq!(verdict(&|pair| pair.counts[0].status = Status::Unsolvable), GateVerdict::Fail);
    }
}
