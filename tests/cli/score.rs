//! `score` with predictions in all forms in which they can be stored: the score of each prediction, and the mean scores.

use super::*;
use std::fs;

use serde_json::Value;
use sudobench_sudoku::score::Score;
use sudobench_sudoku::{Puzzle, Solution};

const P: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
const S: &str = "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

fn score(arguments: &[&str]) -> Ran {
    Ran::of(command().arg("score").args(arguments).output().unwrap())
}

/// Runs `score` with these arguments, and returns the record of the run.
fn record(arguments: &[&str], folder: &Path) -> Value {
    let file = folder.join("record.json");
    let exported = ["--force", "--export-json", &file.to_string_lossy()].map(str::to_owned);
    Ran::of(command().arg("score").args(arguments).args(exported).output().unwrap()).expect(0);
    serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap()
}

#[test]
fn each_prediction_has_its_columns() {
    let rows = score(&[&dataset("predictions.csv"), "--columns", "all", "-o", "-", "-q"]).expect(0);
    let column = |name: &str| rows.column(name);
    let (puzzles, solutions, predictions) = (column("puzzle"), column("solution"), column("prediction"));
    let (mut exact, mut cells, mut ratios) = (0, 0, 0.0);
    for row in 0..puzzles.len() {
        let puzzle: Puzzle = puzzles[row].parse().unwrap();
        let solution: Solution = solutions[row].parse().unwrap();
        let read = predictions[row].replace('\n', "").parse::<Puzzle>();
        let found = Score::new(&puzzle, read.as_ref().unwrap_or(&Puzzle::EMPTY), Some(&solution));
        let compared = found.compared.unwrap();
        let yes_no = |is: bool| if is { "yes" } else { "no" }.to_owned();
        let expected = [
            ("exact", yes_no(found.exact)),
            ("valid", yes_no(found.valid)),
            ("right_cells", compared.right_cells.to_string()),
            ("right_blanks", compared.right_blanks.to_string()),
            ("blanks", found.blanks.to_string()),
            ("clues", (81 - found.blanks).to_string()),
            ("clues_kept", found.clues_kept.to_string()),
            ("conflicts", found.conflicts.to_string()),
            ("filled", found.filled.to_string()),
            (
                "first_error",
                compared
                    .first_error
                    .map_or(String::new(), |cell| format!("r{}c{}", cell / 9 + 1, cell % 9 + 1)),
            ),
            // Each puzzle has one solution, so a prediction can be completed if all of its filled cells are right.
            ("solvable", yes_no(read.is_ok() && found.filled == compared.right_cells)),
        ];
        for (name, value) in expected {
            assert_eq!(column(name)[row], value, "{name} of row {row}");
        }
        assert_eq!(column("note")[row].is_empty(), read.is_ok());
        exact += u64::from(found.exact);
        cells += u64::from(compared.right_cells);
        ratios += f64::from(compared.right_blanks) / f64::from(found.blanks);
    }
    let folder = tempfile::tempdir().unwrap();
    let scores =
        record(&[&dataset("predictions.csv"), "--bucket-by", "model"], folder.path())["scores"].take();
    let near = |value: &Value, wanted: f64| {
        assert!((value.as_f64().unwrap() - wanted).abs() < 1e-12, "{value} {wanted}")
    };
    let all = &scores["all"];
    let count = puzzles.len() as f64;
    near(&all["exact"]["mean"], exact as f64 / count);
    near(&all["cell_accuracy"]["mean"], cells as f64 / 81.0 / count);
    near(&all["blank_accuracy"]["mean"], ratios / count);
    assert_eq!((&all["malformed_predictions"], &all["wrong_expected"]), (&2.into(), &0.into()));
    let models = ["careful", "hasty"].map(|model| scores["buckets"][model]["puzzles"].as_u64().unwrap());
    assert_eq!(models, [60, 60]);
}

