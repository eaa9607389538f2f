//! Programs under the judge: right and faulty programs get their verdicts, and no process is left behind.
#![cfg(unix)]

use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Instant;

use super::bench::{PUZZLE, SOLUTION, folder};
use super::engines::{BOUND, assert_gone, runs, unique_sleep};
use super::kept::keep_record;

/// A puzzle with two solutions: the 4 and the 2 of rows 3 and 6 can be exchanged. [`SOLUTION`] is the larger of the two solutions.
const TWO_SOLUTIONS: &str =
    "5346789126721953481983..5678597614234268537917139..856961537284287419635345286179";

/// Returns a solution in the output format of a problem.
fn answer(problem: &str, solution: &str) -> String {
    let separator = if problem == "boj2580" { " " } else { "" };
    let digits: Vec<String> = solution.chars().map(String::from).collect();
    digits.chunks(9).map(|row| format!("{}\n", row.join(separator))).collect()
}

fn judge(folder: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sudobench"));
    command
        .args(["judge", "puzzles.txt", "-q", "--export-json", "record.json"])
        .args(words)
        .current_dir(folder);
    command
}

fn record(folder: &Path) -> serde_json::Value {
    let record = serde_json::from_slice(&std::fs::read(folder.join("record.json")).unwrap()).unwrap();
    keep_record("record", &record);
    record
}

/// Judges a shell script on one puzzle. Returns the verdict and the reason.
#[track_caller]
fn verdict_of(problem: &str, script: &str, limits: &[&str]) -> (String, String) {
    let folder = folder();
    std::fs::write(folder.path().join("puzzles.txt"), format!("{PUZZLE}\n")).unwrap();
    std::fs::write(folder.path().join("answer"), answer(problem, SOLUTION)).unwrap();
    let script = script.replace("$ANSWER", folder.path().join("answer").to_str().unwrap());
    let mut command = judge(folder.path(), &["--problem", problem]);
    let output = command.args(limits).args(["--", "sh", "-c", &script]).output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(matches!(output.status.code(), Some(0 | 4)), "{stderr}");
    let pair = record(folder.path())["pairs"][0].take();
    let verdict = pair["judge"]["verdict"].as_str().unwrap().to_owned();
    assert_eq!(output.status.code() == Some(0), verdict == "AC");
    let words = pair["judge"]["failures"][0]["words"].as_str().unwrap_or_default().to_owned();
    (verdict, words)
}

#[test]
fn each_kind_of_program_has_its_verdict() {
    let line = "is `2`, not nine digits 1 to 9 with one space between";
    // Programs that sleep get a short limit of wall time. Programs that loop get a long one, because on a busy machine they take long to
    // reach their limit of processor time. All others end by themselves, or are ended at another limit.
    let (sleeps, loops, ends) = (
        ["--time-limit", "300ms", "--wall-limit", "300ms"],
        ["--time-limit", "300ms", "--wall-limit", "60s"],
        ["--time-limit", "60s", "--wall-limit", "60s"],
    );
    let rows: [(&str, &str, &str); 14] = [
        ("cat $ANSWER", "AC", ""),
        // A program may close its input without reading it.
        ("exec <&-; cat $ANSWER", "AC", ""),
        ("tr -d ' ' < $ANSWER", "PE", "line 1 is"),
        ("cat", "WA", "line 1 is"),
        ("true", "WA", "it printed nothing"),
        ("echo 2; cat $ANSWER", "WA", line),
        ("cat $ANSWER; echo done", "WA", "after the nine lines it printed `done`"),
        ("head -n 8 $ANSWER", "WA", "it printed 8 lines instead of 9"),
        ("cat $ANSWER; exit 3", "RTE", "exit code 3"),
        ("echo first >&2; echo why >&2; exit 1", "RTE", "exit code 1: why"),
        ("kill -SEGV $$", "RTE", "signal 11"),
        ("while true; do echo 1 2 3; done", "OLE", "more than 65536 bytes"),
        (
            "trap '' TERM; while true; do :; done",
            "TLE",
            "it was ended at the limit of 300 ms of processor time",
        ),
        ("sleep 1000", "TLE", "it did not end within 300 ms of wall time"),
    ];
    for (script, verdict, words) in rows {
        let limits = match (verdict, script.starts_with("sleep")) {
            ("TLE", true) => sleeps,
            ("TLE", false) => loops,
            _ => ends,
        };
        let (found, told) = verdict_of("boj2580", script, &limits);
        assert_eq!(found, verdict, "{script}: {told}");
        assert!(told.contains(words) && told.is_empty() == words.is_empty(), "{script}: {told}");
    }
}

