//! Ctrl-C and `--resume`.
#![cfg(unix)]

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
#[cfg(target_os = "linux")]
use std::process::ChildStdin;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::common::{ENDLESS, MONSTER, wait_a_minute};
use super::{Ran, command, dataset, sample, solve, solve_input};

/// Writes 700 rows. With the options [`SLOW`], each row is aborted at its time limit, and all rows together take about two seconds.
fn slow_input(folder: &Path) -> String {
    let path = folder.join("slow.txt");
    fs::write(&path, format!("{MONSTER}\n").repeat(700)).unwrap();
    path.to_str().unwrap().to_owned()
}

/// Options for the rows of [`slow_input`]. Progress is turned off, because on a busy machine the run may take so long that it prints lines
/// of progress, which the tests do not expect.
pub(super) const SLOW: [&str; 10] = [
    "--solver",
    "blank-scan",
    "--max-time-per-puzzle",
    "3ms",
    "--threads",
    "1",
    "--columns",
    "status",
    "--progress",
    "never",
];

/// Waits until a file has at least this many bytes.
pub(super) fn wait_for(path: &Path, bytes: u64) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while fs::metadata(path).map_or(0, |found| found.len()) < bytes {
        assert!(Instant::now() < deadline, "no output within a minute");
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Sends the signal of Ctrl-C twice without a pause, as GNU `timeout` does. The program counts both signals as one.
pub(super) fn interrupt(child: &Child) {
    let process = child.id().to_string();
    let killed = Command::new("kill").args(["-INT", &process, &process]).status().unwrap();
    assert!(killed.success());
}

/// Starts a run, interrupts it as soon as its partial output has rows, and returns how it ended.
pub(super) fn interrupted(arguments: &[&str], partial: &Path) -> Ran {
    let mut command = command();
    command.arg("solve").args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    wait_for(partial, 1000);
    interrupt(&child);
    wait_a_minute(&mut child);
    Ran::of(child.wait_with_output().unwrap())
}

/// Starts a run that writes `out`, and ends it by a signal as soon as its partial output has 2,000 bytes. On a busy machine, the run may end
/// before the signal comes. The run is then repeated, from the same partial output as before.
pub(super) fn ended_early(arguments: &[&str], out: &Path, signal: &str) -> std::process::Output {
    let state = [".partial", ".partial.json"].map(|end| beside(out, end));
    let before = state.each_ref().map(|path| fs::read(path).ok());
    for _ in 0..20 {
        let child = command().args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let deadline = Instant::now() + Duration::from_secs(60);
        while fs::metadata(&state[0]).map_or(0, |found| found.len()) < 2000 && !out.exists() {
            assert!(Instant::now() < deadline, "no output within a minute");
            std::thread::sleep(Duration::from_millis(2));
        }
        // If the child process has ended, its number is not given to another process before this process waits for the child. So the
        // signal can't reach a wrong process.
        assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
        let ended = child.wait_with_output().unwrap();
        if !out.exists() {
            return ended;
        }
        fs::remove_file(out).unwrap();
        let _ = fs::remove_file(beside(out, ".resume.json"));
        for (path, content) in state.iter().zip(&before) {
            content.iter().for_each(|content| fs::write(path, content).unwrap());
        }
    }
    panic!("each run ended before the signal came: {arguments:?}");
}

/// Writes rows that make several blocks and take almost no time.
fn blocks_input(folder: &Path) -> String {
    let path = folder.join("blocks.txt");
    let rows: String = sample().iter().cycle().take(300).map(|(puzzle, _)| format!("{puzzle}\n")).collect();
    fs::write(&path, rows).unwrap();
    path.to_str().unwrap().to_owned()
}

/// Options for a solver that solves one puzzle at a time, so that blocks are small.
pub(super) const QUICK: [&str; 6] = ["--solver", "mrv", "--threads", "1", "--columns", "status"];

/// Stops a run after two written blocks, as an interrupt would.
#[track_caller]
pub(super) fn stopped(arguments: &[&str]) -> Ran {
    solve(&[arguments, &["--stop-after-blocks", "2"]].concat()).expect(130)
}

#[test]
fn the_page_of_an_interrupted_run_is_not_replaced_by_other_puzzles() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("steps.html");
    let mut command = command();
    command.args(["explain", "--export-html"]).arg(&page).stdin(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    // A pipe can't hold this much text, so the program has begun to read when the write ends.
    write!(input, "{MONSTER}\n{}", "# comment\n".repeat(30_000)).unwrap();
    interrupt(&child);
    let ran = Ran::of(child.wait_with_output().unwrap()).expect(130);
    assert!(ran.stderr.contains("run the command again") && !ran.stderr.contains("--skip"), "{}", ran.stderr);
    drop(input);
}

#[test]
fn an_interrupted_run_leaves_complete_rows_and_can_be_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let (input, out) = (slow_input(folder.path()), folder.path().join("out.csv"));
    let partial = folder.path().join("out.csv.partial");
    let arguments = [&[input.as_str(), "-o", out.to_str().unwrap()], &SLOW[..]].concat();
    let ran = interrupted(&arguments, &partial).expect(130);
    assert!(ran.stderr.contains("continue with the same options and --resume"), "{}", ran.stderr);
    let left = fs::read_to_string(&partial).unwrap();
    let rows = left.lines().count() - 1;
    assert!(left.ends_with("aborted\n") && (1..700).contains(&rows), "{rows} rows");

    // A run without --resume is refused, so the rows of the interrupted run are not lost.
    let refused = solve(&arguments).expect(1);
    assert!(refused.stderr.contains("is from a run that did not finish"), "{}", refused.stderr);
    let other = [&arguments[..], &["--resume", "--max-nodes", "5"]].concat();
    assert!(solve(&other).expect(1).stderr.contains("from a run with different --max-nodes"));

    // An incomplete last row, as after a crash, is written again.
    fs::write(&partial, format!("{left}{}", &MONSTER[..30])).unwrap();
    let resumed = solve(&[&arguments[..], &["--resume"]].concat()).expect(4);
    assert!(
        resumed.stderr.contains(&format!("{rows} rows of these from an earlier run")),
        "{}",
        resumed.stderr
    );
    assert!(resumed.stderr.starts_with("700 rows in "), "{}", resumed.stderr);
    let whole = fs::read_to_string(&out).unwrap();
    let expected = format!("puzzle,status\n{}", format!("{MONSTER},aborted\n").repeat(700));
    assert!(whole == expected, "{} lines", whole.lines().count());
    assert!(!partial.exists());
    assert_eq!(
        fs::read_dir(&folder).unwrap().count(),
        3,
        "only the input, the output and the record of the output are left"
    );
}

