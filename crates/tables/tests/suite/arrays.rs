//! Makes and reads Arrow arrays of types that hold texts or whole numbers.

use std::sync::Arc;

use arrow_array::builder::PrimitiveBuilder;
use arrow_array::cast::AsArray as _;
use arrow_array::types::*;
use arrow_array::{
    Array, ArrayRef, BinaryViewArray, FixedSizeBinaryArray, GenericBinaryArray, GenericStringArray,
    OffsetSizeTrait, StringViewArray, downcast_integer, downcast_integer_array,
};
use arrow_buffer::{NullBuffer, OffsetBuffer};
use arrow_schema::DataType;

/// Makes an array of `data_type` from texts: strings or bytes. If the type allows it, the array also stores the texts of null rows in its
/// memory.
pub(super) fn text_array(texts: &[Vec<u8>], nulls: Option<NullBuffer>, data_type: &DataType) -> ArrayRef {
    fn offsets<O: OffsetSizeTrait>(texts: &[Vec<u8>]) -> OffsetBuffer<O> {
        OffsetBuffer::from_lengths(texts.iter().map(Vec::len))
    }
    let values = || texts.concat().into();
    let valid = |row: usize| nulls.as_ref().is_none_or(|nulls| nulls.is_valid(row));
    let rows = || texts.iter().enumerate().map(|(row, text)| valid(row).then_some(&**text));
    match data_type {
        DataType::Utf8 => Arc::new(GenericStringArray::<i32>::new(offsets(texts), values(), nulls)),
        DataType::LargeUtf8 => Arc::new(GenericStringArray::<i64>::new(offsets(texts), values(), nulls)),
        DataType::Binary => Arc::new(GenericBinaryArray::<i32>::new(offsets(texts), values(), nulls)),
        DataType::LargeBinary => Arc::new(GenericBinaryArray::<i64>::new(offsets(texts), values(), nulls)),
        DataType::BinaryView => Arc::new(rows().collect::<BinaryViewArray>()),
        DataType::Utf8View => {
            let words = rows().map(|text| text.map(|text| std::str::from_utf8(text).unwrap()));
            Arc::new(words.collect::<StringViewArray>())
        }
        DataType::FixedSizeBinary(width) => Arc::new(FixedSizeBinaryArray::new(*width, values(), nulls)),
        other => panic!("{other} holds no texts"),
    }
}

/// Makes an array of `data_type` from whole numbers.
pub(super) fn integer_array(numbers: impl IntoIterator<Item = u8>, data_type: &DataType) -> ArrayRef {
    macro_rules! array {
        ($type:ty) => {{
            let mut builder = PrimitiveBuilder::<$type>::new();
            numbers.into_iter().for_each(|number| builder.append_value(number.try_into().unwrap()));
            Arc::new(builder.finish())
        }};
    }
    downcast_integer! { data_type => (array), other => panic!("{other} is no integer") }
}

/// Returns the values of an array as text. A list becomes the text of its digits, and null an empty text.
pub(super) fn texts_of(array: &dyn Array) -> Vec<String> {
    let of_row = |row| if array.is_null(row) { String::new() } else { text_of(array, row) };
    let Some(dictionary) = array.as_any_dictionary_opt() else {
        return (0..array.len()).map(of_row).collect();
    };
    let words = texts_of(dictionary.values());
    if words.is_empty() {
        return vec![String::new(); array.len()]; // all rows are null
    }
    let word = |(row, place): (usize, usize)| if array.is_null(row) { "" } else { &words[place] }.to_owned();
    dictionary.normalized_keys().into_iter().enumerate().map(word).collect()
}

fn text_of(array: &dyn Array, row: usize) -> String {
    let bytes = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    let digits = |list: ArrayRef| texts_of(&list).concat();
    downcast_integer_array! {
        array => array.value(row).to_string(),
        DataType::Boolean => array.as_boolean().value(row).to_string(),
        DataType::Float64 => format!("{:?}", array.as_primitive::<Float64Type>().value(row)),
        DataType::Utf8 => array.as_string::<i32>().value(row).to_owned(),
        DataType::LargeUtf8 => array.as_string::<i64>().value(row).to_owned(),
        DataType::Utf8View => array.as_string_view().value(row).to_owned(),
        DataType::Binary => bytes(array.as_binary::<i32>().value(row)),
        DataType::LargeBinary => bytes(array.as_binary::<i64>().value(row)),
        DataType::BinaryView => bytes(array.as_binary_view().value(row)),
        DataType::FixedSizeBinary(_) => bytes(array.as_fixed_size_binary().value(row)),
        DataType::List(_) => digits(array.as_list::<i32>().value(row)),
        DataType::LargeList(_) => digits(array.as_list::<i64>().value(row)),
        DataType::FixedSizeList(_, _) => digits(array.as_fixed_size_list().value(row)),
        other => panic!("values of {other} are not read"),
    }
}
