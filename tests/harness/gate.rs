//! `gate` from end to end: baselines, paired binaries, budgets, reports, exit codes. No test requires a certain speed.

use std::path::Path;
use std::process::{Command, Output};

use super::kept::keep_record;

pub(super) const BINARY: &str = env!("CARGO_BIN_EXE_sudobench");

fn gate(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(BINARY).arg("gate").args(arguments).arg("-q").current_dir(folder).output().unwrap()
}

/// Makes a folder with a copy of datasets/sample.csv.
pub(super) fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("datasets/sample.csv");
    std::fs::copy(sample, folder.path().join("sample.csv")).unwrap();
    folder
}

/// Writes an executable script. A shell writes the file instead of this process: a program that another test starts at the same time has,
/// for a moment, copies of the file descriptors of this process, and a file that any process has open for writing can't be executed.
#[cfg(unix)]
pub(super) fn write_program(path: &Path, script: &str) {
    use std::io::Write as _;
    let mut shell = Command::new("sh");
    shell.args(["-c", "cat >\"$0\" && chmod +x \"$0\""]).arg(path).stdin(std::process::Stdio::piped());
    let mut shell = shell.spawn().unwrap();
    shell.stdin.take().unwrap().write_all(script.as_bytes()).unwrap();
    assert!(shell.wait().unwrap().success());
}

#[track_caller]
pub(super) fn expect(output: &Output, code: i32) -> String {
    let shown = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    assert_eq!(output.status.code(), Some(code), "{}", shown.join("\n"));
    shown.join("\n")
}

#[test]
fn a_baseline_passes_until_a_search_grows() {
    let folder = folder();
    let exact = ["sample.csv", "--solvers", "mrv,dlx", "--sample", "20", "--baseline", "baseline.txt"];
    expect(&gate(folder.path(), &[&exact[..], &["--update-baseline"]].concat()), 0);
    let path = folder.path().join("baseline.txt");
    let baseline = std::fs::read_to_string(&path).unwrap();
    assert!(expect(&gate(folder.path(), &exact), 0).contains("pass: 2 pass"));

    let first = baseline.lines().nth(3).unwrap().split(' ').next().unwrap();
    let (nodes, _) = first.split(':').nth(1).unwrap().split_once('/').unwrap();
    let fewer = first.replace(&format!(":{nodes}/"), &format!(":{}/", nodes.parse::<u64>().unwrap() - 1));
    std::fs::write(&path, baseline.replacen(first, &fewer, 1)).unwrap();
    let reports =
        ["--export-json", "gate.json", "--export-junit", "gate.xml", "--export-markdown", "gate.md"];
    let shown = expect(&gate(folder.path(), &[&exact[..], &reports].concat()), 3);
    assert!(shown.contains("more nodes on 1 puzzle: "), "{shown}");
    for report in ["gate.json", "gate.xml", "gate.md"] {
        let text = std::fs::read_to_string(folder.path().join(report)).unwrap();
        assert!(text.contains("more nodes on 1 puzzle: "), "{report} is written before the failure");
    }
    let record = std::fs::read(folder.path().join("gate.json")).unwrap();
    keep_record("gate", &serde_json::from_slice(&record).unwrap());
    expect(&gate(folder.path(), &[&exact[..], &["--limits", "nodes=1000%"]].concat()), 0);
    std::fs::write(&path, "not a baseline").unwrap();
    assert!(expect(&gate(folder.path(), &exact), 1).contains("baseline.txt: line 1 of the baseline"));
}