/// Starts a run over `input` and kills it when it has written something. The run waits for more input, so it cannot end before it is
/// killed.
fn kill_waiting(arguments: &[&str], input: &str, partial: &Path) {
    let mut child = command().arg("solve").args(arguments).stdin(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(input.as_bytes()).unwrap();
    wait_for(partial, 1000);
    child.kill().unwrap();
    child.wait().unwrap();
}

/// Puzzles of a batch are solved together, and their counters depend on the whole batch. So if a run ended within a batch, the resumed run
/// must solve the whole batch again.
#[test]
fn a_run_killed_within_a_block_is_resumed_with_the_same_counters() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.csv");
    let partial = folder.path().join("out.csv.partial");
    // Without their first clues, puzzles have many solutions. The nodes of such a puzzle depend on the other puzzles of its batch.
    let thinned = |(puzzle, _): &(String, String)| format!("{}{}\n", ".".repeat(20), &puzzle[20..]);
    let input = sample().iter().map(thinned).collect::<String>().repeat(250);
    let arguments =
        ["-o", out.to_str().unwrap(), "--columns", "solution,nodes,guesses", "--input-format", "lines"];
    solve_input(input.as_bytes(), &[&arguments[..], &["--force"]].concat()).expect(0);
    let whole = fs::read_to_string(&out).unwrap();
    fs::remove_file(&out).unwrap();

    kill_waiting(&arguments, &input, &partial);
    // Rows after the last checkpoint, and an incomplete last row, are written again.
    let mut torn = fs::read(&partial).unwrap();
    torn.extend_from_slice(&whole.as_bytes()[..100]);
    fs::write(&partial, torn).unwrap();
    let resumed = solve_input(input.as_bytes(), &[&arguments[..], &["--resume"]].concat()).expect(0);
    assert!(fs::read_to_string(&out).unwrap() == whole, "{}", resumed.stderr);
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 2, "only the output and its record are left");
}

#[test]
fn a_changed_output_is_not_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let (input, out) = (blocks_input(folder.path()), folder.path().join("out.csv"));
    let partial = folder.path().join("out.csv.partial");
    let arguments = [&[input.as_str(), "-o", out.to_str().unwrap()], &QUICK[..], &["--resume"]].concat();
    stopped(&arguments);
    let left = fs::read_to_string(&partial).unwrap();
    let without_a_row: String = left.lines().skip(1).map(|line| format!("{line}\n")).collect();
    for (changed, words) in
        [(without_a_row, "it was truncated"), (left.replace("unique", "eunuqi"), "was changed after the run")]
    {
        fs::write(&partial, changed).unwrap();
        assert!(solve(&arguments).expect(1).stderr.contains(words));
    }
}

#[test]
fn another_input_is_not_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let (input, out) = (blocks_input(folder.path()), folder.path().join("out.csv"));
    let arguments = [&[input.as_str(), "-o", out.to_str().unwrap()], &QUICK[..]].concat();
    stopped(&arguments);
    fs::write(&input, format!("{}\n", sample()[0].0)).unwrap();
    let ran = solve(&[&arguments[..], &["--resume"]].concat()).expect(1);
    assert!(ran.stderr.contains("from a run with different input 1"), "{}", ran.stderr);
    let forced = solve(&[&arguments[..], &["--force"]].concat());
    assert!(forced.code == 0 || forced.code == 4, "{}", forced.stderr);
    assert!(out.exists());
}

