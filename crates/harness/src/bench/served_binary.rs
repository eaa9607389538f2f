//! A build of sudobench that runs in another process and measures passes on request. The user names the binary and may name any program, so
//! the messages of the binary are not trusted.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::de::DeserializeOwned;
use sudobench_sudoku::simd::{self, Level};

use super::passes::{Leg, Passes, Request, ServedPair};
use super::serve::{Ready, Reply, SINGLE_SAMPLE};
use super::trials::{Side, Sides};
use super::{Callgrind, Fault, in_words};
use crate::process::{
    End, Event, MAX_LINE_BYTES, OLDEST_PROTOCOL, PROTOCOL, Running, Supervisor, TICK, line_of, take_line,
};

/// If a binary closes its output or prints something that is not a message, it gets this much time to end by itself, so that its exit code
/// can be reported.
const GRACE: Duration = Duration::from_secs(2);

/// The requested passes may take this many times as long as in the warm-up, plus [`Binaries::max_silence`].
const SLOWER: u32 = 20;

/// A binary to start, and the arguments that make it serve passes.
#[derive(Clone, Debug)]
pub struct Launch {
    /// Path of the binary.
    pub binary: PathBuf,
    /// The hidden command `serve`, with the solvers and datasets to serve.
    pub arguments: Vec<OsString>,
}

/// The two binaries under comparison.
pub struct Binaries {
    /// The old build.
    pub base: Launch,
    /// The new build, which is judged.
    pub head: Launch,
    /// The SIMD level of both binaries.
    pub level: Level,
    /// Value of the environment variable [`SINGLE_SAMPLE`](super::SINGLE_SAMPLE) for both binaries. If this is `None`, the variable is
    /// removed.
    pub single_sample: Option<u64>,
    /// Time limit for the warm-up of a binary, for all its pairs together.
    pub warm_up: Duration,
    /// Maximum time without a message from a binary, in addition to the time that its work may take.
    pub max_silence: Duration,
    /// Starts both binaries.
    pub supervisor: Arc<Supervisor>,
}

impl Sides for Binaries {
    fn start(&self, side: Side) -> Result<Box<dyn Passes>, Fault> {
        let launch = match side {
            Side::Base => &self.base,
            Side::Head => &self.head,
        };
        Ok(Box::new(ServedBinary::start(launch, self)?))
    }
}

impl Launch {
    fn argv(&self) -> Vec<OsString> {
        std::iter::once(self.binary.clone().into()).chain(self.arguments.iter().cloned()).collect()
    }
}

impl Binaries {
    /// Makes a command, with the settings that both binaries share.
    fn command(&self, argv: &[OsString]) -> Command {
        let mut argv = argv.iter();
        let mut command = Command::new(argv.next().map_or(OsStr::new(""), OsString::as_os_str));
        // The level is not passed as an option, because a binary that doesn't know the option would not start.
        command.args(argv).env(simd::VARIABLE, self.level.name());
        match self.single_sample {
            Some(sample) => command.env(SINGLE_SAMPLE, sample.to_string()),
            None => command.env_remove(SINGLE_SAMPLE),
        };
        command
    }
}

/// Counts the instructions of a binary that serves one pair, in a whole run: the binary starts, reads the puzzles, answers them in its
/// warm-up and ends. Returns the number of instructions and the number of puzzles.
///
/// # Errors
///
/// [`Fault`] if the binary doesn't serve the pair or doesn't answer all puzzles, or if nothing is counted.
pub fn count_served(callgrind: &Callgrind, launch: &Launch, terms: &Binaries) -> Result<(u64, u64), Fault> {
    let shown = launch.binary.display();
    let fault = |message: &str| Fault(format!("{shown} {message}"));
    let command = terms.command(&callgrind.command_line(&launch.argv()));
    // The run consists of the warm-up and other work that takes less time than `max_silence`. So the sum of the two limits is enough.
    let most = terms.warm_up.saturating_add(terms.max_silence);
    let mut output = Vec::new();
    let count = callgrind.count(|| {
        let run = terms.supervisor.finish(&command, most, MAX_LINE_BYTES)?;
        if run.end != End::Exited(0) {
            return Err(fault(&format!("ended with {}", run.in_words())));
        }
        output = run.output;
        Ok(())
    })?;
    let ready = take_line(&mut output, 0).and_then(|line| serde_json::from_slice::<Ready>(&line).ok());
    match ready.as_ref().map(|ready| ready.pairs.as_slice()) {
        Some([ServedPair { error: Some(error), .. }]) => Err(fault(&format!("cannot be counted: {error}"))),
        Some([pair]) if pair.sample.is_none_or(|sample| pair.puzzles >= sample) => Ok((count, pair.puzzles)),
        Some([_]) => {
            let message = "does not answer all puzzles in time: raise --max-silence, or use fewer puzzles with --sample";
            Err(fault(message))
        }
        _ => Err(fault("cannot measure this pair of solver and dataset")),
    }
}

