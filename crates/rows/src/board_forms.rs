//! Makes equivalent forms of boards in memory.

use std::num::NonZeroUsize;

use sudobench_sudoku::canonical::Canonicalizer;
use sudobench_sudoku::isomorph::Transformation;
use sudobench_sudoku::puzzle::CELLS;
use sudobench_sudoku::{Puzzle, PuzzleError};

use crate::figures::counted;
use crate::pieces::for_each_piece;
use crate::run::RunError;
use crate::transform::{Draws, Transform};
use crate::watch::Watch;

/// Consecutive boards, 81 bytes each.
#[derive(Clone, Copy, Debug)]
pub enum Boards<'a> {
    /// Numbers. 0 is a blank.
    Values(&'a [[u8; CELLS]]),
    /// Characters: digits, and `. 0 _ * x X -` for a blank.
    Texts(&'a [[u8; CELLS]]),
}

/// The forms of boards in memory. All forms of a board are next to each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardForms {
    /// Forms of the puzzles, 81 bytes each.
    pub puzzles: Vec<u8>,
    /// Forms of their solutions; empty if there are no solutions.
    pub solutions: Vec<u8>,
}

/// Two slices that receive forms: the forms of some puzzles, and the forms of their solutions.
type Places<'p> = (&'p mut [[u8; CELLS]], &'p mut [[u8; CELLS]]);

/// The reason why boards cannot be transformed.
#[derive(Debug, thiserror::Error)]
pub enum BoardsError {
    /// A board is invalid.
    #[error("{what} {row} (counted from 0): {fault}")]
    Board {
        /// `puzzle` or `solution`.
        what: &'static str,
        /// The number of the board, from 0.
        row: usize,
        /// Why the board is invalid.
        fault: PuzzleError,
    },
    /// There are more or fewer solutions than puzzles.
    #[error(
        "{} for {}: give one solution for each puzzle",
        counted(*solutions as u64, "solution"),
        counted(*puzzles as u64, "puzzle")
    )]
    Lengths {
        /// Number of puzzles.
        puzzles: usize,
        /// Number of solutions.
        solutions: usize,
    },
    /// There are more or fewer seeds than puzzles.
    #[error("seed has {seeds} numbers for {puzzles} puzzles: give one number, or one for each puzzle")]
    Seeds {
        /// Number of puzzles.
        puzzles: usize,
        /// Number of seeds.
        seeds: usize,
    },
    /// There are more or fewer transformations than boards.
    #[error(
        "apply has {transformations} transformations for {boards} boards: pass one transformation as a text, or a list with one \
         transformation for each board"
    )]
    Transformations {
        /// Number of boards.
        boards: usize,
        /// Number of transformations.
        transformations: usize,
    },
    /// The forms don't fit into memory.
    #[error(
        "not enough memory for {forms} forms of each of {boards} boards: request fewer forms, or pass fewer boards"
    )]
    TooMany {
        /// Number of forms of each board.
        forms: u64,
        /// Number of boards.
        boards: usize,
    },
    /// The threads cannot be started, or the work was cancelled.
    #[error(transparent)]
    Run(#[from] RunError),
}

/// Number of puzzles in a piece, the part of the work that a thread takes at a time.
const AT_ONCE: usize = 64;

/// Number of boards in a piece if the caller gives one transformation for each board.
const APPLIED_AT_ONCE: usize = 4096;

/// Number of forms of a puzzle between two checks of the cancel flag.
const FORMS_PER_CHECK: usize = 1024;

