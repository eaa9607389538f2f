//! Tips for flags and commands that don't exist. They map what people type to what this program has.

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};

/// Tips for flags that users type but that do not exist. Flags with the same meaning share a tip. If a tip names flags outside of
/// backquotes, only commands that have all these flags get the tip. The first suitable tip is used.
const FLAG_TIPS: &[(&[&str], &str)] = &[
    (
        &["--hardest", "--hard", "--difficult"],
        "`rate --order-by -guesses --top 1000` finds the hardest puzzles of a file; `generate --hardest SOLVER` makes hard puzzles",
    ),
    (
        &["--difficulty", "--level", "--rating"],
        "`rate` rates puzzles, and `rate --only difficulty=depth2` keeps puzzles of one difficulty; `generate --difficulty` makes such \
         puzzles",
    ),
    (
        &["--sort", "--sort-by", "--order", "--best"],
        "--order-by COLUMN sorts the rows, and --top N keeps the first N rows",
    ),
    (
        &["--in", "--input", "--file", "--files", "--from"],
        "inputs need no flag: write the names of the files",
    ),
    (
        &["--out", "--out-file", "--outfile", "--output-file", "--export"],
        "-o FILE or --output FILE sets the output file",
    ),
    (
        &["--out", "--output", "--output-file", "--export", "--save", "--report"],
        "--export-json FILE writes the result as JSON, and --export-markdown FILE writes its tables as Markdown",
    ),
    (
        &["--output-dir", "--out-dir", "--outdir", "--output-folder", "--dir"],
        "all inputs go to one output file, --output FILE; to get one file for each input, run the command once for each input",
    ),
    (
        &["--jobs", "--workers", "--cores", "--parallel", "--num-threads", "--processes", "--cpus"],
        "--threads N sets the number of threads",
    ),
    (
        &["--threads", "--workers", "--cores", "--parallel", "--num-threads", "--processes", "--cpus"],
        "--jobs N makes N runs at a time",
    ),
    (
        &["--format", "--type", "--as", "--to"],
        "--output-format sets the format of the output, and so does the extension (-o x.parquet); --input-format sets the format of the \
         input",
    ),
    (
        &["--json", "--jsonl", "--ndjson"],
        "--output-format jsonl writes JSON lines, and so does -o FILE.jsonl",
    ),
    (&["--json", "--record"], "--export-json FILE writes the result as JSON"),
    (
        &["--csv", "--parquet"],
        "the extension of the output sets its format: --output FILE.csv, --output FILE.parquet",
    ),
    (&["--csv"], "--export-csv FILE writes a table as CSV"),
    (&["--html"], "--export-html FILE writes a page for a browser"),
    (&["--markdown", "--md"], "--export-markdown FILE writes the tables as Markdown"),
    (
        &["--gzip", "--zstd", "--compress", "--compression"],
        "the extensions .gz and .zst compress the output: --output FILE.csv.gz",
    ),
    (&["--overwrite", "--replace", "--yes"], "--force replaces an existing output"),
    (
        &["--continue", "--restart", "--checkpoint"],
        "--resume continues an interrupted run with the same input and flags",
    ),
    (&["--num", "--number", "--rows", "--limit"], "--count N sets how many puzzles are made"),
    (
        &["--head", "--max-rows", "--nrows", "--rows", "--num", "--number", "--first"],
        "--limit N stops after N rows",
    ),
    (&["--offset", "--start", "--skip-rows"], "--skip N skips the first N rows"),
    (
        &["--unique", "--valid"],
        "--only unique keeps the puzzles with exactly one solution; `check` finds them",
    ),
    (
        &["--filter", "--where", "--status", "--keep-only"],
        "--only CONDITION keeps rows, such as --only unique or --only clues=17..20",
    ),
    (
        &["--column", "--fields", "--select"],
        "--columns LIST chooses the columns to add; --puzzle-column names the column of the input that holds the puzzles",
    ),
    (&["--sep", "--separator"], "--delimiter sets the character between the columns of the input"),
    (
        &["--no-header", "--noheader", "--has-header"],
        "--header yes or --header no says whether the first row is a header",
    ),
    (&["--timeout", "--time-limit"], "--max-time-per-puzzle TIME gives up puzzles that take longer"),
    (&["--timeout", "--max-time-per-puzzle"], "--time-limit TIME limits the processor time of a run"),
    (&["--timeout", "--time-limit"], "`solve --max-time-per-puzzle TIME` gives up puzzles that take longer"),
    (&["--memory", "--max-memory"], "--memory-limit SIZE limits the memory of a run"),
    (&["--lang"], "--language sets the language, which decides the limits: cpp, java, pypy, python or none"),
    (&["--runs", "--repeats", "--repetitions", "--iterations"], "--repeat N makes N runs of each puzzle"),
    (&["--repeat", "--repeats", "--repetitions", "--iterations"], "--rounds N sets the number of rounds"),
    (&["--solver"], "--solvers NAMES chooses the solvers"),
    (&["--solvers"], "--solver NAME chooses the solver"),
    (&["--algorithm", "--method"], "--solver NAME chooses the solver; `solvers` lists them"),
    (&["--algorithm", "--method"], "--solvers NAMES chooses the solvers; `solvers` lists them"),
    (&["--engine"], "`bench --engine` measures external solvers; --solver NAME chooses a built-in solver"),
    (&["--verbose", "--debug"], "--progress always shows progress; --columns all adds all columns"),
    (&["--silent"], "--quiet prints only errors on standard error"),
];

