//! Tests of `dedupe`, with several formats, numbers of threads and numbers of parts. For each class, they check the first row, the count
//! and the list of rows.

use std::collections::HashMap;
use std::fs;
use std::io::Cursor;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::Arc;

use proptest::prelude::*;
use sudobench_rows::columns;
use sudobench_rows::source::{Input, Options, Source, SourceError};
use sudobench_rows::{ClassPart, Dedupe, Duplicates, GroupRow, Run, RunError, Sink};
use sudobench_sudoku::isomorph::Transformation;
use sudobench_sudoku::{Puzzle, random::Random};

/// For each kept row, its input, its line, and the number of rows in its class. The number is `None` for a malformed row.
type Kept = Vec<(usize, u64, Option<u64>)>;

/// The line of a kept row, and the number of rows in its class; `None` for a malformed row.
type CountedLine = (u64, Option<u64>);

/// One row of a class with several rows: the number of the class (from 1), the number of rows in the class, and the line of the row.
type LineOfGroup = (u64, u64, u64);

fn run<'r>(source: Source, threads: usize) -> Run<'r> {
    Run::over(source).threads(NonZeroUsize::new(threads).unwrap())
}

/// Returns the kept rows, the counts of duplicates, and the rows that have duplicates, sorted by class. `open` opens the same source for
/// each pass.
fn kept(dedupe: Dedupe, threads: usize, open: impl Fn() -> Source) -> (Kept, Duplicates, Vec<GroupRow>) {
    let dedupe = Arc::new(dedupe.lists_groups(true));
    let writing = dedupe.run(run(open(), threads), run(open(), threads).columns([]), || Ok(()));
    let mut kept = Vec::new();
    let finished = writing
        .to(Sink::blocks(|block| {
            kept.extend(block.rows().map(|row| {
                let count = row.puzzle.and(row.mark);
                (block.input(), row.row.line, count)
            }));
            ControlFlow::Continue(())
        }))
        .unwrap();
    let found = dedupe.found().unwrap();
    let tally = finished.measures.tally;
    assert_eq!((tally.rows(), tally.rows() - tally.left_out), (found.rows, kept.len() as u64));
    let mut rows = Vec::new();
    let mut groups = dedupe.groups(run(open(), threads)).unwrap();
    groups
        .each(|row| {
            rows.push(*row);
            Ok(())
        })
        .unwrap();
    (kept, found, rows)
}

fn text_source(text: &str, options: &Options) -> Source {
    Source::from_reader("the test", Cursor::new(text.to_owned()), options.clone()).unwrap()
}

/// Returns a puzzle with random clues, which may contradict each other.
fn random_puzzle(random: &mut Random, clues: usize) -> Puzzle {
    let mut values = [0; 81];
    for _ in 0..clues {
        values[random.below(81)] = 1 + random.below(9) as u8;
    }
    Puzzle::try_from(values).unwrap()
}

