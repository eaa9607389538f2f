//! Computes columns of `check` for an input of at most four puzzles and a random text. For each puzzle, these values must agree with
//! their definitions: the number of solutions, whether there is exactly one, the redundant clues, and whether the puzzle is minimal.
#![no_main]

use std::io::Cursor;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use libfuzzer_sys::fuzz_target;
use sudobench_rows::columns::{CHECK, Column};
use sudobench_rows::facts::Minimality;
use sudobench_rows::source::{InputFormat, Options, Source};
use sudobench_rows::{AnsweredRow, Run, Sink};
use sudobench_sudoku::puzzle::Cells;
use sudobench_sudoku::{Puzzle, Question, Status, count, solve};

const MAX_SOLUTIONS: u64 = 3;

fuzz_target!(|input: (Vec<[u8; 81]>, Vec<u8>)| {
    let (boards, text) = input;
    let mut lines: Vec<u8> =
        boards.iter().take(4).flat_map(|bytes| [&line_of(bytes)[..], b"\n"].concat()).collect();
    lines.extend(text);
    let options = Options { format: Some(InputFormat::LINES), ..Options::default() };
    let Ok(source) = Source::from_reader("puzzles", Cursor::new(lines), options) else { return };
    // The column `cnt12095` is left out: it counts the calls of a slow backtracker, which would take most of the time.
    let columns: Vec<Column> = CHECK.into_iter().filter(|column| column.name != "cnt12095").collect();
    let question = Question::up_to(MAX_SOLUTIONS.try_into().unwrap());
    let run = Run::over(source).columns(columns).question(question).threads(NonZeroUsize::MIN);
    let ran = run.to(Sink::puzzles(|block| {
        block.rows().for_each(|row| assert_as_defined(&row));
        ControlFlow::Continue(())
    }));
    drop(ran);
});

fn assert_as_defined(row: &AnsweredRow) {
    let Some(puzzle) = row.puzzle else { return assert!(row.fact::<Minimality>().is_none()) };
    let is_unique = |puzzle: &Puzzle| solve(puzzle).status == Status::Unique;
    let outcome = row.outcome.unwrap();
    assert_eq!(outcome.count, count(puzzle, MAX_SOLUTIONS), "{puzzle}");
    assert_eq!(outcome.status == Status::Unique, is_unique(puzzle), "{puzzle}");
    let without = |cell| puzzle.without(Cells::from_iter([cell]));
    let redundant: Cells = puzzle.clue_cells().iter().filter(|&cell| is_unique(&without(cell))).collect();
    let minimality = row.fact::<Minimality>();
    let expected = is_unique(puzzle).then_some(redundant);
    assert_eq!(minimality.and_then(|minimality| minimality.redundant), expected, "{puzzle}");
    assert_eq!(minimality.map(|minimality| minimality.is_minimal), expected.map(Cells::is_empty), "{puzzle}");
}

/// Makes a puzzle from bytes. Most clues are digits of the same filled grid, so that puzzles with one solution are not rare.
fn line_of(bytes: &[u8; 81]) -> [u8; 81] {
    std::array::from_fn(|cell| match bytes[cell] {
        0..150 => b'.',
        byte @ 250.. => b'0' + byte % 10,
        _ => b'1' + ((cell / 9 * 3 + cell / 27 + cell % 9) % 9) as u8,
    })
}
