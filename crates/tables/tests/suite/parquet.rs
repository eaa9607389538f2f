//! Parquet as input and output.

use std::collections::HashMap;
use std::fs::{self, File};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use arrow_array::builder::{ListBuilder, StringDictionaryBuilder};
use arrow_array::cast::AsArray as _;
use arrow_array::types::Int32Type;
use arrow_array::{Array as _, ArrayRef, Float64Array, Int64Array, RecordBatch, StringArray, UInt8Array};
use arrow_array::{Date64Array, FixedSizeBinaryArray, FixedSizeListArray, builder::UInt8Builder};
use arrow_array::{
    Time32MillisecondArray, Time32SecondArray, TimestampMillisecondArray, TimestampSecondArray,
};
use arrow_schema::{DataType, Field, Schema};
use arrow_select::concat::concat_batches;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::arrow::arrow_writer::ArrowWriterOptions;
use parquet::basic::{CompressionCodec, LogicalType};
use parquet::file::metadata::{ParquetMetaData, ParquetMetaDataWriter};
use parquet::file::properties::WriterProperties;
use proptest::prelude::*;
use sudobench_rows::columns::{Column, SOLVE};
use sudobench_rows::sink::{Existing, OutputFormat, Target};
use sudobench_rows::source::{BlockSize, Input, Options, Source, SourceError};
use sudobench_rows::{Filter, Finished, Run, RunError, Sink};
use tempfile::TempDir;

use super::arrays::texts_of;

const PUZZLE: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
const SOLUTION: &str = "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

/// Returns realistic rows: an id, a puzzle, a rating, repeated words, a list. Every seventh row has no puzzle. Every eleventh row has a
/// malformed puzzle, unless it is a seventh row. Every third row has a filled grid as its puzzle, unless it is a seventh or an eleventh
/// row. The remaining rows have the same puzzle.
pub(super) fn rows(rows: usize) -> RecordBatch {
    let puzzle = |row: usize| match row {
        _ if row % 7 == 6 => None,
        _ if row % 11 == 10 => Some("none"),
        _ if row % 3 == 2 => Some(SOLUTION),
        _ => Some(PUZZLE),
    };
    let mut sources = StringDictionaryBuilder::<Int32Type>::new();
    let mut tags = ListBuilder::new(UInt8Builder::new());
    for row in 0..rows {
        sources.append_value(if row % 2 == 0 { "kaggle" } else { "forum" });
        tags.append_value([Some(row as u8), None]);
    }
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("id", Arc::new(Int64Array::from_iter_values(0..rows as i64))),
        ("puzzle", Arc::new((0..rows).map(puzzle).collect::<StringArray>())),
        (
            "rating",
            Arc::new(
                (0..rows).map(|row| (row % 5 != 0).then_some(row as f64 / 4.0)).collect::<Float64Array>(),
            ),
        ),
        ("source", Arc::new(sources.finish())),
        ("tags", Arc::new(tags.finish())),
    ];
    let batch = RecordBatch::try_from_iter_with_nullable(
        columns.into_iter().map(|(name, array)| (name, array, true)),
    );
    let schema = batch.as_ref().unwrap().schema().as_ref().clone();
    let metadata = [("maker".to_owned(), "the test".to_owned())].into();
    batch.unwrap().with_schema(Arc::new(schema.with_metadata(metadata))).unwrap()
}

fn write(path: &Path, batch: &RecordBatch, group_rows: usize) {
    let properties = WriterProperties::builder().set_max_row_group_row_count(Some(group_rows)).build();
    let file = File::create(path).unwrap();
    let mut writer = ArrowWriter::try_new(file, batch.schema(), Some(properties)).unwrap();
    writer.write(batch).unwrap();
    writer.close().unwrap();
}

/// Returns all rows of a file, and the sizes of its row groups.
fn read(path: &Path) -> (RecordBatch, Vec<i64>) {
    let builder = ParquetRecordBatchReaderBuilder::try_new(File::open(path).unwrap()).unwrap();
    let groups = builder.metadata().row_groups().iter().map(|group| group.num_rows()).collect();
    let schema = Arc::clone(builder.schema());
    let batches: Vec<RecordBatch> = builder.build().unwrap().map(|batch| batch.unwrap()).collect();
    (concat_batches(&schema, &batches).unwrap(), groups)
}

fn files(paths: &[&Path]) -> Vec<Input> {
    paths.iter().map(|path| Input::File(path.to_path_buf())).collect()
}

pub(super) fn source(path: &Path, options: Options) -> Source {
    sudobench_tables::add_formats();
    Source::open(&files(&[path]), options).unwrap()
}

