//! Engines as they should not be: whatever they do, `bench` ends, says what they did, and leaves nothing of them.
#![cfg(unix)]

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::bench::{PUZZLE, SOLUTION, folder};

/// Far beyond what any run here takes, and far below what the engines would sleep.
pub(super) const BOUND: Duration = Duration::from_secs(60);

/// A time to sleep that no other process sleeps: by it the sleeper is found.
pub(super) fn unique_sleep() -> String {
    use std::sync::atomic::{AtomicUsize, Ordering};
    static USED: AtomicUsize = AtomicUsize::new(0);
    format!("{}.{:06}", 100_000 + std::process::id(), USED.fetch_add(1, Ordering::Relaxed))
}

/// Whether a process has this word on its command line.
#[cfg(target_os = "linux")]
pub(super) fn runs(word: &str) -> bool {
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    processes
        .filter_map(|process| std::fs::read(process.path().join("cmdline")).ok())
        .any(|line| line.split(|&byte| byte == 0).any(|other| other == word.as_bytes()))
}

#[cfg(not(target_os = "linux"))]
pub(super) fn runs(word: &str) -> bool {
    let listed = Command::new("ps").args(["-eww", "-o", "args="]).output().unwrap();
    let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
    listed.lines().any(|line| line.split_whitespace().any(|other| other == word))
}

