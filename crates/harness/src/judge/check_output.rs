//! Checks outputs that were collected elsewhere, without running a program.
//!
//! ```text
//! a folder                    has a file for each puzzle: NUMBER.out, NUMBER.txt or NUMBER
//! a file for one puzzle       the whole file is the puzzle's output
//! a file for several puzzles  the outputs follow each other; each output has nine lines that are not empty
//! ```
//!
//! `solve` writes comments for unsolvable and malformed rows. In a file for one puzzle, these comments are ignored. In a file for several
//! puzzles, these comments and empty lines are ignored between outputs. In the files of a folder, comments are not ignored. If an output in
//! a file for several puzzles has more or fewer than nine lines, all outputs after it are assigned to wrong puzzles.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read as _};
use std::path::{Path, PathBuf};

use sudobench_sudoku::simd::{Level, LevelError};
use sudobench_sudoku::solver::Status;

use super::judged_set::solutions_of;
use crate::bench::Dataset;
use crate::figures::counted;
use crate::problem::{Problem, Ruling};
use crate::record::{FailureRecord, Verdict};

/// Maximum size of an output, in bytes.
const OUTPUT_LIMIT: usize = 64 << 10;

const LINES: usize = 9;

/// The checker's verdicts on the outputs for a dataset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckedOutput {
    /// Number of puzzles whose output is accepted.
    pub accepted: u64,
    /// The puzzles whose output is not accepted, in the order of the dataset.
    pub failures: Vec<FailureRecord>,
    /// The numbers of the puzzles without a solution. The judge's problem has no such puzzles, so their outputs are not checked.
    pub unsolvable: Vec<u64>,
    /// A remark about the outputs as a whole, if something is odd.
    pub remark: Option<String>,
}

/// Reasons why outputs cannot be checked.
#[derive(Debug, thiserror::Error)]
pub enum CheckOutputError {
    /// An output cannot be read.
    #[error("cannot read the output {path}")]
    Read {
        /// The file or folder.
        path: String,
        /// The error of the system.
        source: io::Error,
    },
    /// The solver that computes the solutions cannot be built.
    #[error(transparent)]
    Level(#[from] LevelError),
}

/// Checks the outputs for the puzzles of a dataset. The dataset should have the puzzles in the order of its file
/// ([`Dataset::load_in_order`]). `level` is the SIMD level of the solver that computes the solutions.
///
/// # Errors
///
/// [`CheckOutputError`] if the file or folder can't be read, or the CPU does not support the SIMD level. If a folder has no file for a
/// puzzle, this is not an error, but the puzzle fails.
pub fn check_output(
    dataset: &Dataset,
    problem: Problem,
    level: Level,
    place: &Path,
) -> Result<CheckedOutput, CheckOutputError> {
    let cannot_read = |source| CheckOutputError::Read { path: place.display().to_string(), source };
    let puzzles = dataset.puzzles();
    let solutions = solutions_of(puzzles, problem, level)?;
    let mut outputs = Outputs::open(place, puzzles.len()).map_err(cannot_read)?;
    let mut checked =
        CheckedOutput { accepted: 0, failures: Vec::new(), unsolvable: Vec::new(), remark: None };
    for (index, (puzzle, solution)) in puzzles.iter().zip(solutions).enumerate() {
        let number = dataset.number(index);
        let Some(solution) = solution else {
            checked.unsolvable.push(number);
            continue;
        };
        let smallest = problem.demands_smallest.then_some(&solution);
        let ruling = match outputs.output_of(number).map_err(cannot_read)? {
            OneOutput::Output(output) => problem.check(puzzle, smallest, &output),
            OneOutput::TooLong => Ruling {
                verdict: Verdict::OutputLimit,
                reason: format!("the output has more than {} KiB", OUTPUT_LIMIT >> 10),
            },
            OneOutput::Missing(reason) => Ruling { verdict: Verdict::WrongAnswer, reason },
        };
        match ruling.verdict {
            Verdict::Accepted => checked.accepted += 1,
            verdict => checked.failures.push(FailureRecord {
                number,
                verdict,
                words: ruling.reason,
                line: Some(dataset.line(index)),
                puzzle: Some(puzzle.to_string()),
                reference_calls: None,
            }),
        }
    }
    checked.remark = outputs.remark().map_err(cannot_read)?;
    Ok(checked)
}

enum Outputs {
    Folder(PathBuf),
    /// A file with the output for the only puzzle, and perhaps comments.
    Whole(PathBuf),
    Several(OutputLines<BufReader<File>>),
}

/// The output for a puzzle, or the reason why it is missing.
enum OneOutput {
    Output(Vec<u8>),
    TooLong,
    Missing(String),
}

impl Outputs {
    fn open(place: &Path, puzzles: usize) -> io::Result<Outputs> {
        Ok(match (fs::metadata(place)?.is_dir(), puzzles) {
            (true, _) => Outputs::Folder(place.to_owned()),
            (false, 1) => Outputs::Whole(place.to_owned()),
            (false, _) => Outputs::Several(OutputLines::new(BufReader::new(File::open(place)?))),
        })
    }