#[test]
fn unmeasured_pairs_of_the_baseline_do_not_pass() {
    let folder = folder();
    let baseline = ["--baseline", "baseline.txt"];
    let made = ["sample.csv", "--sample", "5", "--solvers", "mrv,dlx", "--update-baseline"];
    expect(&gate(folder.path(), &[&baseline[..], &made].concat()), 0);
    let gated = |words: &[&str], code| expect(&gate(folder.path(), &[&baseline[..], words].concat()), code);
    assert!(gated(&["sample.csv", "--solvers", "mrv,dlx"], 0).contains("pass: 2 pass"));
    // An option leaves out a solver of the baseline. This is reported before anything is measured.
    for choice in [["--solvers", "mrv"], ["--include", "^mrv"], ["--exclude", "dlx"]] {
        let shown = gated(&[&["sample.csv"], &choice[..]].concat(), 2);
        assert!(shown.contains("has the solver dlx, which this run leaves out"), "{choice:?}: {shown}");
    }
    let shown = gated(&["sample.csv", "--solvers", "mrv", "--allow-missing"], 0);
    assert!(shown.contains("pass: 1 pass, 1 missing"), "{shown}");

    // The gate refuses a dataset that has another name in the baseline, and a dataset whose rows differ from those in the baseline.
    let other = folder.path().join("other.csv");
    std::fs::copy(folder.path().join("sample.csv"), &other).unwrap();
    let shown = gated(&["other.csv", "--solvers", "mrv,dlx"], 4);
    assert!(shown.contains("has the same file as sample.csv: use that name"), "{shown}");
    let text = std::fs::read_to_string(&other).unwrap();
    std::fs::write(folder.path().join("sample.csv"), text.lines().take(30).collect::<Vec<_>>().join("\n"))
        .unwrap();
    let shown = gated(&["sample.csv", "--solvers", "mrv,dlx"], 4);
    assert!(shown.contains("the dataset is not the same as in the baseline: restore it"), "{shown}");

    // A limit that no check uses, and files without a puzzle, are reported.
    std::fs::copy(&other, folder.path().join("sample.csv")).unwrap();
    let shown = gated(&["sample.csv", "--solvers", "mrv,dlx", "--limits", "time=5%"], 4);
    assert!(shown.contains("there is no measurement for the limit time=5%"), "{shown}");
    std::fs::write(folder.path().join("empty.csv"), "puzzle,solution\n").unwrap();
    std::fs::write(folder.path().join("nothing.csv"), "").unwrap();
    let shown = gated(&["empty.csv", "nothing.csv", "sample.csv", "--solvers", "mrv,dlx"], 4);
    assert!(shown.contains("this dataset has no puzzle") && shown.contains("2 pass, 2 missing"), "{shown}");

    let path = folder.path().join("baseline.txt");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replace("baseline 2", "baseline 9")).unwrap();
    let shown = gated(&["sample.csv", "--solvers", "mrv,dlx"], 1);
    assert!(
        shown.contains("baseline.txt: the baseline has format 9, but this program reads formats up to 2"),
        "{shown}"
    );
}

#[test]
fn a_check_at_another_vector_level_is_reported() {
    let folder = folder();
    let exact = ["sample.csv", "--solvers", "auto,mrv", "--baseline", "baseline.txt"];
    expect(&gate(folder.path(), &[&exact[..], &["--simd", "baseline", "--update-baseline"]].concat()), 0);
    let text = std::fs::read_to_string(folder.path().join("baseline.txt")).unwrap();
    assert_eq!(
        text.matches(" simd=baseline ").count(),
        1,
        "only the counts of auto depend on the SIMD level: {text}"
    );
    expect(&gate(folder.path(), &[&exact[..], &["--simd", "baseline"]].concat()), 0);
    // Changes the level in the baseline, as if the baseline had been made on another machine.
    std::fs::write(folder.path().join("baseline.txt"), text.replace("simd=baseline", "simd=other")).unwrap();
    let shown = expect(&gate(folder.path(), &[&exact[..], &["--simd", "baseline"]].concat()), 4);
    assert!(shown.contains("counted at SIMD level other, but now at baseline"), "{shown}");
    assert!(shown.contains("1 pass, 1 missing"), "{shown}");
}

#[test]
fn an_update_merges_and_reports_changes() {
    let folder = folder();
    let update = |words: &[&str]| {
        let typed = ["gate", "sample.csv", "--baseline", "baseline.txt", "--update-baseline"];
        let output =
            Command::new(BINARY).args(typed).args(words).current_dir(folder.path()).output().unwrap();
        expect(&output, 0)
    };
    assert!(update(&["--solvers", "mrv,dlx", "--sample", "5"]).contains("adds dlx on sample.csv"));
    let shown = update(&["--solvers", "mrv,bitboard"]);
    for line in
        ["keeps mrv on sample.csv: as before", "adds bitboard on", "keeps dlx on sample.csv: not counted now"]
    {
        assert!(shown.contains(line), "{shown}");
    }
    let path = folder.path().join("baseline.txt");
    let pairs = || std::fs::read_to_string(&path).unwrap().matches("\npair ").count();
    assert_eq!(pairs(), 3);
    assert!(
        std::fs::read_to_string(&path).unwrap().contains(" sample=5\n"),
        "an update keeps the sample of the baseline"
    );
    assert!(update(&["--solvers", "mrv", "--prune"]).contains("drops dlx on sample.csv: not counted now"));
    assert_eq!(pairs(), 1);
}

