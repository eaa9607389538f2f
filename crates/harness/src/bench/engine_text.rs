//! The lines that engines print: answers, and counts of their work.

use sudobench_sudoku::puzzle::Solution;
use sudobench_sudoku::solver::{Outcome, Status};

use super::{Fault, Work};
use crate::figures::counted;

/// Of a printed line this many characters are shown.
const SHOWN: usize = 200;

/// The solution that a line of an engine's output holds: the last run of exactly 81 digits 1 to 9. So the
/// engine may print the puzzle and counts beside it, as `puzzle:count:solution`.
pub(super) fn answer_of_line(line: &[u8]) -> Option<Solution> {
    line.split(|byte| !(b'1'..=b'9').contains(byte)).rev().find_map(|word| Solution::from_text(word).ok())
}

/// The work counters of an answer line: `nodes=51` and `guesses=1` as words of their own, anywhere in it. The first of a name counts.
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

/// The outcomes that whole lines of output stand for.
pub(super) fn outcomes_of(output: &[u8]) -> Vec<Outcome> {
    lines(output)
        .map(|line| match answer_of_line(line) {
            Some(solution) => {
                Outcome { status: Status::Solved, count: 1, solution: Some(solution), ..Outcome::ABORTED }
            }
            None => Outcome::CONTRADICTORY,
        })
        .collect()
}

/// The outcomes of a run that was not cut short: one for each puzzle.
pub(super) fn outcomes_of_all(output: &[u8], puzzles: usize) -> Result<Vec<Outcome>, Fault> {
    let outcomes = outcomes_of(output);
    match outcomes.len() {
        count if count == puzzles => Ok(outcomes),
        count if count > puzzles => Err(too_many_lines(output, puzzles)),
        count => {
            let lines = counted(count as u64, "line");
            Err(Fault(format!("{lines} of output for {}: {ONE_FOR_EACH}", counted(puzzles as u64, "puzzle"))))
        }
    }
}

pub(super) const ONE_FOR_EACH: &str = "an engine prints one line for each";

/// The fault of an engine that prints more lines than there are puzzles. A banner is the usual reason.
pub(super) fn too_many_lines(output: &[u8], puzzles: usize) -> Fault {
    let first = lines(output).next().unwrap_or_default();
    let hint = match answer_of_line(first) {
        Some(_) => String::new(),
        None => format!("; its first line, {}, holds no solution: is it a banner?", quoted(first)),
    };
    Fault(format!(
        "more lines of output than the {} asked for: {ONE_FOR_EACH}{hint}",
        counted(puzzles as u64, "puzzle")
    ))
}

/// A printed line as it is shown, between backticks.
pub(super) fn quoted(line: &[u8]) -> String {
    format!("`{}`", shown(line))
}

/// A printed line as it is shown: cut if it is long, with escapes for what a terminal would obey.
pub(super) fn shown(line: &[u8]) -> String {
    let line = line.trim_ascii();
    // Four bytes are the most that a character takes.
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
}
