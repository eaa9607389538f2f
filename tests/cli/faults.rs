//! Messages about invalid inputs and command lines.

use super::{Ran, command, dataset, sample, solve, solve_input};

/// Runs `solve` with nothing on standard input, and expects an error that contains these words.
#[track_caller]
fn fails(arguments: &[&str], code: i32, words: &[&str]) {
    let ran = solve(arguments).expect(code);
    assert_eq!(ran.stdout, "");
    for word in words {
        assert!(ran.stderr.contains(word), "no {word:?} in: {}", ran.stderr);
    }
}

#[test]
fn inputs_that_cannot_be_opened_are_named() {
    // The number of this error is 2 on Unix and on Windows, but its text differs.
    fails(&["nowhere.csv"], 1, &["nowhere.csv", "os error 2"]);
    fails(&[&dataset("formats")], 1, &["formats", "directory"]);
    fails(&["-", "-"], 2, &["can be read only once"]);
}

/// As with `wc` and `jq`, it is not an error if the previous program of the pipe printed nothing.
#[test]
fn an_empty_standard_input_has_no_rows() {
    let ran = solve(&[]).expect(0);
    assert_eq!(ran.stdout, "puzzle,solution,status\n");
    assert!(ran.stderr.starts_with("0 rows in "), "{}", ran.stderr);
    for format in ["lines", "sdm", "sdk", "grid", "boj2580", "boj2239"] {
        let ran = solve(&["-", "--input-format", format, "--output-format", "lines"]).expect(0);
        assert_eq!(ran.stdout, "", "{format}");
    }
    let run = |arguments: &[&str]| Ran::of(command().args(arguments).output().unwrap());
    for verb in ["check", "rate", "canonical", "dedupe", "minimals", "transform --random 2", "vicinity -1+1"]
    {
        let words: Vec<&str> = verb.split(' ').collect();
        assert_eq!(run(&words).expect(0).stdout.lines().count(), 1, "{verb}: a header");
    }
}

#[test]
fn an_empty_input_of_a_named_format_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let empty = folder.path().join("empty.txt");
    std::fs::write(&empty, "").unwrap();
    let empty = empty.to_str().unwrap();
    // If the command line names a file that is empty, this is probably a mistake.
    fails(&[empty], 1, &["empty.txt is empty"]);
    let behind_rows = solve(&[&dataset("sample.csv"), "-"]).expect(1);
    assert!(behind_rows.stderr.contains("standard input is empty"), "{}", behind_rows.stderr);
    // CSV and JSON lines are refused, because the columns of an empty input are unknown.
    for format in ["csv", "jsonl"] {
        fails(&["-", "--input-format", format], 1, &["standard input is empty"]);
    }
    // These commands check something, so an input without puzzles must be a failure: otherwise the check would pass.
    let sample = dataset("sample.csv");
    for arguments in [
        &["check", "--fail-on", "not-unique"][..],
        &["overlap", "-", "--with", &sample],
        &["overlap", &sample, "--with", "-"],
    ] {
        let ran = Ran::of(command().args(arguments).output().unwrap()).expect(1);
        assert!(ran.stderr.contains("standard input is empty"), "{arguments:?}: {}", ran.stderr);
    }
}

#[test]
fn inputs_without_puzzles_are_refused_with_a_remedy() {
    for garbage in
        [vec![0; 100_000], b"hello\nworld\n".repeat(50), vec![0xff; 300], b"\x89PNG\r\n\x1a\n".to_vec()]
    {
        let ran = solve_input(&garbage, &[]).expect(1);
        assert_eq!(ran.stdout, "");
        assert!(
            ran.stderr.contains("standard input") && ran.stderr.contains("--input-format"),
            "{}",
            ran.stderr
        );
    }
}

#[test]
fn garbage_in_a_named_format_becomes_malformed_rows() {
    for format in ["csv", "lines", "sdm", "sdk", "grid", "boj2580", "boj2239"] {
        let ran = solve_input(&vec![b'?'; 300_000], &["--input-format", format, "--header", "no"]);
        assert!(ran.code == 4 || ran.code == 1, "{format}: {} {}", ran.code, ran.stderr);
        assert!(!ran.stderr.contains("panicked"), "{}", ran.stderr);
    }
    let ran =
        solve_input(&vec![0; 300_000], &["--input-format", "lines", "--columns", "status,note"]).expect(4);
    assert!(ran.stdout.contains("a row of 300000 bytes is too long for a puzzle"), "{}", ran.stderr);
}

