//! Random samples of rows, and rows in another order: `--sample`, `--order-by` and `--top`.

use super::{Ran, command, dataset, sample};

fn run(line: &[&str], input: &[u8]) -> Ran {
    let mut command = assert_cmd::Command::from_std(command());
    Ran::of(command.args(line).write_stdin(input).output().unwrap())
}

/// Returns rows that have a number, a word or nothing in the column `level`.
fn levels() -> String {
    let levels = ["10", "9", "", "-1.5", "easy", "1e1", "hard", "9"];
    let rows = sample().into_iter().zip(levels).enumerate();
    let rows = rows.map(|(at, ((puzzle, _), level))| format!("{at},{puzzle},{level}\n"));
    format!("id,puzzle,level\n{}", rows.collect::<String>())
}

#[test]
fn rows_are_ordered_by_any_columns_and_ties_keep_their_order() {
    let levels = levels();
    let ids = |order: &str| {
        let ran = run(&["convert", "-q", "--order-by", order], levels.as_bytes()).expect(0);
        ran.column("id").concat()
    };
    // Numbers compare as numbers and are less than words; rows without a value come last in both directions.
    assert_eq!(ids("input.level"), "31705462");
    assert_eq!(ids("-input.level"), "64051732");
    assert_eq!(ids("-input.id"), "76543210");
    // Orders first by a computed column with a fixed list of values, in the order in which the help lists these values, and then by another
    // column.
    let minimal = dataset("minimal.csv");
    let line = ["rate", &minimal, "--limit", "400", "-q", "--columns", "difficulty,guesses"];
    let ordered = run(&[&line[..], &["--order-by", "difficulty,-guesses"]].concat(), b"").expect(0);
    let number = |word: &str| ["singles", "locked", "pairs", "depth1"].iter().position(|name| *name == word);
    let keys = |ran: &Ran| -> Vec<_> {
        let guesses =
            ran.column("guesses").into_iter().map(|text| (text.parse::<f64>().unwrap() * -1000.0) as i64);
        let difficulties = ran.column("difficulty").into_iter().map(|word| number(&word).unwrap());
        difficulties.zip(guesses).zip(ran.column("puzzle")).collect()
    };
    let mut expected = keys(&run(&line, b"").expect(0));
    expected.sort_by_key(|(key, _)| *key);
    assert_eq!(keys(&ordered), expected);
    // `--top` keeps only the first rows.
    let top = run(
        &[&line[..], &["--order-by", "difficulty,-guesses", "--top", "7", "--threads", "1"]].concat(),
        b"",
    );
    assert_eq!(keys(&top.expect(0)), expected[..7]);
}

#[test]
fn samples_are_drawn_from_filtered_rows() {
    let easy = dataset("easy.csv");
    let line = ["convert", &easy, "--only", "clues=33", "--sample", "50"];
    let drawn = run(&line, b"").expect(0);
    let clues =
        |puzzle: &String| puzzle.bytes().filter(u8::is_ascii_digit).filter(|&digit| digit > b'0').count();
    let puzzles = drawn.column("puzzle");
    assert!(puzzles.len() == 50 && puzzles.iter().all(|puzzle| clues(puzzle) == 33));
    assert!(drawn.stderr.contains("by --only and --sample; 50 kept"), "{}", drawn.stderr);
    // The drawn rows are in the order of the input. They are the same on one thread, and through a pipe.
    let all = run(&["convert", &easy, "-q"], b"").expect(0).column("puzzle");
    let places: Vec<_> =
        puzzles.iter().map(|puzzle| all.iter().position(|other| other == puzzle).unwrap()).collect();
    assert!(places.is_sorted(), "{places:?}");
    let text = std::fs::read(&easy).unwrap();
    let piped = ["convert", "-", "--only", "clues=33", "--sample", "50", "--threads", "1"];
    assert_eq!(run(&piped, &text).expect(0).stdout, drawn.stdout);
    let other = run(&[&line[..], &["--seed", "2"]].concat(), b"").expect(0);
    assert_ne!(other.stdout, drawn.stdout);
    // All rows are equally likely to be drawn. With each of 200 seeds, 30 of the 60 rows are drawn, so each row is drawn about 100 times.
    let mut counts = [0_u32; 60];
    for seed in 1..=200 {
        let line = ["convert", &dataset("sample.csv"), "-q", "--sample", "30", "--seed", &seed.to_string()];
        for id in run(&line, b"").expect(0).column("id") {
            counts[id.parse::<usize>().unwrap() - 1] += 1;
        }
    }
    // The limits are seven standard deviations from the mean of 100.
    assert!(counts.iter().all(|count| (50..=150).contains(count)), "{counts:?}");
}

/// The seed of a verb is also the seed of `--sample`. The sample is ordered, and then its first rows are kept.
#[test]
fn a_sample_is_ordered_and_cut_in_every_format() {
    let folder = tempfile::tempdir().unwrap();
    let minimal = dataset("minimal.csv");
    let run_to = |name: &str, words: &[&str]| {
        let path = folder.path().join(name);
        let line = ["rate", &minimal, "--limit", "500", "--seed", "9", "-q", "-o", path.to_str().unwrap()];
        run(&[&line[..], &["--sample", "60", "--order-by", "-depth,-guesses"], words].concat(), b"")
            .expect(0);
        let written = run(&["convert", "-q", path.to_str().unwrap()], b"").expect(0).column("puzzle");
        written.into_iter().map(|puzzle| puzzle.replace('0', ".")).collect::<Vec<_>>()
    };
    let all = run_to("all.csv", &[]);
    assert_eq!(all.len(), 60);
    for name in ["top.csv", "top.csv.gz", "top.csv.zst", "top.jsonl", "top.txt", "top.npy"] {
        assert_eq!(run_to(name, &["--top", "12"]), all[..12], "{name}");
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 7);
}

#[test]
fn impossible_orders_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.csv");
    let out = out.to_str().unwrap();
    let sample = dataset("sample.csv");
    for (line, code, words) in [
        (&["convert", &sample, "--top", "3"][..], 2, "--top: add --order-by"),
        (
            &["convert", &sample, "--order-by", "size"],
            2,
            "--order-by: there is no column `size`; choose from status,",
        ),
        (
            &["convert", &sample, "--order-by", "input.size"],
            1,
            "the input has no column `size`; its columns are id,",
        ),
        (
            &["convert", &sample, "--order-by", "clues", "--resume", "-o", out],
            2,
            "--order-by: all rows must be read before",
        ),
        (
            &["convert", &sample, "--sample", "3", "--shard", "1/2", "-o", out],
            2,
            "--sample: a shard does not know which rows",
        ),
        (&["convert", &sample, "--seed", "3"], 2, "--seed: only --sample uses this seed"),
        (
            &["transform", &sample, "--random", "2", "--order-by", "status"],
            2,
            "--order-by: `transform` does not solve",
        ),
    ] {
        let ran = run(line, b"").expect(code);
        assert!(ran.stderr.starts_with(&format!("sudobench: {words}")), "{line:?}: {}", ran.stderr);
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    // An interrupted run leaves nothing.
    let line = [
        "convert",
        &dataset("easy.csv"),
        "--order-by",
        "clues",
        "-o",
        out,
        "--threads",
        "1",
        "--stop-after-blocks",
        "2",
    ];
    let ran = run(&line, b"").expect(130);
    assert!(ran.stderr.contains("nothing is written"), "{}", ran.stderr);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}
