//! Tests of JSON lines as input and as output.

use std::io::Cursor;

use proptest::prelude::*;
use serde_json::{Map, Value, json};
use sudobench_rows::columns::{SOLVE, SOLVE_DEFAULT};
use sudobench_rows::internals::InputColumns;
use sudobench_rows::sink::OutputFormat;
use sudobench_rows::source::{ColumnChoice, Input, InputFormat, Options, Source, SourceError};
use sudobench_rows::{Finished, Run, RunError, Sink};

use super::{PUZZLE as P, SOLUTION as S, forced, read};

fn run(text: &str, format: OutputFormat) -> (String, Result<Finished, RunError>) {
    let source = Source::from_reader("the test", Cursor::new(text.to_owned()), Options::default()).unwrap();
    let mut out = Vec::new();
    let columns: Vec<_> = SOLVE.into_iter().filter(|column| column.name != "time_ns").collect();
    let finished = Run::over(source).columns(columns).to(Sink::writer(&mut out).format(format));
    (String::from_utf8(out).unwrap(), finished)
}

/// Returns the output of a run that adds only the columns `solution` and `status`.
fn solved(text: &str, format: OutputFormat) -> String {
    let source = Source::from_reader("the test", Cursor::new(text.to_owned()), Options::default()).unwrap();
    let mut out = Vec::new();
    Run::over(source).columns(SOLVE_DEFAULT).to(Sink::writer(&mut out).format(format)).unwrap();
    String::from_utf8(out).unwrap()
}

fn digits(text: &str) -> Vec<u8> {
    text.bytes().map(|byte| if byte == b'.' { 0 } else { byte - b'0' }).collect()
}

