//! `sudobench transform`: rows with equivalent forms of their puzzles.

use std::fs;
#[cfg(target_os = "linux")]
use std::io::Write as _;
use std::path::Path;
#[cfg(target_os = "linux")]
use std::process::Stdio;

use sudobench_sudoku::isomorph::Transformation;

#[cfg(unix)]
use super::interrupts::ended_early;
use super::{Ran, command, dataset, sample, solve_input};

/// A transformation. [`back`] returns its inverse.
const THERE: &str = "tr465123879c132789546d612845739";

fn back() -> String {
    THERE.parse::<Transformation>().unwrap().inverse().to_string()
}

fn transform(arguments: &[&str]) -> Ran {
    transform_input(b"", arguments)
}

fn transform_input(input: &[u8], arguments: &[&str]) -> Ran {
    let mut command = assert_cmd::Command::from_std(command());
    Ran::of(command.arg("transform").args(arguments).write_stdin(input).output().unwrap())
}

fn form(board: &str, notation: &str) -> String {
    let transformation: Transformation = notation.parse().unwrap();
    let form = transformation.apply_to_text(board.as_bytes().try_into().unwrap());
    String::from_utf8(form.to_vec()).unwrap()
}

/// Returns the rows of an array file. The array must have 81 numbers in each row.
fn array(path: &Path) -> Vec<Vec<u8>> {
    let bytes = fs::read(path).unwrap();
    let rows: Vec<Vec<u8>> = bytes[128..].chunks(81).map(<[u8]>::to_vec).collect();
    let shape = format!("'shape': ({}, 81)", rows.len());
    assert!(String::from_utf8_lossy(&bytes[..128]).contains(&shape), "{shape}");
    rows
}

fn values(board: &str) -> Vec<u8> {
    board.bytes().map(|byte| if byte.is_ascii_digit() { byte - b'0' } else { 0 }).collect()
}

#[test]
fn every_form_has_its_transformation_and_solution() {
    let ran = transform(&[&dataset("sample.csv"), "--random", "5"]).expect(0);
    let (notations, puzzles, solutions) =
        (ran.column("transform"), ran.column("puzzle"), ran.column("solution"));
    assert_eq!(notations.len(), 300);
    for (at, (puzzle, solution)) in sample().iter().flat_map(|row| std::iter::repeat_n(row, 5)).enumerate() {
        assert_eq!(puzzles[at], form(puzzle, &notations[at]));
        assert_eq!(solutions[at], form(solution, &notations[at]));
    }
    let solved = solve_input(ran.stdout.as_bytes(), &["-q", "--columns", "match"]).expect(0);
    assert_eq!(solved.column("match"), ["yes"; 300]);
    let ids: Vec<String> = (1..=60).flat_map(|id: usize| std::iter::repeat_n(id.to_string(), 5)).collect();
    assert_eq!(ran.column("id"), ids);
    assert!(
        ran.stderr.contains("60 rows in ") && ran.stderr.contains("300  5 of each puzzle"),
        "{}",
        ran.stderr
    );
}

#[test]
fn forms_depend_only_on_puzzle_and_seed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("in.csv");
    let rows: Vec<String> = (0..3000)
        .map(|at| sample().swap_remove(at * 7 % 60))
        .map(|(puzzle, solution)| format!("{puzzle},{solution}\n"))
        .collect();
    let write = |rows: &[String]| fs::write(&path, format!("puzzle,solution\n{}", rows.concat())).unwrap();
    let run = |more: &[&str]| {
        transform(&[&[path.to_str().unwrap(), "--random", "7", "-q"], more].concat()).expect(0).stdout
    };
    write(&rows);
    let one = run(&["--threads", "1"]);
    assert_eq!(one, run(&["--threads", "4"]));
    assert_eq!(one, run(&["--seed", "1"]));
    let [mut first, mut second] =
        [one, run(&["--seed", "2"])].map(|out| out.lines().map(str::to_owned).collect::<Vec<_>>());
    assert!(first.iter().skip(1).zip(second.iter().skip(1)).all(|(one, two)| one != two));
    // If the order of the input rows changes, the output still has the same rows, only in another order.
    let mut turned = rows.clone();
    turned.reverse();
    write(&turned);
    second = run(&[]).lines().map(str::to_owned).collect();
    assert_ne!(first, second);
    first.sort();
    second.sort();
    assert_eq!(first, second);
    // If you request fewer forms, you get the first forms of the longer list.
    let few = transform(&[path.to_str().unwrap(), "--random", "2", "-q"]).expect(0).column("transform");
    let many = transform(&[path.to_str().unwrap(), "--random", "3", "-q"]).expect(0).column("transform");
    let first_two: Vec<&String> = many.chunks(3).flat_map(|forms| &forms[..2]).collect();
    assert_eq!(few.iter().collect::<Vec<_>>(), first_two);
}

