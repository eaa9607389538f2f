//! Another binary of this program, asked for passes.

use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use sudobench_sudoku::simd::{self, Level};

use super::Fault;
use super::serve::{PROTOCOL, Ready, Reply, Request, ServedPair};
use super::trials::{BothSides, Passes, Sides};

/// A binary to start, and the words that make it serve passes.
#[derive(Clone, Debug)]
pub struct Launch {
    /// The file.
    pub binary: PathBuf,
    /// Its hidden `serve` command with what to serve.
    pub arguments: Vec<String>,
}

/// The two binaries that are held against each other.
#[derive(Clone, Debug)]
pub struct Binaries {
    /// What was.
    pub base: Launch,
    /// What is judged.
    pub head: Launch,
    /// The vector level of both.
    pub level: Level,
}

impl Sides for Binaries {
    fn start(&self) -> Result<BothSides, Fault> {
        let base = ServedBinary::start(&self.base, self.level)?;
        let head = ServedBinary::start(&self.head, self.level)?;
        Ok((Box::new(base), Box::new(head)))
    }
}

/// A running binary that serves passes; it ends when this is dropped.
pub struct ServedBinary {
    binary: PathBuf,
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: BufReader<ChildStdout>,
    pairs: Vec<ServedPair>,
}

impl ServedBinary {
    /// Starts a binary at a vector level and waits until it is warm.
    ///
    /// # Errors
    /// [`Fault`] where it cannot be started or does not speak the protocol.
    pub fn start(launch: &Launch, level: Level) -> Result<ServedBinary, Fault> {
        let Launch { binary, arguments } = launch;
        let shown = binary.display();
        let mut command = Command::new(binary);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
        // Not the option: a binary from before it would not start.
        command.env(simd::VARIABLE, level.name());
        let mut child = command.spawn().map_err(|error| Fault(format!("cannot start {shown}: {error}")))?;
        let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
        let stdout = stdout.ok_or_else(|| Fault(format!("{shown} has no output")))?;
        let mut served = ServedBinary {
            binary: binary.clone(),
            child,
            stdin,
            stdout: BufReader::new(stdout),
            pairs: Vec::new(),
        };
        let ready: Ready = served.read()?;
        if ready.protocol != PROTOCOL {
            let theirs = ready.protocol;
            return Err(Fault(format!("{shown} speaks protocol {theirs}, this program {PROTOCOL}")));
        }
        served.pairs = ready.pairs;
        Ok(served)
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

impl Passes for ServedBinary {
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

impl Drop for ServedBinary {
    /// The end of its input ends it.
    fn drop(&mut self) {
        self.stdin = None;
        // A process that cannot be waited for is gone.
        let _ = self.child.wait();
    }
}