#[test]
fn predictions_are_read_in_every_form_and_unreadable_ones_are_wrong() {
    let folder = tempfile::tempdir().unwrap();
    let grid: Vec<&str> = (0..9).map(|row| &S[9 * row..9 * row + 9]).collect();
    let cells: Vec<u8> = S.bytes().map(|digit| digit - b'0').collect();
    let answers = serde_json::json!([
        S,
        cells,
        cells.chunks(9).collect::<Vec<_>>(),
        grid.join("\n"),
        null,
        "",
        [1, 2],
        "x",
        7,
        S
    ]);
    let rows = answers
        .as_array()
        .unwrap()
        .iter()
        .map(|answer| format!("{}\n", serde_json::json!({"puzzle": P, "prediction": answer})));
    let file = folder.path().join("answers.jsonl");
    let malformed = "{\"puzzle\": \"53..\", \"prediction\": \"53..\"}\n";
    fs::write(&file, rows.chain([malformed.to_owned()]).collect::<String>()).unwrap();
    let file = file.to_string_lossy();
    let ran =
        score(&[&file, "-o", "-", "--output-format", "csv", "--columns", "exact,right_cells,note", "-q"])
            .expect(4);
    let exact = ["yes", "yes", "yes", "yes", "no", "no", "no", "no", "no", "yes", ""];
    assert_eq!(ran.column("exact"), exact);
    let cells: Vec<&str> = exact
        .iter()
        .map(|exact| match *exact {
            "yes" => "81",
            "no" => "0",
            _ => "",
        })
        .collect();
    assert_eq!(ran.column("right_cells"), cells);
    let notes = ran.column("note");
    assert_eq!(notes[6], "prediction: 2 cells where a puzzle has 81");
    assert_eq!(notes[10], "4 characters where a puzzle has 81");
    let told = score(&[&file, "-q"]).expect(4);
    assert!(told.stdout.starts_with("Scores of 10 predictions\n"), "{}", told.stdout);
    assert!(told.stdout.contains("5 predictions cannot be read: counted as wrong"), "{}", told.stdout);
}

#[test]
fn rows_that_are_too_long_are_wrong_predictions() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("answers.jsonl");
    let long = format!("{S} {}", "x".repeat(70_000));
    let row =
        |answer: &str| format!("{}\n", serde_json::json!({"puzzle": P, "prediction": answer, "kind": "a"}));
    fs::write(&file, [S, &long, S].map(row).concat()).unwrap();
    let file = file.to_string_lossy();
    let told = score(&[&file, "--extract", "--bucket-by", "kind", "--pass-at", "1", "-q"]).expect(4);
    for words in [
        "Scores of 3 predictions\n",
        "66.67%",
        "1 row too long to be read: counted as wrong, but not in the cell and blank accuracies",
        "1 row too long to be read: in no group",
        "\n  (empty)            1    0.00%",
    ] {
        assert!(told.stdout.contains(words), "{words}: {}", told.stdout);
    }
}

#[test]
fn many_numbers_are_shown_as_ranges_and_difficulties_from_easy_to_hard() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("ratings.csv");
    let rows = (0..60).map(|rating| format!("{P},{},{rating}\n", if rating < 30 { S } else { P }));
    fs::write(&file, ["puzzle,prediction,rating\n".to_owned()].into_iter().chain(rows).collect::<String>())
        .unwrap();
    let file = file.to_string_lossy();
    let told = score(&[&file, "--by", "rating", "-q"]).expect(0).stdout;
    let by_rating = told.split("By rating").nth(1).unwrap();
    let names: Vec<&str> =
        by_rating.lines().skip(2).map(|line| line.trim().split("  ").next().unwrap()).collect();
    let ranges: Vec<String> = (0..10).map(|range| format!("{} to {}", 6 * range, 6 * range + 5)).collect();
    assert_eq!(names, ranges);
    let scores = record(&[&file, "--bucket-by", "rating"], folder.path())["scores"].take();
    assert_eq!(
        (scores["ranges"][4]["to"].as_f64(), &scores["ranges"][4]["score"]["puzzles"]),
        (Some(29.0), &6.into())
    );
    assert_eq!(scores["ranges"][4]["score"]["exact"]["mean"], 1.0);
    assert_eq!(scores["buckets"].as_object().unwrap().len(), 60);
    let sample: String = sample().iter().map(|(puzzle, solution)| format!("{puzzle},{solution}\n")).collect();
    let other = folder.path().join("sample.csv");
    let request = ["generate", "--difficulty", "depth1", "--count", "1", "--seed", "1"];
    let hard = Ran::of(command().args(request).output().unwrap()).expect(0).stdout;
    let hard = hard.trim();
    fs::write(&other, format!("puzzle,prediction\n{sample}{hard},{hard}\n")).unwrap();
    let told = score(&[&other.to_string_lossy(), "--bucket-by", "difficulty", "-q"]).expect(4).stdout;
    let places = ["\n  singles ", "\n  depth1 "].map(|name| told.find(name).unwrap());
    assert!(places.is_sorted(), "{told}");
}

