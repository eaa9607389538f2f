//! Values of Arrow types as text, as in a CSV file.
//!
//! Numbers and truth values are written as Rust writes them, floats of 32 and 64 bits with the fewest digits that read back as the same
//! value, dates and times in ISO 8601, bytes in hexadecimal, lists as `[1, 2]`, structs and maps as `{name: value}`. Columns that can hold
//! puzzles are different: `text.rs` writes their bytes as text, and lists that are boards as digits. The crate `arrow-cast` writes nearly
//! the same. That crate is not used here, because `arrow-cast` and `arrow-ord`, which it needs, took a fifth of the time of a release
//! build.

use std::collections::HashMap;
use std::fmt::Display;
use std::io::Write as _;
use std::ops::Range;

use arrow_array::cast::AsArray;
use arrow_array::timezone::Tz;
use arrow_array::types::{
    ArrowPrimitiveType, ArrowTemporalType, ArrowTimestampType, Date32Type, Date64Type, Decimal32Type,
    Decimal64Type, Decimal128Type, Decimal256Type, DecimalType, DurationMicrosecondType,
    DurationMillisecondType, DurationNanosecondType, DurationSecondType, Float16Type, Float32Type,
    Float64Type, IntervalDayTimeType, IntervalMonthDayNanoType, IntervalYearMonthType, Time32MillisecondType,
    Time32SecondType, Time64MicrosecondType, Time64NanosecondType, TimestampMicrosecondType,
    TimestampMillisecondType, TimestampNanosecondType, TimestampSecondType,
};
use arrow_array::{Array, ArrayAccessor, ArrayRef, OffsetSizeTrait, PrimitiveArray, downcast_integer_array};
use arrow_schema::{ArrowError, DataType, IntervalUnit, TimeUnit};

use crate::puzzles::Indirect;

/// Appends the text of a row's value. Null has no text.
pub(super) type WriteText<'a> = Box<dyn Fn(usize, &mut Vec<u8>) + 'a>;

/// Returns the function that writes the values of `array`.
///
/// # Errors
/// [`ArrowError::NotYetImplemented`] for a type that has no text yet.
pub(super) fn text_writer<'a>(array: &'a dyn Array) -> Result<WriteText<'a>, ArrowError> {
    let write = valid_text_writer(array)?;
    Ok(Box::new(move |row, text| {
        if array.is_valid(row) {
            write(row, text);
        }
    }))
}