#[test]
fn resuming_without_a_partial_file_starts_at_the_beginning() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.csv");
    solve(&[&dataset("sample.csv"), "-o", out.to_str().unwrap(), "--resume", "-q"]).expect(0);
    assert_eq!(fs::read_to_string(&out).unwrap().lines().count(), 61);
}

#[test]
fn an_interrupt_does_not_wait_for_a_hard_puzzle() {
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("endless.txt");
    // There are enough easy rows to fill blocks before the puzzle that never ends.
    let easy = format!("{}\n", sample()[0].0).repeat(200);
    fs::write(&input, format!("{easy}{ENDLESS}\n{easy}")).unwrap();
    let out = folder.path().join("out.csv");
    let arguments =
        [input.to_str().unwrap(), "-o", out.to_str().unwrap(), "--solver", "blank-scan", "--threads", "1"];
    let ran = interrupted(&arguments, &folder.path().join("out.csv.partial")).expect(130);
    assert!(ran.stderr.contains("interrupted after"), "{}", ran.stderr);
}

#[test]
fn a_shorter_pipe_does_not_complete_the_output() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.csv");
    let partial = folder.path().join("out.csv.partial");
    let arguments = ["-o", out.to_str().unwrap(), "--threads", "1", "--input-format", "lines"];
    let row = format!("{}\n", sample()[0].0);
    let mut child = command().arg("solve").args(arguments).stdin(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    // Writes rows to standard input until a checkpoint contains some of them.
    let told = || -> Option<u64> {
        let state = fs::read(folder.path().join("out.csv.partial.json")).ok()?;
        let state: serde_json::Value = serde_json::from_slice(&state).ok()?;
        state["checkpoint"]["output"]["bytes"].as_u64()
    };
    let (mut rows, deadline) = (0, Instant::now() + Duration::from_secs(60));
    while told().is_none_or(|told| told <= 7 * 200) {
        assert!(Instant::now() < deadline, "no checkpoint within a minute");
        stdin.write_all(row.repeat(10_000).as_bytes()).unwrap();
        rows += 10_000;
        std::thread::sleep(Duration::from_millis(20));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let resumed = solve_input(row.repeat(7).as_bytes(), &[&arguments[..], &["--resume"]].concat()).expect(1);
    assert!(
        resumed.stderr.contains("standard input is not the same as when the earlier run read it"),
        "{}",
        resumed.stderr
    );
    assert!(partial.exists() && !out.exists());
    solve_input(row.repeat(rows).as_bytes(), &[&arguments[..], &["--resume", "-q"]].concat()).expect(0);
    assert_eq!(fs::read_to_string(&out).unwrap().lines().count(), rows + 1);
}

/// Interrupts a run that reads `input` and writes `out`, so that a partial output is left at `out` with `.partial` added to its name.
fn leave_part(input: &str, out: &Path) {
    let arguments = [&[input, "-o", out.to_str().unwrap()], &SLOW[..]].concat();
    interrupted(&arguments, &beside(out, ".partial")).expect(130);
}

/// Returns the path with `end` added to it.
fn beside(path: &Path, end: &str) -> PathBuf {
    PathBuf::from(format!("{}{end}", path.display()))
}

#[test]
fn an_output_has_one_writer() {
    let folder = tempfile::tempdir().unwrap();
    let (input, out) = (slow_input(folder.path()), folder.path().join("out.csv"));
    let arguments = [&[input.as_str(), "-o", out.to_str().unwrap()], &SLOW[..]].concat();
    // After the rows of the file, the first run waits for more rows on standard input, so it does not end before the second run.
    let both = [&arguments[..], &["-", "-q"]].concat();
    let mut first = command().arg("solve").args(both).stdin(Stdio::piped()).spawn().unwrap();
    let mut stdin = first.stdin.take().unwrap();
    wait_for(&beside(&out, ".partial"), 1000);
    // A second run is also refused if it uses another name of the output or other options.
    let link = folder.path().join("link.csv");
    std::os::unix::fs::symlink("out.csv", &link).unwrap();
    let by_link = [&[input.as_str(), "-o", link.to_str().unwrap()], &SLOW[..]].concat();
    for (arguments, more) in
        [(&arguments, ""), (&arguments, "--resume"), (&arguments, "--force"), (&by_link, "--resume")]
    {
        let more: &[&str] = if more.is_empty() { &[] } else { &[more] };
        let second = solve(&[arguments, more].concat()).expect(1);
        let words = format!("is being written by process {}", first.id());
        assert!(second.stderr.contains(&words), "{}", second.stderr);
    }
    assert!(first.try_wait().unwrap().is_none(), "the first run still waits");
    writeln!(stdin, "{MONSTER}").unwrap();
    drop(stdin);
    assert_eq!(first.wait().unwrap().code(), Some(4));
    let whole = fs::read_to_string(&out).unwrap();
    assert!(whole == format!("puzzle,status\n{}", format!("{MONSTER},aborted\n").repeat(701)));
}

#[test]
fn options_that_decide_the_bytes_are_compared() {
    let folder = tempfile::tempdir().unwrap();
    let (input, out) = (blocks_input(folder.path()), folder.path().join("out.csv"));
    let bare = fs::read_to_string(&input).unwrap();
    // The rows have two columns, and the second contains a semicolon. So with another delimiter or header, the run would read other columns
    // or rows.
    let rows: String = bare.lines().map(|line| format!("{line},a;b\n")).collect();
    fs::write(&input, rows).unwrap();
    stopped(&[&[&input, "-o", out.to_str().unwrap()], &QUICK[..]].concat());
    let resumed = |more: &[&str]| {
        solve(&[&[&input, "-o", out.to_str().unwrap(), "--resume"], &QUICK[..], more].concat())
    };
    for (more, what) in [
        (&["--header", "yes"][..], "different --header or header of the input"),
        (
            &["--delimiter", ";", "--puzzle-column", "1", "--input-format", "csv", "--header", "no"],
            "different --delimiter",
        ),
        (&["--limit", "200"], "different --limit"),
        (&["--skip", "1"], "different --skip"),
        (&["--output-format", "jsonl"], "different --output-format"),
        (&["--only", "unique"], "different --only"),
        (&["--budgets", "1s"], "different --budgets"),
    ] {
        let refused = resumed(more);
        assert!(refused.code != 0 && refused.stderr.contains(what), "{more:?}: {}", refused.stderr);
    }
    assert!(resumed(&[]).expect(0).stderr.starts_with("300 rows in "));
}

#[test]
fn an_input_edited_after_its_start_is_not_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let (input, out) = (folder.path().join("in.txt"), folder.path().join("out.csv"));
    // The input has more than a MiB, and most of it is read before the run stops.
    let rows = format!("{}\n", sample()[0].0).repeat(20_000);
    fs::write(&input, &rows).unwrap();
    let modified = fs::metadata(&input).unwrap().modified().unwrap();
    let arguments = [&[input.to_str().unwrap(), "-o", out.to_str().unwrap()], &QUICK[..]].concat();
    solve(&[&arguments[..], &["--stop-after-blocks", "110"]].concat()).expect(130);
    let answered = fs::read_to_string(beside(&out, ".partial")).unwrap().lines().count();
    assert!((15_000..20_000).contains(&answered), "{answered} rows");

    let resume = [&arguments[..], &["--resume"]].concat();
    // The edited input has the same size and the same modification time.
    let at = 14_000 * 82;
    let edited = format!("{}1{}", &rows[..at], &rows[at + 1..]);
    assert_ne!(edited, rows);
    let write = |text: &str, modified| {
        fs::write(&input, text).unwrap();
        fs::File::options().write(true).open(&input).unwrap().set_modified(modified).unwrap();
    };
    write(&edited, modified);
    let refused = solve(&resume).expect(1);
    assert!(refused.stderr.contains("is not the same as when the earlier run read it"), "{}", refused.stderr);
    write(&rows, modified + Duration::from_secs(1));
    let refused = solve(&resume).expect(1);
    assert!(refused.stderr.contains("from a run with different input 1"), "{}", refused.stderr);
    write(&rows, modified);
    assert!(solve(&resume).expect(0).stderr.starts_with("20,000 rows in "));
}

