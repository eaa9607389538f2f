//! The outputs of shards, put together by `merge`.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};
use sudobench_harness::record::RunRecord;
use sudobench_rows::sink::Answered;
use sudobench_rows::source::{Input, Options, Source};
use sudobench_rows::{Budgets, Digest, ResolvedJob, Run, ShardRecord, Sink};

use super::{Ran, command, dataset, sample, solve};

/// A folder with the files that the shards of a run leave. The test writes these files itself, without running shards.
struct Folder {
    folder: tempfile::TempDir,
    end: &'static str,
}

/// Number of rows of the input. The last row of each third is malformed.
const ROWS: u64 = 12;

impl Folder {
    /// Makes the three parts of a run, and the output of the same run without shards. All files have the extension `end`.
    fn new(end: &'static str) -> Folder {
        let folder = Folder { folder: tempfile::tempdir().unwrap(), end };
        let rows = (0..ROWS).map(|row| match row % 4 {
            3 => "none\n".to_owned(),
            _ => format!("{}\n", sample()[row as usize].0),
        });
        fs::write(folder.at("in.csv"), format!("puzzle\n{}", rows.collect::<String>())).unwrap();
        let whole = [folder.at("in.csv"), "-o".to_owned(), folder.at(&format!("whole.{end}"))];
        solve(&[&whole[0], &whole[1], &whole[2], "-q", "--solver", "mrv"]).expect(4);
        for number in 1..=3 {
            folder.write_part(number);
        }
        folder
    }

    fn at(&self, name: &str) -> String {
        self.folder.path().join(name).to_str().unwrap().to_owned()
    }

    fn part(&self, number: u64) -> String {
        self.at(&format!("solved.shard-{number}-of-3.{}", self.end))
    }

    fn write_part(&self, number: u64) {
        let (each, path) = (ROWS / 3, PathBuf::from(self.part(number)));
        let start = (number - 1) * each;
        let options = Options { skip: start, limit: Some(each), ..Options::default() };
        let budgets: Budgets = "60000ms,90000ms".parse().unwrap();
        let json = self.at("run.json");
        let (skip, limit) = (start.to_string(), each.to_string());
        let words = ["--skip", &skip, "--limit", &limit, "--export-json", &json, "--threads", "2", "-q"];
        solve(&[&[self.at("in.csv").as_str(), "--solver", "mrv"], &words[..]].concat()).expect(4);
        let mut description: Value = serde_json::from_slice(&fs::read(&json).unwrap()).unwrap();
        description["machine"]["cpu"] = json!(format!("processor of shard {number}"));
        fs::remove_file(json).unwrap();
        let source = Source::open(&[Input::File(self.at("in.csv").into())], options).unwrap();
        let run = Run::over(source)
            .solver(sudobench_sudoku::solver::find("mrv").unwrap(), sudobench_sudoku::simd::Level::widest());
        let finished = run.budgets(budgets.list).to(Sink::file(&path)).unwrap();
        let mut answered = Answered {
            tally: finished.measures.tally,
            latency: finished.measures.latency.counts(),
            notices: finished.notices,
            ..Answered::default()
        };
        // Only the first shard knows the line numbers in the file. The other shards count lines from their start.
        let before = if number == 1 { 0 } else { start + 1 };
        answered.notices.iter_mut().for_each(|notice| notice.line -= before);
        answered.elapsed = std::time::Duration::from_secs(number);
        let bytes = fs::read(&path).unwrap();
        let header = if self.end == "csv" { b"puzzle,solution,status\n".len() } else { 0 };
        let cut = |row: u64| json!({ "input": 0, "at": row });
        let job = ResolvedJob {
            output_format: if self.end == "csv" { "csv" } else { "jsonl" }.to_owned(),
            output_compression: "none".to_owned(),
            ..ResolvedJob::default()
        };
        let mut record = json!({
            "version": ShardRecord::VERSION,
            "crc32": 0,
            "shard": format!("{number}/3"),
            "job": job,
            "budgets": ["60000ms", "90000ms"],
            "start": cut(start),
            "end": if number < 3 { cut(start + each) } else { Value::Null },
            "start_line": if number == 1 { json!(1) } else { Value::Null },
            "end_line": start + each + 2 - before,
            "header_bytes": header,
            "filler_bytes": 0,
            "answered": answered,
            "output": Digest::from_bytes(&bytes),
            "description": Value::Null,
        });
        let read: ShardRecord = serde_json::from_value(record.clone()).unwrap();
        record["crc32"] = json!(Digest::from_bytes(&serde_json::to_vec(&read).unwrap()).crc32);
        record["description"] = description;
        fs::write(ShardRecord::path_of(&path), record.to_string()).unwrap();
    }

