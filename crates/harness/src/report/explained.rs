//! Shows puzzles with their solving steps as text.

use std::fmt::Write as _;

use sudobench_rows::sink::draw_board;
use sudobench_sudoku::Puzzle;
use sudobench_sudoku::techniques::{PlayedStep, Step, Technique, rating_text, tenths};

use super::counted;

/// A row of the input with the steps to the solution of its puzzle.
#[derive(Clone, Debug)]
pub struct ExplainedPuzzle {
    /// Place of the row, such as `puzzles.csv:12`.
    pub place: String,
    /// The puzzle; `None` for a malformed row.
    pub puzzle: Option<Puzzle>,
    /// The steps.
    pub steps: Vec<PlayedStep>,
    /// Whether the steps solve the puzzle.
    pub is_complete: bool,
    /// Reason why the row has no steps: its status, if the status is not `unique`. If there is a message about the row, it follows the
    /// status, as in `malformed: MESSAGE`.
    pub refusal: Option<String>,
}

impl ExplainedPuzzle {
    pub(super) fn summary(&self) -> String {
        if self.steps.is_empty() {
            return match &self.refusal {
                Some(status) => format!("No steps, because the status is {status}."),
                None if self.is_complete => "No steps: the board is full.".to_owned(),
                None => "No known technique finds a step.".to_owned(),
            };
        }
        let steps = || self.steps.iter().map(|played| &played.step);
        let mut summary = counted(self.steps.len() as u64, "step");
        let guesses = steps().filter(|step| step.technique == Technique::Guess).count();
        if guesses > 0 {
            summary += &format!(", {guesses} of them Guess");
        }
        // `max_by` returns the last maximum. The order is reversed, so that the first of several steps with the highest rating is taken.
        let hardest = steps().rev().max_by(|step, other| step.rating.total_cmp(&other.rating));
        if let Some(hardest) = hardest.filter(|step| !step.technique.is_of_search()) {
            summary += &format!(". The hardest is {}, rated {}", hardest.technique, rating(hardest));
        }
        let end = if self.is_complete { "." } else { ". No known technique finds the next step." };
        summary + end
    }
}

/// Returns the rating of a step, such as `2.6`; a dash for a step of a search, which has no rating.
pub(super) fn rating(step: &Step) -> String {
    if step.technique.is_of_search() { "-".to_owned() } else { rating_text(tenths(step.rating)) }
}

/// Draws each puzzle, and lists its steps.
pub fn steps_text(puzzles: &[ExplainedPuzzle]) -> String {
    let mut text = String::new();
    for explained in puzzles {
        if let Some(puzzle) = &explained.puzzle {
            let mut board = Vec::new();
            draw_board(&puzzle.text(), &mut board);
            text += &String::from_utf8_lossy(&board);
            text.push('\n');
        }
        let width = explained.steps.len().to_string().len();
        for (number, PlayedStep { step, .. }) in (1..).zip(&explained.steps) {
            // Writing to a string does not fail.
            let _ = writeln!(text, "{number:width$}  {:>3}  {step}", rating(step));
        }
        text += &format!("{}\n\n", explained.summary());
    }
    text
}

#[cfg(test)]
pub(super) mod tests {
    use sudobench_sudoku::techniques::Walker;

    use super::*;

    /// Returns a puzzle with its steps, and a malformed row.
    pub(in crate::report) fn explained() -> [ExplainedPuzzle; 2] {
        let puzzle: Puzzle =
            "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
                .parse()
                .unwrap();
        let (_, steps) = Walker::default().walk_with_steps(&puzzle).unwrap();
        [
            ExplainedPuzzle {
                place: "puzzles.csv:2".to_owned(),
                puzzle: Some(puzzle),
                steps,
                is_complete: true,
                refusal: None,
            },
            ExplainedPuzzle {
                place: "<b>.csv:3".to_owned(),
                puzzle: None,
                steps: Vec::new(),
                is_complete: false,
                refusal: Some("malformed: no puzzle".to_owned()),
            },
        ]
    }

    #[test]
    fn puzzles_are_shown_with_their_steps() {
        let text = steps_text(&explained());
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[..2], ["5 3 . | . 7 . | . . .", "6 . . | 1 9 5 | . . ."]);
        assert!(lines[12].starts_with(" 1  1.2  Hidden Single: "), "{text}");
        let end = ["", "No steps, because the status is malformed: no puzzle.", ""];
        assert_eq!(
            lines[63..],
            [&["51 steps. The hardest is Hidden Single, rated 1.2."], &end[..]].concat(),
            "{text}"
        );
    }

    #[test]
    fn a_puzzle_without_a_first_step_is_no_refusal() {
        let [_, malformed] = explained();
        let puzzle = ExplainedPuzzle { refusal: None, ..malformed };
        assert_eq!(puzzle.summary(), "No known technique finds a step.");
    }
}
