//! The two Sudoku problems of Baekjoon Online Judge (BOJ): input, output, and the check of the output.
//!
//! In BOJ 2580, an input has nine lines of digits with one space between digits, and any solution is accepted. In BOJ 2239, the lines have
//! no spaces, and if a puzzle has several solutions, only the smallest is accepted. To compare solutions, each is read as a number of 81
//! digits. An output has the same form as the input. The limits are 1 s and 256 MB for BOJ 2580, and 2 s and 256 MB for BOJ 2239.

use std::time::Duration;

use sudobench_rows::Preset;
use sudobench_sudoku::puzzle::{Cells, Puzzle, Solution};
use sudobench_sudoku::solver::{Answer, Question};

use crate::figures::excerpt;
use crate::record::Verdict;

/// Largest number of characters of an output line that messages show.
const SHOWN: usize = 40;

/// A problem of the online judge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The preset with the problem's name and reference times.
    pub preset: Preset,
    /// Text between two digits of a line.
    pub separator: &'static str,
    /// Limit of processor time, without the extra time for the language.
    pub time_limit: Duration,
    /// Limit of memory in bytes, without the extra memory for the language.
    pub memory_limit: u64,
    /// Whether the problem requires the smallest of several solutions.
    pub demands_smallest: bool,
    /// Maximum number of recursive calls that the search of BOJ 12095 makes for an input of this problem. In BOJ 12095, contestants submit
    /// inputs for BOJ 2580. The checker of BOJ 12095 solves each input with a simple recursive search, and refuses an input that takes more
    /// calls. `None` if no such limit is known.
    pub max_calls: Option<u64>,
}

/// [`Problem::max_calls`] of BOJ 2580.
pub(crate) const BOJ_2580_CALLS: u64 = 100_000;

/// A verdict on an output or on a run, with its reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ruling {
    /// The verdict. [`Problem::check`] gives only "accepted", "wrong answer" or "presentation error".
    pub verdict: Verdict,
    /// Description of the fault; empty if there is no fault.
    pub reason: String,
}

impl Ruling {
    fn accepted() -> Ruling {
        Ruling { verdict: Verdict::Accepted, reason: String::new() }
    }

    fn wrong(reason: String) -> Ruling {
        Ruling { verdict: Verdict::WrongAnswer, reason }
    }
}

impl Problem {
    /// Returns the problem of a preset.
    pub fn new(preset: Preset) -> Problem {
        let (separator, seconds, demands_smallest, max_calls) = match preset {
            Preset::Boj2580 => (" ", 1, false, Some(BOJ_2580_CALLS)),
            Preset::Boj2239 => ("", 2, true, None),
        };
        let time_limit = Duration::from_secs(seconds);
        Problem { preset, separator, time_limit, memory_limit: 256 << 20, demands_smallest, max_calls }
    }

    /// Returns the problem with this name.
    pub fn named(name: &str) -> Option<Problem> {
        Preset::ALL.iter().find(|(known, _)| *known == name).map(|&(_, preset)| Problem::new(preset))
    }

    /// Returns the question for a solver: the first solution found or, if the problem requires it, the smallest.
    pub fn question(self) -> Question {
        match self.demands_smallest {
            true => Question { answer: Answer::Smallest, ..Question::first() },
            false => Question::first(),
        }
    }

