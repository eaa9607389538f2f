//! Finds the columns of a CSV input or a table, or the members of JSON lines, that hold the puzzle and the expected solution.

use std::borrow::Cow;

use sudobench_sudoku::puzzle::Solution;

use super::column_choice::ColumnChoice;
use super::error::SourceError;
use super::input::Input;
use super::options::Options;
use super::spreadsheet::read_puzzle;

/// Usual names of the puzzle's column, best first.
const PUZZLE_NAMES: &[&str] = &[
    "puzzle",
    "puzzles",
    "quizzes",
    "quiz",
    "question",
    "questions",
    "sudoku",
    "sudokus",
    "board",
    "boards",
    "grid",
    "grids",
    "given",
    "givens",
    "problem",
    "unsolved",
    "input",
];
/// Usual names of the expected solution's column, best first.
const SOLUTION_NAMES: &[&str] =
    &["solution", "solutions", "answer", "answers", "solved", "solved_board", "result", "output"];

/// The fields of one record, unquoted.
pub type Record<'text> = Vec<Cow<'text, [u8]>>;

/// The numbers of the chosen columns, from 0.
#[derive(Clone, Copy, Debug)]
pub struct Chosen {
    /// The column of the puzzle.
    pub puzzle: usize,
    /// The column of the expected solution, if there is one.
    pub solution: Option<usize>,
}

/// Counts of the fields of one column in the sample, by kind.
#[derive(Clone, Copy, Default)]
struct Cells {
    puzzles: usize,
    /// Number of fields with 81 digits from 1 to 9.
    complete: usize,
}

pub(super) fn is_puzzle(field: &[u8], restores_zeros: bool) -> bool {
    read_puzzle(field.trim_ascii(), restores_zeros).is_ok()
}

/// Returns whether a field of the record is a usual name of puzzle columns.
pub(super) fn names_puzzle(record: &Record<'_>) -> bool {
    find_name(record, PUZZLE_NAMES).next().is_some()
}