#[test]
fn every_kind_of_row_is_recognised() {
    let text = format!(
        "\u{feff}{{\"id\": 7, \"puzzle\": \"{P}\", \"solution\": \"{S}\"}}\r\n\
         \n  \t\n\
         {{\"puzzle\":{:?},\"solution\":null}}\n\
         {{\"puzzle\": \" {P} \", \"solution\": \"\", \"more\": {{\"deep\": [1, \"}}\"]}}}}\n\
         # no comment\n\
         [1, 2]\n\
         {{\"id\": 1}}\n\
         {{\"puzzle\": null}}\n\
         {{\"puzzle\": true}}\n\
         {{\"puzzle\": \"5\"}}\n\
         {{\"puzzle\": \"{P}\"\n\
         {{\"puzzle\": 5, \"puzzle\": \"{P}\"}}\n\
         {{\"puzzle\": \"{P}\"}} x",
        digits(P),
    );
    let (layout, rows) = read(text.as_bytes(), Options::default()).unwrap();
    let members = InputColumns::from_layout(&layout);
    assert_eq!(members.names.unwrap(), [&b"id"[..], b"puzzle", b"solution", b"more"]);
    assert_eq!((members.puzzle, members.solution), (1, Some(2)));
    let seen: Vec<String> = rows
        .iter()
        .map(|row| match &row.puzzle {
            Ok(puzzle) if puzzle == P => format!("{} ok", row.line),
            Ok(puzzle) => format!("{} {puzzle}", row.line),
            Err(reason) => format!("{} {reason}", row.line),
        })
        .collect();
    insta::assert_snapshot!(seen.join("\n"), @r"
    1 ok
    4 ok
    5 ok
    6 not a JSON object: parsing failed at byte 1
    7 not a JSON object
    8 the object has no puzzle
    9 the puzzle is null
    10 the puzzle is neither a text nor 81 cells
    11 1 characters where a puzzle has 81
    12 not a JSON object: parsing failed at byte 94
    13 ok
    14 not a JSON object: parsing failed at byte 97
    ");
    assert_eq!(rows[0].expected.as_deref(), Some(S.as_bytes()));
    assert!(rows[1..].iter().all(|row| row.expected.is_none()));
    assert_eq!(rows[2].puzzle_text, P.as_bytes());
}

#[test]
fn members_are_chosen_by_name_by_number_and_by_content() {
    let text = format!("{{\"a\": 1, \"b\": \"{P}\", \"c\": {:?}, \"d\": \"{S}\"}}\n", digits(P));
    let members = |options: Options| {
        let members = InputColumns::from_layout(&read(text.as_bytes(), options)?.0);
        Ok::<_, SourceError>((members.puzzle, members.solution))
    };
    let choose =
        |column: &str| Options { puzzle_column: Some(ColumnChoice::from(column)), ..Options::default() };
    assert_eq!(members(Options::default()).unwrap(), (1, Some(3)));
    assert_eq!(members(choose("c")).unwrap(), (2, Some(3)));
    assert_eq!(members(choose("3")).unwrap(), (2, Some(3)));
    let missing = members(choose("grid")).unwrap_err().to_string();
    assert_eq!(
        missing,
        "standard input has no column named 'grid'; its columns are 1 `a`, 2 `b`, 3 `c`, 4 `d`"
    );
    let none = read(b"{\"a\": 1}\n", Options::default()).unwrap_err();
    assert!(matches!(none, SourceError::NoPuzzleColumn { .. }), "{none}");
    let none = read(b"[1]\n", forced(InputFormat::JSONL)).unwrap_err();
    assert!(matches!(none, SourceError::NoObject { .. }), "{none}");
}

/// Puzzles and solutions may be arrays of 81 numbers, or arrays of nine arrays of nine numbers.
#[test]
fn expected_solutions_may_be_arrays() {
    let rows = |text: &str| json!(digits(text).chunks(9).collect::<Vec<_>>());
    let objects = [
        json!({"question": digits(P), "answer": digits(S)}),
        json!({"question": rows(P), "answer": rows(S)}),
        json!({"question": P, "answer": format!("{} ", S)}),
        json!({"question": P, "answer": digits(P)}),
    ];
    let text = objects.map(|object| object.to_string() + "\n").concat();
    let (out, finished) = run(&text, OutputFormat::JSONL);
    let tally = finished.unwrap().measures.tally;
    assert_eq!((tally.compared, tally.mismatches), (4, 1), "{out}");
    assert!(out.lines().last().unwrap().contains("the expected solution is not 81 digits"), "{out}");
}

#[test]
fn arrays_have_81_cells_and_nothing_after_them() {
    let text = |cells: &str| format!("{{\"puzzle\": [{cells}]}}\n");
    let zeros = ["0"; 81].join(",");
    let text = [text(&format!("{zeros},12")), text(&format!("{zeros},\"?\"")), text(&zeros[2..])].concat();
    let faults: Vec<String> = (read(text.as_bytes(), forced(InputFormat::JSONL)).unwrap().1.into_iter())
        .map(|row| row.puzzle.unwrap_err())
        .collect();
    assert_eq!(faults, [82, 82, 80].map(|cells| format!("{cells} cells where a puzzle has 81")));

    let expected = |more: &str| {
        let text = format!("puzzle,solution\n{P},\"{:?}{more}\"\n", digits(S));
        let tally = run(&text, OutputFormat::CSV).1.unwrap().measures.tally;
        (tally.compared, tally.mismatches)
    };
    assert_eq!((expected(""), expected(" x")), ((1, 0), (1, 1)));
}

/// Numbers and nested values are written exactly as they were read. Added members come last. If the input has a member of the same name,
/// the added member gets a name with a prefix.
#[test]
fn objects_are_written_unchanged() {
    let text = format!(
        "{{ \"puzzle\" : \"{P}\" , \"solution\": \"{S}\", \"n\": 1.50, \"big\": 123456789012345678901234567890, \"x\": [ {{}} ] }} \n\
         {{}}\n\
         nothing\n"
    );
    let out = solved(&text, OutputFormat::JSONL);
    assert_eq!(
        out,
        format!(
            "{{ \"puzzle\" : \"{P}\" , \"solution\": \"{S}\", \"n\": 1.50, \"big\": 123456789012345678901234567890, \
             \"x\": [ {{}} ],\"sudobench_solution\":\"{S}\",\"status\":\"unique\"}}\n\
             {{\"sudobench_solution\":null,\"status\":\"malformed\"}}\n\
             {{\"row\":\"nothing\",\"sudobench_solution\":null,\"status\":\"malformed\"}}\n"
        )
    );
    let csv = solved(&text, OutputFormat::CSV);
    assert_eq!(
        csv,
        format!(
            "puzzle,solution,n,big,x,sudobench_solution,status\n\
             {P},{S},1.50,123456789012345678901234567890,[ {{}} ],{S},unique\n\
             ,,,,,,malformed\n\
             nothing,,,,,,malformed\n"
        )
    );
    assert_eq!(solved(&text, OutputFormat::LINES).lines().next(), Some(S));
}

#[test]
fn a_member_that_comes_late_is_not_lost() {
    let common = format!("{{\"puzzle\":\"{P}\"}}\n").repeat(1000);
    let with = |name: &str| format!("{common}{{\"puzzle\":\"{P}\",\"{name}\":1}}\n");
    let (out, finished) = run(&with("late"), OutputFormat::CSV);
    let Err(RunError::Halfway { error, finished }) = finished else { panic!("{finished:?}") };
    let words = "line 1001 of the test has the member `late`, which no object at the start of the file has: the output has no column for \
    it; --output-format jsonl keeps all members";
    assert_eq!(error.to_string(), words);
    assert_eq!(
        (finished.measures.tally.rows(), out.lines().count()),
        (1000, 1001),
        "1000 rows, and the header in the output"
    );
    let (out, finished) = run(&with("late"), OutputFormat::JSONL);
    finished.unwrap();
    assert!(out.lines().last().unwrap().contains("\"late\":1,\"solution\":"), "{out}");
    // With the added member, the object would have two members `status`, and readers could take the wrong one.
    let (out, finished) = run(&with("status"), OutputFormat::JSONL);
    let Err(RunError::Halfway { error, .. }) = finished else { panic!("{finished:?}") };
    assert!(
        error.to_string().contains("the output has a column of that name; rename the member first, e.g. `jq"),
        "{error}"
    );
    assert_eq!(out.lines().count(), 1000);
    run(&with("late"), OutputFormat::LINES).1.unwrap();
}

#[test]
fn members_of_later_files_have_columns_too() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: String| {
        std::fs::write(folder.path().join(name), text).unwrap();
        Input::File(folder.path().join(name))
    };
    let first = write("a.jsonl", format!("{{\"id\":1,\"puzzle\":\"{P}\"}}\n"));
    let second = write("b.jsonl", format!("{{\"level\":2,\"puzzle\":\"{P}\"}}\n"));
    let other = write("c.jsonl", format!("{{\"quiz\":\"{P}\"}}\n"));
    let source = Source::open(&[first.clone(), second], Options::default()).unwrap();
    let mut out = Vec::new();
    Run::over(source).columns(SOLVE_DEFAULT).to(Sink::writer(&mut out)).unwrap();
    let wanted = format!("id,puzzle,level,solution,status\n1,{P},,{S},unique\n,{P},2,{S},unique\n");
    assert_eq!(String::from_utf8(out).unwrap(), wanted);
    let refused = Source::open(&[first, other], Options::default()).err().unwrap().to_string();
    assert!(refused.contains("members `quiz` instead of a member `puzzle`"), "{refused}");
}