#[test]
fn a_truncated_archive_is_an_error_after_its_rows() {
    let whole = std::fs::read(dataset("formats/kaggle1m.csv.gz")).unwrap();
    let ran = solve_input(&whole[..whole.len() - 20], &["-q"]).expect(1);
    assert!(ran.stderr.contains("corrupt or truncated"), "{}", ran.stderr);
    // The message says: repair the input, and start again with --force. This must work.
    let folder = tempfile::tempdir().unwrap();
    let [input, out] = ["in.csv.gz", "out.csv"].map(|name| folder.path().join(name));
    let arguments = ["-q", input.to_str().unwrap(), "-o", out.to_str().unwrap()];
    std::fs::write(&input, &whole[..whole.len() - 20]).unwrap();
    let ran = solve(&arguments).expect(1);
    assert!(ran.stderr.contains("if you repair the input, start again with --force"), "{}", ran.stderr);
    std::fs::write(&input, &whole[..80]).unwrap();
    let ran = solve(&[&arguments[..], &["--force"]].concat()).expect(1);
    assert!(
        ran.stderr.contains("no row was finished before the error; start again with --force"),
        "{}",
        ran.stderr
    );
    std::fs::write(&input, &whole).unwrap();
    solve(&[&arguments[..], &["--force"]].concat()).expect(0);
}

