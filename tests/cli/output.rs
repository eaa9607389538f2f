//! Output formats, files, and existing files.

use std::fs;
use std::io::Read as _;
use std::process::Stdio;

use super::{Ran, command, dataset, sample, solve, solve_input};

#[test]
fn all_columns_in_csv() {
    let ran = solve(&[&dataset("formats/kaggle9m.csv"), "--columns", "all", "--limit", "1"]).expect(0);
    let names = "puzzle,solution,sudobench_solution,status,count,clues,nodes,guesses,time_ns,match,note";
    assert_eq!(ran.records()[0].join(","), names);
    let row = &ran.records()[1];
    assert_eq!(row[1], row[2]);
    assert_eq!(row[3..6], ["unique", "1", "34"]);
    assert!(row[8].parse::<u64>().unwrap() > 0);
}

#[test]
fn json_lines_have_every_input_column() {
    let ran = solve(&[&dataset("statuses.csv"), "--output-format", "jsonl", "--columns", "all"]).expect(4);
    let rows: Vec<serde_json::Value> =
        ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(rows.len(), 26);
    assert!(rows.iter().all(|row| row["status"] == row["expected_status"] && row["why"].is_string()));
    assert_eq!(rows[0]["clues"], 34);
    let last = &rows[25];
    assert!(last["solution"].is_null() && last["count"].is_null() && last["note"].is_string());
}

#[test]
fn formats_of_the_judge() {
    let solution = sample().swap_remove(0).1;
    let compact =
        solve(&[&dataset("formats/boj2239.txt"), "-q", "--output-format", "boj2239"]).expect(0).stdout;
    assert_eq!(compact.replace('\n', ""), solution);
    assert_eq!(compact.lines().filter(|line| line.len() == 9).count(), 9);
    let spaced =
        solve(&[&dataset("formats/boj2580.txt"), "-q", "--output-format", "boj2580"]).expect(0).stdout;
    assert_eq!(spaced.replace(['\n', ' '], ""), solution);
    assert_eq!(spaced.lines().next().map(str::len), Some(17));
    // The output can be read again.
    let again = solve_input(spaced.as_bytes(), &["-q", "--output-format", "boj2239"]).expect(0).stdout;
    assert_eq!(again, compact);
}

#[test]
fn a_row_without_a_solution_is_a_comment_in_formats_without_columns() {
    for format in ["lines", "boj2580"] {
        let ran = solve(&[&dataset("statuses.csv"), "-q", "--output-format", format]).expect(4);
        assert_eq!(ran.stdout.lines().filter(|line| line.starts_with("# ")).count(), 10);
        assert!(ran.stdout.contains("# malformed: 80 characters where a puzzle has 81: ..65"));
        assert!(ran.stdout.contains("# unsolvable: 5.......5"));
    }
    let refused = solve(&[&dataset("sample.csv"), "--output-format", "lines", "--columns", "all"]).expect(2);
    assert!(refused.stderr.contains("--columns: the output format"));
    let none = solve(&[&dataset("sample.csv"), "--columns", ""]).expect(2);
    assert!(none.stderr.contains("no column is named"), "{}", none.stderr);
}

#[test]
fn ragged_rows_leave_the_output_rectangular() {
    let (puzzle, _) = sample().swap_remove(0);
    let input = format!("id,puzzle,source\n1,{puzzle},a\n2\n3,{puzzle},b,c\n4,{puzzle},d\n");
    let ran = solve_input(input.as_bytes(), &["--columns", "status,note"]).expect(4);
    assert!(ran.records().iter().all(|record| record.len() == 5));
    assert_eq!(ran.column("status"), ["unique", "malformed", "malformed", "unique"]);
    assert_eq!(ran.column("id")[2], format!("3,{puzzle},b,c"));
    assert!(ran.column("note")[1].contains("1 of 3 columns"), "{:?}", ran.column("note"));
}

