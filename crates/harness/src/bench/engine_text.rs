//! The lines that engines print: answers, and counts of their work.

use sudobench_sudoku::puzzle::{CELLS, Solution};
use sudobench_sudoku::solver::{Outcome, Status};

use super::{Fault, Refused, Work};
use crate::figures::counted;
use crate::record::AnswerKind;

/// Largest number of characters of a printed line that messages show.
const SHOWN: usize = 200;

/// Returns the solution in a line of an engine's output: the last run of exactly 81 digits 1 to 9. The line may also contain the puzzle and
/// a count, as in `puzzle:count:solution`.
pub(super) fn answer_of_line(line: &[u8]) -> Option<Solution> {
    line.split(|byte| !(b'1'..=b'9').contains(byte)).rev().find_map(|word| Solution::from_text(word).ok())
}

/// Returns the work counters of an answer line: words such as `nodes=51` and `guesses=1`, anywhere in the line. If a name occurs twice, the
/// first word counts.
pub(super) fn work_of_line(line: &[u8]) -> Work {
    let words = || line.split(|byte| byte.is_ascii_whitespace() || matches!(byte, b',' | b';'));
    let mut unreadable = None;
    let mut number = |name: &[u8]| -> Option<u64> {
        let word = words().find(|word| word.starts_with(name))?;
        let digits = std::str::from_utf8(&word[name.len()..]).ok();
        let number = digits.filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()));
        let number = number.and_then(|text| text.parse().ok());
        if number.is_none() {
            unreadable.get_or_insert_with(|| quoted(word));
        }
        number
    };
    let (nodes, guesses) = (number(b"nodes="), number(b"guesses="));
    Work { nodes, guesses, unreadable }
}

pub(super) fn lines(output: &[u8]) -> impl Iterator<Item = &[u8]> {
    output.split_inclusive(|&byte| byte == b'\n')
}

/// How to interpret the lines that an engine prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct AnswerForm {
    pub(super) kind: AnswerKind,
    /// Maximum for a printed number of solutions: a larger number counts as this one.
    pub(super) limit: u64,
}

impl AnswerForm {
    /// Returns the outcome in a line, or `None` if the line is no answer of this kind.
    fn outcome(self, line: &[u8]) -> Option<Outcome> {
        let solved = |status| match answer_of_line(line) {
            Some(solution) => Outcome { status, count: 1, solution: Some(solution), ..Outcome::ABORTED },
            None => Outcome::CONTRADICTORY,
        };
        match self.kind {
            AnswerKind::Any | AnswerKind::Smallest => Some(solved(Status::Solved)),
            AnswerKind::Unique => Some(solved(Status::Unique)),
            AnswerKind::Count => {
                let count = count_of_line(line)?.min(self.limit);
                let status = match count {
                    0 => return Some(Outcome::CONTRADICTORY),
                    1 if self.limit == 1 => Status::Solved,
                    1 => Status::Unique,
                    _ => Status::Multiple,
                };
                Some(Outcome { status, count, ..Outcome::ABORTED })
            }
        }
    }

    /// Returns the outcomes in the lines of an output, and the lines that are no answers.
    pub(super) fn outcomes(self, output: &[u8]) -> (Vec<Outcome>, Vec<Refused>) {
        let mut refused = Vec::new();
        let outcome = |(index, line): (usize, &[u8])| {
            self.outcome(line).unwrap_or_else(|| {
                let reason = "it printed no number of solutions".to_owned();
                refused.push(Refused { index, reason, output: line.to_vec() });
                Outcome::CONTRADICTORY
            })
        };
        (lines(output).enumerate().map(outcome).collect(), refused)
    }
}

/// Returns the number of solutions that a counting engine printed at the start of a line.
fn count_of_line(line: &[u8]) -> Option<u64> {
    let separates = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b',' | b';');
    let word = line.trim_ascii_start().split(separates).next()?;
    // A word of 81 digits is a solution and not a number.
    let is_number = (1..CELLS).contains(&word.len()) && word.iter().all(u8::is_ascii_digit);
    // A number that is too large for `u64` counts as the largest `u64`.
    is_number.then(|| std::str::from_utf8(word).ok().and_then(|word| word.parse().ok()).unwrap_or(u64::MAX))
}