    /// Returns the name of the problem, such as `boj2580`.
    pub fn name(self) -> &'static str {
        Preset::ALL.iter().find(|(_, preset)| *preset == self.preset).map_or("", |(name, _)| name)
    }

    /// Returns the input for a puzzle: nine lines, in which blanks are 0.
    pub fn input(self, puzzle: &Puzzle) -> String {
        self.text(puzzle.values())
    }

    /// Returns the output that is expected for a solution.
    pub fn output(self, solution: &Solution) -> String {
        self.text(solution.values())
    }

    fn text(self, values: &[u8; 81]) -> String {
        let mut text = String::with_capacity(162);
        for row in values.as_chunks::<9>().0 {
            let digits: Vec<String> = row.iter().map(u8::to_string).collect();
            text.push_str(&digits.join(self.separator));
            text.push('\n');
        }
        text
    }

    /// Returns the grid in an output, even if it is not the right answer. `None` if the output does not have the problem's form.
    pub fn solution_of(self, output: &[u8]) -> Option<Solution> {
        let text = String::from_utf8_lossy(output);
        let lines = printed_lines(&text);
        let has_form = lines.len() == 9 && lines.iter().all(|line| self.is_row(line));
        has_form.then(|| digits_of(&text)).flatten()
    }

    /// Compares a program's output with the puzzle. `smallest` is the smallest solution of the puzzle, if the problem requires it. Like the
    /// judge, accepts spaces at the ends of lines, empty lines at the end and a missing last newline. If only white space differs from an
    /// acceptable output, the result is a presentation error.
    pub fn check(self, puzzle: &Puzzle, smallest: Option<&Solution>, output: &[u8]) -> Ruling {
        let text = String::from_utf8_lossy(output);
        let lines = printed_lines(&text);
        if lines.is_empty() {
            return Ruling::wrong("it printed nothing".to_owned());
        }
        let fault = self.fault_of_form(&lines);
        let solution = digits_of(&text);
        match (fault, solution) {
            (None, Some(solution)) => {
                fault_of_solution(puzzle, smallest, &solution).map_or_else(Ruling::accepted, Ruling::wrong)
            }
            (Some(fault), Some(solution)) if fault_of_solution(puzzle, smallest, &solution).is_none() => {
                Ruling { verdict: Verdict::PresentationError, reason: fault }
            }
            (fault, _) => Ruling::wrong(fault.unwrap_or_default()),
        }
    }

    fn fault_of_form(self, lines: &[&str]) -> Option<String> {
        if let Some(at) = lines.iter().take(9).position(|line| !self.is_row(line)) {
            let between = if self.separator.is_empty() { "nothing" } else { "one space" };
            let line = shown(lines[at]);
            return Some(format!("line {} is {line}, not nine digits 1 to 9 with {between} between", at + 1));
        }
        match lines.len() {
            9 => None,
            count @ 0..9 => Some(format!("it printed {count} lines instead of 9")),
            _ => Some(format!(
                "after the nine lines it printed {}",
                shown(lines[9..].iter().find(|line| !line.is_empty())?)
            )),
        }
    }

    fn is_row(self, line: &str) -> bool {
        let is_digit = |word: &str| matches!(word.as_bytes(), [b'1'..=b'9']);
        match self.separator {
            "" => line.len() == 9 && line.bytes().all(|byte| (b'1'..=b'9').contains(&byte)),
            separator => line.split(separator).count() == 9 && line.split(separator).all(is_digit),
        }
    }
}

/// Returns the lines without spaces, tabs and carriage returns at their ends, and without empty lines at the end.
fn printed_lines(text: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = text.lines().map(|line| line.trim_end_matches([' ', '\t', '\r'])).collect();
    while lines.last().is_some_and(|line| line.is_empty()) {
        lines.pop();
    }
    lines
}

/// Returns the grid in an output, ignoring white space.
fn digits_of(text: &str) -> Option<Solution> {
    let digits: Vec<u8> = text.bytes().filter(|byte| !byte.is_ascii_whitespace()).take(82).collect();
    Solution::from_text(&digits).ok()
}

