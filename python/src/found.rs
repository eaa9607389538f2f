//! Results for puzzles: their solutions, the minimal puzzles that they contain, the puzzles in their vicinity, the steps to their
//! solutions, and drawings of the steps.

use std::iter;

use arrow_array::types::{Float64Type, Int8Type, Int64Type, UInt16Type};
use numpy::PyReadonlyArray2;
use pyo3::prelude::*;
use sudobench_rows::Found;
use sudobench_rows::verbs::find_each;
use sudobench_sudoku::Puzzle;
use sudobench_sudoku::puzzle::{CELLS, Cells};
use sudobench_sudoku::simd::Level;
use sudobench_sudoku::techniques::{self, Board, PlayedStep, Position, Technique, drawing, tenths};

use crate::dedupe;
use crate::errors::{refused, run_error, unusable};
use crate::file::job;
use crate::input::Rows;
use crate::interruptible;
use crate::memory::Memory;
use crate::options::threads_or_cores;
use crate::progress::Progress;

/// The found boards; for each board the row of its puzzle; and for each row whether its results are complete.
type BoardsFound = (Memory, Memory, Memory);

/// The technique, the rating, the marks and the texts of each step. The marks of a step are a number for each cell. In this
/// number, a bit is set for each candidate, and the bit [`CLUE`] if the cell has a clue. The texts are in the order of [`texts_of`].
type StepsFound = (Memory, Memory, Memory, [Vec<String>; 8]);

/// The bit of a cell that has a clue.
const CLUE: u16 = 1 << 9;

/// Runs a verb that finds boards or steps for puzzles. Puzzles are rows of 81 values; the rows in `malformed` are left out. `keywords` is a
/// JSON object with the options of the verb. If the verb finds boards, the returned steps are empty. If it finds steps, the returned boards
/// are the boards before each step.
///
/// # Errors
///
/// `ValueError` for an array that is not contiguous and for wrong options.
#[pyfunction]
pub(crate) fn find(
    py: Python<'_>,
    verb: &str,
    keywords: &str,
    rows: PyReadonlyArray2<'_, u8>,
    malformed: Vec<usize>,
    threads: Option<Bound<'_, PyAny>>,
    progress: Option<Py<PyAny>>,
) -> PyResult<(BoardsFound, StepsFound)> {
    let options = job(verb, keywords)?.verb;
    options.check().map_err(|error| refused(&error))?;
    let expansion = options.expansion().filter(|expansion| expansion.transform().is_none());
    let expansion = expansion.ok_or_else(|| unusable(format!("`{verb}` finds neither boards nor steps")))?;
    let (grids, _) = rows.as_slice().map_err(unusable)?.as_chunks::<CELLS>();
    let mut puzzles = Vec::with_capacity(grids.len());
    // The row number of each puzzle.
    let mut places = Vec::with_capacity(grids.len());
    for (row, grid) in dedupe::puzzles(grids, malformed).enumerate() {
        if let Some(grid) = grid {
            puzzles.push(Puzzle::try_from(*grid).map_err(unusable)?);
            places.push(row);
        }
    }
    let level = Level::from_environment().map_err(unusable)?;
    let threads = threads_or_cores(threads.as_ref())?;
    let progress = Progress::new(progress, Some(puzzles.len()));
    let found =
        interruptible::run(py, &progress, |watch| find_each(&*expansion, &puzzles, level, threads, watch))?;
    let found = found.map_err(|error| run_error(error, None))?;
    let clues: Vec<Cells> = puzzles.iter().map(Puzzle::clue_cells).collect();
    Ok(in_memory(grids.len(), &places, &found, &clues))
}

/// Returns the steps from a partly filled grid up to the first step that fills a cell. `candidates` has a bit for each digit of each cell.
///
/// # Errors
/// `ValueError` for example for a malformed grid, and for a grid without exactly one solution.
#[pyfunction]
pub(crate) fn hint(
    py: Python<'_>,
    board: &Rows,
    candidates: Option<[u16; CELLS]>,
    puzzle: Option<&Bound<'_, Rows>>,
) -> PyResult<(BoardsFound, StepsFound)> {
    let board = board.one(py)?;
    let puzzle = puzzle.map(|puzzle| puzzle.get().one(py)).transpose()?;
    let position = Position { board: &board, candidates: candidates.as_ref(), puzzle: puzzle.as_ref() };
    let steps = py.detach(|| techniques::hint(position)).map_err(unusable)?;
    let is_filled = board.clue_cells() == Cells::ALL;
    let is_complete = is_filled || steps.last().is_some_and(|played| played.step.placement.is_some());
    let clues = puzzle.unwrap_or(board).clue_cells();
    Ok(in_memory(1, &[0], &[Found::Steps { steps, is_complete }], &[clues]))
}