#[test]
fn a_program_is_alone_in_an_empty_folder_with_few_variables() {
    let names = "env | sed 's/=.*//' | sort | tr '\\n' ' ' >&2";
    let (_, words) = verdict_of("boj2580", &format!("{names}; exit 1"), &["--env", "MINE=1"]);
    let rest: Vec<&str> = words.split_whitespace().skip(3).collect();
    // The shell itself adds some variables.
    let rest: Vec<&&str> =
        rest.iter().filter(|name| !["OLDPWD", "PWD", "SHLVL", "_"].contains(*name)).collect();
    assert_eq!(rest, [&"HOME", &"LANG", &"MINE", &"PATH", &"SUDOBENCH_CHILD", &"TMPDIR"]);
    let (_, words) = verdict_of("boj2580", "ls -A | wc -l | tr -d ' ' >&2; exit 1", &[]);
    assert_eq!(words, "exit code 1: 0");
    let (_, words) = verdict_of("boj2580", "echo $HOME $TMPDIR $PWD >&2; exit 1", &[]);
    let folders: Vec<&str> = words.split_whitespace().skip(3).collect();
    assert!(folders[0] == folders[1] && folders[0] != "/", "{words}");
    assert!(!Path::new(folders[0]).exists(), "{words}");
}

#[cfg(target_os = "linux")]
#[test]
fn no_descriptor_and_no_terminal_reach_a_program() {
    let folder = folder();
    std::fs::write(folder.path().join("puzzles.txt"), format!("{PUZZLE}\n")).unwrap();
    let script =
        "ls /proc/self/fd | tr '\\n' ' ' >&2; (: < /dev/tty) 2>/dev/null && echo terminal >&2; exit 1";
    let judge = format!(
        "exec 7<puzzles.txt 9<puzzles.txt; exec '{}' judge --problem boj2580 puzzles.txt -q --export-json record.json -- \
         sh -c \"$0\"",
        env!("CARGO_BIN_EXE_sudobench")
    );
    let status = Command::new("sh")
        .args(["-c", &judge, script])
        .current_dir(folder.path())
        .stdout(Stdio::null())
        .status();
    assert_eq!(status.unwrap().code(), Some(4));
    // Descriptor 3 is the folder that `ls` itself opens.
    assert_eq!(record(folder.path())["pairs"][0]["judge"]["failures"][0]["words"], "exit code 1: 0 1 2 3");
}

#[cfg(target_os = "linux")]
#[test]
fn processes_that_a_run_leaves_are_ended() {
    let sleep = unique_sleep();
    let leave = format!("(setsid sleep {sleep} >/dev/null 2>&1 </dev/null &); sleep {sleep} & cat $ANSWER");
    assert_eq!(verdict_of("boj2580", &leave, &[]), ("AC".to_owned(), String::new()));
    assert!(!runs(&sleep), "the processes must be gone before the answer counts");
    // A process with a cleared environment has lost the variable that marks it. It is found and ended, too.
    let hide = format!("env -i setsid sleep {sleep} & trap '' TERM; while true; do :; done");
    assert_eq!(verdict_of("boj2580", &hide, &["--time-limit", "200ms"]).0, "TLE");
    assert!(!runs(&sleep));
}

