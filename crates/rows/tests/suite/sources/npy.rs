//! Tests of NumPy arrays. Their bytes are made as numpy writes them.

use std::io::{Cursor, Write as _};

use proptest::prelude::*;
use sudobench_rows::internals::InputColumns;
use sudobench_rows::source::{Input, InputFormat, Options, Source, SourceError};
use sudobench_sudoku::puzzle::Cells;

use super::{Dripping, PUZZLE as P, Seen, forced, open, read, rows_and_error, rows_of};

/// Returns an array file of version 1 of the format.
pub(super) fn npy(descr: &str, shape: &str, values: &[u8]) -> Vec<u8> {
    let mut header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}");
    header += &" ".repeat(117 - header.len());
    [b"\x93NUMPY\x01\0", &118_u16.to_le_bytes()[..], header.as_bytes(), b"\n", values].concat()
}

pub(super) fn cells(text: &str) -> Vec<u8> {
    text.bytes().map(|byte| if byte == b'.' { 0 } else { byte - b'0' }).collect()
}

fn rows(bytes: &[u8]) -> Vec<Seen> {
    let (layout, rows) = read(bytes, Options::default()).unwrap();
    assert_eq!(layout.format(), InputFormat::NPY);
    rows
}

fn message(bytes: &[u8]) -> String {
    open(bytes, Options::default()).err().unwrap().to_string()
}

#[test]
fn every_type_and_shape_of_numbers_and_texts() {
    let zeros = P.replace('.', "0");
    let wide = |size: usize, is_big: bool| -> Vec<u8> {
        let number = |cell: u8| {
            let mut bytes = vec![0; size];
            bytes[if is_big { size - 1 } else { 0 }] = cell;
            bytes
        };
        cells(P).into_iter().flat_map(number).collect()
    };
    let codes = |big: bool| -> Vec<u8> {
        P.chars()
            .flat_map(|c| if big { (c as u32).to_be_bytes() } else { (c as u32).to_le_bytes() })
            .collect()
    };
    for (descr, values, text) in [
        ("|u1", wide(1, false), &zeros[..]),
        ("|i1", wide(1, false), &zeros),
        ("<i2", wide(2, false), &zeros),
        (">u2", wide(2, true), &zeros),
        ("<i4", wide(4, false), &zeros),
        (">i4", wide(4, true), &zeros),
        ("<i8", wide(8, false), &zeros),
        (">u8", wide(8, true), &zeros),
        ("|S81", P.as_bytes().to_vec(), P),
        ("|S83", format!(" {P}\0").into_bytes(), P),
        ("<U81", codes(false), P),
        (">U81", codes(true), P),
    ] {
        let is_text = descr.contains(['S', 'U']);
        let shapes: &[&str] = if is_text { &["(2,)"] } else { &["(2, 81)", "(2, 9, 9)"] };
        for shape in shapes {
            let rows = rows(&npy(descr, shape, &values.repeat(2)));
            assert_eq!(rows.len(), 2, "{descr}");
            for (number, row) in rows.iter().enumerate() {
                assert_eq!((row.puzzle.as_deref(), row.line), (Ok(P), number as u64 + 1), "{descr}");
                assert_eq!(row.text, text.as_bytes(), "{descr}");
            }
        }
    }
}

#[test]
fn all_versions_of_headers_are_read() {
    let one = npy("|u1", "(1, 81)", &cells(P));
    for version in [2_u8, 3] {
        let other = [b"\x93NUMPY", &[version, 0][..], &118_u32.to_le_bytes(), &one[10..]].concat();
        assert_eq!(rows(&other), rows(&one), "{version}");
    }
}

