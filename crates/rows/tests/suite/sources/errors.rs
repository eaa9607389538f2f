//! Inputs that cannot be read: the messages name the input, and a remedy if there is one.

use sudobench_rows::source::{ColumnChoice, Input, InputFormat, Options, Source, SourceError};

use super::{PUZZLE as P, SOLUTION as S, forced, open};

fn message(bytes: &[u8], options: Options) -> String {
    match open(bytes, options) {
        Ok(source) => panic!("no error, but {:?}", source.layout()),
        Err(error) => error.to_string(),
    }
}

#[test]
fn nothing_to_read() {
    assert_eq!(message(b"", Options::default()), "standard input is empty");
    assert_eq!(message(b"\xef\xbb\xbf", Options::default()), "standard input is empty");
    assert!(matches!(Source::open(&[], Options::default()), Err(SourceError::NoInput)));
}

#[test]
fn errors_name_the_reader() {
    let error = Source::from_reader("archive 7", &b"\xfd7zXZ\0\0\0"[..], Options::default()).err().unwrap();
    assert!(error.to_string().starts_with("archive 7 is compressed with xz"), "{error}");
    let name = Input::Reader("archive 7".to_owned());
    let error = Source::open(&[name], Options::default()).err().unwrap();
    assert_eq!(error.to_string(), "cannot open archive 7");
}

#[test]
fn no_file() {
    let folder = tempfile::tempdir().unwrap();
    let error = |path: std::path::PathBuf| match Source::open(&[Input::File(path)], Options::default()) {
        Ok(_) => panic!("no error"),
        Err(error) => error.to_string().replace(&folder.path().display().to_string(), "DIR"),
    };
    assert_eq!(error(folder.path().join("missing.csv")), "cannot open DIR/missing.csv");
    assert_eq!(error(folder.path().to_owned()), "DIR is a directory: name the files in it");
}

#[test]
fn other_encodings_and_compressions() {
    insta::assert_snapshot!(
        message(b"\xff\xfep\0u\0", Options::default()),
        @"standard input is UTF-16 text: convert it first, e.g. `iconv -f UTF-16 -t UTF-8`"
    );
    insta::assert_snapshot!(
        message(b"\xfd7zXZ\0\0\0", Options::default()),
        @"standard input is compressed with xz, which sudobench does not read directly: convert it first, for example with `xz -dc FILE | sudobench solve`"
    );
}

/// Formats that are recognised by their first bytes, with the advice in the message.
#[test]
fn unsupported_formats_are_refused_with_a_remedy() {
    let at = |offset: usize, mark: &[u8]| [&vec![b'1'; offset][..], mark].concat();
    let (long, long_object) = (" ".repeat(70_000), "JSON whose first object is longer than 64 KiB");
    for (bytes, is, remedy) in [
        (b"BZh91AY&SY".to_vec(), "compressed with bzip2", "bzip2 -dc FILE"),
        (b"\x04\x22\x4d\x18".to_vec(), "compressed with lz4", "lz4 -dc FILE"),
        (b"7z\xbc\xaf\x27\x1c\0\x04".to_vec(), "a 7-Zip archive", "7z x -so FILE"),
        (b"Rar!\x1a\x07\x01\0".to_vec(), "a RAR archive", "unrar p -inul FILE"),
        (at(257, b"ustar\x0000"), "a tar archive", "tar -xOf FILE"),
        (at(257, b"ustar  \0"), "a tar archive", "tar -xOf FILE"),
        (
            b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1".to_vec(),
            "an old Excel file",
            "read_excel(sys.argv[1], dtype=str)",
        ),
        (b"ARROW1\0\0".to_vec(), "an Arrow file", "read_feather(sys.argv[1])"),
        (b"FEA1\0\0\0\0".to_vec(), "a Feather file", "read_feather(sys.argv[1])"),
        (b"\xff\xff\xff\xff\x78\0\0\0".to_vec(), "an Arrow stream", "open_stream(pa.OSFile(sys.argv[1]))"),
        (b"\x89HDF\r\n\x1a\n".to_vec(), "an HDF5 file", "h5py.File(sys.argv[1])"),
        (b"\x80\x02}q".to_vec(), "a pickle", "read_pickle(sys.argv[1])"),
        (b"\x80\x05\x95".to_vec(), "a pickle", "read_pickle(sys.argv[1])"),
        (b"SQLite format 3\0".to_vec(), "an SQLite database", "sqlite3 -csv -header FILE"),
        (at(8, b"DUCK"), "a DuckDB database", "duckdb -csv FILE"),
        (b"%PDF-1.7\n".to_vec(), "a PDF document", "pdftotext -layout FILE -"),
        (format!("[\n  {{\"puzzle\": \"{P}\"}}\n]\n").into_bytes(), "a JSON array", "jq -c '.[]' FILE"),
        (format!("[{{\"puzzle\": \"{P}\"}}{long}").into_bytes(), "a JSON array", "jq -c '.[]' FILE"),
        (format!("{{\n  \"puzzle\": \"{P}\"\n}}\n").into_bytes(), "JSON over several lines", "jq -c . FILE"),
        (format!("{{\"note\": \"{long}").into_bytes(), long_object, "jq -c '{puzzle}' FILE"),
    ] {
        let message = message(&bytes, Options::default());
        let start = format!(
            "standard input is {is}, which sudobench does not read directly: convert it first, for example with `"
        );
        assert!(message.starts_with(&start), "{message}");
        assert!(message.contains(remedy) && message.ends_with(" | sudobench solve`"), "{message}");
    }
    let named = message(format!("{{\"note\": \"{long}\"}}\n").as_bytes(), forced(InputFormat::JSONL));
    assert!(named.contains(long_object), "{named}");
    // The path is quoted for a shell.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("it's \"one\" $1.xz");
    for (bytes, command) in [(&b"\xfd7zXZ\0\0\0"[..], "xz"), (b"\x80\x05\x95", "python3")] {
        std::fs::write(&path, bytes).unwrap();
        let refused =
            Source::open(&[Input::File(path.clone())], Options::default()).err().unwrap().to_string();
        let line = refused.split('`').nth(1).unwrap().strip_suffix(" | sudobench solve").unwrap();
        let words = shell_words::split(line).unwrap();
        assert_eq!((words[0].as_str(), words.last().unwrap().as_str()), (command, path.to_str().unwrap()));
    }
    // Texts that start like files of unsupported formats are read as text.
    for text in ["FEA1,puzzle", "ARROW1;puzzle", "Obj,puzzle", "BZh9,puzzle", "[x],puzzle"] {
        let delimiter = if text.contains(';') { ';' } else { ',' };
        let rows =
            super::read(format!("{text}\n1{delimiter}{P}\n").as_bytes(), Options::default()).unwrap().1;
        assert_eq!(rows.len(), 1, "{text}");
    }
}

