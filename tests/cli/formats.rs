//! Tests of the input files in `datasets/formats`, and of problems that occur in real files.

use super::{Ran, command, dataset, sample, solve, solve_input};

#[test]
fn every_format_gives_the_same_answers() {
    let expected: Vec<String> = sample().into_iter().take(4).map(|(_, solution)| solution).collect();
    let mut seen = 0;
    for entry in std::fs::read_dir(dataset("formats")).unwrap() {
        let path = entry.unwrap().path();
        let is_table = ["kaggle1m.arrow", "kaggle1m.parquet"].iter().any(|name| path.ends_with(name));
        if is_table && !cfg!(feature = "tables") {
            continue;
        }
        let ran = solve(&[path.to_str().unwrap(), "--output-format", "lines", "--quiet"]).expect(0);
        let answers: Vec<&str> = ran.stdout.lines().collect();
        let single = ["puzzle.sdk", "boj2580.txt", "boj2239.txt"].iter().any(|name| path.ends_with(name));
        assert_eq!(answers, expected[..if single { 1 } else { 4 }], "{}", path.display());
        assert_eq!(ran.stderr, "");
        seen += 1;
    }
    assert_eq!(seen, if cfg!(feature = "tables") { 24 } else { 22 });
}

#[test]
fn a_wrong_file_extension_does_not_mislead() {
    let folder = tempfile::tempdir().unwrap();
    let disguised = folder.path().join("puzzles.txt");
    std::fs::copy(dataset("formats/kaggle1m.csv.zip"), &disguised).unwrap();
    let ran = solve(&[disguised.to_str().unwrap(), "--columns", "status"]).expect(0);
    assert_eq!(ran.column("status"), ["unique"; 4]);
}

#[test]
fn bom_crlf_and_a_missing_last_line_end_change_nothing() {
    let (puzzle, solution) = sample().swap_remove(0);
    let plain = format!("puzzle,solution\n{puzzle},{solution}\n{puzzle},{solution}\n");
    let wild = format!("\u{feff}puzzle,solution\r\n{puzzle},{solution}\r\n\r\n{puzzle},{solution}");
    let expected = solve_input(plain.as_bytes(), &["-q"]).expect(0).stdout;
    assert_eq!(solve_input(wild.as_bytes(), &["-q", "-"]).expect(0).stdout, expected);
    assert_eq!(expected.lines().next(), Some("puzzle,solution,sudobench_solution,status"));
}

#[test]
fn columns_are_chosen_by_name_and_number_and_missing_ones_are_listed() {
    let (puzzle, solution) = sample().swap_remove(1);
    let input = format!("given,other,answer\n{puzzle},{puzzle},{solution}\n");
    for chosen in ["other", "2"] {
        let ran = solve_input(input.as_bytes(), &["--puzzle-column", chosen, "--solution-column", "answer"]);
        assert!(ran.expect(0).stderr.contains("0  of 1 expected solution\n"));
    }
    let ran = solve_input(input.as_bytes(), &["--puzzle-column", "board"]).expect(1);
    for column in ["board", "given", "other", "answer", "standard input"] {
        assert!(ran.stderr.contains(column), "{}", ran.stderr);
    }
    // A list of puzzles has no columns. So with --puzzle-column or --header, the input is read as a table.
    let words = format!("{puzzle} {puzzle}\n");
    let ran = solve_input(words.as_bytes(), &["--puzzle-column", "2"]).expect(1);
    assert!(ran.stderr.contains("column"), "{}", ran.stderr);
    let named = format!("foo\n{puzzle}\n");
    let ran = solve_input(named.as_bytes(), &["--header", "yes", "-q", "--columns", "status"]).expect(0);
    assert_eq!((ran.column("foo"), ran.column("status")), (vec![puzzle.clone()], vec!["unique".to_owned()]));
    let ran = solve_input(b"name,size\nfirst,1\nsecond,2\n", &[]).expect(1);
    assert!(ran.stderr.contains("name") && ran.stderr.contains("size"), "{}", ran.stderr);
}