    /// Runs `sudobench merge` with these arguments on all files that match `solved.*`.
    fn merge(&self, arguments: &[&str]) -> Ran {
        let found = fs::read_dir(self.folder.path()).unwrap().map(|file| file.unwrap());
        let mut parts: Vec<PathBuf> = found
            .filter(|file| file.file_name().to_str().unwrap().starts_with("solved."))
            .map(|file| file.path())
            .collect();
        parts.sort();
        parts.reverse();
        Ran::of(command().arg("merge").args(parts).args(arguments).output().unwrap())
    }

    fn whole(&self) -> String {
        fs::read_to_string(self.at(&format!("whole.{}", self.end))).unwrap()
    }
}

#[test]
fn merged_parts_give_the_file_and_the_report_of_the_whole() {
    let folder = Folder::new("csv");
    let (out, json, hgrm) = (folder.at("all.csv"), folder.at("all.json"), folder.at("all.hgrm"));
    let ran = folder.merge(&["-o", &out, "--export-json", &json, "--export-hgrm", &hgrm]).expect(4);
    assert_eq!(fs::read_to_string(&out).unwrap(), folder.whole());
    for words in [
        "12 rows in 3.000 s",
        "(mrv, 6 threads",
        "merged from 3 shards: time of the slowest shard, threads of all shards",
        "in.csv:5: malformed: 4 characters",
        "in.csv:9: malformed",
        "in.csv:13: malformed",
        "the 3 shards had different machines; the record of --export-json contains the values of the first shard",
    ] {
        assert!(ran.stderr.contains(words), "no {words:?} in {}", ran.stderr);
    }
    let record: RunRecord = serde_json::from_slice(&fs::read(&json).unwrap()).unwrap();
    assert_eq!((record.kind.as_str(), record.solver.as_str(), record.threads), ("solve", "mrv", 6));
    assert_eq!((record.rows, record.wall_ns, record.interrupted), (12, 3_000_000_000, false));
    let malformed = record.statuses.iter().find(|status| status.status == "malformed").unwrap();
    assert_eq!(malformed.rows, 3);
    let budgets: Vec<_> =
        record.budgets.iter().map(|budget| (budget.label.as_str(), budget.within)).collect();
    assert_eq!(budgets, [("60000ms", 9), ("90000ms", 9)]);
    assert_eq!(record.latency_ns.puzzles, 9);
    let histogram = sudobench_harness::record::histogram_from_text(&record.histogram).unwrap();
    assert_eq!(histogram.len(), 9);
    assert!(record.inputs[0].path.ends_with("in.csv") && record.inputs[0].bytes > 0);
    assert_eq!(record.machine.cpu, "processor of shard 1");
    let shards: Vec<_> =
        record.shards.iter().map(|shard| (shard.shard.as_str(), shard.rows, shard.wall_ns)).collect();
    assert_eq!(shards, [("1/3", 4, 1_000_000_000), ("2/3", 4, 2_000_000_000), ("3/3", 4, 3_000_000_000)]);
    assert!(fs::read_to_string(&hgrm).unwrap().contains("Total count    =            9"));

    let refused = folder.merge(&["-o", &out]).expect(1);
    assert!(refused.stderr.contains("all.csv already exists; replace it with --force"), "{}", refused.stderr);
    let forced = folder.merge(&["-o", &out, "--force", "--no-sync", "-q"]).expect(4);
    assert_eq!(forced.stderr, "");
    // A complete merge leaves no partial file.
    assert!(!fs::exists(folder.at("all.csv.partial")).unwrap());
}

/// The exit code of a run of `check` with an unsolvable puzzle is 4, with and without shards.
#[test]
fn merged_checks_have_the_exit_code_of_the_whole() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("in.txt"), format!("55{}\n", ".".repeat(79))).unwrap();
    let run = |words: &str| {
        Ran::of(command().current_dir(&folder).args(words.split(' ')).output().unwrap()).expect(4)
    };
    run("check in.txt -q -o whole.csv");
    run("check in.txt -q -o all.csv --shard 1/1");
    run("merge all.shard-1-of-1.csv -q -o all.csv");
}

#[test]
fn parts_can_be_merged_to_standard_output() {
    let folder = Folder::new("jsonl");
    assert_eq!(folder.merge(&["-q"]).expect(4).stdout, folder.whole());
    assert_eq!(folder.merge(&["-q", "-o", "-"]).expect(4).stdout, folder.whole());
    let export = folder.merge(&["--export-json", "-"]).expect(2);
    assert!(export.stderr.contains("standard output is for rows"), "{}", export.stderr);
}