#[cfg(target_os = "linux")]
#[test]
fn processes_and_memory_have_a_limit() {
    let sleep = unique_sleep();
    let many = format!("for i in $(seq 200); do sleep {sleep} & done; wait");
    let (verdict, words) = verdict_of("boj2580", &many, &["--time-limit", "60s"]);
    assert_eq!((verdict.as_str(), words.as_str()), ("RTE", "more than 64 processes at a time"));
    assert!(!runs(&sleep));
    // A string that is doubled until the limit of memory is reached.
    let large = "x=0123456789abcdef; while true; do x=$x$x; done";
    let (verdict, words) = verdict_of("boj2580", large, &["--memory-limit", "48MB", "--time-limit", "60s"]);
    assert_eq!(verdict, "MLE", "{words}");
    assert!(words.ends_with(" MiB of memory, limit 48 MiB"), "{words}");
}

#[test]
fn the_smallest_solution_is_required_by_its_problem() {
    let folder = folder();
    std::fs::write(folder.path().join("puzzles.txt"), format!("{TWO_SOLUTIONS}\n")).unwrap();
    let run = |problem: &str, program: &[&str]| {
        let mut command = judge(folder.path(), &["--problem", problem]);
        command.args(program).output().unwrap().status.code()
    };
    for problem in ["boj2580", "boj2239"] {
        std::fs::write(folder.path().join("answer"), answer(problem, SOLUTION)).unwrap();
        assert_eq!(run(problem, &["--solver", "bool-table,bitslice"]), Some(0), "{problem}");
        run(problem, &["--", "cat", "answer"]);
        let judged = record(folder.path())["pairs"][0]["judge"].take();
        match problem {
            "boj2580" => assert_eq!(judged["verdict"], "AC"),
            _ => {
                assert_eq!(judged["verdict"], "WA");
                let words = judged["failures"][0]["words"].as_str().unwrap();
                assert!(
                    words.contains(
                        "it is a solution, but not the smallest one: at r3c5 the smallest has 2, not 4"
                    ),
                    "{words}"
                );
            }
        }
    }
}