#[test]
fn a_row_that_is_not_a_puzzle_names_the_cell_and_its_value() {
    let with = |cell: usize, value: i64| {
        let mut values: Vec<i64> = cells(P).into_iter().map(i64::from).collect();
        values[cell] = value;
        values.into_iter().flat_map(i64::to_le_bytes).collect::<Vec<u8>>()
    };
    let values = [with(0, 5), with(80, 10), with(7, -1), with(0, i64::MIN), with(3, 256)].concat();
    let reasons: Vec<_> = rows(&npy("<i8", "(5, 81)", &values)).into_iter().map(|row| row.puzzle).collect();
    let cell = |cell: usize, value: i64| {
        Err(format!("{} holds {value}, which is neither a digit nor 0 for a blank", Cells::one(cell)))
    };
    assert_eq!(reasons, [Ok(P.to_owned()), cell(80, 10), cell(7, -1), cell(0, i64::MIN), cell(3, 256)]);
    let mut large = [0_u8; 81 * 8];
    large[..8].fill(0xff);
    let reason = rows(&npy("<u8", "(1, 81)", &large)).remove(0).puzzle.unwrap_err();
    assert!(reason.starts_with("r1c1 holds 18446744073709551615,"), "{reason}");
    let mut negative = cells(P);
    negative[2] = 0xff;
    let reason = |descr| rows(&npy(descr, "(1, 81)", &negative)).remove(0).puzzle.unwrap_err();
    assert!(reason("|i1").starts_with("r1c3 holds -1,") && reason("|u1").starts_with("r1c3 holds 255,"));
}

/// A text in an array may contain any characters. Even if it has line ends or starts like a comment, it is one row, which is malformed.
#[test]
fn every_text_is_one_row() {
    let texts = ["#", "", "a\nb", "\"", "\r\n", "\\", P];
    let values: Vec<u8> = texts.iter().flat_map(|text| format!("{text:\0<81}").into_bytes()).collect();
    let seen = rows(&npy("|S81", "(7,)", &values));
    let lines: Vec<u64> = seen.iter().map(|row| row.line).collect();
    assert_eq!(lines, [1, 2, 3, 4, 5, 6, 7]);
    assert_eq!(seen[2].puzzle, Err("3 characters where a puzzle has 81".to_owned()));
    assert_eq!(seen[6].puzzle, Ok(P.to_owned()));
    let words = format!("a {P} b");
    let (layout, seen) = read(&npy("|S85", "(1,)", words.as_bytes()), Options::default()).unwrap();
    assert_eq!(InputColumns::from_layout(&layout).count, 1, "no label and no comment");
    assert_eq!(seen[0].puzzle, Err("85 characters where a puzzle has 81".to_owned()));
    let number = P.replace('.', "0").replacen("53", "", 1);
    let lost = npy("|S81", "(1,)", format!("{:\0<81}", number.trim_start_matches('0')).as_bytes());
    assert!(rows(&lost)[0].puzzle.as_ref().unwrap_err().contains("--restore-zeros"));
    let options = Options { restore_zeros: true, ..Options::default() };
    let restored = read(&lost, options).unwrap().1.remove(0);
    assert_eq!(restored.puzzle, Ok(P.replacen("53", "..", 1)));
    assert_eq!(restored.puzzle_text, number.trim_start_matches('0').as_bytes());
}

#[test]
fn an_array_may_have_no_rows() {
    assert_eq!(rows(&npy("|u1", "(0, 81)", b"")), []);
    assert_eq!(rows(&npy("<U81", "(0,)", b"")), []);
}

#[test]
fn a_truncated_array_gives_its_rows_and_an_error() {
    for compressed in [false, true] {
        let mut bytes = npy("|u1", "(3000, 81)", &cells(P).repeat(2000));
        bytes.truncate(bytes.len() - 1);
        if compressed {
            let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
            gzip.write_all(&bytes).unwrap();
            bytes = gzip.finish().unwrap();
        }
        let mut source = open(&bytes, Options::default()).unwrap();
        let mut lines = 0;
        let error = loop {
            match source.next_block(Vec::new()) {
                Ok(block) => lines += block.unwrap().bytes.len() / 82,
                Err(error) => break error,
            }
        };
        assert_eq!(lines, 1999);
        assert_eq!(error.to_string(), "cannot read standard input from line 2000 on");
        let cause = std::error::Error::source(&error).unwrap().to_string();
        assert_eq!(cause, "the array should have 3000 rows, but its data has only 1999 complete rows");
    }
}

#[test]
fn nothing_may_follow_an_array() {
    let array = npy("|u1", "(1, 81)", &cells(P));
    for rest in [&b"x"[..], &array] {
        let (rows, error) = rows_and_error(open(&[&array[..], rest].concat(), Options::default()).unwrap());
        let error = error.unwrap();
        assert_eq!(rows.len(), 1);
        let cause = std::error::Error::source(&error).unwrap().to_string();
        assert!(cause.starts_with("the array has 1 rows, but the file has more data after them"), "{cause}");
    }
}

