//! Shards: the options, the files of each shard, and messages about rows with unknown line numbers.

use std::fs;
use std::path::Path;

use super::{Ran, command, sample, solve, solve_input};

/// Writes this many rows. The last row but one is malformed.
fn write_rows(folder: &Path, rows: usize) -> String {
    let puzzles = sample();
    let mut text = "id,puzzle\n".to_owned();
    for id in 0..rows {
        let puzzle = if id + 2 == rows { "no puzzle" } else { &puzzles[id % puzzles.len()].0 };
        text += &format!("{id},{puzzle}\n");
    }
    let path = folder.join("in.csv");
    fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn shards_have_files_and_records_and_together_are_the_whole() {
    let folder = tempfile::tempdir().unwrap();
    let input = write_rows(folder.path(), 5000);
    let output = folder.path().join("out.csv");
    let output = output.to_str().unwrap();
    let solver = ["--solver", "mrv", "--columns", "status,nodes", "--threads", "2"];
    solve(&[&[&input, "-o", output], &solver[..]].concat()).expect(4);
    let mut together = String::new();
    for number in 1..=3 {
        let shard = format!("{number}/3");
        let ran = solve(&[&[&input, "-o", output, "--shard", &shard], &solver[..]].concat());
        let ran = ran.expect(if number == 3 { 4 } else { 0 });
        let part = folder.path().join(format!("out.shard-{number}-of-3.csv"));
        assert!(ran.stderr.contains(&format!("shard {shard} is {}", part.display())), "{}", ran.stderr);
        let text = fs::read_to_string(&part).unwrap();
        let rows = text.strip_prefix("id,puzzle,status,nodes\n").unwrap();
        assert!(rows.lines().count() > 1000);
        together += rows;
        if number == 3 {
            // This shard doesn't know how many lines come before it, so its message counts lines from the byte at which it starts.
            assert!(ran.stderr.contains("in.csv: line "), "{}", ran.stderr);
            assert!(ran.stderr.contains(" from byte "), "{}", ran.stderr);
        }
    }
    let whole = fs::read_to_string(output).unwrap();
    assert_eq!(format!("id,puzzle,status,nodes\n{together}"), whole);
    let parts = ["out.shard-1-of-3.csv", "out.shard-2-of-3.csv", "out.shard-3-of-3.csv"];
    let records = parts.map(|part| format!("{part}.shard.json"));
    let mut all = vec!["in.csv", "out.csv"];
    all.extend(parts.iter().zip(&records).flat_map(|(part, record)| [*part, record.as_str()]));
    assert_eq!(names(folder.path()), all);
}

/// Names that are not valid text stay unchanged, and are refused if they would have to be stored as text.
#[cfg(target_os = "linux")]
#[test]
fn names_that_are_not_utf_8_are_kept() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;
    let folder = tempfile::tempdir().unwrap();
    let input = write_rows(folder.path(), 5000);
    let at = |name: &[u8]| folder.path().join(OsStr::from_bytes(name));
    let mut wholes = Vec::new();
    for (name, limit) in [(&b"a\xff"[..], "unique"), (b"a\xfe", "malformed")] {
        let [out, merged] = [&b".csv"[..], b"-merged.csv"].map(|end| at(&[name, end].concat()));
        let mut parts = Vec::new();
        for number in ["1", "2"] {
            let mut shard = command();
            shard
                .args([
                    "solve",
                    &input,
                    "-q",
                    "--solver",
                    "mrv",
                    "--only",
                    limit,
                    "--shard",
                    &format!("{number}/2"),
                    "-o",
                ])
                .arg(&out);
            let code = if number == "2" { 4 } else { 0 };
            Ran::of(shard.output().unwrap()).expect(code);
            parts.push(at(&[name, b".shard-", number.as_bytes(), b"-of-2.csv"].concat()));
        }
        assert!(
            parts.iter().all(|part| part.exists()),
            "{:?}",
            fs::read_dir(&folder).unwrap().collect::<Vec<_>>()
        );
        Ran::of(command().arg("merge").args(&parts).arg("-qo").arg(&merged).output().unwrap()).expect(4);
        wholes.push(fs::read_to_string(merged).unwrap().lines().count());
    }
    assert_eq!(wholes, [5000, 2]);
    let strange = at(b"in\xff.csv");
    fs::rename(&input, &strange).unwrap();
    for more in [&["--shard", "1/2", "-o", "out.csv"][..], &["--export-json", "out.json"]] {
        let ran = command().arg("solve").arg(&strange).args(more).current_dir(&folder).output().unwrap();
        let ran = Ran {
            stderr: String::from_utf8_lossy(&ran.stderr).into_owned(),
            code: ran.status.code().unwrap(),
            stdout: String::new(),
        };
        assert!(ran.expect(2).stderr.contains("is not UTF-8: rename the file"));
    }
    assert!(!folder.path().join("out.json").exists());
}

