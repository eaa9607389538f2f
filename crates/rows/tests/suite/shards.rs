//! Tests of shards: if an input can be divided, the blocks of all shards together are the blocks of the whole run, in the same order.

use std::fs;
use std::io::Write as _;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use flate2::Compression;
use flate2::write::GzEncoder;
use proptest::prelude::*;
use sudobench_rows::source::{Block, BlockSize, Input, Options, Source, SourceError};
use sudobench_rows::{Cut, Shard, Span};

const PUZZLE: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

/// Properties of a block: the number of its input, the number of its first line, its bytes, and whether it is an overlong record.
type Seen = (usize, u64, Vec<u8>, bool);

fn blocks(source: &mut Source) -> Result<Vec<Seen>, SourceError> {
    let mut seen = Vec::new();
    while let Some(block) = source.next_block(Vec::new())? {
        let Block { input, first_line, bytes, overlong, .. } = block;
        seen.push((input, first_line, bytes, overlong.is_some()));
    }
    Ok(seen)
}

fn open(paths: &[PathBuf], size: BlockSize) -> Source {
    let inputs: Vec<Input> = paths.iter().cloned().map(Input::File).collect();
    let mut source = Source::open(&inputs, Options::default()).unwrap();
    source.set_block_size(size);
    source
}

/// Reads the inputs whole and in shards, and compares the blocks. Checks that each shard starts where the previous one ends. Returns the
/// spans of the shards.
#[track_caller]
fn spans(paths: &[PathBuf], size: BlockSize, of: u32) -> Vec<Span> {
    let whole = blocks(&mut open(paths, size)).unwrap();
    let (mut all, mut spans) = (Vec::new(), Vec::<Span>::new());
    for number in 1..=of {
        let mut source = open(paths, size);
        source.restrict_to(Shard::new(number, of).unwrap()).unwrap();
        let part = blocks(&mut source).unwrap();
        let span = source.span().unwrap().clone();
        match spans.last() {
            Some(before) => assert_eq!(before.end, Some(span.start), "shard {number} of {of}"),
            None => assert_eq!(span.start, Cut::default()),
        }
        let counted = part.into_iter().map(|(input, line, bytes, overlong)| {
            // If a shard doesn't know the line of its first row, it counts lines from 1. The whole run always knows the line.
            let is_uncounted = span.start_line.is_none() && input == span.start.input;
            let before: u64 = match is_uncounted {
                true => spans_lines(&spans, input),
                false => 0,
            };
            (input, line + before, bytes, overlong)
        });
        all.extend(counted.collect::<Vec<_>>());
        spans.push(span);
    }
    assert_eq!(spans.last().unwrap().end, None);
    let shown = |seen: &[Seen]| -> Vec<(usize, u64, usize)> {
        seen.iter().map(|(input, line, bytes, _)| (*input, *line, bytes.len())).collect()
    };
    assert!(all == whole, "{:?}\n{:?}", shown(&all), shown(&whole));
    spans
}

/// Returns the number of lines of an input that the earlier shards have read.
fn spans_lines(spans: &[Span], input: usize) -> u64 {
    let mut lines = 0;
    for span in spans.iter().filter(|span| span.end.is_some_and(|end| end.input == input)) {
        let base = if span.start_line.is_none() && span.start.input == input { lines } else { 0 };
        lines = base + span.end_line - 1;
    }
    lines
}

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