pub(super) fn columns(names: &str) -> Vec<Column> {
    sudobench_rows::columns::parse(names, &SOLVE).unwrap()
}

fn to_file(run: Run, path: &Path, existing: Existing) -> Result<Finished, RunError> {
    run.to(Sink::target(Target::File(path.to_owned()), existing).format(sudobench_tables::PARQUET))
}

pub(super) fn in_folder(names: [&str; 2]) -> (TempDir, [PathBuf; 2]) {
    let folder = tempfile::tempdir().unwrap();
    let paths = names.map(|name| folder.path().join(name));
    (folder, paths)
}

/// Returns the output of a run as CSV, which is written without the code under test.
fn as_csv(run: Run) -> String {
    let mut out = Vec::new();
    run.to(Sink::writer(&mut out)).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn columns_types_and_row_groups_are_kept_and_answers_added() {
    let (_folder, [input, output]) = in_folder(["in.parquet", "out.parquet"]);
    let batch = rows(40_000);
    write(&input, &batch, 10_000);
    let run = Run::over(source(&input, Options::default())).columns(columns("all"));
    let finished = to_file(run, &output, Existing::Refuse).unwrap();
    assert_eq!(finished.measures.tally.rows(), 40_000);
    assert_eq!(finished.inputs[0].bytes, fs::metadata(&input).unwrap().len());
    let (found, groups) = read(&output);
    assert_eq!(groups, [10_000; 4]);
    assert_eq!(found.schema().metadata()["maker"], "the test");
    for (at, field) in batch.schema().fields().iter().enumerate() {
        assert_eq!(&found.schema().fields()[at], field);
        assert_eq!(found.column(at), batch.column(at), "{}", field.name());
    }
    // The answers are the same as in CSV output.
    let text = as_csv(Run::over(source(&input, Options::default())).columns(columns("all")));
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let names = reader.headers().unwrap().clone();
    assert_eq!(names.len(), found.num_columns());
    let texts: HashMap<String, Vec<String>> = found
        .schema()
        .fields()
        .iter()
        .zip(found.columns())
        .map(|(field, array)| (field.name().clone(), texts_of(array)))
        .collect();
    let value = |column: &str, row: usize| match column {
        "tags" => format!("[{}, ]", texts[column][row]),
        _ => texts[column][row].clone(),
    };
    for (row, record) in reader.records().enumerate() {
        for (name, text) in names.iter().zip(&record.unwrap()) {
            let is_time = name == "time_ns";
            assert!(is_time || value(name, row) == text, "{name} of row {row}: {} {text}", value(name, row));
        }
    }
    assert_eq!(value("status", 6), "malformed");
    assert_eq!(value("solution", 0), SOLUTION);
}

#[test]
fn lists_stay_lists() {
    let (_folder, [input, output]) = in_folder(["in.parquet", "out.parquet"]);
    let cells: Vec<u8> = PUZZLE.bytes().map(|byte| if byte == b'.' { 0 } else { byte - b'0' }).collect();
    let item = Arc::new(Field::new("item", DataType::UInt8, false));
    let values = Arc::new(UInt8Array::from(cells.repeat(3)));
    let puzzles: ArrayRef = Arc::new(FixedSizeListArray::new(item, 81, values, None));
    let schema = Arc::new(Schema::new(vec![Field::new("puzzle", puzzles.data_type().clone(), false)]));
    write(&input, &RecordBatch::try_new(schema, vec![puzzles]).unwrap(), 2);
    to_file(Run::over(source(&input, Options::default())), &output, Existing::Refuse).unwrap();
    let (found, _) = read(&output);
    let solutions = found.column_by_name("solution").unwrap().as_fixed_size_list();
    let digits: Vec<u8> = SOLUTION.bytes().map(|byte| byte - b'0').collect();
    assert_eq!(
        solutions.values().as_primitive::<arrow_array::types::UInt8Type>().values().to_vec(),
        digits.repeat(3)
    );
    let text = as_csv(Run::over(source(&input, Options::default())));
    assert_eq!(text.lines().nth(1), Some(&*format!("{},{SOLUTION},unique", PUZZLE.replace('.', "0"))));
}

/// The table has more columns than the writer encodes at once.
#[test]
fn wide_tables_keep_all_columns() {
    let (_folder, [input, output]) = in_folder(["in.parquet", "out.parquet"]);
    let few = rows(2_500);
    let column = |number: usize| {
        let (field, array) = (few.schema().field(number % 5).clone(), few.column(number % 5));
        let name = if number == 1 { "puzzle".to_owned() } else { format!("{}_{number}", field.name()) };
        (field.with_name(name), Arc::clone(array))
    };
    let (fields, arrays): (Vec<Field>, Vec<ArrayRef>) = (0..600).map(column).unzip();
    let wide = RecordBatch::try_new(Arc::new(Schema::new(fields)), arrays).unwrap();
    write(&input, &wide, 2_500);
    let run = Run::over(source(&input, Options::default())).threads(NonZeroUsize::MIN);
    to_file(run, &output, Existing::Refuse).unwrap();
    let (found, groups) = read(&output);
    assert_eq!((found.num_columns(), groups), (602, vec![2_500]));
    for (at, field) in wide.schema().fields().iter().enumerate() {
        assert_eq!(found.column(at), wide.column(at), "{}", field.name());
    }
}

#[test]
fn text_round_trips_as_text_columns() {
    let (folder, [table, again]) = in_folder(["out.parquet", "again.csv"]);
    let csv = folder.path().join("in.csv");
    let rows = format!("id,puzzle,words\n7,{PUZZLE},\"a, \"\"b\"\"\"\n8,none,\n9,{PUZZLE}\n").repeat(1);
    fs::write(&csv, rows).unwrap();
    to_file(Run::over(source(&csv, Options::default())), &table, Existing::Refuse).unwrap();
    let (found, _) = read(&table);
    let texts = |name: &str| -> Vec<Option<String>> {
        let array = found.column_by_name(name).unwrap();
        let texts = texts_of(array).into_iter().enumerate();
        texts.map(|(row, text)| array.is_valid(row).then_some(text)).collect()
    };
    let some = |text: &str| Some(text.to_owned());
    assert_eq!(texts("words"), [some("a, \"b\""), None, None]);
    // If a row lacks a column, the whole row is in the first column.
    assert_eq!(texts("id"), [some("7"), some("8"), some(&format!("9,{PUZZLE}"))]);
    assert_eq!(texts("status"), ["unique", "malformed", "malformed"].map(some));
    Run::over(source(&table, Options::default())).to(Sink::file(&again)).unwrap();
    let text = fs::read_to_string(again).unwrap();
    let first = "id,puzzle,words,solution,status,sudobench_solution,sudobench_status\n7,";
    assert!(text.starts_with(first), "{text}");
    assert!(text.contains("\"a, \"\"b\"\"\",") && text.ends_with(",,,,malformed,,malformed\n"), "{text}");
}

#[test]
fn numbers_are_numbers_in_json() {
    let (_folder, [input, _]) = in_folder(["in.parquet", ""]);
    write(&input, &rows(3), 3);
    let mut out = Vec::new();
    let run = Run::over(source(&input, Options::default())).columns(columns("status"));
    run.to(Sink::writer(&mut out).format(OutputFormat::JSONL)).unwrap();
    let text = String::from_utf8(out).unwrap();
    let members: Vec<&str> = text.lines().map(|line| line.split(",\"puzzle\"").next().unwrap()).collect();
    assert_eq!(members, ["{\"id\":0", "{\"id\":1", "{\"id\":2"]);
    assert!(text.lines().next().unwrap().contains("\"rating\":null,\"source\":\"kaggle\""), "{text}");
    assert!(text.lines().nth(1).unwrap().contains("\"rating\":0.25,\"source\":\"forum\""), "{text}");
}

#[test]
fn some_rows_several_files_a_part() {
    let (folder, [one, output]) = in_folder(["one.parquet", "out.parquet"]);
    let two = folder.path().join("two.parquet");
    write(&one, &rows(3_000), 700);
    write(&two, &rows(2_000), 2_000);
    let both = |options: Options| Source::open(&files(&[&one, &two]), options).unwrap();
    let part = || Options { skip: 2_500, limit: Some(1_000), ..Options::default() };
    let run = Run::over(both(part()))
        .filter(Filter::parse(["malformed"], &[]).unwrap())
        .threads(NonZeroUsize::new(3).unwrap());
    let finished = to_file(run, &output, Existing::Refuse).unwrap();
    assert_eq!(finished.measures.tally.rows(), 1_000);
    let (found, _) = read(&output);
    let ids: Vec<i64> =
        found.column_by_name("id").unwrap().as_primitive::<arrow_array::types::Int64Type>().values().to_vec();
    let malformed = |row: &i64| row % 7 == 6 || row % 11 == 10;
    let wanted: Vec<i64> = (2_500..3_000).chain(0..500).filter(malformed).collect();
    assert_eq!(ids, wanted);
    // Only the first notices are kept, and all of them are about the first file.
    assert!(finished.notices.iter().all(|notice| notice.input == 0 && notice.line > 2_500));
    let text = as_csv(Run::over(both(part())).filter(Filter::parse(["malformed"], &[]).unwrap()));
    assert_eq!(text.lines().count(), wanted.len() + 1);
}

#[test]
fn other_columns_are_refused() {
    let (folder, [one, two]) = in_folder(["one.parquet", "two.parquet"]);
    write(&one, &rows(10), 10);
    write(&two, &rows(10).project(&[1]).unwrap(), 10);
    let csv = folder.path().join("three.csv");
    fs::write(&csv, format!("puzzle\n{PUZZLE}\n")).unwrap();
    for paths in [[&one, &two], [&one, &csv], [&csv, &one]] {
        let refused = Source::open(&files(&paths.map(PathBuf::as_path)), Options::default()).err().unwrap();
        assert!(matches!(refused, SourceError::OtherLayout { .. }), "{refused}");
    }
}

/// Cancels a run after some block and resumes it, again and again, until the run is complete.
#[test]
fn an_interrupted_run_can_be_resumed() {
    let (folder, [input, output]) = in_folder(["in.parquet", "out.parquet"]);
    let whole = folder.path().join("whole.parquet");
    write(&input, &rows(60_000), 9_000);
    let run = || Run::over(source(&input, Options::default())).columns(columns("solution,status,nodes"));
    to_file(run(), &whole, Existing::Refuse).unwrap();
    let (mut runs, mut before) = (0, 0);
    loop {
        let cancel = Arc::new(AtomicBool::new(false));
        let (flag, mut blocks) = (Arc::clone(&cancel), 0);
        let existing = if runs == 0 { Existing::Refuse } else { Existing::Resume };
        let run = run().cancel(cancel).progress(move |_| {
            blocks += 1;
            if blocks == 9 {
                flag.store(true, Ordering::SeqCst);
            }
        });
        let finished = to_file(run, &output, existing).unwrap();
        runs += 1;
        assert_eq!(finished.resumed_after, before);
        before = finished.measures.tally.rows();
        if !finished.interrupted {
            break;
        }
        assert!(!output.exists() && runs < 100);
    }
    assert!(runs > 2, "{runs} runs");
    let ((found, groups), (wanted, _)) = (read(&output), read(&whole));
    assert_eq!(found, wanted);
    assert_eq!(groups.iter().sum::<i64>(), 60_000);
    let left: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left.len(), 4, "{left:?}");
}