#[test]
fn a_record_has_all_data_of_several_programs() {
    let folder = folder();
    let unsolvable = format!("11{}", ".".repeat(79));
    std::fs::write(folder.path().join("puzzles.txt"), format!("{PUZZLE}\n{unsolvable}\n{PUZZLE}\n")).unwrap();
    std::fs::write(folder.path().join("answer"), answer("boj2580", SOLUTION)).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_sudobench"))
        .args([
            "judge",
            "--problem",
            "boj2580",
            "puzzles.txt",
            "--export-json",
            "record.json",
            "--repeat",
            "3",
        ])
        .args(["--program", "good=cat answer", "--program", "bad=sh -c 'exit 3'", "--solver", "mrv"])
        .args(["--language", "python", "--language", "good=java", "--jobs", "2"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(4), "{stderr}");
    assert!(stderr.contains(
        "1 puzzle of puzzles.txt is left out (number 2): no solution; the problem has no such puzzles"
    ));
    assert!(
        stderr.contains(&format!("bad: RTE on puzzle 3 of puzzles.txt, {PUZZLE}: exit code 3")),
        "{stderr}"
    );
    assert!(stderr.contains("2 runs take place at the same time and distort each other's times"), "{stderr}");
    let record = record(folder.path());
    keep_record("record", &record);
    let told: Vec<(&str, &str, &str, u64)> = (record["pairs"].as_array().unwrap().iter())
        .map(|pair| {
            let judged = &pair["judge"];
            let text = |key: &str| judged[key].as_str().unwrap();
            (
                pair["solver"].as_str().unwrap(),
                text("language"),
                text("verdict"),
                pair["puzzles"].as_u64().unwrap(),
            )
        })
        .collect();
    assert_eq!(told, [("good", "java", "AC", 2), ("bad", "python", "RTE", 2), ("mrv", "cpp", "AC", 2)]);
    let judged = &record["pairs"][0]["judge"];
    assert_eq!((judged["time_limit_ns"].as_u64(), judged["jobs"].as_u64()), (Some(3_000_000_000), Some(2)));
    assert!(judged["cpu_ns"]["puzzles"].as_u64() == Some(2) && judged["startup_cpu_ns"].as_u64() > Some(0));
    assert!(record["pairs"][0]["judge"]["peak_memory_bytes"].as_u64() > Some(0));
    assert_eq!(record["pairs"][1]["judge"]["failures"].as_array().unwrap().len(), 2);
}

#[test]
fn puzzles_that_the_problem_never_gives_are_left_out_by_default() {
    let folder = folder();
    let beyond = "9..8...........5............2..1...3.1.....6....4...7.7.86.........3.1..4.....2..";
    std::fs::write(folder.path().join("puzzles.txt"), format!("{beyond}\n{PUZZLE}\n")).unwrap();
    std::fs::write(folder.path().join("beyond.txt"), format!("{beyond}\n")).unwrap();
    std::fs::write(folder.path().join("solve.py"), "import sys\nprint(open(sys.argv[1]).read(), end='')\n")
        .unwrap();
    std::fs::write(folder.path().join("answer"), answer("boj2580", SOLUTION)).unwrap();
    let run = |words: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sudobench"));
        command.args(["judge", "--problem", "2580"]).args(words).current_dir(folder.path());
        let output = command.args(["--", "python3", "solve.py", "answer"]).output().unwrap();
        let text = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
        (output.status.code(), text.concat())
    };
    let (code, text) = run(&["puzzles.txt"]);
    assert_eq!(code, Some(0), "{text}");
    assert!(
        text.contains(
            "1 puzzle of puzzles.txt is left out (number 1): the search of BOJ 12095 needs more than 100,000 calls"
        ),
        "{text}"
    );
    assert!(text.contains("1 puzzle too hard for this problem is left out"), "{text}");
    assert!(text.contains("the time of BOJ 12095's search inside sudobench"), "{text}");
    // The program is named after its script, and has the limits of its language.
    assert!(text.contains("solve.py is judged in the language `python` (limits: 5.00 s, 544 MiB)"), "{text}");
    assert!(text.contains("  solve.py: accepted within 5.00 s and 544 MiB (python)"), "{text}");
    let (code, text) = run(&["puzzles.txt", "--all-puzzles"]);
    assert_eq!(code, Some(4), "{text}");
    let (code, text) = run(&["beyond.txt"]);
    assert!(
        code == Some(1) && text.contains(": 1 too hard for this problem, 0 without a solution"),
        "{text}"
    );
}

#[test]
fn an_exceeded_time_limit_names_the_puzzle_and_a_remedy() {
    let folder = folder();
    // The search of BOJ 12095 takes 143,489 calls for this puzzle, which has 22 clues.
    let slow = "........7...9....22.3...5...18.7.....4...1.63.......9.6...5.....246.......51....8";
    std::fs::write(folder.path().join("puzzles.txt"), format!("{slow}\n")).unwrap();
    let script = "board=$(cat); case $board in *0*) while :; do :; done;; *) echo \"$board\";; esac";
    let mut command = Command::new(env!("CARGO_BIN_EXE_sudobench"));
    command.args(["judge", "--problem", "2580", "puzzles.txt", "--all-puzzles", "--time-limit", "100ms"]);
    command.args(["--wall-limit", "30s", "--export-json", "record.json", "--program"]);
    let output = command.arg(format!("mine=sh -c '{script}'")).current_dir(folder.path()).output().unwrap();
    assert_eq!(output.status.code(), Some(4));
    let [stdout, stderr] = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
    let words = "it was ended at the limit of 100 ms of processor time";
    let told = format!("mine: TLE on puzzle 1 of puzzles.txt, {slow}: {words}");
    assert!(stderr.contains(&told), "{stderr}");
    let known = format!("{words}; 22 clues; BOJ 12095's search takes 143,489 calls for this puzzle");
    assert!(stdout.contains(slow) && stdout.contains(&known), "{stdout}");
    assert!(stdout.contains("let it fill the cell with the fewest candidates: docs/JUDGE.md#"), "{stdout}");
    let failure = record(folder.path())["pairs"][0]["judge"]["failures"][0].take();
    assert_eq!((&failure["puzzle"], &failure["reference_calls"]), (&slow.into(), &143_489.into()));
}

