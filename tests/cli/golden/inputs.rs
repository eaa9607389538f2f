//! The inputs of the golden set, written into one folder.

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::sync::{Arc, Mutex, Weak};

use tempfile::TempDir;

use super::super::{dataset, sample};
use super::run::run;

/// Inputs in many formats, for each verb that reads inputs.
pub(super) const ALL: [&str; 22] = [
    "hostile.csv",
    "plain.csv",
    "crlf.csv",
    "quoted.csv",
    "semicolon.csv",
    "headerless.csv",
    "hostile.jsonl",
    "arrays.jsonl",
    "hostile.txt",
    "labelled.txt",
    "puzzles.sdm",
    "hostile_grids.txt",
    "puzzle.sdk",
    "boj2580.txt",
    "numbers.npy",
    "texts.npy",
    "hostile.npy",
    "hostile.parquet",
    "kaggle1m.arrow",
    "kaggle1m.csv.gz",
    "kaggle1m.csv.zst",
    "kaggle1m.csv.zip",
];

/// Inputs with many kinds of malformed rows.
pub(super) const HOSTILE: [&str; 6] =
    ["hostile.csv", "hostile.jsonl", "hostile.txt", "hostile_grids.txt", "hostile.npy", "hostile.parquet"];

/// Further inputs, in variants of the formats of [`ALL`]. In `digests.rs`, only `solve` reads these inputs.
pub(super) const MORE: [&str; 9] = [
    "boj2239.txt",
    "grids.txt",
    "kaggle1m.parquet",
    "kaggle3m.csv",
    "kaggle9m.csv",
    "lines.txt",
    "puzzles.jsonl",
    "sudoku-extreme.csv",
    "tabs.tsv",
];

/// Returns the folder with all inputs. Tests that run at the same time share it, and the last of them removes it.
pub(super) fn shared() -> Arc<TempDir> {
    static SHARED: Mutex<Weak<TempDir>> = Mutex::new(Weak::new());
    let mut shared = SHARED.lock().unwrap();
    shared.upgrade().unwrap_or_else(|| {
        let folder = Arc::new(tempfile::tempdir().unwrap());
        write_short_inputs(folder.path());
        write_long_inputs(folder.path());
        *shared = Arc::downgrade(&folder);
        folder
    })
}

/// Writes the inputs that have a single block.
fn write_short_inputs(inputs: &Path) {
    fs::copy(dataset("predictions.csv"), inputs.join("predictions.csv")).unwrap();
    for entry in fs::read_dir(dataset("formats")).unwrap() {
        let path = entry.unwrap().path();
        fs::copy(&path, inputs.join(path.file_name().unwrap())).unwrap();
    }
    let write = |name: &str, content: &[u8]| fs::write(inputs.join(name), content).unwrap();
    let plain = plain_csv();
    write("plain.csv", plain.as_bytes());
    write("again.csv", again_csv().as_bytes());
    write("crlf.csv", format!("\u{feff}{}", plain.trim_end().replace('\n', "\r\n")).as_bytes());
    write("quoted.csv", quoted_csv().as_bytes());
    write("hostile.csv", &hostile_csv());
    write("hostile.jsonl", hostile_jsonl().as_bytes());
    write("hostile.txt", &hostile_lines());
    write("hostile_grids.txt", hostile_grids().as_bytes());
    write_tables(inputs);
}

/// Writes the inputs that have several blocks.
fn write_long_inputs(inputs: &Path) {
    let write = |name: &str, content: String| fs::write(inputs.join(name), content).unwrap();
    write("blocks.csv", rows_csv(54, 40, true));
    // This file has no puzzles that take a row-major backtracker long.
    write("easy.csv", rows_csv(54, 40, false));
    write("small.csv", rows_csv(20, 40, true));
    // For a batch solver, a block has about as many bytes as 4,096 rows of typical length. Therefore, 20 rows of 60,000 bytes make several
    // blocks.
    write("long.csv", rows_csv(20, 60_000, true));
    write("short.csv", rows_csv(9, 40, true));
    write("few.csv", rows_csv(3, 10, true));
    write_blocks(inputs);
}

/// Files with the rows of `blocks.csv` in other formats.
const BLOCKS: [&str; 5] = ["blocks.jsonl", "blocks.txt", "blocks.npy", "blocks.parquet", "blocks.csv.gz"];

/// Converts `blocks.csv` with the program into the files of `BLOCKS`.
fn write_blocks(inputs: &Path) {
    for name in BLOCKS {
        let line = format!("transform blocks.csv --apply r123456789c123456789d123456789 -q -o {name}");
        assert_eq!(run(inputs, &line).code, 4, "{line}");
    }
}