#[test]
fn several_files_are_one_input_if_their_columns_agree() {
    let (kaggle, twice) = (dataset("formats/kaggle1m.csv"), dataset("formats/kaggle1m.csv.gz"));
    let ran = solve(&[&kaggle, &twice, "--columns", "status"]).expect(0);
    assert_eq!(ran.column("status"), ["unique"; 8]);
    let other = dataset("formats/sudoku-extreme.csv");
    let ran = solve(&[&kaggle, &other]).expect(1);
    assert_eq!(ran.stdout, "");
    assert!(ran.stderr.contains("quizzes,solutions"), "{}", ran.stderr);
    assert!(ran.stderr.contains("source,question,answer,rating"), "{}", ran.stderr);
}

#[test]
fn quoted_fields_are_written_unchanged() {
    let (puzzle, solution) = sample().swap_remove(2);
    let input = format!("note,puzzle\n\"a \"\"b\"\", c\nd\",\"{puzzle}\"\nplain,{puzzle}\n");
    let ran = solve_input(input.as_bytes(), &["-q"]).expect(0);
    let expected = format!(
        "note,puzzle,solution,status\n\"a \"\"b\"\", c\nd\",\"{puzzle}\",{solution},unique\nplain,{puzzle},{solution},unique\n"
    );
    assert_eq!(ran.stdout, expected);
}

#[test]
fn values_that_contain_the_delimiter_are_quoted() {
    for delimiter in [" ", "-", "."] {
        let rows: String = sample()
            .iter()
            .map(|(puzzle, _)| format!("{}{delimiter}x\n", puzzle.replace('.', "0")))
            .collect();
        let columns = ["--columns", "hardest_technique,se,depth,guesses", "-q", "--delimiter", delimiter];
        let header = format!("puzzle{delimiter}note\n");
        let mut rate = assert_cmd::Command::from_std(command());
        rate.args(["rate", "-", "--header", "yes"]).args(columns);
        let ran = Ran::of(rate.write_stdin(header + &rows).output().unwrap()).expect(0);
        let mut reader =
            csv::ReaderBuilder::new().delimiter(delimiter.as_bytes()[0]).from_reader(ran.stdout.as_bytes());
        let read: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
        assert!(read.len() == 60 && read.iter().all(|row| row.len() == 6), "{delimiter:?}");
        assert!(read.iter().any(|row| &row[2] == "Hidden Single" && &row[3] == "1.5"), "{delimiter:?}");
    }
}

#[test]
fn labels_and_comments_of_lines_are_kept() {
    let ran = solve(&[&dataset("formats/labelled.txt"), "-q"]).expect(0);
    assert_eq!(ran.records()[0], ["label", "puzzle", "comment", "solution", "status"]);
    assert_eq!(ran.column("comment"), ["1.2", "1.3", "1.4", "1.5"]);
    assert!(ran.column("label").iter().all(|label| label.len() == 12));
}

#[test]
fn late_labels_and_comments_are_not_lost() {
    let (puzzle, _) = sample().swap_remove(0);
    let input = format!("{}id7: {puzzle} my comment\n", format!("{puzzle}\n").repeat(1000));
    let refused = solve_input(input.as_bytes(), &["-q"]).expect(1);
    assert!(refused.stderr.contains("line 1001 of standard input"), "{}", refused.stderr);
    assert!(refused.stderr.contains("--input-format lines"), "{}", refused.stderr);
    assert_eq!(refused.records().len(), 1001, "the header and the 1000 rows before the refused line");
    let ran = solve_input(input.as_bytes(), &["-q", "--input-format", "lines"]).expect(0);
    assert_eq!(ran.column("label").last().map(String::as_str), Some("id7:"));
    assert_eq!(ran.column("comment").last().map(String::as_str), Some("my comment"));
    // The remedy of the message works for a file too.
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.csv");
    let to_file = ["-q", "-o", out.to_str().unwrap()];
    let refused = solve_input(input.as_bytes(), &to_file).expect(1);
    assert!(refused.stderr.contains("start again with --force"), "{}", refused.stderr);
    solve_input(input.as_bytes(), &[&to_file[..], &["--input-format", "lines", "--force"]].concat())
        .expect(0);
}