/// If rows are slow, it takes long to fill a row group. A killed run must not lose the rows of the unfinished row group, and the complete
/// file must have the bytes of a run that was not killed. Here, the files that a killed run leaves are copied at a checkpoint and put back
/// later.
#[test]
fn a_killed_run_keeps_the_rows_of_an_unfinished_row_group() {
    let (folder, [input, output]) = in_folder(["in.parquet", "out.parquet"]);
    let whole = folder.path().join("whole.parquet");
    write(&input, &rows(90_000), 50_000);
    let run = || Run::over(source(&input, Options::default())).columns(columns("solution,status,nodes"));
    to_file(run(), &whole, Existing::Refuse).unwrap();
    let partial = folder.path().join("out.parquet.partial");
    let state = folder.path().join("out.parquet.partial.json");
    let (mut before, mut existing) = (0, Existing::Refuse);
    for _ in 0..2 {
        let left: Arc<Mutex<Option<[Vec<u8>; 2]>>> = Arc::default();
        let cancel = Arc::new(AtomicBool::new(false));
        let (to, flag) = (Arc::clone(&left), Arc::clone(&cancel));
        let paths = [partial.clone(), state.clone()];
        let old = fs::read(&state).unwrap_or_default();
        let slow = run().cancel(cancel).progress(move |_| {
            std::thread::sleep(Duration::from_millis(300));
            let files = paths.each_ref().map(|path| fs::read(path).unwrap());
            // In the text of the checkpoint, a comma separates the footer and the rows that are kept.
            let stored: serde_json::Value = serde_json::from_slice(&files[1]).unwrap();
            let keeps_rows = stored["checkpoint"]["footer"].as_str().is_some_and(|text| text.contains(','));
            if keeps_rows && files[1] != old {
                *to.lock().unwrap() = Some(files);
                flag.store(true, Ordering::SeqCst);
            }
        });
        let stopped = to_file(slow, &output, existing).unwrap();
        assert!(stopped.interrupted, "the run ended before a checkpoint kept rows");
        assert_eq!(stopped.resumed_after, before);
        let [rows, stored] = left.lock().unwrap().take().unwrap();
        fs::write(&partial, rows).unwrap();
        let value: serde_json::Value = serde_json::from_slice(&stored).unwrap();
        fs::write(&state, stored).unwrap();
        let counts = value["checkpoint"]["answered"]["tally"]["by_status"].as_array().unwrap();
        let now = counts.iter().filter_map(serde_json::Value::as_u64).sum();
        assert!(now > before, "{now} {before}");
        (before, existing) = (now, Existing::Resume);
    }
    let finished = to_file(run(), &output, Existing::Resume).unwrap();
    assert_eq!(finished.resumed_after, before);
    assert!(fs::read(&output).unwrap() == fs::read(&whole).unwrap());
}