/// Names of commands that people type but that do not exist, and the tip for these names.
const COMMAND_TIPS: &[(&[&str], &str)] = &[
    (&["run", "sudoku"], "`solve` solves puzzles"),
    (&["benchmark", "measure-solvers", "perf", "time"], "`bench` measures solvers"),
    (
        &["verify", "validate", "valid", "lint"],
        "`check` finds out whether each puzzle has exactly one solution",
    ),
    (&["difficulty", "grade", "level"], "`rate` measures how hard each puzzle is"),
    (
        &["hardest", "sort", "top"],
        "`rate --order-by -guesses --top 1000` finds the hardest puzzles of a file; other commands that write rows have --order-by and --top, too",
    ),
    (&["make", "create", "new", "gen"], "`generate` makes puzzles"),
    (
        &["unique", "uniq", "deduplicate", "duplicates"],
        "`dedupe` removes duplicates; `check --only unique` keeps puzzles with one solution",
    ),
    (
        &["normalize", "normalise", "minlex", "isomorphs", "canonicalize"],
        "`canonical` finds the smallest equivalent form",
    ),
    (&["shuffle", "augment", "permute"], "`transform --random N` writes random equivalent forms"),
    (
        &["contamination", "leak", "intersect"],
        "`overlap --with TEST` counts the puzzles of a test set that are also in a training set",
    ),
    (&["filter", "grep"], "commands that write rows have --only; `check --only unique` is an example"),
    (
        &["head", "subset"],
        "commands that read rows have --limit and --sample; `convert --limit N` copies N rows",
    ),
    (&["copy", "cat", "export", "import"], "`convert` writes the same rows in another format"),
    (
        &["join", "concat", "combine"],
        "`merge` puts the outputs of shards together; `convert` writes several files into one",
    ),
    (&["diff", "cmp"], "`compare` compares records of `bench` or `judge`"),
    (&["submit", "test", "grader", "boj"], "`judge` runs your program as the online judge does"),
    (
        &["steps", "hint", "techniques", "path"],
        "`explain` shows the steps to the solution, technique by technique",
    ),
    (&["minimize", "minimise", "reduce"], "`minimals` finds the minimal puzzles inside a puzzle"),
    (&["neighbors", "neighbours"], "`vicinity` finds the puzzles that are a few clues away"),
    (&["list", "engines", "algorithms"], "`solvers` lists the solvers"),
    (&["info", "system", "env"], "`doctor` looks for causes of noisy measurements"),
    (&["manual", "docs"], "`man` prints the man page"),
    (&["completion"], "`completions` prints the completions for a shell"),
    (&["version"], "--version prints the version"),
];

