//! Tests of several inputs, of `skip` and `limit`, and of records that are too long.

use std::io::{Read, Write as _};
use std::path::PathBuf;
#[cfg(unix)]
use std::sync::atomic::Ordering;

#[cfg(unix)]
use sudobench_rows::source::Replay;
use sudobench_rows::source::{Input, InputFormat, MAX_RECORD, Options, RowFault, Source, SourceError};

use super::compressed::{gzip, zip_of};
use super::npy::{cells, npy};
use super::{PUZZLE as P, SOLUTION as S, blocks_of, forced, read, rows_and_error, rows_of};

/// Makes files with these contents, in a temporary folder.
fn files(contents: &[&str]) -> (tempfile::TempDir, Vec<Input>) {
    let folder = tempfile::tempdir().unwrap();
    let write = |(index, content): (usize, &&str)| {
        let path: PathBuf = folder.path().join(format!("{index}.txt"));
        std::fs::write(&path, content).unwrap();
        Input::File(path)
    };
    let inputs = contents.iter().enumerate().map(write).collect();
    (folder, inputs)
}

#[test]
fn inputs_follow_one_another() {
    let with_header = format!("puzzle,solution\n{P},{S}\nx,y\n");
    let (_folder, inputs) =
        files(&[&with_header, &format!("\u{feff}{}", with_header.replace('\n', "\r\n")), &with_header]);
    let mut source = Source::open(&inputs, Options::default()).unwrap();
    let mut origins = Vec::new();
    while let Some(block) = source.next_block(Vec::new()).unwrap() {
        origins.push((block.input, block.first_line));
    }
    assert_eq!(origins, [(0, 2), (1, 2), (2, 2)]);
    assert_eq!(source.inputs_read().len(), 3);
    let all = rows_of(&mut Source::open(&inputs, Options::default()).unwrap()).unwrap();
    assert_eq!(all.iter().map(|row| row.line).collect::<Vec<_>>(), [2, 3, 2, 3, 2, 3]);
    for (skip, limit) in [(0, 0), (1, 3), (2, 2), (3, 1), (5, 9), (6, 1), (9, 9)] {
        let options = Options { skip, limit: Some(limit), hash: true, ..Options::default() };
        let mut source = Source::open(&inputs, options).unwrap();
        let rows = rows_of(&mut source).unwrap();
        let wanted = all.iter().skip(skip as usize).take(limit as usize).cloned();
        assert_eq!(rows, wanted.collect::<Vec<_>>(), "skip {skip}, limit {limit}");
        assert!(
            source.inputs_read().len() == 3 && source.inputs_read().iter().all(|read| read.sha256.is_some())
        );
    }
}

#[test]
fn a_later_input_must_have_the_same_layout() {
    let table = format!("puzzle,solution\n{P},{S}\n");
    let lines = format!("{P}\n");
    let grid = format!(
        "{}\n",
        P.as_bytes().chunks(9).map(|row| String::from_utf8_lossy(row)).collect::<Vec<_>>().join("\n")
    );
    let error = |second: &str| {
        let (folder, inputs) = files(&[if second == grid { &lines } else { &table }, second]);
        let error = Source::open(&inputs, Options::default()).err().unwrap();
        error.to_string().replace(&format!("{}/", folder.path().display()), "")
    };
    insta::assert_snapshot!(
        error(&table.replace("puzzle,", "quiz,")),
        @"1.txt does not have the layout of 0.txt: columns `quiz,solution` instead of columns `puzzle,solution`; process them in separate \
        runs, or convert one of them"
    );
    assert!(
        error(&format!("{P},{S}\n")).starts_with("1.txt does not have the layout of 0.txt: columns `53..7")
    );
    assert!(error(&lines).contains("instead of columns `puzzle,solution`"));
    insta::assert_snapshot!(
        error(&grid),
        @"1.txt does not have the layout of 0.txt: grid instead of lines; process them in separate runs, or convert one of them"
    );
    assert_eq!(error(""), "1.txt is empty");
}

#[test]
fn inputs_without_headers_follow_one_another() {
    let (_folder, inputs) = files(&[&format!("{P},{S}\n"), &format!("oops\n{P},{S}\n{P},{S}\n")]);
    let rows = rows_of(&mut Source::open(&inputs, Options::default()).unwrap()).unwrap();
    assert_eq!(rows.len(), 4);
    assert_eq!(rows[1].puzzle, Err("the row has 1 of 2 columns".to_owned()));
}

