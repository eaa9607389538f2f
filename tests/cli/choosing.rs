//! Which rows and columns come out.
#![cfg(unix)]

use std::fs;

use super::interrupts::{QUICK, stopped};
use super::{dataset, sample, solve, solve_input};

#[test]
fn only_some_statuses_are_kept_and_the_others_counted() {
    let input = dataset("statuses.csv");
    let all = solve(&[&input, "--columns", "status"]).expect(4);
    for only in ["multiple", "unsolvable,malformed", "unique"] {
        let kept = solve(&[&input, "--columns", "status", "--only", only]).expect(4);
        let wanted: Vec<String> = all
            .column("status")
            .into_iter()
            .filter(|status| only.split(',').any(|it| it == status))
            .collect();
        assert_eq!(kept.column("status"), wanted, "{only}");
        let left_out = all.column("status").len() - wanted.len();
        let line = kept.stderr.lines().find(|line| line.contains("left out")).unwrap().to_owned();
        let words: Vec<&str> = line.split_whitespace().collect();
        assert_eq!(words[2], left_out.to_string(), "{line}");
    }
    let wrong = solve(&[&input, "--only", "uniq"]).expect(2);
    assert!(wrong.stderr.contains("neither a status nor `mismatch`"), "{}", wrong.stderr);
}

#[test]
fn a_column_tells_whether_the_answer_is_the_expected_one() {
    let [first, second] = [0, 1].map(|row| sample().swap_remove(row));
    let (puzzle, solution) = &first;
    // The second puzzle with the first one's solution.
    let input = format!(
        "puzzle,solution\n{puzzle},{solution}\n{},{solution}\nnone,{solution}\n{puzzle},\n",
        second.0
    );
    let ran = solve_input(input.as_bytes(), &["--columns", "match,status"]).expect(4);
    assert_eq!(ran.column("match"), ["yes", "no", "", ""]);
    let kept = solve_input(input.as_bytes(), &["--columns", "match", "--only", "mismatch"]).expect(4);
    assert_eq!(kept.column("match"), ["no"]);
}

/// Of an output that leaves rows out, its own rows do not tell how far the run came.
#[test]
fn a_run_that_leaves_rows_out_goes_on_where_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let (input, out) = (folder.path().join("in.txt"), folder.path().join("out.csv"));
    let (sample, mut text) = (sample(), String::new());
    for number in 0..700 {
        let word = if number % 3 == 0 { "bad" } else { &sample[number % 60].0 };
        text.push_str(&format!("{word} {number}\n"));
    }
    fs::write(&input, text).unwrap();
    let (input, out) = (input.to_str().unwrap(), out.to_str().unwrap());
    let arguments =
        [&[input, "-o", out, "--only", "malformed", "--input-format", "lines"], &QUICK[..]].concat();
    stopped(&arguments);
    let resumed = solve(&[&arguments[..], &["--resume"]].concat()).expect(4);
    let whole = fs::read_to_string(out).unwrap();
    assert_eq!(whole.lines().count(), 1 + 234, "{}", resumed.stderr);
    assert!(whole.lines().skip(1).all(|line| line.ends_with(",malformed")), "{whole}");
    let other = solve(&[&arguments[..], &["--force"]].concat()).expect(4);
    assert!(fs::read_to_string(out).unwrap() == whole, "{}", other.stderr);
}