#[test]
fn the_solution_comes_from_the_row_or_from_solving() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("rows.csv");
    let several = format!("{:.<81}", "");
    let other = S.replace('1', "x").replace('2', "1").replace('x', "2");
    // The column `solution` has the right solution in row 1, one of several solutions in row 2, and a wrong solution in row 3. It is empty
    // in rows 4 and 5; the puzzle of row 4 has several solutions, and the puzzle of row 5 has one.
    let rows = format!(
        "puzzle,solution,answer,note\n{P},{S},{S},1\n{several},{S},{other},2\n{P},{other},{S},3\n{several},,{S},4\n{P},,{other},5\n"
    );
    fs::write(&file, rows).unwrap();
    let file = file.to_string_lossy();
    let columns = ["--columns", "exact,valid,right_cells,note"];
    let ran = score(&[&[&*file, "--prediction-column", "answer", "-o", "-", "-q"], &columns[..]].concat())
        .expect(0);
    assert_eq!(ran.column("exact"), ["yes", "no", "yes", "yes", "no"]);
    assert_eq!(ran.column("valid"), ["yes", "yes", "yes", "yes", "no"]);
    assert_eq!(ran.column("right_cells"), ["81", "63", "81", "", "63"]);
    assert_eq!(ran.column("sudobench_note")[2], "the expected solution does not solve the puzzle");
    // Usually a column `answer` is used as the solution if there is no other column of solutions. Here this column contains the
    // predictions, so it must not be used as the solution.
    fs::write(folder.path().join("two.csv"), format!("puzzle,answer\n{P},{S}\n{P},{other}\n")).unwrap();
    let two = folder.path().join("two.csv").to_string_lossy().into_owned();
    for bucket in [&[][..], &["--bucket-by", "difficulty"]] {
        let ran = score(&[&[&*two, "--prediction-column", "answer"], bucket].concat()).expect(0);
        assert!(ran.stdout.contains(" 50.00% "), "{}", ran.stdout);
        assert!(!ran.stderr.contains("expected"), "{}", ran.stderr);
    }
}

#[test]
fn a_resumed_run_has_the_scores_of_the_whole_run() {
    let folder = tempfile::tempdir().unwrap();
    let many = folder.path().join("many.csv");
    let text = fs::read_to_string(dataset("predictions.csv")).unwrap();
    let (header, rows) = text.split_once('\n').unwrap();
    fs::write(&many, format!("{header}\n{}", rows.repeat(20))).unwrap();
    let (many, out) = (many.to_string_lossy(), folder.path().join("out.csv").to_string_lossy().into_owned());
    let whole = record(&[&many, "--bucket-by", "model"], folder.path());
    let words = [&*many, "--bucket-by", "model", "-o", &out, "--threads", "1"];
    score(&[&words[..], &["--stop-after-blocks", "2"]].concat()).expect(130);
    let changed = score(&[&*many, "--bucket-by", "level", "-o", &out, "--resume"]).expect(1);
    assert!(
        changed
            .stderr
            .contains("is from a run with different --bucket-by: it had `model`, but this run has `level`"),
        "{}",
        changed.stderr
    );
    let resumed = Ran::of(
        command()
            .arg("score")
            .args(words)
            .args(["--resume", "--export-json", &format!("{out}.json")])
            .output()
            .unwrap(),
    );
    assert!(resumed.expect(0).stderr.contains("from an earlier run"));
    let resumed: Value = serde_json::from_str(&fs::read_to_string(format!("{out}.json")).unwrap()).unwrap();
    assert_eq!(resumed["scores"], whole["scores"]);
}

