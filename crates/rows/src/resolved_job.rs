//! The description of a run, with default values filled in. It is stored beside an output file, so that `--resume` and `merge` can compare
//! the descriptions of two runs.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::num::NonZeroU64;
use std::ops::RangeInclusive;
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sudobench_sudoku::generate::{FewestGuesses, Hardest, Request, StepRequest};
use sudobench_sudoku::simd::Level;
use sudobench_sudoku::techniques::Technique;
use sudobench_sudoku::{Answer, Question, nanoseconds};

use crate::facts::Isomorphs;
use crate::source::{Input, InputState, Recipe, ResolvedLayout, SourceError};

/// The settings and inputs that determine the bytes of an output, without paths and dates, so that runs on different machines can be
/// compared.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResolvedJob {
    /// The columns that are added, in order.
    pub columns: Vec<String>,
    /// The conditions on the rows that are written.
    pub only: Vec<String>,
    /// The values of `--sample`, `--order-by` and `--top`. `None` without these options.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub order: Option<String>,
    /// The name of the column whose boards are written if the output format has no columns, such as `puzzle` or `solution`. `None` if the
    /// format has columns.
    pub board: Option<String>,
    /// The format of the output.
    pub output_format: String,
    /// The compression of the output.
    pub output_compression: String,
    /// Whether lost zeros at the start of puzzles are restored.
    pub restore_zeros: bool,
    /// The number of skipped rows at the start.
    pub skip: u64,
    /// The largest number of rows to read, if there is a limit.
    pub limit: Option<u64>,
    /// The layout of the inputs.
    pub layout: ResolvedLayout,
    /// The solver and its settings. `None` if nothing in the run needs the result of solving.
    pub solving: Option<ResolvedSolving>,
    /// The random forms of each puzzle over which the number of guesses is averaged. `None` if the mean is not needed.
    pub isomorphs: Option<Isomorphs>,
    /// The other settings that affect the bytes of the output, by name: see [`Run::setting`](crate::Run::setting).
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub settings: Map<String, Value>,
    /// The command that expands each row into several rows, with its options. `None` if rows are not expanded.
    pub expansion: Option<Value>,
    /// The settings of the puzzle generator. `None` if the puzzles are read from inputs.
    pub made: Option<ResolvedRecipe>,
    /// The text that identifies the [marks](crate::Marks) of rows. `None` if rows have no marks.
    pub marks: Option<String>,
    /// The inputs, in order.
    pub inputs: Vec<InputIdentity>,
}

/// The solver, and the settings that decide its answer to a puzzle.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResolvedSolving {
    /// The name of the solver variant.
    pub solver: String,
    /// The number of solutions after which a search stops.
    pub max_solutions: NonZeroU64,
    /// The reported solution: `smallest` or `first`.
    pub answer: String,
    /// The node limit of a puzzle.
    pub max_nodes: Option<u64>,
    /// The time limit of a puzzle in nanoseconds.
    pub max_time_per_puzzle: Option<u64>,
    /// The SIMD level; `None` if the output does not depend on it.
    pub simd: Option<String>,
}

/// The settings of the puzzle generator. The maximum number of attempts is left out, because it decides only whether a puzzle is found, not
/// which one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResolvedRecipe {
    seed: u64,
    clues: Option<(usize, usize)>,
    minimal: bool,
    symmetry: String,
    pattern: Option<String>,
    solutions: (u64, u64),
    difficulty: Vec<String>,
    /// Lower limit for a puzzle's mean number of guesses.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    guesses: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    path: Option<ResolvedPath>,
    method: String,
    hardest: Option<ResolvedClimb>,
}

/// The conditions on the solving steps of a generated puzzle. Ratings are in tenths.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ResolvedPath {
    techniques: Vec<String>,
    hardest: Vec<String>,
    ratings: (u8, u8),
}

/// The settings of the search for puzzles that are hard for a given solver.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ResolvedClimb {
    solver: String,
    max_solutions: NonZeroU64,
    steps: u64,
    max_nodes: u64,
}

/// Identifies an input by its size and a checksum. For a pipe, for example, both fields are `None`; instead, a resumed run reads the data
/// of the pipe again and compares a digest.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InputIdentity {
    /// The size in bytes.
    pub bytes: Option<u64>,
    /// The CRC-32 of some pieces of a file, or of all puzzles in memory. It distinguishes inputs of the same size.
    pub sample: Option<u32>,
}

/// Data that `--resume` compares in addition to the [`ResolvedJob`]. These values are not in the `ResolvedJob`, because they may differ
/// between machines, or do not change the bytes of the output.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(crate) struct LocalJob {
    /// The labels of the time budgets. A resumed run needs the same budgets, because it continues the counts for each budget.
    pub(crate) budgets: Vec<String>,
    pub(crate) shard: Option<String>,
    pub(crate) inputs: Vec<InputState>,
}