#[test]
fn a_resumed_run_reports_the_whole_run() {
    let folder = tempfile::tempdir().unwrap();
    let (input, out) = (slow_input(folder.path()), folder.path().join("out.csv"));
    let record = folder.path().join("record.json");
    // The first row is malformed, and the last 30 rows are easy puzzles, which are solved.
    let rows = fs::read_to_string(&input).unwrap();
    let good = format!("{}\n", sample()[0].0).repeat(30);
    fs::write(&input, format!("{rows}{good}").replacen("...", "..!", 1)).unwrap();
    leave_part(&input, &out);
    let arguments = [&[input.as_str(), "-o", out.to_str().unwrap()], &SLOW[..], &["--resume"]].concat();
    let resumed = solve(&[&arguments[..], &["--export-json", record.to_str().unwrap()]].concat()).expect(4);
    assert!(resumed.stderr.contains("slow.txt:1: malformed: "), "{}", resumed.stderr);
    assert!(resumed.stderr.contains("730 rows in "), "{}", resumed.stderr);
    let record: serde_json::Value = serde_json::from_slice(&fs::read(record).unwrap()).unwrap();
    let of = |status: &str| {
        let statuses = record["statuses"].as_array().unwrap();
        statuses.iter().find(|entry| entry["status"] == status).unwrap()["rows"].as_u64().unwrap()
    };
    // On a busy machine, some of the easy puzzles may take 3 ms or more, and are then aborted as well.
    assert_eq!((of("malformed"), of("aborted") + of("unique")), (1, 729));
    assert!((699..729).contains(&of("aborted")), "{record}");
    assert_eq!(record["latency_ns"]["puzzles"], 729);
    assert_eq!(record["budgets"][0]["of"], 729);
    // The time contains both runs: at least 3 ms for each aborted puzzle.
    assert!(record["wall_ns"].as_u64().unwrap() >= 699 * 3_000_000);
    assert_eq!(record["inputs"][0]["bytes"], fs::metadata(&input).unwrap().len());

    // If the command is repeated, it ends with the same exit code: a failure does not become a success.
    let again = solve(&arguments).expect(4);
    assert!(again.stderr.contains("out.csv is complete; nothing was done"), "{}", again.stderr);
    assert!(again.stderr.contains("slow.txt:1: malformed: "), "{}", again.stderr);
    assert_eq!(solve(&[&arguments[..], &["-q"]].concat()).expect(4).stderr, "");
}