#[test]
fn an_existing_shard_is_kept_unless_it_is_run_again() {
    let folder = tempfile::tempdir().unwrap();
    let input = write_rows(folder.path(), 100);
    let output = folder.path().join("out.csv");
    let shard = [&input, "-o", output.to_str().unwrap(), "--shard", "1/2"];
    solve(&shard).expect(4);
    let part = folder.path().join("out.shard-1-of-2.csv");
    let before = fs::read(&part).unwrap();
    assert!(
        solve(&shard)
            .expect(1)
            .stderr
            .contains("out.shard-1-of-2.csv already exists; replace it with --force")
    );
    let whole = solve(&[&shard[..], &["--resume"]].concat()).expect(4);
    assert!(whole.stderr.contains("is complete; nothing was done"), "{}", whole.stderr);
    solve(&[&shard[..], &["--force"]].concat()).expect(4);
    assert_eq!(fs::read(&part).unwrap(), before);
    // A partial file of another shard is ignored, even if it was left by a killed run.
    fs::rename(&part, folder.path().join("out.shard-2-of-2.csv.partial")).unwrap();
    solve(&shard).expect(4);
}

/// The record next to a shard says which run made it.
#[test]
fn a_complete_shard_of_another_run_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let input = write_rows(folder.path(), 100);
    let output = folder.path().join("out.csv");
    let shard = ["-o", output.to_str().unwrap(), "--shard", "1/2", "--resume"];
    let run = |verb: &str, more: &[&str]| {
        Ran::of(command().args(verb.split(' ')).args(shard).args(more).output().unwrap())
    };
    let solve = format!("solve {input}");
    run(&solve, &[]).expect(4);
    let part = folder.path().join("out.shard-1-of-2.csv");
    let before = fs::read(&part).unwrap();
    let refused = |verb: &str, more: &[&str], words: &str| {
        let ran = run(verb, more).expect(1);
        assert!(ran.stderr.contains(words), "{verb} {more:?}: {}", ran.stderr);
        assert!(ran.stderr.ends_with("start again with --force\n"), "{}", ran.stderr);
        assert_eq!(fs::read(&part).unwrap(), before);
    };
    let of_other = |what: &str| format!("out.shard-1-of-2.csv is from a run with different {what}: it had ");
    refused(&solve, &["--columns", "status"], &of_other("--columns"));
    refused(&solve, &["--max-solutions", "1"], &of_other("--max-solutions or --budgets"));
    refused(&format!("check {input}"), &[], &of_other("--columns"));
    refused(&solve, &["--budgets", "1s"], &of_other("--budgets"));
    // A file with the same content counts as the same input, even if its modification time differs.
    let text = fs::read_to_string(&input).unwrap();
    fs::write(&input, &text).unwrap();
    let complete = run(&solve, &["--threads", "1"]).expect(4);
    assert!(complete.stderr.contains("is complete; nothing was done"), "{}", complete.stderr);
    fs::write(&input, text.replacen("id", "no", 1)).unwrap();
    refused(&solve, &[], &of_other("input 1"));
    fs::write(&input, format!("{text}1,more\n")).unwrap();
    refused(&solve, &[], &of_other("input 1"));
    fs::write(&input, &text).unwrap();
    fs::write(&part, &before[1..]).unwrap();
    assert!(run(&solve, &[]).expect(1).stderr.contains("it was truncated; start again with --force"));
    fs::write(&part, &before).unwrap();
    // Without a valid record, nothing shows which run made the output, and `merge` would refuse the output.
    let record = folder.path().join("out.shard-1-of-2.csv.shard.json");
    fs::write(&record, "{}").unwrap();
    refused(&solve, &[], "out.shard-1-of-2.csv.shard.json: it has no version");
    fs::remove_file(&record).unwrap();
    refused(&solve, &[], "cannot find out which run wrote ");
}

