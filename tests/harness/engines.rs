//! Right and faulty engines. `bench` must end, report faults, and leave no process behind.
#![cfg(unix)]

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::bench::{PUZZLE, SOLUTION, folder};
use super::gate::write_program;
use super::kept::keep_record;

/// Far more time than any run here takes, but far less than the engines sleep.
pub(super) const BOUND: Duration = Duration::from_secs(60);

/// Returns a duration for `sleep` that no other process uses, so that the process can be found by its arguments.
pub(super) fn unique_sleep() -> String {
    use std::sync::atomic::{AtomicUsize, Ordering};
    static USED: AtomicUsize = AtomicUsize::new(0);
    format!("{}.{:06}", 100_000 + std::process::id(), USED.fetch_add(1, Ordering::Relaxed))
}

/// Returns the words of the command lines of all processes.
#[cfg(target_os = "linux")]
pub(super) fn command_lines() -> Vec<Vec<String>> {
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    let lines = processes.filter_map(|process| std::fs::read(process.path().join("cmdline")).ok());
    lines.map(|line| String::from_utf8_lossy(&line).split('\0').map(str::to_owned).collect()).collect()
}

#[cfg(not(target_os = "linux"))]
pub(super) fn command_lines() -> Vec<Vec<String>> {
    let listed = Command::new("ps").args(["-eww", "-o", "args="]).output().unwrap();
    let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
    listed.lines().map(|line| line.split_whitespace().map(str::to_owned).collect()).collect()
}

/// Returns whether some process has this word in its command line.
pub(super) fn runs(word: &str) -> bool {
    command_lines().iter().flatten().any(|other| other == word)
}

#[track_caller]
pub(super) fn assert_gone(sleep: &str) {
    let start = Instant::now();
    while runs(sleep) {
        assert!(start.elapsed() < BOUND, "`sleep {sleep}` is left");
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn bench(folder: &Path, engine: &str, max_time: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sudobench"));
    command
        .args(["bench", "puzzles.txt", "--solvers", "null", "--rounds", "3", "--min-time", "0s", "-q"])
        // The engines here always print the same solution, so they must get the puzzles unchanged.
        .arg("--same-puzzles")
        .args(["--max-time-per-pair", max_time, "--export-json", "record.json", "--engine", engine])
        .current_dir(folder);
    command
}

/// Runs a script as an engine. In the script, `$SLEEP` stands for a `sleep` of more than a day. Returns the exit code and the fault in the
/// record.
#[track_caller]
fn script(script: &str, max_time: &str) -> (Option<i32>, String) {
    let (code, pair) = measured(script, "sh engine", max_time, &[]);
    (code, pair["error"].as_str().unwrap_or_default().to_owned())
}

/// Time limit of a pair: more time than any run here needs, even on a busy machine. If a run hangs, the warm-up ends after a quarter of
/// this limit.
const ENOUGH: &str = "20s";

/// Returns the time limit for a run that must end with this message. The limit is short if the message is about a program that hangs. It is
/// longer if the program must first start and end several times, or answer, before it hangs.
fn time_for(words: &str) -> &'static str {
    let has = |hint: &&str| words.contains(*hint);
    match (["no answer within", "a pass did not end"].iter().any(has), words.contains(" within")) {
        (true, _) => "12s",
        (false, true) => "1s",
        (false, false) => ENOUGH,
    }
}

/// Writes `script` to the file `engine`, and measures `command` as an engine. The command can use this file. Returns the exit code and the
/// engine's pair in the record.
#[track_caller]
fn measured(
    script: &str,
    command: &str,
    max_time: &str,
    arguments: &[&str],
) -> (Option<i32>, serde_json::Value) {
    let folder = folder();
    let sleep = unique_sleep();
    std::fs::write(folder.path().join("engine"), script.replace("$SLEEP", &format!("sleep {sleep}")))
        .unwrap();
    let start = Instant::now();
    let mut bench = bench(folder.path(), &format!("e={command}"), max_time);
    let ended = bench.args(["--check-time", "1s"]).args(arguments).output().unwrap();
    assert!(start.elapsed() < BOUND, "{script}: {:?}", start.elapsed());
    assert_gone(&sleep);
    let text = std::fs::read_to_string(folder.path().join("record.json"))
        .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&ended.stderr)));
    let record: serde_json::Value = serde_json::from_str(&text).unwrap();
    keep_record("record", &record);
    let pair = record["pairs"].as_array().unwrap().iter().find(|pair| pair["solver"] == "e").unwrap();
    (ended.status.code(), pair.clone())
}

#[track_caller]
fn assert_fault(text: &str, words: &str) {
    let (code, error) = script(text, time_for(words));
    assert_eq!(code, Some(4), "{text}: {error}");
    assert!(error.contains(words), "{text}: {error}");
}

#[track_caller]
fn assert_measured(text: &str) {
    assert_eq!(script(text, ENOUGH), (Some(0), String::new()), "{text}");
}

/// Returns a shell command that prints [`SOLUTION`] for each line of its input.
fn solve() -> String {
    format!("sed s/.*/{SOLUTION}/")
}

