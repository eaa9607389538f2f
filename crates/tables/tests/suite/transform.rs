//! Tests tables whose rows are transformed. For all tested types of arrays, the result is the same as for text.

use std::fs::File;
use std::io::Cursor;
use std::num::{NonZeroU64, NonZeroUsize};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use arrow_array::builder::{
    FixedSizeBinaryBuilder, FixedSizeListBuilder, ListBuilder, StringDictionaryBuilder, UInt8Builder,
};
use arrow_array::cast::AsArray as _;
use arrow_array::types::{Int8Type, UInt8Type};
use arrow_array::{Array as _, ArrayRef, Int64Array, LargeListArray, ListArray, RecordBatch, StringArray};
use arrow_buffer::{NullBuffer, OffsetBuffer};
use arrow_schema::{DataType, Field};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use sudobench_rows::columns::TRANSFORM;
use sudobench_rows::facts::{Fact, FactContext, Need, PuzzlesOfBlock};
use sudobench_rows::sink::{Existing, Target};
use sudobench_rows::source::{Input, Options, Source};
use sudobench_rows::{Run, Sink, Transform};
use sudobench_sudoku::simd::LevelError;

use super::arrays::{integer_array, text_array};

const PUZZLE: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
const SOLUTION: &str = "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

/// The rows of the test: a puzzle, a null, a malformed puzzle, a puzzle.
const ROWS: [Option<&str>; 4] = [Some(PUZZLE), None, Some("short"), Some(SOLUTION)];

/// Returns the cells of a row. For the malformed row, returns `wrong`: too many cells, or a cell with a value above 9.
fn cells(row: Option<&str>, wrong: &[u8]) -> Option<Vec<u8>> {
    let digit = |byte: u8| if byte == b'.' { 0 } else { byte - b'0' };
    row.map(|row| if row == "short" { wrong.to_vec() } else { row.bytes().map(digit).collect() })
}

/// Returns the rows as arrays of many types that can hold boards.
fn arrays() -> Vec<ArrayRef> {
    let texts: Vec<Vec<u8>> = ROWS.iter().map(|row| row.unwrap_or_default().as_bytes().to_vec()).collect();
    let nulls = NullBuffer::from_iter(ROWS.iter().map(Option::is_some));
    let types =
        [DataType::Utf8, DataType::LargeUtf8, DataType::Utf8View, DataType::Binary, DataType::LargeBinary];
    let mut arrays: Vec<ArrayRef> =
        types.iter().map(|data_type| text_array(&texts, Some(nulls.clone()), data_type)).collect();
    let mut binary = FixedSizeBinaryBuilder::new(81);
    let mut dictionary = StringDictionaryBuilder::<Int8Type>::new();
    let mut list = ListBuilder::new(UInt8Builder::new());
    let mut fixed = FixedSizeListBuilder::new(UInt8Builder::new(), 81);
    let mut nested = ListBuilder::new(FixedSizeListBuilder::new(UInt8Builder::new(), 9));
    let long = [[0; 81].to_vec(), vec![1; 9]].concat();
    let large = [[0; 80].to_vec(), vec![12]].concat();
    for row in ROWS {
        match row {
            Some("short") => binary.append_value([b'?'; 81]).unwrap(),
            Some(text) => binary.append_value(text).unwrap(),
            None => binary.append_null(),
        }
        dictionary.append_option(row);
        list.append_option(cells(row, &long).map(|cells| cells.into_iter().map(Some)));
        for cell in cells(row, &large).unwrap_or(vec![0; 81]) {
            fixed.values().append_value(cell);
        }
        fixed.append(row.is_some());
        for row in cells(row, &long).unwrap_or_default().chunks(9) {
            row.iter().for_each(|&cell| nested.values().values().append_value(cell));
            nested.values().append(true);
        }
        nested.append(row.is_some());
    }
    let list = list.finish();
    let numbers = list.values().as_primitive::<UInt8Type>().values();
    for integer in [DataType::Int16, DataType::UInt32, DataType::Int64] {
        let item = Arc::new(Field::new_list_field(integer.clone(), true));
        let numbers = integer_array(numbers.iter().copied(), &integer);
        let offsets = OffsetBuffer::from_lengths(list.offsets().lengths());
        let large =
            LargeListArray::new(Arc::clone(&item), offsets, Arc::clone(&numbers), list.nulls().cloned());
        let small = ListArray::new(item, list.offsets().clone(), numbers, list.nulls().cloned());
        arrays.extend([Arc::new(large) as ArrayRef, Arc::new(small)]);
    }
    arrays.extend([Arc::new(list) as ArrayRef, Arc::new(fixed.finish()), Arc::new(nested.finish())]);
    arrays.extend([Arc::new(binary.finish()) as ArrayRef, Arc::new(dictionary.finish())]);
    arrays
}