#[test]
fn a_run_killed_before_writing_starts_again() {
    let folder = tempfile::tempdir().unwrap();
    let (input, out) = (dataset("sample.csv"), folder.path().join("out.csv"));
    fs::write(beside(&out, ".partial"), "").unwrap();
    solve(&[&input, "-o", out.to_str().unwrap(), "--resume", "-q"]).expect(0);
    assert_eq!(fs::read_to_string(&out).unwrap().lines().count(), 61);
    // If a run is killed after it renamed its output and before it removed its state file, the state file remains.
    fs::write(beside(&out, ".partial.json"), "{}").unwrap();
    solve(&[&input, "-o", out.to_str().unwrap(), "--resume", "-q"]).expect(0);
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 2);
}

/// A run first writes its exports and then renames its output. So if an export fails, the output is still a partial file, and the run can
/// be resumed to write the export. If a run can't be resumed, its output is renamed even if an export fails.
#[test]
#[cfg(target_os = "linux")]
fn a_run_without_its_export_can_be_resumed() {
    let sample = dataset("sample.csv");
    let verbs: [(&[&str], bool); 6] = [
        (&["solve", &sample], true),
        (&["dedupe", &sample], true),
        (&["rate", &sample, "--stratify", "3"], true),
        (&["overlap", &sample, "--with", &sample, "--keep", "all"], true),
        (&["rate", &sample, "--order-by", "guesses"], false),
        (&["score", &sample, "--prediction-column", "solution", "--pass-at", "1"], false),
    ];
    for (verb, is_resumed) in verbs {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
        let run = |out: &str, export: &str, code: i32| {
            let resume = if is_resumed { "--resume" } else { "--force" };
            let mut command = command();
            let words = [resume, "-q", "-o", &at(out), "--export-json", export];
            Ran::of(command.args(verb).args(words).output().unwrap()).expect(code)
        };
        run("whole.csv", &at("whole.json"), 0);
        let failed = run("out.csv", "/dev/full", 1);
        assert!(failed.stderr.contains("cannot write /dev/full: No space left"), "{}", failed.stderr);
        assert_eq!(fs::exists(at("out.csv")).unwrap(), !is_resumed, "{verb:?}");
        assert_eq!(fs::exists(at("out.csv.partial")).unwrap(), is_resumed, "{verb:?}");
        if is_resumed {
            assert!(failed.stderr.contains("continue with --resume"), "{}", failed.stderr);
            run("out.csv", &at("record.json"), 0);
            let counts = |name: &str| {
                let record = fs::read(at(name)).unwrap();
                let record: serde_json::Value = serde_json::from_slice(&record).unwrap();
                ["inputs", "statuses", "duplicates", "train", "test"].map(|key| record[key].to_string())
            };
            assert_eq!(counts("record.json"), counts("whole.json"), "{verb:?}");
            // If the output is complete, a resumed run does nothing. So it fails if it should write an export that the earlier run did not
            // write.
            assert!(run("out.csv", &at("more.json"), 1).stderr.contains("nothing was done"));
            run("out.csv", &at("record.json"), 0);
        }
        assert!(fs::read(at("out.csv")).unwrap() == fs::read(at("whole.csv")).unwrap(), "{verb:?}");
    }
}

/// Starts a run, and waits until the run has read `input` from its open standard input, and none of its threads has anything to do.
#[cfg(target_os = "linux")]
fn waiting(arguments: &[&str], input: &[u8], output: Stdio) -> (Child, ChildStdin) {
    let mut command = command();
    command.arg("solve").args(arguments).stdin(Stdio::piped()).stdout(output).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(input).unwrap();
    let deadline = Instant::now() + Duration::from_secs(60);
    let mut idle = 0;
    // Threads also sleep for a moment while they pass work to each other. So all threads must be found asleep 20 times in a row.
    while idle < 20 {
        assert!(Instant::now() < deadline, "the program did not read the input within a minute");
        std::thread::sleep(Duration::from_millis(2));
        let has_read = catches_interrupts(&child) && rustix::io::ioctl_fionread(&stdin).unwrap() == 0;
        idle = if has_read && all_threads_sleep(&child) { idle + 1 } else { 0 };
    }
    (child, stdin)
}

