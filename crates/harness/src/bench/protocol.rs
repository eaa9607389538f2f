//! How external engines are used: their protocols and the kinds of their answers, as typed by the user.

use std::fmt;
use std::str::FromStr;

use sudobench_rows::Preset;

use super::Fault;
use crate::process::NamedCommand;
use crate::record::AnswerKind;

/// How an engine gets puzzles and returns answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EngineProtocol {
    /// Each line of the engine's input is a puzzle, and the engine prints a line for each puzzle.
    Lines,
    /// Like `Lines`, but the engine reads the puzzles from a file, and may write its answers to another file instead of printing them. The
    /// command contains placeholders for the paths of the files.
    Files,
    /// A function in a shared library is called for each puzzle.
    Library,
    /// A new process is started for each puzzle. The judge's problem defines the formats of its input and output.
    Judge(Preset),
}

impl EngineProtocol {
    const ALL: [(&'static str, EngineProtocol); 5] = [
        ("lines", EngineProtocol::Lines),
        ("files", EngineProtocol::Files),
        ("library", EngineProtocol::Library),
        ("boj2580", EngineProtocol::Judge(Preset::Boj2580)),
        ("boj2239", EngineProtocol::Judge(Preset::Boj2239)),
    ];

    /// Returns the name of the protocol on the command line.
    pub fn name(self) -> &'static str {
        let mut all = EngineProtocol::ALL.into_iter();
        all.find(|(_, protocol)| *protocol == self).map_or("lines", |(name, _)| name)
    }
}

impl FromStr for EngineProtocol {
    type Err = Fault;

    fn from_str(text: &str) -> Result<EngineProtocol, Fault> {
        let found = EngineProtocol::ALL.into_iter().find(|(name, _)| *name == text);
        found.map(|(_, protocol)| protocol).ok_or_else(|| {
            let message = "write lines, files, library, boj2580 or boj2239";
            Fault(message.to_owned())
        })
    }
}

/// A value for one engine, or for all engines without a value of their own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForEngine<T> {
    /// The engine's name. `None`: the value is for all engines without a value of their own.
    pub engine: Option<String>,
    /// The value.
    pub value: T,
}

/// The protocol for one engine or for all engines.
pub type ProtocolOf = ForEngine<EngineProtocol>;

/// The kind of answers for one engine or for all engines.
pub type AnswersOf = ForEngine<AnswerKind>;

impl<T: FromStr<Err: fmt::Display>> FromStr for ForEngine<T> {
    type Err = Fault;

    /// Reads `VALUE` or `NAME=VALUE`.
    fn from_str(text: &str) -> Result<ForEngine<T>, Fault> {
        let (engine, value) = match text.split_once('=') {
            Some((engine, value)) => (Some(engine.trim().to_owned()), value.trim()),
            None => (None, text),
        };
        let value = value.parse().map_err(|error: T::Err| Fault(error.to_string()))?;
        Ok(ForEngine { engine, value })
    }
}

/// Returns a value for each engine, in the order of `engines`: the engine's own value or, if it has none, the value for all engines. `flag`
/// is the name of the option, for messages.
fn values<T: Copy>(
    flag: &str,
    engines: &[NamedCommand],
    typed: &[ForEngine<T>],
) -> Result<Vec<Option<T>>, Fault> {
    for (at, ForEngine { engine, .. }) in typed.iter().enumerate() {
        let who = || engine.as_ref().map_or("all engines".to_owned(), |name| format!("`{name}`"));
        if engine.as_ref().is_some_and(|name| engines.iter().all(|engine| engine.name != *name)) {
            return Err(Fault(format!("{flag}: there is no engine {}", who())));
        }
        if typed[..at].iter().any(|other| other.engine == *engine) {
            return Err(Fault(format!("{flag}: there are two values for {}: leave one out", who())));
        }
    }
    let of = |name: Option<&str>| {
        typed.iter().find(|typed| typed.engine.as_deref() == name).map(|typed| typed.value)
    };
    Ok(engines.iter().map(|engine| of(Some(&engine.name)).or_else(|| of(None))).collect())
}

/// The protocol of an engine and the kind of its answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EngineSetup {
    /// The protocol by which the engine gets puzzles.
    pub protocol: EngineProtocol,
    /// The kind of answers that the user stated, if any.
    pub answers: Option<AnswerKind>,
}

/// Returns for each engine, in order, its protocol and the kind of its answers. The default protocol is `lines`.
///
/// # Errors
///
/// [`Fault`] if an unknown engine is named, or there are two values for an engine or for all engines.
pub fn engine_setups(
    engines: &[NamedCommand],
    protocols: &[ProtocolOf],
    answers: &[AnswersOf],
) -> Result<Vec<EngineSetup>, Fault> {
    let protocols = values("--engine-protocol", engines, protocols)?;
    let answers = values("--engine-answers", engines, answers)?;
    let setups = protocols.into_iter().zip(answers).map(|(protocol, answers)| EngineSetup {
        protocol: protocol.unwrap_or(EngineProtocol::Lines),
        answers,
    });
    Ok(setups.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn engines() -> [NamedCommand; 2] {
        ["a=solve -q", "b='my solver' --in=x"].map(|text| text.parse().unwrap())
    }

    fn found(typed: &[&str]) -> Result<Vec<EngineProtocol>, String> {
        let typed: Vec<ProtocolOf> = typed.iter().map(|text| text.parse().unwrap()).collect();
        let setups = engine_setups(&engines(), &typed, &[]).map_err(|fault| fault.to_string())?;
        Ok(setups.into_iter().map(|setup| setup.protocol).collect())
    }

    #[test]
    fn an_invalid_engine_is_refused_with_the_right_form() {
        assert_eq!(engines()[1].argv, ["my solver", "--in=x"]);
        for text in ["tdoku", "=solve", "name=", "name='open"] {
            let fault = text.parse::<NamedCommand>().unwrap_err().to_string();
            assert!(fault.ends_with("write NAME='COMMAND ARGUMENTS'"), "{fault}");
        }
    }

    #[test]
    fn a_protocol_applies_to_all_or_to_one() {
        use EngineProtocol::{Files, Judge, Lines};
        assert_eq!(found(&[]), Ok(vec![Lines; 2]));
        assert_eq!(found(&["files"]), Ok(vec![Files; 2]));
        assert_eq!(found(&["b=boj2239", "files"]), Ok(vec![Files, Judge(Preset::Boj2239)]));
        assert_eq!(found(&["c=files"]), Err("--engine-protocol: there is no engine `c`".to_owned()));
        assert_eq!(
            found(&["files", "lines"]),
            Err("--engine-protocol: there are two values for all engines: leave one out".to_owned())
        );
        assert_eq!(
            found(&["a=files", "a=files"]),
            Err("--engine-protocol: there are two values for `a`: leave one out".to_owned())
        );
        assert!("pipes".parse::<ProtocolOf>().unwrap_err().to_string().starts_with("write lines, files"));
    }
}
