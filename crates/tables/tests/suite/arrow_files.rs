//! Arrow files in and out: columns and types stay, nothing is lost on the way.

use std::fs::{self, File};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use arrow_array::builder::{ListBuilder, StringDictionaryBuilder};
use arrow_array::types::Int32Type;
use arrow_array::{ArrayRef, RecordBatch, StringArray};
use arrow_ipc::CompressionType;
use arrow_ipc::reader::FileReader;
use arrow_ipc::writer::{FileWriter, IpcWriteOptions};
use arrow_schema::DataType;
use arrow_select::concat::concat_batches;
use proptest::prelude::*;
use sudobench_rows::sink::{Existing, OutputFormat, Target};
use sudobench_rows::source::Options;
use sudobench_rows::{Finished, Run, RunError, Sink};
use sudobench_tables::{ARROW, PARQUET};

use super::parquet::{columns, in_folder, rows, source};

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

/// All rows of a file, and the number of its record batches.
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
fn columns_and_types_stay_however_the_file_is_compressed() {
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
        // Each row of a dictionary gets its own value, for a file has each dictionary once.
        assert_eq!(found.column_by_name("source").unwrap().data_type(), &DataType::Utf8);
        assert_eq!(found.schema().metadata(), batch.schema().metadata());
        let status = found.column_by_name("status").unwrap();
        assert!(matches!(status.data_type(), DataType::Dictionary(..)), "{}", status.data_type());
    }
}

#[test]
fn text_becomes_columns_of_text_and_comes_back() {
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
    // What goes to a pipe is the same file.
    let mut piped = Vec::new();
    run().to(Sink::writer(&mut piped).format(ARROW)).unwrap();
    assert!(piped == fs::read(&output).unwrap());
}

#[test]
fn no_rows_are_a_file_as_well() {
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

/// Runs that are cancelled after some block, again and again, until one comes to the end.
#[test]
fn an_interrupted_run_is_gone_on_with() {
    let (folder, [input, output]) = in_folder(["in.arrow", "out.arrow"]);
    let whole = folder.path().join("whole.arrow");
    write(&input, &rows(60_000), 9_000, Some(CompressionType::LZ4_FRAME));
    let run = || Run::over(source(&input, Options::default())).columns(columns("solution,status"));
    to_file(run(), &whole, Existing::Refuse, ARROW).unwrap();
    // Before the first row nothing but the header may be there.
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
    assert!(fs::read(&output).unwrap() == fs::read(&whole).unwrap());
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
    assert!(words.contains("the column words has dictionaries inside its values"), "{words}");
    assert!(!output.exists());
    to_file(run(), &output.with_extension("parquet"), Existing::Refuse, PARQUET).unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    /// A damaged file gives an error, or other rows; no panic, and no more memory than there is.
    #[test]
    fn no_file_is_too_broken(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
        cut in any::<prop::sample::Index>(),
        is_cut in prop::bool::weighted(0.1),
        compression in prop::sample::select(&[None, Some(CompressionType::LZ4_FRAME), Some(CompressionType::ZSTD)][..]),
    ) {
        let (_folder, [input, _]) = in_folder(["in.arrow", "out.arrow"]);
        write(&input, &rows(40), 15, compression);
        let mut bytes = fs::read(&input).unwrap();
        for (at, byte) in changes {
            // Most bytes are metadata, and those of the footer say where all stands.
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        if is_cut {
            bytes.truncate(cut.index(bytes.len()));
        }
        fs::write(&input, &bytes).unwrap();
        sudobench_tables::add_formats();
        if let Ok(source) = sudobench_rows::source::Source::open(
            &[sudobench_rows::source::Input::File(input.clone())],
            Options { puzzle_column: Some("puzzle".into()), ..Options::default() },
        ) {
            let _ = Run::over(source).to(Sink::writer(std::io::sink()));
        }
    }
}
