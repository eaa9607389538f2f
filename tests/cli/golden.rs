//! The golden tests: they compare outputs of the verbs byte for byte.
//!
//! There are two kinds.
//!
//! - **Digests** (`digests`): a table of command lines for each verb. `tests/cli/golden/VERB.snap` has one line per command: exit code,
//!   digest of all outputs, digest of standard error, and the command. A diff of these files shows the commands whose output changed. After
//!   an intended change, update the files with `INSTA_UPDATE=always cargo test --test cli golden`.
//! - **Equalities** (`equalities`): shards that are merged, interrupted runs that are resumed, several threads and compressed outputs
//!   give the same rows as an undivided run on one thread without compression. These tests need no stored digests.
//!
//! How outputs are compared (`run`):
//!
//! - Every command gets `--simd baseline`, because the counters of batch solvers depend on the SIMD level. A command that names no threads
//!   also gets `--threads 1`, except `merge` and `--help`.
//! - A compressed file is compared decompressed. A Parquet or Arrow file is compared by its schema and its rows, not by its
//!   row groups.
//! - Times and rates in standard error and in JSON records are masked.
//!
//! If the environment variable `SUDOBENCH_GOLDEN` names a folder, the outputs that are digested are kept there, in `digests-VERB`: one
//! folder per command, with its standard output, its masked standard error and its files. If a file is compared in another form, for
//! example decompressed, this form is kept too, as `FILE.plain`. Records are masked. To see how two commits differ, set the variable to a
//! different folder for each commit, and compare the folders with `diff -r -x inputs`.
//!
//! To add a verb, add one entry to `verbs!` below. Columns are read from the verb's `--help`, so a new column is tested without a change
//! here.
//!
//! The digests are for Linux, because other systems word their errors differently.
#![cfg(all(target_os = "linux", feature = "tables"))]

mod digests;
mod equalities;
mod inputs;
mod run;

/// A verb with its command lines.
struct Verb {
    /// Its name, which is also the name of its file of digests.
    name: &'static str,
    /// The command line without the options for the output. `{input}`, if it is there, is replaced by an input file.
    command: &'static str,
    /// Options that send CSV to standard output, if any are needed.
    to_stdout: &'static str,
    /// Columns that are left out of the generated lists of columns: times, and columns that need other options.
    skipped_columns: &'static [&'static str],
    /// Complete command lines, to which no options for columns or outputs are added. `{hostile}` and `{plain}` are replaced by input
    /// files.
    others: &'static [&'static str],
    /// Command lines without the option for the output. Their runs are divided between threads, between shards and by interrupts.
    divided: &'static [Divided],
}

/// A run over several blocks.
struct Divided {
    command: &'static str,
    /// The options that choose columns, for formats with columns.
    columns: &'static str,
    /// File extensions of the outputs: a format, and a compression if there is one.
    ends: &'static [&'static str],
    /// Whether the run can also be divided by `--shard`.
    is_sharded: bool,
    /// Minimum number of written blocks. With a single block, the test would prove nothing.
    blocks: usize,
}

const ALL_ENDS: &[&str] = &["csv", "csv.gz", "csv.zst", "jsonl", "txt", "npy", "parquet", "arrow"];
/// Outputs with different code paths: text, an array, a table.
const FEW_ENDS: &[&str] = &["csv", "npy", "parquet"];
/// A single format, for verbs whose rows matter more than the format.
const ONE_END: &[&str] = &["csv"];

/// Makes a module for each verb, with two tests: outputs have the stored digests, and divided runs have the output of the undivided run.
macro_rules! verbs {
    ($($module:ident = $verb:expr),+ $(,)?) => {
        #[test]
        fn every_verb_is_here() {
            let here = [$(stringify!($module)),+];
            let readme = include_str!("../../README.md");
            for verb in sudobench_rows::verbs::VERBS {
                assert!(here.contains(&verb.name), "`{}` has no entry here", verb.name);
                assert!(readme.contains(&format!("**{}**", verb.name)), "the README does not name `{}`", verb.name);
            }
        }
        $(
        mod $module {
            use super::*;

            const VERB: Verb = $verb;

            #[test]
            fn outputs_are_as_stored() {
                digests::assert_as_stored(&VERB);
            }

            #[test]
            fn divided_runs_equal_the_whole() {
                equalities::assert_divided_runs_equal_the_whole(&VERB);
            }
        }
    )+};
}