    fn output_of(&mut self, number: u64) -> io::Result<OneOutput> {
        match self {
            Outputs::Folder(folder) => {
                let names = [format!("{number}.out"), format!("{number}.txt"), number.to_string()];
                let paths = names.iter().map(|name| folder.join(name));
                match paths.into_iter().find(|path| path.is_file()) {
                    Some(path) => read_whole(&path).map_err(|error| {
                        // The path is added to the message, because the caller's message names only the folder.
                        io::Error::new(error.kind(), format!("{}: {error}", path.display()))
                    }),
                    None => Ok(OneOutput::Missing(format!(
                        "there is no file {}, {} or {}",
                        names[0], names[1], names[2]
                    ))),
                }
            }
            Outputs::Whole(path) => Ok(match read_whole(path)? {
                OneOutput::Output(output) => OneOutput::Output(without_comments(&output)),
                found => found,
            }),
            Outputs::Several(lines) => lines.next_output(),
        }
    }

    /// Returns a remark if there are lines after the last puzzle's output, or if the file ends before that output.
    fn remark(&mut self) -> io::Result<Option<String>> {
        let Outputs::Several(lines) = self else { return Ok(None) };
        let (left, are_all) = lines.count_left()?;
        let at_least = if are_all { "" } else { "at least " };
        let what = match (left, lines.missing) {
            (0, false) => return Ok(None),
            (0, true) => "the file ends before the last required output".to_owned(),
            (left, _) => format!("{at_least}{} after the last required output", counted(left, "line")),
        };
        Ok(Some(format!(
            "{what}: an output with more or fewer than nine lines shifts all outputs after it; use a folder with a file for each puzzle"
        )))
    }
}

fn read_whole(path: &Path) -> io::Result<OneOutput> {
    let mut output = Vec::new();
    File::open(path)?.take(OUTPUT_LIMIT as u64 + 1).read_to_end(&mut output)?;
    Ok(if output.len() > OUTPUT_LIMIT { OneOutput::TooLong } else { OneOutput::Output(output) })
}

/// A file of several outputs. It is read line by line, because it may be larger than memory.
struct OutputLines<R> {
    lines: R,
    /// Whether the file ended before a requested output.
    missing: bool,
}

impl<R: BufRead> OutputLines<R> {
    fn new(lines: R) -> OutputLines<R> {
        OutputLines { lines, missing: false }
    }

    /// Appends the next line, or the beginning of a line that is too long. Returns false at the end of the file.
    fn read_line(&mut self, text: &mut Vec<u8>) -> io::Result<bool> {
        let limit = OUTPUT_LIMIT as u64 + 1;
        Ok((&mut self.lines).take(limit).read_until(b'\n', text)? > 0)
    }

    /// Returns the next nine lines that are not empty, with the empty lines between them; at the end of the file, the lines that are left.
    /// First skips empty lines and comments.
    fn next_output(&mut self) -> io::Result<OneOutput> {
        let (mut output, mut lines) = (Vec::new(), 0);
        while lines < LINES && output.len() <= OUTPUT_LIMIT {
            let start = output.len();
            if !self.read_line(&mut output)? {
                break;
            }
            let line = &output[start..];
            let is_empty = line.trim_ascii().is_empty();
            if lines == 0 && (is_empty || is_comment(line)) {
                output.clear();
            } else {
                lines += usize::from(!is_empty);
            }
        }
        Ok(match (lines, output.len()) {
            (0, _) => {
                self.missing = true;
                OneOutput::Missing("the file ends before the output of this puzzle".to_owned())
            }
            (_, ..=OUTPUT_LIMIT) => OneOutput::Output(output),
            _ => OneOutput::TooLong,
        })
    }

