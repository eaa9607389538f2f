//! Arrow files as inputs and outputs.

use std::fs::{self, File};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use arrow_array::builder::{
    FixedSizeListBuilder, ListBuilder, MapBuilder, StringDictionaryBuilder, StringViewBuilder,
};
use arrow_array::types::{Int32Type, UInt8Type};
use arrow_array::{
    ArrayRef, Int32Array, ListArray, ListViewArray, RecordBatch, StringArray, StringViewArray, UnionArray,
};
use arrow_ipc::CompressionType;
use arrow_ipc::reader::FileReader;
use arrow_ipc::writer::{FileWriter, IpcWriteOptions};
use arrow_schema::{DataType, Field};
use arrow_select::concat::concat_batches;
use proptest::prelude::*;
use sudobench_rows::sink::{Existing, OutputFormat, Target};
use sudobench_rows::source::{Input, Options, Source};
use sudobench_rows::{Finished, Run, RunError, Sink};
use sudobench_tables::{ARROW, PARQUET};

use super::parquet::{columns, in_folder, rows, source};

const SOLVED: &str = "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

/// Writes rows in record batches of this size.
fn write(path: &Path, batch: &RecordBatch, size: usize, compression: Option<CompressionType>) {
    let options = IpcWriteOptions::default().try_with_compression(compression).unwrap();
    let mut writer =
        FileWriter::try_new_with_options(File::create(path).unwrap(), &batch.schema(), options).unwrap();
    for start in (0..batch.num_rows()).step_by(size) {
        writer.write(&batch.slice(start, size.min(batch.num_rows() - start))).unwrap();
    }
    writer.finish().unwrap();
}

/// Returns all rows of a file, and the number of its record batches.
fn read(path: &Path) -> (RecordBatch, usize) {
    let reader = FileReader::try_new(File::open(path).unwrap(), None).unwrap();
    let (schema, batches) = (reader.schema(), reader.num_batches());
    let all = reader.collect::<Result<Vec<_>, _>>().unwrap();
    (concat_batches(&schema, &all).unwrap(), batches)
}

fn to_file(run: Run, path: &Path, existing: Existing, format: OutputFormat) -> Result<Finished, RunError> {
    run.to(Sink::target(Target::File(path.to_owned()), existing).format(format))
}

