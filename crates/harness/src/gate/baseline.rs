//! The stored counts of exact checks, in a text file for the git repository.
//!
//! Each line of counts has up to eight puzzles, so that a diff shows which puzzles changed:
//!
//! ```text
//! # sudobench baseline 2
//! question max_solutions=2 max_nodes=1000000 seed=1 sample=500
//! pair mrv easy.txt puzzles=2 sha256=5a1e...
//! u1:51/1:3fa29c u1:81/0:00c1d2
//! pair auto easy.txt puzzles=2 simd=avx2 sha256=5a1e...
//! u1:3/1:3fa29c u1:0/0:00c1d2
//! ```
//! Each puzzle is written as a letter for its status, the number of solutions, the nodes and the guesses (`-` if an engine doesn't report
//! them), and the first six digits of its solution's SHA-256 (`-` without a solution). Version 1 of the format can be read, too; it has
//! neither SIMD levels nor engines.

use std::fmt;
use std::str::FromStr;

use sha2::{Digest, Sha256};
use sudobench_rows::hexadecimal;
use sudobench_sudoku::solver::{Outcome, Status};

use crate::figures::counted;
use crate::record::registry::{COUNTED, CountedValues, counted_values};

const ON_A_LINE: usize = 8;

const HEADER: &str = "# sudobench baseline ";

/// Version of the baseline format that is written. This is also the newest version that can be read.
const VERSION: u32 = 2;

/// The stored counts of all pairs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Baseline {
    /// The question, and the settings that decide which puzzles are counted.
    pub terms: BaselineTerms,
    /// Every pair.
    pub pairs: Vec<BaselinePair>,
}

/// The question for every puzzle, and the choice of puzzles. With the same terms and the same files, a built-in solver has the same counts
/// on each machine. If it solves many puzzles at once, this is true only at the same SIMD level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BaselineTerms {
    /// Number of solutions after which a search stops.
    pub max_solutions: u64,
    /// Number of nodes after which a built-in solver aborts a puzzle. A time limit would not give the same counts each time.
    pub max_nodes: u64,
    /// Seed of the permutation that decides the order of the puzzles.
    pub seed: u64,
    /// Maximum number of puzzles taken from each dataset.
    pub sample: u64,
}

/// The counts of one solver on one dataset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BaselinePair {
    /// The solver.
    pub solver: String,
    /// The dataset's name.
    pub dataset: String,
    /// The dataset's SHA-256.
    pub sha256: String,
    /// SIMD level of the counts, for solvers whose counts depend on the level.
    pub simd: Option<String>,
    /// The counts of every puzzle, in the random order that [`BaselineTerms::seed`] decides.
    pub counts: Vec<Counts>,
}

/// The counts of a solver's or engine's search on one puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counts {
    /// The status.
    pub status: Status,
    /// Number of solutions found.
    pub solutions: u64,
    /// Number of nodes ([`Outcome::nodes`]). `None` if an engine does not report it.
    pub nodes: Option<u64>,
    /// Number of guesses ([`Outcome::guesses`]). `None` if an engine does not report it.
    pub guesses: Option<u64>,
    /// The first digits of the solution's SHA-256, or `-`.
    pub digest: String,
}

/// Reasons why a text is not a baseline.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BaselineError {
    /// The file was written by a newer version.
    #[error(
        "the baseline has format {0}, but this program reads formats up to {VERSION}: use the version of sudobench that wrote it"
    )]
    Newer(u32),
    /// A pair occurs twice, so it is unknown which counts are valid.
    #[error(
        "line {0} of the baseline repeats a pair: remove one of the two pairs, or remove the file and make it again with --update-baseline"
    )]
    Twice(
        /// The line, from 1.
        usize,
    ),
    /// The line can't be parsed, or the pair that ends before this line has more or fewer puzzles than its `pair` line states.
    #[error(
        "line {0} of the baseline cannot be read: if this file is really a baseline, remove it and make it again with --update-baseline"
    )]
    Line(
        /// The line, from 1.
        usize,
    ),
}

