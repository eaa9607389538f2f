//! Small inputs of several formats with their special cases, in tables of test cases.

use sudobench_rows::internals::InputColumns;
use sudobench_rows::source::{ColumnChoice, InputFormat, Options};

use super::{PUZZLE as P, SOLUTION as S, Seen, forced, read};

/// Describes the rows, one per line: the number of the row's line in the text, then `ok` for the puzzle `P`, the text of
/// any other puzzle, or the reason why the row is malformed.
fn summary(rows: &[Seen]) -> String {
    let line = |row: &Seen| match &row.puzzle {
        Ok(puzzle) if puzzle == P => format!("{} ok", row.line),
        Ok(puzzle) => format!("{} {puzzle}", row.line),
        Err(reason) => format!("{} {reason}", row.line),
    };
    rows.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// Replaces `{P}` by the puzzle, `{Z}` by the puzzle with 0 for blanks, `{S}` by the solution, `{G}` by the nine lines of a grid, `{T}` by
/// the first five of these lines, and `{B1}` to `{B3}` by the three lines of the first, second and third band.
fn filled(template: &str) -> String {
    let rows: Vec<&str> = (0..9).map(|row| &P[row * 9..row * 9 + 9]).collect();
    template
        .replace("{G}", &rows.join("\n"))
        .replace("{T}", &rows[..5].join("\n"))
        .replace("{B1}", &rows[..3].join("\n"))
        .replace("{B2}", &rows[3..6].join("\n"))
        .replace("{B3}", &rows[6..].join("\n"))
        .replace("{P}", P)
        .replace("{Z}", &P.replace('.', "0"))
        .replace("{S}", S)
}

fn check(cases: &[(&str, &str, InputFormat, &str)], options: &Options) {
    for (name, template, format, wanted) in cases {
        let (layout, rows) =
            read(filled(template).as_bytes(), options.clone()).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(layout.format(), *format, "{name}");
        assert_eq!(summary(&rows), *wanted, "{name}");
    }
}

#[test]
fn csv() {
    let cases = [
        ("kaggle 1M", "quizzes,solutions\n{Z},{S}\n{Z},{S}\n", "2 ok\n3 ok"),
        ("kaggle 3M", "id,puzzle,solution,clues,difficulty\n1,{P},{S},30,2.2\n", "2 ok"),
        ("extreme", "source,question,answer,rating\npuzzles0,{P},{S},0\n", "2 ok"),
        ("other names", "a,b\n1,{P}\n2,{P}\n", "2 ok\n3 ok"),
        ("no header", "{Z},{S}\n{Z},{S}\n", "1 ok\n2 ok"),
        ("tabs", "n\tboard\n1\t{P}\n", "2 ok"),
        ("semicolons", "puzzle;note\n{P};a,b\n", "2 ok"),
        ("one column", "Puzzle\n{P}\n{P}\n", "2 ok\n3 ok"),
        ("byte order mark", "\u{feff}puzzle,solution\n{P},{S}\n", "2 ok"),
        ("CRLF", "puzzle,solution\r\n{P},{S}\r\n{P},{S}\r\n", "2 ok\n3 ok"),
        ("lone CR", "puzzle,solution\r{P},{S}\r{P},{S}\r", "2 ok\n3 ok"),
        ("no last line end", "puzzle,solution\n{P},{S}", "2 ok"),
        ("blank lines", "\n\npuzzle,solution\n\n{P},{S}\n\r\n\n{P},{S}\n", "5 ok\n8 ok"),
        ("quoted", "\"puzzle\",\"note\"\n\"{P}\",\"two\nlines, \"\"x\"\"\"\n{P},\n", "2 ok\n4 ok"),
        ("spaces", "id, puzzle, solution\n1, {P}, {S}\n", "2 ok"),
        ("header alone", "puzzle,solution\n", ""),
        (
            "bad rows",
            "puzzle,solution\nfoo\n{P}\n{P},{S},\n{P}5,{S}\n,\n{P},{S}\n",
            "2 the row has 1 of 2 columns\n3 the row has 1 of 2 columns\n4 the row has 3 columns instead of 2\n\
             5 82 characters where a puzzle has 81\n6 0 characters where a puzzle has 81\n7 ok",
        ),
        (
            "bad first row without a header",
            "{P}.,{S}\n{P},{S}\n{P},{S}\n",
            "1 82 characters where a puzzle has 81\n2 ok\n3 ok",
        ),
        (
            "short first row without a header",
            "oops\n{P},{S}\n{P},{S}\n",
            "1 the row has 1 of 2 columns\n2 ok\n3 ok",
        ),
        (
            "quotes in the puzzle",
            "puzzle,n\n\"{P}\"x,1\n\"5\"\"3\",2\n{P},3\n",
            "2 a quote inside the puzzle\n3 a quote inside the puzzle\n4 ok",
        ),
        ("open quote", "puzzle,n\n{P},1\n{P},\"2\n{P},3\n", "2 ok\n3 a quote is opened but not closed"),
    ];
    let cases = cases.map(|(name, template, wanted)| (name, template, InputFormat::CSV, wanted));
    check(&cases, &Options::default());
}

#[test]
fn lines() {
    let cases = [
        ("plain", "{P}\n{Z}\n{P}", "1 ok\n2 ok\n3 ok"),
        ("comments", "# a list\n{P} # easy\n\n  # more\n{P}:12:x\n", "2 ok\n5 ok"),
        ("count", "2\n{P}\n{P}\n", "2 ok\n3 ok"),
        ("count of nine digits", "100000000\r\n{P}\n", "2 ok"),
        ("label", "0123456789ab {P}  1.2\nx7 {P}\n", "1 ok\n2 ok"),
        ("tab and comment", "{P}\tED=1.2\n{P}\n", "1 ok\n2 ok"),
        (
            "bad rows",
            "oops\n{P}5 x\na b c {P}\n{P}\n",
            "1 4 characters where a puzzle has 81\n2 82 characters where a puzzle has 81\n\
             3 1 characters where a puzzle has 81\n4 ok",
        ),
    ];
    let cases = cases.map(|(name, template, wanted)| (name, template, InputFormat::LINES, wanted));
    check(&cases, &Options::default());
    let every_blank: String =
        P.bytes().map(|byte| if byte == b'.' { '*' } else { char::from(byte) }).collect();
    let text =
        format!("{every_blank}\n{}\n{}\n", every_blank.replace('*', "x"), every_blank.replace('*', "-"));
    let (_, rows) = read(text.as_bytes(), Options::default()).unwrap();
    assert_eq!(summary(&rows), "1 ok\n2 ok\n3 ok");
}

#[test]
fn lines_have_labels_and_comments() {
    let found = |template: &str| {
        let (layout, _) = read(filled(template).as_bytes(), Options::default()).unwrap();
        InputColumns::from_layout(&layout).names.unwrap()
    };
    assert_eq!(found("{P}\n"), [b"puzzle"]);
    assert_eq!(found("{P}\nid {P} # c\n"), [&b"label"[..], b"puzzle", b"comment"]);
}

#[test]
fn grids() {
    let drawn = "+-------+-------+-------+\n| 5 3 . | . 7 . | . . . |\n| 6 . . | 1 9 5 | . . . |\n\
                 | . 9 8 | . . . | . 6 . |\n|-------+-------+-------|\n| 8 . . | . 6 . | . . 3 |\n\
                 | 4 . . | 8 . 3 | . . 1 |\n| 7 . . | . 2 . | . . 6 |\n|-------+-------+-------|\n\
                 | . 6 . | . . . | 2 8 . |\n| . . . | 4 1 9 | . . 5 |\n| . . . | . 8 . | . 7 9 |\n\
                 +-------+-------+-------+\n";
    let two_drawn = format!("{drawn}{drawn}");
    let cases = [
        ("one", "{G}\n", "1 ok"),
        ("one after the other", "{G}\n{G}\n{G}", "1 ok\n10 ok\n19 ok"),
        ("count", "2\n{G}\n{G}\n", "2 ok\n11 ok"),
        ("apart", "{G}\n\n\n{G}\n", "1 ok\n12 ok"),
        ("titles", "Grid 01\n{G}\nGrid 02\n{G}\n", "2 ok\n12 ok"),
        ("numbers", "x 1\n{G}\n2\n{G}\n", "2 ok\n12 ok"),
        ("bands", "{B1}\n\n{B2}\n\n{B3}\n\n{G}\n", "1 ok\n13 ok"),
        ("rules of nine dashes", "{B1}\n---------\n{B2}\n---------\n{B3}\n---------\n{G}\n", "1 ok\n13 ok"),
        ("drawn", two_drawn.as_str(), "2 ok\n15 ok"),
        ("short grid apart", "{G}\n\n{T}\n\n{G}\n", "1 ok\n11 a grid of 5 rows instead of 9\n17 ok"),
        ("short grid of one band", "{B1}\n\n{G}\n", "1 a grid of 3 rows instead of 9\n5 ok"),
        ("short grid of two bands", "{B1}\n\n{B2}\n\n{G}\n", "1 a grid of 6 rows instead of 9\n9 ok"),
        ("short grid at the end", "{G}\n{T}", "1 ok\n10 a grid of 5 rows instead of 9"),
        (
            "bad rows",
            "{G}\n\n{B1}\n{B2}\n53..7...\n{B3}\n\n{B1}\n{B2}\n5.?.....3\n{B3}\n\n{G}\n",
            "1 ok\n11 row 7 of the grid has 8 cells instead of 9\n20 a grid of 1 row instead of 9\n\
             22 byte '?' in row 7 of the grid is neither a digit nor a blank\n31 a grid of 1 row instead of 9\n33 ok",
        ),
    ];
    for (name, template, wanted) in cases {
        let (layout, rows) =
            read(filled(template).as_bytes(), Options::default()).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert!(
            [InputFormat::GRID, InputFormat::BOJ2239].contains(&layout.format()),
            "{name}: {:?}",
            layout.format()
        );
        assert_eq!(summary(&rows), wanted, "{name}");
    }
}

#[test]
fn dashes_are_rows_where_rows_are_missing() {
    let text = "5--------\n---------\n------6--\n\
                ---------\n---------\n7--------\n\
                --------1\n---------\n--------2\n";
    let wanted = "5.......................6....................7................1.................2";
    for text in
        [text.to_owned(), text.repeat(2), text.replace("7--------", "---------"), "---------\n".repeat(9)]
    {
        let (_, rows) = read(text.as_bytes(), forced(InputFormat::GRID)).unwrap();
        assert_eq!(rows.len(), text.lines().count() / 9);
        for row in rows {
            let puzzle = row.puzzle.unwrap();
            assert_eq!(puzzle.replace('.', "").is_empty(), !text.contains('5'));
            assert!(puzzle == wanted || puzzle == wanted.replace('7', ".") || !text.contains('5'));
        }
    }
}

#[test]
fn formats_are_chosen_by_name() {
    let names: Vec<&str> = InputFormat::all().map(InputFormat::name).collect();
    assert_eq!(names, ["csv", "jsonl", "lines", "sdm", "sdk", "grid", "boj2580", "boj2239", "npy"]);
    assert!(InputFormat::all().all(|format| format.name().parse() == Ok(format)));
    assert!("CSV".parse::<InputFormat>().is_err());
}

#[test]
fn named_formats_of_nine_lines() {
    let spaced: String =
        filled("{G}").replace('.', "0").replace('\n', ";").chars().flat_map(|c| [c, ' ']).collect();
    let spaced = spaced.replace(" ; ", "\n");
    let tagged = "#Aauthor\n#Bdate\n[Puzzle]\n{G}\n[State]\n{G}\n#Anext\n[Puzzle]\n{G}\n";
    let compact = filled("{G}").replace('.', "0");
    let cases = [
        ("BOJ 2580", spaced.as_str(), InputFormat::BOJ2580, "1 ok"),
        ("BOJ 2239", compact.as_str(), InputFormat::BOJ2239, "1 ok"),
        ("sdk", tagged, InputFormat::SDK, "4 ok\n25 ok"),
    ];
    check(&cases, &Options::default());
}

#[test]
fn columns_are_chosen_by_name_number_and_content() {
    let by = |text: &str, puzzle: Option<&str>, solution: Option<&str>| {
        let options = Options {
            puzzle_column: puzzle.map(ColumnChoice::from),
            solution_column: solution.map(ColumnChoice::from),
            ..Options::default()
        };
        let (layout, rows) = read(filled(text).as_bytes(), options).unwrap();
        let first = rows.first().map(|row| (row.puzzle_text.clone(), row.expected.clone()));
        let csv = layout.csv().unwrap();
        (csv.puzzle_column, csv.solution_column, first)
    };
    let (p, s) = (P.as_bytes().to_vec(), Some(S.as_bytes().to_vec()));
    assert_eq!(by("x,y,z\n{S},1,{P}\n", None, None), (2, Some(0), Some((p.clone(), s.clone()))));
    assert_eq!(by("{S},{P}\n", None, None), (1, Some(0), Some((p.clone(), s.clone()))));
    assert_eq!(by("grid,text\n7,{P}\n", None, None), (1, None, Some((p.clone(), None))));
    assert_eq!(by("a,b\n{P},{P}\n", Some("B"), None), (1, None, Some((p.clone(), None))));
    assert_eq!(by("a,b\n{P},{S}\n", Some("2"), Some("a")), (1, Some(0), Some((S.into(), Some(p.clone())))));
    assert_eq!(by("puzzle,solution\n{P},\n", None, None), (0, Some(1), Some((p, None))));
    let broken = Some((b"broken".to_vec(), Some(S.as_bytes().to_vec())));
    assert_eq!(by("puzzle,solution,solution\nbroken,{S},{S}\n", None, None), (0, Some(1), broken));
}

#[test]
fn a_header_can_be_denied() {
    let text = filled("puzzle,solution\n{P},{S}\n");
    let (layout, rows) =
        read(text.as_bytes(), Options { header: Some(false), ..Options::default() }).unwrap();
    assert_eq!(layout.csv().unwrap().header, None);
    assert_eq!(summary(&rows), "1 6 characters where a puzzle has 81\n2 ok");
    let (layout, _) = read(text.as_bytes(), Options::default()).unwrap();
    let header = layout.csv().unwrap().header.as_ref().unwrap();
    assert_eq!(header.text, b"puzzle,solution");
    assert_eq!(header.names, [b"puzzle".to_vec(), b"solution".to_vec()]);
}

#[test]
fn a_row_has_its_text_and_columns() {
    let text = filled("puzzle,note\n\"{P}\",\"a \"\"b\"\", c\"\r\n");
    let (layout, rows) = read(text.as_bytes(), Options::default()).unwrap();
    assert_eq!(rows[0].text, format!("\"{P}\",\"a \"\"b\"\", c\"").as_bytes());
    assert_eq!(rows[0].puzzle_text, P.as_bytes());
    assert_eq!(layout.csv().unwrap().fields(&rows[0].text), [P.as_bytes(), b"a \"b\", c"]);
}

#[test]
fn a_header_that_ends_with_a_carriage_return_precedes_a_long_record() {
    let options =
        || Options { header: Some(true), puzzle_column: Some("1".into()), ..forced(InputFormat::CSV) };
    let long = "z".repeat(70_000);
    let text = filled(&format!("a,b\r{long}\r{{P}},1\r"));
    let (layout, rows) = read(text.as_bytes(), options()).unwrap();
    assert_eq!(layout.csv().unwrap().header.as_ref().unwrap().text, b"a,b");
    assert_eq!(summary(&rows), "2 a row of 70000 bytes is too long for a puzzle\n3 ok");
    let none = read(format!("{long}\n{P}\n").as_bytes(), options()).unwrap_err().to_string();
    assert!(none.starts_with("standard input has no header"), "{none}");
}

/// If a spreadsheet reads a puzzle as a number, the zeros at its start are lost.
#[test]
fn lost_zeros_are_restored_on_request() {
    let puzzle = P.replace('.', "0").replacen("53", "00", 1);
    let number = puzzle.trim_start_matches('0');
    let solution = S.trim_start_matches('5');
    let asked = Options { restore_zeros: true, ..Options::default() };
    for text in [
        format!("puzzle,solution\n{number},{solution}\n"),
        format!("7;{number}\n8;{number}\n"),
        format!("{number}\n"),
        format!("first {number}\n"),
    ] {
        let (_, rows) = read(text.as_bytes(), asked.clone()).unwrap();
        let row = rows.last().unwrap();
        assert_eq!(row.puzzle, Ok(puzzle.replace('0', ".")), "{text}");
        assert_eq!(row.puzzle_text, number.as_bytes(), "the text stays unchanged");
        // The solution stays as it is, even without its first digit: a solution has no zeros, so a spreadsheet can't have removed any.
        assert!(row.expected.as_ref().is_none_or(|expected| expected == solution.as_bytes()));
    }
    let (_, rows) = read(format!("id,puzzle\n7,{number}\n").as_bytes(), Options::default()).unwrap();
    assert!(rows[0].puzzle.as_ref().unwrap_err().contains("--restore-zeros"), "{rows:?}");
}