/// Computes, with a hash map, which lines are kept, and the rows of the classes with several rows. `classes` has the class of the puzzle in
/// each line, or `None` for a malformed line.
fn expected(classes: &[Option<usize>]) -> (Vec<CountedLine>, Vec<LineOfGroup>) {
    let mut lines: HashMap<usize, Vec<u64>> = HashMap::new();
    for (line, class) in classes.iter().enumerate() {
        if let Some(class) = class {
            lines.entry(*class).or_default().push(line as u64 + 1);
        }
    }
    let is_first = |line: usize, class: usize| lines[&class][0] == line as u64 + 1;
    let kept = classes.iter().enumerate().filter_map(|(line, class)| match class {
        None => Some((line as u64 + 1, None)),
        Some(class) if is_first(line, *class) => Some((line as u64 + 1, Some(lines[class].len() as u64))),
        Some(_) => None,
    });
    let mut groups: Vec<&Vec<u64>> = lines.values().filter(|lines| lines.len() > 1).collect();
    groups.sort();
    let rows = groups
        .iter()
        .zip(1..)
        .flat_map(|(lines, group)| lines.iter().map(move |&line| (group, lines.len() as u64, line)));
    (kept.collect(), rows.collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn equal_puzzles_are_kept_once(
        seed in 0u64..1000,
        classes in prop::collection::vec(prop::option::weighted(0.95, 0usize..12), 1..400),
        blank in prop::sample::select(b".0_*xX-".to_vec()),
        threads in 1usize..4,
    ) {
        let mut random = Random::new(seed);
        let puzzles: Vec<Puzzle> = (0..12).map(|_| random_puzzle(&mut random, 25)).collect();
        let mut text = String::new();
        for class in &classes {
            match class {
                // Equal puzzles are in one class even if their blanks are different characters.
                Some(class) => {
                    let blank = if random.below(2) == 0 { '.' } else { char::from(blank) };
                    text += &puzzles[*class].to_string().replace('.', &blank.to_string());
                }
                None => text += "none",
            }
            text.push('\n');
        }
        prop_assume!(classes.iter().any(Option::is_some));
        let options = Options { format: Some("lines".parse().unwrap()), ..Options::default() };
        let (kept, found, groups) = kept(Dedupe::default(), threads, || text_source(&text, &options));
        let (rows, group_rows) = expected(&classes);
        let counts: Vec<u64> = rows.iter().filter_map(|(_, count)| *count).collect();
        prop_assert_eq!(kept, rows.into_iter().map(|(line, count)| (0, line, count)).collect::<Vec<_>>());
        let malformed = classes.iter().filter(|class| class.is_none()).count() as u64;
        prop_assert_eq!(found, Duplicates {
            rows: classes.len() as u64,
            malformed,
            of_other_parts: 0,
            classes: counts.len() as u64,
            groups: counts.iter().filter(|&&count| count > 1).count() as u64,
            largest: counts.iter().copied().max().unwrap_or(0),
        });
        prop_assert_eq!(found.duplicates(), classes.len() as u64 - malformed - counts.len() as u64);
        let lines: Vec<&str> = text.lines().collect();
        for row in &groups {
            prop_assert_eq!(lines[row.line as usize - 1].as_bytes(), row.puzzle);
        }
        let groups: Vec<_> = groups.iter().map(|row| (row.group, row.count, row.line)).collect();
        prop_assert_eq!(groups, group_rows);
    }
}

#[test]
fn isomorphic_puzzles_are_kept_once_on_request() {
    let mut random = Random::new(15);
    let puzzles: Vec<Puzzle> = (0..20).map(|_| random_puzzle(&mut random, 24)).collect();
    let classes: Vec<Option<usize>> =
        (0..120).map(|_| Some(random.below(25)).filter(|&class| class < 20)).collect();
    let mut text = String::new();
    for class in &classes {
        match class {
            Some(class) => text += &Transformation::random(&mut random).apply(&puzzles[*class]).to_string(),
            None => text += "none",
        }
        text.push('\n');
    }
    let options = Options { format: Some("lines".parse().unwrap()), ..Options::default() };
    let (rows, group_rows) = expected(&classes);
    for threads in [1, 3] {
        let open = || text_source(&text, &options);
        let (kept_rows, _, groups) = kept(Dedupe::default().isomorph(true), threads, open);
        assert_eq!(kept_rows, rows.iter().map(|&(line, count)| (0, line, count)).collect::<Vec<_>>());
        let groups: Vec<_> = groups.iter().map(|row| (row.group, row.count, row.line)).collect();
        assert_eq!(groups, group_rows);
    }
    let (textually, found, _) = kept(Dedupe::default(), 2, || text_source(&text, &options));
    assert_eq!((textually.len(), found.duplicates()), (120, 0), "as texts, all puzzles are different");
}

#[test]
fn all_parts_keep_the_same_rows_as_one_run() {
    let mut random = Random::new(7);
    let puzzles: Vec<Puzzle> = (0..200).map(|_| random_puzzle(&mut random, 30)).collect();
    let lines: Vec<String> = (0..1000)
        .map(|_| match random.below(220) {
            class if class < 200 => puzzles[class].to_string(),
            _ => "none".to_owned(),
        })
        .collect();
    let text = lines.join("\n");
    let options = Options { format: Some("lines".parse().unwrap()), ..Options::default() };
    let open = || text_source(&text, &options);
    let (whole, found, groups) = kept(Dedupe::default(), 2, open);
    for of in [1, 2, 3, 7, 100] {
        let part = |number: u32| {
            let part: ClassPart = format!("{number}/{of}").parse().unwrap();
            kept(Dedupe::default().part(Some(part)), 2, open)
        };
        let parts: Vec<_> = (1..=of).map(part).collect();
        let mut all: Kept = parts.iter().flat_map(|(kept, ..)| kept.clone()).collect();
        all.sort();
        assert_eq!(all, whole, "{of} parts");
        let sum = |of: fn(&Duplicates) -> u64| parts.iter().map(|(_, found, _)| of(found)).sum::<u64>();
        assert_eq!(sum(|found| found.classes), found.classes);
        assert_eq!(sum(Duplicates::duplicates), found.duplicates());
        assert_eq!(parts.iter().map(|(_, found, _)| found.largest).max(), Some(found.largest));
        let mut lines: Vec<u64> =
            parts.iter().flat_map(|(.., rows)| rows.iter().map(|row| row.line)).collect();
        lines.sort_unstable();
        let mut of_whole: Vec<u64> = groups.iter().map(|row| row.line).collect();
        of_whole.sort_unstable();
        assert_eq!(lines, of_whole);
        if of == 7 {
            let sizes: Vec<u64> = parts.iter().map(|(_, found, _)| found.classes).collect();
            assert!(
                sizes.iter().all(|&size| (10..50).contains(&size)),
                "the parts have similar sizes: {sizes:?}"
            );
        }
    }
    assert!("0/3".parse::<ClassPart>().unwrap_err().to_string().contains("there is no part 0 of 3"));
    assert!("3".parse::<ClassPart>().unwrap_err().to_string().contains("such as 3/16"));
}

/// For each file of `datasets/formats` that this package can read: removes duplicates with this file as the only input, and then with the
/// same file as two inputs. The second input may only add duplicates.
#[test]
fn rows_of_every_format_are_distinguished() {
    let datasets = concat!(env!("CARGO_MANIFEST_DIR"), "/../../datasets/formats");
    for entry in fs::read_dir(datasets).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        // Only the package `tables` can read these formats.
        if name.ends_with(".parquet") || name.ends_with(".arrow") {
            continue;
        }
        let inputs = [Input::File(path.clone()), Input::File(path)];
        let open = |inputs: &[Input], options| Source::open(inputs, options).unwrap();
        let (once, alone, _) = kept(Dedupe::default(), 2, || open(&inputs[..1], Options::default()));
        let (twice, found, groups) = kept(Dedupe::default(), 2, || open(&inputs, Options::default()));
        assert!(alone.rows > 0 && alone.malformed < alone.rows, "{name}");
        assert_eq!((found.rows, found.classes), (2 * alone.rows, alone.classes), "{name}");
        assert_eq!(found.largest, 2 * alone.largest, "{name}");
        let puzzles = |kept: &Kept| {
            let puzzles = kept.iter().filter(|(.., count)| count.is_some());
            puzzles.map(|&(input, line, count)| (input, line, count.unwrap())).collect::<Vec<_>>()
        };
        let doubled: Vec<_> =
            puzzles(&once).into_iter().map(|(input, line, count)| (input, line, 2 * count)).collect();
        assert_eq!(puzzles(&twice), doubled, "{name}");
        assert_eq!(groups.len() as u64, found.rows - found.malformed, "{name}");
        assert!(groups.iter().all(|row| Puzzle::from_text(&row.puzzle).is_ok()), "{name}");
        // `skip` leaves out the first row and `limit` the last one, in every pass.
        let options = Options { skip: 1, limit: Some(found.rows - 2), ..Options::default() };
        let (_, found, _) = kept(Dedupe::default(), 2, || open(&inputs, options.clone()));
        assert_eq!(found.rows, 2 * alone.rows - 2, "{name}");
    }
}

