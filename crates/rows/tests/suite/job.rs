//! Tests what a job checks before it reads an input.

use std::sync::Arc;

use serde_json::{Value, json};
use sudobench_rows::source::Input;
use sudobench_rows::verbs::VerbOptions;
use sudobench_rows::{Job, Shard};
use sudobench_sudoku::simd::Level;
use sudobench_sudoku::solver;

/// Makes a job from the keywords of a JSON object. The job reads a file, unless its verb makes the rows, and writes to a file.
fn job(verb: &str, keywords: &Value) -> Job {
    let mut job = Job::from_keywords(verb, keywords.as_object().unwrap().clone()).unwrap();
    let file = || Input::File("in.csv".into());
    job.inputs = if job.verb.verb().makes_rows { Vec::new() } else { vec![file()] };
    if let VerbOptions::Overlap(overlap) = &mut job.verb {
        overlap.train = vec![file()];
    }
    job.output.output = Some("out.csv".into());
    job
}

/// Validates a job, and returns the error message.
fn refused(job: Job) -> Option<String> {
    job.validate(Level::Baseline).err().map(|error| error.to_string())
}

#[test]
fn options_that_contradict_each_other_are_refused() {
    for (verb, keywords, words) in [
        ("minimals", json!({"random": 2, "limit_per_puzzle": 5}), "limit_per_puzzle: --random already sets"),
        ("minimals", json!({"seed": 2}), "seed: only --random and --sample use this seed"),
        (
            "transform",
            json!({"to": "canonical", "seed": 2}),
            "seed: only --random and --sample use this seed",
        ),
        (
            "transform",
            json!({"random": 2, "to": "canonical"}),
            "choose the forms with one of --random, --apply",
        ),
        (
            "transform",
            json!({"to": "canonical", "kinds": "digits"}),
            "--kinds and --include-original need --random",
        ),
        (
            "generate",
            json!({"count": 1, "steps": 9}),
            "steps: this option is for the search for hard puzzles",
        ),
        ("generate", json!({"count": 1, "max_nodes": 9}), "max_nodes: this option is for the search"),
        ("generate", json!({"count": 1, "max_solutions": 1}), "max_solutions: this option is for the search"),
        (
            "generate",
            json!({"count": 1, "hardest": "mrv", "max_solutions": 3}),
            "max_solutions: write 1 or 2",
        ),
        (
            "generate",
            json!({"count": 1, "solutions": 2, "unsolvable": true}),
            "solutions: --unsolvable already sets",
        ),
        ("check", json!({"max_solutions": 1}), "max_solutions: write 2 or more"),
        ("rate", json!({"stratify": 2, "only": "unique"}), "only: --stratify already chooses the rows"),
        ("rate", json!({"stratify_by": "se"}), "stratify_by: add --stratify"),
        ("solve", json!({"seed": 2}), "seed: only --sample uses this seed"),
        ("solve", json!({"seed": 2, "order_by": "status"}), "seed: only --sample uses this seed"),
        ("solve", json!({"force": true, "resume": true}), "--force and --resume cannot be combined"),
    ] {
        let message = refused(job(verb, &keywords)).unwrap_or_default();
        assert!(message.starts_with(words), "{verb} {keywords}: {message}");
    }
    for (verb, keywords) in [
        ("minimals", json!({"random": 2, "seed": 2})),
        ("minimals", json!({"sample": 2, "seed": 2})),
        ("transform", json!({"to": "canonical", "sample": 1, "seed": 2})),
        ("generate", json!({"count": 1, "hardest": "mrv", "steps": 9, "max_nodes": 9, "max_solutions": 1})),
        ("rate", json!({"stratify": 2, "stratify_by": "se"})),
    ] {
        assert_eq!(refused(job(verb, &keywords)), None, "{verb} {keywords}");
    }
}

#[test]
fn an_external_program_excludes_the_options_of_a_solver() {
    for (keywords, words) in [
        (json!({"count": 1, "hardest": "mrv"}), "hardest: --hardest-engine also names a solver"),
        (json!({"count": 1, "max_solutions": 1}), "max_solutions: a program of --hardest-engine decides"),
    ] {
        let mut job = job("generate", &keywords);
        let VerbOptions::Generate(options) = &mut job.verb else { panic!() };
        options.engine = Some(Arc::new(*solver::find("mrv").unwrap()));
        let message = refused(job).unwrap_or_default();
        assert!(message.starts_with(words), "{keywords}: {message}");
    }
}

#[test]
fn shards_of_parts_are_refused() {
    let shard =
        |verb: &str, keywords: Value| Job { shard: Some(Shard::new(1, 2).unwrap()), ..job(verb, &keywords) };
    for (job, words) in [
        (shard("solve", json!({"skip": 1})), "--shard cannot be combined with --skip or --limit"),
        (shard("solve", json!({"limit": 1})), "--shard cannot be combined with --skip or --limit"),
        (
            Job { hash: true, ..shard("solve", json!({})) },
            "hash: a shard does not read its inputs completely",
        ),
        (shard("rate", json!({"stratify": 2})), "shard: --stratify draws from all rows"),
        (shard("dedupe", json!({})), "shard: a shard does not see the duplicates"),
    ] {
        let message = refused(job).unwrap_or_default();
        assert!(message.starts_with(words), "{message}");
    }
    assert_eq!(refused(shard("rate", json!({}))), None);
    // `generate` has its own `skip`, which chooses the puzzles that are divided into shards.
    assert_eq!(refused(shard("generate", json!({"count": 9, "skip": 1}))), None);
}

#[test]
fn options_for_rows_need_an_output() {
    for (verb, keywords, option) in [
        ("overlap", json!({"keep": "clean"}), "keep"),
        ("overlap", json!({"columns": "overlap"}), "columns"),
        ("overlap", json!({"only": "unique"}), "only"),
        ("score", json!({"output_format": "csv"}), "output_format"),
        ("score", json!({"order_by": "exact"}), "order_by"),
        ("score", json!({"sample": 1}), "sample"),
    ] {
        assert_eq!(refused(job(verb, &keywords)), None, "{verb} {keywords}");
        let mut job = job(verb, &keywords);
        job.output.output = None;
        let message = refused(job).unwrap_or_default();
        assert!(
            message.starts_with(&format!("{option}: this command writes rows only with --output")),
            "{verb}: {message}"
        );
    }
}