#[test]
#[cfg(target_os = "linux")]
fn a_file_that_changes_during_the_run_is_an_error_and_its_output_is_not_resumed() {
    use std::io::Write as _;
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let [pipe, last] = ["pipe", "last.csv"].map(at);
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let text = std::fs::read(dataset("sample.csv")).unwrap();
    for verb in ["solve", "rate", "dedupe", "rate --stratify 2"] {
        let words: Vec<&str> = verb.split(' ').collect();
        let out = at(&verb.replace(' ', "-"));
        std::fs::write(&last, &text).unwrap();
        let child = command()
            .args(words)
            .args([&dataset("sample.csv"), &pipe, &last, "-q", "-o", &out])
            .stderr(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        // The pipe is opened after the program has checked the files.
        let mut writer = std::fs::OpenOptions::new().write(true).open(&pipe).unwrap();
        std::fs::OpenOptions::new().append(true).open(&last).unwrap().write_all(&text).unwrap();
        writer.write_all(&text).unwrap();
        drop(writer);
        let ran = Ran::of(child.wait_with_output().unwrap()).expect(1);
        assert!(ran.stderr.contains("last.csv changed while it was read"), "{verb}: {}", ran.stderr);
    }
    assert!(std::path::Path::new(&at("solve.partial")).exists());
    let words = ["-q", "-o", &at("solve"), "--resume"];
    let refused = solve(&[&[&dataset("sample.csv")[..], &dataset("sample.csv"), &last], &words[..]].concat());
    assert!(refused.expect(1).stderr.contains("solve.partial is from a run with different "));
}

#[test]
#[cfg(target_os = "linux")]
fn formats_that_standard_output_does_not_support_are_errors() {
    let folder = tempfile::tempdir().unwrap();
    let golden = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/harness/golden");
    let ran = |words: &str| {
        let mut shell = std::process::Command::new("bash");
        shell.current_dir(&folder).args(["-c", &format!("\"$0\" {words}"), env!("CARGO_BIN_EXE_sudobench")]);
        Ran::of(shell.args([&dataset("sample.csv"), golden]).output().unwrap())
    };
    for words in [
        "solve \"$1\" -q",
        "solve 53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
        "check \"$1\" -q",
        "generate --count 1 -q",
        "overlap \"$1\" --with=\"$1\" -q",
        "bench \"$1\" --sample 2 --solvers mrv --rounds 1 --min-time 1ms -q",
        "compare \"$2/bench.json\" \"$2/later.json\"",
        "report \"$2/bench.json\"",
        "history \"$2/history.jsonl\"",
        "solvers",
        "doctor",
        "completions bash",
        "man",
    ] {
        // The third redirection opens /dev/null for reading and writing, as Python and Node often do for the programs that they start.
        for (output, said) in [
            (">&-", "standard output is closed, or is /dev/null opened for reading"),
            (">/dev/full", "cannot write standard output: No space left on device"),
            ("<>/dev/null >&0", "standard output is closed, or is /dev/null opened for reading"),
        ] {
            let Ran { code, stderr, .. } = ran(&format!("{words} {output}"));
            assert!(code == 1 && stderr.contains(said), "{words} {output}: {code} {stderr}");
        }
    }
    // Nothing is lost if the reader closes the pipe, or if output is discarded.
    for words in [
        "solve \"$1\" -q >/dev/null",
        "solve \"$1\" -q -o /dev/null >&-",
        "solve \"$1\" -q -o a.csv >&-",
        "solve \"$1\" -q | true; exit ${PIPESTATUS[0]}",
        "report \"$2/bench.json\" | true; exit ${PIPESTATUS[0]}",
        "report \"$2/bench.json\" --export-html a.html >&-",
        "compare \"$2/bench.json\" \"$2/bench.json\" --fail-on missing >&-",
        "judge --problem 2580 \"$1\" --sample 1 --solver mrv -q >&-",
        "--help >&-",
    ] {
        assert_eq!(ran(words).expect(0).stdout, "", "{words}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn limits_of_the_shell_are_clear_errors() {
    let folder = tempfile::tempdir().unwrap();
    let cannot = "sudobench: cannot ";
    for (limited, code, words) in [
        ("ulimit -n 4; timeout 60 \"$0\" solve \"$1\" -q -o a.csv", 1, cannot),
        ("ulimit -n 5; timeout 60 \"$0\" solve \"$1\" -q -o b.csv", 1, cannot),
        ("ulimit -n 6; timeout 60 \"$0\" solve \"$1\" -q -o c.csv || test $? = 1", 0, ""),
        ("ulimit -f 4; \"$0\" solve \"$1\" -q -o d.csv", 1, "cannot write d.csv: File too large"),
        ("ulimit -f 4; \"$0\" solve \"$1\" -q > e.csv", 1, "cannot write standard output: File too large"),
        ("ulimit -s 64; \"$0\" solve \"$1\" -q -o f.csv", 0, ""),
    ] {
        let mut shell = std::process::Command::new("bash");
        shell.current_dir(&folder).args([
            "-c",
            limited,
            env!("CARGO_BIN_EXE_sudobench"),
            &dataset("sample.csv"),
        ]);
        let ran = Ran::of(shell.output().unwrap());
        assert!(ran.code == code && ran.stderr.contains(words), "{limited}: {} {}", ran.code, ran.stderr);
    }
    // An output that was cut by the limit of file sizes can be resumed.
    let cut = folder.path().join("d.csv");
    let resume = ["-q", "--resume", "-o", cut.to_str().unwrap()];
    solve(&[&[&dataset("sample.csv")[..]], &resume[..]].concat()).expect(0);
}

#[test]
fn many_malformed_rows_are_counted_and_the_first_shown() {
    let (puzzle, _) = sample().swap_remove(0);
    let input = format!("puzzle\n{puzzle}\n{}", "bad\n".repeat(12));
    let ran = solve_input(input.as_bytes(), &[]).expect(4);
    assert_eq!(ran.stderr.matches("malformed: 3 characters where a puzzle has 81").count(), 5);
    assert!(ran.stderr.contains("sudobench: standard input:3: malformed: "), "{}", ran.stderr);
    assert!(ran.stderr.contains("and 7 more rows malformed"), "{}", ran.stderr);
    assert_eq!(ran.column("status").len(), 13);
}

#[test]
fn mistyped_options_are_reported_with_the_right_form() {
    let input = dataset("sample.csv");
    fails(&[&input, "--solver", "magic"], 2, &["magic", "mrv", "dlx"]);
    fails(&[&input, "--simd", "sse9"], 2, &["sse9", "avx512, avx2, baseline or auto"]);
    fails(&[&input, "--columns", "colour"], 2, &["colour", "time_ns"]);
    fails(&[&input, "--budgets", "fast"], 2, &["`fast` is neither a time such as 80ms"]);
    fails(&[&input, "--max-time-per-puzzle", "soon"], 2, &["soon"]);
    fails(&[&input, "--max-solutions", "0"], 2, &["--max-solutions"]);
    fails(&[&input, "--puzzle-column", "0"], 2, &["columns are numbered from 1"]);
    fails(&[&input, "--delimiter", "5"], 2, &["write `tab`, or one ASCII character"]);
    fails(&[&input, "--hash"], 2, &["--export-json"]);
    fails(
        &[&input, "--resume"],
        2,
        &["--resume: a run that writes to standard output cannot be resumed: name a file with -o"],
    );
    fails(&[&input, "--export-json", "a", "--export-hgrm", "a"], 2, &["a is the same file as a"]);
    fails(&[&input, "--export-json", "no/such/folder.json"], 1, &["cannot write no/such/folder.json"]);
}

#[test]
fn a_wrong_simd_level_in_the_environment_is_reported() {
    let output =
        command().args(["solve", &dataset("sample.csv")]).env("SUDOBENCH_SIMD", "wide").output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stderr).unwrap().contains("unknown SIMD level `wide`"));
}

#[test]
fn all_listed_solvers_are_printed() {
    let output = command().arg("solvers").output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    for variant in sudobench_sudoku::solver::listed() {
        assert!(text.lines().any(|line| line.starts_with(variant.name)), "{text}");
    }
    assert!(!text.contains("null"), "hidden variants stay hidden");
}