/// Returns the sum of an exact count over all puzzles that have it, or `None` if no puzzle has it. `count` returns the count of a puzzle.
pub(super) fn total(counts: &[Counts], count: impl Fn(&Counts) -> Option<u64>) -> Option<u64> {
    let told = || counts.iter().filter_map(&count);
    told().next().map(|_| told().fold(0, u64::saturating_add))
}

impl BaselinePair {
    /// Returns whether neither nodes nor guesses are known for any puzzle.
    pub fn has_no_counters(&self) -> bool {
        self.counts.iter().all(|counts| counts.values().iter().all(Option::is_none))
    }
}

/// The change that an update makes to a pair.
#[derive(Clone, Debug, PartialEq, Eq, strum::Display)]
#[strum(serialize_all = "lowercase")]
pub enum Update {
    /// The pair is new.
    Adds,
    /// The counts, the dataset's file or the SIMD level changed. The text describes the changes.
    #[strum(to_string = "changes")]
    Changes(String),
    /// The counts, the dataset's file and the SIMD level are the same as before.
    Keeps,
    /// The pair was not counted in this run, and stays in the baseline.
    #[strum(to_string = "keeps")]
    KeepsUncounted,
    /// The pair was not counted in this run, and is removed.
    Drops,
}

/// A pair of a baseline, and the change that an update makes to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BaselineChange {
    /// The solver.
    pub solver: String,
    /// The dataset's name.
    pub dataset: String,
    /// The change.
    pub update: Update,
}

impl fmt::Display for BaselineChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let BaselineChange { solver, dataset, update } = self;
        write!(f, "{update} {solver} on {dataset}")?;
        match update {
            Update::Adds => Ok(()),
            Update::Changes(how) => write!(f, ": {how}"),
            Update::Keeps => write!(f, ": as before"),
            Update::KeepsUncounted | Update::Drops => write!(f, ": not counted now"),
        }
    }
}

impl Baseline {
    /// Merges new counts: counted pairs are added or changed. Other pairs are kept or, with `prune`, removed. Returns the change of each
    /// pair.
    pub fn merge(&mut self, counted: Vec<BaselinePair>, prune: bool) -> Vec<BaselineChange> {
        let mut changes = Vec::new();
        let mut tell = |pair: &BaselinePair, update| {
            let (solver, dataset) = (pair.solver.clone(), pair.dataset.clone());
            changes.push(BaselineChange { solver, dataset, update });
        };
        let is_counted = |pair: &BaselinePair| {
            counted.iter().any(|now| now.solver == pair.solver && now.dataset == pair.dataset)
        };
        for pair in self.pairs.iter().filter(|pair| !is_counted(pair)) {
            tell(pair, if prune { Update::Drops } else { Update::KeepsUncounted });
        }
        if prune {
            self.pairs.retain(is_counted);
        }
        for now in counted {
            let stored =
                self.pairs.iter_mut().find(|pair| pair.solver == now.solver && pair.dataset == now.dataset);
            match stored {
                None => {
                    tell(&now, Update::Adds);
                    self.pairs.push(now);
                }
                Some(stored) if *stored == now => tell(&now, Update::Keeps),
                Some(stored) => {
                    tell(&now, Update::Changes(difference(stored, &now)));
                    *stored = now;
                }
            }
        }
        changes
    }
}

/// Describes how the dataset, the SIMD level and the counts of a pair changed.
fn difference(before: &BaselinePair, now: &BaselinePair) -> String {
    let mut changes = Vec::new();
    if before.sha256 != now.sha256 {
        changes.push("another file".to_owned());
    }
    if before.simd != now.simd {
        let [before, now] = [before, now].map(|pair| pair.simd.as_deref().unwrap_or("unknown"));
        changes.push(format!("SIMD level {before} -> {now}"));
    }
    for (at, figure) in COUNTED.iter().enumerate() {
        let [before, now] = [before, now].map(|pair| total(&pair.counts, |counts| counts.values()[at]));
        let shown = |count: Option<u64>| count.map_or(UNKNOWN.to_owned(), |count| count.to_string());
        if before != now {
            changes.push(format!("{} {} -> {}", figure.label, shown(before), shown(now)));
        }
    }
    let changed = before.counts.iter().zip(&now.counts).filter(|(before, now)| before != now).count();
    if before.sha256 == now.sha256 && changed > 0 {
        changes.push(format!("counts of {} changed", counted(changed as u64, "puzzle")));
    }
    changes.join(", ")
}