    /// Counts the lines after the output of the last puzzle, except empty lines and comments. Reads at most about 2 x [`OUTPUT_LIMIT`]
    /// bytes, because the file may be endless. Also returns whether all lines are counted.
    fn count_left(&mut self) -> io::Result<(u64, bool)> {
        let (mut left, mut bytes, mut line) = (0, 0, Vec::new());
        while self.read_line(&mut line)? {
            left += u64::from(!line.trim_ascii().is_empty() && !is_comment(&line));
            bytes += line.len();
            line.clear();
            if bytes >= OUTPUT_LIMIT {
                return Ok((left, false));
            }
        }
        Ok((left, true))
    }
}

/// Returns whether the line is a comment that `solve` writes for an unsolvable or malformed row.
fn is_comment(line: &[u8]) -> bool {
    let of = |status: Status| line.starts_with(format!("# {}:", status.name()).as_bytes());
    line.starts_with(b"# ") && (of(Status::Unsolvable) || of(Status::Malformed))
}

fn without_comments(output: &[u8]) -> Vec<u8> {
    output
        .split_inclusive(|&byte| byte == b'\n')
        .filter(|line| !is_comment(line))
        .flatten()
        .copied()
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write as _;
    use sudobench_rows::Preset;
    use sudobench_sudoku::puzzle::{Puzzle, Solution};

    const PUZZLE: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

    fn problem(preset: Preset) -> Problem {
        Problem::new(preset)
    }

    /// Makes a dataset of three puzzles: the second has no solution, and the third has no clues.
    fn dataset() -> Dataset {
        let unsolvable: Puzzle = format!("55{}", ".".repeat(79)).parse().unwrap();
        Dataset::in_order("d", vec![PUZZLE.parse().unwrap(), unsolvable, Puzzle::EMPTY])
    }

    /// Returns the right output for the puzzle at an index.
    fn right(problem: Problem, index: usize) -> String {
        let solution: Option<Solution> = sudobench_sudoku::solve(&dataset().puzzles()[index]).solution;
        problem.output(&solution.unwrap())
    }

    fn checked(problem: Problem, place: &Path) -> CheckedOutput {
        check_output(&dataset(), problem, Level::widest(), place).unwrap()
    }

    fn of_file(problem: Problem, text: &str) -> CheckedOutput {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(text.as_bytes()).unwrap();
        checked(problem, file.path())
    }

    fn failures(checked: &CheckedOutput) -> Vec<String> {
        let failures = checked.failures.iter();
        failures.map(|it| format!("{} {}: {}", it.number, it.verdict.letters(), it.words)).collect()
    }

    #[test]
    fn consecutive_outputs_are_accepted() {
        for preset in [Preset::Boj2580, Preset::Boj2239] {
            let problem = problem(preset);
            let (first, last) = (right(problem, 0), right(problem, 2));
            let solved = format!("{first}\n# unsolvable: no solution: 55..\n\n{last}\n");
            for text in [format!("{first}{last}"), format!("\n{first}\n\n{}", last.trim_end()), solved] {
                let checked = of_file(problem, &text);
                assert_eq!((checked.accepted, failures(&checked).len()), (2, 0), "{text}");
                assert_eq!((checked.unsolvable, checked.remark), (vec![2], None));
            }
        }
    }

    #[test]
    fn a_wrong_output_is_reported_and_the_smallest_solution_required() {
        let larger = |problem: Problem| {
            let of_first = sudobench_sudoku::solve(&dataset().puzzles()[0]).solution.unwrap();
            format!("{}{}", right(problem, 0), problem.output(&of_first))
        };
        let any = problem(Preset::Boj2580);
        assert_eq!(of_file(any, &larger(any)).accepted, 2);
        let smallest = problem(Preset::Boj2239);
        let told = failures(&of_file(smallest, &larger(smallest)));
        assert_eq!(
            told,
            ["3 WA: it is a solution, but not the smallest one: at r1c1 the smallest has 1, not 5"]
        );
        let spaced = right(any, 0) + &right(smallest, 2);
        let told = failures(&of_file(smallest, &spaced));
        assert!(told.len() == 1 && told[0].starts_with("1 PE: line 1 is `5 3 4"), "{told:?}");
    }

    #[test]
    fn empty_lines_within_an_output_belong_to_it() {
        let problem = problem(Preset::Boj2580);
        let text = right(problem, 0).replacen('\n', "\n\n", 1) + &right(problem, 2);
        let told = of_file(problem, &text);
        assert_eq!((told.accepted, failures(&told)[0].split(':').next()), (1, Some("1 PE")));
    }

    #[test]
    fn too_many_or_too_few_lines_are_reported() {
        let problem = problem(Preset::Boj2580);
        let (first, last) = (right(problem, 0), right(problem, 2));
        let short = of_file(problem, &first);
        assert_eq!(failures(&short), ["3 WA: the file ends before the output of this puzzle"]);
        assert!(short.remark.unwrap().starts_with("the file ends before the last required output: "));
        let long = of_file(problem, &format!("{first}{last}done\n\n"));
        assert_eq!(long.accepted, 2);
        assert!(long.remark.unwrap().starts_with("1 line after the last required output: an output with"));
        let longer = of_file(problem, &format!("{first}{last}{}", "done\n".repeat(OUTPUT_LIMIT)));
        assert!(longer.remark.unwrap().starts_with("at least 13,108 lines after the last required output"));
    }

    #[test]
    fn a_folder_has_a_file_for_each_puzzle_and_missing_ones_are_reported() {
        let problem = problem(Preset::Boj2580);
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
        write("1.out", &right(problem, 0));
        let missing = checked(problem, folder.path());
        assert_eq!(
            (missing.accepted, failures(&missing)),
            (1, vec!["3 WA: there is no file 3.out, 3.txt or 3".to_owned()])
        );
        for name in ["3", "3.txt", "3.out"] {
            write(name, &right(problem, 2));
            assert_eq!(checked(problem, folder.path()).accepted, 2, "{name}");
            fs::remove_file(folder.path().join(name)).unwrap();
        }
        write("3.txt", &"\n".repeat(OUTPUT_LIMIT + 1));
        assert_eq!(failures(&checked(problem, folder.path())), ["3 OLE: the output has more than 64 KiB"]);
    }

    #[test]
    fn the_whole_file_is_the_output_of_one_puzzle() {
        let problem = problem(Preset::Boj2580);
        let one = Dataset::in_order("d", vec![PUZZLE.parse().unwrap()]);
        let mut file = tempfile::NamedTempFile::new().unwrap();
        writeln!(file, "{}done", right(problem, 0)).unwrap();
        let checked = check_output(&one, problem, Level::widest(), file.path()).unwrap();
        assert_eq!(failures(&checked), ["1 WA: after the nine lines it printed `done`"]);
        // Comments that `solve` writes are ignored.
        let text = format!("{}# malformed: 3 characters\n", right(problem, 0));
        std::fs::write(file.path(), text).unwrap();
        let checked = check_output(&one, problem, Level::widest(), file.path()).unwrap();
        assert_eq!((checked.accepted, failures(&checked).len()), (1, 0));
        let error = check_output(&one, problem, Level::widest(), "no-such-file".as_ref()).unwrap_err();
        assert_eq!(error.to_string(), "cannot read the output no-such-file");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn an_unreadable_file_in_a_folder_is_named() {
        use std::error::Error as _;
        let folder = tempfile::tempdir().unwrap();
        // Even root cannot read the first bytes of this file.
        std::os::unix::fs::symlink("/proc/self/mem", folder.path().join("1.out")).unwrap();
        let one = Dataset::in_order("d", vec![PUZZLE.parse().unwrap()]);
        let error = check_output(&one, problem(Preset::Boj2580), Level::widest(), folder.path()).unwrap_err();
        let source = error.source().unwrap().to_string();
        assert!(source.starts_with(&folder.path().join("1.out").display().to_string()), "{source}");
    }

    #[test]
    fn an_endless_line_needs_little_memory() {
        let problem = problem(Preset::Boj2580);
        let told = of_file(problem, &"7".repeat(OUTPUT_LIMIT * 5));
        let expected = [1, 3].map(|number| format!("{number} OLE: the output has more than 64 KiB"));
        assert_eq!(failures(&told), expected);
    }
}
