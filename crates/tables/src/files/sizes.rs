//! Finds upper bounds for the length of a table's rows as text. Also copies those slices of arrays for which the Arrow writer would write
//! the memory of the whole array.

use std::sync::Arc;

use arrow_array::cast::AsArray as _;
use arrow_array::types::{ByteArrayType, ByteViewType};
use arrow_array::{
    Array, ArrayRef, FixedSizeListArray, GenericByteArray, GenericByteViewArray, GenericListArray,
    GenericListViewArray, MapArray, OffsetSizeTrait, RecordBatch, StructArray, UInt64Array, make_array,
};
use arrow_buffer::{ArrowNativeType as _, OffsetBuffer};
use arrow_schema::{ArrowError, DataType};
use arrow_select::take::take;

/// Rough upper bound for the length of a number, a date or a time as text, in bytes.
const NUMBER_BYTES: u64 = 80;

/// Returns a rough upper bound for the length of any row as text, in bytes: the sum of the bounds for the longest value of each column.
pub(super) fn longest_row(batch: &RecordBatch) -> u64 {
    batch.columns().iter().fold(1, |sum: u64, column| sum.saturating_add(longest(column)).saturating_add(1))
}

/// Returns a rough upper bound for the length of any value of an array as text, in bytes. The bound also counts dictionary values that no
/// row uses.
fn longest(array: &dyn Array) -> u64 {
    if let Some(dictionary) = array.as_any_dictionary_opt() {
        return longest(dictionary.values());
    }
    let of_lists = |most: Option<usize>, items: &ArrayRef| {
        (most.unwrap_or(0) as u64).saturating_mul(longest(items).saturating_add(2))
    };
    match array.data_type() {
        DataType::RunEndEncoded(..) => {
            array.to_data().child_data().get(1).map_or(0, |values| longest(&make_array(values.clone())))
        }
        DataType::Utf8 => longest_bytes(array.as_string::<i32>()),
        DataType::LargeUtf8 => longest_bytes(array.as_string::<i64>()),
        // In the text, each byte becomes two hexadecimal digits.
        DataType::Binary => 2 * longest_bytes(array.as_binary::<i32>()),
        DataType::LargeBinary => 2 * longest_bytes(array.as_binary::<i64>()),
        DataType::Utf8View => longest_view(array.as_string_view()),
        DataType::BinaryView => 2 * longest_view(array.as_binary_view()),
        DataType::FixedSizeBinary(width) => 2 * u64::from(width.unsigned_abs()),
        DataType::List(_) => {
            let lists = array.as_list::<i32>();
            of_lists(lists.offsets().lengths().max(), lists.values())
        }
        DataType::LargeList(_) => {
            let lists = array.as_list::<i64>();
            of_lists(lists.offsets().lengths().max(), lists.values())
        }
        DataType::ListView(_) => {
            let lists = array.as_list_view::<i32>();
            of_lists(lists.sizes().iter().map(|size| size.as_usize()).max(), lists.values())
        }
        DataType::LargeListView(_) => {
            let lists = array.as_list_view::<i64>();
            of_lists(lists.sizes().iter().map(|size| size.as_usize()).max(), lists.values())
        }
        DataType::FixedSizeList(_, items) => {
            of_lists(Some(items.unsigned_abs() as usize), array.as_fixed_size_list().values())
        }
        DataType::Map(..) => {
            let map = array.as_map();
            let (keys, values) = (longest(map.keys()), longest(map.values()));
            (map.offsets().lengths().max().unwrap_or(0) as u64)
                .saturating_mul(keys.saturating_add(values) + 4)
        }
        DataType::Struct(fields) => {
            let members = array.as_struct().columns().iter().zip(fields);
            let bytes =
                members.map(|(column, field)| longest(column).saturating_add(field.name().len() as u64 + 4));
            bytes.fold(2, u64::saturating_add)
        }
        DataType::Union(fields, _) => {
            let union = array.as_union();
            fields.iter().map(|(id, _)| longest(union.child(id))).max().unwrap_or(0)
        }
        _ => NUMBER_BYTES,
    }
}

fn longest_bytes<T: ByteArrayType>(array: &GenericByteArray<T>) -> u64 {
    array.offsets().lengths().max().unwrap_or(0) as u64
}

fn longest_view<T: ByteViewType>(array: &GenericByteViewArray<T>) -> u64 {
    array.lengths().max().map_or(0, u64::from)
}

