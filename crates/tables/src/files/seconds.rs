//! Times in seconds, which Parquet does not have: they become times in milliseconds.

use std::sync::Arc;

use arrow_array::cast::AsArray as _;
use arrow_array::types::{
    Time32MillisecondType, Time32SecondType, TimestampMillisecondType, TimestampSecondType,
};
use arrow_array::{ArrayRef, ArrowNativeTypeOp as _, make_array};
use arrow_schema::{ArrowError, DataType, FieldRef, Schema, TimeUnit};

/// Returns the schema with milliseconds instead of seconds, also inside of values.
pub(super) fn without_seconds(schema: &Schema) -> Schema {
    let fields: Vec<FieldRef> = schema.fields().iter().map(field_without_seconds).collect();
    Schema::new_with_metadata(fields, schema.metadata().clone())
}

fn field_without_seconds(field: &FieldRef) -> FieldRef {
    Arc::new(field.as_ref().clone().with_data_type(type_without_seconds(field.data_type())))
}

fn type_without_seconds(data_type: &DataType) -> DataType {
    let field = field_without_seconds;
    match data_type {
        DataType::Timestamp(TimeUnit::Second, zone) => {
            DataType::Timestamp(TimeUnit::Millisecond, zone.clone())
        }
        DataType::Time32(TimeUnit::Second) => DataType::Time32(TimeUnit::Millisecond),
        DataType::List(items) => DataType::List(field(items)),
        DataType::LargeList(items) => DataType::LargeList(field(items)),
        DataType::ListView(items) => DataType::ListView(field(items)),
        DataType::LargeListView(items) => DataType::LargeListView(field(items)),
        DataType::FixedSizeList(items, length) => DataType::FixedSizeList(field(items), *length),
        DataType::Map(entries, are_sorted) => DataType::Map(field(entries), *are_sorted),
        DataType::Struct(fields) => DataType::Struct(fields.iter().map(field).collect()),
        DataType::Dictionary(keys, values) => {
            DataType::Dictionary(keys.clone(), Box::new(type_without_seconds(values)))
        }
        DataType::RunEndEncoded(ends, values) => DataType::RunEndEncoded(Arc::clone(ends), field(values)),
        other => other.clone(),
    }
}

/// Converts the values of a column to the type that the column has in the schema of [`without_seconds`].
///
/// # Errors
/// [`ArrowError`] for a time that is too late or too early for a number of milliseconds.
pub(super) fn in_milliseconds(array: &ArrayRef) -> Result<ArrayRef, ArrowError> {
    let wanted = type_without_seconds(array.data_type());
    if wanted == *array.data_type() {
        return Ok(Arc::clone(array));
    }
    if let Some(times) = array.as_primitive_opt::<TimestampSecondType>() {
        let times = times.try_unary::<_, TimestampMillisecondType, _>(|time| time.mul_checked(1000))?;
        return Ok(Arc::new(times.with_data_type(wanted)));
    }
    if let Some(times) = array.as_primitive_opt::<Time32SecondType>() {
        let times = times.try_unary::<_, Time32MillisecondType, _>(|time| time.mul_checked(1000))?;
        return Ok(Arc::new(times));
    }
    let data = array.to_data();
    let inside = data.child_data().iter().map(|inside| in_milliseconds(&make_array(inside.clone())));
    let inside = inside.map(|inside| Ok(inside?.to_data())).collect::<Result<Vec<_>, ArrowError>>()?;
    Ok(make_array(data.into_builder().data_type(wanted).child_data(inside).build()?))
}
