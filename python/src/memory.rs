//! Columns of numbers, given to numpy where they are.

use arrow_array::types::ArrowPrimitiveType;
use arrow_array::{ArrayRef, PrimitiveArray, cast::AsArray as _};
use arrow_buffer::Buffer;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// An array that `numpy.asarray` takes as it is, by the protocol `__array_interface__`: it holds this object for as long as
/// it lives. Nothing else reads the memory, so that it may be written to.
#[pyclass(frozen, module = "sudobench._sudobench")]
pub(crate) struct Memory {
    values: Buffer,
    /// What numpy calls the type of the values.
    kind: &'static str,
    shape: Vec<usize>,
}

impl Memory {
    /// The values of an array, without its nulls.
    pub(crate) fn of<T: ArrowPrimitiveType>(
        array: ArrayRef,
        kind: &'static str,
        shape: Vec<usize>,
    ) -> Memory {
        let numbers: PrimitiveArray<T> = array.as_primitive::<T>().clone();
        drop(array);
        let (_, values, _) = numbers.into_parts();
        Memory { values: values.into_inner(), kind, shape }
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