/// Returns whether each thread of the process sleeps until something happens. A thread that waits for a core does not sleep.
#[cfg(target_os = "linux")]
fn all_threads_sleep(child: &Child) -> bool {
    let threads = fs::read_dir(format!("/proc/{}/task", child.id())).unwrap();
    let states = threads.map(|thread| fs::read_to_string(thread.unwrap().path().join("stat")));
    states.flatten().all(|state| state.rsplit_once(") ").unwrap().1.starts_with('S'))
}

#[cfg(target_os = "linux")]
fn catches_interrupts(child: &Child) -> bool {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap();
    u64::from_str_radix(caught.trim(), 16).unwrap() & 1 << 1 != 0
}

#[test]
#[cfg(target_os = "linux")]
fn an_interrupt_does_not_wait_for_input() {
    for input in ["", "53..7..", "a,b\n", "PK\u{3}\u{4}a", "\u{28}"] {
        let (child, stdin) = waiting(&[], input.as_bytes(), Stdio::piped());
        interrupt(&child);
        let ran = Ran::of(child.wait_with_output().unwrap()).expect(130);
        assert_eq!(
            (ran.stdout.as_str(), ran.stderr.as_str()),
            ("", "sudobench: interrupted before the first row was written\n")
        );
        drop(stdin);
    }
}

#[test]
#[cfg(target_os = "linux")]
fn an_interrupt_does_not_wait_for_a_named_pipe() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    let pipe = pipe.to_str().unwrap();
    assert!(Command::new("mkfifo").arg(pipe).status().unwrap().success());
    // No process has opened the pipe for writing yet.
    let (child, _stdin) = waiting(&[pipe], b"", Stdio::piped());
    interrupt(&child);
    Ran::of(child.wait_with_output().unwrap()).expect(130);
    // Input that arrives later, in pieces, is also read.
    let mut command = command();
    let reader =
        command.args(["solve", pipe, "-q", "--columns", "match"]).stdout(Stdio::piped()).spawn().unwrap();
    let sample = fs::read(dataset("sample.csv")).unwrap();
    let mut writer = fs::OpenOptions::new().write(true).open(pipe).unwrap();
    for piece in sample.chunks(4_000) {
        writer.write_all(piece).unwrap();
        std::thread::sleep(Duration::from_millis(20));
    }
    drop(writer);
    let ran = Ran::of(reader.wait_with_output().unwrap()).expect(0);
    assert_eq!(ran.column("match"), ["yes"; 60]);
}

#[test]
#[cfg(target_os = "linux")]
fn rows_read_before_an_interrupt_are_answered() {
    // The inputs have from 3 rows, less than a batch, to 3,000 rows, more than a block. After these rows comes an incomplete row.
    for rows in [3, 60, 240, 3000] {
        let puzzles: Vec<String> =
            sample().into_iter().map(|(puzzle, _)| puzzle).cycle().take(rows).collect();
        let input = format!("{}\n53..7", puzzles.join("\n"));
        // The output is a file, because a pipe could be full: the program would then wait for the reader, and could not solve the remaining
        // rows in the short time after the interrupt.
        let output = tempfile::NamedTempFile::new().unwrap();
        let to_output = Stdio::from(output.reopen().unwrap());
        let words = ["--columns", "status", "--input-format", "lines"];
        let (child, stdin) = waiting(&words, input.as_bytes(), to_output);
        interrupt(&child);
        let ran = Ran::of(child.wait_with_output().unwrap()).expect(130);
        let ran = Ran { stdout: fs::read_to_string(output.path()).unwrap(), ..ran };
        assert!(ran.column("puzzle") == puzzles, "{rows}: {}", ran.stdout.lines().count());
        assert_eq!(ran.column("status"), vec!["unique"; rows]);
        assert!(ran.stderr.contains("interrupted after"), "{}", ran.stderr);
        drop(stdin);
    }
}

#[test]
#[cfg(target_os = "linux")]
fn an_interrupted_wait_is_resumed_to_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let (out, whole) = (folder.path().join("out.csv"), folder.path().join("whole.csv"));
    let thinned = |(puzzle, _): &(String, String)| format!("{}{}\n", ".".repeat(20), &puzzle[20..]);
    let input = sample().iter().map(thinned).collect::<String>().repeat(40);
    for columns in ["status", "status,nodes,guesses"] {
        let how = ["--columns", columns, "--input-format", "lines", "-o"];
        let to_out = [&how[..], &[out.to_str().unwrap()]].concat();
        let to_whole = [&how[..], &[whole.to_str().unwrap()]].concat();
        solve_input(input.as_bytes(), &to_whole).expect(0);
        let half = &input.as_bytes()[..input.len() / 2];
        let (child, stdin) = waiting(&to_out, half, Stdio::piped());
        interrupt(&child);
        let ran = Ran::of(child.wait_with_output().unwrap()).expect(130);
        assert!(ran.stderr.contains("continue with the same options and --resume"), "{}", ran.stderr);
        drop(stdin);
        solve_input(input.as_bytes(), &[&to_out[..], &["--resume"]].concat()).expect(0);
        assert!(fs::read(&out).unwrap() == fs::read(&whole).unwrap(), "{columns}");
        fs::remove_file(&out).unwrap();
        fs::remove_file(&whole).unwrap();
    }
}