#[test]
fn merged_shards_have_the_reports_of_the_whole_run() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let report = |name: &str| fs::read_to_string(path(name)).unwrap();
    let words = [&*dataset("predictions.csv"), "--bucket-by", "input.level", "-q"].map(str::to_owned);
    let exports = |name: &str| {
        ["json", "html", "md"].map(|end| {
            let kind = if end == "md" { "markdown" } else { end };
            format!("--export-{kind}={}", path(&format!("{name}.{end}")))
        })
    };
    let run = |command: &mut Command| Ran::of(command.output().unwrap());
    let whole =
        run(command().arg("score").args(&words).args(exports("whole")).args(["-o", &path("whole.csv")]));
    for shard in ["1/3", "2/3", "3/3"] {
        run(command().arg("score").args(&words).args(["-o", &path("out.csv"), "--shard", shard])).expect(0);
    }
    let parts = (1..=3).map(|number| path(&format!("out.shard-{number}-of-3.csv")));
    let parts: Vec<String> = parts.collect();
    let merged =
        |arguments: &[&str]| run(command().arg("merge").args(&parts).args(arguments).args(exports("merged")));
    let all = merged(&["-o", &path("merged.csv"), "-q"]).expect(0);
    assert_eq!(all.stdout, whole.expect(0).stdout);
    assert_eq!(report("merged.csv"), report("whole.csv"));
    let record = |name: &str| serde_json::from_str::<Value>(&report(name)).unwrap();
    let (one, other) = (record("whole.json"), record("merged.json"));
    for field in ["command", "rows", "words", "statuses", "scores", "inputs"] {
        assert_eq!(one[field], other[field], "{field}");
    }
    assert_eq!(other["shards"].as_array().unwrap().len(), 3);
    // Compares only the text from the scores on, because the text before them contains the time and the arguments of the run.
    let of_scores = |name: &str, end: &str| {
        let text = report(name);
        let start = text.find("Scores of 120 predictions").unwrap();
        text[start..].split(end).next().unwrap().to_owned()
    };
    assert_eq!(of_scores("merged.md", "\0"), of_scores("whole.md", "\0"));
    assert_eq!(of_scores("merged.html", "Conditions"), of_scores("whole.html", "Conditions"));
    // If the rows go to standard output, the accuracies go to standard error.
    let shown = merged(&["--force"]).expect(0);
    assert_eq!(shown.stdout, report("whole.csv"));
    assert!(shown.stderr.contains("Scores of 120 predictions"), "{}", shown.stderr);
}

#[test]
fn the_column_of_predictions_is_never_taken_for_the_puzzles() {
    let folder = tempfile::tempdir().unwrap();
    let (short, wrong) = (&P[1..], S.replace('9', "1"));
    for (name, text) in [
        ("broken.csv", format!("puzzle,prediction\n{short},{S}\n{short},{S}\n")),
        ("broken.jsonl", format!("{{\"puzzle\":\"{short}\",\"prediction\":\"{S}\"}}\n").repeat(2)),
        ("late.csv", format!("puzzle,prediction\n{}{P},{wrong}\n", format!("x,{S}\n").repeat(1_000))),
    ] {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        let ran = score(&[path.to_str().unwrap()]).expect(4);
        let exact = ran.stdout.lines().find(|line| line.starts_with("  exact")).unwrap_or_default();
        assert!(!exact.contains(" 100.00% "), "{name}: {}", ran.stdout);
        assert!(ran.stderr.contains("malformed"), "{name}: {}", ran.stderr);
    }
    // The column of predictions is read as puzzles only if the user names it with `--puzzle-column`.
    let path = folder.path().join("broken.csv");
    let ran = score(&[path.to_str().unwrap(), "--puzzle-column", "prediction"]).expect(0);
    assert!(ran.stdout.contains("Scores of 2 predictions"), "{}", ran.stdout);
}

#[test]
fn a_computed_bucket_is_not_the_column_of_its_name() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    fs::write(path("in.csv"), format!("puzzle,prediction,clues\n{}", format!("{P},{S},few\n").repeat(4_000)))
        .unwrap();
    for (shard, bucket) in [("1/2", "clues"), ("2/2", "input.clues")] {
        score(&[&path("in.csv"), "-o", &path("out.csv"), "--shard", shard, "--bucket-by", bucket]).expect(0);
    }
    let parts = [path("out.shard-1-of-2.csv"), path("out.shard-2-of-2.csv")];
    let merged = Ran::of(command().arg("merge").args(parts).args(["-o", &path("all.csv")]).output().unwrap());
    assert!(merged.expect(1).stderr.contains("bucket-by"));
}