/// Adds a tip to the error of an unknown flag or command. A tip from `FLAG_TIPS` or `COMMAND_TIPS` replaces the tip of clap, because clap
/// only looks for similar spellings. `program` must be built ([`clap::Command::build`]).
pub(super) fn with_tips(
    mut error: clap::Error,
    program: &mut clap::Command,
    typed: &[String],
) -> clap::Error {
    let kind = match error.kind() {
        ErrorKind::UnknownArgument => ContextKind::InvalidArg,
        ErrorKind::InvalidSubcommand => ContextKind::InvalidSubcommand,
        _ => return error,
    };
    let Some(ContextValue::String(word)) = error.get(kind) else { return error };
    let word = word.clone();
    let command =
        typed.iter().find_map(|word| program.find_subcommand(word)).map(|found| found.get_name().to_owned());
    let known = match kind {
        ContextKind::InvalidSubcommand => tip_for_command(&word),
        _ => command.as_ref().and_then(|name| tip_for_flag(&word, program.find_subcommand(name)?)),
    };
    let tip = match known {
        Some(tip) => tip.to_owned(),
        None => match commands_with(program, &word) {
            names if names.is_empty() => return error,
            // An option of more than three commands usually belongs to nearly all verbs, so the message names only one command.
            names if names.len() > 3 => format!("'{word}' is an option of {} and others", names[0]),
            names => format!("'{word}' is an option of {}", names.join(", ")),
        },
    };
    if known.is_some() {
        error.remove(ContextKind::SuggestedArg);
        error.remove(ContextKind::SuggestedSubcommand);
        // Replaces the usage in the error, because clap's usage contains the option that clap suggested.
        if let Some(command) = command.and_then(|name| program.find_subcommand_mut(name)) {
            error.insert(ContextKind::Usage, ContextValue::StyledStr(command.render_usage()));
        }
    }
    error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![StyledStr::from(tip)]));
    error
}

fn tip_for_command(word: &str) -> Option<&'static str> {
    COMMAND_TIPS.iter().find(|(commands, _)| commands.contains(&word)).map(|(_, tip)| *tip)
}

/// Returns the first tip for `flag` that suits `command`: the command has all flags that the tip names outside of backquotes.
fn tip_for_flag(flag: &str, command: &clap::Command) -> Option<&'static str> {
    let fits = |tip: &str| flags_outside_code(tip).all(|named| has_flag(command, named));
    FLAG_TIPS.iter().find(|(flags, tip)| flags.contains(&flag) && fits(tip)).map(|(_, tip)| *tip)
}

fn flags_outside_code(tip: &str) -> impl Iterator<Item = &str> {
    let words = tip.split('`').step_by(2).flat_map(|text| text.split([' ', ',', ':', ';', '(', ')']));
    words.filter(|word| word.starts_with("--"))
}

fn has_flag(command: &clap::Command, flag: &str) -> bool {
    let Some(long) = flag.strip_prefix("--") else { return false };
    command.get_arguments().any(|option| !option.is_hide_set() && option.get_long() == Some(long))
}

/// Returns the names of the commands that have this flag, in backquotes.
fn commands_with(program: &clap::Command, flag: &str) -> Vec<String> {
    let has = |command: &&clap::Command| !command.is_hide_set() && has_flag(command, flag);
    program.get_subcommands().filter(has).map(|command| format!("`{}`", command.get_name())).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use clap::CommandFactory as _;

    use super::*;
    use crate::cli::Cli;

    /// Checks that each `command --flag` in a tip exists.
    fn assert_code_exists(program: &clap::Command, tip: &str) {
        for code in tip.split('`').skip(1).step_by(2) {
            let mut words = code.split(' ');
            let command = words.next().and_then(|name| program.find_subcommand(name));
            let command = command.unwrap_or_else(|| panic!("{tip}: {code}"));
            for flag in words.filter(|word| word.starts_with("--")) {
                assert!(has_flag(command, flag), "{tip}: {flag}");
            }
        }
    }

    #[test]
    fn tips_name_commands_and_flags_that_exist() {
        let mut program = Cli::command();
        program.build();
        let mut used = HashSet::new();
        for command in program.get_subcommands() {
            for flag in FLAG_TIPS.iter().flat_map(|(flags, _)| *flags) {
                // A flag that the command has is never unknown, so it gets no tip.
                if !has_flag(command, flag) {
                    used.extend(tip_for_flag(flag, command));
                }
            }
        }
        for (flags, tip) in FLAG_TIPS {
            assert!(used.contains(tip), "no command has all flags of this tip for {flags:?}: {tip}");
            assert_code_exists(&program, tip);
        }
        let mut seen = HashSet::new();
        for (commands, tip) in COMMAND_TIPS {
            assert_code_exists(&program, tip);
            for word in *commands {
                assert!(seen.insert(*word) && program.find_subcommand(word).is_none(), "{word}");
            }
            let solve = program.find_subcommand("solve").unwrap();
            for flag in flags_outside_code(tip) {
                assert!(has_flag(solve, flag) || has_flag(&program, flag), "{tip}: {flag}");
            }
        }
    }
}