#[test]
fn updates_at_the_same_time_lose_nothing() {
    let folder = folder();
    let solvers = ["mrv", "dlx", "bitboard", "bitslice"];
    let update = |solver| {
        let words = [
            "gate",
            "sample.csv",
            "--sample",
            "5",
            "--baseline",
            "b.txt",
            "--update-baseline",
            "-q",
            "--solvers",
        ];
        Command::new(BINARY).args(words).arg(solver).current_dir(folder.path()).spawn().unwrap()
    };
    let running: Vec<_> = solvers.map(update).into();
    running.into_iter().for_each(|mut child| assert!(child.wait().unwrap().success()));
    let text = std::fs::read_to_string(folder.path().join("b.txt")).unwrap();
    assert_eq!(text.matches("\npair ").count(), solvers.len(), "{text}");
}

/// Returns the command of an external solver that looks up its answers in a table. After each answer, it prints the value of the awk
/// expression `words`, in which `n` is the number of the puzzle in the input.
#[cfg(unix)]
fn engine(folder: &Path, name: &str, words: &str) -> String {
    let rows = std::fs::read_to_string(folder.join("sample.csv")).unwrap();
    let fields = rows.lines().skip(1).map(|row| row.split(',').collect::<Vec<_>>());
    let table: String = fields.map(|fields| format!("{} {}\n", fields[1], fields[2])).collect();
    std::fs::write(folder.join("table.txt"), table).unwrap();
    let script =
        format!("awk 'NR==FNR {{ a[$1] = $2; next }} {{ n = FNR; print a[$1] {words} }}' table.txt -");
    std::fs::write(folder.join(name), script).unwrap();
    format!("sh {name}")
}

