//! Another binary of this program, asked for passes.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use super::blocks::Passes;
use super::serve::{PROTOCOL, Ready, Reply, Request};
use super::{Fault, ServedPair};
use sudobench_sudoku::simd::{self, Level};

/// A running binary that serves passes; it ends when this is dropped.
pub struct Rival {
    binary: PathBuf,
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: BufReader<ChildStdout>,
    pairs: Vec<ServedPair>,
}

impl Rival {
    /// Starts `binary` with the words of its hidden `serve` command and waits until it is warm. A vector width
    /// is handed on.
    ///
    /// # Errors
    /// [`Fault`] where it cannot be started or does not speak the protocol.
    pub fn start(binary: &Path, arguments: &[String], level: Level) -> Result<Rival, Fault> {
        let shown = binary.display();
        let mut command = Command::new(binary);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
        // Not the option: a binary from before it would not start.
        command.env(simd::VARIABLE, level.name());
        let mut child = command.spawn().map_err(|error| Fault(format!("cannot start {shown}: {error}")))?;
        let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
        let stdout = stdout.ok_or_else(|| Fault(format!("{shown} has no output")))?;
        let mut rival = Rival {
            binary: binary.to_owned(),
            child,
            stdin,
            stdout: BufReader::new(stdout),
            pairs: Vec::new(),
        };
        let ready: Ready = rival.read()?;
        if ready.protocol != PROTOCOL {
            let theirs = ready.protocol;
            return Err(Fault(format!("{shown} speaks protocol {theirs}, this program {PROTOCOL}")));
        }
        rival.pairs = ready.pairs;
        Ok(rival)
    }

    /// The next message.
    fn read<T: serde::de::DeserializeOwned>(&mut self) -> Result<T, Fault> {
        let shown = self.binary.display();
        let mut line = String::new();
        let read = self.stdout.read_line(&mut line);
        read.map_err(|error| Fault(format!("cannot read from {shown}: {error}")))?;
        serde_json::from_str(&line).map_err(|_| {
            Fault(format!(
                "{shown} does not serve passes: build both binaries from versions that have `gate`"
            ))
        })
    }
}

impl Passes for Rival {
    fn pairs(&self) -> &[ServedPair] {
        &self.pairs
    }

    fn run(&mut self, request: Request) -> Result<u64, Fault> {
        let mut line = serde_json::to_vec(&request).map_err(|error| Fault(error.to_string()))?;
        line.push(b'\n');
        let sent = self.stdin.as_mut().map(|stdin| stdin.write_all(&line));
        if !matches!(sent, Some(Ok(()))) {
            return Err(Fault(format!("{} ended early", self.binary.display())));
        }
        let reply: Reply = self.read()?;
        match reply.error {
            None => Ok(reply.pass_ns),
            Some(error) => Err(Fault(format!("{}: {error}", self.binary.display()))),
        }
    }
}

impl Drop for Rival {
    /// The end of its input ends it.
    fn drop(&mut self) {
        self.stdin = None;
        // A process that cannot be waited for is gone.
        let _ = self.child.wait();
    }
}