/// A change of a file is detected by the file's size and its modification time.
#[cfg(unix)]
#[test]
fn a_file_that_changes_while_it_is_read_is_an_error() {
    let (_folder, [input, _]) = in_folder(["in.parquet", ""]);
    write(&input, &rows(3_000), 1_000);
    let bytes = fs::read(&input).unwrap();
    let options = Options { block: BlockSize { min: 1, max: 1_000 }, ..Options::default() };
    let changes: [fn(&Path); 3] = [
        |input| File::options().write(true).open(input).unwrap().set_len(500).unwrap(),
        |input| fs::write(input, [0; 9_000]).unwrap(),
        |input| {
            let file = File::options().write(true).open(input).unwrap();
            file.set_modified(std::time::SystemTime::UNIX_EPOCH).unwrap();
        },
    ];
    for change in changes {
        fs::write(&input, &bytes).unwrap();
        let mut source = Source::open(&files(&[&input]), options.clone()).unwrap();
        assert!(source.next_block(Vec::new()).unwrap().is_some());
        change(&input);
        let error = loop {
            match source.next_block(Vec::new()) {
                Ok(block) => assert!(block.is_some(), "no error at the end"),
                Err(error) => break error,
            }
        };
        assert!(matches!(error, SourceError::ChangedWhileRead { .. }), "{error:?}");
    }
}