#[test]
fn a_complete_shard_with_fewer_puzzles_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("out.csv");
    let generate = |count: &str| {
        let words =
            ["generate", "--count", count, "-o", output.to_str().unwrap(), "--shard", "1/2", "--resume"];
        Ran::of(command().args(words).output().unwrap())
    };
    generate("40").expect(0);
    assert!(generate("40").expect(0).stderr.contains("is complete; nothing was done"));
    let refused = generate("80").expect(1);
    assert!(
        refused.stderr.contains("is from a run with different --count: it had 40, but this run has 80"),
        "{}",
        refused.stderr
    );
}

#[test]
fn impossible_shards_are_refused_before_the_work() {
    let folder = tempfile::tempdir().unwrap();
    let input = write_rows(folder.path(), 100);
    let output = folder.path().join("out.csv");
    let output = output.to_str().unwrap();
    for (arguments, words) in [
        (&[&input, "--shard", "1/2"][..], "--shard: a shard needs an output file"),
        (&[&input, "-o", "-", "--shard", "1/2"], "--shard: a shard needs an output file"),
        (&[&input, "-o", output, "--shard", "3/2"], "there is no shard 3 of 2"),
        (&[&input, "-o", output, "--shard", "two"], "such as 3/16"),
        (&[&input, "-o", output, "--shard", "auto"], "neither SLURM_ARRAY_TASK_ID"),
        (
            &[&input, "-o", output, "--shard", "1/2", "--limit", "3"],
            "cannot be combined with --skip or --limit",
        ),
        (
            &[&input, "-o", output, "--shard", "1/2", "--skip", "3"],
            "cannot be combined with --skip or --limit",
        ),
    ] {
        let refused = solve(arguments).expect(2);
        assert!(refused.stderr.contains(words), "{arguments:?}: {}", refused.stderr);
    }
    let piped = solve_input(b"", &["-", "-o", output, "--shard", "1/2"]).expect(1);
    assert!(piped.stderr.contains("standard input"), "{}", piped.stderr);
    assert_eq!(names(folder.path()), ["in.csv"]);
}

fn merge(arguments: &[&str]) -> Ran {
    Ran::of(command().arg("merge").args(arguments).output().unwrap())
}

#[test]
fn shards_of_other_inputs_are_not_merged() {
    let folder = tempfile::tempdir().unwrap();
    let input = write_rows(folder.path(), 20_000);
    let output = folder.path().join("out.csv");
    let output = output.to_str().unwrap();
    let parts = [1, 2].map(|number| folder.path().join(format!("out.shard-{number}-of-2.csv")));
    let [one, two] = parts.each_ref().map(|part| part.to_str().unwrap());
    for (number, other_digits) in [(1, false), (2, true), (2, false)] {
        let text = fs::read_to_string(&input).unwrap();
        if other_digits {
            // The changed input is as long as before, and is divided at the same places.
            let renamed = text.replace('1', "x").replace('2', "1").replace('x', "2");
            fs::write(&input, renamed).unwrap();
        }
        let shard = format!("{number}/2");
        solve(&[&input, "-o", output, "--shard", &shard, "--force", "-q"]).expect(if number == 2 {
            4
        } else {
            0
        });
        fs::write(&input, text).unwrap();
        match (number, other_digits) {
            (2, true) => {
                let refused = merge(&[one, two, "-o", output]).expect(1);
                let words = "its input 1 is another file, or was changed in between";
                assert!(refused.stderr.contains(words), "{}", refused.stderr);
                assert!(!Path::new(output).exists());
            }
            (2, false) => drop(merge(&[two, one, "-o", output, "-q"]).expect(4)),
            _ => {}
        }
    }
    let merged = fs::read(output).unwrap();
    solve(&[&input, "-o", output, "--force", "-q"]).expect(4);
    assert!(merged == fs::read(output).unwrap());
}