/// Like [`text_writer`], for rows that are not null.
fn valid_text_writer<'a>(array: &'a dyn Array) -> Result<WriteText<'a>, ArrowError> {
    if let Some(Indirect { places, nulls: _, values }) = Indirect::from_array(array) {
        let write = text_writer(values)?;
        return Ok(Box::new(move |row, text| write(places[row], text)));
    }
    Ok(downcast_integer_array! {
        array => display(array),
        DataType::Null => Box::new(|_, _| {}),
        DataType::Boolean => display(array.as_boolean()),
        DataType::Float16 => display(array.as_primitive::<Float16Type>()),
        DataType::Float32 => float(array.as_primitive::<Float32Type>()),
        DataType::Float64 => float(array.as_primitive::<Float64Type>()),
        DataType::Decimal32(..) => decimal::<Decimal32Type>(array),
        DataType::Decimal64(..) => decimal::<Decimal64Type>(array),
        DataType::Decimal128(..) => decimal::<Decimal128Type>(array),
        DataType::Decimal256(..) => decimal::<Decimal256Type>(array),
        DataType::Utf8 => display(array.as_string::<i32>()),
        DataType::LargeUtf8 => display(array.as_string::<i64>()),
        DataType::Utf8View => display(array.as_string_view()),
        DataType::Binary => hexadecimal(array.as_binary::<i32>()),
        DataType::LargeBinary => hexadecimal(array.as_binary::<i64>()),
        DataType::BinaryView => hexadecimal(array.as_binary_view()),
        DataType::FixedSizeBinary(_) => hexadecimal(array.as_fixed_size_binary()),
        DataType::Date32 => temporal::<Date32Type>(array, |array, row| Some(format!("{:?}", array.value_as_date(row)?))),
        DataType::Date64 => temporal::<Date64Type>(array, |array, row| Some(format!("{:?}", array.value_as_datetime(row)?))),
        DataType::Time32(TimeUnit::Second) => time::<Time32SecondType>(array),
        DataType::Time32(_) => time::<Time32MillisecondType>(array),
        DataType::Time64(TimeUnit::Microsecond) => time::<Time64MicrosecondType>(array),
        DataType::Time64(_) => time::<Time64NanosecondType>(array),
        DataType::Timestamp(TimeUnit::Second, zone) => timestamp::<TimestampSecondType>(array, zone.as_deref()),
        DataType::Timestamp(TimeUnit::Millisecond, zone) => timestamp::<TimestampMillisecondType>(array, zone.as_deref()),
        DataType::Timestamp(TimeUnit::Microsecond, zone) => timestamp::<TimestampMicrosecondType>(array, zone.as_deref()),
        DataType::Timestamp(TimeUnit::Nanosecond, zone) => timestamp::<TimestampNanosecondType>(array, zone.as_deref()),
        DataType::Duration(TimeUnit::Second) => duration::<DurationSecondType>(array),
        DataType::Duration(TimeUnit::Millisecond) => duration::<DurationMillisecondType>(array),
        DataType::Duration(TimeUnit::Microsecond) => duration::<DurationMicrosecondType>(array),
        DataType::Duration(TimeUnit::Nanosecond) => duration::<DurationNanosecondType>(array),
        DataType::Interval(IntervalUnit::YearMonth) => {
            let array = array.as_primitive::<IntervalYearMonthType>();
            Box::new(|row, text| put(text, format_args!("P{}M", array.value(row))))
        }
        DataType::Interval(IntervalUnit::DayTime) => {
            let array = array.as_primitive::<IntervalDayTimeType>();
            Box::new(|row, text| {
                let value = array.value(row);
                put(text, format_args!("P{}DT{}S", value.days, f64::from(value.milliseconds) / 1e3));
            })
        }
        DataType::Interval(IntervalUnit::MonthDayNano) => {
            let array = array.as_primitive::<IntervalMonthDayNanoType>();
            Box::new(|row, text| {
                let value = array.value(row);
                let seconds = value.nanoseconds as f64 / 1e9;
                put(text, format_args!("P{}M{}DT{seconds}S", value.months, value.days));
            })
        }
        DataType::List(_) => lists::<i32>(array)?,
        DataType::LargeList(_) => lists::<i64>(array)?,
        DataType::ListView(_) => list_views::<i32>(array)?,
        DataType::LargeListView(_) => list_views::<i64>(array)?,
        DataType::FixedSizeList(_, _) => {
            let array = array.as_fixed_size_list();
            let length = array.value_length() as usize;
            items(array.values(), move |row| row * length..(row + 1) * length)?
        }
        DataType::Struct(fields) => {
            let columns = array.as_struct().columns().iter().zip(fields);
            let members = columns.map(|(column, field)| Ok((field.name(), text_writer(column)?)));
            let members: Vec<_> = members.collect::<Result<_, ArrowError>>()?;
            Box::new(move |row, text| {
                separated(b"{}", &members, text, |(name, write), text| {
                    put(text, format_args!("{name}: "));
                    write(row, text);
                });
            })
        }
        DataType::Map(_, _) => {
            let array = array.as_map();
            let (keys, values) = (text_writer(array.keys())?, text_writer(array.values())?);
            Box::new(move |row, text| {
                let ends = &array.value_offsets()[row..row + 2];
                separated(b"{}", ends[0] as usize..ends[1] as usize, text, |entry, text| {
                    keys(entry, text);
                    text.extend_from_slice(b": ");
                    values(entry, text);
                });
            })
        }
        DataType::Union(fields, _) => {
            let union = array.as_union();
            let writers = fields.iter().map(|(id, _)| Ok((id, text_writer(union.child(id))?)));
            let writers = writers.collect::<Result<HashMap<i8, WriteText>, ArrowError>>()?;
            Box::new(move |row, text| {
                if let Some(write) = writers.get(&union.type_id(row)) {
                    write(union.value_offset(row), text);
                }
            })
        }
        other => return Err(ArrowError::NotYetImplemented(format!("values of type {other} cannot be written as text"))),
    })
}

