//! Tests of outputs. All rows of a CSV output must have the same number of columns, and the keys of a JSON object must differ.

use std::io::Cursor;
use std::path::Path;

use csv::ByteRecord;
use proptest::prelude::*;
use sudobench_rows::columns::SOLVE;
use sudobench_rows::sink::OutputFormat;
use sudobench_rows::source::{Input, InputFormat, Options, Source};
use sudobench_rows::{Finished, Run, RunError, Sink};

use super::{PUZZLE as P, SOLUTION as S, forced};

/// Solves the rows of `source`, with all columns of `solve` except the times. Returns the output, and the result of the run.
fn solved(source: Source, format: OutputFormat) -> (Vec<u8>, Finished) {
    let columns: Vec<_> = SOLVE.into_iter().filter(|column| column.name != "time_ns").collect();
    let mut out = Vec::new();
    let finished = Run::over(source).columns(columns).to(Sink::writer(&mut out).format(format)).unwrap();
    (out, finished)
}

fn solved_text(text: &str, format: OutputFormat) -> String {
    let source = Source::from_reader("the test", Cursor::new(text.to_owned()), Options::default()).unwrap();
    String::from_utf8(solved(source, format).0).unwrap()
}

/// Reads CSV with the strictest setting of the csv crate: it requires that all records have as many fields as the first.
fn records(text: &[u8], delimiter: u8) -> Vec<ByteRecord> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).delimiter(delimiter).from_reader(text);
    reader.byte_records().map(|record| record.unwrap()).collect()
}

/// Pieces with a special meaning in CSV. [`WORDS`] has the other pieces of rows.
const MARKS: &[&[u8]] = &[b"\"", b"\"\"", b",", b"\n", b"\r", b"\r\n", b"\",\"", b",\"", b"\",", b"\"\n"];
const WORDS: &[&[u8]] = &[P.as_bytes(), S.as_bytes(), b"\0", b" ", b";", b"\t", b"a", b"7", b"#"];

fn hostile() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        6 => prop::sample::select(MARKS).prop_map(<[u8]>::to_vec),
        2 => Just(format!("{P},{S},x\n").into_bytes()),
        2 => prop::sample::select(WORDS).prop_map(<[u8]>::to_vec),
        1 => prop::collection::vec(any::<u8>(), 1..4),
    ];
    prop::collection::vec(piece, 1..50).prop_map(|pieces| pieces.concat())
}

fn write(folder: &Path, number: usize, text: &[u8]) -> Input {
    let path = folder.join(format!("{number}.csv"));
    std::fs::write(&path, text).unwrap();
    Input::File(path)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn the_output_is_rectangular(text in hostile(), format in prop::sample::select(&[None, Some(InputFormat::CSV), Some(InputFormat::LINES)][..])) {
        let options = Options { format, puzzle_column: Some("1".into()), ..Options::default() };
        let Ok(source) = Source::from_reader("the test", Cursor::new(text), options) else { return Ok(()) };
        let csv = source.layout().csv().cloned();
        let delimiter = csv.as_ref().map_or(b',', |csv| csv.delimiter);
        let has_header = csv.is_none_or(|csv| csv.header.is_some());
        let (out, finished) = solved(source, OutputFormat::CSV);
        let found = records(&out, delimiter).len() as u64;
        prop_assert_eq!(found, finished.measures.tally.rows() + u64::from(has_header));
    }

    /// A CSV reader reads the records of both inputs in the output, even if the first input ends inside of quotes.
    #[test]
    fn every_output_file_round_trips(texts in prop::collection::vec(hostile(), 2)) {
        let folder = tempfile::tempdir().unwrap();
        let options = || Options {
            header: Some(false),
            delimiter: Some(b','),
            puzzle_column: Some("1".into()),
            ..forced(InputFormat::CSV)
        };
        // All files start with rows of three columns, so that the layout has three columns.
        let texts: Vec<Vec<u8>> =
            texts.iter().map(|text| [format!("{P},{S},x\n").repeat(60).as_bytes(), text].concat()).collect();
        let inputs: Vec<Input> =
            texts.iter().enumerate().map(|(number, text)| write(folder.path(), number, text)).collect();
        let (out, _) = solved(Source::open(&inputs, options()).unwrap(), OutputFormat::CSV);
        let mut out = records(&out, b',').into_iter();
        for text in &texts {
            let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(&text[..]);
            for record in reader.byte_records() {
                let (record, written) = (record.unwrap(), out.next().unwrap());
                // A row that does not fit the columns is written whole into the first column.
                let is_whole = written.iter().skip(1).take(2).all(<[u8]>::is_empty) && &written[4] == b"malformed";
                prop_assert!(record.iter().eq(written.iter().take(3)) || is_whole, "{:?} {:?}", record, written);
            }
        }
        prop_assert!(out.next().is_none());
    }
}