#[test]
fn a_file_appears_complete_and_is_not_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out.csv");
    let (input, out) = (dataset("sample.csv"), path.to_str().unwrap());
    solve(&[&input, "-o", out, "-q"]).expect(0);
    let written = fs::read_to_string(&path).unwrap();
    assert_eq!(written, solve(&[&input, "-q"]).stdout);
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1, "nothing is left beside the output");
    let refused = solve(&[&input, "-o", out]).expect(1);
    assert!(refused.stderr.contains("out.csv already exists; replace it with --force"), "{}", refused.stderr);
    let unknown = solve(&[&input, "-o", out, "--resume"]).expect(1);
    assert!(
        unknown.stderr.contains(
            "out.csv.resume.json is missing: a run with --resume writes this file beside its output"
        ),
        "{}",
        unknown.stderr
    );
    solve(&[&input, "-o", out, "-q", "--force", "--limit", "1"]).expect(0);
    assert_eq!(fs::read_to_string(&path).unwrap().lines().count(), 2);
    let folder_given = solve(&[&input, "-o", folder.path().to_str().unwrap()]).expect(1);
    assert!(folder_given.stderr.contains("is a folder"), "{}", folder_given.stderr);
}

#[test]
fn a_reader_that_goes_away_is_a_success() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("many.csv");
    let sample = fs::read_to_string(dataset("sample.csv")).unwrap();
    let (header, rows) = sample.split_once('\n').unwrap();
    fs::write(&path, format!("{header}\n{}", rows.repeat(200))).unwrap();
    let mut child =
        command().arg("solve").arg(&path).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut start = [0; 100];
    child.stdout.take().unwrap().read_exact(&mut start).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_named() {
    let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = command().args(["solve", &dataset("sample.csv")]).stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(stderr.contains("cannot write standard output: No space left on device"), "{stderr}");
    let ran = solve(&[&dataset("sample.csv"), "-o", "/dev/full"]).expect(1);
    assert!(ran.stderr.contains("cannot write /dev/full: No space left on device"), "{}", ran.stderr);
}

#[test]
#[cfg(unix)]
fn links_are_followed_and_streams_are_written_directly() {
    use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _, PermissionsExt as _, symlink};
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let input = dataset("sample.csv");
    let expected = solve(&[&input, "-q"]).stdout;

    fs::write(at("real.csv"), "old").unwrap();
    fs::set_permissions(at("real.csv"), fs::Permissions::from_mode(0o640)).unwrap();
    symlink("real.csv", at("link.csv")).unwrap();
    solve(&[&input, "-o", &at("link.csv"), "-q", "--force"]).expect(0);
    assert!(fs::symlink_metadata(at("link.csv")).unwrap().is_symlink());
    assert_eq!(fs::read_to_string(at("real.csv")).unwrap(), expected);
    assert_eq!(fs::metadata(at("real.csv")).unwrap().mode() & 0o777, 0o640, "the mode stays");
    symlink("new.csv", at("dangling.csv")).unwrap();
    solve(&[&input, "-o", &at("dangling.csv"), "-q"]).expect(0);
    assert_eq!(fs::read_to_string(at("new.csv")).unwrap(), expected);

    // `/dev/stdout` is standard output by another name, so it needs no --force, even if standard output is a file with content.
    fs::write(at("log"), "before\n").unwrap();
    let log = fs::OpenOptions::new().append(true).open(at("log")).unwrap();
    let ran = command().args(["solve", &input, "-o", "/dev/stdout", "-q"]).stdout(log).status().unwrap();
    assert_eq!(ran.code(), Some(0));
    assert_eq!(fs::read_to_string(at("log")).unwrap(), format!("before\n{expected}"));

    let made = std::process::Command::new("mkfifo").arg(at("fifo")).status().unwrap();
    assert!(made.success());
    let fifo = at("fifo");
    let reader = std::thread::spawn({
        let fifo = fifo.clone();
        move || fs::read_to_string(fifo).unwrap()
    });
    solve(&[&input, "-o", &fifo, "-q", "--force"]).expect(0);
    assert_eq!(reader.join().unwrap(), expected);
    assert!(fs::metadata(&fifo).unwrap().file_type().is_fifo());
    solve(&[&input, "-o", "/dev/null", "-q", "--force"]).expect(0);
    assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());
    for stream in ["-", "/dev/null"] {
        let refused = solve(&[&input, "-o", stream, "--resume"]);
        assert!(refused.code != 0 && refused.stderr.contains("--resume"), "{}", refused.stderr);
    }
}