/// Returns an array with the same rows, ready for the Arrow writer. `array` may be a slice of a larger array. For some types (see
/// [`keeps_others`]), the writer would write the memory of the whole larger array, so the values of the slice are copied. An array of any
/// other type is returned unchanged.
pub(super) fn compact(array: &ArrayRef) -> Result<ArrayRef, ArrowError> {
    Ok(match array.data_type() {
        data_type if !keeps_others(data_type) => Arc::clone(array),
        DataType::Utf8View => Arc::new(array.as_string_view().gc()),
        DataType::BinaryView => Arc::new(array.as_binary_view().gc()),
        DataType::List(_) => Arc::new(compact_lists(array.as_list::<i32>())?),
        DataType::LargeList(_) => Arc::new(compact_lists(array.as_list::<i64>())?),
        DataType::ListView(_) => Arc::new(compact_views(array.as_list_view::<i32>())?),
        DataType::LargeListView(_) => Arc::new(compact_views(array.as_list_view::<i64>())?),
        DataType::FixedSizeList(field, size) if *size > 0 => {
            let lists = array.as_fixed_size_list();
            let items = compact(lists.values())?;
            Arc::new(FixedSizeListArray::try_new(Arc::clone(field), *size, items, lists.nulls().cloned())?)
        }
        DataType::Map(field, is_sorted) => {
            let map = array.as_map();
            let offsets = map.value_offsets();
            let (first, last) = (offsets[0].as_usize(), offsets[map.len()].as_usize());
            let entries: ArrayRef = Arc::new(map.entries().slice(first, last - first));
            let offsets = OffsetBuffer::from_lengths(map.offsets().lengths());
            let entries = compact(&entries)?.as_struct().clone();
            Arc::new(MapArray::try_new(
                Arc::clone(field),
                offsets,
                entries,
                map.nulls().cloned(),
                *is_sorted,
            )?)
        }
        DataType::Struct(fields) => {
            let members = array.as_struct();
            let columns = members.columns().iter().map(compact).collect::<Result<_, _>>()?;
            Arc::new(StructArray::try_new_with_length(
                fields.clone(),
                columns,
                members.nulls().cloned(),
                members.len(),
            )?)
        }
        DataType::Union(..) => take(array, &UInt64Array::from_iter_values(0..array.len() as u64), None)?,
        _ => Arc::clone(array),
    })
}

/// Returns whether the Arrow writer, given a slice of an array of this type, would also write the memory of rows outside the slice. This is
/// so if the type, or a type nested inside it, is a view or a union.
fn keeps_others(data_type: &DataType) -> bool {
    match data_type {
        DataType::Utf8View
        | DataType::BinaryView
        | DataType::ListView(_)
        | DataType::LargeListView(_)
        | DataType::Union(..) => true,
        DataType::List(items)
        | DataType::LargeList(items)
        | DataType::FixedSizeList(items, _)
        | DataType::Map(items, _) => keeps_others(items.data_type()),
        DataType::Struct(fields) => fields.iter().any(|field| keeps_others(field.data_type())),
        _ => false,
    }
}

fn compact_lists<O: OffsetSizeTrait>(lists: &GenericListArray<O>) -> Result<GenericListArray<O>, ArrowError> {
    let offsets = lists.value_offsets();
    let (first, last) = (offsets[0].as_usize(), offsets[lists.len()].as_usize());
    let items = compact(&lists.values().slice(first, last - first))?;
    let (DataType::List(field) | DataType::LargeList(field)) = lists.data_type() else {
        return Ok(lists.clone());
    };
    let offsets = OffsetBuffer::from_lengths(lists.offsets().lengths());
    GenericListArray::try_new(Arc::clone(field), offsets, items, lists.nulls().cloned())
}

fn compact_views<O: OffsetSizeTrait>(
    lists: &GenericListViewArray<O>,
) -> Result<GenericListViewArray<O>, ArrowError> {
    let (DataType::ListView(field) | DataType::LargeListView(field)) = lists.data_type() else {
        return Ok(lists.clone());
    };
    let (mut numbers, mut starts) = (Vec::new(), Vec::with_capacity(lists.len()));
    for (start, size) in lists.value_offsets().iter().zip(lists.value_sizes()) {
        starts.push(O::usize_as(numbers.len()));
        numbers.extend((start.as_usize()..start.as_usize() + size.as_usize()).map(|number| number as u64));
    }
    let items = compact(&take(lists.values(), &UInt64Array::from(numbers), None)?)?;
    let sizes = lists.value_sizes().to_vec();
    GenericListViewArray::try_new(
        Arc::clone(field),
        starts.into(),
        sizes.into(),
        items,
        lists.nulls().cloned(),
    )
}