#[test]
fn a_damaged_gzip_member_is_an_error_after_the_rows_before_it() {
    let member = std::fs::read(dataset("formats/kaggle1m.csv.gz")).unwrap();
    let bytes = [&member[..], &[member[0] ^ 1], &member[1..]].concat();
    let ran = solve_input(&bytes, &["-q", "--columns", "status"]).expect(1);
    assert_eq!(ran.column("status"), ["unique"; 4]);
    let words = format!(
        "byte {} is neither padding nor the start of a gzip member that directly follows the previous one",
        member.len()
    );
    assert!(ran.stderr.contains(&words), "{}", ran.stderr);
}

#[test]
fn an_unclosed_quote_swallows_no_row_of_the_next_file() {
    let (puzzle, _) = sample().swap_remove(0);
    let folder = tempfile::tempdir().unwrap();
    let files = [format!("puzzle,note\n{puzzle},\"open\n"), format!("puzzle,note\n{puzzle},a\n{puzzle},b\n")];
    let paths: Vec<String> = (0..2)
        .map(|number| {
            let path = folder.path().join(format!("{number}.csv"));
            std::fs::write(&path, &files[number]).unwrap();
            path.to_str().unwrap().to_owned()
        })
        .collect();
    let ran = solve(&[&paths[0], &paths[1], "-q", "--columns", "status"]).expect(4);
    assert_eq!(ran.column("status"), ["malformed", "unique", "unique"]);
    assert_eq!(ran.column("puzzle")[0], format!("{puzzle},\"open\n"));
}

#[test]
fn json_lines_round_trip() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let first = solve(&[&dataset("sample.csv"), "-q", "-o", &at("a.jsonl.gz")]).expect(0);
    assert_eq!(first.stderr, "");
    let again = solve(&[&at("a.jsonl.gz"), "--columns", "match"]).expect(0);
    assert_eq!(again.column("match"), ["yes"; 60]);
    assert_eq!(again.records()[0][..3], ["id", "puzzle", "solution"]);
    // Reads several files, starting in the middle of the first file.
    let (input, arrays) = (at("a.jsonl.gz"), dataset("formats/puzzles.jsonl"));
    let part =
        solve(&[&input, &arrays, "--skip", "58", "--limit", "4", "-q", "--columns", "status"]).expect(0);
    assert_eq!(part.column("id"), ["59", "60", "1", "2"]);
    let none = solve(&[&input, "-q", "--only", "mismatch", "--output-format", "jsonl"]).expect(0);
    assert_eq!(none.stdout, "");
    let refused = solve(&[&input, &dataset("sample.csv")]).expect(1);
    assert!(refused.stderr.contains("does not have the layout of"), "{}", refused.stderr);
}

#[test]
fn zeros_are_restored_on_request_and_counted() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.csv");
    let (puzzle, _) = sample().swap_remove(0);
    let zeros = puzzle.replace('.', "0");
    let number = zeros.trim_start_matches('0');
    assert!(number.len() < 81);
    let input = format!("id,puzzle\n1,{zeros}\n2,{number}\n3,8.12E+80\n");
    let without = solve_input(input.as_bytes(), &["--columns", "status"]).expect(4);
    assert_eq!(without.column("status"), ["unique", "malformed", "malformed"]);
    assert!(
        without.stderr.contains("if zeros at the start were lost, --restore-zeros restores them"),
        "{}",
        without.stderr
    );
    assert!(without.stderr.contains("its digits are lost and cannot be restored"), "{}", without.stderr);
    let with = solve_input(input.as_bytes(), &["--columns", "status", "--restore-zeros"]).expect(4);
    assert_eq!(with.column("status"), ["unique", "unique", "malformed"]);
    assert_eq!(with.column("puzzle"), [&zeros, number, "8.12E+80"], "the columns of the input are unchanged");
    assert!(
        with.stderr.contains("restored                1  of these rows, by --restore-zeros"),
        "{}",
        with.stderr
    );
    // The JSON record contains the number of restored rows.
    std::fs::write(folder.path().join("in.csv"), &input).unwrap();
    let path = folder.path().join("in.csv");
    let limited = ["-o", out.to_str().unwrap(), "--export-json"];
    let json = folder.path().join("run.json");
    let arguments =
        [&[path.to_str().unwrap()], &limited[..], &[json.to_str().unwrap(), "--restore-zeros"]].concat();
    solve(&arguments).expect(4);
    let record: serde_json::Value = serde_json::from_slice(&std::fs::read(json).unwrap()).unwrap();
    assert_eq!((&record["restored"], &record["rows"]), (&1.into(), &3.into()));
}