fn as_csv(path: &Path) -> String {
    let mut out = Vec::new();
    let run = Run::over(source(path, Options::default())).columns(columns("solution,status,note"));
    run.to(Sink::writer(&mut out)).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn columns_and_types_are_kept_for_every_compression() {
    let (folder, [input, output]) = in_folder(["in.arrow", "out.arrow"]);
    let batch = rows(2_000);
    let parquet = folder.path().join("in.parquet");
    write(&input, &batch, 2_000, None);
    to_file(Run::over(source(&input, Options::default())).columns([]), &parquet, Existing::Refuse, PARQUET)
        .unwrap();
    let wanted = as_csv(&parquet);
    for (compression, size) in
        [(None, 700), (Some(CompressionType::LZ4_FRAME), 700), (Some(CompressionType::ZSTD), 2_000)]
    {
        write(&input, &batch, size, compression);
        assert_eq!(as_csv(&input), wanted);
        let run = Run::over(source(&input, Options::default())).columns(columns("solution,status,nodes"));
        to_file(run, &output, Existing::Overwrite, ARROW).unwrap();
        let (found, _) = read(&output);
        assert_eq!(found.num_rows(), 2_000);
        for name in ["id", "puzzle", "rating", "tags"] {
            assert_eq!(found.column_by_name(name), batch.column_by_name(name), "{name}");
        }
        // The column `source` is a dictionary. It becomes plain text, because a file can contain only one version of each dictionary.
        assert_eq!(found.column_by_name("source").unwrap().data_type(), &DataType::Utf8);
        assert_eq!(found.schema().metadata(), batch.schema().metadata());
        let status = found.column_by_name("status").unwrap();
        assert!(matches!(status.data_type(), DataType::Dictionary(..)), "{}", status.data_type());
    }
}

#[test]
fn text_round_trips_as_text_columns() {
    let (folder, [input, output]) = in_folder(["in.csv", "out.arrow"]);
    let puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    fs::write(&input, format!("id,puzzle\n1,{puzzle}\n2,none\n")).unwrap();
    let run = || Run::over(source(&input, Options::default())).columns(columns("status"));
    to_file(run(), &output, Existing::Refuse, ARROW).unwrap();
    let again = folder.path().join("again.csv");
    to_file(
        Run::over(source(&output, Options::default())).columns([]),
        &again,
        Existing::Refuse,
        OutputFormat::CSV,
    )
    .unwrap();
    assert_eq!(
        fs::read_to_string(again).unwrap(),
        format!("id,puzzle,status\n1,{puzzle},unique\n2,none,malformed\n")
    );
    // A pipe gets the same bytes as a file.
    let mut piped = Vec::new();
    run().to(Sink::writer(&mut piped).format(ARROW)).unwrap();
    assert!(piped == fs::read(&output).unwrap());
}

#[test]
fn a_file_without_rows_is_valid() {
    let (_folder, [input, output]) = in_folder(["in.arrow", "out.arrow"]);
    write(&input, &rows(5), 5, None);
    let none = Options { limit: Some(0), ..Options::default() };
    to_file(Run::over(source(&input, none)), &output, Existing::Refuse, ARROW).unwrap();
    let (found, batches) = read(&output);
    assert_eq!((found.num_rows(), found.num_columns(), batches), (0, 7, 0));
    let named = Options { puzzle_column: Some("puzzle".into()), ..Options::default() };
    to_file(Run::over(source(&output, named)), &input, Existing::Overwrite, ARROW).unwrap();
    assert_eq!(read(&input).0.num_rows(), 0);
}

/// Cancels a run after some block and resumes it, again and again, until the run is complete.
#[test]
fn an_interrupted_run_can_be_resumed() {
    let (folder, [input, output]) = in_folder(["in.arrow", "out.arrow"]);
    let whole = folder.path().join("whole.arrow");
    write(&input, &rows(60_000), 9_000, Some(CompressionType::LZ4_FRAME));
    let run = || Run::over(source(&input, Options::default())).columns(columns("solution,status"));
    to_file(run(), &whole, Existing::Refuse, ARROW).unwrap();
    // This run is cancelled before its first row, so the partial file may have only the header.
    let finished =
        to_file(run().cancel(Arc::new(AtomicBool::new(true))), &output, Existing::Refuse, ARROW).unwrap();
    assert!(finished.interrupted);
    let (mut runs, mut before) = (0, 0);
    loop {
        let cancel = Arc::new(AtomicBool::new(false));
        let (flag, mut blocks) = (Arc::clone(&cancel), 0);
        let run = run().cancel(cancel).progress(move |_| {
            blocks += 1;
            flag.store(blocks >= 9, Ordering::SeqCst);
        });
        let finished = to_file(run, &output, Existing::Resume, ARROW).unwrap();
        runs += 1;
        assert_eq!(finished.resumed_after, before);
        before = finished.measures.tally.rows();
        if !finished.interrupted {
            break;
        }
        assert!(!output.exists() && runs < 100);
    }
    assert!(runs > 2, "{runs} runs");
    // Only the rows are compared, because an interrupt within a block divides its record batch.
    assert_eq!(read(&output).0, read(&whole).0);
}

#[test]
fn dictionaries_inside_of_values_are_refused() {
    let (_folder, [input, output]) = in_folder(["in.arrow", "out.arrow"]);
    let mut words = ListBuilder::new(StringDictionaryBuilder::<Int32Type>::new());
    words.values().append_value("a");
    words.append(true);
    let puzzle: ArrayRef = Arc::new(StringArray::from(vec![".".repeat(81)]));
    let batch =
        RecordBatch::try_from_iter([("puzzle", puzzle), ("words", Arc::new(words.finish()) as ArrayRef)])
            .unwrap();
    write(&input, &batch, 1, None);
    let run = || Run::over(source(&input, Options::default()));
    let refused = to_file(run(), &output, Existing::Refuse, ARROW).unwrap_err();
    let mut words = String::new();
    let mut error: Option<&dyn std::error::Error> = Some(&refused);
    while let Some(cause) = error {
        words += &format!("{cause}: ");
        error = cause.source();
    }
    assert!(
        words.contains("the column words has dictionary or run-end encodings inside its values"),
        "{words}"
    );
    assert!(!output.exists() && !output.with_extension("arrow.partial").exists());
    to_file(run(), &output.with_extension("parquet"), Existing::Refuse, PARQUET).unwrap();
}

/// A slice of an array of string views or list views refers to the memory of all rows. This memory must not be written with each slice.
#[test]
fn the_output_is_about_as_large_as_the_input() {
    let (_folder, [input, output]) = in_folder(["in.arrow", "out.arrow"]);
    let rows = 60_000;
    let puzzles: ArrayRef = Arc::new(StringViewArray::from_iter_values((0..rows).map(|_| SOLVED)));
    let number = |row: usize| Some((row % 7) as u8);
    let lists =
        ListArray::from_iter_primitive::<UInt8Type, _, _>((0..rows).map(|row| Some(vec![number(row); 40])));
    let lists: ArrayRef = Arc::new(ListViewArray::from(lists));
    let mut pairs = FixedSizeListBuilder::new(StringViewBuilder::new(), 2);
    let mut map = MapBuilder::new(None, StringViewBuilder::new(), StringViewBuilder::new());
    for row in 0..rows {
        let word = format!("a word that is too long to be stored in its view: {row}");
        pairs.values().append_value(&word);
        pairs.values().append_value("short");
        pairs.append(true);
        map.keys().append_value("key");
        map.values().append_value(&word);
        map.append(row % 5 != 0).unwrap();
    }
    let pairs: ArrayRef = Arc::new(pairs.finish());
    let map: ArrayRef = Arc::new(map.finish());
    let columns = [("puzzle", puzzles), ("lists", lists), ("pairs", pairs), ("map", map)];
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    write(&input, &batch, rows, None);
    to_file(Run::over(source(&input, Options::default())).columns([]), &output, Existing::Refuse, ARROW)
        .unwrap();
    let size = |path: &Path| fs::metadata(path).unwrap().len();
    assert!(size(&output) < size(&input) * 3 / 2, "{} of {}", size(&output), size(&input));
    let (found, batches) = read(&output);
    assert!(batches > 5, "{batches} record batches");
    assert_eq!(found, batch);
}

/// A value that many rows share is stored once in the file, but many times in the text.
#[test]
fn rows_with_long_shared_values_are_few_in_a_block() {
    let (_folder, [input, output]) = in_folder(["in.arrow", "out.csv"]);
    let word = "w".repeat(5 << 20);
    let mut words = StringDictionaryBuilder::<Int32Type>::new();
    (0..12).for_each(|_| words.append_value(&word));
    let puzzles: ArrayRef = Arc::new(StringArray::from(vec![SOLVED; 12]));
    let batch =
        RecordBatch::try_from_iter([("puzzle", puzzles), ("word", Arc::new(words.finish()) as ArrayRef)]);
    write(&input, &batch.unwrap(), 12, None);
    let mut rows = source(&input, Options::default());
    let mut blocks = Vec::new();
    while let Some(block) = rows.next_block(Vec::new()).unwrap() {
        blocks.push(block.typed.unwrap().rows.len());
    }
    assert!(blocks.iter().all(|&rows| rows <= 3) && blocks.iter().sum::<usize>() == 12, "{blocks:?}");
    to_file(Run::over(source(&input, Options::default())), &output, Existing::Refuse, OutputFormat::CSV)
        .unwrap();
    assert!(fs::metadata(&output).unwrap().len() > 12 * (5 << 20));
}

#[test]
fn a_union_is_text_and_not_parquet() {
    let (_folder, [input, output]) = in_folder(["in.arrow", "out.csv"]);
    let fields = [(0, Arc::new(Field::new("a", DataType::Int32, true)))].into_iter().collect();
    let numbers: ArrayRef = Arc::new(Int32Array::from(vec![5, 6]));
    let union =
        UnionArray::try_new(fields, vec![0_i8, 0].into(), Some(vec![1, 0].into()), vec![numbers]).unwrap();
    let puzzles: ArrayRef = Arc::new(StringArray::from(vec![SOLVED; 2]));
    let batch = RecordBatch::try_from_iter([("puzzle", puzzles), ("either", Arc::new(union) as ArrayRef)]);
    write(&input, &batch.unwrap(), 2, None);
    let run = || Run::over(source(&input, Options::default())).columns(columns("status"));
    to_file(run(), &output, Existing::Refuse, OutputFormat::CSV).unwrap();
    let text = fs::read_to_string(&output).unwrap();
    assert_eq!(text, format!("puzzle,either,status\n{SOLVED},6,unique\n{SOLVED},5,unique\n"));
    let table = output.with_extension("parquet");
    let refused = to_file(run(), &table, Existing::Refuse, PARQUET).unwrap_err().to_string();
    assert!(
        refused.contains("the column either has the type") && refused.contains("Parquet does not have"),
        "{refused}"
    );
    assert!(!table.with_extension("parquet.partial").exists());
}

/// Without this error, the decoder would allocate as much memory as the buffer states.
#[test]
fn a_buffer_with_a_huge_stated_length_is_an_error() {
    for compression in [CompressionType::LZ4_FRAME, CompressionType::ZSTD] {
        let (_folder, [input, _]) = in_folder(["in.arrow", ""]);
        let puzzles: ArrayRef = Arc::new(StringArray::from(vec![SOLVED; 1_000]));
        write(&input, &RecordBatch::try_from_iter([("puzzle", puzzles)]).unwrap(), 1_000, Some(compression));
        let mut bytes = fs::read(&input).unwrap();
        let length = 81_000_u64.to_le_bytes();
        // The number 81,000 can also occur as the last offset. So the last occurrence is changed: it is the length of the buffer of texts,
        // which comes after the buffer of offsets.
        let at = bytes.windows(8).rposition(|window| window == length).unwrap();
        bytes[at..at + 8].copy_from_slice(&(1_u64 << 41).to_le_bytes());
        fs::write(&input, bytes).unwrap();
        sudobench_tables::add_formats();
        let refused = Source::open(&[Input::File(input)], Options::default()).err().unwrap();
        let cause = std::error::Error::source(&refused).unwrap().to_string();
        assert!(cause.contains("states a length that is too large"), "{cause}");
    }
}

#[test]
fn a_damaged_byte_gives_an_error_or_other_rows() {
    sudobench_tables::add_formats();
    let datasets = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../datasets/formats");
    let (_folder, [input, _]) = in_folder(["damaged", ""]);
    for (name, step) in [("kaggle1m.parquet", 5), ("kaggle1m.arrow", 7)] {
        let whole = fs::read(datasets.join(name)).unwrap();
        let [mut errors, mut runs] = [0; 2];
        for at in (0..whole.len()).step_by(step) {
            let mut damaged = whole.clone();
            damaged[at] ^= 1 << (at % 8);
            fs::write(&input, damaged).unwrap();
            let source = Source::open(&[Input::File(input.clone())], Options::default());
            match source.map(|source| Run::over(source).to(Sink::writer(std::io::sink()))) {
                Ok(Ok(_)) => runs += 1,
                Err(_) | Ok(Err(RunError::Source(_) | RunError::Halfway { .. })) => errors += 1,
                Ok(Err(error)) => panic!("{name}, byte {at}: {error}"),
            }
        }
        assert!(errors > 0 && runs > 0, "{name}: {errors} errors, {runs} runs");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    /// A damaged file gives an error or other rows, but no panic, and does not exhaust the memory.
    #[test]
    fn no_damaged_file_panics(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
        cut in any::<prop::sample::Index>(),
        is_cut in prop::bool::weighted(0.1),
        compression in prop::sample::select(&[None, Some(CompressionType::LZ4_FRAME), Some(CompressionType::ZSTD)][..]),
    ) {
        let (_folder, [input, _]) = in_folder(["in.arrow", "out.arrow"]);
        write(&input, &rows(40), 15, compression);
        let mut bytes = fs::read(&input).unwrap();
        for (at, byte) in changes {
            // Most bytes are metadata, so most changes damage the metadata or the positions in the footer.
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        if is_cut {
            bytes.truncate(cut.index(bytes.len()));
        }
        fs::write(&input, &bytes).unwrap();
        sudobench_tables::add_formats();
        if let Ok(source) = Source::open(
            &[Input::File(input.clone())],
            Options { puzzle_column: Some("puzzle".into()), ..Options::default() },
        ) {
            let _ = Run::over(source).to(Sink::writer(std::io::sink()));
        }
    }
}