impl InputIdentity {
    pub(crate) fn from_input(input: &Input) -> Result<InputIdentity, SourceError> {
        let look = |input: &Input| -> io::Result<InputIdentity> {
            let path = match input {
                Input::File(path) => path,
                Input::Puzzles(lines) => {
                    let sample = Some(crc32fast::hash(lines.as_bytes()));
                    return Ok(InputIdentity { bytes: Some(lines.len() as u64), sample });
                }
                Input::Stdin | Input::Reader(_) => return Ok(InputIdentity::default()),
            };
            let metadata = path.metadata()?;
            if !metadata.is_file() {
                return Ok(InputIdentity::default());
            }
            Ok(InputIdentity { bytes: Some(metadata.len()), sample: Some(sample_of(path)?) })
        };
        look(input).map_err(|source| SourceError::Open { input: input.clone(), source })
    }
}

/// Returns one CRC-32 over 17 pieces of 4 KiB: the first at the start of a file, the last at its end, the others evenly between them.
/// Changes between these pieces are not detected.
fn sample_of(path: &Path) -> io::Result<u32> {
    const PIECES: u64 = 16;
    const PIECE: u64 = 4096;
    let mut file = File::open(path)?;
    let last = file.metadata()?.len().saturating_sub(PIECE);
    let (mut hasher, mut piece) = (crc32fast::Hasher::new(), Vec::new());
    for number in 0..=PIECES {
        // The position is not above the length of the file. The length is at most 2^63, so the position fits into 64 bits.
        let at = (u128::from(last) * u128::from(number) / u128::from(PIECES)) as u64;
        file.seek(SeekFrom::Start(at))?;
        piece.clear();
        file.by_ref().take(PIECE).read_to_end(&mut piece)?;
        hasher.update(&piece);
    }
    Ok(hasher.finalize())
}

// The patterns below have no `..`, so the compiler reports a new field until it is added here. When you add a field, decide whether it
// affects the bytes of the output.

impl ResolvedSolving {
    /// Describes a solver and the question that it answers. `level` is the SIMD level if the output depends on it.
    pub(crate) fn new(solver: &str, question: &Question, level: Option<Level>) -> ResolvedSolving {
        let Question { max_solutions, answer, max_nodes, max_time, cancel: _ } = question;
        ResolvedSolving {
            solver: solver.to_owned(),
            max_solutions: *max_solutions,
            answer: match answer {
                Answer::Smallest => "smallest".to_owned(),
                Answer::First => "first".to_owned(),
            },
            max_nodes: *max_nodes,
            max_time_per_puzzle: max_time.map(nanoseconds),
            simd: level.map(|level| level.name().to_owned()),
        }
    }
}

impl From<&Recipe> for ResolvedRecipe {
    fn from(recipe: &Recipe) -> ResolvedRecipe {
        let Recipe { plan, seed } = recipe;
        let Request {
            clues,
            minimal,
            symmetry,
            pattern,
            solutions,
            difficulties,
            guesses,
            steps,
            method,
            hardest,
            attempts: _,
        } = plan.request();
        ResolvedRecipe {
            seed: *seed,
            clues: clues.as_ref().map(ends),
            minimal: *minimal,
            symmetry: symmetry.name().to_owned(),
            pattern: pattern.map(|pattern| pattern.to_string()),
            solutions: ends(solutions),
            difficulty: difficulties.iter().map(|difficulty| difficulty.name().to_owned()).collect(),
            guesses: guesses
                .map(|FewestGuesses { thousandths, forms: _ }: FewestGuesses| thousandths as f64 / 1000.0),
            path: steps.as_ref().map(ResolvedPath::from),
            method: method.name().to_owned(),
            hardest: hardest.as_ref().map(ResolvedClimb::from),
        }
    }
}

impl From<&StepRequest> for ResolvedPath {
    fn from(request: &StepRequest) -> ResolvedPath {
        let StepRequest { techniques, hardest, ratings } = request;
        let names = |techniques: &[Technique]| techniques.iter().map(ToString::to_string).collect();
        ResolvedPath { techniques: names(techniques), hardest: names(hardest), ratings: ends(ratings) }
    }
}

impl From<&Hardest> for ResolvedClimb {
    fn from(hardest: &Hardest) -> ResolvedClimb {
        let Hardest { solver, question, steps, max_nodes } = hardest;
        // `generate` sets only the number of solutions. The search sets the limits itself.
        let Question { max_solutions, answer: _, max_nodes: _, max_time: _, cancel: _ } = question;
        ResolvedClimb {
            solver: solver.identity().to_owned(),
            max_solutions: *max_solutions,
            steps: *steps,
            max_nodes: *max_nodes,
        }
    }
}

fn ends<T: Copy>(range: &RangeInclusive<T>) -> (T, T) {
    (*range.start(), *range.end())
}