#[test]
fn other_arrays_are_refused_with_a_command_that_converts_them() {
    assert_eq!(
        message(&npy("<f8", "(3, 81)", b"")),
        "standard input is a NumPy array, and sudobench does not read arrays of type \"<f8\"; convert the array with: `python3 -c \"import numpy, sys; \
         a = numpy.load(sys.argv[1]); numpy.save('puzzles.npy', numpy.ascontiguousarray(a.reshape(-1, 81).astype(numpy.uint8)))\" FILE`"
    );
    assert!(message(&npy("|O", "(3,)", b"")).contains("numpy.load(sys.argv[1], allow_pickle=True)"));
    assert!(message(&npy("|u1", "(81,)", b"")).contains("arrays of shape (81,); convert"));
    for (bytes, words) in [
        (&b"\x93NUMPY"[..], "its header is cut short"),
        (b"\x93NUMPY\x01\0\xff\xff{", "its header is cut short"),
        (b"\x93NUMPY\x02\0\xff\xff\xff\xff{", "its header is longer than 64 KiB"),
        (b"\x93NUMPY\x07\0", "its header is of a version other than"),
        (b"\x93NUMPY\x01\0\x02\0{}", "its header is not what numpy writes"),
    ] {
        assert!(message(bytes).contains(words), "{}", message(bytes));
    }
    let array = npy("|u1", "(1, 81)", &cells(P));
    let words = |bytes: &[u8], format| open(bytes, forced(format)).err().unwrap().to_string();
    assert_eq!(
        words(&array, InputFormat::CSV),
        "standard input is a NumPy array; leave out --input-format csv"
    );
    assert_eq!(
        words(P.as_bytes(), InputFormat::NPY),
        "standard input is not a NumPy array; leave out --input-format npy"
    );
    assert_eq!(read(&array, forced(InputFormat::NPY)).unwrap().1.len(), 1);
}

#[test]
fn several_arrays_are_one_input() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: &[u8]| {
        std::fs::write(folder.path().join(name), bytes).unwrap();
        Input::File(folder.path().join(name))
    };
    let array = write("a.npy", &npy("|u1", "(2, 81)", &cells(P).repeat(2)));
    let texts = write("b.npy", &npy("|S81", "(1,)", P.as_bytes()));
    let lines = write("c.txt", format!("{P}\n").as_bytes());
    let mut source = Source::open(&[array.clone(), texts], Options::default()).unwrap();
    assert_eq!(rows_of(&mut source).unwrap().len(), 3);
    for inputs in [[array.clone(), lines.clone()], [lines, array]] {
        let error = Source::open(&inputs, Options::default()).err().unwrap();
        assert!(matches!(error, SourceError::OtherLayout { .. }), "{error}");
    }
}

proptest! {
    /// Arrays of 16-bit numbers, read in blocks of random sizes.
    #[test]
    fn numbers_are_read_exactly(
        values in prop::collection::vec(prop_oneof![9 => 0_i16..10, 1 => any::<i16>()], 81..400), is_big in any::<bool>(), size in 1_usize..300,
    ) {
        let count = values.len() / 81;
        let values = &values[..count * 81];
        let bytes: Vec<u8> = values.iter().flat_map(|value| if is_big { value.to_be_bytes() } else { value.to_le_bytes() }).collect();
        let file = npy(if is_big { ">i2" } else { "<i2" }, &format!("({count}, 81)"), &bytes);
        let options = Options { block: super::blocks_of(size, size), ..Options::default() };
        let mut source = Source::from_reader("an array", Dripping(Cursor::new(file)), options).unwrap();
        let seen = rows_of(&mut source).unwrap();
        prop_assert_eq!(seen.len(), count);
        for (row, values) in seen.iter().zip(values.chunks(81)) {
            match values.iter().position(|value| !(0..10).contains(value)) {
                None => {
                    let text: String = values.iter().map(|value| if *value == 0 { ".".to_owned() } else { value.to_string() }).collect();
                    prop_assert_eq!(row.puzzle.as_ref(), Ok(&text));
                }
                Some(cell) => {
                    let reason = row.puzzle.as_ref().unwrap_err();
                    let words = format!("{} holds {},", Cells::one(cell), values[cell]);
                    prop_assert!(reason.starts_with(&words), "{}", reason);
                }
            }
        }
    }
}