/// Makes a text with rows of a format. Some lines are malformed, overlong, blank or comments. The seed decides the text.
fn rows(format: &str, seed: u64, rows: u64) -> Vec<u8> {
    let mut state = seed;
    let mut random = |bound: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % bound
    };
    let mut text = Vec::new();
    if matches!(format, "csv" | "quoted") {
        text.extend_from_slice(b"id,puzzle,comment\n");
    }
    if format == "quoted" {
        text.extend_from_slice(format!("0,{PUZZLE},\"a \"\"word\"\"\"\n").as_bytes());
    }
    for id in 0..rows {
        let usual = match format {
            "grid" => PUZZLE.as_bytes().chunks(9).map(|row| String::from_utf8_lossy(row) + "\n").collect(),
            "lines" => PUZZLE.to_owned(),
            "jsonl" => format!("{{\"puzzle\":\"{PUZZLE}\",\"id\":{id}}}"),
            _ => format!("{id},{PUZZLE},{}", "w".repeat(random(300) as usize / 299 * 3000)),
        };
        // The first rows are always regular, because they decide the layout.
        let line = match if id < 5 { 999 } else { random(1000) } {
            0..10 if format != "grid" => "no puzzle".to_owned(),
            10..20 => "\n\n# a comment\n".to_owned(),
            20..23 if format == "quoted" => "1,x,\"line\nends\r\n, and \"\"quotes\"\" inside\"".to_owned(),
            // A line whose length differs by at most two bytes from the maximum length of a record, or from this length plus 90,000 bytes.
            23 if format != "grid" => {
                "7".repeat(64 * 1024 - 2 + random(5) as usize + random(2) as usize * 90_000)
            }
            _ => usual,
        };
        text.extend_from_slice(line.as_bytes());
        text.extend_from_slice(if random(9) == 3 && format != "grid" { b"\r\n" } else { b"\n" });
    }
    if random(2) == 0 {
        text.truncate(text.trim_ascii_end().len());
    }
    text
}

/// Draws one or two files: for each, its seed, its number of rows, and how it is compressed.
fn files() -> impl Strategy<Value = Vec<(u64, u64, u8)>> {
    prop::collection::vec((any::<u64>(), 1000..4000u64, 0..4u8), 1..3)
}

fn check(format: &str, files: Vec<(u64, u64, u8)>, size: BlockSize, of: u32) {
    let folder = tempfile::tempdir().unwrap();
    let mut paths = Vec::new();
    for (number, (seed, count, kind)) in files.into_iter().enumerate() {
        let text = rows(format, seed, count);
        let path = folder.path().join(number.to_string());
        let stored = match kind {
            0 => gzip(&text),
            1 => zstd::encode_all(&text[..], 1).unwrap(),
            _ => text,
        };
        fs::write(&path, stored).unwrap();
        paths.push(path);
    }
    spans(&paths, size, of);
}

fn sizes() -> impl Strategy<Value = BlockSize> {
    prop_oneof![
        Just(BlockSize { min: 50, max: 1000 }),
        Just(BlockSize { min: 4096, max: 30_000 }),
        Just(BlockSize { min: 491_520, max: 491_520 }),
        (1..200_000usize).prop_map(|max| BlockSize { min: max, max }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    #[test]
    fn csv(files in files(), size in sizes(), of in 1..9u32) {
        check("csv", files, size, of);
    }

    #[test]
    fn csv_with_quotes(files in files(), size in sizes(), of in 1..9u32) {
        check("quoted", files, size, of);
    }

    #[test]
    fn lines(files in files(), size in sizes(), of in 1..9u32) {
        check("lines", files, size, of);
    }

    #[test]
    fn jsonl(files in files(), size in sizes(), of in 1..9u32) {
        check("jsonl", files, size, of);
    }

    #[test]
    fn grids(files in files(), size in sizes(), of in 1..9u32) {
        check("grid", files, size, of);
    }
}

#[test]
fn lines_of_a_plain_file_are_not_read_before_their_shard() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("lines");
    fs::write(&path, format!("{PUZZLE}\n").repeat(100_000)).unwrap();
    let size = BlockSize { min: 491_520, max: 491_520 };
    let spans = spans(std::slice::from_ref(&path), size, 7);
    assert!(spans[1..].iter().all(|span| span.start_line.is_none()));
    let mut source = open(&[path], size);
    source.restrict_to("7/7".parse().unwrap()).unwrap();
    blocks(&mut source).unwrap();
    let read: u64 = source.inputs_read().iter().map(|read| read.bytes).sum();
    assert!(read < 8_200_000 / 6, "{read} bytes of 8,200,000");
}

/// An overlong field starts so far before a cut that the shard after the cut can't see its opening quote. This is detected, because one
/// shard does not start where the previous one ends.
#[test]
fn shards_are_refused_if_a_cut_is_within_an_overlong_field() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("csv");
    let rows = format!("1,{PUZZLE},a\n").repeat(3000);
    let field = format!("1,x,\"{}\"\n", "word\n".repeat(40_000));
    fs::write(&path, format!("id,puzzle,comment\n{rows}{field}{rows}")).unwrap();
    let size = BlockSize { min: 10_000, max: 10_000 };
    let mut ends = Vec::new();
    for number in 1..=5 {
        let mut source = open(std::slice::from_ref(&path), size);
        source.restrict_to(Shard::new(number, 5).unwrap()).unwrap();
        blocks(&mut source).unwrap();
        let span = source.span().unwrap();
        ends.push((span.start, span.end));
    }
    assert!(ends.windows(2).any(|pair| pair[0].1 != Some(pair[1].0)), "{ends:?}");
}