#[test]
fn files_of_other_programs_are_refused_with_a_remedy() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("puzzles.csv");
    std::fs::write(&path, b"SQLite format 3\0").unwrap();
    let refused = solve(&[path.to_str().unwrap()]).expect(1);
    let words = format!("`sqlite3 -csv -header {} 'SELECT * FROM NAME' | sudobench solve`", path.display());
    assert!(refused.stderr.replace('\n', " ").contains(&words), "{}", refused.stderr);
}

/// Returns the cells of a CSV file. Two files may quote the same cells in different ways, so cells are compared instead of text.
#[cfg(feature = "tables")]
fn cells(path: &str) -> Vec<Vec<String>> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_path(path).unwrap();
    reader.records().map(|record| record.unwrap().iter().map(str::to_owned).collect()).collect()
}

#[cfg(feature = "tables")]
#[test]
fn tables_round_trip_through_files() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let back = at("b.csv");
    let inputs = [
        dataset("sample.csv"),
        dataset("statuses.csv"),
        dataset("formats/tabs.tsv"),
        dataset("formats/labelled.txt"),
        dataset("formats/puzzles.jsonl"),
        dataset("formats/numbers.npy"),
    ];
    for (input, table) in
        inputs.iter().flat_map(|input| ["a.parquet", "a.feather"].map(|name| (input, at(name))))
    {
        let first = solve(&[input, "-q", "-o", &table, "--force", "--columns", "status"]);
        let again = solve(&[&table, "-q", "-o", &back, "--force", "--columns", "count"]);
        assert_eq!(first.code, again.code, "{}", again.stderr);
        // The same run with CSV output gives the same rows.
        let text = at("text.csv");
        solve(&[input, "-q", "-o", &text, "--force", "--output-format", "csv", "--columns", "status"]);
        let (delimiter, text) = (if input.ends_with("tsv") { b'\t' } else { b',' }, text);
        let mut reader =
            csv::ReaderBuilder::new().has_headers(false).delimiter(delimiter).from_path(text).unwrap();
        let found = cells(&back);
        let mut rows = 0;
        for (wanted, found) in reader.records().zip(&found) {
            let wanted: Vec<String> = wanted.unwrap().iter().map(str::to_owned).collect();
            assert_eq!(found[..found.len() - 1], wanted, "{input}");
            rows += 1;
        }
        assert!(rows > 4 && rows == found.len(), "{rows} of {} rows", found.len());
    }
}

/// Damaged tables cause no panic: unreadable data is an error or malformed rows.
#[cfg(feature = "tables")]
#[test]
fn damaged_tables_give_clear_errors() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("broken");
    // The tests of crates/tables damage more bytes, without starting a program for each of them.
    for (name, step) in [("parquet", 45), ("arrow", 63)] {
        let whole = std::fs::read(dataset(&format!("formats/kaggle1m.{name}"))).unwrap();
        for at in (0..whole.len()).step_by(step) {
            let mut broken = whole.clone();
            broken[at] ^= 1 << (at % 8);
            std::fs::write(&path, broken).unwrap();
            let ran = solve(&[path.to_str().unwrap(), "-q"]);
            assert!([0, 1, 4].contains(&ran.code), "{name}, byte {at}: {}", ran.stderr);
            assert!(!ran.stderr.contains("panicked"), "{name}, byte {at}: {}", ran.stderr);
        }
    }
}