/// A running binary that serves passes. Dropping this value ends the binary.
pub struct ServedBinary {
    shown: String,
    /// The running program, or the reason why it no longer runs.
    running: Result<Running, Fault>,
    /// Output that is not a complete line yet.
    pending: Vec<u8>,
    pairs: Vec<ServedPair>,
    max_silence: Duration,
    supervisor: Arc<Supervisor>,
}

/// A reason why there is no message.
enum NoMessage {
    /// The binary printed something that is not a message, or its output ended.
    BrokeOff,
    /// Another reason, for example that the time limit was reached or the run was interrupted.
    Over(Fault),
}

impl ServedBinary {
    /// Starts a binary and waits until its warm-up has ended.
    ///
    /// # Errors
    ///
    /// [`Fault`] if the binary can't be started, does not become ready, or does not speak the protocol.
    pub fn start(launch: &Launch, terms: &Binaries) -> Result<ServedBinary, Fault> {
        let command = terms.command(&launch.argv());
        let mut served = ServedBinary {
            running: Ok(terms.supervisor.start(&command)?),
            shown: launch.binary.display().to_string(),
            pending: Vec::new(),
            pairs: Vec::new(),
            max_silence: terms.max_silence,
            supervisor: Arc::clone(&terms.supervisor),
        };
        let ready: Ready = served.read(terms.warm_up).map_err(|why| match why {
            NoMessage::BrokeOff => served.why_not_ready(),
            NoMessage::Over(fault) => fault,
        })?;
        if !(OLDEST_PROTOCOL..=PROTOCOL).contains(&ready.protocol) {
            let (shown, theirs) = (&served.shown, ready.protocol);
            let ours = format!("{OLDEST_PROTOCOL} to {PROTOCOL}");
            return Err(Fault(format!(
                "{shown} uses protocol {theirs}, but this program supports only the protocols {ours}: run `gate` with a version of \
                 sudobench that supports protocol {theirs}"
            )));
        }
        served.pairs = ready.pairs;
        Ok(served)
    }

    /// Waits for the next message. `work` is the time that the work before the message may take; `max_silence` is added.
    fn read<T: DeserializeOwned>(&mut self, work: Duration) -> Result<T, NoMessage> {
        let (start, within) = (Instant::now(), work.saturating_add(self.max_silence));
        let running = self.running.as_mut().map_err(|fault| NoMessage::Over(fault.clone()))?;
        let fault = |message: &str| NoMessage::Over(Fault(format!("{} {message}", self.shown)));
        loop {
            if let Some(line) = take_line(&mut self.pending, 0) {
                return serde_json::from_slice(&line).map_err(|_| NoMessage::BrokeOff);
            }
            let left = within.saturating_sub(start.elapsed());
            if self.supervisor.is_interrupted() {
                return Err(fault("was interrupted"));
            }
            if left.is_zero() {
                let message = format!("did not answer within {}: raise --max-silence", in_words(within));
                return Err(fault(&message));
            }
            if self.pending.len() > MAX_LINE_BYTES {
                return Err(NoMessage::BrokeOff);
            }
            match running.next(left.min(TICK)).map_err(NoMessage::Over)? {
                Event::Output(bytes) => self.pending.extend_from_slice(&bytes),
                Event::Nothing => {}
                Event::Closed | Event::Ended => return Err(NoMessage::BrokeOff),
            }
        }
    }

