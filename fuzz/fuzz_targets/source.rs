//! Reads any bytes as any format, with any block size. The rows must be in order, and nothing may panic. If the rows are written as CSV,
//! all rows must have the same number of columns.
#![no_main]

use libfuzzer_sys::fuzz_target;
use std::io::Cursor;

use sudobench_rows::columns::SOLVE;
use sudobench_rows::source::{BlockSize, InputFormat, MAX_RECORD, Options, ParsedBlock, Source};
use sudobench_rows::{Run, Sink};

fuzz_target!(|input: (u8, u16, Vec<u8>)| {
    let (format, block, bytes) = input;
    let format = InputFormat::all().nth(usize::from(format) % (InputFormat::all().count() + 1));
    let block = BlockSize { min: usize::from(block).max(1), max: usize::from(block).max(1) };
    let options = Options { format, block, ..Options::default() };
    let open = |bytes, options| Source::from_reader("puzzles", Cursor::new(bytes), options);
    let Ok(mut source) = open(bytes.clone(), options.clone()) else { return };
    let (mut rows, mut last_line) = (ParsedBlock::default(), 0);
    while let Ok(Some(mut block)) = source.next_block(Vec::new()) {
        source.layout().parse(&mut block, &mut rows);
        let faults = rows.rows.iter().filter(|row| row.fault.is_some()).count();
        assert_eq!(faults + rows.puzzles.len(), rows.rows.len());
        for row in &rows.rows {
            assert!(row.text.start <= row.text.end && row.text.end as usize <= block.bytes.len());
            assert!(row.line >= last_line);
            last_line = row.line;
        }
    }
    // If text is quoted again, it can become twice as long. Long inputs are left out here, because the written rows could be too long to be
    // read again.
    if bytes.len() > MAX_RECORD / 3 {
        return;
    }
    let csv = source.layout().csv().cloned();
    let mut out = Vec::new();
    let Ok(again) = open(bytes, options) else { return };
    let clues = SOLVE.into_iter().filter(|column| column.name == "clues").collect::<Vec<_>>();
    let Ok(finished) = Run::over(again).columns(clues).to(Sink::writer(&mut out)) else { return };
    let options = Options {
        format: Some(InputFormat::CSV),
        delimiter: Some(csv.as_ref().map_or(b',', |csv| csv.delimiter)),
        header: Some(csv.is_none_or(|csv| csv.header.is_some())),
        puzzle_column: Some("1".into()),
        ..Options::default()
    };
    let Ok(mut written) = open(out, options) else { return assert_eq!(finished.measures.tally.rows(), 0) };
    let mut count = 0;
    while let Ok(Some(mut block)) = written.next_block(Vec::new()) {
        written.layout().parse(&mut block, &mut rows);
        assert!(rows.rows.iter().all(|row| row.is_regular));
        count += rows.rows.len() as u64;
    }
    assert_eq!(count, finished.measures.tally.rows());
});