verbs!(
    solve = Verb {
        name: "solve",
        command: "solve {input}",
        to_stdout: "",
        skipped_columns: &["time_ns"],
        others: &[
            "solve {hostile} --max-solutions 1 --solver mrv --columns status,count,solution,nodes,guesses",
            "solve {hostile} --max-solutions 2 --solver mrv --columns status,count,solution,nodes,guesses",
            "solve {hostile} --max-solutions 1000 --solver mrv --columns status,count,solution,nodes,guesses",
            "solve {hostile} --max-solutions 1000 --columns status,count,match,note",
            "solve {hostile} --solver bitslice --columns solution,status,nodes,guesses",
            "solve {hostile} --solver bitboard --columns solution,status,nodes,guesses",
            "solve {hostile} --solver mrv --max-nodes 2 --columns status,count,nodes",
            "solve {hostile} --solver mrv --max-nodes 2 --only aborted,malformed",
            "solve {hostile} --budgets boj2580",
            "solve {hostile} --budgets boj2239 --output-format boj2239",
            "solve {hostile} --export-json record.json --hash -o out.csv",
            "solve {hostile} --solver none",
            "solve {hostile} --output-format grid",
            "solve missing.csv",
        ],
        divided: &[
            Divided {
                command: "solve ../inputs/blocks.csv --solver mrv",
                columns: "--columns solution,status,nodes,match",
                ends: ALL_ENDS,
                is_sharded: true,
                blocks: 3
            },
            Divided {
                command: "solve ../inputs/blocks.csv --solver mrv --only multiple,mismatch,malformed",
                columns: "",
                ends: ONE_END,
                is_sharded: true,
                blocks: 3
            },
            Divided {
                command: "solve ../inputs/blocks.jsonl --solver mrv",
                columns: "",
                ends: ONE_END,
                is_sharded: true,
                blocks: 2
            },
            Divided {
                command: "solve ../inputs/blocks.txt --solver mrv",
                columns: "",
                ends: ONE_END,
                is_sharded: true,
                blocks: 2
            },
            Divided {
                command: "solve ../inputs/blocks.npy --solver mrv",
                columns: "",
                ends: ONE_END,
                is_sharded: true,
                blocks: 2
            },
            Divided {
                command: "solve ../inputs/blocks.parquet --solver mrv",
                columns: "",
                ends: ONE_END,
                is_sharded: true,
                blocks: 2
            },
            Divided {
                command: "solve ../inputs/blocks.csv.gz --solver mrv",
                columns: "",
                ends: ONE_END,
                is_sharded: false,
                blocks: 2
            },
            Divided {
                command: "solve ../inputs/long.csv",
                columns: "",
                ends: FEW_ENDS,
                is_sharded: true,
                blocks: 3
            },
        ],
    },
    canonical = Verb {
        name: "canonical",
        command: "canonical {input}",
        to_stdout: "",
        skipped_columns: &[],
        others: &["canonical {hostile} --columns canonical,canonical_solution --only unique,multiple"],
        divided: &[Divided {
            command: "canonical ../inputs/blocks.csv",
            columns: "--columns canonical,transform,automorphisms",
            ends: ALL_ENDS,
            is_sharded: true,
            blocks: 3
        },],
    },
    convert = Verb {
        name: "convert",
        command: "convert {input}",
        to_stdout: "",
        skipped_columns: &[],
        others: &[
            "convert ../inputs/hostile.txt -o out.txt",
            "convert ../inputs/numbers.npy -o out.txt",
            "convert ../inputs/hostile.jsonl --restore-zeros -o out.csv.zst",
            "convert {hostile} --only clues=30..",
            "convert {hostile} --columns clues",
        ],
        divided: &[Divided {
            command: "convert ../inputs/blocks.csv",
            columns: "",
            ends: &["csv", "csv.gz", "csv.zst", "jsonl", "parquet", "arrow"],
            is_sharded: true,
            blocks: 3
        }],
    },
    check = Verb {
        name: "check",
        command: "check {input}",
        to_stdout: "",
        skipped_columns: &[],
        others: &[
            "check {hostile} --columns all --max-solutions 50",
            "check {hostile} --fail-on not-minimal",
            "check {hostile} --fail-on not-unique --limit 9",
            "check {hostile} --max-solutions 1",
        ],
        divided: &[
            Divided {
                command: "check ../inputs/easy.csv",
                columns: "--columns cnt12095",
                ends: &["csv", "csv.gz", "csv.zst", "jsonl", "parquet"],
                is_sharded: true,
                blocks: 3
            },
            Divided {
                command: "check ../inputs/long.csv",
                columns: "--columns unique,minimal,redundant,redundant_count,note",
                ends: &["csv", "parquet"],
                is_sharded: true,
                blocks: 3
            },
        ],
    },
    rate = Verb {
        name: "rate",
        command: "rate {input}",
        to_stdout: "",
        skipped_columns: &[],
        others: &[
            "rate {hostile} --columns singles,locked,pairs",
            "rate {hostile} --columns difficulty,depth,backdoor,guesses --isomorphs 3 --seed 7",
            "rate {hostile} --stratify 3",
            "rate {hostile} --stratify 2 --seed 9 --columns difficulty,depth -o out.jsonl",
            "rate {hostile} --stratify 2 -o out.txt",
            "rate --stratify 2 < {hostile}",
            "rate {hostile} --stratify 2 --only unique",
        ],
        divided: &[
            Divided {
                command: "rate ../inputs/short.csv",
                columns: "--columns difficulty,status,note",
                ends: &["csv", "csv.gz", "csv.zst", "jsonl", "parquet", "arrow"],
                is_sharded: true,
                blocks: 3
            },
            Divided {
                command: "rate ../inputs/short.csv --isomorphs 2",
                columns: "--columns guesses,backdoor",
                ends: ONE_END,
                is_sharded: true,
                blocks: 3
            },
            Divided {
                command: "rate ../inputs/short.csv --stratify 2",
                columns: "",
                ends: ONE_END,
                is_sharded: false,
                blocks: 3
            },
        ],
    },
    solutions = Verb {
        name: "solutions",
        command: "solutions {input} --limit-per-puzzle 3",
        to_stdout: "",
        skipped_columns: &[],
        others: &[
            "solutions {plain} --limit-per-puzzle 40",
            "solutions {hostile} --only number=2.. --columns all"
        ],
        divided: &[Divided {
            command: "solutions ../inputs/short.csv --limit-per-puzzle 200",
            columns: "",
            ends: ALL_ENDS,
            is_sharded: true,
            blocks: 2
        }],
    },
    explain = Verb {
        name: "explain",
        command: "explain {input}",
        to_stdout: "",
        skipped_columns: &[],
        others: &[
            "explain {plain} --columns step",
            "explain {hostile} --only rating=1.5.. --columns all",
            "explain {plain} --max-se 1.2 --search --columns all"
        ],
        divided: &[Divided {
            command: "explain ../inputs/small.csv",
            columns: "--columns number,technique,step",
            ends: ALL_ENDS,
            is_sharded: true,
            blocks: 2
        }],
    },
    minimals = Verb {
        name: "minimals",
        command: "minimals {input} --limit-per-puzzle 3",
        to_stdout: "",
        skipped_columns: &[],
        others: &[
            "minimals {plain} --limit-per-puzzle 40",
            "minimals {hostile} --random 1",
            "minimals {hostile} --random 4 --seed 5 --columns all",
        ],
        divided: &[
            Divided {
                command: "minimals ../inputs/small.csv --limit-per-puzzle 200",
                columns: "",
                ends: ALL_ENDS,
                is_sharded: true,
                blocks: 2
            },
            Divided {
                command: "minimals ../inputs/long.csv --random 2",
                columns: "--columns minimal,number,clues",
                ends: ONE_END,
                is_sharded: true,
                blocks: 3
            },
        ],
    },
    vicinity = Verb {
        name: "vicinity",
        command: "vicinity -0+1 {input} --limit-per-puzzle 3",
        to_stdout: "",
        skipped_columns: &[],
        others: &[
            "vicinity -1+1 {hostile} --limit-per-puzzle 3",
            "vicinity {-1+0} {plain} --limit-per-puzzle 20",
            "vicinity -2+1 {plain} --limit 2 --limit-per-puzzle 20 --minimal",
            "vicinity -1+1 {hostile} --limit-per-puzzle 2 --minimal --columns all",
        ],
        divided: &[Divided {
            command: "vicinity -1+1 ../inputs/small.csv --limit-per-puzzle 3",
            columns: "",
            ends: ALL_ENDS,
            is_sharded: true,
            blocks: 3
        },],
    },
    transform = Verb {
        name: "transform",
        command: "transform {input} --random 2",
        to_stdout: "",
        skipped_columns: &[],
        others: &[
            "transform {hostile} --random 1 --seed 7",
            "transform {hostile} --random 2 --board solution -o out.txt",
            "transform {hostile} --random 2 --board solution -o out.npy",
            "transform {hostile} --random 2 --board solution --output-format boj2239",
            "transform {hostile} --to canonical",
            "transform {hostile} --to canonical -o out.parquet",
            "transform {hostile} --apply tr123456789c123456789d912345678",
            "transform ../inputs/hostile.jsonl --apply r213456789c123456789d123456789 --output-format jsonl",
            "transform ../inputs/hostile.txt --to canonical --output-format lines",
            "transform {hostile} --apply r123",
            "transform {hostile}",
        ],
        divided: &[
            Divided {
                command: "transform ../inputs/small.csv --random 2",
                columns: "",
                ends: ALL_ENDS,
                is_sharded: true,
                blocks: 2
            },
            Divided {
                command: "transform ../inputs/few.csv --random 4000",
                columns: "",
                ends: FEW_ENDS,
                is_sharded: true,
                blocks: 2
            },
            Divided {
                command: "transform ../inputs/blocks.csv --to canonical",
                columns: "",
                ends: ONE_END,
                is_sharded: true,
                blocks: 3
            },
        ],
    },
    dedupe = Verb {
        name: "dedupe",
        command: "dedupe {input}",
        to_stdout: "",
        skipped_columns: &[],
        others: &[
            "dedupe {hostile} --isomorph",
            "dedupe {hostile} --isomorph --columns all",
            "dedupe {hostile} --report-duplicates groups.csv -o out.csv",
            "dedupe {hostile} --isomorph --report-duplicates groups.csv -o out.jsonl",
            "dedupe {hostile} {plain}",
            "dedupe {plain} ../inputs/again.csv --isomorph --report-duplicates groups.csv",
            "dedupe --isomorph < {hostile}",
            "dedupe {hostile} --isomorph --part 1/3",
            "dedupe {hostile} --isomorph --part 2/3",
            "dedupe {hostile} --isomorph --part 3/3",
            "dedupe {hostile} --shard 1/2 -o out.csv",
        ],
        divided: &[
            Divided {
                command: "dedupe ../inputs/blocks.csv --isomorph",
                columns: "--columns all",
                ends: ALL_ENDS,
                is_sharded: false,
                blocks: 3
            },
            Divided {
                command: "dedupe ../inputs/blocks.csv",
                columns: "",
                ends: ONE_END,
                is_sharded: false,
                blocks: 3
            },
        ],
    },
    overlap = Verb {
        name: "overlap",
        command: "overlap ../inputs/plain.csv --with {input} --keep all",
        to_stdout: "-o -",
        skipped_columns: &[],
        others: &[
            "overlap {plain} --with {hostile}",
            "overlap {hostile} --with {plain} --with ../inputs/again.csv",
            "overlap {hostile} {plain} --with {hostile} -o out.csv",
            "overlap {plain} --with {hostile} --by text -o out.csv",
            "overlap {plain} --with {hostile} --by isomorph -o out.csv",
            "overlap {plain} --with {hostile} --by solution,solution_isomorph -o out.csv",
            "overlap {plain} --with {hostile} --keep overlapping -o out.csv",
            "overlap {plain} --with {hostile} --keep clean -o out.csv",
            "overlap {plain} --with {hostile} --fail-on text",
            "overlap {plain} --with {hostile} --export-json record.json --hash",
            "overlap {plain} --with - < {hostile}",
            "overlap ../inputs/hostile.parquet --with ../inputs/hostile.jsonl -o out.csv",
        ],
        divided: &[
            Divided {
                command: "overlap ../inputs/plain.csv --with ../inputs/blocks.csv --by text,isomorph --keep all",
                columns: "",
                ends: ALL_ENDS,
                is_sharded: false,
                blocks: 3
            },
            Divided {
                command: "overlap ../inputs/plain.csv --with ../inputs/long.csv --keep overlapping",
                columns: "",
                ends: ONE_END,
                is_sharded: false,
                blocks: 3
            },
        ],
    },
    score = Verb {
        name: "score",
        command: "score {input} --prediction-column puzzle --puzzle-column puzzle",
        to_stdout: "-o -",
        skipped_columns: &[],
        others: &[
            "score ../inputs/predictions.csv",
            "score ../inputs/predictions.csv --columns all -o out.csv",
            "score ../inputs/predictions.csv --bucket-by model --export-json record.json --hash",
            "score ../inputs/predictions.csv --bucket-by difficulty --only exact=no -o out.jsonl",
            "score ../inputs/predictions.csv --bucket-by puzzle --prediction-column solution",
            "score ../inputs/predictions.csv --bucket-by nothing",
            "score {hostile} --prediction-column puzzle --puzzle-column puzzle --columns all -o out.csv",
            "score {hostile}",
        ],
        divided: &[Divided {
            command: "score ../inputs/predictions.csv --bucket-by clues",
            columns: "--columns all",
            ends: &["csv", "csv.gz", "csv.zst", "jsonl", "parquet", "arrow"],
            is_sharded: true,
            blocks: 3
        }],
    },
    split = Verb {
        name: "split",
        command: "split {input} --test 30%",
        to_stdout: "",
        skipped_columns: &[],
        others: &[
            "split {hostile} --by text",
            "split {hostile} --by isomorph --seed 2",
            "split {hostile} --by solution --columns note,side",
            "split {hostile} --test 0.5 --only side=test -o out.txt",
            "split {hostile} -o train.csv --test-output test.csv",
            "split {plain} --test 50% -o train.npy --test-output test.npy",
            "split {plain} -o train.csv --test-output train.csv",
            "split - -o train.csv --test-output test.csv < {plain}",
            "split {plain} --test 100%",
            "split {hostile} --test 50% --stratify difficulty",
            "split {hostile} --test 50% --by text --stratify clues -o train.csv --test-output test.csv",
        ],
        divided: &[Divided {
            command: "split ../inputs/blocks.csv --by text --only side=train",
            columns: "--columns side",
            ends: FEW_ENDS,
            is_sharded: true,
            blocks: 3,
        }],
    },
    generate = Verb {
        name: "generate",
        command: "generate --count 12 --seed 5",
        to_stdout: "",
        skipped_columns: &["nodes"],
        others: &[
            "generate --count 6 --method bottom-up",
            "generate --count 2 --clues 21 --method climb --columns clues",
            "generate --count 3 --method tridagon --columns clues",
            "generate --count 2 --method controlled-bias --columns solution,clues,weight",
            "generate --count 6 --seed 5 --skip 6",
            "generate --count 4 --clues 30..36 --difficulty singles --columns all",
            "generate --count 3 --symmetry rotational --columns solution,clues",
            "generate --count 3 --pattern x.x.x.x.x.x.x.x.x.x.x.x.x.x.x.x.x.x.x.x.x.x.x.x.x.x.x.x.x.x.x.x.x.x.x.x.x.x.x.x.x",
            "generate --count 3 --solutions 2..50 --columns count,solution",
            "generate --count 3 --unsolvable --columns status",
            "generate --count 2 --hardest mrv --steps 20 --columns clues,nodes",
            "generate --count 4 --board solution -o out.txt",
            "generate --count 4 --minimal --clues 24..30",
            "generate --count 3 --clues 16",
            "generate --count 2 --clues 20 --attempts 1",
        ],
        divided: &[Divided {
            command: "generate --count 5 --seed 3",
            columns: "--columns solution,clues",
            ends: ALL_ENDS,
            is_sharded: true,
            blocks: 3
        },],
    },
    merge = Verb {
        name: "merge",
        command: "merge ../inputs/parts.shard-1-of-3.csv ../inputs/parts.shard-2-of-3.csv ../inputs/parts.shard-3-of-3.csv",
        to_stdout: "",
        skipped_columns: &[],
        others: &[
            "merge ../inputs/parts.shard-3-of-3.csv ../inputs/parts.shard-1-of-3.csv",
            "merge ../inputs/parts.shard-2-of-3.csv ../inputs/parts.shard-3-of-3.csv ../inputs/parts.shard-1-of-3.csv -o out.jsonl",
            "merge ../inputs/parts.shard-2-of-3.csv ../inputs/parts.shard-3-of-3.csv ../inputs/parts.shard-1-of-3.csv -q --export-json record.json",
            "merge {plain}",
        ],
        divided: &[],
    },
);