impl<'a> Boards<'a> {
    fn bytes(self) -> &'a [[u8; CELLS]] {
        match self {
            Boards::Values(boards) | Boards::Texts(boards) => boards,
        }
    }

    /// Returns the number of boards.
    pub fn len(self) -> usize {
        self.bytes().len()
    }

    /// Returns whether there are no boards.
    pub fn is_empty(self) -> bool {
        self.bytes().is_empty()
    }

    /// Returns a board as a puzzle. Error messages call the board `what`.
    fn puzzle(self, what: &'static str, row: usize) -> Result<Puzzle, BoardsError> {
        let puzzle = match self {
            Boards::Values(boards) => Puzzle::try_from(boards[row]),
            Boards::Texts(boards) => Puzzle::from_text(&boards[row]),
        };
        puzzle.map_err(|fault| BoardsError::Board { what, row, fault })
    }

    /// Returns the form of a board, as numbers or as characters, like the board itself.
    fn form(self, row: usize, transformation: &Transformation) -> [u8; CELLS] {
        match self {
            Boards::Values(boards) => transformation.apply_to_values(&boards[row]),
            Boards::Texts(boards) => transformation.apply_to_text(&boards[row]),
        }
    }

    fn check(self, what: &'static str) -> Result<(), BoardsError> {
        (0..self.len()).try_for_each(|row| self.puzzle(what, row).map(drop))
    }

    /// Allocates memory for this number of forms of each board.
    fn room(self, forms: u64) -> Result<Vec<u8>, BoardsError> {
        let boards = self.len();
        let too_many = || BoardsError::TooMany { forms, boards };
        let bytes = usize::try_from(forms).ok().and_then(|forms| forms.checked_mul(boards));
        let bytes = bytes.and_then(|rows| rows.checked_mul(CELLS)).ok_or_else(too_many)?;
        // `vec!` ends the program if there is not enough memory, so the allocation is tried first. The trial takes almost no time, because
        // systems usually provide a memory page only when it is used.
        Vec::<u8>::new().try_reserve_exact(bytes).map_err(|_| too_many())?;
        Ok(vec![0; bytes])
    }
    /// Applies to each board the transformation with the same index, and returns the resulting boards. The resulting boards are numbers or
    /// characters, like the given boards. If the work is cancelled, the results are dropped.
    ///
    /// ```
    /// use sudobench_rows::Boards;
    /// use sudobench_sudoku::isomorph::Transformation;
    ///
    /// let same: Transformation = "r123456789c123456789d123456789".parse()?;
    /// let relabelled: Transformation = "r123456789c123456789d234567891".parse()?;
    /// let boards = [[9; 81], [9; 81]];
    /// let formed = Boards::Values(&boards).transformed(&[same, relabelled], 1.try_into()?, &Default::default())?;
    /// assert_eq!(formed, [[9; 81], [1; 81]]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`BoardsError`] if a board is invalid, if the number of transformations is not the number of boards, if the threads cannot be
    /// started, or if the work is cancelled.
    pub fn transformed(
        self,
        transformations: &[Transformation],
        threads: NonZeroUsize,
        watch: &Watch,
    ) -> Result<Vec<[u8; CELLS]>, BoardsError> {
        let boards = self.bytes();
        if boards.len() != transformations.len() {
            let transformations = transformations.len();
            return Err(BoardsError::Transformations { boards: boards.len(), transformations });
        }
        self.check("puzzle")?;
        let mut forms = vec![[0; CELLS]; boards.len()];
        let pieces = forms.chunks_mut(APPLIED_AT_ONCE).enumerate();
        let work = |(number, forms): (usize, &mut [[u8; CELLS]])| {
            watch.add(forms.len());
            for (form, row) in forms.iter_mut().zip(number * APPLIED_AT_ONCE..) {
                *form = self.form(row, &transformations[row]);
            }
            Ok(())
        };
        for_each_piece(pieces, threads, watch, work)?;
        Ok(forms)
    }
}

impl Transform {
    /// Returns the transformations that lead from the puzzles to their forms. All transformations of a puzzle are next to each other.
    ///
    /// # Errors
    /// [`BoardsError`] if a board is invalid.
    pub fn transformations_for(
        &self,
        puzzles: Boards<'_>,
        draws: &Draws,
    ) -> Result<Vec<Transformation>, BoardsError> {
        let mut canonicalizer = Canonicalizer::default();
        let mut all = Vec::new();
        for row in 0..puzzles.len() {
            let puzzle = puzzles.puzzle("puzzle", row)?;
            all.extend(draws.transformations(self, row, &puzzle, &mut canonicalizer));
        }
        Ok(all)
    }

