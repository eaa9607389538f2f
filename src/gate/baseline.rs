//! The stored counts that gate A holds a search against: a text file made for git.
//!
//! One line for eight puzzles, so that a change shows in the lines of the puzzles that it touches:
//!
//! ```text
//! # sudobench baseline 1
//! question max_solutions=2 max_nodes=1000000 seed=1 sample=500
//! pair mrv easy.txt puzzles=2 sha256=5a1e...
//! u1:51/1:3fa29c u1:81/0:00c1d2
//! ```
//! A puzzle is a letter for its status, the count of solutions, nodes, guesses, and six digits of its
//! solution's SHA-256 (`-` without one).

use std::fmt;
use std::fmt::Write as _;
use std::str::FromStr;

use sha2::{Digest, Sha256};
use sudobench_sudoku::solver::{Outcome, Status};

/// Puzzles on a line.
const ON_A_LINE: usize = 8;

const HEADER: &str = "# sudobench baseline 1";

/// The stored counts of all pairs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Baseline {
    /// What was asked, and of which puzzles.
    pub terms: BaselineTerms,
    /// Every pair.
    pub pairs: Vec<BaselinePair>,
}

/// What was asked of every puzzle, and which puzzles those are. The same terms give the same counts on every machine; of a variant that
/// solves many puzzles at once, on every machine at the same vector level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BaselineTerms {
    /// Solutions after which a search stops.
    pub max_solutions: u64,
    /// Nodes after which a puzzle is given up: a limit of time would not be exact.
    pub max_nodes: u64,
    /// The seed of the permutation.
    pub seed: u64,
    /// Puzzles of each dataset.
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
    /// Every puzzle in the order of the permutation.
    pub counts: Vec<Counts>,
}

/// What a search did with one puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counts {
    /// The verdict.
    pub status: Status,
    /// Solutions found.
    pub solutions: u64,
    /// Digit placements.
    pub nodes: u64,
    /// Decisions.
    pub guesses: u64,
    /// The first digits of the solution's SHA-256, or `-`.
    pub digest: String,
}

/// Why a text is not a baseline.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line} of the baseline is not understood: make it anew with --update-baseline")]
pub struct BaselineError {
    /// The line, from 1.
    pub line: usize,
}

impl Counts {
    /// The counts of an outcome.
    pub fn of(outcome: &Outcome) -> Counts {
        let digest = outcome.solution.map_or("-".to_owned(), |solution| {
            let bytes = Sha256::digest(solution.text());
            bytes.iter().take(3).fold(String::new(), |mut text, byte| {
                // Writing to a string does not fail.
                let _ = write!(text, "{byte:02x}");
                text
            })
        });
        Counts {
            status: outcome.status,
            solutions: outcome.count,
            nodes: outcome.nodes,
            guesses: outcome.guesses,
            digest,
        }
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Counts { status, solutions, nodes, guesses, digest } = self;
        write!(f, "{}{solutions}:{nodes}/{guesses}:{digest}", status.letter())
    }
}

impl Counts {
    fn parse(text: &str) -> Option<Counts> {
        let letter = text.chars().next()?;
        let status = Status::of_letter(letter).filter(|status| *status != Status::Malformed)?;
        let mut parts = text.strip_prefix(letter)?.split(':');
        let solutions = parts.next()?.parse().ok()?;
        let (nodes, guesses) = parts.next()?.split_once('/')?;
        let digest = parts.next().filter(|digest| *digest == "-" || is_hexadecimal(digest))?.to_owned();
        let (nodes, guesses) = (nodes.parse().ok()?, guesses.parse().ok()?);
        parts.next().is_none().then_some(Counts { status, solutions, nodes, guesses, digest })
    }
}

