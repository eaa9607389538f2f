//! `sudobench dedupe`: the kept rows, their counts, the list of duplicates, shards, pipes, interrupts.

use std::collections::BTreeSet;
use std::fs;
use std::io::{Read as _, Write as _};
use std::path::Path;
#[cfg(unix)]
use std::path::PathBuf;
use std::process::Stdio;
#[cfg(unix)]
use std::process::{Child, Command};
#[cfg(unix)]
use std::time::{Duration, Instant};

use sudobench_sudoku::Puzzle;
use sudobench_sudoku::canonical::Canonicalizer;
use sudobench_sudoku::isomorph::Transformation;
use sudobench_sudoku::random::Random;

use super::{Ran, assert_harmless, command, dataset, sample};

fn dedupe(arguments: &[&str]) -> Ran {
    dedupe_input(b"", arguments)
}

fn dedupe_input(input: &[u8], arguments: &[&str]) -> Ran {
    let mut command = assert_cmd::Command::from_std(command());
    Ran::of(command.arg("dedupe").args(arguments).write_stdin(input).output().unwrap())
}

/// Makes puzzles with random clues. The chance that two of them are isomorphic is negligible.
fn classes(count: usize, random: &mut Random) -> Vec<Puzzle> {
    let mut puzzle = || {
        let mut values = [0; 81];
        (0..26).for_each(|_| values[random.below(81)] = 1 + random.below(9) as u8);
        Puzzle::try_from(values).unwrap()
    };
    (0..count).map(|_| puzzle()).collect()
}

/// Writes a file with rows of `count` different puzzles (classes). If `isomorph` is set, each row has a random equivalent form of its
/// puzzle. Some rows are malformed. Returns the path and the expected output: the text of each kept row, its number from 0, and the
/// number of rows in its class (`None` for a malformed row).
fn planted(
    folder: &Path,
    rows: usize,
    count: usize,
    isomorph: bool,
) -> (String, Vec<(String, usize, Option<u64>)>) {
    let mut random = Random::new(rows as u64);
    let puzzles = classes(count, &mut random);
    let mut text = "id,puzzle\n".to_owned();
    let mut kept: Vec<(String, usize, Option<u64>)> = Vec::new();
    let mut first: Vec<Option<usize>> = vec![None; count];
    for id in 0..rows {
        if id % 1000 == 999 {
            text += &format!("{id},none\n");
            kept.push((format!("{id},none"), id, None));
            continue;
        }
        let class = random.below(count);
        let form = match isomorph {
            true => Transformation::random(&mut random).apply(&puzzles[class]),
            false => puzzles[class],
        };
        text += &format!("{id},{form}\n");
        match first[class] {
            Some(at) => kept[at].2 = kept[at].2.map(|count| count + 1),
            None => {
                first[class] = Some(kept.len());
                kept.push((format!("{id},{form}"), id, Some(1)));
            }
        }
    }
    let path = folder.join("in.csv");
    fs::write(&path, text).unwrap();
    (path.to_str().unwrap().to_owned(), kept)
}

fn lines_of(kept: &[(String, usize, Option<u64>)]) -> String {
    let count = |count: &Option<u64>| count.map(|count| count.to_string()).unwrap_or_default();
    let rows = kept.iter().map(|(row, _, of)| format!("{row},{}\n", count(of)));
    std::iter::once("id,puzzle,count\n".to_owned()).chain(rows).collect()
}