#[cfg(feature = "tables")]
#[test]
fn parquet_in_an_archive_is_refused_with_a_remedy() {
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("p.parquet");
    std::fs::copy(dataset("formats/kaggle1m.parquet"), &table).unwrap();
    let compressed = folder.path().join("p.parquet.gz");
    let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::copy(&mut std::fs::File::open(&table).unwrap(), &mut gz).unwrap();
    std::fs::write(&compressed, gz.finish().unwrap()).unwrap();
    let refused = solve(&[compressed.to_str().unwrap()]).expect(1);
    assert!(refused.stderr.contains("a Parquet file that is compressed as a whole"), "{}", refused.stderr);
    // A zip archive with one uncompressed file: the header of the file, its content, the index, and the end of the archive.
    let data = std::fs::read(&table).unwrap();
    let mut crc = flate2::Crc::new();
    crc.update(&data);
    let (name, size) = (b"p.parquet", u32::try_from(data.len()).unwrap().to_le_bytes());
    let what = [
        &[10, 0, 0, 0, 0, 0, 0, 0, 0, 0][..],
        &crc.sum().to_le_bytes(),
        &size,
        &size,
        &(name.len() as u16).to_le_bytes(),
        &[0, 0],
    ]
    .concat();
    let local = [b"PK\x03\x04", &what[..], name, &data].concat();
    let index = [b"PK\x01\x02\x0a\x00", &what[..], &[0; 14], name].concat();
    let end = [
        b"PK\x05\x06\0\0\0\0\x01\0\x01\0",
        &u32::try_from(index.len()).unwrap().to_le_bytes()[..],
        &u32::try_from(local.len()).unwrap().to_le_bytes(),
        &[0, 0],
    ]
    .concat();
    let archive = folder.path().join("p.zip");
    std::fs::write(&archive, [local, index, end].concat()).unwrap();
    let refused = solve(&[archive.to_str().unwrap()]).expect(1);
    assert!(refused.stderr.contains("contains a Parquet file"), "{}", refused.stderr);
    assert!(refused.stderr.contains("`unzip -p ARCHIVE p.parquet | sudobench solve`"), "{}", refused.stderr);
}

/// If the solution were used as the puzzle, all rows would be answered without any notice.
#[test]
fn solutions_are_not_used_instead_of_broken_puzzles() {
    let (_, solution) = sample().swap_remove(0);
    let ran = solve_input(format!("puzzle,solution\n8.12E+80,{solution}\n").as_bytes(), &["-q"]).expect(4);
    assert_eq!(ran.column("status"), ["malformed"]);
    // The column `grid` has the number of a puzzle, and `board` has the puzzle.
    let ran = solve_input(format!("grid,board\n1,{solution}\n").as_bytes(), &["-q"]).expect(0);
    assert_eq!(ran.column("status"), ["unique"]);
}

#[cfg(feature = "tables")]
#[test]
fn convert_keeps_rows_and_columns_through_every_format() {
    use super::{Ran, command};
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let convert = |from: &str, to: &str, code: i32| {
        Ran::of(command().args(["convert", from, "-q", "-o", to]).output().unwrap()).expect(code)
    };
    let original = std::fs::read(dataset("sample.csv")).unwrap();
    let mut from = dataset("sample.csv");
    for name in ["a.csv.gz", "a.parquet", "a.arrow", "a.jsonl.zst", "b.parquet", "b.csv"] {
        convert(&from, &path(name), 0);
        from = path(name);
    }
    assert_eq!(std::fs::read(path("b.csv")).unwrap(), original);
    // Malformed rows are kept.
    let malformed = Ran::of(command().args(["convert", "-q", &dataset("malformed.csv")]).output().unwrap());
    assert_eq!(malformed.expect(4).records().len(), 25);
    // No column is lost silently.
    let refused = convert(&dataset("sample.csv"), &path("c.txt"), 1).stderr;
    assert!(
        refused.contains("but the input has the columns id, puzzle, solution, clues, level;"),
        "{refused}"
    );
    assert!(!std::path::Path::new(&path("c.txt.partial")).exists());
    convert(&dataset("formats/puzzles.sdm"), &path("c.npy"), 0);
}
