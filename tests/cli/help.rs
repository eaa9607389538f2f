//! Help texts: `-h` fits on a screen, and the examples run.

use clap::{Command, CommandFactory as _};
use sudobench::cli::Cli;

/// Returns the commands that the help of the program lists. Their own help texts are wrapped at 100 columns.
fn commands() -> Vec<Command> {
    let mut program = Cli::command().term_width(100);
    program.build();
    let shown = program.get_subcommands().filter(|command| !command.is_hide_set());
    shown.filter(|command| command.get_name() != "help").cloned().collect()
}

/// Returns the example command lines in the long help of a command.
fn examples(command: &mut Command) -> Vec<String> {
    let help = command.render_long_help().to_string().replace("\\\n", " ");
    let lines = help.lines().skip_while(|line| *line != "Examples:").skip(1);
    lines.take_while(|line| !line.is_empty()).map(str::to_owned).collect()
}

#[test]
fn short_help_fits_on_a_screen() {
    for mut command in commands() {
        let help = command.render_help().to_string();
        assert!(help.lines().count() <= 45, "{} lines: {help}", help.lines().count());
        assert!(help.lines().all(|line| line.chars().count() <= 100), "{help}");
        let long = command.render_long_help().to_string();
        assert!(long.lines().all(|line| line.chars().count() <= 100), "{long}");
        for option in command.get_arguments().filter(|option| !option.is_hide_set()) {
            let Some(name) = option.get_long() else { continue };
            assert!(help.contains(&format!("--{name}")), "{} -h: --{name}", command.get_name());
        }
        for example in examples(&mut command) {
            assert!(example.starts_with("  ") && !example.starts_with("   "), "{example}");
            assert!(example.contains("sudobench "), "an example is broken into lines: {example}");
        }
    }
}

#[cfg(unix)]
mod running {
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;
    use std::path::Path;
    use std::process::Stdio;

    use sudobench_rows::verbs::VERBS;

    use super::super::dataset;
    use super::{commands, examples};

    const PROGRAM: &str = env!("CARGO_BIN_EXE_sudobench");

    /// Shell script that makes the files that the examples name.
    const FILES: &str = r#"
        head -5 $DATASETS/sample.csv > puzzles.csv
        for name in easy hard train test big; do cp puzzles.csv $name.csv; done
        head -3 $DATASETS/multiple.csv > multiple.csv
        tail -n +2 puzzles.csv | cut -d, -f2 > puzzles.txt
        for name in judge hard easy top1465 hardest big; do cp puzzles.txt $name.txt; done
        echo x >> big.txt
        head -1 puzzles.txt > clue17.txt
        for name in sudoku train puzzles; do cp $DATASETS/formats/kaggle1m.csv.zip $name.csv.zip; done
        cp $DATASETS/formats/kaggle1m.csv.gz puzzles.csv.gz
        cp puzzles.csv.gz puzzles.gz
        cp $DATASETS/formats/kaggle1m.csv.zst big.csv.zst
        for name in big train test train-1 train-2; do cp $DATASETS/formats/kaggle1m.parquet $name.parquet; done
        cp $DATASETS/formats/numbers.npy boards.npy
        cp $DATASETS/predictions.csv predictions.csv
        sed 1s/prediction/answer/ predictions.csv > answers.csv
    "#;

    /// Replacements for text in the examples, so that the examples take less time.
    const SHORTER: [(&str, &str); 11] = [
        ("--count 1000000", "--count 3"),
        ("--count 20000", "--count 3"),
        ("--count 1000", "--count 3"),
        ("--count 200 --hardest", "--count 1 --steps 5 --hardest"),
        ("--count 5 --hardest-engine", "--count 1 --steps 2 --hardest-engine"),
        ("--limit-per-puzzle 100000", "--limit-per-puzzle 20"),
        ("sudobench minimals ", "sudobench minimals --limit 1 "),
        ("sudobench bench", "sudobench bench --rounds 1 --min-time 0s"),
        (
            "sudobench gate",
            "sudobench gate --min-trials 6 --max-trials 6 --leg 1ms --max-time-per-pair 300ms",
        ),
        ("-2+1 hardest", "-2+1 --limit 1 --limit-per-puzzle 5 hardest"),
        ("--random 1000", "--random 10"),
    ];

    /// Runs the examples of the given commands, each command in a folder of its own. `programs` are paths and contents of shell scripts
    /// that replace the user's programs.
    fn run_examples(names: &[&str], setup: &str, programs: &[(&str, &str)]) {
        for mut command in commands() {
            let name = command.get_name().to_owned();
            if !names.contains(&name.as_str()) {
                continue;
            }
            let folder = tempfile::tempdir().unwrap();
            let root = fs::canonicalize(folder.path()).unwrap();
            let work = root.join("work");
            fs::create_dir(&work).unwrap();
            let ours = format!("exec {PROGRAM} \"$@\"");
            for (path, script) in [
                ("bin/sudobench", ours.as_str()),
                ("bin/zcat", "exec gzip -dc \"$@\""),
                ("bin/zstd", "exec cat"),
            ]
            .iter()
            .chain(programs)
            {
                let path = root.join(path);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(&path, format!("#!/bin/sh\n{}\n", script.replace("PROGRAM", PROGRAM))).unwrap();
                fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
            }
            let (code, words) = shell(&work, &format!("set -e\n{FILES}\n{setup}"));
            assert_eq!(code, 0, "the files of {name}: {words}");
            let examples = examples(&mut command);
            assert!(!examples.is_empty(), "{name}");
            for example in examples {
                let mut line = example.trim().to_owned();
                for (text, shorter) in SHORTER {
                    line = line.replace(text, shorter);
                }
                let (code, words) = shell(&work, &line);
                let may_fail = match line.as_str() {
                    line if line.contains("--fail-on") => &[3, 4, 5][..],
                    // On a busy machine, the times of two equal builds may differ.
                    line if line.contains("--base-") => &[3],
                    _ => &[],
                };
                assert!(code == 0 || may_fail.contains(&code), "{line}: exit code {code}: {words}");
            }
        }
    }