#[test]
fn a_report_that_cannot_be_made_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let (input, out, page) = (dataset("predictions.csv"), path("out.csv"), path("page.html"));
    let words = [&*input, "-o", &*out];
    score(&[&words[..], &["--resume"]].concat()).expect(0);
    let resumed = [&words[..], &["--resume", "--export-html", &page]].concat();
    let ran = score(&resumed).expect(1);
    assert!(ran.stderr.contains("use --force instead of --resume"), "{}", ran.stderr);
    // If the run that made the output also wrote the page, `--resume` has nothing to do and succeeds.
    fs::remove_file(&out).unwrap();
    score(&resumed).expect(0);
    score(&resumed).expect(0);
    // The record of a shard is one of the files of the run, so an export can't have the same path.
    let record = path("out.shard-1-of-1.csv.shard.json");
    let ran =
        score(&[&words[..], &["--shard", "1/1", "--export-json", &record, "--force"]].concat()).expect(2);
    assert!(ran.stderr.contains("out.shard-1-of-1.csv.shard.json"), "{}", ran.stderr);
}

#[test]
fn pages_and_tables_replace_only_files_of_their_kind() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let file = dataset("predictions.csv");
    let (page, tables) = (path("page.html"), path("tables.md"));
    let exports = ["--export-html", &page, "--export-markdown", &tables];
    score(&[&[&*file, "-o", "-", "-q"], &exports[..]].concat()).expect(0);
    // The page and the tables of the first run are replaced, because the new files are of the same kinds.
    score(&[&[&*file, "-q"], &exports[..]].concat()).expect(0);
    let text = fs::read_to_string(&page).unwrap();
    assert!(text.contains("<title>sudobench score</title>") && text.contains("Wrong blanks"), "{text}");
    let text = fs::read_to_string(&tables).unwrap();
    assert!(
        text.starts_with("## sudobench score\n") && text.contains("| exact | it is the solution |"),
        "{text}"
    );
    fs::write(&page, "mine").unwrap();
    let refused = score(&[&[&*file, "-q"], &exports[..]].concat()).expect(1);
    assert!(refused.stderr.contains("is not an HTML page of this program"), "{}", refused.stderr);
    let dash = score(&[&*file, "--export-html", "-"]).expect(2);
    assert!(dash.stderr.contains("standard output is for rows"), "{}", dash.stderr);
}

#[test]
fn impossible_scores_are_errors() {
    let file = dataset("predictions.csv");
    for (words, code, told) in [
        (
            &["--prediction-column", "answers"][..],
            1,
            "the input has no column `answers`; its columns are puzzle, solution, prediction",
        ),
        (&["--bucket-by", "size"], 1, "the input has no column `size`"),
        (&["--order-by", "right_cells"], 2, "this command writes rows only with --output: add --output FILE"),
        (&["-o", "scores.txt"], 2, "has none"),
    ] {
        let ran = score(&[&[&*file], words].concat()).expect(code);
        assert!(ran.stderr.contains(told), "{}", ran.stderr);
    }
    let empty = Ran::of(command().args(["score", "-"]).output().unwrap());
    assert_eq!(empty.code, 1, "{}", empty.stderr);
    let none = score(&[&*file, "--skip", "1000000"]).expect(1);
    assert!(none.stderr.contains("there are no rows"), "{}", none.stderr);
}

#[test]
fn grids_are_found_in_texts() {
    let folder = tempfile::tempdir().unwrap();
    let grid: Vec<&str> = (0..9).map(|row| &S[9 * row..9 * row + 9]).collect();
    let texts = [
        format!("<think>\n\"{P}\"?</think><answer>{S}</answer>"),
        format!("Solution, at last:\n{}\nDone.", grid.join("\n")),
        format!("{grid:?}"),
        format!("Only this: {P}"),
        "I cannot, sorry.".to_owned(),
    ];
    let csv = folder.path().join("texts.csv");
    let quoted = texts.iter().map(|text| format!("{P},\"{}\"\n", text.replace('"', "\"\"")));
    fs::write(&csv, ["puzzle,completion\n".to_owned()].into_iter().chain(quoted).collect::<String>())
        .unwrap();
    let jsonl = folder.path().join("texts.jsonl");
    let lines =
        texts.iter().map(|text| format!("{}\n", serde_json::json!({"puzzle": P, "completion": text})));
    fs::write(&jsonl, lines.collect::<String>()).unwrap();
    for file in [csv, jsonl] {
        let arguments = [&*file.to_string_lossy(), "--prediction-column", "completion", "--extract", "-q"]
            .map(str::to_owned);
        let output = ["-o", "-", "--output-format", "csv", "--columns", "exact,right_cells,found,note"]
            .map(str::to_owned);
        let ran = Ran::of(command().arg("score").args(&arguments).args(output).output().unwrap()).expect(0);
        assert_eq!(ran.column("exact"), ["yes", "yes", "yes", "no", "no"]);
        assert_eq!(ran.column("right_cells"), ["81", "81", "81", "30", "0"]);
        assert_eq!(ran.column("found"), ["digits", "lines", "list", "digits", ""]);
        assert_eq!(ran.column("note")[4], "prediction: no grid in the text");
        let told = Ran::of(command().arg("score").args(&arguments).output().unwrap()).expect(0);
        assert!(told.stdout.contains("1 prediction cannot be read: counted as wrong"), "{}", told.stdout);
    }
}