#[test]
fn a_table_that_came_through_a_pipe_is_compared_when_a_run_is_resumed() {
    let (folder, [input, output]) = in_folder(["in.parquet", "out.parquet"]);
    write(&input, &rows(30_000), 9_000);
    let table = fs::read(&input).unwrap();
    // The changed byte is not in the first rows, which are read to detect the layout.
    let mut changed = table.clone();
    changed[table.len() / 2] ^= 1;
    let mut runs = 0;
    let mut run = |tables: [&Vec<u8>; 2]| {
        // Each run gets new pipes, because the writer of a pipe that nobody reads would wait forever.
        runs += 1;
        let pipes = ["first", "last"].map(|name| folder.path().join(format!("{name}{runs}")));
        for (pipe, table) in pipes.iter().zip(tables) {
            assert!(std::process::Command::new("mkfifo").arg(pipe).status().unwrap().success());
            let (pipe, table) = (pipe.clone(), table.clone());
            std::thread::spawn(move || drop(fs::write(pipe, table)));
        }
        let inputs = files(&pipes.each_ref().map(PathBuf::as_path));
        Run::over(Source::open(&inputs, Options::default()).unwrap()).columns(columns("solution,status"))
    };
    let whole = folder.path().join("whole.parquet");
    to_file(run([&table, &table]), &whole, Existing::Refuse).unwrap();
    // The runs are stopped within the first table, and within the last table.
    for (stop_after, others) in
        [(3_000, vec![[&changed, &table]]), (33_000, vec![[&changed, &table], [&table, &changed]])]
    {
        let cancel = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&cancel);
        let interrupted = run([&table, &table])
            .cancel(cancel)
            .progress(move |progress| flag.store(progress.rows >= stop_after, Ordering::SeqCst));
        let finished = to_file(interrupted, &output, Existing::Refuse).unwrap();
        assert!(finished.interrupted);
        assert_eq!(finished.measures.tally.rows() > 30_000, stop_after > 30_000);
        for tables in others {
            let refused = to_file(run(tables), &output, Existing::Resume).unwrap_err();
            let RunError::Halfway { error, .. } = refused else { panic!("{refused}") };
            assert!(matches!(*error, RunError::Source(SourceError::Changed { .. })), "{error}");
            assert!(!output.exists());
        }
        let resumed = to_file(run([&table, &table]), &output, Existing::Resume).unwrap();
        assert_eq!(resumed.resumed_after, finished.measures.tally.rows());
        assert_eq!(read(&output).0, read(&whole).0);
        fs::remove_file(&output).unwrap();
    }
}

#[test]
fn a_run_that_ended_before_its_first_row_can_be_resumed() {
    let (folder, [input, output]) = in_folder(["in.parquet", "out.parquet"]);
    let whole = folder.path().join("whole.parquet");
    write(&input, &rows(50), 50);
    let run = || Run::over(source(&input, Options::default()));
    to_file(run(), &whole, Existing::Refuse).unwrap();
    // This run is cancelled before its first row, so the partial file contains only `PAR1`, the first four bytes of every Parquet file.
    let finished = to_file(run().cancel(Arc::new(AtomicBool::new(true))), &output, Existing::Refuse).unwrap();
    assert!(finished.interrupted && !output.exists());
    assert_eq!(finished.measures.tally.rows(), 0);
    to_file(run(), &output, Existing::Resume).unwrap();
    assert_eq!(fs::read(&output).unwrap(), fs::read(&whole).unwrap());
}

