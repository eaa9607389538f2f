//! Columns of numbers for numpy. Large columns are not copied.

use arrow_array::types::{
    ArrowPrimitiveType, Float64Type, Int8Type, Int64Type, UInt8Type, UInt16Type, UInt64Type,
};
use arrow_array::{ArrayRef, PrimitiveArray, cast::AsArray as _};
use arrow_buffer::{ArrowNativeType, Buffer};
use numpy::{Element, PyArray1, PyArrayMethods as _};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use sudobench_sudoku::puzzle::CELLS;

/// An array that `numpy.asarray` accepts without copying, by the protocol `__array_interface__`. The numpy array keeps a reference to this
/// object as long as the array exists. No other object uses the memory, so the numpy array may change it.
#[pyclass(frozen, module = "sudobench._sudobench")]
pub(crate) struct Memory {
    values: Buffer,
    /// Name of the type of the values in NumPy.
    kind: &'static str,
    shape: Vec<usize>,
}

/// Maximum size of an array that is copied, in bytes.
const COPIED: usize = 16 << 10;

/// A type of numbers, with its name in NumPy.
pub(crate) trait NumpyType: ArrowPrimitiveType {
    const NAME: &'static str;
}

macro_rules! numpy_types {
    ($($number:ty => $name:literal,)*) => {
        $(impl NumpyType for $number {
            const NAME: &'static str = $name;
        })*
    };
}

numpy_types! {
    Int8Type => "|i1",
    Int64Type => "<i8",
    UInt8Type => "|u1",
    UInt16Type => "<u2",
    UInt64Type => "<u8",
    Float64Type => "<f8",
}

impl Memory {
    /// Makes an array from the values of an Arrow array. The information about which values are null is lost.
    pub(crate) fn from_array<T: NumpyType>(array: ArrayRef, shape: Vec<usize>) -> Memory {
        let numbers: PrimitiveArray<T> = array.as_primitive::<T>().clone();
        drop(array);
        let (_, values, _) = numbers.into_parts();
        Memory { values: values.into_inner(), kind: T::NAME, shape }
    }

    /// Makes an array with one number for each row.
    pub(crate) fn from_numbers<T: NumpyType>(numbers: Vec<T::Native>) -> Memory {
        Memory::from_vec(numbers, T::NAME)
    }

    /// Makes an array with one truth value for each row.
    pub(crate) fn from_flags(flags: impl Iterator<Item = bool>) -> Memory {
        Memory::from_vec(flags.map(u8::from).collect(), "|b1")
    }

    /// Makes an array with the 81 cells of each row.
    pub(crate) fn from_boards(cells: Vec<u8>) -> Memory {
        Memory::by_cell::<UInt8Type>(cells)
    }

    /// Makes an array with a number for each of the 81 cells of each row.
    pub(crate) fn by_cell<T: NumpyType>(numbers: Vec<T::Native>) -> Memory {
        let shape = vec![numbers.len() / CELLS, CELLS];
        Memory { shape, ..Memory::from_numbers::<T>(numbers) }
    }

    /// Returns the values as an array of NumPy. The values of a small array are copied, because copying them takes less time than
    /// making a view of this object.
    pub(crate) fn into_numpy(self, py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        fn copy<'py, T: ArrowNativeType + Element>(
            py: Python<'py>,
            memory: &Memory,
        ) -> PyResult<Bound<'py, PyAny>> {
            let numbers = PyArray1::from_slice(py, memory.values.typed_data::<T>());
            match memory.shape[..] {
                [_] => Ok(numbers.into_any()),
                _ => Ok(numbers.reshape(memory.shape.clone())?.into_any()),
            }
        }
        if self.values.len() <= COPIED {
            match self.kind {
                Int8Type::NAME => return copy::<i8>(py, &self),
                Int64Type::NAME => return copy::<i64>(py, &self),
                UInt8Type::NAME => return copy::<u8>(py, &self),
                UInt16Type::NAME => return copy::<u16>(py, &self),
                UInt64Type::NAME => return copy::<u64>(py, &self),
                Float64Type::NAME => return copy::<f64>(py, &self),
                _ => {}
            }
        }
        py.import("numpy")?.call_method1("asarray", (self,))
    }

    fn from_vec<T: ArrowNativeType>(values: Vec<T>, kind: &'static str) -> Memory {
        let shape = vec![values.len()];
        Memory { values: Buffer::from_vec(values), kind, shape }
    }
}

#[pymethods]
impl Memory {
    #[getter]
    fn __array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let interface = PyDict::new(py);
        interface.set_item("version", 3)?;
        interface.set_item("typestr", self.kind)?;
        interface.set_item("shape", pyo3::types::PyTuple::new(py, &self.shape)?)?;
        let is_read_only = false;
        interface.set_item("data", (self.values.as_ptr() as usize, is_read_only))?;
        Ok(interface)
    }
}
