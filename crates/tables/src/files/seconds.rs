//! Converts times in seconds, which Parquet does not have, to times in milliseconds. Times inside lists and other nested values stay
//! numbers of seconds.

use std::sync::Arc;

use arrow_array::cast::AsArray as _;
use arrow_array::types::{
    Time32MillisecondType, Time32SecondType, TimestampMillisecondType, TimestampSecondType,
};
use arrow_array::{ArrayRef, ArrowNativeTypeOp as _};
use arrow_schema::{ArrowError, DataType, FieldRef, Schema, TimeUnit};

/// Returns the schema with milliseconds instead of seconds.
pub(super) fn without_seconds(schema: &Schema) -> Schema {
    let field = |field: &FieldRef| match field.data_type() {
        DataType::Timestamp(TimeUnit::Second, zone) => {
            let milliseconds = DataType::Timestamp(TimeUnit::Millisecond, zone.clone());
            Arc::new(field.as_ref().clone().with_data_type(milliseconds))
        }
        DataType::Time32(TimeUnit::Second) => {
            Arc::new(field.as_ref().clone().with_data_type(DataType::Time32(TimeUnit::Millisecond)))
        }
        _ => Arc::clone(field),
    };
    let fields: Vec<FieldRef> = schema.fields().iter().map(field).collect();
    Schema::new_with_metadata(fields, schema.metadata().clone())
}

/// Converts the values of a column to the type that the column has in the schema of [`without_seconds`].
///
/// # Errors
/// [`ArrowError`] for a time that is too late or too early for a number of milliseconds.
pub(super) fn in_milliseconds(array: &ArrayRef) -> Result<ArrayRef, ArrowError> {
    if let Some(times) = array.as_primitive_opt::<TimestampSecondType>() {
        let milliseconds =
            times.try_unary::<_, TimestampMillisecondType, _>(|time| time.mul_checked(1000))?;
        return Ok(Arc::new(milliseconds.with_timezone_opt(times.timezone())));
    }
    if let Some(times) = array.as_primitive_opt::<Time32SecondType>() {
        return Ok(Arc::new(times.try_unary::<_, Time32MillisecondType, _>(|time| time.mul_checked(1000))?));
    }
    Ok(Arc::clone(array))
}