/// Appends a value as text. Errors are ignored, because writing to a vector does not fail.
fn put(text: &mut Vec<u8>, value: impl Display) {
    drop(write!(text, "{value}"));
}

fn display<'a, A>(array: A) -> WriteText<'a>
where
    A: ArrayAccessor<Item: Display> + 'a,
{
    Box::new(move |row, text| put(text, array.value(row)))
}

fn float<T>(array: &PrimitiveArray<T>) -> WriteText<'_>
where
    T: ArrowPrimitiveType<Native: ryu::Float>,
{
    Box::new(|row, text| text.extend_from_slice(ryu::Buffer::new().format(array.value(row)).as_bytes()))
}

fn decimal<T: DecimalType + ArrowPrimitiveType>(array: &dyn Array) -> WriteText<'_> {
    let array = array.as_primitive::<T>();
    Box::new(|row, text| put(text, array.value_as_string(row)))
}

fn hexadecimal<'a, A: ArrayAccessor<Item = &'a [u8]> + 'a>(array: A) -> WriteText<'a> {
    Box::new(move |row, text| array.value(row).iter().for_each(|byte| put(text, format_args!("{byte:02x}"))))
}

/// Writes dates and times. `read` turns a value into text. If the value is out of range, the stored integer is written instead.
fn temporal<'a, T>(
    array: &'a dyn Array,
    read: impl Fn(&PrimitiveArray<T>, usize) -> Option<String> + 'a,
) -> WriteText<'a>
where
    T: ArrowPrimitiveType<Native: Display>,
{
    let array = array.as_primitive::<T>();
    Box::new(move |row, text| match read(array, row) {
        Some(shown) => put(text, shown),
        None => put(text, array.value(row)),
    })
}

/// Writes times of day.
fn time<T>(array: &dyn Array) -> WriteText<'_>
where
    T: ArrowTemporalType<Native: Display>,
    i64: From<T::Native>,
{
    temporal::<T>(array, |array, row| Some(format!("{:?}", array.value_as_time(row)?)))
}

/// Writes lengths of time.
fn duration<T>(array: &dyn Array) -> WriteText<'_>
where
    T: ArrowTemporalType<Native: Display>,
    i64: From<T::Native>,
{
    temporal::<T>(array, |array, row| Some(array.value_as_duration(row)?.to_string()))
}

/// Writes timestamps. If the time zone is an offset, such as `+01:00`, timestamps are written in this zone. Timestamps in named zones, such
/// as `Europe/Berlin`, are written in UTC, even if the arrow package knows named zones (as in the Python package), so that the bytes don't
/// depend on the build.
fn timestamp<'a, T: ArrowTimestampType>(array: &'a dyn Array, zone: Option<&str>) -> WriteText<'a> {
    let utc = || "+00:00".parse::<Tz>().ok();
    let offset = |zone: &str| zone.starts_with(['+', '-']).then(|| zone.parse::<Tz>().ok()).flatten();
    let zone = zone.and_then(|zone| offset(zone).or_else(utc));
    temporal::<T>(array, move |array, row| match zone {
        None => Some(format!("{:?}", array.value_as_datetime(row)?)),
        Some(zone) => {
            let instant = array.value_as_datetime_with_tz(row, zone)?;
            let offset = instant.offset().to_string();
            let offset = if offset == "+00:00" { "Z" } else { &offset };
            // After the conversion to its zone, an instant may be outside the range that `chrono` supports. The format `{:?}` can still
            // write such an instant.
            let (whole, end) = (format!("{instant:?}"), format!("{:?}", instant.offset()));
            Some(format!("{}{offset}", whole.strip_suffix(&end)?))
        }
    })
}