/// Writes a Parquet file with a column of puzzles. Its other columns have numbers, repeated words, and boards (one board is malformed).
fn write(path: &Path, puzzles: &ArrayRef) {
    let mut words = StringDictionaryBuilder::<Int8Type>::new();
    words.extend(["a", "b", "a", "b"].map(Some));
    let boards = StringArray::from(vec![Some(SOLUTION), Some(SOLUTION), None, Some("x")]);
    let mut same_boards = StringDictionaryBuilder::<Int8Type>::new();
    same_boards.extend([Some(SOLUTION), Some(SOLUTION), None, Some("x")]);
    let columns: [(&str, ArrayRef); 5] = [
        ("id", Arc::new(Int64Array::from(vec![1, 2, 3, 4]))),
        ("puzzle", Arc::clone(puzzles)),
        ("words", Arc::new(words.finish())),
        ("board", Arc::new(boards)),
        ("same", Arc::new(same_boards.finish())),
    ];
    let batch =
        RecordBatch::try_from_iter_with_nullable(columns.map(|(name, array)| (name, array, true))).unwrap();
    let mut writer = ArrowWriter::try_new(File::create(path).unwrap(), batch.schema(), None).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
}

fn run(path: &Path) -> Run<'static> {
    sudobench_tables::add_formats();
    Run::over(Source::open(&[Input::File(path.to_owned())], Options::default()).unwrap())
}

fn as_csv(run: Run) -> String {
    let mut text = Vec::new();
    run.to(Sink::writer(&mut text)).unwrap();
    String::from_utf8(text).unwrap()
}

#[test]
fn arrays_are_transformed_like_their_texts() {
    let folder = tempfile::tempdir().unwrap();
    let [input, output] = ["in.parquet", "out.parquet"].map(|name| folder.path().join(name));
    let forms = NonZeroU64::new(3).unwrap();
    for transform in [Transform::random(forms, 4), Transform::Canonical] {
        for array in arrays() {
            let data_type = array.data_type();
            write(&input, &array);
            let formed = || run(&input).expand(Arc::new(transform)).columns(TRANSFORM);
            let by_text = as_csv(formed());
            let _ = std::fs::remove_file(&output);
            formed().to(Sink::file(&output)).unwrap();
            assert_eq!(as_csv(run(&output).columns([])), by_text, "{data_type}");

            let rows = 2 * transform.forms() as usize + 2;
            assert_eq!(by_text.lines().count(), 1 + rows, "{by_text}");
            let lines: Vec<&str> = by_text.lines().collect();
            assert!(lines[1].starts_with("1,") && lines[rows].starts_with("4,"), "{by_text}");
            assert!(!lines[1].contains(SOLUTION) && lines[transform.forms() as usize + 1].contains(SOLUTION));
            // Types stay the same, except dictionaries of boards.
            let schema = |path| {
                ParquetRecordBatchReaderBuilder::try_new(File::open(path).unwrap()).unwrap().schema().clone()
            };
            let wanted =
                if matches!(data_type, DataType::Dictionary(..)) { &DataType::Utf8 } else { data_type };
            let (before, after) = (schema(&input), schema(&output));
            assert_eq!(after.field(1).data_type(), wanted);
            assert_eq!(after.field(4).data_type(), &DataType::Utf8);
            assert_eq!(
                [after.field(0), after.field(2), after.field(3)],
                [before.field(0), before.field(2), before.field(3)]
            );
        }
    }
}

/// A fact that cancels the run in the second piece of a block.
struct CancelsSecondPiece {
    cancel: Arc<AtomicBool>,
    pieces: usize,
}

impl Fact for CancelsSecondPiece {
    type Value = ();

    fn new(context: &FactContext, _: u32) -> Result<CancelsSecondPiece, LevelError> {
        Ok(CancelsSecondPiece { cancel: context.cancel.clone(), pieces: 0 })
    }

    fn compute(&mut self, block: &PuzzlesOfBlock, values: &mut Vec<Option<()>>) {
        self.pieces += 1;
        let complete = if self.pieces == 2 { 0 } else { block.puzzles.len() };
        values.resize(complete, Some(()));
        if self.pieces == 2 {
            self.cancel.store(true, Ordering::SeqCst);
        }
    }
}

#[test]
fn a_piece_whose_facts_are_interrupted_is_given_up_as_a_whole() {
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("out.csv");
    let forms = NonZeroU64::new(20_000).unwrap();
    let run = || {
        let text = Cursor::new(format!("{PUZZLE}\n{SOLUTION}\n"));
        let source = Source::from_reader("the test", text, Options::default()).unwrap();
        Run::over(source).expand(Arc::new(Transform::random(forms, 4))).columns([]).threads(NonZeroUsize::MIN)
    };
    let sink = || Sink::target(Target::File(output.clone()), Existing::Resume);
    let cut = run().needs([Need::new::<CancelsSecondPiece>()]).to(sink()).unwrap();
    assert!(cut.interrupted && cut.forms > 0 && cut.forms < forms.get() / 2);
    let partial = std::fs::read_to_string(cut.partial.unwrap()).unwrap();
    assert_eq!(partial.lines().count() as u64, 1 + cut.forms);
    run().to(sink()).unwrap();
    assert!(std::fs::read_to_string(&output).unwrap() == as_csv(run()), "the resumed output differs");
}