/// Asserts that `dedupe` keeps the expected rows, on one and on three threads.
fn assert_finds_planted(rows: usize, count: usize) {
    for isomorph in [false, true] {
        let folder = tempfile::tempdir().unwrap();
        let (input, kept) = planted(folder.path(), rows, count, isomorph);
        let expected = lines_of(&kept);
        for threads in ["1", "3"] {
            let flags: &[&str] = if isomorph { &["--isomorph"] } else { &[] };
            let ran = dedupe(&[&[input.as_str(), "--threads", threads], flags].concat()).expect(4);
            assert!(ran.stdout == expected, "{isomorph}: {} lines", ran.stdout.lines().count());
            let malformed = kept.iter().filter(|(.., count)| count.is_none()).count();
            let distinct = kept.len() - malformed;
            let counts =
                [("malformed", malformed), ("distinct", distinct), ("duplicates", rows - kept.len())];
            for (name, number) in counts {
                let number = sudobench_harness::report::count(number as u64);
                let is_told = |line: &str| {
                    let words: Vec<&str> = line.split_whitespace().collect();
                    words.first() == Some(&name) && words.get(1) == Some(&number.as_str())
                };
                assert!(ran.stderr.lines().any(is_told), "{name} {number}: {}", ran.stderr);
            }
            let largest = kept.iter().filter_map(|(.., count)| *count).max().unwrap();
            assert!(ran.stderr.contains(&format!("the most frequent in {largest} rows")), "{}", ran.stderr);
        }
    }
}

#[test]
fn exactly_the_planted_duplicates_are_found() {
    assert_finds_planted(30_000, 12_000);
}

/// Tests a file of about a hundred megabytes. Run this test with `cargo test --release --test cli dedupe -- --ignored`.
#[test]
#[ignore = "takes a minute where tests are not optimised"]
fn planted_duplicates_are_found_among_a_million_rows() {
    assert_finds_planted(1_000_000, 400_000);
}

#[test]
fn puzzles_are_equal_in_any_notation() {
    let puzzle = &sample()[0].0;
    let input = format!("{puzzle}\n{}\n{}\n", puzzle.replace('.', "0"), puzzle.replace('.', "_"));
    let ran = dedupe_input(input.as_bytes(), &[]).expect(0);
    assert_eq!(ran.stdout, format!("puzzle,count\n{puzzle},3\n"));
    // Formats without columns contain only the puzzles.
    let ran = dedupe_input(input.as_bytes(), &["--output-format", "lines", "-q"]).expect(0);
    assert_eq!((ran.stdout, ran.stderr), (format!("{puzzle}\n"), String::new()));
    let ran = dedupe_input(input.as_bytes(), &["--columns", "all"]).expect(0);
    let form = Canonicalizer::default().canonical(&puzzle.parse().unwrap()).form;
    assert_eq!(ran.stdout, format!("puzzle,count,canonical,note\n{puzzle},3,{form},\n"));
    // The kept rows may be filtered further.
    let ran = dedupe_input(input.as_bytes(), &["--only", "multiple"]).expect(0);
    assert_eq!(ran.stdout, "puzzle,count\n");
    assert!(ran.stderr.contains("3  of these rows, by dedupe and --only; 0 kept"), "{}", ran.stderr);
}

#[test]
fn every_format_round_trips() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    for input in [
        "sample.csv",
        "formats/puzzles.jsonl",
        "formats/numbers.npy",
        "formats/grids.txt",
        "formats/kaggle1m.parquet",
    ] {
        let input = dataset(input);
        let kept = |output: &str| {
            let ran = dedupe(&[&input, &input, "-o", &at(output), "--force", "-q"]);
            assert!(ran.code == 0 || ran.code == 4, "{input} {output}: {}", ran.stderr);
            // If `dedupe` reads its own output, the counts in it are an ordinary column.
            let again = dedupe(&[&at(output), "--report-duplicates", &at("list.csv")]).records();
            let counts: Vec<String> = again[1..].iter().map(|row| row.last().unwrap().clone()).collect();
            assert!(
                counts.iter().all(|count| count == "1" || count.is_empty()),
                "{input} {output}: {counts:?}"
            );
            assert_eq!(fs::read_to_string(at("list.csv")).unwrap(), "group,count,input,line,puzzle\n");
            counts.len()
        };
        let rows = kept("out.csv");
        for output in ["out.jsonl", "out.parquet", "out.csv.zst", "out.npy"] {
            assert_eq!(kept(output), rows, "{input} {output}");
        }
    }
}