/// Makes Parquet files, Arrow files and NumPy arrays from text files, with the program.
fn write_tables(inputs: &Path) {
    let made = |line: &str, code: i32| assert_eq!(run(inputs, line).code, code, "{line}");
    made("solve hostile.csv --columns status -q -o hostile.parquet", 4);
    made("solve hostile.csv --columns status -q -o hostile.arrow", 4);
    made("check hostile.csv --columns none -q --output-format npy -o hostile.npy", 2);
    made("transform hostile.csv --apply r123456789c123456789d123456789 -q -o hostile.npy", 4);
    let mut array = fs::read(inputs.join("hostile.npy")).unwrap();
    array[128 + 81 + 5] = 12;
    fs::write(inputs.join("hostile.npy"), array).unwrap();
    for shard in ["1/3", "2/3", "3/3"] {
        let code = run(inputs, &format!("canonical hostile.csv -q -o parts.csv --shard {shard}")).code;
        assert!(code == 0 || code == 4, "shard {shard}");
    }
}

/// Returns an isomorph of a puzzle (two rows and two digits are exchanged), and the puzzle itself with zeros for blanks.
fn forms(puzzle: &str) -> [String; 2] {
    let exchanged = |digit: char| match digit {
        '1' => '2',
        '2' => '1',
        digit => digit,
    };
    let form =
        format!("{}{}{}", &puzzle[9..18], &puzzle[..9], &puzzle[18..]).chars().map(exchanged).collect();
    [form, puzzle.replace('.', "0")]
}

/// Rows with an id and expected solutions. Some puzzles are duplicates or isomorphs of others.
fn plain_csv() -> String {
    let mut text = "id,puzzle,solution\n".to_owned();
    for (id, (puzzle, solution)) in sample().iter().enumerate().skip(8).take(12) {
        writeln!(text, "{id},{puzzle},{solution}").unwrap();
        let [form, zeros] = forms(puzzle);
        match id % 4 {
            0 => writeln!(text, "{id}a,{form},").unwrap(),
            1 => writeln!(text, "{id}b,{zeros},{solution}").unwrap(),
            _ => {}
        }
    }
    text
}

/// A second file with the columns of `plain.csv`. One of its puzzles is also in `plain.csv`.
fn again_csv() -> String {
    let mut text = "id,puzzle,solution\n".to_owned();
    for (id, (puzzle, solution)) in sample().iter().enumerate().skip(17).step_by(3).take(6) {
        writeln!(text, "{id},{},{solution}", forms(puzzle)[1]).unwrap();
    }
    text
}

/// Fields in quotes, with delimiters, line ends and quotes inside.
fn quoted_csv() -> String {
    let mut text = "\"note\",\"the \"\"puzzle\"\"\",puzzle,\"solution\"\n".to_owned();
    for (id, (puzzle, solution)) in sample().iter().enumerate().skip(20).take(5) {
        let note = ["a, b", "line\none", "\"\"quoted\"\"", "", " spaces "][id % 5];
        writeln!(text, "\"{note}\",{id},\"{puzzle}\",{solution}").unwrap();
    }
    text
}

/// Rows of several statuses, isomorphs and duplicates, then many kinds of malformed rows.
fn hostile_csv() -> Vec<u8> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(["puzzle", "solution", "what"]).unwrap();
    let statuses = csv::Reader::from_path(dataset("statuses.csv")).unwrap().into_records();
    for row in statuses.map(Result::unwrap) {
        writer.write_record([&row[0], &row[1], &row[3]]).unwrap();
        // Adds the rows of some puzzles again: once as an isomorph, and once with zeros for blanks.
        if row[3].ends_with("clues") {
            forms(&row[0]).iter().for_each(|form| writer.write_record([form, "", "again"]).unwrap());
        }
    }
    let mut bytes = writer.into_inner().unwrap();
    let (puzzle, solution) = &sample()[0];
    let other = &sample()[1].1;
    writeln!(bytes, "{puzzle},{other},another solution than expected").unwrap();
    writeln!(bytes, "{puzzle},{solution},\"two\nlines, \u{1b}[31m and =1+1\"\r").unwrap();
    writeln!(bytes, "\n\n{}:,{solution},\u{202e}backwards", &puzzle[1..]).unwrap();
    bytes.extend_from_slice(b"\xff\xfe,\0,not UTF-8\n");
    let malformed = fs::read(dataset("malformed.csv")).unwrap();
    let header = malformed.iter().position(|byte| *byte == b'\n').unwrap() + 1;
    bytes.extend_from_slice(&malformed[header..]);
    bytes
}