#[test]
fn unknown_formats() {
    insta::assert_snapshot!(
        message(b"\n\nDear all,\nhere are some puzzles\n", Options::default()),
        @"standard input does not look like puzzles: expected CSV with a column of 81 characters, JSON objects with a member of 81 \
        characters, lines of 81 characters or grids of nine lines, but line 3 is `Dear all,`; to read the input anyway, set its format with --input-format"
    );
    insta::assert_snapshot!(
        message(&vec![b'x'; 200_000], Options::default()),
        @"standard input has no line end in its first 64 KiB, so it does not look like puzzles; to read the input anyway, set its format with \
        --input-format"
    );
    assert!(message(b"\0\x01\x02\xff\n", Options::default()).contains("does not look like puzzles"));
}

#[test]
fn wrong_columns() {
    insta::assert_snapshot!(
        message(b"name,age\nAda,36\n", forced(InputFormat::CSV)),
        @"standard input has no column that looks like a puzzle (81 digits and blanks); its columns are 1 `name`, 2 `age`; choose one with --puzzle-column NAME or NUMBER"
    );
    let text = format!("id,puzzle\n1,{P}\n");
    let choose =
        |column: &str| Options { puzzle_column: Some(ColumnChoice::from(column)), ..Options::default() };
    insta::assert_snapshot!(
        message(text.as_bytes(), choose("question")),
        @"standard input has no column named 'question'; its columns are 1 `id`, 2 `puzzle`"
    );
    for number in ["0", "3"] {
        assert!(
            message(text.as_bytes(), choose(number))
                .contains(&format!("no column number {number}; its columns"))
        );
    }
    assert!(message(format!("{P},{S}\n").as_bytes(), choose("puzzle")).contains("no column named 'puzzle'"));
    let delimiter = Options { delimiter: Some(b'"'), ..Options::default() };
    assert!(message(text.as_bytes(), delimiter).starts_with("'\"' cannot separate columns"));
}

#[test]
fn the_most_similar_text_to_a_puzzle_is_named() {
    let near = |text: &str| {
        let message = message(text.as_bytes(), Options::default());
        let rest = message.strip_prefix("standard input does not look like puzzles; ").unwrap();
        rest.split_once("; to read").unwrap().0.to_owned()
    };
    let rows: Vec<String> =
        P.as_bytes().chunks(9).map(|row| String::from_utf8_lossy(row).replace('.', "0")).collect();
    let spaced = rows.iter().map(|row| row.chars().map(|cell| format!("{cell} ")).collect::<String>() + "\n");
    let spaced: Vec<String> = spaced.collect();
    let grid = spaced.concat();
    assert_eq!(
        near(&grid.replacen("3 \n", "\n", 1)),
        "line 4 is close to a puzzle, but not valid: row 4 of the grid has 8 cells instead of 9"
    );
    assert_eq!(
        near(&format!("1\n{}", grid.replacen('9', "9 9", 1))),
        "line 3 is close to a puzzle, but not valid: row 2 of the grid has 10 cells instead of 9"
    );
    assert_eq!(
        near(&grid.replacen('7', "?", 1)),
        "line 1 is close to a puzzle, but not valid: byte '?' in row 1 of the grid is neither a digit nor a blank"
    );
    assert_eq!(
        near(&spaced[..8].concat()),
        "line 1 is close to a puzzle, but not valid: a grid of 8 rows instead of 9"
    );
    let lost = P.replace('.', "0").replacen("53", "", 1).trim_start_matches('0').to_owned();
    let words = format!(
        "{} digits where a puzzle has 81; if zeros at the start were lost, --restore-zeros restores them",
        lost.len()
    );
    let close = |line: u64| format!("line {line} is close to a puzzle, but not valid: {words}");
    assert_eq!(near(&format!("a,b\n1,{lost}\n")), close(2));
    assert_eq!(near(&format!("{lost}\n")), close(1));
    assert_eq!(
        near(&format!("a;b\n1;{}\n", &P[1..])),
        "line 2 is close to a puzzle, but not valid: 80 characters where a puzzle has 81"
    );
    let rows = super::read(format!("puzzle\n{lost}\n{P}\n").as_bytes(), Options::default()).unwrap().1;
    assert_eq!(rows[0].puzzle, Err(words));
    let rows = super::read(format!("puzzle\n5.3E+80\n{P}\n").as_bytes(), Options::default()).unwrap().1;
    let words = "a number in scientific notation: its digits are lost and cannot be restored; create the puzzles again, in a column of text";
    assert_eq!(rows[0].puzzle, Err(words.to_owned()));
}