/// Returns the results as arrays. For each puzzle, `found` has the boards or steps, `places` the row number, and `clues` the cells that
/// have a clue. `count` is the number of all rows, malformed rows included.
fn in_memory(count: usize, places: &[usize], found: &[Found], clues: &[Cells]) -> (BoardsFound, StepsFound) {
    let (mut boards, mut rows, mut complete) = (Vec::new(), Vec::new(), vec![true; count]);
    for (row, found) in places.iter().zip(found) {
        complete[*row] = found.is_complete();
        rows.extend(iter::repeat_n(*row as i64, found.len()));
        boards.extend(
            (0..found.len()).filter_map(|number| found.puzzle(number)).map(|puzzle| *puzzle.values()),
        );
    }
    let steps = || found.iter().flat_map(|found| (0..found.len()).filter_map(|number| found.step(number)));
    let techniques = steps().map(|played| played.step.technique as i8).collect();
    let rating = |played: &PlayedStep| match played.step.technique.is_of_search() {
        true => f64::NAN,
        false => f64::from(tenths(played.step.rating)) / 10.0,
    };
    let ratings = steps().map(rating).collect();
    let marks = found.iter().zip(clues).flat_map(|(found, clues)| {
        let clue = |cell: usize| if clues.contains(cell) { CLUE } else { 0 };
        let steps = (0..found.len()).filter_map(|number| found.step(number));
        steps.flat_map(move |played| (0..CELLS).map(move |cell| played.candidates[cell] | clue(cell)))
    });
    let mut texts = <[Vec<String>; 8]>::default();
    for played in steps() {
        iter::zip(&mut texts, texts_of(played)).for_each(|(texts, text)| texts.push(text));
    }
    (
        (
            Memory::from_boards(boards.into_flattened()),
            Memory::from_numbers::<Int64Type>(rows),
            Memory::from_flags(complete.into_iter()),
        ),
        (
            Memory::from_numbers::<Int8Type>(techniques),
            Memory::from_numbers::<Float64Type>(ratings),
            Memory::by_cell::<UInt16Type>(marks.collect()),
            texts,
        ),
    )
}

/// Returns the texts of a step: the whole step, its units, cells, digits, chain, placement and eliminations, and the changed cells. A text
/// is empty if the step lacks this part.
fn texts_of(played: &PlayedStep) -> [String; 8] {
    let step = &played.step;
    [
        step.to_string(),
        step.units_text().unwrap_or_default(),
        step.cells_text(),
        step.digits_text(),
        step.chain_text().unwrap_or_default(),
        step.placement_text().unwrap_or_default(),
        step.eliminations_text().unwrap_or_default(),
        played.changes_text(),
    ]
}

/// Returns the names of all techniques and of the steps of a search, in the order of their numbers.
#[pyfunction]
pub(crate) fn technique_names() -> Vec<&'static str> {
    Technique::STEP_NAMES.to_vec()
}

/// Draws a step as SVG. `marks` are the marks of [`StepsFound`], `board` the filled cells before the step, and `step` the text of the step.
///
/// # Errors
/// `ValueError` if sudobench does not find this step on this board.
#[pyfunction]
pub(crate) fn step_svg(
    py: Python<'_>,
    marks: [u16; CELLS],
    board: &str,
    technique: &str,
    step: &str,
) -> PyResult<String> {
    let filled: Puzzle = board.parse().map_err(unusable)?;
    let clues = (0..CELLS).filter(|&cell| marks[cell] & CLUE != 0).collect();
    let draw = || {
        let board = Board::with_candidates(&filled, &marks);
        let found = match technique {
            "Guess" => techniques::guess(&board),
            "Backtrack" => techniques::backtrack(&board, guess_of(step)?),
            _ => techniques::next_step(&board),
        };
        found.filter(|found| found.to_string() == step).map(|found| drawing::svg(&board, &found, clues))
    };
    py.detach(draw).ok_or_else(|| unusable("this step cannot be drawn: it is not the next step of its board"))
}

/// Reads the guess that a backtracking step takes back: the cell, and the digit from 1 to 9. The text of the step ends with the cell and
/// the digit, such as `r1c2<>5`.
fn guess_of(step: &str) -> Option<(u8, u8)> {
    let [.., b'r', row @ b'1'..=b'9', b'c', column @ b'1'..=b'9', b'<', b'>', digit @ b'1'..=b'9'] =
        step.as_bytes()
    else {
        return None;
    };
    Some(((row - b'1') * 9 + column - b'1', digit - b'0'))
}