    /// Runs a shell script. Returns its exit code, and what it printed on standard error.
    fn shell(folder: &Path, script: &str) -> (i32, String) {
        let path = format!("{}:{}", folder.with_file_name("bin").display(), std::env::var("PATH").unwrap());
        let output = std::process::Command::new("sh")
            .args(["-c", script])
            .current_dir(folder)
            .env("PATH", path)
            .env("DATASETS", dataset(""))
            .stdin(Stdio::null())
            .output()
            .unwrap();
        (output.status.code().unwrap(), String::from_utf8_lossy(&output.stderr).into_owned())
    }

    /// An engine that reads and prints one line for each puzzle.
    const LINES: &str = "PROGRAM solve --input-format lines --output-format lines -q || true";

    /// An engine that also prints the number of its search nodes.
    const COUNTING: &str = "PROGRAM solve --solver mrv --columns solution,nodes -q | sed -e 1d -e 's/^[^,]*,//' -e 's/,/ nodes=/'";

    #[test]
    fn every_command_with_examples_is_run() {
        let run: Vec<&str> = VERBS.iter().map(|verb| verb.name).chain(OTHERS).chain(MEASURING).collect();
        for mut command in commands() {
            let has_examples = !examples(&mut command).is_empty();
            assert_eq!(run.contains(&command.get_name()), has_examples, "{}", command.get_name());
        }
    }

    const OTHERS: [&str; 2] = ["merge", "completions"];
    const MEASURING: [&str; 7] = ["bench", "leaderboard", "judge", "gate", "history", "compare", "report"];

    #[test]
    fn examples_of_verbs_run() {
        let names: Vec<&str> = VERBS.iter().map(|verb| verb.name).collect();
        run_examples(&names, "", &[("work/solve", COUNTING)]);
    }

    #[test]
    fn examples_of_merge_and_completions_run() {
        let setup = "
            for n in $(seq 16); do sudobench solve -q puzzles.csv -o solved.csv --shard $n/16; done
            for n in 1 2; do
                sudobench solve -q puzzles.csv -o solved.csv.zst --shard $n/2
                sudobench solve -q big.parquet -o parts/solved.parquet --shard $n/2
                sudobench score -q predictions.csv -o scored.csv --shard $n/2 >scores.txt
            done";
        run_examples(&OTHERS, &format!("mkdir parts\n{setup}"), &[]);
    }

    #[test]
    fn examples_of_bench_run() {
        let judged = format!("case $1 in 2580.py) exec PROGRAM answer boj2580 bool-table;; esac\n{LINES}");
        let files = "PROGRAM solve -q --force --output-format lines \"$1\" -o \"$2\" || true";
        run_examples(
            &["bench"],
            "",
            &[
                ("work/solve", LINES),
                ("old/solve", LINES),
                ("work/schoku", files),
                ("bin/python3", &judged),
                ("bin/rg", "exec grep \"$@\""),
            ],
        );
    }

    #[test]
    fn examples_of_leaderboard_run() {
        let setup = "
            mkdir -p results/2026-12
            cp puzzles.txt results/2026-12
            cat > results/2026-12/contest.toml <<END
title = 'One solver'
[rules]
rounds = 1
min_time = '1ms'
[[set]]
name = 'puzzles'
file = 'puzzles.txt'
sha256 = '$(sha256sum puzzles.txt | cut -c1-64)'
[[contestant]]
name = 'mrv'
END";
        run_examples(&["leaderboard"], setup, &[]);
    }

    #[test]
    fn examples_of_gate_and_of_records_run() {
        let setup = "
            bench='sudobench bench puzzles.txt --solvers mrv --rounds 1 --min-time 0s --budgets 292ms -q'
            $bench --export-json record.json --keep-puzzles --history history.jsonl
            cp record.json before.json
            cp record.json after.json
            sudobench gate puzzles.txt --sample 4 --baseline baseline.txt --update-baseline -q";
        let parse = "exec grep -c 5 \"$1\"";
        run_examples(
            &["gate", "history", "compare", "report"],
            setup,
            &[("work/solve", LINES), ("main/solve", LINES), ("work/parse", parse), ("main/parse", parse)],
        );
    }

    #[test]
    fn examples_of_judge_run() {
        let [first, smallest] =
            ["2580", "2239"].map(|problem| format!("exec PROGRAM answer boj{problem} bool-table"));
        let setup = "mkdir datasets; head -5 $DATASETS/judge.csv > datasets/judge.csv
            sudobench solve -q puzzles.txt --output-format boj2580 > answers.txt";
        run_examples(
            &["judge"],
            setup,
            &[("work/solve", &first), ("bin/python3", &first), ("bin/java", &smallest)],
        );
    }
}
