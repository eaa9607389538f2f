//! `--history` and `history` from end to end.

use std::path::Path;
use std::process::{Command, Output};

use super::gate::{BINARY, expect, folder};

fn run(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(BINARY);
    for variable in ["GITHUB_SHA", "CI_COMMIT_SHA"] {
        command.env_remove(variable);
    }
    // Prevents git from finding a repository around the folder of the test.
    command.env("GIT_CEILING_DIRECTORIES", folder.parent().unwrap());
    command.args(arguments).current_dir(folder).output().unwrap()
}

fn entries(folder: &Path) -> Vec<serde_json::Value> {
    let text = std::fs::read_to_string(folder.join("h.jsonl")).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

const BENCH: [&str; 14] = [
    "bench",
    "sample.csv",
    "--solvers",
    "mrv,bitslice",
    "--sample",
    "10",
    "--rounds",
    "2",
    "--min-time",
    "0s",
    "--history",
    "h.jsonl",
    "-q",
    "--simd=baseline",
];

fn git(folder: &Path, words: &[&str]) -> String {
    let identity = ["-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"];
    let output = Command::new("git").args(identity).args(words).current_dir(folder).output().unwrap();
    expect(&output, 0);
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

#[test]
fn runs_of_bench_and_gate_are_appended_and_shown() {
    let folder = folder();
    let path = folder.path();
    expect(&run(path, &BENCH), 0);
    let gate = ["gate", "sample.csv", "--solvers", "mrv", "--sample", "10", "--baseline", "b.txt", "-q"];
    expect(&run(path, &[&gate[..], &["--update-baseline"]].concat()), 0);
    expect(&run(path, &[&gate[..], &["--history", "h.jsonl"]].concat()), 0);
    let paired = ["--base", BINARY, "--leg", "1ms", "--min-trials", "6", "--limits", "time=100000%"];
    expect(&run(path, &[&gate[..], &paired, &["--history", "h.jsonl"]].concat()), 0);
    let entries = entries(path);
    assert_eq!(entries.len(), 3);
    for entry in &entries {
        assert_eq!((&entry["schema_version"], &entry["kind"]), (&1.into(), &"history".into()));
        assert!(entry.get("commit").is_none(), "no repository");
    }
    let mrv = &entries[0]["pairs"][0];
    assert_eq!((&mrv["solver"], &mrv["puzzles"], mrv.get("simd")), (&"mrv".into(), &10.into(), None));
    assert_eq!(mrv["time_ns"]["rounds"], 2);
    assert!(mrv["nodes"].as_u64().unwrap() > 0);
    assert_eq!(entries[0]["pairs"][1]["simd"], "baseline");
    assert_eq!(entries[2]["pairs"][0]["ratio"]["trials"], 6);
    assert_eq!(entries[2]["pairs"][0]["ratio"]["limit_percent"], 100_000.0);

    let shown = expect(&run(path, &["history", "h.jsonl", "--export-html", "h.html"]), 0);
    assert!(shown.starts_with("3 runs, ") && shown.contains("No count of any pair changed."), "{shown}");
    let page = std::fs::read_to_string(path.join("h.html")).unwrap();
    assert!(page.contains("<title>sudobench history</title>") && page.contains("mrv on sample.csv: nodes"));
    let one = expect(&run(path, &["history", "h.jsonl", "--solvers", "bitslice"]), 0);
    assert!(!one.contains("mrv"), "{one}");
    let unknown = expect(&run(path, &["history", "h.jsonl", "--solvers", "nobody"]), 2);
    assert!(unknown.contains("no run has a solver `nobody`; choose from: mrv, bitslice"), "{unknown}");
}

#[test]
fn runs_within_one_second_are_all_kept() {
    let folder = folder();
    let path = folder.path();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| expect(&run(path, &BENCH), 0));
        }
    });
    let starts: std::collections::HashSet<String> =
        entries(path).iter().map(|entry| entry["started"].to_string()).collect();
    assert_eq!(starts.len(), 4, "{starts:?}");
    assert!(expect(&run(path, &["history", "h.jsonl"]), 0).starts_with("4 runs, "));
    // Equal lines, such as those after a merge of two Git branches, count only once.
    let text = std::fs::read_to_string(path.join("h.jsonl")).unwrap();
    std::fs::write(path.join("h.jsonl"), text.repeat(2)).unwrap();
    assert!(expect(&run(path, &["history", "h.jsonl"]), 0).starts_with("4 runs, "));
}