impl Counts {
    pub(super) fn values(&self) -> CountedValues {
        counted_values(self.nodes, self.guesses)
    }

    /// Returns the counts of an outcome of a built-in solver.
    pub fn new(outcome: &Outcome) -> Counts {
        Counts::with_counters(outcome, Some(outcome.nodes), Some(outcome.guesses))
    }

    /// Returns the counts of an outcome, with the nodes and guesses that the contestant reports.
    pub fn with_counters(outcome: &Outcome, nodes: Option<u64>, guesses: Option<u64>) -> Counts {
        let digest = outcome.solution.map_or("-".to_owned(), |solution| {
            hexadecimal(&Sha256::digest(solution.text())[..SOLUTION_DIGITS / 2])
        });
        Counts { status: outcome.status, solutions: outcome.count, nodes, guesses, digest }
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Counts { status, solutions, nodes, guesses, digest } = self;
        let shown = |count: &Option<u64>| count.map_or(UNKNOWN.to_owned(), |count| count.to_string());
        write!(f, "{}{solutions}:{}/{}:{digest}", status.letter(), shown(nodes), shown(guesses))
    }
}

/// Number of hexadecimal digits that identify a solution.
const SOLUTION_DIGITS: usize = 6;

/// Text of an unknown count.
const UNKNOWN: &str = "-";

impl Counts {
    fn parse(text: &str) -> Option<Counts> {
        let letter = text.chars().next()?;
        let status = Status::from_letter(letter).filter(|status| *status != Status::Malformed)?;
        let mut parts = text.strip_prefix(letter)?.split(':');
        let solutions = parts.next()?.parse().ok()?;
        let (nodes, guesses) = parts.next()?.split_once('/')?;
        let digest = parts
            .next()
            .filter(|digest| *digest == "-" || (digest.len() == SOLUTION_DIGITS && is_hexadecimal(digest)));
        let digest = digest?.to_owned();
        let count = |text: &str| match text {
            UNKNOWN => Some(None),
            _ => text.parse().ok().map(Some),
        };
        let (nodes, guesses) = (count(nodes)?, count(guesses)?);
        parts.next().is_none().then_some(Counts { status, solutions, nodes, guesses, digest })
    }
}

impl fmt::Display for Baseline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let BaselineTerms { max_solutions, max_nodes, seed, sample } = self.terms;
        writeln!(f, "{HEADER}{VERSION}")?;
        writeln!(
            f,
            "question max_solutions={max_solutions} max_nodes={max_nodes} seed={seed} sample={sample}"
        )?;
        for pair in &self.pairs {
            let BaselinePair { solver, dataset, sha256, simd, counts } = pair;
            let simd = simd.as_ref().map_or(String::new(), |level| format!(" simd={level}"));
            writeln!(f, "pair {solver} {dataset} puzzles={}{simd} sha256={sha256}", counts.len())?;
            for line in counts.chunks(ON_A_LINE) {
                let numbers: Vec<String> = line.iter().map(Counts::to_string).collect();
                writeln!(f, "{}", numbers.join(" "))?;
            }
        }
        Ok(())
    }
}

impl FromStr for Baseline {
    type Err = BaselineError;