#[test]
fn all_files_of_a_run_must_differ() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let sample = fs::read_to_string(dataset("sample.csv")).unwrap();
    let names = ["in.csv", "o.csv.partial", "o.csv.partial.json"];
    names.iter().for_each(|name| fs::write(at(name), &sample).unwrap());
    fs::hard_link(at("in.csv"), at("hard.csv")).unwrap();
    let spelled = format!("{}/./in.csv", folder.path().display());
    for arguments in [
        [&at("in.csv"), "-o", &at("in.csv"), "--force"].as_slice(),
        &[&at("in.csv"), "-o", &spelled, "--force"],
        &[&at("in.csv"), "-o", &at("hard.csv"), "--force"],
        &[&at("o.csv.partial"), "-o", &at("o.csv"), "--force"],
        &[&at("o.csv.partial.json"), "-o", &at("o.csv"), "--force"],
        &[&at("in.csv"), "--export-json", &spelled, "--force"],
        &[&at("in.csv"), "-o", &at("n.csv"), "--export-json", &at("n.csv"), "--force"],
        &[&at("in.csv"), "-o", &at("n.csv"), "--export-hgrm", &at("n.csv.partial"), "--force"],
        &[&at("in.csv"), "-o", &at("n.csv"), "--export-hgrm", &at("n.csv.resume.json.new"), "--resume"],
        &[
            &at("in.csv"),
            "-o",
            &at("n.csv"),
            "--shard",
            "1/1",
            "--export-hgrm",
            &at("n.shard-1-of-1.csv.shard.json.new"),
        ],
        &[
            &at("in.csv"),
            "--export-json",
            &at("r"),
            "--export-hgrm",
            &format!("{}/./r", folder.path().display()),
        ],
    ] {
        let refused = solve(arguments).expect(2);
        assert!(refused.stderr.contains("is the same file as"), "{arguments:?}: {}", refused.stderr);
    }
    for redirected in [false, true] {
        let mut child = command();
        child.arg("solve").stderr(Stdio::piped());
        let appended = fs::OpenOptions::new().append(true).open(at("in.csv")).unwrap();
        match redirected {
            true => {
                child.arg("-o").arg(at("in.csv")).arg("--force").stdin(fs::File::open(at("in.csv")).unwrap())
            }
            // If an output were appended to its own input, the run would never end.
            false => child.arg(at("in.csv")).stdout(appended),
        };
        let refused = child.output().unwrap();
        let words = String::from_utf8(refused.stderr).unwrap();
        assert!(refused.status.code() == Some(2) && words.contains("is the same file as"), "{words}");
    }
    for name in ["in.csv", "o.csv.partial", "o.csv.partial.json"] {
        assert_eq!(fs::read_to_string(at(name)).unwrap(), sample, "{name}");
    }
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 4, "nothing was made");
}

#[test]
fn standard_input_counts_only_if_the_run_reads_it() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let (puzzle, _) = sample().swap_remove(0);
    let is_same = |arguments: &[&str], stdin: &str, stdout: Option<&str>| {
        let mut child = command();
        child.arg("solve").args(arguments).current_dir(&folder).stdin(fs::File::open(at(stdin)).unwrap());
        if let Some(stdout) = stdout {
            child.stdout(fs::OpenOptions::new().append(true).open(at(stdout)).unwrap());
        }
        let ran = Ran::of(child.output().unwrap());
        assert!(ran.code == 0 || ran.code == 2, "{arguments:?}: {}", ran.stderr);
        ran.stderr.contains("is the same file as")
    };
    for name in ["out.csv", "record.json"] {
        fs::write(at(name), "").unwrap();
    }
    assert!(!is_same(&[&puzzle, "-q", "-o", "out.csv", "--force"], "out.csv", None));
    // Now the rows go to standard output, and the record to a file. This file may also be the standard input, because the run does not read
    // its standard input. But the file must not also be the standard output.
    let record = ["--export-json", "record.json", "--force"];
    assert!(!is_same(&[&[&*puzzle, "-q"], &record[..]].concat(), "record.json", None));
    assert!(is_same(&[&[&*puzzle, "-q"], &record[..]].concat(), "out.csv", Some("record.json")));
}

