//! `bench` from end to end: records, right and wrong engines, exit codes.

use std::path::Path;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use super::common::MONSTER;
use super::kept::keep_record;

/// A puzzle like those in `datasets/sample.csv`, and its solution.
pub(super) const PUZZLE: &str =
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
pub(super) const SOLUTION: &str =
    "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

fn bench(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_sudobench"))
        .args(["bench", "puzzles.txt", "--rounds", "3", "--min-time", "0s", "-q", "--same-puzzles"])
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap()
}

/// Makes a folder with a dataset of four equal puzzles.
pub(super) fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("puzzles.txt"), format!("{PUZZLE}\n").repeat(4)).unwrap();
    folder
}

fn record(folder: &Path) -> serde_json::Value {
    serde_json::from_str(&std::fs::read_to_string(folder.join("record.json")).unwrap()).unwrap()
}

#[test]
fn a_record_has_times_and_the_question_of_the_problem() {
    let folder = folder();
    let exports =
        ["--export-json", "record.json", "--export-csv", "pairs.csv", "--export-markdown", "pairs.md"];
    let measured = |problem: &str| {
        let output =
            bench(folder.path(), &[&exports[..], &["--keep-puzzles", "--budgets", problem]].concat());
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        let record = record(folder.path());
        keep_record("record", &record);
        (record, String::from_utf8(output.stdout).unwrap())
    };
    let (record, shown) = measured("boj2239");
    assert!(record["pairs"].as_array().unwrap().iter().all(|pair| pair["smallest"] == true));
    assert!(shown.contains("4 puzzles, the smallest solution, 1 thread"), "{shown}");
    let (record, _) = measured("boj2580");
    for pair in record["pairs"].as_array().unwrap() {
        assert!(pair["throughput"]["median"].as_f64().unwrap() > 0.0);
        assert_eq!((&pair["max_solutions"], &pair["threads"]), (&1.into(), &1.into()));
        assert_eq!(pair.get("smallest"), None);
        assert_eq!(pair["kept"]["number"].as_array().unwrap().len(), 4);
        assert_eq!(pair["budgets"][2]["limit_ns"], 1_172_000_000);
        assert_eq!(pair["rounds"].as_array().unwrap().len(), 3);
    }
    let pairs = record["pairs"].as_array().unwrap().len();
    let csv = std::fs::read_to_string(folder.path().join("pairs.csv")).unwrap();
    assert_eq!(csv.lines().count(), pairs + 1);
    assert!(std::fs::read_to_string(folder.path().join("pairs.md")).unwrap().contains("### puzzles.txt"));
}