#[test]
#[cfg(unix)]
fn counts_that_an_engine_prints_are_checked_exactly() {
    let folder = folder();
    let before = engine(folder.path(), "before", r#"" nodes=" n + 1 " guesses=" 2"#);
    let after = engine(folder.path(), "after", r#"" nodes=" (n == 7 ? 9 : n + 1) " guesses=" 2"#);
    let silent = engine(folder.path(), "silent", "");
    let fickle = "sh -c 'date +%N >> times; awk -v t=$(wc -l < times) \"$(cat fickle)\" table.txt -'";
    std::fs::write(
        folder.path().join("fickle"),
        r#"NR==FNR { a[$1] = $2; next } { print a[$1] " nodes=" t }"#,
    )
    .unwrap();
    let wrong = engine(folder.path(), "wrong", "1");
    let typed =
        |base: &str, head: &str| [format!("--base-engine=mine={base}"), format!("--engine=mine={head}")];
    let few = ["sample.csv", "--min-trials", "6", "--max-trials", "6", "--leg", "1ms"];
    let gated = |base: &str, head: &str, limits: &str, code| {
        let typed = typed(base, head);
        let words = [&few[..], &[&typed[0], &typed[1], "--limits", limits]].concat();
        expect(&gate(folder.path(), &words), code)
    };
    let equal = gated(&before, &before, "nodes=0%,time=100000%", 0);
    assert!(equal.contains("nodes, as before; 120 guesses, as before"), "{equal}");
    assert!(equal.contains("start-up "), "{equal}");
    let more = gated(&before, &after, "nodes=0%,time=100000%", 3);
    assert!(more.contains("more nodes on 1 puzzle: "), "{more}");
    let untold = gated(&before, &silent, "nodes=0%,time=100000%", 4);
    assert!(
        untold.contains("against the old build: the old build had nodes, but now no nodes are printed"),
        "{untold}"
    );
    let answers = gated(&silent, &silent, "time=100000%", 0);
    assert!(answers.contains("the same answers"), "{answers}");
    let none = gated(&silent, &silent, "nodes=0%,time=100000%", 4);
    assert!(none.contains("print nodes=N after each solution"), "{none}");
    let faulty = gated(&before, &wrong, "time=100000%", 4);
    assert!(faulty.contains("new build: "), "{faulty}");
    let differs = gated(&before, fickle, "time=100000%", 4);
    assert!(differs.contains("its nodes differ from run to run (puzzle "), "{differs}");

    // Invalid counts are an error, and so are counts that are printed for some puzzles only.
    let broken = engine(folder.path(), "broken", r#"" nodes=-" n"#);
    assert!(gated(&broken, &before, "", 4).contains(" it printed `nodes=-"));
    let some = engine(folder.path(), "some", r#"(n == 3 ? "" : " nodes=1")"#);
    assert!(
        gated(&before, &some, "time=100000%", 4).contains("but it does for others: print them after every")
    );

    // The counts are compared with a baseline file.
    let update = ["gate", "sample.csv", "--baseline", "silent.txt", "--update-baseline"];
    let update = Command::new(BINARY)
        .args(update)
        .arg(format!("--engine=mine={silent}"))
        .current_dir(folder.path())
        .output();
    assert!(
        expect(&update.unwrap(), 0).contains("prints no nodes and no guesses: only its answers are checked")
    );
    let exact = ["sample.csv", "--engine", &format!("mine={before}"), "--baseline", "baseline.txt"];
    expect(&gate(folder.path(), &[&exact[..], &["--update-baseline"]].concat()), 0);
    expect(&gate(folder.path(), &[&exact[..], &["--limits", "nodes=0%,guesses=0%"]].concat()), 0);
    let after = ["sample.csv", "--engine", &format!("mine={after}"), "--baseline", "baseline.txt"];
    assert!(expect(&gate(folder.path(), &after), 3).contains("more nodes on 1 puzzle: "));
}

/// A gate starts programs for exact counts, trials, budgets and the history. Each program has a mark in its environment, and all marks must
/// begin with the mark of the same supervisor.
#[test]
#[cfg(unix)]
fn one_supervisor_ends_all_programs_of_a_gate() {
    let folder = folder();
    let in_folder = |name: &str| folder.path().join(name);
    let engine = engine(folder.path(), "solve", "");
    let note = |name: &str| format!("echo \"{name} $SUDOBENCH_CHILD\" >> marks\n");
    let solve = std::fs::read_to_string(in_folder("solve")).unwrap();
    std::fs::write(in_folder("solve"), note("engine") + &solve).unwrap();
    write_program(&in_folder("git"), &format!("#!/bin/sh\n{}", note("git")));
    let path = format!("{}:{}", folder.path().display(), std::env::var("PATH").unwrap());
    let output = Command::new(BINARY)
        .args([
            "gate",
            "sample.csv",
            "--sample",
            "3",
            "--min-trials",
            "6",
            "--max-trials",
            "6",
            "--leg",
            "1ns",
            "-q",
        ])
        .args(["--limits", "time=100000%,startup=100000%", "--history", "history.jsonl"])
        .args(["--engine", &format!("mine={engine}"), "--base-engine", &format!("mine={engine}")])
        .env("PATH", path)
        .current_dir(folder.path())
        .output();
    expect(&output.unwrap(), 0);
    let marks = std::fs::read_to_string(in_folder("marks")).unwrap();
    let supervisors: std::collections::BTreeSet<&str> =
        marks.lines().filter_map(|line| line.split_once(' ')?.1.split_once('.')).map(|(it, _)| it).collect();
    assert_eq!(supervisors.len(), 1, "{marks}");
    assert!(["engine ", "git "].iter().all(|name| marks.contains(name)), "{marks}");
}

/// If the base does not work, there is nothing to compare, but the head is still checked.
#[test]
#[cfg(unix)]
fn a_base_that_does_not_start_or_is_wrong_is_missing_and_the_head_is_checked_alone() {
    let folder = folder();
    let right = engine(folder.path(), "right", "");
    let wrong = engine(folder.path(), "wrong", "1");
    let gated = |base: &str, head: &str, more: &[&str], code| {
        let typed = [format!("--base-engine=mine={base}"), format!("--engine=mine={head}")];
        let few = ["sample.csv", "--min-trials", "6", "--max-trials", "6", "--leg", "1ms", "--limits"];
        let words = [&few[..], &["time=100000%", &typed[0], &typed[1]], more].concat();
        expect(&gate(folder.path(), &words), code)
    };
    for (base, reason) in [
        ("./no-such-solver", "old build: cannot start `./no-such-solver`"),
        (&wrong, "old build: wrong answer"),
    ] {
        for (more, code) in [(&[][..], 4), (&["--allow-missing=base"], 0), (&["--allow-missing"], 0)] {
            let shown = gated(base, &right, more, code);
            assert_eq!(shown.matches(reason).count(), 2, "counts and times: {shown}");
            assert!(shown.contains("only the new build: it answers 60 puzzles correctly"), "{shown}");
        }
        let shown = gated(base, &wrong, &["--allow-missing"], 4);
        assert!(shown.contains("broken") && !shown.contains("alone"), "{shown}");
    }
    // `--allow-missing=base` does not let other missing checks pass.
    let nodes = ["--limits", "nodes=0%,time=100000%"];
    let typed = [format!("--base-engine=mine={right}"), format!("--engine=mine={right}")];
    let few =
        ["sample.csv", "--max-trials", "6", "--min-trials", "6", "--leg", "1ms", "--allow-missing=base"];
    let shown = expect(&gate(folder.path(), &[&few[..], &nodes, &[&typed[0], &typed[1]]].concat()), 4);
    assert!(shown.contains("print nodes=N after each solution"), "{shown}");
    // The kind of gate, the solver, the dataset and the subject together identify a check.
    let exact = ["sample.csv", &typed[1], "--baseline", "b.txt"];
    expect(&gate(folder.path(), &[&exact[..], &["--update-baseline"]].concat()), 0);
    let few = [
        "--max-trials",
        "6",
        "--min-trials",
        "6",
        "--leg",
        "1ms",
        "--limits",
        "time=100000%,startup=100000%",
    ];
    let reports = ["--export-junit", "g.xml", "--export-json", "g.json"];
    expect(&gate(folder.path(), &[&exact[..], &[&typed[0]], &few, &reports].concat()), 0);
    let junit = std::fs::read_to_string(folder.path().join("g.xml")).unwrap();
    let json = std::fs::read_to_string(folder.path().join("g.json")).unwrap();
    for subject in ["baseline", "base", "time", "startup"] {
        assert_eq!(junit.matches(&format!("name=\"mine ({subject})\"")).count(), 1, "{junit}");
        assert_eq!(json.matches(&format!("\"subject\": \"{subject}\"")).count(), 1, "{json}");
    }
    assert!(json.contains("\"timed\": {\n        \"timed\": 60,\n        \"of\": 60"), "{json}");
}

#[test]
#[cfg(target_os = "linux")]
fn memory_and_start_up_of_an_engine_can_be_limited() {
    let folder = folder();
    let program = engine(folder.path(), "program", "");
    let base = format!("--base-engine=mine={program}");
    let few = ["sample.csv", "--min-trials", "6", "--max-trials", "6", "--leg", "1ms", &base];
    let gated = |head: &str, limits: &str, code| {
        let head = format!("--engine=mine={head}");
        expect(&gate(folder.path(), &[&few[..], &[&head, "--limits", limits]].concat()), code)
    };
    let shown = gated(&program, "time=100000%,startup=100000%", 0);
    assert!(shown.contains("start-up +") || shown.contains("start-up -"), "{shown}");
    // Only some machines have counters of instructions.
    let limited = gate(
        folder.path(),
        &[&few[..], &[&format!("--engine=mine={program}"), "--limits", "time=100000%,instructions=100000%"]]
            .concat(),
    );
    match limited.status.code() {
        Some(0) => assert!(expect(&limited, 0).contains(" instructions "), "{limited:?}"),
        _ => assert!(expect(&limited, 4).contains("the kernel counts no instructions here"), "{limited:?}"),
    }
    let shown = gated(&program, "time=100000%,memory=10%", 4);
    assert!(shown.contains("its peak memory is unknown, because it is below"), "{shown}");
    // The engine uses more memory than sudobench itself, so that its peak memory is known.
    let large = "awk 'BEGIN { s = \"0123456789abcdef\"; while (length(s) < 20000000) s = s s } NR==FNR { a[$1] = $2; next } \
                 { print a[$1] }' table.txt -";
    std::fs::write(folder.path().join("large"), large).unwrap();
    let base = "--base-engine=mine=sh large";
    let words = [
        "sample.csv",
        "--min-trials",
        "6",
        "--max-trials",
        "6",
        "--leg",
        "1ms",
        base,
        "--engine=mine=sh large",
    ];
    let shown =
        expect(&gate(folder.path(), &[&words[..], &["--limits", "time=100000%,memory=100%"]].concat()), 0);
    assert!(shown.contains("peak memory "), "{shown}");
}

/// To measure its start-up, an engine is started with an empty input. For sudobench, this must not be an error.
#[test]
#[cfg(target_os = "linux")]
fn sudobench_itself_is_gated_as_an_engine() {
    let folder = folder();
    let [base, head] = ["--base-engine", "--engine"]
        .map(|flag| format!("{flag}=me='{BINARY}' solve - --output-format lines --threads 1 -q"));
    let few = ["sample.csv", "--min-trials", "6", "--max-trials", "6", "--leg", "1ms", &base, &head];
    let shown =
        expect(&gate(folder.path(), &[&few[..], &["--limits", "time=100000%,startup=100000%"]].concat()), 0);
    assert!(shown.contains("the same answers") && shown.contains("start-up "), "{shown}");
}

#[test]
fn a_binary_is_not_much_slower_than_itself() {
    let folder = folder();
    let paired = [
        "sample.csv",
        "--solvers",
        "mrv",
        "--base",
        BINARY,
        "--leg",
        "1ms",
        "--min-trials",
        "6",
        "--warm-up-time",
        "20s",
    ];
    let output = gate(
        folder.path(),
        &[&paired[..], &["--limits", "time=100000%", "--export-json", "g.json"]].concat(),
    );
    expect(&output, 0);
    let report: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(folder.path().join("g.json")).unwrap()).unwrap();
    assert_eq!(report["checks"][0]["figures"]["trials"].as_array().unwrap().len(), 6);
    assert!(report["checks"][0]["figures"]["ratio"]["median"].as_f64().unwrap() > 0.0);
}

/// Makes a script that appends the requested SIMD level to a file and then runs sudobench.
#[cfg(unix)]
fn noting(folder: &Path, name: &str) -> String {
    let path = folder.join(name);
    let script = format!("#!/bin/sh\necho \"$SUDOBENCH_SIMD\" >> {name}.asked\nexec '{BINARY}' \"$@\"\n");
    write_program(&path, &script);
    path.to_str().unwrap().to_owned()
}

#[test]
#[cfg(unix)]
fn a_forced_vector_level_reaches_both_binaries() {
    let folder = folder();
    let (base, head) = (noting(folder.path(), "base"), noting(folder.path(), "head"));
    let paired = ["sample.csv", "--solvers", "mrv", "--base", &base, "--head", &head, "--leg", "1ms"];
    let few = ["--min-trials", "6", "--limits", "time=100000%", "--warm-up-time", "20s"];
    let asked = |words: &[&str]| {
        let gated = gate(folder.path(), &[&paired[..], &few, words].concat());
        expect(&gated, 0);
        ["base.asked", "head.asked"].map(|name| {
            let path = folder.path().join(name);
            let asked = std::fs::read_to_string(&path).unwrap();
            std::fs::remove_file(path).unwrap();
            asked.lines().map(str::to_owned).collect::<std::collections::BTreeSet<_>>()
        })
    };
    for found in asked(&["--simd", "baseline"]) {
        assert_eq!(found, ["baseline".to_owned()].into());
    }
    // Without `--simd`, the gate passes the name of one SIMD level to both binaries, because otherwise they could choose different levels.
    let level = sudobench_sudoku::simd::Level::from_environment().unwrap();
    for found in asked(&[]) {
        assert_eq!(
            found,
            [level.name().to_owned()].into(),
            "without --simd, the environment decides the level"
        );
    }
}

#[test]
fn a_binary_that_does_not_serve_is_an_error_with_a_remedy() {
    let folder = folder();
    #[cfg(unix)]
    {
        let base = ["sample.csv", "--solvers", "mrv", "--base"];
        let shown = expect(&gate(folder.path(), &[&base[..], &["true"]].concat()), 4);
        assert!(shown.contains("true cannot run measurements for `gate`: build both binaries"), "{shown}");
    }
    let base = ["sample.csv", "--solvers", "mrv", "--base", "no-such-binary"];
    let shown = expect(&gate(folder.path(), &base), 4);
    assert!(shown.contains("old build: cannot start `no-such-binary`"), "{shown}");
    let words = ["--head", "no-such-binary"];
    let shown = expect(&gate(folder.path(), &[&base[..4], &[BINARY], &words].concat()), 1);
    assert!(shown.contains("cannot start `no-such-binary`"), "{shown}");
}

#[test]
fn budgets_check_a_measurement_or_a_record() {
    let folder = folder();
    let budget = |limits: &str, more: &[&str]| {
        let words = [&["--limits", limits][..], more].concat();
        gate(folder.path(), &words)
    };
    let measured = ["sample.csv", "--solvers", "mrv", "--sample", "10"];
    assert!(expect(&budget("within:1h=100%", &measured), 0).contains("10 of 10 puzzles"));
    expect(&budget("p99=1ns", &measured), 3);
    let bench =
        ["sample.csv", "--solvers", "mrv", "--rounds", "1", "--min-time", "0s", "--export-json", "r.json"];
    let bench = Command::new(BINARY).arg("bench").args(bench).current_dir(folder.path()).output().unwrap();
    expect(&bench, 0);
    expect(&budget("max=1h", &["--record", "r.json"]), 0);
    expect(&budget("max=1h", &["--record", "r.json", "--solvers", "all"]), 0);
    for pattern in ["--include", "--exclude"] {
        let shown = expect(&budget("max=1h", &["--record", "r.json", pattern, "mrv"]), 2);
        assert!(shown.contains("all solvers of a record are checked"), "{shown}");
    }
    let shown = expect(&budget("within:1ms=1%", &["--record", "r.json"]), 4);
    assert!(shown.contains("--budgets"), "{shown}");
    assert!(expect(&budget("max=1h", &["--record", "sample.csv"]), 1).contains("is not a record"));
}

#[test]
fn github_gets_annotations_and_a_summary() {
    let folder = folder();
    let summary = folder.path().join("summary.md");
    std::fs::write(&summary, "before\n").unwrap();
    let gated = |summary: &Path, code: i32| {
        let output = Command::new(BINARY)
            .args(["gate", "sample.csv", "--solvers", "mrv", "--limits", "p99=1ns", "--format", "github"])
            .env("GITHUB_STEP_SUMMARY", summary)
            .current_dir(folder.path())
            .output()
            .unwrap();
        let shown = expect(&output, code);
        assert!(
            shown.contains("::error title=budget gate%2C mrv on sample.csv::p99=1ns: p99 is "),
            "{shown}"
        );
        shown
    };
    gated(&summary, 3);
    gated(Path::new(""), 3);
    assert!(gated(Path::new("no/summary"), 1).contains("cannot append to no/summary"));
    let summary = std::fs::read_to_string(summary).unwrap();
    assert!(summary.starts_with("before\n## sudobench gate: fail"), "{summary}");
}

#[test]
fn a_gate_without_a_check_is_refused() {
    let folder = folder();
    for (words, remedy) in [
        (vec!["sample.csv"], "--baseline"),
        (vec!["--limits", "p99=1s"], "name a dataset"),
        (vec!["sample.csv", "--limits", "speed=1%"], "cannot be limited"),
        (vec!["sample.csv", "--head", "x"], "--base"),
        (vec!["sample.csv", "--update-baseline"], "--baseline"),
    ] {
        assert!(expect(&gate(folder.path(), &words), 2).contains(remedy), "{words:?}");
    }
}

#[test]
fn every_check_can_read_standard_input() {
    let folder = folder();
    let sample = std::fs::read(folder.path().join("sample.csv")).unwrap();
    let gate = |words: &[&str]| {
        assert_cmd::Command::cargo_bin("sudobench")
            .unwrap()
            .args(["gate", "-", "--solvers", "mrv", "--sample", "5", "--baseline", "b.txt", "-q"])
            .args(words)
            .current_dir(folder.path())
            .write_stdin(sample.clone())
            .assert()
            .success()
    };
    gate(&["--update-baseline"]);
    let baseline = std::fs::read_to_string(folder.path().join("b.txt")).unwrap();
    assert!(baseline.contains("pair mrv standard input puzzles=5 "), "{baseline}");
    let paired = ["--base", BINARY, "--leg", "1ms", "--warm-up-time", "5s", "--min-trials", "6"];
    let limits = ["--max-trials", "6", "--limits", "time=100000%,max=1h", "--max-time-per-pair", "1h"];
    let output = gate(&[&paired[..], &limits].concat());
    let shown = String::from_utf8(output.get_output().stdout.clone()).unwrap();
    for kind in ["exact", "paired", "budget"] {
        assert!(shown.contains(&format!("{kind:<6}  mrv     standard input")), "{shown}");
    }
}

#[test]
fn serve_cannot_read_puzzles_from_standard_input() {
    let output = Command::new(BINARY).args(["serve", "-"]).output().unwrap();
    assert!(expect(&output, 2).contains("is used for the requests"));
}

#[test]
fn a_gate_that_compares_nothing_does_not_pass() {
    let folder = folder();
    let exact = ["sample.csv", "--solvers", "mrv", "--sample", "5", "--baseline", "baseline.txt"];
    expect(&gate(folder.path(), &[&exact[..], &["--update-baseline"]].concat()), 0);
    std::fs::rename(folder.path().join("sample.csv"), folder.path().join("other.csv")).unwrap();
    let renamed = ["other.csv", "--solvers", "mrv", "--baseline", "baseline.txt"];
    let shown = expect(&gate(folder.path(), &renamed), 4);
    assert!(
        shown.contains("has the same file as sample.csv: use that name")
            && shown.contains("missing: 2 missing"),
        "{shown}"
    );
    std::fs::write(folder.path().join("empty.csv"), "puzzle\n").unwrap();
    let baseline = std::fs::read_to_string(folder.path().join("baseline.txt")).unwrap();
    let without_pairs: Vec<&str> = baseline.lines().take(2).collect();
    std::fs::write(folder.path().join("none.txt"), without_pairs.join("\n") + "\n").unwrap();
    for (dataset, baseline, allow, reason) in [
        ("other.csv", "baseline.txt", true, "nothing was compared"),
        ("empty.csv", "baseline.txt", true, "nothing was compared"),
        ("other.csv", "none.txt", true, "nothing was compared"),
        ("other.csv", "none.txt", false, "the baseline has no pair: make it again with --update-baseline"),
    ] {
        let words = [dataset, "--baseline", baseline, "--allow-missing"];
        let shown = expect(&gate(folder.path(), &words[..if allow { 4 } else { 3 }]), 4);
        assert!(shown.contains(reason), "{dataset} {baseline}: {shown}");
    }
    #[cfg(unix)]
    let ready =
        r#"{"protocol":1,"pairs":[{"solver":"old","dataset":"other.csv","puzzles":5,"pass_ns":1000}]}"#;
    #[cfg(unix)]
    {
        write_program(&folder.path().join("base"), &format!("#!/bin/sh\necho '{ready}'; cat >/dev/null\n"));
        let shown = expect(&gate(folder.path(), &["other.csv", "--solvers", "mrv", "--base", "./base"]), 4);
        assert!(shown.contains("nothing was compared: the old build has no such pair"), "{shown}");
    }
}

#[test]
fn faults_are_reported_once_and_clearly() {
    let folder = folder();
    let shown = expect(&gate(folder.path(), &["--record", "nope", "--limits", "p99=80ms"]), 1);
    assert_eq!(shown.matches("os error 2").count(), 1, "{shown}");
    let counted =
        ["sample.csv", "--solvers", "mrv", "--sample", "5", "--baseline", "b.txt", "--update-baseline"];
    let output = Command::new(BINARY).arg("gate").args(counted).current_dir(folder.path()).output().unwrap();
    assert!(expect(&output, 0).contains("b.txt: adds mrv on sample.csv\n"));
    let output = Command::new(BINARY)
        .arg("gate")
        .args(["sample.csv", "--export-json", "nowhere/g.json", "--baseline", "b.txt"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert!(expect(&output, 1).contains("cannot write nowhere/g.json"), "before anything is counted");
}