    fn from_str(text: &str) -> Result<Baseline, BaselineError> {
        let fault = |at: usize| BaselineError::Line(at + 1);
        let mut lines = text.lines().enumerate();
        let form = lines.next().and_then(|(_, line)| line.strip_prefix(HEADER)?.parse::<u32>().ok());
        match form.ok_or(fault(0))? {
            1..=VERSION => {}
            0 => return Err(fault(0)),
            newer => return Err(BaselineError::Newer(newer)),
        }
        let terms = lines.next().and_then(|(_, line)| BaselineTerms::parse(line)).ok_or(fault(1))?;
        let mut pairs: Vec<BaselinePair> = Vec::new();
        let mut promised = 0;
        for (at, line) in lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#')) {
            if let Some(rest) = line.strip_prefix("pair ") {
                check_promise(&pairs, promised).ok_or(fault(at))?;
                let (pair, puzzles) = parse_pair(rest).ok_or(fault(at))?;
                promised = puzzles;
                if pairs.iter().any(|other| other.solver == pair.solver && other.dataset == pair.dataset) {
                    return Err(BaselineError::Twice(at + 1));
                }
                pairs.push(pair);
            } else {
                let counts: Option<Vec<Counts>> = line.split_whitespace().map(Counts::parse).collect();
                let pair = pairs.last_mut().ok_or(fault(at))?;
                pair.counts.extend(counts.ok_or(fault(at))?);
            }
        }
        check_promise(&pairs, promised).ok_or(fault(text.lines().count()))?;
        Ok(Baseline { terms, pairs })
    }
}

/// Checks that the last pair has the number of puzzles that its line states. After a bad merge of the file, the number may be wrong.
fn check_promise(pairs: &[BaselinePair], promised: usize) -> Option<()> {
    pairs.last().is_none_or(|pair| pair.counts.len() == promised).then_some(())
}

impl BaselineTerms {
    fn parse(line: &str) -> Option<BaselineTerms> {
        let rest = line.strip_prefix("question ")?;
        let value = |name: &str| -> Option<u64> {
            rest.split_whitespace().find_map(|word| word.strip_prefix(name)?.strip_prefix('='))?.parse().ok()
        };
        Some(BaselineTerms {
            max_solutions: value("max_solutions")?,
            max_nodes: value("max_nodes")?,
            seed: value("seed")?,
            sample: value("sample")?,
        })
    }
}

/// Reads `SOLVER DATASET puzzles=N [simd=LEVEL] sha256=HEX`; the dataset's name may have spaces.
fn parse_pair(rest: &str) -> Option<(BaselinePair, usize)> {
    let (rest, sha256) = rest.rsplit_once(" sha256=").filter(|(_, sha256)| is_hexadecimal(sha256))?;
    let (rest, tail) = rest.rsplit_once(" puzzles=")?;
    let (puzzles, simd) = match tail.split_once(" simd=") {
        Some((puzzles, level)) => (puzzles, Some(level.to_owned())),
        None => (tail, None),
    };
    let (solver, dataset) = rest.split_once(' ')?;
    let (solver, dataset, sha256) = (solver.to_owned(), dataset.to_owned(), sha256.to_owned());
    Some((BaselinePair { solver, dataset, sha256, simd, counts: Vec::new() }, puzzles.parse().ok()?))
}