    /// Returns the forms of puzzles and the forms of their solutions. All forms of a puzzle are next to each other. A solution gets the
    /// same transformations as its puzzle. The forms are numbers or characters, like the given boards; a `.` stays a `.`. The result is the
    /// same for any number of `threads`; for few puzzles, only one thread is used. If the work is cancelled, the results are dropped.
    ///
    /// ```
    /// use std::num::NonZeroUsize;
    /// use sudobench_rows::{Boards, Draws, Transform, Watch};
    ///
    /// let random = Transform::random(3.try_into()?, 1);
    /// let (puzzles, solutions) = ([[0; 81], [5; 81]], [[1; 81], [2; 81]]);
    /// let forms = random.boards(
    ///     Boards::Values(&puzzles),
    ///     Some(Boards::Values(&solutions)),
    ///     &Draws::default(),
    ///     NonZeroUsize::MIN,
    ///     &Watch::default(),
    /// )?;
    /// assert_eq!((forms.puzzles.len(), forms.solutions.len(), forms.puzzles[2 * 81]), (6 * 81, 6 * 81, 0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`BoardsError`] if a board is invalid, if the number of solutions or of seeds is not the number of puzzles, if the forms don't fit
    /// into memory, if the threads cannot be started, or if the work is cancelled.
    pub fn boards(
        &self,
        puzzles: Boards<'_>,
        solutions: Option<Boards<'_>>,
        draws: &Draws,
        threads: NonZeroUsize,
        watch: &Watch,
    ) -> Result<BoardForms, BoardsError> {
        let rows = puzzles.len();
        if let Some(solutions) = solutions.map(Boards::len).filter(|&found| found != rows) {
            return Err(BoardsError::Lengths { puzzles: rows, solutions });
        }
        if let Some(seeds) = draws.seeds.as_ref().map(Vec::len).filter(|&seeds| seeds != rows) {
            return Err(BoardsError::Seeds { puzzles: rows, seeds });
        }
        puzzles.check("puzzle")?;
        solutions.map_or(Ok(()), |solutions| solutions.check("solution"))?;
        let mut forms = puzzles.room(self.forms())?;
        let mut solved =
            solutions.map_or_else(|| Ok(Vec::new()), |solutions| solutions.room(self.forms()))?;
        // This product cannot overflow: `room` has checked the number of bytes of all forms.
        let piece = AT_ONCE.min(rows.max(1)) * self.forms() as usize;
        let mut of_solutions = solved.as_chunks_mut().0.chunks_mut(piece);
        let of_puzzles = forms.as_chunks_mut().0.chunks_mut(piece);
        let pieces = of_puzzles.map(|forms| (forms, of_solutions.next().unwrap_or_default())).enumerate();
        let work = |(number, (forms, solved)): (usize, Places<'_>)| {
            let mut canonicalizer = Canonicalizer::default();
            let (mut forms, mut solved) = (forms.iter_mut(), solved.iter_mut());
            let rows = number * AT_ONCE..rows.min((number + 1) * AT_ONCE);
            for row in rows.clone() {
                // The `else` is never reached, because `check` has already parsed all boards.
                let Ok(puzzle) = puzzles.puzzle("puzzle", row) else { continue };
                let transformations = draws.transformations(self, row, &puzzle, &mut canonicalizer);
                for (form, transformation) in transformations.enumerate() {
                    if form.is_multiple_of(FORMS_PER_CHECK) && watch.is_cancelled() {
                        return Err(RunError::Interrupted);
                    }
                    let places = [(Some(puzzles), forms.next()), (solutions, solved.next())];
                    for (boards, place) in places {
                        if let (Some(boards), Some(place)) = (boards, place) {
                            *place = boards.form(row, &transformation);
                        }
                    }
                }
            }
            watch.add(rows.len());
            Ok(())
        };
        for_each_piece(pieces, threads, watch, work)?;
        Ok(BoardForms { puzzles: forms, solutions: solved })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering;

    use super::*;

    #[test]
    fn forms_do_not_depend_on_the_number_of_threads() {
        let puzzle = |row: usize| {
            std::array::from_fn(
                |cell| if (cell + row).is_multiple_of(3) { ((cell * row) % 10) as u8 } else { 0 },
            )
        };
        let puzzles: Vec<[u8; CELLS]> = (0..150).map(puzzle).collect();
        let texts: Vec<[u8; CELLS]> = puzzles
            .iter()
            .map(|puzzle| puzzle.map(|value| if value == 0 { b'-' } else { b'0' + value }))
            .collect();
        let random = Transform::random(4.try_into().unwrap(), 3);
        let run = |puzzles, solutions, threads: usize| {
            let draws = Draws::default();
            let threads = threads.try_into().unwrap();
            random.boards(puzzles, solutions, &draws, threads, &Watch::default()).unwrap()
        };
        let [values, texts] = [Boards::Values(&puzzles), Boards::Texts(&texts)];
        let one = run(values, Some(texts), 1);
        assert_eq!(one, run(values, Some(texts), 3));
        let BoardForms { puzzles: one, solutions: of_texts } = one;
        assert_eq!(BoardForms { puzzles: of_texts.clone(), solutions: Vec::new() }, run(texts, None, 2));
        let boards = |forms: &[u8]| forms.as_chunks::<CELLS>().0.to_vec();
        for (at, (form, text)) in boards(&one).iter().zip(&boards(&of_texts)).enumerate() {
            let puzzle = Puzzle::try_from(puzzles[at / 4]).unwrap();
            let wanted = random
                .transformations(&puzzle, &mut Canonicalizer::default())
                .nth(at % 4)
                .unwrap()
                .apply(&puzzle);
            assert_eq!((form, Puzzle::from_text(text)), (wanted.values(), Ok(wanted)));
        }
        // The drawn transformations turn the puzzles into the forms, and the inverse transformations turn the forms into the puzzles.
        let drawn = random.transformations_for(values, &Draws::default()).unwrap();
        let repeated: Vec<_> = puzzles.iter().flat_map(|puzzle| [*puzzle; 4]).collect();
        let applied = |boards: &[[u8; CELLS]], transformations: &[Transformation]| {
            Boards::Values(boards).transformed(transformations, NonZeroUsize::MIN, &Watch::default()).unwrap()
        };
        assert_eq!(applied(&repeated, &drawn), boards(&one));
        let back: Vec<_> = drawn.iter().map(Transformation::inverse).collect();
        assert_eq!(applied(&boards(&one), &back), repeated);
    }

    #[test]
    fn work_is_counted_and_cancelled() {
        let (rows, threads) = (2 * APPLIED_AT_ONCE + 5, NonZeroUsize::new(2).unwrap());
        let boards = vec![[7; CELLS]; rows];
        let transformations = vec![Transformation::identity(); rows];
        let watch = Watch::default();
        let applied = |watch| Boards::Values(&boards).transformed(&transformations, threads, watch);
        assert_eq!(applied(&watch).unwrap(), boards);
        assert_eq!(watch.done.load(Ordering::Relaxed), rows as u64);
        let transform = Transform::random(2.try_into().unwrap(), 1);
        let forms =
            |watch| transform.boards(Boards::Values(&boards), None, &Draws::default(), threads, watch);
        assert_eq!(forms(&watch).unwrap().puzzles.len(), 2 * rows * CELLS);
        assert_eq!(watch.done.load(Ordering::Relaxed), 2 * rows as u64);
        watch.cancel.store(true, Ordering::Relaxed);
        assert!(matches!(applied(&watch), Err(BoardsError::Run(RunError::Interrupted))));
        assert!(matches!(forms(&watch), Err(BoardsError::Run(RunError::Interrupted))));
        assert_eq!(watch.done.load(Ordering::Relaxed), 2 * rows as u64);
    }

    #[test]
    fn invalid_boards_are_named() {
        let forms = |transform: Transform, puzzles: &[[u8; CELLS]], solutions: &[[u8; CELLS]]| {
            let (puzzles, solutions) = (Boards::Values(puzzles), Some(Boards::Values(solutions)));
            let draws = Draws::default();
            let ran = transform.boards(puzzles, solutions, &draws, NonZeroUsize::MIN, &Watch::default());
            ran.map(|forms| forms.puzzles.len()).map_err(|error| error.to_string())
        };
        let many = Transform::random(u64::MAX.try_into().unwrap(), 3);
        assert_eq!(forms(Transform::Canonical, &[], &[]), Ok(0));
        for (transform, puzzles, solutions, words) in [
            (
                Transform::Canonical,
                &[[0; 81], [10; 81]][..],
                &[[0; 81]; 2][..],
                "puzzle 1 (counted from 0): r1c1 holds 10",
            ),
            (Transform::Canonical, &[[0; 81]], &[[11; 81]], "solution 0 (counted from 0): r1c1 holds 11"),
            (Transform::Canonical, &[[0; 81]], &[], "0 solutions for 1 puzzle: give one"),
            (
                many,
                &[[0; 81]],
                &[[0; 81]],
                "not enough memory for 18446744073709551615 forms of each of 1 boards",
            ),
        ] {
            let error = forms(transform, puzzles, solutions).unwrap_err();
            assert!(error.starts_with(words), "{error}");
        }
    }
}