#[test]
fn inputs_that_cannot_be_divided_are_refused() {
    let mut source = Source::from_reader("a pipe", PUZZLE.as_bytes(), Options::default()).unwrap();
    let refused = source.restrict_to("1/2".parse().unwrap()).unwrap_err();
    assert!(refused.to_string().contains("because its length is unknown"), "{refused}");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("lines");
    fs::write(&path, PUZZLE).unwrap();
    for options in
        [Options { skip: 1, ..Options::default() }, Options { limit: Some(1), ..Options::default() }]
    {
        let mut source = Source::open(&[Input::File(path.clone())], options).unwrap();
        let refused = source.restrict_to("1/2".parse().unwrap()).unwrap_err();
        assert!(refused.to_string().contains("because shards divide the whole input"), "{refused}");
    }
}

#[test]
fn more_shards_than_rows_leave_some_without_any() {
    let folder = tempfile::tempdir().unwrap();
    let paths: Vec<PathBuf> = (0..3).map(|number| folder.path().join(number.to_string())).collect();
    for path in &paths {
        fs::write(path, format!("{PUZZLE}\n{PUZZLE}")).unwrap();
    }
    spans(&paths, BlockSize { min: 4096, max: 4096 }, 20);
    spans(&paths, BlockSize { min: 10, max: 10 }, 20);
}

/// The text ends at or next to a mark (a position where it may be cut into blocks), and its last line has no line end. The whole run has
/// read further ahead than the shard, but both must have the same blocks.
#[test]
fn a_text_that_ends_at_a_mark_has_the_blocks_of_the_whole_run() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("lines");
    let line = format!("{PUZZLE}\n");
    // After the overlong line, a run without shards has already read some of the following text into its buffer. The second shard starts
    // after that line, so its buffer is empty.
    let start = format!("{}{}\n{}", line.repeat(5), "7".repeat(70_000), line.repeat(4000));
    let spaces = 100 - (start.len() + "\n".len() + PUZZLE.len()) % 100;
    for spaces in [spaces - 1, spaces, spaces + 1] {
        fs::write(&path, format!("{start}{}\n{PUZZLE}", " ".repeat(spaces))).unwrap();
        spans(std::slice::from_ref(&path), BlockSize { min: 100, max: 100 }, 2);
    }
}

/// The length of a compressed input is estimated from a sample: the start of the input. If an interrupt cut this sample short, the estimate
/// would be wrong, and the shards would be cut at wrong places.
#[test]
fn an_interrupt_ends_the_division_into_shards() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rows.txt.gz");
    let mut writer = GzEncoder::new(fs::File::create(&path).unwrap(), Compression::fast());
    for number in 0..40_000 {
        writeln!(writer, "{PUZZLE} {number}").unwrap();
    }
    writer.finish().unwrap();
    let options = Options::default();
    let cancel = Arc::clone(&options.cancel);
    let mut source = Source::open(&[Input::File(path)], options).unwrap();
    cancel.store(true, Ordering::SeqCst);
    let error = source.restrict_to(Shard::new(2, 3).unwrap()).unwrap_err();
    assert!(error.is_interrupt(), "{error}");
}