#[test]
fn a_list_of_lines_may_have_comments_that_look_like_columns() {
    let (_folder, inputs) = files(&[&format!("{P}\n"), &format!("# more\n{P}\teasy\n{P}\thard\n")]);
    assert_eq!(rows_of(&mut Source::open(&inputs, Options::default()).unwrap()).unwrap().len(), 3);
}

/// The name of a change, and a function that changes a file in this way.
type Change = (&'static str, fn(&std::path::Path));

const CHANGES: [Change; 4] = [
    ("cut", |path| {
        let file = std::fs::OpenOptions::new().write(true).open(path).unwrap();
        file.set_len(file.metadata().unwrap().len() / 2 + 7).unwrap();
    }),
    ("emptied", |path| std::fs::write(path, "").unwrap()),
    ("grown", |path| {
        let mut file = std::fs::OpenOptions::new().append(true).open(path).unwrap();
        file.write_all(&std::fs::read(path).unwrap()).unwrap();
    }),
    ("rewritten", |path| {
        let file = std::fs::OpenOptions::new().write(true).open(path).unwrap();
        let modified = file.metadata().unwrap().modified().unwrap();
        file.set_modified(modified + std::time::Duration::from_secs(1)).unwrap();
    }),
];

#[test]
fn a_file_that_changes_while_it_is_read_is_an_error_after_its_complete_rows() {
    let rows = 3000;
    let text = format!("{P},{S}\n").repeat(rows);
    let forms = [
        ("text", text.clone().into_bytes()),
        // The last row is incomplete, as if another program were still writing it when the file is opened.
        ("text without its end", text.as_bytes()[..text.len() - 30].to_vec()),
        ("gzip", gzip(text.as_bytes())),
        ("zstd", zstd::encode_all(text.as_bytes(), 1).unwrap()),
        ("zip", zip_of(&[("a.csv", text.as_bytes())], zip::CompressionMethod::Deflated)),
        ("npy", npy("|u1", "(3000, 81)", &cells(P).repeat(rows))),
    ];
    for (form, bytes) in &forms {
        for (change, change_file) in CHANGES {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("in");
            std::fs::write(&path, bytes).unwrap();
            let inputs = [Input::File(path.clone())];
            let options = Options { block: blocks_of(1000, 1000), ..Options::default() };
            let mut source = Source::open(&inputs, options.clone()).unwrap();
            assert!(source.next_block(Vec::new()).unwrap().is_some());
            change_file(&path);
            let (seen, error) = rows_and_error(source);
            assert!(
                matches!(error, Some(SourceError::ChangedWhileRead { .. })),
                "{form}, {change}: {error:?}"
            );
            assert!(
                seen.iter().all(|row| row.puzzle.is_ok() && row.text == seen[0].text),
                "{form}, {change}"
            );
            // A run with a limit must notice the change too, although the run does not read to the end of the file.
            std::fs::write(&path, bytes).unwrap();
            let mut source = Source::open(&inputs, Options { limit: Some(20), ..options }).unwrap();
            assert!(source.next_block(Vec::new()).unwrap().is_some());
            change_file(&path);
            let (_, error) = rows_and_error(source);
            assert!(matches!(error, Some(SourceError::ChangedWhileRead { .. })), "{form}, {change}");
        }
    }
}

#[test]
fn a_later_file_that_changes_before_its_turn_is_an_error() {
    for (change, change_file) in CHANGES {
        let lines = format!("{P}\n{P}\n");
        let (folder, inputs) = files(&[&lines, &lines]);
        let source = Source::open(&inputs, Options::default()).unwrap();
        change_file(&folder.path().join("1.txt"));
        let (seen, error) = rows_and_error(source);
        let Some(SourceError::ChangedWhileRead { input, line: 1 }) = &error else {
            panic!("{change}: {error:?}");
        };
        assert_eq!((seen.len(), input), (2, &inputs[1]), "{change}");
    }
}

#[cfg(unix)]
#[test]
fn a_named_pipe_is_opened_only_when_it_is_reached() {
    let (folder, mut inputs) = files(&[&format!("{P}\n")]);
    let pipe = folder.path().join("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    inputs.push(Input::File(pipe.clone()));
    let mut source = Source::open(&inputs, Options::default()).unwrap();
    assert_eq!(source.progress().1, None);
    let writer = std::thread::spawn(move || std::fs::write(pipe, format!("{P}\n{P}\n")).unwrap());
    assert_eq!(rows_of(&mut source).unwrap().len(), 3);
    writer.join().unwrap();
}

#[cfg(unix)]
#[test]
fn a_stored_pipe_is_read_again_and_then_further() {
    let text = format!("{P}\n").repeat(3000);
    for bytes in [text.clone().into_bytes(), gzip(text.as_bytes())] {
        let (folder, mut inputs) = files(&[&format!("{P}\n")]);
        let pipe = folder.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        inputs.push(Input::File(pipe.clone()));
        // The pipe stays open until `ended` is dropped. A source with a limit must end without waiting for the end of the pipe.
        let (ended, end) = std::sync::mpsc::channel::<()>();
        let writer = std::thread::spawn(move || {
            let mut pipe = std::fs::File::create(pipe).unwrap();
            pipe.write_all(&bytes).unwrap();
            let _ = end.recv();
        });
        let limited = |limit| Options {
            limit,
            block: blocks_of(1000, 1000),
            replay: Some(Replay::default()),
            ..Options::default()
        };
        let options = limited(Some(4));
        let first = rows_of(&mut Source::open(&inputs, options.clone()).unwrap()).unwrap();
        assert_eq!((first.len(), first[1].line, first[3].line), (4, 1, 3));
        let further = Options { limit: Some(1001), ..options.clone() };
        assert_eq!(rows_of(&mut Source::open(&inputs, further).unwrap()).unwrap().len(), 1001);
        assert_eq!(rows_of(&mut Source::open(&inputs, options.clone()).unwrap()).unwrap(), first);
        drop(ended);
        let all = Options { limit: None, ..options };
        for _ in 0..2 {
            assert_eq!(rows_of(&mut Source::open(&inputs, all.clone()).unwrap()).unwrap().len(), 3001);
        }
        all.cancel.store(true, Ordering::SeqCst);
        let error = Source::open(&inputs, all).and_then(|mut source| rows_of(&mut source)).unwrap_err();
        assert!(error.is_interrupt(), "{error}");
        writer.join().unwrap();
    }
}

#[test]
fn an_overlong_record_is_one_malformed_row() {
    for length in [MAX_RECORD, MAX_RECORD + 1, MAX_RECORD + 2, 3 * MAX_RECORD, 3_000_000] {
        for (format, end) in [
            (InputFormat::LINES, "\n"),
            (InputFormat::LINES, "\r\n"),
            (InputFormat::CSV, "\r"),
            (InputFormat::GRID, "\n"),
        ] {
            let long = "z".repeat(length);
            let row = if format == InputFormat::GRID {
                P.as_bytes().chunks(9).map(|row| String::from_utf8_lossy(row)).collect::<Vec<_>>().join(end)
            } else {
                P.to_owned()
            };
            let text = format!("{row}{end}{long}{end}{row}{end}");
            let options = |block| Options {
                block,
                header: Some(false),
                puzzle_column: Some("1".into()),
                ..forced(format)
            };
            let large = read(text.as_bytes(), options(blocks_of(1 << 23, 1 << 23))).unwrap().1;
            assert_eq!(large.len(), 3);
            if length > MAX_RECORD {
                let reason = format!("a row of {length} bytes is too long for a puzzle");
                assert_eq!(large[1].puzzle, Err(reason));
                assert_eq!(large[1].text.len(), MAX_RECORD);
            }
            assert!(large[0].puzzle.is_ok() && large[2].puzzle.is_ok());
            for size in [1, 300, 70_000] {
                let small = read(text.as_bytes(), options(blocks_of(size, size))).unwrap().1;
                assert!(small == large, "{format:?} {end:?} {length} {size}");
                let skipping = Options { skip: 2, ..options(blocks_of(size, size)) };
                let last = read(text.as_bytes(), skipping).unwrap().1;
                assert!(last == large[2..], "without two rows: {format:?} {end:?} {length} {size}");
            }
        }
    }
}

#[test]
fn an_overlong_quoted_record_is_one_row_and_later_rows_are_read() {
    let row = format!("{P},x\n");
    let shapes = [
        ("words", "some words\n".to_owned()),
        ("puzzles", format!("{P}\n")),
        ("rows", row.clone()),
        ("quotes", "so \"\"called\"\"\r\n".to_owned()),
    ];
    for (name, line) in shapes {
        // If an overlong record ends within its first 1 MiB according to the grammar of CSV, the reader uses this end. In a longer record,
        // a line that looks like a row may end the record. So here, only records of the shape `words` are longer than 1 MiB.
        let sizes: &[usize] =
            if name == "words" { &[70_000, 140_000, 900_000, 3_000_000] } else { &[70_000, 900_000] };
        for &size in sizes {
            let lines = size / line.len();
            let text = format!("puzzle,note\n{row}{P},\"{}\"\n{}", line.repeat(lines), row.repeat(5));
            let rows = read(text.as_bytes(), Options::default()).unwrap().1;
            assert_eq!(rows.len(), 7, "{name} {size}");
            let length = 82 + 2 + lines * line.len();
            let reason = format!("a row of {length} bytes in {} lines is too long for a puzzle", lines + 1);
            assert_eq!(rows[1].puzzle, Err(reason));
            assert_eq!(rows[2].line, 4 + lines as u64);
            assert_eq!(rows.iter().filter(|row| row.puzzle.is_ok()).count(), 6);
            // Only the shortest text is read in blocks of one byte, because this is slow: at each mark (a position where the text may be
            // cut), an incomplete record is examined from its start.
            let smallest = if size == 70_000 { 1 } else { 1_000 };
            for size in [smallest, 2_000, 66_000, 1 << 20] {
                let options = Options { block: blocks_of(size, size), ..Options::default() };
                assert!(read(text.as_bytes(), options).unwrap().1 == rows, "{name} {size}");
            }
        }
    }
}

/// A quoted field contains a line that looks like a row, in the first or in the second MiB of the field. The end of the record must not
/// depend on how much text is read at once.
#[test]
fn block_sizes_do_not_change_the_end_of_an_overlong_record() {
    let (row, words) = (format!("{P},x\n"), "some words\n");
    for before in [100_000, 1_200_000] {
        let field = [words.repeat(before / words.len()), row.clone(), words.repeat(50_000)].concat();
        let text = format!("puzzle,note\n{row}{P},\"{field}\"\n{}", row.repeat(5));
        let rows = |size: usize| {
            let options = Options { block: blocks_of(size, size), ..Options::default() };
            read(text.as_bytes(), options).unwrap().1
        };
        let whole = rows(1 << 25);
        for size in [2_000, 66_000, 1 << 20, 1 << 21] {
            assert!(rows(size) == whole, "{before} {size}: {} and {} rows", rows(size).len(), whole.len());
        }
    }
}

#[test]
fn an_open_quote_does_not_use_quotes_of_later_rows() {
    let row = format!("{P},x\n");
    let later = format!("{}{P},\"y\"\n{}", row.repeat(2000), row.repeat(10));
    let rows = read(format!("puzzle,note\n{P},\"open\n{later}").as_bytes(), Options::default()).unwrap().1;
    let swallowed = MAX_RECORD / row.len();
    assert!((2011 - swallowed..=2013 - swallowed).contains(&rows.len()), "{}", rows.len());
    assert_eq!(rows.iter().filter(|row| row.puzzle.is_err()).count(), 1);
}

#[test]
fn an_open_quote_swallows_no_more_than_one_record() {
    let row = format!("{P},x\n");
    let text = format!("puzzle,note\n{row}{P},\"open\n{}", row.repeat(3000));
    let rows = read(text.as_bytes(), Options::default()).unwrap().1;
    let swallowed = MAX_RECORD / row.len();
    assert!((3000 - swallowed - 1..=3000 - swallowed + 2).contains(&rows.len()));
    assert_eq!(rows.iter().filter(|row| row.puzzle.is_err()).count(), 1);
    assert_eq!(rows.last().unwrap().line, 3003);
    for size in [1, 100, 66_000, 1 << 20] {
        let options = Options { block: blocks_of(size, size), ..Options::default() };
        assert!(read(text.as_bytes(), options).unwrap().1 == rows, "{size}");
    }
}

#[test]
fn a_file_without_line_ends_takes_little_memory() {
    let endless = std::io::repeat(b'5').take(200_000_000);
    let mut source = Source::from_reader("standard input", endless, forced(InputFormat::LINES)).unwrap();
    let block = source.next_block(Vec::new()).unwrap().unwrap();
    let fault = RowFault::Overlong { length: 200_000_000, lines: None };
    assert_eq!(block.overlong, Some(fault));
    assert!(block.bytes.capacity() < 1_000_000);
    assert!(source.next_block(block.bytes).unwrap().is_none());
}

/// The first record ends with a `\r` at a mark (a position where the text may be cut into blocks). Only the next byte shows that the record
/// is complete.
#[test]
fn a_record_that_ends_at_a_mark_is_a_block_of_its_own() {
    let text = format!("{P}\r{}\r{P}\r", "z".repeat(59));
    let options = Options { block: blocks_of(41, 41), ..forced(InputFormat::LINES) };
    let mut source = Source::from_reader("standard input", std::io::Cursor::new(text), options).unwrap();
    let mut lengths = Vec::new();
    while let Some(block) = source.next_block(Vec::new()).unwrap() {
        lengths.push(block.bytes.len());
    }
    assert_eq!(lengths, [82, 60, 82]);
}

#[test]
fn blocks_grow_with_the_position() {
    let text = format!("{P}\n").repeat(20_000);
    let options = Options { block: blocks_of(1000, 20_000), ..Options::default() };
    let mut source =
        Source::from_reader("standard input", std::io::Cursor::new(text.clone()), options).unwrap();
    let (mut sizes, mut buffer) = (Vec::new(), Vec::new());
    while let Some(block) = source.next_block(buffer).unwrap() {
        sizes.push(block.bytes.len());
        buffer = block.bytes;
    }
    assert_eq!(sizes.iter().sum::<usize>(), text.len());
    // Text is cut into blocks at or before fixed positions, called marks. A block contains the text between two marks, and the start of a
    // row that was incomplete at the first mark.
    let row = P.len() + 1;
    assert!(sizes[0] <= 1000 && sizes.iter().all(|&size| size < 20_000 + row));
    assert!(sizes[..sizes.len() - 1].windows(2).all(|pair| pair[1] + 2 * row > pair[0]));
    assert!(sizes[sizes.len() - 2] > 19_000);
}

#[test]
fn rows_in_memory_are_read_like_lines_of_a_file() {
    let other = S.replace('5', ".");
    let rows = [P, "# a comment", &other, "oops", "", "id {} # c", S, "puzzle,solution"];
    let rows: Vec<String> = rows.iter().map(|row| row.replace("{}", P)).collect();
    let text = rows.join("\n");
    for (skip, limit, size) in
        [(0, None, 1), (0, None, 1 << 20), (1, Some(3), 100), (4, Some(9), 1), (9, None, 9)]
    {
        let options = Options { skip, limit, block: blocks_of(size, size), ..forced(InputFormat::LINES) };
        let wanted = read(text.as_bytes(), options.clone()).unwrap().1;
        let options = Options { format: None, ..options };
        let mut source = Source::from_rows(rows.clone(), options.clone()).unwrap();
        assert_eq!(source.layout().format(), InputFormat::LINES);
        assert_eq!(rows_of(&mut source).unwrap(), wanted, "skip {skip}, limit {limit:?}, blocks of {size}");
        let bytes = rows.clone().into_iter().map(String::into_bytes);
        assert_eq!(rows_of(&mut Source::from_rows(bytes, options).unwrap()).unwrap(), wanted);
    }
    let all = rows_of(&mut Source::from_rows(rows, Options::default()).unwrap()).unwrap();
    assert_eq!(
        all.iter().map(|row| row.line).collect::<Vec<_>>(),
        [1, 3, 4, 6, 7, 8],
        "the line of a row is the number of its item"
    );
}

#[test]
fn rows_in_memory_may_have_another_format_and_be_endless() {
    let grid = P.as_bytes().chunks(9).cycle();
    let options = Options { limit: Some(1000), ..forced(InputFormat::GRID) };
    let rows = rows_of(&mut Source::from_rows(grid, options).unwrap()).unwrap();
    assert!(rows.len() == 1000 && rows.iter().all(|row| row.puzzle.as_deref() == Ok(P)));
    let none = Source::from_rows(std::iter::empty::<Vec<u8>>(), Options::default());
    assert_eq!(none.err().unwrap().to_string(), "the iterator of rows is empty");
}
