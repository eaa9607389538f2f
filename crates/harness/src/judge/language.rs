//! Programming languages, and the extra time and memory that the online judge (BOJ) gives them.
//!
//! The numbers are from the judge's page about languages (help.acmicpc.net/language/info, as of 2025). The page states a factor and an
//! added amount for each limit. On this page, a megabyte has 2^20 bytes.

use std::path::Path;
use std::time::Duration;

use sudobench_rows::{Budget, Budgets};

use crate::problem::Problem;

/// The programming language of a program.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, strum::EnumString, strum::IntoStaticStr, strum::VariantArray,
)]
#[strum(serialize_all = "lowercase")]
pub enum Language {
    /// C++, with unchanged limits; also for C and Rust.
    Cpp,
    /// Java: twice the time plus 1 s, twice the memory plus 16 MB.
    Java,
    /// PyPy3: three times the time plus 2 s, twice the memory plus 128 MB.
    Pypy,
    /// CPython 3: three times the time plus 2 s, twice the memory plus 32 MB.
    Python,
    /// Unknown: unchanged limits, and no reference time.
    #[default]
    None,
}

impl Language {
    /// Returns the language of a command if the name of its program shows it (`python3`, `pypy3`, `java`), otherwise [`Language::None`].
    pub fn from_command(argv: &[String]) -> Language {
        let program = argv.first().map(Path::new).and_then(Path::file_stem).unwrap_or_default();
        let program = program.to_string_lossy().to_lowercase();
        let starts = |name: &str| {
            let version = program.strip_prefix(name);
            version.is_some_and(|version| version.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.'))
        };
        let known = [Language::Python, Language::Pypy, Language::Java];
        known.into_iter().find(|language| starts(language.name())).unwrap_or(Language::None)
    }

    /// Returns the name of the language in records and tables.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Returns the limit of processor time for programs in this language.
    pub fn time_limit(self, problem: Problem) -> Duration {
        let limit = problem.time_limit;
        match self {
            Language::Cpp | Language::None => limit,
            Language::Java => limit * 2 + Duration::from_secs(1),
            Language::Pypy | Language::Python => limit * 3 + Duration::from_secs(2),
        }
    }

    /// Returns the limit of memory for programs in this language, in bytes.
    pub fn memory_limit(self, problem: Problem) -> u64 {
        let limit = problem.memory_limit;
        match self {
            Language::Cpp | Language::None => limit,
            Language::Java => limit * 2 + (16 << 20),
            Language::Pypy => limit * 2 + (128 << 20),
            Language::Python => limit * 2 + (32 << 20),
        }
    }

    /// Returns whether a limit on address space makes sense for programs in this language. A JVM and PyPy reserve far more address space
    /// than they use, and programs in an unknown language may do the same.
    pub(crate) fn has_address_space_limit(self) -> bool {
        matches!(self, Language::Cpp | Language::Python)
    }

    /// Returns the reference time for programs in this language. For CPython, this is the reference time of PyPy3.
    pub fn reference(self, problem: Problem) -> Option<Budget> {
        let origin = match self {
            Language::Cpp => "C++",
            Language::Java => "Java",
            Language::Pypy | Language::Python => "PyPy3",
            Language::None => return None,
        };
        Budgets::from_preset(problem.preset).list.into_iter().find(|budget| budget.origin.starts_with(origin))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sudobench_rows::Preset;

    #[test]
    fn the_language_is_guessed_from_the_command() {
        let of = |command: &str| Language::from_command(&[command.to_owned(), "solve.py".to_owned()]);
        assert_eq!([of("python3"), of("/usr/bin/python3.11"), of("python")], [Language::Python; 3]);
        assert_eq!([of("pypy3"), of("java")], [Language::Pypy, Language::Java]);
        assert_eq!([of("./solve"), of("javac"), of("python-solver"), of("")], [Language::None; 4]);
    }

    #[test]
    fn each_language_has_its_limits_and_its_reference_time() {
        let rows = [
            (Language::Cpp, 1, 2, 256, Some(80), Some(180)),
            (Language::Java, 3, 5, 528, Some(292), Some(15_528)),
            (Language::Pypy, 5, 8, 640, Some(1172), Some(2064)),
            (Language::Python, 5, 8, 544, Some(1172), Some(2064)),
            (Language::None, 1, 2, 256, None, None),
        ];
        let [spaced, compact] = [Preset::Boj2580, Preset::Boj2239].map(Problem::new);
        let reference =
            |language: Language, problem| language.reference(problem).map(|budget| budget.limit.as_millis());
        for (language, seconds, seconds_2239, megabytes, time, time_2239) in rows {
            assert_eq!(language.time_limit(spaced), Duration::from_secs(seconds));
            assert_eq!(language.time_limit(compact), Duration::from_secs(seconds_2239));
            assert_eq!(language.memory_limit(spaced), megabytes << 20);
            assert_eq!((reference(language, spaced), reference(language, compact)), (time, time_2239));
            assert_eq!(language.name().parse(), Ok(language));
        }
    }
}