fn is_hexadecimal(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use proptest::prelude::*;
    use sudobench_sudoku::puzzle::Solution;

    pub(crate) fn two_pairs() -> Baseline {
        let text = "534678912672195348198342567859761423426853791713924856961537284287419635345286179";
        let solution = Solution::from_text(text.as_bytes()).ok();
        let unique =
            Outcome { status: Status::Unique, count: 1, solution, nodes: 51, guesses: 1, elapsed_ns: 0 };
        let aborted = Outcome { nodes: 1_000_000, guesses: 77, ..Outcome::ABORTED };
        let mut counts: Vec<Counts> = [unique; 9].iter().chain([&aborted]).map(Counts::new).collect();
        counts[8].guesses = None;
        Baseline {
            terms: BaselineTerms { max_solutions: 2, max_nodes: 1_000_000, seed: 1, sample: 500 },
            pairs: ["mrv", "dlx"]
                .map(|solver| BaselinePair {
                    solver: solver.to_owned(),
                    dataset: "my easy.txt".to_owned(),
                    sha256: "5a1e".to_owned(),
                    simd: (solver == "dlx").then(|| "avx2".to_owned()),
                    counts: counts.clone(),
                })
                .to_vec(),
        }
    }

    #[test]
    fn a_baseline_is_written_and_read_back() {
        let text = two_pairs().to_string();
        insta::assert_snapshot!(text);
        assert_eq!(text.parse(), Ok(two_pairs()));
    }

    #[test]
    fn the_error_for_a_damaged_baseline_names_the_line() {
        let text = two_pairs().to_string();
        let fault = |text: &str| match text.parse::<Baseline>().unwrap_err() {
            BaselineError::Line(line) => line,
            other => panic!("{other}"),
        };
        assert_eq!(fault(""), 1);
        assert_eq!(fault(&text.replace("question", "query")), 2);
        assert_eq!(fault(&text.replacen("51/1", "51-1", 1)), 4);
        assert_eq!(fault(&text.replacen("puzzles=10", "puzzles=11", 1)), 6);
        assert_eq!(fault(text.trim_end().rsplit_once('\n').unwrap().0), 8);
        // The file ends in the middle of a line.
        assert_eq!(fault(&text[..text.len() - 2]), 8);
        let twice = text.replacen("pair dlx", "pair mrv", 1).parse::<Baseline>();
        assert_eq!(twice, Err(BaselineError::Twice(6)));
        // Two carriage returns at the end of a line make the line invalid.
        assert_eq!(fault(&text.replacen("sha256=5a1e", "sha256=5a1e\r\r", 1)), 3);
    }

    #[test]
    fn an_update_reports_the_change_of_each_pair() {
        let pair = |solver: &str, nodes: u64| {
            let mut pair = BaselinePair { solver: solver.to_owned(), ..two_pairs().pairs[0].clone() };
            pair.counts[0].nodes = Some(nodes);
            pair
        };
        let updated = |prune| {
            let terms = two_pairs().terms;
            let mut baseline = Baseline { terms, pairs: ["a", "b", "c"].map(|name| pair(name, 51)).to_vec() };
            let counted = vec![pair("b", 51), pair("c", 40), pair("d", 51)];
            let changes = baseline.merge(counted, prune);
            let told: Vec<String> = changes.iter().map(BaselineChange::to_string).collect();
            let names: Vec<String> = baseline.pairs.iter().map(|pair| pair.solver.clone()).collect();
            assert_eq!(baseline.to_string().parse(), Ok(baseline));
            (told, names.concat())
        };
        let (told, names) = updated(false);
        assert_eq!(names, "abcd");
        assert_eq!(
            told,
            [
                "keeps a on my easy.txt: not counted now",
                "keeps b on my easy.txt: as before",
                "changes c on my easy.txt: nodes 1000459 -> 1000448, counts of 1 puzzle changed",
                "adds d on my easy.txt",
            ]
        );
        let (told, names) = updated(true);
        assert_eq!((names.as_str(), told[0].as_str()), ("bcd", "drops a on my easy.txt: not counted now"));
    }

    #[test]
    fn older_versions_are_read_and_newer_ones_refused() {
        let text = two_pairs().to_string();
        let old = text.replace("baseline 2", "baseline 1").replace(" simd=avx2", "");
        assert_eq!(old.parse::<Baseline>().unwrap().pairs[1].simd, None);
        let error = text.replace("baseline 2", "baseline 3").parse::<Baseline>().unwrap_err();
        assert!(
            error
                .to_string()
                .starts_with("the baseline has format 3, but this program reads formats up to 2"),
            "{error}"
        );
    }

    proptest! {
        #[test]
        fn any_text_is_refused_or_round_trips(at in 0usize..400, noise in "[\\PC\r\t\0]{0,12}") {
            let mut text = two_pairs().to_string();
            text.insert_str(at.min(text.len()), &noise);
            if let Ok(baseline) = text.parse::<Baseline>() {
                prop_assert_eq!(baseline.to_string().parse(), Ok(baseline));
            }
        }
    }
}