#[test]
#[cfg(target_os = "linux")]
fn an_interrupt_within_a_line_end_can_be_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.csv");
    let arguments = ["--columns", "status", "--input-format", "csv", "-o", out.to_str().unwrap()];
    // Windows ends lines with `\r\n`, and old Macs with `\r`. The run is interrupted after a `\r`, before a `\n` that may follow. Some of
    // the inputs end there.
    for end in ["\r\n", "\r"] {
        let rows = |puzzles: &[(String, String)]| -> String {
            puzzles.iter().map(|(puzzle, solution)| format!("{puzzle},{solution}{end}")).collect()
        };
        let head = format!("puzzle,solution{end}{}", rows(&sample()[..20]));
        for rest in [String::new(), rows(&sample()[20..])] {
            let read = head.strip_suffix('\n').unwrap_or(&head);
            let (child, stdin) = waiting(&arguments, read.as_bytes(), Stdio::piped());
            interrupt(&child);
            let ran = Ran::of(child.wait_with_output().unwrap()).expect(130);
            assert!(ran.stderr.contains("interrupted after 20 rows"), "{end:?}: {}", ran.stderr);
            drop(stdin);
            let whole = format!("{head}{rest}");
            solve_input(whole.as_bytes(), &[&arguments[..], &["--resume"]].concat()).expect(0);
            let resumed = fs::read_to_string(&out).unwrap();
            fs::remove_file(&out).unwrap();
            solve_input(whole.as_bytes(), &arguments).expect(0);
            assert_eq!(fs::read_to_string(&out).unwrap(), resumed, "{end:?}");
            fs::remove_file(&out).unwrap();
        }
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_second_interrupt_ends_a_run_with_a_blocked_output() {
    let input = format!("{}\n", sample()[0].0).repeat(30_000);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("in.txt");
    fs::write(&path, input).unwrap();
    let (mut child, _stdin) = waiting(&[path.to_str().unwrap()], b"", Stdio::piped());
    assert!(
        rustix::io::ioctl_fionread(child.stdout.as_ref().unwrap()).unwrap() > 0,
        "it waits for its output"
    );
    interrupt(&child);
    std::thread::sleep(Duration::from_millis(500));
    assert!(child.try_wait().unwrap().is_none(), "the pipe is full");
    // A slow program may notice the first interrupt late. It then counts another interrupt that comes soon afterwards as the same press
    // of Ctrl-C.
    let deadline = Instant::now() + Duration::from_secs(60);
    let ended = loop {
        interrupt(&child);
        std::thread::sleep(Duration::from_millis(200));
        if let Some(ended) = child.try_wait().unwrap() {
            break ended;
        }
        assert!(Instant::now() < deadline, "a second interrupt does not end the run");
    };
    assert_eq!(ended.code(), Some(130));
}

/// The rows of an array have no line ends, and its header is written last.
#[test]
fn an_interrupted_array_can_be_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.npy");
    let partial = folder.path().join("out.npy.partial");
    let input: String =
        sample().iter().map(|(puzzle, _)| format!("{puzzle}\n")).collect::<String>().repeat(250);
    let arguments = ["-o", out.to_str().unwrap(), "-q"];
    solve_input(input.as_bytes(), &arguments).expect(0);
    let whole = fs::read(&out).unwrap();
    assert_eq!(whole.len(), 128 + 81 * 15_000);
    fs::remove_file(&out).unwrap();
    kill_waiting(&arguments, &input, &partial);
    // A run may also be killed after it has written the final header.
    let mut left = fs::read(&partial).unwrap();
    left[..128].copy_from_slice(&whole[..128]);
    left.extend_from_slice(&[7; 40]);
    fs::write(&partial, left).unwrap();
    solve_input(input.as_bytes(), &[&arguments[..], &["--resume"]].concat()).expect(0);
    assert!(fs::read(&out).unwrap() == whole);
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 2, "the output and its record alone are left");
}

#[test]
fn restored_zeros_are_counted_across_interrupts() {
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("in.csv");
    let zeros = sample()[0].0.replace('.', "0");
    let puzzle = zeros.trim_start_matches('0');
    assert!(puzzle.len() < 81);
    fs::write(&input, format!("puzzle,id\n{}", format!("{puzzle},7\n").repeat(300))).unwrap();
    let out = folder.path().join("out.csv");
    let arguments =
        [&[input.to_str().unwrap(), "-o", out.to_str().unwrap(), "--restore-zeros"], &QUICK[..]].concat();
    stopped(&arguments);
    let without: Vec<&str> = arguments.iter().copied().filter(|word| *word != "--restore-zeros").collect();
    let refused = solve(&[&without[..], &["--resume", "--puzzle-column", "puzzle"]].concat()).expect(1);
    assert!(refused.stderr.contains("from a run with different --restore-zeros"), "{}", refused.stderr);
    let resumed = solve(&[&arguments[..], &["--resume"]].concat()).expect(0);
    assert!(resumed.stderr.contains("restored              300  of these rows"), "{}", resumed.stderr);
}

