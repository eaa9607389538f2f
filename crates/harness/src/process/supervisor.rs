//! Starts external programs, and ends them with their child processes.
//!
//! A command of sudobench makes one supervisor, and starts external programs through it. The supervisor starts its helper processes only
//! when they are needed, so a command that starts no program has no helper processes.
//!
//! A program may hang, print without end, leave child processes that keep its pipes open, or refuse to die. Therefore
//! - on Unix a small process, the [runner](super::runner), starts and ends programs; sudobench itself reads and writes the program's pipes,
//!   so no data goes through the runner;
//! - every wait for a program has a time limit and regularly checks the flag of Ctrl-C;
//! - only a limited part of a program's output is kept;
//! - a runner that does not answer is killed, with all processes that have its mark ([`process_tree`](super::process_tree));
//! - if sudobench is killed, runners end because their input ends, and the [watchdog](super::watchdog) ends the processes that still run.

use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use super::system::{Running, System};
use super::{End, Event, Fault, LimitedProgram, Limits, Run, TICK};

/// Time that a run may take beyond its wall limit, because the system may need time to end killed processes.
const GRACE: Duration = Duration::from_secs(10);

/// Maximum number of bytes of output that are kept from a program such as git, which prints little.
pub(crate) const SHORT_OUTPUT: usize = 1 << 20;

/// Starts programs, feeds and reads them, limits them, and ends them with their child processes.
pub struct Supervisor {
    stop: Arc<AtomicBool>,
    /// The helper processes, or the reason why they could not be started. Empty until they are first needed.
    system: OnceLock<Result<Arc<System>, Fault>>,
}

impl Supervisor {
    /// Makes a supervisor whose programs are ended soon after `stop` becomes true. The helper processes run this program again, so its
    /// `main` must call [`child_main`](crate::child_main) first. On systems other than Unix, helper processes are needed only for solvers
    /// in shared libraries.
    pub fn new(stop: Arc<AtomicBool>) -> Supervisor {
        Supervisor { stop, system: OnceLock::new() }
    }

    /// On Unix, starts the watchdog if it does not run yet. Runners are started later, when programs need them. Call this before a
    /// measurement; otherwise an error is reported only when the first program is started.
    ///
    /// # Errors
    /// [`Fault`] if the watchdog can't be started, or the system doesn't report how processes end.
    pub fn make_ready(&self) -> Result<(), Fault> {
        self.system().map(|_| ())
    }

    fn system(&self) -> Result<&Arc<System>, Fault> {
        let start = || System::new(Arc::clone(&self.stop)).map(Arc::new);
        let message = "cannot start external programs";
        let system =
            self.system.get_or_init(|| start().map_err(|error| Fault(format!("{message}: {error}"))));
        system.as_ref().map_err(Fault::clone)
    }

    /// Returns the flag that makes the supervisor end its programs.
    pub fn interrupt_flag(&self) -> &Arc<AtomicBool> {
        &self.stop
    }