/// Finds the column that `choice` names, and returns its number, from 0.
///
/// # Errors
/// [`SourceError::NoSuchColumn`].
pub fn find_column(
    input: &Input,
    header: Option<&Record<'_>>,
    records: &[Record<'_>],
    columns: usize,
    choice: &ColumnChoice,
) -> Result<usize, SourceError> {
    find_choice(choice, header, columns).ok_or_else(|| SourceError::NoSuchColumn {
        input: input.clone(),
        choice: choice.clone(),
        columns: list(header, records, columns),
    })
}

/// Chooses the columns by the user's choice, or else by the header, or else by the content.
///
/// # Errors
/// [`SourceError::NoSuchColumn`] and [`SourceError::NoPuzzleColumn`].
pub fn choose(
    input: &Input,
    header: Option<&Record<'_>>,
    records: &[Record<'_>],
    columns: usize,
    options: &Options,
) -> Result<Chosen, SourceError> {
    let cells = count_cells(records, columns, options.restore_zeros);
    let listed = || list(header, records, columns);
    let asked = |choice: &ColumnChoice| find_column(input, header, records, columns, choice);
    let puzzle_asked = options.puzzle_column.as_ref().map(asked).transpose()?;
    let solution_asked = options.solution_column.as_ref().map(asked).transpose()?;
    // A missing prediction column is not an error here: the code that reads the predictions reports it.
    let prediction =
        options.prediction_column.as_ref().and_then(|choice| find_choice(choice, header, columns));
    let others = [solution_asked, prediction];
    let puzzle = puzzle_asked
        .or_else(|| puzzle_by_name(header, &cells, others))
        .or_else(|| puzzle_by_content(&cells, others))
        .ok_or_else(|| SourceError::NoPuzzleColumn { input: input.clone(), columns: listed() })?;
    let is_other = |column: usize| column != puzzle && Some(column) != prediction;
    let solution = solution_asked
        .or_else(|| find_name(header?, SOLUTION_NAMES).find(|&column| is_other(column)))
        .or_else(|| (0..columns).find(|&column| is_other(column) && is_all_complete(cells[column])));
    Ok(Chosen { puzzle, solution })
}

fn count_cells(records: &[Record<'_>], columns: usize, restores_zeros: bool) -> Vec<Cells> {
    let mut cells = vec![Cells::default(); columns];
    for record in records {
        for (field, cells) in record.iter().zip(&mut cells) {
            cells.puzzles += usize::from(is_puzzle(field, restores_zeros));
            cells.complete += usize::from(Solution::from_text(field.trim_ascii()).is_ok());
        }
    }
    cells
}

fn is_all_complete(cells: Cells) -> bool {
    cells.puzzles > 0 && cells.complete == cells.puzzles
}

/// Finds a column with a usual name for puzzles. `others` are the columns of solutions and predictions that the user names. These columns
/// are never returned.
///
/// A column called `grid` may hold the numbers of the grids. So a column without puzzles is used only if no other column has puzzles. This
/// rule ignores columns in `others` and columns with a usual name for solutions: if all puzzles are broken, the run must report them, and
/// not solve the solutions.
fn puzzle_by_name(header: Option<&Record<'_>>, cells: &[Cells], others: [Option<usize>; 2]) -> Option<usize> {
    let header = header?;
    let mut solutions: Vec<usize> = find_name(header, SOLUTION_NAMES).collect();
    solutions.extend(others.into_iter().flatten());
    let any_puzzle =
        cells.iter().enumerate().any(|(column, cells)| cells.puzzles > 0 && !solutions.contains(&column));
    find_name(header, PUZZLE_NAMES)
        .find(|&column| !others.contains(&Some(column)) && (!any_puzzle || cells[column].puzzles > 0))
}

/// Returns the column with the most puzzles that have blanks, or else the first column with puzzles; never one of `others`.
fn puzzle_by_content(cells: &[Cells], others: [Option<usize>; 2]) -> Option<usize> {
    let rank =
        |column: &usize| (cells[*column].puzzles - cells[*column].complete, std::cmp::Reverse(*column));
    let is_puzzle = |column: &usize| !others.contains(&Some(*column)) && cells[*column].puzzles > 0;
    (0..cells.len()).filter(is_puzzle).max_by_key(rank)
}

/// Returns the numbers of the columns that have one of the names, in the order of `names`.
fn find_name<'a>(header: &'a Record<'_>, names: &'a [&str]) -> impl Iterator<Item = usize> + 'a {
    let has_name = |field: &[u8], name: &str| field.trim_ascii().eq_ignore_ascii_case(name.as_bytes());
    let has_name = move |column: &usize, name: &str| has_name(&header[*column], name);
    names.iter().flat_map(move |name| (0..header.len()).filter(move |column| has_name(column, name)))
}

fn find_choice(choice: &ColumnChoice, header: Option<&Record<'_>>, columns: usize) -> Option<usize> {
    match choice {
        ColumnChoice::Number(number) => number.checked_sub(1).filter(|&column| column < columns),
        ColumnChoice::Name(name) => {
            let is_exact = |field: &Cow<'_, [u8]>| field.trim_ascii() == name.trim().as_bytes();
            let header = header?;
            header.iter().position(is_exact).or_else(|| find_name(header, &[name.trim()]).next())
        }
    }
}

/// Lists the first 30 columns for messages: the number and the name of each column. Without a header, the start of the column's first
/// field replaces the name.
pub(super) fn list(header: Option<&Record<'_>>, records: &[Record<'_>], columns: usize) -> String {
    if columns == 0 {
        return "none".to_owned();
    }
    let shown = header.or(records.first());
    let item = |column: usize| match shown.and_then(|record| record.get(column)) {
        Some(field) => format!("{} `{}`", column + 1, start_of(field)),
        None => format!("{}", column + 1),
    };
    let listed: Vec<String> = (0..columns.min(30)).map(item).collect();
    let more = if columns > 30 { ", ..." } else { "" };
    listed.join(", ") + more
}

/// Returns the first characters of a text, for a message.
pub(super) fn start_of(text: &[u8]) -> String {
    const SHOWN: usize = 40;
    let text = String::from_utf8_lossy(&text[..text.len().min(4 * SHOWN)]).replace(char::is_control, " ");
    let text = text.trim();
    let start: String = text.chars().take(SHOWN).collect();
    if start.len() < text.len() { start + "..." } else { start }
}