#[test]
fn all_faults_are_named() {
    let folder = Folder::new("csv");
    let out = folder.at("all.csv");
    fs::remove_file(folder.part(1)).unwrap();
    fs::remove_file(ShardRecord::path_of(folder.part(1).as_ref())).unwrap();
    fs::write(folder.at("solved.shard-1-of-3.csv.partial"), "").unwrap();
    let part = fs::read_to_string(folder.part(2)).unwrap();
    fs::write(folder.part(2), format!("{part}more")).unwrap();
    fs::copy(folder.part(3), folder.at("solved.copy.csv")).unwrap();
    let ran = folder.merge(&["-o", &out]).expect(1);
    let lines: Vec<&str> = ran.stderr.lines().collect();
    let is_told =
        |words: &str| lines.iter().any(|line| line.starts_with("sudobench: ") && line.contains(words));
    for words in
        ["shard 1/3 is not complete", "bytes, but its shard wrote", "there is no", "run that shard again"]
    {
        assert!(is_told(words), "no {words:?} in {}", ran.stderr);
    }
    assert_eq!(lines.len(), 3, "{}", ran.stderr);
    assert!(!fs::exists(&out).unwrap());
    // Changed bytes of the same length are detected while merging.
    let folder = Folder::new("csv");
    let part = fs::read_to_string(folder.part(2)).unwrap();
    fs::write(folder.part(2), part.replacen("unique", "eunuqi", 1)).unwrap();
    let ran = folder.merge(&["-o", &folder.at("all.csv")]).expect(1);
    assert!(
        ran.stderr.contains("was changed after its shard wrote it: its CRC-32 is different"),
        "{}",
        ran.stderr
    );
    let left: Vec<_> =
        fs::read_dir(folder.folder.path()).unwrap().map(|file| file.unwrap().file_name()).collect();
    assert!(!left.iter().any(|name| name.to_str().unwrap().starts_with("all.")), "{left:?}");
}

#[test]
fn an_output_must_differ_from_the_parts_and_have_their_format() {
    let folder = Folder::new("csv");
    let (part, record) = (folder.part(2), format!("{}.shard.json", folder.part(2)));
    for (arguments, words) in [
        (["-o", &part, "--force"], "is the same file as"),
        (["--export-json", &part, "--force"], "is the same file as"),
        (["--export-json", &record, "--force"], "is the same file as"),
        (["-o", &folder.at("all.jsonl"), "-q"], "is a name for jsonl, but the parts contain csv"),
        (["-o", &folder.at("all.tsv"), "-q"], "has the extension for columns separated by tabs"),
    ] {
        let ran = folder.merge(&arguments).expect(2);
        assert!(ran.stderr.contains(words), "{}", ran.stderr);
    }
    assert_eq!(folder.merge(&["-q"]).expect(4).stdout, folder.whole(), "nothing has been touched");
    let none = Ran::of(command().arg("merge").output().unwrap()).expect(2);
    assert!(none.stderr.contains("<PART>..."), "{}", none.stderr);
    let no_part = Ran::of(command().args(["merge", &dataset("sample.csv")]).output().unwrap()).expect(1);
    assert!(
        no_part.stderr.contains("the shard is not complete, or the file is not the output of a shard"),
        "{}",
        no_part.stderr
    );
}

#[test]
fn shards_whose_expanded_rows_are_all_left_out_join_to_the_output_of_the_whole_run() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let input = at("in.csv");
    let rows = (1..=8).zip(sample()).map(|(id, (puzzle, _))| format!("{puzzle},{id}\n"));
    fs::write(&input, format!("puzzle,id\n{}", rows.collect::<String>())).unwrap();
    // `number=99` leaves out all rows of both shards. `input.id=8` leaves out all rows of the first shard, but not of the second shard.
    for (condition, end) in [("number=99", "jsonl.gz"), ("number=99", "jsonl.zst"), ("input.id=8", "csv.gz")]
    {
        let run = |more: &[&str]| {
            let output = at(&format!("out.{end}"));
            let words = ["solutions", &input, "-q", "--only", condition, "-o", &output];
            Ran::of(command().args(words).args(more).output().unwrap()).expect(0);
        };
        run(&[]);
        let parts = ["1", "2"].map(|number| {
            run(&["--shard", &format!("{number}/2")]);
            at(&format!("out.shard-{number}-of-2.{end}"))
        });
        let merged = at(&format!("merged.{end}"));
        Ran::of(command().arg("merge").args(&parts).args(["-q", "-o", &merged]).output().unwrap()).expect(0);
        assert!(
            fs::read(merged).unwrap() == fs::read(at(&format!("out.{end}"))).unwrap(),
            "{condition} {end}"
        );
    }
}