#[test]
fn a_file_without_rows_is_valid() {
    let (_folder, [input, output]) = in_folder(["in.parquet", "out.parquet"]);
    write(&input, &rows(5), 5);
    let none = Options { limit: Some(0), ..Options::default() };
    to_file(Run::over(source(&input, none)), &output, Existing::Refuse).unwrap();
    let (found, groups) = read(&output);
    assert_eq!((found.num_rows(), found.num_columns(), groups.len()), (0, 7, 0));
    write(&input, &rows(0), 5);
    let named = Options { puzzle_column: Some("puzzle".into()), ..Options::default() };
    let finished = to_file(Run::over(source(&input, named)), &output, Existing::Overwrite).unwrap();
    assert_eq!(finished.measures.tally.rows(), 0);
}

/// Writes a file without Arrow's description of the types.
fn write_plain(path: &Path, fields: Vec<Field>, arrays: Vec<ArrayRef>, properties: WriterProperties) {
    let schema = Arc::new(Schema::new(fields));
    let options = ArrowWriterOptions::new().with_properties(properties).with_skip_arrow_metadata(true);
    let file = File::create(path).unwrap();
    let mut writer = ArrowWriter::try_new_with_options(file, Arc::clone(&schema), options).unwrap();
    writer.write(&RecordBatch::try_new(schema, arrays).unwrap()).unwrap();
    writer.close().unwrap();
}

/// Returns the columns of a file as Parquet describes them.
fn parquet_columns(path: &Path) -> Vec<(String, Option<LogicalType>)> {
    let builder = ParquetRecordBatchReaderBuilder::try_new(File::open(path).unwrap()).unwrap();
    let columns = builder.metadata().file_metadata().schema_descr_ptr();
    columns
        .columns()
        .iter()
        .map(|column| (column.path().string(), column.logical_type_ref().cloned()))
        .collect()
}

#[test]
fn columns_may_share_a_name() {
    let (_folder, [input, output]) = in_folder(["in.parquet", "out.parquet"]);
    let arrays: Vec<ArrayRef> = vec![
        Arc::new(StringArray::from(vec![PUZZLE; 3])),
        Arc::new(Int64Array::from(vec![1, 2, 3])),
        Arc::new(StringArray::from(vec!["a", "b", "c"])),
    ];
    let names = ["puzzle", "twice", "twice"];
    let fields =
        names.iter().zip(&arrays).map(|(name, array)| Field::new(*name, array.data_type().clone(), true));
    let schema = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
    write(&input, &RecordBatch::try_new(schema, arrays.clone()).unwrap(), 3);
    to_file(Run::over(source(&input, Options::default())), &output, Existing::Refuse).unwrap();
    let (found, _) = read(&output);
    assert_eq!(found.columns()[..3], arrays);
}

/// Types that Parquet itself defines, such as dates, UUIDs and JSON, stay the same. pyarrow and DuckDB keep these types too.
#[test]
fn parquet_s_own_types_stay() {
    let (_folder, [input, output]) = in_folder(["in.parquet", "out.parquet"]);
    let extension = |name: &str| [("ARROW:extension:name".to_owned(), name.to_owned())].into();
    let mut json: HashMap<String, String> = extension("arrow.json");
    json.insert("ARROW:extension:metadata".to_owned(), String::new());
    let fields = vec![
        Field::new("puzzle", DataType::Utf8, true),
        Field::new("day", DataType::Date64, true),
        Field::new("key", DataType::FixedSizeBinary(16), true).with_metadata(extension("arrow.uuid")),
        Field::new("more", DataType::Utf8, true).with_metadata(json),
    ];
    let day = 86_400_000;
    let keys = FixedSizeBinaryArray::try_from_iter([[7; 16], [8; 16]].iter()).unwrap();
    let arrays: Vec<ArrayRef> = vec![
        Arc::new(StringArray::from(vec![PUZZLE; 2])),
        Arc::new(Date64Array::from(vec![Some(20_000 * day), None])),
        Arc::new(keys),
        Arc::new(StringArray::from(vec!["{}", "[]"])),
    ];
    let properties = WriterProperties::builder().set_coerce_types(true).build();
    write_plain(&input, fields.clone(), arrays.clone(), properties.clone());
    let wanted = parquet_columns(&input);
    assert_eq!(wanted[1].1, Some(LogicalType::Date));
    assert_eq!((&wanted[2].1, &wanted[3].1), (&Some(LogicalType::Uuid), &Some(LogicalType::Json)));
    to_file(Run::over(source(&input, Options::default())), &output, Existing::Refuse).unwrap();
    assert_eq!(parquet_columns(&output)[..4], wanted);
    // If the file also stores Arrow's own schema, the dates are read as `Date64`, not as `Date32`.
    let file = File::create(&input).unwrap();
    let schema = Arc::new(Schema::new(fields));
    let mut writer = ArrowWriter::try_new(file, Arc::clone(&schema), Some(properties)).unwrap();
    writer.write(&RecordBatch::try_new(schema, arrays).unwrap()).unwrap();
    writer.close().unwrap();
    to_file(Run::over(source(&input, Options::default())), &output, Existing::Overwrite).unwrap();
    assert_eq!(parquet_columns(&output)[..4], wanted);
    let ((found, _), (before, _)) = (read(&output), read(&input));
    assert_eq!(found.columns()[..4], *before.columns());
}

