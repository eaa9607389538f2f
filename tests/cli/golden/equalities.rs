//! Checks that divided runs have the same output as the undivided run: runs on several threads, interrupted runs, and shards.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use regex_lite::Regex;

use super::run::{Folder, comparable, comparable_files, mask, run};
use super::{Divided, Verb};

/// Maximum number of interrupts of a run that is interrupted after each block. If there are more interrupts, the test assumes that the
/// resumed runs never complete the output.
const MOST_BLOCKS: usize = 100;

/// For each command in `verb.divided` and each of its output formats, checks that the output stays the same in whatever way the run is
/// divided.
#[track_caller]
pub(super) fn assert_divided_runs_equal_the_whole(verb: &Verb) {
    if verb.divided.is_empty() {
        return;
    }
    let folder = Folder::temporary();
    for divided in verb.divided {
        let mut texts: BTreeMap<&str, Vec<u8>> = BTreeMap::new();
        for &end in divided.ends {
            let content = Whole::new(&folder, divided, end).check();
            // All compressions of a format must contain the same text.
            let format = end.split('.').next().unwrap();
            let plain = texts.entry(format).or_insert_with(|| content.clone());
            assert!(*plain == content, "{}: {end} holds another text than {format}", divided.command);
        }
    }
}

/// A run that was not divided.
struct Whole<'f> {
    folder: &'f Folder,
    divided: &'f Divided,
    /// The command line, including `-o` with the name of the output.
    line: String,
    /// The name of the output.
    name: String,
    code: i32,
    stderr: String,
    content: Vec<u8>,
}

impl<'f> Whole<'f> {
    fn new(folder: &'f Folder, divided: &'f Divided, end: &str) -> Whole<'f> {
        let has_columns = !["txt", "npy"].contains(&end);
        let columns = if has_columns { divided.columns } else { "" };
        let name = format!("out.{end}");
        let line = format!("{} {columns} -o {name}", divided.command);
        let own = folder.create(&line);
        let ran = run(&own, &line);
        assert!([0, 4].contains(&ran.code), "{line}: {}", ran.stderr);
        let content = comparable(&own.join(&name));
        Whole { folder, divided, line, name, code: ran.code, stderr: told(&ran.stderr), content }
    }

    /// Checks all divided runs. Returns the output of the undivided run.
    fn check(self) -> Vec<u8> {
        self.check_interrupted_after_each_block();
        // To save time, threads are checked for only one text format and one table. The text formats share most of their code.
        if ["out.csv", "out.parquet"].contains(&self.name.as_str()) {
            self.check_threads();
            self.check_interrupted_once("--stop-after-blocks 2", "--threads 4");
            self.check_interrupted_once("--stop-after-blocks 1 --threads 4", "");
        }
        if self.name == "out.csv" {
            self.check_interrupted_at_the_same_place("--stop-after-blocks 2");
        }
        if self.divided.is_sharded {
            self.check_shards();
        }
        self.content
    }

    fn check_threads(&self) {
        let folder = self.create("threads");
        self.assert_ends(&folder, "--threads 4");
        self.assert_equal(&folder, "4 threads");
    }

    fn check_interrupted_after_each_block(&self) {
        let folder = self.create("each block");
        let mut interrupts = 0;
        while self.is_interrupted(&folder, "--resume --stop-after-blocks 1") {
            interrupts += 1;
            assert!(interrupts < MOST_BLOCKS, "{}: resumed, but never whole", self.line);
        }
        assert!(interrupts >= self.divided.blocks, "{}: {interrupts} blocks", self.line);
        self.assert_equal(&folder, "interrupted after each block");
    }

    fn check_interrupted_at_the_same_place(&self, stop: &str) {
        let [first, second] = ["first", "second"].map(|run| {
            let folder = self.create(&format!("{stop} {run}"));
            assert!(self.is_interrupted(&folder, stop), "{} {stop}: not interrupted", self.line);
            fs::read(self.partial(&folder)).unwrap()
        });
        assert!(first == second, "{} {stop}: interrupted at two places", self.line);
    }

    fn check_interrupted_once(&self, first: &str, then: &str) {
        let folder = self.create(first);
        assert!(self.is_interrupted(&folder, first), "{} {first}: not interrupted", self.line);
        self.assert_ends(&folder, &format!("--resume {then}"));
        self.assert_equal(&folder, first);
    }

    fn check_shards(&self) {
        let folder = self.create("shards");
        for shard in ["1/3", "2/3", "3/3"] {
            let line = format!("{} --shard {shard}", self.line);
            let ran = run(&folder, &line);
            assert!([0, 4].contains(&ran.code), "{line}: {}", ran.stderr);
        }
        let (stem, end) = self.name.split_once('.').unwrap();
        let part = |number| format!("{stem}.shard-{number}-of-3.{end}");
        let line = format!("merge {} {} {} -o {}", part(2), part(3), part(1), self.name);
        let ran = run(&folder, &line);
        assert_eq!(ran.code, self.code, "{}: {line}: {}", self.line, ran.stderr);
        assert!(comparable(&folder.join(&self.name)) == self.content, "{}: merged shards differ", self.line);
    }

    /// Creates the folder of a run that is divided in some way.
    fn create(&self, way: &str) -> PathBuf {
        self.folder.create(&format!("{} {way}", self.line))
    }

    fn partial(&self, folder: &Path) -> PathBuf {
        folder.join(format!("{}.partial", self.name))
    }

    /// Runs the command with additional options. Returns whether the run was interrupted. If so, it must have left its partial output. If
    /// not, it must have ended like the undivided run.
    fn is_interrupted(&self, folder: &Path, more: &str) -> bool {
        let ran = run(folder, &format!("{} {more}", self.line));
        let has_partial = self.partial(folder).exists();
        let is_interrupted = ran.code == 130;
        assert_eq!(is_interrupted, has_partial, "{} {more}: {}", self.line, ran.stderr);
        if !is_interrupted {
            assert_eq!(ran.code, self.code, "{} {more}: {}", self.line, ran.stderr);
            assert_eq!(told(&ran.stderr), self.stderr, "{} {more}", self.line);
        }
        is_interrupted
    }

    fn assert_ends(&self, folder: &Path, more: &str) {
        assert!(!self.is_interrupted(folder, more), "{} {more}: interrupted", self.line);
    }

    /// Asserts that the output equals the output of the undivided run, and that no other file is left except the record for `--resume`.
    fn assert_equal(&self, folder: &Path, way: &str) {
        let mut files = comparable_files(folder);
        let content = files.remove(&self.name);
        files.remove(&format!("{}.resume.json", self.name));
        assert!(content.as_ref() == Some(&self.content), "{}: {way}: the output differs", self.line);
        assert!(files.is_empty(), "{}: {way}: left {:?}", self.line, files.keys());
    }
}

/// Returns the text of standard error without the parts that may differ between divided and undivided runs: times, the number of threads,
/// and messages that only a resumed run prints.
fn told(stderr: &str) -> String {
    let masked = mask(stderr).replace("4 threads", "1 thread");
    let earlier =
        Regex::new(r"(^ *|, )[0-9,]+ rows? of \w+ from an earlier run, whose time is included$").unwrap();
    let lines = masked.lines().map(|line| earlier.replace(line, "").into_owned());
    lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
}
