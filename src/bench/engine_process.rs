//! One run of an external program: input fed, output collected, time and memory as the kernel accounts them.

use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};
use sudobench_sudoku::nanoseconds;

use wait4::{ResUse, Wait4};

use super::{Fault, Pass};

/// How long a program may take to end after it closed its output or was killed.
const GRACE: Duration = Duration::from_secs(2);

/// Of standard error this much is kept for the message about a failure.
const KEPT_ERROR_BYTES: u64 = 4096;

/// What came of a run.
#[derive(Debug)]
pub(super) struct Ran {
    /// All that it printed.
    pub(super) output: Vec<u8>,
    pub(super) pass: Pass,
    /// Whether it was killed because its time was over.
    pub(super) out_of_time: bool,
}

/// Runs `command` on `input`, and kills it after `allowance`.
///
/// # Errors
/// [`Fault`] where it cannot be started, or ends without success.
pub(super) fn run(command: &[String], input: &[u8], allowance: Duration) -> Result<Ran, Fault> {
    let Some((program, arguments)) = command.split_first() else {
        return Err(Fault("the engine's command is empty".to_owned()));
    };
    let start = Instant::now();
    let mut child = start_program(program, arguments)?;
    let (mut stdin, mut stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    std::thread::scope(|scope| {
        // A program that ends before it read everything breaks the pipe; what it answered tells the rest.
        scope.spawn(move || stdin.as_mut().map(|stdin| stdin.write_all(input)));
        let (sender, received) = sync_channel(64);
        scope.spawn(move || {
            while let Some(bytes) = stdout.as_mut().and_then(read_some) {
                if sender.send(bytes).is_err() {
                    break;
                }
            }
        });
        let words = scope.spawn(move || first_words(stderr?));
        let (output, out_of_time) = collect(&received, start, allowance);
        drop(received);
        let ended = end(&mut child, out_of_time);
        let elapsed_ns = nanoseconds(start.elapsed());
        let words = words.join().ok().flatten().unwrap_or_default();
        let used = ended.map_err(|error| Fault(format!("`{program}` does not end: {error}")))?;
        if !out_of_time && !used.status.success() {
            return Err(Fault(format!("`{program}` ended with {}: {words}", used.status)));
        }
        let cpu_ns = nanoseconds(used.rusage.utime + used.rusage.stime);
        let pass = Pass { elapsed_ns, cpu_ns, peak_memory_bytes: used.rusage.maxrss };
        Ok(Ran { output, pass, out_of_time })
    })
}

fn start_program(program: &str, arguments: &[String]) -> Result<Child, Fault> {
    Command::new(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| Fault(format!("cannot start `{program}`: {error}")))
}

/// The beginning of what a program says on standard error; the rest is read and dropped, lest it blocks.
fn first_words(mut stderr: impl Read) -> Option<String> {
    let mut kept = Vec::new();
    stderr.by_ref().take(KEPT_ERROR_BYTES).read_to_end(&mut kept).ok()?;
    std::io::copy(&mut stderr, &mut std::io::sink()).ok()?;
    Some(String::from_utf8_lossy(&kept).trim().to_owned())
}

/// Some bytes, or `None` at the end.
fn read_some(source: &mut impl Read) -> Option<Vec<u8>> {
    let mut bytes = vec![0; 1 << 16];
    let read = source.read(&mut bytes).ok().filter(|&read| read > 0)?;
    bytes.truncate(read);
    Some(bytes)
}

/// Everything that arrives until the end or until the time is over, and whether it was.
fn collect(received: &Receiver<Vec<u8>>, start: Instant, allowance: Duration) -> (Vec<u8>, bool) {
    let mut output = Vec::new();
    loop {
        match received.recv_timeout(allowance.saturating_sub(start.elapsed())) {
            Ok(bytes) => output.extend_from_slice(&bytes),
            Err(RecvTimeoutError::Disconnected) => return (output, false),
            Err(RecvTimeoutError::Timeout) => return (output, true),
        }
    }
}

/// Waits for the end of a program, which it is helped to where it must.
fn end(child: &mut Child, kill_now: bool) -> std::io::Result<ResUse> {
    let mut killed = kill_now;
    if kill_now {
        child.kill()?;
    }
    let start = Instant::now();
    loop {
        if let Some(used) = child.try_wait4()? {
            return Ok(used);
        }
        if !killed && start.elapsed() > GRACE {
            child.kill()?;
            killed = true;
        }
        std::thread::sleep(Duration::from_micros(50));
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn shell(script: &str, input: &str, allowance: Duration) -> Result<Ran, Fault> {
        run(&["sh".to_owned(), "-c".to_owned(), script.to_owned()], input.as_bytes(), allowance)
    }

    #[test]
    fn output_and_the_kernels_account_come_back() {
        let ran = shell("cat", "one\ntwo\n", Duration::from_secs(60)).unwrap();
        assert_eq!(ran.output, b"one\ntwo\n");
        assert!(ran.pass.peak_memory_bytes > 0 && ran.pass.elapsed_ns > 0 && !ran.out_of_time);
    }

    #[test]
    fn a_failure_tells_the_programs_own_words() {
        let fault = shell("echo no table >&2; exit 3", "", Duration::from_secs(60)).unwrap_err();
        assert_eq!(fault.to_string(), "`sh` ended with exit status: 3: no table");
        let fault = run(&["no-such-program".to_owned()], b"", Duration::from_secs(60)).unwrap_err();
        assert!(fault.to_string().starts_with("cannot start `no-such-program`"), "{fault}");
    }

    #[test]
    fn one_that_does_not_end_is_killed_and_what_it_said_is_kept() {
        let ran = shell("echo first; exec sleep 600", "", Duration::from_secs(2)).unwrap();
        assert_eq!((ran.output.as_slice(), ran.out_of_time), (b"first\n".as_slice(), true));
    }
}