    /// Returns whether the flag that ends the programs is set, for example because Ctrl-C was pressed.
    pub fn is_interrupted(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Makes sure that these limits can be enforced.
    ///
    /// # Errors
    /// [`Fault`] if the limits can't be enforced.
    pub(crate) fn prepare(&self, limits: &Limits) -> Result<(), Fault> {
        self.system()?.prepare(limits)
    }

    /// Starts a program without limits. The program inherits the environment and the current folder of this process, unless `command` sets
    /// others.
    ///
    /// # Errors
    ///
    /// [`Fault`] if the program can't be started. On Unix this may be reported only when the program is waited for.
    pub(crate) fn start(&self, command: &Command) -> Result<Running, Fault> {
        Running::start(self.system()?, command)
    }

    /// Runs a program to its end, without input and for at most the time `most`, and ends the child processes that the program leaves
    /// behind. The first `kept` bytes of its output are kept.
    ///
    /// # Errors
    /// [`Fault`] if the program can't be started or takes longer than `most`, if its runner is lost, or if Ctrl-C is pressed.
    pub(crate) fn finish(&self, command: &Command, most: Duration, kept: usize) -> Result<Run, Fault> {
        let program = command.get_program().to_string_lossy();
        let fault = |message: &str| Fault(format!("`{program}` {message}"));
        let mut running = self.start(command)?;
        running.end_input();
        let (start, mut output) = (Instant::now(), Vec::new());
        loop {
            if self.is_interrupted() {
                return Err(fault("was interrupted"));
            }
            if start.elapsed() > most {
                return Err(fault(&format!("did not end within {}", humantime::format_duration(most))));
            }
            match running.next(TICK)? {
                Event::Output(bytes) => {
                    let room = kept - output.len();
                    output.extend_from_slice(&bytes[..bytes.len().min(room)]);
                }
                Event::Ended => break,
                Event::Closed | Event::Nothing => {}
            }
        }
        Ok(Run { output, ..running.end()? })
    }

    /// Runs a program to its end, under limits and with this input.
    ///
    /// # Errors
    /// [`Fault`] if the helper processes can't be started, if the limits can't be enforced (as on systems other than Unix), if the runner
    /// is lost or does not answer, or if Ctrl-C is pressed. A program that fails or can't be started is not an error; the [`Run`] describes
    /// it.
    pub fn run(&self, program: &LimitedProgram, input: &[u8]) -> Result<Run, Fault> {
        let limits = &program.limits;
        let most_output = usize::try_from(limits.output_bytes).unwrap_or(usize::MAX);
        let most = limits.wall.saturating_add(GRACE);
        let mut running = Running::start_limited(self.system()?, program)?;
        running.send(input.to_vec());
        running.end_input();
        let (start, mut output) = (Instant::now(), Vec::new());
        while output.len() <= most_output {
            if self.is_interrupted() {
                return Err(Fault("interrupted".to_owned()));
            }
            let elapsed = start.elapsed();
            if elapsed > most {
                running.abandon();
                return Err(Fault("the runner does not answer".to_owned()));
            }
            // A stopped runner is an error only after the wall limit, because until then the signal SIGCONT may let the runner continue.
            if elapsed > limits.wall
                && let Err(fault) = running.check_runner()
            {
                running.abandon();
                return Err(fault);
            }
            match running.next(TICK)? {
                Event::Output(bytes) => output.extend_from_slice(&bytes),
                Event::Ended => break,
                Event::Closed | Event::Nothing => {}
            }
        }
        let mut run = running.end()?;
        output.append(&mut run.output);
        if output.len() > most_output && matches!(run.end, End::Stopped | End::Exited(_) | End::Signalled(_))
        {
            run.end = End::Output;
            output.truncate(most_output);
        }
        Ok(Run { output, ..run })
    }
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::super::fixtures::{limited, supervisor};
    use super::*;

    /// More time than a program needs, even on a busy machine.
    const ENOUGH: Duration = Duration::from_secs(60);

    fn finish(script: &str, most: Duration, stop: bool) -> Result<Run, Fault> {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        supervisor(stop).finish(&command, most, SHORT_OUTPUT)
    }

    #[test]
    fn a_program_ends_and_its_output_and_resource_use_are_returned() {
        let run = finish("echo one; echo two >&2; exit 3", ENOUGH, false).unwrap();
        assert_eq!(
            (&run.end, &run.output[..], &run.stderr_start[..]),
            (&End::Exited(3), &b"one\n"[..], "two")
        );
        assert!(run.cpu_ns > 0 && run.peak_memory_bytes > 0 && run.wall_ns > 0, "{run:?}");
        assert!(run.readings["page_faults"] > 0.0, "{run:?}");
        let much = finish("head -c 3000000 /dev/zero; kill -9 $$", ENOUGH, false).unwrap();
        assert_eq!((much.end, much.output.len()), (End::Signalled(9), SHORT_OUTPUT));
    }

    #[test]
    fn a_program_that_does_not_end_is_ended() {
        let fault_of =
            |script: &str, stop| finish(script, Duration::from_secs(1), stop).err().unwrap().to_string();
        assert_eq!(fault_of("exec >&-; sleep 600", false), "`sh` did not end within 1s");
        assert_eq!(fault_of("sleep 600", true), "`sh` was interrupted");
        // A child process that the program leaves behind is not waited for.
        assert_eq!(finish("sleep 600 & echo done", ENOUGH, false).unwrap().output, b"done\n");
        let command = Command::new("no-such-program");
        let missing = supervisor(false).finish(&command, Duration::from_secs(1), SHORT_OUTPUT);
        assert!(
            missing.err().unwrap().to_string().starts_with("cannot start `no-such-program`: No such file")
        );
    }

    #[test]
    fn one_runner_runs_many_programs_and_limits_apply_to_each() {
        let supervisor = supervisor(false);
        let long = Duration::from_secs(120);
        let short = Duration::from_secs(2);
        let run = |script: &str| supervisor.run(&limited(script, long), b"input\n").unwrap();
        assert_eq!((run("cat").end, run("cat").output), (End::Exited(0), b"input\n".to_vec()));
        assert_eq!(run("yes").end, End::Output);
        assert_eq!(supervisor.run(&limited("exec sleep 600", short), b"").unwrap().end, End::WallTime);
        assert_eq!(run("while :; do :; done").end, End::CpuTime);
        assert!(matches!(run("exit 7"), Run { end: End::Exited(7), .. }));
        assert_eq!(
            supervisor.system().unwrap().free_runners(),
            1,
            "all programs were started by the same runner"
        );
        // If a program kills or stops its runner, the run returns a `Fault`, and the next run uses a new runner.
        for (script, message) in [
            ("kill -KILL $PPID", "was killed"),
            ("while kill -STOP $PPID; do sleep 0.1; done", "was stopped by a signal"),
        ] {
            let fault = supervisor.run(&limited(script, short), b"").unwrap_err().to_string();
            assert!(fault.contains(message), "{script}: {fault}");
            assert_eq!(run("cat").output, b"input\n");
        }
    }
}
