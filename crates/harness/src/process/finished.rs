//! A program that is run to its end, and what it printed.

use std::process::{Command, ExitStatus};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::Fault;
use super::child::{Children, Output, TICK};

/// Of what is printed this much is kept.
const KEPT_OUTPUT_BYTES: usize = 1 << 20;

/// A program that came to its end by itself.
pub(crate) struct Finished {
    /// How.
    pub(crate) status: ExitStatus,
    /// The beginning of what it printed.
    pub(crate) output: Vec<u8>,
    /// The beginning of what it said on standard error.
    pub(crate) words: String,
}

impl Children {
    /// Runs a program without input until it ends, for so long at most, and ends what it started then.
    ///
    /// # Errors
    /// [`Fault`] where it cannot be started, takes longer, or Ctrl-C was pressed.
    pub(crate) fn finish(self: &Arc<Self>, command: Command, most: Duration) -> Result<Finished, Fault> {
        let program = command.get_program().to_string_lossy().into_owned();
        let fault = |words: &str| Fault(format!("`{program}` {words}"));
        let mut running = self.start(command)?;
        running.end_input();
        let (start, mut output) = (Instant::now(), Vec::new());
        // It has ended where it has, whoever still holds its output.
        while !running.has_ended() {
            if self.is_stopped() {
                return Err(fault("was interrupted"));
            }
            if start.elapsed() > most {
                return Err(fault(&format!("did not end within {}", humantime::format_duration(most))));
            }
            match running.read(TICK) {
                Output::Bytes(bytes) => keep(&mut output, &bytes),
                Output::Nothing => {}
                // One that closes its output may go on.
                Output::Closed => std::thread::sleep(Duration::from_millis(1)),
            }
        }
        while let Output::Bytes(bytes) = running.read(TICK) {
            keep(&mut output, &bytes);
        }
        let ended = running.end()?;
        Ok(Finished { status: ended.status, output, words: ended.words })
    }
}

fn keep(output: &mut Vec<u8>, bytes: &[u8]) {
    let room = KEPT_OUTPUT_BYTES - output.len();
    output.extend_from_slice(&bytes[..bytes.len().min(room)]);
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicBool;

    fn finish(script: &str, stop: bool) -> Result<Finished, Fault> {
        let children = Arc::new(Children::new(Arc::new(AtomicBool::new(stop))));
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        children.finish(command, Duration::from_secs(1))
    }

    #[test]
    fn what_ends_is_told_with_its_output() {
        let finished = finish("echo one; echo two >&2; exit 3", false).unwrap();
        let Finished { status, output, .. } = finished;
        assert_eq!((status.code(), &output[..]), (Some(3), &b"one\n"[..]));
        let much = finish("head -c 3000000 /dev/zero", false).unwrap();
        assert_eq!((much.status.code(), much.output.len()), (Some(0), KEPT_OUTPUT_BYTES));
    }

    #[test]
    fn what_does_not_end_is_ended() {
        let words = |script: &str, stop| finish(script, stop).err().unwrap().to_string();
        assert_eq!(words("exec >&-; sleep 60", false), "`sh` did not end within 1s");
        assert_eq!(words("sleep 60", true), "`sh` was interrupted");
        let start = Instant::now();
        assert_eq!(finish("sleep 60 & echo done", false).unwrap().output, b"done\n");
        assert!(start.elapsed() < Duration::from_secs(30), "nobody waits for what it left");
    }
}
