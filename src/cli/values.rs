//! Values of options that only the program has, and long help texts that several commands share.

/// What `--engine-protocol` says at length.
pub(crate) const ENGINE_PROTOCOL_HELP: &str = "\
How engines are given puzzles: all of them, or with NAME= one. Repeatable.

lines: a puzzle a line on standard input, a line for each on standard output (the default)
files: the same lines in files: the command has {input} where it names the file of puzzles, and {output} where it \
names that of its answers; without {output} it prints them
boj2580, boj2239: a program as that problem of the judge asks for it: a process for each puzzle, nine lines in, nine \
lines out. So each puzzle has its time, and budgets count; any solution is an answer";

/// What `--engine-answers` says at length.
pub(crate) const ENGINE_ANSWERS_HELP: &str = "\
What engines tell of a puzzle: all of them, or with NAME= one. Repeatable.

any: some solution, which need not be the only one
unique: the solution if it is the only one; a line without a solution if there are several, or none
count: a line with the number of solutions, and no solution; it may stop counting at --max-solutions

In bench, some small puzzles with one, two and no solutions show first whether that is true, and what an engine tells of which nothing is \
said. Solvers are ranked among those that answer alike: any solution is found sooner than it is proved to be the only one. In gate, an \
engine of which nothing is said tells any solution";

/// The id of a commit: one word, as version control systems name their states.
pub(crate) fn commit_id(text: &str) -> Result<String, String> {
    let is_word = text.bytes().all(|byte| byte.is_ascii_graphic());
    match is_word && !text.is_empty() && text.len() <= 128 {
        true => Ok(text.to_owned()),
        false => Err("write one word of at most 128 characters, such as 1a2b3c4d".to_owned()),
    }
}

/// A number of bytes; as the judge counts them, 1 MB is 2^20.
pub(crate) fn size(text: &str) -> Result<u64, String> {
    let bytes = parse_size::Config::new().with_binary().parse_size(text);
    match bytes.map_err(|_| "write a number with its unit, such as 64KB or 256MB".to_owned())? {
        0 => Err("nothing fits into 0 bytes: write more, such as 64KB".to_owned()),
        bytes => Ok(bytes),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    /// A new option with such a value is held to the same forms.
    #[test]
    fn every_option_with_a_count_reads_it_in_the_same_way() {
        let program = crate::cli::Cli::command();
        let mut options = 0;
        for command in program.get_subcommands() {
            for option in command.get_opts().filter(|option| option.get_id() != "seed") {
                let names = option.get_value_names().unwrap_or_default();
                if !names.iter().any(|name| ["N", "ROWS", "K", "N|A..B"].contains(&name.as_str())) {
                    continue;
                }
                let typed = format!("--{}=x", option.get_long().unwrap());
                let words = ["sudobench", command.get_name(), &typed];
                let error = program.clone().try_get_matches_from(words).unwrap_err().to_string();
                assert!(error.contains("write a whole number, such as 20000"), "{words:?}: {error}");
                options += 1;
            }
        }
        assert!(options > 30, "{options} options");
    }
}