fn lists<O: OffsetSizeTrait>(array: &dyn Array) -> Result<WriteText<'_>, ArrowError> {
    let array = array.as_list::<O>();
    let offsets = array.value_offsets();
    items(array.values(), |row| offsets[row].as_usize()..offsets[row + 1].as_usize())
}

fn list_views<O: OffsetSizeTrait>(array: &dyn Array) -> Result<WriteText<'_>, ArrowError> {
    let array = array.as_list_view::<O>();
    let (starts, sizes) = (array.value_offsets(), array.value_sizes());
    items(array.values(), |row| {
        let start = starts[row].as_usize();
        start..start + sizes[row].as_usize()
    })
}

/// Writes lists. The items of the list in a row are the elements of `values` at the positions `range(row)`.
fn items<'a>(
    values: &'a ArrayRef,
    range: impl Fn(usize) -> Range<usize> + 'a,
) -> Result<WriteText<'a>, ArrowError> {
    let write = text_writer(values)?;
    Ok(Box::new(move |row, text| separated(b"[]", range(row), text, |item, text| write(item, text))))
}

/// Writes `items` between two brackets, with commas between them.
fn separated<I>(
    brackets: &[u8; 2],
    items: impl IntoIterator<Item = I>,
    text: &mut Vec<u8>,
    write: impl Fn(I, &mut Vec<u8>),
) {
    text.push(brackets[0]);
    for (number, item) in items.into_iter().enumerate() {
        if number > 0 {
            text.extend_from_slice(b", ");
        }
        write(item, text);
    }
    text.push(brackets[1]);
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow_array::types::{Int8Type, Int16Type};
    use arrow_array::*;
    use arrow_buffer::{IntervalDayTime, IntervalMonthDayNano, OffsetBuffer, i256};
    use arrow_schema::Field;

    use super::*;

    fn texts(array: &dyn Array) -> Vec<String> {
        let write = text_writer(array).unwrap();
        let text = |row| {
            let mut text = Vec::new();
            write(row, &mut text);
            String::from_utf8(text).unwrap()
        };
        (0..array.len()).map(text).collect()
    }

    #[test]
    fn values_of_every_type_have_a_text() {
        let second = 1_700_000_000;
        let field = |name: &str| Arc::new(Field::new(name, DataType::Int8, true));
        let numbers: ArrayRef = Arc::new(Int8Array::from(vec![Some(1), None, Some(-3)]));
        let decimal = Decimal128Array::from(vec![12_345, -5]).with_precision_and_scale(10, 3).unwrap();
        let wide =
            Decimal256Array::from(vec![i256::from_i128(12_345)]).with_precision_and_scale(40, -2).unwrap();
        let offset =
            |zone: &str| TimestampMillisecondArray::from(vec![second * 1000 + 7]).with_timezone(zone);
        let list = ListArray::new(
            field("item"),
            OffsetBuffer::from_lengths([2, 0, 1]),
            numbers.clone(),
            Some(vec![true, true, false].into()),
        );
        let view =
            ListViewArray::new(field("item"), vec![1, 0].into(), vec![2, 1].into(), numbers.clone(), None);
        let members =
            [("a", numbers.clone()), ("b", Arc::new(StringArray::from(vec!["x", "y, z", ""])) as ArrayRef)];
        let structs = StructArray::try_from(members.to_vec()).unwrap();
        let map = MapArray::new_from_strings(["k", "l"].into_iter(), &Int8Array::from(vec![1, 2]), &[0, 2])
            .unwrap();
        let words: DictionaryArray<Int8Type> = [Some("x"), None, Some("y"), Some("x")].into_iter().collect();
        let runs: RunArray<Int16Type> = [Some("x"), Some("x"), None].into_iter().collect();
        let cases: Vec<(ArrayRef, &[&str])> = vec![
            (Arc::new(NullArray::new(2)), &["", ""]),
            (Arc::new(BooleanArray::from(vec![Some(true), None, Some(false)])), &["true", "", "false"]),
            (Arc::clone(&numbers), &["1", "", "-3"]),
            (Arc::new(UInt64Array::from(vec![u64::MAX])), &["18446744073709551615"]),
            (Arc::new(Float32Array::from(vec![0.1, 1.0, f32::NAN])), &["0.1", "1.0", "NaN"]),
            (
                Arc::new(Float64Array::from(vec![1e15, 1e16, 1e-5, 1e-7, -0.0, 1.5e300, f64::INFINITY])),
                &["1000000000000000.0", "1e16", "0.00001", "1e-7", "-0.0", "1.5e300", "inf"],
            ),
            (Arc::new(decimal), &["12.345", "-0.005"]),
            (Arc::new(wide), &["1234500"]),
            (Arc::new(LargeBinaryArray::from(vec![&b"\x00\xffa"[..]])), &["00ff61"]),
            (Arc::new(StringViewArray::from(vec!["a,b"])), &["a,b"]),
            (Arc::new(Date32Array::from(vec![0, -1])), &["1970-01-01", "1969-12-31"]),
            (Arc::new(Date64Array::from(vec![second * 1000])), &["2023-11-14T22:13:20"]),
            (Arc::new(Time32SecondArray::from(vec![3661])), &["01:01:01"]),
            (Arc::new(Time64NanosecondArray::from(vec![1_500_000])), &["00:00:00.001500"]),
            (
                Arc::new(TimestampSecondArray::from(vec![second, i64::MAX])),
                &["2023-11-14T22:13:20", "9223372036854775807"],
            ),
            (Arc::new(offset("+01:00")), &["2023-11-14T23:13:20.007+01:00"]),
            (Arc::new(offset("UTC")), &["2023-11-14T22:13:20.007Z"]),
            (Arc::new(offset("Europe/Berlin")), &["2023-11-14T22:13:20.007Z"]),
            (Arc::new(DurationMillisecondArray::from(vec![61_500])), &["PT61.5S"]),
            (Arc::new(IntervalYearMonthArray::from(vec![14])), &["P14M"]),
            (Arc::new(IntervalDayTimeArray::from(vec![IntervalDayTime::new(3, 1500)])), &["P3DT1.5S"]),
            (
                Arc::new(IntervalMonthDayNanoArray::from(vec![IntervalMonthDayNano::new(
                    1,
                    2,
                    -500_000_000,
                )])),
                &["P1M2DT-0.5S"],
            ),
            (Arc::new(list), &["[1, ]", "[]", ""]),
            (Arc::new(view), &["[, -3]", "[1]"]),
            (Arc::new(structs), &["{a: 1, b: x}", "{a: , b: y, z}", "{a: -3, b: }"]),
            (Arc::new(map), &["{k: 1, l: 2}"]),
            (Arc::new(words.slice(1, 3)), &["", "y", "x"]),
            (Arc::new(runs.slice(1, 2)), &["x", ""]),
        ];
        for (array, expected) in cases {
            assert_eq!(texts(&array), expected, "{}", array.data_type());
        }
    }

    #[test]
    fn a_value_of_a_union_has_the_text_of_its_own_type() {
        let fields = [
            (0, Arc::new(Field::new("a", DataType::UInt8, true))),
            (5, Arc::new(Field::new("b", DataType::Utf8, true))),
        ];
        let children: Vec<ArrayRef> =
            vec![Arc::new(UInt8Array::from(vec![1, 7])), Arc::new(StringArray::from(vec!["x"]))];
        let (ids, offsets) = (vec![0_i8, 5, 0], vec![0, 0, 1]);
        let union =
            UnionArray::try_new(fields.into_iter().collect(), ids.into(), Some(offsets.into()), children)
                .unwrap();
        assert_eq!(texts(&union), ["1", "x", "7"]);
    }

    #[test]
    fn an_instant_at_the_limit_of_times_has_a_text_in_any_zone() {
        let last = TimestampSecondArray::from(vec![8_210_266_876_799]).with_timezone("+14:00");
        assert!(texts(&last)[0].ends_with("+14:00"), "{:?}", texts(&last));
    }
}