#[test]
fn pass_at_is_the_mean_over_groups() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("samples.csv");
    // For the first puzzle, 1 of 4 predictions is exact. For the second puzzle, both predictions are exact.
    let rows: String =
        [(P, S, "a"), (P, P, "a"), (P, P, "b"), (P, "x", "b"), (S, S, "c"), (S, S, "c"), ("?", S, "c")]
            .map(|(puzzle, prediction, sample)| format!("{puzzle},{prediction},{sample}\n"))
            .concat();
    fs::write(&file, format!("puzzle,prediction,sample\n{rows}")).unwrap();
    let file = file.to_string_lossy();
    let run = |arguments: &[&str]| score(&[&[&*file, "-q"], arguments].concat());
    let told = run(&["--pass-at", "1,2,3"]).expect(4).stdout;
    for line in [
        "pass@k over 2 different puzzles",
        "  1  62.50%",
        "  2  75.00%",
        "1 group of fewer than 3 predictions: pass@3 has no value",
    ] {
        assert!(told.contains(line), "{line} in\n{told}");
    }
    let export = folder.path().join("record.json").to_string_lossy().into_owned();
    run(&["--pass-at", "2", "--group-by", "sample", "--threads", "2", "--export-json", &export]).expect(4);
    let record: Value = serde_json::from_str(&fs::read_to_string(&export).unwrap()).unwrap();
    let found = &record["scores"]["pass_at"][0];
    assert_eq!((&found["k"], &found["groups"], &found["too_small"]), (&2.into(), &3.into(), &0.into()));
    assert!((found["accuracy"]["mean"].as_f64().unwrap() - 2.0 / 3.0).abs() < 1e-12);
    assert_eq!(record["scores"]["group_by"], "sample");
    let output = folder.path().join("out.csv").to_string_lossy().into_owned();
    let unknown = run(&["--pass-at", "1", "--group-by", "other"]).expect(1);
    assert!(unknown.stderr.contains("`other`"), "{}", unknown.stderr);
    for (arguments, words) in [
        (vec!["--group-by", "sample"], "--group-by: this option groups rows for --pass-at: add --pass-at"),
        (vec!["--pass-at", "0"], "invalid value '0' for '--pass-at"),
        (
            vec!["--pass-at", "1", "--resume", "-o", &output],
            "the groups of earlier rows are not stored: leave out --resume",
        ),
        (
            vec!["--pass-at", "1", "--shard", "1/2", "-o", &output],
            "which shards do not have: leave out --shard",
        ),
    ] {
        let ran = run(&arguments).expect(2);
        assert!(ran.stderr.contains(words), "{words} in\n{}", ran.stderr);
    }
    // With --pass-at, a run groups the predictions by puzzle. An interrupted run loses these groups, so it can't be resumed.
    let asked = ["--pass-at", "1", "-o", &output];
    let interrupted = run(&[&asked[..], &["--stop-after-blocks", "1"]].concat()).expect(130);
    for told in [interrupted, run(&asked).expect(1)] {
        assert!(told.stderr.contains("out.csv.partial"), "{}", told.stderr);
        assert!(told.stderr.contains("; start again with --force\n"), "{}", told.stderr);
    }
    // A run without --pass-at can't continue this partial output either.
    let refused = run(&["-o", &output]).expect(1);
    assert!(!refused.stderr.contains("--resume") && refused.stderr.contains("--force"), "{}", refused.stderr);
    let refused = run(&["-o", &output, "--resume"]).expect(1);
    let words = "is from a run with --order-by, --sample or --pass-at, which cannot be continued; start again with --force";
    assert!(refused.stderr.contains(words), "{}", refused.stderr);
}