#[test]
fn the_vector_level_is_recorded_and_other_levels_are_warned_about() {
    let folder = folder();
    let told = |words: &[&str]| {
        let output =
            bench(folder.path(), &[&["--solvers", "mrv", "--export-json", "record.json"], words].concat());
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        let record = record(folder.path());
        keep_record("record", &record);
        record["simd_level"].as_str().unwrap().to_owned()
    };
    let usual = told(&[]);
    std::fs::rename(folder.path().join("record.json"), folder.path().join("usual.json")).unwrap();
    assert_eq!(told(&["--simd", "baseline"]), "baseline");
    let compared = Command::new(env!("CARGO_BIN_EXE_sudobench"))
        .args(["compare", "usual.json", "record.json"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    let warning = format!("record.json was measured at the SIMD level baseline, usual.json at {usual}:");
    let shown = String::from_utf8(compared.stdout).unwrap();
    assert_eq!(shown.contains(&warning), usual != "baseline", "{shown}");
}

/// Measures an engine and two solvers, with puzzles from standard input.
#[cfg(unix)]
#[test]
fn records_of_several_runs_are_compared_and_get_a_verdict() {
    let folder = folder();
    let engine = format!("right=sed s/.*/{SOLUTION}/");
    let measure = |more: &[&str]| {
        let how = ["--runs", "3", "--rounds", "2", "--min-time", "0s", "-q", "--same-puzzles", "--force"];
        let solvers = ["--solvers", "mrv,auto", "--export-json", "record.json"];
        let output = Command::new(env!("CARGO_BIN_EXE_sudobench"))
            .args([&["bench", "-"], &how[..], &solvers, more].concat())
            .current_dir(folder.path())
            .stdin(std::fs::File::open(folder.path().join("puzzles.txt")).unwrap())
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let shown = measure(&["--engine", &engine]);
    assert!(shown.contains("3 runs, each in a process of its own"), "{shown}");
    let record = record(folder.path());
    keep_record("record", &record);
    assert_eq!(record["settings"]["runs"], 3);
    for pair in record["pairs"].as_array().unwrap() {
        let runs = pair["runs"].as_array().unwrap();
        assert_eq!(runs.len(), 3, "{pair}");
        assert!(runs.iter().any(|run| run["rounds"] == pair["rounds"]), "{pair}");
        assert!(runs.iter().all(|run| run["rounds"][0]["cpu_ns"].as_u64() > Some(0)), "{pair}");
    }
    let compare = |change: u64, fail_on: &str| {
        let mut later = record.clone();
        for pair in later["pairs"].as_array_mut().unwrap() {
            let scaled = |round: &mut serde_json::Value| {
                for time in ["elapsed_ns", "cpu_ns"] {
                    round[time] = (round[time].as_u64().unwrap() * change).into();
                }
            };
            pair["rounds"].as_array_mut().unwrap().iter_mut().for_each(scaled);
            for run in pair["runs"].as_array_mut().unwrap() {
                run["rounds"].as_array_mut().unwrap().iter_mut().for_each(scaled);
            }
            for speed in ["median", "low", "high"] {
                let slower = pair["throughput"][speed].as_f64().unwrap() / change as f64;
                pair["throughput"][speed] = slower.into();
            }
            pair["amortised_ns"] = (pair["amortised_ns"].as_f64().unwrap() * change as f64).into();
        }
        std::fs::write(folder.path().join("later.json"), later.to_string()).unwrap();
        let output = Command::new(env!("CARGO_BIN_EXE_sudobench"))
            .args(["compare", "record.json", "later.json", "--fail-on", fail_on])
            .current_dir(folder.path())
            .output()
            .unwrap();
        (output.status.code(), String::from_utf8([output.stdout, output.stderr].concat()).unwrap())
    };
    // However much the times of the runs vary, a factor of a thousand is beyond the variation.
    let (code, shown) = compare(1_000, "worse");
    assert!(code == Some(3) && shown.matches(" slower ").count() == 3, "{shown}");
    assert!(shown.contains("processor time for solvers of this program on one thread"), "{shown}");
    let (code, shown) = compare(1, "worse");
    assert!(code == Some(0) && shown.matches(" same ").count() == 3, "{shown}");
    assert!(measure(&["--isomorphs", "2"]).contains("each in 2 random forms"));
}

/// The engine answers rightly only in the first run. It recognizes the run by its parent process.
#[cfg(unix)]
#[test]
fn wrong_answers_and_times_of_puzzles_are_exported_after_several_runs() {
    let folder = folder();
    let script = format!(
        "[ -e first ] || echo $PPID >first; answer=1; [ $(cat first) != $PPID ] || answer={SOLUTION}; exec sed s/.*/$answer/"
    );
    let engine = format!("e=sh -c '{script}'");
    let output = Command::new(env!("CARGO_BIN_EXE_sudobench"))
        .args([
            "bench",
            "puzzles.txt",
            "--runs",
            "3",
            "--rounds",
            "1",
            "--min-time",
            "0s",
            "-q",
            "--same-puzzles",
        ])
        .args(["--solvers", "mrv", "--engine", &engine, "--export-json", "record.json"])
        .args(["--export-wrong", "wrong.csv", "--export-puzzles", "figures.csv"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    let shown = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(4), "{shown}");
    let record = record(folder.path());
    keep_record("record", &record);
    let [solver, engine] = [0, 1].map(|at| &record["pairs"][at]);
    assert!(engine["error"].as_str().unwrap().starts_with("in run 2 of 3: wrong answer"), "{engine}");
    let read = |file| std::fs::read_to_string(folder.path().join(file)).unwrap();
    assert_eq!(engine["wrong"]["answers"], read("wrong.csv").lines().count() - 1);
    assert_eq!(solver["puzzles"], read("figures.csv").lines().count() - 1);
    assert!(read("figures.csv").lines().skip(1).all(|line| line.contains("mrv")));
}

/// An interrupt ends the current run. The complete runs before it are kept, and the record states that more runs were planned.
#[cfg(unix)]
#[test]
fn an_interrupt_keeps_complete_runs() {
    let folder = folder();
    // The engine hangs when it is started for the eighth time, which is in the second run.
    let script = format!(
        "echo . >>starts; [ $(wc -l <starts) -lt 8 ] || {{ touch waits; sleep 600; }}; exec sed s/.*/{SOLUTION}/"
    );
    let engine = format!("e=sh -c '{script}'");
    let mut child = Command::new(env!("CARGO_BIN_EXE_sudobench"))
        .args(["bench", "puzzles.txt", "--runs", "3", "--rounds", "1", "--min-time", "0s", "-q"])
        .args(["--same-puzzles", "--solvers", "none", "--engine", &engine, "--export-json", "record.json"])
        .current_dir(folder.path())
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    while !folder.path().join("waits").exists() {
        assert!(child.try_wait().unwrap().is_none(), "the run ended before the engine hung");
        std::thread::sleep(Duration::from_millis(10));
    }
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let record = record(folder.path());
    keep_record("record", &record);
    assert_eq!((&record["interrupted"], &record["settings"]["runs"]), (&true.into(), &3.into()));
    assert_eq!(record["pairs"][0]["runs"].as_array().unwrap().len(), 1, "{record}");
    let shown = Command::new(env!("CARGO_BIN_EXE_sudobench"))
        .args(["report", "record.json"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert!(String::from_utf8(shown.stdout).unwrap().contains("e on puzzles.txt after 1 of 3 runs"));
}

#[cfg(unix)]
#[test]
fn figures_of_passes_are_in_records_and_their_reports() {
    let folder = folder();
    let engine = format!("right=sed s/.*/{SOLUTION}/");
    let solvers = ["--engine", &engine, "--export-json", "record.json", "--export-csv", "pairs.csv"];
    let output = bench(folder.path(), &solvers);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let record = record(folder.path());
    keep_record("record", &record);
    let csv = std::fs::read_to_string(folder.path().join("pairs.csv")).unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    for (key, column, header) in [
        ("page_faults", "page_faults_per_pass", "page faults/pass"),
        ("context_switches", "context_switches_per_pass", "context switches/pass"),
    ] {
        for pair in record["pairs"].as_array().unwrap() {
            let least = if pair["kind"] == "engine" { 1.0 } else { 0.0 };
            assert!(pair["figures"][key].as_f64().unwrap() >= least, "{pair}");
        }
        assert!(csv.lines().next().unwrap().contains(column) && text.contains(header), "{csv}\n{text}");
    }
}

#[cfg(unix)]
#[test]
fn a_right_engine_is_measured_and_a_wrong_one_is_named() {
    let folder = folder();
    // The engine prints lines as the command of tdoku does: the puzzle, a count, the solution.
    let solves = format!("right=sed s/.*/&:1:{SOLUTION}/");
    let swapped = format!("435{}", &SOLUTION[3..]);
    let wrong_once = format!("wrong=sed -e s/.*/{SOLUTION}/ -e 3s/.*/{swapped}/");
    let engines = ["--solvers", "null", "--engine", &solves, "--engine", &wrong_once];
    let output = bench(folder.path(), &[&engines[..], &["--export-json", "record.json"]].concat());
    assert_eq!(output.status.code(), Some(4));
    let stdout = String::from_utf8(output.stdout).unwrap();
    assert!(stdout.contains("wrong: wrong answer: on puzzle "), "{stdout}");
    assert!(stdout.contains("its answer is wrong: r1c1 differs from the clue"), "{stdout}");
    let record = record(folder.path());
    keep_record("record", &record);
    let pair = |name: &str| {
        record["pairs"].as_array().unwrap().iter().find(|pair| pair["solver"] == name).cloned().unwrap()
    };
    assert!(pair("wrong").get("throughput").is_none());
    let right = pair("right");
    assert!(right["throughput"]["median"].as_f64().unwrap() > 0.0);
    assert!(right["engine"]["peak_memory_bytes"].as_u64().unwrap() > 0);
    assert!(right["latency_ns"].is_null(), "the latency of this engine is not known");
}

#[cfg(unix)]
#[test]
fn an_engine_is_measured_beside_one_solver_unless_others_are_named() {
    let folder = folder();
    let engine = format!("e=sed s/.*/{SOLUTION}/");
    for (chosen, expected) in [
        (&[][..], &["auto", "e"][..]),
        (&["--solvers", "none"], &["e"]),
        (&["--solvers", "null,mrv"], &["null", "mrv", "e"]),
        (&["--include", "^null$"], &["e"]),
    ] {
        let arguments = [&["--engine", &engine, "--export-json", "record.json", "--force"], chosen].concat();
        let output = bench(folder.path(), &arguments);
        assert_eq!(output.status.code(), Some(0), "{chosen:?}");
        let record = record(folder.path());
        let solvers: Vec<&str> =
            record["pairs"].as_array().unwrap().iter().map(|pair| pair["solver"].as_str().unwrap()).collect();
        assert_eq!(solvers, expected, "{chosen:?}");
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.contains("without start-up"), "{text}");
    }
}

#[cfg(unix)]
#[test]
fn an_engine_that_caches_answers_is_detected() {
    let folder = folder();
    let solves =
        format!("solves={} solve - --output-format lines --threads 1 -q", env!("CARGO_BIN_EXE_sudobench"));
    let cached = format!("cached=sed s/.*/{SOLUTION}/");
    let output = Command::new(env!("CARGO_BIN_EXE_sudobench"))
        .args([
            "bench",
            "puzzles.txt",
            "--solvers",
            "none",
            "--rounds",
            "2",
            "--export-json",
            "record.json",
            "-q",
        ])
        .args(["--engine", &solves, "--engine", &cached])
        .current_dir(folder.path())
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(
        text.contains("cached: wrong answer: on puzzle ") && text.contains(", form 1 its answer"),
        "{text}"
    );
    assert!(text.contains("external programs got other forms of the puzzles in each round"), "{text}");
    let record = record(folder.path());
    keep_record("record", &record);
    assert_eq!(record["settings"]["fresh_forms"], true);
    assert!(record["pairs"][0]["throughput"].is_object(), "{text}");
}

#[cfg(unix)]
#[test]
fn an_engine_that_denies_a_solution_is_refuted() {
    let output = bench(folder().path(), &["--solvers", "none", "--engine", "mute=cat"]);
    assert_eq!(output.status.code(), Some(4));
    let stdout = String::from_utf8(output.stdout).unwrap();
    assert!(stdout.contains("its answer has no solution, but"), "{stdout}");
}

/// The puzzles have no clues in the first two rows, so most of them have several solutions.
#[test]
fn a_batch_solver_may_find_other_solutions_if_any_is_requested() {
    let folder = folder();
    let rows: String = (0..9_000usize)
        .map(|number| {
            let digits = |value: usize| (value + number) % 9 + 1;
            let solution = SOLUTION.bytes().map(|digit| digits(usize::from(digit - b'0')));
            let kept = |at: usize| at >= 18 && !(at * 7 + number).is_multiple_of(3);
            solution
                .enumerate()
                .map(|(at, digit)| if kept(at) { digit.to_string() } else { ".".to_owned() })
                .chain(["\n".to_owned()])
                .collect::<String>()
        })
        .collect();
    std::fs::write(folder.path().join("puzzles.txt"), rows).unwrap();
    for question in [["--max-solutions", "1"], ["--budgets", "boj2580"]] {
        let output = bench(folder.path(), &[&["--solvers", "auto,bitslice,mrv"], &question[..]].concat());
        let shown = String::from_utf8_lossy(&output.stdout);
        assert_eq!(output.status.code(), Some(0), "{shown}");
        assert!(!shown.contains("wrong answer"), "{shown}");
    }
}

#[test]
fn mistyped_options_are_reported() {
    for (arguments, words) in [
        (vec!["--solvers", "magic"], "there is no solver `magic`"),
        (vec!["--engine", "nameless"], "write NAME='COMMAND ARGUMENTS'"),
        (vec!["--solvers", "null", "--engine", "null=cat"], "the name `null` occurs twice"),
        (vec!["--exclude", "."], "no solver is left"),
        (vec!["--solvers", "none"], "no solver is left"),
        (vec!["--include", "("], "--include"),
        (vec!["puzzles.txt"], "puzzles.txt is named twice"),
        (vec!["-", "-"], "standard input (`-`) can be read only once"),
        (vec!["--preset", "boj2580"], "unexpected argument '--preset'"),
        (vec!["--budgets", "boj2580,boj2239"], "cannot be combined: choose one"),
        (vec!["--threads", "0"], "write 1 or more"),
        (vec!["--sample", "few"], "write a whole number, such as 20000"),
        (vec!["--max-time-per-puzzle", "80"], "write a number with its unit"),
    ] {
        let output = bench(folder().path(), &arguments);
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {stderr}");
        assert!(stderr.contains(words), "{stderr}");
    }
    let output = bench(folder().path(), &["nowhere.txt"]);
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn presets_have_the_limits_of_the_judge() {
    let help = Command::new(env!("CARGO_BIN_EXE_sudobench")).args(["bench", "--help"]).output().unwrap();
    let help = String::from_utf8(help.stdout).unwrap().split_whitespace().collect::<Vec<_>>().join(" ");
    for words in ["80 ms (C++14)", "allows 1 s and 256 MB", "15528 ms (Java)", "allows 2 s and 256 MB"] {
        assert!(help.contains(words), "{words}: {help}");
    }
}

#[test]
fn a_dataset_may_come_from_standard_input() {
    let folder = folder();
    assert_cmd::Command::cargo_bin("sudobench")
        .unwrap()
        .args(["bench", "puzzles.txt", "-", "--solvers", "mrv", "--rounds", "1", "--min-time", "0s", "-q"])
        .args(["--export-json", "record.json"])
        .current_dir(folder.path())
        .write_stdin(format!("{PUZZLE}\n").repeat(3))
        .assert()
        .success();
    let record = record(folder.path());
    keep_record("record", &record);
    let dataset = &record["datasets"][1];
    assert_eq!((&dataset["name"], &dataset["path"]), (&"standard input".into(), &"-".into()));
    assert_eq!((&dataset["puzzles"], &record["pairs"][1]["puzzles"]), (&3.into(), &3.into()));
    assert_eq!(dataset["sha256"].as_str().unwrap().len(), 64);
}

/// A row-major backtracker needs millions of nodes for one of the puzzles of the second dataset.
#[test]
fn naive_variants_are_left_out_if_they_would_take_minutes() {
    let folder = folder();
    std::fs::write(folder.path().join("hard.txt"), format!("{PUZZLE}\n{MONSTER}\n")).unwrap();
    let measured = |words: &[&str]| {
        let output = assert_cmd::Command::cargo_bin("sudobench")
            .unwrap()
            .args(["bench", "puzzles.txt", "hard.txt", "--rounds", "1", "--min-time", "0s"])
            .args(["--export-json", "record.json"])
            .args(words)
            .current_dir(folder.path())
            .assert()
            .success();
        let stderr = String::from_utf8(output.get_output().stderr.clone()).unwrap();
        let record = record(folder.path());
        let naive = record["pairs"].as_array().unwrap().iter().any(|pair| pair["solver"] == "bool-table");
        let is_told = stderr.contains("solvers that may take minutes are left out: ");
        assert_eq!(is_told, stderr.contains("(puzzle 2 of hard.txt takes"), "{stderr}");
        (naive, is_told)
    };
    assert_eq!(measured(&[]), (false, true));
    assert_eq!(measured(&["--quiet"]), (false, false));
    assert_eq!(
        measured(&["--max-nodes", "1000"]),
        (true, false),
        "with a limit, the solver stops early on the hard puzzle"
    );
    assert_eq!(measured(&["--solvers", "all", "--max-nodes", "1000"]), (true, false));
    assert_eq!(measured(&["--sample", "1", "--seed", "2"]), (true, false), "the puzzle is not in the sample");
}

#[cfg(target_os = "linux")]
#[test]
fn too_many_threads_are_an_error_with_a_possible_number() {
    // Each thread needs a stack, so the limit on address space allows only some of the threads. The stacks are large, so some space is left
    // when no further stack fits. Without this space, a started thread could lack room for its signal stack, and the process would end.
    let limited = "ulimit -v 1000000; exec \"$0\" bench puzzles.txt --solvers mrv --threads 1024 -q";
    let output = Command::new("sh")
        .args(["-c", limited, env!("CARGO_BIN_EXE_sudobench")])
        .env("RUST_MIN_STACK", (100 << 20).to_string())
        .env("MALLOC_ARENA_MAX", "1")
        .current_dir(folder().path())
        .output()
        .unwrap();
    let stdout = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(4), "{stdout}");
    assert!(stdout.contains("mrv: cannot start 1024 threads: "), "{stdout}");
    assert!(stdout.contains("could be started, so try --threads "), "{stdout}");
}

/// The number of rounds would take far more than the time limit; the test checks that the run ends.
#[test]
fn a_pair_keeps_to_its_time_limit_with_any_number_of_rounds() {
    let (folder, start) = (folder(), Instant::now());
    let rounds = u64::MAX.to_string();
    let mut command = assert_cmd::Command::cargo_bin("sudobench").unwrap();
    command.args([
        "bench",
        "puzzles.txt",
        "--solvers",
        "mrv,null",
        "--min-time",
        "0s",
        "-q",
        "--rounds",
        &rounds,
    ]);
    let ended = command.args(["--max-time-per-pair", "200ms"]).current_dir(folder.path()).assert().success();
    let text = String::from_utf8(ended.get_output().stdout.clone()).unwrap();
    assert!(text.contains("because the time of the pair ran out (--max-time-per-pair)"), "{text}");
    #[cfg(unix)]
    {
        let mut command = assert_cmd::Command::cargo_bin("sudobench").unwrap();
        let engine = format!("e=sh -c 'sleep 0.3; sed s/.*/{SOLUTION}/'");
        command.args([
            "bench",
            "puzzles.txt",
            "--solvers",
            "null",
            "--same-puzzles",
            "--min-time",
            "0s",
            "-q",
            "--rounds",
            &rounds,
        ]);
        command
            .args(["--max-time-per-pair", "2s", "--engine", &engine])
            .current_dir(folder.path())
            .assert()
            .success();
    }
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
}

#[test]
fn a_wrong_path_is_reported_before_the_measurement() {
    let folder = folder();
    std::fs::write(folder.path().join("good.json"), "good").unwrap();
    std::fs::create_dir(folder.path().join("a_folder")).unwrap();
    for option in ["--export-json", "--export-csv", "--export-markdown", "--export-html", "--export-junit"] {
        for wrong in ["nowhere/file", "a_folder"] {
            // If the engine were started, it would write a file.
            let words =
                ["--engine", "e=sh -c 'echo >> started; exit 1'", "--force", "--export-json", "good.json"];
            let words = if option == "--export-json" { &words[..2] } else { &words[..] };
            let output = bench(folder.path(), &[words, &[option, wrong]].concat());
            let stderr = String::from_utf8(output.stderr).unwrap();
            assert_eq!(output.status.code(), Some(1), "{stderr}");
            assert!(stderr.contains(&format!("cannot write {wrong}")), "{stderr}");
            assert!(
                !folder.path().join("started").exists(),
                "no engine may start before all paths are checked"
            );
        }
    }
    assert_eq!(std::fs::read_to_string(folder.path().join("good.json")).unwrap(), "good");
    let left = std::fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(left, 3, "puzzles.txt, good.json and a_folder");
}

#[cfg(target_os = "linux")]
#[test]
fn an_export_that_cannot_be_written_does_not_stop_other_exports() {
    let folder = folder();
    let limited = |blocks: &str, arguments: &str, cannot: &str| {
        let script = format!("ulimit -f {blocks}; exec \"$0\" {arguments}");
        let output = Command::new("sh")
            .args(["-c", &script, env!("CARGO_BIN_EXE_sudobench")])
            .current_dir(folder.path())
            .output()
            .unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(1) && stderr.contains(cannot), "{:?}: {stderr}", output.status);
        assert_eq!(output.stdout.is_empty(), arguments.starts_with("report"));
    };
    let bench = "bench puzzles.txt -q --solvers mrv --rounds 1 --min-time 0s";
    let full = format!("{bench} --export-json /dev/full --export-csv r.csv --history h.jsonl --commit c");
    limited("unlimited", &full, "cannot write /dev/full: No space left");
    assert!(["r.csv", "h.jsonl"].iter().all(|name| folder.path().join(name).exists()));
    let solve = "solve puzzles.txt -q --export-json /dev/full --export-hgrm p.txt";
    limited("unlimited", solve, "cannot write /dev/full: No space left");
    std::fs::remove_file(folder.path().join("p.txt")).unwrap();
    limited("0", &format!("{bench} --export-json r.json"), "cannot write r.json: File too large");
    assert_eq!(self::bench(folder.path(), &["--export-json", "r.json"]).status.code(), Some(0));
    limited("0", "report r.json --export-html r.html", "cannot write r.html: File too large");
    assert_eq!(
        std::fs::read_dir(folder.path()).unwrap().count(),
        4,
        "puzzles.txt, r.csv, h.jsonl and r.json"
    );
}

#[test]
fn exports_replace_only_earlier_exports_and_never_inputs() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    let puzzles = std::fs::read_to_string(at("puzzles.txt")).unwrap();
    let run = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sudobench"));
        let output = command.current_dir(folder.path()).args(arguments).output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    let short = ["bench", "puzzles.txt", "-q", "--solvers", "mrv", "--rounds", "1", "--min-time", "0s"];
    for (option, name) in [
        ("--export-json", "r.json"),
        ("--export-csv", "r.csv"),
        ("--export-markdown", "r.md"),
        ("--export-html", "r.html"),
        ("--export-junit", "r.xml"),
    ] {
        for _ in 0..2 {
            assert_eq!(run(&[&short[..], &[option, name]].concat()).0, Some(0), "{name}");
        }
        let own = format!("{name}.own");
        std::fs::write(at(&own), "somebody's own words").unwrap();
        let (code, stderr) = run(&[&short[..], &[option, &own]].concat());
        assert!(code == Some(1) && stderr.contains("replace it with --force"), "{stderr}");
        assert_eq!(std::fs::read_to_string(at(&own)).unwrap(), "somebody's own words");
        assert_eq!(run(&[&short[..], &[option, &own, "--force"]].concat()).0, Some(0), "{name}");
        let (code, stderr) = run(&[&short[..], &[option, "./puzzles.txt", "--force"]].concat());
        assert!(code == Some(2) && stderr.contains("is the same file as"), "{stderr}");
    }
    let baseline = ["gate", "puzzles.txt", "-q", "--solvers", "mrv", "--update-baseline", "--baseline"];
    for name in ["b.txt", "b.txt"] {
        assert_eq!(run(&[&baseline[..], &[name]].concat()).0, Some(0));
    }
    for (arguments, words) in [
        ([&baseline[..], &["r.json.own"]].concat(), "is not a baseline of this program"),
        ([&baseline[..], &["puzzles.txt", "--force"]].concat(), "is the same file as"),
        (
            vec!["gate", "puzzles.txt", "--baseline", "b.txt", "--export-json", "b.txt", "--force"],
            "is the same file as",
        ),
        (vec!["report", "r.json", "--export-html", "r.json", "--force"], "is the same file as"),
        (
            vec!["compare", "r.json", "r.json", "--export-markdown", "r.json", "--force"],
            "is the same file as",
        ),
        (vec!["doctor", "--export-json", "b.txt"], "replace it with --force"),
    ] {
        let (code, stderr) = run(&arguments);
        assert!(code != Some(0) && stderr.contains(words), "{arguments:?}: {stderr}");
    }
    let redirected = |arguments: &[&str], name: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sudobench"));
        let input = std::fs::File::open(at(name)).unwrap();
        let output = command.current_dir(folder.path()).args(arguments).stdin(input).output().unwrap();
        let words = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(2) && words.contains("is the same file as"), "{words}");
    };
    redirected(&["bench", "-", "--export-json", "puzzles.txt", "--force"], "puzzles.txt");
    redirected(
        &["gate", "-", "--baseline", "b.txt", "--export-json", "puzzles.txt", "--force"],
        "puzzles.txt",
    );
    redirected(&["report", "-", "--export-html", "r.json", "--force"], "r.json");
    assert_eq!(std::fs::read_to_string(at("puzzles.txt")).unwrap(), puzzles);
    let left = std::fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(left, 12, "puzzles, five exports and five with force, a baseline");
}

/// Returns whether a process has a handler for SIGINT.
#[cfg(target_os = "linux")]
fn handles_interrupts(process: u32) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
    caught.is_some_and(|mask| u64::from_str_radix(mask.trim(), 16).unwrap() & 0b10 != 0)
}

#[cfg(target_os = "linux")]
#[test]
fn an_interrupt_does_not_wait_for_a_hard_puzzle() {
    use super::common::{ENDLESS, wait_a_minute};
    for threads in ["1", "2"] {
        let folder = folder();
        std::fs::write(folder.path().join("endless.txt"), format!("{ENDLESS}\n")).unwrap();
        let mut child = Command::new(env!("CARGO_BIN_EXE_sudobench"))
            .args(["bench", "endless.txt", "--solvers", "blank-scan", "--max-time-per-pair", "1h", "-q"])
            .args(["--threads", threads, "--export-json", "record.json"])
            .current_dir(folder.path())
            .stdout(std::process::Stdio::null())
            .spawn()
            .unwrap();
        let start = Instant::now();
        while !handles_interrupts(child.id()) {
            assert!(start.elapsed() < Duration::from_secs(60), "the program does not start");
            std::thread::sleep(Duration::from_millis(5));
        }
        std::thread::sleep(Duration::from_millis(100));
        Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
        wait_a_minute(&mut child);
        assert_eq!(child.wait().unwrap().code(), Some(130));
        let record = record(folder.path());
        keep_record("record", &record);
        assert_eq!(record["pairs"][0]["error"], "interrupted before it was measured");
    }
}
