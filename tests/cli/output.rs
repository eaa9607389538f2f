//! Output formats, files, and what exists already.

use std::fs;
use std::io::Read as _;
use std::process::Stdio;

use super::{command, dataset, sample, solve, solve_input};

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
fn json_lines_hold_every_input_column() {
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
fn the_judges_forms() {
    let solution = sample().swap_remove(0).1;
    let compact =
        solve(&[&dataset("formats/boj2239.txt"), "-q", "--output-format", "boj2239"]).expect(0).stdout;
    assert_eq!(compact.replace('\n', ""), solution);
    assert_eq!(compact.lines().filter(|line| line.len() == 9).count(), 9);
    let spaced =
        solve(&[&dataset("formats/boj2580.txt"), "-q", "--output-format", "boj2580"]).expect(0).stdout;
    assert_eq!(spaced.replace(['\n', ' '], ""), solution);
    assert_eq!(spaced.lines().next().map(str::len), Some(17));
    // What was written can be read again.
    let again = solve_input(spaced.as_bytes(), &["-q", "--output-format", "boj2239"]).expect(0).stdout;
    assert_eq!(again, compact);
}

#[test]
fn a_row_without_a_solution_is_a_comment_where_there_are_no_columns() {
    for format in ["lines", "boj2580"] {
        let ran = solve(&[&dataset("statuses.csv"), "-q", "--output-format", format]).expect(4);
        assert_eq!(ran.stdout.lines().filter(|line| line.starts_with("# ")).count(), 10);
        assert!(ran.stdout.contains("# malformed: 80 characters where a puzzle has 81: ..65"));
        assert!(ran.stdout.contains("# unsolvable: 5.......5"));
    }
    let refused = solve(&[&dataset("sample.csv"), "--output-format", "lines", "--columns", "all"]).expect(2);
    assert!(refused.stderr.contains("--columns belongs to"));
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
fn a_file_comes_to_be_whole_and_is_not_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out.csv");
    let (input, out) = (dataset("sample.csv"), path.to_str().unwrap());
    solve(&[&input, "-o", out, "-q"]).expect(0);
    let written = fs::read_to_string(&path).unwrap();
    assert_eq!(written, solve(&[&input, "-q"]).stdout);
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1, "nothing is left beside the output");
    let refused = solve(&[&input, "-o", out]).expect(1);
    assert!(refused.stderr.contains("out.csv exists; give --force to replace it"), "{}", refused.stderr);
    let whole = solve(&[&input, "-o", out, "--resume"]).expect(1);
    assert!(whole.stderr.contains("nothing to resume"), "{}", whole.stderr);
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