#[test]
fn an_engine_that_hangs_is_ended_with_its_child_processes() {
    assert_fault(
        "$SLEEP; true",
        "on an empty input it did not end within 250ms (the warm-up's share of --max-time-per-pair); it hardly used the CPU, so \
         it was waiting: raise that limit, or make it end when its input ends",
    );
    // The message must say that the engine used processor time, and not that it waited. On a busy machine, a loop may get so little
    // processor time that it seems to wait, so it is enough if the message is right in one of several attempts.
    let is_told_from_waiting = || {
        let (code, error) = script("while :; do :; done", "1s");
        assert_eq!(code, Some(4), "{error}");
        assert!(error.contains("on an empty input it did not end within 250ms"), "{error}");
        error.contains("of processor time: raise that limit, or make it end when its input ends")
    };
    assert!((0..20).any(|_| is_told_from_waiting()));
    assert_fault("$SLEEP & $SLEEP & wait", "did not end within");
    assert_fault("trap '' TERM INT HUP; $SLEEP; true", "did not end within");
    assert_fault("(trap '' TERM; setsid $SLEEP) & $SLEEP", "did not end within");
    // The program hangs only if it gets input.
    assert_fault(
        "read line || exit 0; $SLEEP; true",
        "it gave no answer within 3s (the warm-up's share of --max-time-per-pair); it hardly used the CPU, so it was waiting",
    );
}

#[test]
fn an_engine_that_hangs_is_measured_on_its_answers() {
    assert_fault(
        &format!("read line || exit 0; echo {SOLUTION}; read line; echo {SOLUTION}; $SLEEP; true"),
        "a pass did not end within",
    );
}