#[test]
fn ambiguous_quotes_are_normalized() {
    let text = format!(
        "puzzle,note,\"a\"b\n{P},\"a \"\"b\"\"\",c\n{P},6'2\",\"x\" y\n\"{P}\"x,1,2,3\n\"{P}\"x,\"1,2\n{P},,\n"
    );
    let out = solved_text(&text, OutputFormat::CSV);
    let starts: Vec<&str> =
        ["puzzle,note,ab,solution", "\"a \"\"b\"\"\",c,534", "\"6'2\"\"\",x y,534"].into();
    for (line, start) in out.lines().zip(starts) {
        assert!(line.trim_start_matches(P).trim_start_matches(',').starts_with(start), "{line}");
    }
    let rows = records(out.as_bytes(), b',');
    assert_eq!(rows[3][0], *format!("\"{P}\"x,1,2,3").as_bytes());
    assert_eq!(rows[4][0], *format!("\"{P}\"x,\"1,2\n{P},,\n").as_bytes(), "the rest of the text, unchanged");
    assert_eq!(rows.len(), 5);
}

#[test]
fn names_stay_unique_if_an_output_is_solved_again() {
    let mut text = format!("puzzle,note,note\n{P},a,b\n");
    for _ in 0..4 {
        text = solved_text(&text, OutputFormat::CSV);
        let header = records(text.as_bytes(), b',').swap_remove(0);
        let mut names: Vec<&[u8]> = header.iter().collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), header.len(), "{header:?}");
        for line in solved_text(&text, OutputFormat::JSONL).lines() {
            let keys = serde_json::from_str::<serde_json::Value>(line).unwrap().as_object().unwrap().len();
            assert_eq!(keys, header.len() + SOLVE.len() - 1);
        }
    }
    assert!(
        text.starts_with(
            "puzzle,note,note_2,solution,status,count,clues,nodes,guesses,match,sudobench_note,"
        )
    );
    assert!(text.lines().next().unwrap().ends_with("sudobench_match_3,sudobench_note_4"), "{text}");
}

/// Returns many lines. The sample that decides the layout has only puzzles; a line after the sample also has text before and after its
/// puzzle.
fn late_words() -> String {
    format!("{}id7: {P} my comment\n{P}\n", format!("{P}\n").repeat(2000))
}

#[test]
fn words_that_come_late_are_not_lost() {
    let run = |options: Options, format: OutputFormat| {
        let source = Source::from_reader("list.txt", Cursor::new(late_words()), options).unwrap();
        let mut out = Vec::new();
        let ended = Run::over(source).to(Sink::writer(&mut out).format(format));
        (String::from_utf8(out).unwrap(), ended)
    };
    for format in [OutputFormat::CSV, OutputFormat::JSONL] {
        let (out, ended) = run(Options::default(), format);
        let RunError::Halfway { error, finished } = ended.unwrap_err() else {
            panic!("not an error in the middle of the run")
        };
        assert_eq!(
            error.to_string(),
            "line 2001 of list.txt has text before or after its puzzle, but the first lines have none, so the output has no column for \
             this text; add --input-format lines, which always has the columns `label` and `comment`"
        );
        assert_eq!((finished.measures.tally.rows(), out.matches("unique").count()), (2000, 2000));
    }
    let (out, ended) = run(forced(InputFormat::LINES), OutputFormat::CSV);
    assert_eq!(ended.unwrap().measures.tally.rows(), 2002);
    assert!(out.starts_with(&format!("label,puzzle,comment,solution,status\n,{P},,{S},unique\n")));
    assert!(out.contains(&format!("\nid7:,{P},my comment,{S},unique\n")));
    // The format `lines` contains only solutions, so no column is missing.
    let (out, ended) = run(Options::default(), OutputFormat::LINES);
    assert!(ended.is_ok() && out.lines().count() == 2002);
}

#[test]
fn words_of_a_later_file_have_their_columns_too() {
    let folder = tempfile::tempdir().unwrap();
    let texts = [format!("{P}\n"), format!("{P} of the second\n")];
    let inputs: Vec<Input> = texts
        .iter()
        .enumerate()
        .map(|(number, text)| write(folder.path(), number, text.as_bytes()))
        .collect();
    let (out, _) = solved(Source::open(&inputs, Options::default()).unwrap(), OutputFormat::CSV);
    let rows = records(&out, b',');
    assert_eq!(
        rows.iter().map(|row| row[1].to_vec()).collect::<Vec<_>>(),
        [&b"comment"[..], b"", b"of the second"]
    );
}
