//! Calls Sudoku solvers in shared libraries.
//!
//! A library exports a function with the C interface of [`SolveFunction`]. The protocol `library` in `docs/REFERENCE.md` describes the
//! function.
//!
//! The code of a library can do anything to the process that calls it. Call libraries only in a process that may crash, and only libraries
//! that you would also run as programs. sudobench calls each library in a separate process.
#![allow(unsafe_code)]

use std::error::Error as _;
use std::ffi::c_char;
use std::path::Path;

/// The number of cells of a board.
pub const CELLS: usize = 81;

/// The exported function: `size_t solve(const char *in, size_t limit, uint32_t flags, char *out, size_t *guesses)`.
pub type SolveFunction = unsafe extern "C" fn(
    input: *const c_char,
    limit: usize,
    flags: u32,
    output: *mut c_char,
    guesses: *mut usize,
) -> usize;

/// Reason why a library can't be called.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The file can't be loaded: for example, it is missing, or it is not a library for this system. The text is the reason that the system
    /// gives.
    #[error("cannot be loaded: {0}")]
    Library(String),
    /// The library doesn't export the function.
    #[error(
        "has no function `{0}`: write the name of the solver's function after the path of the library (in C++, declare it `extern \"C\"`)"
    )]
    Function(String),
}

/// The memory for a board: the characters of its cells, followed by zero bytes. A solver may read the whole memory with aligned vectors.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub struct Board([u8; 128]);

impl Board {
    /// A board that no solver has written to.
    pub const UNWRITTEN: Board = Board([0; 128]);

    /// Makes a board from the characters of its cells.
    pub fn new(cells: &[u8; CELLS]) -> Board {
        let mut board = Board::UNWRITTEN;
        board.0[..CELLS].copy_from_slice(cells);
        board
    }

    /// Returns the characters of the cells if all are digits from 1 to 9.
    pub fn solution(&self) -> Option<&[u8]> {
        let cells = &self.0[..CELLS];
        cells.iter().all(|cell| (b'1'..=b'9').contains(cell)).then_some(cells)
    }
}

/// The result of a call, without the solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Number of solutions found, at most the limit.
    pub count: usize,
    /// Number of guesses; `None` if the solver does not report them.
    pub guesses: Option<usize>,
}

/// The solver's function in a loaded library. The library stays loaded until the process ends.
#[derive(Debug)]
pub struct Library {
    solve: SolveFunction,
}

impl Library {
    /// Loads a library and finds its exported function with the name `function`.
    ///
    /// # Errors
    /// [`LoadError`] if the library can't be loaded, or has no such function.
    pub fn open(path: &Path, function: &str) -> Result<Library, LoadError> {
        // SAFETY: loading runs the library's initialisation code. As the crate's documentation says, the caller trusts it like a program.
        let library = unsafe { libloading::Library::new(path) };
        let reason = |error: libloading::Error| error.source().unwrap_or(&error).to_string();
        let library = library.map_err(|error| LoadError::Library(reason(error)))?;
        // SAFETY: nothing can check the signature. It is part of the protocol that the library is written for.
        let found = unsafe { library.get::<SolveFunction>(function.as_bytes()) };
        let solve = *found.map_err(|_| LoadError::Function(function.to_owned()))?;
        // Unloading would invalidate the function, and may crash if the library has started threads.
        std::mem::forget(library);
        Ok(Library { solve })
    }

    /// Lets the solver search for up to `limit` solutions. The solver may write a solution to `output`.
    pub fn solve(&self, input: &Board, limit: usize, flags: u32, output: &mut Board) -> Answer {
        let (input, output) = (input.0.as_ptr().cast(), output.0.as_mut_ptr().cast());
        let mut guesses = usize::MAX;
        // SAFETY: the function is never unloaded. `input` has 81 characters and a zero byte, `output` has room for 81 characters, and all
        // three pointers are valid during the call.
        let count = unsafe { (self.solve)(input, limit, flags, output, &raw mut guesses) };
        Answer { count: count.min(limit), guesses: (guesses != usize::MAX).then_some(guesses) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_solution_has_81_digits() {
        let digits = [b'7'; CELLS];
        assert_eq!(Board::new(&digits).solution(), Some(&digits[..]));
        assert_eq!(Board::UNWRITTEN.solution(), None);
        let mut with_blank = digits;
        with_blank[80] = b'.';
        assert_eq!(Board::new(&with_blank).solution(), None);
    }

    // Calls of functions in a library are tested in tests/harness/libraries.rs.
    #[test]
    fn a_missing_file_is_an_error() {
        let error = Library::open(Path::new("/there/is/no/library.so"), "solve").map(|_| ()).unwrap_err();
        let words = error.to_string();
        assert!(words.starts_with("cannot be loaded: ") && words.contains("library.so"), "{words}");
    }
}
