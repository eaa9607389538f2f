//! Random equivalent forms of training pairs (a puzzle and its solution), written into arrays of NumPy.

use numpy::{
    PyArrayDyn, PyArrayMethods as _, PyReadonlyArrayDyn, PyReadwriteArrayDyn, PyUntypedArray,
    PyUntypedArrayMethods as _,
};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use sudobench_rows::{Augment, BoardsIn, BoardsOut};

use crate::errors::unusable;
use crate::options;

/// Number of pairs of a puzzle and its solution that are written between two checks for signals.
const PAIRS_PER_CHECK: usize = 1 << 15;

/// Defines the enums `Source` and `Target` of borrowed arrays, with a variant for each type of integers.
macro_rules! arrays {
    ($($case:ident $number:ty,)*) => {
        enum Source<'py> {
            $($case(PyReadonlyArrayDyn<'py, $number>),)*
        }

        enum Target<'py> {
            $($case(PyReadwriteArrayDyn<'py, $number>),)*
        }

        impl<'py> Source<'py> {
            fn new(name: &str, array: &Bound<'py, PyUntypedArray>) -> PyResult<Source<'py>> {
                $(if let Ok(array) = array.cast::<PyArrayDyn<$number>>() {
                    return array.try_readonly().map(Source::$case).map_err(|_| in_use(name));
                })*
                Err(no_integers(name, array))
            }

            fn with<T>(&self, work: impl FnOnce(&dyn BoardsIn) -> PyResult<T>) -> PyResult<T> {
                match self {
                    $(Source::$case(array) => work(&array.as_slice().map_err(unusable)?.as_chunks().0),)*
                }
            }
        }

        impl<'py> Target<'py> {
            fn new(name: &str, array: &Bound<'py, PyUntypedArray>) -> PyResult<Target<'py>> {
                $(if let Ok(array) = array.cast::<PyArrayDyn<$number>>() {
                    return array.try_readwrite().map(Target::$case).map_err(|_| in_use(name));
                })*
                Err(no_integers(name, array))
            }

            fn with<T>(&mut self, work: impl FnOnce(&mut dyn BoardsOut) -> PyResult<T>) -> PyResult<T> {
                match self {
                    $(Target::$case(array) => {
                        work(&mut array.as_slice_mut().map_err(unusable)?.as_chunks_mut().0)
                    })*
                }
            }
        }
    };
}

arrays! { U8 u8, I64 i64, I32 i32, I16 i16, I8 i8, U64 u64, U32 u32, U16 u16, }

fn in_use(name: &str) -> PyErr {
    PyValueError::new_err(format!(
        "{name} cannot be used: it is read-only, or it shares memory with another array of this call or of another thread"
    ))
}

fn no_integers(name: &str, array: &Bound<'_, PyUntypedArray>) -> PyErr {
    PyTypeError::new_err(format!("{name} is an array of {}: give integers", array.dtype()))
}

/// Checks the options `seed` and `kinds` of `Augment`.
///
/// # Errors
/// `ValueError` and `TypeError` for a seed that is not a whole number, and for a text that is not a list of kinds of changes.
#[pyfunction]
pub(crate) fn check_augment(seed: &Bound<'_, PyAny>, kinds: Option<&str>) -> PyResult<()> {
    options::whole_number("seed", seed)?;
    options::kinds(kinds).map(|_| ())
}

/// Writes a random equivalent form of each pair of a puzzle and its solution. `index` has the position of each pair in the data set. All
/// arrays of boards must be contiguous and have 81 numbers for each pair.
///
/// # Errors
/// `ValueError` for example for numbers outside `blank` to `blank + 9`, and for arrays that can't be borrowed. `TypeError` for arrays that
/// don't contain integers, and for an epoch that is not an integer.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "only one Python function calls it, with all its arguments")]
pub(crate) fn augment_pairs(
    py: Python<'_>,
    puzzles: &Bound<'_, PyUntypedArray>,
    solutions: &Bound<'_, PyUntypedArray>,
    out_puzzles: &Bound<'_, PyUntypedArray>,
    out_solutions: &Bound<'_, PyUntypedArray>,
    index: PyReadonlyArrayDyn<'_, u64>,
    epoch: &Bound<'_, PyAny>,
    seed: u64,
    kinds: Option<&str>,
    blank: u8,
) -> PyResult<()> {
    let epoch = options::whole_number("epoch", epoch)?;
    let augment = Augment { seed, kinds: options::kinds(kinds)?, blank };
    let index = index.as_slice().map_err(unusable)?;
    let (puzzles, solutions) = (Source::new("puzzles", puzzles)?, Source::new("solutions", solutions)?);
    let mut out_puzzles = Target::new("out[0]", out_puzzles)?;
    let mut out_solutions = Target::new("out[1]", out_solutions)?;
    puzzles.with(|puzzles| {
        solutions.with(|solutions| {
            out_puzzles.with(|out_puzzles| {
                out_solutions.with(|out_solutions| {
                    for start in (0..index.len()).step_by(PAIRS_PER_CHECK) {
                        let rows = start..index.len().min(start + PAIRS_PER_CHECK);
                        let from = [puzzles, solutions];
                        let to: [&mut dyn BoardsOut; 2] = [&mut *out_puzzles, &mut *out_solutions];
                        py.detach(|| augment.write(epoch, index, from, to, rows)).map_err(unusable)?;
                        py.check_signals()?;
                    }
                    Ok(())
                })
            })
        })
    })
}