#[test]
fn inverse_transformations_restore_rows_in_every_format() {
    let folder = tempfile::tempdir().unwrap();
    for entry in fs::read_dir(dataset("formats")).unwrap() {
        let path = entry.unwrap().path();
        // JSON lines may contain arrays, which CSV can't contain. So for an input of JSON lines, the output is JSON lines too.
        let format = if path.extension() == Some("jsonl".as_ref()) { "jsonl" } else { "csv" };
        let there = folder.path().join(format!("there.{format}"));
        let (path, there) = (path.to_str().unwrap(), there.to_str().unwrap());
        let plain = ["--columns", "none", "-q", "--output-format", format];
        let run = |words: &[&str]| transform(&[words, &plain].concat());
        let same = run(&[path, "--apply", "r123456789c123456789d123456789"]);
        let ran = run(&[path, "--apply", THERE, "--force", "-o", there]);
        // Both runs exit with code 4 if the input has malformed rows. These rows are kept.
        assert!(ran.code == same.code && matches!(ran.code, 0 | 4), "{path}: {}", ran.stderr);
        assert_ne!(fs::read_to_string(there).unwrap(), same.stdout, "{path}");
        let back = run(&[there, "--apply", &back()]).expect(ran.code);
        assert_eq!(back.stdout, same.stdout, "{path}");
    }
}

#[test]
fn every_output_format_has_the_same_forms() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    // One row has no puzzle, and another row has no solution. The array of puzzles and the array of solutions must still agree row by row.
    let [(first, solved), (second, _)] = sample()[..2].to_vec().try_into().unwrap();
    let csv = format!("puzzle,solution\n{first},{solved}\nnone,\n{second},\n");
    fs::write(at("in.csv"), csv).unwrap();
    let (input, random) = (at("in.csv"), ["--random", "3", "--seed", "5", "-q"]);
    let run = |more: &[&str]| transform(&[&[&input[..]], &random[..], more].concat()).expect(4);
    let rows = run(&[]);
    let (puzzles, solutions) = (rows.column("puzzle"), rows.column("solution"));
    assert_eq!((puzzles.len(), &puzzles[3][..], &solutions[4][..]), (7, "none", ""));

    run(&["-o", &at("x.npy")]);
    run(&["-o", &at("y.npy"), "--board", "solution"]);
    let or_zeros = |boards: &[String]| -> Vec<Vec<u8>> {
        boards.iter().map(|board| if board.len() == 81 { values(board) } else { vec![0; 81] }).collect()
    };
    assert_eq!(array(&folder.path().join("x.npy")), or_zeros(&puzzles));
    assert_eq!(array(&folder.path().join("y.npy")), or_zeros(&solutions));

    run(&["-o", &at("x.txt")]);
    let lines: Vec<String> = fs::read_to_string(at("x.txt")).unwrap().lines().map(str::to_owned).collect();
    assert!(lines[3].starts_with("# malformed: ") && lines[3].ends_with("none,"), "{}", lines[3]);
    assert_eq!((&lines[..3], &lines[4..]), (&puzzles[..3], &puzzles[4..]));
    let of_solutions = run(&["--output-format", "lines", "--board", "solution"]);
    let lines: Vec<&str> = of_solutions.stdout.lines().collect();
    assert_eq!(lines[..3], solutions[..3]);
    assert!(lines[4].starts_with("# no solution: "), "{}", lines[4]);

    let grids = run(&["--output-format", "boj2580"]);
    let again = solve_input(grids.stdout.as_bytes(), &["-q", "--columns", "status"]).expect(0);
    let zeros = |boards: &[String]| boards.iter().map(|board| board.replace('.', "0")).collect::<Vec<_>>();
    let solvable = [&puzzles[..3], &puzzles[4..]].concat();
    assert_eq!(zeros(&again.column("puzzle")), zeros(&solvable));

    run(&["-o", &at("x.jsonl.zst")]);
    // The column of solutions contains texts, and some texts are empty.
    let json = transform(&[
        &at("x.jsonl.zst"),
        "--apply",
        "r123456789c123456789d123456789",
        "-q",
        "--columns",
        "none",
    ]);
    assert_eq!(json.expect(4).column("puzzle"), puzzles);
    #[cfg(feature = "tables")]
    {
        run(&["-o", &at("x.parquet")]);
        let table = transform(&[
            &at("x.parquet"),
            "--apply",
            "r123456789c123456789d123456789",
            "-q",
            "--columns",
            "none",
        ]);
        let table = table.expect(4);
        assert_eq!((table.column("puzzle"), table.column("solution")), (puzzles, solutions));
        // If the input and the output are tables, only the columns with boards change.
        transform(&[&at("x.parquet"), "--apply", THERE, "-q", "-o", &at("there.parquet")]).expect(4);
        transform(&[&at("there.parquet"), "--apply", &back(), "-q", "-o", &at("back.parquet")]).expect(4);
        let read = |name: &str| super::solve(&[&at(name), "-q", "--columns", "clues"]).expect(4);
        assert_eq!(read("back.parquet").column("puzzle"), read("x.parquet").column("puzzle"));
        assert_eq!(read("back.parquet").column("solution"), read("x.parquet").column("solution"));
        assert_ne!(read("there.parquet").column("solution"), read("x.parquet").column("solution"));
    }
}

