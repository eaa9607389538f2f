//! The committed datasets agree with their README.

use sha2::{Digest, Sha256};

use super::{Ran, command, dataset, solve};

/// The commands that made the datasets, each with its file.
fn commands() -> Vec<(Vec<String>, String)> {
    let readme = std::fs::read_to_string(dataset("README.md")).unwrap();
    let commands = readme.lines().filter_map(|line| line.strip_prefix("sudobench "));
    let split = |line: &str| {
        let (arguments, file) = line.split_once(" -o ").unwrap();
        (arguments.split(' ').map(str::to_owned).collect(), file.to_owned())
    };
    commands.map(split).collect()
}

#[test]
fn the_first_rows_of_each_dataset_are_reproducible() {
    let commands = commands();
    assert_eq!(commands.len(), 7);
    for (mut arguments, file) in commands {
        let committed = std::fs::read_to_string(dataset(&file)).unwrap();
        if arguments[0] != "generate" {
            // The command makes this dataset from another dataset, so the whole output is compared.
            let ran = command().args(&arguments).arg("--quiet").current_dir(dataset("")).output().unwrap();
            assert_eq!(Ran::of(ran).expect(0).stdout, committed, "{file}");
            continue;
        }
        let count = arguments.iter().position(|word| word == "--count").unwrap() + 1;
        // A search for hard puzzles takes long, so the test makes only one row of such a dataset.
        let rows: usize = if arguments.iter().any(|word| word == "--hardest") { 1 } else { 40 };
        arguments[count] = rows.to_string();
        let ran = Ran::of(command().args(&arguments).arg("--quiet").output().unwrap()).expect(0);
        let first: String = committed.split_inclusive('\n').take(1 + rows).collect();
        assert_eq!(ran.stdout, first, "{file}");
    }
}

#[test]
fn files_agree_with_the_readme() {
    let readme = std::fs::read_to_string(dataset("README.md")).unwrap();
    let mut named: Vec<&str> = Vec::new();
    let sums = readme.lines().filter_map(|line| line.split_once("  ")).filter(|(sum, _)| sum.len() == 64);
    for (sum, file) in sums {
        let found = Sha256::digest(std::fs::read(dataset(file)).unwrap());
        let found: String = found.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(found, sum, "{file}");
        named.push(file);
    }
    let is_made = |name: &String| name.ends_with(".csv") && name != "public.csv";
    let files = std::fs::read_dir(dataset("")).unwrap();
    let files = files.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut files: Vec<String> = files.filter(is_made).collect();
    files.sort_unstable();
    named.sort_unstable();
    assert_eq!(named, files);
}

#[test]
fn each_fault_of_bad_rows_is_reported() {
    let ran = solve(&[&dataset("malformed.csv"), "--columns", "status,note"]).expect(4);
    let told: Vec<String> = std::iter::zip(ran.column("status"), ran.column("note"))
        .map(|(status, note)| format!("{status}: {note}"))
        .collect();
    insta::assert_snapshot!(told.join("\n"));
}

#[test]
fn multiple_and_unsolvable_puzzles_have_their_status() {
    let ran = solve(&[&dataset("multiple.csv"), "--columns", "count", "--max-solutions", "1001"]).expect(0);
    // The input already has a column `count`, so the new column is called `sudobench_count`.
    assert_eq!(ran.column("count"), ran.column("sudobench_count"));
    assert!(ran.column("count").iter().all(|count| (2..=1000).contains(&count.parse::<u32>().unwrap())));
    let ran = solve(&[&dataset("unsolvable.csv"), "--columns", "status"]).expect(4);
    assert!(ran.column("sudobench_status").iter().all(|status| status == "unsolvable"));
}