#[test]
fn a_run_without_a_commit_is_explained_and_a_commit_can_be_typed() {
    let folder = folder();
    let path = folder.path();
    let bench = |more: &[&str], tools: Option<&str>| {
        let mut command = Command::new(BINARY);
        command
            .args(BENCH)
            .args(more)
            .current_dir(path)
            .env("GIT_CEILING_DIRECTORIES", path.parent().unwrap());
        command.env_remove("GITHUB_SHA").env_remove("CI_COMMIT_SHA").envs(tools.map(|tools| ("PATH", tools)));
        let output = command.output().unwrap();
        expect(&output, 0);
        String::from_utf8(output.stderr).unwrap()
    };
    let warning = "the new line in h.jsonl has no commit (";
    let without = bench(&[], None);
    assert!(without.contains(warning) && without.contains("not a git repository"), "{without}");
    assert!(without.contains("set it with --commit ID"), "{without}");
    let no_git = bench(&[], Some("/nonexistent"));
    assert!(no_git.contains(warning) && no_git.contains("cannot start `git`"), "{no_git}");
    assert!(!bench(&["--commit", "r1234:ab"], None).contains(warning));
    git(path, &["init", "-q", "--bare", "."]);
    let bare = bench(&[], None);
    assert!(bare.contains(warning) && bare.contains("git: fatal: "), "{bare}");
    let entries = entries(path);
    let commits: Vec<Option<&str>> = entries.iter().map(|entry| entry["commit"].as_str()).collect();
    assert_eq!(commits, [None, None, Some("r1234:ab"), None]);
    let words = expect(&run(path, &[&BENCH[..], &["--commit", "two words"]].concat()), 2);
    assert!(words.contains("write one word"), "{words}");
}

#[test]
fn a_run_knows_its_commit() {
    let folder = folder();
    let path = folder.path();
    git(path, &["init", "-q"]);
    git(path, &["add", "sample.csv"]);
    git(path, &["commit", "-qm", "first: a `line`\n\nmore"]);
    let hash = git(path, &["rev-parse", "HEAD"]);
    expect(&run(path, &BENCH), 0);
    let changed = std::fs::read_to_string(path.join("sample.csv")).unwrap() + "\n";
    std::fs::write(path.join("sample.csv"), changed).unwrap();
    expect(&run(path, &BENCH), 0);
    let named =
        Command::new(BINARY).args(BENCH).env("GITHUB_SHA", "ab".repeat(20)).current_dir(path).output();
    expect(&named.unwrap(), 0);
    let forged =
        Command::new(BINARY).args(BENCH).env("GITHUB_SHA", "--output=/dev/full").current_dir(path).output();
    expect(&forged.unwrap(), 0);
    let entries = entries(path);
    let commits: Vec<&str> = entries.iter().map(|entry| entry["commit"].as_str().unwrap()).collect();
    let dirty = format!("{hash}-dirty");
    assert_eq!(commits, [&hash, &dirty, &"ab".repeat(20), &dirty]);
    assert_eq!(entries[0]["subject"], "first: a `line`");
    assert_eq!((entries[1]["subject"].as_str(), entries[2].get("subject")), (Some("first: a `line`"), None));
}

#[test]
fn the_commit_that_changed_the_counters_is_named() {
    let folder = folder();
    let path = folder.path();
    expect(&run(path, &BENCH), 0);
    let mut entry = entries(path).remove(0);
    let nodes = entry["pairs"][0]["nodes"].as_u64().unwrap();
    entry["started"] = "2999-01-01T00:00:00Z".into();
    entry["commit"] = "0123456789abcdef0123".into();
    entry["subject"] = "search more".into();
    entry["pairs"][0]["nodes"] = (nodes + 1).into();
    // Adds an incomplete line, and a line that does not describe a run. `history` must skip both lines.
    let text = std::fs::read_to_string(path.join("h.jsonl")).unwrap();
    std::fs::write(path.join("h.jsonl"), format!("{text}{}\n[1]\n{}", &text[..99], entry)).unwrap();
    expect(&run(path, &BENCH), 0);
    let shown = expect(&run(path, &["history", "h.jsonl"]), 0);
    let row = shown.lines().find(|line| line.contains("0123456789 ")).unwrap();
    assert!(row.contains("search more") && row.contains(&format!("{nodes} -> {}", nodes + 1)), "{row}");
    assert!(shown.contains("lines 2, 3."), "{shown}");
    assert_eq!(shown.matches(" -> ").count(), 1, "{shown}");
}

