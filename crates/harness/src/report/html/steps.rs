//! The page that shows the steps of puzzles one after the other. If the browser does not run scripts, the page is a list of all steps with
//! their drawings.

use maud::{Markup, PreEscaped, html};
use sudobench_sudoku::techniques::drawing;

use super::page;
use crate::report::explained::{ExplainedPuzzle, rating};

const STYLE: &str = include_str!("steps.css");
const SCRIPT: &str = include_str!("steps.js");

/// Returns a page with the steps of the puzzles, and with a remark below the title if there is one.
pub fn steps_page(puzzles: &[ExplainedPuzzle], remark: Option<&str>) -> String {
    let body = html! {
        @if let Some(remark) = remark { p.quiet { (remark) } }
        @if puzzles.len() > 1 {
            nav { @for number in 1..=puzzles.len() { a href={ "#puzzle-" (number) } { (number) } } }
        }
        @for (number, explained) in (1..).zip(puzzles) { (section(number, explained)) }
        script { (PreEscaped(SCRIPT)) }
    };
    page("sudobench explain", &[drawing::STYLE, STYLE].concat(), &body)
}

fn section(number: usize, explained: &ExplainedPuzzle) -> Markup {
    let name = format!("puzzle-{number}");
    html! {
        section.puzzle id=(name) {
            h2 { "Puzzle " (number) }
            p.quiet { (explained.place) @if let Some(puzzle) = explained.puzzle { ": " code { (puzzle) } } }
            p { (explained.summary()) }
            @if let Some(puzzle) = &explained.puzzle {
                ol.steps {
                    @for (number, played) in (1..).zip(&explained.steps) {
                        @let name = format!("{name}-step-{number}");
                        @let svg = drawing::inline_svg(&played.board_before(), &played.step, puzzle.clue_cells());
                        li id=(name) {
                            a href={ "#" (name) } { b { (rating(&played.step)) } " " (played.step) }
                            (PreEscaped(svg))
                        }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::explained::tests::explained;

    #[test]
    fn each_step_has_its_drawing_and_foreign_text_is_escaped() {
        let page = steps_page(&explained(), Some("Two puzzles."));
        assert_eq!(page.matches("<svg ").count(), 51);
        for part in [
            "<p class=\"quiet\">Two puzzles.</p>",
            "<a href=\"#puzzle-2\">2</a>",
            "<li id=\"puzzle-1-step-51\"><a href=\"#puzzle-1-step-51\"><b>1.0</b> Hidden Single: ",
            "<p class=\"quiet\">&lt;b&gt;.csv:3</p><p>No steps, because the status is malformed: no puzzle.</p>",
        ] {
            assert!(page.contains(part), "{part}: {page}");
        }
        for word in ["http:", "https:", "url(", "@import", "src="] {
            assert!(!page.contains(word), "{word}");
        }
    }
}