#[test]
fn only_boards_are_changed() {
    let (puzzle, solved) = sample().swap_remove(0);
    let (formed, solution) = (form(&puzzle, THERE), form(&solved, THERE));
    let zeros = puzzle.replace('.', "0");
    let short = &solved[1..];
    let csv = format!(
        "id,puzzle,words,other,last\n\"a,\"\"b\",\" {puzzle} \",{short},{zeros},\"{solved}\"\n2,{puzzle},{solved}x,\"{solved}\"\"\",\n3,.,{solved},{solved},4\n"
    );
    let ran = transform_input(csv.as_bytes(), &["--apply", THERE, "--columns", "none"]).expect(4);
    let zeros = form(&zeros, THERE);
    assert_eq!(
        ran.stdout,
        format!(
            "id,puzzle,words,other,last\n\"a,\"\"b\",\" {formed} \",{short},{zeros},\"{solution}\"\n2,{formed},{solved}x,\"{solved}\"\"\",\n3,.,{solved},{solved},4\n"
        )
    );
    assert!(ran.stderr.contains("standard input:4: malformed: 1 character"), "{}", ran.stderr);
    // First the boards are words of a text line, and then they are fields of a JSON object.
    let line = format!("a {puzzle} {solved} 17 # {short}\n");
    let ran = transform_input(line.as_bytes(), &["--apply", THERE, "--columns", "none", "-q"]).expect(0);
    assert_eq!(ran.stdout, format!("label,puzzle,comment\na,{formed},{solution} 17 # {short}\n"));
    let object = format!("{{\"n\":[1,2],\"puzzle\":\"{puzzle}\",\"é\":\"{solved}\"}}\n");
    let ran =
        transform_input(object.as_bytes(), &["--apply", THERE, "-q", "--output-format", "jsonl"]).expect(0);
    assert_eq!(
        ran.stdout,
        format!("{{\"n\":[1,2],\"puzzle\":\"{formed}\",\"é\":\"{solution}\",\"transform\":\"{THERE}\"}}\n")
    );
}

#[test]
fn canonical_forms_are_fixed_points_and_equal_for_all_forms() {
    let folder = tempfile::tempdir().unwrap();
    let [forms, canonical] =
        ["forms.csv", "canonical.csv"].map(|name| folder.path().join(name).to_str().unwrap().to_owned());
    transform(&[&dataset("sample.csv"), "--random", "2", "--columns", "none", "-q", "-o", &forms]).expect(0);
    transform(&[&forms, "--to", "canonical", "--columns", "none", "-q", "-o", &canonical]).expect(0);
    let again = transform(&[&canonical, "--to", "canonical", "--columns", "none", "-q"]).expect(0);
    assert_eq!(again.stdout, fs::read_to_string(&canonical).unwrap());
    let straight = transform(&[&dataset("sample.csv"), "--to", "canonical", "-q"]).expect(0).column("puzzle");
    let twice: Vec<String> = straight.into_iter().flat_map(|form| [form.clone(), form]).collect();
    assert_eq!(again.column("puzzle"), twice);
    let solved = solve_input(again.stdout.as_bytes(), &["-q", "--columns", "match"]).expect(0);
    assert_eq!(solved.column("match"), ["yes"; 120]);
}