#[test]
fn the_list_of_duplicates_has_all_their_rows() {
    let folder = tempfile::tempdir().unwrap();
    let (hostile, list) =
        (folder.path().join("a\u{1b}[31m\",\"=1+1\n::error::.csv"), folder.path().join("list.csv"));
    let puzzles: Vec<Puzzle> = sample().iter().map(|(puzzle, _)| puzzle.parse().unwrap()).collect();
    let mut random = Random::new(4);
    let form = Transformation::random(&mut random).apply(&puzzles[1]);
    let text = |puzzles: &[String]| format!("puzzle\n{}\n", puzzles.join("\n"));
    let zeros = puzzles[0].to_string().replace('.', "0");
    fs::write(&hostile, text(&[puzzles[2].to_string(), puzzles[0].to_string(), puzzles[1].to_string()]))
        .unwrap();
    let second = folder.path().join("second.csv");
    fs::write(&second, text(&["none".to_owned(), form.to_string(), zeros.clone()])).unwrap();
    let (first, second) = (hostile.to_str().unwrap(), second.to_str().unwrap());
    let listed = |flags: &[&str]| -> Vec<Vec<String>> {
        let ran = dedupe(&[&[first, second, "--report-duplicates", list.to_str().unwrap()], flags].concat())
            .expect(4);
        assert_harmless(&ran.stderr);
        let mut reader = csv::ReaderBuilder::new().has_headers(false).from_path(&list).unwrap();
        reader.records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect()
    };
    let row =
        |words: &[&dyn std::fmt::Display]| words.iter().map(|word| word.to_string()).collect::<Vec<_>>();
    let rows = listed(&[]);
    assert_eq!(rows[0], ["group", "count", "input", "line", "puzzle"]);
    assert_eq!(rows[1..], [row(&[&1, &2, &first, &3, &puzzles[0]]), row(&[&1, &2, &second, &4, &zeros]),]);
    let canonical = |puzzle: &Puzzle| Canonicalizer::default().canonical(puzzle).form;
    let rows = listed(&["--isomorph"]);
    assert_eq!(rows[0].last().unwrap(), "canonical");
    assert_eq!(
        rows[1..],
        [
            row(&[&1, &2, &first, &3, &puzzles[0], &canonical(&puzzles[0])]),
            row(&[&1, &2, &second, &4, &zeros, &canonical(&puzzles[0])]),
            row(&[&2, &2, &first, &4, &puzzles[1], &canonical(&puzzles[1])]),
            row(&[&2, &2, &second, &3, &form, &canonical(&puzzles[1])]),
        ]
    );
    // An existing list of duplicates is replaced, but other files are not.
    fs::write(&list, "mine").unwrap();
    let refused = dedupe(&[first, "--report-duplicates", list.to_str().unwrap()]).expect(1);
    assert!(refused.stderr.contains("is not a list of duplicates of this program"), "{}", refused.stderr);
    let refused = dedupe(&[first, "--report-duplicates", "-"]).expect(2);
    assert!(refused.stderr.contains("name a file for each export"), "{}", refused.stderr);
    let refused = dedupe(&[first, "--report-duplicates", first]).expect(2);
    assert!(refused.stderr.contains("is the same file as"), "{}", refused.stderr);
}

#[test]
fn parts_together_keep_the_same_rows() {
    let folder = tempfile::tempdir().unwrap();
    let (input, kept) = planted(folder.path(), 2000, 900, true);
    let mut all = BTreeSet::new();
    for number in 1..=4 {
        let part = dedupe(&[&input, "--isomorph", "--part", &format!("{number}/4")]).expect(4);
        assert!(part.stderr.contains("other parts"), "{}", part.stderr);
        for line in part.stdout.lines().skip(1) {
            assert!(all.insert(line.to_owned()), "{line}");
        }
    }
    let expected: BTreeSet<String> = lines_of(&kept).lines().skip(1).map(str::to_owned).collect();
    assert_eq!(all, expected);
    for shard in ["--shard=1/3", "--shard=auto"] {
        let refused = dedupe(&[&input, shard, "-o", "out.csv"]).expect(2);
        assert!(refused.stderr.contains("use --part 3/16 instead"), "{}", refused.stderr);
    }
    let refused = dedupe(&[&input, "--part", "5/4"]).expect(2);
    assert!(refused.stderr.contains("there is no part 5 of 4"), "{}", refused.stderr);
}