/// Returns the reason why a full grid is a wrong answer, or `None` if the grid is a right answer. In the reason, rows, columns and boxes
/// are counted from 1.
fn fault_of_solution(puzzle: &Puzzle, smallest: Option<&Solution>, solution: &Solution) -> Option<String> {
    let digits = solution.values();
    let changed = puzzle.values().iter().zip(digits).position(|(&clue, &digit)| clue != 0 && clue != digit);
    if let Some(cell) = changed {
        let clue = puzzle.values()[cell];
        return Some(format!("the clue {clue} at {} became {}", Cells::from_iter([cell]), digits[cell]));
    }
    if let Some(fault) = repeated_digit(digits) {
        return Some(fault);
    }
    let smallest = smallest.filter(|smallest| *smallest != solution)?;
    let cell = digits.iter().zip(smallest.values()).position(|(digit, other)| digit != other)?;
    Some(format!(
        "it is a solution, but not the smallest one: at {} the smallest has {}, not {}",
        Cells::from_iter([cell]),
        smallest.values()[cell],
        digits[cell]
    ))
}

/// Describes the first repeated digit, searched in the rows, then in the columns, then in the boxes.
fn repeated_digit(digits: &[u8; 81]) -> Option<String> {
    type CellOf = fn(usize, usize) -> usize;
    let kinds: [(&str, CellOf); 3] = [
        ("row", |unit, at| unit * 9 + at),
        ("column", |unit, at| at * 9 + unit),
        ("box", |unit, at| (unit / 3 * 3 + at / 3) * 9 + unit % 3 * 3 + at % 3),
    ];
    for (name, cell) in kinds {
        for unit in 0..9 {
            let mut seen = [false; 10];
            let twice = (0..9)
                .map(|at| digits[cell(unit, at)])
                .find(|&digit| std::mem::replace(&mut seen[usize::from(digit)], true));
            if let Some(digit) = twice {
                return Some(format!("{name} {} has {digit} twice", unit + 1));
            }
        }
    }
    None
}