#[test]
fn invalid_histories_are_reported_before_the_work() {
    let folder = folder();
    let path = folder.path();
    std::fs::write(path.join("r.json"), "{}").unwrap();
    let newer = "{\"schema_version\":9,\"kind\":\"history\"}\n";
    std::fs::write(path.join("newer"), newer.replace('9', "1") + newer).unwrap();
    let bench =
        |words: &[&str]| run(path, &[&["bench", "sample.csv", "--solvers", "mrv", "-q"][..], words].concat());
    for (words, code, remedy) in [
        (&["--history", "sample.csv"][..], 2, "is the same file as"),
        (&["--history", "h.jsonl", "--export-json", "./h.jsonl"], 2, "is the same file as"),
        (&["--history", "-"], 2, "a history must be a file"),
        (&["--history", "."], 2, "a history must be a file"),
        (&["--history", "r.json"], 1, "is not a file that `--history` wrote"),
        (&["--history", "newer"], 1, "line 2 of newer has schema_version 9"),
        (&["--history", "nowhere/h.jsonl"], 1, "cannot append to the history nowhere/h.jsonl"),
    ] {
        let shown = expect(&bench(words), code);
        assert!(shown.contains(remedy), "{words:?}: {shown}");
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("gone.jsonl", path.join("link")).unwrap();
        let shown = expect(&bench(&["--history", "link"]), 1);
        assert!(shown.contains("it is a link to gone.jsonl, which does not exist"), "{shown}");
    }
    assert_eq!(std::fs::read_to_string(path.join("r.json")).unwrap(), "{}");
    let gate = run(path, &["gate", "sample.csv", "--baseline", "b", "--update-baseline", "--history", "h"]);
    expect(&gate, 2);
    let budgets = run(path, &["gate", "sample.csv", "--limits", "max=1s", "--history", "h.jsonl"]);
    assert!(expect(&budgets, 2).contains("--history stores counters and ratios, but this run has none"));
    assert!(!path.join("h.jsonl").exists(), "a failed run creates no file");
    for (name, text, words) in [
        ("a", "puzzle\n", "a is not a history"),
        ("b", "", "b is not a history"),
        ("c", "{\"schema_version\":9,\"kind\":\"history\"}\n", "line 1 of c has schema_version 9"),
    ] {
        std::fs::write(path.join(name), text).unwrap();
        let shown = expect(&run(path, &["history", name]), 1);
        assert!(shown.contains(words), "{shown}");
    }
    assert!(expect(&run(path, &["history", "none"]), 1).contains("cannot read the history none"));
}