/// Parquet has no times in seconds, so they are written as milliseconds, as pyarrow does.
#[test]
fn times_in_seconds_become_milliseconds() {
    let (_folder, [input, output]) = in_folder(["in.parquet", "out.parquet"]);
    let zone: Option<Arc<str>> = Some("Europe/Berlin".into());
    let seconds = |times: &[Option<i64>]| TimestampSecondArray::from(times.to_vec());
    let milliseconds = |times: &[Option<i64>]| {
        TimestampMillisecondArray::from_iter(times.iter().map(|time| time.map(|time| time * 1000)))
    };
    let times = [Some(1_714_564_800), None, Some(-1)];
    let (day, other_day) = (Time32SecondArray::from(vec![3723, 0, 86_399]), vec![3_723_000, 0, 86_399_000]);
    let before: Vec<ArrayRef> = vec![
        Arc::new(StringArray::from(vec![PUZZLE; 3])),
        Arc::new(seconds(&times)),
        Arc::new(seconds(&times).with_timezone_opt(zone.clone())),
        Arc::new(day),
    ];
    let after: Vec<ArrayRef> = vec![
        Arc::clone(&before[0]),
        Arc::new(milliseconds(&times)),
        Arc::new(milliseconds(&times).with_timezone_opt(zone)),
        Arc::new(Time32MillisecondArray::from(other_day)),
    ];
    let table = |arrays: &[ArrayRef]| {
        let names = ["puzzle", "when", "zoned", "time"];
        RecordBatch::try_from_iter_with_nullable(
            names.into_iter().zip(arrays.iter().cloned()).map(|(name, array)| (name, array, true)),
        )
        .unwrap()
    };
    write(&input, &table(&before), 3);
    // The second case reads only the second row, so the arrays to convert are slices that start within a column.
    for (skip, rows) in [(0, 3), (1, 1)] {
        let options = Options { skip, limit: Some(rows), ..Options::default() };
        to_file(Run::over(source(&input, options)), &output, Existing::Overwrite).unwrap();
        let wanted = table(&after).slice(skip as usize, rows as usize);
        assert_eq!(read(&output).0.columns()[..4], *wanted.columns());
        let types: Vec<_> = parquet_columns(&output).into_iter().take(4).map(|(_, found)| found).collect();
        assert!(types.iter().all(Option::is_some), "{types:?}");
    }
    let late = [Some(i64::MAX), None, None];
    write(&input, &table(&[&before[..1], &[Arc::new(seconds(&late))], &before[2..]].concat()), 3);
    let refused = to_file(Run::over(source(&input, Options::default())), &output, Existing::Overwrite);
    let RunError::Halfway { error, .. } = refused.unwrap_err() else { panic!("not halfway") };
    let cause = std::error::Error::source(&*error).unwrap().to_string();
    assert!(cause.contains("Overflow"), "{cause}");
}

#[test]
fn metadata_of_columns_may_differ_between_files() {
    let (folder, [one, two]) = in_folder(["one.parquet", "two.parquet"]);
    let output = folder.path().join("out.parquet");
    let puzzles: ArrayRef = Arc::new(StringArray::from(vec![PUZZLE; 2]));
    let said = |of: &str| [("said".to_owned(), of.to_owned())].into();
    let plain = WriterProperties::default;
    let nullable = Field::new("puzzle", DataType::Utf8, true).with_metadata(said("one"));
    write_plain(&one, vec![nullable.clone()], vec![Arc::clone(&puzzles)], plain());
    let never_null = Field::new("puzzle", DataType::Utf8, false).with_metadata(said("two"));
    write_plain(&two, vec![never_null], vec![puzzles], plain());
    let both = Source::open(&files(&[&one, &two]), Options::default()).unwrap();
    to_file(Run::over(both), &output, Existing::Refuse).unwrap();
    assert_eq!(read(&output).0.num_rows(), 4);
    // In this order, the output's column can't contain nulls, but the second file's column can.
    let refused = Source::open(&files(&[&two, &one]), Options::default()).err().unwrap().to_string();
    assert!(refused.contains("`puzzle Utf8` instead of columns `puzzle Utf8 not null`"), "{refused}");
}