/// Checks that the output of a complete run has one line for each puzzle.
pub(super) fn check_number_of_lines(output: &[u8], puzzles: usize) -> Result<(), Fault> {
    match lines(output).count() {
        count if count == puzzles => Ok(()),
        count if count > puzzles => Err(too_many_lines(output, puzzles)),
        count => {
            let lines = counted(count as u64, "line");
            Err(Fault(format!("{lines} of output for {}: {ONE_FOR_EACH}", counted(puzzles as u64, "puzzle"))))
        }
    }
}

pub(super) const ONE_FOR_EACH: &str = "an engine must print one line for each puzzle";

/// Returns the fault of an engine that prints more lines than there are puzzles. The usual reason is a banner.
pub(super) fn too_many_lines(output: &[u8], puzzles: usize) -> Fault {
    let first = lines(output).next().unwrap_or_default();
    let hint = match answer_of_line(first) {
        Some(_) => String::new(),
        None => format!("; its first line, {}, has no solution: is it a banner?", quoted(first)),
    };
    Fault(format!(
        "more lines of output than the {}: {ONE_FOR_EACH}{hint}",
        counted(puzzles as u64, "puzzle")
    ))
}

pub(super) fn quoted(line: &[u8]) -> String {
    format!("`{}`", shown(line))
}

/// Prepares a printed line for messages: cuts a long line and escapes control characters.
pub(super) fn shown(line: &[u8]) -> String {
    let line = line.trim_ascii();
    // Four bytes per shown character are enough, because a character has at most four bytes.
    let text = String::from_utf8_lossy(&line[..line.len().min(4 * SHOWN)]);
    let shown: String = text.chars().take(SHOWN).flat_map(char::escape_debug).collect();
    let rest = if text.chars().count() > SHOWN || line.len() > 4 * SHOWN { "..." } else { "" };
    format!("{shown}{rest}")
}

#[cfg(test)]
mod tests {
    use super::super::fixtures::{PUZZLE, SOLUTION};
    use super::*;

    #[test]
    fn a_solution_is_found_in_the_lines_that_engines_print() {
        let expected = Solution::from_text(SOLUTION.as_bytes()).ok();
        for line in [
            SOLUTION.to_owned(),
            format!("{PUZZLE}:1:{SOLUTION}\n"),
            format!("{SOLUTION},{SOLUTION}\r\n"),
            format!("{} {SOLUTION} 12 guesses", PUZZLE.replace('.', "0")),
        ] {
            assert_eq!(answer_of_line(line.as_bytes()), expected, "{line}");
        }
        assert_eq!(answer_of_line(format!("{PUZZLE}:0:").as_bytes()), None);
        assert_eq!(answer_of_line(&[b'1'; 82]), None);
    }

    #[test]
    fn a_line_is_read_according_to_the_kind_of_answers() {
        let found = |kind, limit, line: &str| {
            let (outcomes, refused) = AnswerForm { kind, limit }.outcomes(line.as_bytes());
            (outcomes[0].status, outcomes[0].count, outcomes[0].solution.is_some(), refused.len())
        };
        use AnswerKind::{Any, Count, Unique};
        for (kind, limit, line, expected) in [
            (Any, 2, SOLUTION, (Status::Solved, 1, true, 0)),
            (Unique, 2, SOLUTION, (Status::Unique, 1, true, 0)),
            (Unique, 2, "several", (Status::Unsolvable, 0, false, 0)),
            (Count, 2, "1 nodes=5\n", (Status::Unique, 1, false, 0)),
            (Count, 1, "1", (Status::Solved, 1, false, 0)),
            (Count, 2, "99999999999999999999999", (Status::Multiple, 2, false, 0)),
            (Count, 2, "0", (Status::Unsolvable, 0, false, 0)),
            (Count, 2, SOLUTION, (Status::Unsolvable, 0, false, 1)),
            (Count, 2, "none", (Status::Unsolvable, 0, false, 1)),
            (Count, 2, "", (Status::Unsolvable, 0, false, 1)),
        ] {
            let line = if line.is_empty() { "\n" } else { line };
            assert_eq!(found(kind, limit, line), expected, "{kind:?} {line}");
        }
    }
}