#[cfg(unix)]
#[test]
fn descriptors_of_files_of_the_run_are_recognised() {
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("in.csv");
    let sample = fs::read_to_string(dataset("sample.csv")).unwrap();
    fs::write(&input, &sample).unwrap();
    // Standard input is `in.csv`, opened for reading and writing.
    for arguments in [
        &["in.csv", "-o", "/dev/fd/0"][..],
        &["in.csv", "-q", "--export-json", "/dev/fd/0"],
        &["/dev/stdin", "-o", "in.csv", "--force"],
    ] {
        let held = fs::OpenOptions::new().read(true).append(true).open(&input).unwrap();
        let ran = command().arg("solve").args(arguments).current_dir(&folder).stdin(held).output().unwrap();
        let words = String::from_utf8(ran.stderr).unwrap();
        assert!(
            ran.status.code() == Some(2) && words.contains("is the same file as"),
            "{arguments:?}: {words}"
        );
        assert_eq!(fs::read_to_string(&input).unwrap(), sample, "{arguments:?}");
    }
}

#[cfg(unix)]
#[test]
fn foreign_partial_files_are_not_changed() {
    use std::os::unix::fs::symlink;
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("precious"), "precious").unwrap();
    symlink("precious", at("linked.partial")).unwrap();
    let made = std::process::Command::new("mkfifo").arg(at("pipe.partial")).status().unwrap();
    assert!(made.success());
    symlink("precious", at("state.partial.json.new")).unwrap();
    for (name, code) in [("linked", 1), ("pipe", 1), ("state", 0)] {
        let out = at(name);
        let ran = solve(&[&dataset("sample.csv"), "-q", "--force", "-o", out.to_str().unwrap()]).expect(code);
        assert_eq!(ran.stderr.contains("is not a regular file"), code == 1, "{}", ran.stderr);
        assert_eq!(fs::read_to_string(at("precious")).unwrap(), "precious", "{name}");
    }
}

#[test]
fn an_input_may_have_any_modification_time() {
    use std::time::{Duration, SystemTime};
    let folder = tempfile::tempdir().unwrap();
    let (input, out) = (folder.path().join("in.csv"), folder.path().join("out.csv"));
    fs::copy(dataset("sample.csv"), &input).unwrap();
    // Files from archives and network file systems may have times before 1970 or after the year 9999.
    for time in [
        SystemTime::UNIX_EPOCH.checked_sub(Duration::new(315_619_200, 1)),
        SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(253_402_300_800)),
    ] {
        let file = fs::OpenOptions::new().write(true).open(&input).unwrap();
        file.set_modified(time.unwrap()).unwrap();
        solve(&[input.to_str().unwrap(), "-q", "--force", "-o", out.to_str().unwrap()]).expect(0);
    }
}

#[test]
fn a_report_replaces_only_reports() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let input = dataset("sample.csv");
    let (json, hgrm, log) = (at("run.json"), at("run.hgrm"), at("run.hlog"));
    let arguments =
        [&input, "-q", "--export-json", &json, "--export-hgrm", &hgrm, "--export-histogram-log", &log];
    solve(&arguments).expect(0);
    solve(&arguments).expect(0);
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 3, "no other files are left beside the reports");
    for own in [&json, &hgrm, &log] {
        let written = fs::read(own).unwrap();
        fs::write(own, "somebody's own words").unwrap();
        let refused = solve(&arguments).expect(1);
        assert!(refused.stderr.contains("replace it with --force"), "{}", refused.stderr);
        assert!(refused.stdout.is_empty(), "the run is refused before any work");
        assert_eq!(fs::read_to_string(own).unwrap(), "somebody's own words");
        fs::write(own, written).unwrap();
    }
    fs::write(&json, "somebody's own words").unwrap();
    solve(&[&arguments[..], &["--force"]].concat()).expect(0);
    assert!(fs::read_to_string(&json).unwrap().starts_with('{'));
    // A run that does not start leaves no empty report.
    let (fresh, out) = (at("fresh.json"), at("out.csv"));
    fs::write(&out, "").unwrap();
    solve(&[&input, "-o", &out, "--export-json", &fresh]).expect(1);
    assert!(fs::metadata(&fresh).is_err());
}

