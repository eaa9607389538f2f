//! Tips for flags that do not exist: what people type, and what this program has for it.

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use sudobench_rows::verbs::VERBS;

/// Flags that people type for commands over rows, and the tip for each. Several names of one thing share a tip.
const TIPS: &[(&[&str], &str)] = &[
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
        &["--out", "--out-file", "--outfile", "--output-file", "--export"],
        "-o FILE or --output FILE sets the output file",
    ),
    (
        &["--output-dir", "--out-dir", "--outdir", "--output-folder", "--dir"],
        "all inputs go to one output file, -o FILE; to get one file for each input, run the command once for each input",
    ),
    (
        &["--jobs", "--workers", "--cores", "--parallel", "--num-threads", "--processes", "--cpus"],
        "--threads N sets the number of threads",
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
    (&["--csv", "--parquet"], "the extension of the output sets its format: -o FILE.csv, -o FILE.parquet"),
    (
        &["--gzip", "--zstd", "--compress", "--compression"],
        "the extensions .gz and .zst compress the output: -o FILE.csv.gz",
    ),
    (&["--overwrite", "--replace", "--yes"], "--force replaces an existing output"),
    (
        &["--continue", "--restart", "--checkpoint"],
        "--resume continues an interrupted run with the same input and flags",
    ),
    (
        &["--head", "--max-rows", "--nrows", "--rows", "--num", "--number", "--first"],
        "--limit N stops after N rows",
    ),
    (&["--offset", "--start", "--skip-rows"], "--skip N skips the first N rows"),
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
    (&["--timeout", "--time-limit"], "`solve --max-time-per-puzzle TIME` gives up puzzles that take longer"),
    (&["--verbose", "--debug"], "--progress always shows progress; --columns all adds all columns"),
    (&["--silent"], "--quiet prints only errors on standard error"),
    (
        &["--algorithm", "--engine", "--method"],
        "`solve --solver NAME` chooses the solver; `bench --engine` measures external programs",
    ),
];

/// Adds a tip to the error of an unknown flag. A tip of the table replaces that of clap, which goes by spelling. `program` is built.
pub(super) fn with_tips(
    mut error: clap::Error,
    program: &mut clap::Command,
    typed: &[String],
) -> clap::Error {
    if error.kind() != ErrorKind::UnknownArgument {
        return error;
    }
    let Some(ContextValue::String(flag)) = error.get(ContextKind::InvalidArg) else { return error };
    let flag = flag.clone();
    let command =
        typed.iter().find_map(|word| program.find_subcommand(word)).map(|found| found.get_name().to_owned());
    // The other commands have options of their own for much of this.
    let is_over_rows = command.as_ref().is_some_and(|name| VERBS.iter().any(|verb| verb.name == name));
    let known = TIPS.iter().find(|(flags, _)| is_over_rows && flags.contains(&flag.as_str()));
    let tip = match known {
        Some((_, tip)) => (*tip).to_owned(),
        None => match commands_with(program, &flag) {
            names if names.is_empty() => return error,
            // Nearly all of the commands over rows have it.
            names if names.len() > 3 => format!("'{flag}' is an option of {} and others", names[0]),
            names => format!("'{flag}' is an option of {}", names.join(", ")),
        },
    };
    if known.is_some() {
        error.remove(ContextKind::SuggestedArg);
        // The usage is that of the option that clap suggests.
        if let Some(command) = command.and_then(|name| program.find_subcommand_mut(name)) {
            error.insert(ContextKind::Usage, ContextValue::StyledStr(command.render_usage()));
        }
    }
    error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![StyledStr::from(tip)]));
    error
}

/// Returns the commands that have this option, as they are typed.
fn commands_with(program: &clap::Command, flag: &str) -> Vec<String> {
    let Some(long) = flag.strip_prefix("--") else { return Vec::new() };
    let has = |command: &&clap::Command| {
        let mut options = command.get_arguments().filter(|option| !option.is_hide_set());
        !command.is_hide_set() && options.any(|option| option.get_long() == Some(long))
    };
    program.get_subcommands().filter(has).map(|command| format!("`{}`", command.get_name())).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use clap::CommandFactory as _;
    use regex_lite::Regex;

    use super::*;
    use crate::cli::Cli;

    #[test]
    fn tips_name_options_that_exist_for_flags_that_do_not() {
        let mut program = Cli::command();
        program.build();
        let solve = program.find_subcommand("solve").unwrap();
        let of_solve: HashSet<String> = solve
            .get_arguments()
            .filter_map(|option| option.get_long())
            .map(|long| format!("--{long}"))
            .collect();
        let mut seen = HashSet::new();
        let option = Regex::new(r"--[a-z][a-z-]*").unwrap();
        for (flags, tip) in TIPS {
            for flag in *flags {
                assert!(seen.insert(*flag) && !of_solve.contains(*flag), "{flag}");
            }
            for found in option.find_iter(tip) {
                let found = found.as_str();
                assert!(
                    of_solve.contains(found) || !commands_with(&program, found).is_empty(),
                    "{tip}: {found}"
                );
            }
        }
    }
}