/// If rows are large, for example because of images, a block has few rows.
#[test]
fn large_rows_are_few_in_a_block() {
    let (_folder, [input, _]) = in_folder(["in.parquet", ""]);
    let large = "x".repeat(1 << 19);
    let fields = ["puzzle", "image"].map(|name| Field::new(name, DataType::Utf8, true));
    let arrays: Vec<ArrayRef> = vec![
        Arc::new(StringArray::from(vec![PUZZLE; 128])),
        Arc::new(StringArray::from(vec![large.as_str(); 128])),
    ];
    // The dictionary stores the repeated value once.
    write_plain(&input, fields.to_vec(), arrays, WriterProperties::default());
    assert!(fs::metadata(&input).unwrap().len() < 1 << 20);
    let blocks = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&blocks);
    let run = Run::over(source(&input, Options::default())).progress(move |_| {
        count.fetch_add(1, Ordering::SeqCst);
    });
    run.to(Sink::writer(std::io::sink())).unwrap();
    assert!(blocks.load(Ordering::SeqCst) >= 4, "{blocks:?}");
}

/// The footer shows the compression, so the file is refused before any work.
#[test]
fn unsupported_compressions_are_named() {
    let (_folder, [input, output]) = in_folder(["in.parquet", "out.parquet"]);
    write(&input, &rows(10), 10);
    let builder = ParquetRecordBatchReaderBuilder::try_new(File::open(&input).unwrap()).unwrap();
    let groups: Vec<_> = builder
        .metadata()
        .row_groups()
        .iter()
        .map(|group| {
            let columns = group.columns().iter().map(|column| {
                let brotli = column.clone().into_builder().set_compression_codec(CompressionCodec::BROTLI);
                brotli.build().unwrap()
            });
            group.clone().into_builder().set_column_metadata(columns.collect()).build().unwrap()
        })
        .collect();
    let metadata = ParquetMetaData::new(builder.metadata().file_metadata().clone(), groups);
    let mut bytes = fs::read(&input).unwrap();
    ParquetMetaDataWriter::new(&mut bytes, &metadata).finish().unwrap();
    fs::write(&output, bytes).unwrap();
    let refused = Source::open(&files(&[&output]), Options::default()).err().unwrap();
    let words = format!("{refused}: {}", std::error::Error::source(&refused).unwrap());
    assert!(
        words.contains("write it again") && words.contains("\"id\" is compressed with BROTLI"),
        "{words}"
    );
}

#[test]
fn numbers_that_were_puzzles_are_reported_with_a_remedy() {
    let (_folder, [input, _]) = in_folder(["in.parquet", ""]);
    let arrays: Vec<ArrayRef> = vec![Arc::new(Float64Array::from(vec![8.12e80]))];
    write_plain(
        &input,
        vec![Field::new("puzzle", DataType::Float64, true)],
        arrays,
        WriterProperties::default(),
    );
    let refused = Source::open(&files(&[&input]), Options::default()).err().unwrap().to_string();
    assert!(refused.contains("a number cannot store 81 digits"), "{refused}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// A file with any damage must give an error or rows, but no panic.
    #[test]
    fn no_damaged_file_panics(changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6), cut in any::<prop::sample::Index>(), is_cut in any::<bool>()) {
        let (_folder, [input, _]) = in_folder(["in.parquet", ""]);
        write(&input, &rows(50), 20);
        let mut bytes = fs::read(&input).unwrap();
        for (at, byte) in changes {
            // The bytes that mark a Parquet file, at the start and the end, are not changed.
            let at = 4 + at.index(bytes.len() - 8);
            bytes[at] = byte;
        }
        if is_cut {
            bytes.truncate(4 + cut.index(bytes.len() - 4));
        }
        if let Ok(source) = Source::from_reader("a broken file", std::io::Cursor::new(bytes), Options::default()) {
            match Run::over(source).threads(NonZeroUsize::MIN).to(Sink::writer(std::io::sink())) {
                Ok(_) | Err(RunError::Source(_) | RunError::Halfway { .. }) => {}
                Err(error) => prop_assert!(false, "{error}"),
            }
        }
    }
}