#[track_caller]
pub(super) fn assert_gone(sleep: &str) {
    let start = Instant::now();
    while runs(sleep) {
        assert!(start.elapsed() < Duration::from_secs(10), "`sleep {sleep}` is left");
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn bench(folder: &Path, engine: &str, max_time: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sudobench"));
    command
        .args(["bench", "puzzles.txt", "--solvers", "null", "--rounds", "3", "--min-time", "0s", "-q"])
        .args(["--max-time-per-pair", max_time, "--export-json", "record.json", "--engine", engine])
        .current_dir(folder);
    command
}

/// Runs a script as an engine, with `$SLEEP` for a sleep of ten minutes and more. Returns the exit code and what the
/// record says against it.
#[track_caller]
fn script(script: &str) -> (Option<i32>, String) {
    let folder = folder();
    let sleep = unique_sleep();
    std::fs::write(folder.path().join("engine"), script.replace("$SLEEP", &format!("sleep {sleep}")))
        .unwrap();
    let start = Instant::now();
    let ended = bench(folder.path(), "e=sh engine", "1s").output().unwrap();
    assert!(start.elapsed() < BOUND, "{script}: {:?}", start.elapsed());
    assert_gone(&sleep);
    let text = std::fs::read_to_string(folder.path().join("record.json")).unwrap();
    let record: serde_json::Value = serde_json::from_str(&text).unwrap();
    let pair = record["pairs"].as_array().unwrap().iter().find(|pair| pair["solver"] == "e").unwrap();
    (ended.status.code(), pair["error"].as_str().unwrap_or_default().to_owned())
}

#[track_caller]
fn assert_fault(text: &str, words: &str) {
    let (code, error) = script(text);
    assert_eq!(code, Some(4), "{text}: {error}");
    assert!(error.contains(words), "{text}: {error}");
}

#[track_caller]
fn assert_measured(text: &str) {
    assert_eq!(script(text), (Some(0), String::new()), "{text}");
}

/// Answers all puzzles; a script goes on with it.
fn solve() -> String {
    format!("sed s/.*/{SOLUTION}/")
}

#[test]
fn one_that_hangs_is_given_up_with_all_that_it_started() {
    assert_fault(
        "$SLEEP; true",
        "on an empty input it did not end within 250ms, a quarter of --max-time-per-pair",
    );
    assert_fault("$SLEEP & $SLEEP & wait", "did not end within");
    assert_fault("trap '' TERM INT HUP; $SLEEP; true", "did not end within");
    assert_fault("(trap '' TERM; setsid $SLEEP) & $SLEEP", "did not end within");
    // Only where there is something to read.
    assert_fault(
        "read line || exit 0; $SLEEP; true",
        "no answer within 250ms, a quarter of --max-time-per-pair",
    );
}

#[test]
fn half_of_the_answers_are_measured_but_not_where_the_rest_hangs() {
    assert_fault(
        &format!("read line || exit 0; echo {SOLUTION}; read line; echo {SOLUTION}; $SLEEP; true"),
        "a pass did not end within",
    );
}

#[test]
fn what_is_left_in_the_background_holds_nobody_up() {
    let solve = solve();
    assert_measured(&format!("$SLEEP & {solve}"));
    assert_measured(&format!("$SLEEP >&2 & {solve}"));
    assert_measured(&format!("$SLEEP 2>/dev/null & {solve}"));
    assert_measured(&format!("$SLEEP >/dev/null 2>&1 </dev/null & {solve}"));
    assert_fault("$SLEEP &", "0 lines of output for 4 puzzles");
    // A process of the background may be who answers.
    assert_measured(&format!("exec 3<&0; {solve} <&3 &"));
}

#[cfg(target_os = "linux")]
#[test]
fn what_left_its_group_is_found() {
    let solve = solve();
    assert_measured(&format!("setsid $SLEEP >/dev/null 2>&1 </dev/null & {solve}"));
    assert_measured(&format!("(setsid sh -c '$SLEEP & wait' &) ; {solve}"));
}

#[test]
fn output_without_end_is_stopped() {
    assert_fault("yes", "more than 1048576 bytes of output for 0 puzzles");
    assert_fault(
        "read line || exit 0; yes",
        "more lines of output than the 4 puzzles asked for: an engine prints one line for each; its first line, \
         `y`, holds no solution: is it a banner?",
    );
    assert_fault("yes >&2", "did not end within");
    assert_fault("read line || exit 0; yes | tr -d '\\n'", "bytes of output for 4 puzzles");
    assert_fault("read line || exit 0; cat /dev/zero", "bytes of output for 4 puzzles");
    assert_measured(&format!("head -c 10000000 /dev/zero >&2; {}", solve()));
}

#[test]
fn more_and_fewer_lines_than_puzzles_are_told() {
    let solve = solve();
    assert_fault(&format!("{solve}; echo done"), "more lines of output than the 4 puzzles");
    assert_fault("head -n 3", "3 lines of output for 4 puzzles");
    assert_fault("cat >/dev/null", "0 lines of output for 4 puzzles");
    assert_fault("exec >&-; cat >/dev/null; $SLEEP", "did not end within");
}

#[test]
fn a_wrong_answer_is_told_with_what_was_printed() {
    let solve = solve();
    assert_fault(
        &format!("read line || exit 0; printf 'Solver 2.0\\033[31m\\n' && {solve}"),
        "its answer is `unsolvable`, but auto solves it; for it the engine printed `Solver 2.0\\u{1b}[31m`, and on the next line an answer: does it print \
         a banner first?",
    );
    assert_fault(
        &format!("echo Solver 2.0; {solve}"),
        "its first line, `Solver 2.0`, holds no solution: is it a banner?",
    );
    let wrong = format!("435{}", &SOLUTION[3..]);
    assert_fault(
        &format!("sed s/.*/{PUZZLE},{wrong}/"),
        &format!("is wrong: cell 0 differs from the clue; for it the engine printed `{PUZZLE},{wrong}`"),
    );
    assert_fault("head -c 81 /dev/urandom | tr '\\n' x; echo; head -n 3", "for it the engine printed `");
}

#[test]
fn one_that_ends_badly_is_told_with_its_words() {
    assert_fault("echo no table >&2; exit 3", "`sh` ended with exit status: 3: no table");
    assert_fault("kill -SEGV $$", "`sh` ended with signal: 11");
    let folder = folder();
    std::fs::write(folder.path().join("engine"), "").unwrap();
    let ended = bench(folder.path(), "e=./engine", "1s").output().unwrap();
    assert_eq!(ended.status.code(), Some(4));
    assert!(String::from_utf8_lossy(&ended.stdout).contains("cannot start `./engine`: Permission denied"));
}

#[test]
fn an_interrupt_ends_a_run_whatever_an_engine_does() {
    for (signal, script) in [
        ("-INT", "$SLEEP; true".to_owned()),
        ("-TERM", format!("trap '' TERM INT; read line || exit 0; {}; $SLEEP >&2", solve())),
    ] {
        let (folder, sleep) = (folder(), unique_sleep());
        let script = script.replace("$SLEEP", &format!("sleep {sleep}"));
        std::fs::write(folder.path().join("engine"), script).unwrap();
        let mut child = bench(folder.path(), "e=sh engine", "1h").stdout(Stdio::null()).spawn().unwrap();
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
fn nothing_outlives_a_run_that_is_killed() {
    let alone = if cfg!(target_os = "linux") { "setsid " } else { "" };
    let (folder, sleep) = (folder(), unique_sleep());
    std::fs::write(folder.path().join("engine"), format!("sleep {sleep} & {alone}sleep {sleep}; true"))
        .unwrap();
    let mut child = bench(folder.path(), "e=sh engine", "1h").stdout(Stdio::null()).spawn().unwrap();
    let start = Instant::now();
    while !runs(&sleep) {
        assert!(start.elapsed() < BOUND, "the engine does not start");
        std::thread::sleep(Duration::from_millis(10));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert_gone(&sleep);
}