#[test]
fn a_program_is_not_run_again_after_its_first_failure_on_request() {
    let folder = folder();
    let count = folder.path().join("count");
    let no = format!("no=sh -c 'echo run >> {}; exit 1'", count.display());
    let words =
        ["--problem", "boj2580", "--repeat", "2", "--stop-at-first", "--solver", "mrv", "--program", &no];
    let ended = judge(folder.path(), &words).output().unwrap();
    assert_eq!(ended.status.code(), Some(4));
    let record = record(folder.path());
    let [mrv, no] = ["mrv", "no"].map(|name| {
        let pairs = record["pairs"].as_array().unwrap();
        pairs.iter().find(|pair| pair["solver"] == name).unwrap()
    });
    assert_eq!((mrv["puzzles"].as_u64(), mrv["complete"].as_bool()), (Some(4), Some(true)));
    assert_eq!((no["puzzles"].as_u64(), no["complete"].as_bool()), (Some(1), Some(false)));
    // The program was run once on the solved board, and once on a puzzle.
    assert_eq!(std::fs::read_to_string(count).unwrap(), "run\nrun\n");
}

#[test]
fn mistyped_options_are_reported_before_anything_runs() {
    let folder = folder();
    let told = |words: &[&str]| {
        let output: Output = judge(folder.path(), &["--problem", "boj2580"]).args(words).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{words:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    let rows: [(&[&str], &str); 9] = [
        (&[], "no program is named: write its command after `--`"),
        (&["--program", "cat"], "`cat` is not a name and a command: write NAME='COMMAND ARGUMENTS'"),
        (&["--", "./no-such-program"], "program: there is no program `./no-such-program`"),
        (&["--solver", "nobody"], "there is no solver `nobody`"),
        (&["--solver", "mrv", "--language", "cobol"], "the judge does not know the language `cobol`"),
        (&["--solver", "mrv", "--language", "x=cpp"], "there is no program `x`"),
        (&["--solver", "mrv", "--program", "mrv=cat"], "two programs are called `mrv`"),
        (&["--solver", "mrv", "--memory-limit", "much"], "write a number with its unit, such as 64KB"),
        (&["--solver", "mrv", "--budgets", "boj2239"], "--budgets names another problem"),
    ];
    for (words, expected) in rows {
        let told = told(words);
        assert!(told.contains(expected), "{words:?}: {told}");
    }
}

#[test]
fn an_end_at_any_moment_leaves_no_process() {
    for signal in ["-INT", "-TERM", "-QUIT", "-KILL"] {
        let (folder, sleep) = (folder(), unique_sleep());
        let temporary = folder.path().join("tmp");
        std::fs::create_dir(&temporary).unwrap();
        let script = format!("setsid sleep {sleep} & sleep {sleep}");
        // The program never reaches a limit, so the signal comes while it runs.
        let words = ["--problem", "boj2580", "--jobs", "2", "--wall-limit", "1h", "--", "sh", "-c", &script];
        let mut running =
            judge(folder.path(), &words).env("TMPDIR", &temporary).stdout(Stdio::null()).spawn().unwrap();
        let start = Instant::now();
        while !runs(&sleep) {
            assert!(start.elapsed() < BOUND, "the program does not start");
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        Command::new("kill").args([signal, &running.id().to_string()]).status().unwrap();
        let status = running.wait().unwrap();
        assert_eq!(status.code(), (signal != "-KILL").then_some(130), "{signal}");
        assert_gone(&sleep);
        while std::fs::read_dir(&temporary).unwrap().next().is_some() {
            assert!(start.elapsed() < BOUND, "{signal}: a run's folder is left");
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
    }
}

fn sudobench(folder: &Path, words: &[&str]) -> (Option<i32>, String) {
    let output =
        Command::new(env!("CARGO_BIN_EXE_sudobench")).args(words).current_dir(folder).output().unwrap();
    (output.status.code(), String::from_utf8(output.stdout).unwrap())
}

#[test]
fn a_record_is_reported_compared_and_gated() {
    let folder = folder();
    std::fs::write(folder.path().join("right"), answer("boj2580", SOLUTION)).unwrap();
    let run = |program: &str, record: &str| {
        let words = [
            "judge",
            "--problem",
            "boj2580",
            "puzzles.txt",
            "-q",
            "--program",
            program,
            "--export-json",
            record,
        ];
        let exports =
            ["--export-runs", "runs.csv", "--export-csv", "pairs.csv", "--export-junit", "junit.xml"];
        let more = ["--export-html", "page.html", "--export-markdown", "tables.md", "--keep-puzzles"];
        sudobench(folder.path(), &[&words[..], &exports, &more].concat())
    };
    assert_eq!(run("p=cat right", "before.json").0, Some(0));
    assert_eq!(run("p=cat", "after.json").0, Some(4));
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    let runs = read("runs.csv");
    assert_eq!(runs.lines().count(), 5, "{runs}");
    assert!(
        runs.lines().skip(1).all(|row| row.starts_with("puzzles.txt,") && row.contains(",p,WA,")),
        "{runs}"
    );
    assert!(read("junit.xml").contains("<failure") && read("junit.xml").contains("WA"));
    assert!(read("page.html").contains("processor time") && read("tables.md").contains("| p |"));
    assert!(read("pairs.csv").contains("puzzles.txt"));
    let (code, text) = sudobench(folder.path(), &["report", "after.json"]);
    assert!(
        code == Some(0) && text.contains("none of 4 puzzles accepted within 1.00 s and 256 MiB"),
        "{text}"
    );
    let (code, text) = sudobench(folder.path(), &["compare", "before.json", "after.json"]);
    assert!(code == Some(0) && text.contains("AC") && text.contains("WA"), "{text}");
    let limits = ["--limits", "within:80ms=100%"];
    let gate =
        |record: &str| sudobench(folder.path(), &[&["gate", "--record", record][..], &limits].concat()).0;
    assert_eq!((gate("before.json"), gate("after.json")), (Some(0), Some(3)));
}

#[test]
fn outputs_of_other_runners_can_be_checked() {
    let folder = folder();
    let right = answer("boj2580", SOLUTION);
    std::fs::write(folder.path().join("outputs"), right.repeat(4)).unwrap();
    let check = |words: &[&str]| {
        sudobench(folder.path(), &[&["judge", "--problem", "boj2580", "--check-output"][..], words].concat())
    };
    let (code, text) = check(&["puzzles.txt", "outputs"]);
    assert!(code == Some(0) && text.contains("4"), "{text}");
    std::fs::write(
        folder.path().join("outputs"),
        format!("{right}{}{right}{right}", right.replace("5 3 4", "5 4 3")),
    )
    .unwrap();
    let (code, text) = check(&["puzzles.txt", "outputs"]);
    assert!(code == Some(4) && text.contains("puzzle 2: WA: the clue 3 at r1c2 became 4"), "{text}");
    assert_eq!(check(&["puzzles.txt"]).0, Some(2));
    assert_eq!(check(&["puzzles.txt", "no-such-file"]).0, Some(1));
}