#[test]
fn standard_input_is_read_twice() {
    let folder = tempfile::tempdir().unwrap();
    let (input, kept) = planted(folder.path(), 5000, 1500, false);
    let text = fs::read(&input).unwrap();
    let ran = dedupe_input(&text, &[]).expect(4);
    assert!(ran.stdout == lines_of(&kept), "{}", ran.stderr);
    assert!(ran.stderr.contains("standard input:1001: malformed"), "{}", ran.stderr);
    // Reads two inputs in one run. Then reads compressed inputs and a table, whose index is at the end of the file.
    let ran = dedupe_input(&text, &[&input, "-"]).expect(4);
    assert_eq!(ran.stdout.lines().count(), kept.len() + 1 + 5, "malformed rows are no duplicates");
    for name in ["kaggle1m.csv.gz", "kaggle1m.csv.zip", "kaggle1m.parquet"] {
        let path = dataset(&format!("formats/{name}"));
        let whole = dedupe(&[&path, "-q"]);
        let piped = dedupe_input(&fs::read(&path).unwrap(), &["-q"]);
        assert_eq!((whole.stdout, whole.code), (piped.stdout, piped.code), "{name}");
    }
    let list = folder.path().join("list.csv");
    let ran =
        dedupe_input(&text, &["--limit", "10", "--skip", "3", "--report-duplicates", list.to_str().unwrap()]);
    assert!(ran.stderr.starts_with("10 rows in "), "{}", ran.stderr);
}

#[cfg(target_os = "linux")]
#[test]
fn a_named_pipe_is_read_twice_but_not_further_than_needed() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let row = format!("{}\n", sample()[0].0);
    let writing = pipe.clone();
    let writer = std::thread::spawn(move || {
        let mut pipe = fs::File::create(writing).unwrap();
        let rows = row.repeat(1000);
        // Writes until the reader closes the pipe.
        while pipe.write_all(rows.as_bytes()).is_ok() {}
    });
    let ran = dedupe(&[pipe.to_str().unwrap(), "--limit", "20000"]).expect(0);
    assert_eq!(ran.stdout, format!("puzzle,count\n{},20000\n", sample()[0].0));
    writer.join().unwrap();
}

#[cfg(unix)]
#[test]
fn an_error_of_a_temporary_file_names_the_folder() {
    let input = format!("{}\n", sample()[0].0);
    let mut command = command();
    command.args(["dedupe"]).env("TMPDIR", "/nowhere/at/all");
    let mut command = assert_cmd::Command::from_std(command);
    let ran = Ran::of(command.write_stdin(input).output().unwrap()).expect(1);
    assert!(ran.stderr.contains("/nowhere/at/all") && ran.stderr.contains("TMPDIR"), "{}", ran.stderr);
}

#[test]
fn an_edited_list_of_duplicates_is_not_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let (input, list) = (folder.path().join("in.txt"), folder.path().join("list.csv"));
    fs::write(&input, format!("{0}\n{0}\n", sample()[0].0)).unwrap();
    let run = || {
        let mut command = command();
        command.arg("dedupe").arg(&input).arg("--report-duplicates").arg(&list);
        Ran::of(command.output().unwrap())
    };
    run().expect(0);
    let list_of_ours = fs::read_to_string(&list).unwrap();
    run().expect(0);
    let annotated: String = list_of_ours.lines().map(|line| format!("{line},mine\n")).collect();
    fs::write(&list, &annotated).unwrap();
    run().expect(1);
    assert_eq!(fs::read_to_string(&list).unwrap(), annotated);
}