/// JSON objects with additional members, escapes, nulls and wrong types, and lines that are no objects.
fn hostile_jsonl() -> String {
    let mut text = String::new();
    for (id, (puzzle, solution)) in sample().iter().enumerate().skip(30).take(4) {
        writeln!(
            text,
            r#"{{"id":{id},"puzzle":"{puzzle}","solution":"{solution}","note":"a \"b\", \u00e9\n"}}"#
        )
        .unwrap();
    }
    let (puzzle, solution) = &sample()[0];
    let cells: Vec<String> = puzzle.replace('.', "0").chars().map(String::from).collect();
    let cells = cells.join(",");
    for line in [
        format!(r#"{{"puzzle":"{puzzle}","id":1.50,"note":null}}"#),
        format!(r#"  {{ "note" : [1, {{"a":"b"}}], "solution" : null , "puzzle" : [{cells}] }}  "#),
        format!(r#"{{"id":true,"puzzle":[{cells},0],"solution":"{solution}"}}"#),
        format!(r#"{{"id":3,"puzzle":[{}],"solution":""}}"#, cells.replacen('0', "12", 1)),
        format!(r#"{{"id":4,"puzzle":[{}],"solution":""}}"#, cells.replacen('0', "null", 1)),
        format!(r#"{{"id":5,"puzzle":"{}","solution":"{solution}"}}"#, &puzzle[1..]),
        r#"{"id":6,"puzzle":null}"#.to_owned(),
        r#"{"id":7,"puzzle":7}"#.to_owned(),
        r#"{"id":8}"#.to_owned(),
        "[1,2]".to_owned(),
        String::new(),
        r#"{"id":9,"#.to_owned(),
        format!(r#"{{"id":10,"puzzle":"{puzzle}","solution":"{}"}}"#, sample()[1].1),
        format!(r#"{{"id":11,"puzzle":"{}","solution":"{solution}"}}"#, ".".repeat(81)),
    ] {
        text.push_str(&line);
        text.push('\n');
    }
    text
}

/// Puzzles in lines, with labels and comments.
fn hostile_lines() -> Vec<u8> {
    let mut bytes = Vec::new();
    for (id, (puzzle, _)) in sample().iter().enumerate().skip(40).take(5) {
        writeln!(bytes, "p{id}: {puzzle} comment \"{id}\", and more").unwrap();
    }
    let (puzzle, solution) = &sample()[0];
    for line in [
        "# a comment alone".to_owned(),
        String::new(),
        puzzle.replace('.', "0"),
        format!("{puzzle}\t# behind a tab"),
        format!("again: {puzzle}"),
        format!("{solution} full"),
        format!("{} one short", &puzzle[1..]),
        format!("{puzzle}. one more"),
        "word".to_owned(),
        format!("{puzzle}\r"),
        format!("long: {puzzle} {}", "x".repeat(5000)),
        format!("{} no clues", ".".repeat(81)),
        format!("55{} contradiction", ".".repeat(79)),
    ] {
        writeln!(bytes, "{line}").unwrap();
    }
    bytes.extend_from_slice(b"\xff\xfe not UTF-8\n");
    bytes.extend_from_slice(puzzle.as_bytes());
    bytes
}

/// Makes grids of nine lines. Some grids are invalid.
fn hostile_grids() -> String {
    let rows = |puzzle: &str| -> Vec<String> {
        (0..9)
            .map(|row| puzzle[row * 9..row * 9 + 9].chars().map(|cell| format!("{cell} ")).collect())
            .collect()
    };
    let puzzles: Vec<String> = sample().into_iter().skip(50).take(6).map(|(puzzle, _)| puzzle).collect();
    let mut text = String::new();
    for (number, puzzle) in puzzles.iter().enumerate() {
        let mut rows = rows(puzzle);
        match number {
            1 => rows[4] = rows[4][..12].to_owned(),
            2 => rows[2] = rows[2].replacen('.', "?", 1),
            3 => rows.truncate(8),
            _ => {}
        }
        text += &format!("{}\n\n", rows.join("\n"));
    }
    text
}

/// Makes rows, each with a note of `note` bytes (a multiple of 5). In each group of ten rows, one has a malformed puzzle, one an unsolvable
/// puzzle, and one a wrong solution. If `has_hard` is true, one puzzle of each group is minimal, and one has many solutions.
fn rows_csv(rows: usize, note: usize, has_hard: bool) -> String {
    let hard = csv::Reader::from_path(dataset("minimal.csv")).unwrap().into_records();
    let hard: Vec<String> = hard.take(20).map(|row| row.unwrap()[0].to_owned()).collect();
    let sample = sample();
    let mut text = "id,puzzle,solution,note\n".to_owned();
    for id in 0..rows {
        let (puzzle, solution) = &sample[id * 7 % sample.len()];
        let (puzzle, solution) = match id % 10 {
            3 => (&puzzle[1..], solution.as_str()),
            5 if has_hard => (&*format!("{}{}", &".".repeat(40), &puzzle[40..]), ""),
            6 => (&*forms(puzzle)[0], ""),
            7 => (puzzle.as_str(), &*sample[0].1),
            8 if has_hard => (hard[id % hard.len()].as_str(), ""),
            9 => (&*format!("11{}", &puzzle[2..]), ""),
            _ => (puzzle.as_str(), solution.as_str()),
        };
        writeln!(text, "{id},{puzzle},{solution},{}", "note ".repeat(note / 5)).unwrap();
    }
    text
}