#[test]
fn the_name_decides_the_format() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let input = dataset("sample.csv");
    let expected = solve(&[&input, "-q"]).stdout;
    let read = |name: &str| fs::read(at(name)).unwrap();
    for name in ["o.csv.gz", "o.csv.zst"] {
        solve(&[&input, "-o", &at(name), "-q"]).expect(0);
        assert!(read(name).len() < expected.len() && !read(name).starts_with(b"id"), "{name}");
        // The output is read again, and its answers are right.
        let again = solve(&[&at(name), "-q", "--columns", "match"]).expect(0);
        assert_eq!(again.column("match"), ["yes"; 60]);
    }
    solve(&[&input, "-o", &at("o.jsonl"), "-q", "--only", "aborted"]).expect(0);
    assert_eq!(read("o.jsonl"), b"");
    solve(&[&input, "-o", &at("none.jsonl.gz"), "-q", "--only", "aborted"]).expect(0);
    assert!(read("none.jsonl.gz").starts_with(b"\x1f\x8b"), "an output without rows is still a gzip file");
    solve(&[&input, "-o", &at("o.ndjson"), "-q"]).expect(0);
    assert!(read("o.ndjson").starts_with(b"{\"id\":"));
    solve(&[&input, "-o", &at("o.txt"), "-q"]).expect(0);
    let lines: String = sample().into_iter().map(|(_, solution)| solution + "\n").collect();
    assert_eq!(read("o.txt"), lines.as_bytes());
    for (name, words) in [
        ("o.orc", "has the extension `.orc`, which is not supported here"),
        ("o.parquet.gz", "has an extension for compressed text, but parquet is not a text format"),
        ("o.csv.bz2", "has the extension `.bz2`"),
        ("o.tsv", "has the extension for columns separated by tabs"),
    ] {
        let refused = solve(&[&input, "-o", &at(name)]);
        assert!(refused.code != 0 && refused.stderr.contains(words), "{}", refused.stderr);
    }
    solve(&[&input, "-o", &at("named.csv"), "-q", "--output-format", "jsonl"]).expect(0);
    assert!(read("named.csv").starts_with(b"{\"id\":"), "--output-format has precedence over the name");
    let tabs =
        solve_input(b"puzzle\tid\n", &["--delimiter", "tab", "-o", &at("tabs.tsv"), "--puzzle-column", "1"]);
    assert_eq!(
        (tabs.code, read("tabs.tsv")),
        (0, b"puzzle\tid\tsolution\tstatus\n".to_vec()),
        "{}",
        tabs.stderr
    );
}

/// Reads an array file whose numbers have one byte each. Returns the header of the file, and the numbers.
fn array(path: &str) -> (String, Vec<u8>) {
    let bytes = fs::read(path).unwrap();
    let (head, numbers) = bytes.split_at(128);
    (head.iter().map(|&byte| char::from(byte)).collect(), numbers.to_vec())
}