#[cfg(target_os = "linux")]
#[test]
fn an_error_for_too_little_memory_suggests_parts() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("in.txt");
    let mut text = String::new();
    for number in 0..400_000 {
        text += &format!("{number:0>81}\n");
    }
    fs::write(&path, text.replace('0', ".")).unwrap();
    let limited = |megabytes: u64, part: &str| {
        let words = format!(
            "ulimit -v {}; exec \"$0\" dedupe in.txt --part {part} --threads 1 -q | wc -l",
            megabytes * 1024
        );
        let mut command = Command::new("sh");
        // Without this variable, each thread may reserve 64 MB of address space when it first allocates memory, and the moment when this
        // happens differs from run to run.
        command.env("MALLOC_ARENA_MAX", "1");
        command.args(["-c", &words, env!("CARGO_BIN_EXE_sudobench")]).current_dir(&folder);
        Ran::of(command.output().unwrap())
    };
    // Finds the number of megabytes that a run with `--part 1/1000` needs.
    let is_enough = |megabytes: &u64| limited(*megabytes, "1/1000").stderr.is_empty();
    let enough = (1..100).map(|times| 10 * times).find(is_enough).unwrap();
    let enough = (enough - 9..enough).find(is_enough).unwrap_or(enough);
    // All puzzles (`--part 1/1`) need about 14 MB more. With half of this additional memory, the list of puzzles cannot grow, but small
    // buffers fit.
    let ran = limited(enough + 7, "1/1");
    assert!(
        ran.stderr.contains("not enough memory for more than ") && ran.stderr.contains("--part 1/16"),
        "{}",
        ran.stderr
    );
    assert_eq!(ran.stdout.trim(), "0");
    assert!(limited(enough + 60, "1/1").stderr.is_empty());
}

/// Waits until a file has at least this many bytes. Returns false if the process ends first.
#[cfg(unix)]
fn wait_for(path: &Path, bytes: u64, child: &mut Child) -> bool {
    let deadline = Instant::now() + Duration::from_secs(60);
    while fs::metadata(path).map_or(0, |found| found.len()) < bytes {
        assert!(Instant::now() < deadline, "no output within a minute");
        if child.try_wait().unwrap().is_some() {
            return false;
        }
        std::thread::sleep(Duration::from_micros(200));
    }
    true
}

/// Starts `dedupe` with these arguments, and sends the signal as soon as the second pass, which writes the rows, has written 1,000 bytes.
/// Returns `None` if the run ended before.
#[cfg(unix)]
fn end_in_second_pass(arguments: &[&str], partial: &Path, signal: &str) -> Option<std::process::Output> {
    let mut command = command();
    command.arg("dedupe").args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let is_under_way = wait_for(partial, 1000, &mut child);
    Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
    Some(child.wait_with_output().unwrap()).filter(|_| is_under_way)
}

#[cfg(unix)]
#[test]
fn a_run_ended_in_its_second_pass_can_be_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.csv");
    let partial = folder.path().join("out.csv.partial");
    let list = folder.path().join("list.csv");
    for signal in ["-INT", "-KILL"] {
        // Tries larger and larger inputs, until a run takes long enough.
        for rows in [50_000, 200_000, 800_000] {
            let (input, kept) = planted(folder.path(), rows, rows * 3 / 4, false);
            let words = [
                "-o",
                out.to_str().unwrap(),
                "--report-duplicates",
                list.to_str().unwrap(),
                "--threads",
                "1",
            ];
            let arguments = [&[input.as_str()], &words[..]].concat();
            let ended = end_in_second_pass(&arguments, &partial, signal);
            if ended.is_none() || !partial.exists() {
                fs::remove_file(&out).unwrap();
                continue;
            }
            assert!(list.exists(), "the list is written before the last pass");
            assert!(!out.exists());
            let resumed = dedupe(&[&arguments[..], &["--resume"]].concat()).expect(4);
            assert!(fs::read_to_string(&out).unwrap() == lines_of(&kept), "{}", resumed.stderr);
            let again = dedupe(&[&arguments[..], &["--resume"]].concat()).expect(4);
            for words in ["is complete; nothing was done", " rows in "] {
                assert!(again.stderr.contains(words), "{}", again.stderr);
            }
            fs::remove_file(&out).unwrap();
            break;
        }
    }
}