/// The JSON output for each input is read again as the same puzzles with the same answers.
#[test]
fn what_is_written_is_read() {
    for text in [
        format!("id,puzzle,note\n1,{P},\"a \"\"b\"\"\"\n2,{P},\n"),
        format!("{P}\n{P}\n"),
        format!("{{\"puzzle\":\"{P}\"}}\n{{\"puzzle\":\"{P}\"}}\n"),
    ] {
        let (first, _) = run(&text, OutputFormat::JSONL);
        let (second, finished) = run(&first, OutputFormat::JSONL);
        let tally = finished.unwrap().measures.tally;
        assert_eq!((tally.rows(), tally.compared, tally.mismatches), (2, 2, 0));
        assert!(
            second
                .lines()
                .all(|line| line.contains("\"sudobench_solution\":") && line.contains("match\":\"yes\""))
        );
    }
}

fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        ".{0,9}".prop_map(Value::from),
        prop::sample::select(&[P, S, "\\", "\"}", "{"][..]).prop_map(Value::from),
    ];
    leaf.prop_recursive(2, 9, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            prop::collection::vec((".{0,4}", inner), 0..3)
                .prop_map(|members| Value::from(members.into_iter().collect::<Map<_, _>>())),
        ]
    })
}

proptest! {
    #[test]
    fn members_round_trip(objects in prop::collection::vec(prop::collection::vec(("[a-c\"\\\\é]{0,2}", any_value()), 0..5), 1..6)) {
        let objects: Vec<Map<String, Value>> = objects
            .into_iter()
            .map(|members| members.into_iter().chain([("puzzle".to_owned(), Value::from(P))]).collect())
            .collect();
        let text: String = objects.iter().map(|object| Value::from(object.clone()).to_string() + "\n").collect();
        let out = solved(&text, OutputFormat::JSONL);
        prop_assert_eq!(out.lines().count(), objects.len());
        for (line, object) in out.lines().zip(&objects) {
            let mut again: Map<String, Value> = serde_json::from_str(line).unwrap();
            prop_assert_eq!(again.remove("status"), Some(Value::from("unique")));
            prop_assert_eq!(again.remove("solution"), Some(Value::from(S)));
            prop_assert_eq!(&again, object);
        }
        let csv = solved(&text, OutputFormat::CSV);
        let mut reader = csv::Reader::from_reader(csv.as_bytes());
        let names = reader.headers().unwrap().clone();
        for (record, object) in reader.records().zip(&objects) {
            for (name, field) in names.iter().zip(&record.unwrap()) {
                match object.get(name) {
                    Some(Value::String(text)) => prop_assert_eq!(field, text),
                    Some(Value::Null) => prop_assert_eq!(field, ""),
                    Some(value) => prop_assert_eq!(field, value.to_string()),
                    None => prop_assert!(field.is_empty() || name == "solution" || name == "status"),
                }
            }
        }
    }
}
