//! Messages between this program and a runner, as [control lines](super::lines):
//!
//! ```text
//! sudobench -> {"type":"hello","protocol":2,"isolation":"inherit","folder":null}
//! runner    -> {"type":"ready","protocol":2,"held_by":"nothing"}
//! sudobench -> {"type":"start","words":["./solve","-q"],"environment":[["LC_ALL","C"]],"folder":null,"max_cpu_ns":null,"max_wall_ns":null}
//! runner    -> {"type":"ended"}
//! sudobench -> {"type":"end"}
//! runner    -> {"type":"ran","end":{"exited":0},"cpu_ns":1400000,"system_ns":300000,"wall_ns":2100000,"peak_memory_bytes":5832704,"memory_floor_bytes":5767168,"readings":{"page_faults":244.0}}
//! ```

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::run::Run;

/// A message to a runner.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum ToRunner {
    /// The first message: how programs are isolated from the rest of the system.
    Hello {
        /// [`PROTOCOL`](super::PROTOCOL) of the sender.
        protocol: u32,
        isolation: Isolation,
        /// The runner's folder, in which each run has a folder of its own. Absent if programs run in the user's folder.
        folder: Option<PathBuf>,
    },
    /// Start a program. The descriptors of its standard input, output and error are sent together with this message.
    Start(Box<Start>),
    /// End the run: the program, if it still runs, and its child processes. Ignored between runs.
    End,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Start {
    /// The program and its arguments.
    pub(super) words: Vec<Word>,
    /// Environment variables to set. A variable without a value is removed.
    pub(super) environment: Vec<(Word, Option<Word>)>,
    /// The folder to run in. If absent: the current folder of the runner or, under the judge's isolation, the run's own empty folder.
    pub(super) folder: Option<Word>,
    /// Processor time after which the program is ended, in nanoseconds.
    pub(super) max_cpu_ns: Option<u64>,
    /// Wall time after which the program is ended, in nanoseconds.
    pub(super) max_wall_ns: Option<u64>,
}

/// The isolation of programs from the rest of the system.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Isolation {
    /// As in a shell: the user's folder, environment variables and limits.
    Inherit,
    /// As under the judge: an empty folder, few environment variables, and limits.
    Judge {
        /// Resident memory of the program with its child processes, in bytes.
        memory_bytes: Option<u64>,
        /// Address space of each process, in bytes.
        address_space_bytes: Option<u64>,
        processes: u64,
    },
}

/// A message from a runner.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum FromRunner {
    /// The answer to `Hello`.
    Ready {
        /// [`PROTOCOL`](super::PROTOCOL) of the runner.
        protocol: u32,
        /// Description of the means that enforce the limits.
        held_by: String,
    },
    /// The runner can't do its work.
    Failed {
        /// The reason.
        message: String,
    },
    /// The program has ended by itself. Its child processes may still run; `End` ends them.
    Ended,
    /// The result of the run, sent after the program and its child processes have ended.
    Ran(Box<Run>),
}

/// A word of a command, a path, or the name or value of an environment variable. In JSON, it is a string or, if it is not valid UTF-8, an
/// array of bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub(super) enum Word {
    Text(String),
    Bytes(Vec<u8>),
}

impl From<&OsStr> for Word {
    fn from(text: &OsStr) -> Word {
        use std::os::unix::ffi::OsStrExt as _;
        match text.to_str() {
            Some(text) => Word::Text(text.to_owned()),
            None => Word::Bytes(text.as_bytes().to_vec()),
        }
    }
}

impl From<Word> for OsString {
    fn from(word: Word) -> OsString {
        use std::os::unix::ffi::OsStringExt as _;
        match word {
            Word::Text(text) => text.into(),
            Word::Bytes(bytes) => OsString::from_vec(bytes),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::End;
    use super::*;

    #[test]
    fn messages_are_the_documented_lines() {
        let start = Start {
            words: vec![Word::Text("./solve".to_owned()), Word::Text("-q".to_owned())],
            environment: vec![(Word::Text("LC_ALL".to_owned()), Some(Word::Text("C".to_owned())))],
            folder: None,
            max_cpu_ns: None,
            max_wall_ns: None,
        };
        let hello = ToRunner::Hello { protocol: 2, isolation: Isolation::Inherit, folder: None };
        let told = [hello, ToRunner::Start(Box::new(start)), ToRunner::End];
        let told = told.map(|message| serde_json::to_string(&message).unwrap());
        assert_eq!(
            told,
            [
                r#"{"type":"hello","protocol":2,"isolation":"inherit","folder":null}"#,
                r#"{"type":"start","words":["./solve","-q"],"environment":[["LC_ALL","C"]],"folder":null,"max_cpu_ns":null,"max_wall_ns":null}"#,
                r#"{"type":"end"}"#,
            ]
        );
        let mut run = Run {
            cpu_ns: 1_400_000,
            system_ns: 300_000,
            wall_ns: 2_100_000,
            ..Run::from_end(End::Exited(0))
        };
        (run.peak_memory_bytes, run.memory_floor_bytes) = (5_832_704, 5_767_168);
        run.readings.insert("page_faults".into(), 244.0);
        let answers = [FromRunner::Ended, FromRunner::Ran(Box::new(run))];
        let answers = answers.map(|message| serde_json::to_string(&message).unwrap());
        let ran = r#"{"type":"ran","end":{"exited":0},"cpu_ns":1400000,"system_ns":300000,"wall_ns":2100000,"peak_memory_bytes":5832704,"memory_floor_bytes":5767168,"readings":{"page_faults":244.0}}"#;
        assert_eq!(answers, [r#"{"type":"ended"}"#, ran]);
        let documented = include_str!("messages.rs").lines().take_while(|line| line.starts_with("//!"));
        for line in told.iter().chain(&answers) {
            assert!(documented.clone().any(|shown| shown.ends_with(&format!("-> {line}"))), "{line}");
        }
    }

    #[test]
    fn words_that_are_not_utf8_survive() {
        use std::os::unix::ffi::OsStringExt as _;
        for bytes in [b"solve".to_vec(), b"\xff/\xfe".to_vec(), Vec::new()] {
            let word = OsString::from_vec(bytes);
            let text = serde_json::to_string(&Word::from(word.as_os_str())).unwrap();
            assert_eq!(OsString::from(serde_json::from_str::<Word>(&text).unwrap()), word, "{text}");
        }
    }
}