/// Prepares a line of an output for messages: cuts a long line and escapes control characters.
fn shown(line: &str) -> String {
    if line.is_empty() {
        return "empty".to_owned();
    }
    format!("`{}`", excerpt(line, SHOWN))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const PUZZLE: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    const SOLUTION: &str =
        "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

    fn puzzle() -> Puzzle {
        Puzzle::from_text(PUZZLE.as_bytes()).unwrap()
    }

    fn solution() -> Solution {
        Solution::from_text(SOLUTION.as_bytes()).unwrap()
    }

    fn ruled(problem: Problem, output: &str) -> (&'static str, String) {
        let Ruling { verdict, reason } = problem.check(&puzzle(), None, output.as_bytes());
        (verdict.letters(), reason)
    }

    #[test]
    fn each_problem_has_its_form() {
        let [spaced, compact] = [Preset::Boj2580, Preset::Boj2239].map(Problem::new);
        assert_eq!(spaced.input(&puzzle()).lines().next(), Some("5 3 0 0 7 0 0 0 0"));
        assert_eq!(compact.output(&solution()).lines().nth(8), Some("345286179"));
        assert_eq!((spaced.name(), compact.name()), ("boj2580", "boj2239"));
        for problem in [spaced, compact] {
            let output = problem.output(&solution());
            assert_eq!(problem.solution_of(output.as_bytes()), Some(solution()));
            assert_eq!(ruled(problem, &output), ("AC", String::new()));
        }
        assert_eq!(spaced.solution_of(compact.output(&solution()).as_bytes()), None);
    }

    #[test]
    fn spaces_at_ends_are_accepted_and_other_white_space_is_reported() {
        let problem = Problem::new(Preset::Boj2580);
        let right = problem.output(&solution());
        for output in [
            right.trim_end().to_owned(),
            right.replace('\n', " \n"),
            right.replace('\n', "\r\n"),
            format!("{right}\n \n\n"),
        ] {
            assert_eq!(ruled(problem, &output), ("AC", String::new()), "{output:?}");
        }
        let compact = Problem::new(Preset::Boj2239).output(&solution());
        for output in [
            compact.clone(),
            compact.replace('\n', ""),
            format!("\n{right}"),
            right.replace('\n', "\n\n"),
            right.replace(' ', "  "),
            right.replace('\n', "\n "),
        ] {
            let (verdict, words) = ruled(problem, &output);
            assert_eq!(verdict, "PE", "{output:?}: {words}");
            assert!(words.starts_with("line "), "{words}");
        }
    }

    #[test]
    fn a_wrong_answer_has_a_reason() {
        let problem = Problem::new(Preset::Boj2580);
        let right = problem.output(&solution());
        let changed = |cell: usize, digit: u8| {
            let mut values = *solution().values();
            values[cell] = digit;
            problem.text(&values)
        };
        let rows = [
            (changed(2, 1), "row 1 has 1 twice".to_owned()),
            (changed(0, 1), "the clue 5 at r1c1 became 1".to_owned()),
            (String::new(), "it printed nothing".to_owned()),
            (" \n\n".to_owned(), "it printed nothing".to_owned()),
            (
                right.lines().take(8).collect::<Vec<_>>().join("\n"),
                "it printed 8 lines instead of 9".to_owned(),
            ),
            (
                format!("{right}done\u{1b}[31m\n"),
                "after the nine lines it printed `done\\u{1b}[31m`".to_owned(),
            ),
            (
                format!("Sudoku?\n{right}"),
                "line 1 is `Sudoku?`, not nine digits 1 to 9 with one space between".to_owned(),
            ),
            (
                changed(80, 0),
                "line 9 is `3 4 5 2 8 6 1 7 0`, not nine digits 1 to 9 with one space between".to_owned(),
            ),
            (right.repeat(2), "after the nine lines it printed `5 3 4 6 7 8 9 1 2`".to_owned()),
        ];
        for (output, message) in rows {
            assert_eq!(ruled(problem, &output), ("WA", message), "{output:?}");
        }
        assert_eq!(problem.check(&puzzle(), None, b"\xff\xfe").verdict, Verdict::WrongAnswer);
    }

    #[test]
    fn a_larger_solution_is_refused_with_the_smallest() {
        let problem = Problem::new(Preset::Boj2239);
        let (puzzle, of) = (Puzzle::EMPTY, |text: &str| Solution::from_text(text.as_bytes()).unwrap());
        let smallest =
            of("123456789456789123789123456214365897365897214897214365531642978642978531978531642");
        let larger = solution();
        let ruling = problem.check(&puzzle, Some(&smallest), problem.output(&larger).as_bytes());
        let message = "it is a solution, but not the smallest one: at r1c1 the smallest has 1, not 5";
        assert_eq!((ruling.verdict, ruling.reason.as_str()), (Verdict::WrongAnswer, message));
        let output = problem.output(&smallest);
        assert_eq!(problem.check(&puzzle, Some(&smallest), output.as_bytes()).verdict, Verdict::Accepted);
    }

    proptest! {
        /// Replaces one byte of a right output, and compares the verdict with a simple rule: the output is accepted only if the new byte
        /// equals the old one, or is white space at the end of the output.
        #[test]
        fn a_changed_byte_is_accepted_only_at_the_end_of_the_output(at in 0usize..162, byte in any::<u8>(), preset in 0..2usize) {
            let problem = Problem::new(Preset::ALL[preset].1);
            let mut output = problem.output(&solution()).into_bytes();
            let at = at % output.len();
            let same = output[at] == byte;
            output[at] = byte;
            let ruling = problem.check(&puzzle(), Some(&solution()), &output);
            // The last byte is a line end. Any other white space may replace it.
            let ends_well = at == output.len() - 1 && matches!(byte, b' ' | b'\t' | b'\r' | b'\n');
            prop_assert_eq!(ruling.verdict == Verdict::Accepted, same || ends_well, "{:?}", ruling);
        }

        #[test]
        fn any_bytes_have_a_verdict(output in proptest::collection::vec(any::<u8>(), 0..400)) {
            for (_, preset) in Preset::ALL {
                let ruling = Problem::new(preset).check(&puzzle(), None, &output);
                prop_assert!(ruling.verdict == Verdict::WrongAnswer && !ruling.reason.is_empty());
            }
        }
    }
}
