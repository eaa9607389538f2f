//! Values of options, and long help texts that several commands share.

pub(crate) const ENGINE_PROTOCOL_HELP: &str = "\
How engines read puzzles and write answers. NAME= before the protocol sets it for one engine only. Repeatable.

lines: one puzzle per line on standard input, one line per answer on standard output (the default)
files: the same lines in files. In the command, {input} stands for the file of puzzles and {output} for the file of answers; \
without {output}, the engine prints its answers
library: a function in a shared library. The command is 'LIBRARY [FUNCTION [FLAGS]]', such as './libmine.so solve'. Only the calls \
are timed. docs/REFERENCE.md describes the function
boj2580, boj2239: a program for this problem of Baekjoon Online Judge. It is started again for each puzzle, reads nine lines and prints nine \
lines. Each puzzle therefore has its own time. Any solution is accepted";

pub(crate) const ENGINE_ANSWERS_HELP: &str = "\
What engines answer. NAME= before the kind sets it for one engine only. Repeatable.

any: a solution, even if the puzzle has more than one
unique: the solution if it is the only one; otherwise a line without a solution
count: a line with the number of solutions and without a solution. Counting may stop at --max-solutions

`bench` first tests with a few puzzles (with one, two and no solutions) whether the engine answers in this way. If you do not set the kind, `bench` finds out whether the kind is any or unique; with --max-solutions 1, the kind is any. \
`bench` ranks only solvers of the same kind against each other, because finding a solution takes less time than proving that \
it is the only one. In `gate`, the default is any";

/// Parses the ID of a commit: one word of at most 128 printable ASCII characters.
pub(crate) fn commit_id(text: &str) -> Result<String, String> {
    let is_word = text.bytes().all(|byte| byte.is_ascii_graphic());
    match is_word && !text.is_empty() && text.len() <= 128 {
        true => Ok(text.to_owned()),
        false => Err("write one word of at most 128 characters, such as 1a2b3c4d".to_owned()),
    }
}

/// Parses a number of bytes. 1 MB is 2^20 bytes, as for the judge.
pub(crate) fn size(text: &str) -> Result<u64, String> {
    let bytes = parse_size::Config::new().with_binary().parse_size(text);
    match bytes.map_err(|_| "write a number with its unit, such as 64KB or 256MB".to_owned())? {
        0 => Err("the size must not be 0: write a size such as 64KB".to_owned()),
        bytes => Ok(bytes),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    #[test]
    fn every_option_with_a_number_says_how_to_write_it() {
        let mut program = crate::cli::Cli::command();
        program.build();
        let mut options = 0;
        for command in program.get_subcommands() {
            for option in command.get_opts() {
                let names = option.get_value_names().unwrap_or_default();
                let typed = format!("--{}=x", option.get_long().unwrap());
                let message = ["sudobench", command.get_name(), &typed];
                let read = program.clone().try_get_matches_from(message);
                let error = read.err().map_or(String::new(), |error| error.to_string());
                assert!(!error.contains("invalid digit found in string"), "{message:?}: {error}");
                let counts = ["N", "ROWS", "K", "N|A..B", "NUMBERS"];
                if names.iter().any(|name| counts.contains(&name.as_str())) {
                    assert!(error.contains("write a whole number, such as 20000"), "{message:?}: {error}");
                    options += 1;
                }
            }
        }
        assert!(options > 30, "{options} options");
    }
}
