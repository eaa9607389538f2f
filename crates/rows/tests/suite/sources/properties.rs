//! Tests properties that must hold for any input, with random inputs.

use std::io::Cursor;
use std::sync::Arc;

use proptest::prelude::*;
use sudobench_rows::Digest;
use sudobench_rows::source::{InputFormat, Options, ParsedBlock, Source, SourceError};

use super::{Dripping, PUZZLE as P, Seen, blocks_of, forced, read, rows_of};

/// Draws a text that consists of some of the pieces.
fn text(pieces: &'static [&'static [u8]]) -> impl Strategy<Value = Vec<u8>> {
    up_to(60, pieces)
}

fn up_to(most: usize, pieces: &'static [&'static [u8]]) -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(prop::sample::select(pieces), 0..most).prop_map(|pieces| pieces.concat())
}

/// Returns the blocks of a source, each with the number of its first line. Also returns, for each row, the position of its end in the text
/// of all blocks.
fn blocks_and_ends(mut source: Source) -> (Vec<(u64, Vec<u8>)>, Vec<usize>) {
    let (mut blocks, mut ends, mut read) = (Vec::new(), Vec::new(), 0);
    let (layout, mut parsed) = (Arc::clone(source.layout()), ParsedBlock::default());
    while let Some(mut block) = source.next_block(Vec::new()).unwrap() {
        layout.parse(&mut block, &mut parsed);
        ends.extend(parsed.rows.iter().map(|row| read + row.text.end as usize));
        read += block.bytes.len();
        blocks.push((block.first_line, block.bytes));
    }
    (blocks, ends)
}

/// Returns the digest of the first `end` bytes of the text of these blocks.
fn read_until(blocks: &[(u64, Vec<u8>)], end: usize) -> Digest {
    let text: Vec<u8> = blocks.iter().flat_map(|(_, bytes)| bytes.iter().copied()).collect();
    Digest::from_bytes(&text[..end.min(text.len())])
}

const CSV_PIECES: &[&[u8]] = &[
    b"\"",
    b"\"",
    b"\"\"",
    b",",
    b",",
    b"\n",
    b"\r",
    b"\r\n",
    b"a",
    b" ",
    b"\0",
    b"\xff",
    b"\xef\xbb\xbf",
    P.as_bytes(),
    b"\"\n",
    b",\"",
    b"\",",
];
const LINE_PIECES: &[&[u8]] = &[
    P.as_bytes(),
    P.as_bytes(),
    b"\n",
    b"\n",
    b"\r",
    b"\r\n",
    b" ",
    b"\t",
    b":",
    b"#",
    b"abc",
    b"5",
    b"\0",
    b"\xff",
    b"\"",
];
const GRID_PIECES: &[&[u8]] = &[
    b"53..7....\n",
    b"6..195...\n",
    b".98....6.\n",
    b"1........\n2........\n3........\n",
    b"---------\n",
    b"---------\n",
    b"---+---+---\n",
    b"|5 3 .|. 7 .|. . .|\n",
    b"\n",
    b"\n",
    b"\r",
    b"\r\n",
    b"[State]\n",
    b"[Puzzle]\n",
    b"#A\n",
    b"Grid 01\n",
    b"12\n",
    b"5",
    b"-",
    b"???????\n",
    b"1234567890\n",
    b"\xff",
];

/// Whole rows, most of which are alike. So texts of these rows also test the fast path for rows that are alike (`source/alike.rs`).
const CSV_ROWS: &[&[u8]] = &[
    b"53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79,534678912672195348198342567859761423426853791713924856961537284287419635345286179\n",
    b"53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79,534678912672195348198342567859761423426853791713924856961537284287419635345286179\n",
    b"530070000600195000098000060800060003400803001700020006060000280000419005000080079,534678912672195348198342567859761423426853791713924856961537284287419635345286179\n",
    b"530070000600195000098000060800060003400803001700020006060000280000419005000080079,534678912672195348198342567859761423426853791713924856961537284287419635345286170\n",
    b"53007000060019500009800006080006000340080300170002000606000028000041900500008007?,534678912672195348198342567859761423426853791713924856961537284287419635345286179\n",
    b"53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79,534678912672195348198342567859761423426853791713924856961537284287419635345286179\r\n",
    b"53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79,534678912672195348198342567859761423426853791713924856961537284287419635345286179\r",
    b"\"53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79\",\"534678912672195348198342567859761423426853791713924856961537284287419635345286179\"\n",
    b"\"53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79\",\"\n\"\n",
    b"53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79,\n",
    b"53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79\n",
    b"53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79,1,2\n",
    b"\n",
    b"\r",
    b"\"",
];
const LINE_ROWS: &[&[u8]] = &[
    b"53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79\n",
    b"53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79\n",
    b"530070000600195000098000060800060003400803001700020006060000280000419005000080079\n",
    b"530070000600195000098000060800060003400803001700020006060000280000419005000080079\r\n",
    b"530070000600195000098000060800060003400803001700020006060000280000419005000080079\r",
    b"a 530070000600195000098000060800060003400803001700020006060000280000419005000080079 1\n",
    b"b 530070000600195000098000060800060003400803001700020006060000280000419005000080079 1\n",
    b"53007000060019500009800006080006000340080300170002000606000028000041900500008007\n",
    b"# 1\n",
    b"\n",
];