#[test]
fn a_run_is_not_resumed_as_another_one() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.csv");
    let (input, _) = planted(folder.path(), 2000, 1500, false);
    let arguments = [input.as_str(), "-o", out.to_str().unwrap(), "--threads", "1"];
    let ended = dedupe(&[&arguments[..], &["--stop-after-blocks", "2"]].concat()).expect(130);
    assert!(ended.stderr.contains("continue with the same options and --resume"), "{}", ended.stderr);
    for (other, words) in [
        (&["--isomorph"][..], "--isomorph: it had none, but this run has true"),
        (&["--part", "1/2"], "--part: it had none, but this run has `1/2`"),
    ] {
        let refused = dedupe(&[&arguments[..], &["--resume"], other].concat()).expect(1);
        assert!(refused.stderr.contains(&format!("from a run with different {words}")), "{}", refused.stderr);
    }
    let refused = dedupe(&arguments).expect(1);
    assert!(refused.stderr.contains("is from a run that did not finish"), "{}", refused.stderr);
    // Another input is refused before it is read.
    fs::write(&input, format!("id,puzzle\n1,{}\n", sample()[0].0)).unwrap();
    let refused = dedupe(&[&arguments[..], &["--resume"]].concat()).expect(1);
    assert!(refused.stderr.contains("from a run with different input 1: it had "), "{}", refused.stderr);
}

#[cfg(unix)]
#[test]
fn an_interrupt_in_the_first_pass_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.csv");
    let partial = PathBuf::from(format!("{}.partial", out.display()));
    let mut command = command();
    command.args(["dedupe", "-o", out.to_str().unwrap()]).stdin(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // The run waits for more input.
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(format!("{}\n", sample()[0].0).repeat(2000).as_bytes()).unwrap();
    assert!(wait_for(&partial, 0, &mut child));
    while !partial.exists() {
        std::thread::sleep(Duration::from_millis(1));
    }
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let mut stderr = String::new();
    child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130), "{stderr}");
    assert!(stderr.contains("interrupted before the first row"), "{stderr}");
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
    drop(stdin);
}

#[test]
fn an_existing_output_is_reported_before_anything_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.csv");
    fs::write(&out, "mine").unwrap();
    let mut command = command();
    command.args(["dedupe", "-o", out.to_str().unwrap()]).stdin(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    // Standard input stays open: the run does not wait for its end or for all of its content.
    let _ = stdin.write_all(format!("{}\n", sample()[0].0).repeat(2000).as_bytes());
    let mut stderr = String::new();
    child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(1));
    assert!(stderr.contains("already exists; replace it with --force"), "{stderr}");
    assert_eq!(fs::read_to_string(&out).unwrap(), "mine");
    drop(stdin);
}

#[test]
fn empty_and_malformed_inputs_are_kept() {
    let ran = dedupe_input(b"puzzle\nnone\nnone\n", &["--input-format", "csv", "--puzzle-column", "puzzle"])
        .expect(4);
    assert_eq!(ran.stdout, "puzzle,count\nnone,\nnone,\n");
    assert!(ran.stderr.contains("standard input:2: malformed: 4 characters"), "{}", ran.stderr);
    let ran =
        dedupe_input(b"puzzle\n", &["--input-format", "csv", "--puzzle-column", "puzzle", "--isomorph"])
            .expect(0);
    assert_eq!(ran.stdout, "puzzle,count\n");
}