#[test]
fn an_array_has_the_solutions() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (puzzle, solution) = sample().swap_remove(0);
    let input = format!("puzzle\n{puzzle}\nnone\n{puzzle}\n");
    solve_input(input.as_bytes(), &["-q", "-o", &at("o.npy")]).expect(4);
    let (head, numbers) = array(&at("o.npy"));
    assert!(
        head.starts_with(
            "\u{93}NUMPY\u{1}\0v\0{'descr': '|u1', 'fortran_order': False, 'shape': (3, 81), } "
        )
    );
    let digits: Vec<u8> = solution.bytes().map(|byte| byte - b'0').collect();
    assert_eq!(numbers, [&digits[..], &[0; 81], &digits].concat());
    // The array can be read again: it contains solved puzzles and a puzzle without clues.
    let again = solve(&[&at("o.npy"), "-q", "--columns", "status,clues"]).expect(0);
    assert_eq!(again.column("status"), ["unique", "multiple", "unique"]);
    assert_eq!(again.column("clues"), ["81", "0", "81"]);
    solve(&[&at("o.npy"), "-q", "-o", &at("none.npy"), "--only", "aborted"]).expect(0);
    assert!(array(&at("none.npy")).0.contains("'shape': (0, 81), }"));
    assert_eq!(solve(&[&at("none.npy"), "-q"]).expect(0).stdout, "puzzle,solution,status\n");

    for (arguments, code, words) in [
        (&["--output-format", "npy"][..], 2, "can be written only to a file"),
        (&["-o", &at("o.npy.gz")], 2, "has an extension for compressed text, but npy is not a text format"),
        (
            &["-o", &at("o.csv.gz"), "--output-format", "npy"],
            2,
            "has an extension for compressed text, but npy is not a text format",
        ),
        (&["-o", &at("p.npy"), "--columns", "status"], 2, "--columns: the output format"),
        #[cfg(unix)]
        (&["-o", "/dev/null", "--output-format", "npy"], 1, "/dev/null is not a file"),
    ] {
        let refused = solve(&[&[&dataset("sample.csv")[..]], arguments].concat()).expect(code);
        assert!(refused.stderr.contains(words), "{arguments:?}: {}", refused.stderr);
    }
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 2, "nothing was made");
}

/// A finished file doesn't show which command made it, and a run must not end with success because of the output of another command.
/// Therefore a record beside the output identifies the run that made it.
#[test]
fn a_complete_output_is_compared_with_its_record_and_ends_as_the_run_that_made_it() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let input = at("in.csv");
    // The input has a malformed row, so the exit code is 4.
    let text = format!("{}none,\n", fs::read_to_string(dataset("sample.csv")).unwrap());
    fs::write(&input, &text).unwrap();
    let modified = fs::metadata(&input).unwrap().modified().unwrap();
    let reads = |words: &str| (format!("{words} {input}"), format!("{words} {input} --only unique"));
    let verbs = [
        ("out.csv", reads("solve")),
        ("out.csv.gz", reads("solve")),
        ("out.npy", reads("solve")),
        ("out.parquet", reads("solve")),
        ("out.arrow", reads("solve")),
        ("out.csv", reads("check")),
        ("out.csv", reads("rate")),
        ("out.csv", reads("rate --stratify 1")),
        ("out.csv", reads("canonical")),
        ("out.csv", reads("transform --random 2")),
        ("out.csv", reads("dedupe")),
        ("out.csv", reads("minimals --random 1")),
        ("out.csv", reads("vicinity -1+1")),
        ("out.csv", reads(&format!("overlap {input} --with"))),
        ("out.csv", ("generate --count 9".to_owned(), "generate --count 10".to_owned())),
    ];
    for (name, (verb, other)) in verbs {
        let out = at(name);
        let run = |verb: &str| {
            let words = verb.split(' ').chain(["-o", &out, "--resume"]);
            Ran::of(command().args(words).output().unwrap())
        };
        let other =
            if verb.contains("--stratify") { verb.replace("--stratify 1", "--stratify 2") } else { other };
        let made = run(&verb);
        assert_eq!(made.code, if verb.contains("generate") { 0 } else { 4 }, "{verb}: {}", made.stderr);
        let written = fs::read(&out).unwrap();
        let again = run(&verb).expect(made.code);
        assert!(
            again.stderr.contains(&format!("{name} is complete; nothing was done")),
            "{verb}: {}",
            again.stderr
        );
        let refused = |verb: &str, words: &str| {
            let ran = run(verb).expect(1);
            assert!(ran.stderr.contains(words), "{verb}: {}", ran.stderr);
            assert!(ran.stderr.ends_with("start again with --force\n"), "{}", ran.stderr);
        };
        refused(&other, " is from a run with different ");
        if !verb.contains("generate") {
            fs::write(&input, text.replacen("none", "nine", 1)).unwrap();
            refused(&verb, " is from a run with different ");
            fs::write(&input, &text).unwrap();
            fs::File::options().write(true).open(&input).unwrap().set_modified(modified).unwrap();
        }
        for (changed, fault) in [
            (&b""[..], "it was truncated"),
            (&written[..1], "it was truncated"),
            (&[&written[..], b"x"].concat(), "was changed after the run"),
        ] {
            fs::write(&out, changed).unwrap();
            refused(&verb, fault);
            assert_eq!(fs::read(&out).unwrap(), changed);
        }
        // A run without --resume leaves no record, and removes the record of an earlier run.
        let words = verb.split(' ').chain(["-o", &out, "--force", "-q"]);
        Ran::of(command().args(words).output().unwrap()).expect(made.code);
        assert_eq!(fs::read(&out).unwrap(), written);
        refused(&verb, "resume.json is missing: a run with --resume writes this file beside its output");
        fs::remove_file(&out).unwrap();
        let names: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(names, ["in.csv"], "{verb}");
    }
}