const NUMBER_PIECES: &[&[u8]] = &[&[7; 81], &[0; 81], &[0; 80], b"\x01\x02\x03", b"\n", b"\xff"];
const JSONL_PIECES: &[&[u8]] = &[
    b"{\"puzzle\":\"",
    b"{\"puzzle\":[",
    b"{\"id\":1,\"solution\":null,\"puzzle\":\"",
    P.as_bytes(),
    P.as_bytes(),
    b"\"}\n",
    b"\"}\n",
    b"]}\r\n",
    b"1,2,300,",
    b"\\u00e9",
    b"\\",
    b"{",
    b"}",
    b"\"",
    b"\n",
    b"\r",
    b" ",
    b"null",
    b"\xff",
];

/// Draws a text of small pieces of a format. For the formats csv, lines and sdm, it may also consist of whole rows.
fn text_of(format: InputFormat) -> BoxedStrategy<Vec<u8>> {
    let pieces = text(pieces_of(format));
    match format.name() {
        "csv" => prop_oneof![pieces, up_to(15, CSV_ROWS)].boxed(),
        "lines" | "sdm" => prop_oneof![pieces, up_to(15, LINE_ROWS)].boxed(),
        _ => pieces.boxed(),
    }
}

fn pieces_of(format: InputFormat) -> &'static [&'static [u8]] {
    match format.name() {
        "csv" => CSV_PIECES,
        "jsonl" => JSONL_PIECES,
        "npy" => NUMBER_PIECES,
        "lines" | "sdm" => LINE_PIECES,
        _ => GRID_PIECES,
    }
}

/// Returns options with which nothing has to be detected, except the names of JSON members.
fn fixed(format: InputFormat) -> Options {
    Options { header: Some(false), delimiter: Some(b','), puzzle_column: Some("1".into()), ..forced(format) }
}

/// Returns all rows; no rows if the input is refused because it is empty or in UTF-16.
fn all_rows(bytes: &[u8], options: Options) -> Vec<Seen> {
    match read(bytes, options) {
        Ok((_, rows)) => rows,
        Err(SourceError::Empty { .. } | SourceError::Utf16 { .. }) => Vec::new(),
        Err(error) => panic!("{error}"),
    }
}

/// Returns the header of an array with this many rows of 81 bytes.
fn array_head(rows: usize) -> Vec<u8> {
    let header = format!("{{'descr': '|u1', 'fortran_order': False, 'shape': ({rows}, 81)}}");
    [b"\x93NUMPY\x01\0", &(header.len() as u16).to_le_bytes()[..], header.as_bytes()].concat()
}

