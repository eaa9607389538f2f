//! Grids in texts: the cases of `data/extract.txt`, and grids that are printed into random texts.

use proptest::prelude::*;
use sudobench_sudoku::extract::{Extracted, TextForm, extract};
use sudobench_sudoku::{Puzzle, Question, Solver, solver::Bitboard};

const CASES: &str = include_str!("../data/extract.txt");
const PUZZLE: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
const SOLUTION: &str = "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

#[test]
fn the_grid_that_a_person_sees_in_a_text_is_found() {
    let wrong = format!("{}8", &SOLUTION[..80]);
    let mut faults = Vec::new();
    let cases = CASES.split("\n=== ").skip(1);
    assert!(cases.clone().count() >= 60);
    for case in cases {
        let (head, text) = case.split_once('\n').unwrap();
        let [name, form, grid] = head.split(" | ").collect::<Vec<_>>()[..] else { panic!("{head}") };
        let text = text.strip_suffix('\n').unwrap_or(text);
        let grid = match grid {
            "solution" => SOLUTION,
            "puzzle" => PUZZLE,
            "wrong" => &wrong,
            other => other,
        };
        let expected = (form != "none").then(|| (form.to_owned(), grid.to_owned()));
        // With the line ends of Windows, the result is the same.
        for text in [text.to_owned(), text.replace('\n', "\r\n")] {
            let found = extract(&text).map(|found| (found.form.to_string(), found.grid.to_string()));
            if found != expected {
                faults.push(format!("{name}: {found:?}, not {expected:?}, in\n{text}"));
            }
        }
    }
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join("\n\n"));
}

/// Returns a grid as text, and the form of the text. Each value of `way` is a different way to write the grid.
fn printed(grid: &Puzzle, way: usize) -> (String, TextForm) {
    let text = grid.to_string();
    let rows: Vec<&str> = (0..9).map(|row| &text[9 * row..9 * row + 9]).collect();
    let spaced = |part: &str| part.split("").filter(|cell| !cell.is_empty()).collect::<Vec<_>>().join(" ");
    let with_bars = |row: &str| [&row[..3], &row[3..6], &row[6..]].map(spaced).join(" | ");
    let list = |row: &str| format!("[{}]", spaced(&row.replace('.', "0")).replace(' ', ", "));
    let each = |show: &dyn Fn(&str) -> String| rows.iter().map(|row| show(row)).collect::<Vec<_>>();
    match way {
        0 => (text, TextForm::Digits),
        1 => (spaced(&text), TextForm::Digits),
        2 => (rows.join("\n"), TextForm::Lines),
        3 => (each(&spaced).join("\n"), TextForm::Lines),
        4 => (
            each(&|row| format!("| {} |", with_bars(row))).join("\n").replace("\n| ", "\n|--+--|\n| "),
            TextForm::Box,
        ),
        5 => (each(&|row| format!("│ {} │", with_bars(row).replace('|', "│"))).join("\n"), TextForm::Box),
        6 => {
            let table = each(&|row| format!("| {} |", spaced(row).replace(' ', " | ").replace('.', " ")));
            (format!("{}|\n{}|\n{}", "| ".repeat(9), "|---".repeat(9), table.join("\n")), TextForm::Table)
        }
        7 => (format!("[{}]", each(&list).join(", ")), TextForm::List),
        8 => (format!("[\n {}\n]", each(&list).join(",\n ")), TextForm::List),
        _ => (format!("```\n{}\n```", each(&with_bars).join("\n")), TextForm::Box),
    }
}

/// Generates grids with some blank cells.
fn grid_with_blanks() -> impl Strategy<Value = Puzzle> {
    (any::<u64>(), prop::collection::vec(0_usize..81, 0..60)).prop_map(|(seed, blanks)| {
        let mut first = [0; 81];
        let mut digits: Vec<u8> = (1..=9).collect();
        digits.rotate_left(seed as usize % 9);
        first[..9].copy_from_slice(&digits);
        let solved = Bitboard::default().solve(&Puzzle::try_from(first).unwrap(), &Question::unique());
        let mut cells = *solved.solution.unwrap().values();
        blanks.iter().for_each(|&cell| cells[cell] = 0);
        Puzzle::try_from(cells).unwrap()
    })
}

proptest! {
    #[test]
    fn a_printed_grid_is_found_in_any_prose(
        grid in grid_with_blanks(),
        way in 0_usize..10,
        before in "([A-Z][a-z]{2,9} [0-9]{1,3}[,:;!?] ?){0,9}[a-z]{3}:\n\n?",
        after in "(\n[A-Z][a-z]{2,9}( [a-z]{1,8}| [0-9]{1,2},| r[1-9]c[1-9]=[1-9]){0,20}[.!]){0,5}",
        tag in 0_usize..3,
    ) {
        let (text, form) = printed(&grid, way);
        let other = printed(&Puzzle::EMPTY, (way + 3) % 10).0;
        let text = match tag {
            0 => format!("{before}{text}{after}"),
            1 => format!("<think>{text}\n{other}</think>{before}{text}{after}"),
            _ => format!("{text}{before}<answer>{text}</answer>{after}{other}"),
        };
        prop_assert_eq!(extract(&text), Some(Extracted { grid, form }), "{}", text);
    }

    #[test]
    fn no_text_panics(text in "\\PC{0,300}") {
        extract(&text);
    }

    #[test]
    fn no_text_made_of_parts_of_grids_panics(
        parts in prop::collection::vec(
            prop::sample::select(vec![
                "5", "53..7....", SOLUTION, PUZZLE, ".", "_", " ", "\n", "|", "│", "---", "[", "]", "(", ")", ",", "\"", "\"\"", "'", "null",
                "<answer>", "</answer>", "<think>", "</think>", "<td>", "</tr>", "<", ">", "&nbsp;", "&#55;", "&#x1F600;", "&", ";",
                "\\", "\\\\", "\\n", "\\begin{array}{c}", "\\end{", "{", "Row", "row_1", ":", "é", "行", "🎉", "5\u{fe0f}\u{20e3}", "\r\n",
                "&#99999999999;", "&#xd800;", "| | | | | | | | | |", "|5|3| | |7| | | | |",
            ]),
            0..120,
        ),
    ) {
        let text = parts.concat();
        if let Some(found) = extract(&text) {
            prop_assert!(text.len() >= 9, "{found:?}");
        }
    }
}

#[test]
fn long_texts_take_linear_time() {
    // A quadratic search would take minutes.
    for part in [
        "\\begin{",
        "<td",
        "&",
        "\"",
        "[",
        "\\",
        "<think>",
        "<answer>",
        "</answer>",
        "5 3 4 6 7 8 9 1 2\n",
        "5",
        "| ",
        "\n",
    ] {
        extract(&part.repeat(300_000 / part.len()));
    }
}