/// The size and the time of a file don't exist for a pipe, so the data itself is compared.
#[test]
fn a_complete_output_is_compared_with_the_data_of_a_pipe() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let text = format!("{}none,\n", fs::read_to_string(dataset("sample.csv")).unwrap());
    let more = format!("{text}more,\n");
    let others = [text.replacen("none", "nine", 1), more.clone(), text.replacen("none,\n", "", 1)];
    let table = |text: &str| {
        fs::write(at("in.csv"), text).unwrap();
        let words = ["convert", &at("in.csv"), "-q", "--force", "-o", &at("in.parquet")];
        command().args(words).output().unwrap();
        fs::read(at("in.parquet")).unwrap()
    };
    let tables = (table(&text), others.each_ref().map(|other| table(other)));
    let texts = (text.clone().into_bytes(), others.map(String::into_bytes));
    // With `--skip 3 --limit 20`, a run reads only the first 23 rows, so changes in later rows don't matter. Row 10 is changed instead.
    let tenth = text.lines().nth(10).unwrap();
    let changed = text.replacen(tenth, &tenth.replacen('.', "0", 1), 1);
    let limited = (text.clone().into_bytes(), [changed.into_bytes(), Vec::new(), b"puzzle\n".into()]);
    for (verb, (input, others)) in [
        ("solve", &texts),
        ("solve", &tables),
        ("solve --skip 3 --limit 20", &limited),
        ("transform --random 2", &texts),
        ("minimals --random 1", &texts),
        ("dedupe", &texts),
        ("dedupe", &tables),
        ("rate --stratify 1", &texts),
    ] {
        let out = at("out.csv");
        let run = |input: &[u8]| {
            let mut command = assert_cmd::Command::from_std(command());
            Ran::of(
                command
                    .args(verb.split(' '))
                    .args(["-o", &out, "--resume"])
                    .write_stdin(input)
                    .output()
                    .unwrap(),
            )
        };
        let made = run(input);
        let written = fs::read(&out).unwrap();
        assert!(
            run(input).expect(made.code).stderr.contains("out.csv is complete; nothing was done"),
            "{verb}"
        );
        if verb.contains("--limit") {
            run(more.as_bytes()).expect(made.code);
        }
        for other in others {
            let refused = run(other).expect(1);
            assert!(refused.stderr.contains("start again with --force"), "{verb}: {}", refused.stderr);
            assert!(fs::read(&out).unwrap() == written, "{verb}");
        }
        fs::remove_file(&out).unwrap();
        fs::remove_file(at("out.csv.resume.json")).unwrap();
    }
}