#[test]
fn an_input_that_changes_between_the_passes_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("puzzles.txt");
    let mut random = Random::new(3);
    let line = |random: &mut Random| format!("{}\n", random_puzzle(random, 25));
    let text: String = (0..100).map(|_| line(&mut random)).collect();
    let other: String = (0..100).map(|_| line(&mut random)).collect();
    assert_eq!(text.len(), other.len());
    let inputs = [Input::File(path.clone())];
    let open = || run(Source::open(&inputs, Options::default()).unwrap(), 1);
    let out = folder.path().join("out.csv");
    // Replaces the content of the file by another text of the same length, and sets a later modification time.
    let change = || {
        fs::write(&path, &other).unwrap();
        let later = std::time::SystemTime::now() + std::time::Duration::from_secs(9);
        fs::File::options().write(true).open(&path).unwrap().set_modified(later).unwrap();
    };
    for changes_in_first in [true, false] {
        fs::write(&path, &text).unwrap();
        let dedupe = Arc::new(Dedupe::default());
        let progress = |changes: bool| {
            let mut is_due = changes;
            move |_: &sudobench_rows::Progress| {
                if std::mem::take(&mut is_due) {
                    change();
                }
            }
        };
        let counting = open().progress(progress(changes_in_first));
        let writing = open().columns([columns::COUNT]).progress(progress(!changes_in_first));
        let error = dedupe.run(counting, writing, || Ok(())).to(Sink::file(&out)).unwrap_err();
        let error = match error {
            RunError::Halfway { error, .. } if !changes_in_first => *error,
            error => error,
        };
        assert!(matches!(&error, RunError::Source(SourceError::ChangedWhileRead { .. })), "{error}");
        assert!(!out.exists(), "an incomplete output does not get its final name");
        let partial = folder.path().join("out.csv.partial");
        assert_eq!(
            partial.exists(),
            !changes_in_first,
            "an output that was not begun leaves no partial file"
        );
        let _ = fs::remove_file(partial);
        let _ = fs::remove_file(folder.path().join("out.csv.partial.json"));
    }
}

#[test]
fn counts_are_added_to_kept_rows() {
    let text = "id,puzzle\n1,53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79\n\
                2,none\n\
                3,530070000600195000098000060800060003400803001700020006060000280000419005000080079\n";
    let open = || Run::over(text_source(text, &Options::default()));
    let mut out = Vec::new();
    let writing = open().columns([columns::DEDUPE[0], columns::DEDUPE[2]]);
    Arc::new(Dedupe::default()).run(open(), writing, || Ok(())).to(Sink::writer(&mut out)).unwrap();
    let out = String::from_utf8(out).unwrap();
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines.len(), 3, "{out}");
    assert_eq!(lines[0], "id,puzzle,count,note");
    assert!(lines[1].starts_with("1,53..") && lines[1].ends_with("79,2,"), "{out}");
    assert_eq!(lines[2], "2,none,,4 characters where a puzzle has 81");
}