#[test]
fn line_numbers_unknown_to_shards_agree_with_the_whole_run() {
    let folder = tempfile::tempdir().unwrap();
    let input = write_rows(folder.path(), 20_000);
    let text = fs::read_to_string(&input).unwrap();
    // An overlong record of many lines.
    let overlong = format!("\"{}\",1\n", "word\n".repeat(14_000));
    let at = text.len() * 4 / 5;
    let at = at + text[at..].find('\n').unwrap() + 1;
    fs::write(&input, format!("{}{overlong}{}", &text[..at], &text[at..])).unwrap();
    let output = folder.path().join("out.txt");
    let output = output.to_str().unwrap();
    for number in ["1/2", "2/2"] {
        let ran = solve(&[&input, "-o", output, "--shard", number, "-q"]);
        assert!([0, 4].contains(&ran.code), "{}", ran.stderr);
    }
    let parts = [1, 2].map(|number| folder.path().join(format!("out.shard-{number}-of-2.txt")));
    let record = fs::read_to_string(format!("{}.shard.json", parts[1].display())).unwrap();
    assert!(record.contains("\"start_line\": null"), "{record}");
    merge(&[parts[0].to_str().unwrap(), parts[1].to_str().unwrap(), "-o", output, "-q"]).expect(4);
    let merged = fs::read_to_string(output).unwrap();
    assert!(merged.contains("# malformed: a row of 70004 bytes in 14001 lines is too long"));
    solve(&[&input, "-o", output, "--force", "-q"]).expect(4);
    assert!(merged == fs::read_to_string(output).unwrap());
}

#[cfg(unix)]
#[test]
fn a_record_that_is_a_pipe_does_not_block() {
    let folder = tempfile::tempdir().unwrap();
    let part = folder.path().join("out.shard-1-of-1.csv");
    fs::write(&part, "puzzle\n").unwrap();
    let pipe = format!("{}.shard.json", part.display());
    assert!(std::process::Command::new("mkfifo").arg(pipe).status().unwrap().success());
    let refused = merge(&[part.to_str().unwrap()]).expect(1);
    assert!(refused.stderr.contains("it is not a file; run that shard again"), "{}", refused.stderr);
    assert!(!refused.stderr.contains("missing"), "{}", refused.stderr);
}

#[test]
fn the_shard_of_a_job_array_comes_from_the_environment() {
    let folder = tempfile::tempdir().unwrap();
    let input = write_rows(folder.path(), 100);
    let run = |shard: &str, variables: &[(&str, &str)]| {
        let mut command = command();
        command.current_dir(folder.path()).args(["solve", &input, "-o", "out.jsonl", "--shard", shard]);
        let output = command.envs(variables.iter().copied()).output().unwrap();
        Ran::of(output)
    };
    let slurm = [
        ("SLURM_ARRAY_TASK_ID", "2"),
        ("SLURM_ARRAY_TASK_MIN", "1"),
        ("SLURM_ARRAY_TASK_MAX", "4"),
        ("SLURM_ARRAY_TASK_COUNT", "4"),
    ];
    run("auto", &slurm).expect(0);
    run("auto/4", &[("JOB_COMPLETION_INDEX", "3")]).expect(0);
    let names = names(folder.path());
    assert!(names.contains(&"out.shard-2-of-4.jsonl".to_owned()), "{names:?}");
    assert!(names.contains(&"out.shard-4-of-4.jsonl".to_owned()), "{names:?}");
}