/// Makes two Parquet files of puzzles. Nearly all puzzles are easy for a row-major backtracker, but the second file ends with 700 copies of
/// a puzzle for which a row-major backtracker reaches its limit of nodes.
#[cfg(feature = "tables")]
fn tables(folder: &Path, rows: usize) -> [String; 2] {
    let (_, solution) = sample().swap_remove(0);
    let easy = |row: usize| format!("{row},{}{}\n", ".".repeat(row % 8), &solution[row % 8..]);
    let slow = |row: usize| format!("{row},{MONSTER}\n");
    let first: String = (0..rows).map(easy).collect();
    let last: String = (rows..2 * rows).map(easy).chain((2 * rows..2 * rows + 700).map(slow)).collect();
    [("first", first), ("last", last)].map(|(name, rows)| {
        let path = folder.join(name).with_extension("parquet").to_str().unwrap().to_owned();
        let arguments = ["-q", "-o", &path, "--columns", "clues"];
        solve_input(format!("id,puzzle\n{rows}").as_bytes(), &arguments).expect(0);
        path
    })
}

/// The rows of a table, as text.
#[cfg(feature = "tables")]
fn rows_of(table: &Path) -> String {
    let arguments = ["-q", "--columns", "clues", "--output-format", "csv"];
    solve(&[&[table.to_str().unwrap()], &arguments[..]].concat()).expect(0).stdout
}

#[cfg(feature = "tables")]
#[test]
fn an_interrupted_or_killed_table_can_be_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let [first, last] = tables(folder.path(), 9_000);
    let at = |name: &str| folder.path().join(name);
    let arguments = |out: &Path| -> Vec<String> {
        // Limits nodes instead of time, so that every run gives up the same rows.
        let slow =
            ["--solver", "blank-scan", "--max-nodes", "30000", "--threads", "1", "--columns", "status"];
        let words = [first.as_str(), &last, "-q", "-o", out.to_str().unwrap()].into_iter().chain(slow);
        words.map(str::to_owned).collect()
    };
    let run = |arguments: &[String], more: &[&str]| {
        let mut words: Vec<&str> = arguments.iter().map(String::as_str).collect();
        words.extend(more);
        solve(&words)
    };
    let whole = at("whole.parquet");
    run(&arguments(&whole), &[]).expect(4);
    let wanted = rows_of(&whole);
    assert_eq!(wanted.lines().count(), 1 + 18_700);
    assert_eq!(wanted.matches(",aborted,").count(), 700);
    for signal in ["-INT", "-KILL"] {
        let out = at(&format!("out{signal}.parquet"));
        let partial = out.with_extension("parquet.partial");
        let arguments = arguments(&out);
        let mut child = command().arg("solve").args(&arguments).spawn().unwrap();
        // After this wait, a row group is in the file, but the hard rows, which take a second, are not.
        wait_for(&partial, 1000);
        let sent = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
        assert!(sent.success());
        let ended = child.wait().unwrap();
        assert_eq!(ended.code(), if signal == "-INT" { Some(130) } else { None });
        assert!(!out.exists());
        if signal == "-INT" {
            // The answers so far are in the partial file. Only the footer is missing.
            assert!(partial.exists() && partial.with_extension("partial.json").exists());
        }
        run(&arguments, &["--resume"]).expect(4);
        assert!(rows_of(&out) == wanted, "{signal}");
        assert!(!partial.exists());
    }
}

/// Rows that were not written completely do not count as done, so the resumed run writes them again.
#[cfg(feature = "tables")]
#[test]
fn a_table_on_a_full_disk_can_be_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let [first, _] = tables(folder.path(), 20_000);
    let (whole, out) = (folder.path().join("whole.parquet"), folder.path().join("out.parquet"));
    let arguments = ["--columns", "solution,status", "-q", "--threads", "2"];
    solve(&[&[first.as_str(), "-o", whole.to_str().unwrap()], &arguments[..]].concat()).expect(0);
    let size = fs::metadata(&whole).unwrap().len();
    // The three limits cut the file near its start, in the middle of the pages, and in the footer.
    for blocks in [1, size / 1024 / 2, size / 1024] {
        let limited = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$@\"");
        let ended = Command::new("bash")
            .args(["-c", &limited, "bash", env!("CARGO_BIN_EXE_sudobench"), "solve", &first])
            .args(["-o", out.to_str().unwrap()])
            .args(arguments)
            .output()
            .unwrap();
        let words = String::from_utf8_lossy(&ended.stderr);
        assert_eq!(ended.status.code(), Some(1), "{words}");
        assert!(words.contains("cannot write") && !out.exists(), "{words}");
        solve(&[&[first.as_str(), "-o", out.to_str().unwrap(), "--resume"], &arguments[..]].concat())
            .expect(0);
        assert!(rows_of(&out) == rows_of(&whole), "{blocks} KiB");
        fs::remove_file(&out).unwrap();
    }
}