#[test]
fn failed_runs_are_appended_and_interrupted_ones_are_not() {
    let folder = folder();
    let path = folder.path();
    let gate = ["gate", "sample.csv", "--solvers", "mrv", "--baseline", "b.txt", "-q"];
    expect(&run(path, &[&gate[..], &["--update-baseline"]].concat()), 0);
    expect(&run(path, &[&gate[..], &["--limits", "max=1ns", "--history", "h.jsonl"]].concat()), 3);
    assert_eq!(entries(path).len(), 1);
    let none = ["--exclude", ".", "--engine", "mine=false"];
    let broken = [&["bench", "sample.csv", "-q", "--history", "h.jsonl"][..], &none].concat();
    let shown = expect(&run(path, &broken), 4);
    assert!(shown.contains("nothing was appended to h.jsonl: nothing was counted or timed"), "{shown}");
    assert_eq!(entries(path).len(), 1);
    #[cfg(unix)]
    {
        // The engine hangs after some rounds, until the run is interrupted.
        let script = format!(
            "echo . >>starts; [ $(wc -l <starts) -lt 10 ] || {{ touch waits; exec sleep 600; }}; \
             exec {BINARY} solve - --output-format lines --threads 1 -q"
        );
        let engine = format!("e=sh -c '{script}'");
        let long = ["bench", "sample.csv", "--solvers", "mrv", "--engine", &engine, "--rounds", "20"];
        let mut running = Command::new(BINARY)
            .args(long)
            .args(["--min-time", "0s", "--max-time-per-pair", "1h", "--history", "h.jsonl", "-q"])
            .current_dir(path)
            .stdout(std::process::Stdio::null())
            .spawn()
            .unwrap();
        while !path.join("waits").exists() {
            assert!(running.try_wait().unwrap().is_none(), "the run ended before the engine waited");
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
        let pid = running.id().to_string();
        assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
        assert_eq!(running.wait().unwrap().code(), Some(130));
        assert_eq!(entries(path).len(), 1);
    }
}

#[test]
#[cfg(unix)]
fn a_full_disk_leaves_complete_lines() {
    let folder = folder();
    let path = folder.path();
    // The limit on the file size permits several lines and a part of the next line.
    let limited = |arguments: &str| {
        let script = format!("ulimit -f 8; exec '{BINARY}' {arguments} >/dev/null");
        Command::new("sh").args(["-c", &script]).current_dir(path).output().unwrap()
    };
    let bench = BENCH.join(" ");
    let first_without_room =
        (1..30).map(|_| limited(&bench)).find(|output| !output.status.success()).unwrap();
    let shown = expect(&first_without_room, 1);
    assert!(shown.contains("cannot append to the history h.jsonl"), "{shown}");
    let before = entries(path).len();
    assert!(before > 1 && std::fs::read_to_string(path.join("h.jsonl")).unwrap().ends_with('\n'));
    expect(&run(path, &BENCH), 0);
    assert_eq!(entries(path).len(), before + 1);
}

/// Runs docs/ci/bisect-step over commits of an engine. For two of the commits, there is no verdict, because the engine does not work.
#[test]
#[cfg(unix)]
fn git_bisect_finds_a_commit_by_the_script_of_the_docs() {
    use super::bench::{SOLUTION, folder};
    let script = include_str!("../../docs/ci/bisect-step").replace("make solve", "sh -n solve.sh");
    let script =
        script.replace("mine=./solve", "'mine=sh solve.sh'").replace("sudobench gate", "\"$SUDOBENCH\" gate");
    let (outside, repository) = (folder(), tempfile::tempdir().unwrap());
    let path = repository.path();
    std::fs::write(outside.path().join("bisect-step"), script).unwrap();
    let counting = |nodes: u64| format!("while read line; do echo {SOLUTION} nodes={nodes}; done");
    let wrong = format!("while read line; do echo {}; done", SOLUTION.replace('1', "2"));
    let engines = [51, 51, 0, 51, 51, 51, 52, 52, 52].map(counting);
    git(path, &["init", "-q"]);
    for (at, engine) in engines.iter().enumerate() {
        let engine = match at {
            2 => "if",
            4 => &wrong,
            _ => engine,
        };
        std::fs::write(path.join("solve.sh"), engine).unwrap();
        git(path, &["add", "solve.sh"]);
        git(path, &["commit", "--allow-empty", "-qm", &format!("change {at}")]);
    }
    git(path, &["checkout", "-q", "HEAD~8"]);
    let (puzzles, baseline) = (outside.path().join("puzzles.txt"), outside.path().join("baseline.txt"));
    let [puzzles, baseline] = [&puzzles, &baseline].map(|path| path.to_str().unwrap());
    let words =
        ["gate", puzzles, "--engine", "mine=sh solve.sh", "--baseline", baseline, "--update-baseline"];
    expect(&run(path, &words), 0);
    git(path, &["bisect", "start", "HEAD@{1}", "HEAD"]);
    let step = outside.path().join("bisect-step");
    let mut bisect = Command::new("git");
    bisect.args(["bisect", "run", "sh", step.to_str().unwrap()]).current_dir(path);
    bisect.envs([("PUZZLES", puzzles), ("BASELINE", baseline), ("SUDOBENCH", BINARY), ("LC_ALL", "C")]);
    let shown = expect(&bisect.output().unwrap(), 0);
    assert!(shown.contains(" is the first bad commit") && shown.contains("change 6"), "{shown}");
}
