//! Any bytes, read as any format with any block size, give rows in order and no panic.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sudobench_batch::source::{BlockSize, InputFormat, Options, ParsedBlock, Source};

fuzz_target!(|input: (u8, u16, Vec<u8>)| {
    let (format, block, bytes) = input;
    let format = InputFormat::ALL.get(usize::from(format % 8)).copied();
    let block = BlockSize { min: usize::from(block).max(1), max: usize::from(block).max(1) };
    let options = Options { format, block, ..Options::default() };
    let Ok(mut source) = Source::from_reader("puzzles", std::io::Cursor::new(bytes), options) else { return };
    let (mut rows, mut last_line) = (ParsedBlock::default(), 0);
    while let Ok(Some(block)) = source.next_block(Vec::new()) {
        source.layout().parse(&block, &mut rows);
        let faults = rows.rows.iter().filter(|row| row.fault.is_some()).count();
        assert_eq!(faults + rows.puzzles.len(), rows.rows.len());
        for row in &rows.rows {
            assert!(row.text.start <= row.text.end && row.text.end as usize <= block.bytes.len());
            assert!(row.line >= last_line);
            last_line = row.line;
        }
    }
});