    /// Gives the binary the time [`GRACE`] to end by itself, and then ends it. If the binary ended by itself, returns its exit code (`None`
    /// if a signal ended the binary) and a description of its end.
    ///
    /// # Errors
    ///
    /// [`Fault`] if the binary no longer runs because of an earlier fault, couldn't be started, or its end is unknown.
    fn own_end(&mut self) -> Result<Option<(Option<i32>, String)>, Fault> {
        let gone = Err(Fault(format!("{} has ended", self.shown)));
        let mut running = std::mem::replace(&mut self.running, gone)?;
        running.end_input();
        let (start, mut discarded) = (Instant::now(), 0);
        // Any further output is discarded, because only the end of the binary is of interest. The loop does not wait for a binary that
        // prints without end.
        while start.elapsed() < GRACE && discarded <= MAX_LINE_BYTES && !self.supervisor.is_interrupted() {
            match running.next(TICK)? {
                Event::Ended => break,
                Event::Output(bytes) => discarded += bytes.len(),
                Event::Nothing | Event::Closed => {}
            }
        }
        let run = running.end()?;
        Ok(match run.end {
            End::Exited(code) => Some((Some(code), run.in_words())),
            End::Signalled(_) => Some((None, run.in_words())),
            _ => None,
        })
    }

    /// Returns the reason why a binary did not become ready, after it printed something that is not a message or closed its output. Ends
    /// the binary.
    fn why_not_ready(&mut self) -> Fault {
        let shown = self.shown.clone();
        let remedy = "build both binaries from versions that have `gate`";
        Fault(match self.own_end() {
            Err(fault) => return fault,
            Ok(None | Some((Some(0), _))) => format!("{shown} cannot run measurements for `gate`: {remedy}"),
            // Exit code 2 means that the binary does not understand the command line, or does not have the solvers.
            Ok(Some((Some(2), message))) => {
                format!(
                    "{shown} cannot run these measurements for `gate` ({message}): {remedy} and the solvers"
                )
            }
            Ok(Some((_, message))) => format!("{shown} ended before it was ready: {message}"),
        })
    }

    /// Ends a binary that was ready, but then printed something that is not a message, or closed its output. Returns the fault.
    fn why_no_longer(&mut self) -> Fault {
        let shown = self.shown.clone();
        Fault(match self.own_end() {
            Err(fault) => return fault,
            Ok(None) => format!("{shown} printed something that is not an answer"),
            // The binary may have ended by itself. Or the binary printed something that is not an answer, and ended only because `own_end`
            // closed its input. The exit code is 0 in both cases, so the message names both.
            Ok(Some((Some(0), _))) => {
                format!("{shown} ended during the measurement, or printed something that is not an answer")
            }
            Ok(Some((_, message))) => format!("{shown} ended during the measurement: {message}"),
        })
    }

    fn ask(&mut self, request: Request) -> Result<Reply, NoMessage> {
        let running = self.running.as_mut().map_err(|fault| NoMessage::Over(fault.clone()))?;
        // Refuses a message that came without a request; otherwise it would be taken for the answer to this request.
        let said = running.next(Duration::ZERO).map_err(NoMessage::Over)?;
        if !self.pending.is_empty() || matches!(said, Event::Output(_)) {
            return Err(NoMessage::Over(Fault(format!("{} sends an answer without a request", self.shown))));
        }
        running.send(line_of(&request).map_err(|error| NoMessage::Over(Fault(error.to_string())))?);
        let pass_ns = self.pairs.get(request.pair).map_or(0, |pair| pair.pass_ns);
        self.read(Duration::from_nanos(pass_ns.saturating_mul(request.passes)).saturating_mul(SLOWER))
    }
}

impl Passes for ServedBinary {
    fn pairs(&self) -> &[ServedPair] {
        &self.pairs
    }

    fn run(&mut self, request: Request) -> Result<Leg, Fault> {
        let reply = self.ask(request).map_err(|why| {
            let fault = match why {
                NoMessage::BrokeOff => self.why_no_longer(),
                NoMessage::Over(fault) => fault,
            };
            // Ends the binary. From now on, each request is answered with this fault.
            self.running = Err(fault.clone());
            fault
        })?;
        match reply.error {
            None => Ok(Leg {
                time_ns: reply.pass_ns,
                instructions: reply.instructions.unwrap_or(0),
                ..Leg::default()
            }),
            Some(error) => Err(Fault(format!("{}: {error}", self.shown))),
        }
    }
}
