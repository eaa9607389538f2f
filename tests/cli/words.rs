//! Tests for output streams that cannot be written, for hostile text in messages, for tips, and for the names of benches.
#![cfg(unix)]

use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use super::{Ran, assert_harmless, command, dataset};

/// Opens a file to which every write fails.
fn full() -> File {
    File::options().write(true).open("/dev/full").unwrap()
}

fn run(folder: &Path, arguments: &[&str], change: impl Fn(&mut Command)) -> Output {
    let mut command = command();
    command.args(arguments).current_dir(folder).stdout(Stdio::piped()).stderr(Stdio::piped());
    change(&mut command);
    command.spawn().unwrap().wait_with_output().unwrap()
}

/// Makes a folder with a record. Returns the folder, and commands that print on standard output, with the exit code of each command.
fn printing() -> (tempfile::TempDir, Vec<(Vec<&'static str>, i32)>) {
    let folder = tempfile::tempdir().unwrap();
    fs::copy(dataset("sample.csv"), folder.path().join("s.csv")).unwrap();
    let bench = "bench s.csv --solvers mrv --rounds 1 --min-time 0s --sample 5 -q --export-json r.json";
    let made = run(folder.path(), &words(bench), |_| ());
    assert_eq!(made.status.code(), Some(0), "{}", String::from_utf8_lossy(&made.stderr));
    let commands = [
        ("solve s.csv", 0),
        ("overlap s.csv --with s.csv --by text", 0),
        ("canonical s.csv", 0),
        ("bench s.csv --solvers mrv --rounds 1 --min-time 0s --sample 5", 0),
        ("gate --record r.json --limits max=1h", 0),
        ("gate --record r.json --limits max=1ns", 3),
        ("gate --record r.json --limits max=1ns --format github", 3),
        ("report r.json", 0),
        ("report r.json --export-csv -", 0),
        ("compare r.json r.json", 0),
        ("doctor", 0),
        ("doctor --export-json -", 0),
        ("solvers", 0),
        ("man", 0),
        ("completions bash", 0),
        ("--help", 0),
        ("solve --help", 0),
        ("canonical --help", 0),
        ("--version", 0),
    ];
    (folder, commands.map(|(line, code)| (words(line), code)).to_vec())
}

fn words(line: &'static str) -> Vec<&'static str> {
    line.split(' ').collect()
}

#[test]
fn messages_that_cannot_be_written_change_nothing() {
    let (folder, printing) = printing();
    let failing =
        ["solve nofile", "merge nofile", "report nofile", "nonsense", "solve --solver magic"].map(words);
    let failing = failing.map(|line| (line, None));
    let fine = printing.into_iter().map(|(line, code)| (line, Some(code)));
    for (arguments, code) in fine.chain(failing) {
        let usual = run(folder.path(), &arguments, |_| ());
        let silent = run(folder.path(), &arguments, |command| {
            command.stderr(full());
        });
        assert_eq!(silent.status.code(), usual.status.code(), "{arguments:?}");
        assert!(code.is_none_or(|code| silent.status.code() == Some(code)), "{arguments:?}: {usual:?}");
        assert_eq!(silent.stdout.is_empty(), usual.stdout.is_empty(), "{arguments:?}");
    }
}

#[test]
fn files_are_complete_if_messages_cannot_be_written() {
    let folder = tempfile::tempdir().unwrap();
    let rows = format!("{}x\n", fs::read_to_string(dataset("sample.csv")).unwrap());
    fs::write(folder.path().join("s.csv"), rows).unwrap();
    let arguments = words("solve s.csv -o o.csv --export-json e.json --export-hgrm e.hgrm --progress always");
    let silent = run(folder.path(), &arguments, |command| {
        command.stderr(full());
    });
    assert_eq!(silent.status.code(), Some(4), "a malformed row");
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    let record: sudobench_harness::record::RunRecord = serde_json::from_str(&read("e.json")).unwrap();
    assert_eq!(record.rows, 61);
    assert_eq!(read("o.csv").lines().count(), 62);
    assert!(read("e.hgrm").contains("Total count    =           60"));
}

#[test]
fn an_output_that_cannot_be_written_is_an_error_with_a_message() {
    let (folder, printing) = printing();
    for (arguments, _) in printing {
        let failed = run(folder.path(), &arguments, |command| {
            command.stdout(full());
        });
        let stderr = String::from_utf8(failed.stderr).unwrap();
        assert_eq!(failed.status.code(), Some(1), "{arguments:?}: {stderr}");
        assert!(
            stderr.contains("sudobench: cannot write standard output: No space"),
            "{arguments:?}: {stderr}"
        );
    }
}

#[test]
fn a_reader_that_goes_away_changes_no_verdict() {
    let (folder, printing) = printing();
    for (arguments, code) in printing {
        let gone = run(folder.path(), &arguments, |command| {
            let (reader, writer) = std::io::pipe().unwrap();
            drop(reader);
            command.stdout(writer);
        });
        let stderr = String::from_utf8(gone.stderr).unwrap();
        assert_eq!(gone.status.code(), Some(code), "{arguments:?}: {stderr}");
        assert!(!stderr.contains("pipe"), "{arguments:?}: {stderr}");
    }
}

/// Characters that, without escaping, would change the colours or the title of a terminal, overwrite text, or issue commands.
const HOSTILE: &str = "\u{1b}[31m\u{1b}]0;t\u{7}\r\u{202e}\n::error::x";

#[test]
fn control_characters_of_names_are_escaped_in_messages() {
    let folder = tempfile::tempdir().unwrap();
    let bare = format!("{HOSTILE}.txt");
    let row = format!("{HOSTILE}\n").replacen('\n', " ", 1);
    fs::write(folder.path().join("rows.txt"), format!("{}\n{row}", super::sample()[0].0)).unwrap();
    fs::write(folder.path().join("record.json"), "{}").unwrap();
    fs::copy(folder.path().join("rows.txt"), folder.path().join(&bare)).unwrap();
    fs::copy(folder.path().join("record.json"), folder.path().join(format!("{HOSTILE}.json"))).unwrap();
    let (name, record) = (bare.as_str(), &format!("{HOSTILE}.json"));
    let (missing, typed) = (&format!("no{HOSTILE}"), &format!("--solver={HOSTILE}"));
    for arguments in [
        &["solve", "rows.txt"][..],
        &["solve", name],
        &["solve", missing],
        &["solve", name, typed],
        &["solve", name, "--budgets", HOSTILE],
        &["solve", name, "--max-time-per-puzzle", HOSTILE],
        &["solve", name, "--only", HOSTILE],
        &["solve", name, "--columns", HOSTILE],
        &["overlap", name, "--with", missing],
        &["overlap", missing, "--with", name],
        &["overlap", name, "--with", "rows.txt", "--by", HOSTILE],
        &["--simd", HOSTILE, "solvers"],
        &[HOSTILE],
        &["solve", HOSTILE],
        &["solve", "rows.txt", &format!("--{HOSTILE}")],
        &["dedupe", name],
        &["dedupe", name, "--isomorph", "--part", HOSTILE],
        &["dedupe", "rows.txt", "--shard", HOSTILE],
        &["dedupe", "rows.txt", "--report-duplicates", name],
        &["canonical", name],
        &["canonical", "rows.txt", "--columns", HOSTILE],
        &["rate", name],
        &["rate", "rows.txt", "--columns", HOSTILE],
        &["rate", "rows.txt", "--stratify", HOSTILE],
        &["merge", name, record],
        &["merge", &format!("{HOSTILE}.partial"), &format!("{HOSTILE}.shard.json")],
        &["report", record],
        &["compare", record, missing],
        &["bench", missing],
        &["bench", name, "--include", &format!("({HOSTILE}")],
        &["bench", name, "--solvers", HOSTILE],
        &["gate", name, "--limits", HOSTILE],
        &["gate", name, "--baseline", missing],
        &["man", HOSTILE],
        &["completions", HOSTILE],
    ] {
        let ran = run(folder.path(), arguments, |_| ());
        let stderr = String::from_utf8(ran.stderr).unwrap();
        assert!(matches!(ran.status.code(), Some(1 | 2 | 4)), "{arguments:?}: {stderr}");
        assert!(!stderr.is_empty(), "{arguments:?}");
        super::assert_harmless(&stderr);
    }
}

#[test]
fn hidden_commands_are_never_suggested() {
    let folder = tempfile::tempdir().unwrap();
    let told = |typed: &[&str]| {
        let ran = run(folder.path(), typed, |_| ());
        assert_eq!(ran.status.code(), Some(2));
        String::from_utf8(ran.stderr).unwrap()
    };
    // The second command line contains a character that must be escaped. The code that makes its message differs from the code for the
    // first command line.
    for typed in [&["sovle"][..], &["sovle", "\u{7}"]] {
        let words = told(typed);
        assert!(words.contains("exist: 'solve', ") && !words.contains("'serve'"), "{words}");
    }
    for hidden in ["serv", "watchdo", "runne", "answe"] {
        let words = told(&[hidden]);
        let quoted: Vec<&str> = words.lines().filter(|line| line.contains("tip:")).collect();
        let is_told = |name: &str| quoted.iter().any(|line| line.contains(&format!("'{name}'")));
        assert!(!["serve", "watchdog", "runner", "answer"].into_iter().any(is_told), "{words}");
        assert!(words.contains(&format!("unrecognized subcommand '{hidden}'\n\nUsage")), "{words}");
    }
}

#[test]
fn unknown_flags_and_commands_get_a_tip() {
    let tips = |line: &'static str| {
        let ran = Ran::of(run(Path::new("."), &words(line), |_| ())).expect(2);
        let tips: Vec<&str> =
            ran.stderr.lines().filter_map(|line| line.trim().strip_prefix("tip: ")).collect();
        (tips.join("; "), ran.stderr)
    };
    for (line, tip) in [
        (
            "solve x --hardest",
            "`rate --order-by -guesses --top 1000` finds the hardest puzzles of a file; `generate --hardest SOLVER` makes",
        ),
        ("rate x --output-dir=y", "all inputs go to one output file"),
        ("check x --difficulty hard", "`rate` rates puzzles"),
        ("solve x --stratify 3", "'--stratify' is an option of `rate`"),
        ("solve x --limits 4", "a similar argument exists: '--limit'; '--limits' is an option of `gate`"),
        ("solve x --thread 4", "a similar argument exists: '--threads'"),
        ("solve --in x", "inputs need no flag"),
        ("check x --unique", "--only unique keeps"),
        ("generate --num 5", "--count N"),
        ("bench x --solver mrv", "--solvers NAMES"),
        ("judge x --parallel 3", "--jobs N"),
        ("merge x --jobs 3", "'--jobs' is an option of `judge`"),
        ("sort x", "`rate --order-by -guesses --top 1000` finds the hardest puzzles of a file"),
        ("benchmark x", "`bench` measures solvers"),
        ("bensh x", "a similar subcommand exists: 'bench'"),
    ] {
        let (found, all) = tips(line);
        assert!(found.starts_with(tip), "{line}: {all}");
    }
    assert!(tips("solve x --hardest").1.contains("Usage: sudobench solve [OPTIONS]"));
}

#[test]
fn faults_after_gzip_data_are_reported_like_others() {
    use std::io::Write as _;
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("\u{1b}[31m\n::error::in.gz");
    let mut zip = flate2::write::GzEncoder::new(File::create(&input).unwrap(), flate2::Compression::fast());
    zip.write_all(&std::fs::read(dataset("sample.csv")).unwrap()).unwrap();
    zip.finish().unwrap().write_all(b"garbage").unwrap();
    let solved = |stderr: Stdio| {
        Ran::of(command().arg("solve").arg(&input).stderr(stderr).output().unwrap()).expect(1)
    };
    let words = solved(Stdio::piped()).stderr;
    assert!(
        words.contains(
            "is neither padding nor the start of a gzip member that directly follows the previous one"
        ),
        "{words}"
    );
    assert_harmless(&words);
    solved(full().into());
}

#[test]
fn control_characters_of_names_are_escaped_in_tables_and_annotations() {
    let folder = tempfile::tempdir().unwrap();
    let dataset_name = "::error::\u{1b}]0;t\u{7}\u{202e}\n::error::.csv";
    fs::copy(dataset("sample.csv"), folder.path().join(dataset_name)).unwrap();
    let engine = "::error::\u{1b}[31m\n##[e]=printf '\\033[31m\\n::error::x\\n'; printf '\\033]0;t\\n::error::x' >&2; exit 3";
    let bench =
        ["bench", dataset_name, "--solvers", "mrv", "--engine", engine, "--rounds", "1", "--min-time", "0s"];
    let exports = ["--sample", "5", "--export-json", "r.json", "--budgets", "1ns"];
    let ran = run(folder.path(), &[&bench[..], &exports].concat(), |_| ());
    assert_eq!(ran.status.code(), Some(4), "{}", String::from_utf8_lossy(&ran.stderr));
    let summary = folder.path().join("summary.md");
    let gate = ["gate", "--record", "r.json", "--limits", "max=1ns"];
    let commands = [&["report", "r.json"][..], &["compare", "r.json", "r.json"], &gate];
    let others = commands.map(|arguments| run(folder.path(), arguments, |_| ()));
    for shown in others.iter().chain([&ran]).flat_map(|ran| [&ran.stdout, &ran.stderr]) {
        super::assert_harmless(&String::from_utf8_lossy(shown));
    }
    let annotated = run(folder.path(), &[&gate[..], &["--format", "github"]].concat(), |command| {
        command.env("GITHUB_STEP_SUMMARY", &summary);
    });
    let annotations = String::from_utf8(annotated.stdout).unwrap();
    for line in annotations.lines() {
        assert!(line.starts_with("::error title=") || line.starts_with("::notice title="), "{annotations:?}");
        super::assert_harmless(line.trim_start_matches(':'));
    }
    let summary = fs::read_to_string(summary).unwrap();
    super::assert_harmless(&summary);
    assert!(summary.contains("::error::"), "the name must still be readable: {summary}");
}

/// Criterion stores results under the names of groups and functions, without the name of the file, so equal names in two files would
/// replace each other's results.
#[test]
fn names_of_benches_do_not_recur_across_files() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files_of: std::collections::BTreeMap<String, Vec<String>> = std::collections::BTreeMap::new();
    for file in fs::read_dir(root.join("benches")).unwrap() {
        let file = file.unwrap().path();
        if file.is_dir() {
            continue; // benches of Python
        }
        let source = fs::read_to_string(&file).unwrap();
        let calls =
            ["benchmark_group(\"", "criterion.bench_function(\"", "criterion.bench_function(&format!(\""];
        for rest in calls.iter().flat_map(|call| source.split(call).skip(1)) {
            let name = rest.split(['"', '/']).next().unwrap();
            let files = files_of.entry(name.to_owned()).or_default();
            files.push(file.file_name().unwrap().to_string_lossy().into_owned());
            files.dedup();
        }
    }
    assert!(files_of.len() > 5, "{files_of:?}");
    files_of.retain(|_, files| files.len() > 1);
    assert!(files_of.is_empty(), "{files_of:?}");
}