#[test]
fn mistyped_options_are_reported() {
    let input = dataset("sample.csv");
    for (arguments, words) in [
        (&[][..], "--random <N>|--apply <NOTATION>|--to <FORM>"),
        (&["--random", "2", "--to", "canonical"], "choose the forms with one of --random, --apply and --to"),
        (&["--random", "0"], "write 1 or more"),
        (&["--random", "-1"], "unexpected argument"),
        (&["--seed", "2", "--to", "canonical"], "--seed: only --random and --sample use this seed"),
        (&["--apply", "r123456789c123456789d123456788"], "after d, each digit from 1 to 9 must occur once"),
        (&["--apply", "upside down"], "write a transformation as r, c and d"),
        (&["--to", "minlex"], "possible values: canonical"),
        (&["--random", "2", "--board", "solution"], "--board: only the output formats lines, boj2580"),
        (&["--random", "2", "--columns", "solution"], "choose from transform, or write `all` or `none`"),
        (&["--random", "2", "--output-format", "npy"], "npy can be written only to a file"),
    ] {
        let ran = transform(&[&[&input[..]], arguments].concat()).expect(2);
        assert!(ran.stderr.contains(words) && ran.stdout.is_empty(), "{arguments:?}: {}", ran.stderr);
    }
}

/// The transformed puzzles of a row are written in pieces, so a run can end when only some of them are written.
#[test]
#[cfg(unix)]
fn a_run_ended_between_forms_of_a_row_can_be_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let input: String =
        sample().iter().take(3).map(|(puzzle, solution)| format!("{puzzle},{solution}\n")).collect();
    fs::write(at("in.csv"), format!("puzzle,solution\n{input}no,\n")).unwrap();
    // The run with Parquet output reads `in.parquet`. The row group of this input is small, so the row groups of the output are small too,
    // and the partial output soon has the first of them. With a CSV input, the partial output would have no row group before the end of the
    // run.
    #[cfg(feature = "tables")]
    transform(&[&at("in.csv"), "--apply", THERE, "-q", "-o", &at("in.parquet")]).expect(4);
    for name in [
        "out.csv",
        "out.npy",
        #[cfg(feature = "tables")]
        "out.parquet",
    ] {
        let (out, path) = (at(name), folder.path().join(name));
        let input = at(if name == "out.parquet" { "in.parquet" } else { "in.csv" });
        let arguments = [&input, "--random", "30000", "-o", &out];
        transform(&arguments).expect(4);
        let whole = fs::read(&out).unwrap();
        fs::remove_file(&out).unwrap();

        let slowly = [&["transform"], &arguments[..], &["--threads", "1"]].concat();
        let ended = Ran::of(ended_early(&slowly, &path, "-INT")).expect(130);
        assert!(ended.stderr.contains("continue with the same options and --resume"), "{}", ended.stderr);
        if name != "out.parquet" {
            // Checks that the run was interrupted between the forms of a row.
            let state = fs::read_to_string(at(&format!("{name}.partial.json"))).unwrap();
            assert!(state.contains("\"forms\":"), "{state}");
        }
        ended_early(&[&slowly[..], &["--resume"]].concat(), &path, "-KILL");
        let other = transform(&[&arguments[..], &["--resume", "--seed", "2"]].concat()).expect(1);
        assert!(other.stderr.contains("from a run with different --seed"), "{}", other.stderr);
        let resumed = transform(&[&arguments[..], &["--resume"]].concat()).expect(4);
        assert!(resumed.stderr.contains("90,000  30,000 of each puzzle"), "{}", resumed.stderr);
        let again = fs::read(&out).unwrap();
        if name == "out.parquet" {
            // Tables are compared by their rows, not by their bytes: an interrupt ends a row group early, so the resumed table has other
            // row groups.
            let rows =
                |path: &str| transform(&[path, "--apply", THERE, "--columns", "none", "-q"]).expect(4).stdout;
            fs::write(at("whole.parquet"), whole).unwrap();
            assert!(rows(&out) == rows(&at("whole.parquet")));
        } else {
            assert!(again == whole, "{name}: {} bytes, {} were wanted", again.len(), whole.len());
        }
    }
}

#[test]
#[cfg(target_os = "linux")]
fn memory_is_bounded_for_any_number_of_forms() {
    use std::io::Read as _;
    let long = format!("puzzle,words\n{},{}\n", sample()[0].0, "a".repeat(60_000));
    for (input, forms) in
        [(format!("{}\n", sample()[0].0), u64::MAX.to_string()), (long, "1000000".to_owned())]
    {
        let mut command = command();
        command.args(["transform", "--random", &forms, "--threads", "2", "-q"]);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        let mut stdout = child.stdout.take().unwrap();
        let mut some = vec![0; 32 << 20];
        stdout.read_exact(&mut some).unwrap();
        let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
        let kilobytes: u64 = peak.trim().trim_end_matches(" kB").trim().parse().unwrap();
        assert!(kilobytes < 100_000, "{kilobytes} kB");
        // After the reader has closed the pipe, the program ends.
        drop(stdout);
        assert!(child.wait().unwrap().success());
    }
}