impl fmt::Display for Baseline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let BaselineTerms { max_solutions, max_nodes, seed, sample } = self.terms;
        writeln!(f, "{HEADER}")?;
        writeln!(
            f,
            "question max_solutions={max_solutions} max_nodes={max_nodes} seed={seed} sample={sample}"
        )?;
        for pair in &self.pairs {
            let BaselinePair { solver, dataset, sha256, counts } = pair;
            writeln!(f, "pair {solver} {dataset} puzzles={} sha256={sha256}", counts.len())?;
            for line in counts.chunks(ON_A_LINE) {
                let words: Vec<String> = line.iter().map(Counts::to_string).collect();
                writeln!(f, "{}", words.join(" "))?;
            }
        }
        Ok(())
    }
}

impl FromStr for Baseline {
    type Err = BaselineError;

    fn from_str(text: &str) -> Result<Baseline, BaselineError> {
        let fault = |at: usize| BaselineError { line: at + 1 };
        let mut lines = text.lines().enumerate();
        if lines.next().map(|(_, line)| line) != Some(HEADER) {
            return Err(fault(0));
        }
        let terms = lines.next().and_then(|(_, line)| BaselineTerms::parse(line)).ok_or(fault(1))?;
        let mut pairs: Vec<BaselinePair> = Vec::new();
        let mut promised = 0;
        for (at, line) in lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#')) {
            if let Some(rest) = line.strip_prefix("pair ") {
                check_promise(&pairs, promised).ok_or(fault(at))?;
                let (pair, puzzles) = parse_pair(rest).ok_or(fault(at))?;
                promised = puzzles;
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

/// Whether the last pair has as many puzzles as it says: a file that was merged badly has not.
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

/// `SOLVER DATASET puzzles=N sha256=HEX`; the dataset's name may have spaces.
fn parse_pair(rest: &str) -> Option<(BaselinePair, usize)> {
    let (rest, sha256) = rest.rsplit_once(" sha256=").filter(|(_, sha256)| is_hexadecimal(sha256))?;
    let (rest, puzzles) = rest.rsplit_once(" puzzles=")?;
    let (solver, dataset) = rest.split_once(' ')?;
    let (solver, dataset, sha256) = (solver.to_owned(), dataset.to_owned(), sha256.to_owned());
    Some((BaselinePair { solver, dataset, sha256, counts: Vec::new() }, puzzles.parse().ok()?))
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
        let counts: Vec<Counts> = [unique; 9].iter().chain([&aborted]).map(Counts::of).collect();
        Baseline {
            terms: BaselineTerms { max_solutions: 2, max_nodes: 1_000_000, seed: 1, sample: 500 },
            pairs: ["mrv", "dlx"]
                .map(|solver| BaselinePair {
                    solver: solver.to_owned(),
                    dataset: "my easy.txt".to_owned(),
                    sha256: "5a1e".to_owned(),
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
    fn a_torn_baseline_names_its_line() {
        let text = two_pairs().to_string();
        let fault = |text: &str| text.parse::<Baseline>().unwrap_err().line;
        assert_eq!(fault(""), 1);
        assert_eq!(fault(&text.replace("question", "query")), 2);
        assert_eq!(fault(&text.replacen("51/1", "51-1", 1)), 4);
        assert_eq!(fault(&text.replacen("puzzles=10", "puzzles=11", 1)), 6);
        assert_eq!(fault(text.trim_end().rsplit_once('\n').unwrap().0), 8);
        // What a line ends with is no part of it.
        assert_eq!(fault(&text.replacen("sha256=5a1e", "sha256=5a1e\r\r", 1)), 3);
    }

    proptest! {
        #[test]
        fn a_text_is_refused_or_comes_back(at in 0usize..400, noise in "[\\PC\r\t\0]{0,12}") {
            let mut text = two_pairs().to_string();
            text.insert_str(at.min(text.len()), &noise);
            if let Ok(baseline) = text.parse::<Baseline>() {
                prop_assert_eq!(baseline.to_string().parse(), Ok(baseline));
            }
        }
    }
}