fn format_and_text() -> impl Strategy<Value = (InputFormat, Vec<u8>)> {
    prop::sample::select(InputFormat::all().collect::<Vec<_>>())
        .prop_flat_map(|format| text_of(format).prop_map(move |text| (format, text)))
        .prop_map(|(format, text)| match format.name() {
            // Even if the options name the columns, the names of the members are detected, so the first line must have a puzzle member.
            "jsonl" => (format, [b"{\"puzzle\":null}\n", &text[..]].concat()),
            // In this array, each byte is a number. An incomplete last row is removed.
            "npy" => {
                let rows = text.len() / 81;
                (format, [&array_head(rows), &text[..rows * 81]].concat())
            }
            _ => (format, text),
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn csv_rows_agree_with_the_csv_crate(text in text_of(InputFormat::CSV), delimiter in prop::sample::select(&b",\ta.5"[..])) {
        if text.is_empty() || text == b"\xef\xbb\xbf" {
            return Ok(());
        }
        let options = Options { delimiter: Some(delimiter), ..fixed(InputFormat::CSV) };
        let (layout, rows) = read(&text, options).unwrap();
        let mut reader = csv::ReaderBuilder::new();
        reader.has_headers(false).flexible(true).delimiter(delimiter);
        let records: Vec<csv::ByteRecord> = reader.from_reader(&text[..]).byte_records().map(|r| r.unwrap()).collect();
        let csv_layout = layout.csv().unwrap();
        prop_assert_eq!(rows.len(), records.len());
        for (row, record) in rows.iter().zip(&records) {
            let columns = csv_layout.fields(&row.text);
            prop_assert!(columns.iter().map(|column| &**column).eq(record.iter()), "{:?} {:?}", columns, record);
            let has_right_columns = record.len() == csv_layout.columns;
            if let (Some(expected), Some(column)) = (&row.expected, csv_layout.solution_column)
                && !row.text.contains(&b'"')
            {
                prop_assert_eq!(expected, record[column].trim_ascii());
            }
            if let Ok(puzzle) = &row.puzzle {
                prop_assert!(has_right_columns);
                let text = String::from_utf8_lossy(record[0].trim_ascii()).replace('0', ".");
                prop_assert_eq!(puzzle, &text);
            } else if has_right_columns && record[0].trim_ascii() == P.as_bytes() {
                prop_assert!(row.text.contains(&b'"'));
            }
        }
    }

    #[test]
    fn block_sizes_and_short_reads_change_nothing((format, text) in format_and_text(), size in 1_usize..400) {
        let whole = all_rows(&text, fixed(format));
        let small = all_rows(&text, Options { block: blocks_of(size, size), ..fixed(format) });
        prop_assert_eq!(&small, &whole);
        let byte_by_byte = all_rows(&text, Options { block: blocks_of(1, 4096), ..fixed(format) });
        prop_assert_eq!(&byte_by_byte, &whole);
        if let Ok(mut dripping) = Source::from_reader("standard input", Dripping(Cursor::new(text)), fixed(format)) {
            prop_assert_eq!(rows_of(&mut dripping).unwrap(), whole);
        }
    }

    #[test]
    fn skip_and_limit_are_a_slice(
        (format, text) in format_and_text(), size in 1_usize..400, skip in 0_u64..12, limit in 0_u64..12,
    ) {
        let all = all_rows(&text, fixed(format));
        let options = Options { skip, limit: Some(limit), block: blocks_of(size, size), ..fixed(format) };
        let wanted: Vec<Seen> = all.into_iter().skip(skip as usize).take(limit as usize).collect();
        prop_assert_eq!(all_rows(&text, options), wanted);
    }

    /// A resumed run has the same blocks as an uninterrupted run, and therefore the same batches.
    #[test]
    fn resuming_skips_finished_rows_and_keeps_block_boundaries(
        (format, text) in format_and_text(), size in 1_usize..400, skip in 0_u64..4, done in 0_usize..12,
    ) {
        let options = Options { skip, limit: Some(10), block: blocks_of(size, size), ..fixed(format) };
        let open = || Source::from_reader("standard input", Cursor::new(text.clone()), options.clone());
        let Ok(whole) = open() else { return Ok(()) };
        let (all_blocks, ends) = blocks_and_ends(whole);
        let done = done.min(ends.len());
        let read = read_until(&all_blocks, done.checked_sub(1).map_or(0, |last| ends[last]));
        let (mut resumed, mut resumed_blocks) = (open().unwrap(), open().unwrap());
        resumed_blocks.resume_after(done as u64, read);
        let (layout, mut parsed) = (Arc::clone(resumed_blocks.layout()), ParsedBlock::default());
        while let Some(mut block) = resumed_blocks.next_block(Vec::new()).unwrap() {
            layout.parse(&mut block, &mut parsed);
            if parsed.rows.is_empty() {
                continue;
            }
            prop_assert!(all_blocks.contains(&(block.first_line, block.bytes)));
        }
        resumed.resume_after(done as u64, read);
        let wanted: Vec<Seen> = rows_of(&mut open().unwrap()).unwrap().into_iter().skip(done).collect();
        prop_assert_eq!(rows_of(&mut resumed).unwrap(), wanted);
    }

    /// The bytes read before a row do not depend on where blocks were cut.
    #[test]
    fn read_input_is_recognised_with_any_block_size_and_changes_are_refused(
        (format, text) in format_and_text(), size in 1_usize..400, other in 1_usize..400, skip in 0_u64..4, done in 1_usize..12,
        changed in any::<prop::sample::Index>(),
    ) {
        let options = |size| Options { skip, limit: Some(10), block: blocks_of(size, size), ..fixed(format) };
        let open = |text: &[u8], size| Source::from_reader("standard input", Cursor::new(text.to_vec()), options(size));
        let Ok(whole) = open(&text, size) else { return Ok(()) };
        let (blocks, ends) = blocks_and_ends(whole);
        let done = done.min(ends.len());
        // An interrupted run can end after any row. The last checkpoint of a killed run is after a block.
        let behind_block = blocks.iter().scan(0, |end, (_, bytes)| { *end += bytes.len(); Some(*end) });
        let last = done.checked_sub(1).map_or(0, |last| ends[last]);
        let ends = [Some(last), behind_block.into_iter().find(|&end| end >= last)];
        for end in ends.into_iter().flatten() {
            let read = read_until(&blocks, end);
            let done = blocks_and_ends(open(&text, size).unwrap()).1.iter().filter(|&&row| row <= end).count();
            let mut resumed = open(&text, other).unwrap();
            resumed.resume_after(done as u64, read);
            let wanted: Vec<Seen> = rows_of(&mut open(&text, size).unwrap()).unwrap().into_iter().skip(done).collect();
            prop_assert_eq!(rows_of(&mut resumed).unwrap(), wanted);
            let mut altered = text.clone();
            // The header of an array contains no rows, so only later bytes are changed.
            let head = if format == InputFormat::NPY { 1 + text.iter().position(|&byte| byte == b'}').unwrap() } else { 0 };
            if altered.len() == head || read.bytes == 0 {
                continue;
            }
            let at = head + changed.index(altered.len() - head);
            altered[at] = if altered[at] == b'7' { b'8' } else { b'7' };
            let Ok(before) = open(&altered, size) else { continue };
            let (blocks, ends) = blocks_and_ends(before);
            let is_same = blocks.iter().map(|(_, bytes)| bytes.len()).sum::<usize>() >= end
                && read_until(&blocks, end) == read
                && ends.iter().filter(|&&row| row <= end).count() == done;
            let Ok(mut resumed) = open(&altered, other) else { continue };
            resumed.resume_after(done as u64, read);
            let refused = rows_of(&mut resumed);
            prop_assert_eq!(matches!(refused, Err(SourceError::Changed { .. })), !is_same, "{:?}", refused);
        }
    }

    #[test]
    fn lines_are_counted_in_order((format, text) in format_and_text()) {
        let rows = all_rows(&text, fixed(format));
        prop_assert!(rows.is_sorted_by_key(|row| row.line));
    }

    #[test]
    fn no_bytes_panic(bytes in prop::collection::vec(any::<u8>(), 0..600), which in 0_usize..=InputFormat::all().count()) {
        let options = InputFormat::all().nth(which).map_or_else(Options::default, forced);
        if let Ok(mut source) = Source::from_reader("standard input", Cursor::new(bytes), options) {
            let _ = rows_of(&mut source);
        }
    }

    #[test]
    fn no_text_panics_or_loses_rows_to_detection((_, text) in format_and_text()) {
        let _ = read(&text, Options::default());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Some records are overlong. The reader skips them piece by piece.
    #[test]
    fn block_sizes_change_nothing_about_overlong_records(
        pieces in prop::collection::vec((prop::sample::select(CSV_PIECES), prop::sample::select(&[1_usize, 1, 1, 900, 20_000][..])), 1..12),
        // Smaller blocks would be too slow: at each mark (a position where the text may be cut), an incomplete record is examined from its
        // start.
        size in prop::sample::select(&[700_usize, 5_000, 70_000, 150_000][..]),
        skip in 0_usize..4,
    ) {
        let text: Vec<u8> = pieces.iter().flat_map(|(piece, times)| piece.repeat(*times)).collect();
        let whole = all_rows(&text, Options { block: blocks_of(1 << 25, 1 << 25), ..fixed(InputFormat::CSV) });
        let options = || Options { block: blocks_of(size, size), ..fixed(InputFormat::CSV) };
        let small = all_rows(&text, options());
        prop_assert!(small == whole, "{} rows and {}", small.len(), whole.len());
        let rest = all_rows(&text, Options { skip: skip as u64, ..options() });
        prop_assert!(rest == whole[skip.min(whole.len())..], "{} rows and {}, {skip} skipped", rest.len(), whole.len());
    }
}