#[test]
fn wrong_answers_are_counted_listed_and_written() {
    let wrong = format!("435{}", &SOLUTION[3..]);
    let folder = folder();
    let puzzles = format!("# a comment\n{}", format!("{PUZZLE}\n").repeat(30));
    std::fs::write(folder.path().join("puzzles.txt"), puzzles).unwrap();
    let engine = format!("e=sed -e 1,5s/.*/{SOLUTION}/ -e 6s/.*/=none/ -e 7,30s/.*/{wrong}/");
    let mut bench = bench(folder.path(), &engine, ENOUGH);
    let ended = bench.args(["--export-wrong", "wrong.csv"]).output().unwrap();
    let text = String::from_utf8(ended.stdout).unwrap();
    assert_eq!(ended.status.code(), Some(4), "{text}");
    assert!(text.contains("; 25 of 30 answers are wrong"), "{text}");
    assert!(
        text.contains("e: 25 of 30 answers wrong; here are the first 20, `bench --export-wrong` writes all")
    );
    assert_eq!(text.matches("is wrong: r1c1 differs from the clue").count(), 19);
    let record: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(folder.path().join("record.json")).unwrap()).unwrap();
    keep_record("record", &record);
    let first = &record["pairs"][1]["wrong"]["first"];
    assert_eq!(first.as_array().unwrap().len(), 20);
    assert_eq!((&first[0]["answer"], &first[0]["puzzle"]), (&"=none".into(), &PUZZLE.into()));
    assert_eq!(first[0]["reason"], "has no solution, but auto finds one");
    assert_eq!(first[0]["line"].as_u64(), first[0]["number"].as_u64().map(|number| number + 1));
    // Other commands can read the file, for example `solve`.
    let again = Command::new(env!("CARGO_BIN_EXE_sudobench"))
        .args(["solve", "wrong.csv", "-o", "solved.csv"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert_eq!(again.status.code(), Some(0), "{}", String::from_utf8_lossy(&again.stderr));
    let solved = std::fs::read_to_string(folder.path().join("solved.csv")).unwrap();
    assert_eq!(solved.matches(",unique").count(), 25, "{solved}");
}

#[test]
fn an_engine_that_answers_line_by_line_is_timed_one_puzzle_at_a_time() {
    let line_by_line = format!("while read line; do echo {SOLUTION}; done");
    let exports = ["--budgets", "1h", "--export-puzzles", "figures.csv"];
    let (code, pair) = measured(&line_by_line, "sh engine", ENOUGH, &exports);
    assert_eq!(code, Some(0), "{pair}");
    let times = &pair["one_by_one"]["times"];
    assert_eq!((&times["latency_ns"]["puzzles"], &times["budgets"][0]["within"]), (&4.into(), &4.into()));
    assert!(times["echo_ns"].as_u64().unwrap() > 0, "{pair}");
    assert_eq!((&pair["latency_ns"], &pair["budgets"]), (&serde_json::Value::Null, &serde_json::json!([])));
    let slowest = pair["slowest"].as_array().unwrap();
    assert_eq!((slowest.len(), &slowest[0]["puzzle"]), (4, &PUZZLE.into()));
    assert_eq!(slowest[0]["time_ns"], times["latency_ns"]["max"]);
    let (code, pair) = measured(&solve(), "sh engine", ENOUGH, &[]);
    let reason = pair["one_by_one"]["not_timed"].as_str().unwrap_or_default();
    assert!(reason.starts_with("does not answer line by line (no answer within "), "{pair}");
    assert!(code == Some(0) && pair["slowest"].is_null(), "{pair}");
    let protocol = ["--engine-protocol", "files"];
    let (_, pair) = measured(&format!("{} $1", solve()), "sh engine {input}", ENOUGH, &protocol);
    assert!(
        pair["one_by_one"]["not_timed"].as_str().unwrap().starts_with("reads all puzzles together"),
        "{pair}"
    );
}

#[test]
fn latencies_of_an_engine_are_in_tables_and_plots() {
    let folder = folder();
    std::fs::write(folder.path().join("engine"), format!("while read line; do echo {SOLUTION}; done"))
        .unwrap();
    let buffers = format!("buffers={}", solve());
    let mut bench = bench(folder.path(), "e=sh engine", ENOUGH);
    bench.args(["--engine", &buffers, "--export-html", "r.html", "--export-puzzles", "figures.csv"]);
    let ended = bench.output().unwrap();
    let text = String::from_utf8(ended.stdout).unwrap();
    assert_eq!(ended.status.code(), Some(0), "{text}");
    let (_, latency) = text.split_once("latency, from entering the solver to the answer").unwrap();
    assert!(latency.lines().any(|line| line.trim_start().starts_with("e *")), "{text}");
    assert!(latency.contains(
        "* e: 4 puzzles, each timed once and sent after the previous answer; the pipes alone take "
    ));
    assert!(
        latency.contains("buffers: no times of single puzzles, since it does not answer line by line"),
        "{text}"
    );
    assert!(latency.contains("slowest puzzles"), "{text}");
    let page = std::fs::read_to_string(folder.path().join("r.html")).unwrap();
    assert!(
        page.contains("e: the puzzles, or only the first of them, were timed one at a time, each once."),
        "no curve of the engine"
    );
    let figures = std::fs::read_to_string(folder.path().join("figures.csv")).unwrap();
    let of =
        |name: &str| figures.lines().filter(|line| line.starts_with(&format!("{name},puzzles.txt,"))).count();
    assert_eq!((of("e"), of("buffers"), of("null")), (4, 4, 4), "{figures}");
    let solved = Command::new(env!("CARGO_BIN_EXE_sudobench"))
        .args(["solve", "figures.csv", "-q", "-o", "solved.csv"])
        .current_dir(folder.path())
        .status()
        .unwrap();
    assert_eq!(solved.code(), Some(0), "other commands can read the file");
}

/// Returns a script that prints `several` for the probe puzzles with several solutions, `none` for the probe puzzles without a solution,
/// and `one` for all other puzzles.
fn tells(one: &str, several: &str, none: &str) -> String {
    format!(
        "while read line; do case $line in 534..8*|*713.2.8*|*.6....28*) echo {several};; [34]..678*) echo {none};; *) echo {one};; esac; done"
    )
}

#[test]
fn the_kind_of_answers_is_probed_and_compared_with_the_stated_kind() {
    let answers = |script: &str, arguments: &[&str]| {
        let (code, pair) = measured(script, "sh engine", ENOUGH, arguments);
        (code, pair["engine"]["answers"].clone(), pair["error"].as_str().unwrap_or_default().to_owned())
    };
    let (any, unique) = (solve(), tells(SOLUTION, "several", "none"));
    // The measured puzzle contains `6....28`, so the script would take it for a puzzle with several solutions. The pattern is removed.
    let unique_here = unique.replace("|*.6....28*", "");
    let kind = |kind: &str| serde_json::json!({ "kind": kind });
    let two = ["--max-solutions", "2"];
    assert_eq!(answers(&any, &two), (Some(0), kind("any"), String::new()));
    assert_eq!(answers(&unique_here, &two), (Some(0), kind("unique"), String::new()));
    assert_eq!(
        answers(&unique_here, &["--max-solutions", "1"]).1,
        kind("any"),
        "with --max-solutions 1, any solution is a right answer"
    );
    let stated = ["--engine-answers", "e=unique"];
    assert_eq!(answers(&unique_here, &stated).1, serde_json::json!({ "kind": "unique", "stated": "unique" }));
    let (code, found, _) = answers(&any, &stated);
    assert_eq!((code, &found["kind"], &found["stated"]), (Some(0), &"any".into(), &"unique".into()));
    assert!(found["fault"].as_str().unwrap().starts_with("prints a solution of 534..8912"), "{found}");
    let (code, _, error) = answers(&unique, &stated);
    assert!(
        code == Some(4) && error.contains("its answer has no solution, but auto finds the only one"),
        "{error}"
    );
    let count = ["--engine-answers", "count"];
    let counts = tells("1 nodes=5", "2", "0").replace("|*.6....28*", "");
    assert_eq!(answers(&counts, &count).1, serde_json::json!({ "kind": "count", "stated": "count" }));
    let (_, _, error) = answers(&tells("1", "2", "0"), &count);
    assert!(error.contains("its answer is 2, but auto counts 1"), "{error}");
    let (_, _, error) = answers(&any, &count);
    assert!(
        error.starts_with("--engine-answers says that the engine counts solutions, but it prints `534678"),
        "{error}"
    );
}

#[test]
fn solvers_are_ranked_by_kind_of_answers() {
    let folder = folder();
    let counts = tells("1", "2", "0").replace("|*.6....28*", "");
    std::fs::write(folder.path().join("engine"), &counts).unwrap();
    let several = format!(
        "{PUZZLE}\n{}\n",
        "534..8912672195348198342567859..1423426853791713924856961537284287419635345286179"
    );
    std::fs::write(folder.path().join("puzzles.txt"), several).unwrap();
    let mut bench = bench(folder.path(), "e=sh engine", ENOUGH);
    let liar = format!("liar={}", solve());
    bench.args(["--engine", &liar, "--engine-answers", "e=count", "--engine-answers", "liar=unique"]);
    let ended = bench.output().unwrap();
    let text = String::from_utf8(ended.stdout).unwrap();
    assert_eq!(ended.status.code(), Some(0), "{text}");
    let row = |name: &str| text.lines().find(|line| line.trim_start().starts_with(name)).unwrap();
    assert!(row("e ").contains(" count ") && row("e ").contains("1.00x"), "{text}");
    assert!(row("liar ").contains(" any ") && row("liar ").contains("1.00x"), "{text}");
    assert!(
        text.contains("liar: --engine-answers says `unique`, but the engine prints a solution of 534..8"),
        "{text}"
    );
    let gate = Command::new(env!("CARGO_BIN_EXE_sudobench"))
        .args(["gate", "puzzles.txt", "--engine", "e=sh engine", "--engine-answers", "count", "-q"])
        .args(["--baseline", "baseline.txt", "--update-baseline"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert_eq!(gate.status.code(), Some(0), "{}", String::from_utf8_lossy(&gate.stderr));
    let baseline = std::fs::read_to_string(folder.path().join("baseline.txt")).unwrap();
    assert!(baseline.contains("u1:-/-:") && baseline.contains("m2:-/-:"), "{baseline}");
}

#[test]
fn a_programs_wrong_answers_are_counted_too() {
    let (code, pair) = program("cat >/dev/null; echo 7", ENOUGH, &[]);
    let wrong = &pair["wrong"];
    assert_eq!((code, &wrong["answers"], &wrong["of"]), (Some(4), &4.into(), &4.into()), "{pair}");
    assert_eq!(wrong["first"][3]["answer"], "7");
    let error = pair["error"].as_str().unwrap();
    assert!(error.contains(PUZZLE) && error.ends_with("; 4 of 4 answers are wrong"), "{error}");
}

#[test]
fn untimed_answers_are_checked_too() {
    let folder = folder();
    std::fs::write(folder.path().join("puzzles.txt"), format!("{PUZZLE}\n").repeat(60)).unwrap();
    let script = format!(
        "n=0; while read line; do sleep 0.05; n=$((n+1)); if [ $n -ge 50 ]; then echo none; else echo {SOLUTION}; fi; done"
    );
    std::fs::write(folder.path().join("engine"), script).unwrap();
    let shown = |check_time: &str| {
        let mut bench = bench(folder.path(), "e=sh engine", "6s");
        let ended = bench.args(["--check-time", check_time, "--force"]).output().unwrap();
        (ended.status.code(), String::from_utf8(ended.stdout).unwrap())
    };
    let (code, text) = shown("60s");
    assert!(code == Some(4) && text.contains("e: wrong answer: on puzzle "), "{text}");
    let (code, text) = shown("0s");
    assert!(code == Some(0) && text.contains(" of 60 answers checked"), "{text}");
    assert!(!text.contains("rounds") || text.contains("because the time of the pair ran out"), "{text}");
}

#[test]
fn counters_that_an_engine_prints_are_reported() {
    let solve = solve();
    for (behind, effort) in [
        ("", serde_json::Value::Null),
        (
            " nodes=51, guesses=0",
            serde_json::json!({"puzzles": 4, "nodes": 204, "guesses": 0, "without_guess": 4}),
        ),
        (" nodes=51", serde_json::json!({"puzzles": 4, "nodes": 204})),
        ("\tguesses=2;", serde_json::json!({"puzzles": 4, "guesses": 8, "without_guess": 0})),
    ] {
        let script = format!("{solve} | sed 's/$/{behind}/'");
        let (code, pair) = measured(&script, "sh engine", ENOUGH, &["--keep-puzzles"]);
        assert_eq!((code, &pair["effort"]), (Some(0), &effort), "{behind}");
        let nodes = if behind.contains("nodes") {
            serde_json::json!([51, 51, 51, 51])
        } else {
            serde_json::json!([])
        };
        assert_eq!(pair["kept"]["nodes"], nodes, "{behind}");
    }
    assert_fault(
        &format!("{solve} | sed 's/$/ nodes=4.5/'"),
        "on puzzle 1 it printed `nodes=4.5`, which is not a whole number of at least 0",
    );
    assert_fault(&format!("{solve} | sed '2s/$/ nodes=4/'"), "it prints no nodes for puzzle ");
}

#[test]
fn background_processes_do_not_delay_a_run() {
    let solve = solve();
    assert_measured(&format!("$SLEEP & {solve}"));
    assert_measured(&format!("$SLEEP >&2 & {solve}"));
    assert_measured(&format!("$SLEEP 2>/dev/null & {solve}"));
    assert_measured(&format!("$SLEEP >/dev/null 2>&1 </dev/null & {solve}"));
    assert_fault("$SLEEP &", "0 lines of output for 4 puzzles");
    // A background process may print the answers.
    assert_measured(&format!("exec 3<&0; {solve} <&3 &"));
}

#[cfg(target_os = "linux")]
#[test]
fn processes_that_leave_their_group_are_found() {
    let solve = solve();
    assert_measured(&format!("setsid $SLEEP >/dev/null 2>&1 </dev/null & {solve}"));
    assert_measured(&format!("(setsid sh -c '$SLEEP & wait' &) ; {solve}"));
    // A process is found even if it has left its group and does not have the mark that sudobench puts into the environment of the
    // programs that it starts.
    assert_measured(&format!("(setsid env -i $SLEEP >/dev/null 2>&1 </dev/null &) ; {solve}"));
}

/// An engine is first started with an empty input, which measures its start-up. So if sudobench itself is the engine, an empty input must
/// not be an error.
#[test]
fn sudobench_itself_is_an_engine() {
    let folder = folder();
    let engine =
        format!("e='{}' solve - --output-format lines --threads 1 -q", env!("CARGO_BIN_EXE_sudobench"));
    let ended = bench(folder.path(), &engine, ENOUGH).output().unwrap();
    assert_eq!(ended.status.code(), Some(0), "{}", String::from_utf8_lossy(&ended.stderr));
    let text = std::fs::read_to_string(folder.path().join("record.json")).unwrap();
    let record: serde_json::Value = serde_json::from_str(&text).unwrap();
    let pair = record["pairs"].as_array().unwrap().iter().find(|pair| pair["solver"] == "e").unwrap();
    assert!(pair["error"].is_null() && pair["engine"]["startup_ns"].as_u64() > Some(0), "{pair}");
    // With the header of CSV, the output has one line too many. This is reported.
    let with_header = engine.replace(" --output-format lines", "");
    let ended = bench(folder.path(), &with_header, ENOUGH).output().unwrap();
    assert_eq!(ended.status.code(), Some(4));
    let text = std::fs::read_to_string(folder.path().join("record.json")).unwrap();
    assert!(text.contains("its first line, `puzzle,solution,status`, has no solution"), "{text}");
}

#[test]
fn endless_output_is_stopped() {
    assert_fault("yes", "more than 1048576 bytes of output for 0 puzzles");
    assert_fault(
        "read line || exit 0; yes",
        "more lines of output than the 4 puzzles: an engine must print one line for each puzzle; its first line, \
         `y`, has no solution: is it a banner?",
    );
    assert_fault("yes >&2", "did not end within");
    assert_fault("read line || exit 0; yes | tr -d '\\n'", "bytes of output for 4 puzzles");
    assert_fault("read line || exit 0; cat /dev/zero", "bytes of output for 4 puzzles");
    assert_measured(&format!("head -c 10000000 /dev/zero >&2; {}", solve()));
}

#[test]
fn too_many_and_too_few_lines_are_reported() {
    let solve = solve();
    assert_fault(&format!("{solve}; echo done"), "more lines of output than the 4 puzzles");
    assert_fault("head -n 3", "3 lines of output for 4 puzzles");
    assert_fault("cat >/dev/null", "0 lines of output for 4 puzzles");
    assert_fault("exec >&-; cat >/dev/null; $SLEEP", "did not end within");
}

#[test]
fn a_wrong_answer_is_reported_with_the_printed_line() {
    let solve = solve();
    assert_fault(
        &format!("read line || exit 0; printf 'Solver 2.0\\033[31m\\n' && {solve}"),
        "its answer has no solution, but auto finds one; for this puzzle, the engine printed `Solver 2.0\\u{1b}[31m`, and on the next line an \
         answer: does it print \
         a banner first?",
    );
    assert_fault(
        &format!("echo Solver 2.0; {solve}"),
        "its first line, `Solver 2.0`, has no solution: is it a banner?",
    );
    let wrong = format!("435{}", &SOLUTION[3..]);
    assert_fault(
        &format!("sed s/.*/{PUZZLE},{wrong}/"),
        &format!(
            "is wrong: r1c1 differs from the clue; for this puzzle, the engine printed `{PUZZLE},{wrong}`"
        ),
    );
    assert_fault(
        "head -c 81 /dev/urandom | tr '\\n' x; echo; head -n 3",
        "for this puzzle, the engine printed `",
    );
}

#[test]
fn an_engine_that_fails_is_reported_with_its_message() {
    assert_fault("echo no table >&2; exit 3", "`sh` ended with exit status: 3: no table");
    assert_fault("kill -SEGV $$", "`sh` ended with signal: 11");
    let folder = folder();
    std::fs::write(folder.path().join("engine"), "").unwrap();
    let ended = bench(folder.path(), "e=./engine", "1s").output().unwrap();
    assert_eq!(ended.status.code(), Some(4));
    assert!(String::from_utf8_lossy(&ended.stdout).contains("cannot start `./engine`: Permission denied"));
}

/// Runs a script that reads the file that its first argument names, and writes the file that its second argument names.
#[track_caller]
fn with_files(text: &str, max_time: &str) -> (Option<i32>, String) {
    let protocol = ["--engine-protocol", "files"];
    let (code, pair) = measured(text, "sh engine '{input}' '{output}'", max_time, &protocol);
    (code, pair["error"].as_str().unwrap_or_default().to_owned())
}

#[track_caller]
fn assert_fault_of_files(text: &str, words: &str) {
    let (code, error) = with_files(text, time_for(words));
    assert_eq!(code, Some(4), "{text}: {error}");
    assert!(error.contains(words), "{text}: {error}");
}

#[test]
fn an_engine_may_read_a_file_and_write_a_file() {
    let solve = solve();
    let assert_well = |text: &str| assert_eq!(with_files(text, ENOUGH), (Some(0), String::new()), "{text}");
    assert_well(&format!("{solve} \"$1\" > \"$2\""));
    assert_well(&format!("echo 4 puzzles; {solve} <$1 >$2; yes | head -n 100000"));
    assert_well(&format!("exec >&-; {solve} $1 > $2; sleep 0.1"));
    assert_well(&format!("cat; {solve} $1 > $2; $SLEEP &"));
    // The placeholders can also be parts of words.
    let inner = format!("sh -c '{solve} <{{input}} >{{output}}'");
    let (code, pair) = measured("", &inner, ENOUGH, &["--engine-protocol", "e=files", "--blank", "0"]);
    assert_eq!((code, &pair["error"]), (Some(0), &serde_json::Value::Null));
    assert_eq!((&pair["kind"], &pair["engine"]["command"]), (&"engine".into(), &inner.as_str().into()));
    assert!(pair["latency_ns"].is_null() && pair["engine"]["startup_ns"].as_u64().unwrap() > 0);
    let (code, pair) = measured("", &format!("{solve} {{input}}"), ENOUGH, &["--engine-protocol", "files"]);
    assert_eq!(
        (code, &pair["error"]),
        (Some(0), &serde_json::Value::Null),
        "the engine may print its answers instead of writing a file"
    );
}

#[test]
fn faults_of_answer_files_are_reported() {
    assert_fault_of_files(
        "echo cannot write >&2",
        "the engine wrote no output file; the engine ended with exit status: 0: cannot write",
    );
    assert_fault_of_files("mkdir $2", "the output of the engine is not a regular file");
    assert_fault_of_files("mkfifo $2", "the output of the engine is not a regular file");
    assert_fault_of_files("ln -s /dev/zero $2", "the output of the engine is not a regular file");
    assert_fault_of_files("head -n 3 $1 > $2", "3 lines of output for 4 puzzles");
    assert_fault_of_files(
        "(echo 4; cat $1) > $2",
        "more lines of output than the 4 puzzles: an engine must print one line for each puzzle; its first line, `4`, \
         has no solution: is it a banner?",
    );
    assert_fault_of_files(
        "cp $1 $2",
        "its answer has no solution, but auto finds one; for this puzzle, the engine printed `53..7",
    );
    assert_fault_of_files("echo no table >&2; exit 3", "`sh` ended with exit status: 3: no table");
    assert_fault_of_files("cat /dev/zero > $2", "more than 1049088 bytes of output for 1 puzzle: ");
    let large = "more than 1050624 bytes of output for 4 puzzles";
    assert_fault_of_files("[ $(wc -l < $1) = 1 ] || head -c 2000000 /dev/zero > $2", large);
    assert_fault_of_files("[ $(wc -l < $1) = 1 ] || cat /dev/zero > $2", large);
    assert_fault_of_files("$SLEEP; true", "on one easy puzzle it did not end within 250ms");
    assert_fault_of_files("[ $(wc -l < $1) = 1 ] || { cp $1 $2; $SLEEP; }", "no answer within 3s");
}

#[test]
fn a_run_leaves_no_files_behind() {
    let (folder, temporary) = (folder(), tempfile::tempdir().unwrap());
    for script in ["cp \"$1\" \"$2\"; echo more > \"$2.log\"", "exit 3", "sleep 600"] {
        std::fs::write(folder.path().join("engine"), script).unwrap();
        let mut bench = bench(folder.path(), "e=sh engine {input} {output}", "1s");
        bench
            .args(["--engine-protocol", "files", "--force", "--check-time", "1s"])
            .env("TMPDIR", temporary.path());
        assert_eq!(bench.output().unwrap().status.code(), Some(4));
        assert_eq!(std::fs::read_dir(temporary.path()).unwrap().count(), 0, "{script}");
    }
}

/// Returns the digits as nine lines, with `between` between the digits.
fn nine_lines(digits: &str, between: &str) -> String {
    let line =
        |row: &[u8]| row.iter().map(|&digit| char::from(digit).to_string()).collect::<Vec<_>>().join(between);
    digits.as_bytes().chunks(9).map(|row| line(row) + "\n").collect()
}

/// Returns a command that answers the puzzle in the form of BOJ 2580.
fn answer() -> String {
    format!("printf '{}'", nine_lines(SOLUTION, " ").replace('\n', "\\n"))
}

/// Runs a script as a program for BOJ 2580.
#[track_caller]
fn program(text: &str, max_time: &str, arguments: &[&str]) -> (Option<i32>, serde_json::Value) {
    measured(text, "sh engine", max_time, &[&["--engine-protocol", "boj2580"], arguments].concat())
}

#[track_caller]
fn assert_program(text: &str) {
    let (code, pair) = program(text, ENOUGH, &[]);
    assert_eq!((code, &pair["error"]), (Some(0), &serde_json::Value::Null), "{text}");
}

#[track_caller]
fn assert_fault_of_program(text: &str, words: &str) {
    let (code, pair) = program(text, time_for(words), &[]);
    let error = pair["error"].as_str().unwrap_or_default();
    assert_eq!(code, Some(4), "{text}: {error}");
    assert!(error.contains(words), "{text}: {error}");
}

#[test]
fn a_judge_program_runs_once_for_each_puzzle_and_each_run_is_timed() {
    for (problem, between) in [("boj2580", " "), ("boj2239", "")] {
        let input = nine_lines(&PUZZLE.replace('.', "0"), between);
        let output = nine_lines(SOLUTION, between).replace('\n', "\\n");
        // The script accepts only this puzzle. The start-up is measured with a solved board. For this board, the script exits with code 9,
        // and `bench` ignores the exit code.
        let script = format!("[ \"$(cat)\" = '{}' ] || exit 9; printf '{output}'", input.trim_end());
        let arguments = ["--engine-protocol", problem, "--keep-puzzles", "--budgets", "80ms,1m"];
        let (code, pair) = measured(&script, "sh engine", ENOUGH, &arguments);
        assert_eq!((code, &pair["error"]), (Some(0), &serde_json::Value::Null), "{problem}");
        assert_eq!((&pair["kind"], &pair["threads"]), (&"program".into(), &1.into()));
        assert_eq!(pair["statuses"], serde_json::json!([{ "status": "solved", "rows": 4 }]));
        let rounds = pair["rounds"].as_array().unwrap().len() as u64;
        assert_eq!(pair["latency_ns"]["puzzles"], 4 * rounds, "every run is timed");
        assert_eq!((&pair["budgets"][1]["within"], &pair["budgets"][1]["of"]), (&4.into(), &4.into()));
        assert!(pair["histogram"].is_string() && pair["par2"]["mean_ns"].as_f64().unwrap() > 0.0);
        assert!(pair["effort"].is_null() && pair["hardware"].is_null());
        assert_eq!(pair["kept"]["elapsed_ns"].as_array().unwrap().len(), 4);
        assert_eq!(
            (&pair["kept"]["nodes"], &pair["kept"]["statuses"]),
            (&serde_json::json!([]), &"ssss".into())
        );
        let engine = &pair["engine"];
        assert_eq!((&engine["command"], &engine["protocol"]), (&"sh engine".into(), &problem.into()));
        for figure in ["startup_ns", "cpu_ns", "peak_memory_bytes"] {
            assert!(engine[figure].as_u64().unwrap() > 0, "{figure}");
        }
    }
}

#[test]
fn a_program_has_an_empty_folder_and_leaves_nothing() {
    let answer = answer();
    assert_program(&format!("[ -z \"$(ls -A)\" ] || exit 7; touch left; {answer}"));
    assert_program(&format!("$SLEEP & {answer}"));
    assert_program(&format!("{answer}; exec >&-; $SLEEP >/dev/null 2>&1 </dev/null &"));
    #[cfg(target_os = "linux")]
    assert_program(&format!("setsid $SLEEP >/dev/null 2>&1 </dev/null & {answer}"));
    // The start-up is measured with another board, for which the first script exits with code 1. This exit code is ignored. The second
    // script leaves its input unread, which is allowed.
    assert_program(&format!("read line; [ \"$line\" = '5 3 0 0 7 0 0 0 0' ] || exit 1; {answer}"));
    assert_program(&format!("exec <&-; {answer}"));
    // sudobench blocks SIGXFSZ only in its own process, so the signal ends the inner shell here.
    assert_program(&format!("sh -c 'kill -XFSZ $$' && exit 7; {answer}"));
}

#[test]
fn a_program_that_does_not_answer_is_reported_with_the_puzzle() {
    let answer = answer();
    let on = format!("on the puzzle {PUZZLE}");
    assert_fault_of_program("cat >/dev/null", &format!("wrong answer: {on}: it printed nothing"));
    assert_fault_of_program(
        "cat",
        &format!("{on}: line 1 is `5 3 0 0 7 0 0 0 0`, not nine digits 1 to 9 with one"),
    );
    assert_fault_of_program(
        &format!("printf '{SOLUTION}\\n'"),
        &format!("{on}: line 1 is `5346789126721953481983425678597614234268...`"),
    );
    assert_fault_of_program(&format!("echo Sudoku; {answer}"), &format!("{on}: line 1 is `Sudoku`"));
    assert_fault_of_program(&format!("{answer}; echo done"), "after the nine lines it printed `done`");
    assert_fault_of_program(
        &answer.replacen("5 3 4", "3 5 4", 1),
        &format!("{on}: the clue 5 at r1c1 became 3"),
    );
    assert_fault_of_program(
        &format!("{answer}; echo no table >&2; exit 3"),
        &format!("{on} it ended with exit code 3: no table"),
    );
    assert_fault_of_program("kill -SEGV $$", &format!("{on} it was ended by signal 11"));
    assert_fault_of_program("yes", &format!("{on} it printed more than 4194304 bytes"));
    assert_fault_of_program("$SLEEP; true", "on a solved board it did not end within 250ms");
    assert_fault_of_program("trap '' TERM; grep -q 0 || exit; $SLEEP; true", "no answer within 3s");
    // The file is executable, but it can't be run, because its interpreter is missing.
    let script = "#!/no/such/interpreter\n";
    let pair = measured_file(script, ENOUGH);
    assert!(pair["error"].as_str().unwrap().contains("could not be started: No such file"), "{pair}");
}

/// Executes a file as a program for BOJ 2239, and returns its pair in the record.
fn measured_file(text: &str, max_time: &str) -> serde_json::Value {
    let folder = folder();
    write_program(&folder.path().join("engine"), text);
    let mut bench = bench(folder.path(), "e=./engine", max_time);
    bench.args(["--engine-protocol", "boj2239"]).output().unwrap();
    let text = std::fs::read_to_string(folder.path().join("record.json")).unwrap();
    let record: serde_json::Value = serde_json::from_str(&text).unwrap();
    record["pairs"].as_array().unwrap().iter().find(|pair| pair["solver"] == "e").unwrap().clone()
}

#[test]
fn a_slow_program_is_measured_on_fewer_puzzles() {
    // From the third puzzle on, every run on a puzzle hangs.
    let count = tempfile::NamedTempFile::new().unwrap();
    let path = count.path().display();
    let script =
        format!("grep -q 0 || exit; echo >> {path}; [ $(wc -l < {path}) -lt 3 ] || $SLEEP; {}", answer());
    let (code, pair) = program(&script, "4s", &[]);
    let error = pair["error"].as_str().unwrap_or_default();
    assert!(code == Some(4) && error.contains("a pass did not end within"), "{error}");
    // With a time limit for each puzzle, puzzles on which the program hangs are aborted, and the pair is measured.
    let arguments = ["--max-time-per-puzzle", "20ms", "--keep-puzzles"];
    let (code, pair) = program("grep -q 0 || exit; $SLEEP; true", ENOUGH, &arguments);
    assert_eq!((code, &pair["error"]), (Some(0), &serde_json::Value::Null));
    assert_eq!(pair["statuses"][0]["status"], "aborted");
    assert_eq!(
        (&pair["par2"]["limit_ns"], &pair["par2"]["mean_ns"]),
        (&20_000_000.into(), &40_000_000.0.into())
    );
    assert!(pair["latency_ns"]["p50"].as_u64().unwrap() >= 20_000_000);
}

#[test]
fn records_of_programs_are_read_by_all_commands() {
    let folder = folder();
    std::fs::write(folder.path().join("engine"), answer()).unwrap();
    let mut bench = bench(folder.path(), "e=sh engine", ENOUGH);
    bench.args(["--engine-protocol", "boj2580", "--budgets", "boj2580", "--keep-puzzles"]);
    let ended = bench.output().unwrap();
    let text = String::from_utf8_lossy(&ended.stdout);
    let (before, rest) = text.split_once("puzzles.txt: search").unwrap();
    let (search, system) = rest.split_once("puzzles.txt: operating system").unwrap();
    let (_, latency) = before.split_once("latency, from entering the solver to the answer").unwrap();
    let row_of = |table: &str| table.lines().any(|line| line.trim_start().starts_with("e "));
    assert!(row_of(latency) && !row_of(search) && row_of(system), "{text}");
    let exports = [
        "--export-html",
        "r.html",
        "--export-csv",
        "r.csv",
        "--export-markdown",
        "r.md",
        "--export-junit",
        "r.xml",
    ];
    for command in [
        [&["report", "record.json"], &exports[..]].concat(),
        vec!["compare", "record.json", "record.json"],
        vec!["gate", "--record", "record.json", "--limits", "p99=10m"],
    ] {
        let ended =
            Command::new(env!("CARGO_BIN_EXE_sudobench")).args(&command).current_dir(folder.path()).output();
        let ended = ended.unwrap();
        assert_eq!(ended.status.code(), Some(0), "{command:?}: {}", String::from_utf8_lossy(&ended.stderr));
    }
}

#[test]
fn an_unsuitable_protocol_is_reported() {
    let rows: [(&[&str], &str); 7] = [
        (
            &["files"],
            "`sh engine` has no {input}: with --engine-protocol files, write {input} in the command",
        ),
        (&["e=pipes"], "write lines, files, library, boj2580 or boj2239"),
        (&["f=files"], "--engine-protocol: there is no engine `f`"),
        (&["lines", "files"], "--engine-protocol: there are two values for all engines"),
        (&["e=lines", "e=files"], "--engine-protocol: there are two values for `e`"),
        (&["=files"], "--engine-protocol: there is no engine ``"),
        (&["Lines"], "write lines"),
    ];
    for (protocols, words) in rows {
        let folder = folder();
        let mut bench = bench(folder.path(), "e=sh engine", "1s");
        protocols.iter().for_each(|protocol| {
            bench.args(["--engine-protocol", protocol]);
        });
        let ended = bench.output().unwrap();
        let said = String::from_utf8_lossy(&ended.stderr).replace('\n', " ");
        let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(ended.status.code(), Some(2), "{protocols:?}: {said}");
        assert!(said.contains(words), "{protocols:?}: {said}");
    }
    let folder = folder();
    let mut missing = bench(folder.path(), "e=./no-such-program", "1s");
    let missing = missing.args(["--engine-protocol", "boj2580"]).output().unwrap();
    assert_eq!(missing.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&missing.stderr).contains("there is no program `./no-such-program`"));
    std::fs::write(folder.path().join("engine"), "").unwrap();
    let mut locked = bench(folder.path(), "e=./engine", "1s");
    let locked = locked.args(["--engine-protocol", "boj2580"]).output().unwrap();
    assert_eq!(locked.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&locked.stderr).contains("`./engine` is not executable"));
    let alone = Command::new(env!("CARGO_BIN_EXE_sudobench"))
        .args(["bench", "puzzles.txt", "--same-puzzles", "--engine-protocol", "files"])
        .output()
        .unwrap();
    assert_eq!(alone.status.code(), Some(2), "a protocol without an engine");
    let mut without = bench(folder.path(), "e=./solve {input}", "1s");
    let without = without.output().unwrap();
    assert_eq!(without.status.code(), Some(2));
    let words =
        "has {input}, which means a file only with --engine-protocol files: add --engine-protocol e=files";
    assert!(String::from_utf8_lossy(&without.stderr).contains(words));
    for (arguments, words) in [
        (["--engine-answers", "e=some"], "write any, unique or count, or NAME=KIND for one engine"),
        (["--engine-answers", "f=any"], "--engine-answers: there is no engine `f`"),
    ] {
        let refused = bench(folder.path(), "e=cat", "1s").args(arguments).output().unwrap();
        let said = String::from_utf8_lossy(&refused.stderr).split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(refused.status.code() == Some(2) && said.contains(words), "{said}");
    }
    let mut program = bench(folder.path(), "e=cat", "1s");
    let refused =
        program.args(["--engine-protocol", "boj2580", "--engine-answers", "unique"]).output().unwrap();
    assert_eq!(refused.status.code(), Some(2));
    let words = "--engine-answers e=unique does not fit --engine-protocol boj2580, with which an engine may";
    assert!(String::from_utf8_lossy(&refused.stderr).contains(words));
}

#[test]
fn an_interrupt_ends_a_run_with_any_engine() {
    for (signal, script, protocol) in [
        ("-INT", "$SLEEP; true".to_owned(), "lines"),
        ("-TERM", format!("trap '' TERM INT; read line || exit 0; {}; $SLEEP >&2", solve()), "lines"),
        ("-QUIT", "$SLEEP; true".to_owned(), "lines"),
        ("-INT", "$SLEEP; true".to_owned(), "boj2580"),
        ("-TERM", format!("trap '' TERM INT; grep -q 0 || exit; {}; $SLEEP & wait", answer()), "boj2580"),
    ] {
        let (folder, sleep) = (folder(), unique_sleep());
        let script = script.replace("$SLEEP", &format!("sleep {sleep}"));
        std::fs::write(folder.path().join("engine"), script).unwrap();
        let mut bench = bench(folder.path(), "e=sh engine", "1h");
        let mut child = bench.args(["--engine-protocol", protocol]).stdout(Stdio::null()).spawn().unwrap();
        let start = Instant::now();
        while !runs(&sleep) {
            assert!(start.elapsed() < BOUND, "the engine does not start");
            std::thread::sleep(Duration::from_millis(10));
        }
        Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
        let start = Instant::now();
        assert_eq!(child.wait().unwrap().code(), Some(130));
        assert!(start.elapsed() < BOUND);
        assert_gone(&sleep);
        let record = std::fs::read_to_string(folder.path().join("record.json")).unwrap();
        assert!(record.contains("interrupted before"), "{record}");
    }
}

#[test]
fn no_process_outlives_a_killed_run() {
    let alone = if cfg!(target_os = "linux") { "setsid " } else { "" };
    for protocol in ["lines", "boj2580"] {
        let (folder, sleep) = (folder(), unique_sleep());
        std::fs::write(folder.path().join("engine"), format!("sleep {sleep} & {alone}sleep {sleep}; true"))
            .unwrap();
        let mut bench = bench(folder.path(), "e=sh engine", "1h");
        let mut child = bench.args(["--engine-protocol", protocol]).stdout(Stdio::null()).spawn().unwrap();
        let start = Instant::now();
        while !runs(&sleep) {
            assert!(start.elapsed() < BOUND, "the engine does not start");
            std::thread::sleep(Duration::from_millis(10));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        assert_gone(&sleep);
    }
}
